// `lovac tablebase probe`: what the tables say of a position and of each of its moves, in words.
#ifndef LOVAC_APP_TABLEBASE_PROBE_H
#define LOVAC_APP_TABLEBASE_PROBE_H

// A row of the table of subcommands in cmd_tablebase.c: gets "probe" as argv[0].
int tablebase_probe(int argc, char **argv);

#endif
