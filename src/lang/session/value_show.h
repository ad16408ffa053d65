/* Values as they are shown. */
#ifndef ATTN_LANG_SESSION_VALUE_SHOW_H
#define ATTN_LANG_SESSION_VALUE_SHOW_H

#include "lang/builtins/settings.h"
#include "lang/value/value.h"

struct doc;

/* Adds a tensor as a table, a list in brackets or as the tables of its tensors, a text, a function
 * as its definition; nothing for None. A weight that a mask hides is a dot where settings->echo is
 * set; else it is 0, so that scripts read numbers alone. */
bool value_show(const struct settings *settings, const struct value *value, struct doc *out,
                struct error *reterr);

#endif
