// See library_search.h.
#include "server/library_search.h"

#include <stdlib.h>
#include <string.h>

#include "core/filter.h"
#include "server/pgn_tree.h"
#include "tables/opening_names.h"

struct LibrarySearch {
    Filter filter;
    PgnText *reader;
    OpeningNames *openings; // where the opening is asked for
};

LibrarySearch *library_search_new(const char *find, Error *error)
{
    LibrarySearch *search = calloc(1, sizeof *search);
    if (search)
        search->reader = pgn_text_open("", 0, NULL, NULL);
    bool ok = search && search->reader ? filter_read(&search->filter, find, error)
                                       : error_set(error, "out of memory");
    if (ok && filter_asks_opening(&search->filter)) {
        search->openings = opening_names_new();
        ok = search->openings || error_set(error, "out of memory");
    }
    if (!ok) {
        library_search_free(search);
        return NULL;
    }
    return search;
}

void library_search_free(LibrarySearch *search)
{
    if (search && search->reader)
        pgn_text_close(search->reader);
    if (search)
        opening_names_free(search->openings);
    free(search);
}

bool library_search_wants(void *context, const StoredGame *saved)
{
    LibrarySearch *search = context;
    // Our own PGN has an empty line behind its tags, and no other before it.
    const char *moves = strstr(saved->pgn, "\n\n");
    bool needs_moves = search->openings || filter_needs_moves(&search->filter);
    size_t size = moves && !needs_moves ? (size_t)(moves - saved->pgn) + 1 : strlen(saved->pgn);
    pgn_text_begin(search->reader, saved->pgn, size);
    PgnGame *game = pgn_text_next(search->reader);
    if (game && filter_lacks_opening(&search->filter, game))
        opening_names_fill_game(search->openings, game);
    return game && pgn_game_add_tag(game, "Name", saved->name) &&
           filter_matches(&search->filter, game);
}
