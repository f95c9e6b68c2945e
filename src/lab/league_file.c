// See league_file.h. The state is one binary file, written whole after each generation: a head, the
// text that says which league it is, a row for each generation, the DNA of everybody.
#include "lab/league_file.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"

static const char MAGIC[8] = "LVCLEAG2";
enum { STATE_LIMIT = 1 << 30, IDENTITY_SIZE = 4096 };

bool league_state_init(LeagueState *state, const LeagueConfig *config, Error *error)
{
    *state = (LeagueState){.populations = config->populations,
                           .individuals = config->individuals,
                           .capacity = config->generations + 1};
    state->rows = calloc((size_t)state->capacity, sizeof *state->rows);
    state->dna = calloc((size_t)(config->populations * config->individuals), sizeof *state->dna);
    return (state->rows && state->dna) || error_set(error, "out of memory");
}

void league_state_release(LeagueState *state)
{
    for (int i = 0; state->dna && i < state->populations * state->individuals; i++)
        dna_release(&state->dna[i]);
    free(state->dna);
    free(state->rows);
    *state = (LeagueState){0};
}

static void state_path(char path[LEAGUE_PATH_SIZE], const char *folder, const char *name)
{
    snprintf(path, LEAGUE_PATH_SIZE, "%s/%s", folder, name);
}

// ---- State ----

// The numbers that stand before the rows and the DNA.
typedef struct Head {
    char magic[8];
    uint32_t checksum, identity_size; // of all that follows the head
    int32_t done, dna_count;
    uint64_t games_total, games_known, nodes;
    double ratings[LEAGUE_POPULATIONS_MAX];
} Head;
static_assert(sizeof(Head) == 48 + 8 * LEAGUE_POPULATIONS_MAX, "goes to disk");

// What stands behind the head.
static bool add_body(const LeagueState *state, const char *identity, Bytes *body)
{
    bool ok = bytes_add(body, identity, strlen(identity)) &&
              bytes_add(body, state->rows, (size_t)state->done * sizeof *state->rows);
    for (int i = 0; i < state->populations * state->individuals && ok; i++)
        ok = bytes_add(body, &state->dna[i].count, sizeof state->dna[i].count) &&
             bytes_add(body, state->dna[i].at, (size_t)state->dna[i].count * sizeof(double));
    return ok;
}

bool league_state_save(const LeagueState *state, const char *folder, const char *identity,
                       Error *error)
{
    Head head = {.identity_size = (uint32_t)strlen(identity),
                 .done = state->done,
                 .dna_count = state->populations * state->individuals,
                 .games_total = state->games_total,
                 .games_known = state->games_known,
                 .nodes = state->nodes};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    memcpy(head.ratings, state->ratings, sizeof head.ratings);
    Bytes all = {0};
    char path[LEAGUE_PATH_SIZE];
    state_path(path, folder, "league.state");
    bool ok = (bytes_add(&all, &head, sizeof head) && add_body(state, identity, &all)) ||
              error_set(error, "out of memory");
    if (ok) {
        head.checksum = checksum_crc32(0, all.at + sizeof head, all.size - sizeof head);
        memcpy(all.at, &head, sizeof head);
        ok = file_write(path, all.at, all.size, error);
    }
    bytes_release(&all);
    return ok;
}

// The first line in which two texts differ.
static bool tell_difference(const char *folder, const char *old, const char *new, Error *error)
{
    while (*old && *old == *new) {
        const size_t a = strcspn(old, "\n"), b = strcspn(new, "\n");
        if (a != b || memcmp(old, new, a))
            break;
        old += a + (old[a] == '\n');
        new += b + (new[b] == '\n');
    }
    return error_set(error, "%s holds another league: it has '%.*s', not '%.*s'", folder,
                     (int)strcspn(old, "\n"), old, (int)strcspn(new, "\n"), new);
}

// A count that the file cannot hold is damage, not a reason to ask for memory.
static bool take_dna(const uint8_t **at, const uint8_t *end, Dna *dna)
{
    int count;
    if (!bytes_take(at, end, &count, sizeof count) || count < 0 ||
        (size_t)count > (size_t)(end - *at) / sizeof(double))
        return false;
    dna_release(dna);
    *dna = (Dna){malloc((size_t)count * sizeof(double) + 1), count};
    return dna->at && bytes_take(at, end, dna->at, (size_t)count * sizeof(double));
}

static bool take_body(LeagueState *state, const Head *head, const uint8_t *at, const uint8_t *end)
{
    bool ok = head->done >= 0 && head->done <= state->capacity &&
              head->dna_count == state->populations * state->individuals &&
              bytes_take(&at, end, state->rows, (size_t)head->done * sizeof *state->rows);
    for (int i = 0; ok && i < head->dna_count; i++)
        ok = take_dna(&at, end, &state->dna[i]);
    state->done = head->done;
    state->games_total = head->games_total;
    state->games_known = head->games_known;
    state->nodes = head->nodes;
    memcpy(state->ratings, head->ratings, sizeof state->ratings);
    return ok && at == end;
}

// Another version, damage and another league are three different answers.
static bool read_state(LeagueState *state, const char *folder, const char *identity,
                       const uint8_t *bytes, size_t size, Error *error)
{
    Head head;
    const uint8_t *at = bytes, *end = bytes + size;
    char old[IDENTITY_SIZE] = "";
    if (size > sizeof MAGIC && !memcmp(bytes, "LVCLEAG1", sizeof MAGIC))
        return error_set(error, "%s/league.state is of an older program: begin anew elsewhere",
                         folder);
    if (!bytes_take(&at, end, &head, sizeof head) || memcmp(head.magic, MAGIC, sizeof MAGIC) ||
        head.checksum != checksum_crc32(0, at, (size_t)(end - at)) ||
        head.identity_size >= sizeof old || !bytes_take(&at, end, old, head.identity_size))
        return error_set(error, "%s/league.state is damaged", folder);
    if (strcmp(old, identity))
        return tell_difference(folder, old, identity, error);
    return take_body(state, &head, at, end) ||
           error_set(error, "%s/league.state is damaged", folder);
}

bool league_state_load(LeagueState *state, const char *folder, const char *identity, bool *is_there,
                       Error *error)
{
    char path[LEAGUE_PATH_SIZE];
    size_t size;
    state_path(path, folder, "league.state");
    *is_there = file_exists(path);
    if (!*is_there)
        return true;
    char *bytes = file_read(path, STATE_LIMIT, &size, error);
    const bool ok =
        bytes && read_state(state, folder, identity, (const uint8_t *)bytes, size, error);
    free(bytes);
    return ok;
}

// ---- CSV ----

bool league_write_csv(const LeagueState *state, const char *folder, Error *error)
{
    char path[LEAGUE_PATH_SIZE];
    FileWriter writer;
    state_path(path, folder, "league.csv");
    if (!file_begin(&writer, path, error))
        return false;
    fputs("generation,games", writer.out);
    for (int p = 1; p <= state->populations; p++)
        fprintf(writer.out, ",points%d", p);
    for (int p = 1; p <= state->populations; p++)
        fprintf(writer.out, ",rating%d", p);
    for (int g = 0; g < state->done; g++) {
        const LeagueRow *row = &state->rows[g];
        fprintf(writer.out, "\n%d,%llu", g + 1, (unsigned long long)(row->games + row->known));
        for (int p = 0; p < state->populations; p++)
            fprintf(writer.out, ",%g", row->points[p]);
        for (int p = 0; p < state->populations; p++)
            fprintf(writer.out, ",%.1f", row->ratings[p]);
    }
    fputc('\n', writer.out);
    return file_commit(&writer, error);
}

// ---- Picture ----

enum { WIDE = 900, HIGH = 640, LEFT = 60, RIGHT = 880, MIDDLE = 360 };

typedef struct Axis {
    double low, high, from, to; // values and where they lie
} Axis;

// Where a value lies in the picture.
static double place(const Axis *axis, double value)
{
    const double span = axis->high > axis->low ? axis->high - axis->low : 1;
    return axis->from + (value - axis->low) / span * (axis->to - axis->from);
}

// A box with five numbers along both axes.
static void draw_frame(FILE *out, const Axis *x, const Axis *y, const char *title)
{
    fprintf(out,
            "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#999\"/>\n"
            "<text x=\"%g\" y=\"%g\">%s</text>\n",
            x->from, y->to, x->to - x->from, y->from - y->to, x->from, y->to - 8, title);
    for (int i = 0; i <= 4; i++) {
        const double v = y->low + (y->high - y->low) * i / 4,
                     w = x->low + (x->high - x->low) * i / 4;
        fprintf(out,
                "<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>"
                "<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%.4g</text>\n",
                x->from - 6, place(y, v) + 4, v, place(x, w), y->from + 16, w);
    }
}

static void draw_ratings(FILE *out, const LeagueState *state)
{
    Axis x = {1, fmax(2, state->done), LEFT, RIGHT}, y = {1e9, -1e9, MIDDLE - 60, 40};
    for (int g = 0; g < state->done; g++)
        for (int p = 0; p < state->populations; p++) {
            y.low = fmin(y.low, state->rows[g].ratings[p]);
            y.high = fmax(y.high, state->rows[g].ratings[p]);
        }
    draw_frame(out, &x, &y, "rating of each population by generation (population 1 black)");
    for (int p = 0; p < state->populations; p++) {
        fprintf(out, "<polyline fill=\"none\" stroke=\"hsl(%d,%d%%,%d%%)\" points=\"",
                p * 330 / state->populations, p ? 70 : 0, p ? 45 : 0);
        for (int g = 0; g < state->done; g++)
            fprintf(out, "%.1f,%.1f ", place(&x, g + 1), place(&y, state->rows[g].ratings[p]));
        fputs("\"/>\n", out);
    }
}

// The document's measure of progress: points by how long a population was bred, and their line.
static void draw_points(FILE *out, const LeagueState *state)
{
    const double *points = state->rows[state->done - 1].points;
    const Axis x = {1, state->populations, LEFT, RIGHT};
    const Axis y = {0, 2 * (state->populations - 1), HIGH - 30, MIDDLE + 30};
    double slope, intercept, correlation;
    char title[160];
    league_line(points, state->populations, &slope, &intercept, &correlation);
    snprintf(title, sizeof title, "last points by population: slope %.2f, intercept %.2f, r = %.2f",
             slope, intercept, correlation);
    draw_frame(out, &x, &y, title);
    fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#c43\"/>\n", place(&x, 1),
            place(&y, intercept + slope), place(&x, state->populations),
            place(&y, intercept + slope * state->populations));
    for (int p = 0; p < state->populations; p++)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#1f5fbf\"/>\n",
                place(&x, p + 1), place(&y, points[p]));
}

bool league_draw(const LeagueState *state, const char *folder, Error *error)
{
    char path[LEAGUE_PATH_SIZE];
    FileWriter writer;
    state_path(path, folder, "curve.svg");
    if (!state->done)
        return true;
    if (!file_begin(&writer, path, error))
        return false;
    fprintf(writer.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDE, HIGH);
    draw_ratings(writer.out, state);
    draw_points(writer.out, state);
    fputs("</svg>\n", writer.out);
    return file_commit(&writer, error);
}
