/* See array.h. */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

void *array_grow(void *items, size_t n, size_t *capacity, size_t element_size)
{
    if (n < *capacity)
        return items;
    size_t more = *capacity < 8 ? 16 : *capacity * 2;
    if (more > SIZE_MAX / 2 / element_size)
        return NULL;
    void *moved = realloc(items, more * element_size);
    if (moved != NULL)
        *capacity = more;
    return moved;
}
