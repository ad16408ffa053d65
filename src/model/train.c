/* See train.h. */
#include "model/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/safetensors.h"
#include "graph/builder.h"
#include "graph/grad.h"
#include "graph/layers.h"
#include "graph/node.h"
#include "model/forward.h"
#include "optim/clip.h"
#include "tensor/tensor.h"

/* The trainer's model has leaves whose numbers belong to the trainer alone: a step changes them
 * when all that it computed from them is gone. */
struct trainer {
    struct graph graph;
    struct model *model;
    size_t n_steps, n;            /* n: parameters that the model has */
    struct node **leaves;         /* n, owned by the model */
    struct node **gradients;      /* n, of the step under way */
    struct tensor *dense;         /* n: the gradients' numbers, one after the other */
    struct parameter *parameters; /* n */
    bool *is_matrix;              /* n */
    float *moments;               /* both of each parameter */
};

/* Where the numbers of a trained model came from. */
static const char trained[] = "training";

/* ---- making one ---- */

static bool allocate(struct trainer *trainer, size_t most, struct error *reterr)
{
    trainer->leaves = calloc(most + 1, sizeof(struct node *));
    trainer->gradients = calloc(most + 1, sizeof(struct node *));
    trainer->dense = calloc(most + 1, sizeof *trainer->dense);
    trainer->parameters = calloc(most + 1, sizeof *trainer->parameters);
    trainer->is_matrix = calloc(most + 1, sizeof *trainer->is_matrix);
    return (trainer->leaves != NULL && trainer->gradients != NULL && trainer->dense != NULL &&
            trainer->parameters != NULL && trainer->is_matrix != NULL) ||
           error_memory(reterr, "a trainer");
}

/* A leaf of the trainer's own with a copy of the numbers. */
static bool copy_parameter(struct trainer *trainer, const struct model *model, size_t at,
                           const struct node *node, struct error *reterr)
{
    size_t layer;
    enum param which = parameter_which(&model->config, at, &layer);
    struct tensor value;
    if (!tensor_copy(&node->value, &value, reterr))
        return false;
    float *numbers = value.data;
    if (!model_put_parameter(&trainer->graph, trainer->model, at, &value, trained, reterr))
        return false;
    struct node *leaf = trainer->model->parameters[at];
    trainer->leaves[trainer->n] = leaf;
    trainer->is_matrix[trainer->n] = parameter_is_matrix(which);
    trainer->parameters[trainer->n++] =
        (struct parameter){.n = tensor_size(&leaf->value), .weights = numbers};
    return true;
}

static bool copy_parameters(struct trainer *trainer, struct model *model, struct error *reterr)
{
    struct builder builder;
    bool ok = true;
    builder_init(&builder, &trainer->graph, reterr);
    for (size_t at = 0; ok && at < parameter_count(&model->config); at++) {
        size_t layer;
        enum param which = parameter_which(&model->config, at, &layer);
        struct node *node = model_parameter(&builder, model, which, layer);
        ok = !builder.failed && (node == NULL || copy_parameter(trainer, model, at, node, reterr));
    }
    builder_release(&builder);
    return ok;
}

/* Zeros for what AdamW remembers, in one block. */
static bool make_moments(struct trainer *trainer, struct error *reterr)
{
    size_t total = parameter_total(&trainer->model->config);
    trainer->moments = calloc(total + 1, 2 * sizeof(float));
    if (trainer->moments == NULL)
        return error_memory(reterr, "a trainer");
    float *next = trainer->moments;
    for (size_t i = 0; i < trainer->n; i++) {
        struct parameter *parameter = &trainer->parameters[i];
        parameter->first = next;
        parameter->second = next + parameter->n;
        next += 2 * parameter->n;
    }
    return true;
}

bool trainer_new(struct model *model, const volatile sig_atomic_t *stop, struct trainer **ret,
                 struct error *reterr)
{
    struct trainer *trainer = calloc(1, sizeof *trainer);
    if (trainer == NULL)
        return error_memory(reterr, "a trainer");
    trainer->graph.stop = stop;
    trainer->model = model_like(model, reterr);
    if (trainer->model != NULL && allocate(trainer, parameter_count(&model->config), reterr) &&
        copy_parameters(trainer, model, reterr) && make_moments(trainer, reterr)) {
        *ret = trainer;
        return true;
    }
    trainer_free(trainer);
    return false;
}

void trainer_free(struct trainer *trainer)
{
    if (trainer == NULL)
        return;
    model_free(trainer->model);
    free(trainer->leaves);
    free(trainer->gradients);
    free(trainer->dense);
    free(trainer->parameters);
    free(trainer->is_matrix);
    free(trainer->moments);
    free(trainer);
}

/* ---- a step ---- */

static bool check_ids(const struct trainer *trainer, const struct tensor *ids,
                      const struct tensor *targets, struct error *reterr)
{
    char shapes[2][TENSOR_SHAPE_TEXT];
    size_t vocab = trainer->model->config.vocab, n = tensor_size(ids);
    if (ids->n_axes != 2 || !tensor_same_shape(ids, targets) || n == 0)
        return error_set(reterr, ERR_SHAPE,
                         "training: ids and targets must be of one shape, (batch, n); these are %s "
                         "and %s",
                         tensor_shape_text(ids, shapes[0]), tensor_shape_text(targets, shapes[1]));
    for (size_t i = 0; i < n; i++) {
        float target = tensor_at_position(targets, i);
        bool is_token = target >= 0 && target < (float)vocab && target == (float)(size_t)target;
        if (!is_token && target != (float)TARGET_IGNORED)
            return error_set(reterr, ERR_RANGE,
                             "training: the target %g is neither a token, 0 to %zu, nor %d",
                             (double)target, vocab - 1, TARGET_IGNORED);
    }
    return true;
}

static struct node *input(struct builder *b, const struct tensor *x, unsigned n_axes,
                          const size_t *shape, const char *name)
{
    struct tensor value;
    if (!tensor_reshape(x, n_axes, shape, &value, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    return build_input(b, &value, name);
}

/* The logits of a batch, a row for each of its tokens. */
static struct node *batch_logits(struct builder *b, struct model *model, const struct tensor *ids)
{
    struct forward forward = {.model = model};
    size_t rows[] = {tensor_size(ids), model->config.vocab};
    struct node *stages[STAGE_COUNT];
    struct node *x = forward_embed(b, &forward, input(b, ids, 2, ids->shape, "ids"));
    for (size_t layer = 0; x != NULL && layer < model->config.n_layers; layer++)
        x = forward_layer(b, &forward, layer, x, stages) ? stages[STAGE_OUT] : NULL;
    struct node *normed = x != NULL ? forward_last_norm(b, &forward, x) : NULL;
    struct node *logits = forward_logits(b, &forward, normed);
    return logits != NULL ? build_reshape(b, logits, 2, rows) : NULL;
}

/* The mean loss of a batch. */
static struct node *batch_loss(struct builder *b, struct model *model, const struct tensor *ids,
                               const struct tensor *targets)
{
    size_t n = tensor_size(ids);
    struct node *logits = batch_logits(b, model, ids);
    return build_cross_entropy(b, logits, input(b, targets, 1, &n, "targets"), TARGET_IGNORED);
}

/* Gives up the gradients of a step. */
static void drop_gradients(struct trainer *trainer)
{
    for (size_t i = 0; i < trainer->n; i++) {
        tensor_release(&trainer->dense[i]);
        node_free(trainer->gradients[i]);
        trainer->gradients[i] = NULL;
    }
}

/* The loss, and the gradient of each parameter in trainer->parameters. */
static bool find_gradients(struct trainer *trainer, const struct tensor *ids,
                           const struct tensor *targets, double *ret_loss, struct error *reterr)
{
    struct builder builder;
    builder_init(&builder, &trainer->graph, reterr);
    struct node *loss = batch_loss(&builder, trainer->model, ids, targets);
    bool ok =
        loss != NULL && !builder.failed &&
        graph_grad(&trainer->graph, loss, trainer->leaves, trainer->n, trainer->gradients, reterr);
    if (ok)
        *ret_loss = (double)loss->value.data[0];
    for (size_t i = 0; ok && i < trainer->n; i++) {
        ok = tensor_dense(&trainer->gradients[i]->value, &trainer->dense[i], reterr);
        trainer->parameters[i].gradient = trainer->dense[i].data;
    }
    builder_release(&builder);
    return ok;
}

bool trainer_step(struct trainer *trainer, const struct tensor *ids, const struct tensor *targets,
                  const struct step_options *options, double *ret_loss, double *ret_norm,
                  struct error *reterr)
{
    double norm = 0;
    bool ok = check_ids(trainer, ids, targets, reterr) &&
              find_gradients(trainer, ids, targets, ret_loss, reterr) &&
              gradient_norm(trainer->parameters, trainer->n, &norm, reterr);
    for (size_t i = 0; i < trainer->n; i++)
        trainer->parameters[i].decays = trainer->is_matrix[i] || !options->decays_matrices;
    double scale = options->clip > 0 ? clip_scale(norm, options->clip) : 1;
    ok = ok && adamw_step(&options->adamw, trainer->n_steps + 1, scale, trainer->parameters,
                          trainer->n, reterr);
    drop_gradients(trainer);
    trainer->n_steps += ok;
    if (ret_norm != NULL)
        *ret_norm = norm;
    return ok;
}

bool trainer_logits(struct trainer *trainer, const struct tensor *ids, struct tensor *ret,
                    struct error *reterr)
{
    struct builder builder;
    builder_init(&builder, &trainer->graph, reterr);
    struct node *logits = batch_logits(&builder, trainer->model, ids);
    bool ok = logits != NULL && !builder.failed && tensor_dense(&logits->value, ret, reterr);
    builder_release(&builder);
    return ok;
}

struct model *trainer_model(const struct trainer *trainer, struct graph *graph,
                            struct error *reterr)
{
    return trainer_model_of(trainer, NULL, graph, reterr);
}

struct model *trainer_model_of(const struct trainer *trainer, const float *weights,
                               struct graph *graph, struct error *reterr)
{
    const struct model *own = trainer->model;
    struct model *model = model_like(own, reterr);
    for (size_t at = 0; model != NULL && at < parameter_count(&own->config); at++) {
        const struct node *leaf = own->parameters[at];
        struct tensor value;
        if (leaf == NULL)
            continue;
        const float *numbers = weights != NULL ? weights : leaf->value.data;
        if (!tensor_from(leaf->value.n_axes, leaf->value.shape, numbers, &value, reterr) ||
            !model_put_parameter(graph, model, at, &value, trained, reterr)) {
            model_free(model);
            return NULL;
        }
        weights += weights != NULL ? tensor_size(&leaf->value) : 0;
    }
    return model;
}

void trainer_read(const struct trainer *trainer, float *weights, float *moments)
{
    for (size_t i = 0; i < trainer->n; i++) {
        const struct parameter *parameter = &trainer->parameters[i];
        memcpy(weights, parameter->weights, parameter->n * sizeof *weights);
        weights += parameter->n;
    }
    if (moments != NULL)
        memcpy(moments, trainer->moments, 2 * trainer_total(trainer) * sizeof *moments);
}

void trainer_write(struct trainer *trainer, const float *weights, const float *moments,
                   size_t n_steps)
{
    size_t bytes = 2 * trainer_total(trainer) * sizeof *moments;
    for (size_t i = 0; i < trainer->n; i++) {
        struct parameter *parameter = &trainer->parameters[i];
        memcpy(parameter->weights, weights, parameter->n * sizeof *weights);
        weights += parameter->n;
    }
    if (moments != NULL)
        memcpy(trainer->moments, moments, bytes);
    else
        memset(trainer->moments, 0, bytes);
    trainer->n_steps = n_steps;
}

size_t trainer_total(const struct trainer *trainer)
{
    return parameter_total(&trainer->model->config);
}

size_t trainer_count(const struct trainer *trainer)
{
    return trainer->n_steps;
}

/* ---- saving and going on ---- */

/* What the three arrays of a parameter are called in the file, as PyTorch calls AdamW's. */
static const char *const endings[] = {"", ".exp_avg", ".exp_avg_sq"};
enum { ARRAYS = COUNT_OF(endings), ARRAY_NAME_BYTES = PARAM_NAME_BYTES + 16 };

static void array_name(const struct trainer *trainer, size_t i, size_t array,
                       char name[ARRAY_NAME_BYTES])
{
    snprintf(name, ARRAY_NAME_BYTES, "%s%s", trainer->leaves[i]->name, endings[array]);
}

static float *array_of(const struct parameter *parameter, size_t array)
{
    return array == 0 ? parameter->weights : array == 1 ? parameter->first : parameter->second;
}

/* The three arrays of each parameter as tensors; names[i] is the name of tensors[i]. */
static bool list_arrays(const struct trainer *trainer, struct safetensors_tensor *list,
                        struct tensor *tensors, char (*names)[ARRAY_NAME_BYTES],
                        struct error *reterr)
{
    for (size_t i = 0; i < trainer->n * ARRAYS; i++) {
        const struct node *leaf = trainer->leaves[i / ARRAYS];
        const float *numbers = array_of(&trainer->parameters[i / ARRAYS], i % ARRAYS);
        if (!tensor_from(leaf->value.n_axes, leaf->value.shape, numbers, &tensors[i], reterr))
            return false;
        array_name(trainer, i / ARRAYS, i % ARRAYS, names[i]);
        list[i] = (struct safetensors_tensor){names[i], &tensors[i]};
    }
    return true;
}

bool trainer_save(const struct trainer *trainer, const char *path, const char *about,
                  struct error *reterr)
{
    size_t n = trainer->n * ARRAYS;
    char steps[32];
    const struct safetensors_text texts[] = {{"steps", steps}, {"about", about}};
    struct safetensors_tensor *list = calloc(n + 1, sizeof *list);
    struct tensor *tensors = calloc(n + 1, sizeof *tensors);
    char(*names)[ARRAY_NAME_BYTES] = calloc(n + 1, sizeof *names);
    snprintf(steps, sizeof steps, "%zu", trainer->n_steps);
    bool ok =
        (list != NULL && tensors != NULL && names != NULL) || error_memory(reterr, "a checkpoint");
    ok = ok && list_arrays(trainer, list, tensors, names, reterr) &&
         safetensors_write(path, list, n, texts, COUNT_OF(texts), reterr);
    for (size_t i = 0; tensors != NULL && i < n; i++)
        tensor_release(&tensors[i]);
    free(list);
    free(tensors);
    free(names);
    return ok;
}

/* The file's tensor for one array, which must have the array's shape. */
static bool find_array(const struct safetensors *file, const struct trainer *trainer, size_t i,
                       const char *path, struct tensor *ret, struct error *reterr)
{
    char name[ARRAY_NAME_BYTES];
    array_name(trainer, i / ARRAYS, i % ARRAYS, name);
    const struct safetensors_entry *entry = safetensors_find(file, name);
    if (entry == NULL)
        return error_set(reterr, ERR_FILE, "%s: there is no %s: it is of another model", path,
                         name);
    if (!safetensors_tensor(file, entry, ret, reterr))
        return false;
    if (tensor_same_shape(ret, &trainer->leaves[i / ARRAYS]->value))
        return true;
    tensor_release(ret);
    return error_set(reterr, ERR_FILE, "%s: %s has another shape: it is of another model", path,
                     name);
}

bool trainer_load(struct trainer *trainer, const char *path, struct error *reterr)
{
    struct safetensors *file;
    size_t n = trainer->n * ARRAYS, n_found = 0;
    if (!safetensors_open(path, &file, reterr))
        return false;
    const char *steps = safetensors_metadata(file, "steps");
    struct tensor *found = calloc(n + 1, sizeof *found);
    bool ok = found != NULL || error_memory(reterr, "a checkpoint");
    if (ok && steps == NULL)
        ok = error_set(reterr, ERR_FILE, "%s: is no checkpoint of a training", path);
    while (ok && n_found < n) {
        ok = find_array(file, trainer, n_found, path, &found[n_found], reterr);
        n_found += ok;
    }
    for (size_t i = 0; i < n_found; i++) {
        if (ok)
            tensor_read(&found[i], array_of(&trainer->parameters[i / ARRAYS], i % ARRAYS));
        tensor_release(&found[i]);
    }
    if (ok)
        trainer->n_steps = strtoul(steps, NULL, 10);
    free(found);
    safetensors_close(file);
    return ok;
}
