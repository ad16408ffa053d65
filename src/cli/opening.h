/* Starts the tutor: in the full screen, or as a line REPL. */
#ifndef ATTN_CLI_OPENING_H
#define ATTN_CLI_OPENING_H

#include "cli/cli.h"
#include "pipeline/exploration.h"

struct heads_start;
struct training_start;

struct opening {
    struct common_options common;
    const char *line;                      /* run first, as if it were typed; or NULL */
    const struct exploration *exploration; /* shown in the explorer at once; or NULL */
    const struct heads_start *heads;       /* shown at once, a model's; or NULL */
    const struct training_start *training; /* shown at once; or NULL */
    bool plain;                            /* the line REPL, also where a screen could be shown */
};

/* The full screen; the line REPL where there is no screen or it is not wanted. Returns the exit
 * code. */
int opening_run(const struct opening *opening);
/* Whether a person sits at a terminal that can show a screen. */
bool opening_has_screen(void);
/* The full screen alone; false with *reterr where it can't be shown. */
bool opening_show_screen(const struct opening *opening, struct error *reterr);
/* Reads lines to the end of the input, or `quit`. Returns the exit code. */
int repl_run(const struct opening *opening);

#endif
