#include "graph_testing.h"
#include "lang_testing.h"

#include <math.h>
#include <string.h>

#include "graph/node.h"
#include "graph/ops.h"
#include "show/labels.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

static struct node *matrix(struct bench *bench, size_t rows, size_t columns, const float *numbers,
                           const char *name)
{
    struct tensor value = testing_tensor(2, SHAPE(rows, columns), numbers);
    return build_name(&bench->builder, build_input(&bench->builder, &value, "a test"), name);
}

static struct labels *new_labels(size_t n, const char *const *names)
{
    struct labels *labels = NULL;
    assert_true(labels_new(n, names, NULL, &labels, NULL));
    return labels;
}

/* Names an axis with words. */
static void name_axis(struct node *node, unsigned axis, const char *const *names)
{
    struct labels *labels = new_labels(node->value.shape[axis], names);
    node_set_labels(node, axis, labels);
    labels_free(labels);
}

static void assert_written(const struct node *node, const char *want)
{
    struct text text = {0};
    node_write(node, &text);
    assert_string_equal(text_string(&text), want);
    text_release(&text);
}

static void assert_cell_written(struct node *node, size_t position, const char *want)
{
    struct text text = {0};
    cell_write((struct cell){node, position}, &text);
    assert_string_equal(text_string(&text), want);
    text_release(&text);
}

/* ---- making ---- */

static void test_node__input_takes_over_its_numbers(void **state)
{
    (void)state;
    struct graph graph = {.last_id = 6};
    struct tensor value = testing_tensor(1, SHAPE(2), ROW(1, 2));
    const float *data = value.data;
    struct node *node = node_input(&graph, &value, "[1,\n2] and more", 6, NULL);
    assert_non_null(node);
    assert_null(value.data);
    assert_ptr_equal(node->value.data, data);
    assert_int_equal(node->id, 7);
    assert_int_equal(graph.last_id, 7);
    assert_int_equal(node->n_owners, 1);
    assert_int_equal(node->n_parents, 0);
    assert_int_equal(node->op->kind, OP_INPUT);
    assert_null(node->name);
    assert_string_equal(node->args.text, "[1,?2]"); /* one line of text */
    assert_false(node_is_constant(node));
    node_free(node);
}

static void test_node__constants(void **state)
{
    (void)state;
    struct graph graph = {.last_id = 0};
    struct node *number = node_constant(&graph, -1.5f, NULL);
    struct node *truth = node_constant_bool(&graph, true, NULL);
    assert_true(node_is_constant(number) && node_is_constant(truth));
    assert_int_equal(number->value.n_axes, 0);
    assert_close(number->value.data[0], -1.5, 0);
    assert_true(truth->value.is_bool);
    assert_written(number, "-1.5");
    assert_written(truth, "True");
    node_free(number);
    node_free(truth);
}

static void test_node__operation_shares_parents_and_copies_args(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *x = matrix(&bench, 2, 3, ROW(1, 2, 3, 4, 5, 6), "x");
    ptrdiff_t order[] = {1, 0};
    char text[] = "note";
    struct op_args args = {.number = 2.5, .n_ints = 2, .ints = order, .text = text};
    struct node *node = node_new(&bench.graph, op_get(OP_PERMUTE), 1, &x, &args, NULL);
    assert_non_null(node);
    order[0] = 0;
    text[0] = 'X';
    assert_true(node->id > x->id);
    assert_int_equal(x->n_owners, 2);
    assert_ptr_equal(node->parents[0], x);
    assert_int_equal(node->args.ints[0], 1);
    assert_int_equal(node->args.n_ints, 2);
    assert_close(node->args.number, 2.5, 0);
    assert_string_equal(node->args.text, "note");
    assert_tensor_close(&node->value, 2, SHAPE(3, 2), ROW(1, 4, 2, 5, 3, 6), 0);
    node_free(node);
    assert_int_equal(x->n_owners, 1);
    bench_release(&bench);
}

static void test_node__failing_operation_leaves_no_trace(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *parents[] = {matrix(&bench, 1, 2, ROW(1, 2), "x"),
                              matrix(&bench, 1, 3, ROW(1, 2, 3), "y")};
    uint64_t last_id = bench.graph.last_id;
    struct node *node =
        node_new(&bench.graph, op_get(OP_ADD), 2, parents, &(struct op_args){0}, &bench.error);
    assert_error(node != NULL, bench.error, ERR_SHAPE);
    assert_int_equal(bench.graph.last_id, last_id);
    assert_int_equal(parents[0]->n_owners, 1);
    assert_int_equal(parents[1]->n_owners, 1);
    bench_release(&bench);
}

static void test_node__a_graph_may_say_how_many_numbers_are_too_many(void **state)
{
    (void)state;
    struct bench bench;
    struct tensor leaf;
    bench_init(&bench);
    struct node *x = matrix(&bench, 2, 3, ROW(1, 2, 3, 4, 5, 6), "X");
    bench.graph.most_numbers = 6;
    assert_non_null(build2(&bench.builder, OP_MUL, x, x));
    uint64_t last_id = bench.graph.last_id;
    ptrdiff_t shape[] = {2, 2, 3};
    struct op_args args = {.n_ints = 3, .ints = shape};
    struct node *many = node_new(&bench.graph, op_get(OP_EXPAND), 1, &x, &args, &bench.error);
    assert_error(many != NULL, bench.error, ERR_LIMIT);
    leaf = testing_tensor(1, SHAPE(7), ROW(1, 2, 3, 4, 5, 6, 7));
    assert_error(node_input(&bench.graph, &leaf, "x", 1, &bench.error) != NULL, bench.error,
                 ERR_LIMIT);
    assert_int_equal(bench.graph.last_id, last_id);
    bench_release(&bench);
}

/* ---- sharing and freeing ---- */

static void test_node__lives_as_long_as_an_owner(void **state)
{
    (void)state;
    struct graph graph = {.last_id = 0};
    struct node *x = node_constant(&graph, 2, NULL);
    struct node *y = node_new(&graph, op_get(OP_EXP), 1, &x, &(struct op_args){0}, NULL);
    assert_ptr_equal(node_share(x), x);
    assert_int_equal(x->n_owners, 3);
    node_free(x);
    node_free(x);
    assert_close(y->parents[0]->value.data[0], 2, 0); /* y owns it */
    node_free(y);
    node_free(NULL);
}

/* A chain of a million nodes, each owned by the next: freeing it by recursion would need more than
 * any stack has. */
static void test_node__deep_chain_is_freed(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    struct graph graph = {.last_id = 0};
    struct node *chain = node_constant(&graph, 1, NULL);
    for (int i = 0; i < DEPTH; i++) {
        struct node *next =
            node_new(&graph, op_get(OP_DETACH), 1, &chain, &(struct op_args){0}, NULL);
        assert_non_null(next);
        node_free(chain);
        chain = next;
    }
    assert_close(chain->value.data[0], 1, 0);
    node_free(chain);
}

/* x + x, doubled again and again: 2^40 ways down to x, 41 nodes. */
static void test_node__many_ways_to_one_node(void **state)
{
    (void)state;
    struct graph graph = {.last_id = 0};
    struct node *sum = node_constant(&graph, 1, NULL);
    for (int i = 0; i < 40; i++) {
        struct node *parents[] = {sum, sum};
        struct node *next =
            node_new(&graph, op_get(OP_ADD), 2, parents, &(struct op_args){0}, NULL);
        assert_int_equal(sum->n_owners, 3);
        node_free(sum);
        sum = next;
    }
    assert_close(sum->value.data[0], 0x1p40, 0);
    node_free(sum);
}

/* ---- names and labels ---- */

static void test_node__names(void **state)
{
    (void)state;
    struct graph graph = {.last_id = 0};
    struct node *node = node_constant(&graph, 3, NULL);
    char name[] = "total sum";
    assert_true(node_set_name(node, name, 5, NULL));
    name[0] = 'X';
    assert_string_equal(node->name, "total");
    assert_written(node, "total");
    assert_true(node_set_name(node, "n", 1, NULL));
    assert_string_equal(node->name, "n");
    assert_true(node_set_name(node, NULL, 0, NULL));
    assert_null(node->name);
    assert_written(node, "3");
    node_free(node);
}

static void test_node__rebuild_keeps_name_and_labels(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *x = matrix(&bench, 2, 2, ROW(1, 2, 3, 4), "x");
    struct node *other = matrix(&bench, 2, 2, ROW(5, 6, 7, 8), "other");
    struct node *y = build1(&bench.builder, OP_NEG, x);
    name_axis(y, 0, (const char *const[]){"a", "b"});     /* by hand */
    name_axis(other, 1, (const char *const[]){"p", "q"}); /* come through the operation */
    assert_true(node_set_name(y, "y", 1, NULL));
    struct node *again = builder_keep(&bench.builder, node_rebuild(&bench.graph, y, &other, NULL));
    assert_non_null(again);
    assert_true(again->id > y->id);
    assert_string_equal(again->name, "y");
    assert_ptr_equal(again->op, y->op);
    assert_tensor_close(&again->value, 2, SHAPE(2, 2), ROW(-5, -6, -7, -8), 0);
    assert_string_equal(labels_name(again->labels[0], 1), "b");
    assert_string_equal(labels_name(again->labels[1], 1), "q");
    assert_tensor_close(&y->value, 2, SHAPE(2, 2), ROW(-1, -2, -3, -4), 0);
    bench_release(&bench);
}

/* ---- cells ---- */

static void test_node__cells_are_named_by_label_or_position(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = matrix(&bench, 2, 2, ROW(1, 2, 3, 4), "X");
    struct node *y = matrix(&bench, 2, 2, ROW(1, 2, 3, 4), "Y");
    name_axis(x, 0, (const char *const[]){"Hello", "sun"});
    assert_cell_written(x, 3, "X[\"sun\", 1]");
    assert_cell_written(y, 2, "Y[1, 0]");
    assert_cell_written(build2(b, OP_ADD, x, y), 1, "(X + Y)[\"Hello\", 1]");
    assert_cell_written(build1(b, OP_EXP, y), 1, "exp(Y)[0, 1]");
    assert_cell_written(build1(b, OP_NEG, y), 1, "(-Y)[0, 1]");
    assert_cell_written(build_number(b, 0.5), 0, "0.5");
    struct text text = {0};
    cell_write_as((struct cell){x, 2}, "t1", &text);
    assert_string_equal(text_string(&text), "t1[\"sun\", 0]");
    assert_close(cell_value((struct cell){x, 2}), 3, 0);
    text_clear(&text);
    node_write_place(x, 3, &text);
    assert_string_equal(text_string(&text), "[sun, 1]");
    text_release(&text);
    bench_release(&bench);
}

/* (X.T)[0, 1] was made as X[1, 0]; a name, or arithmetic, is where the search ends. */
static void test_node__origin_looks_through_moves(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = matrix(&bench, 2, 2, ROW(1, 2, 3, 4), "X");
    struct node *turned = build_transpose(b, x, 0, 1);
    struct node *row = build_slice(b, turned, 0, 0, 1);
    struct cell origin = cell_origin((struct cell){row, 1});
    assert_ptr_equal(origin.node, x);
    assert_int_equal(origin.position, 2);
    assert_ptr_equal(build_name(b, turned, "T"), turned);
    origin = cell_origin((struct cell){row, 1});
    assert_ptr_equal(origin.node, turned);
    assert_int_equal(origin.position, 1);
    struct node *sum = build2(b, OP_ADD, x, x);
    assert_ptr_equal(cell_origin((struct cell){sum, 1}).node, sum);
    struct node *triangle = build_ints(b, OP_TRIL, x, 1, &(ptrdiff_t){0}, 0);
    assert_ptr_equal(cell_origin((struct cell){triangle, 1}).node, triangle); /* a 0 from nowhere */
    bench_release(&bench);
}

/* ---- formulas ---- */

static void test_node__brackets(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = matrix(&bench, 2, 2, ROW(1, 2, 3, 4), "X");
    struct node *y = matrix(&bench, 2, 2, ROW(1, 2, 3, 4), "Y");
    struct node *minus = build2(b, OP_SUB, x, y), *product = build2(b, OP_MUL, x, y);
    struct node *power = build2(b, OP_POW, x, y), *negative = build1(b, OP_NEG, x);
    struct node *below = build_number(b, -2);
    assert_written(build2(b, OP_SUB, minus, x), "X - Y - X");
    assert_written(build2(b, OP_SUB, x, minus), "X - (X - Y)");
    assert_written(build2(b, OP_MUL, minus, y), "(X - Y) * Y");
    assert_written(build2(b, OP_ADD, x, product), "X + X * Y");
    assert_written(build2(b, OP_DIV, x, product), "X / (X * Y)");
    assert_written(build2(b, OP_MATMUL, product, y), "X * Y @ Y");
    assert_written(build2(b, OP_POW, power, y), "(X ** Y) ** Y");
    assert_written(build2(b, OP_POW, x, power), "X ** X ** Y");
    assert_written(build1(b, OP_NEG, power), "-X ** Y");
    assert_written(build2(b, OP_POW, negative, y), "(-X) ** Y");
    assert_written(build2(b, OP_POW, below, y), "(-2) ** Y");
    assert_written(build2(b, OP_SUB, x, negative), "X - -X");
    assert_written(build_transpose(b, minus, 0, 1), "(X - Y).T");
    assert_written(build1(b, OP_EXP, minus), "exp(X - Y)");
    assert_written(build2(b, OP_AND, build2(b, OP_LT, x, y), build1(b, OP_NOT, x)), "(X < Y) & ~X");
    assert_written(build2(b, OP_EQ, build2(b, OP_LT, x, y), y), "(X < Y) == Y");
    /* A name hides the formula; what it stands for can still be asked for. */
    assert_ptr_equal(build_name(b, minus, "D"), minus);
    assert_written(build2(b, OP_MUL, minus, y), "D * Y");
    struct text text = {0};
    node_write_operation(minus, &text);
    assert_string_equal(text_string(&text), "X - Y");
    text_release(&text);
    bench_release(&bench);
}

/* ---- random formulas: typed back in they give the same numbers, and are spelled the same again
 * ---- */

struct prompt {
    struct lang lang;
    struct builder builder;
    struct error error;
};

static void prompt_init(struct prompt *prompt, uint64_t *seed)
{
    struct graph *graph = &prompt->lang.session.graph;
    lang_open(&prompt->lang);
    builder_init(&prompt->builder, graph, &prompt->error);
    for (const char *name = "XYZ"; *name != '\0'; name++) {
        struct tensor value = testing_random_tensor(seed, 2, SHAPE(2, 2));
        struct value node = value_node(node_input(graph, &value, "a test", 6, NULL));
        assert_true(session_bind(&prompt->lang.session, name, 1, &node, NULL));
    }
}

static void prompt_release(struct prompt *prompt)
{
    builder_release(&prompt->builder);
    lang_close(&prompt->lang);
}

static struct node *random_leaf(struct prompt *prompt, uint64_t *seed)
{
    static const double numbers[] = {2, 0.5, -1, -0.25};
    size_t which = testing_between(seed, 0, 6);
    if (which > 2)
        return build_number(&prompt->builder, numbers[which - 3]);
    return lang_node(&prompt->lang, (const char *const[]){"X", "Y", "Z"}[which]);
}

/* A formula whose value is 2x2 or one number. */
static struct node *random_formula(struct prompt *prompt, uint64_t *seed, int depth)
{
    static const enum op_kind unary[] = {OP_NEG, OP_NEG, OP_EXP, OP_NOT, OP_RELU};
    static const enum op_kind binary[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_POW, OP_MAXIMUM,
                                          OP_LT,  OP_EQ,  OP_AND, OP_OR,  OP_POW, OP_SUB};
    struct builder *b = &prompt->builder;
    if (depth == 0 || testing_between(seed, 0, 5) == 0)
        return random_leaf(prompt, seed);
    struct node *x = random_formula(prompt, seed, depth - 1);
    size_t which = testing_between(seed, 0, 9);
    if (which < 2)
        return build1(b, unary[testing_between(seed, 0, 4)], x);
    if (which == 2 && x->value.n_axes == 2)
        return build_transpose(b, x, 0, 1);
    if (which == 3 && x->value.n_axes == 2)
        return build_ints(b, OP_SOFTMAX, x, 1, &(ptrdiff_t){1}, 0);
    struct node *y = random_formula(prompt, seed, depth - 1);
    if (which == 4 && x->value.n_axes == 2 && y->value.n_axes == 2)
        return build2(b, OP_MATMUL, x, y);
    return build2(b, binary[testing_between(seed, 0, 11)], x, y);
}

static bool same_number(float a, float b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_round_trip(struct prompt *prompt, const struct node *node)
{
    struct text line = {0}, again = {0};
    text_put(&line, "result = ");
    node_write(node, &line);
    lang_run(&prompt->lang, text_string(&line));
    const struct node *result = lang_node(&prompt->lang, "result");
    assert_true(tensor_same_shape(&node->value, &result->value));
    for (size_t at = 0; at < tensor_size(&node->value); at++)
        if (!same_number(tensor_at_position(&node->value, at),
                         tensor_at_position(&result->value, at)))
            fail_msg("%s: cell %zu is another number", text_string(&line), at);
    node_write_operation(result, &again);
    if (result->n_parents > 0)
        assert_string_equal(text_string(&again), text_string(&line) + strlen("result = "));
    text_release(&line);
    text_release(&again);
}

static void test_node__formulas_can_be_typed_back(void **state)
{
    (void)state;
    struct prompt prompt;
    uint64_t seed = 12;
    prompt_init(&prompt, &seed);
    for (int i = 0; i < 3000; i++) {
        struct node *node = random_formula(&prompt, &seed, 3);
        assert_non_null(node);
        check_round_trip(&prompt, node);
    }
    prompt_release(&prompt);
}

/* A formula is cut short, not a page long, however it was built: deep, or wide. */
static void test_node__long_formulas_are_cut(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = matrix(&bench, 1, 1, ROW(1), "X");
    struct node *deep = x, *wide = x;
    for (int i = 0; i < 1000; i++)
        deep = build1(b, OP_EXP, deep);
    for (int i = 0; i < 60; i++)
        wide = build2(b, OP_ADD, wide, wide);
    struct node *both[] = {deep, wide};
    for (int i = 0; i < 2; i++) {
        struct text text = {0};
        node_write(both[i], &text);
        assert_non_null(strstr(text_string(&text), "..."));
        assert_true(text.size < 400);
        text_release(&text);
    }
    bench_release(&bench);
}

/* ---- failures ---- */

static struct node *input_again(struct graph *graph, struct error *reterr)
{
    struct tensor value = {0};
    return tensor_from(1, SHAPE(2), ROW(1, 2), &value, reterr)
               ? node_input(graph, &value, "a test", 6, reterr)
               : NULL;
}

/* The tensor is taken over even when the node can't be made: the sanitizers would see it leak. */
static void test_node__failed_allocations(void **state)
{
    (void)state;
    struct graph graph = {.last_id = 0};
    struct error error;
    struct node *x = NULL, *y = NULL, *z = NULL;
    assert_reports_failed_allocations((x = input_again(&graph, &error)) != NULL, error);
    assert_reports_failed_allocations((y = node_constant(&graph, 1, &error)) != NULL, error);
    assert_reports_failed_allocations(node_set_name(x, "x", 1, &error), error);
    assert_string_equal(x->name, "x");
    node_free(y);
    assert_reports_failed_allocations((y = node_constant_bool(&graph, true, &error)) != NULL,
                                      error);
    struct node *sum = node_new(&graph, op_get(OP_EXP), 1, &x, &(struct op_args){0}, NULL);
    assert_true(node_set_name(sum, "sum", 3, NULL));
    assert_reports_failed_allocations((z = node_rebuild(&graph, sum, &x, &error)) != NULL, error);
    node_free(x);
    node_free(y);
    node_free(z);
    node_free(sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_node__input_takes_over_its_numbers),
        cmocka_unit_test(test_node__constants),
        cmocka_unit_test(test_node__operation_shares_parents_and_copies_args),
        cmocka_unit_test(test_node__failing_operation_leaves_no_trace),
        cmocka_unit_test(test_node__a_graph_may_say_how_many_numbers_are_too_many),
        cmocka_unit_test(test_node__lives_as_long_as_an_owner),
        cmocka_unit_test(test_node__deep_chain_is_freed),
        cmocka_unit_test(test_node__many_ways_to_one_node),
        cmocka_unit_test(test_node__names),
        cmocka_unit_test(test_node__rebuild_keeps_name_and_labels),
        cmocka_unit_test(test_node__cells_are_named_by_label_or_position),
        cmocka_unit_test(test_node__origin_looks_through_moves),
        cmocka_unit_test(test_node__brackets),
        cmocka_unit_test(test_node__formulas_can_be_typed_back),
        cmocka_unit_test(test_node__long_formulas_are_cut),
        cmocka_unit_test(test_node__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
