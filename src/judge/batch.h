/* Grading many submissions: a process each, so that nothing that happens to one touches another. */
#ifndef ATTN_JUDGE_BATCH_H
#define ATTN_JUDGE_BATCH_H

#include "judge/judge.h"
#include "judge/submission.h"

struct batch_plan {
    const struct compiler *compiler;
    const struct limits *limits;
    const char *data_dir;
    unsigned layers;
    unsigned jobs; /* at least 1 */
    uint64_t seed;
    bool shows_inputs;          /* messages may show what was drawn; else see JUDGE_HIDE_DRAWN */
    const struct results *done; /* of an earlier run with this seed: not graded again; or NULL */
    /* Called after each result, in the order in which they come; results holds those that are
     * there, in the order of the submissions. */
    void (*after_each)(void *context, const struct results *results, size_t n_done, size_t n_all);
    void *context;
    const volatile sig_atomic_t *stop; /* set: ends early, what is there is kept; or NULL */
};

/* Grades all; results come out in the order of the submissions whatever the parallelism. Fails
 * (ERR_LIMIT) after limits->internal_errors internal errors in a row, ERR_INTERRUPTED on stop; what
 * was graded is in *ret all the same. */
bool batch_run(const struct batch_plan *plan, const struct submissions *submissions,
               struct results *ret, struct error *reterr);

#endif
