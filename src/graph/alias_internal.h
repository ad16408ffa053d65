/* Short names, t1, t2, ..., for nameless tensors whose formulas are long. */
#ifndef ATTN_GRAPH_ALIAS_INTERNAL_H
#define ATTN_GRAPH_ALIAS_INTERNAL_H

#include "graph/graph.h"

struct text;

struct aliases {
    const struct node **nodes; /* borrowed; node i is called t(i+1) */
    size_t n, capacity;
    bool failed; /* an allocation failed: a name is missing */
};

/* The number of a node's short name, from 1; 0 for a node that needs no short name, and if aliases
 * is NULL. */
size_t alias_of(struct aliases *aliases, const struct node *node);
/* Writes a cell, under its short name if it has one. */
void alias_write_cell(struct aliases *aliases, struct cell cell, struct text *text);

#endif
