// See solve.h. Start with solve: it prepares each batch of positions (prepare_node) and spreads
// what is known (spread_metric), once for the distance to the end and once for that to zeroing.
#include "tables/solve.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "core/movegen.h"

// ---- What is known of a node while it is being solved ----
// Three bits for the kind, thirteen for a number of half-moves.
typedef uint16_t Known;
enum {
    OPEN,       // may still be lost: no sooner than the number says, which captures and pawns allow
    HELD,       // does not lose: a capture or pawn move draws, or there is no move
    WINS_LATER, // a capture or pawn move wins after so many half-moves
    LOSES_LATER,
    WON,
    LOST,
    NO_NODE, // no position
    KIND_SHIFT = 13,
    MOST_PLIES = (1 << KIND_SHIFT) - 1,
    FIFTY = 100, // half-moves without zeroing that do not draw yet
};

static inline int known_kind(Known known)
{
    return known >> KIND_SHIFT;
}
static inline int known_plies(Known known)
{
    return known & MOST_PLIES;
}
static inline Known known_make(int kind, int plies)
{
    return (Known)(kind << KIND_SHIFT | plies);
}

// The two distances, solved in the same way.
typedef struct Metric {
    Known *known[2];   // by side to move
    uint8_t *moves[2]; // twice the quiet moves that are not yet known to lose
} Metric;

typedef struct Solver {
    Solution *solution;
    const Layout *layout;
    const SolveConfig *config;
    Metric end, zeroing;
    uint32_t *parts; // those parts of the numbers (same pawns) that are solved together
    int part_count;
    bool is_broken; // a child was not known: a bug of the caller
} Solver;

// ---- Positions that are known ----

static const KnownTable *find_known(const KnownTable *known, int count, const Material *material)
{
    for (int i = 0; i < count; i++)
        if (material_is_same(&known[i].layout.material, material))
            return &known[i];
    return NULL;
}

typedef struct KnownList {
    const KnownTable *at;
    int count;
} KnownList;

static Fate plain_known(const void *context, const Position *pos)
{
    const KnownList *list = context;
    Material material = material_of(pos);
    material_normalise(&material, pos->rules);
    const KnownTable *known = find_known(list->at, list->count, &material);
    if (!known)
        return material_has_table(&material) ? FATE_NONE : fate_of_end(pos);
    Color side;
    uint64_t index = layout_find(&known->layout, pos, &side);
    return known->fate[side][index];
}

Fate known_fate(const KnownTable *known, int count, const Position *pos)
{
    KnownList list = {known, count};
    return pos->state.en_passant == NO_SQUARE
               ? plain_known(&list, pos)
               : fate_with_en_passant(pos, plain_known, plain_known, &list);
}

// The fate of a node of the table at work that is solved.
static Fate node_fate(const Solver *solver, Color side, uint64_t index)
{
    Known end = solver->end.known[side][index], zeroing = solver->zeroing.known[side][index];
    int kind = known_kind(end);
    if (kind != WON && kind != LOST)
        return kind == NO_NODE ? FATE_NONE : FATE_DRAW;
    return fate_make(known_plies(end), known_plies(zeroing) > FIFTY);
}

static Fate plain_own(const void *context, const Position *pos)
{
    const Solver *solver = context;
    Color side;
    uint64_t index = layout_find(solver->layout, pos, &side);
    return node_fate(solver, side, index);
}

static Fate after_own(const void *context, const Position *pos)
{
    const Solver *solver = context;
    return known_fate(solver->config->known, solver->config->known_count, pos);
}

// The fate after a capture or pawn move.
static Fate child_fate(const Solver *solver, const Position *child)
{
    Material material = material_of(child);
    material_normalise(&material, child->rules);
    if (!material_is_same(&material, &solver->layout->material))
        return after_own(solver, child);
    return child->state.en_passant == NO_SQUARE
               ? plain_own(solver, child)
               : fate_with_en_passant(child, plain_own, after_own, solver);
}

// ---- The beginning: what captures and pawn moves yield ----

// What is seen of the moves of a node.
typedef struct Prospect {
    int quiet;                 // moves of pieces that take nothing
    int best_rank;             // fate_rank of the best of the others, as seen by the mover
    Fate best;                 // the same as a fate of the mover
    int best_wdl, capture_wdl; // WDL_NONE: there is none
} Prospect;

static void look_at_move(Solver *solver, const Position *pos, Move move, Prospect *prospect)
{
    Position child = *pos;
    Undo undo;
    position_make(&child, move, &undo);
    Fate fate = child_fate(solver, &child);
    if (fate == FATE_NONE) {
        solver->is_broken = true;
        return;
    }
    fate = fate_before(fate);
    int wdl = fate_wdl(fate);
    if (prospect->best_wdl == WDL_NONE || fate_rank(fate) > prospect->best_rank) {
        prospect->best_rank = fate_rank(fate);
        prospect->best = fate;
    }
    if (wdl > prospect->best_wdl)
        prospect->best_wdl = wdl;
    if (move_is_capture(move) && wdl > prospect->capture_wdl)
        prospect->capture_wdl = wdl;
}

static Known end_prospect(const Prospect *p)
{
    if (p->best_wdl == WDL_NONE)
        return known_make(OPEN, 0);
    if (p->best == FATE_DRAW)
        return known_make(HELD, 0);
    int plies = fate_plies(p->best);
    return known_make(plies & 1 ? WINS_LATER : p->quiet ? OPEN : LOSES_LATER, plies);
}

static Known zeroing_prospect(const Prospect *p)
{
    switch (p->best_wdl) {
    case WDL_NONE: return known_make(OPEN, 0);
    case WDL_WIN: return known_make(WINS_LATER, 1);
    case WDL_CURSED_WIN: return known_make(WINS_LATER, FIFTY + 1);
    case WDL_DRAW: return known_make(HELD, 0);
    default:
        return known_make(p->quiet ? OPEN : LOSES_LATER, p->best_wdl == WDL_LOSS ? 1 : FIFTY + 1);
    }
}

static void set_node(Solver *solver, Color side, uint64_t index, Known end, Known zeroing)
{
    solver->end.known[side][index] = end;
    solver->zeroing.known[side][index] = zeroing;
}

static void prepare_node(Solver *solver, Color side, uint64_t index)
{
    Position pos;
    if (!layout_position(solver->layout, index, side, &pos)) {
        set_node(solver, side, index, known_make(NO_NODE, 0), known_make(NO_NODE, 0));
        return;
    }
    Move list[MAX_MOVES];
    int count = movegen_legal(&pos, STAGE_ALL, list);
    Prospect p = {.best_wdl = WDL_NONE, .capture_wdl = WDL_NONE};
    for (int i = 0; i < count; i++)
        if (!move_is_capture(list[i]) && piece_type(pos.board[move_from(list[i])]) != PAWN)
            p.quiet++;
        else
            look_at_move(solver, &pos, list[i], &p);
    Known over = known_make(!count && fate_of_end(&pos) != FATE_DRAW ? LOST : HELD, 0);
    set_node(solver, side, index, count ? end_prospect(&p) : over,
             count ? zeroing_prospect(&p) : over);
    assert(p.quiet < 128);
    solver->end.moves[side][index] = solver->zeroing.moves[side][index] = (uint8_t)(2 * p.quiet);
    solver->solution->best_capture[side][index] = (int8_t)p.capture_wdl;
    solver->solution->is_zeroed[side][index] = p.best_wdl > WDL_DRAW;
}

// ---- Spreading backwards ----

// A node that is solved, and all that is asked of it again and again.
typedef struct Source {
    Metric *metric;
    Color side;
    uint64_t index;
    Placement placement;
    Bitboard occupied;
    int plies, twins;
    bool is_won;
    bool has_news; // something was solved through it
} Source;

// Tells a node before it, of which a symmetry makes `twins`, what it leads to.
static void tell_node(Source *source, Color side, uint64_t index, int twins)
{
    Known *known = &source->metric->known[side][index];
    int kind = known_kind(*known), plies = source->plies + 1;
    if (!source->is_won) {
        if (kind <= HELD || (kind == WINS_LATER && known_plies(*known) > plies)) {
            *known = known_make(WON, plies);
            source->has_news = true;
        }
        return;
    }
    if (kind != OPEN)
        return;
    // A position that mirrors itself has each move twice but is met once, and the other way round.
    uint8_t *moves = &source->metric->moves[side][index];
    int less = 2 * twins / source->twins;
    assert(*moves >= less);
    *moves = (uint8_t)(*moves - less);
    if (*moves)
        return;
    int floor = known_plies(*known);
    *known = floor > plies ? known_make(LOSES_LATER, floor) : known_make(LOST, plies);
    source->has_news = true;
}

// Takes back a move of a man to another square: any node, by its placement.
static void tell_placement(Source *source, const Layout *layout, const Placement *placement)
{
    int twins, second = layout->kings == 2 ? placement->square[1] : 0;
    if (layout->lead_of[placement->square[0] << 6 | second] == NO_LEAD)
        return;
    if (layout->sides == 1) {
        Placement swapped = layout_swap(layout, placement);
        uint64_t index = layout_encode(layout, &swapped, &twins);
        tell_node(source, source->side, index, twins);
    } else {
        uint64_t index = layout_encode(layout, placement, &twins);
        tell_node(source, !source->side, index, twins);
    }
}

// Takes back moves of one man. Where the kings stay and cannot be mirrored, only one digit changes.
static void tell_by_man(Source *source, const Layout *layout, int man, bool is_plain)
{
    PieceType type = piece_type(layout->piece[man]);
    Placement before = source->placement;
    Bitboard from = piece_attacks(type, before.square[man], source->occupied) & ~source->occupied;
    if (man < layout->kings || !is_plain) {
        while (from) {
            before.square[man] = (uint8_t)bit_pop(&from);
            tell_placement(source, layout, &before);
        }
        return;
    }
    const LayoutGroup *group = &layout->group[layout->group_of[man]];
    const uint8_t *squares = before.square + group->first;
    uint64_t times = layout->times[layout->group_of[man] + 1];
    uint64_t rest = source->index - layout_group_digit(group, squares) * times;
    while (from) {
        before.square[man] = (uint8_t)bit_pop(&from);
        tell_node(source, !source->side, rest + layout_group_digit(group, squares) * times, 1);
    }
}

// Tells all nodes from which quiet moves of pieces lead to this one.
static void tell_before(Source *source, const Layout *layout)
{
    layout_decode(layout, source->index, &source->placement);
    uint32_t lead = (uint32_t)(source->index / layout->times[0] % layout->lead_size);
    bool is_plain = layout->sides == 2 && !layout->lead_mirror[lead];
    source->twins = 1;
    if (layout->lead_mirror[lead])
        layout_encode(layout, &source->placement, &source->twins);
    source->occupied = 0;
    for (int i = 0; i < layout->men; i++)
        source->occupied |= square_bit(source->placement.square[i]);
    for (int i = 0; i < layout->men; i++)
        if (piece_color(layout->piece[i]) != source->side && piece_type(layout->piece[i]) != PAWN)
            tell_by_man(source, layout, i, is_plain);
}

// What the first half-moves have still to come.
typedef struct Wave {
    int plies;
    bool has_later, has_news;
} Wave;

static void spread_node(Metric *metric, const Layout *layout, Color side, uint64_t index,
                        Wave *wave)
{
    Known *known = &metric->known[side][index];
    int kind = known_kind(*known), plies = known_plies(*known);
    if (kind < WINS_LATER || kind == NO_NODE)
        return;
    if (kind <= LOSES_LATER && plies > wave->plies)
        wave->has_later = true;
    if (plies != wave->plies)
        return;
    if (kind <= LOSES_LATER)
        *known = known_make(kind == WINS_LATER ? WON : LOST, plies);
    Source source = {.metric = metric,
                     .side = side,
                     .index = index,
                     .plies = plies,
                     .is_won = known_kind(*known) == WON};
    tell_before(&source, layout);
    wave->has_news |= source.has_news;
}

static bool is_stopped(const Solver *solver)
{
    return stop_is_set(solver->config->stop);
}

// Solves one distance for all nodes of the batch.
static bool spread_metric(Solver *solver, Metric *metric, Error *error)
{
    const Layout *layout = solver->layout;
    Wave wave = {.has_news = true};
    for (; wave.has_news || wave.has_later; wave.plies++) {
        if (wave.plies >= MOST_PLIES - 1)
            return error_set(error, "an ending is longer than %d half-moves", MOST_PLIES);
        wave.has_news = wave.has_later = false;
        for (int part = 0; part < solver->part_count; part++) {
            uint64_t first = solver->parts[part] * layout->pawn_step;
            for (Color side = 0; side < layout->sides; side++)
                for (uint64_t i = 0; i < layout->pawn_step; i++)
                    spread_node(metric, layout, side, first + i, &wave);
            if (is_stopped(solver))
                return error_set(error, "stopped");
        }
    }
    return true;
}

// ---- The whole ----

static void tell_work(const Solver *solver, uint64_t numbers)
{
    if (solver->config->on_work)
        solver->config->on_work(solver->config->context, numbers);
}

static bool solve_batch(Solver *solver, Error *error)
{
    const Layout *layout = solver->layout;
    uint64_t numbers = layout->pawn_step * (uint64_t)layout->sides * (uint64_t)solver->part_count;
    for (int part = 0; part < solver->part_count; part++)
        for (Color side = 0; side < layout->sides; side++)
            for (uint64_t i = 0; i < layout->pawn_step; i++) {
                if (i % 4096 == 0 && is_stopped(solver))
                    return error_set(error, "stopped");
                prepare_node(solver, side, solver->parts[part] * layout->pawn_step + i);
            }
    if (solver->is_broken)
        return error_set(error, "a smaller table is missing or wrong");
    tell_work(solver, numbers / 2);
    if (!spread_metric(solver, &solver->end, error) ||
        !spread_metric(solver, &solver->zeroing, error))
        return false;
    tell_work(solver, numbers - numbers / 2);
    return true;
}

// Gathers the parts whose pawns have come equally far.
static bool solve_all(Solver *solver, Error *error)
{
    const Layout *layout = solver->layout;
    int least = 0, most = 0;
    for (uint64_t part = 0; part < layout->pawn_parts; part++) {
        int progress = layout_progress(layout, part * layout->pawn_step);
        least = !part || progress < least ? progress : least;
        most = !part || progress > most ? progress : most;
    }
    for (int progress = most; progress >= least; progress--) {
        solver->part_count = 0;
        for (uint64_t part = 0; part < layout->pawn_parts; part++)
            if (layout_progress(layout, part * layout->pawn_step) == progress)
                solver->parts[solver->part_count++] = (uint32_t)part;
        if (solver->part_count && !solve_batch(solver, error))
            return false;
    }
    return true;
}

// Turns what is known into the result, in the same memory.
static bool finish(Solver *solver, Error *error)
{
    Solution *solution = solver->solution;
    for (Color side = 0; side < solver->layout->sides; side++)
        for (uint64_t i = 0; i < solver->layout->size; i++) {
            Known end = solver->end.known[side][i], zeroing = solver->zeroing.known[side][i];
            Fate fate = node_fate(solver, side, i);
            bool has_result = known_kind(end) == WON || known_kind(end) == LOST;
            if (has_result ? known_kind(end) != known_kind(zeroing)
                           : known_kind(zeroing) == WON || known_kind(zeroing) == LOST)
                return error_set(error, "the two distances contradict each other");
            solution->fate[side][i] = fate;
            solution->zeroing[side][i] = has_result ? (uint16_t)known_plies(zeroing) : 0;
            solution->has_cursed |= fate && fate != FATE_NONE && fate_is_cursed(fate);
            if (fate != FATE_NONE)
                solution->count[side][fate_wdl(fate) + 2]++;
            else
                solution->best_capture[side][i] = WDL_NONE;
        }
    return true;
}

static bool allocate(Solver *solver)
{
    Solution *s = solver->solution;
    size_t size = solver->layout->size;
    bool ok = true;
    for (Color side = 0; side < solver->layout->sides; side++) {
        s->fate[side] = solver->end.known[side] = malloc(size * sizeof(Known));
        s->zeroing[side] = solver->zeroing.known[side] = malloc(size * sizeof(Known));
        s->best_capture[side] = malloc(size);
        s->is_zeroed[side] = calloc(size, sizeof(bool));
        solver->end.moves[side] = malloc(size);
        solver->zeroing.moves[side] = malloc(size);
        ok = ok && s->fate[side] && s->zeroing[side] && s->best_capture[side] &&
             s->is_zeroed[side] && solver->end.moves[side] && solver->zeroing.moves[side];
    }
    solver->parts = malloc(solver->layout->pawn_parts * sizeof *solver->parts);
    return ok && solver->parts;
}

bool solve(Solution *solution, const SolveConfig *config, Error *error)
{
    *solution = (Solution){0};
    layout_init(&solution->layout, config->rules, &config->material);
    Solver solver = {.solution = solution, .layout = &solution->layout, .config = config};
    bool ok = allocate(&solver) || error_set(error, "out of memory");
    ok = ok && solve_all(&solver, error) && finish(&solver, error);
    for (Color side = 0; side < 2; side++) {
        free(solver.end.moves[side]);
        free(solver.zeroing.moves[side]);
    }
    free(solver.parts);
    if (!ok)
        solution_release(solution);
    return ok;
}

void solution_release(Solution *solution)
{
    for (Color side = 0; side < 2; side++) {
        free(solution->fate[side]);
        free(solution->zeroing[side]);
        free(solution->best_capture[side]);
        free(solution->is_zeroed[side]);
    }
    *solution = (Solution){0};
}

uint64_t solve_memory(const Rules *rules, const Material *material)
{
    Material children[64];
    int count = material_children(material, rules, children);
    uint64_t bytes = 9 * layout_nodes(rules, material);
    for (int i = 0; i < count; i++)
        bytes += sizeof(Fate) * layout_nodes(rules, &children[i]);
    return bytes;
}
