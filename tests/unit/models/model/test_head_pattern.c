/* Patterns of heads, and what is shown in their place. */
#include "testing.h"

#include <math.h>

#include "graph/node.h"
#include "model/initial.h"
#include "model/detector.h"
#include "model/run.h"
#include "model/show_model.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

enum { HEADS = 4, SHARED_BY = 2 };

struct bench {
    struct graph graph;
    struct error error;
    struct model *model;
    struct run *run;
};

/* A run of n tokens by a model whose heads share keys and values in pairs. */
static void bench_open(struct bench *bench, size_t n)
{
    struct model_config config = {.family = FAMILY_LLAMA,
                                  .norm = NORM_RMS,
                                  .positions = POSITIONS_ROPE,
                                  .activation = ACTIVATION_SILU,
                                  .is_gated = true,
                                  .is_causal = true,
                                  .scales_scores = true,
                                  .vocab = 11,
                                  .n_positions = n,
                                  .d_model = 16,
                                  .n_layers = 2,
                                  .n_heads = HEADS,
                                  .n_kv_heads = HEADS / SHARED_BY,
                                  .head_dim = 4,
                                  .d_mlp = 12,
                                  .norm_eps = 1e-5,
                                  .rope_theta = 10000,
                                  .first_token = -1,
                                  .last_token = -1};
    struct random random;
    struct tensor ids;
    *bench = (struct bench){.graph = {.last_id = 0}};
    random_seed(&random, 4);
    bench->model =
        model_random(&bench->graph, &config, INITIAL_TORCH, &random, "small", &bench->error);
    assert_true(tensor_empty(1, &n, &ids, &bench->error));
    for (size_t i = 0; i < n; i++)
        ids.data[i] = (float)(i * 7 % 11);
    struct node *node = node_input(&bench->graph, &ids, "ids", 3, &bench->error);
    bench->run = run_ids(&bench->graph, bench->model, node, &bench->error);
    assert_non_null(bench->run);
    node_free(node);
}

static void bench_close(struct bench *bench)
{
    run_free(bench->run);
    model_free(bench->model);
}

static float at(const struct tensor *x, size_t i, size_t j)
{
    return tensor_at(x, (size_t[]){i, j});
}

/* Of a layer that keeps its weights, and of one that is too large to: the run holds what it held.
 */
static void patterns_are_weights(size_t n)
{
    struct bench bench;
    bench_open(&bench, n);
    for (size_t head = 0; head < HEADS; head++) {
        struct tensor pattern;
        assert_true(pattern_of_head(bench.run, 1, head, &pattern, &bench.error));
        for (size_t i = 0; i < n; i += n / 5) {
            double sum = 0;
            for (size_t j = 0; j < n; j++)
                sum += (double)at(&pattern, i, j);
            assert_true(fabs(sum - 1) < 1e-6);
        }
        tensor_release(&pattern);
    }
    size_t bytes = run_bytes(bench.run);
    struct tensor pattern;
    assert_true(pattern_of_head(bench.run, 1, 3, &pattern, &bench.error));
    assert_int_equal(run_bytes(bench.run), bytes);
    struct node *weights = run_stage(bench.run, STAGE_WEIGHTS, 1, &bench.error);
    for (size_t i = 0; i < n; i += n / 5)
        for (size_t j = 0; j < n; j += n / 5)
            assert_true(at(&pattern, i, j) == tensor_at(&weights->value, (size_t[]){3, i, j}));
    tensor_release(&pattern);
    bench_close(&bench);
}

static void test_pattern__is_the_weights_of_a_head(void **state)
{
    (void)state;
    patterns_are_weights(6);
    patterns_are_weights(600);
}

/* Heads 2 and 3 read the values of key head 1. */
static void test_pattern__by_length_takes_the_values_that_the_head_reads(void **state)
{
    (void)state;
    struct bench bench;
    struct tensor pattern;
    const struct head_look look = {.layer = 1, .head = 2, .by_length = true};
    bench_open(&bench, 6);
    assert_true(pattern_of_head(bench.run, 1, 2, &pattern, &bench.error));
    struct node *longer = head_node(bench.run, &look, &bench.error);
    struct node *v = run_stage(bench.run, STAGE_V, 1, &bench.error);
    assert_non_null(longer);
    for (size_t j = 0; j < 6; j++) {
        double square = 0;
        for (size_t d = 0; d < 4; d++)
            square += pow((double)tensor_at(&v->value, (size_t[]){1, j, d}), 2);
        for (size_t i = 0; i < 6; i++)
            assert_true(fabs((double)tensor_at(&longer->value, (size_t[]){2, i, j}) -
                             (double)at(&pattern, i, j) * sqrt(square)) < 1e-6);
    }
    tensor_release(&pattern);
    node_free(longer);
    bench_close(&bench);
}

/* The key that is hidden gets nothing, the others keep their ratios, and rows add up to 1; the
 * first row, which has nothing else, to 0. */
static void test_pattern__without_the_sink_the_rest_is_rescaled(void **state)
{
    (void)state;
    struct bench bench;
    struct tensor pattern;
    const struct head_look look = {.layer = 0, .head = 3, .hides_sink = true};
    bench_open(&bench, 6);
    assert_true(pattern_of_head(bench.run, 0, 3, &pattern, &bench.error));
    size_t key = pattern_sink(&pattern).key;
    struct node *rest = head_node(bench.run, &look, &bench.error);
    assert_non_null(rest);
    for (size_t i = 0; i < 6; i++) {
        double left = 1 - (double)at(&pattern, i, key);
        for (size_t j = 0; j < 6; j++) {
            double shown = (double)tensor_at(&rest->value, (size_t[]){3, i, j});
            double want = j == key || left < 1e-6 ? 0 : (double)at(&pattern, i, j) / left;
            assert_true(fabs(shown - want) < 1e-5);
        }
    }
    tensor_release(&pattern);
    node_free(rest);
    bench_close(&bench);
}

static void test_pattern__sink_is_the_key_with_most_of_all(void **state)
{
    (void)state;
    /* Columns add up to 1.8, 0.7, 0.5 of 3. */
    struct tensor x =
        testing_tensor(2, (size_t[]){3, 3}, (float[]){1, 0, 0, 0.5F, 0.5F, 0, 0.3F, 0.2F, 0.5F});
    struct pattern_sink sink = pattern_sink(&x);
    assert_int_equal(sink.key, 0);
    assert_true(fabs(sink.share - 0.6) < 1e-6 && sink.is_sink);
    tensor_release(&x);
    /* Each gets a quarter: none is one. */
    struct tensor even = testing_tensor(2, (size_t[]){4, 4},
                                        (float[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    assert_false(pattern_sink(&even).is_sink);
    tensor_release(&even);
}

static void test_pattern__a_head_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct bench bench;
    struct tensor pattern;
    bench_open(&bench, 6);
    assert_false(pattern_of_head(bench.run, 0, HEADS, &pattern, &bench.error));
    assert_string_equal(bench.error.text, "head 4: small has 4 heads, 0 to 3");
    assert_false(pattern_of_head(bench.run, 2, 0, &pattern, &bench.error));
    assert_string_equal(bench.error.text, "layer 2: small has 2 layers, 0 to 1");
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pattern__is_the_weights_of_a_head),
        cmocka_unit_test(test_pattern__by_length_takes_the_values_that_the_head_reads),
        cmocka_unit_test(test_pattern__sink_is_the_key_with_most_of_all),
        cmocka_unit_test(test_pattern__without_the_sink_the_rest_is_rescaled),
        cmocka_unit_test(test_pattern__a_head_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
