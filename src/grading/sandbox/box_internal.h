/* A box from within: the resources that attn prepared, and what its init and its program do with
 * them. Only box.c (attn), box_init.c (the init) and box_program.c (the program) include this;
 * box.c explains which process does what. */
#ifndef ATTN_SANDBOX_BOX_INTERNAL_H
#define ATTN_SANDBOX_BOX_INTERNAL_H

#include "sandbox/box_plan_internal.h"
#include "sandbox/box_report_internal.h"
#include "sandbox/cgroup_internal.h"
#include "sandbox/filter_internal.h"
#include "sandbox/visible_paths.h"

struct box_work {
    struct box_plan plan;
    struct visible_paths visible;
    struct filter filter;
    struct cgroup cgroup;
    char folder[BOX_FOLDER_BYTES]; /* of its files, as seen from within; "" for BOX_RUN */
    size_t folder_bytes;           /* its capacity, with LAYER_ROOT */
    uid_t uid;                     /* the box's user, as seen from outside */
    gid_t gid;
    int out_fds[BOX_MAX_FILES]; /* for plan.out; -1: no file */
    int report_fd;              /* one struct box_report is written here */
    int listener_socket;        /* to send the filter's listener to; -1: no listener */
    int late_socket;            /* delivers the late file, after its size; -1: no late file */
};

static inline bool box_has(const struct box_work *work, enum layer layer)
{
    return (work->plan.layers & (unsigned)layer) != 0;
}

_Noreturn void box_init(struct box_work *work);

/* Forks the program, which sets up its layers. *ret_listener is the filter's, or -1. Returns the
 * pid, or -1 with errno. The init's descriptors 0 to FILTER_PROGRAM_FD are the program's. */
pid_t box_program_start(struct box_work *work, int *ret_listener);

#endif
