/* New models: their weights drawn at random. */
#ifndef ATTN_MODEL_INITIAL_H
#define ATTN_MODEL_INITIAL_H

#include "graph/graph.h"
#include "model/config_internal.h"

struct graph;
struct model;
struct random;

enum initial {
    INITIAL_GPT2, /* N(0, 0.02); matrices that write to the residual stream 0.02 / sqrt(2 n_layers);
                   * biases 0. Source: Radford and others 2019, as nanoGPT has it */
    INITIAL_TORCH,   /* embeddings N(0, 1), all other weights uniform in +-1 / sqrt(in): PyTorch's
                      * defaults of Embedding and Linear */
    INITIAL_STORIES, /* as torch, but tokens N(0, 0.1) and positions N(0, 0.4), for embeddings that
                      * are scaled by sqrt(d_model) and also make the logits */
};

/* A model without a folder, whose weights are leaves of the graph in which it will run. Norms begin
 * as 1 and 0. The same random stream gives the same weights. NULL on failure: ERR_RANGE for sizes
 * that don't fit each other, ERR_LIMIT, ERR_MEMORY. */
struct model *model_random(struct graph *graph, const struct model_config *config,
                           enum initial initial, struct random *random, const char *name,
                           struct error *reterr);

#endif
