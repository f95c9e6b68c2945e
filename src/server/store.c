// See store.h. All SQL is in one table, prepared when the file is opened; the rest is filling in
// values and reading rows. A write that fails is remembered and fails the commit, so callers need
// not look. The second thread only syncs and checkpoints; it never sees what is being changed.
#include "server/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/thread.h"

enum {
    PATH_SIZE = 4096,
    SMALL_LOG_PAGES = 200,
    LARGE_LOG_PAGES = 16384,
    KEEP_MS = 1000,
    FORMAT = 1,
    PAGE_SIZE = 4096,
    ROW_BYTES = 100, // of a row, about, besides its texts
    USUAL_STATE = 2048,
};

// Statements, prepared once.
typedef enum Query {
    Q_BEGIN,
    Q_COMMIT,
    Q_ROLLBACK,
    Q_PUT_ROOM,
    Q_GET_ROOM,
    Q_PUT_REVIEW,
    Q_DELETE_ROOM,
    Q_DELETE_KEYS,
    Q_DELETE_OLD,
    Q_PUT_KEY,
    Q_FIND_KEY,
    Q_ACTIVE,
    Q_EMPTY,
    Q_PUT_NODE,
    Q_DELETE_NODE,
    Q_DELETE_NODES,
    Q_NODES,
    Q_PUT_OLD,
    Q_OLD,
    Q_GET_OLD,
    Q_SAVE,
    Q_SAVED_ID,
    Q_GET_SAVED,
    Q_DELETE_SAVED,
    Q_LIST,
    Q_LIST_TEXTS,
    Q_COUNT_LIST,
    Q_COUNT,
    Q_PUT_RUN,
    Q_DELETE_RUN,
    Q_DELETE_RUN_TEXTS,
    Q_RUNS,
    Q_PUT_RUN_TEXT,
    Q_GET_RUN_TEXT,
    Q_PAGES,
    Q_FREE_PAGES,
    QUERY_COUNT
} Query;

// clang-format off
static const char *const SQL[QUERY_COUNT] = {
    [Q_BEGIN] = "BEGIN",
    [Q_COMMIT] = "COMMIT",
    [Q_ROLLBACK] = "ROLLBACK",
    [Q_PUT_ROOM] = "INSERT INTO room(id, state, active, updated) VALUES(?1, ?2, ?3, ?4) "
                   "ON CONFLICT(id) DO UPDATE SET state = ?2, active = ?3, updated = ?4",
    [Q_GET_ROOM] = "SELECT state, review, updated FROM room WHERE id = ?1",
    [Q_PUT_REVIEW] = "UPDATE room SET review = ?2 WHERE id = ?1",
    [Q_DELETE_ROOM] = "DELETE FROM room WHERE id = ?1",
    [Q_DELETE_KEYS] = "DELETE FROM key WHERE room = ?1",
    [Q_DELETE_OLD] = "DELETE FROM old_game WHERE room = ?1",
    [Q_PUT_KEY] = "INSERT OR REPLACE INTO key(key, room) VALUES(?1, ?2)",
    [Q_FIND_KEY] = "SELECT room FROM key WHERE key = ?1",
    [Q_ACTIVE] = "SELECT id FROM room WHERE active = 1",
    [Q_EMPTY] = "SELECT id FROM room WHERE updated < ?1 AND active = 0 AND NOT EXISTS "
                "(SELECT 1 FROM node WHERE node.room = room.id) AND NOT EXISTS "
                "(SELECT 1 FROM old_game WHERE old_game.room = room.id) LIMIT 1000",
    [Q_PUT_NODE] = "INSERT INTO node(room, id, parent, rank, move, clock, notes) "
                   "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(room, id) DO UPDATE SET "
                   "rank = ?4, clock = ?6, notes = ?7",
    [Q_DELETE_NODE] = "DELETE FROM node WHERE room = ?1 AND id = ?2",
    [Q_DELETE_NODES] = "DELETE FROM node WHERE room = ?1",
    [Q_NODES] = "SELECT id, parent, rank, move, clock, notes FROM node WHERE room = ?1 ORDER BY id",
    [Q_PUT_OLD] = "INSERT OR REPLACE INTO old_game(room, number, white, black, result, reason, "
                  "plies, pgn, swapped) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [Q_OLD] = "SELECT number, white, black, result, reason, plies, swapped FROM old_game WHERE room = ?1 "
              "ORDER BY number",
    [Q_GET_OLD] = "SELECT pgn FROM old_game WHERE room = ?1 AND number = ?2",
    [Q_SAVE] = "INSERT INTO saved(owner, name, variant, white, black, result, reason, plies, fen, "
               "date, updated, pgn) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) "
               "ON CONFLICT(owner, name) DO UPDATE SET variant = ?3, white = ?4, black = ?5, "
               "result = ?6, reason = ?7, plies = ?8, fen = ?9, date = ?10, updated = ?11, "
               "pgn = ?12",
    [Q_SAVED_ID] = "SELECT id FROM saved WHERE owner = ?1 AND name = ?2",
    [Q_GET_SAVED] = "SELECT pgn FROM saved WHERE owner = ?1 AND id = ?2",
    [Q_DELETE_SAVED] = "DELETE FROM saved WHERE owner = ?1 AND id = ?2",
    [Q_LIST] = "SELECT id, name, variant, white, black, result, reason, plies, fen, date, updated "
               "FROM saved WHERE owner = ?1 AND (?2 IS NULL OR variant = ?2) "
               "ORDER BY updated DESC, id DESC LIMIT ?3 OFFSET ?4",
    [Q_LIST_TEXTS] = "SELECT id, name, variant, white, black, result, reason, plies, fen, date, "
                     "updated, pgn FROM saved WHERE owner = ?1 AND (?2 IS NULL OR variant = ?2) "
                     "ORDER BY updated DESC, id DESC",
    [Q_COUNT_LIST] = "SELECT count(*) FROM saved WHERE owner = ?1 AND (?2 IS NULL OR variant = ?2)",
    [Q_COUNT] = "SELECT count(*) FROM saved WHERE owner = ?1",
    [Q_PUT_RUN] = "INSERT OR REPLACE INTO run(id, owner, record) VALUES(?1, ?2, ?3)",
    [Q_DELETE_RUN] = "DELETE FROM run WHERE id = ?1",
    [Q_DELETE_RUN_TEXTS] = "DELETE FROM run_text WHERE run = ?1",
    [Q_RUNS] = "SELECT id, owner, record FROM run ORDER BY id",
    [Q_PUT_RUN_TEXT] = "INSERT OR REPLACE INTO run_text(run, number, text) VALUES(?1, ?2, ?3)",
    [Q_GET_RUN_TEXT] = "SELECT text FROM run_text WHERE run = ?1 AND number = ?2",
    [Q_PAGES] = "PRAGMA page_count",
    [Q_FREE_PAGES] = "PRAGMA freelist_count",
};

static const char SCHEMA[] =
    "CREATE TABLE IF NOT EXISTS room(id TEXT PRIMARY KEY, state TEXT NOT NULL, review TEXT,"
    " active INTEGER NOT NULL, updated INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS room_active ON room(active) WHERE active = 1;"
    "CREATE TABLE IF NOT EXISTS key(key TEXT PRIMARY KEY, room TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS key_room ON key(room);"
    "CREATE TABLE IF NOT EXISTS node(room TEXT NOT NULL, id INTEGER NOT NULL,"
    " parent INTEGER NOT NULL, rank INTEGER NOT NULL, move INTEGER NOT NULL,"
    " clock INTEGER NOT NULL, notes TEXT, PRIMARY KEY(room, id)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS old_game(room TEXT NOT NULL, number INTEGER NOT NULL,"
    " white TEXT, black TEXT, result TEXT, reason TEXT, plies INTEGER, pgn TEXT,"
    " swapped INTEGER, PRIMARY KEY(room, number)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS saved(id INTEGER PRIMARY KEY, owner TEXT NOT NULL,"
    " name TEXT NOT NULL, variant TEXT, white TEXT, black TEXT, result TEXT, reason TEXT,"
    " plies INTEGER, fen TEXT, date TEXT, updated INTEGER, pgn TEXT, UNIQUE(owner, name));"
    "CREATE INDEX IF NOT EXISTS saved_new ON saved(owner, updated);"
    "CREATE TABLE IF NOT EXISTS run(id INTEGER PRIMARY KEY, owner TEXT NOT NULL,"
    " record TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS run_text(run INTEGER NOT NULL, number INTEGER NOT NULL,"
    " text TEXT NOT NULL, PRIMARY KEY(run, number)) WITHOUT ROWID;";
// clang-format on

struct Store {
    sqlite3 *db;
    sqlite3_stmt *statements[QUERY_COUNT];
    char path[PATH_SIZE];
    int lock; // descriptor of the lock file
    bool is_dirty, has_failed;
    size_t added;
    int64_t most_pages, free_bytes; // bounds; 0: none
    int most_log_pages;             // more than that are brought into the database at once
    atomic_int large_log_pages;     // the same, but when there is time
    Thread keeper;
    bool has_thread;
    Mutex mutex; // of the two below
    Signal signal;
    bool is_closing;
    atomic_int log_pages; // in the write-ahead log after the last commit
    atomic_int commits;
};

// ---- Opening ----

// Every second: brings what was committed since to the disk, so that a power cut loses no more; and
// when the log is large, or has grown and nothing happens, its pages into the database itself. The
// loop's commits wait for the disk only when the log begins anew, so that is made rare.
static void keep(Store *s, sqlite3 *db, int log, int *synced)
{
    int commits = atomic_load(&s->commits), pages = atomic_load(&s->log_pages);
    bool is_quiet = commits == *synced;
    if (!is_quiet && log >= 0)
        fdatasync(log);
    *synced = commits;
    if (pages >= atomic_load(&s->large_log_pages) || (is_quiet && pages >= SMALL_LOG_PAGES)) {
        atomic_store(&s->log_pages, 0);
        sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    }
}

// The thread that sees to the disk, with a connection of its own to the same file.
static void keeper_thread(void *context)
{
    Store *s = context;
    sqlite3 *db = NULL;
    char path[PATH_SIZE + 8];
    int synced = 0;
    snprintf(path, sizeof path, "%s-wal", s->path);
    int log = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = sqlite3_open_v2(s->path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
    if (ok)
        sqlite3_exec(db, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL);
    mutex_lock(&s->mutex);
    while (ok && !s->is_closing) {
        signal_wait_ms(&s->signal, &s->mutex, KEEP_MS);
        mutex_unlock(&s->mutex);
        keep(s, db, log, &synced);
        mutex_lock(&s->mutex);
    }
    mutex_unlock(&s->mutex);
    sqlite3_close(db);
    if (log >= 0)
        close(log);
}

// Called by SQLite after each commit: how large the log is now.
static int note_log(void *context, sqlite3 *db, const char *name, int pages)
{
    (void)db, (void)name;
    Store *s = context;
    atomic_store(&s->log_pages, pages);
    atomic_fetch_add(&s->commits, 1);
    return SQLITE_OK;
}

// One server at a time; the lock goes with the process, however that ends.
static bool lock_folder(Store *s, const char *folder, Error *error)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/lock", folder);
    s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (s->lock < 0)
        return error_set(error, "%s: %s", path, strerror(errno));
    if (flock(s->lock, LOCK_EX | LOCK_NB))
        return error_set(error, "%s: another server uses this folder", folder);
    return true;
}

// A file of a later version is left alone.
static bool check_format(Store *s, Error *error)
{
    sqlite3_stmt *statement = NULL;
    int format = 0;
    if (sqlite3_prepare_v2(s->db, "PRAGMA user_version", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        format = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    if (format > FORMAT)
        return error_set(error, "%s was written by a newer version of Lovac", s->path);
    return true;
}

// Looks through the whole file: what is damaged must not be built upon, nor made worse.
static bool check_whole(Store *s, Error *error)
{
    sqlite3_stmt *statement = NULL;
    char found[200] = "";
    int status = sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &statement, NULL);
    if (status == SQLITE_OK && (status = sqlite3_step(statement)) == SQLITE_ROW)
        snprintf(found, sizeof found, "%s", (const char *)sqlite3_column_text(statement, 0));
    else
        snprintf(found, sizeof found, "%s", sqlite3_errmsg(s->db));
    sqlite3_finalize(statement);
    if (!strcmp(found, "ok"))
        return true;
    found[strcspn(found, "\n")] = 0;
    return error_set(error,
                     "%s is damaged (%s). It is left as it is: put a backup in its place, or save "
                     "what can be read with sqlite3 lovac.db .recover | sqlite3 new.db",
                     s->path, found);
}

// Why the file cannot be used, in words that say what to do where that is known.
static bool tell_why(const Store *s, Error *error)
{
    int code = sqlite3_errcode(s->db) & 0xff;
    if (code == SQLITE_FULL)
        return error_set(error, "%s cannot be written: the disk is full", s->path);
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return error_set(error,
                         "%s is damaged (%s). It is left as it is: put a backup in its place",
                         s->path, sqlite3_errmsg(s->db));
    return error_set(error, "%s: %s", s->path, sqlite3_errmsg(s->db));
}

// Opens the file, makes the tables that are missing, and prepares all statements.
static bool open_database(Store *s, Error *error)
{
    char set_format[64];
    snprintf(set_format, sizeof set_format, "PRAGMA user_version=%d", FORMAT);
    if (sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
            SQLITE_OK ||
        sqlite3_exec(s->db,
                     "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-8192;"
                     "PRAGMA wal_autocheckpoint=0",
                     NULL, NULL, NULL) != SQLITE_OK)
        return tell_why(s, error);
    if (!check_format(s, error) || !check_whole(s, error))
        return false;
    if (sqlite3_exec(s->db, SCHEMA, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(s->db, set_format, NULL, NULL, NULL) != SQLITE_OK)
        return tell_why(s, error);
    sqlite3_busy_timeout(s->db, 2000);
    sqlite3_wal_hook(s->db, note_log, s);
    for (int i = 0; i < QUERY_COUNT; i++)
        if (sqlite3_prepare_v3(s->db, SQL[i], -1, SQLITE_PREPARE_PERSISTENT, &s->statements[i],
                               NULL) != SQLITE_OK)
            return error_set(error, "%s: %s", s->path, sqlite3_errmsg(s->db));
    return true;
}

Store *store_open(const char *folder, Error *error)
{
    Store *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(error, "out of memory"), NULL;
    s->lock = -1;
    s->most_log_pages = INT_MAX;
    atomic_init(&s->large_log_pages, LARGE_LOG_PAGES);
    mutex_init(&s->mutex);
    signal_init(&s->signal);
    snprintf(s->path, sizeof s->path, "%s/lovac.db", folder);
    if (!file_make_folder(folder, error) || !lock_folder(s, folder, error) ||
        !open_database(s, error)) {
        store_close(s);
        return NULL;
    }
    s->has_thread = thread_start(&s->keeper, keeper_thread, s, NULL);
    if (!s->has_thread)
        sqlite3_wal_autocheckpoint(s->db, 1000);
    return s;
}

void store_close(Store *s)
{
    if (s->has_thread) {
        mutex_lock(&s->mutex);
        s->is_closing = true;
        signal_all(&s->signal);
        mutex_unlock(&s->mutex);
        thread_join(&s->keeper);
    }
    if (s->db && s->is_dirty)
        store_commit(s, NULL);
    for (int i = 0; i < QUERY_COUNT; i++)
        sqlite3_finalize(s->statements[i]);
    sqlite3_close(s->db);
    if (s->lock >= 0)
        close(s->lock);
    signal_release(&s->signal);
    mutex_release(&s->mutex);
    free(s);
}

// ---- Statements ----

// A prepared statement, ready to be given its values.
static sqlite3_stmt *query(Store *s, Query q)
{
    sqlite3_stmt *statement = s->statements[q];
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return statement;
}

// A text, or NULL; it must live until the statement has run.
static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    if (text)
        sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

// Runs a statement that gives no rows; a failure fails the whole turn.
static bool run(Store *s, sqlite3_stmt *statement)
{
    int status = sqlite3_step(statement);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    if (status == SQLITE_DONE || status == SQLITE_ROW)
        return true;
    s->has_failed = true;
    return false;
}

// Every change goes into the turn's transaction.
static sqlite3_stmt *change(Store *s, Query q)
{
    if (!s->is_dirty) {
        s->is_dirty = true;
        run(s, query(s, Q_BEGIN));
    }
    return query(s, q);
}

// A text of the row, "" for NULL; lives until the statement goes on.
static const char *column_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

bool store_is_dirty(const Store *s)
{
    return s->is_dirty;
}

bool store_has_failed(const Store *s)
{
    return s->has_failed;
}

bool store_commit(Store *s, Error *error)
{
    if (!s->is_dirty)
        return true;
    s->is_dirty = false;
    if (!s->has_failed && run(s, query(s, Q_COMMIT))) {
        if (atomic_load(&s->log_pages) > s->most_log_pages)
            sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_RESTART, NULL, NULL);
        return true;
    }
    bool is_full = (sqlite3_errcode(s->db) & 0xff) == SQLITE_FULL;
    error_set(error, "cannot write %s: %s", s->path,
              is_full ? "the disk is full" : sqlite3_errmsg(s->db));
    run(s, query(s, Q_ROLLBACK));
    s->has_failed = false;
    return false;
}

// Now, in Unix seconds.
static int64_t now_s(void)
{
    return (int64_t)time(NULL);
}

// ---- Space ----

void store_set_bounds(Store *s, int64_t most_bytes, int64_t free_bytes)
{
    char text[64];
    int64_t pages = most_bytes / PAGE_SIZE;
    // Three quarters for the database, the rest for the log and what is beside it.
    s->most_pages = pages * 3 / 4;
    s->most_log_pages = pages / 8 < INT_MAX ? (int)(pages / 8) : INT_MAX;
    s->free_bytes = free_bytes;
    if (pages / 32 < LARGE_LOG_PAGES)
        atomic_store(&s->large_log_pages, (int)(pages / 32));
    snprintf(text, sizeof text, "PRAGMA max_page_count=%lld", (long long)s->most_pages);
    sqlite3_exec(s->db, text, NULL, NULL, NULL);
}

// The number that a statement without values gives.
static int64_t number_of(Store *s, Query q)
{
    sqlite3_stmt *statement = query(s, q);
    int64_t number = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_reset(statement);
    return number;
}

StoreSpace store_space(Store *s, Error *error)
{
    struct statvfs disk;
    int64_t used = number_of(s, Q_PAGES) - number_of(s, Q_FREE_PAGES);
    bool is_known = !statvfs(s->path, &disk);
    int64_t left = is_known ? (int64_t)disk.f_bavail * (int64_t)disk.f_frsize : INT64_MAX;
    if (s->free_bytes && left < s->free_bytes) {
        error_set(error, "the disk of %s is nearly full: %lld MB are left", s->path,
                  (long long)(left >> 20));
        return left < s->free_bytes / 4 ? SPACE_NONE : SPACE_LOW;
    }
    if (!s->most_pages || used < s->most_pages * 9 / 10)
        return SPACE_ENOUGH;
    error_set(error, "%s is nearly as large as it may become (--disk): %lld MB", s->path,
              (long long)(used * PAGE_SIZE >> 20));
    return used < s->most_pages * 49 / 50 ? SPACE_LOW : SPACE_NONE;
}

size_t store_added(const Store *s)
{
    return s->added;
}

// A row more, with such a text (or NULL).
static void note_added(Store *s, const char *text)
{
    s->added += ROW_BYTES + (text ? strlen(text) : 0);
}

// ---- Rooms ----

void store_put_room(Store *s, const char *id, const char *state, bool is_active)
{
    sqlite3_stmt *q = change(s, Q_PUT_ROOM);
    bind_text(q, 1, id);
    bind_text(q, 2, state);
    sqlite3_bind_int(q, 3, is_active);
    sqlite3_bind_int64(q, 4, now_s());
    run(s, q);
    if (strlen(state) > USUAL_STATE) // else it takes the place of what was there
        note_added(s, state + USUAL_STATE);
}

bool store_get_room(Store *s, const char *id, char **state, char **review, int64_t *updated)
{
    sqlite3_stmt *q = query(s, Q_GET_ROOM);
    bind_text(q, 1, id);
    bool found = sqlite3_step(q) == SQLITE_ROW;
    if (found) {
        *state = strdup(column_text(q, 0));
        *review = sqlite3_column_type(q, 1) == SQLITE_NULL ? NULL : strdup(column_text(q, 1));
        *updated = sqlite3_column_int64(q, 2);
    }
    sqlite3_reset(q);
    return found && *state;
}

void store_put_review(Store *s, const char *id, const char *review)
{
    sqlite3_stmt *q = change(s, Q_PUT_REVIEW);
    bind_text(q, 1, id);
    bind_text(q, 2, review);
    run(s, q);
    note_added(s, review);
}

void store_delete_room(Store *s, const char *id)
{
    static const Query ALL[] = {Q_DELETE_ROOM, Q_DELETE_KEYS, Q_DELETE_OLD, Q_DELETE_NODES};
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        sqlite3_stmt *q = change(s, ALL[i]);
        bind_text(q, 1, id);
        run(s, q);
    }
}

void store_put_key(Store *s, const char *key, const char *room)
{
    sqlite3_stmt *q = change(s, Q_PUT_KEY);
    bind_text(q, 1, key);
    bind_text(q, 2, room);
    run(s, q);
    s->added += USUAL_STATE / 3; // a room has three
}

bool store_find_key(Store *s, const char *key, char room[SECRET_SIZE])
{
    sqlite3_stmt *q = query(s, Q_FIND_KEY);
    bind_text(q, 1, key);
    bool found = sqlite3_step(q) == SQLITE_ROW;
    if (found)
        snprintf(room, SECRET_SIZE, "%s", column_text(q, 0));
    sqlite3_reset(q);
    return found;
}

void store_each_active(Store *s, StoreRoomCallback *callback, void *context)
{
    sqlite3_stmt *q = query(s, Q_ACTIVE);
    while (sqlite3_step(q) == SQLITE_ROW)
        callback(context, column_text(q, 0));
    sqlite3_reset(q);
}

void store_forget_empty(Store *s, int64_t older_than_s)
{
    sqlite3_stmt *q = query(s, Q_EMPTY);
    char(*ids)[SECRET_SIZE] = calloc(1000, sizeof *ids);
    int count = 0;
    sqlite3_bind_int64(q, 1, now_s() - older_than_s);
    while (ids && count < 1000 && sqlite3_step(q) == SQLITE_ROW)
        snprintf(ids[count++], SECRET_SIZE, "%s", column_text(q, 0));
    sqlite3_reset(q);
    for (int i = 0; i < count; i++)
        store_delete_room(s, ids[i]);
    free(ids);
}

void store_put_node(Store *s, const char *room, int id, const Node *node, const char *notes)
{
    sqlite3_stmt *q = change(s, Q_PUT_NODE);
    bind_text(q, 1, room);
    sqlite3_bind_int(q, 2, id);
    sqlite3_bind_int(q, 3, node->parent);
    sqlite3_bind_int(q, 4, node->rank);
    sqlite3_bind_int(q, 5, node->move);
    sqlite3_bind_int(q, 6, node->clock_ms);
    bind_text(q, 7, notes);
    run(s, q);
    note_added(s, notes);
}

void store_delete_node(Store *s, const char *room, int id)
{
    sqlite3_stmt *q = change(s, Q_DELETE_NODE);
    bind_text(q, 1, room);
    sqlite3_bind_int(q, 2, id);
    run(s, q);
}

void store_delete_nodes(Store *s, const char *room)
{
    sqlite3_stmt *q = change(s, Q_DELETE_NODES);
    bind_text(q, 1, room);
    run(s, q);
}

bool store_each_node(Store *s, const char *room, StoreNodeCallback *callback, void *context)
{
    sqlite3_stmt *q = query(s, Q_NODES);
    bool ok = true;
    bind_text(q, 1, room);
    while (ok && sqlite3_step(q) == SQLITE_ROW) {
        Node node = {.parent = sqlite3_column_int(q, 1),
                     .rank = sqlite3_column_int(q, 2),
                     .move = (Move)sqlite3_column_int(q, 3),
                     .clock_ms = sqlite3_column_int(q, 4)};
        bool has_notes = sqlite3_column_type(q, 5) != SQLITE_NULL;
        ok = callback(context, sqlite3_column_int(q, 0), &node,
                      has_notes ? column_text(q, 5) : NULL);
    }
    sqlite3_reset(q);
    return ok;
}

// ---- Games as text ----

void store_put_old_game(Store *s, const char *room, int number, const StoredGame *game)
{
    sqlite3_stmt *q = change(s, Q_PUT_OLD);
    bind_text(q, 1, room);
    sqlite3_bind_int(q, 2, number);
    bind_text(q, 3, game->white);
    bind_text(q, 4, game->black);
    bind_text(q, 5, game->result);
    bind_text(q, 6, game->reason);
    sqlite3_bind_int(q, 7, game->plies);
    bind_text(q, 8, game->pgn);
    sqlite3_bind_int(q, 9, game->is_swapped);
    run(s, q);
    note_added(s, game->pgn);
}

void store_each_old_game(Store *s, const char *room, StoreGameCallback *callback, void *context)
{
    sqlite3_stmt *q = query(s, Q_OLD);
    bind_text(q, 1, room);
    while (sqlite3_step(q) == SQLITE_ROW) {
        StoredGame game = {.id = sqlite3_column_int64(q, 0),
                           .white = column_text(q, 1),
                           .black = column_text(q, 2),
                           .result = column_text(q, 3),
                           .reason = column_text(q, 4),
                           .plies = sqlite3_column_int(q, 5),
                           .is_swapped = sqlite3_column_int(q, 6)};
        callback(context, &game);
    }
    sqlite3_reset(q);
}

// The one text of the one row, which the caller frees; NULL when there is none.
static char *only_text(sqlite3_stmt *q)
{
    char *text = sqlite3_step(q) == SQLITE_ROW ? strdup(column_text(q, 0)) : NULL;
    sqlite3_reset(q);
    return text;
}

char *store_get_old_game(Store *s, const char *room, int number)
{
    sqlite3_stmt *q = query(s, Q_GET_OLD);
    bind_text(q, 1, room);
    sqlite3_bind_int(q, 2, number);
    return only_text(q);
}

int64_t store_save(Store *s, const StoredGame *game)
{
    sqlite3_stmt *q = change(s, Q_SAVE);
    const char *texts[] = {game->owner, game->name,   game->variant, game->white,
                           game->black, game->result, game->reason};
    for (int i = 0; i < 7; i++)
        bind_text(q, i + 1, texts[i]);
    sqlite3_bind_int(q, 8, game->plies);
    bind_text(q, 9, game->fen);
    bind_text(q, 10, game->date);
    sqlite3_bind_int64(q, 11, now_s());
    bind_text(q, 12, game->pgn);
    note_added(s, game->pgn);
    return run(s, q) ? store_find_saved(s, game->owner, game->name) : 0;
}

int64_t store_find_saved(Store *s, const char *owner, const char *name)
{
    sqlite3_stmt *q = query(s, Q_SAVED_ID);
    bind_text(q, 1, owner);
    bind_text(q, 2, name);
    int64_t id = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_reset(q);
    return id;
}

char *store_get_saved(Store *s, const char *owner, int64_t id)
{
    sqlite3_stmt *q = query(s, Q_GET_SAVED);
    bind_text(q, 1, owner);
    sqlite3_bind_int64(q, 2, id);
    return only_text(q);
}

bool store_delete_saved(Store *s, const char *owner, int64_t id)
{
    sqlite3_stmt *q = change(s, Q_DELETE_SAVED);
    bind_text(q, 1, owner);
    sqlite3_bind_int64(q, 2, id);
    return run(s, q) && sqlite3_changes(s->db) > 0;
}

// A row of a list, without its text.
static StoredGame saved_row(sqlite3_stmt *q)
{
    return (StoredGame){.id = sqlite3_column_int64(q, 0),
                        .name = column_text(q, 1),
                        .variant = column_text(q, 2),
                        .white = column_text(q, 3),
                        .black = column_text(q, 4),
                        .result = column_text(q, 5),
                        .reason = column_text(q, 6),
                        .plies = sqlite3_column_int(q, 7),
                        .fen = column_text(q, 8),
                        .date = column_text(q, 9),
                        .updated = sqlite3_column_int64(q, 10)};
}

int64_t store_list_saved(Store *s, const char *owner, const char *variant, int64_t from,
                         int64_t count, StoreGameCallback *callback, void *context)
{
    sqlite3_stmt *q = query(s, Q_LIST);
    bind_text(q, 1, owner);
    bind_text(q, 2, variant);
    sqlite3_bind_int64(q, 3, count);
    sqlite3_bind_int64(q, 4, from);
    while (sqlite3_step(q) == SQLITE_ROW) {
        StoredGame game = saved_row(q);
        callback(context, &game);
    }
    sqlite3_reset(q);
    q = query(s, Q_COUNT_LIST);
    bind_text(q, 1, owner);
    bind_text(q, 2, variant);
    int64_t total = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_reset(q);
    return total;
}

int64_t store_find_all_saved(Store *s, const char *owner, const char *variant, StoreGameTest *test,
                             void *test_context, int64_t from, int64_t count,
                             StoreGameCallback *callback, void *context)
{
    int64_t total = 0;
    sqlite3_stmt *q = query(s, Q_LIST_TEXTS);
    bind_text(q, 1, owner);
    bind_text(q, 2, variant);
    while (sqlite3_step(q) == SQLITE_ROW) {
        StoredGame game = saved_row(q);
        game.pgn = column_text(q, 11);
        if (!test(test_context, &game))
            continue;
        if (total >= from && total < from + count)
            callback(context, &game);
        total++;
    }
    sqlite3_reset(q);
    return total;
}

int64_t store_count_saved(Store *s, const char *owner)
{
    sqlite3_stmt *q = query(s, Q_COUNT);
    bind_text(q, 1, owner);
    int64_t total = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_reset(q);
    return total;
}

// ---- Runs of experiments ----

void store_put_run(Store *s, int64_t id, const char *owner, const char *record)
{
    sqlite3_stmt *q = change(s, Q_PUT_RUN);
    sqlite3_bind_int64(q, 1, id);
    bind_text(q, 2, owner);
    bind_text(q, 3, record);
    run(s, q);
}

void store_delete_run(Store *s, int64_t id)
{
    static const Query ALL[] = {Q_DELETE_RUN, Q_DELETE_RUN_TEXTS};
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        sqlite3_stmt *q = change(s, ALL[i]);
        sqlite3_bind_int64(q, 1, id);
        run(s, q);
    }
}

void store_each_run(Store *s, StoreRunCallback *callback, void *context)
{
    sqlite3_stmt *q = query(s, Q_RUNS);
    while (sqlite3_step(q) == SQLITE_ROW)
        callback(context, sqlite3_column_int64(q, 0), column_text(q, 1), column_text(q, 2));
    sqlite3_reset(q);
}

void store_put_run_text(Store *s, int64_t id, int number, const char *text)
{
    sqlite3_stmt *q = change(s, Q_PUT_RUN_TEXT);
    sqlite3_bind_int64(q, 1, id);
    sqlite3_bind_int(q, 2, number);
    bind_text(q, 3, text);
    run(s, q);
}

char *store_get_run_text(Store *s, int64_t id, int number)
{
    sqlite3_stmt *q = query(s, Q_GET_RUN_TEXT);
    sqlite3_bind_int64(q, 1, id);
    sqlite3_bind_int(q, 2, number);
    return only_text(q);
}
