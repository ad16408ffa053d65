/* Tasks as values of the language: task("induction"), which a model is trained on. */
#ifndef ATTN_LANG_BUILTINS_TASK_VALUE_H
#define ATTN_LANG_BUILTINS_TASK_VALUE_H

#include "lang/value/value.h"

struct source;

/* Takes the source over; NULL returns false. */
bool value_task(struct source *source, struct value *ret, struct error *reterr);
/* What such a value holds; NULL for another value. */
struct source *value_as_task(const struct value *value);

#endif
