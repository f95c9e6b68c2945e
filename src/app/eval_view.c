// The table that `eval` prints.
#include "app/eval_view.h"

#include "engine/hand.h"

typedef struct Pair {
    int mg, eg;
} Pair;

static Pair term_sum(const HandSetup *setup, const HandTrace *trace, Color c,
                     const HandTermInfo *term)
{
    Pair sum = {0, 0};
    for (int i = term->first; i < term->first + term->count; i++) {
        sum.mg += trace->counts[c][i] * weight_mg(setup->weights[c][i]);
        sum.eg += trace->counts[c][i] * weight_eg(setup->weights[c][i]);
    }
    return sum;
}

void eval_view_write(Str *out, const Position *pos)
{
    const HandSetup *setup = hand_setup(pos->rules);
    HandTrace trace;
    hand_trace(setup, pos, &trace);
    str_format(out, "%-18s|      White    |      Black    |      Total\n", "Term");
    str_format(out, "%-18s|    MG     EG  |    MG     EG  |    MG     EG\n", "");
    str_add(out, "------------------+---------------+---------------+---------------\n");
    Pair total = {0, 0};
    for (const HandTermInfo *t = HAND_TERM_INFO; t->name; t++) {
        Pair w = term_sum(setup, &trace, WHITE, t), b = term_sum(setup, &trace, BLACK, t);
        if (!w.mg && !w.eg && !b.mg && !b.eg)
            continue;
        str_format(out, "%-18s|%6.2f %6.2f  |%6.2f %6.2f  |%6.2f %6.2f\n", t->name, w.mg / 100.0,
                   w.eg / 100.0, b.mg / 100.0, b.eg / 100.0, (w.mg - b.mg) / 100.0,
                   (w.eg - b.eg) / 100.0);
        total.mg += w.mg - b.mg;
        total.eg += w.eg - b.eg;
    }
    str_add(out, "------------------+---------------+---------------+---------------\n");
    str_format(out, "%-50s|%6.2f %6.2f\n", "Sum", total.mg / 100.0, total.eg / 100.0);
    str_format(out, "Phase %d of %d, endgame scaled by %d/%d, mating bonus %.2f\n", trace.phase,
               PHASE_MAX, trace.scale, SCALE_MAX, trace.extra / 100.0);
    str_format(out, "Evaluation %+.2f (for White)\n", trace.value / 100.0);
}
