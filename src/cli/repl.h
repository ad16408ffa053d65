/* The line REPL, with or without a lesson open at its start. */
#ifndef ATTN_CLI_REPL_H
#define ATTN_CLI_REPL_H

#include "cli/cli.h"

struct repl_start {
    struct common_options options;
    const char *line; /* what is done first, as if it were typed; or NULL */
};

/* Reads lines to the end of the input, or `quit`. Returns the exit code. */
int repl_run(const struct repl_start *start);

#endif
