/* A whole model: all logits of a text, and the next token of one that grows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kept_memory.h"
#include "graph/graph.h"
#include "graph/node.h"
#include "model/generate.h"
#include "model/initial.h"
#include "model/model.h"
#include "model/run.h"
#include "tensor/random.h"
#include "tensor/tensor.h"
#include "worker.h"

static void give_up(const struct error *error)
{
    fprintf(stderr, "model_worker: %s\n", error->text);
    exit(1);
}

/* The folder of the model, which the driver names. */
static const char *folder(void)
{
    const char *path = getenv("ATTN_BENCH_MODEL");
    return path != NULL ? path : "model";
}

/* The model of the folder, opened once. */
static struct model *open_model(void)
{
    static struct model *model;
    struct error error;
    if (model == NULL && (model = model_open(folder(), &error)) == NULL)
        give_up(&error);
    return model;
}

/* n ids, the same in each worker. */
static struct tensor some_ids(const struct model *model, size_t n)
{
    struct error error;
    struct tensor ids;
    if (!tensor_empty(1, &n, &ids, &error))
        give_up(&error);
    for (size_t i = 0; i < n; i++)
        ids.data[i] = (float)((7919 * i + 11) % model->config.vocab);
    return ids;
}

/* ---- a folder with random weights ---- */

static void nothing(void *data)
{
    (void)data;
}

/* GPT-2's sizes, unless the driver says others. */
static const char *save_prepare(const struct request *request, struct job *job)
{
    size_t width = request_size(request, "width", 768);
    struct model_config config = {.family = FAMILY_GPT2,
                                  .norm = NORM_LAYER,
                                  .positions = POSITIONS_LEARNED,
                                  .activation = ACTIVATION_GELU_TANH,
                                  .is_tied = true,
                                  .is_causal = true,
                                  .has_qkv_bias = true,
                                  .has_out_bias = true,
                                  .has_mlp_bias = true,
                                  .scales_scores = true,
                                  .vocab = request_size(request, "vocab", 50257),
                                  .n_positions = 1024,
                                  .d_model = width,
                                  .n_layers = request_size(request, "layers", 12),
                                  .n_heads = width / 64,
                                  .n_kv_heads = width / 64,
                                  .head_dim = 64,
                                  .d_mlp = 4 * width,
                                  .norm_eps = 1e-5,
                                  .first_token = -1,
                                  .last_token = -1};
    struct graph graph = {.last_id = 0};
    struct random random;
    struct error error;
    random_seed(&random, 1);
    struct model *model = model_random(&graph, &config, INITIAL_TORCH, &random, "random", &error);
    if (model == NULL || !model_save(model, folder(), &error))
        give_up(&error);
    model_free(model);
    *job = (struct job){.call = nothing};
    return NULL;
}

/* ---- all logits of a text ---- */

struct forward_job {
    struct graph graph;
    struct model *model;
    struct node *ids;
    struct tensor logits;
    struct job *job;
};

static void forward_call(void *data)
{
    struct forward_job *own = data;
    struct error error;
    struct run *run = run_ids(&own->graph, own->model, own->ids, &error);
    struct node *logits = run != NULL ? run_logits(run, &error) : NULL;
    if (logits == NULL)
        give_up(&error);
    tensor_release(&own->logits);
    own->logits = tensor_share(&logits->value);
    own->job->output = own->logits.data;
    run_free(run);
}

static void forward_release(void *data)
{
    struct forward_job *own = data;
    tensor_release(&own->logits);
    node_free(own->ids);
    free(own);
}

static const char *forward_prepare(const struct request *request, struct job *job)
{
    struct forward_job *own = calloc(1, sizeof *own);
    struct error error;
    if (own == NULL)
        return "not enough memory";
    own->model = open_model();
    struct tensor ids = some_ids(own->model, request_size(request, "tokens", 20));
    own->ids = node_input(&own->graph, &ids, "ids", 3, &error);
    if (own->ids == NULL)
        give_up(&error);
    own->job = job;
    *job = (struct job){.call = forward_call, .release = forward_release, .data = own};
    forward_call(own);
    job->n_output = tensor_size(&own->logits);
    return NULL;
}

/* ---- the next token ---- */

struct growing_job {
    struct model *model;
    struct generator *generator;
    struct sampling sampling;
    struct random random;
    size_t n_tokens, n_more, n_left;
    float token; /* drawn last */
};

/* The text begins anew where it is full: a call that does so is never the fastest. */
static void begin_text(struct growing_job *own)
{
    struct error error;
    struct tensor ids = some_ids(own->model, own->n_tokens);
    generator_free(own->generator);
    if (!generator_new(own->model, &ids, own->n_more, NULL, &own->generator, &error))
        give_up(&error);
    tensor_release(&ids);
    own->n_left = own->n_more;
}

static void next_call(void *data)
{
    struct growing_job *own = data;
    struct error error;
    size_t token = 0;
    if (own->n_left == 0)
        begin_text(own);
    if (!generator_next(own->generator, &own->sampling, &own->random, &token, &error))
        give_up(&error);
    own->n_left--;
    own->token = (float)token;
}

static void growing_release(void *data)
{
    struct growing_job *own = data;
    generator_free(own->generator);
    free(own);
}

static const char *growing_prepare(const struct request *request, struct job *job)
{
    struct growing_job *own = calloc(1, sizeof *own);
    if (own == NULL)
        return "not enough memory";
    own->model = open_model();
    own->n_tokens = request_size(request, "tokens", 20);
    own->n_more = request_size(request, "more", 64);
    own->sampling = (struct sampling){.temperature = request_code(request), .top_p = 1};
    random_seed(&own->random, 1);
    begin_text(own);
    next_call(own);
    *job = (struct job){.call = next_call, .release = growing_release, .data = own};
    return NULL;
}

int main(void)
{
    static const struct operation table[] = {
        {.name = "model_save", .prepare = save_prepare},
        {.name = "model_forward", .prepare = forward_prepare},
        {.name = "model_next", .prepare = growing_prepare},
        {.name = "model_drawn", .prepare = growing_prepare, .code = 1},
    };
    keep_freed_memory(); /* as the program attn does */
    return worker_run(table, sizeof table / sizeof *table);
}
