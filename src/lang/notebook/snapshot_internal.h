/* What all things of a notebook held at one time: lists, dicts, sets, objects, variables, tensors
 * and arrays of numpy (up to a million numbers). A generator that has gone on since goes on from
 * there. */
#ifndef ATTN_LANG_NOTEBOOK_SNAPSHOT_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_SNAPSHOT_INTERNAL_H

#include "lang/notebook/machine_internal.h"

struct saved;

struct snapshot {
    struct saved *things;
    size_t n;
};

/* On failure MemoryError is raised, and *ret is empty. */
bool snapshot_take(struct machine *m, struct snapshot *ret);
/* All that has changed since is as it was; once only. */
void snapshot_give_back(struct snapshot *snapshot);
void snapshot_release(struct snapshot *snapshot);

#endif
