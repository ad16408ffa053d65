/* Memory that is freed all at once: each typed line has one arena. */
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
/* Frees everything but one block, which later calls use again. */
void arena_clear(struct arena *arena);
void arena_release(struct arena *arena); /* arena may be all zero bytes */

#endif
