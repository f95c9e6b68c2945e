// See utf8.h.
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

size_t utf8_length(const char *bytes, size_t left)
{
    const unsigned char *p = (const unsigned char *)bytes;
    size_t length = *p < 0x80   ? 1
                    : *p < 0xc2 ? 0
                    : *p < 0xe0 ? 2
                    : *p < 0xf0 ? 3
                    : *p < 0xf5 ? 4
                                : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool is_bad = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
                  (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f);
    return is_bad ? 0 : length;
}

size_t utf8_fit(const char *text, size_t size)
{
    size_t length = strlen(text);
    if (length >= size)
        for (length = size - 1; length && ((unsigned char)text[length] & 0xc0) == 0x80;)
            length--;
    return length;
}

size_t utf8_from_latin1(char latin1, char out[3])
{
    unsigned char byte = (unsigned char)latin1;
    static const uint16_t windows[32] = {
        0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
        0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
    unsigned c = byte >= 0x80 && byte < 0xa0 ? windows[byte - 0x80] : byte;
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    out[0] = (char)(0xe0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 63));
    out[2] = (char)(0x80 | (c & 63));
    return 3;
}
