/* A run: the stages that a model computes for a text, each a node of the graph.
 *
 * A stage is computed when it is first asked for, with the layers before it, and then kept. A run
 * never changes numbers it has shown; a run with edits (forward.h) is another run, which shares
 * with its base all layers before the first edit. Runs are shared by counting owners. */
#ifndef ATTN_MODEL_RUN_H
#define ATTN_MODEL_RUN_H

#include "base/error.h"
#include "graph/graph.h"
#include "model/forward.h"

struct tensor;
struct labels;
struct model;
struct run;
struct text;

/* ---- ids ---- */

/* Ids of tokens as a person writes them. */

/* Reads ids such as "1 2 3", with blanks or commas between them, into a vector. ERR_SYNTAX if text
 * holds no id, or a word that is not a whole number of at most 7 digits. */
bool ids_parse(const char *text, struct tensor *ret, struct error *reterr);

struct run {
    size_t n_owners;
    struct model *model;
    struct graph *graph;   /* borrowed */
    struct node *ids;      /* (n,) or (batch, n) */
    struct labels *labels; /* a name for each token; NULL with a batch */
    struct edit *edits;    /* each owns its nodes */
    size_t n_edits;
    bool *is_open;                       /* layers whose scores and weights are kept */
    size_t n_computed;                   /* layers, from the first, whose stages are computed */
    struct node *(*stages)[STAGE_COUNT]; /* by layer; owned; NULL: not computed */
    struct node *last_normed, *logits;   /* or NULL */
};

/* A run of ids; it computes nothing yet. labels may be NULL, and are shared. ids is shared. */
struct run *run_new(struct graph *graph, struct model *model, struct node *ids,
                    struct labels *labels, struct error *reterr);

/* The same text with edits besides the base's own; their nodes are shared. */
struct run *run_edited(const struct run *base, const struct edit *edits, size_t n_edits,
                       struct error *reterr);

/* The same run with another node after its last norm, or with other logits; one of both is NULL.
 * Later edits of a stage compute both again. Shares the node. */
struct run *run_ending(const struct run *base, struct node *last_normed, struct node *logits,
                       struct error *reterr);
struct run *run_share(struct run *run);
void run_free(struct run *run); /* may be NULL */

/* A stage of a layer, which the run owns; NULL and *reterr on failure: ERR_RANGE for a layer that
 * the model does not have, ERR_NAME for a stage that it does not have. */
struct node *run_stage(struct run *run, enum stage stage, size_t layer, struct error *reterr);

/* The output of the last layer, after the last norm; and the logits, n x vocab. */
struct node *run_last_normed(struct run *run, struct error *reterr);
struct node *run_logits(struct run *run, struct error *reterr);

/* How many tokens a text has. */
size_t run_length(const struct run *run);

/* Fails with ERR_SHAPE if the run has a batch axis, for questions about one text. */
bool run_check_one_text(const struct run *run, struct error *reterr);

/* The bytes of all numbers that it holds, without the model's. */
size_t run_bytes(const struct run *run);

/* ---- text run ---- */

/* Texts as the ids of a model's tokens, and runs of both. */

/* The ids of a text's tokens, (n,), and a label for each: the token with its spaces made visible.
 * ERR_NAME if the model has no tokenizer; else as tokenizer_encode(). */
bool model_encode(const struct model *model, const char *text, size_t size, struct tensor *ret_ids,
                  struct labels **ret_labels, struct error *reterr);

/* Whether the model has weights: a folder with only a vocabulary does not. ERR_NAME. */
bool model_can_run(const struct model *model, struct error *reterr);

/* Whether all of ids, of any shape, are in the vocabulary; ERR_RANGE names one that is not. */
bool model_check_ids(const struct model *model, const struct tensor *ids, struct error *reterr);

/* Adds the text that ids, (n,) or (1, n), stand for. ERR_RANGE for one that is not in the
 * vocabulary. */
bool model_decode(const struct model *model, const struct tensor *ids, struct text *text,
                  struct error *reterr);

/* The same without the token that model_encode_whole() puts before every text: the text that
 * run_text() reads as these ids. */
bool model_write_text(const struct model *model, const struct tensor *ids, struct text *text,
                      struct error *reterr);

/* A label for each of ids, (n,), all in the vocabulary; NULL without a tokenizer or with a batch.
 */
bool model_label_ids(const struct model *model, const struct tensor *ids, struct labels **ret,
                     struct error *reterr);

/* The token for this text: as it is in the vocabulary, also with a space in front. ERR_NAME if the
 * text is not one token, or the model has no tokenizer. */
bool model_find_token(const struct model *model, const char *text, size_t size, size_t *ret,
                      struct error *reterr);

/* Adds a token as it is shown: its letters with spaces made visible, or its id without a
 * tokenizer. */
void model_show_token(const struct model *model, size_t id, struct text *text);

/* The ids of a text as the model expects them: if its tokenizer has a token that begins every text,
 * that token comes first and *ret_n_added is 1. */
bool model_encode_whole(const struct model *model, const char *text, size_t size,
                        struct tensor *ret_ids, size_t *ret_n_added, struct error *reterr);

/* A run of a text, and of ids, (n,) or (batch, n). NULL on failure: ERR_RANGE without tokens, with
 * more than the model takes, or with an id outside the vocabulary; ERR_SHAPE for ids of other
 * axes. */
struct run *run_text(struct graph *graph, struct model *model, const char *text, size_t size,
                     struct error *reterr);
struct run *run_ids(struct graph *graph, struct model *model, struct node *ids,
                    struct error *reterr);

#endif
