#include "testing.h"

#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "graph/whatif.h"
#include "show/labels.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

enum { N = 3, N_INPUTS = 4, N_STEPS = 30, N_TRIES = 60 };

/* A random computation written down, so that it can be done again with another number in it. */
struct step {
    enum op_kind kind; /* OP_INPUT: numbers */
    size_t parents[2];
    ptrdiff_t axis;
    float numbers[N * N];
};

struct recipe {
    struct step steps[N_STEPS];
};

/* One evaluation of a recipe. */
struct bench {
    struct graph graph;
    struct error error;
    struct builder builder;
    struct node *nodes[N_STEPS];
};

static struct step random_step(uint64_t *seed, size_t n_before)
{
    static const enum op_kind kinds[] = {OP_ADD,     OP_SUB,  OP_MUL,     OP_MAXIMUM,
                                         OP_MATMUL,  OP_TANH, OP_PERMUTE, OP_TRIL,
                                         OP_SOFTMAX, OP_SUM,  OP_DETACH};
    struct step step = {.kind = OP_INPUT};
    if (n_before < N_INPUTS) {
        for (size_t at = 0; at < N * N; at++)
            step.numbers[at] = testing_number(seed);
        return step;
    }
    step.kind = kinds[testing_between(seed, 0, COUNT_OF(kinds) - 1)];
    step.parents[0] = testing_between(seed, 0, n_before - 1);
    step.parents[1] = testing_between(seed, 0, n_before - 1);
    step.axis = (ptrdiff_t)testing_between(seed, 0, 1);
    return step;
}

static struct node *do_step(struct builder *b, const struct step *step, struct node *const *nodes)
{
    struct tensor value;
    struct node *x = nodes[step->parents[0]], *y = nodes[step->parents[1]];
    switch (step->kind) {
    case OP_INPUT:
        value = testing_tensor(2, SHAPE(N, N), step->numbers);
        return build_input(b, &value, "a test");
    case OP_TANH:
    case OP_DETACH:
        return build1(b, step->kind, x);
    case OP_PERMUTE:
        return build_ints(b, OP_PERMUTE, x, 2, (ptrdiff_t[]){1, 0}, 0);
    case OP_TRIL:
    case OP_SOFTMAX:
        return build_ints(b, step->kind, x, 1, &step->axis, 0);
    case OP_SUM:
        return build_reduce(b, OP_SUM, x, 1U << step->axis, true, 0);
    default:
        return build2(b, step->kind, x, y);
    }
}

/* Sums keep an axis of 1, which a product of matrices can't take; they are made square again. */
static struct node *squared(struct builder *b, struct node *x)
{
    return build_ints(b, OP_EXPAND, x, 2, (ptrdiff_t[]){N, N}, 0);
}

/* Does all steps, with the node of step `from` replaced by `to` (NULL: by nothing). */
static void evaluate(struct bench *bench, const struct recipe *recipe, size_t from, const float *to)
{
    *bench = (struct bench){.graph = {.last_id = 0}};
    struct builder *b = &bench->builder;
    builder_init(b, &bench->graph, &bench->error);
    for (size_t i = 0; i < N_STEPS; i++) {
        struct step input = {.kind = OP_INPUT};
        bool replaced = to != NULL && i == from;
        if (replaced)
            memcpy(input.numbers, to, sizeof input.numbers);
        bench->nodes[i] =
            squared(b, do_step(b, replaced ? &input : &recipe->steps[i], bench->nodes));
        if (bench->nodes[i] == NULL)
            fail_msg("%s", bench->error.text);
    }
}

static void assert_same_numbers(const struct node *a, const struct node *b)
{
    assert_true(tensor_same_shape(&a->value, &b->value));
    for (size_t at = 0; at < tensor_size(&a->value); at++) {
        float left = tensor_at_position(&a->value, at), right = tensor_at_position(&b->value, at);
        assert_memory_equal(&left, &right, sizeof left);
    }
}

static bool is_made_from(const struct recipe *recipe, size_t step, size_t from)
{
    if (step == from)
        return true;
    const struct step *s = &recipe->steps[step];
    if (step < from || s->kind == OP_INPUT)
        return false;
    bool two = s->kind >= OP_ADD && s->kind <= OP_MATMUL;
    return is_made_from(recipe, s->parents[0], from) ||
           (two && is_made_from(recipe, s->parents[1], from));
}

/* Asks what all nodes would be, were node `from` other numbers, and compares with the recipe done
 * from the start with those numbers. The old nodes are compared with `untouched`. */
static void check_whatif(struct bench *bench, const struct bench *untouched,
                         const struct recipe *recipe, uint64_t *seed)
{
    struct bench fresh;
    struct node *others[N_STEPS];
    size_t from = testing_between(seed, 0, N_STEPS - 1);
    struct tensor numbers = testing_random_tensor(seed, 2, SHAPE(N, N));
    evaluate(&fresh, recipe, from, numbers.data);
    struct node *to = build_input(&bench->builder, &numbers, "other numbers");
    assert_non_null(to);
    if (!whatif_recompute(&bench->graph, bench->nodes, N_STEPS, bench->nodes[from], to, others,
                          &bench->error))
        fail_msg("%s", bench->error.text);
    for (size_t i = 0; i < N_STEPS; i++) {
        assert_same_numbers(others[i], fresh.nodes[i]);
        assert_same_numbers(bench->nodes[i], untouched->nodes[i]);
        assert_true((others[i] != bench->nodes[i]) == is_made_from(recipe, i, from));
        node_free(others[i]);
    }
    builder_release(&fresh.builder);
}

static void test_whatif__equals_starting_anew(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < N_TRIES; i++) {
        struct recipe recipe;
        struct bench bench, untouched;
        for (size_t step = 0; step < N_STEPS; step++)
            recipe.steps[step] = random_step(&seed, step);
        evaluate(&bench, &recipe, 0, NULL);
        evaluate(&untouched, &recipe, 0, NULL);
        for (int n = 0; n < 5; n++)
            check_whatif(&bench, &untouched, &recipe, &seed);
        builder_release(&bench.builder);
        builder_release(&untouched.builder);
    }
}

static void bench_init(struct bench *bench)
{
    *bench = (struct bench){.graph = {.last_id = 0}};
    builder_init(&bench->builder, &bench->graph, &bench->error);
}

static struct node *vector(struct bench *bench, size_t n, const float *numbers, const char *name)
{
    struct tensor value = testing_tensor(1, &n, numbers);
    return build_name(&bench->builder, build_input(&bench->builder, &value, "a test"), name);
}

/* y = 2 x and z = y + x keep their names; w does not depend on x and stays itself. */
static void test_whatif__keeps_names_and_labels(void **state)
{
    (void)state;
    struct bench bench;
    struct labels *labels;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = vector(&bench, 2, ROW(1, 2), "x");
    struct node *y = build_name(b, build2(b, OP_MUL, build_number(b, 2), x), "y");
    struct node *z = build_name(b, build2(b, OP_ADD, y, x), "z");
    struct node *w = vector(&bench, 2, ROW(7, 8), "w");
    assert_true(labels_new(2, (const char *const[]){"a", "b"}, NULL, &labels, NULL));
    node_set_labels(z, 0, labels);
    labels_free(labels);
    struct node *to = vector(&bench, 2, ROW(10, 20), "x");
    struct node *roots[] = {z, w, y, z}, *others[4];
    assert_true(whatif_recompute(&bench.graph, roots, 4, x, to, others, &bench.error));
    assert_tensor_close(&others[0]->value, 1, SHAPE(2), ROW(30, 60), 0);
    assert_tensor_close(&others[2]->value, 1, SHAPE(2), ROW(20, 40), 0);
    assert_string_equal(others[0]->name, "z");
    assert_string_equal(others[2]->name, "y");
    assert_ptr_equal(others[0]->parents[0], others[2]); /* rebuilt once, used twice */
    assert_string_equal(labels_name(others[0]->labels[0], 1), "b");
    assert_ptr_equal(others[1], w);
    assert_ptr_equal(others[3], others[0]);
    for (size_t i = 0; i < 4; i++)
        node_free(others[i]);
    assert_tensor_close(&z->value, 1, SHAPE(2), ROW(3, 6), 0);
    builder_release(b);
}

static void test_whatif__edit_changes_one_number(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *x = vector(&bench, 3, ROW(1, 2, 3), "x");
    struct node *edited =
        builder_keep(&bench.builder, whatif_edit(&bench.graph, x, 1, -9.5f, &bench.error));
    assert_tensor_close(&edited->value, 1, SHAPE(3), ROW(1, -9.5f, 3), 0);
    assert_tensor_close(&x->value, 1, SHAPE(3), ROW(1, 2, 3), 0);
    assert_string_equal(edited->name, "x");
    struct node *root = build1(&bench.builder, OP_NEG, x), *other = NULL;
    assert_true(whatif_recompute(&bench.graph, &root, 1, x, edited, &other, &bench.error));
    assert_tensor_close(&other->value, 1, SHAPE(3), ROW(-1, 9.5f, -3), 0);
    node_free(other);
    builder_release(&bench.builder);
}

/* A step of the way, not only an input, can be another one. */
static void test_whatif__of_a_computed_tensor(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = vector(&bench, 2, ROW(1, 2), "x");
    struct node *y = build1(b, OP_NEG, x), *z = build2(b, OP_ADD, y, x), *other = NULL;
    struct node *to = vector(&bench, 2, ROW(5, 5), "y");
    assert_true(whatif_recompute(&bench.graph, &z, 1, y, to, &other, &bench.error));
    assert_tensor_close(&other->value, 1, SHAPE(2), ROW(6, 7), 0);
    node_free(other);
    builder_release(b);
}

static void test_whatif__of_many_parents(void **state)
{
    (void)state;
    struct bench bench;
    struct node *parts[200], *other = NULL;
    bench_init(&bench);
    struct node *x = vector(&bench, 1, ROW(1), "x"), *to = vector(&bench, 1, ROW(2), "x");
    for (size_t i = 0; i < 200; i++)
        parts[i] = x;
    struct node *joined = build_many(&bench.builder, OP_CAT, 200, parts, 1, &(ptrdiff_t){0});
    assert_true(whatif_recompute(&bench.graph, &joined, 1, x, to, &other, &bench.error));
    assert_int_equal(other->value.shape[0], 200);
    assert_close(tensor_at_position(&other->value, 199), 2, 0);
    node_free(other);
    builder_release(&bench.builder);
}

static void test_whatif__deep_chain(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    struct bench bench;
    bench_init(&bench);
    struct node *x = build_number(&bench.builder, 1), *chain = x, *other = NULL;
    struct node *to = build_number(&bench.builder, 5);
    for (int i = 0; i < DEPTH; i++)
        chain = build1(&bench.builder, OP_NEG, chain);
    assert_true(whatif_recompute(&bench.graph, &chain, 1, x, to, &other, &bench.error));
    assert_close(other->value.data[0], 5, 0);
    node_free(other);
    builder_release(&bench.builder);
}

static void test_whatif__stops_when_told(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *x = build_number(&bench.builder, 1), *other = NULL;
    struct node *y = build1(&bench.builder, OP_NEG, x), *to = build_number(&bench.builder, 2);
    volatile sig_atomic_t stop = 1;
    bench.graph.stop = &stop;
    assert_error(whatif_recompute(&bench.graph, &y, 1, x, to, &other, &bench.error), bench.error,
                 ERR_INTERRUPTED);
    assert_null(other);
    builder_release(&bench.builder);
}

static void test_whatif__failed_allocations(void **state)
{
    (void)state;
    struct bench bench;
    struct recipe recipe;
    struct error error;
    struct node *others[N_STEPS], *edited = NULL;
    uint64_t seed = 6;
    for (size_t step = 0; step < N_STEPS; step++)
        recipe.steps[step] = random_step(&seed, step);
    evaluate(&bench, &recipe, 0, NULL);
    struct node *x = bench.nodes[0];
    assert_true(node_set_name(x, "x", 1, NULL));
    assert_true(node_set_name(bench.nodes[N_STEPS - 1], "y", 1, NULL));
    assert_reports_failed_allocations(
        (edited = whatif_edit(&bench.graph, x, 4, 0.5f, &error)) != NULL, error);
    assert_reports_failed_allocations(
        whatif_recompute(&bench.graph, bench.nodes, N_STEPS, x, edited, others, &error), error);
    for (size_t i = 0; i < N_STEPS; i++)
        node_free(others[i]);
    node_free(edited);
    builder_release(&bench.builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whatif__equals_starting_anew),
        cmocka_unit_test(test_whatif__keeps_names_and_labels),
        cmocka_unit_test(test_whatif__edit_changes_one_number),
        cmocka_unit_test(test_whatif__of_a_computed_tensor),
        cmocka_unit_test(test_whatif__of_many_parents),
        cmocka_unit_test(test_whatif__deep_chain),
        cmocka_unit_test(test_whatif__stops_when_told),
        cmocka_unit_test(test_whatif__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
