/* The first process of a box. It is a copy of attn and runs no foreign code: it makes the
 * room for the program, waits for it, ends whatever else is left, and tells attn. In
 * namespaces it is pid 1, so that its own end is the end of everything in the box. */
#define _GNU_SOURCE
#include "sandbox/box_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "files/file.h"
#include "sandbox/box_files_internal.h"
#include "sandbox/mounts_internal.h"
#include "sandbox/namespace_internal.h"
#include "sandbox/system.h"
#include "sandbox/user_internal.h"

#include <sys/prctl.h>
#include <sys/syscall.h>

enum {
    OWN_FDS = 16, /* descriptors of the init's own begin here; those below are the program's */
    MAX_OWN_FDS = BOX_MAX_FDS + BOX_MAX_FILES + 6,
};

/* ---- its descriptors ---- */

struct own_fds {
    int fds[MAX_OWN_FDS];
    unsigned n;
};

/* Moves *fd to a number of the init's own; -1 stays. On failure *fd stays too, so that the failure
 * can be reported through it. */
static bool move(struct own_fds *own, int *fd)
{
    if (*fd < 0)
        return true;
    int moved = fcntl(*fd, F_DUPFD_CLOEXEC, OWN_FDS);
    if (moved < 0)
        return false;
    *fd = own->fds[own->n++] = moved;
    return true;
}

static bool move_program_fds(struct own_fds *own, struct box_plan *plan)
{
    int empty[2] = {-1, -1};
    if (pipe(empty) != 0 || close(empty[1]) != 0)
        return false;
    for (unsigned i = 0; i < plan->n_fds; i++) {
        if (plan->fds[i] < 0)
            plan->fds[i] = empty[0];
        if (!move(own, &plan->fds[i]))
            return false;
    }
    return move(own, &plan->program_fd);
}

static void close_between(unsigned first, unsigned last)
{
    if (first > last || syscall(SYS_close_range, first, last, 0) == 0)
        return;
    long end = sysconf(_SC_OPEN_MAX);
    for (unsigned fd = first; fd <= last && fd < (unsigned)end; fd++)
        close((int)fd);
}

static int in_order(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* All of attn's descriptors but those that the box needs: among the others are the pipes of
 * other boxes, which would seem open as long as this one lives. */
static const char *keep_own_descriptors(struct box_work *work)
{
    struct own_fds own = {.n = 0};
    unsigned next = 0;
    bool ok = move_program_fds(&own, &work->plan) && move(&own, &work->report_fd) &&
              move(&own, &work->listener_socket) && move(&own, &work->late_socket) &&
              move(&own, &work->cgroup.procs_fd);
    for (unsigned i = 0; ok && i < work->plan.n_out; i++)
        ok = move(&own, &work->out_fds[i]);
    if (!ok)
        return "descriptors";
    qsort(own.fds, own.n, sizeof *own.fds, in_order);
    for (unsigned i = 0; i < own.n; i++) { /* each is OWN_FDS at least */
        close_between(next, (unsigned)own.fds[i] - 1);
        next = (unsigned)own.fds[i] + 1;
    }
    close_between(next, ~0u);
    return NULL;
}

/* Those that are the program's now, so that their other ends notice when it closes them. */
static void close_program_descriptors(const struct box_work *work)
{
    close_between(0, OWN_FDS - 1);
    for (unsigned i = 0; i < work->plan.n_fds; i++)
        close(work->plan.fds[i]);
    if (work->plan.program_fd >= 0)
        close(work->plan.program_fd);
}

/* ---- the steps before the program ---- */

static const char *join_group(struct box_work *work)
{
    return work->cgroup.procs_fd >= 0 ? cgroup_join(&work->cgroup) : NULL;
}

/* With namespaces attn had to do it before (box.c). */
static const char *leave_root(struct box_work *work)
{
    if (!box_has(work, LAYER_UID) || box_has(work, LAYER_NAMESPACES) || geteuid() != 0)
        return NULL;
    return user_become_ordinary();
}

/* Nobody reads the report any more. Only that tells that attn died before this process could
 * ask for a signal: by its pid it can't be known in a namespace of pids. */
static bool attn_is_gone(const struct box_work *work)
{
    struct pollfd reader = {.fd = work->report_fd};
    return poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR);
}

static const char *end_with_attn(struct box_work *work)
{
    int last = box_has(work, LAYER_NAMESPACES) ? SIGKILL : SIGTERM;
    prctl(PR_SET_NAME, "attn-box", 0, 0, 0);
    if (prctl(PR_SET_PDEATHSIG, last, 0, 0, 0) != 0)
        return "to end with attn";
    return attn_is_gone(work) ? "attn is gone" : NULL;
}

/* Its memory is attn's: nobody of the same user may look at it. */
static const char *hide(struct box_work *work)
{
    (void)work;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? NULL : "to hide its memory";
}

static const char *begin_session(struct box_work *work)
{
    (void)work;
    return setsid() >= 0 ? NULL : "a session of its own";
}

static const char *become_nobody(struct box_work *work)
{
    return box_has(work, LAYER_NAMESPACES) ? namespace_map_user(work->uid, work->gid) : NULL;
}

static const char *change_root(struct box_work *work)
{
    const struct box_plan *plan = &work->plan;
    struct mounts mounts = {.visible = &work->visible, .work_runs = plan->kind == BOX_SANITIZER};
    if (!box_has(work, LAYER_ROOT))
        return NULL;
    if (plan->kind != BOX_RUN)
        mounts.work_bytes = work->folder_bytes;
    mounts.proc = plan->kind == BOX_SANITIZER;
    return mounts_change_root(&mounts);
}

static const char *put_files(struct box_work *work)
{
    umask(0);
    return work->folder[0] != '\0' ? box_files_put(work->folder, work->plan.in, work->plan.n_in)
                                   : NULL;
}

/* All that foreign code does not have to do with is done: it waits for the late file. */
static const char *take_late_file(struct box_work *work)
{
    uint64_t size;
    if (work->late_socket < 0)
        return NULL;
    if (!file_read_all(work->late_socket, &size, sizeof size))
        return "files: the late one";
    const char *failed =
        box_files_take(work->folder, work->plan.late, work->late_socket, (size_t)size);
    file_close(&work->late_socket);
    return failed;
}

static const char *(*const steps[])(struct box_work *work) = {
    keep_own_descriptors, join_group,  leave_root, end_with_attn, begin_session,
    become_nobody,        change_root, put_files,  hide,          take_late_file,
};

/* ---- the program, from its start to its end ---- */

/* Signals are waited for, not handled. By SIGTERM attn asks it to end, where a SIGKILL would
 * leave others behind. */
static void wait_for_signals(sigset_t *ret)
{
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &by_default, NULL);
    sigaction(SIGTERM, &by_default, NULL);
    sigemptyset(ret);
    sigaddset(ret, SIGCHLD);
    sigaddset(ret, SIGTERM);
    sigprocmask(SIG_BLOCK, ret, NULL);
}

/* Takes orphans too. A program that is stopped is still waited for. From time to time it looks
 * after attn, whose end it could have missed while another box was being started. */
static int wait_for_program(const struct box_work *work, pid_t program, const sigset_t *signals)
{
    for (;;) {
        const struct timespec a_second = {.tv_sec = 1};
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended == program)
            return status;
        if (ended == 0 && (sigtimedwait(signals, NULL, &a_second) == SIGTERM || attn_is_gone(work)))
            kill(program, SIGKILL);
    }
}

/* What a process used before it became the program counts as the program's, and that is what this
 * one uses: less than that says nothing. */
static size_t max_rss_bytes(void)
{
    struct rusage own, theirs;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &theirs);
    return theirs.ru_maxrss > own.ru_maxrss ? (size_t)theirs.ru_maxrss * 1024 : 0;
}

static const char *report_end(struct box_work *work, int status)
{
    struct box_report report = box_report_of_status(status);
    const char *failed = NULL;
    report.max_rss_bytes = max_rss_bytes();
    if (work->plan.n_out > 0)
        failed = box_files_fetch(work->folder, work->plan.out, work->out_fds, work->plan.n_out,
                                 &report.fetched);
    if (failed == NULL)
        box_report_send(work->report_fd, &report);
    return failed;
}

/* attn gets the listener, and holds it alone. */
static void send_listener(struct box_work *work, int listener)
{
    char byte = 0;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.room = {0}};
    struct iovec bytes = {&byte, 1};
    struct msghdr message = {.msg_iov = &bytes,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &listener, sizeof listener);
    sendmsg(work->listener_socket, &message, MSG_NOSIGNAL);
    close(listener);
}

static const char *run_program(struct box_work *work)
{
    sigset_t signals;
    int listener;
    wait_for_signals(&signals);
    system_adopt_orphans();
    pid_t program = box_program_start(work, &listener);
    if (program < 0)
        return "a process for the program";
    if (listener >= 0)
        send_listener(work, listener);
    close_program_descriptors(work);
    int status = wait_for_program(work, program, &signals);
    system_end_orphans(box_has(work, LAYER_NAMESPACES));
    return report_end(work, status);
}

_Noreturn void box_init(struct box_work *work)
{
    const char *failed = NULL;
    for (size_t i = 0; failed == NULL && i < COUNT_OF(steps); i++)
        failed = steps[i](work);
    if (failed == NULL)
        failed = run_program(work);
    if (failed != NULL)
        box_report_failure(work->report_fd, failed);
    if (work->folder[0] != '\0' && !box_has(work, LAYER_ROOT))
        box_folder_remove(work->folder);
    _exit(0);
}
