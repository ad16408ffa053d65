/* A box on a system for which attn knows no layers but limits: see box.h. For one's own code.
 *
 * attn makes a folder with the files, forks, and collects.
 *
 * The init is a copy of attn that runs no foreign code. It waits for the program, kills what is
 * left of its process group, and reports; it does so too when attn has ended.
 *
 * The program leads a process group, sets its limits, and is executed.
 *
 * A program that leaves its process group is not found again. Everything in here is POSIX. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "sandbox/box.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "files/file.h"
#include "sandbox/box_files_internal.h"
#include "sandbox/box_plan_internal.h"
#include "sandbox/box_report_internal.h"
#include "sandbox/memory_file.h"

#define PROGRAM_NAME "program" /* of a BOX_RUN, in its folder */

enum {
    OWN_FDS = 16,   /* descriptors of attn's own code begin here; those below are the program's */
    MAX_FDS = 1024, /* attn has a few dozen of them open */
    LOOK_MS = 2,    /* how often the init looks at its program and at attn */
    NOT_STARTED = 127,
};

struct box {
    struct box_plan plan;
    char folder[BOX_FOLDER_BYTES];
    int out_fds[BOX_MAX_FILES];
    int reports; /* the end that is read */
    pid_t pid;   /* of its init */
    bool killed;
};

bool box_hides_libraries(void)
{
    return false;
}

bool box_can_run(int fd)
{
    (void)fd;
    return true;
}

/* ---- in the box ---- */

/* It is what this system has that counts: a limit that it lacks is passed over. */
static bool set_limits(const struct box_plan *plan)
{
#ifdef RLIMIT_NPROC
    /* It counts all processes of the user; so a program that needs none gets no other. */
    if (plan->kind == BOX_RUN && !box_limit(RLIMIT_NPROC, 1, 1) && errno != EINVAL)
        return false;
#endif
    return (box_limit(RLIMIT_CORE, 0, 0) || errno == EINVAL) && box_plan_set_limits(plan, true);
}

/* Puts the plan's descriptors in place and closes all others but the report's, which is closed by
 * executing. */
static bool take_descriptors(const struct box_plan *plan, int *report_fd)
{
    int fds[BOX_MAX_FDS], empty[2];
    if (pipe(empty) != 0 || (*report_fd = fcntl(*report_fd, F_DUPFD, OWN_FDS)) < 0 ||
        fcntl(*report_fd, F_SETFD, FD_CLOEXEC) != 0)
        return false;
    for (unsigned i = 0; i < plan->n_fds; i++) /* away from the numbers that others will get */
        if ((fds[i] = fcntl(plan->fds[i] < 0 ? empty[0] : plan->fds[i], F_DUPFD, OWN_FDS)) < 0)
            return false;
    for (unsigned i = 0; i < plan->n_fds; i++)
        if (dup2(fds[i], (int)i) < 0)
            return false;
    for (int fd = (int)plan->n_fds; fd < MAX_FDS; fd++)
        if (fd != *report_fd)
            close(fd);
    return true;
}

static const char *become_program(const struct box *box, int *report_fd)
{
    const struct box_plan *plan = &box->plan;
    struct box_environment environment;
    char path[PATH_MAX];
    if (setpgid(0, 0) != 0)
        return "a process group";
    if (!take_descriptors(plan, report_fd))
        return "descriptors";
    box_reset_signals();
    umask(077);
    if (chdir(box->folder) != 0)
        return "the working folder";
    if (plan->layers & LAYER_RLIMITS && !set_limits(plan))
        return "limits";
    if (plan->argv == NULL)
        _exit(0);
    if (plan->kind == BOX_RUN)
        snprintf(path, sizeof path, "%s/" PROGRAM_NAME, box->folder);
    else
        box_plan_program(plan, box->folder, path);
    execve(path, plan->argv, box_plan_environment(plan, box->folder, &environment));
    return BOX_PROGRAM_STEP;
}

/* Waits for the program. Kills it when box_kill() asked for it by SIGTERM, or when nobody reads the
 * reports any more: then attn has ended. Its process group is killed before the program is taken
 * away, since nothing else can have its number until then. */
static int wait_for_program(pid_t program, int report_fd)
{
    siginfo_t info = {.si_pid = 0};
    sigset_t asked;
    int status = 0;
    while (waitid(P_PID, (id_t)program, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0) {
        struct pollfd reader = {.fd = report_fd};
        bool is_gone = poll(&reader, 1, LOOK_MS) > 0 && (reader.revents & POLLERR);
        sigpending(&asked);
        if (is_gone || sigismember(&asked, SIGTERM))
            kill(program, SIGKILL);
    }
    kill(-program, SIGKILL);
    while (waitpid(program, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* All signals are blocked here, as they were in box_start(). */
static _Noreturn void run_init(struct box *box, int report_fd)
{
    close(box->reports);
    pid_t program = setsid() < 0 ? -1 : fork();
    if (program == 0) {
        const char *failed = become_program(box, &report_fd);
        box_report_failure(report_fd, failed);
        _exit(NOT_STARTED);
    }
    if (program < 0) {
        box_report_failure(report_fd, "a process for the program");
        _exit(0);
    }
    for (int fd = 0; fd < MAX_FDS; fd++) /* their other ends shall see when the program has ended */
        if (fd != report_fd)
            close(fd);
    struct box_report report = box_report_of_status(wait_for_program(program, report_fd));
    box_report_send(report_fd, &report);
    _exit(0);
}

/* ---- outside ---- */

/* The program of a BOX_RUN has to be a file with a name. */
static bool copy_program(const struct box *box)
{
    char path[BOX_FOLDER_BYTES + sizeof PROGRAM_NAME + 1], bytes[1 << 15];
    off_t at = 0;
    ssize_t n;
    snprintf(path, sizeof path, "%s/" PROGRAM_NAME, box->folder);
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    bool ok = to >= 0;
    while (ok && (n = pread(box->plan.program_fd, bytes, sizeof bytes, at)) != 0) {
        ok = n > 0 && file_write_all(to, bytes, (size_t)n);
        at += n;
    }
    file_close(&to);
    return ok;
}

static bool make_folder(struct box *box, struct error *reterr)
{
    const struct box_plan *plan = &box->plan;
    if (!box_folder_make(geteuid(), box->folder, sizeof box->folder, reterr))
        return false;
    const char *failed = box_files_put(box->folder, plan->in, plan->n_in);
    if (failed == NULL && plan->kind == BOX_RUN && plan->argv != NULL && !copy_program(box))
        failed = "files: the program";
    if (failed != NULL)
        return error_set(reterr, ERR_FILE, "a box: %s: %s", failed, strerror(errno));
    for (unsigned i = 0; i < plan->n_out; i++)
        if ((box->out_fds[i] = memory_file_open(reterr)) < 0)
            return false;
    return true;
}

static bool start(struct box *box, struct error *reterr)
{
    int ends[2];
    sigset_t all, before;
    if (!file_pipe(ends))
        return error_set(reterr, ERR_FILE, "a box: %s", strerror(errno));
    box->reports = ends[0];
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    box->pid = fork();
    if (box->pid == 0)
        run_init(box, ends[1]);
    int problem = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    return box->pid > 0 || error_set(reterr, ERR_FILE, "a process: %s", strerror(problem));
}

static void free_box(struct box *box)
{
    file_close(&box->reports);
    for (unsigned i = 0; i < BOX_MAX_FILES; i++)
        file_close(&box->out_fds[i]);
    if (box->folder[0] != '\0')
        box_folder_remove(box->folder);
    free(box);
}

bool box_feed(struct box *box, const void *bytes, size_t size)
{
    (void)box, (void)bytes, (void)size;
    return false;
}

bool box_start(const struct box_plan *plan, struct box **ret, struct error *reterr)
{
    if (!box_plan_check(plan, reterr))
        return false;
    if (plan->late != NULL || (plan->layers & ~(unsigned)LAYER_RLIMITS) != 0)
        return error_set(reterr, ERR_FILE, "attn has this on Linux only");
    struct box *box = malloc(sizeof *box);
    if (box == NULL)
        return error_memory(reterr, "a box");
    *box = (struct box){.plan = *plan, .reports = -1};
    for (unsigned i = 0; i < BOX_MAX_FILES; i++)
        box->out_fds[i] = -1;
    for (unsigned i = 0; i < plan->n_out; i++)
        plan->out[i].fd = -1;
    if (!make_folder(box, reterr) || !start(box, reterr)) {
        free_box(box);
        return false;
    }
    *ret = box;
    return true;
}

int box_pidfd(const struct box *box)
{
    (void)box;
    return -1;
}

int box_notify_fd(const struct box *box)
{
    (void)box;
    return -1;
}

void box_forbidden(struct box *box)
{
    (void)box;
}

bool box_ended(struct box *box)
{
    return box_init_ended(box->pid);
}

uint64_t box_processor_ns(struct box *box)
{
    (void)box;
    return 0;
}

uint64_t box_waited_ns(struct box *box)
{
    (void)box;
    return 0;
}

enum box_activity box_activity(struct box *box)
{
    (void)box;
    return BOX_NOT_TOLD;
}

uint64_t box_memory_bytes(struct box *box)
{
    (void)box;
    return 0;
}

void box_kill(struct box *box)
{
    box->killed = true;
    kill(box->pid, SIGTERM);
}

void box_collect(struct box *box, struct box_end *ret)
{
    unsigned fetched = 0;
    while (waitpid(box->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    struct box_report report = box_report_receive(box->reports);
    *ret = (struct box_end){.code = 0};
    if (!box_report_tell(&report, box->plan.kind, box->killed, ret)) {
        ret->how = BOX_FAILED;
        snprintf(ret->failure, sizeof ret->failure, "the first process of the box was killed");
    }
    const char *failed =
        box->plan.n_out == 0
            ? NULL
            : box_files_fetch(box->folder, box->plan.out, box->out_fds, box->plan.n_out, &fetched);
    if (failed != NULL) {
        ret->how = BOX_FAILED;
        snprintf(ret->failure, sizeof ret->failure, "%s: %s", failed, strerror(errno));
    }
    box_files_finish(box->plan.out, box->out_fds, box->plan.n_out, fetched, ret);
    free_box(box);
}
