// See pgn_tree.h. Writing walks the tree and fills a PgnGame, reading does the opposite; the text
// itself is the business of core/pgn.h. Shapes and clocks travel inside comments, in the signs that
// other programs use: [%cal Ge2e4], [%csl Rd4], [%clk 0:03:00]; other such signs ([%eval 0.24]) are
// kept as they are. Nothing here checks moves.
#include "server/pgn_tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/pgn_write.h"
#include "server/view.h"

enum {
    COMMENT_TEXT_SIZE = COMMENT_MAX * 4 + COMMANDS_MAX + SHAPES_MAX * 8 + 64,
    BRUSH_LETTERS_MAX = 4
};

static const char BRUSH_LETTERS[BRUSH_LETTERS_MAX + 1] = "GRBY";

// ---- Writing ----

typedef struct Text {
    char *bytes;
    size_t length, capacity;
} Text;

// Takes what is written, as a text that grows.
static bool add_text(void *context, const char *bytes, size_t size)
{
    Text *text = context;
    if (text->length + size + 1 > text->capacity) {
        size_t capacity = (text->length + size + 1) * 2;
        char *larger = realloc(text->bytes, capacity);
        if (!larger)
            return false;
        text->bytes = larger;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->length, bytes, size);
    text->length += size;
    text->bytes[text->length] = 0;
    return true;
}

// "[%csl Ge4,Rd5]" for circles, "[%cal Ge2e4]" for arrows.
static void add_shapes(Str *s, const Notes *notes, bool arrows)
{
    bool is_first = true;
    for (int i = 0; i < notes->shape_count; i++) {
        const Shape *shape = &notes->shapes[i];
        char from[3], to[3];
        if ((shape->from != shape->to) != arrows)
            continue;
        square_name(shape->from, from);
        square_name(shape->to, to);
        str_format(s, "%s%c%s%s", is_first ? arrows ? "[%cal " : "[%csl " : ",",
                   BRUSH_LETTERS[shape->brush], from, arrows ? to : "");
        is_first = false;
    }
    if (!is_first)
        str_add(s, "]");
}

// Glyphs, clock, shapes and comment of a node; the last three share one comment.
static bool write_notes(PgnGame *out, const Node *node)
{
    const Notes *notes = node->notes;
    bool ok = true;
    for (int i = 0; ok && notes && i < notes->nag_count; i++)
        ok = pgn_game_add_nag(out, notes->nags[i]);
    char *text = malloc(COMMENT_TEXT_SIZE);
    if (!text)
        return false;
    Str s;
    str_init(&s, text, COMMENT_TEXT_SIZE);
    if (node->clock_ms >= 0)
        str_format(&s, "[%%clk %d:%02d:%02d.%d]", node->clock_ms / 3600000,
                   node->clock_ms / 60000 % 60, node->clock_ms / 1000 % 60,
                   node->clock_ms / 100 % 10);
    if (notes) {
        add_shapes(&s, notes, false);
        add_shapes(&s, notes, true);
        str_add(&s, notes->commands ? notes->commands : "");
    }
    if (notes && notes->comment)
        str_format(&s, "%s%s", s.length ? " " : "", notes->comment);
    for (char *p = text; *p; p++) // a brace would end the comment
        if (*p == '}')
            *p = ')';
    ok = ok && (!s.length || pgn_game_add_comment(out, text));
    free(text);
    return ok;
}

static bool write_line(PgnGame *out, const Tree *tree, int id);

// A move with its notes.
static bool write_move(PgnGame *out, const Tree *tree, int id)
{
    return pgn_game_add_move(out, tree->nodes[id].move) && write_notes(out, &tree->nodes[id]);
}

// The other moves instead of the first one; those nested too deep are left out.
static bool write_variations(PgnGame *out, const Tree *tree, int first)
{
    bool ok = true;
    for (int c = tree->nodes[first].next; ok && c != NODE_NONE; c = tree->nodes[c].next)
        if (pgn_game_open(out))
            ok = write_move(out, tree, c) && write_line(out, tree, c) && pgn_game_close(out);
    return ok;
}

// The line that goes on from a node, with its variations.
static bool write_line(PgnGame *out, const Tree *tree, int id)
{
    bool ok = true;
    for (int c; ok && (c = tree->nodes[id].child) != NODE_NONE; id = c)
        ok = write_move(out, tree, c) && write_variations(out, tree, c);
    return ok;
}

// Where and when, of a game that was played (or an analysis that was begun) here.
static bool write_place(PgnGame *out, const Room *room)
{
    char date[32], round[16];
    time_t created = (time_t)room->created_s;
    struct tm tm;
    gmtime_r(&created, &tm);
    strftime(date, sizeof date, "%Y.%m.%d", &tm);
    snprintf(round, sizeof round, "%d", room->old_count + 1);
    return pgn_game_set_tag(out, "Event", room->is_analysis ? "Analysis" : "Game") &&
           pgn_game_set_tag(out, "Site", "Lovac") && pgn_game_set_tag(out, "Date", date) &&
           pgn_game_set_tag(out, "Round", round);
}

// The tags with which a game came, as they were.
static bool write_own_tags(PgnGame *out, json_t *tags)
{
    bool ok = true;
    for (void *i = json_object_iter(tags); ok && i; i = json_object_iter_next(tags, i))
        ok = pgn_game_set_tag(out, json_object_iter_key(i),
                              json_string_value(json_object_iter_value(i)));
    return ok;
}

// The time of one side, as PGN has it.
static bool write_control(PgnGame *out, const char *name, const RoomClock *clock, Color c)
{
    char control[48];
    snprintf(control, sizeof control, "%lld+%lld", (long long)clock->time_ms[c] / 1000,
             (long long)clock->increment_ms[c] / 1000);
    return pgn_game_set_tag(out, name, control);
}

// The clock: one tag for both, or one for each.
static bool write_clock(PgnGame *out, const RoomClock *clock)
{
    if (room_clock_is_common(clock))
        return write_control(out, "TimeControl", clock, WHITE);
    return write_control(out, "WhiteTimeControl", clock, WHITE) &&
           write_control(out, "BlackTimeControl", clock, BLACK);
}

// Who, where, when, under which clock and how it ended.
static bool write_tags(PgnGame *out, const Room *room)
{
    char white[NAME_SIZE], black[NAME_SIZE];
    seat_title(&room->seats[WHITE], white, sizeof white);
    seat_title(&room->seats[BLACK], black, sizeof black);
    bool ok = (room->tags ? write_own_tags(out, room->tags) : write_place(out, room)) &&
              pgn_game_set_tag(out, "White", white) && pgn_game_set_tag(out, "Black", black);
    if (ok && room->clock.kind == CLOCK_GAME)
        ok = write_clock(out, &room->clock);
    if (ok && room->is_over && *room->reason && strcmp(room->reason, "unknown"))
        ok = pgn_game_set_tag(out, "Termination", room->reason);
    return ok;
}

char *pgn_tree_write(const Room *room, Error *error)
{
    PgnGame *game = malloc(sizeof *game);
    Text text = {0};
    if (!game)
        return error_set(error, "out of memory"), NULL;
    pgn_game_init(game, memory_from_heap, NULL, NULL);
    const Tree *tree = &room->tree;
    bool ok = pgn_game_begin(game, &tree->start) && write_tags(game, room) &&
              write_notes(game, &tree->nodes[0]) && write_line(game, tree, 0);
    game->result = room->is_over ? room->result : RESULT_NONE;
    ok = ok && pgn_game_write(game, add_text, &text);
    pgn_game_release(game);
    free(game);
    if (ok)
        return text.bytes;
    free(text.bytes);
    return error_set(error, "out of memory"), NULL;
}

// ---- Reading ----

// One more shape, where there is room for it.
static void add_shape(Notes *notes, const Shape *shape)
{
    Shape list[SHAPES_MAX];
    if (notes->shape_count >= SHAPES_MAX)
        return;
    if (notes->shape_count)
        memcpy(list, notes->shapes, (size_t)notes->shape_count * sizeof *list);
    list[notes->shape_count] = *shape;
    notes_set_shapes(notes, list, notes->shape_count + 1);
}

// Reads "Ge2e4,Rd5]" behind [%cal or [%csl; returns the end.
static const char *read_shapes(const char *at, Notes *notes)
{
    while (*at && *at != ']') {
        const char *letter = strchr(BRUSH_LETTERS, *at);
        Square from = letter && at[1] && at[2] ? square_from_name(at + 1) : NO_SQUARE;
        if (from != NO_SQUARE) {
            Square to = at[3] && at[4] ? square_from_name(at + 3) : NO_SQUARE;
            Shape shape = {(uint8_t)(letter - BRUSH_LETTERS), (uint8_t)from,
                           (uint8_t)(to == NO_SQUARE ? from : to)};
            add_shape(notes, &shape);
        }
        at += strcspn(at, ",]");
        at += *at == ',';
    }
    return at;
}

// Reads "0:03:00]" behind [%clk; returns the end.
static const char *read_clock(const char *at, Node *node)
{
    int hours, minutes;
    double seconds;
    if (sscanf(at, "%d:%d:%lf", &hours, &minutes, &seconds) == 3 && hours >= 0 && hours < 500 &&
        minutes >= 0 && minutes < 60 && seconds >= 0 && seconds < 60)
        node->clock_ms = (int32_t)((hours * 60 + minutes) * 60000 + seconds * 1000);
    return at + strcspn(at, "]");
}

// The length of a sign such as "[%eval 0.24]"; 0 when the text does not begin with one.
static size_t command_size(const char *at)
{
    bool is_command = at[0] == '[' && at[1] == '%' && isalpha((unsigned char)at[2]);
    const char *end = is_command ? strchr(at, ']') : NULL;
    return end ? (size_t)(end + 1 - at) : 0;
}

// Takes our signs out of a comment and adds the rest to the node's.
static bool read_comment(Tree *tree, int id, const char *comment)
{
    Notes *notes = tree_notes(tree, id);
    size_t old = notes && notes->comment ? strlen(notes->comment) : 0;
    char *text = notes ? malloc(old + strlen(comment) + 2) : NULL;
    if (!text)
        return false;
    char *out = text;
    if (old) {
        memcpy(text, notes->comment, old);
        out = text + old;
        *out++ = ' ';
    }
    char *begin = out;
    for (const char *at = comment; *at;) {
        bool is_shape = !strncmp(at, "[%cal ", 6) || !strncmp(at, "[%csl ", 6);
        if (is_shape || !strncmp(at, "[%clk ", 6)) {
            at = is_shape ? read_shapes(at + 6, notes) : read_clock(at + 6, &tree->nodes[id]);
            at += *at == ']';
            continue;
        }
        size_t size = command_size(at);
        if (size && notes_add_commands(notes, at, size)) {
            at += size;
            continue;
        }
        if (*at != ' ' || out != begin)
            *out++ = *at;
        at++;
    }
    while (out > text && out[-1] == ' ')
        out--;
    *out = 0;
    text[utf8_fit(text, COMMENT_MAX * 4)] = 0;
    bool ok = notes_set_comment(notes, text);
    free(text);
    return ok;
}

// One more glyph, where there is room for it.
static void read_nag(Tree *tree, int id, int nag)
{
    Notes *notes = tree_notes(tree, id);
    if (notes && nag > 0 && nag < 256 && notes->nag_count < NAGS_MAX)
        notes->nags[notes->nag_count++] = (uint8_t)nag;
}

bool pgn_tree_read(const PgnGame *game, Tree *tree, Error *error)
{
    int stack[PGN_MAX_DEPTH + 1], depth = 0, now = 0;
    if (!game->has_start)
        return error_code(error, "pgn-no-start", "the game has no start position that Lovac knows");
    if (!tree_init(tree, &game->start))
        return error_set(error, "out of memory");
    bool is_lost = false; // the tree is full: the rest of this line is left out
    for (uint32_t i = 0; i < game->item_count; i++) {
        const PgnItem *item = &game->items[i];
        int id;
        switch ((PgnItemKind)item->kind) {
        case PGN_ITEM_MOVE:
            id = is_lost ? NODE_NONE : tree_find(tree, now, item->value);
            if (id == NODE_NONE && !is_lost)
                id = tree_add(tree, now, item->value, false, NULL);
            is_lost = id == NODE_NONE;
            now = is_lost ? now : id;
            break;
        case PGN_ITEM_NAG:
            if (!is_lost)
                read_nag(tree, now, item->value);
            break;
        case PGN_ITEM_COMMENT:
            if (!is_lost)
                read_comment(tree, now, game->text + item->text);
            break;
        case PGN_ITEM_OPEN:
            stack[depth++] = is_lost ? ~now : now;
            if (!is_lost && now)
                now = tree->nodes[now].parent;
            break;
        case PGN_ITEM_CLOSE:
            now = stack[--depth];
            is_lost = now < 0;
            now = is_lost ? ~now : now;
            break;
        }
    }
    return true;
}

// ---- Texts ----

struct PgnText {
    PgnBytes bytes;
    PgnReader reader;
    PgnGame game;
};

PgnText *pgn_text_open(const char *text, size_t size, PgnReport *problems, void *context)
{
    PgnText *t = malloc(sizeof *t);
    if (!t)
        return NULL;
    pgn_text_begin(t, text, size);
    pgn_game_init(&t->game, memory_from_heap, problems, context);
    return t;
}

void pgn_text_begin(PgnText *t, const char *text, size_t size)
{
    t->bytes = (PgnBytes){text, size};
    pgn_reader_init(&t->reader, pgn_read_bytes, &t->bytes);
}

PgnGame *pgn_text_next(PgnText *t)
{
    return pgn_game_read(&t->game, &t->reader, NULL) ? &t->game : NULL;
}

void pgn_text_close(PgnText *t)
{
    pgn_game_release(&t->game);
    free(t);
}
