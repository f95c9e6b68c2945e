// The data of the hand-written evaluation: pawn geometry from the rules, weights for each game.
#include <pthread.h>
#include <string.h>

#include "engine/hand.h"

static const Weight CHESS_WEIGHTS[] = {
#include "engine/hand_weights.inc"
};
static const Weight HORDE_WHITE_WEIGHTS[TERM_COUNT] = {
#include "engine/hand_weights_horde_white.inc"
};
static const Weight HORDE_BLACK_WEIGHTS[TERM_COUNT] = {
#include "engine/hand_weights_horde_black.inc"
};
static const Weight MASSACRE_WEIGHTS[TERM_COUNT] = {
#include "engine/hand_weights_massacre.inc"
};
_Static_assert(sizeof CHESS_WEIGHTS == TERM_COUNT * sizeof(Weight), "a weight for every term");

// --- geometry --------------------------------------------------------------------------------

// How far a pawn has come: its rank, or, where pawns step diagonally, half the way between the
// corners.
static int pawn_rank(const Rules *rules, Color c, Square s)
{
    int step = rules->pawn_step[c];
    if (step == NORTH || step == SOUTH)
        return square_relative_rank(c, s);
    int way = square_rank(s) + 7 - square_file(s); // 0 in White's corner, 14 in Black's
    return (c == WHITE ? way : 14 - way) / 2;
}

// The line a pawn walks on: a file, or a diagonal; neighbouring lines differ by one.
static int pawn_line(const Rules *rules, Square s)
{
    bool is_file = rules->pawn_step[WHITE] == NORTH;
    return is_file ? square_file(s) : square_file(s) + square_rank(s);
}

static Bitboard walk(Square s, int step, Bitboard stop)
{
    Bitboard way = 0, b = square_bit(s);
    while (!(b & stop) && (b = bitboard_shift(b, step)))
        way |= b;
    return way;
}

static void make_square(PawnGeometry *g, const Rules *rules, Color c, Square s)
{
    int step = rules->pawn_step[c], other_step = rules->pawn_step[!c];
    g->rank[c][s] = (uint8_t)pawn_rank(rules, c, s);
    g->path[c][s] = walk(s, step, rules->promotion_zone[c]);
    g->guards[c][s] = position_pawn_attacks(rules, !c, s);
    int line = pawn_line(rules, s);
    for (Square t = 0; t < 64; t++) {
        int apart = pawn_line(rules, t) - line, ahead = pawn_rank(rules, c, t) - g->rank[c][s];
        if (apart == 0)
            g->lane[c][s] |= square_bit(t);
        if (apart != 1 && apart != -1)
            continue;
        g->beside[c][s] |= square_bit(t);
        if (ahead <= 0)
            g->helpers[c][s] |= square_bit(t);
        if (ahead == 0)
            g->phalanx[c][s] |= square_bit(t);
    }
    // Enemy pawns that stand in the way, or can take on it now or after some steps.
    for (Bitboard b = g->path[c][s] | square_bit(s); b;) {
        Square p = bit_pop(&b);
        if (p != s)
            g->stoppers[c][s] |= square_bit(p);
        for (Bitboard from = position_pawn_attacks(rules, c, p); from;) {
            Square q = bit_pop(&from);
            g->stoppers[c][s] |= square_bit(q) | walk(q, -other_step, 0);
        }
    }
}

// --- weights ---------------------------------------------------------------------------------

static void set(Weight *w, int term, int mg, int eg)
{
    w[term] = WEIGHT(mg, eg);
}

// Weights fitted to the game's own play (`lovac tune fit`), by colour where the sides differ.
static void use_fitted(HandSetup *setup, const Weight white[TERM_COUNT],
                       const Weight black[TERM_COUNT])
{
    memcpy(setup->weights[WHITE], white, sizeof setup->weights[WHITE]);
    memcpy(setup->weights[BLACK], black, sizeof setup->weights[BLACK]);
}

// Legan: the board is seen along the diagonal between the two corners.
static void legan_weights(HandSetup *setup)
{
    Weight *w = setup->weights[WHITE];
    for (Square s = 0; s < 64; s++) {
        int file = square_file(s), rank = square_rank(s);
        int forward = rank + 7 - file; // 0 in our corner, 14 in theirs
        int aside = file + rank - 7;   // distance from the diagonal between the corners
        int off = aside < 0 ? -aside : aside;
        set(w, TERM_SQUARE + PAWN * 64 + s, 3 * forward - 2 * off - 15, 5 * forward - 25);
        set(w, TERM_SQUARE + KNIGHT * 64 + s,
            3 * (forward < 8 ? forward : 14 - forward) - 2 * off - 8, 0);
        set(w, TERM_SQUARE + BISHOP * 64 + s, forward < 8 ? forward : 8, 0);
        set(w, TERM_SQUARE + ROOK * 64 + s, forward < 8 ? forward : 8, 4);
        set(w, TERM_SQUARE + QUEEN * 64 + s, 0, 0);
        set(w, TERM_SQUARE + KING * 64 + s,
            forward < 2   ? 30
            : forward < 4 ? 10
                          : -8 * forward,
            4 * forward - 3 * off - 20);
    }
    set(w, TERM_BISHOP_LANE, 12, 6);
    set(w, TERM_SPACE, 0, 0);
    set(w, TERM_ROOK_SEVENTH, 0, 0);
    memcpy(setup->weights[BLACK], w, sizeof setup->weights[BLACK]);
}

static void fortress_weights(HandSetup *setup)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        set(setup->weights[c], TERM_PAWN_WING, 8, 0);
        set(setup->weights[c], TERM_PAWN_DOUBLED, -2, -10);
        set(setup->weights[c], TERM_PAWN_ALL_EIGHT, 0, 0);
    }
    setup->wing[WHITE] = file_bits(5) | file_bits(6) | file_bits(7);
    setup->wing[BLACK] = file_bits(0) | file_bits(1) | file_bits(2);
}

// --- set-ups ---------------------------------------------------------------------------------

void hand_setup_with(HandSetup *setup, const Rules *rules, const Weight weights[TERM_COUNT])
{
    memset(setup, 0, sizeof *setup);
    setup->rules = rules;
    for (Color c = WHITE; c <= BLACK; c++) {
        memcpy(setup->weights[c], weights, sizeof setup->weights[c]);
        for (Square s = 0; s < 64; s++)
            make_square(&setup->geometry, rules, c, s);
    }
    setup->has_shelter = rules->pawn_step[WHITE] == NORTH;
    setup->is_capture_game = rules->must_capture;
    bool is_turned =
        rules->start == START_CORNER || rules->start == START_FORTRESS || !setup->has_shelter;
    setup->flip[BLACK] = is_turned ? 63 : 56;
    if (!setup->has_shelter)
        for (Square s = 0; s < 64; s++)
            if (pawn_line(rules, s) >= 6 && pawn_line(rules, s) <= 8)
                setup->lanes |= square_bit(s);
}

// Written once under `once`, read-only afterwards.
static HandSetup setups[VARIANT_COUNT];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_setups(void)
{
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const Rules *rules = &VARIANTS[v];
        HandSetup *setup = &setups[v];
        hand_setup_with(setup, rules, CHESS_WEIGHTS);
        if (setup->is_capture_game)
            use_fitted(setup, MASSACRE_WEIGHTS, MASSACRE_WEIGHTS);
        else if (!rules->has_king[BLACK])
            use_fitted(setup, HORDE_WHITE_WEIGHTS, HORDE_BLACK_WEIGHTS);
        else if (!setup->has_shelter)
            legan_weights(setup);
        else if (rules->start == START_FORTRESS)
            fortress_weights(setup);
    }
}

const HandSetup *hand_setup(const Rules *rules)
{
    pthread_once(&once, make_setups);
    return &setups[rules - VARIANTS];
}
