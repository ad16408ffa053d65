/* Activation patching: a run of one text with parts of what the model made of another in their
 * place. Where the other text's answer comes back, the part carries what makes the difference.
 *
 * Sources: Meng and others 2022, "Locating and editing factual associations in GPT"; Wang and
 * others 2022, "Interpretability in the wild"; the scale is TransformerLens' demo of patching. */
#ifndef ATTN_MODEL_PATCH_H
#define ATTN_MODEL_PATCH_H

#include "base/error.h"

struct run;
struct tensor;

enum patch_by {
    PATCH_HEADS,    /* the context of one head, at all positions */
    PATCH_POSITIONS /* the residual stream that goes into a layer, at one position */
};

/* to with the residual stream that goes into a layer taken from `from`, at one position or (-1) at
 * all: then all that follows is from's, bit for bit. ERR_SHAPE unless both are runs of one model on
 * as many tokens; ERR_RANGE for a layer or position that is not there. */
struct run *run_patched(struct run *to, struct run *from, size_t layer, ptrdiff_t position,
                        struct error *reterr);

/* How much of the difference between two tokens' logits at the end each part brings back,
 * (n_layers, n_heads) or (n_layers, n): with d = logit of tokens[0] - logit of tokens[1],
 * (d patched - d to) / (d from - d to), 1 where the answer is from's and 0 where it is to's.
 * ERR_RANGE where d is the same in both runs. */
bool patch_recovered(struct run *to, struct run *from, enum patch_by by, const size_t tokens[2],
                     struct tensor *ret, struct error *reterr);

#endif
