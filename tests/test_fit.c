// The fit of the evaluation: games made here, a loss that falls on games held out, weights that
// nothing touches left alone, and a file of weights that reads back.
#include <unistd.h>

#include "core/bitboard.h"
#include "lab/datagen.h"
#include "lab/fit.h"
#include "lab/spsa.h"
#include "test_data.h"

static void ignore(void *context, const FitReport *report)
{
    (void)context, (void)report;
}

static void test_fit(void **state)
{
    (void)state;
    if (test_level() == TEST_QUICK)
        skip();
    char folder[] = "/tmp/lovac-fit-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.games", folder);
    DatagenConfig games = datagen_default();
    DatagenStatus made;
    games.path = path;
    games.nodes = 40;
    games.recipe.nodes = 40;
    games.games = 700;
    games.hash_mb = 1;
    assert_true(datagen_run(&games, NULL, NULL, &made, NULL));
    const char *const paths[] = {path};
    FitConfig config = fit_default();
    config.paths = paths;
    config.path_count = 1;
    config.epochs = 6;
    config.hold_out = 0.2;
    config.rate = 3;
    // A rook for the price of a knight, to be mended by what the search said of the positions: the
    // results of so few weak games teach nothing.
    config.result_share = 0;
    const HandSetup *setup = hand_setup(&VARIANTS[VARIANT_CHESS]);
    Weight weights[2][TERM_COUNT], spoilt[2][TERM_COUNT];
    memcpy(spoilt, setup->weights, sizeof spoilt);
    for (int c = 0; c < 2; c++)
        spoilt[c][TERM_MATERIAL + ROOK] = spoilt[c][TERM_MATERIAL + KNIGHT];
    config.start = (const Weight(*)[TERM_COUNT])spoilt;
    FitReport report;
    Error error = {0};
    if (!fit_run(&config, NULL, ignore, NULL, weights, &report, &error))
        fail_msg("%s", error.text);
    print_message(
        "# %llu positions: loss %.4f before, %.4f after; held out %.4f before, %.4f after\n",
        (unsigned long long)report.positions, report.loss_before, report.loss, report.held_before,
        report.held);
    assert_true(report.loss < report.loss_before);
    assert_true(report.held < report.held_before - 0.005);
    assert_true(weight_eg(weights[WHITE][TERM_MATERIAL + ROOK]) >
                weight_eg(spoilt[WHITE][TERM_MATERIAL + ROOK]));
    // The same comes out on any number of threads.
    Weight again[2][TERM_COUNT];
    FitReport other;
    config.workers = config.workers == 1 ? 3 : 1;
    assert_true(fit_run(&config, NULL, ignore, NULL, again, &other, &error));
    assert_memory_equal(weights, again, sizeof weights);
    assert_true(other.loss == report.loss && other.held == report.held);
    // Pawns on the first and last rank do not exist: their squares stay as they were.
    for (int file = 0; file < 8; file++) {
        int term = TERM_SQUARE + PAWN * 64 + file;
        assert_int_equal(weights[WHITE][term], setup->weights[WHITE][term]);
        assert_int_equal(weights[WHITE][term + 56], setup->weights[WHITE][term + 56]);
    }
    assert_memory_equal(weights[WHITE], weights[BLACK], sizeof weights[WHITE]);
    // A set-up with these weights gives other values, and its text has all of them.
    char *text = malloc(FIT_TEXT_SIZE);
    fit_write_weights(weights[WHITE], "test", text, FIT_TEXT_SIZE);
    int count = 0;
    const char *at = text;
    for (int mg, eg; (at = strstr(at, "WEIGHT(")); at++, count++) {
        assert_int_equal(sscanf(at, "WEIGHT(%d, %d)", &mg, &eg), 2);
        assert_int_equal(mg, weight_mg(weights[WHITE][count]));
        assert_int_equal(eg, weight_eg(weights[WHITE][count]));
    }
    assert_int_equal(count, TERM_COUNT);
    free(text);
    unlink(path);
    rmdir(folder);
}

static void test_errors(void **state)
{
    (void)state;
    const char *const paths[] = {"/nowhere/a.games"};
    FitConfig config = fit_default();
    config.paths = paths;
    config.path_count = 1;
    Weight weights[2][TERM_COUNT];
    FitReport report;
    Error error;
    assert_false(fit_run(&config, NULL, ignore, NULL, weights, &report, &error));
    assert_non_null(strstr(error.text, "/nowhere/a.games"));
    if (!spsa_is_possible()) {
        SpsaConfig spsa = spsa_default();
        assert_false(spsa_run(&spsa, NULL, NULL, &error));
        assert_non_null(strstr(error.text, "TUNE"));
    }
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors), cmocka_unit_test(test_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
