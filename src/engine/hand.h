// The hand-written evaluation: a sum of readable terms, each a count times a weight for the middle
// game and one for the endgame. All weights stand in one flat table, so that a tuner can walk it;
// hand_trace gives the counts. One piece of code serves all games; what differs is data
// (HandSetup): pawn geometry, weights, which terms apply.
#ifndef LOVAC_ENGINE_HAND_H
#define LOVAC_ENGINE_HAND_H

#include "core/position.h"
#include "engine/score.h"

// The terms and how many weights each has. Ranks and squares are counted from the man's own side.
// clang-format off
#define HAND_TERMS(X) \
    X(MATERIAL,          6) /* by type */ \
    X(SQUARE,          384) /* type * 64 + square */ \
    X(TEMPO,             1) /* to move */ \
    X(BISHOP_PAIR,       1) \
    X(KNIGHT_PAWNS,      1) /* own pawns, for each knight */ \
    X(ROOK_PAWNS,        1) \
    X(MOBILITY_KNIGHT,   9) /* by the number of squares it can safely go to */ \
    X(MOBILITY_BISHOP,  14) \
    X(MOBILITY_ROOK,    15) \
    X(MOBILITY_QUEEN,   28) \
    X(CONTROL,           3) /* squares defended more often than attacked: own half, centre, other half */ \
    X(SPACE,             1) \
    /* pawns */ \
    X(PAWN_DOUBLED,      1) \
    X(PAWN_ISOLATED,     2) /* not on an open line, on an open one */ \
    X(PAWN_BACKWARD,     2) /* the same */ \
    X(PAWN_BLOCKED,      1) \
    X(PAWN_GUARDED,      8) /* by rank */ \
    X(PAWN_PHALANX,      8) \
    X(PAWN_CANDIDATE,    8) \
    X(PAWN_ALL_EIGHT,    1) \
    X(PAWN_WING,         1) /* on the fortress wing */ \
    X(PASSED,            8) /* by rank */ \
    X(PASSED_GUARDED,    8) \
    X(PASSED_BLOCKED,    8) \
    X(PASSED_SAFE_STEP,  8) \
    X(PASSED_SAFE_PATH,  8) \
    X(PASSED_OWN_KING,   8) /* by distance of the square before it */ \
    X(PASSED_OTHER_KING, 8) \
    X(PASSED_KING_RANK,  2) /* the same two, distance times how far it has come */ \
    /* men */ \
    X(KNIGHT_OUTPOST,    2) /* free, guarded by a pawn */ \
    X(BISHOP_OUTPOST,    2) \
    X(MINOR_SHIELDED,    1) /* behind a pawn */ \
    X(BISHOP_PAWNS,      1) /* own pawns on its colour */ \
    X(BISHOP_LONG,       1) /* sees both central squares of a long diagonal */ \
    X(BISHOP_LANE,       1) /* on the diagonals along which pawns step, where they do */ \
    X(ROOK_OPEN,         1) \
    X(ROOK_HALF_OPEN,    1) \
    X(ROOK_SEVENTH,      1) \
    X(ROOK_BEHIND,       1) /* behind a passed pawn */ \
    X(CASTLING,          1) /* a right to castle */ \
    X(CAPTURES,          1) /* moves, in a game of captures only */ \
    /* king */ \
    X(SHELTER,          24) /* line (king's, inner, outer) * 8 + rank of the own pawn */ \
    X(STORM,            24) /* the same for the nearest enemy pawn */ \
    X(KING_OPEN,         2) /* half open, open line at the king */ \
    X(KING_DANGER,      64) /* by units of attack on it; see danger_units */ \
    X(KING_PAWN_NEAR,    8) /* distance to the nearest pawn */ \
    /* threats */ \
    X(THREAT_PAWN,       6) /* by the type attacked */ \
    X(THREAT_MINOR,      6) \
    X(THREAT_ROOK,       6) \
    X(THREAT_KING,       1) \
    X(THREAT_QUEEN,      1) /* safe squares from which a lesser man would attack the queen */ \
    X(HANGING,           1) \
    X(PAWN_PUSH,         1) /* a safe step that attacks something */ \
    X(RESTRICTED,        1) /* squares the other side attacks but cannot hold */
// clang-format on

enum {
#define X(name, count) TERM_##name, TERM_##name##_LAST = TERM_##name + (count)-1,
    HAND_TERMS(X)
#undef X
        TERM_COUNT
};

// A pair of weights, endgame in the upper half, so that one addition adds both.
typedef int32_t Weight;

#define WEIGHT(mg, eg) ((Weight)((uint32_t)(eg) << 16) + (mg))
static inline int weight_mg(Weight w)
{
    return (int16_t)(uint16_t)(uint32_t)w;
}
static inline int weight_eg(Weight w)
{
    return (int16_t)(uint16_t)((uint32_t)(w + 0x8000) >> 16);
}

enum { PHASE_MAX = 24, SCALE_MAX = 64 };

typedef struct HandTermInfo {
    const char *name;
    int first, count; // in the table of weights
} HandTermInfo;

// The terms as data, ended by a NULL name.
extern const HandTermInfo HAND_TERM_INFO[];

// Which way pawns go and what stands in their way, for one set of rules.
typedef struct PawnGeometry {
    Bitboard path[2][64];     // squares to promotion
    Bitboard stoppers[2][64]; // enemy pawns here keep it from being passed
    Bitboard lane[2][64];     // squares on its line, before and behind
    Bitboard beside[2][64];   // the neighbouring lines
    Bitboard helpers[2][64];  // on them, not further than itself
    Bitboard guards[2][64];   // from here an own pawn guards it
    Bitboard phalanx[2][64];  // beside it, equally far
    uint8_t rank[2][64];      // how far it has come, 0..7
} PawnGeometry;

// The evaluation of one game.
typedef struct HandSetup {
    const Rules *rules;
    PawnGeometry geometry;
    Weight weights[2][TERM_COUNT]; // by colour: the sides may differ
    int flip[2];                   // xor that turns a square to its owner's point of view
    bool has_shelter;              // pawns step along files
    bool is_capture_game;
    Bitboard wing[2]; // fortress
    Bitboard lanes;   // diagonals along which pawns step, the middle ones
} HandSetup;

// The set-up of a game; made once per process, read-only. Safe from any thread.
const HandSetup *hand_setup(const Rules *rules);

// A copy with other weights, for tuning; `weights` is used for both colours.
void hand_setup_with(HandSetup *setup, const Rules *rules, const Weight weights[TERM_COUNT]);

enum { PAWN_CACHE_SIZE = 4096 };

typedef struct PawnEntry {
    Key key; // 0: empty
    Weight score[2];
    Bitboard passed;
} PawnEntry;

typedef struct PawnCache {
    const HandSetup *setup; // that the entries belong to
    PawnEntry entries[PAWN_CACHE_SIZE];
} PawnCache;

// How a value came about: value = (mg * phase + eg * (PHASE_MAX - phase) * scale / SCALE_MAX) /
// PHASE_MAX, for White, where mg and eg sum count * weight, White's less Black's; `extra` is added
// (mating a bare king).
typedef struct HandTrace {
    int16_t counts[2][TERM_COUNT];
    int phase, scale, extra;
    int value; // for White
} HandTrace;

// Centipawns for the side to move. `cache` may be NULL.
int hand_evaluate(const HandSetup *setup, PawnCache *cache, const Position *pos);

// The same, with all counts.
int hand_trace(const HandSetup *setup, const Position *pos, HandTrace *trace);

#endif
