// See match_journal.h.
#include "lab/match_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"

enum { LINE_SIZE = 160, JOURNAL_LIMIT = 1 << 30 };

struct MatchJournal {
    int file, pgn; // pgn: -1 when there is none
    off_t pgn_end;
};

static uint32_t line_checksum(const char *line, size_t length)
{
    return checksum_crc32(0, line, length);
}

// "game result fault faulty plies pgn-end checksum"
static int format_line(char line[LINE_SIZE], const JournalEntry *e, off_t pgn_end)
{
    int n = snprintf(line, LINE_SIZE, "%" PRIu64 " %d %d %d %d %lld", e->game, e->result, e->fault,
                     e->faulty, e->plies, (long long)pgn_end);
    return n + snprintf(line + n, LINE_SIZE - (size_t)n, " %08" PRIx32 "\n",
                        line_checksum(line, (size_t)n));
}

static bool parse_line(const char *line, size_t length, JournalEntry *e, off_t *pgn_end)
{
    long long end;
    uint32_t checksum;
    char copy[LINE_SIZE];
    if (length < 10 || length >= sizeof copy)
        return false;
    memcpy(copy, line, length);
    copy[length] = 0;
    if (sscanf(copy, "%" SCNu64 " %d %d %d %d %lld %" SCNx32, &e->game, &e->result, &e->fault,
               &e->faulty, &e->plies, &end, &checksum) != 7)
        return false;
    *pgn_end = end;
    return checksum == line_checksum(copy, length - 9);
}

// Reads what is whole; returns where the next line belongs, or -1 when the journal is another
// match's.
static off_t replay(MatchJournal *j, const char *text, size_t size, uint64_t identity,
                    off_t pgn_size, void (*found)(void *, const JournalEntry *), void *context)
{
    uint64_t owner;
    const char *newline = memchr(text, '\n', size);
    if (!newline)
        return 0; // killed while the first line was written
    if (sscanf(text, "lovac-match 1 %" SCNx64, &owner) != 1 || owner != identity)
        return -1;
    const char *at = newline + 1;
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
    j->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (j->file < 0)
        return error_set(error, "%s: %s", path, strerror(errno));
    if (flock(j->file, LOCK_EX | LOCK_NB))
        return error_set(error, "%s: another match is writing it", path);
    if (!pgn_path)
        return true;
    j->pgn = open(pgn_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (j->pgn < 0)
        return error_set(error, "%s: %s", pgn_path, strerror(errno));
    return true;
}

static bool recover(MatchJournal *j, const char *path, const char *pgn_path, uint64_t identity,
                    void (*found)(void *, const JournalEntry *), void *context, Error *error)
{
    size_t size;
    char *text = file_read(path, JOURNAL_LIMIT, &size, error);
    if (!text)
        return false;
    struct stat status = {0};
    if (j->pgn >= 0)
        fstat(j->pgn, &status);
    // A PGN that is there before the journal begins is kept; our games come after it.
    if (!size)
        j->pgn_end = status.st_size;
    off_t end =
        replay(j, text, size, identity, j->pgn >= 0 ? status.st_size : INT64_MAX, found, context);
    free(text);
    if (end < 0)
        return error_set(error, "%s: is the journal of another match", path);
    bool ok = !ftruncate(j->file, end) && lseek(j->file, end, SEEK_SET) == end;
    if (ok && j->pgn >= 0)
        ok = !ftruncate(j->pgn, j->pgn_end) && lseek(j->pgn, j->pgn_end, SEEK_SET) == j->pgn_end;
    if (ok && !end) {
        char line[LINE_SIZE];
        int n = snprintf(line, sizeof line, "lovac-match 1 %016" PRIx64 "\n", identity);
        ok = write_all(j->file, line, (size_t)n);
    }
    return ok || error_set(error, "%s: %s", pgn_path ? pgn_path : path, strerror(errno));
}

MatchJournal *match_journal_open(const char *path, const char *pgn_path, uint64_t identity,
                                 void (*found)(void *context, const JournalEntry *entry),
                                 void *context, Error *error)
{
    MatchJournal *j = calloc(1, sizeof *j);
    if (!j)
        return error_set(error, "out of memory"), NULL;
    j->file = j->pgn = -1;
    if (open_files(j, path, pgn_path, error) &&
        recover(j, path, pgn_path, identity, found, context, error))
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
