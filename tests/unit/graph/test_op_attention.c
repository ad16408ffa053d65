/* Attention as one node: its numbers and gradients against those of the stages, one node for each,
 * and against difference quotients; what it answers when it is asked for a cell. Run a second time
 * with ATTN_ISA=plain. */
#include "graph_testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "graph/explain.h"
#include "graph/why.h"
#include "graph/grad.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "graph/stages.h"
#include "graph/whatif.h"
#include "show/doc.h"
#include "show/labels.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

/* Sizes above the rule (kernel/kernel.h), and no multiples of what the kernels work in. */
enum { N_BATCH = 2, N_HEADS = 4, N_KEY_HEADS = 2, N_Q = 37, N_K = 53, D_K = 7, D_V = 5 };

/* What differs from case to case. */
struct setting {
    const char *what;
    bool grouped, causal, scaled, capped, dropped;
    enum { NO_MASK, BOOL_MASK, ADDED_MASK } mask;
};

static const struct setting settings[] = {
    {.what = "plain"},
    {.what = "causal", .causal = true},
    {.what = "bool mask", .mask = BOOL_MASK},
    {.what = "added mask", .mask = ADDED_MASK, .causal = true},
    {.what = "grouped", .grouped = true, .scaled = true},
    {.what = "all",
     .grouped = true,
     .causal = true,
     .scaled = true,
     .capped = true,
     .dropped = true,
     .mask = ADDED_MASK},
};

static struct node *drawn(struct bench *bench, uint64_t *seed, unsigned n_axes, const size_t *shape,
                          const char *name)
{
    struct tensor x = testing_random_tensor(seed, n_axes, shape);
    for (size_t i = 0; i < tensor_size(&x); i++)
        x.data[i] *= 2;
    return build_name(&bench->builder, build_input(&bench->builder, &x, "a test"), name);
}

/* A number becomes 0 or `other`: 0 for the first key of a row, for each row needs one. */
static struct node *choices(struct bench *bench, uint64_t *seed, unsigned n_axes,
                            const size_t *shape, float other, bool is_bool, const char *name)
{
    struct tensor x = testing_random_tensor(seed, n_axes, shape);
    for (size_t i = 0; i < tensor_size(&x); i++)
        x.data[i] = i % N_K == 0 || x.data[i] > -0.5f ? (is_bool ? 1 : x.data[i]) : other;
    x.is_bool = is_bool;
    return build_name(&bench->builder, build_input(&bench->builder, &x, "a test"), name);
}

static struct attention_parts draw(struct bench *bench, const struct setting *setting,
                                   uint64_t *seed)
{
    size_t heads = setting->grouped ? N_KEY_HEADS : N_HEADS;
    struct attention_parts parts = {
        .query = drawn(bench, seed, 4, SHAPE(N_BATCH, N_HEADS, N_Q, D_K), "Q"),
        .key = drawn(bench, seed, 4, SHAPE(N_BATCH, heads, N_K, D_K), "K"),
        .value = drawn(bench, seed, 4, SHAPE(1, heads, N_K, D_V), "V"),
        .is_causal = setting->causal,
        .enable_gqa = setting->grouped,
        .scale = setting->scaled ? build_number(&bench->builder, 0.3) : NULL,
        .softcap = setting->capped ? build_number(&bench->builder, 1.5) : NULL,
    };
    if (setting->mask == BOOL_MASK)
        parts.attn_mask = choices(bench, seed, 2, SHAPE(N_Q, N_K), 0, true, "M");
    if (setting->mask == ADDED_MASK)
        parts.attn_mask = choices(bench, seed, 2, SHAPE(N_Q, N_K), -INFINITY, false, "M");
    if (setting->dropped)
        parts.dropout = choices(bench, seed, 4, SHAPE(N_BATCH, N_HEADS, N_Q, N_K), 0, false, "F");
    return parts;
}

static struct node *staged(struct bench *bench, const struct attention_parts *parts)
{
    struct builder *b = &bench->builder;
    return build_context(b, parts, build_dropped(b, parts, build_weights(b, parts)));
}

static void assert_same(const char *what, const struct tensor *got, const struct tensor *want,
                        double tolerance)
{
    assert_true(tensor_same_shape(got, want));
    for (size_t i = 0; i < tensor_size(want); i++) {
        double x = (double)tensor_at_position(got, i), y = (double)tensor_at_position(want, i);
        if (!(fabs(x - y) <= tolerance * (1 + fabs(y))))
            fail_msg("%s: number %zu is %.9g, not %.9g", what, i, x, y);
    }
}

/* Runs check on each setting. */
static void for_each_setting(void (*check)(struct bench *bench, const struct setting *setting,
                                           const struct attention_parts *parts))
{
    uint64_t seed = 5;
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        struct bench bench;
        struct tensor scores;
        bench_init(&bench);
        struct attention_parts parts = draw(&bench, &settings[i], &seed);
        assert_true(stages_are_many(&parts, &scores));
        assert_int_equal(scores.n_axes, 4);
        assert_memory_equal(scores.shape, SHAPE(N_BATCH, N_HEADS, N_Q, N_K), 4 * sizeof(size_t));
        check(&bench, &settings[i], &parts);
        bench_release(&bench);
    }
}

static void check_forward(struct bench *bench, const struct setting *setting,
                          const struct attention_parts *parts)
{
    struct node *node = build_attention(&bench->builder, parts);
    assert_non_null(node);
    assert_int_equal(node->op->kind, OP_ATTENTION);
    assert_same(setting->what, &node->value, &staged(bench, parts)->value, 2e-6);
}

static void test_op_attention__is_what_the_stages_give(void **state)
{
    (void)state;
    for_each_setting(check_forward);
}

/* ---- gradients ---- */

/* sum(x * x): so that the gradient of the context depends on the context. */
static struct node *loss_of(struct bench *bench, struct node *x)
{
    struct builder *b = &bench->builder;
    return build_reduce(b, OP_SUM, build2(b, OP_MUL, x, x), 0, false, 0);
}

static void gradients(struct bench *bench, struct node *loss, struct node *const *wrt, size_t n,
                      struct node **ret)
{
    assert_non_null(loss);
    if (!graph_grad(&bench->graph, loss, wrt, n, ret, &bench->error))
        fail_msg("%s", bench->error.text);
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(builder_keep(&bench->builder, ret[i]), ret[i]);
}

static size_t inputs_of(const struct setting *setting, const struct attention_parts *parts,
                        struct node *ret[6])
{
    size_t n = 3;
    ret[0] = parts->query;
    ret[1] = parts->key;
    ret[2] = parts->value;
    if (setting->mask == ADDED_MASK)
        ret[n++] = parts->attn_mask;
    if (parts->scale != NULL)
        ret[n++] = parts->scale;
    if (parts->softcap != NULL)
        ret[n++] = parts->softcap;
    return n;
}

static void check_gradients(struct bench *bench, const struct setting *setting,
                            const struct attention_parts *parts)
{
    struct node *wrt[6], *got[6], *want[6];
    size_t n = inputs_of(setting, parts, wrt);
    gradients(bench, loss_of(bench, build_attention(&bench->builder, parts)), wrt, n, got);
    gradients(bench, loss_of(bench, staged(bench, parts)), wrt, n, want);
    for (size_t i = 0; i < n; i++)
        assert_same(setting->what, &got[i]->value, &want[i]->value, 2e-5);
}

static void test_op_attention__gradients_are_those_of_the_stages(void **state)
{
    (void)state;
    for_each_setting(check_gradients);
}

/* The gradient of what a gradient adds up to. */
static void check_second(struct bench *bench, const struct setting *setting,
                         const struct attention_parts *parts)
{
    struct node *wrt[6], *first[2], *got[6], *want[6];
    size_t n = inputs_of(setting, parts, wrt);
    gradients(bench, loss_of(bench, build_attention(&bench->builder, parts)), &parts->key, 1,
              &first[0]);
    gradients(bench, loss_of(bench, staged(bench, parts)), &parts->key, 1, &first[1]);
    gradients(bench, loss_of(bench, first[0]), wrt, n, got);
    gradients(bench, loss_of(bench, first[1]), wrt, n, want);
    for (size_t i = 0; i < n; i++)
        assert_same(setting->what, &got[i]->value, &want[i]->value, 2e-4);
}

static void test_op_attention__second_derivatives(void **state)
{
    (void)state;
    for_each_setting(check_second);
}

/* The loss with number `at` of x moved by `step`, from the node itself, added up in double. */
static double moved_loss(struct bench *bench, struct node *node, struct node *x, size_t at,
                         float step)
{
    struct node *to =
        whatif_edit(&bench->graph, x, at, tensor_at_position(&x->value, at) + step, &bench->error);
    struct node *moved;
    double loss = 0;
    assert_non_null(to);
    assert_true(whatif_recompute(&bench->graph, &node, 1, x, to, &moved, &bench->error));
    assert_int_equal(moved->op->kind, OP_ATTENTION);
    for (size_t i = 0; i < tensor_size(&moved->value); i++)
        loss += pow((double)tensor_at_position(&moved->value, i), 2);
    node_free(moved);
    node_free(to);
    return loss;
}

/* A step of 1/64: the error is step^2 / 6 times the third derivative, and what rounding leaves of
 * 1e-7 times a loss of some hundreds over the step. */
static void check_slopes_of(struct bench *bench, const struct setting *setting,
                            const struct attention_parts *parts)
{
    struct node *node = build_attention(&bench->builder, parts), *wrt[6], *got[6];
    size_t n = inputs_of(setting, parts, wrt);
    gradients(bench, loss_of(bench, node), wrt, n, got);
    for (size_t i = 0; i < n; i++) {
        size_t at = tensor_size(&wrt[i]->value) / 2;
        if (!isfinite(tensor_at_position(&wrt[i]->value, at)))
            continue;
        double slope = (moved_loss(bench, node, wrt[i], at, 0x1p-6f) -
                        moved_loss(bench, node, wrt[i], at, -0x1p-6f)) *
                       0x1p5;
        double gradient = (double)tensor_at_position(&got[i]->value, at);
        if (!(fabs(gradient - slope) <= 0.02 * (1 + fabs(slope))))
            fail_msg("%s: input %zu: the slope is %g, the gradient %g", setting->what, i, slope,
                     gradient);
    }
}

static void test_op_attention__gradients_are_slopes(void **state)
{
    (void)state;
    for_each_setting(check_slopes_of);
}

/* The node that a slice of all gradients is cut from. */
static const struct node *back_behind(const struct node *gradient)
{
    while (gradient->op->is_move)
        gradient = gradient->parents[0];
    return gradient;
}

static void test_op_attention__one_way_back_for_all(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 9;
    bench_init(&bench);
    struct attention_parts parts = draw(&bench, &settings[3], &seed);
    struct node *wrt[6], *got[6];
    size_t n = inputs_of(&settings[3], &parts, wrt);
    gradients(&bench, loss_of(&bench, build_attention(&bench.builder, &parts)), wrt, n, got);
    assert_int_equal(n, 4);
    assert_int_equal(back_behind(got[0])->op->kind, OP_ATTENTION_BACK);
    for (size_t i = 1; i < n; i++)
        assert_ptr_equal(back_behind(got[i]), back_behind(got[0]));
    bench_release(&bench);
}

/* The way back starts from what the way forward has saved, also where an input is edited and both
 * are computed anew. Plain C saves nothing. */
static void test_op_attention__the_way_back_starts_from_the_way_forward(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 10;
    bench_init(&bench);
    struct attention_parts parts = draw(&bench, &settings[1], &seed);
    struct node *context = build_attention(&bench.builder, &parts), *d, *moved[2], *to, *fresh;
    bool saves = context->kept->saved.data != NULL;
    gradients(&bench, loss_of(&bench, context), &parts.key, 1, &d);
    const struct node *back = back_behind(d);
    assert_int_equal(back->n_parents, saves ? 5 : 4);
    if (saves)
        assert_ptr_equal(back->parents[3], context);
    to = whatif_edit(&bench.graph, parts.query, 3, 2.5F, &bench.error);
    assert_non_null(builder_keep(&bench.builder, to));
    assert_true(whatif_recompute(&bench.graph, (struct node *[]){d, context}, 2, parts.query, to,
                                 moved, &bench.error));
    for (int i = 0; i < 2; i++)
        (void)builder_keep(&bench.builder, moved[i]);
    if (saves)
        assert_ptr_equal(back_behind(moved[0])->parents[3], moved[1]);
    parts.query = to;
    gradients(&bench, loss_of(&bench, build_attention(&bench.builder, &parts)), &parts.key, 1,
              &fresh);
    assert_same("edited", &moved[0]->value, &fresh->value, 0);
    bench_release(&bench);
}

/* X attends to itself: its gradient is the sum of three. */
static void test_op_attention__one_input_three_times(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 11;
    bench_init(&bench);
    struct node *x = drawn(&bench, &seed, 2, SHAPE(128, 8), "X"), *got, *want, *first[2];
    struct attention_parts parts = {.query = x, .key = x, .value = x};
    gradients(&bench, loss_of(&bench, build_attention(&bench.builder, &parts)), &x, 1, &first[0]);
    gradients(&bench, loss_of(&bench, staged(&bench, &parts)), &x, 1, &first[1]);
    assert_same("first", &first[0]->value, &first[1]->value, 2e-5);
    gradients(&bench, loss_of(&bench, first[0]), &x, 1, &got);
    gradients(&bench, loss_of(&bench, first[1]), &x, 1, &want);
    assert_same("second", &got->value, &want->value, 2e-4);
    bench_release(&bench);
}

/* ---- when it is to be used ---- */

static void test_op_attention__only_where_there_is_much_to_do(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 13;
    struct tensor scores;
    bench_init(&bench);
    struct builder *b = &bench.builder;
    /* n * n * (8 + 8) multiply-adds: 45^2 * 16 is below 2^15, 46^2 * 16 above. */
    struct node *small = drawn(&bench, &seed, 2, SHAPE(45, 8), "A");
    struct node *large = drawn(&bench, &seed, 2, SHAPE(46, 8), "B");
    struct attention_parts parts = {.query = small, .key = small, .value = small};
    assert_false(stages_are_many(&parts, &scores));
    parts = (struct attention_parts){.query = large, .key = large, .value = large};
    assert_true(stages_are_many(&parts, &scores));
    /* What would make the scores larger, or can't be read as one number, is for the stages. */
    parts.attn_mask = drawn(&bench, &seed, 3, SHAPE(2, 91, 91), "M");
    assert_false(stages_are_many(&parts, &scores));
    parts.attn_mask = NULL;
    parts.scale = drawn(&bench, &seed, 2, SHAPE(91, 91), "S");
    assert_false(stages_are_many(&parts, &scores));
    parts.scale = NULL;
    parts.value = drawn(&bench, &seed, 3, SHAPE(2, 91, 8), "V");
    assert_false(stages_are_many(&parts, &scores));
    parts.value = small; /* 90 values for 91 keys */
    assert_false(stages_are_many(&parts, &scores));
    parts.value = NULL;
    assert_false(stages_are_many(&parts, &scores));
    assert_false(b->failed);
    bench_release(&bench);
}

/* ---- why ---- */

static struct labels *numbered(const char *letter, size_t n)
{
    char names[256][8];
    const char *all[256];
    struct labels *labels;
    for (size_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "%s%zu", letter, i);
        all[i] = names[i];
    }
    assert_true(labels_new(n, all, NULL, &labels, NULL));
    return labels;
}

/* Explains a cell; the caller releases both. */
static void explain(struct cell cell, struct doc *doc, struct explanation *explanation)
{
    struct error error;
    doc_init(doc);
    explanation_init(explanation, doc, 4);
    if (!explain_cell(cell, explanation, &error))
        fail_msg("%s", error.text);
}

/* The first cell of a matrix called `name` among those of an explanation; where there is none, the
 * first of a nameless matrix. */
static struct cell first_cell(const struct explanation *explanation, const char *name)
{
    struct cell step = {.node = NULL};
    for (size_t i = 0; i < explanation->n_cells; i++) {
        struct cell cell = explanation->cells[i];
        if (cell.node->name != NULL && strcmp(cell.node->name, name) == 0)
            return cell;
        if (cell.node->name == NULL && cell.node->value.n_axes > 0 && step.node == NULL)
            step = cell;
    }
    if (step.node == NULL)
        fail_msg("no cell of %s", name);
    return step;
}

/* From a cell to the first cell of the stage `name` that it was made from. */
static struct cell go_down(struct cell cell, const char *name)
{
    do {
        struct doc doc;
        struct explanation explanation;
        explain(cell, &doc, &explanation);
        cell = first_cell(&explanation, name);
        explanation_release(&explanation);
        doc_release(&doc);
    } while (cell.node->name == NULL);
    return cell;
}

/* Each stage of a row is the row of the stage that holds all of them, under the same index. */
static void check_rows(struct bench *bench, const struct setting *setting,
                       const struct attention_parts *parts)
{
    static const char *const names[] = {"dropped", "weights", "masked",
                                        "capped",  "scaled",  "scores"};
    struct node *node = build_attention(&bench->builder, parts), *whole = staged(bench, parts);
    size_t position = tensor_position_of(&node->value, SHAPE(1, 3, 20, 2));
    struct cell row = {node, position}, all = {whole, position};
    const bool is_there[] = {setting->dropped, true, setting->causal || setting->mask != NO_MASK,
                             setting->capped,  true, true};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (!is_there[i])
            continue;
        all = go_down(all, names[i]);
        row = go_down(row, names[i]);
        assert_true(tensor_same_shape(&row.node->value, &all.node->value));
        assert_int_equal(row.position, all.position);
        assert_close(cell_value(row), cell_value(all), 1e-6 * (1 + fabs((double)cell_value(all))));
    }
}

static void test_op_attention__why_names_the_row_that_is_asked_for(void **state)
{
    (void)state;
    for_each_setting(check_rows);
}

/* The whole text, which differs from the stages' only where a number was summed otherwise. */
static void test_op_attention__why_reads_as_the_stages(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 17;
    bench_init(&bench);
    struct attention_parts parts = draw(&bench, &settings[5], &seed);
    struct labels *words = numbered("word", N_Q), *columns = numbered("column", D_V);
    node_set_labels(parts.query, 2, words);
    node_set_labels(parts.value, 3, columns);
    struct node *node = build_attention(&bench.builder, &parts);
    assert_string_equal(labels_name(node->labels[2], 20), "word20");
    assert_string_equal(labels_name(node->labels[3], 2), "column2");
    size_t position = tensor_position_of(&node->value, SHAPE(1, 3, 20, 2));
    struct doc own, whole;
    struct explanation explanation[2];
    explain((struct cell){node, position}, &own, &explanation[0]);
    explain((struct cell){staged(&bench, &parts), position}, &whole, &explanation[1]);
    assert_int_equal(own.n_lines, whole.n_lines);
    assert_string_equal(text_string(&own.text), text_string(&whole.text));
    assert_non_null(strstr(text_string(&own.text), "dropped[1, 3, \"word20\", 0] * V[0, 1, 0, "
                                                   "\"column2\"]"));
    for (int i = 0; i < 2; i++)
        explanation_release(&explanation[i]);
    doc_release(&own);
    doc_release(&whole);
    labels_free(words);
    labels_free(columns);
    bench_release(&bench);
}

/* The same stage keeps its id from row to row, and a row is made once; ids rise from parents to
 * what is made from them. */
static void test_op_attention__rows_are_kept(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 19;
    bench_init(&bench);
    struct attention_parts parts = draw(&bench, &settings[0], &seed);
    struct node *node = build_attention(&bench.builder, &parts);
    struct cell first = go_down((struct cell){node, 0}, "weights");
    struct cell same = go_down((struct cell){node, 1}, "weights");
    struct cell other = go_down((struct cell){node, D_V}, "weights");
    assert_ptr_equal(first.node, same.node);
    assert_ptr_not_equal(first.node, other.node);
    assert_int_equal(first.node->id, other.node->id);
    assert_true(first.node->id < node->id && first.node->id > parts.value->id);
    /* However many are asked for, those made last are there. */
    for (size_t row = 0; row < 2 * NODE_KEPT; row++)
        go_down((struct cell){node, row * D_V}, "weights");
    size_t last = (2 * (size_t)NODE_KEPT - 1) * D_V;
    assert_ptr_equal(go_down((struct cell){node, last}, "weights").node,
                     go_down((struct cell){node, last}, "weights").node);
    bench_release(&bench);
}

/* 4096 scores of 2^24 + 1 and 1: in float32 the sums would lose the ones. */
static void test_op_attention__why_sums_exactly(void **state)
{
    (void)state;
    enum { N = 4096, D = 64 };
    struct bench bench;
    struct tensor query, key, value;
    bench_init(&bench);
    assert_true(tensor_full(2, SHAPE(1, D), 1, &query, NULL));
    assert_true(tensor_full(2, SHAPE(N, D), 1, &key, NULL));
    assert_true(tensor_full(2, SHAPE(N, 1), 1, &value, NULL));
    query.data[0] = 0x1p24f;
    query.data[D - 1] = -0x1p24f;
    struct builder *b = &bench.builder;
    struct attention_parts parts = {.query = build_input(b, &query, ""),
                                    .key = build_input(b, &key, ""),
                                    .value = build_input(b, &value, "")};
    struct node *node = build_attention(b, &parts);
    assert_non_null(node);
    struct cell scaled = go_down(go_down((struct cell){node, 0}, "weights"), "scaled");
    assert_close(cell_value(go_down(scaled, "scores")), D - 2, 0);
    bench_release(&bench);
}

/* A row of n keys, not n rows: under the most that a tensor may hold, though the stages are not. */
static void test_op_attention__asks_for_the_memory_of_a_row(void **state)
{
    (void)state;
    enum { N = 1 << 15 };
    struct bench bench;
    uint64_t seed = 23;
    bench_init(&bench);
    struct attention_parts parts = {.query = drawn(&bench, &seed, 2, SHAPE(N, 1), "Q"),
                                    .key = drawn(&bench, &seed, 2, SHAPE(N, 1), "K"),
                                    .value = drawn(&bench, &seed, 2, SHAPE(N, 1), "V")};
    struct tensor scores;
    assert_true(stages_are_many(&parts, &scores));
    assert_true(tensor_size(&scores) > TENSOR_MAX_SIZE);
    /* As if it had been computed: the numbers do not matter here. */
    struct node *all[] = {parts.query, parts.key, parts.value};
    ptrdiff_t ints[6] = {1};
    struct op_args args = {.n_ints = COUNT_OF(ints), .ints = ints};
    struct tensor context = tensor_share(&parts.value->value);
    struct node *node =
        node_given(&bench.graph, op_get(OP_ATTENTION), 3, all, &args, &context, &bench.error);
    assert_non_null(node);
    struct cell weights = go_down((struct cell){node, N - 1}, "weights");
    assert_int_equal(weights.position, (size_t)(N - 1) * N);
    double sum = 0;
    for (size_t j = 0; j < N; j++)
        sum += (double)cell_value((struct cell){weights.node, weights.position + j});
    assert_close(sum, 1, 1e-5);
    struct cell masked = go_down(weights, "masked");
    assert_int_equal(masked.position, (size_t)(N - 1) * N);
    node_free(node);
    bench_release(&bench);
}

/* What is computed and what reads otherwise: both are told. */
static void test_op_attention__tells_what_rounding_does(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 29;
    bench_init(&bench);
    struct attention_parts parts = draw(&bench, &settings[0], &seed);
    struct node *made = build_attention(&bench.builder, &parts);
    struct tensor other;
    assert_true(tensor_copy(&made->value, &other, NULL));
    other.data[0] += 0.5f;
    struct node *node = node_given(&bench.graph, made->op, made->n_parents, made->parents,
                                   &made->args, &other, &bench.error);
    struct doc doc;
    struct explanation explanation;
    explain((struct cell){node, 0}, &doc, &explanation);
    assert_non_null(strstr(text_string(&doc.text), "as it is kept, from sums in float32"));
    explanation_release(&explanation);
    doc_release(&doc);
    explain((struct cell){made, 0}, &doc, &explanation);
    assert_null(strstr(text_string(&doc.text), "as it is kept"));
    explanation_release(&explanation);
    doc_release(&doc);
    node_free(node);
    bench_release(&bench);
}

static bool why_first(struct node *node, struct error *reterr)
{
    struct doc doc;
    doc_init(&doc);
    bool ok = explain_why((struct cell){node, 0}, 4, &doc, reterr);
    doc_release(&doc);
    return ok;
}

static void test_op_attention__failed_allocations(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 31;
    bench_init(&bench);
    struct attention_parts parts = draw(&bench, &settings[5], &seed);
    struct node *node = build_attention(&bench.builder, &parts), *gradient;
    gradients(&bench, loss_of(&bench, node), &parts.key, 1, &gradient);
    struct error error;
    assert_reports_failed_allocations(why_first(node, &error), error);
    assert_reports_failed_allocations(why_first(gradient, &error), error);
    bench_release(&bench);
}

/* The gradient of the key is asked for: down to the stages' gradients. */
static void test_op_attention__why_of_a_gradient(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 37;
    bench_init(&bench);
    struct attention_parts parts = draw(&bench, &settings[1], &seed);
    struct node *gradient;
    gradients(&bench, loss_of(&bench, build_attention(&bench.builder, &parts)), &parts.key, 1,
              &gradient);
    struct doc doc;
    doc_init(&doc);
    assert_true(explain_why((struct cell){gradient, 0}, 4, &doc, &bench.error));
    assert_non_null(strstr(text_string(&doc.text), "d_scores"));
    doc_release(&doc);
    bench_release(&bench);
}

static void test_op_attention__stops(void **state)
{
    (void)state;
    struct bench bench;
    uint64_t seed = 41;
    volatile sig_atomic_t stop = 0;
    bench_init(&bench);
    bench.graph.stop = &stop;
    struct attention_parts parts = draw(&bench, &settings[1], &seed);
    struct node *gradient;
    gradients(&bench, loss_of(&bench, build_attention(&bench.builder, &parts)), &parts.key, 1,
              &gradient);
    stop = 1;
    assert_error(why_first(gradient, &bench.error), bench.error, ERR_INTERRUPTED);
    stop = 0;
    assert_true(why_first(gradient, &bench.error));
    bench_release(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_op_attention__is_what_the_stages_give),
        cmocka_unit_test(test_op_attention__gradients_are_those_of_the_stages),
        cmocka_unit_test(test_op_attention__second_derivatives),
        cmocka_unit_test(test_op_attention__gradients_are_slopes),
        cmocka_unit_test(test_op_attention__one_way_back_for_all),
        cmocka_unit_test(test_op_attention__the_way_back_starts_from_the_way_forward),
        cmocka_unit_test(test_op_attention__one_input_three_times),
        cmocka_unit_test(test_op_attention__only_where_there_is_much_to_do),
        cmocka_unit_test(test_op_attention__why_names_the_row_that_is_asked_for),
        cmocka_unit_test(test_op_attention__why_reads_as_the_stages),
        cmocka_unit_test(test_op_attention__rows_are_kept),
        cmocka_unit_test(test_op_attention__why_sums_exactly),
        cmocka_unit_test(test_op_attention__asks_for_the_memory_of_a_row),
        cmocka_unit_test(test_op_attention__tells_what_rounding_does),
        cmocka_unit_test(test_op_attention__failed_allocations),
        cmocka_unit_test(test_op_attention__why_of_a_gradient),
        cmocka_unit_test(test_op_attention__stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
