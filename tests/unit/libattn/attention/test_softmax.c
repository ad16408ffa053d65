/* attention/softmax.h */
#include "testing.h"

#include <math.h>

#include "attention/softmax.h"
#include "slope.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

static const float LN_3 = 1.09861229f;

typedef bool softmax_variant(const struct tensor *x, ptrdiff_t dim,
                             const volatile sig_atomic_t *stop, struct tensor *ret,
                             struct error *reterr);

/* f of one row of n numbers gives these. */
static void check_row(softmax_variant *f, size_t n, const float *x, const float *want,
                      double tolerance)
{
    struct tensor row = testing_tensor(1, &n, x), got;
    struct error error;
    if (!f(&row, -1, NULL, &got, &error))
        fail_msg("%s", error.text);
    assert_tensor_close(&got, 1, &n, want, tolerance);
    tensor_release(&row);
    tensor_release(&got);
}

static void check_row_is_nan(softmax_variant *f, size_t n, const float *x)
{
    struct tensor row = testing_tensor(1, &n, x), got;
    assert_true(f(&row, -1, NULL, &got, NULL));
    for (size_t j = 0; j < n; j++)
        assert_true(isnan(got.data[j]));
    tensor_release(&row);
    tensor_release(&got);
}

/* e^0 = 1 and e^ln(3) = 3 of 4 in all. */
static void test_softmax__by_hand(void **state)
{
    (void)state;
    check_row(softmax_forward, 2, ROW(0, LN_3), ROW(0.25f, 0.75f), 1e-7);
    check_row(softmax_weights, 2, ROW(0, LN_3), ROW(0.25f, 0.75f), 1e-7);
    check_row(softmax_forward, 1, ROW(-7), ROW(1), 0);
}

static void test_softmax__textbook_rows_to_four_places(void **state)
{
    (void)state;
    check_row(softmax_forward, 3, ROW(0.1f, 0.2f, 0.3f), ROW(0.3006f, 0.3322f, 0.3672f), 5e-5);
    check_row(softmax_forward, 3, ROW(10, 20, 30), ROW(0, 0, 1), 5e-5);
}

/* Only differences count: e^-1 / (1 + e^-1) = 0.26894142. */
static void test_softmax__large_scores_do_not_overflow(void **state)
{
    (void)state;
    check_row(softmax_forward, 2, ROW(10000, 9999), ROW(0.73105858f, 0.26894142f), 1e-7);
    check_row(softmax_forward, 2, ROW(-10000, -9999), ROW(0.26894142f, 0.73105858f), 1e-7);
    check_row(softmax_forward, 2, ROW(10000, -10000), ROW(1, 0), 0);
    check_row(softmax_forward, 2, ROW(-3e38f, -3e38f), ROW(0.5f, 0.5f), 0);
    check_row(softmax_forward, 2, ROW(3e38f, -3e38f), ROW(1, 0), 0);
}

static void test_softmax__minus_infinity_weighs_nothing(void **state)
{
    (void)state;
    check_row(softmax_forward, 3, ROW(-INFINITY, 0, LN_3), ROW(0, 0.25f, 0.75f), 1e-7);
    check_row(softmax_weights, 3, ROW(-INFINITY, 0, LN_3), ROW(0, 0.25f, 0.75f), 1e-7);
    check_row(log_softmax_forward, 2, ROW(-INFINITY, 5), ROW(-INFINITY, 0), 0);
}

static void test_softmax__all_minus_infinity_is_nan_as_in_pytorch(void **state)
{
    (void)state;
    check_row_is_nan(softmax_forward, 2, ROW(-INFINITY, -INFINITY));
    check_row_is_nan(log_softmax_forward, 2, ROW(-INFINITY, -INFINITY));
}

static void test_softmax__all_minus_infinity_weighs_zero_in_attention(void **state)
{
    (void)state;
    check_row(softmax_weights, 2, ROW(-INFINITY, -INFINITY), ROW(0, 0), 0);
}

static void test_softmax__nan_or_infinity_spoils_the_row(void **state)
{
    (void)state;
    softmax_variant *const variants[] = {softmax_forward, softmax_weights, log_softmax_forward};
    for (size_t i = 0; i < 3; i++) {
        check_row_is_nan(variants[i], 3, ROW(0, NAN, 1));
        check_row_is_nan(variants[i], 3, ROW(0, INFINITY, 1));
        check_row_is_nan(variants[i], 2, ROW(NAN, -INFINITY));
    }
}

static void test_softmax__spoilt_row_leaves_its_neighbours(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(2, 2), ROW(NAN, 0, 0, LN_3)), y;
    assert_true(softmax_forward(&x, 1, NULL, &y, NULL));
    assert_true(isnan(y.data[0]) && isnan(y.data[1]));
    assert_close(y.data[2], 0.25, 1e-7);
    assert_close(y.data[3], 0.75, 1e-7);
    tensor_release(&x);
    tensor_release(&y);
}

/* ln(1/4) = -1.38629436, ln(3/4) = -0.28768207. */
static void test_softmax__log_by_hand(void **state)
{
    (void)state;
    check_row(log_softmax_forward, 2, ROW(0, LN_3), ROW(-1.38629436f, -0.28768207f), 1e-7);
    /* Here softmax is 0 in float32, and its logarithm would be -inf. */
    check_row(log_softmax_forward, 2, ROW(0, 1000), ROW(-1000, 0), 0);
}

/* Rows of a (2, 3): columns 0, 1, 2 hold (0, ln 3), (ln 3, 0), (5, 5). */
static void test_softmax__along_any_axis(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(2, 3), ROW(0, LN_3, 5, LN_3, 0, 5)), y;
    const float *want = ROW(0.25f, 0.75f, 0.5f, 0.75f, 0.25f, 0.5f);
    assert_true(softmax_forward(&x, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 2, SHAPE(2, 3), want, 1e-7);
    assert_true(tensor_is_dense(&y));
    tensor_release(&y);
    assert_true(softmax_forward(&x, -2, NULL, &y, NULL));
    assert_tensor_close(&y, 2, SHAPE(2, 3), want, 1e-7);
    tensor_release(&y);
    /* The same rows through a view: the transpose, along its last axis. */
    struct tensor view = tensor_transpose(&x, 0, 1);
    assert_true(softmax_forward(&view, -1, NULL, &y, NULL));
    assert_tensor_close(&y, 2, SHAPE(3, 2), ROW(0.25f, 0.75f, 0.75f, 0.25f, 0.5f, 0.5f), 1e-7);
    tensor_release(&y);
    tensor_release(&view);
    tensor_release(&x);
}

/* Position (a, b, c) of a (2, 3, 4) holds ln(3) when b is 2, else 0: 1/5, 1/5, 3/5 along b. */
static void test_softmax__along_a_middle_axis(void **state)
{
    (void)state;
    struct tensor x, y;
    assert_true(tensor_zeros(3, SHAPE(2, 3, 4), &x, NULL));
    for (size_t at = 0; at < 24; at++)
        x.data[at] = at / 4 % 3 == 2 ? LN_3 : 0;
    assert_true(softmax_forward(&x, 1, NULL, &y, NULL));
    for (size_t at = 0; at < 24; at++)
        assert_close(y.data[at], at / 4 % 3 == 2 ? 0.6 : 0.2, 1e-7);
    tensor_release(&x);
    tensor_release(&y);
}

static void test_softmax__single_number_is_a_row_of_one(void **state)
{
    (void)state;
    struct tensor x, y;
    assert_true(tensor_scalar(5, &x, NULL));
    assert_true(softmax_forward(&x, -1, NULL, &y, NULL));
    assert_tensor_close(&y, 0, NULL, ROW(1), 0);
    tensor_release(&y);
    assert_true(log_softmax_forward(&x, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 0, NULL, ROW(0), 0);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_softmax__no_numbers_give_no_numbers(void **state)
{
    (void)state;
    struct tensor x, y;
    assert_true(tensor_zeros(2, SHAPE(3, 0), &x, NULL));
    assert_true(softmax_forward(&x, 1, NULL, &y, NULL));
    assert_true(tensor_same_shape(&x, &y));
    tensor_release(&y);
    assert_true(softmax_forward(&x, 0, NULL, &y, NULL));
    tensor_release(&y);
    tensor_release(&x);
}

static void test_softmax__missing_axis(void **state)
{
    (void)state;
    struct tensor x, y;
    struct error error;
    assert_true(tensor_zeros(2, SHAPE(2, 2), &x, NULL));
    assert_error(softmax_forward(&x, 2, NULL, &y, &error), error, ERR_SHAPE);
    assert_says(error, "softmax");
    assert_error(log_softmax_forward(&x, -3, NULL, &y, &error), error, ERR_SHAPE);
    tensor_release(&x);
}

static void test_softmax__row_may_be_overwritten(void **state)
{
    (void)state;
    float row[] = {0, LN_3, -INFINITY};
    softmax_row(row, 3, row);
    assert_close(row[0], 0.25, 1e-7);
    assert_close(row[1], 0.75, 1e-7);
    assert_close(row[2], 0, 0);
}

/* y = (1/4, 3/4), d_y = (1, 0): sum(d_y y) = 1/4, so d_x = (1/4 * 3/4, 3/4 * -1/4).
 * For z = log y: d_x = d_z - y * sum(d_z) = (1 - 1/4, -3/4). */
static void test_softmax__gradients_by_hand(void **state)
{
    (void)state;
    struct tensor y = testing_tensor(1, SHAPE(2), ROW(0.25f, 0.75f));
    struct tensor z = testing_tensor(1, SHAPE(2), ROW(-1.38629436f, -0.28768207f));
    struct tensor d_y = testing_tensor(1, SHAPE(2), ROW(1, 0)), d_x;
    assert_true(softmax_backward(&y, &d_y, 0, NULL, &d_x, NULL));
    assert_tensor_close(&d_x, 1, SHAPE(2), ROW(0.1875f, -0.1875f), 1e-7);
    tensor_release(&d_x);
    assert_true(log_softmax_backward(&z, &d_y, 0, NULL, &d_x, NULL));
    assert_tensor_close(&d_x, 1, SHAPE(2), ROW(0.75f, -0.75f), 1e-7);
    tensor_release(&d_x);
    tensor_release(&y);
    tensor_release(&z);
    tensor_release(&d_y);
}

struct softmax_loss {
    softmax_variant *forward;
    const struct tensor *x, *direction;
    ptrdiff_t dim;
};

static double softmax_loss(const void *context)
{
    const struct softmax_loss *loss = context;
    struct tensor y;
    assert_true(loss->forward(loss->x, loss->dim, NULL, &y, NULL));
    double total = weighted_total(&y, loss->direction);
    tensor_release(&y);
    return total;
}

static void test_softmax__gradients_are_slopes(void **state)
{
    (void)state;
    uint64_t seed = 1;
    struct tensor x = testing_random_tensor(&seed, 3, SHAPE(2, 3, 4)), y, d_x;
    struct tensor direction = testing_random_tensor(&seed, 3, SHAPE(2, 3, 4));
    for (ptrdiff_t dim = 0; dim < 3; dim++) {
        struct softmax_loss loss = {softmax_forward, &x, &direction, dim};
        assert_true(softmax_forward(&x, dim, NULL, &y, NULL));
        assert_true(softmax_backward(&y, &direction, dim, NULL, &d_x, NULL));
        check_slopes(&d_x, &x, softmax_loss, &loss);
        tensor_release(&y);
        tensor_release(&d_x);
        loss.forward = log_softmax_forward;
        assert_true(log_softmax_forward(&x, dim, NULL, &y, NULL));
        assert_true(log_softmax_backward(&y, &direction, dim, NULL, &d_x, NULL));
        check_slopes(&d_x, &x, softmax_loss, &loss);
        tensor_release(&y);
        tensor_release(&d_x);
    }
    tensor_release(&x);
    tensor_release(&direction);
}

/* Booleans count as 0 and 1, but what comes out of them is no boolean. */
static void test_softmax__of_booleans_is_no_boolean(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, SHAPE(2), ROW(1, 1)), y, d_x;
    x.is_bool = true;
    assert_true(softmax_forward(&x, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 1, SHAPE(2), ROW(0.5f, 0.5f), 0);
    assert_false(y.is_bool);
    assert_true(softmax_backward(&y, &x, 0, NULL, &d_x, NULL));
    assert_tensor_close(&d_x, 1, SHAPE(2), ROW(0, 0), 0);
    assert_false(d_x.is_bool);
    tensor_release(&x);
    tensor_release(&y);
    tensor_release(&d_x);
}

static void test_softmax__gradient_of_another_shape(void **state)
{
    (void)state;
    struct tensor y, d_y, d_x;
    struct error error;
    assert_true(tensor_zeros(2, SHAPE(2, 3), &y, NULL));
    assert_true(tensor_zeros(2, SHAPE(3, 2), &d_y, NULL));
    assert_error(softmax_backward(&y, &d_y, 1, NULL, &d_x, &error), error, ERR_SHAPE);
    assert_says(error, "y is 2x3 and its gradient is 3x2");
    assert_error(log_softmax_backward(&y, &d_y, 1, NULL, &d_x, &error), error, ERR_SHAPE);
    tensor_release(&y);
    tensor_release(&d_y);
}

static void test_softmax__failed_allocations(void **state)
{
    (void)state;
    struct tensor x, y, d_x;
    struct error error;
    assert_true(tensor_zeros(2, SHAPE(2, 3), &x, NULL));
    assert_reports_failed_allocations(softmax_forward(&x, 0, NULL, &y, &error), error);
    assert_reports_failed_allocations(softmax_backward(&y, &x, 0, NULL, &d_x, &error), error);
    tensor_release(&d_x);
    tensor_release(&y);
    tensor_release(&x);
    assert_true(tensor_scalar(1, &x, NULL));
    assert_reports_failed_allocations(softmax_forward(&x, 0, NULL, &y, &error), error);
    tensor_release(&y);
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_softmax__by_hand),
        cmocka_unit_test(test_softmax__textbook_rows_to_four_places),
        cmocka_unit_test(test_softmax__large_scores_do_not_overflow),
        cmocka_unit_test(test_softmax__minus_infinity_weighs_nothing),
        cmocka_unit_test(test_softmax__all_minus_infinity_is_nan_as_in_pytorch),
        cmocka_unit_test(test_softmax__all_minus_infinity_weighs_zero_in_attention),
        cmocka_unit_test(test_softmax__nan_or_infinity_spoils_the_row),
        cmocka_unit_test(test_softmax__spoilt_row_leaves_its_neighbours),
        cmocka_unit_test(test_softmax__log_by_hand),
        cmocka_unit_test(test_softmax__along_any_axis),
        cmocka_unit_test(test_softmax__along_a_middle_axis),
        cmocka_unit_test(test_softmax__single_number_is_a_row_of_one),
        cmocka_unit_test(test_softmax__no_numbers_give_no_numbers),
        cmocka_unit_test(test_softmax__missing_axis),
        cmocka_unit_test(test_softmax__row_may_be_overwritten),
        cmocka_unit_test(test_softmax__gradients_by_hand),
        cmocka_unit_test(test_softmax__gradients_are_slopes),
        cmocka_unit_test(test_softmax__of_booleans_is_no_boolean),
        cmocka_unit_test(test_softmax__gradient_of_another_shape),
        cmocka_unit_test(test_softmax__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
