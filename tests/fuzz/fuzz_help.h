// What the fuzz targets of notation share. A property that does not hold ends the process, which
// the fuzzer reports.
#ifndef LOVAC_TESTS_FUZZ_HELP_H
#define LOVAC_TESTS_FUZZ_HELP_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    bitboard_init();
    return 0;
}

#define DEMAND(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

// Takes the first byte.
static inline int take(const uint8_t **data, size_t *size)
{
    if (!*size)
        return 0;
    --*size;
    return *(*data)++;
}

// What is left, as a text with its final 0 in memory of exactly that size.
static inline char *take_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    return text;
}

// A position some moves into a game: a byte for the game, its start, the number of moves, and each
// move.
static inline void take_position(const uint8_t **data, size_t *size, Position *pos)
{
    const Rules *rules = &VARIANTS[take(data, size) % VARIANT_COUNT];
    uint64_t starts = rules_start_count(rules), number = (uint64_t)take(data, size) * 2654435761u;
    DEMAND(position_start(pos, rules, starts ? number % starts : number, NULL));
    for (int plies = take(data, size) % 24; plies > 0; plies--) {
        Move list[MAX_MOVES];
        int count = movegen_legal(pos, STAGE_ALL, list);
        Undo undo;
        if (!count)
            return;
        position_make(pos, list[take(data, size) * 7 % count], &undo);
    }
}

// The next line of a text, with its final 0; NULL at the end. Many moves are tried in one position.
static inline char *next_line(char **text)
{
    char *line = *text, *end = line ? strchr(line, '\n') : NULL;
    *text = end ? end + 1 : NULL;
    if (end)
        *end = 0;
    return line;
}

static inline bool is_legal(const Position *pos, Move move)
{
    Move list[MAX_MOVES];
    int count = movegen_legal(pos, STAGE_ALL, list);
    for (int i = 0; i < count; i++)
        if (list[i] == move)
            return true;
    return false;
}

#endif
