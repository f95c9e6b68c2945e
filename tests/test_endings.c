// The engine with endgame tables: wins won positions along the shortest way, holds drawn ones,
// keeps within the fifty-move rule, counts its probes; and is as before without tables.
#include "tables_help.h"

#include "core/game.h"
#include "engine/engine.h"
#include "tables/make.h"
#include "tables/probe.h"

static Engine *engine_with_tables(void)
{
    char folders[FOLDERS_SIZE];
    Error error = {0};
    syzygy_folders_or_skip(folders);
    EngineOptions options = engine_default_options();
    options.hash_mb = 4;
    Engine *engine = engine_new(&options, &error);
    if (!engine || !engine_load_tables(engine, folders, &error))
        fail_msg("%s", error.text);
    return engine;
}

static int distance_of(Engine *engine, const Position *pos)
{
    Error error = {0};
    int dtz = 0;
    if (!tables_distance(engine_tables(engine), pos, &dtz, &error))
        fail_msg("%s", error.text);
    return dtz;
}

static SearchResult think(Engine *engine, const Game *game, uint64_t nodes)
{
    SearchResult result;
    Move moves[400];
    for (int i = 0; i < game->count; i++)
        moves[i] = game->steps[i].move;
    assert_true(engine_set_position(engine, &game->start, moves, game->count, NULL));
    SearchLimits limits = search_limits_none();
    limits.nodes = nodes;
    engine_think(engine, &limits, NULL, NULL, &result);
    return result;
}

// The answer that delays a lost game most.
static Move best_defence(Engine *engine, const Position *pos)
{
    PositionVerdict v;
    Error error = {0};
    if (!tables_judge(engine_tables(engine), pos, &v, &error))
        fail_msg("%s", error.text);
    return v.moves[0].move;
}

static void fail_at(const Game *game, const char *what)
{
    char fen[FEN_SIZE];
    position_to_fen(&game->start, FEN_XFEN, fen);
    fail_msg("%s: %s after %d half-moves", fen, what, game->count);
}

// Plays a won position to mate against the best defence: every stretch up to a capture or mate must
// take no longer than the table says.
static void win_game(Engine *engine, const Position *start, uint64_t nodes)
{
    GameStep steps[400];
    Game game;
    game_init(&game, start, steps, 400);
    Color winner = start->side;
    int left = distance_of(engine, start) | 1; // it is the winner who ends a stretch
    while (game_outcome(&game).result == RESULT_NONE) {
        Move m = game.now.side == winner ? think(engine, &game, nodes).best
                                         : best_defence(engine, &game.now);
        bool is_capture = move_is_capture(m);
        if (!game_play(&game, m, NULL))
            fail_at(&game, "the game is too long");
        if (is_capture && game_outcome(&game).result == RESULT_NONE)
            left = (abs(distance_of(engine, &game.now)) + 1) & ~1;
        else if (!is_capture && --left < 0)
            fail_at(&game, "not the shortest way");
    }
    Outcome outcome = game_outcome(&game);
    if (outcome.result != (winner == WHITE ? RESULT_WHITE : RESULT_BLACK))
        fail_at(&game, reason_text(outcome.reason));
}

static int game_count(void)
{
    return test_level() == TEST_QUICK ? 3 : test_level() == TEST_LONG ? 1000 : 40;
}

static void test_wins(void **state)
{
    (void)state;
    static const char *const MEN[] = {"KBNvK", "KQvKR", "KRvK", "KQvK"};
    Engine *engine = engine_with_tables();
    Random random;
    random_init(&random, 1);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < game_count();) {
            Position pos;
            int wdl;
            random_position(&random, MEN[k], &pos);
            assert_true(tables_result(engine_tables(engine), &pos, &wdl, NULL));
            if (wdl != TABLE_WIN)
                continue;
            win_game(engine, &pos, 300);
            i++;
        }
    engine_free(engine);
}

// A drawn position stays drawn, whatever the other side (here the table's best move) tries.
static void hold_game(Engine *engine, const Position *start, Random *random)
{
    GameStep steps[120];
    Game game;
    game_init(&game, start, steps, 120);
    for (int ply = 0; ply < 100 && game_outcome(&game).result == RESULT_NONE; ply++) {
        Move m;
        if (ply % 2 == 0) {
            m = think(engine, &game, 300).best;
        } else {
            PositionVerdict v;
            assert_true(tables_judge(engine_tables(engine), &game.now, &v, NULL));
            int best = 0;
            while (best < v.count && v.moves[best].verdict.wdl == v.moves[0].verdict.wdl)
                best++;
            m = v.moves[random_below(random, (uint64_t)best)].move;
        }
        assert_true(game_play(&game, m, NULL));
        int wdl;
        if (!tables_result(engine_tables(engine), &game.now, &wdl, NULL) || wdl)
            fail_at(&game, "no longer drawn");
    }
}

static void test_draws(void **state)
{
    (void)state;
    static const char *const MEN[] = {"KRvKB", "KRvKN", "KPvK",  "KQvKP", "KRvKP",
                                      "KPvKP", "KBNvK", "KQvKR", "KRvK"};
    Engine *engine = engine_with_tables();
    Random random;
    random_init(&random, 2);
    for (size_t k = 0; k < sizeof MEN / sizeof *MEN; k++)
        for (int i = 0; i < game_count() / 2 + 1;) {
            Position pos;
            int wdl;
            random_position(&random, MEN[k], &pos);
            assert_true(tables_result(engine_tables(engine), &pos, &wdl, NULL));
            if (wdl || position_outcome(&pos).result != RESULT_NONE)
                continue;
            hold_game(engine, &pos, &random);
            i++;
        }
    engine_free(engine);
}

static void set_fen(Engine *engine, const char *fen)
{
    Position pos;
    Error error = {0};
    if (!position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], fen, &error))
        fail_msg("%s: %s", fen, error.text);
    assert_true(engine_set_position(engine, &pos, NULL, 0, NULL));
}

typedef struct Seen {
    uint64_t hits;
    int score;
} Seen;

static void see(void *context, const Position *root, const SearchInfo *info)
{
    Seen *seen = context;
    (void)root;
    if (info->kind == INFO_LINE && info->multi_pv == 1)
        *seen = (Seen){info->table_hits, info->score};
}

static Seen search(Engine *engine, const char *fen, int depth)
{
    Seen seen = {0};
    SearchResult result;
    SearchLimits limits = search_limits_none();
    set_fen(engine, fen);
    limits.depth = depth;
    engine_think(engine, &limits, see, &seen, &result);
    return seen;
}

// Five men, of which no table is there: the search finds the way into one of four.
#define INTO_TABLES "8/8/8/3k4/8/3n4/4P3/3RK3 w - - 0 1"

static void test_scores(void **state)
{
    (void)state;
    Engine *engine = engine_with_tables();
    Seen seen = search(engine, INTO_TABLES, 6);
    assert_true(seen.hits > 0);
    assert_true(score_is_win(seen.score));
    assert_in_range(score_shown(SCORE_TABLE_WIN), 20000, 20000);
    assert_int_equal(score_shown(3 - SCORE_TABLE_WIN), 3 - 20000);
    seen = search(engine, "8/8/8/8/4k3/8/3QK3/3r4 b - - 0 1", 4); // at the root: queen for rook
    assert_true(seen.hits > 0);
    seen = search(engine, "8/8/8/3k4/8/8/4B3/3NK3 w - - 0 1", 3);
    assert_true(seen.score == SCORE_TABLE_WIN);
    // No more men than the limit, and none at all.
    EngineOptions options = *engine_options(engine);
    options.table_men = 3;
    assert_true(engine_set_options(engine, &options, NULL));
    seen = search(engine, "8/8/8/3k4/8/8/4B3/3NK3 w - - 0 1", 3);
    assert_true(!score_is_decisive(seen.score));
    options.table_men = 0;
    assert_true(engine_set_options(engine, &options, NULL));
    assert_int_equal(search(engine, INTO_TABLES, 6).hits, 0);
    options.table_men = 8;
    assert_false(engine_set_options(engine, &options, NULL));
    options.table_men = 7;
    options.table_depth = 0;
    assert_false(engine_set_options(engine, &options, NULL));
    engine_free(engine);
}

// With so many half-moves counted the win comes too late, unless the rule is switched off.
static void test_fifty_moves(void **state)
{
    (void)state;
    Engine *engine = engine_with_tables();
    const char *fen = "8/8/8/3k4/8/8/4B3/3NK3 w - - 60 80";
    Seen seen = search(engine, fen, 3);
    assert_true(!score_is_decisive(seen.score) && seen.score > 0);
    EngineOptions options = *engine_options(engine);
    options.table_fifty_rule = false;
    assert_true(engine_set_options(engine, &options, NULL));
    assert_true(search(engine, fen, 3).score == SCORE_TABLE_WIN);
    engine_free(engine);
}

// Tables without anything to say leave the search as it is.
static void test_unchanged(void **state)
{
    (void)state;
    Engine *with = engine_with_tables(), *without = NULL;
    EngineOptions options = *engine_options(with);
    without = engine_new(&options, NULL);
    SearchLimits limits = search_limits_none();
    limits.depth = 9;
    SearchResult a, b;
    engine_think(with, &limits, NULL, NULL, &a);
    engine_think(without, &limits, NULL, NULL, &b);
    assert_int_equal(a.nodes, b.nodes);
    assert_int_equal(a.best, b.best);
    Error error = {0};
    assert_false(engine_load_tables(with, "/no/such/folder", &error));
    assert_true(error.text[0]);
    assert_non_null(engine_tables(with)); // the former ones stay
    assert_true(engine_load_tables(with, "", NULL));
    assert_int_equal(tables_men(engine_tables(with), &VARIANTS[VARIANT_CHESS]), 0);
    engine_free(with);
    engine_free(without);
}

// Several threads and lines: every line is one of the table's, best first.
static void test_lines(void **state)
{
    (void)state;
    Engine *engine = engine_with_tables();
    EngineOptions options = *engine_options(engine);
    options.threads = 2;
    options.multi_pv = 3;
    assert_true(engine_set_options(engine, &options, NULL));
    Seen seen = search(engine, "4k3/8/4K3/8/8/8/4P3/8 w - - 0 1", 5);
    assert_int_equal(seen.score, SCORE_TABLE_WIN);
    engine_free(engine);
}

// --- our own tables, which every machine can make ----------------------------------------------

// Makes the table of an ending, and those it needs, in a folder.
static void make_table(const char *folder, const Rules *rules, const char *name)
{
    Material material;
    MakeSummary summary;
    Error error = {0};
    assert_true(material_read(&material, rules, name, &error));
    MakeConfig config = {
        .folder = folder, .rules = rules, .list = &material, .count = 1, .threads = 1};
    if (!tables_make(&config, &summary, &error))
        fail_msg("%s: %s", name, error.text);
}

// The last line that a search told.
typedef struct Told {
    int score, count;
    Move line[MAX_PLY + 2];
} Told;

static void keep_line(void *context, const Position *root, const SearchInfo *info)
{
    Told *told = context;
    (void)root;
    if (info->kind != INFO_LINE || info->multi_pv != 1)
        return;
    told->score = info->score;
    told->count = info->pv_count;
    memcpy(told->line, info->pv, (size_t)info->pv_count * sizeof(Move));
}

// The mate that is told for a position is the table's, to the half-move, and so is its line.
static void announce(Engine *engine, const Position *pos, int end)
{
    GameStep steps[MAX_PLY + 2];
    Told told = {0};
    SearchResult result;
    SearchLimits limits = search_limits_none();
    Game game;
    limits.depth = 2;
    assert_true(engine_set_position(engine, pos, NULL, 0, NULL));
    engine_think(engine, &limits, keep_line, &told, &result);
    game_init(&game, pos, steps, MAX_PLY + 2);
    int score = end > 0 ? score_mate_in(end) : score_mated_in(-end);
    if (told.score != score || result.score != score)
        fail_at(&game, "another mate than the table's is told");
    assert_int_equal(told.count, abs(end));
    assert_int_equal(told.line[0], result.best);
    assert_int_equal(result.ponder, told.count > 1 ? told.line[1] : MOVE_NONE);
    for (int i = 0; i < told.count; i++)
        assert_true(game_play(&game, told.line[i], NULL));
    Outcome outcome = game_outcome(&game);
    if (outcome.result != ((end > 0) == (pos->side == WHITE) ? RESULT_WHITE : RESULT_BLACK))
        fail_at(&game, "the line does not end with mate");
}

// Both sides play by the tables: mate comes when the table says, though a pawn or a piece may have
// gone another way to the next capture or pawn move.
static void mate_in_time(Engine *engine, const Position *start, int end)
{
    GameStep steps[400];
    Game game;
    game_init(&game, start, steps, 400);
    while (game_outcome(&game).result == RESULT_NONE)
        assert_true(game_play(&game, think(engine, &game, 300).best, NULL));
    if (game.count != abs(end) || game_outcome(&game).reason != REASON_CHECKMATE)
        fail_at(&game, "no mate, or not when the table says");
}

// With our own tables alone, in chess and in Legan: every mate is known to the half-move.
static void test_own_tables(void **state)
{
    (void)state;
    char folder[] = "/tmp/lovac-endings-XXXXXX", command[128];
    static const struct {
        int game;
        const char *name, *men;
        TestLevel level;
    } ROWS[] = {{VARIANT_CHESS, "KRK", "KRvK", TEST_QUICK},
                {VARIANT_LEGAN, "KRK", "KRvK", TEST_QUICK},
                {VARIANT_CHESS, "KPK", "KPvK", TEST_QUICK},
                {VARIANT_CHESS, "KBNK", "KBNvK", TEST_LONG},
                {VARIANT_CHESS, "KQKR", "KQvKR", TEST_LONG}};
    assert_non_null(mkdtemp(folder));
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++)
        if (ROWS[k].level <= test_level())
            make_table(folder, &VARIANTS[ROWS[k].game], ROWS[k].name);
    Engine *engine = engine_new(NULL, NULL);
    assert_true(engine_load_own_tables(engine, folder, NULL));
    Random random;
    random_init(&random, 3);
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++)
        for (int i = 0; ROWS[k].level <= test_level() && i < game_count() / 2 + 1;) {
            Position pos;
            PositionVerdict v;
            random_position(&random, ROWS[k].men, &pos);
            pos.rules = &VARIANTS[ROWS[k].game];
            assert_true(tables_judge(engine_tables(engine), &pos, &v, NULL));
            if (abs(v.verdict.wdl) != TABLE_WIN || !v.count)
                continue;
            assert_true(v.verdict.has_end);
            assert_int_equal(v.moves[0].verdict.end, v.verdict.end); // the best comes first
            announce(engine, &pos, v.verdict.end);
            mate_in_time(engine, &pos, v.verdict.end);
            i++;
        }
    assert_int_equal(tables_men(engine_tables(engine), &VARIANTS[VARIANT_HORDE32]), 0);
    engine_free(engine);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wins),       cmocka_unit_test(test_draws),
        cmocka_unit_test(test_scores),     cmocka_unit_test(test_fifty_moves),
        cmocka_unit_test(test_unchanged),  cmocka_unit_test(test_lines),
        cmocka_unit_test(test_own_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
