/* The box of Linux: see box.h. Three processes make one:
 *
 * attn (this file) makes what can be made outside: pipes, the filter, a control group, the folder
 * of files. It starts the init, watches it by a pidfd, kills it, and takes the files.
 *
 * The init (box_init.c) is a copy of attn, pid 1 of the new namespaces. It changes the root, waits
 * for the program and ends whatever the program left.
 *
 * The program (box_program.c) limits and confines itself, and then becomes the foreign program.
 *
 * The init and the program report through one pipe (box_report_internal.h). Each of their steps
 * works or ends the box with a report that names it. The first report counts. When the init died
 * without one, it was killed: by box_kill(), by its control group, or by somebody else, which is
 * our failure.
 *
 * The filter of system calls makes a listener, a descriptor that tells of forbidden calls. The
 * program makes it, the init sends it to attn through a socket, and attn kills the box when it
 * tells of a call. */
#define _GNU_SOURCE
#include "sandbox/box.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "files/file.h"
#include "sandbox/box_files_internal.h"
#include "sandbox/box_internal.h"
#include "sandbox/elf.h"
#include "sandbox/kernel_file_internal.h"
#include "sandbox/memory_file.h"
#include "sandbox/namespace_internal.h"
#include "sandbox/user_internal.h"

enum { PATIENCE_MS = 3000 }; /* for an init that was asked to end */

struct box {
    struct box_work work;
    pid_t pid;     /* of its init; 0: not started */
    pid_t program; /* the init's child, as it is called here; 0: not looked for, or not found */
    int pidfd;     /* or -1 */
    int reports;   /* one end of work.report_fd */
    int listener;  /* the filter's, or before that the socket that it comes by; -1: none */
    int late;      /* the other end of work.late_socket; -1: no such socket, or it was fed */
    bool has_listener;
    bool killed;
    char call[32]; /* that was forbidden; or "" */
};

bool box_hides_libraries(void)
{
    return true;
}

bool box_can_run(int fd)
{
    return elf_stands_alone(fd);
}

/* ---- made ready outside ---- */

static struct box *new_box(const struct box_plan *plan)
{
    struct box *box = malloc(sizeof *box);
    if (box == NULL)
        return NULL;
    *box = (struct box){.pidfd = -1, .reports = -1, .listener = -1, .late = -1};
    box->work.plan = *plan;
    if (plan->kind != BOX_RUN || plan->argv == NULL)
        box->work.plan.program_fd = -1;
    if (!(plan->layers & LAYER_NAMESPACES))
        box->work.plan.layers &= ~(unsigned)LAYER_ROOT;
    box->work.cgroup.procs_fd = box->work.report_fd = box->work.listener_socket = -1;
    box->work.late_socket = -1;
    for (unsigned i = 0; i < BOX_MAX_FILES; i++)
        box->work.out_fds[i] = -1;
    return box;
}

static bool make_folder(struct box_work *work, struct error *reterr)
{
    if (work->plan.kind == BOX_RUN)
        return true;
    if (!box_has(work, LAYER_ROOT))
        return box_folder_make(work->uid, work->folder, sizeof work->folder, reterr);
    snprintf(work->folder, sizeof work->folder, "/w");
    work->folder_bytes = (64 << 10) + 2 * work->plan.limits.file_bytes;
    for (unsigned i = 0; i < work->plan.n_in; i++)
        work->folder_bytes += work->plan.in[i].size;
    if (work->plan.late != NULL)
        work->folder_bytes += work->plan.limits.file_bytes;
    return true;
}

static bool make_pipes(struct box *box, struct error *reterr)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return error_set(reterr, ERR_FILE, "a box: %s", strerror(errno));
    box->reports = ends[0];
    box->work.report_fd = ends[1];
    if (box->work.plan.late != NULL) {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            return error_set(reterr, ERR_FILE, "a box: %s", strerror(errno));
        box->late = ends[0];
        box->work.late_socket = ends[1];
    }
    if (!box->work.filter.notifies)
        return true;
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(reterr, ERR_FILE, "a box: %s", strerror(errno));
    box->listener = ends[0];
    box->work.listener_socket = ends[1];
    return true;
}

static bool make_group(struct box_work *work, struct error *reterr)
{
    char parent[PATH_MAX];
    if (!box_has(work, LAYER_CGROUP))
        return true;
    return cgroup_parent(parent, reterr) &&
           cgroup_make(parent, &work->plan.limits, &work->cgroup, reterr);
}

static bool make_ready(struct box *box, struct error *reterr)
{
    struct box_work *work = &box->work;
    bool changes_user = box_has(work, LAYER_UID) && geteuid() == 0;
    work->uid = changes_user ? USER_ORDINARY : geteuid();
    work->gid = changes_user ? USER_ORDINARY : getegid();
    visible_paths_of(work->plan.kind, work->plan.path, work->plan.shows, &work->visible);
    bool ok = (!box_has(work, LAYER_SECCOMP) ||
               filter_make(work->plan.kind, work->plan.layers, true, &work->filter, reterr)) &&
              make_pipes(box, reterr) && make_group(work, reterr) && make_folder(work, reterr);
    for (unsigned i = 0; ok && i < work->plan.n_out; i++)
        ok = (work->out_fds[i] = memory_file_open(reterr)) >= 0;
    return ok;
}

/* ---- the start ---- */

/* What the child of spawn_by_helper() tells: the init's pid, or what failed. */
struct spawn_report {
    pid_t pid;
    char step[64];
    int problem;
};

static _Noreturn void spawn_as_user(struct box *box, int report_fd)
{
    struct box_work *work = &box->work;
    struct spawn_report report = {.pid = -1};
    file_close(&box->late);
    file_close(&box->reports); /* whose closing tells the init of attn's end */
    const char *failed = work->cgroup.procs_fd >= 0 ? cgroup_join(&work->cgroup) : NULL;
    file_close(&work->cgroup.procs_fd);
    if (failed == NULL)
        failed = user_become_ordinary();
    if (failed == NULL) {
        report.pid = namespace_fork(true, true);
        failed = "namespaces";
    }
    report.problem = errno;
    if (report.pid == 0)
        box_init(work);
    snprintf(report.step, sizeof report.step, "%s", failed);
    ssize_t written = write(report_fd, &report, sizeof report);
    (void)written;
    _exit(0);
}

/* Who starts as root becomes an ordinary user before there are namespaces, so that they belong to
 * that user: limits of processes do not hold for root, in whatever namespace. A child of ours does
 * that, and the init that it forks is our child as well. */
static pid_t spawn_by_helper(struct box *box, const char **ret_failed, struct spawn_report *report)
{
    int ends[2];
    *ret_failed = "a process";
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0)
        spawn_as_user(box, ends[1]);
    close(ends[1]);
    bool told = child > 0 && read(ends[0], report, sizeof *report) == (ssize_t)sizeof *report;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    if (!told)
        return -1;
    *ret_failed = report->step;
    errno = report->problem;
    return report->pid;
}

static pid_t spawn_as_self(struct box_work *work, const char **ret_failed)
{
    bool isolated = box_has(work, LAYER_NAMESPACES);
    pid_t pid = namespace_fork(isolated, false);
    if (pid == 0)
        box_init(work);
    *ret_failed = isolated ? "namespaces" : "a process";
    return pid;
}

/* Signals that this process handles must not be taken by a handler in the child. */
static bool start(struct box *box, struct error *reterr)
{
    struct box_work *work = &box->work;
    const char *failed;
    struct spawn_report report;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t pid = work->uid != geteuid() && box_has(work, LAYER_NAMESPACES)
                    ? spawn_by_helper(box, &failed, &report)
                    : spawn_as_self(work, &failed);
    int problem = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        return error_set(reterr, ERR_FILE, "%s: %s", failed, strerror(problem));
    box->pid = pid;
    box->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    return true;
}

static void free_box(struct box *box)
{
    struct box_work *work = &box->work;
    file_close(&box->pidfd);
    file_close(&box->reports);
    file_close(&box->listener);
    file_close(&box->late);
    file_close(&work->late_socket);
    file_close(&work->report_fd);
    file_close(&work->listener_socket);
    for (unsigned i = 0; i < BOX_MAX_FILES; i++)
        file_close(&work->out_fds[i]);
    if (work->folder[0] != '\0' && !box_has(work, LAYER_ROOT))
        box_folder_remove(work->folder);
    cgroup_remove(&work->cgroup);
    filter_release(&work->filter);
    free(box);
}

bool box_start(const struct box_plan *plan, struct box **ret, struct error *reterr)
{
    if (!box_plan_check(plan, reterr))
        return false;
    struct box *box = new_box(plan);
    if (box == NULL)
        return error_memory(reterr, "a box");
    for (unsigned i = 0; i < plan->n_out; i++)
        plan->out[i].fd = -1;
    if (!make_ready(box, reterr) || !start(box, reterr)) {
        free_box(box);
        return false;
    }
    /* Their other ends are the init's now. */
    file_close(&box->work.report_fd);
    file_close(&box->work.listener_socket);
    file_close(&box->work.late_socket);
    filter_release(&box->work.filter);
    *ret = box;
    return true;
}

/* ---- while it runs ---- */

/* A box that is gone does not end attn by a signal. */
static bool send_all(int socket, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = send(socket, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool box_feed(struct box *box, const void *bytes, size_t size)
{
    uint64_t n_bytes = size;
    bool ok = box->late >= 0 && send_all(box->late, &n_bytes, sizeof n_bytes) &&
              send_all(box->late, bytes, size);
    file_close(&box->late);
    return ok;
}

int box_pidfd(const struct box *box)
{
    return box->pidfd;
}

int box_notify_fd(const struct box *box)
{
    return box->listener;
}

/* The listener comes by the socket, in whose place it is put. */
static void receive_listener(struct box *box)
{
    int listener = -1;
    char byte;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec bytes = {&byte, 1};
    struct msghdr message = {.msg_iov = &bytes,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    ssize_t n = recvmsg(box->listener, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    struct cmsghdr *header = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header != NULL && header->cmsg_type == SCM_RIGHTS)
        memcpy(&listener, CMSG_DATA(header), sizeof listener);
    file_close(&box->listener);
    box->listener = listener;
    box->has_listener = true;
}

void box_forbidden(struct box *box)
{
    if (!box->has_listener && box->listener >= 0)
        receive_listener(box);
    if (box->has_listener && box->listener >= 0 &&
        filter_listen(box->listener, box->call, sizeof box->call))
        box_kill(box);
}

bool box_ended(struct box *box)
{
    return box_init_ended(box->pid);
}

/* Looks for the init's child in Linux's list of them. */
static bool find_program(struct box *box)
{
    char text[32];
    if (box->program == 0) {
        kernel_file_read(text, sizeof text, "/proc/%ld/task/%ld/children", (long)box->pid,
                         (long)box->pid);
        box->program = (pid_t)strtol(text, NULL, 10);
    }
    return box->program > 0;
}

uint64_t box_waited_ns(struct box *box)
{
    char text[96], *end;
    if (!find_program(box))
        return 0;
    /* time on a processor, time waiting for one (Documentation/scheduler/sched-stats.rst) */
    kernel_file_read(text, sizeof text, "/proc/%ld/task/%ld/schedstat", (long)box->program,
                     (long)box->program);
    (void)strtoull(text, &end, 10);
    return strtoull(end, NULL, 10);
}

enum box_activity box_activity(struct box *box)
{
    enum { EXITING = 4 }; /* PF_EXITING of Linux's sched.h */
    char text[512], state;
    unsigned flags;
    if (!find_program(box))
        return BOX_NOT_TOLD;
    /* its number, its name in brackets, its state, five numbers, its flags (proc_pid_stat(5)) */
    const char *told =
        strrchr(kernel_file_read(text, sizeof text, "/proc/%ld/stat", (long)box->program), ')');
    bool is_there =
        told != NULL && sscanf(told, ") %c %*d %*d %*d %*d %*d %u", &state, &flags) == 2;
    if (!is_there || (flags & EXITING) != 0)
        return BOX_LEAVES;
    return state == 'R' ? BOX_COMPUTES : BOX_SLEEPS;
}

uint64_t box_processor_ns(struct box *box)
{
    clockid_t clock;
    struct timespec spent;
    if (!find_program(box) || clock_getcpuclockid(box->program, &clock) != 0 ||
        clock_gettime(clock, &spent) != 0)
        return 0;
    return (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
}

uint64_t box_memory_bytes(struct box *box)
{
    static const char key[] = "\nVmHWM:"; /* of what it executes now (proc_pid_status(5)) */
    char text[4096];
    if (!find_program(box))
        return 0;
    const char *found =
        strstr(kernel_file_read(text, sizeof text, "/proc/%ld/status", (long)box->program), key);
    return found != NULL ? strtoull(found + sizeof key - 1, NULL, 10) * 1024 : 0;
}

/* With namespaces all that is in them dies with the init; else it ends the others first. */
void box_kill(struct box *box)
{
    box->killed = true;
    file_close(&box->late); /* one that waits for it, whatever signals it holds back, ends */
    kill(box->pid, box_has(&box->work, LAYER_NAMESPACES) ? SIGKILL : SIGTERM);
}

/* ---- the end ---- */

static void wait_for_init(struct box *box)
{
    const struct timespec a_while = {.tv_nsec = 1000000};
    siginfo_t info;
    bool patient = box->killed && !box_has(&box->work, LAYER_NAMESPACES);
    for (unsigned i = 0; patient && i < PATIENCE_MS && !box_ended(box); i++)
        nanosleep(&a_while, NULL);
    if (patient && !box_ended(box))
        kill(-box->pid, SIGKILL);
    while (waitid(P_PID, (id_t)box->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        ;
    /* Of its session nothing is left, unless somebody killed the init. */
    if (!box_has(&box->work, LAYER_NAMESPACES))
        kill(-box->pid, SIGKILL);
}

static size_t peak_bytes(const struct box *box)
{
    return box->work.cgroup.path[0] != '\0' ? (size_t)cgroup_peak_bytes(&box->work.cgroup) : 0;
}

static bool ran_out_of_memory(const struct box *box)
{
    return box->work.cgroup.path[0] != '\0' && cgroup_ran_out(&box->work.cgroup);
}

/* A program that did not fit from the start has no say in how it ends. */
static bool did_not_fit(const struct box *box, const struct box_end *end)
{
    const struct box_limits *limits = &box->work.plan.limits;
    size_t bytes = elf_bytes(box->work.plan.program_fd);
    if (end->how != BOX_SIGNALLED)
        return false;
    return (limits->address_space_bytes > 0 && bytes > limits->address_space_bytes) ||
           (limits->data_bytes > 0 && bytes > limits->data_bytes);
}

void box_collect(struct box *box, struct box_end *ret)
{
    struct box_work *work = &box->work;
    struct rusage usage = {.ru_maxrss = 0};
    wait_for_init(box);
    while (wait4(box->pid, NULL, 0, &usage) < 0 && errno == EINTR)
        ;
    struct box_report report = box_report_receive(box->reports);
    *ret = (struct box_end){.cpu_us = box_cpu_us(&usage)};
    if (!box_report_tell(&report, work->plan.kind, box->killed, ret)) {
        if (box->killed) {
            ret->how = BOX_KILLED;
        } else if (ran_out_of_memory(box)) { /* the group's end is its first process's too */
            ret->how = BOX_SIGNALLED;
            ret->signal = SIGKILL;
        } else {
            ret->how = BOX_FAILED;
            snprintf(ret->failure, sizeof ret->failure, "the first process of the box was killed");
        }
    }
    if (box->call[0] != '\0') {
        ret->how = BOX_FORBIDDEN;
        memcpy(ret->call, box->call, sizeof ret->call);
    }
    ret->out_of_memory = ret->out_of_memory || ran_out_of_memory(box);
    ret->memory_bytes = ret->max_rss_bytes > 0 ? ret->max_rss_bytes : peak_bytes(box);
    if (work->plan.program_fd >= 0 && did_not_fit(box, ret)) {
        ret->how = BOX_SIGNALLED;
        ret->out_of_memory = true;
    }
    box_files_finish(work->plan.out, work->out_fds, work->plan.n_out, report.fetched, ret);
    free_box(box);
}
