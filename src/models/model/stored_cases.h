/* Compares runs of a model with the stages that another program computed and stored.
 *
 * A case is a folder with input_ids.npy, (n,) or (batch, n), and any of these, with or without an
 * axis for the batch:
 *
 *   embed                the input of layer 0
 *   attn_probs_layerL    the weights of layer L
 *   q_rotated_layerL     its queries, with their positions turned in
 *   blockL_out           its output
 *   ln_f_out, norm_out   the output of the last norm
 *   logits
 *
 * Other files are ignored. */
#ifndef ATTN_MODEL_STORED_CASES_H
#define ATTN_MODEL_STORED_CASES_H

#include "graph/graph.h"

struct doc;
struct model;
struct show_options;

/* How far a model is from the stored numbers, stage by stage. */
struct stored_errors {
    struct stored_stage {
        char name[40]; /* as its file, without .npy */
        double error;  /* the largest difference / the largest stored number, in the case in which
                        * that is largest; NaN if one of both is NaN and the other is not */
        size_t n_cases;
    } * stages; /* in the order of computation; owned */
    size_t n_stages;
    size_t n_cases;
};

/* Runs the model on all cases: the folder itself if it is a case, else the cases in it.
 *
 *   ERR_FILE  there is no case, or a file can't be read, or a case has none of the stages
 *   ERR_SHAPE a stored stage has another shape than the model's
 *
 * and errors as run_ids(). The caller releases *ret. stop may be NULL. */
bool stored_cases_run(struct model *model, const char *folder, const volatile sig_atomic_t *stop,
                      struct stored_errors *ret, struct error *reterr);
void stored_errors_release(struct stored_errors *errors);
/* All errors are within 1e-5 of the largest stored number: float32 against float64. */
bool stored_errors_are_small(const struct stored_errors *errors);
/* Adds a line for each stage, and a sentence about the result. */
void stored_errors_show(const struct stored_errors *errors, struct doc *out);

#endif
