// See players.h: what is there only with the laboratory.
#include "app/players.h"
#include "lab/agents/agents.h"

void players_join_lab(PlayerList *list)
{
    player_list_join(list, AGENT_KINDS);
}
