// See emulator.h. Fibres are entered once with setcontext and switched with _setjmp and _longjmp,
// which make no system calls. Fortified longjmp refuses to change stacks, so fortification is off
// here.
#undef _FORTIFY_SOURCE
#include "lab/gpu/emulator.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { LANES = 32, STACK_SIZE = 1 << 17 };

typedef struct Emulator {
    void (*body)(void *context);
    void *context;
    int lane, finished;
    bool has_begun[LANES];
    unsigned phase[LANES];
    uint64_t values[2][LANES]; // two phases: a fast lane may already be in the next exchange
    int kinds[2][LANES];
    ucontext_t entry[LANES];
    jmp_buf resume[LANES];
    jmp_buf end;
    char *stacks;
} Emulator;

// The warp that this thread is running; the lanes have no other way to find it.
static _Thread_local Emulator *running;

static void lane_begin(void);

static _Noreturn void lane_continue(Emulator *e, int lane)
{
    e->lane = lane;
    if (e->has_begun[lane])
        _longjmp(e->resume[lane], 1);
    e->has_begun[lane] = true;
    setcontext(&e->entry[lane]);
    abort();
}

static void lane_begin(void)
{
    Emulator *e = running;
    e->body(e->context);
    if (++e->finished == LANES)
        _longjmp(e->end, 1);
    lane_continue(e, (e->lane + 1) % LANES);
}

int emulator_lane(void)
{
    return running->lane;
}

const uint64_t *emulator_exchange(uint64_t value, int kind)
{
    Emulator *e = running;
    const int lane = e->lane;
    const unsigned phase = e->phase[lane]++ & 1;
    e->values[phase][lane] = value;
    e->kinds[phase][lane] = kind;
    if (!_setjmp(e->resume[lane]))
        lane_continue(e, (lane + 1) % LANES);
    if (e->kinds[phase][0] != kind)
        abort(); // lanes met in different operations
    return e->values[phase];
}

bool emulator_run(void (*body)(void *context), void *context)
{
    Emulator *e = calloc(1, sizeof *e);
    char *stacks = malloc((size_t)LANES * STACK_SIZE);
    if (!e || !stacks) {
        free(e);
        free(stacks);
        return false;
    }
    e->body = body;
    e->context = context;
    e->stacks = stacks;
    for (int i = 0; i < LANES; i++) {
        getcontext(&e->entry[i]);
        e->entry[i].uc_stack.ss_sp = stacks + (size_t)i * STACK_SIZE;
        e->entry[i].uc_stack.ss_size = STACK_SIZE;
        makecontext(&e->entry[i], lane_begin, 0);
    }
    Emulator *outer = running;
    running = e;
    if (!_setjmp(e->end))
        lane_continue(e, 0);
    e = running; // locals may be stale after the jump
    free(e->stacks);
    free(e);
    running = outer;
    return true;
}
