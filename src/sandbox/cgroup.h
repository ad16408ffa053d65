/* A control group for one box: how much memory and how many processes all of it may have together.
 * Version 2 of control groups, with the controllers memory and pids given to a folder that this
 * process may write to, as systemd does for a user's services; elsewhere there is no such layer. */
#ifndef ATTN_SANDBOX_CGROUP_H
#define ATTN_SANDBOX_CGROUP_H

#include <limits.h>
#include <stdint.h>

#include "sandbox/limits.h"
#include "base/error.h"

struct cgroup {
    char path[PATH_MAX]; /* of its folder; "": there is none */
    int procs_fd;        /* a process that writes "0" to it joins */
};

/* The folder in which groups can be made, in path. ERR_FILE with the reason where there is none. */
bool cgroup_parent(char path[PATH_MAX], struct error *reterr);
/* Makes a group below parent. */
bool cgroup_make(const char *parent, const struct box_limits *limits, struct cgroup *ret,
                 struct error *reterr);
/* This process and all its children to be. NULL, or the step that failed with errno. */
const char *cgroup_join(const struct cgroup *cgroup);
/* Whether it ran out of memory, and a process in it was killed for that. */
bool cgroup_ran_out(const struct cgroup *cgroup);
/* The most memory that all of it held together; 0 where the system does not tell. */
uint64_t cgroup_peak_bytes(const struct cgroup *cgroup);
/* Ends what is in it and removes it. A path of "" is nothing to remove. */
void cgroup_remove(struct cgroup *cgroup);

#endif
