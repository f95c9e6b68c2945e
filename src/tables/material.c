// See material.h.
#include "tables/material.h"

#include <stdlib.h>
#include <string.h>

#include "core/symmetry.h"

static const char LETTERS[] = "PNBRQK"; // by type

const char *material_set(const Rules *rules)
{
    if (rules->can_use_tablebases)
        return "chess";
    return rules->has_king[WHITE] ? rules->name : NULL;
}

int material_men(const Material *material)
{
    int men = 0;
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = PAWN; t <= KING; t++)
            men += material->count[c][t];
    return men;
}

int material_pawns(const Material *material)
{
    return material->count[WHITE][PAWN] + material->count[BLACK][PAWN];
}

static int side_men(const Material *material, Color c)
{
    int men = 0;
    for (PieceType t = PAWN; t <= KING; t++)
        men += material->count[c][t];
    return men;
}

bool material_has_table(const Material *material)
{
    int kings = material->count[WHITE][KING] + material->count[BLACK][KING];
    return material_men(material) > kings && side_men(material, WHITE) && side_men(material, BLACK);
}

int material_swap(const Rules *rules)
{
    for (int symmetry = SYMMETRY_COUNT - 1; symmetry > 0; symmetry--)
        if (rules_have_symmetry(rules, symmetry, true))
            return symmetry;
    return -1;
}

// Does Black have more or better men than White?
static bool is_black_stronger(const Material *m)
{
    int more = side_men(m, BLACK) - side_men(m, WHITE);
    for (PieceType t = QUEEN; t >= PAWN && !more; t--)
        more = m->count[BLACK][t] - m->count[WHITE][t];
    return more > 0;
}

bool material_normalise(Material *material, const Rules *rules)
{
    if (!is_black_stronger(material) || material_swap(rules) < 0)
        return false;
    Material old = *material;
    memcpy(material->count[WHITE], old.count[BLACK], TYPE_COUNT);
    memcpy(material->count[BLACK], old.count[WHITE], TYPE_COUNT);
    return true;
}

Material material_of(const Position *pos)
{
    Material m;
    for (Color c = WHITE; c <= BLACK; c++)
        for (PieceType t = PAWN; t <= KING; t++)
            m.count[c][t] = (uint8_t)bit_count(position_men(pos, c, t));
    return m;
}

// Reads the men of one side up to the next side; NULL at a letter that is none.
static const char *read_side(uint8_t count[TYPE_COUNT], const char *at)
{
    for (bool is_first = true; *at && *at != 'v'; at++, is_first = false) {
        const char *letter = strchr(LETTERS, *at);
        if (!letter)
            return NULL;
        if (*letter == 'K' && !is_first)
            return at; // the other king
        count[letter - LETTERS]++;
    }
    return *at == 'v' ? at + 1 : at;
}

bool material_read(Material *material, const Rules *rules, const char *name, Error *error)
{
    memset(material, 0, sizeof *material);
    const char *at = strlen(name) < MATERIAL_NAME_SIZE ? name : NULL;
    for (Color c = WHITE; c <= BLACK && at; c++)
        at = read_side(material->count[c], at);
    if (!at || *at)
        return error_set(error, "'%s' is no material: letters KQRBNP, as in KQKR or KQvKR", name);
    for (Color c = WHITE; c <= BLACK; c++)
        if (material->count[c][KING] != rules->has_king[c])
            return error_set(error, "'%s': in %s %s has %s king", name, rules->title,
                             c == WHITE ? "White" : "Black", rules->has_king[c] ? "a" : "no");
    if (material_men(material) > TABLE_MEN)
        return error_set(error, "'%s': tables have at most %d men", name, TABLE_MEN);
    material_normalise(material, rules);
    if (!material_has_table(material))
        return error_set(error, "'%s': there is nothing to play for", name);
    return true;
}

void material_write(const Material *material, char name[MATERIAL_NAME_SIZE])
{
    char *out = name;
    for (Color c = WHITE; c <= BLACK; c++) {
        if (c == BLACK && !material->count[BLACK][KING])
            *out++ = 'v';
        for (PieceType t = KING; t >= PAWN; t--)
            for (int i = 0; i < material->count[c][t] && out - name < MATERIAL_NAME_SIZE - 1; i++)
                *out++ = LETTERS[t];
    }
    *out = 0;
}

// Fewer men first, then fewer pawns: what a table needs comes before it. The rest is for a fixed
// order.
static int by_need(const void *a, const void *b)
{
    const Material *x = a, *y = b;
    int order = material_men(x) - material_men(y);
    if (!order)
        order = material_pawns(x) - material_pawns(y);
    return order ? order : memcmp(y, x, sizeof *x);
}

// Adds every way to give out `left` men to the places (colour and type, kings apart) from `place`.
static int add_all(const Rules *rules, Material *m, int place, int left, Material *list, int count)
{
    if (place == 2 * KING) {
        Material normal = *m;
        if (!left && material_has_table(m) && !material_normalise(&normal, rules) &&
            count < MATERIAL_LIST_SIZE)
            list[count++] = *m;
        return count;
    }
    uint8_t *here = &m->count[place & 1][place >> 1];
    for (int n = 0; n <= left; n++) {
        *here = (uint8_t)n;
        count = add_all(rules, m, place + 1, left - n, list, count);
    }
    *here = 0;
    return count;
}

int material_list(const Rules *rules, int men, Material *list)
{
    Material m = {0};
    m.count[WHITE][KING] = rules->has_king[WHITE];
    m.count[BLACK][KING] = rules->has_king[BLACK];
    int count = add_all(rules, &m, 0, men - material_men(&m), list, 0);
    qsort(list, (size_t)count, sizeof *list, by_need);
    return count;
}

static int add_once(Material m, const Rules *rules, Material *list, int count)
{
    material_normalise(&m, rules);
    if (!material_has_table(&m))
        return count;
    for (int i = 0; i < count; i++)
        if (material_is_same(&list[i], &m))
            return count;
    list[count] = m;
    return count + 1;
}

// Adds what is left when a man of colour c is taken (not a king).
static int add_captures(const Material *from, Color c, const Rules *rules, Material *list,
                        int count)
{
    for (PieceType t = PAWN; t < KING; t++)
        if (from->count[c][t]) {
            Material m = *from;
            m.count[c][t]--;
            count = add_once(m, rules, list, count);
        }
    return count;
}

int material_children(const Material *material, const Rules *rules, Material *list)
{
    int count = 0;
    for (Color c = WHITE; c <= BLACK; c++) {
        count = add_captures(material, c, rules, list, count);
        for (PieceType t = KNIGHT; t <= QUEEN && material->count[c][PAWN]; t++) {
            Material m = *material;
            m.count[c][PAWN]--;
            m.count[c][t]++;
            count = add_once(m, rules, list, count);
            count = add_captures(&m, !c, rules, list, count);
        }
    }
    return count;
}

int material_add_with_children(const Material *material, const Rules *rules, Material *list,
                               int count)
{
    Material children[64];
    for (int i = 0; i < count; i++)
        if (material_is_same(&list[i], material))
            return count;
    int n = material_children(material, rules, children);
    for (int i = 0; i < n; i++)
        count = material_add_with_children(&children[i], rules, list, count);
    if (count < MATERIAL_LIST_SIZE)
        list[count++] = *material;
    return count;
}
