// See assets.h. Each file of the page is kept with its type, its packed forms and a tag, so that
// answering costs no work. Names with a hash in them never change and may be kept by browsers for
// ever. Start at assets_init.
#include "server/assets.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/checksum.h"
#include "base/file.h"

enum { FILE_MAX = 64 << 20, DEPTH_MAX = 8, PATH_SIZE = 4096 };

static const char NO_PAGE[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Lovac</title>"
    "<h1>Lovac</h1><p>The server works, but this build has no page: "
    "it was made without the folder web/dist.</p></html>\n";

// The type that a browser must be told of a file; by the ending of its name.
static const char *mime_type(const char *path)
{
    static const struct {
        const char *ending, *type;
    } TYPES[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".wasm", "application/wasm"},
        {".mp3", "audio/mpeg"},
        {".ogg", "audio/ogg"},
        {".txt", "text/plain; charset=utf-8"},
        {".map", "application/json"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof TYPES / sizeof *TYPES; i++)
        if (!strcmp(dot, TYPES[i].ending))
            return TYPES[i].type;
    return "application/octet-stream";
}

// A name such as app-4XKZ7Q2A.js or app.4xkz7q2a.js: eight or more letters and digits, with a digit
// among them, before the ending.
static bool has_hash(const char *path)
{
    const char *name = strrchr(path, '/'), *dot = name ? strrchr(name, '.') : NULL;
    if (!dot)
        return false;
    size_t length = 0, digits = 0;
    const char *at = dot;
    while (at > name + 1) {
        char c = at[-1];
        bool is_digit = c >= '0' && c <= '9';
        if (!is_digit && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z'))
            break;
        digits += is_digit;
        length++;
        at--;
    }
    return length >= 8 && digits && at > name + 1 && (at[-1] == '-' || at[-1] == '.');
}

// Adds a file with its type and a tag made of its bytes; NULL when there is no memory.
static Asset *add_asset(Assets *assets, const char *path, const unsigned char *bytes, size_t size)
{
    if (assets->count == assets->capacity) {
        int capacity = assets->capacity ? assets->capacity * 2 : 32;
        Asset *list = realloc(assets->list, (size_t)capacity * sizeof *list);
        if (!list)
            return NULL;
        assets->list = list;
        assets->capacity = capacity;
    }
    char *copy = strdup(path);
    if (!copy)
        return NULL;
    Asset *a = &assets->list[assets->count++];
    *a = (Asset){.path = copy,
                 .type = mime_type(path),
                 .bytes = bytes,
                 .size = size,
                 .is_lasting = has_hash(path)};
    uint64_t hash = checksum_fnv(CHECKSUM_FNV_START, bytes, size);
    snprintf(a->tag, sizeof a->tag, "\"%016llx\"", (unsigned long long)hash);
    return a;
}

// Adds a file of the program itself, with its packed forms.
static bool add_embedded(Assets *assets, const EmbeddedFile *f)
{
    Asset *a = add_asset(assets, f->path, f->bytes, (size_t)(f->end - f->bytes));
    if (!a)
        return false;
    if (f->gzip) {
        a->gzip = f->gzip;
        a->gzip_size = (size_t)(f->gzip_end - f->gzip);
    }
    if (f->brotli) {
        a->brotli = f->brotli;
        a->brotli_size = (size_t)(f->brotli_end - f->brotli);
    }
    return true;
}

// Adds all files below a folder, read now: later requests never touch the disk.
static bool add_folder(Assets *assets, const char *folder, const char *path, int depth,
                       Error *error)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return error_set(error, "%s: cannot be read", folder);
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        char file[PATH_SIZE], name[PATH_SIZE];
        struct stat info;
        if (entry->d_name[0] == '.')
            continue;
        int n = snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
        int m = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (n >= PATH_SIZE || m >= PATH_SIZE || stat(file, &info))
            continue;
        if (S_ISDIR(info.st_mode)) {
            ok = depth >= DEPTH_MAX || add_folder(assets, file, name, depth + 1, error);
            continue;
        }
        size_t size;
        char *bytes = file_read(file, FILE_MAX, &size, error);
        Asset *a = bytes ? add_asset(assets, name, (unsigned char *)bytes, size) : NULL;
        if (a)
            a->is_on_heap = true;
        else
            free(bytes);
        ok = a;
    }
    closedir(dir);
    return ok;
}

bool assets_init(Assets *assets, const char *folder, Error *error)
{
    *assets = (Assets){0};
    bool ok = true;
    if (folder) {
        ok = add_folder(assets, folder, "", 0, error);
    } else {
        for (int i = 0; ok && i < EMBEDDED_COUNT; i++)
            ok = add_embedded(assets, &EMBEDDED_FILES[i]) || error_set(error, "out of memory");
        if (ok && !assets_find(assets, "/"))
            ok = add_asset(assets, "/index.html", (const unsigned char *)NO_PAGE,
                           sizeof NO_PAGE - 1) ||
                 error_set(error, "out of memory");
    }
    if (!ok)
        assets_release(assets);
    return ok;
}

void assets_release(Assets *assets)
{
    for (int i = 0; i < assets->count; i++) {
        Asset *a = &assets->list[i];
        free(a->path);
        if (a->is_on_heap)
            free((void *)(uintptr_t)a->bytes);
    }
    free(assets->list);
    *assets = (Assets){0};
}

const Asset *assets_find(const Assets *assets, const char *path)
{
    if (!strcmp(path, "/"))
        path = "/index.html";
    for (int i = 0; i < assets->count; i++)
        if (!strcmp(assets->list[i].path, path))
            return &assets->list[i];
    return NULL;
}
