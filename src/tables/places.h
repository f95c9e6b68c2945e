// Where knowledge on disk is looked for when nobody says: Lovac's own tables in the user's data
// folder, then in those of the system, by the XDG rules.
#ifndef LOVAC_TABLES_PLACES_H
#define LOVAC_TABLES_PLACES_H

#include <stdbool.h>
#include <stddef.h>

enum { PLACES_SIZE = 8192 }; // room for a list of folders

// A folder of the user's: $NAME/lovac, or $HOME/fallback/lovac; false without either.
bool places_user_folder(const char *name, const char *fallback, char *path, size_t size);

// Where the user's tables are made: $XDG_DATA_HOME/lovac/tables, there or not; false without a
// home.
bool places_tables(char *path, size_t size);

// The folders of tables that are there, the user's first, then those of $XDG_DATA_DIRS, as
// own_open takes them; false, and "", when there are none.
bool places_find_tables(char list[PLACES_SIZE]);

#endif
