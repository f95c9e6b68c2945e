// See play.h.
#include "server/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "core/movegen.h"
#include "engine/level.h"
#include "server/pgn_tree.h"
#include "server/view.h"

enum {
    NEXT_GAME_MS = 2000,
    FAILURES_MAX = 2,
    CLOCK_MARGIN_MS = 40, // kept from an engine for what happens beside its thinking
    PAUSE_MAX_MS = 2500,  // a person waits no longer for a move that has been found
    LEVEL_COST_MS = 60,   // about what a move of a level below the highest takes
    NODES_PER_MS = 200,   // about what every machine does
};

static void live_game(const Hub *hub, const Room *room, Game *game)
{
    tree_game(&room->tree, room->live, game, hub->steps);
}

Outcome play_outcome(const Hub *hub, const Room *room, Reason *claim)
{
    Game game;
    live_game(hub, room, &game);
    return view_game_outcome(&game, room_is_machine(room), claim);
}

static void clear_offers(Room *room)
{
    if (room->draw_by >= 0 || room->takeback_by >= 0 || room->rematch_by >= 0)
        room_touch(room, FIELD_OFFERS);
    room->draw_by = room->takeback_by = room->rematch_by = -1;
}

// What an engine was to do here is no longer wanted.
static void cancel_engine(Hub *hub, Room *room)
{
    thinker_cancel(hub->thinker, room->move_task);
    room->move_task = 0;
    room->pending = MOVE_NONE;
    room->failures = 0;
}

void play_end(Hub *hub, Room *room, Result result, const char *reason)
{
    room_stop_clock(room, clock_ms());
    cancel_engine(hub, room);
    clear_offers(room);
    room->is_over = true;
    room->is_paused = false;
    room->result = result;
    snprintf(room->reason, sizeof room->reason, "%s", reason);
    room_touch(room, FIELD_RESULT | FIELD_STATE);
    if (room->series_games > room->old_count + 1 && strcmp(reason, "aborted"))
        room->next_game_ms = clock_ms() + NEXT_GAME_MS;
    hub_mark(hub, room);
}

void play_declare(Hub *hub, Room *room, Reason reason, Color loser)
{
    Game game;
    live_game(hub, room, &game);
    game_declare(&game, reason, loser);
    play_end(hub, room, game.declared.result, reason_code(game.declared.reason));
}

// The game is open again after a move was taken back; what was said of the finished one is void.
static void reopen(Hub *hub, Room *room)
{
    thinker_cancel(hub->thinker, room->review_task);
    room->review_task = 0;
    if (room->review)
        room_touch(room, FIELD_REVIEW);
    free(room->review);
    room->review = NULL;
    if (room->is_over)
        room_touch(room, FIELD_RESULT | FIELD_STATE);
    room->is_over = false;
    room->result = RESULT_NONE;
    room->reason[0] = 0;
    room->next_game_ms = 0;
}

// A new position stands on the board.
static void arrive(Hub *hub, Room *room, int64_t now)
{
    Reason claim;
    room->turn_ms = now;
    Color turn = room_turn(room);
    if (room->clock.kind == CLOCK_MOVE)
        room->clock.left_ms[turn] = room->clock.time_ms[turn];
    Outcome outcome = play_outcome(hub, room, &claim);
    if (outcome.result != RESULT_NONE) {
        play_end(hub, room, outcome.result, reason_code(outcome.reason));
        return;
    }
    const Seat *seat = &room->seats[turn];
    if (claim != REASON_NONE && !seat_is_human(seat) && player_claims_draw(&room->own[turn]))
        play_end(hub, room, RESULT_DRAW, reason_code(claim));
    else
        play_continue(hub, room);
}

int play_move(Hub *hub, Room *room, Move move, Error *error)
{
    int64_t now = clock_ms();
    Color mover = room_turn(room);
    int id = tree_find(&room->tree, room->live, move), parent = room->live;
    bool is_new = id == NODE_NONE;
    if (is_new)
        id = tree_add(&room->tree, parent, move, true, error);
    if (id == NODE_NONE)
        return NODE_NONE;
    room_stop_clock(room, now);
    if (room->clock.kind == CLOCK_GAME && tree_depth(&room->tree, id) > 2)
        room->clock.left_ms[mover] += room->clock.increment_ms[mover];
    if (room->clock.kind != CLOCK_NONE) {
        int64_t left = room->clock.left_ms[mover];
        room->tree.nodes[id].clock_ms = left < INT32_MAX ? (int32_t)left : INT32_MAX;
        room_touch(room, FIELD_CLOCK);
    }
    tree_put_first(&room->tree, id);
    cancel_engine(hub, room);
    room->live = room->touched = id;
    room_touch_node(room, parent);
    room_touch_node(room, id);
    // A move answers the other side's offer with no; an own draw offer stands until the answer.
    if (room->draw_by == !mover || room->takeback_by >= 0) {
        room->draw_by = room->draw_by == !mover ? -1 : room->draw_by;
        room->takeback_by = -1;
        room_touch(room, FIELD_OFFERS);
    }
    arrive(hub, room, now);
    hub_mark(hub, room);
    return id;
}

void play_take_back(Hub *hub, Room *room, int plies)
{
    int target = room->live, last = room->live;
    room_stop_clock(room, clock_ms());
    cancel_engine(hub, room);
    for (; plies > 0 && target > 0; plies--) {
        last = target;
        target = room->tree.nodes[target].parent;
    }
    if (target != room->live) {
        int *removed = malloc((size_t)room->tree.alive * sizeof *removed);
        if (!removed) {
            room->is_bad = true;
            return;
        }
        int count = tree_cut(&room->tree, last, removed);
        room_remove_nodes(room, removed, count);
        free(removed);
    }
    room->live = room->touched = target;
    room_touch_node(room, target);
    reopen(hub, room);
    clear_offers(room);
    arrive(hub, room, clock_ms());
    hub_mark(hub, room);
}

void play_go_to(Hub *hub, Room *room, int node)
{
    room_stop_clock(room, clock_ms());
    cancel_engine(hub, room);
    room->live = room->touched = node;
    reopen(hub, room);
    clear_offers(room);
    room_touch(room, FIELD_POSITION);
    arrive(hub, room, clock_ms());
    hub_mark(hub, room);
}

void play_pause(Hub *hub, Room *room)
{
    room_stop_clock(room, clock_ms());
    cancel_engine(hub, room);
    room->is_paused = true;
    room_touch(room, FIELD_STATE | FIELD_CLOCK);
    hub_mark(hub, room);
}

void play_park(Hub *hub, Room *room)
{
    room_stop_clock(room, clock_ms());
    cancel_engine(hub, room);
    room_touch(room, FIELD_CLOCK);
    hub_mark(hub, room);
}

void play_resume(Hub *hub, Room *room)
{
    room->is_paused = false;
    room->turn_ms = clock_ms();
    room_touch(room, FIELD_STATE | FIELD_CLOCK);
    play_continue(hub, room);
    hub_mark(hub, room);
}

// ---- Players ----

void play_seats_changed(Hub *hub, Room *room)
{
    cancel_engine(hub, room);
    clear_offers(room);
    room->own[WHITE] = room->own[BLACK] = player_game_new(0);
    room->turn_ms = clock_ms();
    room_touch(room, FIELD_SEATS | FIELD_STATE);
    hub_mark(hub, room);
}

void play_swap(Hub *hub, Room *room)
{
    Seat seat = room->seats[WHITE];
    char key[SECRET_SIZE];
    room->seats[WHITE] = room->seats[BLACK];
    room->seats[BLACK] = seat;
    memcpy(key, room->keys[KEY_WHITE], sizeof key);
    memcpy(room->keys[KEY_WHITE], room->keys[KEY_BLACK], sizeof key);
    memcpy(room->keys[KEY_BLACK], key, sizeof key);
    for (Member *m = room->members; m; m = m->next_in_room)
        m->rights = (m->rights & 1) << 1 | m->rights >> 1;
    room->is_swapped = !room->is_swapped;
    room_touch(room, FIELD_YOU | FIELD_MATCH);
    play_seats_changed(hub, room);
}

bool play_accepts_draw(const Hub *hub, const Room *room, Color c)
{
    Game game;
    live_game(hub, room, &game);
    return player_accepts_draw(&room->own[c], game.now.ply);
}

// Keeps a finished game among the earlier ones of the room.
static bool put_aside(Hub *hub, Room *room, Error *error)
{
    if (room->old_count >= OLD_GAMES_MAX)
        return error_code(error, "games-many", "a room has at most {most:%d} games", OLD_GAMES_MAX);
    OldGame *old = realloc(room->old, (size_t)(room->old_count + 1) * sizeof *old);
    char *pgn = pgn_tree_write(room, error);
    if (old)
        room->old = old;
    if (!old || !pgn) {
        free(pgn);
        return error_set(error, "out of memory");
    }
    OldGame *g = &old[room->old_count];
    *g = (OldGame){.result = room->result,
                   .plies = tree_depth(&room->tree, room->live),
                   .is_swapped = room->is_swapped};
    seat_title(&room->seats[WHITE], g->white, sizeof g->white);
    seat_title(&room->seats[BLACK], g->black, sizeof g->black);
    snprintf(g->reason, sizeof g->reason, "%s", room->reason);
    StoredGame row = {.white = g->white,
                      .black = g->black,
                      .result = result_text(g->result),
                      .reason = g->reason,
                      .plies = g->plies,
                      .is_swapped = g->is_swapped,
                      .pgn = pgn};
    store_put_old_game(hub->store, room->id, room->old_count, &row);
    room->old_count++;
    free(pgn);
    return true;
}

// The start of the next game: the same, or a new shuffle where the last one was random. In a series
// that alternates colours both sides get each start.
static void next_start(Room *room, Position *start)
{
    uint64_t number;
    *start = room->tree.start;
    bool is_second = room->series_games && room->series_alternates && room->old_count % 2 == 0;
    if (!room->has_random_start || is_second ||
        getrandom(&number, sizeof number, 0) != (long)sizeof number)
        return;
    uint64_t count = rules_start_count(start->rules);
    number = count ? number % count : number;
    if (position_start(start, room->tree.start.rules, number, NULL))
        snprintf(room->start, sizeof room->start, "%llu", (unsigned long long)number);
}

bool play_next_game(Hub *hub, Room *room, bool swap, Error *error)
{
    Tree tree;
    Position start;
    next_start(room, &start);
    if (!tree_init(&tree, &start))
        return error_set(error, "out of memory");
    if (!put_aside(hub, room, error)) {
        tree_release(&tree);
        return false;
    }
    room_set_tree(room, &tree);
    room->live = room->touched = 0;
    reopen(hub, room);
    clear_offers(room);
    room->is_paused = false;
    room->own[WHITE] = room->own[BLACK] = player_game_new(0);
    if (swap) {
        play_swap(hub, room);
        room_swap_clock(room);
    }
    room_reset_clock(room);
    room->turn_ms = clock_ms();
    hub_mark(hub, room);
    return true;
}

// ---- Engines ----

// Tells games apart, for players and for what is random in them.
static uint64_t game_number(const Room *room)
{
    return checksum_fnv(CHECKSUM_FNV_START + (uint64_t)room->old_count, room->id, strlen(room->id));
}

static SearchLimits engine_limits(const Room *room, const Seat *seat)
{
    SearchLimits limits = search_limits_none();
    int64_t now = clock_ms();
    if (room->clock.kind == CLOCK_GAME) {
        for (Color c = WHITE; c <= BLACK; c++) {
            int64_t left = room_left_ms(room, c, now) - CLOCK_MARGIN_MS;
            limits.time_ms[c] = left > 10 ? left : 10;
            limits.increment_ms[c] = room->clock.increment_ms[c];
        }
    } else {
        int64_t most = seat->move_ms;
        int64_t allowed = room->clock.time_ms[room_turn(room)] * 9 / 10;
        if (room->clock.kind == CLOCK_MOVE && allowed < most)
            most = allowed;
        limits.move_time_ms = most;
    }
    return limits;
}

// About how long a player will think, as far as its text tells; 0: nobody knows.
static int64_t cost_ms(const Seat *seat, const SearchLimits *limits)
{
    int level = level_of_text(seat->name);
    const char *nodes = strstr(seat->name, "nodes=");
    if (level && level < LEVEL_COUNT)
        return LEVEL_COST_MS;
    if (nodes)
        return atoll(nodes + 6) / NODES_PER_MS + 1;
    return limits->move_time_ms > 0 ? limits->move_time_ms : 0;
}

// Asks the thinker for the move of the engine that has the turn.
static void ask_engine(Hub *hub, Room *room, const Seat *seat)
{
    TaskSpec spec = {.kind = TASK_MOVE,
                     .start = &room->tree.start,
                     .moves = hub->moves,
                     .own = room->own[room_turn(room)],
                     .left_ms = room->clock.kind == CLOCK_NONE
                                    ? -1
                                    : room_left_ms(room, room_turn(room), clock_ms()),
                     .limits = engine_limits(room, seat)};
    Game game;
    if (!player_list_allows(hub->config.players, seat->name, NULL)) { // no longer in the list
        play_end(hub, room, RESULT_NONE, "engine-failed");
        return;
    }
    // A line with a null move in it begins behind it.
    live_game(hub, room, &game);
    for (int i = 0; i < game.count; i++)
        hub->moves[i] = game.steps[i].move;
    spec.start = &game.start;
    spec.own.seed = spec.own.memory.seed = game_number(room);
    spec.no_book = room->no_book;
    spec.cost_ms = cost_ms(seat, &spec.limits);
    spec.client = room->client;
    memcpy(spec.address, room->address, sizeof spec.address);
    memcpy(spec.room, room->id, sizeof spec.room);
    memcpy(spec.player, seat->name, sizeof spec.player);
    spec.count = game.count;
    room->move_task = thinker_submit(hub->thinker, &spec);
    if (!room->move_task)
        room->is_bad = true;
}

void play_continue(Hub *hub, Room *room)
{
    if (!room_is_playing(room))
        return;
    const Seat *seat = &room->seats[room_turn(room)];
    if (seat_is_human(seat))
        room_start_clock(room, clock_ms());
    else if (!room->move_task && room->pending == MOVE_NONE && !room_is_waiting(room) &&
             room_is_attended(room))
        ask_engine(hub, room, seat);
}

void play_wake(Hub *hub, Room *room)
{
    room->turn_ms = clock_ms();
    if (room->is_over && room->series_games > room->old_count + 1 &&
        strcmp(room->reason, "aborted"))
        room->next_game_ms = clock_ms() + NEXT_GAME_MS;
    play_continue(hub, room);
}

static void engine_moved(Hub *hub, Room *room, const Report *report)
{
    Game game;
    int64_t now = clock_ms();
    live_game(hub, room, &game);
    room->own[game.now.side] = report->own;
    if (report->has_resigned) {
        play_declare(hub, room, REASON_RESIGNATION, game.now.side);
        return;
    }
    if (!move_is_pseudo_legal(&game.now, report->move) || !move_is_legal(&game.now, report->move)) {
        play_declare(hub, room, REASON_ILLEGAL_MOVE, room_turn(room));
        return;
    }
    room->failures = 0;
    room->pending = report->move;
    // People should be able to follow, but not wait.
    int64_t pause_ms = report->pause_ms < PAUSE_MAX_MS ? report->pause_ms : PAUSE_MAX_MS;
    room->pending_ms = room->turn_ms + (room_is_machine(room) ? room->speed_ms : pause_ms);
    if (room->pending_ms <= now)
        play_due(hub, room, now);
}

static void engine_failed(Hub *hub, Room *room, const Report *report)
{
    log_write(hub->config.log, LOG_WARNING, "engine failed: %s", report->error.text);
    if (++room->failures < FAILURES_MAX)
        return; // play_continue asks again
    Color loser = room_turn(room);
    play_end(hub, room, loser == WHITE ? RESULT_BLACK : RESULT_WHITE, "engine-failed");
}

void play_report(Hub *hub, Room *room, const Report *report)
{
    switch (report->kind) {
    case REPORT_STARTED: room_start_clock(room, clock_ms()); break;
    case REPORT_WAITING: room_stop_clock(room, clock_ms()); break;
    case REPORT_DONE:
        room->move_task = 0;
        engine_moved(hub, room, report);
        break;
    case REPORT_FAILED:
        room->move_task = 0;
        engine_failed(hub, room, report);
        break;
    default: break;
    }
    hub_mark(hub, room);
}

void play_due(Hub *hub, Room *room, int64_t now)
{
    Error error;
    Color turn = room_turn(room);
    if (room->next_game_ms && room->next_game_ms <= now) {
        room->next_game_ms = 0;
        if (room->is_over && !play_next_game(hub, room, room->series_alternates, &error))
            log_write(hub->config.log, LOG_WARNING, "series: %s", error.text);
        return;
    }
    if (!room_is_playing(room))
        return;
    if (room->clock.since_ms && room_left_ms(room, turn, now) <= 0) {
        play_declare(hub, room, REASON_TIME, turn);
        return;
    }
    if (room->pending != MOVE_NONE && room->pending_ms <= now) {
        Move move = room->pending;
        room->pending = MOVE_NONE;
        if (play_move(hub, room, move, &error) == NODE_NONE)
            play_end(hub, room, RESULT_NONE, "abandoned");
    }
}
