// See secret.h: 22 letters out of 64, from the system's random bytes. A secret is an id or a key;
// whether something has its form is asked before it goes anywhere.
#include "server/secret.h"

#include <string.h>
#include <sys/random.h>

static const char LETTERS[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool secret_new(char text[SECRET_SIZE])
{
    unsigned char bytes[SECRET_LENGTH];
    if (getrandom(bytes, sizeof bytes, 0) != (long)sizeof bytes)
        return false;
    for (int i = 0; i < SECRET_LENGTH; i++)
        text[i] = LETTERS[bytes[i] & 63];
    text[SECRET_LENGTH] = 0;
    return true;
}

bool secret_is_formed(const char *text)
{
    return strlen(text) == SECRET_LENGTH && strspn(text, LETTERS) == SECRET_LENGTH;
}

bool secret_equals(const char *a, const char *b)
{
    size_t length_a = strlen(a), length_b = strlen(b);
    unsigned difference = length_a != length_b;
    for (size_t i = 0; i < length_a; i++)
        difference |= (unsigned char)a[i] ^ (unsigned char)b[length_b ? i % length_b : 0];
    return !difference;
}
