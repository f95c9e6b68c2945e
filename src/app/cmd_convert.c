// `lovac convert`: checks, cleans and converts files of games and positions. Each record of the
// input (a game, or a line with a position) becomes a PgnGame or an Epd; each output format writes
// either of them.
#include "app/command.h"
#include "app/options.h"
#include "app/setup.h"
#include "base/progress.h"
#include "base/str.h"
#include "base/stream.h"
#include "core/epd.h"
#include "core/fen.h"
#include "core/filter.h"
#include "core/notation.h"
#include "core/pgn.h"
#include "core/pgn_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char help_convert[] =
    "Usage: lovac convert [FILE ...] [options]\n"
    "\n"
    "Reads games and positions (PGN, EPD, FEN, or UCI lines such as `startpos moves e2e4`),\n"
    "checks every move, and writes them clean. Without a FILE, or for `-`, standard input is\n"
    "read. Files packed with gzip or zstd are read as they are. What is wrong is told as\n"
    "FILE:LINE: reason; a game with an illegal move is kept up to it. The exit status is 1 if\n"
    "anything was wrong.\n"
    "\n"
    "  --to FORMAT        pgn, epd, fen or uci (the ending of --output, else pgn)\n"
    "  --from FORMAT      pgn, epd, fen or uci (the ending of FILE, else what it looks like)\n"
    "  --output FILE      write there (packed for .gz and .zst) instead of standard output\n"
    "  --check            only tell what is wrong\n"
    "  --variant NAME     the game, where the file does not say (chess)\n"
    "  --positions WHICH  of a game turned into positions: last, first or all (last)\n"
    "  --drop             leave out games with anything wrong\n"
    "  --where FILTER     only games like this (see below)\n"
    "  --quiet            no progress bar, no summary\n"
    "\n"
    "A FILTER is made of FIELD OP VALUE, with OP one of = != < <= > >= : (contains) and\n"
    "~ (pattern with * and ?). Tests side by side must all hold; `or`, `not` and brackets do\n"
    "what they say. A word alone stands in any tag. FIELD is the name of a tag, or\n"
    "  player             White or Black\n"
    "  elo                of both players\n"
    "  result             1-0, 0-1, 1/2-1/2 (draw), *\n"
    "  date, year         1990, 1990.05, 1990.05.12, as far as the game's is known\n"
    "  moves, plies       length of the main line\n"
    "  eco                B90; B9 and B mean all that begin so\n"
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
    "          lovac convert games.pgn --to epd --positions all --output positions.epd.gz\n";

typedef enum Format { FORMAT_UNKNOWN, FORMAT_PGN, FORMAT_EPD, FORMAT_FEN, FORMAT_UCI } Format;
static const char *const FORMAT_NAMES[] = {"", "pgn", "epd", "fen", "uci"};

typedef enum Which { LAST, FIRST, ALL } Which;
static const char *const WHICH_NAMES[] = {"last", "first", "all"};

// Text that grows.
typedef struct Text {
    char *bytes;
    size_t size, capacity;
    bool is_out_of_memory;
} Text;

typedef struct Convert {
    Format from, to;
    Which which;
    const Rules *rules;
    bool check, drop, quiet;
    Filter filter;
    const char *name; // of the file that is being read
    Stream *in, *out;
    uint64_t games, positions, problems, left_out, unwanted;
    bool is_bad_game; // something was wrong with the present one
    Text text;        // of the record that is being written
    Progress progress;
    PgnReader reader;
    PgnGame game;
    size_t sniffed, used; // bytes read to find the format
    char sniff[1 << 16];
} Convert;

// ---- text
// ------------------------------------------------------------------------------------------

static bool text_add(void *context, const char *bytes, size_t size)
{
    Text *text = context;
    if (text->size + size + 1 > text->capacity) {
        size_t capacity = (text->size + size + 1) * 2;
        char *larger = realloc(text->bytes, capacity);
        if (!larger) {
            text->is_out_of_memory = true;
            return false;
        }
        text->bytes = larger;
        text->capacity = capacity;
    }
    if (size)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = 0;
    return true;
}

static void text_put(Text *text, const char *words)
{
    text_add(text, words, strlen(words));
}

// The length of the UTF-8 character at `p`, or 0 if it is none.
static size_t utf8_length(const unsigned char *p, size_t left)
{
    size_t length = *p < 0x80   ? 1
                    : *p < 0xc2 ? 0
                    : *p < 0xe0 ? 2
                    : *p < 0xf0 ? 3
                    : *p < 0xf5 ? 4
                                : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool is_bad = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
                  (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f);
    return is_bad ? 0 : length;
}

// Bytes that are no UTF-8 are taken for Latin-1 (as Windows extends it), which old files are
// written in.
static size_t utf8_from_latin1(unsigned char byte, char out[3])
{
    static const uint16_t windows[32] = {
        0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
        0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
    unsigned c = byte >= 0x80 && byte < 0xa0 ? windows[byte - 0x80] : byte;
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    out[0] = (char)(0xe0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 63));
    out[2] = (char)(0x80 | (c & 63));
    return 3;
}

static bool write_utf8(Stream *out, const char *bytes, size_t size)
{
    size_t from = 0;
    bool ok = true;
    for (size_t i = 0; i < size && ok;) {
        size_t length = utf8_length((const unsigned char *)bytes + i, size - i);
        if (length) {
            i += length;
            continue;
        }
        char mended[3];
        ok = stream_write(out, bytes + from, i - from) &&
             stream_write(out, mended, utf8_from_latin1((unsigned char)bytes[i], mended));
        from = ++i;
    }
    return ok && stream_write(out, bytes + from, size - from);
}

// ---- what is wrong
// ---------------------------------------------------------------------------------

static void tell(Convert *c, uint64_t line, const char *text)
{
    c->problems++;
    c->is_bad_game = true;
    // What was asked for goes to standard output, what is told by the way does not.
    if (c->check || !c->quiet)
        fprintf(c->check ? stdout : stderr, "%s:%" PRIu64 ": %s\n", c->name, line, text);
}

static void report(void *context, uint64_t line, const Error *problem)
{
    tell(context, line, problem->text);
}

// ---- writing
// ---------------------------------------------------------------------------------------

// Sends the record to the output, if it is wanted.
static bool finish_record(Convert *c)
{
    bool is_left_out = c->drop && c->is_bad_game;
    bool ok = true;
    c->left_out += is_left_out;
    if (!c->check && !is_left_out && c->text.size)
        ok = write_utf8(c->out, c->text.bytes, c->text.size);
    if (c->text.is_out_of_memory)
        tell(c, 0, "not enough memory for this record");
    c->text.size = 0;
    c->text.is_out_of_memory = false;
    c->is_bad_game = false;
    return ok;
}

static void put_fen(Convert *c, const Position *pos)
{
    char fen[FEN_SIZE];
    position_to_fen(pos, FEN_XFEN, fen);
    text_put(&c->text, fen);
}

// A position of a game as EPD or FEN, with the move played there (MOVE_NONE: none).
static void put_position(Convert *c, const Position *pos, Move played)
{
    if (c->to == FORMAT_FEN) {
        put_fen(c, pos);
        text_put(&c->text, "\n");
        return;
    }
    char line[FEN_SIZE + 64], san[MOVE_TEXT_SIZE];
    Epd epd = {.pos = *pos};
    epd_write(&epd, line, sizeof line);
    text_put(&c->text, line);
    if (played) {
        move_to_san(pos, played, san);
        text_put(&c->text, " sm ");
        text_put(&c->text, san);
        text_put(&c->text, ";");
    }
    const char *white = pgn_game_tag(&c->game, "White"), *black = pgn_game_tag(&c->game, "Black");
    if (white && black && strcmp(white, "?") && !strchr(white, '"') && !strchr(black, '"')) {
        text_put(&c->text, " id \"");
        text_put(&c->text, white);
        text_put(&c->text, " - ");
        text_put(&c->text, black);
        text_put(&c->text, "\";");
    }
    text_put(&c->text, "\n");
}

static void put_uci_start(Convert *c, const Position *start)
{
    char fen[FEN_SIZE];
    position_to_fen(start, FEN_XFEN, fen);
    if (start->rules == &VARIANTS[VARIANT_CHESS] && !strcmp(fen, start->rules->start_fen)) {
        text_put(&c->text, "startpos");
        return;
    }
    text_put(&c->text, "fen ");
    text_put(&c->text, fen);
}

// The main line of a game as positions or as UCI moves.
static void put_main_line(Convert *c)
{
    const PgnGame *game = &c->game;
    Position pos = game->start;
    int depth = 0, count = 0;
    if (c->to == FORMAT_UCI)
        put_uci_start(c, &pos);
    for (uint32_t i = 0; i < game->item_count; i++) {
        const PgnItem *item = &game->items[i];
        Undo undo;
        depth += (item->kind == PGN_ITEM_OPEN) - (item->kind == PGN_ITEM_CLOSE);
        if (depth || item->kind != PGN_ITEM_MOVE)
            continue;
        if (c->to == FORMAT_UCI) {
            char uci[MOVE_TEXT_SIZE];
            move_to_uci(&pos, item->value, setup_is_chess960(&pos), uci);
            text_put(&c->text, count++ ? " " : " moves ");
            text_put(&c->text, uci);
        } else if (c->which == ALL || (c->which == FIRST && !count++)) {
            put_position(c, &pos, item->value);
        }
        if (item->value)
            position_make(&pos, item->value, &undo);
        else
            position_make_null(&pos, &undo);
    }
    if (c->to == FORMAT_UCI)
        text_put(&c->text, "\n");
    else if (c->which != FIRST || !count)
        put_position(c, &pos, MOVE_NONE);
}

static bool write_game(Convert *c)
{
    c->games++;
    if (!filter_matches(&c->filter, &c->game)) {
        c->unwanted++;
        c->is_bad_game = false;
        return true;
    }
    if (!c->game.has_start) {
        c->left_out += !c->drop;
    } else if (!c->check) {
        if (c->to == FORMAT_PGN)
            pgn_game_write(&c->game, text_add, &c->text);
        else
            put_main_line(c);
    }
    return finish_record(c);
}

static bool write_epd(Convert *c, const Epd *epd)
{
    c->positions++;
    size_t size = epd_write(epd, NULL, 0);
    char *line = malloc(size + 1);
    if (!line || !text_add(&c->text, "", 0)) {
        free(line);
        return false;
    }
    epd_write(epd, line, size + 1);
    switch (c->to) {
    case FORMAT_FEN: put_fen(c, &epd->pos); break;
    case FORMAT_UCI: put_uci_start(c, &epd->pos); break;
    case FORMAT_EPD: text_put(&c->text, line); break;
    default:
        // A game without moves; the operations stand in a comment.
        pgn_game_begin(&c->game, &epd->pos);
        if (epd->count) {
            const char *operations = line;
            for (int i = 0; i < 4 && operations; i++)
                operations = strchr(operations + 1, ' ');
            pgn_game_add_comment(&c->game, operations ? operations + 1 : "");
        }
        pgn_game_write(&c->game, text_add, &c->text);
        break;
    }
    if (c->to != FORMAT_PGN)
        text_put(&c->text, "\n");
    free(line);
    return finish_record(c);
}

// ---- reading
// ---------------------------------------------------------------------------------------

static size_t read_source(void *context, char *buffer, size_t size)
{
    Convert *c = context;
    if (c->used < c->sniffed) {
        size_t part = c->sniffed - c->used < size ? c->sniffed - c->used : size;
        memcpy(buffer, c->sniff + c->used, part);
        c->used += part;
        return part;
    }
    progress_set(&c->progress, stream_position(c->in));
    return stream_read(c->in, buffer, size);
}

static void *grow(void *context, void *memory, size_t size)
{
    (void)context;
    if (size)
        return realloc(memory, size);
    free(memory);
    return NULL;
}

static bool convert_games(Convert *c)
{
    pgn_reader_init(&c->reader, read_source, c);
    while (pgn_game_read(&c->game, &c->reader, c->rules))
        if (!write_game(c))
            return false;
    // Whatever stood behind the last game has been told, and is no game.
    c->is_bad_game = false;
    return true;
}

static bool read_uci_moves(Convert *c, char *words, uint64_t line)
{
    Error error;
    char *save = NULL;
    for (char *word = strtok_r(words, " \t\r", &save); word;
         word = strtok_r(NULL, " \t\r", &save)) {
        const Position *now = &c->game.levels[0].now;
        Move move = move_from_uci(now, word, &error);
        if (!move && (strcmp(word, "0000") || position_in_check(now))) {
            tell(c, line, error.text);
            break;
        }
        pgn_game_add_move(&c->game, move);
    }
    return write_game(c);
}

// A line `[position] startpos|fen FEN [moves ...]`.
static bool convert_uci_line(Convert *c, char *text, uint64_t line)
{
    const Rules *rules = c->rules ? c->rules : &VARIANTS[VARIANT_CHESS];
    Position start;
    Error error;
    text += strspn(text, " \t");
    if (!strncmp(text, "position ", 9))
        text += 9 + strspn(text + 9, " \t");
    char *moves = strstr(text, "moves");
    if (moves)
        *moves = 0, moves += 5;
    bool is_start = !strncmp(text, "startpos", 8), is_fen = !strncmp(text, "fen ", 4);
    if (!is_start && !is_fen)
        error_set(&error, "neither startpos nor fen");
    if ((!is_start && !is_fen) ||
        !position_from_fen(&start, rules, is_start ? rules->start_fen : text + 4, &error)) {
        tell(c, line, error.text);
        return finish_record(c);
    }
    pgn_game_begin(&c->game, &start);
    return read_uci_moves(c, moves ? moves : text + strlen(text), line);
}

// Castling rights that only Chess960 knows make a line Chess960, where the game was not said.
static bool read_epd(const Convert *c, Epd *epd, const char *text, size_t size, Error *error)
{
    const Rules *rules = c->rules ? c->rules : &VARIANTS[VARIANT_CHESS];
    return epd_read(epd, rules, text, size, error) ||
           (!c->rules && epd_read(epd, &VARIANTS[VARIANT_CHESS960], text, size, NULL));
}

static bool convert_line(Convert *c, char *text, size_t size, uint64_t line)
{
    Epd epd;
    Error error;
    size_t blank = 0;
    while (blank < size && (unsigned char)text[blank] <= ' ')
        blank++;
    if (blank == size || text[blank] == '#')
        return true;
    if (c->from == FORMAT_UCI)
        return convert_uci_line(c, text, line);
    if (read_epd(c, &epd, text, size, &error)) {
        static const char *const names[] = {"bm", "am"};
        Move list[64];
        for (int i = 0; i < 2; i++)
            if (epd_moves(&epd, names[i], list, 64, &error) < 0) {
                Error message;
                error_set(&message, "%s: %.200s", names[i], error.text);
                tell(c, line, message.text);
            }
        return write_epd(c, &epd);
    }
    tell(c, line, error.text);
    c->left_out++;
    c->is_bad_game = false;
    return true;
}

static bool convert_lines(Convert *c)
{
    Text text = {0};
    char buffer[1 << 14];
    size_t got;
    uint64_t line = 1;
    bool ok = true, is_first = true;
    while (ok && (got = read_source(c, buffer, sizeof buffer)) > 0) {
        char *p = buffer, *end = buffer + got;
        if (is_first && got >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
            p += 3;
        is_first = false;
        for (char *newline; ok && (newline = memchr(p, '\n', (size_t)(end - p))); p = newline + 1) {
            ok = text_add(&text, p, (size_t)(newline - p)) &&
                 convert_line(c, text.bytes, text.size, line++);
            text.size = 0;
        }
        ok = ok && text_add(&text, p, (size_t)(end - p));
    }
    if (ok && text.size)
        ok = convert_line(c, text.bytes, text.size, line);
    free(text.bytes);
    return ok;
}

// ---- formats
// ---------------------------------------------------------------------------------------

static Format format_find(const char *name, size_t size)
{
    for (int i = FORMAT_PGN; i <= FORMAT_UCI; i++)
        if (strlen(FORMAT_NAMES[i]) == size && !strncmp(FORMAT_NAMES[i], name, size))
            return (Format)i;
    return FORMAT_UNKNOWN;
}

// By the ending of a name, that of the packing left aside.
static Format format_of_name(const char *name)
{
    size_t size = strlen(name);
    if (size > 3 && !strcmp(name + size - 3, ".gz"))
        size -= 3;
    else if (size > 4 && !strcmp(name + size - 4, ".zst"))
        size -= 4;
    size_t begin = size;
    while (begin && name[begin - 1] != '.' && name[begin - 1] != '/')
        begin--;
    return begin && name[begin - 1] == '.' ? format_find(name + begin, size - begin)
                                           : FORMAT_UNKNOWN;
}

// By the first line: a board has seven slashes in its first word.
static Format format_of_content(const char *bytes, size_t size)
{
    size_t i = 0;
    int slashes = 0;
    while (i < size && (unsigned char)bytes[i] <= ' ')
        i++;
    size_t left = size - i;
    if ((left > 8 && !strncmp(bytes + i, "startpos", 8)) ||
        (left > 4 && !strncmp(bytes + i, "fen ", 4)) ||
        (left > 9 && !strncmp(bytes + i, "position ", 9)))
        return FORMAT_UCI;
    for (; i < size && (unsigned char)bytes[i] > ' '; i++)
        slashes += bytes[i] == '/';
    return slashes == 7 ? FORMAT_EPD : FORMAT_PGN;
}

static bool convert_file(Convert *c, const char *path, Format from, Error *error)
{
    bool is_standard = !strcmp(path, "-");
    c->name = is_standard ? "standard input" : path;
    c->in = is_standard ? stream_open_file(stdin, c->name, error) : stream_open(path, error);
    if (!c->in)
        return false;
    c->sniffed = stream_read(c->in, c->sniff, sizeof c->sniff);
    c->used = 0;
    c->from = from ? from : is_standard ? FORMAT_UNKNOWN : format_of_name(path);
    if (!c->from)
        c->from = format_of_content(c->sniff, c->sniffed);
    progress_init(&c->progress, stderr, "convert", "bytes", stream_length(c->in),
                  c->quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
    bool ok = c->from == FORMAT_PGN ? convert_games(c) : convert_lines(c);
    progress_end(&c->progress);
    if (!ok)
        error_set(error, "%s: the output cannot be written", c->name);
    return stream_close(c->in, error) && ok;
}

// ---- the command
// -----------------------------------------------------------------------------------

static int refuse(const char *format, const char *what)
{
    Error error;
    char text[ERROR_TEXT_SIZE];
    snprintf(text, sizeof text, format, what);
    error_set(&error, "%s", text);
    return options_refuse("convert", &error);
}

static int convert_all(Convert *c, const Words *words, Format from, const char *output)
{
    static const char *const standard[] = {"-"};
    const char *const *paths = words->count ? words->at : standard;
    Error error;
    bool ok = true, is_file = output && strcmp(output, "-");
    if (!c->check) {
        c->out = is_file ? stream_create(output, &error)
                         : stream_create_file(stdout, "standard output", &error);
        if (!c->out) {
            fprintf(stderr, "lovac convert: %s\n", error.text);
            return EXIT_FAILED;
        }
    }
    for (int i = 0; i < (words->count ? words->count : 1); i++)
        if (!convert_file(c, paths[i], from, &error)) {
            fprintf(stderr, "lovac convert: %s\n", error.text);
            ok = false;
        }
    if (c->out && !stream_close(c->out, &error)) {
        fprintf(stderr, "lovac convert: %s\n", error.text);
        ok = false;
    }
    if (!c->quiet)
        fprintf(stderr,
                "%" PRIu64 " games, %" PRIu64 " positions, %" PRIu64 " problems, %" PRIu64
                " left out",
                c->games, c->positions, c->problems, c->left_out);
    if (!c->quiet && c->filter.root >= 0)
        fprintf(stderr, ", %" PRIu64 " not wanted", c->unwanted);
    if (!c->quiet)
        fprintf(stderr, "\n");
    return ok && !c->problems ? EXIT_OK : EXIT_FAILED;
}

int cmd_convert(int argc, char **argv)
{
    const char *to = NULL, *from = NULL, *output = NULL, *variant = NULL, *positions = "last";
    const char *where = "";
    bool check = false, drop = false, quiet = false;
    const Option options[] = {{.name = "to", .kind = OPTION_TEXT, .value = &to},
                              {.name = "from", .kind = OPTION_TEXT, .value = &from},
                              {.name = "output", .kind = OPTION_TEXT, .value = &output},
                              {.name = "variant", .kind = OPTION_TEXT, .value = &variant},
                              {.name = "positions", .kind = OPTION_TEXT, .value = &positions},
                              {.name = "where", .kind = OPTION_TEXT, .value = &where},
                              {.name = "check", .kind = OPTION_FLAG, .value = &check},
                              {.name = "drop", .kind = OPTION_FLAG, .value = &drop},
                              {.name = "quiet", .kind = OPTION_FLAG, .value = &quiet},
                              {0}};
    Words words;
    Error error;
    if (!options_read(argc, argv, options, &words, &error))
        return options_refuse("convert", &error);
    Format source = from ? format_find(from, strlen(from)) : FORMAT_UNKNOWN;
    Format goal = to       ? format_find(to, strlen(to))
                  : output ? format_of_name(output)
                           : FORMAT_UNKNOWN;
    if (from && !source)
        return refuse("--from: '%.40s' is not one of pgn, epd, fen, uci", from);
    if (to && !goal)
        return refuse("--to: '%.40s' is not one of pgn, epd, fen, uci", to);
    int which = LAST;
    while (which <= ALL && strcmp(positions, WHICH_NAMES[which]))
        which++;
    if (which > ALL)
        return refuse("--positions: '%.40s' is not one of last, first, all", positions);
    const Rules *rules = variant ? setup_rules(variant, &error) : NULL;
    if (variant && !rules)
        return options_refuse("convert", &error);
    Convert *c = calloc(1, sizeof *c);
    if (!c) {
        fprintf(stderr, "lovac convert: not enough memory\n");
        return EXIT_FAILED;
    }
    if (!filter_read(&c->filter, where, &error)) {
        free(c);
        error_prefix(&error, "", "--where: ");
        return options_refuse("convert", &error);
    }
    c->to = goal ? goal : FORMAT_PGN;
    c->which = (Which)which;
    c->rules = rules;
    c->check = check;
    c->drop = drop;
    c->quiet = quiet;
    pgn_game_init(&c->game, grow, report, c);
    int status = convert_all(c, &words, source, output);
    pgn_game_release(&c->game);
    free(c->text.bytes);
    free(c);
    return status;
}
