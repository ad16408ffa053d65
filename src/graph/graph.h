/* A graph and a cell in it, for code that holds nodes without looking into them: see node.h. */
#ifndef ATTN_GRAPH_GRAPH_H
#define ATTN_GRAPH_GRAPH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct node;

struct graph {
    uint64_t last_id;                  /* of the node made last; ids start at 1 */
    const volatile sig_atomic_t *stop; /* set by a signal handler to stop a computation; or NULL */
    size_t most_numbers; /* the most numbers that a node may have, ERR_LIMIT beyond; 0: the limit of
                          * tensors */
};

/* A cell of a node: position counts in row-major order. */
struct cell {
    struct node *node;
    size_t position;
};

#endif
