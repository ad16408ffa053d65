/* optim/adamw.h. The numbers of PyTorch: golden/test_golden_optim.c. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/threads.h"
#include "optim/adamw.h"

enum { N = 3 * 8192 + 1235 }; /* more than three parts, and no whole blocks */

static float *numbers(uint64_t seed, size_t n)
{
    float *x = malloc(n * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = seed == 0 ? 0 : testing_number(&seed);
    return x;
}

/* The weights after some steps, taken by so many threads. */
static float *trained(size_t n_threads)
{
    float *weights = numbers(1, N), *first = numbers(0, N), *second = numbers(0, N);
    struct error error;
    threads_set(n_threads);
    for (size_t step = 1; step <= 5; step++) {
        float *gradient = numbers(step + 1, N);
        const struct parameter parameters[] = {
            {.n = 100,
             .weights = weights,
             .gradient = gradient,
             .first = first,
             .second = second,
             .decays = true},
            {.n = 0},
            {.n = N - 100,
             .weights = weights + 100,
             .gradient = gradient + 100,
             .first = first + 100,
             .second = second + 100},
        };
        assert_true(adamw_step(&adamw_defaults, step, 0.5, parameters, 3, &error));
        free(gradient);
    }
    threads_set(0);
    free(first);
    free(second);
    return weights;
}

static void test_adamw__the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    float *one = trained(1);
    for (size_t n_threads = 2; n_threads <= 4; n_threads *= 2) {
        float *more = trained(n_threads);
        assert_memory_equal(one, more, N * sizeof *one);
        free(more);
    }
    free(one);
}

/* What is in a block of a loop and what is left over after it are computed alike. */
static void test_adamw__a_number_is_the_same_wherever_it_stands(void **state)
{
    (void)state;
    enum { MOST = 70 };
    float weights[MOST], first[MOST] = {0}, second[MOST] = {0}, gradient[MOST];
    struct error error;
    for (size_t i = 0; i < MOST; i++) {
        weights[i] = 0.3F;
        gradient[i] = -1.7F;
    }
    const struct parameter parameter = {
        .n = MOST, .weights = weights, .gradient = gradient, .first = first, .second = second};
    for (size_t step = 1; step < 4; step++)
        assert_true(adamw_step(&adamw_defaults, step, 1, &parameter, 1, &error));
    for (size_t i = 1; i < MOST; i++)
        assert_memory_equal(&weights[i], &weights[0], sizeof *weights);
}

/* The first step is as long as the learning rate, however large the gradient: the means cancel. */
static void test_adamw__the_first_step_is_as_long_as_the_learning_rate(void **state)
{
    (void)state;
    struct error error;
    for (float size = 1e-4F; size < 1e5F; size *= 10) {
        float weights = 0, first = 0, second = 0;
        const struct parameter parameter = {
            .n = 1, .weights = &weights, .gradient = &size, .first = &first, .second = &second};
        assert_true(adamw_step(&adamw_defaults, 1, 1, &parameter, 1, &error));
        assert_close(weights, -1e-3, 1e-3 * 2e-4); /* eps is 1e-4 of the smallest root */
    }
}

static void test_adamw__decay_goes_to_the_arrays_that_ask_for_it(void **state)
{
    (void)state;
    float weights[2] = {2, 2}, first[2] = {0}, second[2] = {0};
    const float gradient[2] = {0, 0};
    struct error error;
    struct adamw adamw = adamw_defaults;
    adamw.lr = 0.5;
    adamw.weight_decay = 0.5;
    const struct parameter parameters[] = {
        {1, &weights[0], &gradient[0], &first[0], &second[0], true},
        {1, &weights[1], &gradient[1], &first[1], &second[1], false},
    };
    assert_true(adamw_step(&adamw, 1, 1, parameters, 2, &error));
    assert_close(weights[0], 1.5, 0);
    assert_close(weights[1], 2, 0);
}

static void test_adamw__without_memory_nothing_changes(void **state)
{
    (void)state;
    float weights = 2, first = 0, second = 0;
    const float gradient = 1;
    struct error error;
    const struct parameter parameter = {1, &weights, &gradient, &first, &second, true};
    testing_fail_allocation(1);
    assert_error(adamw_step(&adamw_defaults, 1, 1, &parameter, 1, &error), error, ERR_MEMORY);
    testing_fail_allocation(0);
    assert_close(weights, 2, 0);
    assert_close(first, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adamw__the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(test_adamw__a_number_is_the_same_wherever_it_stands),
        cmocka_unit_test(test_adamw__the_first_step_is_as_long_as_the_learning_rate),
        cmocka_unit_test(test_adamw__decay_goes_to_the_arrays_that_ask_for_it),
        cmocka_unit_test(test_adamw__without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
