/* A transformer: its configuration, its weights as leaves of the graph, and its tokenizer.
 *
 * A model never changes once it is made: training makes a new one. Models are shared by counting
 * owners: whoever gets one from model_new(), model_open() or model_share() gives it back with
 * model_free(). */
#ifndef ATTN_MODEL_MODEL_H
#define ATTN_MODEL_MODEL_H

#include <stddef.h>

#include "base/error.h"
#include "graph/graph.h"
#include "model/parameter.h"

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
    struct node *
        *parameters; /* parameter_count(); NULL: this model has none of it, or it is not read */
    struct weights *weights;     /* where those that are not read yet are; NULL: all are there */
    struct tokenizer *tokenizer; /* NULL: it takes ids alone */
    char *name;                  /* as people know it: its folder */
    struct moments *moments; /* what an optimiser remembers of the steps that made it; NULL: none
                              * made it, or it was saved since then */
};

/* A model without parameters yet: model_put_parameter() gives it each. */
struct model *model_new(const struct model_config *config, const char *name, struct error *reterr);

/* A model with another's configuration, tokenizer and name, without its parameters. */
struct model *model_like(const struct model *model, struct error *reterr);

/* Makes *value, which it takes over, also when it fails, a weight of the model: a leaf of the graph
 * in which the model will run, where what is computed from it needs a later id. `from` says where
 * the numbers came from. */
bool model_put_parameter(struct graph *graph, struct model *model, size_t at, struct tensor *value,
                         const char *from, struct error *reterr);

/* A folder as Hugging Face writes it: config.json, model.safetensors (or its shards), and a
 * tokenizer where there is one. Weights are mapped, and read when they are first used. A folder
 * that holds a tokenizer alone is a model without layers. ERR_FILE  naming the file and what is
 * wrong with it */
struct model *model_open(const char *path, struct error *reterr);

/* Writes a folder that model_open() and PyTorch read: model.safetensors, config.json, the
 * tokenizer's files. The folder is made where it is not there; each file appears whole or not at
 * all, the weights first. ERR_FILE names what failed. */
bool model_save(const struct model *model, const char *path, struct error *reterr);
struct model *model_share(struct model *model);
void model_free(struct model *model); /* may be NULL */

/* A weight as a node that the model owns, named as its file names it. NULL where this model has
 * none of it; where it can't be read, builder has failed. */
struct node *model_parameter(struct builder *builder, struct model *model, enum param which,
                             size_t layer);

/* ---- known words ---- */

/* The words that a model of words knows: which of them complete what is typed, and all by kind. */

/* Whether the model's tokens are words with blanks between them, so that its words can be listed;
 * the text of a byte-level model holds no unknown word. */
bool known_words_are_there(const struct model *model);

/* How many words begin with begin[0..size), of which the case does not matter, and the letters with
 * which all of these go on: added to *rest. 0 for a model that is not of words. */
size_t known_words_complete(const struct model *model, const char *begin, size_t size,
                            struct text *rest);

/* Adds the words that begin with begin[0..size), with blanks between them. */
void known_words_list(const struct model *model, const char *begin, size_t size, struct text *text);

/* Adds lines of all words, by the classes of a grammar (or NULL) of which they are: a heading and
 * the words of a class, those of each of its forms by themselves, and at the end the others. */
void known_words_show(const struct model *model, const struct grammar *grammar, size_t width_cols,
                      struct doc *out);

#endif
