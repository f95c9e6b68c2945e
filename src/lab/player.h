// A player chooses moves: Lovac in this process, an external UCI or XBoard engine, a simple mover.
// Games between any two players are the same code (match_game.h). A PlayerSpec says what to make,
// in one line of text.
#ifndef LOVAC_LAB_PLAYER_H
#define LOVAC_LAB_PLAYER_H

#include <stdatomic.h>

#include "core/game.h"
#include "engine/engine.h"

typedef struct Player Player;

typedef enum PlayerKind {
    PLAYER_LOVAC,
    PLAYER_UCI,
    PLAYER_XBOARD,
    PLAYER_RANDOM,
    PLAYER_GREEDY,
    PLAYER_MATERIAL
} PlayerKind;

enum { PLAYER_NAME_SIZE = 64, PLAYER_COMMAND_SIZE = 1024, PLAYER_OPTIONS_MAX = 64 };

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
    PlayerKind kind;
    char name[PLAYER_NAME_SIZE];
    char command[PLAYER_COMMAND_SIZE], folder[256], log[256];
    PlayerLimits limits;
    PlayerOption options[PLAYER_OPTIONS_MAX];
    int option_count;
    int64_t start_timeout_ms; // to answer the first greeting
    int64_t patience_ms;      // for a move when no clock runs, and for readyok
} PlayerSpec;

// Reads a description: the first word is lovac, random, greedy, material or a command, with its
// arguments; then key=value words: name, proto (uci, xboard), dir, log, tc (60+0.6, 40/60+0.6),
// movetime (seconds), nodes, depth, patience (seconds), option.NAME (any UCI option; for lovac
// hash, threads, net, skill, elo too). Quotes keep blanks together. `defaults` gives the limits
// where the text names none.
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

// The functions behind a player; `player_*` below call them.
typedef struct PlayerClass {
    // Gets ready for a game of these rules, starting or restarting what is needed.
    PlayerFault (*new_game)(Player *player, const Rules *rules, uint64_t seed, Error *error);
    void (*choose)(Player *player, const Game *game, const SearchLimits *limits,
                   PlayerMove *answer);
    void (*free)(Player *player);
} PlayerClass;

// Every kind of player begins with this.
struct Player {
    const PlayerClass *class;
    PlayerSpec spec;
    const atomic_bool *stop; // once true, no engine is waited for; may be NULL
};

// Makes a player; processes are started with the first game. Who has a flag that stops everything
// sets `stop` before that: waiting for an engine then ends at once, as FAULT_STALL.
Player *player_new(const PlayerSpec *spec, Error *error);
void player_free(Player *player);

// Before every game. The seed makes what is random in a player repeatable. FAULT_NONE when it is
// ready; else FAULT_CRASH, FAULT_STALL or FAULT_REFUSE, with the reason.
PlayerFault player_new_game(Player *player, const Rules *rules, uint64_t seed, Error *error);

// Chooses a move in the game's current position, which must have one. With FAULT_NONE the move is
// legal.
void player_choose(Player *player, const Game *game, const SearchLimits *limits,
                   PlayerMove *answer);

#endif
