/* Grading many submissions: each in a process of its own, so that nothing which happens to one
 * affects another. */
#ifndef ATTN_JUDGE_CLASS_BATCH_H
#define ATTN_JUDGE_CLASS_BATCH_H

#include "batch/submission.h"
#include "judge/judge.h"

struct batch_plan {
    const struct compiler *compiler;
    const struct limits *limits;
    const char *data_dir;
    unsigned layers;
    unsigned jobs;     /* at least 1 */
    bool shows_inputs; /* messages may show drawn inputs; else see JUDGE_HIDE_DRAWN */
    /* Called after each result, in the order in which they come: `last` is the new one, and results
     * holds all so far, in the order of the n_all submissions. */
    void (*after_each)(void *context, const struct results *results, const struct result *last,
                       size_t n_all);
    void *context;
    const volatile sig_atomic_t
        *stop; /* set: the batch ends early and keeps its results; or NULL */
};

/* A batch that is to be graded: a process that will start the workers, and waits. Workers and their
 * boxes begin with a copy of the memory that the caller has when it opens the batch. Memory that
 * the caller takes later, such as an earlier run's results, is not in their copy. */
struct batch;

/* Both arguments are borrowed until batch_close(). NULL: ERR_FILE, ERR_MEMORY. */
struct batch *batch_open(const struct batch_plan *plan, const struct submissions *submissions,
                         struct error *reterr);
/* Grades all submissions once. The results are in the order of the submissions, whatever `jobs` is.
 * done: results of an earlier run with this seed, or NULL. Those that belong to a submission are
 * moved to *ret and not graded again, except for internal errors. Fails with ERR_LIMIT after
 * limits->internal_errors internal errors in a row, with ERR_INTERRUPTED on stop, with ERR_FILE
 * when its process was ended; also then *ret holds the results so far. */
bool batch_run(struct batch *batch, uint64_t seed, struct results *done, struct results *ret,
               struct error *reterr);
/* How long, on the wall and all jobs together, the batch will look for the reasons of crashes.
 * Crashes that come later keep their verdict, and their message says why it has no more. */
uint64_t batch_explain_ms(const struct batch_plan *plan, const struct submissions *submissions);
/* The processor time that compiler and linker took for the graded submissions, in us. */
uint64_t batch_build_us(const struct batch *batch);
/* Ends its processes, and waits for them. NULL is allowed. */
void batch_close(struct batch *batch);

#endif
