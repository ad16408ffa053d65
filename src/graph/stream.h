/* What a residual stream is made of.
 *
 * A transformer adds to a stream again and again: what attention gives, what the MLP gives, layer
 * by layer. So a cell of it is a sum of sums, and its parts are what was added, down to what the
 * stream began with. Where heads stand side by side and are multiplied by one matrix, the sum is
 * cut between them: each head writes into the stream on its own (Elhage and others 2021, "A
 * mathematical framework for transformer circuits"). */
#ifndef ATTN_GRAPH_STREAM_H
#define ATTN_GRAPH_STREAM_H

#include "base/text.h"
#include "graph/graph.h"

struct stream_part {
    struct cell cell; /* what was added, borrowed */
    ptrdiff_t head;   /* of heads whose product it is; -1: all of it */
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

/* L3H4; L3.mlp["it", 17]. */
void stream_part_write(const struct stream_part *part, struct text *text);

/* Whether it was only looked up, as a row of a table of embeddings is. */
bool stream_part_is_looked_up(const struct stream_part *part);

#endif
