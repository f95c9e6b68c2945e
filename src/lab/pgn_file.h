// PGN files, packed or not, game by game, for those who want whole games (core/pgn.h) and no fuss.
#ifndef LOVAC_LAB_PGN_FILE_H
#define LOVAC_LAB_PGN_FILE_H

#include "core/pgn.h"

typedef struct PgnFile PgnFile;

// Opens a file; "-" is standard input.
PgnFile *pgn_file_open(const char *path, Error *error);

// The next game, checked move by move, valid until the next call; NULL at the end. `rules` are for
// games that do not say (NULL: chess).
PgnGame *pgn_file_next(PgnFile *file, const Rules *rules);

// The same into a game of the caller's, which stays valid.
bool pgn_file_read(PgnFile *file, PgnGame *game, const Rules *rules);

// Complaints about games so far.
uint64_t pgn_file_problems(const PgnFile *file);

// Bytes read and in all (0: unknown), packed.
uint64_t pgn_file_position(const PgnFile *file);
uint64_t pgn_file_length(const PgnFile *file);

// False, with the reason, when the file could not be read to its end.
bool pgn_file_close(PgnFile *file, Error *error);

#endif
