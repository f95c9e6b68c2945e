// See arena.h. A list of blocks; the newest one is cut from.
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, DEFAULT_BLOCK = 1 << 16 };

struct ArenaBlock {
    ArenaBlock *next;
    size_t size, used;
    alignas(ALIGNMENT) unsigned char bytes[];
};

void arena_init(Arena *arena, size_t block_size)
{
    *arena = (Arena){.block_size = block_size ? block_size : DEFAULT_BLOCK};
}

static void free_list(ArenaBlock *block)
{
    while (block) {
        ArenaBlock *next = block->next;
        free(block);
        block = next;
    }
}

void arena_release(Arena *arena)
{
    free_list(arena->blocks);
    arena->blocks = NULL;
}

void arena_reset(Arena *arena)
{
    ArenaBlock *largest = NULL;
    for (ArenaBlock *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        if (!largest || block->size > largest->size) {
            free(largest);
            largest = block;
        } else {
            free(block);
        }
    }
    if (largest) {
        largest->next = NULL;
        largest->used = 0;
    }
    arena->blocks = largest;
}

void *arena_alloc(Arena *arena, size_t size)
{
    if (size > SIZE_MAX / 4)
        return NULL;
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    ArenaBlock *block = arena->blocks;
    if (!block || block->size - block->used < size) {
        size_t room = size > arena->block_size ? size : arena->block_size;
        block = malloc(sizeof *block + room);
        if (!block)
            return NULL;
        *block = (ArenaBlock){.next = arena->blocks, .size = room};
        arena->blocks = block;
    }
    void *result = block->bytes + block->used;
    block->used += size;
    return memset(result, 0, size);
}

char *arena_copy_bytes(Arena *arena, const char *bytes, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    if (copy)
        memcpy(copy, bytes, length);
    return copy;
}

char *arena_copy(Arena *arena, const char *text)
{
    return arena_copy_bytes(arena, text, strlen(text));
}
