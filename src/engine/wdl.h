// Win, draw and loss from a score: two logistic curves whose middle and width follow the number of
// men on the board. The constants are fitted to Lovac's own games (lovac data wdl).
#ifndef LOVAC_ENGINE_WDL_H
#define LOVAC_ENGINE_WDL_H

#include "engine/engine.h"

enum { WDL_MEN_MAX = 32 }; // more men count as so many

typedef struct WdlModel {
    double draw, draw_men; // the score that wins half of the games, with 32 men; and more for each
                           // man that is gone
    double scale, scale_men; // the width of the curves: the same
} WdlModel;

// The one that the engine uses.
extern const WdlModel WDL_MODEL;

// Chances of winning and losing, 0 to 1, at a score that is no mate.
void wdl_chances(const WdlModel *model, int men, double score, double *win, double *loss);

// The same in thousandths, mates included.
Wdl wdl_of(const WdlModel *model, int men, int score);

#endif
