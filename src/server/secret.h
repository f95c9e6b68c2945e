// Secrets that open rooms and libraries: unguessable text for links.
#ifndef LOVAC_SERVER_SECRET_H
#define LOVAC_SERVER_SECRET_H

#include <stdbool.h>

enum { SECRET_LENGTH = 22, SECRET_SIZE = SECRET_LENGTH + 1 }; // 132 random bits

// Writes a new secret of letters, digits, - and _; false when the system gives no random bytes.
bool secret_new(char text[SECRET_SIZE]);

// Could this text be a secret? (Length and letters.)
bool secret_is_formed(const char *text);

// Are two texts the same? Takes as long wherever they differ.
bool secret_equals(const char *a, const char *b);

#endif
