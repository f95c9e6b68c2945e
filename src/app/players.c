// See players.h.
#include "app/players.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

bool players_user_folder(const char *name, const char *fallback, char *path, size_t size)
{
    const char *base = getenv(name), *home = getenv("HOME");
    if (base && *base == '/')
        snprintf(path, size, "%s/lovac", base);
    else if (home && *home)
        snprintf(path, size, "%s/%s/lovac", home, fallback);
    else
        return false;
    return true;
}

bool players_open(PlayerList *list, const char *path, Error *error)
{
    char usual[2048];
    player_list_init(list);
#ifdef WITH_LAB
    players_join_lab(list);
#endif
    if (!path && players_user_folder("XDG_CONFIG_HOME", ".config", usual, sizeof usual - 16)) {
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
