/* Right answers that nobody worked for: see luck.h. */
#include "exercise/luck.h"

#include <math.h>

static bool filled_is_right(const struct fixture *fixture, unsigned array, float number)
{
    for (size_t i = 0; i < fixture->arrays[array].n_cells; i++)
        if (!fixture_cell_right(fixture, array, i, number))
            return false;
    return true;
}

static float number_before(const struct fixture_array *from, size_t cell)
{
    return from->boolean ? (float)((const bool *)from->before)[cell]
                         : ((const float *)from->before)[cell];
}

/* Also an array into itself: it was not touched. */
static bool copied_is_right(const struct fixture *fixture, unsigned array,
                            const struct fixture_array *from)
{
    if (!from->present || from->before == NULL || from->n_cells == 0)
        return false;
    for (size_t i = 0; i < fixture->arrays[array].n_cells; i++)
        if (!fixture_cell_right(fixture, array, i, number_before(from, i % from->n_cells)))
            return false;
    return true;
}

static bool array_right_by_luck(const struct fixture *fixture, unsigned array)
{
    const struct fixture_array *a = &fixture->arrays[array];
    if (filled_is_right(fixture, array, 0) || filled_is_right(fixture, array, 1) ||
        (a->n_cells > 1 && filled_is_right(fixture, array, a->expected[0])))
        return true;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        if (copied_is_right(fixture, array, &fixture->arrays[i]))
            return true;
    return false;
}

bool fixture_right_by_luck(const struct fixture *fixture)
{
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        if (fixture->exercise->arrays[i].role != ROLE_IN && !array_right_by_luck(fixture, i))
            return false;
    return true;
}

float answer_only_number(const struct fixture *fixture, const struct answer *answer)
{
    float only = NAN;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++) {
        for (size_t cell = 0; answer->floats[i] != NULL && cell < fixture->arrays[i].n_cells;
             cell++) {
            float number = answer->floats[i][cell];
            if (isnan(number) || (!isnan(only) && number != only))
                return NAN;
            only = number;
        }
    }
    return only;
}
