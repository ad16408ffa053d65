/* The memory of the program: it is kept when it is freed, and its peak is known. */
#ifndef ATTN_BASE_KEPT_MEMORY_H
#define ATTN_BASE_KEPT_MEMORY_H

#include <stddef.h>

/* Call it once in a program that makes large results again and again. Memory that goes back to the
 * system comes back empty, page by page; after this call up to 512 MB of freed memory stay with the
 * program, whatever the size of the blocks. Does nothing if the C library has no such setting. */
void keep_freed_memory(void);

/* The most bytes of memory that the program has held at once; 0 if the system does not say. */
size_t memory_peak_bytes(void);

#endif
