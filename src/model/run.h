/* A run: what a model makes of a text, stage by stage, each a node of the graph.
 *
 * A stage is computed when it is first asked for, with the layers before it, and then kept. A run
 * never changes what it has shown; a run with edits (forward.h) is another run, which shares with
 * its base all layers before the first edit. Runs are shared by counting owners. */
#ifndef ATTN_MODEL_RUN_H
#define ATTN_MODEL_RUN_H

#include "model/forward.h"

struct run {
    size_t n_owners;
    struct model *model;
    struct graph *graph;   /* borrowed */
    struct node *ids;      /* (n,) or (batch, n) */
    struct labels *labels; /* a name for each token; NULL with a batch */
    struct edit *edits;    /* each owns its nodes */
    size_t n_edits;
    bool *is_open;                       /* layers whose scores and weights are kept */
    size_t n_computed;                   /* layers, from the first, whose stages are there */
    struct node *(*stages)[STAGE_COUNT]; /* by layer; owned; NULL: not computed */
    struct node *last_normed, *logits;   /* or NULL */
};

/* Runs of ids, of which nothing is computed yet. labels may be NULL, and are shared. ids is
 * shared. */
struct run *run_new(struct graph *graph, struct model *model, struct node *ids,
                    struct labels *labels, struct error *reterr);
/* The same text with edits besides the base's own; their nodes are shared. */
struct run *run_edited(const struct run *base, const struct edit *edits, size_t n_edits,
                       struct error *reterr);
/* The same run with something else after its last norm, or other logits in place of those that
 * follow; one of both is NULL. Later edits of a stage work both out anew. Shares the node. */
struct run *run_ending(const struct run *base, struct node *last_normed, struct node *logits,
                       struct error *reterr);
struct run *run_share(struct run *run);
void run_free(struct run *run); /* may be NULL */

/* A stage of a layer, which the run owns; NULL and *reterr when it can't be computed: ERR_RANGE for
 * a layer that is not there, ERR_NAME for a stage that this model has none of. */
struct node *run_stage(struct run *run, enum stage stage, size_t layer, struct error *reterr);
/* What comes out of the last layer, after the last norm; and the logits, n x vocab. */
struct node *run_last_normed(struct run *run, struct error *reterr);
struct node *run_logits(struct run *run, struct error *reterr);

/* How many tokens a text has. */
size_t run_length(const struct run *run);
/* ERR_SHAPE: the run has a batch axis, and what is asked for is of one text. */
bool run_check_one_text(const struct run *run, struct error *reterr);
/* The bytes of all numbers that it holds, without the model's. */
size_t run_bytes(const struct run *run);

#endif
