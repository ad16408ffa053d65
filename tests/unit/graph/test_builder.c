#include "graph_testing.h"

#include <string.h>

#include "graph/node.h"
#include "graph/ops.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

static void test_builder__owns_what_it_makes(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *x = build_number(&bench.builder, 2);
    struct node *y = build1(&bench.builder, OP_EXP, x);
    assert_int_equal(x->n_owners, 2); /* the builder and y */
    assert_int_equal(y->n_owners, 1);
    struct node *kept = builder_result(&bench.builder, y);
    assert_ptr_equal(kept, y);
    assert_int_equal(y->n_owners, 2);
    builder_release(&bench.builder);
    assert_int_equal(kept->n_owners, 1);
    assert_int_equal(kept->parents[0]->n_owners, 1);
    node_free(kept);
    builder_release(&bench.builder); /* a released builder is empty */
}

/* The first failure is told; later calls do nothing, and what was made goes with the builder. */
static void test_builder__remembers_the_first_failure(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 1, SHAPE(2), ROW(1, 2), NULL);
    struct node *y = bench_tensor(&bench, 1, SHAPE(3), ROW(1, 2, 3), NULL);
    assert_null(build2(b, OP_ADD, x, y));
    assert_error(!b->failed, bench.error, ERR_SHAPE);
    bench.error = (struct error){.kind = ERR_NONE};
    uint64_t last_id = bench.graph.last_id;
    assert_null(build1(b, OP_EXP, x));
    assert_null(build_number(b, 1));
    assert_null(build_reduce(b, OP_SUM, x, 0, false, 0));
    assert_null(build_name(b, x, "x"));
    assert_null(builder_result(b, x));
    assert_int_equal(bench.graph.last_id, last_id);
    assert_int_equal(bench.error.kind, ERR_NONE);
    assert_null(x->name);
    builder_release(b);
}

/* A tensor is taken over by a builder that has failed, too. */
static void test_builder__failed_input_releases_its_tensor(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    bench.builder.failed = true;
    struct tensor value = testing_tensor(1, SHAPE(2), ROW(1, 2));
    assert_null(build_input(&bench.builder, &value, "a test"));
    assert_null(value.data);
    builder_release(&bench.builder);
}

static void test_builder__nothing_gives_nothing(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = build_number(b, 1);
    assert_null(build1(b, OP_EXP, NULL));
    assert_null(build2(b, OP_ADD, x, NULL));
    assert_null(build3(b, OP_WHERE, x, x, NULL));
    assert_null(build_many(b, OP_CAT, 2, (struct node *const[]){x, NULL}, 1, &(ptrdiff_t){0}));
    assert_null(build_ints(b, OP_RESHAPE, NULL, 0, NULL, 0));
    assert_null(build_transpose(b, NULL, 0, 1));
    assert_null(build_slice(b, NULL, 0, 0, 1));
    assert_null(build_reduce(b, OP_SUM, NULL, 0, false, 0));
    assert_null(build_name(b, NULL, "x"));
    assert_null(builder_result(b, NULL));
    assert_false(b->failed); /* whoever made nothing has told why */
    assert_null(builder_keep(b, NULL));
    assert_true(b->failed);
    builder_release(b);
}

static void test_builder__transposing_twice_is_nothing(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    uint64_t seed = 1;
    struct tensor value = testing_random_tensor(&seed, 3, SHAPE(2, 3, 4));
    struct node *x = build_input(b, &value, "a test");
    struct node *once = build_transpose(b, x, 1, 2);
    assert_ptr_equal(build_transpose(b, once, 2, 1), x);
    struct node *other = build_transpose(b, once, 0, 1);
    assert_int_equal(other->op->kind, OP_PERMUTE);
    assert_ptr_equal(other->parents[0], once);
    assert_int_equal(other->value.shape[0], 4);
    /* A named transpose is a stage of its own. */
    assert_ptr_equal(build_name(b, once, "turned"), once);
    assert_ptr_not_equal(build_transpose(b, once, 1, 2), x);
    builder_release(b);
}

static void test_builder__names_what_has_none(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct node *x = build_number(&bench.builder, 1);
    assert_ptr_equal(build_name(&bench.builder, x, "first"), x);
    assert_ptr_equal(build_name(&bench.builder, x, "second"), x);
    assert_string_equal(x->name, "first");
    builder_release(&bench.builder);
}

static void assert_ints(const struct node *node, size_t n, const ptrdiff_t *ints)
{
    assert_int_equal(node->args.n_ints, n);
    assert_memory_equal(node->args.ints, ints, n * sizeof *ints);
}

static void test_builder__reductions_name_their_axes(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 2, SHAPE(2, 2), ROW(1, 2, 3, 4), NULL);
    struct node *all = build_reduce(b, OP_SUM, x, 0, false, 0);
    assert_ints(all, 2, (ptrdiff_t[]){0, 1});
    assert_tensor_close(&all->value, 0, NULL, ROW(10), 0);
    struct node *rows = build_reduce(b, OP_VAR, x, 2, true, 1);
    assert_ints(rows, 2, (ptrdiff_t[]){1, 1}); /* the axis and the correction */
    assert_close(rows->args.number, 1, 0);
    assert_tensor_close(&rows->value, 2, SHAPE(2, 1), ROW(0.5f, 0.5f), 0);
    builder_release(b);
}

static void test_builder__slices_and_shapes(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = bench_tensor(&bench, 2, SHAPE(2, 3), ROW(1, 2, 3, 4, 5, 6), NULL);
    assert_tensor_close(&build_slice(b, x, 1, 1, 2)->value, 2, SHAPE(2, 2), ROW(2, 3, 5, 6), 0);
    assert_tensor_close(&build_reshape(b, x, 1, SHAPE(6))->value, 1, SHAPE(6),
                        ROW(1, 2, 3, 4, 5, 6), 0);
    struct node *joined =
        build_many(b, OP_CAT, 2, (struct node *const[]){x, x}, 1, &(ptrdiff_t){0});
    assert_int_equal(joined->n_parents, 2);
    assert_int_equal(joined->value.shape[0], 4);
    builder_release(b);
}

/* gelu-like: several steps, one of them failing each time. */
static struct node *build_several(struct graph *graph, struct error *reterr)
{
    struct builder builder;
    builder_init(&builder, graph, reterr);
    struct node *x = build_number(&builder, 0.5);
    struct node *y = build1(&builder, OP_TANH, build2(&builder, OP_MUL, x, x));
    for (int i = 0; i < 20; i++)
        y = build2(&builder, OP_ADD, y, build_number(&builder, i));
    struct node *result = builder_result(&builder, build_name(&builder, y, "y"));
    builder_release(&builder);
    return result;
}

static void test_builder__failed_allocations(void **state)
{
    (void)state;
    struct graph graph = {.last_id = 0};
    struct error error;
    struct node *result = NULL;
    assert_reports_failed_allocations((result = build_several(&graph, &error)) != NULL, error);
    assert_close(result->value.data[0], 0.24491866 + 190, 1e-4); /* tanh(1/4) + 0 + 1 + ... + 19 */
    assert_string_equal(result->name, "y");
    node_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builder__owns_what_it_makes),
        cmocka_unit_test(test_builder__remembers_the_first_failure),
        cmocka_unit_test(test_builder__failed_input_releases_its_tensor),
        cmocka_unit_test(test_builder__nothing_gives_nothing),
        cmocka_unit_test(test_builder__transposing_twice_is_nothing),
        cmocka_unit_test(test_builder__names_what_has_none),
        cmocka_unit_test(test_builder__reductions_name_their_axes),
        cmocka_unit_test(test_builder__slices_and_shapes),
        cmocka_unit_test(test_builder__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
