/* Runs of a model against the stages that another program computed and stored.
 *
 * A case is a folder with input_ids.npy, (n,) or (batch, n), and any of these, with or without an
 * axis for the batch:
 *   embed                what goes into layer 0
 *   attn_probs_layerL    the weights of layer L
 *   q_rotated_layerL     its queries, with their positions turned in
 *   blockL_out           what comes out of it
 *   ln_f_out, norm_out   what comes out of the last norm
 *   logits
 * Other files are left alone. */
#ifndef ATTN_MODEL_STORED_CASES_H
#define ATTN_MODEL_STORED_CASES_H

#include "graph/graph.h"

struct doc;
struct model;
struct show_options;

/* How far a model is from what is stored, stage by stage. */
struct stored_errors {
    struct stored_stage {
        char name[40]; /* as its file, without .npy */
        double error;  /* the largest difference / the largest stored number, of the case where that
                        * is most; NaN where one of both is not a number and the other is */
        size_t n_cases;
    } * stages; /* in the order of computation; owned */
    size_t n_stages;
    size_t n_cases;
};

/* Runs the model on all cases: the folder itself where it is one, else the folders in it that are.
 *   ERR_FILE  there is no case, or a file can't be read, or a case has none of the stages
 *   ERR_SHAPE a stored stage has another shape than the model's
 * and as run_ids(). The caller releases *ret. stop may be NULL. */
bool stored_cases_run(struct model *model, const char *folder, const volatile sig_atomic_t *stop,
                      struct stored_errors *ret, struct error *reterr);
void stored_errors_release(struct stored_errors *errors);
/* All errors are within 1e-5 of the largest stored number: float32 against float64. */
bool stored_errors_are_small(const struct stored_errors *errors);
/* A line for each stage, and one that says it in a sentence. */
void stored_errors_show(const struct stored_errors *errors, struct doc *out);

#endif
