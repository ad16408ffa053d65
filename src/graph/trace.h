/* The path from the inputs to a tensor, as a picture of its stages. */
#ifndef ATTN_GRAPH_TRACE_H
#define ATTN_GRAPH_TRACE_H

#include "graph/graph.h"

struct doc;
struct show_options;

/* A tensor on the path. level is the number of stages before it on the longest path; stages of
 * equal level are shown side by side. */
struct trace_stage {
    struct node *node; /* borrowed: it lives as long as the nodes made from it */
    size_t level;
};

/* The stages on the path to node, level by level, in *ret[0..*ret_n), which the caller frees;
 * *ret_n is 0 if node is made of typed numbers alone. A stage is a tensor with a name, or one that
 * is computed on the path; transposes, reshapes, numbers without a name, and stages that large
 * attention does not keep (stages.h) are left out. */
bool trace_stages(struct node *node, struct trace_stage **ret, size_t *ret_n, struct error *reterr);

/* Adds one line that names the stages in order (X -> Q, K, V -> scores -> ...), then each stage
 * with its formula, shape and matrix; stages that large attention does not keep come without the
 * matrix. Of more than 24 stages it shows the first and the last 12, and counts the rest. */
bool trace_show(struct node *node, const struct show_options *options, struct doc *doc,
                struct error *reterr);

#endif
