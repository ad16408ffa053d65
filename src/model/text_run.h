/* Texts as the ids of a model's tokens, and runs of both. */
#ifndef ATTN_MODEL_TEXT_RUN_H
#define ATTN_MODEL_TEXT_RUN_H

#include "graph/graph.h"

struct labels;
struct model;
struct run;
struct tensor;
struct text;

/* The ids of a text's tokens, (n,), and a label for each: the token with its spaces made visible.
 * ERR_NAME where the model has no tokenizer; else as tokenizer_encode(). */
bool model_encode(const struct model *model, const char *text, size_t size, struct tensor *ret_ids,
                  struct labels **ret_labels, struct error *reterr);
/* Whether it has weights: a folder with a vocabulary alone has none. ERR_NAME. */
bool model_can_run(const struct model *model, struct error *reterr);
/* Whether all of ids, of any shape, are in the vocabulary; ERR_RANGE names one that is not. */
bool model_check_ids(const struct model *model, const struct tensor *ids, struct error *reterr);
/* Adds the text that ids, (n,) or (1, n), stand for. ERR_RANGE for one that is not in the
 * vocabulary. */
bool model_decode(const struct model *model, const struct tensor *ids, struct text *text,
                  struct error *reterr);
/* The same without the token that model_encode_whole() puts before every text: what run_text()
 * reads as these ids. */
bool model_write_text(const struct model *model, const struct tensor *ids, struct text *text,
                      struct error *reterr);
/* A label for each of ids, (n,), all in the vocabulary; NULL without a tokenizer or with a batch.
 */
bool model_label_ids(const struct model *model, const struct tensor *ids, struct labels **ret,
                     struct error *reterr);
/* The token that is this text: as it stands in the vocabulary, with its space in front where it has
 * one. ERR_NAME where it is no token, or several; or the model has no tokenizer. */
bool model_find_token(const struct model *model, const char *text, size_t size, size_t *ret,
                      struct error *reterr);
/* Adds a token as it is shown: by its letters with spaces made visible, or its id where there is no
 * tokenizer. */
void model_show_token(const struct model *model, size_t id, struct text *text);

/* The ids of a text as the model expects them: with the token that begins every text, where its
 * tokenizer has one, *ret_n_added is 1. */
bool model_encode_whole(const struct model *model, const char *text, size_t size,
                        struct tensor *ret_ids, size_t *ret_n_added, struct error *reterr);

/* A run of a text, and of ids, (n,) or (batch, n). NULL on failure: ERR_RANGE for no tokens, more
 * than the model takes, or one that is none; ERR_SHAPE for ids of other axes. */
struct run *run_text(struct graph *graph, struct model *model, const char *text, size_t size,
                     struct error *reterr);
struct run *run_ids(struct graph *graph, struct model *model, struct node *ids,
                    struct error *reterr);

#endif
