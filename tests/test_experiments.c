// The laboratory's experiments: methods against second ways, the table's three forms, the chart as
// well-formed XML, and a run that was interrupted against one that was not.
#include <math.h>
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"
#include "core/bitboard.h"
#include "lab/experiments/bits.h"
#include "lab/experiments/chart.h"
#include "lab/experiments/report.h"
#include "lab/experiments/rows.h"
#include "lab/experiments/slider_methods.h"
#include "test_data.h"

// ---- Bits ----

// Words with many ones, few, and all numbers between.
static uint64_t random_word(Random *random, int i)
{
    uint64_t word = random_next(random);
    for (int k = i % 5; k > 0; k--)
        word = i & 8 ? word | random_next(random) : word & random_next(random);
    return word;
}

static void check_counts(uint64_t word)
{
    int ones = 0;
    for (int i = 0; i < 64; i++)
        ones += (word & 1ull << i) != 0;
    assert_int_equal(bits_count_loop(word), ones);
    assert_int_equal(bits_count_kernighan(word), ones);
    assert_int_equal(bits_count_hakmem(word), ones);
    assert_int_equal(bits_count_hardware(word), ones);
}

static void counts_are_right(void **state)
{
    (void)state;
    Random random;
    random_init(&random, 1);
    check_counts(0);
    check_counts(UINT64_MAX);
    for (int i = 0; i < 64; i++)
        check_counts(1ull << i);
    for (int i = 0; i < 20000; i++)
        check_counts(random_word(&random, i));
}

static void check_scans(const uint8_t *table, uint64_t word)
{
    uint8_t lists[3][64];
    const int counts[3] = {bits_scan_loop(word, lists[0]),
                           bits_scan_de_bruijn(table, word, lists[1]),
                           bits_scan_hardware(word, lists[2])};
    for (int m = 0; m < 3; m++) {
        uint64_t rebuilt = 0;
        assert_int_equal(counts[m], bit_count(word));
        for (int i = 0; i < counts[m]; i++) {
            assert_true(i == 0 || lists[m][i - 1] < lists[m][i]);
            rebuilt |= 1ull << lists[m][i];
        }
        assert_true(rebuilt == word);
    }
}

static void scans_are_right(void **state)
{
    (void)state;
    uint8_t table[64];
    Random random;
    random_init(&random, 2);
    bits_de_bruijn_table(table);
    check_scans(table, 0);
    check_scans(table, UINT64_MAX);
    for (int i = 0; i < 20000; i++)
        check_scans(table, random_word(&random, i));
}

static void samples_have_their_ones(void **state)
{
    (void)state;
    for (int ones = 1; ones <= 64; ones++)
        assert_int_equal(bit_count(bits_sample(ones)), ones);
}

// ---- Sliding attacks ----

// What a rook or bishop attacks, found by walking: a second way, without any table.
static uint64_t walk_attacks(int square, bool is_rook, uint64_t occupied)
{
    uint64_t attacks = 0;
    for (int d = 0; d < 8; d++) {
        static const int STEPS[8][2] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                        {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
        if ((d < 4) != is_rook)
            continue;
        for (int file = (square & 7) + STEPS[d][0], rank = (square >> 3) + STEPS[d][1];
             file >= 0 && file < 8 && rank >= 0 && rank < 8;
             file += STEPS[d][0], rank += STEPS[d][1]) {
            attacks |= 1ull << (8 * rank + file);
            if (occupied >> (8 * rank + file) & 1)
                break;
        }
    }
    return attacks;
}

static void sliders_agree(void **state)
{
    (void)state;
    SliderTables *tables = slider_tables_new(NULL);
    assert_non_null(tables);
    Random random;
    random_init(&random, 3);
    int rounds = test_level() == TEST_QUICK ? 300 : 3000;
    for (int i = 0; i < rounds; i++) {
        uint64_t occupied = i ? random_word(&random, i) : 0;
        const SliderBoards boards = slider_boards(tables, occupied);
        for (int square = 0; square < 64; square++) {
            uint64_t rook = walk_attacks(square, true, occupied);
            uint64_t bishop = walk_attacks(square, false, occupied);
            for (SliderMethod m = 0; m < SLIDER_METHODS; m++) {
                assert_true(slider_rook(tables, m, square, &boards) == rook);
                assert_true(slider_bishop(tables, m, square, &boards) == bishop);
            }
            assert_true(rook_attacks(square, occupied) == rook);
        }
    }
    slider_tables_free(tables);
}

// ---- Tables ----

static const LabTable SMALL = {.key = "small",
                               .title = "Small",
                               .columns = {{"who", "Who", LAB_TEXT, 0, false},
                                           {"n", "Number", LAB_COUNT, 0, false},
                                           {"x", "Value", LAB_REAL, 2, true}}};

static LabRows small_rows(void)
{
    LabRows rows = {0};
    LabCell first[LAB_COLUMNS_MAX] = {lab_text("a, \"b\""), lab_count(1234567), lab_real(0.125)};
    LabCell second[LAB_COLUMNS_MAX] = {lab_text("č<&>"), {0}, lab_real(-3)};
    assert_true(lab_rows_put(&rows, 0, first, NULL));
    assert_true(lab_rows_put(&rows, 1, second, NULL));
    return rows;
}

static void tables_have_three_forms(void **state)
{
    (void)state;
    LabRows rows = small_rows();
    char text[2048];
    Str out;
    str_init(&out, text, sizeof text);
    lab_table_csv(&SMALL, &rows, &out);
    assert_string_equal(text, "who,n,x\n\"a, \"\"b\"\"\",1234567,0.125\nč<&>,,-3\n");
    str_init(&out, text, sizeof text);
    lab_table_markdown(&SMALL, &rows, &out);
    assert_string_equal(text, "| Who | Number | Value |\n|---|---:|---:|\n"
                              "| a, \"b\" | 1 234 567 | 0.12 |\n| č<&> |  | -3.00 |\n");
    str_init(&out, text, sizeof text);
    lab_table_plain(&SMALL, &rows, &out);
    assert_string_equal(text, "Who        Number  Value\n"
                              "a, \"b\"  1 234 567   0.12\n"
                              "č<&>               -3.00\n");
    lab_rows_release(&rows);
    LabCell nothing = lab_real(-0.004);
    assert_string_equal(lab_cell_text(&SMALL.columns[2], &nothing, text), "0.00");
}

static void long_texts_are_cut_between_letters(void **state)
{
    (void)state;
    char text[3 * LAB_TEXT_SIZE] = "";
    for (int i = 0; i < LAB_TEXT_SIZE; i++)
        strcat(text, "č");
    LabCell cell = lab_text(text);
    assert_int_equal(strlen(cell.text) % 2, 0);
    assert_int_equal(strlen(cell.text), (LAB_TEXT_SIZE - 1) / 2 * 2);
}

// ---- Charts ----

// Reads a picture as XML: every element is closed by its own name, attributes are quoted, no stray
// < or &. Counts the elements of a name.
static int check_xml(const char *xml, const char *name)
{
    char open[32][32];
    int depth = 0, found = 0;
    for (const char *at = xml; *at;) {
        if (*at == '&')
            assert_true(!strncmp(at, "&amp;", 5) || !strncmp(at, "&lt;", 4) ||
                        !strncmp(at, "&gt;", 4) || !strncmp(at, "&quot;", 6));
        assert_true(*at != '>');
        if (*at++ != '<')
            continue;
        bool closes = *at == '/';
        char tag[32] = "";
        sscanf(at + closes, "%31[a-z]", tag);
        assert_true(tag[0]);
        at += strlen(tag) + closes;
        if (closes) {
            assert_true(depth > 0 && !strcmp(open[--depth], tag));
            assert_true(*at++ == '>');
            continue;
        }
        found += !strcmp(tag, name);
        char attribute[32];
        int length = 0;
        while (sscanf(at, " %31[a-zA-Z0-9-]=\"%n", attribute, &length) == 1 && length) {
            at += length;
            while (*at && *at != '"')
                assert_true(*at++ != '<');
            assert_true(*at++ == '"');
            length = 0;
        }
        bool is_empty = *at == '/';
        at += is_empty;
        assert_true(*at++ == '>');
        assert_true(depth < 32);
        if (!is_empty)
            strcpy(open[depth++], tag);
    }
    assert_int_equal(depth, 0);
    return found;
}

static void charts_are_well_formed(void **state)
{
    (void)state;
    static char svg[1 << 16];
    LabRows rows = small_rows();
    LabChart bars = {.key = "k", .title = "a < b & \"c\"", .x = "who", .series = {"n", "x"}};
    bars.has_bars = true;
    Str out;
    str_init(&out, svg, sizeof svg);
    lab_chart_svg(&bars, &SMALL, &rows, &out);
    // The ground, one bar for n and two for x.
    assert_int_equal(check_xml(svg, "rect"), 4);
    assert_int_equal(check_xml(svg, "svg"), 1);
    assert_non_null(strstr(svg, "a &lt; b &amp; &quot;c&quot;"));
    // An error bar is three lines; the second row has no bar and so no error.
    LabChart errors = {.key = "k", .title = "t", .x = "who", .series = {"n"}, .has_bars = true};
    str_init(&out, svg, sizeof svg);
    lab_chart_svg(&errors, &SMALL, &rows, &out);
    int plain = check_xml(svg, "line");
    errors.error = "x";
    str_init(&out, svg, sizeof svg);
    lab_chart_svg(&errors, &SMALL, &rows, &out);
    assert_int_equal(check_xml(svg, "line"), plain + 3);
    LabChart lines = {.key = "k", .title = "t", .x = "n", .series = {"x"}, .is_logarithmic = true};
    str_init(&out, svg, sizeof svg);
    lab_chart_svg(&lines, &SMALL, &rows, &out);
    assert_int_equal(check_xml(svg, "path"), 1);
    // The second row has no n and no logarithm.
    assert_int_equal(check_xml(svg, "circle"), 1);
    // Marks: whole numbers where things are counted, large ones short.
    LabChart squares = {.key = "k", .title = "t", .x = "n", .series = {"x"}};
    LabRows depths = {0};
    for (int i = 1; i <= 3; i++) {
        LabCell cells[LAB_COLUMNS_MAX] = {lab_text("d"), lab_count((uint64_t)i), lab_real(2e7 * i)};
        assert_true(lab_rows_put(&depths, i - 1, cells, NULL));
    }
    str_init(&out, svg, sizeof svg);
    lab_chart_svg(&squares, &SMALL, &depths, &out);
    assert_non_null(strstr(svg, ">2</text>"));
    assert_null(strstr(svg, ">1.5</text>"));
    assert_non_null(strstr(svg, ">20M</text>"));
    lab_rows_release(&depths);
    lab_rows_release(&rows);
    str_init(&out, svg, sizeof svg);
    lab_chart_svg(&lines, &SMALL, &rows, &out);
    assert_int_equal(check_xml(svg, "circle"), 0);
    assert_false(out.is_cut);
}

static void ticks_are_round(void **state)
{
    (void)state;
    double ticks[12];
    assert_int_equal(lab_chart_ticks(0, 64, false, ticks, 12), 7);
    assert_float_equal(ticks[6], 60, 1e-9);
    assert_int_equal(lab_chart_ticks(0, 0.21, false, ticks, 8), 5);
    assert_float_equal(ticks[1], 0.05, 1e-9);
    assert_int_equal(lab_chart_ticks(1, 4, true, ticks, 8), 4);
    assert_float_equal(ticks[3], 10000, 1e-6);
    // More decades than there is room for: every second one.
    assert_true(lab_chart_ticks(0, 12, true, ticks, 8) <= 8);
}

// ---- Runs ----

// An experiment of this test: its rows depend on the row, the seed and the rows before, and
// somebody may stop it in the middle.
static int calls;
static atomic_bool stop;
static int stop_at = -1;

static int toy_rows(const LabSettings *settings, int table)
{
    return table ? 3 : settings->is_quick ? 5 : 9;
}

static bool toy_fill(LabRun *run, int table, int row, LabCell *cells, Error *error)
{
    (void)error;
    if (calls++ == stop_at)
        atomic_store(&stop, true);
    double before = row ? lab_run_number(run, table, row - 1, "x") : 0.1;
    cells[0] = lab_format("row %d of %s", row, table ? "second" : "first");
    cells[1] = lab_count(run->settings.seed * 1000003 + (uint64_t)row);
    if (row != 2)
        cells[2] = lab_real(isnan(before) ? 1.0 / 3 : before * 1.1);
    return true;
}

static const LabExperiment TOY = {
    .name = "toy",
    .title = "Toy",
    .text = "For this test.",
    .source = "nowhere",
    .tables = {{.key = "one",
                .title = "One",
                .columns = {{"who", "Who", LAB_TEXT, 0, false},
                            {"n", "Number", LAB_COUNT, 0, false},
                            {"x", "Value", LAB_REAL, 2, false}}},
               {.key = "two",
                .title = "Two",
                .columns = {{"who", "Who", LAB_TEXT, 0, false},
                            {"n", "Number", LAB_COUNT, 0, false},
                            {"x", "Value", LAB_REAL, 2, false}}}},
    .row_count = toy_rows,
    .fill = toy_fill,
};

static void describe(const LabRun *run, char *text, size_t size)
{
    Str out;
    str_init(&out, text, size);
    lab_table_csv(&TOY.tables[0], &run->rows[0], &out);
    lab_table_csv(&TOY.tables[1], &run->rows[1], &out);
}

// Works until the call with that number (-1: to the end) and returns how many rows it made.
static int work(uint64_t seed, const char *path, int until, char *text, size_t size)
{
    LabSettings settings = {.seed = seed, .stop = &stop};
    LabRun run;
    atomic_store(&stop, false);
    calls = 0;
    stop_at = until;
    lab_run_init(&run, &TOY, &settings, path);
    assert_true(lab_run_work(&run, path, NULL));
    assert_int_equal(lab_run_is_done(&run), until < 0);
    int made = run.rows_done - run.resumed;
    describe(&run, text, size);
    lab_run_release(&run);
    return made;
}

static void interrupted_runs_go_on(void **state)
{
    (void)state;
    char path[] = "/tmp/lovac-experiment-XXXXXX", whole[4096], parts[4096];
    close(mkstemp(path));
    assert_int_equal(work(7, NULL, -1, whole, sizeof whole), 12);
    assert_int_equal(work(7, path, 4, parts, sizeof parts), 4);
    assert_string_not_equal(whole, parts);
    assert_int_equal(work(7, path, 6, parts, sizeof parts), 6);
    assert_int_equal(work(7, path, -1, parts, sizeof parts), 2);
    assert_string_equal(whole, parts);
    assert_int_equal(work(7, path, -1, parts, sizeof parts), 0);
    assert_string_equal(whole, parts);
    // Another seed is another run.
    assert_int_equal(work(8, path, -1, parts, sizeof parts), 12);
    assert_string_not_equal(whole, parts);
    unlink(path);
}

static void spoilt_rows_are_made_anew(void **state)
{
    (void)state;
    char path[] = "/tmp/lovac-experiment-XXXXXX", whole[4096], parts[4096];
    close(mkstemp(path));
    assert_int_equal(work(7, path, -1, whole, sizeof whole), 12);
    char *text = file_read(path, 1 << 20, NULL, NULL), *spot = strstr(text, "row 5 of first");
    assert_non_null(spot);
    spot[4] = '6';
    assert_true(file_write(path, text, strlen(text), NULL));
    assert_int_equal(work(7, path, -1, parts, sizeof parts), 7);
    assert_string_equal(whole, parts);
    // A file cut in the middle of a line.
    free(text);
    size_t size;
    text = file_read(path, 1 << 20, &size, NULL);
    assert_true(file_write(path, text, size - 9, NULL));
    assert_int_equal(work(7, path, -1, parts, sizeof parts), 1);
    assert_string_equal(whole, parts);
    free(text);
    unlink(path);
}

// ---- Experiments whose figures are known ----

// Runs one with small sizes.
static void run_quickly(LabRun *run, const char *name)
{
    LabSettings settings = {.is_quick = true, .seed = 1, .threads = 1};
    Error error = {0};
    lab_run_init(run, lab_experiment_find(name), &settings, NULL);
    if (!lab_run_work(run, NULL, &error))
        fail_msg("%s: %s", name, error.text);
    assert_true(lab_run_is_done(run));
}

static void perft_tests_agree(void **state)
{
    (void)state;
    LabRun run;
    run_quickly(&run, "perft-tests");
    assert_int_equal(run.rows[1].count, 7);
    for (int t = 0; t < 2; t++)
        for (int r = 0; r < run.rows[t].count; r++)
            assert_string_equal(lab_run_cell(&run, t, r, "agrees")->text, "=");
    lab_run_release(&run);
}

static void trees_are_as_known(void **state)
{
    (void)state;
    LabRun run;
    run_quickly(&run, "trees");
    // All sequences up to four half-moves, and the root.
    assert_float_equal(lab_run_number(&run, 0, 3, "minimax"), 1 + 20 + 400 + 8902 + 197281, 0);
    assert_float_equal(lab_run_number(&run, 1, 2, "negamax"), 1 + 48 + 2039 + 97862, 0);
    for (int t = 0; t < 2; t++)
        for (int r = 0; r < run.rows[t].count - 1; r++) {
            assert_true(lab_run_number(&run, t, r, "minimax") ==
                        lab_run_number(&run, t, r, "negamax"));
            assert_true(lab_run_number(&run, t, r, "plain") <=
                        lab_run_number(&run, t, r, "minimax"));
        }
    // Document D's misprint and nothing else.
    for (int r = 0; r < 8; r++)
        assert_string_equal(lab_run_cell(&run, 2, r, "agrees")->text, r == 4 ? "≠" : "=");
    assert_float_equal(lab_run_number(&run, 2, 4, "least_leaves"), 65599, 0);
    lab_run_release(&run);
}

static void m_mates_at_depth_four(void **state)
{
    (void)state;
    LabRun run;
    run_quickly(&run, "m-search");
    assert_string_not_equal(lab_run_cell(&run, 0, 2, "verdict")->text, "mate in 2");
    assert_string_equal(lab_run_cell(&run, 0, 3, "verdict")->text, "mate in 2");
    assert_string_equal(lab_run_cell(&run, 0, 3, "line")->text, "g3g6 f7g6 e5g6");
    // The last row is the sum of those before.
    double sum = 0;
    for (int r = 0; r < 7; r++)
        sum += lab_run_number(&run, 1, r, "by_pv");
    assert_float_equal(lab_run_number(&run, 1, 7, "by_pv"), sum, 0);
    // And so is the last depth of all together; one position saves more than all.
    assert_float_equal(lab_run_number(&run, 2, 1, "by_pv"), sum, 0);
    assert_true(lab_run_number(&run, 2, 1, "saved_most") > lab_run_number(&run, 2, 1, "saved_mvv"));
    lab_run_release(&run);
}

static void t_sees_the_horizon(void **state)
{
    (void)state;
    LabRun run;
    run_quickly(&run, "t-horizon");
    assert_string_equal(lab_run_cell(&run, 0, 0, "plain_fate")->text, "loses the queen");
    for (int r = 0; r < 4; r++)
        assert_string_equal(lab_run_cell(&run, 0, r, "deep_fate")->text, "sound");
    lab_run_release(&run);
}

static void d_extensions_do_their_work(void **state)
{
    (void)state;
    LabRun run;
    run_quickly(&run, "extensions");
    assert_float_equal(lab_run_number(&run, 0, 0, "deepest"), 3, 0);
    assert_true(lab_run_number(&run, 0, 1, "deepest") > 10);
    assert_true(lab_run_number(&run, 0, 1, "entered") > lab_run_number(&run, 0, 0, "entered"));
    assert_true(lab_run_number(&run, 0, 4, "entered") < lab_run_number(&run, 0, 1, "entered"));
    // All of it is the last row of the first table.
    assert_true(lab_run_number(&run, 1, 0, "entered") == lab_run_number(&run, 0, 4, "entered"));
    lab_run_release(&run);
}

static void k_league_shares_its_points(void **state)
{
    (void)state;
    LabRun run;
    run_quickly(&run, "k-league");
    // Four champions, each pair twice: twelve games, a point each.
    double sum = 0;
    for (int r = 0; r < 4; r++)
        sum += lab_run_number(&run, 0, r, "k_points");
    assert_float_equal(sum, 12, 1e-9);
    assert_string_equal(lab_run_cell(&run, 1, 0, "k_row")->text, "3/3/3/3");
    lab_run_release(&run);
}

static void ordering_helps(void **state)
{
    (void)state;
    LabRun run;
    run_quickly(&run, "ordering");
    int last = run.rows[0].count - 1;
    assert_true(lab_run_number(&run, 0, last, "visited") * 2 <
                lab_run_number(&run, 0, 0, "visited"));
    assert_true(lab_run_number(&run, 0, last, "first_cuts") >
                lab_run_number(&run, 0, 0, "first_cuts"));
    lab_run_release(&run);
}

// ---- The list ----

static void check_chart(const LabExperiment *e, const LabChart *chart)
{
    assert_true(chart->table < lab_experiment_table_count(e));
    const LabTable *table = &e->tables[chart->table];
    const LabColumn *x = &table->columns[lab_table_column(table, chart->x)];
    assert_true(!strcmp(x->key, chart->x) && (chart->has_bars || x->kind != LAB_TEXT));
    for (int s = 0; s < LAB_SERIES_MAX && chart->series[s]; s++) {
        const LabColumn *column = &table->columns[lab_table_column(table, chart->series[s])];
        assert_true(!strcmp(column->key, chart->series[s]) && column->kind != LAB_TEXT);
    }
}

static void the_list_is_whole(void **state)
{
    (void)state;
    LabSettings quick = {.is_quick = true, .seed = 1};
    for (int i = 0; LAB_EXPERIMENTS[i]; i++) {
        const LabExperiment *e = LAB_EXPERIMENTS[i];
        assert_ptr_equal(lab_experiment_find(e->name), e);
        assert_true(e->title && e->text && e->source && e->fill && e->row_count);
        assert_true(lab_experiment_table_count(e) > 0);
        for (int t = 0; t < lab_experiment_table_count(e); t++)
            assert_true(e->row_count(&quick, t) > 0 && lab_table_width(&e->tables[t]) > 1);
        for (int c = 0; c < lab_experiment_chart_count(e); c++)
            check_chart(e, &e->charts[c]);
    }
    assert_null(lab_experiment_find("bits"));
    assert_string_equal(lab_experiment_nearest("bitcount"), "bit-count");
    assert_null(lab_experiment_nearest("zzzzzzzzzzzz"));
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_right),
        cmocka_unit_test(scans_are_right),
        cmocka_unit_test(samples_have_their_ones),
        cmocka_unit_test(sliders_agree),
        cmocka_unit_test(tables_have_three_forms),
        cmocka_unit_test(long_texts_are_cut_between_letters),
        cmocka_unit_test(charts_are_well_formed),
        cmocka_unit_test(ticks_are_round),
        cmocka_unit_test(interrupted_runs_go_on),
        cmocka_unit_test(spoilt_rows_are_made_anew),
        cmocka_unit_test(perft_tests_agree),
        cmocka_unit_test(trees_are_as_known),
        cmocka_unit_test(m_mates_at_depth_four),
        cmocka_unit_test(t_sees_the_horizon),
        cmocka_unit_test(d_extensions_do_their_work),
        cmocka_unit_test(k_league_shares_its_points),
        cmocka_unit_test(ordering_helps),
        cmocka_unit_test(the_list_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
