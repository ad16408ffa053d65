/* Reports of a box: see box_report_internal.h. */
#include "sandbox/box_report_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"

#ifndef ELIBBAD
#define ELIBBAD ENOEXEC /* Linux's own: a damaged program */
#endif

enum { CANNOT_EXECUTE = 126 }; /* as shells say it */

bool box_init_ended(pid_t init)
{
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)init, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
        return errno == ECHILD; /* somebody waited for all children of this process */
    return info.si_pid == init;
}

uint64_t box_cpu_us(const struct rusage *usage)
{
    return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000u +
           (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

uint64_t box_all_cpu_us(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? box_cpu_us(&usage) : 0;
}

void box_report_send(int fd, const struct box_report *report)
{
    ssize_t written = write(fd, report, sizeof *report);
    (void)written;
}

void box_report_failure(int fd, const char *step)
{
    struct box_report report = {.kind = REPORT_FAILED, .problem = errno};
    snprintf(report.step, sizeof report.step, "%s", step);
    box_report_send(fd, &report);
}

struct box_report box_report_of_status(int status)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (struct box_report){
        .kind = REPORT_ENDED, .status = status, .cpu_us = box_cpu_us(&usage)};
}

struct box_report box_report_receive(int fd)
{
    struct box_report report;
    if (read(fd, &report, sizeof report) != (ssize_t)sizeof report)
        report = (struct box_report){.kind = REPORT_NONE};
    return report;
}

/* A file that the kernel does not take for a program is its author's fault. */
static bool is_the_programs_fault(const struct box_report *report, enum box_kind kind)
{
    static const int refusals[] = {ENOENT, ENOEXEC, EACCES, EINVAL, ELIBBAD, ENOMEM, E2BIG};
    if (kind != BOX_RUN || strcmp(report->step, BOX_PROGRAM_STEP) != 0)
        return false;
    for (size_t i = 0; i < COUNT_OF(refusals); i++)
        if (report->problem == refusals[i])
            return true;
    return false;
}

bool box_report_tell(const struct box_report *report, enum box_kind kind, bool killed,
                     struct box_end *ret)
{
    switch (report->kind) {
    case REPORT_NONE:
        return false;
    case REPORT_ENDED:
        ret->cpu_us = report->cpu_us;
        ret->max_rss_bytes = report->max_rss_bytes;
        if (WIFEXITED(report->status)) {
            ret->how = BOX_EXITED;
            ret->code = WEXITSTATUS(report->status);
        } else {
            ret->signal = WTERMSIG(report->status);
            ret->how = ret->signal == SIGSYS              ? BOX_FORBIDDEN
                       : killed && ret->signal == SIGKILL ? BOX_KILLED
                                                          : BOX_SIGNALLED;
        }
        break;
    case REPORT_FAILED:
        if (is_the_programs_fault(report, kind)) {
            ret->how = BOX_EXITED;
            ret->code = CANNOT_EXECUTE;
            ret->out_of_memory = report->problem == ENOMEM || report->problem == E2BIG;
        } else {
            ret->how = BOX_FAILED;
            snprintf(ret->failure, sizeof ret->failure, "%s: %s", report->step,
                     strerror(report->problem));
        }
        break;
    }
    return true;
}
