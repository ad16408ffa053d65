/* Training: steps of GPT-2's family by attn's own trainer, on a batch that stays. The learning rate
 * is 0, so that each step does all its work and has the same loss. */
#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "graph/graph.h"
#include "model/model.h"
#include "model/train.h"
#include "tensor/tensor.h"
#include "worker.h"

struct learnt {
    struct graph graph;
    struct model *model;
    struct trainer *trainer;
    struct tensor ids, targets;
    double loss;
};

static const struct optimiser optimiser = {
    .kind = OPTIMISER_ADAMW,
    .adamw = {.lr = 0, .beta1 = 0.9, .beta2 = 0.98, .eps = 1e-8, .weight_decay = 0.01},
    .clip = 1};

static void must(bool ok, const struct error *error)
{
    if (ok)
        return;
    fprintf(stderr, "train_worker: %s\n", error->text);
    exit(1);
}

static struct model_config config_of(const struct request *request)
{
    size_t width = request_size(request, "width", 32), heads = request_size(request, "heads", 2);
    return (struct model_config){.family = FAMILY_GPT2,
                                 .norm = NORM_LAYER,
                                 .positions = POSITIONS_LEARNED,
                                 .activation = ACTIVATION_GELU_TANH,
                                 .is_tied = request_size(request, "tied", 0) != 0,
                                 .is_causal = true,
                                 .has_qkv_bias = true,
                                 .has_out_bias = true,
                                 .has_mlp_bias = true,
                                 .scales_scores = true,
                                 .vocab = request_size(request, "vocab", 32),
                                 .n_positions = request_size(request, "positions", 32),
                                 .d_model = width,
                                 .n_layers = request_size(request, "layers", 2),
                                 .n_heads = heads,
                                 .n_kv_heads = heads,
                                 .head_dim = width / heads,
                                 .d_mlp = request_size(request, "mlp", 0),
                                 .norm_eps = 1e-5,
                                 .first_token = -1,
                                 .last_token = -1};
}

/* Small numbers, and about 1 in the weights of norms: torch_worker.py has the same. */
static void put_weights(struct learnt *learnt)
{
    const struct model_config *config = &learnt->model->config;
    struct error error;
    unsigned stream = 0;
    for (size_t at = 0; at < parameter_count(config); at++) {
        size_t layer, shape[2];
        unsigned n_axes;
        struct tensor value;
        enum param which = parameter_which(config, at, &layer);
        bool is_norm = which == PARAM_NORM1 || which == PARAM_NORM2 || which == PARAM_LAST_NORM;
        if (!parameter_shape(config, which, &n_axes, shape))
            continue;
        must(tensor_empty(n_axes, shape, &value, &error), &error);
        worker_fill(value.data, tensor_size(&value), ++stream);
        for (size_t i = 0; i < tensor_size(&value); i++)
            value.data[i] = value.data[i] * 0.02F + (is_norm ? 1 : 0);
        must(model_put_parameter(&learnt->graph, learnt->model, at, &value, "numbers", &error),
             &error);
    }
}

/* Token i of all, of which each row has one target more. */
static float token(size_t i, size_t vocab)
{
    return (float)((i * 7919 + i / 7 * 104729 + 12345) % vocab);
}

static void put_batch(const struct request *request, struct learnt *learnt)
{
    struct error error;
    const size_t shape[] = {request_size(request, "batch", 32), request_size(request, "n", 32)};
    size_t vocab = learnt->model->config.vocab;
    must(tensor_empty(2, shape, &learnt->ids, &error), &error);
    must(tensor_empty(2, shape, &learnt->targets, &error), &error);
    for (size_t i = 0; i < shape[0] * shape[1]; i++) {
        learnt->ids.data[i] = token(i, vocab);
        learnt->targets.data[i] = token(i + 1, vocab);
    }
}

static void learn(void *data)
{
    struct learnt *learnt = data;
    struct error error;
    must(trainer_step(learnt->trainer, &learnt->ids, &learnt->targets, &optimiser, &learnt->loss,
                      NULL, &error),
         &error);
}

static void release(void *data)
{
    struct learnt *learnt = data;
    trainer_free(learnt->trainer);
    model_free(learnt->model);
    tensor_release(&learnt->ids);
    tensor_release(&learnt->targets);
    free(learnt);
}

static const char *prepare(const struct request *request, struct job *job)
{
    struct learnt *learnt = calloc(1, sizeof *learnt);
    const struct model_config config = config_of(request);
    struct error error;
    if (learnt == NULL)
        return "not enough memory";
    learnt->model = model_new(&config, "bench", &error);
    must(learnt->model != NULL, &error);
    put_weights(learnt);
    put_batch(request, learnt);
    must(trainer_new(learnt->model, &learnt->graph, OPTIMISER_ADAMW, &learnt->trainer, &error),
         &error);
    *job = (struct job){
        .call = learn, .release = release, .data = learnt, .precise = &learnt->loss, .n_output = 1};
    return NULL;
}

int main(void)
{
    /* As attn's main() does: else each step asks the system for its memory page by page. */
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_MAX, 0);
    (void)mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
    static const struct operation table[] = {{"train", prepare, 0, NULL}};
    return worker_run(table, 1);
}
