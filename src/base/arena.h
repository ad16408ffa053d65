/* Memory that is given back all at once: one arena for each typed line. */
#ifndef ATTN_BASE_ARENA_H
#define ATTN_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *blocks; /* the current one first */
};

/* size bytes, zeroed and aligned for anything, alive until arena_clear(); NULL without memory. */
void *arena_take(struct arena *arena, size_t size);
/* A copy of bytes with a NUL after it, alive as long; NULL without memory. */
char *arena_copy(struct arena *arena, const char *bytes, size_t size);
/* Gives everything back but one block, to be used again. */
void arena_clear(struct arena *arena);
void arena_release(struct arena *arena); /* arena may be all zero bytes */

#endif
