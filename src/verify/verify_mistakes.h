/* The usual mistakes: what attention gives when one of its steps is done wrong, so that a wrong
 * context can be traced back to the mistake that makes exactly it. */
#ifndef ATTN_VERIFY_VERIFY_MISTAKES_H
#define ATTN_VERIFY_VERIFY_MISTAKES_H

#include <signal.h>

#include "tensor/tensor.h"

/* The inputs of attention. The tensors are the caller's and only read. */
struct mistake_input {
    const struct tensor *query, *key,
        *value;                /* (..., n, d); with heads: projected, not yet split */
    const struct tensor *mask; /* boolean: True may attend; else added to the scores; or NULL */
    bool is_causal;
    bool has_scale;
    double scale;               /* where has_scale; else 1 / sqrt(d_k) */
    size_t n_heads;             /* 0: the tensors are attended with as they are */
    const struct tensor *w_out; /* (d_values, d_out), with heads; or NULL */
    const volatile sig_atomic_t *stop;
};

/* Looks for the mistake, or the two together, that give context within tolerance in each of its
 * finite numbers. *ret_what and *ret_also say what was done, as in "this is what comes out when
 * ..."; NULL where there is no such mistake, or no second one. */
bool mistake_find(const struct mistake_input *input, const struct tensor *context, double tolerance,
                  const char **ret_what, const char **ret_also, struct error *reterr);

#endif
