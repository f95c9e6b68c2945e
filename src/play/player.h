// A player chooses moves in a game under a clock: an engine at a level or with chosen options, a
// textbook agent, an external UCI or XBoard engine. The terminal, the match runner, the board and
// the laboratory page use this and nothing else. What kinds there are is a table of rows
// (player_list.h); a PlayerSpec says what to make, in one line of text; a PlayerGame is all that
// belongs to one game, so that a player may serve many.
#ifndef LOVAC_PLAY_PLAYER_H
#define LOVAC_PLAY_PLAYER_H

#include <stdatomic.h>

#include "base/random.h"
#include "core/game.h"
#include "engine/engine.h"
#include "engine/level.h"

typedef struct Player Player;
typedef struct PlayerKind PlayerKind;

enum {
    PLAYER_TEXT_SIZE = 244, // of a description that the board takes
    PLAYER_NAME_SIZE = 64,
    PLAYER_COMMAND_SIZE = 1024,
    PLAYER_OPTIONS_MAX = 64
};

typedef struct PlayerOption {
    char name[64], value[256];
} PlayerOption;

// How long a player may think: what is not limited is 0 (times: TIME_UNSET).
typedef struct PlayerLimits {
    int64_t time_ms, increment_ms; // clock at the start and for each move
    int moves_per_control;         // the clock gets time_ms again after so many moves; 0: never
    int64_t move_time_ms;
    uint64_t nodes;
    int depth;
} PlayerLimits;

typedef struct PlayerSpec {
    const PlayerKind *kind;
    char name[PLAYER_NAME_SIZE];
    char command[PLAYER_COMMAND_SIZE], folder[256], log[256];
    PlayerLimits limits;
    PlayerOption options[PLAYER_OPTIONS_MAX];
    int option_count;
    int resign_score;         // gives up after three moves in a row so far behind; 0: never
    int64_t start_timeout_ms; // to answer the first greeting
    int64_t patience_ms;      // for a move when no clock runs, and for readyok
} PlayerSpec;

// Reads a description: the first word is the name of a kind of this folder (player_list_find knows
// all others too) or a command, with its arguments; then key=value words: name, proto (uci,
// xboard), dir, log, tc (60+0.6, 40/60+0.6), movetime (seconds), nodes, depth, patience (seconds),
// resign (centipawns), option.NAME (any UCI option); for the engine of this program hash, threads,
// net, level, skill, elo too. `level=5` is short for `level level=5`. Quotes keep blanks together.
// `defaults` gives the limits where the text names none.
bool player_spec_parse(PlayerSpec *spec, const char *text, const PlayerLimits *defaults,
                       Error *error);

// No limit at all.
PlayerLimits player_limits_none(void);

// Reads a time control, [moves/]time[+increment] in seconds.
bool player_limits_parse_clock(PlayerLimits *limits, const char *text, Error *error);

typedef enum PlayerFault {
    FAULT_NONE,
    FAULT_CRASH,   // the process ended or closed its output
    FAULT_STALL,   // no answer in the time allowed
    FAULT_ILLEGAL, // an illegal or unreadable move
    FAULT_TIME,    // the clock ran out
    FAULT_RESIGN,  // not a fault: the player gave up
    FAULT_REFUSE,  // cannot be started, or does not play this game at all
    FAULT_COUNT
} PlayerFault;

const char *player_fault_text(PlayerFault fault);

// What a player answered.
typedef struct PlayerMove {
    Move move;
    PlayerFault fault;
    char detail[96]; // with a fault: what it said
    int score;       // for the side to move, or SCORE_NONE
    int depth;
    uint64_t nodes;
    int64_t time_ns; // as we measured it
} PlayerMove;

// What belongs to one game of one side, whoever chooses its moves.
typedef struct PlayerGame {
    uint64_t seed;     // tells games apart, and makes what is random repeatable
    GameMemory memory; // of an engine
    int last_score;    // what it thought of its last move, for itself; SCORE_NONE at first
    int lost_moves;    // in a row, for resign_score
} PlayerGame;

PlayerGame player_game_new(uint64_t seed);

// Whoever thought so of the last move: is a draw accepted, `ply` half-moves into the game? Not when
// it hopes for more. And is one claimed where the rules allow it?
bool player_accepts_draw(const PlayerGame *own, int ply);
bool player_claims_draw(const PlayerGame *own);

// A mover without memory: fills the answer's move, and score, depth and nodes if it knows them. It
// ends soon when `stop` (may be NULL) becomes true; the answer then means nothing.
typedef void SimpleChooser(const Game *game, const SearchLimits *limits, Random *random,
                           const atomic_bool *stop, PlayerMove *answer);

// A row of the list of kinds. A kind has either `choose` or `make`.
struct PlayerKind {
    const char *name;  // the first word of a description
    const char *title; // under which people at the board find it; NULL: not by itself
    const char *usage; // the description, with what may follow
    const char *help;
    bool (*plays)(const Rules *rules); // which games; NULL: all
    bool is_external;                  // starts a process
    bool has_options;                  // every key=value word is for `make`
    // Are these words right? Whoever has this lets strangers say them; NULL: only those of `lovac`.
    bool (*check)(const PlayerSpec *spec, Error *error);
    int guest_depth; // the deepest that strangers may ask for; 0: any
    SimpleChooser *choose;
    Player *(*make)(const PlayerSpec *spec, Engine *engine, Error *error);
};

// The functions behind a player; `player_*` below call them.
typedef struct PlayerClass {
    // Gets ready for the game that `player->game` names, starting or restarting what is needed.
    PlayerFault (*new_game)(Player *player, const Rules *rules, Error *error);
    void (*choose)(Player *player, const Game *game, const SearchLimits *limits,
                   PlayerMove *answer);
    void (*free)(Player *player);
} PlayerClass;

// Every kind of player begins with this.
struct Player {
    const PlayerClass *class;
    PlayerSpec spec;
    PlayerGame game;          // that it plays now
    const Rules *rules;       // of it; NULL: none was begun, or the last one ended with a fault
    const Level *level;       // at which it plays; NULL: at its best
    bool is_varied;           // weaker levels of Lovac begin by its book, for a change
    const atomic_bool *stop;  // once true, no move is waited for; may be NULL
    const atomic_bool *hurry; // true when it is stopped: an engine of this process, or one that
                              // speaks UCI, answers with what it has found; may be NULL
    InfoCallback *on_info;    // hears what such an engine thinks; may be NULL
    void *context;            // for on_info
};

// Makes a player; processes are started with the first game. Who has a flag that stops everything
// sets `stop` before that: waiting for a move then ends at once, as FAULT_STALL.
Player *player_new(const PlayerSpec *spec, Error *error);

// The same, but an engine of this process without options of its own (hash, threads, net) is the
// one given, which must last as long and may serve others between two moves.
Player *player_new_on(const PlayerSpec *spec, Engine *engine, Error *error);
void player_free(Player *player);

// Before every game. The seed makes what is random in a player repeatable. FAULT_NONE when it is
// ready; else FAULT_CRASH, FAULT_STALL or FAULT_REFUSE, with the reason.
PlayerFault player_new_game(Player *player, const Rules *rules, uint64_t seed, Error *error);

// The same for a game that may have been left before: nothing happens when it is the one that the
// player knows, and the next move is chosen with what `own` remembers. Afterwards `player->game`
// has it as it then is.
PlayerFault player_resume(Player *player, const Rules *rules, const PlayerGame *own, Error *error);

// Chooses a move in the game's current position, which must have one, within these limits and those
// of its own. With FAULT_NONE the move is legal.
void player_choose(Player *player, const Game *game, const SearchLimits *limits,
                   PlayerMove *answer);

// How long a person of this strength would have thought about the move just chosen, with so much on
// the clock (below 0: none): whoever shows moves to people waits so long, reckoned from the
// beginning.
int64_t player_pause_ms(const Player *player, const Game *game, Move chosen, int64_t left_ms);

// The engine of this process behind a player, to change what no option can; NULL for the others.
Engine *player_engine(Player *player);

#endif
