// See setup.h.
#include "app/setup.h"

#include "base/str.h"
#include "core/fen.h"

const Rules *setup_rules(const char *name, Error *error)
{
    const Rules *rules = rules_find(name);
    if (!rules && error) {
        Str str;
        str_init(&str, error->text, sizeof error->text);
        str_format(&str, "unknown game '%.40s'; there are", name);
        for (int i = 0; i < VARIANT_COUNT; i++)
            str_format(&str, "%s %s", i ? "," : "", VARIANTS[i].name);
    }
    return rules;
}

bool setup_position(const Setup *setup, Position *pos, Error *error)
{
    const Rules *rules = setup_rules(setup->variant ? setup->variant : "chess", error);
    if (!rules)
        return false;
    if (setup->fen && setup->has_number)
        return error_set(error, "a FEN and a start number exclude each other");
    if (setup->has_number)
        return position_start(pos, rules, setup->number, error);
    bool is_start = !setup->fen || str_same_word(setup->fen, "startpos");
    return position_from_fen(pos, rules, is_start ? rules->start_fen : setup->fen, error);
}

void setup_add_json(Json *json, const Position *pos)
{
    char fen[FEN_SIZE];
    position_to_fen(pos, FEN_XFEN, fen);
    json_text(json, "variant", pos->rules->name);
    json_text(json, "fen", fen);
}

bool setup_is_chess960(const Position *pos)
{
    return pos->rules->start == START_CHESS960 || pos->rules->start == START_DOUBLE_CHESS960;
}
