/* Sharing work out to threads. Results never depend on how many there are: a task writes what no
 * other task writes. */
#ifndef ATTN_KERNEL_THREADS_H
#define ATTN_KERNEL_THREADS_H

#include <signal.h>
#include <stddef.h>

#include "base/error.h"

/* As many threads as pay at this moment for work of so many multiply-adds: at least 1, at most
 * threads_most(), and no more than there are processors that nobody else wants. */
size_t threads_for(double multiply_adds);
/* At most so many threads from now on, however busy the machine is at this moment; 0: as many as
 * when the program began, which OMP_NUM_THREADS says, or the number of processors. */
void threads_set(size_t n);
size_t threads_most(void);

/* One of the tasks 0..n_tasks. room: floats that are the task's own while it runs, aligned to 64
 * bytes. */
typedef void thread_task(void *context, size_t task, float *room);

struct thread_work {
    const char *what; /* for errors: "matmul" */
    thread_task *run;
    void *context;
    size_t n_tasks;
    size_t n_threads; /* at most; the calling thread is one of them */
    size_t room;      /* floats of room that a task needs */
};

/* Runs the tasks, each once, in any order and beside each other. A thread that does not get a
 * processor in time takes no task, so that none waits for it. stop: when not NULL, no task begins
 * once it is not 0, and the answer is ERR_INTERRUPTED. ERR_MEMORY when there is no room.
 *
 * Any thread may call it, also one that does a task; while the other threads work for one caller,
 * the next does its tasks alone. */
bool threads_run(const struct thread_work *work, const volatile sig_atomic_t *stop,
                 struct error *reterr);

#endif
