/* tensor/reduce.h: sums, extremes and their like. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "tensor/reduce.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

enum { AXIS_0 = 1, AXIS_1 = 2, AXIS_2 = 4, ALL_AXES = 0 };

static const struct tensor untouched = {.n_axes = 77};

/* [[3, 1, 2], [4, 6, 5]] */
static struct tensor two_rows(void)
{
    return testing_tensor(2, SHAPE(2, 3), (float[]){3, 1, 2, 4, 6, 5});
}

/* f of a list of numbers, as one number. */
static float of_list(enum reduction f, double correction, size_t n, const float *numbers)
{
    struct tensor x = testing_tensor(1, SHAPE(n), numbers), y;
    struct error error;
    if (!tensor_reduce(f, &x, ALL_AXES, false, correction, NULL, &y, &error))
        fail_msg("%s", error.text);
    assert_int_equal(y.n_axes, 0);
    assert_int_equal(y.is_bool, f == REDUCE_ALL || f == REDUCE_ANY);
    float result = y.data[0];
    tensor_release(&y);
    tensor_release(&x);
    return result;
}

#define OF_LIST(f, correction, ...) \
    of_list(f, correction, sizeof((float[]){__VA_ARGS__}) / sizeof(float), (float[]){__VA_ARGS__})

static void check_rows(enum reduction f, unsigned axes, size_t n, const float *want)
{
    struct tensor x = two_rows(), y;
    assert_true(tensor_reduce(f, &x, axes, false, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 1, SHAPE(n), want, 1e-6);
    assert_true(tensor_is_dense(&y));
    tensor_release(&y);
    tensor_release(&x);
}

static void test_reduce__along_rows_and_columns(void **state)
{
    (void)state;
    check_rows(REDUCE_SUM, AXIS_0, 3, (float[]){7, 7, 7});
    check_rows(REDUCE_SUM, AXIS_1, 2, (float[]){6, 15});
    check_rows(REDUCE_MEAN, AXIS_0, 3, (float[]){3.5f, 3.5f, 3.5f});
    check_rows(REDUCE_MEAN, AXIS_1, 2, (float[]){2, 5});
    /* Deviations 1, -1, 0 from 2, and -1, 1, 0 from 5: variance 2 / 3. */
    check_rows(REDUCE_VAR, AXIS_1, 2, (float[]){2.0f / 3, 2.0f / 3});
    check_rows(REDUCE_STD, AXIS_1, 2, (float[]){0.8164965809f, 0.8164965809f});
    check_rows(REDUCE_MAX, AXIS_0, 3, (float[]){4, 6, 5});
    check_rows(REDUCE_MAX, AXIS_1, 2, (float[]){3, 6});
    check_rows(REDUCE_MIN, AXIS_0, 3, (float[]){3, 1, 2});
    check_rows(REDUCE_MIN, AXIS_1, 2, (float[]){1, 4});
    check_rows(REDUCE_ARGMAX, AXIS_0, 3, (float[]){1, 1, 1});
    check_rows(REDUCE_ARGMAX, AXIS_1, 2, (float[]){0, 1});
    check_rows(REDUCE_ARGMIN, AXIS_1, 2, (float[]){1, 0});
}

static void test_reduce__over_everything(void **state)
{
    (void)state;
    struct tensor x = two_rows(), y;
    static const unsigned both[] = {ALL_AXES, AXIS_0 | AXIS_1};
    for (size_t i = 0; i < 2; i++) {
        assert_true(tensor_reduce(REDUCE_SUM, &x, both[i], false, 0, NULL, &y, NULL));
        assert_tensor_close(&y, 0, NULL, (float[]){21}, 0);
        tensor_release(&y);
        assert_true(tensor_reduce(REDUCE_ARGMAX, &x, both[i], false, 0, NULL, &y, NULL));
        assert_tensor_close(&y, 0, NULL, (float[]){4}, 0);
        tensor_release(&y);
        assert_true(tensor_reduce(REDUCE_MEAN, &x, both[i], true, 0, NULL, &y, NULL));
        assert_tensor_close(&y, 2, SHAPE(1, 1), (float[]){3.5f}, 0);
        tensor_release(&y);
    }
    tensor_release(&x);
}

static void test_reduce__a_single_number_is_its_own_sum(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(0, NULL, (float[]){-3}), y;
    assert_true(tensor_reduce(REDUCE_SUM, &x, ALL_AXES, true, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 0, NULL, (float[]){-3}, 0);
    tensor_release(&y);
    assert_true(tensor_reduce(REDUCE_ARGMAX, &x, ALL_AXES, false, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 0, NULL, (float[]){0}, 0);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_reduce__kept_axes_are_one_long(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(3, SHAPE(2, 1, 2), (float[]){1, 2, 3, 4}), y;
    assert_true(tensor_reduce(REDUCE_SUM, &x, AXIS_0, true, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 3, SHAPE(1, 1, 2), (float[]){4, 6}, 0);
    tensor_release(&y);
    assert_true(tensor_reduce(REDUCE_SUM, &x, AXIS_0 | AXIS_2, true, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 3, SHAPE(1, 1, 1), (float[]){10}, 0);
    tensor_release(&y);
    assert_true(tensor_reduce(REDUCE_SUM, &x, AXIS_0 | AXIS_2, false, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 1, SHAPE(1), (float[]){10}, 0);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_reduce__two_axes_around_a_kept_one(void **state)
{
    (void)state;
    /* x[a, b, c] = 4 a + 2 b + c but for x[0, 1, 1] = 99. Reduced over a and c, for b = 0 there are
     * 0, 1, 4, 5 and for b = 1 2, 99, 6, 7, in this order. */
    struct tensor x = testing_tensor(3, SHAPE(2, 2, 2), (float[]){0, 1, 2, 99, 4, 5, 6, 7}), y;
    assert_true(tensor_reduce(REDUCE_SUM, &x, AXIS_0 | AXIS_2, false, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 1, SHAPE(2), (float[]){10, 114}, 0);
    tensor_release(&y);
    assert_true(tensor_reduce(REDUCE_ARGMAX, &x, AXIS_0 | AXIS_2, false, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 1, SHAPE(2), (float[]){3, 1}, 0);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_reduce__sums_run_in_double(void **state)
{
    (void)state;
    /* In float32, 2^24 + 1 is 2^24 again, and 1e8 + 1 - 1e8 is 0. */
    assert_close(OF_LIST(REDUCE_SUM, 0, 0x1p24f, 1, 1), 0x1p24 + 2, 0);
    assert_close(OF_LIST(REDUCE_SUM, 0, 1e8f, 1, -1e8f), 1, 0);
    assert_close(OF_LIST(REDUCE_MEAN, 0, 3e38f, 3e38f), 3e38f, 0); /* the sum is no float32 */
}

static void test_reduce__variance_with_either_correction(void **state)
{
    (void)state;
    /* 2 4 4 4 5 5 7 9: mean 5, squared deviations 9 1 1 1 0 0 4 16, together 32. */
    assert_close(OF_LIST(REDUCE_VAR, 0, 2, 4, 4, 4, 5, 5, 7, 9), 4, 0);
    assert_close(OF_LIST(REDUCE_STD, 0, 2, 4, 4, 4, 5, 5, 7, 9), 2, 0);
    assert_close(OF_LIST(REDUCE_VAR, 1, 2, 4, 4, 4, 5, 5, 7, 9), 32.0 / 7, 1e-6);
    assert_close(OF_LIST(REDUCE_STD, 1, 2, 4, 4, 4, 5, 5, 7, 9), sqrt(32.0 / 7), 1e-6);
    /* Far from 0: the mean of squares minus the square of the mean would lose all digits. */
    assert_close(OF_LIST(REDUCE_VAR, 1, 10000001, 10000002, 10000003), 1, 0);
    assert_close(OF_LIST(REDUCE_VAR, 0, 5), 0, 0);
    assert_true(isnan(OF_LIST(REDUCE_VAR, 1, 5))); /* 0 / 0, as numpy and PyTorch */
    assert_true(isnan(OF_LIST(REDUCE_STD, 1, 5)));
}

static void test_reduce__the_first_of_equals_is_the_extreme(void **state)
{
    (void)state;
    assert_close(OF_LIST(REDUCE_ARGMAX, 0, 1, 7, 3, 7), 1, 0);
    assert_close(OF_LIST(REDUCE_ARGMIN, 0, 1, 0, 3, 0), 1, 0);
    assert_close(OF_LIST(REDUCE_ARGMAX, 0, 2, 2, 2), 0, 0);
    assert_close(OF_LIST(REDUCE_ARGMAX, 0, -INFINITY, -INFINITY), 0, 0);
}

static void test_reduce__nan_and_infinity(void **state)
{
    (void)state;
    assert_true(isnan(OF_LIST(REDUCE_SUM, 0, 1, NAN)));
    assert_true(isnan(OF_LIST(REDUCE_SUM, 0, INFINITY, -INFINITY)));
    assert_true(isnan(OF_LIST(REDUCE_MAX, 0, 1, NAN, 5)));
    assert_true(isnan(OF_LIST(REDUCE_MIN, 0, NAN, 1)));
    assert_true(isnan(OF_LIST(REDUCE_MAX, 0, INFINITY, NAN)));
    assert_true(isnan(OF_LIST(REDUCE_VAR, 0, 1, INFINITY)));
    assert_close(OF_LIST(REDUCE_ARGMAX, 0, 1, NAN, 5, NAN), 1, 0);
    assert_close(OF_LIST(REDUCE_ARGMIN, 0, 1, NAN, -5, NAN), 1, 0);
    assert_close(OF_LIST(REDUCE_MAX, 0, -INFINITY, -INFINITY), -INFINITY, 0);
    assert_close(OF_LIST(REDUCE_MAX, 0, -INFINITY, -5), -5, 0);
    assert_close(OF_LIST(REDUCE_MIN, 0, INFINITY, 5), 5, 0);
    assert_close(OF_LIST(REDUCE_SUM, 0, -INFINITY, 5), -INFINITY, 0);
}

static void test_reduce__all_and_any(void **state)
{
    (void)state;
    assert_close(OF_LIST(REDUCE_ALL, 0, 1, 2, -3), 1, 0);
    assert_close(OF_LIST(REDUCE_ALL, 0, 1, 0, 1), 0, 0);
    assert_close(OF_LIST(REDUCE_ALL, 0, 1, -0.0f), 0, 0);
    assert_close(OF_LIST(REDUCE_ALL, 0, NAN), 1, 0); /* NaN is not 0 */
    assert_close(OF_LIST(REDUCE_ANY, 0, 0, 0, -0.0f), 0, 0);
    assert_close(OF_LIST(REDUCE_ANY, 0, 0, 0.5f), 1, 0);
    assert_close(OF_LIST(REDUCE_ANY, 0, 0, NAN), 1, 0);
}

static void test_reduce__the_sum_of_a_bool_tensor_counts(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, SHAPE(3), (float[]){1, 0, 1}), y;
    x.is_bool = true;
    assert_true(tensor_reduce(REDUCE_SUM, &x, ALL_AXES, false, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 0, NULL, (float[]){2}, 0);
    assert_false(y.is_bool);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_reduce__over_no_numbers(void **state)
{
    (void)state;
    assert_close(of_list(REDUCE_SUM, 0, 0, NULL), 0, 0);
    assert_true(isnan(of_list(REDUCE_MEAN, 0, 0, NULL)));
    assert_true(isnan(of_list(REDUCE_VAR, 1, 0, NULL)));
    assert_true(isnan(of_list(REDUCE_STD, 0, 0, NULL)));
    assert_close(of_list(REDUCE_ALL, 0, 0, NULL), 1, 0);
    assert_close(of_list(REDUCE_ANY, 0, 0, NULL), 0, 0);
    struct tensor x, y = untouched;
    struct error error;
    assert_true(tensor_zeros(2, SHAPE(0, 3), &x, NULL));
    static const enum reduction extremes[] = {REDUCE_MAX, REDUCE_MIN, REDUCE_ARGMAX, REDUCE_ARGMIN};
    for (size_t i = 0; i < 4; i++) {
        assert_error(tensor_reduce(extremes[i], &x, AXIS_0, false, 0, NULL, &y, &error), error,
                     ERR_RANGE);
        assert_memory_equal(&y, &untouched, sizeof y);
    }
    assert_true(tensor_reduce(REDUCE_SUM, &x, AXIS_0, false, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 1, SHAPE(3), (float[]){0, 0, 0}, 0);
    tensor_release(&y);
    assert_true(
        tensor_reduce(REDUCE_MAX, &x, AXIS_1, true, 0, NULL, &y, NULL)); /* of three, no times */
    assert_tensor_close(&y, 2, SHAPE(0, 1), NULL, 0);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_reduce__axes_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    struct tensor x = two_rows(), number = testing_tensor(0, NULL, (float[]){1}), y = untouched;
    struct error error;
    assert_error(tensor_reduce(REDUCE_SUM, &x, AXIS_2, false, 0, NULL, &y, &error), error,
                 ERR_SHAPE);
    assert_error(tensor_reduce(REDUCE_SUM, &x, AXIS_0 | AXIS_2, false, 0, NULL, &y, &error), error,
                 ERR_SHAPE);
    assert_error(tensor_reduce(REDUCE_SUM, &number, AXIS_0, false, 0, NULL, &y, &error), error,
                 ERR_SHAPE);
    assert_error(tensor_reduce(REDUCE_SUM, &x, 1U << 31, false, 0, NULL, &y, &error), error,
                 ERR_SHAPE);
    assert_memory_equal(&y, &untouched, sizeof y);
    tensor_release(&number);
    tensor_release(&x);
}

/* Adds up, in double, the numbers of x that fall on each position of the result when the axes are
 * kept: an odometer that knows nothing of strides. */
static void naive_sums(const struct tensor *x, unsigned axes, const struct tensor *kept,
                       float *want)
{
    double sums[1024] = {0};
    for (size_t i = 0; i < tensor_size(x); i++) {
        size_t index[TENSOR_MAX_AXES];
        tensor_index_of(x, i, index);
        float number = tensor_at(x, index);
        for (unsigned axis = 0; axis < x->n_axes; axis++)
            if (axes >> axis & 1U)
                index[axis] = 0;
        sums[tensor_position_of(kept, index)] += (double)number;
    }
    for (size_t i = 0; i < tensor_size(kept); i++)
        want[i] = (float)sums[i];
}

/* A view with its axes in another order, one of them backwards, one of them repeated. */
static struct tensor random_view(uint64_t *seed)
{
    size_t shape[TENSOR_MAX_AXES], wide[TENSOR_MAX_AXES];
    unsigned n_axes = (unsigned)testing_between(seed, 1, 5);
    for (unsigned axis = 0; axis < n_axes; axis++)
        shape[axis] = testing_between(seed, 1, 3);
    struct tensor x = testing_random_tensor(seed, n_axes, shape), backwards, result;
    struct tensor turned = tensor_transpose(&x, 0, (unsigned)testing_between(seed, 0, n_axes - 1));
    unsigned axis = (unsigned)testing_between(seed, 0, n_axes - 1);
    size_t length = turned.shape[axis];
    assert_true(tensor_slice(&turned, axis, length - 1, length, -1, &backwards, NULL));
    wide[0] = 2;
    memcpy(wide + 1, backwards.shape, n_axes * sizeof *wide);
    assert_true(tensor_broadcast(&backwards, n_axes + 1, wide, &result, NULL));
    tensor_release(&backwards);
    tensor_release(&turned);
    tensor_release(&x);
    return result;
}

static void test_reduce__sums_of_views_over_any_axes(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 300; round++) {
        struct tensor x = random_view(&seed), kept, dropped;
        unsigned axes = (unsigned)testing_between(&seed, 1, (1U << x.n_axes) - 1);
        size_t shape[TENSOR_MAX_AXES];
        unsigned n_left = 0;
        for (unsigned axis = 0; axis < x.n_axes; axis++)
            if (!(axes >> axis & 1U))
                shape[n_left++] = x.shape[axis];
        assert_true(tensor_reduce(REDUCE_SUM, &x, axes, true, 0, NULL, &kept, NULL));
        assert_true(tensor_reduce(REDUCE_SUM, &x, axes, false, 0, NULL, &dropped, NULL));
        float want[1024];
        assert_int_equal(kept.n_axes, x.n_axes);
        assert_true(tensor_size(&kept) <= 1024);
        naive_sums(&x, axes, &kept, want);
        assert_tensor_close(&kept, x.n_axes, kept.shape, want, 1e-6);
        assert_tensor_close(&dropped, n_left, shape, want, 1e-6);
        tensor_release(&dropped);
        tensor_release(&kept);
        tensor_release(&x);
    }
}

static void test_reduce__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct tensor x = two_rows(), y;
    struct error error;
    /* Along the first axis the numbers have to be gathered: two allocations, not one. */
    assert_reports_failed_allocations(
        tensor_reduce(REDUCE_SUM, &x, AXIS_0, false, 0, NULL, &y, &error), error);
    tensor_release(&y);
    assert_reports_failed_allocations(
        tensor_reduce(REDUCE_MAX, &x, AXIS_1, false, 0, NULL, &y, &error), error);
    tensor_release(&y);
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce__along_rows_and_columns),
        cmocka_unit_test(test_reduce__over_everything),
        cmocka_unit_test(test_reduce__a_single_number_is_its_own_sum),
        cmocka_unit_test(test_reduce__kept_axes_are_one_long),
        cmocka_unit_test(test_reduce__two_axes_around_a_kept_one),
        cmocka_unit_test(test_reduce__sums_run_in_double),
        cmocka_unit_test(test_reduce__variance_with_either_correction),
        cmocka_unit_test(test_reduce__the_first_of_equals_is_the_extreme),
        cmocka_unit_test(test_reduce__nan_and_infinity),
        cmocka_unit_test(test_reduce__all_and_any),
        cmocka_unit_test(test_reduce__the_sum_of_a_bool_tensor_counts),
        cmocka_unit_test(test_reduce__over_no_numbers),
        cmocka_unit_test(test_reduce__axes_that_do_not_exist_are_refused),
        cmocka_unit_test(test_reduce__sums_of_views_over_any_axes),
        cmocka_unit_test(test_reduce__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("reduce", tests, NULL, NULL);
}
