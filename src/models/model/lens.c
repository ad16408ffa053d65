/* See lens.h. */
#include "model/lens.h"

#include <stdlib.h>
#include <stdio.h>

#include "base/text.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "model/generate.h"
#include "model/run.h"
#include "show/doc.h"
#include "show/labels.h"
#include "tensor/tensor.h"
#include "model/head_ranking.h"
#include "show/matrix.h"
#include "show/number.h"

/* ---- lens ---- */

enum { SHOWN = 3, COLUMN = 22 };

/* The logits of the stream before a layer, at one position: (1, vocab). */
static struct node *stopped_before(struct builder *b, struct run *run, size_t layer,
                                   size_t position)
{
    struct forward forward = {.model = run->model};
    struct node *resid = run_stage(run, STAGE_RESID, layer, b->reterr);
    if (resid == NULL)
        return NULL;
    struct node *row = build_slice(b, resid, 0, position, 1);
    return forward_logits(b, &forward, forward_last_norm(b, &forward, row));
}

struct node *run_lens(struct run *run, size_t position, struct error *reterr)
{
    size_t n = run->model->config.n_layers;
    struct node **rows = calloc(n + 1, sizeof(*rows));
    struct node *logits = run_logits(run, reterr), *lens = NULL;
    struct builder builder;
    if (rows == NULL)
        error_memory(reterr, "lens");
    builder_init(&builder, run->graph, reterr);
    builder.largest_first = true;
    bool ok = rows != NULL && logits != NULL;
    for (size_t layer = 0; ok && layer < n; layer++) {
        rows[layer] = stopped_before(&builder, run, layer, position);
        ok = rows[layer] != NULL;
    }
    if (ok) {
        rows[n] = build_slice(&builder, logits, 0, position, 1);
        lens = builder_result(
            &builder, build_many(&builder, OP_CAT, (unsigned)(n + 1), rows, 1, (ptrdiff_t[]){0}));
    }
    builder_release(&builder);
    free(rows);
    return lens;
}

static void write_stop(const void *unused, size_t i, struct text *text)
{
    (void)unused;
    if (i == 0)
        text_put(text, "embeddings");
    else
        text_format(text, "after L%zu", i - 1);
}

bool lens_labels(size_t n_layers, struct labels **ret, struct error *reterr)
{
    return labels_written(n_layers + 1, write_stop, NULL, ret, reterr);
}

/* ---- showing ---- */

static void show_candidate(const struct model *model, const struct candidate *candidate,
                           struct doc *out)
{
    struct text name = {0};
    model_show_token(model, candidate->token, &name);
    int cols = (int)text_width(text_string(&name), name.size);
    doc_add(out, STYLE_LABEL, "  %s", text_string(&name));
    doc_add(out, STYLE_NUMBER, " %.4f", candidate->probability);
    doc_add(out, STYLE_PLAIN, "%*s", cols + 9 < COLUMN ? COLUMN - cols - 9 : 1, "");
    out->failed = out->failed || name.failed;
    text_release(&name);
}

bool show_lens(const struct model *model, const struct tensor *lens, const struct labels *rows,
               struct doc *out, struct error *reterr)
{
    size_t vocab = model->config.vocab;
    for (size_t i = 0; i < lens->shape[0]; i++) {
        struct candidate *ranked;
        if (!prediction_rank(lens, i, 1, &ranked, reterr))
            return false;
        doc_add(out, STYLE_LABEL, "%-11s", labels_name(rows, i));
        for (size_t c = 0; c < SHOWN && c < vocab; c++)
            show_candidate(model, &ranked[c], out);
        doc_end_line(out);
        free(ranked);
    }
    return doc_check(out, reterr);
}

/* ---- contribution ---- */

enum { NAME_BYTES = 48 };

/* One logit as a sum that is under way. */
struct shares {
    struct run *run;
    struct builder builder;
    size_t position, token;
    struct node *direction; /* (d_model,): a part x of the stream adds x . direction */
    struct node **parts;    /* vectors, one after the other */
    char (*names)[NAME_BYTES];
    unsigned n_parts;
    size_t n_names;
};

static struct node *parameter_of(struct shares *s, enum param which, size_t layer)
{
    return s->builder.failed ? NULL : model_parameter(&s->builder, s->run->model, which, layer);
}

static struct node *flat(struct builder *b, struct node *x)
{
    size_t n = x != NULL ? tensor_size(&x->value) : 0;
    return build_reshape(b, x, 1, &n);
}

static struct node *dot(struct builder *b, struct node *x, struct node *y)
{
    return build_reduce(b, OP_SUM, build2(b, OP_MUL, x, y), 0, false, 0);
}

/* A stage at the position, (d_model,). */
static struct node *row_of(struct shares *s, enum stage stage, size_t layer)
{
    struct node *x = run_stage(s->run, stage, layer, s->builder.reterr);
    if (x == NULL)
        s->builder.failed = true;
    return x == NULL ? NULL : flat(&s->builder, build_slice(&s->builder, x, 0, s->position, 1));
}

/* The embedding that the stream is held against for this token. */
static struct node *embedding_of(struct shares *s)
{
    bool tied = s->run->model->config.is_tied;
    struct node *table = parameter_of(s, tied ? PARAM_TOKENS : PARAM_LOGITS, 0);
    return flat(&s->builder, build_slice(&s->builder, table, 0, s->token, 1));
}

/* What the last norm divides by: root of the mean square of x, about its mean in LayerNorm. */
static struct node *scale_of(struct shares *s, struct node *x)
{
    const struct model_config *config = &s->run->model->config;
    struct builder *b = &s->builder;
    struct node *square = config->norm == NORM_RMS
                              ? build_reduce(b, OP_MEAN, build2(b, OP_MUL, x, x), 0, false, 0)
                              : build_reduce(b, OP_VAR, x, 0, false, 0);
    return build1(b, OP_SQRT, build2(b, OP_ADD, square, build_number(b, config->norm_eps)));
}

static struct node *direction_of(struct shares *s)
{
    const struct model_config *config = &s->run->model->config;
    struct builder *b = &s->builder;
    struct node *u = embedding_of(s);
    if (config->norm == NORM_NONE)
        return u;
    u = build2(b, OP_MUL, u, parameter_of(s, PARAM_LAST_NORM, 0));
    if (config->norm == NORM_LAYER)
        u = build2(b, OP_SUB, u, build_reduce(b, OP_MEAN, u, 0, false, 0));
    return build2(b, OP_DIV, u, scale_of(s, row_of(s, STAGE_OUT, config->n_layers - 1)));
}

/* ---- the parts ---- */

/* A number as the next part. */
static void add_part(struct shares *s, struct node *number, const char *name)
{
    s->parts[s->n_parts++] = flat(&s->builder, number);
    snprintf(s->names[s->n_names++], NAME_BYTES, "%s", name);
}

static void add_of_layer(struct shares *s, struct node *number, size_t layer, const char *name)
{
    char whole[NAME_BYTES];
    snprintf(whole, sizeof whole, "L%zu %.16s", layer, name);
    add_part(s, number, whole);
}

/* The heads of a layer, (n_heads,): each context times its rows of the output matrix. */
static struct node *shares_of_heads(struct shares *s, size_t layer)
{
    const struct model_config *config = &s->run->model->config;
    struct builder *b = &s->builder;
    size_t shape[2] = {config->n_heads, config->head_dim};
    struct node *out = parameter_of(s, PARAM_OUT, layer);
    struct node *context = run_stage(s->run, STAGE_CONTEXT, layer, b->reterr);
    if (out == NULL || context == NULL)
        return NULL;
    if (config->family == FAMILY_LLAMA)
        out = build_transpose(b, out, 0, 1);
    struct node *read = build2(b, OP_MATMUL, out, s->direction);
    context = build_reshape(b, build_slice(b, context, 1, s->position, 1), 2, shape);
    struct node *products = build2(b, OP_MUL, context, build_reshape(b, read, 2, shape));
    return build_reduce(b, OP_SUM, products, 1U << 1, false, 0);
}

static bool add_layer(struct shares *s, size_t layer)
{
    const struct model_config *config = &s->run->model->config;
    struct builder *b = &s->builder;
    struct node *heads = shares_of_heads(s, layer);
    if (heads == NULL)
        return false;
    s->parts[s->n_parts++] = heads;
    for (size_t h = 0; h < config->n_heads; h++)
        snprintf(s->names[s->n_names++], NAME_BYTES, "L%zuH%zu", layer, h);
    if (config->has_out_bias || s->run->n_edits > 0) {
        struct node *all = dot(b, row_of(s, STAGE_ATTENDED, layer), s->direction);
        add_of_layer(s, build2(b, OP_SUB, all, build_reduce(b, OP_SUM, heads, 0, false, 0)), layer,
                     "bias");
    }
    if (config->d_mlp > 0)
        add_of_layer(s, dot(b, row_of(s, STAGE_MLP, layer), s->direction), layer, "MLP");
    return !b->failed;
}

/* All parts so far as one vector. */
static struct node *joined(struct shares *s)
{
    for (unsigned i = 0; i < s->n_parts; i++)
        if (s->parts[i] == NULL)
            return NULL;
    return build_many(&s->builder, OP_CAT, s->n_parts, s->parts, 1, (ptrdiff_t[]){0});
}

/* What edits of the stream itself add: all that is missing to the logit. */
static void add_edits(struct shares *s)
{
    struct builder *b = &s->builder;
    struct node *logits = run_logits(s->run, b->reterr), *all = joined(s);
    if (logits == NULL) {
        b->failed = true;
        return;
    }
    struct node *row = build_slice(b, logits, 0, s->position, 1);
    struct node *logit = build_slice(b, row, 1, s->token, 1);
    add_part(s, build2(b, OP_SUB, flat(b, logit), build_reduce(b, OP_SUM, all, 0, false, 0)),
             "edits");
}

static bool add_parts(struct shares *s)
{
    const struct model_config *config = &s->run->model->config;
    s->direction = direction_of(s);
    add_part(s, dot(&s->builder, row_of(s, STAGE_RESID, 0), s->direction), "embeddings");
    for (size_t layer = 0; layer < config->n_layers; layer++)
        if (s->builder.failed || !add_layer(s, layer))
            return false;
    struct node *bias = parameter_of(s, PARAM_LAST_NORM_BIAS, 0);
    if (bias != NULL)
        add_part(s, dot(&s->builder, bias, embedding_of(s)), "norm bias");
    if (s->run->n_edits > 0)
        add_edits(s);
    return !s->builder.failed;
}

/* Room for all parts and names. */
static bool shares_init(struct shares *s, struct error *reterr)
{
    const struct model_config *config = &s->run->model->config;
    size_t n = 3 + config->n_layers * (config->n_heads + 2);
    s->parts = calloc(n, sizeof(*s->parts));
    s->names = calloc(n, sizeof *s->names);
    builder_init(&s->builder, s->run->graph, reterr);
    s->builder.largest_first = true;
    return (s->parts != NULL && s->names != NULL) || error_memory(reterr, "contributions");
}

static bool name_parts(const struct shares *s, struct labels **ret, struct error *reterr)
{
    const char **pointers = calloc(s->n_names + 1, sizeof(*pointers));
    if (pointers == NULL)
        return error_memory(reterr, "contributions");
    for (size_t i = 0; i < s->n_names; i++)
        pointers[i] = s->names[i];
    bool ok = labels_new(s->n_names, pointers, NULL, ret, reterr);
    free(pointers);
    return ok;
}

struct node *run_contributions(struct run *run, size_t position, size_t token,
                               struct labels **ret_names, struct error *reterr)
{
    struct shares s = {.run = run, .position = position, .token = token};
    struct node *all = NULL;
    if (shares_init(&s, reterr) && add_parts(&s))
        all = builder_result(&s.builder, joined(&s));
    if (all != NULL && !name_parts(&s, ret_names, reterr)) {
        node_free(all);
        all = NULL;
    }
    builder_release(&s.builder);
    free(s.parts);
    free(s.names);
    return all;
}

/* ---- showing ---- */

/* The first n of the order, and what the others add up to. */
static bool pick_parts(const struct tensor *parts, const struct labels *names, const size_t *order,
                       size_t n, struct tensor *ret, struct labels **ret_names,
                       struct error *reterr)
{
    size_t n_all = tensor_size(parts), n_rows = n + (n < n_all);
    char rest[NAME_BYTES];
    double sum = 0;
    const char **pointers = calloc(n_rows + 1, sizeof(*pointers));
    if (pointers == NULL)
        return error_memory(reterr, "contributions");
    bool ok = tensor_empty(1, &n_rows, ret, reterr);
    for (size_t i = 0; ok && i < n_all; i++) {
        float part = tensor_at_position(parts, order[i]);
        if (i < n) {
            pointers[i] = labels_name(names, order[i]);
            ret->data[i] = part;
        } else {
            sum += (double)part;
        }
    }
    if (ok && n < n_all) {
        snprintf(rest, sizeof rest, "%zu others", n_all - n);
        pointers[n] = rest;
        ret->data[n] = (float)sum;
    }
    if (ok && !labels_new(n_rows, pointers, NULL, ret_names, reterr)) {
        tensor_release(ret);
        ok = false;
    }
    free(pointers);
    return ok;
}

static void show_sum(const struct tensor *parts, int digits, struct doc *out)
{
    double sum = 0;
    char number[NUMBER_TEXT];
    for (size_t i = 0; i < tensor_size(parts); i++)
        sum += (double)tensor_at_position(parts, i);
    doc_line(out, STYLE_PLAIN, "together the logit, %s", number_short((float)sum, digits, number));
}

bool show_parts(const struct tensor *parts, const struct labels *names, size_t n,
                const struct show_options *options, struct doc *out, struct error *reterr)
{
    size_t n_all = tensor_size(parts);
    struct tensor picked;
    struct labels *labels;
    size_t *order = calloc(n_all + 1, sizeof *order);
    float *numbers = calloc(n_all + 1, sizeof *numbers);
    bool ok = (order != NULL && numbers != NULL) || error_memory(reterr, "contributions");
    if (ok)
        tensor_read(parts, numbers);
    ok = ok && rank_by_size(numbers, n_all, order, reterr) &&
         pick_parts(parts, names, order, n < n_all ? n : n_all, &picked, &labels, reterr);
    if (ok) {
        struct picture picture = {.tensor = &picked, .labels = &labels};
        bars_show(out, &picture, options);
        show_sum(parts, options->digits, out);
        tensor_release(&picked);
        labels_free(labels);
    }
    free(order);
    free(numbers);
    return ok && doc_check(out, reterr);
}
