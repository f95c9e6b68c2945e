// What is done with games of self-play: parts for several machines, new scores for old games, and
// the model of win, draw and loss fitted to results.
#include "base/file.h"
#include "base/random.h"
#include "core/notation.h"
#include "folder_help.h"
#include "lab/data_tools.h"
#include "lab/datagen.h"
#include "lab/relabel.h"
#include "lab/wdl_fit.h"

enum { GAMES_MAX = 400 };

typedef struct Games {
    DataGame *games;
    int count;
} Games;

static bool keep_game(void *context, const DataGame *game)
{
    Games *g = context;
    assert_true(g->count < GAMES_MAX);
    g->games[g->count++] = *game;
    return true;
}

static Games read_games(const char *path)
{
    Games g = {.games = calloc(GAMES_MAX, sizeof(DataGame))};
    uint64_t damages;
    assert_non_null(g.games);
    assert_true(data_visit(path, NULL, keep_game, &g, &damages, NULL));
    assert_int_equal(damages, 0);
    return g;
}

static void make_games(const char *path, uint64_t games, int part, int parts)
{
    DatagenConfig config = datagen_default();
    DatagenStatus status;
    config.path = path;
    config.nodes = config.recipe.nodes = 40;
    config.games = games;
    config.workers = 2;
    config.hash_mb = 1;
    config.part = part;
    config.parts = parts;
    assert_true(datagen_run(&config, NULL, NULL, &status, NULL));
}

static bool is_same_game(const DataGame *a, const DataGame *b, bool with_scores)
{
    return a->count == b->count && a->opening == b->opening && a->result == b->result &&
           !memcmp(a->moves, b->moves, (size_t)a->count * sizeof *a->moves) &&
           (!with_scores || !memcmp(a->scores, b->scores, (size_t)a->count * sizeof *a->scores));
}

// Part i of n holds games i, i + n, i + 2n ...: together all games of one run, each once.
static void test_parts(void **state)
{
    (void)state;
    enum { GAMES = 20, PARTS = 3 };
    const char *whole = folder_path("whole.games");
    make_games(whole, GAMES, 0, 0);
    Games all = read_games(whole);
    assert_int_equal(all.count, GAMES);
    int seen = 0;
    for (int part = 0; part < PARTS; part++) {
        char name[32];
        snprintf(name, sizeof name, "part.%d", part);
        const char *path = folder_path(name);
        make_games(path, GAMES, part, PARTS);
        Games own = read_games(path);
        for (int i = 0; i < own.count; i++, seen++)
            assert_true(is_same_game(&own.games[i], &all.games[i * PARTS + part], true));
        free(own.games);
    }
    assert_int_equal(seen, GAMES);
    free(all.games);
}

static RelabelConfig relabel_config(const char *from, const char *to, int workers)
{
    return (RelabelConfig){.from = from, .to = to, .nodes = 90, .workers = workers, .hash_mb = 1};
}

static void assert_same_file(const char *a, const char *b)
{
    size_t size, other_size;
    char *bytes = file_read(a, 1 << 24, &size, NULL),
         *other = file_read(b, 1 << 24, &other_size, NULL);
    assert_non_null(bytes);
    assert_non_null(other);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other, size);
    free(bytes);
    free(other);
}

// Moves and results stay, scores are those of a new search; a file that was cut off is gone on with
// to the same bytes.
static void test_relabel(void **state)
{
    (void)state;
    const char *old = folder_path("old.games"), *whole = folder_path("new.games"),
               *cut = folder_path("cut.games");
    RelabelStatus status;
    make_games(old, 140, 0, 0);
    RelabelConfig config = relabel_config(old, whole, 2);
    assert_true(relabel_run(&config, NULL, &status, NULL));
    assert_int_equal(status.games, 140);
    Games before = read_games(old), after = read_games(whole);
    assert_int_equal(before.count, after.count);
    int changed = 0, plies = 0;
    for (int i = 0; i < before.count; i++) {
        assert_true(is_same_game(&before.games[i], &after.games[i], false));
        for (int p = 0; p < before.games[i].count; p++, plies++)
            changed += before.games[i].scores[p] != after.games[i].scores[p];
    }
    assert_true(changed > plies / 2);
    free(before.games);
    free(after.games);

    // Two whole blocks and a piece of the third are left of a killed run.
    size_t size;
    char *bytes = file_read(whole, 1 << 24, &size, NULL);
    assert_true(file_write(cut, bytes, size - 10, NULL));
    free(bytes);
    config = relabel_config(old, cut, 1);
    assert_true(relabel_run(&config, NULL, &status, NULL));
    assert_int_equal(status.resumed_games, 128);
    assert_int_equal(status.games, 12);
    assert_same_file(whole, cut);
    // Once more there is nothing to do, and another number of nodes is another file.
    assert_true(relabel_run(&config, NULL, &status, NULL));
    assert_int_equal(status.games, 0);
    assert_same_file(whole, cut);
    config.nodes++;
    assert_false(relabel_run(&config, NULL, &status, NULL));
    config.from = folder_path("not there");
    assert_false(relabel_run(&config, NULL, &status, NULL));
}

// Games in which knights go out and home: 32 men all the time, one score, a result drawn from a
// model.
static void write_known_games(const char *path, const WdlModel *model, int games)
{
    static const char *const MOVES[4] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    DataHeader header = {""};
    uint64_t had, plies;
    Random random;
    random_init(&random, 5);
    data_header_add(&header, "variant", "chess");
    DataWriter *writer = data_writer_open(path, &header, false, &had, &plies, NULL);
    assert_non_null(writer);
    DataGame *game = calloc(1, sizeof *game);
    for (int g = 0; g < games; g++) {
        assert_true(position_start(&game->start, &VARIANTS[VARIANT_CHESS], 0, NULL));
        Position pos = game->start;
        int score = (int)random_below(&random, 801) - 400; // for White
        for (game->count = 0; game->count < 24; game->count++) {
            Undo undo;
            Move move = move_from_uci(&pos, MOVES[game->count % 4], NULL);
            game->moves[game->count] = move;
            game->scores[game->count] = (int16_t)score;
            position_make(&pos, move, &undo);
        }
        double win, loss, luck = random_unit(&random);
        wdl_chances(model, 32, score, &win, &loss);
        game->result = luck < win ? RESULT_WHITE : luck < win + loss ? RESULT_BLACK : RESULT_DRAW;
        game->reason = REASON_ADJUDICATION;
        uint8_t bytes[DATA_GAME_SIZE];
        size_t size = data_encode(game, bytes);
        assert_true(data_writer_add(writer, bytes, size, game->count, NULL));
    }
    assert_true(data_writer_close(writer, false, NULL));
    free(game);
}

// Games of four half-moves: a book move, two with scores (for the side to move), one with a mate;
// a variation whose score must not count.
static void write_known_pgn(const char *path, const WdlModel *model, int games)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    Random random;
    random_init(&random, 5);
    for (int g = 0; g < games; g++) {
        int score = (int)random_below(&random, 801) - 400; // for White
        double win, loss, luck = random_unit(&random);
        wdl_chances(model, 32, score, &win, &loss);
        const char *result = luck < win ? "1-0" : luck < win + loss ? "0-1" : "1/2-1/2";
        fprintf(file,
                "[Result \"%s\"]\n\n1. Nf3 Nf6 {%+.2f/9 0.010s} 2. Ng1 {%+.2f/10 0.020s} "
                "(2. Nc3 {+9.99/10 0.1s}) 2... Ng8 {+M3/12 0.1s} %s\n\n",
                result, -score / 100.0, score / 100.0, result);
    }
    assert_int_equal(fclose(file), 0);
}

// The constants that made the results are found again, and the loss falls.
static void test_wdl_fit(void **state)
{
    (void)state;
    const WdlModel truth = {.draw = 220, .draw_men = 0, .scale = 60, .scale_men = 0};
    const char *path = folder_path("known.games");
    write_known_games(path, &truth, 12000);
    WdlFit fit;
    assert_true(wdl_fit(&path, 1, NULL, &fit, NULL));
    print_message("# fitted draw %.1f (220), scale %.1f (60), loss %.4f from %.4f\n",
                  fit.model.draw, fit.model.scale, fit.loss, fit.loss_before);
    assert_true(fit.model.draw > 208 && fit.model.draw < 232);
    assert_true(fit.model.scale > 54 && fit.model.scale < 66);
    assert_true(fit.loss < fit.loss_before && fit.expected_error < 0.03);

    // The same games as a PGN with scores, in comments and beside the line.
    const char *pgn = folder_path("known.pgn");
    write_known_pgn(pgn, &truth, 12000);
    assert_true(wdl_fit(&pgn, 1, NULL, &fit, NULL));
    print_message("# PGN: draw %.1f, scale %.1f, %llu positions\n", fit.model.draw, fit.model.scale,
                  (unsigned long long)fit.positions);
    assert_int_equal(fit.games, 12000);
    assert_int_equal(fit.positions, 24000);
    assert_true(fit.model.draw > 208 && fit.model.draw < 232);
    assert_true(fit.model.scale > 54 && fit.model.scale < 66);

    const char *few = folder_path("few.games");
    write_known_games(few, &truth, 3);
    assert_false(wdl_fit(&few, 1, NULL, &fit, NULL));
}

// Chances add up, are the same from both sides, and a mate is certain.
static void test_wdl_model(void **state)
{
    (void)state;
    for (int men = 2; men <= 40; men++)
        for (int score = -1200; score <= 1200; score += 50) {
            Wdl wdl = wdl_of(&WDL_MODEL, men, score), other = wdl_of(&WDL_MODEL, men, -score);
            assert_int_equal(wdl.win + wdl.draw + wdl.loss, 1000);
            assert_true(wdl.draw >= 0 && wdl.win == other.loss && wdl.loss == other.win);
        }
    assert_int_equal(wdl_of(&WDL_MODEL, 10, score_mate_in(5)).win, 1000);
    assert_int_equal(wdl_of(&WDL_MODEL, 10, score_mated_in(5)).loss, 1000);
}

// Of games with quick moves only what is learned from is searched again; the others keep their
// scores, and which is which stays.
static void test_relabel_quick_moves(void **state)
{
    (void)state;
    const char *old = folder_path("quick.games"), *new = folder_path("quick-new.games");
    DatagenConfig made = datagen_default();
    DatagenStatus made_status;
    RelabelStatus status;
    made.path = old;
    made.nodes = made.recipe.nodes = made.quick_nodes = 40;
    made.every = 5;
    made.games = 12;
    made.workers = 2;
    made.hash_mb = 1;
    assert_true(datagen_run(&made, NULL, NULL, &made_status, NULL));
    RelabelConfig config = relabel_config(old, new, 2);
    assert_true(relabel_run(&config, NULL, &status, NULL));
    Games before = read_games(old), after = read_games(new);
    uint64_t full = 0, changed = 0;
    assert_int_equal(before.count, after.count);
    for (int g = 0; g < before.count; g++)
        for (int i = before.games[g].opening; i < before.games[g].count; i++) {
            const bool is_changed = before.games[g].scores[i] != after.games[g].scores[i];
            assert_int_equal(data_is_full(&before.games[g], i), data_is_full(&after.games[g], i));
            assert_true(data_is_full(&before.games[g], i) || !is_changed);
            full += data_is_full(&before.games[g], i);
            changed += is_changed;
        }
    assert_int_equal(status.positions, full);
    assert_true(changed > full / 2);
    free(before.games);
    free(after.games);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_relabel),
        cmocka_unit_test(test_relabel_quick_moves),
        cmocka_unit_test(test_wdl_fit),
        cmocka_unit_test(test_wdl_model),
    };
    return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
