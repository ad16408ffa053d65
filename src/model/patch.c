/* See patch.h. */
#include "model/patch.h"

#include "graph/builder.h"
#include "graph/node.h"
#include "model/cut.h"
#include "model/run.h"
#include "tensor/tensor.h"

static bool check_texts(const struct run *to, const struct run *from, struct error *reterr)
{
    if (to->model != from->model)
        return error_set(reterr, ERR_SHAPE, "patch: both runs must be of one model");
    if (to->ids->value.n_axes == 1 && tensor_same_shape(&to->ids->value, &from->ids->value))
        return true;
    return error_set(reterr, ERR_SHAPE,
                     "patch: what is put in place must fit: both texts need as many tokens, and "
                     "these have %zu and %zu",
                     run_length(from), run_length(to));
}

/* (n, 1): true at one position; NULL, so everywhere, for -1. */
static struct node *one_position(struct builder *b, size_t n, ptrdiff_t position)
{
    struct tensor numbers;
    if (position < 0)
        return NULL;
    if (!tensor_empty(2, (size_t[]){n, 1}, &numbers, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        numbers.data[i] = (float)i;
    return build2(b, OP_EQ, build_input(b, &numbers, "positions"),
                  build_number(b, (double)position));
}

struct run *run_patched(struct run *to, struct run *from, size_t layer, ptrdiff_t position,
                        struct error *reterr)
{
    struct node *stream = NULL;
    struct run *patched = NULL;
    struct builder builder;
    if (!check_texts(to, from, reterr))
        return NULL;
    if (position >= (ptrdiff_t)run_length(to)) {
        error_set(reterr, ERR_RANGE, "patch: position %td: the texts have %zu tokens, 0 to %zu",
                  position, run_length(to), run_length(to) - 1);
        return NULL;
    }
    stream = run_stage(from, STAGE_RESID, layer, reterr);
    if (stream == NULL)
        return NULL;
    builder_init(&builder, to->graph, reterr);
    struct node *where = one_position(&builder, run_length(to), position);
    /* What goes into a layer is what comes out of the one before. */
    struct edit edit = {.stage = layer > 0 ? STAGE_OUT : STAGE_RESID,
                        .layer = layer > 0 ? layer - 1 : 0,
                        .where = where,
                        .to = stream};
    if (!builder.failed)
        patched = run_edited(to, &edit, 1, reterr);
    builder_release(&builder);
    return patched;
}

/* logit of tokens[0] - logit of tokens[1], at the end. */
static bool preference(struct run *run, const size_t tokens[2], double *ret, struct error *reterr)
{
    struct node *logits = run_logits(run, reterr);
    if (logits == NULL)
        return false;
    size_t last = run_length(run) - 1;
    *ret = (double)tensor_at(&logits->value, (size_t[]){last, tokens[0]}) -
           (double)tensor_at(&logits->value, (size_t[]){last, tokens[1]});
    return true;
}

static struct run *patch_part(struct run *to, struct run *from, enum patch_by by, size_t layer,
                              size_t at, struct error *reterr)
{
    if (by == PATCH_POSITIONS)
        return run_patched(to, from, layer, (ptrdiff_t)at, reterr);
    struct cut head = {CUT_HEAD, layer, at};
    return run_cut(to, &head, 1, CUT_FROZEN, from, reterr);
}

/* The preference with one part patched. */
static bool preference_with(struct run *to, struct run *from, enum patch_by by, size_t layer,
                            size_t at, const size_t tokens[2], double *ret, struct error *reterr)
{
    struct run *patched = patch_part(to, from, by, layer, at, reterr);
    bool ok = patched != NULL && preference(patched, tokens, ret, reterr);
    run_free(patched);
    return ok;
}

bool patch_recovered(struct run *to, struct run *from, enum patch_by by, const size_t tokens[2],
                     struct tensor *ret, struct error *reterr)
{
    const struct model_config *config = &to->model->config;
    size_t shape[2] = {config->n_layers, by == PATCH_HEADS ? config->n_heads : run_length(to)};
    double of_to, of_from, patched;
    struct tensor recovered;
    if (!check_texts(to, from, reterr) || !preference(to, tokens, &of_to, reterr) ||
        !preference(from, tokens, &of_from, reterr))
        return false;
    if (of_to == of_from)
        return error_set(
            reterr, ERR_RANGE,
            "patch: both texts prefer the one token to the other by the same; name two "
            "that they differ on, token= and against=");
    if (!tensor_empty(2, shape, &recovered, reterr))
        return false;
    for (size_t i = 0; i < shape[0] * shape[1]; i++) {
        if (!preference_with(to, from, by, i / shape[1], i % shape[1], tokens, &patched, reterr)) {
            tensor_release(&recovered);
            return false;
        }
        recovered.data[i] = (float)((patched - of_to) / (of_from - of_to));
    }
    *ret = recovered;
    return true;
}
