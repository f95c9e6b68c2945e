// The GPU's chess on an emulated warp: perft, evaluation against the CPU's inference, accumulators
// carried over moves, whole games whose moves and scores are reproduced from run to run, and games
// from Chess960 starts, all of whose positions are held against the core's.
#include "test_data.h"

#include "base/random.h"
#include "core/bitboard.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/perft.h"
#include "engine/nnue.h"
#include "lab/gpu/emulate.h"
#include "lab/gpu/encode.h"
#include "lab/learn_int.h"
#include "lab/net_export.h"
#include "lab/start_net.h"
#include "random_net.h"

static const char *const FENS[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "r3k2r/8/8/8/8/8/8/2R1K2R b Kkq - 0 1",
};

static Tables *tables;

static void read_board(const char *fen, Position *pos, HostBoard *board)
{
    Error error = {0};
    if (!position_from_fen(pos, rules_find("chess"), fen, &error))
        fail_msg("%s: %s", fen, error.text);
    assert_true(encode_position(tables, pos, board));
}

static void test_perft(void **state)
{
    (void)state;
    const int deepest = test_level() == TEST_LONG ? 4 : test_level() == TEST_SHORT ? 3 : 2;
    for (size_t i = 0; i < sizeof FENS / sizeof *FENS; i++)
        for (int depth = 1; depth <= deepest; depth++) {
            Position pos;
            HostBoard board;
            read_board(FENS[i], &pos, &board);
            uint64_t expected = perft(&pos, depth), found = emulate_perft(tables, &board, depth);
            if (expected != found)
                fail_msg("%s depth %d: %llu, should be %llu", FENS[i], depth,
                         (unsigned long long)found, (unsigned long long)expected);
        }
}

// A net of noise with material's outputs.
static Net *noisy_net(int hidden, int buckets, Random *random)
{
    Error error = {0};
    Net *material = start_net_material(hidden, 9, &error);
    NetInfo info = material->info;
    info.king_buckets = (uint16_t)buckets;
    king_bucket_map(buckets, info.king_bucket);
    Net *net = net_new(&info, &error);
    for (int i = 0; i < buckets * 768 * hidden; i++)
        net->feature[i] = (int16_t)((int)random_below(random, 121) - 60);
    memcpy(net->bias, material->bias, (size_t)hidden * sizeof *net->bias);
    memcpy(net->output, material->output,
           (size_t)NNUE_OUTPUTS * 2 * (size_t)hidden * sizeof *net->output);
    net_free(material);
    return net;
}

// A net with layers.
static Net *layered_net(int hidden, bool has_threats)
{
    Error error = {0};
    const RandomNet shape = {.hidden = hidden,
                             .king_buckets = 4,
                             .has_layers = true,
                             .has_threats = has_threats,
                             .kind = RANDOM_CALM,
                             .seed = (uint64_t)hidden};
    Net *net = random_net_new(&shape, &error);
    if (!net)
        fail_msg("%s", error.text);
    return net;
}

// Positions of random games: the warp's evaluation is the CPU's.
static void compare_evaluation(Net *net)
{
    Error error = {0};
    Random random;
    random_init(&random, 3);
    int compared = 0;
    const int games = test_level() == TEST_QUICK ? 2 : 20;
    for (int g = 0; g < games; g++) {
        Position pos;
        HostBoard board;
        Move list[MAX_MOVES];
        Undo undo;
        read_board(FENS[0], &pos, &board);
        for (int ply = 0; ply < 80; ply++) {
            int moves = movegen_legal(&pos, STAGE_ALL, list), value = 0;
            if (!moves)
                break;
            position_make(&pos, list[random_below(&random, (uint64_t)moves)], &undo);
            if (ply % 8)
                continue;
            assert_true(encode_position(tables, &pos, &board));
            assert_true(emulate_evaluate(net, &board, &value, &error));
            int expected = nnue_evaluate_once(net, &pos);
            expected = expected > EVAL_LIMIT    ? EVAL_LIMIT
                       : expected < -EVAL_LIMIT ? -EVAL_LIMIT
                                                : expected;
            assert_int_equal(value, expected);
            compared++;
        }
    }
    print_message("# %d positions\n", compared);
    assert_true(compared >= 10);
    net_free(net);
}

static void test_evaluation(void **state)
{
    (void)state;
    Random random;
    random_init(&random, 3);
    for (int buckets = 1; buckets <= 4; buckets += 3)
        compare_evaluation(noisy_net(96, buckets, &random)); // narrower than the kernel
    compare_evaluation(layered_net(384, true));
    compare_evaluation(layered_net(256, true));
    compare_evaluation(layered_net(320, false));
}

static void test_steps(void **state)
{
    (void)state;
    Error error = {0};
    Random random;
    random_init(&random, 5);
    for (int buckets = 1; buckets <= 4; buckets += 3) {
        Net *net = noisy_net(128, buckets, &random);
        const int games = test_level() == TEST_QUICK ? 2 : 30;
        int compared = emulate_check_steps(net, 77, games, 150, &error);
        print_message("# %d king buckets: %d positions\n", buckets, compared);
        assert_true(compared > games * 20);
        net_free(net);
    }
    for (int has_threats = 0; has_threats < 2; has_threats++) {
        Net *net = layered_net(384, has_threats);
        const int games = test_level() == TEST_QUICK ? 2 : 20;
        int compared = emulate_check_steps(net, 78, games, 150, &error);
        print_message("# with layers, threats %d: %d positions\n", has_threats, compared);
        assert_true(compared > games * 20);
        net_free(net);
    }
}

typedef struct Games {
    uint16_t men[2][512][32];
    uint32_t meta[2][512], counters[2];
    WarpStats stats;
} Games;

static void play(Games *games, const Net *net, const PlayJob *base)
{
    Error error = {0};
    PlayJob job = *base;
    const Net *nets[2] = {net, net};
    memset(games, 0, sizeof *games);
    job.tables = tables;
    for (int i = 0; i < 2; i++)
        job.records[i] =
            (RecordBuffer){&games->men[i][0][0], games->meta[i], &games->counters[i], 512};
    assert_true(emulate_play(&job, nets, 1, &games->stats, &error));
}

static void test_self_play(void **state)
{
    (void)state;
    Error error = {0};
    Net *net = start_net_material(128, 4, &error);
    Games *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    PlayJob job = {.nodes = {60, 60},
                   .max_games = test_level() == TEST_QUICK ? 1 : 2,
                   .seed = 5,
                   .random_plies = 8,
                   .opening_limit = 300,
                   .record_from_ply = 16};
    play(a, net, &job);
    play(b, net, &job);
    assert_memory_equal(a, b, sizeof *a); // the same games, records and counters again
    assert_int_equal(a->stats.games, job.max_games);
    assert_int_equal(a->counters[0] + a->counters[1], a->stats.kept);
    assert_true(a->stats.kept > 0 && a->stats.nodes > 1000);
    for (uint32_t i = 0; i < a->counters[0] && i < 512; i++) {
        assert_int_not_equal(a->meta[0][i] >> 16 & 3, RESULT_OPEN);
        assert_int_equal(a->men[0][i][0] / 64, G_KING);
        assert_int_equal(a->men[0][i][16] / 64, 6 + G_KING);
    }
    print_message("# %u games, %llu nodes, %u kept\n", a->stats.games,
                  (unsigned long long)a->stats.nodes, a->stats.kept);
    free(a);
    free(b);
    net_free(net);
}

// What later positions came to: at the end of a game nearly its result, before that something
// between all scores; and with quick moves fewer positions of a game are kept.
static void test_later(void **state)
{
    (void)state;
    Error error = {0};
    Net *net = start_net_material(128, 4, &error);
    Games *games = malloc(sizeof *games);
    int decided = 0, kept[2] = {0, 0}, plies[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const int is_quick = seed > 3;
        PlayJob job = {.nodes = {60, 60},
                       .quick_nodes = is_quick ? 30 : 0,
                       .every = 4,
                       .max_games = 1,
                       .seed = seed,
                       .random_plies = 8,
                       .opening_limit = 300,
                       .record_from_ply = 10};
        play(games, net, &job);
        const uint32_t *meta = games->meta[games->counters[1] > 0];
        const int count = (int)games->stats.kept;
        kept[is_quick] += count;
        plies[is_quick] += (int)games->stats.plies;
        assert_in_range(count, 5, 512);
        const uint32_t last = meta[count - 1];
        const int result = (int)(last >> 16 & 3), later = (int8_t)(last >> 24) * LATER_STEP;
        if (result != RESULT_DRAWN) {
            decided++;
            assert_true((result == (int)(last >> 18 & 1) ? later : -later) > LATER_LIMIT / 2);
        }
        for (int i = 0; i < count; i++) {
            assert_int_equal(meta[i] >> 16 & 3, result);
            assert_in_range((int8_t)(meta[i] >> 24) + 120, 0, 240);
        }
    }
    assert_true(decided > 0);
    assert_true(kept[1] * plies[0] * 2 < kept[0] * plies[1]); // a quarter, not nearly all
    free(games);
    net_free(net);
}

// Positions beside the game are kept without a result, and the game goes on where it was.
static void test_beside(void **state)
{
    (void)state;
    enum { OPENING = 9 };
    Error error = {0};
    Net *net = start_net_material(128, 4, &error);
    Games *games = malloc(sizeof *games);
    int kept[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        PlayJob job = {.nodes = {60, 60},
                       .quick_nodes = seed > 1 ? 30 : 0,
                       .every = 3,
                       .beside = 60,
                       .max_games = 1,
                       .seed = seed,
                       .random_plies = OPENING - 1,
                       .record_from_ply = 10};
        play(games, net, &job);
        const uint32_t *meta = games->meta[games->counters[1] > 0];
        uint32_t beside = 0;
        for (uint32_t i = 0; i < games->stats.kept; i++) {
            const bool is_beside = (meta[i] >> 16 & 3) == RESULT_OPEN;
            assert_int_equal(is_beside, (int8_t)(meta[i] >> 24) == LATER_NONE);
            beside += is_beside;
        }
        kept[0] += (int)(games->stats.kept - beside);
        kept[1] += (int)beside;
        assert_int_equal(games->stats.games, 1);
        // Every move of the game but the opening's was found by a search of its own.
        assert_true(games->stats.plies + beside <= games->stats.searches + OPENING);
    }
    assert_true(kept[0] > 0 && kept[1] > 0);
    free(games);
    net_free(net);
}

// Positions that cannot be kept are searched with half the nodes; here, none can be.
static void test_unkept_nodes(void **state)
{
    (void)state;
    Error error = {0};
    Net *net = start_net_material(128, 4, &error);
    Games *games = malloc(sizeof *games);
    PlayJob job = {.nodes = {200, 200},
                   .max_games = 1,
                   .seed = 5,
                   .random_plies = 8,
                   .opening_limit = 300,
                   .record_from_ply = GAME_PLIES};
    play(games, net, &job);
    const WarpStats *s = &games->stats;
    const uint32_t openings = s->games + s->openings_refused;
    assert_int_equal(s->kept, 0);
    assert_in_range(s->nodes, s->searches * 60, s->searches * 110 + openings * 110);
    free(games);
    net_free(net);
}

// Two equal players in a match of pairs: every pair is drawn as a pair.
static void test_match(void **state)
{
    (void)state;
    Error error = {0};
    Net *net = start_net_material(128, 4, &error);
    Games *games = malloc(sizeof *games);
    PlayJob job = {.nodes = {40, 40},
                   .is_match = true,
                   .max_games = 2,
                   .seed = 11,
                   .random_plies = 8,
                   .opening_limit = 300};
    play(games, net, &job);
    assert_int_equal(games->stats.games, 2);
    assert_int_equal(games->stats.pairs[2], 1);
    assert_int_equal(games->stats.kept, 0);
    free(games);
    net_free(net);
}

// The men of a warp's board as a position of core; fails where two stand on one square.
static void position_of_board(const HostBoard *board, Position *pos)
{
    position_clear(pos, rules_find("chess"));
    for (int i = 0; i < 32; i++) {
        const int man = board->man[i], square = man & 63;
        if (man & 0x200)
            continue;
        if (position_occupied(pos) & square_bit((Square)square))
            fail_msg("two men stand on square %d", square);
        position_put(pos, piece_make(i >= 16, man >> 6 & 7), (Square)square);
    }
    pos->side = (Color)board->side;
    position_finish(pos);
}

// A warp keeps an en passant square beside any pawn that attacks it, the core only where taking is
// legal.
static void allow_pinned_taker(const HostBoard *board, const Position *pos, HostBoard *expected)
{
    const int square = board->en_passant;
    if (square == G_NO_SQUARE || expected->en_passant != G_NO_SQUARE)
        return;
    assert_int_equal(square >> 3, pos->side ? 2 : 5);
    assert_int_equal(pos->board[square ^ 8], piece_make(!pos->side, PAWN));
    expected->en_passant = square;
    expected->hash ^= tables->hash_en_passant[square & 7];
}

// Fails unless the board is the position: men, occupancies, state and hash.
static void assert_board_is(const HostBoard *board, const Position *pos)
{
    HostBoard expected;
    Position men;
    position_of_board(board, &men);
    assert_true(encode_position(tables, pos, &expected));
    allow_pinned_taker(board, pos, &expected);
    assert_memory_equal(men.board, pos->board, sizeof men.board);
    assert_int_equal(board->man[0] >> 6, G_KING);
    assert_int_equal(board->man[16] >> 6, G_KING);
    assert_true(board->white == expected.white && board->black == expected.black);
    assert_true(board->hash == expected.hash);
    assert_int_equal(board->side, expected.side);
    assert_int_equal(board->castling, expected.castling);
    assert_int_equal(board->en_passant, expected.en_passant);
    assert_int_equal(board->fifty, expected.fifty);
}

// The core's start with those men: its number, and the position without castling.
static int core_start(const HostBoard *board, Position *pos)
{
    Error error = {0};
    Position men, start;
    char fen[FEN_SIZE];
    position_of_board(board, &men);
    for (int number = 0; number < 960; number++) {
        assert_true(position_start(&start, rules_find("chess960"), (uint64_t)number, &error));
        if (memcmp(start.board, men.board, sizeof men.board))
            continue;
        start.state.castling = 0;
        position_finish(&start);
        position_to_fen(&start, FEN_XFEN, fen);
        assert_true(position_from_fen(pos, rules_find("chess"), fen, &error));
        return number;
    }
    fail_msg("no start of Chess960");
    return -1;
}

// The warps' shuffled starts are those of the core, each once, and perft goes on from them.
static void test_shuffled_starts(void **state)
{
    (void)state;
    const int deepest = test_level() == TEST_LONG ? 4 : test_level() == TEST_SHORT ? 3 : 2;
    bool seen[960] = {false};
    for (int i = 0; i < 960; i++) {
        HostBoard board;
        Position pos;
        assert_int_equal(emulate_walk(tables, i, 1, 0, &board, NULL), 0);
        const int number = core_start(&board, &pos);
        assert_false(seen[number]);
        seen[number] = true;
        assert_board_is(&board, &pos);
        if (i % 80 == 0)
            for (int depth = 1; depth <= deepest; depth++)
                assert_int_equal(emulate_perft(tables, &board, depth), perft(&pos, depth));
    }
}

static Move move_of_warp(const Position *pos, unsigned move)
{
    Error error = {0};
    const unsigned from = move & 63, to = move >> 6 & 63, promotion = move >> 12;
    const char text[] = {(char)('a' + (from & 7)), (char)('1' + (from >> 3)),
                         (char)('a' + (to & 7)),   (char)('1' + (to >> 3)),
                         "\0nbrq"[promotion],      '\0'};
    Move found = move_from_uci(pos, text, &error);
    if (!found)
        fail_msg("%s", error.text);
    return found;
}

// Random games from every kind of start: the core plays the same moves to the same positions.
static void test_walks(void **state)
{
    (void)state;
    enum { PLIES = 160 };
    static HostBoard boards[PLIES + 1];
    static uint16_t moves[PLIES];
    const int walks = test_level() == TEST_LONG ? 400 : test_level() == TEST_SHORT ? 40 : 4;
    int compared = 0;
    for (int w = 0; w < walks; w++) {
        Error error = {0};
        Position pos;
        Undo undo;
        const int start = w % 4 == 3 ? -1 : w * 31 % 960;
        const int plies = emulate_walk(tables, start, (uint64_t)w, PLIES, boards, moves);
        assert_true(plies >= 0);
        if (start < 0)
            assert_true(position_start(&pos, rules_find("chess"), 0, &error));
        else
            core_start(&boards[0], &pos);
        for (int ply = 0;; ply++) {
            assert_board_is(&boards[ply], &pos);
            compared++;
            if (ply == plies)
                break;
            position_make(&pos, move_of_warp(&pos, moves[ply]), &undo);
        }
    }
    print_message("# %d positions\n", compared);
    assert_true(compared > walks * 40);
}

// The position of a record, which must be one that a game can reach.
static void read_record(const uint16_t men[32], uint32_t meta, Position *pos)
{
    Error error = {0};
    uint64_t occupied = 0;
    for (int i = 0; i < 32; i++)
        if (men[i] < RECORD_NO_MAN) {
            assert_int_equal(men[i] / 384, i / 16);
            assert_false(occupied >> (men[i] & 63) & 1);
            occupied |= 1ull << (men[i] & 63);
        }
    assert_int_equal(bit_count(occupied), (meta >> 19 & 31) + 1);
    position_of_record(men, meta, pos);
    if (!position_is_ok(pos, &error) || !position_is_sound(pos, &error) ||
        !position_is_playable(pos, &error))
        fail_msg("record: %s", error.text);
    assert_false(position_in_check(pos));
}

// Does a legal move lead from one position to the other?
static bool leads_to(Position *from, const Position *to)
{
    Move list[MAX_MOVES];
    const int moves = movegen_legal(from, STAGE_ALL, list);
    bool found = false;
    for (int i = 0; i < moves && !found; i++) {
        Undo undo;
        position_make(from, list[i], &undo);
        found = !memcmp(from->board, to->board, sizeof to->board);
        position_unmake(from, list[i], &undo);
    }
    return found;
}

// Did one man of the side move between two records, and no other?
static bool one_moved(const uint16_t a[32], const uint16_t b[32], Color side)
{
    int own = 0, other = 0;
    for (int i = 0; i < 32; i++)
        *((unsigned)i / 16 == (unsigned)side ? &own : &other) += a[i] != b[i];
    return own == 1 && other == 0;
}

// Checks a game's records; counts those that follow one another by one move, and by a legal one.
static void check_records(const Games *games, int set, int *followed, int *led)
{
    Position before, pos;
    for (uint32_t i = 0; i < games->counters[set]; i++) {
        const uint16_t *men = games->men[set][i];
        read_record(men, games->meta[set][i], &pos);
        if (i > 0 && before.side != pos.side &&
            one_moved(games->men[set][i - 1], men, before.side)) {
            ++*followed;
            *led += leads_to(&before, &pos);
        }
        before = pos;
    }
}

// Self-play from Chess960 starts alone: every record is a possible position.
static void test_shuffled_records(void **state)
{
    (void)state;
    Error error = {0};
    Net *net = start_net_material(128, 4, &error);
    Games *games = malloc(sizeof *games);
    const int wanted = test_level() == TEST_LONG ? 100 : test_level() == TEST_SHORT ? 12 : 1;
    int played = 0, followed = 0, led = 0;
    uint32_t kept = 0;
    for (uint64_t seed = 1; played < wanted; seed++) {
        if (emulate_start_number(seed, 1) < 0)
            continue;
        PlayJob job = {.nodes = {200, 200},
                       .max_games = 1,
                       .seed = seed,
                       .random_plies = 8,
                       .record_from_ply = 9};
        play(games, net, &job);
        for (int set = 0; set < 2; set++)
            check_records(games, set, &followed, &led);
        kept += games->stats.kept;
        played++;
    }
    print_message("# %d games, %u records, %d one move after another, %d by a legal one\n", played,
                  kept, followed, led);
    assert_true(kept > (uint32_t)played * 10 && followed > played * 5);
    // The rest are several moves apart, with checks or captures between that are not kept.
    assert_true(led * 20 >= followed * 19);
    free(games);
    net_free(net);
}

static EmulatedSearch search(const Net *net, const char *fen, uint32_t nodes)
{
    Error error = {0};
    Position pos;
    HostBoard board;
    EmulatedSearch found = {0};
    read_board(fen, &pos, &board);
    if (!emulate_search(net, &board, nodes, &found, &error))
        fail_msg("%s", error.text);
    return found;
}

// A search that is cut off within an iteration: the first moves of that may lose, others were not
// looked at. No number of nodes may see a mate where a longer search has none.
static void test_unfinished_search(void **state)
{
    (void)state;
    Error error = {0};
    Net *net = start_net_material(128, 4, &error);
    const char *fens[] = {
        "5r1k/6p1/1P6/8/3P3P/2P5/4QN1q/5K2 w - - 2 42",
        "4rrk1/2pp1npp/1qp2p2/p4N2/4P2P/bP2B1Q1/P1P2PP1/1R3K1R b - - 2 17",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"};
    int searches = 0;
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++)
        for (uint32_t nodes = 60; nodes < 1600; nodes += nodes / 8) {
            const EmulatedSearch found = search(net, fens[i], nodes);
            assert_true(found.move && found.nodes <= nodes + 1);
            if (found.score < -SCORE_MATE_BOUND)
                fail_msg("%s: %d after %u nodes, depth %d", fens[i], found.score, nodes,
                         found.depth);
            searches++;
        }
    print_message("# %d searches\n", searches);
    assert_int_equal(search(net, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 300).score, SCORE_MATE - 1);
    net_free(net);
}

// The same men are worth less where nothing has happened for long.
static void test_fifty_moves(void **state)
{
    (void)state;
    Error error = {0};
    Net *net = start_net_material(128, 4, &error);
    const int fresh = search(net, "8/8/2k5/1p6/1P6/8/2K2B2/8 w - - 0 80", 400).score,
              stale = search(net, "8/8/2k5/1p6/1P6/8/2K2B2/8 w - - 66 80", 400).score;
    print_message("# %d, after 66 half-moves %d\n", fresh, stale);
    assert_true(stale < fresh * 3 / 4 && stale > 0);
    net_free(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_evaluation),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_self_play),
        cmocka_unit_test(test_later),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_unkept_nodes),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_shuffled_starts),
        cmocka_unit_test(test_walks),
        cmocka_unit_test(test_shuffled_records),
        cmocka_unit_test(test_unfinished_search),
        cmocka_unit_test(test_fifty_moves),
    };
    bitboard_init();
    tables = malloc(sizeof *tables);
    tables_fill(tables);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(tables);
    return failed;
}
