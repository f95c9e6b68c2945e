// See convert_out.h.
#include "app/convert_out.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/convert_write.h"
#include "base/str.h"
#include "base/utf8.h"

enum { PATH_ROOM = 4096, VALUE_ROOM = 80 };

bool convert_read_sort(Convert *c, char *text, Error *error)
{
    for (char *word; (word = str_split(&text, ",")) != NULL;) {
        bool is_falling = *word == '-';
        if (!word[is_falling] || c->sort_count == SORT_KEYS)
            return error_set(error, "--sort: between 1 and %d names of tags, with commas between",
                             SORT_KEYS);
        c->sort[c->sort_count++] = (SortKey){word + is_falling, is_falling};
    }
    return true;
}

// ---- files ----

// Bytes that are no UTF-8 are taken for Latin-1.
static bool write_utf8(Stream *out, const char *bytes, size_t size)
{
    size_t from = 0;
    bool ok = true;
    for (size_t i = 0; i < size && ok;) {
        if ((unsigned char)bytes[i] < 0x80) {
            i++;
            continue;
        }
        size_t length = utf8_length(bytes + i, size - i);
        if (length) {
            i += length;
            continue;
        }
        char mended[3];
        ok = stream_write(out, bytes + from, i - from) &&
             stream_write(out, mended, utf8_from_latin1(bytes[i], mended));
        from = ++i;
    }
    return ok && stream_write(out, bytes + from, size - from);
}

// The name of a part: games.pgn.gz with "-3" or "-B90" before its endings.
static bool part_path(const Convert *c, const char *part, char path[PATH_ROOM], Error *error)
{
    const char *slash = strrchr(c->output, '/'), *name = slash ? slash + 1 : c->output;
    const char *dot = strchr(*name == '.' ? name + 1 : name, '.');
    size_t stem = dot ? (size_t)(dot - c->output) : strlen(c->output);
    int size = snprintf(path, PATH_ROOM, "%.*s-%s%s", (int)stem, c->output, part, dot ? dot : "");
    return size < PATH_ROOM || error_set(error, "%.60s...: the name is too long", c->output);
}

// A tag's value as part of a file's name: letters and digits, the rest as '_'.
static void value_name(const char *value, char name[VALUE_ROOM])
{
    size_t used = 0;
    for (; *value && used + 1 < VALUE_ROOM; value++)
        name[used++] =
            isalnum((unsigned char)*value) || *value == '-' || (unsigned char)*value > 127 ? *value
                                                                                           : '_';
    name[used] = 0;
    if (!used)
        strcpy(name, "_");
}

static bool open_stream(Convert *c, const char *path, Error *error)
{
    const char *header = convert_header(c->to);
    c->out = path && strcmp(path, "-") ? stream_create(path, error)
                                       : stream_create_file(stdout, "standard output", error);
    c->parts += c->out != NULL;
    c->in_part = 0;
    if (c->out)
        stream_write(c->out, header, strlen(header));
    return c->out;
}

static bool close_stream(Convert *c, Error *error)
{
    Stream *out = c->out;
    c->out = NULL;
    return !out || stream_close(out, error);
}

static bool open_part(Convert *c, const char *part, Error *error)
{
    char path[PATH_ROOM];
    return close_stream(c, error) && part_path(c, part, path, error) && open_stream(c, path, error);
}

// Is a new file due before the next record?
static bool turn_part(Convert *c, Error *error)
{
    char part[24];
    if (!c->split_count || (c->out && c->in_part < c->split_count))
        return true;
    snprintf(part, sizeof part, "%llu", (unsigned long long)c->parts + 1);
    return open_part(c, part, error);
}

static bool write_record(Convert *c, const char *bytes, size_t size, Error *error)
{
    if (!turn_part(c, error))
        return false;
    c->in_part++;
    c->counts.written++;
    return write_utf8(c->out, bytes, size) || error_set(error, "the output cannot be written");
}

// ---- the shelf ----

static const char *key_text(const Convert *c, const char *field, char number[16])
{
    const char *tag = pgn_game_tag(&c->game, field);
    if (str_same_word(field, "plies")) {
        snprintf(number, 16, "%d", pgn_game_moves(&c->game, NULL, 0));
        return number;
    }
    if (str_same_word(field, "result"))
        return result_text(c->game.result);
    return tag ? tag : "";
}

static bool add_key(Convert *c, const char *text)
{
    return bytes_add(&c->shelf.keys, text, strlen(text) + 1);
}

// The keys of the present record: the file it goes to, then those of --sort.
static bool add_keys(Convert *c)
{
    char number[16], name[VALUE_ROOM];
    bool ok = true;
    if (c->split_tag) {
        value_name(key_text(c, c->split_tag, number), name);
        ok = add_key(c, name);
    }
    for (int i = 0; i < c->sort_count && ok; i++)
        ok = add_key(c, key_text(c, c->sort[i].field, number));
    return ok;
}

static bool shelve(Convert *c, Error *error)
{
    Shelf *shelf = &c->shelf;
    ShelfRecord record = {.at = shelf->used,
                          .number = shelf->records.size / sizeof record,
                          .size = (uint32_t)c->text.size,
                          .keys = (uint32_t)shelf->keys.size};
    if (c->text.size > UINT32_MAX || shelf->keys.size > UINT32_MAX - (1 << 20) || !add_keys(c) ||
        !bytes_add(&shelf->records, &record, sizeof record))
        return error_set(error, "not enough memory to sort so many games");
    shelf->used += c->text.size;
    return fwrite(c->text.at, 1, c->text.size, shelf->file) == c->text.size ||
           error_set(error, "temporary file: %s", strerror(errno));
}

// Two texts as numbers where both are, else as texts.
static int compare_keys(const char *a, const char *b)
{
    double x, y;
    if (str_to_real(a, &x) && str_to_real(b, &y))
        return (x > y) - (x < y);
    return strcasecmp(a, b);
}

static int compare_records(const Convert *c, const ShelfRecord *a, const ShelfRecord *b)
{
    const char *x = (const char *)c->shelf.keys.at + a->keys;
    const char *y = (const char *)c->shelf.keys.at + b->keys;
    int order = 0;
    if (c->split_tag) {
        order = strcasecmp(x, y);
        x += strlen(x) + 1, y += strlen(y) + 1;
    }
    for (int i = 0; i < c->sort_count && !order; i++) {
        order = compare_keys(x, y);
        order = c->sort[i].is_falling ? -order : order;
        x += strlen(x) + 1, y += strlen(y) + 1;
    }
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

// Merge sort: qsort cannot be told about the keys.
static void sort_records(const Convert *c, ShelfRecord *list, ShelfRecord *room, size_t count)
{
    size_t half = count / 2, i = 0, j = half, k = 0;
    if (count < 2)
        return;
    sort_records(c, list, room, half);
    sort_records(c, list + half, room, count - half);
    memcpy(room, list, count * sizeof *list);
    while (i < half && j < count)
        list[k++] = compare_records(c, &room[i], &room[j]) <= 0 ? room[i++] : room[j++];
    memcpy(list + k, room + i, (half - i) * sizeof *list);
    if (i == half)
        memcpy(list + k, room + j, (count - j) * sizeof *list);
}

// Reads a record back; large files need more than a long on some systems.
static bool read_record(Convert *c, const ShelfRecord *record, Error *error)
{
    bytes_clear(&c->text);
    void *room = bytes_extend(&c->text, record->size ? record->size : 1);
    if (!room)
        return error_set(error, "not enough memory");
    return (fseeko(c->shelf.file, (off_t)record->at, SEEK_SET) == 0 &&
            fread(room, 1, record->size, c->shelf.file) == record->size) ||
           error_set(error, "temporary file: %s", strerror(errno));
}

static bool write_shelf(Convert *c, Error *error)
{
    Shelf *shelf = &c->shelf;
    ShelfRecord *list = (ShelfRecord *)(void *)shelf->records.at;
    size_t count = shelf->records.size / sizeof *list;
    ShelfRecord *room = malloc(count * sizeof *list + 1);
    const char *part = NULL;
    if (!room)
        return error_set(error, "not enough memory to sort so many games");
    sort_records(c, list, room, count);
    free(room);
    bool ok = true;
    progress_init(&c->progress, stderr, "sorted", "games", count,
                  c->quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
    for (size_t i = 0; i < count && ok; i++) {
        const char *name = (const char *)shelf->keys.at + list[i].keys;
        if (c->split_tag && (!part || strcasecmp(part, name))) {
            part = name;
            ok = open_part(c, part, error);
        }
        ok = ok && read_record(c, &list[i], error) &&
             write_record(c, (const char *)c->text.at, list[i].size, error);
        progress_add(&c->progress, 1);
    }
    progress_end(&c->progress);
    return ok;
}

// ---- all of it ----

bool convert_out_begin(Convert *c, Error *error)
{
    if (c->check)
        return true;
    if (c->sort_count || c->split_tag) {
        c->shelf.file = tmpfile();
        if (!c->shelf.file)
            return error_set(error, "no temporary file can be made: %s", strerror(errno));
    }
    return c->split_count || c->split_tag || open_stream(c, c->output, error);
}

bool convert_out_record(Convert *c, Error *error)
{
    return c->shelf.file ? shelve(c, error)
                         : write_record(c, (const char *)c->text.at, c->text.size, error);
}

bool convert_out_end(Convert *c, Error *error)
{
    bool ok = !c->shelf.file || write_shelf(c, error);
    if (c->shelf.file)
        fclose(c->shelf.file);
    bytes_release(&c->shelf.records);
    bytes_release(&c->shelf.keys);
    // Nothing came of what could not be read: what was there before stays.
    if (c->out && (!ok || (c->has_failed && !c->counts.written))) {
        stream_abandon(c->out);
        c->out = NULL;
    }
    return close_stream(c, error) && ok;
}
