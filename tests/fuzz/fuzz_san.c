// Any text as a move in any position: what is accepted is legal, and is written and read back as
// the same.
#include "fuzz_help.h"

static void try_move(const Position *pos, const char *text)
{
    Error error = {0};
    char san[MOVE_TEXT_SIZE];
    Move move = move_from_san(pos, text, &error);
    if (!move) {
        DEMAND(error.text[0]);
        return;
    }
    DEMAND(is_legal(pos, move));
    move_to_san(pos, move, san);
    DEMAND(strlen(san) < MOVE_TEXT_SIZE);
    DEMAND(move_from_san(pos, san, NULL) == move);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Position pos;
    take_position(&data, &size, &pos);
    char *text = take_text(data, size), *rest = text, *line;
    while ((line = next_line(&rest)))
        try_move(&pos, line);
    free(text);
    return 0;
}
