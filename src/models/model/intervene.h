/* Changes a run and shows the consequences: cutting heads and layers, patching activations,
 * measuring the effect, and comparing two runs. */
#ifndef ATTN_MODEL_INTERVENE_H
#define ATTN_MODEL_INTERVENE_H

#include "base/error.h"

struct run;
struct tensor;
struct labels;
struct alignment;

/* ---- cut ---- */

/* Cutting: runs in which a head, a layer or an MLP adds nothing, adds the same everywhere, or adds
 * what it added to another text. What later layers lack then shows what the text needs of it.
 * Sources: Michel and others 2019, "Are sixteen heads really better than one?" (zero); Wang and
 * others 2022, "Interpretability in the wild" (mean). */

enum cut_part {
    CUT_HEAD,  /* its context, before the product that writes into the residual stream */
    CUT_LAYER, /* everything that the layer adds: by attention, biases included, and by its MLP */
    CUT_MLP    /* what the MLP adds, biases included */
};

struct cut {
    enum cut_part part;
    size_t layer, head; /* head: only for CUT_HEAD */
};

/* The replacement for the part that is cut. */
enum cut_how {
    CUT_ZERO,
    CUT_MEAN,  /* its mean over the positions of the text, at each of them */
    CUT_FROZEN /* its value in another run of the same model, with equally many tokens */
};

/* The run with n cuts. other is the run that CUT_FROZEN takes values from; else it is not used.
 * Means are those of `run`, before any of these cuts. NULL on failure: ERR_RANGE for a layer or
 * head that the model does not have, ERR_NAME for an MLP if it has no MLP, ERR_SHAPE if other does
 * not fit. */
struct run *run_cut(struct run *run, const struct cut *cuts, size_t n, enum cut_how how,
                    struct run *other, struct error *reterr);

/* ---- patch ---- */

/* Activation patching: a run of one text in which some activations are replaced by those of another
 * text. If the other text's answer comes back, the patched part carries the difference. Sources:
 * Meng and others 2022, "Locating and editing factual associations in GPT"; Wang and others 2022,
 * "Interpretability in the wild"; the scale is that of TransformerLens' demo of patching. */

enum patch_by {
    PATCH_HEADS,    /* the context of one head, at all positions */
    PATCH_POSITIONS /* the residual stream that goes into a layer, at one position */
};

/* `to` with the residual stream that goes into a layer taken from `from`, at one position or (-1)
 * at all: with -1, all later stages are from's, bit for bit. ERR_SHAPE unless both are runs of one
 * model on equally many tokens; ERR_RANGE for a layer or position that does not exist. */
struct run *run_patched(struct run *to, struct run *from, size_t layer, ptrdiff_t position,
                        struct error *reterr);

/* The part of the difference between two tokens' logits at the end that each patch brings back,
 * (n_layers, n_heads) or (n_layers, n): with d = logit of tokens[0] - logit of tokens[1], (d
 * patched - d to) / (d from - d to), which is 1 if the answer is from's and 0 if it is to's.
 * ERR_RANGE if d is the same in both runs. */
bool patch_recovered(struct run *to, struct run *from, enum patch_by by, const size_t tokens[2],
                     struct tensor *ret, struct error *reterr);

/* ---- effect ---- */

/* The effect of a change of a run on the model's output: on the probability of one token, or on the
 * loss of the text. Cutting each head in turn ranks heads by it. */

enum effect_on {
    EFFECT_PROBABILITY, /* of one token at the end of the text */
    EFFECT_LOSS /* the mean of -log of the probability of each token but the first, in nats, given
                 * the tokens before it */
};

struct effect {
    enum effect_on on;
    size_t token; /* for EFFECT_PROBABILITY */
};

/* The likeliest token at the end of the run. ERR_SHAPE for a run of several texts. */
bool run_likeliest(struct run *run, size_t *ret, struct error *reterr);

/* The measured quantity, in this run. ERR_SHAPE for the probability in a run of several texts;
 * ERR_RANGE for a token outside the vocabulary, or the loss of a text of one token. */
bool run_measure(struct run *run, const struct effect *effect, double *ret, struct error *reterr);

/* The change of that quantity when one head is cut, (n_layers, n_heads), each head alone: after
 * minus before. ERR_INTERRUPTED when the graph's stop is set. */
bool heads_measure(struct run *run, const struct effect *effect, enum cut_how how,
                   struct run *other, struct tensor *ret, struct error *reterr);

/* ---- alignment ---- */

/* Which tokens of two texts belong together: the pairing with the fewest tokens replaced, added or
 * removed. Source: Wagner and Fischer 1974, "The string-to-string correction problem". */

struct alignment {
    size_t n;
    size_t (*pairs)[2]; /* places in both texts, both increasing; tokens between have no partner */
};

/* The alignment of two runs of one text each; alignment_release() it. ERR_SHAPE for several
 * texts. */
bool alignment_of(const struct run *a, const struct run *b, struct alignment *ret,
                  struct error *reterr);
void alignment_release(struct alignment *alignment);

/* A name for each pair: the token, or both if they differ, "cat|dog". */
bool alignment_labels(const struct alignment *alignment, const struct run *a, const struct run *b,
                      struct labels **ret, struct error *reterr);

/* ---- compare ---- */

/* How differently the heads of two runs attend. */

/* The change of each head's weights from a to b, (n_layers, n_heads): half the sum of |difference|
 * over the keys, averaged over the paired queries: 0 if both attend in the same way, 1 if they
 * share no key. A key without a partner counts with its whole weight. ERR_SHAPE for runs of models
 * with other layers or heads, or without a pair. */
bool heads_change(struct run *a, struct run *b, const struct alignment *alignment,
                  struct tensor *ret, struct error *reterr);

/* The weights of one head in b minus those in a, paired queries x paired keys. */
bool head_difference(struct run *a, struct run *b, const struct alignment *alignment,
                     const size_t head[2], struct tensor *ret, struct error *reterr);

#endif
