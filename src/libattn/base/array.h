/* Arrays: the length of one, and room for one more element. Sizes are multiplied only here.
 *
 * Shared by all rooms; not part of the library's public header. */
#ifndef ATTN_BASE_ARRAY_H
#define ATTN_BASE_ARRAY_H

#include <stddef.h>

/* The number of elements of an array, not of a pointer. */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Returns items with room for element n, moved to a larger block if necessary; *capacity, the
 * number of elements that fit, then doubles. items may be NULL with *capacity 0. Returns NULL
 * without memory; items and *capacity then stay as they were. */
void *array_grow(void *items, size_t n, size_t *capacity, size_t element_size);

#endif
