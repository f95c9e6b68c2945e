// Requests for the engine's opinion: a hint, an analysis, the review of a game. They only hand
// tasks to the thinker; what it finds comes back in thought.c. Nobody gets help against another
// person.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fen.h"
#include "core/movegen.h"
#include "server/request_int.h"
#include "server/view.h"

enum {
    HINT_MS = 700,
    EARLY_PLIES = 8,
    ANALYSIS_MS = 120000,
    REVIEW_NODES = 100000,
    REVIEW_NODES_MIN = 10000,
    REVIEW_NODES_MAX = 2000000,
    REVIEW_MOVES_MAX = 1000,
};

// The moves of a line into the hub's scratch, from the last null move on; `start` gets where they
// begin.
static int line_moves(Request *r, int node, Position *start, Position *now)
{
    Game game;
    tree_game(&r->room->tree, node, &game, r->hub->steps);
    for (int i = 0; i < game.count; i++)
        r->hub->moves[i] = game.steps[i].move;
    *start = game.start;
    *now = game.now;
    return game.count;
}

// ---- Nobody gets help against a person ----

// The colours that this browser plays in a room, in whichever of its windows.
static unsigned own_rights(const Request *r, const Room *room)
{
    unsigned rights = 0;
    for (const Member *m = room->members; m; m = m->next_in_room)
        if (m->client == r->client || !strcmp(m->client->owner, r->client->owner))
            rights |= m->rights;
    return rights;
}

static bool is_same(const Position *a, const Position *b)
{
    return a->rules == b->rules && a->state.key == b->state.key;
}

// Is it this position, or one that comes by a move?
static bool is_near(const Position *live, const Position *pos)
{
    Move list[MAX_MOVES];
    Position next;
    if (is_same(live, pos))
        return true;
    int count = movegen_legal(live, STAGE_ALL, list);
    for (int i = 0; i < count; i++) {
        next = *live;
        tree_play(&next, list[i]);
        if (is_same(&next, pos))
            return true;
    }
    return false;
}

// Does a line end near the position of a game, or go through it? (Not at its very beginning, where
// all games are alike.)
static bool leads_to(const Position *live, bool is_early, const Position *start, const Move *moves,
                     int count)
{
    Position pos = *start;
    bool is_through = false;
    for (int i = 0; i < count; i++) {
        is_through = is_through || is_same(&pos, live);
        tree_play(&pos, moves[i]);
    }
    return (is_through && !is_early) || is_near(live, &pos);
}

bool request_may_help(Request *r, const Position *start, const Move *moves, int count)
{
    const Hub *hub = r->hub;
    GameStep *steps = malloc((TREE_DEPTH_MAX + 1) * sizeof *steps); // the hub's may be in use
    bool is_helped = false;
    for (int i = 0; steps && i < hub->room_buckets && !is_helped; i++)
        for (const Room *room = hub->rooms[i]; room && !is_helped; room = room->next_in_map) {
            unsigned rights = room_is_playing(room) ? own_rights(r, room) : 0;
            if (!rights || !room_has_other_human(room, rights) || !room->live)
                continue;
            Game game;
            tree_game(&room->tree, room->live, &game, steps);
            is_helped = leads_to(&game.now, game.count < EARLY_PLIES, start, moves, count);
        }
    free(steps);
    return !is_helped || request_refuse(r, "not-allowed", "no-help", "no help against people");
}

bool request_hint(Request *r)
{
    Room *room = r->room;
    Position start, now;
    if (room->is_analysis || !room_is_playing(room))
        return request_refuse(r, "not-allowed", "game-none", "no game is going on");
    if (room_has_other_human(room, r->member->rights))
        return request_refuse(r, "not-allowed", "no-help", "no help against people");
    if (!(r->member->rights & 1u << room_turn(room)) ||
        !seat_is_human(&room->seats[room_turn(room)]))
        return request_refuse(r, "not-your-turn", "not-your-turn", "it is the other side's turn");
    if (r->client->hint.task)
        return request_refuse(r, "too-fast", "hint-running", "a hint is already being looked for");
    TaskSpec spec = {.kind = TASK_HINT,
                     .count = line_moves(r, room->live, &start, &now),
                     .moves = r->hub->moves,
                     .start = &start,
                     .limits = search_limits_none(),
                     .client = r->client->id};
    memcpy(spec.address, r->client->address, sizeof spec.address);
    spec.limits.move_time_ms = HINT_MS;
    const json_t *id = json_object_get(r->json, "id");
    r->client->hint = (Hint){.task = thinker_submit(r->hub->thinker, &spec),
                             .has_request = json_is_integer(id),
                             .request = json_integer_value(id),
                             .root = now};
    r->is_late = r->client->hint.task;
    return r->is_late || request_fail(r, "internal", "out of memory");
}

// ---- analyse ----

// Passing must make sense: not in check, and the game must allow it.
static bool pass(Request *r, Position *pos)
{
    if (position_in_check(pos) || !pos->rules->can_null_move[pos->side])
        return request_refuse(r, "not-allowed", "no-threat", "there is no threat to look at here");
    tree_play(pos, MOVE_NONE);
    Error error;
    return position_is_sound(pos, &error) || request_pass(r, "not-allowed", &error);
}

// What is to be analysed: a node of a room, or a position given as FEN.
static bool read_subject(Request *r, Analysis *a, Position *start, int *count)
{
    const char *fen, *id;
    const Rules *rules = NULL;
    Error error;
    if (!request_maybe_text(r, "fen", &fen) || !request_maybe_text(r, "room", &id))
        return false;
    if (fen) {
        if (!request_rules(r, &rules))
            return false;
        if (!position_from_fen(start, rules, fen, &error))
            return request_pass(r, "bad-fen", &error);
        a->root = *start;
        a->fen = strdup(fen);
        return a->fen || request_fail(r, "internal", "out of memory");
    }
    r->room = id && secret_is_formed(id) ? hub_find_awake(r->hub, id) : NULL;
    r->member = r->room ? hub_member(r->client, r->room) : NULL;
    if (!r->member)
        return request_refuse(r, "unknown-room", "room-not-joined",
                              "you are not in this room: join it first");
    if (room_is_playing(r->room) && r->member->rights &&
        room_has_other_human(r->room, r->member->rights))
        return request_refuse(r, "not-allowed", "no-help", "no help against people");
    if (!request_node(r, &a->node))
        return false;
    memcpy(a->room, r->room->id, sizeof a->room);
    *count = line_moves(r, a->node, start, &a->root);
    return true;
}

// How the request wants it: lines, threads, memory, and by whom.
static bool read_wishes(Request *r, TaskSpec *spec)
{
    int64_t lines = 1, threads = 0, hash = 0;
    const char *engine;
    const Rules *rules = spec->start->rules;
    if (!request_maybe_int(r, "lines", 1, LINES_MAX, &lines) ||
        !request_maybe_int(r, "threads", 1, request_threads_max(r), &threads) ||
        !request_maybe_int(r, "hash", 1, request_hash_max(r), &hash) ||
        !request_maybe_text(r, "engine", &engine))
        return false;
    spec->lines = (int)lines;
    spec->threads = (int)threads;
    spec->hash_mb = (int)hash;
    if (!engine || !*engine)
        return true;
    if (!request_is_analyst(r, engine) || !player_list_plays(r->hub->config.players, engine, rules))
        return request_refuse(r, "unavailable", "analyst-unknown",
                              "{engine:%.60s} cannot analyse this game", engine);
    snprintf(spec->player, sizeof spec->player, "%s", engine);
    return true;
}

// Hands the task to the thinker; a threat is looked for after a pass.
static bool begin_analysis(Request *r, Analysis *a, const Position *start, int count)
{
    TaskSpec spec = {.kind = TASK_ANALYSIS,
                     .start = a->is_threat ? &a->root : start,
                     .moves = r->hub->moves,
                     .count = a->is_threat ? 0 : count,
                     .limits = search_limits_none(),
                     .client = r->client->id};
    if (!read_wishes(r, &spec))
        return false;
    memcpy(spec.address, r->client->address, sizeof spec.address);
    spec.limits.move_time_ms = ANALYSIS_MS;
    if (a->is_threat && !pass(r, &a->root))
        return false;
    if (!movegen_any(&a->root))
        return request_refuse(r, "not-allowed", "no-moves", "there is no move in this position");
    a->task = thinker_submit(r->hub->thinker, &spec);
    return a->task || request_fail(r, "internal", "out of memory");
}

bool request_analyse(Request *r)
{
    Analysis a = {0};
    Position start;
    int count = 0;
    bool stop = false;
    if (!request_maybe_bool(r, "stop", &stop) || !request_maybe_bool(r, "threat", &a.is_threat))
        return false;
    hub_stop_analysis(r->client);
    if (stop)
        return true;
    bool ok = read_subject(r, &a, &start, &count) &&
              request_may_help(r, &start, r->hub->moves, count) &&
              begin_analysis(r, &a, &start, count);
    if (ok)
        r->client->analysis = a;
    else
        free(a.fen);
    return ok;
}

// ---- review ----

bool request_review(Request *r)
{
    Room *room = r->room;
    bool stop = false;
    int64_t nodes = REVIEW_NODES;
    if (!request_maybe_bool(r, "stop", &stop) ||
        !request_maybe_int(r, "nodes", REVIEW_NODES_MIN, REVIEW_NODES_MAX, &nodes))
        return false;
    if (stop) {
        thinker_cancel(r->hub->thinker, room->review_task);
        room->review_task = 0;
        return true;
    }
    if (!room->is_over && !room->is_analysis)
        return request_refuse(r, "not-allowed", "game-goes-on", "the game is still going on");
    if (room->review_task)
        return true;
    room->review_node = room->is_analysis ? tree_end(&room->tree, 0) : room->live;
    int count = tree_moves(&room->tree, room->review_node, r->hub->moves, TREE_DEPTH_MAX);
    if (count > REVIEW_MOVES_MAX)
        return request_refuse(r, "limit", "review-long", "only games of up to {most:%d} half-moves",
                              REVIEW_MOVES_MAX);
    for (int i = 0; i < count; i++)
        if (r->hub->moves[i] == MOVE_NONE)
            return request_refuse(r, "not-allowed", "null-move", "the line has a null move");
    TaskSpec spec = {.kind = TASK_REVIEW,
                     .start = &room->tree.start,
                     .moves = r->hub->moves,
                     .count = count,
                     .limits = search_limits_none(),
                     .client = r->client->id};
    memcpy(spec.address, r->client->address, sizeof spec.address);
    spec.limits.nodes = (uint64_t)nodes;
    memcpy(spec.room, room->id, sizeof spec.room);
    room->review_task = thinker_submit(r->hub->thinker, &spec);
    return room->review_task || request_fail(r, "internal", "out of memory");
}
