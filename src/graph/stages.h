/* Attention in the graph: a node for each stage, open to `why` and `trace`; or, if there is much to
 * compute, one node that keeps no stage and computes the rows of a stage when they are asked for.
 *
 * All of these build with a builder (builder.h) and return a node it owns, or NULL. */
#ifndef ATTN_GRAPH_STAGES_H
#define ATTN_GRAPH_STAGES_H

#include "graph/builder.h"

/* Attention as in attention/attention.h; parts that are not wanted are NULL or false. */
struct attention_parts {
    struct node *query, *key, *value;
    struct node *attn_mask; /* boolean: True may attend; else added to the scores */
    struct node *dropout;   /* factors, in the shape of the weights */
    bool is_causal;         /* query i may attend to key j <= i */
    struct node *scale;     /* NULL: 1 / sqrt(d_k) */
    struct node *softcap;   /* NULL: no cap */
    bool enable_gqa;        /* key and value heads serve several query heads each */
};

/* The weights; the stages before them are named scores, scaled, capped, masked, and they are named
 * weights. Fails also if the value does not fit the key. */
struct node *build_weights(struct builder *builder, const struct attention_parts *parts);
/* The weights after dropout, named dropped; the weights themselves without dropout. */
struct node *build_dropped(struct builder *builder, const struct attention_parts *parts,
                           struct node *weights);
/* The context: weights @ value, where weights are the result of build_dropped(). */
struct node *build_context(struct builder *builder, const struct attention_parts *parts,
                           struct node *weights);

/* True if attention takes at least KERNEL_LEAST_PRODUCTS multiply-adds (kernel/kernel.h), so that
 * build_attention() should be used. Then *ret_scores has the shape of the scores and no numbers.
 * False if the parts do not fit each other: the stages then say what is wrong. */
bool stages_are_many(const struct attention_parts *parts, struct tensor *ret_scores);
/* The context by one node, OP_ATTENTION. */
struct node *build_attention(struct builder *builder, const struct attention_parts *parts);
/* The context by a node for each stage. */
struct node *build_stages(struct builder *builder, const struct attention_parts *parts);

/* The ints of an OP_ATTENTION: which parts it has. Its parents after query, key and value are in
 * this order. */
enum {
    STAGES_CAUSAL,
    STAGES_GROUPED,
    STAGES_MASK,
    STAGES_DROPOUT,
    STAGES_SCALE,
    STAGES_SOFTCAP,
    STAGES_COUNT
};
/* The parts of an OP_ATTENTION, with these nodes in place of its parents. */
struct attention_parts stages_parts(const struct node *node, struct node *const *parents);

#endif
