// See serve_agents.h.
#include "app/serve_agents.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lab/player.h"
#include "server/agent.h"

// ---- A player as the server wants it ----

static bool agent_plays(const void *context, const Rules *rules)
{
    return ((const ServeAgent *)context)->plays[rules - VARIANTS];
}

static void *agent_open(const void *context, Error *error)
{
    return player_new(&((const ServeAgent *)context)->spec, error);
}

static bool agent_new_game(void *agent, const Rules *rules, uint64_t seed, Error *error)
{
    return player_new_game(agent, rules, seed, error) == FAULT_NONE;
}

static Move agent_choose(void *agent, const Game *game, const SearchLimits *limits, int *score,
                         Error *error)
{
    PlayerMove answer = {.score = SCORE_NONE};
    player_choose(agent, game, limits, &answer);
    if (answer.fault != FAULT_NONE) {
        error_set(error, "%s: %s %s", ((Player *)agent)->spec.name, player_fault_text(answer.fault),
                  answer.detail);
        return MOVE_NONE;
    }
    *score = answer.score;
    return answer.move;
}

static void agent_close(void *agent)
{
    player_free(agent);
}

static const AgentClass CLASS = {agent_plays, agent_open, agent_new_game, agent_choose,
                                 agent_close};

// ---- The list ----

static bool add(ServeAgents *agents, const char *name, const char *text, Error *error)
{
    if (agents->count == AGENTS_MAX)
        return error_set(error, "more than %d players", AGENTS_MAX);
    if (!*name || strlen(name) >= AGENT_NAME_SIZE)
        return error_set(error, "a player needs a name of at most %d letters", AGENT_NAME_SIZE - 1);
    for (int i = 0; i < agents->count; i++)
        if (!strcmp(agents->list[i].name, name))
            return error_set(error, "'%s' is there twice", name);
    ServeAgent *entry = &agents->entries[agents->count];
    PlayerLimits limits = player_limits_none();
    limits.move_time_ms = 1000;
    if (!player_spec_parse(&entry->spec, text, &limits, error))
        return false;
    bool is_external = entry->spec.kind == PLAYER_UCI || entry->spec.kind == PLAYER_XBOARD;
    for (int v = 0; v < VARIANT_COUNT; v++)
        entry->plays[v] = !is_external || VARIANTS[v].is_orthodox;
    Agent *agent = &agents->list[agents->count++];
    *agent = (Agent){.class = &CLASS, .context = entry};
    strcpy(agent->name, name);
    return true;
}

static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length && strchr(" \t\r", text[length - 1]))
        text[--length] = 0;
    return text;
}

// The games between the brackets behind a name.
static bool read_variants(ServeAgent *entry, char *list, Error *error)
{
    memset(entry->plays, 0, sizeof entry->plays);
    for (char *word; (word = strsep(&list, ","));) {
        const Rules *rules = rules_find(trim(word));
        if (!rules)
            return error_set(error, "there is no variant '%s'", trim(word));
        entry->plays[rules - VARIANTS] = true;
    }
    return true;
}

static bool read_line(ServeAgents *agents, char *line, Error *error)
{
    line = trim(line);
    if (!*line || *line == '#')
        return true;
    char *colon = strchr(line, ':'), *open = strchr(line, '['), *list = NULL;
    if (open && open < colon) {
        char *close = strchr(open, ']');
        if (!close || close > colon)
            return error_set(error, "'[' without ']'");
        *open = *close = 0;
        list = open + 1;
    }
    if (!colon)
        return error_set(error, "NAME: DESCRIPTION was expected");
    *colon = 0;
    return add(agents, trim(line), trim(colon + 1), error) &&
           (!list || read_variants(&agents->entries[agents->count - 1], list, error));
}

static bool read_file(ServeAgents *agents, const char *path, Error *error)
{
    char *text = file_read(path, 1 << 20, NULL, error);
    if (!text)
        return false;
    bool ok = true;
    int number = 0;
    for (char *rest = text, *line; ok && (line = strsep(&rest, "\n"));) {
        Error reason;
        number++;
        ok = read_line(agents, line, &reason) ||
             error_set(error, "%s, line %d: %s", path, number, reason.text);
    }
    free(text);
    return ok;
}

bool serve_agents_init(ServeAgents *agents, const char *path, Error *error)
{
    static const char *const OWN[][2] = {
        {"Random mover", "random"}, {"Greedy taker", "greedy"}, {"Material counter", "material"}};
    agents->count = 0;
    agents->entries = calloc(AGENTS_MAX, sizeof *agents->entries);
    bool ok = agents->entries || error_set(error, "out of memory");
    for (size_t i = 0; ok && i < sizeof OWN / sizeof *OWN; i++)
        ok = add(agents, OWN[i][0], OWN[i][1], error);
    ok = ok && (!path || read_file(agents, path, error));
    if (!ok)
        serve_agents_release(agents);
    return ok;
}

void serve_agents_release(ServeAgents *agents)
{
    free(agents->entries);
    agents->entries = NULL;
    agents->count = 0;
}
