// Players and their list: descriptions, limits, what belongs to one game, the policy for draws and
// resigning, what strangers may ask for.
#include "test_data.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "play/match_game.h"
#include "play/player_list.h"

// A mover that says what it was told.
static void tell_choose(const Game *game, const SearchLimits *limits, Random *random,
                        const atomic_bool *stop, PlayerMove *answer)
{
    (void)stop;
    Move list[MAX_MOVES];
    int count = movegen_legal(&game->now, STAGE_ALL, list);
    answer->move = list[random_below(random, (uint64_t)count)];
    answer->depth = limits->depth;
    answer->nodes = limits->nodes;
    answer->score = -500;
}

// What a mover was told at each of its moves, in the order of the game.
enum { HEARD_MAX = 16 };
static SearchLimits heard[HEARD_MAX];
static int heard_count;

// Moves a knight to and fro and notes what it was told.
static void note_choose(const Game *game, const SearchLimits *limits, Random *random,
                        const atomic_bool *stop, PlayerMove *answer)
{
    (void)random;
    (void)stop;
    const bool is_out = game->count % 4 >= 2;
    const Square home = game->now.side == WHITE ? 6 : 62, away = game->now.side == WHITE ? 21 : 45;
    answer->move = move_make(is_out ? away : home, is_out ? home : away, KIND_QUIET);
    assert_true(heard_count < HEARD_MAX);
    heard[heard_count++] = *limits;
}

static const PlayerKind KINDS[] = {
    {.name = "teller", .title = "The teller", .guest_depth = 4, .choose = tell_choose},
    {.name = "noter", .choose = note_choose},
    {0}};

static void open_list(PlayerList *list)
{
    player_list_init(list);
    player_list_join(list, KINDS);
}

static Player *make(const char *text)
{
    Error error = {0};
    PlayerList list;
    PlayerSpec spec;
    open_list(&list);
    if (!player_list_find(&list, text, NULL, &spec, &error))
        fail_msg("%s: %s", text, error.text);
    Player *player = player_new(&spec, &error);
    if (!player)
        fail_msg("%s: %s", text, error.text);
    return player;
}

static void begin(Game *game, GameStep *steps, int capacity)
{
    Position start;
    assert_true(position_start(&start, &VARIANTS[VARIANT_CHESS], 0, NULL));
    game_init(game, &start, steps, capacity);
}

static void test_descriptions(void **state)
{
    (void)state;
    PlayerList list;
    PlayerSpec spec;
    Error error;
    open_list(&list);
    assert_true(player_list_find(&list, "level=5", NULL, &spec, &error));
    assert_ptr_equal(spec.kind, &PLAYER_KINDS[KIND_LEVEL]);
    assert_string_equal(spec.name, "level 5");
    assert_true(player_list_find(&list, "The teller", NULL, &spec, &error));
    assert_ptr_equal(spec.kind, &KINDS[0]);
    assert_string_equal(spec.name, "The teller");
    assert_true(player_list_find(&list, "xboard phalanx -x nodes=3", NULL, &spec, &error));
    assert_ptr_equal(spec.kind, &PLAYER_KINDS[KIND_XBOARD]);
    assert_string_equal(spec.command, "phalanx '-x'");
    assert_string_equal(spec.name, "phalanx");
    assert_true(player_list_find(&list, "phalanx proto=xboard", NULL, &spec, &error));
    assert_ptr_equal(spec.kind, &PLAYER_KINDS[KIND_XBOARD]);
    static const char *const BAD[] = {"uci", "random proto=uci", "teller x", "lovac resign=-3"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(player_list_find(&list, BAD[i], NULL, &spec, &error));
    // Without a list only the kinds of the folder are known.
    assert_true(player_list_find(NULL, "teller", NULL, &spec, &error));
    assert_true(spec.kind->is_external);
}

// Whichever level is asked for, by number, name, rating or skill.
static void test_levels(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int elo; // 0: at its best
    } LEVEL_TEXTS[] = {{"level=1", 850},
                       {"level=club", 1500},
                       {"lovac level=6", 1690},
                       {"lovac elo=1200", 1200},
                       {"lovac skill=0", 850},
                       {"level=12", 0},
                       {"lovac", 0},
                       {"lovac skill=20", 0}};
    for (size_t i = 0; i < sizeof LEVEL_TEXTS / sizeof *LEVEL_TEXTS; i++) {
        Player *player = make(LEVEL_TEXTS[i].text);
        assert_int_equal(player->level ? player->level->elo : 0, LEVEL_TEXTS[i].elo);
        player_free(player);
    }
}

// The limits of the description hold besides those of the clock.
static void test_limits(void **state)
{
    (void)state;
    Game game;
    GameStep steps[4];
    PlayerMove answer;
    SearchLimits limits = search_limits_none();
    limits.time_ms[WHITE] = limits.time_ms[BLACK] = 1000;
    limits.depth = 9;
    begin(&game, steps, 4);
    Player *player = make("teller depth=2 nodes=77");
    assert_int_equal(player_new_game(player, game.start.rules, 1, NULL), FAULT_NONE);
    player_choose(player, &game, &limits, &answer);
    assert_int_equal(answer.depth, 2);
    assert_int_equal(answer.nodes, 77);
    limits.nodes = 100;
    player_choose(player, &game, &limits, &answer);
    assert_int_equal(answer.nodes, 77);
    limits.nodes = 50;
    player_choose(player, &game, &limits, &answer);
    assert_int_equal(answer.nodes, 50);
    limits.depth = 1;
    player_choose(player, &game, &limits, &answer);
    assert_int_equal(answer.depth, 1);
    player_free(player);
}

// One player in two games at a time: each is the same as if it were played alone.
static void test_many_games(void **state)
{
    (void)state;
    enum { PLIES = 12 };
    static const char *const TEXTS[] = {"random", "level=2", "lovac nodes=300 hash=1"};
    for (size_t k = 0; k < 3; k++) {
        Move alone[2][PLIES], beside[2][PLIES];
        PlayerGame own[2] = {player_game_new(1), player_game_new(2)};
        Player *player = make(TEXTS[k]);
        SearchLimits limits = search_limits_none();
        for (int together = 0; together < 2; together++) {
            Game games[2];
            GameStep steps[2][PLIES + 1];
            begin(&games[0], steps[0], PLIES + 1);
            begin(&games[1], steps[1], PLIES + 1);
            for (int n = 0; n < 2 * PLIES; n++) {
                int g = together ? n % 2 : n / PLIES, ply = together ? n / 2 : n % PLIES;
                PlayerMove answer;
                if (!together && !ply)
                    player_new_game(player, games[g].start.rules, own[g].seed, NULL);
                if (together)
                    player_resume(player, games[g].start.rules, &own[g], NULL);
                player_choose(player, &games[g], &limits, &answer);
                own[g] = together ? player->game : own[g];
                assert_int_equal(answer.fault, FAULT_NONE);
                (together ? beside : alone)[g][ply] = answer.move;
                assert_true(game_play(&games[g], answer.move, NULL));
                if (k == 2 && together)
                    assert_int_equal(own[g].memory.searches, ply + 1);
            }
        }
        if (k < 2) // the hash table of an engine remembers the other game
            assert_memory_equal(alone, beside, sizeof alone);
        player_free(player);
    }
}

// A game of two noters, by the repetition of moves eight half-moves long; how it ended.
static Outcome play_noters(const char *white, const char *black, int64_t margin_ms)
{
    MatchGame g;
    Opening opening = {.count = 0};
    const Adjudication never = {0};
    Player *players[2] = {make(white), make(black)};
    heard_count = 0;
    assert_true(position_start(&opening.start, &VARIANTS[VARIANT_CHESS], 0, NULL));
    assert_true(match_game_init(&g, 100, NULL));
    assert_true(match_game_play(&g, players, &opening, &never, margin_ms, 1, NULL));
    Outcome outcome = game_outcome(&g.game);
    for (int c = 0; c < 2; c++)
        player_free(players[c]);
    match_game_release(&g);
    return outcome;
}

// The time that a player heard of, but for what the test itself took.
static void check_heard(int ply, Color c, int64_t time_ms)
{
    const int64_t time = heard[ply].time_ms[c];
    if (time > time_ms || time < time_ms - 5000)
        fail_msg("half-move %d: %lld ms, should be %lld", ply, (long long)time, (long long)time_ms);
}

// Both hear both clocks; each move adds the increment, each period its time.
static void test_match_clocks(void **state)
{
    (void)state;
    Outcome outcome = play_noters("noter tc=100+20", "noter tc=2/300+10", 0);
    assert_int_equal(outcome.reason, REASON_REPETITION);
    assert_int_equal(heard_count, 8);
    for (int ply = 0; ply < 8; ply++) {
        const int white = (ply + 1) / 2, black = ply / 2; // moves made
        check_heard(ply, WHITE, 100000 + 20000 * white);
        check_heard(ply, BLACK, 300000 + 10000 * black + black / 2 * 300000);
        assert_int_equal(heard[ply].increment_ms[WHITE], 20000);
        assert_int_equal(heard[ply].increment_ms[BLACK], 10000);
        assert_int_equal(heard[ply].moves_to_go, ply % 2 ? 2 - black % 2 : 0);
    }
    // Who has used more than there was loses, whatever was found.
    outcome = play_noters("noter tc=100", "noter tc=0", -1);
    assert_int_equal(outcome.result, RESULT_WHITE);
    assert_int_equal(outcome.reason, REASON_TIME);
    assert_int_equal(heard_count, 2);
    outcome = play_noters("noter movetime=0", "noter tc=100", -1);
    assert_int_equal(outcome.result, RESULT_BLACK);
    assert_int_equal(outcome.reason, REASON_TIME);
}

// The greatest gain at once, a promotion too.
static void test_greedy(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *best;
    } CASES[] = {{"4k3/8/8/2q1r3/3P4/8/8/6K1 w - - 0 1", "d4c5"},
                 {"3nk3/4P3/8/p7/1N6/8/8/4K3 w - - 0 1", "e7d8q"},
                 {"4k3/8/8/1n1p4/2P5/8/8/4K3 w - - 0 1", "c4b5"}};
    Player *player = make("greedy");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Position pos;
        Game game;
        GameStep steps[2];
        SearchLimits limits = search_limits_none();
        PlayerMove answer;
        assert_true(position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], CASES[i].fen, NULL));
        game_init(&game, &pos, steps, 2);
        player_new_game(player, pos.rules, 1, NULL);
        player_choose(player, &game, &limits, &answer);
        assert_int_equal(answer.move, move_from_uci(&pos, CASES[i].best, NULL));
    }
    player_free(player);
}

// What an engine by UCI is told of the clocks: each colour's own.
static void test_uci_clocks(void **state)
{
    (void)state;
    char log[] = "/tmp/lovac-play-XXXXXX", text[256], all[4096] = "";
    Game game;
    GameStep steps[2];
    PlayerMove answer;
    SearchLimits limits = search_limits_none();
    limits.time_ms[WHITE] = 61000;
    limits.time_ms[BLACK] = 59000;
    limits.increment_ms[WHITE] = 1100;
    limits.increment_ms[BLACK] = 900;
    close(mkstemp(log));
    snprintf(text, sizeof text, "tests/engines/bad_engine.sh tell log=%s", log);
    Player *player = make(text);
    begin(&game, steps, 2);
    assert_int_equal(player_new_game(player, game.start.rules, 1, NULL), FAULT_NONE);
    player_choose(player, &game, &limits, &answer);
    player_free(player);
    FILE *file = fopen(log, "r");
    assert_non_null(file);
    all[fread(all, 1, sizeof all - 1, file)] = 0;
    fclose(file);
    unlink(log);
    if (!strstr(all, "wtime 61000 btime 59000 winc 1100 binc 900"))
        fail_msg("%s", all);
}

static void test_policy(void **state)
{
    (void)state;
    PlayerGame own = player_game_new(0);
    assert_false(player_accepts_draw(&own, 200) || player_claims_draw(&own)); // nothing thought yet
    own.last_score = -200;
    assert_true(player_accepts_draw(&own, 10) && player_claims_draw(&own));
    own.last_score = -20;
    assert_false(player_accepts_draw(&own, 10)); // too early
    assert_true(player_accepts_draw(&own, 60));
    own.last_score = 20;
    assert_false(player_accepts_draw(&own, 200) || player_claims_draw(&own));
    // Three moves in a row far behind, and not before.
    Game game;
    GameStep steps[4];
    SearchLimits limits = search_limits_none();
    begin(&game, steps, 4);
    Player *player = make("teller resign=400");
    PlayerMove answer;
    for (int i = 0; i < 3; i++) {
        player_resume(player, game.start.rules, &player->game, NULL);
        player_choose(player, &game, &limits, &answer);
        assert_int_equal(answer.fault, i < 2 ? FAULT_NONE : FAULT_RESIGN);
    }
    player_free(player);
}

static void test_file(void **state)
{
    (void)state;
    PlayerList list;
    Error error = {0};
    char path[] = "/tmp/lovac-players-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fprintf(file, "# mine\n\nDeep: teller depth=20\nHorde [horde32]: /bin/engine x=1\n");
    fclose(file);
    open_list(&list);
    bool ok = player_list_read(&list, path, &error);
    assert_false(ok);
    assert_non_null(strstr(error.text, "line 4: player: unknown key 'x'"));
    player_list_release(&list);
    file = fopen(path, "w");
    fprintf(file, "Deep: teller depth=20\nHorde [horde32]: /bin/engine\nThird: /bin/engine\n");
    fclose(file);
    open_list(&list);
    assert_true(player_list_read(&list, path, &error));
    unlink(path);
    static const char *const NAMES[] = {"Random mover", "Greedy taker", "The teller",
                                        "Deep",         "Horde",        "Third"};
    for (int i = 0; i < 6; i++)
        assert_string_equal(player_list_name(&list, i), NAMES[i]);
    assert_null(player_list_name(&list, 6));
    const Rules *horde = rules_find("horde32"), *chess = rules_find("chess");
    assert_true(player_list_plays(&list, "Horde", horde));
    assert_false(player_list_plays(&list, "Horde", chess));
    assert_true(player_list_plays(&list, "Third", chess));
    assert_false(player_list_plays(&list, "Third", rules_find("massacre")));
    assert_true(player_list_plays(&list, "level=3", rules_find("massacre")));
    // Strangers: every name, but not everything that a name stands for.
    assert_true(player_list_allows(&list, "Deep", &error));
    assert_true(player_list_allows(&list, "teller depth=4", &error));
    assert_false(player_list_allows(&list, "teller depth=5", &error));
    assert_false(player_list_allows(&list, "/bin/engine", &error));
    assert_false(player_list_allows(&list, "lovac hash=2", &error));
    assert_false(player_list_allows(&list, "lovac elo=9", &error));
    assert_true(player_list_allows(&list, "lovac net=none nodes=1000 elo=2000", &error));
    assert_true(player_list_allows(NULL, "level=3", &error));
    // Words behind a name: those of its kind; behind a name of the file, limits alone.
    PlayerSpec spec;
    assert_true(player_list_find(&list, "The teller depth=3", NULL, &spec, &error));
    assert_int_equal(spec.limits.depth, 3);
    assert_string_equal(spec.name, "The teller depth=3");
    assert_true(player_list_allows(&list, "The teller depth=4", &error));
    assert_false(player_list_allows(&list, "The teller depth=5", &error));
    assert_true(player_list_allows(&list, "Third depth=9 nodes=5000", &error));
    assert_true(player_list_find(&list, "Third depth=9 nodes=5000", NULL, &spec, &error));
    assert_string_equal(spec.command, "/bin/engine");
    assert_int_equal(spec.limits.depth, 9);
    assert_true(player_list_plays(&list, "Horde depth=2", horde));
    assert_false(player_list_plays(&list, "Horde depth=2", chess));
    static const char *const NOT_BEHIND[] = {"Third log=/tmp/x",
                                             "Third depth=4\tlog=/tmp/x",
                                             "Third option.Hash=9",
                                             "Third nodes=9000000",
                                             "Third -x",
                                             "Third depth=",
                                             "Thirdly",
                                             "Third depth=1e9"};
    for (size_t i = 0; i < sizeof NOT_BEHIND / sizeof *NOT_BEHIND; i++)
        assert_false(player_list_allows(&list, NOT_BEHIND[i], &error));
    assert_ptr_equal(player_list_kind(&list, 1), &PLAYER_KINDS[KIND_GREEDY]);
    assert_null(player_list_kind(&list, 3));
    player_list_release(&list);
}

// What a person at the board may have written wrongly has a code.
static void test_refusals(void **state)
{
    (void)state;
    static const char *const REFUSED[][2] = {
        {" ", "player-empty"},
        {"random x=1", "player-key"},
        {"random fast", "player-word"},
        {"random proto=uci", "player-external"},
        {"engine proto=ucci", "player-protocol"},
        {"uci", "player-no-command"},
        {"lovac nodes=many", "player-number"},
        {"lovac resign=-1", "player-number"},
        {"lovac movetime=1s", "player-time"},
        {"lovac tc=60+", "player-clock"},
        {"lovac elo=9", "player-range"},
        {"level=13", "player-level"},
        {"lovac hash=2", "player-not-here"},
        {"/bin/engine", "player-not-here"},
        {"lovac 0123456789012345678901234567890123456789012345678901234567890123=1", "player-long"},
    };
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        Error error = {0};
        assert_false(player_list_allows(NULL, REFUSED[i][0], &error));
        assert_string_equal(error.code, REFUSED[i][1]);
    }
    Error error = {0};
    assert_false(player_list_allows(NULL, "lovac movetime=1s", &error));
    assert_string_equal(error.text, "player: bad time movetime=1s");
}

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptions), cmocka_unit_test(test_levels),
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_many_games),
        cmocka_unit_test(test_match_clocks), cmocka_unit_test(test_greedy),
        cmocka_unit_test(test_uci_clocks),   cmocka_unit_test(test_policy),
        cmocka_unit_test(test_file),         cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
