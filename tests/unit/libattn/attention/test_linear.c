/* attention/linear.h */
#include "testing.h"

#include "attention/linear.h"
#include "slope.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

/* With W = (1 2 0; 3 4 -1): (1 2) W = (1*1 + 2*3, 1*2 + 2*4, 1*0 - 2*1) = (7, 10, -2). */
static void test_linear__by_hand(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(2, 2), ROW(1, 2, 0, 1)), out;
    struct tensor weight = testing_tensor(2, SHAPE(2, 3), ROW(1, 2, 0, 3, 4, -1));
    struct tensor bias = testing_tensor(1, SHAPE(3), ROW(10, 20, 30));
    assert_true(linear_forward(&x, &weight, NULL, NULL, &out, NULL));
    assert_tensor_close(&out, 2, SHAPE(2, 3), ROW(7, 10, -2, 3, 4, -1), 0);
    tensor_release(&out);
    assert_true(linear_forward(&x, &weight, &bias, NULL, &out, NULL));
    assert_tensor_close(&out, 2, SHAPE(2, 3), ROW(17, 30, 28, 13, 24, 29), 0);
    tensor_release(&out);
    tensor_release(&x);
    tensor_release(&weight);
    tensor_release(&bias);
}

/* PyTorch keeps W as (d_out, d_in): its transpose is a view. */
static void test_linear__takes_a_transposed_weight(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(1, 2), ROW(1, 2)), out;
    struct tensor stored = testing_tensor(2, SHAPE(3, 2), ROW(1, 3, 2, 4, 0, -1));
    struct tensor weight = tensor_transpose(&stored, 0, 1);
    assert_true(linear_forward(&x, &weight, NULL, NULL, &out, NULL));
    assert_tensor_close(&out, 2, SHAPE(1, 3), ROW(7, 10, -2), 0);
    tensor_release(&out);
    tensor_release(&weight);
    tensor_release(&stored);
    tensor_release(&x);
}

static void check_refused(const struct tensor *x, const struct tensor *weight,
                          const struct tensor *bias, const char *says)
{
    struct tensor out;
    struct error error;
    assert_error(linear_forward(x, weight, bias, NULL, &out, &error), error, ERR_SHAPE);
    assert_says(error, says);
}

static void test_linear__shapes_that_do_not_fit(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(1, 2), ROW(1, 2));
    struct tensor vector = testing_tensor(1, SHAPE(2), ROW(1, 2));
    struct tensor weight = testing_tensor(2, SHAPE(2, 1), ROW(1, 1));
    struct tensor wide = testing_tensor(2, SHAPE(1, 2), ROW(1, 1));
    check_refused(&x, &wide, NULL, "x is 1x2, W is 1x2");
    check_refused(&vector, &weight, NULL, "x is (2,)");
    check_refused(&x, &vector, NULL, "W is (2,)");
    check_refused(&x, &weight, &vector, "W is 2x1, b is (2,)");
    check_refused(&x, &weight, &wide, "b is 1x2");
    tensor_release(&x);
    tensor_release(&vector);
    tensor_release(&weight);
    tensor_release(&wide);
}

struct linear_loss {
    const struct tensor *x, *weight, *bias, *direction;
};

static double linear_loss(const void *context)
{
    const struct linear_loss *loss = context;
    struct tensor out;
    assert_true(linear_forward(loss->x, loss->weight, loss->bias, NULL, &out, NULL));
    double total = weighted_total(&out, loss->direction);
    tensor_release(&out);
    return total;
}

static void test_linear__gradients_are_slopes(void **state)
{
    (void)state;
    uint64_t seed = 1;
    struct tensor x = testing_random_tensor(&seed, 3, SHAPE(2, 4, 3)), d_x, d_weight, d_bias;
    struct tensor weight = testing_random_tensor(&seed, 2, SHAPE(3, 5));
    struct tensor bias = testing_random_tensor(&seed, 1, SHAPE(5));
    struct tensor direction = testing_random_tensor(&seed, 3, SHAPE(2, 4, 5));
    struct linear_loss loss = {&x, &weight, &bias, &direction};
    assert_true(linear_backward(&x, &weight, &direction, &d_x, &d_weight, &d_bias, NULL));
    check_slopes(&d_x, &x, linear_loss, &loss);
    check_slopes(&d_weight, &weight, linear_loss, &loss);
    check_slopes(&d_bias, &bias, linear_loss, &loss);
    tensor_release(&d_x);
    tensor_release(&d_weight);
    tensor_release(&d_bias);
    /* Only what is asked for. */
    assert_true(linear_backward(&x, &weight, &direction, NULL, NULL, &d_bias, NULL));
    check_slopes(&d_bias, &bias, linear_loss, &loss);
    tensor_release(&d_bias);
    assert_true(linear_backward(&x, &weight, &direction, &d_x, NULL, NULL, NULL));
    check_slopes(&d_x, &x, linear_loss, &loss);
    tensor_release(&d_x);
    tensor_release(&x);
    tensor_release(&weight);
    tensor_release(&bias);
    tensor_release(&direction);
}

static void test_linear__gradient_of_another_shape(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(1, 2), ROW(1, 2)), d_x;
    struct tensor weight = testing_tensor(2, SHAPE(2, 1), ROW(1, 1));
    struct error error;
    assert_error(linear_backward(&x, &weight, &x, &d_x, NULL, NULL, &error), error, ERR_SHAPE);
    assert_says(error, "is 1x2 and the result is 1x1");
    tensor_release(&x);
    tensor_release(&weight);
}

static void test_linear__stops_when_told(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(1, 2), ROW(1, 2)), out;
    struct tensor weight = testing_tensor(2, SHAPE(2, 1), ROW(1, 1));
    struct error error;
    volatile sig_atomic_t stop = 1;
    assert_error(linear_forward(&x, &weight, NULL, &stop, &out, &error), error, ERR_INTERRUPTED);
    tensor_release(&x);
    tensor_release(&weight);
}

static void test_linear__failed_allocations(void **state)
{
    (void)state;
    uint64_t seed = 2;
    struct tensor x = testing_random_tensor(&seed, 3, SHAPE(2, 4, 3)), out, d_x, d_weight, d_bias;
    struct tensor weight = testing_random_tensor(&seed, 2, SHAPE(3, 5));
    struct tensor bias = testing_random_tensor(&seed, 1, SHAPE(5));
    struct error error;
    assert_reports_failed_allocations(linear_forward(&x, &weight, &bias, NULL, &out, &error),
                                      error);
    assert_reports_failed_allocations(
        linear_backward(&x, &weight, &out, &d_x, &d_weight, &d_bias, &error), error);
    tensor_release(&out);
    tensor_release(&d_x);
    tensor_release(&d_weight);
    tensor_release(&d_bias);
    tensor_release(&x);
    tensor_release(&weight);
    tensor_release(&bias);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear__by_hand),
        cmocka_unit_test(test_linear__takes_a_transposed_weight),
        cmocka_unit_test(test_linear__shapes_that_do_not_fit),
        cmocka_unit_test(test_linear__gradients_are_slopes),
        cmocka_unit_test(test_linear__gradient_of_another_shape),
        cmocka_unit_test(test_linear__stops_when_told),
        cmocka_unit_test(test_linear__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
