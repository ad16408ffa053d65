/* See forward.h. */
#include "model/forward.h"

#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "model/config_internal.h"
#include "base/array.h"
#include "files/weights.h"
#include "graph/layers.h"
#include "graph/stages.h"
#include "model/cache_internal.h"
#include "show/labels.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

/* ---- positions ---- */

/* Positions that are not learned: sines and cosines that are added, or that turn queries and keys.
 *
 * Both build with a builder (graph/builder.h) and return a node it owns, or NULL. */

/* Angles are worked out in double. */

/* A leaf of n x d_model: column 2i is sin(p / 10000^(2i / d_model)), column 2i + 1 the cosine, for
 * positions p from first. Source: Vaswani and others 2017, section 3.5. */
static struct node *positions_sinusoidal(struct builder *b, size_t first, size_t n, size_t d_model)
{
    struct tensor table;
    if (!tensor_empty(2, (size_t[]){n, d_model}, &table, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < d_model; i++) {
            double power = (double)(i / 2 * 2) / (double)d_model;
            double angle = (double)(first + p) / pow(10000, power);
            table.data[p * d_model + i] = (float)(i % 2 == 0 ? sin(angle) : cos(angle));
        }
    return build_input(b, &table, "sinusoidal_positions");
}

/* The angle between two positions that are neighbours, with a stretch. */
static double stretched(const struct rope_stretch *stretch, double step)
{
    static const double whole_turn = 6.283185307179586;
    double turns, kept;
    switch (stretch->kind) {
    case STRETCH_NONE:
        return step;
    case STRETCH_LINEAR:
        return step / stretch->factor;
    case STRETCH_LLAMA3:
        turns = stretch->n_before * step / whole_turn;
        kept = (turns - stretch->slow_turns) / (stretch->fast_turns - stretch->slow_turns);
        kept = kept < 0 ? 0 : kept > 1 ? 1 : kept;
        return (1 - kept) * step / stretch->factor + kept * step;
    }
    return step;
}

/* How the angles of pairs grow. */
struct rotation {
    size_t first; /* position */
    double theta;
    const struct rope_stretch *stretch;
};

/* A leaf of n x d whose halves are the same: a function of each pair's angle. */
static struct node *angle_table(struct builder *b, const struct rotation *rotation, size_t n,
                                size_t d, double (*function)(double angle), const char *name)
{
    struct tensor table;
    if (!tensor_empty(2, (size_t[]){n, d}, &table, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < d; i++) {
        double step = pow(rotation->theta, -2.0 * (double)(i % (d / 2)) / (double)d);
        step = stretched(rotation->stretch, step);
        for (size_t p = 0; p < n; p++)
            table.data[p * d + i] = (float)function((double)(rotation->first + p) * step);
    }
    return build_name(b, build_input(b, &table, name), name);
}

/* x (..., n, d), d even, with each pair (x[i], x[i + d/2]) turned by the angle p / theta^(2i / d),
 * for positions p from first: x * cos + cat(-x2, x1) * sin. Source: Su and others 2021, in the
 * order of Llama, whose pairs are the two halves.
 *
 * A stretch makes the angles smaller: linear divides all of them by its factor (Chen and others
 * 2023, "Extending Context Window of Large Language Models via Positional Interpolation"). Llama
 * 3.1's divides those of pairs that turn less than slow_turns times in n_before positions, leaves
 * those that turn more than fast_turns times, and goes in a straight line from one to the other
 * between them (transformers, modeling_rope_utils.py, "llama3"). */
static struct node *positions_turn(struct builder *b, struct node *x, size_t first, double theta,
                                   const struct rope_stretch *stretch)
{
    if (x == NULL)
        return NULL;
    unsigned last = x->value.n_axes - 1;
    size_t n = x->value.shape[last - 1], d = x->value.shape[last];
    struct node *left = build_slice(b, x, last, 0, d / 2);
    struct node *right = build_slice(b, x, last, d / 2, d / 2);
    struct node *halves[] = {build1(b, OP_NEG, right), left};
    ptrdiff_t axis = (ptrdiff_t)last;
    struct node *turned = build_many(b, OP_CAT, 2, halves, 1, &axis);
    const struct rotation rotation = {first, theta, stretch};
    struct node *cosines = angle_table(b, &rotation, n, d, cos, "rope_cos");
    struct node *sines = angle_table(b, &rotation, n, d, sin, "rope_sin");
    return build2(b, OP_ADD, build2(b, OP_MUL, x, cosines), build2(b, OP_MUL, turned, sines));
}

/* ---- forward ---- */

const char *stage_name(enum stage stage)
{
    static const char *const names[STAGE_COUNT] = {
        "resid",   "normed",   "q",      "k",       "v",      "scores", "weights",
        "context", "attended", "middle", "normed2", "hidden", "mlp",    "out"};
    return names[stage];
}

/* ---- what has been computed: its edits, its name ---- */

static struct node *edited(struct builder *b, const struct forward *forward, enum stage stage,
                           size_t layer, struct node *x)
{
    for (size_t i = 0; i < forward->n_edits; i++) {
        const struct edit *edit = &forward->edits[i];
        if (edit->stage != stage || edit->layer != layer || x == NULL)
            continue;
        struct node *where = edit->where;
        if (where == NULL) {
            struct node *never = build_number(b, 0);
            where = build1(b, OP_NOT, never);
        }
        x = build3(b, OP_WHERE, where, edit->to, x);
    }
    return x;
}

/* A node of its own for a stage with the same numbers as another one, so that each has its name. */
static struct node *own(struct builder *b, struct node *x)
{
    return x != NULL && x->name != NULL ? build_reshape(b, x, x->value.n_axes, x->value.shape) : x;
}

/* Calls a stage L5.q. */
static void rename_stage(struct builder *b, enum stage stage, size_t layer, struct node *x)
{
    char name[32];
    int size = snprintf(name, sizeof name, "L%zu.%s", layer, stage_name(stage));
    if (x != NULL && !node_set_name(x, name, (size_t)size, b->reterr))
        b->failed = true;
}

/* Names a stage, and gives the axis of its tokens (from the last) their labels. */
static struct node *stage_node(struct builder *b, const struct forward *forward, enum stage stage,
                               size_t layer, struct node *x)
{
    x = own(b, edited(b, forward, stage, layer, x));
    if (x == NULL)
        return NULL;
    if (forward->labels != NULL && x->value.n_axes >= 2 &&
        x->value.shape[x->value.n_axes - 2] == labels_count(forward->labels))
        node_set_labels(x, x->value.n_axes - 2, forward->labels);
    rename_stage(b, stage, layer, x);
    return b->failed ? NULL : x;
}

/* ---- dropout ---- */

/* Factors of that shape, or NULL where nothing is dropped. */
static struct node *dropout_factors(struct builder *b, const struct forward *forward,
                                    unsigned n_axes, const size_t *shape)
{
    const struct dropout *dropout = forward->dropout;
    struct tensor factors;
    if (dropout == NULL || dropout->p == 0 || b->failed)
        return NULL;
    if (!tensor_empty(n_axes, shape, &factors, b->reterr)) {
        b->failed = true;
        return NULL;
    }
    random_dropout(dropout->random, dropout->p, tensor_size(&factors), factors.data);
    return build_input(b, &factors, "dropout");
}

static struct node *dropped(struct builder *b, const struct forward *forward, struct node *x)
{
    struct node *factors =
        x != NULL ? dropout_factors(b, forward, x->value.n_axes, x->value.shape) : NULL;
    return factors != NULL ? build2(b, OP_MUL, x, factors) : x;
}

/* ---- weights ---- */

/* A weight, or NULL where the model has none of it. */
static struct node *parameter_of(struct builder *b, const struct forward *forward, enum param which,
                                 size_t layer)
{
    return b->failed ? NULL : model_parameter(b, forward->model, which, layer);
}

static struct node *with_bias(struct builder *b, struct node *x, struct node *bias)
{
    return bias != NULL ? build2(b, OP_ADD, x, bias) : x;
}

/* x times a matrix, and its bias where it has one. */
static struct node *product(struct builder *b, const struct forward *forward, struct node *x,
                            enum param matrix, enum param bias, size_t layer)
{
    struct node *w = parameter_of(b, forward, matrix, layer);
    if (w != NULL && forward->model->config.family == FAMILY_LLAMA)
        w = build_transpose(b, w, 0, 1);
    return with_bias(b, build2(b, OP_MATMUL, x, w), parameter_of(b, forward, bias, layer));
}

static struct node *norm(struct builder *b, const struct forward *forward, struct node *x,
                         enum param which, enum param bias, size_t layer)
{
    const struct model_config *config = &forward->model->config;
    if (config->norm == NORM_NONE || x == NULL)
        return x;
    struct node *w = parameter_of(b, forward, which, layer);
    if (config->norm == NORM_RMS)
        return build_rms_norm(b, x, 1, w, config->norm_eps);
    return build_layer_norm(b, x, 1, w, parameter_of(b, forward, bias, layer), config->norm_eps);
}

/* ---- embeddings ---- */

bool forward_check_length(const struct model *model, const struct tensor *ids, size_t first,
                          struct error *reterr)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (ids->n_axes != 1 && ids->n_axes != 2)
        return error_set(reterr, ERR_SHAPE,
                         "%s: the ids are %s; one text has one axis, (n,), several have (batch, n)",
                         model->name, tensor_shape_text(ids, shape));
    size_t n = ids->shape[ids->n_axes - 1], n_texts = ids->n_axes == 2 ? ids->shape[0] : 1;
    if (n_texts == 0)
        return error_set(reterr, ERR_SHAPE, "%s: a batch of no texts", model->name);
    return (n > 0 && first + n <= model->config.n_positions) ||
           error_set(reterr, ERR_RANGE, "%s: %zu tokens: it takes 1 to %zu", model->name, first + n,
                     model->config.n_positions);
}

static struct node *taken(struct builder *b, struct node *table, struct node *ids)
{
    return build2(b, OP_TAKE, table, ids);
}

/* The rows of positions first, first + 1, ..., or NULL where they are not added. */
static struct node *position_rows(struct builder *b, const struct forward *forward, size_t n)
{
    const struct model_config *config = &forward->model->config;
    if (config->positions == POSITIONS_LEARNED)
        return build_slice(b, parameter_of(b, forward, PARAM_POSITIONS, 0), 0, forward->first, n);
    if (config->positions == POSITIONS_SINUSOIDAL)
        return positions_sinusoidal(b, forward->first, n, config->d_model);
    return NULL;
}

/* Another program may have made the files shorter that the weights lie in. */
static bool weights_are_there(struct builder *b, const struct model *model)
{
    if (model->weights == NULL || weights_are_whole(model->weights, b->reterr))
        return true;
    b->failed = true;
    return false;
}

struct node *forward_embed(struct builder *b, const struct forward *forward, struct node *ids)
{
    if (ids == NULL)
        return NULL;
    if (!forward_check_length(forward->model, &ids->value, forward->first, b->reterr))
        b->failed = true;
    if (b->failed || !weights_are_there(b, forward->model))
        return NULL;
    const struct model_config *config = &forward->model->config;
    struct node *x = taken(b, parameter_of(b, forward, PARAM_TOKENS, 0), ids);
    if (config->scales_embedding)
        x = build2(b, OP_MUL, x, build_number(b, sqrt((double)config->d_model)));
    struct node *places = position_rows(b, forward, ids->value.shape[ids->value.n_axes - 1]);
    if (places != NULL)
        x = build2(b, OP_ADD, build_name(b, x, "token_embedding"),
                   build_name(b, places, "position_embedding"));
    return stage_node(b, forward, STAGE_RESID, 0, dropped(b, forward, x));
}

/* ---- attention ---- */

/* Columns [from, from + count) of a product of all three. */
static struct node *columns(struct builder *b, struct node *x, size_t from, size_t count)
{
    return x == NULL ? NULL : build_slice(b, x, x->value.n_axes - 1, from, count);
}

/* Splits into heads, and turns the positions in where they are rotary. */
static struct node *heads(struct builder *b, const struct forward *forward, struct node *x,
                          size_t n_heads, bool is_turned)
{
    const struct model_config *config = &forward->model->config;
    x = build_split_heads(b, x, n_heads);
    return is_turned && config->positions == POSITIONS_ROPE
               ? positions_turn(b, x, forward->first, config->rope_theta, &config->stretch)
               : x;
}

static void project(struct builder *b, const struct forward *forward, size_t layer,
                    struct node *ret[STAGE_COUNT])
{
    const struct model_config *config = &forward->model->config;
    struct node *x = ret[STAGE_NORMED], *q, *k, *v;
    if (config->family == FAMILY_GPT2) {
        size_t queries = config_query_width(config), keys = config_key_width(config);
        struct node *all = product(b, forward, x, PARAM_QKV, PARAM_QKV_BIAS, layer);
        build_name(b, all, "qkv");
        q = columns(b, all, 0, queries);
        k = columns(b, all, queries, keys);
        v = columns(b, all, queries + keys, keys);
    } else {
        q = product(b, forward, x, PARAM_QUERY, PARAM_QUERY_BIAS, layer);
        k = product(b, forward, x, PARAM_KEY, PARAM_KEY_BIAS, layer);
        v = product(b, forward, x, PARAM_VALUE, PARAM_VALUE_BIAS, layer);
    }
    q = heads(b, forward, q, config->n_heads, true);
    k = heads(b, forward, k, config->n_kv_heads, true);
    v = heads(b, forward, v, config->n_kv_heads, false);
    ret[STAGE_Q] = stage_node(b, forward, STAGE_Q, layer, q);
    ret[STAGE_K] = stage_node(b, forward, STAGE_K, layer, k);
    ret[STAGE_V] = stage_node(b, forward, STAGE_V, layer, v);
}

static struct attention_parts parts_of(struct builder *b, const struct forward *forward,
                                       size_t layer, struct node *stages[STAGE_COUNT])
{
    const struct model_config *config = &forward->model->config;
    struct attention_parts parts = {.query = stages[STAGE_Q],
                                    .key = stages[STAGE_K],
                                    .value = stages[STAGE_V],
                                    .is_causal = config->is_causal,
                                    .enable_gqa = config->n_kv_heads != config->n_heads};
    double scale = config->scales_scores ? 1 / sqrt((double)config->head_dim) : 1;
    if (config->scales_by_layer)
        scale /= (double)(layer + 1);
    if (!config->scales_scores || config->scales_by_layer)
        parts.scale = build_number(b, scale);
    return parts;
}

static bool has_edit(const struct forward *forward, size_t layer)
{
    for (size_t i = 0; i < forward->n_edits; i++)
        if (forward->edits[i].layer == layer &&
            (forward->edits[i].stage == STAGE_SCORES || forward->edits[i].stage == STAGE_WEIGHTS))
            return true;
    return false;
}

/* The stages from q and k to the weights, with their edits. */
static struct node *weights_by_stages(struct builder *b, const struct forward *forward,
                                      size_t layer, const struct attention_parts *parts,
                                      struct node *ret[STAGE_COUNT])
{
    struct node *weights = build_weights(b, parts);
    struct node *scores = weights != NULL ? weights->parents[0] : NULL;
    if (has_edit(forward, layer) && scores != NULL) {
        scores = edited(b, forward, STAGE_SCORES, layer, scores);
        ptrdiff_t last = scores != NULL ? (ptrdiff_t)scores->value.n_axes - 1 : 0;
        weights = build_ints(b, OP_WEIGHTS, scores, 1, &last, 0);
        weights = edited(b, forward, STAGE_WEIGHTS, layer, weights);
    }
    ret[STAGE_SCORES] = scores;
    ret[STAGE_WEIGHTS] = weights;
    return weights;
}

/* Names the scores and weights as other stages, in place of what attention calls them. */
static void name_weights(struct builder *b, size_t layer, struct node *stages[STAGE_COUNT])
{
    for (int stage = STAGE_SCORES; stage <= STAGE_WEIGHTS; stage++)
        rename_stage(b, (enum stage)stage, layer, stages[stage]);
}

bool forward_weights(struct builder *b, const struct forward *forward, size_t layer,
                     struct node *stages[STAGE_COUNT])
{
    struct attention_parts parts = parts_of(b, forward, layer, stages);
    weights_by_stages(b, forward, layer, &parts, stages);
    name_weights(b, layer, stages);
    return !b->failed;
}

/* Factors of the weights, which have a row for each query and a column for each key. */
static struct node *weights_dropout(struct builder *b, const struct forward *forward,
                                    const struct attention_parts *parts)
{
    size_t shape[TENSOR_MAX_AXES];
    if (b->failed || parts->query == NULL || parts->key == NULL)
        return NULL;
    unsigned n_axes = parts->query->value.n_axes;
    memcpy(shape, parts->query->value.shape, n_axes * sizeof *shape);
    shape[n_axes - 1] = parts->key->value.shape[n_axes - 2];
    return dropout_factors(b, forward, n_axes, shape);
}

static struct node *attend(struct builder *b, const struct forward *forward, size_t layer,
                           struct node *ret[STAGE_COUNT])
{
    struct tensor scores;
    if (b->failed)
        return NULL;
    struct attention_parts parts = parts_of(b, forward, layer, ret);
    bool is_open =
        has_edit(forward, layer) || (forward->is_open != NULL && forward->is_open[layer]);
    if (forward->cache != NULL && !cache_join(b, forward->cache, layer, &parts))
        return NULL;
    parts.dropout = weights_dropout(b, forward, &parts);
    if (!is_open && !b->failed && stages_are_many(&parts, &scores))
        return build_attention(b, &parts);
    struct node *weights = weights_by_stages(b, forward, layer, &parts, ret);
    struct node *dropped_weights = weights != NULL ? build_dropped(b, &parts, weights) : NULL;
    struct node *context = build_context(b, &parts, dropped_weights);
    name_weights(b, layer, ret);
    return context;
}

/* ---- MLP ---- */

static struct node *activate(struct builder *b, const struct forward *forward, struct node *x)
{
    switch (forward->model->config.activation) {
    case ACTIVATION_GELU_TANH:
        return build_gelu(b, x, true);
    case ACTIVATION_GELU:
        return build_gelu(b, x, false);
    case ACTIVATION_RELU:
        return build1(b, OP_RELU, x);
    case ACTIVATION_SILU:
        return build_silu(b, x);
    }
    return NULL;
}

static void mlp(struct builder *b, const struct forward *forward, size_t layer,
                struct node *ret[STAGE_COUNT])
{
    struct node *x = norm(b, forward, ret[STAGE_MIDDLE], PARAM_NORM2, PARAM_NORM2_BIAS, layer);
    ret[STAGE_NORMED2] = stage_node(b, forward, STAGE_NORMED2, layer, x);
    struct node *up = product(b, forward, ret[STAGE_NORMED2], PARAM_UP, PARAM_UP_BIAS, layer);
    struct node *hidden;
    if (forward->model->config.is_gated) {
        struct node *gate =
            product(b, forward, ret[STAGE_NORMED2], PARAM_GATE, PARAM_GATE_BIAS, layer);
        hidden = build2(b, OP_MUL, activate(b, forward, gate), up);
    } else {
        hidden = activate(b, forward, up);
    }
    ret[STAGE_HIDDEN] = stage_node(b, forward, STAGE_HIDDEN, layer, hidden);
    struct node *down = product(b, forward, ret[STAGE_HIDDEN], PARAM_DOWN, PARAM_DOWN_BIAS, layer);
    ret[STAGE_MLP] = stage_node(b, forward, STAGE_MLP, layer, dropped(b, forward, down));
}

/* ---- the layer ---- */

bool forward_layer(struct builder *b, const struct forward *forward, size_t layer,
                   struct node *resid, struct node *ret[STAGE_COUNT])
{
    for (size_t stage = 0; stage < STAGE_COUNT; stage++)
        ret[stage] = NULL;
    ret[STAGE_RESID] = resid;
    struct node *normed = norm(b, forward, resid, PARAM_NORM1, PARAM_NORM1_BIAS, layer);
    ret[STAGE_NORMED] = stage_node(b, forward, STAGE_NORMED, layer, normed);
    project(b, forward, layer, ret);
    struct node *context = attend(b, forward, layer, ret);
    ret[STAGE_CONTEXT] = stage_node(b, forward, STAGE_CONTEXT, layer, context);
    struct node *joined = build_merge_heads(b, ret[STAGE_CONTEXT]);
    struct node *attended = product(b, forward, joined, PARAM_OUT, PARAM_OUT_BIAS, layer);
    attended = dropped(b, forward, attended);
    ret[STAGE_ATTENDED] = stage_node(b, forward, STAGE_ATTENDED, layer, attended);
    struct node *middle = build2(b, OP_ADD, resid, ret[STAGE_ATTENDED]);
    if (forward->model->config.d_mlp == 0) {
        ret[STAGE_OUT] = stage_node(b, forward, STAGE_OUT, layer, middle);
        return !b->failed;
    }
    ret[STAGE_MIDDLE] = stage_node(b, forward, STAGE_MIDDLE, layer, middle);
    mlp(b, forward, layer, ret);
    struct node *out = build2(b, OP_ADD, ret[STAGE_MIDDLE], ret[STAGE_MLP]);
    ret[STAGE_OUT] = stage_node(b, forward, STAGE_OUT, layer, out);
    return !b->failed;
}

struct node *forward_last_norm(struct builder *b, const struct forward *forward, struct node *resid)
{
    return norm(b, forward, resid, PARAM_LAST_NORM, PARAM_LAST_NORM_BIAS, 0);
}

struct node *forward_logits(struct builder *b, const struct forward *forward, struct node *normed)
{
    enum param which = forward->model->config.is_tied ? PARAM_TOKENS : PARAM_LOGITS;
    struct node *table = parameter_of(b, forward, which, 0);
    struct node *logits = build2(b, OP_MATMUL, normed, build_transpose(b, table, 0, 1));
    return build_name(b, logits, "logits");
}
