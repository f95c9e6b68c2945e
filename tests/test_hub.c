// The server's inside without sockets: trees, timers, hosts, the store, and a hub that hears
// nonsense.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hub_help.h"

#include "base/random.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "server/network.h"
#include "server/pgn_tree.h"
#include "server/play.h"
#include "server/problem.h"
#include "server/room_file.h"
#include "server/web.h"

static Position chess_start(void)
{
    Position pos;
    assert_true(position_start(&pos, &VARIANTS[VARIANT_CHESS], 0, NULL));
    return pos;
}

static int add(Tree *tree, int id, const char *uci, bool is_first)
{
    Game game;
    GameStep *steps = malloc((TREE_DEPTH_MAX + 1) * sizeof *steps);
    tree_game(tree, id, &game, steps);
    Move move = view_find_move(&game.now, uci);
    free(steps);
    assert_int_not_equal(move, MOVE_NONE);
    return tree_add(tree, id, move, is_first, NULL);
}

static void test_tree(void **state)
{
    (void)state;
    Position start = chess_start();
    Tree tree;
    Move moves[4] = {0};
    int removed[16];
    assert_true(tree_init(&tree, &start));
    int e4 = add(&tree, 0, "e2e4", false), d4 = add(&tree, 0, "d2d4", false);
    int c4 = add(&tree, 0, "c2c4", true), e5 = add(&tree, e4, "e7e5", false);
    assert_int_equal(tree.nodes[0].child, c4);
    assert_int_equal(tree.nodes[c4].next, e4);
    assert_int_equal(tree.nodes[e4].next, d4);
    assert_int_equal(tree_find(&tree, e4, tree.nodes[e5].move), e5);
    tree_put_first(&tree, d4);
    assert_int_equal(tree.nodes[0].child, d4);
    assert_int_equal(tree.nodes[d4].next, c4);
    assert_int_equal(tree_moves(&tree, e5, moves, 4), 2);
    assert_int_equal(moves[1], tree.nodes[e5].move);
    assert_int_equal(tree_cut(&tree, e4, removed), 2);
    assert_false(tree_has(&tree, e5));
    assert_true(tree_has(&tree, d4));
    assert_int_equal(tree.alive, 3);
    assert_int_equal(add(&tree, 0, "e2e4", false), 5); // ids are not used twice
    tree_release(&tree);
}

static void test_tree_restore(void **state)
{
    (void)state;
    Position start = chess_start();
    Tree tree;
    Error error;
    Move e4 = view_find_move(&start, "e2e4");
    Node good = {.parent = 0, .move = e4}, orphan = {.parent = 7, .move = e4};
    Node illegal = {.parent = 1, .move = e4};
    assert_true(tree_init(&tree, &start));
    assert_true(tree_restore(&tree, 1, &good));
    assert_true(tree_link(&tree, &error));
    tree_release(&tree);
    assert_true(tree_init(&tree, &start));
    assert_true(tree_restore(&tree, 3, &orphan));
    assert_false(tree_link(&tree, &error));
    tree_release(&tree);
    assert_true(tree_init(&tree, &start));
    assert_true(tree_restore(&tree, 1, &good));
    assert_true(tree_restore(&tree, 2, &illegal));
    assert_false(tree_link(&tree, &error));
    tree_release(&tree);
    assert_true(tree_init(&tree, &start));
    assert_false(tree_restore(&tree, TREE_IDS_MAX, &good));
    assert_false(tree_restore(&tree, -1, &good));
    tree_release(&tree);
}

static void test_timers(void **state)
{
    (void)state;
    enum { ROOMS = 500 };
    Position start = chess_start();
    Room *rooms[ROOMS];
    Timers timers;
    Random random;
    random_init(&random, 1);
    timers_init(&timers);
    for (int i = 0; i < ROOMS; i++) {
        rooms[i] = room_new(&start);
        assert_true(timers_set(&timers, rooms[i], 1 + (int64_t)random_below(&random, 1000)));
    }
    int left = ROOMS;
    for (int i = 0; i < ROOMS; i += 3) { // some are moved, some removed
        bool is_removed = i % 2;
        left -= is_removed;
        timers_set(&timers, rooms[i], is_removed ? 0 : 1 + (int64_t)random_below(&random, 1000));
    }
    int64_t last = 0;
    for (; timers.count; left--) {
        int64_t next = timers_next(&timers);
        assert_true(next >= last);
        last = next;
        assert_null(timers_take(&timers, next - 1));
        assert_int_equal(timers_take(&timers, next)->timer, -1);
    }
    assert_int_equal(left, 0);
    for (int i = 0; i < ROOMS; i++)
        room_free(rooms[i]);
    timers_release(&timers);
}

static void test_hosts(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"chess.example.org"};
    static const struct {
        const char *host;
        bool local, open;
    } CASES[] = {{"localhost", true, true},
                 {"127.0.0.1:8064", true, true},
                 {"[::1]:80", true, true},
                 {"192.168.1.5:8064", false, true},
                 {"evil.example", false, false},
                 {"127.0.0.1.evil.example", false, false},
                 {"localhost.evil", false, false},
                 {"127.evil", false, false},
                 {"CHESS.example.org", true, true},
                 {"chess.example.org:443", true, true},
                 {"", false, false},
                 {":80", false, false}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_int_equal(web_host_is_known(CASES[i].host, true, NAMES, 1), CASES[i].local);
        assert_int_equal(web_host_is_known(CASES[i].host, false, NAMES, 1), CASES[i].open);
    }
}

// Whom else an address serves: nobody, everybody, those of one network.
static void test_network(void **state)
{
    (void)state;
    char list[NETWORK_ADDRESSES_MAX][NETWORK_ADDRESS_SIZE];
    assert_int_equal(network_addresses("127.0.0.1", list), 0);
    assert_int_equal(network_addresses("localhost", list), 0);
    assert_int_equal(network_addresses("169.254.3.4", list), 0);
    assert_int_equal(network_addresses("192.168.3.4", list), 1);
    assert_string_equal(list[0], "192.168.3.4");
    int count = network_addresses("0.0.0.0", list);
    assert_in_range(count, 0, NETWORK_ADDRESSES_MAX);
    for (int i = 0; i < count; i++) {
        char one[NETWORK_ADDRESSES_MAX][NETWORK_ADDRESS_SIZE];
        assert_int_equal(network_addresses(list[i], one), 1); // none that is this machine's alone
        assert_string_equal(one[0], list[i]);
    }
}

// Behind a proxy the address that it tells counts, and only then; of IPv6 the network.
static void test_visitors(void **state)
{
    (void)state;
    static const char *const PROXIES[] = {"127.0.0.1", "10.0.0.2"};
    static const char *const CASES[][3] = {
        {"192.0.2.7", "", "192.0.2.7"},
        {"192.0.2.7", "198.51.100.1", "192.0.2.7"},
        {"127.0.0.1", "", "127.0.0.1"},
        {"127.0.0.1", "198.51.100.1", "198.51.100.1"},
        {"127.0.0.1", "made.up, 127.0.0.1, 198.51.100.1", "198.51.100.1"},
        {"127.0.0.1", "made.up,198.51.100.1 , 10.0.0.2", "198.51.100.1"},
        {"127.0.0.1", "10.0.0.2", "10.0.0.2"},
        {"127.0.0.1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
        {"127.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"},
        {"127.0.0.1", "?", "?"},
    };
    char address[ADDRESS_SIZE];
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        web_visitor(CASES[i][0], CASES[i][1], PROXIES, 2, address);
        assert_string_equal(address, CASES[i][2]);
    }
}

// Every legal move of random positions is shown, and is found again by what is shown.
static void test_moves_shown(void **state)
{
    (void)state;
    Random random;
    random_init(&random, 7);
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (int n = 0; n < 40; n++) {
            Position pos;
            uint64_t starts = rules_start_count(&VARIANTS[v]), number = random_next(&random);
            assert_true(
                position_start(&pos, &VARIANTS[v], starts ? number % starts : number, NULL));
            for (int ply = 0; ply < 60; ply++) {
                Move list[MAX_MOVES];
                int count = movegen_legal(&pos, STAGE_ALL, list), shown = 0;
                if (!count)
                    break;
                GameStep step;
                Game game;
                game_init(&game, &pos, &step, 0);
                json_t *json = view_position(&game, 0), *goals;
                const char *from;
                bool is_seen[MAX_MOVES] = {false};
                json_object_foreach(json_object_get(json, "moves"), from, goals)
                {
                    for (size_t i = 0; i < json_array_size(goals); i++) {
                        const char *goal = json_string_value(json_array_get(goals, i));
                        const char *letters = goal[2] ? goal + 2 : " ";
                        for (; *letters; letters++) {
                            char uci[8];
                            snprintf(uci, sizeof uci, "%s%.2s%c", from, goal, *letters);
                            uci[strcspn(uci, " ")] = 0;
                            Move move = view_find_move(&pos, uci);
                            for (int k = 0; k < count; k++)
                                if (list[k] == move && !is_seen[k]) {
                                    is_seen[k] = true;
                                    shown++;
                                }
                            assert_int_not_equal(move, MOVE_NONE);
                        }
                    }
                }
                assert_int_equal(shown, count);
                json_decref(json);
                tree_play(&pos, list[random_below(&random, (uint64_t)count)]);
            }
        }
    }
}

// ---- A hub ----

static const char *text_of(const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    return text ? text : "";
}

static void test_store(void **state)
{
    (void)state;
    HubBed bed;
    assert_true(bed_open(&bed));
    Client *client = hub_connect(&bed.hub, NULL, "");
    json_decref(bed_ask(client, "{\"id\":1,\"do\":\"hello\"}"));
    json_t *made = bed_ask(client, "{\"id\":2,\"do\":\"create\",\"variant\":\"chess960\"}");
    char id[SECRET_SIZE], text[200];
    strcpy(id, text_of(made, "room"));
    json_decref(made);
    Room *room = hub_find_awake(&bed.hub, id);
    assert_non_null(room);
    Random random;
    random_init(&random, 3);
    for (int i = 0; i < 300; i++) { // moves here and there, cuts, notes
        int node;
        do
            node = (int)random_below(&random, (uint64_t)room->tree.count);
        while (!tree_has(&room->tree, node));
        room->is_analysis = true;
        Game game;
        tree_game(&room->tree, node, &game, bed.hub.steps);
        Move list[MAX_MOVES];
        int count = movegen_legal(&game.now, STAGE_ALL, list);
        char from[3], to[3];
        if (!count)
            continue;
        Move move = list[random_below(&random, (uint64_t)count)];
        square_name(move_from(move), from);
        square_name(move_to(move), to);
        snprintf(text, sizeof text,
                 "{\"id\":3,\"do\":\"move\",\"room\":\"%s\",\"node\":%d,\"uci\":\"%s%s\"}", id,
                 node, from, to);
        if (i % 7 == 5 && node)
            snprintf(text, sizeof text, "{\"id\":3,\"do\":\"%s\",\"room\":\"%s\",\"node\":%d}",
                     i % 2 ? "cut" : "promote", id, node);
        if (i % 7 == 6)
            snprintf(
                text, sizeof text,
                "{\"id\":3,\"do\":\"annotate\",\"room\":\"%s\",\"node\":%d,\"comment\":\"č %d\"}",
                id, node, i);
        json_decref(bed_ask(client, text));
    }
    // What is on disk is what is in memory.
    Error error;
    int64_t updated;
    Room *again = room_load(bed.store, id, &updated, &error);
    assert_non_null(again);
    assert_int_equal(again->tree.alive, room->tree.alive);
    for (int i = 0; i < room->tree.count; i++) {
        assert_int_equal(tree_has(&again->tree, i), tree_has(&room->tree, i));
        if (!tree_has(&room->tree, i))
            continue;
        const Node *a = &again->tree.nodes[i], *b = &room->tree.nodes[i];
        assert_int_equal(a->parent, b->parent);
        assert_int_equal(a->child, b->child);
        assert_int_equal(a->next, b->next);
        assert_int_equal(a->move, b->move);
        assert_int_equal(!a->notes, notes_is_empty(b->notes));
        if (a->notes && a->notes->comment)
            assert_string_equal(a->notes->comment, b->notes->comment);
    }
    room_free(again);
    bed_close(&bed);
}

// ---- No memory for JSON ----

static int json_left = -1; // allocations until one fails; -1: none does

static void *scarce_json(size_t size)
{
    return json_left >= 0 && json_left-- == 0 ? NULL : malloc(size);
}

static bool is_true(const json_t *answer, const char *name)
{
    return json_is_true(json_object_get(answer, name));
}

// Asks and tells whether the answer is a yes. Only this answer counts: events may have lost any of
// their fields for want of memory.
static bool says_yes(Client *client, int id, const char *text)
{
    bool yes = false;
    client->requests = REQUEST_BURST;
    hub_receive(client, text, strlen(text));
    hub_turn(client->hub);
    for (json_t *json; (json = bed_take(client)); json_decref(json))
        yes = yes || (json_integer_value(json_object_get(json, "id")) == id && is_true(json, "ok"));
    return yes;
}

// Comes (again) and joins the room; the connection is lost whenever memory is.
static Client *come_to_room(HubBed *bed, Client *client, const char *key)
{
    if (client && !client->is_dropped)
        return client;
    char text[200];
    if (client)
        hub_disconnect(client);
    client = hub_connect(&bed->hub, NULL, "");
    json_decref(bed_ask(client, "{\"id\":1,\"do\":\"hello\",\"protocol\":1}"));
    snprintf(text, sizeof text, "{\"id\":2,\"do\":\"join\",\"keys\":[\"%s\"]}", key);
    json_t *answer = bed_ask(client, text);
    assert_true(is_true(answer, "ok"));
    json_decref(answer);
    return client;
}

// What is on disk of a room.
typedef struct OnDisk {
    int nodes, comments;
    char last[16]; // the comment of the node asked for
} OnDisk;

static OnDisk look_on_disk(HubBed *bed, const char *id, int node)
{
    OnDisk disk = {0};
    Error error = {0};
    int64_t updated;
    Room *room = room_load(bed->store, id, &updated, &error);
    if (!room)
        fail_msg("the room is lost: %s", error.text);
    disk.nodes = room->tree.alive;
    for (int i = 0; i < room->tree.count; i++) {
        const Notes *notes = tree_has(&room->tree, i) ? room->tree.nodes[i].notes : NULL;
        const char *comment = notes ? notes->comment : NULL;
        disk.comments += comment != NULL;
        if (i == node && comment)
            snprintf(disk.last, sizeof disk.last, "%s", comment);
    }
    room_free(room);
    return disk;
}

// Whatever piece of JSON cannot be had while a move or a comment is taken in: the room on disk
// stays whole, and what was acknowledged is in it.
static void test_scarce_memory(void **state)
{
    (void)state;
    HubBed bed;
    assert_true(bed_open(&bed));
    Client *maker = hub_connect(&bed.hub, NULL, ""), *client = NULL;
    json_decref(bed_ask(maker, "{\"id\":1,\"do\":\"hello\",\"protocol\":1}"));
    json_t *made = bed_ask(maker, "{\"id\":2,\"do\":\"create\",\"mode\":\"analysis\"}");
    char id[SECRET_SIZE], key[SECRET_SIZE];
    snprintf(id, sizeof id, "%s", text_of(made, "room"));
    snprintf(key, sizeof key, "%s", text_of(json_object_get(made, "keys"), "white"));
    json_decref(made);
    hub_disconnect(maker);
    int refused = 0, done = 0;
    OnDisk old = look_on_disk(&bed, id, 0);
    json_malloc_t usual_malloc;
    json_free_t usual_free;
    json_get_alloc_funcs(&usual_malloc, &usual_free);
    for (int i = 0; i < 600; i++) {
        static const char *const MOVES[] = {"g1f3", "g8f6", "f3g1", "f6g8"}; // out and back
        char text[200], comment[16];
        client = come_to_room(&bed, client, key);
        const Tree *tree = &hub_find_room(&bed.hub, id)->tree;
        int end = tree_end(tree, 0);
        bool is_move = i % 2;
        snprintf(comment, sizeof comment, "%d", i);
        if (is_move)
            snprintf(text, sizeof text,
                     "{\"id\":%d,\"do\":\"move\",\"room\":\"%s\",\"node\":%d,\"uci\":\"%s\"}",
                     10 + i, id, end, MOVES[tree_depth(tree, end) % 4]);
        else
            snprintf(text, sizeof text,
                     "{\"id\":%d,\"do\":\"annotate\",\"room\":\"%s\",\"node\":%d,"
                     "\"comment\":\"%s\"}",
                     10 + i, id, end, comment);
        json_set_alloc_funcs(scarce_json, free);
        json_left = i / 2;
        bool yes = says_yes(client, 10 + i, text);
        json_left = -1;
        json_set_alloc_funcs(usual_malloc, usual_free);
        OnDisk now = look_on_disk(&bed, id, end);
        assert_true(now.comments >= old.comments);
        if (yes) {
            assert_int_equal(now.nodes, old.nodes + is_move);
            if (!is_move)
                assert_string_equal(now.last, comment);
            done++;
        } else {
            assert_in_range(now.nodes, old.nodes, old.nodes + is_move);
            refused++;
        }
        old = now;
    }
    assert_true(refused > 100 && done > 50);
    bed_close(&bed);
}

// Requests put together at random from words that mean something: an answer to each, and the hub
// whole.
static void test_nonsense(void **state)
{
    (void)state;
    static const char *const WORDS[] = {
        "hello",  "create", "join",   "leave",    "sync",    "rooms",   "forget",  "move",
        "draw",   "resign", "abort",  "pause",    "resume",  "rematch", "switch",  "seats",
        "goto",   "speed",  "show",   "annotate", "promote", "cut",     "line",    "takeback",
        "review", "save",   "export", "import",   "check",   "start",   "library", "analysis",
        "lab",    "run",    "look",   "halt"};
    static const char *const FIELDS[] = {
        "\"node\":0",
        "\"node\":1",
        "\"node\":99999",
        "\"ply\":0",
        "\"ply\":1",
        "\"uci\":\"e2e4\"",
        "\"uci\":\"a1a1q\"",
        "\"uci\":[\"e2e4\",\"e7e5\"]",
        "\"san\":\"Nf3\"",
        "\"action\":\"accept\"",
        "\"action\":\"claim\"",
        "\"fen\":\"8/8/8/8/8/8/8/8 w - - 0 1\"",
        "\"fen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"",
        "\"variant\":\"massacre\"",
        "\"variant\":\"legan\"",
        "\"start\":\"18446744073709551615\"",
        "\"white\":{\"kind\":\"lovac\",\"level\":1}",
        "\"black\":{\"kind\":\"lovac\",\"level\":2}",
        "\"white\":{\"kind\":\"human\",\"remote\":true}",
        "\"clock\":{\"kind\":\"game\",\"time_ms\":1000,\"increment_ms\":0}",
        "\"series\":{\"games\":3}",
        "\"mode\":\"analysis\"",
        "\"pgn\":\"1. e4 (1. d4 d5) e5 {x} 1-0\"",
        "\"name\":\"\\u0001é<b>\"",
        "\"comment\":\"}\"",
        "\"nags\":[1,2]",
        "\"shapes\":[{\"brush\":\"red\",\"from\":\"a1\"}]",
        "\"saved\":1",
        "\"saved\":[1]",
        "\"swap\":false",
        "\"main\":true",
        "\"speed_ms\":0",
        "\"nodes\":10000",
        "\"color\":\"black\"",
        "\"save\":true",
        "\"run\":1",
        "\"experiment\":\"depth\"",
    };
    HubBed bed;
    Random random;
    random_init(&random, 11);
    assert_true(bed_open(&bed));
    Client *clients[3];
    char room[SECRET_SIZE] = "", key[SECRET_SIZE] = "";
    for (int i = 0; i < 3; i++) {
        clients[i] = hub_connect(&bed.hub, NULL, "");
        json_decref(bed_ask(clients[i], "{\"id\":1,\"do\":\"hello\"}"));
    }
    int rounds =
        getenv("LOVAC_TEST_LEVEL") && !strcmp(getenv("LOVAC_TEST_LEVEL"), "quick") ? 3000 : 20000;
    for (int i = 0; i < rounds; i++) {
        char text[2000];
        Client *client = clients[random_below(&random, 3)];
        int n = snprintf(text, sizeof text, "{\"id\":%d,\"do\":\"%s\",\"room\":\"%s\"", i,
                         WORDS[random_below(&random, sizeof WORDS / sizeof *WORDS)], room);
        if (random_below(&random, 2))
            n += snprintf(text + n, sizeof text - (size_t)n, ",\"keys\":[\"%s\"]", key);
        for (int k = (int)random_below(&random, 5); k > 0; k--)
            n += snprintf(text + n, sizeof text - (size_t)n, ",%s",
                          FIELDS[random_below(&random, sizeof FIELDS / sizeof *FIELDS)]);
        snprintf(text + n, sizeof text - (size_t)n, "}");
        json_t *answer = bed_ask(client, text);
        assert_non_null(answer);
        if (json_object_get(answer, "keys")) {
            strcpy(room, text_of(answer, "room"));
            strcpy(key, text_of(json_object_get(answer, "keys"), i % 2 ? "white" : "watch"));
        }
        json_decref(answer);
        for (int c = 0; c < 3; c++)
            for (json_t *json; (json = bed_take(clients[c])); json_decref(json))
                ;
    }
    bed_close(&bed);
}

// What an error tells the page: its code, and one of its arguments.
static void assert_problem(const Error *error, const char *code, const char *name,
                           const char *value)
{
    json_t *o = problem_view(error), *args = json_object_get(o, "args");
    assert_string_equal(json_string_value(json_object_get(o, "code")), code);
    assert_string_equal(json_string_value(json_object_get(o, "text")), error->text);
    if (name)
        assert_string_equal(json_string_value(json_object_get(args, name)), value);
    else
        assert_int_equal(json_object_size(args), 0);
    json_decref(o);
}

static void note_first(void *context, uint64_t line, const Error *problem)
{
    (void)line;
    if (!*((Error *)context)->text)
        *(Error *)context = *problem;
}

// The first problem of a PGN text.
static json_t *view_pgn_problem(const char *pgn)
{
    Error error = {0};
    PgnText *text = pgn_text_open(pgn, strlen(pgn), note_first, &error);
    assert_non_null(text);
    while (pgn_text_next(text))
        ;
    pgn_text_close(text);
    return problem_view(&error);
}

static void test_problems(void **state)
{
    (void)state;
    Position pos;
    Error error;
    const Rules *chess = &VARIANTS[VARIANT_CHESS];
    assert_false(position_from_fen(&pos, chess, "8/8/8/8/8/8/8/K7 w - - 0 1", &error));
    assert_problem(&error, "king-missing", "side", "black");
    assert_false(position_from_fen(&pos, chess, "8/8/8/8/8/8/8/K7 w - - zwölf 1", &error));
    assert_problem(&error, "counter-word", "text", "zwölf");
    assert_true(position_start(&pos, chess, 0, &error));
    assert_int_equal(move_from_san(&pos, "Ke4", &error), MOVE_NONE);
    assert_problem(&error, "move-unreachable", "piece", "king");
    assert_int_equal(move_from_san(&pos, "' is illegal", &error), MOVE_NONE);
    assert_problem(&error, "move-unreadable", "move", "' is illegal");
    error_code(&error, "game-over", "the game is over");
    assert_problem(&error, "game-over", NULL, NULL);
    error_set(&error, "the game is over");
    assert_problem(&error, "other", NULL, NULL);
    // A text that is no UTF-8 still is a message.
    assert_int_equal(move_from_san(&pos, "\xff\xfe", &error), MOVE_NONE);
    json_t *o = problem_view(&error);
    assert_true(json_is_string(json_object_get(o, "text")));
    assert_true(json_is_string(json_object_get(json_object_get(o, "args"), "move")));
    json_decref(o);
}

// A problem inside a problem, and one of the reader below.
static void test_pgn_problems(void **state)
{
    (void)state;
    json_t *o = view_pgn_problem("[FEN \"KKK5/8/8/8/8/8/8/k7 w - - 0 1\"]\n\n*\n");
    assert_string_equal(json_string_value(json_object_get(o, "code")), "pgn-fen");
    const json_t *inner = json_object_get(json_object_get(o, "args"), "problem");
    assert_string_equal(json_string_value(json_object_get(inner, "code")), "kings-many");
    assert_string_equal(json_string_value(json_object_get(inner, "text")),
                        "board: white has 3 kings");
    const json_t *kings = json_object_get(json_object_get(inner, "args"), "kings");
    assert_string_equal(json_string_value(kings), "3");
    json_decref(o);
    o = view_pgn_problem("1. e4 {never closed");
    assert_string_equal(json_string_value(json_object_get(o, "code")), "pgn-comment-open");
    json_decref(o);
}

// One address cannot take all places; this machine (a proxy) can.
static void test_addresses(void **state)
{
    (void)state;
    HubBed bed;
    HubConfig config = {.version = "test"};
    assert_true(bed_open_as(&bed, &config));
    for (int i = 0; i < VISITOR_CLIENTS_MAX; i++)
        assert_non_null(hub_connect(&bed.hub, NULL, "192.0.2.7"));
    assert_null(hub_connect(&bed.hub, NULL, "192.0.2.7"));
    assert_non_null(hub_connect(&bed.hub, NULL, "192.0.2.8"));
    for (int i = 0; i < 2 * VISITOR_CLIENTS_MAX; i++)
        assert_non_null(hub_connect(&bed.hub, NULL, "127.0.0.1"));
    bed_close(&bed);
}

// Asks as a new connection from an address, with nothing given back to it; the problem, or "".
static void ask_anew(HubBed *bed, const char *address, const char *text, char problem[32])
{
    Client *client = hub_connect(&bed->hub, NULL, address);
    assert_non_null(client);
    hub_receive(client, "{\"do\": \"hello\"}", 15);
    hub_receive(client, text, strlen(text));
    hub_turn(&bed->hub);
    problem[0] = 0;
    for (json_t *json; (json = bed_take(client)); json_decref(json)) {
        const json_t *error = json_object_get(json, "error");
        if (error)
            snprintf(problem, 32, "%s", json_string_value(json_object_get(error, "problem")));
    }
    hub_disconnect(client);
}

// New rooms and bytes are counted by address: neither a new connection nor a new name resets them,
// and others are not concerned.
static void test_returning(void **state)
{
    (void)state;
    HubBed bed;
    HubConfig config = {.version = "test", .keep_mb = 1};
    char problem[32];
    assert_true(bed_open_as(&bed, &config));
    int made = 0;
    do
        ask_anew(&bed, "192.0.2.7", "{\"do\": \"create\"}", problem);
    while (!*problem && ++made < 10 * VISITOR_CREATIONS);
    assert_string_equal(problem, "rooms-fast");
    assert_in_range(made, VISITOR_CREATIONS, 2 * VISITOR_CREATIONS);
    visitors_find(&bed.hub.visitors, "192.0.2.7")->bytes = -1;
    visitors_find(&bed.hub.visitors, "192.0.2.7")->creations = 10;
    ask_anew(&bed, "192.0.2.7", "{\"do\": \"create\"}", problem);
    assert_string_equal(problem, "quota");
    visitors_sweep(&bed.hub.visitors);
    ask_anew(&bed, "192.0.2.7", "{\"do\": \"create\"}", problem);
    assert_string_equal(problem, "quota");
    ask_anew(&bed, "192.0.2.8", "{\"do\": \"create\"}", problem);
    assert_string_equal(problem, "");
    bed_close(&bed);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),          cmocka_unit_test(test_tree_restore),
        cmocka_unit_test(test_timers),        cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_network),       cmocka_unit_test(test_moves_shown),
        cmocka_unit_test(test_store),         cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_addresses),     cmocka_unit_test(test_problems),
        cmocka_unit_test(test_returning),     cmocka_unit_test(test_pgn_problems),
        cmocka_unit_test(test_scarce_memory), cmocka_unit_test(test_visitors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
