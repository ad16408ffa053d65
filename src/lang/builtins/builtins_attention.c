/* Attention, its masks and its layers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention/mask.h"
#include "base/array.h"
#include "base/suggestion.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "graph/stages.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call_internal.h"
#include "lang/builtins/notes.h"
#include "lang/builtins/patterns_internal.h"
#include "lang/value/value.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

/* The factors of inverted dropout for weights of this shape, or NULL for p = 0. */
static bool dropout_factors(struct call *call, double p, unsigned n_axes, const size_t *shape,
                            struct node **ret)
{
    *ret = NULL;
    if (!(p >= 0 && p <= 1))
        return error_set(call->reterr, ERR_RANGE, "%s: the dropout probability must be in [0, 1]",
                         call->builtin->name);
    if (p == 0)
        return true;
    struct tensor factors;
    if (!tensor_zeros(n_axes, shape, &factors, call->reterr))
        return false;
    random_dropout(call_random(call), p, tensor_size(&factors), factors.data);
    *ret = build_name(&call->builder, build_input(&call->builder, &factors, "dropout"),
                      "dropout_factors");
    return *ret != NULL;
}

/* The places of the parameters that attention and attention_weights share. */
struct param_places {
    size_t mask, causal, scale, gqa, softcap;
};

static bool read_parts(struct call *call, struct param_places at, struct attention_parts *parts)
{
    bool ok = true;
    double softcap;
    parts->query = arg_node(call, 0);
    parts->key = arg_node(call, 1);
    parts->attn_mask = arg_node_or_null(call, at.mask, &ok);
    parts->scale = arg_node_or_null(call, at.scale, &ok);
    ok = ok && parts->query != NULL && parts->key != NULL &&
         arg_flag(call, at.causal, false, &parts->is_causal) &&
         arg_flag(call, at.gqa, false, &parts->enable_gqa) &&
         arg_number(call, at.softcap, 0, &softcap);
    if (!ok)
        return false;
    if (!(softcap >= 0))
        return error_set(call->reterr, ERR_RANGE, "%s: softcap must be 0 (no cap) or more",
                         call->builtin->name);
    if (softcap > 0)
        parts->softcap = arg_node(call, at.softcap);
    return true;
}

/* The weights after dropout with probability p: what the values are multiplied by. */
static struct node *dropped_weights(struct call *call, struct attention_parts *parts, double p)
{
    struct node *weights = build_weights(&call->builder, parts);
    if (weights == NULL ||
        !dropout_factors(call, p, weights->value.n_axes, weights->value.shape, &parts->dropout))
        return NULL;
    return build_dropped(&call->builder, parts, weights);
}

/* The context, in one node where there is much to compute and nobody asks for the weights.
 * ret_weights: NULL where nobody does. */
static struct node *attend(struct call *call, struct attention_parts *parts, double p,
                           struct node **ret_weights)
{
    struct tensor scores;
    if (ret_weights == NULL && stages_are_many(parts, &scores))
        return dropout_factors(call, p, scores.n_axes, scores.shape, &parts->dropout)
                   ? build_attention(&call->builder, parts)
                   : NULL;
    struct node *weights = dropped_weights(call, parts, p);
    if (ret_weights != NULL)
        *ret_weights = weights;
    return build_context(&call->builder, parts, weights);
}

/* Ends a function with (context, weights). The caller names the weights: a stage's name would hide
 * that name. */
static bool context_and_weights(struct call *call, struct node *context, struct node *weights,
                                struct value *ret)
{
    if (context == NULL || weights == NULL || !node_set_name(weights, NULL, 0, call->reterr))
        return false;
    const struct value both[] = {{VALUE_NODE, {.node = context}}, {VALUE_NODE, {.node = weights}}};
    return value_list(both, 2, ret, call->reterr);
}

static bool run_attention(struct call *call, struct value *ret)
{
    struct attention_parts parts = {0};
    double p;
    bool need_weights;
    parts.value = arg_node(call, 2);
    if (parts.value == NULL || !arg_number(call, 4, 0, &p) ||
        !read_parts(call, (struct param_places){3, 5, 6, 7, 8}, &parts) ||
        !arg_flag(call, 9, false, &need_weights))
        return false;
    struct node *weights;
    struct node *context = attend(call, &parts, p, need_weights ? &weights : NULL);
    return need_weights ? context_and_weights(call, context, weights, ret)
                        : call_result(call, context, ret);
}

static bool run_attention_weights(struct call *call, struct value *ret)
{
    struct attention_parts parts = {0};
    double p;
    if (!read_parts(call, (struct param_places){2, 3, 4, 5, 6}, &parts) ||
        !arg_number(call, 7, 0, &p))
        return false;
    struct node *weights = dropped_weights(call, &parts, p);
    /* The caller names it; "weights" would hide that name. */
    if (weights != NULL && !node_set_name(weights, NULL, 0, call->reterr))
        return false;
    return call_result(call, weights, ret);
}

static bool run_causal_mask(struct call *call, struct value *ret)
{
    size_t n_q, n_k;
    ptrdiff_t offset;
    struct tensor mask;
    return arg_size(call, 0, 0, &n_q) && arg_size(call, 1, n_q, &n_k) &&
           arg_whole(call, 2, 0, &offset) &&
           mask_causal(n_q, n_k, offset, MASK_ADDITIVE, &mask, call->reterr) &&
           call_input(call, &mask, ret);
}

static bool run_padding_mask(struct call *call, struct value *ret)
{
    struct node *lengths = arg_node(call, 0);
    size_t n_k;
    struct tensor mask;
    if (lengths == NULL || !arg_size(call, 1, 0, &n_k))
        return false;
    size_t n = tensor_size(&lengths->value);
    if (!tensor_zeros(4, (size_t[]){n, 1, 1, n_k}, &mask, call->reterr))
        return false;
    mask.is_bool = true;
    for (size_t b = 0; b < n; b++) {
        float length = tensor_at_position(&lengths->value, b);
        if (!(length >= 0 && length <= (float)n_k)) {
            tensor_release(&mask);
            return error_set(call->reterr, ERR_RANGE,
                             "padding_mask: batch entry %zu is to have %g keys, and there are %zu; "
                             "a length is from 0 to n_keys",
                             b, (double)length, n_k);
        }
        for (size_t j = 0; j < n_k; j++)
            mask.data[b * n_k + j] = (float)j < length;
    }
    return call_input(call, &mask, ret);
}

static struct node *project(struct builder *b, struct node *x, struct node *weight,
                            struct node *bias, const char *name)
{
    struct node *y = build2(b, OP_MATMUL, x, weight);
    if (bias != NULL)
        y = build2(b, OP_ADD, y, bias);
    return build_name(b, y, name);
}

/* The parameters of multi_head_attention, by their positions. */
enum {
    MHA_X,
    MHA_W_QUERY,
    MHA_W_KEY,
    MHA_W_VALUE,
    MHA_N_HEADS,
    MHA_W_OUT,
    MHA_B_QUERY,
    MHA_B_KEY,
    MHA_B_VALUE,
    MHA_B_OUT,
    MHA_MASK,
    MHA_CAUSAL,
    MHA_DROPOUT,
    MHA_NEED_WEIGHTS,
    MHA_AVERAGE,
    MHA_COUNT
};

static bool has_axes(const struct value *value)
{
    return value->kind == VALUE_NODE && value->as.node->value.n_axes > 0;
}

/* n_heads is a number and W_out a matrix: in whichever order they come, each is meant. */
static void order_heads_and_output(struct call *call)
{
    struct value *n_heads = &call->args[MHA_N_HEADS], *w_out = &call->args[MHA_W_OUT];
    if (has_axes(n_heads) && w_out->kind == VALUE_NODE && !has_axes(w_out)) {
        struct value number = *w_out;
        *w_out = *n_heads;
        *n_heads = number;
    }
}

/* The tensors among them; those that may be left out are NULL then. */
static bool read_multi_head(struct call *call, struct node *tensors[MHA_COUNT])
{
    bool ok = true;
    for (size_t i = MHA_X; ok && i <= MHA_MASK; i++) {
        if (i == MHA_N_HEADS)
            continue;
        tensors[i] = arg_node_or_null(call, i, &ok);
        if (i <= MHA_W_VALUE && tensors[i] == NULL) /* None where a tensor is needed */
            ok = ok && arg_node(call, i) != NULL;
    }
    return ok;
}

/* x W + b, split into heads. Both stages get names: query, query_heads. */
static struct node *project_heads(struct builder *b, struct node *const *tensors, size_t weight,
                                  size_t bias, size_t n_heads, const char *name)
{
    char heads[24];
    struct node *y = project(b, tensors[MHA_X], tensors[weight], tensors[bias], name);
    snprintf(heads, sizeof heads, "%s_heads", name);
    return build_name(b, build_split_heads(b, y, n_heads), heads);
}

/* The heads' findings joined, and projected where there is a W_out. */
static struct node *join_heads(struct builder *b, struct node *const *tensors, struct node *heads)
{
    struct node *out = build_merge_heads(b, build_name(b, heads, "heads"));
    if (tensors[MHA_W_OUT] != NULL)
        out = build2(b, OP_MATMUL, build_name(b, out, "merged"), tensors[MHA_W_OUT]);
    if (tensors[MHA_B_OUT] != NULL)
        out = build2(b, OP_ADD, out, tensors[MHA_B_OUT]);
    return out;
}

/* The mean over the heads of weights (..., n_heads, n, n). */
static struct node *average_heads(struct builder *b, struct node *weights)
{
    if (weights == NULL)
        return NULL;
    return build_reduce(b, OP_MEAN, weights, 1U << (weights->value.n_axes - 3), false, 0);
}

static bool run_multi_head_attention(struct call *call, struct value *ret)
{
    struct builder *b = &call->builder;
    struct node *in[MHA_COUNT] = {NULL};
    struct attention_parts parts = {0};
    size_t n_heads;
    double p;
    bool need_weights, average;
    order_heads_and_output(call);
    if (!read_multi_head(call, in) || !arg_size(call, MHA_N_HEADS, 1, &n_heads) ||
        !arg_flag(call, MHA_CAUSAL, false, &parts.is_causal) ||
        !arg_number(call, MHA_DROPOUT, 0, &p) ||
        !arg_flag(call, MHA_NEED_WEIGHTS, false, &need_weights) ||
        !arg_flag(call, MHA_AVERAGE, true, &average))
        return false;
    parts.query = project_heads(b, in, MHA_W_QUERY, MHA_B_QUERY, n_heads, "query");
    parts.key = project_heads(b, in, MHA_W_KEY, MHA_B_KEY, n_heads, "key");
    parts.value = project_heads(b, in, MHA_W_VALUE, MHA_B_VALUE, n_heads, "value");
    parts.attn_mask = in[MHA_MASK];
    struct node *weights;
    struct node *out = join_heads(b, in, attend(call, &parts, p, need_weights ? &weights : NULL));
    if (!need_weights)
        return call_result(call, out, ret);
    return context_and_weights(call, out, average ? average_heads(b, weights) : weights, ret);
}

static bool run_split_heads(struct call *call, struct value *ret)
{
    size_t n_heads;
    struct node *x = arg_node(call, 0);
    return x != NULL && arg_size(call, 1, 1, &n_heads) &&
           call_result(call, build_split_heads(&call->builder, x, n_heads), ret);
}

static bool run_merge_heads(struct call *call, struct value *ret)
{
    return call_result(call, build_merge_heads(&call->builder, arg_node(call, 0)), ret);
}

static bool run_dropout(struct call *call, struct value *ret)
{
    double p;
    bool training;
    struct node *x = arg_node(call, 0), *factors;
    if (x == NULL || !arg_number(call, 1, 0.5, &p) || !arg_flag(call, 2, true, &training) ||
        !dropout_factors(call, training ? p : 0, x->value.n_axes, x->value.shape, &factors))
        return false;
    return call_result(call, factors ? build2(&call->builder, OP_MUL, x, factors) : x, ret);
}

static bool run_embedding(struct call *call, struct value *ret)
{
    struct node *ids = arg_node(call, 0), *weight = arg_node(call, 1);
    return call_result(call, build2(&call->builder, OP_TAKE, weight, ids), ret);
}

/* ---- patterns drawn by hand ---- */

static bool load_patterns(struct call *call, struct patterns **ret)
{
    char path[4096];
    const char *folder = call->context->data_dir;
    if (folder == NULL)
        return error_set(call->reterr, ERR_FILE,
                         "pattern: attn's assets are not found; set ATTN_DATA_DIR to their folder");
    snprintf(path, sizeof path, "%s/assets/patterns.txt", folder);
    return patterns_load(path, ret, call->reterr);
}

/* An error that lists the names, first the one nearest to asked. */
static bool no_such_pattern(struct call *call, const struct patterns *patterns,
                            const struct string *asked)
{
    char shown[PATTERN_NAME_BYTES], best[80] = "";
    struct text names = {0};
    struct suggestion suggestion;
    const struct pattern *pattern;
    suggestion_init(&suggestion, asked->bytes, asked->size);
    for (size_t i = 0; (pattern = patterns_at(patterns, i)) != NULL; i++) {
        text_format(&names, "%s%s", i ? ", " : "", pattern->name);
        suggestion_try(&suggestion, pattern->name);
    }
    if (suggestion.best[0] != '\0')
        snprintf(best, sizeof best, "did you mean \"%s\"? ", suggestion.best);
    if (names.failed)
        error_memory(call->reterr, "pattern");
    else
        error_set(call->reterr, ERR_NAME, "pattern: there is no \"%s\"; %sthere are %s",
                  error_quote(shown, sizeof shown, asked->bytes, asked->size), best,
                  text_string(&names));
    text_release(&names);
    return false;
}

/* The names of all, as a list of texts. */
static bool list_patterns(struct call *call, const struct patterns *patterns, struct value *ret)
{
    size_t n = 0;
    while (patterns_at(patterns, n) != NULL)
        n++;
    struct value *names = calloc(n + 1, sizeof *names);
    bool ok = names != NULL || error_memory(call->reterr, "pattern");
    for (size_t i = 0; ok && i < n; i++) {
        const char *name = patterns_at(patterns, i)->name;
        ok = value_string(name, strlen(name), &names[i], call->reterr);
    }
    ok = ok && value_list(names, n, ret, call->reterr);
    for (size_t i = 0; names != NULL && i < n; i++)
        value_release(&names[i]);
    free(names);
    return ok;
}

/* The pattern as a tensor whose rows and columns carry its tokens. */
static bool give_pattern(struct call *call, const struct pattern *pattern, struct value *ret)
{
    struct tensor weights = tensor_share(&pattern->weights);
    if (!call_input(call, &weights, ret))
        return false;
    for (unsigned axis = 0; axis < 2; axis++)
        node_set_labels(ret->as.node, axis, pattern->tokens);
    notes_add(call->context->notes,
              "note: %s is an illustration drawn by hand; no model computed it", pattern->name);
    return true;
}

static bool run_pattern(struct call *call, struct value *ret)
{
    const struct string *name = NULL;
    struct patterns *patterns;
    if ((arg_given(call, 0) && !arg_text(call, 0, &name)) || !load_patterns(call, &patterns))
        return false;
    const struct pattern *pattern =
        name != NULL ? patterns_find(patterns, name->bytes, name->size) : NULL;
    bool ok = name == NULL      ? list_patterns(call, patterns, ret)
              : pattern != NULL ? give_pattern(call, pattern, ret)
                                : no_such_pattern(call, patterns, name);
    patterns_free(patterns);
    return ok;
}

#define ATTENTION "attention"
#define QKV "X = embed(\"Hello shiny sun!\")\n"

const struct builtin builtins_attention[] = {
    {"scaled_dot_product_attention",
     ATTENTION,
     {"query", "key", "value", "attn_mask=None", "dropout_p=0.0", "is_causal=False", "scale=None",
      "enable_gqa=False", "softcap=0.0", "need_weights=False"},
     "softmax(query @ key.T / sqrt(d_k)) @ value. A boolean mask says True = may attend, a float "
     "mask is added to the scores; a query that may attend to nothing gets zeros. need_weights "
     "gives the weights too, after dropout, so that weights @ value is the context. Short: "
     "attention.",
     QKV "attention(X, X, X)\nattention(X, X, X, is_causal=True)\n"
         "out, w = attention(X, X, X, need_weights=True)\nw",
     run_attention},
    {"attention_weights",
     ATTENTION,
     {"query", "key", "attn_mask=None", "is_causal=False", "scale=None", "enable_gqa=False",
      "softcap=0.0", "dropout_p=0.0"},
     "The weights of attention: whom each query attends to. Each row sums to 1, unless dropout_p "
     "drops some and divides the others by 1 - dropout_p.",
     QKV "attention_weights(X, X)",
     run_attention_weights},
    {"multi_head_attention",
     ATTENTION,
     {"x", "W_query", "W_key", "W_value", "n_heads=1", "W_out=None", "b_query=None", "b_key=None",
      "b_value=None", "b_out=None", "attn_mask=None", "is_causal=False", "dropout_p=0.0",
      "need_weights=False", "average_attn_weights=True"},
     "Projects x, splits it into heads, attends in each, joins them and projects with W_out. "
     "Weights are (d_in, d_out): x @ W. need_weights gives the attention weights too, after "
     "dropout: the mean of the heads, or each head's with average_attn_weights=False.",
     "manual_seed(1); x = randn(3, 4)\n"
     "W_q = randn(4, 4); W_k = randn(4, 4); W_v = randn(4, 4)\n"
     "multi_head_attention(x, W_q, W_k, W_v, n_heads=2, is_causal=True)\n"
     "out, w = multi_head_attention(x, W_q, W_k, W_v, 2, need_weights=True)\nw",
     run_multi_head_attention},
    {"causal_mask",
     ATTENTION,
     {"n_queries", "n_keys=None", "offset=0"},
     "0 where query i may attend to key j <= i + offset, -inf elsewhere: to be added to the "
     "scores.",
     "causal_mask(4)",
     run_causal_mask},
    {"padding_mask",
     ATTENTION,
     {"lengths", "n_keys"},
     "True for the first lengths[b] keys of each batch entry, shape (batch, 1, 1, n_keys).",
     "padding_mask([2, 4], 4)",
     run_padding_mask},
    {"split_heads",
     ATTENTION,
     {"x", "n_heads"},
     "(..., n, d) as (..., n_heads, n, d / n_heads): consecutive columns go to one head.",
     "split_heads(arange(12).view(3, 4), 2)",
     run_split_heads},
    {"merge_heads",
     ATTENTION,
     {"x"},
     "(..., n_heads, n, head_dim) joined to (..., n, d).",
     "merge_heads(split_heads(arange(12).view(3, 4), 2))",
     run_merge_heads},
    {"dropout",
     ATTENTION,
     {"input", "p=0.5", "training=True"},
     "Sets each number to 0 with probability p and divides the others by 1 - p.",
     "manual_seed(1); dropout(ones(2, 4), p=0.5)",
     run_dropout},
    {"embedding",
     ATTENTION,
     {"input", "weight"},
     "Rows of weight by their numbers.",
     "embedding([2, 0], [[1, 2], [3, 4], [5, 6]])",
     run_embedding},
    {"pattern",
     ATTENTION,
     {"name=None"},
     "An attention pattern drawn by hand for illustration, such as \"pronoun\": rows are queries, "
     "columns are keys. Without a name it gives the names of all.",
     "P = pattern(\"pronoun\")\nP[\"She\"]\nlen(pattern())",
     run_pattern},
};
const size_t n_builtins_attention = COUNT_OF(builtins_attention);
