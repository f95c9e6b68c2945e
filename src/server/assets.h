// The files of the page: built into the program, or (for development) read from a folder at the
// start. Requests never reach the disk, so no path can lead out of the folder.
#ifndef LOVAC_SERVER_ASSETS_H
#define LOVAC_SERVER_ASSETS_H

#include <stddef.h>

#include "base/error.h"

// A file as the build put it into the program; made by embed.sh.
typedef struct EmbeddedFile {
    const char *path; // "/index.html"
    const unsigned char *bytes, *end;
    const unsigned char *gzip, *gzip_end;     // NULL when it does not pay
    const unsigned char *brotli, *brotli_end; // NULL when there is none
} EmbeddedFile;

extern const EmbeddedFile EMBEDDED_FILES[];
extern const int EMBEDDED_COUNT;

typedef struct Asset {
    char *path;
    const char *type; // MIME
    const unsigned char *bytes, *gzip, *brotli;
    size_t size, gzip_size, brotli_size;
    char tag[24];    // ETag, with its quotes
    bool is_lasting; // its name has a hash in it: it never changes
    bool is_on_heap;
} Asset;

typedef struct Assets {
    Asset *list;
    int count, capacity;
} Assets;

// The embedded files, or those of a folder. A program without a page has one that says so.
bool assets_init(Assets *assets, const char *folder, Error *error);
void assets_release(Assets *assets);

// The file of a path; "/" is "/index.html". NULL when there is none.
const Asset *assets_find(const Assets *assets, const char *path);

#endif
