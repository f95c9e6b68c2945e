// What the browser is shown of positions, moves and lines, as JSON (docs/protocol.md). The browser
// holds no rules: everything it needs to know about a position is in view_position.
#ifndef LOVAC_SERVER_VIEW_H
#define LOVAC_SERVER_VIEW_H

#include <jansson.h>

#include "engine/engine.h"
#include "server/tree.h"

// JSON as text, which the caller frees; NULL when there is no memory. (json_dumps of jansson leaves
// pieces out then, without a word.)
char *view_text(const json_t *json, size_t flags);

// "white", "black".
const char *color_name(Color c);

// Writes "e4".
void square_name(Square s, char text[3]);

// The square of a name, or NO_SQUARE.
Square square_from_name(const char *text);

// The machine's word for a reason: "checkmate", "time-no-mate", ...
const char *reason_code(Reason reason);

// {"result", "winner", "reason"}, or null when there is no result.
json_t *view_outcome(Outcome outcome);

// POSITION of a game that stands at node `node`.
json_t *view_position(const Game *game, int node);

// NODE, whose position before the move is `before` and after it `after`.
json_t *view_node(const Tree *tree, int id, const Position *before, const Position *after);

// SHAPE and the other way round; false when it is none.
json_t *view_shape(const Shape *shape);
bool shape_from_json(const json_t *json, Shape *shape);

// SCORE for White, given for the side to move of `pos`.
json_t *view_score(const Position *pos, int score);

// The moves of a line as UCI and SAN, two arrays; stops before a move that is not legal.
void view_line(const Position *pos, const Move *moves, int count, json_t **uci, json_t **san);

// Adds the names of a legal move to an object: "uci" and "san".
void view_move_names(const Position *pos, Move move, json_t *object);

// Does castling have to be written king-takes-rook in this game?
bool view_is_shuffled(const Rules *rules);

// The legal move that a browser means by from, to and promotion letter (0: none), or MOVE_NONE.
Move view_find_move(const Position *pos, const char *uci);

// How a position with its history ends by the rules alone. With `strict` three repetitions and
// fifty moves end it, else five and seventy-five; what can be claimed meanwhile goes to `claim`.
Outcome view_game_outcome(const Game *game, bool strict, Reason *claim);

#endif
