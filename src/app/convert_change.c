// See convert_change.h.
#include "app/convert_change.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/random.h"
#include "base/str.h"

// ---- repairing results ----

static Result result_of_tag(const char *tag)
{
    for (int r = RESULT_NONE; tag && r <= RESULT_DRAW; r++)
        if (!strcmp(tag, result_text((Result)r)))
            return (Result)r;
    return RESULT_NONE;
}

// What the last position says counts most, but not by the fifty moves, which must be claimed; then
// what stands behind the moves, then the tag.
static void repair_result(Convert *c)
{
    PgnGame *game = &c->game;
    PgnLine line;
    const char *tag = pgn_game_tag(game, "Result");
    Result said = result_of_tag(tag), right = game->result;
    if (!game->has_start)
        return;
    for (pgn_line_begin(&line, game); pgn_line_next(&line);)
        pgn_line_play(&line);
    Outcome end = position_outcome(&line.pos);
    if (end.result != RESULT_NONE && end.reason != REASON_FIFTY_MOVES && game->is_complete)
        right = end.result;
    else if (right == RESULT_NONE)
        right = said;
    if (right == game->result && said == right && tag && !strcmp(tag, result_text(right)))
        return;
    bool is_changed = right != game->result || (tag && strcmp(tag, result_text(right)));
    game->result = right;
    pgn_game_set_tag(game, "Result", result_text(right));
    c->counts.repaired += is_changed;
}

// ---- stripping ----

bool convert_read_strip(const char *text, unsigned *strip, Error *error)
{
    static const struct {
        const char *name;
        unsigned what;
    } WORDS[] = {{"comments", STRIP_COMMENTS | STRIP_CLOCKS},
                 {"variations", STRIP_VARIATIONS},
                 {"nags", STRIP_NAGS},
                 {"clocks", STRIP_CLOCKS},
                 {"all", STRIP_COMMENTS | STRIP_VARIATIONS | STRIP_NAGS | STRIP_CLOCKS}};
    char copy[128], *rest = copy;
    *strip = 0;
    if (strlen(text) >= sizeof copy)
        return error_set(error, "--strip: too long");
    strcpy(copy, text);
    for (char *word; (word = str_split(&rest, ",")) != NULL;) {
        unsigned found = 0;
        for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
            if (str_same_word(word, WORDS[i].name))
                found = WORDS[i].what;
        if (!found)
            return error_set(error,
                             "--strip: '%.40s' is not one of comments, variations, nags, clocks, "
                             "all",
                             word);
        *strip |= found;
    }
    return true;
}

// Takes [%clk ...] and [%emt ...] out of a comment, in place; false when nothing else is left.
static bool strip_clocks(char *text)
{
    char *out = text;
    bool is_changed = false;
    for (const char *in = text; *in;) {
        const char *end;
        bool is_clock = !strncmp(in, "[%clk", 5) || !strncmp(in, "[%emt", 5) ||
                        !strncmp(in, "[%egt", 5) || !strncmp(in, "[%mct", 5);
        if (is_clock && (end = strchr(in, ']'))) {
            in = end + 1;
            is_changed = true;
            while (*in == ' ' && (out == text || out[-1] == ' '))
                in++;
        } else {
            *out++ = *in++;
        }
    }
    while (is_changed && out > text && out[-1] == ' ')
        out--;
    *out = 0;
    return !is_changed || *text;
}

// Is this item, at this depth of variations, kept?
static bool is_kept(const Convert *c, const PgnItem *item, int depth)
{
    if (depth && c->strip & STRIP_VARIATIONS)
        return false;
    switch (item->kind) {
    case PGN_ITEM_NAG: return !(c->strip & STRIP_NAGS);
    case PGN_ITEM_COMMENT:
        return !(c->strip & STRIP_COMMENTS) &&
               (!(c->strip & STRIP_CLOCKS) || strip_clocks(c->game.text + item->text));
    default: return true;
    }
}

static void strip_game(Convert *c)
{
    PgnGame *game = &c->game;
    uint32_t kept = 0;
    int depth = 0;
    for (uint32_t i = 0; i < game->item_count; i++) {
        PgnItem item = game->items[i];
        depth += item.kind == PGN_ITEM_OPEN;
        if (is_kept(c, &item, depth))
            game->items[kept++] = item;
        depth -= item.kind == PGN_ITEM_CLOSE;
    }
    game->item_count = kept;
}

// ---- duplicates ----

// The moves, the start, and the players where they count, as 128 bits: two different games have the
// same once in some 10^20 pairs.
static struct Fingerprint fingerprint(const Convert *c)
{
    const PgnGame *game = &c->game;
    uint64_t a = game->has_start ? game->start.state.key : 1, b = ~a;
    int depth = 0;
    for (uint32_t i = 0; i < game->item_count; i++) {
        const PgnItem *item = &game->items[i];
        depth += (item->kind == PGN_ITEM_OPEN) - (item->kind == PGN_ITEM_CLOSE);
        if (depth || item->kind != PGN_ITEM_MOVE)
            continue;
        a = random_split(&a) ^ item->value;
        b = (b ^ item->value) * 0x9e3779b97f4a7c15ull;
        b ^= b >> 29;
    }
    static const char *const PLAYERS[] = {"White", "Black"};
    for (int i = 0; i < 2 && c->unique == UNIQUE_PLAYERS; i++) {
        const char *name = pgn_game_tag(game, PLAYERS[i]);
        a = checksum_fnv(a, name ? name : "?", strlen(name ? name : "?") + 1);
        b ^= random_split(&a);
    }
    return (struct Fingerprint){random_split(&a), b | 1};
}

static struct Fingerprint *find_place(const Fingerprints *set, struct Fingerprint f)
{
    size_t i = f.a & (set->room - 1);
    while (set->at[i].b && (set->at[i].a != f.a || set->at[i].b != f.b))
        i = (i + 1) & (set->room - 1);
    return &set->at[i];
}

static bool grow_set(Fingerprints *set)
{
    Fingerprints larger = {.room = set->room ? set->room * 2 : 1 << 12, .count = set->count};
    larger.at = calloc(larger.room, sizeof *larger.at);
    if (!larger.at)
        return false;
    for (size_t i = 0; i < set->room; i++)
        if (set->at[i].b)
            *find_place(&larger, set->at[i]) = set->at[i];
    free(set->at);
    *set = larger;
    return true;
}

static bool is_duplicate(Convert *c)
{
    Fingerprints *set = &c->fingerprints;
    if (2 * (set->count + 1) > set->room && !grow_set(set)) {
        c->is_short = true;
        return false;
    }
    struct Fingerprint f = fingerprint(c), *place = find_place(set, f);
    if (place->b)
        return true;
    *place = f;
    set->count++;
    return false;
}

// ---- all of it ----

bool convert_change(Convert *c)
{
    if (c->repair)
        repair_result(c);
    if (c->classify)
        c->counts.classified += opening_names_tag_game(c->openings, &c->game);
    else if (c->openings && filter_lacks_opening(&c->filter, &c->game))
        c->counts.classified += opening_names_fill_game(c->openings, &c->game);
    if (!filter_matches(&c->filter, &c->game)) {
        c->counts.unwanted++;
        return false;
    }
    if (c->unique != UNIQUE_NO && is_duplicate(c)) {
        c->counts.duplicates++;
        return false;
    }
    if (c->strip)
        strip_game(c);
    return true;
}
