// The network's first layer on a warp: WIDTH accumulators of each perspective spread over 32 lanes,
// two in a word. A word holds two 16-bit sums, each raised by 0x4000 so that it is never negative;
// rows of weights are encoded as high * 65536 + low with signed parts, so plain 32-bit additions
// are exact on both halves. What follows is in device_output.h (one output) and device_layers.h
// (threats and layers), which offer the search the same functions. The integers are those of
// engine/nnue_features.h; the emulated warp and nnue_evaluate agree with them.
#ifndef LOVAC_LAB_GPU_DEVICE_NET_H
#define LOVAC_LAB_GPU_DEVICE_NET_H

#include "engine/nnue_threats.h"
#include "lab/gpu/board.h"
#include "lab/gpu/play.h"

#ifndef WIDTH
#define WIDTH 128
#endif

enum { HALF_WORDS = WIDTH / 64 }; // words of a lane and perspective

#define RAISE 0x40004000u
#define LOWER 0xc000c000u
#define TOP   (NNUE_QA * 0x10001u)

typedef struct Half {
    uint32_t v[HALF_WORDS];
} Half;

// A row, or one perspective of a slot, is WIDTH / 2 words. They go in the widest strips that all
// lanes together can read in one stretch: strip after strip, lane beside lane.
#if WIDTH % 256
typedef Words2 Strip;
enum { STRIPS = WIDTH / 128, STRIP_WORDS = 2 };
DEV Strip strip_read(const uint32_t *at)
{
    return read_words2(at);
}
DEV Strip strip_of(const uint32_t *v)
{
    const Strip p = {v[0], v[1]};
    return p;
}
DEV void strip_set(uint32_t *v, Strip p)
{
    v[0] = p.x;
    v[1] = p.y;
}
// The output weights of a strip: half a word for each of its words.
DEV void weights_read(uint32_t *w, const uint32_t *at)
{
    w[0] = read_word(at);
}
#else
typedef Words4 Strip;
enum { STRIPS = WIDTH / 256, STRIP_WORDS = 4 };
DEV Strip strip_read(const uint32_t *at)
{
    return read_words4(at);
}
DEV Strip strip_of(const uint32_t *v)
{
    const Strip p = {v[0], v[1], v[2], v[3]};
    return p;
}
DEV void strip_set(uint32_t *v, Strip p)
{
    v[0] = p.x;
    v[1] = p.y;
    v[2] = p.z;
    v[3] = p.w;
}
DEV void weights_read(uint32_t *w, const uint32_t *at)
{
    const Words2 p = read_words2(at);
    w[0] = p.x;
    w[1] = p.y;
}
#endif

// The first word of a strip of this lane.
DEV int strip_place(int strip)
{
    return (strip * LANES + warp_lane()) * STRIP_WORDS;
}

DEV void half_read(Half *h, const uint32_t *slot, int us)
{
    UNROLL
    for (int i = 0; i < STRIPS; i++)
        strip_set(h->v + i * STRIP_WORDS,
                  *(const Strip *)(slot + us * (WIDTH / 2) + strip_place(i)));
}

DEV void half_write(const Half *h, uint32_t *slot, int us)
{
    UNROLL
    for (int i = 0; i < STRIPS; i++)
        *(Strip *)(slot + us * (WIDTH / 2) + strip_place(i)) = strip_of(h->v + i * STRIP_WORDS);
}

// This lane's part of a row of weights, through the read-only cache.
DEV void row_read(Half *h, const uint32_t *rows, int row)
{
    UNROLL
    for (int i = 0; i < STRIPS; i++)
        strip_set(h->v + i * STRIP_WORDS, strip_read(rows + row * (WIDTH / 2) + strip_place(i)));
}

// How a perspective looks at the board: the XOR mask of squares (6 bits) | its king's bucket << 6.
DEV int king_view(const DeviceNet *net, int us, int king)
{
    const int turn = (us ? 56 : 0) ^ (king & 4 ? 7 : 0), square = king ^ turn;
    return turn | (int)(net->king_buckets >> ((square >> 3) * 8 + (square & 3) * 2) & 3) << 6;
}

// Number `i` of the views that the tables hold for the nets of both players.
enum { VIEWS = 2 * 2 * 64 };
DEV void views_fill(Tables *t, const DeviceNet nets[2], int i)
{
    t->views[i >> 7][i >> 6 & 1][i & 63] = (uint16_t)king_view(&nets[i >> 7], i >> 6 & 1, i & 63);
}

// A net in play: its weights, its views by perspective and king's square, and what finding threats
// takes.
typedef struct Eyes {
    const DeviceNet *net;
    const uint16_t (*views)[64];
    const Tables *tables;
    const NnueThreatTables *threats;
    uint8_t *types;  // [64] scratch: type of the man on each square
    uint16_t *pairs; // [THREAT_ROOM] scratch
    uint32_t *rows;  // [ROW_ROOM] scratch
} Eyes;

// The rows of a king bucket.
DEV const uint32_t *bucket_rows(const DeviceNet *net, int view)
{
    return net->feature + (view >> 6) * (NNUE_INPUTS * WIDTH / 2);
}

DEV int feature_row(int turn, int us, int color, int type, int square)
{
    return (color != us) * 384 + type * 64 + (square ^ turn);
}

DEV void half_add(Half *h, const uint32_t *rows, int row)
{
    Half r;
    row_read(&r, rows, row);
    UNROLL
    for (int i = 0; i < HALF_WORDS; i++)
        h->v[i] += r.v[i];
}

DEV void half_subtract(Half *h, const uint32_t *rows, int row)
{
    Half r;
    row_read(&r, rows, row);
    UNROLL
    for (int i = 0; i < HALF_WORDS; i++)
        h->v[i] -= r.v[i];
}

DEV void half_refresh(Half *h, const Eyes *e, const Board *b, int us)
{
    const int view = e->views[us][man_square(warp_get(b->man, us * 16))], turn = view & 63;
    const uint32_t *rows = bucket_rows(e->net, view);
    row_read(h, e->net->feature, e->net->bias_row); // the last row is the bias, raised
    UNROLL_4                                        // so that several rows are under way
        for (int i = 0; i < LANES; i++)
    {
        const int man = warp_get(b->man, i);
        if (man_alive(man))
            half_add(h, rows, feature_row(turn, us, i >> 4, man_type(man), man_square(man)));
    }
}

DEV int men_bucket(const Board *b)
{
    const uint64_t occupied = b->white | b->black;
    const int men = bits_count((uint32_t)occupied) + bits_count((uint32_t)(occupied >> 32));
    return nnue_output_bucket(men, 4);
}

// Takes a move into a perspective's accumulators.
DEV void half_step(Half *h, const Eyes *e, const Change *c, int us, int mover, int king)
{
    const int view = e->views[us][king], turn = view & 63;
    const uint32_t *rows = bucket_rows(e->net, view);
    const int result = c->promotion ? c->promotion : c->type;
    half_subtract(h, rows, feature_row(turn, us, mover, c->type, c->from));
    half_add(h, rows, feature_row(turn, us, mover, result, c->to));
    if (c->victim_lane < 32)
        half_subtract(h, rows, feature_row(turn, us, mover ^ 1, c->victim_type, c->victim_square));
    if (c->rook_from >= 0) {
        half_subtract(h, rows, feature_row(turn, us, mover, G_ROOK, c->rook_from));
        half_add(h, rows, feature_row(turn, us, mover, G_ROOK, c->rook_to));
    }
}

// Does the mover's king look at the board in another way after the move?
DEV bool view_changes(const Eyes *e, const Change *c, int mover)
{
    return c->type == G_KING && e->views[mover][c->from] != e->views[mover][c->to];
}

// Carries a position's accumulators over a move, or a null move; `b` is the board after it.
DEV void men_carry(const Eyes *e, const Board *b, const Change *c, bool is_null,
                   const uint32_t *before, Half h[2])
{
    const int mover = b->side ^ 1;
    UNROLL
    for (int us = 0; us < 2; us++)
        half_read(&h[us], before, us);
    if (is_null)
        return;
    UNROLL
    for (int us = 0; us < 2; us++)
        half_step(&h[us], e, c, us, mover, man_square(warp_get(b->man, us * 16)));
    if (view_changes(e, c, mover)) { // nothing of the old sums is left
        Half fresh;
        half_refresh(&fresh, e, b, mover);
        UNROLL
        for (int i = 0; i < HALF_WORDS; i++) {
            h[0].v[i] = mover ? h[0].v[i] : fresh.v[i];
            h[1].v[i] = mover ? fresh.v[i] : h[1].v[i];
        }
    }
}

#endif
