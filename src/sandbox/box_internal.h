/* A box from within: what its keeper made ready, and what its init and its program do with it. Only
 * box.c, box_init.c and box_program.c include this.
 *
 *   keeper (box.c)          makes everything that can be made outside, and forks
 *    init (box_init.c)      pid 1: a copy of the keeper that runs no foreign code
 *     program (box_program.c)  pid 2: puts up the rest of the walls and becomes the program */
#ifndef ATTN_SANDBOX_BOX_INTERNAL_H
#define ATTN_SANDBOX_BOX_INTERNAL_H

#include "sandbox/cgroup.h"
#include "sandbox/filter.h"
#include "sandbox/visible_paths.h"

enum { BOX_FOLDER_BYTES = 256 };

#define BOX_PROGRAM_STEP "the program" /* the step of becoming it */

struct box_work {
    struct box_plan plan;
    struct visible_paths visible;
    struct filter filter;
    struct cgroup cgroup;
    char folder[BOX_FOLDER_BYTES]; /* of its files, as seen from within; "" for BOX_RUN */
    size_t folder_bytes;           /* what fits into it, with LAYER_ROOT */
    uid_t uid;                     /* who the box is, as seen from outside */
    gid_t gid;
    int out_fds[BOX_MAX_FILES]; /* for plan.out; -1: none */
    int report_fd;              /* one struct box_report is written here */
    int listener_socket;        /* to send the filter's listener to; -1: none */
};

/* What the init tells the keeper at the end; what fails tells it at once. The first one counts. */
struct box_report {
    enum { REPORT_FAILED = 1, REPORT_ENDED } kind;
    char step[64]; /* FAILED */
    int problem;   /* FAILED: errno */
    int status;    /* ENDED: as waitpid() gives it */
    uint64_t cpu_us;
    size_t max_rss_bytes;
    unsigned fetched; /* a bit for each of plan.out that was copied to out_fds */
};

static inline bool box_has(const struct box_work *work, enum layer layer)
{
    return (work->plan.layers & (unsigned)layer) != 0;
}

/* Sends errno and the step that failed. */
void box_report_failure(const struct box_work *work, const char *step);

_Noreturn void box_init(struct box_work *work);

/* Forks the program, which puts up its walls. *ret_listener is the filter's, or -1. The pid, or -1
 * with errno. The init's descriptors 0 to FILTER_PROGRAM_FD are the program's. */
pid_t box_program_start(struct box_work *work, int *ret_listener);

#endif
