/* attention/self_attention.h */
#include "testing.h"

#include "attention/self_attention.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

/* "Hello shiny sun!" */
static struct tensor hello_shiny_sun(void)
{
    return testing_tensor(2, SHAPE(3, 3),
                          ROW(0.34f, 0.22f, 0.54f,   /* Hello */
                              0.53f, 0.34f, 0.98f,   /* shiny */
                              0.29f, 0.54f, 0.93f)); /* sun */
}

/* Row 1 of the example, worked out by hand: the scores of "shiny" are 0.7842, 1.3569, 1.2487, their
 * exponentials 2.190654, 3.884133, 3.485808, the sum 9.560596; weights and context follow. */
static void test_self_attention__plain_shiny(void **state)
{
    (void)state;
    struct tensor x = hello_shiny_sun(), context, weights;
    const float *want_weights = ROW(0.229134f, 0.406265f, 0.364602f);
    const float *want_context = ROW(0.398960f, 0.385424f, 0.860951f);
    assert_true(self_attention_plain(&x, NULL, &context, &weights, NULL));
    for (size_t d = 0; d < 3; d++) {
        assert_close(weights.data[3 + d], want_weights[d], 1e-6);
        assert_close(context.data[3 + d], want_context[d], 1e-6);
    }
    tensor_release(&context);
    tensor_release(&weights);
    tensor_release(&x);
}

/* With identity projections only the scale 1/sqrt(3) is new. */
static void test_self_attention__scaled_shiny(void **state)
{
    (void)state;
    struct tensor x = hello_shiny_sun(), out, weights;
    struct tensor identity = testing_tensor(2, SHAPE(3, 3), ROW(1, 0, 0, 0, 1, 0, 0, 0, 1));
    const float *want_weights = ROW(0.270310f, 0.376237f, 0.353453f);
    const float *want_context = ROW(0.393812f, 0.378253f, 0.843391f);
    struct self_attention head = {.w_query = &identity, .w_key = &identity, .w_value = &identity};
    assert_true(self_attention_forward(&head, &x, NULL, &out, &weights, NULL));
    for (size_t d = 0; d < 3; d++) {
        assert_close(weights.data[3 + d], want_weights[d], 1e-6);
        assert_close(out.data[3 + d], want_context[d], 1e-6);
    }
    tensor_release(&out);
    tensor_release(&weights);
    tensor_release(&identity);
    tensor_release(&x);
}

/* x = (1), (2); W_query is 0, so the weights are uniform over the open keys; W_value = (1 10) and
 * W_out = (1; 1) make 11 times the mean. */
static void test_self_attention__projects_and_hides_the_future(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(2, 1), ROW(1, 2)), out, weights;
    struct tensor zero = testing_tensor(2, SHAPE(1, 1), ROW(0));
    struct tensor w_value = testing_tensor(2, SHAPE(1, 2), ROW(1, 10));
    struct tensor w_out = testing_tensor(2, SHAPE(2, 1), ROW(1, 1));
    struct self_attention head = {.w_query = &zero, .w_key = &zero, .w_value = &w_value};
    assert_true(self_attention_forward(&head, &x, NULL, &out, NULL, NULL));
    assert_tensor_close(&out, 2, SHAPE(2, 2), ROW(1.5f, 15, 1.5f, 15), 0);
    tensor_release(&out);
    head.w_out = &w_out;
    head.causal = true;
    assert_true(self_attention_forward(&head, &x, NULL, &out, &weights, NULL));
    assert_tensor_close(&out, 2, SHAPE(2, 1), ROW(11, 16.5f), 0);
    assert_tensor_close(&weights, 2, SHAPE(2, 2), ROW(1, 0, 0.5f, 0.5f), 0);
    tensor_release(&out);
    tensor_release(&weights);
    tensor_release(&x);
    tensor_release(&zero);
    tensor_release(&w_value);
    tensor_release(&w_out);
}

static void test_self_attention__shapes_that_do_not_fit(void **state)
{
    (void)state;
    struct tensor x = hello_shiny_sun(), out;
    struct tensor narrow = testing_tensor(2, SHAPE(3, 1), ROW(1, 1, 1));
    struct tensor wide = testing_tensor(2, SHAPE(3, 2), ROW(1, 1, 1, 1, 1, 1));
    struct tensor vector = testing_tensor(1, SHAPE(3), ROW(1, 1, 1));
    struct self_attention head = {.w_query = &narrow, .w_key = &wide, .w_value = &wide};
    struct error error;
    assert_error(self_attention_forward(&head, &x, NULL, &out, NULL, &error), error, ERR_SHAPE);
    assert_says(error, "query is 3x1, key is 3x2");
    assert_error(self_attention_plain(&vector, NULL, &out, NULL, &error), error, ERR_SHAPE);
    tensor_release(&x);
    tensor_release(&narrow);
    tensor_release(&wide);
    tensor_release(&vector);
}

static void test_self_attention__failed_allocations(void **state)
{
    (void)state;
    struct tensor x = hello_shiny_sun(), out, weights;
    struct self_attention head = {.w_query = &x, .w_key = &x, .w_value = &x, .w_out = &x};
    struct error error;
    assert_reports_failed_allocations(
        self_attention_forward(&head, &x, NULL, &out, &weights, &error), error);
    tensor_release(&out);
    tensor_release(&weights);
    assert_reports_failed_allocations(self_attention_plain(&x, NULL, &out, &weights, &error),
                                      error);
    tensor_release(&out);
    tensor_release(&weights);
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_self_attention__plain_shiny),
        cmocka_unit_test(test_self_attention__scaled_shiny),
        cmocka_unit_test(test_self_attention__projects_and_hides_the_future),
        cmocka_unit_test(test_self_attention__shapes_that_do_not_fit),
        cmocka_unit_test(test_self_attention__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
