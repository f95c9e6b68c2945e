// Any line as EPD: what is accepted is written and read back as the same.
#include "core/epd.h"
#include "fuzz_help.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Rules *rules = &VARIANTS[take(&data, &size) % VARIANT_COUNT];
    char *text = malloc(size); // exactly sized: the line need not end with 0
    if (size)
        memcpy(text, data, size);
    Epd epd, again;
    Error error = {0};
    if (epd_read(&epd, rules, text, size, &error)) {
        Move list[16];
        size_t length = epd_write(&epd, NULL, 0);
        char *line = malloc(length + 1), *second = malloc(length + 1);
        DEMAND(epd_write(&epd, line, length + 1) == length && strlen(line) == length);
        DEMAND(epd_read(&again, rules, line, length, NULL));
        DEMAND(again.pos.state.key == epd.pos.state.key && again.pos.ply == epd.pos.ply);
        DEMAND(epd_write(&again, second, length + 1) == length && !strcmp(line, second));
        epd_moves(&epd, "bm", list, 16, NULL);
        free(line);
        free(second);
    } else {
        DEMAND(error.text[0]);
    }
    free(text);
    return 0;
}
