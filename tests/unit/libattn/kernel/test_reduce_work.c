/* kernel/fold_internal.h and reduce.h: every instruction set of this machine against sums in the
 * order of the numbers; shapes and strides of all kinds; threads. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/reduce.h"
#include "kernel/threads.h"
#include "tensor/reduce.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

/* ---- runs and rows of columns ---- */

enum { MOST = 150 };

/* Ordinary numbers, equal ones among them; with `odd`, also some that are not. */
static void fill(uint64_t *seed, float *x, size_t n, bool odd)
{
    static const float odds[] = {NAN, INFINITY, -INFINITY, 0, -0.0F, 3e38F, 1e-40F};
    for (size_t i = 0; i < n; i++)
        x[i] = odd && testing_between(seed, 0, 20) == 0 ? odds[testing_between(seed, 0, 6)]
                                                        : rintf(testing_number(seed) * 50) / 4;
}

static bool is_beyond(float x, float best, bool smallest)
{
    return (smallest ? x < best : x > best) || (isnan(x) && !isnan(best));
}

/* The place of the extreme among n numbers that are `step` apart. */
static size_t plain_place(const float *x, size_t n, size_t step, bool smallest)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (is_beyond(x[i * step], x[best * step], smallest))
            best = i;
    return best;
}

static double plain_fold(enum fold f, const float *x, size_t n, size_t step, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double number = (double)x[i * step];
        sum += f == FOLD_SUM ? number : f == FOLD_NONZERO ? number != 0 : pow(number - mean, 2);
    }
    return sum;
}

static void check_fold(double is, double plain)
{
    if (isnan(plain) || isinf(plain))
        assert_true(isnan(plain) ? isnan(is) : is == plain);
    else
        assert_true(fabs(is - plain) <= 1e-12 * (1 + fabs(plain)));
}

static void check_run(const struct kernel *kernel, const float *x, size_t n)
{
    for (int f = FOLD_SUM; f <= FOLD_NONZERO; f++)
        check_fold(kernel->fold((enum fold)f, x, n, 1.5), plain_fold((enum fold)f, x, n, 1, 1.5));
    for (int smallest = 0; n > 0 && smallest < 2; smallest++) {
        float best = kernel->extreme(x, n, smallest);
        size_t at = plain_place(x, n, 1, smallest);
        assert_true(best == x[at] || (isnan(best) && isnan(x[at])));
        size_t found;
        float there = kernel->place(x, n, smallest, &found);
        assert_true(there == best || (isnan(there) && isnan(best)));
        assert_int_equal(found, at);
    }
}

static void test_fold__runs(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    uint64_t seed = 1;
    for (size_t n = 0; n <= MOST; n++)
        for (size_t tries = 0; tries < 6; tries++) {
            float x[MOST + 4];
            size_t shift = testing_between(&seed, 0, 3);
            fill(&seed, x, MOST + 4, tries % 2);
            for (size_t s = 0; sets[s] != NULL; s++)
                check_run(sets[s], x + shift, n);
        }
}

/* Rows of n columns, in two calls, with numbers after the last column that nothing looks at. */
static void check_columns(uint64_t *seed, const struct kernel *kernel, size_t n, bool odd)
{
    enum { ROWS = 7, FIRST = 3 };
    float x[ROWS * (MOST + 1)], best[MOST + 1];
    double means[MOST + 1], folded[MOST + 1];
    int32_t at[MOST + 1];
    size_t width = n + 1;
    fill(seed, x, ROWS * width, odd);
    struct fold_rows rows[2] = {
        {.x = x, .row_step = (ptrdiff_t)width, .n_rows = FIRST, .n = n},
        {.x = x + FIRST * width, .row_step = (ptrdiff_t)width, .n_rows = ROWS - FIRST, .n = n}};
    for (size_t j = 0; j < width; j++)
        means[j] = (double)j;
    for (int f = FOLD_SUM; f <= FOLD_NONZERO; f++) {
        memset(folded, 0, sizeof folded);
        kernel->fold_columns((enum fold)f, &rows[0], means, folded);
        kernel->fold_columns((enum fold)f, &rows[1], means, folded);
        for (size_t j = 0; j < n; j++)
            check_fold(folded[j], plain_fold((enum fold)f, x + j, ROWS, width, means[j]));
        assert_true(folded[n] == 0);
    }
    for (int variant = 0; variant < 4; variant++) {
        bool smallest = variant % 2, places = variant / 2;
        memcpy(best, x, sizeof *x * width);
        memset(at, 0, sizeof at);
        kernel->extreme_columns(&rows[0], smallest, 0, best, places ? at : NULL);
        kernel->extreme_columns(&rows[1], smallest, FIRST, best, places ? at : NULL);
        for (size_t j = 0; j < n; j++) {
            size_t row = plain_place(x + j, ROWS, width, smallest);
            float wanted = x[row * width + j];
            assert_true(best[j] == wanted || (isnan(best[j]) && isnan(wanted)));
            assert_int_equal(at[j], places ? (int32_t)row : 0);
        }
    }
}

static void test_fold__columns(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    uint64_t seed = 2;
    for (size_t n = 1; n < MOST; n++)
        for (size_t s = 0; sets[s] != NULL; s++) {
            check_columns(&seed, sets[s], n, false);
            check_columns(&seed, sets[s], n, true);
        }
}

/* ---- whole reductions, with the set that this machine takes ---- */

/* A dense copy of the groups, one after the other, and what each reduces to. */
static float plain_reduction(enum reduction f, const float *x, size_t n)
{
    double mean = plain_fold(FOLD_SUM, x, n, 1, 0) / (double)n;
    double squares = plain_fold(FOLD_SQUARES, x, n, 1, mean);
    double nonzero = plain_fold(FOLD_NONZERO, x, n, 1, 0);
    const double results[REDUCE_COUNT] = {
        [REDUCE_SUM] = mean * (double)n,
        [REDUCE_MEAN] = mean,
        [REDUCE_VAR] = squares / (double)(n - 1),
        [REDUCE_STD] = sqrt(squares / (double)(n - 1)),
        [REDUCE_MAX] = (double)x[plain_place(x, n, 1, false)],
        [REDUCE_MIN] = (double)x[plain_place(x, n, 1, true)],
        [REDUCE_ARGMAX] = (double)plain_place(x, n, 1, false),
        [REDUCE_ARGMIN] = (double)plain_place(x, n, 1, true),
        [REDUCE_ALL] = nonzero == (double)n,
        [REDUCE_ANY] = nonzero > 0,
    };
    return (float)results[f];
}

static void check_reductions(const struct tensor *x, unsigned axes)
{
    unsigned order[3], n_axes = 0;
    size_t group_size = 1;
    for (unsigned axis = 0; axis < 3; axis++)
        if (!(axes >> axis & 1U))
            order[n_axes++] = axis;
    for (unsigned axis = 0; axis < 3; axis++)
        if (axes >> axis & 1U) {
            order[n_axes++] = axis;
            group_size *= x->shape[axis];
        }
    struct tensor view, groups, y;
    assert_true(tensor_permute(x, order, &view, NULL));
    assert_true(tensor_copy(&view, &groups, NULL));
    for (int f = 0; f < REDUCE_COUNT; f++) {
        assert_true(tensor_reduce((enum reduction)f, x, axes, false, 1, NULL, &y, NULL));
        for (size_t g = 0; g < tensor_size(&y); g++) {
            float plain =
                plain_reduction((enum reduction)f, groups.data + g * group_size, group_size);
            if (isnan(plain))
                assert_true(isnan(y.data[g]));
            else if (isinf(plain))
                assert_true(y.data[g] == plain);
            else
                assert_close(y.data[g], (double)plain, 1e-5 + 1e-6 * fabs((double)plain));
        }
        tensor_release(&y);
    }
    tensor_release(&view);
    tensor_release(&groups);
}

static void test_reduce__any_shape_strides_and_axes(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (size_t tries = 0; tries < 40; tries++) {
        size_t shape[3] = {testing_between(&seed, 1, 40), testing_between(&seed, 1, 60),
                           testing_between(&seed, 15, 90)};
        struct tensor numbers = testing_random_tensor(&seed, 3, shape), turned, x;
        fill(&seed, numbers.data, tensor_size(&numbers), tries % 4 == 0);
        unsigned order[3] = {0, 1, 2}, other = (unsigned)testing_between(&seed, 0, 2);
        order[0] = other;
        order[other] = 0;
        assert_true(tensor_permute(&numbers, order, &turned, NULL));
        size_t count = turned.shape[2] / 2 + 1;
        bool cut = testing_between(&seed, 0, 2) == 0;
        assert_true(cut ? tensor_slice(&turned, 2, turned.shape[2] - 1, count, -1, &x, NULL)
                        : tensor_permute(&turned, ((unsigned[]){0, 1, 2}), &x, NULL));
        check_reductions(&x, (unsigned)testing_between(&seed, 1, 7));
        tensor_release(&numbers);
        tensor_release(&turned);
        tensor_release(&x);
    }
}

static void test_reduce__the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t seed = 4;
    size_t most = threads_most();
    struct tensor x = testing_random_tensor(&seed, 2, SHAPE(700, 1001));
    for (unsigned axes = 1; axes <= 3; axes++)
        for (int f = 0; f < REDUCE_COUNT; f++) {
            struct tensor one, some;
            threads_set(1);
            assert_true(tensor_reduce((enum reduction)f, &x, axes, false, 1, NULL, &one, NULL));
            for (size_t threads = 2; threads <= 8; threads *= 2) {
                threads_set(threads);
                assert_true(
                    tensor_reduce((enum reduction)f, &x, axes, false, 1, NULL, &some, NULL));
                assert_memory_equal(one.data, some.data, tensor_size(&one) * sizeof *one.data);
                tensor_release(&some);
            }
            tensor_release(&one);
        }
    threads_set(most);
    tensor_release(&x);
}

/* Groups that are cut into parts: the first of equal extremes, and a NaN, wherever it stands. */
static void test_reduce__extremes_of_one_large_group(void **state)
{
    (void)state;
    enum { N = 200003 };
    struct tensor x, y;
    assert_true(tensor_full(1, SHAPE(N), 1, &x, NULL));
    for (size_t at = 3; at < N; at = at * 3 + 1) {
        x.data[at] = 2;
        x.data[N - 1] = 2;
        assert_true(tensor_reduce(REDUCE_ARGMAX, &x, 0, false, 0, NULL, &y, NULL));
        assert_close(y.data[0], (double)at, 0);
        tensor_release(&y);
        x.data[N - 1] = NAN;
        assert_true(tensor_reduce(REDUCE_ARGMIN, &x, 0, false, 0, NULL, &y, NULL));
        assert_close(y.data[0], N - 1, 0);
        tensor_release(&y);
        x.data[at] = 1;
    }
    tensor_release(&x);
}

static void test_reduce__the_stop_flag_interrupts(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 1;
    struct error error;
    struct tensor x, y;
    assert_true(tensor_zeros(2, SHAPE(300, 300), &x, NULL));
    for (unsigned axes = 1; axes <= 3; axes++)
        assert_error(tensor_reduce(REDUCE_VAR, &x, axes, false, 0, &stop, &y, &error), error,
                     ERR_INTERRUPTED);
    tensor_release(&x);
    assert_true(tensor_zeros(2, SHAPE(3, 3), &x, NULL));
    assert_error(tensor_reduce(REDUCE_SUM, &x, 1, false, 0, &stop, &y, &error), error,
                 ERR_INTERRUPTED);
    tensor_release(&x);
}

static void test_reduce__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct error error;
    struct tensor x, y;
    assert_true(tensor_zeros(2, SHAPE(300, 301), &x, NULL));
    for (unsigned axes = 1; axes <= 3; axes++) {
        assert_reports_failed_allocations(
            tensor_reduce(REDUCE_VAR, &x, axes, false, 0, NULL, &y, &error), error);
        tensor_release(&y);
    }
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fold__runs),
        cmocka_unit_test(test_fold__columns),
        cmocka_unit_test(test_reduce__any_shape_strides_and_axes),
        cmocka_unit_test(test_reduce__the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(test_reduce__extremes_of_one_large_group),
        cmocka_unit_test(test_reduce__the_stop_flag_interrupts),
        cmocka_unit_test(test_reduce__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("reduce_work", tests, NULL, NULL);
}
