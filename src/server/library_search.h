// The library's search: the filter of core/filter.h asked of saved games. A word alone also finds
// the name under which a game was saved.
#ifndef LOVAC_SERVER_LIBRARY_SEARCH_H
#define LOVAC_SERVER_LIBRARY_SEARCH_H

#include "server/store.h"

typedef struct LibrarySearch LibrarySearch;

// Reads what is looked for; NULL, with the reason, when it is not understood.
LibrarySearch *library_search_new(const char *find, Error *error);
void library_search_free(LibrarySearch *search); // NULL does nothing

// Is this game wanted? A StoreGameTest; `search` is a LibrarySearch.
bool library_search_wants(void *search, const StoredGame *game);

#endif
