// Any text as a move in coordinates: what is accepted is legal, and both ways of writing it are
// read back.
#include "fuzz_help.h"

static void try_move(const Position *pos, const char *text)
{
    Error error = {0};
    Move move = move_from_uci(pos, text, &error);
    DEMAND(move ? is_legal(pos, move) : error.text[0] != 0);
    for (int chess960 = 0; move && chess960 < 2; chess960++) {
        char uci[MOVE_TEXT_SIZE];
        move_to_uci(pos, move, chess960, uci);
        DEMAND(move_from_uci(pos, uci, NULL) == move);
        // A text says one thing only: but for castling it is the very text that is written.
        DEMAND(move_is_castle(move) || !strcmp(uci, text));
    }
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
