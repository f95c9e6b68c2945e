// `lovac tablebase make`, `verify` and `list`: our own tables of endings. Rows of the table of
// subcommands in cmd_tablebase.c; each gets its own name as argv[0].
#ifndef LOVAC_APP_TABLEBASE_MAKE_H
#define LOVAC_APP_TABLEBASE_MAKE_H

#include <stddef.h>

#include "core/position.h"
#include "tables/places.h"

int tablebase_make(int argc, char **argv);
int tablebase_verify(int argc, char **argv);
int tablebase_list(int argc, char **argv);

// Where our own tables are made: `folder`, or (NULL) in the user's data folder. False when there is
// none or the name is too long.
bool tablebase_folder(const char *folder, char *path, size_t size, Error *error);

// Where they are looked for: `folder`, or (NULL) the user's and the system's that are there.
bool tablebase_find_folders(const char *folder, char list[PLACES_SIZE], Error *error);

// Makes the tables that a position of at most four men needs, where they are missing, with a
// progress bar; `folder` as above. True if nothing is to be made.
bool tablebase_make_for(const Position *pos, const char *folder, bool is_quiet, Error *error);

#endif
