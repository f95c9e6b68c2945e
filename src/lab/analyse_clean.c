// See analyse_clean.h. What analyse.c writes behind a move of the main line is a glyph, a comment
// "[%eval 0.35,12] Mistake: Nf3 was best." and, last of its variations, the line that begins with
// that move.
#include "lab/analyse_clean.h"

#include <stdio.h>
#include <string.h>

#include "core/notation.h"
#include "engine/review.h"

int judgement_nag(int judgement)
{
    static const int NAG[JUDGEMENT_COUNT] = {0, 6, 2, 4}; // ?! ? ??
    return NAG[judgement];
}

const char *judgement_text(int judgement)
{
    static const char *const TEXT[JUDGEMENT_COUNT] = {"", "Inaccuracy", "Mistake", "Blunder"};
    return TEXT[judgement];
}

bool analyse_is_judged(const PgnGame *game)
{
    const char *annotator = pgn_game_tag(game, "Annotator");
    return annotator && strstr(annotator, "Lovac");
}

// Is this a comment of ours? Then with its judgement, and the move that was best.
static bool is_ours(const char *text, int *judgement, char best[MOVE_TEXT_SIZE])
{
    int used = 0;
    *judgement = JUDGED_GOOD;
    sscanf(text, "[%%eval %*[-#0-9.],%*d]%n", &used);
    bool has_score = used;
    text += used;
    text += *text == ' ' && has_score;
    for (int j = JUDGED_GOOD + 1; j < JUDGEMENT_COUNT; j++) {
        size_t length = strlen(judgement_text(j));
        int end = 0;
        if (strncmp(text, judgement_text(j), length))
            continue;
        if (sscanf(text + length, ": %15s was best.%n", best, &end) == 1 && end &&
            !text[length + (size_t)end]) {
            *judgement = j;
            return true;
        }
    }
    return has_score && !*text;
}

// What is to be left out behind one move of the main line: items by their number.
typedef struct Marks {
    uint32_t nag, comment, open, close; // 0: none
} Marks;

// Looks behind the move at `at`, which was played in `before`.
static Marks find_marks(const PgnGame *g, uint32_t at, const Position *before)
{
    Marks marks = {0};
    int depth = 0, judgement = JUDGED_GOOD;
    char best[MOVE_TEXT_SIZE] = "";
    uint32_t last_nag = 0, open = 0;
    Move wanted = MOVE_NONE;
    for (uint32_t i = at + 1; i < g->item_count; i++) {
        const PgnItem *item = &g->items[i];
        if (item->kind == PGN_ITEM_MOVE && !depth)
            break;
        if (item->kind == PGN_ITEM_NAG && !depth)
            last_nag = i;
        if (item->kind == PGN_ITEM_COMMENT && !depth && !marks.comment &&
            is_ours(g->text + item->text, &judgement, best)) {
            marks.comment = i;
            if (judgement != JUDGED_GOOD) {
                wanted = move_from_san(before, best, NULL);
                if (last_nag && g->items[last_nag].value == judgement_nag(judgement))
                    marks.nag = last_nag;
            }
        }
        if (item->kind == PGN_ITEM_OPEN && !depth++)
            open = i;
        if (item->kind == PGN_ITEM_CLOSE && !--depth && wanted != MOVE_NONE &&
            g->items[open + 1].kind == PGN_ITEM_MOVE && g->items[open + 1].value == wanted) {
            marks.open = open; // the last such one is ours
            marks.close = i;
        }
    }
    return marks;
}

bool analyse_copy_item(PgnGame *out, const PgnGame *game, const PgnItem *item)
{
    switch ((PgnItemKind)item->kind) {
    case PGN_ITEM_MOVE: return pgn_game_add_move(out, item->value);
    case PGN_ITEM_NAG: return pgn_game_add_nag(out, item->value);
    case PGN_ITEM_COMMENT: return pgn_game_add_comment(out, game->text + item->text);
    case PGN_ITEM_OPEN: return pgn_game_open(out);
    default: return pgn_game_close(out);
    }
}

static void make(Position *pos, Move move)
{
    Undo undo;
    if (move == MOVE_NONE)
        position_make_null(pos, &undo);
    else
        position_make(pos, move, &undo);
}

bool analyse_clean(const PgnGame *g, PgnGame *out)
{
    bool ok = pgn_game_begin(out, &g->start);
    for (uint32_t i = 0; ok && i < g->tag_count; i++)
        ok = pgn_game_set_tag(out, g->text + g->tags[i].name, g->text + g->tags[i].value);
    Position now = g->start;
    Marks marks = {0};
    int depth = 0;
    for (uint32_t i = 0; ok && i < g->item_count; i++) {
        const PgnItem *item = &g->items[i];
        if (item->kind == PGN_ITEM_MOVE && !depth) {
            marks = find_marks(g, i, &now);
            make(&now, item->value);
        }
        depth += (item->kind == PGN_ITEM_OPEN) - (item->kind == PGN_ITEM_CLOSE);
        bool is_out = (marks.nag && i == marks.nag) || (marks.comment && i == marks.comment) ||
                      (marks.open && i >= marks.open && i <= marks.close);
        ok = is_out || analyse_copy_item(out, g, item);
    }
    out->result = g->result;
    out->has_start = g->has_start;
    return ok;
}
