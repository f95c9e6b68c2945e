// Any text as a FEN of any game: what is accepted is sound, and is written and read back as the
// same.
#include "fuzz_help.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Rules *rules = &VARIANTS[take(&data, &size) % VARIANT_COUNT];
    char *text = take_text(data, size);
    Position pos, again;
    Error error = {0};
    bool ok = position_from_fen(&pos, rules, text, &error);
    free(text);
    if (!ok) {
        DEMAND(error.text[0]);
        return 0;
    }
    DEMAND(position_is_ok(&pos, NULL));
    DEMAND(position_is_playable(&pos, NULL));
    for (FenStyle style = FEN_XFEN; style <= FEN_SHREDDER; style++) {
        char fen[FEN_SIZE], second[FEN_SIZE];
        position_to_fen(&pos, style, fen);
        DEMAND(position_from_fen(&again, rules, fen, NULL));
        position_to_fen(&again, style, second);
        DEMAND(!strcmp(fen, second));
        DEMAND(again.state.key == pos.state.key && again.state.castling == pos.state.castling);
    }
    // The positions behind it must be as sound, and can be written too.
    Move list[MAX_MOVES];
    int count = movegen_legal(&pos, STAGE_ALL, list);
    for (int i = 0; i < count && i < 4; i++) {
        Position next = pos;
        char fen[FEN_SIZE];
        Undo undo;
        position_make(&next, list[i * count / 4 % count], &undo);
        DEMAND(position_is_ok(&next, NULL));
        position_to_fen(&next, FEN_XFEN, fen);
        if (next.state.fifty <= 9999 && next.ply < 2 * 30000)
            DEMAND(position_from_fen(&again, rules, fen, NULL));
    }
    return 0;
}
