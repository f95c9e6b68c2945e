// Games on a warp, one after another: self-play that leaves records, and matches between two nets
// or two sets of search options. An opening is some random plies that a short search finds
// balanced; in a match each is played twice with colours changed.
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
    SHUFFLED_EVERY = 8, // openings from a start position of Chess960
    LATER_KEEPS = 4,    // of eight parts: how much of what comes later counts for a position
};

typedef struct Player {
    const PlayJob *job;
    const Tables *tables;
    const NnueThreatTables *threats; // NULL for nets without
    WarpMemory *memory;
    int warp;
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

DEV WarpScratch *scratch_of(const Player *p)
{
    return (WarpScratch *)p->job->scratch + p->warp;
}

DEV void history_clear(WarpMemory *m)
{
    for (int i = warp_lane(); i < PAIR_ROW; i += LANES)
        m->history[0][i] = m->history[1][i] = 0;
    for (int i = warp_lane(); i < SEARCH_PLIES; i += LANES)
        m->killers[i] = 0;
    warp_sync();
}

DEV void pairs_clear(const Player *p, int player)
{
    uint32_t *words = (uint32_t *)scratch_of(p)->pairs[player];
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
    for (int i = warp_lane(); i < 1 << HASH_BITS; i += LANES)
        scratch_of(p)->hash[0][i] = scratch_of(p)->hash[1][i] = 0;
    warp_sync();
}

typedef struct Found { // what a search brought
    uint32_t move, nodes;
    int score, depth;
    bool in_check;
} Found;

// The board is copied, so that it lives in registers during the search. This is copied in where it
// is called, once, since only then the compiler knows which memory its pointers point to.
DEV Found player_search(const Player *p, int player, uint32_t nodes, int game_ply, int last_played,
                        Board b)
{
    Searcher s;
    s.tables = p->tables;
    s.eyes.net = &p->job->net[player];
    s.eyes.views = p->tables->views[player];
    s.eyes.tables = p->tables;
    s.eyes.threats = p->threats;
    s.eyes.types = p->memory->types;
    s.eyes.pairs = p->memory->pairs;
    s.eyes.rows = p->memory->rows;
    s.memory = p->memory;
    s.scratch = scratch_of(p);
    s.player = player;
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
    scratch_of(p)->line[*ply] = b->hash;
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
    const bool hit = back <= b->fifty && back <= ply && scratch_of(p)->line[ply - back] == b->hash;
    return warp_ballot(hit) != 0;
}

// The Chess960 start that a random word chooses for an opening, or -1 for the usual start.
DEV int start_number(uint64_t word)
{
    return word >> 40 & (SHUFFLED_EVERY - 1) ? -1 : (int)((uint32_t)(word >> 44) % 960);
}

DEV void start_set(const Tables *t, Board *b, int number)
{
    if (number < 0)
        board_start(t, b);
    else
        board_shuffled(t, b, (uint32_t)number);
}

// A random legal move, or 0.
DEV uint32_t random_move(const Player *p, uint64_t *random, const Board *b)
{
    GenRequest r;
    r.captures_only = r.ordered = false;
    r.killers = r.hash_move = 0;
    r.least_gain = 0;
    r.history = NULL;
    r.types = NULL;
    bool in_check;
    const int count = board_moves(p->tables, b, &r, p->memory->moves, MOVE_ROOM, &in_check);
    if (!count)
        return 0;
    const uint32_t pick = (uint32_t)(warp_random(random) >> 33) % (uint32_t)count;
    const uint32_t move = p->memory->moves[pick] & 0xffff;
    warp_sync();
    return move;
}

// Some random legal moves from a start; false when the game ended on the way.
DEV bool opening_random(const Player *p, uint64_t *random, Board *b, int *ply)
{
    start_set(p->tables, b, start_number(warp_random(random)));
    *ply = 0;
    const int plies = p->job->random_plies + (int)(warp_random(random) >> 40 & 1);
    while (*ply < plies) {
        const uint32_t move = random_move(p, random, b);
        if (!move)
            return false;
        game_move(p, b, move, ply);
    }
    return true;
}

// Writes a position that has no result yet; returns its place.
DEV int record_write(const Board *b, const RecordBuffer *buffer, int score, int later)
{
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
    if (lane == 0)
        buffer->meta[(uint32_t)place] = (uint32_t)(uint16_t)score | (uint32_t)RESULT_OPEN << 16 |
                                        (uint32_t)b->side << 18 | (men - 1) << 19 |
                                        (uint32_t)(uint8_t)later << 24;
    return place;
}

// Keeps a position of the game. Returns the number kept of this game.
DEV int record_keep(const Player *p, const Board *b, const RecordBuffer *buffer, int score, int ply,
                    int kept)
{
    if (!buffer->capacity || kept >= GAME_RECORDS)
        return kept;
    const int place = record_write(b, buffer, score, 0);
    if (warp_lane() == 0) {
        scratch_of(p)->kept[kept] = (uint32_t)place;
        scratch_of(p)->kept_ply[kept] = (int16_t)ply;
    }
    return kept + 1;
}

DEV int limited_score(int score)
{
    return score > LATER_LIMIT ? LATER_LIMIT : score < -LATER_LIMIT ? -LATER_LIMIT : score;
}

// Writes the result of a game and, for each position kept, what the later ones came to: a mean of
// their scores in which each counts half of the one before it, and the result last of all.
DEV void records_finish(const Player *p, const RecordBuffer *buffer, const GameState *g, int result)
{
    WarpScratch *s = scratch_of(p);
    int later = result == RESULT_DRAWN ? 0 : result == 0 ? 8 * LATER_LIMIT : -8 * LATER_LIMIT;
    int ply = g->searched;
    warp_sync();
    for (int i = g->kept - 1; i >= 0; i--) { // every lane does the same; `later` is times 8
        for (; ply > s->kept_ply[i] + 1; ply--)
            later = later * LATER_KEEPS / 8 + s->scores[ply - 1] * (8 - LATER_KEEPS);
        uint32_t *meta = &buffer->meta[s->kept[i]];
        const uint32_t word = *meta;
        const uint32_t byte = (uint8_t)((word >> 18 & 1 ? -later : later) / (8 * LATER_STEP));
        warp_sync();
        if (warp_lane() == 0)
            *meta = (word & 0xfcffff) | (uint32_t)result << 16 | byte << 24;
    }
    warp_sync();
}

// The result that a score settles for the side to move, or RESULT_OPEN.
DEV int judge_score(GameState *g, int score, int side)
{
    const int size = score < 0 ? -score : score;
    g->won_plies = size >= WIN_SCORE ? g->won_plies + 1 : 0;
    g->drawn_plies = size <= DRAW_SCORE && g->ply >= DRAW_FROM_PLY ? g->drawn_plies + 1 : 0;
    if (g->won_plies >= WIN_PLIES)
        return score > 0 ? side : side ^ 1;
    return g->drawn_plies >= DRAW_PLIES ? RESULT_DRAWN : RESULT_OPEN;
}

DEV bool time_is_up(const PlayJob *job, uint64_t begin_ns, const WarpStats *stats)
{
    return (job->duration_ns && warp_clock_ns() - begin_ns >= job->duration_ns) ||
           (job->max_searches && stats->searches >= job->max_searches);
}

enum { PHASE_NONE, PHASE_OPENING, PHASE_PLAY };

DEV void saved_board_write(SavedBoard *out, const Board *b)
{
    out->white = b->white;
    out->black = b->black;
    out->hash = b->hash;
    out->side = b->side;
    out->castling = b->castling;
    out->en_passant = b->en_passant;
    out->fifty = b->fifty;
    warp_sync();
    out->men[warp_lane()] = (uint16_t)b->man;
    warp_sync();
}

DEV void saved_board_read(const SavedBoard *saved, Board *b)
{
    b->white = saved->white;
    b->black = saved->black;
    b->hash = saved->hash;
    b->side = saved->side;
    b->castling = saved->castling;
    b->en_passant = saved->en_passant;
    b->fifty = saved->fifty;
    b->man = saved->men[warp_lane()];
}

// Between searches the game lies in the scratch memory: every lane writes the same words, so it
// costs a fraction of what the compiler's own spilling of registers would.
DEV void state_save(const Player *p, const GameState *g, const Board *b)
{
    GameState *out = &scratch_of(p)->game;
    warp_sync();
    *out = *g;
    saved_board_write(&out->board, b);
}

DEV void state_load(const Player *p, GameState *g, Board *b)
{
    *g = scratch_of(p)->game;
    saved_board_read(&scratch_of(p)->game.board, b);
}

DEV void game_start(const Player *p, GameState *g)
{
    player_new_game(p);
    g->phase = PHASE_PLAY;
    g->kept = g->won_plies = g->drawn_plies = 0;
    g->last_played = PAIR_NONE;
}

// Puts an opening on the board: a new one, or that of the pair's first game again.
DEV void game_open(const Player *p, GameState *g, Board *b)
{
    const bool again = p->job->is_match && (g->number & 1);
    if (again)
        g->random = g->opening;
    do
        g->opening = g->random;
    while (!opening_random(p, &g->random, b, &g->ply));
    history_clear(p->memory);
    g->phase = PHASE_OPENING;
    g->last_played = PAIR_NONE;
    if (again || !p->job->opening_limit || g->tries >= 100)
        game_start(p, g);
}

// A short search has looked at the opening: accept it or try another.
DEV void opening_judge(const Player *p, GameState *g, const Found *x)
{
    g->stats.nodes += x->nodes;
    if (x->move && x->score <= p->job->opening_limit && x->score >= -p->job->opening_limit) {
        game_start(p, g);
        return;
    }
    g->stats.openings_refused++;
    g->tries++;
    g->phase = PHASE_NONE;
}

DEV const RecordBuffer *buffer_of(const Player *p, const GameState *g)
{
    return &p->job->records[(p->warp + g->number) % VALIDATION_EVERY == 0];
}

DEV void game_finish(const Player *p, GameState *g, int result)
{
    records_finish(p, buffer_of(p, g), g, result);
    g->stats.plies += (uint32_t)g->ply;
    g->stats.games++;
    g->stats.results[result]++;
    if (p->job->is_match) {
        const int outcome = result == RESULT_DRAWN ? 2 : (result ^ g->number) & 1;
        const int points = outcome == 2 ? 1 : outcome == 0 ? 2 : 0;
        g->stats.by_player[outcome]++;
        if (g->number & 1)
            g->stats.pairs[g->first_points + points]++;
        g->first_points = points;
    }
    g->number++;
    g->tries = 0;
    g->phase = PHASE_NONE;
}

DEV bool is_worth_keeping(const Player *p, const GameState *g, const Board *b, const Found *x)
{
    const uint64_t them = b->side ? b->white : b->black;
    return !p->job->is_match && g->is_full && g->ply >= p->job->record_from_ply && !x->in_check &&
           x->score < RECORD_SCORE_LIMIT && x->score > -RECORD_SCORE_LIMIT &&
           !(them >> move16_to(x->move) & 1) && !move16_promotion(x->move);
}

// A move was found: keep the position, play it, and see whether the game is over.
DEV void game_step(const Player *p, GameState *g, Board *b, const Found *x)
{
    WarpStats *stats = &g->stats;
    stats->searches++;
    stats->nodes += x->nodes;
    stats->depth_sum += (uint32_t)x->depth;
    if (!x->move) {
        game_finish(p, g, x->in_check ? b->side ^ 1 : RESULT_DRAWN);
        return;
    }
    stats->signature = stats->signature * 31 + (uint64_t)x->move * 7 + (uint64_t)(int64_t)x->score;
    const int limited = limited_score(x->score);
    scratch_of(p)->scores[g->ply] = (int16_t)(b->side ? -limited : limited);
    g->searched = g->ply + 1;
    if (is_worth_keeping(p, g, b, x)) {
        stats->kept++;
        g->kept = record_keep(p, b, buffer_of(p, g), x->score, g->ply, g->kept);
    }
    int result = judge_score(g, x->score, b->side);
    if (result == RESULT_OPEN) {
        g->last_played = game_move(p, b, x->move, &g->ply);
        if (game_is_drawn(p, b, g->ply))
            result = RESULT_DRAWN;
    }
    if (result != RESULT_OPEN)
        game_finish(p, g, result);
}

// Steps aside to what a random move leads to, if there is one: games show only good moves.
DEV void beside_begin(const Player *p, GameState *g, Board *b)
{
    const uint32_t move = random_move(p, &g->random, b);
    if (!move)
        return;
    saved_board_write(&scratch_of(p)->aside, b);
    g->game_played = g->last_played;
    g->last_played = game_move(p, b, move, &g->ply);
    g->is_beside = true;
}

// A position beside the game was searched: keep it and go back; there, a quick search follows.
DEV void beside_end(const Player *p, GameState *g, Board *b, const Found *x)
{
    const RecordBuffer *buffer = buffer_of(p, g);
    WarpStats *stats = &g->stats;
    stats->searches++;
    stats->nodes += x->nodes;
    stats->depth_sum += (uint32_t)x->depth;
    stats->signature = stats->signature * 31 + (uint64_t)x->move * 7 + (uint64_t)(int64_t)x->score;
    if (x->move && is_worth_keeping(p, g, b, x)) {
        stats->kept++;
        if (buffer->capacity)
            record_write(b, buffer, x->score, LATER_NONE);
    }
    saved_board_read(&scratch_of(p)->aside, b);
    g->ply--;
    g->last_played = g->game_played;
    g->is_beside = false;
    g->is_full = !p->job->quick_nodes;
}

// Chooses what the next search of a game is for.
DEV void search_choose(const Player *p, GameState *g, Board *b)
{
    const PlayJob *job = p->job;
    g->is_full = !job->quick_nodes || job->every <= 1 ||
                 (uint32_t)(warp_random(&g->random) >> 33) % job->every == 0;
    if (job->beside && g->is_full && g->phase == PHASE_PLAY && !job->is_match &&
        g->ply >= job->record_from_ply &&
        (uint32_t)(warp_random(&g->random) >> 33) % 100 < job->beside)
        beside_begin(p, g, b);
}

// All that happens between two searches. False when the job is done.
DEV bool games_advance(const Player *p, GameState *g, Board *b, const Found *x)
{
    const PlayJob *job = p->job;
    const bool was_beside = g->is_beside;
    if (was_beside)
        beside_end(p, g, b, x);
    else if (g->phase == PHASE_OPENING)
        opening_judge(p, g, x);
    else if (g->phase == PHASE_PLAY)
        game_step(p, g, b, x);
    if (time_is_up(job, g->begin_ns, &g->stats))
        return false;
    if (g->phase == PHASE_NONE) {
        if (job->max_games && g->stats.games >= job->max_games)
            return false;
        game_open(p, g, b);
    }
    if (!was_beside)
        search_choose(p, g, b);
    if (job->is_match)
        history_clear(p->memory);
    return true;
}

// Nodes for the next search. What cannot be kept whatever is found, in check or early in the game,
// teaches nothing: in self-play it gets half, which is enough to go on sensibly.
DEV uint32_t search_nodes(const Player *p, const GameState *g, const Board *b, int player)
{
    const PlayJob *job = p->job;
    if (g->phase == PHASE_OPENING)
        return job->nodes[0] / 4 + 50;
    if (!job->is_match && !g->is_full)
        return job->quick_nodes;
    if (!job->is_match && (g->ply < job->record_from_ply || board_in_check(p->tables, b)))
        return (job->nodes[player] + 1) / 2;
    return job->nodes[player];
}

// Plays until the job says stop; a game under way then is left open.
DEV void play_games(const PlayJob *job, const Tables *tables, const NnueThreatTables *threats,
                    WarpMemory *memory, int warp)
{
    const Player p = {job, tables, threats, memory, warp};
    Found x = {0, 0, 0, 0, false};
    {
        GameState g = {0};
        Board b = {0};
        g.random = warp_random_seed(job->seed, warp);
        g.begin_ns = warp_clock_ns();
        g.phase = PHASE_NONE;
        state_save(&p, &g, &b);
    }
    for (;;) {
        GameState g;
        Board b;
        state_load(&p, &g, &b);
        const bool goes_on = games_advance(&p, &g, &b, &x);
        const bool is_opening = g.phase == PHASE_OPENING;
        const int player = job->is_match && !is_opening ? (b.side ^ g.number) & 1 : 0;
        const uint32_t nodes = search_nodes(&p, &g, &b, player);
        const int ply = g.ply, last_played = g.last_played;
        state_save(&p, &g, &b);
        if (!goes_on)
            break;
        x = player_search(&p, player, nodes, ply, last_played, b);
    }
    if (warp_lane() == 0)
        job->stats[warp] = scratch_of(&p)->game.stats;
}

#endif
