// May the men of a set-up stand as they do? Kings, pawns, numbers of men, and the king that could
// be taken. The numbers follow from the start position of the game, so a new variant needs nothing
// here. There is no test for too many moves: within these numbers no position of any game exceeds
// MAX_MOVES.
#include "core/position.h"
#include "core/symmetry.h"

#include <string.h>

static const char *const COLOR_NAMES[2] = {"white", "black"};
static const char *const TYPE_NAMES[TYPE_COUNT] = {"pawn", "knight", "bishop",
                                                   "rook", "queen",  "king"};

// How many men of each type a side begins the game with.
static void count_start(const Rules *rules, Color c, int count[TYPE_COUNT])
{
    const char *letters = c == WHITE ? "PNBRQK" : "pnbrqk";
    memset(count, 0, sizeof(int) * TYPE_COUNT);
    for (const char *p = rules->start_fen; *p && *p != ' '; p++) {
        const char *letter = strchr(letters, *p);
        if (letter)
            count[letter - letters]++;
    }
}

static bool has_right_kings(const Position *pos, Color c, Error *error)
{
    int kings = bit_count(position_men(pos, c, KING)), wanted = pos->rules->has_king[c];
    if (kings == wanted)
        return true;
    if (!wanted)
        return error_code(error, "king-unknown",
                          "board: {side:%s} has a king, which this game does not know",
                          COLOR_NAMES[c]);
    return kings
               ? error_code(error, "kings-many", "board: {side:%s} has {kings:%d} kings",
                            COLOR_NAMES[c], kings)
               : error_code(error, "king-missing", "board: {side:%s} has no king", COLOR_NAMES[c]);
}

static bool has_possible_counts(const Position *pos, Color c, Error *error)
{
    int start[TYPE_COUNT], men = 0, promoted = 0;
    count_start(pos->rules, c, start);
    for (PieceType t = PAWN; t <= KING; t++) {
        int extra = bit_count(position_men(pos, c, t)) - start[t];
        men += start[t];
        if (t != PAWN && extra > 0)
            promoted += extra;
    }
    if (bit_count(pos->by_color[c]) > men)
        return error_code(error, "men-many",
                          "board: {side:%s} has {men:%d} men, more than {most:%d}", COLOR_NAMES[c],
                          bit_count(pos->by_color[c]), men);
    int pawns = bit_count(position_men(pos, c, PAWN));
    if (pawns > start[PAWN])
        return error_code(error, "pawns-many",
                          "board: {side:%s} has {pawns:%d} pawns, more than {most:%d}",
                          COLOR_NAMES[c], pawns, start[PAWN]);
    if (promoted > start[PAWN] - pawns)
        return error_code(
            error, "promoted-many",
            "board: {side:%s} has {men:%d} promoted men, but only {pawns:%d} pawns are gone",
            COLOR_NAMES[c], promoted, start[PAWN] - pawns);
    return true;
}

static bool has_possible_pawns(const Position *pos, Color c, Error *error)
{
    Bitboard wrong = position_men(pos, c, PAWN) & ~rules_pawn_squares(pos->rules, c);
    if (!wrong)
        return true;
    Square s = bit_first(wrong);
    return error_code(error, "pawn-place",
                      "board: a {side:%s} {piece:%s} cannot stand on {square:%c%d}", COLOR_NAMES[c],
                      TYPE_NAMES[PAWN], 'a' + square_file(s), square_rank(s) + 1);
}

bool position_is_sound(const Position *pos, Error *error)
{
    if (!position_occupied(pos))
        return error_code(error, "board-empty", "board: empty");
    for (Color c = WHITE; c <= BLACK; c++)
        if (!has_right_kings(pos, c, error) || !has_possible_pawns(pos, c, error))
            return false;
    Color waiting = !pos->side;
    if (pos->rules->has_king[waiting]) {
        Bitboard occupied = position_occupied(pos);
        Bitboard attackers = position_attackers(pos, position_king(pos, waiting), occupied);
        if (attackers & pos->by_color[pos->side])
            return error_code(error, "king-en-prise", "side to move: {side:%s} could take the king",
                              COLOR_NAMES[pos->side]);
    }
    return true;
}

bool position_is_playable(const Position *pos, Error *error)
{
    return has_possible_counts(pos, WHITE, error) && has_possible_counts(pos, BLACK, error) &&
           position_is_sound(pos, error);
}
