#include "graph_testing.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "graph/trace.h"
#include "show/backend.h"
#include "show/matrix.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

static const struct show_options options = {.width_cols = 80, .digits = 4};

static struct node *matrix(struct bench *bench, size_t rows, size_t columns, const float *numbers,
                           const char *name)
{
    struct tensor value = testing_tensor(2, SHAPE(rows, columns), numbers);
    return build_name(&bench->builder, build_input(&bench->builder, &value, "a test"), name);
}

static void trace_text(struct bench *bench, struct node *node, struct text *ret)
{
    struct doc doc;
    doc_init(&doc);
    assert_non_null(node);
    if (!trace_show(node, &options, &doc, &bench->error))
        fail_msg("%s", bench->error.text);
    doc_to_plain(&doc, ret);
    doc_release(&doc);
}

/* 1 * 3 + 2 * 4 = 11, halved. What stands side by side is in one group; the transpose and the
 * number 2 are no stages. */
static void test_trace__shows_stages_in_order(void **state)
{
    (void)state;
    struct bench bench;
    struct text page = {0};
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *q = matrix(&bench, 1, 2, ROW(1, 2), "Q"),
                *k = matrix(&bench, 1, 2, ROW(3, 4), "K");
    struct node *scores = build2(b, OP_MATMUL, q, build_transpose(b, k, 0, 1));
    assert_non_null(build_name(b, scores, "scores"));
    trace_text(&bench, build2(b, OP_DIV, scores, build_number(b, 2)), &page);
    assert_string_equal(text_string(&page), "Q, K -> scores -> scores / 2\n"
                                            "Q   from a test   1x2\n"
                                            "  1  2\n"
                                            "K   from a test   1x2\n"
                                            "  3  4\n"
                                            "scores = Q @ K.T   1x1\n"
                                            "  11\n"
                                            "scores / 2   1x1\n"
                                            "  5.5000\n");
    text_release(&page);
    builder_release(b);
}

/* A stage stands behind the longest way to it: z is made of x and of y, which is made of x. */
static void test_trace__levels_follow_the_longest_way(void **state)
{
    (void)state;
    struct bench bench;
    struct text page = {0};
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = matrix(&bench, 1, 1, ROW(1), "x");
    struct node *y = build_name(b, build1(b, OP_NEG, x), "y");
    struct node *w = matrix(&bench, 1, 1, ROW(1), "w");
    struct node *z = build_name(b, build2(b, OP_ADD, x, build2(b, OP_MUL, y, w)), "z");
    trace_text(&bench, z, &page);
    assert_int_equal(strncmp(text_string(&page), "x, w -> y -> y * w -> z\n", 24), 0);
    text_release(&page);
    builder_release(b);
}

/* What is not an ancestor is not shown, whatever else was made of the inputs. */
static void test_trace__shows_ancestors_only(void **state)
{
    (void)state;
    struct bench bench;
    struct text page = {0};
    bench_init(&bench);
    struct builder *b = &bench.builder;
    struct node *x = matrix(&bench, 1, 1, ROW(1), "x");
    assert_non_null(build_name(b, build1(b, OP_EXP, x), "later"));
    trace_text(&bench, x, &page);
    assert_string_equal(text_string(&page), "x\n"
                                            "x   from a test   1x1\n"
                                            "  1\n");
    text_release(&page);
    builder_release(b);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        n++;
    }
    return n;
}

/* n stages: s0 to s(n-1), each the negative of the one before. */
static struct node *chain_of_stages(struct bench *bench, size_t n)
{
    struct node *stage = matrix(bench, 1, 1, ROW(1), "s0");
    for (size_t i = 1; i < n; i++) {
        char name[24];
        snprintf(name, sizeof name, "s%zu", i);
        stage = build_name(&bench->builder, build1(&bench->builder, OP_NEG, stage), name);
    }
    return stage;
}

/* Of more than 24 stages 12 are shown from each end, the rest counted; and beyond 200 tensors the
 * line of names is left out. */
static void test_trace__many_stages_are_elided(void **state)
{
    (void)state;
    static const size_t lengths[] = {24, 25, 100, 201};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        struct bench bench;
        struct text page = {0};
        char elision[40];
        bench_init(&bench);
        trace_text(&bench, chain_of_stages(&bench, lengths[i]), &page);
        const char *text = text_string(&page);
        snprintf(elision, sizeof elision, "\n  ... %zu more stages ...\n", lengths[i] - 24);
        assert_int_equal(count(text, elision), lengths[i] > 24);
        assert_int_equal(count(text, "   1x1\n"), 24);
        assert_int_equal(count(text, "\ns11 = -s10   1x1\n"), 1);
        assert_int_equal(count(text, "\ns12 = -s11   1x1\n"), lengths[i] == 24);
        assert_int_equal(count(text, " -> "), lengths[i] <= 200 ? lengths[i] - 1 : 0);
        text_release(&page);
        builder_release(&bench.builder);
    }
}

/* The numbers of a stage point at its cells. */
static void test_trace__points_at_cells(void **state)
{
    (void)state;
    struct bench bench;
    struct doc doc;
    bench_init(&bench);
    struct node *x = matrix(&bench, 1, 2, ROW(1, 2), "x");
    size_t n_cells = 0;
    doc_init(&doc);
    assert_true(trace_show(x, &options, &doc, NULL));
    for (size_t i = 0; i < doc.n_spans; i++)
        n_cells += doc.spans[i].cell.tensor == x->id && doc.spans[i].style == STYLE_NUMBER;
    assert_int_equal(n_cells, 2);
    doc_release(&doc);
    builder_release(&bench.builder);
}

static bool trace_anew(struct node *node, struct error *reterr)
{
    struct doc doc;
    doc_init(&doc);
    bool ok = trace_show(node, &options, &doc, reterr);
    doc_release(&doc);
    return ok;
}

static void test_trace__failed_allocations(void **state)
{
    (void)state;
    struct bench bench;
    struct error error;
    bench_init(&bench);
    struct node *x = matrix(&bench, 2, 2, ROW(1, 2, 3, 4), "x");
    struct node *y = build2(&bench.builder, OP_MATMUL, x, build_transpose(&bench.builder, x, 0, 1));
    struct node *z = build2(&bench.builder, OP_ADD, chain_of_stages(&bench, 30), y);
    assert_non_null(z);
    assert_reports_failed_allocations(trace_anew(z, &error), error);
    builder_release(&bench.builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trace__shows_stages_in_order),
        cmocka_unit_test(test_trace__levels_follow_the_longest_way),
        cmocka_unit_test(test_trace__shows_ancestors_only),
        cmocka_unit_test(test_trace__many_stages_are_elided),
        cmocka_unit_test(test_trace__points_at_cells),
        cmocka_unit_test(test_trace__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
