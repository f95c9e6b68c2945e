// Packed and plain files behind one pair of functions. A stream has a file, an input or output
// buffer of packed bytes, and the state of the library that packs or unpacks.
#include "base/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

enum { PACKED_SIZE = 1 << 17 };

typedef enum Packing { PLAIN, GZIP, ZSTD } Packing;

struct Stream {
    FILE *file;
    bool owns_file;  // opened here for reading
    bool has_writer; // writes through `writer`
    bool is_writing;
    bool is_at_end;     // of the packed bytes
    bool is_unfinished; // unpacked bytes are still to come in the current member or frame
    Packing packing;
    FileWriter writer;
    uint64_t position, length;
    size_t used, filled; // in `packed`
    Error error;         // "" while all is well
    char name[128];
#ifdef HAVE_ZLIB
    z_stream gzip;
#endif
#ifdef HAVE_ZSTD
    ZSTD_DStream *zstd_in;
    ZSTD_CStream *zstd_out;
#endif
    char packed[PACKED_SIZE];
};

static bool stream_fail(Stream *s, const char *reason)
{
    if (!s->error.text[0])
        error_set(&s->error, "%s: %s", s->name, reason);
    return false;
}

static Stream *stream_new(const char *name, Error *error)
{
    Stream *s = calloc(1, sizeof *s);
    if (!s) {
        error_set(error, "%.100s: not enough memory", name);
        return NULL;
    }
    // Of a long path the end says more.
    size_t length = strlen(name), room = sizeof s->name - 1;
    memcpy(s->name, name + (length > room ? length - room : 0), length > room ? room : length);
    return s;
}

// ---- reading
// ---------------------------------------------------------------------------------------

// Gets more packed bytes behind those that are left.
static void fill(Stream *s)
{
    if (s->used < s->filled || s->is_at_end)
        return;
    s->used = 0;
    s->filled = fread(s->packed, 1, PACKED_SIZE, s->file);
    s->position += s->filled;
    if (s->filled == 0) {
        s->is_at_end = true;
        if (ferror(s->file))
            stream_fail(s, strerror(errno));
    }
}

static bool begin_unpacking(Stream *s)
{
    fill(s);
    bool is_gzip = s->filled >= 2 && !memcmp(s->packed, "\x1f\x8b", 2);
    bool is_zstd = s->filled >= 4 && !memcmp(s->packed, "\x28\xb5\x2f\xfd", 4);
    s->packing = is_gzip ? GZIP : is_zstd ? ZSTD : PLAIN;
    if (is_gzip) {
#ifdef HAVE_ZLIB
        if (inflateInit2(&s->gzip, 15 + 16) != Z_OK)
            return stream_fail(s, "cannot start gzip");
#else
        return stream_fail(s, "packed with gzip, for which this program was not built");
#endif
    }
    if (is_zstd) {
#ifdef HAVE_ZSTD
        s->zstd_in = ZSTD_createDStream();
        if (!s->zstd_in)
            return stream_fail(s, "cannot start zstd");
#else
        return stream_fail(s, "packed with zstd, for which this program was not built");
#endif
    }
    return true;
}

static Stream *open_stream(FILE *file, const char *name, bool owns_file, Error *error)
{
    Stream *s = stream_new(name, error);
    if (!s) {
        if (owns_file)
            fclose(file);
        return NULL;
    }
    struct stat status;
    s->file = file;
    s->owns_file = owns_file;
    if (fstat(fileno(file), &status) == 0) {
        if (S_ISREG(status.st_mode) && status.st_size > 0)
            s->length = (uint64_t)status.st_size;
        if (S_ISDIR(status.st_mode))
            stream_fail(s, "is a folder");
    }
    if (s->error.text[0] || !begin_unpacking(s)) {
        stream_close(s, error);
        return NULL;
    }
    return s;
}

Stream *stream_open(const char *path, Error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        error_set(error, "%.128s: %s", path, strerror(errno));
        return NULL;
    }
    return open_stream(file, path, true, error);
}

Stream *stream_open_file(FILE *file, const char *name, Error *error)
{
    return open_stream(file, name, false, error);
}

static size_t read_plain(Stream *s, void *buffer, size_t size)
{
    size_t part = s->filled - s->used < size ? s->filled - s->used : size;
    memcpy(buffer, s->packed + s->used, part);
    s->used += part;
    return part;
}

#ifdef HAVE_ZLIB
// One step; members that follow each other are one text.
static size_t read_gzip(Stream *s, void *buffer, size_t size)
{
    if (!s->is_unfinished && s->used < s->filled && inflateReset(&s->gzip) != Z_OK)
        return stream_fail(s, "cannot go on with gzip");
    s->gzip.next_in = (unsigned char *)s->packed + s->used;
    s->gzip.avail_in = (unsigned)(s->filled - s->used);
    s->gzip.next_out = buffer;
    s->gzip.avail_out = (unsigned)(size < 1 << 30 ? size : 1 << 30);
    unsigned wanted = s->gzip.avail_out;
    int status = inflate(&s->gzip, Z_NO_FLUSH);
    s->used = s->filled - s->gzip.avail_in;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        stream_fail(s, "damaged gzip data");
    s->is_unfinished = status != Z_STREAM_END;
    return wanted - s->gzip.avail_out;
}
#endif

#ifdef HAVE_ZSTD
static size_t read_zstd(Stream *s, void *buffer, size_t size)
{
    ZSTD_inBuffer in = {s->packed, s->filled, s->used};
    ZSTD_outBuffer out = {buffer, size, 0};
    size_t status = ZSTD_decompressStream(s->zstd_in, &out, &in);
    s->used = in.pos;
    if (ZSTD_isError(status))
        stream_fail(s, "damaged zstd data");
    s->is_unfinished = status != 0;
    return out.pos;
}
#endif

size_t stream_read(Stream *s, void *buffer, size_t size)
{
    while (size && !s->error.text[0]) {
        size_t got = 0;
        fill(s);
        bool was_at_end = s->is_at_end;
        switch (s->packing) {
        case PLAIN: got = read_plain(s, buffer, size); break;
#ifdef HAVE_ZLIB
        case GZIP:
            if (!was_at_end || s->is_unfinished)
                got = read_gzip(s, buffer, size);
            break;
#endif
#ifdef HAVE_ZSTD
        case ZSTD:
            if (!was_at_end || s->is_unfinished)
                got = read_zstd(s, buffer, size);
            break;
#endif
        default: break;
        }
        if (got)
            return got;
        if (was_at_end) {
            if (s->is_unfinished)
                stream_fail(s, "ends in the middle of packed data");
            return 0;
        }
    }
    return 0;
}

uint64_t stream_position(const Stream *s)
{
    return s->position;
}

uint64_t stream_length(const Stream *s)
{
    return s->length;
}

// ---- writing
// ---------------------------------------------------------------------------------------

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);
    return length > size && !strcmp(name + length - size, ending);
}

static bool begin_packing(Stream *s)
{
    if (s->packing == GZIP) {
#ifdef HAVE_ZLIB
        if (deflateInit2(&s->gzip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            return stream_fail(s, "cannot start gzip");
#else
        return stream_fail(s, "gzip is not built into this program");
#endif
    }
    if (s->packing == ZSTD) {
#ifdef HAVE_ZSTD
        s->zstd_out = ZSTD_createCStream();
        if (!s->zstd_out || ZSTD_isError(ZSTD_initCStream(s->zstd_out, 6)))
            return stream_fail(s, "cannot start zstd");
#else
        return stream_fail(s, "zstd is not built into this program");
#endif
    }
    return true;
}

Stream *stream_create(const char *path, Error *error)
{
    Stream *s = stream_new(path, error);
    if (!s)
        return NULL;
    s->is_writing = true;
    s->packing = ends_with(path, ".gz") ? GZIP : ends_with(path, ".zst") ? ZSTD : PLAIN;
    if (!begin_packing(s)) {
        stream_close(s, error);
        return NULL;
    }
    if (!file_begin(&s->writer, path, error)) {
        stream_abandon(s);
        return NULL;
    }
    s->has_writer = true;
    s->file = s->writer.out;
    return s;
}

Stream *stream_create_file(FILE *file, const char *name, Error *error)
{
    Stream *s = stream_new(name, error);
    if (!s)
        return NULL;
    s->is_writing = true;
    s->file = file;
    return s;
}

static bool write_plain(Stream *s, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, s->file) == size || stream_fail(s, strerror(errno));
}

#ifdef HAVE_ZLIB
static bool write_gzip(Stream *s, const void *bytes, size_t size, int mode)
{
    // zlib's interface lacks a const; it does not write to its input.
    union {
        const void *in;
        unsigned char *out;
    } input = {bytes};
    s->gzip.next_in = input.out;
    s->gzip.avail_in = (unsigned)size;
    do {
        s->gzip.next_out = (unsigned char *)s->packed;
        s->gzip.avail_out = PACKED_SIZE;
        deflate(&s->gzip, mode);
        if (!write_plain(s, s->packed, PACKED_SIZE - s->gzip.avail_out))
            return false;
    } while (s->gzip.avail_out == 0);
    return true;
}
#endif

#ifdef HAVE_ZSTD
static bool write_zstd(Stream *s, const void *bytes, size_t size, ZSTD_EndDirective mode)
{
    ZSTD_inBuffer in = {bytes, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {s->packed, PACKED_SIZE, 0};
        left = ZSTD_compressStream2(s->zstd_out, &out, &in, mode);
        if (ZSTD_isError(left))
            return stream_fail(s, "cannot pack with zstd");
        if (!write_plain(s, s->packed, out.pos))
            return false;
    } while (in.pos < in.size || (mode == ZSTD_e_end && left));
    return true;
}
#endif

bool stream_write(Stream *s, const void *bytes, size_t size)
{
    if (s->error.text[0])
        return false;
    while (size) {
        size_t part = size < 1 << 30 ? size : 1 << 30;
        bool ok = true;
        switch (s->packing) {
#ifdef HAVE_ZLIB
        case GZIP: ok = write_gzip(s, bytes, part, Z_NO_FLUSH); break;
#endif
#ifdef HAVE_ZSTD
        case ZSTD: ok = write_zstd(s, bytes, part, ZSTD_e_continue); break;
#endif
        default: ok = write_plain(s, bytes, part);
        }
        if (!ok)
            return false;
        bytes = (const char *)bytes + part;
        size -= part;
    }
    return true;
}

// ---- the end
// ---------------------------------------------------------------------------------------

static void release_packing(Stream *s)
{
    (void)s; // where no library is built in
#ifdef HAVE_ZLIB
    if (s->packing == GZIP && s->gzip.state) {
        if (s->is_writing)
            deflateEnd(&s->gzip);
        else
            inflateEnd(&s->gzip);
    }
#endif
#ifdef HAVE_ZSTD
    ZSTD_freeDStream(s->zstd_in);
    ZSTD_freeCStream(s->zstd_out);
#endif
}

static void end_packing(Stream *s)
{
    if (s->error.text[0] || !s->file)
        return;
#ifdef HAVE_ZLIB
    if (s->packing == GZIP)
        write_gzip(s, NULL, 0, Z_FINISH);
#endif
#ifdef HAVE_ZSTD
    if (s->packing == ZSTD)
        write_zstd(s, NULL, 0, ZSTD_e_end);
#endif
}

bool stream_close(Stream *s, Error *error)
{
    if (s->is_writing)
        end_packing(s);
    release_packing(s);
    Error later = {0};
    bool has_failed = s->error.text[0] != 0;
    if (s->has_writer && has_failed)
        file_abandon(&s->writer);
    else if (s->has_writer)
        has_failed = !file_commit(&s->writer, &later);
    else if (s->is_writing && s->file && !has_failed && fflush(s->file))
        has_failed = !error_set(&later, "%s: %s", s->name, strerror(errno));
    else if (s->owns_file)
        fclose(s->file);
    if (has_failed && error)
        *error = s->error.text[0] ? s->error : later;
    free(s);
    return !has_failed;
}

void stream_abandon(Stream *s)
{
    release_packing(s);
    if (s->has_writer)
        file_abandon(&s->writer);
    free(s);
}
