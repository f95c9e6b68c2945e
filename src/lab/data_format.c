// See data_format.h, and docs/formats.md for the layout.
#include "lab/data_format.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "core/fen.h"
#include "core/movegen.h"

enum {
    ESCAPE = 24, // so many ones: the score follows as it is
    ESCAPE_BITS = 17,
    AVERAGE_START = 16 * 40,
    AVERAGE_CAP = 1023, // one mate score must not spoil the estimate
    KEEP_FROM_PLY = 16,
    KEEP_SCORE_MAX = 2500,
    OPENING_ROOM = 2048 // `every` stands above the length of the opening
};
static_assert((int)OPENING_ROOM > (int)DATA_PLIES_MAX, "an opening may be the whole game");

// Bits, the highest of each byte first.
typedef struct BitWriter {
    uint8_t *at;
    uint64_t word;
    int count;
} BitWriter;

typedef struct BitReader {
    const uint8_t *at, *end;
    uint64_t word;
    int count;
    bool is_over; // more was asked than there was
} BitReader;

static void put_bits(BitWriter *w, uint32_t value, int bits)
{
    w->word = w->word << bits | value;
    w->count += bits;
    while (w->count >= 8) {
        w->count -= 8;
        *w->at++ = (uint8_t)(w->word >> w->count);
    }
}

static void end_bits(BitWriter *w)
{
    if (w->count)
        put_bits(w, 0, 8 - w->count);
}

static uint32_t get_bits(BitReader *r, int bits)
{
    while (r->count < bits) {
        if (r->at == r->end) {
            r->is_over = true;
            return 0;
        }
        r->word = r->word << 8 | *r->at++;
        r->count += 8;
    }
    r->count -= bits;
    return (uint32_t)(r->word >> r->count) & (uint32_t)((1ull << bits) - 1);
}

// Whole numbers, seven bits a byte, the lowest first.
static uint8_t *put_count(uint8_t *at, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        *at++ = (uint8_t)(value | 128);
    *at++ = (uint8_t)value;
    return at;
}

static bool get_count(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; shift < 64 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        *value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128))
            return true;
    }
    return false;
}

// A number below `limit` in as few bits as that allows: the first `short_codes` values have one bit
// less.
static void put_below(BitWriter *w, uint32_t value, uint32_t limit)
{
    int bits = 32 - __builtin_clz(limit);
    uint32_t short_codes = (1u << bits) - limit;
    if (value < short_codes)
        put_bits(w, value, bits - 1);
    else
        put_bits(w, value + short_codes, bits);
}

static uint32_t get_below(BitReader *r, uint32_t limit)
{
    int bits = 32 - __builtin_clz(limit);
    uint32_t short_codes = (1u << bits) - limit;
    uint32_t value = bits > 1 ? get_bits(r, bits - 1) : 0;
    if (value < short_codes)
        return value;
    return (value << 1 | get_bits(r, 1)) - short_codes;
}

// Signed differences as Rice codes whose parameter follows the average size.
typedef struct ScoreCoder {
    int last;    // White's score before
    int average; // of the coded values, times 16
} ScoreCoder;

static int rice_bits(const ScoreCoder *c)
{
    int size = c->average / 16 * 11 / 16; // ln 2 of the average is best
    return size < 1 ? 0 : 31 - __builtin_clz((unsigned)size | 1);
}

static void coder_learn(ScoreCoder *c, int score, uint32_t code)
{
    int capped = code > AVERAGE_CAP ? AVERAGE_CAP : (int)code;
    c->average += capped - c->average / 16;
    c->last = score;
}

static void put_score(BitWriter *w, ScoreCoder *c, int score)
{
    int difference = score - c->last;
    uint32_t code = difference < 0 ? (uint32_t)(-difference) * 2 - 1 : (uint32_t)difference * 2;
    int k = rice_bits(c);
    uint32_t ones = code >> k;
    if (ones < ESCAPE) {
        put_bits(w, ((1u << ones) - 1) << 1, (int)ones + 1);
        put_bits(w, code & ((1u << k) - 1), k);
    } else {
        put_bits(w, (1u << ESCAPE) - 1, ESCAPE);
        put_bits(w, code, ESCAPE_BITS);
    }
    coder_learn(c, score, code);
}

static int get_score(BitReader *r, ScoreCoder *c)
{
    int k = rice_bits(c);
    uint32_t ones = 0, code;
    while (ones < ESCAPE && get_bits(r, 1))
        ones++;
    if (ones < ESCAPE)
        code = ones << k | (k ? get_bits(r, k) : 0);
    else
        code = get_bits(r, ESCAPE_BITS);
    int difference = code & 1 ? -(int)(code / 2 + 1) : (int)(code / 2);
    int score = c->last + difference;
    coder_learn(c, score, code);
    return score;
}

// The number of a move among the legal ones ordered by their 16-bit value: how the generator orders
// them does not matter.
static uint32_t move_rank(const Move *list, int count, Move move)
{
    uint32_t rank = 0;
    for (int i = 0; i < count; i++)
        rank += list[i] < move;
    return rank;
}

static Move move_of_rank(const Move *list, int count, uint32_t rank)
{
    for (int i = 0; i < count; i++)
        if (move_rank(list, count, list[i]) == rank)
            return list[i];
    return MOVE_NONE;
}

static uint8_t *put_start(const DataGame *game, uint8_t *at)
{
    if (game->has_number)
        return put_count(at, game->number);
    char fen[FEN_SIZE];
    position_to_fen(&game->start, FEN_SHREDDER, fen);
    size_t length = strlen(fen);
    *at++ = (uint8_t)length;
    memcpy(at, fen, length);
    return at + length;
}

size_t data_encode(const DataGame *game, uint8_t buffer[DATA_GAME_SIZE])
{
    assert(game->count <= DATA_PLIES_MAX && game->opening <= game->count);
    uint8_t *at = buffer;
    *at++ = (uint8_t)(game->result | game->reason << 2 | (game->has_number ? 0 : 128));
    at = put_count(at, (uint64_t)game->count);
    at = put_count(at, (uint64_t)game->opening + (uint64_t)game->every * OPENING_ROOM);
    at = put_start(game, at);
    BitWriter w = {.at = at};
    ScoreCoder coder = {.average = AVERAGE_START};
    Position pos = game->start;
    for (int i = 0; i < game->count; i++) {
        Move list[MAX_MOVES];
        int count = movegen_legal(&pos, STAGE_ALL, list);
        uint32_t rank = move_rank(list, count, game->moves[i]);
        assert(rank < (uint32_t)count);
        put_below(&w, rank, (uint32_t)count);
        if (i >= game->opening)
            put_score(&w, &coder, game->scores[i]);
        Undo undo;
        position_make(&pos, game->moves[i], &undo);
    }
    end_bits(&w);
    return (size_t)(w.at - buffer);
}

static bool get_start(const uint8_t **at, const uint8_t *end, const Rules *rules, DataGame *game,
                      Error *error)
{
    if (game->has_number)
        return (get_count(at, end, &game->number) || error_set(error, "start cut off")) &&
               position_start(&game->start, rules, game->number, error);
    char fen[FEN_SIZE];
    size_t length = *at < end ? *(*at)++ : 0;
    if (!length || length >= sizeof fen || length > (size_t)(end - *at))
        return error_set(error, "start cut off");
    memcpy(fen, *at, length);
    fen[length] = 0;
    *at += length;
    return position_from_fen(&game->start, rules, fen, error);
}

static bool get_head(const uint8_t **at, const uint8_t *end, DataGame *game, Error *error)
{
    if (*at >= end)
        return error_set(error, "game cut off");
    uint8_t head = *(*at)++;
    uint64_t count, opening;
    game->result = head & 3;
    game->reason = head >> 2 & 31;
    game->has_number = !(head & 128);
    if (game->reason > REASON_ABANDONED)
        return error_set(error, "unknown reason %d", game->reason);
    if (!get_count(at, end, &count) || !get_count(at, end, &opening))
        return error_set(error, "game cut off");
    game->every = (int)(opening / OPENING_ROOM % (DATA_EVERY_MAX + 1));
    opening %= OPENING_ROOM;
    if (count > DATA_PLIES_MAX || opening > count)
        return error_set(error, "impossible length: %llu half-moves", (unsigned long long)count);
    game->count = (int)count;
    game->opening = (int)opening;
    return true;
}

bool data_decode(const uint8_t **at, const uint8_t *end, const Rules *rules, DataGame *game,
                 Error *error)
{
    if (!get_head(at, end, game, error) || !get_start(at, end, rules, game, error))
        return false;
    BitReader r = {.at = *at, .end = end};
    ScoreCoder coder = {.average = AVERAGE_START};
    Position pos = game->start;
    for (int i = 0; i < game->count; i++) {
        Move list[MAX_MOVES];
        int count = movegen_legal(&pos, STAGE_ALL, list);
        if (!count)
            return error_set(error, "half-move %d: the game is over", i + 1);
        uint32_t rank = get_below(&r, (uint32_t)count);
        if (rank >= (uint32_t)count)
            return error_set(error, "half-move %d: no such move", i + 1);
        game->moves[i] = move_of_rank(list, count, rank);
        int score = i >= game->opening ? get_score(&r, &coder) : 0;
        if (score < INT16_MIN || score > INT16_MAX)
            return error_set(error, "half-move %d: impossible score", i + 1);
        game->scores[i] = (int16_t)score;
        Undo undo;
        position_make(&pos, game->moves[i], &undo);
        if (r.is_over)
            return error_set(error, "game cut off at half-move %d", i + 1);
    }
    *at = r.at; // what is left of the last byte is padding
    return true;
}

bool data_is_full(const DataGame *game, int ply)
{
    unsigned phase = (unsigned)ply;
    if (game->every <= 1)
        return true;
    for (int i = 0; i < game->opening; i++)
        phase += game->moves[i];
    return phase % (unsigned)game->every == 0;
}

bool data_is_kept(const DataGame *game, const Position *pos, int ply)
{
    Move move = game->moves[ply];
    // Where every move captures there is no quiet one, and the first plies are a quarter of the
    // game.
    bool is_quiet = pos->rules->must_capture ||
                    (!move_is_capture(move) && !move_is_promotion(move) && ply >= KEEP_FROM_PLY);
    return ply >= game->opening && data_is_full(game, ply) && is_quiet && !position_in_check(pos) &&
           abs(game->scores[ply]) <= KEEP_SCORE_MAX;
}

void data_find_later(const DataGame *game, int limit, int16_t later[DATA_PLIES_MAX])
{
    double sum = game->result == RESULT_WHITE ? limit : game->result == RESULT_BLACK ? -limit : 0;
    for (int ply = game->count - 1; ply >= 0; ply--) {
        later[ply] = (int16_t)lrint(sum);
        sum = (sum + clamp_int(game->scores[ply], -limit, limit)) / 2;
    }
}
