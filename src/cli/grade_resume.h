/* attn grade --resume: what an earlier run's results are still worth. */
#ifndef ATTN_CLI_GRADE_RESUME_H
#define ATTN_CLI_GRADE_RESUME_H

#include "batch/submission.h"

struct resumed {
    bool found_report, found_partial; /* see partial.h; neither: there is nothing to go on from */
    struct results current;           /* of files that are graded now and need not be again */
    struct results others; /* of files that nobody asked for this time, kept as they are */
    /* Results that are no longer true, and left out. */
    size_t n_changed, n_other_exercise, n_other_attn, n_vanished;
};

struct resume_wanted {
    const struct submissions *submissions;
    char *const *paths; /* those that were given */
    size_t n_paths;
    size_t max_source_bytes;
};

/* Reads and sorts an earlier run's results, of the report at path and of what is beside it, one by
 * one: no more is held than what stays. A result of a file below one of the paths that is no longer
 * there is left out. ERR_FILE, ERR_MEMORY. */
bool resume_read(const char *path, const struct resume_wanted *wanted, struct resumed *ret,
                 struct error *reterr);
/* Adds what was left out, and why, in a sentence and a newline; nothing where nothing was. */
void resume_explain(const struct resumed *resumed, struct text *text);
void resumed_release(struct resumed *resumed);

#endif
