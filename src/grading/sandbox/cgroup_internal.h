/* A control group for one box: the memory and the processes that everything in it may have
 * together.
 *
 * Version 2 of control groups, with the controllers memory and pids, in a folder that this process
 * may write to, as systemd gives to a user's services; elsewhere this layer is not available. */
#ifndef ATTN_SANDBOX_CGROUP_INTERNAL_H
#define ATTN_SANDBOX_CGROUP_INTERNAL_H

#include <limits.h>
#include <stdint.h>

#include "sandbox/limits.h"
#include "base/error.h"

struct cgroup {
    char path[PATH_MAX]; /* of its folder; "": no group */
    int procs_fd;        /* a process that writes "0" to it joins */
};

/* The folder in which groups can be made, in path. ERR_FILE with the reason if there is no such
 * folder. */
bool cgroup_parent(char path[PATH_MAX], struct error *reterr);
/* Makes a group below parent. */
bool cgroup_make(const char *parent, const struct box_limits *limits, struct cgroup *ret,
                 struct error *reterr);
/* Moves this process, and its future children, into the group. Returns NULL, or the step that
 * failed with errno. */
const char *cgroup_join(const struct cgroup *cgroup);
/* Whether it ran out of memory, and a process in it was killed for that. */
bool cgroup_ran_out(const struct cgroup *cgroup);
/* The most memory that all of it held together; 0 if the system does not say. */
uint64_t cgroup_peak_bytes(const struct cgroup *cgroup);
/* Ends all its processes and removes it. Does nothing if path is "". */
void cgroup_remove(struct cgroup *cgroup);

#endif
