// Any text as PGN: whatever games are found in it are written, read back as the same, and written
// as the same.
#include "base/memory.h"
#include "core/pgn.h"
#include "core/pgn_write.h"
#include "fuzz_help.h"

typedef struct Text {
    char *bytes;
    size_t size, at, step, capacity;
} Text;

static size_t source(void *context, char *buffer, size_t size)
{
    Text *text = context;
    size_t part = text->size - text->at;
    part = part < size ? part : size;
    part = text->step && part > text->step ? text->step : part;
    if (part)
        memcpy(buffer, text->bytes + text->at, part);
    text->at += part;
    return part;
}

static bool sink(void *context, const char *bytes, size_t size)
{
    Text *text = context;
    if (text->size + size + 1 > text->capacity) {
        text->capacity = (text->size + size + 1) * 2;
        text->bytes = realloc(text->bytes, text->capacity);
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = 0;
    return true;
}

// What stays wrong however often the game is written: tags that say what is not so.
static void report(void *context, uint64_t line, const Error *problem)
{
    const char *text = problem->text;
    (void)line;
    if (!strncmp(text, "Variant:", 8) || !strncmp(text, "FEN tag:", 8) ||
        !strncmp(text, "Result tag", 10))
        return;
    bool must_be_clean = *(bool *)context;
    if (must_be_clean)
        fprintf(stderr, "written text is not clean: %s\n", text);
    DEMAND(!must_be_clean);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static PgnReader reader, second_reader;
    static PgnGame game, again;
    Text in = {.step = (size_t)take(&data, &size) % 8};
    bool is_strict = true, is_lenient = false;
    in.bytes = malloc(size);
    in.size = size;
    if (size)
        memcpy(in.bytes, data, size);
    pgn_game_init(&game, memory_from_heap, report, &is_lenient);
    pgn_game_init(&again, memory_from_heap, report, &is_strict);
    pgn_reader_init(&reader, source, &in);
    while (pgn_game_read(&game, &reader, NULL)) {
        Text out = {0}, third = {0};
        pgn_game_write(&game, sink, &out);
        pgn_reader_init(&second_reader, source, &out);
        DEMAND(pgn_game_read(&again, &second_reader, NULL));
        DEMAND(again.item_count == game.item_count && again.result == game.result);
        for (uint32_t i = 0; i < game.item_count; i++) {
            DEMAND(game.items[i].kind == again.items[i].kind &&
                   game.items[i].value == again.items[i].value);
            if (game.items[i].kind == PGN_ITEM_COMMENT)
                DEMAND(!strcmp(game.text + game.items[i].text, again.text + again.items[i].text));
        }
        pgn_game_write(&again, sink, &third);
        DEMAND(!strcmp(out.bytes, third.bytes));
        DEMAND(!pgn_game_read(&again, &second_reader, NULL));
        free(out.bytes);
        free(third.bytes);
    }
    pgn_game_release(&game);
    pgn_game_release(&again);
    free(in.bytes);
    return 0;
}
