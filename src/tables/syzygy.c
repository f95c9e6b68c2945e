// See syzygy.h.
#include "tables/syzygy.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/file_map.h"
#include "base/thread.h"
#include "core/movegen.h"

enum { STATE_CLOSED, STATE_OPEN, STATE_FAILED };

// A file on the disk, open or not.
typedef struct Source {
    char *path; // NULL: there is none
    FileMap map;
    SyzygyFile *file;
    Error error; // why it could not be opened
    _Atomic int state;
} Source;

typedef struct Table {
    SyzygyMaterial material;
    Source sources[SYZYGY_KIND_COUNT];
} Table;

// From material, either way round, to a table.
typedef struct Slot {
    uint64_t code;
    int table; // from 1; 0: empty
} Slot;

struct Syzygy {
    SyzygyMaps maps;
    Table **tables;
    int count, room, men;
    Slot *slots;
    size_t slot_count; // a power of two
    int found[SYZYGY_KIND_COUNT];
    Mutex mutex; // for opening files
};

// --- finding files ---------------------------------------------------------------------------

static Slot *find_slot(const Syzygy *s, uint64_t code)
{
    size_t at = (size_t)(code * 0x9e3779b97f4a7c15ull >> 32);
    while (s->slots[at & (s->slot_count - 1)].table &&
           s->slots[at & (s->slot_count - 1)].code != code)
        at++;
    return &s->slots[at & (s->slot_count - 1)];
}

static void index_table(Syzygy *s, int number)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        uint64_t code = syzygy_material_code(&s->tables[number]->material, swapped);
        *find_slot(s, code) = (Slot){code, number + 1};
    }
}

// Room for one more table.
static bool grow(Syzygy *s)
{
    if (s->count < s->room)
        return true;
    int room = s->room ? 2 * s->room : 64;
    Table **tables = realloc(s->tables, (size_t)room * sizeof(Table *));
    if (!tables)
        return false;
    s->tables = tables;
    Slot *slots = calloc((size_t)room * 8, sizeof *slots);
    if (!slots)
        return false;
    free(s->slots);
    s->slots = slots;
    s->slot_count = (size_t)room * 8;
    s->room = room;
    for (int i = 0; i < s->count; i++)
        index_table(s, i);
    return true;
}

// The table of a material; made where there is none. NULL without memory.
static Table *table_for(Syzygy *s, const SyzygyMaterial *material)
{
    if (!grow(s))
        return NULL;
    Slot *slot = find_slot(s, syzygy_material_code(material, false));
    if (slot->table)
        return s->tables[slot->table - 1];
    Table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->material = *material;
    s->tables[s->count] = table;
    index_table(s, s->count++);
    return table;
}

static int count_men(const SyzygyMaterial *material)
{
    int men = 2;
    for (int i = 0; i < 2 * KING; i++)
        men += material->count[i / KING][i % KING];
    return men;
}

// Notes a file if its name is that of a table; of two with the same name the first stays.
static bool note_file(Syzygy *s, const char *folder, const char *name)
{
    static const char *const ENDS[] = {[SYZYGY_WDL] = ".rtbw", [SYZYGY_DTZ] = ".rtbz"};
    SyzygyMaterial material;
    for (int kind = 0; kind < SYZYGY_KIND_COUNT; kind++) {
        const char *end = strstr(name, ENDS[kind]);
        if (!end || end[5] || !syzygy_material_from_name(&material, name, (size_t)(end - name)))
            continue;
        Table *table = table_for(s, &material);
        if (!table)
            return false;
        Source *source = &table->sources[kind];
        if (source->path)
            continue;
        size_t size = strlen(folder) + strlen(name) + 2;
        if (!(source->path = malloc(size)))
            return false;
        snprintf(source->path, size, "%s/%s", folder, name);
        s->found[kind]++;
        if (kind == SYZYGY_WDL && count_men(&material) > s->men)
            s->men = count_men(&material);
    }
    return true;
}

static bool note_folder(Syzygy *s, const char *folder, Error *error)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return error_set(error, "cannot read the folder '%.150s'", folder);
    bool is_ok = true;
    for (struct dirent *entry; is_ok && (entry = readdir(dir));)
        is_ok = note_file(s, folder, entry->d_name);
    closedir(dir);
    return is_ok || error_set(error, "no memory for the list of tables");
}

static bool note_folders(Syzygy *s, const char *folders, Error *error)
{
    char folder[4096];
    while (*folders) {
        size_t length = strcspn(folders, (char[]){FILE_LIST_SEPARATOR, 0});
        if (length >= sizeof folder)
            return error_set(error, "the name of a folder is too long");
        memcpy(folder, folders, length);
        folder[length] = 0;
        if (length && !note_folder(s, folder, error))
            return false;
        folders += length + (folders[length] != 0);
    }
    return true;
}

Syzygy *syzygy_new(const char *folders, Error *error)
{
    Syzygy *s = calloc(1, sizeof *s);
    if (!s) {
        error_set(error, "no memory for the list of tables");
        return NULL;
    }
    mutex_init(&s->mutex);
    syzygy_maps_init(&s->maps);
    if (note_folders(s, folders, error))
        return s;
    syzygy_free(s);
    return NULL;
}

void syzygy_free(Syzygy *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->count; i++) {
        for (int kind = 0; kind < SYZYGY_KIND_COUNT; kind++) {
            Source *source = &s->tables[i]->sources[kind];
            syzygy_file_free(source->file);
            file_unmap(&source->map);
            free(source->path);
        }
        free(s->tables[i]);
    }
    free(s->tables);
    free(s->slots);
    mutex_release(&s->mutex);
    free(s);
}

int syzygy_count(const Syzygy *s, SyzygyKind kind)
{
    return s->found[kind];
}

int syzygy_men(const Syzygy *s)
{
    return s->men;
}

// --- opening files ---------------------------------------------------------------------------

// Maps and checks a file; the caller holds the mutex.
static void open_source(Syzygy *s, const Table *table, SyzygyKind kind, Source *source)
{
    if (file_map(&source->map, source->path, &source->error)) {
        source->file = syzygy_file_new(&s->maps, source->map.bytes, source->map.size, kind,
                                       &table->material, &source->error);
        if (!source->file) {
            error_prefix(&source->error, "", "%.150s: ", source->path);
            file_unmap(&source->map);
        }
    }
    atomic_store_explicit(&source->state, source->file ? STATE_OPEN : STATE_FAILED,
                          memory_order_release);
}

static bool is_open(Syzygy *s, const Table *table, SyzygyKind kind, Source *source, Error *error)
{
    int state = atomic_load_explicit(&source->state, memory_order_acquire);
    if (state == STATE_CLOSED) {
        mutex_lock(&s->mutex);
        if (atomic_load_explicit(&source->state, memory_order_relaxed) == STATE_CLOSED)
            open_source(s, table, kind, source);
        mutex_unlock(&s->mutex);
        state = atomic_load_explicit(&source->state, memory_order_acquire);
    }
    if (state == STATE_FAILED && error)
        *error = source->error;
    return state == STATE_OPEN;
}

static bool has_bare_kings(const Position *pos)
{
    return position_occupied(pos) == pos->by_type[KING];
}

// Asks the file of that kind. See syzygy_file_probe for `value`.
static bool ask_file(Syzygy *s, const Position *pos, SyzygyKind kind, int *value,
                     SyzygyAnswer *answer, Error *error)
{
    const Slot *slot = s->slots ? find_slot(s, syzygy_position_code(pos)) : NULL;
    Table *table = slot && slot->table ? s->tables[slot->table - 1] : NULL;
    Source *source = table ? &table->sources[kind] : NULL;
    if (!source || !source->path)
        return error_set(error, "no %s table for these men", kind == SYZYGY_WDL ? "WDL" : "DTZ");
    if (!is_open(s, table, kind, source, error))
        return false;
    *answer = syzygy_file_probe(source->file, pos, value);
    return *answer != SYZYGY_DAMAGED || error_set(error, "%.150s: damaged", source->path);
}

// --- results ---------------------------------------------------------------------------------

typedef struct Probe {
    Syzygy *tables;
    Position pos;
    Error *error;
} Probe;

// What a look at captures (and pawn moves) found.
typedef struct Found {
    int wdl;
    bool is_zeroing; // the best move is one of those looked at
} Found;

static bool is_zeroing(const Position *pos, Move m)
{
    return move_is_capture(m) || piece_type(pos->board[move_from(m)]) == PAWN;
}

// The result: the file's, or that of a better capture, as files may say anything below that. With
// `with_pawns` pawn moves are looked at too, which changes only what `is_zeroing` tells.
static bool find_wdl(Probe *p, bool with_pawns, Found *found)
{
    Move moves[MAX_MOVES];
    int count = movegen_legal(&p->pos, STAGE_ALL, moves), looked = 0, best = SYZYGY_LOSS, value = 0;
    for (int i = 0; i < count && best < SYZYGY_WIN; i++) {
        Undo undo;
        Found after;
        if (!move_is_capture(moves[i]) && !(with_pawns && is_zeroing(&p->pos, moves[i])))
            continue;
        looked++;
        position_make(&p->pos, moves[i], &undo);
        bool is_ok = find_wdl(p, false, &after);
        position_unmake(&p->pos, moves[i], &undo);
        if (!is_ok)
            return false;
        best = -after.wdl > best ? -after.wdl : best;
    }
    if (best == SYZYGY_WIN) {
        *found = (Found){best, true};
        return true;
    }
    bool is_all = looked && looked == count; // en passant alone: the file knows nothing of it
    SyzygyAnswer answer;
    if (has_bare_kings(&p->pos))
        value = SYZYGY_DRAW;
    else if (!is_all && !ask_file(p->tables, &p->pos, SYZYGY_WDL, &value, &answer, p->error))
        return false;
    if (is_all || best >= value)
        *found = (Found){best, best > SYZYGY_DRAW || is_all};
    else
        *found = (Found){value, false};
    return true;
}

// The distance of a position whose best move zeroes.
static int dtz_of_zeroing(int wdl)
{
    static const int DTZ[5] = {-1, -101, 0, 101, 1};
    return DTZ[wdl + 2];
}

static int sign_of(int value)
{
    return (value > 0) - (value < 0);
}

static bool find_dtz(Probe *p, int *dtz);

// The distance after a move, seen by the side that makes it.
static bool dtz_after(Probe *p, Move m, int *dtz)
{
    Undo undo;
    Found after;
    bool zeroes = is_zeroing(&p->pos, m);
    position_make(&p->pos, m, &undo);
    bool is_ok = zeroes ? find_wdl(p, false, &after) : find_dtz(p, dtz);
    if (is_ok && zeroes)
        *dtz = dtz_of_zeroing(-after.wdl);
    else if (is_ok) {
        bool is_mate = *dtz == -1 && position_in_check(&p->pos) && !movegen_any(&p->pos);
        *dtz = is_mate ? 1 : -*dtz + sign_of(-*dtz);
    }
    position_unmake(&p->pos, m, &undo);
    return is_ok;
}

// The best distance over all moves, where the file has only the other side to move.
static bool find_dtz_by_moves(Probe *p, int wdl, int *dtz)
{
    Move moves[MAX_MOVES];
    int count = movegen_legal(&p->pos, STAGE_ALL, moves);
    bool is_any = false;
    for (int i = 0; i < count; i++) {
        int value;
        if (!dtz_after(p, moves[i], &value))
            return false;
        // Wins as soon as possible; losses as late as possible are the least numbers too.
        if (sign_of(value) == sign_of(wdl) && (!is_any || value < *dtz)) {
            *dtz = value;
            is_any = true;
        }
    }
    if (!is_any)
        *dtz = -1; // mated
    return true;
}

static bool find_dtz(Probe *p, int *dtz)
{
    Found found;
    SyzygyAnswer answer;
    if (!find_wdl(p, true, &found))
        return false;
    *dtz = dtz_of_zeroing(found.wdl);
    if (found.wdl == SYZYGY_DRAW || found.is_zeroing)
        return true;
    int value = found.wdl;
    if (!ask_file(p->tables, &p->pos, SYZYGY_DTZ, &value, &answer, p->error))
        return false;
    if (answer == SYZYGY_OTHER_SIDE)
        return find_dtz_by_moves(p, found.wdl, dtz);
    bool is_cursed = found.wdl == SYZYGY_CURSED_WIN || found.wdl == SYZYGY_BLESSED_LOSS;
    *dtz = (value + 100 * is_cursed) * sign_of(found.wdl);
    return true;
}

static bool check_position(const Syzygy *s, const Position *pos, Error *error)
{
    if (!syzygy_may_probe(pos))
        return error_set(error, pos->state.castling ? "tables know no castling rights"
                                                    : "no tables for this game");
    int men = bit_count(position_occupied(pos));
    return men <= s->men || men == 2 ||
           error_set(error, "%d men are too many for the tables (%d)", men, s->men);
}

bool syzygy_probe_wdl(Syzygy *s, const Position *pos, int *wdl, Error *error)
{
    Probe probe = {s, *pos, error};
    Found found;
    if (!check_position(s, pos, error) || !find_wdl(&probe, false, &found))
        return false;
    *wdl = found.wdl;
    return true;
}

bool syzygy_probe_dtz(Syzygy *s, const Position *pos, int *dtz, Error *error)
{
    Probe probe = {s, *pos, error};
    return check_position(s, pos, error) && find_dtz(&probe, dtz);
}
