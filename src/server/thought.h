// What the thinker found, on its way to rooms and browsers.
#ifndef LOVAC_SERVER_THOUGHT_H
#define LOVAC_SERVER_THOUGHT_H

#include "server/hub.h"

// Sees to one report.
void thought_report(Hub *hub, const Report *report);

// LINE number `rank` (from 1) of a report on a position.
json_t *thought_line(const Position *root, const Report *report, int rank);

#endif
