/* See model_value.h. */
#include "lang/builtins/model_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/node.h"
#include "model/intervene.h"
#include "model/model.h"
#include "model/run.h"
#include "show/labels.h"
#include "base/array.h"
#include "lang/builtins/weights_value_internal.h"
#include "lang/value/index.h"
#include "model/moments.h"
#include "model/show_model.h"
#include "show/doc.h"
#include "show/number.h"
#include "tensor/tensor.h"

/* ---- model arguments ---- */

/* A parameter's name alone. */
static int name_length(const struct call *call, size_t i)
{
    return (int)strcspn(call->builtin->params[i], "=");
}

struct model *arg_model(struct call *call, size_t i)
{
    char text[120];
    struct model *model = value_as_model(&call->args[i]);
    if (model == NULL)
        error_set(call->reterr, ERR_TYPE,
                  "%s: %s must be a model, as model(\"FOLDER\") gives one, and this is %s",
                  call->builtin->name, call->builtin->params[i],
                  value_describe(&call->args[i], text, sizeof text));
    return model;
}

struct run *arg_run(struct call *call, size_t i)
{
    char text[120];
    struct run *run = value_as_run(&call->args[i]);
    if (run == NULL && value_as_model(&call->args[i]) != NULL)
        error_set(
            call->reterr, ERR_TYPE,
            "%s: %.*s is a model, which has read nothing yet: write r = m(\"the cat\"), and r "
            "in place of the model",
            call->builtin->name, name_length(call, i), call->builtin->params[i]);
    else if (run == NULL)
        error_set(call->reterr, ERR_TYPE,
                  "%s: %.*s must be a run of a model, as r = m(\"text\") gives one, and this is %s",
                  call->builtin->name, name_length(call, i), call->builtin->params[i],
                  value_describe(&call->args[i], text, sizeof text));
    return run;
}

/* Says which words there are. */
static bool no_such_word(struct call *call, size_t i, const char *const *words, size_t n)
{
    struct text all = {0};
    for (size_t w = 0; w < n; w++)
        text_format(&all, "%s\"%s\"", w == 0 ? "" : w + 1 == n ? " or " : ", ", words[w]);
    if (all.failed)
        error_memory(call->reterr, call->builtin->name);
    else
        error_set(call->reterr, ERR_NAME, "%s: %.*s must be %s", call->builtin->name,
                  name_length(call, i), call->builtin->params[i], text_string(&all));
    text_release(&all);
    return false;
}

bool arg_word(struct call *call, size_t i, const char *const *words, size_t n, size_t otherwise,
              size_t *ret)
{
    const struct string *given;
    *ret = otherwise;
    if (!arg_given(call, i))
        return true;
    if (!arg_text(call, i, &given))
        return false;
    for (size_t w = 0; w < n; w++)
        if (strcmp(given->bytes, words[w]) == 0) {
            *ret = w;
            return true;
        }
    return no_such_word(call, i, words, n);
}

bool arg_token(struct call *call, size_t i, const struct model *model, size_t *ret)
{
    const struct value *value = &call->args[i];
    if (value->kind == VALUE_STRING)
        return model_find_token(model, value->as.string->bytes, value->as.string->size, ret,
                                call->reterr);
    if (!arg_size(call, i, 0, ret))
        return false;
    return *ret < model->config.vocab ||
           error_set(call->reterr, ERR_RANGE, "%s: %zu is not a token: %s has %zu, 0 to %zu",
                     call->builtin->name, *ret, model->name, model->config.vocab,
                     model->config.vocab - 1);
}

/* A whole number from 0 to n - 1, or from -n, which counts from the end. */
static bool within(struct call *call, const char *what, float number, size_t n, size_t *ret)
{
    if (!(number >= -(float)n && number < (float)n) || number != floorf(number))
        return error_set(call->reterr, ERR_RANGE, "%s: %s %g: there are %zu, 0 to %zu",
                         call->builtin->name, what, (double)number, n, n - 1);
    *ret = (size_t)(number < 0 ? number + (float)n : number);
    return true;
}

bool arg_layer(struct call *call, size_t i, const struct model *model, size_t *ret)
{
    ptrdiff_t layer;
    return arg_whole(call, i, 0, &layer) &&
           within(call, "layer", (float)layer, model->config.n_layers, ret);
}

bool arg_head_number(struct call *call, size_t i, const struct model *model, size_t *ret)
{
    ptrdiff_t head;
    return arg_whole(call, i, 0, &head) &&
           within(call, "head", (float)head, model->config.n_heads, ret);
}

bool arg_position(struct call *call, size_t i, const struct run *run, size_t *ret)
{
    ptrdiff_t position;
    return run_check_one_text(run, call->reterr) && arg_whole(call, i, -1, &position) &&
           within(call, "position", (float)position, run_length(run), ret);
}

static struct run *run_of_text(struct graph *graph, struct model *model, const struct value *text,
                               struct error *reterr)
{
    const struct string *string = text->as.string;
    return run_text(graph, model, string->bytes, string->size, reterr);
}

bool values_as_runs(struct graph *graph, const struct value *values, size_t n, const char *what,
                    struct run *ret[2], struct error *reterr)
{
    struct model *model = n == 3 ? value_as_model(&values[0]) : NULL;
    struct run *a = n == 2 ? value_as_run(&values[0]) : NULL;
    struct run *b = n == 2 ? value_as_run(&values[1]) : NULL;
    if (a != NULL && b != NULL) {
        ret[0] = run_share(a);
        ret[1] = run_share(b);
        return true;
    }
    if (model == NULL || values[1].kind != VALUE_STRING || values[2].kind != VALUE_STRING)
        return error_set(reterr, ERR_TYPE,
                         "%s: it takes two runs, or a model and two texts: %s(m, \"A\", \"B\")",
                         what, what);
    ret[0] = run_of_text(graph, model, &values[1], reterr);
    ret[1] = ret[0] != NULL ? run_of_text(graph, model, &values[2], reterr) : NULL;
    if (ret[1] == NULL)
        run_free(ret[0]);
    return ret[1] != NULL;
}

/* ---- words ---- */

enum { FEW_TOKENS = 200 }; /* of a vocabulary that is taken whole */

/* Each token of the vocabulary. */
static bool all_ids(struct call *call, const struct model *model, struct tensor *ret)
{
    size_t n = model->config.vocab;
    if (n > FEW_TOKENS)
        return error_set(call->reterr, ERR_LIMIT,
                         "%s: %s has %zu tokens: choose some, as words=\"the cat sat\"",
                         call->builtin->name, model->name, n);
    if (!tensor_empty(1, &n, ret, call->reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        ret->data[i] = (float)i;
    return true;
}

/* A list of tokens by their texts. */
static bool listed_ids(struct call *call, const struct model *model, const struct list *list,
                       struct tensor *ret)
{
    if (!tensor_empty(1, &list->n, ret, call->reterr))
        return false;
    for (size_t i = 0; i < list->n; i++) {
        const struct value *item = &list->items[i];
        size_t id = 0;
        bool ok = item->kind == VALUE_STRING
                      ? model_find_token(model, item->as.string->bytes, item->as.string->size, &id,
                                         call->reterr)
                      : error_set(call->reterr, ERR_TYPE, "%s: words must be texts or ids",
                                  call->builtin->name);
        if (!ok) {
            tensor_release(ret);
            return false;
        }
        ret->data[i] = (float)id;
    }
    return true;
}

/* Ids as numbers, each a token of the model. */
static bool given_ids(struct call *call, size_t i, const struct model *model, struct tensor *ret)
{
    struct node *ids = arg_node(call, i);
    size_t n = ids != NULL ? tensor_size(&ids->value) : 0, vocab = model->config.vocab;
    if (ids == NULL || !tensor_empty(1, &n, ret, call->reterr))
        return false;
    tensor_read(&ids->value, ret->data);
    for (size_t at = 0; at < n; at++)
        if (!(ret->data[at] >= 0 && ret->data[at] < (float)vocab) ||
            ret->data[at] != floorf(ret->data[at])) {
            error_set(call->reterr, ERR_RANGE, "%s: %g is not a token: %s has %zu, 0 to %zu",
                      call->builtin->name, (double)ret->data[at], model->name, vocab, vocab - 1);
            tensor_release(ret);
            return false;
        }
    return true;
}

static bool is_list_of_texts(const struct value *value)
{
    return value->kind == VALUE_LIST && value->as.list->n > 0 &&
           value->as.list->items[0].kind == VALUE_STRING;
}

struct node *arg_words(struct call *call, size_t i, struct model *model, struct labels **ret_names)
{
    const struct value *value = &call->args[i];
    struct tensor ids;
    bool ok;
    *ret_names = NULL;
    if (!arg_given(call, i)) {
        ok = all_ids(call, model, &ids);
    } else if (value->kind == VALUE_STRING) {
        ok = model_encode(model, value->as.string->bytes, value->as.string->size, &ids, ret_names,
                          call->reterr);
        labels_free(ok ? *ret_names : NULL);
        *ret_names = NULL;
    } else {
        ok = is_list_of_texts(value) ? listed_ids(call, model, value->as.list, &ids)
                                     : given_ids(call, i, model, &ids);
    }
    if (!ok)
        return NULL;
    if (!model_label_ids(model, &ids, ret_names, call->reterr)) {
        tensor_release(&ids);
        return NULL;
    }
    struct node *node = build_input(&call->builder, &ids, "words");
    if (node == NULL) {
        labels_free(*ret_names);
        *ret_names = NULL;
    }
    return node;
}

/* Numbers 2 * at and 2 * at + 1 as a layer and a head. */
static bool head_at(struct call *call, const struct model *model, const struct tensor *pairs,
                    size_t at, size_t ret[2])
{
    return within(call, "layer", tensor_at_position(pairs, 2 * at), model->config.n_layers,
                  &ret[0]) &&
           within(call, "head", tensor_at_position(pairs, 2 * at + 1), model->config.n_heads,
                  &ret[1]);
}

/* Argument i as pairs of a layer and a head. */
static struct node *read_pairs(struct call *call, size_t i)
{
    struct node *pairs = arg_node(call, i);
    unsigned n_axes = pairs != NULL ? pairs->value.n_axes : 0;
    if (pairs == NULL)
        return NULL;
    if ((n_axes == 1 || n_axes == 2) && pairs->value.shape[n_axes - 1] == 2)
        return pairs;
    error_set(call->reterr, ERR_TYPE, "%s: %.*s must be a layer and a head, as (5, 1)",
              call->builtin->name, name_length(call, i), call->builtin->params[i]);
    return NULL;
}

bool arg_head(struct call *call, size_t i, const struct model *model, size_t ret[2])
{
    struct node *pairs = read_pairs(call, i);
    if (pairs == NULL)
        return false;
    if (tensor_size(&pairs->value) != 2)
        return error_set(call->reterr, ERR_SHAPE, "%s: one head is needed, as (5, 1)",
                         call->builtin->name);
    return head_at(call, model, &pairs->value, 0, ret);
}

/* Room for n more cuts. */
static bool more_cuts(struct call *call, size_t n, struct cut **ret, size_t n_cuts)
{
    struct cut *cuts = realloc(*ret, (n_cuts + n + 1) * sizeof *cuts);
    if (cuts == NULL)
        return error_memory(call->reterr, call->builtin->name);
    *ret = cuts;
    return true;
}

bool arg_head_cuts(struct call *call, size_t i, const struct model *model, struct cut **ret,
                   size_t *ret_n)
{
    if (!arg_given(call, i))
        return true;
    struct node *pairs = read_pairs(call, i);
    size_t n = pairs != NULL ? tensor_size(&pairs->value) / 2 : 0;
    bool ok = pairs != NULL && more_cuts(call, n, ret, *ret_n);
    for (size_t at = 0; ok && at < n; at++) {
        size_t head[2] = {0, 0};
        ok = head_at(call, model, &pairs->value, at, head);
        (*ret)[(*ret_n)++] = (struct cut){CUT_HEAD, head[0], head[1]};
    }
    return ok;
}

bool arg_layer_cuts(struct call *call, size_t i, const struct model *model, bool mlp,
                    struct cut **ret, size_t *ret_n)
{
    if (!arg_given(call, i))
        return true;
    struct node *layers = arg_node(call, i);
    size_t n = layers != NULL ? tensor_size(&layers->value) : 0;
    bool ok = layers != NULL && more_cuts(call, n, ret, *ret_n);
    for (size_t at = 0; ok && at < n; at++) {
        struct cut *cut = &(*ret)[(*ret_n)++];
        *cut = (struct cut){.part = mlp ? CUT_MLP : CUT_LAYER};
        ok = within(call, "layer", tensor_at_position(&layers->value, at), model->config.n_layers,
                    &cut->layer);
    }
    return ok;
}

/* ---- model value ---- */

struct model_object {
    struct object object;
    struct model *model;
};

struct run_object {
    struct object object;
    struct run *run;
};

/* r.weights: a stage in all layers, of which r.weights[5] is one. */
struct stage_object {
    struct object object;
    struct run *run;
    enum stage stage;
};

static const struct object_class model_class, stage_class, run_class;

/* Memory for an object of this class. */
static void *new_object(size_t size, const struct object_class *class, struct error *reterr)
{
    struct object *object = calloc(1, size);
    if (object == NULL) {
        error_memory(reterr, class->name);
        return NULL;
    }
    object->n_owners = 1;
    object->class = class;
    return object;
}

/* ---- models ---- */

bool value_model(struct model *model, struct value *ret, struct error *reterr)
{
    struct model_object *object =
        model != NULL ? new_object(sizeof *object, &model_class, reterr) : NULL;
    if (object == NULL) {
        model_free(model);
        return false;
    }
    object->model = model;
    *ret = value_object(&object->object);
    return true;
}

struct model *value_as_model(const struct value *value)
{
    struct object *object = value_as_object(value, &model_class);
    return object != NULL ? ((struct model_object *)object)->model : NULL;
}

static void free_model(struct object *object)
{
    model_free(((struct model_object *)object)->model);
    free(object);
}

static void restore_model(struct object *object, void *before)
{
    struct model_object *own = (struct model_object *)object;
    model_free(own->model);
    own->model = before;
}

static void forget_model(void *before)
{
    model_free(before);
}

struct model *model_replace(const struct value *value, struct model *model)
{
    struct model_object *own = (struct model_object *)value_as_object(value, &model_class);
    struct model *before = own->model;
    own->model = model;
    return before;
}

static void show_model(const struct object *object, struct doc *out)
{
    const struct model *model = ((const struct model_object *)object)->model;
    const struct model_config *c = &model->config;
    char total[NUMBER_TEXT];
    doc_line(out, STYLE_NAME, "%s", model->name);
    if (c->n_layers == 0) {
        doc_line(out, STYLE_PLAIN, "  a vocabulary of %zu tokens, without weights", c->vocab);
        return;
    }
    doc_line(out, STYLE_PLAIN, "  %zu %s x %zu %s of %zu%s, %zu wide, %s", c->n_layers,
             c->n_layers == 1 ? "layer" : "layers", c->n_heads, c->n_heads == 1 ? "head" : "heads",
             c->head_dim, c->n_kv_heads != c->n_heads ? ", which share keys" : "", c->d_model,
             c->d_mlp > 0 ? "with MLPs" : "attention only");
    doc_line(out, STYLE_PLAIN, "  %zu tokens, texts of up to %zu, %s numbers", c->vocab,
             c->n_positions, number_grouped(parameter_total(c), total));
    if (model->moments != NULL)
        doc_line(out, STYLE_QUIET, "  after %zu %s of %s", model->moments->n_steps,
                 model->moments->n_steps == 1 ? "step" : "steps",
                 model->moments->kind == OPTIMISER_SGD ? "SGD" : "AdamW");
}

enum model_attribute {
    MODEL_N_LAYERS,
    MODEL_N_HEADS,
    MODEL_N_KV_HEADS,
    MODEL_D_MODEL,
    MODEL_HEAD_DIM,
    MODEL_D_MLP,
    MODEL_VOCAB,
    MODEL_N_POSITIONS,
    MODEL_NAME,
    MODEL_PARAMETERS,
};

static const char *const model_attributes[] = {
    "n_layers", "n_heads",     "n_kv_heads", "d_model",    "head_dim", "d_mlp",
    "vocab",    "n_positions", "name",       "parameters", NULL};

static bool model_attribute(struct object *object, size_t which, struct graph *graph,
                            struct value *ret, struct error *reterr)
{
    struct model *model = ((struct model_object *)object)->model;
    const struct model_config *c = &model->config;
    const size_t sizes[] = {
        [MODEL_N_LAYERS] = c->n_layers,     [MODEL_N_HEADS] = c->n_heads,
        [MODEL_N_KV_HEADS] = c->n_kv_heads, [MODEL_D_MODEL] = c->d_model,
        [MODEL_HEAD_DIM] = c->head_dim,     [MODEL_D_MLP] = c->d_mlp,
        [MODEL_VOCAB] = c->vocab,           [MODEL_N_POSITIONS] = c->n_positions};
    if (which == MODEL_NAME)
        return value_string(model->name, strlen(model->name), ret, reterr);
    if (which == MODEL_PARAMETERS)
        return value_weights(model, graph, ret, reterr);
    *ret = value_node(node_constant(graph, (float)sizes[which], reterr));
    return ret->kind == VALUE_NODE;
}

static const struct object_class model_class = {.name = "model",
                                                .call = "run",
                                                .attributes = model_attributes,
                                                .attribute = model_attribute,
                                                .show = show_model,
                                                .restore = restore_model,
                                                .forget = forget_model,
                                                .free = free_model};

/* ---- a stage of all layers ---- */

static void free_stage(struct object *object)
{
    run_free(((struct stage_object *)object)->run);
    free(object);
}

static bool new_stage(struct run *run, enum stage stage, struct value *ret, struct error *reterr)
{
    struct stage_object *object = new_object(sizeof *object, &stage_class, reterr);
    if (object == NULL)
        return false;
    object->run = run_share(run);
    object->stage = stage;
    *ret = value_object(&object->object);
    return true;
}

/* The layer that the first index says; -1 is the last one. */
static bool layer_of(const struct run *run, const struct index_item *item, size_t *ret,
                     struct error *reterr)
{
    const struct value *value = &item->values[0];
    size_t n = run->model->config.n_layers;
    bool number =
        item->kind == INDEX_VALUE && value->kind == VALUE_NODE && value->as.node->value.n_axes == 0;
    float at = number ? value->as.node->value.data[0] : 0;
    if (!number || at != floorf(at))
        return error_set(reterr, ERR_TYPE,
                         "the first index is the layer, a whole number from 0 to %zu", n - 1) ||
               error_place(reterr, item->begin, item->end);
    if (at < -(float)n || at >= (float)n)
        return error_set(reterr, ERR_RANGE, "layer %g: the model has layers 0 to %zu", (double)at,
                         n - 1) ||
               error_place(reterr, item->begin, item->end);
    *ret = (size_t)(at < 0 ? at + (float)n : at);
    return true;
}

static bool index_stage(struct object *object, struct graph *graph, struct index_item *items,
                        size_t n_items, struct value *ret, struct error *reterr)
{
    struct stage_object *own = (struct stage_object *)object;
    size_t layer = 0;
    if (!layer_of(own->run, &items[0], &layer, reterr))
        return false;
    struct node *node = run_stage(own->run, own->stage, layer, reterr);
    if (node == NULL)
        return false;
    struct value whole = value_node(node_share(node));
    bool ok = true;
    if (n_items == 1)
        *ret = value_share(&whole);
    else
        ok = index_value(graph, &whole, items + 1, n_items - 1, ret, reterr);
    value_release(&whole);
    return ok;
}

static void show_stage(const struct object *object, struct doc *out)
{
    const struct stage_object *own = (const struct stage_object *)object;
    size_t n = own->run->model->config.n_layers;
    const char *name = stage_name(own->stage);
    doc_line(out, STYLE_PLAIN, "%s of %zu %s: choose one, .%s[0] to .%s[%zu]", name, n,
             n == 1 ? "layer" : "layers", name, name, n - 1);
}

static const char *const no_attributes[] = {NULL};

static const struct object_class stage_class = {.name = "stage of all layers",
                                                .attributes = no_attributes,
                                                .index = index_stage,
                                                .show = show_stage,
                                                .free = free_stage};

/* ---- runs ---- */

bool value_run(struct run *run, struct value *ret, struct error *reterr)
{
    struct run_object *object = run != NULL ? new_object(sizeof *object, &run_class, reterr) : NULL;
    if (object == NULL) {
        run_free(run);
        return false;
    }
    object->run = run;
    *ret = value_object(&object->object);
    return true;
}

struct run *value_as_run(const struct value *value)
{
    struct object *object = value_as_object(value, &run_class);
    return object != NULL ? ((struct run_object *)object)->run : NULL;
}

static void free_run(struct object *object)
{
    run_free(((struct run_object *)object)->run);
    free(object);
}

static void show_run(const struct object *object, struct doc *out)
{
    const struct run *run = ((const struct run_object *)object)->run;
    size_t n = run_length(run),
           n_texts = run->ids->value.n_axes == 2 ? run->ids->value.shape[0] : 1;
    doc_add(out, STYLE_NAME, "%s", run->model->name);
    doc_add(out, STYLE_PLAIN, " on ");
    if (n_texts > 1)
        doc_add(out, STYLE_PLAIN, "%zu texts of ", n_texts);
    doc_add(out, STYLE_PLAIN, "%zu %s:", n, n == 1 ? "token" : "tokens");
    for (size_t i = 0; i < labels_count(run->labels) && i < 40; i++)
        doc_add(out, STYLE_PLAIN, " %s", labels_name(run->labels, i));
    doc_add(out, STYLE_PLAIN, labels_count(run->labels) > 40 ? " ..." : "");
    doc_end_line(out);
    doc_line(out, STYLE_QUIET, "  %zu of %zu layers computed, %zu KB held; %zu %s", run->n_computed,
             run->model->config.n_layers, run_bytes(run) / 1000, run->n_edits,
             run->n_edits == 1 ? "edit" : "edits");
}

/* Stages first, in the order of their enum. */
enum run_attribute {
    RUN_NORMED_OUT = STAGE_COUNT,
    RUN_LOGITS,
    RUN_IDS,
    RUN_TOKENS,
    RUN_MODEL,
};

static const char *const run_attributes[] = {
    "resid",      "normed",   "q",      "k",       "v",      "scores", "weights",
    "context",    "attended", "middle", "normed2", "hidden", "mlp",    "out",
    "normed_out", "logits",   "ids",    "tokens",  "model",  NULL};

static bool shared_node(struct node *node, struct value *ret)
{
    if (node == NULL)
        return false;
    *ret = value_node(node_share(node));
    return true;
}

static bool run_attribute(struct object *object, size_t which, struct graph *graph,
                          struct value *ret, struct error *reterr)
{
    struct run *run = ((struct run_object *)object)->run;
    (void)graph;
    if (which < STAGE_COUNT)
        return new_stage(run, (enum stage)which, ret, reterr);
    switch ((enum run_attribute)which) {
    case RUN_NORMED_OUT:
        return shared_node(run_last_normed(run, reterr), ret);
    case RUN_LOGITS:
        return shared_node(run_logits(run, reterr), ret);
    case RUN_IDS:
        return shared_node(run->ids, ret);
    case RUN_TOKENS:
        if (run->labels == NULL)
            return error_set(reterr, ERR_NAME, ".tokens: this run was given ids, not a text");
        return value_labels(run->labels, ret, reterr);
    case RUN_MODEL:
        return value_model(model_share(run->model), ret, reterr);
    }
    return false;
}

/* The stage of the run that a node is. */
static bool find_stage(const struct run *run, const struct node *node, struct edit *ret)
{
    for (size_t layer = 0; layer < run->n_computed; layer++)
        for (size_t stage = 0; stage < STAGE_COUNT; stage++)
            if (run->stages[layer][stage] == node) {
                *ret = (struct edit){.stage = (enum stage)stage, .layer = layer};
                return true;
            }
    return false;
}

static bool change_run(struct object *object, struct node *from, struct node *to, struct value *ret,
                       struct error *reterr)
{
    struct run *run = ((struct run_object *)object)->run;
    struct edit edit;
    if (from == run->ids)
        return value_run(run_ids(run->graph, run->model, to, reterr), ret, reterr);
    if (find_stage(run, from, &edit)) {
        edit.to = to;
        return value_run(run_edited(run, &edit, 1, reterr), ret, reterr);
    }
    if (from == run->last_normed)
        return value_run(run_ending(run, to, NULL, reterr), ret, reterr);
    if (from == run->logits)
        return value_run(run_ending(run, NULL, to, reterr), ret, reterr);
    object->n_owners++;
    *ret = value_object(object);
    return true;
}

static bool show_run_change(struct object *before, struct object *after, int digits,
                            struct doc *out, struct error *reterr)
{
    return show_prediction_change(((struct run_object *)before)->run,
                                  ((struct run_object *)after)->run, digits, out, reterr);
}

static const struct object_class run_class = {.name = "run",
                                              .attributes = run_attributes,
                                              .attribute = run_attribute,
                                              .show = show_run,
                                              .change = change_run,
                                              .show_change = show_run_change,
                                              .free = free_run};
