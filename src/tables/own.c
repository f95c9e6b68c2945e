// See own.h. Start with own_probe; tables are found by find_entry and opened by get_table.
#include "tables/own.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/thread.h"
#include "core/movegen.h"
#include "tables/table_file.h"

enum { PATH_SIZE = 1024, FIFTY = 100, MOST_SETS = VARIANT_COUNT };

typedef enum LoadState { NOT_LOADED, LOADED, DAMAGED } LoadState;

// A file: read when it is first wanted.
typedef struct Entry {
    const char *folder; // of all games
    const Rules *rules; // one game of its set
    Material material;
    TableKind kind;
    atomic_int state; // LoadState
    Table *table;
    Error error; // why it is damaged
} Entry;

struct OwnTables {
    char *folders; // each ends with a 0, the last with two
    Mutex mutex;   // for loading
    Entry *entries;
    int count, room;
    uint32_t *places; // hash table of entry numbers + 1
    size_t place_count;
};

bool own_folder(const char *folder, const Rules *rules, char *path, size_t size)
{
    const char *set = material_set(rules);
    return set && snprintf(path, size, "%s/%s", folder, set) < (int)size;
}

// ---- Which tables there are ----

// Do two games share their tables?
static bool is_same_set(const Rules *a, const Rules *b)
{
    return a == b || !strcmp(material_set(a), material_set(b));
}

// Where the search for an entry begins, before it is cut to size. Games with the same men share it.
static uint64_t entry_hash(const Material *material, TableKind kind)
{
    uint64_t men = (uint64_t)kind;
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = PAWN; t <= KING; t++)
            men = men << 4 | material->count[c][t];
    return men * 0x9e3779b97f4a7c15u >> 32;
}

static Entry *find_entry(const OwnTables *own, const Rules *rules, const Material *material,
                         TableKind kind)
{
    if (!own->place_count || !material_set(rules))
        return NULL;
    size_t mask = own->place_count - 1;
    size_t at = (size_t)entry_hash(material, kind) & mask;
    for (; own->places[at]; at = (at + 1) & mask) {
        Entry *entry = &own->entries[own->places[at] - 1];
        if (entry->kind == kind && material_is_same(&entry->material, material) &&
            is_same_set(entry->rules, rules))
            return entry;
    }
    return NULL;
}

static bool add_entry(OwnTables *own, const char *folder, const Rules *rules, const char *file)
{
    char name[MATERIAL_NAME_SIZE], right[TABLE_NAME_SIZE];
    const char *dot = strchr(file, '.');
    Material material;
    if (!dot || (size_t)(dot - file) >= sizeof name)
        return true; // not ours
    memcpy(name, file, (size_t)(dot - file));
    name[dot - file] = 0;
    TableKind kind = strcmp(dot, ".wdz") ? TABLE_DTM : TABLE_WDZ;
    if (!material_read(&material, rules, name, NULL))
        return true;
    table_file_name(&material, kind, right);
    if (strcmp(file, right))
        return true;
    if (own->count == own->room) {
        int room = own->room ? 2 * own->room : 64;
        Entry *more = realloc(own->entries, (size_t)room * sizeof *more);
        if (!more)
            return false;
        own->entries = more;
        own->room = room;
    }
    Entry *entry = &own->entries[own->count++];
    memset(entry, 0, sizeof *entry);
    entry->folder = folder;
    entry->rules = rules;
    entry->material = material;
    entry->kind = kind;
    return true;
}

static bool list_set(OwnTables *own, const char *place, const Rules *rules)
{
    char path[PATH_SIZE];
    DIR *folder = own_folder(place, rules, path, sizeof path) ? opendir(path) : NULL;
    bool ok = true;
    if (!folder)
        return true;
    for (struct dirent *file; ok && (file = readdir(folder));)
        ok = add_entry(own, place, rules, file->d_name);
    closedir(folder);
    return ok;
}

static bool fill_places(OwnTables *own)
{
    own->place_count = 64;
    while (own->place_count < 2 * (size_t)own->count)
        own->place_count *= 2;
    own->places = calloc(own->place_count, sizeof *own->places);
    if (!own->places)
        return false;
    for (int i = 0; i < own->count; i++) {
        const Entry *entry = &own->entries[i];
        size_t at = (size_t)entry_hash(&entry->material, entry->kind);
        for (at &= own->place_count - 1; own->places[at];)
            at = (at + 1) & (own->place_count - 1);
        own->places[at] = (uint32_t)i + 1;
    }
    return true;
}

static void drop_entries(OwnTables *own)
{
    for (int i = 0; i < own->count; i++)
        if (own->entries[i].table) {
            table_release(own->entries[i].table);
            free(own->entries[i].table);
        }
    free(own->entries);
    free(own->places);
    own->entries = NULL;
    own->places = NULL;
    own->count = own->room = 0;
    own->place_count = 0;
}

bool own_refresh(OwnTables *own, Error *error)
{
    bool ok = true;
    drop_entries(own);
    for (int v = 0; v < VARIANT_COUNT && ok; v++) {
        bool is_first = material_set(&VARIANTS[v]);
        for (int earlier = 0; earlier < v && is_first; earlier++)
            is_first = !material_set(&VARIANTS[earlier]) ||
                       strcmp(material_set(&VARIANTS[earlier]), material_set(&VARIANTS[v]));
        const char *place = own->folders;
        for (; *place && is_first && ok; place += strlen(place) + 1)
            ok = list_set(own, place, &VARIANTS[v]);
    }
    return (ok && fill_places(own)) || error_set(error, "out of memory");
}

// A list of folders as `OwnTables.folders` has it; NULL without memory.
static char *split_folders(const char *list)
{
    char *folders = calloc(strlen(list) + 2, 1), *end = folders;
    for (; folders && *list; list++)
        if (*list != FILE_LIST_SEPARATOR)
            *end++ = *list;
        else if (end > folders && end[-1])
            *end++ = 0;
    return folders;
}

OwnTables *own_open(const char *folders, Error *error)
{
    OwnTables *own = calloc(1, sizeof *own);
    if (!own || !(own->folders = split_folders(folders))) {
        free(own);
        error_set(error, "out of memory");
        return NULL;
    }
    mutex_init(&own->mutex);
    if (own_refresh(own, error))
        return own;
    own_close(own);
    return NULL;
}

void own_close(OwnTables *own)
{
    if (!own)
        return;
    drop_entries(own);
    mutex_release(&own->mutex);
    free(own->folders);
    free(own);
}

int own_most_men(const OwnTables *own, const Rules *rules)
{
    int most = 0;
    for (int i = 0; i < own->count && material_set(rules); i++) {
        const Entry *entry = &own->entries[i];
        int men = material_men(&entry->material);
        if (entry->kind == TABLE_WDZ && men > most && is_same_set(entry->rules, rules))
            most = men;
    }
    return most;
}

bool own_has(const OwnTables *own, const Rules *rules, const Material *material)
{
    return find_entry(own, rules, material, TABLE_WDZ);
}

// ---- Tables ----

// Reads a file; whatever is wrong with it is remembered.
static void load(Entry *entry)
{
    char folder[PATH_SIZE], name[TABLE_NAME_SIZE], path[PATH_SIZE + TABLE_NAME_SIZE];
    size_t size;
    table_file_name(&entry->material, entry->kind, name);
    own_folder(entry->folder, entry->rules, folder, sizeof folder);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    Table *table = malloc(sizeof *table);
    char *bytes = table ? file_read(path, SIZE_MAX / 2, &size, &entry->error) : NULL;
    bool ok = bytes && table_open(table, entry->rules, (uint8_t *)bytes, size, &entry->error);
    if (bytes && !ok)
        error_prefix(&entry->error, "", "%s: ", path);
    if (ok && (!material_is_same(&table->layout.material, &entry->material) ||
               table->kind != entry->kind)) {
        error_set(&entry->error, "%s: it is the table of another ending", path);
        table_release(table);
        ok = false;
    }
    if (!ok)
        free(table);
    entry->table = ok ? table : NULL;
    atomic_store_explicit(&entry->state, ok ? LOADED : DAMAGED, memory_order_release);
}

static const Table *get_table(OwnTables *own, const Rules *rules, const Material *material,
                              TableKind kind, Error *error)
{
    char name[TABLE_NAME_SIZE];
    Entry *entry = find_entry(own, rules, material, kind);
    if (!entry) {
        table_file_name(material, kind, name);
        error_set(error, "there is no table %s", name);
        return NULL;
    }
    int state = atomic_load_explicit(&entry->state, memory_order_acquire);
    if (state == NOT_LOADED) {
        mutex_lock(&own->mutex);
        if (atomic_load_explicit(&entry->state, memory_order_relaxed) == NOT_LOADED)
            load(entry);
        mutex_unlock(&own->mutex);
        state = atomic_load_explicit(&entry->state, memory_order_acquire);
    }
    if (state == DAMAGED && error)
        *error = entry->error;
    return state == LOADED ? entry->table : NULL;
}

const Table *own_table(OwnTables *own, const Rules *rules, const Material *material, bool has_fates,
                       Error *error)
{
    return get_table(own, rules, material, has_fates ? TABLE_DTM : TABLE_WDZ, error);
}

// ---- Win, draw, loss ----

static bool is_en_passant_only(const Position *pos)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list);
    for (int i = 0; i < count; i++)
        if (move_kind(list[i]) != KIND_EN_PASSANT)
            return false;
    return count;
}

static bool probe_wdl(OwnTables *own, const Position *pos, int *wdl, Error *error);

// The best that a capture yields; WDL_NONE without any.
static bool best_capture(OwnTables *own, const Position *pos, int *best, Error *error)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_NOISY, list);
    *best = WDL_NONE;
    for (int i = 0; i < count && *best < WDL_WIN; i++) {
        int value;
        Position next = *pos;
        Undo undo;
        if (!move_is_capture(list[i]))
            continue;
        position_make(&next, list[i], &undo);
        if (!probe_wdl(own, &next, &value, error))
            return false;
        *best = -value > *best ? -value : *best;
    }
    return true;
}

// The better of the table and the captures; where the table has a win nothing is better.
static bool probe_wdl(OwnTables *own, const Position *pos, int *wdl, Error *error)
{
    Material material = material_of(pos);
    Color side;
    uint32_t digit[LAYOUT_DIGITS];
    uint16_t number;
    int best;
    bool has_en_passant = pos->state.en_passant != NO_SQUARE;
    material_normalise(&material, pos->rules);
    if (!material_has_table(&material)) {
        *wdl = fate_wdl(fate_of_end(pos));
        return true;
    }
    const Table *table = get_table(own, pos->rules, &material, TABLE_WDZ, error);
    if (!table)
        return false;
    layout_find_digits(&table->layout, pos, &side, digit);
    if (!table_get(table, &table->wdl[side], digit, &number, error))
        return false;
    *wdl = number - 2;
    if (*wdl > WDL_WIN)
        return error_set(error, "a table is damaged");
    if (*wdl == WDL_WIN && !has_en_passant)
        return true;
    if (!best_capture(own, pos, &best, error))
        return false;
    if (best > *wdl || (has_en_passant && is_en_passant_only(pos)))
        *wdl = best;
    return true;
}

// ---- Distance to zeroing ----

static bool is_zeroing(const Position *pos, Move move)
{
    return move_is_capture(move) || piece_type(pos->board[move_from(move)]) == PAWN;
}

// Half-moves when a capture or pawn move yields this at once.
static int zeroed(int wdl)
{
    return wdl == WDL_WIN || wdl == WDL_LOSS ? 1 : FIFTY + 1;
}

static bool probe_zeroing(OwnTables *own, const Position *pos, int wdl, int *plies, Error *error);

// Looks one half-move ahead; only at captures and pawn moves, or at all moves. Keeps in `*plies`
// the least distance of a win, the greatest of a loss; 0: no move yields `wdl`.
static bool look_ahead(OwnTables *own, const Position *pos, int wdl, bool all, int *plies,
                       Error *error)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list);
    *plies = 0;
    for (int i = 0; i < count; i++) {
        bool zeroes = is_zeroing(pos, list[i]);
        int value, distance;
        Position next = *pos;
        Undo undo;
        if (!zeroes && !all)
            continue;
        position_make(&next, list[i], &undo);
        if (!probe_wdl(own, &next, &value, error))
            return false;
        if (-value != wdl)
            continue;
        distance = zeroed(wdl);
        if (!zeroes) {
            if (!probe_zeroing(own, &next, value, &distance, error))
                return false;
            distance++;
        }
        if (!*plies || (wdl > 0 ? distance < *plies : distance > *plies))
            *plies = distance;
    }
    return true;
}

// The distance, without sign, of a position that is no draw.
static bool probe_zeroing(OwnTables *own, const Position *pos, int wdl, int *plies, Error *error)
{
    Material material = material_of(pos);
    material_normalise(&material, pos->rules);
    *plies = 0;
    if (!material_has_table(&material))
        return true;
    const Table *table = get_table(own, pos->rules, &material, TABLE_WDZ, error);
    if (!table)
        return false;
    // Captures and pawn moves that win are not in the table; those that lose matter where the
    // table does not know of them (en passant).
    bool has_en_passant = pos->state.en_passant != NO_SQUARE;
    int ahead = 0;
    if ((wdl > 0 || has_en_passant) && !look_ahead(own, pos, wdl, false, &ahead, error))
        return false;
    *plies = ahead;
    if ((wdl > 0 && ahead) || (has_en_passant && is_en_passant_only(pos)))
        return true;
    Color side;
    uint16_t number;
    uint32_t digit[LAYOUT_DIGITS];
    layout_find_digits(&table->layout, pos, &side, digit);
    if (side != table->zeroing_side)
        return look_ahead(own, pos, wdl, true, plies, error);
    if (!table_get(table, &table->zeroing, digit, &number, error))
        return false;
    *plies = number > ahead ? number : ahead;
    return true;
}

// ---- Distance to the end ----

// What a search for fates needs besides the position.
typedef struct FateSearch {
    OwnTables *own;
    Error *error;
} FateSearch;

static Fate plain_fate(const void *context, const Position *pos)
{
    const FateSearch *search = context;
    Material material = material_of(pos);
    Fate fate;
    Color side;
    uint32_t digit[LAYOUT_DIGITS];
    material_normalise(&material, pos->rules);
    if (!material_has_table(&material))
        return fate_of_end(pos);
    const Table *table = get_table(search->own, pos->rules, &material, TABLE_DTM, search->error);
    if (!table)
        return FATE_NONE;
    layout_find_digits(&table->layout, pos, &side, digit);
    return table_get(table, &table->fate[side], digit, &fate, search->error) ? fate : FATE_NONE;
}

// ---- All together ----

static bool can_probe(const Position *pos, Error *error)
{
    if (!material_set(pos->rules))
        return error_set(error, "%s has no tables of endings", pos->rules->title);
    if (pos->state.castling)
        return error_set(error, "tables know no castling rights");
    if (bit_count(position_occupied(pos)) > TABLE_MEN)
        return error_set(error, "tables have at most %d men", TABLE_MEN);
    return true;
}

bool own_probe_wdl(OwnTables *own, const Position *pos, int *wdl, Error *error)
{
    return can_probe(pos, error) && probe_wdl(own, pos, wdl, error);
}

static bool probe_end(OwnTables *own, const Position *pos, int *end, Error *error)
{
    FateSearch search = {own, error};
    Fate fate = pos->state.en_passant == NO_SQUARE
                    ? plain_fate(&search, pos)
                    : fate_with_en_passant(pos, plain_fate, plain_fate, &search);
    *end = 0;
    if (fate != FATE_NONE && fate != FATE_DRAW)
        *end = fate_plies(fate) & 1 ? fate_plies(fate) : -fate_plies(fate);
    return fate != FATE_NONE;
}

bool own_probe_end(OwnTables *own, const Position *pos, int *end, Error *error)
{
    return can_probe(pos, error) && probe_end(own, pos, end, error);
}

bool own_probe(OwnTables *own, const Position *pos, Ending *ending, Error *error)
{
    *ending = (Ending){0};
    if (!can_probe(pos, error) || !probe_wdl(own, pos, &ending->wdl, error))
        return false;
    if (ending->wdl != WDL_DRAW && !probe_zeroing(own, pos, ending->wdl, &ending->zeroing, error))
        return false;
    if (ending->wdl < 0)
        ending->zeroing = -ending->zeroing;
    ending->has_end = probe_end(own, pos, &ending->end, NULL);
    return true;
}
