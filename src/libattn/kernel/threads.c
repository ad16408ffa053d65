/* See threads.h. The threads themselves are workers.c's. */
#include "kernel/threads.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/processors.h"
#include "base/size.h"
#include "kernel/workers_internal.h"

/* Waking a thread costs about a third of this many multiply-adds, and much more while other
 * programs wait for the processors. */
static const double worth_a_thread = 1 << 20;
/* On a system that does not say whether processors are free, only work of this many multiply-adds
 * is shared out: beside other programs a second thread takes a part of the first one's processor
 * time, and the saving in small work is less than that. */
static const double worth_in_doubt = 1 << 25;

/* ---- how many threads ---- */

static struct {
    atomic_size_t most;     /* 0: not yet found */
    atomic_size_t at_start; /* from the machine and its environment; 0: not yet found */
    /* The number of free processors, and the time it was found at. */
    atomic_size_t n_free;
    atomic_bool is_known; /* whether the system says it */
    _Atomic uint64_t found_ns;
    /* The balance of sharing out: its gains less its costs, and the time until which it is not
     * tried. */
    _Atomic int64_t balance_ns;
    _Atomic uint64_t rests_until_ns;
} threads;

/* The first number of OMP_NUM_THREADS, the variable that other programs read as well. */
static size_t found_at_start(void)
{
    size_t n = atomic_load(&threads.at_start);
    if (n > 0)
        return n;
    const char *told = getenv("OMP_NUM_THREADS");
    unsigned long wanted = told != NULL ? strtoul(told, NULL, 10) : 0;
    n = wanted > 0 ? size_min(wanted, WORKERS_MOST + 1) : processors_count();
    atomic_store(&threads.at_start, n);
    return n;
}

size_t threads_most(void)
{
    size_t n = atomic_load(&threads.most);
    return n > 0 ? n : found_at_start();
}

void threads_set(size_t n)
{
    atomic_store(&threads.most, size_min(n > 0 ? n : found_at_start(), WORKERS_MOST + 1));
    atomic_store(&threads.n_free, threads_most());
    atomic_store(&threads.is_known, true);
    atomic_store(&threads.found_ns, workers_now_ns());
    atomic_store(&threads.balance_ns, 0);
    atomic_store(&threads.rests_until_ns, 0);
}

/* The number of processors that no other program wants, the caller's and the helpers' own counted
 * as free; all of them on a system that does not say. */
static size_t look_for_free(void)
{
    size_t demand, count = processors_count(), own = 1 + workers_awake();
    bool is_known = processors_demand(&demand);
    atomic_store(&threads.is_known, is_known);
    if (!is_known)
        return count;
    size_t others = demand > own ? demand - own : 0;
    return count > others ? count - others : 1;
}

/* The same, looked for every few milliseconds. */
static size_t free_now(uint64_t now_ns)
{
    static const uint64_t fresh_ns = 10000000;
    uint64_t found_ns = atomic_load(&threads.found_ns);
    if ((found_ns == 0 || now_ns - found_ns > fresh_ns) &&
        atomic_compare_exchange_strong(&threads.found_ns, &found_ns, now_ns))
        atomic_store(&threads.n_free, look_for_free());
    return size_max(atomic_load(&threads.n_free), 1);
}

size_t threads_for(double multiply_adds)
{
    double worth = multiply_adds / worth_a_thread;
    size_t most = size_min(threads_most(), worth < 1024 ? (size_t)worth : 1024);
    if (most < 2)
        return 1;
    uint64_t now_ns = workers_now_ns();
    if (now_ns < atomic_load(&threads.rests_until_ns))
        return 1;
    most = size_min(most, free_now(now_ns));
    return multiply_adds < worth_in_doubt && !atomic_load(&threads.is_known) ? 1 : most;
}

/* After a call in which the caller did n_own of n tasks, and the helpers the rest. Its saving is
 * counted by half, since tasks take longer beside others: they share the memory. If a helper lost
 * its processor in the middle of a task, the caller has waited for it, and once such waiting has
 * cost more than was saved, the caller works alone for 25 times as long: whatever else the machine
 * does, sharing out costs at most a twenty-fifth of the time. */
static void judge_call(const struct workers_time *time, size_t n, size_t n_own)
{
    static const int64_t most_credit_ns = 3000000, least_debt_ns = 500000;
    static const uint64_t rest = 25;
    if (n_own == 0) /* other programs took the processor away: the time of a task is not known */
        return;
    double saved_ns = (double)time->run_ns * (double)(n - n_own) / (double)n_own / 2;
    double cost_ns = (double)time->wake_ns + (double)time->wait_ns;
    int64_t balance_ns = atomic_load(&threads.balance_ns) + (int64_t)(saved_ns - cost_ns);
    if (balance_ns < -least_debt_ns) {
        atomic_store(&threads.rests_until_ns, workers_now_ns() + rest * (uint64_t)-balance_ns);
        balance_ns = 0;
    }
    atomic_store(&threads.balance_ns, balance_ns < most_credit_ns ? balance_ns : most_credit_ns);
}

/* ---- sharing out ---- */

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

struct shared_work {
    _Alignas(64) atomic_size_t next; /* task that nobody has taken */
    _Alignas(64) const struct thread_work *work;
    const volatile sig_atomic_t *stop;
    float *room;
    size_t each;  /* floats from one thread's room to the next */
    size_t n_own; /* tasks that the calling thread has done */
};

static void take_tasks(void *context, size_t seat) /* NOLINT: a workers_function */
{
    struct shared_work *shared = context;
    const struct thread_work *work = shared->work;
    size_t task, n = 0;
    for (; shared->stop == NULL || !*shared->stop; n++) {
        if ((task = atomic_fetch_add(&shared->next, 1)) >= work->n_tasks)
            break;
        work->run(work->context, task, shared->room + seat * shared->each);
    }
    if (seat == 0)
        shared->n_own = n;
}

static void run_shared(const struct thread_work *work, size_t n_threads,
                       const volatile sig_atomic_t *stop, float *room, size_t each)
{
    struct shared_work shared = {.work = work, .stop = stop, .room = room, .each = each};
    struct workers_time time;
    if (!workers_run(n_threads - 1, take_tasks, &shared, &time))
        run_alone(work, stop, room);
    else if (stop == NULL || !*stop)
        judge_call(&time, work->n_tasks, shared.n_own);
}

/* Bytes for this number of floats. A large room asks for more than it uses, which costs no memory:
 * glibc gives the top of the heap back to the system once more is free there than twice the largest
 * block so far, and every call would have to get its room and its result again, page by page. */
static size_t bytes_of(size_t floats)
{
    enum { LARGE = 1 << 15, ASKED_FOR = 1 << 21 };
    size_t bytes = floats * sizeof(float);
    return bytes < LARGE ? bytes : size_max(bytes, ASKED_FOR);
}

bool threads_run(const struct thread_work *work, const volatile sig_atomic_t *stop,
                 struct error *reterr)
{
    size_t n = size_min(size_max(size_min(work->n_threads, work->n_tasks), 1), WORKERS_MOST + 1);
    size_t each = (work->room + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (each > (SIZE_MAX / sizeof(float) - ALIGNED) / n)
        return error_memory(reterr, work->what);
    float *block = malloc(bytes_of(n * each + ALIGNED));
    if (block == NULL)
        return error_memory(reterr, work->what);
    if (n == 1)
        run_alone(work, stop, aligned(block));
    else
        run_shared(work, n, stop, aligned(block), each);
    free(block);
    if (stop != NULL && *stop)
        return error_set(reterr, ERR_INTERRUPTED, "%s: stopped", work->what);
    return true;
}
