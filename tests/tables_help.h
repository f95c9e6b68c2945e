// What the tests of tables share: random positions of given men, the folder of tables.
#ifndef LOVAC_TESTS_TABLES_HELP_H
#define LOVAC_TESTS_TABLES_HELP_H

#include "test_data.h"

#include "base/random.h"
#include "core/fen.h"
#include "core/movegen.h"
#include "tables/syzygy.h"

enum { FOLDERS_SIZE = 2 * TEST_PATH_SIZE + 8 };

// A legal position of these men ("KQvKR") on random squares, either side to move; the counters are
// those of a game that begins.
static inline void random_position(Random *random, const char *men, Position *pos)
{
    do {
        position_clear(pos, &VARIANTS[VARIANT_CHESS]);
        Color c = WHITE;
        for (const char *m = men; *m; m++) {
            if (*m == 'v') {
                c = BLACK;
                continue;
            }
            PieceType t = (PieceType)(strchr("PNBRQK", *m) - "PNBRQK");
            Square s;
            do {
                s = (Square)random_below(random, 64);
            } while (pos->board[s] != NO_PIECE ||
                     (t == PAWN && (square_rank(s) == 0 || square_rank(s) == 7)));
            position_put(pos, piece_make(c, t), s);
        }
        pos->side = (uint8_t)random_below(random, 2);
        pos->state.en_passant = NO_SQUARE;
        position_finish(pos);
    } while (!position_is_sound(pos, NULL));
}

// The folders of the shared collection, as syzygy_new wants them; ends the test as skipped without
// them.
static inline void syzygy_folders_or_skip(char folders[FOLDERS_SIZE])
{
    char path[TEST_PATH_SIZE];
    test_shared_or_skip("tablebases/syzygy/KQvK.rtbw", path);
    *strrchr(path, '/') = 0;
    snprintf(folders, FOLDERS_SIZE, "%s:%s/5", path, path);
}

// All endings of three and four men.
static const char *const ENDINGS[] = {
    "KQvK",  "KRvK",  "KBvK",  "KNvK",  "KPvK",  "KQvKQ", "KQvKR", "KQvKB", "KQvKN",
    "KQvKP", "KRvKR", "KRvKB", "KRvKN", "KRvKP", "KBvKB", "KBvKN", "KBvKP", "KNvKN",
    "KNvKP", "KPvKP", "KQQvK", "KQRvK", "KQBvK", "KQNvK", "KQPvK", "KRRvK", "KRBvK",
    "KRNvK", "KRPvK", "KBBvK", "KBNvK", "KBPvK", "KNNvK", "KNPvK", "KPPvK",
};
enum { ENDING_COUNT = sizeof ENDINGS / sizeof *ENDINGS };

#endif
