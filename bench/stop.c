// How long the engine takes from `stop` to its best move, and from `go depth 1`, through pipes as a
// board program sees it.
//   stop PROGRAM STOPS THREADS BURNERS
// BURNERS threads of this program do nothing but burn time, so that the processors are overbooked.
// Prints "p50 p99 max" in milliseconds of the stops, then of the others; ends with 1 when an answer
// stays away or is no best move.
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "base/thread.h"

enum { PATIENCE_S = 20, BURNERS_MAX = 256, STOPS_MAX = 100000 };

// What is searched: an opening, a middle game, many queens, few pieces.
static const char *const POSITIONS[] = {
    "startpos",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
};

typedef struct Peer {
    pid_t pid;
    FILE *in, *out; // what it says, what it hears
} Peer;

static atomic_bool is_done;
static volatile pid_t child; // for the handler below only

// The engine is silent for too long: its death ends the reading.
static void give_up(int signal_number)
{
    (void)signal_number;
    kill(child, SIGKILL);
}

static void burn(void *context)
{
    (void)context;
    while (!atomic_load_explicit(&is_done, memory_order_relaxed))
        continue;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void wait_ms(int ms)
{
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000l};
    nanosleep(&t, NULL);
}

static bool start(Peer *p, char *program)
{
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        return false;
    p->pid = fork();
    if (p->pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(to[0]), close(from[1]);
    p->out = fdopen(to[1], "w");
    p->in = fdopen(from[0], "r");
    return p->pid > 0 && p->out && p->in;
}

// Reads until a line begins with the word; false at the end of input. Counts other best moves.
static bool read_until(Peer *p, const char *word)
{
    char line[65536];
    while (fgets(line, sizeof line, p->in)) {
        if (!strncmp(line, word, strlen(word)))
            return true;
        if (!strncmp(line, "bestmove", 8))
            return false; // one that nobody asked for
    }
    return false;
}

// Sends a command; the milliseconds to the best move, negative when there is none.
static double ask(Peer *p, const char *command)
{
    alarm(PATIENCE_S);
    double begin = now_ms();
    fputs(command, p->out);
    fflush(p->out);
    return read_until(p, "bestmove") ? now_ms() - begin : -1;
}

// A short search, then a long one, stopped after a while.
static bool search_twice(Peer *p, int number, Random *random, double *stop_ms, double *go_ms)
{
    const char *position = POSITIONS[number % (int)(sizeof POSITIONS / sizeof *POSITIONS)];
    fprintf(p->out, "position %s\n", position);
    if ((*go_ms = ask(p, "go depth 1\n")) < 0)
        return false;
    fputs("go infinite\n", p->out);
    fflush(p->out);
    wait_ms(5 + (int)random_below(random, 100));
    return (*stop_ms = ask(p, "stop\n")) >= 0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(double *ms, int count)
{
    qsort(ms, (size_t)count, sizeof *ms, compare);
    printf("%.2f %.2f %.2f ", ms[count / 2], ms[(count * 99 + 99) / 100 - 1], ms[count - 1]);
}

int main(int argc, char **argv)
{
    static double stop_ms[STOPS_MAX], go_ms[STOPS_MAX];
    static Thread burners[BURNERS_MAX];
    int stops = argc > 2 ? atoi(argv[2]) : 0, count = argc > 4 ? atoi(argv[4]) : 0, started = 0;
    Peer p;
    Random random;
    if (argc != 5 || stops < 1 || stops > STOPS_MAX || count < 0 || count > BURNERS_MAX) {
        fprintf(stderr, "usage: stop PROGRAM STOPS THREADS BURNERS\n");
        return 2;
    }
    random_init(&random, 1);
    if (!start(&p, argv[1]))
        return 1;
    fprintf(p.out, "setoption name Threads value %s\nisready\n", argv[3]);
    fflush(p.out);
    child = p.pid;
    signal(SIGALRM, give_up);
    signal(SIGPIPE, SIG_IGN);
    bool is_good = read_until(&p, "readyok");
    while (started < count && thread_start(&burners[started], burn, NULL, NULL))
        started++;
    for (int i = 0; i < stops && is_good; i++)
        is_good = search_twice(&p, i, &random, &stop_ms[i], &go_ms[i]);
    alarm(0);
    atomic_store(&is_done, true);
    for (int i = 0; i < started; i++)
        thread_join(&burners[i]);
    fputs("quit\n", p.out);
    fclose(p.out);
    fclose(p.in);
    int status;
    is_good = waitpid(p.pid, &status, 0) == p.pid && status == 0 && is_good;
    print_times(stop_ms, stops);
    print_times(go_ms, stops);
    putchar('\n');
    return is_good ? 0 : 1;
}
