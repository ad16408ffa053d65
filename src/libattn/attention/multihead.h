/* Multi-head attention: several heads look at the same tokens side by side, each in its own small
 * space, and their findings are joined. Conventions: tensor/tensor.h.
 * Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2. */
#ifndef ATTN_ATTENTION_MULTIHEAD_H
#define ATTN_ATTENTION_MULTIHEAD_H

#include <signal.h>

#include "attention/mask.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

/* A view of x (..., n, n_heads * head_dim) as (..., n_heads, n, head_dim): head h has the columns
 * from h * head_dim on. ERR_SHAPE when the columns do not divide by n_heads, ERR_RANGE for no
 * heads, ERR_LIMIT when x has all the axes a tensor can have. */
bool heads_split(const struct tensor *x, size_t n_heads, struct tensor *ret, struct error *reterr);

/* The inverse of heads_split(): x (..., n_heads, n, head_dim) as (..., n, n_heads * head_dim),
 * dense or a view. ERR_SHAPE when x has fewer than three axes. */
bool heads_merge(const struct tensor *x, struct tensor *ret, struct error *reterr);

/* The layer: its learned weights, and how it attends. The tensors stay the caller's and are only
 * read. n_heads must divide d_model and d_values; head h uses columns h * head_dim and on. */
struct multihead {
    size_t n_heads;
    const struct tensor *w_query; /* (d_query, d_model) */
    const struct tensor *w_key;   /* (d_key, d_model) */
    const struct tensor *w_value; /* (d_value, d_values) */
    const struct tensor *b_query; /* (d_model), or NULL */
    const struct tensor *b_key;   /* (d_model), or NULL */
    const struct tensor *b_value; /* (d_values), or NULL */
    const struct tensor *w_out;   /* (d_values, d_out), or NULL: the joined heads are the result */
    const struct tensor *b_out;   /* (d_out), or NULL; not without w_out */
    bool causal;                  /* token i may attend to tokens 0..i */
    size_t context_length;        /* the most tokens it was made for; 0: any number */
    double dropout_p;             /* for multihead_dropout() */
};

/* The inputs of the layer; for self-attention query, key and value are the same tensor. The tensors
 * stay the caller's and are only read. */
struct multihead_input {
    const struct tensor *query; /* (..., n_q, d_query) */
    const struct tensor *key;   /* (..., n_k, d_key) */
    const struct tensor *value; /* (..., n_k, d_value) */
    const struct tensor *mask;  /* broadcasts to (..., n_heads, n_q, n_k), or NULL. Key padding:
                                 * mask_padding(); with another mask: mask_join() */
    enum mask_kind mask_kind;
    const struct tensor *dropout; /* (..., n_heads, n_q, n_k), from multihead_dropout(), when
                                   * training; else NULL */
};

/* Gradients of a loss; shapes as in the layer and the input. The gradients of biases and
 * projections that the layer does not have are empty. For self-attention the gradient of x is query
 * + key + value. */
struct multihead_gradients {
    struct tensor query, key, value;
    struct tensor w_query, w_key, w_value, b_query, b_key, b_value, w_out, b_out;
};

/* *ret_out (..., n_q, d_out) = joined heads W_out + b_out, where head h attends with its columns of
 * query W_query + b_query, key W_key + b_key, value W_value + b_value, scaled by 1/sqrt(head_dim).
 * *ret_weights (..., n_heads, n_q, n_k) unless ret_weights is NULL, before dropout.
 * stop as attention_forward(). ERR_SHAPE when sizes do not fit, n_q or n_k is above the context
 * length, or b_out comes without w_out; else errors as attention_forward(). */
bool multihead_forward(const struct multihead *layer, const struct multihead_input *input,
                       const volatile sig_atomic_t *stop, struct tensor *ret_out,
                       struct tensor *ret_weights, struct error *reterr);

/* Gradients for given d_out, the gradient of out. All steps are computed again; a dropout tensor in
 * the input must be the one that was used forward. Errors as multihead_forward(), and ERR_SHAPE
 * when d_out has another shape than out. The caller releases *ret_gradients with
 * multihead_gradients_release(). */
bool multihead_backward(const struct multihead *layer, const struct multihead_input *input,
                        const struct tensor *d_out, const volatile sig_atomic_t *stop,
                        struct multihead_gradients *ret_gradients, struct error *reterr);
void multihead_gradients_release(struct multihead_gradients *gradients);

/* Draws the factors (..., n_heads, n_q, n_k) of inverted dropout with the layer's dropout_p for
 * input->dropout: see attention_dropout(). */
bool multihead_dropout(const struct multihead *layer, const struct multihead_input *input,
                       struct random *random, struct tensor *ret, struct error *reterr);

#endif
