// See thought.h.
#include "server/thought.h"

#include <stdlib.h>
#include <string.h>

#include "server/play.h"
#include "server/view.h"

static void set(json_t *object, const char *name, json_t *value)
{
    json_object_set_new_nocheck(object, name, value);
}

json_t *thought_line(const Position *root, const Report *report, int rank)
{
    const Line *line = &report->lines[rank - 1];
    json_t *uci, *san;
    bool is_white = root->side == WHITE;
    int64_t time_ms = report->time_ms > 0 ? report->time_ms : 1;
    view_line(root, line->moves, line->count, &uci, &san);
    json_t *o =
        json_pack("{s:i, s:i, s:i, s:o, s:[i,i,i], s:I, s:I, s:I, s:o, s:o}", "rank", rank, "depth",
                  line->depth, "seldepth", line->seldepth, "score", view_score(root, line->score),
                  "wdl", is_white ? line->wdl.win : line->wdl.loss, line->wdl.draw,
                  is_white ? line->wdl.loss : line->wdl.win, "nodes", (json_int_t)report->nodes,
                  "nps", (json_int_t)(report->nodes * 1000 / (uint64_t)time_ms), "time_ms",
                  (json_int_t)report->time_ms, "pv", uci, "san", san);
    return o ? o : json_object();
}

// ---- Moves of games ----

// People see what an engine thinks about its move.
static void show_thinking(Hub *hub, Room *room, const Report *report)
{
    Game game;
    if (!room->members)
        return;
    Report own = *report;
    tree_game(&room->tree, room->live, &game, hub->steps);
    if (!own.line_count) { // people's levels and simple movers tell only their move
        if (own.kind != REPORT_DONE || own.score == SCORE_NONE || own.move == MOVE_NONE)
            return;
        own.lines[0] = (Line){.score = own.score,
                              .wdl = engine_wdl(&game.now, own.score),
                              .moves = {own.move},
                              .count = 1};
    }
    json_t *o = json_object();
    set(o, "event", json_string("thinking"));
    set(o, "room", json_string(room->id));
    set(o, "node", json_integer(room->live));
    set(o, "color", json_string(color_name(game.now.side)));
    set(o, "line", thought_line(&game.now, &own, 1));
    hub_send_room(room, o);
}

static void report_move(Hub *hub, const Report *report)
{
    Room *room = hub_find_awake(hub, report->room);
    if (!room || room->move_task != report->task)
        return;
    if (report->kind == REPORT_LINES || report->kind == REPORT_DONE)
        show_thinking(hub, room, report);
    play_report(hub, room, report);
}

// ---- Hints and analyses ----

static Client *find_client(const Hub *hub, uint64_t id)
{
    Client *client = hub->clients;
    while (client && client->id != id)
        client = client->next;
    return client;
}

static void report_hint(Hub *hub, const Report *report)
{
    Client *client = find_client(hub, report->client);
    if (!client || client->hint.task != report->task ||
        (report->kind != REPORT_DONE && report->kind != REPORT_FAILED))
        return;
    json_t *o = json_object();
    set(o, "id", client->hint.has_request ? json_integer(client->hint.request) : json_null());
    set(o, "ok", json_boolean(report->kind == REPORT_DONE));
    if (report->kind == REPORT_DONE) {
        const Line *line = &report->lines[0];
        bool has_line = report->line_count && line->count && line->moves[0] == report->move;
        json_t *uci, *san;
        view_line(&client->hint.root, has_line ? line->moves : &report->move,
                  has_line ? line->count : 1, &uci, &san);
        json_object_set(o, "uci", json_array_get(uci, 0));
        json_object_set(o, "san", json_array_get(san, 0));
        set(o, "score", view_score(&client->hint.root, report->score));
        set(o, "pv", uci);
        set(o, "pv_san", san);
    } else {
        set(o, "error", json_pack("{s:s, s:s}", "code", "internal", "text", report->error.text));
    }
    client->hint.task = 0;
    hub_send(client, o);
}

static void report_analysis(Hub *hub, const Report *report)
{
    Client *client = find_client(hub, report->client);
    if (!client || client->analysis.task != report->task)
        return;
    Analysis *a = &client->analysis;
    const char *state = report->kind == REPORT_DONE      ? "done"
                        : report->kind == REPORT_FAILED  ? "stopped"
                        : report->kind == REPORT_WAITING ? "queued"
                                                         : "running";
    json_t *o = json_object(), *lines = json_array();
    set(o, "event", json_string("analysis"));
    if (a->fen) {
        set(o, "fen", json_string_nocheck(a->fen));
    } else {
        set(o, "room", json_string(a->room));
        set(o, "node", json_integer(a->node));
    }
    set(o, "threat", json_boolean(a->is_threat));
    set(o, "state", json_string(state));
    set(o, "sharing", json_integer(report->sharing));
    for (int i = 0; i < report->line_count; i++)
        if (report->lines[i].count)
            json_array_append_new(lines, thought_line(&a->root, report, i + 1));
    set(o, "lines", lines);
    if (report->kind == REPORT_DONE || report->kind == REPORT_FAILED)
        a->task = 0;
    hub_send(client, o);
}

// ---- Reviews ----

static json_t *view_side(const PlayerReport *r)
{
    double moves = r->moves ? (double)r->moves : 1;
    return json_pack("{s:I, s:f, s:f, s:I, s:I, s:I, s:I}", "moves", (json_int_t)r->moves,
                     "accuracy", r->accuracy_sum / moves, "mean_loss", r->loss_sum / moves, "best",
                     (json_int_t)r->best, "inaccuracies", (json_int_t)r->judged[JUDGED_INACCURACY],
                     "mistakes", (json_int_t)r->judged[JUDGED_MISTAKE], "blunders",
                     (json_int_t)r->judged[JUDGED_BLUNDER]);
}

static double white_chance(const Position *pos, int score)
{
    double own = review_expected(pos, score);
    return pos->side == WHITE ? own : 1 - own;
}

static json_t *view_judged(int node, const Position *before, const Position *after,
                           const Finding *best, const Finding *next, const Verdict *v)
{
    static const char *const WORDS[JUDGEMENT_COUNT] = {"good", "inaccuracy", "mistake", "blunder"};
    json_t *better = json_null(), *uci, *san;
    if (v->judgement != JUDGED_GOOD && best->count) {
        view_line(before, best->line, best->count, &uci, &san);
        better = json_pack("{s:o, s:o}", "uci", uci, "san", san);
    }
    return json_pack("{s:i, s:s, s:f, s:o, s:f, s:o}", "node", node, "judgement",
                     v->is_best ? "best" : WORDS[v->judgement], "accuracy", v->accuracy, "score",
                     view_score(after, next->score), "win", white_chance(after, next->score),
                     "better", better);
}

// Judges the reviewed line and keeps it in the room as JSON.
static void finish_review(Hub *hub, Room *room, const Report *report)
{
    int count = report->total - 1, id = room->review_node;
    if (!tree_has(&room->tree, id) || tree_depth(&room->tree, id) != count)
        return; // the tree was changed meanwhile
    int *ids = malloc((size_t)(count + 1) * sizeof *ids);
    json_t *moves = json_array(), *start, *o;
    GameReport sum = {0};
    if (!ids) {
        json_decref(moves);
        return;
    }
    for (int i = count; i >= 0; i--, id = id ? room->tree.nodes[id].parent : 0)
        ids[i] = id;
    Position before = room->tree.start;
    const Finding *f = report->findings;
    start = json_pack("{s:o, s:f}", "score", view_score(&before, f[0].score), "win",
                      white_chance(&before, f[0].score));
    for (int i = 0; i < count; i++) {
        Position after = before;
        Move move = room->tree.nodes[ids[i + 1]].move;
        tree_play(&after, move);
        Verdict v = review_move(&before, move, &after, &f[i], &f[i + 1], &sum.players[before.side]);
        json_array_append_new(moves,
                              view_judged(ids[i + 1], &before, &after, &f[i], &f[i + 1], &v));
        before = after;
    }
    o = json_pack("{s:o, s:o, s:o, s:o}", "white", view_side(&sum.players[WHITE]), "black",
                  view_side(&sum.players[BLACK]), "start", start, "moves", moves);
    free(room->review);
    room->review = o ? json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(5)) : NULL;
    json_decref(o);
    free(ids);
    room_touch(room, FIELD_REVIEW);
    hub_mark(hub, room);
}

static void report_review(Hub *hub, const Report *report)
{
    Room *room = hub_find_awake(hub, report->room);
    if (!room || room->review_task != report->task)
        return;
    if (report->kind == REPORT_PROGRESS)
        hub_send_room(room, json_pack("{s:s, s:s, s:i, s:i}", "event", "review-progress", "room",
                                      room->id, "done", report->done, "total", report->total));
    if (report->kind == REPORT_DONE)
        finish_review(hub, room, report);
    if (report->kind == REPORT_DONE || report->kind == REPORT_FAILED)
        room->review_task = 0;
}

void thought_report(Hub *hub, const Report *report)
{
    switch (report->task_kind) {
    case TASK_MOVE: report_move(hub, report); break;
    case TASK_HINT: report_hint(hub, report); break;
    case TASK_ANALYSIS: report_analysis(hub, report); break;
    case TASK_REVIEW: report_review(hub, report); break;
    }
}
