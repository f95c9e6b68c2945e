// Move generation against itself, on random positions of every game: the pseudo-legality test
// accepts exactly what the generator makes, stages add up, make and unmake restore every bit,
// checks are foretold.
#include "notation_help.h"

typedef struct Tally {
    int positions, wanted; // stop asking the costly questions after `wanted`
    long moves, legal;
} Tally;

static void check_encodings(const Position *pos, const Move *pseudo, int pseudo_count)
{
    static uint8_t made[65536];
    char fen[FEN_SIZE];
    memset(made, 0, sizeof made);
    for (int i = 0; i < pseudo_count; i++) {
        assert_false(made[pseudo[i]]); // none twice
        made[pseudo[i]] = 1;
    }
    for (int m = 0; m < 65536; m++)
        if (move_is_pseudo_legal(pos, (Move)m) != made[m]) {
            position_to_fen(pos, FEN_XFEN, fen);
            fail_msg("%s %s: move %d-%d kind %d is %s by the generator, but not by the test",
                     pos->rules->name, fen, move_from((Move)m), move_to((Move)m),
                     move_kind((Move)m), made[m] ? "made" : "not made");
        }
}

// After pseudo-legal moves, is the king of the side that moved attacked? The definition of
// legality.
static bool leaves_king_safe(const Position *pos, Move move)
{
    Position after = *pos;
    Color us = pos->side;
    Square from = move_from(move), to = move_to(move);
    if (!position_has_king(pos, us))
        return true;
    if (move_is_castle(move)) { // every square of the way, then the final position
        Square king_to = (from & 56) + (to > from ? 6 : 2);
        for (Square s = from;; s += king_to > from ? 1 : -1) {
            Bitboard occupied = position_occupied(pos) & ~square_bit(from);
            if (position_attackers(pos, s, occupied) & pos->by_color[!us])
                return false;
            if (s == king_to)
                break;
        }
    }
    Bitboard gone = square_bit(from), king = position_men(pos, us, KING),
             occupied = position_occupied(pos);
    if (move_is_castle(move)) {
        bool east = to > from;
        king = square_bit((from & 56) + (east ? 6 : 2));
        occupied =
            (occupied & ~(gone | square_bit(to))) | king | square_bit((from & 56) + (east ? 5 : 3));
    } else {
        if (king & gone)
            king = square_bit(to);
        occupied = (occupied & ~gone) | square_bit(to);
        after.by_color[!us] &= ~square_bit(to);
        if (move_kind(move) == KIND_EN_PASSANT) {
            Bitboard victim = square_bit(to - pos->rules->pawn_step[us]);
            after.by_color[!us] &= ~victim;
            occupied &= ~victim;
        }
    }
    return !(position_attackers(&after, bit_first(king), occupied) & after.by_color[!us]);
}

static int compare_moves(const void *a, const void *b)
{
    return *(const Move *)a - *(const Move *)b;
}

static void check_stages(const Position *pos, int (*generate)(const Position *, MoveStage, Move *))
{
    Move all[MAX_MOVES], staged[MAX_MOVES];
    int count = generate(pos, STAGE_ALL, all), noisy = generate(pos, STAGE_NOISY, staged);
    int quiet = generate(pos, STAGE_QUIET, staged + noisy);
    assert_int_equal(noisy + quiet, count);
    for (int i = 0; i < noisy; i++)
        assert_true(move_is_capture(staged[i]) ||
                    (move_is_promotion(staged[i]) && move_promotion(staged[i]) == QUEEN));
    for (int i = noisy; i < count; i++)
        assert_false(move_is_capture(staged[i]) ||
                     (move_is_promotion(staged[i]) && move_promotion(staged[i]) == QUEEN));
    qsort(all, (size_t)count, sizeof *all, compare_moves);
    qsort(staged, (size_t)count, sizeof *staged, compare_moves);
    assert_memory_equal(all, staged, (size_t)count * sizeof *all);
}

static void check_make(const Position *pos, Move move)
{
    Position after = *pos;
    Undo undo;
    Error error;
    bool gives_check = position_gives_check(pos, move);
    Key foretold = position_key_after(pos, move);
    position_make(&after, move, &undo);
    if (!position_is_ok(&after, &error))
        fail_msg("%s", error.text);
    assert_int_equal(gives_check, position_in_check(&after));
    int kind = move_kind(move);
    if ((kind == KIND_QUIET || kind == KIND_CAPTURE) && pos->state.castling == after.state.castling)
        assert_int_equal(foretold, after.state.key);
    position_unmake(&after, move, &undo);
    assert_memory_equal(&after, pos, sizeof after);
}

static void check_position(const Position *pos, Move next, void *context)
{
    Tally *tally = context;
    Move pseudo[MAX_MOVES], legal[MAX_MOVES];
    (void)next;
    if (tally->positions++ >= tally->wanted)
        return;
    int pseudo_count = movegen_pseudo(pos, STAGE_ALL, pseudo),
        legal_count = movegen_legal(pos, STAGE_ALL, legal);
    check_encodings(pos, pseudo, pseudo_count);
    check_stages(pos, movegen_pseudo);
    check_stages(pos, movegen_legal);
    int count = 0;
    for (int i = 0; i < pseudo_count; i++) {
        bool is_legal = move_is_legal(pos, pseudo[i]);
        assert_int_equal(is_legal, leaves_king_safe(pos, pseudo[i]));
        pseudo[count] = pseudo[i];
        count += is_legal;
    }
    assert_int_equal(count, legal_count);
    assert_int_equal(count, movegen_count(pos));
    assert_int_equal(count > 0, movegen_any(pos));
    qsort(pseudo, (size_t)count, sizeof *pseudo, compare_moves);
    qsort(legal, (size_t)count, sizeof *legal, compare_moves);
    assert_memory_equal(pseudo, legal, (size_t)count * sizeof *legal);
    for (int i = 0; i < count; i++)
        check_make(pos, legal[i]);
    tally->moves += pseudo_count;
    tally->legal += count;
}

static void check_variant(void **state)
{
    const Rules *rules = *state;
    static const int wanted[] = {60, 10000, 40000};
#ifdef NDEBUG
    Tally tally = {.wanted = wanted[test_level()]};
#else
    Tally tally = {.wanted = wanted[test_level()] / 20};
#endif
    for (uint64_t seed = 1; tally.positions < tally.wanted; seed++)
        random_game(rules, seed * 977 + (uint64_t)rules->start, 200, check_position, &tally);
    print_message("# %s: %d positions, %ld pseudo-legal moves, %ld legal\n", rules->name,
                  tally.wanted, tally.moves, tally.legal);
}

// A null move changes the side and nothing on the board.
static void test_null_move(void **state)
{
    (void)state;
    Position pos, before;
    Undo undo;
    Error error;
    assert_true(position_from_fen(&pos, &VARIANTS[VARIANT_CHESS],
                                  "4k3/8/8/pP6/8/8/8/4K2R w K a6 0 2", &error));
    before = pos;
    position_make_null(&pos, &undo);
    assert_int_equal(pos.side, BLACK);
    assert_int_equal(pos.state.en_passant, NO_SQUARE);
    assert_true(position_is_ok(&pos, &error));
    position_unmake_null(&pos, &undo);
    assert_memory_equal(&pos, &before, sizeof pos);
}

int main(void)
{
    struct CMUnitTest tests[VARIANT_COUNT + 1];
    bitboard_init();
    for (int v = 0; v < VARIANT_COUNT; v++)
        tests[v] = (struct CMUnitTest){VARIANTS[v].name, check_variant, NULL, NULL,
                                       (void *)(uintptr_t)&VARIANTS[v]};
    tests[VARIANT_COUNT] = (struct CMUnitTest)cmocka_unit_test(test_null_move);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
