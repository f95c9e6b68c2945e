// Draws a table as a picture: lines over a number or groups of bars, with axes, ticks and a legend,
// as SVG that needs nothing else. Published columns are drawn dashed (lines) or pale (bars).
#ifndef LOVAC_LAB_EXPERIMENTS_CHART_H
#define LOVAC_LAB_EXPERIMENTS_CHART_H

#include "lab/experiments/experiment.h"

// Adds the whole picture. Cells without a number leave a gap.
void lab_chart_svg(const LabChart *chart, const LabTable *table, const LabRows *rows, Str *out);

// The marks of an axis from low to high: at most `most` round numbers (1, 2 or 5 times a power of
// ten apart; powers of ten when logarithmic), lowest first. Returns how many.
int lab_chart_ticks(double low, double high, bool is_logarithmic, double *ticks, int most);

#endif
