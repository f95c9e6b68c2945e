// `lovac play`: a game in the terminal, between people at one keyboard and any player of the list,
// any variant. The loop asks whoever has the turn.
#include "app/board_view.h"
#include "app/command.h"
#include "app/game_file.h"
#include "app/options.h"
#include "app/players.h"
#include "app/setup.h"
#include "app/typed_move.h"
#include "base/clock.h"
#include "base/console.h"
#include "base/file.h"
#include "base/random.h"
#include "base/str.h"
#include "core/fen.h"
#include "core/game.h"
#include "core/movegen.h"
#include "core/notation.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char help_play[] =
    "Usage: lovac play [options]\n"
    "\n"
    "A game on a board in the terminal, between two people at one keyboard or against\n"
    "Lovac or another player. Type moves as e4, Nf3, O-O, exd8=Q or e2e4, in letters of any\n"
    "size; `help` lists the other words it knows, `go` lets Lovac take the side to\n"
    "move, and `players` tells who else can.\n"
    "\n"
    "  --white WHO      human, lovac, level=5, or any player as in `lovac match` (human)\n"
    "  --black WHO      the same for Black (human)\n"
    "  --opponent WHO   the same as --black\n"
    "  --engines FILE   more players: lines NAME: DESCRIPTION (the user's configuration\n"
    "                   folder, lovac/engines.conf, if it is there)\n"
    "  --level WHICH    how strong Lovac plays: 1 to 12, or beginner, novice, casual, easy,\n"
    "                   club, medium, strong, expert, hard, master, grandmaster, full (full)\n"
    "  --elo N          the same by a rating, 800 to 2800\n"
    "  --seconds N      the time for a move of players (1)\n"
    "  --tc [MOVES/]S[+INC]   clocks for both sides: seconds, and seconds for each move\n"
    "  --hurry          players answer at once instead of thinking as long as a person\n"
    "  --variant NAME   the game (chess, chess960, horde32, legan, corner, fortress, ...)\n"
    "  --start N        its start position number N (or seed, for massacre); else a random one\n"
    "  --fen FEN        any other position\n"
    "  --flip           Black's side below\n"
    "  --ascii          letters instead of chess figures\n"
    "  --color WHEN     auto, always or never; auto respects NO_COLOR\n"
    "\n"
    "Example: lovac play --opponent level=5 --variant chess960 --start 518\n";

enum { MAX_PLIES = 16384, HASH_MB = 64 };

typedef struct Session {
    Game game;
    GameStep *steps;
    Move *undone; // moves taken back, the last one first to be redone
    int undone_count;
    PlayerList list;
    Engine *engine;      // that Lovac thinks with; made when it is first needed
    Player *players[2];  // who has the seat, by colour; NULL: a person
    Player *lovac;       // for `go` and hints; NULL until then
    char lovac_text[32]; // how it plays
    int64_t move_ms;     // for each move of a player, where no clock runs
    PlayerLimits clock;  // of each side; time_ms TIME_UNSET: none
    int64_t left_ms[2];  // on it, when the turn began
    int64_t turn_ms;     // when that was
    int clocked_from;    // half-moves before were read from a file, where no clock ran
    bool is_humane;      // players take their time, as people do
    uint64_t seed;       // of the game
    BoardView view;
    bool is_interactive; // a person types: prompts are shown
    bool is_done;
} Session;

static const char *side_name(Color c)
{
    return c == WHITE ? "White" : "Black";
}

static void say_error(const Error *error)
{
    printf("%s.\n", error->text);
}

// ---- Showing ---------------------------------------------------------------------------------

static void show_outcome(Outcome outcome)
{
    printf("Game over: %s, %s.\n", result_text(outcome.result), reason_text(outcome.reason));
}

static bool has_clock(const Session *session)
{
    return session->clock.time_ms != TIME_UNSET;
}

// What a side has left at this moment.
static int64_t time_left_ms(const Session *session, Color c)
{
    bool is_running =
        c == session->game.now.side && game_outcome(&session->game).result == RESULT_NONE;
    return session->left_ms[c] - (is_running ? clock_ms() - session->turn_ms : 0);
}

static void show_clocks(const Session *session)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        int64_t ms = time_left_ms(session, c);
        ms = ms > 0 ? ms : 0;
        printf("%s %d:%02d.%d", c ? "  Black" : "White", (int)(ms / 60000), (int)(ms / 1000 % 60),
               (int)(ms / 100 % 10));
    }
    printf("\n");
}

static void show_board(Session *session)
{
    char text[BOARD_TEXT_SIZE];
    const Game *game = &session->game;
    session->view.last_move = game->count ? game->steps[game->count - 1].move : MOVE_NONE;
    board_view_draw(&session->view, &game->now, text);
    printf("\n%s\n", text);
    if (has_clock(session))
        show_clocks(session);
    Outcome outcome = game_outcome(game);
    if (outcome.result != RESULT_NONE)
        show_outcome(outcome);
    else
        printf("Move %d, %s to move%s.\n", game->now.ply / 2 + 1, side_name(game->now.side),
               position_in_check(&game->now) ? ", in check" : "");
}

// The moves from the start, in SAN, wrapped.
static void do_history(Session *session, const char *rest)
{
    const Game *game = &session->game;
    Position pos = game->start;
    int column = 0;
    (void)rest;
    for (int i = 0; i < game->count; i++) {
        char san[MOVE_TEXT_SIZE], item[MOVE_TEXT_SIZE + 16];
        Undo undo;
        move_to_san(&pos, game->steps[i].move, san);
        int number = pos.ply / 2 + 1;
        if (pos.side == WHITE)
            snprintf(item, sizeof item, "%d. %s", number, san);
        else if (i == 0)
            snprintf(item, sizeof item, "%d... %s", number, san);
        else
            snprintf(item, sizeof item, "%s", san);
        int width = (int)strlen(item);
        if (column > 0 && column + 1 + width > 79) {
            printf("\n");
            column = 0;
        }
        printf("%s%s", column ? " " : "", item);
        column += width + (column > 0);
        position_make(&pos, game->steps[i].move, &undo);
    }
    printf(game->count ? "\n" : "No moves yet.\n");
}

// ---- Beginning -------------------------------------------------------------------------------

// For a game that has just come, with whatever moves are in it.
static void begin_clocks(Session *session)
{
    session->left_ms[WHITE] = session->left_ms[BLACK] = session->clock.time_ms;
    session->turn_ms = clock_ms();
    session->clocked_from = session->game.count;
}

static void begin_game(Session *session, const Position *start)
{
    game_init(&session->game, start, session->steps, MAX_PLIES);
    session->undone_count = 0;
    session->seed = random_fresh_seed();
    begin_clocks(session);
}

// A numbered start, or any of them when no number is given.
static bool begin_variant(Session *session, const Rules *rules, const char *number, Error *error)
{
    uint64_t count = rules_start_count(rules);
    unsigned long long n = 0;
    Random random;
    Position start;
    if (number) {
        if (!str_to_count(number, UINT64_MAX, &n))
            return error_set(error, "the start number must be a whole number, not '%.40s'", number);
        if (count && n >= count)
            return error_set(error, "%s has start positions 0 to %" PRIu64, rules->title,
                             count - 1);
    } else if (count != 1) {
        random_init(&random, random_fresh_seed());
        n = count ? random_below(&random, count) : random_below(&random, 1000000);
    }
    if (!position_start(&start, rules, n, error))
        return false;
    begin_game(session, &start);
    printf("%s", rules->title);
    if (count != 1)
        printf(", start position %llu", n);
    printf(".\n");
    return true;
}

// The next word of a line, ended with 0; moves *rest behind it. NULL at the end.
static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, " \t\r\n");
    if (!*word)
        return NULL;
    char *end = word + strcspn(word, " \t\r\n");
    *rest = end + (*end != 0);
    *end = 0;
    return word;
}

static void do_new(Session *session, const char *rest)
{
    char line[256];
    char *at = line;
    Error error;
    snprintf(line, sizeof line, "%s", rest);
    const Rules *rules = session->game.now.rules;
    const char *first = next_word(&at), *second = first ? next_word(&at) : NULL;
    if (first && !second && *first >= '0' && *first <= '9') {
        second = first; // `new 17`: the same game
    } else if (first && !(rules = setup_rules(first, &error))) {
        say_error(&error);
        return;
    }
    if (begin_variant(session, rules, second, &error))
        show_board(session);
    else
        say_error(&error);
}

static void do_fen(Session *session, const char *rest)
{
    Position pos;
    Setup setup = {.variant = session->game.now.rules->name, .fen = rest};
    Error error;
    if (!*rest) {
        char fen[FEN_SIZE];
        position_to_fen(&session->game.now, FEN_XFEN, fen);
        printf("%s\n", fen);
    } else if (!setup_position(&setup, &pos, &error)) {
        say_error(&error);
    } else {
        begin_game(session, &pos);
        show_board(session);
    }
}

// ---- Moving ----------------------------------------------------------------------------------

// What a side gets for its move, the game's last: the increment, or a new time control.
static int64_t bonus_ms(const Session *session, Color side)
{
    const PlayerLimits *clock = &session->clock;
    int moves = (session->game.count + (side == session->game.start.side)) / 2;
    if (!has_clock(session) || session->game.count <= session->clocked_from)
        return 0;
    bool is_control = clock->moves_per_control && moves % clock->moves_per_control == 0;
    return clock->increment_ms + (is_control ? clock->time_ms : 0);
}

// The side that moved gets its bonus; the other's time begins.
static void press_clock(Session *session, Color side, int64_t left_ms)
{
    if (has_clock(session))
        session->left_ms[side] = left_ms + bonus_ms(session, side);
    session->turn_ms = clock_ms();
}

// Whose time is over has lost, unless the other could never mate.
static bool flag_falls(Session *session)
{
    Color side = session->game.now.side;
    if (!has_clock(session) || game_outcome(&session->game).result != RESULT_NONE ||
        time_left_ms(session, side) > 0)
        return false;
    session->left_ms[side] = 0;
    game_declare(&session->game, REASON_TIME, side);
    show_outcome(game_outcome(&session->game));
    return true;
}

static bool play_move(Session *session, Move move, Error *error)
{
    Outcome outcome = game_outcome(&session->game);
    if (outcome.result != RESULT_NONE)
        return error_set(error, "The game is over: %s, %s (`undo` or `new` go on)",
                         result_text(outcome.result), reason_text(outcome.reason));
    Color side = session->game.now.side;
    int64_t left = time_left_ms(session, side);
    if (!game_play(&session->game, move, error))
        return false;
    session->undone_count = 0;
    if (session->clocked_from >= session->game.count)
        session->clocked_from = session->game.count - 1;
    press_clock(session, side, left);
    return true;
}

static int count_argument(const char *rest)
{
    long long n;
    return !*rest ? 1 : str_to_int(rest, 1, MAX_PLIES, &n) ? (int)n : 0;
}

static void do_undo(Session *session, const char *rest)
{
    int wanted = count_argument(rest), done = 0;
    if (!wanted) {
        printf("undo wants a number of moves, not '%s'.\n", rest);
        return;
    }
    // Against Lovac go back to the person's own move, else it would only be answered again.
    bool has_person = !session->players[WHITE] || !session->players[BLACK];
    while (session->game.count > 0 &&
           (done < wanted || (has_person && session->players[session->game.now.side]))) {
        Color side = !session->game.now.side;
        session->undone[session->undone_count++] =
            session->game.steps[session->game.count - 1].move;
        session->left_ms[side] -= bonus_ms(session, side);
        game_undo(&session->game);
        done++;
    }
    session->turn_ms = clock_ms(); // what was used stays used
    if (done)
        show_board(session);
    else
        printf("There is nothing to take back.\n");
}

static void do_redo(Session *session, const char *rest)
{
    int wanted = count_argument(rest), done = 0;
    if (!wanted) {
        printf("redo wants a number of moves, not '%s'.\n", rest);
        return;
    }
    while (done < wanted && session->undone_count > 0) {
        Color side = session->game.now.side;
        if (!game_play(&session->game, session->undone[session->undone_count - 1], NULL))
            break;
        session->left_ms[side] += bonus_ms(session, side);
        session->undone_count--;
        done++;
    }
    session->turn_ms = clock_ms();
    if (done)
        show_board(session);
    else
        printf("There is nothing to play again.\n");
}

static bool read_square(const char *text, Square *s)
{
    if (text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8' || text[2])
        return false;
    *s = square_make(text[0] - 'a', text[1] - '1');
    return true;
}

static void do_moves(Session *session, const char *rest)
{
    const Position *pos = &session->game.now;
    Square from = NO_SQUARE;
    Move list[MAX_MOVES];
    int shown = 0, column = 0;
    if (*rest && !read_square(rest, &from)) {
        printf("moves wants a square such as e2, not '%s'.\n", rest);
        return;
    }
    int count = movegen_legal(pos, STAGE_ALL, list);
    for (int i = 0; i < count; i++) {
        char san[MOVE_TEXT_SIZE];
        if (from != NO_SQUARE && move_from(list[i]) != from)
            continue;
        move_to_san(pos, list[i], san);
        int width = (int)strlen(san);
        if (column > 0 && column + 1 + width > 79) {
            printf("\n");
            column = 0;
        }
        printf("%s%s", column ? " " : "", san);
        column += width + (column > 0);
        shown++;
    }
    printf(shown ? "\n" : "No legal moves.\n");
}

// Declares an end that the players chose themselves.
static void declare(Session *session, Reason reason)
{
    if (game_outcome(&session->game).result == RESULT_NONE)
        game_declare(&session->game, reason, session->game.now.side);
    show_outcome(game_outcome(&session->game));
}

static void do_resign(Session *session, const char *rest)
{
    (void)rest;
    declare(session, REASON_RESIGNATION);
}

static void do_draw(Session *session, const char *rest)
{
    (void)rest;
    for (Color c = WHITE; c <= BLACK; c++) {
        const Player *player = session->players[c];
        if (player && !player_accepts_draw(&player->game, session->game.now.ply)) {
            printf("%s wants to play on.\n", player->spec.name);
            return;
        }
    }
    declare(session, REASON_AGREEMENT);
}

// ---- Files and the rest -----------------------------------------------------------------------

static const char *seat_name(const Session *session, Color c)
{
    return session->players[c] ? session->players[c]->spec.name : side_name(c);
}

// May a file be replaced? On a terminal that is asked, elsewhere `save!` says so.
static bool may_replace(const Session *session, const char *path)
{
    char answer[16] = "";
    if (!session->is_interactive) {
        printf("%s is there already; `save! %s` replaces it.\n", path, path);
        return false;
    }
    printf("%s is there already. Replace it (y or n)? ", path);
    fflush(stdout);
    if (fgets(answer, sizeof answer, stdin) && tolower((unsigned char)*answer) == 'y')
        return true;
    printf("Not saved.\n");
    return false;
}

static void save(Session *session, const char *rest)
{
    Error error;
    if (game_file_save(&session->game, seat_name(session, WHITE), seat_name(session, BLACK), rest,
                       &error))
        printf("Saved to %s.\n", rest);
    else
        say_error(&error);
}

static void do_save(Session *session, const char *rest)
{
    if (!*rest)
        printf("save wants the name of a file.\n");
    else if (!file_exists(rest) || may_replace(session, rest))
        save(session, rest);
}

static void do_save_over(Session *session, const char *rest)
{
    if (!*rest)
        printf("save! wants the name of a file.\n");
    else
        save(session, rest);
}

static void do_load(Session *session, const char *rest)
{
    Error error;
    Game loaded;
    if (!*rest) {
        printf("load wants the name of a file.\n");
        return;
    }
    GameStep *steps = malloc(MAX_PLIES * sizeof *steps); // the running game stays if this fails
    bool ok = steps ? game_file_load(&loaded, steps, MAX_PLIES, rest, &error)
                    : error_set(&error, "not enough memory");
    if (!ok) {
        free(steps);
        say_error(&error);
        return;
    }
    free(session->steps);
    session->steps = steps;
    session->game = loaded;
    session->undone_count = 0;
    session->seed = random_fresh_seed();
    begin_clocks(session);
    show_board(session);
    if (error.text[0])
        printf("Only loaded up to a problem: %s.\n", error.text);
}

// ---- Players ---------------------------------------------------------------------------------

// Makes the engine that all of Lovac's players share, when one of them is wanted.
static bool need_engine(Session *session, Error *error)
{
    EngineOptions options = engine_default_options();
    options.hash_mb = HASH_MB;
    if (!session->engine && (session->engine = engine_new(&options, error)))
        engine_load_usual_tables(session->engine);
    return session->engine;
}

// A player by its description.
static Player *make_player(Session *session, const char *text, Error *error)
{
    Player *player = NULL;
    PlayerSpec *spec = malloc(sizeof *spec);
    if (!spec)
        return error_set(error, "not enough memory"), NULL;
    if (player_list_find(&session->list, text, NULL, spec, error) &&
        (!spec->kind->has_options || need_engine(session, error)))
        player = player_new_on(spec, session->engine, error);
    free(spec);
    if (player) { // sentences begin with it
        player->spec.name[0] = (char)toupper((unsigned char)player->spec.name[0]);
        player->is_varied = true;
    }
    return player;
}

// Puts a player, or a person (NULL), in the place of one.
static void set_player(Player **place, Player *player)
{
    player_free(*place);
    *place = player;
}

// Moves that the side to move has until its next time control; 0: the rest of the game.
static int moves_to_go(const Session *session)
{
    int each = session->clock.moves_per_control;
    return each ? each - session->game.count / 2 % each : 0;
}

// The player's move in this position, with what it thinks of it; MOVE_NONE when it has none.
static Move ask_player(Session *session, Player *player, const char *verb)
{
    Error error;
    PlayerMove answer = {0};
    PlayerGame own = player->game;
    SearchLimits limits = search_limits_none();
    if (has_clock(session)) {
        limits.time_ms[WHITE] = time_left_ms(session, WHITE);
        limits.time_ms[BLACK] = time_left_ms(session, BLACK);
        limits.increment_ms[WHITE] = limits.increment_ms[BLACK] = session->clock.increment_ms;
        limits.moves_to_go = moves_to_go(session);
    } else {
        limits.move_time_ms = session->move_ms;
    }
    fflush(stdout); // the board should be seen while it thinks
    if (own.seed != session->seed)
        own = player_game_new(session->seed);
    if (player_resume(player, session->game.now.rules, &own, &error) != FAULT_NONE) {
        say_error(&error);
        return MOVE_NONE;
    }
    player_choose(player, &session->game, &limits, &answer);
    if (answer.fault != FAULT_NONE) {
        printf("%s: %s %s.\n", player->spec.name, player_fault_text(answer.fault), answer.detail);
        if (answer.fault == FAULT_RESIGN)
            declare(session, REASON_RESIGNATION);
        return MOVE_NONE;
    }
    if (session->is_humane) {
        int64_t left = has_clock(session) ? time_left_ms(session, session->game.now.side) : -1;
        int64_t pause = player_pause_ms(player, &session->game, answer.move, left);
        clock_sleep_ms(pause - answer.time_ns / 1000000);
    }
    char san[MOVE_TEXT_SIZE];
    move_to_san(&session->game.now, answer.move, san);
    printf("%s %s %s", player->spec.name, verb, san);
    if (answer.score == SCORE_NONE)
        printf("\n");
    else if (score_is_mate(answer.score))
        printf(" (mate in %d, depth %d)\n", score_mate_moves(answer.score), answer.depth);
    else
        printf(" (%+.2f, depth %d)\n", score_shown(answer.score) / 100.0, answer.depth);
    return answer.move;
}

static void do_go(Session *session, const char *rest)
{
    Error error;
    if (game_outcome(&session->game).result != RESULT_NONE) {
        show_outcome(game_outcome(&session->game));
        return;
    }
    Player *player = make_player(session, *rest ? rest : session->lovac_text, &error);
    if (player)
        set_player(&session->players[session->game.now.side], player); // the loop lets it move
    else
        say_error(&error);
}

static void do_people(Session *session, const char *rest)
{
    (void)rest;
    set_player(&session->players[WHITE], NULL);
    set_player(&session->players[BLACK], NULL);
    printf("Both sides are played by people.\n");
}

static void do_players(Session *session, const char *rest)
{
    (void)rest;
    players_print(&session->list);
}

// What Lovac would play at its best, however weak the opponent is.
static void do_hint(Session *session, const char *rest)
{
    Error error;
    (void)rest;
    if (game_outcome(&session->game).result != RESULT_NONE)
        show_outcome(game_outcome(&session->game));
    else if (session->lovac || (session->lovac = make_player(session, "lovac", &error)))
        ask_player(session, session->lovac, "would play");
    else
        say_error(&error);
}

// The description of Lovac by a level's number or name, or by a rating; false for what is none.
static bool describe_level(const char *text, char description[32], Error *error)
{
    long long number = 0;
    int level = 0;
    for (int i = 0; i < LEVEL_COUNT; i++)
        if (str_same_word(text, LEVELS[i].name))
            level = i + 1;
    if (!level && str_to_int(text, 1, LEVEL_COUNT, &number))
        level = (int)number;
    if (level == LEVEL_COUNT)
        strcpy(description, "lovac");
    else if (level)
        snprintf(description, 32, "lovac level=%d", level);
    else if (str_to_int(text, ELO_MIN, ELO_MAX, &number))
        snprintf(description, 32, "lovac elo=%lld", number);
    else
        return error_set(error,
                         "a level is 1 to %d, a name from `%s` to `%s`, or a rating from %d to %d, "
                         "not '%.40s'",
                         LEVEL_COUNT, LEVELS[0].name, LEVELS[LEVEL_COUNT - 1].name, ELO_MIN,
                         ELO_MAX, text);
    return true;
}

// Another strength for Lovac, also where it sits at the board already.
static bool set_level(Session *session, const char *text, Error *error)
{
    if (!describe_level(text, session->lovac_text, error))
        return false;
    for (Color c = WHITE; c <= BLACK; c++) {
        const Player *old = session->players[c];
        if (!old || !old->spec.kind->has_options)
            continue;
        Player *player = make_player(session, session->lovac_text, error);
        if (!player)
            return false;
        set_player(&session->players[c], player);
    }
    return true;
}

static void list_levels(const Session *session)
{
    for (int i = 0; i < LEVEL_COUNT; i++)
        printf("  %2d  %-12s about %d Elo\n", i + 1, LEVELS[i].name, LEVELS[i].elo);
    printf("Lovac plays as `%s`.\n", session->lovac_text);
}

static void do_level(Session *session, const char *rest)
{
    Error error;
    if (!*rest)
        list_levels(session);
    else if (set_level(session, rest, &error))
        printf("Lovac plays %s.\n",
               strcmp(session->lovac_text, "lovac") ? "at that level" : "at its best");
    else
        say_error(&error);
}

static void do_flip(Session *session, const char *rest)
{
    (void)rest;
    session->view.is_flipped = !session->view.is_flipped;
    show_board(session);
}

static void do_board(Session *session, const char *rest)
{
    (void)rest;
    show_board(session);
}

static void do_rules(Session *session, const char *rest)
{
    (void)rest;
    printf("%s\n%s\n", session->game.now.rules->title, session->game.now.rules->summary);
}

static void do_variants(Session *session, const char *rest)
{
    (void)session;
    (void)rest;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        uint64_t count = rules_start_count(&VARIANTS[i]);
        printf("  %-16s %s", VARIANTS[i].name, VARIANTS[i].title);
        if (count > 1)
            printf(" (start positions 0 to %" PRIu64 ")", count - 1);
        else if (count == 0)
            printf(" (a start position for every number)");
        printf("\n");
    }
}

static void do_quit(Session *session, const char *rest)
{
    (void)rest;
    session->is_done = true;
}

static void do_help(Session *session, const char *rest);

typedef struct Word {
    const char *name, *usage, *summary;
    void (*run)(Session *session, const char *rest);
} Word;

static const Word WORDS[] = {
    {"help", "help", "this list", do_help},
    {"moves", "moves [SQUARE]", "the legal moves, all or of one man", do_moves},
    {"undo", "undo [N]", "take back the last move, or N (also: takeback)", do_undo},
    {"redo", "redo [N]", "play again what was taken back", do_redo},
    {"history", "history", "the moves so far", do_history},
    {"board", "board", "draw the board again", do_board},
    {"flip", "flip", "turn the board", do_flip},
    {"fen", "fen [FEN]", "the position as text, or another position", do_fen},
    {"new", "new [GAME] [N]", "a new game, from start position N", do_new},
    {"variants", "variants", "the games there are", do_variants},
    {"rules", "rules", "the rules of this game in short", do_rules},
    {"go", "go [WHO]", "Lovac, or another player, takes the side to move", do_go},
    {"players", "players", "who can play, and how to name them", do_players},
    {"people", "people", "people play both sides again", do_people},
    {"hint", "hint", "what Lovac would play at its best", do_hint},
    {"level", "level [WHICH]", "how strong Lovac plays: 1 to 12, a name or Elo", do_level},
    {"resign", "resign", "the side to move gives up", do_resign},
    {"draw", "draw", "agree to a draw; a player may refuse", do_draw},
    {"save", "save FILE", "write the game as PGN; `save!` replaces a file", do_save},
    {"save!", NULL, NULL, do_save_over},
    {"load", "load FILE", "read a game from PGN", do_load},
    {"quit", "quit", "leave", do_quit},
};
enum { WORD_COUNT = sizeof WORDS / sizeof *WORDS };

static void do_help(Session *session, const char *rest)
{
    (void)session;
    (void)rest;
    printf("Type a move (e4, Nf3, O-O, exd8=Q, e2e4), several moves, or:\n");
    for (int i = 0; i < WORD_COUNT; i++)
        if (WORDS[i].usage)
            printf("  %-16s %s\n", WORDS[i].usage, WORDS[i].summary);
}

// Other words for the same.
static const char *const SYNONYMS[][2] = {
    {"exit", "quit"}, {"takeback", "undo"}, {"back", "undo"}, {"?", "help"}, {"levels", "level"}};

static const Word *find_word(const char *name)
{
    for (size_t i = 0; i < sizeof SYNONYMS / sizeof *SYNONYMS; i++)
        if (str_same_word(SYNONYMS[i][0], name))
            name = SYNONYMS[i][1];
    for (int i = 0; i < WORD_COUNT; i++)
        if (str_same_word(WORDS[i].name, name))
            return &WORDS[i];
    return NULL;
}

static const char *nearest_word(const char *name)
{
    for (int i = 0; i < WORD_COUNT; i++)
        if (str_distance(WORDS[i].name, name) == 1)
            return WORDS[i].name;
    return NULL;
}

// "12.", "3..." and the like before a move; returns what follows.
static char *skip_move_number(char *text)
{
    char *end = text + strspn(text, "0123456789");
    return end > text && *end == '.' ? end + strspn(end, ".") : text;
}

// A line of moves; those before a wrong one stay played.
static void type_moves(Session *session, char *line)
{
    char *word;
    int played = 0;
    Error error;
    bool ok = true;
    while (ok && (word = next_word(&line))) {
        char *text = skip_move_number(word);
        if (!*text)
            continue;
        Move move = move_from_typing(&session->game.now, text, &error);
        ok = move != MOVE_NONE && play_move(session, move, &error);
        played += ok;
        const char *meant = ok || played ? NULL : nearest_word(text);
        if (!ok) {
            // After the end of the game that is the news, whatever was typed.
            Outcome outcome = game_outcome(&session->game);
            if (outcome.result != RESULT_NONE)
                play_move(session, MOVE_NONE, &error);
            printf("%s", error.text);
            printf(meant ? "; did you mean `%s`?\n" : ".\n", meant);
        }
    }
    if (played)
        show_board(session);
}

static void type_line(Session *session, char *line)
{
    line += strspn(line, " \t\r\n");
    for (size_t n = strlen(line); n > 0 && strchr(" \t\r\n", line[n - 1]); n--)
        line[n - 1] = 0;
    size_t length = strcspn(line, " \t");
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), line);
    const Word *word = find_word(name);
    if (word)
        word->run(session, line + length + strspn(line + length, " \t"));
    else if (*line)
        type_moves(session, line);
}

// A player's turn.
static bool take_player_turn(Session *session)
{
    Error error;
    Move move = ask_player(session, session->players[session->game.now.side], "plays");
    if (flag_falls(session))
        return true;
    if (move == MOVE_NONE)
        return game_outcome(&session->game).result != RESULT_NONE;
    if (!play_move(session, move, &error)) {
        say_error(&error);
        return false;
    }
    show_board(session);
    return true;
}

// One turn: a line from the person, or a move of a player. False when all is over.
static bool take_turn(Session *session, char **line, size_t *room)
{
    if (session->players[session->game.now.side] &&
        game_outcome(&session->game).result == RESULT_NONE)
        return take_player_turn(session);
    if (session->is_interactive) {
        printf("> ");
        fflush(stdout);
    }
    // A person at a terminal may let the time run out; from a pipe lines come at once.
    while (session->is_interactive && has_clock(session) && !console_wait_for_input(100))
        if (flag_falls(session))
            printf("> "), fflush(stdout);
    if (!file_read_line(stdin, line, room)) {
        if (session->is_interactive)
            printf("\n");
        return false;
    }
    flag_falls(session);
    type_line(session, *line);
    fflush(stdout);
    return !session->is_done;
}

static bool begin_session(Session *session, const Setup *setup, Error *error)
{
    Position start;
    session->steps = malloc(MAX_PLIES * sizeof *session->steps);
    session->undone = malloc(MAX_PLIES * sizeof *session->undone);
    if (!session->steps || !session->undone)
        return error_set(error, "not enough memory");
    if (setup->fen || setup->has_number) {
        if (!setup_position(setup, &start, error))
            return false;
        begin_game(session, &start);
        printf("%s.\n", start.rules->title);
        return true;
    }
    const Rules *rules = setup_rules(setup->variant ? setup->variant : "chess", error);
    return rules && begin_variant(session, rules, NULL, error);
}

static bool set_color(BoardView *view, const char *when, Error *error)
{
    if (strcmp(when, "always") == 0)
        view->has_color = true;
    else if (strcmp(when, "never") == 0)
        view->has_color = false;
    else if (strcmp(when, "auto") != 0)
        return error_set(error, "--color wants auto, always or never, not '%.40s'", when);
    return true;
}

// Begins with a player on this side, or a person.
static bool set_seat(Session *session, Color c, const char *who, Error *error)
{
    if (strcmp(who, "human") == 0)
        return true;
    Player *player = make_player(session, strcmp(who, "lovac") ? who : session->lovac_text, error);
    session->players[c] = player;
    // Who cannot be had, or not in this game, is told at once.
    return player &&
           player_new_game(player, session->game.now.rules, session->seed, error) == FAULT_NONE;
}

static void end_session(Session *session)
{
    set_player(&session->players[WHITE], NULL);
    set_player(&session->players[BLACK], NULL);
    set_player(&session->lovac, NULL);
    engine_free(session->engine);
    player_list_release(&session->list);
    free(session->steps);
    free(session->undone);
}

int cmd_play(int argc, char **argv)
{
    Session session = {.view = board_view_for(STDOUT_FILENO),
                       .is_interactive = isatty(STDIN_FILENO)};
    Setup setup = {0};
    const char *color = "auto", *white = "human", *black = "human", *engines = NULL;
    const char *level = "full", *clock = NULL;
    double seconds = 1;
    bool ascii = false, is_hurried = false;
    const Option options[] = {
        OPTIONS_SETUP(&setup),
        {.name = "flip", .kind = OPTION_FLAG, .value = &session.view.is_flipped},
        {.name = "ascii", .kind = OPTION_FLAG, .value = &ascii},
        {.name = "color", .kind = OPTION_TEXT, .value = &color},
        {.name = "white", .kind = OPTION_TEXT, .value = &white},
        {.name = "black", .kind = OPTION_TEXT, .value = &black},
        {.name = "opponent", .kind = OPTION_TEXT, .value = &black},
        {.name = "engines", .kind = OPTION_TEXT, .value = &engines},
        {.name = "elo", .kind = OPTION_TEXT, .value = &level},
        {.name = "level", .kind = OPTION_TEXT, .value = &level},
        {.name = "tc", .kind = OPTION_TEXT, .value = &clock},
        {.name = "hurry", .kind = OPTION_FLAG, .value = &is_hurried},
        {.name = "seconds", .kind = OPTION_REAL, .value = &seconds, .low = 0, .high = 3600},
        {0}};
    Words words;
    Error error;
    session.clock = player_limits_none();
    bool ok = options_read(argc, argv, options, &words, &error) &&
              (!clock || player_limits_parse_clock(&session.clock, clock, &error)) &&
              (words.count == 0 || error_set(&error, "unexpected '%.60s'", words.at[0])) &&
              set_color(&session.view, color, &error) &&
              players_open(&session.list, engines, &error) && set_level(&session, level, &error) &&
              begin_session(&session, &setup, &error) && set_seat(&session, WHITE, white, &error) &&
              set_seat(&session, BLACK, black, &error);
    session.is_humane = session.is_interactive && !is_hurried;
    session.move_ms = seconds > 0.001 ? (int64_t)(seconds * 1000) : 1;
    if (ok) {
        char *line = NULL;
        size_t room = 0;
        session.view.has_unicode &= !ascii;
        if (session.is_interactive)
            printf("Type a move, or `help`.\n");
        show_board(&session);
        while (take_turn(&session, &line, &room))
            continue;
        free(line);
    }
    end_session(&session);
    return ok ? EXIT_OK : options_refuse("play", &error);
}
