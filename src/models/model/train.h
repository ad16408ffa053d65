/* Training: steps of an optimiser on a model's own copy of its weights.
 *
 * What trains is the graph that `why` explains: each step is a forward pass and the mean
 * cross-entropy of the next tokens (loss.h), and graph_grad(). */
#ifndef ATTN_MODEL_TRAIN_H
#define ATTN_MODEL_TRAIN_H

#include <stdint.h>

#include "model/model.h"
#include "optim/optimiser.h"

struct graph;
struct node;
struct trainer;

/* A trainer of a copy of the model's weights. It continues where an optimiser of this kind was when
 * it made the model; else it begins. graph is the one in which the model runs: weights that are not
 * read yet become leaves of it, and its `stop` ends a step. The model stays as it is, whatever the
 * trainer does. ERR_MEMORY; errors of reading the weights. */
bool trainer_new(struct model *model, struct graph *graph, enum optimiser_kind kind,
                 struct trainer **ret, struct error *reterr);
void trainer_free(struct trainer *trainer); /* may be NULL */

/* From now on each step drops a share p, 0 <= p < 1, of the numbers between the layers (forward.h),
 * drawn from the seed and the number of the step. A trainer begins with 0, which drops nothing. */
void trainer_set_dropout(struct trainer *trainer, double p, uint64_t seed);

/* One step on a batch of ids (batch x n) and the tokens that should follow at each place, or
 * TARGET_IGNORED; both borrowed; weights decay in matrices only, not in biases and norms. The
 * optimiser is of the trainer's kind. *ret_loss is the mean loss before the step, *ret_norm (or
 * NULL) the norm of the gradients before clipping. After a failure the weights are as before the
 * step. ERR_RANGE for an id or target that is not a token's; ERR_INTERRUPTED. */
bool trainer_step(struct trainer *trainer, const struct tensor *ids, const struct tensor *targets,
                  const struct optimiser *optimiser, double *ret_loss, double *ret_norm,
                  struct error *reterr);
/* The same with given gradients: one for each weight that the model has, in its order. */
bool trainer_apply(struct trainer *trainer, struct node *const *gradients,
                   const struct optimiser *optimiser, double *ret_norm, struct error *reterr);

/* The logits of a batch of ids (batch x n) by the current weights, (batch * n) x vocab, dense. The
 * caller releases *ret. ERR_RANGE for an id that is not a token's; ERR_INTERRUPTED. */
bool trainer_logits(struct trainer *trainer, const struct tensor *ids, struct tensor *ret,
                    struct error *reterr);

/* A model of the current weights, with the optimiser's memory of the steps, for the graph in which
 * it will run. Later steps do not change it. `from` says where its numbers came from. */
struct model *trainer_model(const struct trainer *trainer, struct graph *graph, const char *from,
                            struct error *reterr);

/* Copies the numbers that it trains, to be kept and restored: the weights to
 * weights[trainer_total()], parameter after parameter, and the optimiser's memory to moments[2 *
 * trainer_total()], unless that is NULL. */
void trainer_read(const struct trainer *trainer, float *weights, float *moments);
/* Restores such numbers, which n_steps steps made; moments NULL: all 0, as before the first
 * step. */
void trainer_write(struct trainer *trainer, const float *weights, const float *moments,
                   size_t n_steps);
/* A model of such weights. */
struct model *trainer_model_of(const struct trainer *trainer, const float *weights,
                               struct graph *graph, struct error *reterr);

/* Writes everything that the next steps depend on (the weights, the optimiser's memory and the
 * count of steps) as a safetensors file that appears whole or not at all; `about` is kept beside
 * it. ERR_FILE. */
bool trainer_save(const struct trainer *trainer, const char *path, const char *about,
                  struct error *reterr);
/* Continues from such a file of a model with the same configuration. On failure the trainer is as
 * before; ERR_FILE names what does not fit. */
bool trainer_load(struct trainer *trainer, const char *path, struct error *reterr);

/* The number of numbers that it trains. */
size_t trainer_total(const struct trainer *trainer);
/* Steps taken so far. */
size_t trainer_count(const struct trainer *trainer);

#endif
