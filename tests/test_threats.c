// Threat inputs: their numbers are one to one; what moves change, as the engine finds it, is the
// difference of all threats before and after, in any legal position of chess and Chess960.
#include "test_data.h"

#include "base/random.h"
#include "core/bitboard.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "engine/nnue_kernels.h"

// Every attack has its own number; of two men that attack each other one has.
static void test_numbers(void **state)
{
    (void)state;
    static NnueThreatTables t;
    static uint8_t seen[NNUE_THREATS];
    nnue_threats_fill(&t);
    for (int turn = 0; turn < 64; turn += turn == 7 ? 49 : 7) { // 0, 7, 56, 63
        memset(seen, 0, sizeof seen);
        for (int us = 0; us < 2; us++) {
            if ((turn >= 56) != us)
                continue;
            int count = 0;
            for (Piece a = 0; a < 10; a++)
                for (Piece b = 0; b < 10; b++)
                    for (Square from = 0; from < 64; from++)
                        for (Square to = 0; to < 64; to++) {
                            const int kind =
                                nnue_reach_kind(piece_color(a) != WHITE, piece_type(a));
                            if (!(t.reach[kind][from] & square_bit(to)))
                                continue;
                            const int n = nnue_threat(&t, turn, us, piece_color(a), piece_type(a),
                                                      from, piece_color(b), piece_type(b), to);
                            const int back =
                                nnue_threat(&t, turn, us, piece_color(b), piece_type(b), to,
                                            piece_color(a), piece_type(a), from);
                            const bool is_mutual =
                                piece_type(a) == piece_type(b) &&
                                (piece_type(a) != PAWN || piece_color(a) != piece_color(b));
                            if (is_mutual)
                                assert_true((n < 0) != (back < 0));
                            if (n < 0)
                                continue;
                            assert_true(n < NNUE_THREATS);
                            assert_int_equal(seen[n]++, 0);
                            count++;
                        }
            print_message("# turn %d: %d of %d numbers used\n", turn, count, NNUE_THREATS);
            // Of pairs that attack each other one half is no input: 4 combinations of colours
            // for 336, 560, 896 and 1456 moves of knights to queens, 2 for 84 of pawns.
            assert_int_equal(count, NNUE_THREATS - 4 * (336 + 560 + 896 + 1456) / 2 - 84);
        }
    }
}

static NnueRays RAYS;

typedef struct Counts {
    int8_t at[16][64][16][64]; // attacker, from, attacked, to
} Counts;

// All threats, found pair by pair.
static void count_slowly(Counts *c, const Position *pos, int sign)
{
    for (Square from = 0; from < 64; from++)
        for (Square to = 0; to < 64; to++) {
            const Piece a = pos->board[from], b = pos->board[to];
            if (a >= 10 || b >= 10 || from == to) // kings, nobody
                continue;
            const Bitboard attackers = position_attackers(pos, to, position_occupied(pos));
            if (attackers & square_bit(from))
                c->at[a][from][b][to] = (int8_t)(c->at[a][from][b][to] + sign);
        }
}

static int8_t *count_of(Counts *c, NnueThreat t)
{
    assert_true(nnue_threat_attacker(t) < 10 && nnue_threat_attacked(t) < 10);
    return &c->at[nnue_threat_attacker(t)][nnue_threat_from(t)][nnue_threat_attacked(t)]
                 [nnue_threat_to(t)];
}

static void count_list(Counts *c, const NnueThreat *list, int count, int sign)
{
    for (int i = 0; i < count; i++) {
        int8_t *at = count_of(c, list[i]);
        *at = (int8_t)(*at + sign);
    }
}

static void check_zero(const Counts *c, const char *what, const Position *pos)
{
    static const Counts zero;
    char fen[FEN_SIZE];
    if (memcmp(c, &zero, sizeof zero)) {
        position_to_fen(pos, FEN_SHREDDER, fen);
        fail_msg("%s: wrong in %s", what, fen);
    }
}

static NnueBoard board_of(const Position *pos)
{
    NnueBoard b;
    nnue_board_set(&b, pos);
    return b;
}

// Takes the lists that are equal out of the table again: memset would be too slow for millions.
static void check_move(const Position *before, const Position *after, Move move)
{
    static Counts c;
    NnueThreat now[NNUE_MAX_THREATS], then[NNUE_MAX_THREATS];
    const NnueBoard board = board_of(before), board_after = board_of(after);
    const int was = nnue_threats_list(&board, then), is = nnue_threats_list(&board_after, now);
    for (int kernel = 0; nnue_kernels(kernel); kernel++) {
        NnueChanges changes;
        nnue_kernels(kernel)->find(&changes, &board, move, &RAYS);
        assert_true(changes.begins <= NNUE_MAX_CHANGES && changes.ends <= NNUE_MAX_CHANGES);
        count_list(&c, then, was, 1);
        count_list(&c, changes.begun, changes.begins, 1);
        count_list(&c, changes.ended, changes.ends, -1);
        count_list(&c, now, is, -1);
        for (int i = 0; i < was + is + changes.begins + changes.ends; i++) {
            const NnueThreat t = i < was        ? then[i]
                                 : i < was + is ? now[i - was]
                                 : i < was + is + changes.begins
                                     ? changes.begun[i - was - is]
                                     : changes.ended[i - was - is - changes.begins];
            if (*count_of(&c, t))
                check_zero(&c, nnue_kernels(kernel)->name, before);
        }
    }
}

// Random games; now and then every legal move of a position.
static void check_games(const Rules *rules, Random *random, int games, int *moves_checked)
{
    for (int game = 0; game < games; game++) {
        Position pos, next;
        Move list[MAX_MOVES];
        Undo undo;
        int moves;
        const uint64_t count = rules_start_count(rules);
        assert_true(position_start(
            &pos, rules, count ? random_below(random, count) : random_next(random), NULL));
        for (int ply = 0; ply < 150 && (moves = movegen_legal(&pos, STAGE_ALL, list)); ply++) {
            static Counts c;
            NnueThreat all[NNUE_MAX_THREATS];
            if (ply % 16 == 0) { // the list of all is right
                const NnueBoard board = board_of(&pos);
                count_slowly(&c, &pos, 1);
                count_list(&c, all, nnue_threats_list(&board, all), -1);
                check_zero(&c, "list", &pos);
            }
            for (int i = 0; i < moves; i++, ++*moves_checked) {
                next = pos;
                position_make(&next, list[i], &undo);
                check_move(&pos, &next, list[i]);
            }
            // Captures are few: take every other time where one can, but rarely a queen.
            Move move = list[random_below(random, (uint64_t)moves)];
            position_make(&pos, move, &undo);
        }
    }
}

static void test_changes(void **state)
{
    (void)state;
    const int games = test_level() == TEST_QUICK ? 5 : test_level() == TEST_SHORT ? 40 : 1000;
    Random random;
    int moves = 0;
    random_init(&random, 8);
    for (int v = 0; v < VARIANT_COUNT; v++)
        if (VARIANTS[v].is_orthodox)
            check_games(&VARIANTS[v], &random, games, &moves);
    print_message("# %d moves\n", moves);
    assert_true(moves > 10000);
}

// What random games seldom have: castling of all kinds, en passant on lines, promotions on lines.
static void test_special_moves(void **state)
{
    (void)state;
    const char *fens[] = {
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
        "1rk2r1q/8/8/8/8/8/8/1RK2R1Q w FBfb - 0 1",
        "8/8/8/8/8/8/4k3/RK5R w HA - 0 1",
        "8/4k3/8/8/8/8/8/RK5R w HA - 0 1",
        "5rkr/8/8/8/8/8/8/QRKBR3 w EB - 0 1",
        "8/8/8/q2pP2R/8/b7/6k1/1K6 w - d6 0 1",
        "4r2q/8/8/k2pP1Q1/4B3/8/K7/4R3 w - d6 0 1",
        "rn1q1rk1/P1P3P1/8/8/8/8/p1p3p1/RN1Q1RK1 w - - 0 1",
        "rn1q1rk1/P1P3P1/8/8/8/8/p1p3p1/RN1Q1RK1 b - - 0 1",
        "QQQ1QQQQ/QRRRQ3/bbbbQ1QQ/RnRnRnR1/1QBQBQ1k/NrNrNr2/PPQQQQP1/KBqqqqq1 b - - 0 1",
        "k7/8/2RRR3/2RqR3/2RRR3/8/8/K7 w - - 0 1",
    };
    int castles = 0, takes = 0, promotions = 0;
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position pos, next;
        Move list[MAX_MOVES];
        Undo undo;
        Error error = {0};
        if (!position_set_up(&pos, rules_find("chess960"), fens[i], &error))
            fail_msg("%s", error.text);
        const int moves = movegen_legal(&pos, STAGE_ALL, list);
        for (int k = 0; k < moves; k++) {
            next = pos;
            position_make(&next, list[k], &undo);
            check_move(&pos, &next, list[k]);
            castles += move_is_castle(list[k]);
            takes += move_kind(list[k]) == KIND_EN_PASSANT;
            promotions += move_is_promotion(list[k]);
        }
    }
    print_message("# %d castlings, %d en passant, %d promotions\n", castles, takes, promotions);
    assert_true(castles >= 7 && takes >= 2 && promotions > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_changes),
                                       cmocka_unit_test(test_special_moves)};
    bitboard_init();
    nnue_rays_fill(&RAYS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
