/* Why a number is what it is: its arithmetic, and that of the numbers it was made from. */
#ifndef ATTN_GRAPH_WHY_H
#define ATTN_GRAPH_WHY_H

#include "graph/graph.h"
#include "show/doc.h"

/* `why`: the arithmetic of cell, then of the cells it was made from, down to the inputs. Cells with
 * the same arithmetic are shown a few times and then counted. Adds to doc. */
bool explain_why(struct cell cell, int digits, struct doc *doc, struct error *reterr);

#endif
