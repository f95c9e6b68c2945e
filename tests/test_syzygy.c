// Syzygy tables: published results, agreement of every position with its successors, and files
// that are damaged, cut, swapped or missing.
#include "syzygy_make.h"
#include "tables_help.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/thread.h"
#include "core/epd.h"

static Syzygy *open_tables(void)
{
    char folders[FOLDERS_SIZE];
    Error error = {0};
    syzygy_folders_or_skip(folders);
    Syzygy *tables = syzygy_new(folders, &error);
    if (!tables)
        fail_msg("%s", error.text);
    return tables;
}

static int wdl_of(Syzygy *tables, const Position *pos)
{
    Error error = {0};
    int wdl = 9;
    if (!syzygy_probe_wdl(tables, pos, &wdl, &error)) {
        char fen[FEN_SIZE];
        position_to_fen(pos, FEN_XFEN, fen);
        fail_msg("%s: %s", fen, error.text);
    }
    return wdl;
}

static int dtz_of(Syzygy *tables, const Position *pos)
{
    Error error = {0};
    int dtz = 0;
    if (!syzygy_probe_dtz(tables, pos, &dtz, &error)) {
        char fen[FEN_SIZE];
        position_to_fen(pos, FEN_XFEN, fen);
        fail_msg("%s: %s", fen, error.text);
    }
    return dtz;
}

// --- what needs no files -----------------------------------------------------------------------

static void test_names(void **state)
{
    (void)state;
    SyzygyMaterial m;
    assert_true(syzygy_material_from_name(&m, "KQPvKRN", 7));
    assert_int_equal(m.count[0][QUEEN], 1);
    assert_int_equal(m.count[0][PAWN], 1);
    assert_int_equal(m.count[1][ROOK], 1);
    assert_int_equal(m.count[1][KNIGHT], 1);
    static const char *const BAD[] = {"",      "K",     "KvK",  "QvK",       "KQK",  "KQvQ",
                                      "KQvKv", "KQvvK", "KKvK", "KQQQQQvKQ", "KXvK", "KQvKK"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        if (syzygy_material_from_name(&m, BAD[i], strlen(BAD[i])))
            fail_msg("'%s' was taken for a table", BAD[i]);
}

static void test_numbering(void **state)
{
    (void)state;
    SyzygyMaps m;
    syzygy_maps_init(&m);
    int most = -1;
    for (int i = 0; i < 640; i++)
        most = m.kings[i / 64][i % 64] > most ? m.kings[i / 64][i % 64] : most;
    assert_int_equal(most, 461); // 462 ways for two kings
    assert_int_equal(m.choose[3][63], 39711);
    assert_int_equal(m.pawn[square_make(0, 1)], 47);
    assert_int_equal(m.pawn[square_make(4, 6)], 0);
    for (int file = 0; file < 4; file++)
        assert_int_equal(m.lead_size[1][file], 6);
    // Two pawns of one side: all 48 * 47 / 2 pairs, but those that a mirror image stands for.
    assert_int_equal(m.lead_size[2][0] + m.lead_size[2][1] + m.lead_size[2][2] + m.lead_size[2][3],
                     576);
}

// The head of a table in which all positions are draws.
static void make_draws(uint8_t bytes[80])
{
    static const uint8_t HEAD[] = {0x71, 0xe8, 0x23, 0x5d, 0x31, 0x00, 0xee,
                                   0x66, 0x33, 0x00, 0x80, 2,    0x80, 2};
    memset(bytes, 0, 80);
    memcpy(bytes, HEAD, sizeof HEAD);
}

static void test_memory(void **state)
{
    (void)state;
    SyzygyMaps maps;
    SyzygyMaterial bishop, rook;
    uint8_t bytes[80];
    Position pos;
    int wdl = 9;
    Error error = {0};
    syzygy_maps_init(&maps);
    make_draws(bytes);
    syzygy_material_from_name(&bishop, "KBvK", 4);
    syzygy_material_from_name(&rook, "KRvK", 4);
    SyzygyFile *file = syzygy_file_new(&maps, bytes, 80, SYZYGY_WDL, &bishop, &error);
    assert_non_null(file);
    assert_true(
        position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], "8/8/8/2k5/8/4K3/8/7B w - -", NULL));
    assert_int_equal(syzygy_file_probe(file, &pos, &wdl), SYZYGY_FOUND);
    assert_int_equal(wdl, 0);
    syzygy_file_free(file);
    assert_null(syzygy_file_new(&maps, bytes, 80, SYZYGY_WDL, &rook, &error));
    assert_non_null(strstr(error.text, "other material"));
    assert_null(syzygy_file_new(&maps, bytes, 80, SYZYGY_DTZ, &bishop, &error));
    assert_null(syzygy_file_new(&maps, bytes, 79, SYZYGY_WDL, &bishop, &error));
    assert_string_equal(error.text, "damaged: shorter than its head says");
    bytes[11] = 5; // no result
    assert_null(syzygy_file_new(&maps, bytes, 80, SYZYGY_WDL, &bishop, &error));
}

// A packed file of our own making: draws and wins by turns, so both must come about equally often;
// its DTZ file sends both numbers through a map.
static void test_packing(void **state)
{
    (void)state;
    SyzygyMaps maps;
    SyzygyMaterial rook;
    Random random;
    Error error = {0};
    syzygy_maps_init(&maps);
    syzygy_material_from_name(&rook, "KRvK", 4);
    for (int kind = 0; kind < SYZYGY_KIND_COUNT; kind++) {
        uint8_t bytes[MADE_SIZE_MAX];
        size_t size = made_file(bytes, (SyzygyKind)kind);
        SyzygyFile *file = syzygy_file_new(&maps, bytes, size, (SyzygyKind)kind, &rook, &error);
        if (!file)
            fail_msg("%s", error.text);
        int seen[64] = {0};
        random_init(&random, 5);
        for (int i = 0; i < 4000; i++) {
            Position pos;
            random_position(&random, "KRvK", &pos);
            pos.side = kind == SYZYGY_WDL ? pos.side : WHITE;
            int value = kind == SYZYGY_WDL ? 0 : 2;
            assert_int_equal(syzygy_file_probe(file, &pos, &value), SYZYGY_FOUND);
            assert_in_range(value, 0, 63);
            seen[value]++;
        }
        int first = kind == SYZYGY_WDL ? 0 : 2 * 2 + 1, second = kind == SYZYGY_WDL ? 2 : 2 * 4 + 1;
        assert_int_equal(seen[first] + seen[second], 4000);
        assert_true(seen[first] > 1700 && seen[second] > 1700);
        syzygy_file_free(file);
    }
}

static void test_nothing_there(void **state)
{
    (void)state;
    Error error = {0};
    Position pos;
    int wdl;
    assert_null(syzygy_new("/no/such/folder", &error));
    assert_non_null(strstr(error.text, "/no/such/folder"));
    Syzygy *tables = syzygy_new("", &error);
    assert_non_null(tables);
    assert_int_equal(syzygy_men(tables), 0);
    assert_true(
        position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], "8/8/8/2k5/8/4K3/8/7B w - -", NULL));
    assert_false(syzygy_probe_wdl(tables, &pos, &wdl, &error));
    assert_non_null(strstr(error.text, "too many"));
    syzygy_free(tables);
}

// --- published results -------------------------------------------------------------------------

static int operand(const Epd *epd, const char *name)
{
    const EpdOperation *operation = epd_find(epd, name);
    assert_non_null(operation);
    return atoi(operation->operands.text);
}

// The rows say the true result and the distance.
static void check_row(Syzygy *tables, const char *line)
{
    Epd epd;
    Error error = {0};
    if (!epd_read(&epd, &VARIANTS[VARIANT_CHESS], line, strcspn(line, "\r\n"), &error))
        fail_msg("%s: %s", line, error.text);
    if (wdl_of(tables, &epd.pos) != operand(&epd, "wdl") ||
        dtz_of(tables, &epd.pos) != operand(&epd, "dtz"))
        fail_msg("wdl %d, dtz %d: %s", wdl_of(tables, &epd.pos), dtz_of(tables, &epd.pos), line);
}

static void test_published(void **state)
{
    (void)state;
    char path[TEST_PATH_SIZE], line[512];
    test_shared_or_skip("endgame/endgame.epd", path);
    Syzygy *tables = open_tables();
    assert_int_equal(syzygy_count(tables, SYZYGY_WDL), 37);
    assert_int_equal(syzygy_count(tables, SYZYGY_DTZ), 36);
    assert_int_equal(syzygy_men(tables), 5);
    FILE *file = fopen(path, "r");
    int rows = 0;
    for (; fgets(line, sizeof line, file); rows++)
        check_row(tables, line);
    fclose(file);
    assert_int_equal(rows, 200);
    syzygy_free(tables);
}

// The same rows say what the bare files hold, captures left aside.
static void test_bare_files(void **state)
{
    (void)state;
    char path[TEST_PATH_SIZE], name[TEST_PATH_SIZE], line[512];
    test_shared_or_skip("endgame/endgame.epd", path);
    SyzygyMaps maps;
    syzygy_maps_init(&maps);
    FILE *rows = fopen(path, "r");
    int checked = 0;
    while (fgets(line, sizeof line, rows)) {
        Epd epd;
        assert_true(epd_read(&epd, &VARIANTS[VARIANT_CHESS], line, strcspn(line, "\r\n"), NULL));
        int expected = operand(&epd, "wdl_table");
        for (int i = 0; i < ENDING_COUNT; i++) {
            SyzygyMaterial m;
            syzygy_material_from_name(&m, ENDINGS[i], strlen(ENDINGS[i]));
            uint64_t code = syzygy_position_code(&epd.pos);
            if (code != syzygy_material_code(&m, false) && code != syzygy_material_code(&m, true))
                continue;
            char relative[64];
            snprintf(relative, sizeof relative, "tablebases/syzygy/%s.rtbw", ENDINGS[i]);
            test_shared_or_skip(relative, name);
            size_t size;
            int wdl = 9;
            char *bytes = file_read(name, 1 << 24, &size, NULL);
            SyzygyFile *file = syzygy_file_new(&maps, (uint8_t *)bytes, size, SYZYGY_WDL, &m, NULL);
            assert_non_null(file);
            assert_int_equal(syzygy_file_probe(file, &epd.pos, &wdl), SYZYGY_FOUND);
            if (wdl != expected)
                fail_msg("the file says %d: %s", wdl, line);
            checked++;
            syzygy_file_free(file);
            free(bytes);
        }
    }
    fclose(rows);
    assert_int_equal(checked, 200);
}

// --- agreement with the successors -------------------------------------------------------------

static int sign_of(int value)
{
    return (value > 0) - (value < 0);
}

// A position is won if a move leads to a lost one, and so on; its distance is one more than that of
// the best move, but for the rounding of files that count full moves.
static void check_successors(Syzygy *tables, Position *pos, bool with_dtz)
{
    Move moves[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, moves), wdl = wdl_of(tables, pos), best = -1;
    int dtz = with_dtz ? dtz_of(tables, pos) : 0, nearest = 0;
    char fen[FEN_SIZE];
    if (!count)
        best = position_in_check(pos) ? -1 : 0;
    for (int i = 0; i < count; i++) {
        Undo undo;
        bool is_zeroing =
            move_is_capture(moves[i]) || piece_type(pos->board[move_from(moves[i])]) == PAWN;
        position_make(pos, moves[i], &undo);
        int value = -sign_of(wdl_of(tables, pos));
        best = value > best ? value : best;
        if (with_dtz && wdl && value == sign_of(wdl)) {
            int distance = is_zeroing ? value : value - dtz_of(tables, pos);
            if (!movegen_any(pos))
                distance = value;
            if (!nearest || distance < nearest)
                nearest = distance;
        }
        position_unmake(pos, moves[i], &undo);
    }
    position_to_fen(pos, FEN_XFEN, fen);
    if (sign_of(wdl) != best)
        fail_msg("%s: result %d, but the best move gives %d", fen, wdl, best);
    if (with_dtz && sign_of(dtz) != sign_of(wdl))
        fail_msg("%s: result %d, distance %d", fen, wdl, dtz);
    if (with_dtz && wdl && count && abs(dtz - nearest) > 1)
        fail_msg("%s: distance %d, but the best move gives %d", fen, dtz, nearest);
}

static void test_successors(void **state)
{
    (void)state;
    Syzygy *tables = open_tables();
    int count = test_level() == TEST_QUICK ? 20 : test_level() == TEST_LONG ? 20000 : 600;
    Random random;
    random_init(&random, 1);
    Position pos;
    for (int i = 0; i < ENDING_COUNT * count; i++) {
        random_position(&random, ENDINGS[i % ENDING_COUNT], &pos);
        check_successors(tables, &pos, true);
    }
    for (int i = 0; i < 5 * count; i++) {
        random_position(&random, "KNNvKB", &pos);
        check_successors(tables, &pos, true);
        random_position(&random, "KBNvKN", &pos);
        check_successors(tables, &pos, false);
    }
    syzygy_free(tables);
}

// En passant is no part of the files: the prober must see it.
static void test_en_passant(void **state)
{
    (void)state;
    Syzygy *tables = open_tables();
    Random random;
    Position pos;
    int seen = 0;
    random_init(&random, 2);
    for (int i = 0; i < 200000 && seen < 400; i++) {
        Move moves[MAX_MOVES];
        random_position(&random, "KPvKP", &pos);
        int count = movegen_legal(&pos, STAGE_ALL, moves);
        for (int j = 0; j < count; j++)
            if (move_kind(moves[j]) == KIND_DOUBLE_STEP) {
                Position next = pos;
                Undo undo;
                position_make(&next, moves[j], &undo);
                if (next.state.en_passant != NO_SQUARE) {
                    check_successors(tables, &next, true);
                    seen++;
                }
            }
    }
    assert_true(seen >= 100);
    syzygy_free(tables);
}

// --- refusals ----------------------------------------------------------------------------------

static void test_refusals(void **state)
{
    (void)state;
    Syzygy *tables = open_tables();
    static const struct {
        const Rules *rules;
        const char *fen, *reason;
    } CASES[] = {
        {&VARIANTS[VARIANT_CHESS], "4k3/8/8/8/8/8/8/4K2R w K -", "castling"},
        {&VARIANTS[VARIANT_LEGAN], "4k3/8/8/8/8/8/8/4K2R w - -", "this game"},
        {&VARIANTS[VARIANT_CHESS], "4k3/8/8/8/8/8/PP6/QR2K3 w - -", "too many"},
        {&VARIANTS[VARIANT_CHESS], "4k3/8/8/8/8/8/P7/QR2K3 w - -", "no WDL table"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Position pos;
        Error error = {0};
        int value;
        assert_true(position_from_fen(&pos, CASES[i].rules, CASES[i].fen, NULL));
        assert_false(syzygy_probe_wdl(tables, &pos, &value, &error));
        if (!strstr(error.text, CASES[i].reason))
            fail_msg("%s: %s", CASES[i].fen, error.text);
        assert_false(syzygy_probe_dtz(tables, &pos, &value, NULL));
    }
    syzygy_free(tables);
}

// Probes a file in memory with random positions: any answer will do.
static void probe_anything(const SyzygyMaps *maps, const uint8_t *bytes, size_t size,
                           SyzygyKind kind, const char *name, Random *random, int count)
{
    SyzygyMaterial material;
    Error error = {0};
    syzygy_material_from_name(&material, name, strlen(name));
    SyzygyFile *file = syzygy_file_new(maps, bytes, size, kind, &material, &error);
    if (!file) {
        assert_true(error.text[0]);
        return;
    }
    for (int i = 0; i < count; i++) {
        Position pos;
        random_position(random, name, &pos);
        int value = kind == SYZYGY_DTZ ? (i % 2 ? 2 : -2) : 0;
        SyzygyAnswer answer = syzygy_file_probe(file, &pos, &value);
        if (answer == SYZYGY_FOUND)
            assert_true(kind == SYZYGY_DTZ ? value > 0 : value >= -2 && value <= 2);
    }
    syzygy_file_free(file);
}

// Flips bits, mostly in the head, and cuts files: each is refused or answers something.
static void test_damage(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"KQvKR", "KPvKP", "KRvKP", "KBNvK", "KNvKN"};
    int rounds = test_level() == TEST_QUICK ? 100 : test_level() == TEST_LONG ? 20000 : 1000;
    SyzygyMaps maps;
    Random random;
    syzygy_maps_init(&maps);
    random_init(&random, 3);
    for (int i = 0; i < 10; i++) {
        char name[64], path[TEST_PATH_SIZE];
        SyzygyKind kind = i % 2 ? SYZYGY_DTZ : SYZYGY_WDL;
        snprintf(name, sizeof name, "tablebases/syzygy/%s.rtb%c", NAMES[i / 2], "wz"[kind]);
        test_shared_or_skip(name, path);
        size_t size;
        uint8_t *bytes = (uint8_t *)file_read(path, 1 << 24, &size, NULL);
        probe_anything(&maps, bytes, size, kind, NAMES[i / 2], &random, 100);
        for (int round = 0; round < rounds; round++) {
            size_t at[3];
            uint8_t was[3];
            for (int k = 0; k < 3; k++) {
                at[k] = random_below(&random, round % 3 ? (size < 600 ? size : 600) : size);
                was[k] = bytes[at[k]];
                bytes[at[k]] ^= (uint8_t)(1 << random_below(&random, 8));
            }
            probe_anything(&maps, bytes, size, kind, NAMES[i / 2], &random, 4);
            for (int k = 2; k >= 0; k--)
                bytes[at[k]] = was[k];
            // Cut, in memory of just that size.
            size_t cut = random_below(&random, size);
            uint8_t *part = malloc(cut + 1);
            memcpy(part, bytes, cut);
            SyzygyMaterial material;
            syzygy_material_from_name(&material, NAMES[i / 2], 5);
            assert_null(syzygy_file_new(&maps, part, cut, kind, &material, NULL));
            free(part);
        }
        free(bytes);
    }
}

// Files under each other's names, empty, and folders that look like files.
static void test_swapped(void **state)
{
    (void)state;
    char path[TEST_PATH_SIZE], folder[] = "/tmp/lovac-syzygy-XXXXXX", name[128];
    test_shared_or_skip("tablebases/syzygy/KQvK.rtbw", path);
    assert_non_null(mkdtemp(folder));
    static const char *const NAMES[] = {"KRvK.rtbw", "KQvK.rtbz", "KBvK.rtbw"};
    size_t size;
    char *bytes = file_read(path, 1 << 24, &size, NULL);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, NAMES[i]);
        assert_true(file_write(name, bytes, i < 2 ? size : 0, NULL));
    }
    free(bytes);
    snprintf(name, sizeof name, "%s/KNvK.rtbw", folder);
    assert_int_equal(mkdir(name, 0700), 0);
    Syzygy *tables = syzygy_new(folder, NULL);
    assert_non_null(tables);
    assert_int_equal(syzygy_count(tables, SYZYGY_WDL), 3);
    static const char *const FENS[] = {"8/8/8/2k5/8/4K3/8/7R w - -", "8/8/8/2k5/8/4K3/8/7B w - -",
                                       "8/8/8/2k5/8/4K3/8/7N w - -"};
    static const char *const REASONS[] = {"other material", "empty", "not a file"};
    for (int i = 0; i < 3; i++) {
        Position pos;
        Error error = {0};
        int wdl;
        assert_true(position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], FENS[i], NULL));
        assert_false(syzygy_probe_wdl(tables, &pos, &wdl, &error));
        if (!strstr(error.text, REASONS[i]) || !strstr(error.text, folder))
            fail_msg("%s: %s", FENS[i], error.text);
    }
    syzygy_free(tables);
    rmdir(name);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, NAMES[i]);
        unlink(name);
    }
    rmdir(folder);
}

// --- threads -----------------------------------------------------------------------------------

typedef struct Shared {
    Syzygy *tables;
    unsigned results[8];
} Shared;

// Every worker asks the same questions of files that nobody has opened yet.
static void ask(void *context, size_t index, int worker)
{
    Shared *shared = context;
    Random random;
    Position pos;
    (void)worker;
    random_init(&random, 4);
    for (int i = 0; i < 20 * ENDING_COUNT; i++) {
        int wdl = 0, dtz = 0;
        random_position(&random, ENDINGS[i % ENDING_COUNT], &pos);
        if (!syzygy_probe_wdl(shared->tables, &pos, &wdl, NULL) ||
            !syzygy_probe_dtz(shared->tables, &pos, &dtz, NULL))
            wdl = 1000;
        shared->results[index] = shared->results[index] * 31 + (unsigned)(wdl * 7 + dtz);
    }
}

static void test_threads(void **state)
{
    (void)state;
    Shared shared = {.tables = open_tables()};
    parallel_for(8, 4, ask, &shared);
    for (int i = 1; i < 8; i++)
        assert_int_equal(shared.results[i], shared.results[0]);
    syzygy_free(shared.tables);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),         cmocka_unit_test(test_numbering),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_packing),
        cmocka_unit_test(test_nothing_there), cmocka_unit_test(test_published),
        cmocka_unit_test(test_bare_files),    cmocka_unit_test(test_successors),
        cmocka_unit_test(test_en_passant),    cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_damage),        cmocka_unit_test(test_swapped),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
