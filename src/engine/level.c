// See level.h. A small alpha-beta search of its own: what it does not see is decided by a hash of
// seed, position and move, so that an oversight stays the same during one search, as it does with
// people.
#include "engine/level.h"

#include <math.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "core/game.h"
#include "core/movegen.h"
#include "engine/hand.h"
#include "engine/score.h"

// clang-format off
const Level LEVELS[LEVEL_COUNT] = {
    {"beginner", 850, 1, 1, 440, 138, 0},
    {"novice", 1030, 2, 1, 265, 89, 0},
    {"casual", 1200, 2, 2, 234, 73, 0},
    {"easy", 1360, 3, 2, 206, 63, 0},
    {"club", 1500, 3, 4, 118, 42, 0},
    {"medium", 1690, 0, 0, 0, 0, 65},
    {"strong", 1780, 0, 0, 0, 0, 210},
    {"expert", 1850, 0, 0, 0, 0, 390},
    {"hard", 1920, 0, 0, 0, 0, 730},
    {"master", 1980, 0, 0, 0, 0, 1150},
    {"grandmaster", 2060, 0, 0, 0, 0, 2000},
    {"full", 2800, 0, 0, 0, 0, 0},
};
// clang-format on

enum { NODES_MAX = 300000 }; // some positions are wild; people stop thinking too

int level_of_elo(int elo)
{
    int best = 0;
    for (int i = 1; i < LEVEL_COUNT; i++)
        if (abs(LEVELS[i].elo - elo) < abs(LEVELS[best].elo - elo))
            best = i;
    return best + 1;
}

int level_of_skill(int skill)
{
    int level = 1 + skill * (LEVEL_COUNT - 1) / 20;
    return level < 1 ? 1 : level > LEVEL_COUNT ? LEVEL_COUNT : level;
}

static int between(int low, int high, double share)
{
    return (int)(low + (high - low) * share + 0.5);
}

Level level_at_elo(int elo)
{
    enum { FULL_NODES = 1000000 };
    int i = 0;
    while (i < LEVEL_COUNT - 1 && LEVELS[i + 1].elo <= elo)
        i++;
    const Level *low = &LEVELS[i], *high = low + 1;
    if (i == LEVEL_COUNT - 1 || elo <= low->elo)
        return *low;
    double share = (double)(elo - low->elo) / (high->elo - low->elo);
    Level level = share < 0.5 ? *low : *high;
    if (level_is_human(high)) {
        level.oversight = between(low->oversight, high->oversight, share);
        level.noise = between(low->noise, high->noise, share);
    } else if (!level_is_human(low)) {
        double most = (double)(high->nodes ? high->nodes : FULL_NODES), least = (double)low->nodes;
        level.nodes = (uint64_t)(least * pow(most / least, share));
    }
    level.elo = elo;
    return level;
}

bool level_is_human(const Level *level)
{
    return level->depth > 0;
}

typedef struct Mind {
    const Level *level;
    const HandSetup *setup;
    uint64_t seed;
    uint64_t nodes;
    bool is_careful;  // the queen has just been lost
    Square recapture; // where something was taken last, or NO_SQUARE
} Mind;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// How hard a move is to see, in hundredths: 100 is an ordinary one.
static int difficulty(const Position *pos, Move move, Bitboard screens)
{
    Square from = move_from(move), to = move_to(move);
    int files = abs(square_file(from) - square_file(to)),
        ranks = abs(square_rank(from) - square_rank(to));
    int length = max_int(files, ranks);
    PieceType type = piece_type(pos->board[from]);
    int hard = 25;
    if (type != KNIGHT && length > 2)
        hard += 15 * (length - 2);
    if (type == KNIGHT)
        hard += 20;
    if (type != PAWN && square_relative_rank(pos->side, to) < square_relative_rank(pos->side, from))
        hard += 35;
    if (!move_is_capture(move) && !move_is_promotion(move))
        hard += 40;
    if (screens & square_bit(from))
        hard += 50;
    if (move_kind(move) == KIND_EN_PASSANT ||
        (move_is_promotion(move) && move_promotion(move) != QUEEN))
        hard += 60;
    return hard;
}

// Is this move overlooked here, `ply` half-moves ahead?
static bool is_overlooked(const Mind *m, const Position *pos, Move move, int ply, Bitboard screens)
{
    if (!m->level->oversight)
        return false;
    Piece taken = position_captured(pos, move);
    if (ply <= 1 && move_is_capture(move) && move_to(move) == m->recapture)
        return false;
    if (ply == 1 && m->is_careful && taken != NO_PIECE && piece_type(taken) >= ROOK)
        return false;
    int hard = difficulty(pos, move, screens) * (100 + 30 * ply) / 100;
    if (ply == 0)
        hard /= 2; // one's own moves are looked at one by one
    uint64_t chance = (uint64_t)m->level->oversight * (uint64_t)hard / 100; // thousandths
    if (chance > 950)
        chance = 950;
    return mix(m->seed ^ pos->state.key ^ (uint64_t)move * 0x9e3779b97f4a7c15u) % 1000 < chance;
}

static int judge(const Mind *m, const Position *pos)
{
    int value = hand_evaluate(m->setup, NULL, pos);
    // A sum of four uniform numbers is nearly normal.
    uint64_t h = mix(m->seed + pos->state.key);
    int sum =
        (int)(h & 255) + (int)(h >> 8 & 255) + (int)(h >> 16 & 255) + (int)(h >> 24 & 255) - 510;
    return value + sum * m->level->noise / 148;
}

// Captures first, the most valuable ones in front.
static void order(const Position *pos, Move *list, int count)
{
    int worth[MAX_MOVES];
    for (int i = 0; i < count; i++) {
        Piece taken = position_captured(pos, list[i]);
        int w = taken == NO_PIECE ? 0
                                  : SEE_VALUES[piece_type(taken)] * 8 + 900 -
                                        SEE_VALUES[piece_type(pos->board[move_from(list[i])])] / 2;
        w += move_is_promotion(list[i]) && move_promotion(list[i]) == QUEEN ? 7000 : 0;
        Move move = list[i];
        int j = i;
        for (; j > 0 && worth[j - 1] < w; j--) {
            worth[j] = worth[j - 1];
            list[j] = list[j - 1];
        }
        worth[j] = w;
        list[j] = move;
    }
}

static Bitboard screens_of(const Position *pos)
{
    return position_has_king(pos, !pos->side) ? position_blockers(pos, !pos->side) : 0;
}

static int end_score(const Position *pos, int ply)
{
    Outcome outcome = position_outcome(pos);
    if (outcome.result == RESULT_NONE || outcome.result == RESULT_DRAW)
        return SCORE_DRAW;
    bool wins = (outcome.result == RESULT_WHITE) == (pos->side == WHITE);
    return wins ? score_mate_in(ply) : score_mated_in(ply);
}

// Alpha-beta; below `depth` only captures, `captures` half-moves long.
static int look(Mind *m, Position *pos, int depth, int captures, int ply, int alpha, int beta)
{
    Move list[MAX_MOVES];
    const Rules *rules = pos->rules;
    m->nodes++;
    if (rules->bare_side_loses && !pos->by_color[pos->side])
        return score_mated_in(ply);
    bool is_quiet = depth <= 0 && !rules->must_capture && !position_in_check(pos);
    int count = movegen_legal(pos, is_quiet ? STAGE_NOISY : STAGE_ALL, list),
        best = -SCORE_INFINITE;
    if (!count && (!is_quiet || !movegen_any(pos)))
        return end_score(pos, ply);
    if (depth <= 0) {
        best = judge(m, pos);
        if (best >= beta || captures <= 0 || m->nodes > NODES_MAX || rules->must_capture)
            return best;
        alpha = max_int(alpha, best);
    } else if (pos->state.fifty >= 100) {
        return SCORE_DRAW;
    }
    order(pos, list, count);
    Bitboard screens = screens_of(pos);
    for (int i = 0; i < count; i++) {
        if (is_overlooked(m, pos, list[i], ply, screens))
            continue;
        Undo undo;
        position_make(pos, list[i], &undo);
        int score =
            -look(m, pos, depth - 1, depth > 0 ? captures : captures - 1, ply + 1, -beta, -alpha);
        position_unmake(pos, list[i], &undo);
        best = max_int(best, score);
        alpha = max_int(alpha, score);
        if (alpha >= beta)
            break;
    }
    // Everything was overlooked: it seems that nothing happens.
    return best == -SCORE_INFINITE ? judge(m, pos) : best;
}

// What the last moves say: where something was taken, and whether the side to move has just lost a
// queen.
static void recall(Mind *m, const Position *start, const Move *moves, int count, Position *now)
{
    *now = *start;
    m->recapture = NO_SQUARE;
    for (int i = 0; i < count; i++) {
        Undo undo;
        bool by_opponent = (count - i) % 2 == 1;
        Piece taken = position_captured(now, moves[i]);
        if (by_opponent && count - i <= 6 && taken != NO_PIECE && piece_type(taken) == QUEEN)
            m->is_careful = true;
        if (i == count - 1 && taken != NO_PIECE)
            m->recapture = move_to(moves[i]);
        position_make(now, moves[i], &undo);
    }
}

void level_choose(const Level *level, const Position *start, const Move *moves, int count,
                  uint64_t seed, LevelChoice *choice)
{
    Position pos;
    Mind m = {.level = level, .setup = hand_setup(start->rules), .seed = mix(seed + 1)};
    recall(&m, start, moves, count, &pos);
    Move list[MAX_MOVES];
    int n = movegen_legal(&pos, STAGE_ALL, list), best = -SCORE_INFINITE;
    *choice = (LevelChoice){.move = n ? list[0] : MOVE_NONE, .depth = level->depth};
    order(&pos, list, n);
    Bitboard screens = screens_of(&pos);
    for (int i = 0; i < n; i++) {
        if (n > 1 && is_overlooked(&m, &pos, list[i], 0, screens))
            continue;
        Undo undo;
        position_make(&pos, list[i], &undo);
        int score = -look(&m, &pos, level->depth - 1, level->captures, 1, -SCORE_INFINITE, -best);
        position_unmake(&pos, list[i], &undo);
        if (score > best) {
            best = score;
            choice->move = list[i];
        }
    }
    choice->score = best == -SCORE_INFINITE ? judge(&m, &pos) : best;
    choice->nodes = m.nodes;
}

int64_t level_pause_ms(const Level *level, const Position *pos, bool is_recapture,
                       int64_t time_left_ms, uint64_t seed)
{
    int moves = movegen_count(pos);
    if (moves <= 1)
        return 300;
    // Half a second to four, longer with more choice and at higher levels, and never the same
    // twice.
    int64_t pause = is_recapture ? 500 : 700 + 30 * (moves < 60 ? moves : 60) + level->elo / 4;
    pause = pause * (60 + (int64_t)(mix(seed ^ pos->state.key) % 80)) / 100;
    int64_t most = time_left_ms < 0 ? pause : time_left_ms / 40;
    return pause < most ? pause : most;
}
