// See network.h.
#include "lab/agents/network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/str.h"
#include "core/movegen.h"
#include "lab/agents/twodepth.h"

bool network_plays(const Rules *rules)
{
    return rules == &VARIANTS[VARIANT_CHESS];
}

// ---- Two depths, with and without a network ----

typedef struct DepthPlayer {
    Player player;
    TwoDepth how;
    BrainFast *brains[TWODEPTH_PHASES]; // own ones; a phase without shares the one before
    HandSetup *hand;                    // instead of men and network; may be NULL
} DepthPlayer;

static PlayerFault new_game(Player *player, const Rules *rules, Error *error)
{
    (void)player, (void)rules, (void)error;
    return FAULT_NONE;
}

// Pawns as centipawns; a king that is taken is a mate near at hand.
static int centipawns(float score)
{
    const float most = SCORE_MATE - 100;
    const float value = score * 100;
    return (int)lroundf(value > most ? most : value < -most ? -most : value);
}

// One player may serve many games and see moves taken back, so that its memory is worked out anew.
static void depth_choose(Player *player, const Game *game, const SearchLimits *limits,
                         PlayerMove *answer)
{
    DepthPlayer *own = (DepthPlayer *)player;
    TwoDepth how = own->how;
    TwoDepthMemory memory;
    TwoDepthChoice choice;
    if (limits->depth && limits->depth < how.normal) {
        how.deep = how.deep * limits->depth / how.normal;
        how.normal = limits->depth;
    }
    twodepth_recall(&how, game, &memory);
    twodepth_choose(&how, game, &memory, player->stop, &choice);
    answer->move = choice.move;
    answer->score = centipawns(choice.score);
    answer->depth = choice.depth;
    answer->nodes = choice.nodes;
    if (stop_is_set(player->stop)) {
        answer->fault = FAULT_STALL;
        snprintf(answer->detail, sizeof answer->detail, "was not waited for");
    }
}

static void depth_free(Player *player)
{
    DepthPlayer *own = (DepthPlayer *)player;
    for (int p = 0; p < TWODEPTH_PHASES; p++)
        brain_fast_free(own->brains[p]);
    free(own->hand);
    free(own);
}

static Brain *load_brain(const char *path, int outputs, Error *error)
{
    Dna dna;
    if (!dna_read(&dna, path, error))
        return NULL;
    Brain *brain = brain_from_dna(&dna, error);
    dna_release(&dna);
    if (!brain)
        return error_prefix(error, "", "%s: ", path), NULL;
    if (brain->inputs == 64 && brain->outputs >= outputs)
        return brain;
    error_set(error, "%s: has %d inputs and %d outputs, not 64 and %d", path, brain->inputs,
              brain->outputs, outputs);
    brain_free(brain);
    return NULL;
}

static bool load_phase(DepthPlayer *own, int phase, const char *path, Error *error)
{
    Brain *brain = load_brain(path, 1, error);
    if (!brain)
        return false;
    brain_fast_free(own->brains[phase]);
    own->brains[phase] = brain_fast_new(brain, own->how.reset != RESET_EVALUATION, error);
    brain_free(brain);
    return own->brains[phase] != NULL;
}

static bool read_reset(TwoDepth *how, const char *value, Error *error)
{
    static const char *const NAMES[] = {"game", "move", "evaluation"};
    for (int r = RESET_GAME; r <= RESET_EVALUATION; r++)
        if (!strcmp(value, NAMES[r])) {
            how->reset = (TwoDepthReset)r;
            return true;
        }
    return error_set(error, "reset=%s: game, move or evaluation", value);
}

static bool read_number(const PlayerOption *option, double low, double high, double *number,
                        Error *error)
{
    return (str_to_real(option->value, number) && *number >= low && *number <= high) ||
           error_set(error, "%s=%s: a number from %g to %g was expected", option->name,
                     option->value, low, high);
}

// Files are read last, when it is known whether there is memory.
static bool read_option(DepthPlayer *own, const PlayerOption *o, Error *error)
{
    TwoDepth *how = &own->how;
    double number = 0;
    if (!strcmp(o->name, "reset"))
        return read_reset(how, o->value, error);
    if (!strcmp(o->name, "file") || !strcmp(o->name, "middle") || !strcmp(o->name, "end") ||
        !strcmp(o->name, "hand"))
        return true;
    if (!strcmp(o->name, "factor") || !strcmp(o->name, "placement")) {
        if (!read_number(o, -1000, 1000, &number, error))
            return false;
        if (*o->name == 'f')
            how->factor = (float)number;
        else
            kvalues_init(&how->values, number);
        return true;
    }
    if (!strcmp(o->name, "deep")) {
        const bool ok = read_number(o, 1, TWODEPTH_DEPTH_MAX, &number, error);
        how->deep = ok ? (int)number : how->deep;
        return ok;
    }
    bool *flag = !strcmp(o->name, "ends")   ? &how->proper_ends
                 : !strcmp(o->name, "sort") ? &how->is_sorted
                 : !strcmp(o->name, "grow") ? &how->grows
                                            : NULL;
    if (!flag)
        return error_set(error, "unknown option '%s'", o->name);
    *flag = strcmp(o->value, "0") != 0;
    return true;
}

static const char *option_value(const PlayerSpec *spec, const char *name)
{
    for (int i = 0; i < spec->option_count; i++)
        if (!strcmp(spec->options[i].name, name))
            return spec->options[i].value;
    return NULL;
}

// Weights of the hand-written evaluation that were bred.
static bool load_hand(DepthPlayer *own, const char *path, Error *error)
{
    Dna dna;
    Weight weights[TERM_COUNT];
    if (!dna_read(&dna, path, error))
        return false;
    const bool ok = twodepth_hand_from_dna(&dna, weights, error);
    dna_release(&dna);
    own->hand = ok ? malloc(sizeof *own->hand) : NULL;
    if (!own->hand)
        return ok ? error_set(error, "out of memory") : error_prefix(error, "", "%s: ", path);
    hand_setup_with(own->hand, &VARIANTS[VARIANT_CHESS], weights);
    own->how.hand = own->hand;
    return true;
}

static bool load_files(DepthPlayer *own, Error *error)
{
    static const char *const KEYS[TWODEPTH_PHASES] = {"file", "middle", "end"};
    for (int p = 0; p < TWODEPTH_PHASES; p++) {
        const char *path = option_value(&own->player.spec, KEYS[p]);
        if (path && !load_phase(own, p, path, error))
            return false;
        own->how.brains[p] = own->brains[p] ? own->brains[p] : p ? own->how.brains[p - 1] : NULL;
    }
    const char *hand = option_value(&own->player.spec, "hand");
    return !hand || load_hand(own, hand, error);
}

Player *twodepth_player_new(const PlayerSpec *spec, Engine *engine, Error *error)
{
    static const PlayerClass CLASS = {new_game, depth_choose, depth_free};
    (void)engine;
    DepthPlayer *own = calloc(1, sizeof *own);
    if (!own)
        return error_set(error, "out of memory"), NULL;
    own->player = (Player){.class = &CLASS, .spec = *spec};
    own->how = twodepth_default();
    if (spec->limits.depth > 0 && spec->limits.depth <= TWODEPTH_DEPTH_MAX) {
        own->how.normal = spec->limits.depth;
        own->how.deep = 2 * own->how.normal;
    }
    bool ok = true;
    for (int i = 0; i < spec->option_count && ok; i++)
        ok = read_option(own, &spec->options[i], error);
    if (ok && load_files(own, error))
        return &own->player;
    depth_free(&own->player);
    return NULL;
}

Player *network_player_new(const PlayerSpec *spec, Engine *engine, Error *error)
{
    if (!option_value(spec, "file"))
        return error_set(error, "network: file=NAME.dna is missing"), NULL;
    return twodepth_player_new(spec, engine, error);
}

// ---- The full network ----

void fullnet_set_board(Brain *brain, const Position *pos)
{
    static const KValues NONE = {0};
    KBoard board;
    kboard_from_position(&board, pos, &NONE);
    for (Square s = 0; s < 64; s++)
        brain_set_input(brain, s, board.men[s]);
}

// Rank and file of both squares as the side to move sees them; castling goes where the king goes.
static void move_parts(const Position *pos, Move move, int parts[4])
{
    const int flip = pos->side == WHITE ? 0 : 56;
    const Square from = move_from(move) ^ flip, to = move_to(move) ^ flip;
    parts[0] = square_rank(from);
    parts[1] = square_file(from);
    parts[2] = square_rank(to);
    parts[3] = !move_is_castle(move) ? square_file(to) : to > from ? 6 : 2;
}

void fullnet_targets(const Position *pos, Move move, int outputs, double *targets)
{
    int parts[4];
    move_parts(pos, move, parts);
    if (outputs == FULLNET_PARTS) {
        for (int i = 0; i < 4; i++)
            targets[i] = tanh(0.1 * parts[i] + 0.05);
        return;
    }
    memset(targets, 0, FULLNET_SQUARES * sizeof *targets);
    targets[parts[0] * 8 + parts[1]] = targets[64 + parts[2] * 8 + parts[3]] = 0.9;
}

static double decoded(double output)
{
    return 10 * atanh(output > 0.999999 ? 0.999999 : output < -0.999999 ? -0.999999 : output);
}

static int largest_of_64(const double *values)
{
    int largest = 0;
    for (int i = 1; i < 64; i++)
        largest = values[i] > values[largest] ? i : largest;
    return largest;
}

// Rank and file of both squares as the outputs say them; they may lie outside the board.
static void named_parts(int outputs, const double *values, int parts[4])
{
    if (outputs == FULLNET_PARTS) {
        for (int i = 0; i < 4; i++)
            parts[i] = (int)floor(decoded(values[i]));
        return;
    }
    const int from = largest_of_64(values), to = largest_of_64(values + 64);
    parts[0] = from / 8;
    parts[1] = from % 8;
    parts[2] = to / 8;
    parts[3] = to % 8;
}

// Pawns become queens.
static bool can_be_named(Move move)
{
    return !move_is_promotion(move) || move_promotion(move) == QUEEN;
}

Move fullnet_named_move(const Position *pos, int outputs, const double *values)
{
    Move legal[MAX_MOVES];
    int named[4];
    const int count = movegen_legal(pos, STAGE_ALL, legal);
    named_parts(outputs, values, named);
    for (int m = 0; m < count; m++) {
        int parts[4];
        move_parts(pos, legal[m], parts);
        if (can_be_named(legal[m]) && !memcmp(parts, named, sizeof parts))
            return legal[m];
    }
    return MOVE_NONE;
}

// How far a move is from what the outputs say.
static double distance(int outputs, const double *values, const int parts[4])
{
    double sum = 0;
    if (outputs == FULLNET_SQUARES)
        return -values[parts[0] * 8 + parts[1]] - values[64 + parts[2] * 8 + parts[3]];
    for (int i = 0; i < 4; i++)
        sum += pow(decoded(values[i]) - parts[i] - 0.5, 2);
    return sum;
}

Move fullnet_nearest_move(const Position *pos, int outputs, const double *values)
{
    Move legal[MAX_MOVES], nearest = MOVE_NONE;
    const int count = movegen_legal(pos, STAGE_ALL, legal);
    double least = INFINITY;
    for (int m = 0; m < count; m++) {
        int parts[4];
        move_parts(pos, legal[m], parts);
        const double far = distance(outputs, values, parts);
        if (far < least && can_be_named(legal[m])) {
            least = far;
            nearest = legal[m];
        }
    }
    return nearest;
}

typedef struct FullPlayer {
    Player player;
    Brain *brain;
    bool is_strict; // an answer that is no legal move loses
} FullPlayer;

// The recurrent pairs hear every position before an own move, from the game's first.
static void full_recall(Brain *brain, const Game *game)
{
    brain_reset_all(brain);
    Position pos = game->start;
    for (int i = 0; i < game->count && brain->recurrent; i++) {
        Undo undo;
        if (pos.side == game->now.side) {
            fullnet_set_board(brain, &pos);
            brain_update(brain);
        }
        position_make(&pos, game->steps[i].move, &undo);
    }
    fullnet_set_board(brain, &game->now);
    brain_update(brain);
}

static void full_choose(Player *player, const Game *game, const SearchLimits *limits,
                        PlayerMove *answer)
{
    (void)limits;
    FullPlayer *own = (FullPlayer *)player;
    full_recall(own->brain, game);
    const double *values = &own->brain->values[brain_first_output(own->brain)];
    const int outputs = own->brain->outputs;
    answer->move = fullnet_named_move(&game->now, outputs, values);
    answer->nodes = 1;
    if (!answer->move && !own->is_strict)
        answer->move = fullnet_nearest_move(&game->now, outputs, values);
    if (!answer->move) {
        answer->fault = FAULT_ILLEGAL;
        snprintf(answer->detail, sizeof answer->detail, "named no legal move");
    }
}

static void full_free(Player *player)
{
    FullPlayer *own = (FullPlayer *)player;
    brain_free(own->brain);
    free(own);
}

Player *fullnet_player_new(const PlayerSpec *spec, Engine *engine, Error *error)
{
    static const PlayerClass CLASS = {new_game, full_choose, full_free};
    (void)engine;
    const char *path = option_value(spec, "file"), *strict = option_value(spec, "strict");
    if (!path)
        return error_set(error, "fullnet: file=NAME.dna is missing"), NULL;
    FullPlayer *own = calloc(1, sizeof *own);
    if (!own)
        return error_set(error, "out of memory"), NULL;
    own->player = (Player){.class = &CLASS, .spec = *spec};
    own->is_strict = strict && strcmp(strict, "0");
    own->brain = load_brain(path, FULLNET_PARTS, error);
    const int outputs = own->brain ? own->brain->outputs : 0;
    if (outputs == FULLNET_PARTS || outputs == FULLNET_SQUARES)
        return &own->player;
    if (own->brain)
        error_set(error, "%s: has %d outputs, not 4 or 128", path, outputs);
    brain_free(own->brain);
    free(own);
    return NULL;
}
