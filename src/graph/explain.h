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
    struct aliases *aliases; /* where short names are kept; NULL: formulas are written out */
    bool largest_first;      /* of the terms of a long sum, see node.h */
    bool failed;
    bool stopped; /* the graph's stop was set while what is shown was computed */
};

void explanation_init(struct explanation *explanation, struct doc *doc, int digits);
void explanation_release(struct explanation *explanation);
/* Remembers a cell the number was made from. */
void explanation_add_cell(struct explanation *explanation, struct cell cell);

/* Fills in the arithmetic of one cell: lines that begin with "= ", each a step nearer to the
 * number. Sums of more than 8 terms show the first 4 and the last 2, or in what models make of a
 * text the 6 largest by size, largest first; the others are counted and added up. A cell of a
 * model's residual stream shows what was written into it (stream.h). A leaf says where its numbers
 * came from. */
bool explain_cell(struct cell cell, struct explanation *explanation, struct error *reterr);

#endif
