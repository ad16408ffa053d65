/* The pipeline: the path from a sentence to its context vectors, a stage at a time, on which any
 * number can be changed.
 *
 * A pipeline computes nothing itself: it runs formulas in a session of its own, so that each stage
 * is a node which knows its origin. With n words and one head:
 *
 *   E        (n, 3)  the embeddings of the words, which are Q, K and V too
 *   scores   (n, n)  Q K^T
 *   scaled   (n, n)  scores / (sqrt(d_k) * temperature); no stage if that changes nothing
 *   masked   (n, n)  scaled, with -inf where a key is hidden; no stage without a mask
 *   weights  (n, n)  softmax of each row
 *   context  (n, 3)  weights V
 *
 * Several heads share d_model columns, the same number each: with h > 1 heads d_model is the least
 * multiple of h that is not below PIPELINE_WIDTH (6 for 2, 3 and 6 heads, 8 for 4 and 8, 10 for 5),
 * and d_k = d_model / h:
 *
 *   X        (n, d_model)  E W_in: the 3 columns of the embeddings, projected to d_model
 *   Q, K, V  (h, n, d_k)   X W_q, X W_k and X W_v, split into heads
 *   scores, scaled, masked, weights (h, n, n) and context (h, n, d_k) as above
 *   heads    (n, d_model)  the context of all heads, side by side
 *   output   (n, d_model)  heads W_o
 *
 * The projections W_in, W_q, W_k, W_v and W_o are made up: drawn at random, with seed 0, so that
 * they are the same every time. Source: Vaswani et al. 2017, "Attention Is All You Need", sections
 * 3.2.1 and 3.2.2.
 *
 * A pipeline may also hold a tensor of another session, with the stages before it.
 *
 * A function that fails leaves the pipeline as it was; that includes ERR_MEMORY, and
 * ERR_INTERRUPTED when `stop` is set. A function that succeeds may replace all nodes: borrowed ones
 * are then invalid. Other options compute only the stages that they change; earlier stages stay. */
#ifndef ATTN_PIPELINE_PIPELINE_INTERNAL_H
#define ATTN_PIPELINE_PIPELINE_INTERNAL_H

#include "graph/node.h"
#include "lang/session/session.h"
#include "tensor/tensor.h"

enum {
    PIPELINE_MAX_STAGES = 16, /* a tensor with more stages keeps the last ones */
    PIPELINE_MAX_WORDS = 64,
    PIPELINE_MAX_EDITS = WHATIF_UNDO_STEPS,
    PIPELINE_MAX_NAME = 40, /* bytes of the name of a tensor that can be edited */
    PIPELINE_WIDTH = 6,     /* the least columns that several heads share */
    PIPELINE_MAX_HEADS = 16,
    PIPELINE_MAX_TEMPERATURE = 64, /* the least is 1 / 64 */
};

enum pipeline_mask {
    PIPELINE_NO_MASK,
    PIPELINE_CAUSAL,  /* hides the keys after the query */
    PIPELINE_PADDING, /* hides the last word from all; of a single word it hides nothing */
    PIPELINE_MASKS,
};

/* How the stages of a sentence are computed. */
struct pipeline_options {
    enum pipeline_mask mask;
    bool is_scaled;     /* the scores are divided by sqrt(d_k) */
    double temperature; /* the scores are also divided by it */
    unsigned n_heads;
};

struct pipeline_stage {
    char name[24];        /* as above; of a tensor: its name, or its formula cut short */
    unsigned level;       /* stages of one level stand side by side; levels ascend */
    bool is_weights;      /* it has two axes or more, and its rows add up to 1 as weights do */
    struct node *node;    /* owned, one share */
    double products;      /* multiplications from the stages before it: graph/cost.h */
    struct tensor before; /* its value before the last edit, same shape; data NULL: not changed */
    size_t n_changed;     /* numbers that differ from it */
};

struct pipeline {
    struct session session; /* holds the stages as names; run no lines in it that bind names */
    struct pipeline_options options;
    char sentence[256];   /* "": it holds a tensor, or nothing yet */
    struct text formulas; /* of the stages after E, as they were run: "NAME = FORMULA; " for each */
    char note[400];       /* a remark on the sentence: words without a vector; or "" */
    struct pipeline_stage stages[PIPELINE_MAX_STAGES];
    size_t n_stages;
    char edits[PIPELINE_MAX_EDITS][128]; /* E[1, 0] = 0.5: in the order in which they were made */
    size_t n_edits;
};

/* The columns that n_heads heads share, as above; with one head those of the embeddings. */
size_t pipeline_d_model(unsigned n_heads);

/* An empty pipeline: no mask, scaled, temperature 1, one head. data_dir, which holds assets/, and
 * stop, or NULL, are borrowed until the release. Its session shows numbers as *settings has it, and
 * reads and writes no files. */
void pipeline_init(struct pipeline *pipeline, const struct settings *settings, const char *data_dir,
                   const volatile sig_atomic_t *stop);
void pipeline_release(struct pipeline *pipeline);

/* Sets another sentence, without edits. ERR_NAME if it has no words; ERR_LIMIT if it has over
 * PIPELINE_MAX_WORDS, or over 255 bytes. */
bool pipeline_set_sentence(struct pipeline *pipeline, const char *sentence, struct error *reterr);
/* Copies a tensor of another session and everything that it was made from, without edits. Its
 * stages are those of graph/trace.h. ERR_SHAPE if it is made of typed numbers alone. */
bool pipeline_set_node(struct pipeline *pipeline, struct node *node, struct error *reterr);
/* Sets other options. Edits that no longer fit, since their stage or their place in it is gone, are
 * dropped: *ret_n_dropped of them. Without a sentence the options wait for the next one. ERR_LIMIT
 * for an impossible temperature or number of heads. */
bool pipeline_set_options(struct pipeline *pipeline, const struct pipeline_options *options,
                          size_t *ret_n_dropped, struct error *reterr);

/* True for a node that can be edited; else *reterr says why not: ERR_NAME if its name means another
 * node in the session, ERR_LIMIT if its name is too long. */
bool pipeline_can_edit(const struct pipeline *pipeline, const struct node *node,
                       struct error *reterr);
/* Gives a cell another number, and computes everything again that depends on it. The stages that
 * change keep their values before the edit. ERR_LIMIT after PIPELINE_MAX_EDITS; and as
 * pipeline_can_edit(). */
bool pipeline_add_edit(struct pipeline *pipeline, struct cell cell, float number,
                       struct error *reterr);
/* Takes the last edit back. ERR_NAME without one. */
bool pipeline_drop_edit(struct pipeline *pipeline, struct error *reterr);

/* The index of a node, or of a name, among the stages; n_stages if it is not a stage. */
size_t pipeline_find_node(const struct pipeline *pipeline, const struct node *node);
size_t pipeline_find_name(const struct pipeline *pipeline, const char *name);
/* The tensor that a name means in the session, borrowed; NULL if it means no tensor. */
struct node *pipeline_node(const struct pipeline *pipeline, const char *name);

#endif
