/* The logit lens: what the model would predict if it stopped before each of its layers. Source:
 * nostalgebraist 2020, "interpreting GPT: the logit lens". */
#ifndef ATTN_MODEL_LENS_H
#define ATTN_MODEL_LENS_H

#include "base/error.h"

struct doc;
struct labels;
struct model;
struct node;
struct run;
struct tensor;
struct show_options;

/* The logits at one position, (n_layers + 1, vocab): row i is the residual stream that goes into
 * layer i, through the last norm and the embeddings, so that row 0 is the text's embeddings alone;
 * the last row is that of run_logits(), bit for bit. The caller frees the node. NULL on failure. */
struct node *run_lens(struct run *run, size_t position, struct error *reterr);

/* The names of its rows: "embeddings", "after L0", ... */
bool lens_labels(size_t n_layers, struct labels **ret, struct error *reterr);

/* The likeliest tokens of each row, with their probabilities. */
bool show_lens(const struct model *model, const struct tensor *lens, const struct labels *rows,
               struct doc *out, struct error *reterr);

/* ---- contribution ---- */

/* What each head and each MLP adds to the logit of one token.
 *
 * The residual stream is a sum: of the embeddings, of each head's context through its rows of the
 * output matrix, of biases and MLPs. The last norm divides it by its standard deviation (or root
 * mean square), which depends on all parts at once: it is held at its value in this run. The rest
 * is linear, so that the parts' shares add up to the logit. Sources: Elhage and others 2021, "A
 * mathematical framework for transformer circuits"; Wang and others 2022, "Interpretability in the
 * wild" (direct logit attribution). */

/* The shares of the logit of a token at a position of a run of one text, a vector, and their names:
 * "embeddings"; of each layer "L0H0", ..., "L0 bias" (if it has biases), "L0 MLP"; "norm bias"; and
 * in a run with edits "edits": what they add on top. The caller frees both. NULL on failure. */
struct node *run_contributions(struct run *run, size_t position, size_t token,
                               struct labels **ret_names, struct error *reterr);

/* Shows the n largest parts by size as bars, the others as one bar, and the sum of all. */
bool show_parts(const struct tensor *parts, const struct labels *names, size_t n,
                const struct show_options *options, struct doc *out, struct error *reterr);

#endif
