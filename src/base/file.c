// See file.h.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#include <direct.h>
#include <io.h>
#include <windows.h>
#define fsync _commit
#else
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

// A new file with a name of its own beside the goal, so that the final rename stays on one disk.
static int open_beside(FileWriter *writer, const char *path)
{
    size_t length = strlen(path);
    for (int attempt = 0; attempt < 1000; attempt++) {
        snprintf(writer->temporary, length + 32, "%s.tmp-%ld-%d", path, (long)getpid(), attempt);
        int file = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_BINARY, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

static void writer_free(FileWriter *writer)
{
    free(writer->path);
    free(writer->temporary);
    *writer = (FileWriter){0};
}

bool file_begin(FileWriter *writer, const char *path, Error *error)
{
    size_t length = strlen(path);
    *writer = (FileWriter){.path = malloc(length + 1), .temporary = malloc(length + 32)};
    if (!writer->path || !writer->temporary) {
        writer_free(writer);
        return error_set(error, "no memory to write %s", path);
    }
    memcpy(writer->path, path, length + 1);
    int file = open_beside(writer, path);
    if (file >= 0)
        writer->out = fdopen(file, "wb");
    if (!writer->out) {
        fail(error, "write", path);
        if (file >= 0) {
            close(file);
            unlink(writer->temporary);
        }
        writer_free(writer);
        return false;
    }
    return true;
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
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
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

bool file_commit(FileWriter *writer, Error *error)
{
    bool ok = !ferror(writer->out) && fflush(writer->out) == 0 && fsync(fileno(writer->out)) == 0;
    int saved = errno;
    ok = fclose(writer->out) == 0 && ok;
    if (ok && replace(writer->temporary, writer->path)) {
        writer_free(writer);
        return true;
    }
    errno = ok ? errno : saved;
    fail(error, "write", writer->path);
    unlink(writer->temporary);
    writer_free(writer);
    return false;
}

void file_abandon(FileWriter *writer)
{
    fclose(writer->out);
    unlink(writer->temporary);
    writer_free(writer);
}

bool file_write(const char *path, const void *bytes, size_t size, Error *error)
{
    FileWriter writer;
    if (!file_begin(&writer, path, error))
        return false;
    fwrite(bytes, 1, size, writer.out); // file_commit sees a failure
    return file_commit(&writer, error);
}

bool file_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
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
