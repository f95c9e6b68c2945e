// See convert_write.h.
#include "app/convert_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/setup.h"
#include "base/json.h"
#include "base/utf8.h"
#include "core/fen.h"
#include "core/notation.h"

static void put_bytes(Convert *c, const void *bytes, size_t size)
{
    c->is_short = !bytes_add(&c->text, bytes, size) || c->is_short;
}

static void put(Convert *c, const char *words)
{
    put_bytes(c, words, strlen(words));
}

static bool add_text(void *context, const char *text, size_t size)
{
    return bytes_add(context, text, size);
}

static void move_text(const PgnLine *line, PgnStyle style, char text[MOVE_TEXT_SIZE])
{
    if (style == PGN_STYLE_UCI)
        move_to_uci(&line->pos, line->move, setup_is_chess960(&line->pos), text);
    else if (!line->move)
        strcpy(text, "--");
    else if (style == PGN_STYLE_LONG)
        move_to_long(&line->pos, line->move, text);
    else
        move_to_san(&line->pos, line->move, text);
}

// ---- positions and UCI ----

static void put_fen(Convert *c, const Position *pos)
{
    char fen[FEN_SIZE];
    position_to_fen(pos, FEN_XFEN, fen);
    put(c, fen);
}

// White and Black as an id, where they can be written so.
static void put_players(Convert *c)
{
    const char *white = pgn_game_tag(&c->game, "White"), *black = pgn_game_tag(&c->game, "Black");
    if (!white || !black || !strcmp(white, "?") || strchr(white, '"') || strchr(black, '"'))
        return;
    put(c, " id \"");
    put(c, white);
    put(c, " - ");
    put(c, black);
    put(c, "\";");
}

// A position of a game as EPD or FEN, with the move played there (MOVE_NONE: none).
static void put_position(Convert *c, const Position *pos, Move played)
{
    char line[FEN_SIZE + 64], san[MOVE_TEXT_SIZE];
    if (c->to == FORMAT_FEN) {
        put_fen(c, pos);
    } else {
        Epd epd = {.pos = *pos};
        epd_write(&epd, line, sizeof line);
        put(c, line);
        if (played) {
            move_to_san(pos, played, san);
            put(c, " sm ");
            put(c, san);
            put(c, ";");
        }
        put_players(c);
    }
    put(c, "\n");
}

static void put_positions(Convert *c)
{
    PgnLine line;
    pgn_line_begin(&line, &c->game);
    while (pgn_line_next(&line)) {
        if (c->which == WHICH_ALL || (c->which == WHICH_FIRST && !line.count))
            put_position(c, &line.pos, line.move);
        pgn_line_play(&line);
    }
    if (c->which != WHICH_FIRST || !line.count)
        put_position(c, &line.pos, MOVE_NONE);
}

static void put_uci_start(Convert *c, const Position *start)
{
    char fen[FEN_SIZE];
    position_to_fen(start, FEN_XFEN, fen);
    if (start->rules == &VARIANTS[VARIANT_CHESS] && !strcmp(fen, start->rules->start_fen)) {
        put(c, "startpos");
        return;
    }
    put(c, "fen ");
    put(c, fen);
}

static void put_uci(Convert *c)
{
    PgnLine line;
    pgn_line_begin(&line, &c->game);
    put_uci_start(c, &line.pos);
    while (pgn_line_next(&line)) {
        char uci[MOVE_TEXT_SIZE];
        move_text(&line, PGN_STYLE_UCI, uci);
        put(c, line.count ? " " : " moves ");
        put(c, uci);
        pgn_line_play(&line);
    }
    put(c, "\n");
}

// ---- JSON: an object a line ----

static void json_moves(Json *json, const char *name, const PgnGame *game, PgnStyle style)
{
    PgnLine line;
    json_open(json, name, '[');
    pgn_line_begin(&line, game);
    while (pgn_line_next(&line)) {
        char text[MOVE_TEXT_SIZE];
        move_text(&line, style, text);
        json_text(json, NULL, text);
        pgn_line_play(&line);
    }
    json_close(json);
}

// A text in UTF-8; the caller frees it.
static char *clean_copy(const char *text, size_t size)
{
    Bytes copy = {0};
    for (size_t i = 0; i < size;) {
        size_t length = utf8_length(text + i, size - i);
        char mended[3];
        if (length)
            bytes_add(&copy, text + i, length);
        else
            bytes_add(&copy, mended, utf8_from_latin1(text[i], mended));
        i += length ? length : 1;
    }
    bytes_add(&copy, "", 1);
    return (char *)copy.at;
}

static void json_clean_text(Json *json, const char *name, const char *text, size_t size)
{
    char *copy = clean_copy(text, size);
    json_text(json, name, copy ? copy : "");
    free(copy);
}

// Has the game more than moves?
static bool has_notes(const PgnGame *game)
{
    for (uint32_t i = 0; i < game->item_count; i++)
        if (game->items[i].kind != PGN_ITEM_MOVE)
            return true;
    return false;
}

static void json_tags(Json *json, const PgnGame *game)
{
    json_open(json, "tags", '{');
    for (uint32_t i = 0; i < game->tag_count; i++) {
        const char *name = game->text + game->tags[i].name,
                   *value = game->text + game->tags[i].value;
        // A tag written twice counts as it was written first.
        if (pgn_game_tag(game, name) == value)
            json_clean_text(json, name, value, strlen(value));
    }
    json_close(json);
}

static void put_json(Convert *c)
{
    const PgnGame *game = &c->game;
    Json json = {0};
    char fen[FEN_SIZE];
    Bytes moves = {0};
    json_open(&json, NULL, '{');
    json_tags(&json, game);
    json_text(&json, "variant", game->start.rules->name);
    position_to_fen(&game->start, FEN_XFEN, fen);
    json_text(&json, "start", fen);
    json_text(&json, "result", result_text(game->result));
    json_int(&json, "plies", pgn_game_moves(game, NULL, 0));
    json_moves(&json, "moves", game, c->style == PGN_STYLE_UCI ? PGN_STYLE_SAN : c->style);
    json_moves(&json, "uci", game, PGN_STYLE_UCI);
    if (has_notes(game) && pgn_game_write_moves(game, c->style, add_text, &moves))
        json_clean_text(&json, "movetext", (const char *)moves.at, moves.size);
    json_close(&json);
    put_bytes(c, json.text.at, json.text.size);
    c->is_short = c->is_short || json.is_short;
    put(c, "\n");
    bytes_release(&json.text);
    bytes_release(&moves);
}

// ---- CSV ----

static const char *const CSV_TAGS[] = {"Event",  "Site",     "Date",     "Round", "White",  "Black",
                                       "Result", "WhiteElo", "BlackElo", "ECO",   "Opening"};

const char *convert_header(Format format)
{
    return format == FORMAT_CSV ? "Event,Site,Date,Round,White,Black,Result,WhiteElo,BlackElo,ECO,"
                                  "Opening,Variant,Start,Plies,Moves\n"
                                : "";
}

// A field, in quotes where it needs them.
static void put_field(Convert *c, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        put(c, text);
        return;
    }
    put(c, "\"");
    for (; *text; text++)
        put_bytes(c, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    put(c, "\"");
}

static void put_csv(Convert *c)
{
    const PgnGame *game = &c->game;
    char plies[16], fen[FEN_SIZE];
    PgnLine line;
    for (size_t i = 0; i < sizeof CSV_TAGS / sizeof *CSV_TAGS; i++) {
        const char *value = i == 6 ? result_text(game->result) : pgn_game_tag(game, CSV_TAGS[i]);
        put_field(c, value ? value : "");
        put(c, ",");
    }
    position_to_fen(&game->start, FEN_XFEN, fen);
    put_field(c, game->start.rules->name);
    put(c, ",");
    put_field(c, fen);
    snprintf(plies, sizeof plies, ",%d,", pgn_game_moves(game, NULL, 0));
    put(c, plies);
    pgn_line_begin(&line, game);
    while (pgn_line_next(&line)) {
        char text[MOVE_TEXT_SIZE];
        move_text(&line, c->style, text);
        put(c, line.count ? " " : "");
        put(c, text);
        pgn_line_play(&line);
    }
    put(c, "\n");
}

// ---- all of them ----

void convert_write_game(Convert *c)
{
    switch (c->to) {
    case FORMAT_EPD:
    case FORMAT_FEN: put_positions(c); break;
    case FORMAT_UCI: put_uci(c); break;
    case FORMAT_JSON: put_json(c); break;
    case FORMAT_CSV: put_csv(c); break;
    default:
        c->is_short = !pgn_game_write_as(&c->game, c->style, add_text, &c->text) || c->is_short;
    }
}

// A game without moves; the operations stand in a comment.
static void put_epd_as_game(Convert *c, const Epd *epd, const char *line)
{
    pgn_game_begin(&c->game, &epd->pos);
    if (epd->count) {
        const char *operations = line;
        for (int i = 0; i < 4 && operations; i++)
            operations = strchr(operations + 1, ' ');
        pgn_game_add_comment(&c->game, operations ? operations + 1 : "");
    }
    convert_write_game(c);
}

void convert_write_epd(Convert *c, const Epd *epd)
{
    size_t size = epd_write(epd, NULL, 0);
    char *line = malloc(size + 1);
    if (!line) {
        c->is_short = true;
        return;
    }
    epd_write(epd, line, size + 1);
    switch (c->to) {
    case FORMAT_FEN: put_fen(c, &epd->pos); break;
    case FORMAT_UCI: put_uci_start(c, &epd->pos); break;
    case FORMAT_EPD: put(c, line); break;
    default: put_epd_as_game(c, epd, line); break;
    }
    if (c->to == FORMAT_FEN || c->to == FORMAT_UCI || c->to == FORMAT_EPD)
        put(c, "\n");
    free(line);
}
