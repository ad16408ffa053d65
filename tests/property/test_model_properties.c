/* What must hold of models of both families. The seed is fixed, so a failure comes again. */
#include "model_testing.h"

#include <math.h>
#include <string.h>

#include "graph/builder.h"
#include "graph/grad.h"
#include "graph/node.h"
#include "model/forward.h"
#include "model/loss.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

enum { ROWS = 2 };

static double share_dropped; /* the same numbers in each loss */

/* A model of the same weights, of which one is moved by `far` times `direction`. */
static struct model *moved(struct bench *bench, size_t which, const struct tensor *direction,
                           double far)
{
    struct model *made = model_like(bench->model, &bench->error);
    assert_non_null(made);
    for (size_t at = 0; at < parameter_count(&made->config); at++) {
        const struct node *node = bench->model->parameters[at];
        struct tensor value;
        if (node == NULL)
            continue;
        assert_true(tensor_copy(&node->value, &value, &bench->error));
        for (size_t i = 0; at == which && i < tensor_size(&value); i++)
            value.data[i] += (float)(far * (double)direction->data[i]);
        assert_true(model_put_parameter(&bench->graph, made, at, &value, "a test", &bench->error));
    }
    return made;
}

/* Two texts; three of their targets do not count. */
static struct node *loss_of(struct builder *builder, struct bench *bench, struct model *model)
{
    const float ids[ROWS * N] = {1, 5, 2, 7, 5, 3, 10, 0, 4, 4, 9, 6};
    const float wanted[ROWS * N] = {5, 2, 7, 5, 3, -100, 0, 4, -100, 9, 6, -100};
    struct tensor inputs = testing_tensor(2, (size_t[]){ROWS, N}, ids);
    struct tensor targets = testing_tensor(2, (size_t[]){ROWS, N}, wanted);
    struct random random;
    const struct dropout dropout = {.p = share_dropped, .random = &random};
    random_seed(&random, 5);
    builder_init(builder, &bench->graph, &bench->error);
    struct node *loss = build_model_loss(builder, model, build_input(builder, &inputs, "inputs"),
                                         build_input(builder, &targets, "targets"), &dropout);
    assert_non_null(loss);
    return loss;
}

static double loss_at(struct bench *bench, size_t which, const struct tensor *direction, double far)
{
    struct builder builder;
    struct model *model = moved(bench, which, direction, far);
    double loss = (double)loss_of(&builder, bench, model)->value.data[0];
    builder_release(&builder);
    model_free(model);
    return loss;
}

static double length_of(const struct tensor *x)
{
    double sum = 0;
    for (size_t i = 0; i < tensor_size(x); i++)
        sum += (double)x->data[i] * (double)x->data[i];
    return sqrt(sum);
}

/* How the loss goes up along a direction, found by walking a little way along it, both ways. */
static void assert_slope(struct bench *bench, size_t which, const struct tensor *gradient,
                         struct tensor *direction)
{
    const double length = length_of(direction), step = 0.02;
    double slope = 0;
    for (size_t i = 0; i < tensor_size(direction); i++) {
        direction->data[i] = (float)((double)direction->data[i] / length);
        slope += (double)direction->data[i] * (double)gradient->data[i];
    }
    double walked =
        (loss_at(bench, which, direction, step) - loss_at(bench, which, direction, -step)) /
        (2 * step);
    assert_close(slope, walked, 1e-4 + 4e-3 * fabs(walked));
}

/* Of each weight: along its gradient, and along a direction that chance chose. */
static void check_weight(struct bench *bench, size_t which, const struct node *node,
                         uint64_t *state)
{
    struct tensor gradient, direction;
    assert_true(tensor_dense(&node->value, &gradient, &bench->error));
    assert_true(length_of(&gradient) > 1e-3);
    assert_true(tensor_copy(&gradient, &direction, &bench->error));
    assert_slope(bench, which, &gradient, &direction);
    tensor_release(&direction);
    direction = testing_random_tensor(state, gradient.n_axes, gradient.shape);
    assert_slope(bench, which, &gradient, &direction);
    tensor_release(&direction);
    tensor_release(&gradient);
}

static void check_gradients(enum model_family family, double dropout)
{
    share_dropped = dropout;
    struct bench bench;
    struct builder builder;
    uint64_t state = 11;
    bench_open(&bench, family);
    struct node *loss = loss_of(&builder, &bench, bench.model);
    size_t n = parameter_count(&bench.model->config), n_checked = 0;
    for (size_t at = 0; at < n; at++) {
        struct node *weight = bench.model->parameters[at], *gradient;
        if (weight == NULL)
            continue;
        assert_true(graph_grad(&bench.graph, loss, &weight, 1, &gradient, &bench.error));
        if (strstr(weight->name, "k_proj.bias") == NULL)
            check_weight(&bench, at, gradient, &state);
        node_free(gradient);
        n_checked++;
    }
    assert_int_equal(n_checked, family == FAMILY_LLAMA ? 3 * 9 + 3 : 3 * 12 + 4);
    builder_release(&builder);
    bench_close(&bench);
}

static void test_loss__gradients_are_slopes_gpt2(void **state)
{
    (void)state;
    check_gradients(FAMILY_GPT2, 0);
}

static void test_loss__gradients_are_slopes_llama(void **state)
{
    (void)state;
    check_gradients(FAMILY_LLAMA, 0);
}

static void test_loss__gradients_are_slopes_with_dropout(void **state)
{
    (void)state;
    check_gradients(FAMILY_GPT2, 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loss__gradients_are_slopes_gpt2),
        cmocka_unit_test(test_loss__gradients_are_slopes_llama),
        cmocka_unit_test(test_loss__gradients_are_slopes_with_dropout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
