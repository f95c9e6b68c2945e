// See tablebase_probe.h.
#include "app/tablebase_probe.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/command.h"
#include "app/options.h"
#include "app/setup.h"
#include "base/str.h"
#include "core/fen.h"
#include "core/game.h"
#include "core/notation.h"
#include "tables/probe.h"

typedef struct ProbeArguments {
    const char *variant, *folders;
    char fen[2 * FEN_SIZE];
} ProbeArguments;

// A position may be quoted, or its fields be words of their own.
static bool read_arguments(int argc, char **argv, ProbeArguments *a, Error *error)
{
    const Option options[] = {OPTION_VARIANT(&a->variant),
                              {.name = "syzygy", .kind = OPTION_TEXT, .value = &a->folders},
                              {0}};
    Words words;
    Str fen;
    if (!options_read(argc, argv, options, &words, error))
        return false;
    if (!words.count)
        return error_set(error, "probe needs a FEN");
    if (!a->folders)
        return error_set(error, "say where the tables are: --syzygy FOLDERS");
    str_init(&fen, a->fen, sizeof a->fen);
    for (int i = 0; i < words.count; i++)
        str_format(&fen, "%s%s", i ? " " : "", words.at[i]);
    return true;
}

static const char *side_name(Color side)
{
    return side == WHITE ? "White" : "Black";
}

// "1 half-move", "7 half-moves".
static void print_count(int count)
{
    printf("%d half-move%s", count, count == 1 ? "" : "s");
}

// How far the end is, in a sentence.
static void print_distance(const TableVerdict *v)
{
    if (!v->wdl)
        return;
    if (!v->has_distance) {
        printf("How soon is unknown: there is no table with distances.\n");
        return;
    }
    printf("The next capture or pawn move that keeps it, or mate, is ");
    print_count(abs(v->dtz));
    printf(" away%s.\n", abs(v->dtz) > 1 ? " (where files count full moves, one more)" : "");
}

// The counter of the position may spoil what the table promises.
static void print_fifty(const Position *pos, const TableVerdict *v)
{
    int fifty = pos->state.fifty;
    if (abs(v->wdl) != 2 || !v->has_distance || !fifty)
        return;
    bool is_late = abs(v->dtz) + fifty > 100;
    printf("%d half-moves are counted already: %s\n", fifty,
           is_late ? "with best defence the fifty-move rule comes first, and it is a draw."
                   : "the fifty-move rule does not come in between.");
}

static void print_position(const Position *pos, const TableVerdict *v)
{
    const char *winner = side_name(v->wdl > 0 ? pos->side : !pos->side);
    printf("%s to move. ", side_name(pos->side));
    if (!v->wdl)
        printf("With best play it is a draw.\n");
    else if (abs(v->wdl) == 2)
        printf("%s wins.\n", winner);
    else
        printf("%s could win, but not within the fifty-move rule: a draw.\n", winner);
    print_distance(v);
    print_fifty(pos, v);
}

static void print_move(const Position *pos, const MoveVerdict *m)
{
    static const char *const WORDS[5] = {"loses", "loses, but too slowly: draw", "draws",
                                         "wins, but too slowly: draw", "wins"};
    char san[MOVE_TEXT_SIZE];
    move_to_san(pos, m->move, san);
    printf("  %-8s %-29s", san, WORDS[m->verdict.wdl + 2]);
    if (m->is_mate)
        printf("mate");
    else if (m->is_zeroing)
        printf("at once a %s", move_is_capture(m->move) ? "capture" : "pawn move");
    else if (m->verdict.wdl && m->verdict.has_distance)
        print_count(abs(m->verdict.dtz));
    printf("\n");
}

static bool explain(const Position *pos, Tables *tables, Error *error)
{
    static PositionVerdict verdict; // large
    if (!tables_judge(tables, pos, &verdict, error))
        return false;
    Outcome outcome = position_outcome(pos);
    if (!verdict.count) {
        printf("The game is over: %s.\n", reason_text(outcome.reason));
        return true;
    }
    print_position(pos, &verdict.verdict);
    printf("\n  %-8s %-29s%s\n", "move", "result", "to zeroing");
    for (int i = 0; i < verdict.count; i++)
        print_move(pos, &verdict.moves[i]);
    return true;
}

int tablebase_probe(int argc, char **argv)
{
    ProbeArguments a = {0};
    Position pos;
    Error error = {0};
    if (!read_arguments(argc, argv, &a, &error))
        return options_refuse("tablebase", &error);
    Setup setup = {.variant = a.variant, .fen = a.fen};
    if (!setup_position(&setup, &pos, &error))
        return options_refuse("tablebase", &error);
    Tables *tables = tables_new(a.folders, &error);
    bool is_ok = tables && explain(&pos, tables, &error);
    tables_free(tables);
    if (!is_ok)
        fprintf(stderr, "lovac tablebase probe: %s\n", error.text);
    return is_ok ? EXIT_OK : EXIT_FAILED;
}
