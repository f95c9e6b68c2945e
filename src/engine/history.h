// What the search has learned about moves and about its own evaluation: tables of small numbers
// that move towards a bonus or malus and cannot leave their limits ("gravity").
#ifndef LOVAC_ENGINE_HISTORY_H
#define LOVAC_ENGINE_HISTORY_H

#include <stdlib.h>

#include "core/position.h"

enum {
    BUTTERFLY_LIMIT = 8192,
    CAPTURE_LIMIT = 10000,
    CONTINUATION_LIMIT = 28000,
    PAWN_HISTORY_LIMIT = 8192,
    LOW_PLY_LIMIT = 8192,
    CORRECTION_LIMIT = 1024,
    LOW_PLIES = 5,
    PAWN_HISTORY_SIZE = 512,
    CORRECTION_SIZE = 16384,
    TRIED_MAX = 32, // moves of a node that are remembered as tried
    NO_CAPTURE = 6, // index of the capture history for promotions that take nothing
};

typedef int16_t PieceToHistory[PIECE_COUNT][64];

typedef struct Histories {
    int16_t butterfly[2][2][2][64 * 64];              // colour; from and to attacked; from, to
    int16_t low_ply[LOW_PLIES][64 * 64];              // near the root; emptied for each search
    int16_t capture[PIECE_COUNT][64][TYPE_COUNT + 1]; // man, to, what it takes
    PieceToHistory pawn[PAWN_HISTORY_SIZE];           // by pawn structure
    // By an earlier move (in check, capture, man, to); the man NO_PIECE stands for "no such move".
    PieceToHistory continuation[2][2][PIECE_COUNT + 1][64];

    // How wrong the evaluation has been, by side to move and features of the position.
    int16_t correct_pawn[2][CORRECTION_SIZE];
    int16_t correct_minor[2][CORRECTION_SIZE];
    int16_t correct_nonpawn[2][2][CORRECTION_SIZE]; // side to move, colour of the men
    PieceToHistory correct_continuation[PIECE_COUNT + 1][64];
} Histories;

struct Worker;
struct Node;

// Moves that were tried at a node and did not turn out best.
typedef struct Tried {
    Move moves[TRIED_MAX];
    int count;
} Tried;

// Moves an entry towards a bonus; the nearer the limit, the less.
static inline void history_add(int16_t *entry, int bonus, int limit)
{
    bonus = bonus > limit ? limit : bonus < -limit ? -limit : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / limit);
}

static inline int history_from_to(Move m)
{
    return m & 4095;
}

// The entry of a quiet move of that colour where the other side attacks these squares.
static inline int16_t *history_butterfly(Histories *h, Color color, Bitboard attacked, Move m)
{
    return &h->butterfly[color][attacked >> move_from(m) & 1][attacked >> move_to(m) & 1]
                        [history_from_to(m)];
}

static inline int16_t *history_capture(Histories *h, const Position *pos, Move m)
{
    Piece taken = position_captured(pos, m);
    int type = taken == NO_PIECE ? NO_CAPTURE : piece_type(taken);
    return &h->capture[pos->board[move_from(m)]][move_to(m)][type];
}

static inline PieceToHistory *history_pawn(Histories *h, const Position *pos)
{
    return &h->pawn[position_pawn_key(pos) % PAWN_HISTORY_SIZE];
}

// What has to be added to the evaluation here, by experience with positions like this one.
int history_correction(struct Worker *worker, const struct Node *node);

// The search found `difference` more (or less) than the evaluation said.
void history_correct(struct Worker *worker, const struct Node *node, int difference, int depth);

// The bonus of a move that was best at that depth.
int history_bonus(const struct Worker *worker, int depth);

// A quiet move made at `node` did well or badly: after the moves before it, and everywhere.
void history_add_continuations(struct Node *node, Piece piece, Square to, int bonus);
void history_add_quiet(struct Worker *worker, struct Node *node, Move move, int bonus);

// The best move of a fail-high gets better, those tried before it get worse.
void history_learn(struct Worker *worker, struct Node *node, Move best, const Tried *quiets,
                   const Tried *noisy, int depth, bool was_hash_move);

#endif
