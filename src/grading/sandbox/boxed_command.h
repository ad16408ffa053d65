/* One step of a build, or of the run under sanitizers: a program in a box, and its output. */
#ifndef ATTN_SANDBOX_BOXED_COMMAND_H
#define ATTN_SANDBOX_BOXED_COMMAND_H

#include "sandbox/box.h"

struct boxed_command {
    enum box_kind kind; /* BOX_COMPILE or BOX_SANITIZER */
    const struct limits *limits;
    unsigned layers;
    const char *path;
    char *const *argv;
    const char *shows; /* a folder of this machine that can be read as well; or NULL */
    int input;         /* becomes descriptor 0; -1: nothing to read. The caller's */
    struct box_file in[BOX_MAX_FILES];
    unsigned n_in;
    const char *late;     /* one more file, for boxed_command_start() alone; or NULL */
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

/* Runs it to its end. Release *ret, also after a failure. Failures are attn's own: a box that could
 * not be started (ERR_FILE, ERR_MEMORY), or that failed (end.how is BOX_FAILED). */
bool boxed_command_run(const struct boxed_command *plan, struct boxed_result *ret,
                       struct error *reterr);
void boxed_result_release(struct boxed_result *step);

/* The same in two parts, between which the caller can do something else. plan->limits and plan->out
 * must stay in place until the second part; the rest of the plan is not used any more. */
struct boxed_run;
bool boxed_command_start(const struct boxed_command *plan, struct boxed_run **ret,
                         struct error *reterr);
/* Gives it its late file, with which it starts; its time counts from here on. On failure returns
 * false: the run can then only be stopped. */
bool boxed_command_feed(struct boxed_run *run, const void *bytes, size_t size);
/* Waits for its end, and frees the run. As boxed_command_run(). */
bool boxed_command_finish(struct boxed_run *run, struct boxed_result *ret, struct error *reterr);
/* Ends it at once, and frees it with its files; NULL is allowed. */
void boxed_command_stop(struct boxed_run *run);

/* It ran, and left with exit code 0. */
bool boxed_result_succeeded(const struct boxed_result *step);

#endif
