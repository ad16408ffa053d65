/* Keeps memory that the program frees, so that it can be used again. */
#ifndef ATTN_BASE_KEPT_MEMORY_H
#define ATTN_BASE_KEPT_MEMORY_H

/* Call it once in a program that makes large results again and again. Memory that goes back to the
 * system comes back empty, page by page; after this call up to 512 MB of freed memory stay with the
 * program, whatever the size of the blocks. Does nothing if the C library has no such setting. */
void keep_freed_memory(void);

#endif
