/* Threads that help the calling thread, and sleep in between. There is one set of them for the
 * process, started when first needed and ended when the process or the library is. */
#ifndef ATTN_KERNEL_WORKERS_INTERNAL_H
#define ATTN_KERNEL_WORKERS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORKERS_MOST = 1023 };

/* seat: 0 for the calling thread, 1 and up for those that help; no two have the same. */
typedef void workers_function(void *context, size_t seat);

struct workers_time {
    uint64_t wake_ns; /* how long the caller took to call the others, */
    uint64_t run_ns;  /* was in its own call of the function, */
    uint64_t wait_ns; /* and then waited for those that were still in theirs */
};

/* Calls run(context, 0) in this thread and meanwhile, in up to n_helpers others, run(context, seat)
 * with a seat from 1 to n_helpers each. One that has not begun when the caller's own call returns
 * does not begin: the function must take on all the work that is left, and what it costs that a
 * helper comes late, or never, is only that it does not help. All have returned before this does.
 *
 * False, and nothing has run, where the helpers work for another thread of this process or cannot
 * be started, and in a process that was forked from one that had helpers. */
bool workers_run(size_t n_helpers, workers_function *run, void *context,
                 struct workers_time *ret_time);

/* How many helpers take up a processor at this moment: they work, or look out for work in a loop,
 * which they do for a millisecond before they sleep. */
size_t workers_awake(void);

/* Nanoseconds of a clock that only goes forward. */
uint64_t workers_now_ns(void);

#endif
