/* Models and their runs as values of the language: m = model("FOLDER"), r = m("text"),
 * r.weights[5, 1]. */
#ifndef ATTN_LANG_BUILTINS_MODEL_VALUE_H
#define ATTN_LANG_BUILTINS_MODEL_VALUE_H

#include "lang/value/object.h"
#include "lang/value/value.h"

struct graph;
struct model;
struct run;

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
