/* See model_testing.h. */
#include "model_testing.h"

#include "graph/node.h"
#include "model/initial.h"
#include "model/run.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

struct model_config small_config(enum model_family family)
{
    bool llama = family == FAMILY_LLAMA;
    return (struct model_config){.family = family,
                                 .norm = llama ? NORM_RMS : NORM_LAYER,
                                 .positions = llama ? POSITIONS_ROPE : POSITIONS_LEARNED,
                                 .activation = llama ? ACTIVATION_SILU : ACTIVATION_GELU_TANH,
                                 .is_gated = llama,
                                 .is_causal = true,
                                 .has_qkv_bias = !llama,
                                 .has_out_bias = !llama,
                                 .has_mlp_bias = !llama,
                                 .scales_scores = true,
                                 .is_tied = !llama,
                                 .vocab = VOCAB,
                                 .n_positions = 16,
                                 .d_model = 8,
                                 .n_layers = 3,
                                 .n_heads = 4,
                                 .n_kv_heads = llama ? 2 : 4,
                                 .head_dim = 2,
                                 .d_mlp = 12,
                                 .norm_eps = 1e-5,
                                 .rope_theta = 10000,
                                 .first_token = -1,
                                 .last_token = -1};
}

struct run *bench_run(struct bench *bench, size_t n, const float *ids)
{
    struct tensor value = testing_tensor(1, &n, ids);
    struct node *node = node_input(&bench->graph, &value, "ids", 3, &bench->error);
    struct run *run = run_ids(&bench->graph, bench->model, node, &bench->error);
    assert_non_null(run);
    node_free(node);
    return run;
}

void bench_open_as(struct bench *bench, const struct model_config *config)
{
    struct random random;
    *bench = (struct bench){.graph = {.last_id = 0}};
    random_seed(&random, 3);
    bench->model =
        model_random(&bench->graph, config, INITIAL_TORCH, &random, "small", &bench->error);
    assert_non_null(bench->model);
    bench->a = bench_run(bench, N, (float[]){1, 5, 2, 7, 5, 3});
    bench->b = bench_run(bench, N, (float[]){1, 4, 2, 9, 5, 10});
}

void bench_open(struct bench *bench, enum model_family family)
{
    struct model_config config = small_config(family);
    bench_open_as(bench, &config);
}

void bench_close(struct bench *bench)
{
    run_free(bench->a);
    run_free(bench->b);
    model_free(bench->model);
}

const struct tensor *stage_of(struct bench *bench, struct run *run, enum stage stage, size_t layer)
{
    struct node *node = run_stage(run, stage, layer, &bench->error);
    assert_non_null(node);
    return &node->value;
}

const struct tensor *logits_of(struct bench *bench, struct run *run)
{
    struct node *logits = run_logits(run, &bench->error);
    assert_non_null(logits);
    return &logits->value;
}

double weight_of(const struct bench *bench, enum param which, size_t layer, size_t in, size_t out)
{
    const struct model_config *config = &bench->model->config;
    const struct node *node = bench->model->parameters[parameter_at(config, which, layer)];
    assert_non_null(node);
    size_t index[2] = {in, out}, turned[2] = {out, in};
    return (double)tensor_at(&node->value, config->family == FAMILY_LLAMA ? turned : index);
}
