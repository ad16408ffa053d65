/* Batches as values of the language: b = task("induction").batch(), b.inputs, b.targets. */
#ifndef ATTN_LANG_BUILTINS_BATCH_VALUE_H
#define ATTN_LANG_BUILTINS_BATCH_VALUE_H

#include "lang/value/value.h"

struct batch;
struct graph;
struct node;
struct source;

/* The tokens of a batch of the source, as leaves of the graph: `from` says where they came from. */
bool value_batch(const struct source *source, const struct batch *batch, const char *from,
                 struct graph *graph, struct value *ret, struct error *reterr);
/* Its inputs and targets, (rows, n), borrowed; false for another value. */
bool value_as_batch(const struct value *value, struct node **ret_inputs, struct node **ret_targets);

#endif
