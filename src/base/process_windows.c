// Child processes on Windows: see process.h. Anonymous pipes have no deadlines there, so waiting is
// looking, a millisecond at a time; a job ends what the child itself may have started.
#ifdef _WIN32
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "base/clock.h"
#include "base/process.h"
#include "base/process_line.h"
#include "base/stop.h"

enum { BUFFER_SIZE = 1 << 16, COMMAND_SIZE = 4096 };

struct Process {
    HANDLE process, job;
    HANDLE input, output; // our ends: we write input, read output
    const atomic_bool *stop;
    size_t start, end; // unread bytes in the buffer
    char buffer[BUFFER_SIZE];
};

static void close_handle(HANDLE handle)
{
    if (handle && handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
}

// A pipe of which only the child's end is inherited.
static bool make_pipe(HANDLE *child, HANDLE *ours, bool child_reads)
{
    SECURITY_ATTRIBUTES inherit = {.nLength = sizeof inherit, .bInheritHandle = TRUE};
    HANDLE read_end, write_end;
    if (!CreatePipe(&read_end, &write_end, &inherit, BUFFER_SIZE))
        return false;
    *child = child_reads ? read_end : write_end;
    *ours = child_reads ? write_end : read_end;
    return SetHandleInformation(*ours, HANDLE_FLAG_INHERIT, 0);
}

static HANDLE open_log(const char *path)
{
    SECURITY_ATTRIBUTES inherit = {.nLength = sizeof inherit, .bInheritHandle = TRUE};
    return CreateFileA(path ? path : "NUL", FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE,
                       &inherit, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
}

// A job whose processes end with us.
static HANDLE make_job(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    HANDLE job = CreateJobObjectA(NULL, NULL);
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (job)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

// Single quotes mean nothing to Windows; double ones do.
static bool copy_command(char text[COMMAND_SIZE], const char *command)
{
    if (strlen(command) >= COMMAND_SIZE)
        return false;
    strcpy(text, command);
    for (char *c = text; *c; c++)
        if (*c == '\'')
            *c = '"';
    return true;
}

Process *process_start(const char *command, const char *folder, const char *log_path,
                       const atomic_bool *stop, Error *error)
{
    char text[COMMAND_SIZE];
    Process *p = calloc(1, sizeof *p);
    HANDLE child_in = NULL, child_out = NULL, log = open_log(log_path);
    PROCESS_INFORMATION child = {0};
    bool ok = p && copy_command(text, command) && make_pipe(&child_in, &p->input, true) &&
              make_pipe(&child_out, &p->output, false);
    STARTUPINFOA start = {.cb = sizeof start,
                          .dwFlags = STARTF_USESTDHANDLES,
                          .hStdInput = child_in,
                          .hStdOutput = child_out,
                          .hStdError = log};
    ok = ok && CreateProcessA(NULL, text, NULL, NULL, TRUE,
                              CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP, NULL,
                              folder, &start, &child);
    close_handle(child_in);
    close_handle(child_out);
    close_handle(log);
    if (!ok) {
        error_set(error, "%s: cannot be started (error %lu)", command, GetLastError());
        if (p) {
            close_handle(p->input);
            close_handle(p->output);
        }
        free(p);
        return NULL;
    }
    p->process = child.hProcess;
    p->job = make_job();
    p->stop = stop;
    if (p->job)
        AssignProcessToJobObject(p->job, p->process);
    ResumeThread(child.hThread);
    CloseHandle(child.hThread);
    return p;
}

// More bytes into the empty buffer: their number, 0 when there are none yet, -1 at the end.
static int fill(Process *p)
{
    DWORD waiting = 0, got = 0;
    if (!PeekNamedPipe(p->output, NULL, 0, NULL, &waiting, NULL))
        return -1;
    if (!waiting)
        return 0;
    if (!ReadFile(p->output, p->buffer, sizeof p->buffer, &got, NULL) || !got)
        return -1;
    p->start = 0;
    p->end = got;
    return (int)got;
}

ReadStatus process_read_line(Process *p, char *line, size_t size, int64_t deadline_ns)
{
    size_t length = 0;
    while (true) {
        if (process_line_take(p->buffer, &p->start, p->end, line, size, &length))
            return READ_LINE;
        int got = fill(p);
        line[length] = 0;
        if (got < 0)
            return length ? READ_LINE : READ_END;
        if (stop_is_set(p->stop))
            return READ_STOPPED;
        if (clock_ns() > deadline_ns + (got ? 1000000000 : 0))
            return READ_TIMEOUT;
        if (!got)
            Sleep(1);
    }
}

// A child that does not read holds us here until it ends: its buffer takes more than any command.
bool process_write(Process *p, const char *text, int64_t deadline_ns)
{
    (void)deadline_ns;
    size_t left = strlen(text);
    while (left) {
        DWORD done = 0;
        if (!WriteFile(p->input, text, (DWORD)left, &done, NULL))
            return false;
        text += done;
        left -= done;
    }
    return true;
}

void process_free(Process *p, int grace_ms)
{
    if (!p)
        return;
    close_handle(p->input);
    p->stop = NULL;
    int64_t end = clock_ns() + grace_ms * 1000000ll;
    char rest[256];
    while (WaitForSingleObject(p->process, 0) != WAIT_OBJECT_0 && clock_ns() < end)
        if (process_read_line(p, rest, sizeof rest, clock_ns() + 5000000) == READ_END)
            Sleep(1);
    if (p->job)
        TerminateJobObject(p->job, 1);
    TerminateProcess(p->process, 1);
    WaitForSingleObject(p->process, 1000);
    close_handle(p->job);
    close_handle(p->process);
    close_handle(p->output);
    free(p);
}
#endif
