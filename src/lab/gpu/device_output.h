// A network with one output on a warp: clipped and squared sums, weighted and added up. Offers the
// search what device_layers.h offers for nets with layers.
#ifndef LOVAC_LAB_GPU_DEVICE_OUTPUT_H
#define LOVAC_LAB_GPU_DEVICE_OUTPUT_H

#include "lab/gpu/device_net.h"

enum {
    SLOT_WORDS = WIDTH, // words of a position: both perspectives, all lanes
    THREAT_ROOM = 8,    // there are none
    ROW_ROOM = 4,
};

// The sums of a position in registers.
typedef struct Sums {
    Half half[2];
} Sums;

// This lane's part of the output sum for one perspective; half 0 belongs to the side to move.
DEV int32_t half_output(const Half *h, const DeviceNet *net, int bucket, int half, int32_t sum)
{
    const uint32_t *weights = net->output + (bucket * 2 + half) * (WIDTH / 4);
    UNROLL
    for (int strip = 0; strip < STRIPS; strip++) {
        uint32_t w[STRIP_WORDS / 2];
        weights_read(w, weights + strip_place(strip) / 2);
        UNROLL
        for (int i = 0; i < STRIP_WORDS; i++) {
            const uint32_t c = pair_clip(h->v[strip * STRIP_WORDS + i], LOWER, TOP);
            sum = pair_dot(pair_squares(c), w[i / 2], sum, i & 1);
        }
    }
    return sum;
}

// Ends an evaluation: lane sums to centipawns for the side to move.
DEV int net_finish(const DeviceNet *net, int bucket, int32_t lane_sum)
{
    const uint32_t output = (uint32_t)warp_add(lane_sum) + (uint32_t)net->output_bias[bucket];
    const int v = multiply_high((int32_t)output, net->multiplier);
    return v > EVAL_LIMIT ? EVAL_LIMIT : v < -EVAL_LIMIT ? -EVAL_LIMIT : v;
}

// The value of the position whose accumulators these are, in centipawns for the side to move.
DEV int sums_value(const DeviceNet *net, const Board *b, const Sums *s)
{
    const int bucket = men_bucket(b);
    int32_t sum = 0;
    UNROLL
    for (int us = 0; us < 2; us++)
        sum = half_output(&s->half[us], net, bucket, us != b->side, sum);
    return net_finish(net, bucket, sum);
}

// Writes the sums of a position to its slot.
DEV void net_store(const Sums *s, const Board *b, uint32_t *slot)
{
    (void)b;
    UNROLL
    for (int us = 0; us < 2; us++)
        half_write(&s->half[us], slot, us);
}

// Computes a slot from nothing and evaluates it.
DEV int net_refresh(const Eyes *e, const Board *b, uint32_t *slot)
{
    Sums s;
    UNROLL
    for (int us = 0; us < 2; us++)
        half_refresh(&s.half[us], e, b, us);
    net_store(&s, b, slot);
    return sums_value(e->net, b, &s);
}

// Begins to carry a position's sums over a move, or a null move; `b` is the board after it.
DEV void net_carry(const Eyes *e, const Board *b, const Change *c, bool is_null,
                   const uint32_t *before, Sums *s)
{
    men_carry(e, b, c, is_null, before, s->half);
}

// Ends it, with the same arguments, and tells the position's value.
DEV int net_value(const Eyes *e, const Board *b, const Change *c, bool is_null,
                  const uint32_t *before, Sums *s)
{
    (void)c;
    (void)is_null;
    (void)before;
    return sums_value(e->net, b, s);
}

#endif
