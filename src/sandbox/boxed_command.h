/* One step of a build, or of the advisory run: a program in a box, and what it printed. */
#ifndef ATTN_SANDBOX_BOXED_COMMAND_H
#define ATTN_SANDBOX_BOXED_COMMAND_H

#include "sandbox/box.h"

struct boxed_command {
    enum box_kind kind; /* BOX_COMPILE or BOX_SANITIZER */
    const struct limits *limits;
    unsigned layers;
    const char *path;
    char *const *argv;
    int input; /* becomes descriptor 0; -1: nothing to read. The caller's */
    struct box_file in[BOX_MAX_FILES];
    unsigned n_in;
    struct box_file *out; /* [n_out]; each fd is the caller's to close, or -1 */
    unsigned n_out;
};

struct boxed_result {
    struct box_end end;
    bool too_long;       /* killed at the end of its wall time */
    bool too_much;       /* killed because it printed more than text_max_bytes */
    struct text printed; /* standard output and error, the first text_kept_bytes */
    uint64_t wall_us;
};

/* Runs it to its end. *ret is to be released, also after a failure. Failures are ours: a box that
 * could not be started (ERR_FILE, ERR_MEMORY), or that failed (end.how is BOX_FAILED). */
bool boxed_command_run(const struct boxed_command *plan, struct boxed_result *ret,
                       struct error *reterr);
void boxed_result_release(struct boxed_result *step);
/* It ran, and left with exit code 0. */
bool boxed_result_succeeded(const struct boxed_result *step);

#endif
