// The runs of experiments as browsers know them: waiting, running or over, with their tables. One
// runs at a time, the others in the order in which they were asked for; the last ones are kept in
// the store. On the event loop's thread.
#ifndef LOVAC_SERVER_RUNS_H
#define LOVAC_SERVER_RUNS_H

#include "server/hub.h"

typedef struct Runs Runs;

enum {
    RUNS_KEPT = 50,        // that are over
    RUNS_WAITING_MAX = 8,  // of all
    RUNS_OF_OWNER_MAX = 2, // of one browser: waiting or running
};

// The hub's runs, with those from the store; NULL without memory.
Runs *runs_new(Hub *hub);

// What still runs or waits counts as interrupted after a restart.
void runs_free(Runs *runs);

// Adds a run; its number, or 0 (with the reason) when too many wait. `choices` is kept as JSON.
int64_t runs_add(Runs *runs, const Experiment *experiment, const ChoiceValue *values,
                 json_t *choices, const Client *client, Error *error);

// Lets a run go on that was stopped, failed or was interrupted: it waits its turn again. `values`
// are those of its choices. False, with the reason, when it cannot be or too many wait.
bool runs_continue(Runs *runs, int64_t id, const ChoiceValue *values, const Client *client,
                   Error *error);

// The experiment of a run, and its choices as JSON (borrowed); NULL when there is no such run.
const Experiment *runs_experiment(const Runs *runs, int64_t id, json_t **choices);

// Where a run keeps its files; false when there is no such run or nothing is kept.
enum { RUNS_PATH_SIZE = 2048 };
bool runs_folder(const Runs *runs, int64_t id, char path[RUNS_PATH_SIZE]);

// May this owner stop the run? Whoever began it may; on a machine of one's own, everybody.
bool runs_may_halt(const Runs *runs, int64_t id, const char *owner);

// Ends a run that waits or goes on; harmless when it is over. False when there is no such run.
bool runs_halt(Runs *runs, int64_t id);

// All runs without their tables, the newest first; one with them, or NULL.
json_t *runs_list(const Runs *runs, const char *owner);
json_t *runs_show(const Runs *runs, int64_t id, const char *owner);

// Sees to what the runner reported, begins the next run, tells those who watch.
void runs_turn(Runs *runs, int64_t now_ms);

// When runs_turn has something to do without being woken; 0: never.
int64_t runs_due_ms(const Runs *runs);

#endif
