// What the server keeps on disk: rooms, their trees, earlier games of a room and the libraries, in
// one SQLite file (write-ahead log). Changes gather in a transaction that store_commit ends, so
// that all changes of one turn of the event loop cost one write; nothing may be told to a browser
// before. A process that is killed loses nothing that was committed, a power cut at most the last
// second. One thread uses it; a second one, inside, sees to the disk, so that the loop need not
// wait.
#ifndef LOVAC_SERVER_STORE_H
#define LOVAC_SERVER_STORE_H

#include <stddef.h>

#include "server/secret.h"
#include "server/tree.h"

typedef struct Store Store;

// Opens or makes the folder and the file; fails when another process uses it.
Store *store_open(const char *folder, Error *error);
void store_close(Store *store);

// Ends the turn's changes; false (with the reason) when the disk refuses them.
bool store_commit(Store *store, Error *error);
bool store_is_dirty(const Store *store);

// Has any write failed since the last commit?
bool store_has_failed(const Store *store);

// ---- Space ----

// Bounds what the folder may hold, in bytes, with the log; and so much of the disk stays free.
void store_set_bounds(Store *store, int64_t most_bytes, int64_t free_bytes);

typedef enum StoreSpace {
    SPACE_ENOUGH,
    SPACE_LOW, // what exists may go on, nothing new is begun
    SPACE_NONE // nothing more is to be written
} StoreSpace;

// How it stands with the bounds; `error` gets the words for it where it is not SPACE_ENOUGH.
StoreSpace store_space(Store *store, Error *error);

// About how many bytes have been added since the beginning; what takes the place of something else
// counts too.
size_t store_added(const Store *store);

// ---- Rooms ----

// Writes a room's state (JSON); `is_active`: it must be woken after a restart.
void store_put_room(Store *store, const char *id, const char *state, bool is_active);

// Its state and review as JSON, which the caller frees; false when there is no such room. Review
// may be NULL when there is none.
bool store_get_room(Store *store, const char *id, char **state, char **review, int64_t *updated);
void store_put_review(Store *store, const char *id, const char *review);
void store_delete_room(Store *store, const char *id);

// Remembers a key of a room, and finds the room of a key.
void store_put_key(Store *store, const char *key, const char *room);
bool store_find_key(Store *store, const char *key, char room[SECRET_SIZE]);

// Calls back for each room that was active.
typedef void StoreRoomCallback(void *context, const char *id);
void store_each_active(Store *store, StoreRoomCallback *callback, void *context);

// Deletes rooms in which nothing was played and that nobody has touched for so long.
void store_forget_empty(Store *store, int64_t older_than_s);

// Writes one node with its notes (as JSON, or NULL); deletes one, or all of a room.
void store_put_node(Store *store, const char *room, int id, const Node *node, const char *notes);
void store_delete_node(Store *store, const char *room, int id);
void store_delete_nodes(Store *store, const char *room);

// Calls back for each node of a room, by id.
typedef bool StoreNodeCallback(void *context, int id, const Node *node, const char *notes);
bool store_each_node(Store *store, const char *room, StoreNodeCallback *callback, void *context);

// ---- Games as text: earlier games of a room, and saved ones ----

typedef struct StoredGame {
    int64_t id; // of a saved game
    const char *owner, *name, *variant, *white, *black, *result, *reason, *fen, *date;
    int plies;
    bool is_swapped; // of an earlier game: White of it was Black of the first
    int64_t updated;
    const char *pgn;
} StoredGame;

void store_put_old_game(Store *store, const char *room, int number, const StoredGame *game);

// Calls back for the earlier games of a room in order, without their text.
typedef void StoreGameCallback(void *context, const StoredGame *game);
void store_each_old_game(Store *store, const char *room, StoreGameCallback *callback,
                         void *context);

// The text of one, which the caller frees, or NULL.
char *store_get_old_game(Store *store, const char *room, int number);

// Saves a game; with the same name as another of this owner it takes its place. Returns its id, 0
// when it could not be written.
int64_t store_save(Store *store, const StoredGame *game);

// The saved game of that name, or 0.
int64_t store_find_saved(Store *store, const char *owner, const char *name);

// The text of a saved game (the caller frees it), or NULL when this owner has none such.
char *store_get_saved(Store *store, const char *owner, int64_t id);
bool store_delete_saved(Store *store, const char *owner, int64_t id);

// Lists an owner's games, newest first; `variant` may be NULL. Returns how many there are in all.
int64_t store_list_saved(Store *store, const char *owner, const char *variant, int64_t from,
                         int64_t count, StoreGameCallback *callback, void *context);

// The same for those that a test wants, which gets them with their text.
typedef bool StoreGameTest(void *context, const StoredGame *game);
int64_t store_find_all_saved(Store *store, const char *owner, const char *variant,
                             StoreGameTest *test, void *test_context, int64_t from, int64_t count,
                             StoreGameCallback *callback, void *context);

// How many games an owner has.
int64_t store_count_saved(Store *store, const char *owner);

// ---- Runs of experiments ----

// Writes a run (JSON); deletes one with its texts.
void store_put_run(Store *store, int64_t id, const char *owner, const char *record);
void store_delete_run(Store *store, int64_t id);

// Calls back for each run, by id.
typedef void StoreRunCallback(void *context, int64_t id, const char *owner, const char *record);
void store_each_run(Store *store, StoreRunCallback *callback, void *context);

// Keeps a text of a run, and finds it (the caller frees it; NULL when there is none).
void store_put_run_text(Store *store, int64_t run, int number, const char *text);
char *store_get_run_text(Store *store, int64_t run, int number);

#endif
