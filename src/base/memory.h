// Memory that malloc does not give (on lines of the cache, or as large pages of the system), and
// the heap as a function for those who ask their caller for memory.
#ifndef LOVAC_BASE_MEMORY_H
#define LOVAC_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// Memory that begins on a line of the cache (64 bytes), not zeroed; of two megabytes and more on a
// large page where there are some. NULL when there is none. Only memory_free_aligned gives it back.
void *memory_aligned(size_t bytes);
void memory_free_aligned(void *memory);

// Zeroed pages of the system, large ones if it can; not touched before they are used.
void *memory_pages(size_t bytes);
void memory_free_pages(void *pages, size_t bytes);

// The heap, for PgnMemory and the like: makes `memory` (may be NULL) so large; 0 gives it back. The
// context is nobody's.
void *memory_from_heap(void *context, void *memory, size_t size);

// Is that more than the machine has? It would only be promised to us and then kill us.
bool memory_is_too_much(size_t bytes);

#endif
