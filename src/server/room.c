// See room.h: a room's life, what changed in it since it was last told, who sits where, and its
// clocks. No rules of play (play.c), no messages (room_view.c), no disk (room_file.c).
#include "server/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "base/utf8.h"
#include "engine/level.h"
#include "engine/score.h"

// An id and three keys that nobody can guess; false without random bytes.
static bool make_keys(Room *room)
{
    bool ok = secret_new(room->id);
    for (int i = 0; ok && i < KEY_COUNT; i++)
        ok = secret_new(room->keys[i]);
    return ok;
}

Room *room_new(const Position *start)
{
    Room *room = calloc(1, sizeof *room);
    if (!room)
        return NULL;
    if (!tree_init(&room->tree, start) || !make_keys(room)) {
        room_free(room);
        return NULL;
    }
    room->draw_by = room->takeback_by = room->rematch_by = -1;
    room->own[WHITE] = room->own[BLACK] = player_game_new(0);
    room->timer = -1;
    room->created_s = (int64_t)time(NULL);
    return room;
}

void room_free(Room *room)
{
    tree_release(&room->tree);
    free(room->old);
    free(room->review);
    json_decref(room->tags);
    free(room->changed);
    free(room->removed);
    free(room);
}

void room_touch(Room *room, unsigned fields)
{
    room->dirty |= fields;
}

// Appends to a list of ids; false when there is no memory.
static bool push(int **list, int *count, int *capacity, int id)
{
    if (*count == *capacity) {
        int larger = *capacity ? *capacity * 2 : 8;
        int *ids = realloc(*list, (size_t)larger * sizeof *ids);
        if (!ids)
            return false;
        *list = ids;
        *capacity = larger;
    }
    (*list)[(*count)++] = id;
    return true;
}

void room_touch_node(Room *room, int id)
{
    for (int i = 0; i < room->changed_count && i < 64; i++)
        if (room->changed[i] == id)
            return;
    if (!push(&room->changed, &room->changed_count, &room->changed_capacity, id))
        room->is_bad = true;
    room->dirty |= FIELD_POSITION;
}

void room_remove_nodes(Room *room, const int *ids, int count)
{
    for (int i = 0; i < count; i++) {
        if (!push(&room->removed, &room->removed_count, &room->removed_capacity, ids[i]))
            room->is_bad = true;
        for (int j = 0; j < room->changed_count; j++)
            if (room->changed[j] == ids[i])
                room->changed[j--] = room->changed[--room->changed_count];
    }
    room->dirty |= FIELD_POSITION;
}

void room_set_tree(Room *room, Tree *tree)
{
    tree_release(&room->tree);
    room->tree = *tree;
    room->changed_count = room->removed_count = 0;
    room->has_new_tree = true;
    room->dirty |= FIELD_ALL & ~(unsigned)FIELD_YOU;
}

Color room_turn(const Room *room)
{
    return room->tree.start.side ^ (tree_depth(&room->tree, room->live) & 1);
}

bool seat_is_human(const Seat *seat)
{
    return seat->kind == SEAT_HUMAN;
}

bool room_is_machine(const Room *room)
{
    return !seat_is_human(&room->seats[WHITE]) && !seat_is_human(&room->seats[BLACK]);
}

bool room_is_attended(const Room *room)
{
    return room->members || room_is_machine(room);
}

bool room_is_playing(const Room *room)
{
    return !room->is_over && !room->is_paused && !room->is_analysis;
}

bool room_is_waiting(const Room *room)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        const Seat *seat = &room->seats[c];
        if (seat_is_human(seat) && seat->is_remote && !seat->has_come)
            return true;
    }
    return false;
}

bool room_has_other_human(const Room *room, unsigned rights)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        const Seat *seat = &room->seats[c];
        if (seat_is_human(seat) && !(rights & 1u << c) && (!seat->is_remote || seat->has_come))
            return true;
    }
    return false;
}

int level_of_text(const char *text)
{
    long long level;
    return !strncmp(text, "level=", 6) && str_to_int(text + 6, 1, LEVEL_COUNT, &level) ? (int)level
                                                                                       : 0;
}

void seat_title(const Seat *seat, char *text, size_t size)
{
    int level = seat_is_human(seat) ? 0 : level_of_text(seat->name);
    const char *name = *seat->name ? seat->name : "?";
    if (level)
        snprintf(text, size, "Lovac, level %d (%s)", level, LEVELS[level - 1].name);
    else
        snprintf(text, size, "%.*s", (int)utf8_fit(name, size), name);
}

// ---- Clocks ----

int64_t room_left_ms(const Room *room, Color c, int64_t now_ms)
{
    int64_t left = room->clock.left_ms[c];
    if (room->clock.since_ms && c == room_turn(room))
        left -= now_ms - room->clock.since_ms;
    return left > 0 ? left : 0;
}

void room_start_clock(Room *room, int64_t now_ms)
{
    RoomClock *clock = &room->clock;
    if (clock->kind == CLOCK_NONE || clock->since_ms || !room_is_playing(room) ||
        room_is_waiting(room) || tree_depth(&room->tree, room->live) < 2)
        return;
    clock->since_ms = now_ms;
    room_touch(room, FIELD_CLOCK);
}

void room_stop_clock(Room *room, int64_t now_ms)
{
    RoomClock *clock = &room->clock;
    if (!clock->since_ms)
        return;
    Color c = room_turn(room);
    clock->left_ms[c] = room_left_ms(room, c, now_ms);
    clock->since_ms = 0;
    room_touch(room, FIELD_CLOCK);
}

// Exchanges two times.
static void exchange(int64_t times[2])
{
    int64_t first = times[WHITE];
    times[WHITE] = times[BLACK];
    times[BLACK] = first;
}

void room_swap_clock(Room *room)
{
    exchange(room->clock.time_ms);
    exchange(room->clock.increment_ms);
    room_touch(room, FIELD_CLOCK);
}

void room_reset_clock(Room *room)
{
    room->clock.since_ms = 0;
    memcpy(room->clock.left_ms, room->clock.time_ms, sizeof room->clock.left_ms);
    room_touch(room, FIELD_CLOCK);
}

// The earlier of two moments, where 0 is never.
static int64_t earlier(int64_t a, int64_t b)
{
    return !a ? b : !b || a < b ? a : b;
}

int64_t room_due_ms(const Room *room)
{
    int64_t due = room->pending != MOVE_NONE ? room->pending_ms : 0;
    due = earlier(due, room->next_game_ms);
    if (room->clock.since_ms)
        due = earlier(due, room->clock.since_ms + room->clock.left_ms[room_turn(room)]);
    return due;
}
