/* Things to tell the learner beside the result of a line: a text of one note a line. */
#ifndef ATTN_LANG_BUILTINS_NOTES_H
#define ATTN_LANG_BUILTINS_NOTES_H

#include "base/text.h"

/* Adds a note, unless the same one is there. */
void notes_add(struct text *notes, const char *format, ...) ERROR_FORMAT(2, 3);

#endif
