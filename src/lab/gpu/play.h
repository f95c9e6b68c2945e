// What the host and the warps share: the net as the GPU reads it, a job of games, records and
// counters.
#ifndef LOVAC_LAB_GPU_PLAY_H
#define LOVAC_LAB_GPU_PLAY_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/gpu/tables.h"

enum {
    PLAY_KING_BUCKETS = 4, // most that a net may have
    LAYERS_WIDTH = 384,    // of the kernel for nets with layers
    SEARCH_PLIES = 40,     // deepest line
    MOVE_ROOM = 384,       // moves of all plies of a line
    HASH_BITS = 14,        // entries of a warp's hash table
    GAME_PLIES = 400,      // longer games are drawn
    GAME_RECORDS = 400,    // most positions kept of a game
    EVAL_LIMIT = 6000,     // centipawns
    SCORE_MATE = 30000,
    SCORE_INFINITE = 31000,
    SCORE_MATE_BOUND = SCORE_MATE - 200, // beyond it a score counts plies to mate
};

// A net of the kernel's width in GPU memory (or, for the emulator, in the host's).
typedef struct DeviceNet {
    const uint32_t *feature; // [bias_row + 1][WIDTH / 2] encoded rows; the last is the bias, raised
    const uint32_t *output;  // [8][2][WIDTH / 4] signed bytes
    const uint32_t *threat; // [NNUE_THREATS + 1][WIDTH / 4] bytes raised by 128, the last row empty
    const uint32_t *layers; // [8][layer_words], see encode.h; NULL: a net with one output
    int32_t layer_words;
    int32_t output_bias[8];
    int32_t multiplier;
    int32_t bias_row;      // 768 for each king bucket
    uint64_t king_buckets; // two bits for each square of files a to d, turned and mirrored
} DeviceNet;

// A position that was searched in a game: men by lane as inputs of White's unmirrored view
// (colour * 384 + type * 64 + square, RECORD_NO_MAN for none), and one word:
// score for the side to move (16 bits) | result << 16 | side to move << 18 | (men - 1) << 19 |
// what the game's later scores and result came to for the side to move, in LATER_STEPs << 24. A
// position beside the game has no result but its score: RESULT_OPEN with LATER_NONE.
enum {
    RECORD_NO_MAN = 768,
    RESULT_WHITE_WINS = 0,
    RESULT_BLACK_WINS = 1,
    RESULT_DRAWN = 2,
    RESULT_OPEN = 3,
    LATER_STEP = 5,    // centipawns
    LATER_LIMIT = 600, // a won game, or a score as good
    LATER_NONE = -128
};

typedef struct RecordBuffer {
    uint16_t *men; // [capacity][32]
    uint32_t *meta;
    uint32_t *counter; // records ever written; the place is counter modulo capacity
    uint32_t capacity;
} RecordBuffer;

typedef struct WarpStats {
    uint64_t nodes;
    uint64_t signature; // of all moves and scores: equal on the GPU and the emulator
    uint32_t searches, depth_sum, games, plies, kept, openings_refused;
    uint32_t results[3];   // White, Black, drawn
    uint32_t by_player[3]; // matches: won, lost, drawn by player 0
    uint32_t pairs[5];     // matches: pairs of games by points of player 0: 0, 1/2, 1, 3/2, 2
} WarpStats;

typedef struct PlayJob {
    const Tables *tables;
    const struct NnueThreatTables *threats;
    DeviceNet net[2];
    uint32_t nodes[2];    // for each move, by player
    uint32_t quick_nodes; // self-play: for moves whose positions are not kept; 0: as for all
    uint32_t every;       // self-play: one move in so many is kept; 0, 1: all
    uint32_t beside;      // percent of these for which a position one random move away is kept
    uint32_t options[2];  // search options, by player (see search.h)
    bool is_match;        // two players; else player 0 plays itself and records are kept
    uint32_t max_games;   // each warp; 0: no limit
    uint32_t max_searches;
    uint64_t duration_ns; // 0: no limit
    uint64_t seed;
    int random_plies;  // and one more in half of the games
    int opening_limit; // centipawns: openings beyond are refused; 0: none
    int record_from_ply;
    RecordBuffer records[2]; // training, and validation (every 64th game)
    void *scratch;           // [warps] WarpScratch of the kernel's width
    WarpStats *stats;        // [warps]
} PlayJob;

enum {
    LINE_ROOM = GAME_PLIES + SEARCH_PLIES + 8,
    PAIR_ROW = 384,  // type * 64 + square
    PAIR_NONE = 384, // the row after a null move and at the start of a game
    PAIR_ROWS = 385,
};

typedef struct SavedBoard {
    uint64_t white, black, hash;
    int32_t side, castling, en_passant, fifty;
    uint16_t men[32]; // by lane
} SavedBoard;

// What a warp remembers of its game between searches: kept in memory, not in registers.
typedef struct GameState {
    SavedBoard board;
    int32_t phase, number, ply, kept, last_played, tries;
    int32_t is_full;                // the next search is one to keep
    int32_t is_beside;              // it looks at a position beside the game, and goes back then
    int32_t game_played;            // last_played of the game meanwhile
    int32_t searched;               // plies with a score, the opening's counted in
    int32_t first_points;           // matches: of player 0 in the first game of the pair
    int32_t won_plies, drawn_plies; // of agreement about the result
    uint64_t random, opening;       // state now, and before the opening
    uint64_t begin_ns;
    WarpStats stats;
} GameState;

// Memory of one warp, in one piece so that one pointer reaches everything.
typedef struct WarpScratch {
    GameState game __attribute__((aligned(16)));
    SavedBoard aside; // the game's board while a position beside it is looked at
    uint64_t hash[2][1 << HASH_BITS] __attribute__((aligned(16))); // by player
    uint64_t line[LINE_ROOM];               // hashes of the game's positions, then of the line's
    int16_t pairs[2][PAIR_ROWS * PAIR_ROW]; // histories of moves after moves, by player
    uint32_t kept[GAME_RECORDS];            // places of this game's records ...
    int16_t kept_ply[GAME_RECORDS];         // ... and their plies
    int16_t scores[GAME_PLIES];             // of this game's searches, White's, limited
    int32_t whole_score;                    // of the search's last whole iteration
    // A slot of SLOT_WORDS for each ply.
    uint32_t accumulators[SEARCH_PLIES * 1024] __attribute__((aligned(16)));
} WarpScratch;

// Accumulators are read and written sixteen bytes at a time.
static_assert(offsetof(WarpScratch, accumulators) % 16 == 0 && sizeof(WarpScratch) % 16 == 0,
              "the memory of a warp is laid out for vectors");

#endif
