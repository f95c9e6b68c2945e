// Requests about rooms as such: greeting, making, entering, leaving and listing them. Most of it is
// `create`: players, clock, start position or game are read and checked one by one, and the room is
// made when all is well. Start at request_create.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/thread.h"
#include "core/fen.h"
#include "engine/level.h"
#include "server/network.h"
#include "server/pgn_tree.h"
#include "server/play.h"
#include "server/request_int.h"
#include "server/room_file.h"
#include "server/room_view.h"
#include "server/view.h"

enum {
    PROTOCOL = 1,
    GUESS_COST = 100, // requests that a wrong password takes
    NAME_LETTERS = 60,
    KEYS_MAX = 200,
    SERIES_MAX = 500,
    SPEED_MAX_MS = 10000,
    MOVE_MS_MIN = 100,
    MOVE_MS_MAX = 60000,
    MOVE_MS_USUAL = 1000,
    SPEED_USUAL_MS = 500,
    NODES_MIN = 10, // of a player that is the engine itself
    NODES_USUAL = 2000,
    CLOCK_MAX_MS = 24 * 3600 * 1000,
};

// ---- hello, ping ----

// The names of some squares.
static json_t *list_squares(Bitboard squares)
{
    json_t *list = json_array();
    for (Square s = 0; s < 64; s++) {
        char name[3];
        square_name(s, name);
        if (squares >> s & 1)
            json_array_append_new(list, json_string(name));
    }
    return list;
}

// How pawns go in a game, or null where there are none.
static json_t *list_pawns(const Rules *v)
{
    json_t *list = json_array();
    for (Color c = WHITE; c <= BLACK; c++)
        json_array_append_new(list,
                              json_pack("{s:i, s:[i,i], s:o, s:o}", "step", v->pawn_step[c],
                                        "captures", v->pawn_capture[c][0], v->pawn_capture[c][1],
                                        "double", list_squares(v->pawn_double_from[c]), "promotion",
                                        list_squares(v->promotion_zone[c])));
    if (strpbrk(v->start_fen, "Pp"))
        return list;
    json_decref(list);
    return json_null();
}

// The games, as the page needs them to offer and explain them.
static json_t *list_variants(const Knowledge *knowledge)
{
    json_t *list = json_array();
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const Rules *v = &VARIANTS[i];
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s, s:I, s:b, s:[b,b], s:o, s:i}", "name", v->name,
                            "title", v->title, "summary", v->summary, "fen", v->start_fen, "starts",
                            (json_int_t)rules_start_count(v), "castling", v->has_castling, "kings",
                            v->has_king[WHITE], v->has_king[BLACK], "pawns", list_pawns(v),
                            "table_men", knowledge_men(knowledge, v)));
    }
    return list;
}

// The levels of Lovac.
static json_t *list_levels(void)
{
    json_t *list = json_array();
    for (int i = 0; i < LEVEL_COUNT; i++)
        json_array_append_new(list, json_pack("{s:i, s:s, s:i}", "level", i + 1, "name",
                                              LEVELS[i].name, "elo", LEVELS[i].elo));
    return list;
}

// The levels that are called easy, medium and hard.
static json_t *list_difficulties(void)
{
    static const char *const NAMES[] = {"easy", "medium", "hard"};
    json_t *list = json_array();
    for (int n = 0; n < 3; n++)
        for (int i = 0; i < LEVEL_COUNT; i++)
            if (!strcmp(LEVELS[i].name, NAMES[n]))
                json_array_append_new(list,
                                      json_pack("{s:s, s:i}", "name", NAMES[n], "level", i + 1));
    return list;
}

// What else can be said behind a player's name: how deep at most, and other words.
static void describe_row(json_t *row, const PlayerKind *kind)
{
    int depth = kind ? kind->guest_depth : GUEST_DEPTH_MAX;
    if (depth)
        json_object_set_new(row, "depth", json_integer(depth));
    if (kind)
        json_object_set_new(row, "help", json_string(kind->help));
    if (kind && kind->check)
        json_object_set_new(row, "words", json_true());
}

int request_threads_max(const Request *r)
{
    return r->hub->config.is_local ? thread_cpu_count() : 1;
}

int request_hash_max(const Request *r)
{
    return r->hub->config.is_local ? ANALYSIS_HASH_MAX : ANALYSIS_HASH_STRANGER;
}

// Those of the owner's file that speak UCI show lines; the others only move.
static bool is_analyst(const PlayerList *players, const char *name)
{
    Error error;
    PlayerSpec *spec = malloc(sizeof *spec);
    bool is_one = spec && player_list_find(players, name, NULL, spec, &error) && spec->kind &&
                  !strcmp(spec->kind->name, "uci");
    free(spec);
    return is_one;
}

bool request_is_analyst(const Request *r, const char *name)
{
    const PlayerList *players = r->hub->config.players;
    const char *listed;
    for (int i = 0; players && (listed = player_list_name(players, i)); i++)
        if (!strcmp(listed, name))
            return is_analyst(players, name);
    return false;
}

// The players that can be chosen by name, with the games they play.
static json_t *list_players(const PlayerList *players)
{
    json_t *list = json_array();
    const char *name;
    for (int i = 0; (name = player_list_name(players, i)); i++) {
        json_t *variants = json_array();
        for (int v = 0; v < VARIANT_COUNT; v++)
            if (player_list_plays(players, name, &VARIANTS[v]))
                json_array_append_new(variants, json_string(VARIANTS[v].name));
        json_t *row = json_pack("{s:s, s:o}", "name", name, "variants", variants);
        describe_row(row, player_list_kind(players, i));
        if (is_analyst(players, name))
            json_object_set_new(row, "analyst", json_true());
        json_array_append_new(list, row);
    }
    return list;
}

// Where somebody on another machine would find this server; told to this machine's people alone.
static json_t *list_addresses(const Request *r)
{
    char addresses[NETWORK_ADDRESSES_MAX][NETWORK_ADDRESS_SIZE];
    json_t *list = json_array();
    bool is_ours = r->hub->config.host && !strncmp(r->client->address, "127.", 4);
    int count = is_ours ? network_addresses(r->hub->config.host, addresses) : 0;
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_string(addresses[i]));
    return list;
}

// Whoever has the key of a room is invited.
static bool is_invited(Request *r, const char *key)
{
    char room[SECRET_SIZE];
    return key && secret_is_formed(key) && store_find_key(r->hub->store, key, room);
}

// Does this browser know the password, or has it an invitation? Guesses are dear.
static bool may_enter(Request *r)
{
    const char *password, *invitation, *wanted = r->hub->config.password;
    if (!request_maybe_text(r, "password", &password) ||
        !request_maybe_text(r, "invitation", &invitation))
        return false;
    if (!wanted || is_invited(r, invitation) || (password && secret_equals(password, wanted)))
        return true;
    if (password)
        r->client->visitor->requests -= GUESS_COST;
    return password ? request_refuse(r, "no-right", "password-wrong", "this is not the password")
                    : request_refuse(r, "no-right", "password-needed",
                                     "this server asks for a password");
}

bool request_hello(Request *r)
{
    const char *owner;
    int64_t protocol = PROTOCOL;
    if (!request_maybe_text(r, "owner", &owner) ||
        !request_maybe_int(r, "protocol", 1, 1000, &protocol))
        return false;
    if (protocol != PROTOCOL)
        return request_fail(r, "bad-request", "this server speaks protocol %d", PROTOCOL);
    if (!r->client->has_greeted && !may_enter(r))
        return false;
    if (owner && secret_is_formed(owner))
        memcpy(r->client->owner, owner, SECRET_SIZE);
    else if (!secret_new(r->client->owner))
        return request_fail(r, "internal", "no random bytes");
    r->client->has_greeted = true;
    answer_int(r, "protocol", PROTOCOL);
    answer_text(r, "version", r->hub->config.version);
    answer_text(r, "owner", r->client->owner);
    answer_text(r, "library", r->hub->config.is_local ? "common" : "private");
    answer_json(r, "variants", list_variants(&r->hub->config.knowledge));
    answer_json(r, "book", json_boolean(r->hub->config.knowledge.book));
    answer_json(r, "levels", list_levels());
    answer_json(r, "difficulties", list_difficulties());
    answer_json(r, "engines", list_players(r->hub->config.players));
    answer_json(r, "addresses", list_addresses(r));
    answer_json(r, "limits",
                json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "message_bytes",
                          MESSAGE_MAX, "lines", LINES_MAX, "nodes", TREE_NODES_MAX, "name",
                          NAME_LETTERS, "comment", COMMENT_MAX, "keys", KEYS_MAX, "analyses", 1,
                          "threads", request_threads_max(r), "hash", request_hash_max(r)));
    return true;
}

bool request_ping(Request *r)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    answer_int(r, "time", (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    return true;
}

// ---- Seats, clocks, positions ----

// A whole number of a PLAYER, which stays as it is when it is missing.
static bool read_whole(Request *r, const char *where, const json_t *o, const char *key, int64_t low,
                       int64_t high, int64_t *value)
{
    const json_t *json = json_object_get(o, key);
    if (json)
        *value = json_integer_value(json);
    return (!json || json_is_integer(json)) && *value >= low && *value <= high
               ? true
               : request_fail(r, "bad-request", "%s.%s must be from %lld to %lld", where, key,
                              (long long)low, (long long)high);
}

// The engine with a number of nodes.
static bool read_search(Request *r, const char *where, const json_t *o, char text[NAME_SIZE])
{
    const char *evaluation = json_string_value(json_object_get(o, "evaluation"));
    int64_t nodes = NODES_USUAL;
    if (evaluation && strcmp(evaluation, "hand") && strcmp(evaluation, "network"))
        return request_fail(r, "bad-request", "evaluation must be network or hand");
    if (!read_whole(r, where, o, "nodes", NODES_MIN, GUEST_NODES_MAX, &nodes))
        return false;
    bool by_hand = evaluation && *evaluation == 'h';
    snprintf(text, NAME_SIZE, "lovac nodes=%lld%s", (long long)nodes, by_hand ? " net=none" : "");
    return true;
}

bool request_player(Request *r, const char *where, const json_t *o, const Rules *rules,
                    char text[NAME_SIZE])
{
    const char *kind = json_string_value(json_object_get(o, "kind"));
    const char *name = json_string_value(json_object_get(o, "engine"));
    const PlayerList *players = r->hub->config.players;
    Error error;
    int64_t level = 0;
    if (kind && !strcmp(kind, "search"))
        return read_search(r, where, o, text);
    if (kind && !strcmp(kind, "lovac")) {
        if (!read_whole(r, where, o, "level", 1, LEVEL_COUNT, &level))
            return false;
        snprintf(text, NAME_SIZE, "level=%d", (int)level);
        return true;
    }
    if (!kind || strcmp(kind, "engine"))
        return request_fail(r, "bad-request", "%s.kind must be human, lovac, search or engine",
                            where);
    if (!name)
        return request_fail(r, "bad-request", "%s.engine is missing", where);
    if (strlen(name) >= NAME_SIZE)
        return request_refuse(r, "bad-request", "player-name-long",
                              "%s.engine: longer than {most:%d} bytes", where, NAME_SIZE - 1);
    if (!player_list_allows(players, name, &error))
        return error_prefix(&error, "", "%s.engine: ", where),
               request_pass(r, "bad-request", &error);
    if (rules && !player_list_plays(players, name, rules))
        return request_refuse(r, "unavailable", "engine-not-game",
                              "{engine:%s} does not play {game:%s}", name, rules->title);
    strcpy(text, name);
    return true;
}

bool request_seat(Request *r, const char *name, const Rules *rules, Seat *seat)
{
    const json_t *o = json_object_get(r->json, name);
    if (!o || json_is_null(o))
        return true;
    const char *kind = json_string_value(json_object_get(o, "kind"));
    *seat = (Seat){.kind = SEAT_PLAYER, .move_ms = MOVE_MS_USUAL};
    if (!kind || strcmp(kind, "human"))
        return read_whole(r, name, o, "move_ms", MOVE_MS_MIN, MOVE_MS_MAX, &seat->move_ms) &&
               request_player(r, name, o, rules, seat->name);
    seat->kind = SEAT_HUMAN;
    const char *who = json_string_value(json_object_get(o, "name"));
    clean_text(who ? who : "", NAME_LETTERS, seat->name, sizeof seat->name);
    seat->is_remote = json_is_true(json_object_get(o, "remote"));
    return true;
}

// One side's time and increment.
static bool read_times(Request *r, const json_t *o, RoomClock *clock, Color c)
{
    int64_t time = json_integer_value(json_object_get(o, "time_ms"));
    int64_t increment = json_integer_value(json_object_get(o, "increment_ms"));
    if (time < 1000 || time > CLOCK_MAX_MS)
        return request_fail(r, "bad-request", "clock.time_ms must be from 1000 to %d",
                            CLOCK_MAX_MS);
    if (increment < 0 || increment > 600000)
        return request_fail(r, "bad-request", "clock.increment_ms must be from 0 to 600000");
    clock->time_ms[c] = time;
    clock->increment_ms[c] = increment;
    return true;
}

// CLOCK of a request; none when it is missing.
static bool read_clock(Request *r, RoomClock *clock)
{
    const json_t *o = json_object_get(r->json, "clock");
    *clock = (RoomClock){0};
    if (!o || json_is_null(o))
        return true;
    const char *kind = json_string_value(json_object_get(o, "kind"));
    if (!kind || (strcmp(kind, "none") && strcmp(kind, "game") && strcmp(kind, "move")))
        return request_fail(r, "bad-request", "clock.kind must be none, game or move");
    if (!strcmp(kind, "none"))
        return true;
    clock->kind = strcmp(kind, "game") ? CLOCK_MOVE : CLOCK_GAME;
    const json_t *black = json_object_get(o, "black");
    if (!read_times(r, o, clock, WHITE) || !read_times(r, black ? black : o, clock, BLACK))
        return false;
    memcpy(clock->left_ms, clock->time_ms, sizeof clock->left_ms);
    return true;
}

// The field `start`: a number, a text of digits, or nothing for a random one.
static bool read_start(Request *r, const Rules *rules, uint64_t *number)
{
    const json_t *json = json_object_get(r->json, "start");
    unsigned long long value = 0;
    uint64_t count = rules_start_count(rules);
    if (!json || json_is_null(json)) {
        if (getrandom(&value, sizeof value, 0) != (long)sizeof value)
            return request_fail(r, "internal", "no random bytes");
        *number = count ? value % count : value;
        return true;
    }
    if (json_is_integer(json) && json_integer_value(json) >= 0)
        value = (unsigned long long)json_integer_value(json);
    else if (!json_is_string(json) || !str_to_count(json_string_value(json), UINT64_MAX, &value))
        return request_fail(r, "bad-request", "start must be a number, or a text of digits");
    *number = value;
    return true;
}

bool request_position(Request *r, Position *pos, char number[START_SIZE])
{
    const Rules *rules = NULL;
    const char *fen = NULL;
    uint64_t start = 0;
    Error error;
    number[0] = 0;
    if (!request_rules(r, &rules) || !request_maybe_text(r, "fen", &fen))
        return false;
    if (fen)
        return position_from_fen(pos, rules, fen, &error) || request_pass(r, "bad-fen", &error);
    if (!read_start(r, rules, &start))
        return false;
    if (!position_start(pos, rules, start, &error)) {
        error_prefix(&error, "", "start: ");
        return request_pass(r, "bad-request", &error);
    }
    snprintf(number, START_SIZE, "%" PRIu64, start);
    return true;
}

// ---- create ----

// What else a game from elsewhere tells.
typedef struct Origin {
    char number[START_SIZE]; // of the start position
    char names[2][NAME_SIZE];
    json_t *tags; // or NULL
    Result result;
} Origin;

// What a game from PGN brings along: players, result, the other tags.
static void read_tags(const PgnGame *game, Origin *origin)
{
    request_tag(game, "White", NAME_LETTERS, origin->names[WHITE], NAME_SIZE);
    request_tag(game, "Black", NAME_LETTERS, origin->names[BLACK], NAME_SIZE);
    origin->tags = request_tags(game);
    origin->result = game->result;
}

// A tree from the game-th game of a PGN text.
static bool tree_from_pgn(Request *r, const char *text, int64_t index, Tree *tree, Origin *origin)
{
    PgnText *reader = pgn_text_open(text, strlen(text), NULL, NULL);
    Error error;
    if (!reader)
        return request_fail(r, "internal", "out of memory");
    PgnGame *game = NULL;
    for (int64_t i = 0; i <= index && (game = pgn_text_next(reader)); i++)
        ;
    bool ok = game ? pgn_tree_read(game, tree, &error) ||
                         request_pass(r, *error.code ? "bad-pgn" : "internal", &error)
                   : request_refuse(r, "bad-pgn", "pgn-none", "there is no game in this text");
    if (ok)
        read_tags(game, origin);
    pgn_text_close(reader);
    return ok;
}

// A tree from a game of the owner's library.
static bool tree_from_saved(Request *r, Tree *tree, Origin *origin)
{
    int64_t id = 0;
    if (!request_int(r, "saved", 1, INT64_MAX, &id))
        return false;
    char *pgn = store_get_saved(r->hub->store, request_owner(r), id);
    if (!pgn)
        return request_refuse(r, "bad-request", "saved-unknown",
                              "there is no saved game {number:%lld}", (long long)id);
    bool ok = tree_from_pgn(r, pgn, 0, tree, origin);
    free(pgn);
    return ok;
}

// A tree that begins in a position of another room.
static bool tree_from_room(Request *r, const json_t *from, Tree *tree)
{
    const char *id = json_string_value(json_object_get(from, "room"));
    int node = (int)json_integer_value(json_object_get(from, "node"));
    Room *room = id && secret_is_formed(id) ? hub_find_awake(r->hub, id) : NULL;
    if (!room || !hub_member(r->client, room))
        return request_refuse(r, "unknown-room", "room-other",
                              "from.room: you are not in this room");
    if (!tree_has(&room->tree, node))
        return request_fail(r, "bad-request", "from.node: there is no such node");
    Game game;
    tree_game(&room->tree, node, &game, r->hub->steps);
    return tree_init(tree, &game.now) || request_fail(r, "internal", "out of memory");
}

// The tree with which a room begins: from PGN, the library, another room, or a bare start.
static bool read_tree(Request *r, Tree *tree, Origin *origin)
{
    const char *pgn;
    int64_t index = 0;
    const json_t *from = json_object_get(r->json, "from");
    *origin = (Origin){0};
    if (json_object_get(r->json, "saved"))
        return tree_from_saved(r, tree, origin);
    if (from)
        return tree_from_room(r, from, tree);
    if (!request_maybe_text(r, "pgn", &pgn) || !request_maybe_int(r, "game", 0, 100000, &index))
        return false;
    if (pgn)
        return tree_from_pgn(r, pgn, index, tree, origin);
    Position start;
    return request_position(r, &start, origin->number) &&
           (tree_init(tree, &start) || request_fail(r, "internal", "out of memory"));
}

// Engines play from the opening book unless they may not.
static bool read_book(Request *r, Room *room)
{
    bool book = true;
    if (!request_maybe_bool(r, "book", &book))
        return false;
    room->no_book = !book;
    return true;
}

// How many games two engines play, and whether they change colours.
static bool read_series(Request *r, Room *room)
{
    const json_t *o = json_object_get(r->json, "series");
    int64_t speed = SPEED_USUAL_MS;
    if (!request_maybe_int(r, "speed_ms", 0, SPEED_MAX_MS, &speed))
        return false;
    room->speed_ms = speed;
    if (!o || json_is_null(o))
        return true;
    if (!room_is_machine(room))
        return request_fail(r, "bad-request", "series: only between engines");
    int64_t games = json_integer_value(json_object_get(o, "games"));
    if (games < 1 || games > SERIES_MAX)
        return request_fail(r, "bad-request", "series.games must be from 1 to %d", SERIES_MAX);
    room->series_games = (int)games;
    room->series_alternates = !json_is_false(json_object_get(o, "alternate"));
    return true;
}

// Do as many games between engines go on as this server allows, in all or for this address?
static bool too_many_machines(const Hub *hub, const Client *client)
{
    int count = 0, own = 0;
    for (int i = 0; i < hub->room_buckets; i++)
        for (const Room *room = hub->rooms[i]; room; room = room->next_in_map)
            if (room_is_playing(room) && room_is_machine(room)) {
                count++;
                own += !strcmp(room->address, client->address);
            }
    return count >= MACHINE_ROOMS_MAX || own >= VISITOR_MACHINES_MAX * hub->visitors.scale;
}

// Players, clock, series and speed of a new room.
static bool fill_room(Request *r, Room *room, const Origin *origin)
{
    const char *mode;
    room->seats[WHITE] = room->seats[BLACK] = (Seat){.move_ms = MOVE_MS_USUAL};
    for (Color c = WHITE; c <= BLACK; c++)
        memcpy(room->seats[c].name, origin->names[c], NAME_SIZE);
    const Rules *rules = room->tree.start.rules;
    if (!request_maybe_text(r, "mode", &mode) ||
        !request_seat(r, "white", rules, &room->seats[WHITE]) ||
        !request_seat(r, "black", rules, &room->seats[BLACK]) || !read_clock(r, &room->clock) ||
        !read_series(r, room) || !read_book(r, room))
        return false;
    if (mode && strcmp(mode, "play") && strcmp(mode, "analysis"))
        return request_fail(r, "bad-request", "mode must be play or analysis");
    room->is_analysis = mode && !strcmp(mode, "analysis");
    if (!room->is_analysis && room_is_machine(room) && too_many_machines(r->hub, r->client))
        return request_refuse(r, "limit", "machines-many",
                              "too many games between engines are going on");
    room->live = room->touched = tree_end(&room->tree, 0);
    if (room->is_analysis && origin->tags) // played on, it is another game
        room->tags = json_incref(origin->tags);
    if (room->is_analysis && origin->result != RESULT_NONE) {
        room->is_over = true;
        room->result = origin->result;
        strcpy(room->reason, "unknown");
    }
    return true;
}

// The seats of those who make a room: theirs are all human ones that are not for somebody else.
static unsigned own_seats(const Room *room)
{
    unsigned rights = 0;
    for (Color c = WHITE; c <= BLACK; c++)
        if (seat_is_human(&room->seats[c]) && !room->seats[c].is_remote)
            rights |= 1u << c;
    return rights && !room->is_analysis                 ? rights
           : room_is_machine(room) || room->is_analysis ? 3u
                                                        : 0u;
}

// A game that is over as it stands (a loaded one, say) must not wait for a move.
static void open_game(Request *r, Room *room)
{
    Reason claim;
    if (room->is_analysis)
        return;
    Outcome outcome = play_outcome(r->hub, room, &claim);
    if (outcome.result != RESULT_NONE)
        play_end(r->hub, room, outcome.result, reason_code(outcome.reason));
    room->turn_ms = clock_ms();
}

// The room that a request describes, or NULL and the reason.
static Room *make_room(Request *r)
{
    Tree tree;
    Origin origin;
    if (!read_tree(r, &tree, &origin))
        return NULL;
    Room *room = room_new(&tree.start);
    if (!room) {
        json_decref(origin.tags);
        tree_release(&tree);
        return request_fail(r, "internal", "out of memory"), NULL;
    }
    room_set_tree(room, &tree);
    if (rules_start_count(tree.start.rules) != 1) // a fixed start has no number worth telling
        snprintf(room->start, sizeof room->start, "%s", origin.number);
    room->has_random_start = *origin.number && rules_start_count(tree.start.rules) != 1 &&
                             !json_object_get(r->json, "start");
    bool ok = fill_room(r, room, &origin);
    json_decref(origin.tags);
    if (ok)
        return room;
    room_free(room);
    return NULL;
}

// An engine must not be asked what to play in a game against a person.
static bool is_fair(Request *r, const Room *room)
{
    if (room->is_analysis ||
        (seat_is_human(&room->seats[WHITE]) && seat_is_human(&room->seats[BLACK])))
        return true;
    int count = tree_moves(&room->tree, room->live, r->hub->moves, TREE_DEPTH_MAX);
    return request_may_help(r, &room->tree.start, r->hub->moves, count);
}

bool request_create(Request *r)
{
    if (!hub_may_create(r->client))
        return request_refuse(r, "limit", "rooms-fast", "too many new rooms: wait a little");
    Room *room = make_room(r);
    if (!room)
        return false;
    if (!is_fair(r, room)) {
        room_free(room);
        return false;
    }
    bool is_full = r->client->member_count >= ROOMS_OF_CLIENT_MAX ||
                   !visitor_has_place(r->client->visitor, &r->hub->visitors) ||
                   r->hub->room_count >= ROOMS_AWAKE_MAX;
    if (is_full || !hub_add_room(r->hub, room)) {
        room_free(room);
        return is_full ? request_refuse(r, "limit", "rooms-many", "too many rooms are open")
                       : request_fail(r, "internal", "out of memory");
    }
    r->room = room;
    open_game(r, room);
    Member *member = hub_enter(r->client, room, own_seats(room));
    hub_send_full(r->client, room);
    answer_text(r, "room", room->id);
    answer_json(r, "keys",
                json_pack("{s:s, s:s, s:s}", "white", room->keys[KEY_WHITE], "black",
                          room->keys[KEY_BLACK], "watch", room->keys[KEY_WATCH]));
    answer_json(r, "you", room_view_rights(member ? member->rights : 0));
    return true;
}

// ---- join, leave, sync, rooms, forget ----

// The one room of all these keys, and the rights that they give.
static bool read_keys(Request *r, Room **room, unsigned *rights)
{
    const json_t *keys = json_object_get(r->json, "keys");
    size_t count = json_array_size(keys);
    *room = NULL;
    *rights = 0;
    if (count < 1 || count > KEY_COUNT)
        return request_fail(r, "bad-request", "keys must be a list of one to three");
    for (size_t i = 0; i < count; i++) {
        const char *key = json_string_value(json_array_get(keys, i));
        int role = 0;
        Room *found = key ? hub_find_key(r->hub, key, &role) : NULL;
        if (!found)
            return request_refuse(r, "unknown-room", "room-unknown", "no room has this key");
        if (*room && found != *room)
            return request_fail(r, "bad-request", "keys of different rooms");
        *room = found;
        if (role != KEY_WATCH)
            *rights |= 1u << role;
    }
    return true;
}

// Remote players who come for the first time, and names.
static void take_seats(Request *r, Room *room, unsigned rights, const char *name)
{
    bool was_waiting = room_is_waiting(room);
    for (Color c = WHITE; c <= BLACK; c++) {
        Seat *seat = &room->seats[c];
        if (!(rights & 1u << c) || !seat_is_human(seat))
            continue;
        seat->has_come = true;
        if (name && !room->is_analysis) // there the names are of those who played the game
            clean_text(name, NAME_LETTERS, seat->name, sizeof seat->name);
        room_touch(room, FIELD_SEATS);
    }
    if (was_waiting && !room_is_waiting(room)) {
        room_touch(room, FIELD_STATE);
        room->turn_ms = clock_ms();
    }
    hub_mark(r->hub, room);
}

bool request_join(Request *r)
{
    unsigned rights;
    const char *name;
    Room *room;
    if (!request_maybe_text(r, "name", &name) || !read_keys(r, &room, &rights))
        return false;
    Member *member = hub_enter(r->client, room, rights);
    if (!member)
        return request_refuse(r, "limit", "rooms-yours", "you are in too many rooms");
    take_seats(r, room, rights, name);
    hub_send_full(r->client, room);
    answer_text(r, "room", room->id);
    answer_json(r, "you", room_view_rights(member->rights));
    return true;
}

bool request_leave(Request *r)
{
    hub_leave(r->member);
    return true;
}

bool request_sync(Request *r)
{
    hub_send_full(r->client, r->room);
    return true;
}

bool request_rooms(Request *r)
{
    const json_t *keys = json_object_get(r->json, "keys");
    json_t *list = json_array();
    if (!json_is_array(keys) || json_array_size(keys) > KEYS_MAX) {
        json_decref(list);
        return request_fail(r, "bad-request", "keys must be a list of at most %d", KEYS_MAX);
    }
    r->client->requests -= (double)json_array_size(keys) / 20; // each may have to be read from disk
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const char *key = json_string_value(json_array_get(keys, i));
        int role = 0;
        Room *room = key ? hub_find_key(r->hub, key, &role) : NULL;
        json_array_append_new(list, room ? room_summary(room, role == KEY_WATCH ? 0 : 1u << role,
                                                        room->updated_s, r->hub->steps)
                                         : json_null());
    }
    answer_json(r, "rooms", list);
    return true;
}

bool request_forget(Request *r)
{
    if (room_has_other_human(r->room, r->member->rights))
        return request_refuse(r, "not-allowed", "other-has-part",
                              "the other player has a part in this room");
    hub_delete_room(r->hub, r->room);
    r->room = NULL;
    return true;
}
