// See knowledge.h. Tables count the fifty-move rule from the position on; here the half-moves that
// a game has counted already are taken into account, so that what is told is what can be reached.
#include "server/knowledge.h"

#include <stdlib.h>
#include <string.h>

#include "core/fen.h"
#include "core/notation.h"
#include "server/view.h"
#include "tables/book.h"
#include "tables/probe.h"

enum { COURSE_MAX = 400, FIFTY_PLIES = 100 };

// ---- Opening ----

static const char *or_none(const char *place)
{
    return place ? place : "";
}

bool knowledge_open(Knowledge *k, const KnowledgePlaces *places, Error *error)
{
    *k = (Knowledge){0};
    bool ok = (k->tables = tables_new(or_none(places->syzygy), error)) &&
              tables_add_own(k->tables, or_none(places->tables), error);
    const char *book = or_none(places->book);
    if (ok && strcmp(book, "none"))
        ok = (k->book = *book ? book_open(book, error) : book_built_in(error));
    if (!ok)
        knowledge_close(k);
    return ok;
}

void knowledge_close(Knowledge *k)
{
    tables_free(k->tables);
    book_close(k->book);
    *k = (Knowledge){0};
}

bool knowledge_teach(const KnowledgePlaces *places, Engine *engine, Error *error)
{
    return engine_load_tables(engine, or_none(places->syzygy), error) &&
           engine_load_own_tables(engine, or_none(places->tables), error) &&
           engine_load_book(engine, or_none(places->book), error);
}

int knowledge_men(const Knowledge *k, const Rules *rules)
{
    return k->tables ? tables_men(k->tables, rules) : 0;
}

// ---- Tables ----

static const char *const VERDICTS[5] = {"loss", "blessed-loss", "draw", "cursed-win", "win"};

// The result with so many half-moves counted already: one that comes too late is a draw by the
// fifty-move rule.
static int result_now(const TableVerdict *v, int fifty)
{
    bool is_late = v->has_distance && abs(v->dtz) + fifty > FIFTY_PLIES;
    return abs(v->wdl) == TABLE_WIN && is_late ? v->wdl / 2 : v->wdl;
}

// After a capture, a pawn move or mate it does not matter what was counted.
static int result_of_move(const MoveVerdict *m, int fifty)
{
    return result_now(&m->verdict, m->is_zeroing || m->is_mate ? 0 : fifty);
}

static json_t *view_distance(bool is_known, int plies)
{
    return is_known ? json_integer(abs(plies)) : json_null();
}

// Verdict and distances; a draw has none.
static json_t *view_verdict(const TableVerdict *v, int result)
{
    return json_pack("{s:s, s:o, s:o}", "verdict", VERDICTS[result + 2], "end",
                     view_distance(v->has_end && v->wdl, v->end), "zeroing",
                     view_distance(v->has_distance && v->wdl, v->dtz));
}

typedef struct RankedMove {
    const MoveVerdict *move;
    int result;
} RankedMove;

// Best result first; then the nearest end of a win, the farthest of a loss, as far as it is known.
// Else the order stays.
static int compare(const void *a, const void *b)
{
    const RankedMove *x = a, *y = b;
    const TableVerdict *v = &x->move->verdict, *w = &y->move->verdict;
    if (x->result != y->result)
        return y->result - x->result;
    if (v->has_end && w->has_end && v->end != w->end)
        return v->end - w->end;
    return x->move < y->move ? -1 : 1;
}

static json_t *view_moves(const Position *pos, const PositionVerdict *v)
{
    RankedMove list[MAX_MOVES];
    json_t *moves = json_array();
    for (int i = 0; i < v->count; i++)
        list[i] = (RankedMove){&v->moves[i], result_of_move(&v->moves[i], pos->state.fifty)};
    qsort(list, (size_t)v->count, sizeof *list, compare);
    for (int i = 0; i < v->count; i++) {
        const MoveVerdict *m = list[i].move;
        json_t *move = view_verdict(&m->verdict, list[i].result);
        view_move_names(pos, m->move, move);
        json_object_set_new(move, "zeroes", json_boolean(m->is_zeroing));
        json_object_set_new(move, "mate", json_boolean(m->is_mate));
        json_array_append_new(moves, move);
    }
    return moves;
}

json_t *knowledge_table(const Knowledge *k, const Position *pos)
{
    PositionVerdict v;
    if (!tables_may_know(pos, knowledge_men(k, pos->rules)) ||
        !tables_judge(k->tables, pos, &v, NULL))
        return json_null();
    json_t *table = view_verdict(&v.verdict, result_now(&v.verdict, pos->state.fifty));
    json_object_set_new(table, "moves", view_moves(pos, &v));
    return table;
}

// ---- Course of a game ----

// The verdict of one position, for White.
static void add_to_course(const Knowledge *k, json_t *course, const Position *pos, int node)
{
    TableVerdict v;
    if (!tables_may_know(pos, knowledge_men(k, pos->rules)) ||
        !tables_judge_position(k->tables, pos, &v, NULL))
        return;
    int result = result_now(&v, pos->state.fifty);
    json_t *point = view_verdict(&v, pos->side == WHITE ? result : -result);
    json_object_set_new(point, "node", json_integer(node));
    json_array_append_new(course, point);
}

json_t *knowledge_course(const Knowledge *k, const Tree *tree, int node)
{
    int count = tree_depth(tree, node), first = count > COURSE_MAX ? count - COURSE_MAX : 0;
    int *ids = malloc((size_t)(count + 1) * sizeof *ids);
    json_t *course = json_array();
    if (!ids)
        return course;
    for (int i = count, id = node; i >= 0; i--, id = tree->nodes[id].parent)
        ids[i] = id;
    Position pos = tree->start;
    for (int i = 0; i <= count; i++) {
        if (i)
            tree_play(&pos, tree->nodes[ids[i]].move);
        if (i >= first)
            add_to_course(k, course, &pos, ids[i]);
    }
    free(ids);
    return course;
}

// ---- Book ----

json_t *knowledge_book(const Knowledge *k, const Position *pos)
{
    BookMove list[MAX_MOVES];
    int count = k->book ? book_find(k->book, pos, list, MAX_MOVES) : 0;
    double total = 0;
    json_t *book = count ? json_array() : json_null();
    for (int i = 0; i < count; i++)
        total += list[i].weight;
    for (int i = 0; i < count; i++) {
        json_t *move = json_pack("{s:i, s:f, s:o}", "weight", (int)list[i].weight, "share",
                                 total > 0 ? list[i].weight / total : 0, "games",
                                 list[i].games ? json_integer(list[i].games) : json_null());
        view_move_names(pos, list[i].move, move);
        json_array_append_new(book, move);
    }
    return book;
}
