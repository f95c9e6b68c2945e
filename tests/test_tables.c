// Tables of endings: the index, solving, packing, reading, against published facts, against plain
// search and against tables made by others.
#include "base/file.h"
#include "base/random.h"
#include "base/thread.h"
#include "core/epd.h"
#include "core/fen.h"
#include "core/game.h"
#include "core/movegen.h"
#include "core/symmetry.h"
#include "tables/check.h"
#include "tables/make.h"
#include "tables/own.h"
#include "tables/syzygy.h"
#include "tables/table_file.h"
#include "tables_help.h"

#include <unistd.h>

enum { MOST_TABLES = 256 };

// Solved own, children first.
typedef struct Solved {
    Material list[MOST_TABLES];
    Solution solution[MOST_TABLES];
    KnownTable known[MOST_TABLES];
    int count;
} Solved;

// Solves these materials (names with blanks between them) and all that they need.
static Solved *solve_names(const Rules *rules, const char *names)
{
    Solved *solved = calloc(1, sizeof *solved);
    char copy[256], *save = NULL;
    Error error;
    Material m;
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok_r(copy, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
        assert_true(material_read(&m, rules, name, &error));
        solved->count = material_add_with_children(&m, rules, solved->list, solved->count);
    }
    assert_in_range(solved->count, 1, MOST_TABLES);
    for (int i = 0; i < solved->count; i++) {
        SolveConfig config = {
            .rules = rules, .material = solved->list[i], .known = solved->known, .known_count = i};
        if (!solve(&solved->solution[i], &config, &error))
            fail_msg("%s", error.text);
        solved->known[i].layout = solved->solution[i].layout;
        memcpy(solved->known[i].fate, solved->solution[i].fate, sizeof solved->known[i].fate);
    }
    return solved;
}

static void free_solved(Solved *solved)
{
    for (int i = 0; i < solved->count; i++)
        solution_release(&solved->solution[i]);
    free(solved);
}

static const Solution *find_solution(const Solved *solved, const char *name)
{
    for (int i = 0; i < solved->count; i++) {
        char own[MATERIAL_NAME_SIZE];
        material_write(&solved->list[i], own);
        if (!strcmp(own, name))
            return &solved->solution[i];
    }
    fail_msg("%s was not solved", name);
    return NULL;
}

static int longest(const Solution *s)
{
    int most = 0;
    for (Color side = 0; side < s->layout.sides; side++)
        for (uint64_t i = 0; i < s->layout.size; i++) {
            Fate fate = s->fate[side][i];
            if (fate != FATE_DRAW && fate != FATE_NONE && fate_plies(fate) > most)
                most = fate_plies(fate);
        }
    return most;
}

// ---- Materials ----

static void names_are_read(void **state)
{
    (void)state;
    const Rules *chess = rules_find("chess"), *horde = rules_find("horde32");
    static const struct {
        const char *given, *name;
    } good[] = {{"KQK", "KQK"},   {"KQvK", "KQK"},    {"KKQ", "KQK"},
                {"KRKQ", "KQKR"}, {"KPKBB", "KBBKP"}, {"KNBK", "KBNK"}};
    static const char *bad[] = {
        "", "K", "KK", "QK", "KXK", "KQ", "KQKK", "kqk", "KQKRvK", "KQQQQQQQQQQQQK", "KQRBNKP"};
    Material m;
    Error error;
    char name[MATERIAL_NAME_SIZE];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(material_read(&m, chess, good[i].given, &error));
        material_write(&m, name);
        assert_string_equal(name, good[i].name);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = 0;
        assert_false(material_read(&m, chess, bad[i], &error));
        assert_true(error.text[0]);
    }
    assert_true(material_read(&m, horde, "KQvPP", &error));
    material_write(&m, name);
    assert_string_equal(name, "KQvPP");
    assert_false(material_read(&m, horde, "KQKP", &error));
}

static void lists_are_complete(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        int men, count;
    } rows[] = {{"chess", 3, 5},   {"chess", 4, 30},   {"chess", 5, 110}, {"legan", 4, 30},
                {"horde32", 2, 5}, {"horde32", 3, 40}, {"massacre", 2, 0}};
    Material *list = malloc(sizeof *list * MATERIAL_LIST_SIZE), children[64];
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const Rules *rules = rules_find(rows[r].game);
        if (!material_set(rules))
            continue;
        int count = material_list(rules, rows[r].men, list);
        assert_int_equal(count, rows[r].count);
        // Nothing needs what comes later.
        for (int i = 0; i < count; i++) {
            int n = material_children(&list[i], rules, children);
            for (int c = 0; c < n; c++)
                for (int j = i; j < count; j++)
                    assert_false(material_is_same(&children[c], &list[j]));
        }
    }
    assert_null(material_set(rules_find("massacre")));
    assert_string_equal(material_set(rules_find("fortress")), "chess");
    free(list);
}

// ---- The index ----

// Every position has one number, and its mirror images have the same.
static void check_index(const char *game, const char *name)
{
    const Rules *rules = rules_find(game);
    Layout *layout = malloc(sizeof *layout);
    Material m;
    assert_true(material_read(&m, rules, name, NULL));
    layout_init(layout, rules, &m);
    for (Color side = 0; side < layout->sides; side++)
        for (uint64_t i = 0; i < layout->size; i++) {
            Position pos;
            Color found;
            if (!layout_position(layout, i, side, &pos))
                continue;
            if (layout_find(layout, &pos, &found) != i || found != side)
                fail_msg("%s: number %llu is not found again", name, (unsigned long long)i);
            for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
                Position turned;
                if (material_pawns(&m) && !rules_have_symmetry(rules, symmetry, false))
                    continue;
                position_clear(&turned, rules);
                for (Square s = 0; s < 64; s++)
                    if (pos.board[s] != NO_PIECE)
                        position_put(&turned, pos.board[s], square_turn(s, symmetry));
                turned.side = pos.side;
                position_finish(&turned);
                if (layout_find(layout, &turned, &found) != i || found != side)
                    fail_msg("%s: a mirror of number %llu has another", name,
                             (unsigned long long)i);
            }
        }
    free(layout);
}

static void index_is_unique(void **state)
{
    (void)state;
    check_index("chess", "KQK");
    check_index("chess", "KPK");
    check_index("legan", "KPK");
    check_index("horde32", "KvPQ");
    if (test_level() == TEST_LONG) {
        check_index("chess", "KQQK");
        check_index("chess", "KRKR");
    }
}

static void kings_have_462_and_1806_pairs(void **state)
{
    (void)state;
    Layout *layout = malloc(sizeof *layout);
    Material m;
    assert_true(material_read(&m, rules_find("chess"), "KQK", NULL));
    layout_init(layout, rules_find("chess"), &m);
    assert_int_equal(layout->lead_size, 462);
    assert_true(material_read(&m, rules_find("chess"), "KPK", NULL));
    layout_init(layout, rules_find("chess"), &m);
    assert_int_equal(layout->lead_size, 1806);
    free(layout);
}

// ---- Known facts ----

static void longest_mates_are_as_published(void **state)
{
    (void)state;
    Solved *solved = solve_names(rules_find("chess"), "KPK");
    assert_int_equal(longest(find_solution(solved, "KQK")), 2 * 10);
    assert_int_equal(longest(find_solution(solved, "KRK")), 2 * 16);
    assert_int_equal(longest(find_solution(solved, "KPK")), 2 * 28);
    assert_int_equal(longest(find_solution(solved, "KBK")), 0);
    assert_int_equal(longest(find_solution(solved, "KNK")), 0);
    free_solved(solved);
}

// Black to move, white king and rook: how many positions are mate in so many moves, as in the
// collection of all 28 056 positions that machine learning uses since 1994.
static void rook_ending_has_the_published_counts(void **state)
{
    (void)state;
    static const int COUNTS[17] = {27,   78,   246,  81,   198,  471,  592,  683, 1433,
                                   1712, 1985, 2854, 3597, 4194, 4553, 2166, 390};
    Solved *solved = solve_names(rules_find("chess"), "KRK");
    const Solution *s = find_solution(solved, "KRK");
    int counts[17] = {0}, draws = 0;
    for (uint64_t i = 0; i < s->layout.size; i++) {
        Fate fate = s->fate[BLACK][i];
        draws += fate == FATE_DRAW;
        if (fate != FATE_DRAW && fate != FATE_NONE)
            counts[fate_plies(fate) / 2]++;
    }
    assert_int_equal(draws, 2796);
    assert_memory_equal(counts, COUNTS, sizeof counts);
    free_solved(solved);
}

// ---- Packing ----

// Rows of several kinds come out as they went in, all at once and one by one.
static void check_row(uint16_t *row, size_t count, int block_size)
{
    uint16_t *copy = malloc(count * sizeof *copy), *back = malloc(count * sizeof *back);
    Bytes bytes = {0};
    Packed packed;
    Error error;
    memcpy(copy, row, count * sizeof *copy);
    assert_true(pack_row(copy, count, block_size, &bytes, &error));
    const uint8_t *at = bytes.at;
    if (!packed_open(&packed, &at, bytes.at + bytes.size, count, &error))
        fail_msg("%s", error.text);
    assert_ptr_equal(at, bytes.at + bytes.size);
    assert_true(packed_get_all(&packed, back, &error));
    assert_memory_equal(back, row, count * sizeof *row);
    for (size_t i = 0; i < count; i++) {
        uint16_t number;
        assert_true(packed_get(&packed, i, &number, &error));
        assert_int_equal(number, row[i]);
    }
    packed_release(&packed);
    bytes_release(&bytes);
    free(copy);
    free(back);
}

static void rows_are_packed_and_unpacked(void **state)
{
    (void)state;
    enum { COUNT = 60000 };
    uint16_t *row = calloc(COUNT, sizeof *row);
    Random random;
    random_init(&random, 7);
    check_row(row, COUNT, 256); // all the same
    row[COUNT - 1] = 1;
    check_row(row, COUNT, 256); // one not
    check_row(row + COUNT - 2, 2, 256);
    check_row(row, 1, 256);
    for (int i = 0; i < COUNT; i++)
        row[i] = (uint16_t)random_below(&random, 3);
    check_row(row, COUNT, 64);
    for (int i = 0; i < COUNT; i++)
        row[i] = (uint16_t)(i / 100 % 7 + 1000);
    check_row(row, COUNT, 1024);
    for (int i = 0; i < COUNT; i++) // codes of very different length
        row[i] = (uint16_t)__builtin_ctzll(random_next(&random) | 1ull << 40);
    check_row(row, COUNT, 1024);
    for (int i = 0; i < COUNT; i++)
        row[i] = (uint16_t)random_below(&random, 2000);
    check_row(row, COUNT, 1024);
    free(row);
}

// ---- Files and reading them ----

static void make_tables(const char *folder, const Rules *rules, const char *name, int made)
{
    Material material;
    MakeSummary summary;
    Error error;
    assert_true(material_read(&material, rules, name, &error));
    MakeConfig config = {
        .folder = folder, .rules = rules, .list = &material, .count = 1, .threads = 2};
    if (!tables_make(&config, &summary, &error))
        fail_msg("%s", error.text);
    assert_int_equal(summary.made, made);
}

// Everything that is read is what was solved.
static void check_probes(OwnTables *own, const Solution *s, uint64_t step)
{
    for (Color side = 0; side < s->layout.sides; side++)
        for (uint64_t i = 0; i < s->layout.size; i += step) {
            Position pos;
            Ending ending;
            Error error;
            if (!layout_position(&s->layout, i, side, &pos))
                continue;
            if (!own_probe(own, &pos, &ending, &error))
                fail_msg("%s", error.text);
            Fate fate = s->fate[side][i];
            int wdl = fate_wdl(fate), sign = wdl < 0 ? -1 : 1;
            int end = fate == FATE_DRAW ? 0 : sign * fate_plies(fate);
            char fen[FEN_SIZE];
            position_to_fen(&pos, FEN_XFEN, fen);
            if (ending.wdl != wdl || !ending.has_end || ending.end != end ||
                ending.zeroing != sign * s->zeroing[side][i])
                fail_msg("%s: wdl %d dtz %d dtm %d, but read as %d %d %d", fen, wdl,
                         sign * s->zeroing[side][i], end, ending.wdl, ending.zeroing, ending.end);
        }
}

static void what_is_read_is_what_was_solved(void **state)
{
    (void)state;
    static const char *const ROWS[][2] = {{"chess", "KPK"}, {"legan", "KPK"}, {"horde32", "KvPP"}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        char *folder = make_folder();
        const Rules *rules = rules_find(ROWS[r][0]);
        Solved *solved = solve_names(rules, ROWS[r][1]);
        make_tables(folder, rules, ROWS[r][1], solved->count);
        make_tables(folder, rules, ROWS[r][1], 0); // they are there
        OwnTables *own = own_open(folder, NULL);
        assert_int_equal(own_most_men(own, rules), 3);
        for (int i = 0; i < solved->count; i++)
            check_probes(own, &solved->solution[i], test_level() == TEST_LONG ? 1 : 97);
        own_close(own);
        free_solved(solved);
        remove_folder(folder);
    }
}

// What threads that ask the same table share.
typedef struct Askers {
    OwnTables *own;
    const Solution *solution;
    atomic_int wrong;
} Askers;

static void ask_all_ends(void *context, size_t index, int worker)
{
    Askers *askers = context;
    const Solution *s = askers->solution;
    (void)index, (void)worker;
    for (Color side = 0; side < s->layout.sides; side++)
        for (uint64_t i = 0; i < s->layout.size; i++) {
            Position pos;
            int end, true_end = s->fate[side][i] ? fate_plies(s->fate[side][i]) : 0;
            if (layout_position(&s->layout, i, side, &pos) &&
                (!own_probe_end(askers->own, &pos, &end, NULL) || abs(end) != true_end))
                askers->wrong++;
        }
}

// A table that nobody has asked before is asked by all at once: who opens its blocks first does not
// matter.
static void threads_are_told_the_same(void **state)
{
    (void)state;
    char *folder = make_folder();
    Solved *solved = solve_names(rules_find("chess"), "KPK");
    make_tables(folder, rules_find("chess"), "KPK", solved->count);
    Askers askers = {.own = own_open(folder, NULL), .solution = find_solution(solved, "KPK")};
    parallel_for(4, 4, ask_all_ends, &askers);
    assert_int_equal(askers.wrong, 0);
    own_close(askers.own);
    free_solved(solved);
    remove_folder(folder);
}

// A file that was damaged anywhere is refused, and made anew.
static void damaged_files_are_refused(void **state)
{
    (void)state;
    char *folder = make_folder(), path[TEST_PATH_SIZE];
    const Rules *chess = rules_find("chess");
    make_tables(folder, chess, "KQK", 1);
    snprintf(path, sizeof path, "%s/chess/KQK.wdz", folder);
    size_t size;
    char *bytes = file_read(path, 1 << 20, &size, NULL);
    Position pos;
    assert_true(position_from_fen(&pos, chess, "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1", NULL));
    for (size_t i = 0; i < size + 3; i += 1 + size / 50) {
        Error error = {0};
        Ending ending;
        if (i < size)
            bytes[i] ^= 0x10;
        assert_true(file_write(path, bytes, i < size ? size : size - 1 - i % 5, NULL));
        OwnTables *own = own_open(folder, NULL);
        assert_false(own_probe(own, &pos, &ending, &error));
        assert_non_null(strstr(error.text, "KQK.wdz"));
        own_close(own);
        if (i < size)
            bytes[i] ^= 0x10;
    }
    make_tables(folder, chess, "KQK", 1);
    // The table of another ending under its name.
    char other[TEST_PATH_SIZE];
    make_tables(folder, chess, "KRK", 1);
    snprintf(other, sizeof other, "%s/chess/KRK.wdz", folder);
    assert_int_equal(rename(other, path), 0);
    OwnTables *own = own_open(folder, NULL);
    Ending ending;
    assert_false(own_probe(own, &pos, &ending, NULL));
    own_close(own);
    free(bytes);
    remove_folder(folder);
}

// Every position of the smallest tables follows from its moves; a lie is found.
static void tables_are_verified(void **state)
{
    (void)state;
    char *folder = make_folder(), path[TEST_PATH_SIZE];
    const Rules *chess = rules_find("chess");
    Material material;
    CheckSummary summary;
    Error error;
    Color stored = WHITE; // the side for which DTZ is there
    make_tables(folder, chess, "KRK", 1);
    assert_true(material_read(&material, chess, "KRK", NULL));
    for (int lies = 0; lies < 3; lies++) {
        Solved *solved = solve_names(chess, "KRK");
        Solution *s = &solved->solution[0];
        uint64_t i = 5000;
        while (s->fate[stored][i] == FATE_NONE || s->zeroing[stored][i] < 9)
            i++;
        if (lies == 1)
            s->fate[stored][i] = (Fate)(s->fate[stored][i] + 4);
        if (lies == 2)
            s->zeroing[stored][i] = (uint16_t)(s->zeroing[stored][i] + 2);
        for (TableKind kind = TABLE_WDZ; kind <= TABLE_DTM; kind++) {
            Bytes bytes = {0};
            assert_true(table_write(s, kind, &bytes, &error));
            snprintf(path, sizeof path, "%s/chess/KRK.%s", folder,
                     kind == TABLE_WDZ ? "wdz" : "dtm");
            assert_true(file_write(path, bytes.at, bytes.size, &error));
            bytes_release(&bytes);
        }
        CheckConfig config = {.own = own_open(folder, NULL),
                              .rules = chess,
                              .list = &material,
                              .count = 1,
                              .is_full = true,
                              .threads = 2};
        assert_true(tables_check(&config, &summary, &error));
        assert_int_equal(summary.positions, 21959 + 28056);
        assert_int_equal(summary.wrong > 0, lies > 0);
        stored = own_table(config.own, chess, &material, false, NULL)->zeroing_side;
        config.is_full = false;
        config.samples = 100;
        assert_true(tables_check(&config, &summary, &error));
        assert_int_equal(summary.positions, 100);
        own_close(config.own);
        free_solved(solved);
    }
    remove_folder(folder);
}

static void what_tables_do_not_know_is_refused(void **state)
{
    (void)state;
    char *folder = make_folder();
    OwnTables *own = own_open(folder, NULL);
    Position pos;
    Ending ending;
    Error error;
    static const char *const FENS[] = {"4k3/8/8/8/8/8/8/4K2R w K - 0 1",
                                       "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
                                       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"};
    for (size_t i = 0; i < sizeof FENS / sizeof *FENS; i++) {
        error.text[0] = 0;
        assert_true(position_from_fen(&pos, rules_find("chess"), FENS[i], NULL));
        assert_false(own_probe(own, &pos, &ending, &error));
        assert_true(error.text[0]);
    }
    own_close(own);
    remove_folder(folder);
}

// ---- Against plain search ----

static bool loses_within(Position *pos, int plies);

// Does the side to move win in at most so many half-moves? By the rules alone.
static bool wins_within(Position *pos, int plies)
{
    Move list[MAX_MOVES];
    int count = plies > 0 ? movegen_legal(pos, STAGE_ALL, list) : 0;
    bool wins = false;
    for (int i = 0; i < count && !wins; i++) {
        Undo undo;
        position_make(pos, list[i], &undo);
        wins = loses_within(pos, plies - 1);
        position_unmake(pos, list[i], &undo);
    }
    return wins;
}

static bool loses_within(Position *pos, int plies)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list);
    if (!count)
        return position_outcome(pos).result == (pos->side == WHITE ? RESULT_BLACK : RESULT_WHITE);
    bool loses = plies > 0;
    for (int i = 0; i < count && loses; i++) {
        Undo undo;
        position_make(pos, list[i], &undo);
        loses = wins_within(pos, plies - 1);
        position_unmake(pos, list[i], &undo);
    }
    return loses;
}

// Random positions of a game's tables: what ends within four half-moves (six in the long suite) by
// the tables does so by the rules, and nothing else does.
static void check_by_search(const char *game, const char *names, int positions)
{
    const int plies = test_level() == TEST_LONG ? 6 : 4;
    const Rules *rules = rules_find(game);
    Solved *solved = solve_names(rules, names);
    Random random;
    random_init(&random, 3);
    int seen = 0, ended = 0;
    while (seen < positions) {
        const Solution *s = &solved->solution[random_below(&random, (uint64_t)solved->count)];
        Color side = (Color)random_below(&random, (uint64_t)s->layout.sides);
        uint64_t i = random_below(&random, s->layout.size);
        Position pos;
        if (!layout_position(&s->layout, i, side, &pos))
            continue;
        Fate fate = s->fate[side][i];
        bool ends = fate != FATE_DRAW && fate_plies(fate) <= plies;
        bool is_win = ends && fate_plies(fate) % 2;
        char fen[FEN_SIZE];
        position_to_fen(&pos, FEN_XFEN, fen);
        if (wins_within(&pos, plies) != is_win || loses_within(&pos, plies) != (ends && !is_win))
            fail_msg("%s %s: the table says %d, search does not", game, fen,
                     ends ? fate_plies(fate) : -1);
        if (ends && fate_plies(fate)) // not a move sooner
            assert_false(is_win ? wins_within(&pos, fate_plies(fate) - 1)
                                : loses_within(&pos, fate_plies(fate) - 1));
        ended += ends;
        seen++;
    }
    print_message("# %s %s: %d positions, %d end within %d half-moves\n", game, names, seen, ended,
                  plies);
    assert_true(ended > positions / 250);
    free_solved(solved);
}

static void search_says_the_same(void **state)
{
    (void)state;
    static const int POSITIONS[] = {100, 1000, 10000}; // by level
    int positions = POSITIONS[test_level()];
    check_by_search("chess", "KPK", positions);
    check_by_search("legan", "KPK", positions);
    check_by_search("horde32", "KPvP KvPP", positions);
    if (test_level() == TEST_LONG) {
        check_by_search("legan", "KPKP KPPK", positions);
        check_by_search("horde32", "KvPPP", positions);
    }
}

// ---- Against tables made by others ----

// The tables that the tests below share: of three men, or of four in the long suite. With
// LOVAC_TEST_TABLES=DIR they stay there, and need not be made again.
typedef struct Shared {
    char *folder;
    bool is_kept;
    OwnTables *own;
    Material list[MOST_TABLES];
    int count;
} Shared;

static int make_shared_tables(void **state)
{
    Shared *shared = calloc(1, sizeof *shared);
    const Rules *chess = rules_find("chess");
    MakeSummary summary;
    Error error;
    for (int men = 3; men <= (test_level() == TEST_LONG ? 4 : 3); men++)
        shared->count += material_list(chess, men, shared->list + shared->count);
    const char *kept = getenv("LOVAC_TEST_TABLES");
    shared->is_kept = kept;
    shared->folder = kept ? strdup(kept) : make_folder();
    MakeConfig config = {.folder = shared->folder,
                         .rules = chess,
                         .list = shared->list,
                         .count = shared->count,
                         .threads = 2};
    if (!tables_make(&config, &summary, &error))
        fail_msg("%s", error.text);
    assert_int_equal(summary.made + summary.kept, shared->count);
    shared->own = own_open(shared->folder, NULL);
    *state = shared;
    return 0;
}

static int free_shared_tables(void **state)
{
    Shared *shared = *state;
    own_close(shared->own);
    if (shared->is_kept)
        free(shared->folder);
    else
        remove_folder(shared->folder);
    free(shared);
    return 0;
}

static void all_positions_follow_from_their_moves(void **state)
{
    Shared *shared = *state;
    CheckSummary summary;
    Error error;
    CheckConfig config = {.own = shared->own,
                          .rules = rules_find("chess"),
                          .list = shared->list,
                          .count = shared->count,
                          .is_full = test_level() > TEST_QUICK,
                          .samples = 200,
                          .threads = 2};
    if (!tables_check(&config, &summary, &error))
        fail_msg("%s", error.text);
    if (summary.wrong)
        fail_msg("%llu wrong, first %s", (unsigned long long)summary.wrong, summary.first.text);
    assert_int_equal(summary.tables, shared->count);
}

// What a comparison with Syzygy's tables found; the threads of a comparison share it.
typedef struct Comparison {
    Shared *shared;
    Syzygy *syzygy;
    Mutex mutex;
    uint64_t positions, distances; // that were compared
    char wrong[FEN_SIZE + 200];    // the first difference
} Comparison;

// Does our table say the same of a position as Syzygy's? Its distances may be one less, for its
// files often count full moves.
static bool is_as_syzygy_says(Comparison *c, const Position *pos, bool has_distance, int *ours,
                              int *theirs)
{
    Ending ending;
    if (!own_probe_wdl(c->shared->own, pos, ours, NULL) ||
        !syzygy_probe_wdl(c->syzygy, pos, theirs, NULL) || *ours != *theirs)
        return false;
    if (!has_distance)
        return true;
    if (!own_probe(c->shared->own, pos, &ending, NULL) || ending.wdl != *ours ||
        !syzygy_probe_dtz(c->syzygy, pos, theirs, NULL))
        return false;
    *ours = ending.zeroing;
    int more = abs(*ours) - abs(*theirs);
    return (more == 0 || more == 1) && (*ours > 0) == (*theirs > 0);
}

static void note_difference(Comparison *c, const Position *pos, int ours, int theirs)
{
    char fen[FEN_SIZE];
    position_to_fen(pos, FEN_XFEN, fen);
    mutex_lock(&c->mutex);
    if (!*c->wrong)
        snprintf(c->wrong, sizeof c->wrong, "%s: %d, Syzygy has %d", fen, ours, theirs);
    mutex_unlock(&c->mutex);
}

// Results of every position of a table, distances of every hundredth.
static void compare_table(void *context, size_t index, int worker)
{
    Comparison *c = context;
    Layout *layout = malloc(sizeof *layout);
    uint64_t positions = 0, distances = 0;
    (void)worker;
    layout_init(layout, rules_find("chess"), &c->shared->list[c->shared->count - 1 - (int)index]);
    for (Color side = 0; side < layout->sides; side++)
        for (uint64_t i = 0; i < layout->size && !*(volatile char *)c->wrong; i++) {
            Position pos;
            int ours = 0, theirs = 0;
            if (!layout_position(layout, i, side, &pos))
                continue;
            bool has_distance = i % 100 == 0 && movegen_any(&pos);
            if (!is_as_syzygy_says(c, &pos, has_distance, &ours, &theirs))
                note_difference(c, &pos, ours, theirs);
            positions++;
            distances += has_distance;
        }
    mutex_lock(&c->mutex);
    c->positions += positions;
    c->distances += distances;
    mutex_unlock(&c->mutex);
    free(layout);
}

// White has just played a double step to the fourth rank of `file`, beside a black pawn; false when
// that cannot be.
static bool set_en_passant(Position *pos, int file, int taker, Square white, Square black)
{
    const Square squares[4] = {white, black, square_make(file, 3), square_make(taker, 3)};
    const Piece men[4] = {piece_make(WHITE, KING), piece_make(BLACK, KING), piece_make(WHITE, PAWN),
                          piece_make(BLACK, PAWN)};
    Bitboard way = square_bit(square_make(file, 2)) | square_bit(square_make(file, 1)), taken = way;
    position_clear(pos, rules_find("chess"));
    for (int k = 0; k < 4; k++) {
        if (taken & square_bit(squares[k]))
            return false;
        position_put(pos, men[k], squares[k]);
        taken |= square_bit(squares[k]);
    }
    pos->side = BLACK;
    pos->state.en_passant = square_make(file, 2);
    position_finish(pos);
    return position_is_sound(pos, NULL);
}

// All positions in which a pawn may be taken en passant, which no table stores.
static void compare_en_passant(Comparison *c)
{
    for (int i = 0; i < 8 * 2 * 64 * 64; i++) {
        Position pos;
        int file = i & 7, taker = file + (i & 8 ? 1 : -1), ours = 0, theirs = 0;
        if (taker < 0 || taker > 7 ||
            !set_en_passant(&pos, file, taker, (Square)(i >> 4 & 63), (Square)(i >> 10)))
            continue;
        if (!is_as_syzygy_says(c, &pos, movegen_any(&pos), &ours, &theirs))
            note_difference(c, &pos, ours, theirs);
        c->positions++;
    }
}

static void results_are_those_of_syzygy(void **state)
{
    Comparison c = {.shared = *state};
    char path[TEST_PATH_SIZE];
    test_shared_or_skip("tablebases/syzygy/KQvK.rtbw", path);
    *strrchr(path, '/') = 0;
    c.syzygy = syzygy_new(path, NULL);
    assert_non_null(c.syzygy);
    mutex_init(&c.mutex);
    parallel_for((size_t)c.shared->count, 2, compare_table, &c);
    if (test_level() == TEST_LONG)
        compare_en_passant(&c);
    print_message("# %llu results and %llu distances compared with Syzygy's\n",
                  (unsigned long long)c.positions, (unsigned long long)c.distances);
    if (*c.wrong)
        fail_msg("%s", c.wrong);
    assert_true(c.positions > (test_level() == TEST_LONG ? 100000000 : 360000));
    mutex_release(&c.mutex);
    syzygy_free(c.syzygy);
}

// Each line of an EPD file for which there are tables; returns how many there were.
static int for_each_row(Shared *shared, const char *path,
                        void (*check)(const Epd *, const Ending *))
{
    char line[512];
    int rows = 0;
    FILE *file = fopen(path, "r");
    while (fgets(line, sizeof line, file)) {
        Epd epd;
        Ending ending;
        Error error;
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#')
            continue;
        if (!epd_read(&epd, rules_find("chess"), line, strlen(line), &error))
            fail_msg("%s: %s", line, error.text);
        if (bit_count(position_occupied(&epd.pos)) > own_most_men(shared->own, epd.pos.rules))
            continue;
        if (!own_probe(shared->own, &epd.pos, &ending, &error)) {
            if (bit_count(position_occupied(&epd.pos)) == 5) // not every table of five men
                continue;
            fail_msg("%s: %s", line, error.text);
        }
        check(&epd, &ending);
        rows++;
    }
    fclose(file);
    return rows;
}

static int operation(const Epd *epd, const char *name)
{
    const EpdOperation *found = epd_find(epd, name);
    assert_non_null(found);
    return atoi(found->operands.text); // the line ends with 0
}

static void check_mate_row(const Epd *epd, const Ending *ending)
{
    int moves = operation(epd, "dm");
    assert_true(ending->has_end);
    assert_int_equal(ending->end, moves > 0 ? 2 * moves - 1 : 2 * moves);
}

static void check_result_row(const Epd *epd, const Ending *ending)
{
    assert_int_equal(ending->wdl, operation(epd, "wdl"));
    assert_in_range(abs(ending->zeroing) - abs(operation(epd, "dtz")), 0, 1);
}

static void published_rows_are_exact(void **state)
{
    char path[TEST_PATH_SIZE];
    bool is_long = test_level() == TEST_LONG;
    test_shared_or_skip("endgame/endgame-dm-4.epd", path);
    assert_in_range(for_each_row(*state, path, check_mate_row), is_long ? 40 : 1, 100);
    test_shared_or_skip("endgame/endgame.epd", path);
    int rows = for_each_row(*state, path, check_result_row);
    if (is_long)
        assert_int_equal(rows, 200);
    else
        assert_in_range(rows, 1, 200);
}

// The published mates of five men, of which the long suite makes the tables without pawns; what
// else lies in LOVAC_TEST_TABLES is asked too.
static void published_rows_of_five_men_are_exact(void **state)
{
    static const char *const NAMES[] = {"KRRRK", "KRRNK", "KQBBK", "KQRNK", "KNNKN", "KBNKB"};
    enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };
    const Rules *chess = rules_find("chess");
    Shared *shared = *state;
    Material list[NAME_COUNT];
    MakeSummary summary;
    char path[TEST_PATH_SIZE];
    Error error;
    test_shared_or_skip("endgame/endgame-dm-5.epd", path);
    if (test_level() != TEST_LONG)
        return; // they take minutes
    for (int i = 0; i < NAME_COUNT; i++)
        assert_true(material_read(&list[i], chess, NAMES[i], NULL));
    MakeConfig config = {
        .folder = shared->folder, .rules = chess, .list = list, .count = NAME_COUNT, .threads = 2};
    if (!tables_make(&config, &summary, &error))
        fail_msg("%s", error.text);
    own_close(shared->own);
    shared->own = own_open(shared->folder, NULL);
    int rows = for_each_row(shared, path, check_mate_row);
    print_message("# %d published mates of five men\n", rows);
    assert_in_range(rows, 8, 27);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read),
        cmocka_unit_test(lists_are_complete),
        cmocka_unit_test(index_is_unique),
        cmocka_unit_test(kings_have_462_and_1806_pairs),
        cmocka_unit_test(longest_mates_are_as_published),
        cmocka_unit_test(rook_ending_has_the_published_counts),
        cmocka_unit_test(rows_are_packed_and_unpacked),
        cmocka_unit_test(what_is_read_is_what_was_solved),
        cmocka_unit_test(threads_are_told_the_same),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(tables_are_verified),
        cmocka_unit_test(what_tables_do_not_know_is_refused),
        cmocka_unit_test(search_says_the_same),
    };
    const struct CMUnitTest shared[] = {
        cmocka_unit_test(all_positions_follow_from_their_moves),
        cmocka_unit_test(results_are_those_of_syzygy),
        cmocka_unit_test(published_rows_are_exact),
        cmocka_unit_test(published_rows_of_five_men_are_exact),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + cmocka_run_group_tests(shared, make_shared_tables, free_shared_tables);
}
