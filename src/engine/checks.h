// Which moves give check, told without making them: filled once for a node, asked for each of its
// moves.
#ifndef LOVAC_ENGINE_CHECKS_H
#define LOVAC_ENGINE_CHECKS_H

#include <string.h>

#include "core/position.h"

// Squares from which men of each kind check the other king, and our men that stand in the way of
// others.
typedef struct CheckMap {
    Bitboard squares[TYPE_COUNT], discoverers;
    Square king;
} CheckMap;

// For the side to move; without another king nothing checks.
static inline void check_map_fill(CheckMap *map, const Position *pos)
{
    Color us = pos->side, them = !us;
    if (!position_has_king(pos, them)) {
        memset(map, 0, sizeof *map);
        return;
    }
    Square king = map->king = position_king(pos, them);
    Bitboard occupied = position_occupied(pos);
    map->squares[PAWN] = position_pawn_attacks(pos->rules, them, king);
    map->squares[KNIGHT] = KNIGHT_ATTACKS[king];
    map->squares[BISHOP] = bishop_attacks(king, occupied);
    map->squares[ROOK] = rook_attacks(king, occupied);
    map->squares[QUEEN] = map->squares[BISHOP] | map->squares[ROOK];
    map->squares[KING] = 0;
    map->discoverers = position_blockers(pos, them) & pos->by_color[us];
}

// Does a pseudo-legal move give check?
static inline bool check_map_gives_check(const CheckMap *map, const Position *pos, Move m)
{
    int kind = move_kind(m);
    if (kind == KIND_CASTLE || kind == KIND_EN_PASSANT || kind >= KIND_PROMOTION)
        return position_gives_check(pos, m);
    Bitboard to = square_bit(move_to(m));
    if (map->squares[piece_type(pos->board[move_from(m)])] & to)
        return true;
    return (map->discoverers & square_bit(move_from(m))) && !(LINE[move_from(m)][map->king] & to);
}

#endif
