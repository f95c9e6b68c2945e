// See wdl.h.
#include "engine/wdl.h"

#include <math.h>

#include "engine/score.h"

// Fitted to 15 776 positions of 400 games of the engine against itself at 1+0.01.
const WdlModel WDL_MODEL = {.draw = 113, .draw_men = 2.7, .scale = 74.8, .scale_men = -1.7};

void wdl_chances(const WdlModel *m, int men, double score, double *win, double *loss)
{
    double gone = men < WDL_MEN_MAX ? WDL_MEN_MAX - men : 0;
    double draw = m->draw + m->draw_men * gone, scale = m->scale + m->scale_men * gone;
    *win = 1 / (1 + exp((draw - score) / scale));
    *loss = 1 / (1 + exp((draw + score) / scale));
}

Wdl wdl_of(const WdlModel *m, int men, int score)
{
    double win, loss;
    if (score_is_win(score) || score_is_loss(score))
        score = score_is_win(score) ? 10000 : -10000;
    wdl_chances(m, men, score, &win, &loss);
    Wdl wdl = {.win = (int)(0.5 + 1000 * win), .loss = (int)(0.5 + 1000 * loss)};
    wdl.draw = 1000 - wdl.win - wdl.loss;
    return wdl;
}
