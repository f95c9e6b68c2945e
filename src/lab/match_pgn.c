// See match_pgn.h.
#include "lab/match_pgn.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum { TEXT_SIZE = 192 };

static const char *termination_text(const MatchGame *g, Reason reason)
{
    switch (g->fault) {
    case FAULT_CRASH: return "abandoned";
    case FAULT_STALL: return "unterminated";
    case FAULT_ILLEGAL: return "rules infraction";
    case FAULT_TIME: return "time forfeit";
    default: return reason == REASON_ADJUDICATION ? "adjudication" : "normal";
    }
}

// A clock as PGN writes it: 40/60+0.5, 10+0.1, 1/0.2 for a time for each move; - for none.
static void clock_text(const PlayerLimits *l, char text[TEXT_SIZE])
{
    Str out;
    str_init(&out, text, TEXT_SIZE);
    if (l->time_ms != TIME_UNSET) {
        if (l->moves_per_control)
            str_format(&out, "%d/", l->moves_per_control);
        str_format(&out, "%g", (double)l->time_ms / 1000);
        if (l->increment_ms)
            str_format(&out, "+%g", (double)l->increment_ms / 1000);
    } else if (l->move_time_ms != TIME_UNSET) {
        str_format(&out, "1/%g", (double)l->move_time_ms / 1000);
    } else {
        str_add(&out, "-");
    }
}

// One tag for both, or one for each where they differ.
static bool add_clocks(PgnGame *pgn, const MatchPgnTags *tags)
{
    char white[TEXT_SIZE], black[TEXT_SIZE];
    if (!tags->limits[WHITE] || !tags->limits[BLACK])
        return true;
    clock_text(tags->limits[WHITE], white);
    clock_text(tags->limits[BLACK], black);
    if (!strcmp(white, black))
        return pgn_game_set_tag(pgn, "TimeControl", white);
    return pgn_game_set_tag(pgn, "WhiteTimeControl", white) &&
           pgn_game_set_tag(pgn, "BlackTimeControl", black);
}

static bool add_ply_count(PgnGame *pgn, const MatchGame *g)
{
    char text[TEXT_SIZE];
    Str out;
    str_init(&out, text, sizeof text);
    str_format(&out, "%d", g->game.count);
    return pgn_game_set_tag(pgn, "PlyCount", text);
}

static bool add_tags(PgnGame *pgn, const MatchGame *g, const MatchPgnTags *tags, Outcome outcome)
{
    char text[TEXT_SIZE];
    Str round;
    str_init(&round, text, sizeof text);
    str_format(&round, "%d.%d", tags->round, tags->board);
    return pgn_game_set_tag(pgn, "Event", tags->event) &&
           pgn_game_set_tag(pgn, "Date", tags->date) && pgn_game_set_tag(pgn, "Round", text) &&
           pgn_game_set_tag(pgn, "White", tags->white) &&
           pgn_game_set_tag(pgn, "Black", tags->black) &&
           pgn_game_set_tag(pgn, "Result", result_text(outcome.result)) &&
           pgn_game_set_tag(pgn, "Termination", termination_text(g, outcome.reason)) &&
           add_clocks(pgn, tags) && add_ply_count(pgn, g);
}

// "+0.35/12 0.050s", "-M5/20 0.100s".
static void note_text(const PlyNote *note, char text[TEXT_SIZE])
{
    Str out;
    str_init(&out, text, TEXT_SIZE);
    int score = note->score;
    if (score != SCORE_NONE && score_is_mate(score))
        str_format(&out, "%cM%d", score > 0 ? '+' : '-', abs(score_mate_moves(score)));
    else if (score != SCORE_NONE)
        str_format(&out, "%+.2f", score_shown(score) / 100.0);
    if (score != SCORE_NONE && note->depth)
        str_format(&out, "/%u", note->depth);
    if (note->time_ms || note->depth)
        str_format(&out, "%s%.3fs", out.length ? " " : "", note->time_ms / 1000.0);
}

static bool add_moves(PgnGame *pgn, const MatchGame *g)
{
    bool ok = true;
    for (int i = 0; ok && i < g->game.count; i++) {
        char text[TEXT_SIZE];
        ok = pgn_game_add_move(pgn, g->game.steps[i].move);
        note_text(&g->notes[i], text);
        if (ok && i >= g->opening_plies && *text)
            ok = pgn_game_add_comment(pgn, text);
    }
    return ok;
}

static bool add_reason(PgnGame *pgn, const MatchGame *g, Outcome outcome)
{
    char text[TEXT_SIZE];
    Str out;
    str_init(&out, text, sizeof text);
    str_format(&out, "%s%s%s", reason_text(outcome.reason), *g->detail ? ": " : "", g->detail);
    for (char *c = text; *c; c++)
        if (*c == '{' || *c == '}' || (unsigned char)*c < ' ')
            *c = ' ';
    return outcome.reason == REASON_NONE || pgn_game_add_comment(pgn, text);
}

bool match_pgn_write(const MatchGame *g, const MatchPgnTags *tags, PgnGame *room, PgnSink *sink,
                     void *context)
{
    Outcome outcome = game_outcome(&g->game);
    bool ok = pgn_game_begin(room, &g->game.start) && add_tags(room, g, tags, outcome) &&
              add_moves(room, g) && add_reason(room, g, outcome);
    if (ok && tags->openings)
        opening_names_tag_game(tags->openings, room);
    room->result = outcome.result;
    return ok && pgn_game_write(room, sink, context);
}
