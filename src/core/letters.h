// Letters for the pieces in languages other than English: Sf3 (German), Jf3 (Czech), Cf3 (French).
#ifndef LOVAC_CORE_LETTERS_H
#define LOVAC_CORE_LETTERS_H

#include <stdbool.h>

enum { LETTERS_TEXT_SIZE = 64 };

typedef struct PieceLetters {
    const char *code;      // "de"
    const char *language;  // "German"
    const char *pieces[5]; // knight, bishop, rook, queen, king, in UTF-8
} PieceLetters;

// All that are known, English first; the last row has no code.
extern const PieceLetters PIECE_LETTERS[];

// By code or name, upper or lower case; NULL if unknown.
const PieceLetters *letters_find(const char *name);

// A move in these letters turned into English ones; false when it is too long.
bool letters_to_english(const PieceLetters *letters, const char *move,
                        char english[LETTERS_TEXT_SIZE]);

#endif
