/* A training: a model, the source of its batches, and its progress. */
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

/* A model's score on sequences that it was not trained on. */
struct score {
    double loss;
    double right; /* share of the targets that are the likeliest token, 0 to 1 */
    size_t n;     /* targets */
};

/* Starts with a model of the recipe with random weights. stop, which a signal handler may set, ends
 * a step; or NULL. ERR_RANGE for sizes that don't fit each other. */
bool training_new(struct source *source, const struct recipe *recipe, uint64_t seed,
                  const volatile sig_atomic_t *stop, struct training **ret, struct error *reterr);
/* The same from an existing model, which stays as it is: continues after the steps of AdamW that
 * made it, whose batches are not drawn again. graph is the one in which it runs (trainer_new()).
 * ERR_SHAPE if its number of tokens differs from the source's, or it takes shorter texts. */
bool training_of_model(struct source *source, struct model *model, struct graph *graph,
                       const struct recipe *recipe, uint64_t seed, struct training **ret,
                       struct error *reterr);
void training_free(struct training *training); /* may be NULL */

/* One step, on the batch of its number. ERR_INTERRUPTED: nothing has changed. */
bool training_step(struct training *training, struct error *reterr);
/* Steps taken, including those before this training. */
size_t training_count(const struct training *training);
/* The current model's score on n_batches of a split other than SPLIT_TRAINING. */
bool training_score(const struct training *training, enum split split, size_t n_batches,
                    struct score *ret, struct error *reterr);
/* The current model, for the graph in which it will run. */
struct model *training_model(const struct training *training, struct graph *graph,
                             struct error *reterr);

#endif
