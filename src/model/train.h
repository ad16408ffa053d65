/* Training: steps of AdamW on a model's own copy of its weights.
 *
 * What trains is the graph that `why` explains: each step is a forward pass (forward.h), the mean
 * cross-entropy of the next tokens, and graph_grad(). */
#ifndef ATTN_MODEL_TRAIN_H
#define ATTN_MODEL_TRAIN_H

#include <signal.h>

#include "model/model.h"
#include "optim/adamw.h"

struct graph;
struct trainer;

enum { TARGET_IGNORED = -100 }; /* a target that has no loss: PyTorch's ignore_index */

/* How a step is taken. */
struct step_options {
    struct adamw adamw;   /* with the learning rate of this step */
    double clip;          /* the longest norm of all gradients; 0: any */
    bool decays_matrices; /* weights decay in matrices only, not in biases and norms */
};

/* A trainer of a copy of the model's weights, after no step. stop, set by a signal handler, ends a
 * step, or NULL. The model is as before, whatever the trainer does. ERR_MEMORY; errors of reading
 * the weights. */
bool trainer_new(struct model *model, const volatile sig_atomic_t *stop, struct trainer **ret,
                 struct error *reterr);
void trainer_free(struct trainer *trainer); /* may be NULL */

/* One step on a batch of ids (batch x n) and the tokens that should come out at each place, or
 * TARGET_IGNORED; both borrowed. *ret_loss is the mean loss before the step, *ret_norm (or NULL)
 * the norm of the gradients before clipping. After a failure the weights are as before the step.
 * ERR_RANGE for an id or target that is no token; ERR_INTERRUPTED. */
bool trainer_step(struct trainer *trainer, const struct tensor *ids, const struct tensor *targets,
                  const struct step_options *options, double *ret_loss, double *ret_norm,
                  struct error *reterr);

/* The logits of a batch of ids (batch x n) by the weights as they are now, (batch * n) x vocab,
 * dense. The caller releases *ret. ERR_RANGE for an id that is no token; ERR_INTERRUPTED. */
bool trainer_logits(struct trainer *trainer, const struct tensor *ids, struct tensor *ret,
                    struct error *reterr);

/* A model of the weights as they are now, which later steps do not change, for the graph in which
 * it will run. */
struct model *trainer_model(const struct trainer *trainer, struct graph *graph,
                            struct error *reterr);

/* The numbers that it trains, to be kept and brought back: copies the weights to
 * weights[trainer_total()], parameter after parameter, and what AdamW remembers, unless NULL, to
 * moments[2 * trainer_total()]. */
void trainer_read(const struct trainer *trainer, float *weights, float *moments);
/* Goes on from such numbers, which n_steps steps made; moments NULL: all 0, as before the first. */
void trainer_write(struct trainer *trainer, const float *weights, const float *moments,
                   size_t n_steps);
/* A model of such weights; NULL: of its own. */
struct model *trainer_model_of(const struct trainer *trainer, const float *weights,
                               struct graph *graph, struct error *reterr);

/* Writes all that the next steps depend on, the weights, what AdamW remembers and the count of
 * steps, as a safetensors file that appears whole or not at all; `about` is kept beside it.
 * ERR_FILE.
 */
bool trainer_save(const struct trainer *trainer, const char *path, const char *about,
                  struct error *reterr);
/* Goes on from such a file of a model of the same configuration; the trainer takes it over, or is
 * as before. ERR_FILE naming what does not fit. */
bool trainer_load(struct trainer *trainer, const char *path, struct error *reterr);

/* How many numbers it trains. */
size_t trainer_total(const struct trainer *trainer);
/* Steps that were taken. */
size_t trainer_count(const struct trainer *trainer);

#endif
