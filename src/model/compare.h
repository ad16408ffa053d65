/* How far the heads of two runs attend differently. */
#ifndef ATTN_MODEL_COMPARE_H
#define ATTN_MODEL_COMPARE_H

#include "model/alignment.h"

struct tensor;

/* The change of each head's weights from a to b, (n_layers, n_heads): half the sum of |difference|
 * over the keys, the mean of it over the paired queries: 0 where both attend alike, 1 where they
 * share no key. A key without a partner counts with its whole weight. ERR_SHAPE for runs of models
 * with other layers or heads, or without a pair. */
bool heads_change(struct run *a, struct run *b, const struct alignment *alignment,
                  struct tensor *ret, struct error *reterr);
/* The weights of one head in b minus those in a, paired queries x paired keys. */
bool head_difference(struct run *a, struct run *b, const struct alignment *alignment,
                     const size_t head[2], struct tensor *ret, struct error *reterr);

#endif
