// What the tests of notation share: random games, positions that need not be playable, tables of
// test data.
#ifndef LOVAC_TESTS_NOTATION_HELP_H
#define LOVAC_TESTS_NOTATION_HELP_H

#include "test_data.h"

#include "base/random.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"

// Called with every position of a random game and the move that was played there (MOVE_NONE at the
// end).
typedef void PositionTest(const Position *pos, Move next, void *context);

static inline int random_game(const Rules *rules, uint64_t seed, int max_plies, PositionTest *test,
                              void *context)
{
    Random random;
    random_init(&random, seed);
    uint64_t starts = rules_start_count(rules);
    uint64_t number = starts ? random_below(&random, starts) : random_next(&random);
    Position pos;
    Error error;
    if (!position_start(&pos, rules, number, &error))
        fail_msg("%s start %llu: %s", rules->name, (unsigned long long)number, error.text);
    for (int ply = 0;; ply++) {
        Move list[MAX_MOVES];
        int count = ply < max_plies ? movegen_legal(&pos, STAGE_ALL, list) : 0;
        Move move = count ? list[random_below(&random, (uint64_t)count)] : MOVE_NONE;
        test(&pos, move, context);
        if (!count)
            return ply;
        Undo undo;
        position_make(&pos, move, &undo);
    }
}

// A board and a side to move without any test of sense: for positions no reader would accept.
static inline void set_up_unchecked(Position *pos, const Rules *rules, const char *fen)
{
    position_clear(pos, rules);
    Square s = A8;
    const char *p = fen;
    for (; *p != ' '; p++) {
        const char *letters = "PpNnBbRrQqKk", *letter = strchr(letters, *p);
        if (*p == '/')
            s -= 16;
        else if (letter)
            position_put(pos, (Piece)(letter - letters), s++);
        else
            s += *p - '0';
    }
    pos->side = p[1] == 'b' ? BLACK : WHITE;
    int half_moves = 0;
    if (sscanf(p, "%*s %*s %*s %d", &half_moves) == 1)
        pos->state.fifty = (uint16_t)half_moves;
    position_finish(pos);
}

// Cuts a line at its tabs, in place; fields that are missing are empty.
static inline void split_tabs(char *line, char *fields[], int count)
{
    line[strcspn(line, "\r\n")] = 0;
    for (int i = 0; i < count; i++) {
        char *tab = strchr(line, '\t');
        fields[i] = line;
        line = tab ? tab + 1 : line + strlen(line);
        if (tab && i + 1 < count)
            *tab = 0;
    }
}

#endif
