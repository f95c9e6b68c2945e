// See match_identity.h.
#include "lab/match_identity.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/str.h"

enum { LINE_SIZE = 2048, PATH_SIZE = 4096, BUFFER_SIZE = 1 << 16 };

typedef struct Lines {
    Bytes *out;
    bool ok;
    Error *error;
} Lines;

static void add_line(Lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(Lines *lines, const char *format, ...)
{
    char line[LINE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (char *c = line; *c; c++)
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    if (lines->ok && !(bytes_add(lines->out, line, strlen(line)) && bytes_add(lines->out, "\n", 1)))
        lines->ok = error_set(lines->error, "out of memory");
}

// ---- Files ----

static bool is_file(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode);
}

static bool checksum_of(const char *path, uint64_t *checksum, Error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(error, "%s: %s", path, strerror(errno));
    char buffer[BUFFER_SIZE];
    *checksum = CHECKSUM_FNV_START;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        *checksum = checksum_fnv(*checksum, buffer, n);
    bool ok = !ferror(file);
    fclose(file);
    return ok || error_set(error, "%s: cannot be read", path);
}

// What is in the file `path`; nothing when there is no such file.
static void add_file(Lines *lines, const char *who, const char *what, const char *path)
{
    uint64_t checksum;
    if (!lines->ok || !is_file(path))
        return;
    lines->ok = checksum_of(path, &checksum, lines->error);
    add_line(lines, "%s: %s %s %016" PRIx64, who, what, path, checksum);
}

// A name as the player sees it, from the folder where it is started.
static void path_from(const char *folder, const char *name, char path[PATH_SIZE])
{
    Str out;
    str_init(&out, path, PATH_SIZE);
    if (*folder && *name != '/')
        str_format(&out, "%s/", folder);
    str_add(&out, name);
}

// Where the shell would find a program.
static void find_program(const char *folder, const char *name, char path[PATH_SIZE])
{
    const char *at = getenv("PATH");
    path_from(folder, name, path);
    while (!strchr(name, '/') && at && *at) {
        int n = (int)strcspn(at, ":");
        Str out;
        str_init(&out, path, PATH_SIZE);
        str_format(&out, "%.*s/%s", n, at, name);
        if (is_file(path) && !access(path, X_OK))
            return;
        at += n + (at[n] == ':');
    }
}

// ---- Players ----

static bool is_external(const PlayerSpec *spec)
{
    return spec->kind->is_external;
}

// The next word of a command; quotes keep blanks together.
static const char *next_word(const char *at, char word[PATH_SIZE])
{
    size_t length = 0;
    char quote = 0;
    at += strspn(at, " \t");
    for (; *at && (quote || (*at != ' ' && *at != '\t')); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? 0 : *at;
        else if (length + 1 < PATH_SIZE)
            word[length++] = *at;
    }
    word[length] = 0;
    return at;
}

// The program, and every other word of the command that is a file: scripts, books, nets.
static void add_command(Lines *lines, const PlayerSpec *spec)
{
    char word[PATH_SIZE], path[PATH_SIZE];
    const char *at = next_word(spec->command, word);
    find_program(spec->folder, word, path);
    add_file(lines, spec->name, "program", path);
    while (*(at = next_word(at, word)) || *word) {
        path_from(spec->folder, word, path);
        add_file(lines, spec->name, "file", path);
    }
}

static void add_player(Lines *lines, const PlayerSpec *spec)
{
    const PlayerLimits *l = &spec->limits;
    add_line(lines, "player %s: %s", spec->name, spec->command);
    add_line(lines, "%s: limits %lld+%lld/%d movetime %lld nodes %llu depth %d", spec->name,
             (long long)l->time_ms, (long long)l->increment_ms, l->moves_per_control,
             (long long)l->move_time_ms, (unsigned long long)l->nodes, l->depth);
    add_line(lines, "%s: %s, resigns at %d", spec->name, spec->kind->name, spec->resign_score);
    if (is_external(spec))
        add_command(lines, spec);
    for (int i = 0; i < spec->option_count; i++) {
        const PlayerOption *option = &spec->options[i];
        char path[PATH_SIZE];
        add_line(lines, "%s: option %s=%s", spec->name, option->name, option->value);
        path_from(is_external(spec) ? spec->folder : "", option->value, path);
        if (*option->value)
            add_file(lines, spec->name, "file", path);
    }
}

// Does this program itself play, or choose the openings?
static bool is_lovac_at_work(const MatchConfig *c)
{
    bool plays = openings_want_judge(c->openings);
    for (int i = 0; i < c->player_count; i++)
        plays |= !is_external(&c->players[i]);
    return plays;
}

bool match_identity_write(const MatchConfig *c, Bytes *out, Error *error)
{
    Lines lines = {.out = out, .ok = true, .error = error};
    const Adjudication *a = &c->adjudication;
    add_line(&lines, "game %s", c->rules->name);
    add_line(&lines, "format %s", c->format == MATCH_GAUNTLET ? "gauntlet" : "round robin");
    add_line(&lines, "seed %" PRIu64, c->seed);
    add_line(&lines, "openings %s%s%s", c->openings_name ? c->openings_name : "",
             c->openings_how ? " " : "", c->openings_how ? c->openings_how : "");
    if (c->openings_name)
        add_file(&lines, "openings", "file", c->openings_name);
    add_line(&lines, "adjudication draw %d,%d,%d win %d,%d moves %d margin %lld", a->draw_from_move,
             a->draw_moves, a->draw_score, a->win_moves, a->win_score, a->moves_max,
             (long long)c->margin_ms);
    if (a->resign_moves)
        add_line(&lines, "resign %d,%d", a->resign_moves, a->resign_score);
    if (is_lovac_at_work(c))
        add_file(&lines, "lovac", "program", "/proc/self/exe");
    for (int i = 0; i < c->player_count; i++)
        add_player(&lines, &c->players[i]);
    if (lines.ok && !bytes_add(out, "", 1))
        lines.ok = error_set(error, "out of memory");
    return lines.ok;
}
