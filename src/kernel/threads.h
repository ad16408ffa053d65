/* Sharing work out to threads (OpenMP; without it one thread does all). Results never depend on how
 * many there are: a task writes what no other task writes. */
#ifndef ATTN_KERNEL_THREADS_H
#define ATTN_KERNEL_THREADS_H

#include <signal.h>
#include <stddef.h>

#include "base/error.h"

/* As many threads as pay for work of so many multiply-adds: at least 1, at most what OpenMP may use
 * (OMP_NUM_THREADS, threads_set()). */
size_t threads_for(double multiply_adds);
/* What OpenMP may use from now on, 0 for what it might when the program began; and what it is. */
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
    size_t n_threads;
    size_t room; /* floats of room that a task needs */
};

/* Runs the tasks, each once, in any order and beside each other. stop: when not NULL, no task
 * begins once it is not 0, and the answer is ERR_INTERRUPTED. ERR_MEMORY when there is no room. */
bool threads_run(const struct thread_work *work, const volatile sig_atomic_t *stop,
                 struct error *reterr);

#endif
