/* See run.h. */
#include "model/run.h"

#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "tensor/tensor.h"
#include "files/tokenizer.h"
#include "graph/node.h"
#include "model/model.h"
#include "model/shipped.h"
#include "show/labels.h"
#include "graph/builder.h"

/* ---- ids ---- */

enum { DIGITS_MAX = 7 }; /* float32 holds every number of so many */

bool ids_parse(const char *text, struct tensor *ret, struct error *reterr)
{
    char shown[80];
    size_t n = 0;
    float *ids = calloc(strlen(text) + 1, sizeof *ids);
    const char *at = text;
    bool ok = ids != NULL || error_memory(reterr, "ids");
    while (ok && *(at += strspn(at, " ,\t\n")) != '\0') {
        char *end;
        ids[n++] = (float)strtoul(at, &end, 10);
        ok = (text_is_digit(*at) && end - at <= DIGITS_MAX) ||
             error_set(reterr, ERR_SYNTAX, "ids are whole numbers, as in 1 2 3, and this is %s",
                       error_quote(shown, sizeof shown, text, strlen(text)));
        at = end;
    }
    ok = ok && (n > 0 || error_set(reterr, ERR_SYNTAX, "no ids: they are numbers, as in 1 2 3"));
    ok = ok && tensor_from(1, &n, ids, ret, reterr);
    free(ids);
    return ok;
}

/* ---- text run ---- */

static bool need_tokenizer(const struct model *model, struct error *reterr)
{
    return model->tokenizer != NULL ||
           error_set(reterr, ERR_NAME,
                     "%s has no vocabulary, so it takes ids and no text: put vocab.json and "
                     "merges.txt, or tokenizer.json, into its folder",
                     model->name);
}

/* The number at a place as an id of the vocabulary. */
static bool id_at(const struct model *model, const struct tensor *ids, size_t i, uint32_t *ret,
                  struct error *reterr)
{
    float id = tensor_at_position(ids, i);
    if (!(id >= 0 && id < (float)model->config.vocab) || id != floorf(id))
        return error_set(reterr, ERR_RANGE, "%g is not a token: %s has %zu, 0 to %zu", (double)id,
                         model->name, model->config.vocab, model->config.vocab - 1);
    *ret = (uint32_t)id;
    return true;
}

bool model_can_run(const struct model *model, struct error *reterr)
{
    return model->config.n_layers > 0 ||
           error_set(reterr, ERR_NAME, "%s holds a vocabulary alone: it has no weights to run",
                     model->name);
}

bool model_check_ids(const struct model *model, const struct tensor *ids, struct error *reterr)
{
    uint32_t id;
    for (size_t i = 0; i < tensor_size(ids); i++)
        if (!id_at(model, ids, i, &id, reterr))
            return false;
    return true;
}

void model_show_token(const struct model *model, size_t id, struct text *text)
{
    size_t size;
    const char *bytes =
        model->tokenizer != NULL ? tokenizer_token(model->tokenizer, (uint32_t)id, &size) : NULL;
    if (bytes != NULL && size > 0)
        token_show(bytes, size, false, text);
    else
        text_format(text, "%zu", id);
}

/* ---- labels ---- */

/* Tokens of a model. */
struct token_ids {
    const struct model *model;
    const struct tensor *ids;
};

static void write_token(const void *about, size_t i, struct text *text)
{
    const struct token_ids *all = about;
    model_show_token(all->model, (size_t)tensor_at_position(all->ids, i), text);
}

bool model_label_ids(const struct model *model, const struct tensor *ids, struct labels **ret,
                     struct error *reterr)
{
    const struct token_ids all = {model, ids};
    *ret = NULL;
    if (model->tokenizer == NULL || ids->n_axes != 1 || ids->shape[0] == 0)
        return true;
    return model_check_ids(model, ids, reterr) &&
           labels_written(ids->shape[0], write_token, &all, ret, reterr);
}

/* ---- texts ---- */

/* To an error about words that a model of words lacks: a text that it knows. */
static void add_example(const struct model *model, const char *text, size_t size,
                        struct error *reterr)
{
    size_t begin, end = 0, known = 0;
    if (tokenizer_next_unknown(model->tokenizer, text, size, &begin, &end) &&
        !tokenizer_next_unknown(model->tokenizer, shipped_example, strlen(shipped_example), &begin,
                                &known)) {
        size_t at = strlen(reterr->text);
        snprintf(reterr->text + at, sizeof reterr->text - at, "%s this text works: \"%s\"",
                 at > 0 && reterr->text[at - 1] == '?' ? "" : ";", shipped_example);
    }
}

bool model_encode(const struct model *model, const char *text, size_t size, struct tensor *ret_ids,
                  struct labels **ret_labels, struct error *reterr)
{
    struct tokens tokens = {0};
    bool ok = need_tokenizer(model, reterr) &&
              tokenizer_encode(model->tokenizer, text, size, &tokens, reterr) &&
              tensor_empty(1, &tokens.n, ret_ids, reterr);
    for (size_t i = 0; ok && i < tokens.n; i++)
        ret_ids->data[i] = (float)tokens.items[i].id;
    tokens_release(&tokens);
    if (!ok && model->tokenizer != NULL && reterr != NULL && reterr->kind == ERR_RANGE)
        add_example(model, text, size, reterr);
    if (!ok || model_label_ids(model, ret_ids, ret_labels, reterr))
        return ok;
    tensor_release(ret_ids);
    return false;
}

bool model_decode(const struct model *model, const struct tensor *ids, struct text *text,
                  struct error *reterr)
{
    if (!need_tokenizer(model, reterr))
        return false;
    if (ids->n_axes > 1 && ids->shape[ids->n_axes - 1] != tensor_size(ids)) {
        char shape[TENSOR_SHAPE_TEXT];
        return error_set(reterr, ERR_SHAPE, "decode: ids must be one text, (n,), and this is %s",
                         tensor_shape_text(ids, shape));
    }
    size_t n = tensor_size(ids);
    uint32_t *list = calloc(n + 1, sizeof *list);
    bool ok = list != NULL || error_memory(reterr, "a text");
    for (size_t i = 0; ok && i < n; i++)
        ok = id_at(model, ids, i, &list[i], reterr);
    ok = ok && tokenizer_decode(model->tokenizer, list, n, text, reterr);
    free(list);
    return ok;
}

bool model_write_text(const struct model *model, const struct tensor *ids, struct text *text,
                      struct error *reterr)
{
    uint32_t first;
    struct tensor rest = tensor_share(ids), whole;
    size_t n = tensor_size(ids);
    bool has_first = model->tokenizer != NULL && tokenizer_first(model->tokenizer, &first) &&
                     n > 0 && tensor_at_position(ids, 0) == (float)first;
    if (has_first) {
        whole = rest;
        n--;
        bool ok = tensor_empty(1, &n, &rest, reterr);
        for (size_t i = 0; ok && i < n; i++)
            rest.data[i] = tensor_at_position(ids, i + 1);
        tensor_release(&whole);
        if (!ok)
            return false;
    }
    bool ok = n == 0 || model_decode(model, &rest, text, reterr);
    tensor_release(&rest);
    return ok;
}

bool model_find_token(const struct model *model, const char *text, size_t size, size_t *ret,
                      struct error *reterr)
{
    struct tokens tokens = {0};
    uint32_t id = 0;
    if (!need_tokenizer(model, reterr))
        return false;
    bool ok = tokenizer_find(model->tokenizer, text, size, &id);
    if (!ok && tokenizer_encode(model->tokenizer, text, size, &tokens, reterr)) {
        ok = tokens.n == 1;
        id = ok ? tokens.items[0].id : 0;
        if (!ok)
            error_set(reterr, ERR_NAME,
                      "\"%.*s\" is %zu tokens of %s, not one: give the token with its space, as "
                      "\" cat\", or its id; encode(m, \"...\") shows them",
                      (int)(size < 40 ? size : 40), text, tokens.n, model->name);
    }
    tokens_release(&tokens);
    *ret = ok ? id : 0;
    return ok;
}

struct run *run_ids(struct graph *graph, struct model *model, struct node *ids,
                    struct error *reterr)
{
    struct labels *labels;
    if (!model_can_run(model, reterr) || !forward_check_length(model, &ids->value, 0, reterr) ||
        !model_check_ids(model, &ids->value, reterr) ||
        !model_label_ids(model, &ids->value, &labels, reterr))
        return NULL;
    struct run *run = run_new(graph, model, ids, labels, reterr);
    labels_free(labels);
    return run;
}

bool model_encode_whole(const struct model *model, const char *text, size_t size,
                        struct tensor *ret_ids, size_t *ret_n_added, struct error *reterr)
{
    struct tensor ids;
    struct labels *labels;
    uint32_t first;
    if (!model_encode(model, text, size, &ids, &labels, reterr))
        return false;
    labels_free(labels);
    *ret_n_added = tokenizer_first(model->tokenizer, &first);
    if (*ret_n_added == 0) {
        *ret_ids = ids;
        return true;
    }
    size_t n = tensor_size(&ids) + 1;
    bool ok = tensor_empty(1, &n, ret_ids, reterr);
    if (ok) {
        ret_ids->data[0] = (float)first;
        tensor_read(&ids, ret_ids->data + 1);
    }
    tensor_release(&ids);
    return ok;
}

struct run *run_text(struct graph *graph, struct model *model, const char *text, size_t size,
                     struct error *reterr)
{
    struct tensor ids;
    size_t n_added;
    static const char name[] = "ids";
    if (!model_encode_whole(model, text, size, &ids, &n_added, reterr))
        return NULL;
    struct node *node = node_input(graph, &ids, name, sizeof name - 1, reterr);
    struct run *run = NULL;
    if (node != NULL && node_set_name(node, name, sizeof name - 1, reterr))
        run = run_ids(graph, model, node, reterr);
    if (run != NULL)
        node_set_labels(node, 0, run->labels);
    node_free(node);
    return run;
}

/* ---- run ---- */

struct run *run_new(struct graph *graph, struct model *model, struct node *ids,
                    struct labels *labels, struct error *reterr)
{
    size_t n_layers = model->config.n_layers;
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        error_memory(reterr, "a run of a model");
        return NULL;
    }
    run->n_owners = 1;
    run->graph = graph;
    run->model = model_share(model);
    run->ids = node_share(ids);
    run->labels = labels_share(labels);
    run->is_open = calloc(n_layers + 1, sizeof *run->is_open);
    run->stages = calloc(n_layers + 1, sizeof *run->stages);
    if (run->is_open != NULL && run->stages != NULL)
        return run;
    error_memory(reterr, "a run of a model");
    run_free(run);
    return NULL;
}

struct run *run_share(struct run *run)
{
    run->n_owners++;
    return run;
}

static void free_stages(struct node *stages[STAGE_COUNT])
{
    for (size_t i = 0; i < STAGE_COUNT; i++) {
        node_free(stages[i]);
        stages[i] = NULL;
    }
}

void run_free(struct run *run)
{
    if (run == NULL || --run->n_owners > 0)
        return;
    node_free(run->logits);
    node_free(run->last_normed);
    for (size_t layer = 0; run->stages != NULL && layer <= run->model->config.n_layers; layer++)
        free_stages(run->stages[layer]);
    for (size_t i = 0; i < run->n_edits; i++) {
        node_free(run->edits[i].where);
        node_free(run->edits[i].to);
    }
    free(run->edits);
    free(run->stages);
    free(run->is_open);
    labels_free(run->labels);
    node_free(run->ids);
    model_free(run->model);
    free(run);
}

static struct forward forward_of(const struct run *run)
{
    return (struct forward){.model = run->model,
                            .labels = run->labels,
                            .edits = run->edits,
                            .n_edits = run->n_edits,
                            .is_open = run->is_open};
}

/* ---- edits ---- */

/* Copies edits behind those that the run has. */
static bool add_edits(struct run *run, const struct edit *edits, size_t n, struct error *reterr)
{
    struct edit *all = realloc(run->edits, (run->n_edits + n + 1) * sizeof *all);
    if (all == NULL)
        return error_memory(reterr, "the edits of a run");
    run->edits = all;
    for (size_t i = 0; i < n; i++) {
        all[run->n_edits] = edits[i];
        if (edits[i].where != NULL)
            node_share(edits[i].where);
        node_share(edits[i].to);
        run->n_edits++;
    }
    return true;
}

/* The first layer that any of the edits touches. */
static size_t first_edited(const struct edit *edits, size_t n, size_t n_layers)
{
    size_t first = n_layers;
    for (size_t i = 0; i < n; i++)
        first = edits[i].layer < first ? edits[i].layer : first;
    return first;
}

struct run *run_edited(const struct run *base, const struct edit *edits, size_t n_edits,
                       struct error *reterr)
{
    size_t n_layers = base->model->config.n_layers;
    struct run *run = run_new(base->graph, base->model, base->ids, base->labels, reterr);
    if (run == NULL)
        return NULL;
    if (!add_edits(run, base->edits, base->n_edits, reterr) ||
        !add_edits(run, edits, n_edits, reterr)) {
        run_free(run);
        return NULL;
    }
    memcpy(run->is_open, base->is_open, n_layers * sizeof *run->is_open);
    size_t shared = first_edited(edits, n_edits, n_layers);
    if (shared > base->n_computed)
        shared = base->n_computed;
    for (size_t layer = 0; layer < shared; layer++)
        for (size_t stage = 0; stage < STAGE_COUNT; stage++)
            if (base->stages[layer][stage] != NULL)
                run->stages[layer][stage] = node_share(base->stages[layer][stage]);
    run->n_computed = shared;
    return run;
}

struct run *run_ending(const struct run *base, struct node *last_normed, struct node *logits,
                       struct error *reterr)
{
    struct run *run = run_edited(base, NULL, 0, reterr);
    if (run == NULL)
        return NULL;
    struct node *normed = last_normed != NULL ? last_normed : base->last_normed;
    run->last_normed = normed != NULL ? node_share(normed) : NULL;
    run->logits = logits != NULL ? node_share(logits) : NULL;
    return run;
}

/* ---- computing ---- */

/* Builds for a run: its sums are long, and the largest terms say most. */
static void builder_start(struct builder *builder, struct run *run, struct error *reterr)
{
    builder_init(builder, run->graph, reterr);
    builder->largest_first = true;
}

/* Keeps what a builder made: one more owner each. */
static void keep_stages(struct run *run, size_t layer, struct node *const stages[STAGE_COUNT])
{
    for (size_t i = 0; i < STAGE_COUNT; i++)
        if (stages[i] != NULL && run->stages[layer][i] == NULL)
            run->stages[layer][i] = node_share(stages[i]);
}

static bool compute_layer(struct run *run, size_t layer, struct error *reterr)
{
    struct forward forward = forward_of(run);
    struct node *stages[STAGE_COUNT];
    struct builder builder;
    builder_start(&builder, run, reterr);
    struct node *resid =
        layer > 0 ? run->stages[layer - 1][STAGE_OUT] : forward_embed(&builder, &forward, run->ids);
    bool ok = resid != NULL && forward_layer(&builder, &forward, layer, resid, stages);
    if (ok) {
        keep_stages(run, layer, stages);
        run->n_computed = layer + 1;
    }
    builder_release(&builder);
    return ok;
}

/* The scores and weights of a layer that keeps none: worked out beside it. */
static bool compute_weights(struct run *run, size_t layer, struct error *reterr)
{
    struct forward forward = forward_of(run);
    struct node *stages[STAGE_COUNT];
    struct builder builder;
    builder_start(&builder, run, reterr);
    memcpy(stages, run->stages[layer], sizeof stages);
    bool ok = forward_weights(&builder, &forward, layer, stages);
    if (ok)
        keep_stages(run, layer, stages);
    builder_release(&builder);
    return ok;
}

struct node *run_stage(struct run *run, enum stage stage, size_t layer, struct error *reterr)
{
    size_t n_layers = run->model->config.n_layers;
    if (layer >= n_layers) {
        error_set(reterr, ERR_RANGE, "layer %zu: %s has %zu %s, 0 to %zu", layer, run->model->name,
                  n_layers, n_layers == 1 ? "layer" : "layers", n_layers - 1);
        return NULL;
    }
    while (run->n_computed <= layer)
        if (!compute_layer(run, run->n_computed, reterr))
            return NULL;
    if (run->stages[layer][stage] == NULL && (stage == STAGE_SCORES || stage == STAGE_WEIGHTS) &&
        !compute_weights(run, layer, reterr))
        return NULL;
    if (run->stages[layer][stage] == NULL)
        error_set(reterr, ERR_NAME, "%s: %s has no MLP, so no such stage", stage_name(stage),
                  run->model->name);
    return run->stages[layer][stage];
}

struct node *run_last_normed(struct run *run, struct error *reterr)
{
    if (run->last_normed != NULL)
        return run->last_normed;
    struct node *out = run_stage(run, STAGE_OUT, run->model->config.n_layers - 1, reterr);
    if (out == NULL)
        return NULL;
    struct forward forward = forward_of(run);
    struct builder builder;
    builder_start(&builder, run, reterr);
    run->last_normed = builder_result(&builder, forward_last_norm(&builder, &forward, out));
    builder_release(&builder);
    return run->last_normed;
}

struct node *run_logits(struct run *run, struct error *reterr)
{
    if (run->logits != NULL || run_last_normed(run, reterr) == NULL)
        return run->logits;
    struct forward forward = forward_of(run);
    struct builder builder;
    builder_start(&builder, run, reterr);
    run->logits = builder_result(&builder, forward_logits(&builder, &forward, run->last_normed));
    builder_release(&builder);
    return run->logits;
}

/* ---- looking ---- */

size_t run_length(const struct run *run)
{
    return run->ids->value.shape[run->ids->value.n_axes - 1];
}

bool run_check_one_text(const struct run *run, struct error *reterr)
{
    char shape[TENSOR_SHAPE_TEXT];
    return run->ids->value.n_axes == 1 ||
           error_set(reterr, ERR_SHAPE,
                     "this run is a batch, of ids %s; run one text alone, as m(ids[0])",
                     tensor_shape_text(&run->ids->value, shape));
}

size_t run_bytes(const struct run *run)
{
    size_t numbers = run->logits != NULL ? tensor_size(&run->logits->value) : 0;
    for (size_t layer = 0; layer < run->n_computed; layer++)
        for (size_t stage = 0; stage < STAGE_COUNT; stage++)
            if (run->stages[layer][stage] != NULL)
                numbers += tensor_size(&run->stages[layer][stage]->value);
    return numbers * sizeof(float);
}
