// See players.h.
#include "app/players.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "tables/places.h"

bool players_open(PlayerList *list, const char *path, Error *error)
{
    char usual[2048];
    player_list_init(list);
#ifdef WITH_LAB
    players_join_lab(list);
#endif
    if (!path && places_user_folder("XDG_CONFIG_HOME", ".config", usual, sizeof usual - 16)) {
        strcat(usual, "/engines.conf");
        path = file_exists(usual) ? usual : NULL;
    }
    if (!path || player_list_read(list, path, error))
        return true;
    player_list_release(list);
    return false;
}

void players_print(const PlayerList *list)
{
    for (int i = 0; i < list->kind_count; i++)
        printf("  %-22s %s\n", list->kinds[i]->usage, list->kinds[i]->help);
    for (int i = 0; i < list->listed_count; i++)
        printf("  %-22s %s\n", list->listed[i].name, list->listed[i].text);
}
