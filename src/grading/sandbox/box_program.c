/* The second process of a box: it puts up the layers that hold for one process, one after the
 * other, and becomes the program. */
#define _GNU_SOURCE
#include "sandbox/box_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "sandbox/landlock_internal.h"
#include "sandbox/user_internal.h"

#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { STACK_BYTES = 256 << 10, NOT_STARTED = 127, BUSY_TRIES = 100 };

/* Each step gives NULL, or what failed with errno. */
struct program {
    struct box_work *work;
    int listener;
};

/* ---- the steps ---- */

/* The init moved all that is needed away from these numbers. */
static const char *take_descriptors(struct program *program)
{
    const struct box_plan *plan = &program->work->plan;
    for (unsigned i = 0; i < plan->n_fds; i++)
        if (dup2(plan->fds[i], (int)i) < 0)
            return "descriptors";
    if (plan->program_fd >= 0 && dup2(plan->program_fd, FILTER_PROGRAM_FD) < 0)
        return "descriptors: the program";
    const unsigned close_on_exec = 4;
    syscall(SYS_close_range, plan->n_fds, ~0u, close_on_exec); /* since 5.11; they are already */
    if (plan->program_fd >= 0 && fcntl(FILTER_PROGRAM_FD, F_SETFD, FD_CLOEXEC) != 0)
        return "descriptors: the program";
    return NULL;
}

/* Processes are counted by user, and in a user namespace only those in it. Outside of one a user
 * has others; only a compiler or the sanitizers' tools then need some more of them. */
static bool limit_processes(const struct box_work *work)
{
    rlim_t n = work->plan.limits.processes;
    if (n > 0 && !box_has(work, LAYER_NAMESPACES) && work->plan.kind != BOX_RUN)
        n += user_count_tasks(getuid());
    return n == 0 || box_limit(RLIMIT_NPROC, n, n);
}

static const char *set_limits(struct program *program)
{
    static const int not_at_all[] = {
        RLIMIT_CORE, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE, RLIMIT_RTPRIO, RLIMIT_NICE,
    };
    if (!box_has(program->work, LAYER_RLIMITS))
        return NULL;
    bool ok = limit_processes(program->work);
    for (size_t i = 0; ok && i < COUNT_OF(not_at_all); i++)
        ok = box_limit(not_at_all[i], 0, 0);
    return ok && box_plan_set_limits(&program->work->plan, false) ? NULL : "limits";
}

/* A fresh start: signals as they are by default, files that nobody else can read. */
static const char *clear_state(struct program *program)
{
    const char *folder = program->work->folder;
    box_reset_signals();
    umask(077);
    return chdir(folder[0] != '\0' ? folder : "/") == 0 ? NULL : "the working folder";
}

/* The sanitizers' shadow memory must lie where they want it. */
static const char *fix_addresses(struct program *program)
{
    if (program->work->plan.kind == BOX_SANITIZER && personality(ADDR_NO_RANDOMIZE) < 0)
        return "fixed addresses";
    return NULL;
}

/* EINVAL comes after the last one. Who may not drop any gets EPERM. */
static const char *drop_privileges(struct program *program)
{
    (void)program;
    for (unsigned long i = 0; prctl(PR_CAPBSET_DROP, i, 0, 0, 0) == 0; i++)
        ;
    if (errno != EINVAL && errno != EPERM)
        return "capabilities";
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? NULL : "no new privileges";
}

/* The processor's counter of ticks is a clock that needs no system call. Where the system can't
 * forbid it, it stays. */
static const char *forbid_ticks(struct program *program)
{
    if (program->work->plan.kind == BOX_RUN)
        prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
    return NULL;
}

/* Without namespaces nothing else ties it to its init. */
static const char *die_with_init(struct program *program)
{
    (void)program;
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 ? NULL : "to end with its parent";
}

static const char *confine_to_files(struct program *program)
{
    const struct box_work *work = program->work;
    if (!box_has(work, LAYER_LANDLOCK))
        return NULL;
    return landlock_confine(&work->visible, work->folder[0] != '\0' ? work->folder : NULL,
                            work->plan.kind == BOX_SANITIZER ? "/proc" : NULL,
                            work->plan.program_fd >= 0 ? FILTER_PROGRAM_FD : -1);
}

/* There can be one listener only, and somebody else's may be there: then names stay untold. */
static const char *confine_calls(struct program *program)
{
    struct box_work *work = program->work;
    struct filter plain;
    if (!box_has(work, LAYER_SECCOMP))
        return NULL;
    const char *failed = filter_install(&work->filter, &program->listener);
    if (failed == NULL || errno != EBUSY || !work->filter.notifies)
        return failed;
    if (!filter_make(work->plan.kind, work->plan.layers, false, &plain, NULL))
        return failed;
    return filter_install(&plain, &program->listener);
}

/* ---- the program ---- */

/* Returns only when it failed. The init of another box may for a moment hold a descriptor that
 * writes to the program: it was forked before the program was finished, and is closing it. */
static const char *become_program(struct program *program)
{
    const struct timespec a_while = {.tv_nsec = 1000000};
    const struct box_work *work = program->work;
    struct box_environment environment;
    char **variables = box_plan_environment(&work->plan, work->folder, &environment);
    char path[PATH_MAX];
    for (unsigned i = 0; i < BUSY_TRIES; i++) {
        if (work->plan.kind == BOX_RUN)
            syscall(SYS_execveat, FILTER_PROGRAM_FD, "", work->plan.argv, variables, AT_EMPTY_PATH);
        else
            execve(box_plan_program(&work->plan, work->folder, path), work->plan.argv, variables);
        if (errno != ETXTBSY)
            break;
        nanosleep(&a_while, NULL);
    }
    return BOX_PROGRAM_STEP;
}

static const char *(*const steps[])(struct program *program) = {
    die_with_init,   take_descriptors, set_limits,       clear_state,   fix_addresses,
    drop_privileges, forbid_ticks,     confine_to_files, confine_calls,
};

/* Without a sanitizer's help, if attn was built with one: the limits leave it no room. */
static void leave(int code)
{
    syscall(SYS_exit_group, code);
}

static int program_main(void *argument)
{
    struct program *program = argument;
    const char *failed = NULL;
    for (size_t i = 0; failed == NULL && i < COUNT_OF(steps); i++)
        failed = steps[i](program);
    if (failed == NULL && program->work->plan.argv == NULL)
        leave(0);
    if (failed == NULL)
        failed = become_program(program);
    box_report_failure(program->work->report_fd, failed);
    leave(NOT_STARTED);
    return NOT_STARTED;
}

/* It shares memory and descriptors with the init, which waits, until it becomes the program: so the
 * listener that it gets from the kernel is the init's as well, and no memory is copied. */
pid_t box_program_start(struct box_work *work, int *ret_listener)
{
    struct program program = {.work = work, .listener = -1};
    char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    pid_t pid = stack == MAP_FAILED
                    ? -1
                    : clone(program_main, stack + STACK_BYTES,
                            CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, &program);
    *ret_listener = program.listener;
    return pid;
}
