// See opening_names.h.
#include "tables/opening_names.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fen.h"
#include "core/notation.h"

const OpeningName OPENING_NAMES[] = {
#include "tables/opening_names.inc"
};
const int OPENING_NAME_COUNT = sizeof OPENING_NAMES / sizeof *OPENING_NAMES;

enum {
    SLOTS = 4096,   // some four times as many as there are openings
    PLIES_MAX = 60, // nobody looks for an opening later
};
static_assert(SLOTS > 2 * sizeof OPENING_NAMES / sizeof *OPENING_NAMES, "the index is too small");

typedef struct Slot {
    Key key;
    const OpeningName *opening; // NULL: free
} Slot;

struct OpeningNames {
    Slot slots[SLOTS];
};

static const Slot *find_slot(const OpeningNames *openings, Key key)
{
    size_t i = key % SLOTS;
    while (openings->slots[i].opening && openings->slots[i].key != key)
        i = (i + 1) % SLOTS;
    return &openings->slots[i];
}

// Plays the moves of a row; false when one is not legal, which a test makes sure of.
static bool play_row(const char *moves, Position *pos)
{
    while (*moves) {
        char word[MOVE_TEXT_SIZE];
        Undo undo;
        size_t size = strcspn(moves, " ");
        snprintf(word, sizeof word, "%.*s", (int)size, moves);
        Move move = move_from_uci(pos, word, NULL);
        if (!move)
            return false;
        position_make(pos, move, &undo);
        moves += size;
        moves += *moves == ' ';
    }
    return true;
}

OpeningNames *opening_names_new(void)
{
    const Rules *chess = &VARIANTS[VARIANT_CHESS];
    OpeningNames *openings = calloc(1, sizeof *openings);
    Position start;
    if (!openings || !position_from_fen(&start, chess, chess->start_fen, NULL)) {
        free(openings);
        return NULL;
    }
    for (int i = 0; i < OPENING_NAME_COUNT; i++) {
        Position pos = start;
        if (!play_row(OPENING_NAMES[i].moves, &pos))
            continue;
        size_t slot = (size_t)(find_slot(openings, pos.state.key) - openings->slots);
        openings->slots[slot] = (Slot){.key = pos.state.key, .opening = &OPENING_NAMES[i]};
    }
    return openings;
}

void opening_names_free(OpeningNames *openings)
{
    free(openings);
}

const OpeningName *opening_names_find(const OpeningNames *openings, const Position *pos)
{
    return pos->rules == &VARIANTS[VARIANT_CHESS] ? find_slot(openings, pos->state.key)->opening
                                                  : NULL;
}

const OpeningName *opening_names_of_moves(const OpeningNames *openings, const Position *start,
                                          const Move *moves, int count)
{
    const OpeningName *last = opening_names_find(openings, start);
    Position pos = *start;
    if (pos.rules != &VARIANTS[VARIANT_CHESS])
        return NULL;
    for (int i = 0; i < count && i < PLIES_MAX; i++) {
        Undo undo;
        if (moves[i])
            position_make(&pos, moves[i], &undo);
        else
            position_make_null(&pos, &undo);
        const OpeningName *here = opening_names_find(openings, &pos);
        last = here ? here : last;
    }
    return last;
}

// The name up to its colon, and what stands behind.
static bool set_names(PgnGame *game, const char *name)
{
    char opening[128];
    size_t size = strcspn(name, ":");
    snprintf(opening, sizeof opening, "%.*s", (int)size, name);
    return pgn_game_set_tag(game, "Opening", opening) &&
           (!name[size]
                ? !pgn_game_tag(game, "Variation") || pgn_game_set_tag(game, "Variation", "")
                : pgn_game_set_tag(game, "Variation", name + size + 2));
}

static const OpeningName *opening_of_game(const OpeningNames *openings, const PgnGame *game)
{
    Move moves[PLIES_MAX];
    if (!game->has_start)
        return NULL;
    int count = pgn_game_moves(game, moves, PLIES_MAX);
    return opening_names_of_moves(openings, &game->start, moves,
                                  count < PLIES_MAX ? count : PLIES_MAX);
}

bool opening_names_tag_game(const OpeningNames *openings, PgnGame *game)
{
    const OpeningName *opening = opening_of_game(openings, game);
    return opening && pgn_game_set_tag(game, "ECO", opening->code) &&
           set_names(game, opening->name);
}

bool opening_names_fill_game(const OpeningNames *openings, PgnGame *game)
{
    const OpeningName *opening = opening_of_game(openings, game);
    bool has_code = pgn_game_tag(game, "ECO"), has_name = pgn_game_tag(game, "Opening");
    return opening && (has_code || pgn_game_set_tag(game, "ECO", opening->code)) &&
           (has_name || set_names(game, opening->name));
}
