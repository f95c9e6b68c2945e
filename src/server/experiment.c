// See experiment.h: counting and finding in rows that end with an empty one. What an experiment
// does is in the program (src/app/serve_lab*.c), how runs are kept in runs.c.
#include "server/experiment.h"

#include <assert.h>
#include <string.h>

int experiment_choice_count(const Experiment *e)
{
    int count = 0;
    while (count < CHOICES_MAX && e->choices[count].key)
        count++;
    return count;
}

int experiment_table_count(const Experiment *e)
{
    int count = 0;
    while (count < TABLES_MAX && e->tables[count].key)
        count++;
    return count;
}

int experiment_chart_count(const Experiment *e)
{
    int count = 0;
    while (count < CHARTS_MAX && e->charts[count].key)
        count++;
    return count;
}

int table_column_count(const RunTable *table)
{
    int count = 0;
    while (count < COLUMNS_MAX && table->columns[count].key)
        count++;
    return count;
}

const Experiment *experiment_find(const Experiment *list, int count, const char *key)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(list[i].key, key))
            return &list[i];
    return NULL;
}

const ChoiceValue *choice_value(const Experiment *e, const ChoiceValue *values, const char *key)
{
    for (int i = 0; i < experiment_choice_count(e); i++)
        if (!strcmp(e->choices[i].key, key))
            return &values[i];
    assert(!"no such choice");
    return NULL;
}
