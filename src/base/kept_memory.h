/* What becomes of memory that the program frees. */
#ifndef ATTN_BASE_KEPT_MEMORY_H
#define ATTN_BASE_KEPT_MEMORY_H

/* For a program that makes large results anew again and again, before it does: memory that is given
 * back to the system would come back empty, page by page. So blocks are taken from what was freed
 * before, whatever their size, and up to 512 MB of it stay. Does nothing where the C library has no
 * such choice. */
void keep_freed_memory(void);

#endif
