// See uci_offer.h.
#include "play/uci_offer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum { NAME_SIZE = 128 };

void uci_offer_add(UciOffer *offer, const char *line)
{
    size_t before = offer->lines.size;
    if (!bytes_add(&offer->lines, line, strlen(line) + 1))
        offer->lines.size = before;
}

// What stands behind a word of the line, or NULL; a name may have that word in it, a value too, so
// the search begins where the caller says.
static const char *behind(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || at[-1] == ' ') && at[length] == ' ')
            return at + length + 1;
    return NULL;
}

// Name and type of an option; false for a line that has none.
static bool read_option(const char *line, char name[NAME_SIZE], const char **type)
{
    const char *begin = behind(line, "name");
    *type = begin ? behind(begin, "type") : NULL;
    if (!*type)
        return false;
    int length = (int)(*type - begin) - (int)strlen(" type ");
    snprintf(name, NAME_SIZE, "%.*s", length > 0 ? length : 0, begin);
    return true;
}

static bool is_meant(const char *name, const char *wanted)
{
    for (; *name && *wanted; name++, wanted++)
        if (tolower((unsigned char)*name) != tolower((unsigned char)*wanted) &&
            !(*name == ' ' && *wanted == '_'))
            return false;
    return !*name && !*wanted;
}

static bool is_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    return !strncmp(text, word, length) && (!text[length] || text[length] == ' ');
}

static bool check_number(const char *type, const char *name, const char *value, Error *error)
{
    const char *low = behind(type, "min"), *high = behind(type, "max");
    long long least = low ? atoll(low) : INT64_MIN, most = high ? atoll(high) : INT64_MAX, number;
    return str_to_int(value, least, most, &number) ||
           error_set(error, "option %s is a number from %lld to %lld, not '%.40s'", name, least,
                     most, value);
}

// Is the value one of the words behind "var"?
static bool check_choice(const char *type, const char *name, const char *value, Error *error)
{
    for (const char *at = type; (at = behind(at, "var"));) {
        const char *next = behind(at, "var");
        size_t length = next ? (size_t)(next - at) - strlen(" var ") : strlen(at);
        if (length == strlen(value) && !strncmp(at, value, length))
            return true;
    }
    return error_set(error, "option %s cannot be '%.40s'", name, value);
}

static bool check_value(const char *type, const char *name, const char *value, Error *error)
{
    if (is_word(type, "spin"))
        return check_number(type, name, value, error);
    if (is_word(type, "combo"))
        return check_choice(type, name, value, error);
    if (is_word(type, "check") && strcmp(value, "true") && strcmp(value, "false"))
        return error_set(error, "option %s is true or false, not '%.40s'", name, value);
    return true;
}

bool uci_offer_check(const UciOffer *offer, const char *wanted, const char *value, char *name,
                     size_t size, Error *error)
{
    char own[NAME_SIZE], nearest[NAME_SIZE] = "";
    int best = (int)strlen(wanted) / 2 + 1;
    const char *line = (const char *)offer->lines.at, *end = line + offer->lines.size, *type;
    for (; line < end; line += strlen(line) + 1) {
        if (!read_option(line, own, &type))
            continue;
        if (is_meant(own, wanted)) {
            snprintf(name, size, "%s", own);
            return check_value(type, own, value, error);
        }
        int distance = str_distance(own, wanted);
        if (distance < best) {
            best = distance;
            strcpy(nearest, own);
        }
    }
    return error_set(error, "it has no option '%.60s'%s%s%s", wanted,
                     *nearest ? "; did you mean '" : "", nearest, *nearest ? "'?" : "");
}
