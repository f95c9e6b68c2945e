// See bytes.h.
#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 256 };

void *bytes_extend(Bytes *bytes, size_t size)
{
    if (size > bytes->room - bytes->size) {
        if (size > SIZE_MAX / 4 - bytes->size)
            return NULL;
        size_t room = (bytes->size + size) * 2;
        uint8_t *at = realloc(bytes->at, room < ROOM_MIN ? ROOM_MIN : room);
        if (!at)
            return NULL;
        bytes->at = at;
        bytes->room = room < ROOM_MIN ? ROOM_MIN : room;
    }
    void *end = bytes->at + bytes->size;
    bytes->size += size;
    return end;
}

bool bytes_add(Bytes *bytes, const void *data, size_t size)
{
    if (!size)
        return true;
    void *end = bytes_extend(bytes, size);
    if (end)
        memcpy(end, data, size);
    return end;
}

void bytes_clear(Bytes *bytes)
{
    bytes->size = 0;
}

void bytes_release(Bytes *bytes)
{
    free(bytes->at);
    *bytes = (Bytes){0};
}

bool bytes_take(const uint8_t **at, const uint8_t *end, void *data, size_t size)
{
    if ((size_t)(end - *at) < size)
        return false;
    if (size)
        memcpy(data, *at, size);
    *at += size;
    return true;
}
