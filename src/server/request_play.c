// Requests of a game: moves, offers, ends, and what else the buttons beside the board do. Here is
// asked who may do it and when; what then happens to the room is in play.c. A move carries its ply,
// so that one that comes twice is known.
#include <string.h>

#include "core/notation.h"
#include "server/play.h"
#include "server/problem.h"
#include "server/request_int.h"
#include "server/view.h"

// ---- What many of them ask ----

// For what makes no sense in an analysis.
static bool must_be_game(Request *r)
{
    return !r->room->is_analysis ||
           request_refuse(r, "not-allowed", "is-analysis", "this room is an analysis");
}

// For what one does while the game is going on.
static bool must_go_on(Request *r)
{
    if (!must_be_game(r))
        return false;
    if (r->room->is_over)
        return request_refuse(r, "game-over", "game-over", "the game is over");
    return !r->room->is_paused || request_refuse(r, "paused", "game-paused", "the game is paused");
}

// For what one may do only when no other person is concerned.
static bool must_be_alone(Request *r)
{
    return must_be_game(r) && (!room_has_other_human(r->room, r->member->rights) ||
                               request_refuse(r, "not-allowed", "other-must-agree",
                                              "the other player would have to agree"));
}

// The one colour for which this member speaks: with both, the one whose turn it is.
static Color own_color(const Request *r)
{
    unsigned rights = r->member->rights;
    return rights == 3 ? room_turn(r->room) : rights == 2 ? BLACK : WHITE;
}

// Which of the words "action" is; the first when it is missing.
static bool read_action(Request *r, const char *const *words, int count, int *action)
{
    const char *word;
    *action = 0;
    if (!request_maybe_text(r, "action", &word))
        return false;
    if (!word)
        return true;
    for (*action = 0; *action < count; ++*action)
        if (!strcmp(words[*action], word))
            return true;
    return request_fail(r, "bad-request", "action: unknown word '%.20s'", word);
}

// ---- move ----

// Says why a move that is not among the legal ones cannot be played.
static bool refuse_uci(Request *r, const Position *pos, const char *uci)
{
    Error error;
    if (move_from_uci(pos, uci, &error) != MOVE_NONE) // a way of writing that browsers do not use
        return request_refuse(r, "illegal-move", "move-goal", "{move:%.10s} is not a legal move",
                              uci);
    return request_pass(r, "illegal-move", &error);
}

// The move that uci or san mean in a position.
static bool read_move(Request *r, const Position *pos, Move *move)
{
    const char *uci, *san;
    Error error;
    if (!request_maybe_text(r, "uci", &uci) || !request_maybe_text(r, "san", &san))
        return false;
    if (!uci && !san)
        return request_fail(r, "bad-request", "uci or san is missing");
    if (uci) {
        *move = view_find_move(pos, uci);
        return *move != MOVE_NONE || refuse_uci(r, pos, uci);
    }
    if (strlen(san) >= 32)
        return request_refuse(r, "illegal-move", "move-long", "too long for a move");
    *move = move_from_san(pos, san, &error);
    return *move != MOVE_NONE || request_pass(r, "illegal-move", &error);
}

bool request_why(Request *r)
{
    int node = 0;
    Game game;
    Move move = MOVE_NONE;
    if (!request_node(r, &node))
        return false;
    tree_game(&r->room->tree, node, &game, r->hub->steps);
    bool is_legal = read_move(r, &game.now, &move);
    if (!is_legal && strcmp(r->code, "illegal-move"))
        return false;
    answer_json(r, "problem", is_legal ? json_null() : problem_view(&r->error));
    return true;
}

// In an analysis a move adds a node, or finds it.
static bool move_in_analysis(Request *r)
{
    int parent = 0, id;
    Move move = MOVE_NONE;
    Game game;
    Error error;
    if (!request_node(r, &parent))
        return false;
    tree_game(&r->room->tree, parent, &game, r->hub->steps);
    if (!read_move(r, &game.now, &move))
        return false;
    id = tree_find(&r->room->tree, parent, move);
    if (id == NODE_NONE) {
        id = tree_add(&r->room->tree, parent, move, false, &error);
        if (id == NODE_NONE)
            return request_pass(r, "limit", &error);
        room_touch_node(r->room, parent);
        room_touch_node(r->room, id);
    }
    r->room->touched = id;
    room_touch(r->room, FIELD_POSITION);
    answer_int(r, "node", id);
    return true;
}

// Is this a repeat of the last move (a lost answer, a double click)? Then it is answered again.
static bool is_repeat(Request *r, int64_t ply, int now_ply)
{
    const Tree *tree = &r->room->tree;
    int live = r->room->live, back = now_ply - (int)ply;
    if (back < 1 || back > 2 || tree_depth(tree, live) < back)
        return false;
    for (; back > 1; back--)
        live = tree->nodes[live].parent;
    Game game;
    Move move = MOVE_NONE;
    tree_game(tree, tree->nodes[live].parent, &game, r->hub->steps);
    if (!(r->member->rights & 1u << game.now.side) || !read_move(r, &game.now, &move) ||
        move != tree->nodes[live].move)
        return false;
    answer_int(r, "node", live);
    answer_json(r, "repeated", json_true());
    return true;
}

bool request_move(Request *r)
{
    int64_t ply = 0;
    Game game;
    Move move = MOVE_NONE;
    Error error;
    if (r->room->is_analysis)
        return move_in_analysis(r);
    if (!request_int(r, "ply", 0, 100000, &ply))
        return false;
    tree_game(&r->room->tree, r->room->live, &game, r->hub->steps);
    int now_ply = game.now.ply;
    if (ply != now_ply)
        return is_repeat(r, ply, now_ply) ||
               request_refuse(r, "stale", "game-moved-on", "the game is at ply {ply:%d}", now_ply);
    if (!must_go_on(r))
        return false;
    if (!(r->member->rights & 1u << game.now.side))
        return request_refuse(r, "not-your-turn", "not-your-turn", "it is the other side's turn");
    if (!seat_is_human(&r->room->seats[game.now.side]))
        return request_refuse(r, "not-your-turn", "engine-plays", "the engine plays this side");
    if (!read_move(r, &game.now, &move))
        return false;
    int id = play_move(r->hub, r->room, move, &error);
    if (id == NODE_NONE)
        return request_pass(r, "limit", &error);
    answer_int(r, "node", id);
    return true;
}

// ---- takeback, draw ----

// How many half-moves go when this colour takes its last move back.
static int takeback_plies(const Request *r, Color asker)
{
    const Room *room = r->room;
    bool at_one_board = r->member->rights == 3 && seat_is_human(&room->seats[WHITE]) &&
                        seat_is_human(&room->seats[BLACK]);
    return at_one_board || room_turn(room) != asker ? 1 : 2;
}

bool request_takeback(Request *r)
{
    static const char *const WORDS[] = {"ask", "accept", "decline"};
    Room *room = r->room;
    int action = 0;
    if (!must_be_game(r) || !read_action(r, WORDS, 3, &action))
        return false;
    if (action) {
        if (room->takeback_by < 0 || !(r->member->rights & 1u << !room->takeback_by))
            return request_refuse(r, "not-allowed", "takeback-not-asked",
                                  "nobody has asked you to take a move back");
        if (action == 1) {
            play_take_back(r->hub, room, room->takeback_plies);
        } else {
            room->takeback_by = -1;
            room_touch(room, FIELD_OFFERS);
        }
        return true;
    }
    // With an engine on the other side, the human's colour asks, whoever has the turn.
    Color asker = own_color(r);
    for (Color c = WHITE; c <= BLACK; c++)
        if (r->member->rights == 3 && seat_is_human(&room->seats[c]) &&
            !seat_is_human(&room->seats[!c]))
            asker = c;
    if (!seat_is_human(&room->seats[asker]))
        return request_refuse(r, "not-allowed", "engine-keeps-moves",
                              "engines do not take moves back");
    int plies = takeback_plies(r, asker);
    if (tree_depth(&room->tree, room->live) < plies)
        return request_refuse(r, "not-allowed", "nothing-to-take-back",
                              "there is no move of yours to take back");
    if (!room_has_other_human(room, r->member->rights)) {
        play_take_back(r->hub, room, plies);
        return true;
    }
    if (!must_go_on(r))
        return false;
    room->takeback_by = asker;
    room->takeback_plies = plies;
    room_touch(room, FIELD_OFFERS);
    return true;
}

// A draw by threefold repetition or fifty moves, which the one on turn may claim.
static bool claim_draw(Request *r)
{
    Reason claim;
    if (!(r->member->rights & 1u << room_turn(r->room)))
        return request_refuse(r, "not-your-turn", "draw-not-your-turn",
                              "a draw is claimed on one's own turn");
    play_outcome(r->hub, r->room, &claim);
    if (claim == REASON_NONE)
        return request_refuse(r, "not-allowed", "draw-no-claim",
                              "neither threefold repetition nor fifty moves without progress");
    play_end(r->hub, r->room, RESULT_DRAW, reason_code(claim));
    return true;
}

// Engines answer at once; a person sees the offer.
static bool offer_draw(Request *r)
{
    Room *room = r->room;
    Color own = own_color(r);
    bool accepted = false;
    if (!seat_is_human(&room->seats[own]))
        return request_refuse(r, "not-allowed", "engine-side", "an engine plays this side");
    if (r->member->rights == 3 && !room_is_machine(room) && seat_is_human(&room->seats[!own]))
        accepted = true; // both sit at this board
    else if (!seat_is_human(&room->seats[!own]))
        accepted = play_accepts_draw(r->hub, room, !own);
    else if (room->draw_by == !own)
        accepted = true;
    else
        room->draw_by = own;
    room_touch(room, FIELD_OFFERS);
    if (accepted)
        play_end(r->hub, room, RESULT_DRAW, "agreement");
    answer_json(r, "accepted", json_boolean(accepted));
    return true;
}

bool request_draw(Request *r)
{
    static const char *const WORDS[] = {"offer", "accept", "decline", "claim"};
    Room *room = r->room;
    int action = 0;
    if (!must_go_on(r) || !read_action(r, WORDS, 4, &action))
        return false;
    if (action == 0)
        return offer_draw(r);
    if (action == 3)
        return claim_draw(r);
    if (room->draw_by < 0 || !(r->member->rights & 1u << !room->draw_by))
        return request_refuse(r, "not-allowed", "draw-not-offered",
                              "nobody has offered you a draw");
    if (action == 1) {
        play_end(r->hub, room, RESULT_DRAW, "agreement");
    } else {
        room->draw_by = -1;
        room_touch(room, FIELD_OFFERS);
    }
    return true;
}

// ---- Ends and pauses ----

bool request_resign(Request *r)
{
    const char *color;
    Color loser = own_color(r);
    if (!must_go_on(r) || !request_maybe_text(r, "color", &color))
        return false;
    if (color && strcmp(color, "white") && strcmp(color, "black"))
        return request_fail(r, "bad-request", "color must be white or black");
    if (color)
        loser = strcmp(color, "white") ? BLACK : WHITE;
    else if (r->member->rights == 3 && !seat_is_human(&r->room->seats[loser]))
        loser = !loser;
    if (!(r->member->rights & 1u << loser) || !seat_is_human(&r->room->seats[loser]))
        return request_refuse(r, "no-right", "not-your-color", "you do not play this colour");
    play_declare(r->hub, r->room, REASON_RESIGNATION, loser);
    return true;
}

bool request_abort(Request *r)
{
    if (!must_be_game(r))
        return false;
    if (r->room->is_over)
        return request_refuse(r, "game-over", "game-over", "the game is over");
    if (room_has_other_human(r->room, r->member->rights) &&
        tree_depth(&r->room->tree, r->room->live) >= 2)
        return request_refuse(r, "not-allowed", "resign-instead",
                              "both have moved: resign instead");
    play_end(r->hub, r->room, RESULT_NONE, "aborted");
    return true;
}

bool request_pause(Request *r)
{
    if (!must_be_alone(r) || !must_go_on(r))
        return false;
    play_pause(r->hub, r->room);
    return true;
}

bool request_resume(Request *r)
{
    if (!must_be_alone(r))
        return false;
    if (r->room->is_paused)
        play_resume(r->hub, r->room);
    return true;
}

// ---- Players, rematch, going back ----

bool request_rematch(Request *r)
{
    Room *room = r->room;
    Error error;
    bool swap = true;
    if (!must_be_game(r) || !request_maybe_bool(r, "swap", &swap))
        return false;
    if (!room->is_over)
        return request_refuse(r, "not-allowed", "game-not-over", "the game is not over yet");
    Color own = own_color(r);
    if (room_has_other_human(room, r->member->rights)) {
        if (room->rematch_by != !own) {
            room->rematch_by = own;
            room->rematch_swaps = swap;
            room_touch(room, FIELD_OFFERS);
            return true;
        }
        swap = room->rematch_swaps; // as it was proposed
    }
    return play_next_game(r->hub, room, swap, &error) ||
           request_pass(r, *error.code ? "limit" : "internal", &error);
}

bool request_switch(Request *r)
{
    if (!must_be_alone(r))
        return false;
    play_swap(r->hub, r->room);
    return true;
}

bool request_seats(Request *r)
{
    Room *room = r->room;
    Seat seats[2] = {room->seats[WHITE], room->seats[BLACK]};
    const Rules *rules = room->tree.start.rules;
    if (!must_be_alone(r) || !request_seat(r, "white", rules, &seats[WHITE]) ||
        !request_seat(r, "black", rules, &seats[BLACK]))
        return false;
    for (Color c = WHITE; c <= BLACK; c++) {
        const Seat *seat = &seats[c];
        // Who may change the seats may also play a seat that a human takes here.
        if (seat_is_human(seat) && !seat->is_remote && !(r->member->rights & 1u << c)) {
            r->member->rights |= 1u << c;
            room_touch(room, FIELD_YOU);
        }
        room->seats[c] = *seat;
    }
    play_seats_changed(r->hub, room);
    return true;
}

bool request_goto(Request *r)
{
    int node = 0;
    if (!must_be_alone(r) || !request_node(r, &node))
        return false;
    play_go_to(r->hub, r->room, node);
    return true;
}

bool request_speed(Request *r)
{
    int64_t speed = 0;
    if (!request_int(r, "speed_ms", 0, 10000, &speed))
        return false;
    r->room->speed_ms = speed;
    room_touch(r->room, FIELD_SPEED);
    return true;
}

bool request_analysis(Request *r)
{
    Room *room = r->room;
    if (room->is_analysis)
        return true;
    if (!room->is_over && room_has_other_human(room, r->member->rights))
        return request_refuse(r, "not-allowed", "game-goes-on", "the game is still going on");
    if (!room->is_over)
        play_end(r->hub, room, RESULT_NONE, "abandoned");
    room->next_game_ms = 0;
    room->is_analysis = true;
    room->touched = room->live;
    room_touch(room, FIELD_SETUP | FIELD_STATE | FIELD_POSITION);
    return true;
}
