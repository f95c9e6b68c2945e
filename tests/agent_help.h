// For the tests of the textbook agents: positions to try them in, and whole games.
#ifndef LOVAC_TESTS_AGENT_HELP_H
#define LOVAC_TESTS_AGENT_HELP_H

#include "test_data.h"

#include "base/random.h"
#include "core/fen.h"
#include "core/game.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/perft.h"
#include "engine/score.h"
#include "lab/agents/agent.h"

// Positions with everything in them: castling, en passant, promotions, pins, checks. The seven of
// document M come first; their perft to depth 4 is published.
typedef struct KnownPerft {
    const char *fen;
    uint64_t leaves; // at depth 4
} KnownPerft;

static const KnownPerft KNOWN_PERFT[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 197281},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4085603},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 43238},
    {"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 422333},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 422333},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2103487},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3894594},
};
enum { KNOWN_PERFT_COUNT = sizeof KNOWN_PERFT / sizeof *KNOWN_PERFT };

static inline void chess_from_fen(Position *pos, const char *fen)
{
    Error error;
    if (!position_from_fen(pos, &VARIANTS[VARIANT_CHESS], fen, &error))
        fail_msg("%s: %s", fen, error.text);
}

// A position of a game after so many random moves; the last one before the end if it ends earlier.
static inline void random_walk(Position *pos, const Rules *rules, uint64_t seed, int plies)
{
    Random random;
    Move moves[MAX_MOVES];
    const uint64_t starts = rules_start_count(rules);
    random_init(&random, seed);
    assert_true(position_start(pos, rules, starts ? seed % starts : seed, NULL));
    while (plies-- > 0) {
        Position next = *pos;
        Undo undo;
        const int count = movegen_legal(pos, STAGE_ALL, moves);
        position_make(&next, moves[random_below(&random, (uint64_t)count)], &undo);
        if (position_outcome(&next).result != RESULT_NONE)
            return;
        *pos = next;
    }
}

static inline void assert_uci(const Position *pos, Move move, const char *expected)
{
    char text[MOVE_TEXT_SIZE];
    assert_true(move_is_pseudo_legal(pos, move) && move_is_legal(pos, move));
    move_to_uci(pos, move, false, text);
    assert_string_equal(text, expected);
}

// The expected line of a report can be played, and begins with its move.
static inline void assert_line(const Position *pos, const AgentReport *report)
{
    Position walk = *pos;
    Undo undo;
    assert_true(report->pv_count >= 1);
    assert_int_equal(report->move, report->pv[0]);
    for (int i = 0; i < report->pv_count; i++) {
        assert_true(move_is_pseudo_legal(&walk, report->pv[i]) &&
                    move_is_legal(&walk, report->pv[i]));
        position_make(&walk, report->pv[i], &undo);
    }
}

#endif
