// The network on a warp: WIDTH accumulators of each perspective spread over 32 lanes, two in a
// word. A word holds two 16-bit sums, each raised by 0x4000 so that it is never negative; rows of
// weights are encoded as high * 65536 + low with signed parts, so plain 32-bit additions are exact
// on both halves. The integers are those of engine/nnue_features.h; the emulated warp and
// nnue_evaluate agree with them.
#ifndef LOVAC_LAB_GPU_DEVICE_NET_H
#define LOVAC_LAB_GPU_DEVICE_NET_H

#include "engine/nnue_features.h"
#include "lab/gpu/board.h"
#include "lab/gpu/play.h"

#ifndef WIDTH
#define WIDTH 128
#endif

enum {
    HALF_WORDS = WIDTH / 64,    // words of a lane and perspective
    SLOT_WORDS = WIDTH,         // words of a position: both perspectives, all lanes
    OUTPUT_WORDS = WIDTH / 128, // words of a lane's output weights for one half
};

#define RAISE 0x40004000u
#define LOWER 0xc000c000u
#define TOP   (NNUE_QA * 0x10001u)

typedef struct Half {
    uint32_t v[HALF_WORDS];
} Half;

// Words go in the widest pieces that a lane's part has.
#if WIDTH == 128
DEV void half_read(Half *h, const uint32_t *at)
{
    const Words2 w = *(const Words2 *)at;
    h->v[0] = w.x;
    h->v[1] = w.y;
}

DEV void half_write(const Half *h, uint32_t *at)
{
    const Words2 w = {h->v[0], h->v[1]};
    *(Words2 *)at = w;
}

// This lane's part of a row of weights, through the read-only cache.
DEV void row_read(Half *h, const uint32_t *rows, int row)
{
    const Words2 w = read_words2(rows + row * (WIDTH / 2) + warp_lane() * HALF_WORDS);
    h->v[0] = w.x;
    h->v[1] = w.y;
}
#else
DEV void half_set4(Half *h, int i, Words4 w)
{
    h->v[i] = w.x;
    h->v[i + 1] = w.y;
    h->v[i + 2] = w.z;
    h->v[i + 3] = w.w;
}

DEV void half_read(Half *h, const uint32_t *at)
{
    UNROLL
    for (int i = 0; i < HALF_WORDS; i += 4)
        half_set4(h, i, *(const Words4 *)(at + i));
}

DEV void half_write(const Half *h, uint32_t *at)
{
    UNROLL
    for (int i = 0; i < HALF_WORDS; i += 4) {
        const Words4 w = {h->v[i], h->v[i + 1], h->v[i + 2], h->v[i + 3]};
        *(Words4 *)(at + i) = w;
    }
}

DEV void row_read(Half *h, const uint32_t *rows, int row)
{
    const uint32_t *at = rows + row * (WIDTH / 2) + warp_lane() * HALF_WORDS;
    UNROLL
    for (int i = 0; i < HALF_WORDS; i += 4)
        half_set4(h, i, read_words4(at + i));
}
#endif

// Where this lane's words of a perspective lie in a slot.
DEV int half_place(int us)
{
    return us * (WIDTH / 2) + warp_lane() * HALF_WORDS;
}

DEV int king_turn(int us, int king)
{
    return (us ? 56 : 0) ^ (king & 4 ? 7 : 0);
}

DEV int feature_row(int turn, int us, int color, int type, int square)
{
    return (color != us) * 384 + type * 64 + (square ^ turn);
}

DEV void half_add(Half *h, const DeviceNet *net, int row)
{
    Half r;
    row_read(&r, net->feature, row);
    UNROLL
    for (int i = 0; i < HALF_WORDS; i++)
        h->v[i] += r.v[i];
}

DEV void half_subtract(Half *h, const DeviceNet *net, int row)
{
    Half r;
    row_read(&r, net->feature, row);
    UNROLL
    for (int i = 0; i < HALF_WORDS; i++)
        h->v[i] -= r.v[i];
}

DEV void half_refresh(Half *h, const DeviceNet *net, const Board *b, int us)
{
    const int turn = king_turn(us, man_square(warp_get(b->man, us * 16)));
    row_read(h, net->feature, NNUE_INPUTS); // the last row is the bias, raised
    UNROLL_4                                // so that several rows are under way
        for (int i = 0; i < LANES; i++)
    {
        const int man = warp_get(b->man, i);
        if (man_alive(man))
            half_add(h, net, feature_row(turn, us, i >> 4, man_type(man), man_square(man)));
    }
}

// This lane's part of the output sum for one perspective; half 0 belongs to the side to move.
DEV int32_t half_output(const Half *h, const DeviceNet *net, int bucket, int half, int32_t sum)
{
    const uint32_t *weights =
        net->output + (bucket * 2 + half) * (WIDTH / 4) + warp_lane() * OUTPUT_WORDS;
    uint32_t w = 0;
    UNROLL
    for (int i = 0; i < HALF_WORDS; i++) {
        if (!(i & 1))
            w = read_word(weights + i / 2);
        const uint32_t c = pair_clip(h->v[i], LOWER, TOP);
        const uint32_t low = c & 0xffff;
        const uint32_t squares = (c >> 16) * (c & 0xffff0000u) + low * low;
        sum = pair_dot(squares, w, sum, i & 1);
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

DEV int men_bucket(const Board *b)
{
    const uint64_t occupied = b->white | b->black;
    const int men = bits_count((uint32_t)occupied) + bits_count((uint32_t)(occupied >> 32));
    return nnue_output_bucket(men, 4);
}

// Computes a slot from nothing and evaluates it.
DEV int net_refresh(const DeviceNet *net, const Board *b, uint32_t *slot)
{
    const int bucket = men_bucket(b);
    int32_t sum = 0;
    for (int us = 0; us < 2; us++) {
        Half h;
        half_refresh(&h, net, b, us);
        half_write(&h, slot + half_place(us));
        sum = half_output(&h, net, bucket, us != b->side, sum);
    }
    return net_finish(net, bucket, sum);
}

// Takes a move into a perspective's accumulators.
DEV void half_step(Half *h, const DeviceNet *net, const Change *c, int us, int mover, int turn)
{
    const int result = c->promotion ? c->promotion : c->type;
    half_subtract(h, net, feature_row(turn, us, mover, c->type, c->from));
    half_add(h, net, feature_row(turn, us, mover, result, c->to));
    if (c->victim_lane < 32)
        half_subtract(h, net, feature_row(turn, us, mover ^ 1, c->victim_type, c->victim_square));
    if (c->rook_from >= 0) {
        half_subtract(h, net, feature_row(turn, us, mover, G_ROOK, c->rook_from));
        half_add(h, net, feature_row(turn, us, mover, G_ROOK, c->rook_to));
    }
}

// Carries a position's accumulators over a move, or a null move; `b` is the board after it.
DEV void net_carry(const DeviceNet *net, const Board *b, const Change *c, bool is_null,
                   const uint32_t *before, Half h[2])
{
    const int mover = b->side ^ 1;
    UNROLL
    for (int us = 0; us < 2; us++)
        half_read(&h[us], before + half_place(us));
    if (is_null)
        return;
    UNROLL
    for (int us = 0; us < 2; us++)
        half_step(&h[us], net, c, us, mover, king_turn(us, man_square(warp_get(b->man, us * 16))));
    if (c->type == G_KING && ((c->from ^ c->to) & 4)) { // it crossed the middle: all squares turn
        Half fresh;
        half_refresh(&fresh, net, b, mover);
        UNROLL
        for (int i = 0; i < HALF_WORDS; i++) {
            h[0].v[i] = mover ? h[0].v[i] : fresh.v[i];
            h[1].v[i] = mover ? fresh.v[i] : h[1].v[i];
        }
    }
}

// The value of the position whose accumulators these are, in centipawns for the side to move.
DEV int net_value(const DeviceNet *net, const Board *b, const Half h[2])
{
    const int bucket = men_bucket(b);
    int32_t sum = 0;
    UNROLL
    for (int us = 0; us < 2; us++)
        sum = half_output(&h[us], net, bucket, us != b->side, sum);
    return net_finish(net, bucket, sum);
}

DEV void net_store(const Half h[2], uint32_t *slot)
{
    UNROLL
    for (int us = 0; us < 2; us++)
        half_write(&h[us], slot + half_place(us));
}

#endif
