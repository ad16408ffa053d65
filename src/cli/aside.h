/* Words of the line REPL that are commands of the shell: exercises can be done without leaving. */
#ifndef ATTN_CLI_ASIDE_H
#define ATTN_CLI_ASIDE_H

#include "show/doc.h"

/* True when the line is one of these words, with an argument or none; then it was run, in a process
 * of its own, and has printed what it had to say. */
bool aside_run(const char *line);
/* The words: i from 0 on, NULL behind the last. */
const char *aside_word(size_t i);
/* True when the line asks for help on one of them: adds what there is to say. */
bool aside_help(const char *line, size_t width_cols, struct doc *out);
/* Adds the list of them, where the line asks for all help. */
void aside_list(const char *line, struct doc *out);

#endif
