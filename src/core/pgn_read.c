// The scanner of PGN. Everything happens in one buffer: a token that reaches its end is moved to
// the front and the rest filled up, so that every token (but a long comment) lies in one piece and
// is handed out in place. Start with pgn_read at the end; each scan_ function leaves `next` behind
// what it used.
#include "core/pgn_read.h"

#include <string.h>

#include "base/checksum.h"
#include "core/game.h"

size_t pgn_read_bytes(void *bytes, char *buffer, size_t size)
{
    PgnBytes *text = bytes;
    size_t count = text->left < size ? text->left : size;
    if (count)
        memcpy(buffer, text->next, count);
    text->next += count;
    text->left -= count;
    return count;
}

// Classes of bytes.
enum { OTHER, BLANK, LETTER, DIGIT, SIGN, GLYPH };

// LETTER, DIGIT and SIGN may stand inside a move; GLYPH is ! or ?. Bytes of UTF-8 and Latin-1 count
// as letters.
static const uint8_t CLASSES[256] = {
    ['\t'] = BLANK,         ['\n'] = BLANK,        ['\v'] = BLANK,         ['\f'] = BLANK,
    ['\r'] = BLANK,         [' '] = BLANK,         ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER,
    [128 ... 255] = LETTER, ['0' ... '9'] = DIGIT, ['+'] = SIGN,           ['#'] = SIGN,
    ['='] = SIGN,           [':'] = SIGN,          ['-'] = SIGN,           ['/'] = SIGN,
    ['_'] = SIGN,           ['@'] = SIGN,          ['.'] = SIGN,           ['\''] = SIGN,
    ['~'] = SIGN,           ['!'] = GLYPH,         ['?'] = GLYPH,
};

static int class_of(char c)
{
    return CLASSES[(unsigned char)c];
}

static bool is_symbol(char c)
{
    int class = class_of(c);
    return class == LETTER || class == DIGIT || class == SIGN;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void pgn_reader_init(PgnReader *reader, PgnSource *source, void *context)
{
    memset(reader, 0, offsetof(PgnReader, buffer));
    reader->source = source;
    reader->context = context;
    reader->next = reader->end = reader->buffer;
    reader->buffer[0] = 0;
    reader->is_fresh_line = reader->is_column_0 = true;
    reader->line = 1;
}

// Moves what is left to the front of the buffer and fills it up; false when nothing was added.
static bool fill(PgnReader *r)
{
    size_t left = (size_t)(r->end - r->next);
    if (r->is_at_end || left >= PGN_BUFFER_SIZE)
        return false;
    memmove(r->buffer, r->next, left);
    r->next = r->buffer;
    r->end = r->buffer + left;
    while (!r->is_at_end && r->end < r->buffer + PGN_BUFFER_SIZE) {
        size_t got = r->source(r->context, r->end, (size_t)(r->buffer + PGN_BUFFER_SIZE - r->end));
        r->is_at_end = got == 0;
        r->end += got;
    }
    *r->end = 0;
    r->line_end = r->no_quote_end = NULL;
    return (size_t)(r->end - r->next) > left;
}

// Puts a 0 behind a token for the caller; pgn_read takes it away again.
static void hold(PgnReader *r, char *at)
{
    r->held = at;
    r->held_byte = *at;
    *at = 0;
}

static void complain(PgnReader *r, const char *code, const char *text, uint64_t line)
{
    if (!r->pending) {
        r->pending_code = code;
        r->pending = text;
        r->pending_line = line;
    }
}

static void give(PgnReader *r, PgnToken *token, PgnKind kind, const char *text, size_t size)
{
    *token = (PgnToken){.kind = kind, .text = text, .size = size, .line = r->line};
    r->is_fresh_line = r->is_column_0 = r->has_blank_line = false;
}

// Ends the game. What was wrong with it is reported first: then false, and it is called again.
static bool give_result(PgnReader *r, PgnToken *token, Result result, const char *text, size_t size)
{
    if (r->depth) {
        complain(r, "pgn-variation-open", "variation not closed at the end of the game", r->line);
        r->depth = 0;
        return false;
    }
    give(r, token, PGN_RESULT, text, size);
    token->number = size ? (int)result : r->late_result;
    token->is_missing = size == 0 && r->late_result == RESULT_NONE;
    r->has_game = r->has_moves = false;
    r->number = r->seen_count = 0;
    r->late_result = RESULT_NONE;
    return true;
}

// ---- blanks
// ----------------------------------------------------------------------------------------

static void skip_line(PgnReader *r)
{
    for (;;) {
        char *end = memchr(r->next, '\n', (size_t)(r->end - r->next));
        if (end) {
            r->next = end;
            return;
        }
        r->next = r->end;
        if (!fill(r))
            return;
    }
}

// Skips blanks, byte order marks and escape lines; false at the end of the text.
static bool skip_blanks(PgnReader *r)
{
    for (;;) {
        char *p = r->next;
        while (class_of(*p) == BLANK) {
            if (*p == '\n') {
                r->line++;
                r->has_blank_line |= r->is_fresh_line;
                r->is_fresh_line = r->is_column_0 = true;
            } else {
                r->is_column_0 = false;
            }
            p++;
        }
        r->next = p;
        if (p + 3 > r->end && fill(r))
            continue;
        if (r->next == r->end)
            return false;
        p = r->next;
        if (*p == '%' && r->is_column_0)
            skip_line(r);
        else if (*p == '\xef' && !strncmp(p, "\xef\xbb\xbf", 3))
            r->next += 3;
        else
            return true;
    }
}

// ---- tags
// ------------------------------------------------------------------------------------------

// Does the text at `p` (behind the bracket) look like a tag: a name, blanks, a quote?
static bool looks_like_tag(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    const char *name = p;
    while (class_of(*p) == LETTER || class_of(*p) == DIGIT || *p == '_')
        p++;
    if (p == name)
        return false;
    while (*p == ' ' || *p == '\t')
        p++;
    return *p == '"';
}

// A quote ends the value if only blanks stand between it and a bracket.
static bool is_last_quote(const char *quote)
{
    const char *p = quote + 1;
    while (*p == ' ' || *p == '\t')
        p++;
    return *p == ']';
}

// The quote that ends a value beginning at `p`, or NULL if there is none on the line.
static char *find_last_quote(char *p, const char *end, bool with_escapes)
{
    char *found = NULL;
    for (; p < end; p++) {
        if (with_escapes && *p == '\\' && p + 1 < end && (p[1] == '"' || p[1] == '\\')) {
            p++;
        } else if (*p == '"' && is_last_quote(p)) {
            found = p;
            if (with_escapes)
                break;
        }
    }
    return found;
}

// Takes the backslashes out of \" and \\, in place; the new size.
static size_t unescape(char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\\' && i + 1 < size && (text[i + 1] == '"' || text[i + 1] == '\\'))
            i++;
        text[used++] = text[i];
    }
    return used;
}

// A tag that follows the letter of the standard not quite: what can be made of the line.
static char *mend_value(PgnReader *r, char *p, char *end, size_t *size, char **behind)
{
    bool is_quoted = *p == '"';
    char *quote = is_quoted && r->no_quote_end != end ? find_last_quote(p + 1, end, false) : NULL;
    if (is_quoted && !quote)
        r->no_quote_end = end;
    if (quote) { // [Event "C:\"]
        *size = (size_t)(quote - p - 1);
        *behind = strchr(quote, ']') + 1;
        complain(r, "pgn-tag-end", "tag: backslash at the end of the value", r->line);
        return p + 1;
    }
    char *bracket = memchr(p, ']', (size_t)(end - p));
    char *stop = bracket ? bracket : end;
    *behind = bracket ? bracket + 1 : end;
    if (!bracket)
        complain(r, "pgn-tag-open", "tag not closed", r->line);
    else if (is_quoted)
        complain(r, "pgn-tag-quote", "tag: quote not closed", r->line);
    else
        complain(r, "pgn-tag-quotes", "tag without quotes", r->line);
    p += is_quoted;
    while (stop > p && (class_of(stop[-1]) == BLANK || stop[-1] == '"'))
        stop--;
    *size = (size_t)(stop - p);
    return p;
}

// The end of the line, or as much of it as a tag may fill.
static char *find_line_end(PgnReader *r)
{
    bool is_known = r->line_end > r->next;
    if (is_known && (*r->line_end == '\n' || r->line_end - r->next > PGN_TOKEN_LIMIT / 2))
        return r->line_end;
    char *end = memchr(r->next, '\n', (size_t)(r->end - r->next));
    if (!end && (size_t)(r->end - r->next) < PGN_TOKEN_LIMIT && fill(r))
        end = memchr(r->next, '\n', (size_t)(r->end - r->next));
    if (!end)
        end = r->end;
    if (end - r->next > PGN_TOKEN_LIMIT)
        end = r->next + PGN_TOKEN_LIMIT;
    return r->line_end = end;
}

// A tag that the game has already, behind an empty line, belongs to the next game: this one had
// only tags.
static bool is_next_game(PgnReader *r, const char *name, size_t size)
{
    uint32_t hash = (uint32_t)checksum_fnv(CHECKSUM_FNV_START, name, size);
    for (int i = 0; i < r->seen_count; i++)
        if (r->seen[i] == hash)
            return r->has_blank_line;
    if (r->seen_count < PGN_SEEN_TAGS)
        r->seen[r->seen_count++] = hash;
    return false;
}

// Reads [Name "value"]; `next` stands on the bracket. The whole line must be in the buffer.
static bool scan_tag(PgnReader *r, PgnToken *token)
{
    char *end = find_line_end(r);
    char *p = r->next + 1;
    while (*p == ' ' || *p == '\t')
        p++;
    char *name = p;
    while (p < end && class_of(*p) != BLANK && *p != '"' && *p != ']' && *p != '[')
        p++;
    size_t name_size = (size_t)(p - name);
    if (is_next_game(r, name, name_size))
        return give_result(r, token, RESULT_NONE, "", 0);
    while (p < end && class_of(*p) == BLANK)
        p++;
    size_t value_size;
    char *value, *behind;
    bool may_end = p < end && *p == '"' && r->no_quote_end != end;
    char *quote = may_end ? find_last_quote(p + 1, end, true) : NULL;
    if (quote) {
        value = p + 1;
        behind = strchr(quote, ']') + 1;
        value_size = unescape(value, (size_t)(quote - value));
    } else {
        value = mend_value(r, p, end, &value_size, &behind);
    }
    give(r, token, PGN_TAG, name, name_size);
    r->next = behind;
    // Move the name over the bracket, so that its final 0 does not fall on the value's first byte.
    memmove(name - 1, name, name_size);
    token->text = name - 1;
    name[(ptrdiff_t)name_size - 1] = 0;
    if (value + value_size == behind) {
        memmove(value - 1, value, value_size);
        value--;
    }
    value[value_size] = 0;
    token->value = value;
    token->value_size = value_size;
    if (!name_size) {
        complain(r, "pgn-tag-name", "tag without a name", r->line);
        return false;
    }
    r->has_game = true;
    return true;
}

// ---- comments
// --------------------------------------------------------------------------------------

// Counts the lines of a comment; stops at a line that begins a new game, which a comment never
// holds unless its end has been forgotten.
static char *count_comment_lines(PgnReader *r, char *p, char *end)
{
    static const char event[] = "[Event \"";
    for (;;) {
        char *newline = memchr(p, '\n', (size_t)(end - p));
        if (!newline)
            return end;
        r->line++;
        p = newline + 1;
        if (!strncmp(p, event, sizeof event - 1)) {
            complain(r, "pgn-comment-game", "comment not closed before a new game", r->line);
            r->is_fresh_line = true;
            r->has_moves = true; // so that the tag ends this game
            return p;
        }
    }
}

// Reads on in a comment in braces; `next` stands behind the brace or behind the last part.
static bool scan_comment(PgnReader *r, PgnToken *token)
{
    char *end = memchr(r->next, '}', (size_t)(r->end - r->next));
    if (!end && fill(r))
        end = memchr(r->next, '}', (size_t)(r->end - r->next));
    bool is_closed = end != NULL;
    // Of a part, keep enough back to see a tag that is cut by the end of the buffer.
    bool is_part = !is_closed && !r->is_at_end;
    if (!is_closed)
        end = is_part ? r->end - 16 : r->end;
    char *begin = r->next;
    give(r, token, PGN_COMMENT, begin, 0);
    char *stop = count_comment_lines(r, begin, end);
    token->size = (size_t)(stop - begin);
    token->is_continued = is_part && stop == end;
    r->is_in_comment = token->is_continued;
    r->has_game = true;
    r->next = stop;
    if (stop == end && is_closed)
        r->next++;
    else if (stop == end && !is_part)
        complain(r, "pgn-comment-open", "comment not closed", r->line);
    hold(r, stop);
    return true;
}

// A comment to the end of the line. One that does not fit the buffer is cut in two.
static bool scan_line_comment(PgnReader *r, PgnToken *token)
{
    char *end = memchr(r->next, '\n', (size_t)(r->end - r->next));
    if (!end && fill(r))
        end = memchr(r->next, '\n', (size_t)(r->end - r->next));
    if (!end)
        end = r->end;
    char *begin = r->next + 1;
    bool is_part = end == r->end && !r->is_at_end;
    if (is_part)
        end--; // turned into the semicolon of the next part
    r->next = end;
    if (!is_part && end > begin && end[-1] == '\r')
        end--;
    give(r, token, PGN_COMMENT, begin, (size_t)(end - begin));
    r->has_game = true;
    if (is_part)
        *r->next = ';';
    hold(r, end);
    return true;
}

// ---- moves, numbers, results, signs
// ----------------------------------------------------------------

typedef struct Word {
    const char *text;
    int meaning;
} Word;

// NAGs by the signs that people write for them.
static const Word GLYPHS[] = {
    {"!", 1},
    {"?", 2},
    {"!!", 3},
    {"??", 4},
    {"!?", 5},
    {"?!", 6},
    {"=", 10},
    {"~", 13},
    {"+=", 14},
    {"+/=", 14},
    {"=+", 15},
    {"=/+", 15},
    {"+/-", 16},
    {"-/+", 17},
    {"+-", 18},
    {"-+", 19},
    {"N", 146},
    {"D", 220},
    {"\xe2\x96\xa1", 7},
    {"\xe2\x88\x9e", 13},
    {"\xe2\xa9\xb2", 14},
    {"\xe2\xa9\xb1", 15},
    {"\xc2\xb1", 16},
    {"\xe2\x88\x93", 17},
};

static const Word RESULTS[] = {
    {"1-0", RESULT_WHITE},
    {"0-1", RESULT_BLACK},
    {"1/2-1/2", RESULT_DRAW},
    {"1/2", RESULT_DRAW},
    {"1\xe2\x80\x93"
     "0",
     RESULT_WHITE}, // with a dash instead of a hyphen
    {"0\xe2\x80\x93"
     "1",
     RESULT_BLACK},
    {"\xc2\xbd-\xc2\xbd", RESULT_DRAW}, // halves in UTF-8 and Latin-1
    {"\xc2\xbd", RESULT_DRAW},
    {"\xbd-\xbd", RESULT_DRAW},
};

static const Word NULL_MOVES[] = {{"--", 0}, {"Z0", 0}, {"0000", 0}, {"@@@@", 0}};

// The meaning of a word in a table, or -1.
static int look_up(const Word *words, size_t count, const char *text, size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (!strncmp(words[i].text, text, size) && !words[i].text[size])
            return words[i].meaning;
    return -1;
}
#define LOOK_UP(words, text, size) look_up(words, sizeof(words) / sizeof *(words), text, size)

// The end of the word at `next`, which the buffer then holds whole (or as much of it as is
// allowed).
static char *find_word_end(PgnReader *r)
{
    char *p = r->next;
    while (is_symbol(*p))
        p++;
    if (p == r->end && p - r->next < PGN_TOKEN_LIMIT && fill(r)) {
        p = r->next;
        while (is_symbol(*p) && p - r->next < PGN_TOKEN_LIMIT)
            p++;
    }
    // a8(Q) is a move, not a variation.
    if (*p == '(' && p + 2 < r->end && strchr("QRBN", p[1]) && p[1] && p[2] == ')')
        p += 3;
    return p;
}

static bool give_nag(PgnReader *r, PgnToken *token, int number)
{
    give(r, token, PGN_NAG, "", 0);
    token->number = number;
    return true;
}

// A result of the text that lies between `begin` and `next`.
static bool give_written_result(PgnReader *r, PgnToken *token, Result result, char *begin)
{
    if (r->depth) {
        complain(r, "pgn-result-inside", "result inside a variation", r->line);
        r->late_result = result;
        return false;
    }
    give_result(r, token, result, begin, (size_t)(r->next - begin));
    hold(r, r->next);
    return true;
}

static bool is_en_passant_sign(const char *text, size_t size)
{
    return (size == 4 && !memcmp(text, "e.p.", 4)) || (size == 2 && !memcmp(text, "ep", 2));
}

static bool give_move(PgnReader *r, PgnToken *token, char *begin, char *end)
{
    r->has_game = r->has_moves = true;
    give(r, token, PGN_MOVE, begin, (size_t)(end - begin));
    hold(r, end);
    return true;
}

// Nearly every word: a letter of a piece, file or castling first, a digit or sign of a move last.
static bool is_plain_move(const char *begin, const char *end)
{
    static const bool begins[256] = {['a' ... 'h'] = true, ['K'] = true, ['Q'] = true, ['R'] = true,
                                     ['B'] = true,         ['N'] = true, ['O'] = true};
    static const bool ends[256] = {['1' ... '8'] = true, ['+'] = true, ['#'] = true, ['Q'] = true,
                                   ['R'] = true,         ['B'] = true, ['N'] = true, ['O'] = true};
    return end - begin > 1 && begins[(unsigned char)*begin] && ends[(unsigned char)end[-1]];
}

// A word that is no move number: a move, a result, or a sign.
static bool scan_word(PgnReader *r, PgnToken *token)
{
    char *end = find_word_end(r), *begin = r->next;
    size_t size = (size_t)(end - begin);
    r->next = end;
    if (is_plain_move(begin, end))
        return give_move(r, token, begin, end);
    int result = LOOK_UP(RESULTS, begin, size), glyph = LOOK_UP(GLYPHS, begin, size);
    if (result >= 0)
        return give_written_result(r, token, (Result)result, begin);
    if (glyph >= 0)
        return give_nag(r, token, glyph);
    if (strspn(begin, "+#") >= size || is_en_passant_sign(begin, size))
        return false;
    while (end - begin > 1 && end[-1] == '.' &&
           (end - begin < 4 || !is_en_passant_sign(end - 4, 4)))
        end--;
    if (LOOK_UP(NULL_MOVES, begin, (size_t)(end - begin)) < 0)
        return give_move(r, token, begin, end);
    r->has_game = r->has_moves = true;
    give(r, token, PGN_MOVE, "--", 2);
    return true;
}

// A word that begins with a digit: a move number is skipped, with its dots.
static bool scan_number(PgnReader *r, PgnToken *token)
{
    if (r->end - r->next < 16)
        fill(r);
    char *p = r->next;
    int number = 0;
    while (is_digit(*p)) {
        number = number < 100000 ? number * 10 + *p - '0' : number;
        p++;
    }
    bool is_zero = p - r->next == 4 && number == 0; // 0000
    bool is_letter = class_of(*p) == LETTER && *p != '\xe2' && *p != '\xc2';
    bool is_number = *p == '.' || is_letter || !is_symbol(*p);
    if (!is_number || is_zero)
        return scan_word(r, token);
    if (!r->depth && number == 1 && r->number > 1 && r->is_fresh_line)
        return give_result(r, token, RESULT_NONE, "", 0); // a new game without tags
    if (!r->depth)
        r->number = number;
    while (*p == '.')
        p++;
    r->next = p;
    r->is_fresh_line = false;
    return false;
}

static bool scan_nag(PgnReader *r, PgnToken *token)
{
    if (r->end - r->next < 16)
        fill(r);
    char *p = r->next + 1;
    int number = 0;
    while (is_digit(*p) && number < 100000)
        number = number * 10 + *p++ - '0';
    bool is_good = p > r->next + 1 && number < 65536;
    r->next = p;
    if (is_good)
        return give_nag(r, token, number);
    complain(r, "pgn-glyph", "$ without a good number", r->line);
    return false;
}

static bool scan_glyph(PgnReader *r, PgnToken *token)
{
    if (r->end - r->next < 16)
        fill(r);
    char *p = r->next;
    while (class_of(*p) == GLYPH && p < r->next + 2)
        p++;
    int meaning = LOOK_UP(GLYPHS, r->next, (size_t)(p - r->next));
    r->next = p;
    return give_nag(r, token, meaning);
}

// ---- the rest
// --------------------------------------------------------------------------------------

static bool scan_open(PgnReader *r, PgnToken *token)
{
    r->next++;
    r->depth++;
    r->has_game = r->has_moves = true; // so that a tag after it begins another game
    give(r, token, PGN_OPEN, "(", 1);
    return true;
}

static bool scan_close(PgnReader *r, PgnToken *token)
{
    r->next++;
    if (!r->depth) {
        complain(r, "pgn-variation-closed", "closing parenthesis without an opening one", r->line);
        return false;
    }
    r->depth--;
    give(r, token, PGN_CLOSE, ")", 1);
    return true;
}

static bool scan_bracket(PgnReader *r, PgnToken *token)
{
    if (!r->has_moves && !r->depth)
        return scan_tag(r, token);
    if (r->end - r->next < 1024)
        fill(r);
    if (r->is_fresh_line && looks_like_tag(r->next + 1))
        return give_result(r, token, RESULT_NONE, "", 0);
    complain(r, "pgn-bracket", "bracket among the moves", r->line);
    r->next++;
    return false;
}

// What PGN does not know: one problem for a whole run of it.
static bool scan_other(PgnReader *r, PgnToken *token)
{
    char c = *r->next;
    (void)token;
    if (c == '<' || c == '>')
        complain(r, "pgn-reserved", "reserved sign < or >", r->line);
    else if (c == '}')
        complain(r, "pgn-comment-closed", "closing brace without an opening one", r->line);
    else
        complain(r, "pgn-stray", "stray character", r->line);
    while (r->next < r->end && class_of(*r->next) == OTHER &&
           !strchr("{;($*[)", *r->next ? *r->next : 1))
        r->next++;
    r->is_fresh_line = false;
    return false;
}

// One token or none; false when it was none.
static bool scan(PgnReader *r, PgnToken *token)
{
    switch (*r->next) {
    case '[': return scan_bracket(r, token);
    case '{': r->next++; return scan_comment(r, token);
    case ';': return scan_line_comment(r, token);
    case '(': return scan_open(r, token);
    case ')': return scan_close(r, token);
    case '$': return scan_nag(r, token);
    case '*': r->next++; return give_written_result(r, token, RESULT_NONE, r->next - 1);
    default: break;
    }
    switch (class_of(*r->next)) {
    case DIGIT: return scan_number(r, token);
    case GLYPH: return scan_glyph(r, token);
    case LETTER: return scan_word(r, token);
    case SIGN: break;
    default: return scan_other(r, token);
    }
    if (*r->next != '.')
        return scan_word(r, token);
    while (*r->next == '.')
        r->next++;
    return false;
}

bool pgn_read(PgnReader *r, PgnToken *token)
{
    if (r->held) {
        *r->held = r->held_byte;
        r->held = NULL;
    }
    for (;;) {
        if (r->is_in_comment)
            return scan_comment(r, token);
        if (r->pending) {
            *token = (PgnToken){.kind = PGN_PROBLEM, .text = r->pending, .line = r->pending_line};
            token->code = r->pending_code;
            token->size = strlen(r->pending);
            r->pending = NULL;
            return true;
        }
        if (skip_blanks(r)) {
            if (scan(r, token))
                return true;
            r->is_column_0 = false;
        } else if (!r->has_game) {
            return false;
        } else if (give_result(r, token, RESULT_NONE, "", 0)) {
            return true;
        }
    }
}
