// See league.h. Start with `play_generation` and `breed`.
#include "lab/league.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/str.h"
#include "base/thread.h"
#include "lab/league_file.h"

LeagueConfig league_default(void)
{
    LeagueConfig config = {.populations = 10,
                           .individuals = 6,
                           .generations = 450,
                           .freeze_every = 50,
                           .keeps_best = true,
                           .random_reach = 1,
                           .shape = {.inputs = 64,
                                     .middle = 40,
                                     .outputs = 1,
                                     .groups = 1,
                                     .group_sizes = {10},
                                     .fan = 4,
                                     .has_functions = true},
                           .mutation = brain_mutation_default(),
                           .style = {.how = twodepth_default()},
                           .plies_max = 300,
                           .seed = 1,
                           .workers = thread_cpu_count()};
    config.style.how.normal = 2;
    config.style.how.deep = 4;
    config.style.how.is_sorted = true; // the same moves, sooner
    return config;
}

// ---- Games that are known ----

// Two players that met before play the same game again: it is looked up. Players are told apart by
// what they compute, so that a mutation which cannot matter costs nothing.
typedef struct Meeting {
    uint64_t white, black;
    int start;
    LeagueResult result;
} Meeting;

typedef struct Meetings {
    Meeting *at;
    size_t count, room;
    uint32_t *slots; // index + 1 of a meeting, or 0
    size_t slot_count;
} Meetings;

static size_t first_slot(const Meetings *m, uint64_t white, uint64_t black, int start)
{
    uint64_t mixed = white * 3 + black * 5 + (uint64_t)start;
    return random_split(&mixed) & (m->slot_count - 1);
}

// The slot where this meeting is or would be.
static size_t find_slot(const Meetings *m, uint64_t white, uint64_t black, int start)
{
    size_t s = first_slot(m, white, black, start);
    for (; m->slots[s]; s = (s + 1) & (m->slot_count - 1)) {
        const Meeting *seen = &m->at[m->slots[s] - 1];
        if (seen->white == white && seen->black == black && seen->start == start)
            break;
    }
    return s;
}

static bool grow_meetings(Meetings *m)
{
    const size_t room = m->room ? 2 * m->room : 4096;
    Meeting *at = realloc(m->at, room * sizeof *at);
    uint32_t *slots = calloc(2 * room, sizeof *slots);
    m->at = at ? at : m->at;
    if (!at || !slots)
        return free(slots), false;
    free(m->slots);
    m->slots = slots;
    m->slot_count = 2 * room;
    m->room = room;
    for (size_t i = 0; i < m->count; i++)
        m->slots[find_slot(m, at[i].white, at[i].black, at[i].start)] = (uint32_t)i + 1;
    return true;
}

// The number of this meeting, a new one if they never met; -1 when memory ran out.
static long find_meeting(Meetings *m, uint64_t white, uint64_t black, int start)
{
    if (m->count == m->room && !grow_meetings(m))
        return -1;
    const size_t s = find_slot(m, white, black, start);
    if (!m->slots[s]) {
        m->at[m->count] = (Meeting){.white = white, .black = black, .start = start};
        m->slots[s] = (uint32_t)++m->count;
    }
    return (long)m->slots[s] - 1;
}

// ---- A generation ----

// A game of the generation: who has which colour, as population * individuals + individual.
typedef struct Pairing {
    int players[2];
    long meeting;
} Pairing;

typedef struct League {
    const LeagueConfig *config;
    LeagueState state;
    LeagueStatus status;
    LeagueCallback *callback;
    void *context;
    char identity[2048];
    int64_t start_ms;
    Meetings meetings;
    LeagueMind *minds;
    Pairing *pairings;
    int pairing_count;
    int *jobs; // pairings that must be played
    int job_count;
    Bytes common; // generation, then the DNA of all
} League;

static int player_count(const LeagueConfig *c)
{
    return c->populations * c->individuals;
}

// Where this generation's games begin.
static int start_index(const LeagueConfig *c, int generation)
{
    return c->start_count ? generation % c->start_count : 0;
}

static void start_position(const LeagueConfig *c, int generation, Position *pos)
{
    if (c->start_count)
        *pos = c->starts[start_index(c, generation)];
    else
        position_start(pos, &VARIANTS[VARIANT_CHESS], 0, NULL);
}

bool league_is_bred(const LeagueConfig *config, int population, int generation)
{
    return !config->freeze_every || generation <= population * config->freeze_every;
}

// Does this one play in this generation? Of frozen populations, and in the final tournament, only
// champions do.
static bool takes_part(const LeagueConfig *c, int player, int generation)
{
    return player % c->individuals == 0 ||
           (generation <= c->generations && league_is_bred(c, player / c->individuals, generation));
}

// Everybody meets the champion of every other population with both colours; champions once.
static bool set_pairings(League *l, int generation)
{
    const LeagueConfig *c = l->config;
    const int players = player_count(c);
    l->pairing_count = 0;
    for (int a = 0; a < players; a++)
        for (int p = 0; p < c->populations; p++) {
            const int b = p * c->individuals;
            const bool is_twice = a % c->individuals == 0 && b < a;
            if (p == a / c->individuals || is_twice || !takes_part(c, a, generation))
                continue;
            for (int colour = 0; colour < 2; colour++)
                l->pairings[l->pairing_count++] =
                    (Pairing){.players = {colour ? b : a, colour ? a : b}};
        }
    return true;
}

static bool make_minds(League *l, int generation, Error *error)
{
    const LeagueConfig *c = l->config;
    for (int i = 0; i < player_count(c); i++) {
        league_mind_release(&l->minds[i]);
        if (takes_part(c, i, generation) &&
            !league_mind_init(&l->minds[i], &c->style, &l->state.dna[i], error))
            return false;
    }
    return true;
}

// Which games must be played: each meeting once, and none that is known.
static bool set_jobs(League *l, int generation, Error *error)
{
    const int start = start_index(l->config, generation);
    l->job_count = 0;
    for (int i = 0; i < l->pairing_count; i++) {
        Pairing *p = &l->pairings[i];
        const size_t before = l->meetings.count;
        p->meeting = find_meeting(&l->meetings, l->minds[p->players[WHITE]].mark,
                                  l->minds[p->players[BLACK]].mark, start);
        if (p->meeting < 0)
            return error_set(error, "out of memory");
        if (l->meetings.count > before)
            l->jobs[l->job_count++] = i;
    }
    return true;
}

// The generation's number and all DNA, for workers anywhere.
static bool set_common(League *l, int generation, Error *error)
{
    bytes_clear(&l->common);
    bool ok = bytes_add(&l->common, &generation, sizeof generation);
    for (int i = 0; i < player_count(l->config) && ok; i++) {
        const int count = takes_part(l->config, i, generation) ? l->state.dna[i].count : 0;
        ok = bytes_add(&l->common, &count, sizeof count) &&
             bytes_add(&l->common, l->state.dna[i].at, (size_t)count * sizeof(double));
    }
    return ok || error_set(error, "out of memory");
}

// ---- Work, in any process ----

typedef struct Worker {
    int generation; // that its minds are of; 0: none
    int count;
    LeagueMind *minds;
    GameStep steps[LEAGUE_PLIES_MAX];
} Worker;

static void *make_worker(void *context, const atomic_bool *stop, Error *error)
{
    const League *l = context;
    (void)stop;
    Worker *worker = calloc(1, sizeof *worker);
    if (worker) {
        worker->count = player_count(l->config);
        worker->minds = calloc((size_t)worker->count, sizeof *worker->minds);
    }
    if (worker && worker->minds)
        return worker;
    free(worker);
    return error_set(error, "out of memory"), NULL;
}

static void free_worker(void *context, void *state)
{
    Worker *worker = state;
    (void)context;
    for (int i = 0; i < worker->count; i++)
        league_mind_release(&worker->minds[i]);
    free(worker->minds);
    free(worker);
}

// The minds of a generation from its common bytes.
static bool learn_minds(Worker *worker, const LeagueConfig *c, const SpreadPiece *piece,
                        Error *error)
{
    const uint8_t *at = piece->common, *end = at + piece->common_size;
    int generation = 0, count = 0;
    bool ok = bytes_take(&at, end, &generation, sizeof generation);
    if (ok && generation == worker->generation)
        return true;
    for (int i = 0; i < worker->count && ok; i++) {
        league_mind_release(&worker->minds[i]);
        ok = bytes_take(&at, end, &count, sizeof count);
        Dna dna = {ok && count ? malloc((size_t)count * sizeof(double)) : NULL, count};
        ok = ok && (!count || (dna.at && bytes_take(&at, end, dna.at, (size_t)count * 8) &&
                               league_mind_init(&worker->minds[i], &c->style, &dna, error)));
        dna_release(&dna);
    }
    worker->generation = ok ? generation : 0;
    return ok;
}

static bool play_piece(void *context, void *state, const SpreadPiece *piece, Bytes *result,
                       Error *error)
{
    const League *l = context;
    Worker *worker = state;
    const uint8_t *at = piece->input;
    int players[2];
    LeagueResult game;
    Position start;
    if (!learn_minds(worker, l->config, piece, error) ||
        !bytes_take(&at, at + piece->input_size, players, sizeof players))
        return false;
    start_position(l->config, worker->generation, &start);
    return league_play(&worker->minds[players[WHITE]], &worker->minds[players[BLACK]], &start,
                       l->config->plies_max, worker->steps, piece->stop, &game) &&
           bytes_add(result, &game, sizeof game);
}

// ---- The first process ----

static SpreadGift give_game(void *context, uint64_t index, Bytes *input)
{
    League *l = context;
    const Pairing *p = &l->pairings[l->jobs[index]];
    return bytes_add(input, p->players, sizeof p->players) ? SPREAD_PIECE : SPREAD_END;
}

static void tell(League *l)
{
    l->status.elapsed_ms = clock_ms() - l->start_ms;
    if (l->callback)
        l->callback(l->context, &l->status);
}

static bool take_game(void *context, uint64_t index, const uint8_t *result, size_t size,
                      Error *error)
{
    League *l = context;
    Meeting *m = &l->meetings.at[l->pairings[l->jobs[index]].meeting];
    if (size != sizeof m->result)
        return error_set(error, "a game came back in a form that is not known");
    memcpy(&m->result, result, size);
    l->state.nodes += m->result.nodes;
    l->status.games_done++;
    l->status.nodes = l->state.nodes;
    tell(l);
    return true;
}

static SpreadWork work_of(League *l)
{
    return (SpreadWork){.context = l,
                        .threads = l->config->workers,
                        .make = make_worker,
                        .free = free_worker,
                        .work = play_piece,
                        .give = give_game,
                        .take = take_game,
                        .count = (uint64_t)l->job_count,
                        .common = l->common.at,
                        .common_size = l->common.size,
                        .stop = l->config->stop};
}

static bool play_games(League *l, Error *error)
{
    SpreadWork work = work_of(l);
    return !l->job_count || spread_run(l->config->team, &work, error);
}

static bool is_stopped(const League *l)
{
    return stop_is_set(l->config->stop);
}

// ---- Grading ----

static bool is_champion(const LeagueConfig *c, int player)
{
    return player % c->individuals == 0;
}

// Elo with step 16, by games between champions alone.
static void rate_game(double *a, double *b, double points)
{
    const double expected = 1 / (1 + pow(10, (*b - *a) / 400));
    *a += 16 * (points - expected);
    *b -= 16 * (points - expected);
}

// The best of each population and the mean of all who played.
static void sum_fitness(const League *l, const double *fitness, LeagueRow *row)
{
    const LeagueConfig *c = l->config;
    int count = 0;
    for (int i = 0; i < player_count(c); i++) {
        double *best = &row->fitness[i / c->individuals];
        if (!takes_part(c, i, l->status.generation))
            continue;
        *best = i % c->individuals ? fmax(*best, fitness[i]) : fitness[i];
        row->mean_fitness += fitness[i];
        count++;
    }
    row->mean_fitness /= count > 0 ? count : 1;
}

// Fitness of all, plain points and ratings of champions. Only games against champions count, and
// they count for the one who met the champion; between champions for both.
static void grade(League *l, double *fitness, LeagueRow *row)
{
    const LeagueConfig *c = l->config;
    memset(fitness, 0, (size_t)player_count(c) * sizeof *fitness);
    for (int i = 0; i < l->pairing_count; i++) {
        const Pairing *p = &l->pairings[i];
        const LeagueResult *game = &l->meetings.at[p->meeting].result;
        const int white = p->players[WHITE], black = p->players[BLACK];
        if (is_champion(c, black))
            fitness[white] += league_fitness(game, WHITE);
        if (is_champion(c, white))
            fitness[black] += league_fitness(game, BLACK);
        if (!is_champion(c, white) || !is_champion(c, black))
            continue;
        const int a = white / c->individuals, b = black / c->individuals;
        row->points[a] += league_points(game);
        row->points[b] += 1 - league_points(game);
        rate_game(&l->state.ratings[a], &l->state.ratings[b], league_points(game));
    }
    memcpy(row->ratings, l->state.ratings, sizeof row->ratings);
    sum_fitness(l, fitness, row);
    row->games = (uint64_t)l->job_count;
    row->known = (uint64_t)(l->pairing_count - l->job_count);
}

void league_weights(const double *fitness, int count, double *weights)
{
    double best = fitness[0], worst = fitness[0];
    for (int i = 1; i < count; i++) {
        best = fmax(best, fitness[i]);
        worst = fmin(worst, fitness[i]);
    }
    for (int i = 0; i < count; i++) {
        const double ratio = best > worst ? (fitness[i] - worst) / (best - worst) : 1;
        weights[i] = 0.1 + 0.9 * ratio * ratio;
    }
}

void league_line(const double *points, int count, double *slope, double *intercept,
                 double *correlation)
{
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (int i = 0; i < count; i++) {
        x += (i + 1.0) / count;
        y += points[i] / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (i + 1 - x) * (i + 1 - x);
        xy += (i + 1 - x) * (points[i] - y);
        yy += (points[i] - y) * (points[i] - y);
    }
    *slope = xx > 0 ? xy / xx : 0;
    *intercept = y - *slope * x;
    *correlation = xx * yy > 0 ? xy / sqrt(xx * yy) : 0;
}

// ---- Breeding ----

// Random numbers of their own for every purpose, so that they do not hang on what came before.
static Random chance(const LeagueConfig *c, int generation, int player)
{
    uint64_t mixed = c->seed;
    Random random;
    random_init(&random, random_split(&mixed) + ((uint64_t)generation << 32) + (uint64_t)player);
    return random;
}

static int draw_parent(const double *weights, int count, Random *random)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += weights[i];
    double at = random_unit(random) * sum;
    for (int i = 0; i < count - 1; i++)
        if ((at -= weights[i]) < 0)
            return i;
    return count - 1;
}

// Weights of the hand-written evaluation move in centipawns.
static bool mutate_hand(const Dna *parent, const BrainMutation *m, Random *random, Dna *child,
                        Error *error)
{
    if (!dna_copy(child, parent))
        return error_set(error, "out of memory");
    for (int i = 0; i < child->count; i++)
        if (random_unit(random) < m->weight_share)
            child->at[i] += 40 * m->weight_step * random_normal(random);
    return true;
}

static bool make_child(const LeagueConfig *c, const Dna *parent, Random *random, Dna *child,
                       Error *error)
{
    return c->style.genome == GENOME_HAND ? mutate_hand(parent, &c->mutation, random, child, error)
                                          : dna_mutate(parent, &c->mutation, random, child, error);
}

static int best_of(const double *fitness, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        best = fitness[i] > fitness[best] ? i : best;
    return best;
}

// The next generation of one population: the best, if it is kept, and changed children of parents
// drawn by weight.
static bool breed(League *l, int population, int generation, const double *fitness, Error *error)
{
    const LeagueConfig *c = l->config;
    Dna *old = &l->state.dna[population * c->individuals], next[LEAGUE_INDIVIDUALS_MAX] = {0};
    double weights[LEAGUE_INDIVIDUALS_MAX];
    Random random = chance(c, generation, population);
    bool ok = true;
    league_weights(fitness, c->individuals, weights);
    for (int i = 0; i < c->individuals && ok; i++) {
        const bool is_kept = c->keeps_best && i == 0;
        const int parent = is_kept ? best_of(fitness, c->individuals)
                                   : draw_parent(weights, c->individuals, &random);
        ok = is_kept ? dna_copy(&next[0], &old[parent]) || error_set(error, "out of memory")
                     : make_child(c, &old[parent], &random, &next[i], error);
    }
    for (int i = 0; i < c->individuals; i++) {
        dna_release(ok ? &old[i] : &next[i]);
        if (ok)
            old[i] = next[i];
    }
    return ok;
}

static bool make_first(const LeagueConfig *c, int player, Dna *dna, Error *error)
{
    Random random = chance(c, 0, player);
    if (c->style.genome == GENOME_HAND) {
        const HandSetup *setup = hand_setup(&VARIANTS[VARIANT_CHESS]);
        bool ok = twodepth_hand_to_dna(setup->weights[WHITE], dna);
        for (int i = 0; ok && c->starts_random && i < dna->count; i++)
            dna->at[i] *= 1 + 0.2 * c->random_reach * (2 * random_unit(&random) - 1);
        return ok || error_set(error, "out of memory");
    }
    Brain *brain = brain_new(&c->shape, &random);
    if (brain && c->starts_random)
        brain_randomise(brain, c->random_reach, &random);
    const bool ok = brain && brain_to_dna(brain, dna);
    brain_free(brain);
    return ok || error_set(error, "out of memory");
}

static bool make_all(League *l, Error *error)
{
    bool ok = true;
    for (int i = 0; i < player_count(l->config) && ok; i++)
        ok = make_first(l->config, i, &l->state.dna[i], error);
    for (int p = 0; p < l->config->populations; p++)
        l->state.ratings[p] = 1500;
    return ok;
}

// ---- The run ----

static bool write_dna(const League *l, int player, const char *kind, int number, int digits,
                      Error *error)
{
    char path[LEAGUE_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s-%0*d.dna", l->config->folder, kind, digits, number);
    return dna_write(&l->state.dna[player], path, error);
}

// The champion with most points, in the final tournament under the number of the last generation.
static bool write_champion(const League *l, int generation, const LeagueRow *row, Error *error)
{
    const LeagueConfig *c = l->config;
    const int number = generation > c->generations ? c->generations : generation;
    return write_dna(l, best_of(row->points, c->populations) * c->individuals, "champion", number,
                     3, error);
}

// Populations as they stand: those that were bred last, and all when it is over.
static bool write_populations(const League *l, int generation, Error *error)
{
    const LeagueConfig *c = l->config;
    bool ok = true;
    for (int p = 0; p < c->populations && ok; p++)
        if (generation > c->generations || generation == 1 ||
            (league_is_bred(c, p, generation) && !league_is_bred(c, p, generation + 1)))
            ok = write_dna(l, p * c->individuals, "population", p + 1, 2, error);
    return ok;
}

static void show_row(League *l, const LeagueRow *row, int generation)
{
    LeagueStatus *s = &l->status;
    memcpy(s->points, row->points, sizeof s->points);
    memcpy(s->ratings, row->ratings, sizeof s->ratings);
    memcpy(s->fitness, row->fitness, sizeof s->fitness);
    s->mean_fitness = row->mean_fitness;
    s->champion = best_of(row->points, l->config->populations);
    s->row_games = row->games + row->known;
    for (int p = 0; p < l->config->populations; p++)
        s->is_frozen[p] = !league_is_bred(l->config, p, generation);
    s->games_total = l->state.games_total;
    s->games_known = l->state.games_known;
}

static bool play_generation(League *l, int generation, double *fitness, LeagueRow *row,
                            Error *error)
{
    *row = (LeagueRow){0};
    l->status.generation = generation;
    l->status.games_done = 0;
    if (!make_minds(l, generation, error) || !set_pairings(l, generation) ||
        !set_jobs(l, generation, error) || !set_common(l, generation, error))
        return false;
    l->status.games = (uint64_t)l->job_count;
    if (!play_games(l, error))
        return false;
    if (is_stopped(l))
        return true;
    grade(l, fitness, row);
    l->state.games_total += row->games;
    l->state.games_known += row->known;
    return true;
}

// Plays, grades, breeds and writes; nothing of a generation that was stopped is kept.
static bool run_generation(League *l, double *fitness, Error *error)
{
    const LeagueConfig *c = l->config;
    const int generation = l->state.done + 1;
    LeagueRow *row = &l->state.rows[l->state.done];
    if (!play_generation(l, generation, fitness, row, error) || is_stopped(l))
        return is_stopped(l);
    if (!write_champion(l, generation, row, error))
        return false;
    for (int p = 0; p < c->populations; p++)
        if (generation <= c->generations && league_is_bred(c, p, generation) &&
            !breed(l, p, generation, fitness + p * c->individuals, error))
            return false;
    l->status.done = ++l->state.done;
    l->status.is_over = l->state.done == l->state.capacity;
    show_row(l, row, generation + 1);
    tell(l);
    return write_populations(l, generation, error) &&
           league_write_csv(&l->state, c->folder, error) &&
           (generation % 10 || league_draw(&l->state, c->folder, error)) &&
           league_state_save(&l->state, c->folder, l->identity, error);
}

// Everything that the champions hang on, in lines.
static void write_identity(League *l)
{
    const LeagueConfig *c = l->config;
    const TwoDepth *how = &c->style.how;
    const BrainMutation *m = &c->mutation;
    uint64_t starts = CHECKSUM_FNV_START;
    Str out;
    for (int i = 0; i < c->start_count; i++)
        starts = checksum_fnv(starts, &c->starts[i].state.key, sizeof(Key));
    str_init(&out, l->identity, sizeof l->identity);
    str_format(&out, "populations %d\nindividuals %d\ngenerations %d\nfreeze %d\nbest kept %d\n",
               c->populations, c->individuals, c->generations, c->freeze_every, c->keeps_best);
    str_format(&out, "random %d %g\nmiddle %d\npairs %d\nfan %d\noutputs %d\nfunctions %d\n",
               c->starts_random, c->random_reach, c->shape.middle, c->shape.group_sizes[0],
               c->shape.fan, c->shape.outputs, c->shape.has_functions);
    str_format(&out, "mutation %g %g %g %g %g %d %d\n", m->weight_share, m->weight_step,
               m->function_share, m->link_chance, m->node_chance, m->middle_max, m->fan);
    str_format(&out, "genome %d\ndepth %d/%d\nends %d\ngrow %d\nreset %d\n", c->style.genome,
               how->normal, how->deep, how->proper_ends, how->grows, how->reset);
    str_format(&out, "factor %g\nplacement %d\nplies %d\nstarts %d %016llx\nseed %llu\n",
               (double)how->factor, how->values.of[K_KNIGHT][27], c->plies_max, c->start_count,
               (unsigned long long)starts, (unsigned long long)c->seed);
}

// Tells of the generations that were there before, one after the other.
static void tell_old(League *l)
{
    l->status.is_old = true;
    for (int g = 0; g < l->state.done; g++) {
        l->status.done = g + 1;
        show_row(l, &l->state.rows[g], g + 2);
        tell(l);
    }
    l->status.is_old = false;
}

static bool prepare(League *l, Error *error)
{
    const LeagueConfig *c = l->config;
    const size_t players = (size_t)player_count(c), games = players * (size_t)c->populations * 2;
    l->minds = calloc(players, sizeof *l->minds);
    l->pairings = calloc(games, sizeof *l->pairings);
    l->jobs = calloc(games, sizeof *l->jobs);
    if (!l->minds || !l->pairings || !l->jobs)
        return error_set(error, "out of memory");
    bool is_there;
    write_identity(l);
    if (!league_state_init(&l->state, c, error) || !file_make_folder(c->folder, error) ||
        !league_state_load(&l->state, c->folder, l->identity, &is_there, error) ||
        (!is_there && !make_all(l, error)))
        return false;
    l->status.resumed = l->status.done = l->state.done;
    l->status.nodes = l->state.nodes;
    l->status.is_over = l->state.done == l->state.capacity;
    l->status.generation = l->state.done + 1;
    tell_old(l);
    return true;
}

static void release(League *l)
{
    for (int i = 0; l->minds && i < player_count(l->config); i++)
        league_mind_release(&l->minds[i]);
    free(l->minds);
    free(l->pairings);
    free(l->jobs);
    free(l->meetings.at);
    free(l->meetings.slots);
    bytes_release(&l->common);
    league_state_release(&l->state);
}

// The first process.
static bool lead(League *l, Error *error)
{
    double *fitness = calloc((size_t)player_count(l->config), sizeof *fitness);
    bool ok = fitness ? prepare(l, error) : error_set(error, "out of memory");
    while (ok && !is_stopped(l) && l->state.done < l->state.capacity)
        ok = run_generation(l, fitness, error);
    ok = ok && league_draw(&l->state, l->config->folder, error);
    free(fitness);
    return ok;
}

static bool check(const LeagueConfig *c, Error *error)
{
    if (c->populations < 2 || c->populations > LEAGUE_POPULATIONS_MAX || c->individuals < 1 ||
        c->individuals > LEAGUE_INDIVIDUALS_MAX)
        return error_set(error, "a league has 2 to %d populations of 1 to %d individuals",
                         LEAGUE_POPULATIONS_MAX, LEAGUE_INDIVIDUALS_MAX);
    return (c->plies_max >= 1 && c->plies_max <= LEAGUE_PLIES_MAX) ||
           error_set(error, "games have 1 to %d half-moves", LEAGUE_PLIES_MAX);
}

bool league_run(const LeagueConfig *config, LeagueCallback *callback, void *context,
                LeagueStatus *status, Error *error)
{
    if (!check(config, error))
        return false;
    League l = {.config = config,
                .callback = callback,
                .context = context,
                .start_ms = clock_ms(),
                .status = {.generations = config->generations, .populations = config->populations}};
    bool ok;
    if (!spread_is_first(config->team)) {
        SpreadWork work = work_of(&l);
        ok = spread_serve(config->team, &work, error);
    } else {
        ok = lead(&l, error);
        l.status.elapsed_ms = clock_ms() - l.start_ms;
    }
    *status = l.status;
    release(&l);
    return ok;
}
