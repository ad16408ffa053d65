/* A box from within: what attn made ready, and what its init and its program do with it. Only
 * box.c (attn), box_init.c (the init) and box_program.c (the program) include this; box.c tells
 * which process does what. */
#ifndef ATTN_SANDBOX_BOX_INTERNAL_H
#define ATTN_SANDBOX_BOX_INTERNAL_H

#include "sandbox/box_plan.h"
#include "sandbox/box_report.h"
#include "sandbox/cgroup.h"
#include "sandbox/filter.h"
#include "sandbox/visible_paths.h"

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
    int late_socket;            /* the late file comes by it, after its size; -1: there is none */
};

static inline bool box_has(const struct box_work *work, enum layer layer)
{
    return (work->plan.layers & (unsigned)layer) != 0;
}

_Noreturn void box_init(struct box_work *work);

/* Forks the program, which puts up its layers. *ret_listener is the filter's, or -1. The pid, or -1
 * with errno. The init's descriptors 0 to FILTER_PROGRAM_FD are the program's. */
pid_t box_program_start(struct box_work *work, int *ret_listener);

#endif
