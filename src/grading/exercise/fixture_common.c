/* Functions that the steps of drawing a fixture share: see fixture_internal.h. */
#include <stdio.h>
#include <string.h>

#include "exercise/fixture_internal.h"
#include "tensor/tensor.h"

uint64_t splitmix_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

bool fixture_fault(const struct fixture *fixture, unsigned line, const char *what,
                   struct error *reterr)
{
    char text[sizeof reterr->text], shown[120];
    if (reterr == NULL || reterr->kind == ERR_MEMORY)
        return false;
    error_quote(shown, sizeof shown, what, strlen(what));
    snprintf(text, sizeof text, "%s", reterr->text);
    return error_set(reterr, reterr->kind, "%s:%u: case '%s': %s: %s", fixture->exercise->path,
                     line, fixture->source->name, shown, text);
}

bool fixture_check_shape(const struct fixture *fixture, unsigned array, const struct tensor *value,
                         struct error *reterr)
{
    char is[TENSOR_SHAPE_TEXT], wanted[TENSOR_SHAPE_TEXT];
    const struct fixture_array *declared = &fixture->arrays[array];
    if (declared->n_axes == value->n_axes &&
        memcmp(declared->shape, value->shape, value->n_axes * sizeof value->shape[0]) == 0)
        return true;
    struct tensor example = {.n_axes = declared->n_axes};
    memcpy(example.shape, declared->shape, sizeof example.shape);
    return error_set(reterr, ERR_SHAPE, "its shape is %s, and the shape of %s is %s here",
                     tensor_shape_text(value, is), fixture->exercise->arrays[array].name,
                     tensor_shape_text(&example, wanted));
}
