// See uci_go.h.
#include "app/uci_go.h"

#include "app/uci_output.h"
#include "app/uci_task.h"
#include "core/movegen.h"
#include "core/notation.h"

#include <string.h>

bool uci_is_busy(const Uci *uci)
{
    return uci_task_is_running(uci) || (engine_is_thinking(uci->engine) && !uci->stop_sent);
}

bool uci_ends_by_itself(const Uci *uci)
{
    return uci_task_is_running(uci) || !(uci->is_infinite || uci->is_pondering);
}

bool uci_refuse_if_busy(Uci *uci, const char *command)
{
    if (uci_is_busy(uci)) {
        uci_send_error(uci, "%s refused: %s", command,
                       uci_task_is_running(uci) ? "counting moves" : "a search is running");
        return true;
    }
    uci_task_join(uci); // it is about to end
    if (engine_is_thinking(uci->engine))
        engine_wait(uci->engine); // this too
    return false;
}

// The moves after searchmoves; *next is the first word that is none. Illegal ones are told and left
// out; when none is left all moves are searched, for whoever asks waits for a best move.
static void read_search_moves(Uci *uci, Words *r, Move *list, int *count, char **next)
{
    const Position *pos = engine_position(uci->engine);
    *count = 0;
    while ((*next = words_next(r))) {
        Error error;
        const char *w = *next;
        bool looks_like_move =
            strlen(w) >= 4 && w[0] >= 'a' && w[0] <= 'h' && w[1] >= '1' && w[1] <= '8';
        if (!looks_like_move)
            break;
        Move m = move_from_uci(pos, w, &error);
        if (!m)
            uci_send_error(uci, "searchmoves: '%.20s' is illegal", w);
        else if (*count < MAX_MOVES)
            list[(*count)++] = m;
    }
}

// Numbers behind the words of go; everything that is a number has a meaning, however odd.
static bool set_limit(SearchLimits *l, const char *name, const char *word, bool *is_known,
                      Error *error)
{
    const int64_t LONG = 1000000000000ll;
    int64_t x;
    struct {
        const char *name;
        int64_t least, greatest;
    } const KNOWN[] = {
        {"wtime", 1, LONG},        {"btime", 1, LONG},      {"winc", 0, LONG},
        {"binc", 0, LONG},         {"movestogo", 0, 10000}, {"movetime", 0, LONG},
        {"depth", 1, MAX_PLY - 1}, {"nodes", 1, INT64_MAX}, {"mate", 0, MAX_PLY / 2}};
    *is_known = false;
    for (unsigned i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        if (strcmp(name, KNOWN[i].name))
            continue;
        *is_known = true;
        if (!words_to_number(word, KNOWN[i].least, KNOWN[i].greatest, &x))
            return error_set(error, "go %s needs a number, not '%.20s'", name, word ? word : "");
        switch (i) {
        case 0: l->time_ms[WHITE] = x; break;
        case 1: l->time_ms[BLACK] = x; break;
        case 2: l->increment_ms[WHITE] = x; break;
        case 3: l->increment_ms[BLACK] = x; break;
        case 4: l->moves_to_go = (int)x; break;
        case 5: l->move_time_ms = x; break;
        case 6: l->depth = (int)x; break;
        case 7: l->nodes = (uint64_t)x; break;
        default: l->mate = (int)x; break;
        }
    }
    return true;
}

void uci_go(Uci *uci, Words *r)
{
    SearchLimits limits = search_limits_none();
    Move search_moves[MAX_MOVES];
    Error error;
    if (uci_refuse_if_busy(uci, "go"))
        return;
    char *word = words_next(r);
    while (word) {
        bool is_known = true;
        if (!strcmp(word, "perft")) {
            uci_task_perft(uci, words_next(r));
            return;
        }
        if (!strcmp(word, "infinite")) {
            limits.infinite = true;
        } else if (!strcmp(word, "ponder")) {
            limits.ponder = true;
        } else if (!strcmp(word, "searchmoves")) {
            read_search_moves(uci, r, search_moves, &limits.search_move_count, &word);
            limits.search_moves = limits.search_move_count ? search_moves : NULL;
            continue;
        } else {
            char *name = word;
            char *value = words_next(r);
            if (!set_limit(&limits, name, value, &is_known, &error)) {
                uci_send_error(uci, "%s", error.text);
                return;
            }
            if (!is_known) {
                uci_send_error(uci, "go: unknown word '%.40s'", name);
                word = value;
                continue;
            }
        }
        word = words_next(r);
    }
    bool is_bounded = limits.time_ms[WHITE] != TIME_UNSET || limits.time_ms[BLACK] != TIME_UNSET ||
                      limits.move_time_ms != TIME_UNSET || limits.nodes || limits.depth ||
                      limits.mate;
    if (!is_bounded)
        limits.infinite = true;
    uci->stop_sent = false;
    uci->is_infinite = limits.infinite;
    uci->is_pondering = limits.ponder;
    if (!engine_go(uci->engine, &limits, uci_on_info, uci_on_best, uci, &error))
        uci_send_error(uci, "%s", error.text);
}

void uci_stop(Uci *uci)
{
    atomic_store(&uci->task.is_stopped, true);
    uci->stop_sent = true;
    engine_stop(uci->engine);
}

void uci_ponderhit(Uci *uci)
{
    uci->is_pondering = false;
    engine_ponderhit(uci->engine);
}
