#include "graph_testing.h"

#include <math.h>
#include <string.h>

#include "graph/grad.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "show/labels.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

static struct node *total(struct bench *bench, struct node *x)
{
    return build_reduce(&bench->builder, OP_SUM, x, 0, false, 0);
}

/* The gradient, kept by the builder. */
static struct node *gradient(struct bench *bench, struct node *loss, struct node *wrt)
{
    struct node *d = NULL;
    assert_non_null(loss);
    if (!graph_grad(&bench->graph, loss, &wrt, 1, &d, &bench->error))
        fail_msg("%s", bench->error.text);
    return builder_keep(&bench->builder, d);
}

/* d sum(W * W) = 2 W: W is used twice, and both uses count. */
static void test_grad__repeated_use_adds_up(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *w = bench_tensor(&bench, 2, SHAPE(2, 2), ROW(1, 2, 3, 4), "W");
    struct node *loss = total(&bench, build2(b, OP_MUL, w, w));
    assert_tensor_close(&gradient(&bench, loss, w)->value, 2, SHAPE(2, 2), ROW(2, 4, 6, 8), 0);
    /* W @ W + W: d = 1 W^T + W^T 1 + 1; row sums 3, 7 and column sums 4, 6. */
    struct node *mixed = total(&bench, build2(b, OP_ADD, build2(b, OP_MATMUL, w, w), w));
    assert_tensor_close(&gradient(&bench, mixed, w)->value, 2, SHAPE(2, 2),
                        ROW(3 + 4 + 1, 7 + 4 + 1, 3 + 6 + 1, 7 + 6 + 1), 0);
    bench_release(&bench);
}

/* x doubled 40 times: 2^40 ways, each node handed on once. */
static void test_grad__many_ways_to_one_node(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *x = build_number(&bench.builder, 3), *sum = x;
    for (int i = 0; i < 40; i++)
        sum = build2(&bench.builder, OP_ADD, sum, sum);
    assert_close(gradient(&bench, sum, x)->value.data[0], 0x1p40, 0);
    bench_release(&bench);
}

/* loss = sum(tanh(x W) v): d_v = h, d_W = x^T ((1 - h^2) v^T), d_x = ((1 - h^2) v^T) W^T, worked
 * out for x = [1, 2], W = [[0.5, -1], [0.25, 0.5]], v = [3, -2]: x W = [1, 0]. */
static void test_grad__several_at_once(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 2, SHAPE(1, 2), ROW(1, 2), "x");
    struct node *w = bench_tensor(&bench, 2, SHAPE(2, 2), ROW(0.5f, -1, 0.25f, 0.5f), "W");
    struct node *v = bench_tensor(&bench, 2, SHAPE(2, 1), ROW(3, -2), "v");
    struct node *hidden = build1(b, OP_TANH, build2(b, OP_MATMUL, x, w));
    struct node *loss = total(&bench, build2(b, OP_MATMUL, hidden, v));
    struct node *wrt[] = {v, x, w, hidden, x}, *d[5];
    assert_true(graph_grad(&bench.graph, loss, wrt, 5, d, &bench.error));
    float h = (float)tanh(1), slope = 3 * (1 - h * h);
    assert_tensor_close(&d[0]->value, 2, SHAPE(2, 1), ROW(h, 0), 1e-6);
    assert_tensor_close(&d[1]->value, 2, SHAPE(1, 2), ROW(slope * 0.5f + 2, slope * 0.25f - 1),
                        1e-6);
    assert_tensor_close(&d[2]->value, 2, SHAPE(2, 2), ROW(slope, -2, 2 * slope, -4), 1e-6);
    assert_tensor_close(&d[3]->value, 2, SHAPE(1, 2), ROW(3, -2), 0);
    assert_ptr_equal(d[4], d[1]);
    for (size_t i = 0; i < 5; i++)
        node_free(d[i]);
    bench_release(&bench);
}

static void test_grad__of_the_loss_itself(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *loss = bench_tensor(&bench, 2, SHAPE(1, 1), ROW(5), "loss");
    assert_tensor_close(&gradient(&bench, loss, loss)->value, 2, SHAPE(1, 1), ROW(1), 0);
    bench_release(&bench);
}

/* b is added to each of 3 rows, so its gradient is the sum of theirs. */
static void test_grad__broadcasting_sums(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 2, SHAPE(3, 2), ROW(1, 2, 3, 4, 5, 6), "x");
    struct node *bias = bench_tensor(&bench, 1, SHAPE(2), ROW(0, 0), "bias");
    struct node *one = build_number(b, 1);
    struct node *y = build2(b, OP_ADD, build2(b, OP_ADD, x, bias), one);
    struct node *loss = total(&bench, build2(b, OP_MUL, y, x));
    assert_tensor_close(&gradient(&bench, loss, bias)->value, 1, SHAPE(2), ROW(9, 12), 0);
    assert_tensor_close(&gradient(&bench, loss, one)->value, 0, NULL, ROW(21), 0);
    bench_release(&bench);
}

/* x^3: 3 x^2, 6 x, 6. */
static void test_grad__of_gradients(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 1, SHAPE(2), ROW(2, -1), "x");
    struct node *y = build2(b, OP_MUL, x, build2(b, OP_MUL, x, x));
    struct node *first = gradient(&bench, total(&bench, y), x);
    struct node *second = gradient(&bench, total(&bench, first), x);
    struct node *third = gradient(&bench, total(&bench, second), x);
    assert_tensor_close(&first->value, 1, SHAPE(2), ROW(12, 3), 0);
    assert_tensor_close(&second->value, 1, SHAPE(2), ROW(12, -6), 0);
    assert_tensor_close(&third->value, 1, SHAPE(2), ROW(6, 6), 0);
    bench_release(&bench);
}

/* ---- where nothing flows ---- */

static void test_grad__detach_stops_it(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 1, SHAPE(2), ROW(3, 4), "x");
    struct node *still = build1(b, OP_DETACH, x);
    struct node *half = total(&bench, build2(b, OP_MUL, x, still));
    struct node *none = total(&bench, build2(b, OP_MUL, still, still));
    assert_tensor_close(&gradient(&bench, half, x)->value, 1, SHAPE(2), ROW(3, 4), 0);
    assert_tensor_close(&gradient(&bench, none, x)->value, 1, SHAPE(2), ROW(0, 0), 0);
    /* What was detached is a start of its own. */
    assert_tensor_close(&gradient(&bench, none, still)->value, 1, SHAPE(2), ROW(6, 8), 0);
    bench_release(&bench);
}

static void test_grad__steps_have_slope_zero(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 1, SHAPE(2), ROW(3, 4), "x");
    struct node *above = build2(b, OP_GT, x, build_number(b, 3.5));
    struct node *loss = total(&bench, build2(b, OP_MUL, above, x));
    assert_tensor_close(&gradient(&bench, loss, x)->value, 1, SHAPE(2), ROW(0, 1), 0);
    assert_tensor_close(&gradient(&bench, total(&bench, above), x)->value, 1, SHAPE(2), ROW(0, 0),
                        0);
    bench_release(&bench);
}

/* ---- how gradients present themselves ---- */

static void test_grad__has_name_shape_and_labels(void **state)
{
    (void)state;
    struct bench bench;
    struct labels *labels;
    bench_init(&bench);
    struct node *w = bench_tensor(&bench, 1, SHAPE(2), ROW(1, 2), "W");
    assert_true(labels_new(2, (const char *const[]){"Hello", "sun"}, NULL, &labels, NULL));
    node_set_labels(w, 0, labels);
    labels_free(labels);
    struct node *loss = total(&bench, build2(&bench.builder, OP_MUL, w, w));
    struct node *d = gradient(&bench, loss, w);
    assert_string_equal(d->name, "d_W");
    assert_string_equal(labels_name(d->labels[0], 1), "sun");
    bench_release(&bench);
}

/* The graph is as it was: nothing gained an owner but by the gradient, which gives it back. */
static void test_grad__changes_nothing(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *w = bench_tensor(&bench, 1, SHAPE(2), ROW(1, 2), "W");
    struct node *y = build1(b, OP_EXP, w), *loss = total(&bench, y), *d = NULL;
    size_t n_owners[] = {w->n_owners, y->n_owners, loss->n_owners};
    assert_true(graph_grad(&bench.graph, loss, &w, 1, &d, NULL));
    node_free(d);
    assert_int_equal(w->n_owners, n_owners[0]);
    assert_int_equal(y->n_owners, n_owners[1]);
    assert_int_equal(loss->n_owners, n_owners[2]);
    assert_null(y->name);
    bench_release(&bench);
}

/* ---- errors ---- */

static void test_grad__loss_of_several_numbers(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *w = bench_tensor(&bench, 1, SHAPE(2), ROW(1, 2), "W"), *d = NULL;
    assert_error(graph_grad(&bench.graph, w, &w, 1, &d, &bench.error), bench.error, ERR_SHAPE);
    assert_says(bench.error, "this one is (2,)");
    assert_null(d);
    bench_release(&bench);
}

/* The second of three is a stranger to the loss. */
static void test_grad__loss_that_does_not_depend(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *w = bench_tensor(&bench, 1, SHAPE(2), ROW(1, 2), "W");
    struct node *v = bench_tensor(&bench, 1, SHAPE(2), ROW(1, 2), "V");
    struct node *loss = total(&bench, build1(&bench.builder, OP_EXP, w));
    struct node *wrt[] = {w, v, w}, *d[3] = {NULL};
    assert_error(graph_grad(&bench.graph, loss, wrt, 3, d, &bench.error), bench.error, ERR_NAME);
    assert_says(bench.error, "not computed from V");
    assert_null(d[0]);
    /* Nor is what was made of the loss. */
    struct node *later = build1(&bench.builder, OP_NEG, loss);
    assert_error(graph_grad(&bench.graph, loss, &later, 1, d, &bench.error), bench.error, ERR_NAME);
    bench_release(&bench);
}

static void test_grad__stops_when_told(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *w = bench_tensor(&bench, 1, SHAPE(2), ROW(1, 2), "W"), *d = NULL;
    struct node *loss = total(&bench, build1(&bench.builder, OP_TANH, w));
    volatile sig_atomic_t stop = 1;
    bench.graph.stop = &stop;
    assert_error(graph_grad(&bench.graph, loss, &w, 1, &d, &bench.error), bench.error,
                 ERR_INTERRUPTED);
    assert_null(d);
    bench_release(&bench);
}

/* x + 1 + 1 + ... and its gradient, deeper than recursion could go. */
static void test_grad__through_a_deep_chain(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = build_number(b, 0), *one = build_number(b, 1), *sum = x;
    for (int i = 0; i < DEPTH; i++)
        sum = build2(b, OP_ADD, sum, one);
    struct node *wrt[] = {x, one}, *d[2];
    assert_true(graph_grad(&bench.graph, sum, wrt, 2, d, &bench.error));
    assert_close(d[0]->value.data[0], 1, 0);
    assert_close(d[1]->value.data[0], DEPTH, 0);
    node_free(d[0]);
    node_free(d[1]);
    bench_release(&bench);
}

static void test_grad__failed_allocations(void **state)
{
    (void)state;
    struct bench bench;
    struct error error;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 2, SHAPE(2, 2), ROW(1, 2, 3, 4), "x");
    struct node *w = bench_tensor(&bench, 2, SHAPE(2, 2), ROW(1, -1, 2, 0), "W");
    struct node *scores = build2(b, OP_MATMUL, x, build_transpose(b, w, 0, 1));
    struct node *weights = build_ints(b, OP_SOFTMAX, scores, 1, &(ptrdiff_t){1}, 0);
    struct node *loss = total(&bench, build2(b, OP_MATMUL, weights, x));
    struct node *unused = bench_tensor(&bench, 1, SHAPE(1), ROW(1), "u");
    struct node *flat = build1(b, OP_SIGN, unused);
    loss = build2(b, OP_ADD, loss, build_reduce(b, OP_SUM, flat, 0, false, 0));
    struct node *wrt[] = {x, w, unused}, *d[3];
    assert_non_null(loss);
    assert_reports_failed_allocations(graph_grad(&bench.graph, loss, wrt, 3, d, &error), error);
    assert_tensor_close(&d[2]->value, 1, SHAPE(1), ROW(0), 0);
    for (size_t i = 0; i < 3; i++)
        node_free(d[i]);
    bench_release(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grad__repeated_use_adds_up),
        cmocka_unit_test(test_grad__many_ways_to_one_node),
        cmocka_unit_test(test_grad__several_at_once),
        cmocka_unit_test(test_grad__of_the_loss_itself),
        cmocka_unit_test(test_grad__broadcasting_sums),
        cmocka_unit_test(test_grad__of_gradients),
        cmocka_unit_test(test_grad__detach_stops_it),
        cmocka_unit_test(test_grad__steps_have_slope_zero),
        cmocka_unit_test(test_grad__has_name_shape_and_labels),
        cmocka_unit_test(test_grad__changes_nothing),
        cmocka_unit_test(test_grad__loss_of_several_numbers),
        cmocka_unit_test(test_grad__loss_that_does_not_depend),
        cmocka_unit_test(test_grad__stops_when_told),
        cmocka_unit_test(test_grad__through_a_deep_chain),
        cmocka_unit_test(test_grad__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
