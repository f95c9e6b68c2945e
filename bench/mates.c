// How fast distances to mate are answered by our own tables and by Gaviota's library (Debian's
// libgaviotatb-dev) from its files, in memory, on one thread: random positions of three men, the
// same for both. Their answers must be the same.
//   mates OWN-FOLDER GAVIOTA-FOLDER [POSITIONS]
#include <gtb-probe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "tables/own.h"

static const PieceType TYPES[] = {QUEEN, ROOK, BISHOP, KNIGHT, PAWN};

typedef struct Question {
    Position pos;
    PieceType type;
    Square king, piece, other;
    int ours, theirs; // half-moves, 0 for a draw
} Question;

static void random_question(Random *random, PieceType type, Question *q)
{
    do {
        q->type = type;
        q->king = (Square)random_below(random, 64);
        q->piece = (Square)random_below(random, 64);
        q->other = (Square)random_below(random, 64);
        position_clear(&q->pos, &VARIANTS[VARIANT_CHESS]);
        if (q->king == q->piece || q->king == q->other || q->piece == q->other ||
            (type == PAWN && (q->piece < 8 || q->piece >= 56)))
            continue;
        position_put(&q->pos, piece_make(WHITE, KING), q->king);
        position_put(&q->pos, piece_make(WHITE, type), q->piece);
        position_put(&q->pos, piece_make(BLACK, KING), q->other);
        q->pos.side = (uint8_t)random_below(random, 2);
        q->pos.state.en_passant = NO_SQUARE;
        position_finish(&q->pos);
    } while (!bit_many(position_occupied(&q->pos)) || !position_is_sound(&q->pos, NULL));
}

static bool ask_ours(OwnTables *own, Question *q)
{
    bool is_ok = own_probe_end(own, &q->pos, &q->ours, NULL);
    q->ours = abs(q->ours);
    return is_ok;
}

static bool ask_theirs(Question *q)
{
    unsigned white[3] = {(unsigned)q->king, (unsigned)q->piece, tb_NOSQUARE};
    unsigned black[2] = {(unsigned)q->other, tb_NOSQUARE}, info, plies;
    unsigned char white_men[3] = {tb_KING, (unsigned char)(q->type - PAWN + tb_PAWN), tb_NOPIECE};
    unsigned char black_men[2] = {tb_KING, tb_NOPIECE};
    bool is_ok =
        tb_probe_hard(q->pos.side == WHITE ? tb_WHITE_TO_MOVE : tb_BLACK_TO_MOVE, tb_NOSQUARE,
                      tb_NOCASTLE, white, black, white_men, black_men, &info, &plies);
    q->theirs = info == tb_DRAW ? 0 : (int)plies;
    return is_ok;
}

// Answers a second by processor time; negative when there was none to a question.
static double measure(OwnTables *own, Question *questions, int count)
{
    int64_t begin = clock_thread_ns();
    for (int i = 0; i < count; i++)
        if (!(own ? ask_ours(own, &questions[i]) : ask_theirs(&questions[i])))
            return -1;
    return count / ((double)(clock_thread_ns() - begin) / 1e9);
}

static int count_different(const Question *questions, int count)
{
    int different = 0;
    for (int i = 0; i < count; i++)
        different += questions[i].ours != questions[i].theirs;
    return different;
}

int main(int argc, char **argv)
{
    Error error = {.text = "mates OWN-FOLDER GAVIOTA-FOLDER [POSITIONS]"};
    Random random;
    int count = argc > 3 ? atoi(argv[3]) : 200000;
    bitboard_init();
    OwnTables *own = argc > 2 && count > 0 ? own_open(argv[1], &error) : NULL;
    Question *questions = own ? malloc((size_t)count * sizeof *questions) : NULL;
    if (!questions) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const char **paths = tbpaths_add(tbpaths_init(), argv[2]);
    tb_init(0, tb_CP4, paths);
    tbcache_init(32 << 20, 0);
    random_init(&random, 1);
    for (int i = 0; i < count; i++)
        random_question(&random, TYPES[i % 5], &questions[i]);
    measure(own, questions, count); // reads the files
    measure(NULL, questions, count);
    double ours = measure(own, questions, count), theirs = measure(NULL, questions, count);
    printf("ours/s %.0f\nGaviota/s %.0f\nratio %.2f\ndifferent %d\n", ours, theirs, ours / theirs,
           count_different(questions, count));
    tbcache_done();
    tb_done();
    tbpaths_done(paths);
    free(questions);
    own_close(own);
    return ours < 0 || theirs < 0;
}
