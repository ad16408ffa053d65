/* An attention input made ready to be walked: shapes checked, rows made dense, leading axes brought
 * to one shape. Shared by the files of this room; not part of the library's public header. */
#ifndef ATTN_ATTENTION_ATTENTION_PLAN_INTERNAL_H
#define ATTN_ATTENTION_ATTENTION_PLAN_INTERNAL_H

#include "attention/attention.h"

struct attention_plan {
    const struct attention_input *input;
    struct tensor query, key, value; /* dense numbers, seen under the common leading axes */
    struct tensor mask;              /* seen as (..., n_q, n_k); empty without a mask */
    struct tensor dropout;           /* dense (..., n_q, n_k); empty without dropout */
    unsigned n_lead;                 /* leading axes */
    size_t shape[TENSOR_MAX_AXES];   /* of the weights: lead[0..n_lead), n_q, n_k */
    size_t n_heads;                  /* matrices: the product of the leading axes */
    size_t n_q, n_k, d_k, d_v;
    size_t key_group, value_group; /* query heads that share one key head, one value head */
    double scale;
};

/* One matrix of each tensor: a head of a batch entry. Rows lie one after the other, except in the
 * mask, where they are as far apart as plan->mask.stride says. */
struct attention_head {
    const float *query;   /* (n_q, d_k) */
    const float *key;     /* (n_k, d_k) */
    const float *value;   /* (n_k, d_v) */
    const float *mask;    /* (n_q, n_k) or NULL */
    const float *dropout; /* (n_q, n_k) or NULL */
    size_t key_length;    /* keys from here on are padding */
};

/* Checks the input, which must outlive the plan. Errors as attention_forward(). */
bool attention_plan_init(struct attention_plan *plan, const struct attention_input *input,
                         struct error *reterr);
void attention_plan_release(struct attention_plan *plan);

/* Head number `at` of the row-major order of the leading axes, 0 <= at < n_heads. */
struct attention_head attention_plan_head(const struct attention_plan *plan, size_t at);

#endif
