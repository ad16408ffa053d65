/* The way from the inputs to a tensor, as a picture of its stages. */
#ifndef ATTN_GRAPH_TRACE_H
#define ATTN_GRAPH_TRACE_H

#include "graph/node.h"
#include "show/doc.h"
#include "show/matrix.h"

/* Adds one line that names the stages in order (X -> Q, K, V -> scores -> ...), then each stage
 * with its formula, shape and matrix. A stage is a tensor with a name, or one that is computed on
 * the way; transposes, reshapes and numbers without a name are no stages. Of more than 24 stages
 * the first and the last 12 are shown and the rest counted. */
bool trace(struct node *node, const struct show_options *options, struct doc *doc,
           struct error *reterr);

#endif
