/* Learners' bytes as text that any format can hold. */
#ifndef ATTN_RESULT_SAFE_TEXT_H
#define ATTN_RESULT_SAFE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Adds bytes as text that any format can hold: bytes that are not UTF-8, control characters and
 * marks that turn the direction of a line become \xNN, and so does the # that begins "##[" or
 * "##vso[", which a log's reader would obey. lines: newlines and tabs stay as they are. */
void result_safe_text(struct text *text, const char *bytes, size_t size, bool lines);
/* A copy of a string, made safe except for the bytes in kept; backslash: it is shown as \x5c, so
 * that different strings stay different. NULL without memory. The caller frees it. */
char *safe_text_copy(const char *string, const char *kept, bool backslash);
/* A person's name, as results show it: without marks of direction and with its letters composed
 * (text_copy_name(); a name that consists of such marks stays as it is), then made safe and the
 * backslash shown as \x5c. NULL without memory. The caller frees it. */
char *safe_name_copy(const char *name);
/* A copy of a line, made safe; NULL without memory. The caller frees it. */
char *result_safe_copy(const char *line);

#endif
