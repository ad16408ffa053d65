/* See cut.h. */
#include "model/cut.h"

#include <stdlib.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "model/run.h"
#include "tensor/tensor.h"

/* Cuts as edits of a run. */
struct cutting {
    struct run *run, *other;
    enum cut_how how;
    struct builder builder;
    struct edit *edits;
    size_t n_edits;
};

static bool check_head(const struct model_config *config, const struct cut *cut,
                       struct error *reterr)
{
    return cut->part != CUT_HEAD || cut->head < config->n_heads ||
           error_set(reterr, ERR_RANGE, "head %zu: a layer has %zu %s, 0 to %zu", cut->head,
                     config->n_heads, config->n_heads == 1 ? "head" : "heads", config->n_heads - 1);
}

static bool check_other(const struct run *run, const struct run *other, struct error *reterr)
{
    if (run->model != other->model)
        return error_set(reterr, ERR_SHAPE,
                         "frozen: both runs must be of one model, and these are of %s and another "
                         "%s",
                         run->model->name, other->model->name);
    if (tensor_same_shape(&run->ids->value, &other->ids->value))
        return true;
    return error_set(reterr, ERR_SHAPE,
                     "frozen: both texts need as many tokens, and these have %zu and %zu",
                     run_length(run), run_length(other));
}

/* (n_heads, 1, 1): true for one head. */
static struct node *one_head(struct builder *b, size_t n_heads, size_t head)
{
    struct tensor numbers;
    size_t shape[3] = {n_heads, 1, 1};
    if (b->failed || !tensor_empty(3, shape, &numbers, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    for (size_t h = 0; h < n_heads; h++)
        numbers.data[h] = (float)h;
    return build2(b, OP_EQ, build_input(b, &numbers, "heads"), build_number(b, (double)head));
}

/* What stands in the place of a stage. */
static struct node *instead(struct cutting *c, enum stage stage, size_t layer)
{
    struct builder *b = &c->builder;
    struct run *from = c->how == CUT_FROZEN ? c->other : c->run;
    struct node *x = run_stage(from, stage, layer, b->reterr);
    if (x == NULL)
        return NULL;
    if (c->how == CUT_ZERO)
        return build_number(b, 0);
    if (c->how == CUT_MEAN)
        return build_reduce(b, OP_MEAN, x, 1U << (x->value.n_axes - 2), true, 0);
    return x;
}

static bool add_edit(struct cutting *c, enum stage stage, size_t layer, struct node *where)
{
    struct node *to = instead(c, stage, layer);
    c->edits[c->n_edits++] =
        (struct edit){.stage = stage, .layer = layer, .where = where, .to = to};
    return to != NULL && !c->builder.failed;
}

static bool add_cut(struct cutting *c, const struct cut *cut)
{
    const struct model_config *config = &c->run->model->config;
    if (!check_head(config, cut, c->builder.reterr))
        return false;
    switch (cut->part) {
    case CUT_HEAD:
        return add_edit(c, STAGE_CONTEXT, cut->layer,
                        one_head(&c->builder, config->n_heads, cut->head));
    case CUT_LAYER:
        return add_edit(c, STAGE_ATTENDED, cut->layer, NULL) &&
               (config->d_mlp == 0 || add_edit(c, STAGE_MLP, cut->layer, NULL));
    case CUT_MLP:
        return add_edit(c, STAGE_MLP, cut->layer, NULL);
    }
    return false;
}

struct run *run_cut(struct run *run, const struct cut *cuts, size_t n, enum cut_how how,
                    struct run *other, struct error *reterr)
{
    struct cutting c = {.run = run, .other = other, .how = how};
    if (how == CUT_FROZEN && !check_other(run, other, reterr))
        return NULL;
    c.edits = calloc(2 * n + 1, sizeof *c.edits);
    if (c.edits == NULL) {
        error_memory(reterr, "the cuts of a run");
        return NULL;
    }
    builder_init(&c.builder, run->graph, reterr);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = add_cut(&c, &cuts[i]);
    struct run *cut = ok ? run_edited(run, c.edits, c.n_edits, reterr) : NULL;
    builder_release(&c.builder);
    free(c.edits);
    return cut;
}
