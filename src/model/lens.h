/* The logit lens: what the model would say if it stopped before each of its layers.
 *
 * Source: nostalgebraist 2020, "interpreting GPT: the logit lens". */
#ifndef ATTN_MODEL_LENS_H
#define ATTN_MODEL_LENS_H

#include "base/error.h"

struct doc;
struct labels;
struct model;
struct node;
struct run;
struct tensor;

/* The logits at one position, (n_layers + 1, vocab): row i is the residual stream that goes into
 * layer i through the last norm and the embeddings, row 0 thus the embeddings of the text alone;
 * the last row is that of run_logits(), bit for bit. The caller frees the node. NULL on failure. */
struct node *run_lens(struct run *run, size_t position, struct error *reterr);
/* The names of its rows: "embeddings", "after L0", ... */
bool lens_labels(size_t n_layers, struct labels **ret, struct error *reterr);

/* The likeliest tokens of each row, with their probabilities. */
bool show_lens(const struct model *model, const struct tensor *lens, const struct labels *rows,
               struct doc *out, struct error *reterr);

#endif
