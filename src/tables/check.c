// See check.h. Start with tables_check. A sample asks for everything as the engine would
// (check_sample); for a full check all rows of a table are unpacked first (check_table).
#include "tables/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/stop.h"
#include "base/thread.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "tables/table_file.h"

enum { FIFTY = 100, CHUNK = 16384 };

// What is said of a position.
typedef struct Verdict {
    int wdl, zeroing; // the distance without sign
    Fate fate;
} Verdict;

// ---- From the children ----

// What the moves seen so far yield, at best.
typedef struct Outlook {
    bool has_win, has_draw, has_move;
    int win, loss; // distance to zeroing: of the quickest win, of the slowest loss
    Fate fate;
} Outlook;

static void look(Outlook *outlook, bool zeroes, const Verdict *child)
{
    bool is_decisive = child->wdl == WDL_WIN || child->wdl == WDL_LOSS;
    int distance = zeroes ? (is_decisive ? 1 : FIFTY + 1) : child->zeroing + 1;
    Fate fate = fate_before(child->fate);
    if (!outlook->has_move || fate_rank(fate) > fate_rank(outlook->fate))
        outlook->fate = fate;
    outlook->has_move = true;
    if (child->wdl < 0) {
        if (!outlook->has_win || distance < outlook->win)
            outlook->win = distance;
        outlook->has_win = true;
    } else if (child->wdl == WDL_DRAW) {
        outlook->has_draw = true;
    } else if (distance > outlook->loss) {
        outlook->loss = distance;
    }
}

static Verdict conclude(const Outlook *outlook, const Position *pos)
{
    Fate fate = outlook->has_move ? outlook->fate : fate_of_end(pos);
    if (fate != FATE_DRAW) { // a mark that the fifty-move rule draws follows from the distance
        int zeroing = outlook->has_win ? outlook->win : outlook->loss;
        fate = fate_make(fate_plies(fate), zeroing > FIFTY);
    }
    if (outlook->has_win)
        return (Verdict){outlook->win > FIFTY ? WDL_CURSED_WIN : WDL_WIN, outlook->win, fate};
    if (outlook->has_draw || (!outlook->has_move && fate == FATE_DRAW))
        return (Verdict){WDL_DRAW, 0, fate};
    return (Verdict){outlook->loss > FIFTY ? WDL_BLESSED_LOSS : WDL_LOSS, outlook->loss, fate};
}

static bool zeroes(const Position *pos, Move move)
{
    return move_is_capture(move) || piece_type(pos->board[move_from(move)]) == PAWN;
}

// ---- A table at work ----

typedef enum Phase { RESOLVE_WDL, RESOLVE_ZEROING, DERIVE_ZEROING, COMPARE, PHASES } Phase;

typedef struct Checker {
    const CheckConfig *config;
    CheckSummary *summary;
    const Layout *layout;
    // Unpacked, for a full check.
    int zeroing_side;
    uint16_t *wdl[2], *zeroing[2];
    Fate *fate[2];
    Phase phase;
    atomic_bool has_failed;
    Mutex mutex; // for what follows, and the summary
    Error error;
} Checker;

static void report_failure(Checker *checker, const Error *error)
{
    mutex_lock(&checker->mutex);
    if (!checker->has_failed)
        checker->error = *error;
    checker->has_failed = true;
    mutex_unlock(&checker->mutex);
}

// By asking, as the engine does.
static bool ask(Checker *checker, const Position *pos, Verdict *verdict)
{
    Ending ending;
    Error error;
    if (!own_probe(checker->config->own, pos, &ending, &error)) {
        report_failure(checker, &error);
        return false;
    }
    *verdict = (Verdict){ending.wdl, abs(ending.zeroing), FATE_DRAW};
    bool is_cursed = ending.wdl == WDL_CURSED_WIN || ending.wdl == WDL_BLESSED_LOSS;
    if (ending.has_end && ending.wdl != WDL_DRAW)
        verdict->fate = fate_make(abs(ending.end), is_cursed);
    return true;
}

// From the unpacked rows where the position is one of theirs.
static bool find(Checker *checker, const Position *pos, Verdict *verdict)
{
    Material material = material_of(pos);
    material_normalise(&material, pos->rules);
    if (!checker->wdl[0] || !material_is_same(&material, &checker->layout->material) ||
        pos->state.en_passant != NO_SQUARE)
        return ask(checker, pos, verdict);
    Color side;
    uint64_t index = layout_find(checker->layout, pos, &side);
    *verdict = (Verdict){checker->wdl[side][index] - 2, checker->zeroing[side][index],
                         checker->fate[side][index]};
    return true;
}

// What all moves (or only those that zero) yield.
static bool look_at_moves(Checker *checker, const Position *pos, bool only_zeroing,
                          Outlook *outlook)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list);
    *outlook = (Outlook){0};
    for (int i = 0; i < count; i++) {
        Verdict child;
        Position next = *pos;
        Undo undo;
        if (only_zeroing && !zeroes(pos, list[i]))
            continue;
        position_make(&next, list[i], &undo);
        if (!find(checker, &next, &child))
            return false;
        look(outlook, zeroes(pos, list[i]), &child);
    }
    return true;
}

static void compare(Checker *checker, const Position *pos, const Verdict *said,
                    const Verdict *true_one)
{
    CheckSummary *summary = checker->summary;
    bool is_right = said->wdl == true_one->wdl && said->zeroing == true_one->zeroing &&
                    said->fate == true_one->fate;
    char fen[FEN_SIZE];
    if (is_right)
        return;
    mutex_lock(&checker->mutex);
    position_to_fen(pos, FEN_XFEN, fen);
    if (!summary->wrong++)
        error_set(&summary->first,
                  "%s: the table says wdl %d, zeroing %d, end %d; its moves say %d, %d, %d", fen,
                  said->wdl, said->zeroing, said->fate ? fate_plies(said->fate) : 0, true_one->wdl,
                  true_one->zeroing, true_one->fate ? fate_plies(true_one->fate) : 0);
    mutex_unlock(&checker->mutex);
}

// ---- A full check ----

// The best capture may yield more than what is stored.
static bool resolve_wdl(Checker *checker, Color side, uint64_t index, const Position *pos)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_NOISY, list);
    uint16_t *wdl = &checker->wdl[side][index];
    for (int i = 0; i < count; i++) {
        Verdict child;
        Position next = *pos;
        Undo undo;
        if (!move_is_capture(list[i]))
            continue;
        position_make(&next, list[i], &undo);
        if (!ask(checker, &next, &child))
            return false;
        if (-child.wdl + 2 > *wdl)
            *wdl = (uint16_t)(-child.wdl + 2);
    }
    return true;
}

// Wins by a capture or pawn move are not stored, nor are draws.
static bool resolve_zeroing(Checker *checker, Color side, uint64_t index, const Position *pos)
{
    Outlook outlook;
    int wdl = checker->wdl[side][index] - 2;
    uint16_t *zeroing = &checker->zeroing[side][index];
    if (wdl == WDL_DRAW)
        *zeroing = 0;
    if (wdl <= WDL_DRAW)
        return true;
    if (!look_at_moves(checker, pos, true, &outlook))
        return false;
    if (outlook.has_win && outlook.win == (wdl == WDL_WIN ? 1 : FIFTY + 1))
        *zeroing = (uint16_t)outlook.win;
    return true;
}

// For the other side it is not stored at all.
static bool derive_zeroing(Checker *checker, Color side, uint64_t index, const Position *pos)
{
    Outlook outlook;
    if (!look_at_moves(checker, pos, false, &outlook))
        return false;
    checker->zeroing[side][index] = (uint16_t)conclude(&outlook, pos).zeroing;
    return true;
}

static bool do_phase(Checker *checker, Color side, uint64_t index, const Position *pos)
{
    Outlook outlook;
    bool is_stored = side == checker->zeroing_side;
    switch (checker->phase) {
    case RESOLVE_WDL: return resolve_wdl(checker, side, index, pos);
    case RESOLVE_ZEROING: return !is_stored || resolve_zeroing(checker, side, index, pos);
    case DERIVE_ZEROING: return is_stored || derive_zeroing(checker, side, index, pos);
    default: break;
    }
    if (!look_at_moves(checker, pos, false, &outlook))
        return false;
    Verdict said = {checker->wdl[side][index] - 2, checker->zeroing[side][index],
                    checker->fate[side][index]};
    Verdict true_one = conclude(&outlook, pos);
    compare(checker, pos, &said, &true_one);
    return true;
}

static bool is_over(const Checker *checker)
{
    return checker->has_failed || stop_is_set(checker->config->stop);
}

static void check_chunk(void *context, size_t number, int worker)
{
    Checker *checker = context;
    const Layout *layout = checker->layout;
    uint64_t chunks = (layout->size + CHUNK - 1) / CHUNK, positions = 0;
    Color side = (Color)(number / chunks);
    uint64_t first = number % chunks * CHUNK, end = first + CHUNK;
    (void)worker;
    end = end < layout->size ? end : layout->size;
    for (uint64_t i = first; i < end && !is_over(checker); i++) {
        Position pos;
        if (!layout_position(layout, i, side, &pos))
            continue;
        positions++;
        if (!do_phase(checker, side, i, &pos))
            return;
    }
    if (checker->phase == COMPARE) {
        mutex_lock(&checker->mutex);
        checker->summary->positions += positions;
        mutex_unlock(&checker->mutex);
    }
    if (checker->config->progress)
        progress_add(checker->config->progress, end - first);
}

// Unpacks all rows of the table.
static bool unpack(Checker *checker, const Table *wdz, const Table *dtm, Error *error)
{
    size_t size = wdz->layout.size;
    checker->zeroing_side = wdz->zeroing_side;
    for (Color side = 0; side < wdz->layout.sides; side++) {
        checker->wdl[side] = malloc(size * sizeof(uint16_t));
        checker->zeroing[side] = calloc(size, sizeof(uint16_t));
        checker->fate[side] = malloc(size * sizeof(Fate));
        if (!checker->wdl[side] || !checker->zeroing[side] || !checker->fate[side])
            return error_set(error, "out of memory");
        if (!table_get_all(wdz, &wdz->wdl[side], checker->wdl[side], error) ||
            !table_get_all(dtm, &dtm->fate[side], checker->fate[side], error))
            return false;
    }
    return table_get_all(wdz, &wdz->zeroing, checker->zeroing[wdz->zeroing_side], error);
}

static bool check_all(Checker *checker, const Table *wdz, const Table *dtm, Error *error)
{
    const Layout *layout = checker->layout;
    uint64_t chunks = (layout->size + CHUNK - 1) / CHUNK * (uint64_t)layout->sides;
    bool ok = unpack(checker, wdz, dtm, error);
    for (checker->phase = RESOLVE_WDL; ok && checker->phase < PHASES; checker->phase++) {
        parallel_for(chunks, checker->config->threads, check_chunk, checker);
        if (checker->has_failed) {
            *error = checker->error;
            ok = false;
        }
    }
    for (Color side = WHITE; side <= BLACK; side++) {
        free(checker->wdl[side]);
        free(checker->zeroing[side]);
        free(checker->fate[side]);
    }
    return ok;
}

// ---- A sample ----

static void check_sample(void *context, size_t number, int worker)
{
    Checker *checker = context;
    const Layout *layout = checker->layout;
    Random random;
    Position pos;
    Verdict said;
    Outlook outlook;
    (void)worker;
    random_init(&random, checker->config->seed * 1000003 + number);
    for (int tries = 0; !is_over(checker); tries++) {
        Color side = (Color)random_below(&random, (uint64_t)layout->sides);
        if (layout_position(layout, random_below(&random, layout->size), side, &pos))
            break;
    }
    if (!is_over(checker) && ask(checker, &pos, &said) &&
        look_at_moves(checker, &pos, false, &outlook)) {
        Verdict true_one = conclude(&outlook, &pos);
        compare(checker, &pos, &said, &true_one);
        mutex_lock(&checker->mutex);
        checker->summary->positions++;
        mutex_unlock(&checker->mutex);
    }
    if (checker->config->progress)
        progress_add(checker->config->progress, 1);
}

// ---- All tables ----

static bool check_table(const CheckConfig *config, const Material *material, CheckSummary *summary,
                        Error *error)
{
    const Table *wdz = own_table(config->own, config->rules, material, false, error);
    const Table *dtm = own_table(config->own, config->rules, material, true, error);
    if (!wdz || !dtm)
        return false;
    Checker checker = {.config = config, .summary = summary, .layout = &wdz->layout};
    mutex_init(&checker.mutex);
    bool ok = true;
    if (config->is_full) {
        ok = check_all(&checker, wdz, dtm, error);
    } else {
        parallel_for(config->samples, config->threads, check_sample, &checker);
        ok = !checker.has_failed;
        if (!ok)
            *error = checker.error;
    }
    mutex_release(&checker.mutex);
    summary->tables++;
    return ok;
}

bool tables_check(const CheckConfig *config, CheckSummary *summary, Error *error)
{
    uint64_t total = 0;
    *summary = (CheckSummary){0};
    for (int i = 0; i < config->count; i++)
        total += config->is_full ? PHASES * layout_nodes(config->rules, &config->list[i])
                                 : config->samples;
    if (config->progress)
        config->progress->total = total;
    for (int i = 0; i < config->count; i++) {
        if (stop_is_set(config->stop))
            break;
        if (!check_table(config, &config->list[i], summary, error))
            return false;
    }
    return true;
}
