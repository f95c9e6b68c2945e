// See console.h.
#include "base/console.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <string.h>
#endif

static atomic_bool END_ASKED; // the one thing that a signal handler can reach

static void ask_for_end(int number)
{
    (void)number;
    atomic_store(&END_ASKED, true);
}

#ifdef _WIN32
static UINT OLD_CODE_PAGE;

// The terminal outlives the program.
static void give_back_code_page(void)
{
    SetConsoleOutputCP(OLD_CODE_PAGE);
}

void console_begin(void)
{
    enum { OBEYS_SEQUENCES = 4 }; // ENABLE_VIRTUAL_TERMINAL_PROCESSING of newer headers
    const DWORD outputs[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    DWORD mode;
    OLD_CODE_PAGE = GetConsoleOutputCP();
    if (OLD_CODE_PAGE && OLD_CODE_PAGE != CP_UTF8 && SetConsoleOutputCP(CP_UTF8))
        atexit(give_back_code_page);
    for (int i = 0; i < 2; i++)
        if (GetConsoleMode(GetStdHandle(outputs[i]), &mode))
            SetConsoleMode(GetStdHandle(outputs[i]), mode | OBEYS_SEQUENCES);
}

const atomic_bool *console_catch_signals(ConsoleUse use)
{
    signal(SIGTERM, ask_for_end);
    if (use == CONSOLE_WORK)
        signal(SIGINT, ask_for_end);
    return &END_ASKED;
}

// Pipes can be asked; of a terminal or a file a read returns soon enough.
bool console_wait_for_input(int time_ms)
{
    HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
    if (GetFileType(input) != FILE_TYPE_PIPE)
        return WaitForSingleObject(input, (DWORD)time_ms) == WAIT_OBJECT_0;
    DWORD waiting = 0;
    if (!PeekNamedPipe(input, NULL, 0, NULL, &waiting, NULL) || waiting)
        return true;
    Sleep((DWORD)time_ms);
    return !PeekNamedPipe(input, NULL, 0, NULL, &waiting, NULL) || waiting;
}
#else
void console_begin(void) {}

const atomic_bool *console_catch_signals(ConsoleUse use)
{
    struct sigaction action = {.sa_handler = ask_for_end};
    sigemptyset(&action.sa_mask);
    if (use == CONSOLE_WORK)
        action.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &action, NULL);
    if (use == CONSOLE_WORK || console_has_terminal_input())
        sigaction(SIGINT, &action, NULL);
    else
        signal(SIGINT, SIG_IGN);
    if (use == CONSOLE_READ)
        signal(SIGPIPE, SIG_IGN);
    return &END_ASKED;
}

bool console_wait_for_input(int time_ms)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, time_ms) != 0;
}
#endif

bool console_has_utf8(void)
{
#ifdef _WIN32
    return false;
#else
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
#endif
}

bool console_has_terminal_input(void)
{
    return isatty(STDIN_FILENO);
}

bool console_has_terminal_output(void)
{
    return isatty(STDOUT_FILENO);
}

long console_read(char *buffer, unsigned size)
{
    for (;;) {
        long got = (long)read(STDIN_FILENO, buffer, size);
        if (got >= 0 || errno != EINTR || atomic_load(&END_ASKED))
            return got;
    }
}
