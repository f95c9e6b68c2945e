// See view.h. From the small to the large: squares and words, the moves of a position with their
// risks, POSITION, NODE, lines and scores. All of it only looks; the rules are asked of core.
#include "server/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"

char *view_text(const json_t *json, size_t flags)
{
    size_t size = json_dumpb(json, NULL, 0, flags);
    char *text = size ? malloc(size + 1) : NULL;
    if (text && json_dumpb(json, text, size, flags) != size) {
        free(text);
        return NULL;
    }
    if (text)
        text[size] = 0;
    return text;
}

const char *color_name(Color c)
{
    return c == WHITE ? "white" : "black";
}

void square_name(Square s, char text[3])
{
    text[0] = (char)('a' + square_file(s));
    text[1] = (char)('1' + square_rank(s));
    text[2] = 0;
}

Square square_from_name(const char *t)
{
    if (t[0] < 'a' || t[0] > 'h' || t[1] < '1' || t[1] > '8')
        return NO_SQUARE;
    return square_make(t[0] - 'a', t[1] - '1');
}

// A square as text.
static json_t *json_square(Square s)
{
    char text[3];
    square_name(s, text);
    return json_stringn_nocheck(text, 2);
}

// Sets a field to a text, which is known to be UTF-8.
static void set_text(json_t *object, const char *name, const char *text)
{
    json_object_set_new_nocheck(object, name, json_string_nocheck(text));
}

// The same for a number.
static void set_int(json_t *object, const char *name, int64_t value)
{
    json_object_set_new_nocheck(object, name, json_integer(value));
}

// The same for any value, which is taken over.
static void set(json_t *object, const char *name, json_t *value)
{
    json_object_set_new_nocheck(object, name, value);
}

const char *reason_code(Reason reason)
{
    static const char *const CODES[] = {
        [REASON_NONE] = "unknown",
        [REASON_CHECKMATE] = "checkmate",
        [REASON_ALL_CAPTURED] = "all-captured",
        [REASON_NO_CAPTURE] = "no-capture",
        [REASON_STALEMATE] = "stalemate",
        [REASON_FIFTY_MOVES] = "fifty-moves",
        [REASON_REPETITION] = "repetition",
        [REASON_DEAD_POSITION] = "dead-position",
        [REASON_RESIGNATION] = "resignation",
        [REASON_TIME] = "time",
        [REASON_AGREEMENT] = "agreement",
        [REASON_TIME_NO_MATE] = "time-no-mate",
        [REASON_RESIGNATION_NO_MATE] = "resignation-no-mate",
        [REASON_ADJUDICATION] = "adjudication",
        [REASON_ILLEGAL_MOVE] = "illegal-move",
        [REASON_ABANDONED] = "abandoned",
    };
    size_t i = (size_t)reason;
    return i < sizeof CODES / sizeof *CODES && CODES[i] ? CODES[i] : "unknown";
}

json_t *view_outcome(Outcome outcome)
{
    if (outcome.result == RESULT_NONE)
        return json_null();
    json_t *o = json_object();
    set_text(o, "result", result_text(outcome.result));
    set(o, "winner",
        outcome.result == RESULT_DRAW
            ? json_null()
            : json_string(color_name(outcome.result == RESULT_WHITE ? WHITE : BLACK)));
    set_text(o, "reason", reason_code(outcome.reason));
    return o;
}

bool view_is_shuffled(const Rules *rules)
{
    return rules->start == START_CHESS960 || rules->start == START_DOUBLE_CHESS960;
}

// Where the king ends when it castles with a rook.
static Square castle_goal(Move move)
{
    Square king = move_from(move), rook = move_to(move);
    return square_make(rook > king ? 6 : 2, square_rank(king));
}

// ---- Moves of a position ----

// Can the king also simply step there? Then castling is named by the rook's square alone.
static bool has_ordinary_move(const Move *list, int count, Square from, Square to)
{
    for (int i = 0; i < count; i++)
        if (move_from(list[i]) == from && move_to(list[i]) == to && !move_is_castle(list[i]))
            return true;
    return false;
}

// Could the man that has just moved be taken at once?
static bool is_risky(const Position *pos, Move move)
{
    if (move_is_castle(move))
        return false;
    Position after = *pos;
    Move answers[MAX_MOVES];
    Undo undo;
    Square to = move_to(move);
    position_make(&after, move, &undo);
    if (!(position_attackers(&after, to, position_occupied(&after)) & after.by_color[after.side]))
        return false;
    int count = movegen_legal(&after, STAGE_NOISY, answers);
    for (int i = 0; i < count; i++)
        if (move_to(answers[i]) == to)
            return true;
    return false;
}

// Adds a goal to the list of a from-square.
static void add_goal(json_t *object, Square from, json_t *goal)
{
    char name[3];
    square_name(from, name);
    json_t *list = json_object_get(object, name);
    if (!list)
        set(object, name, list = json_array());
    json_array_append_new(list, goal);
}

// All legal moves by square, and those after which the man could be taken.
static void add_moves(json_t *object, const Position *pos)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list);
    json_t *moves = json_object(), *risky = json_object();
    uint64_t seen[64] = {0}; // goals of each square that are already there (promotions repeat)
    for (int i = 0; i < count; i++) {
        Move m = list[i];
        Square from = move_from(m), to = move_to(m);
        if (seen[from] & square_bit(to))
            continue;
        seen[from] |= square_bit(to);
        char goal[8];
        square_name(to, goal);
        if (move_is_promotion(m))
            strcat(goal, "qrbn");
        add_goal(moves, from, json_string_nocheck(goal));
        if (move_is_castle(m) && castle_goal(m) != to &&
            !has_ordinary_move(list, count, from, castle_goal(m)))
            add_goal(moves, from, json_square(castle_goal(m)));
        if (is_risky(pos, m))
            add_goal(risky, from, json_square(to));
    }
    set(object, "moves", moves);
    set(object, "risky", risky);
}

Move view_find_move(const Position *pos, const char *uci)
{
    size_t length = strlen(uci);
    if (length < 4 || length > 5)
        return MOVE_NONE;
    Square from = square_from_name(uci), to = square_from_name(uci + 2);
    if (from == NO_SQUARE || to == NO_SQUARE)
        return MOVE_NONE;
    Move list[MAX_MOVES], castle = MOVE_NONE;
    int count = movegen_legal(pos, STAGE_ALL, list);
    for (int i = 0; i < count; i++) {
        Move m = list[i];
        char letter = move_is_promotion(m) ? "pnbrqk"[move_promotion(m)] : 0;
        if (move_from(m) != from || letter != uci[4])
            continue;
        if (move_to(m) == to)
            return m;
        if (move_is_castle(m) && castle_goal(m) == to)
            castle = m;
    }
    return castle; // only where no ordinary step of the king goes there
}

// ---- Position ----

Outcome view_game_outcome(const Game *game, bool strict, Reason *claim)
{
    Outcome outcome = game_outcome(game);
    *claim = REASON_NONE;
    if (strict || (outcome.reason != REASON_FIFTY_MOVES && outcome.reason != REASON_REPETITION))
        return outcome;
    if (game_repetitions(game) >= 5)
        return (Outcome){RESULT_DRAW, REASON_REPETITION};
    if (game->now.state.fifty >= 150)
        return (Outcome){RESULT_DRAW, REASON_FIFTY_MOVES};
    Position fresh = game->now;
    fresh.state.fifty = 0;
    Outcome on_board = position_outcome(&fresh);
    if (on_board.result == RESULT_NONE)
        *claim = outcome.reason;
    return on_board;
}

// What the side not to move attacks.
static json_t *attacked_squares(const Position *pos)
{
    json_t *list = json_array();
    Bitboard occupied = position_occupied(pos);
    for (Square s = 0; s < 64; s++)
        if (position_attackers(pos, s, occupied) & pos->by_color[!pos->side])
            json_array_append_new(list, json_square(s));
    return list;
}

// The men that each side has lost: those taken in the line, in the order of their worth.
static void add_captured(json_t *object, const Game *game)
{
    int lost[2][TYPE_COUNT] = {{0}};
    for (int i = 0; i < game->count; i++) {
        // What a move took is part of the state after it: the next step's undo, or now.
        const State *after =
            i + 1 < game->count ? &game->steps[i + 1].undo.state : &game->now.state;
        if (after->captured != NO_PIECE)
            lost[piece_color(after->captured)][piece_type(after->captured)]++;
    }
    json_t *captured = json_object();
    for (Color c = WHITE; c <= BLACK; c++) {
        char text[2 * MAX_MEN + 1];
        int n = 0;
        for (PieceType t = QUEEN; t >= PAWN; t--)
            for (int i = 0; i < lost[c][t] && n < 2 * MAX_MEN; i++)
                text[n++] = "pnbrqk"[t];
        text[n] = 0;
        set_text(captured, color_name(c), text);
    }
    set(object, "captured", captured);
}

// By how many pawns White is ahead, as beginners count.
static int material(const Position *pos)
{
    int sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += SEE_VALUES[t] *
               (bit_count(position_men(pos, WHITE, t)) - bit_count(position_men(pos, BLACK, t)));
    return sum / SEE_VALUES[PAWN];
}

// The squares of the last move; of castling where the king went.
static json_t *last_move(const Game *game)
{
    if (!game->count)
        return json_null();
    Move move = game->steps[game->count - 1].move;
    json_t *pair = json_array();
    json_array_append_new(pair, json_square(move_from(move)));
    json_array_append_new(pair,
                          json_square(move_is_castle(move) ? castle_goal(move) : move_to(move)));
    return pair;
}

json_t *view_position(const Game *game, int node)
{
    const Position *pos = &game->now;
    char fen[FEN_SIZE];
    Reason claim;
    position_to_fen(pos, FEN_XFEN, fen);
    json_t *o = json_object();
    set_int(o, "node", node);
    set_int(o, "ply", pos->ply);
    set_text(o, "fen", fen);
    set_text(o, "turn", color_name(pos->side));
    set(o, "check",
        position_in_check(pos) ? json_square(position_king(pos, pos->side)) : json_null());
    set(o, "last", last_move(game));
    add_moves(o, pos);
    set(o, "attacked", attacked_squares(pos));
    add_captured(o, game);
    set_int(o, "material", material(pos));
    Outcome outcome = view_game_outcome(game, false, &claim);
    set(o, "claim", claim == REASON_NONE ? json_null() : json_string(reason_code(claim)));
    set(o, "outcome", view_outcome(outcome));
    return o;
}

// ---- Nodes ----

json_t *view_shape(const Shape *shape)
{
    json_t *o = json_object();
    set_text(o, "brush", SHAPE_BRUSHES[shape->brush]);
    set(o, "from", json_square(shape->from));
    if (shape->to != shape->from)
        set(o, "to", json_square(shape->to));
    return o;
}

bool shape_from_json(const json_t *json, Shape *shape)
{
    const char *brush = json_string_value(json_object_get(json, "brush"));
    const char *from = json_string_value(json_object_get(json, "from"));
    const char *to = json_string_value(json_object_get(json, "to"));
    if (!brush || !from || strlen(from) != 2 || (to && strlen(to) != 2))
        return false;
    Square a = square_from_name(from), b = to ? square_from_name(to) : a;
    for (int i = 0; i < BRUSH_COUNT; i++)
        if (!strcmp(brush, SHAPE_BRUSHES[i])) {
            *shape = (Shape){(uint8_t)i, (uint8_t)a, (uint8_t)b};
            return a != NO_SQUARE && b != NO_SQUARE;
        }
    return false;
}

// The value in "[%eval 0.24,18]" or "[%eval #-3]", for White; NULL when there is none.
static json_t *view_eval(const char *commands)
{
    const char *at = commands ? strstr(commands, "[%eval ") : NULL;
    double pawns;
    int mate;
    if (!at)
        return NULL;
    if (sscanf(at, "[%%eval #%d", &mate) == 1)
        return json_pack("{s:i}", "mate", mate);
    if (sscanf(at, "[%%eval %lf", &pawns) != 1 || !(pawns > -1000 && pawns < 1000))
        return NULL;
    return json_pack("{s:i}", "cp", (int)lround(pawns * 100));
}

// Comment, glyphs and shapes, where there are any.
static void add_notes(json_t *o, const Notes *notes)
{
    if (notes->comment)
        set_text(o, "comment", notes->comment);
    json_t *eval = view_eval(notes->commands);
    if (eval)
        set(o, "eval", eval);
    if (notes->nag_count) {
        json_t *nags = json_array();
        for (int i = 0; i < notes->nag_count; i++)
            json_array_append_new(nags, json_integer(notes->nags[i]));
        set(o, "nags", nags);
    }
    if (notes->shape_count) {
        json_t *shapes = json_array();
        for (int i = 0; i < notes->shape_count; i++)
            json_array_append_new(shapes, view_shape(&notes->shapes[i]));
        set(o, "shapes", shapes);
    }
}

// How a move is written, and what the page needs to say or sound it.
static void add_move(json_t *o, const Position *before, Move move, const Position *after)
{
    char text[MOVE_TEXT_SIZE];
    static const char *const TYPES[TYPE_COUNT] = {"p", "n", "b", "r", "q", "k"};
    move_to_uci(before, move, view_is_shuffled(before->rules), text);
    set_text(o, "uci", text);
    move_to_san(before, move, text);
    set_text(o, "san", text);
    set_text(o, "piece", TYPES[piece_type(before->board[move_from(move)])]);
    if (after->state.captured != NO_PIECE)
        set_text(o, "taken", TYPES[piece_type(after->state.captured)]);
    if (move_is_promotion(move))
        set_text(o, "promotion", TYPES[move_promotion(move)]);
    if (move_is_castle(move))
        set_text(o, "castling", move_to(move) > move_from(move) ? "short" : "long");
}

json_t *view_node(const Tree *tree, int id, const Position *before, const Position *after)
{
    const Node *node = &tree->nodes[id];
    char fen[FEN_SIZE];
    json_t *o = json_object(), *children = json_array();
    set_int(o, "id", id);
    for (int c = node->child; c != NODE_NONE; c = tree->nodes[c].next)
        json_array_append_new(children, json_integer(c));
    set(o, "children", children);
    if (id) {
        set_int(o, "parent", node->parent);
        if (node->move != MOVE_NONE) {
            add_move(o, before, node->move, after);
        } else {
            set_text(o, "uci", "0000");
            set_text(o, "san", "--");
        }
    }
    set_int(o, "ply", after->ply);
    position_to_fen(after, FEN_XFEN, fen);
    set_text(o, "fen", fen);
    set(o, "check", json_boolean(position_in_check(after)));
    if (node->clock_ms >= 0)
        set_int(o, "clock_ms", node->clock_ms);
    if (node->notes)
        add_notes(o, node->notes);
    return o;
}

// ---- Lines ----

json_t *view_score(const Position *pos, int score)
{
    json_t *o = json_object();
    int sign = pos->side == WHITE ? 1 : -1;
    if (score_is_mate(score))
        set_int(o, "mate", sign * score_mate_moves(score));
    else
        set_int(o, "cp", sign * score_shown(score));
    return o;
}

void view_move_names(const Position *pos, Move move, json_t *object)
{
    char text[MOVE_TEXT_SIZE];
    move_to_uci(pos, move, view_is_shuffled(pos->rules), text);
    json_object_set_new_nocheck(object, "uci", json_string_nocheck(text));
    move_to_san(pos, move, text);
    json_object_set_new_nocheck(object, "san", json_string_nocheck(text));
}

void view_line(const Position *pos, const Move *moves, int count, json_t **uci, json_t **san)
{
    Position now = *pos;
    *uci = json_array();
    *san = json_array();
    for (int i = 0; i < count; i++) {
        char text[MOVE_TEXT_SIZE];
        if (!move_is_pseudo_legal(&now, moves[i]) || !move_is_legal(&now, moves[i]))
            return;
        move_to_uci(&now, moves[i], view_is_shuffled(now.rules), text);
        json_array_append_new(*uci, json_string_nocheck(text));
        move_to_san(&now, moves[i], text);
        json_array_append_new(*san, json_string_nocheck(text));
        tree_play(&now, moves[i]);
    }
}
