/* graph/hidden.h: which numbers a mask hides. */
#include "graph_testing.h"

#include <math.h>

#include "graph/hidden.h"
#include "graph/node.h"
#include "graph/ops.h"

/* Scores of two words of which the first may not see the second; -200 is far too low, not hidden:
 * exp(-200 - 1) is 0 in float32. */
static struct node *masked_scores(struct bench *bench)
{
    struct tensor value =
        testing_tensor(2, (size_t[]){2, 3}, (float[]){1, -INFINITY, 0, 0, 1, -200});
    return build_input(&bench->builder, &value, "a test");
}

static void assert_hides(struct node *node, const float *expected)
{
    struct tensor hidden;
    struct error error;
    bool any;
    assert_non_null(node);
    if (!node_hidden(node, &hidden, &any, &error))
        fail_msg("%s", error.text);
    assert_true(any);
    assert_true(tensor_same_shape(&hidden, &node->value));
    for (size_t i = 0; i < tensor_size(&hidden); i++)
        assert_true(tensor_at_position(&hidden, i) == expected[i]);
    tensor_release(&hidden);
}

static void assert_hides_nothing(struct node *node)
{
    struct tensor hidden;
    struct error error;
    bool any;
    assert_non_null(node);
    assert_true(node_hidden(node, &hidden, &any, &error));
    assert_false(any);
    assert_null(hidden.data);
}

static struct node *softmax_of(struct builder *b, struct node *scores, enum op_kind kind)
{
    ptrdiff_t last = 1;
    return build_ints(b, kind, scores, 1, &last, 0);
}

static void test_hidden__a_zero_of_a_masked_score_is_and_another_zero_is_not(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *scores = masked_scores(&bench);
    static const float expected[] = {0, 1, 0, 0, 0, 0};
    assert_hides(scores, expected);
    struct node *weights = softmax_of(b, scores, OP_WEIGHTS);
    assert_non_null(weights);
    assert_true(tensor_at_position(&weights->value, 5) == 0); /* exp(-201) */
    assert_hides(weights, expected);
    assert_hides(softmax_of(b, scores, OP_SOFTMAX), expected);
    bench_release(&bench);
}

static void test_hidden__moves_take_it_along(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *weights =
        build_name(b, softmax_of(b, masked_scores(&bench), OP_WEIGHTS), "weights");
    assert_hides(build_name(b, build_transpose(b, weights, 0, 1), "T"),
                 (const float[]){0, 0, 1, 0, 0, 0});
    assert_hides(build_reshape(b, weights, 1, (size_t[]){6}), (const float[]){0, 1, 0, 0, 0, 0});
    /* What is computed of weights holds numbers of its own. */
    assert_hides_nothing(build2(b, OP_MUL, weights, build_number(b, 2)));
    bench_release(&bench);
}

static void test_hidden__numbers_that_were_typed_are_only_when_minus_infinite(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct tensor value = testing_tensor(1, (size_t[]){3}, (float[]){0, INFINITY, NAN});
    assert_hides_nothing(build_input(&bench.builder, &value, "a test"));
    struct tensor none = testing_tensor(2, (size_t[]){0, 2}, NULL);
    assert_hides_nothing(build_input(&bench.builder, &none, "a test"));
    bench_release(&bench);
}

static bool hidden_once(struct node *node, struct error *reterr)
{
    struct tensor hidden;
    bool any;
    if (!node_hidden(node, &hidden, &any, reterr))
        return false;
    tensor_release(&hidden);
    return true;
}

static void test_hidden__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *scores = masked_scores(&bench);
    struct error error;
    assert_reports_failed_allocations(hidden_once(scores, &error), error);
    bench_release(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hidden__a_zero_of_a_masked_score_is_and_another_zero_is_not),
        cmocka_unit_test(test_hidden__moves_take_it_along),
        cmocka_unit_test(test_hidden__numbers_that_were_typed_are_only_when_minus_infinite),
        cmocka_unit_test(test_hidden__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
