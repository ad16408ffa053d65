/* See arena.h. Blocks double in size, so a long line needs few of them. */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *next;
    size_t used, capacity;
    max_align_t bytes[];
};

enum { FIRST_BLOCK = 4096 };

static struct arena_block *new_block(struct arena *arena, size_t size)
{
    size_t capacity = arena->blocks ? arena->blocks->capacity * 2 : FIRST_BLOCK;
    if (capacity < size)
        capacity = size;
    if (capacity > SIZE_MAX - sizeof(struct arena_block))
        return NULL;
    struct arena_block *block = malloc(sizeof *block + capacity);
    if (block == NULL)
        return NULL;
    *block = (struct arena_block){.next = arena->blocks, .capacity = capacity};
    arena->blocks = block;
    return block;
}

void *arena_take(struct arena *arena, size_t size)
{
    size_t unit = sizeof(max_align_t);
    if (size > SIZE_MAX - unit)
        return NULL;
    size = (size + unit - 1) / unit * unit;
    struct arena_block *block = arena->blocks;
    if (block == NULL || block->capacity - block->used < size)
        block = new_block(arena, size);
    if (block == NULL)
        return NULL;
    void *bytes = (char *)block->bytes + block->used;
    block->used += size;
    return memset(bytes, 0, size);
}

char *arena_copy(struct arena *arena, const char *bytes, size_t size)
{
    char *copy = size < SIZE_MAX ? arena_take(arena, size + 1) : NULL;
    return copy != NULL && size > 0 ? memcpy(copy, bytes, size) : copy;
}

void arena_clear(struct arena *arena)
{
    struct arena_block *block = arena->blocks;
    if (block == NULL)
        return;
    while (block->next != NULL) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    block->used = 0;
    arena->blocks = block;
}

void arena_release(struct arena *arena)
{
    arena_clear(arena);
    free(arena->blocks);
    arena->blocks = NULL;
}
