// What `eval` prints.
#include "app/eval_view.h"

#include "app/board_view.h"
#include "engine/evaluate.h"

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

static void write_terms(Str *out, const Position *pos)
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
    str_format(out, "Hand-written evaluation %+.2f (for White)\n", trace.value / 100.0);
}

// Pawns for White.
static double for_white(const Position *pos, int value)
{
    return (pos->side == WHITE ? value : -value) / 100.0;
}

static void write_buckets(Str *out, const Position *pos, const Net *net)
{
    const int men = bit_count(position_occupied(pos)), used = nnue_bucket(net, pos);
    str_add(out, "Bucket |  Men  |   Value\n-------+-------+---------\n");
    for (int b = 0; b < NNUE_OUTPUTS; b++) {
        const int first = b * net->info.men_per_bucket + 1;
        str_format(out, "%4d   | ", b);
        if (b + 1 < NNUE_OUTPUTS)
            str_format(out, "%2d-%-2d", first, first + net->info.men_per_bucket - 1);
        else
            str_format(out, "%2d-  ", first);
        str_format(out, " |%+8.2f",
                   for_white(pos, evaluate_scaled(net, nnue_evaluate_in(net, pos, b))));
        if (b == used)
            str_format(out, "  <- used: %d men", men);
        str_add_char(out, '\n');
    }
}

// What the network sees of a position: the men and the side to move.
static Position without_man(const Position *pos, Square square)
{
    Position other;
    position_clear(&other, pos->rules);
    other.side = pos->side;
    for (Bitboard men = position_occupied(pos) & ~square_bit(square); men;) {
        Square s = bit_pop(&men);
        position_put(&other, pos->board[s], s);
    }
    return other;
}

// A cell of the board: the worth of a man, nothing for a king or an empty square.
static void write_worth(Str *out, const Position *pos, const Net *net, Square s)
{
    if (pos->board[s] == NO_PIECE || piece_type(pos->board[s]) == KING) {
        str_add(out, "        |");
        return;
    }
    Position other = without_man(pos, s);
    int worth = evaluate_scaled(net, nnue_evaluate_once(net, pos)) -
                evaluate_scaled(net, nnue_evaluate_once(net, &other));
    str_format(out, "%+7.2f |", for_white(pos, worth));
}

static void write_men(Str *out, const Position *pos, const Net *net)
{
    static const char BORDER[] =
        "  +--------+--------+--------+--------+--------+--------+--------+--------+\n";
    str_add(out,
            "Worth of each man to the network (for White): value with it less value without it\n");
    str_add(out, BORDER);
    for (int rank = 7; rank >= 0; rank--) {
        str_format(out, "%d |", rank + 1);
        for (int file = 0; file < 8; file++) {
            Piece piece = pos->board[square_make(file, rank)];
            str_format(out, "    %c   |", piece == NO_PIECE ? ' ' : board_view_letter(piece));
        }
        str_add(out, "\n  |");
        for (int file = 0; file < 8; file++)
            write_worth(out, pos, net, square_make(file, rank));
        str_add_char(out, '\n');
        str_add(out, BORDER);
    }
    str_add(out, "      a        b        c        d        e        f        g        h\n");
}

static void write_net(Str *out, const Position *pos, const Net *net)
{
    str_format(out, "\nNetwork for %s, generation %u%s\n", net->info.variant, net->info.generation,
               net->info.adds_to_hand ? ", added to the hand-written evaluation" : "");
    write_buckets(out, pos, net);
    str_format(out, "Network evaluation %+.2f (for White)\n\n",
               for_white(pos, evaluate_scaled(net, nnue_evaluate_once(net, pos))));
    write_men(out, pos, net);
}

// Which evaluation the search takes here. In check it takes none: it looks further.
static void write_used(Str *out, const Position *pos, const Net *net)
{
    const char *used =
        position_in_check(pos) ? "none (in check the search looks further)"
        : evaluate_uses_net(net, pos)
            ? (net->info.adds_to_hand ? "hand-written and network, added" : "network")
        : net ? "hand-written (against a bare king it knows the way)"
              : "hand-written (there is no network for this game)";
    str_format(out, "\nEvaluation used: %s\n", used);
    if (position_in_check(pos))
        str_add(out, "Final evaluation none (in check)\n");
    else
        str_format(out, "Final evaluation %+.2f (for White)\n",
                   for_white(pos, evaluate_once(net, pos)));
}

void eval_view_write(Str *out, const Position *pos, const Net *net)
{
    write_terms(out, pos);
    if (net)
        write_net(out, pos, net);
    write_used(out, pos, net);
}
