// See serve_lab.h.
#include "app/serve_lab.h"

#include <assert.h>

// The order is that of the page; those of `lovac lab` follow.
static const Experiment *const ROWS[] = {&LAB_DEPTH, &LAB_PERFT, &LAB_MATCH, &LAB_LEAGUE,
                                         &LAB_STEPS};

void serve_lab_init(ServeLab *lab, const PlayerList *players)
{
    static_assert(sizeof ROWS / sizeof *ROWS <= SERVE_EXPERIMENTS_MAX, "the list is full");
    lab->count = (int)(sizeof ROWS / sizeof *ROWS);
    for (int i = 0; i < lab->count; i++) {
        lab->list[i] = *ROWS[i];
        lab->list[i].context = players;
    }
    for (int i = 0; LAB_EXPERIMENTS[i]; i++) {
        assert(lab->count < SERVE_EXPERIMENTS_MAX);
        ServeLabRow *row = &lab->rows[lab->count];
        *row = (ServeLabRow){LAB_EXPERIMENTS[i], players};
        serve_lab_row(row, &lab->list[lab->count++]);
    }
}
