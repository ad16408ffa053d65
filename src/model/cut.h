/* Cutting: runs in which a head, a layer or an MLP adds nothing, the same everywhere, or what it
 * added to another text. What later layers then do without it shows what the text needs of it.
 *
 * Sources: Michel and others 2019, "Are sixteen heads really better than one?" (zero); Wang and
 * others 2022, "Interpretability in the wild" (mean). */
#ifndef ATTN_MODEL_CUT_H
#define ATTN_MODEL_CUT_H

#include "base/error.h"

struct run;

enum cut_part {
    CUT_HEAD,  /* its context, before the product that writes into the residual stream */
    CUT_LAYER, /* all that the layer adds: by attention, biases included, and by its MLP */
    CUT_MLP    /* what the MLP adds, biases included */
};

struct cut {
    enum cut_part part;
    size_t layer, head; /* head: of a CUT_HEAD */
};

/* What stands in the place of what is cut. */
enum cut_how {
    CUT_ZERO,
    CUT_MEAN,  /* its mean over the positions of the text, at each of them */
    CUT_FROZEN /* what it is in another run of the same model, of as many tokens */
};

/* The run with n cuts. other is the run that CUT_FROZEN takes from, else it is not used. Means are
 * those of `run`, before any of these cuts. NULL on failure: ERR_RANGE for a layer or head that is
 * not there, ERR_NAME for an MLP of a model without, ERR_SHAPE where other does not fit. */
struct run *run_cut(struct run *run, const struct cut *cuts, size_t n, enum cut_how how,
                    struct run *other, struct error *reterr);

#endif
