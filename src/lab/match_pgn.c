// See match_pgn.h.
#include "lab/match_pgn.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/fen.h"
#include "core/notation.h"

enum { COLUMNS = 80 };

// Text that breaks between words before it gets too long for a line.
typedef struct Wrapped {
    Str *out;
    size_t column;
} Wrapped;

static void add_word(Wrapped *wrapped, const char *word)
{
    size_t length = strlen(word);
    if (wrapped->column && wrapped->column + 1 + length >= COLUMNS) {
        str_add_char(wrapped->out, '\n');
        wrapped->column = 0;
    } else if (wrapped->column) {
        str_add_char(wrapped->out, ' ');
        wrapped->column++;
    }
    str_add(wrapped->out, word);
    wrapped->column += length;
}

static void add_tag(Str *out, const char *name, const char *value)
{
    str_format(out, "[%s \"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            str_add_char(out, '\\');
        str_add_char(out, *value);
    }
    str_add(out, "\"]\n");
}

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

static void add_tags(Str *out, const MatchGame *g, const MatchPgnTags *tags, Outcome outcome)
{
    char text[FEN_SIZE], start[FEN_SIZE];
    Str round;
    add_tag(out, "Event", tags->event);
    add_tag(out, "Site", "?");
    add_tag(out, "Date", tags->date);
    str_init(&round, text, sizeof text);
    str_format(&round, "%d.%d", tags->round, tags->board);
    add_tag(out, "Round", text);
    add_tag(out, "White", tags->white);
    add_tag(out, "Black", tags->black);
    add_tag(out, "Result", result_text(outcome.result));
    const Rules *rules = g->game.start.rules;
    position_to_fen(&g->game.start, FEN_XFEN, text);
    bool is_chess = rules == &VARIANTS[VARIANT_CHESS];
    if (!is_chess)
        add_tag(out, "Variant", rules->name);
    if (!is_chess || !rules_start_fen(rules, 0, start, NULL) || strcmp(start, text)) {
        add_tag(out, "SetUp", "1");
        add_tag(out, "FEN", text);
    }
    add_tag(out, "Termination", termination_text(g, outcome.reason));
}

// "+0.35", "-M5".
static void add_score(Str *out, int score)
{
    if (score_is_mate(score))
        str_format(out, "%cM%d", score > 0 ? '+' : '-', abs(score_mate_moves(score)));
    else
        str_format(out, "%+.2f", score / 100.0);
}

static void add_moves(Wrapped *out, const MatchGame *g)
{
    Position pos = g->game.start;
    for (int i = 0; i < g->game.count; i++) {
        char text[64];
        Str word;
        const PlyNote *note = &g->notes[i];
        if (pos.side == WHITE || i == 0) {
            str_init(&word, text, sizeof text);
            str_format(&word, "%d%s", pos.ply / 2 + 1, pos.side == WHITE ? "." : "...");
            add_word(out, text);
        }
        move_to_san(&pos, g->game.steps[i].move, text);
        add_word(out, text);
        if (i >= g->opening_plies && (note->score != SCORE_NONE || note->time_ms)) {
            str_init(&word, text, sizeof text);
            str_add(&word, "{");
            if (note->score != SCORE_NONE) {
                add_score(&word, note->score);
                str_format(&word, "/%u ", note->depth);
            }
            str_format(&word, "%.3fs}", note->time_ms / 1000.0);
            add_word(out, text);
        }
        Undo undo;
        position_make(&pos, g->game.steps[i].move, &undo);
    }
}

size_t match_pgn_size(const MatchGame *g)
{
    return 4096 + (size_t)g->game.count * 64;
}

size_t match_pgn_write(const MatchGame *g, const MatchPgnTags *tags, char *buffer, size_t size)
{
    Str out;
    str_init(&out, buffer, size);
    Outcome outcome = game_outcome(&g->game);
    add_tags(&out, g, tags, outcome);
    str_add(&out, "\n");
    Wrapped wrapped = {.out = &out};
    add_moves(&wrapped, g);
    if (outcome.reason != REASON_NONE) {
        char text[160];
        Str word;
        str_init(&word, text, sizeof text);
        str_format(&word, "{%s%s%s}", reason_text(outcome.reason), *g->detail ? ": " : "",
                   g->detail);
        for (char *c = text + 1; *c && c[1]; c++)
            if (*c == '{' || *c == '}' || *c == '\n')
                *c = ' ';
        add_word(&wrapped, text);
    }
    add_word(&wrapped, result_text(outcome.result));
    str_add(&out, "\n\n");
    return out.length;
}
