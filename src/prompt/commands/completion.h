/* Completions of a half-typed word. */
#ifndef ATTN_LANG_COMMANDS_COMPLETION_H
#define ATTN_LANG_COMMANDS_COMPLETION_H

#include "lang/session/session.h"

/* Gives the completions of the word that ends at byte `at` of line, one for each call, in turn from
 * *state = 0 on; false when there are no more. A word inside quotes and an index is completed with
 * the labels of the tensor before the bracket, one at the start of the line also with commands, the
 * word after `help` with functions and commands, the one after `verify` with what it can check,
 * every other one with names and functions.
 * *ret_start is where the word starts. *ret_text lives as long as the session is not changed. */
bool completion_next(const struct session *session, const char *line, size_t at, size_t *state,
                     size_t *ret_start, const char **ret_text);

#endif
