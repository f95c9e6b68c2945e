// Makes a large file of random games and measures how fast PGN is read: as tokens only, and with
// every move checked.
//   pgn make MEGABYTES FILE | pgn tokens FILE | pgn games FILE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/stream.h"
#include "core/movegen.h"
#include "core/pgn.h"
#include "core/pgn_write.h"

static bool sink(void *context, const char *text, size_t size)
{
    return stream_write(context, text, size);
}

static size_t source(void *context, char *buffer, size_t size)
{
    return stream_read(context, buffer, size);
}

// A game of random moves; every fourth has a clock behind each move, as games of servers do.
static void make_game(PgnGame *game, Random *random, int number)
{
    Position start;
    char text[64];
    position_start(&start, &VARIANTS[VARIANT_CHESS], 0, NULL);
    pgn_game_begin(game, &start);
    snprintf(text, sizeof text, "Random game %d", number);
    pgn_game_add_tag(game, "Event", text);
    pgn_game_add_tag(game, "Site", "nowhere");
    pgn_game_add_tag(game, "Date", "2026.01.01");
    pgn_game_add_tag(game, "Round", "-");
    pgn_game_add_tag(game, "White", "White, Player");
    pgn_game_add_tag(game, "Black", "Black, Player");
    pgn_game_add_tag(game, "WhiteElo", "2400");
    pgn_game_add_tag(game, "BlackElo", "2300");
    game->result = RESULT_DRAW;
    int plies = 40 + (int)random_below(random, 80);
    for (int i = 0; i < plies; i++) {
        Move list[MAX_MOVES];
        int count = movegen_legal(&game->levels[0].now, STAGE_ALL, list);
        if (!count)
            return;
        pgn_game_add_move(game, list[random_below(random, (uint64_t)count)]);
        snprintf(text, sizeof text, " [%%clk 0:%02d:%02d] ", 10 - i / 12, 59 - i % 60);
        if (number % 4 == 0)
            pgn_game_add_comment(game, text);
    }
}

static bool make_file(const char *path, uint64_t bytes)
{
    static PgnGame game;
    Random random;
    Error error;
    random_init(&random, 1);
    Stream *out = stream_create(path, &error);
    if (!out)
        return false;
    pgn_game_init(&game, memory_from_heap, NULL, NULL);
    for (int number = 0; bytes > 0; number++) {
        make_game(&game, &random, number);
        pgn_game_write(&game, sink, out);
        uint64_t used = game.text_size + 6ull * game.item_count; // about
        bytes = bytes > used ? bytes - used : 0;
    }
    pgn_game_release(&game);
    return stream_close(out, &error);
}

static double measure_tokens(Stream *in, uint64_t *tokens)
{
    static PgnReader reader;
    PgnToken token;
    clock_t begin = clock(); // of the processor: a busy machine does not matter
    pgn_reader_init(&reader, source, in);
    for (*tokens = 0; pgn_read(&reader, &token); ++*tokens)
        if (token.kind == PGN_PROBLEM)
            return -1;
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

static double measure_games(Stream *in, uint64_t *games, uint64_t *moves)
{
    static PgnReader reader;
    static PgnGame game;
    clock_t begin = clock(); // of the processor: a busy machine does not matter
    pgn_game_init(&game, memory_from_heap, NULL, NULL);
    pgn_reader_init(&reader, source, in);
    for (*games = *moves = 0; pgn_game_read(&game, &reader, NULL); ++*games) {
        if (!game.is_complete)
            return -1;
        *moves += (uint64_t)pgn_game_moves(&game, NULL, 0);
    }
    pgn_game_release(&game);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
    Error error = {0};
    bitboard_init();
    if (argc == 4 && !strcmp(argv[1], "make"))
        return !make_file(argv[3], strtoull(argv[2], NULL, 10) << 20);
    if (argc != 3)
        return 2;
    Stream *in = stream_open(argv[2], &error);
    if (!in) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    uint64_t bytes = stream_length(in), games, moves, tokens;
    bool is_tokens = !strcmp(argv[1], "tokens");
    double seconds = is_tokens ? measure_tokens(in, &tokens) : measure_games(in, &games, &moves);
    if (seconds < 0 || !stream_close(in, &error)) {
        fprintf(stderr, "the file is not what was written\n");
        return 1;
    }
    if (is_tokens)
        printf("%.0f\n", (double)bytes / 1e6 / seconds);
    else
        printf("%.0f %.2f\n", (double)games / seconds * 60, (double)moves / seconds / 1e6);
    return 0;
}
