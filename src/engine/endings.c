// See endings.h.
#include "engine/endings.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "core/game.h"
#include "core/movegen.h"

enum {
    RANK_WIN = 100000,   // less the distance
    RANK_MATE = 1000,    // more than that, less the half-moves, where mate is sure
    RANK_CURSED = 50000, // won, but the fifty-move rule comes first: less the half-moves
    PATIENCE = 20, // half-moves without a capture or pawn move after which only the distance counts
};

// --- inside the tree -------------------------------------------------------------------------

Bound endings_probe(Worker *w, const Node *n, int *score)
{
    int wdl, drawn = w->search->options.table_fifty_rule; // results up to this one are draws
    w->calls_left = 0;                                    // it may have taken long
    if (!tables_result(w->search->tables, &w->pos, &wdl, NULL))
        return BOUND_NONE;
    atomic_fetch_add_explicit(&w->table_hits, 1, memory_order_relaxed);
    if (wdl > drawn) {
        *score = SCORE_TABLE_WIN - n->ply;
        return BOUND_LOWER;
    }
    if (wdl < -drawn) {
        *score = n->ply - SCORE_TABLE_WIN;
        return BOUND_UPPER;
    }
    *score = SCORE_DRAW + 2 * wdl * drawn;
    return BOUND_EXACT;
}

// --- at the root -----------------------------------------------------------------------------

int endings_root_score(const Search *search, const RootMove *r, int score)
{
    if (!search->root_is_known)
        return score;
    return score_is_mate(r->table_score) || !score_is_mate(score) ? r->table_score : score;
}

// The move that keeps the distance to mate, `end` half-moves for the side to move; MOVE_NONE where
// the tables have none.
static Move next_on_line(Tables *tables, const Position *pos, int end)
{
    Move moves[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, moves);
    Result won = pos->side == WHITE ? RESULT_WHITE : RESULT_BLACK;
    for (int i = 0; i < count; i++) {
        Position next = *pos;
        Undo undo;
        int left;
        position_make(&next, moves[i], &undo);
        // Of draws tables say 0 too.
        if (tables_end(tables, &next, &left) && left == (end > 0 ? 1 - end : -1 - end) &&
            (left || position_outcome(&next).result == won))
            return moves[i];
    }
    return MOVE_NONE;
}

// Fills the line of a root move that mates or is mated after so many half-moves.
static void fill_line(Search *s, Move m, int plies)
{
    Position pos = s->root;
    Undo undo;
    s->table_line_count = 0;
    for (int left = plies; left > 0 && m; s->table_line_count++) {
        s->table_line[s->table_line_count] = m;
        position_make(&pos, m, &undo);
        left--;
        m = left ? next_on_line(s->tables, &pos, left % 2 ? left : -left) : MOVE_NONE;
    }
}

int endings_root_line(Search *s, const RootMove *r, const Move **line)
{
    if (!s->root_is_known || !score_is_mate(r->table_score))
        return 0;
    if (!s->table_line_count || s->table_line[0] != r->move)
        fill_line(s, r->move, SCORE_MATE - abs(r->table_score));
    *line = s->table_line;
    return s->table_line_count;
}

// Would this move bring a position for the third time?
static bool repeats_thrice(const Search *s, Move m)
{
    Position pos = s->root;
    Undo undo;
    int seen = 0;
    position_make(&pos, m, &undo);
    for (int i = max_int(0, s->game_key_count - pos.state.fifty); i < s->game_key_count; i++)
        seen += s->game_keys[i] == pos.state.key;
    return seen >= 2;
}

// Has any position since the last capture or pawn move been there twice? Then the search does not
// get on by itself.
static bool has_repeated(const Search *s)
{
    int first = max_int(0, s->game_key_count - s->root.state.fifty);
    for (int i = first; i < s->game_key_count; i++) {
        if (s->game_keys[i] == s->root.state.key)
            return true;
        for (int j = first; j < i; j++)
            if (s->game_keys[i] == s->game_keys[j])
                return true;
    }
    return false;
}

// The distance of a move under the rules that end a game early.
static int judged_distance(const Search *s, const MoveVerdict *v)
{
    bool fifty_rule = s->options.table_fifty_rule;
    bool is_ended = fifty_rule && !v->is_zeroing && !v->is_mate && s->root.state.fifty >= 99;
    return is_ended || (!v->is_zeroing && repeats_thrice(s, v->move)) ? 0 : v->verdict.dtz;
}

// Half-moves to a mate that no rule prevents, negative for the side that is mated; 0: not known.
static int sure_end(const Search *s, const MoveVerdict *v, int dtz)
{
    int most = s->options.table_fifty_rule ? 100 - s->root.state.fifty : MAX_PLY - 1;
    return dtz && v->verdict.has_end && abs(v->verdict.end) <= most ? v->verdict.end : 0;
}

// Moves that win in time come first; the nearest zeroing first among them, unless the search may
// choose freely. Of lost moves those are better that come near the fifty-move rule.
static int rank_of_distance(const Search *s, int dtz, bool is_free)
{
    int fifty = s->root.state.fifty;
    if (dtz > 0)
        return dtz + fifty <= 99 ? RANK_WIN - (is_free ? 0 : dtz) : RANK_CURSED - (dtz + fifty);
    if (dtz < 0)
        return -2 * dtz + fifty < 100 ? -RANK_WIN : -RANK_CURSED - dtz + fifty;
    return 0;
}

// Where mate is sure the nearest comes before all that win, the farthest last of all that lose.
static int rank_of_end(int end)
{
    return end > 0 ? RANK_WIN + RANK_MATE - end : -RANK_WIN - RANK_MATE - end;
}

// A hundredth of a pawn for each half-move that brings a spoiled win nearer to the rule.
static int score_of_rank(const Search *s, int rank)
{
    int won = s->options.table_fifty_rule ? RANK_CURSED + 1000 : 1;
    if (rank >= won)
        return SCORE_TABLE_WIN;
    if (rank <= -won)
        return -SCORE_TABLE_WIN;
    if (rank > 0)
        return max_int(3, rank - (RANK_CURSED - 200)) / 2;
    return rank < 0 ? min_int(-3, rank + (RANK_CURSED - 200)) / 2 : SCORE_DRAW;
}

// What the tables say of the root moves; false unless they know all distances.
static bool judge_moves(Search *s, const RootMove *moves, int count, int *distance, int *end)
{
    for (int i = 0; i < count; i++) {
        MoveVerdict v;
        if (!tables_judge_move(s->tables, &s->root, moves[i].move, &v, NULL) ||
            !v.verdict.has_distance)
            return false;
        distance[i] = judged_distance(s, &v);
        end[i] = sure_end(s, &v, distance[i]);
    }
    return true;
}

// The least number above 0; 0 without any.
static int least_positive(const int *numbers, int count, int most)
{
    int least = 0;
    for (int i = 0; i < count; i++)
        if (numbers[i] > 0 && numbers[i] <= most && (!least || numbers[i] < least))
            least = numbers[i];
    return least;
}

// Ranks by the way to mate where that is known, else by distance. When a zeroing move wins at once
// the search may look at all that win, as it may see a mate, but not for long; without a mate
// endings_prefer_nearest has the last word.
static bool rank_by_distance(Search *s, RootMove *moves, int count)
{
    int distance[MAX_MOVES], end[MAX_MOVES], fifty = s->root.state.fifty;
    if (!judge_moves(s, moves, count, distance, end))
        return false;
    int mate = least_positive(end, count, MAX_PLY);
    int nearest = least_positive(distance, count, 99 - fifty);
    bool is_free = nearest == 1 && !mate && fifty < PATIENCE && !has_repeated(s);
    for (int i = 0; i < count; i++) {
        RootMove *r = &moves[i];
        r->is_nearest = mate ? end[i] == mate : nearest && distance[i] == nearest;
        r->table_rank = rank_of_distance(s, distance[i], is_free);
        r->table_score = score_of_rank(s, r->table_rank);
        if (end[i]) {
            r->table_rank = rank_of_end(end[i]);
            r->table_score = end[i] > 0 ? score_mate_in(end[i]) : score_mated_in(-end[i]);
        }
    }
    return true;
}

bool endings_prefer_nearest(Worker *w)
{
    RootMove *moves = w->root_moves;
    int i = 0;
    if (!w->search->root_is_known || moves[0].is_nearest || score_is_mate(moves[0].score))
        return false;
    while (i < w->root_count && !moves[i].is_nearest)
        i++;
    if (i == w->root_count)
        return false;
    RootMove nearest = moves[i];
    memmove(moves + 1, moves, (size_t)i * sizeof *moves);
    moves[0] = nearest;
    return true;
}

// Ranks by results alone, where distances are missing.
static bool rank_by_result(Search *s, RootMove *moves, int count)
{
    static const int RANKS[5] = {-RANK_WIN, -RANK_CURSED - 100, 0, RANK_CURSED - 100, RANK_WIN};
    for (int i = 0; i < count; i++) {
        MoveVerdict v;
        if (!tables_judge_move(s->tables, &s->root, moves[i].move, &v, NULL))
            return false;
        moves[i].table_rank = RANKS[v.verdict.wdl + 2];
        moves[i].table_score = score_of_rank(s, moves[i].table_rank);
    }
    return true;
}

// Best first; equal ones stay in their order.
static void sort_by_rank(RootMove *moves, int count)
{
    for (int i = 1; i < count; i++) {
        RootMove x = moves[i];
        int j = i;
        for (; j > 0 && moves[j - 1].table_rank < x.table_rank; j--)
            moves[j] = moves[j - 1];
        moves[j] = x;
    }
}

static bool is_root_a_table(const Search *s)
{
    return tables_may_know(&s->root, s->table_men) && s->workers[0]->root_count;
}

void endings_prepare(Search *s, Tables *tables)
{
    Worker *first = s->workers[0];
    s->tables = tables;
    s->table_line_count = 0;
    s->table_men = min_int(s->options.table_men, tables_men(tables, s->root.rules));
    s->table_depth = s->table_men < s->options.table_men ? 0 : s->options.table_depth;
    if (!is_root_a_table(s))
        return;
    bool has_distances = rank_by_distance(s, first->root_moves, first->root_count);
    s->root_is_known = has_distances || rank_by_result(s, first->root_moves, first->root_count);
    if (!s->root_is_known) {
        for (int i = 0; i < first->root_count; i++)
            first->root_moves[i].table_rank = 0;
        return;
    }
    sort_by_rank(first->root_moves, first->root_count);
    for (int i = 1; i < s->worker_count; i++)
        memcpy(s->workers[i]->root_moves, first->root_moves,
               (size_t)first->root_count * sizeof(RootMove));
    atomic_store_explicit(&first->table_hits, (uint64_t)first->root_count, memory_order_relaxed);
    // Inside the tree all would look alike: tables help there only to find a win.
    if (has_distances || first->root_moves[0].table_score <= SCORE_DRAW)
        s->table_men = 0;
}
