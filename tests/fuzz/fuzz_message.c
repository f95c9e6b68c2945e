// Any text as messages of two browsers, one in a line, to a hub with a room: never a fault, always
// an answer, and the room can still be stored and read. $R, $W, $B and $V stand for the room and
// its keys.
#include "fuzz_help.h"

#include "../hub_help.h"

#include "server/room_file.h"

enum { MESSAGES_MAX = 24 };

static HubBed BED;

static void close_bed(void)
{
    bed_close(&BED);
}

// Puts the secrets in, which no fuzzer can guess.
static void fill_in(const char *line, const Room *room, char *out, size_t size)
{
    size_t n = 0;
    for (; *line && n + SECRET_SIZE < size; line++) {
        const char *secret = NULL;
        if (*line == '$' && room)
            secret = line[1] == 'R'   ? room->id
                     : line[1] == 'W' ? room->keys[KEY_WHITE]
                     : line[1] == 'B' ? room->keys[KEY_BLACK]
                     : line[1] == 'V' ? room->keys[KEY_WATCH]
                                      : NULL;
        if (secret) {
            memcpy(out + n, secret, SECRET_LENGTH);
            n += SECRET_LENGTH;
            line++;
        } else {
            out[n++] = *line;
        }
    }
    out[n] = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!BED.store) {
        DEMAND(bed_open(&BED));
        atexit(close_bed);
    }
    char *text = take_text(data, size), *rest = text, *line, *filled = malloc(size * 12 + 64);
    Client *clients[2];
    for (int i = 0; i < 2; i++) {
        clients[i] = hub_connect(&BED.hub, NULL, "");
        json_decref(bed_ask(clients[i], "{\"id\":1,\"do\":\"hello\"}"));
    }
    json_t *made = bed_ask(clients[0], "{\"id\":2,\"do\":\"create\"}");
    char id[SECRET_SIZE];
    snprintf(id, sizeof id, "%s", json_string_value(json_object_get(made, "room")));
    json_decref(made);
    for (int i = 0; i < MESSAGES_MAX && (line = next_line(&rest)); i++) {
        fill_in(line, hub_find_awake(&BED.hub, id), filled, size * 12 + 64);
        json_t *answer = bed_ask(clients[i % 2], filled);
        // A hint or nothing else is answered later.
        DEMAND(answer || strstr(filled, "hint"));
        json_decref(answer);
        for (int c = 0; c < 2; c++)
            for (json_t *json; (json = bed_take(clients[c])); json_decref(json))
                ;
    }
    Room *room = hub_find_awake(&BED.hub, id);
    if (room) {
        int64_t updated;
        Room *again = room_load(BED.store, id, &updated, NULL);
        DEMAND(again && again->tree.alive == room->tree.alive);
        room_free(again);
    }
    for (int i = 0; i < 2; i++)
        hub_disconnect(clients[i]);
    if (room)
        hub_delete_room(&BED.hub, room);
    hub_turn(&BED.hub);
    free(filled);
    free(text);
    return 0;
}
