// `lovac data`: looks at files of games, checks, mixes and exports them. The work is
// lab/data_tools.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/command.h"
#include "app/long_run.h"
#include "app/options.h"
#include "base/file.h"
#include "base/memory.h"
#include "core/fen.h"
#include "core/notation.h"
#include "lab/data_tools.h"
#include "lab/match_pgn.h"
#include "lab/pgn_file.h"
#include "lab/relabel.h"
#include "lab/wdl_fit.h"

const char help_data[] =
    "Usage: lovac data describe FILE ...            what is in it\n"
    "       lovac data check FILE ...               every checksum, every move; status 1 if "
    "damaged\n"
    "       lovac data merge FILE ... --to FILE     several files into one\n"
    "       lovac data shuffle FILE ... --to FILE   the same, games in random order\n"
    "       lovac data sample FILE ... --to FILE --games N\n"
    "       lovac data export FILE ... --as pgn|epd [--games N] [--to FILE]\n"
    "       lovac data relabel OLD NEW [--nodes N] [--net FILE]   new scores for old games\n"
    "       lovac data wdl FILE ...                 win, draw and loss, fitted to the results\n"
    "\n"
    "Works with the files that `lovac datagen` makes. Damaged blocks are told and left out.\n"
    "wdl reads PGN with scores as `lovac match` writes them, too.\n"
    "EPD lines hold kept positions with the score (ce, for the side to move) and the result (c9).\n"
    "\n"
    "  --to FILE     where the result goes; export writes to the terminal without it\n"
    "  --games N     at most so many games\n"
    "  --seed N      for shuffle and sample (1)\n"
    "  --nodes N     relabel: for each position (1000); the same command goes on after a stop\n"
    "  --net FILE    relabel: evaluation network (the built-in one)\n"
    "  --threads N --hash MB   relabel: (one for each processor), (2 for each thread)\n"
    "  --quiet       no progress bar\n"
    "\n"
    "Example: lovac data check chess.games\n";

typedef struct DataArguments {
    const char *to, *as, *net;
    unsigned long long games, seed, nodes;
    long long threads, hash; // no threads: one for each processor
    bool is_quiet;
    Words files;
} DataArguments;

static uint64_t total_size(const Words *files)
{
    uint64_t total = 0;
    for (int i = 0; i < files->count; i++) {
        struct stat status;
        if (!stat(files->at[i], &status))
            total += (uint64_t)status.st_size;
    }
    return total;
}

static void start_progress(Progress *progress, const DataArguments *a, const char *label)
{
    progress_init(progress, stderr, label, "bytes", total_size(&a->files),
                  a->is_quiet ? PROGRESS_NEVER : PROGRESS_AUTO);
}

static int failed(const Error *error)
{
    fprintf(stderr, "lovac data: %s\n", error->text);
    return EXIT_FAILED;
}

static void complain(void *context, const char *text)
{
    fprintf(stderr, "%s: %s\n", (const char *)context, text);
}

static void print_header(const char *path)
{
    DataReader *reader = data_reader_open(path, NULL);
    if (reader)
        fputs(data_reader_header(reader)->text, stdout);
    data_reader_close(reader);
}

static void print_summary(const DataSummary *s)
{
    double plies = s->plies ? (double)s->plies : 1, games = s->games ? (double)s->games : 1;
    printf("%llu games in %llu blocks, %llu half-moves (%.1f a game), %llu kept positions\n",
           (unsigned long long)s->games, (unsigned long long)s->blocks,
           (unsigned long long)s->plies, (double)s->plies / games, (unsigned long long)s->kept);
    printf("%.3f bytes a half-move\n", (double)s->bytes / plies);
    printf("White won %.1f %%, drawn %.1f %%, Black won %.1f %%\n",
           100 * (double)s->results[RESULT_WHITE] / games,
           100 * (double)s->results[RESULT_DRAW] / games,
           100 * (double)s->results[RESULT_BLACK] / games);
    for (int i = 0; i <= REASON_ABANDONED; i++)
        if (s->reasons[i])
            printf("  %-24s %llu\n", i ? reason_text(i) : "unknown",
                   (unsigned long long)s->reasons[i]);
    if (s->score_count) {
        double n = (double)s->score_count, mean = s->score_sum / n;
        printf("scores of kept positions for White: mean %+.1f, deviation %.1f\n", mean,
               sqrt(s->score_squares / n - mean * mean));
    }
    if (s->repeated)
        printf("%llu games are there more than once\n", (unsigned long long)s->repeated);
}

static int check_files(const DataArguments *a, bool describe)
{
    int status = EXIT_OK;
    for (int i = 0; i < a->files.count; i++) {
        const char *path = a->files.at[i];
        DataSummary summary;
        Error error;
        Progress progress;
        start_progress(&progress, a, describe ? "describe" : "check");
        bool ok = data_check(path, &progress, complain, (void *)(uintptr_t)path, &summary, &error);
        progress_end(&progress);
        if (!ok)
            return failed(&error);
        if (describe) {
            print_header(path);
            print_summary(&summary);
        } else {
            printf("%s: %llu games, %llu half-moves, %s\n", path, (unsigned long long)summary.games,
                   (unsigned long long)summary.plies, summary.damages ? "DAMAGED" : "all good");
        }
        if (summary.damages)
            status = EXIT_FAILED;
    }
    return status;
}

static int mix_files(const DataArguments *a, bool shuffled)
{
    Error error;
    DataMix mix = {.shuffled = shuffled, .seed = a->seed, .limit = a->games};
    uint64_t games, damages;
    Progress progress;
    start_progress(&progress, a, "mix");
    bool ok =
        data_mix(a->files.at, a->files.count, a->to, &mix, &progress, &games, &damages, &error);
    progress_end(&progress);
    if (!ok)
        return failed(&error);
    printf("%s: %llu games", a->to, (unsigned long long)games);
    if (damages)
        printf(", %llu damaged blocks left out", (unsigned long long)damages);
    printf("\n");
    return damages ? EXIT_FAILED : EXIT_OK;
}

// ---- Export ----

typedef struct Export {
    FILE *out;
    bool as_pgn;
    uint64_t left; // games
    int number;
    MatchGame game; // room for a game with notes
    PgnGame pgn;
} Export;

static void export_epd(const Export *e, const DataGame *game)
{
    Position pos = game->start;
    for (int i = 0; i < game->count; i++) {
        if (data_is_kept(game, &pos, i)) {
            char fen[FEN_SIZE], san[MOVE_TEXT_SIZE];
            position_to_fen(&pos, FEN_XFEN, fen);
            // EPD has four fields; the counters become operations.
            char *end = fen;
            for (int field = 0; field < 4; field++)
                end += strcspn(end + (field > 0), " ") + (field > 0);
            move_to_san(&pos, game->moves[i], san);
            int score = pos.side == WHITE ? game->scores[i] : -game->scores[i];
            fprintf(e->out, "%.*s hmvc %d; ce %d; c0 \"%s\"; c9 \"%s\";\n", (int)(end - fen), fen,
                    pos.state.fifty, score, san, result_text(game->result));
        }
        Undo undo;
        position_make(&pos, game->moves[i], &undo);
    }
}

static bool write_text(void *context, const char *text, size_t size)
{
    return fwrite(text, 1, size, context) == size;
}

static void export_pgn(Export *e, const DataGame *game)
{
    MatchGame *g = &e->game;
    game_init(&g->game, &game->start, g->steps, g->capacity);
    g->opening_plies = game->opening;
    for (int i = 0; i < game->count; i++) {
        int score = g->game.now.side == WHITE ? game->scores[i] : -game->scores[i];
        g->notes[i] = (PlyNote){.score = (int16_t)(i < game->opening ? SCORE_NONE : score)};
        game_play(&g->game, game->moves[i], NULL);
    }
    g->game.declared = (Outcome){game->result, game->reason};
    MatchPgnTags tags = {.event = "self-play",
                         .white = "Lovac",
                         .black = "Lovac",
                         .date = "????.??.??",
                         .round = e->number,
                         .board = 1};
    match_pgn_write(g, &tags, &e->pgn, write_text, e->out);
}

static bool export_game(void *context, const DataGame *game)
{
    Export *e = context;
    e->number++;
    if (e->as_pgn)
        export_pgn(e, game);
    else
        export_epd(e, game);
    return --e->left && !ferror(e->out);
}

static int export_files(const DataArguments *a)
{
    Error error;
    FileWriter writer;
    if (!file_begin(&writer, a->to ? a->to : "-", &error))
        return failed(&error);
    Export e = {.out = writer.out,
                .as_pgn = !strcmp(a->as, "pgn"),
                .left = a->games ? a->games : UINT64_MAX};
    pgn_game_init(&e.pgn, memory_from_heap, NULL, NULL);
    bool ok = match_game_init(&e.game, DATA_PLIES_MAX, &error);
    uint64_t damages, all_damages = 0;
    Progress progress;
    start_progress(&progress, a, "export");
    for (int i = 0; ok && e.left && i < a->files.count; i++) {
        ok = data_visit(a->files.at[i], &progress, export_game, &e, &damages, &error);
        all_damages += ok ? damages : 0;
    }
    progress_end(&progress);
    match_game_release(&e.game);
    pgn_game_release(&e.pgn);
    if (ok)
        ok = file_commit(&writer, &error);
    else
        file_abandon(&writer);
    return ok ? all_damages ? EXIT_FAILED : EXIT_OK : failed(&error);
}

// ---- New scores, and what scores mean ----

static void print_relabelled(const RelabelConfig *config, const RelabelStatus *s, bool is_stopped)
{
    if (s->resumed_games)
        printf("%llu games were there\n", (unsigned long long)s->resumed_games);
    printf("%s: %llu games, %llu positions with new scores", config->to,
           (unsigned long long)s->games, (unsigned long long)s->positions);
    if (s->change_count)
        printf(", changed by %.1f centipawns on average", s->change_sum / (double)s->change_count);
    printf("%s\n", is_stopped ? "; stopped, the same command goes on" : "");
    if (s->damages)
        fprintf(stderr, "lovac data: %llu damaged blocks left out\n",
                (unsigned long long)s->damages);
}

static int relabel_file(const DataArguments *a)
{
    LongRun run;
    Error error;
    if (!long_run_begin(&run, "data", &error))
        return long_run_end(&run, false, &error);
    RelabelConfig config = {.from = a->files.at[0],
                            .to = a->files.at[1],
                            .net = a->net,
                            .nodes = a->nodes,
                            .workers = a->threads ? (int)a->threads : run.threads,
                            .team = run.team,
                            .hash_mb = (int)a->hash,
                            .stop = run.stop};
    RelabelStatus s;
    Progress progress;
    DataArguments old = *a;
    old.files.count = 1;
    start_progress(&progress, &old, "relabel");
    bool ok = relabel_run(&config, &progress, &s, &error);
    progress_end(&progress);
    if (ok)
        print_relabelled(&config, &s, long_run_is_stopped(&run));
    int status = long_run_end(&run, ok, &error);
    return run.is_first && (s.damages || long_run_is_stopped(&run)) ? EXIT_FAILED : status;
}

static void print_wdl(const WdlModel *model)
{
    static const int SCORES[] = {0, 50, 100, 200, 400}, MEN[] = {32, 20, 8};
    printf("win/draw/loss in thousandths at +%d", SCORES[0]);
    for (int i = 1; i < 5; i++)
        printf(", +%d", SCORES[i]);
    printf("\n");
    for (int m = 0; m < 3; m++) {
        printf("  %2d men:", MEN[m]);
        for (int i = 0; i < 5; i++) {
            Wdl wdl = wdl_of(model, MEN[m], SCORES[i]);
            printf("  %d/%d/%d", wdl.win, wdl.draw, wdl.loss);
        }
        printf("\n");
    }
}

static int fit_wdl(const DataArguments *a)
{
    Error error;
    WdlFit fit;
    Progress progress;
    start_progress(&progress, a, "wdl");
    bool ok = wdl_fit(a->files.at, a->files.count, &progress, &fit, &error);
    progress_end(&progress);
    if (!ok)
        return failed(&error);
    printf("%llu games, %llu positions\n", (unsigned long long)fit.games,
           (unsigned long long)fit.positions);
    printf("loss %.4f with the built-in model, %.4f with the fitted one\n", fit.loss_before,
           fit.loss);
    printf("expected and real score differ by %.2f %% on average\n", 100 * fit.expected_error);
    print_wdl(&fit.model);
    printf("for src/engine/wdl.c:\n"
           "{.draw = %.1f, .draw_men = %.2f, .scale = %.1f, .scale_men = %.2f}\n",
           fit.model.draw, fit.model.draw_men, fit.model.scale, fit.model.scale_men);
    return fit.damages ? EXIT_FAILED : EXIT_OK;
}

static bool read_arguments(int argc, char **argv, DataArguments *a, const char **action,
                           Error *error)
{
    const Option options[] = {{.name = "to", .kind = OPTION_TEXT, .value = &a->to},
                              {.name = "as", .kind = OPTION_TEXT, .value = &a->as},
                              {.name = "games", .kind = OPTION_COUNT, .value = &a->games},
                              OPTION_SEED(&a->seed),
                              OPTION_NODES(&a->nodes),
                              {.name = "net", .kind = OPTION_TEXT, .value = &a->net},
                              OPTION_THREADS(&a->threads),
                              OPTION_HASH(&a->hash),
                              OPTION_QUIET(&a->is_quiet),
                              {0}};
    Words words;
    if (!options_read(argc, argv, options, &words, error))
        return false;
    if (words.count < 2)
        return error_set(error, "say describe, check, merge, shuffle, sample, export, relabel or "
                                "wdl, and with which file");
    *action = words.at[0];
    a->files = (Words){words.at + 1, words.count - 1};
    bool mixes =
        !strcmp(*action, "merge") || !strcmp(*action, "shuffle") || !strcmp(*action, "sample");
    if (mixes && !a->to)
        return error_set(error, "%s needs --to FILE", *action);
    if (!strcmp(*action, "relabel") && a->files.count != 2)
        return error_set(error, "relabel wants an old file and a new one");
    if (!strcmp(*action, "sample") && !a->games)
        return error_set(error, "sample needs --games N");
    if (strcmp(a->as, "pgn") && strcmp(a->as, "epd"))
        return error_set(error, "--as: pgn or epd, not '%s'", a->as);
    return true;
}

int cmd_data(int argc, char **argv)
{
    DataArguments a = {.as = "pgn", .seed = 1, .net = "", .nodes = 1000, .hash = 2};
    Error error;
    const char *action = "";
    if (!read_arguments(argc, argv, &a, &action, &error))
        return options_refuse(argv[0], &error);
    if (!strcmp(action, "describe") || !strcmp(action, "check"))
        return check_files(&a, *action == 'd');
    if (!strcmp(action, "merge") || !strcmp(action, "shuffle") || !strcmp(action, "sample"))
        return mix_files(&a, strcmp(action, "merge"));
    if (!strcmp(action, "export"))
        return export_files(&a);
    if (!strcmp(action, "relabel"))
        return relabel_file(&a);
    if (!strcmp(action, "wdl"))
        return fit_wdl(&a);
    error_set(&error,
              "'%.40s' is none of describe, check, merge, shuffle, sample, export, relabel and wdl",
              action);
    return options_refuse(argv[0], &error);
}
