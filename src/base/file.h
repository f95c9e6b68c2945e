// Whole files in and out. Writing is all or nothing: a reader, or a restart after a power cut, sees
// the old file or the new one, never a mixture. Only regular files are replaced: links are
// followed, devices and pipes written to as they are, and the path "-" is standard output.
#ifndef LOVAC_BASE_FILE_H
#define LOVAC_BASE_FILE_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

// Reads a regular file of at most `limit` bytes into memory that the caller frees; a 0 is put
// behind the last byte. Errors name the file. `size` may be NULL.
char *file_read(const char *path, size_t limit, size_t *size, Error *error);

// Replaces (or makes) a file by these bytes.
bool file_write(const char *path, const void *bytes, size_t size, Error *error);

// How what is written comes to its place.
typedef enum FileWay {
    FILE_WAY_NAMELESS, // a file of the goal's folder that gets its name at the end (Linux): however
                       // the program ends before, nothing is left behind
    FILE_WAY_BESIDE,   // a temporary file beside the goal, where that cannot be done
    FILE_WAY_IN_PLACE, // straight into a device or a pipe
    FILE_WAY_STANDARD  // into standard output, which stays open
} FileWay;

// The same for those who write piece by piece.
typedef struct FileWriter {
    FILE *out;
    FileWay way;
    char *path, *temporary; // the goal, links followed; the name until the end
} FileWriter;

// Begins a new file. Then write to `out` and call file_commit or file_abandon.
bool file_begin(FileWriter *writer, const char *path, Error *error);

// Brings all that was written to the disk and puts it in the place of the old file; on failure
// (also an earlier one of `out`) the old file stays. Ends the writer either way.
bool file_commit(FileWriter *writer, Error *error);

// Forgets what was written.
void file_abandon(FileWriter *writer);

// Opens a file to be read and written, made if need be, which no child inherits; -1 with errno.
// With `locked` nobody else can have it so: FILE_IS_LOCKED then.
enum { FILE_IS_LOCKED = -2 };
int file_open_update(const char *path, bool locked);

// Brings what was written so far to the disk.
bool file_sync(FILE *file);

// The next line with its end, in memory that grows as needed (NULL and 0 at first) and that the
// caller frees; false at the end of the file.
bool file_read_line(FILE *file, char **line, size_t *room);

// What stands between the folders of a list.
#ifdef _WIN32
enum { FILE_LIST_SEPARATOR = ';' };
#else
enum { FILE_LIST_SEPARATOR = ':' };
#endif

// Is there such a file or folder?
bool file_exists(const char *path);

// Is there something of this name that is no regular file: a device, a pipe, a folder?
bool file_is_special(const char *path);

// Removes a regular file, the one behind links if the path is one; whatever else is there stays,
// and it is no error if nothing is.
void file_remove(const char *path);

// Makes a folder and those above it that are missing; it is no error if it is there.
bool file_make_folder(const char *path, Error *error);

// Deletes a folder with all that is in it; links are deleted, not followed. What cannot be deleted
// stays, and it is no error if there is no such folder.
void file_delete_folder(const char *path);

#endif
