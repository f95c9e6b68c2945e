// The network on the CPU: every vector code gives the integers of the plain computation along
// random games of every variant; net files come back as they went and are refused when any byte is
// changed; what `eval` prints is what the search gets.
#include "test_data.h"

#include <math.h>

#include "app/eval_view.h"
#include "core/bitboard.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "engine/evaluate.h"
#include "engine/nnue.h"
#include "lab/start_net.h"
#include "random_net.h"

static Net *net_of(const RandomNet *shape)
{
    Error error = {0};
    Net *net = random_net_new(shape, &error);
    if (!net)
        fail_msg("%s", error.text);
    return net;
}

// Weights over the whole allowed range, so that clipping at both ends and wide sums occur.
static Net *random_net_of(const char *variant, int hidden, int king_buckets, uint64_t seed)
{
    return net_of(&(RandomNet){
        .variant = variant, .hidden = hidden, .king_buckets = king_buckets, .seed = seed});
}

static Net *random_net(int hidden, int king_buckets, uint64_t seed)
{
    return random_net_of("chess", hidden, king_buckets, seed);
}

// Plays one random game, pushing and popping as a search does, and compares at random moments (so
// that lazy updates of several plies happen) with the computation from nothing.
static int walk_game(const Net *net, NnueStack *stack, const Rules *rules, Random *random)
{
    Position pos;
    Undo undo[200];
    Move line[200], list[MAX_MOVES];
    Error error = {0};
    int ply = 0, compared = 0;
    uint64_t count = rules_start_count(rules);
    if (!position_start(&pos, rules, count ? random_below(random, count) : random_next(random),
                        &error))
        fail_msg("%s", error.text);
    nnue_reset(stack);
    for (int step = 0; step < 260; step++) {
        int moves = movegen_legal(&pos, STAGE_ALL, list);
        bool back = ply && (moves == 0 || ply == 200 || random_below(random, 4) == 0);
        if (back) {
            ply--;
            if (line[ply] == MOVE_NONE)
                position_unmake_null(&pos, &undo[ply]);
            else
                position_unmake(&pos, line[ply], &undo[ply]);
            nnue_pop(stack);
        } else if (moves == 0) {
            break;
        } else if (random_below(random, 16) == 0 && !position_in_check(&pos)) {
            line[ply] = MOVE_NONE;
            nnue_push_null(stack);
            position_make_null(&pos, &undo[ply++]);
        } else {
            line[ply] = list[random_below(random, (uint64_t)moves)];
            nnue_push(stack, &pos, line[ply]);
            position_make(&pos, line[ply], &undo[ply]);
            ply++;
        }
        if (random_below(random, 3) == 0) {
            assert_int_equal(nnue_evaluate(stack, &pos), nnue_evaluate_once(net, &pos));
            compared++;
        }
    }
    return compared;
}

static void test_kernels_agree(void **state)
{
    (void)state;
    const int widths[] = {32, 96, 128, 256, 1024};
    const int games = test_level() == TEST_QUICK ? 1 : test_level() == TEST_SHORT ? 3 : 40;
    Error error = {0};
    Random random;
    random_init(&random, 2);
    for (int kernel = 0; nnue_kernel_name(kernel); kernel++) {
        int compared = 0;
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            Net *net = random_net_of(w == 2 ? "legan" : "chess", widths[w], w % 2 ? 1 : 5, w);
            NnueStack *stack = nnue_stack_new(net, 200, kernel, &error);
            assert_non_null(stack);
            for (int v = 0; v < VARIANT_COUNT; v++)
                for (int g = 0; g < games; g++)
                    compared += walk_game(net, stack, &VARIANTS[v], &random);
            nnue_stack_free(stack);
            net_free(net);
        }
        print_message("# %s: %d positions\n", nnue_kernel_name(kernel), compared);
        assert_true(compared > 100);
    }
    Net *net = random_net(32, 1, 1);
    assert_null(nnue_stack_new(net, 4, 99, &error)); // no such kernel
    net_free(net);
}

// The same for nets with layers, without and with threats, also with sums as large as can be.
static void test_layers_agree(void **state)
{
    (void)state;
    const RandomNet shapes[] = {
        {.hidden = 64, .king_buckets = 1, .has_layers = true},
        {.hidden = 192, .king_buckets = 4, .has_layers = true, .variant = "legan"},
        {.hidden = 1024, .king_buckets = 2, .has_layers = true, .kind = RANDOM_EXTREME},
        {.hidden = 64, .king_buckets = 4, .has_layers = true, .has_threats = true},
        {.hidden = 384, .king_buckets = 4, .has_layers = true, .has_threats = true},
        {.hidden = 256,
         .king_buckets = 1,
         .has_layers = true,
         .has_threats = true,
         .kind = RANDOM_CALM},
        {.hidden = 512,
         .king_buckets = 4,
         .has_layers = true,
         .has_threats = true,
         .kind = RANDOM_CALM},
        {.hidden = 320,
         .king_buckets = 2,
         .has_layers = true,
         .has_threats = true,
         .kind = RANDOM_EXTREME},
    };
    const int games = test_level() == TEST_QUICK ? 1 : test_level() == TEST_SHORT ? 3 : 100;
    Error error = {0};
    Random random;
    random_init(&random, 3);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Net *net = net_of(&shapes[i]);
        for (int kernel = 0; nnue_kernel_name(kernel); kernel++) {
            NnueStack *stack = nnue_stack_new(net, 200, kernel, &error);
            assert_non_null(stack);
            int compared = 0;
            for (int v = 0; v < VARIANT_COUNT; v++)
                for (int g = 0; g < games && (VARIANTS[v].is_orthodox || !net->threat); g++)
                    compared += walk_game(net, stack, &VARIANTS[v], &random);
            assert_true(compared > 100);
            nnue_stack_free(stack);
        }
        net_free(net);
    }
}

// A position and its mirror image with colours changed are worth the same; so are left and right.
static void test_symmetry(void **state)
{
    (void)state;
    const char *pairs[][2] = {
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
         "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b - - 0 1"},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/5p2/4p3/r5PK/k1p3R1/8/1P1P4/8 w - - 0 1"},
    };
    Net *net = random_net(64, 3, 11);
    for (size_t i = 0; i < 2; i++) {
        Position a, b;
        Error error = {0};
        assert_true(position_from_fen(&a, rules_find("chess"), pairs[i][0], &error));
        assert_true(position_from_fen(&b, rules_find("chess"), pairs[i][1], &error));
        assert_int_equal(nnue_evaluate_once(net, &a), nnue_evaluate_once(net, &b));
    }
    net_free(net);
}

// Legan: the board turned by half a circle with colours changed is the same; mirrored it is not.
static void test_corner_view(void **state)
{
    (void)state;
    Net *net = random_net_of("legan", 64, 3, 12);
    Random random;
    random_init(&random, 4);
    int different = 0, compared = 0;
    for (int game = 0; game < 20; game++) {
        Position pos, turned, mirrored;
        Move list[MAX_MOVES];
        Undo undo;
        int moves;
        assert_true(position_start(&pos, rules_find("legan"), 0, NULL));
        for (int ply = 0; ply < 60 && (moves = movegen_legal(&pos, STAGE_ALL, list)); ply++) {
            position_make(&pos, list[random_below(&random, (uint64_t)moves)], &undo);
            position_clear(&turned, pos.rules);
            position_clear(&mirrored, pos.rules);
            for (Bitboard men = position_occupied(&pos); men;) {
                Square s = bit_pop(&men);
                Piece p = pos.board[s];
                position_put(&turned, piece_make(!piece_color(p), piece_type(p)), s ^ 63);
                position_put(&mirrored, p, s ^ 7);
            }
            turned.side = !pos.side;
            mirrored.side = pos.side;
            assert_int_equal(nnue_evaluate_once(net, &pos), nnue_evaluate_once(net, &turned));
            different += nnue_evaluate_once(net, &pos) != nnue_evaluate_once(net, &mirrored);
            compared++;
        }
    }
    assert_true(different > compared * 9 / 10); // equal by chance, now and then
    net_free(net);
}

// The number behind the first occurrence of `words` in the text of `eval`, in centipawns.
static int told(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    if (!at)
        fail_msg("no '%s' in:\n%s", words, text);
    return (int)lround(strtod(at + strlen(words), NULL) * 100);
}

static const char *view_of_position(const Position *pos, const Net *net)
{
    static char text[EVAL_TEXT_SIZE];
    Str out;
    str_init(&out, text, sizeof text);
    eval_view_write(&out, pos, net);
    assert_true(out.length + 1 < sizeof text); // nothing was cut
    return text;
}

static int for_white(const Position *pos, int value)
{
    return pos->side == WHITE ? value : -value;
}

// What `eval` tells is what the search gets: the network's value, and which evaluation is used.
static void check_view(Evaluator *evaluator, const Net *net, const Position *pos)
{
    const char *text = view_of_position(pos, net);
    if (position_in_check(pos)) {
        assert_non_null(strstr(text, "Evaluation used: none"));
        return;
    }
    evaluator_reset(evaluator, pos);
    const int value = for_white(pos, evaluate(evaluator, pos));
    const int hand = for_white(pos, hand_evaluate(hand_setup(pos->rules), NULL, pos));
    assert_int_equal(told(text, "Hand-written evaluation "), hand);
    assert_int_equal(told(text, "Final evaluation "), value);
    if (strstr(text, "Evaluation used: network\n")) {
        const int shown = told(text, "Network evaluation "), limit = SCORE_EVAL_LIMIT;
        assert_int_equal(shown > limit ? limit : shown < -limit ? -limit : shown, value);
    } else {
        assert_non_null(strstr(text, "Evaluation used: hand-written ("));
        assert_int_equal(value, hand);
    }
}

static Evaluator *evaluator_with(Net *net, int variant)
{
    Evaluator *evaluator = calloc(1, sizeof *evaluator);
    Net *nets[VARIANT_COUNT] = {NULL};
    nets[variant] = net;
    assert_non_null(evaluator);
    assert_true(evaluator_set_nets(evaluator, nets, NULL));
    return evaluator;
}

static void evaluator_drop(Evaluator *evaluator)
{
    evaluator_release(evaluator);
    free(evaluator);
}

static void test_view_values(void **state)
{
    (void)state;
    Random random;
    random_init(&random, 6);
    for (int v = 0; v < VARIANT_COUNT; v++) {
        Net *net = random_net_of(VARIANTS[v].name, 32, 3, (uint64_t)v + 20);
        Evaluator *evaluator = evaluator_with(net, v);
        Position pos;
        Move list[MAX_MOVES];
        Undo undo;
        int moves, used = 0;
        assert_true(position_start(&pos, &VARIANTS[v], 0, NULL));
        for (int ply = 0; ply < 60 && (moves = movegen_legal(&pos, STAGE_ALL, list)); ply++) {
            check_view(evaluator, net, &pos);
            used += strstr(view_of_position(&pos, net), "Evaluation used: network\n") != NULL;
            position_make(&pos, list[random_below(&random, (uint64_t)moves)], &undo);
        }
        assert_true(used > 2);
        evaluator_drop(evaluator);
        net_free(net);
    }
}

// Where the search takes the hand-written evaluation, `eval` says so.
static void test_view_by_hand(void **state)
{
    (void)state;
    const char *fens[] = {"8/8/8/4k3/8/8/3QK3/8 b - - 0 1", "8/8/4k3/8/8/8/2BNK3/8 w - - 0 1"};
    Net *net = random_net(32, 1, 30);
    Evaluator *evaluator = evaluator_with(net, VARIANT_CHESS);
    Position pos;
    for (int i = 0; i < 2; i++) {
        assert_true(position_from_fen(&pos, rules_find("chess"), fens[i], NULL));
        check_view(evaluator, net, &pos);
        const char *text = view_of_position(&pos, net);
        assert_non_null(strstr(text, "Evaluation used: hand-written (against a bare king"));
        assert_non_null(strstr(text, "Network evaluation "));
    }
    assert_true(position_start(&pos, rules_find("chess"), 0, NULL));
    assert_non_null(
        strstr(view_of_position(&pos, NULL), "Evaluation used: hand-written (there is"));
    assert_null(strstr(view_of_position(&pos, NULL), "Network"));
    evaluator_drop(evaluator);
    net_free(net);
}

// Each bucket's line is the value of a net in which all buckets are like it; the one used is
// marked.
static void test_view_buckets(void **state)
{
    (void)state;
    const char *fen = "4k3/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/4K3 b - - 0 1"; // 19 men
    Net *net = random_net(32, 1, 31);
    Position pos;
    assert_true(position_from_fen(&pos, rules_find("chess"), fen, NULL));
    char text[EVAL_TEXT_SIZE];
    strcpy(text, view_of_position(&pos, net));
    const size_t row = 2 * net->info.hidden;
    int16_t *outputs = malloc(NNUE_OUTPUTS * row * sizeof *outputs);
    int32_t biases[NNUE_OUTPUTS];
    memcpy(outputs, net->output, NNUE_OUTPUTS * row * sizeof *outputs);
    memcpy(biases, net->output_bias, sizeof biases);
    for (int b = 0; b < NNUE_OUTPUTS; b++) {
        char words[32];
        for (int other = 0; other < NNUE_OUTPUTS; other++) {
            memcpy(net->output + (size_t)other * row, outputs + (size_t)b * row,
                   row * sizeof *outputs);
            net->output_bias[other] = biases[b];
        }
        snprintf(words, sizeof words, b < 7 ? "\n%4d   | %2d-%-2d |" : "\n%4d   | %2d-   |", b,
                 b * 4 + 1, b * 4 + 4);
        assert_int_equal(told(text, words),
                         for_white(&pos, evaluate_scaled(net, nnue_evaluate_once(net, &pos))));
        const char *line = strstr(text, words) + 1, *mark = strstr(line, "<- used: 19 men");
        assert_int_equal(mark && mark < strchr(line, '\n'), b == 4);
    }
    free(outputs);
    net_free(net);
}

// A net that adds to the hand-written evaluation: the search takes the sum, also from a file.
static void test_adds_to_hand(void **state)
{
    (void)state;
    Error error = {0};
    Net *made = random_net(32, 1, 11);
    made->info.adds_to_hand = true;
    size_t size;
    void *bytes = net_to_memory(made, &size, &error);
    Net *net = bytes ? net_from_memory(bytes, size, &error) : NULL;
    if (!net)
        fail_msg("%s", error.text);
    assert_true(net->info.adds_to_hand);
    Evaluator *evaluator = evaluator_with(net, VARIANT_CHESS);
    Position pos;
    assert_true(position_from_fen(&pos, rules_find("chess"),
                                  "r1bqk2r/pp2bppp/2n2n2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1 b kq - 0 1",
                                  &error));
    evaluator_reset(evaluator, &pos);
    const int sum =
        nnue_evaluate_once(net, &pos) + hand_evaluate(hand_setup(pos.rules), NULL, &pos);
    assert_int_equal(evaluate(evaluator, &pos), sum);
    assert_int_equal(evaluate_once(net, &pos), sum);
    assert_non_null(strstr(view_of_position(&pos, net), "added to the hand-written evaluation"));
    ((uint8_t *)bytes)[42] = 2; // neither yes nor no
    assert_null(net_from_memory(bytes, size, &error));
    evaluator_drop(evaluator);
    free(bytes);
    net_free(net);
    net_free(made);
}

// What a man is worth: the value of this position less that of the one without it.
static void test_view_men(void **state)
{
    (void)state;
    Net *net = random_net(32, 3, 32);
    Position with, without;
    assert_true(
        position_from_fen(&with, rules_find("chess"), "n3k3/8/8/8/8/8/8/R3K2b b - - 0 1", NULL));
    assert_true(
        position_from_fen(&without, rules_find("chess"), "n3k3/8/8/8/8/8/8/4K2b b - - 0 1", NULL));
    const int worth = evaluate_scaled(net, nnue_evaluate_once(net, &without)) -
                      evaluate_scaled(net, nnue_evaluate_once(net, &with));
    const char *rank = strstr(view_of_position(&with, net), "\n1 |    R   |");
    assert_non_null(rank);
    assert_int_equal(told(rank, "\n  |"), worth); // Black is to move
    assert_non_null(strstr(rank, "|    K   |"));
    int figures = 0;
    for (const char *at = strchr(rank + 1, '\n'); *++at != '\n';)
        figures += *at == '.';
    assert_int_equal(figures, 2); // rook and bishop, not the king
    net_free(net);
}

// Every net in the program is whole and of a known game; beyond the last there is a reason.
static void test_program_nets(void **state)
{
    (void)state;
    Error error = {0};
    Net *net;
    int count = 0, chess = 0;
    for (; (net = net_from_program(count, &error)); count++) {
        const Rules *rules = rules_find(net->info.variant);
        assert_non_null(rules);
        assert_ptr_equal(net, net_from_program(count, &error)); // shared
        chess += rules == &VARIANTS[VARIANT_CHESS];
        net_free(net);
    }
    print_message("# %d nets in this program: %s\n", count, error.text);
    assert_string_not_equal(error.text, "");
    assert_non_null(strstr(error.text, "built into this program"));
    assert_true(!count || chess == 1);
}

// The start net counts material exactly, but for its noise.
static void test_material(void **state)
{
    (void)state;
    Error error = {0};
    Net *net = start_net_material(128, 1, &error);
    assert_non_null(net);
    const struct {
        const char *fen;
        int material;
    } cases[] = {{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 100},
                 {"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", -100},
                 {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", -900}};
    for (size_t i = 0; i < 3; i++) {
        Position pos;
        assert_true(position_from_fen(&pos, rules_find("chess"), cases[i].fen, &error));
        int value = nnue_evaluate_once(net, &pos);
        if (abs(value - cases[i].material) > 40)
            fail_msg("%s: %d, should be near %d", cases[i].fen, value, cases[i].material);
    }
    net_free(net);
}

// The shapes of files: without layers, with, and with threats.
static Net *file_net(int shape, int hidden)
{
    return net_of(&(RandomNet){.hidden = hidden,
                               .king_buckets = 2,
                               .has_layers = shape > 0,
                               .has_threats = shape > 1,
                               .seed = (uint64_t)shape + 5});
}

static void test_file_round_trip(void **state)
{
    (void)state;
    for (int shape = 0; shape < 3; shape++) {
        Error error = {0};
        size_t size, again_size;
        Net *net = file_net(shape, shape ? 64 : 96);
        uint8_t *bytes = net_to_memory(net, &size, &error);
        assert_non_null(bytes);
        assert_int_equal(bytes[8], shape ? 2 : 1);
        Net *copy = net_from_memory(bytes, size, &error);
        if (!copy)
            fail_msg("%s", error.text);
        void *again = net_to_memory(copy, &again_size, &error);
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again, size);
        assert_string_equal(copy->info.recipe, "random numbers");
        assert_int_equal(copy->info.has_layers, shape > 0);
        assert_int_equal(copy->info.has_threats, shape > 1);
        Position pos;
        assert_true(position_start(&pos, rules_find("chess"), 0, NULL));
        assert_int_equal(nnue_evaluate_once(copy, &pos), nnue_evaluate_once(net, &pos));
        net_free(copy);
        free(again);
        free(bytes);
        net_free(net);
    }
}

static void check_damage(Net *net, size_t step)
{
    Error error = {0};
    size_t size;
    uint8_t *bytes = net_to_memory(net, &size, &error);
    for (size_t i = 0; i < size; i += i < 400 && step < 10000 ? 1 : step) {
        uint8_t bit = (uint8_t)(1u << (i % 8));
        bytes[i] ^= bit;
        error.text[0] = 0;
        if (net_from_memory(bytes, size, &error))
            fail_msg("byte %zu was changed and nobody noticed", i);
        assert_true(error.text[0]);
        bytes[i] ^= bit;
    }
    for (size_t cut = 0; cut < size; cut += cut < 500 ? 1 : step * 11)
        assert_null(net_from_memory(bytes, cut, &error));
    bytes = realloc(bytes, size + 1);
    assert_null(net_from_memory(bytes, size + 1, &error));
    Net *whole = net_from_memory(bytes, size, &error);
    assert_non_null(whole);
    net_free(whole);
    free(bytes);
    net_free(net);
}

static void test_damage_is_refused(void **state)
{
    (void)state;
    Error error = {0};
    check_damage(random_net(32, 1, 6), test_level() == TEST_LONG ? 1 : 97);
    check_damage(file_net(1, 64), test_level() == TEST_LONG ? 97 : 1009);
    check_damage(file_net(2, 64), 120121);
    assert_null(net_from_file("/", &error));
    assert_null(net_from_file("/dev/null", &error));
    assert_null(net_from_file("no such file", &error));
}

// Writes the net, which has something out of range, and sees it refused.
static void check_range(Net *net)
{
    Error error = {0};
    size_t size;
    void *bytes = net_to_memory(net, &size, &error);
    assert_null(net_from_memory(bytes, size, &error));
    assert_non_null(strstr(error.text, "out of range"));
    free(bytes);
    net_free(net);
}

// A right checksum does not make nonsense right.
static void test_ranges_are_tested(void **state)
{
    (void)state;
    Error error = {0};
    Net *net = random_net(32, 1, 6);
    net->feature[1000] = NNUE_MAX_WEIGHT + 1;
    check_range(net);
    for (int place = 0; place < 7; place++) {
        net = file_net(place ? 1 : 2, 64);
        NetLayers *l = net->layers;
        switch (place) {
        case 0: net->threat[60143 * 64 + 63] = -128; break;
        case 1: l->first[8 * 16 * 64 - 1] = -128; break;
        case 2: l->first_bias[7][15] = 16 * NNUE_ONE + 1; break;
        case 3: l->second[7][31][31] = NNUE_MAX_LAYER_WEIGHT + 1; break;
        case 4: l->second_bias[0][31] = -NNUE_MAX_LAYER_BIAS - 1; break;
        case 5: l->third[7][31] = -NNUE_MAX_LAYER_WEIGHT - 1; break;
        default: l->third_bias[7] = INT32_MIN; break;
        }
        check_range(net);
    }
    NetInfo odd = {.hidden = 33, .king_buckets = 1, .men_per_bucket = 4, .multiplier = 1};
    assert_null(net_new(&odd, &error));
    odd.has_layers = true;
    odd.hidden = 96; // halves of 48
    assert_null(net_new(&odd, &error));
    odd.hidden = 64;
    odd.has_threats = true;
    strcpy(odd.variant, "horde32");
    assert_null(net_new(&odd, &error)); // other men
    odd.has_layers = false;
    odd.variant[0] = 0;
    assert_null(net_new(&odd, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_agree),     cmocka_unit_test(test_layers_agree),
        cmocka_unit_test(test_symmetry),          cmocka_unit_test(test_corner_view),
        cmocka_unit_test(test_program_nets),      cmocka_unit_test(test_view_values),
        cmocka_unit_test(test_view_by_hand),      cmocka_unit_test(test_view_buckets),
        cmocka_unit_test(test_adds_to_hand),      cmocka_unit_test(test_view_men),
        cmocka_unit_test(test_material),          cmocka_unit_test(test_file_round_trip),
        cmocka_unit_test(test_damage_is_refused), cmocka_unit_test(test_ranges_are_tested),
    };
    bitboard_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
