/* A place beside an array: see bounds.h. */
#include "judge/run/bounds.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const verbs[] = {
    [ACCESS_UNKNOWN] = "was touched", [ACCESS_READ] = "was read", [ACCESS_WRITTEN] = "was written"};

/* a / b, rounded down. b is positive. */
static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* ", 2 past its end", or ", 1 before its begin" */
static void say_how_far(int64_t cell, size_t n_cells, char *text, size_t capacity)
{
    if (cell < 0)
        snprintf(text, capacity, ", %" PRId64 " before its begin", -cell);
    else if ((uint64_t)cell >= n_cells)
        snprintf(text, capacity, ", %" PRIu64 " past its end", (uint64_t)cell - n_cells + 1);
    else
        snprintf(text, capacity, "%s", "");
}

char *bounds_describe(const struct fixture *fixture, unsigned array, int64_t offset,
                      enum access access, char *text, size_t capacity)
{
    const struct fixture_array *a = &fixture->arrays[array];
    const char *name = fixture->exercise->arrays[array].name, *verb = verbs[access];
    int64_t cell = floor_divide(offset, a->boolean ? 1 : (int64_t)sizeof(float));
    char far[48];
    say_how_far(cell, a->n_cells, far, sizeof far);
    if (!a->present)
        snprintf(text, capacity, "%s %s; it is NULL here", name, verb);
    else if (a->n_axes == 2 && a->shape[1] > 0)
        snprintf(text, capacity,
                 "row %" PRId64 " of %s %s (%s[%" PRId64 "]%s); %s has %zu row%s (0..%zu)",
                 floor_divide(cell, (int64_t)a->shape[1]), name, verb, name, cell, far, name,
                 a->shape[0], a->shape[0] == 1 ? "" : "s", a->shape[0] - 1);
    else
        snprintf(text, capacity, "%s[%" PRId64 "] %s%s; %s has %zu number%s (0..%zu)", name, cell,
                 verb, far, name, a->n_cells, a->n_cells == 1 ? "" : "s", a->n_cells - 1);
    return text;
}
