/* tensor/elementwise.h: arithmetic with broadcasting. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "tensor/elementwise.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

static const struct tensor untouched = {.n_axes = 77};

/* Equal, or both NaN. */
static bool same_number(float a, float b)
{
    return a == b || (isnan(a) && isnan(b));
}

struct unary_case {
    enum unary f;
    float x, want;
};

struct binary_case {
    enum binary f;
    float a, b, want;
};

/* unary_apply and tensor_unary give the wanted number; tolerance in units of its last place, as the
 * C library's functions may be off by a few. */
static void check_unary(const struct unary_case *c)
{
    struct tensor x = testing_tensor(1, SHAPE(1), &c->x), y;
    assert_true(tensor_unary(c->f, &x, NULL, &y, NULL));
    float got = unary_apply(c->f, c->x);
    if (!same_number(got, c->want))
        assert_close(got, c->want, fabsf(c->want) * 0x1p-22f);
    assert_true(same_number(y.data[0], got));
    assert_int_equal(y.is_bool, c->f == UNARY_NOT);
    tensor_release(&y);
    tensor_release(&x);
}

static void check_binary(const struct binary_case *c)
{
    struct tensor a = testing_tensor(1, SHAPE(1), &c->a), b = testing_tensor(1, SHAPE(1), &c->b), y;
    assert_true(tensor_binary(c->f, &a, &b, NULL, &y, NULL));
    float got = binary_apply(c->f, c->a, c->b);
    if (!same_number(got, c->want))
        fail_msg("operation %d of %g and %g gives %g, not %g", (int)c->f, (double)c->a,
                 (double)c->b, (double)got, (double)c->want);
    assert_true(same_number(y.data[0], got));
    tensor_release(&y);
    tensor_release(&b);
    tensor_release(&a);
}

static void test_elementwise__unary_values(void **state)
{
    (void)state;
    /* The irrational ones from tables: Abramowitz and Stegun, chapters 4 and 7. */
    static const struct unary_case cases[] = {
        {UNARY_NEG, 1.5f, -1.5f},
        {UNARY_EXP, 0, 1},
        {UNARY_EXP, 1, 2.718281828f},
        {UNARY_EXP, -2, 0.1353352832f},
        {UNARY_LOG, 1, 0},
        {UNARY_LOG, 10, 2.302585093f},
        {UNARY_SQRT, 9, 3},
        {UNARY_SQRT, 2, 1.414213562f},
        {UNARY_TANH, 0.5f, 0.4621171573f},
        {UNARY_TANH, -1, -0.7615941560f},
        {UNARY_TANH, 100, 1},
        {UNARY_RELU, 2, 2},
        {UNARY_RELU, -2, 0},
        {UNARY_ABS, -2.5f, 2.5f},
        {UNARY_ABS, 2.5f, 2.5f},
        {UNARY_ERF, 0.5f, 0.5204998778f},
        {UNARY_ERF, -1, -0.8427007929f},
        {UNARY_SIN, 1, 0.8414709848f},
        {UNARY_COS, 1, 0.5403023059f},
        {UNARY_SIGN, -3, -1},
        {UNARY_SIGN, 0, 0},
        {UNARY_SIGN, 0.1f, 1},
        {UNARY_FLOOR, 2.7f, 2},
        {UNARY_FLOOR, -0.5f, -1},
        {UNARY_ROUND, 0.5f, 0},
        {UNARY_ROUND, 1.5f, 2},
        {UNARY_ROUND, 2.5f, 2},
        {UNARY_ROUND, -1.5f, -2},
        {UNARY_ROUND, -2.4f, -2},
        {UNARY_NOT, 0, 1},
        {UNARY_NOT, -0.0f, 1},
        {UNARY_NOT, 0.5f, 0},
        /* by hand from e^1 and e^2, and from tables of the normal distribution */
        {UNARY_SIGMOID, -1, 0.2689414214f},
        {UNARY_SIGMOID, -200, 0},
        {UNARY_SILU, 2, 1.761594156f},
        {UNARY_SILU, -1, -0.2689414214f},
        {UNARY_GELU, -2, -0.04550026390f},
        {UNARY_GELU, 1, 0.8413447461f},
        {UNARY_GELU_TANH, 1, 0.8411919906f},
        {UNARY_GELU_TANH, -30, 0},
    };
    bool seen[UNARY_COUNT] = {false};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        check_unary(&cases[i]);
        seen[cases[i].f] = true;
    }
    for (size_t f = 0; f < UNARY_COUNT; f++)
        assert_true(seen[f]);
}

static void test_elementwise__unary_of_infinities_and_nan(void **state)
{
    (void)state;
    static const struct unary_case cases[] = {
        {UNARY_EXP, -INFINITY, 0},
        {UNARY_EXP, INFINITY, INFINITY},
        {UNARY_EXP, 1000, INFINITY},
        {UNARY_EXP, -1000, 0},
        {UNARY_LOG, 0, -INFINITY},
        {UNARY_LOG, -1, NAN},
        {UNARY_LOG, INFINITY, INFINITY},
        {UNARY_SQRT, -1, NAN},
        {UNARY_SQRT, INFINITY, INFINITY},
        {UNARY_TANH, -INFINITY, -1},
        {UNARY_RELU, NAN, NAN},
        {UNARY_RELU, -INFINITY, 0},
        {UNARY_RELU, INFINITY, INFINITY},
        {UNARY_ABS, -INFINITY, INFINITY},
        {UNARY_ERF, INFINITY, 1},
        {UNARY_SIN, INFINITY, NAN},
        {UNARY_COS, INFINITY, NAN},
        {UNARY_SIGN, NAN, NAN},
        {UNARY_SIGN, -INFINITY, -1},
        {UNARY_FLOOR, INFINITY, INFINITY},
        {UNARY_NOT, NAN, 0}, /* NaN is not 0 */
        {UNARY_SIGMOID, -INFINITY, 0},
        {UNARY_SILU, INFINITY, INFINITY},
        {UNARY_SILU, -INFINITY, NAN},
        {UNARY_GELU, -INFINITY, NAN},
        {UNARY_GELU_TANH, INFINITY, INFINITY},
        {UNARY_GELU_TANH, -INFINITY, NAN},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_unary(&cases[i]);
    for (enum unary f = 0; f < UNARY_COUNT; f++)
        if (f != UNARY_NOT)
            assert_true(isnan(unary_apply(f, NAN)));
}

static void test_elementwise__negation_and_rounding_keep_the_sign_of_zero(void **state)
{
    (void)state;
    assert_true(signbit(unary_apply(UNARY_NEG, 0.0f)));
    assert_false(signbit(unary_apply(UNARY_NEG, -0.0f)));
    assert_true(signbit(unary_apply(UNARY_ROUND, -0.25f)));
    assert_false(signbit(unary_apply(UNARY_ABS, -0.0f)));
}

static void test_elementwise__binary_values(void **state)
{
    (void)state;
    static const struct binary_case cases[] = {
        {BINARY_ADD, 1, 2, 3},
        {BINARY_SUB, 1, 2, -1},
        {BINARY_MUL, 3, -2, -6},
        {BINARY_DIV, 1, 4, 0.25f},
        {BINARY_POW, 2, 10, 1024},
        {BINARY_POW, -2, 3, -8},
        {BINARY_POW, 4, 0.5f, 2},
        {BINARY_POW, 2, -1, 0.5f},
        {BINARY_MAX, 1, 2, 2},
        {BINARY_MAX, -1, -2, -1},
        {BINARY_MIN, 1, 2, 1},
        {BINARY_MIN, -1, -2, -2},
        {BINARY_EQ, 1, 1, 1},
        {BINARY_EQ, 1, 2, 0},
        {BINARY_EQ, 0.0f, -0.0f, 1},
        {BINARY_NE, 1, 1, 0},
        {BINARY_NE, 1, 2, 1},
        {BINARY_LT, 1, 2, 1},
        {BINARY_LT, 2, 2, 0},
        {BINARY_LE, 2, 2, 1},
        {BINARY_LE, 3, 2, 0},
        {BINARY_GT, 3, 2, 1},
        {BINARY_GT, 2, 2, 0},
        {BINARY_GE, 2, 2, 1},
        {BINARY_GE, 1, 2, 0},
        {BINARY_AND, 1, 0, 0},
        {BINARY_AND, 0, 0.5f, 0},
        {BINARY_AND, -1, 0.5f, 1},
        {BINARY_AND, 0, -0.0f, 0},
        {BINARY_OR, 0, -0.0f, 0},
        {BINARY_OR, 0, 0.5f, 1},
        {BINARY_OR, 2, 0, 1},
        /* slopes at 0 are 1/4, and 1/2 for x times a share; far away they are 1 and 0 */
        {BINARY_SIGMOID_BACK, 0, 8, 2},
        {BINARY_SIGMOID_BACK, INFINITY, 1, 0},
        {BINARY_SILU_BACK, 0, 3, 1.5f},
        {BINARY_SILU_BACK, INFINITY, 2, 2},
        {BINARY_GELU_BACK, 0, 3, 1.5f},
        {BINARY_GELU_BACK, -INFINITY, 2, 0},
        {BINARY_GELU_TANH_BACK, 0, 3, 1.5f},
        {BINARY_GELU_TANH_BACK, 1e30f, 2, 2},
    };
    bool seen[BINARY_COUNT] = {false};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        check_binary(&cases[i]);
        seen[cases[i].f] = true;
    }
    for (size_t f = 0; f < BINARY_COUNT; f++)
        assert_true(seen[f]);
}

static void test_elementwise__binary_of_infinities_and_nan(void **state)
{
    (void)state;
    static const struct binary_case cases[] = {
        {BINARY_DIV, 1, 0, INFINITY},
        {BINARY_DIV, 1, -0.0f, -INFINITY},
        {BINARY_DIV, 0, 0, NAN},
        {BINARY_DIV, 1, INFINITY, 0},
        {BINARY_SUB, INFINITY, INFINITY, NAN},
        {BINARY_ADD, -INFINITY, 1, -INFINITY},
        {BINARY_MUL, 0, INFINITY, NAN},
        {BINARY_MUL, 1e30f, 1e30f, INFINITY},
        {BINARY_POW, 0, 0, 1}, /* as numpy, PyTorch and C's pow() */
        {BINARY_POW, NAN, 0, 1},
        {BINARY_POW, -8, 1.0f / 3, NAN},
        {BINARY_POW, 0, -1, INFINITY},
        {BINARY_MAX, NAN, 1, NAN},
        {BINARY_MAX, 1, NAN, NAN},
        {BINARY_MAX, -INFINITY, -1, -1},
        {BINARY_MIN, NAN, 1, NAN},
        {BINARY_MIN, 1, NAN, NAN},
        {BINARY_MIN, -INFINITY, -1, -INFINITY},
        {BINARY_EQ, NAN, NAN, 0},
        {BINARY_NE, NAN, NAN, 1},
        {BINARY_LT, NAN, 1, 0},
        {BINARY_LE, NAN, NAN, 0},
        {BINARY_GT, 1, NAN, 0},
        {BINARY_GE, NAN, NAN, 0},
        {BINARY_EQ, INFINITY, INFINITY, 1},
        {BINARY_LT, -INFINITY, INFINITY, 1},
        {BINARY_AND, NAN, 1, 1}, /* NaN differs from 0 */
        {BINARY_OR, 0, NAN, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_binary(&cases[i]);
}

static void test_elementwise__comparisons_give_bool_tensors(void **state)
{
    (void)state;
    static const bool gives_bool[BINARY_COUNT] = {
        [BINARY_EQ] = true, [BINARY_NE] = true, [BINARY_LT] = true,  [BINARY_LE] = true,
        [BINARY_GT] = true, [BINARY_GE] = true, [BINARY_AND] = true, [BINARY_OR] = true};
    struct tensor x = testing_tensor(1, SHAPE(2), (float[]){1, 0}), y;
    x.is_bool = true;
    for (enum binary f = 0; f < BINARY_COUNT; f++) {
        assert_true(tensor_binary(f, &x, &x, NULL, &y, NULL));
        assert_int_equal(y.is_bool, gives_bool[f]);
        tensor_release(&y);
    }
    for (enum unary f = 0; f < UNARY_COUNT; f++) { /* -True is -1, no bool */
        assert_true(tensor_unary(f, &x, NULL, &y, NULL));
        assert_int_equal(y.is_bool, f == UNARY_NOT);
        tensor_release(&y);
    }
    tensor_release(&x);
}

/* ---- broadcasting and views ---- */

static void test_elementwise__a_row_and_a_column_make_a_table(void **state)
{
    (void)state;
    struct tensor row = testing_tensor(1, SHAPE(3), (float[]){1, 2, 3});
    struct tensor column = testing_tensor(2, SHAPE(2, 1), (float[]){10, 20});
    struct tensor number = testing_tensor(0, NULL, (float[]){100}), y;
    assert_true(tensor_binary(BINARY_SUB, &row, &column, NULL, &y, NULL));
    assert_tensor_close(&y, 2, SHAPE(2, 3), (float[]){-9, -8, -7, -19, -18, -17}, 0);
    assert_true(tensor_is_dense(&y));
    tensor_release(&y);
    assert_true(tensor_binary(BINARY_SUB, &number, &row, NULL, &y, NULL));
    assert_tensor_close(&y, 1, SHAPE(3), (float[]){99, 98, 97}, 0);
    tensor_release(&y);
    assert_true(tensor_binary(BINARY_ADD, &number, &number, NULL, &y, NULL));
    assert_tensor_close(&y, 0, NULL, (float[]){200}, 0);
    tensor_release(&y);
    tensor_release(&number);
    tensor_release(&column);
    tensor_release(&row);
}

/* The element of x that numpy's broadcasting puts at index of a result with n_axes axes. */
static float broadcast_at(const struct tensor *x, unsigned n_axes, const size_t *index)
{
    size_t own[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < x->n_axes; axis++) {
        size_t at = index[n_axes - x->n_axes + axis];
        own[axis] = x->shape[axis] == 1 ? 0 : at;
    }
    return tensor_at(x, own);
}

/* An operand for a result of the given shape: some of its last axes, some of them 1, sometimes
 * stored in another order or backwards. */
static struct tensor random_operand(uint64_t *seed, unsigned n_axes, const size_t *shape)
{
    unsigned own = (unsigned)testing_between(seed, 0, n_axes);
    size_t own_shape[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < own; axis++)
        own_shape[axis] = testing_between(seed, 0, 2) == 0 ? 1 : shape[n_axes - own + axis];
    if (own < 2 || testing_between(seed, 0, 1) == 0)
        return testing_random_tensor(seed, own, own_shape);
    size_t last = own_shape[own - 1];
    own_shape[own - 1] = own_shape[0];
    own_shape[0] = last;
    struct tensor x = testing_random_tensor(seed, own, own_shape), backwards;
    struct tensor turned = tensor_transpose(&x, 0, own - 1);
    size_t length = turned.shape[0];
    assert_true(
        tensor_slice(&turned, 0, length > 0 ? length - 1 : 0, length, -1, &backwards, NULL));
    tensor_release(&turned);
    tensor_release(&x);
    return backwards;
}

static void test_elementwise__broadcasting_up_to_six_axes(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 300; round++) {
        unsigned n_axes = (unsigned)testing_between(&seed, 0, 6);
        size_t shape[TENSOR_MAX_AXES], index[TENSOR_MAX_AXES];
        for (unsigned axis = 0; axis < n_axes; axis++)
            shape[axis] = testing_between(&seed, round % 10 == 0 ? 0 : 1, 3);
        struct tensor a = random_operand(&seed, n_axes, shape);
        struct tensor b = random_operand(&seed, n_axes, shape), c, sum, chosen, condition;
        assert_true(tensor_zeros(n_axes, shape, &c, NULL)); /* it sets the result's shape */
        assert_true(tensor_binary(BINARY_LT, &a, &c, NULL, &condition, NULL));
        assert_true(tensor_where(&condition, &a, &b, NULL, &chosen, NULL));
        assert_true(tensor_binary(BINARY_SUB, &a, &b, NULL, &sum, NULL));
        assert_true(tensor_same_shape(&chosen, &c));
        for (size_t i = 0; i < tensor_size(&chosen); i++) {
            tensor_index_of(&chosen, i, index);
            float left = broadcast_at(&a, n_axes, index), right = broadcast_at(&b, n_axes, index);
            assert_close(chosen.data[i], left < 0 ? left : right, 0);
            assert_close(broadcast_at(&sum, n_axes, index), left - right, 0);
        }
        struct tensor *const all[] = {&a, &b, &c, &sum, &chosen, &condition};
        for (size_t i = 0; i < 6; i++)
            tensor_release(all[i]);
    }
}

static void test_elementwise__unary_reads_any_view(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(2, 3), (float[]){1, 2, 3, 4, 5, 6}), view, wide, y;
    assert_true(tensor_slice(&x, 1, 2, 2, -2, &view, NULL)); /* columns 2 and 0 */
    assert_true(tensor_broadcast(&view, 3, SHAPE(2, 2, 2), &wide, NULL));
    assert_true(tensor_unary(UNARY_NEG, &wide, NULL, &y, NULL));
    assert_tensor_close(&y, 3, SHAPE(2, 2, 2), (float[]){-3, -1, -6, -4, -3, -1, -6, -4}, 0);
    assert_true(tensor_is_dense(&y));
    tensor_release(&y);
    tensor_release(&wide);
    tensor_release(&view);
    tensor_release(&x);
}

static void test_elementwise__axes_of_zero(void **state)
{
    (void)state;
    struct tensor none, row = testing_tensor(1, SHAPE(3), (float[]){1, 2, 3}), y;
    assert_true(tensor_zeros(2, SHAPE(0, 1), &none, NULL));
    assert_true(tensor_unary(UNARY_EXP, &none, NULL, &y, NULL));
    assert_tensor_close(&y, 2, SHAPE(0, 1), NULL, 0);
    tensor_release(&y);
    assert_true(tensor_binary(BINARY_ADD, &none, &row, NULL, &y, NULL));
    assert_tensor_close(&y, 2, SHAPE(0, 3), NULL, 0);
    tensor_release(&y);
    assert_true(tensor_where(&row, &none, &row, NULL, &y, NULL));
    assert_tensor_close(&y, 2, SHAPE(0, 3), NULL, 0);
    tensor_release(&y);
    tensor_release(&row);
    tensor_release(&none);
}

static void test_elementwise__shapes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    struct tensor a = testing_tensor(2, SHAPE(2, 3), (float[6]){0});
    struct tensor b = testing_tensor(1, SHAPE(2), (float[2]){0}), y = untouched;
    struct error error;
    assert_error(tensor_binary(BINARY_ADD, &a, &b, NULL, &y, &error), error, ERR_SHAPE);
    assert_says(error, "2x3");
    assert_says(error, "(2,)");
    assert_error(tensor_where(&a, &a, &b, NULL, &y, &error), error, ERR_SHAPE);
    assert_error(tensor_where(&b, &a, &a, NULL, &y, &error), error, ERR_SHAPE);
    assert_memory_equal(&y, &untouched, sizeof y);
    tensor_release(&b);
    tensor_release(&a);
}

static void test_elementwise__results_over_the_limit_are_refused(void **state)
{
    (void)state;
    /* Two long thin views of one number; their table would have 2^40 entries. */
    struct tensor one = testing_tensor(2, SHAPE(1, 1), (float[]){1}), tall, wide, y = untouched;
    struct error error;
    size_t length = (size_t)1 << 20;
    assert_true(tensor_broadcast(&one, 2, SHAPE(length, 1), &tall, NULL));
    assert_true(tensor_broadcast(&one, 2, SHAPE(1, length), &wide, NULL));
    assert_error(tensor_binary(BINARY_ADD, &tall, &wide, NULL, &y, &error), error, ERR_LIMIT);
    assert_error(tensor_where(&one, &tall, &wide, NULL, &y, &error), error, ERR_LIMIT);
    assert_memory_equal(&y, &untouched, sizeof y);
    tensor_release(&wide);
    tensor_release(&tall);
    tensor_release(&one);
}

/* where. */

static void test_elementwise__where_ignores_what_it_does_not_choose(void **state)
{
    (void)state;
    struct tensor condition = testing_tensor(1, SHAPE(4), (float[]){1, 0, -2, NAN});
    struct tensor a = testing_tensor(1, SHAPE(4), (float[]){1, NAN, 3, 4});
    struct tensor b = testing_tensor(1, SHAPE(4), (float[]){NAN, 20, INFINITY, NAN}), y;
    assert_true(tensor_where(&condition, &a, &b, NULL, &y, NULL));
    assert_tensor_close(&y, 1, SHAPE(4), (float[]){1, 20, 3, 4}, 0);
    assert_false(y.is_bool);
    tensor_release(&y);
    tensor_release(&b);
    tensor_release(&a);
    tensor_release(&condition);
}

static void test_elementwise__where_of_two_bools_is_bool(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, SHAPE(2), (float[]){1, 0}), y, truth = tensor_share(&x);
    truth.is_bool = true;
    assert_true(tensor_where(&x, &truth, &truth, NULL, &y, NULL));
    assert_true(y.is_bool);
    tensor_release(&y);
    assert_true(tensor_where(&truth, &truth, &x, NULL, &y, NULL));
    assert_false(y.is_bool);
    tensor_release(&y);
    tensor_release(&truth);
    tensor_release(&x);
}

static void test_elementwise__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct tensor row = testing_tensor(1, SHAPE(3), (float[]){1, 2, 3});
    struct tensor column = testing_tensor(2, SHAPE(2, 1), (float[]){1, 2}), y;
    struct error error;
    assert_reports_failed_allocations(tensor_unary(UNARY_EXP, &row, NULL, &y, &error), error);
    tensor_release(&y);
    assert_reports_failed_allocations(tensor_binary(BINARY_ADD, &row, &column, NULL, &y, &error),
                                      error);
    tensor_release(&y);
    assert_reports_failed_allocations(tensor_where(&row, &row, &column, NULL, &y, &error), error);
    tensor_release(&y);
    y = untouched;
    testing_fail_allocation(1);
    assert_false(tensor_binary(BINARY_ADD, &row, &column, NULL, &y, &error));
    testing_fail_allocation(0);
    assert_memory_equal(&y, &untouched, sizeof y);
    tensor_release(&column);
    tensor_release(&row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elementwise__unary_values),
        cmocka_unit_test(test_elementwise__unary_of_infinities_and_nan),
        cmocka_unit_test(test_elementwise__negation_and_rounding_keep_the_sign_of_zero),
        cmocka_unit_test(test_elementwise__binary_values),
        cmocka_unit_test(test_elementwise__binary_of_infinities_and_nan),
        cmocka_unit_test(test_elementwise__comparisons_give_bool_tensors),
        cmocka_unit_test(test_elementwise__a_row_and_a_column_make_a_table),
        cmocka_unit_test(test_elementwise__broadcasting_up_to_six_axes),
        cmocka_unit_test(test_elementwise__unary_reads_any_view),
        cmocka_unit_test(test_elementwise__axes_of_zero),
        cmocka_unit_test(test_elementwise__shapes_that_do_not_fit_are_refused),
        cmocka_unit_test(test_elementwise__results_over_the_limit_are_refused),
        cmocka_unit_test(test_elementwise__where_ignores_what_it_does_not_choose),
        cmocka_unit_test(test_elementwise__where_of_two_bools_is_bool),
        cmocka_unit_test(test_elementwise__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("elementwise", tests, NULL, NULL);
}
