/* Sets of nodes reachable from some roots, in the order of their ids, with one pointer of payload
 * each. grad, whatif and trace walk over them. */
#ifndef ATTN_GRAPH_NODE_SET_H
#define ATTN_GRAPH_NODE_SET_H

#include "graph/graph.h"

/* The most nodes a set holds. A gradient of a gradient is about three times as long as its node, so
 * that a learner could fill any memory by typing grad often enough. */
enum { NODE_SET_MAX = 1 << 21 };

struct node_entry {
    struct node *node;
    struct node *other; /* a node that the user of the set keeps with this one; starts NULL */
    bool marked;        /* starts false */
};

struct node_set {
    struct node_entry *entries; /* ascending ids: parents before children */
    size_t n_entries, capacity;
};

/* Collects the roots and everything they were made from. The set borrows the nodes. ERR_LIMIT when
 * there are more than NODE_SET_MAX, ERR_MEMORY; then the set is empty. */
bool node_set_init(struct node_set *set, struct node *const *roots, size_t n_roots,
                   struct error *reterr);
void node_set_release(struct node_set *set); /* frees the set and every `other` */
/* The entry of node, or NULL. */
struct node_entry *node_set_find(const struct node_set *set, const struct node *node);
/* Marks nodes[0..n) (those that are in the set) and every entry that was made from a marked one. */
void node_set_mark_dependents(struct node_set *set, struct node *const *nodes, size_t n);

#endif
