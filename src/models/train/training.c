/* See training.h. */
#include "train/training.h"

#include <stdlib.h>
#include <string.h>

#include "files/tokenizer.h"
#include "graph/graph.h"
#include "model/initial.h"
#include "model/generate.h"
#include "optim/schedule.h"
#include "show/number.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

/* ---- the model ---- */

static struct model_config config_of(const struct source *source, const struct recipe *recipe)
{
    bool stories = strcmp(recipe->init, "stories") == 0;
    return (struct model_config){
        .family = FAMILY_GPT2,
        .norm = strcmp(recipe->norm, "none") == 0 ? NORM_NONE : NORM_LAYER,
        .positions = strcmp(recipe->positions, "none") == 0 ? POSITIONS_NONE : POSITIONS_LEARNED,
        .activation = recipe->activation != NULL && strcmp(recipe->activation, "relu") == 0
                          ? ACTIVATION_RELU
                          : ACTIVATION_GELU_TANH,
        .is_tied = recipe->is_tied,
        .scales_embedding = stories,
        .is_causal = source->is_causal,
        .has_qkv_bias = true,
        .has_out_bias = true,
        .has_mlp_bias = true,
        .scales_scores = true,
        .vocab = source->vocab,
        .n_positions = source->context,
        .d_model = recipe->d_model,
        .n_layers = recipe->n_layers,
        .n_heads = recipe->n_heads,
        .n_kv_heads = recipe->n_heads,
        .head_dim = recipe->n_heads > 0 ? recipe->d_model / recipe->n_heads : 0,
        .d_mlp = recipe->d_mlp,
        .norm_eps = 1e-5,
        .rope_theta = 10000,
        .first_token = source->first_token,
        .last_token = source->last_token};
}

static enum initial initial_of(const struct recipe *recipe)
{
    return strcmp(recipe->init, "gpt2") == 0      ? INITIAL_GPT2
           : strcmp(recipe->init, "stories") == 0 ? INITIAL_STORIES
                                                  : INITIAL_TORCH;
}

static struct model *first_model(const struct source *source, const struct recipe *recipe,
                                 uint64_t seed, struct graph *graph, struct error *reterr)
{
    struct model_config config = config_of(source, recipe);
    struct random random;
    if (recipe->n_heads == 0 || recipe->d_model % recipe->n_heads != 0) {
        error_set(reterr, ERR_RANGE,
                  "%u heads can't share a width of %u evenly: the width must be a multiple",
                  recipe->n_heads, recipe->d_model);
        return NULL;
    }
    random_seed(&random, (uint32_t)seed);
    struct model *model =
        model_random(graph, &config, initial_of(recipe), &random, source->name, reterr);
    if (model != NULL && source->tokenizer != NULL)
        model->tokenizer = tokenizer_share(source->tokenizer);
    return model;
}

static bool open_training(struct source *source, struct model *model, struct graph *graph,
                          const struct recipe *recipe, uint64_t seed, struct training **ret,
                          struct error *reterr)
{
    struct training *training = calloc(1, sizeof *training);
    if (training == NULL)
        return error_memory(reterr, "a training");
    training->source = source;
    training->recipe = *recipe;
    training->seed = seed;
    if (trainer_new(model, graph, OPTIMISER_ADAMW, &training->trainer, reterr)) {
        *ret = training;
        return true;
    }
    training_free(training);
    return false;
}

bool training_new(struct source *source, const struct recipe *recipe, uint64_t seed,
                  const volatile sig_atomic_t *stop, struct training **ret, struct error *reterr)
{
    struct graph graph = {.stop = stop}; /* the trainer copies the weights; nothing is run here */
    struct model *model = first_model(source, recipe, seed, &graph, reterr);
    bool ok = model != NULL && open_training(source, model, &graph, recipe, seed, ret, reterr);
    model_free(model);
    return ok;
}

bool training_of_model(struct source *source, struct model *model, struct graph *graph,
                       const struct recipe *recipe, uint64_t seed, struct training **ret,
                       struct error *reterr)
{
    const struct model_config *config = &model->config;
    if (config->vocab != source->vocab || config->n_positions < source->context)
        return error_set(reterr, ERR_SHAPE,
                         "train: %s has %zu tokens and texts of up to %zu; the model must be made "
                         "with vocab=%zu, n_positions=%zu or more",
                         source->name, source->vocab, source->context, source->vocab,
                         source->context);
    return open_training(source, model, graph, recipe, seed, ret, reterr);
}

void training_free(struct training *training)
{
    if (training == NULL)
        return;
    trainer_free(training->trainer);
    free(training);
}

/* ---- steps ---- */

static bool step_on(struct training *training, const struct batch *batch, struct error *reterr)
{
    const struct recipe *recipe = &training->recipe;
    struct optimiser optimiser = {
        .kind = OPTIMISER_ADAMW, .adamw = recipe->adamw, .clip = recipe->clip};
    struct tensor ids, targets;
    optimiser.adamw.lr =
        number_typed((float)schedule_lr(&recipe->schedule, training_count(training)));
    if (!batch_tensor(batch, batch->inputs, &ids, reterr))
        return false;
    bool ok = batch_tensor(batch, batch->targets, &targets, reterr);
    if (ok) {
        trainer_set_dropout(training->trainer, recipe->dropout, training->seed);
        ok = trainer_step(training->trainer, &ids, &targets, &optimiser, &training->loss, NULL,
                          reterr);
        tensor_release(&targets);
    }
    tensor_release(&ids);
    return ok;
}

bool training_step(struct training *training, struct error *reterr)
{
    struct source *source = training->source;
    struct batch batch;
    if (!source->class->batch(source, SPLIT_TRAINING, training->seed,
                              trainer_count(training->trainer), training->recipe.batch, &batch,
                              reterr))
        return false;
    bool ok = step_on(training, &batch, reterr);
    batch_release(&batch);
    return ok;
}

size_t training_count(const struct training *training)
{
    return trainer_count(training->trainer);
}

struct model *training_model(const struct training *training, struct graph *graph,
                             struct error *reterr)
{
    return trainer_model(training->trainer, graph, "training", reterr);
}

/* ---- scores ---- */

/* Adds the target at one place: its loss, and whether it is the likeliest token. */
static void count_target(const struct tensor *logits, size_t row, int32_t target,
                         struct score *score)
{
    score->loss -= prediction_log_probability(logits, row, (size_t)target);
    score->right += prediction_likeliest(logits, row) == (size_t)target;
    score->n++;
}

static bool score_batch(struct trainer *trainer, const struct batch *batch, struct score *score,
                        struct error *reterr)
{
    struct tensor ids, logits;
    if (!batch_tensor(batch, batch->inputs, &ids, reterr))
        return false;
    bool ok = trainer_logits(trainer, &ids, &logits, reterr);
    tensor_release(&ids);
    for (size_t i = 0; ok && i < batch->n_rows * batch->width; i++)
        if (batch->targets[i] != BATCH_IGNORED)
            count_target(&logits, i, batch->targets[i], score);
    if (ok)
        tensor_release(&logits);
    return ok;
}

bool training_score(const struct training *training, enum split split, size_t n_batches,
                    struct score *ret, struct error *reterr)
{
    struct source *source = training->source;
    struct score score = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < n_batches; i++) {
        struct batch batch;
        ok = source->class->batch(source, split, training->seed, i, training->recipe.batch, &batch,
                                  reterr);
        if (!ok)
            break;
        ok = score_batch(training->trainer, &batch, &score, reterr);
        batch_release(&batch);
    }
    if (!ok)
        return false;
    score.loss /= (double)(score.n > 0 ? score.n : 1);
    score.right /= (double)(score.n > 0 ? score.n : 1);
    *ret = score;
    return true;
}
