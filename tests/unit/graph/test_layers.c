/* graph/layers.h: the layers beside attention, against their formulas worked out in double, and
 * their gradients against difference quotients. */
#include "graph_testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "graph/why.h"
#include "graph/grad.h"
#include "graph/layers.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "graph/whatif.h"
#include "show/doc.h"

#define SHAPE(...) COUNT_OF(((size_t[]){__VA_ARGS__})), ((size_t[]){__VA_ARGS__})

/* ---- numbers ---- */

/* The mean of 1, 3 is 2 and of 5, 7 is 6; each deviates by 1. With eps = 3: 1 / sqrt(1 + 3). */
static void test_layers__layer_norm(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, SHAPE(2, 2), (float[]){1, 3, 5, 7}, NULL);
    struct node *weight = bench_tensor(&bench, SHAPE(2), (float[]){2, 4}, NULL);
    struct node *bias = bench_tensor(&bench, SHAPE(2), (float[]){0, 10}, NULL);
    assert_tensor_close(&build_layer_norm(b, x, 1, NULL, NULL, 3)->value, SHAPE(2, 2),
                        ((float[]){-0.5F, 0.5F, -0.5F, 0.5F}), 1e-6);
    assert_tensor_close(&build_layer_norm(b, x, 1, weight, bias, 3)->value, SHAPE(2, 2),
                        ((float[]){-1, 12, -1, 12}), 1e-6);
    /* Over both axes the mean is 4 and the variance (9 + 1 + 1 + 9) / 4 = 5. */
    assert_tensor_close(&build_layer_norm(b, x, 2, NULL, NULL, 4)->value, SHAPE(2, 2),
                        ((float[]){-1, -1 / 3.0F, 1 / 3.0F, 1}), 1e-6);
    bench_release(&bench);
}

/* The squares of 1, 7 have the mean 25, those of 1, 3, 5, 1 the mean 9. */
static void test_layers__rms_norm(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, SHAPE(1, 2), (float[]){1, 7}, NULL);
    struct node *weight = bench_tensor(&bench, SHAPE(2), (float[]){5, 10}, NULL);
    assert_tensor_close(&build_rms_norm(b, x, 1, NULL, 0)->value, SHAPE(1, 2),
                        ((float[]){0.2F, 1.4F}), 1e-6);
    assert_tensor_close(&build_rms_norm(b, x, 1, weight, 75)->value, SHAPE(1, 2),
                        ((float[]){0.5F, 7}), 1e-6);
    struct node *square = bench_tensor(&bench, SHAPE(2, 2), (float[]){1, 3, 5, 1}, NULL);
    assert_tensor_close(&build_rms_norm(b, square, 2, NULL, 0)->value, SHAPE(2, 2),
                        ((float[]){1 / 3.0F, 1, 5 / 3.0F, 1 / 3.0F}), 1e-6);
    bench_release(&bench);
}

/* x times the share of the normal distribution below x (Abramowitz and Stegun, table 26.1), and
 * GPT-2's form of it, which is within 5e-4 of that (Hendrycks and Gimpel 2016, figure 1). */
static void test_layers__gelu(void **state)
{
    (void)state;
    struct bench bench;
    const float x[] = {-2, -1, 0, 0.5F, 2};
    const float want[] = {-0.0455003F, -0.1586553F, 0, 0.3457312F, 1.9544997F};
    bench_init(&bench);
    struct node *node = bench_tensor(&bench, SHAPE(5), x, NULL);
    assert_tensor_close(&build_gelu(&bench.builder, node, false)->value, SHAPE(5), want, 1e-6);
    assert_tensor_close(&build_gelu(&bench.builder, node, true)->value, SHAPE(5), want, 5e-4);
    bench_release(&bench);
}

static void test_layers__sigmoid_and_silu(void **state)
{
    (void)state;
    struct bench bench;
    float x[] = {-200, -3, -0.25F, 0, 1, 20}, sigmoid[6], silu[6];
    for (size_t i = 0; i < 6; i++) {
        sigmoid[i] = (float)(1 / (1 + exp(-(double)x[i])));
        silu[i] = (float)((double)x[i] / (1 + exp(-(double)x[i])));
    }
    bench_init(&bench);
    struct node *node = bench_tensor(&bench, SHAPE(6), x, NULL);
    assert_tensor_close(&build_sigmoid(&bench.builder, node)->value, SHAPE(6), sigmoid, 1e-7);
    assert_tensor_close(&build_silu(&bench.builder, node)->value, SHAPE(6), silu, 2e-6);
    bench_release(&bench);
}

/* -log(e^x_t / sum e^x) */
static double loss_of(const float *x, size_t n, size_t target)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += exp((double)x[i]);
    return log(sum) - (double)x[target];
}

static void test_layers__cross_entropy(void **state)
{
    (void)state;
    struct bench bench;
    const float x[] = {1, 2, 3, 0, 0, 0, -1, 4, 2};
    double losses[] = {loss_of(x, 3, 2), loss_of(x + 3, 3, 0), loss_of(x + 6, 3, 1)};
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *scores = bench_tensor(&bench, SHAPE(3, 3), x, NULL);
    struct node *targets = bench_tensor(&bench, SHAPE(3), (float[]){2, 0, 1}, NULL);
    struct node *some = bench_tensor(&bench, SHAPE(3), (float[]){2, -100, 1}, NULL);
    struct node *none = bench_tensor(&bench, SHAPE(3), (float[]){7, 7, 7}, NULL);
    const float all[] = {(float)losses[0], (float)losses[1], (float)losses[2]};
    assert_tensor_close(&build_losses(b, scores, targets, -100)->value, SHAPE(3), all, 1e-6);
    const float two[] = {(float)losses[0], 0, (float)losses[2]};
    assert_tensor_close(&build_losses(b, scores, some, -100)->value, SHAPE(3), two, 1e-6);
    assert_close(build_cross_entropy(b, scores, targets, -100)->value.data[0],
                 (losses[0] + losses[1] + losses[2]) / 3, 1e-6);
    assert_close(build_cross_entropy(b, scores, some, -100)->value.data[0],
                 (losses[0] + losses[2]) / 2, 1e-6);
    assert_true(isnan(build_cross_entropy(b, scores, none, 7)->value.data[0]));
    bench_release(&bench);
}

/* What is no ordinary number: -inf is a class that is never chosen. */
static void test_layers__cross_entropy_of_odd_rows(void **state)
{
    (void)state;
    struct bench bench;
    const float x[] = {-INFINITY, 1, 1, -INFINITY, INFINITY, 0, NAN, 0, -INFINITY, -INFINITY};
    bench_init(&bench);
    struct node *scores = bench_tensor(&bench, SHAPE(5, 2), x, NULL);
    struct node *targets = bench_tensor(&bench, SHAPE(5), (float[]){1, 1, 1, 1, 0}, NULL);
    struct node *losses = build_losses(&bench.builder, scores, targets, -100);
    assert_true(losses->value.data[0] == 0);
    assert_true(losses->value.data[1] == INFINITY);
    for (size_t i = 2; i < 5; i++)
        assert_true(isnan(losses->value.data[i]));
    bench_release(&bench);
}

static void refuse_targets(unsigned n_axes, const size_t *shape, const float *numbers,
                           enum error_kind kind, const char *part)
{
    struct bench bench;
    bench_init(&bench);
    struct node *scores = bench_tensor(&bench, SHAPE(2, 3), (float[6]){0}, NULL);
    struct node *targets = bench_tensor(&bench, n_axes, shape, numbers, NULL);
    struct node *losses = build_losses(&bench.builder, scores, targets, -100);
    assert_error(losses != NULL, bench.error, kind);
    assert_says(bench.error, part);
    bench_release(&bench);
}

static void test_layers__targets_that_are_no_classes(void **state)
{
    (void)state;
    refuse_targets(SHAPE(2), (float[]){0, 3}, ERR_RANGE, "target 3 is not a class: there are 3");
    refuse_targets(SHAPE(2), (float[]){0, -1}, ERR_RANGE, "target -1");
    refuse_targets(SHAPE(2), (float[]){0, 0.5F}, ERR_RANGE, "target 0.5");
    refuse_targets(SHAPE(2), (float[]){0, NAN}, ERR_RANGE, "nan");
    refuse_targets(SHAPE(3), (float[]){0, 1, 2}, ERR_SHAPE, "2x3");
    refuse_targets(SHAPE(2, 3), (float[6]){0}, ERR_SHAPE, "2x3");
}

/* ---- gradients ---- */

/* A layer of x, weight and bias (rows of N numbers), with or without them. */
enum { N = 5, N_ROWS = 3 };
typedef struct node *layer(struct builder *builder, struct node *x, struct node *weight,
                           struct node *bias);

static struct node *sigmoid(struct builder *b, struct node *x, struct node *weight,
                            struct node *bias)
{
    (void)weight;
    (void)bias;
    return build_sigmoid(b, x);
}

static struct node *silu(struct builder *b, struct node *x, struct node *weight, struct node *bias)
{
    (void)weight;
    (void)bias;
    return build_silu(b, x);
}

static struct node *gelu(struct builder *b, struct node *x, struct node *weight, struct node *bias)
{
    (void)weight;
    (void)bias;
    return build_gelu(b, x, false);
}

static struct node *gelu_by_tanh(struct builder *b, struct node *x, struct node *weight,
                                 struct node *bias)
{
    (void)weight;
    (void)bias;
    return build_gelu(b, x, true);
}

static struct node *layer_norm(struct builder *b, struct node *x, struct node *weight,
                               struct node *bias)
{
    return build_layer_norm(b, x, 1, weight, bias, 1e-3);
}

static struct node *plain_layer_norm(struct builder *b, struct node *x, struct node *weight,
                                     struct node *bias)
{
    (void)weight;
    (void)bias;
    return build_layer_norm(b, x, 1, NULL, NULL, 1e-3);
}

static struct node *rms_norm(struct builder *b, struct node *x, struct node *weight,
                             struct node *bias)
{
    (void)bias;
    return build_rms_norm(b, x, 1, weight, 1e-3);
}

/* The losses, with the second row left out. */
static struct node *losses(struct builder *b, struct node *x, struct node *weight,
                           struct node *bias)
{
    (void)weight;
    (void)bias;
    struct tensor targets;
    if (!tensor_from(1, (size_t[]){N_ROWS}, (float[]){4, -100, 1}, &targets, b->reterr))
        return NULL;
    return build_losses(b, x, build_input(b, &targets, "a test"), -100);
}

static layer *const layers[] = {sigmoid,          silu,     gelu,  gelu_by_tanh, layer_norm,
                                plain_layer_norm, rms_norm, losses};

/* sum(y^2): so that the gradient of y depends on y. */
static struct node *squared(struct builder *b, struct node *y)
{
    return build_reduce(b, OP_SUM, build2(b, OP_MUL, y, y), 0, false, 0);
}

/* The square sum with number `at` of x moved by step, in double. */
static double moved(struct bench *bench, struct node *y, struct node *x, size_t at, float step)
{
    struct node *to =
        whatif_edit(&bench->graph, x, at, tensor_at_position(&x->value, at) + step, &bench->error);
    struct node *made;
    double sum = 0;
    assert_non_null(to);
    assert_true(whatif_recompute(&bench->graph, &y, 1, x, to, &made, &bench->error));
    for (size_t i = 0; i < tensor_size(&made->value); i++)
        sum += pow((double)tensor_at_position(&made->value, i), 2);
    node_free(made);
    node_free(to);
    return sum;
}

/* A step of 1/64 leaves an error of step^2 / 6 third derivatives, and of rounding over the step. */
static void check_slopes(struct bench *bench, size_t which, struct node *y, struct node *x,
                         const struct tensor *gradient)
{
    for (size_t at = 0; at < tensor_size(&x->value); at++) {
        double slope = (moved(bench, y, x, at, 0x1p-6F) - moved(bench, y, x, at, -0x1p-6F)) * 0x1p5;
        double got = (double)tensor_at_position(gradient, at);
        if (!(fabs(got - slope) <= 4e-3 * (1 + fabs(slope))))
            fail_msg("layer %zu: number %zu: the slope is %g, the gradient %g", which, at, slope,
                     got);
    }
}

static struct node *drawn(struct bench *bench, uint64_t *seed, unsigned n_axes, const size_t *shape,
                          const char *name)
{
    struct tensor x = testing_random_tensor(seed, n_axes, shape);
    return build_name(&bench->builder, build_input(&bench->builder, &x, "a test"), name);
}

/* The gradients of sum(y^2) for those of x, weight and bias that y was made from. */
static size_t gradients_of(struct bench *bench, struct node *y, struct node *const *from,
                           struct node *ret[3])
{
    size_t n = 0;
    struct node *loss = squared(&bench->builder, y);
    for (size_t i = 0; i < 3; i++) {
        if (!graph_grad(&bench->graph, loss, &from[i], 1, &ret[n], &bench->error))
            continue;
        (void)builder_keep(&bench->builder, ret[n++]);
    }
    return n;
}

static void test_layers__gradients(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (size_t i = 0; i < COUNT_OF(layers); i++) {
        struct bench bench;
        bench_init(&bench);
        struct node *from[] = {drawn(&bench, &seed, SHAPE(N_ROWS, N), "x"),
                               drawn(&bench, &seed, SHAPE(N), "w"),
                               drawn(&bench, &seed, SHAPE(N), "b")};
        struct node *got[3], *y = layers[i](&bench.builder, from[0], from[1], from[2]);
        assert_non_null(y);
        size_t n = gradients_of(&bench, y, from, got);
        assert_true(n > 0);
        for (size_t j = 0; j < n; j++)
            check_slopes(&bench, i, y, from[j], &got[j]->value);
        bench_release(&bench);
    }
}

/* The slopes of a gradient are the second derivatives. */
static void test_layers__second_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (size_t i = 0; i < COUNT_OF(layers); i++) {
        struct bench bench;
        bench_init(&bench);
        struct node *from[] = {drawn(&bench, &seed, SHAPE(N_ROWS, N), "x"),
                               drawn(&bench, &seed, SHAPE(N), "w"),
                               drawn(&bench, &seed, SHAPE(N), "b")};
        struct node *first[3], *second[3],
            *y = layers[i](&bench.builder, from[0], from[1], from[2]);
        assert_true(gradients_of(&bench, y, from, first) > 0);
        assert_true(gradients_of(&bench, first[0], from, second) > 0);
        check_slopes(&bench, i, first[0], from[0], &second[0]->value);
        bench_release(&bench);
    }
}

/* ---- many numbers: one node ---- */

/* Above the rule (kernel/kernel.h), and no multiple of what the kernels work in. */
enum { MANY_ROWS = 131, MANY = 127 };

static struct node *one_node(struct builder *b, enum op_kind kind, const struct norm_parts *parts)
{
    struct node *x = parts->x;
    if (kind == OP_LAYER_NORM)
        return build_layer_norm(b, x, 1, parts->weight, parts->bias, parts->eps);
    if (kind == OP_RMS_NORM)
        return build_rms_norm(b, x, 1, parts->weight, parts->eps);
    if (kind == OP_SIGMOID)
        return build_sigmoid(b, x);
    return kind == OP_SILU ? build_silu(b, x) : build_gelu(b, x, kind == OP_GELU_TANH);
}

static struct node *its_steps(struct builder *b, enum op_kind kind, const struct norm_parts *parts)
{
    return kind < OP_LAYER_NORM ? build_activation_steps(b, kind, parts->x)
                                : build_norm_steps(b, kind, parts);
}

static void assert_same(int kind, const struct tensor *got, const struct tensor *want,
                        double tolerance)
{
    assert_true(tensor_same_shape(got, want));
    for (size_t i = 0; i < tensor_size(want); i++) {
        double x = (double)tensor_at_position(got, i), y = (double)tensor_at_position(want, i);
        if (!(fabs(x - y) <= tolerance * (1 + fabs(y))))
            fail_msg("operation %d: number %zu is %.9g, not %.9g", kind, i, x, y);
    }
}

struct large {
    enum op_kind kind;
    bool weighted, biased;
};
static const struct large larges[] = {
    {.kind = OP_SIGMOID},
    {.kind = OP_SILU},
    {.kind = OP_GELU},
    {.kind = OP_GELU_TANH},
    {.kind = OP_LAYER_NORM},
    {.kind = OP_LAYER_NORM, .biased = true},
    {.kind = OP_LAYER_NORM, .weighted = true, .biased = true},
    {.kind = OP_RMS_NORM},
    {.kind = OP_RMS_NORM, .weighted = true},
};

static void for_each_large(void (*check)(struct bench *bench, const struct large *large,
                                         const struct norm_parts *parts))
{
    uint64_t seed = 8;
    for (size_t i = 0; i < COUNT_OF(larges); i++) {
        struct bench bench;
        bench_init(&bench);
        struct norm_parts parts = {
            .x = drawn(&bench, &seed, SHAPE(MANY_ROWS, MANY), "x"), .n_axes = 1, .eps = 1e-3};
        if (larges[i].weighted)
            parts.weight = drawn(&bench, &seed, SHAPE(MANY), "w");
        if (larges[i].biased)
            parts.bias = drawn(&bench, &seed, SHAPE(MANY), "b");
        check(&bench, &larges[i], &parts);
        bench_release(&bench);
    }
}

static void compare_gradients(struct bench *bench, int kind, struct node *const both[2],
                              const struct norm_parts *parts, double tolerance,
                              struct node *ret[2][3])
{
    struct node *from[3] = {parts->x, parts->weight, parts->bias};
    size_t n[2];
    for (size_t i = 0; i < 3; i++)
        from[i] = from[i] != NULL ? from[i] : parts->x;
    for (int which = 0; which < 2; which++)
        n[which] = gradients_of(bench, both[which], from, ret[which]);
    assert_int_equal(n[0], 3);
    assert_int_equal(n[1], 3);
    for (size_t i = 0; i < 3; i++)
        assert_same(kind, &ret[0][i]->value, &ret[1][i]->value, tolerance);
}

static void check_large(struct bench *bench, const struct large *large,
                        const struct norm_parts *parts)
{
    struct builder *b = &bench->builder;
    struct node *first[2][3], *second[2][3];
    struct node *both[2] = {one_node(b, large->kind, parts), its_steps(b, large->kind, parts)};
    assert_non_null(both[0]);
    assert_int_equal(both[0]->op->kind, large->kind);
    assert_same((int)large->kind, &both[0]->value, &both[1]->value, 2e-6);
    /* Those of weight and bias are sums over all rows. */
    compare_gradients(bench, (int)large->kind, both, parts, 2e-5, first);
    struct node *gradients[2] = {first[0][0], first[1][0]};
    compare_gradients(bench, (int)large->kind, gradients, parts, 2e-4, second);
}

static void test_layers__one_node_is_what_the_steps_give(void **state)
{
    (void)state;
    for_each_large(check_large);
}

/* Other axes and strides: all axes but the first together, and x turned. */
static void test_layers__norms_over_several_axes(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 12;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = drawn(&bench, &seed, SHAPE(40, 3, 19, 9), "x"), *first[2][3];
    struct norm_parts parts = {.x = build_transpose(b, x, 0, 1),
                               .weight = drawn(&bench, &seed, SHAPE(19, 9), "w"),
                               .bias = drawn(&bench, &seed, SHAPE(19, 9), "b"),
                               .n_axes = 2,
                               .eps = 1e-5};
    struct node *both[2] = {build_layer_norm(b, parts.x, 2, parts.weight, parts.bias, parts.eps),
                            build_norm_steps(b, OP_LAYER_NORM, &parts)};
    assert_same(OP_LAYER_NORM, &both[0]->value, &both[1]->value, 2e-6);
    parts.x = x;
    compare_gradients(&bench, OP_LAYER_NORM, both, &parts, 2e-5, first);
    /* A weight of another shape is for the steps. */
    struct node *one = build_number(b, 2);
    struct node *y = build_layer_norm(b, x, 2, one, NULL, 1e-5);
    assert_int_equal(y->op->kind, OP_MUL);
    bench_release(&bench);
}

static char *why(struct node *node, size_t position);

/* A cell reads as that of the steps, which name the row as a slice. */
static void check_why(struct bench *bench, const struct large *large,
                      const struct norm_parts *parts)
{
    struct builder *b = &bench->builder;
    struct node *y = one_node(b, large->kind, parts), *d = NULL, *ones;
    struct tensor numbers;
    size_t at = 100 * (size_t)MANY + 7;
    assert_non_null(strstr(why(y, at), "x[100, 7]"));
    assert_null(strstr(why(y, at), "x[101"));
    /* The gradient of what it adds up to with other numbers: 1, 2, 3, ... */
    assert_true(tensor_zeros(2, y->value.shape, &numbers, NULL));
    for (size_t i = 0; i < tensor_size(&numbers); i++)
        numbers.data[i] = (float)(i % 10);
    ones = build_name(b, build_input(b, &numbers, "a test"), "c");
    struct node *loss = build_reduce(b, OP_SUM, build2(b, OP_MUL, y, ones), 0, false, 0);
    assert_true(graph_grad(&bench->graph, loss, &parts->x, 1, &d, &bench->error));
    (void)builder_keep(b, d);
    const char *text = why(d, at);
    assert_non_null(strstr(text, "d_x[100, 7] = "));
    assert_non_null(strstr(text, "c[100, 7]"));
    assert_null(strstr(text, "c[101"));
    if (parts->bias == NULL)
        return;
    struct node *d_bias = NULL;
    assert_true(graph_grad(&bench->graph, loss, &parts->bias, 1, &d_bias, &bench->error));
    (void)builder_keep(b, d_bias);
    assert_non_null(strstr(why(d_bias, 3), "c[0, 3]"));
}

static void test_layers__why_of_one_node(void **state)
{
    (void)state;
    for_each_large(check_why);
}

/* ---- why ---- */

static char *why(struct node *node, size_t position)
{
    struct doc doc;
    struct error error;
    static char all[4096];
    doc_init(&doc);
    if (!explain_why((struct cell){node, position}, 4, &doc, &error))
        fail_msg("%s", error.text);
    snprintf(all, sizeof all, "%s", text_string(&doc.text));
    doc_release(&doc);
    return all;
}

/* One row of scores 0, log 2 with the class 0: log(3) = 1.099; the gradient is 1/3 - 1. */
static void test_layers__why_of_a_loss(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    const float x[] = {5, 5, 0, 0.6931472F};
    struct node *scores = bench_tensor(&bench, SHAPE(2, 2), x, "scores");
    struct node *targets = bench_tensor(&bench, SHAPE(2), (float[]){-100, 0}, "targets");
    struct node *losses = build_losses(&bench.builder, scores, targets, -100), *d;
    struct node *loss = build_cross_entropy(&bench.builder, scores, targets, -100);
    const char *text = why(losses, 1);
    assert_non_null(strstr(text, "losses[1] = 1.0986"));
    assert_non_null(strstr(text, "t1 is log_softmax(scores[1], dim=-1)"));
    assert_non_null(strstr(text, "0 is targets[1]"));
    assert_non_null(strstr(text, "scores[1, 1]"));
    assert_non_null(strstr(why(losses, 0), "= 0: targets[0] is -100, which is left out"));
    assert_true(graph_grad(&bench.graph, loss, &scores, 1, &d, &bench.error));
    (void)builder_keep(&bench.builder, d);
    assert_tensor_close(&d->value, SHAPE(2, 2), ((float[]){0, 0, -2 / 3.0F, 2 / 3.0F}), 1e-6);
    assert_non_null(strstr(why(d, 2), "softmax(scores[1], dim=-1)"));
    assert_non_null(strstr(why(d, 0), "which is left out"));
    bench_release(&bench);
}

/* ---- failures ---- */

static bool build_all(const struct tensor *x, struct error *reterr)
{
    struct graph graph = {0};
    struct builder builder;
    struct tensor copy, targets;
    struct node *d = NULL;
    builder_init(&builder, &graph, reterr);
    bool ok = tensor_copy(x, &copy, reterr);
    struct node *node = ok ? build_input(&builder, &copy, "test") : NULL;
    ok = node != NULL && tensor_zeros(1, x->shape, &targets, reterr);
    struct node *classes = ok ? build_input(&builder, &targets, "test") : NULL;
    struct node *y = build_layer_norm(&builder, node, 1, NULL, NULL, 1e-5);
    y = build_rms_norm(&builder, build_gelu(&builder, y, false), 1, NULL, 1e-5);
    struct node *loss = build_cross_entropy(&builder, build_silu(&builder, y), classes, -100);
    ok = loss != NULL && graph_grad(&graph, loss, &node, 1, &d, reterr);
    node_free(d);
    builder_release(&builder);
    return ok;
}

static void test_layers__without_memory_it_says_so(void **state)
{
    (void)state;
    struct error error;
    uint64_t random = 5;
    struct tensor x = testing_random_tensor(&random, SHAPE(3, 4));
    assert_reports_failed_allocations(build_all(&x, &error), error);
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers__layer_norm),
        cmocka_unit_test(test_layers__rms_norm),
        cmocka_unit_test(test_layers__gelu),
        cmocka_unit_test(test_layers__sigmoid_and_silu),
        cmocka_unit_test(test_layers__cross_entropy),
        cmocka_unit_test(test_layers__cross_entropy_of_odd_rows),
        cmocka_unit_test(test_layers__targets_that_are_no_classes),
        cmocka_unit_test(test_layers__gradients),
        cmocka_unit_test(test_layers__second_derivatives),
        cmocka_unit_test(test_layers__one_node_is_what_the_steps_give),
        cmocka_unit_test(test_layers__norms_over_several_axes),
        cmocka_unit_test(test_layers__why_of_one_node),
        cmocka_unit_test(test_layers__why_of_a_loss),
        cmocka_unit_test(test_layers__without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
