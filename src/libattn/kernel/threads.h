/* Shares work between threads. Results never depend on their number: no two tasks write the same
 * memory. */
#ifndef ATTN_KERNEL_THREADS_H
#define ATTN_KERNEL_THREADS_H

#include <signal.h>
#include <stddef.h>

#include "base/error.h"

/* The number of threads that pay off now for this many multiply-adds: at least 1, at most
 * threads_most(), and at most the number of processors that no other program wants. */
size_t threads_for(double multiply_adds);
/* Sets the most threads from now on, however busy the machine is; 0: the number when the program
 * began, which is OMP_NUM_THREADS or the number of processors. */
void threads_set(size_t n);
size_t threads_most(void);

/* Does one of the tasks 0..n_tasks-1. room: floats that belong to the task while it runs, aligned
 * to 64 bytes. */
typedef void thread_task(void *context, size_t task, float *room);

struct thread_work {
    const char *what; /* for errors: "matmul" */
    thread_task *run;
    void *context;
    size_t n_tasks;
    size_t n_threads; /* at most; the calling thread is one of them */
    size_t room;      /* floats of room that a task needs */
};

/* Runs the tasks, each once, in any order and in parallel. A thread that does not get a processor
 * in time takes no task, so that the others don't wait for it. stop, if not NULL: no task begins
 * once it is not 0, and the answer is ERR_INTERRUPTED. ERR_MEMORY without memory for the room.
 *
 * Any thread may call it, also one that does a task; while the other threads work for one caller,
 * the next does its tasks alone. */
bool threads_run(const struct thread_work *work, const volatile sig_atomic_t *stop,
                 struct error *reterr);

#endif
