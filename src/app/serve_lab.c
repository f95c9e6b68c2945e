// See serve_lab.h.
#include "app/serve_lab.h"

#include <assert.h>

// The order is that of the page.
static const Experiment *const ROWS[] = {&LAB_DEPTH, &LAB_PERFT, &LAB_MATCH};

void serve_lab_init(ServeLab *lab, const PlayerList *players)
{
    static_assert(sizeof ROWS / sizeof *ROWS <= SERVE_EXPERIMENTS_MAX, "the list is full");
    lab->count = (int)(sizeof ROWS / sizeof *ROWS);
    for (int i = 0; i < lab->count; i++) {
        lab->list[i] = *ROWS[i];
        lab->list[i].context = players;
    }
}
