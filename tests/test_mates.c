// Mates that are announced must be real: on files of positions whose shortest mate is known, every
// line with a mate score is complete (2n - 1 plies for the winner, 2n for the loser), legal, ends
// in checkmate, and is not shorter than the truth. Every line of every iteration is looked at, not
// only the last. Those of our own file (tests/data/mates.epd) must be found, too.
#include "test_data.h"

#include "base/progress.h"
#include "base/thread.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "engine/engine.h"

enum { CASES_MAX = 4096, FAULTS_SHOWN = 20, CASE_FEN_SIZE = 128 };

typedef struct Case {
    char fen[CASE_FEN_SIZE];
    int shortest; // moves to mate; negative when the side to move is mated
} Case;

// What one search has said: faults are counted, the first is kept in words.
typedef struct Witness {
    const Case *it;
    bool has_mate; // the last exact line is a mate
    int moves;     // of that line
    Move first;    // of the last line
    Move best;     // what would be played
    int lines, faults;
    char fault[512];
} Witness;

typedef struct Suite {
    const Case *cases;
    Engine **engines; // one for each worker
    bool in_background;
    bool stops_at_mate; // as soon as the shortest is found
    uint64_t nodes;
    Progress progress;
    Mutex mutex; // over the sums
    int found, shortest, lines, faults;
} Suite;

static void accuse(Witness *w, const SearchInfo *info, const Position *root, const char *what)
{
    if (w->faults++)
        return;
    size_t n = (size_t)snprintf(w->fault, sizeof w->fault,
                                "%s bm #%d: depth %d says mate %d: %s; pv", w->it->fen,
                                w->it->shortest, info->depth, score_mate_moves(info->score), what);
    Position pos = *root;
    for (int i = 0; i < info->pv_count && n + 8 < sizeof w->fault; i++) {
        char text[MOVE_TEXT_SIZE];
        Undo undo;
        if (!move_is_pseudo_legal(&pos, info->pv[i]) || !move_is_legal(&pos, info->pv[i]))
            break;
        move_to_uci(&pos, info->pv[i], false, text);
        position_make(&pos, info->pv[i], &undo);
        n += (size_t)snprintf(w->fault + n, sizeof w->fault - n, " %s", text);
    }
}

// Plays the line; false at an illegal move. `end` is where it leads.
static bool play_line(const Position *root, const SearchInfo *info, Position *end)
{
    *end = *root;
    for (int i = 0; i < info->pv_count; i++) {
        Undo undo;
        if (!move_is_pseudo_legal(end, info->pv[i]) || !move_is_legal(end, info->pv[i]))
            return false;
        position_make(end, info->pv[i], &undo);
    }
    return true;
}

static void look_at_line(void *context, const Position *root, const SearchInfo *info)
{
    Witness *w = context;
    Position end;
    if (info->kind != INFO_LINE || info->multi_pv != 1)
        return;
    if (!play_line(root, info, &end))
        accuse(w, info, root, "the line is illegal");
    w->first = info->pv[0];
    if (info->bound != BOUND_EXACT)
        return;
    w->has_mate = score_is_mate(info->score);
    if (!w->has_mate)
        return;
    w->lines++;
    w->moves = score_mate_moves(info->score);
    int plies = w->moves > 0 ? 2 * w->moves - 1 : -2 * w->moves;
    if (info->pv_count != plies)
        accuse(w, info, root, "the line is not complete");
    else if (!position_in_check(&end) || movegen_any(&end))
        accuse(w, info, root, "the line does not end in mate");
    if ((w->moves > 0) != (w->it->shortest > 0))
        accuse(w, info, root, "the wrong side mates");
    else if (abs(w->moves) < abs(w->it->shortest))
        accuse(w, info, root, "there is no mate so short");
}

static void keep_best(void *context, const Position *root, const SearchResult *result)
{
    (void)root;
    ((Witness *)context)->best = result->best;
}

static void try_case(void *context, size_t index, int worker)
{
    Suite *s = context;
    Engine *engine = s->engines[worker];
    Witness w = {.it = &s->cases[index]};
    SearchLimits limits = search_limits_none();
    Position pos;
    limits.nodes = s->nodes;
    limits.mate = s->stops_at_mate ? abs(w.it->shortest) : 0;
    bool is_good = position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], w.it->fen, NULL) &&
                   engine_new_game(engine, NULL) &&
                   engine_set_position(engine, &pos, NULL, 0, NULL);
    if (is_good && s->in_background) {
        is_good = engine_go(engine, &limits, look_at_line, keep_best, &w, NULL);
        engine_wait(engine);
    } else if (is_good) {
        SearchResult result;
        engine_think(engine, &limits, look_at_line, &w, &result);
        w.best = result.best;
    }
    mutex_lock(&s->mutex);
    if (!is_good || w.best != w.first) {
        s->faults++;
        print_message("# %s: %s\n", w.it->fen,
                      is_good ? "the best move is not that of the last line" : "not searched");
    }
    if (w.faults && s->faults < FAULTS_SHOWN)
        print_message("# %s\n", w.fault);
    s->faults += w.faults;
    s->lines += w.lines;
    s->found += w.has_mate;
    s->shortest += w.has_mate && w.moves == w.it->shortest;
    mutex_unlock(&s->mutex);
    progress_add(&s->progress, 1);
}

// Every `step`-th position of the file with "bm #N".
static int read_cases(const char *path, int step, Case *cases)
{
    char text[1024];
    int count = 0, seen = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (count < CASES_MAX && fgets(text, sizeof text, file)) {
        char *bm = strstr(text, " bm #");
        if (!bm || seen++ % step)
            continue;
        cases[count].shortest = atoi(bm + 5);
        *bm = 0;
        assert_true(strlen(text) + 5 < CASE_FEN_SIZE);
        snprintf(cases[count].fen, CASE_FEN_SIZE, "%.*s 0 1", CASE_FEN_SIZE - 5, text);
        count++;
    }
    fclose(file);
    return count;
}

// Searches `count` positions with so many threads each; all processors are at work. Returns what
// was found.
static Suite run_suite(const Case *cases, int count, int threads, uint64_t nodes,
                       bool stops_at_mate)
{
    int workers = thread_cpu_count() / threads;
    workers = workers > 1 ? workers : 1;
    Suite s = {.cases = cases,
               .nodes = nodes,
               .in_background = threads > 1,
               .stops_at_mate = stops_at_mate};
    EngineOptions options = engine_default_options();
    options.threads = threads;
    s.engines = calloc((size_t)workers, sizeof *s.engines);
    assert_non_null(s.engines);
    for (int i = 0; i < workers; i++)
        assert_non_null(s.engines[i] = engine_new(&options, NULL));
    mutex_init(&s.mutex);
    progress_init(&s.progress, stderr, "mates", "positions", (uint64_t)count, PROGRESS_AUTO);
    parallel_for((size_t)count, workers, try_case, &s);
    progress_end(&s.progress);
    mutex_release(&s.mutex);
    for (int i = 0; i < workers; i++)
        engine_free(s.engines[i]);
    free(s.engines);
    print_message("# %d positions, %d threads: %d mates found, %d of them the shortest; %d lines "
                  "announced, %d faults\n",
                  count, threads, s.found, s.shortest, s.lines, s.faults);
    assert_int_equal(s.faults, 0);
    assert_true(s.found * 20 > count); // else nothing has been tested
    return s;
}

// How many positions to leave out: assertions and sanitizers make the search slow.
static int sample_step(void)
{
#ifdef NDEBUG
    return test_level() == TEST_LONG ? 1 : test_level() == TEST_SHORT ? 20 : 200;
#else
    return test_level() == TEST_LONG ? 20 : 200;
#endif
}

static void check_file(const char *name, int threads, int step, uint64_t nodes)
{
    char path[TEST_PATH_SIZE];
    test_shared_or_skip(name, path);
    Case *cases = calloc(CASES_MAX, sizeof *cases);
    assert_non_null(cases);
    int count = read_cases(path, step, cases);
    assert_true(count > 0);
    run_suite(cases, count, threads, nodes, false);
    free(cases);
}

static uint64_t middle_game_nodes(void)
{
    return test_level() == TEST_QUICK ? 10000 : 100000;
}

static void test_announced_mates(void **state)
{
    (void)state;
    check_file("mate/matetrack/mates2000.epd", 1, sample_step(), middle_game_nodes());
}

// With two workers the best line is chosen by vote: it must be as complete.
static void test_announced_by_two(void **state)
{
    (void)state;
    int step = sample_step();
    check_file("mate/matetrack/mates2000.epd", 2,
               step < 10    ? 10
               : step < 100 ? 2 * step
                            : step,
               middle_game_nodes());
}

// King and rook against king: far mates, seen mostly through the hash table, so never with few
// nodes.
static void test_rook_endings(void **state)
{
    (void)state;
    check_file("mate/matetrack/KRvK1000.epd", 1, sample_step(), 100000);
}

// ---- our own positions ----

static int read_own_mates(int step, Case *cases)
{
    char path[TEST_PATH_SIZE];
    test_own_path("mates.epd", path);
    return read_cases(path, step, cases);
}

static bool is_lost_in(Position *pos, int moves);

// Does the side to move mate within so many moves? All moves are tried, but for the last only those
// that give check.
static bool is_won_in(Position *pos, int moves)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list);
    bool is_won = false;
    for (int i = 0; i < count && !is_won; i++) {
        Undo undo;
        position_make(pos, list[i], &undo);
        is_won = (moves > 1 || position_in_check(pos)) && is_lost_in(pos, moves - 1);
        position_unmake(pos, list[i], &undo);
    }
    return is_won;
}

// Is the side to move mated, now or within so many moves, whatever it does?
static bool is_lost_in(Position *pos, int moves)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list);
    bool is_lost = count ? moves > 0 : position_in_check(pos);
    for (int i = 0; i < count && is_lost; i++) {
        Undo undo;
        position_make(pos, list[i], &undo);
        is_lost = is_won_in(pos, moves);
        position_unmake(pos, list[i], &undo);
    }
    return is_lost;
}

// What the file says is true, and no mate is shorter.
static void test_own_mates_are_true(void **state)
{
    (void)state;
    static Case cases[CASES_MAX];
    int count = read_own_mates(1, cases), tried = 0;
#ifdef NDEBUG
    const int longest = test_level() == TEST_LONG ? 9 : test_level() == TEST_SHORT ? 3 : 2;
#else
    const int longest = test_level() == TEST_QUICK ? 1 : 2;
#endif
    for (int i = 0; i < count; i++) {
        Position pos;
        int moves = abs(cases[i].shortest);
        bool (*is_mate_in)(Position *, int) = cases[i].shortest > 0 ? is_won_in : is_lost_in;
        assert_true(position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], cases[i].fen, NULL));
        if (moves > longest)
            continue;
        if (!is_mate_in(&pos, moves) || (moves > 1 && is_mate_in(&pos, moves - 1)))
            fail_msg("%s: #%d is not so", cases[i].fen, cases[i].shortest);
        tried++;
    }
    print_message("# %d of %d mates proved\n", tried, count);
    assert_true(count > 100 && tried > 10);
}

// The shortest mate of so many in a hundred positions, or of all but two, at 2.4 times the nodes
// that all of them took when the file was made.
static void find_own_mates(int threads, int step, int percent)
{
    static Case cases[CASES_MAX];
    int count = read_own_mates(step, cases);
    const Suite found = run_suite(cases, count, threads, 36000, true);
    assert_true(found.shortest * 100 >= percent * count || found.shortest >= count - 2);
}

static int own_step(void)
{
#ifdef NDEBUG
    return test_level() == TEST_QUICK ? 3 : 1;
#else
    return test_level() == TEST_QUICK ? 9 : 3;
#endif
}

static void test_own_mates_are_found(void **state)
{
    (void)state;
    find_own_mates(1, own_step(), 96);
}

static void test_own_mates_by_two(void **state)
{
    (void)state;
    find_own_mates(2, 3 * own_step(), 70); // never the same twice
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_mates_are_true), cmocka_unit_test(test_own_mates_are_found),
        cmocka_unit_test(test_own_mates_by_two),   cmocka_unit_test(test_announced_mates),
        cmocka_unit_test(test_announced_by_two),   cmocka_unit_test(test_rook_endings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
