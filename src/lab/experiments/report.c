// See report.h.
#include "lab/experiments/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/thread.h"
#include "lab/experiments/chart.h"

// ---- Text ----

static void add_conclusion(const LabRun *run, Str *out)
{
    if (run->experiment->conclude && lab_run_is_done(run)) {
        str_add(out, "\n");
        run->experiment->conclude(run, out);
    }
}

void lab_report_plain(const LabRun *run, Str *out)
{
    const LabExperiment *e = run->experiment;
    str_format(out, "%s: %s\nBeside: %s\n", e->name, e->title, e->source);
    for (int t = 0; t < lab_experiment_table_count(e); t++) {
        str_format(out, "\n%s\n", e->tables[t].title);
        lab_table_plain(&e->tables[t], &run->rows[t], out);
    }
    add_conclusion(run, out);
}

void lab_report_markdown(const LabRun *run, const char *pictures, Str *out)
{
    const LabExperiment *e = run->experiment;
    str_format(out, "## %s\n\n%s Beside: %s\n\n    lovac lab run %s\n", e->title, e->text,
               e->source, e->name);
    if (!lab_run_is_done(run))
        str_format(out, "\n**Not finished**: %d of %d rows have been measured.\n", run->rows_done,
                   run->rows_total);
    for (int t = 0; t < lab_experiment_table_count(e); t++) {
        if (!run->rows[t].count)
            continue;
        str_format(out, "\n*%s*\n\n", e->tables[t].title);
        lab_table_markdown(&e->tables[t], &run->rows[t], out);
    }
    add_conclusion(run, out);
    for (int c = 0; lab_run_is_done(run) && c < lab_experiment_chart_count(e); c++)
        str_format(out, "\n![%s](%s%s%s.svg)\n", e->charts[c].title, pictures, *pictures ? "/" : "",
                   e->charts[c].key);
}

void lab_report_machine(char text[LAB_MACHINE_SIZE])
{
    char line[256], name[LAB_MACHINE_SIZE - 32] = "a processor without a name";
    FILE *in = fopen("/proc/cpuinfo", "r");
    while (in && fgets(line, sizeof line, in)) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !value)
            continue;
        value += 1 + strspn(value + 1, " \t");
        value[strcspn(value, "\n")] = 0;
        snprintf(name, sizeof name, "%.90s", value);
        break;
    }
    if (in)
        fclose(in);
    snprintf(text, LAB_MACHINE_SIZE, "%s, %d processors", name, thread_cpu_count());
}

// ---- Files ----

// Writes what a Str holds; a text that did not fit is an error, not a shorter file.
static bool write_text(const Str *text, const char *folder, const char *name, const char *ending,
                       Error *error)
{
    char path[LAB_PATH_SIZE];
    if (snprintf(path, sizeof path, "%s/%s%s", folder, name, ending) >= (int)sizeof path)
        return error_set(error, "the name of the folder is too long");
    return text->is_cut ? error_set(error, "%s: too long", path)
                        : file_write(path, text->text, text->length, error);
}

static bool write_csv(const LabRun *run, int table, const char *folder, Str *out, Error *error)
{
    char name[128];
    const LabExperiment *e = run->experiment;
    snprintf(name, sizeof name, table ? "%s-%s" : "%s", e->name, e->tables[table].key);
    lab_table_csv(&e->tables[table], &run->rows[table], out);
    return write_text(out, folder, name, ".csv", error);
}

static bool write_all(const LabRun *run, const char *folder, char *buffer, Error *error)
{
    Str out;
    for (int t = 0; t < lab_experiment_table_count(run->experiment); t++) {
        str_init(&out, buffer, LAB_REPORT_SIZE);
        if (!write_csv(run, t, folder, &out, error))
            return false;
    }
    str_init(&out, buffer, LAB_REPORT_SIZE);
    lab_report_markdown(run, "", &out);
    return write_text(&out, folder, run->experiment->name, ".md", error) &&
           lab_report_charts(run, folder, error);
}

bool lab_report_charts(const LabRun *run, const char *folder, Error *error)
{
    const LabExperiment *e = run->experiment;
    char *buffer = malloc(LAB_REPORT_SIZE);
    bool ok = buffer || error_set(error, "out of memory");
    ok = ok && file_make_folder(folder, error);
    for (int c = 0; ok && c < lab_experiment_chart_count(e); c++) {
        const LabChart *chart = &e->charts[c];
        Str out;
        str_init(&out, buffer, LAB_REPORT_SIZE);
        lab_chart_svg(chart, &e->tables[chart->table], &run->rows[chart->table], &out);
        ok = write_text(&out, folder, chart->key, ".svg", error);
    }
    free(buffer);
    return ok;
}

bool lab_report_files(const LabRun *run, const char *folder, Error *error)
{
    char *buffer = malloc(LAB_REPORT_SIZE);
    bool ok = buffer || error_set(error, "out of memory");
    ok = ok && file_make_folder(folder, error) && write_all(run, folder, buffer, error);
    free(buffer);
    return ok;
}
