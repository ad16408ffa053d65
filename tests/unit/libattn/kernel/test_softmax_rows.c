/* kernel/softmax_row_internal.h and softmax.h: every instruction set of this machine against the
 * plain rows of attention/softmax.h, which computes few numbers in double; shapes and strides of
 * all kinds. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/softmax.h"
#include "kernel/softmax.h"
#include "kernel/threads.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

enum { FORMS = SOFTMAX_LOG_GRADIENT + 1, MOST = 80, UNTOUCHED = 12345 };

static bool is_gradient(int form)
{
    return form >= SOFTMAX_GRADIENT;
}

/* One form of softmax along an axis, by the size as large or as small as x is. */
static struct tensor softmax_of(int form, const struct tensor *x, const struct tensor *d,
                                ptrdiff_t dim)
{
    struct tensor y;
    struct error error;
    bool ok = form == SOFTMAX_PLAIN      ? softmax_forward(x, dim, NULL, &y, &error)
              : form == SOFTMAX_WEIGHTS  ? softmax_weights(x, dim, NULL, &y, &error)
              : form == SOFTMAX_LOG      ? log_softmax_forward(x, dim, NULL, &y, &error)
              : form == SOFTMAX_GRADIENT ? softmax_backward(x, d, dim, NULL, &y, &error)
                                         : log_softmax_backward(x, d, dim, NULL, &y, &error);
    if (!ok)
        fail_msg("%s", error.text);
    return y;
}

static void check_number(int form, float is, float plain)
{
    double size = fabs((double)plain);
    if (isnan(plain) || isinf(plain))
        assert_true(isnan(plain) ? isnan(is) : is == plain);
    else if (!(fabs((double)is - (double)plain) <=
               3e-6 * size + (form < SOFTMAX_LOG ? 1e-38 : 4e-6)))
        fail_msg("form %d: %.9g instead of %.9g", form, (double)is, (double)plain);
}

/* Scores up to 10 away from 0; now and then one that is not an ordinary number. */
static void fill(uint64_t *seed, float *x, size_t n, unsigned kind)
{
    static const float odds[3][3] = {
        {-INFINITY, -INFINITY, -INFINITY}, {INFINITY, -INFINITY, NAN}, {NAN, 3e38F, -3e38F}};
    for (size_t i = 0; i < n; i++)
        x[i] = kind > 0 && testing_between(seed, 0, 9) == 0
                   ? odds[kind - 1][testing_between(seed, 0, 2)]
                   : 10 * testing_number(seed);
}

static void check_row(const struct kernel *kernel, int form, const float *x, const float *d,
                      size_t n)
{
    struct tensor scores, gradient;
    float y[MOST + 2];
    assert_true(tensor_from(1, &n, x, &scores, NULL) && tensor_from(1, &n, d, &gradient, NULL));
    struct tensor plain = softmax_of(form, &scores, &gradient, 0);
    y[n + 1] = y[0] = UNTOUCHED;
    kernel->softmax_row((enum softmax_form)form, x, d, n, y + 1);
    for (size_t i = 0; i < n; i++)
        check_number(form, y[1 + i], plain.data[i]);
    assert_true(y[0] == UNTOUCHED && y[n + 1] == UNTOUCHED);
    memcpy(y, x, n * sizeof *x);
    kernel->softmax_row((enum softmax_form)form, y, d, n, y);
    for (size_t i = 0; i < n; i++)
        check_number(form, y[i], plain.data[i]);
    tensor_release(&plain);
    tensor_release(&scores);
    tensor_release(&gradient);
}

static void test_softmax_row__is_the_plain_row(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    uint64_t seed = 1;
    for (size_t n = 1; n <= MOST; n++)
        for (unsigned kind = 0; kind < 4; kind++)
            for (int form = 0; form < FORMS; form++) {
                float x[MOST + 3], d[MOST + 3];
                size_t shift = testing_between(&seed, 0, 3);
                fill(&seed, x, MOST + 3, is_gradient(form) ? 0 : kind);
                fill(&seed, d, MOST + 3, is_gradient(form) && kind > 1 ? 2 : 0);
                for (size_t i = 0; is_gradient(form) && i < MOST + 3; i++)
                    x[i] = form == SOFTMAX_GRADIENT ? x[i] / 10 : -fabsf(x[i]); /* y */
                for (size_t s = 0; sets[s] != NULL; s++)
                    check_row(sets[s], form, x + shift, d + 3 - shift, n);
            }
}

static void test_softmax_row__nothing_to_see(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    float hidden[MOST], nothing[MOST] = {0};
    for (size_t i = 0; i < MOST; i++)
        hidden[i] = -INFINITY;
    for (size_t s = 0; sets[s] != NULL; s++)
        for (size_t n = 1; n <= MOST; n++)
            for (int form = 0; form <= SOFTMAX_LOG; form++) {
                check_row(sets[s], form, hidden, nothing, n);
                hidden[n - 1] = NAN;
                check_row(sets[s], form, hidden, nothing, n);
                hidden[n - 1] = -INFINITY;
            }
}

static void test_transpose__any_shape(void **state)
{
    (void)state;
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    kernel_sets(sets);
    enum { SIDE = 35, ROW = SIDE + 2 };
    float from[SIDE * ROW], to[SIDE * ROW + 1];
    for (size_t i = 0; i < SIDE * ROW; i++)
        from[i] = (float)i;
    for (size_t s = 0; sets[s] != NULL; s++)
        for (size_t n = 1; n <= SIDE; n++)
            for (size_t m = 1; m <= SIDE; m += 2) {
                for (size_t i = 0; i <= SIDE * ROW; i++)
                    to[i] = UNTOUCHED;
                sets[s]->transpose(from, ROW, n, m, to, ROW);
                for (size_t j = 0; j < SIDE; j++)
                    for (size_t i = 0; i < ROW; i++)
                        assert_true(to[j * ROW + i] ==
                                    (j < m && i < n ? from[i * ROW + j] : (float)UNTOUCHED));
            }
}

/* ---- whole tensors, with the set that this machine takes ---- */

/* Row g along the axis of x, as a vector. */
static struct tensor row_of(const struct tensor *x, unsigned axis, const size_t *index)
{
    struct tensor row = tensor_share(x), next;
    for (unsigned a = x->n_axes; a-- > 0;)
        if (a != axis) {
            assert_true(tensor_pick(&row, a, index[a], &next, NULL));
            tensor_release(&row);
            row = next;
        }
    return row;
}

static void check_tensor(int form, const struct tensor *x, const struct tensor *d, unsigned axis)
{
    struct tensor y = softmax_of(form, x, d, axis);
    assert_true(tensor_is_dense(&y) && tensor_same_shape(&y, x));
    for (size_t at = 0; at < tensor_size(x); at++) {
        size_t index[TENSOR_MAX_AXES];
        tensor_index_of(x, at, index);
        if (index[axis] != 0)
            continue;
        struct tensor row = row_of(x, axis, index), d_row = row_of(d, axis, index);
        struct tensor is = row_of(&y, axis, index), plain = softmax_of(form, &row, &d_row, 0);
        for (size_t i = 0; i < tensor_size(&is); i++)
            check_number(form, tensor_at_position(&is, i), plain.data[i]);
        tensor_release(&row);
        tensor_release(&d_row);
        tensor_release(&is);
        tensor_release(&plain);
    }
    tensor_release(&y);
}

static struct tensor random_view(uint64_t *seed, const size_t *shape)
{
    unsigned a = (unsigned)testing_between(seed, 0, 2), b = (unsigned)testing_between(seed, 0, 2);
    size_t stored[3] = {shape[0], shape[1], shape[2]};
    stored[a] = shape[b];
    stored[b] = shape[a];
    bool wide = testing_between(seed, 0, 1);
    stored[2] *= wide ? 2 : 1;
    struct tensor numbers = testing_random_tensor(seed, 3, stored), every, view;
    fill(seed, numbers.data, tensor_size(&numbers), 0);
    assert_true(
        tensor_slice(&numbers, 2, 0, wide ? stored[2] / 2 : stored[2], wide ? 2 : 1, &every, NULL));
    view = tensor_transpose(&every, a, b);
    tensor_release(&numbers);
    tensor_release(&every);
    return view;
}

static void test_softmax__any_shape_strides_and_axis(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (size_t tries = 0; tries < 40; tries++) {
        size_t shape[3] = {testing_between(&seed, 15, 40), testing_between(&seed, 18, 50),
                           testing_between(&seed, 61, 90)};
        struct tensor x = random_view(&seed, shape), d = random_view(&seed, shape);
        check_tensor((int)(tries % FORMS), &x, &d, (unsigned)testing_between(&seed, 0, 2));
        tensor_release(&x);
        tensor_release(&d);
    }
}

static void test_softmax__one_row(void **state)
{
    (void)state;
    struct tensor x, y;
    assert_true(tensor_full(1, SHAPE(20000), 3, &x, NULL));
    y = softmax_of(SOFTMAX_PLAIN, &x, NULL, 0);
    for (size_t i = 0; i < 20000; i++)
        assert_close(y.data[i], 1.0 / 20000, 1e-11);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_softmax__the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t seed = 3;
    size_t most = threads_most();
    struct tensor x = testing_random_tensor(&seed, 2, SHAPE(400, 501));
    for (int form = 0; form < FORMS; form++)
        for (ptrdiff_t dim = 0; dim < 2; dim++) {
            threads_set(1);
            struct tensor one = softmax_of(form, &x, &x, dim);
            for (size_t threads = 2; threads <= 8; threads *= 2) {
                threads_set(threads);
                struct tensor some = softmax_of(form, &x, &x, dim);
                assert_memory_equal(one.data, some.data, tensor_size(&one) * sizeof *one.data);
                tensor_release(&some);
            }
            tensor_release(&one);
        }
    threads_set(most);
    tensor_release(&x);
}

static void test_softmax__the_stop_flag_interrupts(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 1;
    struct error error;
    struct tensor x, y;
    for (size_t n = 3; n <= 300; n += 297) {
        assert_true(tensor_zeros(2, SHAPE(n, n), &x, NULL));
        for (ptrdiff_t dim = 0; dim < 2; dim++) {
            assert_error(softmax_forward(&x, dim, &stop, &y, &error), error, ERR_INTERRUPTED);
            assert_error(softmax_backward(&x, &x, dim, &stop, &y, &error), error, ERR_INTERRUPTED);
        }
        tensor_release(&x);
    }
}

static void test_softmax__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct error error;
    struct tensor x, y;
    assert_true(tensor_zeros(2, SHAPE(200, 100), &x, NULL));
    for (ptrdiff_t dim = 0; dim < 2; dim++) {
        assert_reports_failed_allocations(softmax_forward(&x, dim, NULL, &y, &error), error);
        tensor_release(&y);
    }
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_softmax_row__is_the_plain_row),
        cmocka_unit_test(test_softmax_row__nothing_to_see),
        cmocka_unit_test(test_transpose__any_shape),
        cmocka_unit_test(test_softmax__any_shape_strides_and_axis),
        cmocka_unit_test(test_softmax__one_row),
        cmocka_unit_test(test_softmax__the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(test_softmax__the_stop_flag_interrupts),
        cmocka_unit_test(test_softmax__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("softmax_rows", tests, NULL, NULL);
}
