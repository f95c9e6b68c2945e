// A file as memory, read only: pages come from the disk when they are looked at, and several
// processes share them. Where the system cannot map files, the file is read as a whole.
//
// The size is taken once, when the file is mapped, and whoever reads must stay below it. A file
// that somebody shortens afterwards, or a disk that fails, can still kill the process (SIGBUS):
// replace such files by renaming, never by writing into them.
#ifndef LOVAC_BASE_FILE_MAP_H
#define LOVAC_BASE_FILE_MAP_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

// All zero is no file.
typedef struct FileMap {
    const uint8_t *bytes;
    size_t size;
} FileMap;

// Maps a regular file of at least one byte; errors name it.
bool file_map(FileMap *map, const char *path, Error *error);

// Ends the mapping; harmless for no file.
void file_unmap(FileMap *map);

#endif
