// The match runner: schedule, journal, adjudication, clocks, misbehaving engines, every variant.
#include <stdatomic.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "core/movegen.h"
#include "folder_help.h"
#include "lab/agents/agents.h"
#include "lab/match.h"
#include "lab/match_journal.h"
#include "lab/match_table.h"
#include "lab/pgn_file.h"
#include "play/player_list.h"

static void parse(PlayerSpec *spec, const char *text)
{
    Error error = {0};
    PlayerLimits limits = player_limits_none();
    limits.nodes = 50;
    PlayerList list;
    player_list_init(&list);
    player_list_join(&list, AGENT_KINDS);
    if (!player_list_find(&list, text, &limits, spec, &error))
        fail_msg("%s: %s", text, error.text);
}

// Keeps the last status of a match.
typedef struct Kept {
    MatchStatus status;
    MatchPairing pairings[16];
    uint64_t faults[8][FAULT_COUNT];
    Effort efforts[8];
    uint64_t calls, stop_after;
    atomic_bool stop;
} Kept;

static void keep(void *context, const MatchStatus *status, const MatchRecord *record)
{
    Kept *kept = context;
    kept->status = *status;
    memcpy(kept->pairings, status->pairings,
           (size_t)status->pairing_count * sizeof *status->pairings);
    memcpy(kept->faults, status->faults, (size_t)status->player_count * sizeof *status->faults);
    memcpy(kept->efforts, status->efforts, (size_t)status->player_count * sizeof *kept->efforts);
    if (!record)
        return;
    assert_true(record->entry.game < status->total);
    assert_int_not_equal(record->entry.result, RESULT_NONE);
    assert_non_null(strstr(record->pgn, "[Result "));
    if (++kept->calls == kept->stop_after)
        atomic_store(&kept->stop, true);
}

static MatchConfig config_of(const PlayerSpec *players, int count, Openings *openings, Kept *kept)
{
    return (MatchConfig){.players = players,
                         .player_count = count,
                         .rules = &VARIANTS[VARIANT_CHESS],
                         .rounds = 4,
                         .concurrency = 2,
                         .openings = openings,
                         .seed = 5,
                         .adjudication = {.moves_max = 60},
                         .margin_ms = 100,
                         .stop = &kept->stop};
}

static void run(const MatchConfig *config, Kept *kept)
{
    Error error = {0};
    if (!match_run(config, keep, kept, &error))
        fail_msg("match: %s", error.text);
}

static Openings *random_openings(const Rules *rules)
{
    OpeningRecipe recipe = {.plies_min = 4, .plies_max = 4};
    return openings_random(rules, &recipe, 1, NULL);
}

// Every pairing meets with both colours equally often, in both formats.
static void test_schedule(void **state)
{
    (void)state;
    PlayerSpec players[5];
    for (int i = 0; i < 5; i++)
        parse(&players[i], "random");
    for (int format = MATCH_ROUND_ROBIN; format <= MATCH_GAUNTLET; format++) {
        MatchConfig config = {.players = players, .player_count = 5, .format = format, .rounds = 3};
        int games[5][5] = {{0}};
        uint64_t total = match_game_count(&config);
        assert_int_equal(total, format == MATCH_GAUNTLET ? 24 : 60);
        for (uint64_t g = 0; g < total; g++) {
            int white = match_game_player(&config, g, WHITE),
                black = match_game_player(&config, g, BLACK);
            assert_int_not_equal(white, black);
            games[white][black]++;
        }
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                assert_int_equal(games[i][j],
                                 i == j || (format == MATCH_GAUNTLET && i && j) ? 0 : 3);
    }
}

static void test_variants(void **state)
{
    (void)state;
    PlayerSpec players[4];
    parse(&players[0], "random");
    parse(&players[1], "greedy");
    parse(&players[2], "lovac nodes=40 hash=1");
    parse(&players[3], "material depth=2");
    assert_string_equal(players[3].kind->name, "material");
    for (int v = 0; v < VARIANT_COUNT; v++) {
        Kept kept = {0};
        Openings *openings = random_openings(&VARIANTS[v]);
        MatchConfig config = config_of(players, 4, openings, &kept);
        config.rules = &VARIANTS[v];
        config.rounds = 2;
        run(&config, &kept);
        assert_int_equal(kept.status.done, 24);
        for (int p = 0; p < 4; p++)
            for (int f = 0; f < FAULT_COUNT; f++)
                assert_int_equal(kept.faults[p][f], 0);
        openings_free(openings);
    }
}

// What a misbehaving engine does ends as its loss, counted by kind, and the match goes on.
static void test_bad_engines(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        PlayerFault fault;
    } CASES[] = {{"mute", FAULT_STALL},      {"hang", FAULT_STALL},      {"crash", FAULT_CRASH},
                 {"illegal", FAULT_ILLEGAL}, {"rubbish", FAULT_ILLEGAL}, {"flood", FAULT_STALL},
                 {"deaf", FAULT_STALL},      {"leave", FAULT_CRASH}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        PlayerSpec players[2];
        char text[128];
        snprintf(text, sizeof text, "tests/engines/bad_engine.sh %s patience=0.2", CASES[i].mode);
        parse(&players[0], text);
        parse(&players[1], "random");
        Kept kept = {0};
        Openings *openings = random_openings(&VARIANTS[VARIANT_CHESS]);
        MatchConfig config = config_of(players, 2, openings, &kept);
        config.rounds = 2;
        run(&config, &kept);
        assert_int_equal(kept.status.done, 4);
        assert_int_equal(kept.pairings[0].games.loss, 4);
        assert_int_equal(kept.faults[0][CASES[i].fault], 4);
        openings_free(openings);
    }
}

// Stops a match some time after its engine was asked for a move, or else after its start.
typedef struct Stopper {
    Thread thread;
    const char *log; // the engine writes to it when it is asked; NULL: it is never asked
    atomic_bool *stop;
    int64_t stopped_ms;
} Stopper;

static void stop_soon(void *context)
{
    Stopper *s = context;
    struct stat status;
    for (int64_t end = clock_ms() + 20000; s->log && clock_ms() < end; clock_sleep_ms(10))
        if (!stat(s->log, &status) && status.st_size)
            break;
    clock_sleep_ms(300);
    s->stopped_ms = clock_ms();
    atomic_store(s->stop, true);
}

// An engine that does not answer, however it does that, or thinks for long, does not hold up a
// stop, and the game is neither lost nor counted. Its patience would be a minute.
static void test_stop(void **state)
{
    (void)state;
    static const char *const MODES[] = {"mute", "mute proto=xboard", "hang", "flood", "deaf",
                                        "lovac"};
    const int64_t limit_ms = test_level() == TEST_QUICK ? 10000 : 1000;
    for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++) {
        PlayerSpec players[2];
        char log[64], text[192];
        snprintf(log, sizeof log, "%s/stop%zu.log", folder, i);
        const bool is_lovac = !strcmp(MODES[i], "lovac");
        if (is_lovac)
            snprintf(text, sizeof text, "lovac movetime=60");
        else
            snprintf(text, sizeof text, "tests/engines/bad_engine.sh %s log=%s", MODES[i], log);
        parse(&players[0], text);
        parse(&players[1], "random");
        Kept kept = {0};
        Openings *openings = random_openings(&VARIANTS[VARIANT_CHESS]);
        MatchConfig config = config_of(players, 2, openings, &kept);
        Stopper stopper = {.log = i < 2 || is_lovac ? NULL : log, .stop = &kept.stop};
        assert_true(thread_start(&stopper.thread, stop_soon, &stopper, NULL));
        run(&config, &kept);
        const int64_t ended_ms = clock_ms();
        thread_join(&stopper.thread);
        const int64_t late_ms = ended_ms - stopper.stopped_ms;
        print_message("# %s: ended %lld ms after the stop\n", MODES[i], (long long)late_ms);
        assert_true(atomic_load(&kept.stop));
        if (late_ms >= limit_ms)
            fail_msg("%s: ended %lld ms after the stop", MODES[i], (long long)late_ms);
        assert_int_equal(kept.status.done, 0);
        assert_int_equal(kept.faults[0][FAULT_STALL] + kept.faults[0][FAULT_CRASH], 0);
        openings_free(openings);
    }
}

// An engine that answers too late loses on time, by its clock and by its time for a move.
static void test_time_loss(void **state)
{
    (void)state;
    static const char *const LIMITS[] = {"tc=0.3+0", "movetime=0.1"};
    for (int i = 0; i < 2; i++) {
        PlayerSpec players[2];
        char text[128];
        snprintf(text, sizeof text, "tests/engines/bad_engine.sh late %s", LIMITS[i]);
        parse(&players[0], text);
        parse(&players[1], "random");
        Kept kept = {0};
        int refused;
        char path[256];
        snprintf(path, sizeof path, "%s/start.epd", folder);
        assert_true(file_write(path, "r3k3/8/8/8/8/8/4P3/R3K3 w - - 0 1\n", 34, NULL));
        Openings *openings =
            openings_load(path, &VARIANTS[VARIANT_CHESS], 0, false, 1, &refused, NULL);
        assert_non_null(openings);
        MatchConfig config = config_of(players, 2, openings, &kept);
        config.rounds = 1;
        config.margin_ms = 20;
        run(&config, &kept);
        assert_int_equal(kept.faults[0][FAULT_TIME],
                         1); // with White; with Black its a1a2 is illegal
        assert_int_equal(kept.pairings[0].games.loss, 2);
        openings_free(openings);
    }
}

static void test_start_errors(void **state)
{
    (void)state;
    PlayerSpec players[2];
    Kept kept = {0};
    Error error;
    Openings *openings = random_openings(&VARIANTS[VARIANT_CHESS]);
    parse(&players[0], "/nowhere/engine");
    parse(&players[1], "random");
    MatchConfig config = config_of(players, 2, openings, &kept);
    assert_false(match_run(&config, keep, &kept, &error));
    assert_non_null(strstr(error.text, "/nowhere/engine"));
    parse(&players[0], "tests/engines/bad_engine.sh hang");
    config.rules = &VARIANTS[VARIANT_LEGAN];
    assert_false(match_run(&config, keep, &kept, &error));
    assert_non_null(strstr(error.text, "does not play"));
    parse(&players[0], "random");
    assert_false(match_run(&config, keep, &kept, &error)); // two of the same name
    openings_free(openings);
    PlayerSpec spec;
    static const char *const BAD[] = {"",
                                      "lovac nonsense",
                                      "sf tc=x",
                                      "sf nodes=-3",
                                      "sf colour=red",
                                      "sf proto=http",
                                      "sf movetime=1x"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(player_spec_parse(&spec, BAD[i], NULL, &error));
    parse(&spec,
          "\"/a b/engine\" -x --y=3 proto=xboard tc=40/60+0.5 name=\"The Name\" option.A=\"b c\"");
    assert_string_equal(spec.name, "The Name");
    assert_int_equal(spec.limits.moves_per_control, 40);
    assert_int_equal(spec.limits.time_ms, 60000);
    assert_int_equal(spec.limits.increment_ms, 500);
    assert_string_equal(spec.options[0].value, "b c");
}

static uint64_t count_pgn(const char *path)
{
    PgnFile *file = pgn_file_open(path, NULL);
    assert_non_null(file);
    uint64_t games = 0;
    for (PgnGame *game; (game = pgn_file_next(file, NULL)); games++) {
        assert_true(game->is_complete);
        assert_int_not_equal(game->result, RESULT_NONE);
    }
    assert_int_equal(pgn_file_problems(file), 0);
    assert_true(pgn_file_close(file, NULL));
    return games;
}

static long size_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return (long)status.st_size;
}

// A match stopped again and again, and whose files were cut anywhere as by a kill, ends with each
// game once.
static void test_resume(void **state)
{
    (void)state;
    char pgn[256], journal[256];
    snprintf(pgn, sizeof pgn, "%s/games.pgn", folder);
    snprintf(journal, sizeof journal, "%s/games.journal", folder);
    PlayerSpec players[2];
    parse(&players[0], "random");
    parse(&players[1], "greedy");
    Openings *openings = random_openings(&VARIANTS[VARIANT_CHESS]);
    Kept kept = {0};
    MatchConfig config = config_of(players, 2, openings, &kept);
    config.rounds = 30;
    config.pgn_path = pgn;
    config.journal_path = journal;
    Random random;
    random_init(&random, 11);
    for (int i = 0; i < 20; i++) {
        kept = (Kept){.stop_after = 2};
        run(&config, &kept);
        // What a kill can leave behind: the journal cut within its last line, the PGN with a game
        // too many.
        long size = size_of(journal);
        assert_int_equal(truncate(journal, size - (long)random_below(&random, 12)), 0);
        FILE *more = fopen(pgn, "a");
        fputs("[Event \"half a ga", more);
        fclose(more);
    }
    kept = (Kept){0};
    run(&config, &kept);
    assert_true(kept.status.resumed > 15);
    assert_int_equal(kept.status.done, 60);
    uint64_t pairs = 0;
    for (int i = 0; i < 5; i++)
        pairs += kept.pairings[0].pairs.n[i];
    assert_int_equal(pairs, 30);
    assert_int_equal(count_pgn(pgn), 60);
    MatchPairing whole = kept.pairings[0];

    // Nothing is played twice, and the same games come out without any break.
    kept = (Kept){0};
    run(&config, &kept);
    assert_int_equal(kept.calls, 0);
    assert_int_equal(kept.status.resumed, 60);
    config.pgn_path = config.journal_path = NULL;
    run(&config, &kept);
    assert_memory_equal(&whole.pairs, &kept.pairings[0].pairs, sizeof whole.pairs);

    // Another match does not go on with this journal.
    Error error;
    config.journal_path = journal;
    config.seed++;
    assert_false(match_run(&config, keep, &kept, &error));
    assert_non_null(strstr(error.text, "another match"));
    openings_free(openings);
}

static void nothing_found(void *context, const JournalEntry *entry)
{
    assert_true(entry->game < 5);
    ++*(int *)context;
}

// A journal cut at any byte gives back the whole lines before the cut.
static void test_journal_cut(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s/cut.journal", folder);
    int found = 0;
    MatchJournal *journal = match_journal_open(path, NULL, "a\nb\n", nothing_found, &found, NULL);
    for (uint64_t i = 0; i < 5; i++) {
        JournalEntry entry = {.game = i, .result = RESULT_DRAW, .plies = 100};
        assert_true(match_journal_add(journal, &entry, NULL, 0, NULL));
    }
    match_journal_close(journal);
    size_t size;
    char *whole = file_read(path, 1 << 20, &size, NULL);
    for (size_t cut = 0; cut <= size; cut++) {
        int lines = 0;
        for (size_t i = 0; i < cut; i++)
            lines += whole[i] == '\n';
        found = 0;
        assert_true(file_write(path, whole, cut, NULL));
        journal = match_journal_open(path, NULL, "a\nb\n", nothing_found, &found, NULL);
        assert_non_null(journal);
        assert_int_equal(found, lines > 4 ? lines - 4 : 0); // four lines of head
        match_journal_close(journal);
    }
    // One character of the third game is another: it is not believed, nor what comes after it.
    size_t begin = 0;
    for (int lines = 0; lines < 4 + 2; begin++)
        lines += whole[begin] == '\n';
    for (size_t i = begin; whole[i] != '\n'; i++) {
        whole[i] ^= 1;
        found = 0;
        assert_true(file_write(path, whole, size, NULL));
        journal = match_journal_open(path, NULL, "a\nb\n", nothing_found, &found, NULL);
        assert_non_null(journal);
        assert_int_equal(found, 2);
        match_journal_close(journal);
        whole[i] ^= 1;
    }
    free(whole);
}

// Plays the match with its journal; true when the journal was that of another one.
static bool is_another(const MatchConfig *config, const char *what)
{
    Kept kept = {0};
    Error error = {0};
    bool ok = match_run(config, keep, &kept, &error);
    if (!ok && (!strstr(error.text, "another match") || !strstr(error.text, what)))
        fail_msg("'%s' does not name %s", error.text, what);
    return !ok;
}

static void write_text(const char *path, const char *text)
{
    assert_true(file_write(path, text, strlen(text), NULL));
}

// The same command with another program, net, book, option or way to end games is another match.
static void test_identity(void **state)
{
    (void)state;
    char journal[256], engine[256], book[256], text[600];
    snprintf(journal, sizeof journal, "%s/who.journal", folder);
    snprintf(engine, sizeof engine, "%s/engine.sh", folder);
    snprintf(book, sizeof book, "%s/book.epd", folder);
    write_text(engine, "exec tests/engines/bad_engine.sh crash\n");
    write_text(book, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n");
    PlayerSpec players[2];
    snprintf(text, sizeof text, "bash %s option.Book=%s", engine, book);
    parse(&players[0], text);
    parse(&players[1], "random");
    Kept kept = {0};
    int refused;
    Openings *openings = openings_load(book, &VARIANTS[VARIANT_CHESS], 0, false, 1, &refused, NULL);
    assert_non_null(openings);
    MatchConfig config = config_of(players, 2, openings, &kept);
    config.rounds = 1;
    config.journal_path = journal;
    assert_false(is_another(&config, ""));
    config.rounds = 2; // more games and workers are the same match
    config.concurrency = 1;
    assert_false(is_another(&config, ""));
    write_text(engine, "# newer\nexec tests/engines/bad_engine.sh crash\n");
    assert_true(is_another(&config, "engine.sh"));
    write_text(engine, "exec tests/engines/bad_engine.sh crash\n");
    assert_false(is_another(&config, ""));
    write_text(book, "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n");
    assert_true(is_another(&config, "book.epd"));
    write_text(book, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n");
    config.adjudication.moves_max++;
    assert_true(is_another(&config, "adjudication"));
    config.adjudication.moves_max--;
    config.openings_how = "plies 3";
    assert_true(is_another(&config, "openings"));
    config.openings_how = NULL;
    players[1].limits.nodes++;
    assert_true(is_another(&config, "limits"));
    players[1].limits.nodes--;
    assert_false(is_another(&config, ""));
    openings_free(openings);
}

// What a move costs each side is counted, shown, and kept in the journal.
static void test_efforts(void **state)
{
    (void)state;
    char journal[256], text[4096];
    snprintf(journal, sizeof journal, "%s/cost.journal", folder);
    PlayerSpec players[2];
    parse(&players[0], "lovac name=much nodes=300 hash=1");
    parse(&players[1], "lovac name=little nodes=100 hash=1");
    Kept kept = {0};
    Openings *openings = random_openings(&VARIANTS[VARIANT_CHESS]);
    MatchConfig config = config_of(players, 2, openings, &kept);
    config.rounds = 2;
    config.journal_path = journal;
    run(&config, &kept);
    Effort first[2] = {kept.efforts[0], kept.efforts[1]};
    assert_true(first[0].moves > 10 && first[1].moves > 10);
    assert_in_range(first[0].nodes / first[0].moves, 200, 330);
    assert_in_range(first[1].nodes / first[1].moves, 70, 130);
    Str out;
    str_init(&out, text, sizeof text);
    kept.status.pairings = kept.pairings;
    kept.status.faults = (const uint64_t(*)[FAULT_COUNT])kept.faults;
    kept.status.efforts = kept.efforts;
    match_table_write(&config, &kept.status, &out);
    assert_non_null(strstr(text, "much: "));
    assert_non_null(strstr(text, "; little: "));
    assert_non_null(strstr(text, " ms a move\n"));
    kept = (Kept){0};
    run(&config, &kept); // all from the journal
    assert_int_equal(kept.calls, 0);
    assert_memory_equal(first, kept.efforts, sizeof first);
    openings_free(openings);
}

// Openings: files in order, shuffled without repeats, broken lines counted, random ones the same
// for a seed.
static void test_openings(void **state)
{
    (void)state;
    const Rules *chess = &VARIANTS[VARIANT_CHESS];
    char path[256];
    snprintf(path, sizeof path, "%s/open.epd", folder);
    const char text[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"a\";\n"
                        "# a remark\n\nbroken line\n"
                        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\r\n"
                        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n"
                        "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1";
    assert_true(file_write(path, text, strlen(text), NULL));
    int refused;
    Openings *o = openings_load(path, chess, 0, true, 3, &refused, NULL);
    assert_non_null(o);
    assert_int_equal(openings_count(o), 3);
    assert_int_equal(refused, 2);
    Key keys[6];
    for (int i = 0; i < 6; i++) {
        Opening opening;
        assert_true(openings_get(o, (uint64_t)i, NULL, &opening, NULL));
        keys[i] = opening.start.state.key;
    }
    for (int i = 0; i < 3; i++) {
        assert_true(keys[i] == keys[i + 3]);
        assert_true(keys[i] != keys[(i + 1) % 3]);
    }
    openings_free(o);
    for (int v = 0; v < VARIANT_COUNT; v++) {
        OpeningRecipe recipe = {.plies_min = 6, .plies_max = 8};
        Openings *a = openings_random(&VARIANTS[v], &recipe, 9, NULL);
        Openings *b = openings_random(&VARIANTS[v], &recipe, 9, NULL);
        for (uint64_t i = 0; i < 20; i++) {
            Opening x, y;
            assert_true(openings_get(a, i, NULL, &x, NULL) && openings_get(b, i, NULL, &y, NULL));
            assert_in_range(x.count, 6, 8);
            assert_int_equal(x.count, y.count);
            assert_memory_equal(x.moves, y.moves, (size_t)x.count * sizeof *x.moves);
            Position now = x.start;
            for (int k = 0; k < x.count; k++) {
                Undo undo;
                assert_true(move_is_pseudo_legal(&now, x.moves[k]) &&
                            move_is_legal(&now, x.moves[k]));
                position_make(&now, x.moves[k], &undo);
            }
            assert_int_equal(position_outcome(&now).result, RESULT_NONE);
        }
        openings_free(a);
        openings_free(b);
    }
}

// A clear win is given as soon as both sides have said so often enough, and not before.
static void test_adjudication(void **state)
{
    (void)state;
    PlayerSpec spec;
    parse(&spec, "lovac depth=4 hash=1");
    Player *players[2] = {player_new(&spec, NULL), player_new(&spec, NULL)};
    Opening opening;
    Error error;
    MatchGame game;
    assert_true(match_game_init(&game, 400, &error));
    char path[256];
    snprintf(path, sizeof path, "%s/won.epd", folder);
    const char text[] = "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1\n";
    assert_true(file_write(path, text, strlen(text), NULL));
    int refused;
    Openings *o = openings_load(path, &VARIANTS[VARIANT_CHESS], 0, false, 1, &refused, &error);
    assert_non_null(o);
    assert_true(openings_get(o, 0, NULL, &opening, NULL));
    Adjudication adjudication = {.win_moves = 2, .win_score = 500};
    assert_true(match_game_play(&game, players, &opening, &adjudication, 0, 1, NULL));
    assert_int_equal(game_outcome(&game.game).result, RESULT_WHITE);
    assert_int_equal(game_outcome(&game.game).reason, REASON_ADJUDICATION);
    assert_int_equal(game.game.count, 4);
    match_game_release(&game);
    openings_free(o);
    player_free(players[0]);
    player_free(players[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule),     cmocka_unit_test(test_openings),
        cmocka_unit_test(test_journal_cut),  cmocka_unit_test(test_resume),
        cmocka_unit_test(test_identity),     cmocka_unit_test(test_efforts),
        cmocka_unit_test(test_bad_engines),  cmocka_unit_test(test_time_loss),
        cmocka_unit_test(test_start_errors), cmocka_unit_test(test_adjudication),
        cmocka_unit_test(test_variants),     cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
