/* See moments.h. */
#include "model/moments.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct moments *moments_new(enum optimiser_kind kind, size_t n, struct error *reterr)
{
    struct moments *moments = NULL;
    if (n < (SIZE_MAX - sizeof *moments) / sizeof(float))
        moments = calloc(1, sizeof *moments + n * sizeof(float));
    if (moments == NULL) {
        error_memory(reterr, "an optimiser");
        return NULL;
    }
    moments->kind = kind;
    moments->n = n;
    return moments;
}

struct moments *moments_copy(const struct moments *moments, struct error *reterr)
{
    struct moments *copy = moments_new(moments->kind, moments->n, reterr);
    if (copy != NULL) {
        copy->n_steps = moments->n_steps;
        memcpy(copy->numbers, moments->numbers, moments->n * sizeof(float));
    }
    return copy;
}

void moments_free(struct moments *moments)
{
    free(moments);
}
