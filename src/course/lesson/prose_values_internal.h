/* Prose whose numbers are computed: code that begins with "= " stands for its value. */
#ifndef ATTN_COURSE_LESSON_PROSE_VALUES_INTERNAL_H
#define ATTN_COURSE_LESSON_PROSE_VALUES_INTERNAL_H

#include "lang/session/session.h"

/* Adds Markdown to out with each `= expression` replaced by its value in the session, which does
 * not change. Without a session (NULL), "..." stands for each value. Fenced blocks and other
 * code are kept. On failure out is as before, *reterr has no
 * place, and *ret_line (which may be NULL) counts the lines of markdown above the expression. */
bool prose_values_fill(struct session *session, const char *markdown, struct text *out,
                       unsigned *ret_line, struct error *reterr);

/* Adds a value in the form used in a sentence: 0.7842, [1, 2, 3], True. ERR_TYPE for a function or
 * nothing, which a sentence can't show. */
bool prose_value_say(const struct session *session, const struct value *value, struct text *out,
                     struct error *reterr);

/* Calls each() for the text of every part of markdown that is neither code nor a fenced block, with
 * the line (from 0) in which it begins; stops when each() returns false. */
bool prose_each_plain(const char *markdown,
                      bool (*each)(void *context, const char *text, size_t size, unsigned line),
                      void *context);

#endif
