/* The way from the inputs to a tensor, as a picture of its stages. */
#ifndef ATTN_GRAPH_TRACE_H
#define ATTN_GRAPH_TRACE_H

#include "graph/graph.h"

struct doc;
struct show_options;

/* A tensor on the way. Stages of equal level, which is how many others lie before them on the
 * longest way, stand side by side. */
struct trace_stage {
    struct node *node; /* borrowed: lives as long as what is made from it */
    size_t level;
};

/* The stages on the way to node, level by level, in *ret[0..*ret_n), which the caller frees; none
 * where node is made of typed numbers alone. A stage is a tensor with a name, or one that is
 * computed on the way; transposes, reshapes and numbers without a name are no stages, nor is what
 * large attention does not keep (stages.h). */
bool trace_stages(struct node *node, struct trace_stage **ret, size_t *ret_n, struct error *reterr);

/* Adds one line that names the stages in order (X -> Q, K, V -> scores -> ...), then each stage
 * with its formula, shape and matrix; those that large attention does not keep, without the matrix.
 * Of more than 24 stages the first and the last 12 are shown
 * and the rest counted. */
bool trace_show(struct node *node, const struct show_options *options, struct doc *doc,
                struct error *reterr);

#endif
