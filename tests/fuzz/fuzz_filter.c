// Any text as a filter: it is refused with a reason, or asked of games of all variants.
#include "base/memory.h"
#include "core/filter.h"
#include "fuzz_help.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Filter filter, opposite;
    static PgnGame game;
    Position pos;
    Error error = {0};
    take_position(&data, &size, &pos);
    char *text = take_text(data, size), *not_text = malloc(size + 8);
    snprintf(not_text, size + 8, "not (%s)", text);
    if (!filter_read(&filter, text, &error)) {
        DEMAND(error.text[0]);
    } else {
        pgn_game_init(&game, memory_from_heap, NULL, NULL);
        DEMAND(pgn_game_begin(&game, &pos) && pgn_game_add_tag(&game, "White", "Tal, M"));
        Move list[MAX_MOVES];
        for (int i = 0; i < 4 && movegen_legal(&game.levels[0].now, STAGE_ALL, list); i++)
            DEMAND(pgn_game_add_move(&game, list[0]));
        bool is_wanted = filter_matches(&filter, &game);
        DEMAND(!is_wanted || !filter_rules_out(&filter, &game));
        DEMAND(filter.root < 0 || !filter_read(&opposite, not_text, &error) ||
               filter_matches(&opposite, &game) != is_wanted);
        pgn_game_release(&game);
    }
    free(text);
    free(not_text);
    return 0;
}
