/* Runs of models: edits, what they share, texts that grow. */
#include "model_testing.h"

#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "graph/node_set.h"
#include "model/generate.h"
#include "model/run.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

static void assert_same_bits(const struct tensor *x, const struct tensor *y)
{
    assert_true(tensor_same_shape(x, y));
    for (size_t i = 0; i < tensor_size(x); i++)
        assert_true(tensor_at_position(x, i) == tensor_at_position(y, i));
}

/* Every stage of B put into A at one layer: what follows is B's, bit for bit. */
static void all_of_b_in_a_is_b(enum model_family family)
{
    struct bench bench;
    bench_open(&bench, family);
    for (size_t layer = 0; layer < 3; layer++) {
        struct node *out = run_stage(bench.b, STAGE_OUT, layer, &bench.error);
        struct edit edit = {.stage = STAGE_OUT, .layer = layer, .to = out};
        struct run *patched = run_edited(bench.a, &edit, 1, &bench.error);
        assert_non_null(patched);
        assert_same_bits(logits_of(&bench, patched), logits_of(&bench, bench.b));
        run_free(patched);
    }
    bench_close(&bench);
}

static void test_run__all_patched_is_the_other_run(void **state)
{
    (void)state;
    all_of_b_in_a_is_b(FAMILY_GPT2);
    all_of_b_in_a_is_b(FAMILY_LLAMA);
}

/* A stage of A put in its own place, and a stage of B put nowhere, change no bit. */
static void test_run__nothing_patched_is_the_same_run(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_GPT2);
    struct builder builder;
    builder_init(&builder, &bench.graph, &bench.error);
    struct node *nowhere = build1(&builder, OP_TO_BOOL, build_number(&builder, 0));
    for (enum stage stage = STAGE_RESID; stage < STAGE_COUNT; stage++) {
        struct edit own = {
            .stage = stage, .layer = 1, .to = run_stage(bench.a, stage, 1, &bench.error)};
        struct edit other = {.stage = stage,
                             .layer = 1,
                             .where = nowhere,
                             .to = run_stage(bench.b, stage, 1, &bench.error)};
        struct run *same = run_edited(bench.a, &own, 1, &bench.error);
        struct run *still = run_edited(bench.a, &other, 1, &bench.error);
        assert_same_bits(logits_of(&bench, same), logits_of(&bench, bench.a));
        assert_same_bits(logits_of(&bench, still), logits_of(&bench, bench.a));
        run_free(same);
        run_free(still);
    }
    builder_release(&builder);
    bench_close(&bench);
}

/* A score changes the weights of its row alone, which still add up to 1. */
static void test_run__an_edited_score_moves_its_row(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_LLAMA);
    struct node *scores = run_stage(bench.a, STAGE_SCORES, 1, &bench.error);
    struct tensor changed;
    assert_true(tensor_copy(&scores->value, &changed, &bench.error));
    changed.data[(2 * N + 4) * N + 1] += 3; /* head 2, token 4, key 1 */
    struct node *to = node_input(&bench.graph, &changed, "changed", 7, &bench.error);
    struct edit edit = {.stage = STAGE_SCORES, .layer = 1, .to = to};
    struct run *run = run_edited(bench.a, &edit, 1, &bench.error);
    const struct tensor *was = &run_stage(bench.a, STAGE_WEIGHTS, 1, &bench.error)->value;
    const struct tensor *is = &run_stage(run, STAGE_WEIGHTS, 1, &bench.error)->value;
    for (size_t row = 0; row < 4 * N; row++) {
        double sum = 0;
        bool differs = false;
        for (size_t key = 0; key < N; key++) {
            sum += (double)tensor_at_position(is, row * N + key);
            differs |=
                tensor_at_position(is, row * N + key) != tensor_at_position(was, row * N + key);
        }
        assert_close(sum, 1, 1e-6);
        assert_int_equal(differs, row == 2 * N + 4);
    }
    run_free(run);
    node_free(to);
    bench_close(&bench);
}

/* Layers before an edit are the base's own nodes, which are not computed again. */
static void test_run__layers_before_an_edit_are_shared(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_GPT2);
    logits_of(&bench, bench.a);
    struct edit edit = {.stage = STAGE_CONTEXT,
                        .layer = 2,
                        .to = run_stage(bench.b, STAGE_CONTEXT, 2, &bench.error)};
    struct run *run = run_edited(bench.a, &edit, 1, &bench.error);
    logits_of(&bench, run);
    assert_ptr_equal(run->stages[1][STAGE_OUT], bench.a->stages[1][STAGE_OUT]);
    assert_ptr_not_equal(run->stages[2][STAGE_CONTEXT], bench.a->stages[2][STAGE_CONTEXT]);
    run_free(run);
    bench_close(&bench);
}

static void test_run__what_is_not_there(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_GPT2);
    assert_null(run_stage(bench.a, STAGE_Q, 3, &bench.error));
    assert_says(bench.error, "3 layers, 0 to 2");
    struct tensor value = testing_tensor(1, (size_t[]){1}, (float[]){VOCAB});
    struct node *node = node_input(&bench.graph, &value, "ids", 3, &bench.error);
    assert_null(run_ids(&bench.graph, bench.model, node, &bench.error));
    assert_int_equal(bench.error.kind, ERR_RANGE);
    node_free(node);
    assert_null(run_text(&bench.graph, bench.model, "text", 4, &bench.error));
    assert_says(bench.error, "no vocabulary");
    bench_close(&bench);
}

/* Ids of which no run can be made, each refused before anything is shown of it. */
static void test_run__ids_of_other_shapes(void **state)
{
    (void)state;
    static const struct {
        unsigned n_axes;
        size_t shape[3];
        const char *says;
    } cases[] = {{0, {0}, "the ids are a single number"},
                 {1, {0}, "0 tokens: it takes 1 to 16"},
                 {1, {17}, "17 tokens: it takes 1 to 16"},
                 {2, {0, 4}, "a batch of no texts"},
                 {3, {1, 1, 2}, "the ids are 1x1x2"}};
    static const float zeros[17];
    struct bench bench;
    bench_open(&bench, FAMILY_GPT2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tensor value = testing_tensor(cases[i].n_axes, cases[i].shape, zeros);
        struct node *node = node_input(&bench.graph, &value, "ids", 3, &bench.error);
        assert_null(run_ids(&bench.graph, bench.model, node, &bench.error));
        assert_says(bench.error, cases[i].says);
        node_free(node);
    }
    bench_close(&bench);
}

/* A text that grows with the keys and values kept is the one whose end is run whole each time. */
static void grows_as_it_runs(enum model_family family)
{
    struct bench bench;
    bench_open(&bench, family);
    float ids[12] = {1, 5, 2};
    const struct sampling likeliest = {.temperature = 0, .top_p = 1};
    struct tensor begin = testing_tensor(1, (size_t[]){3}, ids);
    struct generator *generator;
    struct random random;
    random_seed(&random, 0);
    assert_true(generator_new(bench.model, &begin, 9, NULL, &generator, &bench.error));
    for (size_t n = 3; n < 12; n++) {
        size_t token, best = 0;
        struct tensor value = testing_tensor(1, &n, ids);
        struct node *node = node_input(&bench.graph, &value, "ids", 3, &bench.error);
        struct run *run = run_ids(&bench.graph, bench.model, node, &bench.error);
        const struct tensor *logits = logits_of(&bench, run);
        for (size_t i = 1; i < VOCAB; i++)
            if (tensor_at_position(logits, (n - 1) * VOCAB + i) >
                tensor_at_position(logits, (n - 1) * VOCAB + best))
                best = i;
        assert_true(generator_next(generator, &likeliest, &random, &token, &bench.error));
        assert_int_equal(token, best);
        ids[n] = (float)token;
        run_free(run);
        node_free(node);
    }
    generator_free(generator);
    tensor_release(&begin);
    bench_close(&bench);
}

static void test_run__grows_with_its_keys_kept(void **state)
{
    (void)state;
    grows_as_it_runs(FAMILY_GPT2);
    grows_as_it_runs(FAMILY_LLAMA);
}

/* Gradients and changes look weights up by their ids, which are theirs alone and below the ids of
 * what is computed from them. */
static void test_run__its_weights_are_found_in_its_graph(void **state)
{
    (void)state;
    struct bench bench;
    struct node_set set;
    bench_open(&bench, FAMILY_GPT2);
    struct node *logits = run_logits(bench.a, &bench.error);
    assert_true(node_set_init(&set, &logits, 1, &bench.error));
    for (size_t i = 0; i < parameter_count(&bench.model->config); i++) {
        const struct node *weight = bench.model->parameters[i];
        if (weight == NULL)
            continue;
        assert_non_null(node_set_find(&set, weight));
        assert_true(weight->id < logits->id);
    }
    node_set_release(&set);
    bench_close(&bench);
}

/* The logits of a run that is made anew. */
static bool fresh_logits(struct bench *bench, struct error *reterr)
{
    struct edit none = {.stage = STAGE_OUT, .layer = 2, .to = bench->a->ids};
    struct run *run = run_edited(bench->a, &none, 0, reterr);
    bool ok = run != NULL && run_logits(run, reterr) != NULL;
    run_free(run);
    return ok;
}

static void test_run__failed_allocations(void **state)
{
    (void)state;
    struct bench bench;
    struct error error;
    bench_open(&bench, FAMILY_LLAMA);
    assert_reports_failed_allocations(fresh_logits(&bench, &error), error);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run__all_patched_is_the_other_run),
        cmocka_unit_test(test_run__nothing_patched_is_the_same_run),
        cmocka_unit_test(test_run__an_edited_score_moves_its_row),
        cmocka_unit_test(test_run__layers_before_an_edit_are_shared),
        cmocka_unit_test(test_run__what_is_not_there),
        cmocka_unit_test(test_run__ids_of_other_shapes),
        cmocka_unit_test(test_run__grows_with_its_keys_kept),
        cmocka_unit_test(test_run__its_weights_are_found_in_its_graph),
        cmocka_unit_test(test_run__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
