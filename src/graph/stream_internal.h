/* The parts of a residual stream.
 *
 * A transformer adds to a stream again and again: the output of attention, the output of the MLP,
 * layer by layer. So a cell of it is a sum of sums, and its parts are all these additions, down to
 * the stream's first content. If heads stand side by side and are multiplied by one matrix, the
 * product is split between them: each head writes into the stream on its own (Elhage and others
 * 2021, "A mathematical framework for transformer circuits"). */
#ifndef ATTN_GRAPH_STREAM_INTERNAL_H
#define ATTN_GRAPH_STREAM_INTERNAL_H

#include "base/text.h"
#include "graph/graph.h"

struct stream_part {
    struct cell cell; /* the cell that was added, borrowed */
    ptrdiff_t head;   /* the head whose product it is; -1: the whole cell */
    double value;
};

struct stream {
    struct stream_part *parts; /* the largest first; they add up to the cell */
    size_t n, capacity;
    bool failed;
};

/* Whether a node that models made is a stream: a sum of more than two parts. */
bool stream_is(const struct node *node);
/* The parts of one cell of it. ERR_MEMORY. The caller releases *ret, also after a failure. */
bool stream_parts(struct cell cell, struct stream *ret, struct error *reterr);
void stream_release(struct stream *stream);

/* Writes "L3H4", or "L3.mlp["it", 17]". */
void stream_part_write(const struct stream_part *part, struct text *text);

/* Whether the part was only looked up, like a row of a table of embeddings. */
bool stream_part_is_looked_up(const struct stream_part *part);

#endif
