// See memory.h.
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef _WIN32
#include <malloc.h>
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { CACHE_LINE = 64, HUGE_PAGE = 2 << 20 };

#ifdef _WIN32
void *memory_aligned(size_t bytes)
{
    return _aligned_malloc(bytes, CACHE_LINE);
}

void memory_free_aligned(void *memory)
{
    _aligned_free(memory);
}

void *memory_pages(size_t bytes)
{
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void memory_free_pages(void *pages, size_t bytes)
{
    (void)bytes;
    VirtualFree(pages, 0, MEM_RELEASE);
}

bool memory_is_too_much(size_t bytes)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) && bytes > status.ullTotalPhys / 16 * 15;
}
#else
void *memory_aligned(size_t bytes)
{
    const size_t step = bytes < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE;
    bytes = (bytes + step - 1) / step * step;
    void *memory = aligned_alloc(step, bytes);
#ifdef MADV_HUGEPAGE
    if (memory && step == HUGE_PAGE)
        madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

void memory_free_aligned(void *memory)
{
    free(memory);
}

void *memory_pages(size_t bytes)
{
    // One huge page more than needed, so that the first can start on a huge page.
    char *raw =
        mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;
    size_t skip = (HUGE_PAGE - (uintptr_t)raw % HUGE_PAGE) % HUGE_PAGE;
    if (skip)
        munmap(raw, skip);
    if (skip != HUGE_PAGE)
        munmap(raw + skip + bytes, HUGE_PAGE - skip);
#ifdef MADV_HUGEPAGE
    madvise(raw + skip, bytes, MADV_HUGEPAGE);
#endif
    return raw + skip;
}

void memory_free_pages(void *pages, size_t bytes)
{
    munmap(pages, bytes);
}

bool memory_is_too_much(size_t bytes)
{
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 && bytes / (size_t)size > (size_t)pages / 16 * 15;
#else
    (void)bytes;
    return false;
#endif
}
#endif

void *memory_from_heap(void *context, void *memory, size_t size)
{
    (void)context;
    if (size)
        return realloc(memory, size);
    free(memory);
    return NULL;
}
