#include "kernel/threads.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/size.h"

/* To wake a thread costs about a third as much as so many multiply-adds, and where other programs
 * wait for the processors, much more. */
static const double worth_a_thread = 1 << 20;

size_t threads_most(void)
{
#ifdef _OPENMP
    return (size_t)omp_get_max_threads();
#else
    return 1;
#endif
}

void threads_set(size_t n)
{
#ifdef _OPENMP
    /* What the machine and its environment say: found once, before anything else is set. */
    static _Atomic size_t at_start;
    size_t none = 0;
    (void)atomic_compare_exchange_strong(&at_start, &none, threads_most());
    omp_set_num_threads((int)(n > 0 ? n : atomic_load(&at_start)));
#else
    (void)n;
#endif
}

size_t threads_for(double multiply_adds)
{
    double most = multiply_adds / worth_a_thread;
    return most < 2 ? 1 : size_min(threads_most(), most < 1024 ? (size_t)most : 1024);
}

enum { ALIGNED = 64 / sizeof(float) };

static float *aligned(float *block)
{
    return block + (64 - (uintptr_t)block % 64) % 64 / sizeof *block;
}

static void run_alone(const struct thread_work *work, const volatile sig_atomic_t *stop,
                      float *room)
{
    for (size_t task = 0; task < work->n_tasks && (stop == NULL || !*stop); task++)
        work->run(work->context, task, room);
}

/* Whether this process was forked from one that had threads: OpenMP takes them for its own and
 * would wait for them without end. */
static bool lost_its_threads(void)
{
    static _Atomic long owner;
    long self = (long)getpid(), none = 0;
    return !atomic_compare_exchange_strong(&owner, &none, self) && none != self;
}

/* each: floats from one thread's room to the next. */
static void run_shared(const struct thread_work *work, size_t n_threads,
                       const volatile sig_atomic_t *stop, float *room, size_t each)
{
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)n_threads)
    for (size_t task = 0; task < work->n_tasks; task++)
        if (stop == NULL || !*stop)
            work->run(work->context, task, room + (size_t)omp_get_thread_num() * each);
#else
    (void)n_threads;
    (void)each;
    run_alone(work, stop, room);
#endif
}

/* Bytes for so many floats. A large room asks for more than it uses, which costs no memory: glibc
 * gives the top of the heap back to the system where more is free there than twice the largest
 * block that ever was, and every call would have to get its room and its result anew, page by page.
 */
static size_t bytes_of(size_t floats)
{
    enum { LARGE = 1 << 15, ASKED_FOR = 1 << 21 };
    size_t bytes = floats * sizeof(float);
    return bytes < LARGE ? bytes : size_max(bytes, ASKED_FOR);
}

bool threads_run(const struct thread_work *work, const volatile sig_atomic_t *stop,
                 struct error *reterr)
{
    size_t n = size_max(size_min(work->n_threads, work->n_tasks), 1);
    size_t each = (work->room + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (each > (SIZE_MAX / sizeof(float) - ALIGNED) / n)
        return error_memory(reterr, work->what);
    float *block = malloc(bytes_of(n * each + ALIGNED));
    if (block == NULL)
        return error_memory(reterr, work->what);
    if (n == 1 || lost_its_threads())
        run_alone(work, stop, aligned(block));
    else
        run_shared(work, n, stop, aligned(block), each);
    free(block);
    if (stop != NULL && *stop)
        return error_set(reterr, ERR_INTERRUPTED, "%s: stopped", work->what);
    return true;
}
