// Document K's player and its league: the board against core's, the quick network against the plain
// one, alpha-beta against minimax, proper ends, the formulas, and a small league that comes out the
// same on any number of threads and after it was stopped.
#include <math.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/file.h"
#include "core/bitboard.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "lab/agents/network.h"
#include "lab/agents/twodepth.h"
#include "lab/datagen.h"
#include "lab/league.h"
#include "lab/teach.h"
#include "test_data.h"

static const BrainShape SHAPE = {.inputs = 64,
                                 .middle = 12,
                                 .outputs = 1,
                                 .groups = 1,
                                 .group_sizes = {3},
                                 .fan = 6,
                                 .has_functions = true};

static Brain *random_brain(uint64_t seed)
{
    Random random;
    random_init(&random, seed);
    Brain *brain = brain_new(&SHAPE, &random);
    assert_non_null(brain);
    brain_randomise(brain, 0.4, &random);
    return brain;
}

static bool is_underpromotion(Move move)
{
    return move_is_promotion(move) && move_promotion(move) != QUEEN;
}

// Captures alone are those among all moves, in their order; of the others as many as are told, and
// none of them gains more than is told but by a promotion.
static void compare_captures(const KBoard *board, const KValues *values, const KMove *all,
                             int count)
{
    KMove captures[K_MOVES_MAX];
    int quiet, taking = 0;
    const int capture_count = kboard_captures(board, values, captures, &quiet);
    for (int i = 0; i < count; i++)
        if (all[i].taken)
            assert_memory_equal(&all[i], &captures[taking++], sizeof *all);
        else
            assert_true(all[i].kind == K_PROMOTION || all[i].gain <= values->most_quiet);
    assert_int_equal(taking, capture_count);
    assert_int_equal(count - taking, quiet);
}

// Every legal move of core is one of the board's, and the board after it is core's.
static void compare_boards(const Position *pos, const KValues *values)
{
    Move legal[MAX_MOVES];
    KMove moves[K_MOVES_MAX];
    KBoard board;
    kboard_from_position(&board, pos, values);
    const int legal_count = movegen_legal(pos, STAGE_ALL, legal);
    const int count = kboard_moves(&board, values, moves);
    compare_captures(&board, values, moves, count);
    int wanted = 0, found = 0;
    for (int i = 0; i < legal_count; i++)
        wanted += !is_underpromotion(legal[i]);
    for (int i = 0; i < count; i++) {
        const Move move = kboard_core_move(pos, moves[i], legal, legal_count);
        if (!move)
            continue;
        Position next = *pos;
        Undo undo;
        KBoard after, expected;
        position_make(&next, move, &undo);
        kboard_make(&board, moves[i], &after);
        kboard_from_position(&expected, &next, values);
        assert_memory_equal(after.men, expected.men, 64);
        assert_int_equal(after.own, expected.own);
        assert_int_equal(after.other, expected.other);
        assert_int_equal(after.pawns, expected.pawns);
        assert_int_equal(after.base, expected.base);
        assert_int_equal(after.castling, expected.castling);
        if (expected.en_passant != NO_SQUARE) // core leaves out what nobody can take
            assert_int_equal(after.en_passant, expected.en_passant);
        found++;
    }
    assert_int_equal(found, wanted);
}

static void test_board(void **state)
{
    (void)state;
    static const char *const FENS[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"};
    KValues values;
    Random random;
    kvalues_init(&values, 1);
    random_init(&random, 4);
    for (int f = 0; f < 4; f++)
        for (int game = 0; game < 20; game++) {
            Position pos;
            assert_true(position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], FENS[f], NULL));
            for (int ply = 0; ply < 60; ply++) {
                Move legal[MAX_MOVES];
                Undo undo;
                compare_boards(&pos, &values);
                const int count = movegen_legal(&pos, STAGE_ALL, legal);
                if (!count)
                    break;
                position_make(&pos, legal[random_below(&random, (uint64_t)count)], &undo);
            }
        }
}

static void test_fast_brain(void **state)
{
    (void)state;
    Random random;
    random_init(&random, 8);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Brain *brain = random_brain(seed);
        BrainFast *fast = brain_fast_new(brain, true, NULL);
        BrainMemory memory = {0};
        assert_non_null(fast);
        for (int i = 0; i < 20; i++) {
            int8_t men[64];
            for (int s = 0; s < 64; s++) {
                men[s] = (int8_t)(random_below(&random, 2) ? random_below(&random, 13) - 6 : 0);
                brain_set_input(brain, s, men[s]);
            }
            brain_update_still(brain);
            assert_true(fabs(brain_fast_value(fast, men, &memory, 0) - brain_output(brain, 0)) <
                        2e-3);
            brain_update(brain);
            brain_fast_step(fast, men, &memory);
        }
        assert_true(fabsf(brain_fast_bound(fast, 0)) <= 1);
        brain_fast_free(fast);
        brain_free(brain);
    }
    // What cannot matter does not change the mark.
    Brain *brain = random_brain(1);
    BrainFast *fast = brain_fast_new(brain, true, NULL);
    const uint64_t mark = brain_fast_mark(fast);
    brain_fast_free(fast);
    for (int i = 0; i < brain->nodes[brain->middle].count; i++)
        if (brain->nodes[brain->middle].links[i].source == brain_first_middle(brain))
            brain->nodes[brain->middle].links[i].weight = 0;
    fast = brain_fast_new(brain, true, NULL);
    assert_true(brain_fast_mark(fast) != mark);
    brain_fast_free(fast);
    brain_free(brain);
}

// The same game as plain minimax plays it: cutting and sorting change nothing but the nodes.
static void test_alpha_beta(void **state)
{
    (void)state;
    const int deepest = test_level() == TEST_QUICK ? 2 : 3;
    uint64_t nodes[3] = {0};
    for (int depth = 1; depth <= deepest; depth++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            Brain *brain = random_brain(seed + 1);
            BrainFast *fast = seed ? brain_fast_new(brain, true, NULL) : NULL;
            TwoDepth ways[3];
            GameStep steps[40];
            Position start;
            Game game;
            Random random;
            random_init(&random, seed);
            for (int w = 0; w < 3; w++) {
                ways[w] = twodepth_default();
                ways[w].normal = depth;
                ways[w].deep = depth + 2;
                ways[w].is_plain = w == 0;
                ways[w].is_sorted = w == 2;
                for (int p = 0; p < TWODEPTH_PHASES; p++)
                    ways[w].brains[p] = fast;
            }
            assert_true(position_start(&start, &VARIANTS[VARIANT_CHESS], 0, NULL));
            game_init(&game, &start, steps, 40);
            while (game.count < (depth == 3 ? 12 : 40) &&
                   game_outcome(&game).result == RESULT_NONE) {
                TwoDepthChoice choices[3];
                for (int w = 0; w < 3; w++) {
                    TwoDepthMemory memory;
                    twodepth_recall(&ways[w], &game, &memory);
                    twodepth_choose(&ways[w], &game, &memory, NULL, &choices[w]);
                    nodes[w] += choices[w].nodes;
                }
                assert_int_equal(choices[0].move, choices[1].move);
                assert_int_equal(choices[0].move, choices[2].move);
                assert_true(choices[0].score == choices[1].score);
                assert_true(choices[0].score == choices[2].score);
                Move legal[MAX_MOVES], move = choices[0].move;
                const int count = movegen_legal(&game.now, STAGE_ALL, legal);
                if (game.count %
                    2) // the other side moves by chance, so that there is something to take
                    move = legal[random_below(&random, (uint64_t)count)];
                assert_true(game_play(&game, move, NULL));
            }
            brain_fast_free(fast);
            brain_free(brain);
        }
    assert_true(nodes[1] < nodes[0] && nodes[2] < nodes[1]);
}

static Move choice_in(const char *fen, const TwoDepth *how, float *score)
{
    Position pos;
    GameStep steps[1];
    Game game;
    TwoDepthMemory memory = {0};
    TwoDepthChoice choice;
    assert_true(position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], fen, NULL));
    game_init(&game, &pos, steps, 1);
    twodepth_choose(how, &game, &memory, NULL, &choice);
    *score = choice.score;
    return choice.move;
}

static void test_ends(void **state)
{
    (void)state;
    // Qb6 is stalemate. Taking kings is all the document's player knows, so that it looks like a
    // win.
    const char *stale = "k7/8/8/1Q6/8/8/8/7K w - - 0 1", *mate = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    TwoDepth how = twodepth_default();
    float score;
    how.normal = how.deep = 3;
    choice_in(stale, &how, &score);
    assert_true(score == TWODEPTH_WIN);
    how.proper_ends = true;
    choice_in(stale, &how, &score);
    assert_true(score > 8 && score < 10);
    const Move move = choice_in(mate, &how, &score);
    assert_int_equal(move_to(move), square_make(6, 6)); // Qg7
    assert_true(score > 0.9f * TWODEPTH_WIN);
}

// With few men the search goes deeper, where that is asked for.
static void test_growth(void **state)
{
    (void)state;
    TwoDepth how = twodepth_default();
    Position pos;
    GameStep steps[1];
    Game game;
    TwoDepthMemory memory = {0};
    TwoDepthChoice choice;
    how.normal = 1;
    how.deep = 2;
    how.grows = true;
    assert_true(
        position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], "k7/8/8/1Q6/8/8/8/7K w - - 0 1", NULL));
    game_init(&game, &pos, steps, 1);
    twodepth_choose(&how, &game, &memory, NULL, &choice);
    assert_int_equal(choice.depth, 5);
}

// A second output above 1/2 throws quiet moves away before they are searched.
static void test_discard(void **state)
{
    (void)state;
    double numbers[] = {0, 64, 2, 0, 0, 0, 0, 0, 0}; // no middle nodes, biases 0 and 0
    Dna dna = {numbers, 9};
    uint64_t nodes[2];
    for (int discards = 0; discards < 2; discards++) {
        numbers[7] = discards; // tanh 1 is above 1/2
        Brain *brain = brain_from_dna(&dna, NULL);
        BrainFast *fast = brain_fast_new(brain, true, NULL);
        TwoDepth how = twodepth_default();
        Position pos;
        GameStep steps[1];
        Game game;
        TwoDepthMemory memory = {0};
        TwoDepthChoice choice;
        how.normal = how.deep = 3;
        for (int p = 0; p < TWODEPTH_PHASES; p++)
            how.brains[p] = fast;
        assert_true(position_start(&pos, &VARIANTS[VARIANT_CHESS], 0, NULL));
        game_init(&game, &pos, steps, 1);
        twodepth_choose(&how, &game, &memory, NULL, &choice);
        nodes[discards] = choice.nodes;
        brain_fast_free(fast);
        brain_free(brain);
    }
    assert_true(nodes[1] < nodes[0] / 2);
}

static void test_formulas(void **state)
{
    (void)state;
    const double fitness[4] = {1, 3, 2, 5}, equal[3] = {2, 2, 2};
    double weights[4];
    league_weights(fitness, 4, weights);
    assert_float_equal(weights[0], 0.1, 1e-12);
    assert_float_equal(weights[1], 0.1 + 0.9 * 0.25, 1e-12);
    assert_float_equal(weights[2], 0.1 + 0.9 * 0.0625, 1e-12);
    assert_float_equal(weights[3], 1, 1e-12);
    league_weights(equal, 3, weights);
    assert_float_equal(weights[1], 1, 1e-12);
    LeagueResult win = {.result = RESULT_WHITE, .plies = 80, .material = 3};
    assert_float_equal(league_fitness(&win, WHITE), 0.92, 1e-9);
    assert_float_equal(league_fitness(&win, BLACK), 0.08, 1e-9);
    LeagueResult draw = {.result = RESULT_DRAW, .plies = 80, .material = 3};
    assert_float_equal(league_fitness(&draw, WHITE), 0.5 + 0.05 * tanh(3), 1e-9);
    assert_float_equal(league_fitness(&draw, BLACK), 0.5 - 0.05 * tanh(3), 1e-9);
    // The document's final points and the line through them.
    const double final[10] = {4, 9, 4.5, 10, 12.5, 11.5, 4, 13, 9.5, 12};
    double slope, intercept, correlation;
    league_line(final, 10, &slope, &intercept, &correlation);
    assert_float_equal(slope, 0.6, 0.005);
    assert_float_equal(intercept, 5.7, 0.01);
    assert_float_equal(correlation, 0.51, 0.01);
    // Population 1 never changes, 2 for 50 generations, the last for all 450.
    LeagueConfig config = league_default();
    assert_false(league_is_bred(&config, 0, 1));
    assert_true(league_is_bred(&config, 1, 50) && !league_is_bred(&config, 1, 51));
    assert_true(league_is_bred(&config, 9, 450));
}

// ---- A small league ----

static LeagueConfig small_league(const char *folder)
{
    LeagueConfig config = league_default();
    config.folder = folder;
    config.populations = 3;
    config.individuals = 3;
    config.generations = test_level() == TEST_QUICK ? 3 : 5;
    config.freeze_every = 2;
    config.style.how.normal = 1;
    config.style.how.deep = 2;
    config.plies_max = 60;
    config.mutation.weight_share = 0.3;
    config.seed = 7;
    return config;
}

static char *read_dna_text(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return file_read(path, 1 << 24, NULL, NULL);
}

static void assert_same(const char *a, const char *b, const char *name)
{
    char *first = read_dna_text(a, name), *second = read_dna_text(b, name);
    assert_non_null(first);
    assert_non_null(second);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static atomic_bool STOP; // set by stop_soon

static void stop_soon(void *context, const LeagueStatus *status)
{
    int *left = context;
    (void)status;
    if (--*left == 0)
        atomic_store(&STOP, true);
}

static void test_league(void **state)
{
    (void)state;
    char a[] = "/tmp/lovac-league-XXXXXX", b[] = "/tmp/lovac-league-XXXXXX",
         c[] = "/tmp/lovac-league-XXXXXX", command[256];
    assert_non_null(mkdtemp(a));
    assert_non_null(mkdtemp(b));
    assert_non_null(mkdtemp(c));
    Error error = {0};
    LeagueStatus status;
    LeagueConfig config = small_league(a);
    config.workers = 1;
    if (!league_run(&config, NULL, NULL, &status, &error))
        fail_msg("%s", error.text);
    assert_true(status.is_over && status.games_total > 0 && status.games_known > 0);
    double sum = 0;
    for (int p = 0; p < 3; p++)
        sum += status.points[p];
    assert_float_equal(sum, 6, 1e-9); // 6 games between champions
    config.folder = b;
    config.workers = 2;
    assert_true(league_run(&config, NULL, NULL, &status, &error));
    // Stopped again and again, after more and more games.
    config.folder = c;
    config.stop = &STOP;
    int runs = 0;
    for (bool is_over = false; !is_over; runs++) {
        int left = 6 + 7 * runs;
        atomic_store(&STOP, false);
        assert_true(league_run(&config, stop_soon, &left, &status, &error));
        is_over = status.is_over;
        assert_true(runs < 50);
    }
    assert_true(runs > 1);
    char last[32];
    snprintf(last, sizeof last, "champion-%03d.dna", config.generations);
    const char *const NAMES[] = {"champion-001.dna", "champion-003.dna", last, "population-01.dna",
                                 "population-03.dna"};
    for (int i = 0; i < 5; i++) {
        assert_same(a, b, NAMES[i]);
        assert_same(a, c, NAMES[i]);
    }
    char *base = read_dna_text(a, "population-01.dna"), *bred = read_dna_text(a, NAMES[4]);
    assert_string_not_equal(base, bred);
    free(base);
    free(bred);
    // Another league does not go on in the folder.
    config.stop = NULL;
    config.seed++;
    assert_false(league_run(&config, NULL, NULL, &status, &error));
    assert_non_null(strstr(error.text, "'seed 7', not 'seed 8'"));
    snprintf(command, sizeof command, "rm -rf %s %s %s", a, b, c);
    assert_int_equal(system(command), 0);
}

// Weights of the hand-written evaluation can be bred too.
static void test_hand_league(void **state)
{
    (void)state;
    char folder[] = "/tmp/lovac-league-XXXXXX", command[128];
    assert_non_null(mkdtemp(folder));
    Error error = {0};
    LeagueStatus status;
    LeagueConfig config = small_league(folder);
    config.generations = 2;
    config.plies_max = 30;
    config.style.genome = GENOME_HAND;
    if (!league_run(&config, NULL, NULL, &status, &error))
        fail_msg("%s", error.text);
    Dna dna;
    Weight weights[TERM_COUNT];
    char path[64];
    int changed = 0;
    snprintf(path, sizeof path, "%s/population-01.dna", folder);
    assert_true(dna_read(&dna, path, &error));
    assert_true(twodepth_hand_from_dna(&dna, weights, &error));
    const HandSetup *setup = hand_setup(&VARIANTS[VARIANT_CHESS]);
    assert_memory_equal(weights, setup->weights[WHITE], sizeof weights); // frozen from the start
    dna_release(&dna);
    snprintf(path, sizeof path, "%s/population-03.dna", folder);
    assert_true(dna_read(&dna, path, &error));
    assert_true(twodepth_hand_from_dna(&dna, weights, &error));
    for (int t = 0; t < TERM_COUNT; t++)
        changed += weights[t] != setup->weights[WHITE][t];
    print_message("# %d of %d weights changed\n", changed, TERM_COUNT);
    dna_release(&dna);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

// What the full network says is what it was taught.
static void test_full_language(void **state)
{
    (void)state;
    Position pos;
    assert_true(position_from_fen(
        &pos, &VARIANTS[VARIANT_CHESS],
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", NULL));
    Move legal[MAX_MOVES];
    const int count = movegen_legal(&pos, STAGE_ALL, legal);
    assert_true(count > 30);
    for (int i = 0; i < count; i++)
        for (int outputs = FULLNET_PARTS; outputs <= FULLNET_SQUARES; outputs *= 32) {
            double targets[FULLNET_SQUARES];
            fullnet_targets(&pos, legal[i], outputs, targets);
            assert_int_equal(fullnet_named_move(&pos, outputs, targets), legal[i]);
            assert_int_equal(fullnet_nearest_move(&pos, outputs, targets), legal[i]);
        }
    const double nonsense[4] = {0.05, 0.05, 0.66, 0.05}, outside[4] = {-0.1, 0.05, 0.05, 0.05};
    assert_int_equal(fullnet_named_move(&pos, 4, nonsense), MOVE_NONE);
    assert_int_equal(fullnet_named_move(&pos, 4, outside), MOVE_NONE);
    assert_true(fullnet_nearest_move(&pos, 4, nonsense) != MOVE_NONE);
}

static void keep_last(void *context, const TeachReport *report)
{
    TeachReport *reports = context;
    reports[report->epoch > 0] = *report;
}

// A few positions are learned by heart; on other games that helps little.
static void test_teach(void **state)
{
    (void)state;
    char folder[] = "/tmp/lovac-teach-XXXXXX", path[64], command[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.games", folder);
    DatagenConfig games = datagen_default();
    DatagenStatus made;
    games.path = path;
    games.nodes = games.recipe.nodes = 40;
    games.games = 40;
    games.hash_mb = 1;
    assert_true(datagen_run(&games, NULL, NULL, &made, NULL));
    const char *const paths[] = {path};
    TeachConfig config = teach_default();
    TeachReport reports[2];
    Dna dna;
    Error error = {0};
    config.paths = paths;
    config.path_count = 1;
    config.positions = 20;
    config.middle = 40;
    config.epochs = test_level() == TEST_QUICK ? 200 : 600;
    config.rate = 0.03;
    config.squares = true;
    if (!teach_run(&config, NULL, keep_last, reports, &dna, &error))
        fail_msg("%s", error.text);
    assert_true(reports[1].taught.loss < reports[0].taught.loss / 3);
    assert_true(reports[1].taught.same > 0.6 && reports[0].taught.same < 0.3);
    assert_int_equal(dna.at[2], FULLNET_SQUARES);
    dna_release(&dna);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_board),       cmocka_unit_test(test_fast_brain),
        cmocka_unit_test(test_alpha_beta),  cmocka_unit_test(test_ends),
        cmocka_unit_test(test_growth),      cmocka_unit_test(test_discard),
        cmocka_unit_test(test_formulas),    cmocka_unit_test(test_league),
        cmocka_unit_test(test_hand_league), cmocka_unit_test(test_full_language),
        cmocka_unit_test(test_teach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
