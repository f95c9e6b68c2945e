// The format of game data and self-play: round trips in every variant, damage, resuming to the
// byte.
#include "base/file.h"
#include "base/random.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "folder_help.h"
#include "lab/data_tools.h"
#include "lab/datagen.h"

// A random game with random scores, small and large.
static void make_game(const Rules *rules, Random *random, DataGame *game)
{
    uint64_t count = rules_start_count(rules);
    game->has_number = random_next(random) & 1;
    game->number = count ? random_below(random, count) : random_next(random);
    assert_true(position_start(&game->start, rules, game->number, NULL));
    game->opening = (int)random_below(random, 12);
    game->every = random_below(random, 2) ? (int)random_below(random, DATA_EVERY_MAX + 1) : 0;
    game->count = 0;
    Position pos = game->start;
    int length = (int)random_below(random, 300), score = 0;
    while (game->count < length) {
        Move list[MAX_MOVES];
        int n = movegen_legal(&pos, STAGE_ALL, list);
        if (!n)
            break;
        static const int SPREAD[4] = {3, 40, 300, 64000};
        int spread = SPREAD[random_below(random, 4)];
        score += (int)random_below(random, (uint64_t)spread) - spread / 2;
        score = score > 32000 ? 32000 : score < -32000 ? -32000 : score;
        game->scores[game->count] = (int16_t)score;
        game->moves[game->count] = list[random_below(random, (uint64_t)n)];
        Undo undo;
        position_make(&pos, game->moves[game->count++], &undo);
    }
    if (game->opening > game->count)
        game->opening = game->count;
    memset(game->scores, 0, (size_t)game->opening * sizeof *game->scores);
    game->result = (Result)random_below(random, 4);
    game->reason = (Reason)random_below(random, REASON_ABANDONED + 1);
}

static void test_round_trip(void **state)
{
    (void)state;
    Random random;
    random_init(&random, 1);
    DataGame *game = malloc(sizeof *game), *copy = malloc(sizeof *copy);
    uint8_t *bytes = malloc(DATA_GAME_SIZE);
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (int i = 0; i < 60; i++) {
            make_game(&VARIANTS[v], &random, game);
            size_t size = data_encode(game, bytes);
            assert_true(size <= DATA_GAME_SIZE);
            const uint8_t *at = bytes;
            Error error = {0};
            if (!data_decode(&at, bytes + size, &VARIANTS[v], copy, &error))
                fail_msg("%s: %s", VARIANTS[v].name, error.text);
            assert_ptr_equal(at, bytes + size);
            assert_int_equal(copy->count, game->count);
            assert_int_equal(copy->opening, game->opening);
            assert_int_equal(copy->every, game->every);
            assert_int_equal(copy->result, game->result);
            assert_int_equal(copy->reason, game->reason);
            assert_true(copy->start.state.key == game->start.state.key);
            assert_memory_equal(copy->moves, game->moves,
                                (size_t)game->count * sizeof *game->moves);
            assert_memory_equal(copy->scores, game->scores,
                                (size_t)game->count * sizeof *game->scores);
            // Cut anywhere it is refused, never misread beyond its end.
            for (size_t cut = 0; cut < size; cut += 1 + size / 40) {
                at = bytes;
                if (data_decode(&at, bytes + cut, &VARIANTS[v], copy, NULL))
                    assert_true(at <= bytes + cut);
            }
        }
    free(game);
    free(copy);
    free(bytes);
}

// Rubbish is refused or read as some legal game, without harm (the sanitizers watch).
static void test_rubbish(void **state)
{
    (void)state;
    Random random;
    random_init(&random, 2);
    DataGame *game = malloc(sizeof *game);
    for (int i = 0; i < 3000; i++) {
        uint8_t bytes[200];
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)random_next(&random);
        const uint8_t *at = bytes;
        data_decode(&at, bytes + sizeof bytes, &VARIANTS[random_below(&random, VARIANT_COUNT)],
                    game, NULL);
        assert_true(at <= bytes + sizeof bytes);
    }
    free(game);
}

static void write_file(const char *path, int games, Random *random)
{
    DataHeader header = {""};
    assert_true(data_header_add(&header, "variant", "chess") &&
                data_header_add(&header, "nodes", "5"));
    uint64_t had, plies;
    DataWriter *writer = data_writer_open(path, &header, false, &had, &plies, NULL);
    assert_non_null(writer);
    DataGame *game = malloc(sizeof *game);
    uint8_t *bytes = malloc(DATA_GAME_SIZE);
    for (int i = 0; i < games; i++) {
        make_game(&VARIANTS[VARIANT_CHESS], random, game);
        size_t size = data_encode(game, bytes);
        assert_true(data_writer_add(writer, bytes, size, game->count, NULL));
    }
    assert_true(data_writer_close(writer, false, NULL));
    free(game);
    free(bytes);
}

static DataSummary check(const char *path)
{
    DataSummary summary;
    Error error = {0};
    if (!data_check(path, NULL, NULL, NULL, &summary, &error))
        fail_msg("%s", error.text);
    return summary;
}

// Every flipped bit is found, and only the block it lies in is lost.
static void test_flips(void **state)
{
    (void)state;
    Random random;
    random_init(&random, 3);
    const char *path = folder_path("flip.games"), *other = folder_path("flipped.games");
    write_file(path, 200, &random);
    DataSummary whole = check(path);
    assert_int_equal(whole.games, 200);
    assert_int_equal(whole.damages, 0);
    assert_int_equal(whole.blocks, 4);
    size_t size;
    char *bytes = file_read(path, 1 << 24, &size, NULL);
    assert_non_null(bytes);
    for (int i = 0; i < 150; i++) {
        size_t at = random_below(&random, size);
        char bit = (char)(1 << random_below(&random, 8));
        bytes[at] ^= bit;
        assert_true(file_write(other, bytes, size, NULL));
        bytes[at] ^= bit;
        DataSummary summary;
        if (!data_check(other, NULL, NULL, NULL, &summary, NULL))
            continue; // the header
        assert_true(summary.damages > 0);
        assert_true(summary.games >= 200 - DATA_BLOCK_GAMES && summary.games < 200);
    }
    // Cut anywhere: what is whole before the cut stays.
    for (size_t cut = 200; cut < size; cut += size / 30) {
        assert_true(file_write(other, bytes, cut, NULL));
        assert_true(check(other).games % DATA_BLOCK_GAMES == 0);
    }
    free(bytes);
}

static bool collect(void *context, const DataGame *game)
{
    uint64_t *sum = context; // does not depend on the order
    *sum += game->start.state.key * (uint64_t)(game->count + 1) +
            (game->count ? (uint64_t)game->moves[0] * 7919 : 0);
    return true;
}

static uint64_t content(const char *path)
{
    uint64_t sum = 0, damages;
    assert_true(data_visit(path, NULL, collect, &sum, &damages, NULL));
    assert_int_equal(damages, 0);
    return sum;
}

static void test_mix(void **state)
{
    (void)state;
    Random random;
    random_init(&random, 4);
    const char *a = folder_path("a.games"), *b = folder_path("b.games"),
               *out = folder_path("out.games");
    write_file(a, 100, &random);
    write_file(b, 150, &random);
    const char *const paths[] = {a, b};
    uint64_t games, damages;
    DataMix mix = {.shuffled = true, .seed = 3};
    assert_true(data_mix(paths, 2, out, &mix, NULL, &games, &damages, NULL));
    assert_int_equal(games, 250);
    assert_true(content(out) == content(a) + content(b));
    assert_false(data_mix(paths, 2, out, &mix, NULL, &games, &damages, NULL)); // is there already
    unlink(out);
    mix = (DataMix){.limit = 40, .seed = 1};
    assert_true(data_mix(paths, 2, out, &mix, NULL, &games, &damages, NULL));
    assert_int_equal(check(out).games, 40);
    assert_int_equal(check(out).repeated, 0);
}

static DatagenConfig small_config(const char *path)
{
    DatagenConfig config = datagen_default();
    config.path = path;
    config.nodes = 60;
    config.recipe.nodes = 60;
    config.games = test_level() == TEST_QUICK ? 70 : 150;
    config.workers = 2;
    config.hash_mb = 1;
    return config;
}

// The same seed gives the same file, with one worker or three, in one go or killed and cut in
// between.
static void test_same_bytes(void **state)
{
    (void)state;
    DatagenStatus status;
    const char *whole = folder_path("whole.games"), *parts = folder_path("parts.games");
    DatagenConfig config = small_config(whole);
    assert_true(datagen_run(&config, NULL, NULL, &status, NULL));
    assert_int_equal(status.games, config.games);
    size_t size, other_size;
    char *bytes = file_read(whole, 1 << 24, &size, NULL);
    config.path = parts;
    config.workers = 3;
    config.positions = 1000; // stops early, again and again
    for (int i = 0; i < 3; i++) {
        assert_true(datagen_run(&config, NULL, NULL, &status, NULL));
        FILE *more = fopen(parts, "a"); // half a block, as a kill may leave it
        fputs("BLCK1234567", more);
        fclose(more);
    }
    config.positions = 0;
    assert_true(datagen_run(&config, NULL, NULL, &status, NULL));
    char *other = file_read(parts, 1 << 24, &other_size, NULL);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other, size);
    DataSummary summary = check(whole);
    assert_int_equal(summary.games, config.games);
    assert_int_equal(summary.damages, 0);
    assert_int_equal(summary.repeated, 0);
    // Another recipe is another file.
    config.nodes++;
    assert_false(datagen_run(&config, NULL, NULL, &status, NULL));
    free(bytes);
    free(other);
}

// One move in `every` has all nodes and is kept, the others are quick: searched again in the same
// order, every move comes to the same score.
static void test_quick_moves(void **state)
{
    (void)state;
    enum { EVERY = 6 };
    DatagenConfig config = small_config("");
    config.nodes = 900;
    config.every = EVERY;
    config.quick_nodes = 40;
    DatagenWorker *worker = datagen_worker_new("", 1, NULL),
                  *again = datagen_worker_new("", 1, NULL);
    DataGame *game = &worker->game;
    int full = 0, kept = 0, plies = 0;
    for (uint64_t number = 0; number < 3; number++) {
        datagen_play(&config, worker->engine, number, game);
        engine_new_game(again->engine, NULL);
        Position pos = game->start;
        for (int i = 0; i < game->count; i++) {
            SearchLimits limits = search_limits_none();
            SearchResult found;
            Undo undo;
            const bool is_full = data_is_full(game, i);
            limits.nodes = is_full ? config.nodes : config.quick_nodes;
            if (i >= game->opening) {
                engine_set_position(again->engine, &game->start, game->moves, i, NULL);
                engine_think(again->engine, &limits, NULL, NULL, &found);
                assert_int_equal(pos.side == WHITE ? found.score : -found.score, game->scores[i]);
                plies++;
                full += is_full;
                kept += data_is_kept(game, &pos, i);
                assert_true(is_full || !data_is_kept(game, &pos, i));
            }
            position_make(&pos, game->moves[i], &undo);
        }
    }
    assert_in_range(full * EVERY, plies - 3 * EVERY, plies + 3 * EVERY);
    assert_true(kept > 0);
    datagen_worker_free(worker);
    datagen_worker_free(again);
}

static void test_variants(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        char name[64];
        snprintf(name, sizeof name, "%s.games", VARIANTS[v].name);
        DatagenConfig config = small_config(folder_path(name));
        DatagenStatus status;
        config.rules = &VARIANTS[v];
        config.games = 6;
        config.nodes = 40;
        Error error = {0};
        if (!datagen_run(&config, NULL, NULL, &status, &error))
            fail_msg("%s: %s", VARIANTS[v].name, error.text);
        DataSummary summary = check(config.path);
        assert_int_equal(summary.games, 6);
        assert_int_equal(summary.damages, 0);
        assert_int_equal(summary.results[RESULT_NONE], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_rubbish),
        cmocka_unit_test(test_flips),      cmocka_unit_test(test_mix),
        cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_quick_moves),
        cmocka_unit_test(test_variants),
    };
    return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
