// See spread.h: a program built without MPI is always alone.
#include <stdlib.h>

#include "base/spread_int.h"
#include "base/str.h"
#include "base/thread.h"

bool spread_join(SpreadTeam **team, Error *error)
{
    *team = NULL;
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    long long processes = 1;
    // They would all do the same and write the same files.
    return !size || !str_to_int(size, 1, 1000000, &processes) || processes == 1 ||
           error_set(error, "built without MPI: run it without mpirun, on threads");
}

void spread_leave(SpreadTeam *team)
{
    (void)team;
}

bool spread_is_first(const SpreadTeam *team)
{
    return !team;
}

int spread_processes(const SpreadTeam *team)
{
    return !team;
}

int spread_lost(const SpreadTeam *team)
{
    return team ? 1 : 0;
}

int spread_threads(const SpreadTeam *team)
{
    return team ? 1 : thread_cpu_count();
}

bool spread_serve(SpreadTeam *team, const SpreadWork *work, Error *error)
{
    (void)team, (void)work;
    return error_set(error, "nobody to work for");
}

SpreadLine *spread_team_line(SpreadTeam *team, uint64_t run)
{
    (void)team, (void)run;
    return NULL;
}

uint64_t spread_team_next_run(SpreadTeam *team)
{
    return !team;
}

void spread_team_halt(SpreadTeam *team)
{
    (void)team;
}

SpreadAnswer spread_line_do(SpreadLine *line, const SpreadPiece *piece, const atomic_bool *halt,
                            Bytes *result, Error *error)
{
    (void)line, (void)piece, (void)halt, (void)result, (void)error;
    return SPREAD_GONE;
}
