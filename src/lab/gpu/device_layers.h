// A network with threats and layers on a warp (engine/nnue_threats.h, engine/nnue_features.h): what
// students of lovac learn are, so that a student can play its own games. The sums of men are
// carried over a move as for any net; of threats those that the move ends are taken away and those
// that it begins are added, found by comparing what every man attacks before and after. Then
// products of halves, and three layers in which a lane is a value. Offers the search what
// device_output.h offers for nets with one output.
//
// Words 0 to HALF_WORDS / 2 - 1 of a lane are units of the first half, the rest their partners in
// the second half (encode.c orders the weights). Threats count as bytes raised by 128. Sums that
// leave 15 bits would disturb their neighbours; those of trained nets are far from it.
#ifndef LOVAC_LAB_GPU_DEVICE_LAYERS_H
#define LOVAC_LAB_GPU_DEVICE_LAYERS_H

#include "lab/gpu/device_net.h"

enum {
    // Words of a position: sums of both perspectives; what each lane's man attacks, and the man.
    SLOT_WORDS = WIDTH + 3 * LANES,
    THREAT_ROOM = 128, // pairs of men that are looked at together
    ROWS_AT_ONCE = 4,  // of threats, so that several are under way; a multiple of 4
    ROW_ROOM = LANES + ROWS_AT_ONCE,
    HALF_PAIRS = HALF_WORDS / 2,
    PRODUCT_WORDS = HALF_WORDS / 2, // of a lane: four products in a word, both perspectives
};

#define ROW_ENDS 0x80000000u // in the list of rows: take it away

// The sums of a position in registers, and what this lane's man attacks or defends.
typedef struct Sums {
    Half half[2];
    uint64_t targets;
} Sums;

// ---- Threats --------------------------------------------------------------------------------

DEV int bits_first64(uint64_t v)
{
    return (uint32_t)v ? bits_first((uint32_t)v) : 32 + bits_first((uint32_t)(v >> 32));
}

// The men that this lane's man attacks or defends. Kings block, but neither attack nor count.
DEV uint64_t threat_targets(const Eyes *e, const Board *b)
{
    const int man = b->man, type = man_type(man);
    const uint64_t kings =
        1ull << man_square(warp_get(man, 0)) | 1ull << man_square(warp_get(man, 16));
    const uint64_t occupied = b->white | b->black;
    const uint64_t attacks =
        man_attacks(e->tables, type, man_square(man), warp_lane() >> 4, occupied);
    return man_alive(man) && type != G_KING ? attacks & occupied & ~kings : 0;
}

// Writes down the type of the man on every square.
DEV void types_fill(const Eyes *e, const Board *b)
{
    warp_sync();
    if (man_alive(b->man))
        e->types[man_square(b->man)] = (uint8_t)man_type(b->man);
    warp_sync();
}

// Lists a pair for each target that ends and each that begins: the lane | target << 5 | whether it
// ends << 11. Tells how many.
DEV int pairs_list(const Eyes *e, uint64_t ends, uint64_t begins)
{
    const int lane = warp_lane();
    int count = 0;
    for (uint32_t hits; (hits = warp_ballot((ends | begins) != 0)) != 0;) {
        const int place = count + bits_count(hits & ((1u << lane) - 1));
        const bool is_end = ends != 0;
        const uint64_t from = is_end ? ends : begins, left = from & (from - 1);
        if (from && place < THREAT_ROOM)
            e->pairs[place] = (uint16_t)(lane | bits_first64(from) << 5 | (int)is_end << 11);
        ends = is_end ? left : 0;
        begins = is_end ? begins : left;
        count += bits_count(hits);
    }
    return count < THREAT_ROOM ? count : THREAT_ROOM;
}

// Adds the first `count` rows of the list, a multiple of ROWS_AT_ONCE, to a perspective's sums;
// `raised` is what is to be taken away again. A row that ends counts as its complement, -1 - x.
// Of each word the upper bytes of both halves are added up by themselves; the lower ones are what
// is left of the sum of whole words.
DEV void rows_apply(const Eyes *e, Half *h, int count, uint32_t raised)
{
    uint32_t all[HALF_PAIRS], high[HALF_PAIRS];
    UNROLL
    for (int i = 0; i < HALF_PAIRS; i++)
        all[i] = high[i] = 0;
    UNROLL_NOT
    for (int first = 0; first < count; first += ROWS_AT_ONCE) {
        uint32_t w[ROWS_AT_ONCE][HALF_PAIRS];
        UNROLL
        for (int k = 0; k < ROWS_AT_ONCE; k += 4) {
            const Words4 four = *(const Words4 *)(e->rows + first + k);
            const uint32_t rows[4] = {four.x, four.y, four.z, four.w};
            UNROLL
            for (int j = 0; j < 4; j++) {
                const uint32_t *at = e->net->threat + (rows[j] & ~ROW_ENDS) + warp_lane();
                UNROLL
                for (int i = 0; i < HALF_PAIRS; i++)
                    w[k + j][i] = read_word(at + i * LANES) ^ (rows[j] & ROW_ENDS ? ~0u : 0);
            }
        }
        UNROLL
        for (int k = 0; k < ROWS_AT_ONCE; k++) {
            UNROLL
            for (int i = 0; i < HALF_PAIRS; i++) {
                all[i] += w[k][i];
                high[i] += bytes_odd(w[k][i]);
            }
        }
    }
    UNROLL
    for (int i = 0; i < HALF_PAIRS; i++) {
        h->v[2 * i] += all[i] - (high[i] << 8) - raised;
        h->v[2 * i + 1] += high[i] - raised;
    }
}

// What stood on `to` before the move, or stands there now: type | colour << 3.
DEV int man_on(const Eyes *e, const Board *b, const Change *c, int to, bool before)
{
    const int mover = b->side ^ 1;
    if (before && to == c->from)
        return c->type | mover << 3;
    if (before && c->victim_lane < 32 && to == c->victim_square)
        return c->victim_type | (mover ^ 1) << 3;
    if (before && to == c->rook_from)
        return G_ROOK | mover << 3;
    return e->types[to] | (int)(b->black >> to & 1) << 3;
}

// Takes `count` pairs into the sums of those perspectives (bits) that want them. `man_before` is
// the lane's man before the move.
DEV void pairs_apply(const Eyes *e, const Board *b, const Change *c, int man_before, int count,
                     int perspectives, Half half[2])
{
    const int lane = warp_lane();
    UNROLL_NOT
    for (int first = 0; first < count; first += LANES) {
        const int i = first + lane;
        const int pair = i < count ? e->pairs[i] : 0, by = pair & 31, to = pair >> 5 & 63;
        const bool ends = pair >> 11;
        const int was = warp_get(man_before, by), is = warp_get(b->man, by), man = ends ? was : is;
        const int victim = man_on(e, b, c, to, ends);
        // The same code for both perspectives: their sums change places after each.
        UNROLL_NOT
        for (int us = 0; us < 2; us++) {
            const int king = man_square(warp_get(b->man, us * 16));
            const bool counts = i < count && perspectives >> us & 1;
            const int input =
                counts ? nnue_threat(e->threats, e->views[us][king] & 63, us, by >> 4,
                                     man_type(man), man_square(man), victim >> 3, victim & 7, to)
                       : -1;
            const uint32_t inputs = warp_ballot(input >= 0);
            const int rows = bits_count(inputs), ending = bits_count(warp_ballot(ends) & inputs);
            const int whole = (rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE * ROWS_AT_ONCE;
            if (input >= 0)
                e->rows[bits_count(inputs & ((1u << lane) - 1))] =
                    (uint32_t)input * (WIDTH / 4) | (ends ? ROW_ENDS : 0);
            if (lane < whole - rows)
                e->rows[rows + lane] = NNUE_THREATS * (WIDTH / 4); // the empty row
            warp_sync();
            rows_apply(e, &half[0], whole, (uint32_t)(128 * whole - ending) * 0x00010001u);
            warp_sync();
            const Half other = half[1];
            half[1] = half[0];
            half[0] = other;
        }
    }
}

DEV uint64_t squares_changed(const Change *c)
{
    uint64_t squares = 1ull << c->from | 1ull << c->to;
    if (c->victim_lane < 32)
        squares |= 1ull << c->victim_square;
    if (c->rook_from >= 0)
        squares |= 1ull << c->rook_from | 1ull << c->rook_to;
    return squares;
}

// Carries the threats over a move; those of men are carried already. `fresh` are the perspectives
// (bits) in whose sums there are no threats yet.
DEV void threats_carry(const Eyes *e, const Board *b, const Change *c, int man_before, int fresh,
                       Sums *s)
{
    const uint64_t old = s->targets;
    types_fill(e, b);
    s->targets = threat_targets(e, b);
    const uint64_t changed = man_before != b->man ? ~0ull : squares_changed(c);
    UNROLL_NOT
    for (int perspectives = 3 ^ fresh, turn = 0; turn < 2; turn++, perspectives = fresh) {
        if (!perspectives)
            continue;
        const uint64_t ends = turn ? 0 : old & (~s->targets | changed);
        const uint64_t begins = turn ? s->targets : s->targets & (~old | changed);
        const int count = pairs_list(e, ends, begins);
        warp_sync();
        pairs_apply(e, b, c, man_before, count, perspectives, s->half);
    }
}

// ---- Layers ---------------------------------------------------------------------------------

// Products of a perspective: byte k is that of unit k of this lane.
DEV void half_products(const Half *h, uint8_t products[HALF_WORDS])
{
    UNROLL
    for (int i = 0; i < HALF_PAIRS; i++) {
        const uint32_t a = pair_clip(h->v[i], LOWER, TOP);
        const uint32_t b = pair_clip(h->v[i + HALF_PAIRS], LOWER, TOP);
        products[2 * i] = (uint8_t)((a & 0xffff) * (b & 0xffff) >> NNUE_PRODUCT_SHIFT);
        products[2 * i + 1] = (uint8_t)((a >> 16) * (b >> 16) >> NNUE_PRODUCT_SHIFT);
    }
}

// Four products in a word: whole words of the side to move, whole words of the other, then what is
// left of both.
DEV void words_of_products(const Board *b, const Sums *s, uint32_t words[PRODUCT_WORDS])
{
    enum { WHOLE = HALF_WORDS / 4 };
    uint8_t white[HALF_WORDS], black[HALF_WORDS], all[2 * HALF_WORDS];
    half_products(&s->half[0], white);
    half_products(&s->half[1], black);
    UNROLL
    for (int i = 0; i < HALF_WORDS; i++) {
        const uint8_t own = b->side ? black[i] : white[i], other = b->side ? white[i] : black[i];
        const int rest = i - 4 * WHOLE;
        all[rest < 0 ? i : 8 * WHOLE + rest] = own;
        all[rest < 0 ? 4 * WHOLE + i : 8 * WHOLE + HALF_WORDS % 4 + rest] = other;
    }
    UNROLL
    for (int w = 0; w < PRODUCT_WORDS; w++)
        words[w] = (uint32_t)all[4 * w] | (uint32_t)all[4 * w + 1] << 8 |
                   (uint32_t)all[4 * w + 2] << 16 | (uint32_t)all[4 * w + 3] << 24;
}

DEV int limited(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

// The first layer: lane i and lane i + 16 get sum i, without its bias.
DEV int first_layer(const uint32_t *weights, const uint32_t words[PRODUCT_WORDS])
{
    enum { OUTPUTS_READ = 4 }; // their weights are PRODUCT_WORDS vectors of four words
    int mine = 0;
    UNROLL
    for (int from = 0; from < NNUE_L1; from += OUTPUTS_READ) {
        uint32_t w[OUTPUTS_READ * PRODUCT_WORDS];
        UNROLL
        for (int i = 0; i < PRODUCT_WORDS; i++) {
            const Words4 four = read_words4(
                weights + ((from / OUTPUTS_READ * PRODUCT_WORDS + i) * LANES + warp_lane()) * 4);
            w[4 * i] = four.x;
            w[4 * i + 1] = four.y;
            w[4 * i + 2] = four.z;
            w[4 * i + 3] = four.w;
        }
        UNROLL
        for (int j = 0; j < OUTPUTS_READ; j++) {
            int sum = 0;
            UNROLL
            for (int i = 0; i < PRODUCT_WORDS; i++)
                sum = quad_dot(words[i], w[j * PRODUCT_WORDS + i], sum);
            sum = warp_add(sum);
            mine = (warp_lane() & (NNUE_L1 - 1)) == from + j ? sum : mine;
        }
    }
    return mine;
}

// The second layer's sum of this lane, of which `h` is an input.
DEV int second_layer(const uint32_t *weights, int h)
{
    int sum = 0;
    UNROLL
    for (int i = 0; i < NNUE_L2 / 8; i++) {
        const Words4 four = read_words4(weights + (i * LANES + warp_lane()) * 4);
        const uint32_t w[4] = {four.x, four.y, four.z, four.w};
        UNROLL
        for (int k = 0; k < 4; k++) {
            sum += warp_get(h, 8 * i + 2 * k) * (int16_t)(uint16_t)w[k];
            sum += warp_get(h, 8 * i + 2 * k + 1) * (int16_t)(uint16_t)(w[k] >> 16);
        }
    }
    return sum;
}

// The value of the position whose sums these are, in centipawns for the side to move.
DEV int sums_value(const DeviceNet *net, const Board *b, const Sums *s)
{
    enum { FIRST = NNUE_L1 * PRODUCT_WORDS * LANES, SECOND = NNUE_L2 / 2 * LANES };
    const int lane = warp_lane();
    const uint32_t *at = net->layers + men_bucket(b) * net->layer_words;
    uint32_t words[PRODUCT_WORDS];
    words_of_products(b, s, words);
    const uint32_t *rest = at + FIRST + SECOND + lane;
    const int z = first_layer(at, words) + (int)read_word(rest);
    const int c = limited(z, -NNUE_ONE, NNUE_ONE);
    const int h = lane < NNUE_L1 ? limited(z, 0, NNUE_ONE) : c * c >> NNUE_SQUARE_SHIFT;
    const int sum = second_layer(at + FIRST, h) + (int)read_word(rest + LANES);
    const int y = limited(sum >> NNUE_Q2_SHIFT, 0, NNUE_ONE);
    const int output =
        warp_add(y * (int)read_word(rest + 2 * LANES)) + (int)read_word(rest - lane + 3 * LANES);
    return limited(multiply_high(output, net->multiplier), -EVAL_LIMIT, EVAL_LIMIT);
}

// ---- What the search asks for -----------------------------------------------------------------

// Writes the sums of a position to its slot.
DEV void net_store(const Sums *s, const Board *b, uint32_t *slot)
{
    UNROLL
    for (int us = 0; us < 2; us++)
        half_write(&s->half[us], slot, us);
    slot[WIDTH + warp_lane()] = (uint32_t)b->man;
    slot[WIDTH + LANES + warp_lane()] = (uint32_t)s->targets;
    slot[WIDTH + 2 * LANES + warp_lane()] = (uint32_t)(s->targets >> 32);
}

// Computes a slot from nothing and evaluates it.
DEV int net_refresh(const Eyes *e, const Board *b, uint32_t *slot)
{
    const Change none = {0, 0, 0, 0, 32, 0, 0, -1, 0};
    Sums s;
    s.targets = 0;
    UNROLL
    for (int us = 0; us < 2; us++)
        half_refresh(&s.half[us], e, b, us);
    if (e->net->threat) {
        threats_carry(e, b, &none, b->man, 3, &s);
    }
    net_store(&s, b, slot);
    return sums_value(e->net, b, &s);
}

// Begins to carry a position's sums over a move, or a null move; `b` is the board after it.
DEV void net_carry(const Eyes *e, const Board *b, const Change *c, bool is_null,
                   const uint32_t *before, Sums *s)
{
    const int lane = warp_lane();
    s->targets = before[WIDTH + LANES + lane] | (uint64_t)before[WIDTH + 2 * LANES + lane] << 32;
    men_carry(e, b, c, is_null, before, s->half);
}

// Ends it, with the same arguments, and tells the position's value.
DEV int net_value(const Eyes *e, const Board *b, const Change *c, bool is_null,
                  const uint32_t *before, Sums *s)
{
    if (e->net->threat && !is_null) {
        const int mover = b->side ^ 1, man_before = (int)before[WIDTH + warp_lane()];
        threats_carry(e, b, c, man_before, view_changes(e, c, mover) ? 1 << mover : 0, s);
    }
    return sums_value(e->net, b, s);
}

#endif
