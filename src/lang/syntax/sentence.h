/* Lines that are written in words and not as formulas. */
#ifndef ATTN_LANG_SYNTAX_SENTENCE_H
#define ATTN_LANG_SYNTAX_SENTENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "lang/syntax/command.h"

/* Whether a line is a sentence: the parser refuses it, and it has two words beside each other, or
 * ends as sentences end. No line that can be run is one. find_command as for the parser. */
bool sentence_is(command_lookup *find_command, const char *line, size_t size);
/* Whether such a line asks something: it begins with what, how, why, is, explain or the like, or
 * ends in a question mark. */
bool sentence_asks(command_lookup *find_command, const char *line, size_t size);

#endif
