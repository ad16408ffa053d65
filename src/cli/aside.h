/* Words of the line REPL that are commands of the shell: exercises can be done without leaving. */
#ifndef ATTN_CLI_ASIDE_H
#define ATTN_CLI_ASIDE_H

#include <stdbool.h>

/* True when the line is one of the words of ui/asides.h, with an argument or none; then it was run,
 * in a process of its own, and has printed what it had to say. */
bool aside_run(const char *line);

#endif
