/* Changing a run and seeing what that does: cutting heads and layers, patching activations,
 * measuring the effect, and comparing two runs. */
#ifndef ATTN_MODEL_INTERVENE_H
#define ATTN_MODEL_INTERVENE_H

#include "base/error.h"

struct run;
struct tensor;
struct labels;
struct alignment;

/* ---- cut ---- */

/* Cutting: runs in which a head, a layer or an MLP adds nothing, the same everywhere, or what it
 * added to another text. What later layers then do without it shows what the text needs of it.
 *
 * Sources: Michel and others 2019, "Are sixteen heads really better than one?" (zero); Wang and
 * others 2022, "Interpretability in the wild" (mean). */

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

/* ---- patch ---- */

/* Activation patching: a run of one text with parts of what the model made of another in their
 * place. Where the other text's answer comes back, the part carries what makes the difference.
 *
 * Sources: Meng and others 2022, "Locating and editing factual associations in GPT"; Wang and
 * others 2022, "Interpretability in the wild"; the scale is TransformerLens' demo of patching. */

enum patch_by {
    PATCH_HEADS,    /* the context of one head, at all positions */
    PATCH_POSITIONS /* the residual stream that goes into a layer, at one position */
};

/* to with the residual stream that goes into a layer taken from `from`, at one position or (-1) at
 * all: then all that follows is from's, bit for bit. ERR_SHAPE unless both are runs of one model on
 * as many tokens; ERR_RANGE for a layer or position that is not there. */
struct run *run_patched(struct run *to, struct run *from, size_t layer, ptrdiff_t position,
                        struct error *reterr);

/* How much of the difference between two tokens' logits at the end each part brings back,
 * (n_layers, n_heads) or (n_layers, n): with d = logit of tokens[0] - logit of tokens[1],
 * (d patched - d to) / (d from - d to), 1 where the answer is from's and 0 where it is to's.
 * ERR_RANGE where d is the same in both runs. */
bool patch_recovered(struct run *to, struct run *from, enum patch_by by, const size_t tokens[2],
                     struct tensor *ret, struct error *reterr);

/* ---- effect ---- */

/* What a change of a run does to what the model says: to the probability of one token, or to the
 * loss of the text. Cutting each head in turn ranks heads by it. */

enum effect_on {
    EFFECT_PROBABILITY, /* of one token at the end of the text */
    EFFECT_LOSS         /* the mean of -log of the probability of each token but the first, in nats,
                         * after those before it */
};

struct effect {
    enum effect_on on;
    size_t token; /* of EFFECT_PROBABILITY */
};

/* The token that the run holds for the likeliest at its end. ERR_SHAPE for a run of several texts.
 */
bool run_likeliest(struct run *run, size_t *ret, struct error *reterr);

/* What is watched, in this run. ERR_SHAPE for the probability in a run of several texts; ERR_RANGE
 * for a token that is not there, or the loss of a text of one token. */
bool run_measure(struct run *run, const struct effect *effect, double *ret, struct error *reterr);

/* How much it changes when one head is cut, (n_layers, n_heads), each head alone: after minus
 * before. ERR_INTERRUPTED when the graph's stop is set. */
bool heads_measure(struct run *run, const struct effect *effect, enum cut_how how,
                   struct run *other, struct tensor *ret, struct error *reterr);

/* ---- alignment ---- */

/* Which tokens of two texts belong together: the pairing with the fewest tokens replaced, added or
 * taken out. Source: Wagner and Fischer 1974, "The string-to-string correction problem". */

struct alignment {
    size_t n;
    size_t (*pairs)[2]; /* places in both texts, both increasing; tokens between have no partner */
};

/* Of two runs of one text each; alignment_release() it. ERR_SHAPE for several texts. */
bool alignment_of(const struct run *a, const struct run *b, struct alignment *ret,
                  struct error *reterr);
void alignment_release(struct alignment *alignment);

/* A name for each pair: the token, or both where they differ, "cat|dog". */
bool alignment_labels(const struct alignment *alignment, const struct run *a, const struct run *b,
                      struct labels **ret, struct error *reterr);

/* ---- compare ---- */

/* How far the heads of two runs attend differently. */

/* The change of each head's weights from a to b, (n_layers, n_heads): half the sum of |difference|
 * over the keys, the mean of it over the paired queries: 0 where both attend alike, 1 where they
 * share no key. A key without a partner counts with its whole weight. ERR_SHAPE for runs of models
 * with other layers or heads, or without a pair. */
bool heads_change(struct run *a, struct run *b, const struct alignment *alignment,
                  struct tensor *ret, struct error *reterr);

/* The weights of one head in b minus those in a, paired queries x paired keys. */
bool head_difference(struct run *a, struct run *b, const struct alignment *alignment,
                     const size_t head[2], struct tensor *ret, struct error *reterr);

#endif
