/* See train.h. */
#include "model/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/safetensors.h"
#include "graph/builder.h"
#include "graph/grad.h"
#include "graph/node.h"
#include "model/forward.h"
#include "model/loss.h"
#include "model/moments.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

/* The trainer's model has leaves whose numbers belong to the trainer alone: a step changes them
 * when all that it computed from them is gone. */
struct trainer {
    struct graph graph;
    struct model *model;
    size_t n;                     /* parameters that the model has */
    struct node **leaves;         /* n, owned by the model */
    struct node **gradients;      /* n, of the step under way */
    struct tensor *dense;         /* n: the gradients' numbers, one after the other */
    struct parameter *parameters; /* n, in the model's order */
    struct moments *moments;      /* the trainer's own */
    double dropout;               /* the share of numbers that a step drops, */
    uint64_t dropout_seed;        /* drawn from this and its own number */
};

/* ---- making one ---- */

static bool allocate(struct trainer *trainer, size_t most, struct error *reterr)
{
    trainer->leaves = calloc(most + 1, sizeof(struct node *));
    trainer->gradients = calloc(most + 1, sizeof(struct node *));
    trainer->dense = calloc(most + 1, sizeof *trainer->dense);
    trainer->parameters = calloc(most + 1, sizeof *trainer->parameters);
    return (trainer->leaves != NULL && trainer->gradients != NULL && trainer->dense != NULL &&
            trainer->parameters != NULL) ||
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
    if (!model_put_parameter(&trainer->graph, trainer->model, at, &value, "training", reterr))
        return false;
    struct node *leaf = trainer->model->parameters[at];
    trainer->leaves[trainer->n] = leaf;
    trainer->parameters[trainer->n++] = (struct parameter){
        .n = tensor_size(&leaf->value), .weights = numbers, .decays = parameter_is_matrix(which)};
    return true;
}

static bool copy_parameters(struct trainer *trainer, struct model *model, struct graph *graph,
                            struct error *reterr)
{
    struct builder builder;
    bool ok = true;
    builder_init(&builder, graph, reterr);
    for (size_t at = 0; ok && at < parameter_count(&model->config); at++) {
        size_t layer;
        enum param which = parameter_which(&model->config, at, &layer);
        struct node *node = model_parameter(&builder, model, which, layer);
        ok = !builder.failed && (node == NULL || copy_parameter(trainer, model, at, node, reterr));
    }
    builder_release(&builder);
    return ok;
}

/* What the optimiser that made the model remembers, or zeros. */
static bool make_moments(struct trainer *trainer, const struct moments *before,
                         enum optimiser_kind kind, struct error *reterr)
{
    trainer->moments =
        before != NULL && before->kind == kind
            ? moments_copy(before, reterr)
            : moments_new(kind, 2 * parameter_total(&trainer->model->config), reterr);
    if (trainer->moments == NULL)
        return false;
    float *next = trainer->moments->numbers;
    for (size_t i = 0; i < trainer->n; i++) {
        struct parameter *parameter = &trainer->parameters[i];
        parameter->first = next;
        parameter->second = next + parameter->n;
        next += 2 * parameter->n;
    }
    return true;
}

bool trainer_new(struct model *model, struct graph *graph, enum optimiser_kind kind,
                 struct trainer **ret, struct error *reterr)
{
    struct trainer *trainer = calloc(1, sizeof *trainer);
    if (trainer == NULL)
        return error_memory(reterr, "a trainer");
    trainer->graph.stop = graph->stop;
    trainer->model = model_like(model, reterr);
    if (trainer->model != NULL && allocate(trainer, parameter_count(&model->config), reterr) &&
        copy_parameters(trainer, model, graph, reterr) &&
        make_moments(trainer, model->moments, kind, reterr)) {
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
    moments_free(trainer->moments);
    free(trainer);
}

/* ---- a step ---- */

void trainer_set_dropout(struct trainer *trainer, double p, uint64_t seed)
{
    trainer->dropout = p;
    trainer->dropout_seed = seed;
}

/* Neighbours of a seed and a step must not be those of another seed: the step is multiplied by the
 * golden ratio of 2^32. */
static void seed_dropout(const struct trainer *trainer, struct random *random)
{
    uint32_t step = (uint32_t)trainer->moments->n_steps + 1;
    random_seed(random, (uint32_t)trainer->dropout_seed ^ (step * UINT32_C(0x9E3779B9)));
}

static struct node *input(struct builder *b, const struct tensor *x, const char *name)
{
    struct tensor value = tensor_share(x);
    return build_input(b, &value, name);
}

/* Gives up the gradients of a step. */
static void drop_gradients(struct trainer *trainer)
{
    for (size_t i = 0; i < trainer->n; i++) {
        node_free(trainer->gradients[i]);
        trainer->gradients[i] = NULL;
    }
}

/* The loss, and the gradients. */
static bool find_gradients(struct trainer *trainer, const struct tensor *ids,
                           const struct tensor *targets, double *ret_loss, struct error *reterr)
{
    struct builder builder;
    builder_init(&builder, &trainer->graph, reterr);
    struct random random;
    const struct dropout dropout = {.p = trainer->dropout, .random = &random};
    if (dropout.p > 0)
        seed_dropout(trainer, &random);
    struct node *loss = build_model_loss(&builder, trainer->model, input(&builder, ids, "ids"),
                                         input(&builder, targets, "targets"), &dropout);
    bool ok =
        loss != NULL && !builder.failed &&
        graph_grad(&trainer->graph, loss, trainer->leaves, trainer->n, trainer->gradients, reterr);
    if (ok)
        *ret_loss = (double)loss->value.data[0];
    builder_release(&builder);
    return ok;
}

bool trainer_apply(struct trainer *trainer, struct node *const *gradients,
                   const struct optimiser *optimiser, double *ret_norm, struct error *reterr)
{
    struct moments *moments = trainer->moments;
    size_t n = 0;
    bool ok = true;
    for (; ok && n < trainer->n; n += ok) {
        ok = tensor_dense(&gradients[n]->value, &trainer->dense[n], reterr);
        trainer->parameters[n].gradient = trainer->dense[n].data;
    }
    ok = ok &&
         optimiser_step(optimiser, moments->n_steps + 1, trainer->parameters, n, ret_norm, reterr);
    moments->n_steps += ok;
    while (n > 0)
        tensor_release(&trainer->dense[--n]);
    return ok;
}

bool trainer_step(struct trainer *trainer, const struct tensor *ids, const struct tensor *targets,
                  const struct optimiser *optimiser, double *ret_loss, double *ret_norm,
                  struct error *reterr)
{
    double norm = 0;
    bool ok = find_gradients(trainer, ids, targets, ret_loss, reterr) &&
              trainer_apply(trainer, trainer->gradients, optimiser, &norm, reterr);
    drop_gradients(trainer);
    if (ret_norm != NULL)
        *ret_norm = norm;
    return ok;
}

bool trainer_logits(struct trainer *trainer, const struct tensor *ids, struct tensor *ret,
                    struct error *reterr)
{
    struct builder builder;
    builder_init(&builder, &trainer->graph, reterr);
    struct node *logits =
        build_batch_logits(&builder, trainer->model, input(&builder, ids, "ids"), NULL);
    bool ok = logits != NULL && !builder.failed && tensor_dense(&logits->value, ret, reterr);
    builder_release(&builder);
    return ok;
}

/* A model of weights, which lie parameter after parameter; NULL: of the trainer's own. */
static struct model *model_of(const struct trainer *trainer, const float *weights,
                              struct graph *graph, const char *from, struct error *reterr)
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
            !model_put_parameter(graph, model, at, &value, from, reterr)) {
            model_free(model);
            return NULL;
        }
        weights += weights != NULL ? tensor_size(&leaf->value) : 0;
    }
    return model;
}

struct model *trainer_model_of(const struct trainer *trainer, const float *weights,
                               struct graph *graph, struct error *reterr)
{
    return model_of(trainer, weights, graph, "training", reterr);
}

struct model *trainer_model(const struct trainer *trainer, struct graph *graph, const char *from,
                            struct error *reterr)
{
    struct model *model = model_of(trainer, NULL, graph, from, reterr);
    if (model == NULL || trainer->moments->n_steps == 0)
        return model;
    model->moments = moments_copy(trainer->moments, reterr);
    if (model->moments != NULL)
        return model;
    model_free(model);
    return NULL;
}

void trainer_read(const struct trainer *trainer, float *weights, float *moments)
{
    for (size_t i = 0; i < trainer->n; i++) {
        const struct parameter *parameter = &trainer->parameters[i];
        memcpy(weights, parameter->weights, parameter->n * sizeof *weights);
        weights += parameter->n;
    }
    if (moments != NULL)
        memcpy(moments, trainer->moments->numbers, 2 * trainer_total(trainer) * sizeof *moments);
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
        memcpy(trainer->moments->numbers, moments, bytes);
    else
        memset(trainer->moments->numbers, 0, bytes);
    trainer->moments->n_steps = n_steps;
}

size_t trainer_total(const struct trainer *trainer)
{
    return parameter_total(&trainer->model->config);
}

size_t trainer_count(const struct trainer *trainer)
{
    return trainer->moments->n_steps;
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
    snprintf(steps, sizeof steps, "%zu", trainer->moments->n_steps);
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

/* The number of steps that a checkpoint says it has taken. */
static bool read_steps(const char *text, const char *path, size_t *ret, struct error *reterr)
{
    enum { MOST_DIGITS = 12 };
    size_t size = text != NULL ? strlen(text) : 0;
    if (size == 0 || size > MOST_DIGITS || strspn(text, "0123456789") != size)
        return error_set(reterr, ERR_FILE,
                         text == NULL ? "%s: is not a checkpoint of a training"
                                      : "%s: says no number of steps that could have been taken",
                         path);
    *ret = strtoul(text, NULL, 10);
    return true;
}

bool trainer_load(struct trainer *trainer, const char *path, struct error *reterr)
{
    struct safetensors *file;
    size_t n = trainer->n * ARRAYS, n_found = 0;
    if (!safetensors_open(path, &file, reterr))
        return false;
    size_t steps = 0;
    struct tensor *found = calloc(n + 1, sizeof *found);
    bool ok = (found != NULL || error_memory(reterr, "a checkpoint")) &&
              read_steps(safetensors_metadata(file, "steps"), path, &steps, reterr);
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
        trainer->moments->n_steps = steps;
    free(found);
    safetensors_close(file);
    return ok;
}
