// See file_map.h.
#include "base/file_map.h"

#include "base/file.h"

#include <stdlib.h>

#if __has_include(<sys/mman.h>)
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_map(FileMap *map, const char *path, Error *error)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return error_set(error, "%.200s: %s", path, strerror(errno));
    bool is_file = !fstat(file, &info) && S_ISREG(info.st_mode) && info.st_size > 0;
    void *bytes =
        is_file ? mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    close(file);
    if (!is_file)
        return error_set(error, "%.200s: not a file, or empty", path);
    if (bytes == MAP_FAILED)
        return error_set(error, "%.200s: %s", path, strerror(errno));
    *map = (FileMap){bytes, (size_t)info.st_size};
    return true;
}

void file_unmap(FileMap *map)
{
    union {
        const uint8_t *is;
        void *was;
    } bytes = {map->bytes};
    if (bytes.was)
        munmap(bytes.was, map->size);
    *map = (FileMap){0};
}

#else

bool file_map(FileMap *map, const char *path, Error *error)
{
    size_t size;
    char *bytes = file_read(path, SIZE_MAX - 1, &size, error);
    if (!bytes)
        return false;
    *map = (FileMap){(const uint8_t *)bytes, size};
    return true;
}

void file_unmap(FileMap *map)
{
    union {
        const uint8_t *is;
        void *was;
    } bytes = {map->bytes};
    free(bytes.was);
    *map = (FileMap){0};
}
#endif
