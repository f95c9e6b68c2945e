// See data_tools.h.
#include "lab/data_tools.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/random.h"

// Tells the caller about a damage; text of where is in it.
typedef struct Complaints {
    DataComplaint *complain;
    void *context;
    uint64_t *count;
} Complaints;

static void complain(const Complaints *c, const char *text)
{
    ++*c->count;
    if (c->complain)
        c->complain(c->context, text);
}

// One game with the bytes it was read from.
typedef bool RawVisit(void *context, const DataGame *game, const uint8_t *bytes, size_t size);

static bool walk_block(const DataReader *reader, const DataBlock *block, DataGame *game,
                       RawVisit *visit, void *context, const Complaints *complaints)
{
    const uint8_t *at = block->bytes, *end = block->bytes + block->size;
    uint32_t plies = 0;
    char text[ERROR_TEXT_SIZE + 96];
    for (uint32_t i = 0; i < block->games; i++) {
        Error error;
        const uint8_t *begin = at;
        if (!data_decode(&at, end, data_reader_rules(reader), game, &error)) {
            snprintf(text, sizeof text, "block at byte %" PRIu64 ", game %" PRIu32 ": %s",
                     block->offset, i + 1, error.text);
            complain(complaints, text);
            return true;
        }
        plies += (uint32_t)game->count;
        if (!visit(context, game, begin, (size_t)(at - begin)))
            return false;
    }
    if (at != end || plies != block->plies) {
        snprintf(text, sizeof text, "block at byte %" PRIu64 ": its counts are wrong",
                 block->offset);
        complain(complaints, text);
    }
    return true;
}

static bool walk(const char *path, Progress *progress, RawVisit *visit, void *context,
                 const Complaints *complaints, uint64_t *blocks, Error *error)
{
    DataReader *reader = data_reader_open(path, error);
    DataGame *game = malloc(sizeof *game);
    if (!reader || !game) {
        if (reader)
            error_set(error, "out of memory");
        data_reader_close(reader);
        free(game);
        return false;
    }
    DataBlock block;
    DataStatus status;
    Error damage;
    uint64_t before = 0;
    while ((status = data_reader_next(reader, &block, &damage)) != DATA_END) {
        uint64_t done, total;
        data_reader_progress(reader, &done, &total);
        if (progress)
            progress_add(progress, done - before);
        before = done;
        if (status == DATA_DAMAGED) {
            complain(complaints, damage.text);
            continue;
        }
        ++*blocks;
        if (!walk_block(reader, &block, game, visit, context, complaints))
            break;
    }
    data_reader_close(reader);
    free(game);
    return true;
}

// ---- Check ----

// A set of hashes, to find games that are there twice.
typedef struct HashSet {
    uint64_t *slots;
    size_t size, count;
} HashSet;

// True when the value was there before; when memory ends, nothing more is remembered.
static bool set_add(HashSet *set, uint64_t value)
{
    value += !value;
    if ((set->count + 1) * 2 > set->size) {
        HashSet larger = {.size = set->size ? set->size * 2 : 4096};
        larger.slots = calloc(larger.size, sizeof *larger.slots);
        if (!larger.slots)
            return false;
        for (size_t i = 0; i < set->size; i++)
            if (set->slots[i])
                set_add(&larger, set->slots[i]);
        free(set->slots);
        *set = larger;
    }
    size_t at = value * 0x9e3779b97f4a7c15u >> 20;
    for (at &= set->size - 1; set->slots[at]; at = (at + 1) & (set->size - 1))
        if (set->slots[at] == value)
            return true;
    set->slots[at] = value;
    set->count++;
    return false;
}

typedef struct Checker {
    DataSummary *summary;
    HashSet seen;
} Checker;

static bool check_game(void *context, const DataGame *game, const uint8_t *bytes, size_t size)
{
    Checker *c = context;
    DataSummary *s = c->summary;
    s->games++;
    s->plies += (uint64_t)game->count;
    s->bytes += size;
    s->results[game->result]++;
    s->reasons[game->reason]++;
    s->repeated += set_add(&c->seen, checksum_fnv(CHECKSUM_FNV_START, bytes, size));
    Position pos = game->start;
    for (int i = 0; i < game->count; i++) {
        Undo undo;
        if (data_is_kept(game, &pos, i)) {
            double score = game->scores[i];
            s->kept++;
            if (score >= -1000 && score <= 1000) {
                s->score_count++;
                s->score_sum += score;
                s->score_squares += score * score;
            }
        }
        position_make(&pos, game->moves[i], &undo);
    }
    return true;
}

bool data_check(const char *path, Progress *progress, DataComplaint *complaint, void *context,
                DataSummary *summary, Error *error)
{
    *summary = (DataSummary){0};
    Checker checker = {.summary = summary};
    Complaints complaints = {complaint, context, &summary->damages};
    bool ok = walk(path, progress, check_game, &checker, &complaints, &summary->blocks, error);
    free(checker.seen.slots);
    return ok;
}

// ---- Visit ----

typedef struct Visitor {
    DataVisit *visit;
    void *context;
} Visitor;

static bool visit_game(void *context, const DataGame *game, const uint8_t *bytes, size_t size)
{
    (void)bytes, (void)size;
    const Visitor *v = context;
    return v->visit(v->context, game);
}

bool data_visit(const char *path, Progress *progress, DataVisit *visit, void *context,
                uint64_t *damages, Error *error)
{
    Visitor visitor = {visit, context};
    uint64_t blocks = 0;
    *damages = 0;
    Complaints complaints = {NULL, NULL, damages};
    return walk(path, progress, visit_game, &visitor, &complaints, &blocks, error);
}

// ---- Mix ----

typedef struct RawGame {
    size_t offset;
    uint32_t size;
    int plies;
} RawGame;

// All games as bytes in memory.
typedef struct Pool {
    uint8_t *bytes;
    size_t size, room;
    RawGame *games;
    size_t count, capacity;
    bool is_full; // out of memory
} Pool;

static bool pool_add(void *context, const DataGame *game, const uint8_t *bytes, size_t size)
{
    Pool *p = context;
    if (p->size + size > p->room) {
        size_t room = (p->size + size) * 2 + 65536;
        uint8_t *larger = realloc(p->bytes, room);
        if (!larger)
            return !(p->is_full = true);
        p->bytes = larger;
        p->room = room;
    }
    if (p->count == p->capacity) {
        size_t capacity = p->capacity * 2 + 1024;
        RawGame *larger = realloc(p->games, capacity * sizeof *larger);
        if (!larger)
            return !(p->is_full = true);
        p->games = larger;
        p->capacity = capacity;
    }
    memcpy(p->bytes + p->size, bytes, size);
    p->games[p->count++] = (RawGame){p->size, (uint32_t)size, game->count};
    p->size += size;
    return true;
}

// The first file's header with a note; `variant` of all must agree.
static bool mix_header(const char *const *paths, int count, const DataMix *mix, DataHeader *header,
                       Error *error)
{
    char variant[64], other[64], text[64];
    for (int i = 0; i < count; i++) {
        DataReader *reader = data_reader_open(paths[i], error);
        if (!reader)
            return false;
        data_header_get(data_reader_header(reader), "variant", i ? other : variant, sizeof variant);
        if (!i)
            *header = *data_reader_header(reader);
        data_reader_close(reader);
        if (i && strcmp(variant, other))
            return error_set(error, "%s: holds games of %s, not of %s", paths[i], other, variant);
    }
    snprintf(text, sizeof text, "%d", count);
    data_header_add(header, "mixed_files", text);
    snprintf(text, sizeof text, "%" PRIu64, mix->seed);
    if (mix->shuffled)
        data_header_add(header, "shuffled_seed", text);
    return true;
}

static bool write_pool(const Pool *pool, size_t count, const char *out, const DataHeader *header,
                       Error *error)
{
    uint64_t games, plies;
    DataWriter *writer = data_writer_open(out, header, false, &games, &plies, error);
    if (!writer)
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        const RawGame *g = &pool->games[i];
        ok = data_writer_add(writer, pool->bytes + g->offset, g->size, g->plies, error);
    }
    return data_writer_close(writer, !ok, ok ? error : NULL) && ok;
}

bool data_mix(const char *const *paths, int count, const char *out, const DataMix *mix,
              Progress *progress, uint64_t *games, uint64_t *damages, Error *error)
{
    DataHeader header;
    if (!mix_header(paths, count, mix, &header, error))
        return false;
    Pool pool = {0};
    uint64_t blocks = 0;
    *damages = 0;
    Complaints complaints = {NULL, NULL, damages};
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = walk(paths[i], progress, pool_add, &pool, &complaints, &blocks, error);
    if (ok && pool.is_full)
        ok = error_set(error, "out of memory");
    if (ok) {
        Random random;
        random_init(&random, mix->seed);
        bool mixed = mix->shuffled || mix->limit;
        for (size_t i = pool.count; mixed && i > 1; i--) {
            size_t j = random_below(&random, i);
            RawGame swap = pool.games[i - 1];
            pool.games[i - 1] = pool.games[j];
            pool.games[j] = swap;
        }
        *games = mix->limit && mix->limit < pool.count ? mix->limit : pool.count;
        ok = write_pool(&pool, *games, out, &header, error);
    }
    free(pool.bytes);
    free(pool.games);
    return ok;
}
