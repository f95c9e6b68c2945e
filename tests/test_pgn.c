// PGN: tokens, whole games, round trips, and every kind of damage.
#include <dirent.h>
#include <time.h>

#include "base/memory.h"
#include "core/pgn.h"
#include "core/pgn_write.h"
#include "notation_help.h"

// ---- texts in memory as sources and sinks
// ----------------------------------------------------------

typedef struct Text {
    char *bytes;
    size_t size, capacity;
    size_t at, step; // for reading: how far, and how much at a time (0: all)
} Text;

static size_t text_source(void *context, char *buffer, size_t size)
{
    Text *text = context;
    size_t left = text->size - text->at;
    size_t part = left < size ? left : size;
    if (text->step && part > text->step)
        part = text->step;
    if (part)
        memcpy(buffer, text->bytes + text->at, part);
    text->at += part;
    return part;
}

static bool text_sink(void *context, const char *bytes, size_t size)
{
    Text *text = context;
    if (text->size + size + 1 > text->capacity) {
        text->capacity = (text->size + size + 1) * 2;
        text->bytes = realloc(text->bytes, text->capacity);
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = 0;
    return true;
}

static void text_add(Text *text, const char *more)
{
    text_sink(text, more, strlen(more));
}

// ---- tokens
// ----------------------------------------------------------------------------------------

// All tokens of a text in one line: tags [name|value], moves, {comments}, $nags, ( ), results,
// !problems.
static void dump_tokens(const char *bytes, size_t size, size_t step, Text *out)
{
    static PgnReader reader;
    char *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    Text source = {.bytes = copy, .size = size, .step = step};
    PgnToken token;
    pgn_reader_init(&reader, text_source, &source);
    out->size = 0;
    text_add(out, "");
    while (pgn_read(&reader, &token)) {
        char number[32];
        assert_int_equal(token.text[token.size], 0);
        switch (token.kind) {
        case PGN_TAG:
            text_add(out, "[");
            text_add(out, token.text);
            text_add(out, "|");
            text_sink(out, token.value, token.value_size);
            assert_int_equal(token.value[token.value_size], 0);
            text_add(out, "]");
            break;
        case PGN_COMMENT:
            text_add(out, token.is_continued ? "{+" : "{");
            text_sink(out, token.text, token.size);
            text_add(out, "}");
            break;
        case PGN_NAG:
            snprintf(number, sizeof number, "$%d", token.number);
            text_add(out, number);
            break;
        case PGN_RESULT:
            text_add(out, token.is_missing ? "<none>" : "<");
            if (!token.is_missing)
                text_add(out, result_text((Result)token.number)), text_add(out, ">");
            break;
        case PGN_PROBLEM:
            snprintf(number, sizeof number, "!%llu:", (unsigned long long)token.line);
            text_add(out, number);
            text_add(out, token.text);
            text_add(out, "!");
            break;
        default: text_sink(out, token.text, token.size);
        }
        text_add(out, " ");
    }
    if (out->size)
        out->bytes[--out->size] = 0;
    free(copy);
}

static void test_tokens(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", ""},
        {" \n\t\r\n", ""},
        {"1. e4 e5 2.Nf3 Nc6 3...Bb5 1-0", "e4 e5 Nf3 Nc6 Bb5 <1-0>"},
        {"1e4 e5 *", "e4 e5 <*>"},
        {"[A \"b\"]\n\n*", "[A|b] <*>"},
        {"\xef\xbb\xbf[A \"b\"] *\n\xef\xbb\xbf[A \"c\"] *", "[A|b] <*> [A|c] <*>"},
        {"[A \"b\\\"\"] [B \"\\\\\"] [C \"A]]\"] [D \"\\\"A]][\\\"\"]*",
         "[A|b\"] [B|\\] [C|A]]] [D|\"A]][\"] <*>"},
        {"[A \"say \"hello\" twice\"]\n*", "[A|say \"hello\" twice] <*>"},
        {"[A \"C:\\\"]\n*", "[A|C:\\] !1:tag: backslash at the end of the value! <*>"},
        {"[A b c]\n*", "[A|b c] !1:tag without quotes! <*>"},
        {"[A]\n*", "[A|] !1:tag without quotes! <*>"},
        {"[A \"b]\n*", "[A|b] !1:tag: quote not closed! <*>"},
        {"[A \"b\n*", "[A|b] !1:tag not closed! <*>"},
        {"[]\n*", "!1:tag without quotes! <*>"},
        {"[", "!1:tag not closed!"},
        {"[A", "[A|] !1:tag not closed! <none>"},
        {"e4 {a\nb} e5 ;c { ( \n d4 *", "e4 {a\nb} e5 {c { ( } d4 <*>"},
        {"% [A \"b\"]\ne4 %\n%x\ne5 *", "e4 !2:stray character! e5 <*>"},
        {"e4! e5?? d4!? $7 $255 d5?!? $ *",
         "e4 $1 e5 $4 d4 $5 $7 $255 d5 $6 $2 !1:$ without a good number! <*>"},
        {"e4 +- e5 = d4 +/= N *", "e4 $18 e5 $10 d4 $14 $146 <*>"},
        {"e4 (d4 (c4) d5) e5 1/2-1/2", "e4 ( d4 ( c4 ) d5 ) e5 <1/2-1/2>"},
        {"e4 (d4 *", "e4 ( d4 !1:result inside a variation! !1:variation not closed at the end of "
                     "the game! <none>"},
        {"e4 (d4 1-0\n[A \"b\"] *", "e4 ( d4 !1:result inside a variation! !2:variation not closed "
                                    "at the end of the game! <1-0> [A|b] <*>"},
        {"e4) e5 *", "e4 !1:closing parenthesis without an opening one! e5 <*>"},
        {"e4 } e5 *", "e4 !1:closing brace without an opening one! e5 <*>"},
        {"e4 {unclosed", "e4 {unclosed} !1:comment not closed! <none>"},
        {"e4 {unclosed\n[Event \"b\"]\n d4 {c} *",
         "e4 {unclosed\n} !2:comment not closed before a new game! <none> [Event|b] d4 {c} <*>"},
        {"[Event \"a\"]\n{unclosed\n[Event \"b\"]\n*",
         "[Event|a] {unclosed\n} !3:comment not closed before a new game! <none> [Event|b] <*>"},
        {"1. e4 e5 2. d4\n\n[Event \"b\"]\n*", "e4 e5 d4 <none> [Event|b] <*>"},
        {"1. e4 e5 2. d4\n\n  1. c4 *", "e4 e5 d4 <none> c4 <*>"},
        {"e4 [%clk 1] e5 *",
         "e4 !1:bracket among the moves! !1:stray character! clk !1:stray character! e5 <*>"},
        {"Z0 -- 0000 @@@@ 0-0 0-0-0+ O-O *", "-- -- -- -- 0-0 0-0-0+ O-O <*>"},
        {"a8(Q) b8(c8) *", "a8(Q) b8 ( c8 ) <*>"},
        {"exd6 e.p. exd6e.p. e4. + *", "exd6 exd6e.p. e4 <*>"},
        {"1-0 0-1 1/2 \xc2\xbd-\xc2\xbd", "<1-0> <0-1> <1/2-1/2> <1/2-1/2>"},
        {"e4 <x> e5 *", "e4 !1:reserved sign < or >! x !1:reserved sign < or >! e5 <*>"},
        {"{first} [A \"b\"] e4 *", "{first} [A|b] e4 <*>"},
        {"[A \"1\"]\n\n[B \"2\"]\n[B \"3\"]\n\n[A \"4\"]\n",
         "[A|1] [B|2] [B|3] <none> [A|4] <none>"},
        {"* {after}", "<*> {after} <none>"},
    };
    Text out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t step = 0; step < 3; step++) {
            dump_tokens(cases[i].text, strlen(cases[i].text), step, &out);
            assert_string_equal(out.bytes, cases[i].expected);
        }
    dump_tokens("e4 \0\0\0 e5\0*", 11, 0, &out);
    assert_string_equal(out.bytes, "e4 !1:stray character! e5 !1:stray character! <*>");
    free(out.bytes);
}

// ---- random games with everything in them
// ----------------------------------------------------------

static const char *const WORDS[] = {"good",
                                    "%",
                                    "[Event",
                                    "\"x\"]",
                                    "[%clk 1:02:03]",
                                    "",
                                    "(",
                                    ")",
                                    "$3",
                                    "1-0",
                                    "*",
                                    "\xc3\xa9",
                                    "{",
                                    ";",
                                    "e4",
                                    "   ",
                                    "better was",
                                    "a-very-long-word-without-any-blank-in-it"};

static void random_text(Random *random, bool with_brace, char *out, size_t size)
{
    size_t used = 0;
    int words = (int)random_below(random, 40);
    out[0] = 0;
    for (int i = 0; i < words; i++) {
        const char *word = WORDS[random_below(random, sizeof WORDS / sizeof *WORDS)];
        int n = snprintf(out + used, size - used, "%s%s", random_below(random, 8) ? " " : "", word);
        used += (size_t)n;
    }
    if (with_brace && !random_below(random, 10))
        snprintf(out + used, size - used, " } and more");
}

static void add_decorations(PgnGame *game, Random *random)
{
    char text[4096];
    while (!random_below(random, 8))
        assert_true(pgn_game_add_nag(game, (int)random_below(random, 256)));
    while (!random_below(random, 8)) {
        random_text(random, true, text, sizeof text);
        assert_true(pgn_game_add_comment(game, text));
    }
}

// Random moves from the level that the game stands on, with variations on them.
static void add_line(PgnGame *game, Random *random, int plies)
{
    add_decorations(game, random);
    for (int i = 0; i < plies; i++) {
        const Position *now = &game->levels[game->depth].now;
        Move list[MAX_MOVES];
        int count = movegen_legal(now, STAGE_ALL, list);
        bool passes = !position_in_check(now) && !random_below(random, 100);
        if (!count)
            return;
        assert_true(pgn_game_add_move(game, passes ? MOVE_NONE
                                                   : list[random_below(random, (uint64_t)count)]));
        add_decorations(game, random);
        while (!random_below(random, 12) && game->depth < 10) {
            assert_true(pgn_game_open(game));
            add_line(game, random, 1 + (int)random_below(random, 6));
            assert_true(pgn_game_close(game));
            add_decorations(game, random);
        }
    }
}

static void make_game(PgnGame *game, const Rules *rules, uint64_t seed, int plies)
{
    Random random;
    Position start;
    char text[4096];
    uint64_t starts = rules_start_count(rules);
    random_init(&random, seed);
    assert_true(position_start(&start, rules, starts ? seed % starts : seed, NULL));
    assert_true(pgn_game_begin(game, &start));
    static const char *const names[] = {"Event", "Site", "Date", "Round", "White", "Black"};
    for (int i = 0; i < 6; i++)
        assert_true(pgn_game_add_tag(game, names[i], "?"));
    game->result = (Result)random_below(&random, 4);
    assert_true(pgn_game_set_tag(game, "Result", result_text(game->result)));
    for (int i = 0; i < 3; i++) {
        random_text(&random, false, text, sizeof text);
        assert_true(pgn_game_add_tag(game, i ? "Note" : "Annotator", text));
        random_text(&random, true, text, sizeof text);
        assert_true(pgn_game_set_tag(game, "White", i == 1 ? "back\\slash \"quoted\"\\" : text));
    }
    add_line(game, &random, plies);
}

static void fail_on_report(void *context, uint64_t line, const Error *problem)
{
    (void)context;
    fail_msg("line %llu: %s", (unsigned long long)line, problem->text);
}

static void check_same_game(const PgnGame *a, const PgnGame *b)
{
    assert_true(a->start.state.key == b->start.state.key);
    assert_ptr_equal(a->start.rules, b->start.rules);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->item_count, b->item_count);
    for (uint32_t i = 0; i < a->item_count; i++) {
        assert_int_equal(a->items[i].kind, b->items[i].kind);
        assert_int_equal(a->items[i].value, b->items[i].value);
        if (a->items[i].kind == PGN_ITEM_COMMENT)
            assert_string_equal(a->text + a->items[i].text, b->text + b->items[i].text);
    }
    assert_int_equal(a->tag_count, b->tag_count);
    for (uint32_t i = 0; i < a->tag_count; i++) {
        const char *name = a->text + a->tags[i].name;
        if (strcmp(name,
                   "Note")) // several of one name: their order is seen in the text written again
            assert_string_equal(pgn_game_tag(a, name), pgn_game_tag(b, name));
    }
}

static void check_width(const Text *text)
{
    size_t column = 0, from = 0;
    bool in_moves = false;
    for (size_t i = 0; i < text->size; i++) {
        unsigned char c = (unsigned char)text->bytes[i];
        if (c == '\n') {
            // Only a tag or a comment that cannot be broken may be longer.
            bool is_free = text->bytes[from] == '[' || memchr(text->bytes + from, ';', i - from);
            bool has_long_word = memmem(text->bytes + from, i - from, " %", 2) ||
                                 memmem(text->bytes + from, i - from, " [Event", 7);
            for (size_t j = from, run = 0; j < i; j++) {
                run = text->bytes[j] == ' ' ? 0 : run + 1;
                has_long_word |= run > 60;
            }
            if (in_moves && !is_free && !has_long_word && column > 79)
                fail_msg("%zu columns: %.*s", column, (int)(i - from), text->bytes + from);
            in_moves |= i == from;
            from = i + 1;
            column = 0;
        } else {
            column += (c & 0xc0) != 0x80;
        }
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    static PgnReader reader;
    static PgnGame made, read;
    Text first = {0}, second = {0};
    pgn_game_init(&made, memory_from_heap, NULL, NULL);
    pgn_game_init(&read, memory_from_heap, fail_on_report, NULL);
    uint64_t games = test_level() == TEST_QUICK ? 20 : 200;
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (uint64_t seed = 0; seed < games; seed++) {
            make_game(&made, &VARIANTS[v], seed, 120);
            first.size = first.at = second.size = 0;
            first.step = seed % 3 ? 0 : 7;
            assert_true(pgn_game_write(&made, text_sink, &first));
            check_width(&first);
            pgn_reader_init(&reader, text_source, &first);
            assert_true(pgn_game_read(&read, &reader, NULL));
            assert_true(read.is_complete);
            check_same_game(&made, &read);
            assert_false(pgn_game_read(&made, &reader, NULL));
            assert_true(pgn_game_write(&read, text_sink, &second));
            assert_string_equal(first.bytes, second.bytes);
        }
    pgn_game_release(&made);
    pgn_game_release(&read);
    free(first.bytes);
    free(second.bytes);
}

// ---- reading games
// ---------------------------------------------------------------------------------

static void append_report(void *context, uint64_t line, const Error *problem)
{
    char message[400];
    snprintf(message, sizeof message, "%llu: %s\n", (unsigned long long)line, problem->text);
    text_add(context, message);
}

// Reads all games of a text; writes them again; the reports.
static int read_all(const char *bytes, size_t size, Text *written, Text *reports)
{
    static PgnReader reader;
    static PgnGame game;
    char *copy = malloc(size + 1); // exactly sized, so that a sanitizer sees a step too far
    memcpy(copy, bytes, size);
    Text source = {.bytes = copy, .size = size};
    int games = 0;
    written->size = reports->size = 0;
    text_add(written, "");
    text_add(reports, "");
    pgn_game_init(&game, memory_from_heap, append_report, reports);
    pgn_reader_init(&reader, text_source, &source);
    while (pgn_game_read(&game, &reader, NULL)) {
        games++;
        pgn_game_write(&game, text_sink, written);
    }
    pgn_game_release(&game);
    free(copy);
    return games;
}

static void test_games(void **state)
{
    (void)state;
    static const struct {
        const char *text, *moves, *reports;
    } cases[] = {
        {"1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nf3 *", ""},
        {"1. e4 e5 2. Nd4 Nf6 3. c3 {never seen} 1-0", "1. e4 e5 1-0",
         "1: 'Nd4' is illegal: no knight can go there\n"},
        {"1. e4 (1. d4 d5 2. Nh5 Nf6 (2... e6) {x}) 1... e5 (1... e4) 2. d4 *",
         "1. e4 (1. d4 d5) 1... e5 2. d4 *",
         "1: 'Nh5' is illegal: no knight can go there\n1: 'e4' is illegal: no pawn can go there\n"},
        {"(1. d4 d5) 1. e4 *", "1. e4 *", "1: variation before any move\n"},
        {"1. e4 -- 2. d4 Z0 3. Bb5 -- *", "1. e4 -- 2. d4 -- 3. Bb5 -- *", ""},
        {"1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- 0-1", "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ 0-1",
         "1: '--' is illegal: the king is in check\n"},
        {"[Result \"1-0\"]\n\n1. e4", "1. e4 1-0", "3: result missing at the end of the game\n"},
        {"[Result \"1-0\"]\n\n1. e4 0-1", "1. e4 0-1",
         "3: Result tag says '1-0', the end of the game 0-1\n"},
        {"[FEN \"8/8 w\"]\n\n1. e4 *", "*", "3: FEN tag: board: 2 ranks, not 8\n"},
        {"[Variant \"Crazyhouse\"]\n\n1. e4 *", "*", "3: Variant: 'Crazyhouse' is not known\n"},
        {"[Variant \"Legan\"]\n\n1. f5 c4 *", "1. f5 c4 *", ""},
        {"[Variant \"massacre\"]\n\n*", "*",
         "3: FEN tag: missing, and Massacre has no usual start\n"},
        {"[FEN \"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1\"]\n\n1. O-O-O *", "1. O-O-O *", ""},
        {"[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. e4 $1 {x} *",
         "7... Kd7 8. e4 $1 {x} *", ""},
        {"{a} {b} 1. e4 {c} ({d} 1. d4) {e} e5 $5 *",
         "{a} {b} 1. e4 {c} ({d} 1. d4) {e} 1... e5 $5 *", ""},
    };
    Text written = {0}, reports = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_all(cases[i].text, strlen(cases[i].text), &written, &reports), 1);
        assert_string_equal(reports.bytes, cases[i].reports);
        const char *moves = strstr(written.bytes, "\n\n") + 2;
        assert_memory_equal(moves, cases[i].moves, strlen(cases[i].moves));
        assert_string_equal(moves + strlen(cases[i].moves), "\n\n");
    }
    free(written.bytes);
    free(reports.bytes);
}

// A parenthesis before the tags of a game is a game of its own and takes nothing from the next one.
static void test_stray_parenthesis(void **state)
{
    (void)state;
    static const char text[] = "(\n[Event \"x\"]\n\n1. e4 1-0\n";
    Text written = {0}, reports = {0};
    assert_int_equal(read_all(text, strlen(text), &written, &reports), 2);
    assert_non_null(strstr(written.bytes, "[Event \"x\"]"));
    assert_non_null(strstr(written.bytes, "\n\n1. e4 1-0\n"));
    free(written.bytes);
    free(reports.bytes);
}

// A game with everything, cut at every byte, and with every byte damaged: never a crash, never a
// hang, and what was written of it is read again without complaint.
static const char RICH[] =
    "\xef\xbb\xbf[Event \"F\\\"S\\\\ \xfcml\"]\r\n[Site \"x\"] [Date \"2026.01.02\"]\n% "
    "escape\n[Result \"1-0\"]\n\n"
    "{before} 1. e4! {[%clk 0:01] (a\nb)} e5 $2 (1... c5 2. Nf3 (2. c3!? d5 ; to the end }\n3. "
    "exd5) 2... d6) "
    "2. f4 exf4 3. Nf3 g5 4. h4 -- 5. O-O *\n\n"
    "[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - "
    "2 9\"]\n"
    "9. O-O d5 (9... O-O) 1/2-1/2\n[Event]\n\n1. e4 e6 2. 0000 d5 1-0 ";

static void check_damaged(const char *bytes, size_t size, Text *written, Text *reports)
{
    Text again = {0}, none = {0};
    int games = read_all(bytes, size, written, reports);
    assert_true(games <= 8);
    assert_int_equal(read_all(written->bytes, written->size, &again, &none), games);
    // An unknown variant or a bad FEN stays one.
    if (!strstr(none.bytes, "FEN tag") && !strstr(none.bytes, "Variant") &&
        !strstr(none.bytes, "Result"))
        assert_string_equal(none.bytes, "");
    assert_string_equal(again.bytes, written->bytes);
    free(again.bytes);
    free(none.bytes);
}

static void test_damage(void **state)
{
    (void)state;
    Text written = {0}, reports = {0};
    char text[sizeof RICH];
    for (size_t size = 0; size < sizeof RICH; size++)
        check_damaged(RICH, size, &written, &reports);
    for (size_t i = 0; i + 1 < sizeof RICH; i++)
        for (const char *p = "\n{}()[]\"\\;%0*.$ \x01\xff"; *p; p++) {
            memcpy(text, RICH, sizeof RICH);
            text[i] = *p;
            check_damaged(text, sizeof RICH - 1, &written, &reports);
        }
    free(written.bytes);
    free(reports.bytes);
}

// Texts that would take a careless reader more than linear time or memory.
static void test_linear(void **state)
{
    (void)state;
    static const char *const patterns[] = {
        "(",    "e4 (",      "[",       "[]", "[\"]", "[\"x] ",       "[x \"", "{",  "}",
        ")",    "a",         "1.",      "$",  "%",    "\n%",          ";",     "\n", " ",
        "\\\"", "[A \"\\\"", "e4 {x} ", "*",  "1-0 ", "\xef\xbb\xbf", "<",     "!?", "{\n[Event \"",
        "\x01"};
    size_t size = test_level() == TEST_QUICK ? 1 << 20 : 10 << 20;
    static PgnReader reader;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        Text text = {.bytes = malloc(size), .size = size};
        size_t length = strlen(patterns[i]);
        for (size_t at = 0; at < size; at++)
            text.bytes[at] = patterns[i][at % length];
        PgnToken token;
        uint64_t tokens = 0;
        clock_t begin = clock();
        pgn_reader_init(&reader, text_source, &text);
        while (pgn_read(&reader, &token))
            tokens++;
        double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        assert_true(tokens <= 2 * size + 2);
        if (seconds > 3)
            fail_msg("10 MB of '%s' took %.1f s", patterns[i], seconds);
        free(text.bytes);
    }
}

// Deep nesting is cut off with a report, and the game goes on behind it.
static void test_deep(void **state)
{
    (void)state;
    Text text = {0}, written = {0}, reports = {0};
    text_add(&text, "1. e4 ");
    for (int i = 0; i < 100000; i++)
        text_add(&text, i % 2 ? "(1. d4 " : "(1. e4 ");
    for (int i = 0; i < 100000; i++)
        text_add(&text, ")");
    text_add(&text, " e5 *");
    assert_int_equal(read_all(text.bytes, text.size, &written, &reports), 1);
    assert_string_equal(reports.bytes, "1: variations nested too deep\n");
    assert_non_null(strstr(written.bytes, "1... e5 *"));
    free(text.bytes);
    free(written.bytes);
    free(reports.bytes);
}

static bool failing_sink(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return false;
}

// Gives memory a number of times, then no more.
static void *scarce_memory(void *context, void *memory, size_t size)
{
    int *left = context;
    if (size && (*left)-- <= 0)
        return NULL;
    return memory_from_heap(NULL, memory, size);
}

static void test_faults(void **state)
{
    (void)state;
    static PgnReader reader;
    static PgnGame game;
    for (int allowed = 0; allowed < 12; allowed++) {
        int left = allowed;
        Text text = {0};
        text_add(&text, "[A \"b\"]\n\n");
        for (int i = 0; i < 300; i++)
            text_add(&text, "1. Nf3 {comment comment comment} Nf6 2. Ng1 (2. d4 d5) Ng8 ");
        text_add(&text, "*");
        pgn_game_init(&game, scarce_memory, NULL, &left);
        pgn_reader_init(&reader, text_source, &text);
        assert_true(pgn_game_read(&game, &reader, NULL));
        assert_int_equal(game.is_complete, left >= 0);
        assert_false(pgn_game_write(&game, failing_sink, NULL));
        pgn_game_release(&game);
        free(text.bytes);
    }
}

// ---- the large collection
// --------------------------------------------------------------------------

static void test_shared_files(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int games, reports;
    } files[] = {
#include "pgn_expected.inc"
    };
    char path[TEST_PATH_SIZE];
    test_shared_or_skip("pgn/chess-library/basic.pgn", path);
    Text written = {0}, reports = {0};
    int wrong = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[256];
        snprintf(name, sizeof name, "pgn/%s", files[i].name);
        test_shared_or_skip(name, path);
        FILE *file = fopen(path, "rb");
        Text text = {.bytes = malloc(4 << 20)};
        text.size = fread(text.bytes, 1, 4 << 20, file);
        fclose(file);
        int games = read_all(text.bytes, text.size, &written, &reports), lines = 0;
        for (const char *p = reports.bytes; (p = strchr(p, '\n')); p++)
            lines++;
        if (games != files[i].games || lines != files[i].reports) {
            print_error("{\"%s\", %d, %d},\n%s", files[i].name, games, lines, reports.bytes);
            wrong++;
        }
        free(text.bytes);
    }
    free(written.bytes);
    free(reports.bytes);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),       cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_games),        cmocka_unit_test(test_stray_parenthesis),
        cmocka_unit_test(test_damage),       cmocka_unit_test(test_linear),
        cmocka_unit_test(test_deep),         cmocka_unit_test(test_faults),
        cmocka_unit_test(test_shared_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
