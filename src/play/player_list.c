// See player_list.h.
#include "play/player_list.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "play/player_int.h"

// An external engine that nobody has asked knows chess and what looks like it; a configuration file
// may say more.
static bool is_orthodox(const Rules *rules)
{
    return rules->is_orthodox;
}

const PlayerKind PLAYER_KINDS[] = {
    [KIND_LEVEL] = {.name = "level",
                    .usage = "level=N",
                    .help = "Lovac at level 1 to 12, or by its name: beginner ... full",
                    .has_options = true,
                    .make = player_engine_new},
    [KIND_LOVAC] =
        {.name = "lovac",
         .usage = "lovac [KEY=VALUE ...]",
         .help =
             "Lovac: nodes= depth= elo= skill= level= hash= threads= net= syzygy= tables= book=",
         .has_options = true,
         .make = player_engine_new},
    [KIND_RANDOM] = {.name = "random",
                     .title = "Random mover",
                     .usage = "random",
                     .help = "any legal move",
                     .choose = random_choose},
    [KIND_GREEDY] = {.name = "greedy",
                     .title = "Greedy taker",
                     .usage = "greedy",
                     .help = "takes the most valuable man it can",
                     .choose = greedy_choose},
    [KIND_UCI] = {.name = "uci",
                  .usage = "[uci] COMMAND",
                  .help = "an engine that speaks UCI: option.NAME= dir= log= patience=",
                  .plays = is_orthodox,
                  .is_external = true,
                  .make = player_uci_new},
    [KIND_XBOARD] = {.name = "xboard",
                     .usage = "xboard COMMAND",
                     .help = "an engine that speaks the XBoard protocol; the same keys",
                     .plays = is_orthodox,
                     .is_external = true,
                     .make = player_xboard_new},
    {0}};

void player_list_init(PlayerList *list)
{
    *list = (PlayerList){0};
    player_list_join(list, PLAYER_KINDS);
}

void player_list_release(PlayerList *list)
{
    for (int i = 0; i < list->listed_count; i++)
        free(list->listed[i].text);
    free(list->listed);
    list->listed = NULL;
    list->listed_count = 0;
}

void player_list_join(PlayerList *list, const PlayerKind *kinds)
{
    for (; kinds->name; kinds++) {
        assert(list->kind_count < PLAYER_KINDS_MAX);
        list->kinds[list->kind_count++] = kinds;
    }
}

static const ListedPlayer *find_listed(const PlayerList *list, const char *name)
{
    for (int i = 0; i < list->listed_count; i++)
        if (!strcmp(list->listed[i].name, name))
            return &list->listed[i];
    return NULL;
}

static const PlayerKind *find_titled(const PlayerList *list, const char *title)
{
    for (int i = 0; i < list->kind_count; i++)
        if (list->kinds[i]->title && !strcmp(list->kinds[i]->title, title))
            return list->kinds[i];
    return NULL;
}

// A name of the list at the head of a text, and the words behind it; no name is the name of a kind.
typedef struct Named {
    const ListedPlayer *listed;
    const PlayerKind *titled;
    const char *rest;
} Named;

// The words behind `name` in `text`, or NULL if it does not begin so.
static const char *behind(const char *text, const char *name)
{
    size_t length = strlen(name);
    bool begins = !strncmp(text, name, length) && (!text[length] || text[length] == ' ');
    return begins ? text + length : NULL;
}

// Does the text begin with the name of a kind? Then it is a description.
static bool is_description(const PlayerList *list, const char *text)
{
    for (int i = 0; i < list->kind_count; i++)
        if (behind(text, list->kinds[i]->name))
            return true;
    return false;
}

// Of the names that a text begins with, the longest.
static Named find_named(const PlayerList *list, const char *text)
{
    Named best = {find_listed(list, text), find_titled(list, text), text + strlen(text)};
    if (best.listed || best.titled || is_description(list, text))
        return best;
    best.rest = text;
    for (int i = 0; i < list->kind_count; i++) {
        const PlayerKind *kind = list->kinds[i];
        const char *rest = kind->title ? behind(text, kind->title) : NULL;
        if (rest && rest > best.rest)
            best = (Named){NULL, kind, rest};
    }
    for (int i = 0; i < list->listed_count; i++) {
        const char *rest = behind(text, list->listed[i].name);
        if (rest && rest > best.rest)
            best = (Named){&list->listed[i], NULL, rest};
    }
    return best;
}

static bool refuse(const char *text, Error *error)
{
    return error_code(error, "player-not-here",
                      "there is no player '{player:%.60s}' to be chosen here", text);
}

static bool is_champion(const char *text, int *league, int *generation)
{
    int end = 0;
    return sscanf(text, "champion %9d %9d%n", league, generation, &end) == 2 && !text[end] &&
           *league > 0 && *generation > 0;
}

// The description of a champion: how its league plays, and its own file.
static bool describe_champion(const PlayerList *list, const char *text,
                              char description[PLAYER_COMMAND_SIZE], Error *error)
{
    char path[PLAYER_COMMAND_SIZE / 2];
    int league = 0, generation = 0;
    is_champion(text, &league, &generation);
    if (!list->leagues || snprintf(path, sizeof path, "%s/%d/" LEAGUE_PLAYER_FILE, list->leagues,
                                   league) >= (int)sizeof path - 20)
        return refuse(text, error);
    char *how = file_read(path, PLAYER_COMMAND_SIZE / 4, NULL, NULL);
    if (!how)
        return refuse(text, error);
    how[strcspn(how, "\n")] = 0;
    snprintf(path, sizeof path, "%s/%d/champion-%03d.dna", list->leagues, league, generation);
    snprintf(description, PLAYER_COMMAND_SIZE, "%s\"%s\"", how, path);
    free(how);
    return file_exists(path) || refuse(text, error);
}

bool player_list_find(const PlayerList *list, const char *text, const PlayerLimits *defaults,
                      PlayerSpec *spec, Error *error)
{
    PlayerList own;
    char description[PLAYER_COMMAND_SIZE + 512];
    if (!list) {
        player_list_init(&own);
        list = &own;
    }
    Named who = find_named(list, text);
    bool is_named = who.listed || who.titled;
    const char *base = who.listed ? who.listed->text : who.titled ? who.titled->name : text;
    int league, generation;
    if (!is_named && is_champion(text, &league, &generation)) {
        if (!describe_champion(list, text, description, error))
            return false;
        base = description;
        is_named = true;
    }
    if ((who.listed || who.titled) && *who.rest) {
        int length = snprintf(description, sizeof description, "%s%s", base, who.rest);
        if (length >= (int)sizeof description)
            return error_set(error, "the description is too long");
        base = description;
    }
    if (!player_spec_parse_as(spec, list->kinds, list->kind_count, base, defaults, error))
        return false;
    if (is_named)
        snprintf(spec->name, sizeof spec->name, "%s", text);
    return true;
}

// The index-th row with a title; lessens the index by those before it.
static const PlayerKind *find_row(const PlayerList *list, int *index)
{
    for (int i = 0; list && i < list->kind_count; i++)
        if (list->kinds[i]->title && (*index)-- == 0)
            return list->kinds[i];
    return NULL;
}

const PlayerKind *player_list_kind(const PlayerList *list, int index)
{
    return find_row(list, &index);
}

const char *player_list_name(const PlayerList *list, int index)
{
    const PlayerKind *kind = find_row(list, &index);
    if (kind)
        return kind->title;
    return list && index < list->listed_count ? list->listed[index].name : NULL;
}

// A PlayerSpec is too large to be had on the way.
static PlayerSpec *find_spec(const PlayerList *list, const char *text, Error *error)
{
    PlayerSpec *spec = malloc(sizeof *spec);
    if (!spec)
        return error_set(error, "out of memory"), NULL;
    if (player_list_find(list, text, NULL, spec, error))
        return spec;
    free(spec);
    return NULL;
}

bool player_list_plays(const PlayerList *list, const char *text, const Rules *rules)
{
    Named who = list ? find_named(list, text) : (Named){0};
    if (who.listed)
        return who.listed->plays[rules - VARIANTS];
    PlayerSpec *spec = find_spec(list, text, NULL);
    bool plays = spec && (!spec->kind->plays || spec->kind->plays(rules));
    free(spec);
    return plays;
}

static bool is_modest(const PlayerSpec *spec)
{
    for (int i = 0; i < spec->option_count && !spec->kind->check; i++) {
        const char *name = spec->options[i].name, *value = spec->options[i].value;
        if (strcmp(name, "level") && strcmp(name, "elo") && strcmp(name, "skill") &&
            (strcmp(name, "net") || strcmp(value, "none")))
            return false;
    }
    int deepest = spec->kind->guest_depth;
    return !spec->kind->is_external && !*spec->log && !*spec->folder &&
           spec->limits.time_ms == TIME_UNSET && spec->limits.move_time_ms <= GUEST_MOVE_MS_MAX &&
           spec->limits.nodes <= GUEST_NODES_MAX && (!deepest || spec->limits.depth <= deepest);
}

// Is this word, which ends at a blank, KEY=NUMBER with a number up to `most`?
static bool is_limit(const char *word, const char *key, long long most)
{
    size_t length = strlen(key), digits;
    if (strncmp(word, key, length) || word[length] != '=')
        return false;
    word += length + 1;
    digits = strspn(word, "0123456789");
    return digits && digits < 10 && (!word[digits] || word[digits] == ' ') && atoll(word) <= most;
}

// Are these words, behind the name of a player of the file, within bounds?
static bool are_limits(const char *words)
{
    while (*(words += strspn(words, " "))) {
        if (!is_limit(words, "depth", GUEST_DEPTH_MAX) &&
            !is_limit(words, "nodes", GUEST_NODES_MAX) &&
            !is_limit(words, "movetime", GUEST_MOVE_MS_MAX / 1000))
            return false;
        words += strcspn(words, " ");
    }
    return true;
}

bool player_list_allows(const PlayerList *list, const char *text, Error *error)
{
    Named who = list ? find_named(list, text) : (Named){.rest = ""};
    if ((who.listed || who.titled) && !*who.rest)
        return true;
    if (who.listed && !are_limits(who.rest))
        return refuse(text, error);
    PlayerSpec *spec = find_spec(list, text, error);
    int league, generation;
    if (who.listed || is_champion(text, &league, &generation)) {
        free(spec);
        return spec;
    }
    bool ok = spec && (is_modest(spec) || refuse(text, error));
    bool (*check)(const PlayerSpec *, Error *) =
        spec && spec->kind->check ? spec->kind->check : player_engine_check;
    ok = ok && check(spec, error);
    free(spec);
    return ok;
}

// ---- The file ----

static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length && strchr(" \t\r", text[length - 1]))
        text[--length] = 0;
    return text;
}

static bool add(PlayerList *list, const char *name, const char *text, Error *error)
{
    if (list->listed_count == LISTED_PLAYERS_MAX)
        return error_set(error, "more than %d players", LISTED_PLAYERS_MAX);
    if (!*name || strlen(name) >= PLAYER_NAME_SIZE)
        return error_set(error, "a player needs a name of at most %d letters",
                         PLAYER_NAME_SIZE - 1);
    if (find_listed(list, name) || find_titled(list, name))
        return error_set(error, "'%s' is there twice", name);
    PlayerSpec *spec = find_spec(list, text, error);
    if (!spec)
        return false;
    ListedPlayer *listed = &list->listed[list->listed_count];
    *listed = (ListedPlayer){.text = strdup(text)};
    strcpy(listed->name, name);
    for (int v = 0; v < VARIANT_COUNT; v++)
        listed->plays[v] = !spec->kind->plays || spec->kind->plays(&VARIANTS[v]);
    free(spec);
    list->listed_count++;
    return listed->text || error_set(error, "out of memory");
}

// The games between the brackets behind a name.
static bool read_variants(ListedPlayer *listed, char *names, Error *error)
{
    memset(listed->plays, 0, sizeof listed->plays);
    for (char *word; (word = str_split(&names, ","));) {
        const Rules *rules = rules_find(trim(word));
        if (!rules)
            return error_set(error, "there is no variant '%s'", trim(word));
        listed->plays[rules - VARIANTS] = true;
    }
    return true;
}

static bool read_line(PlayerList *list, char *line, Error *error)
{
    line = trim(line);
    if (!*line || *line == '#')
        return true;
    char *colon = strchr(line, ':'), *open = strchr(line, '['), *names = NULL;
    if (open && open < colon) {
        char *close = strchr(open, ']');
        if (!close || close > colon)
            return error_set(error, "'[' without ']'");
        *open = *close = 0;
        names = open + 1;
    }
    if (!colon)
        return error_set(error, "NAME: DESCRIPTION was expected");
    *colon = 0;
    return add(list, trim(line), trim(colon + 1), error) &&
           (!names || read_variants(&list->listed[list->listed_count - 1], names, error));
}

bool player_list_read(PlayerList *list, const char *path, Error *error)
{
    if (!list->listed)
        list->listed = calloc(LISTED_PLAYERS_MAX, sizeof *list->listed);
    char *text = list->listed ? file_read(path, 1 << 20, NULL, error) : NULL;
    if (!text)
        return list->listed ? false : error_set(error, "out of memory");
    bool ok = true;
    int number = 0;
    for (char *rest = text, *line; ok && (line = str_split(&rest, "\n"));) {
        Error reason;
        number++;
        ok = read_line(list, line, &reason) ||
             error_set(error, "%s, line %d: %s", path, number, reason.text);
    }
    free(text);
    return ok;
}
