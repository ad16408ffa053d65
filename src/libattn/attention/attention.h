/* Scaled dot-product attention, step by step as the formula reads. Conventions: tensor/tensor.h.
 *
 *   context = softmax(mask(cap(query key^T * scale))) value
 *
 * Sources: Vaswani et al. 2017, "Attention Is All You Need", eq. (1); grouped queries: Ainslie et
 * al. 2023, "GQA"; softcap: Gemma Team 2024, "Gemma 2", section 2.
 *
 * The steps for one query, one small function each, are in attention_row.c.
 *
 * A weight of exactly 0 adds nothing, even to a value that is NaN or infinite, forwards and
 * backwards. So a key that the mask, causality or its length hides from a query has no influence on
 * that query's row, whatever its key, its value or its score is; nor has an open key whose weight
 * is too small for float32, or is dropped. Only a NaN score of an open key makes all weights of the
 * row NaN. Where others differ:
 *
 *                                   attn       PyTorch    ONNX >= 1.23   ONNX <= 1.22
 *   no key is open to a query:
 *     its weights and context       0          NaN        0              NaN
 *   a NaN in a hidden key or value  no effect  spreads    not stated     not stated
 *   a NaN in an open value whose
 *     weight rounds to 0            no effect  spreads    not stated     not stated
 *   a causal mask when n_q != n_k,
 *     query i may attend to key j   <= i + causal_offset (0 unless given)
 *                                              <= i       <= i + cached length (kv_cache.h) */
#ifndef ATTN_ATTENTION_ATTENTION_H
#define ATTN_ATTENTION_ATTENTION_H

#include <signal.h>

#include "attention/mask.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

/* The tensors that attention reads, and its options. With all options zero it is plain attention.
 * The tensors stay the caller's and are only read.
 *
 * "..." are leading axes (batch, heads, or none). Those of query, key and value broadcast to each
 * other, and the results have the broadcast axes. */
struct attention_input {
    const struct tensor *query; /* (..., n_q, d_k) */
    const struct tensor *key;   /* (..., n_k, d_k) */
    const struct tensor *value; /* (..., n_k, d_v) */

    const struct tensor
        *mask;                /* broadcasts to (..., n_q, n_k), so (n_q, n_k) serves all; or NULL */
    enum mask_kind mask_kind; /* what its numbers mean */

    bool causal;             /* query i may attend to key j <= i + causal_offset, and no other */
    ptrdiff_t causal_offset; /* 0: top left; may be negative */

    const size_t *key_lengths; /* keys from key_lengths[b] on are padding in entry b of the first
                                * leading axis (one entry when there is no such axis); or NULL */
    size_t n_key_lengths;      /* entries of key_lengths */

    bool has_scale; /* false: scores are multiplied by 1 / sqrt(d_k) */
    double scale;   /* true: by this */

    double softcap; /* c > 0: scores become c * tanh(score / c) before the mask; 0: they stay */

    const struct tensor *dropout; /* (..., n_q, n_k), multiplies the weights: 0 drops one; made by
                                   * attention_dropout(); or NULL */

    bool grouped_query; /* the third axis from the end counts heads, and query may have a multiple
                         * of key's and value's: with g times as many, query head h reads key and
                         * value head h / g */
};

/* Every step of one evaluation, in order. */
struct attention_trace {
    struct tensor scores;  /* (..., n_q, n_k): query key^T */
    struct tensor scaled;  /* scores * scale */
    struct tensor capped;  /* after softcap */
    struct tensor masked;  /* -inf where a key is hidden */
    struct tensor weights; /* softmax of each row of masked: a row sums to 1, or is all 0 */
    struct tensor dropped; /* weights * dropout */
    struct tensor context; /* (..., n_q, d_v): dropped value */
};

/* The gradients of a loss with respect to the inputs; shapes as in the input. */
struct attention_gradients {
    struct tensor query, key, value;
    struct tensor mask; /* 0 where the mask is -inf; empty unless an additive mask was given */
};

/* *ret_context (..., n_q, d_v); *ret_weights (..., n_q, n_k) unless ret_weights is NULL: the
 * weights before dropout, so that a row sums to 1 (PyTorch shows them after it). stop  when not
 * NULL, looked at before each row: once it is not 0, ERR_INTERRUPTED. ERR_SHAPE when shapes do not
 * fit; ERR_TYPE when the mask can't be of its kind (mask_check); ERR_RANGE for a key length above
 * n_k or a softcap that is negative or NaN. */
bool attention_forward(const struct attention_input *input, const volatile sig_atomic_t *stop,
                       struct tensor *ret_context, struct tensor *ret_weights,
                       struct error *reterr);

/* The same, keeping every step. The caller releases *ret_trace with attention_trace_release(). */
bool attention_forward_traced(const struct attention_input *input,
                              const volatile sig_atomic_t *stop, struct attention_trace *ret_trace,
                              struct error *reterr);
void attention_trace_release(struct attention_trace *trace);

/* Gradients for given d_context, the gradient of the context. The steps of each row are computed
 * again from the input, so nothing but the input has to be kept; a dropout tensor in it must be the
 * one that was used forward. Where an axis was broadcast or a head was shared, gradients add up.
 * Errors as attention_forward(), and ERR_SHAPE when d_context has another shape than the context.
 * The caller releases *ret_gradients with attention_gradients_release(). */
bool attention_backward(const struct attention_input *input, const struct tensor *d_context,
                        const volatile sig_atomic_t *stop,
                        struct attention_gradients *ret_gradients, struct error *reterr);
/* attention_forward() that also saves in *ret_saved what attention_backward_saved() needs to skip
 * the forward pass: (2, ..., n_q), or an empty tensor if the steps will have to be computed again
 * anyway. */
bool attention_forward_saving(const struct attention_input *input,
                              const volatile sig_atomic_t *stop, struct tensor *ret_context,
                              struct tensor *ret_saved, struct error *reterr);
/* attention_backward() with the context and the saved tensor that attention_forward_saving() gave
 * for the same input. */
bool attention_backward_saved(const struct attention_input *input, const struct tensor *context,
                              const struct tensor *saved, const struct tensor *d_context,
                              const volatile sig_atomic_t *stop,
                              struct attention_gradients *ret_gradients, struct error *reterr);
void attention_gradients_release(struct attention_gradients *gradients);

/* Draws the factors (..., n_q, n_k) of inverted dropout for input->dropout: 0 with probability p,
 * else 1 / (1 - p). Dropout is a step of training; leave input->dropout NULL otherwise. ERR_RANGE
 * unless 0 <= p <= 1. Source: Srivastava et al. 2014, "Dropout", section 10. */
bool attention_dropout(const struct attention_input *input, double p, struct random *random,
                       struct tensor *ret, struct error *reterr);

#endif
