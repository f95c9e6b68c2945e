// Games of PGN in memory, and reading them with every move checked.
#include "core/pgn.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/fen.h"
#include "core/movegen.h"
#include "core/notation.h"

// ---- memory
// ----------------------------------------------------------------------------------------

// Makes room for `wanted` elements; doubles, so that a game is built in linear time.
static bool reserve(PgnGame *game, void **array, uint32_t *capacity, size_t wanted, size_t element)
{
    if (wanted <= *capacity)
        return true;
    size_t size = *capacity ? *capacity : 256;
    while (size < wanted)
        size *= 2;
    void *bigger =
        wanted < UINT32_MAX / 2 ? game->memory(game->context, *array, size * element) : NULL;
    if (!bigger) {
        game->is_out_of_memory = true;
        return false;
    }
    *array = bigger;
    *capacity = (uint32_t)size;
    return true;
}

static bool reserve_text(PgnGame *game, size_t more)
{
    void *array = game->text;
    bool ok = reserve(game, &array, &game->text_capacity, game->text_size + more, 1);
    game->text = array;
    return ok;
}

// Appends bytes to the text; line ends and control characters become blanks.
static bool append_text(PgnGame *game, const char *text, size_t size)
{
    if (!reserve_text(game, size + 1))
        return false;
    char *out = game->text + game->text_size, *begin = out;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\r' && i + 1 < size && text[i + 1] == '\n')
            continue;
        *out++ = (char)(c < 32 || c == 127 ? ' ' : c);
    }
    *out = 0;
    game->text_size += (uint32_t)(out - begin);
    return true;
}

// Stores a text with its final 0; where it begins.
static bool store_text(PgnGame *game, const char *text, size_t size, uint32_t *at)
{
    *at = game->text_size;
    if (!append_text(game, text, size))
        return false;
    game->text_size++;
    return true;
}

static PgnItem *add_item(PgnGame *game, PgnItemKind kind, int value)
{
    void *array = game->items;
    bool ok =
        reserve(game, &array, &game->item_capacity, (size_t)game->item_count + 1, sizeof(PgnItem));
    game->items = array;
    if (!ok)
        return NULL;
    PgnItem *item = &game->items[game->item_count++];
    *item = (PgnItem){.kind = (uint8_t)kind, .value = (uint16_t)value};
    return item;
}

static bool add_tag(PgnGame *game, const char *name, size_t name_size, const char *value,
                    size_t size)
{
    void *array = game->tags;
    PgnTag tag;
    bool ok =
        reserve(game, &array, &game->tag_capacity, (size_t)game->tag_count + 1, sizeof(PgnTag));
    game->tags = array;
    if (!ok || !store_text(game, name, name_size, &tag.name) ||
        !store_text(game, value, size, &tag.value))
        return false;
    for (char *p = game->text + tag.name; *p; p++)
        if (strchr(" \"[]", *p))
            *p = '_';
    game->tags[game->tag_count++] = tag;
    return true;
}

void pgn_game_init(PgnGame *game, PgnMemory *memory, PgnReport *report, void *context)
{
    memset(game, 0, offsetof(PgnGame, levels));
    game->memory = memory;
    game->report = report;
    game->context = context;
    game->letters = NULL;
    game->is_wanted = NULL;
    game->depth = 0;
    game->is_out_of_memory = false;
    game->skipped = 0;
}

void pgn_game_release(PgnGame *game)
{
    void *arrays[] = {game->tags, game->items, game->text};
    for (int i = 0; i < 3; i++)
        if (arrays[i])
            game->memory(game->context, arrays[i], 0);
    pgn_game_init(game, game->memory, game->report, game->context);
}

// Empty again, with its memory.
static void clear(PgnGame *game)
{
    game->tag_count = game->item_count = game->text_size = 0;
    game->has_start = false;
    game->result = RESULT_NONE;
    game->is_complete = true;
    game->is_passed_over = false;
    game->line = 0;
    game->depth = 0;
    game->is_out_of_memory = false;
    game->skipped = 0;
}

// ---- by hand
// ---------------------------------------------------------------------------------------

static void set_start(PgnGame *game, const Position *start)
{
    game->start = *start;
    game->has_start = true;
    game->levels[0].now = *start;
    game->levels[0].has_move = game->levels[0].is_broken = false;
}

bool pgn_game_begin(PgnGame *game, const Position *start)
{
    char fen[FEN_SIZE];
    const Rules *rules = start->rules;
    clear(game);
    set_start(game, start);
    position_to_fen(start, FEN_XFEN, fen);
    if (rules != &VARIANTS[VARIANT_CHESS] &&
        !pgn_game_add_tag(game, "Variant", pgn_variant_text(rules)))
        return false;
    if (rules->start == START_FIXED && !strcmp(fen, rules->start_fen))
        return true;
    return pgn_game_add_tag(game, "SetUp", "1") && pgn_game_add_tag(game, "FEN", fen);
}

bool pgn_game_add_tag(PgnGame *game, const char *name, const char *value)
{
    return add_tag(game, name, strlen(name), value, strlen(value));
}

bool pgn_game_add_move(PgnGame *game, Move move)
{
    PgnLevel *level = &game->levels[game->depth];
    Undo undo;
    if (!add_item(game, PGN_ITEM_MOVE, move))
        return false;
    level->before = level->now;
    level->has_move = true;
    if (move)
        position_make(&level->now, move, &undo);
    else
        position_make_null(&level->now, &undo);
    return true;
}

bool pgn_game_add_nag(PgnGame *game, int number)
{
    return add_item(game, PGN_ITEM_NAG, number);
}

static bool add_comment(PgnGame *game, const char *text, size_t size)
{
    uint32_t at;
    if (!store_text(game, text, size, &at))
        return false;
    PgnItem *item = add_item(game, PGN_ITEM_COMMENT, 0);
    if (item)
        item->text = at;
    return item;
}

bool pgn_game_add_comment(PgnGame *game, const char *text)
{
    return add_comment(game, text, strlen(text));
}

bool pgn_game_open(PgnGame *game)
{
    PgnLevel *level = &game->levels[game->depth];
    if (!level->has_move || game->depth + 1 >= PGN_MAX_DEPTH || !add_item(game, PGN_ITEM_OPEN, 0))
        return false;
    level[1].now = level->before;
    level[1].has_move = level[1].is_broken = false;
    game->depth++;
    return true;
}

bool pgn_game_close(PgnGame *game)
{
    if (!game->depth)
        return false;
    game->depth--;
    if (game->items[game->item_count - 1].kind == PGN_ITEM_OPEN) {
        game->item_count--; // nothing in it
        return true;
    }
    return add_item(game, PGN_ITEM_CLOSE, 0);
}

static PgnTag *find_tag(const PgnGame *game, const char *name)
{
    for (uint32_t i = 0; i < game->tag_count; i++)
        if (!strcasecmp(game->text + game->tags[i].name, name))
            return &game->tags[i];
    return NULL;
}

const char *pgn_game_tag(const PgnGame *game, const char *name)
{
    const PgnTag *tag = find_tag(game, name);
    return tag ? game->text + tag->value : NULL;
}

bool pgn_game_set_tag(PgnGame *game, const char *name, const char *value)
{
    PgnTag *tag = find_tag(game, name);
    return tag ? store_text(game, value, strlen(value), &tag->value)
               : pgn_game_add_tag(game, name, value);
}

int pgn_game_moves(const PgnGame *game, Move *list, int capacity)
{
    int count = 0, depth = 0;
    for (uint32_t i = 0; i < game->item_count; i++) {
        const PgnItem *item = &game->items[i];
        depth += item->kind == PGN_ITEM_OPEN;
        depth -= item->kind == PGN_ITEM_CLOSE;
        if (item->kind != PGN_ITEM_MOVE || depth)
            continue;
        if (count < capacity)
            list[count] = item->value;
        count++;
    }
    return count;
}

void pgn_line_begin(PgnLine *line, const PgnGame *game)
{
    *line = (PgnLine){.game = game, .pos = game->start};
}

bool pgn_line_next(PgnLine *line)
{
    int depth = 0;
    for (; line->item < line->game->item_count; line->item++) {
        const PgnItem *item = &line->game->items[line->item];
        depth += (item->kind == PGN_ITEM_OPEN) - (item->kind == PGN_ITEM_CLOSE);
        if (depth || item->kind != PGN_ITEM_MOVE)
            continue;
        line->move = item->value;
        line->item++;
        return true;
    }
    return false;
}

void pgn_line_play(PgnLine *line)
{
    Undo undo;
    line->count++;
    if (line->move)
        position_make(&line->pos, line->move, &undo);
    else
        position_make_null(&line->pos, &undo);
}

// ---- reading
// ---------------------------------------------------------------------------------------

static void report(PgnGame *game, uint64_t line, const Error *problem)
{
    game->is_complete = false;
    if (game->report)
        game->report(game->context, line, problem);
}

// The same for a problem that needs no arguments.
static void report_text(PgnGame *game, uint64_t line, const char *code, const char *text)
{
    Error problem;
    error_code(&problem, code, "%s", text);
    report(game, line, &problem);
}

const Rules *pgn_find_rules(const char *variant)
{
    char name[32];
    size_t size = 0;
    for (const char *p = variant; *p && size + 1 < sizeof name; p++) {
        bool is_capital = *p >= 'A' && *p <= 'Z';
        if (is_capital || (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9'))
            name[size++] = (char)(is_capital ? *p - 'A' + 'a' : *p);
    }
    name[size] = 0;
    static const char *const chess[] = {"", "fromposition", "classical", "orthodox", "regular"};
    for (size_t i = 0; i < sizeof chess / sizeof *chess; i++)
        if (!strcmp(name, chess[i]))
            return &VARIANTS[VARIANT_CHESS];
    if (!strcmp(name, "fischerrandomchess"))
        return &VARIANTS[VARIANT_CHESS960];
    return rules_find(name);
}

const char *pgn_variant_text(const Rules *rules)
{
    return pgn_find_rules(rules->title) == rules ? rules->title : rules->name;
}

// Other programs call our Horde by the name of another game; if it begins as ours does, it is ours.
static const Rules *find_namesake(const char *fen)
{
    for (int i = 0; fen && i < VARIANT_COUNT; i++) {
        const char *start = VARIANTS[i].start == START_FIXED ? VARIANTS[i].start_fen : "";
        size_t men = strcspn(start, " ");
        if (i != VARIANT_CHESS && men && !strncmp(fen, start, men + 1))
            return &VARIANTS[i];
    }
    return NULL;
}

// Finds the first position from the tags; without one there are no moves.
static void find_start(PgnGame *game, const Rules *fallback, uint64_t line)
{
    Error error;
    Position start;
    const char *variant = pgn_game_tag(game, "Variant"), *fen = pgn_game_tag(game, "FEN");
    const Rules *rules = variant    ? pgn_find_rules(variant)
                         : fallback ? fallback
                                    : &VARIANTS[VARIANT_CHESS];
    game->levels[0].is_broken = true;
    rules = rules ? rules : find_namesake(fen);
    if (!rules) {
        error_code(&error, "pgn-variant", "Variant: '{variant:%.32s}' is not known", variant);
        report(game, line, &error);
        return;
    }
    bool is_found;
    if (fen) {
        is_found = position_from_fen(&start, rules, fen, &error);
        if (!is_found && !variant && !fallback)
            is_found = position_from_fen(&start, &VARIANTS[VARIANT_CHESS960], fen, NULL);
    } else if (rules->start == START_FIXED || rules->start == START_CHESS960) {
        is_found = position_from_fen(&start, rules, rules->start_fen, &error);
    } else {
        is_found = error_code(&error, "pgn-no-usual-start",
                              "missing, and {game:%s} has no usual start", rules->title);
    }
    if (!is_found) {
        error_prefix(&error, "pgn-fen", "FEN tag: ");
        report(game, line, &error);
        return;
    }
    set_start(game, &start);
}

static void read_move(PgnGame *game, const PgnToken *token)
{
    const Position *now = &game->levels[game->depth].now;
    Error error;
    Move move = MOVE_NONE;
    char english[LETTERS_TEXT_SIZE];
    const char *text = token->text;
    bool is_null = !strcmp(text, "--"), is_good;
    if (game->letters && letters_to_english(game->letters, text, english))
        text = english;
    if (is_null) {
        is_good = !position_in_check(now) ||
                  error_code(&error, "pgn-null-in-check", "'--' is illegal: the king is in check");
    } else {
        move = move_from_san(now, text, &error);
        is_good = move != MOVE_NONE;
    }
    if (is_good) {
        pgn_game_add_move(game, move);
        return;
    }
    report(game, token->line, &error);
    game->levels[game->depth].is_broken = true;
}

static void read_open(PgnGame *game, const PgnToken *token)
{
    if (pgn_game_open(game))
        return;
    if (game->depth + 1 < PGN_MAX_DEPTH)
        report_text(game, token->line, "pgn-variation-early", "variation before any move");
    else
        report_text(game, token->line, "pgn-variation-deep", "variations nested too deep");
    game->skipped = 1;
}

// Tokens that are passed over: those in a skipped variation, and the rest of a broken line but for
// its end.
static bool is_skipped(PgnGame *game, const PgnToken *token)
{
    bool is_broken = game->levels[game->depth].is_broken;
    if (!game->skipped && (!is_broken || token->kind == PGN_CLOSE))
        return false;
    if (token->kind == PGN_OPEN)
        game->skipped++;
    else if (token->kind == PGN_CLOSE)
        game->skipped--;
    return true;
}

static void read_comment(PgnGame *game, const PgnToken *token, bool goes_on)
{
    if (!goes_on) {
        add_comment(game, token->text, token->size);
    } else if (!game->is_out_of_memory) {
        game->text_size--; // over the final 0 of the part before
        append_text(game, token->text, token->size);
        game->text_size++;
    }
}

static void read_result(PgnGame *game, const PgnToken *token)
{
    static const Result results[] = {RESULT_WHITE, RESULT_BLACK, RESULT_DRAW, RESULT_NONE};
    const char *tag = pgn_game_tag(game, "Result");
    Result said = RESULT_NONE;
    for (int i = 0; tag && i < 4; i++)
        if (!strcmp(tag, result_text(results[i])))
            said = results[i];
    game->result = (Result)token->number;
    if (token->is_missing) {
        report_text(game, token->line, "pgn-no-result", "result missing at the end of the game");
        game->result = said;
    } else if (tag && said != game->result) {
        Error error;
        error_code(&error, "pgn-result",
                   "Result tag says '{tag:%.16s}', the end of the game {result:%s}", tag,
                   result_text(game->result));
        report(game, token->line, &error);
    }
}

bool pgn_game_read(PgnGame *game, PgnReader *reader, const Rules *rules)
{
    PgnToken token;
    bool has_begun = false, comment_goes_on = false, is_kept = false;
    clear(game);
    game->levels[0].is_broken = game->levels[0].has_move = false;
    while (pgn_read(reader, &token)) {
        if (!game->line)
            game->line = token.line;
        if (!has_begun &&
            (token.kind == PGN_MOVE || token.kind == PGN_OPEN || token.kind == PGN_RESULT)) {
            has_begun = true;
            game->is_passed_over = game->is_wanted && !game->is_wanted(game->context, game);
            if (!game->is_passed_over)
                find_start(game, rules, token.line);
        }
        if (game->is_passed_over) {
            game->result = (Result)token.number;
            if (token.kind == PGN_RESULT)
                return true;
            continue;
        }
        bool is_new_comment = !comment_goes_on;
        comment_goes_on = token.kind == PGN_COMMENT && token.is_continued;
        switch (token.kind) {
        case PGN_PROBLEM: report_text(game, token.line, token.code, token.text); continue;
        case PGN_TAG:
            add_tag(game, token.text, token.size, token.value, token.value_size);
            continue;
        case PGN_RESULT:
            if (game->is_out_of_memory)
                report_text(game, token.line, "", "no memory for the whole game");
            while (game->depth)
                pgn_game_close(game);
            read_result(game, &token);
            return true;
        case PGN_COMMENT:
            if (is_new_comment)
                is_kept = !is_skipped(game, &token);
            if (is_kept)
                read_comment(game, &token, !is_new_comment);
            continue;
        default: break;
        }
        if (is_skipped(game, &token))
            continue;
        switch (token.kind) {
        case PGN_MOVE: read_move(game, &token); break;
        case PGN_NAG: pgn_game_add_nag(game, token.number); break;
        case PGN_OPEN: read_open(game, &token); break;
        case PGN_CLOSE: pgn_game_close(game); break;
        default: break;
        }
    }
    return false;
}
