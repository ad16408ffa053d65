/* The library against numbers that other software computed: every case of onnx/ and of
 * torch/{sdpa,mha,multihead,softmax}. Where attn differs from its sources on purpose, the test says
 * so in a comment that begins with "Choice:" and checks what attn promises instead. */
#include "golden.h"

#include <math.h>
#include <string.h>

#include "attention/attention.h"
#include "attention/kv_cache.h"
#include "attention/multihead.h"
#include "attention/self_attention.h"
#include "attention/softmax.h"

/* Views. */

static struct tensor *swapped(struct golden *golden, const struct tensor *x, unsigned a, unsigned b)
{
    struct tensor *view = golden_own(golden);
    *view = tensor_transpose(x, a, b);
    return view;
}

/* W as the library wants it, (d_in, d_out), for one that is stored the other way round. NULL stays
 * NULL. */
static struct tensor *turned(struct golden *golden, const struct tensor *weight)
{
    return weight != NULL ? swapped(golden, weight, 0, 1) : NULL;
}

/* Rows (or numbers, for one axis) [start, start + count) of x; NULL stays NULL. */
static struct tensor *part(struct golden *golden, const struct tensor *x, size_t start,
                           size_t count)
{
    struct error error;
    if (x == NULL)
        return NULL;
    struct tensor *view = golden_own(golden);
    golden_succeed(golden, tensor_slice(x, 0, start, count, 1, view, &error), &error);
    return view;
}

static struct tensor *reshaped(struct golden *golden, const struct tensor *x, unsigned n_axes,
                               const size_t *shape)
{
    struct error error;
    struct tensor *view = golden_own(golden);
    golden_succeed(golden, tensor_reshape(x, n_axes, shape, view, &error), &error);
    return view;
}

/* onnx: the Attention operator, put together from the library's functions. */

/* x with its heads apart: as it is, or split where they are joined in the last axis. */
static struct tensor *with_heads(struct golden *golden, struct tensor *x, size_t n_heads)
{
    struct error error;
    if (x->n_axes == 4)
        return x;
    struct tensor *split = golden_own(golden);
    golden_succeed(golden, heads_split(x, n_heads, split, &error), &error);
    return split;
}

/* Joins past and new keys and values in a cache, and has input attend to all of them. */
static void take_past(struct golden *golden, struct attention_input *input)
{
    struct error error;
    struct tensor *past_key = golden_array(golden, "past_key");
    struct tensor *past_value = golden_array(golden, "past_value");
    if (past_key == NULL)
        return;
    size_t n_past = past_key->shape[2];
    struct kv_cache cache;
    struct tensor *key = golden_own(golden), *value = golden_own(golden);
    golden_succeed(golden,
                   kv_cache_init(&cache, 2, past_key->shape, n_past + input->key->shape[2],
                                 past_key->shape[3], past_value->shape[3], &error) &&
                       kv_cache_append(&cache, past_key, past_value, &error) &&
                       kv_cache_append(&cache, input->key, input->value, &error) &&
                       kv_cache_view(&cache, key, value, &error),
                   &error);
    kv_cache_release(&cache);
    golden_compare(golden, "present_key", key, golden_needed_array(golden, "present_key"), 0, 0);
    golden_compare(golden, "present_value", value, golden_needed_array(golden, "present_value"), 0,
                   0);
    input->key = key;
    input->value = value;
    input->causal_offset = (ptrdiff_t)n_past;
}

/* A mask whose last axis is shorter than the keys hides the rest. */
static const struct tensor *with_all_keys(struct golden *golden, const struct tensor *mask,
                                          size_t n_k)
{
    struct error error;
    unsigned last = mask->n_axes - 1;
    size_t n_given = mask->shape[last], shape[TENSOR_MAX_AXES];
    if (n_given == n_k || n_given == 1)
        return mask;
    memcpy(shape, mask->shape, sizeof shape);
    shape[last] = n_k;
    struct tensor *wide = golden_own(golden);
    golden_succeed(golden,
                   tensor_full(mask->n_axes, shape, mask->is_bool ? 0 : -INFINITY, wide, &error),
                   &error);
    size_t size = tensor_size(mask);
    for (size_t at = 0; at < size; at++)
        wide->data[at / n_given * n_k + at % n_given] = tensor_at_position(mask, at);
    wide->is_bool = mask->is_bool;
    return wide;
}

static void take_mask(struct golden *golden, struct attention_input *input)
{
    struct tensor *mask = golden_array(golden, "attn_mask");
    if (mask == NULL)
        return;
    input->mask = with_all_keys(golden, mask, input->key->shape[2]);
    input->mask_kind = mask->is_bool ? MASK_MAY_ATTEND : MASK_ADDITIVE;
}

/* The causal masks of all batch entries, (batch, 1, n_q, n_k): entry b ends at its last valid key.
 */
static struct tensor *causal_masks(struct golden *golden, const struct attention_input *input)
{
    struct error error;
    size_t n_q = input->query->shape[2], n_k = input->key->shape[2];
    struct tensor *masks = golden_own(golden);
    golden_succeed(golden,
                   tensor_zeros(4, (size_t[]){input->n_key_lengths, 1, n_q, n_k}, masks, &error),
                   &error);
    for (size_t b = 0; b < input->n_key_lengths; b++) {
        struct tensor *mask = golden_own(golden);
        ptrdiff_t offset = (ptrdiff_t)input->key_lengths[b] - (ptrdiff_t)n_q;
        golden_succeed(golden, mask_causal(n_q, n_k, offset, input->mask_kind, mask, &error),
                       &error);
        memcpy(masks->data + b * n_q * n_k, mask->data, n_q * n_k * sizeof *mask->data);
    }
    masks->is_bool = input->mask_kind != MASK_ADDITIVE;
    return masks;
}

/* nonpad_kv_seqlen: the valid keys of each batch entry, on which causality is aligned. */
static void take_lengths(struct golden *golden, struct attention_input *input, size_t *lengths)
{
    struct error error;
    struct tensor *given = golden_array(golden, "nonpad_kv_seqlen");
    if (given == NULL)
        return;
    assert_in_range(given->shape[0], 1, 16);
    for (size_t b = 0; b < given->shape[0]; b++)
        lengths[b] = (size_t)given->data[b];
    input->key_lengths = lengths;
    input->n_key_lengths = given->shape[0];
    if (!input->causal)
        return;
    struct tensor *causal = causal_masks(golden, input);
    struct tensor *both = golden_own(golden);
    if (input->mask != NULL)
        golden_succeed(golden, mask_join(input->mask, causal, input->mask_kind, both, &error),
                       &error);
    input->mask = input->mask != NULL ? both : causal;
    input->causal = false;
}

static const struct tensor *onnx_intermediate(const struct attention_trace *trace, size_t mode)
{
    assert_in_range(mode, 0, 3);
    const struct tensor *modes[] = {&trace->scaled, &trace->capped, &trace->masked,
                                    &trace->weights};
    return modes[mode];
}

static void compare_onnx(struct golden *golden, const struct attention_trace *trace)
{
    struct error error;
    struct tensor *want = golden_needed_array(golden, "Y");
    struct tensor *merged = golden_own(golden);
    if (want->n_axes == 3)
        golden_succeed(golden, heads_merge(&trace->context, merged, &error), &error);
    golden_compare(golden, "Y", want->n_axes == 3 ? merged : &trace->context, want, SDPA_TOLERANCE,
                   0);
    struct tensor *qk = golden_array(golden, "qk_matmul_output");
    size_t mode = golden_attr_count(golden, "qk_matmul_output_mode", 0);
    if (qk != NULL)
        golden_compare(golden, "qk_matmul_output", onnx_intermediate(trace, mode), qk,
                       SDPA_TOLERANCE, 0);
}

static void run_onnx(struct golden *golden)
{
    struct error error;
    size_t query_heads = golden_attr_count(golden, "q_num_heads", 0);
    size_t key_heads = golden_attr_count(golden, "kv_num_heads", 0);
    struct attention_input input = {
        .query = with_heads(golden, golden_needed_array(golden, "Q"), query_heads),
        .key = with_heads(golden, golden_needed_array(golden, "K"), key_heads),
        .value = with_heads(golden, golden_needed_array(golden, "V"), key_heads),
        .causal = golden_attr_count(golden, "is_causal", 0) == 1,
        .has_scale = golden_attr_text(golden, "scale", NULL) != NULL,
        .scale = golden_attr_number(golden, "scale", 0),
        .softcap = golden_attr_number(golden, "softcap", 0),
        .mask_kind = MASK_MAY_ATTEND,
        .grouped_query = true,
    };
    size_t lengths[16];
    take_past(golden, &input);
    take_mask(golden, &input);
    take_lengths(golden, &input, lengths);
    struct attention_trace trace;
    golden_succeed(golden, attention_forward_traced(&input, NULL, &trace, &error), &error);
    compare_onnx(golden, &trace);
    attention_trace_release(&trace);
}

/* torch/sdpa */

static struct attention_input sdpa_input(struct golden *golden)
{
    struct tensor *mask = golden_array(golden, "attn_mask");
    return (struct attention_input){
        .query = golden_needed_array(golden, "Q"),
        .key = golden_needed_array(golden, "K"),
        .value = golden_needed_array(golden, "V"),
        .mask = mask,
        .mask_kind = mask != NULL && mask->is_bool ? MASK_MAY_ATTEND : MASK_ADDITIVE,
        .causal = golden_attr_count(golden, "is_causal", 0) == 1,
        .has_scale = true,
        .scale = golden_attr_number(golden, "scale", 1),
    };
}

/* A copy of x with 0 for what is not finite. */
static struct tensor *cleaned(struct golden *golden, const struct tensor *x)
{
    struct error error;
    struct tensor *copy = golden_own(golden);
    golden_succeed(golden, tensor_copy(x, copy, &error), &error);
    size_t size = tensor_size(x);
    for (size_t at = 0; at < size; at++)
        if (!isfinite(copy->data[at]))
            copy->data[at] = 0;
    return copy;
}

/* Choice: a hidden key is never read. In torch 0 * NaN and NaN + -inf leak it into every row. */
static void run_poisoned(struct golden *golden)
{
    struct error error;
    struct attention_input input = sdpa_input(golden);
    struct attention_input clean = input;
    clean.key = cleaned(golden, input.key);
    clean.value = cleaned(golden, input.value);
    struct tensor *context = golden_own(golden), *weights = golden_own(golden);
    struct tensor *clean_context = golden_own(golden), *clean_weights = golden_own(golden);
    golden_succeed(golden,
                   attention_forward(&input, NULL, context, weights, &error) &&
                       attention_forward(&clean, NULL, clean_context, clean_weights, &error),
                   &error);
    golden_compare_poisoned(golden, "Y", context, clean_context);
    golden_compare_poisoned(golden, "weights", weights, clean_weights);
}

static void compare_sdpa_gradients(struct golden *golden, const struct attention_input *input)
{
    struct error error;
    struct tensor *d_context = golden_array(golden, "dY");
    if (d_context == NULL)
        return;
    struct attention_gradients gradients;
    golden_succeed(golden, attention_backward(input, d_context, NULL, &gradients, &error), &error);
    golden_compare_gradient(golden, "dQ", &gradients.query);
    golden_compare_gradient(golden, "dK", &gradients.key);
    golden_compare_gradient(golden, "dV", &gradients.value);
    attention_gradients_release(&gradients);
}

static void run_sdpa(struct golden *golden)
{
    struct error error;
    if (golden_is_poisoned(golden)) {
        run_poisoned(golden);
        return;
    }
    struct attention_input input = sdpa_input(golden);
    struct tensor *context = golden_own(golden), *weights = golden_own(golden);
    golden_succeed(golden, attention_forward(&input, NULL, context, weights, &error), &error);
    const struct tensor *want_context = golden_needed_array(golden, "Y");
    const struct tensor *want_weights = golden_array(golden, "weights");
    /* Choice: a row that may attend to nothing is zero; torch gives NaN. */
    if (golden_starts_with(golden, "fullmask_bool") ||
        golden_starts_with(golden, "fullmask_neginf")) {
        want_context = golden_without_nan_rows(golden, want_context, NULL);
        want_weights = golden_without_nan_rows(golden, want_weights, NULL);
    }
    bool denormal = golden_starts_with(golden, "denormal");
    golden_compare(golden, "Y", context, want_context, denormal ? 0 : SDPA_TOLERANCE,
                   denormal ? DENORMAL_TOLERANCE : 0);
    if (want_weights != NULL)
        golden_compare(golden, "weights", weights, want_weights, SDPA_TOLERANCE, 0);
    compare_sdpa_gradients(golden, &input);
}

/* torch/mha: torch.nn.MultiheadAttention. */

/* The three projections, from one matrix of stacked rows or from three. */
static void take_projections(struct golden *golden, struct multihead *layer)
{
    size_t d_model = golden_attr_count(golden, "embed_dim", 0);
    struct tensor *stacked = golden_array(golden, "in_proj_weight");
    struct tensor *bias = golden_array(golden, "in_proj_bias");
    struct tensor *weights[3] = {part(golden, stacked, 0, d_model),
                                 part(golden, stacked, d_model, d_model),
                                 part(golden, stacked, 2 * d_model, d_model)};
    layer->w_query =
        turned(golden, stacked ? weights[0] : golden_needed_array(golden, "q_proj_weight"));
    layer->w_key =
        turned(golden, stacked ? weights[1] : golden_needed_array(golden, "k_proj_weight"));
    layer->w_value =
        turned(golden, stacked ? weights[2] : golden_needed_array(golden, "v_proj_weight"));
    layer->b_query = part(golden, bias, 0, d_model);
    layer->b_key = part(golden, bias, d_model, d_model);
    layer->b_value = part(golden, bias, 2 * d_model, d_model);
    assert_int_equal(golden_attr_count(golden, "bias", 1), bias != NULL);
    assert_int_equal(golden_attr_count(golden, "kdim", d_model), layer->w_key->shape[0]);
    assert_int_equal(golden_attr_count(golden, "vdim", d_model), layer->w_value->shape[0]);
}

/* attn_mask (n_q, n_k) or (batch * heads, n_q, n_k), key_padding_mask (batch, n_k): as one mask
 * that broadcasts to (batch, heads, n_q, n_k). True means hidden in both. */
static void take_mha_masks(struct golden *golden, size_t n_heads, struct multihead_input *input)
{
    struct tensor *mask = golden_array(golden, "attn_mask");
    struct tensor *padding = golden_array(golden, "key_padding_mask");
    size_t n_batch = input->query->shape[0];
    if (mask != NULL && mask->n_axes == 3)
        mask =
            reshaped(golden, mask, 4, (size_t[]){n_batch, n_heads, mask->shape[1], mask->shape[2]});
    if (padding != NULL)
        padding = reshaped(golden, padding, 4, (size_t[]){n_batch, 1, 1, padding->shape[1]});
    assert_true(mask == NULL || padding == NULL);
    input->mask = mask != NULL ? mask : padding;
    if (input->mask != NULL)
        input->mask_kind = input->mask->is_bool ? MASK_MASKED_OUT : MASK_ADDITIVE;
}

/* x as (batch, n, d), whichever of the first two axes comes first in the file. */
static struct tensor *batch_first(struct golden *golden, struct tensor *x, bool is_first)
{
    return is_first ? x : swapped(golden, x, 0, 1);
}

/* Compares the gradient of one projection with its third of the stacked ones, or its own array. */
static void compare_mha_projection(struct golden *golden, size_t third, const char *name,
                                   const struct tensor *d_weight, const struct tensor *d_bias)
{
    struct tensor *stacked = golden_array(golden, "grad.in_proj_weight");
    size_t d_model = d_weight->shape[1];
    const struct tensor *want = stacked != NULL ? part(golden, stacked, third * d_model, d_model)
                                                : golden_needed_array(golden, name);
    golden_compare(golden, name, d_weight, turned(golden, want), GRADIENT_TOLERANCE,
                   GRADIENT_TOLERANCE);
    struct tensor *biases = golden_array(golden, "grad.in_proj_bias");
    if (biases != NULL)
        golden_compare(golden, "grad.in_proj_bias", d_bias,
                       part(golden, biases, third * d_model, d_model), GRADIENT_TOLERANCE,
                       GRADIENT_TOLERANCE);
}

static void compare_out_projection(struct golden *golden, const struct multihead_gradients *g)
{
    struct tensor *want = golden_array(golden, "grad.out_proj.weight");
    if (want != NULL)
        golden_compare(golden, "grad.out_proj.weight", &g->w_out, turned(golden, want),
                       GRADIENT_TOLERANCE, GRADIENT_TOLERANCE);
    if (golden_array(golden, "grad.out_proj.bias") != NULL)
        golden_compare_gradient(golden, "grad.out_proj.bias", &g->b_out);
}

static void compare_mha_gradients(struct golden *golden, const struct multihead *layer,
                                  const struct multihead_input *input, bool is_first)
{
    struct error error;
    struct tensor *d_out = golden_array(golden, "dY");
    if (d_out == NULL)
        return;
    struct multihead_gradients g;
    golden_succeed(
        golden,
        multihead_backward(layer, input, batch_first(golden, d_out, is_first), NULL, &g, &error),
        &error);
    golden_compare_gradient(golden, "d_query", batch_first(golden, &g.query, is_first));
    golden_compare_gradient(golden, "d_key", batch_first(golden, &g.key, is_first));
    golden_compare_gradient(golden, "d_value", batch_first(golden, &g.value, is_first));
    compare_mha_projection(golden, 0, "grad.q_proj_weight", &g.w_query, &g.b_query);
    compare_mha_projection(golden, 1, "grad.k_proj_weight", &g.w_key, &g.b_key);
    compare_mha_projection(golden, 2, "grad.v_proj_weight", &g.w_value, &g.b_value);
    compare_out_projection(golden, &g);
    multihead_gradients_release(&g);
}

static void run_mha(struct golden *golden)
{
    struct error error;
    bool is_first = golden_attr_count(golden, "batch_first", 0) == 1;
    struct multihead layer = {
        .n_heads = golden_attr_count(golden, "num_heads", 0),
        .w_out = turned(golden, golden_needed_array(golden, "out_proj.weight")),
        .b_out = golden_array(golden, "out_proj.bias"),
    };
    take_projections(golden, &layer);
    struct multihead_input input = {
        .query = batch_first(golden, golden_needed_array(golden, "query"), is_first),
        .key = batch_first(golden, golden_needed_array(golden, "key"), is_first),
        .value = batch_first(golden, golden_needed_array(golden, "value"), is_first),
    };
    take_mha_masks(golden, layer.n_heads, &input);
    golden_attr_text(golden, "self_attention",
                     NULL); /* query, key and value are given all the same */
    struct tensor *out = golden_own(golden), *weights = golden_own(golden);
    golden_succeed(golden, multihead_forward(&layer, &input, NULL, out, weights, &error), &error);
    const struct tensor *want_out = batch_first(golden, golden_needed_array(golden, "Y"), is_first);
    const struct tensor *want_weights = golden_needed_array(golden, "weights");
    /* Choice: a row without a key has weights and context zero, so the layer gives the bias of its
     * output projection; torch gives NaN. */
    if (golden_starts_with(golden, "fullmask")) {
        want_out = golden_without_nan_rows(golden, want_out, layer.b_out);
        want_weights = golden_without_nan_rows(golden, want_weights, NULL);
    }
    golden_compare(golden, "Y", out, want_out, LAYER_TOLERANCE, 0);
    golden_compare(golden, "weights", weights, want_weights, LAYER_TOLERANCE, 0);
    compare_mha_gradients(golden, &layer, &input, is_first);
}

/* torch/multihead: the module that tutorials build. */

/* Turns W where it is stored (d_out, d_in). NULL stays NULL. */
static struct tensor *by_layout(struct golden *golden, struct tensor *weight)
{
    bool is_turned = strcmp(golden_attr_text(golden, "weight_layout", "?"), "out_in") == 0;
    return is_turned ? turned(golden, weight) : weight;
}

static void compare_weight_gradient(struct golden *golden, const char *name,
                                    const struct tensor *got)
{
    golden_compare(golden, name, got, by_layout(golden, golden_needed_array(golden, name)),
                   GRADIENT_TOLERANCE, GRADIENT_TOLERANCE);
}

/* The gradient of x, which is query, key and value at once. */
static void compare_d_x(struct golden *golden, const struct multihead_gradients *g)
{
    struct error error;
    struct tensor *sum = golden_own(golden);
    golden_succeed(golden, tensor_copy(&g->query, sum, &error), &error);
    size_t size = tensor_size(sum);
    for (size_t at = 0; at < size; at++)
        sum->data[at] += g->key.data[at] + g->value.data[at];
    golden_compare_gradient(golden, "dx", sum);
}

static void compare_multihead_gradients(struct golden *golden, const struct multihead *layer,
                                        const struct multihead_input *input)
{
    struct error error;
    struct multihead_gradients g;
    golden_succeed(
        golden,
        multihead_backward(layer, input, golden_needed_array(golden, "dY"), NULL, &g, &error),
        &error);
    compare_d_x(golden, &g);
    compare_weight_gradient(golden, "grad.W_query.weight", &g.w_query);
    compare_weight_gradient(golden, "grad.W_key.weight", &g.w_key);
    compare_weight_gradient(golden, "grad.W_value.weight", &g.w_value);
    if (layer->b_query != NULL) {
        golden_compare_gradient(golden, "grad.W_query.bias", &g.b_query);
        golden_compare_gradient(golden, "grad.W_key.bias", &g.b_key);
        golden_compare_gradient(golden, "grad.W_value.bias", &g.b_value);
    }
    compare_out_projection(golden, &g);
    multihead_gradients_release(&g);
}

/* A layer of one head without biases is also what self_attention_forward() computes. */
static void compare_single_head(struct golden *golden, const struct multihead *layer,
                                const struct tensor *x)
{
    struct error error;
    if (layer->n_heads != 1 || layer->b_query != NULL || layer->b_out != NULL)
        return;
    struct self_attention head = {
        .w_query = layer->w_query,
        .w_key = layer->w_key,
        .w_value = layer->w_value,
        .w_out = layer->w_out,
        .causal = layer->causal,
    };
    struct tensor *out = golden_own(golden);
    golden_succeed(golden, self_attention_forward(&head, x, NULL, out, NULL, &error), &error);
    golden_compare(golden, "Y of a single head", out, golden_needed_array(golden, "Y"),
                   LAYER_TOLERANCE, 0);
}

static void run_multihead(struct golden *golden)
{
    struct error error;
    struct multihead layer = {
        .n_heads = golden_attr_count(golden, "num_heads", 0),
        .w_query = by_layout(golden, golden_needed_array(golden, "W_query.weight")),
        .w_key = by_layout(golden, golden_needed_array(golden, "W_key.weight")),
        .w_value = by_layout(golden, golden_needed_array(golden, "W_value.weight")),
        .b_query = golden_array(golden, "W_query.bias"),
        .b_key = golden_array(golden, "W_key.bias"),
        .b_value = golden_array(golden, "W_value.bias"),
        .w_out = turned(golden, golden_array(golden, "out_proj.weight")),
        .b_out = golden_array(golden, "out_proj.bias"),
        .causal = golden_attr_count(golden, "is_causal", 0) == 1,
        .context_length = golden_attr_count(golden, "context_length", 0),
    };
    assert_int_equal(golden_attr_count(golden, "qkv_bias", 0), layer.b_query != NULL);
    assert_int_equal(golden_attr_count(golden, "out_proj", 0), layer.w_out != NULL);
    assert_int_equal(golden_attr_count(golden, "d_in", 0), layer.w_query->shape[0]);
    assert_int_equal(golden_attr_count(golden, "d_out", 0), layer.w_query->shape[1]);
    struct tensor *x = golden_needed_array(golden, "x");
    struct multihead_input input = {.query = x, .key = x, .value = x};
    struct tensor *out = golden_own(golden), *weights = golden_own(golden);
    golden_succeed(golden, multihead_forward(&layer, &input, NULL, out, weights, &error), &error);
    golden_compare(golden, "Y", out, golden_needed_array(golden, "Y"), LAYER_TOLERANCE, 0);
    golden_compare(golden, "weights", weights, golden_needed_array(golden, "weights"),
                   LAYER_TOLERANCE, 0);
    compare_single_head(golden, &layer, x);
    compare_multihead_gradients(golden, &layer, &input);
}

/* torch/softmax */

static void run_softmax(struct golden *golden)
{
    struct error error;
    struct tensor *x = golden_needed_array(golden, "x");
    struct tensor *want = golden_needed_array(golden, "Y");
    ptrdiff_t dim = (ptrdiff_t)golden_attr_number(golden, "dim", 0);
    struct tensor *y = golden_own(golden);
    golden_succeed(golden, softmax_forward(x, dim, NULL, y, &error), &error);
    golden_compare(golden, "Y", y, want, SOFTMAX_TOLERANCE, 0);
    if (golden_starts_with(golden, "neginf")) {
        /* Choice: what attention uses gives zeros where softmax gives NaN for a row of -inf. */
        struct tensor *weights = golden_own(golden);
        bool whole_rows = golden_starts_with(golden, "neginf_all");
        golden_succeed(golden, softmax_weights(x, dim, NULL, weights, &error), &error);
        golden_compare(golden, "weights", weights,
                       whole_rows ? golden_without_nan_rows(golden, want, NULL) : want,
                       SOFTMAX_TOLERANCE, 0);
    }
    struct tensor *d_y = golden_array(golden, "dY");
    if (d_y == NULL)
        return;
    struct tensor *d_x = golden_own(golden);
    golden_succeed(golden, softmax_backward(y, d_y, dim, NULL, d_x, &error), &error);
    golden_compare_gradient(golden, "dx", d_x);
}

static void test_golden__onnx_attention(void **state)
{
    (void)state;
    golden_run_family("onnx", run_onnx, 98);
}

static void test_golden__torch_sdpa(void **state)
{
    (void)state;
    golden_run_family("torch/sdpa", run_sdpa, 72);
}

static void test_golden__torch_mha(void **state)
{
    (void)state;
    golden_run_family("torch/mha", run_mha, 11);
}

static void test_golden__torch_multihead(void **state)
{
    (void)state;
    golden_run_family("torch/multihead", run_multihead, 11);
}

static void test_golden__torch_softmax(void **state)
{
    (void)state;
    golden_run_family("torch/softmax", run_softmax, 12);
}

/* A new folder beside the known families must not go unnoticed. */
static void test_golden__no_unknown_family(void **state)
{
    (void)state;
    static const char *const known[] = {"sdpa", "mha", "multihead", "softmax",
                                        /* through the language, in its own tests: */
                                        "embedding", "gelu", "layernorm", "silu", "rmsnorm",
                                        "cross_entropy"};
    golden_check_families(known, sizeof known / sizeof *known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden__onnx_attention),
        cmocka_unit_test(test_golden__torch_sdpa),
        cmocka_unit_test(test_golden__torch_mha),
        cmocka_unit_test(test_golden__torch_multihead),
        cmocka_unit_test(test_golden__torch_softmax),
        cmocka_unit_test(test_golden__no_unknown_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
