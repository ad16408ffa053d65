/* optim/clip_internal.h. The numbers of PyTorch: golden/test_golden_optim.c. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/threads.h"
#include "optim/clip_internal.h"

static double norm_of(const float *gradient, size_t n)
{
    struct error error;
    double norm = -1;
    const struct parameter parameter = {.n = n, .gradient = gradient};
    assert_true(gradient_norm(&parameter, 1, &norm, &error));
    return norm;
}

static void test_clip__the_norm_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    enum { N = 5 * 8192 + 77 };
    uint64_t seed = 3;
    float *gradient = malloc(N * sizeof *gradient);
    long double sum = 0;
    assert_non_null(gradient);
    for (size_t i = 0; i < N; i++) {
        gradient[i] = testing_number(&seed);
        sum += (long double)gradient[i] * (long double)gradient[i];
    }
    threads_set(1);
    double one = norm_of(gradient, N);
    assert_close(one, sqrtl(sum), 1e-12 * one);
    for (size_t n = 2; n <= 4; n *= 2) {
        threads_set(n);
        double more = norm_of(gradient, N);
        assert_memory_equal(&more, &one, sizeof one);
    }
    threads_set(0);
    free(gradient);
}

/* 3e38 squared is no float, and 1e-30 squared would be 0 in one. */
static void test_clip__squares_neither_overflow_nor_vanish(void **state)
{
    (void)state;
    const float large[] = {3e38F, -3e38F}, small[] = {3e-30F, 4e-30F};
    assert_close(norm_of(large, 2), (double)3e38F * sqrt(2), 1e30);
    assert_close(norm_of(small, 2), 5e-30, 1e-36);
    assert_close(norm_of(NULL, 0), 0, 0);
}

static void test_clip__short_gradients_stay(void **state)
{
    (void)state;
    assert_close(clip_scale(0.5, 1), 1, 0);
    assert_close(clip_scale(0, 1), 1, 0);
    assert_close(clip_scale(4, 1), 0.25, 1e-6);
    assert_close(clip_scale(4, INFINITY), 1, 0);
}

static void test_clip__what_is_not_finite_shows(void **state)
{
    (void)state;
    const float bad[] = {1, NAN, 2}, endless[] = {1, INFINITY};
    assert_true(isnan(norm_of(bad, 3)));
    assert_true(isinf(norm_of(endless, 2)));
    assert_true(isnan(clip_scale(NAN, 1)));
    assert_close(clip_scale(INFINITY, 1), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clip__the_norm_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(test_clip__squares_neither_overflow_nor_vanish),
        cmocka_unit_test(test_clip__short_gradients_stay),
        cmocka_unit_test(test_clip__what_is_not_finite_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
