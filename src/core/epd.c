// Reading and writing EPD. The fields of the position go to the FEN reader; the operations are
// slices of the line.
#include "core/epd.h"

#include <stdio.h>
#include <string.h>

#include "core/fen.h"
#include "core/notation.h"

enum { MAX_POSITION_TEXT = 256 };

// Zero bytes end the lines of some old files: they count as blanks.
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void skip_blanks(EpdText *rest)
{
    while (rest->size && is_blank(*rest->text))
        rest->text++, rest->size--;
}

static EpdText trim(EpdText text)
{
    skip_blanks(&text);
    while (text.size && is_blank(text.text[text.size - 1]))
        text.size--;
    return text;
}

// The next word up to a blank or semicolon.
static EpdText next_word(EpdText *rest)
{
    skip_blanks(rest);
    EpdText word = {rest->text, 0};
    while (rest->size && !is_blank(*rest->text) && *rest->text != ';')
        rest->text++, rest->size--, word.size++;
    return word;
}

static bool is_number(EpdText word)
{
    for (size_t i = 0; i < word.size; i++)
        if (!is_digit(word.text[i]))
            return false;
    return word.size > 0;
}

static bool text_is(EpdText text, const char *word)
{
    return strlen(word) == text.size && !memcmp(text.text, word, text.size);
}

// ---- the position
// ----------------------------------------------------------------------------------

// Collects the fields of the position: four, and two counters where numbers follow.
static bool read_fields(EpdText *rest, char text[MAX_POSITION_TEXT], Error *error)
{
    size_t used = 0;
    for (int i = 0; i < 6; i++) {
        EpdText before = *rest, word = next_word(rest);
        if (word.size == 0 || (i >= 4 && !is_number(word))) {
            *rest = before;
            if (i < 2)
                return error_set(error, i ? "side to move: missing" : "empty");
            break;
        }
        if (used + word.size + 2 > MAX_POSITION_TEXT)
            return error_set(error, "position: too long");
        memcpy(text + used, word.text, word.size);
        used += word.size;
        text[used++] = ' ';
    }
    text[used] = 0;
    return true;
}

// hmvc and fmvn say what FEN's last fields say; true if the operation is one of them. They are kept
// in the position alone, where they belong.
static bool read_counter(Epd *epd, EpdText name, EpdText operands)
{
    bool is_half = text_is(name, "hmvc");
    EpdText operand;
    if (!is_half && !text_is(name, "fmvn"))
        return false;
    if (!epd_next_operand(&operands, &operand) || !is_number(operand) || operand.size > 5)
        return true;
    int value = 0;
    for (size_t i = 0; i < operand.size; i++)
        value = value * 10 + operand.text[i] - '0';
    if (is_half && value <= 9999)
        epd->pos.state.fifty = (uint16_t)value;
    else if (!is_half && value <= 30000)
        epd->pos.ply = (uint16_t)((value > 0 ? value - 1 : 0) * 2 + epd->pos.side);
    return true;
}

// ---- operations
// ------------------------------------------------------------------------------------

// Where one operation ends: at a semicolon outside quotes. As for epd_next_operand, a quote counts
// only where an operand begins.
static bool find_end(EpdText rest, size_t *end, Error *error)
{
    bool is_quoted = false, begins = true;
    size_t i = 0;
    for (; i < rest.size && (is_quoted || rest.text[i] != ';'); i++) {
        if (rest.text[i] == '"' && (is_quoted || begins)) {
            is_quoted = !is_quoted;
            begins = !is_quoted;
        } else {
            begins = is_blank(rest.text[i]);
        }
    }
    *end = i;
    return !is_quoted || error_set(error, "operation '%.*s': quote not closed",
                                   (int)(rest.size < 16 ? rest.size : 16), rest.text);
}

static bool add_operation(Epd *epd, EpdText name, EpdText operands, Error *error)
{
    if (!is_letter(*name.text))
        return error_set(error, "operation '%.*s': a name begins with a letter",
                         (int)(name.size < 16 ? name.size : 16), name.text);
    if (read_counter(epd, name, operands))
        return true;
    if (epd->count == EPD_MAX_OPERATIONS)
        return error_set(error, "more than %d operations", EPD_MAX_OPERATIONS);
    epd->operations[epd->count++] = (EpdOperation){name, trim(operands)};
    return true;
}

// Names that are no moves: where one of them stands among operands, a semicolon was forgotten.
static bool is_known_name(EpdText word)
{
    static const char *const names[] = {"acd", "acn", "acs", "am", "bm",   "ce",   "dm",
                                        "eco", "id",  "pm",  "pv", "hmvc", "fmvn", "sm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_is(word, names[i]))
            return true;
    return false;
}

// Reads what stands before one semicolon: mostly one operation.
static bool read_operation(Epd *epd, EpdText text, Error *error)
{
    EpdText name = next_word(&text), rest = text, operands = {text.text, 0}, word;
    if (!name.size)
        return true;
    bool is_comment = name.size == 2 && *name.text == 'c' && is_digit(name.text[1]);
    bool is_free = is_comment || text_is(name, "id"); // may hold any words
    while (!is_free && epd_next_operand(&rest, &word)) {
        if (is_known_name(word) && word.text[-1] != '"') {
            operands.size = (size_t)(word.text - operands.text);
            return add_operation(epd, name, operands, error) &&
                   read_operation(epd,
                                  (EpdText){word.text, (size_t)(text.text + text.size - word.text)},
                                  error);
        }
    }
    operands.size = text.size;
    return add_operation(epd, name, operands, error);
}

bool epd_read(Epd *epd, const Rules *rules, const char *line, size_t size, Error *error)
{
    EpdText rest = {line, size};
    char fen[MAX_POSITION_TEXT];
    epd->count = 0;
    if (!read_fields(&rest, fen, error) || !position_from_fen(&epd->pos, rules, fen, error))
        return false;
    for (;;) {
        size_t end;
        skip_blanks(&rest);
        while (rest.size && *rest.text == ';') {
            rest.text++, rest.size--;
            skip_blanks(&rest);
        }
        if (!rest.size)
            break;
        if (!find_end(rest, &end, error) || !read_operation(epd, (EpdText){rest.text, end}, error))
            return false;
        rest.text += end;
        rest.size -= end;
    }
    return true;
}

const EpdOperation *epd_find(const Epd *epd, const char *name)
{
    for (int i = 0; i < epd->count; i++)
        if (text_is(epd->operations[i].name, name))
            return &epd->operations[i];
    return NULL;
}

bool epd_next_operand(EpdText *operands, EpdText *operand)
{
    skip_blanks(operands);
    if (!operands->size)
        return false;
    bool is_quoted = *operands->text == '"';
    if (is_quoted)
        operands->text++, operands->size--;
    *operand = (EpdText){operands->text, 0};
    while (operands->size && (is_quoted ? *operands->text != '"' : !is_blank(*operands->text)))
        operands->text++, operands->size--, operand->size++;
    if (is_quoted && operands->size)
        operands->text++, operands->size--;
    return true;
}

int epd_moves(const Epd *epd, const char *name, Move *list, int capacity, Error *error)
{
    const EpdOperation *operation = epd_find(epd, name);
    EpdText operands, operand;
    int count = 0;
    if (!operation)
        return 0;
    for (operands = operation->operands; epd_next_operand(&operands, &operand);) {
        char text[32];
        snprintf(text, sizeof text, "%.*s", (int)(operand.size < 31 ? operand.size : 31),
                 operand.text);
        if (text[0] && !text[strspn(text, "+#!?,")])
            continue; // signs that stand alone
        text[strcspn(text, ",")] = 0;
        Move move = move_from_san(&epd->pos, text, error);
        if (!move)
            return -1;
        if (count < capacity)
            list[count++] = move;
    }
    return count;
}

// ---- writing
// ---------------------------------------------------------------------------------------

typedef struct Out {
    char *text;
    size_t size, used;
} Out;

static void add(Out *out, const char *text, size_t size)
{
    if (out->used < out->size) {
        size_t room = out->size - out->used;
        memcpy(out->text + out->used, text, size < room ? size : room);
    }
    out->used += size;
}

static void add_text(Out *out, const char *text)
{
    add(out, text, strlen(text));
}

size_t epd_write(const Epd *epd, char *line, size_t size)
{
    Out out = {line, size, 0};
    char fen[FEN_SIZE], counters[48];
    position_to_fen(&epd->pos, FEN_XFEN, fen);
    char *p = fen;
    for (int i = 0; i < 4; i++)
        p = strchr(p, ' ') + 1;
    add(&out, fen, (size_t)(p - fen - 1));
    if (epd->pos.state.fifty || epd->pos.ply > 1) {
        snprintf(counters, sizeof counters, " hmvc %d; fmvn %d;", epd->pos.state.fifty,
                 epd->pos.ply / 2 + 1);
        add_text(&out, counters);
    }
    for (int i = 0; i < epd->count; i++) {
        const EpdOperation *operation = &epd->operations[i];
        add_text(&out, " ");
        add(&out, operation->name.text, operation->name.size);
        if (operation->operands.size) {
            add_text(&out, " ");
            for (size_t j = 0; j < operation->operands.size; j++)
                add(&out,
                    is_blank(operation->operands.text[j]) ? " " : &operation->operands.text[j], 1);
        }
        add_text(&out, ";");
    }
    if (size)
        line[out.used < size ? out.used : size - 1] = 0;
    return out.used;
}
