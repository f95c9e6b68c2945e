// Distances to mate of our tables against Gaviota's of three men, which others made in another way:
// every position of both in the long suite. Needs liblzma, with which those files are packed.
#include "tables_help.h"

#include <ctype.h>
#include <unistd.h>

#include "base/file.h"
#include "tables/make.h"
#include "tables/own.h"

#ifdef HAVE_LZMA
#include <lzma.h>

// A file: ten numbers, the places of its blocks, the blocks. A block has one byte for each of at
// most BLOCK_SIZE positions, packed behind two bytes and the head of an .lzma file. First come all
// positions with White to move, then with Black to move.
enum { HEAD_NUMBERS = 10, BLOCK_SIZE = 1 << 14, BLOCK_HEAD = 2, MATES_MAX = 1 << 18 };

static uint32_t number_at(const char *at)
{
    const uint8_t *b = (const uint8_t *)at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static size_t unpack_block(const char *packed, size_t size, uint8_t *out)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    assert_int_equal(lzma_alone_decoder(&stream, UINT64_MAX), LZMA_OK);
    stream.next_in = (const uint8_t *)packed + BLOCK_HEAD;
    stream.avail_in = size - BLOCK_HEAD;
    stream.next_out = out;
    stream.avail_out = BLOCK_SIZE;
    lzma_ret result = lzma_code(&stream, LZMA_FINISH);
    assert_true(result == LZMA_OK || result == LZMA_STREAM_END);
    lzma_end(&stream);
    return BLOCK_SIZE - stream.avail_out;
}

// All bytes of a file, one for each position; how many.
static size_t unpack(const char *path, uint8_t *out)
{
    size_t size, all = 0;
    char *file = file_read(path, 1 << 20, &size, NULL);
    assert_non_null(file);
    uint32_t first = number_at(file + 4 * HEAD_NUMBERS);
    for (uint32_t at = 4 * HEAD_NUMBERS; at + 4 < first; at += 4) {
        uint32_t from = number_at(file + at), to = number_at(file + at + 4);
        assert_true(from < to && to <= size && all + BLOCK_SIZE <= MATES_MAX);
        all += unpack_block(file + from, to - from, out + all);
    }
    free(file);
    return all;
}

// ---- The index ----

static bool are_kings_apart(Square a, Square b)
{
    return a != b && !(KING_ATTACKS[a] & square_bit(b));
}

static Square swap_diagonal(Square s)
{
    return square_make(square_rank(s), square_file(s));
}

// Turns a board so that the black king is in the triangle a1-d1-d4, and on its diagonal the white
// one not above it.
static void turn(Square *black, Square *white, Square *piece)
{
    Square *squares[3] = {black, white, piece};
    int flip = (square_file(*black) > 3 ? 7 : 0) | (square_rank(*black) > 3 ? 56 : 0);
    for (int i = 0; i < 3; i++)
        *squares[i] ^= flip;
    bool is_above = square_rank(*black) > square_file(*black);
    bool is_on = square_rank(*black) == square_file(*black);
    if (!is_above && !(is_on && square_rank(*white) > square_file(*white)))
        return;
    for (int i = 0; i < 3; i++)
        *squares[i] = swap_diagonal(*squares[i]);
}

// The pairs of kings in the order of the squares before they are turned, each once.
static void number_kings(int numbers[64][64])
{
    int next = 0;
    memset(numbers, -1, 64 * 64 * sizeof(int));
    for (Square black = 0; black < 64; black++)
        for (Square white = 0; white < 64; white++) {
            Square b = black, w = white, none = 0;
            turn(&b, &w, &none);
            if (are_kings_apart(b, w) && numbers[b][w] < 0)
                numbers[b][w] = next++;
        }
    assert_int_equal(next, 462);
}

static size_t index_of(int kings[64][64], Square white, Square piece, Square black, bool is_pawn)
{
    if (!is_pawn) {
        turn(&black, &white, &piece);
        return (size_t)kings[black][white] * 64 + (size_t)piece;
    }
    int flip = square_file(piece) > 3 ? 7 : 0;
    piece ^= flip;
    size_t slice = (size_t)(square_file(piece) + 4 * (6 - square_rank(piece)));
    return slice * 4096 + (size_t)(white ^ flip) * 64 + (size_t)(black ^ flip);
}

// ---- The values ----

// Half-moves to mate: positive when White mates, negative when Black does, 0 for a draw; what is
// forbidden is told by the return value.
static bool read_mate(uint8_t byte, Color side, int *plies)
{
    enum { DRAW, WHITE_MATES, BLACK_MATES, FORBIDDEN };
    int kind = byte & 3, moves = byte >> 2;
    *plies = 0;
    if (byte == DRAW)
        return true;
    if (byte == FORBIDDEN)
        return false;
    assert_true(kind == WHITE_MATES || kind == BLACK_MATES); // three men are never so far from mate
    bool is_movers = (kind == WHITE_MATES) == (side == WHITE);
    *plies = is_movers ? 2 * moves + 1 : 2 * moves;
    *plies = kind == WHITE_MATES ? *plies : -*plies;
    return true;
}

// Of the position as our tables have it, in the same way.
static int our_mate(OwnTables *own, const Position *pos)
{
    int end;
    Error error;
    if (!own_probe_end(own, pos, &end, &error))
        fail_msg("%s", error.text);
    return pos->side == WHITE ? end : -end;
}

static bool set_position(Position *pos, Color side, Square white, Square piece, Square black,
                         PieceType type)
{
    position_clear(pos, &VARIANTS[VARIANT_CHESS]);
    if (white == piece || black == piece || !are_kings_apart(white, black) ||
        (type == PAWN && (piece < 8 || piece >= 56)))
        return false;
    position_put(pos, piece_make(WHITE, KING), white);
    position_put(pos, piece_make(WHITE, type), piece);
    position_put(pos, piece_make(BLACK, KING), black);
    pos->side = (uint8_t)side;
    pos->state.en_passant = NO_SQUARE;
    position_finish(pos);
    return position_is_sound(pos, NULL);
}

// ---- Comparing ----

static int compare(OwnTables *own, const char *name, const uint8_t *bytes, size_t size)
{
    static int kings[64][64];
    PieceType type = (PieceType)(strchr("pnbrq", name[1]) - "pnbrq");
    size_t half = type == PAWN ? 24 * 4096 : 462 * 64;
    static const int STEP[] = {97, 17, 1}; // by level
    int compared = 0;
    number_kings(kings);
    for (int i = 0; i < 2 << 18; i += STEP[test_level()]) {
        Position pos;
        Color side = (Color)(i & 1);
        Square white = i >> 1 & 63, piece = i >> 7 & 63, black = i >> 13;
        int mate;
        char fen[FEN_SIZE];
        if (!set_position(&pos, side, white, piece, black, type))
            continue;
        size_t at = side * half + index_of(kings, white, piece, black, type == PAWN);
        assert_true(at < size);
        bool is_known = read_mate(bytes[at], side, &mate);
        int ours = our_mate(own, &pos);
        if (!is_known || ours != mate) {
            position_to_fen(&pos, FEN_XFEN, fen);
            fail_msg("%s: %d half-moves, Gaviota has %d%s", fen, ours, mate,
                     is_known ? "" : " (forbidden)");
        }
        compared++;
    }
    return compared;
}

// Compares one ending after the other; the first ones need no others.
static void compare_all(OwnTables *own, const char *const *names, int count)
{
    static uint8_t bytes[MATES_MAX];
    for (int i = 0; i < count; i++) {
        char file[64], path[TEST_PATH_SIZE];
        snprintf(file, sizeof file, "tablebases/gaviota/%s.gtb.cp4", names[i]);
        test_shared_or_skip(file, path);
        size_t size = unpack(path, bytes);
        print_message("# %s: %d positions compared\n", names[i],
                      compare(own, names[i], bytes, size));
    }
}

static void mates_are_as_far_as_gaviotas(void **state)
{
    static const char *const NAMES[] = {"krk", "kqk", "knk", "kbk", "kpk"};
    static const int COUNT[] = {1, 2, 5}; // by level
    char folder[] = "/tmp/lovac-gaviota-XXXXXX", path[TEST_PATH_SIZE], command[64];
    const Rules *chess = &VARIANTS[VARIANT_CHESS];
    Material list[5];
    MakeSummary summary;
    (void)state;
    test_shared_or_skip("tablebases/gaviota/krk.gtb.cp4", path);
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < COUNT[test_level()]; i++) {
        const char name[] = {'K', (char)toupper(NAMES[i][1]), 'K', 0};
        assert_true(material_read(&list[i], chess, name, NULL));
    }
    MakeConfig config = {
        .folder = folder, .rules = chess, .list = list, .count = COUNT[test_level()], .threads = 2};
    assert_true(tables_make(&config, &summary, NULL));
    OwnTables *own = own_open(folder, NULL);
    compare_all(own, NAMES, COUNT[test_level()]);
    own_close(own);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}
#else
static void mates_are_as_far_as_gaviotas(void **state)
{
    (void)state;
    print_message("# liblzma is not there\n");
    skip();
}
#endif

int main(void)
{
    bitboard_init();
    const struct CMUnitTest tests[] = {cmocka_unit_test(mates_are_as_far_as_gaviotas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
