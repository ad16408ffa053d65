/* Answers, and their comparison with the expected numbers: see fixture.h. Written so that NaN
 * fails. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/fixture.h"
#include "tensor/tensor.h"

enum {
    APART_TIMES = 3,   /* the tolerance, beyond which no two ways of rounding meet */
    NEAR_TIMES = 1000, /* but in hard cases: a small difference of large numbers */
};

static bool is_filled(const struct fixture *fixture, unsigned array)
{
    return fixture->exercise->arrays[array].role != ROLE_IN;
}

bool answer_init(const struct fixture *fixture, struct answer *answer, struct error *reterr)
{
    *answer = (struct answer){0};
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++) {
        if (!is_filled(fixture, i))
            continue;
        answer->floats[i] = malloc((fixture->arrays[i].n_cells + 1) * sizeof(float));
        if (answer->floats[i] == NULL) {
            answer_release(answer);
            return error_memory(reterr, "an answer");
        }
    }
    return true;
}

void answer_release(struct answer *answer)
{
    for (unsigned i = 0; i < FIXTURE_MAX_ARRAYS; i++)
        free(answer->floats[i]);
    *answer = (struct answer){0};
}

bool fixture_cell_right(const struct fixture *fixture, unsigned array, size_t cell, float got)
{
    const struct fixture_array *a = &fixture->arrays[array];
    double expected = (double)a->expected[cell], value = (double)got;
    if (isinf(expected))
        return value == expected;
    return fabs(value - expected) <= a->allowed[cell];
}

/* NaN, or an infinity in place of a number. */
static bool is_non_finite(float got, float expected)
{
    return isnan(got) || (isinf(got) && !isinf(expected));
}

/* Notes a cell that is wrong. */
static void note(struct difference *difference, unsigned array, size_t cell, float got,
                 float expected)
{
    bool non_finite = is_non_finite(got, expected);
    bool is_worse = difference->verdict == VERDICT_PASS ||
                    (non_finite && difference->verdict != VERDICT_NON_FINITE);
    difference->n_different++;
    if (!is_worse)
        return;
    difference->verdict = non_finite ? VERDICT_NON_FINITE : VERDICT_WRONG_ANSWER;
    difference->array = array;
    difference->cell = cell;
    difference->got = (double)got;
    difference->expected = (double)expected;
}

static void compare_array(const struct fixture *fixture, unsigned array, const float *got,
                          struct difference *difference)
{
    const struct fixture_array *a = &fixture->arrays[array];
    for (size_t i = 0; i < a->n_cells; i++) {
        double error = fabs((double)got[i] - (double)a->expected[i]);
        if (isfinite(error) && error > difference->max_abs_error)
            difference->max_abs_error = error;
        if (!fixture_cell_right(fixture, array, i, got[i]))
            note(difference, array, i, got[i], a->expected[i]);
    }
}

struct difference fixture_compare(const struct fixture *fixture, const struct answer *answer)
{
    struct difference difference = {.verdict = VERDICT_PASS};
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        if (is_filled(fixture, i))
            compare_array(fixture, i, answer->floats[i], &difference);
    return difference;
}

struct difference fixture_compare_array(const struct fixture *fixture, const struct answer *answer,
                                        unsigned array)
{
    struct difference difference = {.verdict = VERDICT_PASS};
    if (is_filled(fixture, array))
        compare_array(fixture, array, answer->floats[array], &difference);
    return difference;
}

/* Are two answers to one cell the same, within `times` the tolerance? */
static bool cells_alike(const struct fixture *fixture, const struct fixture_array *array,
                        size_t cell, float a, float b, double times)
{
    const struct exercise_tolerance *tolerance = &fixture->exercise->tolerance;
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (isinf(a) || isinf(b))
        return a == b;
    double allowed =
        array->allowed[cell] + tolerance->absolute + tolerance->relative * fabs((double)b);
    return fabs((double)a - (double)b) <= times * allowed;
}

static bool alike_within(const struct fixture *fixture, const struct answer *answer,
                         const struct answer *other, double times)
{
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++) {
        const struct fixture_array *array = &fixture->arrays[i];
        for (size_t cell = 0; is_filled(fixture, i) && cell < array->n_cells; cell++)
            if (!cells_alike(fixture, array, cell, answer->floats[i][cell], other->floats[i][cell],
                             times))
                return false;
    }
    return true;
}

bool fixture_answers_alike(const struct fixture *fixture, const struct answer *answer,
                           const struct answer *other)
{
    return alike_within(fixture, answer, other, 1);
}

bool fixture_cells_alike(const struct fixture *fixture, unsigned array, size_t cell, float got,
                         float other)
{
    return cells_alike(fixture, &fixture->arrays[array], cell, got, other, 1);
}

bool fixture_answers_near(const struct fixture *fixture, const struct answer *answer,
                          const struct answer *other)
{
    return alike_within(fixture, answer, other, NEAR_TIMES);
}

bool fixture_answers_apart(const struct fixture *fixture, const struct answer *answer,
                           const struct answer *other)
{
    return !alike_within(fixture, answer, other, APART_TIMES);
}

bool fixture_right_answer(const struct fixture *fixture, struct answer *ret, struct error *reterr)
{
    if (!answer_init(fixture, ret, reterr))
        return false;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        if (is_filled(fixture, i))
            memcpy(ret->floats[i], fixture->arrays[i].expected,
                   fixture->arrays[i].n_cells * sizeof(float));
    return true;
}

char *fixture_place(const struct fixture_array *array, size_t cell, char *text, size_t capacity)
{
    struct tensor example = {.n_axes = array->n_axes};
    size_t index[TENSOR_MAX_AXES], used = 0;
    text[0] = '\0';
    for (unsigned axis = 0; axis < array->n_axes; axis++)
        example.shape[axis] = array->shape[axis];
    tensor_index_of(&example, cell, index);
    for (unsigned axis = 0; axis < array->n_axes && used < capacity; axis++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%zu%s", axis > 0 ? ", " : "[",
                                 index[axis], axis + 1 == array->n_axes ? "]" : "");
    return text;
}
