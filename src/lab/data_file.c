// See data_file.h. All numbers are little-endian on disk.
#include "lab/data_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"

enum {
    VERSION = 1,
    PREFIX_SIZE = 20,     // magic, version, length of the text, checksum
    BLOCK_HEAD_SIZE = 24, // magic, size, games, plies, checksum of these, checksum of the payload
    BLOCK_SIZE_MAX = 1 << 24
};
static const char MAGIC[8] = "LovacGam";
static const char BLOCK_MAGIC[4] = "BLCK";

static void store32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t load32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

bool data_header_add(DataHeader *header, const char *key, const char *value)
{
    size_t used = strlen(header->text), need = strlen(key) + strlen(value) + 3;
    if (used + need > sizeof header->text || strpbrk(value, "\n"))
        return false;
    snprintf(header->text + used, sizeof header->text - used, "%s=%s\n", key, value);
    return true;
}

bool data_header_get(const DataHeader *header, const char *key, char *value, size_t size)
{
    size_t n = strlen(key);
    for (const char *line = header->text; *line;) {
        size_t length = strcspn(line, "\n");
        if (length > n && !strncmp(line, key, n) && line[n] == '=') {
            snprintf(value, size, "%.*s", (int)(length - n - 1), line + n + 1);
            return true;
        }
        line += length + (line[length] == '\n');
    }
    return false;
}

// ---- Reading ----

struct DataReader {
    FILE *file;
    DataHeader header;
    const Rules *rules;
    uint8_t *buffer;
    size_t room;
    uint64_t offset, size; // where we are, and the file's size
};

// Nothing is believed before its checksum fits.
static bool read_header(DataReader *r, const char *path, Error *error)
{
    uint8_t prefix[PREFIX_SIZE];
    char variant[64];
    if (fread(prefix, 1, sizeof prefix, r->file) != sizeof prefix ||
        memcmp(prefix, MAGIC, sizeof MAGIC))
        return error_set(error, "%s: not a file of games", path);
    if (load32(prefix + 8) != VERSION)
        return error_set(error, "%s: version %u, this program knows %d", path, load32(prefix + 8),
                         VERSION);
    uint32_t length = load32(prefix + 12);
    if (length >= DATA_HEADER_SIZE || fread(r->header.text, 1, length, r->file) != length ||
        checksum_crc32(0, r->header.text, length) != load32(prefix + 16))
        return error_set(error, "%s: the header is damaged", path);
    r->header.text[length] = 0;
    r->offset = PREFIX_SIZE + length;
    if (!data_header_get(&r->header, "variant", variant, sizeof variant) ||
        !(r->rules = rules_find(variant)))
        return error_set(error, "%s: the header names no known game", path);
    return true;
}

DataReader *data_reader_open(const char *path, Error *error)
{
    DataReader *r = calloc(1, sizeof *r);
    if (!r)
        return error_set(error, "out of memory"), NULL;
    struct stat status;
    r->file = fopen(path, "rb");
    if (!r->file || fstat(fileno(r->file), &status) || !S_ISREG(status.st_mode)) {
        error_set(error, "%s: %s", path, r->file ? "not a file" : strerror(errno));
        data_reader_close(r);
        return NULL;
    }
    r->size = (uint64_t)status.st_size;
    if (!read_header(r, path, error)) {
        data_reader_close(r);
        return NULL;
    }
    return r;
}

void data_reader_close(DataReader *r)
{
    if (!r)
        return;
    if (r->file)
        fclose(r->file);
    free(r->buffer);
    free(r);
}

const DataHeader *data_reader_header(const DataReader *r)
{
    return &r->header;
}
const Rules *data_reader_rules(const DataReader *r)
{
    return r->rules;
}

void data_reader_progress(const DataReader *r, uint64_t *done, uint64_t *total)
{
    *done = r->offset;
    *total = r->size;
}

// Looks for the next block after damage.
static void resynchronise(DataReader *r)
{
    uint64_t from = r->offset + 1;
    uint8_t chunk[4096];
    while (from + BLOCK_HEAD_SIZE <= r->size) {
        fseeko(r->file, (off_t)from, SEEK_SET);
        size_t n = fread(chunk, 1, sizeof chunk, r->file);
        if (n < sizeof BLOCK_MAGIC)
            break;
        for (size_t i = 0; i + sizeof BLOCK_MAGIC <= n; i++)
            if (!memcmp(chunk + i, BLOCK_MAGIC, sizeof BLOCK_MAGIC)) {
                r->offset = from + i;
                fseeko(r->file, (off_t)r->offset, SEEK_SET);
                return;
            }
        from += n - sizeof BLOCK_MAGIC + 1;
    }
    r->offset = r->size;
}

// One block is lost; the next one is looked for.
static DataStatus damaged(DataReader *r, const char *what, Error *error)
{
    error_set(error, "damage at byte %llu: %s", (unsigned long long)r->offset, what);
    resynchronise(r);
    return DATA_DAMAGED;
}

DataStatus data_reader_next(DataReader *r, DataBlock *block, Error *error)
{
    uint8_t head[BLOCK_HEAD_SIZE];
    if (r->offset >= r->size)
        return DATA_END;
    if (fread(head, 1, sizeof head, r->file) != sizeof head)
        return damaged(r, "a block is cut off", error);
    if (memcmp(head, BLOCK_MAGIC, sizeof BLOCK_MAGIC) ||
        checksum_crc32(0, head, 16) != load32(head + 16))
        return damaged(r, "the head of a block is wrong", error);
    block->size = load32(head + 4);
    block->games = load32(head + 8);
    block->plies = load32(head + 12);
    block->offset = r->offset;
    if (block->size > BLOCK_SIZE_MAX || block->size > r->size - r->offset - BLOCK_HEAD_SIZE)
        return damaged(r, "a block is cut off", error);
    if (block->size > r->room) {
        uint8_t *buffer = realloc(r->buffer, block->size);
        if (!buffer)
            return damaged(r, "out of memory", error);
        r->buffer = buffer;
        r->room = block->size;
    }
    if (fread(r->buffer, 1, block->size, r->file) != block->size)
        return damaged(r, "a block cannot be read", error);
    if (checksum_crc32(0, r->buffer, block->size) != load32(head + 20))
        return damaged(r, "the checksum of a block is wrong", error);
    block->bytes = r->buffer;
    r->offset += BLOCK_HEAD_SIZE + block->size;
    return DATA_OK;
}

// ---- Writing ----

struct DataWriter {
    FILE *file;
    uint8_t *buffer; // the block that is being filled
    size_t size, room;
    uint32_t games, plies;
};

static bool write_header(DataWriter *w, const DataHeader *header)
{
    uint8_t prefix[PREFIX_SIZE];
    uint32_t length = (uint32_t)strlen(header->text);
    memcpy(prefix, MAGIC, sizeof MAGIC);
    store32(prefix + 8, VERSION);
    store32(prefix + 12, length);
    store32(prefix + 16, checksum_crc32(0, header->text, length));
    return fwrite(prefix, 1, sizeof prefix, w->file) == sizeof prefix &&
           fwrite(header->text, 1, length, w->file) == length && !fflush(w->file);
}

// Finds the end of the last whole block of a file with the same header.
static bool find_end(const char *path, const DataHeader *header, uint64_t *end, uint64_t *games,
                     uint64_t *plies, Error *error)
{
    DataReader *r = data_reader_open(path, error);
    if (!r)
        return false;
    bool ok = !strcmp(r->header.text, header->text);
    if (!ok)
        error_set(error, "%s: was made in another way; use another name", path);
    DataBlock block;
    *end = r->offset;
    while (ok && data_reader_next(r, &block, NULL) == DATA_OK) {
        *games += block.games;
        *plies += block.plies;
        *end = r->offset;
        if (block.games != DATA_BLOCK_GAMES)
            break; // a finished file ends so
    }
    data_reader_close(r);
    return ok;
}

DataWriter *data_writer_open(const char *path, const DataHeader *header, bool resume,
                             uint64_t *games, uint64_t *plies, Error *error)
{
    *games = *plies = 0;
    struct stat status;
    bool exists = !stat(path, &status) && status.st_size > 0;
    uint64_t end = 0;
    if (exists && !resume)
        return error_set(error, "%s: is there already", path), NULL;
    if (exists && !find_end(path, header, &end, games, plies, error))
        return NULL;
    DataWriter *w = calloc(1, sizeof *w);
    if (!w)
        return error_set(error, "out of memory"), NULL;
    w->file = fopen(path, exists ? "r+b" : "wb");
    bool ok = w->file;
    // What a kill left of a block is cut off, so that the file goes on as if nothing had happened.
    if (ok && exists)
        ok = !ftruncate(fileno(w->file), (off_t)end) && !fseeko(w->file, (off_t)end, SEEK_SET);
    else if (ok)
        ok = write_header(w, header);
    if (ok)
        return w;
    error_set(error, "%s: %s", path, strerror(errno));
    if (w->file)
        fclose(w->file);
    free(w);
    return NULL;
}

// A block reaches the file in one go: a kill leaves it whole, missing or cut, never mixed.
static bool flush_block(DataWriter *w, Error *error)
{
    if (!w->games)
        return true;
    uint8_t head[BLOCK_HEAD_SIZE];
    memcpy(head, BLOCK_MAGIC, sizeof BLOCK_MAGIC);
    store32(head + 4, (uint32_t)w->size);
    store32(head + 8, w->games);
    store32(head + 12, w->plies);
    store32(head + 16, checksum_crc32(0, head, 16));
    store32(head + 20, checksum_crc32(0, w->buffer, w->size));
    bool ok = fwrite(head, 1, sizeof head, w->file) == sizeof head &&
              fwrite(w->buffer, 1, w->size, w->file) == w->size && !fflush(w->file);
    w->games = w->plies = 0;
    w->size = 0;
    return ok || error_set(error, "cannot write games: %s", strerror(errno));
}

bool data_writer_add(DataWriter *w, const uint8_t *bytes, size_t size, int plies, Error *error)
{
    if (w->size + size > w->room) {
        size_t room = (w->size + size) * 2 + 4096;
        uint8_t *buffer = realloc(w->buffer, room);
        if (!buffer)
            return error_set(error, "out of memory");
        w->buffer = buffer;
        w->room = room;
    }
    memcpy(w->buffer + w->size, bytes, size);
    w->size += size;
    w->games++;
    w->plies += (uint32_t)plies;
    return w->games < DATA_BLOCK_GAMES || flush_block(w, error);
}

bool data_writer_close(DataWriter *w, bool drop, Error *error)
{
    bool ok = drop || flush_block(w, error);
    if (ok && !file_sync(w->file))
        ok = error_set(error, "cannot bring games to the disk: %s", strerror(errno));
    fclose(w->file);
    free(w->buffer);
    free(w);
    return ok;
}
