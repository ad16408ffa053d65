/* lang/value/value.h: formulas made of several operations, against the library's own (libattn),
 * which computes them by itself. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "attention/attention.h"
#include "attention/multihead.h"
#include "graph/node.h"
#include "graph/stages.h"
#include "lang/value/value.h"

#define SHAPE(...)                                               \
    sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), (size_t[]) \
    {                                                            \
        __VA_ARGS__                                              \
    }

/* A builder over a graph of its own. */
struct work {
    struct graph graph;
    struct builder builder;
    struct error error;
};

static void work_init(struct work *work)
{
    *work = (struct work){.graph = {0}};
    builder_init(&work->builder, &work->graph, &work->error);
}

/* A leaf with a copy of x. */
static struct node *leaf(struct work *work, const struct tensor *x)
{
    struct tensor copy;
    assert_true(tensor_copy(x, &copy, &work->error));
    return build_input(&work->builder, &copy, "test");
}

static struct node *numbers(struct work *work, unsigned n_axes, const size_t *shape,
                            const float *values)
{
    struct tensor x = testing_tensor(n_axes, shape, values);
    return build_input(&work->builder, &x, "test");
}

static void assert_same(const struct tensor *got, const struct tensor *want, double tolerance)
{
    struct tensor dense;
    assert_true(tensor_dense(want, &dense, NULL));
    assert_tensor_close(got, want->n_axes, want->shape, dense.data, tolerance);
    tensor_release(&dense);
}

/* One random case of attention, for both. */
struct attention_case {
    struct tensor query, key, value, mask;
    struct attention_input input;
    struct attention_parts parts;
};

static void random_case(uint64_t *random, struct work *work, struct attention_case *made)
{
    size_t heads = testing_between(random, 1, 2), group = testing_between(random, 1, 3);
    size_t n_q = testing_between(random, 1, 5), n_k = testing_between(random, 1, 5);
    size_t d_k = testing_between(random, 1, 4), d_v = testing_between(random, 1, 4);
    *made = (struct attention_case){
        .query = testing_random_tensor(random, SHAPE(2, heads * group, n_q, d_k)),
        .key = testing_random_tensor(random, SHAPE(2, heads, n_k, d_k)),
        .value = testing_random_tensor(random, SHAPE(2, heads, n_k, d_v)),
        .mask = testing_random_tensor(random, SHAPE(n_q, n_k))};
    bool boolean = testing_word(random) & 1, masked = testing_word(random) & 1;
    made->mask.is_bool = boolean;
    for (size_t i = 0; i < n_q * n_k; i++)
        if (boolean)
            made->mask.data[i] = made->mask.data[i] < 0.3F;
        else if (made->mask.data[i] > 0.5F)
            made->mask.data[i] = -INFINITY;
    bool causal = testing_word(random) & 1, scaled = testing_word(random) & 1;
    bool capped = testing_word(random) & 1;
    made->input = (struct attention_input){.query = &made->query,
                                           .key = &made->key,
                                           .value = &made->value,
                                           .mask = masked ? &made->mask : NULL,
                                           .mask_kind = boolean ? MASK_MAY_ATTEND : MASK_ADDITIVE,
                                           .causal = causal,
                                           .has_scale = scaled,
                                           .scale = 0.7,
                                           .softcap = capped ? 0.5 : 0,
                                           .grouped_query = true};
    made->parts =
        (struct attention_parts){.query = leaf(work, &made->query),
                                 .key = leaf(work, &made->key),
                                 .value = leaf(work, &made->value),
                                 .attn_mask = masked ? leaf(work, &made->mask) : NULL,
                                 .is_causal = causal,
                                 .scale = scaled ? build_number(&work->builder, 0.7) : NULL,
                                 .softcap = capped ? build_number(&work->builder, 0.5) : NULL,
                                 .enable_gqa = true};
}

static void release_case(struct attention_case *made)
{
    tensor_release(&made->query);
    tensor_release(&made->key);
    tensor_release(&made->value);
    tensor_release(&made->mask);
}

/* Sums of up to 5 products of numbers in [-1, 1]: a few float32 roundings of 6e-8 each. */
static void test_compose__attention_is_the_librarys(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 200; round++) {
        struct work work;
        struct attention_case made;
        struct tensor context, weights;
        work_init(&work);
        random_case(&random, &work, &made);
        struct node *composed_weights = build_weights(&work.builder, &made.parts);
        struct node *composed = build_context(&work.builder, &made.parts, composed_weights);
        if (composed == NULL)
            fail_msg("%s", work.error.text);
        assert_true(attention_forward(&made.input, NULL, &context, &weights, &work.error));
        assert_same(&composed->value, &context, 2e-6);
        assert_same(&composed_weights->value, &weights, 2e-6);
        tensor_release(&context);
        tensor_release(&weights);
        release_case(&made);
        builder_release(&work.builder);
    }
}

static void test_compose__the_stages_are_named(void **state)
{
    (void)state;
    struct work work;
    work_init(&work);
    struct node *x = numbers(&work, SHAPE(2, 2), (float[]){1, 2, 3, 4});
    struct attention_parts parts = {.query = x,
                                    .key = x,
                                    .value = x,
                                    .is_causal = true,
                                    .softcap = build_number(&work.builder, 9)};
    assert_non_null(build_context(&work.builder, &parts, build_weights(&work.builder, &parts)));
    static const char *const stages[] = {"scores", "scaled", "capped", "masked", "weights"};
    size_t next = 0;
    for (size_t i = 0; i < work.builder.n_made; i++) {
        const char *name = work.builder.made[i]->name;
        if (name != NULL && next < 5 && strcmp(name, stages[next]) == 0)
            next++;
    }
    assert_int_equal(next, 5); /* in this order */
    builder_release(&work.builder);
}

static void test_compose__split_and_merged_heads_are_the_librarys(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (size_t n_heads = 1; n_heads <= 4; n_heads++) {
        struct work work;
        struct tensor x = testing_random_tensor(&random, SHAPE(2, 3, 12)), split;
        work_init(&work);
        struct node *composed = build_split_heads(&work.builder, leaf(&work, &x), n_heads);
        assert_true(heads_split(&x, n_heads, &split, &work.error));
        assert_same(&composed->value, &split, 0);
        assert_same(&build_merge_heads(&work.builder, composed)->value, &x, 0);
        tensor_release(&split);
        tensor_release(&x);
        builder_release(&work.builder);
    }
}

static void test_compose__repeated_positions(void **state)
{
    (void)state;
    struct work work;
    work_init(&work);
    struct node *x = numbers(&work, SHAPE(2, 2), (float[]){1, 2, 3, 4});
    assert_tensor_close(&build_repeat(&work.builder, x, 2, 0)->value, 2, (size_t[]){4, 2},
                        (float[]){1, 2, 1, 2, 3, 4, 3, 4}, 0);
    assert_tensor_close(&build_repeat(&work.builder, x, 2, 1)->value, 2, (size_t[]){2, 4},
                        (float[]){1, 1, 2, 2, 3, 3, 4, 4}, 0);
    assert_tensor_close(&build_repeat(&work.builder, x, 0, 1)->value, 2, (size_t[]){2, 0}, NULL, 0);
    builder_release(&work.builder);
}

static void assert_repeat_refused(unsigned n_axes, unsigned axis, size_t n, enum error_kind kind)
{
    struct work work;
    work_init(&work);
    struct node *x = numbers(&work, n_axes, (size_t[]){1, 1, 1, 1, 1, 1}, (float[]){1});
    assert_error(build_repeat(&work.builder, x, n, axis) != NULL, work.error, kind);
    assert_true(work.builder.failed);
    builder_release(&work.builder);
}

static void test_compose__what_cannot_be_repeated(void **state)
{
    (void)state;
    assert_repeat_refused(0, 0, 2, ERR_SHAPE); /* no such axis */
    assert_repeat_refused(2, 2, 2, ERR_SHAPE);
    assert_repeat_refused(6, 0, 2, ERR_SHAPE); /* no room for one axis more on the way */
    assert_repeat_refused(1, 0, SIZE_MAX, ERR_LIMIT);
    assert_repeat_refused(1, 0, (size_t)1 << 62, ERR_LIMIT);
}

static void test_compose__rows_and_copies(void **state)
{
    (void)state;
    struct work work;
    work_init(&work);
    struct node *x = numbers(&work, SHAPE(2, 1, 2), (float[]){1, 2, 3, 4});
    assert_tensor_close(&compose_row(&work.builder, x, 1)->value, 2, (size_t[]){1, 2},
                        (float[]){3, 4}, 0);
    struct node *same = compose_same(&work.builder, x);
    assert_ptr_not_equal(same, x);
    assert_same(&same->value, &x->value, 0);
    builder_release(&work.builder);
}

static bool compose_all(const struct tensor *x, struct error *reterr)
{
    struct graph graph = {0};
    struct builder builder;
    struct tensor copy;
    builder_init(&builder, &graph, reterr);
    bool ok = tensor_copy(x, &copy, reterr);
    struct node *node = ok ? build_input(&builder, &copy, "test") : NULL;
    struct attention_parts parts = {.query = node, .key = node, .value = node, .is_causal = true};
    struct node *weights = ok ? build_weights(&builder, &parts) : NULL;
    struct node *context = ok ? build_context(&builder, &parts, weights) : NULL;
    struct node *heads = build_merge_heads(&builder, build_split_heads(&builder, context, 2));
    ok = heads != NULL && build_repeat(&builder, heads, 2, 0) != NULL;
    builder_release(&builder);
    return ok;
}

static void test_compose__without_memory_it_says_so(void **state)
{
    (void)state;
    struct error error;
    uint64_t random = 5;
    struct tensor x = testing_random_tensor(&random, SHAPE(3, 4));
    assert_reports_failed_allocations(compose_all(&x, &error), error);
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compose__attention_is_the_librarys),
        cmocka_unit_test(test_compose__the_stages_are_named),
        cmocka_unit_test(test_compose__split_and_merged_heads_are_the_librarys),
        cmocka_unit_test(test_compose__repeated_positions),
        cmocka_unit_test(test_compose__what_cannot_be_repeated),
        cmocka_unit_test(test_compose__rows_and_copies),
        cmocka_unit_test(test_compose__without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
