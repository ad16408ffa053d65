/* Training: tasks and their batches, the loss, steps of an optimiser by hand, and many at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#include "files/tokenizer.h"
#include "graph/node.h"
#include "lang/value/value.h"
#include "show/doc.h"
#include "task/batch.h"
#include "tensor/tensor.h"
#include "train/source.h"
#include "base/array.h"
#include "base/text.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call_internal.h"
#include "lang/builtins/model_value.h"
#include "lang/builtins/task_value.h"
#include "lang/builtins/weights_value_internal.h"
#include "model/forward.h"
#include "model/loss.h"
#include "model/train.h"
#include "show/number.h"
#include "tensor/random.h"

/* ---- batch value ---- */

/* Batches as values of the language: b = task("induction").batch(), b.inputs, b.targets. */

struct batch_object {
    struct object object;
    char name[48]; /* of the task */
    struct node *inputs, *targets;
    struct tokenizer *tokenizer; /* or NULL */
};

static const struct object_class batch_class;

static void free_batch(struct object *object)
{
    struct batch_object *own = (struct batch_object *)object;
    node_free(own->inputs);
    node_free(own->targets);
    tokenizer_close(own->tokenizer);
    free(own);
}

/* Tokens as a leaf, (rows, n). */
static struct node *leaf_of(const int32_t *tokens, const struct batch *batch, const char *name,
                            const char *from, struct graph *graph, struct error *reterr)
{
    struct tensor value;
    if (!batch_tensor(batch, tokens, &value, reterr))
        return NULL;
    struct node *node = node_input(graph, &value, from, strlen(from), reterr);
    if (node == NULL || node_set_name(node, name, strlen(name), reterr))
        return node;
    node_free(node);
    return NULL;
}

/* The tokens of a batch of the source, as leaves of the graph: `from` says where they came from. */
static bool value_batch(const struct source *source, const struct batch *batch, const char *from,
                        struct graph *graph, struct value *ret, struct error *reterr)
{
    struct batch_object *own = calloc(1, sizeof *own);
    if (own == NULL)
        return error_memory(reterr, "batch");
    own->object = (struct object){.n_owners = 1, .class = &batch_class};
    snprintf(own->name, sizeof own->name, "%s", source->name);
    own->tokenizer = source->tokenizer != NULL ? tokenizer_share(source->tokenizer) : NULL;
    own->inputs = leaf_of(batch->inputs, batch, "inputs", from, graph, reterr);
    own->targets =
        own->inputs != NULL ? leaf_of(batch->targets, batch, "targets", from, graph, reterr) : NULL;
    if (own->targets == NULL) {
        free_batch(&own->object);
        return false;
    }
    *ret = value_object(&own->object);
    return true;
}

/* Its inputs and targets, (rows, n), borrowed; false for another value. */
static bool value_as_batch(const struct value *value, struct node **ret_inputs,
                           struct node **ret_targets)
{
    struct object *object = value_as_object(value, &batch_class);
    if (object == NULL)
        return false;
    *ret_inputs = ((struct batch_object *)object)->inputs;
    *ret_targets = ((struct batch_object *)object)->targets;
    return true;
}

/* ---- what is shown ---- */

/* A token's letters, or "." for a target that does not count. */
static void put_token(const struct batch_object *own, float token, struct text *out)
{
    size_t size = 0;
    const char *bytes = own->tokenizer != NULL && token >= 0
                            ? tokenizer_token(own->tokenizer, (uint32_t)token, &size)
                            : NULL;
    if (token < 0)
        text_char(out, '.');
    else if (bytes != NULL)
        token_show(bytes, size, true, out);
    else
        text_format(out, "%g", (double)token);
}

/* The first row of both, so that each target stands below its input; as much as fits a line. */
static void show_first(const struct batch_object *own, struct doc *out)
{
    enum { COLUMNS = 78 };
    struct text lines[2] = {{0}, {0}};
    text_put(&lines[0], "  inputs  ");
    text_put(&lines[1], "  targets ");
    for (size_t i = 0; i < own->inputs->value.shape[1]; i++) {
        struct text cells[2] = {{0}, {0}};
        put_token(own, tensor_at_position(&own->inputs->value, i), &cells[0]);
        put_token(own, tensor_at_position(&own->targets->value, i), &cells[1]);
        size_t width = cells[0].size > cells[1].size ? cells[0].size : cells[1].size;
        bool fits = lines[0].size + 1 + width <= COLUMNS;
        for (size_t row = 0; row < 2; row++) {
            if (fits)
                text_format(&lines[row], " %-*s", (int)width, text_string(&cells[row]));
            out->failed = out->failed || cells[row].failed;
            text_release(&cells[row]);
        }
        if (!fits)
            break;
    }
    for (size_t row = 0; row < 2; row++) {
        doc_line(out, STYLE_PLAIN, "%s", text_string(&lines[row]));
        out->failed = out->failed || lines[row].failed;
        text_release(&lines[row]);
    }
}

static void show_batch(const struct object *object, struct doc *out)
{
    const struct batch_object *own = (const struct batch_object *)object;
    const size_t *shape = own->inputs->value.shape;
    doc_add(out, STYLE_NAME, "%s", own->name);
    doc_add(out, STYLE_PLAIN, ": %zu %s of %zu tokens; the first, and its targets:", shape[0],
            shape[0] == 1 ? "sequence" : "sequences", shape[1]);
    doc_end_line(out);
    show_first(own, out);
}

/* ---- parts ---- */

enum batch_attribute { BATCH_INPUTS, BATCH_TARGETS };

static const char *const attributes[] = {"inputs", "targets", NULL};

static bool batch_attribute(struct object *object, size_t which, struct graph *graph,
                            struct value *ret, struct error *reterr)
{
    struct batch_object *own = (struct batch_object *)object;
    (void)graph;
    (void)reterr;
    *ret = value_node(node_share(which == BATCH_INPUTS ? own->inputs : own->targets));
    return true;
}

static const struct object_class batch_class = {.name = "batch",
                                                .attributes = attributes,
                                                .attribute = batch_attribute,
                                                .show = show_batch,
                                                .free = free_batch};

/* ---- builtins training ---- */

/* ---- what is learnt ---- */

/* task("induction"), or task("stories"): what a model is trained on. */
static bool run_task(struct call *call, struct value *ret)
{
    const struct string *name;
    struct source *source = NULL;
    if (!arg_text(call, 0, &name))
        return false;
    bool ok =
        strcmp(name->bytes, "stories") == 0
            ? source_stories(call->context->data_dir, 0, SOURCE_STORIES, &source, call->reterr)
            : source_task(name->bytes, &source, call->reterr);
    return ok && value_task(source, ret, call->reterr);
}

/* The call as it was typed, for leaves that say where they came from; the caller releases it. */
static bool call_text(struct call *call, struct text *ret)
{
    *ret = (struct text){0};
    text_add(ret, call->text, call->text_size);
    return !ret->failed || error_memory(call->reterr, call->builtin->name);
}

static const char *const split_words[] = {[SPLIT_TRAINING] = "training",
                                          [SPLIT_HELD_OUT] = "held out",
                                          [SPLIT_UNTRAINED] = "other lengths"};

/* batch(task, number): the sequences of a step, as train has them. */
static bool run_batch(struct call *call, struct value *ret)
{
    struct source *source = value_as_task(&call->args[0]);
    size_t number, n_rows, split, seed;
    struct batch batch;
    struct text from;
    if (source == NULL)
        return error_set(call->reterr, ERR_TYPE,
                         "batch: it is drawn of a task, as task(\"induction\").batch()");
    if (!arg_size(call, 1, 0, &number) || !arg_size(call, 2, source->recipe.batch, &n_rows) ||
        !arg_word(call, 3, split_words, COUNT_OF(split_words), SPLIT_TRAINING, &split) ||
        !arg_size(call, 4, 0, &seed) ||
        !source->class->batch(source, (enum split)split, seed, number, n_rows, &batch,
                              call->reterr))
        return false;
    bool ok = call_text(call, &from) && value_batch(source, &batch, text_string(&from),
                                                    call->builder.graph, ret, call->reterr);
    text_release(&from);
    batch_release(&batch);
    return ok;
}

/* The share of numbers that is dropped. */
static bool read_dropout(struct call *call, size_t i, double *ret)
{
    return arg_number(call, i, 0, ret) &&
           ((*ret >= 0 && *ret < 1) ||
            error_set(call->reterr, ERR_RANGE, "%s: dropout must be 0 or more, and less than 1",
                      call->builtin->name));
}

/* loss(model, batch), or loss(model, inputs, targets). */
static bool run_loss(struct call *call, struct value *ret)
{
    struct model *model = arg_model(call, 0);
    struct node *inputs, *targets;
    struct dropout dropout = {.p = 0};
    if (model == NULL || !read_dropout(call, 3, &dropout.p))
        return false;
    if (dropout.p > 0)
        dropout.random = call_random(call);
    if (!value_as_batch(&call->args[1], &inputs, &targets)) {
        if (!arg_given(call, 2))
            return error_set(call->reterr, ERR_TYPE,
                             "loss: it needs a batch, as task(\"induction\").batch() gives one, or "
                             "inputs and targets");
        inputs = arg_node(call, 1);
        targets = inputs != NULL ? arg_node(call, 2) : NULL;
    }
    return call_result(call, build_model_loss(&call->builder, model, inputs, targets, &dropout),
                       ret);
}

/* ---- how it is learnt ---- */

/* Argument i as the number that was typed: 0.999 and not the float32 next to it, so that it is what
 * a recipe and PyTorch have. */
static bool arg_typed(struct call *call, size_t i, double otherwise, double *ret)
{
    if (!arg_number(call, i, otherwise, ret))
        return false;
    if (arg_given(call, i))
        *ret = number_typed((float)*ret);
    return true;
}

static bool check_not_below_0(struct call *call, const char *name, double number)
{
    return (number >= 0 && isfinite(number)) ||
           error_set(call->reterr, ERR_RANGE, "%s: %s must be 0 or more, not %g",
                     call->builtin->name, name, number);
}

static bool read_betas(struct call *call, size_t i, struct adamw *adamw)
{
    if (!arg_given(call, i))
        return true;
    struct node *betas = arg_node(call, i);
    if (betas == NULL)
        return false;
    if (tensor_size(&betas->value) != 2)
        return error_set(call->reterr, ERR_SHAPE, "%s: betas are two numbers, as (0.9, 0.999)",
                         call->builtin->name);
    adamw->beta1 = number_typed(tensor_at_position(&betas->value, 0));
    adamw->beta2 = number_typed(tensor_at_position(&betas->value, 1));
    if (adamw->beta1 >= 0 && adamw->beta1 < 1 && adamw->beta2 >= 0 && adamw->beta2 < 1)
        return true;
    return error_set(call->reterr, ERR_RANGE, "%s: betas must be 0 or more, and less than 1",
                     call->builtin->name);
}

/* AdamW but its learning rate, from betas, eps, weight_decay and clip in arguments i to i + 3. */
static bool read_adamw(struct call *call, size_t i, struct optimiser *optimiser)
{
    struct adamw *adamw = &optimiser->adamw;
    *optimiser = (struct optimiser){.kind = OPTIMISER_ADAMW, .adamw = adamw_defaults};
    return read_betas(call, i, adamw) && arg_typed(call, i + 1, adamw->eps, &adamw->eps) &&
           arg_typed(call, i + 2, adamw->weight_decay, &adamw->weight_decay) &&
           arg_typed(call, i + 3, 0, &optimiser->clip) &&
           check_not_below_0(call, "eps", adamw->eps) &&
           check_not_below_0(call, "weight_decay", adamw->weight_decay) &&
           check_not_below_0(call, "clip", optimiser->clip);
}

/* ---- a step by hand ---- */

static bool no_gradients(struct call *call)
{
    return error_set(call->reterr, ERR_TYPE,
                     "%s: gradients must be those of this model's parameters: g = grad(loss, "
                     "m.parameters)",
                     call->builtin->name);
}

/* Argument 1, a gradient for each weight of the model. */
static const struct weights_list *arg_gradients(struct call *call, struct model *model)
{
    const struct weights_list *list = value_as_weights(&call->args[1]);
    struct value weights = {.kind = VALUE_ABSENT};
    if (list == NULL || !list->is_gradient) {
        no_gradients(call);
        return NULL;
    }
    if (!value_weights(model, call->builder.graph, &weights, call->reterr))
        return NULL;
    const struct weights_list *own = value_as_weights(&weights);
    bool fits = own->n == list->n;
    for (size_t i = 0; fits && i < own->n; i++)
        fits = own->at[i] == list->at[i] &&
               tensor_same_shape(&own->nodes[i]->value, &list->nodes[i]->value);
    value_release(&weights);
    if (!fits)
        no_gradients(call);
    return fits ? list : NULL;
}

/* The model after one more step. */
static bool step_model(struct call *call, const struct optimiser *optimiser, struct value *ret)
{
    struct model *model = arg_model(call, 0), *stepped = NULL;
    const struct weights_list *gradients = model != NULL ? arg_gradients(call, model) : NULL;
    struct trainer *trainer = NULL;
    struct text from;
    double norm;
    if (gradients == NULL)
        return false;
    bool ok = call_text(call, &from) &&
              trainer_new(model, call->builder.graph, optimiser->kind, &trainer, call->reterr) &&
              trainer_apply(trainer, gradients->nodes, optimiser, &norm, call->reterr);
    if (ok)
        stepped = trainer_model(trainer, call->builder.graph, text_string(&from), call->reterr);
    trainer_free(trainer);
    text_release(&from);
    return value_model(stepped, ret, call->reterr);
}

/* adamw(m, g, lr=...): m after a step; what AdamW remembers goes with it. */
static bool run_adamw(struct call *call, struct value *ret)
{
    struct optimiser optimiser;
    return read_adamw(call, 3, &optimiser) &&
           arg_typed(call, 2, optimiser.adamw.lr, &optimiser.adamw.lr) &&
           check_not_below_0(call, "lr", optimiser.adamw.lr) && step_model(call, &optimiser, ret);
}

static bool run_sgd(struct call *call, struct value *ret)
{
    struct optimiser optimiser = {.kind = OPTIMISER_SGD};
    struct sgd *sgd = &optimiser.sgd;
    return arg_typed(call, 2, 0.001, &sgd->lr) && arg_typed(call, 3, 0, &sgd->momentum) &&
           arg_typed(call, 4, 0, &sgd->weight_decay) && arg_typed(call, 5, 0, &optimiser.clip) &&
           check_not_below_0(call, "lr", sgd->lr) &&
           check_not_below_0(call, "momentum", sgd->momentum) &&
           check_not_below_0(call, "weight_decay", sgd->weight_decay) &&
           check_not_below_0(call, "clip", optimiser.clip) && step_model(call, &optimiser, ret);
}

/* ---- many steps ---- */

/* lr: a number, or one for each step. */
static bool read_rates(struct call *call, size_t n_steps, double otherwise, double **ret)
{
    struct node *given = arg_given(call, 3) ? arg_node(call, 3) : NULL;
    double *rates = calloc(n_steps + 1, sizeof *rates);
    bool ok = rates != NULL || error_memory(call->reterr, "fit");
    ok = ok && (!arg_given(call, 3) || given != NULL);
    size_t n = given != NULL ? tensor_size(&given->value) : 1;
    if (ok && n != 1 && n != n_steps)
        ok = error_set(call->reterr, ERR_SHAPE,
                       "fit: lr must be a number or one for each step, and there are %zu for %zu "
                       "steps",
                       n, n_steps);
    for (size_t i = 0; ok && i < n_steps; i++) {
        rates[i] = given == NULL ? otherwise
                                 : number_typed(tensor_at_position(&given->value, n == 1 ? 0 : i));
        ok = check_not_below_0(call, "lr", rates[i]);
    }
    if (ok)
        *ret = rates;
    else
        free(rates);
    return ok;
}

/* The seed is drawn where something is dropped, so that manual_seed() makes it the same again. */
static void set_dropout(struct call *call, struct trainer *trainer, double dropout)
{
    if (dropout > 0)
        trainer_set_dropout(trainer, dropout, random_word(call_random(call)));
}

static bool fit_steps(struct call *call, struct trainer *trainer, const struct tensor *inputs,
                      const struct tensor *targets, struct optimiser *optimiser,
                      const double *rates, struct tensor *losses)
{
    for (size_t i = 0; i < losses->shape[0]; i++) {
        struct tensor ids, wanted;
        double loss;
        if (!tensor_pick(inputs, 0, i, &ids, call->reterr))
            return false;
        bool ok = tensor_pick(targets, 0, i, &wanted, call->reterr);
        if (ok) {
            optimiser->adamw.lr = rates[i];
            ok = trainer_step(trainer, &ids, &wanted, optimiser, &loss, NULL, call->reterr);
            tensor_release(&wanted);
        }
        tensor_release(&ids);
        if (!ok)
            return false;
        losses->data[i] = (float)loss;
    }
    return true;
}

/* Puts the trained model in the place of the one that was given; a line that fails takes it back.
 */
static bool keep_trained(struct call *call, const struct trainer *trainer)
{
    struct model *trained = trainer_model(trainer, call->builder.graph, "fit", call->reterr);
    if (trained == NULL)
        return false;
    struct model *before = model_replace(&call->args[0], trained);
    return call->context->remember(call->context->session, call->args[0].as.object, before,
                                   call->reterr);
}

/* fit(m, inputs, targets, ...): one step for each of inputs (steps, batch, n); gives the losses. */
static bool run_fit(struct call *call, struct value *ret)
{
    struct model *model = arg_model(call, 0);
    struct node *inputs = model != NULL ? arg_node(call, 1) : NULL;
    struct node *targets = inputs != NULL ? arg_node(call, 2) : NULL;
    struct optimiser optimiser;
    struct trainer *trainer = NULL;
    struct tensor losses;
    double *rates = NULL;
    double dropout;
    if (targets == NULL || !read_adamw(call, 4, &optimiser) || !read_dropout(call, 8, &dropout))
        return false;
    if (inputs->value.n_axes != 3 || !tensor_same_shape(&inputs->value, &targets->value)) {
        char shapes[2][TENSOR_SHAPE_TEXT];
        return error_set(call->reterr, ERR_SHAPE,
                         "fit: inputs and targets must be of one shape, (steps, batch, n); these "
                         "are %s and %s",
                         tensor_shape_text(&inputs->value, shapes[0]),
                         tensor_shape_text(&targets->value, shapes[1]));
    }
    size_t n_steps = inputs->value.shape[0];
    if (!read_rates(call, n_steps, optimiser.adamw.lr, &rates))
        return false;
    bool ok = tensor_empty(1, &n_steps, &losses, call->reterr);
    if (ok) {
        ok = trainer_new(model, call->builder.graph, OPTIMISER_ADAMW, &trainer, call->reterr);
        if (ok)
            set_dropout(call, trainer, dropout);
        ok =
            ok &&
            fit_steps(call, trainer, &inputs->value, &targets->value, &optimiser, rates, &losses) &&
            keep_trained(call, trainer);
        if (!ok)
            tensor_release(&losses);
    }
    trainer_free(trainer);
    free(rates);
    return ok && call_input(call, &losses, ret);
}

#define MODELS "models"

const struct builtin builtins_training[] = {
    {"task",
     MODELS,
     {"name"},
     "Sequences to train a model on: previous, reverse, maximum, sort, recall, induction, fixed, "
     "brackets, modular or stories.",
     "t = task(\"induction\"); t",
     run_task},
    {"batch",
     MODELS,
     {"task", "number=0", "rows=None", "split=\"training\"", "seed=0"},
     "The sequences of one step of training, with .inputs and .targets; split may be \"held out\" "
     "or \"other lengths\".",
     "t = task(\"reverse\"); t.batch(3, rows=2)",
     run_batch},
    {"loss",
     MODELS,
     {"model", "inputs", "targets=None", "dropout=0"},
     "What a model does not know of the targets of a batch: the mean cross-entropy, in nats; a "
     "target of -100 does not count. dropout is the share of numbers that is dropped: of the "
     "embeddings, the attention weights, and what each part adds.",
     "m = transformer(vocab=3)\nm.loss([[0, 1, 2]], [[1, 2, -100]])",
     run_loss},
    {"adamw",
     MODELS,
     {"model", "gradients", "lr=0.001", "betas=(0.9, 0.999)", "eps=1e-08", "weight_decay=0.01",
      "clip=0"},
     "A model after one step of AdamW, which goes on where its last step was.",
     "t = task(\"previous\"); m = transformer(vocab=t.vocab, mlp=False)\n"
     "loss = m.loss(t.batch()); g = grad(loss, m.parameters)\n"
     "m = adamw(m, g, lr=0.01); m.loss(t.batch()) < loss",
     run_adamw},
    {"sgd",
     MODELS,
     {"model", "gradients", "lr=0.001", "momentum=0", "weight_decay=0", "clip=0"},
     "A model after one step of gradient descent, with momentum where it is above 0.",
     "m = transformer(vocab=3); x = [[0, 1, 2]]; loss = m.loss(x, x)\n"
     "m = sgd(m, grad(loss, m.parameters), lr=0.1); m.loss(x, x) < loss",
     run_sgd},
    {"fit",
     MODELS,
     {"model", "inputs", "targets", "lr=0.001", "betas=(0.9, 0.999)", "eps=1e-08",
      "weight_decay=0.01", "clip=0", "dropout=0"},
     "Trains a model by AdamW, a step for each batch of inputs; gives the loss of each.",
     "m = transformer(vocab=4); x = [[[0, 1, 2]]]; fit(m, x, x)",
     run_fit},
};

const size_t n_builtins_training = COUNT_OF(builtins_training);
