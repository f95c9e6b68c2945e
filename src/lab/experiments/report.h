// What a run leaves behind: NAME.csv, NAME.md and CHART.svg for one experiment, and a page with all
// of them.
#ifndef LOVAC_LAB_EXPERIMENTS_REPORT_H
#define LOVAC_LAB_EXPERIMENTS_REPORT_H

#include "lab/experiments/experiment.h"

enum { LAB_REPORT_SIZE = 1 << 20, LAB_PATH_SIZE = 1024, LAB_MACHINE_SIZE = 128 };

// What a terminal shows after a run: title, tables, conclusions.
void lab_report_plain(const LabRun *run, Str *out);

// The same as a section of a page; charts are linked as PICTURES/KEY.svg.
void lab_report_markdown(const LabRun *run, const char *pictures, Str *out);

// Writes the files of one experiment into a folder, which is made where it is missing: a CSV file
// for each table (NAME.csv, further ones NAME-TABLE.csv), a Markdown page and the charts.
bool lab_report_files(const LabRun *run, const char *folder, Error *error);

// Writes the charts alone.
bool lab_report_charts(const LabRun *run, const char *folder, Error *error);

// The processor as it calls itself, and how many of them: "AMD EPYC 9R14, 2 processors".
void lab_report_machine(char text[LAB_MACHINE_SIZE]);

#endif
