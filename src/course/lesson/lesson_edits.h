/* Which mistakes of assets/edits.yaml would be worth a text of a lesson's own? For authors. */
#ifndef ATTN_COURSE_LESSON_LESSON_EDITS_H
#define ATTN_COURSE_LESSON_LESSON_EDITS_H

#include <signal.h>

#include "base/error.h"
#include "base/text.h"
#include "diagnose/edits.h"

/* Adds a line "FILE:LINE: note: ..." for each likely change of an answer of the lesson at path that
 * gives a wrong answer of its own for which the question has no text; at most a few for each
 * question, the most common ones. ERR_FILE, ERR_SYNTAX and what the lesson's code fails with. */
bool lesson_note_edits(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
                       struct text *out, struct error *reterr);

/* Notes in uses [edits->n] what each edit does in the answers of the lesson at path, with its own
 * numbers or with fresh inputs, where that is more than what is noted. Errors as above. */
bool lesson_note_uses(const char *path, const char *data_dir, const struct edits *edits,
                      enum edit_use *uses, struct error *reterr);

#endif
