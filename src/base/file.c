// See file.h.
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#include <direct.h>
#include <io.h>
#include <windows.h>
#define fsync     _commit
#define O_CLOEXEC _O_NOINHERIT
#else
#include <sys/file.h>
#define O_BINARY 0
#endif

static bool fail(Error *error, const char *what, const char *path)
{
    return error_set(error, "cannot %s %s: %s", what, path, strerror(errno));
}

// Reads to the end, growing as needed: the size that stat gives may be wrong a moment later.
static char *read_all(FILE *in, const char *path, size_t limit, size_t *size, Error *error)
{
    size_t room = 1 << 16, used = 0;
    char *bytes = malloc(room + 1);
    while (bytes) {
        used += fread(bytes + used, 1, room - used, in);
        if (used > limit) {
            error_set(error, "%s is larger than the %zu bytes allowed", path, limit);
            break;
        }
        if (used < room) {
            if (ferror(in)) {
                fail(error, "read", path);
                break;
            }
            bytes[used] = 0;
            if (size)
                *size = used;
            return bytes;
        }
        room *= 2;
        char *larger = realloc(bytes, room + 1);
        if (!larger) {
            error_set(error, "no memory to read %s", path);
            break;
        }
        bytes = larger;
    }
    free(bytes);
    return NULL;
}

char *file_read(const char *path, size_t limit, size_t *size, Error *error)
{
    struct stat status;
    // A pipe or device could block for ever or never end; it is refused before it is opened.
    if (stat(path, &status) != 0) {
        fail(error, "open", path);
        return NULL;
    }
    if (!S_ISREG(status.st_mode)) {
        error_set(error, "%s is not a regular file", path);
        return NULL;
    }
    FILE *in = fopen(path, "rb");
    if (!in) {
        fail(error, "open", path);
        return NULL;
    }
    char *bytes = read_all(in, path, limit, size, error);
    fclose(in);
    return bytes;
}

// The next name beside the goal to try, so that the final rename stays on one disk.
static void name_beside(FileWriter *writer, int attempt)
{
    snprintf(writer->temporary, strlen(writer->path) + 32, "%s.tmp-%ld-%d", writer->path,
             (long)getpid(), attempt);
}

enum { NAMES_TRIED = 1000 };

static int open_beside(FileWriter *writer)
{
    for (int attempt = 0; attempt < NAMES_TRIED; attempt++) {
        name_beside(writer, attempt);
        int file = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_BINARY, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

#ifdef O_TMPFILE
// A file without a name in the goal's folder; -1 where the system or the disk cannot do this.
static int open_nameless(const FileWriter *writer)
{
    const char *slash = strrchr(writer->path, '/');
    size_t length = slash ? (size_t)(slash - writer->path) + 1 : 1;
    memcpy(writer->temporary, slash ? writer->path : ".", length);
    writer->temporary[length] = 0;
    return access("/proc/self/fd", X_OK) ? -1 : open(writer->temporary, O_WRONLY | O_TMPFILE, 0666);
}

// Gives it the temporary name: a link cannot replace a file, only a rename can.
static bool give_name(FileWriter *writer)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(writer->out));
    for (int attempt = 0; attempt < NAMES_TRIED; attempt++) {
        name_beside(writer, attempt);
        if (linkat(AT_FDCWD, self, AT_FDCWD, writer->temporary, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}
#else
static int open_nameless(const FileWriter *writer)
{
    (void)writer;
    return -1;
}

static bool give_name(FileWriter *writer)
{
    (void)writer;
    return false;
}
#endif

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

#ifdef _WIN32
static char *target_of(const char *path)
{
    return copy_of(path);
}

static bool is_standard_output(const struct stat *status)
{
    (void)status;
    return false;
}
#else
// What the text of a link means: it counts from the link's folder.
static char *beside(const char *path, const char *link)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash && *link != '/' ? (size_t)(slash - path) + 1 : 0;
    char *joined = malloc(folder + strlen(link) + 1);
    if (joined) {
        memcpy(joined, path, folder);
        strcpy(joined + folder, link);
    }
    return joined;
}

// The path behind all links, also behind one to a file that is not there yet; NULL, with errno,
// without memory or when they go round in a circle.
static char *target_of(const char *path)
{
    enum { LINKS_MAX = 40 };
    char link[4096], *now = copy_of(path);
    for (int i = 0; now; i++) {
        ssize_t length = readlink(now, link, sizeof link - 1);
        if (length < 0)
            return now;
        link[length] = 0;
        char *next = i < LINKS_MAX ? beside(now, link) : NULL;
        free(now);
        now = next;
        errno = i < LINKS_MAX ? ENOMEM : ELOOP;
    }
    return NULL;
}

// /dev/stdout may be a file: what is in it already must stay.
static bool is_standard_output(const struct stat *status)
{
    struct stat out;
    return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == status->st_dev &&
           out.st_ino == status->st_ino;
}
#endif

static FileWay way_to(const char *path)
{
    struct stat status;
    if (!strcmp(path, "-"))
        return FILE_WAY_STANDARD;
    if (stat(path, &status) != 0)
        return FILE_WAY_NAMELESS;
    if (is_standard_output(&status))
        return FILE_WAY_STANDARD;
    return S_ISREG(status.st_mode) ? FILE_WAY_NAMELESS : FILE_WAY_IN_PLACE;
}

static void writer_free(FileWriter *writer)
{
    free(writer->path);
    free(writer->temporary);
    *writer = (FileWriter){0};
}

// Opens by the writer's way, or the next best one; -1 with errno.
static int writer_open(FileWriter *writer)
{
    if (writer->way == FILE_WAY_STANDARD) {
        fflush(NULL); // what was printed before comes first
        return dup(STDOUT_FILENO);
    }
    if (writer->way == FILE_WAY_IN_PLACE)
        return open(writer->path, O_WRONLY | O_BINARY);
    int file = open_nameless(writer);
    if (file >= 0)
        return file;
    writer->way = FILE_WAY_BESIDE;
    return open_beside(writer);
}

// Closes a file that is not to be kept.
static void writer_drop(FileWriter *writer)
{
    fclose(writer->out);
    if (writer->way == FILE_WAY_BESIDE)
        unlink(writer->temporary);
    writer_free(writer);
}

bool file_begin(FileWriter *writer, const char *path, Error *error)
{
    if (!*path)
        return error_set(error, "a file to write needs a name");
    *writer = (FileWriter){.way = way_to(path)};
    writer->path = writer->way == FILE_WAY_NAMELESS ? target_of(path) : copy_of(path);
    if (writer->path)
        writer->temporary = malloc(strlen(writer->path) + 32);
    int file = writer->temporary ? writer_open(writer) : -1;
    if (file >= 0)
        writer->out = fdopen(file, "wb");
    if (writer->out)
        return true;
    fail(error, "write", path);
    if (file >= 0)
        close(file);
    if (file >= 0 && writer->way == FILE_WAY_BESIDE)
        unlink(writer->temporary);
    writer_free(writer);
    return false;
}

#ifndef _WIN32
// The rename itself must reach the disk too; a system that cannot do this for a folder is let off.
static void sync_folder_of(char *path)
{
    char *slash = strrchr(path, '/'), kept = 0;
    if (slash) {
        kept = slash[1];
        slash[1] = 0;
    }
    int folder = open(slash ? path : ".", O_RDONLY);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    if (slash)
        slash[1] = kept;
}
#endif

static bool replace(const char *from, char *to)
{
#ifdef _WIN32
    return long_replace(from, to);
#else
    struct stat old;
    if (stat(to, &old) == 0)
        chmod(from, old.st_mode & 07777); // the new file keeps the permissions of the old one
    if (rename(from, to) != 0)
        return false;
    sync_folder_of(to);
    return true;
#endif
}

// Brings what was written to the disk, under the temporary name; devices and pipes have no disk.
static bool writer_flush(FileWriter *writer)
{
    if (ferror(writer->out) || fflush(writer->out))
        return false;
    if (writer->way != FILE_WAY_NAMELESS && writer->way != FILE_WAY_BESIDE)
        return true;
    if (fsync(fileno(writer->out)))
        return false;
    if (writer->way == FILE_WAY_BESIDE)
        return true;
    if (!give_name(writer))
        return false;
    writer->way = FILE_WAY_BESIDE;
    return true;
}

bool file_commit(FileWriter *writer, Error *error)
{
    errno = 0;
    if (!writer_flush(writer)) {
        error_set(error, "cannot write %s: %s", writer->path,
                  errno ? strerror(errno) : "it failed earlier");
        writer_drop(writer);
        return false;
    }
    bool ok = fclose(writer->out) == 0;
    if (ok && writer->way == FILE_WAY_BESIDE)
        ok = replace(writer->temporary, writer->path);
    if (!ok) {
        fail(error, "write", writer->path);
        if (writer->way == FILE_WAY_BESIDE)
            unlink(writer->temporary);
    }
    writer_free(writer);
    return ok;
}

void file_abandon(FileWriter *writer)
{
    writer_drop(writer);
}

bool file_write(const char *path, const void *bytes, size_t size, Error *error)
{
    FileWriter writer;
    if (!file_begin(&writer, path, error))
        return false;
    fwrite(bytes, 1, size, writer.out); // file_commit sees a failure
    return file_commit(&writer, error);
}

#ifdef _WIN32
static bool lock(int file)
{
    OVERLAPPED whole = {0};
    return LockFileEx((HANDLE)_get_osfhandle(file),
                      LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0x7fffffff,
                      &whole); // far behind the content, which others may read
}
#else
static bool lock(int file)
{
    return !flock(file, LOCK_EX | LOCK_NB);
}
#endif

int file_open_update(const char *path, bool locked)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_BINARY, 0666);
    if (file < 0 || !locked || lock(file))
        return file;
    close(file);
    return FILE_IS_LOCKED;
}

bool file_sync(FILE *file)
{
    return !fsync(fileno(file));
}

bool file_read_line(FILE *file, char **line, size_t *room)
{
    size_t length = 0;
    for (int c; (c = getc(file)) != EOF;) {
        if (length + 2 > *room) {
            size_t larger = *room ? *room * 2 : 256;
            char *memory = realloc(*line, larger);
            if (!memory)
                return false;
            *line = memory;
            *room = larger;
        }
        (*line)[length++] = (char)c;
        if (c == '\n')
            break;
    }
    if (length)
        (*line)[length] = 0;
    return length;
}

bool file_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

bool file_is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

void file_remove(const char *path)
{
    char *target = file_is_special(path) ? NULL : target_of(path);
    if (target)
        unlink(target);
    free(target);
}

static bool make_one(const char *path)
{
#ifdef _WIN32
    return _mkdir(path) == 0 || errno == EEXIST;
#else
    return mkdir(path, 0777) == 0 || errno == EEXIST;
#endif
}

bool file_make_folder(const char *path, Error *error)
{
    char *part = malloc(strlen(path) + 1);
    if (!part)
        return error_set(error, "no memory to make %s", path);
    strcpy(part, path);
    for (char *slash = part + 1; *part && (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        make_one(part); // the last one tells whether it worked
        *slash = '/';
    }
    bool ok = make_one(part);
    free(part);
    struct stat status;
    if (ok && stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_set(error, "%s is in the way: not a folder", path);
    return ok || fail(error, "make the folder", path);
}

void file_delete_folder(const char *path)
{
    char inner[PATH_MAX];
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) >= (int)sizeof inner)
            continue;
        if (unlink(inner))
            file_delete_folder(inner);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}
