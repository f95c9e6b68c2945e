// Every constant of the search in one list: name, default, least, greatest.
// In a normal build they are compile-time constants. In a tuning build (-DTUNE) they are fields of
// the Engine, set by engine_set_tunable and offered as UCI options.
#ifndef LOVAC_ENGINE_TUNABLES_H
#define LOVAC_ENGINE_TUNABLES_H

// clang-format off
#define TUNABLE_LIST(X) \
    /* aspiration windows */ \
    X(AspirationWindow,        14,    4,   50) \
    X(AspirationScoreDivisor, 12115, 3000, 30000) \
    X(AspirationGrowth,        41,   15,  150) \
    /* static evaluation and what hangs on it */ \
    X(NetScale,               116,   50,  200) /* percent of a network's centipawns */ \
    X(EvalHistoryWeight,       12,    0,   40) \
    X(EvalHistoryMax,        1042,  200, 3000) \
    X(EvalHistoryBase,         194, -500, 1000) \
    X(HindsightMargin,        175,   40,  500) \
    X(RazorBase,              282,   60,  700) \
    X(RazorDepthSquared,      186,   50,  500) \
    X(FutilityMargin,         138,   30,  200) \
    X(FutilityImproving,      153,   50,  300) /* percent of a margin */ \
    X(FutilityWorsening,       31,    0,  100) \
    X(FutilityCorrection,      55,    0,  200) \
    X(FutilityMaxDepth,         14,    6,   24) \
    X(NullMoveBase,           224,   64,  512) /* 1/64 ply */ \
    X(NullMoveDepth,           28,   10,   48) /* 1/64 ply for each of depth */ \
    X(NullMoveEvalDivisor,    198,   60,  500) \
    X(NullMoveMarginDepth,     16,    0,   60) \
    X(NullMoveMarginBase,     142,    0,  500) \
    X(NullMoveVerifyDepth,     14,    8,   30) \
    X(ImprovingMargin,          77,  -50,  300) \
    X(ProbCutMargin,          182,   50,  400) \
    X(ProbCutImproving,        46,    0,  200) \
    X(ProbCutHashMargin,      302,  100,  800) \
    /* move loop */ \
    X(MoveCountBase,            5,    0,   10) \
    X(MoveCountScale,          101,   40,  250) \
    X(CaptureFutilityBase,    173,    0,  500) \
    X(CaptureFutilityDepth,   143,   50,  500) \
    X(CaptureFutilityHistory,  63,   10,  200) \
    X(CaptureSeeDepth,         99,   20,  300) \
    X(CaptureSeeHistory,       43,   10,  120) \
    X(HistoryPruneDepth,     3873,  500, 9000) \
    X(HistoryDepthDivisor,   3542, 1000, 9000) \
    X(QuietFutilityBase,       76,    0,  300) \
    X(QuietFutilityDepth,      46,   20,  250) \
    X(QuietFutilityMaxDepth,    12,    4,   20) \
    X(QuietSeeDepthSquared,    46,    5,   60) \
    X(SingularMinDepth,         4,    4,   10) \
    X(SingularMargin,          59,   10,  150) \
    X(SingularMarginPv,        76,    0,  200) \
    X(SingularDoubleMargin,    14,    0,   60) \
    X(SingularDoublePv,       227,    0,  400) \
    X(SingularTripleMargin,    82,   20,  250) \
    X(SingularTriplePv,         59,    0,  300) \
    X(SingularQuiet,            11,    0,  250) \
    X(SingularDoubleMost,        3,    0,   20) /* on one line */ \
    /* late-move reductions, in 1/1024 ply */ \
    X(ReductionScale,        2176, 1000, 5000) /* of ln(i), hundredths of 1/32 */ \
    X(ReductionBase,         1989,    0, 3000) \
    X(ReductionWindow,        589,    0, 2000) \
    X(ReductionNotImproving,  356,    0, 1500) \
    X(ReductionPv,            939,    0, 3000) \
    X(ReductionHashPv,       1234,    0, 3000) \
    X(ReductionHashPvScore,   742,    0, 2000) \
    X(ReductionHashPvDepth,   802,    0, 2000) \
    X(ReductionPvNode,        1126,    0, 3000) \
    X(ReductionHashPvCut,      754,    0, 2500) \
    X(ReductionCutNode,      2231,    0, 5000) \
    X(ReductionCutNoHash,      955,    0, 3000) \
    X(ReductionHashCapture,   928,    0, 3000) \
    X(ReductionCutoffs,       916,    0, 3000) \
    X(ReductionAllCutoffs,     652,    0, 2500) \
    X(ReductionHashMove,     1932,    0, 4000) \
    X(ReductionMoveCount,      53,    0,  200) \
    X(ReductionCorrection,     22,    0,  120) \
    X(ReductionHistory,        88,   20,  300) /* 1/1024 ply for 1024 of history */ \
    X(ReductionHistoryBase,  3329,    0, 9000) \
    X(DeeperMargin,            50,    5,  120) \
    X(ShallowerMargin,          8,    0,   40) \
    X(FullDepthNoHash,        1104,    0, 3000) \
    X(FullDepthFirst,         3646, 1500, 7000) \
    X(FullDepthSecond,        5104, 2500, 9000) \
    /* history updates */ \
    X(BonusDepth,             132,   40,  400) \
    X(BonusBase,               97,    0,  400) \
    X(BonusMax,              1595,  400, 4000) \
    X(BonusHashMove,           202,    0,  800) \
    X(MalusDepth,             241,   40,  500) \
    X(MalusBase,               86,    0,  400) \
    X(MalusMax,              1832,  400, 4000) \
    X(BonusReduced,            890,    0, 3000) \
    X(BonusHeld,              1137,    0, 3000) \
    X(CorrectionPawn,         102,    0,  300) \
    X(CorrectionMinor,         81,    0,  300) \
    X(CorrectionNonPawn,      120,    0,  300) \
    X(CorrectionContinuation,  106,    0,  300) \
    X(CorrectionRate,            8,    2,   24) \
    /* move ordering */ \
    X(OrderCaptureVictim,      15,    4,   40) \
    X(OrderGoodCapture,        18,    6,   60) \
    X(OrderButterfly,          122,   32,  320) \
    X(OrderContinuation1,       67,   16,  160) \
    X(OrderContinuation2,       72,   16,  160) \
    X(OrderContinuation3,       32,    0,  120) \
    X(OrderContinuation4,       61,    0,  160) \
    X(OrderContinuation6,       48,    0,  160) \
    X(OrderLowPly,               8,    0,   24) \
    X(OrderCheck,           14324,    0, 40000) \
    X(OrderThreat,             23,    0,   60) \
    X(OrderGoodQuiet,        9510, 2000, 30000) \
    X(OrderSortDepth,        3361,  500, 10000) \
    /* quiescence */ \
    X(QuietFutility,          161,   50,  500) \
    X(QuietSee,                63,    0,  200) \
    /* a switch for each step of the search, to measure what it is worth: bench/steps.sh */ \
    X(UseAspiration,           1, 0, 1) /* Step A */ \
    X(UseQuiescence,           1, 0, 1) /* Step 1 */ \
    X(UseMateDistance,         1, 0, 1) /* Step 3 */ \
    X(UseRepetitionAhead,      1, 0, 1) /* Step 4 */ \
    X(UseHashCutoff,           1, 0, 1) /* Step 5 */ \
    X(UseCorrection,           1, 0, 1) /* Step 6a */ \
    X(UseHashEval,             1, 0, 1) /* Step 6b */ \
    X(UseEvalHistory,          1, 0, 1) /* Step 6c */ \
    X(UseHindsight,            1, 0, 1) /* Step 7 */ \
    X(UseRazoring,             1, 0, 1) /* Step 8 */ \
    X(UseReverseFutility,      1, 0, 1) /* Step 9 */ \
    X(UseNullMove,             1, 0, 1) /* Step 10 */ \
    X(UseInternalReduction,    1, 0, 1) /* Step 11 */ \
    X(UseProbCut,              1, 0, 1) /* Step 12 */ \
    X(UseHashProbCut,          1, 0, 1) /* Step 13 */ \
    X(UseMoveCount,            1, 0, 1) /* Step 15a */ \
    X(UseCaptureFutility,      1, 0, 1) /* Step 15b */ \
    X(UseCaptureSee,           1, 0, 1) /* Step 15c */ \
    X(UseHistoryPruning,       1, 0, 1) /* Step 15d */ \
    X(UseQuietFutility,        1, 0, 1) /* Step 15e */ \
    X(UseQuietSee,             1, 0, 1) /* Step 15f */ \
    X(UseSingular,             1, 0, 1) /* Step 16 */ \
    X(UseDoubleExtension,      1, 0, 1) /* Step 16a */ \
    X(UseMultiCut,             1, 0, 1) /* Step 16b */ \
    X(UseNegativeExtension,    1, 0, 1) /* Step 16c */ \
    X(UseReductions,           1, 0, 1) /* Step 18 */ \
    X(UseDeeper,               1, 0, 1) /* Step 18a */ \
    X(UseAlphaReduction,       1, 0, 1) /* Step 21a */ \
    X(UseCaptureHistory,       1, 0, 1) /* Step O1 */ \
    X(UseButterfly,            1, 0, 1) /* Step O2 */ \
    X(UseContinuation,         1, 0, 1) /* Step O3 */ \
    X(UseLowPly,               1, 0, 1) /* Step O4 */ \
    X(UseOrderChecks,          1, 0, 1) /* Step O5 */ \
    X(UseOrderThreats,         1, 0, 1) /* Step O6 */ \
    X(UseQuietHash,            1, 0, 1) /* Step Q2 */ \
    X(UseQuietDelta,           1, 0, 1) /* Step Q5 */ \
    X(UseQuietExchange,        1, 0, 1) /* Step Q6 */
// clang-format on

typedef struct TunableInfo {
    const char *name;
    int value, least, greatest; // the default and its range
} TunableInfo;

// The list as data, ended by a NULL name; the same in both builds.
extern const TunableInfo TUNABLE_INFO[];

typedef struct Tunables {
#define X(name, value, least, greatest) int name;
    TUNABLE_LIST(X)
#undef X
} Tunables;

// The defaults.
extern const Tunables TUNABLE_DEFAULTS;

#ifdef TUNE
#define TUNED(owner, name) ((owner)->tunables->name)
#else
enum {
#define X(name, value, least, greatest) TUNABLE_##name = value,
    TUNABLE_LIST(X)
#undef X
};
#define TUNED(owner, name) ((void)(owner), TUNABLE_##name)
#endif

#endif
