/* Self-attention with one head: every token of x looks at every token of x.
 * Conventions: tensor/tensor.h. For gradients, and for a head with biases of its own or several
 * heads, see multihead.h, of which one head is a case. */
#ifndef ATTN_ATTENTION_SELF_ATTENTION_H
#define ATTN_ATTENTION_SELF_ATTENTION_H

#include <signal.h>

#include "tensor/tensor.h"

/* context = softmax(x x^T) x: attention without anything to learn, and without scaling.
 *
 *   x (..., n, d)   *ret_context (..., n, d)   *ret_weights (..., n, n), unless NULL
 *
 * stop and errors as attention_forward(). Source: Bishop and Bishop 2023, "Deep Learning:
 * Foundations and Concepts", section 12.1. */
bool self_attention_plain(const struct tensor *x, const volatile sig_atomic_t *stop,
                          struct tensor *ret_context, struct tensor *ret_weights,
                          struct error *reterr);

/* One head with learned projections. The tensors stay the caller's and are only read. */
struct self_attention {
    const struct tensor *w_query; /* (d_in, d_k) */
    const struct tensor *w_key;   /* (d_in, d_k) */
    const struct tensor *w_value; /* (d_in, d_v) */
    const struct tensor *w_out;   /* (d_v, d_out), or NULL: the context is the result */
    bool causal;                  /* token i may attend to tokens 0..i */
};

/* out = softmax(x W_query (x W_key)^T / sqrt(d_k)) x W_value W_out.
 *
 *   x (..., n, d_in)   *ret_out (..., n, d_out)   *ret_weights (..., n, n), unless NULL
 *
 * stop as attention_forward(); ERR_SHAPE when the sizes do not fit. Source: Vaswani et al. 2017,
 * "Attention Is All You Need", eq. (1) with Q = X W_query and so on. */
bool self_attention_forward(const struct self_attention *head, const struct tensor *x,
                            const volatile sig_atomic_t *stop, struct tensor *ret_out,
                            struct tensor *ret_weights, struct error *reterr);

#endif
