// See match_journal.h.
#include "lab/match_journal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"

enum { LINE_SIZE = 320, JOURNAL_LIMIT = 1 << 30 };

struct MatchJournal {
    int file, pgn; // pgn: -1 when there is none
    off_t pgn_end;
    bool was_there; // before we opened it
};

static uint32_t line_checksum(const char *line, size_t length)
{
    return checksum_crc32(0, line, length);
}

// "game result fault faulty plies", moves, nodes and time of White and Black, "pgn-end checksum"
static int format_line(char line[LINE_SIZE], const JournalEntry *e, off_t pgn_end)
{
    int n = snprintf(line, LINE_SIZE, "%" PRIu64 " %d %d %d %d", e->game, e->result, e->fault,
                     e->faulty, e->plies);
    for (int c = 0; c < 2; c++)
        n += snprintf(line + n, LINE_SIZE - (size_t)n, " %" PRIu64 " %" PRIu64 " %" PRIu64,
                      e->effort[c].moves, e->effort[c].nodes, e->effort[c].time_ms);
    n += snprintf(line + n, LINE_SIZE - (size_t)n, " %lld", (long long)pgn_end);
    return n + snprintf(line + n, LINE_SIZE - (size_t)n, " %08" PRIx32 "\n",
                        line_checksum(line, (size_t)n));
}

static bool parse_line(const char *line, size_t length, JournalEntry *e, off_t *pgn_end)
{
    long long end;
    uint32_t checksum;
    char copy[LINE_SIZE];
    Effort *w = &e->effort[0], *b = &e->effort[1];
    if (length < 10 || length >= sizeof copy)
        return false;
    memcpy(copy, line, length);
    copy[length] = 0;
    if (sscanf(copy,
               "%" SCNu64 " %d %d %d %d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
               " %" SCNu64 " %lld %" SCNx32,
               &e->game, &e->result, &e->fault, &e->faulty, &e->plies, &w->moves, &w->nodes,
               &w->time_ms, &b->moves, &b->nodes, &b->time_ms, &end, &checksum) != 13)
        return false;
    *pgn_end = end;
    return checksum == line_checksum(copy, length - 9);
}

// ---- The head: which match it is ----

// A line of text that ends with a newline or with the text.
typedef struct Line {
    const char *text;
    int length;
} Line;

static Line line_at(const char *text)
{
    return (Line){text, (int)strcspn(text, "\n")};
}

static bool is_same_line(Line a, Line b)
{
    return a.length == b.length && !memcmp(a.text, b.text, (size_t)a.length);
}

// Compares a head with what it should be; false with the first line that differs.
static bool check_head(const char *path, const char *there, const char *wanted, Error *error)
{
    Line a = line_at(there), b = line_at(wanted);
    while (*wanted && is_same_line(a, b)) {
        there = a.text + a.length + (a.text[a.length] == '\n');
        wanted = b.text + b.length + (b.text[b.length] == '\n');
        a = line_at(there);
        b = line_at(wanted);
    }
    return !*wanted ||
           error_set(error, "%.80s: is the journal of another match: '%.*s', now '%.*s'", path,
                     a.length < 70 ? a.length : 70, a.text, b.length < 70 ? b.length : 70, b.text);
}

// The head of a journal; the games follow.
static char *make_head(const char *identity)
{
    static const char FORMAT[] = "lovac-match 2\n%sgames\n";
    size_t size = strlen(identity) + sizeof FORMAT;
    char *head = malloc(size);
    if (head)
        snprintf(head, size, FORMAT, identity);
    return head;
}

// Was the program killed while it wrote the head?
static bool is_cut_short(const char *text, size_t size, const char *head)
{
    return size < strlen(head) && !memcmp(text, head, size);
}

// Reads what is whole behind the head; returns where the next line belongs.
static off_t replay(MatchJournal *j, const char *text, size_t size, size_t head, off_t pgn_size,
                    void (*found)(void *, const JournalEntry *), void *context)
{
    const char *at = text + head, *newline;
    while ((newline = memchr(at, '\n', size - (size_t)(at - text)))) {
        JournalEntry entry;
        off_t pgn_end;
        if (!parse_line(at, (size_t)(newline - at), &entry, &pgn_end) || pgn_end > pgn_size)
            break;
        j->pgn_end = pgn_end;
        found(context, &entry);
        at = newline + 1;
    }
    return at - text;
}

static bool write_all(int file, const char *bytes, size_t count)
{
    while (count) {
        ssize_t n = write(file, bytes, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        count -= (size_t)n;
    }
    return true;
}

static bool open_files(MatchJournal *j, const char *path, const char *pgn_path, Error *error)
{
    j->was_there = file_exists(path);
    j->file = file_open_update(path, true);
    if (j->file == FILE_IS_LOCKED)
        return error_set(error, "%s: another match is writing it", path);
    if (j->file < 0)
        return error_set(error, "%s: %s", path, strerror(errno));
    if (!pgn_path)
        return true;
    j->pgn = file_open_update(pgn_path, false);
    if (j->pgn < 0)
        return error_set(error, "%s: %s", pgn_path, strerror(errno));
    return true;
}

// Cuts both files back to what is whole, and begins a journal that is not there.
static bool cut_back(MatchJournal *j, off_t end, const char *head)
{
    bool ok = !ftruncate(j->file, end) && lseek(j->file, end, SEEK_SET) == end;
    if (ok && j->pgn >= 0)
        ok = !ftruncate(j->pgn, j->pgn_end) && lseek(j->pgn, j->pgn_end, SEEK_SET) == j->pgn_end;
    return ok && (end || write_all(j->file, head, strlen(head)));
}

// A PGN that is there before the journal begins is kept, and our games come after it. But an empty
// journal that was there too has lost its games: they would all be played and written once more.
static bool begin_behind(MatchJournal *j, const char *path, const char *pgn_path, off_t size,
                         Error *error)
{
    char last[2] = {0};
    if (j->was_there)
        return error_set(
            error,
            "%s is empty, but %s has games: --restart plays and writes all anew; remove "
            "the journal to add to them",
            path, pgn_path);
    j->pgn_end = size;
    if (lseek(j->pgn, size > 1 ? size - 2 : 0, SEEK_SET) < 0 || read(j->pgn, last, 2) < 1)
        return error_set(error, "%s: %s", pgn_path, strerror(errno));
    bool ends_line = last[size > 1] == '\n', is_apart = ends_line && size > 1 && last[0] == '\n';
    const char *gap = is_apart ? "" : ends_line ? "\n" : "\n\n";
    if (lseek(j->pgn, size, SEEK_SET) != size || !write_all(j->pgn, gap, strlen(gap)))
        return error_set(error, "%s: %s", pgn_path, strerror(errno));
    j->pgn_end += (off_t)strlen(gap);
    return true;
}

static bool recover(MatchJournal *j, const char *path, const char *pgn_path, const char *head,
                    void (*found)(void *, const JournalEntry *), void *context, Error *error)
{
    size_t size;
    char *text = file_read(path, JOURNAL_LIMIT, &size, error);
    if (!text)
        return false;
    struct stat status = {0};
    if (j->pgn >= 0)
        fstat(j->pgn, &status);
    bool is_new = is_cut_short(text, size, head);
    bool ok = is_new || check_head(path, text, head, error);
    if (is_new && status.st_size)
        ok = begin_behind(j, path, pgn_path, status.st_size, error);
    off_t end = 0;
    if (ok && !is_new)
        end = replay(j, text, size, strlen(head), j->pgn >= 0 ? status.st_size : INT64_MAX, found,
                     context);
    free(text);
    return ok && (cut_back(j, end, head) ||
                  error_set(error, "%s: %s", pgn_path ? pgn_path : path, strerror(errno)));
}

MatchJournal *match_journal_open(const char *path, const char *pgn_path, const char *identity,
                                 void (*found)(void *context, const JournalEntry *entry),
                                 void *context, Error *error)
{
    MatchJournal *j = calloc(1, sizeof *j);
    if (!j)
        return error_set(error, "out of memory"), NULL;
    j->file = j->pgn = -1;
    char *head = make_head(identity);
    bool ok = (head || error_set(error, "out of memory")) && open_files(j, path, pgn_path, error) &&
              recover(j, path, pgn_path, head, found, context, error);
    free(head);
    if (ok)
        return j;
    match_journal_close(j);
    return NULL;
}

void match_journal_close(MatchJournal *j)
{
    if (!j)
        return;
    if (j->file >= 0)
        close(j->file);
    if (j->pgn >= 0)
        close(j->pgn);
    free(j);
}

bool match_journal_add(MatchJournal *j, const JournalEntry *entry, const char *pgn, size_t length,
                       Error *error)
{
    if (j->pgn >= 0 && pgn) {
        if (!write_all(j->pgn, pgn, length))
            return error_set(error, "cannot write the PGN: %s", strerror(errno));
        j->pgn_end += (off_t)length;
    }
    char line[LINE_SIZE];
    int n = format_line(line, entry, j->pgn_end);
    return write_all(j->file, line, (size_t)n) ||
           error_set(error, "cannot write the journal: %s", strerror(errno));
}
