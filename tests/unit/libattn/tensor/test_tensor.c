/* tensor/tensor.h: storage, shapes and views. */
#include "testing.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "tensor/tensor.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

/* 0, 1, 2, ... in the given shape: each number is its own row-major position. */
static struct tensor counting(unsigned n_axes, const size_t *shape)
{
    struct tensor x;
    struct error error;
    if (!tensor_zeros(n_axes, shape, &x, &error))
        fail_msg("%s", error.text);
    size_t size = tensor_size(&x);
    for (size_t i = 0; i < size; i++)
        x.data[i] = (float)i;
    return x;
}

/* A tensor that no function made: to see that failure leaves ret alone. */
static const struct tensor untouched = {.n_axes = 77};

static void check_untouched(const struct tensor *ret)
{
    assert_memory_equal(ret, &untouched, sizeof untouched);
}

/* ---- making and releasing ---- */

static void test_tensor__zeros_are_zero_and_dense(void **state)
{
    (void)state;
    struct tensor x;
    assert_true(tensor_zeros(3, SHAPE(2, 3, 4), &x, NULL));
    static const float zeros[24];
    assert_tensor_close(&x, 3, SHAPE(2, 3, 4), zeros, 0);
    assert_true(tensor_is_dense(&x));
    assert_false(x.is_bool);
    assert_int_equal(tensor_size(&x), 24);
    assert_int_equal(x.stride[0], 12);
    assert_int_equal(x.stride[1], 4);
    assert_int_equal(x.stride[2], 1);
    tensor_release(&x);
    assert_null(x.data);
    tensor_release(&x); /* all zero bytes now */
    tensor_release(NULL);
}

static void test_tensor__full_from_and_scalar_hold_their_numbers(void **state)
{
    (void)state;
    struct tensor x;
    assert_true(tensor_full(2, SHAPE(2, 2), -1.5f, &x, NULL));
    assert_tensor_close(&x, 2, SHAPE(2, 2), (float[]){-1.5f, -1.5f, -1.5f, -1.5f}, 0);
    tensor_release(&x);
    assert_true(tensor_from(2, SHAPE(2, 3), (float[]){1, 2, 3, 4, 5, 6}, &x, NULL));
    assert_tensor_close(&x, 2, SHAPE(2, 3), (float[]){1, 2, 3, 4, 5, 6}, 0);
    tensor_release(&x);
    assert_true(tensor_scalar(7, &x, NULL));
    assert_tensor_close(&x, 0, NULL, (float[]){7}, 0);
    assert_int_equal(tensor_size(&x), 1);
    tensor_release(&x);
}

static void test_tensor__from_copies_the_numbers(void **state)
{
    (void)state;
    float numbers[2] = {1, 2};
    struct tensor x = testing_tensor(1, SHAPE(2), numbers);
    memset(numbers, 0, sizeof numbers);
    assert_tensor_close(&x, 1, SHAPE(2), (float[]){1, 2}, 0);
    tensor_release(&x);
}

static void test_tensor__axes_of_zero_hold_nothing(void **state)
{
    (void)state;
    struct tensor x, y;
    assert_true(tensor_zeros(3, SHAPE(2, 0, 3), &x, NULL));
    assert_int_equal(tensor_size(&x), 0);
    assert_true(tensor_copy(&x, &y, NULL));
    assert_true(tensor_same_shape(&x, &y));
    tensor_read(&x, NULL); /* writes nothing */
    tensor_release(&y);
    tensor_release(&x);
    assert_true(tensor_from(1, SHAPE(0), NULL, &x, NULL));
    tensor_release(&x);
    assert_true(tensor_full(1, SHAPE(0), 3, &x, NULL));
    tensor_release(&x);
}

static void test_tensor__sizes_over_the_limit_are_refused(void **state)
{
    (void)state;
    struct tensor x = untouched;
    struct error error;
    assert_error(tensor_zeros(1, SHAPE(TENSOR_MAX_SIZE + 1), &x, &error), error, ERR_LIMIT);
    assert_error(tensor_zeros(2, SHAPE(1000000000, 1000000000), &x, &error), error, ERR_LIMIT);
    assert_says(error, "1000000000x1000000000");
    assert_says(error, "1e+18");
    /* Products that wrap to something small: 2^32 * 2^32 = 2^64, and 3 * (2^64 + 1) / 3. */
    assert_error(tensor_zeros(2, SHAPE((size_t)1 << 32, (size_t)1 << 32), &x, &error), error,
                 ERR_LIMIT);
    assert_error(tensor_zeros(2, SHAPE(3, SIZE_MAX / 3 + 1), &x, &error), error, ERR_LIMIT);
    assert_error(tensor_zeros(1, SHAPE(SIZE_MAX), &x, &error), error, ERR_LIMIT);
    check_untouched(&x);
}

static void test_tensor__an_axis_of_zero_does_not_hide_huge_ones(void **state)
{
    (void)state;
    struct error error;
    size_t huge = (size_t)1 << 62;
    /* No numbers, but strides that no ptrdiff_t can hold. Wherever the 0 stands. */
    struct tensor x = untouched;
    assert_error(tensor_zeros(3, SHAPE(0, huge, huge), &x, &error), error, ERR_LIMIT);
    assert_error(tensor_zeros(3, SHAPE(huge, 0, huge), &x, &error), error, ERR_LIMIT);
    assert_error(tensor_zeros(3, SHAPE(huge, huge, 0), &x, &error), error, ERR_LIMIT);
    check_untouched(&x);
}

static void test_tensor__seven_axes_are_refused(void **state)
{
    (void)state;
    struct tensor x = untouched;
    struct error error;
    const size_t ones[7] = {1, 1, 1, 1, 1, 1, 1};
    assert_error(tensor_zeros(7, ones, &x, &error), error, ERR_LIMIT);
    check_untouched(&x);
    assert_true(tensor_zeros(6, ones, &x, &error));
    struct tensor y = untouched;
    assert_error(tensor_reshape(&x, 7, ones, &y, &error), error, ERR_LIMIT);
    assert_error(tensor_broadcast(&x, 7, ones, &y, &error), error, ERR_SHAPE);
    check_untouched(&y);
    tensor_release(&x);
}

static void count_release(void *owner)
{
    ++*(int *)owner;
}

static void test_tensor__foreign_numbers_are_given_back_once(void **state)
{
    (void)state;
    static const float numbers[] = {1, 2, 3, 4, 5, 6};
    int n_released = 0;
    struct tensor x, turned, reshaped;
    struct error error;
    assert_true(tensor_foreign(2, SHAPE(2, 3), numbers, &n_released, count_release, &x, NULL));
    assert_ptr_equal(x.data, numbers);
    assert_true(tensor_is_dense(&x));
    turned = tensor_transpose(&x, 0, 1);
    tensor_release(&x);
    assert_int_equal(n_released, 0);
    assert_true(tensor_reshape(&turned, 1, SHAPE(6), &reshaped, NULL)); /* a copy */
    tensor_release(&turned);
    assert_int_equal(n_released, 1);
    assert_tensor_close(&reshaped, 1, SHAPE(6), (float[]){1, 4, 2, 5, 3, 6}, 0);
    tensor_release(&reshaped);
    assert_int_equal(n_released, 1);
    assert_error(
        tensor_foreign(2, SHAPE(SIZE_MAX, 3), numbers, &n_released, count_release, &x, &error),
        error, ERR_LIMIT);
    assert_int_equal(n_released, 1);
    assert_reports_failed_allocations(
        tensor_foreign(0, NULL, numbers, &n_released, count_release, &x, &error), error);
    tensor_release(&x);
    assert_int_equal(n_released, 2);
}

static void test_tensor__sharing_keeps_the_numbers_alive(void **state)
{
    (void)state;
    struct tensor x = counting(1, SHAPE(3));
    struct tensor second = tensor_share(&x);
    struct tensor view = tensor_transpose(&second, 0, 0);
    tensor_release(&x);
    tensor_release(&second);
    assert_tensor_close(&view, 1, SHAPE(3), (float[]){0, 1, 2}, 0);
    tensor_release(&view);
}

static void test_tensor__dense_shares_and_copy_does_not(void **state)
{
    (void)state;
    struct tensor x = counting(2, SHAPE(2, 3)), same, copy, turned_dense;
    struct tensor turned = tensor_transpose(&x, 0, 1);
    assert_true(tensor_dense(&x, &same, NULL));
    assert_ptr_equal(same.data, x.data);
    assert_true(tensor_copy(&x, &copy, NULL));
    assert_ptr_not_equal(copy.data, x.data);
    assert_false(tensor_is_dense(&turned));
    assert_true(tensor_dense(&turned, &turned_dense, NULL));
    assert_true(tensor_is_dense(&turned_dense));
    assert_tensor_close(&turned_dense, 2, SHAPE(3, 2), (float[]){0, 3, 1, 4, 2, 5}, 0);
    tensor_release(&turned_dense);
    tensor_release(&turned);
    tensor_release(&copy);
    tensor_release(&same);
    tensor_release(&x);
}

static void test_tensor__views_and_copies_keep_is_bool(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(2, 2), (float[]){0, 1, 1, 0});
    x.is_bool = true;
    struct tensor y[7] = {tensor_transpose(&x, 0, 1)};
    assert_true(tensor_copy(&y[0], &y[1], NULL));
    assert_true(tensor_dense(&y[0], &y[2], NULL));
    assert_true(tensor_slice(&x, 0, 1, 1, 1, &y[3], NULL));
    assert_true(tensor_pick(&x, 0, 1, &y[4], NULL));
    assert_true(tensor_broadcast(&x, 3, SHAPE(2, 2, 2), &y[5], NULL));
    assert_true(tensor_reshape(&y[0], 1, SHAPE(4), &y[6], NULL)); /* has to copy */
    for (size_t i = 0; i < 7; i++) {
        assert_true(y[i].is_bool);
        tensor_release(&y[i]);
    }
    tensor_release(&x);
}

/* ---- looking ---- */

static void test_tensor__positions_and_indices_are_inverse(void **state)
{
    (void)state;
    struct tensor x = counting(3, SHAPE(2, 3, 4));
    for (size_t position = 0; position < 24; position++) {
        size_t index[TENSOR_MAX_AXES];
        tensor_index_of(&x, position, index);
        assert_int_equal(index[0] * 12 + index[1] * 4 + index[2], position);
        assert_true(index[1] < 3 && index[2] < 4);
        assert_int_equal(tensor_position_of(&x, index), position);
        assert_close(tensor_at(&x, index), position, 0);
        assert_close(tensor_at_position(&x, position), position, 0);
    }
    tensor_release(&x);
}

static void test_tensor__same_shape_compares_axes_and_sizes(void **state)
{
    (void)state;
    struct tensor x = counting(2, SHAPE(2, 3)), y = counting(2, SHAPE(3, 2));
    struct tensor z = counting(3, SHAPE(2, 3, 1)), turned = tensor_transpose(&y, 0, 1);
    assert_true(tensor_same_shape(&x, &turned));
    assert_false(tensor_same_shape(&x, &y));
    assert_false(tensor_same_shape(&x, &z));
    tensor_release(&turned);
    tensor_release(&z);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_tensor__shape_text_reads_as_people_write(void **state)
{
    (void)state;
    char text[TENSOR_SHAPE_TEXT];
    assert_string_equal(tensor_shape_text(&(struct tensor){.n_axes = 0}, text), "a single number");
    assert_string_equal(tensor_shape_text(&(struct tensor){.n_axes = 1, .shape = {5}}, text),
                        "(5,)");
    assert_string_equal(tensor_shape_text(&(struct tensor){.n_axes = 2, .shape = {3, 0}}, text),
                        "3x0");
    struct tensor x = {.n_axes = 6, .shape = {1, 2, 3, 4, 5, 6}};
    assert_string_equal(tensor_shape_text(&x, text), "1x2x3x4x5x6");
    /* Sizes no tensor has, as in messages about them: cut, but inside the buffer. */
    for (unsigned axis = 0; axis < 6; axis++)
        x.shape[axis] = SIZE_MAX;
    memset(text, 'x', sizeof text);
    tensor_shape_text(&x, text);
    assert_non_null(memchr(text, '\0', sizeof text));
}

static void check_axis(unsigned n_axes, ptrdiff_t dim, unsigned want)
{
    struct tensor x = {.n_axes = n_axes};
    unsigned axis = 99;
    assert_true(tensor_axis(&x, dim, "softmax", &axis, NULL));
    assert_int_equal(axis, want);
}

static void check_no_axis(unsigned n_axes, ptrdiff_t dim)
{
    struct tensor x = {.n_axes = n_axes};
    struct error error;
    unsigned axis = 99;
    assert_error(tensor_axis(&x, dim, "softmax", &axis, &error), error, ERR_SHAPE);
    assert_says(error, "softmax");
    assert_int_equal(axis, 99);
}

static void test_tensor__axis_counts_from_both_ends(void **state)
{
    (void)state;
    check_axis(3, 0, 0);
    check_axis(3, 2, 2);
    check_axis(3, -1, 2);
    check_axis(3, -3, 0);
    check_axis(0, 0, 0);
    check_axis(0, -1, 0);
    check_no_axis(3, 3);
    check_no_axis(3, -4);
    check_no_axis(0, 1);
    check_no_axis(0, -2);
    check_no_axis(2, PTRDIFF_MAX);
    check_no_axis(2, PTRDIFF_MIN);
}

/* ---- views ---- */

static void test_tensor__transpose_exchanges_two_axes(void **state)
{
    (void)state;
    struct tensor x = counting(3, SHAPE(2, 1, 3));
    struct tensor turned = tensor_transpose(&x, 0, 2), back = tensor_transpose(&turned, 2, 0);
    assert_ptr_equal(turned.data, x.data);
    assert_tensor_close(&turned, 3, SHAPE(3, 1, 2), (float[]){0, 3, 1, 4, 2, 5}, 0);
    assert_tensor_close(&back, 3, SHAPE(2, 1, 3), x.data, 0);
    tensor_release(&back);
    tensor_release(&turned);
    tensor_release(&x);
}

static void test_tensor__permute_orders_axes(void **state)
{
    (void)state;
    struct tensor x = counting(3, SHAPE(2, 3, 4)), y;
    assert_true(tensor_permute(&x, (unsigned[]){2, 0, 1}, &y, NULL));
    assert_int_equal(y.shape[0], 4);
    assert_int_equal(y.shape[1], 2);
    assert_int_equal(y.shape[2], 3);
    for (size_t a = 0; a < 4; a++) /* y[a, b, c] = x[b, c, a], which holds 12 b + 4 c + a */
        for (size_t b = 0; b < 2; b++)
            for (size_t c = 0; c < 3; c++)
                assert_close(tensor_at(&y, SHAPE(a, b, c)), 12 * b + 4 * c + a, 0);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_tensor__permute_refuses_what_is_no_permutation(void **state)
{
    (void)state;
    struct tensor x = counting(3, SHAPE(2, 3, 4)), y = untouched;
    struct error error;
    assert_error(tensor_permute(&x, (unsigned[]){0, 1, 1}, &y, &error), error, ERR_SHAPE);
    assert_error(tensor_permute(&x, (unsigned[]){0, 1, 3}, &y, &error), error, ERR_SHAPE);
    assert_error(tensor_permute(&x, (unsigned[]){0, 1, UINT_MAX}, &y, &error), error, ERR_SHAPE);
    check_untouched(&y);
    tensor_release(&x);
}

static void check_slice(size_t start, size_t count, ptrdiff_t step, const float *want)
{
    struct tensor x = counting(1, SHAPE(6)), y;
    assert_true(tensor_slice(&x, 0, start, count, step, &y, NULL));
    assert_tensor_close(&y, 1, SHAPE(count), want, 0);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_tensor__slices_step_both_ways(void **state)
{
    (void)state;
    check_slice(0, 6, 1, (float[]){0, 1, 2, 3, 4, 5});
    check_slice(1, 3, 2, (float[]){1, 3, 5});
    check_slice(5, 6, -1, (float[]){5, 4, 3, 2, 1, 0});
    check_slice(4, 3, -2, (float[]){4, 2, 0});
    check_slice(5, 1, PTRDIFF_MAX, (float[]){5});
    check_slice(0, 1, PTRDIFF_MIN, (float[]){0});
    check_slice(2, 0, 1, NULL);
    check_slice(6, 0, 1, NULL); /* x[6:6] */
}

static void check_no_slice(size_t start, size_t count, ptrdiff_t step)
{
    struct tensor x = counting(1, SHAPE(6)), y = untouched;
    struct error error;
    assert_error(tensor_slice(&x, 0, start, count, step, &y, &error), error, ERR_RANGE);
    check_untouched(&y);
    tensor_release(&x);
}

static void test_tensor__slices_that_leave_the_axis_are_refused(void **state)
{
    (void)state;
    check_no_slice(0, 7, 1);
    check_no_slice(1, 6, 1);
    check_no_slice(6, 1, 1);
    check_no_slice(0, 2, -1);
    check_no_slice(4, 4, -2);
    check_no_slice(6, 1, -1);
    check_no_slice(0, 1, 0);
    check_no_slice(0, 2, PTRDIFF_MAX);
    check_no_slice(5, 2, PTRDIFF_MIN);
    check_no_slice(SIZE_MAX, 1, -1);
    check_no_slice(SIZE_MAX, 2, -1);
    check_no_slice(0, SIZE_MAX, 1);
    check_no_slice(1, SIZE_MAX, PTRDIFF_MAX);
}

static void test_tensor__slice_of_a_slice_composes(void **state)
{
    (void)state;
    struct tensor x = counting(2, SHAPE(4, 6)), back, odd, rows, turned;
    assert_true(tensor_slice(&x, 1, 5, 6, -1, &back, NULL));   /* columns 5 4 3 2 1 0 */
    assert_true(tensor_slice(&back, 1, 4, 3, -2, &odd, NULL)); /* of those 4, 2, 0: 1 3 5 */
    assert_true(tensor_slice(&odd, 0, 3, 2, -3, &rows, NULL)); /* rows 3 and 0 */
    turned = tensor_transpose(&rows, 0, 1);
    assert_tensor_close(&rows, 2, SHAPE(2, 3), (float[]){19, 21, 23, 1, 3, 5}, 0);
    assert_tensor_close(&turned, 2, SHAPE(3, 2), (float[]){19, 1, 21, 3, 23, 5}, 0);
    float numbers[6];
    tensor_read(&turned, numbers);
    assert_memory_equal(numbers, ((float[]){19, 1, 21, 3, 23, 5}), sizeof numbers);
    tensor_release(&turned);
    tensor_release(&rows);
    tensor_release(&odd);
    tensor_release(&back);
    tensor_release(&x);
}

static void test_tensor__pick_drops_its_axis(void **state)
{
    (void)state;
    struct tensor x = counting(3, SHAPE(2, 3, 2)), y, z, w = untouched;
    struct error error;
    assert_true(tensor_pick(&x, 1, 2, &y, NULL));
    assert_tensor_close(&y, 2, SHAPE(2, 2), (float[]){4, 5, 10, 11}, 0);
    assert_true(tensor_pick(&y, 0, 1, &z, NULL));
    assert_tensor_close(&z, 1, SHAPE(2), (float[]){10, 11}, 0);
    assert_error(tensor_pick(&x, 1, 3, &w, &error), error, ERR_RANGE);
    assert_says(error, "3");
    check_untouched(&w);
    tensor_release(&z);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_tensor__broadcast_repeats_from_the_right(void **state)
{
    (void)state;
    struct tensor row = testing_tensor(1, SHAPE(3), (float[]){1, 2, 3});
    struct tensor column = testing_tensor(2, SHAPE(2, 1), (float[]){1, 2}), y;
    assert_true(tensor_broadcast(&row, 2, SHAPE(2, 3), &y, NULL));
    assert_ptr_equal(y.data, row.data);
    assert_tensor_close(&y, 2, SHAPE(2, 3), (float[]){1, 2, 3, 1, 2, 3}, 0);
    tensor_release(&y);
    assert_true(tensor_broadcast(&column, 3, SHAPE(2, 2, 3), &y, NULL));
    assert_tensor_close(&y, 3, SHAPE(2, 2, 3), (float[]){1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}, 0);
    tensor_release(&y);
    assert_true(tensor_broadcast(&column, 2, SHAPE(2, 0), &y, NULL)); /* 1 repeats no times */
    assert_int_equal(tensor_size(&y), 0);
    tensor_release(&y);
    tensor_release(&column);
    tensor_release(&row);
}

static void test_tensor__broadcast_reaches_six_axes(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(4, SHAPE(2, 1, 2, 1), (float[]){1, 2, 3, 4}), y;
    const size_t shape[6] = {2, 3, 2, 2, 2, 3};
    assert_true(tensor_broadcast(&x, 6, shape, &y, NULL));
    for (size_t i = 0; i < tensor_size(&y); i++) {
        size_t index[6];
        tensor_index_of(&y, i, index);
        assert_close(tensor_at(&y, index), 1 + 2 * index[2] + index[4], 0);
    }
    float numbers[144];
    assert_int_equal(tensor_size(&y), 144);
    tensor_read(&y, numbers);
    assert_close(numbers[0], 1, 0);
    assert_close(numbers[143], 4, 0);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_tensor__broadcast_refuses_what_does_not_repeat(void **state)
{
    (void)state;
    struct tensor x = counting(2, SHAPE(2, 3)), one = counting(1, SHAPE(1)), y = untouched;
    struct error error;
    assert_error(tensor_broadcast(&x, 2, SHAPE(4, 3), &y, &error), error, ERR_SHAPE);
    assert_says(error, "2x3");
    assert_says(error, "4x3");
    assert_error(tensor_broadcast(&x, 1, SHAPE(3), &y, &error), error, ERR_SHAPE);
    assert_error(tensor_broadcast(&x, 0, NULL, &y, &error), error, ERR_SHAPE);
    assert_error(tensor_broadcast(&x, 2, SHAPE(0, 3), &y, &error), error, ERR_SHAPE);
    assert_error(tensor_broadcast(&one, 2, SHAPE(TENSOR_MAX_SIZE, 2), &y, &error), error,
                 ERR_LIMIT);
    check_untouched(&y);
    tensor_release(&one);
    tensor_release(&x);
}

static void test_tensor__reshape_keeps_the_order_of_the_numbers(void **state)
{
    (void)state;
    struct tensor x = counting(2, SHAPE(2, 6)), y;
    assert_true(tensor_reshape(&x, 3, SHAPE(3, 2, 2), &y, NULL));
    assert_ptr_equal(y.data, x.data); /* a view */
    assert_tensor_close(&y, 3, SHAPE(3, 2, 2), x.data, 0);
    tensor_release(&y);
    struct tensor turned = tensor_transpose(&x, 0, 1);
    assert_true(tensor_reshape(&turned, 1, SHAPE(12), &y, NULL)); /* can't be a view */
    assert_tensor_close(&y, 1, SHAPE(12), (float[]){0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11}, 0);
    assert_true(tensor_is_dense(&y));
    tensor_release(&y);
    tensor_release(&turned);
    tensor_release(&x);
}

static void test_tensor__reshape_splits_heads_without_a_copy(void **state)
{
    (void)state;
    /* (seq, heads * head_dim) -> (seq, heads, head_dim) -> (heads, seq, head_dim): a view all
     * along, also of every other row. */
    struct tensor x = counting(2, SHAPE(4, 6)), rows, split;
    assert_true(tensor_slice(&x, 0, 0, 2, 2, &rows, NULL));
    assert_true(tensor_reshape(&rows, 3, SHAPE(2, 3, 2), &split, NULL));
    assert_ptr_equal(split.data, x.data);
    struct tensor heads = tensor_transpose(&split, 0, 1);
    assert_tensor_close(&heads, 3, SHAPE(3, 2, 2),
                        (float[]){0, 1, 12, 13, 2, 3, 14, 15, 4, 5, 16, 17}, 0);
    tensor_release(&heads);
    tensor_release(&split);
    tensor_release(&rows);
    tensor_release(&x);
}

static void test_tensor__reshape_to_and_from_single_numbers_and_nothing(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(3, SHAPE(1, 1, 1), (float[]){5}), y, z;
    assert_true(tensor_reshape(&x, 0, NULL, &y, NULL));
    assert_tensor_close(&y, 0, NULL, (float[]){5}, 0);
    assert_true(tensor_reshape(&y, 2, SHAPE(1, 1), &z, NULL));
    assert_tensor_close(&z, 2, SHAPE(1, 1), (float[]){5}, 0);
    tensor_release(&z);
    tensor_release(&y);
    tensor_release(&x);
    assert_true(tensor_zeros(2, SHAPE(0, 3), &x, NULL));
    assert_true(tensor_reshape(&x, 3, SHAPE(7, 0, 2), &y, NULL));
    assert_int_equal(tensor_size(&y), 0);
    tensor_release(&y);
    tensor_release(&x);
}

static void test_tensor__reshape_refuses_another_size(void **state)
{
    (void)state;
    struct tensor x = counting(2, SHAPE(2, 3)), y = untouched;
    struct error error;
    assert_error(tensor_reshape(&x, 1, SHAPE(5), &y, &error), error, ERR_SHAPE);
    assert_says(error, "2x3");
    assert_says(error, "(5,)");
    assert_error(tensor_reshape(&x, 1, SHAPE(0), &y, &error), error, ERR_SHAPE);
    assert_error(tensor_reshape(&x, 0, NULL, &y, &error), error, ERR_SHAPE);
    /* 6 modulo 2^64, if the product were allowed to wrap. */
    assert_error(tensor_reshape(&x, 2, SHAPE((size_t)1 << 63, 2), &y, &error), error, ERR_SHAPE);
    assert_error(tensor_reshape(&x, 2, SHAPE(SIZE_MAX / 2 + 4, 2), &y, &error), error, ERR_SHAPE);
    check_untouched(&y);
    tensor_release(&x);
}

/* A random view of a random view ... of 0, 1, 2, ...: transposes, slices, picks, broadcasts. */
static struct tensor random_view(uint64_t *seed)
{
    size_t shape[4];
    for (size_t i = 0; i < 4; i++)
        shape[i] = testing_between(seed, 1, 4);
    struct tensor x = counting((unsigned)testing_between(seed, 1, 4), shape), y;
    for (size_t n = testing_between(seed, 0, 5); n > 0; n--) {
        unsigned axis = (unsigned)testing_between(seed, 0, x.n_axes - 1);
        size_t length = x.shape[axis];
        bool backwards = testing_between(seed, 0, 1) == 1;
        switch (testing_between(seed, 0, 3)) {
        case 0:
            y = tensor_transpose(&x, axis, (unsigned)testing_between(seed, 0, x.n_axes - 1));
            break;
        case 1:
            assert_true(tensor_slice(&x, axis, backwards ? length - 1 : 0, (length + 1) / 2,
                                     backwards ? -1 : 2, &y, NULL));
            break;
        case 2:
            assert_true(tensor_slice(&x, axis, length - 1, length, -1, &y, NULL));
            break;
        default:
            if (x.n_axes == 6)
                continue;
            size_t wide[6] = {2};
            memcpy(wide + 1, x.shape, x.n_axes * sizeof *wide);
            assert_true(tensor_broadcast(&x, x.n_axes + 1, wide, &y, NULL));
        }
        tensor_release(&x);
        x = y;
    }
    return x;
}

/* Some shape with the same size as x: its axes in reverse, or joined, or the first two joined. */
static unsigned other_shape(uint64_t *seed, const struct tensor *x, size_t *shape)
{
    size_t choice = testing_between(seed, 0, 2);
    if (choice == 0 || x->n_axes == 1) {
        shape[0] = tensor_size(x);
        return 1;
    }
    if (choice == 1) {
        for (unsigned axis = 0; axis < x->n_axes; axis++)
            shape[axis] = x->shape[x->n_axes - 1 - axis];
        return x->n_axes;
    }
    shape[0] = x->shape[0] * x->shape[1];
    memcpy(shape + 1, x->shape + 2, (x->n_axes - 2) * sizeof *shape);
    return x->n_axes - 1;
}

static void test_tensor__views_of_views_read_the_same_by_every_way(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 500; round++) {
        struct tensor x = random_view(&seed), copy, reshaped;
        size_t size = tensor_size(&x), shape[6];
        float *numbers = test_malloc(size * sizeof *numbers);
        tensor_read(&x, numbers);
        for (size_t i = 0; i < size; i++)
            assert_true(numbers[i] == tensor_at_position(&x, i));
        assert_true(tensor_copy(&x, &copy, NULL));
        assert_memory_equal(copy.data, numbers, size * sizeof *numbers);
        unsigned n_axes = other_shape(&seed, &x, shape);
        assert_true(tensor_reshape(&x, n_axes, shape, &reshaped, NULL));
        assert_tensor_close(&reshaped, n_axes, shape, numbers, 0);
        test_free(numbers);
        tensor_release(&reshaped);
        tensor_release(&copy);
        tensor_release(&x);
    }
}

static void check_broadcast_shape(const struct tensor *a, const struct tensor *b, unsigned n_axes,
                                  const size_t *want)
{
    unsigned got_axes;
    size_t got[TENSOR_MAX_AXES];
    for (int swapped = 0; swapped < 2; swapped++) {
        assert_true(tensor_broadcast_shape(swapped ? b : a, swapped ? a : b, &got_axes, got, NULL));
        assert_int_equal(got_axes, n_axes);
        if (n_axes > 0)
            assert_memory_equal(got, want, n_axes * sizeof *want);
    }
}

static void test_tensor__broadcast_shape_is_numpys(void **state)
{
    (void)state;
    /* The first three are examples of numpy's manual, "General broadcasting rules". */
    check_broadcast_shape(&(struct tensor){.n_axes = 3, .shape = {256, 256, 3}},
                          &(struct tensor){.n_axes = 1, .shape = {3}}, 3, SHAPE(256, 256, 3));
    check_broadcast_shape(&(struct tensor){.n_axes = 4, .shape = {8, 1, 6, 1}},
                          &(struct tensor){.n_axes = 3, .shape = {7, 1, 5}}, 4, SHAPE(8, 7, 6, 5));
    check_broadcast_shape(&(struct tensor){.n_axes = 3, .shape = {15, 3, 5}},
                          &(struct tensor){.n_axes = 2, .shape = {3, 1}}, 3, SHAPE(15, 3, 5));
    check_broadcast_shape(&(struct tensor){.n_axes = 6, .shape = {1, 2, 1, 2, 1, 2}},
                          &(struct tensor){.n_axes = 6, .shape = {3, 1, 3, 1, 3, 1}}, 6,
                          SHAPE(3, 2, 3, 2, 3, 2));
    check_broadcast_shape(&(struct tensor){.n_axes = 2, .shape = {0, 1}},
                          &(struct tensor){.n_axes = 1, .shape = {1}}, 2, SHAPE(0, 1));
    check_broadcast_shape(&(struct tensor){.n_axes = 0}, &(struct tensor){.n_axes = 0}, 0, NULL);
}

static void test_tensor__broadcast_shape_refuses_with_both_sizes(void **state)
{
    (void)state;
    struct error error;
    unsigned n_axes = 99;
    size_t shape[TENSOR_MAX_AXES] = {0};
    struct tensor a = {.n_axes = 2, .shape = {2, 3}}, b = {.n_axes = 2, .shape = {2, 4}};
    struct tensor none = {.n_axes = 1, .shape = {0}};
    assert_error(tensor_broadcast_shape(&a, &b, &n_axes, shape, &error), error, ERR_SHAPE);
    assert_says(error, "2x3");
    assert_says(error, "2x4");
    assert_error(tensor_broadcast_shape(&a, &none, &n_axes, shape, &error), error, ERR_SHAPE);
    assert_int_equal(n_axes, 99);
    assert_int_equal(shape[0], 0);
}

/* ---- running out of memory ---- */

static void test_tensor__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct tensor x = counting(2, SHAPE(2, 3)), turned = tensor_transpose(&x, 0, 1), y;
    struct error error;
    assert_reports_failed_allocations(tensor_zeros(1, SHAPE(3), &y, &error), error);
    tensor_release(&y);
    assert_reports_failed_allocations(tensor_full(1, SHAPE(3), 1, &y, &error), error);
    tensor_release(&y);
    assert_reports_failed_allocations(tensor_from(2, SHAPE(2, 3), x.data, &y, &error), error);
    tensor_release(&y);
    assert_reports_failed_allocations(tensor_scalar(1, &y, &error), error);
    tensor_release(&y);
    assert_reports_failed_allocations(tensor_copy(&x, &y, &error), error);
    tensor_release(&y);
    assert_reports_failed_allocations(tensor_dense(&turned, &y, &error), error);
    tensor_release(&y);
    assert_reports_failed_allocations(tensor_reshape(&turned, 1, SHAPE(6), &y, &error), error);
    tensor_release(&y);
    tensor_release(&turned);
    tensor_release(&x);
}

static void test_tensor__views_allocate_nothing(void **state)
{
    (void)state;
    struct tensor x = counting(2, SHAPE(2, 3)), y;
    testing_fail_allocation(0);
    y = tensor_transpose(&x, 0, 1);
    tensor_release(&y);
    assert_true(tensor_slice(&x, 1, 2, 3, -1, &y, NULL));
    tensor_release(&y);
    assert_true(tensor_broadcast(&x, 3, SHAPE(4, 2, 3), &y, NULL));
    tensor_release(&y);
    assert_true(tensor_reshape(&x, 1, SHAPE(6), &y, NULL));
    tensor_release(&y);
    assert_int_equal(testing_allocations(), 0);
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tensor__zeros_are_zero_and_dense),
        cmocka_unit_test(test_tensor__full_from_and_scalar_hold_their_numbers),
        cmocka_unit_test(test_tensor__from_copies_the_numbers),
        cmocka_unit_test(test_tensor__axes_of_zero_hold_nothing),
        cmocka_unit_test(test_tensor__sizes_over_the_limit_are_refused),
        cmocka_unit_test(test_tensor__an_axis_of_zero_does_not_hide_huge_ones),
        cmocka_unit_test(test_tensor__seven_axes_are_refused),
        cmocka_unit_test(test_tensor__foreign_numbers_are_given_back_once),
        cmocka_unit_test(test_tensor__sharing_keeps_the_numbers_alive),
        cmocka_unit_test(test_tensor__dense_shares_and_copy_does_not),
        cmocka_unit_test(test_tensor__views_and_copies_keep_is_bool),
        cmocka_unit_test(test_tensor__positions_and_indices_are_inverse),
        cmocka_unit_test(test_tensor__same_shape_compares_axes_and_sizes),
        cmocka_unit_test(test_tensor__shape_text_reads_as_people_write),
        cmocka_unit_test(test_tensor__axis_counts_from_both_ends),
        cmocka_unit_test(test_tensor__transpose_exchanges_two_axes),
        cmocka_unit_test(test_tensor__permute_orders_axes),
        cmocka_unit_test(test_tensor__permute_refuses_what_is_no_permutation),
        cmocka_unit_test(test_tensor__slices_step_both_ways),
        cmocka_unit_test(test_tensor__slices_that_leave_the_axis_are_refused),
        cmocka_unit_test(test_tensor__slice_of_a_slice_composes),
        cmocka_unit_test(test_tensor__pick_drops_its_axis),
        cmocka_unit_test(test_tensor__broadcast_repeats_from_the_right),
        cmocka_unit_test(test_tensor__broadcast_reaches_six_axes),
        cmocka_unit_test(test_tensor__broadcast_refuses_what_does_not_repeat),
        cmocka_unit_test(test_tensor__reshape_keeps_the_order_of_the_numbers),
        cmocka_unit_test(test_tensor__reshape_splits_heads_without_a_copy),
        cmocka_unit_test(test_tensor__reshape_to_and_from_single_numbers_and_nothing),
        cmocka_unit_test(test_tensor__reshape_refuses_another_size),
        cmocka_unit_test(test_tensor__views_of_views_read_the_same_by_every_way),
        cmocka_unit_test(test_tensor__broadcast_shape_is_numpys),
        cmocka_unit_test(test_tensor__broadcast_shape_refuses_with_both_sizes),
        cmocka_unit_test(test_tensor__failed_allocations_are_reported),
        cmocka_unit_test(test_tensor__views_allocate_nothing),
    };
    return cmocka_run_group_tests_name("tensor", tests, NULL, NULL);
}
