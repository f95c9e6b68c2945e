// The 'simplified evaluation function' (Tomasz Michniewski) that document G names as its second
// step: a value for each man and a value for the square it stands on. The first step, material
// alone (9/5/3/3/1), is material.h.
#ifndef LOVAC_LAB_AGENTS_G_EVALUATE_H
#define LOVAC_LAB_AGENTS_G_EVALUATE_H

#include "lab/agents/g_board.h"

// Centipawns for the side to move.
int g_evaluate(const GBoard *board);

#endif
