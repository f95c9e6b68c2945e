// Reading: words and signs become a small tree of tests, each compiled as far as it can be.
// Asking: the tree is walked from the root; tests of positions share one walk through the game,
// which is put off until the tags cannot decide.
#include "core/filter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

enum { NODE_TEST, NODE_NOT, NODE_AND, NODE_OR };
enum { DEPTH_MAX = 40 };

// ---- reading: words and signs ----

typedef struct Reader {
    Filter *filter;
    const char *at;
    int depth;
    Error *error;
} Reader;

static bool refuse(Reader *r, const char *at)
{
    if (!*at)
        return error_code(r->error, "filter-end", "filter: something is missing at its end");
    return error_code(r->error, "filter-word", "filter: '{text:%.40s}' is not understood here", at);
}

static void skip_blanks(Reader *r)
{
    while (*r->at && (unsigned char)*r->at <= ' ')
        r->at++;
}

// Does this keyword stand here, alone? Then it is taken.
static bool take_word(Reader *r, const char *word)
{
    size_t size = strlen(word);
    skip_blanks(r);
    if (strncasecmp(r->at, word, size) || (r->at[size] && !strchr(" \t\n()", r->at[size])))
        return false;
    r->at += size;
    return true;
}

static bool take_sign(Reader *r, const char *sign)
{
    size_t size = strlen(sign);
    if (strncmp(r->at, sign, size))
        return false;
    r->at += size;
    return true;
}

// Keeps bytes, with a final 0, in the filter's text.
static bool keep(Reader *r, const char *bytes, size_t size, uint16_t *at)
{
    Filter *f = r->filter;
    if (f->text_size + size + 1 > FILTER_TEXT_SIZE)
        return error_code(r->error, "filter-long", "filter: too long");
    *at = (uint16_t)f->text_size;
    memcpy(f->text + f->text_size, bytes, size);
    f->text_size += size;
    f->text[f->text_size++] = 0;
    return true;
}

// A value: in quotes, or up to a blank or a closing bracket that it has not opened.
static bool read_value(Reader *r, uint16_t *at)
{
    const char *begin = r->at;
    if (*begin == '"' || *begin == '\'') {
        const char *end = strchr(begin + 1, *begin);
        if (!end)
            return error_code(r->error, "filter-quote", "filter: a quote is not closed");
        r->at = end + 1;
        return keep(r, begin + 1, (size_t)(end - begin - 1), at);
    }
    while ((unsigned char)*r->at > ' ' && *r->at != '(' && *r->at != ')')
        r->at++;
    return (r->at > begin || refuse(r, begin)) && keep(r, begin, (size_t)(r->at - begin), at);
}

static bool read_op(Reader *r, uint8_t *op)
{
    static const struct {
        const char *sign;
        FilterOp op;
    } SIGNS[] = {{"!=", FILTER_OP_NOT_EQUAL},
                 {"<>", FILTER_OP_NOT_EQUAL},
                 {"\xe2\x89\xa0", FILTER_OP_NOT_EQUAL},
                 {"<=", FILTER_OP_LESS_EQUAL},
                 {"\xe2\x89\xa4", FILTER_OP_LESS_EQUAL},
                 {">=", FILTER_OP_GREATER_EQUAL},
                 {"\xe2\x89\xa5", FILTER_OP_GREATER_EQUAL},
                 {"==", FILTER_OP_EQUAL},
                 {"=", FILTER_OP_EQUAL},
                 {"<", FILTER_OP_LESS},
                 {">", FILTER_OP_GREATER},
                 {":", FILTER_OP_CONTAINS},
                 {"~", FILTER_OP_PATTERN}};
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
        if (take_sign(r, SIGNS[i].sign)) {
            *op = (uint8_t)SIGNS[i].op;
            return true;
        }
    return false;
}

// ---- reading: what a test means ----

static const struct {
    const char *name;
    FilterField field;
} FIELDS[] = {
    {"player", FILTER_PLAYER},     {"elo", FILTER_ELO},
    {"result", FILTER_RESULT},     {"date", FILTER_DATE},
    {"year", FILTER_YEAR},         {"moves", FILTER_MOVES},
    {"plies", FILTER_PLIES},       {"eco", FILTER_ECO},
    {"variant", FILTER_VARIANT},   {"end", FILTER_END},
    {"comment", FILTER_COMMENT},   {"position", FILTER_POSITION},
    {"fen", FILTER_POSITION},      {"finalposition", FILTER_FINAL_POSITION},
    {"material", FILTER_MATERIAL}, {"finalmaterial", FILTER_FINAL_MATERIAL},
};

static FilterField find_field(const char *name)
{
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
        if (str_same_word(FIELDS[i].name, name))
            return FIELDS[i].field;
    return FILTER_TAG;
}

static bool refuse_value(Reader *r, const FilterTest *test, const char *wanted)
{
    return error_code(r->error, "filter-value",
                      "filter: {field:%.30s} wants {wanted:%s}, not '{value:%.40s}'",
                      r->filter->text + test->name, wanted, r->filter->text + test->value);
}

static bool read_result(Reader *r, FilterTest *test)
{
    static const struct {
        const char *name;
        Result result;
    } NAMES[] = {{"1-0", RESULT_WHITE},   {"0-1", RESULT_BLACK}, {"1/2-1/2", RESULT_DRAW},
                 {"1/2", RESULT_DRAW},    {"*", RESULT_NONE},    {"white", RESULT_WHITE},
                 {"black", RESULT_BLACK}, {"draw", RESULT_DRAW}, {"none", RESULT_NONE}};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (str_same_word(NAMES[i].name, r->filter->text + test->value)) {
            test->result = NAMES[i].result;
            return true;
        }
    return refuse_value(r, test, "1-0, 0-1, 1/2-1/2 (draw) or *");
}

static bool read_end(Reader *r, FilterTest *test)
{
    static const struct {
        const char *name;
        Reason reason;
    } NAMES[] = {{"checkmate", REASON_CHECKMATE},
                 {"mate", REASON_CHECKMATE},
                 {"stalemate", REASON_STALEMATE},
                 {"repetition", REASON_REPETITION},
                 {"fifty", REASON_FIFTY_MOVES},
                 {"dead", REASON_DEAD_POSITION},
                 {"captured", REASON_ALL_CAPTURED},
                 {"nocapture", REASON_NO_CAPTURE},
                 {"none", REASON_NONE}};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (str_same_word(NAMES[i].name, r->filter->text + test->value)) {
            test->reason = NAMES[i].reason;
            return true;
        }
    return refuse_value(r, test, "checkmate, stalemate, repetition, fifty, dead or none");
}

// A year with, perhaps, month and day: 1990, 1990.05, 1990-05-12.
static bool is_date(const char *text)
{
    int digits = 0, parts = 1;
    for (; *text; text++) {
        bool is_sign = *text == '.' || *text == '-' || *text == '/';
        if (!is_sign && !isdigit((unsigned char)*text))
            return false;
        if (is_sign && digits != (parts == 1 ? 4 : 2))
            return false;
        parts += is_sign;
        digits = is_sign ? 0 : digits + 1;
    }
    return parts <= 3 && digits == (parts == 1 ? 4 : 2);
}

// Only = and != make sense for some fields, and >= for men.
static bool check_op(Reader *r, const FilterTest *test)
{
    bool is_same = test->op == FILTER_OP_EQUAL || test->op == FILTER_OP_NOT_EQUAL;
    bool is_men = test->field == FILTER_MATERIAL || test->field == FILTER_FINAL_MATERIAL;
    bool is_board = test->field == FILTER_POSITION || test->field == FILTER_FINAL_POSITION;
    bool is_number = test->field == FILTER_MOVES || test->field == FILTER_PLIES ||
                     test->field == FILTER_YEAR || test->field == FILTER_ELO;
    bool is_text = test->op == FILTER_OP_CONTAINS || test->op == FILTER_OP_PATTERN;
    if ((is_men && (is_same || test->op == FILTER_OP_GREATER_EQUAL)) ||
        (is_board && (is_same || is_text)) || (is_number && !is_text))
        return true;
    bool is_choice =
        test->field == FILTER_RESULT || test->field == FILTER_VARIANT || test->field == FILTER_END;
    if ((is_choice && is_same) || (!is_men && !is_board && !is_number && !is_choice))
        return true;
    return error_code(r->error, "filter-sign", "filter: this sign has no meaning for {field:%.30s}",
                      r->filter->text + test->name);
}

static bool compile(Reader *r, FilterTest *test)
{
    const char *value = r->filter->text + test->value;
    test->is_number = str_to_real(value, &test->number);
    if (!check_op(r, test))
        return false;
    switch (test->field) {
    case FILTER_RESULT: return read_result(r, test);
    case FILTER_END: return read_end(r, test);
    case FILTER_VARIANT:
        test->rules = pgn_find_rules(value);
        return test->rules || refuse_value(r, test, "the name of a game");
    case FILTER_ELO:
    case FILTER_YEAR:
    case FILTER_MOVES:
    case FILTER_PLIES: return test->is_number || refuse_value(r, test, "a number");
    case FILTER_DATE:
        return test->op == FILTER_OP_CONTAINS || test->op == FILTER_OP_PATTERN || is_date(value) ||
               refuse_value(r, test, "a date like 1990, 1990.05 or 1990.05.12");
    case FILTER_POSITION:
    case FILTER_FINAL_POSITION: return board_pattern_read(&test->of.board, value, r->error);
    case FILTER_MATERIAL:
    case FILTER_FINAL_MATERIAL:
        return men_pattern_read(&test->of.men, value, test->op == FILTER_OP_GREATER_EQUAL,
                                r->error);
    default: return true;
    }
}

// ---- reading: the tree ----

static bool add_node(Reader *r, int kind, int left, int right, int *node)
{
    Filter *f = r->filter;
    if (f->node_count == FILTER_NODES)
        return error_code(r->error, "filter-long", "filter: too long");
    bool walks = kind == NODE_TEST
                     ? f->tests[left].field >= FILTER_POSITION || f->tests[left].field == FILTER_END
                     : f->nodes[left].walks || f->nodes[right].walks;
    // Tags are asked before positions.
    if ((kind == NODE_AND || kind == NODE_OR) && f->nodes[left].walks && !f->nodes[right].walks) {
        int other = left;
        left = right;
        right = other;
    }
    *node = f->node_count++;
    f->nodes[*node] = (FilterNode){
        .kind = (uint8_t)kind, .left = (uint8_t)left, .right = (uint8_t)right, .walks = walks};
    return true;
}

static bool read_test(Reader *r, int *node)
{
    Filter *f = r->filter;
    const char *begin = r->at;
    if (f->test_count == FILTER_TESTS)
        return error_code(r->error, "filter-long", "filter: too long");
    FilterTest *test = &f->tests[f->test_count];
    memset(test, 0, sizeof *test);
    while (isalnum((unsigned char)*r->at) || *r->at == '_')
        r->at++;
    size_t size = (size_t)(r->at - begin);
    if (size && read_op(r, &test->op)) {
        if (!keep(r, begin, size, &test->name) || !read_value(r, &test->value))
            return false;
        test->field = (uint8_t)find_field(f->text + test->name);
    } else {
        r->at = begin;
        test->field = FILTER_ANY;
        test->op = FILTER_OP_CONTAINS;
        if (!read_value(r, &test->value))
            return false;
    }
    return compile(r, test) && add_node(r, NODE_TEST, f->test_count++, 0, node);
}

static bool read_or(Reader *r, int *node);

static bool read_one(Reader *r, int *node)
{
    const char *here;
    bool ok;
    skip_blanks(r);
    here = r->at;
    if (take_word(r, "or") || take_word(r, "and"))
        return refuse(r, here);
    if (r->depth >= DEPTH_MAX)
        return error_code(r->error, "filter-long", "filter: too long");
    r->depth++;
    if (take_word(r, "not")) {
        int inner;
        ok = read_one(r, &inner) && add_node(r, NODE_NOT, inner, inner, node);
    } else if (take_sign(r, "(")) {
        ok = read_or(r, node);
        skip_blanks(r);
        ok = ok && (take_sign(r, ")") || refuse(r, r->at));
    } else {
        ok = *r->at ? read_test(r, node) : refuse(r, r->at);
    }
    r->depth--;
    return ok;
}

// Does another part of the same "and" follow?
static bool has_more(Reader *r)
{
    const char *here = r->at;
    if (take_word(r, "or")) {
        r->at = here;
        return false;
    }
    skip_blanks(r);
    return *r->at && *r->at != ')';
}

static bool read_and(Reader *r, int *node)
{
    if (!read_one(r, node))
        return false;
    while (has_more(r)) {
        int other;
        take_word(r, "and");
        if (!read_one(r, &other) || !add_node(r, NODE_AND, *node, other, node))
            return false;
    }
    return true;
}

static bool read_or(Reader *r, int *node)
{
    if (!read_and(r, node))
        return false;
    while (take_word(r, "or")) {
        int other;
        if (!read_and(r, &other) || !add_node(r, NODE_OR, *node, other, node))
            return false;
    }
    return true;
}

bool filter_read(Filter *filter, const char *text, Error *error)
{
    Reader r = {.filter = filter, .at = text, .error = error};
    filter->test_count = filter->node_count = 0;
    filter->text_size = 0;
    filter->root = -1;
    skip_blanks(&r);
    if (!*r.at)
        return true;
    if (!read_or(&r, &filter->root))
        return false;
    skip_blanks(&r);
    return !*r.at || refuse(&r, r.at);
}

static bool is_opening_test(const Filter *f, const FilterTest *test)
{
    const char *name = f->text + test->name;
    return test->field == FILTER_ECO ||
           (test->field == FILTER_TAG &&
            (str_same_word(name, "Opening") || str_same_word(name, "Variation")));
}

// Does it ask for a tag of the opening that this game has not?
static bool lacks_opening(const Filter *f, const FilterTest *test, const PgnGame *game)
{
    return is_opening_test(f, test) &&
           !pgn_game_tag(game, test->field == FILTER_ECO ? "ECO" : "Opening");
}

bool filter_lacks_opening(const Filter *filter, const PgnGame *game)
{
    for (int i = 0; i < filter->test_count; i++)
        if (lacks_opening(filter, &filter->tests[i], game))
            return true;
    return false;
}

bool filter_asks_opening(const Filter *filter)
{
    for (int i = 0; i < filter->test_count; i++)
        if (is_opening_test(filter, &filter->tests[i]))
            return true;
    return false;
}

bool filter_needs_moves(const Filter *filter)
{
    for (int i = 0; i < filter->test_count; i++) {
        int field = filter->tests[i].field;
        if (field == FILTER_MOVES || field == FILTER_PLIES || field == FILTER_COMMENT ||
            field == FILTER_END || field >= FILTER_POSITION)
            return true;
    }
    return false;
}

// ---- asking: texts ----

bool filter_text_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *resume = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (*pattern && (*pattern == '?' || tolower((unsigned char)*pattern) ==
                                                       tolower((unsigned char)*text))) {
            pattern++, text++;
        } else if (star) {
            pattern = star;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool contains(const char *text, const char *part)
{
    size_t size = strlen(part);
    for (; *text; text++)
        if (tolower((unsigned char)*text) == tolower((unsigned char)*part) &&
            !strncasecmp(text, part, size))
            return true;
    return !size;
}

// What an order means for an operator: `order` is below, equal to or above 0.
static bool is_order(FilterOp op, int order)
{
    switch (op) {
    case FILTER_OP_EQUAL: return order == 0;
    case FILTER_OP_NOT_EQUAL: return order != 0;
    case FILTER_OP_LESS: return order < 0;
    case FILTER_OP_LESS_EQUAL: return order <= 0;
    case FILTER_OP_GREATER: return order > 0;
    case FILTER_OP_GREATER_EQUAL: return order >= 0;
    default: return false;
    }
}

static bool compare_number(const FilterTest *test, double number)
{
    return is_order((FilterOp)test->op, (number > test->number) - (number < test->number));
}

// Dates are compared as far as both are known; one without a year is neither before nor after.
static bool compare_date(const FilterTest *test, const char *wanted, const char *date)
{
    int order = 0;
    if (!isdigit((unsigned char)*date))
        return test->op == FILTER_OP_NOT_EQUAL;
    for (int i = 0; i < 10 && !order && wanted[i] && date[i] && date[i] != '?'; i++)
        if (isdigit((unsigned char)wanted[i]))
            order = date[i] - wanted[i];
    return is_order((FilterOp)test->op, order);
}

// A text of the game, NULL for none, against the value of a test.
static bool compare_text(const Filter *f, const FilterTest *test, const char *text)
{
    const char *value = f->text + test->value;
    double number;
    if (!text)
        return test->op == FILTER_OP_NOT_EQUAL;
    if (test->op == FILTER_OP_CONTAINS)
        return contains(text, value);
    if (test->op == FILTER_OP_PATTERN)
        return filter_text_matches(value, text);
    if (test->op == FILTER_OP_EQUAL || test->op == FILTER_OP_NOT_EQUAL)
        return str_same_word(value, text) == (test->op == FILTER_OP_EQUAL);
    if (test->is_number)
        return str_to_real(text, &number) && compare_number(test, number);
    return is_order((FilterOp)test->op, strcasecmp(text, value));
}

// ---- asking: one test of a game ----

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), part = strlen(end);
    return size >= part && !strcasecmp(text + size - part, end);
}

static bool ask_tag(const Filter *f, const FilterTest *test, const PgnGame *game)
{
    const char *name = f->text + test->name, *value = f->text + test->value;
    const char *text = pgn_game_tag(game, name);
    if (text && test->op < FILTER_OP_CONTAINS && ends_with(name, "Date") && is_date(value))
        return compare_date(test, value, text);
    return compare_text(f, test, text);
}

static bool ask_any(const Filter *f, const FilterTest *test, const PgnGame *game)
{
    for (uint32_t i = 0; i < game->tag_count; i++)
        if (contains(game->text + game->tags[i].value, f->text + test->value))
            return true;
    return false;
}

// Either player; for != neither.
static bool ask_player(const Filter *f, const FilterTest *test, const PgnGame *game)
{
    bool white = compare_text(f, test, pgn_game_tag(game, "White"));
    bool black = compare_text(f, test, pgn_game_tag(game, "Black"));
    return test->op == FILTER_OP_NOT_EQUAL ? white && black : white || black;
}

static bool ask_elo(const FilterTest *test, const PgnGame *game)
{
    const char *white = pgn_game_tag(game, "WhiteElo"), *black = pgn_game_tag(game, "BlackElo");
    double a, b;
    return white && black && str_to_real(white, &a) && str_to_real(black, &b) &&
           compare_number(test, a) && compare_number(test, b);
}

static bool ask_year(const FilterTest *test, const PgnGame *game)
{
    const char *date = pgn_game_tag(game, "Date");
    int year = date ? atoi(date) : 0;
    return year && compare_number(test, year);
}

static bool ask_date(const Filter *f, const FilterTest *test, const PgnGame *game)
{
    const char *date = pgn_game_tag(game, "Date");
    if (!date || test->op >= FILTER_OP_CONTAINS)
        return compare_text(f, test, date);
    return compare_date(test, f->text + test->value, date);
}

// A code; = is also true for a chapter: eco=B9, eco=C. An order compares as many letters as are
// given.
static bool ask_eco(const Filter *f, const FilterTest *test, const PgnGame *game)
{
    const char *eco = pgn_game_tag(game, "ECO"), *value = f->text + test->value;
    if (!eco || test->op >= FILTER_OP_CONTAINS)
        return compare_text(f, test, eco);
    return is_order((FilterOp)test->op, strncasecmp(eco, value, strlen(value)));
}

static bool ask_comment(const Filter *f, const FilterTest *test, const PgnGame *game)
{
    for (uint32_t i = 0; i < game->item_count; i++)
        if (game->items[i].kind == PGN_ITEM_COMMENT &&
            compare_text(f, test, game->text + game->items[i].text))
            return true;
    return false;
}

// Half-moves before the last one, or full moves begun.
static bool ask_length(const FilterTest *test, const PgnGame *game)
{
    int plies = pgn_game_moves(game, NULL, 0);
    if (test->field == FILTER_MOVES)
        plies = (plies + 1 + (game->has_start && game->start.side == BLACK)) / 2;
    return compare_number(test, plies);
}

// ---- asking: positions ----

enum { KEYS = 256 }; // as far back as repetitions are looked for

typedef struct Walk {
    bool is_done;
    uint64_t found; // tests that some position answered
    Outcome outcome;
} Walk;

static bool ask_position(const FilterTest *test, const Position *pos)
{
    return test->field == FILTER_POSITION || test->field == FILTER_FINAL_POSITION
               ? board_pattern_matches(&test->of.board, pos)
               : men_pattern_matches(&test->of.men, pos);
}

static void ask_positions(const Filter *f, Walk *walk, const Position *pos, bool is_final)
{
    for (int i = 0; i < f->test_count; i++) {
        const FilterTest *test = &f->tests[i];
        bool is_asked = test->field == FILTER_POSITION || test->field == FILTER_MATERIAL ||
                        (is_final && test->field >= FILTER_POSITION);
        if (is_asked && !(walk->found >> i & 1) && ask_position(test, pos))
            walk->found |= 1ull << i;
    }
}

static Outcome end_of(const Position *pos, const Key *keys, int count)
{
    Outcome outcome = position_outcome(pos);
    int same = 0;
    for (int back = 0; back < count && back < KEYS && back <= pos->state.fifty; back++)
        same += keys[(count - 1 - back) % KEYS] == pos->state.key;
    if (outcome.result == RESULT_NONE && same >= 3)
        outcome = (Outcome){.result = RESULT_DRAW, .reason = REASON_REPETITION};
    return outcome;
}

// Goes through the main line once, for all tests.
static void walk_game(const Filter *f, const PgnGame *game, Walk *walk)
{
    PgnLine line;
    Key keys[KEYS];
    int count = 0;
    walk->is_done = true;
    pgn_line_begin(&line, game);
    keys[count++] = line.pos.state.key;
    ask_positions(f, walk, &line.pos, false);
    while (pgn_line_next(&line)) {
        pgn_line_play(&line);
        keys[count++ % KEYS] = line.pos.state.key;
        ask_positions(f, walk, &line.pos, false);
    }
    ask_positions(f, walk, &line.pos, true);
    walk->outcome = end_of(&line.pos, keys, count);
}

static bool ask_walk(const Filter *f, int index, const PgnGame *game, Walk *walk)
{
    const FilterTest *test = &f->tests[index];
    if (!game->has_start)
        return test->op == FILTER_OP_NOT_EQUAL;
    if (!walk->is_done)
        walk_game(f, game, walk);
    bool is_found =
        test->field == FILTER_END ? walk->outcome.reason == test->reason : walk->found >> index & 1;
    return is_found != (test->op == FILTER_OP_NOT_EQUAL);
}

// The result by its tag; false when that tells none.
static bool tag_result(const PgnGame *game, Result *result)
{
    const char *tag = pgn_game_tag(game, "Result");
    for (int r = RESULT_NONE; tag && r <= RESULT_DRAW; r++)
        if (!strcmp(tag, result_text((Result)r))) {
            *result = (Result)r;
            return true;
        }
    return false;
}

static bool ask_result(const FilterTest *test, const PgnGame *game)
{
    Result result;
    if (!tag_result(game, &result))
        result = game->result;
    return (result == test->result) != (test->op == FILTER_OP_NOT_EQUAL);
}

static bool ask_test(const Filter *f, int index, const PgnGame *game, Walk *walk)
{
    const FilterTest *test = &f->tests[index];
    bool is_not = test->op == FILTER_OP_NOT_EQUAL;
    switch (test->field) {
    case FILTER_TAG: return ask_tag(f, test, game);
    case FILTER_ANY: return ask_any(f, test, game);
    case FILTER_PLAYER: return ask_player(f, test, game);
    case FILTER_ELO: return ask_elo(test, game);
    case FILTER_RESULT: return ask_result(test, game);
    case FILTER_DATE: return ask_date(f, test, game);
    case FILTER_YEAR: return ask_year(test, game);
    case FILTER_MOVES:
    case FILTER_PLIES: return ask_length(test, game);
    case FILTER_ECO: return ask_eco(f, test, game);
    case FILTER_VARIANT: return (game->has_start && game->start.rules == test->rules) != is_not;
    case FILTER_COMMENT: return ask_comment(f, test, game);
    default: return ask_walk(f, index, game, walk);
    }
}

static bool ask_node(const Filter *f, int index, const PgnGame *game, Walk *walk)
{
    const FilterNode *node = &f->nodes[index];
    switch (node->kind) {
    case NODE_NOT: return !ask_node(f, node->left, game, walk);
    case NODE_AND:
        return ask_node(f, node->left, game, walk) && ask_node(f, node->right, game, walk);
    case NODE_OR:
        return ask_node(f, node->left, game, walk) || ask_node(f, node->right, game, walk);
    default: return ask_test(f, node->left, game, walk);
    }
}

// ---- asking: tags alone ----

typedef enum Answer { NO, MAYBE, YES } Answer;

static Answer guess_test(const Filter *f, int index, const PgnGame *game)
{
    const FilterTest *test = &f->tests[index];
    Result result;
    if (lacks_opening(f, test, game))
        return MAYBE; // it may yet be classified
    switch (test->field) {
    case FILTER_RESULT:
        if (!tag_result(game, &result))
            return MAYBE;
        break;
    case FILTER_TAG:
    case FILTER_ANY:
    case FILTER_PLAYER:
    case FILTER_ELO:
    case FILTER_DATE:
    case FILTER_YEAR:
    case FILTER_ECO: break;
    default: return MAYBE;
    }
    return ask_test(f, index, game, NULL) ? YES : NO;
}

static Answer guess_node(const Filter *f, int index, const PgnGame *game)
{
    const FilterNode *node = &f->nodes[index];
    if (node->kind == NODE_TEST)
        return guess_test(f, node->left, game);
    Answer left = guess_node(f, node->left, game);
    if (node->kind == NODE_NOT)
        return (Answer)(YES - left);
    if (left == (node->kind == NODE_AND ? NO : YES))
        return left;
    Answer right = guess_node(f, node->right, game);
    return (node->kind == NODE_AND) == (left < right) ? left : right;
}

bool filter_rules_out(const Filter *filter, const PgnGame *game)
{
    return filter->root >= 0 && guess_node(filter, filter->root, game) == NO;
}

bool filter_matches(const Filter *filter, const PgnGame *game)
{
    Walk walk = {0};
    return filter->root < 0 || ask_node(filter, filter->root, game, &walk);
}
