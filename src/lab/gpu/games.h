// Games on a warp, one after another: self-play that leaves records, and matches between two nets or two
// sets of search options. An opening is some random plies that a short search finds balanced; in a
// match each is played twice with colours changed.
#ifndef LOVAC_LAB_GPU_GAMES_H
#define LOVAC_LAB_GPU_GAMES_H

#include "lab/gpu/search.h"

enum {
    RECORD_SCORE_LIMIT = 2500,
    WIN_SCORE = 1500, // for WIN_PLIES plies: adjudicated
    WIN_PLIES = 6,
    DRAW_SCORE = 8, // for DRAW_PLIES plies after DRAW_FROM_PLY
    DRAW_PLIES = 10,
    DRAW_FROM_PLY = 80,
    VALIDATION_EVERY = 64,
};

typedef struct Player {
    const PlayJob *job;
    const Tables *tables;
    WarpMemory *memory;
    int warp;
    uint64_t random;
} Player;

DEV uint64_t warp_random(uint64_t *state)
{
    uint64_t s = *state;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    *state = s;
    return s * 0x2545f4914f6cdd1dull;
}

DEV uint64_t warp_random_seed(uint64_t seed, int warp)
{
    uint64_t z = seed + (uint64_t)(warp + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (z ^ z >> 31) | 1;
}

DEV uint64_t *line_of(const Player *p) { return p->job->line + (long)p->warp * LINE_ROOM; }
DEV uint64_t *hash_of(const Player *p, int player)
{
    return p->job->hash + ((long)(p->warp * 2 + player) << HASH_BITS);
}
DEV int16_t *pairs_of(const Player *p, int player)
{
    return p->job->pairs + (long)(p->warp * 2 + player) * PAIR_ROWS * PAIR_ROW;
}

DEV void history_clear(WarpMemory *m)
{
    for (int i = warp_lane(); i < 12 * 64; i += LANES)
        m->history[i] = 0;
    for (int i = warp_lane(); i < SEARCH_PLIES; i += LANES)
        m->killers[i] = 0;
    warp_sync();
}

DEV void pairs_clear(const Player *p, int player)
{
    uint32_t *words = (uint32_t *)pairs_of(p, player);
    for (int i = warp_lane(); i < PAIR_ROWS * PAIR_ROW / 2; i += LANES)
        words[i] = 0;
    warp_sync();
}

DEV void player_new_game(const Player *p)
{
    history_clear(p->memory);
    pairs_clear(p, 0);
    if (!p->job->is_match)
        return;
    pairs_clear(p, 1);
    for (int i = warp_lane(); i < 2 << HASH_BITS; i += LANES)
        hash_of(p, 0)[i] = 0;
    warp_sync();
}

typedef struct Found { // what a search brought
    uint32_t move, nodes;
    int score, depth;
    bool in_check;
} Found;

// The board is copied, so that it lives in registers during the search. This is copied in where it is
// called, once, since only then the compiler knows which memory its pointers point to.
DEV Found player_search(const Player *p, int player, uint32_t nodes, int game_ply,
                             int last_played, Board b)
{
    Searcher s;
    s.tables = p->tables;
    s.net = &p->job->net[player];
    s.memory = p->memory;
    s.accumulators = p->job->accumulators + (long)p->warp * SEARCH_PLIES * SLOT_WORDS;
    s.hash = hash_of(p, player);
    s.line = line_of(p);
    s.pairs = pairs_of(p, player);
    s.game_ply = game_ply;
    s.node_limit = nodes;
    s.options = p->job->options[player];
    p->memory->played[0] = (uint16_t)last_played;
    warp_sync();
    Search x;
    Found found;
    search_run(&s, &x, &b, &found.in_check);
    found.move = x.root_move;
    found.nodes = x.nodes;
    found.score = x.root_score;
    found.depth = x.done_depth;
    return found;
}

// Plays a move of the game; returns type * 64 + to of it.
DEV int game_move(const Player *p, Board *b, uint32_t move, int *ply)
{
    Change c;
    line_of(p)[*ply] = b->hash;
    board_make(p->tables, b, move, &c);
    ++*ply;
    warp_sync();
    return c.type * 64 + c.to;
}

DEV bool game_is_drawn(const Player *p, const Board *b, int ply)
{
    if (ply >= GAME_PLIES || b->fifty >= 100)
        return true;
    if (b->fifty < 4)
        return false;
    const int back = 4 + 2 * warp_lane();
    const bool hit = back <= b->fifty && back <= ply && line_of(p)[ply - back] == b->hash;
    return warp_ballot(hit) != 0;
}

// Some random legal moves from the start; false when the game ended on the way.
DEV bool opening_random(Player *p, Board *b, int *ply)
{
    GenRequest r;
    r.captures_only = r.ordered = false;
    r.killers = r.hash_move = 0;
    r.least_gain = 0;
    r.history = r.after_other = r.after_own = NULL;
    r.types = NULL;
    bool in_check;
    board_start(p->tables, b);
    *ply = 0;
    const int plies = p->job->random_plies + (int)(warp_random(&p->random) >> 40 & 1);
    while (*ply < plies) {
        const int count = board_moves(p->tables, b, &r, p->memory->moves, MOVE_ROOM, &in_check);
        if (!count)
            return false;
        const uint32_t pick = (uint32_t)(warp_random(&p->random) >> 33) % (uint32_t)count;
        const uint32_t move = p->memory->moves[pick] & 0xffff;
        warp_sync();
        game_move(p, b, move, ply);
    }
    return true;
}

// Keeps a position: quiet, not in check, score not extreme. Returns the number kept of this game.
DEV int record_keep(const Player *p, const Board *b, const RecordBuffer *buffer, int score, int kept)
{
    if (!buffer->capacity || kept >= GAME_RECORDS)
        return kept;
    const int lane = warp_lane();
    int place = 0;
    if (lane == 0)
        place = (int)(counter_next(buffer->counter) % buffer->capacity);
    place = warp_get(place, 0);
    const int man = b->man;
    const uint32_t men = (uint32_t)bits_count(warp_ballot(man_alive(man)));
    buffer->men[(uint64_t)(uint32_t)place * 32 + (uint32_t)lane] =
        (uint16_t)(man_alive(man) ? (lane >> 4) * 384 + man_type(man) * 64 + man_square(man)
                                  : RECORD_NO_MAN);
    if (lane == 0) {
        buffer->meta[(uint32_t)place] = (uint32_t)(uint16_t)score | (uint32_t)RESULT_OPEN << 16 |
                                        (uint32_t)b->side << 18 | (men - 1) << 19;
        p->job->kept[(long)p->warp * GAME_RECORDS + kept] = (uint32_t)place;
    }
    return kept + 1;
}

DEV void records_finish(const Player *p, const RecordBuffer *buffer, int kept, int result)
{
    warp_sync();
    for (int i = warp_lane(); i < kept; i += LANES) {
        uint32_t *meta = &buffer->meta[p->job->kept[(long)p->warp * GAME_RECORDS + i]];
        *meta = (*meta & ~(3u << 16)) | (uint32_t)result << 16;
    }
    warp_sync();
}

typedef struct Judge { // counts plies of agreement
    int won, drawn;
} Judge;

// The result that a score settles for the side to move, or RESULT_OPEN.
DEV int judge_score(Judge *j, int score, int side, int ply)
{
    const int size = score < 0 ? -score : score;
    j->won = size >= WIN_SCORE ? j->won + 1 : 0;
    j->drawn = size <= DRAW_SCORE && ply >= DRAW_FROM_PLY ? j->drawn + 1 : 0;
    if (j->won >= WIN_PLIES)
        return score > 0 ? side : side ^ 1;
    return j->drawn >= DRAW_PLIES ? RESULT_DRAWN : RESULT_OPEN;
}

DEV bool time_is_up(const PlayJob *job, uint64_t begin, const WarpStats *stats)
{
    return (job->duration_ns && warp_clock_ns() - begin >= job->duration_ns) ||
           (job->max_searches && stats->searches >= job->max_searches);
}

enum { PHASE_NONE, PHASE_OPENING, PHASE_PLAY };

typedef struct Game { // the game under way
    Board b;
    int phase, number, ply, kept, last_played, tries;
    uint64_t opening; // random state that made the opening
    int first_points; // matches: of player 0 in the first game of the pair
    Judge judge;
} Game;

DEV void game_start(const Player *p, Game *g)
{
    player_new_game(p);
    g->phase = PHASE_PLAY;
    g->kept = 0;
    g->last_played = PAIR_NONE;
    g->judge.won = g->judge.drawn = 0;
}

// Puts an opening on the board: a new one, or that of the pair's first game again.
DEV void game_open(Player *p, Game *g)
{
    if (p->job->is_match && (g->number & 1)) {
        p->random = g->opening;
        opening_random(p, &g->b, &g->ply);
        game_start(p, g);
        return;
    }
    do
        g->opening = p->random;
    while (!opening_random(p, &g->b, &g->ply));
    history_clear(p->memory);
    g->phase = PHASE_OPENING;
    g->last_played = PAIR_NONE;
    if (!p->job->opening_limit || g->tries >= 100)
        game_start(p, g);
}

// A short search has looked at the opening: accept it or try another.
DEV void opening_judge(const Player *p, Game *g, const Found *x, WarpStats *stats)
{
    stats->nodes += x->nodes;
    if (x->move && x->score <= p->job->opening_limit && x->score >= -p->job->opening_limit) {
        game_start(p, g);
        return;
    }
    stats->openings_refused++;
    g->tries++;
    g->phase = PHASE_NONE;
}

DEV void game_finish(const Player *p, Game *g, int result, WarpStats *stats)
{
    records_finish(p, &p->job->records[(p->warp + g->number) % VALIDATION_EVERY == 0], g->kept, result);
    stats->plies += (uint32_t)g->ply;
    stats->games++;
    stats->results[result]++;
    if (p->job->is_match) {
        const int outcome = result == RESULT_DRAWN ? 2 : (result ^ g->number) & 1;
        const int points = outcome == 2 ? 1 : outcome == 0 ? 2 : 0;
        stats->by_player[outcome]++;
        if (g->number & 1)
            stats->pairs[g->first_points + points]++;
        g->first_points = points;
    }
    g->number++;
    g->tries = 0;
    g->phase = PHASE_NONE;
}

DEV bool is_worth_keeping(const Player *p, const Game *g, const Found *x)
{
    const uint64_t them = g->b.side ? g->b.white : g->b.black;
    return !p->job->is_match && g->ply >= p->job->record_from_ply && !x->in_check &&
           x->score < RECORD_SCORE_LIMIT && x->score > -RECORD_SCORE_LIMIT &&
           !(them >> move16_to(x->move) & 1) && !move16_promotion(x->move);
}

// A move was found: keep the position, play it, and see whether the game is over.
DEV void game_step(const Player *p, Game *g, const Found *x, WarpStats *stats)
{
    stats->searches++;
    stats->nodes += x->nodes;
    stats->depth_sum += (uint32_t)x->depth;
    if (!x->move) {
        game_finish(p, g, x->in_check ? g->b.side ^ 1 : RESULT_DRAWN, stats);
        return;
    }
    stats->signature = stats->signature * 31 + (uint64_t)x->move * 7 + (uint64_t)(int64_t)x->score;
    if (is_worth_keeping(p, g, x)) {
        stats->kept++;
        g->kept = record_keep(p, &g->b,
                              &p->job->records[(p->warp + g->number) % VALIDATION_EVERY == 0], x->score,
                              g->kept);
    }
    int result = judge_score(&g->judge, x->score, g->b.side, g->ply);
    if (result == RESULT_OPEN) {
        g->last_played = game_move(p, &g->b, x->move, &g->ply);
        if (game_is_drawn(p, &g->b, g->ply))
            result = RESULT_DRAWN;
    }
    if (result != RESULT_OPEN)
        game_finish(p, g, result, stats);
}

// Plays until the job says stop; a game under way then is left open.
DEV void play_games(const PlayJob *job, const Tables *tables, WarpMemory *memory, int warp)
{
    Player p = {job, tables, memory, warp, warp_random_seed(job->seed, warp)};
    WarpStats stats = {0};
    Game g;
    const uint64_t begin = warp_clock_ns();
    pairs_clear(&p, 0); // the first opening is searched before a game begins
    g.phase = PHASE_NONE;
    g.number = g.tries = g.first_points = 0;
    while (!time_is_up(job, begin, &stats)) {
        if (g.phase == PHASE_NONE) {
            if (job->max_games && stats.games >= job->max_games)
                break;
            game_open(&p, &g);
        }
        const bool is_opening = g.phase == PHASE_OPENING;
        const int player = job->is_match && !is_opening ? (g.b.side ^ g.number) & 1 : 0;
        if (job->is_match)
            history_clear(memory);
        const uint32_t nodes = is_opening ? job->nodes[0] / 4 + 50 : job->nodes[player];
        const Found x = player_search(&p, player, nodes, g.ply, g.last_played, g.b);
        if (is_opening)
            opening_judge(&p, &g, &x, &stats);
        else
            game_step(&p, &g, &x, &stats);
    }
    if (warp_lane() == 0)
        job->stats[warp] = stats;
}

#endif
