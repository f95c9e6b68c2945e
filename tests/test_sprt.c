// Elo, error bars, ratings and SPRT against second formulas and simulated matches of known
// strength.
#include <math.h>

#include "base/random.h"
#include "lab/elo.h"
#include "lab/rate.h"
#include "lab/sprt.h"
#include "test_data.h"

// A simulated opponent: chances of the first player to win and draw a game, by the opening's bias
// and colour.
typedef struct World {
    double elo, draw_width, bias; // bias: Elo of the opening for White, either sign
} World;

static int play_game(const World *w, Random *random, double opening, bool first_is_white)
{
    double d = w->elo + (first_is_white ? opening : -opening);
    double win = 1 / (1 + pow(10, (w->draw_width - d) / 400)),
           loss = 1 / (1 + pow(10, (w->draw_width + d) / 400));
    double x = random_unit(random);
    return x < win ? 2 : x < 1 - loss ? 1 : 0;
}

static void play_pair(const World *w, Random *random, PairCounts *pairs)
{
    double opening = w->bias * random_normal(random);
    pairs->n[play_game(w, random, opening, true) + play_game(w, random, opening, false)]++;
}

// The score that a world really gives, by playing very many games.
static double true_score(const World *w)
{
    Random random;
    random_init(&random, 99);
    PairCounts pairs = {{0}};
    for (int i = 0; i < 250000; i++)
        play_pair(w, &random, &pairs);
    double sum = 0;
    for (int i = 0; i < 5; i++)
        sum += (double)pairs.n[i] * i / 4;
    return sum / 250000;
}

static World world_with_score_of(double elo, double bias)
{
    // The logistic law of a single game is not that of the mean over draws and openings: find the
    // world whose mean is.
    double low = elo - 100, high = elo + 100;
    World w = {.draw_width = 120, .bias = bias};
    for (int i = 0; i < 12; i++) {
        w.elo = (low + high) / 2;
        if (true_score(&w) < 1 / (1 + pow(10, -elo / 400)))
            low = w.elo;
        else
            high = w.elo;
    }
    return w;
}

static int count_verdicts(const Sprt *sprt, const World *w, SprtVerdict wanted, uint64_t seed)
{
    int count = 0;
    for (int test = 0; test < 200; test++) {
        Random random;
        random_init(&random, seed + (uint64_t)test);
        PairCounts pairs = {{0}};
        SprtVerdict verdict = SPRT_GOES_ON;
        for (int i = 0; i < 200000 && verdict == SPRT_GOES_ON; i++) {
            play_pair(w, &random, &pairs);
            verdict = sprt_verdict(sprt, &pairs);
        }
        assert_int_not_equal(verdict, SPRT_GOES_ON);
        count += verdict == wanted;
    }
    return count;
}

// 200 tests at either bound: at most 5 % errors, give or take three standard deviations (3.1 of
// 200).
static void test_error_rates(void **state)
{
    (void)state;
    Sprt sprt;
    assert_true(sprt_parse(&sprt, "0,20", NULL));
    for (int biased = 0; biased <= 1; biased++) {
        World none = world_with_score_of(0, biased ? 150 : 0),
              some = world_with_score_of(20, biased ? 150 : 0);
        int false_alarms = count_verdicts(&sprt, &none, SPRT_ACCEPTS_H1, 1000);
        int misses = count_verdicts(&sprt, &some, SPRT_ACCEPTS_H0, 2000);
        print_message("# openings' bias %d: %d false alarms, %d misses in 200 each\n", biased * 150,
                      false_alarms, misses);
        assert_in_range(false_alarms, 0, 19);
        assert_in_range(misses, 0, 19);
    }
}

// The normal approximation of the same ratio, written from its definition.
static double approximate_llr(const Sprt *sprt, const PairCounts *pairs)
{
    double n = 0, mean = 0, variance = 0;
    for (int i = 0; i < 5; i++) {
        n += (double)pairs->n[i];
        mean += (double)pairs->n[i] * i / 4.0;
    }
    mean /= n;
    for (int i = 0; i < 5; i++)
        variance += (double)pairs->n[i] * (i / 4.0 - mean) * (i / 4.0 - mean) / n;
    double s0 = elo_to_score(sprt->elo0), s1 = elo_to_score(sprt->elo1);
    return n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
}

static void test_llr(void **state)
{
    (void)state;
    Sprt sprt;
    assert_true(sprt_parse(&sprt, "elo0=0,elo1=5", NULL));
    const PairCounts cases[] = {
        {{100, 400, 1000, 420, 110}}, {{20, 300, 900, 280, 15}}, {{0, 50, 300, 60, 0}}};
    for (int i = 0; i < 3; i++) {
        double llr = sprt_llr(&sprt, &cases[i]), other = approximate_llr(&sprt, &cases[i]);
        assert_true(fabs(llr - other) < 0.02 + 0.03 * fabs(other));
    }
    const PairCounts nothing = {{0}};
    assert_true(sprt_llr(&sprt, &nothing) == 0);
    // Each bound belongs to its own error.
    const Sprt uneven = {.elo0 = 0, .elo1 = 5, .alpha = 0.01, .beta = 0.1};
    assert_true(fabs(sprt_upper(&uneven) - log(0.9 / 0.01)) < 1e-9 &&
                fabs(sprt_lower(&uneven) - log(0.1 / 0.99)) < 1e-9);
    assert_true(fabs(sprt_upper(&sprt) - 2.944439) < 1e-5 &&
                fabs(sprt_lower(&sprt) + 2.944439) < 1e-5);
}

static void test_parse(void **state)
{
    (void)state;
    Sprt s;
    Error error;
    assert_true(sprt_parse(&s, "elo0=-3,elo1=1,alpha=0.1,beta=0.2,normalized", &error));
    assert_true(s.elo0 == -3 && s.elo1 == 1 && s.alpha == 0.1 && s.beta == 0.2 && s.normalized);
    assert_false(sprt_parse(&s, "5,0", &error));
    assert_false(sprt_parse(&s, "0,5,0", &error));
    assert_false(sprt_parse(&s, "elo3=4", &error));
    assert_non_null(strstr(error.text, "elo3=4"));
}

// A second way to Elo and its error: draw the sample again and again (the bootstrap) and look at
// the spread.
static void test_elo_bars(void **state)
{
    (void)state;
    const PairCounts pairs = {{12, 60, 180, 90, 25}};
    EloEstimate e = elo_from_pairs(&pairs);
    Random random;
    random_init(&random, 7);
    enum { DRAWS = 4000 };
    double n = 0, sum = 0, squares = 0;
    for (int i = 0; i < 5; i++)
        n += (double)pairs.n[i];
    for (int d = 0; d < DRAWS; d++) {
        double points = 0;
        for (int k = 0; k < (int)n; k++) {
            uint64_t at = random_below(&random, (uint64_t)n);
            int kind = 0;
            while (at >= pairs.n[kind])
                at -= pairs.n[kind++];
            points += kind / 4.0;
        }
        double score = points / n, elo = 400 * (log10(score) - log10(1 - score));
        sum += elo;
        squares += elo * elo;
    }
    double mean = sum / DRAWS, bar = 1.96 * sqrt(squares / DRAWS - mean * mean);
    assert_true(fabs(mean - e.elo) < 0.5);
    assert_true(fabs(bar - e.error) < 0.05 * bar);
    assert_true(e.superiority > 0.99 && e.superiority < 1);
    // Single games: the textbook formula by hand for +30 =40 -30.
    GameCounts even = {30, 40, 30};
    EloEstimate g = elo_from_games(&even);
    double deviation = sqrt((30 * 0.25 + 30 * 0.25) / 100.0 / 100.0);
    double by_hand = 400 * log10((0.5 + 1.96 * deviation) / (0.5 - 1.96 * deviation));
    assert_true(fabs(g.elo) < 1e-9 && fabs(g.error - by_hand) < 0.01 * by_hand);
    assert_true(fabs(g.superiority - 0.5) < 1e-9);
}

// How often the 95 % bars hold the truth.
// Pairs of games that have nothing to do with each other tell what the games tell: the same Elo,
// logistic and normalised, and the same errors.
static void test_pairs_and_games(void **state)
{
    (void)state;
    // 40 % won, 30 % drawn, 30 % lost; two games each: LL, LD, DD or WL, WD, WW.
    const GameCounts games = {.win = 400, .draw = 300, .loss = 300};
    const PairCounts pairs = {.n = {45, 90, 165, 120, 80}};
    const EloEstimate one = elo_from_games(&games), two = elo_from_pairs(&pairs);
    assert_true(fabs(one.elo - two.elo) < 1e-9 && fabs(one.error - two.error) < 1e-6);
    assert_true(fabs(one.normalized - two.normalized) < 1e-9);
    assert_true(fabs(one.normalized_error - two.normalized_error) < 1e-9);
    assert_true(fabs(one.superiority - two.superiority) < 1e-9);

    // An SPRT in normalised Elo asks for as much as one in the Elo that this spread makes of it.
    const double deviation = sqrt(0.4 + 0.3 / 4 - 0.55 * 0.55), unit = 800 / log(10);
    const Sprt normalized = {.elo1 = 20, .alpha = 0.05, .beta = 0.05, .normalized = true};
    Sprt logistic = {.alpha = 0.05, .beta = 0.05};
    logistic.elo1 = elo_from_score(0.5 + 20 / unit * deviation);
    assert_true(fabs(sprt_llr(&normalized, &pairs) - sprt_llr(&logistic, &pairs)) < 1e-9);
}

static void test_coverage(void **state)
{
    (void)state;
    World w = {.elo = 30, .draw_width = 150, .bias = 100};
    double truth = elo_from_score(true_score(&w));
    int inside = 0;
    for (int match = 0; match < 1000; match++) {
        Random random;
        random_init(&random, 5000 + (uint64_t)match);
        PairCounts pairs = {{0}};
        for (int i = 0; i < 250; i++)
            play_pair(&w, &random, &pairs);
        EloEstimate e = elo_from_pairs(&pairs);
        inside += e.low <= truth && truth <= e.high;
    }
    print_message("# bars hold the truth in %d of 1000 matches\n", inside);
    assert_in_range(inside, 930, 970);
}

// Ratings of simulated players come back, and two players alone get the Elo of their score.
static void test_ratings(void **state)
{
    (void)state;
    enum { PLAYERS = 8, ROUNDS = 400 };
    double truth[PLAYERS];
    RateGames games[PLAYERS * PLAYERS];
    int count = 0;
    Random random;
    random_init(&random, 3);
    for (int i = 0; i < PLAYERS; i++)
        truth[i] = 100.0 * i - 350;
    for (int i = 0; i < PLAYERS; i++)
        for (int j = 0; j < PLAYERS; j++) {
            if (i == j)
                continue;
            RateGames g = {.white = i, .black = j};
            // Davidson's law with 30 Elo for White and a third of draws between equals.
            double x = (truth[i] - truth[j] + 30) * log(10) / 800;
            double w = exp(x), l = exp(-x), d = 1;
            for (int k = 0; k < ROUNDS; k++) {
                double r = random_unit(&random) * (w + l + d);
                g.white_wins += r < w;
                g.draws += r >= w && r < w + d;
                g.black_wins += r >= w + d;
            }
            games[count++] = g;
        }
    Rating ratings[PLAYERS];
    RateModel model;
    RateOptions options = {.anchor = 0, .anchor_elo = truth[0], .prior = 0};
    assert_true(rate_fit(games, count, PLAYERS, &options, ratings, &model, NULL));
    for (int i = 1; i < PLAYERS; i++) {
        assert_true(ratings[i].error > 5 && ratings[i].error < 40);
        assert_true(fabs(ratings[i].elo - truth[i]) < 1.5 * ratings[i].error);
    }
    assert_true(fabs(model.white_elo - 30) < 10 && fabs(model.draw_share - 1.0 / 3) < 0.02);
    assert_int_equal(model.groups, 1);

    // Without draws the model is the logistic one.
    RateGames two[] = {{0, 1, 75, 0, 25}, {1, 0, 25, 0, 75}};
    options = (RateOptions){.anchor = 1};
    assert_true(rate_fit(two, 2, 2, &options, ratings, &model, NULL));
    assert_true(fabs(ratings[0].elo - 190.85) < 1 && fabs(model.white_elo) < 1);
    double by_hand = 1.96 * 400 / log(10) / sqrt(200 * 0.75 * 0.25);
    assert_true(fabs(ratings[0].error - by_hand) < 0.02 * by_hand);
    RateGames apart[] = {{0, 1, 5, 5, 5}, {2, 3, 1, 2, 3}};
    options = (RateOptions){.anchor = -1, .prior = 1};
    assert_true(rate_fit(apart, 2, 4, &options, ratings, &model, NULL));
    assert_int_equal(model.groups, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),           cmocka_unit_test(test_llr),
        cmocka_unit_test(test_pairs_and_games), cmocka_unit_test(test_elo_bars),
        cmocka_unit_test(test_coverage),        cmocka_unit_test(test_ratings),
        cmocka_unit_test(test_error_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
