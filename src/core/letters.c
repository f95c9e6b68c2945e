// See letters.h.
#include "core/letters.h"

#include <string.h>

#include "base/str.h"

const PieceLetters PIECE_LETTERS[] = {
    {"en", "English", {"N", "B", "R", "Q", "K"}},    {"cs", "Czech", {"J", "S", "V", "D", "K"}},
    {"de", "German", {"S", "L", "T", "D", "K"}},     {"fr", "French", {"C", "F", "T", "D", "R"}},
    {"es", "Spanish", {"C", "A", "T", "D", "R"}},    {"it", "Italian", {"C", "A", "T", "D", "R"}},
    {"pt", "Portuguese", {"C", "B", "T", "D", "R"}}, {"nl", "Dutch", {"P", "L", "T", "D", "K"}},
    {"pl", "Polish", {"S", "G", "W", "H", "K"}},     {"hu", "Hungarian", {"H", "F", "B", "V", "K"}},
    {"ro", "Romanian", {"C", "N", "T", "D", "R"}},   {"sv", "Swedish", {"S", "L", "T", "D", "K"}},
    {"da", "Danish", {"S", "L", "T", "D", "K"}},     {"no", "Norwegian", {"S", "L", "T", "D", "K"}},
    {"fi", "Finnish", {"R", "L", "T", "D", "K"}},    {"is", "Icelandic", {"R", "B", "H", "D", "K"}},
    {"hr", "Croatian", {"S", "L", "T", "D", "K"}},   {"sk", "Slovak", {"J", "S", "V", "D", "K"}},
    {"sl", "Slovene", {"S", "L", "T", "D", "K"}},    {"ru", "Russian", {"К", "С", "Л", "Ф", "Кр"}},
    {"sr", "Serbian", {"С", "Л", "Т", "Д", "К"}},    {0},
};

const PieceLetters *letters_find(const char *name)
{
    for (const PieceLetters *l = PIECE_LETTERS; l->code; l++)
        if (str_same_word(l->code, name) || str_same_word(l->language, name))
            return l;
    return NULL;
}

// The piece whose letter stands here, the longest one; -1 for none.
static int find_piece(const PieceLetters *letters, const char *at, size_t *size)
{
    int piece = -1;
    *size = 0;
    for (int i = 0; i < 5; i++) {
        size_t length = strlen(letters->pieces[i]);
        if (length > *size && !strncmp(at, letters->pieces[i], length)) {
            *size = length;
            piece = i;
        }
    }
    return piece;
}

bool letters_to_english(const PieceLetters *letters, const char *move,
                        char english[LETTERS_TEXT_SIZE])
{
    static const char ENGLISH[] = "NBRQK";
    size_t used = 0;
    while (*move && used + 1 < LETTERS_TEXT_SIZE) {
        size_t size;
        int piece = find_piece(letters, move, &size);
        english[used++] = piece < 0 ? *move : ENGLISH[piece];
        move += piece < 0 ? 1 : size;
    }
    english[used] = 0;
    return !*move;
}
