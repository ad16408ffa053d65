/* Reports of the processes of a box to attn about its end, through a pipe. */
#ifndef ATTN_SANDBOX_BOX_REPORT_INTERNAL_H
#define ATTN_SANDBOX_BOX_REPORT_INTERNAL_H

#include <sys/resource.h>

#include "sandbox/box.h"

#define BOX_PROGRAM_STEP "the program" /* the step of executing the program */

/* The init sends one at the end; a process that fails sends one at once. The first one counts. */
struct box_report {
    enum { REPORT_NONE, REPORT_FAILED, REPORT_ENDED } kind;
    char step[64]; /* FAILED */
    int problem;   /* FAILED: errno */
    int status;    /* ENDED: as waitpid() gives it */
    uint64_t cpu_us;
    size_t max_rss_bytes;
    unsigned fetched; /* a bit for each file of plan.out that was fetched */
};

/* Whether the init has ended; it must still be waited for. */
bool box_init_ended(pid_t init);
/* The CPU time, in us. */
uint64_t box_cpu_us(const struct rusage *usage);
/* Sends errno and the step that failed. */
void box_report_failure(int fd, const char *step);
/* The report of the program's wait status, with the CPU time of all children of this process. */
struct box_report box_report_of_status(int status);
void box_report_send(int fd, const struct box_report *report);
/* The first report in the pipe; REPORT_NONE if it is empty. */
struct box_report box_report_receive(int fd);

/* Fills in the end as the report has it; killed: by box_kill(). False for REPORT_NONE. */
bool box_report_tell(const struct box_report *report, enum box_kind kind, bool killed,
                     struct box_end *ret);

#endif
