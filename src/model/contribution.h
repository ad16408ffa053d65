/* What each head and each MLP adds to the logit of one token.
 *
 * The residual stream is a sum: of the embeddings, of each head's context through its rows of the
 * output matrix, of biases and MLPs. The last norm divides it by its standard deviation (or root
 * mean square), which depends on all parts at once: it is held at what it is in this run. What is
 * left is linear, so that the parts' shares add up to the logit.
 * Sources: Elhage and others 2021, "A mathematical framework for transformer circuits"; Wang and
 * others 2022, "Interpretability in the wild" (direct logit attribution). */
#ifndef ATTN_MODEL_CONTRIBUTION_H
#define ATTN_MODEL_CONTRIBUTION_H

#include "base/error.h"

struct doc;
struct labels;
struct node;
struct run;
struct show_options;
struct tensor;

/* The shares of the logit of a token at a position of a run of one text, a vector, and their names:
 * "embeddings"; of each layer "L0H0", ..., "L0 bias" (where it has one), "L0 MLP"; "norm bias"; and
 * of a run with edits "edits": what these add besides. The caller frees both. NULL on failure. */
struct node *run_contributions(struct run *run, size_t position, size_t token,
                               struct labels **ret_names, struct error *reterr);

/* The n largest of some parts by size as bars, the others as one, and what all add up to. */
bool show_parts(const struct tensor *parts, const struct labels *names, size_t n,
                const struct show_options *options, struct doc *out, struct error *reterr);

#endif
