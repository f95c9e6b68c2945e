// Any text as a move in any position: what is accepted is legal, and is written and read back as
// the same.
#include "fuzz_help.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Position pos;
    Error error = {""};
    char san[MOVE_TEXT_SIZE];
    take_position(&data, &size, &pos);
    char *text = take_text(data, size);
    Move move = move_from_san(&pos, text, &error);
    free(text);
    if (!move) {
        DEMAND(error.text[0]);
        return 0;
    }
    DEMAND(is_legal(&pos, move));
    move_to_san(&pos, move, san);
    DEMAND(strlen(san) < MOVE_TEXT_SIZE);
    DEMAND(move_from_san(&pos, san, NULL) == move);
    return 0;
}
