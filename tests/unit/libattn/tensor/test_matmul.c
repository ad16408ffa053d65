/* tensor/matmul.h: matrix products and their gradients. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/matmul.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

static const struct tensor untouched = {.n_axes = 77};

static void check_product(const struct tensor *a, const struct tensor *b, unsigned n_axes,
                          const size_t *shape, const float *want)
{
    struct tensor y;
    struct error error;
    if (!tensor_matmul(a, b, NULL, &y, &error))
        fail_msg("%s", error.text);
    assert_tensor_close(&y, n_axes, shape, want, 0);
    assert_true(tensor_is_dense(&y));
    assert_false(y.is_bool);
    tensor_release(&y);
}

static void test_matmul__two_matrices(void **state)
{
    (void)state;
    struct tensor a = testing_tensor(2, SHAPE(2, 3), (float[]){1, 2, 3, 4, 5, 6});
    struct tensor b = testing_tensor(2, SHAPE(3, 2), (float[]){7, 8, 9, 10, 11, 12});
    /* 1*7 + 2*9 + 3*11 = 58, 1*8 + 2*10 + 3*12 = 64, 4*7 + 5*9 + 6*11 = 139, 4*8 + 5*10 + 6*12 =
     * 154 */
    check_product(&a, &b, 2, SHAPE(2, 2), (float[]){58, 64, 139, 154});
    struct tensor a_t = tensor_transpose(&a, 0, 1);
    /* a a^T: 14, 32; 32, 77 */
    check_product(&a, &a_t, 2, SHAPE(2, 2), (float[]){14, 32, 32, 77});
    tensor_release(&a_t);
    tensor_release(&b);
    tensor_release(&a);
}

static void test_matmul__vectors_lose_the_axis_they_were_given(void **state)
{
    (void)state;
    struct tensor v = testing_tensor(1, SHAPE(2), (float[]){1, 10});
    struct tensor m = testing_tensor(2, SHAPE(2, 3), (float[]){1, 2, 3, 4, 5, 6});
    struct tensor m_t = tensor_transpose(&m, 0, 1), batch;
    check_product(&v, &v, 0, NULL, (float[]){101});
    check_product(&v, &m, 1, SHAPE(3), (float[]){41, 52, 63});
    check_product(&m_t, &v, 1, SHAPE(3), (float[]){41, 52, 63});
    assert_true(tensor_broadcast(&m, 4, SHAPE(2, 1, 2, 3), &batch, NULL));
    check_product(&v, &batch, 3, SHAPE(2, 1, 3), (float[]){41, 52, 63, 41, 52, 63});
    tensor_release(&batch);
    assert_true(tensor_broadcast(&m_t, 3, SHAPE(2, 3, 2), &batch, NULL));
    check_product(&batch, &v, 2, SHAPE(2, 3), (float[]){41, 52, 63, 41, 52, 63});
    tensor_release(&batch);
    tensor_release(&m_t);
    tensor_release(&m);
    tensor_release(&v);
}

static void test_matmul__leading_axes_broadcast(void **state)
{
    (void)state;
    /* Rows (1, 2) and (3, 4), each against columns (1, 0), (0, 1), (1, 1): one number a pair. */
    struct tensor a = testing_tensor(4, SHAPE(2, 1, 1, 2), (float[]){1, 2, 3, 4});
    struct tensor b = testing_tensor(3, SHAPE(3, 2, 1), (float[]){1, 0, 0, 1, 1, 1});
    check_product(&a, &b, 4, SHAPE(2, 3, 1, 1), (float[]){1, 2, 3, 3, 4, 7});
    tensor_release(&b);
    tensor_release(&a);
}

static void test_matmul__sums_run_in_double(void **state)
{
    (void)state;
    struct tensor a = testing_tensor(2, SHAPE(1, 3), (float[]){0x1p24f, 1, -0x1p24f});
    struct tensor b = testing_tensor(2, SHAPE(3, 1), (float[]){1, 1, 1});
    check_product(&a, &b, 2, SHAPE(1, 1), (float[]){1}); /* float32 would give 0 */
    tensor_release(&b);
    tensor_release(&a);
}

static void test_matmul__axes_of_zero(void **state)
{
    (void)state;
    struct tensor a, b;
    assert_true(tensor_zeros(2, SHAPE(2, 0), &a, NULL));
    assert_true(tensor_zeros(2, SHAPE(0, 3), &b, NULL));
    check_product(&a, &b, 2, SHAPE(2, 3), (float[6]){0}); /* sums of nothing */
    struct tensor a_t = tensor_transpose(&a, 0, 1), b_t = tensor_transpose(&b, 0, 1);
    check_product(&a_t, &a, 2, SHAPE(0, 0), NULL);
    check_product(&b, &b_t, 2, SHAPE(0, 0), NULL);
    tensor_release(&b_t);
    tensor_release(&a_t);
    tensor_release(&b);
    tensor_release(&a);
    assert_true(tensor_zeros(3, SHAPE(0, 2, 2), &a, NULL));
    assert_true(tensor_zeros(2, SHAPE(2, 3), &b, NULL));
    check_product(&a, &b, 3, SHAPE(0, 2, 3), NULL);
    tensor_release(&b);
    tensor_release(&a);
    assert_true(tensor_zeros(1, SHAPE(0), &a, NULL));
    check_product(&a, &a, 0, NULL, (float[]){0});
    tensor_release(&a);
}

/* ---- against the definition ---- */

/* A dense tensor of random numbers, or a view of one: axes exchanged, one backwards. */
static struct tensor random_operand(uint64_t *seed, unsigned n_axes, const size_t *shape)
{
    if (testing_between(seed, 0, 1) == 0)
        return testing_random_tensor(seed, n_axes, shape);
    size_t stored[TENSOR_MAX_AXES];
    memcpy(stored, shape, n_axes * sizeof *shape);
    unsigned a = (unsigned)testing_between(seed, 0, n_axes - 1);
    unsigned b = (unsigned)testing_between(seed, 0, n_axes - 1);
    stored[a] = shape[b];
    stored[b] = shape[a];
    struct tensor x = testing_random_tensor(seed, n_axes, stored), backwards;
    struct tensor turned = tensor_transpose(&x, a, b);
    assert_true(tensor_slice(&turned, a, shape[a] - 1, shape[a], -1, &backwards, NULL));
    tensor_release(&turned);
    tensor_release(&x);
    return backwards;
}

/* The random sizes of one product; the axes before the last two are 1 or the common length. */
struct sizes {
    unsigned n_axes_a, n_axes_b, n_batch_axes;
    size_t batch[TENSOR_MAX_AXES], n, k, m;
    size_t a[TENSOR_MAX_AXES], b[TENSOR_MAX_AXES];
};

static void one_side(uint64_t *seed, const struct sizes *s, unsigned n_axes, size_t *shape)
{
    unsigned n_batch = n_axes - 2;
    for (unsigned axis = 0; axis < n_batch; axis++) {
        size_t length = s->batch[s->n_batch_axes - n_batch + axis];
        shape[axis] = testing_between(seed, 0, 2) == 0 ? 1 : length;
    }
}

static struct sizes random_sizes(uint64_t *seed)
{
    struct sizes s = {.n = testing_between(seed, 1, 5), .k = testing_between(seed, 1, 5)};
    s.m = testing_between(seed, 0, 9) == 0 ? 70 : testing_between(seed, 1, 5); /* 70: a wide one */
    s.n_batch_axes = (unsigned)testing_between(seed, 0, 4);
    for (unsigned axis = 0; axis < s.n_batch_axes; axis++)
        s.batch[axis] = testing_between(seed, 1, 3);
    s.n_axes_a = 2 + (unsigned)testing_between(seed, 0, s.n_batch_axes);
    s.n_axes_b = 2 + (unsigned)testing_between(seed, 0, s.n_batch_axes);
    one_side(seed, &s, s.n_axes_a, s.a);
    one_side(seed, &s, s.n_axes_b, s.b);
    s.a[s.n_axes_a - 2] = s.n;
    s.a[s.n_axes_a - 1] = s.b[s.n_axes_b - 2] = s.k;
    s.b[s.n_axes_b - 1] = s.m;
    return s;
}

/* x[..., row, column] where `index` holds the leading axes of the result, n_axes in all with the
 * last two, and numpy's broadcasting applies. */
static double entry(const struct tensor *x, unsigned n_axes, const size_t *index, size_t row,
                    size_t column)
{
    size_t own[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis + 2 < x->n_axes; axis++)
        own[axis] = x->shape[axis] == 1 ? 0 : index[n_axes - x->n_axes + axis];
    own[x->n_axes - 2] = row;
    own[x->n_axes - 1] = column;
    return (double)tensor_at(x, own);
}

static double naive_entry(const struct tensor *a, const struct tensor *b, unsigned n_axes,
                          const size_t *index)
{
    size_t row = index[n_axes - 2], column = index[n_axes - 1];
    double sum = 0;
    for (size_t i = 0; i < a->shape[a->n_axes - 1]; i++)
        sum += entry(a, n_axes, index, row, i) * entry(b, n_axes, index, i, column);
    return sum;
}

static void test_matmul__any_shapes_strides_and_batches(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 300; round++) {
        struct sizes s = random_sizes(&seed);
        struct tensor a = random_operand(&seed, s.n_axes_a, s.a);
        struct tensor b = random_operand(&seed, s.n_axes_b, s.b), y, weighted;
        unsigned n_axes = s.n_axes_a > s.n_axes_b ? s.n_axes_a : s.n_axes_b;
        assert_true(tensor_matmul(&a, &b, NULL, &y, NULL));
        assert_true(tensor_weighted_sum(&a, &b, NULL, &weighted, NULL));
        assert_int_equal(y.n_axes, n_axes);
        assert_int_equal(y.shape[n_axes - 2], s.n);
        assert_int_equal(y.shape[n_axes - 1], s.m);
        assert_true(tensor_same_shape(&y, &weighted));
        for (size_t i = 0; i < tensor_size(&y); i++) {
            size_t index[TENSOR_MAX_AXES];
            tensor_index_of(&y, i, index);
            double want = naive_entry(&a, &b, n_axes, index);
            assert_close(y.data[i], want, 1e-6); /* sums of at most 5 products below 1 */
            assert_close(weighted.data[i], want, 1e-6);
        }
        tensor_release(&weighted);
        tensor_release(&y);
        tensor_release(&b);
        tensor_release(&a);
    }
}

/* Sums that run beside each other are each the sum in its order, in double: to the last digit. */
static void test_matmul__the_same_digits_for_any_width(void **state)
{
    (void)state;
    static const size_t widths[] = {1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65};
    enum { N = 2, K = 37 };
    uint64_t seed = 4;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        size_t m = widths[w];
        struct tensor a = testing_random_tensor(&seed, 2, SHAPE(N, K)), y, y_t;
        struct tensor b = testing_random_tensor(&seed, 2, SHAPE(K, m)), b_t, copy;
        b_t = tensor_transpose(&b, 0, 1);
        assert_true(tensor_copy(&b_t, &copy, NULL));
        tensor_release(&b_t);
        b_t = tensor_transpose(&copy, 0, 1); /* the same numbers, column by column */
        assert_true(tensor_matmul(&a, &b, NULL, &y, NULL));
        assert_true(tensor_matmul(&a, &b_t, NULL, &y_t, NULL));
        for (size_t i = 0; i < N * m; i++) {
            double sum = 0;
            for (size_t k = 0; k < K; k++)
                sum += (double)a.data[i / m * K + k] * (double)b.data[k * m + i % m];
            assert_close(y.data[i], (double)(float)sum, 0);
            assert_close(y_t.data[i], (double)(float)sum, 0);
        }
        struct tensor *all[] = {&a, &b, &b_t, &copy, &y, &y_t};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            tensor_release(all[i]);
    }
}

/* ---- NaN, infinities, zeros ---- */

static void test_matmul__nan_and_infinity_follow_ieee(void **state)
{
    (void)state;
    struct tensor a = testing_tensor(2, SHAPE(2, 2), (float[]){0, 1, 1, 1}), y;
    struct tensor b = testing_tensor(2, SHAPE(2, 3), (float[]){NAN, INFINITY, -INFINITY, 1, 2, 3});
    assert_true(tensor_matmul(&a, &b, NULL, &y, NULL));
    for (size_t i = 0; i < 3; i++)
        assert_true(isnan(y.data[i])); /* 0 * NaN, 0 * inf */
    assert_true(isnan(y.data[3]));
    assert_close(y.data[4], INFINITY, 0);
    assert_close(y.data[5], -INFINITY, 0);
    tensor_release(&y);
    tensor_release(&b);
    tensor_release(&a);
}

static void test_matmul__weighted_sum_does_not_look_at_zero_weights(void **state)
{
    (void)state;
    struct tensor weights = testing_tensor(2, SHAPE(3, 2), (float[]){0, 1, -0.0f, 2, 0.5f, 0.5f}),
                  y;
    struct tensor value = testing_tensor(2, SHAPE(2, 2), (float[]){NAN, INFINITY, 1, 2});
    assert_true(tensor_weighted_sum(&weights, &value, NULL, &y, NULL));
    assert_close(y.data[0], 1, 0);
    assert_close(y.data[1], 2, 0);
    assert_close(y.data[2], 2, 0);
    assert_close(y.data[3], 4, 0);
    assert_true(isnan(y.data[4])); /* looked at with 0.5 */
    assert_close(y.data[5], INFINITY, 0);
    tensor_release(&y);
    weights.data[0] = NAN; /* a weight of NaN is no zero */
    assert_true(tensor_weighted_sum(&weights, &value, NULL, &y, NULL));
    assert_true(isnan(y.data[0]) && isnan(y.data[1]));
    tensor_release(&y);
    tensor_release(&value);
    tensor_release(&weights);
}

/* ---- refusals ---- */

static void check_refused(unsigned n_axes_a, const size_t *a_shape, unsigned n_axes_b,
                          const size_t *b_shape, const char *first, const char *second)
{
    static const float zeros[64];
    struct tensor a = testing_tensor(n_axes_a, a_shape, zeros);
    struct tensor b = testing_tensor(n_axes_b, b_shape, zeros), y = untouched;
    struct error error;
    assert_error(tensor_matmul(&a, &b, NULL, &y, &error), error, ERR_SHAPE);
    assert_says(error, first);
    assert_says(error, second);
    assert_error(tensor_weighted_sum(&a, &b, NULL, &y, &error), error, ERR_SHAPE);
    assert_memory_equal(&y, &untouched, sizeof y);
    tensor_release(&b);
    tensor_release(&a);
}

static void test_matmul__shapes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    check_refused(2, SHAPE(3, 2), 2, SHAPE(3, 2), "3x2 @ 3x2", "2 against 3");
    check_refused(1, SHAPE(3), 1, SHAPE(2), "(3,) @ (2,)", "3 against 2");
    check_refused(1, SHAPE(3), 2, SHAPE(2, 3), "(3,) @ 2x3", "3 against 2");
    check_refused(2, SHAPE(2, 3), 1, SHAPE(2), "2x3 @ (2,)", "3 against 2");
    check_refused(2, SHAPE(2, 2), 0, NULL, "2x2 @ a single number", "*");
    check_refused(0, NULL, 1, SHAPE(2), "a single number @ (2,)", "*");
    check_refused(2, SHAPE(2, 1), 2, SHAPE(3, 2), "1 against 3",
                  "2x1"); /* inner axes do not repeat */
    check_refused(3, SHAPE(2, 1, 1), 3, SHAPE(3, 1, 1), "2", "3");
}

static void test_matmul__results_over_the_limit_are_refused(void **state)
{
    (void)state;
    size_t length = (size_t)1 << 20;
    struct tensor one = testing_tensor(2, SHAPE(1, 1), (float[]){1}), tall, wide, y = untouched;
    struct error error;
    assert_true(tensor_broadcast(&one, 2, SHAPE(length, 1), &tall, NULL));
    assert_true(tensor_broadcast(&one, 2, SHAPE(1, length), &wide, NULL));
    assert_error(tensor_matmul(&tall, &wide, NULL, &y, &error), error, ERR_LIMIT);
    assert_memory_equal(&y, &untouched, sizeof y);
    tensor_release(&wide);
    tensor_release(&tall);
    tensor_release(&one);
}

static void test_matmul__the_stop_flag_interrupts(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 0;
    struct tensor a = testing_tensor(2, SHAPE(2, 2), (float[]){1, 2, 3, 4}), y;
    struct error error;
    assert_true(tensor_matmul(&a, &a, &stop, &y, &error));
    assert_tensor_close(&y, 2, SHAPE(2, 2), (float[]){7, 10, 15, 22}, 0);
    tensor_release(&y);
    stop = 1;
    y = untouched;
    assert_error(tensor_matmul(&a, &a, &stop, &y, &error), error, ERR_INTERRUPTED);
    assert_error(tensor_weighted_sum(&a, &a, &stop, &y, &error), error, ERR_INTERRUPTED);
    assert_memory_equal(&y, &untouched, sizeof y);
    tensor_release(&a);
}

/* ---- gradients ---- */

/* sum(d_out * (a @ b)), by the definition, in double. */
static double naive_loss(const struct tensor *a, const struct tensor *b, const struct tensor *d_out)
{
    double loss = 0;
    for (size_t i = 0; i < tensor_size(d_out); i++) {
        size_t index[TENSOR_MAX_AXES];
        tensor_index_of(d_out, i, index);
        loss += (double)tensor_at(d_out, index) * naive_entry(a, b, d_out->n_axes, index);
    }
    return loss;
}

/* d holds the derivatives of naive_loss by the numbers of x, which is a or b. The loss is linear in
 * x, so a difference quotient is exact for any step, but for rounding. */
static void check_gradient(const struct tensor *d, struct tensor *x, const struct tensor *a,
                           const struct tensor *b, const struct tensor *d_out)
{
    assert_true(tensor_same_shape(d, x));
    for (size_t i = 0; i < tensor_size(x); i++) {
        float before = x->data[i];
        x->data[i] = before + 1;
        double above = (double)x->data[i], loss_above = naive_loss(a, b, d_out);
        x->data[i] = before - 1;
        double below = (double)x->data[i], loss_below = naive_loss(a, b, d_out);
        x->data[i] = before;
        assert_close(d->data[i], (loss_above - loss_below) / (above - below), 1e-5);
    }
}

static void test_matmul__gradients_are_difference_quotients(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 40; round++) {
        struct sizes s = random_sizes(&seed);
        if (s.m > 5 || s.n_batch_axes > 2)
            continue;
        struct tensor a = testing_random_tensor(&seed, s.n_axes_a, s.a);
        struct tensor b = testing_random_tensor(&seed, s.n_axes_b, s.b), y, d_a, d_b;
        assert_true(tensor_matmul(&a, &b, NULL, &y, NULL));
        struct tensor d_out = random_operand(&seed, y.n_axes, y.shape);
        assert_true(tensor_matmul_backward(&a, &b, &d_out, &d_a, &d_b, NULL));
        check_gradient(&d_a, &a, &a, &b, &d_out);
        check_gradient(&d_b, &b, &a, &b, &d_out);
        struct tensor *const all[] = {&a, &b, &y, &d_a, &d_b, &d_out};
        for (size_t i = 0; i < 6; i++)
            tensor_release(all[i]);
    }
}

static void test_matmul__either_gradient_alone(void **state)
{
    (void)state;
    struct tensor a = testing_tensor(2, SHAPE(1, 2), (float[]){2, 3}), d_a, d_b;
    struct tensor b = testing_tensor(2, SHAPE(2, 1), (float[]){5, 7});
    struct tensor d_out = testing_tensor(2, SHAPE(1, 1), (float[]){10});
    assert_true(tensor_matmul_backward(&a, &b, &d_out, &d_a, NULL, NULL));
    assert_tensor_close(&d_a, 2, SHAPE(1, 2), (float[]){50, 70}, 0);
    assert_true(tensor_matmul_backward(&a, &b, &d_out, NULL, &d_b, NULL));
    assert_tensor_close(&d_b, 2, SHAPE(2, 1), (float[]){20, 30}, 0);
    assert_true(tensor_matmul_backward(&a, &b, &d_out, NULL, NULL, NULL));
    struct tensor *const all[] = {&a, &b, &d_a, &d_b, &d_out};
    for (size_t i = 0; i < 5; i++)
        tensor_release(all[i]);
}

static void test_matmul__gradients_of_vectors_are_refused(void **state)
{
    (void)state;
    struct tensor v = testing_tensor(1, SHAPE(2), (float[]){1, 2});
    struct tensor m = testing_tensor(2, SHAPE(2, 2), (float[]){1, 2, 3, 4});
    struct tensor d_a = untouched, d_b = untouched;
    struct error error;
    assert_error(tensor_matmul_backward(&v, &m, &v, &d_a, &d_b, &error), error, ERR_SHAPE);
    assert_error(tensor_matmul_backward(&m, &v, &v, &d_a, &d_b, &error), error, ERR_SHAPE);
    assert_memory_equal(&d_a, &untouched, sizeof d_a);
    assert_memory_equal(&d_b, &untouched, sizeof d_b);
    tensor_release(&m);
    tensor_release(&v);
}

/* ---- sums back to a shape ---- */

static void check_sum(unsigned n_axes, const size_t *shape, const float *want)
{
    struct tensor d = testing_tensor(3, SHAPE(2, 1, 3), (float[]){1, 2, 3, 4, 5, 6}), y;
    assert_true(tensor_sum_to_shape(&d, n_axes, shape, NULL, &y, NULL));
    assert_tensor_close(&y, n_axes, shape, want, 0);
    assert_true(tensor_is_dense(&y));
    tensor_release(&y);
    tensor_release(&d);
}

static void test_matmul__sums_undo_a_broadcast(void **state)
{
    (void)state;
    check_sum(3, SHAPE(2, 1, 3), (float[]){1, 2, 3, 4, 5, 6});
    check_sum(3, SHAPE(1, 1, 3), (float[]){5, 7, 9});
    check_sum(2, SHAPE(1, 3), (float[]){5, 7, 9});
    check_sum(1, SHAPE(3), (float[]){5, 7, 9});
    check_sum(3, SHAPE(2, 1, 1), (float[]){6, 15});
    check_sum(1, SHAPE(1), (float[]){21});
    check_sum(0, NULL, (float[]){21});
}

static void test_matmul__sum_to_a_shape_that_never_repeats_is_refused(void **state)
{
    (void)state;
    struct tensor d = testing_tensor(2, SHAPE(2, 3), (float[]){1, 2, 3, 4, 5, 6}), y = untouched;
    struct error error;
    assert_error(tensor_sum_to_shape(&d, 1, SHAPE(2), NULL, &y, &error), error, ERR_SHAPE);
    assert_error(tensor_sum_to_shape(&d, 2, SHAPE(3, 2), NULL, &y, &error), error, ERR_SHAPE);
    assert_error(tensor_sum_to_shape(&d, 3, SHAPE(1, 2, 3), NULL, &y, &error), error, ERR_SHAPE);
    assert_error(tensor_sum_to_shape(&d, 2, SHAPE(0, 3), NULL, &y, &error), error, ERR_SHAPE);
    assert_memory_equal(&y, &untouched, sizeof y);
    tensor_release(&d);
}

static void test_matmul__sum_over_axes_of_zero_is_zero(void **state)
{
    (void)state;
    struct tensor d, y;
    assert_true(tensor_zeros(2, SHAPE(0, 2), &d, NULL));
    assert_true(tensor_sum_to_shape(&d, 1, SHAPE(2), NULL, &y, NULL));
    assert_tensor_close(&y, 1, SHAPE(2), (float[]){0, 0}, 0);
    tensor_release(&y);
    tensor_release(&d);
}

static double inner_product(const struct tensor *a, const struct tensor *b)
{
    double sum = 0;
    for (size_t i = 0; i < tensor_size(a); i++)
        sum += (double)tensor_at_position(a, i) * (double)tensor_at_position(b, i);
    return sum;
}

static void test_matmul__sum_to_shape_is_the_gradient_of_broadcast(void **state)
{
    (void)state;
    /* broadcast() is linear, so its gradient is the map with <d, broadcast(x)> = <sum(d), x>. */
    uint64_t seed = 1;
    for (int round = 0; round < 200; round++) {
        unsigned n_axes = (unsigned)testing_between(&seed, 1, 6);
        unsigned own = (unsigned)testing_between(&seed, 0, n_axes);
        size_t wide[TENSOR_MAX_AXES], shape[TENSOR_MAX_AXES];
        for (unsigned axis = 0; axis < n_axes; axis++)
            wide[axis] = testing_between(&seed, 1, 3);
        for (unsigned axis = 0; axis < own; axis++)
            shape[axis] = testing_between(&seed, 0, 1) == 0 ? 1 : wide[n_axes - own + axis];
        struct tensor x = testing_random_tensor(&seed, own, shape), broadcast, sums;
        struct tensor d = random_operand(&seed, n_axes, wide);
        assert_true(tensor_broadcast(&x, n_axes, wide, &broadcast, NULL));
        assert_true(tensor_sum_to_shape(&d, own, shape, NULL, &sums, NULL));
        assert_true(tensor_same_shape(&sums, &x));
        /* Up to 729 products below 1, each sum rounded to float32 once. */
        assert_close(inner_product(&sums, &x), inner_product(&d, &broadcast), 1e-4);
        tensor_release(&sums);
        tensor_release(&broadcast);
        tensor_release(&d);
        tensor_release(&x);
    }
}

/* ---- running out of memory ---- */

static void test_matmul__failed_allocations_are_reported(void **state)
{
    (void)state;
    uint64_t seed = 1;
    struct tensor a = testing_random_tensor(&seed, 3, SHAPE(2, 2, 3)), y;
    struct tensor b =
        testing_random_tensor(&seed, 2, SHAPE(3, 100)); /* wide: a row of sums as well */
    struct error error;
    assert_reports_failed_allocations(tensor_matmul(&a, &b, NULL, &y, &error), error);
    tensor_release(&y);
    assert_reports_failed_allocations(tensor_weighted_sum(&a, &b, NULL, &y, &error), error);
    tensor_release(&y);
    struct tensor d = testing_random_tensor(&seed, 3, SHAPE(2, 2, 100)), d_a, d_b;
    assert_reports_failed_allocations(tensor_matmul_backward(&a, &b, &d, &d_a, &d_b, &error),
                                      error);
    tensor_release(&d_a);
    tensor_release(&d_b);
    assert_reports_failed_allocations(tensor_sum_to_shape(&d, 1, SHAPE(100), NULL, &y, &error),
                                      error);
    tensor_release(&y);
    tensor_release(&d);
    tensor_release(&b);
    tensor_release(&a);
}

static void test_matmul__both_gradients_or_none(void **state)
{
    (void)state;
    uint64_t seed = 1;
    struct tensor a = testing_random_tensor(&seed, 2, SHAPE(2, 3));
    struct tensor b = testing_random_tensor(&seed, 2, SHAPE(3, 2));
    struct tensor d_out = testing_random_tensor(&seed, 2, SHAPE(2, 2)), d_a, d_b;
    struct error error;
    testing_fail_allocation(0);
    assert_true(tensor_matmul_backward(&a, &b, &d_out, &d_a, &d_b, &error));
    long n_allocations = testing_allocations();
    tensor_release(&d_a);
    tensor_release(&d_b);
    assert_true(n_allocations >= 2);
    for (long nth = 1; nth <= n_allocations; nth++) {
        d_a = d_b = untouched;
        testing_fail_allocation(nth);
        bool ok = tensor_matmul_backward(&a, &b, &d_out, &d_a, &d_b, &error);
        testing_fail_allocation(0);
        assert_error(ok, error, ERR_MEMORY);
        assert_memory_equal(&d_a, &untouched, sizeof d_a);
        assert_memory_equal(&d_b, &untouched, sizeof d_b);
    }
    tensor_release(&d_out);
    tensor_release(&b);
    tensor_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matmul__two_matrices),
        cmocka_unit_test(test_matmul__vectors_lose_the_axis_they_were_given),
        cmocka_unit_test(test_matmul__leading_axes_broadcast),
        cmocka_unit_test(test_matmul__sums_run_in_double),
        cmocka_unit_test(test_matmul__axes_of_zero),
        cmocka_unit_test(test_matmul__any_shapes_strides_and_batches),
        cmocka_unit_test(test_matmul__the_same_digits_for_any_width),
        cmocka_unit_test(test_matmul__nan_and_infinity_follow_ieee),
        cmocka_unit_test(test_matmul__weighted_sum_does_not_look_at_zero_weights),
        cmocka_unit_test(test_matmul__shapes_that_do_not_fit_are_refused),
        cmocka_unit_test(test_matmul__results_over_the_limit_are_refused),
        cmocka_unit_test(test_matmul__the_stop_flag_interrupts),
        cmocka_unit_test(test_matmul__gradients_are_difference_quotients),
        cmocka_unit_test(test_matmul__either_gradient_alone),
        cmocka_unit_test(test_matmul__gradients_of_vectors_are_refused),
        cmocka_unit_test(test_matmul__sums_undo_a_broadcast),
        cmocka_unit_test(test_matmul__sum_to_a_shape_that_never_repeats_is_refused),
        cmocka_unit_test(test_matmul__sum_over_axes_of_zero_is_zero),
        cmocka_unit_test(test_matmul__sum_to_shape_is_the_gradient_of_broadcast),
        cmocka_unit_test(test_matmul__failed_allocations_are_reported),
        cmocka_unit_test(test_matmul__both_gradients_or_none),
    };
    return cmocka_run_group_tests_name("matmul", tests, NULL, NULL);
}
