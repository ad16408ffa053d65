/* Numbers of heads, layers x heads, as a person reads them. */
#ifndef ATTN_MODEL_HEAD_RANKING_H
#define ATTN_MODEL_HEAD_RANKING_H

#include "base/error.h"

struct doc;
struct labels;
struct show_options;
struct tensor;

/* The names PREFIX0, PREFIX1, ...: "L" for layers, "H" for heads. */
bool labels_numbered(const char *prefix, size_t n, struct labels **ret, struct error *reterr);
/* The names of the first n heads, L0H0, L0H1, ..., in this order; or, unless order is NULL, of the
 * heads order[0..n). */
bool labels_of_heads(size_t n_heads, const size_t *order, size_t n, struct labels **ret,
                     struct error *reterr);

/* The places of numbers[n], largest by size first; equal ones in order, NaN last. */
bool rank_by_size(const float *numbers, size_t n, size_t *ret_order, struct error *reterr);

/* The n heads with the largest numbers by size, as bars. scores is (n_layers, n_heads), dense. */
bool show_head_ranking(const struct tensor *scores, size_t n, const struct show_options *options,
                       struct doc *out, struct error *reterr);
/* Adds the warning that must stand beside every picture of where heads look. */
void show_may_not_matter(const struct show_options *options, struct doc *out);

#endif
