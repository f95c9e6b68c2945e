// `lovac book`: opening books made from games or by hand, looked at, mixed. The work is
// tables/book.h, book_make.h and book_text.h.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/long_run.h"
#include "app/options.h"
#include "app/setup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/str.h"
#include "base/stream.h"
#include "base/thread.h"
#include "core/fen.h"
#include "core/notation.h"
#include "core/pgn.h"
#include "play/book_grow.h"
#include "tables/book.h"
#include "tables/book_make.h"
#include "tables/book_text.h"

const char help_book[] =
    "Usage: lovac book make GAMES.pgn ... --output BOOK.bin [--min-count N] [--max-ply N]\n"
    "       lovac book show FEN [--book BOOK.bin]          the moves of a position\n"
    "       lovac book dump BOOK.bin [--output BOOK.txt]   the book as a text\n"
    "       lovac book compile BOOK.txt --output BOOK.bin  and back\n"
    "       lovac book edit BOOK.bin FEN MOVE WEIGHT       one weight; 0 takes the move out\n"
    "       lovac book merge BOOK.bin ... --output BOOK.bin\n"
    "       lovac book grow start --output BOOK.bin [--positions N] [--nodes N] [--margin CP]\n"
    "\n"
    "Books are in Polyglot's format. make counts the moves of games (packed or not): a win is\n"
    "worth two points for the winner's moves, a draw one for each side, and the points are the\n"
    "weights. A text has positions (`start`, a FEN, or moves from the start) at the first\n"
    "column and below each its moves, indented, with their weights. merge adds weights. grow\n"
    "makes a book from Lovac's own analysis: the likeliest position (from the start, or a FEN) is\n"
    "searched next, and moves that lose little beside the best are kept. Ctrl-C ends it early.\n"
    "\n"
    "  --output FILE     where the result goes; dump writes to the terminal without it\n"
    "  --book FILE       for show (Lovac's own, which is part of the program)\n"
    "  --min-count N     make: leave out moves played less often (3)\n"
    "  --max-ply N       make, grow: only the first N half-moves of a game (40)\n"
    "  --positions N     grow: how many are searched (1000)\n"
    "  --nodes N         grow: for each (20000)\n"
    "  --margin CP       grow: centipawns that a move may lose (25)\n"
    "  --decided CP      grow: no moves where a side has so much (250)\n"
    "  --threads N       grow: positions searched at a time (one for each processor)\n"
    "  --variant NAME    the game, where the file does not say (chess)\n"
    "  --quiet           no progress bar\n"
    "\n"
    "Example: lovac book make games.pgn --output book.bin --min-count 5\n"
    "         lovac book show start --book book.bin\n";

typedef struct BookArguments {
    const char *output, *book, *variant;
    long long min_count, max_ply, positions, margin, decided, threads;
    unsigned long long nodes;
    bool is_quiet;
    const atomic_bool *stop; // grow
    const Rules *rules;
    Words words; // without the action
} BookArguments;

static bool failed_memory(Error *error)
{
    return error_set(error, "no memory");
}

// --- make ------------------------------------------------------------------------------------

typedef struct Make {
    const BookArguments *arguments;
    BookMaker *maker;
    Stream *in;
    Progress progress;
    PgnReader reader;
    PgnGame game;
    uint64_t games, problems;
    uint64_t done, all; // bytes of the files before; of all
} Make;

static size_t read_source(void *context, char *buffer, size_t size)
{
    return stream_read(((Make *)context)->in, buffer, size);
}

static void count_problem(void *context, uint64_t line, const Error *problem)
{
    (void)line, (void)problem;
    ((Make *)context)->problems++;
}

// Two points for a win, one for a draw, also where the result is not known.
static uint32_t points_of(Result result, Color side)
{
    if (result == RESULT_WHITE || result == RESULT_BLACK)
        return (result == RESULT_WHITE) == (side == WHITE) ? 2 : 0;
    return 1;
}

static bool add_game(Make *make)
{
    Move moves[1024];
    const PgnGame *game = &make->game;
    int most = (int)make->arguments->max_ply;
    int count = game->has_start ? pgn_game_moves(game, moves, most) : 0;
    Position pos = game->start;
    bool is_ok = true;
    for (int i = 0; i < count && i < most && moves[i] && is_ok; i++) {
        Undo undo;
        is_ok = book_maker_add(make->maker, &pos, moves[i], points_of(game->result, pos.side));
        position_make(&pos, moves[i], &undo);
    }
    return is_ok;
}

static bool add_file(Make *make, const char *path, Error *error)
{
    make->in = strcmp(path, "-") ? stream_open(path, error)
                                 : stream_open_file(stdin, "standard input", error);
    if (!make->in)
        return false;
    uint64_t size = stream_length(make->in);
    bool is_ok = true;
    pgn_reader_init(&make->reader, read_source, make);
    while (is_ok && pgn_game_read(&make->game, &make->reader, make->arguments->rules)) {
        is_ok = add_game(make) || failed_memory(error);
        if (++make->games % 64 == 0)
            progress_set(&make->progress, make->done + stream_position(make->in));
    }
    make->done += size;
    return stream_close(make->in, is_ok ? error : NULL) && is_ok;
}

static bool write_book(BookMaker *maker, const BookArguments *a, uint32_t min_count, Error *error)
{
    size_t count = book_maker_finish(maker, min_count);
    if (!count)
        return error_set(error, "nothing is left for a book");
    if (!book_maker_write(maker, a->output, error))
        return false;
    printf("%zu moves in %s\n", count, a->output);
    return true;
}

static uint64_t length_of(const char *path)
{
    Stream *stream = stream_open(path, NULL);
    uint64_t length = stream ? stream_length(stream) : 0;
    if (stream)
        stream_close(stream, NULL);
    return length;
}

static bool book_from_games(const BookArguments *a, Make *make, Error *error)
{
    bool is_ok = true;
    for (int i = 0; i < a->words.count; i++)
        make->all += strcmp(a->words.at[i], "-") ? length_of(a->words.at[i]) : 0;
    progress_init(&make->progress, stderr, "book", "bytes", make->all,
                  a->is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
    pgn_game_init(&make->game, memory_from_heap, count_problem, make);
    for (int i = 0; i < a->words.count && is_ok; i++)
        is_ok = add_file(make, a->words.at[i], error);
    progress_end(&make->progress);
    pgn_game_release(&make->game);
    if (!is_ok)
        return false;
    printf("%" PRIu64 " games read", make->games);
    if (make->problems)
        printf(", %" PRIu64 " problems in them (lovac convert --check tells)", make->problems);
    printf("\n");
    return write_book(make->maker, a, (uint32_t)a->min_count, error);
}

static bool do_make(const BookArguments *a, Error *error)
{
    Make *make = calloc(1, sizeof *make);
    BookMaker *maker = book_maker_new();
    bool is_ok = (make && maker) || failed_memory(error);
    if (is_ok) {
        make->arguments = a;
        make->maker = maker;
        is_ok = book_from_games(a, make, error);
    }
    book_maker_free(maker);
    free(make);
    return is_ok;
}

// --- looking ---------------------------------------------------------------------------------

// A position from the words: `start`, `startpos`, or a FEN, quoted or not.
static bool read_position(const BookArguments *a, const Words *words, int from, int to,
                          Position *pos, Error *error)
{
    char fen[2 * FEN_SIZE];
    Str text;
    str_init(&text, fen, sizeof fen);
    for (int i = from; i < to; i++)
        str_format(&text, "%s%s", i > from ? " " : "", words->at[i]);
    bool is_start = str_same_word(fen, "start") || str_same_word(fen, "startpos");
    return position_from_fen(pos, a->rules, is_start ? a->rules->start_fen : fen, error);
}

static bool do_show(const BookArguments *a, Error *error)
{
    Position pos;
    BookMove list[MAX_MOVES];
    if (!read_position(a, &a->words, 0, a->words.count, &pos, error))
        return false;
    Book *book = a->book ? book_open(a->book, error) : book_built_in(error);
    if (!book)
        return false;
    int count = book_find(book, &pos, list, MAX_MOVES);
    double total = 0;
    for (int i = 0; i < count; i++)
        total += list[i].weight;
    printf("key %016" PRIx64 ", %d move%s\n", book_key(&pos), count, count == 1 ? "" : "s");
    for (int i = 0; i < count; i++) {
        char san[MOVE_TEXT_SIZE];
        move_to_san(&pos, list[i].move, san);
        printf("  %-8s %5u  %5.1f %%", san, list[i].weight,
               total > 0 ? 100 * list[i].weight / total : 0);
        if (list[i].games)
            printf("  %u game%s", list[i].games, list[i].games == 1 ? "" : "s");
        printf("\n");
    }
    book_close(book);
    return true;
}

static bool dump(const BookArguments *a, const Book *book, FILE *out, Error *error)
{
    Position start;
    size_t others;
    if (!position_from_fen(&start, a->rules, a->rules->start_fen, error))
        return false;
    if (!book_text_write(book, &start, out, &others))
        return failed_memory(error);
    if (others)
        fprintf(stderr,
                "lovac book: %zu of %zu moves cannot be reached from the start; they stand by "
                "their keys\n",
                others, book_count(book));
    return true;
}

static bool do_dump(const BookArguments *a, Error *error)
{
    FileWriter writer;
    Book *book = book_open(a->words.at[0], error);
    if (!book)
        return false;
    bool is_ok;
    if (!a->output) {
        is_ok = dump(a, book, stdout, error);
    } else {
        is_ok = file_begin(&writer, a->output, error);
        if (is_ok && !(is_ok = dump(a, book, writer.out, error)))
            file_abandon(&writer);
        else if (is_ok)
            is_ok = file_commit(&writer, error);
    }
    book_close(book);
    return is_ok;
}

// --- by hand ---------------------------------------------------------------------------------

static bool compile(const BookArguments *a, BookMaker *maker, Error *error)
{
    enum { TEXT_MAX = 1 << 30 };
    char *text = file_read(a->words.at[0], TEXT_MAX, NULL, error), *rest = text;
    BookTextReader reader;
    bool is_ok = text;
    book_text_init(&reader, maker, a->rules);
    for (int number = 1; is_ok && *rest; number++) {
        char *line = rest;
        rest += strcspn(rest, "\n");
        if (*rest)
            *rest++ = 0;
        is_ok = book_text_read(&reader, line, error) ||
                error_prefix(error, "", "%.100s:%d: ", a->words.at[0], number);
    }
    free(text);
    return is_ok && write_book(maker, a, 1, error);
}

static bool add_book(BookMaker *maker, const char *path, Error *error)
{
    Book *book = book_open(path, error);
    if (!book)
        return false;
    bool is_ok = true;
    for (size_t i = 0; i < book_count(book) && is_ok; i++) {
        BookEntry entry = book_entry(book, i);
        is_ok = book_maker_add_entry(maker, &entry) || failed_memory(error);
    }
    book_close(book);
    return is_ok;
}

static bool merge(const BookArguments *a, BookMaker *maker, Error *error)
{
    for (int i = 0; i < a->words.count; i++)
        if (!add_book(maker, a->words.at[i], error))
            return false;
    return write_book(maker, a, 1, error);
}

static bool edit(const BookArguments *a, BookMaker *maker, Error *error)
{
    const Words *w = &a->words;
    Position pos;
    long long weight;
    if (w->count < 4)
        return error_set(error, "edit wants a book, a FEN, a move and a weight");
    if (!str_to_int(w->at[w->count - 1], 0, UINT16_MAX, &weight))
        return error_set(error, "a weight is a number from 0 to 65535, not '%.40s'",
                         w->at[w->count - 1]);
    if (!read_position(a, w, 1, w->count - 2, &pos, error))
        return false;
    Move m = move_from_san(&pos, w->at[w->count - 2], error);
    BookArguments to = *a;
    to.output = a->output ? a->output : w->at[0];
    if (!m || (file_exists(w->at[0]) && !add_book(maker, w->at[0], error)))
        return false;
    return (book_maker_set(maker, &pos, m, (uint16_t)weight) || failed_memory(error)) &&
           write_book(maker, &to, 1, error);
}

static bool grow(const BookArguments *a, BookMaker *maker, Error *error)
{
    Progress progress;
    GrowConfig config = {.positions = (int)a->positions,
                         .nodes = a->nodes,
                         .lines = 6,
                         .margin = (int)a->margin,
                         .max_ply = (int)a->max_ply,
                         .decided = (int)a->decided,
                         .threads = (int)a->threads,
                         .stop = a->stop,
                         .progress = &progress};
    if (!read_position(a, &a->words, 0, a->words.count, &config.start, error))
        return false;
    progress_init(&progress, stderr, "book", "positions", (uint64_t)a->positions,
                  a->is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
    bool is_ok = book_grow(&config, maker, error);
    progress_end(&progress);
    return is_ok && write_book(maker, a, 1, error);
}

typedef bool MakerAction(const BookArguments *a, BookMaker *maker, Error *error);

static bool with_maker(MakerAction *action, const BookArguments *a, Error *error)
{
    BookMaker *maker = book_maker_new();
    bool is_ok = maker ? action(a, maker, error) : failed_memory(error);
    book_maker_free(maker);
    return is_ok;
}

static bool do_compile(const BookArguments *a, Error *error)
{
    return with_maker(compile, a, error);
}
static bool do_merge(const BookArguments *a, Error *error)
{
    return with_maker(merge, a, error);
}
static bool do_grow(const BookArguments *a, Error *error)
{
    BookArguments stoppable = *a;
    LongRun run;
    if (!long_run_begin(&run, "book", error))
        return false;
    stoppable.stop = run.stop;
    bool is_ok = with_maker(grow, &stoppable, error);
    spread_leave(run.team);
    return is_ok;
}
static bool do_edit(const BookArguments *a, Error *error)
{
    return with_maker(edit, a, error);
}

// --- the command -----------------------------------------------------------------------------

typedef struct Action {
    const char *name;
    bool (*run)(const BookArguments *a, Error *error);
    bool needs_output, takes_one; // --output; one file and no more
} Action;

static const Action ACTIONS[] = {
    {"make", do_make, true, false},  {"show", do_show, false, false},
    {"dump", do_dump, false, true},  {"compile", do_compile, true, true},
    {"edit", do_edit, false, false}, {"merge", do_merge, true, false},
    {"grow", do_grow, true, false},
};

static const Action *find_action(const char *name, Error *error)
{
    for (size_t i = 0; i < sizeof ACTIONS / sizeof *ACTIONS; i++)
        if (!strcmp(ACTIONS[i].name, name))
            return &ACTIONS[i];
    error_set(error, "'%.40s' is none of make, show, dump, compile, edit, merge and grow", name);
    return NULL;
}

static const Action *read_arguments(int argc, char **argv, BookArguments *a, Error *error)
{
    const Option options[] = {
        {.name = "output", .kind = OPTION_TEXT, .value = &a->output},
        {.name = "book", .kind = OPTION_TEXT, .value = &a->book},
        {.name = "min-count",
         .kind = OPTION_INT,
         .value = &a->min_count,
         .low = 1,
         .high = 1000000},
        {.name = "max-ply", .kind = OPTION_INT, .value = &a->max_ply, .low = 1, .high = 1024},
        {.name = "positions",
         .kind = OPTION_INT,
         .value = &a->positions,
         .low = 1,
         .high = 1000000},
        OPTION_NODES(&a->nodes),
        {.name = "margin", .kind = OPTION_INT, .value = &a->margin, .low = 0, .high = 1000},
        {.name = "decided", .kind = OPTION_INT, .value = &a->decided, .low = 1, .high = 30000},
        OPTION_THREADS(&a->threads),
        OPTION_VARIANT(&a->variant),
        OPTION_QUIET(&a->is_quiet),
        {0}};
    if (!options_read(argc, argv, options, &a->words, error))
        return NULL;
    if (a->words.count < 2) {
        if (!a->words.count || find_action(a->words.at[0], error))
            error_set(error, "say make, show, dump, compile, edit, merge or grow, and with what");
        return NULL;
    }
    const Action *action = find_action(a->words.at[0], error);
    a->words = (Words){a->words.at + 1, a->words.count - 1};
    if (action && action->takes_one && a->words.count > 1) {
        error_set(error, "%s takes one file: what is '%.60s'?", action->name, a->words.at[1]);
        return NULL;
    }
    a->rules = setup_rules(a->variant, error);
    if (action && action->needs_output && !a->output) {
        error_set(error, "%s needs --output FILE", action->name);
        return NULL;
    }
    return a->rules ? action : NULL;
}

int cmd_book(int argc, char **argv)
{
    BookArguments a = {.variant = "chess",
                       .min_count = 3,
                       .max_ply = 40,
                       .positions = 1000,
                       .nodes = 20000,
                       .margin = 25,
                       .decided = 250,
                       .threads = thread_cpu_count()};
    Error error = {0};
    const Action *action = read_arguments(argc, argv, &a, &error);
    if (!action)
        return options_refuse(argv[0], &error);
    if (action->run(&a, &error))
        return EXIT_OK;
    fprintf(stderr, "lovac book: %s\n", error.text);
    return EXIT_FAILED;
}
