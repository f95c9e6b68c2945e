// How well nets and searches judge positions, beside a deep search of another engine.
//   judge label PLAYER [NUMBER] <positions.fen >labelled.epd   keeps quiet positions, with PLAYER's
//       score for the side to move (ce); PLAYER says how long it thinks ("stockfish nodes=100000")
//   judge siblings PLAYER [NUMBER] <labelled.epd >siblings.epd   labels what the moves of even
//       positions lead to, some of each, with the number of the position (id)
//   judge LABELLED.epd VALUE...     the mean squared error of each value's win probability, times
//       1000, each at the scale that fits it best; VALUE is a net's file (what it says itself) or a
//       player ("lovac net=new.nnue nodes=1000": what its search says). Of siblings: the error of
//       their differences, and how these correlate with those of the labels
// The positions must come from games that none of the values played: a player steers towards what
// it overestimates.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bitboard.h"
#include "core/epd.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "engine/evaluate.h"
#include "play/player.h"

enum {
    SCORE_LIMIT = 1500, // decided positions tell nothing
    FIRST_PLY = 16,     // openings neither
    LEAST_MEN = 7,      // nor endings that some engines know by heart and others do not
    EVEN = 300,         // a position whose moves are compared
    SIBLINGS = 14,      // at most, of one position
    LINE_SIZE = 1024,
    GROUPS = 5
};
static const double CHANCE_SCALE = 180; // centipawns in the sigmoid of the labels

typedef struct Labelled {
    Position pos;
    double chance; // for the side to move
    size_t family; // siblings have the same; 0: none
} Labelled;

typedef struct Set {
    Labelled *list;
    size_t count, room;
    size_t families; // the highest number
} Set;

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "judge: %s: %s\n", what, why);
    return 1;
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static Player *player_of(const char *text, Error *error)
{
    const PlayerLimits none = player_limits_none();
    PlayerSpec spec;
    return player_spec_parse(&spec, text, &none, error) ? player_new(&spec, error) : NULL;
}

// What a player thinks of a position, as if its game began there.
static bool ask(Player *player, const Position *pos, PlayerMove *answer, Error *error)
{
    GameStep steps[2];
    Game game;
    const SearchLimits limits = search_limits_none();
    game_init(&game, pos, steps, 2);
    if (player_new_game(player, pos->rules, 1, error) != FAULT_NONE)
        return false;
    player_choose(player, &game, &limits, answer);
    return answer->fault == FAULT_NONE || error_set(error, "%s", player_fault_text(answer->fault));
}

// ---- Labels -----------------------------------------------------------------------------------

static bool is_worth_asking(const Position *pos)
{
    Move list[MAX_MOVES];
    return !position_in_check(pos) && bit_count(position_occupied(pos)) >= LEAST_MEN &&
           pos->state.fifty < 100 && movegen_legal(pos, STAGE_ALL, list) > 0;
}

static bool is_quiet(const PlayerMove *answer)
{
    return answer->score != SCORE_NONE && abs(answer->score) <= SCORE_LIMIT &&
           !move_is_capture(answer->move) && !move_is_promotion(answer->move);
}

// Writes a position with its score, and with the number of its family if that is not 0.
static void write_label(const Position *pos, int score, long family)
{
    char line[LINE_SIZE], number[16], id[24];
    Epd epd = {.pos = *pos, .count = family ? 2 : 1};
    snprintf(number, sizeof number, "%d", score);
    snprintf(id, sizeof id, "\"%ld\"", family);
    epd.operations[0] = (EpdOperation){{"ce", 2}, {number, strlen(number)}};
    epd.operations[1] = (EpdOperation){{"id", 2}, {id, strlen(id)}};
    epd_write(&epd, line, sizeof line);
    puts(line);
}

// Asks for the score of a position and writes it if that is quiet.
static bool label_position(Player *player, const Position *pos, long family, long *made,
                           Error *error)
{
    PlayerMove answer = {0};
    if (!ask(player, pos, &answer, error))
        return false;
    if (is_quiet(&answer)) {
        write_label(pos, answer.score, family);
        ++*made;
    }
    return true;
}

static int label(const char *text, long wanted)
{
    char line[LINE_SIZE];
    Error error = {0};
    Player *player = player_of(text, &error);
    long made = 0;
    bool ok = player;
    while (ok && made < wanted && fgets(line, sizeof line, stdin)) {
        Position pos;
        line[strcspn(line, "\r\n")] = 0;
        ok = position_from_fen(&pos, rules_find("chess"), line, &error);
        if (ok && pos.ply >= FIRST_PLY && is_worth_asking(&pos))
            ok = label_position(player, &pos, 0, &made, &error);
    }
    player_free(player);
    return ok ? 0 : fail("label", error.text);
}

// Labels what some moves of a position lead to, in a random order that is always the same.
static bool label_family(Player *player, const Position *pos, long family, long *made, Error *error)
{
    Move list[MAX_MOVES];
    Undo undo;
    const int count = movegen_legal(pos, STAGE_ALL, list);
    const long most = *made + SIBLINGS;
    uint64_t random = (uint64_t)family;
    bool ok = true;
    for (int i = 0; ok && i < count && *made < most; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const int other = i + (int)((random >> 33) % (uint64_t)(count - i));
        const Move move = list[other];
        list[other] = list[i];
        Position after = *pos;
        position_make(&after, move, &undo);
        ok = !is_worth_asking(&after) || label_position(player, &after, family, made, error);
    }
    return ok;
}

static int siblings(const char *text, long wanted)
{
    char line[LINE_SIZE];
    Error error = {0};
    Player *player = player_of(text, &error);
    long made = 0;
    bool ok = player;
    for (long family = 1; ok && made < wanted && fgets(line, sizeof line, stdin); family++) {
        Epd epd;
        ok = epd_read(&epd, rules_find("chess"), line, strlen(line), &error);
        const EpdOperation *ce = ok ? epd_find(&epd, "ce") : NULL;
        if (ce && labs(strtol(ce->operands.text, NULL, 10)) <= EVEN)
            ok = label_family(player, &epd.pos, family, &made, &error);
    }
    player_free(player);
    return ok ? 0 : fail("siblings", error.text);
}

// ---- Values -----------------------------------------------------------------------------------

static bool set_add(Set *set, const Epd *epd, Error *error)
{
    const EpdOperation *ce = epd_find(epd, "ce");
    if (!ce)
        return error_set(error, "a position without ce");
    if (set->count == set->room) {
        set->room = set->room ? 2 * set->room : 1024;
        set->list = realloc(set->list, set->room * sizeof *set->list);
        if (!set->list)
            return error_set(error, "out of memory");
    }
    const EpdOperation *id = epd_find(epd, "id");
    const size_t family = id ? strtoul(id->operands.text + 1, NULL, 10) : 0;
    set->families = family > set->families ? family : set->families;
    set->list[set->count++] =
        (Labelled){epd->pos, sigmoid(strtol(ce->operands.text, NULL, 10) / CHANCE_SCALE), family};
    return true;
}

static bool set_read(Set *set, const char *path, Error *error)
{
    char line[LINE_SIZE];
    FILE *in = fopen(path, "r");
    bool ok = in || error_set(error, "cannot be read");
    while (ok && fgets(line, sizeof line, in)) {
        Epd epd;
        ok = epd_read(&epd, rules_find("chess"), line, strlen(line), error) &&
             set_add(set, &epd, error);
    }
    if (in)
        fclose(in);
    return ok && (set->count > 1 || error_set(error, "too few positions"));
}

// What the value says of each position, in centipawns.
static bool value_all(const Set *set, const char *what, double *values, Error *error)
{
    const size_t length = strlen(what);
    const bool is_net = length > 5 && !strcmp(what + length - 5, ".nnue") && !strchr(what, ' ');
    Net *net = is_net ? net_from_file(what, error) : NULL;
    Player *player = is_net ? NULL : player_of(what, error);
    bool ok = net || player;
    for (size_t i = 0; ok && i < set->count; i++) {
        PlayerMove answer = {0};
        const Position *pos = &set->list[i].pos;
        ok = net || ask(player, pos, &answer, error);
        values[i] = net ? evaluate_once(net, pos) : answer.score == SCORE_NONE ? 0 : answer.score;
    }
    net_free(net);
    player_free(player);
    return ok;
}

static double error_of(const Labelled *l, double value, double scale)
{
    const double e = sigmoid(value / scale) - l->chance;
    return 1000 * e * e;
}

// The errors of all positions at the scale that makes their mean least.
static void errors_fill(const Set *set, const double *values, double *errors)
{
    double best = 0, least = HUGE_VAL;
    for (double scale = 40; scale < 1500; scale *= 1.02) {
        double sum = 0;
        for (size_t i = 0; i < set->count; i++)
            sum += error_of(&set->list[i], values[i], scale);
        best = sum < least ? scale : best;
        least = fmin(sum, least);
    }
    for (size_t i = 0; i < set->count; i++)
        errors[i] = error_of(&set->list[i], values[i], best);
}

// How much more the errors are than those of the first value, and how sure that is.
static void print_difference(const Set *set, const double *errors, const double *first)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < set->count; i++) {
        const double d = errors[i] - first[i];
        sum += d;
        squares += d * d;
    }
    const double n = (double)set->count, mean = sum / n;
    if (errors != first)
        printf("   %+.2f ± %.2f", mean, 1.96 * sqrt(fmax(squares / n - mean * mean, 0) / n));
    printf("\n");
    fflush(stdout);
}

static void print_errors(const Set *set, const char *what, const double *errors,
                         const double *first)
{
    static const int LEAST[GROUPS + 1] = {0, LEAST_MEN, 11, 15, 23, 33};
    printf("%-40s", what);
    for (int g = 0; g < GROUPS; g++) {
        double sum = 0, n = 0;
        for (size_t i = 0; i < set->count; i++) {
            const int men = bit_count(position_occupied(&set->list[i].pos));
            if (men >= LEAST[g] && (!g || men < LEAST[g + 1])) {
                sum += errors[i];
                n++;
            }
        }
        printf(" %7.2f", n ? sum / n : 0);
    }
    print_difference(set, errors, first);
}

// ---- Siblings ---------------------------------------------------------------------------------

// Takes the mean of each family from its members. `sums` has room for two numbers of each family.
static void families_even(const Set *set, double *x, double *sums)
{
    memset(sums, 0, 2 * (set->families + 1) * sizeof *sums);
    for (size_t i = 0; i < set->count; i++) {
        sums[2 * set->list[i].family] += x[i];
        sums[2 * set->list[i].family + 1]++;
    }
    for (size_t i = 0; i < set->count; i++)
        x[i] -= sums[2 * set->list[i].family] / sums[2 * set->list[i].family + 1];
}

// The error of the differences within families at that scale: its mean, and all if wanted.
static double family_error(const Set *set, const double *values, double scale, double *errors,
                           double *sums)
{
    double sum = 0;
    for (size_t i = 0; i < set->count; i++)
        errors[i] = sigmoid(values[i] / scale) - set->list[i].chance;
    families_even(set, errors, sums);
    for (size_t i = 0; i < set->count; i++) {
        errors[i] *= 1000 * errors[i];
        sum += errors[i];
    }
    return sum / (double)set->count;
}

// How differences within families correlate with those of the labels, at that scale.
static double family_correlation(const Set *set, const double *values, double scale, double *x,
                                 double *sums)
{
    double *y = calloc(set->count, sizeof *y), xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; y && i < set->count; i++) {
        x[i] = sigmoid(values[i] / scale);
        y[i] = set->list[i].chance;
    }
    families_even(set, x, sums);
    if (y)
        families_even(set, y, sums);
    for (size_t i = 0; y && i < set->count; i++) {
        xx += x[i] * x[i];
        yy += y[i] * y[i];
        xy += x[i] * y[i];
    }
    free(y);
    return xy / sqrt(xx * yy);
}

// Prints a line of the table of siblings and leaves their errors.
static bool judge_siblings(const Set *set, const char *what, const double *values, double *errors,
                           const double *first)
{
    double best = 0, least = HUGE_VAL, *sums = calloc(2 * (set->families + 1), sizeof *sums);
    if (!sums)
        return false;
    for (double scale = 40; scale < 1500; scale *= 1.02) {
        const double error = family_error(set, values, scale, errors, sums);
        best = error < least ? scale : best;
        least = fmin(error, least);
    }
    printf("%-40s %7.2f %11.3f", what, least, family_correlation(set, values, best, errors, sums));
    family_error(set, values, best, errors, sums);
    print_difference(set, errors, first);
    free(sums);
    return true;
}

static int judge(const char *path, char **what, int count)
{
    Error error = {0};
    Set set = {0};
    if (!set_read(&set, path, &error))
        return fail(path, error.text);
    double *values = malloc(set.count * sizeof *values), *first = malloc(set.count * sizeof *first),
           *errors = malloc(set.count * sizeof *errors);
    int status = values && first && errors ? 0 : fail(path, "out of memory");
    if (set.families)
        printf("%-40s %7s %11s   error beside the first\n", "siblings", "error", "correlation");
    else
        printf("%-40s %7s %7s %7s %7s %7s   beside the first\n", "men", "all", "7-10", "11-14",
               "15-22", "23-32");
    for (int i = 0; i < count && !status; i++) {
        double *into = i ? errors : first;
        if (!value_all(&set, what[i], values, &error)) {
            status = fail(what[i], error.text);
            break;
        }
        if (set.families) {
            if (!judge_siblings(&set, what[i], values, into, first))
                status = fail(what[i], "out of memory");
        } else {
            errors_fill(&set, values, into);
            print_errors(&set, what[i], into, first);
        }
    }
    free(values);
    free(first);
    free(errors);
    free(set.list);
    return status;
}

int main(int argc, char **argv)
{
    bitboard_init();
    if (argc > 2 && !strcmp(argv[1], "label"))
        return label(argv[2], argc > 3 ? strtol(argv[3], NULL, 10) : 1000000);
    if (argc > 2 && !strcmp(argv[1], "siblings"))
        return siblings(argv[2], argc > 3 ? strtol(argv[3], NULL, 10) : 1000000);
    if (argc > 2)
        return judge(argv[1], argv + 2, argc - 2);
    fputs("usage: judge label PLAYER [NUMBER] <positions.fen >labelled.epd\n"
          "       judge siblings PLAYER [NUMBER] <labelled.epd >siblings.epd\n"
          "       judge LABELLED.epd VALUE...\n",
          stderr);
    return 2;
}
