/* How a learner's visit begins: in the screen, or in lines. */
#ifndef ATTN_CLI_OPENING_H
#define ATTN_CLI_OPENING_H

#include "cli/cli.h"

struct opening {
    struct common_options options;
    const char *line;     /* what is done first, as if it were typed; or NULL */
    const char *sentence; /* the screen: explored at once; "" for the example, or NULL */
    bool plain;           /* in lines, also where a screen could be shown */
};

/* The screen; lines where it is not there or not wanted. Returns the exit code. */
int opening_run(const struct opening *opening);
/* Reads lines to the end of the input, or `quit`. Returns the exit code. */
int repl_run(const struct opening *opening);

#endif
