/* The table of operations: what each computes, names, spells and hands back as gradient, against
 * references in double and central differences of those (op_trials.h). */
#include "graph_testing.h"
#include "op_trials.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "graph/grad.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "show/labels.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

enum { N_TRIES = 4 }; /* draws of each trial */

/* One trial under way. */
struct attempt {
    const struct trial *trial;
    struct graph graph;
    struct error error;
    struct trial_array inputs[TRIAL_PARENTS];
    struct node *parents[TRIAL_PARENTS];
    struct node *node;
    uint64_t *seed; /* of what else is to be drawn */
};

static void attempt_init(struct attempt *attempt, const struct trial *trial, uint64_t *seed)
{
    *attempt = (struct attempt){.trial = trial, .seed = seed};
    trial_draw(trial, seed, attempt->inputs);
    trial_inputs(trial, &attempt->graph, attempt->inputs, attempt->parents);
    attempt->node = trial_node(trial, &attempt->graph, attempt->parents, &attempt->error);
    if (attempt->node == NULL)
        fail_msg("%s: %s", trial->formula, attempt->error.text);
}

static void attempt_release(struct attempt *attempt)
{
    node_free(attempt->node);
    trial_free(attempt->trial, attempt->parents);
}

/* Runs check on a few draws of each trial. */
static void for_each_trial(void (*check)(struct attempt *attempt), size_t n_tries)
{
    uint64_t seed = 1;
    const struct trial *trial;
    for (size_t i = 0; (trial = trial_at(i)) != NULL; i++)
        for (size_t n = 0; n < n_tries; n++) {
            struct attempt attempt;
            attempt_init(&attempt, trial, &seed);
            check(&attempt);
            attempt_release(&attempt);
        }
}

static void assert_near(const struct attempt *attempt, const char *what, size_t at, double got,
                        double want, double tolerance)
{
    if (got == want || fabs(got - want) <= tolerance * (1 + fabs(want)))
        return;
    const struct trial *trial = attempt->trial;
    fail_msg("%s of %s: number %zu of %s is %.9g, not %.9g", trial->formula, trial->parents, at,
             what, got, want);
}

static void test_op__table_is_complete(void **state)
{
    (void)state;
    bool tried[OP_COUNT] = {
        [OP_CONSTANT] = true,      [OP_INPUT] = true,              /* made of no parents */
        [OP_CROSS_ENTROPY] = true, [OP_CROSS_ENTROPY_BACK] = true, /* in test_layers.c */
        [OP_ATTENTION] = true,     [OP_ATTENTION_BACK] = true,     /* in test_op_attention.c */
        [OP_PICK] = true,          [OP_UNPICK] = true,             /* in test_op_pick.c */
        [OP_CUMSUM] = true,
    };
    for (int kind = OP_SIGMOID; kind <= OP_RMS_NORM_BACK; kind++)
        tried[kind] = true; /* in test_layers.c */
    for (size_t i = 0; trial_at(i) != NULL; i++)
        tried[trial_at(i)->kind] = true;
    for (int kind = 0; kind < OP_COUNT; kind++) {
        const struct op *op = op_get((enum op_kind)kind);
        assert_true(tried[kind]);
        assert_int_equal(op->kind, kind);
        assert_non_null(op->name);
        assert_true((op->form != NULL) != (op->write != NULL));
        assert_true((op->explain != NULL) != op->is_move);
        assert_true((op->source != NULL) == op->is_move);
    }
}

/* ---- what each computes ---- */

static bool gives_bool(enum op_kind kind)
{
    return kind == OP_NOT || (kind >= OP_EQ && kind <= OP_OR) || kind == OP_ALL || kind == OP_ANY ||
           kind == OP_TO_BOOL;
}

static void check_numbers(struct attempt *attempt)
{
    struct trial_array want = trial_result(attempt->trial);
    const struct tensor *got = &attempt->node->value;
    assert_int_equal(got->n_axes, want.n_axes);
    assert_memory_equal(got->shape, want.shape, want.n_axes * sizeof *want.shape);
    assert_int_equal(got->is_bool, gives_bool(attempt->trial->kind));
    for (size_t at = 0; at < want.size; at++) {
        size_t index[TENSOR_MAX_AXES];
        trial_index(&want, at, index);
        assert_near(attempt, "the result", at, (double)tensor_at_position(got, at),
                    trial_reference(attempt->trial, attempt->inputs, index), 1e-6);
    }
}

static void test_op__numbers_and_shapes(void **state)
{
    (void)state;
    for_each_trial(check_numbers, N_TRIES);
}

/* ---- names ---- */

/* Name i of an axis that is described by the letter c. */
static void assert_label(const struct attempt *attempt, unsigned axis, size_t i, char c)
{
    char want[24];
    snprintf(want, sizeof want, "%c%zu", c, i);
    if (strcmp(labels_name(attempt->node->labels[axis], i), want) != 0)
        fail_msg("%s of %s: axis %u is named %s at %zu", attempt->trial->formula,
                 attempt->trial->parents, axis, labels_name(attempt->node->labels[axis], i), i);
}

/* "a0 a2|b1" for the labels of node. */
static void spell_labels(const struct node *node, struct text *text)
{
    for (unsigned axis = 0; axis < node->value.n_axes; axis++) {
        text_put(text, axis ? "|" : "");
        for (size_t i = 0; i < labels_count(node->labels[axis]); i++)
            text_format(text, "%s%s", i ? " " : "", labels_name(node->labels[axis], i));
    }
}

static void check_labels(struct attempt *attempt)
{
    const char *want = attempt->trial->labels;
    const struct node *node = attempt->node;
    if (strchr(want, '0') != NULL || strchr(want, '1') != NULL) {
        struct text got = {0};
        spell_labels(node, &got);
        assert_string_equal(text_string(&got), want);
        text_release(&got);
        return;
    }
    assert_int_equal(strlen(want), node->value.n_axes);
    for (unsigned axis = 0; axis < node->value.n_axes; axis++) {
        bool named = want[axis] != '.';
        if (named != (node->labels[axis] != NULL))
            fail_msg("%s of %s: axis %u should be %s", attempt->trial->formula,
                     attempt->trial->parents, axis, named ? "named" : "nameless");
        for (size_t i = 0; named && i < node->value.shape[axis]; i++)
            assert_label(attempt, axis, i, want[axis]);
    }
}

static void test_op__labels(void **state)
{
    (void)state;
    for_each_trial(check_labels, 1);
}

static void check_formula(struct attempt *attempt)
{
    struct text text = {0};
    node_write(attempt->node, &text);
    assert_string_equal(text_string(&text), attempt->trial->formula);
    text_release(&text);
}

static void test_op__formulas(void **state)
{
    (void)state;
    for_each_trial(check_formula, 1);
}

/* ---- gradients ---- */

/* The loss is the sum of the finite results, each times a number of `directions`. */
static double loss_of(const struct attempt *attempt, const struct trial_array *directions)
{
    double loss = 0;
    for (size_t at = 0; at < directions->size; at++) {
        size_t index[TENSOR_MAX_AXES];
        trial_index(directions, at, index);
        double number = trial_reference(attempt->trial, attempt->inputs, index);
        loss += isfinite(number) ? number * directions->numbers[at] : 0;
    }
    return loss;
}

static void draw_directions(struct trial_array *x, uint64_t *seed)
{
    for (size_t at = 0; at < x->size; at++)
        x->numbers[at] = (double)testing_number(seed);
}

static struct node *build_array(struct builder *builder, const struct trial_array *x)
{
    float numbers[TRIAL_SIZE];
    for (size_t at = 0; at < x->size; at++)
        numbers[at] = (float)x->numbers[at];
    struct tensor value = testing_tensor(x->n_axes, x->shape, numbers);
    return build_input(builder, &value, "directions");
}

/* sum(x * directions) */
static struct node *build_loss(struct builder *builder, struct node *x,
                               const struct trial_array *directions)
{
    struct node *products = build2(builder, OP_MUL, x, build_array(builder, directions));
    return build_reduce(builder, OP_SUM, products, 0, false, 0);
}

/* Whether number `at` of parent p can be moved a little. */
static bool is_free(const struct attempt *attempt, unsigned p, size_t at)
{
    const struct trial_array *input = &attempt->inputs[p];
    return !trial_is_flat(attempt->trial) && !input->is_choice && isfinite(input->numbers[at]);
}

/* How fast the loss grows with number `at` of parent p: its central difference, in double. */
static double slope_of(struct attempt *attempt, const struct trial_array *directions, unsigned p,
                       size_t at)
{
    const double step = 1e-5;
    double *number = &attempt->inputs[p].numbers[at], kept = *number;
    if (!is_free(attempt, p, at))
        return 0;
    *number = kept + step;
    double above = loss_of(attempt, directions);
    *number = kept - step;
    double below = loss_of(attempt, directions);
    *number = kept;
    return (above - below) / (2 * step);
}

static void check_gradients(struct attempt *attempt)
{
    struct trial_array directions = trial_result(attempt->trial);
    struct node *gradients[TRIAL_PARENTS];
    struct builder builder;
    unsigned n_parents = trial_n_parents(attempt->trial);
    draw_directions(&directions, attempt->seed);
    builder_init(&builder, &attempt->graph, &attempt->error);
    struct node *loss = build_loss(&builder, attempt->node, &directions);
    assert_non_null(loss);
    if (!graph_grad(&attempt->graph, loss, attempt->parents, n_parents, gradients, &attempt->error))
        fail_msg("%s: %s", attempt->trial->formula, attempt->error.text);
    for (unsigned p = 0; p < n_parents; p++) {
        assert_true(tensor_same_shape(&gradients[p]->value, &attempt->parents[p]->value));
        for (size_t at = 0; at < attempt->inputs[p].size; at++)
            assert_near(attempt, "a gradient", at,
                        (double)tensor_at_position(&gradients[p]->value, at),
                        slope_of(attempt, &directions, p, at), 2e-5);
        node_free(gradients[p]);
    }
    builder_release(&builder);
}

static void test_op__gradients_are_slopes(void **state)
{
    (void)state;
    for_each_trial(check_gradients, N_TRIES);
}

/* ---- gradients of gradients ---- */

/* Moves each free number of all inputs `steps` steps along its direction. */
static void move_inputs(struct attempt *attempt, const struct trial_array *along, double steps)
{
    for (unsigned p = 0; p < trial_n_parents(attempt->trial); p++)
        for (size_t at = 0; at < along[p].size; at++)
            if (is_free(attempt, p, at))
                attempt->inputs[p].numbers[at] += steps * along[p].numbers[at];
}

/* How fast the slope of the loss in the direction `along` grows with number `at` of parent p. */
static double curvature_of(struct attempt *attempt, const struct trial_array *directions,
                           const struct trial_array *along, unsigned p, size_t at)
{
    const double step = 1e-4;
    double total = 0;
    struct trial_array kept[TRIAL_PARENTS];
    if (!is_free(attempt, p, at))
        return 0;
    memcpy(kept, attempt->inputs, sizeof kept);
    for (int corner = 0; corner < 4; corner++) {
        int side = corner & 1 ? 1 : -1, other = corner & 2 ? 1 : -1;
        move_inputs(attempt, along, side * step);
        attempt->inputs[p].numbers[at] += other * step;
        total += side * other * loss_of(attempt, directions);
        memcpy(attempt->inputs, kept, sizeof kept);
    }
    return total / (4 * step * step);
}

/* sum(along * gradient) + sum(along * x), over all parents; the second part only sees to it that
 * the sum depends on x even where the gradient does not. */
static struct node *build_second_loss(struct attempt *attempt, struct builder *builder,
                                      struct node *const *gradients,
                                      const struct trial_array *along)
{
    struct node *loss = build_number(builder, 0);
    for (unsigned p = 0; p < trial_n_parents(attempt->trial); p++) {
        struct node *x = attempt->parents[p];
        loss = build2(builder, OP_ADD, loss, build_loss(builder, gradients[p], &along[p]));
        loss = build2(builder, OP_ADD, loss, build_loss(builder, x, &along[p]));
    }
    return loss;
}

/* The second gradients by the graph, in *ret; what they are made of stays with the builder. */
static void second_gradients(struct attempt *attempt, struct builder *builder,
                             const struct trial_array *directions, const struct trial_array *along,
                             struct node **ret)
{
    struct node *first[TRIAL_PARENTS] = {NULL};
    unsigned n = trial_n_parents(attempt->trial);
    struct node *loss = build_loss(builder, attempt->node, directions);
    assert_non_null(loss);
    assert_true(graph_grad(&attempt->graph, loss, attempt->parents, n, first, &attempt->error));
    loss = build_second_loss(attempt, builder, first, along);
    assert_non_null(loss);
    if (!graph_grad(&attempt->graph, loss, attempt->parents, n, ret, &attempt->error))
        fail_msg("%s: %s", attempt->trial->formula, attempt->error.text);
    for (unsigned p = 0; p < n; p++)
        node_free(first[p]);
}

static void check_second_gradients(struct attempt *attempt)
{
    struct trial_array directions = trial_result(attempt->trial), along[TRIAL_PARENTS];
    struct node *second[TRIAL_PARENTS] = {NULL};
    struct builder builder;
    draw_directions(&directions, attempt->seed);
    memcpy(along, attempt->inputs, sizeof along);
    for (unsigned p = 0; p < trial_n_parents(attempt->trial); p++)
        draw_directions(&along[p], attempt->seed);
    builder_init(&builder, &attempt->graph, &attempt->error);
    second_gradients(attempt, &builder, &directions, along, second);
    for (unsigned p = 0; p < trial_n_parents(attempt->trial); p++) {
        for (size_t at = 0; at < along[p].size; at++) {
            double got = (double)tensor_at_position(&second[p]->value, at);
            double want = curvature_of(attempt, &directions, along, p, at);
            assert_near(attempt, "a second gradient", at, got - along[p].numbers[at], want, 1e-4);
        }
        node_free(second[p]);
    }
    builder_release(&builder);
}

static void test_op__second_gradients_are_curvatures(void **state)
{
    (void)state;
    for_each_trial(check_second_gradients, N_TRIES);
}

/* ---- failures ---- */

static void check_failed_allocations(struct attempt *attempt)
{
    struct node *node = NULL;
    struct error error;
    assert_reports_failed_allocations(
        (node = trial_node(attempt->trial, &attempt->graph, attempt->parents, &error)) != NULL,
        error);
    node_free(node);
}

static void test_op__failed_allocations(void **state)
{
    (void)state;
    for_each_trial(check_failed_allocations, 1);
}

static void check_failed_gradients(struct attempt *attempt)
{
    struct trial_array directions = trial_result(attempt->trial);
    struct node *gradients[TRIAL_PARENTS];
    struct builder builder;
    struct error error;
    unsigned n_parents = trial_n_parents(attempt->trial);
    draw_directions(&directions, attempt->seed);
    builder_init(&builder, &attempt->graph, &attempt->error);
    struct node *loss = build_loss(&builder, attempt->node, &directions);
    assert_non_null(loss);
    assert_reports_failed_allocations(
        graph_grad(&attempt->graph, loss, attempt->parents, n_parents, gradients, &error), error);
    for (unsigned p = 0; p < n_parents; p++)
        node_free(gradients[p]);
    builder_release(&builder);
}

static void test_op__failed_allocations_of_gradients(void **state)
{
    (void)state;
    for_each_trial(check_failed_gradients, 1);
}

/* A formula a test builds by hand. */
/* The gradient of sum(y) with respect to x. */
static struct node *gradient_of_sum(struct bench *bench, struct node *y, struct node *x)
{
    struct node *gradient = NULL;
    struct node *loss = build_reduce(&bench->builder, OP_SUM, y, 0, false, 0);
    assert_non_null(loss);
    assert_true(graph_grad(&bench->graph, loss, &x, 1, &gradient, &bench->error));
    return builder_keep(&bench->builder, gradient);
}

static void test_op__stops_when_told(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *x = bench_tensor(&bench, 1, SHAPE(2), ROW(1, 2), "x");
    volatile sig_atomic_t stop = 1;
    bench.graph.stop = &stop;
    uint64_t last_id = bench.graph.last_id;
    struct node *node =
        node_new(&bench.graph, op_get(OP_EXP), 1, &x, &(struct op_args){0}, &bench.error);
    assert_error(node != NULL, bench.error, ERR_INTERRUPTED);
    assert_int_equal(bench.graph.last_id, last_id);
    assert_int_equal(x->n_owners, 1);
    builder_release(&bench.builder);
}

/* ---- corners ---- */

/* Equal numbers share the gradient of their maximum: PyTorch's way. */
static void test_op__ties_share_the_gradient(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 1, SHAPE(3), ROW(1, 5, 2), "x");
    struct node *y = bench_tensor(&bench, 1, SHAPE(3), ROW(1, 4, 3), "y");
    struct node *largest = build2(b, OP_MAXIMUM, x, y), *smallest = build2(b, OP_MINIMUM, x, y);
    assert_tensor_close(&gradient_of_sum(&bench, largest, x)->value, 1, SHAPE(3), ROW(0.5f, 1, 0),
                        0);
    assert_tensor_close(&gradient_of_sum(&bench, largest, y)->value, 1, SHAPE(3), ROW(0.5f, 0, 1),
                        0);
    assert_tensor_close(&gradient_of_sum(&bench, smallest, x)->value, 1, SHAPE(3), ROW(0.5f, 0, 1),
                        0);
    struct node *m = bench_tensor(&bench, 2, SHAPE(2, 3), ROW(4, 1, 4, 0, 2, 1), "m");
    struct node *top = build_reduce(b, OP_MAX, m, 2, false, 0);
    struct node *bottom = build_reduce(b, OP_MIN, m, 0, false, 0);
    assert_tensor_close(&gradient_of_sum(&bench, top, m)->value, 2, SHAPE(2, 3),
                        ROW(0.5f, 0, 0.5f, 0, 1, 0), 0);
    assert_tensor_close(&gradient_of_sum(&bench, bottom, m)->value, 2, SHAPE(2, 3),
                        ROW(0, 0, 0, 1, 0, 0), 0);
    builder_release(b);
}

/* a**b at a = 0, and for negative a with a whole b: 3 (-2)^2 = 12; 0^b does not change with b. */
static void test_op__powers_of_zero_and_below(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 1, SHAPE(2), ROW(-2, 0), "x");
    struct node *y = bench_tensor(&bench, 1, SHAPE(2), ROW(1, 2), "y");
    struct node *cube = build2(b, OP_POW, x, build_number(b, 3));
    struct node *square = build2(b, OP_POW, x, build_number(b, 2));
    assert_tensor_close(&cube->value, 1, SHAPE(2), ROW(-8, 0), 0);
    assert_tensor_close(&gradient_of_sum(&bench, cube, x)->value, 1, SHAPE(2), ROW(12, 0), 0);
    assert_tensor_close(&gradient_of_sum(&bench, square, x)->value, 1, SHAPE(2), ROW(-4, 0), 0);
    struct node *power = build2(b, OP_POW, build_number(b, 0), y);
    assert_tensor_close(&gradient_of_sum(&bench, power, y)->value, 1, SHAPE(2), ROW(0, 0), 0);
    builder_release(b);
}

/* What is hidden has no influence, forwards and backwards, even when it is NaN: the second of two
 * keys. Scores (1, NaN) become (1, -inf), the weights (1, 0), the context 1 * 3 + nothing. */
static void check_hidden(struct bench *bench, struct node *masked, struct node *scores)
{
    struct builder *b = &bench->builder;
    const ptrdiff_t axis = 0;
    struct node *value = bench_tensor(bench, 2, SHAPE(2, 1), ROW(3, NAN), "value");
    struct node *weights = build_ints(b, OP_WEIGHTS, masked, 1, &axis, 0);
    struct node *context = build2(b, OP_WEIGHTED_SUM, weights, value);
    assert_non_null(context);
    assert_tensor_close(&masked->value, 1, SHAPE(2), ROW(1, -INFINITY), 0);
    assert_tensor_close(&weights->value, 1, SHAPE(2), ROW(1, 0), 0);
    assert_tensor_close(&context->value, 1, SHAPE(1), ROW(3), 0);
    assert_tensor_close(&gradient_of_sum(bench, context, scores)->value, 1, SHAPE(2), ROW(0, 0), 0);
    assert_tensor_close(&gradient_of_sum(bench, context, value)->value, 2, SHAPE(2, 1), ROW(1, 0),
                        0);
}

static void test_op__hidden_has_no_influence(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *scores = bench_tensor(&bench, 1, SHAPE(2), ROW(1, NAN), "scores");
    struct node *may = bench_tensor(&bench, 1, SHAPE(2), ROW(1, 0), "may");
    struct node *mask = bench_tensor(&bench, 1, SHAPE(2), ROW(0, -INFINITY), "mask");
    check_hidden(&bench, build2(b, OP_HIDE, scores, may), scores);
    check_hidden(&bench, build2(b, OP_ADD_MASK, scores, mask), scores);
    builder_release(b);
}

/* Where a gradient that is not finite arrives, a weight of 0 hands nothing of it on. */
static void test_op__weight_of_zero_hands_nothing_on(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *weights = bench_tensor(&bench, 2, SHAPE(2, 2), ROW(1, 0, 1, 0), "weights");
    struct node *value = bench_tensor(&bench, 2, SHAPE(2, 1), ROW(3, 4), "value");
    struct node *context = build2(b, OP_WEIGHTED_SUM, weights, value);
    struct node *factors = bench_tensor(&bench, 2, SHAPE(2, 1), ROW(INFINITY, 1), "factors");
    struct node *y = build2(b, OP_MUL, context, factors);
    assert_non_null(y);
    assert_tensor_close(&gradient_of_sum(&bench, y, value)->value, 2, SHAPE(2, 1), ROW(INFINITY, 0),
                        0);
    builder_release(b);
}

/* A row of only -inf: attention's weights are zeros and so are their gradients; softmax is NaN. */
static void test_op__row_without_a_key(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    const ptrdiff_t axis = 0;
    struct node *x = bench_tensor(&bench, 1, SHAPE(2), ROW(-INFINITY, -INFINITY), "x");
    struct node *weights = build_ints(b, OP_WEIGHTS, x, 1, &axis, 0);
    struct node *softmax = build_ints(b, OP_SOFTMAX, x, 1, &axis, 0);
    assert_tensor_close(&weights->value, 1, SHAPE(2), ROW(0, 0), 0);
    assert_tensor_close(&gradient_of_sum(&bench, weights, x)->value, 1, SHAPE(2), ROW(0, 0), 0);
    assert_true(isnan(softmax->value.data[0]));
    builder_release(b);
}

/* ---- errors: each names what does not fit ---- */

static void assert_fails(struct bench *bench, const struct node *node, enum error_kind kind,
                         const char *part)
{
    assert_error(node != NULL, bench->error, kind);
    assert_says(bench->error, part);
    assert_true(bench->builder.failed);
    bench->builder.failed = false;
    bench->error = (struct error){.kind = ERR_NONE};
}

static void test_op__shapes_that_do_not_fit(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *q = bench_tensor(&bench, 2, SHAPE(3, 2), ROW(1, 2, 3, 4, 5, 6), "Q");
    struct node *k = bench_tensor(&bench, 2, SHAPE(2, 3), ROW(1, 2, 3, 4, 5, 6), "K");
    struct node *v = bench_tensor(&bench, 1, SHAPE(3), ROW(1, 2, 3), "v");
    struct node *n = build_number(b, 2);
    assert_fails(&bench, build2(b, OP_ADD, q, k), ERR_SHAPE,
                 "Q + K: the shapes do not fit: Q is 3x2, K is 2x3");
    assert_fails(&bench, build2(b, OP_MATMUL, q, q), ERR_SHAPE,
                 "Q @ Q: the inner sizes differ: Q is 3x2, Q is 3x2. For all pairs of rows, write "
                 "Q @ Q.T");
    assert_fails(&bench, build2(b, OP_MATMUL, q, v), ERR_SHAPE, "v is (3,)");
    assert_fails(&bench, build2(b, OP_WEIGHTED_SUM, q, n), ERR_SHAPE, "write *");
    assert_fails(&bench, build3(b, OP_MASKED_FILL, q, k, n), ERR_SHAPE, "Q.masked_fill(K, 2)");
    assert_fails(&bench, build3(b, OP_MASKED_FILL, q, q, q), ERR_SHAPE, "a single number");
    assert_fails(&bench, build2(b, OP_HIDE, q, k), ERR_SHAPE, "K is 2x3");
    assert_fails(&bench, build2(b, OP_ADD_MASK, q, k), ERR_SHAPE, "K is 2x3");
    assert_fails(&bench, build3(b, OP_WHERE, q, q, k), ERR_SHAPE, "");
    assert_fails(&bench, build_many(b, OP_CAT, 2, (struct node *const[]){q, k}, 1, &(ptrdiff_t){0}),
                 ERR_SHAPE, "part 0 is 3x2 and part 1 is 2x3");
    assert_fails(&bench, build_ints(b, OP_TRIL, v, 1, &(ptrdiff_t){0}, 0), ERR_SHAPE, "tril");
    assert_fails(&bench, build_reshape(b, q, 1, SHAPE(5)), ERR_SHAPE, "");
    builder_release(b);
}

/* Exchanging the last two axes of a batch is not .T, which reverses all. */
static void test_op__product_of_a_reversed_batch(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 3;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct tensor value = testing_random_tensor(&seed, 3, SHAPE(2, 5, 4));
    struct node *q = build_name(b, build_input(b, &value, "a test"), "Q");
    struct node *reversed = build_ints(b, OP_PERMUTE, q, 3, (ptrdiff_t[]){2, 1, 0}, 0);
    assert_fails(&bench, build2(b, OP_MATMUL, q, reversed), ERR_SHAPE, "Q.transpose(-2, -1)");
    builder_release(b);
}

static void test_op__rows_that_do_not_exist(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 2, SHAPE(2, 1), ROW(1, 2), "x");
    const float bad[] = {2, -3, 0.5f, NAN, INFINITY};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct node *ids = bench_tensor(&bench, 1, SHAPE(1), &bad[i], "ids");
        assert_fails(&bench, build2(b, OP_TAKE, x, ids), ERR_RANGE, "2 rows, 0 to 1");
    }
    struct node *good = bench_tensor(&bench, 1, SHAPE(2), ROW(-2, 1), "ids");
    struct node *rows = build2(b, OP_TAKE, x, good);
    assert_tensor_close(&rows->value, 2, SHAPE(2, 1), ROW(1, 2), 0);
    builder_release(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_op__table_is_complete),
        cmocka_unit_test(test_op__numbers_and_shapes),
        cmocka_unit_test(test_op__labels),
        cmocka_unit_test(test_op__formulas),
        cmocka_unit_test(test_op__gradients_are_slopes),
        cmocka_unit_test(test_op__second_gradients_are_curvatures),
        cmocka_unit_test(test_op__failed_allocations),
        cmocka_unit_test(test_op__failed_allocations_of_gradients),
        cmocka_unit_test(test_op__stops_when_told),
        cmocka_unit_test(test_op__ties_share_the_gradient),
        cmocka_unit_test(test_op__powers_of_zero_and_below),
        cmocka_unit_test(test_op__hidden_has_no_influence),
        cmocka_unit_test(test_op__weight_of_zero_hands_nothing_on),
        cmocka_unit_test(test_op__row_without_a_key),
        cmocka_unit_test(test_op__shapes_that_do_not_fit),
        cmocka_unit_test(test_op__product_of_a_reversed_batch),
        cmocka_unit_test(test_op__rows_that_do_not_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
