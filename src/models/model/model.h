/* A transformer: its configuration, its weights as leaves of the graph, and its tokenizer.
 *
 * A model never changes once it is made: training makes a new one. Models are shared by counting
 * owners: the caller of model_new(), model_open() or model_share() gives the model back with
 * model_free(). */
#ifndef ATTN_MODEL_MODEL_H
#define ATTN_MODEL_MODEL_H

#include <stddef.h>

#include "base/error.h"
#include "graph/graph.h"
#include "model/parameter_internal.h"

struct doc;
struct grammar;
struct model;
struct text;
struct builder;
struct moments;
struct tokenizer;
struct weights;

struct model {
    size_t n_owners;
    struct model_config config;
    struct node **parameters; /* parameter_count() pointers; NULL: the model has no such weight, or
                               * it is not read yet */
    struct weights *weights;  /* the files of weights that are not read yet; NULL: all are read */
    struct tokenizer *tokenizer; /* NULL: the model takes only ids */
    char *name;                  /* for messages: its folder */
    struct moments *moments; /* the optimiser's memory of the steps that made it; NULL: no step made
                              * it, or it was saved since */
};

/* A model without parameters yet: add each with model_put_parameter(). */
struct model *model_new(const struct model_config *config, const char *name, struct error *reterr);

/* A model with another's configuration, tokenizer and name, without its parameters. */
struct model *model_like(const struct model *model, struct error *reterr);

/* Makes *value a weight of the model, as a leaf of the graph in which the model will run (nodes
 * computed from it need a later id). Takes ownership of *value, also on failure. `from` says where
 * the numbers came from. */
bool model_put_parameter(struct graph *graph, struct model *model, size_t at, struct tensor *value,
                         const char *from, struct error *reterr);

/* Opens a folder as Hugging Face writes it: config.json, model.safetensors (or its shards), and a
 * tokenizer, if it has one. Weights are mapped, and read when they are first used. A folder that
 * holds only a tokenizer is a model without layers. ERR_FILE names the file and what is wrong with
 * it. */
struct model *model_open(const char *path, struct error *reterr);

/* Writes a folder that model_open() and PyTorch read: model.safetensors, config.json, the
 * tokenizer's files. Makes the folder if it does not exist; each file appears whole or not at all,
 * the weights first. ERR_FILE names the file or folder that failed. */
bool model_save(const struct model *model, const char *path, struct error *reterr);
struct model *model_share(struct model *model);
void model_free(struct model *model); /* may be NULL */

/* A weight as a node that the model owns, named as its file names it. NULL if the model has no such
 * weight; if it can't be read, builder has failed. */
struct node *model_parameter(struct builder *builder, struct model *model, enum param which,
                             size_t layer);

/* ---- known words ---- */

/* The words that a model of words knows: those that complete typed letters, and all by kind. */

/* Whether the model's tokens are words with blanks between them, so that its words can be listed;
 * the text of a byte-level model holds no unknown word. */
bool known_words_are_there(const struct model *model);

/* How many words begin with begin[0..size), in any case; adds to *rest the letters with which all
 * of them continue. 0 for a model that is not of words. */
size_t known_words_complete(const struct model *model, const char *begin, size_t size,
                            struct text *rest);

/* Adds the words that begin with begin[0..size), with blanks between them. */
void known_words_list(const struct model *model, const char *begin, size_t size, struct text *text);

/* Adds lines of all words, by the classes of a grammar (or NULL) to which they belong: a heading
 * and the words of each class, each of its forms apart, and at the end the other words. */
void known_words_show(const struct model *model, const struct grammar *grammar, size_t width_cols,
                      struct doc *out);

#endif
