// See uci_options.h.
#include "app/uci_options.h"

#include "app/uci_go.h"
#include "app/uci_output.h"
#include "base/str.h"
#include "core/fen.h"
#include "engine/tunables.h"
#include "tables/places.h"
#include "tables/probe.h"

#include <errno.h>
#include <string.h>

const Rules *uci_rules(const Uci *uci)
{
    if (uci->chess960 && uci->rules == &VARIANTS[VARIANT_CHESS])
        return &VARIANTS[VARIANT_CHESS960];
    return uci->rules;
}

typedef enum OptionId {
    ID_HASH,
    ID_CLEAR_HASH,
    ID_THREADS,
    ID_MULTI_PV,
    ID_PONDER,
    ID_MOVE_OVERHEAD,
    ID_SKILL,
    ID_LIMIT_STRENGTH,
    ID_ELO,
    ID_CHESS960,
    ID_VARIANT,
    ID_SHOW_WDL,
    ID_HUMAN_PACE,
    ID_ANALYSE_MODE,
    ID_EVAL_FILE,
    ID_OWN_BOOK,
    ID_BOOK_FILE,
    ID_SYZYGY_PATH,
    ID_SYZYGY_DEPTH,
    ID_SYZYGY_FIFTY,
    ID_SYZYGY_LIMIT,
    ID_OWN_TABLES,
    ID_LOG_FILE,
} OptionId;

typedef struct UciOption {
    OptionId id;
    const char *name, *type, *value; // value: the default as shown
    int least, greatest;             // of a spin
} UciOption;

static const UciOption OPTIONS[] = {
    {ID_HASH, "Hash", "spin", "16", 1, HASH_MB_MAX},
    {ID_CLEAR_HASH, "Clear Hash", "button", NULL, 0, 0},
    {ID_THREADS, "Threads", "spin", "1", 1, THREADS_MAX},
    {ID_MULTI_PV, "MultiPV", "spin", "1", 1, MULTI_PV_MAX},
    {ID_PONDER, "Ponder", "check", "false", 0, 0},
    {ID_MOVE_OVERHEAD, "Move Overhead", "spin", "10", 0, MOVE_OVERHEAD_MS_MAX},
    {ID_SKILL, "Skill Level", "spin", "20", 0, SKILL_MAX},
    {ID_LIMIT_STRENGTH, "UCI_LimitStrength", "check", "false", 0, 0},
    {ID_ELO, "UCI_Elo", "spin", "2000", ELO_MIN, ELO_MAX},
    {ID_CHESS960, "UCI_Chess960", "check", "false", 0, 0},
    {ID_VARIANT, "UCI_Variant", "combo", "chess", 0, 0},
    {ID_SHOW_WDL, "UCI_ShowWDL", "check", "false", 0, 0},
    {ID_HUMAN_PACE, "Human Pace", "check", "false", 0, 0},
    {ID_ANALYSE_MODE, "UCI_AnalyseMode", "check", "false", 0, 0},
    {ID_EVAL_FILE, "EvalFile", "string", "<empty>", 0, 0},
    {ID_OWN_BOOK, "OwnBook", "check", "false", 0, 0},
    {ID_BOOK_FILE, "BookFile", "string", "<empty>", 0, 0},
    {ID_SYZYGY_PATH, "SyzygyPath", "string", "<empty>", 0, 0},
    {ID_SYZYGY_DEPTH, "SyzygyProbeDepth", "spin", "1", 1, TABLE_DEPTH_MAX},
    {ID_SYZYGY_FIFTY, "Syzygy50MoveRule", "check", "true", 0, 0},
    {ID_SYZYGY_LIMIT, "SyzygyProbeLimit", "spin", "7", 0, TABLE_MEN_MAX},
    {ID_OWN_TABLES, "TablePath", "string", "<empty>", 0, 0},
    {ID_LOG_FILE, "Debug Log File", "string", "<empty>", 0, 0},
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS };

void uci_list_options(Uci *uci)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const UciOption *o = &OPTIONS[i];
        char buffer[PLACES_SIZE + 512], folders[PLACES_SIZE];
        Str line;
        str_init(&line, buffer, sizeof buffer);
        str_format(&line, "option name %s type %s", o->name, o->type);
        bool has_tables = o->id == ID_OWN_TABLES && places_find_tables(folders);
        if (o->value)
            str_format(&line, " default %s", has_tables ? folders : o->value);
        if (!strcmp(o->type, "spin"))
            str_format(&line, " min %d max %d", o->least, o->greatest);
        if (o->id == ID_VARIANT)
            for (int v = 0; v < VARIANT_COUNT; v++)
                str_format(&line, " var %s", VARIANTS[v].name);
        uci_send_line(uci, "%s", buffer);
    }
#ifdef TUNE
    for (const TunableInfo *t = TUNABLE_INFO; t->name; t++)
        uci_send_line(uci, "option name %s type spin default %d min %d max %d", t->name, t->value,
                      t->least, t->greatest);
#endif
}

static void set_log(Uci *uci, const char *path)
{
    FILE *log = NULL;
    if (*path && strcmp(path, "<empty>") && !(log = fopen(path, "a"))) {
        uci_send_error(uci, "cannot write '%.100s': %s", path, strerror(errno));
        return;
    }
    mutex_lock(&uci->output);
    if (uci->log)
        fclose(uci->log);
    uci->log = log;
    mutex_unlock(&uci->output);
}

static void set_variant(Uci *uci, const char *name)
{
    const Rules *rules = rules_find(name);
    Position start;
    if (!rules) {
        uci_send_error(uci, "unknown variant '%.40s'", name);
        return;
    }
    if (rules == uci->rules)
        return;
    uci->rules = rules;
    if (position_from_fen(&start, uci_rules(uci), rules->start_fen, NULL))
        engine_set_position(uci->engine, &start, NULL, 0, NULL);
}

static bool read_check(Uci *uci, const UciOption *o, const char *value, bool *out)
{
    if (str_same_word(value, "true"))
        *out = true;
    else if (str_same_word(value, "false"))
        *out = false;
    else {
        uci_send_error(uci, "%s must be true or false, not '%.40s'", o->name, value);
        return false;
    }
    return true;
}

static void set_tables(Uci *uci, const char *folders)
{
    char text[128];
    Error error;
    if (!engine_load_tables(uci->engine, strcmp(folders, "<empty>") ? folders : "", &error)) {
        uci_send_error(uci, "%s", error.text);
        return;
    }
    if (*folders && strcmp(folders, "<empty>")) {
        tables_describe(engine_tables(uci->engine), text, sizeof text);
        uci_send_line(uci, "info string %s", text);
    }
}

static void set_own_tables(Uci *uci, const char *folder)
{
    Error error;
    if (!engine_load_own_tables(uci->engine, strcmp(folder, "<empty>") ? folder : "", &error)) {
        uci_send_error(uci, "%s", error.text);
        return;
    }
    const Rules *rules = uci_rules(uci);
    if (*folder && strcmp(folder, "<empty>"))
        uci_send_line(uci, "info string Lovac's own tables of %s: up to %d men", rules->title,
                      tables_men(engine_tables(uci->engine), rules));
}

static void set_option(Uci *uci, const UciOption *o, const char *value)
{
    EngineOptions e = *engine_options(uci->engine);
    Error error;
    bool flag = false;
    int64_t number = 0;
    if (!strcmp(o->type, "check") && !read_check(uci, o, value, &flag))
        return;
    if (!strcmp(o->type, "spin")) {
        if (!words_to_number(value, INT32_MIN, INT32_MAX, &number) || number < o->least ||
            number > o->greatest) {
            uci_send_error(uci, "%s must be a number from %d to %d, not '%.40s'", o->name, o->least,
                           o->greatest, value);
            return;
        }
    }
    int n = (int)number;
    switch (o->id) {
    case ID_HASH: e.hash_mb = n; break;
    case ID_THREADS: e.threads = n; break;
    case ID_MULTI_PV: e.multi_pv = n; break;
    case ID_MOVE_OVERHEAD: e.move_overhead_ms = n; break;
    case ID_SKILL: e.skill = n; break;
    case ID_ELO: e.elo = n; break;
    case ID_LIMIT_STRENGTH: e.limit_strength = flag; break;
    case ID_HUMAN_PACE: e.human_pace = flag; break;
    case ID_OWN_BOOK: e.own_book = flag; break;
    case ID_SYZYGY_DEPTH: e.table_depth = n; break;
    case ID_SYZYGY_FIFTY: e.table_fifty_rule = flag; break;
    case ID_SYZYGY_LIMIT: e.table_men = n; break;
    case ID_ANALYSE_MODE: e.analyse_mode = flag; break;
    case ID_CLEAR_HASH:
        if (!engine_new_game(uci->engine, &error))
            uci_send_error(uci, "%s", error.text);
        return;
    case ID_PONDER: return; // announced for `go ponder`, which says all there is to know
    case ID_SHOW_WDL: uci->show_wdl = flag; return;
    case ID_CHESS960: uci->chess960 = flag; return;
    case ID_VARIANT: set_variant(uci, value); return;
    case ID_LOG_FILE: set_log(uci, value); return;
    case ID_BOOK_FILE:
        if (!engine_load_book(uci->engine, strcmp(value, "<empty>") ? value : "", &error))
            uci_send_error(uci, "%s", error.text);
        return;
    case ID_SYZYGY_PATH: set_tables(uci, value); return;
    case ID_OWN_TABLES: set_own_tables(uci, value); return;
    case ID_EVAL_FILE:
        if (!engine_load_net(uci->engine, strcmp(value, "<empty>") ? value : "", &error))
            uci_send_error(uci, "%s", error.text);
        return;
    }
    if (!engine_set_options(uci->engine, &e, &error))
        uci_send_error(uci, "%s", error.text);
}

void uci_set_option(Uci *uci, Words *r)
{
    char name[128], *word = words_next(r);
    Str text;
    if (uci_refuse_if_busy(uci, "setoption"))
        return;
    if (!word || strcmp(word, "name")) {
        uci_send_error(uci, "setoption needs a name");
        return;
    }
    str_init(&text, name, sizeof name);
    while ((word = words_next(r)) && strcmp(word, "value")) {
        if (text.length)
            str_add_char(&text, ' ');
        str_add(&text, word);
    }
    const char *value = word ? words_rest(r) : "";
    for (int i = 0; i < OPTION_COUNT; i++)
        if (str_same_word(OPTIONS[i].name, name)) {
            set_option(uci, &OPTIONS[i], value);
            return;
        }
#ifdef TUNE
    int64_t number;
    if (words_to_number(value, INT32_MIN, INT32_MAX, &number) &&
        engine_set_tunable(uci->engine, name, (int)number))
        return;
#endif
    uci_send_error(uci, "unknown option '%.60s'", name);
}
