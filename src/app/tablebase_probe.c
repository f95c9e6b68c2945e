// See tablebase_probe.h.
#include "app/tablebase_probe.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/command.h"
#include "app/options.h"
#include "app/setup.h"
#include "app/tablebase_make.h"
#include "base/json.h"
#include "base/str.h"
#include "core/fen.h"
#include "core/game.h"
#include "core/notation.h"
#include "tables/probe.h"

typedef struct ProbeArguments {
    const char *variant, *folders, *own;
    bool is_quiet, is_no_make, is_json;
    char fen[2 * FEN_SIZE];
} ProbeArguments;

// A position may be quoted, or its fields be words of their own.
static bool read_arguments(int argc, char **argv, ProbeArguments *a, Error *error)
{
    const Option options[] = {OPTION_VARIANT(&a->variant),
                              {.name = "syzygy", .kind = OPTION_TEXT, .value = &a->folders},
                              {.name = "folder", .kind = OPTION_TEXT, .value = &a->own},
                              {.name = "no-make", .kind = OPTION_FLAG, .value = &a->is_no_make},
                              OPTION_JSON(&a->is_json),
                              OPTION_QUIET(&a->is_quiet),
                              {0}};
    Words words;
    Str fen;
    if (!options_read(argc, argv, options, &words, error))
        return false;
    if (!words.count)
        return error_set(error, "probe needs a FEN");
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
    printf(" away%s.\n",
           abs(v->dtz) > 1 && !v->has_end ? " (where files count full moves, one more)" : "");
}

// How far mate is (in Horde: the end), in moves of the winner.
static void print_end(const TableVerdict *v)
{
    int moves = (abs(v->end) + 1) / 2;
    if (v->has_end && v->wdl)
        printf("The end of the game is %d move%s away.\n", moves, moves == 1 ? "" : "s");
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
    print_end(v);
    print_fifty(pos, v);
}

static void print_move(const Position *pos, const MoveVerdict *m)
{
    static const char *const WORDS[5] = {"loses", "loses, but too slowly: draw", "draws",
                                         "wins, but too slowly: draw", "wins"};
    char san[MOVE_TEXT_SIZE], zeroing[32];
    Str text;
    str_init(&text, zeroing, sizeof zeroing);
    move_to_san(pos, m->move, san);
    printf("  %-8s %-29s", san, WORDS[m->verdict.wdl + 2]);
    if (m->is_mate)
        str_add(&text, "mate");
    else if (m->is_zeroing)
        str_format(&text, "at once a %s", move_is_capture(m->move) ? "capture" : "pawn move");
    else if (m->verdict.wdl && m->verdict.has_distance)
        str_format(&text, "%d half-move%s", abs(m->verdict.dtz),
                   abs(m->verdict.dtz) == 1 ? "" : "s");
    if (m->verdict.has_end && m->verdict.wdl)
        printf("%-22s%d half-move%s\n", zeroing, abs(m->verdict.end),
               abs(m->verdict.end) == 1 ? "" : "s");
    else
        printf("%s\n", zeroing);
}

// "result": "win", ... as the side to move has it, and the distances that are known.
static void json_verdict(Json *json, const TableVerdict *v)
{
    static const char *const RESULTS[5] = {"loss", "blessed-loss", "draw", "cursed-win", "win"};
    json_text(json, "result", RESULTS[v->wdl + 2]);
    if (v->has_distance)
        json_int(json, "dtz", v->dtz);
    if (v->has_end)
        json_int(json, "dtm", v->end);
}

static bool print_json(const Position *pos, const PositionVerdict *verdict, Error *error)
{
    char text[MOVE_TEXT_SIZE];
    Json json = {0};
    json_open(&json, NULL, '{');
    setup_add_json(&json, pos);
    json_flag(&json, "over", !verdict->count);
    if (verdict->count)
        json_verdict(&json, &verdict->verdict);
    json_open(&json, "moves", '[');
    for (int i = 0; i < verdict->count; i++) {
        const MoveVerdict *m = &verdict->moves[i];
        json_open(&json, NULL, '{');
        move_to_san(pos, m->move, text);
        json_text(&json, "move", text);
        json_verdict(&json, &m->verdict);
        json_flag(&json, "zeroing", m->is_zeroing);
        json_flag(&json, "mate", m->is_mate);
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
    return json_print(&json, stdout, error);
}

static bool explain(const Position *pos, Tables *tables, bool is_json, Error *error)
{
    PositionVerdict verdict;
    if (!tables_judge(tables, pos, &verdict, error))
        return false;
    if (is_json)
        return print_json(pos, &verdict, error);
    Outcome outcome = position_outcome(pos);
    if (!verdict.count) {
        printf("The game is over: %s.\n", reason_text(outcome.reason));
        return true;
    }
    print_position(pos, &verdict.verdict);
    printf("\n  %-8s %-29s%s%s\n", "move", "result", "to zeroing",
           verdict.verdict.has_end ? "            to the end" : "");
    for (int i = 0; i < verdict.count; i++)
        print_move(pos, &verdict.moves[i]);
    return true;
}

// Syzygy's tables where the user says so, and our own, which are made where they are missing and no
// others were named.
static Tables *open_tables(const ProbeArguments *a, const Position *pos, Error *error)
{
    char own[PLACES_SIZE];
    Tables *tables = tables_new(a->folders ? a->folders : "", error);
    bool can_make = !a->folders && !a->is_no_make;
    bool is_ok = tables && (!can_make || tablebase_make_for(pos, a->own, a->is_quiet, error));
    if (is_ok && tablebase_find_folders(a->own, own, error))
        is_ok = tables_add_own(tables, own, error);
    if (is_ok)
        return tables;
    tables_free(tables);
    return NULL;
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
    Tables *tables = open_tables(&a, &pos, &error);
    bool is_ok = tables && explain(&pos, tables, a.is_json, &error);
    tables_free(tables);
    if (!is_ok)
        fprintf(stderr, "lovac tablebase probe: %s\n", error.text);
    return is_ok ? EXIT_OK : EXIT_FAILED;
}
