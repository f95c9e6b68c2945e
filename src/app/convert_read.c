// See convert_read.h.
#include "app/convert_read.h"

#include <stdlib.h>
#include <string.h>

#include "app/convert_change.h"
#include "app/convert_out.h"
#include "app/convert_write.h"
#include "base/memory.h"
#include "core/fen.h"
#include "core/notation.h"

// ---- records on their way ----

// Writes the present record, if it is wanted; the error says that the output is at its end.
static bool finish_record(Convert *c, Error *error)
{
    bool is_left_out = c->drop && c->is_bad_game, ok = true;
    if (c->is_short)
        convert_tell(c, 0, "not enough memory for this record");
    c->counts.left_out += is_left_out;
    if (!c->check && !is_left_out && c->text.size)
        ok = convert_out_record(c, error);
    bytes_clear(&c->text);
    c->is_short = c->is_bad_game = false;
    return ok;
}

static bool finish_game(Convert *c, Error *error)
{
    c->counts.games++;
    if (c->game.is_passed_over) {
        c->counts.unwanted++;
        c->is_bad_game = false;
        return true;
    }
    if (!convert_change(c)) {
        c->is_bad_game = false;
        return true;
    }
    if (!c->game.has_start)
        c->counts.left_out += !(c->drop && c->is_bad_game);
    else if (!c->check)
        convert_write_game(c);
    return finish_record(c, error);
}

// A position goes through the same filter as a game of no moves.
static bool finish_epd(Convert *c, const Epd *epd, Error *error)
{
    c->counts.positions++;
    bool is_asked = c->filter.root >= 0 || c->unique != UNIQUE_NO || c->shelf.file;
    if (is_asked && (!pgn_game_begin(&c->game, &epd->pos) || !convert_change(c))) {
        c->is_bad_game = false;
        return true;
    }
    if (!c->check)
        convert_write_epd(c, epd);
    return finish_record(c, error);
}

// ---- PGN ----

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

static void report(void *context, uint64_t line, const Error *problem)
{
    convert_tell(context, line, problem->text);
}

// What the tags rule out need not be read further.
static bool is_wanted(void *context, const PgnGame *game)
{
    const Convert *c = context;
    return !filter_rules_out(&c->filter, game);
}

void convert_read_init(Convert *c)
{
    pgn_game_init(&c->game, memory_from_heap, report, c);
}

void convert_read_release(Convert *c)
{
    pgn_game_release(&c->game);
}

static bool convert_games(Convert *c, Error *error)
{
    bool is_changed = c->repair || (c->classify && filter_asks_opening(&c->filter));
    c->game.is_wanted = is_changed ? NULL : is_wanted;
    pgn_reader_init(&c->reader, read_source, c);
    for (c->number = 1; pgn_game_read(&c->game, &c->reader, c->rules); c->number++)
        if (!finish_game(c, error))
            return false;
    // Whatever stood behind the last game has been told, and is no game.
    c->is_bad_game = false;
    return true;
}

// ---- letters of other languages ----

// What a trial with some letters found in the beginning of the file.
typedef struct Trial {
    uint64_t moves, problems;
} Trial;

static void count_problem(void *context, uint64_t line, const Error *problem)
{
    Trial *trial = context;
    (void)line;
    trial->problems += !strncmp(problem->code, "move", 4);
}

static uint64_t try_letters(Convert *c, const PieceLetters *letters, uint64_t *moves)
{
    PgnGame *game = &c->game;
    PgnBytes beginning = {c->sniff, c->sniffed};
    Trial trial = {0};
    game->report = count_problem;
    game->is_wanted = NULL;
    game->context = &trial;
    game->letters = letters;
    pgn_reader_init(&c->reader, pgn_read_bytes, &beginning);
    while (pgn_game_read(game, &c->reader, c->rules))
        trial.moves += (uint64_t)pgn_game_moves(game, NULL, 0);
    game->report = report;
    game->context = c;
    game->letters = NULL;
    *moves = trial.moves;
    return trial.problems;
}

// Where English letters do not fit the beginning of the file, those under which most moves are
// legal; NULL for English.
static const PieceLetters *find_letters(Convert *c)
{
    const PieceLetters *best = NULL;
    uint64_t best_moves, moves;
    if (!try_letters(c, NULL, &best_moves))
        return NULL;
    for (const PieceLetters *l = PIECE_LETTERS + 1; l->code; l++) {
        try_letters(c, l, &moves);
        if (moves > best_moves) {
            best_moves = moves;
            best = l;
        }
    }
    return best;
}

static void choose_letters(Convert *c)
{
    c->game.letters = c->letters ? c->letters : find_letters(c);
    if (c->game.letters && !c->letters && !c->quiet)
        fprintf(stderr, "%s: read with %s letters for the pieces\n", c->name,
                c->game.letters->language);
}

// ---- lines ----

static bool read_uci_moves(Convert *c, char *words, uint64_t line, Error *error)
{
    Error problem;
    char *save = NULL;
    for (char *word = strtok_r(words, " \t\r", &save); word;
         word = strtok_r(NULL, " \t\r", &save)) {
        const Position *now = &c->game.levels[0].now;
        Move move = move_from_uci(now, word, &problem);
        if (!move && (strcmp(word, "0000") || position_in_check(now))) {
            convert_tell(c, line, problem.text);
            break;
        }
        pgn_game_add_move(&c->game, move);
    }
    return finish_game(c, error);
}

// A line `[position] startpos|fen FEN [moves ...]`.
static bool convert_uci_line(Convert *c, char *text, uint64_t line, Error *error)
{
    const Rules *rules = c->rules ? c->rules : &VARIANTS[VARIANT_CHESS];
    Position start;
    Error problem;
    text += strspn(text, " \t");
    if (!strncmp(text, "position ", 9))
        text += 9 + strspn(text + 9, " \t");
    char *moves = strstr(text, "moves");
    if (moves)
        *moves = 0, moves += 5;
    bool is_start = !strncmp(text, "startpos", 8), is_fen = !strncmp(text, "fen ", 4);
    if (!is_start && !is_fen)
        error_set(&problem, "neither startpos nor fen");
    if ((!is_start && !is_fen) ||
        !position_from_fen(&start, rules, is_start ? rules->start_fen : text + 4, &problem)) {
        convert_tell(c, line, problem.text);
        c->counts.left_out++;
        c->is_bad_game = false;
        return true;
    }
    c->number++;
    if (!pgn_game_begin(&c->game, &start))
        return error_set(error, "not enough memory");
    return read_uci_moves(c, moves ? moves : text + strlen(text), line, error);
}

// Castling rights that only Chess960 knows make a line Chess960, where the game was not said.
static bool read_epd(const Convert *c, Epd *epd, const char *text, size_t size, Error *error)
{
    const Rules *rules = c->rules ? c->rules : &VARIANTS[VARIANT_CHESS];
    return epd_read(epd, rules, text, size, error) ||
           (!c->rules && epd_read(epd, &VARIANTS[VARIANT_CHESS960], text, size, NULL));
}

static void check_moves(Convert *c, const Epd *epd, uint64_t line)
{
    static const char *const names[] = {"bm", "am"};
    Move list[64];
    Error problem;
    for (int i = 0; i < 2; i++)
        if (epd_moves(epd, names[i], list, 64, &problem) < 0) {
            error_prefix(&problem, "", "%s: ", names[i]);
            convert_tell(c, line, problem.text);
        }
}

// `text` has a final 0.
static bool convert_line(Convert *c, char *text, size_t size, uint64_t line, Error *error)
{
    Epd epd;
    Error problem;
    size_t blank = 0;
    while (blank < size && (unsigned char)text[blank] <= ' ')
        blank++;
    if (blank == size || text[blank] == '#')
        return true;
    if (c->from == FORMAT_UCI)
        return convert_uci_line(c, text, line, error);
    if (read_epd(c, &epd, text, size, &problem)) {
        check_moves(c, &epd, line);
        return finish_epd(c, &epd, error);
    }
    convert_tell(c, line, problem.text);
    c->counts.left_out++;
    c->is_bad_game = false;
    return true;
}

static bool end_line(Convert *c, Bytes *text, uint64_t line, Error *error)
{
    bool ok = bytes_add(text, "", 1) || error_set(error, "not enough memory");
    ok = ok && convert_line(c, (char *)text->at, text->size - 1, line, error);
    bytes_clear(text);
    return ok;
}

static bool convert_lines(Convert *c, Error *error)
{
    Bytes text = {0};
    char buffer[1 << 14];
    size_t got;
    uint64_t line = 1;
    bool ok = true, is_first = true;
    c->number = 0;
    while (ok && (got = read_source(c, buffer, sizeof buffer)) > 0) {
        char *p = buffer, *end = buffer + got;
        if (is_first && got >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
            p += 3;
        is_first = false;
        for (char *newline; ok && (newline = memchr(p, '\n', (size_t)(end - p))); p = newline + 1)
            ok = (bytes_add(&text, p, (size_t)(newline - p)) ||
                  error_set(error, "not enough memory")) &&
                 end_line(c, &text, line++, error);
        ok =
            ok && (bytes_add(&text, p, (size_t)(end - p)) || error_set(error, "not enough memory"));
    }
    if (ok && text.size)
        ok = end_line(c, &text, line, error);
    bytes_release(&text);
    return ok;
}

// ---- formats ----

Format format_of_name(const char *name)
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

bool convert_file(Convert *c, const char *path, Format from, Error *error)
{
    bool is_standard = !strcmp(path, "-");
    Error close_error;
    c->name = is_standard ? "standard input" : path;
    c->in = is_standard ? stream_open_file(stdin, c->name, error) : stream_open(path, error);
    if (!c->in)
        return false;
    c->sniffed = stream_read(c->in, c->sniff, sizeof c->sniff);
    c->used = 0;
    c->from = from ? from : is_standard ? FORMAT_UNKNOWN : format_of_name(path);
    if (!c->from || c->from >= FORMAT_JSON)
        c->from = format_of_content(c->sniff, c->sniffed);
    if (c->from == FORMAT_PGN)
        choose_letters(c);
    progress_init(&c->progress, stderr, "convert", "bytes", stream_length(c->in),
                  c->quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
    bool ok = c->from == FORMAT_PGN ? convert_games(c, error) : convert_lines(c, error);
    progress_end(&c->progress);
    if (!stream_close(c->in, ok ? error : &close_error))
        return false;
    return ok || error_prefix(error, "", "%s: ", c->name);
}
