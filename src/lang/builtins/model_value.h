/* Models and their runs as values of the language: m = model("FOLDER"), r = m("text"),
 * r.weights[5, 1]. */
#ifndef ATTN_LANG_BUILTINS_MODEL_VALUE_H
#define ATTN_LANG_BUILTINS_MODEL_VALUE_H

#include "lang/builtins/call_internal.h"
#include "lang/value/value.h"

struct cut;
struct model;
struct run;
struct graph;

/* ---- model arguments ---- */

/* Arguments of functions about models. Each reader fills the call's error, naming the function and
 * the parameter, and returns false or NULL when the argument does not fit. */

struct model *arg_model(struct call *call, size_t i);
struct run *arg_run(struct call *call, size_t i);

/* One of some words, in the order of an enum; *ret is `otherwise` where none is given. */
bool arg_word(struct call *call, size_t i, const char *const *words, size_t n, size_t otherwise,
              size_t *ret);

/* A token of the model: its text, or its id. */
bool arg_token(struct call *call, size_t i, const struct model *model, size_t *ret);

/* A layer, as r.q[LAYER] has it: -1 is the last. */
bool arg_layer(struct call *call, size_t i, const struct model *model, size_t *ret);

/* Two runs: values[0] and values[1], or a model and two texts, values[0] to values[2]. The caller
 * frees both; on failure there are none. */
bool values_as_runs(struct graph *graph, const struct value *values, size_t n, const char *what,
                    struct run *ret[2], struct error *reterr);
bool arg_head_number(struct call *call, size_t i, const struct model *model, size_t *ret);

/* A token's place in a run of one text; -1, the last, where none is given. */
bool arg_position(struct call *call, size_t i, const struct run *run, size_t *ret);

/* Tokens of the model: those of a text, a list of tokens, ids, or all where none are given and
 * there are few. *ret_names has a name for each, or is NULL; the caller frees it. The call owns the
 * ids. */
struct node *arg_words(struct call *call, size_t i, struct model *model, struct labels **ret_names);

/* One head, (layer, head). */
bool arg_head(struct call *call, size_t i, const struct model *model, size_t ret[2]);

/* Heads as cuts, (layer, head) or a list of such pairs; layers, or the MLPs of layers, a number or
 * a list. Adds them to *ret, which the caller frees; none where it is not given. */
bool arg_head_cuts(struct call *call, size_t i, const struct model *model, struct cut **ret,
                   size_t *ret_n);
bool arg_layer_cuts(struct call *call, size_t i, const struct model *model, bool mlp,
                    struct cut **ret, size_t *ret_n);

/* Take the share over; NULL returns false. */
bool value_model(struct model *model, struct value *ret, struct error *reterr);
bool value_run(struct run *run, struct value *ret, struct error *reterr);

/* What such a value holds; NULL for another value. */
struct model *value_as_model(const struct value *value);
struct run *value_as_run(const struct value *value);

/* Puts another model in the place of the one that a value holds; takes it over, and gives back the
 * one before. */
struct model *model_replace(const struct value *value, struct model *model);

#endif
