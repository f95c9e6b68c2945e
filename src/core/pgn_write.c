// Text of PGN, put together in a small buffer and broken into lines on the way to the sink.
#include "core/pgn_write.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/notation.h"

enum { LINE_WIDTH = 79, BUFFER_SIZE = 4096 };

typedef struct Writer {
    PgnSink *sink;
    void *context;
    PgnStyle style;
    int line_width;
    bool is_bad;
    bool is_glued; // the next word follows without a blank
    int column;
    size_t used;
    char buffer[BUFFER_SIZE];
} Writer;

static void flush(Writer *w)
{
    if (w->used && !w->is_bad)
        w->is_bad = !w->sink(w->context, w->buffer, w->used);
    w->used = 0;
}

static void put(Writer *w, const char *text, size_t size)
{
    while (size) {
        size_t part = BUFFER_SIZE - w->used < size ? BUFFER_SIZE - w->used : size;
        memcpy(w->buffer + w->used, text, part);
        w->used += part;
        text += part;
        size -= part;
        if (w->used == BUFFER_SIZE)
            flush(w);
    }
}

static void put_text(Writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void end_line(Writer *w)
{
    put(w, "\n", 1);
    w->column = 0;
    w->is_glued = false;
}

// How many columns a text takes: bytes that only continue a UTF-8 character do not count.
static int width(const char *text, size_t size)
{
    int columns = 0;
    for (size_t i = 0; i < size; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

// Puts a word behind a blank, or on a new line if it does not fit.
static void put_word(Writer *w, const char *text, size_t size)
{
    int columns = width(text, size), gap = w->column && !w->is_glued;
    if (w->column && w->column + gap + columns > w->line_width)
        end_line(w);
    else if (gap)
        put(w, " ", 1), w->column++;
    put(w, text, size);
    w->column += columns;
    w->is_glued = false;
}

// ---- tags
// ------------------------------------------------------------------------------------------

static const char *const ROSTER[7] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};

static void write_tag(Writer *w, const char *name, const char *value)
{
    put(w, "[", 1);
    put_text(w, name);
    put(w, " \"", 2);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            put(w, "\\", 1);
        put(w, value, 1);
    }
    put(w, "\"]\n", 3);
}

static void write_tags(Writer *w, const PgnGame *game)
{
    bool is_roster_done[7] = {false};
    for (int i = 0; i < 7; i++) {
        const char *value = pgn_game_tag(game, ROSTER[i]);
        const char *missing = i == 2 ? "????.??.??" : i == 6 ? result_text(game->result) : "?";
        write_tag(w, ROSTER[i], value ? value : missing);
    }
    for (uint32_t t = 0; t < game->tag_count; t++) {
        const char *name = game->text + game->tags[t].name;
        bool is_written = false;
        for (int i = 0; i < 7; i++)
            if (!strcasecmp(name, ROSTER[i]) && !is_roster_done[i])
                is_written = is_roster_done[i] = true;
        if (!is_written)
            write_tag(w, name, game->text + game->tags[t].value);
    }
    const Rules *rules = game->start.rules;
    if (game->has_start && rules != &VARIANTS[VARIANT_CHESS] && !pgn_game_tag(game, "Variant"))
        write_tag(w, "Variant", pgn_variant_text(rules));
    put(w, "\n", 1);
}

// ---- moves
// -----------------------------------------------------------------------------------------

// A comment with a brace in it can only be written to the end of a line.
static void write_line_comment(Writer *w, const char *text)
{
    put_text(w, w->column ? " ;" : ";");
    put_text(w, text);
    end_line(w);
}

// May a line be broken before this text? Not so that a reader would take it for an escape or a tag.
static bool can_begin_line(const char *text)
{
    return *text != '%' && strncmp(text, "[Event", 6) != 0;
}

// Breaks a comment into lines at its blanks, one blank for each line end, so that no blank is lost.
static void write_comment(Writer *w, const char *text)
{
    if (strchr(text, '}')) {
        write_line_comment(w, text);
        return;
    }
    const char *word = text, *end;
    bool is_first = true;
    do {
        end = word + strcspn(word, " ");
        int columns = width(word, (size_t)(end - word)) + !*end; // the last with its brace
        if (is_first) {
            int gap = w->column && !w->is_glued;
            if (w->column && w->column + gap + columns + 1 > w->line_width)
                end_line(w);
            else if (gap)
                put(w, " ", 1), w->column++;
            put(w, "{", 1), w->column++;
        } else if (w->column + 1 + columns > w->line_width && can_begin_line(word)) {
            end_line(w);
        } else {
            put(w, " ", 1), w->column++;
        }
        put(w, word, (size_t)(end - word));
        w->column += columns;
        is_first = false;
        word = end + 1;
    } while (*end);
    put(w, "}", 1);
    w->is_glued = false;
}

static void move_text(const Writer *w, const Position *pos, Move move, char text[MOVE_TEXT_SIZE])
{
    if (!move)
        memcpy(text, "--", 3);
    else if (w->style == PGN_STYLE_SAN)
        move_to_san(pos, move, text);
    else if (w->style == PGN_STYLE_LONG)
        move_to_long(pos, move, text);
    else
        move_to_uci(pos, move, pos->rules != &VARIANTS[VARIANT_CHESS], text);
}

static void write_move(Writer *w, PgnLevel *level, Move move, bool needs_number)
{
    char text[MOVE_TEXT_SIZE + 16];
    Position *now = &level->now;
    if (needs_number || now->side == WHITE) {
        int size =
            snprintf(text, sizeof text, "%d%s", now->ply / 2 + 1, now->side == WHITE ? "." : "...");
        put_word(w, text, (size_t)size);
    }
    move_text(w, now, move, text);
    put_word(w, text, strlen(text));
    Undo undo;
    level->before = *now;
    level->has_move = true;
    if (move)
        position_make(now, move, &undo);
    else
        position_make_null(now, &undo);
}

static void write_items(Writer *w, const PgnGame *game)
{
    PgnLevel levels[PGN_MAX_DEPTH];
    int depth = 0;
    bool needs_number = true;
    levels[0].now = game->start;
    for (uint32_t i = 0; i < game->item_count && !w->is_bad; i++) {
        const PgnItem *item = &game->items[i];
        char text[16];
        switch (item->kind) {
        case PGN_ITEM_MOVE:
            write_move(w, &levels[depth], item->value, needs_number);
            needs_number = false;
            break;
        case PGN_ITEM_NAG:
            put_word(w, text, (size_t)snprintf(text, sizeof text, "$%d", item->value));
            break;
        case PGN_ITEM_COMMENT:
            write_comment(w, game->text + item->text);
            needs_number = true;
            break;
        case PGN_ITEM_OPEN:
            put_word(w, "(", 1);
            w->is_glued = needs_number = true;
            levels[depth + 1].now = levels[depth].before;
            depth++;
            break;
        default:
            w->is_glued = true;
            put_word(w, ")", 1);
            depth--;
            needs_number = true;
        }
    }
}

static void begin(Writer *w, PgnStyle style, int line_width, PgnSink *sink, void *context)
{
    w->sink = sink;
    w->context = context;
    w->style = style;
    w->line_width = line_width;
    w->is_bad = w->is_glued = false;
    w->column = 0;
    w->used = 0;
}

static bool end(Writer *w, const PgnGame *game, const char *after)
{
    write_items(w, game);
    put_word(w, result_text(game->result), strlen(result_text(game->result)));
    put_text(w, after);
    flush(w);
    return !w->is_bad;
}

bool pgn_game_write_as(const PgnGame *game, PgnStyle style, PgnSink *sink, void *context)
{
    Writer w;
    begin(&w, style, LINE_WIDTH, sink, context);
    write_tags(&w, game);
    return end(&w, game, "\n\n");
}

bool pgn_game_write(const PgnGame *game, PgnSink *sink, void *context)
{
    return pgn_game_write_as(game, PGN_STYLE_SAN, sink, context);
}

bool pgn_game_write_moves(const PgnGame *game, PgnStyle style, PgnSink *sink, void *context)
{
    Writer w;
    begin(&w, style, INT_MAX, sink, context);
    return end(&w, game, "");
}
