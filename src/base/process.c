// Child processes: see process.h. process_windows.c is the same for Windows.
#ifndef _WIN32
#include "base/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/clock.h"
#include "base/process_line.h"
#include "base/stop.h"

enum {
    BUFFER_SIZE = 1 << 16,
    ARGUMENTS_MAX = 64,
    COMMAND_SIZE = 4096,
    STOP_SLICE_MS = 50 // how often a wait looks at the stop flag
};

struct Process {
    pid_t pid;
    int input, output; // our ends: we write input, read output
    const atomic_bool *stop;
    size_t start, end; // unread bytes in the buffer
    char buffer[BUFFER_SIZE];
};

// Splits a command into words at blanks; quotes keep blanks together. Returns the number of words,
// 0 when there are too many or a quote is open. `text` is cut up in place.
static int split_command(char *text, char *words[ARGUMENTS_MAX + 1])
{
    int count = 0;
    char *out = text, *in = text;
    while (true) {
        while (*in == ' ' || *in == '\t')
            in++;
        if (!*in)
            break;
        if (count == ARGUMENTS_MAX)
            return 0;
        words[count++] = out;
        char quote = 0;
        for (; *in && (quote || (*in != ' ' && *in != '\t')); in++) {
            if (quote ? *in == quote : *in == '\'' || *in == '"')
                quote = quote ? 0 : *in;
            else
                *out++ = *in;
        }
        if (quote)
            return 0;
        bool more = *in;
        in += more;
        *out++ = 0;
        if (!more)
            break;
    }
    words[count] = NULL;
    return count;
}

// The child's side of fork: only calls that are safe there. `report` tells the parent why exec
// failed.
static void run_child(char *const words[], const char *folder, int in, int out, int log, int report)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // no orphans when the match itself is killed
#endif
    signal(SIGPIPE, SIG_DFL);
    bool ok = dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
              dup2(log, STDERR_FILENO) >= 0;
    if (ok && (!folder || !chdir(folder)))
        execvp(words[0], words);
    int reason = errno;
    ssize_t ignored = write(report, &reason, sizeof reason);
    (void)ignored;
    raise(SIGKILL); // no exit: what the parent has registered must not run here
}

static void close_all(const int *files, int count)
{
    for (int i = 0; i < count; i++)
        if (files[i] >= 0)
            close(files[i]);
}

Process *process_start(const char *command, const char *folder, const char *log_path,
                       const atomic_bool *stop, Error *error)
{
    char text[COMMAND_SIZE];
    char *words[ARGUMENTS_MAX + 1];
    if (strlen(command) >= sizeof text)
        return error_set(error, "command too long"), NULL;
    strcpy(text, command);
    if (!split_command(text, words))
        return error_set(error, "bad command: %s", command), NULL;

    signal(SIGPIPE, SIG_IGN);
    // to child, from child, exec report; then the log
    int f[7] = {-1, -1, -1, -1, -1, -1, -1};
    Process *p = calloc(1, sizeof *p);
    f[6] = open(log_path ? log_path : "/dev/null", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (!p || f[6] < 0 || pipe2(f, O_CLOEXEC) || pipe2(f + 2, O_CLOEXEC) ||
        pipe2(f + 4, O_CLOEXEC)) {
        error_set(error, "%s: %s", f[6] < 0 && log_path ? log_path : words[0], strerror(errno));
        goto failed;
    }
    p->pid = fork();
    if (p->pid < 0) {
        error_set(error, "%s: %s", words[0], strerror(errno));
        goto failed;
    }
    if (!p->pid)
        run_child(words, folder, f[0], f[3], f[6], f[5]);

    close(f[5]);
    f[5] = -1;
    int reason;
    if (read(f[4], &reason, sizeof reason) == sizeof reason) {
        waitpid(p->pid, NULL, 0);
        error_set(error, "%s: %s", words[0], strerror(reason));
        goto failed;
    }
    p->stop = stop;
    p->input = f[1];
    p->output = f[2];
    fcntl(p->input, F_SETFL, O_NONBLOCK);
    fcntl(p->output, F_SETFL, O_NONBLOCK);
    int ours[] = {f[0], f[3], f[4], f[6]};
    close_all(ours, 4);
    return p;

failed:
    close_all(f, 7);
    free(p);
    return NULL;
}

static bool is_stopped(const Process *p)
{
    return stop_is_set(p->stop);
}

// Waits until a file is ready; false when the deadline has come or all is to stop. Rounded up, so
// that it does not spin.
static bool wait_until(const Process *p, int file, short events, int64_t deadline_ns)
{
    const int64_t slice = p->stop ? STOP_SLICE_MS : 1000000;
    while (true) {
        int64_t left = deadline_ns - clock_ns();
        if (left <= 0 || is_stopped(p))
            return false;
        int64_t ms = (left + 999999) / 1000000;
        struct pollfd fd = {.fd = file, .events = events};
        int n = poll(&fd, 1, (int)(ms > slice ? slice : ms));
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return true; // let the read or write tell
    }
}

ReadStatus process_read_line(Process *p, char *line, size_t size, int64_t deadline_ns)
{
    size_t length = 0;
    while (true) {
        if (process_line_take(p->buffer, &p->start, p->end, line, size, &length))
            return READ_LINE;
        ssize_t n = read(p->output, p->buffer, sizeof p->buffer);
        p->start = 0;
        p->end = n > 0 ? (size_t)n : 0;
        if (n > 0) {
            // A process that floods us must not hold us beyond the deadline.
            if (is_stopped(p))
                return READ_STOPPED;
            if (clock_ns() > deadline_ns + 1000000000)
                return READ_TIMEOUT;
            continue;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            line[length] = 0;
            return length ? READ_LINE : READ_END;
        }
        if (!wait_until(p, p->output, POLLIN, deadline_ns))
            return is_stopped(p) ? READ_STOPPED : READ_TIMEOUT;
    }
}

bool process_write(Process *p, const char *text, int64_t deadline_ns)
{
    size_t left = strlen(text);
    while (left) {
        ssize_t n = write(p->input, text, left);
        if (n > 0) {
            text += n;
            left -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            if (!wait_until(p, p->input, POLLOUT, deadline_ns))
                return false;
        } else if (n == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

void process_free(Process *p, int grace_ms)
{
    if (!p)
        return;
    close(p->input);
    p->stop = NULL; // the grace is short enough
    int64_t end = clock_ns() + grace_ms * 1000000ll;
    char rest[256];
    bool gone = false;
    while (!(gone = waitpid(p->pid, NULL, WNOHANG) == p->pid) && clock_ns() < end) {
        int64_t step = clock_ns() + 5000000;
        if (process_read_line(p, rest, sizeof rest, step < end ? step : end) == READ_END)
            usleep(1000);
    }
    kill(-p->pid, SIGKILL); // what the command itself may have started
    if (!gone) {
        kill(p->pid, SIGKILL);
        while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    close(p->output);
    free(p);
}
#endif
