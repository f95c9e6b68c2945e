// Opening books: keys of the published positions, every way to write a move, choice by weight,
// books made from moves and from text, files that are none.
#include "test_data.h"

#include <unistd.h>

#include "base/file.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "engine/engine.h"
#include "play/book_grow.h"
#include "play/player_list.h"
#include "tables/book_text.h"

static Position position_of(const Rules *rules, const char *fen)
{
    Position pos;
    Error error = {0};
    if (!position_from_fen(&pos, rules, fen, &error))
        fail_msg("%s: %s", fen, error.text);
    return pos;
}

static const Rules *const CHESS = &VARIANTS[VARIANT_CHESS];

// The vectors of the format's description.
static void test_keys(void **state)
{
    (void)state;
    static const struct {
        uint64_t key;
        const char *fen;
    } CASES[] = {
        {0x463b96181691fc9cu, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
        {0x823c9b50fd114196u, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"},
        {0x0756b94461c50fb0u, "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2"},
        {0x662fafb965db29d4u, "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"},
        {0x22a48b5a8e47ff78u, "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"},
        {0x652a607ca3f242c1u, "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3"},
        {0x00fdd303c946bdd9u, "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4"},
        {0x3c8123ea7b067637u, "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3"},
        {0x5c3f9b829b279560u, "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Position pos = position_of(CHESS, CASES[i].fen);
        if (book_key(&pos) != CASES[i].key)
            fail_msg("%s: %016llx", CASES[i].fen, (unsigned long long)book_key(&pos));
    }
}

// Chess960 shares the keys of chess, every other game has its own.
static void test_keys_of_games(void **state)
{
    (void)state;
    const char *fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    Position chess = position_of(CHESS, fen),
             shuffled = position_of(&VARIANTS[VARIANT_CHESS960], fen),
             corner = position_of(&VARIANTS[VARIANT_CORNER], fen),
             fortress = position_of(&VARIANTS[VARIANT_FORTRESS], fen);
    assert_true(book_key(&chess) == book_key(&shuffled));
    assert_true(book_key(&chess) != book_key(&corner));
    assert_true(book_key(&corner) != book_key(&fortress));
    // As docs/tables.md says: FNV-1a of "corner".
    assert_true((book_key(&corner) ^ book_key(&chess)) == 0x977d27dabc9e2210u);
}

static uint16_t code(const char *from_to, int promotion)
{
    int from = from_to[0] - 'a' + 8 * (from_to[1] - '1'),
        to = from_to[2] - 'a' + 8 * (from_to[3] - '1');
    return (uint16_t)(to | from << 6 | promotion << 12);
}

static void test_moves(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *squares;
        int promotion;
        const char *san; // NULL: no move
    } CASES[] = {
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1h1", 0, "O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1g1", 0, "O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1a1", 0, "O-O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1c1", 0, "O-O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "e8h8", 0, "O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "e8c8", 0, "O-O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w - -", "e1h1", 0, NULL},
        {"r3k2r/8/8/8/8/8/8/R3K2R w - -", "e1g1", 0, NULL},
        {"8/P7/8/8/8/8/8/k6K w - -", "a7a8", 4, "a8=Q"},
        {"8/P7/8/8/8/8/8/k6K w - -", "a7a8", 3, "a8=R"},
        {"8/P7/8/8/8/8/8/k6K w - -", "a7a8", 2, "a8=B"},
        {"8/P7/8/8/8/8/8/k6K w - -", "a7a8", 1, "a8=N"},
        {"8/P7/8/8/8/8/8/k6K w - -", "a7a8", 0, NULL},
        {"8/P7/8/8/8/8/8/k6K w - -", "a7a8", 5, NULL},
        {"8/8/8/8/8/8/8/R3K2k w - -", "e1f1", 4, NULL},
        {"8/8/8/8/8/8/8/R3K2k w - -", "e1g1", 0, NULL},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", 0, "exd6"},
        {"4k3/8/8/8/8/8/8/4K3 w - -", "a1a1", 0, NULL},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Position pos = position_of(CHESS, CASES[i].fen);
        Move m = book_move_read(&pos, code(CASES[i].squares, CASES[i].promotion));
        Move expected = CASES[i].san ? move_from_san(&pos, CASES[i].san, NULL) : MOVE_NONE;
        if (m != expected || (m && book_move_read(&pos, book_move_code(m)) != m))
            fail_msg("%s %s %d", CASES[i].fen, CASES[i].squares, CASES[i].promotion);
    }
}

// --- files -------------------------------------------------------------------------------------

static char folder[64];

static const char *temporary(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/lovac-book-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"a.bin", "b.bin", "bad.bin"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        unlink(temporary(NAMES[i]));
    return rmdir(folder);
}

// A book from a text; the reason of the first line that is refused, or "".
static const char *compile(const char *text, const char *path)
{
    static Error error;
    char *copy = strdup(text), *rest = copy, *line;
    BookMaker *maker = book_maker_new();
    BookTextReader reader;
    bool is_ok = true;
    error.text[0] = 0;
    book_text_init(&reader, maker, CHESS);
    while (is_ok && (line = strsep(&rest, "\n")))
        is_ok = book_text_read(&reader, line, &error);
    if (is_ok) {
        book_maker_finish(maker, 1);
        assert_true(book_maker_write(maker, path, &error));
    }
    book_maker_free(maker);
    free(copy);
    return error.text;
}

static const char TEXT[] = "# a small book\n"
                           "start\n"
                           "    e4 30\n"
                           "\td4   10   # the other one\n"
                           "    a3 0\n"
                           "1. e4 c5 2.Nf3\n"
                           "    d6\n"
                           "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n"
                           "    O-O 5\n"
                           "variant corner\n"
                           "start\n"
                           "    e4 7\n";

static Book *open_book(const char *path)
{
    Error error = {0};
    Book *book = book_open(path, &error);
    if (!book)
        fail_msg("%s", error.text);
    return book;
}

static void test_text(void **state)
{
    (void)state;
    BookMove list[MAX_MOVES];
    assert_string_equal(compile(TEXT, temporary("a.bin")), "");
    Book *book = open_book(temporary("a.bin"));
    assert_int_equal(book_count(book), 5); // the move without weight is gone
    Position pos = position_of(CHESS, CHESS->start_fen);
    assert_int_equal(book_find(book, &pos, list, MAX_MOVES), 2);
    assert_int_equal(list[0].move, move_from_san(&pos, "e4", NULL));
    assert_int_equal(list[0].weight, 30);
    assert_int_equal(list[1].weight, 10);
    assert_int_equal(book_find(book, &pos, list, 1), 1);
    assert_int_equal(list[0].weight, 30);
    pos = position_of(CHESS, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 9 50");
    assert_int_equal(book_find(book, &pos, list, MAX_MOVES), 1);
    assert_true(move_is_castle(list[0].move));
    const Rules *corner = &VARIANTS[VARIANT_CORNER];
    pos = position_of(corner, corner->start_fen);
    assert_int_equal(book_find(book, &pos, list, MAX_MOVES), 1);
    assert_int_equal(list[0].weight, 7);
    book_close(book);
}

static void test_bad_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } CASES[] = {
        {"    e4 1\n", "a move before any position"},
        {"start\n    e5 1\n", "e5"},
        {"start\n    e4 70000\n", "a weight is a number from 0 to 65535, not '70000'"},
        {"start\n    e4 1 x\n", "the third word of a move is its games, not 'x'"},
        {"start\n    e4 1 2 3\n", "a line has one move, its weight and its games"},
        {"1. e4 e4\n", "e4"},
        {"8/8/8 w - -\n", "board"},
        {"variant xyzzy\n", "unknown game 'xyzzy'"},
        {"key 12\n", "16 hexadecimal digits"},
        {"key 463b96181691fc9c\n    Nf3 1\n", "coordinates"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const char *reason = compile(CASES[i].text, temporary("b.bin"));
        if (!strstr(reason, CASES[i].reason))
            fail_msg("%s: %s", CASES[i].text, reason);
    }
}

// What is written can be read again and makes the same book.
static void test_round_trip(void **state)
{
    (void)state;
    static const char *const WITH_KEY =
        "start\n e4 3\n1. e4 d5\n exd5 1\nkey 00000000000000aa\n a7b8n 9\n";
    assert_string_equal(compile(WITH_KEY, temporary("a.bin")), "");
    Book *book = open_book(temporary("a.bin"));
    Position start = position_of(CHESS, CHESS->start_fen);
    char *text = NULL;
    size_t size = 0, others = 99;
    FILE *out = open_memstream(&text, &size);
    assert_true(book_text_write(book, &start, out, &others));
    fclose(out);
    assert_int_equal(others, 1 + 1); // after 1. e4 the book has no move for Black
    assert_non_null(strstr(text, "key 00000000000000aa\n    a7b8n  9\n"));
    book_close(book);
    size_t first, second;
    assert_string_equal(compile(text, temporary("b.bin")), "");
    char *a = file_read(temporary("a.bin"), 1 << 20, &first, NULL),
         *b = file_read(temporary("b.bin"), 1 << 20, &second, NULL);
    assert_int_equal(first, second);
    assert_memory_equal(a, b, first);
    free(a);
    free(b);
    free(text);
}

// Weights that do not fit are scaled together; counts below the least are left out.
static void test_maker(void **state)
{
    (void)state;
    BookMaker *maker = book_maker_new();
    Position pos = position_of(CHESS, CHESS->start_fen);
    Move e4 = move_from_san(&pos, "e4", NULL), d4 = move_from_san(&pos, "d4", NULL),
         c4 = move_from_san(&pos, "c4", NULL);
    for (int i = 0; i < 20000; i++)
        assert_true(book_maker_add(maker, &pos, e4, 20) && book_maker_add(maker, &pos, d4, 10));
    assert_true(book_maker_add(maker, &pos, c4, 2));
    assert_int_equal(book_maker_finish(maker, 2), 2);
    assert_int_equal(book_maker_entry(maker, 0).weight, 65535);
    assert_int_equal(book_maker_entry(maker, 0).learn, 20000);
    assert_int_equal(book_maker_entry(maker, 0).move, book_move_code(e4));
    assert_in_range(book_maker_entry(maker, 1).weight, 32766, 32768);
    assert_true(book_maker_set(maker, &pos, e4, 0));
    assert_int_equal(book_maker_finish(maker, 1), 1);
    book_maker_free(maker);
}

static void test_choice(void **state)
{
    (void)state;
    assert_string_equal(compile(TEXT, temporary("a.bin")), "");
    Book *book = open_book(temporary("a.bin"));
    Position pos = position_of(CHESS, CHESS->start_fen);
    Move e4 = move_from_san(&pos, "e4", NULL), d4 = move_from_san(&pos, "d4", NULL);
    int seen = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        Move m = book_choose(book, &pos, seed);
        assert_true(m == e4 || m == d4);
        assert_int_equal(m, book_choose(book, &pos, seed));
        seen += m == e4;
    }
    assert_in_range(seen, 2850, 3150); // three of four
    pos = position_of(CHESS, "4k3/8/8/8/8/8/8/4K3 w - -");
    assert_int_equal(book_choose(book, &pos, 1), MOVE_NONE);
    book_close(book);
}

static void test_bad_files(void **state)
{
    (void)state;
    uint8_t bytes[40] = {9, 9}; // the first key is greater than the second
    static const struct {
        size_t size;
        const char *reason;
    } CASES[] = {
        {0, "empty"}, {15, "multiple of 16"}, {40, "multiple of 16"}, {32, "out of order"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Error error = {0};
        assert_true(file_write(temporary("bad.bin"), bytes, CASES[i].size, NULL));
        assert_null(book_open(temporary("bad.bin"), &error));
        if (!strstr(error.text, CASES[i].reason) || !strstr(error.text, "bad.bin"))
            fail_msg("%s", error.text);
    }
    Error error = {0};
    assert_null(book_open("/no/such/book", &error));
    assert_non_null(strstr(error.text, "/no/such/book"));
}

// Any bytes as moves of a position: none but legal ones come back.
static void test_any_code(void **state)
{
    (void)state;
    static const char *const FENS[] = {"r3k2r/pP1ppp1p/8/2pP4/8/8/P1P1PP1p/R3K1R1 w KQkq c6",
                                       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"};
    for (int i = 0; i < 2; i++) {
        Position pos = position_of(CHESS, FENS[i]);
        for (unsigned c = 0; c < 65536; c++) {
            Move m = book_move_read(&pos, (uint16_t)c);
            assert_true(!m || (move_is_pseudo_legal(&pos, m) && move_is_legal(&pos, m)));
        }
    }
}

// --- published books ---------------------------------------------------------------------------

static void test_published(void **state)
{
    (void)state;
    char path[TEST_PATH_SIZE];
    BookMove list[MAX_MOVES];
    test_shared_or_skip("polyglot/gnuchess_book_1.02.bin", path);
    Book *book = open_book(path);
    assert_int_equal(book_count(book), 180358);
    Position pos = position_of(CHESS, CHESS->start_fen);
    assert_int_equal(book_find(book, &pos, list, MAX_MOVES), 13);
    assert_int_equal(list[0].move, move_from_san(&pos, "e4", NULL));
    // Follow it at random: only legal moves, and far.
    int plies = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        Move m;
        Undo undo;
        for (pos = position_of(CHESS, CHESS->start_fen); (m = book_choose(book, &pos, seed));
             plies++) {
            assert_true(move_is_pseudo_legal(&pos, m) && move_is_legal(&pos, m));
            position_make(&pos, m, &undo);
        }
    }
    assert_true(plies > 1000);
    book_close(book);
    test_shared_or_skip("polyglot/lasker-trap.bin", path);
    book = open_book(path);
    assert_int_equal(book_count(book), 7);
    book_close(book);
}

// --- the engine --------------------------------------------------------------------------------

static void test_engine(void **state)
{
    (void)state;
    assert_string_equal(compile(TEXT, temporary("a.bin")), "");
    Engine *engine = engine_new(NULL, NULL);
    SearchLimits limits = search_limits_none();
    SearchResult result;
    GameMemory memory = game_memory_none();
    limits.nodes = 200;
    limits.memory = &memory;
    assert_true(engine_load_book(engine, temporary("a.bin"), NULL));
    engine_think(engine, &limits, NULL, NULL, &result);
    assert_true(result.nodes > 0); // off by default
    EngineOptions options = *engine_options(engine);
    options.own_book = true;
    assert_true(engine_set_options(engine, &options, NULL));
    unsigned seen = 0;
    for (memory.seed = 0; memory.seed < 40; memory.seed++) {
        engine_think(engine, &limits, NULL, NULL, &result);
        assert_int_equal(result.nodes, 0);
        assert_int_equal(result.score, SCORE_NONE);
        seen |= move_from(result.best) % 8 == 4 ? 1 : 2; // the e-pawn, the d-pawn
    }
    assert_int_equal(seen, 3);
    options.analyse_mode = true; // a study wants a search
    assert_true(engine_set_options(engine, &options, NULL));
    engine_think(engine, &limits, NULL, NULL, &result);
    assert_true(result.nodes > 0);
    Error error = {0};
    assert_false(engine_load_book(engine, "/no/such/book", &error));
    assert_true(error.text[0]);
    assert_true(engine_book_move(engine, 1));
    assert_true(engine_load_book(engine, "none", NULL));
    assert_false(engine_book_move(engine, 1));
    assert_true(engine_load_book(engine, "", NULL)); // the built-in one
    assert_true(engine_book_move(engine, 1));
    engine_free(engine);
}

// --- a book of our own -------------------------------------------------------------------------

enum { MOST_POSITIONS = 20000 };

// What a walk has seen of a book.
typedef struct Walk {
    const Book *book;
    uint64_t seen[MOST_POSITIONS];
    int count;
    size_t moves;
} Walk;

// From here on to all positions that the book knows, by its own moves or by others; each is counted
// once.
static void walk_book(Walk *walk, const Position *pos)
{
    BookMove known[MAX_MOVES];
    Move list[MAX_MOVES];
    uint64_t key = book_key(pos);
    int count = book_find(walk->book, pos, known, MAX_MOVES);
    if (!count)
        return;
    for (int i = 0; i < walk->count; i++)
        if (walk->seen[i] == key)
            return;
    assert_true(walk->count < MOST_POSITIONS);
    walk->seen[walk->count++] = key;
    walk->moves += (size_t)count;
    count = movegen_legal(pos, STAGE_ALL, list);
    for (int i = 0; i < count; i++) {
        Position next = *pos;
        Undo undo;
        position_make(&next, list[i], &undo);
        walk_book(walk, &next);
    }
}

// Every move of the built-in book is legal and can be met from a start; it has something to say
// about each of its games, and more than one thing.
static void test_built_in(void **state)
{
    (void)state;
    static const int GAMES[] = {VARIANT_CHESS, VARIANT_LEGAN, VARIANT_HORDE32};
    Walk *walk = calloc(1, sizeof *walk);
    Book *book = book_built_in(NULL);
    walk->book = book;
    for (size_t i = 0; i < sizeof GAMES / sizeof *GAMES; i++) {
        Position start = position_of(&VARIANTS[GAMES[i]], VARIANTS[GAMES[i]].start_fen);
        BookMove list[MAX_MOVES];
        assert_true(book_find(book, &start, list, MAX_MOVES) > 1);
        walk_book(walk, &start);
    }
    assert_int_equal(walk->moves, book_count(book));
    book_close(book);
    free(walk);
}

static BookMaker *grown(const char *fen, int positions, int threads)
{
    BookMaker *maker = book_maker_new();
    GrowConfig config = {.start = position_of(CHESS, fen),
                         .positions = positions,
                         .nodes = 1500,
                         .lines = 4,
                         .margin = 30,
                         .max_ply = 8,
                         .decided = 250,
                         .threads = threads};
    assert_true(book_grow(&config, maker, NULL));
    return maker;
}

// The same book with any number of threads; as many positions as asked for; a mate is found and
// alone; where the game ends nothing grows.
static void test_grow(void **state)
{
    (void)state;
    BookMaker *one = grown(CHESS->start_fen, 40, 1), *two = grown(CHESS->start_fen, 40, 3);
    size_t count = book_maker_finish(one, 1), positions = 0;
    assert_int_equal(count, book_maker_finish(two, 1));
    for (size_t i = 0; i < count; i++) {
        BookEntry a = book_maker_entry(one, i), b = book_maker_entry(two, i);
        assert_memory_equal(&a, &b, sizeof a);
        positions += !i || a.key != book_maker_entry(one, i - 1).key;
    }
    assert_int_equal(positions, 40);
    book_maker_free(one);
    book_maker_free(two);
    one = grown("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 10, 1);
    assert_int_equal(book_maker_finish(one, 1), 1);
    assert_int_equal(book_maker_entry(one, 0).move, 0 << 6 | 56); // a1a8
    book_maker_free(one);
}

// A weak level that shall be varied begins by the book, and not always alike; others do not ask it.
static void test_varied_level(void **state)
{
    (void)state;
    GameStep steps[4];
    Game game;
    Position start = position_of(CHESS, CHESS->start_fen);
    Engine *engine = engine_new(NULL, NULL);
    PlayerSpec *spec = calloc(1, sizeof *spec);
    SearchLimits limits = search_limits_none();
    Move first = MOVE_NONE;
    int others = 0, searched = 0;
    game_init(&game, &start, steps, 4);
    assert_true(player_list_find(NULL, "level=2", NULL, spec, NULL));
    Player *player = player_new_on(spec, engine, NULL);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        PlayerMove answer = {0};
        player->is_varied = true;
        player_new_game(player, CHESS, seed, NULL);
        player_choose(player, &game, &limits, &answer);
        assert_int_equal(answer.score, SCORE_NONE);
        first = first ? first : answer.move;
        others += answer.move != first;
        player->is_varied = false;
        player_choose(player, &game, &limits, &answer);
        searched += answer.score != SCORE_NONE;
    }
    assert_in_range(others, 1, 19);
    assert_int_equal(searched, 20);
    player_free(player);
    engine_free(engine);
    free(spec);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),         cmocka_unit_test(test_keys_of_games),
        cmocka_unit_test(test_moves),        cmocka_unit_test(test_text),
        cmocka_unit_test(test_bad_text),     cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_maker),        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_bad_files),    cmocka_unit_test(test_any_code),
        cmocka_unit_test(test_published),    cmocka_unit_test(test_engine),
        cmocka_unit_test(test_built_in),     cmocka_unit_test(test_grow),
        cmocka_unit_test(test_varied_level),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
