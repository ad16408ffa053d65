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
    unsigned jobs;     /* at least 1 */
    bool shows_inputs; /* messages may show what was drawn; else see JUDGE_HIDE_DRAWN */
    /* Called after each result, in the order in which they come, with the last one and all that are
     * there, in the order of the n_all submissions. */
    void (*after_each)(void *context, const struct results *results, const struct result *last,
                       size_t n_all);
    void *context;
    const volatile sig_atomic_t *stop; /* set: ends early, what is there is kept; or NULL */
};

/* A batch that is to be graded: a process that will start the workers, and waits. What the caller
 * holds when it opens the batch, a worker and each of its boxes begin with; what it comes to hold
 * later, such as an earlier run's results, they have nothing of. */
struct batch;

/* Both are borrowed until batch_close(). NULL: ERR_FILE, ERR_MEMORY. */
struct batch *batch_open(const struct batch_plan *plan, const struct submissions *submissions,
                         struct error *reterr);
/* Grades all, once; results come out in the order of the submissions whatever the parallelism.
 * done: results of an earlier run with this seed, or NULL; those of submissions are taken over, and
 * these not graded again, but for internal errors. Fails (ERR_LIMIT) after limits->internal_errors
 * internal errors in a row, ERR_INTERRUPTED on stop, ERR_FILE when its process was ended; what was
 * graded is in *ret all the same. */
bool batch_run(struct batch *batch, uint64_t seed, struct results *done, struct results *ret,
               struct error *reterr);
/* The processor time of the compiler and the linker, in us, for what was graded. */
uint64_t batch_build_us(const struct batch *batch);
/* Ends its processes, and waits for them. NULL is nothing. */
void batch_close(struct batch *batch);

#endif
