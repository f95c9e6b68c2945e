// The other processes as spread.c sees them; private to src/base. spread_mpi.c makes it true where
// MPI was found when building, spread_alone.c where it was not.
#ifndef LOVAC_BASE_SPREAD_INT_H
#define LOVAC_BASE_SPREAD_INT_H

#include "base/spread.h"

// The connection to one worker of another process.
typedef struct SpreadLine SpreadLine;

// A worker that is not yet asked in run number `run`, or NULL; never waits. Dead ones are left out.
SpreadLine *spread_team_line(SpreadTeam *team, uint64_t run);

// Numbers the runs of a team, from 1.
uint64_t spread_team_next_run(SpreadTeam *team);

// Tells all processes to drop what they are at.
void spread_team_halt(SpreadTeam *team);

typedef enum SpreadAnswer {
    SPREAD_DONE,   // the result is there
    SPREAD_FAILED, // with the reason
    SPREAD_GONE    // the process has died or stopped; the line is not to be used again
} SpreadAnswer;

// Has the worker do a piece and waits for its answer; once `halt` is true not for long.
SpreadAnswer spread_line_do(SpreadLine *line, const SpreadPiece *piece, const atomic_bool *halt,
                            Bytes *result, Error *error);

#endif
