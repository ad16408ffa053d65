/* See run.h. */
#include "model/run.h"

#include <stdlib.h>
#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "show/labels.h"
#include "tensor/tensor.h"

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
