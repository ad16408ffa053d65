/* Questions at the prompt: help how do I multiply. */
#ifndef ATTN_SHELL_SHELL_HELP_H
#define ATTN_SHELL_SHELL_HELP_H

#include "course/manual/manual.h"
#include "shell/shell.h"

/* Adds the words that a line at the prompt may begin with to a manual. */
void shell_help_add_words(struct manual *manual);

/* Answers the line "help ..." if it is a question for the manual, and a plain question such as
 * "what is a query" (lang/syntax/sentence.h), and adds the best answers to out. *ret_answered is
 * false for other lines: those that ask nothing, or name a word of the prompt, a function, or
 * nearly one, or a name of the session. ERR_NAME if the manual has nothing of that or a similar
 * name. */
bool shell_help_answer(const struct session *session, const char *line, struct doc *out,
                       bool *ret_answered, struct error *reterr);

#endif
