/* Threads that help the calling thread, and sleep in between. The process has one set of them,
 * which starts when first needed and ends with the process or the library. */
#ifndef ATTN_KERNEL_WORKERS_INTERNAL_H
#define ATTN_KERNEL_WORKERS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORKERS_MOST = 1023 };

/* seat: 0 for the calling thread, 1 and up for those that help; no two have the same. */
typedef void workers_function(void *context, size_t seat);

struct workers_time {
    uint64_t wake_ns; /* the time that the caller took to call the others, */
    uint64_t run_ns;  /* spent in its own call of the function, */
    uint64_t wait_ns; /* and then waited for the others to finish theirs */
};

/* Calls run(context, 0) in this thread and meanwhile run(context, seat), with a seat from 1 to
 * n_helpers each, in up to n_helpers others. A helper that has not begun when the caller's own call
 * returns does not begin: so the function must do all remaining work itself, and a helper that
 * comes late, or never, costs nothing but its help. All have returned before this function does.
 * Returns false, without running anything, if the helpers work for another thread of this process
 * or can't be started, and in a process that was forked from one that had helpers. */
bool workers_run(size_t n_helpers, workers_function *run, void *context,
                 struct workers_time *ret_time);

/* The number of helpers that use a processor at this moment: they work, or look for work in a loop,
 * which they do for a millisecond before they sleep. */
size_t workers_awake(void);

/* Nanoseconds of a clock that only goes forward. */
uint64_t workers_now_ns(void);

#endif
