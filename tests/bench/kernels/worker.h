/* What the C workers of ./dev bench share. A worker is a process that waits: the driver
 * (workers.py) asks it over a pipe for one round of a job, then the next worker for one of the same
 * job, and so on in turns. A line in, a line out:
 *
 *   prepare ID OPERATION KEY=NUMBER...   "ok", or "no REASON"
 *   round ID SECONDS                     the fewest nanoseconds a call took within so long. Calls
 * of more than a millisecond in one thread count by the processor's time, in which others on the
 * machine have no part; what is shorter finds a moment alone, and there the processor's time is too
 * coarse; threads=2 by the wall's check ID                             three numbers of the last
 * call's output, and its size, or "nothing" where that is not known write ID FILE the output as raw
 * numbers: "ok" memory                               the most memory the process had so far, in
 * bytes drop                                 releases all jobs: "ok" */
#ifndef BENCH_WORKER_H
#define BENCH_WORKER_H

#include <stdbool.h>
#include <stddef.h>

struct request; /* an operation and its KEY=NUMBER */

/* The number that the request gives for key, or the other. */
double request_number(const struct request *request, const char *key, double otherwise);
size_t request_size(const struct request *request, const char *key, size_t otherwise);

/* Something to be timed. All zero but call is enough. */
struct job {
    void (*call)(void *data);    /* once; leaves output as it is described below */
    void (*release)(void *data); /* frees data and what it holds; or NULL */
    void *data;
    const float *output;   /* [n_output] after a call; or NULL */
    const double *precise; /* the same in place of output; or NULL */
    size_t n_output;
    bool by_wall; /* filled in by worker_run() */
};

struct operation {
    const char *name;
    /* Fills *job, which is all zero. Returns NULL, or why not. */
    const char *(*prepare)(const struct request *request, struct job *job);
    int code;         /* what the operations have of their own that */
    const char *text; /* share a prepare(): see request_code() */
};

/* The code and the text of the operation that is asked for. */
int request_code(const struct request *request);
const char *request_text(const struct request *request);

/* Answers lines until there are no more. */
int worker_run(const struct operation *operations, size_t n_operations);

/* numbers[0..n): the same in every worker and language for the same stream: uniform, mean 0,
 * variance 1. Steps of 2^-24, so that no rounding is left to choose. */
void worker_fill(float *numbers, size_t n, unsigned stream);
/* n numbers on a cache line's start, filled; ends the process without memory. */
float *worker_numbers(size_t n, unsigned stream);

#endif
