// Whole games of every agent against itself, from random openings: each move is legal by core's
// generator, games end as the rules say, and over all games there are mates, castling, promotions
// and draws. In every position of them, the last one too, an agent with a board of its own has as
// many legal moves as core and knows whether it is in check: so it knows castling, promotions and
// en passant wherever they are possible, mate and stalemate wherever they come.
#include "agent_help.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "lab/agents/agents.h"
#include "lab/agents/g_board.h"
#include "lab/agents/kboard.h"
#include "lab/agents/m_board.h"
#include "lab/agents/naive.h"
#include "lab/agents/t_board.h"

enum { PLIES_MAX = 600 };

typedef struct Seen {
    int games, mates, draws, unfinished, castlings, promotions, en_passants;
    uint64_t moves;
    uint64_t compared, could_castle; // positions where the agent's own board listed the moves
} Seen;

// How deep an agent is asked in these games, so that they stay short.
static int depth_of(const PlayerKind *kind)
{
    return !strcmp(kind->name, "naive") ? 1 : 2;
}

// Who has no title needs a file; those are tested where the files are made.
static bool is_complete(const PlayerKind *kind)
{
    return kind->title;
}

// Document K's minimax knows the end of the game only by the king's capture, two half-moves later.
static bool sees_mate(const PlayerKind *kind)
{
    return strcmp(kind->name, "twodepth");
}

// ---- What the agents' own boards see ----

typedef struct View {
    int moves; // legal ones
    bool in_check, only_queens;
} View;

static View view_naive(const Position *pos, const char *fen)
{
    NaiveBoard board;
    NaiveMove moves[NAIVE_MOVES];
    (void)pos;
    assert_true(naive_from_fen(&board, fen));
    return (View){naive_legal_moves(&board, moves), naive_in_check(&board), false};
}

static GTables *g_tables;

static View view_g(const Position *pos, const char *fen)
{
    GBoard board;
    (void)pos;
    assert_true(g_from_fen(g_tables, &board, fen));
    return (View){(int)g_perft(g_tables, &board, 1), g_in_check(g_tables, &board, board.side),
                  false};
}

static View view_m(const Position *pos, const char *fen)
{
    static MKeys keys;
    static MBoard board;
    (void)pos;
    if (!keys.white)
        m_keys_init(&keys);
    assert_true(m_from_fen(&board, &keys, fen));
    return (View){(int)m_perft(&board, 1), m_in_check(&board), false};
}

static View view_t(const Position *pos, const char *fen)
{
    static TBoard board;
    (void)pos;
    assert_true(t_from_fen(&board, fen));
    return (View){(int)t_perft(&board, 1), t_in_check(&board, board.is_white), true};
}

static View view_k(const Position *pos, const char *fen)
{
    static KValues values;
    KBoard board;
    KMove moves[K_MOVES_MAX];
    Move legal[MAX_MOVES];
    (void)fen;
    if (!values.most_quiet)
        kvalues_init(&values, 1);
    kboard_from_position(&board, pos, &values);
    const int count = kboard_moves(&board, &values, moves);
    const int legal_count = movegen_legal(pos, STAGE_ALL, legal);
    View view = {0, kboard_is_attacked(&board, kboard_king(&board)), true};
    for (int i = 0; i < count; i++)
        view.moves += kboard_core_move(pos, moves[i], legal, legal_count) != MOVE_NONE;
    return view;
}

// Those with a board of their own.
static const struct {
    const char *name;
    View (*view)(const Position *pos, const char *fen);
} BOARDS[] = {{"naive", view_naive},
              {"textbook-g", view_g},
              {"textbook-m", view_m},
              {"textbook-t", view_t},
              {"twodepth", view_k}};

static void compare_boards(const PlayerKind *kind, const Position *pos, Seen *seen)
{
    Move moves[MAX_MOVES];
    char fen[FEN_SIZE];
    const int count = movegen_legal(pos, STAGE_ALL, moves);
    bool can_castle = false;
    int minor = 0; // promotions to something else than a queen
    for (int i = 0; i < count; i++) {
        can_castle |= move_is_castle(moves[i]);
        minor += move_is_promotion(moves[i]) && move_promotion(moves[i]) != QUEEN;
    }
    for (size_t b = 0; b < sizeof BOARDS / sizeof *BOARDS; b++) {
        if (strcmp(kind->name, BOARDS[b].name))
            continue;
        position_to_fen(pos, FEN_XFEN, fen);
        const View own = BOARDS[b].view(pos, fen);
        if (own.moves != count - (own.only_queens ? minor : 0))
            fail_msg("%s: %d moves, not %d, in %s", kind->name, own.moves, count, fen);
        if (own.in_check != position_in_check(pos))
            fail_msg("%s: check is seen wrongly in %s", kind->name, fen);
        seen->compared++;
        seen->could_castle += can_castle;
    }
}

// ---- Games ----

static void count_move(Seen *seen, Move move)
{
    seen->moves++;
    seen->castlings += move_is_castle(move);
    seen->promotions += move_is_promotion(move);
    seen->en_passants += move_kind(move) == KIND_EN_PASSANT;
}

static void count_end(Seen *seen, Outcome end)
{
    seen->games++;
    seen->draws += end.result == RESULT_DRAW;
    seen->unfinished += end.result == RESULT_NONE;
    seen->mates += end.reason == REASON_CHECKMATE || end.reason == REASON_ALL_CAPTURED ||
                   end.reason == REASON_NO_CAPTURE;
}

static void play_game(Player *player, const Rules *rules, uint64_t seed, Seen *seen)
{
    static GameStep steps[PLIES_MAX];
    Position start;
    Game game;
    Error error;
    SearchLimits limits = search_limits_none();
    limits.depth = depth_of(player->spec.kind);
    random_walk(&start, rules, seed, rules->must_capture ? 8 : 2 + (int)(seed % 12));
    game_init(&game, &start, steps, PLIES_MAX);
    assert_int_equal(player_new_game(player, rules, seed, &error), FAULT_NONE);
    Outcome end;
    while ((end = game_outcome(&game)).result == RESULT_NONE && game.count < PLIES_MAX) {
        PlayerMove answer;
        compare_boards(player->spec.kind, &game.now, seen);
        player_choose(player, &game, &limits, &answer);
        if (answer.fault != FAULT_NONE)
            fail_msg("%s: %s", player->spec.kind->name, answer.detail);
        assert_true(move_is_pseudo_legal(&game.now, answer.move) &&
                    move_is_legal(&game.now, answer.move));
        count_move(seen, answer.move);
        assert_true(game_play(&game, answer.move, &error));
    }
    compare_boards(player->spec.kind, &game.now, seen);
    count_end(seen, end);
}

static Seen play_games(const PlayerKind *kind, const Rules *rules, int games)
{
    Seen seen = {0};
    Error error;
    PlayerSpec spec = {.kind = kind, .limits = player_limits_none()};
    Player *player = player_new(&spec, &error);
    assert_non_null(player);
    for (int i = 0; i < games; i++)
        play_game(player, rules, (uint64_t)i, &seen);
    player_free(player);
    print_message(
        "# %s, %s: %d games, %d mates, %d draws, %d cut, %d castlings, %d promotions, "
        "%d en passant, %llu moves; own board: %llu positions compared, in %llu castling\n",
        kind->name, rules->name, seen.games, seen.mates, seen.draws, seen.unfinished,
        seen.castlings, seen.promotions, seen.en_passants, (unsigned long long)seen.moves,
        (unsigned long long)seen.compared, (unsigned long long)seen.could_castle);
    return seen;
}

static int game_count(void)
{
    return test_level() == TEST_LONG ? 1000 : test_level() == TEST_QUICK ? 2 : 50;
}

static void test_chess(void **state)
{
    (void)state;
    int castlings = 0, promotions = 0, en_passants = 0;
    for (const PlayerKind *kind = AGENT_KINDS; kind->name; kind++) {
        if (!is_complete(kind))
            continue;
        const Seen seen = play_games(kind, &VARIANTS[VARIANT_CHESS], game_count());
        assert_int_equal(seen.games, game_count());
        castlings += seen.castlings;
        promotions += seen.promotions;
        en_passants += seen.en_passants;
        if (seen.games < 50)
            continue;
        assert_true(seen.mates > 0 && seen.draws > 0);
        assert_true(seen.games < 1000 || seen.promotions > 0);
        assert_true(!seen.compared || seen.could_castle > 0);
        assert_true(seen.unfinished * 10 < seen.games);
    }
    if (game_count() >= 50)
        assert_true(castlings > 0 && promotions > 0 && en_passants > 0);
}

static void test_variants(void **state)
{
    (void)state;
    for (const PlayerKind *kind = AGENT_KINDS; kind->name; kind++)
        for (int v = VARIANT_CHESS + 1; v < VARIANT_COUNT; v++)
            if (is_complete(kind) && (!kind->plays || kind->plays(&VARIANTS[v])))
                play_games(kind, &VARIANTS[v], 1 + game_count() / 25);
}

// Where one special move is clearly the best, every agent plays it.
static void test_special_moves(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *move;
        bool is_mate;
    } CASES[] = {
        {"4R3/8/8/8/8/1P1k4/1P6/R3K3 w Q - 0 1", "e1c1", true}, // castling mates, Rd1 does not
        {"r3k3/1p6/1p1K4/8/8/8/8/4r3 b q - 0 1", "e8c8", true},
        {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", false},
        {"k7/8/8/8/8/8/p6K/8 b - - 0 1", "a2a1q", false},
        {"7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", false},
        {"7k/8/8/8/3pP3/8/8/K7 b - e3 0 1", "d4e3", false},
        {"7k/8/5K2/p5Q1/8/8/8/8 w - - 0 1", "g5g7", true},
    };
    for (const PlayerKind *kind = AGENT_KINDS; kind->name; kind++) {
        if (!is_complete(kind))
            continue;
        PlayerSpec spec = {.kind = kind, .limits = player_limits_none()};
        Player *player = player_new(&spec, NULL);
        for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
            Position pos;
            Game game;
            PlayerMove answer;
            SearchLimits limits = search_limits_none();
            if (CASES[i].is_mate && !sees_mate(kind))
                continue;
            chess_from_fen(&pos, CASES[i].fen);
            game_init(&game, &pos, NULL, 0);
            limits.depth = 2;
            assert_int_equal(player_new_game(player, pos.rules, 1, NULL), FAULT_NONE);
            player_choose(player, &game, &limits, &answer);
            assert_int_equal(answer.fault, FAULT_NONE);
            assert_uci(&pos, answer.move, CASES[i].move);
        }
        player_free(player);
    }
}

// ---- Limits ----

enum { SOON_MS = 5000 }; // on a busy machine; to their depth they would think for hours

static Player *player_in_game(const PlayerKind *kind, Game *game)
{
    static Position pos;
    PlayerSpec spec = {.kind = kind, .limits = player_limits_none()};
    Player *player = player_new(&spec, NULL);
    chess_from_fen(&pos, KNOWN_PERFT[1].fen);
    game_init(game, &pos, NULL, 0);
    assert_int_equal(player_new_game(player, pos.rules, 1, NULL), FAULT_NONE);
    return player;
}

static void *set_flag(void *flag)
{
    clock_sleep_ms(30);
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

// Nobody waits for an agent that is told to stop in the middle of a search.
static void test_stop(void **state)
{
    (void)state;
    for (const PlayerKind *kind = AGENT_KINDS; kind->name; kind++) {
        if (!is_complete(kind))
            continue;
        Game game;
        PlayerMove answer;
        pthread_t thread;
        atomic_bool stop = false;
        SearchLimits limits = search_limits_none();
        Player *player = player_in_game(kind, &game);
        player->stop = &stop;
        limits.depth = 30;
        const int64_t start = clock_ms();
        assert_int_equal(pthread_create(&thread, NULL, set_flag, &stop), 0);
        player_choose(player, &game, &limits, &answer);
        assert_int_equal(answer.fault, FAULT_STALL);
        assert_true(clock_ms() - start < SOON_MS);
        pthread_join(thread, NULL);
        player_free(player);
    }
}

// With a time for the move, and no other limit, each has a legal move in time.
static void test_move_time(void **state)
{
    (void)state;
    for (const PlayerKind *kind = AGENT_KINDS; kind->name; kind++) {
        if (!is_complete(kind))
            continue;
        Game game;
        PlayerMove answer;
        SearchLimits limits = search_limits_none();
        Player *player = player_in_game(kind, &game);
        limits.move_time_ms = 60;
        player_choose(player, &game, &limits, &answer);
        assert_int_equal(answer.fault, FAULT_NONE);
        assert_true(move_is_legal(&game.now, answer.move));
        assert_true(answer.time_ns < SOON_MS * 1000000ll);
        player_free(player);
    }
}

int main(void)
{
    bitboard_init();
    g_tables = g_tables_new();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special_moves), cmocka_unit_test(test_stop),
        cmocka_unit_test(test_move_time), cmocka_unit_test(test_chess),
        cmocka_unit_test(test_variants)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(g_tables);
    return failed;
}
