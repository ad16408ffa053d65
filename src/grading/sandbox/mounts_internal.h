/* The files of a box: a root of its own that holds the visible paths, read-only, and /w. */
#ifndef ATTN_SANDBOX_MOUNTS_INTERNAL_H
#define ATTN_SANDBOX_MOUNTS_INTERNAL_H

#include "sandbox/visible_paths.h"

struct mounts {
    const struct visible_paths *visible;
    size_t work_bytes; /* the space in /w, which can be written to; 0: no /w */
    bool work_runs;    /* programs in /w can be executed */
    bool proc;         /* /proc, which shows the processes of the box */
};

/* Changes to that root; called by pid 1 of new namespaces. Returns NULL, or the step that failed
 * with errno. */
const char *mounts_change_root(const struct mounts *mounts);

#endif
