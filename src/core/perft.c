// See perft.h.
#include "core/perft.h"

#include <stdatomic.h>

#include "core/movegen.h"
#include "core/position_int.h"

// The plain recursion; make and unmake leave the hash keys alone.
INLINE uint64_t count_leaves(Position *pos, const Rules *rules, int depth,
                             uint64_t (*next)(Position *, int))
{
    Move list[MAX_MOVES];
    Undo undo;
    uint64_t nodes = 0;
    int count = movegen_legal(pos, STAGE_ALL, list);
    for (int i = 0; i < count; i++) {
        make_move(pos, rules, list[i], &undo, false);
        nodes += depth == 2 ? (uint64_t)movegen_count(pos) : next(pos, depth - 1);
        unmake_move(pos, rules, list[i], &undo, false);
    }
    return nodes;
}

static uint64_t perft_orthodox(Position *pos, int depth)
{
    return count_leaves(pos, &ORTHODOX_RULES, depth, perft_orthodox);
}

static uint64_t perft_general(Position *pos, int depth)
{
    return count_leaves(pos, pos->rules, depth, perft_general);
}

uint64_t perft(const Position *pos, int depth)
{
    Position copy = *pos;
    if (depth <= 0)
        return 1;
    if (depth == 1)
        return (uint64_t)movegen_count(pos);
    return IS_ORTHODOX(pos) ? perft_orthodox(&copy, depth) : perft_general(&copy, depth);
}

static uint64_t checked(Position *pos, int depth)
{
    Move list[MAX_MOVES];
    Undo undo;
    uint64_t nodes = 0;
    assert(position_is_ok(pos, NULL));
    if (depth <= 0)
        return 1;
    int count = movegen_legal(pos, STAGE_ALL, list);
    assert(count == movegen_count(pos));
    for (int i = 0; i < count; i++) {
        bool gives_check = position_gives_check(pos, list[i]);
        (void)gives_check;
        assert(move_is_pseudo_legal(pos, list[i]) && move_is_legal(pos, list[i]));
        position_make(pos, list[i], &undo);
        assert(gives_check == position_in_check(pos));
        nodes += checked(pos, depth - 1);
        position_unmake(pos, list[i], &undo);
    }
    return nodes;
}

uint64_t perft_checked(const Position *pos, int depth)
{
    Position copy = *pos;
    return checked(&copy, depth);
}

static uint64_t hashed(Position *pos, int depth, PerftTable *table)
{
    Move list[MAX_MOVES];
    Undo undo;
    uint64_t nodes = 0;
    if (depth <= 1)
        return depth == 1 ? (uint64_t)movegen_count(pos) : 1;
    Key key = (pos->state.key + (unsigned)depth) * 0x9E3779B97F4A7C15ull;
    PerftEntry *entry = &table->entries[key & (table->count - 1)];
    nodes = atomic_load_explicit(&entry->nodes, memory_order_relaxed);
    if (nodes && atomic_load_explicit(&entry->check, memory_order_relaxed) == (key ^ nodes))
        return nodes;
    nodes = 0;
    int count = movegen_legal(pos, STAGE_ALL, list);
    for (int i = 0; i < count; i++) {
        position_make(pos, list[i], &undo);
        nodes += hashed(pos, depth - 1, table);
        position_unmake(pos, list[i], &undo);
    }
    atomic_store_explicit(&entry->nodes, nodes, memory_order_relaxed);
    atomic_store_explicit(&entry->check, key ^ nodes, memory_order_relaxed);
    return nodes;
}

uint64_t perft_hashed(const Position *pos, int depth, PerftTable *table)
{
    Position copy = *pos;
    return hashed(&copy, depth, table);
}
