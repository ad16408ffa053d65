/* A training: a model, the batches that it learns from, and how far it is. */
#ifndef ATTN_TRAIN_TRAINING_H
#define ATTN_TRAIN_TRAINING_H

#include <signal.h>

#include "model/train.h"
#include "train/source.h"

struct training {
    struct source *source; /* borrowed */
    struct recipe recipe;
    uint64_t seed; /* of the first weights and of the batches */
    struct trainer *trainer;
    double loss; /* of the last step */
};

/* What a model gets right in sequences that it was not trained on. */
struct score {
    double loss;
    double right; /* share of the targets that are the likeliest token, 0 to 1 */
    size_t n;     /* targets */
};

/* A model of the recipe with random weights, after no step. stop, set by a signal handler, ends a
 * step, or NULL. ERR_RANGE for sizes that don't fit each other. */
bool training_new(struct source *source, const struct recipe *recipe, uint64_t seed,
                  const volatile sig_atomic_t *stop, struct training **ret, struct error *reterr);
/* The same of a model that is there already, which stays as it is: after the steps of AdamW that
 * made it, whose batches are not drawn again. graph is the one in which it runs (trainer_new()).
 * ERR_SHAPE where it has another number of tokens than the source, or takes shorter texts. */
bool training_of_model(struct source *source, struct model *model, struct graph *graph,
                       const struct recipe *recipe, uint64_t seed, struct training **ret,
                       struct error *reterr);
void training_free(struct training *training); /* may be NULL */

/* One step, on the batch of its number. ERR_INTERRUPTED: nothing has changed. */
bool training_step(struct training *training, struct error *reterr);
/* Steps that were taken, those before this training among them. */
size_t training_count(const struct training *training);
/* What the model as it is now gets right in n_batches of a split other than SPLIT_TRAINING. */
bool training_score(const struct training *training, enum split split, size_t n_batches,
                    struct score *ret, struct error *reterr);
/* The model as it is now, for the graph in which it will run. */
struct model *training_model(const struct training *training, struct graph *graph,
                             struct error *reterr);

#endif
