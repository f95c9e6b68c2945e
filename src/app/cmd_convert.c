// `lovac convert`: checks, cleans, chooses and converts files of games and positions. Here are the
// options and the summary; convert_int.h says where the rest is.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/convert_change.h"
#include "app/convert_out.h"
#include "app/convert_read.h"
#include "app/options.h"
#include "app/setup.h"
#include "base/json.h"
#include "base/str.h"

const char help_convert[] =
    "Usage: lovac convert [FILE ...] [options]\n"
    "\n"
    "Reads games and positions (PGN, EPD, FEN, or UCI lines such as `startpos moves e2e4`),\n"
    "checks every move, and writes them clean. Without a FILE, or for `-`, standard input is\n"
    "read. Files packed with gzip or zstd are read as they are. What is wrong is told as\n"
    "FILE:LINE: game N: reason; a game with an illegal move is kept up to it. The exit status\n"
    "is 1 if anything was wrong.\n"
    "\n"
    "  --to FORMAT        pgn, epd, fen, uci, json (an object a line) or csv (the ending of\n"
    "                     --output, else pgn)\n"
    "  --from FORMAT      pgn, epd, fen or uci (the ending of FILE, else what it looks like)\n"
    "  --output FILE      write there (packed for .gz and .zst) instead of standard output\n"
    "  --check            only tell what is wrong\n"
    "  --variant NAME     the game, where the file does not say (chess)\n"
    "  --positions WHICH  of a game turned into positions: last, first or all (last)\n"
    "  --drop             leave out games with anything wrong\n"
    "  --where FILTER     only games like this (see below)\n"
    "  --unique WHAT      of games alike only the first: moves, or players (moves and both\n"
    "                     players)\n"
    "  --classify         write ECO, Opening and Variation anew, by the positions reached\n"
    "  --repair           write the result that the last position has, or else the moves' end\n"
    "  --strip WHAT,...   leave out comments, variations, nags, clocks, or all of these\n"
    "  --moves STYLE      how moves are written: san (Nf3), long (Ng1-f3) or uci (g1f3)\n"
    "  --letters LANG     of the pieces in the file: cs, de, fr, es, it, nl, pl, ru ... (found\n"
    "                     out where English ones do not fit)\n"
    "  --sort KEY,...     by tags or plies; -KEY turns the order round\n"
    "  --split N or TAG   files of N games each, or one for each value of a tag: --output\n"
    "                     games.pgn makes games-1.pgn or games-B90.pgn\n"
    "  --json             the summary as a JSON object, on standard error where games go to\n"
    "                     standard output\n"
    "  --quiet            no progress bar, no summary\n"
    "\n"
    "A FILTER is made of FIELD OP VALUE, with OP one of = != < <= > >= : (contains) and\n"
    "~ (pattern with * and ?). Tests side by side must all hold; `or`, `not` and brackets do\n"
    "what they say. A word alone stands in any tag. The moves of a game that its tags rule out\n"
    "are not checked. FIELD is the name of a tag, or\n"
    "  player             White or Black\n"
    "  elo                of both players\n"
    "  result             1-0, 0-1, 1/2-1/2 (draw), *\n"
    "  date, year         1990, 1990.05, 1990.05.12, as far as the game's is known\n"
    "  moves, plies       length of the main line\n"
    "  eco                B90; B9 and B mean all that begin so (a game without this tag, or\n"
    "                     without Opening where that is asked for, is classified)\n"
    "  variant            the game: chess, chess960, legan ...\n"
    "  end                of the last position: checkmate, stalemate, repetition, fifty, dead\n"
    "  comment            any comment\n"
    "  position           reached in the main line: a FEN, of which the board is enough. ? is\n"
    "                     any square, ! any man, A and a a white or black one, [Qq] one of\n"
    "                     these, [^Qq] none of these, * any squares of a rank\n"
    "  finalposition      the same for the last position\n"
    "  material           reached: KRPKR whoever has it, KRP:KR White first; >= at least\n"
    "  finalmaterial      the same for the last position\n"
    "\n"
    "Examples: lovac convert games.pgn.zst --check\n"
    "          lovac convert old.pgn --output clean.pgn\n"
    "          lovac convert all.pgn --where 'player:tal date>=1960 (result=1-0 or moves<25)'\n"
    "          lovac convert all.pgn --where 'material=KRPKR' --to epd\n"
    "          lovac convert *.pgn --unique players --classify --sort ECO,-Date --output all.pgn\n"
    "          lovac convert games.pgn --to epd --positions all --output positions.epd.gz\n";

static const char *const FORMAT_NAMES[FORMAT_COUNT] = {"",    "pgn",  "epd", "fen",
                                                       "uci", "json", "csv"};

const char *format_name(Format format)
{
    return FORMAT_NAMES[format];
}

Format format_find(const char *name, size_t size)
{
    for (int i = FORMAT_PGN; i < FORMAT_COUNT; i++)
        if (strlen(FORMAT_NAMES[i]) == size && !strncmp(FORMAT_NAMES[i], name, size))
            return (Format)i;
    return FORMAT_UNKNOWN;
}

void convert_tell(Convert *c, uint64_t line, const char *text)
{
    c->counts.problems++;
    c->is_bad_game = true;
    // What was asked for goes to standard output, what is told by the way does not.
    if (!c->check && c->quiet)
        return;
    FILE *out = c->check && !c->is_json ? stdout : stderr;
    fprintf(out, "%s:%" PRIu64 ": ", c->name, line);
    if (c->from == FORMAT_PGN || c->from == FORMAT_UCI)
        fprintf(out, "game %" PRIu64 ": ", c->number);
    fprintf(out, "%s\n", text);
}

// ---- the summary ----

static void print_count(uint64_t count, bool is_asked, const char *what)
{
    if (is_asked)
        fprintf(stderr, ", %" PRIu64 " %s", count, what);
}

static void print_summary(const Convert *c)
{
    const Counts *n = &c->counts;
    fprintf(stderr,
            "%" PRIu64 " games, %" PRIu64 " positions, %" PRIu64 " problems, %" PRIu64 " left out",
            n->games, n->positions, n->problems, n->left_out);
    print_count(n->unwanted, c->filter.root >= 0, "not wanted");
    print_count(n->duplicates, c->unique != UNIQUE_NO, "duplicates");
    print_count(n->classified, c->classify, "classified");
    print_count(n->repaired, c->repair, "results repaired");
    print_count(c->parts, c->split_count || c->split_tag, "files");
    fprintf(stderr, "\n");
}

static bool print_json(const Convert *c, Error *error)
{
    const Counts *n = &c->counts;
    bool is_free = c->check || (c->output && strcmp(c->output, "-"));
    Json json = {0};
    json_open(&json, NULL, '{');
    json_count(&json, "games", n->games);
    json_count(&json, "positions", n->positions);
    json_count(&json, "problems", n->problems);
    json_count(&json, "left_out", n->left_out);
    json_count(&json, "not_wanted", n->unwanted);
    json_count(&json, "duplicates", n->duplicates);
    json_count(&json, "classified", n->classified);
    json_count(&json, "repaired", n->repaired);
    json_count(&json, "written", n->written);
    json_count(&json, "files", c->parts);
    json_text(&json, "format", format_name(c->to));
    json_close(&json);
    return json_print(&json, is_free ? stdout : stderr, error);
}

// ---- the command ----

static int fail(const Error *error)
{
    fprintf(stderr, "lovac convert: %s\n", error->text);
    return EXIT_FAILED;
}

static int convert_all(Convert *c, const Words *words, Format from)
{
    static const char *const standard[] = {"-"};
    const char *const *paths = words->count ? words->at : standard;
    Error error;
    bool ok;
    if (!convert_out_begin(c, &error))
        return fail(&error);
    for (int i = 0; i < (words->count ? words->count : 1); i++)
        if (!convert_file(c, paths[i], from, &error)) {
            fail(&error);
            c->has_failed = true;
        }
    ok = !c->has_failed;
    if (!convert_out_end(c, &error)) {
        fail(&error);
        ok = false;
    }
    if (c->is_json && !print_json(c, &error)) {
        fail(&error);
        ok = false;
    }
    if (!c->quiet && !c->is_json)
        print_summary(c);
    return ok && !c->counts.problems ? EXIT_OK : EXIT_FAILED;
}

// The number of a word in a list that a NULL ends; -1, with the reason, when it is not there.
static int find_word(const char *option, const char *word, const char *const *list, Error *error)
{
    char all[ERROR_TEXT_SIZE / 2];
    Str str;
    str_init(&str, all, sizeof all);
    for (int i = 0; list[i]; i++) {
        if (str_same_word(word, list[i]))
            return i;
        str_format(&str, "%s%s", i ? ", " : "", list[i]);
    }
    error_set(error, "--%s: '%.40s' is not one of %s", option, word, all);
    return -1;
}

// What the options say, as text.
typedef struct Asked {
    const char *to, *from, *variant, *positions, *where, *unique, *strip, *moves, *letters, *sort,
        *split;
} Asked;

static bool read_formats(Convert *c, const Asked *a, Format *from, Error *error)
{
    static const char *const READ[] = {"pgn", "epd", "fen", "uci", NULL};
    static const char *const WRITTEN[] = {"pgn", "epd", "fen", "uci", "json", "csv", NULL};
    int in = a->from ? find_word("from", a->from, READ, error) : 0;
    int out = a->to ? find_word("to", a->to, WRITTEN, error) : 0;
    if (in < 0 || out < 0)
        return false;
    *from = a->from ? (Format)(FORMAT_PGN + in) : FORMAT_UNKNOWN;
    c->to = a->to ? (Format)(FORMAT_PGN + out) : c->output ? format_of_name(c->output) : FORMAT_PGN;
    if (!c->to)
        c->to = FORMAT_PGN;
    return true;
}

static bool read_choices(Convert *c, const Asked *a, Error *error)
{
    static const char *const WHICH[] = {"last", "first", "all", NULL};
    static const char *const STYLES[] = {"san", "long", "uci", NULL};
    static const char *const UNIQUE[] = {"moves", "players", NULL};
    int which = find_word("positions", a->positions, WHICH, error);
    int style = which < 0 ? -1 : find_word("moves", a->moves, STYLES, error);
    int unique = style < 0 ? -1 : a->unique ? find_word("unique", a->unique, UNIQUE, error) : 0;
    if (unique < 0)
        return false;
    c->which = (Which)which;
    c->style = (PgnStyle)style;
    c->unique = a->unique ? (Unique)(UNIQUE_MOVES + unique) : UNIQUE_NO;
    c->letters = a->letters ? letters_find(a->letters) : NULL;
    return !a->letters || c->letters ||
           error_set(error, "--letters: '%.40s' is no language that is known", a->letters);
}

static bool read_split(Convert *c, const char *split, Error *error)
{
    unsigned long long count;
    if (!c->output || !strcmp(c->output, "-"))
        return error_set(error, "--split needs --output FILE");
    if (!str_to_count(split, UINT64_MAX, &count)) {
        c->split_tag = split;
        return true;
    }
    c->split_count = count;
    return count > 0 || error_set(error, "--split: files of no games make no sense");
}

static bool read_asked(Convert *c, const Asked *a, Format *from, Error *error)
{
    if (!read_formats(c, a, from, error) || !read_choices(c, a, error))
        return false;
    c->rules = a->variant ? setup_rules(a->variant, error) : NULL;
    if ((a->variant && !c->rules) || (a->strip && !convert_read_strip(a->strip, &c->strip, error)))
        return false;
    if (!filter_read(&c->filter, a->where, error))
        return error_prefix(error, "", "--where: ");
    if (c->classify || filter_asks_opening(&c->filter)) {
        c->openings = opening_names_new();
        if (!c->openings)
            return error_set(error, "not enough memory");
    }
    return !a->split || read_split(c, a->split, error);
}

static int convert_run(Convert *c, int argc, char **argv)
{
    Asked a = {.positions = "last", .where = "", .moves = "san"};
    const Option options[] = {{.name = "to", .kind = OPTION_TEXT, .value = &a.to},
                              {.name = "from", .kind = OPTION_TEXT, .value = &a.from},
                              {.name = "output", .kind = OPTION_TEXT, .value = &c->output},
                              OPTION_VARIANT(&a.variant),
                              {.name = "positions", .kind = OPTION_TEXT, .value = &a.positions},
                              {.name = "where", .kind = OPTION_TEXT, .value = &a.where},
                              {.name = "unique", .kind = OPTION_TEXT, .value = &a.unique},
                              {.name = "strip", .kind = OPTION_TEXT, .value = &a.strip},
                              {.name = "moves", .kind = OPTION_TEXT, .value = &a.moves},
                              {.name = "letters", .kind = OPTION_TEXT, .value = &a.letters},
                              {.name = "sort", .kind = OPTION_TEXT, .value = &a.sort},
                              {.name = "split", .kind = OPTION_TEXT, .value = &a.split},
                              {.name = "classify", .kind = OPTION_FLAG, .value = &c->classify},
                              {.name = "repair", .kind = OPTION_FLAG, .value = &c->repair},
                              {.name = "check", .kind = OPTION_FLAG, .value = &c->check},
                              {.name = "drop", .kind = OPTION_FLAG, .value = &c->drop},
                              OPTION_JSON(&c->is_json),
                              OPTION_QUIET(&c->quiet),
                              {0}};
    Words words;
    Error error;
    Format from;
    char sort[512];
    if (!options_read(argc, argv, options, &words, &error) || !read_asked(c, &a, &from, &error))
        return options_refuse("convert", &error);
    snprintf(sort, sizeof sort, "%s", a.sort ? a.sort : "");
    if (a.sort && !convert_read_sort(c, sort, &error))
        return options_refuse("convert", &error);
    return convert_all(c, &words, from);
}

int cmd_convert(int argc, char **argv)
{
    Convert *c = calloc(1, sizeof *c);
    if (!c) {
        fprintf(stderr, "lovac convert: not enough memory\n");
        return EXIT_FAILED;
    }
    convert_read_init(c);
    int status = convert_run(c, argc, argv);
    convert_read_release(c);
    opening_names_free(c->openings);
    free(c->fingerprints.at);
    bytes_release(&c->text);
    free(c);
    return status;
}
