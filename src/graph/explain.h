/* The arithmetic of one cell, with its real numbers. */
#ifndef ATTN_GRAPH_EXPLAIN_H
#define ATTN_GRAPH_EXPLAIN_H

#include "graph/graph.h"
#include "show/doc.h"

struct aliases;

/* What an operation's explain function fills in: lines for a person, and the cells the number was
 * made from, in the order in which they appear. */
struct explanation {
    struct doc *doc;
    int digits;
    struct cell *cells; /* borrowed nodes */
    size_t n_cells, capacity;
    struct aliases *aliases; /* keeps the short names; NULL: formulas are written out */
    bool largest_first;      /* of the terms of a long sum, see node.h */
    bool failed;
    bool stopped; /* the graph's stop was set while the shown numbers were computed */
};

void explanation_init(struct explanation *explanation, struct doc *doc, int digits);
void explanation_release(struct explanation *explanation);
/* Remembers a cell the number was made from. */
void explanation_add_cell(struct explanation *explanation, struct cell cell);

/* Fills in the arithmetic of one cell: lines that begin with "= ", each a step nearer to the
 * number. Of a sum of more than 8 terms it shows the first 4 and the last 2, or, in results of
 * models, the 6 largest by size, largest first; it counts the others and adds them up. For a cell
 * of a model's residual stream it shows what was added to the stream (stream_internal.h), for a
 * leaf the origin of its numbers. */
bool explain_cell(struct cell cell, struct explanation *explanation, struct error *reterr);

#endif
