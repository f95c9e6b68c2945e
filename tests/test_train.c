// Training on the CPU: positions come back as they were packed, a net learns to count material, the
// same seed and threads give the same net, turned boards count as the same where the game allows,
// and games in a file become a net that the engine's inference agrees with.
#include "test_data.h"

#include "base/random.h"
#include "core/bitboard.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "engine/nnue.h"
#include "lab/data_file.h"
#include "lab/gpu/layers.h"
#include "lab/train.h"
#include "lab/train_device.h"
#include "lab/train_net.h"
#include "random_net.h"

#include <unistd.h>

static int material(const Position *pos)
{
    int sum = 0;
    for (PieceType t = PAWN; t < KING; t++)
        sum += SEE_VALUES[t] * (bit_count(position_men(pos, pos->side, t)) -
                                bit_count(position_men(pos, !pos->side, t)));
    return sum;
}

// Positions of random games, scored by material; returns their number.
static int random_positions(const Rules *rules, TrainPosition *list, int room, uint64_t seed)
{
    Random random;
    Move moves[MAX_MOVES];
    int count = 0;
    random_init(&random, seed);
    while (count < room) {
        Position pos;
        Undo undo;
        uint64_t starts = rules_start_count(rules);
        assert_true(position_start(
            &pos, rules, starts ? random_below(&random, starts) : random_next(&random), NULL));
        for (int ply = 0; ply < 120 && count < room; ply++) {
            int n = movegen_legal(&pos, STAGE_ALL, moves);
            if (!n)
                break;
            position_make(&pos, moves[random_below(&random, (uint64_t)n)], &undo);
            if (ply >= 10) {
                int score = material(&pos);
                list[count++] = train_pack(&pos, score, score > 150 ? 2 : score < -150 ? 0 : 1);
            }
        }
    }
    return count;
}

static void test_pack(void **state)
{
    (void)state;
    TrainPosition list[64];
    for (int v = 0; v < VARIANT_COUNT; v++) {
        random_positions(&VARIANTS[v], list, 64, (uint64_t)v);
        for (int i = 0; i < 64; i++) {
            Position pos;
            train_unpack(&list[i], &VARIANTS[v], &pos);
            TrainPosition again = train_pack(&pos, list[i].score, list[i].result);
            assert_memory_equal(&again, &list[i], sizeof again);
            assert_int_equal(material(&pos), list[i].score);
        }
    }
}

static double train(TrainNet *net, const TrainPosition *list, int count, int symmetries, int steps,
                    double *before)
{
    enum { BATCH = 256 };
    const TrainPosition *batch[BATCH];
    const TrainGoal goal = {
        .result_weight = 0.1, .scale = 300, .men_per_bucket = 8, .symmetries = symmetries};
    TrainSums first = {0}, last = {0};
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < BATCH; i++)
            batch[i] = &list[(step * BATCH + i) % count];
        TrainSums sums = {0};
        train_net_step(net, batch, BATCH, &goal, 2e-3, 0, &sums);
        if (step == 0)
            first = sums;
        last = sums;
    }
    *before = first.loss / (double)first.count;
    return last.loss / (double)last.count;
}

static void test_learns_material(void **state)
{
    (void)state;
    enum { COUNT = 4096 };
    Error error = {0};
    TrainPosition *list = malloc(COUNT * sizeof *list);
    random_positions(rules_find("chess"), list, COUNT, 5);
    TrainNet *one = train_net_new(32, 2, 7, &error), *two = train_net_new(32, 2, 7, &error);
    double before, after = train(one, list, COUNT, 0, 160, &before),
                   again = train(two, list, COUNT, 0, 160, &before);
    print_message("# loss %.5f to %.5f\n", before, after);
    assert_true(after < before / 4);
    assert_true(after == again); // the same seed and threads: the same numbers
    train_net_free(one);
    train_net_free(two);
    free(list);
}

// Own men on the left half of the board less those on the right.
static int men_on_the_left(const Position *pos)
{
    const Bitboard left = 0x0f0f0f0f0f0f0f0full, own = pos->by_color[pos->side];
    return bit_count(own & left) - bit_count(own & ~left);
}

// What holds for the turned board can be learned from turned boards, what does not cannot.
static void test_turns_the_board(void **state)
{
    (void)state;
    enum { COUNT = 4096, ALL = SYMMETRY_FILES | SYMMETRY_RANKS | SYMMETRY_DIAGONAL };
    Error error = {0};
    const Rules *rules = rules_find("massacre");
    TrainPosition *list = malloc(COUNT * sizeof *list);
    random_positions(rules, list, COUNT, 9);
    double before[3], after[3];
    const int symmetries[3] = {ALL, 0, ALL};
    for (int i = 0; i < 3; i++) {
        TrainNet *net = train_net_new(32, 2, 7, &error);
        after[i] = train(net, list, COUNT, symmetries[i], 300, &before[i]);
        train_net_free(net);
        for (int k = 0; k < COUNT && !i; k++) { // from now on something that a turn changes
            Position pos;
            train_unpack(&list[k], rules, &pos);
            const int sides = men_on_the_left(&pos);
            list[k].score = (int16_t)(100 * sides);
            list[k].result = sides > 0 ? 2 : sides < 0 ? 0 : 1;
        }
    }
    print_message("# material %.4f to %.4f; sides %.4f to %.4f, turned %.4f to %.4f\n", before[0],
                  after[0], before[1], after[1], before[2], after[2]);
    assert_true(after[0] < before[0] / 4);
    assert_true(after[1] < before[1] / 4);
    assert_true(after[2] > 10 * after[1]);
    free(list);
}

// Random games whose scores are material, written as `lovac datagen` writes them.
static void write_games(const char *path, const Rules *rules, int games)
{
    Error error = {0};
    DataHeader header = {""};
    uint64_t had_games, had_plies;
    Random random;
    random_init(&random, 3);
    assert_true(data_header_add(&header, "variant", rules->name));
    DataWriter *writer = data_writer_open(path, &header, false, &had_games, &had_plies, &error);
    if (!writer)
        fail_msg("%s", error.text);
    DataGame *game = malloc(sizeof *game);
    uint8_t *bytes = malloc(DATA_GAME_SIZE);
    for (int g = 0; g < games; g++) {
        Move moves[MAX_MOVES];
        Undo undo;
        memset(game, 0, sizeof *game);
        assert_true(position_start(&game->start, rules, 0, &error));
        Position pos = game->start;
        for (int n; game->count < 100 && (n = movegen_legal(&pos, STAGE_ALL, moves));
             game->count++) {
            game->moves[game->count] = moves[random_below(&random, (uint64_t)n)];
            game->scores[game->count] =
                (int16_t)(pos.side == WHITE ? material(&pos) : -material(&pos));
            position_make(&pos, game->moves[game->count], &undo);
        }
        if (game->count < 20) { // mated in the opening: another one
            g--;
            continue;
        }
        const int end = pos.side == WHITE ? material(&pos) : -material(&pos);
        game->result = end > 150 ? RESULT_WHITE : end < -150 ? RESULT_BLACK : RESULT_DRAW;
        game->reason = REASON_ADJUDICATION;
        game->opening = 8;
        assert_true(data_writer_add(writer, bytes, data_encode(game, bytes), game->count, &error));
    }
    assert_true(data_writer_close(writer, false, &error));
    free(bytes);
    free(game);
}

static void nothing(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static void test_from_file(void **state)
{
    (void)state;
    Error error = {0};
    char folder[] = "/tmp/lovac-train-XXXXXX", games[64], out[64];
    assert_non_null(mkdtemp(folder));
    snprintf(games, sizeof games, "%s/games", folder);
    snprintf(out, sizeof out, "%s/net", folder);
    write_games(games, rules_find("horde32"), test_level() == TEST_QUICK ? 110 : 220);
    const char *files[] = {games};
    TrainConfig config = train_default();
    config.files = files;
    config.file_count = 1;
    config.out = out;
    config.hidden = 32;
    config.epochs = 4;
    config.threads = 2;
    config.say = nothing;
    if (!train_run(&config, &error))
        fail_msg("%s", error.text);
    Net *net = net_from_file(out, &error);
    if (!net)
        fail_msg("%s", error.text);
    assert_string_equal(net->info.variant, "horde32");
    assert_true(net->info.men_per_bucket > 4); // more than 32 men
    assert_false(net->info.adds_to_hand);
    net_free(net);
    config.adds_to_hand = true;
    if (!train_run(&config, &error) || !(net = net_from_file(out, &error)))
        fail_msg("%s", error.text);
    assert_true(net->info.adds_to_hand);
    net_free(net);
    files[0] = out; // no file of games
    assert_false(train_run(&config, &error));
    remove(games);
    remove(out);
    rmdir(folder);
}

// A net of any shape goes on from where it was; those of other games, and those that are added to
// the hand-written evaluation, are refused.
static void test_goes_on(void **state)
{
    (void)state;
    Error error = {0};
    char folder[] = "/tmp/lovac-train-XXXXXX", games[64], from[64], out[64];
    assert_non_null(mkdtemp(folder));
    snprintf(games, sizeof games, "%s/games", folder);
    snprintf(from, sizeof from, "%s/from", folder);
    snprintf(out, sizeof out, "%s/net", folder);
    write_games(games, rules_find("chess"), 400);
    const char *files[] = {games};
    TrainConfig config = train_default();
    config.files = files;
    config.file_count = 1;
    config.out = out;
    config.from = from;
    config.epochs = 1;
    config.rate = config.end_rate = 1e-9;
    config.threads = 2;
    config.say = nothing;
    enum { OUTPUTS = NNUE_OUTPUTS * 2 * 128 };
    for (int i = 0; i < 3; i++) {
        const bool has_layers = i == 1, is_added = i == 2;
        const RandomNet shape = {.hidden = 128,
                                 .king_buckets = 4,
                                 .has_layers = has_layers,
                                 .has_threats = has_layers,
                                 .kind = RANDOM_CALM,
                                 .seed = 3};
        Net *net = random_net_new(&shape, &error);
        assert_non_null(net);
        net->info.adds_to_hand = is_added;
        memset(net->output_bias, 0, sizeof net->output_bias);
        for (size_t k = 0; !has_layers && k < OUTPUTS; k++) // as in a trained net, some at the end
            net->output[k] = k % 5 ? (int16_t)(k % 64) : NNUE_MAX_OUTPUT_WEIGHT;
        assert_true(net_to_file(net, from, &error));
        if (train_run(&config, &error) == is_added)
            fail_msg("shape %d: %s", i, error.text);
        if (is_added)
            assert_non_null(strstr(error.text, "hand-written"));
        Net *before = net;
        assert_non_null(net = net_from_file(out, &error));
        // Nothing was learned, so nothing moved, whatever unit the games' scores have.
        for (size_t k = 0; i == 0 && k < OUTPUTS; k++)
            assert_int_equal(net->output[k], before->output[k]);
        net_free(before);
        assert_true(net->info.king_buckets == 4);
        assert_true(net->info.positions > 123456789); // its own and those before
        net_free(net);
    }
    remove(games);
    write_games(games, rules_find("corner"), 400);
    assert_false(train_run(&config, &error));
    remove(games);
    remove(from);
    remove(out);
    rmdir(folder);
}

// The GPU's records hold the same men, and refuse what has no place in them.
static void test_record(void **state)
{
    (void)state;
    TrainPosition list[200];
    const Rules *rules = rules_find("chess");
    random_positions(rules, list, 200, 5);
    for (int i = 0; i < 200; i++) {
        uint16_t men[32];
        uint32_t meta;
        Position pos, again;
        assert_true(train_record(&list[i], men, &meta));
        train_unpack(&list[i], rules, &pos);
        position_clear(&again, rules);
        int count = 0;
        for (int k = 0; k < 32; k++)
            if (men[k] < RECORD_NO_MAN) {
                position_put(&again, piece_make(men[k] >= 384, men[k] % 384 / 64), men[k] & 63);
                count++;
            }
        assert_memory_equal(again.board, pos.board, sizeof pos.board);
        assert_true(men[0] / 64 == KING && men[16] / 64 == 6 + KING);
        assert_int_equal((int16_t)(meta & 0xffff), list[i].score);
        assert_int_equal(meta >> 18 & 1, list[i].side);
        assert_int_equal((meta >> 19 & 31) + 1, count);
        const int result = (int)(meta >> 16 & 3);
        assert_int_equal(result == RESULT_DRAWN   ? 1
                         : result == list[i].side ? 2
                                                  : 0,
                         list[i].result);
    }
    uint16_t men[32];
    uint32_t meta;
    random_positions(rules_find("horde32"), list, 1, 5); // one side has no king
    assert_false(train_record(&list[0], men, &meta));
}

// Where there is no GPU, --device cuda says so and writes nothing.
static void test_no_gpu(void **state)
{
    (void)state;
    Error error = {0};
    const DeviceSetup small = {.records = 1000000, .validation = 1000};
    Device *device = device_new(&small, &error);
    if (device) {
        device_free(device);
        skip();
    }
    assert_non_null(strstr(error.text, "CUDA"));
    char folder[] = "/tmp/lovac-train-XXXXXX", games[64], out[64];
    assert_non_null(mkdtemp(folder));
    snprintf(games, sizeof games, "%s/games", folder);
    snprintf(out, sizeof out, "%s/net", folder);
    write_games(games, rules_find("chess"), 400);
    const char *files[] = {games};
    TrainConfig config = train_default();
    config.files = files;
    config.file_count = 1;
    config.out = out;
    config.on_gpu = true;
    config.say = nothing;
    error.text[0] = 0;
    assert_false(train_run(&config, &error));
    if (!strstr(error.text, "CUDA"))
        fail_msg("%s", error.text);
    assert_int_not_equal(access(out, F_OK), 0);
    remove(games);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_learns_material),
        cmocka_unit_test(test_turns_the_board),
        cmocka_unit_test(test_from_file),
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_no_gpu),
    };
    bitboard_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
