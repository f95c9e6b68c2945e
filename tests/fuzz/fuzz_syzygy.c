// Any bytes as a Syzygy file: refused with a reason, or one that answers every question with a
// result or an error. Most inputs are laid over a good file, so that the tests behind the first
// bytes are reached.
#include "syzygy_make.h"

#include "fuzz_help.h"

static void ask(const SyzygyFile *file, SyzygyKind kind, const char *fen, int wdl)
{
    Position pos;
    DEMAND(position_from_fen(&pos, &VARIANTS[VARIANT_CHESS], fen, NULL));
    int value = wdl;
    SyzygyAnswer answer = syzygy_file_probe(file, &pos, &value);
    if (answer == SYZYGY_FOUND)
        DEMAND(kind == SYZYGY_DTZ ? value > 0 : value >= -2 && value <= 2);
}

static void try_file(const uint8_t *bytes, size_t size, SyzygyKind kind, const char *name,
                     const char *const *fens)
{
    static SyzygyMaps maps;
    SyzygyMaterial material;
    Error error = {0};
    if (!maps.choose[0][0])
        syzygy_maps_init(&maps);
    DEMAND(syzygy_material_from_name(&material, name, strlen(name)));
    // In memory of exactly that size, so that a step too far is seen.
    uint8_t *copy = malloc(size + !size);
    if (size)
        memcpy(copy, bytes, size);
    SyzygyFile *file = syzygy_file_new(&maps, copy, size, kind, &material, &error);
    DEMAND(file || error.text[0]);
    for (int i = 0; file && fens[i]; i++)
        for (int wdl = -2; wdl <= 2; wdl++)
            if (wdl || kind == SYZYGY_WDL)
                ask(file, kind, fens[i], wdl);
    syzygy_file_free(file);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ROOKS[] = {"8/8/8/3k4/8/8/8/R3K3 w - -", "K7/8/8/8/8/8/6k1/7R b - -",
                                        "7k/8/8/8/8/8/1R6/K7 w - -",  "8/8/3K4/8/8/k7/8/2R5 b - -",
                                        "r7/8/8/4K3/8/8/8/k7 b - -",  "6K1/5r2/8/8/8/8/8/6k1 w - -",
                                        "8/3R4/8/8/2K5/8/8/k7 w - -", NULL};
    static const char *const PAWNS[] = {"8/8/8/3k4/3p4/8/P7/K7 w - -", "8/7p/8/8/8/8/P6k/K7 b - -",
                                        "8/8/8/8/1k5p/8/4P3/K7 w - -", "7k/7P/8/8/8/8/p7/K7 b - -",
                                        NULL};
    SyzygyKind kind = take(&data, &size) % 2 ? SYZYGY_DTZ : SYZYGY_WDL;
    int way = take(&data, &size) % 4;
    if (way == 0) {
        try_file(data, size, kind, "KPvKP", PAWNS);
        return 0;
    }
    uint8_t file[MADE_SIZE_MAX];
    size_t room = made_file(file, kind), at = (size_t)take(&data, &size);
    if (way == 1)
        at = (at << 8 | (size_t)take(&data, &size)) % room;
    memcpy(file + at, data, size < room - at ? size : room - at);
    try_file(file, way == 3 && size < room ? room - size : room, kind, "KRvK", ROOKS);
    return 0;
}
