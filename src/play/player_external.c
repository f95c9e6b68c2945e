// See player_external.h.
#include "play/player_external.h"

#include "base/clock.h"

enum { LEAVE_GRACE_MS = 500 };

int64_t external_in_ms(int64_t ms)
{
    return clock_ns() + ms * 1000000;
}

bool external_start(External *external, Error *error)
{
    const PlayerSpec *spec = &external->player.spec;
    external->process = process_start(spec->command, *spec->folder ? spec->folder : NULL,
                                      *spec->log ? spec->log : NULL, external->player.stop, error);
    return external->process;
}

void external_stop(External *external)
{
    process_free(external->process, 0);
    external->process = NULL;
}

void external_quit(External *external)
{
    if (external->process)
        process_write(external->process, "quit\n", external_in_ms(100));
    process_free(external->process, LEAVE_GRACE_MS);
    external->process = NULL;
}

bool external_send(External *external, const char *text)
{
    return process_write(external->process, text,
                         external_in_ms(external->player.spec.patience_ms));
}

PlayerFault external_blame(const External *external, PlayerFault fault, const char *what,
                           Error *error)
{
    error_set(error, "%s: %s", external->player.spec.name, what);
    return fault;
}

PlayerFault external_new_game(External *external, ExternalReady *get_ready, const Rules *rules,
                              Error *error)
{
    bool was_running = external->process;
    PlayerFault fault = get_ready(external, rules, error);
    if (fault != FAULT_NONE)
        external_stop(external);
    if (fault == FAULT_NONE || fault == FAULT_REFUSE || !was_running)
        return fault;
    return external_new_game(external, get_ready, rules, error);
}
