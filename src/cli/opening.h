/* Starts the tutor: in the full screen, or as a line REPL. */
#ifndef ATTN_CLI_OPENING_H
#define ATTN_CLI_OPENING_H

#include "cli/cli.h"

struct opening {
    struct common_options options;
    const char *line;     /* run first, as if it were typed; or NULL */
    const char *sentence; /* shown in the explorer at once; "" for the example; or NULL */
    bool plain;           /* the line REPL, also where a screen could be shown */
};

/* Tells argv[0] of this process, by which the full screen starts attn again to grade. */
void opening_set_program(const char *called);
/* The full screen; the line REPL where there is no screen or it is not wanted. Returns the exit
 * code. */
int opening_run(const struct opening *opening);
/* Reads lines to the end of the input, or `quit`. Returns the exit code. */
int repl_run(const struct opening *opening);

#endif
