#define _GNU_SOURCE
#include "testing.h"

#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/processors.h"
#include "kernel/threads.h"

enum { MANY = 1000, LARGE = 1 << 26 };

struct count {
    atomic_int runs[MANY];
    atomic_bool is_wrong;
    size_t inner; /* tasks that each task shares out again */
};

static void count_task(void *context, size_t task, float *room)
{
    struct count *count = context;
    atomic_fetch_add(&count->runs[task], 1);
    for (size_t i = 0; i < 100; i++)
        room[i] = (float)task;
    for (size_t i = 0; i < 100; i++)
        if (!(room[i] >= (float)task && room[i] <= (float)task))
            atomic_store(&count->is_wrong, true);
    if (count->inner > 0) {
        struct count *within = calloc(1, sizeof *within);
        struct thread_work work = {.what = "within",
                                   .run = count_task,
                                   .context = within,
                                   .n_tasks = count->inner,
                                   .n_threads = 3,
                                   .room = 100};
        struct error error;
        bool ok = within != NULL && threads_run(&work, NULL, &error);
        for (size_t i = 0; ok && i < count->inner; i++)
            ok = atomic_load(&within->runs[i]) == 1;
        if (!ok || atomic_load(&within->is_wrong))
            atomic_store(&count->is_wrong, true);
        free(within);
    }
}

/* Whether each of n tasks has run once, with a room of its own. */
static bool run_and_count(size_t n_tasks, size_t n_threads, size_t inner)
{
    struct count *count = calloc(1, sizeof *count);
    struct thread_work work = {.what = "counting",
                               .run = count_task,
                               .context = count,
                               .n_tasks = n_tasks,
                               .n_threads = n_threads,
                               .room = 100};
    struct error error;
    if (count == NULL)
        return false;
    count->inner = inner;
    bool ok = threads_run(&work, NULL, &error) && !atomic_load(&count->is_wrong);
    for (size_t i = 0; i < MANY; i++)
        ok = ok && atomic_load(&count->runs[i]) == (i < n_tasks ? 1 : 0);
    free(count);
    return ok;
}

static void test_threads__every_task_runs_once(void **state)
{
    (void)state;
    for (size_t turn = 0; turn < 300; turn++)
        for (size_t n_threads = 1; n_threads <= 9; n_threads++)
            assert_true(run_and_count(turn % 7 == 0 ? MANY : turn % 20, n_threads, 0));
}

static void test_threads__a_task_may_share_out_too(void **state)
{
    (void)state;
    assert_true(run_and_count(20, 4, 30));
}

static void *run_many(void *unused)
{
    for (int turn = 0; turn < 200; turn++)
        if (!run_and_count(50, 4, 0))
            return NULL;
    return unused;
}

static void test_threads__callers_beside_each_other(void **state)
{
    pthread_t callers[4];
    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, run_many, callers), 0);
    for (size_t i = 0; i < 4; i++) {
        void *result;
        assert_int_equal(pthread_join(callers[i], &result), 0);
        assert_non_null(result);
    }
}

static void end_child(void)
{
    alarm(60); /* ends it if it hangs */
    _exit(run_and_count(MANY, 4, 0) && run_and_count(MANY, 4, 0) ? 0 : 1);
}

static void wait_for_child(pid_t child)
{
    int status;
    assert_true(child >= 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Also while the threads work for another caller, whose locks the child must not meet. */
static void test_threads__in_a_child(void **state)
{
    pthread_t caller;
    (void)state;
    assert_true(run_and_count(MANY, 4, 0));
    assert_int_equal(pthread_create(&caller, NULL, run_many, state), 0);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0)
            end_child();
        wait_for_child(child);
    }
    assert_int_equal(pthread_join(caller, NULL), 0);
    assert_true(run_and_count(MANY, 4, 0));
}

static void stop_task(void *context, size_t task, float *room)
{
    (void)room;
    if (task == 5)
        *(volatile sig_atomic_t *)context = 1;
}

static void test_threads__none_begins_after_the_stop_flag(void **state)
{
    volatile sig_atomic_t stop = 0;
    struct thread_work work = {.what = "stopping",
                               .run = stop_task,
                               .context = (void *)&stop,
                               .n_tasks = SIZE_MAX / 2,
                               .n_threads = 3};
    struct error error;
    (void)state;
    assert_error(threads_run(&work, &stop, &error), error, ERR_INTERRUPTED);
}

static void test_threads__set_and_all(void **state)
{
    size_t all = threads_most();
    (void)state;
    assert_in_range(all, 1, 1024);
    threads_set(3);
    assert_int_equal(threads_most(), 3);
    assert_int_equal(threads_for(LARGE), 3); /* the machine was not looked at again yet */
    assert_int_equal(threads_for(1), 1);
    threads_set(5000);
    assert_int_equal(threads_most(), 1024);
    threads_set(0);
    assert_int_equal(threads_most(), all);
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Where others want all processors, work is not shared out; and it is again when they have ended.
 */
static void test_threads__as_many_as_are_free(void **state)
{
    pid_t loops[64];
    size_t n = processors_count(), demand;
    (void)state;
    if (n < 2 || n > 64 || !processors_demand(&demand))
        skip();
    for (size_t i = 0; i < n; i++)
        if ((loops[i] = fork()) == 0) {
            alarm(60);
            for (;;)
                ;
        }
    threads_set(n);
    size_t found = n;
    for (int i = 0; found > 1 && i < 2000; i++) {
        sleep_ms(20);
        found = threads_for(LARGE);
    }
    for (size_t i = 0; i < n; i++) {
        kill(loops[i], SIGKILL);
        waitpid(loops[i], NULL, 0);
    }
    threads_set(0);
    assert_int_equal(found, 1);
}

#ifdef __linux__
static void spend_task(void *context, size_t task, float *room)
{
    (void)context;
    (void)task;
    for (size_t i = 0; i < 1000; i++)
        room[i % 10] = room[i % 10] * 0.5f + (float)i;
}

/* Of processors, that all threads of this process take for much work. */
static double seconds_spent(size_t n_threads)
{
    struct timespec from, to;
    struct thread_work work = {.what = "spending", .run = spend_task, .n_tasks = 50, .room = 10};
    struct error error;
    threads_set(n_threads);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (int i = 0; i < 2000; i++) {
        work.n_threads = threads_for(LARGE);
        if (!threads_run(&work, NULL, &error))
            return (double)INFINITY;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* All threads on one processor: those that wait for each other in loops spend many times as much of
 * it as one thread alone. In a child of a process that had no threads yet: its threads are new, and
 * stay on that processor. */
static void test_threads__a_single_processor_is_not_spent_on_waiting(void **state)
{
    cpu_set_t before, one;
    double alone = 0, shared = 0;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    int here = sched_getcpu();
    CPU_ZERO(&one);
    CPU_SET((size_t)here, &one);
    pid_t child = fork();
    if (child == 0) {
        alarm(120);
        if (sched_setaffinity(0, sizeof one, &one) != 0)
            _exit(0);
        for (int turn = 0; turn < 3; turn++) {
            alone += seconds_spent(1);
            shared += seconds_spent(4);
        }
        _exit(shared < 2 * alone ? 0 : 1);
    }
    wait_for_child(child);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef __linux__
        /* First, before this process has threads. */
        cmocka_unit_test(test_threads__a_single_processor_is_not_spent_on_waiting),
#endif
        cmocka_unit_test(test_threads__every_task_runs_once),
        cmocka_unit_test(test_threads__a_task_may_share_out_too),
        cmocka_unit_test(test_threads__callers_beside_each_other),
        cmocka_unit_test(test_threads__in_a_child),
        cmocka_unit_test(test_threads__none_begins_after_the_stop_flag),
        cmocka_unit_test(test_threads__set_and_all),
        cmocka_unit_test(test_threads__as_many_as_are_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
