/* The files of a box: a root of its own that holds the visible paths, read-only, and /w. */
#ifndef ATTN_SANDBOX_MOUNTS_H
#define ATTN_SANDBOX_MOUNTS_H

#include "sandbox/visible_paths.h"

struct mounts {
    const struct visible_paths *visible;
    size_t work_bytes; /* what fits into /w, which can be written to; 0: there is no /w */
    bool work_runs;    /* programs in /w can be executed */
    bool proc;         /* /proc, which shows the processes of the box */
};

/* Called by pid 1 of new namespaces: changes to that root. NULL, or the step that failed with
 * errno. */
const char *mounts_change_root(const struct mounts *mounts);

#endif
