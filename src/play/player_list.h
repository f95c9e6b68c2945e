// The one list of players: the kinds that there are, a row each, and those that a configuration
// file adds. The rows of this folder are always in it; whoever knows other kinds (textbook agents
// of the laboratory) joins theirs. Terminal, match runner, board and laboratory page choose from
// it by the same text: a name of the list, or a description (player.h).
#ifndef LOVAC_PLAY_PLAYER_LIST_H
#define LOVAC_PLAY_PLAYER_LIST_H

#include "play/player.h"

enum {
    PLAYER_KINDS_MAX = 64,
    LISTED_PLAYERS_MAX = 64,
    GUEST_NODES_MAX = 1000000,
    GUEST_DEPTH_MAX = 100,
    GUEST_MOVE_MS_MAX = 60000
};

// The kinds of this folder.
enum { KIND_LEVEL, KIND_LOVAC, KIND_RANDOM, KIND_GREEDY, KIND_UCI, KIND_XBOARD };
extern const PlayerKind PLAYER_KINDS[]; // ends with {0}

// A player of the configuration file.
typedef struct ListedPlayer {
    char name[PLAYER_NAME_SIZE];
    char *text;
    bool plays[VARIANT_COUNT];
} ListedPlayer;

typedef struct PlayerList {
    const PlayerKind *kinds[PLAYER_KINDS_MAX];
    int kind_count;
    ListedPlayer *listed;
    int listed_count;
    // Where leagues lie, each in a folder with a number for a name: `champion 12 50` is who won
    // generation 50 of league 12. NULL: nowhere.
    const char *leagues;
} PlayerList;

// In the folder of a league: how its champions play, a description that ends where the file of the
// network begins ("network depth=2 file=").
#define LEAGUE_PLAYER_FILE "player"

// The rows of this folder; nothing to release until others are read.
void player_list_init(PlayerList *list);
void player_list_release(PlayerList *list);

// Adds rows, which end with {0}.
void player_list_join(PlayerList *list, const PlayerKind *kinds);

// Adds the players of a file: lines `NAME: DESCRIPTION` or `NAME [VARIANT, ...]: DESCRIPTION`; #
// begins a comment. Errors name the line.
bool player_list_read(PlayerList *list, const char *path, Error *error);

// Who is meant by a text: a name of the list, which further words may follow ("Minimax depth=4"),
// or a description. `list` may be NULL: the kinds of this folder.
bool player_list_find(const PlayerList *list, const char *text, const PlayerLimits *defaults,
                      PlayerSpec *spec, Error *error);

// What can be chosen by name, one after the other from 0: kinds with a title, then the file's
// players; NULL behind the last.
const char *player_list_name(const PlayerList *list, int index);

// The row of the same index, or NULL if it is a player of the file.
const PlayerKind *player_list_kind(const PlayerList *list, int index);

// Does it play this game? False for a text that nobody is meant by.
bool player_list_plays(const PlayerList *list, const char *text, const Rules *rules);

// May somebody whom we do not know choose it? Every name may be chosen; in descriptions only
// strength, nodes and depth within bounds, and the hand-written evaluation (net=none). Behind the
// name of a player of the file only depth, nodes and movetime.
bool player_list_allows(const PlayerList *list, const char *text, Error *error);

#endif
