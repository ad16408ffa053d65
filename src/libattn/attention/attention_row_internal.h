/* The formula of attention for one query: its steps, one small function each. Shared by the files
 * of this room; not part of the library's public header. */
#ifndef ATTN_ATTENTION_ATTENTION_ROW_INTERNAL_H
#define ATTN_ATTENTION_ATTENTION_ROW_INTERNAL_H

#include "attention/attention_plan_internal.h"

/* The results of the steps for the current query; the next query overwrites them. */
struct attention_row {
    float *scores, *scaled, *capped, *masked, *weights, *dropped; /* n_k numbers each */
    double *context;                                              /* d_v sums */
    double *gradient; /* n_k numbers, for the backward pass */
    float *steps;     /* the block that holds the six */
    double *sums;     /* the block that holds the two */
};

bool attention_row_init(struct attention_row *row, const struct attention_plan *plan,
                        struct error *reterr);
void attention_row_release(struct attention_row *row);

/* All steps for query i of this head. */
void attention_row_attend(const struct attention_row *row, const struct attention_plan *plan,
                          const struct attention_head *head, size_t i);

/* The numbers for query i and key j of this head in the mask, and for query i and key 0 in the
 * dropout factors; NULL without a mask, or without dropout. */
const float *attention_row_mask(const struct attention_plan *plan,
                                const struct attention_head *head, size_t i, size_t j);
const float *attention_row_dropout(const struct attention_plan *plan,
                                   const struct attention_head *head, size_t i);

/* a . b, summed in double. */
double attention_row_dot(const float *a, const float *b, size_t n);

#endif
