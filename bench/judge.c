// How well nets and searches judge positions, beside a deep search of another engine.
//   judge label PLAYER [NUMBER] <positions.fen >labelled.epd   keeps quiet positions, with PLAYER's
//       score for the side to move (ce); PLAYER says how long it thinks ("stockfish nodes=100000")
//   judge LABELLED.epd VALUE...     the mean squared error of each value's win probability, times
//       1000, each at the scale that fits it best; VALUE is a net's file (what it says itself) or a
//       player ("lovac net=new.nnue nodes=1000": what its search says)
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
    LINE_SIZE = 1024,
    GROUPS = 5
};
static const double CHANCE_SCALE = 180; // centipawns in the sigmoid of the labels

typedef struct Labelled {
    Position pos;
    double chance; // for the side to move
} Labelled;

typedef struct Set {
    Labelled *list;
    size_t count, room;
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

static void write_label(const Position *pos, int score)
{
    char line[LINE_SIZE], number[16];
    Epd epd = {.pos = *pos, .count = 1};
    snprintf(number, sizeof number, "%d", score);
    epd.operations[0] = (EpdOperation){{"ce", 2}, {number, strlen(number)}};
    epd_write(&epd, line, sizeof line);
    puts(line);
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
        PlayerMove answer = {0};
        line[strcspn(line, "\r\n")] = 0;
        ok = position_from_fen(&pos, rules_find("chess"), line, &error);
        if (!ok || pos.ply < FIRST_PLY || !is_worth_asking(&pos))
            continue;
        ok = ask(player, &pos, &answer, &error);
        if (ok && is_quiet(&answer)) {
            write_label(&pos, answer.score);
            made++;
        }
    }
    player_free(player);
    return ok ? 0 : fail("label", error.text);
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
    set->list[set->count++] =
        (Labelled){epd->pos, sigmoid(strtol(ce->operands.text, NULL, 10) / CHANCE_SCALE)};
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

static int judge(const char *path, char **what, int count)
{
    Error error = {0};
    Set set = {0};
    if (!set_read(&set, path, &error))
        return fail(path, error.text);
    double *values = malloc(set.count * sizeof *values), *first = malloc(set.count * sizeof *first),
           *errors = malloc(set.count * sizeof *errors);
    int status = values && first && errors ? 0 : fail(path, "out of memory");
    printf("%-40s %7s %7s %7s %7s %7s   beside the first\n", "men", "all", "7-10", "11-14", "15-22",
           "23-32");
    for (int i = 0; i < count && !status; i++) {
        double *into = i ? errors : first;
        if (!value_all(&set, what[i], values, &error)) {
            status = fail(what[i], error.text);
            break;
        }
        errors_fill(&set, values, into);
        print_errors(&set, what[i], into, first);
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
    if (argc > 2)
        return judge(argv[1], argv + 2, argc - 2);
    fputs("usage: judge label PLAYER [NUMBER] <positions.fen >labelled.epd\n"
          "       judge LABELLED.epd VALUE...\n",
          stderr);
    return 2;
}
