/* What the two processes of a batch have in common: the one that keeps the results (batch.c), and
 * the one that starts the workers (batch_starter.c).
 *
 * The first tells the second what to do by one pipe, and gets the results by another. The starter
 * is forked before there are results and stays small: a worker, and each box that it makes, begins
 * as a copy of it, and what a copy holds hides how much memory a program took. */
#ifndef ATTN_JUDGE_BATCH_INTERNAL_H
#define ATTN_JUDGE_BATCH_INTERNAL_H

#include "judge/batch.h"

enum { BATCH_LOOK_MS = 50 /* how long a signal or a worker that went silent may wait */ };

/* To the starter comes this, and a byte for each submission: not 0 where it is done. That nothing
 * can be read any more tells it to end. */
struct batch_go {
    uint64_t seed;
};

/* From the starter comes this, and so many bytes: a result's json; or in the end, for
 * BATCH_IS_OVER, the struct error that ended it. */
struct batch_message {
    uint64_t submission;
    uint64_t size;
    uint64_t build_us; /* processor time of the compiler and the linker */
};
#define BATCH_IS_OVER UINT64_MAX

/* The whole life of the starter's process. The descriptors are its own. */
_Noreturn void batch_starter_run(const struct batch_plan *plan,
                                 const struct submissions *submissions, int orders, int messages);

#endif
