/* attention/multihead.h */
#include "base/array.h"
#include "testing.h"

#include "attention/multihead.h"
#include "slope.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

/* ---- heads ---- */

/* Column h * 2 + d of token i is component d of head h: numbers are 100 * h + 10 * i + d. */
static void test_multihead__split_gives_each_head_its_columns(void **state)
{
    (void)state;
    struct tensor x =
        testing_tensor(2, SHAPE(2, 6), ROW(0, 1, 100, 101, 200, 201, 10, 11, 110, 111, 210, 211));
    struct tensor split, merged;
    assert_true(heads_split(&x, 3, &split, NULL));
    assert_tensor_close(&split, 3, SHAPE(3, 2, 2),
                        ROW(0, 1, 10, 11, 100, 101, 110, 111, 200, 201, 210, 211), 0);
    assert_ptr_equal(split.storage, x.storage);
    assert_true(heads_merge(&split, &merged, NULL));
    assert_tensor_close(&merged, 2, SHAPE(2, 6), x.data, 0);
    tensor_release(&split);
    tensor_release(&merged);
    tensor_release(&x);
}

static void test_multihead__split_and_merge_keep_a_batch(void **state)
{
    (void)state;
    uint64_t seed = 1;
    struct tensor x = testing_random_tensor(&seed, 3, SHAPE(2, 5, 6)), split, dense, merged;
    assert_true(heads_split(&x, 2, &split, NULL));
    for (size_t at = 0; at < 60; at++) {
        size_t b = at / 30, i = at / 6 % 5, h = at % 6 / 3, d = at % 3;
        assert_close(tensor_at(&split, SHAPE(b, h, i, d)), x.data[at], 0);
    }
    assert_true(tensor_copy(&split, &dense, NULL)); /* so that merging has to move numbers */
    assert_true(heads_merge(&dense, &merged, NULL));
    assert_tensor_close(&merged, 3, SHAPE(2, 5, 6), x.data, 0);
    tensor_release(&split);
    tensor_release(&dense);
    tensor_release(&merged);
    tensor_release(&x);
}

static void test_multihead__heads_that_do_not_fit(void **state)
{
    (void)state;
    struct tensor x, deep, split;
    struct error error;
    assert_true(tensor_zeros(2, SHAPE(2, 6), &x, NULL));
    assert_true(tensor_zeros(6, SHAPE(1, 1, 1, 1, 2, 6), &deep, NULL));
    assert_error(heads_split(&x, 4, &split, &error), error, ERR_SHAPE);
    assert_says(error, "2x6 can't be split into 4 heads");
    assert_error(heads_split(&x, 0, &split, &error), error, ERR_RANGE);
    assert_error(heads_split(&deep, 2, &split, &error), error, ERR_LIMIT);
    assert_error(heads_merge(&x, &split, &error), error, ERR_SHAPE);
    tensor_release(&x);
    tensor_release(&deep);
}

/* ---- the layer ---- */

/* A layer of random weights with every part, and random inputs of different lengths and widths. */
struct example {
    struct tensor w_query, w_key, w_value, b_query, b_key, b_value, w_out, b_out;
    struct tensor query, key, value;
    struct multihead layer;
    struct multihead_input input;
};

static void example_init(struct example *e, uint64_t seed)
{
    e->w_query = testing_random_tensor(&seed, 2, SHAPE(3, 4));
    e->w_key = testing_random_tensor(&seed, 2, SHAPE(5, 4));
    e->w_value = testing_random_tensor(&seed, 2, SHAPE(2, 6));
    e->b_query = testing_random_tensor(&seed, 1, SHAPE(4));
    e->b_key = testing_random_tensor(&seed, 1, SHAPE(4));
    e->b_value = testing_random_tensor(&seed, 1, SHAPE(6));
    e->w_out = testing_random_tensor(&seed, 2, SHAPE(6, 3));
    e->b_out = testing_random_tensor(&seed, 1, SHAPE(3));
    e->query = testing_random_tensor(&seed, 3, SHAPE(2, 3, 3));
    e->key = testing_random_tensor(&seed, 3, SHAPE(2, 4, 5));
    e->value = testing_random_tensor(&seed, 3, SHAPE(2, 4, 2));
    e->layer = (struct multihead){
        .n_heads = 2,
        .w_query = &e->w_query,
        .w_key = &e->w_key,
        .w_value = &e->w_value,
        .b_query = &e->b_query,
        .b_key = &e->b_key,
        .b_value = &e->b_value,
        .w_out = &e->w_out,
        .b_out = &e->b_out,
    };
    e->input = (struct multihead_input){.query = &e->query, .key = &e->key, .value = &e->value};
}

static void example_release(struct example *e)
{
    struct tensor *all[] = {&e->w_query, &e->w_key,   &e->w_value, &e->b_query,
                            &e->b_key,   &e->b_value, &e->w_out,   &e->b_out,
                            &e->query,   &e->key,     &e->value};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        tensor_release(all[i]);
}

/* Two tokens, two heads of width 1. W_query is 0, so every head weighs all open tokens alike; the
 * value is x itself, (1, 10) and (3, 30). */
static void test_multihead__by_hand(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, SHAPE(2, 2), ROW(1, 10, 3, 30)), out, weights;
    struct tensor zero = testing_tensor(2, SHAPE(2, 2), ROW(0, 0, 0, 0));
    struct tensor identity = testing_tensor(2, SHAPE(2, 2), ROW(1, 0, 0, 1));
    struct multihead layer = {
        .n_heads = 2,
        .w_query = &zero,
        .w_key = &identity,
        .w_value = &identity,
        .causal = true,
    };
    struct multihead_input input = {.query = &x, .key = &x, .value = &x};
    assert_true(multihead_forward(&layer, &input, NULL, &out, &weights, NULL));
    assert_tensor_close(&out, 2, SHAPE(2, 2), ROW(1, 10, 2, 20), 0);
    assert_tensor_close(&weights, 3, SHAPE(2, 2, 2), ROW(1, 0, 0.5f, 0.5f, 1, 0, 0.5f, 0.5f), 0);
    tensor_release(&out);
    tensor_release(&weights);
    /* Head 0 may see token 0 only, head 1 token 1 only; the output projection swaps and adds 100.
     */
    struct tensor swap = testing_tensor(2, SHAPE(2, 2), ROW(0, 1, 1, 0));
    struct tensor hundred = testing_tensor(1, SHAPE(2), ROW(100, 100));
    struct tensor mask = testing_tensor(3, SHAPE(2, 1, 2), ROW(0, 1, 1, 0));
    layer.causal = false;
    layer.w_out = &swap;
    layer.b_out = &hundred;
    input.mask = &mask;
    input.mask_kind = MASK_MASKED_OUT;
    assert_true(multihead_forward(&layer, &input, NULL, &out, NULL, NULL));
    assert_tensor_close(&out, 2, SHAPE(2, 2), ROW(130, 101, 130, 101), 0);
    tensor_release(&out);
    tensor_release(&swap);
    tensor_release(&hundred);
    tensor_release(&mask);
    tensor_release(&x);
    tensor_release(&zero);
    tensor_release(&identity);
}

static void test_multihead__context_length_is_a_limit(void **state)
{
    (void)state;
    struct example e;
    struct tensor out;
    struct multihead_gradients gradients;
    struct error error;
    example_init(&e, 2);
    e.layer.context_length = 4; /* 3 queries, 4 keys */
    assert_true(multihead_forward(&e.layer, &e.input, NULL, &out, NULL, NULL));
    e.layer.context_length = 3;
    struct tensor other;
    assert_error(multihead_forward(&e.layer, &e.input, NULL, &other, NULL, &error), error,
                 ERR_SHAPE);
    assert_says(error, "4 tokens are more than the context length 3");
    assert_error(multihead_backward(&e.layer, &e.input, &out, NULL, &gradients, &error), error,
                 ERR_SHAPE);
    tensor_release(&out);
    example_release(&e);
}

static void test_multihead__layers_that_do_not_fit(void **state)
{
    (void)state;
    struct example e;
    struct tensor out;
    struct multihead_gradients gradients;
    struct error error;
    example_init(&e, 3);
    e.layer.n_heads = 3; /* 6 value columns divide by 3, 4 query columns do not */
    assert_error(multihead_forward(&e.layer, &e.input, NULL, &out, NULL, &error), error, ERR_SHAPE);
    e.layer.n_heads = 2;
    assert_error(multihead_backward(&e.layer, &e.input, &e.value, NULL, &gradients, &error), error,
                 ERR_SHAPE);
    e.input.key = &e.value;
    assert_error(multihead_forward(&e.layer, &e.input, NULL, &out, NULL, &error), error, ERR_SHAPE);
    e.input.key = &e.key;
    e.layer.w_out = NULL;
    assert_error(multihead_forward(&e.layer, &e.input, NULL, &out, NULL, &error), error, ERR_SHAPE);
    assert_says(error, "b_out");
    example_release(&e);
}

/* Dropout factors belong to the weights of each head, and dropping all leaves the bias. */
static void test_multihead__dropout(void **state)
{
    (void)state;
    struct example e;
    struct random random;
    struct tensor factors, out;
    struct error error;
    example_init(&e, 4);
    e.layer.dropout_p = 1;
    random_seed(&random, 1);
    assert_true(multihead_dropout(&e.layer, &e.input, &random, &factors, NULL));
    static const float zeros[48];
    assert_tensor_close(&factors, 4, SHAPE(2, 2, 3, 4), zeros, 0);
    e.input.dropout = &factors;
    assert_true(multihead_forward(&e.layer, &e.input, NULL, &out, NULL, NULL));
    for (size_t at = 0; at < 18; at++)
        assert_close(out.data[at], e.b_out.data[at % 3], 0);
    tensor_release(&out);
    tensor_release(&factors);
    e.layer.dropout_p = 2;
    assert_error(multihead_dropout(&e.layer, &e.input, &random, &factors, &error), error,
                 ERR_RANGE);
    example_release(&e);
}

/* ---- gradients ---- */

struct multihead_loss {
    const struct example *example;
    const struct tensor *direction;
};

static double multihead_loss(const void *context)
{
    const struct multihead_loss *loss = context;
    struct tensor out;
    struct error error;
    const struct example *e = loss->example;
    if (!multihead_forward(&e->layer, &e->input, NULL, &out, NULL, &error))
        fail_msg("%s", error.text);
    double total = weighted_total(&out, loss->direction);
    tensor_release(&out);
    return total;
}

static void check_if_there(const struct tensor *gradient, const struct tensor *present,
                           struct tensor *x, const struct multihead_loss *loss)
{
    if (present != NULL)
        check_slopes(gradient, x, multihead_loss, loss);
    else
        assert_null(gradient->data);
}

static void check_gradients(struct example *e)
{
    uint64_t seed = 99;
    struct tensor out;
    struct multihead_gradients g;
    struct error error;
    assert_true(multihead_forward(&e->layer, &e->input, NULL, &out, NULL, NULL));
    struct tensor direction = testing_random_tensor(&seed, out.n_axes, out.shape);
    struct multihead_loss loss = {e, &direction};
    if (!multihead_backward(&e->layer, &e->input, &direction, NULL, &g, &error))
        fail_msg("%s", error.text);
    check_slopes(&g.query, &e->query, multihead_loss, &loss);
    check_slopes(&g.key, &e->key, multihead_loss, &loss);
    check_slopes(&g.value, &e->value, multihead_loss, &loss);
    check_slopes(&g.w_query, &e->w_query, multihead_loss, &loss);
    check_slopes(&g.w_key, &e->w_key, multihead_loss, &loss);
    check_slopes(&g.w_value, &e->w_value, multihead_loss, &loss);
    check_if_there(&g.b_query, e->layer.b_query, &e->b_query, &loss);
    check_if_there(&g.b_key, e->layer.b_key, &e->b_key, &loss);
    check_if_there(&g.b_value, e->layer.b_value, &e->b_value, &loss);
    check_if_there(&g.w_out, e->layer.w_out, &e->w_out, &loss);
    check_if_there(&g.b_out, e->layer.b_out, &e->b_out, &loss);
    multihead_gradients_release(&g);
    tensor_release(&direction);
    tensor_release(&out);
}

static void test_multihead__gradients_are_slopes(void **state)
{
    (void)state;
    struct example e;
    example_init(&e, 5);
    check_gradients(&e);
    e.layer.b_key = e.layer.b_out = NULL;
    check_gradients(&e);
    e.layer.b_query = e.layer.b_value = e.layer.w_out = NULL;
    e.layer.causal = true;
    check_gradients(&e);
    example_release(&e);
}

static void test_multihead__gradients_with_mask_and_dropout(void **state)
{
    (void)state;
    struct example e;
    struct random random;
    struct tensor factors, mask;
    example_init(&e, 6);
    e.layer.dropout_p = 0.4;
    random_seed(&random, 7);
    assert_true(mask_padding(2, SHAPE(4, 2), 4, MASK_MAY_ATTEND, &mask, NULL));
    assert_true(multihead_dropout(&e.layer, &e.input, &random, &factors, NULL));
    e.input.mask = &mask;
    e.input.mask_kind = MASK_MAY_ATTEND;
    e.input.dropout = &factors;
    check_gradients(&e);
    tensor_release(&factors);
    tensor_release(&mask);
    example_release(&e);
}

static void test_multihead__stops_when_told(void **state)
{
    (void)state;
    struct example e;
    struct tensor out;
    struct error error;
    volatile sig_atomic_t stop = 1;
    example_init(&e, 8);
    assert_error(multihead_forward(&e.layer, &e.input, &stop, &out, NULL, &error), error,
                 ERR_INTERRUPTED);
    example_release(&e);
}

static void test_multihead__failed_allocations(void **state)
{
    (void)state;
    struct example e;
    struct random random;
    struct tensor out, weights, factors;
    struct multihead_gradients gradients;
    struct error error;
    example_init(&e, 9);
    random_seed(&random, 1);
    assert_reports_failed_allocations(
        multihead_forward(&e.layer, &e.input, NULL, &out, &weights, &error), error);
    assert_reports_failed_allocations(
        multihead_backward(&e.layer, &e.input, &out, NULL, &gradients, &error), error);
    assert_reports_failed_allocations(
        multihead_dropout(&e.layer, &e.input, &random, &factors, &error), error);
    multihead_gradients_release(&gradients);
    multihead_gradients_release(NULL);
    tensor_release(&out);
    tensor_release(&weights);
    tensor_release(&factors);
    example_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multihead__split_gives_each_head_its_columns),
        cmocka_unit_test(test_multihead__split_and_merge_keep_a_batch),
        cmocka_unit_test(test_multihead__heads_that_do_not_fit),
        cmocka_unit_test(test_multihead__by_hand),
        cmocka_unit_test(test_multihead__context_length_is_a_limit),
        cmocka_unit_test(test_multihead__layers_that_do_not_fit),
        cmocka_unit_test(test_multihead__dropout),
        cmocka_unit_test(test_multihead__gradients_are_slopes),
        cmocka_unit_test(test_multihead__gradients_with_mask_and_dropout),
        cmocka_unit_test(test_multihead__stops_when_told),
        cmocka_unit_test(test_multihead__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
