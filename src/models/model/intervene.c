/* See intervene.h. */
#include "model/intervene.h"

#include <stdlib.h>
#include <math.h>
#include <stdint.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "model/run.h"
#include "tensor/tensor.h"
#include "model/generate.h"
#include "base/text.h"
#include "show/labels.h"

/* ---- cut ---- */

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

/* ---- patch ---- */

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

/* ---- effect ---- */

bool run_likeliest(struct run *run, size_t *ret, struct error *reterr)
{
    struct node *logits = run_check_one_text(run, reterr) ? run_logits(run, reterr) : NULL;
    if (logits == NULL)
        return false;
    *ret = prediction_likeliest(&logits->value, run_length(run) - 1);
    return true;
}

static bool probability_of(struct run *run, size_t token, double *ret, struct error *reterr)
{
    size_t vocab = run->model->config.vocab;
    if (token >= vocab)
        return error_set(reterr, ERR_RANGE, "%zu is not a token: %s has %zu, 0 to %zu", token,
                         run->model->name, vocab, vocab - 1);
    struct node *logits = run_check_one_text(run, reterr) ? run_logits(run, reterr) : NULL;
    if (logits == NULL)
        return false;
    *ret = exp(prediction_log_probability(&logits->value, run_length(run) - 1, token));
    return true;
}

static bool loss_of(struct run *run, double *ret, struct error *reterr)
{
    const struct tensor *ids = &run->ids->value;
    size_t n = run_length(run), n_texts = n > 0 ? tensor_size(ids) / n : 0;
    double sum = 0;
    if (n < 2)
        return error_set(reterr, ERR_RANGE, "a text of one token has no loss: nothing follows it");
    struct node *logits = run_logits(run, reterr);
    if (logits == NULL)
        return false;
    for (size_t i = 0; i < n_texts * n; i++)
        if (i % n + 1 < n)
            sum -= prediction_log_probability(&logits->value, i,
                                              (size_t)tensor_at_position(ids, i + 1));
    *ret = sum / (double)(n_texts * (n - 1));
    return true;
}

bool run_measure(struct run *run, const struct effect *effect, double *ret, struct error *reterr)
{
    return effect->on == EFFECT_LOSS ? loss_of(run, ret, reterr)
                                     : probability_of(run, effect->token, ret, reterr);
}

/* The same with one head cut. */
static bool measure_cut(struct run *run, const struct effect *effect, const struct cut *cut,
                        enum cut_how how, struct run *other, double *ret, struct error *reterr)
{
    struct run *without = run_cut(run, cut, 1, how, other, reterr);
    bool ok = without != NULL && run_measure(without, effect, ret, reterr);
    run_free(without);
    return ok;
}

bool heads_measure(struct run *run, const struct effect *effect, enum cut_how how,
                   struct run *other, struct tensor *ret, struct error *reterr)
{
    const struct model_config *config = &run->model->config;
    size_t shape[2] = {config->n_layers, config->n_heads};
    struct tensor all;
    double before, after;
    if (!run_measure(run, effect, &before, reterr) || !tensor_empty(2, shape, &all, reterr))
        return false;
    for (size_t i = 0; i < shape[0] * shape[1]; i++) {
        struct cut cut = {CUT_HEAD, i / shape[1], i % shape[1]};
        if (!measure_cut(run, effect, &cut, how, other, &after, reterr)) {
            tensor_release(&all);
            return false;
        }
        all.data[i] = (float)(after - before);
    }
    *ret = all;
    return true;
}

/* ---- compare ---- */

static bool check_models(const struct run *a, const struct run *b,
                         const struct alignment *alignment, struct error *reterr)
{
    const struct model_config *x = &a->model->config, *y = &b->model->config;
    if (x->n_layers != y->n_layers || x->n_heads != y->n_heads)
        return error_set(
            reterr, ERR_SHAPE,
            "compare: the models have %zu x %zu and %zu x %zu heads; both runs need as "
            "many",
            x->n_layers, x->n_heads, y->n_layers, y->n_heads);
    return alignment->n > 0 ||
           error_set(reterr, ERR_SHAPE, "compare: no token of one text has a partner in the other");
}

/* The weights of a layer of both runs. */
static bool both_weights(struct run *a, struct run *b, size_t layer, const struct tensor *ret[2],
                         struct error *reterr)
{
    struct node *of_a = run_stage(a, STAGE_WEIGHTS, layer, reterr);
    struct node *of_b = of_a != NULL ? run_stage(b, STAGE_WEIGHTS, layer, reterr) : NULL;
    if (of_b == NULL)
        return false;
    ret[0] = &of_a->value;
    ret[1] = &of_b->value;
    return true;
}

/* Half the sum of |difference| of a paired query's rows. The weights of each row add up to `sum`;
 * what of it lies on keys without a partner is the sum minus that on the others. */
static double row_change(const struct tensor *const weights[2], const struct alignment *alignment,
                         size_t head, const size_t pair[2])
{
    double change = 0, alone[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < weights[side]->shape[2]; k++)
            alone[side] += (double)tensor_at(weights[side], (size_t[]){head, pair[side], k});
    for (size_t i = 0; i < alignment->n; i++) {
        const size_t *keys = alignment->pairs[i];
        double x = (double)tensor_at(weights[0], (size_t[]){head, pair[0], keys[0]});
        double y = (double)tensor_at(weights[1], (size_t[]){head, pair[1], keys[1]});
        change += fabs(x - y);
        alone[0] -= x;
        alone[1] -= y;
    }
    return (change + fmax(alone[0], 0) + fmax(alone[1], 0)) / 2;
}

bool heads_change(struct run *a, struct run *b, const struct alignment *alignment,
                  struct tensor *ret, struct error *reterr)
{
    const struct model_config *config = &a->model->config;
    const struct tensor *weights[2];
    size_t shape[2] = {config->n_layers, config->n_heads};
    struct tensor changes;
    if (!check_models(a, b, alignment, reterr) || !tensor_zeros(2, shape, &changes, reterr))
        return false;
    for (size_t i = 0; i < shape[0] * shape[1]; i++) {
        double sum = 0;
        if (!both_weights(a, b, i / shape[1], weights, reterr)) {
            tensor_release(&changes);
            return false;
        }
        for (size_t q = 0; q < alignment->n; q++)
            sum += row_change(weights, alignment, i % shape[1], alignment->pairs[q]);
        changes.data[i] = (float)(sum / (double)alignment->n);
    }
    *ret = changes;
    return true;
}

bool head_difference(struct run *a, struct run *b, const struct alignment *alignment,
                     const size_t head[2], struct tensor *ret, struct error *reterr)
{
    const struct tensor *weights[2];
    size_t n = alignment->n;
    if (!check_models(a, b, alignment, reterr) || !both_weights(a, b, head[0], weights, reterr) ||
        !tensor_empty(2, (size_t[]){n, n}, ret, reterr))
        return false;
    for (size_t q = 0; q < n; q++)
        for (size_t k = 0; k < n; k++) {
            const size_t *query = alignment->pairs[q], *key = alignment->pairs[k];
            ret->data[q * n + k] = tensor_at(weights[1], (size_t[]){head[1], query[1], key[1]}) -
                                   tensor_at(weights[0], (size_t[]){head[1], query[0], key[0]});
        }
    return true;
}

/* ---- alignment ---- */

/* costs[i][j]: the changes from the first i tokens of a to the first j of b. */
struct table {
    const struct tensor *a, *b;
    size_t n_a, n_b;
    uint32_t *costs; /* (n_a + 1) x (n_b + 1) */
};

static uint32_t *cost_at(const struct table *table, size_t i, size_t j)
{
    return &table->costs[i * (table->n_b + 1) + j];
}

/* Of pairing token i - 1 with j - 1. */
static uint32_t cost_of_pair(const struct table *table, size_t i, size_t j)
{
    bool same = tensor_at_position(table->a, i - 1) == tensor_at_position(table->b, j - 1);
    return *cost_at(table, i - 1, j - 1) + !same;
}

static void fill(struct table *table)
{
    for (size_t i = 0; i <= table->n_a; i++)
        for (size_t j = 0; j <= table->n_b; j++) {
            uint32_t *cost = cost_at(table, i, j);
            if (i == 0 || j == 0) {
                *cost = (uint32_t)(i + j);
                continue;
            }
            uint32_t without_a = *cost_at(table, i - 1, j) + 1;
            uint32_t without_b = *cost_at(table, i, j - 1) + 1;
            *cost = cost_of_pair(table, i, j);
            *cost = without_a < *cost ? without_a : *cost;
            *cost = without_b < *cost ? without_b : *cost;
        }
}

/* From the ends back: equal tokens are paired; of several that could be replaced by one, the first
 * is. */
static void walk(const struct table *table, struct alignment *alignment)
{
    size_t i = table->n_a, j = table->n_b, n = 0;
    while (i > 0 && j > 0) {
        uint32_t cost = *cost_at(table, i, j);
        bool same = tensor_at_position(table->a, i - 1) == tensor_at_position(table->b, j - 1);
        if (!same && cost == *cost_at(table, i - 1, j) + 1) {
            i--;
        } else if (!same && cost == *cost_at(table, i, j - 1) + 1) {
            j--;
        } else {
            alignment->pairs[n][0] = --i;
            alignment->pairs[n++][1] = --j;
        }
    }
    for (size_t k = 0; k < n / 2; k++)
        for (int side = 0; side < 2; side++) {
            size_t swapped = alignment->pairs[k][side];
            alignment->pairs[k][side] = alignment->pairs[n - 1 - k][side];
            alignment->pairs[n - 1 - k][side] = swapped;
        }
    alignment->n = n;
}

bool alignment_of(const struct run *a, const struct run *b, struct alignment *ret,
                  struct error *reterr)
{
    if (!run_check_one_text(a, reterr) || !run_check_one_text(b, reterr))
        return false;
    struct table table = {
        .a = &a->ids->value, .b = &b->ids->value, .n_a = run_length(a), .n_b = run_length(b)};
    size_t shorter = table.n_a < table.n_b ? table.n_a : table.n_b;
    table.costs = calloc((table.n_a + 1) * (table.n_b + 1), sizeof *table.costs);
    *ret = (struct alignment){.pairs = calloc(shorter + 1, sizeof *ret->pairs)};
    bool ok = (table.costs != NULL && ret->pairs != NULL) || error_memory(reterr, "compare");
    if (ok) {
        fill(&table);
        walk(&table, ret);
    } else {
        alignment_release(ret);
    }
    free(table.costs);
    return ok;
}

void alignment_release(struct alignment *alignment)
{
    free(alignment->pairs);
    *alignment = (struct alignment){.n = 0};
}

/* A token's name, or its id. */
static void put_token(const struct run *run, size_t i, struct text *text)
{
    model_show_token(run->model, (size_t)tensor_at_position(&run->ids->value, i), text);
}

bool alignment_labels(const struct alignment *alignment, const struct run *a, const struct run *b,
                      struct labels **ret, struct error *reterr)
{
    size_t n = alignment->n;
    struct text all = {0};
    const char **names = calloc(n + 1, sizeof(*names));
    size_t *ends = calloc(n + 1, sizeof *ends), *sizes = calloc(n + 1, sizeof *sizes);
    bool ok = (names != NULL && ends != NULL && sizes != NULL) || error_memory(reterr, "compare");
    for (size_t i = 0; ok && i < n; i++) {
        const size_t *pair = alignment->pairs[i];
        put_token(a, pair[0], &all);
        if (tensor_at_position(&a->ids->value, pair[0]) !=
            tensor_at_position(&b->ids->value, pair[1])) {
            text_put(&all, "|");
            put_token(b, pair[1], &all);
        }
        ends[i + 1] = all.size;
    }
    for (size_t i = 0; ok && i < n; i++) {
        names[i] = text_string(&all) + ends[i];
        sizes[i] = ends[i + 1] - ends[i];
    }
    ok = ok && (!all.failed || error_memory(reterr, "compare")) &&
         labels_new(n, names, sizes, ret, reterr);
    free(names);
    free(ends);
    free(sizes);
    text_release(&all);
    return ok;
}
