// Memory that is given out piece by piece and taken back all at once: for trees and other things of
// many small parts that live and die together.
#ifndef LOVAC_BASE_ARENA_H
#define LOVAC_BASE_ARENA_H

#include <stddef.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
    ArenaBlock *blocks; // the newest first
    size_t block_size;
} Arena;

// An empty arena that asks the system for blocks of at least `block_size` bytes (0: a good size).
void arena_init(Arena *arena, size_t block_size);

// Gives all memory back to the system; the arena is empty and can be used again.
void arena_release(Arena *arena);

// Makes everything free again but keeps the largest block for the next use.
void arena_reset(Arena *arena);

// Zeroed memory for anything (aligned to 16 bytes); NULL when there is none.
void *arena_alloc(Arena *arena, size_t size);

// A copy of a text, or of its first `length` bytes, with a final 0.
char *arena_copy(Arena *arena, const char *text);
char *arena_copy_bytes(Arena *arena, const char *bytes, size_t length);

#endif
