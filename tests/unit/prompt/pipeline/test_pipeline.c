/* pipeline: the stages of a sentence and of a tensor, other options, edits; without a screen. */
#include "lang_testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/ops.h"
#include "pipeline/pipeline_internal.h"

static const struct settings plain = {.digits = 3, .width_cols = 80, .colours = COLOURS_NONE};

static int setup(void **state)
{
    struct pipeline *pipeline = calloc(1, sizeof *pipeline);
    struct error error;
    assert_non_null(pipeline);
    pipeline_init(pipeline, &plain, testing_data_dir(), NULL);
    assert_int_equal(pipeline->n_stages, 0);
    assert_true(pipeline_set_sentence(pipeline, "Hello shiny sun!", &error));
    *state = pipeline;
    return 0;
}

static int teardown(void **state)
{
    pipeline_release(*state);
    free(*state);
    return 0;
}

/* The names of the stages, a | between levels. */
static void check_stages(const struct pipeline *pipeline, const char *wanted)
{
    struct text names = {0};
    for (size_t i = 0; i < pipeline->n_stages; i++) {
        const struct pipeline_stage *stage = &pipeline->stages[i];
        text_format(&names, "%s%s",
                    i == 0                            ? ""
                    : stage->level == stage[-1].level ? " "
                                                      : " | ",
                    stage->name);
        assert_ptr_equal(pipeline_node(pipeline, stage->name), stage->node);
        assert_int_equal(pipeline_find_node(pipeline, stage->node), i);
        assert_int_equal(pipeline_find_name(pipeline, stage->name), i);
    }
    assert_string_equal(text_string(&names), wanted);
    text_release(&names);
}

static const struct pipeline_stage *find_stage(const struct pipeline *pipeline, const char *name)
{
    size_t i = pipeline_find_name(pipeline, name);
    assert_true(i < pipeline->n_stages);
    return &pipeline->stages[i];
}

/* A stage is what the library's own function gives. */
static void check_equals(struct pipeline *pipeline, const char *stage, const char *expression)
{
    const struct tensor *got = &find_stage(pipeline, stage)->node->value;
    struct value value = {.kind = VALUE_ABSENT};
    struct error error;
    assert_true(session_peek(&pipeline->session, NULL, expression, &value, &error));
    assert_true(tensor_same_shape(&value.as.node->value, got));
    for (size_t i = 0; i < tensor_size(got); i++)
        assert_close(tensor_at_position(got, i), tensor_at_position(&value.as.node->value, i),
                     1e-5);
    value_release(&value);
}

static size_t set_options(struct pipeline *pipeline, struct pipeline_options options)
{
    struct error error;
    size_t n_dropped;
    if (!pipeline_set_options(pipeline, &options, &n_dropped, &error))
        fail_msg("%s", error.text);
    return n_dropped;
}

static bool edit(struct pipeline *pipeline, const char *stage, size_t position, float number,
                 struct error *error)
{
    struct cell cell = {find_stage(pipeline, stage)->node, position};
    return pipeline_add_edit(pipeline, cell, number, error);
}

static float number_at(const struct pipeline *pipeline, const char *stage, size_t position)
{
    return tensor_at_position(&find_stage(pipeline, stage)->node->value, position);
}

static void stages_of_a_sentence(void **state)
{
    struct pipeline *pipeline = *state;
    check_stages(pipeline, "E | Q K V | scores | scaled | weights | context");
    check_equals(pipeline, "context", "attention(E, E, E)");
    for (size_t i = 0; i < pipeline->n_stages; i++)
        assert_int_equal(pipeline->stages[i].is_weights,
                         strcmp(pipeline->stages[i].name, "weights") == 0);
}

static void all_options_at_once(void **state)
{
    struct pipeline *pipeline = *state;
    struct pipeline_options options = {PIPELINE_CAUSAL, true, 2, 3};
    assert_int_equal(set_options(pipeline, options), 0);
    check_stages(pipeline,
                 "E | X | Q K V | scores | scaled | masked | weights | context | heads | output");
    check_equals(pipeline, "output", "multi_head_attention(X, W_q, W_k, W_v, 3, W_o) * 0 + output");
    check_equals(pipeline, "context", "attention(Q, K, V, is_causal=True, scale=1/(sqrt(2)*2))");
    options = (struct pipeline_options){PIPELINE_NO_MASK, true, 1, 6};
    set_options(pipeline, options);
    check_equals(pipeline, "output", "multi_head_attention(X, W_q, W_k, W_v, 6, W_o)");
    options = (struct pipeline_options){PIPELINE_NO_MASK, false, 1, 1};
    set_options(pipeline, options);
    check_stages(pipeline, "E | Q K V | scores | weights | context");
}

/* Other options compute what they change, and no more. */
static void stages_before_a_change_stay(void **state)
{
    struct pipeline *pipeline = *state;
    static const struct {
        struct pipeline_options options;
        size_t n_same; /* stages, counted from E */
    } steps[] = {
        {{PIPELINE_CAUSAL, true, 1, 1}, 6},  {{PIPELINE_CAUSAL, true, 2, 1}, 5},
        {{PIPELINE_CAUSAL, false, 1, 1}, 5}, {{PIPELINE_PADDING, false, 1, 1}, 5},
        {{PIPELINE_NO_MASK, true, 1, 1}, 5}, {{PIPELINE_NO_MASK, true, 1, 4}, 0},
        {{PIPELINE_CAUSAL, true, 1, 4}, 7},  {{PIPELINE_CAUSAL, true, 1, 1}, 0},
        {{PIPELINE_CAUSAL, true, 1, 1}, 9},
    };
    for (size_t step = 0; step < COUNT_OF(steps); step++) {
        struct node *before[PIPELINE_MAX_STAGES] = {NULL};
        size_t n_before = pipeline->n_stages;
        for (size_t i = 0; i < n_before; i++)
            before[i] = node_share(pipeline->stages[i].node);
        set_options(pipeline, steps[step].options);
        for (size_t i = 0; i < n_before; i++) {
            bool is_same = i < pipeline->n_stages && pipeline->stages[i].node == before[i];
            if (is_same != (i < steps[step].n_same))
                fail_msg("step %zu, stage %zu", step, i);
            node_free(before[i]);
        }
    }
}

/* However one comes to some options, the stages are those of a pipeline that has them at once. */
static void options_by_any_way(void **state)
{
    struct pipeline *pipeline = *state, other;
    struct error error;
    for (unsigned step = 0; step < 60; step++) {
        unsigned heads[] = {1, 2, 1, 1, 4};
        struct pipeline_options options = {(enum pipeline_mask)(step * 7 % 5 % PIPELINE_MASKS),
                                           step * 11 % 7 < 4, step % 6 < 3 ? 1 : 2,
                                           heads[step / 3 % COUNT_OF(heads)]};
        if (step == 20)
            assert_true(edit(pipeline, "E", 0, 0.5F, &error));
        if (step == 30)
            assert_true(pipeline_drop_edit(pipeline, &error));
        set_options(pipeline, options);
        pipeline_init(&other, &plain, testing_data_dir(), NULL);
        assert_true(pipeline_set_sentence(&other, "Hello shiny sun!", &error));
        set_options(&other, options);
        if (pipeline->n_edits > 0)
            assert_true(edit(&other, "E", 0, 0.5F, &error));
        assert_int_equal(pipeline->n_stages, other.n_stages);
        for (size_t i = 0; i < other.n_stages; i++) {
            const struct pipeline_stage *stage = &pipeline->stages[i];
            assert_string_equal(stage->name, other.stages[i].name);
            assert_true(stage->is_weights == other.stages[i].is_weights);
            for (size_t p = 0; p < tensor_size(&stage->node->value); p++)
                assert_true(number_at(pipeline, stage->name, p) ==
                            number_at(&other, stage->name, p));
        }
        pipeline_release(&other);
    }
}

/* Any number of heads: the columns grow to a multiple of it, and each head is what the library's
 * own attention makes of its share. */
static void any_number_of_heads(void **state)
{
    struct pipeline *pipeline = *state;
    static const size_t d_models[] = {3, 6, 6, 8, 10, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    for (unsigned h = 1; h <= PIPELINE_MAX_HEADS; h++) {
        char call[96];
        size_t d_model = d_models[h - 1];
        assert_int_equal(pipeline_d_model(h), d_model);
        set_options(pipeline, (struct pipeline_options){PIPELINE_CAUSAL, true, 1, h});
        const struct tensor *q = &find_stage(pipeline, "Q")->node->value;
        assert_int_equal(q->shape[q->n_axes - 1], d_model / h);
        if (h == 1)
            continue;
        assert_int_equal(find_stage(pipeline, "X")->node->value.shape[1], d_model);
        snprintf(call, sizeof call,
                 "multi_head_attention(X, W_q, W_k, W_v, %u, W_o, is_causal=True)", h);
        check_equals(pipeline, "output", call);
    }
    set_options(pipeline, (struct pipeline_options){PIPELINE_NO_MASK, true, 1, 4});
    float first = number_at(pipeline, "X", 0);
    set_options(pipeline, (struct pipeline_options){PIPELINE_NO_MASK, true, 1, 8});
    assert_close(number_at(pipeline, "X", 0), first, 0); /* 8 columns too, and the same numbers */
}

static void options_have_limits(void **state)
{
    struct pipeline *pipeline = *state;
    struct error error;
    size_t n_dropped;
    const struct pipeline_options wrong[] = {
        {PIPELINE_NO_MASK, true, 65, 1},          {PIPELINE_NO_MASK, true, 0.01, 1},
        {PIPELINE_NO_MASK, true, (double)NAN, 1}, {PIPELINE_NO_MASK, true, 1, 0},
        {PIPELINE_NO_MASK, true, 1, 17},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_error(pipeline_set_options(pipeline, &wrong[i], &n_dropped, &error), error,
                     ERR_LIMIT);
    assert_close(pipeline->options.temperature, 1, 0);
    assert_int_equal(pipeline->options.n_heads, 1);
    check_stages(pipeline, "E | Q K V | scores | scaled | weights | context");
}

static void options_wait_for_a_sentence(void **state)
{
    struct pipeline pipeline;
    struct error error;
    (void)state;
    pipeline_init(&pipeline, &plain, testing_data_dir(), NULL);
    set_options(&pipeline, (struct pipeline_options){PIPELINE_PADDING, true, 1, 1});
    assert_int_equal(pipeline.n_stages, 0);
    assert_true(pipeline_set_sentence(&pipeline, "the cat", &error));
    check_equals(&pipeline, "context", "attention(E, E, E, attn_mask=arange(2) < 1)");
    assert_true(pipeline_set_sentence(&pipeline, "cat", &error)); /* the only word stays */
    assert_int_equal(pipeline.options.mask, PIPELINE_NO_MASK);
    set_options(&pipeline, (struct pipeline_options){PIPELINE_PADDING, true, 1, 1});
    assert_int_equal(pipeline.options.mask, PIPELINE_NO_MASK);
    pipeline_release(&pipeline);
}

static void sentences_have_limits(void **state)
{
    struct pipeline *pipeline = *state;
    struct error error;
    char many[PIPELINE_MAX_WORDS * 2 + 3] = "", longer[300];
    for (size_t i = 0; i <= PIPELINE_MAX_WORDS; i++)
        memcpy(many + 2 * i, "a ", sizeof "a ");
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_error(pipeline_set_sentence(pipeline, " ?! ", &error), error, ERR_NAME);
    assert_error(pipeline_set_sentence(pipeline, many, &error), error, ERR_LIMIT);
    assert_error(pipeline_set_sentence(pipeline, longer, &error), error, ERR_LIMIT);
    assert_string_equal(pipeline->sentence, "Hello shiny sun!");
    many[PIPELINE_MAX_WORDS * 2] = '\0';
    assert_true(pipeline_set_sentence(pipeline, many, &error));
    assert_int_equal(find_stage(pipeline, "E")->node->value.shape[0], PIPELINE_MAX_WORDS);
    assert_string_equal(pipeline->note, "");
    assert_true(pipeline_set_sentence(pipeline, "Hello zyx", &error));
    assert_non_null(strstr(pipeline->note, "\"zyx\" is not in attn's table"));
}

static void edits_change_what_depends_on_them(void **state)
{
    struct pipeline *pipeline = *state;
    struct error error;
    float context = number_at(pipeline, "context", 0);
    assert_true(edit(pipeline, "scaled", 4, -1, &error));
    assert_string_equal(pipeline->edits[0], "scaled[1, 1] = -1");
    assert_int_equal(find_stage(pipeline, "scores")->n_changed, 0);
    assert_int_equal(find_stage(pipeline, "scaled")->n_changed, 1);
    assert_int_equal(find_stage(pipeline, "weights")->n_changed, 3);
    assert_close(tensor_at_position(&find_stage(pipeline, "scaled")->before, 4), 0.783, 1e-3);
    check_equals(pipeline, "weights", "softmax(scaled, dim=-1)");
    assert_true(edit(pipeline, "E", 0, 2, &error));
    assert_int_equal(pipeline->n_edits, 2);
    assert_true(pipeline_drop_edit(pipeline, &error));
    assert_true(pipeline_drop_edit(pipeline, &error));
    assert_close(number_at(pipeline, "context", 0), context, 0);
    assert_int_equal(find_stage(pipeline, "weights")->n_changed, 0);
    assert_error(pipeline_drop_edit(pipeline, &error), error, ERR_NAME);
}

static void edits_have_limits(void **state)
{
    struct pipeline *pipeline = *state;
    struct error error;
    struct node *scores = find_stage(pipeline, "scores")->node;
    assert_error(pipeline_can_edit(pipeline, scores->parents[1], &error), error, ERR_NAME);
    for (int i = 0; i < PIPELINE_MAX_EDITS; i++)
        assert_true(edit(pipeline, "E", 0, (float)i, &error));
    assert_error(edit(pipeline, "E", 0, 9, &error), error, ERR_LIMIT);
    assert_close(number_at(pipeline, "E", 0), PIPELINE_MAX_EDITS - 1, 0);
}

static void edits_that_fit_stay(void **state)
{
    struct pipeline *pipeline = *state;
    struct pipeline_options options = pipeline->options;
    struct error error;
    options.mask = PIPELINE_CAUSAL;
    set_options(pipeline, options);
    assert_true(edit(pipeline, "masked", 0, 1, &error));
    assert_true(edit(pipeline, "E", 0, 2, &error));
    assert_true(edit(pipeline, "masked", 1, 3, &error));
    options.mask = PIPELINE_NO_MASK;
    assert_int_equal(set_options(pipeline, options), 2);
    assert_int_equal(pipeline->n_edits, 1);
    assert_string_equal(pipeline->edits[0], "E[0, 0] = 2");
    check_equals(pipeline, "context", "attention(E, E, E)");
    assert_true(pipeline_drop_edit(pipeline, &error));
    assert_close(number_at(pipeline, "E", 0), 0.34, 1e-6);
}

static void a_tensor_of_another_session(void **state)
{
    struct pipeline *pipeline = *state;
    struct lang lang;
    struct error error;
    lang_open(&lang);
    lang_run(&lang,
             "x = [[1, 2], [3, 4]]\nW = [[1, 0], [0, 2]]\ny = softmax(x @ W, dim=-1)\nn = 2");
    assert_error(pipeline_set_node(pipeline, lang_node(&lang, "n"), &error), error, ERR_SHAPE);
    assert_int_equal(pipeline->n_stages, 8);
    assert_true(edit(pipeline, "E", 0, 2, &error));
    assert_true(pipeline_set_node(pipeline, lang_node(&lang, "y"), &error));
    assert_string_equal(pipeline->sentence, "");
    assert_int_equal(pipeline->n_edits, 0);
    const struct pipeline_stage *last = &pipeline->stages[pipeline->n_stages - 1];
    assert_string_equal(last->name, "y");
    assert_true(last->is_weights);
    assert_ptr_not_equal(last->node, lang_node(&lang, "y"));
    lang_close(&lang);
    assert_true(edit(pipeline, "x", 0, 5, &error)); /* it holds copies */
    check_equals(pipeline, "y", "softmax([[5, 2], [3, 4]] @ [[1, 0], [0, 2]], dim=-1)");
}

/* Large attention keeps no stages: they are computed to be looked at. */
static void large_attention_is_opened(void **state)
{
    static const char *const names[] = {"X", "scores", "scaled", "weights", "out"};
    struct pipeline *pipeline = *state;
    struct lang lang;
    struct error error;
    lang_open(&lang);
    lang_run(&lang, "manual_seed(1); X = randn(128, 8); out = attention(X, X, X)");
    assert_int_equal(lang_node(&lang, "out")->op->kind, OP_ATTENTION);
    assert_true(pipeline_set_node(pipeline, lang_node(&lang, "out"), &error));
    assert_string_equal(pipeline->note, "");
    assert_int_equal(pipeline->n_stages, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(pipeline->stages[i].name, names[i]);
    assert_true(pipeline->stages[3].is_weights);
    const struct tensor *own = &pipeline->stages[4].node->value;
    const struct tensor *kept = &lang_node(&lang, "out")->value;
    for (size_t i = 0; i < tensor_size(kept); i++)
        assert_close(tensor_at_position(own, i), tensor_at_position(kept, i), 1e-5);
    lang_close(&lang);
    assert_true(edit(pipeline, "scaled", 0, 3, &error)); /* a stage, and it can be edited */
}

/* 4097^2 numbers are more than 2^24. */
static void too_large_attention_stays_closed(void **state)
{
    struct pipeline *pipeline = *state;
    struct lang lang;
    struct error error;
    lang_open(&lang);
    lang_run(&lang, "manual_seed(1); X = randn(4097, 1); out = attention(X, X, X) * 2");
    assert_true(pipeline_set_node(pipeline, lang_node(&lang, "out"), &error));
    assert_non_null(strstr(pipeline->note, "attention over 4097 keys"));
    assert_int_equal(pipeline->n_stages, 3);
    lang_close(&lang);
    lang_open(&lang);
    lang_run(&lang, "y = [[1, 2], [3, 4]] @ [1, 2]");
    assert_true(pipeline_set_node(pipeline, lang_node(&lang, "y"), &error));
    assert_string_equal(pipeline->note, "");
    lang_close(&lang);
}

/* Other options, when any allocation fails: all is as before then. Not each failure is one of the
 * call's: what is told of an edit, and the message of a trial, are thrown away. */
static size_t set_options_without_memory(struct pipeline *pipeline, struct pipeline_options options)
{
    struct pipeline_options old = pipeline->options;
    size_t n_dropped, n_edits = pipeline->n_edits, n_stages = pipeline->n_stages;
    struct node *first = pipeline->stages[0].node;
    struct error error;
    for (long nth = 1;; nth++) {
        testing_fail_allocation(nth);
        bool ok = pipeline_set_options(pipeline, &options, &n_dropped, &error);
        testing_fail_allocation(0);
        if (ok)
            return n_dropped;
        assert_int_equal(error.kind, ERR_MEMORY);
        assert_int_equal(pipeline->n_edits, n_edits);
        assert_int_equal(pipeline->n_stages, n_stages);
        assert_ptr_equal(pipeline->stages[0].node, first);
        assert_ptr_equal(pipeline_node(pipeline, "E"), first);
        assert_int_equal(pipeline->options.n_heads, old.n_heads);
    }
}

static void failed_allocations(void **state)
{
    struct pipeline *pipeline = *state;
    struct pipeline_options options = {PIPELINE_CAUSAL, true, 1, 2};
    struct error error;
    assert_reports_failed_allocations(pipeline_set_sentence(pipeline, "the cat", &error), error);
    assert_reports_failed_allocations(edit(pipeline, "E", 0, 2, &error), error);
    assert_int_equal(pipeline->n_edits, 1);
    assert_int_equal(set_options_without_memory(pipeline, options), 0);
    assert_true(edit(pipeline, "masked", 0, 2, &error));
    options = (struct pipeline_options){PIPELINE_NO_MASK, true, 1, 1};
    assert_int_equal(set_options_without_memory(pipeline, options), 1);
    assert_int_equal(pipeline->n_edits, 1);
    assert_string_equal(pipeline->edits[0], "E[0, 0] = 2");
    check_equals(pipeline, "context", "attention(E, E, E)");
    assert_reports_failed_allocations(pipeline_drop_edit(pipeline, &error), error);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stages_of_a_sentence),
        TEST(all_options_at_once),
        TEST(stages_before_a_change_stay),
        TEST(options_by_any_way),
        TEST(any_number_of_heads),
        TEST(options_have_limits),
        TEST(options_wait_for_a_sentence),
        TEST(sentences_have_limits),
        TEST(edits_change_what_depends_on_them),
        TEST(edits_have_limits),
        TEST(edits_that_fit_stay),
        TEST(a_tensor_of_another_session),
        TEST(large_attention_is_opened),
        TEST(too_large_attention_stays_closed),
        TEST(failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
