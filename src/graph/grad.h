/* Gradients, backwards through the graph. */
#ifndef ATTN_GRAPH_GRAD_H
#define ATTN_GRAPH_GRAD_H

#include "graph/graph.h"

/* ret[i] = d loss / d wrt[i], a node of the shape and labels of wrt[i], with one owner.
 * Source: reverse accumulation, Linnainmaa 1970; one vector-Jacobian product an operation.
 * ERR_SHAPE unless loss is one number; ERR_NAME when loss was not made from wrt[i]. On failure
 * nothing is in ret. */
bool graph_grad(struct graph *graph, struct node *loss, struct node *const *wrt, size_t n_wrt,
                struct node **ret, struct error *reterr);

/* The same for a node of any shape: ret[i] = d sum(node * d) / d wrt[i], where d has the shape of
 * node. node was made from all of wrt. */
bool graph_back(struct graph *graph, struct node *node, struct node *d, struct node *const *wrt,
                size_t n_wrt, struct node **ret, struct error *reterr);

#endif
