// The search: finds mates and tells the truth about them, obeys its limits, is the same twice,
// survives rubbish.
#include "test_data.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "core/epd.h"
#include "core/fen.h"
#include "core/game.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "engine/engine_int.h"
#include "engine/node.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct LastLine {
    Move pv[MAX_PLY + 2];
    int count, score, lines, depth;
    Bound bound;
} LastLine;

static void remember(void *context, const Position *root, const SearchInfo *info)
{
    LastLine *last = context;
    (void)root;
    if (info->kind != INFO_LINE)
        return;
    last->lines++;
    if (info->multi_pv != 1)
        return;
    memcpy(last->pv, info->pv, (size_t)info->pv_count * sizeof(Move));
    last->count = info->pv_count;
    last->score = info->score;
    last->bound = info->bound;
    last->depth = info->depth;
}

static Engine *new_engine(int threads, int hash_mb)
{
    EngineOptions options = engine_default_options();
    options.threads = threads;
    options.hash_mb = hash_mb;
    Engine *engine = engine_new(&options, NULL);
    assert_non_null(engine);
    return engine;
}

static Position position_of(int variant, const char *fen)
{
    Position pos;
    Error error;
    if (!position_from_fen(&pos, &VARIANTS[variant], fen, &error))
        fail_msg("%s: %s", fen, error.text);
    return pos;
}

static SearchResult think(Engine *engine, const Position *pos, const SearchLimits *limits,
                          LastLine *last)
{
    SearchResult result;
    assert_true(engine_set_position(engine, pos, NULL, 0, NULL));
    engine_think(engine, limits, last ? remember : NULL, last, &result);
    return result;
}

static SearchLimits nodes_limit(uint64_t nodes)
{
    SearchLimits limits = search_limits_none();
    limits.nodes = nodes;
    return limits;
}

// Plays a line and tells whether it is legal and ends in mate.
static bool line_mates(const Position *root, const Move *moves, int count)
{
    Position pos = *root;
    for (int i = 0; i < count; i++) {
        Undo undo;
        if (!move_is_pseudo_legal(&pos, moves[i]) || !move_is_legal(&pos, moves[i]))
            return false;
        position_make(&pos, moves[i], &undo);
    }
    return position_in_check(&pos) && !movegen_any(&pos);
}

static void test_mates(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int moves; // full moves to mate, negative when the side to move is mated
    } MATES[] = {
        {"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1},
        {"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2},
        {"r2q1r1k/2p1b1pp/p1n5/1p1Q1bN1/4n3/1BP1B3/PP3PPP/R4RK1 w - - 0 1", 2},
        {"8/8/8/8/8/5K2/6Q1/7k b - - 0 1", 0},
        {"7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2},
        {"k7/8/1K6/8/8/8/8/7R w - - 0 1", 1},
        {"k7/7R/1K6/8/8/8/8/8 b - - 0 1", -1},
    };
    Engine *engine = new_engine(1, 4);
    for (unsigned i = 0; i < sizeof MATES / sizeof *MATES; i++) {
        Position pos = position_of(VARIANT_CHESS, MATES[i].fen);
        LastLine last = {0};
        SearchLimits limits = nodes_limit(1000000);
        limits.depth = 20;
        engine_new_game(engine, NULL);
        SearchResult result = think(engine, &pos, &limits, &last);
        if (!result.best) {
            assert_int_equal(MATES[i].moves, 0);
            continue;
        }
        assert_true(score_is_mate(result.score));
        // A mate that is a move or two longer is a mate too; a shorter one would be a lie.
        int moves = score_mate_moves(result.score);
        assert_true(moves * MATES[i].moves > 0 && abs(moves) >= abs(MATES[i].moves));
        assert_true(abs(moves) <= abs(MATES[i].moves) + 2);
        int plies = moves > 0 ? 2 * moves - 1 : -2 * moves;
        assert_int_equal(last.count, plies);
        assert_true(line_mates(&pos, last.pv, last.count));
    }
    engine_free(engine);
}

static void test_best_moves(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *best;
    } GOOD[] = {
        {"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7"},
        {"8/8/8/8/1p6/1k6/1P6/1K6 b - - 0 1", NULL},
        {"4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5"},
        {"7k/8/8/8/8/8/1q6/K7 w - - 0 1", "a1b2"},
    };
    Engine *engine = new_engine(1, 4);
    for (unsigned i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        Position pos = position_of(VARIANT_CHESS, GOOD[i].fen);
        SearchLimits limits = nodes_limit(5000);
        SearchResult result = think(engine, &pos, &limits, NULL);
        char text[MOVE_TEXT_SIZE];
        assert_int_not_equal(result.best, MOVE_NONE);
        move_to_uci(&pos, result.best, false, text);
        if (GOOD[i].best)
            assert_string_equal(text, GOOD[i].best);
    }
    engine_free(engine);
}

// The nodes that a position of our files may take: as many as given, or by those that it once took.
static uint64_t nodes_allowed(const Epd *epd, uint64_t given)
{
    const EpdOperation *once = epd_find(epd, "acn");
    return once ? 3 * strtoull(once->operands.text, NULL, 10) + 1000 : given;
}

// How many positions of a file of ours have their best move found (and how many there are). A new
// game for each: no position helps another.
static int solve_file(const char *name, uint64_t nodes, int step, int *count)
{
    char path[TEST_PATH_SIZE], line[512];
    int solved = 0, seen = 0;
    test_own_path(name, path);
    FILE *file = fopen(path, "r");
    Engine *engine = new_engine(1, 4);
    *count = 0;
    while (fgets(line, sizeof line, file)) {
        Epd epd;
        Move best[8];
        if (*line == '#' || seen++ % step)
            continue;
        assert_true(epd_read(&epd, &VARIANTS[VARIANT_CHESS], line, strlen(line), NULL));
        int moves = epd_moves(&epd, "bm", best, 8, NULL);
        assert_true(moves > 0);
        SearchLimits limits = nodes_limit(nodes_allowed(&epd, nodes));
        assert_true(engine_new_game(engine, NULL));
        Move found = think(engine, &epd.pos, &limits, NULL).best;
        bool is_solved = false;
        for (int i = 0; i < moves; i++)
            is_solved |= best[i] == found;
        if (!is_solved)
            print_message("# not found: %s", line);
        solved += is_solved;
        ++*count;
    }
    fclose(file);
    engine_free(engine);
    print_message("# %s: %d of %d\n", name, solved, *count);
    return solved;
}

static int file_step(void)
{
#ifdef NDEBUG
    return test_level() == TEST_QUICK ? 2 : 1;
#else
    return test_level() == TEST_QUICK ? 8 : 2;
#endif
}

// Wins of material that a shallow search does not see.
static void test_own_tactics(void **state)
{
    (void)state;
    int count, solved = solve_file("tactics.epd", 0, file_step(), &count);
    assert_true(count > 2 && solved * 100 >= 90 * count);
}

// Endings with one right move, where passing would be best: nothing may be cut off that needs
// somebody to move.
static void test_own_endings(void **state)
{
    (void)state;
    int count, solved = solve_file("endings.epd", 20000, file_step(), &count);
    assert_true(count > 2 && solved * 100 >= 92 * count);
}

// Pawns that run, some of them with the other side's king behind: who comes first, and by how much,
// is seen at depth 12, but not by a search that leaves moves out where a side has only pawns.
static void test_pawn_races(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int least; // for the side that wins
        bool is_ours;
    } WON[] = {
        {"8/4k2K/8/PP6/8/2pp4/8/8 w - - 0 1", 1000, false},
        {"8/8/k1P5/4P1pp/8/6K1/8/8 b - - 0 1", 1000, true},
        {"7k/8/1P3P2/8/6K1/2p2p2/8/8 w - - 0 1", 3000, true},
    };
    enum { COUNT = sizeof WON / sizeof *WON };
    Engine *engine = new_engine(1, 4);
    SearchLimits limits = search_limits_none();
    int seen = 0;
    limits.depth = 12;
    for (int i = 0; i < COUNT; i++) {
        Position pos = position_of(VARIANT_CHESS, WON[i].fen);
        engine_new_game(engine, NULL);
        int score = think(engine, &pos, &limits, NULL).score;
        seen += (WON[i].is_ours ? score : -score) >= WON[i].least;
        print_message("# %s: %d\n", WON[i].fen, score);
    }
    engine_free(engine);
    assert_int_equal(seen, COUNT);
}

// The same search gives the same nodes, score and move; twice after a new game, and in the
// background.
typedef struct Box {
    SearchResult result;
    int count;
} Box;

static void put_in_box(void *context, const Position *root, const SearchResult *result)
{
    Box *box = context;
    (void)root;
    box->result = *result;
    box->count++;
}

static void test_same_twice(void **state)
{
    (void)state;
    Engine *engine = new_engine(1, 2);
    Position pos = position_of(
        VARIANT_CHESS, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    int limits_tried = (test_level() == TEST_QUICK) ? 5 : 20;
    for (int i = 1; i <= limits_tried; i++) {
        SearchLimits limits = nodes_limit((uint64_t)(i * i * 97));
        Box box = {0};
        engine_new_game(engine, NULL);
        SearchResult a = think(engine, &pos, &limits, NULL);
        engine_new_game(engine, NULL);
        SearchResult b = think(engine, &pos, &limits, NULL);
        engine_new_game(engine, NULL);
        assert_true(engine_set_position(engine, &pos, NULL, 0, NULL));
        assert_true(engine_go(engine, &limits, NULL, put_in_box, &box, NULL));
        engine_wait(engine);
        assert_int_equal(box.count, 1);
        assert_int_equal(a.nodes, b.nodes);
        assert_int_equal(a.best, b.best);
        assert_int_equal(a.score, b.score);
        assert_int_equal(a.nodes, box.result.nodes);
        assert_int_equal(a.best, box.result.best);
        assert_true(a.nodes <= limits.nodes + 1);
    }
    engine_free(engine);
}

static void test_limits(void **state)
{
    (void)state;
    Engine *engine = new_engine(1, 2);
    Position pos = position_of(VARIANT_CHESS, VARIANTS[VARIANT_CHESS].start_fen);
    SearchLimits limits = search_limits_none();
    limits.depth = 5;
    assert_int_equal(think(engine, &pos, &limits, NULL).depth, 5);

    limits = search_limits_none();
    limits.move_time_ms = 60;
    int64_t start = clock_ms();
    think(engine, &pos, &limits, NULL);
    assert_true(clock_ms() - start >= 40);

    limits = search_limits_none();
    limits.soft_nodes = 2000;
    SearchResult soft = think(engine, &pos, &limits, NULL);
    assert_true(soft.nodes >= 2000);

    // With next to no time there is still a legal move.
    for (int64_t time = 1; time <= 30; time += 29) {
        limits = search_limits_none();
        limits.time_ms[WHITE] = limits.time_ms[BLACK] = time;
        Move best = think(engine, &pos, &limits, NULL).best;
        assert_true(best && move_is_pseudo_legal(&pos, best) && move_is_legal(&pos, best));
    }

    // Only the moves asked for.
    Move only = move_from_uci(&pos, "a2a3", NULL);
    limits = nodes_limit(3000);
    limits.search_moves = &only;
    limits.search_move_count = 1;
    assert_int_equal(think(engine, &pos, &limits, NULL).best, only);

    // mate: stops as soon as such a mate is known. (What was learned above depends on the clock.)
    assert_true(engine_new_game(engine, NULL));
    Position mate =
        position_of(VARIANT_CHESS, "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1");
    limits = search_limits_none();
    limits.mate = 2;
    limits.nodes = 10000000;
    SearchResult found = think(engine, &mate, &limits, NULL);
    assert_int_equal(score_mate_moves(found.score), 2);
    assert_true(found.nodes < 1000000);
    engine_free(engine);
}

static void test_repetition_and_fifty(void **state)
{
    (void)state;
    Engine *engine = new_engine(1, 2);
    // A queen behind, but a perpetual check is there.
    Position pos = position_of(VARIANT_CHESS, "7k/6pp/8/8/8/1q6/r7/2Q4K w - - 0 1");
    SearchLimits limits = nodes_limit((test_level() == TEST_QUICK) ? 20000 : 100000);
    SearchResult result = think(engine, &pos, &limits, NULL);
    assert_int_not_equal(result.best, MOVE_NONE);

    // The fiftieth move is near: a win that needs longer is a draw.
    Position near = position_of(VARIANT_CHESS, "8/8/8/3k4/8/8/8/KR6 w - - 98 80");
    result = think(engine, &near, &limits, NULL);
    assert_true(abs(result.score) <= 5);

    // Mate on the hundredth half-move still wins.
    Position last = position_of(VARIANT_CHESS, "k7/8/1K6/8/8/8/8/7R w - - 99 80");
    result = think(engine, &last, &limits, NULL);
    assert_int_equal(score_mate_moves(result.score), 1);

    // A position that has stood twice: going back there is a draw, and the side that is ahead
    // avoids it.
    Position start = position_of(VARIANT_CHESS, "7k/8/8/8/8/8/4Q3/K7 w - - 0 1");
    Position now = start;
    Move moves[6];
    static const char *const PLAYED[] = {"e2d2", "h8g8", "d2e2", "g8h8", "e2d2", "h8g8"};
    for (int i = 0; i < 6; i++) {
        Undo undo;
        moves[i] = move_from_uci(&now, PLAYED[i], NULL);
        assert_int_not_equal(moves[i], MOVE_NONE);
        position_make(&now, moves[i], &undo);
    }
    assert_true(engine_set_position(engine, &start, moves, 6, NULL));
    engine_think(engine, &limits, NULL, NULL, &result);
    assert_true(result.score > 300);
    assert_int_not_equal(result.best, move_from_uci(&now, "d2e2", NULL));
    engine_free(engine);
}

static void test_multi_pv(void **state)
{
    (void)state;
    EngineOptions options = engine_default_options();
    options.multi_pv = 256;
    options.hash_mb = 2;
    Engine *engine = engine_new(&options, NULL);
    Position pos =
        position_of(VARIANT_CHESS, "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    SearchLimits limits = search_limits_none();
    LastLine last = {0};
    limits.depth = 1;
    think(engine, &pos, &limits, &last);
    assert_int_equal(last.lines, 218);
    engine_free(engine);
}

enum { LINES = 5 };

typedef struct Lines {
    Move first[LINES];
    int depth[LINES];
} Lines;

static void note_lines(void *context, const Position *root, const SearchInfo *info)
{
    Lines *lines = context;
    (void)root;
    if (info->kind != INFO_LINE)
        return;
    lines->first[info->multi_pv - 1] = info->pv[0];
    lines->depth[info->multi_pv - 1] = info->depth;
}

// Several lines begin with different moves, the best first, and all are searched to the end.
static void test_lines_differ(void **state)
{
    (void)state;
    EngineOptions options = engine_default_options();
    options.multi_pv = LINES;
    options.hash_mb = 2;
    Engine *engine = engine_new(&options, NULL);
    Position pos = position_of(VARIANT_CHESS, "4k3/8/8/3q4/2P1P3/8/8/4K3 w - - 0 1");
    SearchLimits limits = search_limits_none();
    SearchResult result;
    Lines lines = {.depth = {0}};
    limits.depth = 6;
    assert_true(engine_set_position(engine, &pos, NULL, 0, NULL));
    engine_think(engine, &limits, note_lines, &lines, &result);
    assert_int_equal(lines.first[0], result.best);
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(lines.depth[i], limits.depth);
        for (int j = 0; j < i; j++)
            assert_int_not_equal(lines.first[i], lines.first[j]);
    }
    engine_free(engine);
}

// A hash table full of random bytes must not lead to anything but other numbers.
static void test_random_hash(void **state)
{
    (void)state;
    Engine *engine = new_engine(1, 1);
    HashTable *table = engine_hash(engine);
    uint64_t seed = 7;
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        for (size_t i = 0; i + 8 <= table->bytes; i += 8) {
            uint64_t bits = random_split(&seed);
            memcpy((char *)table->clusters + i, &bits, 8);
        }
        Position pos = position_of(variant, VARIANTS[variant].start_fen);
        SearchLimits limits = nodes_limit((test_level() == TEST_QUICK) ? 3000 : 20000);
        SearchResult result = think(engine, &pos, &limits, NULL);
        assert_true(result.best && move_is_pseudo_legal(&pos, result.best) &&
                    move_is_legal(&pos, result.best));
        assert_true(result.score <= SCORE_MATE && result.score >= -SCORE_MATE);
    }
    engine_free(engine);
}

// Whole games of every variant, by a few nodes a move: always a legal move, and an end.
static void test_games(void **state)
{
    (void)state;
    enum { ROOM = 600 };
    GameStep *steps = malloc(ROOM * sizeof *steps);
    Engine *engine = new_engine(1, 1);
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        Position start = position_of(variant, VARIANTS[variant].start_fen);
        Game game;
        Move moves[ROOM];
        game_init(&game, &start, steps, ROOM);
        engine_new_game(engine, NULL);
        int most = (test_level() == TEST_QUICK) ? 30 : ROOM - 1;
        while (game.count < most && game_outcome(&game).result == RESULT_NONE) {
            SearchLimits limits = nodes_limit(150);
            SearchResult result;
            assert_true(engine_set_position(engine, &start, moves, game.count, NULL));
            engine_think(engine, &limits, NULL, NULL, &result);
            assert_int_not_equal(result.best, MOVE_NONE);
            moves[game.count] = result.best;
            assert_true(game_play(&game, result.best, NULL));
        }
        if (VARIANTS[variant].must_capture && !(test_level() == TEST_QUICK))
            assert_int_not_equal(game_outcome(&game).result, RESULT_NONE);
    }
    engine_free(engine);
    free(steps);
}

// Endings that a player must win are won: mate before the fifty moves are over, both sides
// thinking.
static void test_won_endings(void **state)
{
    (void)state;
    static const char *const FENS[] = {
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",  "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
        "8/8/8/3k4/8/8/8/KBB5 w - - 0 1", "8/8/3k4/8/8/3KBN2/8/8 w - - 0 1",
        "7k/8/8/8/8/8/8/KNB5 b - - 0 1",  "8/8/8/3k4/8/4n3/8/3bK3 b - - 0 1",
    };
    enum { ROOM = 240 };
    int count = (int)(sizeof FENS / sizeof *FENS);
    GameStep *steps = malloc(ROOM * sizeof *steps);
    Engine *engine = new_engine(1, 16);
    if (test_level() == TEST_QUICK)
        count = 2;
    for (int i = 0; i < count; i++) {
        Position start = position_of(VARIANT_CHESS, FENS[i]);
        Game game;
        Move moves[ROOM];
        game_init(&game, &start, steps, ROOM);
        engine_new_game(engine, NULL);
        while (game.count < ROOM && game_outcome(&game).result == RESULT_NONE) {
            SearchLimits limits = nodes_limit(i < 2 ? 5000 : 20000);
            SearchResult result;
            assert_true(engine_set_position(engine, &start, moves, game.count, NULL));
            engine_think(engine, &limits, NULL, NULL, &result);
            moves[game.count] = result.best;
            assert_true(game_play(&game, result.best, NULL));
        }
        print_message("# %s: %d half-moves\n", FENS[i], game.count);
        Outcome outcome = game_outcome(&game);
        assert_int_equal(outcome.result, (i == 5) ? RESULT_BLACK : RESULT_WHITE);
    }
    engine_free(engine);
    free(steps);
}

// Many threads on a tiny table, stopped at odd moments; exactly one best move for each go.
static void test_threads(void **state)
{
    (void)state;
    Engine *engine = new_engine(4, 1);
    Position pos = position_of(VARIANT_CHESS, VARIANTS[VARIANT_CHESS].start_fen);
    int rounds = (test_level() == TEST_QUICK) ? 3 : 15;
    for (int i = 0; i < rounds; i++) {
        Box box = {0};
        SearchLimits limits = search_limits_none();
        Error error;
        limits.infinite = true;
        assert_true(engine_set_position(engine, &pos, NULL, 0, NULL));
        assert_true(engine_go(engine, &limits, NULL, put_in_box, &box, NULL));
        assert_false(engine_go(engine, &limits, NULL, put_in_box, &box, &error));
        assert_false(engine_set_position(engine, &pos, NULL, 0, &error));
        assert_false(engine_new_game(engine, &error));
        assert_true(engine_is_thinking(engine));
        clock_sleep_ms(i % 5 * 7);
        engine_stop(engine);
        engine_stop(engine);
        engine_wait(engine);
        assert_int_equal(box.count, 1);
        assert_true(box.result.best && move_is_legal(&pos, box.result.best));
    }
    engine_free(engine);
}

// What is fetched from the hash table ahead of a move is what will be asked for after it: the count
// of fifty moves is part of the key.
static void test_key_after(void **state)
{
    (void)state;
    Random random;
    random_init(&random, 7);
    int late = 0;
    Position pos = position_of(
        VARIANT_CHESS, "r2q1rk1/1b2bppp/p1np1n2/1p2p3/4P3/1BN1BN2/PPP2PPP/R2Q1RK1 w - - 3 12");
    for (int ply = 0; ply < 400; ply++) {
        Move moves[MAX_MOVES];
        Undo undo;
        int count = movegen_legal(&pos, STAGE_ALL, moves);
        if (!count)
            break;
        for (int i = 0; i < count; i++) {
            Key expected = node_key_after(&pos, moves[i]);
            position_make(&pos, moves[i], &undo);
            // New rights to castle and to take in passing are left out: too seldom to pay.
            if (pos.state.en_passant == NO_SQUARE && move_kind(moves[i]) != KIND_EN_PASSANT) {
                assert_int_equal(node_key(&pos), expected);
                late += pos.state.fifty >= 14;
            }
            position_unmake(&pos, moves[i], &undo);
        }
        Move quiet = moves[random_below(&random, (uint64_t)count)];
        for (int i = 0; i < count; i++) // wander about without progress, mostly
            if (move_kind(quiet) != KIND_QUIET || piece_type(pos.board[move_from(quiet)]) == PAWN)
                quiet = moves[i];
        position_make(&pos, quiet, &undo);
    }
    assert_true(late > 100);
}

// The threads of this process, as the system counts them.
static int count_tasks(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; tasks && (entry = readdir(tasks));)
        count += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count;
}

// A thread that was joined may still be on its way out.
static int count_tasks_down_to(int wanted)
{
    for (int i = 0; i < 200 && count_tasks() > wanted; i++)
        clock_sleep_ms(5);
    return count_tasks();
}

static void note_task(void *context, const Position *root, const SearchResult *result)
{
    (void)root, (void)result;
    *(long *)context = syscall(SYS_gettid);
}

// Threads are made once and sleep between searches; another number of them makes them anew, and
// none is left behind.
static void test_parked_threads(void **state)
{
    (void)state;
    const int before = count_tasks();
    SearchLimits limits = search_limits_none();
    limits.depth = 4;
    Engine *engine = new_engine(3, 1);
    SearchResult result;
    engine_think(engine, &limits, NULL, NULL, &result);
    assert_int_equal(count_tasks(), before);
    long first = 0, task = 0;
    for (int i = 0; i < 20; i++) {
        assert_true(engine_go(engine, &limits, NULL, note_task, i ? &task : &first, NULL));
        engine_wait(engine);
        assert_int_equal(i ? task : first, first);
        assert_int_equal(count_tasks(), before + 3);
    }
    EngineOptions options = *engine_options(engine);
    static const int COUNTS[] = {5, 2, 1};
    for (int i = 0; i < 3; i++) {
        options.threads = COUNTS[i];
        assert_true(engine_set_options(engine, &options, NULL));
        assert_int_equal(count_tasks_down_to(before), before);
        assert_true(engine_go(engine, &limits, NULL, note_task, &task, NULL));
        engine_wait(engine);
        assert_int_equal(count_tasks(), before + COUNTS[i]);
    }
    engine_free(engine);
    assert_int_equal(count_tasks_down_to(before), before);
}

// What a search with threads says: its lines, and its answer.
typedef struct Watched {
    LastLine last;
    Box box;
} Watched;

static void watch_line(void *context, const Position *root, const SearchInfo *info)
{
    remember(&((Watched *)context)->last, root, info);
}

static void watch_best(void *context, const Position *root, const SearchResult *result)
{
    put_in_box(&((Watched *)context)->box, root, result);
}

// Whichever thread reaches the depth first: the answer is of that depth, and the last line reported
// is the one that it plays. (That a helper may be the first: test_worker.)
static void test_depth_of_threads(void **state)
{
    (void)state;
    enum { DEPTH = 9 };
    static const char *const FENS[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 6",
    };
    const int rounds = test_level() == TEST_QUICK ? 2 : 10;
    Engine *engine = new_engine(4, 8);
    SearchLimits limits = search_limits_none();
    limits.depth = DEPTH;
    for (int i = 0; i < rounds * (int)(sizeof FENS / sizeof *FENS); i++) {
        const Position pos = position_of(VARIANT_CHESS, FENS[i % 4]);
        Watched watched = {.box.count = 0};
        const LastLine *last = &watched.last;
        engine_new_game(engine, NULL);
        assert_true(engine_set_position(engine, &pos, NULL, 0, NULL));
        assert_true(engine_go(engine, &limits, watch_line, watch_best, &watched, NULL));
        engine_wait(engine);
        const SearchResult result = watched.box.result;
        assert_int_equal(watched.box.count, 1);
        assert_int_equal(result.depth, DEPTH);
        assert_int_equal(last->depth, DEPTH);
        assert_int_equal(last->bound, BOUND_EXACT);
        assert_int_equal(last->score, result.score);
        assert_true(last->count > 0 && last->pv[0] == result.best);
    }
    engine_free(engine);
}

// Pondering answers only after the hit or stop.
static void test_ponder(void **state)
{
    (void)state;
    Engine *engine = new_engine(1, 1);
    Position pos = position_of(VARIANT_CHESS, "8/8/8/8/8/4k3/8/4K2r w - - 0 1"); // one legal move
    for (int i = 0; i < 2; i++) {
        Box box = {0};
        SearchLimits limits = search_limits_none();
        limits.time_ms[WHITE] = limits.time_ms[BLACK] = 50;
        limits.ponder = true;
        assert_true(engine_set_position(engine, &pos, NULL, 0, NULL));
        assert_true(engine_go(engine, &limits, NULL, put_in_box, &box, NULL));
        clock_sleep_ms(120);
        assert_true(engine_is_thinking(engine));
        if (i)
            engine_stop(engine);
        else
            engine_ponderhit(engine);
        engine_wait(engine);
        assert_int_equal(box.count, 1);
    }
    engine_free(engine);
}

// Bad options are refused and leave the old ones in force.
static void test_options(void **state)
{
    (void)state;
    Engine *engine = new_engine(1, 2);
    EngineOptions bad = *engine_options(engine);
    Error error;
    bad.hash_mb = HASH_MB_MAX; // a terabyte
    assert_false(engine_set_options(engine, &bad, &error));
    assert_int_equal(engine_options(engine)->hash_mb, 2);
    bad.hash_mb = 0;
    assert_false(engine_set_options(engine, &bad, &error));
    bad = *engine_options(engine);
    bad.threads = THREADS_MAX + 1;
    assert_false(engine_set_options(engine, &bad, &error));
    assert_int_equal(engine_options(engine)->threads, 1);
    EngineOptions good = *engine_options(engine);
    good.threads = 3;
    good.hash_mb = 3;
    assert_true(engine_set_options(engine, &good, &error));
    Position pos = position_of(VARIANT_CHESS, VARIANTS[VARIANT_CHESS].start_fen);
    Move illegal = move_make(0, 63, KIND_QUIET);
    assert_false(engine_set_position(engine, &pos, &illegal, 1, &error));
    assert_false(engine_load_net(engine, "/nonexistent/net.nnue", &error));
    SearchLimits limits = nodes_limit(1000);
    assert_int_not_equal(think(engine, &pos, &limits, NULL).best, MOVE_NONE);
    engine_free(engine);
}

// The weakest level plays legal moves, and not always the same.
static void test_weak_play(void **state)
{
    (void)state;
    EngineOptions options = engine_default_options();
    options.skill = 0;
    options.hash_mb = 1;
    Engine *engine = engine_new(&options, NULL);
    Position pos = position_of(VARIANT_CHESS, VARIANTS[VARIANT_CHESS].start_fen);
    SearchLimits at_once = nodes_limit(500);
    SearchResult unset; // a new engine has the start position
    engine_think(engine, &at_once, NULL, NULL, &unset);
    assert_true(unset.best && move_is_legal(&pos, unset.best));
    Move first = MOVE_NONE;
    bool differs = false;
    for (int i = 0; i < 20; i++) {
        SearchLimits limits = nodes_limit(2000);
        Move m = think(engine, &pos, &limits, NULL).best;
        assert_true(m && move_is_pseudo_legal(&pos, m) && move_is_legal(&pos, m));
        differs |= first && m != first;
        first = m;
    }
    assert_true(differs);
    engine_free(engine);
}

// The time of a search with so much on the clock, after so many half-moves to and fro.
static int64_t time_on_clock(Engine *engine, int plies, int64_t time_ms, GameMemory *memory)
{
    Position start = position_of(VARIANT_CHESS, VARIANTS[VARIANT_CHESS].start_fen);
    static const char *const MOVES[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    Move moves[32];
    Position pos = start;
    for (int i = 0; i < plies; i++) {
        Undo undo;
        moves[i] = move_from_uci(&pos, MOVES[i % 4], NULL);
        position_make(&pos, moves[i], &undo);
    }
    SearchLimits limits = search_limits_none();
    SearchResult result;
    limits.time_ms[WHITE] = limits.time_ms[BLACK] = time_ms;
    limits.memory = memory;
    assert_true(engine_set_position(engine, &start, moves, plies, NULL));
    engine_think(engine, &limits, NULL, NULL, &result);
    return result.time_ms;
}

// The clock of one game says nothing about the next, nor about one that the same engine plays
// beside it.
static void test_clock_of_another_game(void **state)
{
    (void)state;
    Engine *engine = new_engine(1, 1);
    time_on_clock(engine, 2, 9000, NULL);
    assert_true(engine_new_game(engine, NULL));
    assert_true(time_on_clock(engine, 4, 3000, NULL) > 15);
    GameMemory one = game_memory_none(), other = game_memory_none();
    time_on_clock(engine, 2, 9000, &one);
    assert_true(time_on_clock(engine, 4, 3000, &other) > 15);
    assert_int_equal(one.searches, 1);
    assert_int_equal(one.watch.time_ms, 9000);
    assert_int_equal(other.watch.ply, 4);
    engine_free(engine);
}

static void ignore_best(void *context, const Position *root, const SearchResult *result)
{
    (void)context;
    (void)root;
    (void)result;
}

static void ask_often(void *context)
{
    for (int i = 0; i < 20000; i++)
        engine_is_thinking(context);
}

// Another thread may ask at any time whether the engine thinks (for the thread sanitizer).
static void test_asked_from_elsewhere(void **state)
{
    (void)state;
    Engine *engine = new_engine(1, 1);
    Thread thread;
    SearchLimits limits = search_limits_none();
    limits.depth = 1;
    assert_true(thread_start(&thread, ask_often, engine, NULL));
    for (int i = 0; i < 50; i++) {
        assert_true(engine_go(engine, &limits, NULL, ignore_best, NULL, NULL));
        engine_wait(engine);
    }
    thread_join(&thread);
    engine_free(engine);
}

// Win, draw and loss make a whole, and better scores never win less.
static void test_wdl(void **state)
{
    (void)state;
    Position pos = position_of(VARIANT_CHESS, VARIANTS[VARIANT_CHESS].start_fen);
    int last = -1;
    for (int score = -SCORE_MATE; score <= SCORE_MATE; score += 37) {
        Wdl wdl = engine_wdl(&pos, score);
        assert_int_equal(wdl.win + wdl.draw + wdl.loss, 1000);
        assert_true(wdl.win >= last && wdl.draw >= 0);
        last = wdl.win;
    }
}

// What the search counts in tenths is told in full: the same order, and at most nine away.
static void test_bent_scores(void **state)
{
    (void)state;
    int last = score_bend(-SCORE_EVAL_LIMIT - 1);
    for (int x = -SCORE_EVAL_LIMIT; x <= SCORE_EVAL_LIMIT; x++) {
        int bent = score_bend(x), told = score_unbend(bent);
        assert_true(bent >= last && abs(bent) <= abs(x));
        assert_true(abs(told - x) < 10 && (abs(x) > BEND_FROM || told == x));
        last = bent;
    }
    assert_int_equal(score_unbend(score_mate_in(3)), score_mate_in(3));
    assert_int_equal(score_bend(BEND_FROM + 100), BEND_FROM + 10);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mates),
        cmocka_unit_test(test_best_moves),
        cmocka_unit_test(test_own_tactics),
        cmocka_unit_test(test_own_endings),
        cmocka_unit_test(test_pawn_races),
        cmocka_unit_test(test_same_twice),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_repetition_and_fifty),
        cmocka_unit_test(test_multi_pv),
        cmocka_unit_test(test_lines_differ),
        cmocka_unit_test(test_random_hash),
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_won_endings),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_key_after),
        cmocka_unit_test(test_parked_threads),
        cmocka_unit_test(test_depth_of_threads),
        cmocka_unit_test(test_ponder),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_weak_play),
        cmocka_unit_test(test_clock_of_another_game),
        cmocka_unit_test(test_asked_from_elsewhere),
        cmocka_unit_test(test_bent_scores),
        cmocka_unit_test(test_wdl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
