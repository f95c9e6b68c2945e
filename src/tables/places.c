// See places.h.
#include "tables/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"

enum { PATH_SIZE = 1024 };

bool places_user_folder(const char *name, const char *fallback, char *path, size_t size)
{
    const char *base = getenv(name), *home = getenv("HOME");
    if (base && *base == '/')
        return snprintf(path, size, "%s/lovac", base) < (int)size;
    if (home && *home)
        return snprintf(path, size, "%s/%s/lovac", home, fallback) < (int)size;
    return false;
}

bool places_tables(char *path, size_t size)
{
    char folder[PATH_SIZE];
    return places_user_folder("XDG_DATA_HOME", ".local/share", folder, sizeof folder) &&
           snprintf(path, size, "%s/tables", folder) < (int)size;
}

// Only what is there, and can stand in a list.
static void add_folder(Str *list, const char *path)
{
    if (strchr(path, FILE_LIST_SEPARATOR) || !file_exists(path) ||
        list->length + strlen(path) + 2 > PLACES_SIZE)
        return;
    if (list->length)
        str_add_char(list, FILE_LIST_SEPARATOR);
    str_add(list, path);
}

bool places_find_tables(char list[PLACES_SIZE])
{
    char path[PATH_SIZE];
    const char *system = getenv("XDG_DATA_DIRS");
    Str text;
    str_init(&text, list, PLACES_SIZE);
    if (places_tables(path, sizeof path))
        add_folder(&text, path);
    for (system = system && *system ? system : "/usr/local/share:/usr/share"; *system;) {
        int length = (int)strcspn(system, ":");
        if (length && snprintf(path, sizeof path, "%.*s/lovac/tables", length, system) < PATH_SIZE)
            add_folder(&text, path);
        system += length + (system[length] == ':');
    }
    return text.length;
}
