/* See workers_internal.h.
 *
 * One number, `gate`, decides who works: which call it is, whether it still takes
 * helpers, how many seats are free and how many helpers are inside. A helper enters by one
 * compare-and-swap that takes a seat and counts it in; the caller shuts the gate when its own part
 * is done, and from then on waits only for those inside. So a helper that the system has not woken
 * yet, as other programs have the processors, holds nobody up. */
#include "kernel/workers_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "base/processors.h"
#include "base/size.h"

/* A helper looks out for the next call that long before it sleeps: in a training or a model, calls
 * follow each other after tens to hundreds of microseconds, and waking a thread takes about 50. */
static const uint64_t look_out_ns = 1000000;
/* The caller looks that long whether the last helper is done before it sleeps. */
static const uint64_t end_look_out_ns = 100000;

/* The parts of gate. */
#define CALL (1ull << 32) /* the number of the call, in the upper half */
#define OPEN (1ull << 31)
#define SEAT (1ull << 16)         /* free seats, up to WORKERS_MOST */
#define SEATS (OPEN - SEAT)       /* their bits */
#define INSIDE ((1ull << 16) - 1) /* helpers that are inside */

static struct {
    _Alignas(64) _Atomic uint64_t gate;
    /* The function to call; written only while the gate is shut and no helper is inside. */
    _Alignas(64) workers_function *run;
    void *context;
    atomic_int processor;   /* that the caller was on as it called; -1: not known */
    atomic_bool taken;      /* a caller has the helpers */
    atomic_bool ends;       /* they are to end */
    atomic_bool is_awaited; /* the caller sleeps until nobody is inside */
    atomic_size_t n_asleep;
    atomic_size_t n; /* how many there are */
    pthread_t threads[WORKERS_MOST];
} workers;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER, left = PTHREAD_COND_INITIALIZER;

uint64_t workers_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A moment in a loop that looks out: the processor saves power, or gives it to its other half. */
static void pause_some(void)
{
    for (int i = 0; i < 8; i++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield");
#endif
    }
}

/* ---- helpers ---- */

/* On the caller's own processor a helper only takes it away from the caller. */
static bool is_in_the_way(void)
{
    int caller = atomic_load(&workers.processor);
    return caller >= 0 && caller == processors_here();
}

/* Enters, unless it was inside in this call already or stays out of it; the seat, or 0. */
static size_t enter(uint64_t *last_call)
{
    uint64_t gate = atomic_load(&workers.gate);
    while ((gate & OPEN) != 0 && (gate & SEATS) != 0 && gate / CALL != *last_call)
        if (is_in_the_way()) {
            *last_call = gate / CALL;
        } else if (atomic_compare_exchange_weak(&workers.gate, &gate, gate - SEAT + 1)) {
            *last_call = gate / CALL;
            return (gate & SEATS) / SEAT;
        }
    return 0;
}

static void leave(void)
{
    uint64_t before = atomic_fetch_sub(&workers.gate, 1);
    if ((before & OPEN) == 0 && (before & INSIDE) == 1 && atomic_load(&workers.is_awaited)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_signal(&left);
        pthread_mutex_unlock(&mutex);
    }
}

/* The seat of the next call, or 0 when the thread is to end. */
static size_t wait_for_call(uint64_t *last_call)
{
    uint64_t end_ns = workers_now_ns() + look_out_ns;
    size_t seat;
    while ((seat = enter(last_call)) == 0 && !atomic_load(&workers.ends) && !is_in_the_way() &&
           workers_now_ns() < end_ns)
        pause_some();
    if (seat > 0)
        return seat;
    pthread_mutex_lock(&mutex);
    atomic_fetch_add(&workers.n_asleep, 1);
    while ((seat = enter(last_call)) == 0 && !atomic_load(&workers.ends))
        pthread_cond_wait(&called, &mutex);
    atomic_fetch_sub(&workers.n_asleep, 1);
    pthread_mutex_unlock(&mutex);
    return seat;
}

static void *help(void *unused)
{
    uint64_t last_call = 0;
    size_t seat;
    while ((seat = wait_for_call(&last_call)) > 0) {
        workers.run(workers.context, seat);
        leave();
    }
    return unused;
}

size_t workers_awake(void)
{
    size_t n = atomic_load(&workers.n), asleep = atomic_load(&workers.n_asleep);
    return n > asleep ? n - asleep : 0;
}

/* ---- their beginning and their end ---- */

/* In the child of a fork, to which no helper came along, though perhaps a lock that one held. To
 * start threads there is not safe on every system: it works alone. */
static void do_without(void)
{
    atomic_store(&workers.taken, true);
    atomic_store(&workers.gate, 0);
    atomic_store(&workers.n_asleep, 0);
    atomic_store(&workers.n, 0);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, do_without);
}

/* Signals for the process are for the threads of the program that uses the library; those that a
 * fault of the thread itself raises must not be blocked. */
static void block_signals(sigset_t *ret_before)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_SETMASK, &all, ret_before);
}

static void start_helpers(size_t n)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    sigset_t before;
    size_t there = atomic_load(&workers.n);
    if (there >= n)
        return;
    pthread_once(&once, watch_forks);
    block_signals(&before);
    while (there < n && pthread_create(&workers.threads[there], NULL, help, NULL) == 0)
        atomic_store(&workers.n, ++there);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Runs when the process ends, or the library's code is unloaded from it. During a call (the process
 * ends from within it) there is no use in waiting for helpers. */
__attribute__((destructor)) static void end_helpers(void)
{
    bool taken = false;
    if (atomic_load(&workers.n) == 0 ||
        !atomic_compare_exchange_strong(&workers.taken, &taken, true))
        return;
    pthread_mutex_lock(&mutex);
    atomic_store(&workers.ends, true);
    pthread_cond_broadcast(&called);
    pthread_mutex_unlock(&mutex);
    for (size_t i = 0; i < atomic_load(&workers.n); i++)
        pthread_join(workers.threads[i], NULL);
    atomic_store(&workers.n, 0);
    atomic_store(&workers.ends, false);
    atomic_store(&workers.taken, false);
}

/* ---- a call ---- */

static void open_gate(size_t n_seats)
{
    uint64_t call = atomic_load(&workers.gate) / CALL + 1;
    atomic_store(&workers.processor, processors_here());
    atomic_store(&workers.gate, call * CALL + OPEN + n_seats * SEAT);
    size_t n_asleep = atomic_load(&workers.n_asleep);
    size_t n_awake = atomic_load(&workers.n) - size_min(n_asleep, atomic_load(&workers.n));
    size_t wanted = size_min(n_asleep, n_seats - size_min(n_awake, n_seats));
    if (wanted == 0)
        return;
    /* One that found the gate shut, and does not sleep yet, holds the mutex. */
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    if (wanted == n_asleep)
        pthread_cond_broadcast(&called);
    else
        for (size_t i = 0; i < wanted; i++)
            pthread_cond_signal(&called);
}

static bool is_anyone_inside(void)
{
    return (atomic_load(&workers.gate) & INSIDE) != 0;
}

static void shut_gate(void)
{
    atomic_fetch_and(&workers.gate, ~(OPEN | SEATS));
    if (!is_anyone_inside())
        return;
    uint64_t end_ns = workers_now_ns() + end_look_out_ns;
    while (is_anyone_inside() && workers_now_ns() < end_ns)
        pause_some();
    if (!is_anyone_inside())
        return;
    pthread_mutex_lock(&mutex);
    atomic_store(&workers.is_awaited, true);
    while (is_anyone_inside())
        pthread_cond_wait(&left, &mutex);
    atomic_store(&workers.is_awaited, false);
    pthread_mutex_unlock(&mutex);
}

bool workers_run(size_t n_helpers, workers_function *run, void *context,
                 struct workers_time *ret_time)
{
    bool taken = false;
    if (!atomic_compare_exchange_strong(&workers.taken, &taken, true))
        return false;
    start_helpers(size_min(n_helpers, WORKERS_MOST));
    size_t n_seats = size_min(n_helpers, atomic_load(&workers.n));
    if (n_seats > 0) {
        workers.run = run;
        workers.context = context;
        uint64_t began_ns = workers_now_ns();
        open_gate(n_seats);
        uint64_t called_ns = workers_now_ns();
        run(context, 0);
        uint64_t ran_ns = workers_now_ns();
        shut_gate();
        *ret_time = (struct workers_time){.wake_ns = called_ns - began_ns,
                                          .run_ns = ran_ns - called_ns,
                                          .wait_ns = workers_now_ns() - ran_ns};
    }
    atomic_store(&workers.taken, false);
    return n_seats > 0;
}
