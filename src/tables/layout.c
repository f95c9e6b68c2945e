// See layout.h.
#include "tables/layout.h"

#include <assert.h>
#include <string.h>

#include "core/symmetry.h"

// n over k.
static uint64_t choose(uint64_t n, int k)
{
    if (n < (uint64_t)k)
        return 0;
    if (k <= 2)
        return k == 2 ? n * (n - 1) / 2 : n;
    uint64_t result = 1;
    for (int i = 0; i < k; i++)
        result = result * (n - (uint64_t)i) / ((uint64_t)i + 1);
    return result;
}

// ---- Making it ----

static bool do_kings_touch(Square a, Square b)
{
    return a == b || (KING_ATTACKS[a] & square_bit(b));
}

static bool is_allowed(const Layout *layout, int symmetry)
{
    return layout->allowed >> symmetry & 1;
}

// The kings' squares after a symmetry, as a number.
static int turned_pair(const Layout *layout, int pair, int symmetry)
{
    int second = layout->kings == 2 ? square_turn(pair & 63, symmetry) : 0;
    return square_turn(pair >> 6, symmetry) << 6 | second;
}

// Finds the least of the pairs that symmetries make of this one.
static int least_pair(const Layout *layout, int pair, uint8_t *symmetry)
{
    int least = pair;
    *symmetry = 0;
    for (int s = 1; s < SYMMETRY_COUNT; s++)
        if (is_allowed(layout, s) && turned_pair(layout, pair, s) < least) {
            least = turned_pair(layout, pair, s);
            *symmetry = (uint8_t)s;
        }
    return least;
}

static void add_lead(Layout *layout, int pair)
{
    uint32_t lead = layout->lead_size++;
    layout->lead_of[pair] = (uint16_t)lead;
    layout->lead_square[lead][0] = (uint8_t)(pair >> 6);
    layout->lead_square[lead][1] = (uint8_t)(pair & 63);
    layout->lead_mirror[lead] = 0;
    for (int s = 1; s < SYMMETRY_COUNT; s++)
        if (is_allowed(layout, s) && turned_pair(layout, pair, s) == pair)
            layout->lead_mirror[lead] = (uint8_t)s;
}

static void make_leads(Layout *layout)
{
    layout->lead_size = 0;
    for (int pair = 0; pair < 64 * 64; pair++) {
        bool is_pair = layout->kings == 2 ? !do_kings_touch(pair >> 6, pair & 63) : !(pair & 63);
        layout->lead_of[pair] = NO_LEAD;
        if (!is_pair)
            continue;
        int least = least_pair(layout, pair, &layout->turn_of[pair]);
        if (least == pair)
            add_lead(layout, pair);
        else
            layout->lead_of[pair] = layout->lead_of[least];
    }
}

static void add_group(Layout *layout, Piece piece, int count)
{
    Bitboard squares = ~0ull;
    LayoutGroup *group = &layout->group[layout->groups];
    if (piece_type(piece) == PAWN)
        squares = rules_pawn_squares(layout->rules, piece_color(piece));
    *group = (LayoutGroup){.piece = (uint8_t)piece,
                           .count = (uint8_t)count,
                           .first = (uint8_t)layout->men,
                           .square_count = (uint8_t)bit_count(squares)};
    for (int i = 0; squares; i++) {
        group->square[i] = (uint8_t)bit_pop(&squares);
        group->rank[group->square[i]] = (uint8_t)i;
    }
    group->size = choose(group->square_count, count);
    for (int i = 0; i < count; i++) {
        layout->group_of[layout->men] = (uint8_t)layout->groups;
        layout->piece[layout->men++] = (uint8_t)piece;
    }
    layout->groups++;
}

static bool is_pawn_group(const Layout *layout, int group)
{
    return piece_type(layout->group[group].piece) == PAWN;
}

// What a step of each digit is worth; the last pieces change fastest, the pawns last of all.
static void set_times(Layout *layout)
{
    uint64_t times = 1;
    for (int g = layout->groups - 1; g >= 0; g--)
        if (!is_pawn_group(layout, g)) {
            layout->times[g + 1] = times;
            times *= layout->group[g].size;
        }
    layout->times[0] = times;
    times *= layout->lead_size;
    layout->pawn_step = times;
    for (int g = layout->groups - 1; g >= 0; g--)
        if (is_pawn_group(layout, g)) {
            layout->times[g + 1] = times;
            times *= layout->group[g].size;
        }
    layout->size = times;
    layout->pawn_parts = times / layout->pawn_step;
}

void layout_init(Layout *layout, const Rules *rules, const Material *material)
{
    memset(layout, 0, sizeof *layout);
    layout->rules = rules;
    layout->material = *material;
    layout->swap = material_swap(rules);
    bool is_same = !memcmp(material->count[WHITE], material->count[BLACK], TYPE_COUNT);
    layout->sides = is_same && layout->swap >= 0 ? 1 : 2;
    for (Color c = WHITE; c <= BLACK; c++)
        if (material->count[c][KING])
            layout->piece[layout->kings++] = (uint8_t)piece_make(c, KING);
    layout->men = layout->kings;
    for (PieceType t = PAWN; t < KING; t++)
        for (Color c = WHITE; c <= BLACK; c++)
            if (material->count[c][t])
                add_group(layout, piece_make(c, t), material->count[c][t]);
    for (int s = 0; s < SYMMETRY_COUNT; s++)
        if (!material_pawns(material) || rules_have_symmetry(rules, s, false))
            layout->allowed |= (uint8_t)(1 << s);
    make_leads(layout);
    set_times(layout);
}

uint64_t layout_nodes(const Rules *rules, const Material *material)
{
    Layout layout;
    layout_init(&layout, rules, material);
    return layout.size * (uint64_t)layout.sides;
}

// ---- Numbers and placements ----

uint64_t layout_group_digit(const LayoutGroup *group, const uint8_t *square)
{
    uint64_t digit = 0;
    uint8_t rank[TABLE_MEN];
    if (group->count == 1)
        return group->rank[square[0]];
    for (int i = 0; i < group->count; i++) { // into ascending order
        int j = i;
        for (; j > 0 && rank[j - 1] > group->rank[square[i]]; j--)
            rank[j] = rank[j - 1];
        rank[j] = group->rank[square[i]];
    }
    for (int i = 0; i < group->count; i++)
        digit += choose(rank[i], i + 1);
    return digit;
}

// The digits of all groups (from 1 on), and what they add to the number.
static uint64_t encode_groups(const Layout *layout, const uint8_t *square, uint32_t *digit)
{
    uint64_t index = 0;
    for (int g = 0; g < layout->groups; g++) {
        uint64_t d = layout_group_digit(&layout->group[g], square + layout->group[g].first);
        digit[g + 1] = (uint32_t)d;
        index += d * layout->times[g + 1];
    }
    return index;
}

// The number of a placement, with its digits.
static uint64_t encode(const Layout *layout, const Placement *placement,
                       uint32_t digit[LAYOUT_DIGITS], int *twins)
{
    const uint8_t *from = placement->square;
    int pair = from[0] << 6 | (layout->kings == 2 ? from[1] : 0);
    uint32_t lead = layout->lead_of[pair];
    uint8_t turned[TABLE_MEN] = {0};
    assert(lead != NO_LEAD && layout->men <= TABLE_MEN);
    for (int i = 0; i < layout->men && i < TABLE_MEN; i++)
        turned[i] = (uint8_t)square_turn(from[i], layout->turn_of[pair]);
    uint64_t index = encode_groups(layout, turned, digit);
    *twins = 1;
    if (layout->lead_mirror[lead]) {
        uint32_t mirrored[LAYOUT_DIGITS];
        for (int i = 0; i < layout->men; i++)
            turned[i] = (uint8_t)square_turn(turned[i], layout->lead_mirror[lead]);
        uint64_t other = encode_groups(layout, turned, mirrored);
        *twins = other == index ? 2 : 1;
        if (other < index) {
            index = other;
            memcpy(digit, mirrored, sizeof mirrored);
        }
    }
    digit[0] = lead;
    return index + lead * layout->times[0];
}

uint64_t layout_encode(const Layout *layout, const Placement *placement, int *twins)
{
    uint32_t digit[LAYOUT_DIGITS];
    int same;
    uint64_t index = encode(layout, placement, digit, &same);
    if (twins)
        *twins = same;
    return index;
}

// The men of a group from its digit.
static void decode_group(const LayoutGroup *group, uint64_t digit, uint8_t *square)
{
    uint64_t rank = group->square_count;
    for (int k = group->count; k > 0; k--) {
        uint64_t below;
        if (k == 1)
            rank = digit, below = digit;
        else
            do
                below = choose(--rank, k);
            while (below > digit);
        digit -= below;
        square[k - 1] = group->square[rank];
    }
}

uint64_t layout_radix(const Layout *layout, int digit)
{
    return digit ? layout->group[digit - 1].size : layout->lead_size;
}

void layout_digits(const Layout *layout, uint64_t index, uint32_t digit[LAYOUT_DIGITS])
{
    for (int d = 0; d <= layout->groups; d++)
        digit[d] = (uint32_t)(index / layout->times[d] % layout_radix(layout, d));
}

bool layout_decode(const Layout *layout, uint64_t index, Placement *placement)
{
    uint32_t digit[LAYOUT_DIGITS] = {0};
    Bitboard occupied = 0;
    layout_digits(layout, index, digit);
    for (int i = 0; i < layout->kings; i++)
        placement->square[i] = layout->lead_square[digit[0]][i];
    for (int g = 0; g < layout->groups; g++)
        decode_group(&layout->group[g], digit[g + 1], placement->square + layout->group[g].first);
    for (int i = 0; i < layout->men; i++)
        occupied |= square_bit(placement->square[i]);
    return bit_count(occupied) == layout->men;
}

Placement layout_swap(const Layout *layout, const Placement *placement)
{
    // The k-th man of a piece becomes the k-th of the same piece of the other colour.
    Placement swapped = *placement;
    for (int i = 0; i < layout->men; i++)
        for (int j = 0, k = 0; j < layout->men; j++)
            if (layout->piece[j] == (layout->piece[i] ^ 1)) {
                int nth = i < layout->kings ? 0 : i - layout->group[layout->group_of[i]].first;
                if (k++ == nth)
                    swapped.square[j] = (uint8_t)square_turn(placement->square[i], layout->swap);
            }
    return swapped;
}

// Where the men of a position stand in the table's order, and the side to move.
static Placement place_men(const Layout *layout, const Position *pos, Color *side)
{
    // Black's men are looked for where the table has White's if the colours are the other way
    // round, or if the table knows White to move only.
    Material m = material_of(pos);
    bool is_swapped =
        !material_is_same(&m, &layout->material) || (layout->sides == 1 && pos->side == BLACK);
    Placement placement;
    for (int i = 0; i < layout->men;) {
        Piece p = layout->piece[i];
        Bitboard men = position_men(pos, piece_color(p) ^ is_swapped, piece_type(p));
        do {
            Square s = bit_pop(&men);
            placement.square[i++] = (uint8_t)(is_swapped ? square_turn(s, layout->swap) : s);
        } while (men && i < layout->men);
    }
    *side = pos->side ^ is_swapped;
    return placement;
}

uint64_t layout_find(const Layout *layout, const Position *pos, Color *side)
{
    Placement placement = place_men(layout, pos, side);
    return layout_encode(layout, &placement, NULL);
}

void layout_find_digits(const Layout *layout, const Position *pos, Color *side,
                        uint32_t digit[LAYOUT_DIGITS])
{
    Placement placement = place_men(layout, pos, side);
    int twins;
    encode(layout, &placement, digit, &twins);
}

bool layout_position(const Layout *layout, uint64_t index, Color side, Position *pos)
{
    Placement placement;
    if (!layout_decode(layout, index, &placement))
        return false;
    uint32_t lead = (uint32_t)(index / layout->times[0] % layout->lead_size);
    if (layout->lead_mirror[lead] && layout_encode(layout, &placement, NULL) != index)
        return false;
    position_clear(pos, layout->rules);
    for (int i = 0; i < layout->men; i++)
        position_put(pos, layout->piece[i], placement.square[i]);
    pos->side = (uint8_t)side;
    if (!position_is_sound(pos, NULL))
        return false;
    position_finish(pos);
    return true;
}

int layout_progress(const Layout *layout, uint64_t index)
{
    Placement placement;
    int progress = 0;
    layout_decode(layout, index, &placement);
    for (int i = layout->kings; i < layout->men; i++)
        if (piece_type(layout->piece[i]) == PAWN)
            progress += rules_pawn_progress(layout->rules, piece_color(layout->piece[i]),
                                            placement.square[i]);
    return progress;
}
