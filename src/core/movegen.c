// Move generation: one always-inline generator, instantiated for lists or counting, legal or
// pseudo-legal, chess or any rules. Pawns go as sets; a pinned pawn goes as a set of one.
#include "core/movegen.h"

#include "core/movegen_avx512.h"
#include "core/position_int.h"

// Where moves go: into a list, or only into a count.
typedef struct Sink {
    Move *list; // next free place
    int count;  // when counting only
} Sink;

// What a call generates; constants in every instance.
typedef struct Mode {
    bool legal, counting;
    MoveStage stage;
} Mode;

INLINE void emit(Sink *sink, Mode mode, Square from, Square to, int kind)
{
    if (mode.counting)
        sink->count++;
    else
        *sink->list++ = move_make(from, to, kind);
}

// All moves of a man to a set of squares, captures where enemies stand.
INLINE void emit_targets(Sink *sink, Mode mode, Square from, Bitboard targets, Bitboard enemies)
{
    if (mode.counting) {
        sink->count += bit_count(targets);
        return;
    }
    while (targets) {
        Square to = bit_pop(&targets);
        *sink->list++ = move_make(from, to, (int)(enemies >> to & 1) * KIND_CAPTURE);
    }
}

// Pawn moves that went `step` to each target square.
INLINE void emit_pawns(Sink *sink, Mode mode, Bitboard targets, int step, int kind)
{
    if (mode.counting) {
        sink->count += bit_count(targets);
        return;
    }
    while (targets) {
        Square to = bit_pop(&targets);
        *sink->list++ = move_make(to - step, to, kind);
    }
}

// Promotions: a queen by a step is noisy, other pieces by a step are quiet, captures are noisy.
INLINE void emit_promotions(Sink *sink, Mode mode, Bitboard targets, int step, int kind)
{
    bool queen = (kind & KIND_CAPTURE) || (mode.stage & STAGE_NOISY);
    bool others = (kind & KIND_CAPTURE) || (mode.stage & STAGE_QUIET);
    if (mode.counting) {
        sink->count += 4 * bit_count(targets);
        return;
    }
    while (targets) {
        Square to = bit_pop(&targets);
        if (queen)
            *sink->list++ = move_make(to - step, to, kind + QUEEN - KNIGHT);
        if (others)
            for (PieceType t = ROOK; t >= KNIGHT; t--)
                *sink->list++ = move_make(to - step, to, kind + t - KNIGHT);
    }
}

// Moves of a set of pawns onto squares of `mask`, en passant apart.
INLINE void pawn_moves(const Position *pos, const Rules *rules, Sink *sink, Mode mode, Color us,
                       Bitboard pawns, Bitboard mask)
{
    Bitboard empty = ~position_occupied(pos), enemies = pos->by_color[!us],
             zone = rules->promotion_zone[us];
    int step = rules->pawn_step[us];
    if (!rules->must_capture) {
        Bitboard one = bitboard_shift(pawns, step) & empty;
        if (mode.stage & STAGE_QUIET) {
            Bitboard from = bitboard_shift(pawns & rules->pawn_double_from[us], step) & empty;
            emit_pawns(sink, mode, one & mask & ~zone, step, KIND_QUIET);
            emit_pawns(sink, mode, bitboard_shift(from, step) & empty & mask, 2 * step,
                       KIND_DOUBLE_STEP);
        }
        if (one & mask & zone)
            emit_promotions(sink, mode, one & mask & zone, step, KIND_PROMOTION);
    }
    if (mode.stage & STAGE_NOISY)
        for (int i = 0; i < 2; i++) {
            int direction = rules->pawn_capture[us][i];
            Bitboard takes = bitboard_shift(pawns, direction) & enemies & mask;
            emit_pawns(sink, mode, takes & ~zone, direction, KIND_CAPTURE);
            if (takes & zone)
                emit_promotions(sink, mode, takes & zone, direction, KIND_PROMOTION_CAPTURE);
        }
}

INLINE void en_passant_moves(const Position *pos, const Rules *rules, Sink *sink, Mode mode,
                             Color us, Bitboard mask)
{
    Square target = pos->state.en_passant;
    Bitboard victim = square_bit(target - rules->pawn_step[us]);
    if (!mode.legal && !(mask & (victim | square_bit(target))))
        return; // in check from elsewhere
    Bitboard takers = pawn_attacks(rules, !us, target) & position_men(pos, us, PAWN);
    while (takers) {
        Square from = bit_pop(&takers);
        if (!mode.legal || en_passant_is_safe(pos, rules, us, from, target))
            emit(sink, mode, from, target, KIND_EN_PASSANT);
    }
}

// All pawn moves.
INLINE void all_pawn_moves(const Position *pos, const Rules *rules, Sink *sink, Mode mode, Color us,
                           Bitboard mask)
{
    Bitboard pawns = position_men(pos, us, PAWN);
    Bitboard pinned = mode.legal ? pawns & pos->state.pinned : 0;
    pawn_moves(pos, rules, sink, mode, us, pawns ^ pinned, mask);
    while (pinned) {
        Square s = bit_pop(&pinned);
        pawn_moves(pos, rules, sink, mode, us, square_bit(s),
                   mask & LINE[position_king(pos, us)][s]);
    }
    if ((mode.stage & STAGE_NOISY) && pos->state.en_passant != NO_SQUARE)
        en_passant_moves(pos, rules, sink, mode, us, mask);
}

// Are the squares that king and rook cross or reach free of other men?
INLINE bool castle_is_clear(const Position *pos, Square king, Square rook)
{
    Square king_to = castle_king_to(king, rook), rook_to = castle_rook_to(king, rook);
    Bitboard way =
        BETWEEN[king][king_to] | square_bit(king_to) | BETWEEN[rook][rook_to] | square_bit(rook_to);
    return !(way & position_occupied(pos) & ~(square_bit(king) | square_bit(rook)));
}

// Does the king neither cross nor reach an attacked square? (It does not stand in check.)
INLINE bool castle_is_safe(const Position *pos, const Rules *rules, Square king, Square rook)
{
    Color us = pos->side;
    Bitboard enemies = pos->by_color[!us], occupied = position_occupied(pos) ^ square_bit(king);
    Square king_to = castle_king_to(king, rook);
    for (Bitboard way = BETWEEN[king][king_to] | square_bit(king_to); way;)
        if (is_attacked(pos, rules, bit_pop(&way), !us, enemies, occupied))
            return false;
    // the rook may have shielded the king's goal
    occupied = (occupied ^ square_bit(rook)) | square_bit(castle_rook_to(king, rook));
    return !is_attacked(pos, rules, king_to, !us, enemies, occupied);
}

// Of the squares a king could step on, those the enemy does not attack.
INLINE Bitboard safe_steps(const Position *pos, const Rules *rules, Mode mode, Color us,
                           Square king, Bitboard steps)
{
#ifdef HAVE_VECTOR_COUNT
    if (mode.counting && rules->is_orthodox)
        return steps ? steps & ~attack_map(pos, !us, square_bit(king)) : 0;
#endif
    (void)mode;
    Bitboard safe = 0, occupied = position_occupied(pos) ^ square_bit(king);
    while (steps) {
        Square to = bit_pop(&steps);
        if (!is_attacked(pos, rules, to, !us, pos->by_color[!us], occupied))
            safe |= square_bit(to);
    }
    return safe;
}

INLINE void king_moves(const Position *pos, const Rules *rules, Sink *sink, Mode mode, Color us,
                       Bitboard mask)
{
    Square king = position_king(pos, us);
    Bitboard steps = KING_ATTACKS[king] & mask;
    if (mode.legal)
        steps = safe_steps(pos, rules, mode, us, king, steps);
    emit_targets(sink, mode, king, steps, pos->by_color[!us]);
    if (!(mode.stage & STAGE_QUIET) || pos->state.checkers)
        return;
    for (Bitboard rooks = pos->state.castling & pos->by_color[us]; rooks;) {
        Square rook = bit_pop(&rooks);
        if (castle_is_clear(pos, king, rook) &&
            (!mode.legal || castle_is_safe(pos, rules, king, rook)))
            emit(sink, mode, king, rook, KIND_CASTLE);
    }
}

// Moves of the knights, bishops, rooks and queens in `free` onto squares of `mask`.
INLINE void free_piece_moves(const Position *pos, Sink *sink, Mode mode, Color us, Bitboard free,
                             Bitboard mask)
{
#ifdef HAVE_VECTOR_COUNT
    if (mode.counting) {
        sink->count += count_piece_moves(pos, free, mask);
        return;
    }
#endif
    const Bitboard *t = pos->by_type;
    Bitboard enemies = pos->by_color[!us], occupied = position_occupied(pos);
    for (Bitboard b = t[KNIGHT] & free; b;) {
        Square s = bit_pop(&b);
        emit_targets(sink, mode, s, KNIGHT_ATTACKS[s] & mask, enemies);
    }
    for (Bitboard b = (t[BISHOP] | t[QUEEN]) & free; b;) {
        Square s = bit_pop(&b);
        emit_targets(sink, mode, s, bishop_attacks(s, occupied) & mask, enemies);
    }
    for (Bitboard b = (t[ROOK] | t[QUEEN]) & free; b;) {
        Square s = bit_pop(&b);
        emit_targets(sink, mode, s, rook_attacks(s, occupied) & mask, enemies);
    }
}

// The same with pins: a pinned slider keeps to its line, a pinned knight cannot move.
INLINE void piece_moves(const Position *pos, Sink *sink, Mode mode, Color us, Bitboard mask)
{
    const Bitboard *t = pos->by_type;
    Bitboard pinned = mode.legal ? pos->state.pinned : 0;
    free_piece_moves(pos, sink, mode, us, pos->by_color[us] & ~pinned, mask);
    for (Bitboard b = pinned & (t[BISHOP] | t[ROOK] | t[QUEEN]); b;) {
        Square s = bit_pop(&b);
        Bitboard attacks = piece_attacks(piece_type(pos->board[s]), s, position_occupied(pos));
        emit_targets(sink, mode, s, attacks & mask & LINE[position_king(pos, us)][s],
                     pos->by_color[!us]);
    }
}

// Squares of a stage: enemies, empty ones or both.
INLINE Bitboard stage_mask(const Position *pos, const Rules *rules, MoveStage stage, Color us)
{
    Bitboard mask = 0;
    if (stage & STAGE_NOISY)
        mask |= pos->by_color[!us];
    if ((stage & STAGE_QUIET) && !rules->must_capture)
        mask |= ~position_occupied(pos);
    return mask;
}

// In check, the squares on which another man than the king can answer it.
INLINE Bitboard check_mask(const Position *pos, Color us)
{
    Bitboard checkers = pos->state.checkers;
    if (!checkers)
        return ~0ull;
    if (bit_many(checkers))
        return 0;
    return checkers | BETWEEN[position_king(pos, us)][bit_first(checkers)];
}

// The generator for one side.
INLINE void generate_side(const Position *pos, const Rules *rules, Sink *sink, Mode mode, Color us)
{
    Bitboard mask = stage_mask(pos, rules, mode.stage, us), answers = check_mask(pos, us);
    if (answers) {
        // Pawns promote onto empty squares in the noisy stage too: they choose by stage themselves.
        all_pawn_moves(pos, rules, sink, mode, us, answers);
        piece_moves(pos, sink, mode, us, mask & answers);
    }
    if (rules->is_orthodox || position_has_king(pos, us))
        king_moves(pos, rules, sink, mode, us, mask);
}

// Two instances, in which the colour is a constant and pawn shifts fold.
INLINE void generate(const Position *pos, const Rules *rules, Sink *sink, Mode mode)
{
    if (pos->side == WHITE)
        generate_side(pos, rules, sink, mode, WHITE);
    else
        generate_side(pos, rules, sink, mode, BLACK);
}

// One list instance for each stage, so that the stage folds.
INLINE int generate_list(const Position *pos, const Rules *rules, MoveStage stage, bool legal,
                         Move *list)
{
    Sink sink = {.list = list};
    switch (stage) {
    case STAGE_NOISY:
        generate(pos, rules, &sink, (Mode){.legal = legal, .stage = STAGE_NOISY});
        break;
    case STAGE_QUIET:
        generate(pos, rules, &sink, (Mode){.legal = legal, .stage = STAGE_QUIET});
        break;
    default: generate(pos, rules, &sink, (Mode){.legal = legal, .stage = STAGE_ALL}); break;
    }
    return (int)(sink.list - list);
}

INLINE int generate_count(const Position *pos, const Rules *rules)
{
    Sink sink = {0};
    generate(pos, rules, &sink, (Mode){.legal = true, .counting = true, .stage = STAGE_ALL});
    return sink.count;
}

int movegen_legal(const Position *pos, MoveStage stage, Move *list)
{
    return WITH_RULES(pos, generate_list(pos, &ORTHODOX_RULES, stage, true, list),
                      generate_list(pos, pos->rules, stage, true, list));
}

int movegen_pseudo(const Position *pos, MoveStage stage, Move *list)
{
    return WITH_RULES(pos, generate_list(pos, &ORTHODOX_RULES, stage, false, list),
                      generate_list(pos, pos->rules, stage, false, list));
}

int movegen_count(const Position *pos)
{
    return WITH_RULES(pos, generate_count(pos, &ORTHODOX_RULES), generate_count(pos, pos->rules));
}

bool movegen_any(const Position *pos)
{
    return movegen_count(pos) > 0;
}

// The pseudo-legality of a pawn's move that is not en passant.
static bool pawn_move_is_pseudo_legal(const Position *pos, Move move, Bitboard answers)
{
    const Rules *rules = pos->rules;
    Color us = pos->side;
    Square from = move_from(move), to = move_to(move);
    Bitboard target = square_bit(to), empty = ~position_occupied(pos);
    int kind = move_kind(move);
    if (move_is_promotion(move) != (bool)(rules->promotion_zone[us] & target))
        return false;
    if (kind & KIND_CAPTURE)
        return pawn_attacks(rules, us, from) & target & pos->by_color[!us] & answers;
    if (rules->must_capture)
        return false;
    Bitboard one = bitboard_shift(square_bit(from), rules->pawn_step[us]) & empty;
    if (kind == KIND_DOUBLE_STEP)
        return (rules->pawn_double_from[us] & square_bit(from)) &&
               (bitboard_shift(one, rules->pawn_step[us]) & empty & target & answers);
    return one & target & answers;
}

bool move_is_pseudo_legal(const Position *pos, Move move)
{
    Color us = pos->side;
    Square from = move_from(move), to = move_to(move);
    Piece piece = pos->board[from];
    int kind = move_kind(move);
    if (piece == NO_PIECE || piece_color(piece) != us || kind == 3 || kind == 6 || kind == 7)
        return false;
    PieceType type = piece_type(piece);
    Bitboard target = square_bit(to), answers = check_mask(pos, us);
    if (kind == KIND_CASTLE)
        return type == KING && !pos->state.checkers &&
               (pos->state.castling & pos->by_color[us] & target) && castle_is_clear(pos, from, to);
    if (kind == KIND_EN_PASSANT)
        return type == PAWN && to == pos->state.en_passant &&
               (pawn_attacks(pos->rules, us, from) & target) &&
               (answers & (target | square_bit(to - pos->rules->pawn_step[us])));
    if (type == PAWN)
        return pawn_move_is_pseudo_legal(pos, move, answers);
    if (kind != KIND_QUIET && kind != KIND_CAPTURE)
        return false;
    if (kind == KIND_CAPTURE ? !(pos->by_color[!us] & target)
                             : (pos->rules->must_capture || pos->board[to] != NO_PIECE))
        return false;
    if (type != KING && !(answers & target))
        return false;
    return piece_attacks(type, from, position_occupied(pos)) & target;
}

INLINE bool is_legal(const Position *pos, const Rules *rules, Move move)
{
    Color us = pos->side;
    Square from = move_from(move), to = move_to(move);
    if (!rules->is_orthodox && !position_has_king(pos, us))
        return true;
    if (move_kind(move) == KIND_EN_PASSANT)
        return en_passant_is_safe(pos, rules, us, from, to);
    Square king = position_king(pos, us);
    if (move_kind(move) == KIND_CASTLE)
        return castle_is_safe(pos, rules, from, to);
    if (from == king)
        return !is_attacked(pos, rules, to, !us, pos->by_color[!us],
                            position_occupied(pos) ^ square_bit(king));
    return !(pos->state.pinned & square_bit(from)) || (LINE[king][from] & square_bit(to));
}

bool move_is_legal(const Position *pos, Move move)
{
    return WITH_RULES(pos, is_legal(pos, &ORTHODOX_RULES, move), is_legal(pos, pos->rules, move));
}
