/* The forward pass of a transformer as nodes of the graph, a layer at a time.
 *
 * Sources: Radford and others 2019 (GPT-2); Touvron and others 2023 (Llama), Su and others 2021
 * (rotary positions), Zhang and Sennrich 2019 (RMSNorm), Shazeer 2020 (SwiGLU). */
#ifndef ATTN_MODEL_FORWARD_H
#define ATTN_MODEL_FORWARD_H

#include "graph/graph.h"
#include "model/model.h"

struct builder;
struct node;
struct labels;
struct random;
struct cache;

/* The stages of a layer, in the order in which they are computed. n is the number of tokens; with a
 * batch all have one axis more in front. */
enum stage {
    STAGE_RESID,    /* n x d_model: the residual stream that comes in */
    STAGE_NORMED,   /* n x d_model: after the norm, before attention; without norms the same as
                     * STAGE_RESID */
    STAGE_Q,        /* n_heads x n x head_dim: with rotary positions, already turned */
    STAGE_K,        /* n_kv_heads x n x head_dim */
    STAGE_V,        /* n_kv_heads x n x head_dim */
    STAGE_SCORES,   /* n_heads x n x n: q @ k.T, scaled, and -inf where a token may not attend */
    STAGE_WEIGHTS,  /* n_heads x n x n: their softmax */
    STAGE_CONTEXT,  /* n_heads x n x head_dim: weights @ v */
    STAGE_ATTENDED, /* n x d_model: what attention adds to the stream */
    STAGE_MIDDLE,   /* n x d_model: the stream between attention and MLP */
    STAGE_NORMED2,  /* n x d_model */
    STAGE_HIDDEN,   /* n x d_mlp: after the activation */
    STAGE_MLP, /* n x d_model: what the MLP adds; NULL without MLP, as are the three stages before
                * it */
    STAGE_OUT, /* n x d_model: the stream that goes to the next layer */
    STAGE_COUNT
};

/* A replacement for a stage that a layer computed. */
struct edit {
    enum stage stage;
    size_t layer;
    struct node *where; /* booleans that broadcast to the stage: true takes `to`; NULL: the whole
                         * stage does */
    struct node *to;    /* broadcasts to the stage */
};

/* Inverted dropout, while a model is trained, in the places where GPT-2 has it: the embeddings, the
 * attention weights, and what attention and MLP add to the stream. Source: Srivastava and others
 * 2014. */
struct dropout {
    double p;              /* 0 <= p < 1: the share that becomes 0 */
    struct random *random; /* borrowed; the factors are drawn from it in the order of the stages */
};

struct forward {
    struct model *model;
    struct labels *labels; /* the tokens, or NULL */
    const struct edit *edits;
    size_t n_edits;
    const bool
        *is_open; /* by layer: keep the scores and weights, however many; NULL: no layer does */
    struct cache *cache;           /* or NULL */
    const struct dropout *dropout; /* or NULL */
    size_t first;                  /* position of the first token */
};

/* Whether ids, (n,) or (batch, n), hold at least one token and, beginning at position first, no
 * more than the model takes. ERR_SHAPE, ERR_RANGE. */
bool forward_check_length(const struct model *model, const struct tensor *ids, size_t first,
                          struct error *reterr);

/* All of these build with a builder (graph/builder.h), which owns the nodes they make, and return
 * NULL or false when it has failed. */

/* ids (n or batch x n, whole numbers) as rows: their embeddings and positions, STAGE_RESID of layer
 * 0. ERR_RANGE if an id is not in the vocabulary, or the text is too long. */
struct node *forward_embed(struct builder *builder, const struct forward *forward,
                           struct node *ids);

/* One layer. ret[STAGE_RESID] is resid. If attention is large (stages.h) and the layer is not open,
 * ret[STAGE_SCORES] and ret[STAGE_WEIGHTS] are NULL: see forward_weights(). */
bool forward_layer(struct builder *builder, const struct forward *forward, size_t layer,
                   struct node *resid, struct node *ret[STAGE_COUNT]);

/* The scores and weights of a layer that does not keep them, from its q and k. */
bool forward_weights(struct builder *builder, const struct forward *forward, size_t layer,
                     struct node *stages[STAGE_COUNT]);

/* The norm after the last layer; resid itself without norms. */
struct node *forward_last_norm(struct builder *builder, const struct forward *forward,
                               struct node *resid);

/* normed (n x d_model) against the embedding of each token of the vocabulary: n x vocab. */
struct node *forward_logits(struct builder *builder, const struct forward *forward,
                            struct node *normed);

/* The name of a stage at the prompt: "q", "weights". */
const char *stage_name(enum stage stage);

#endif
