/* Formulas made of several operations of the graph, each step open to `why` and `trace`.
 *
 * All of them build with a builder (graph/builder.h) and return a node it owns, or NULL. */
#ifndef ATTN_LANG_VALUE_COMPOSE_H
#define ATTN_LANG_VALUE_COMPOSE_H

#include "graph/builder.h"

/* x (1 + erf(x / sqrt(2))) / 2. Source: Hendrycks and Gimpel 2016. */
struct node *compose_gelu(struct builder *builder, struct node *x);
/* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2, GPT-2's form. Same source. */
struct node *compose_gelu_tanh(struct builder *builder, struct node *x);

/* (x - mean) / sqrt(var + eps) * weight + bias over the last n_axes axes; weight and bias may be
 * NULL. Source: Ba, Kiros and Hinton 2016. */
struct node *compose_layer_norm(struct builder *builder, struct node *x, unsigned n_axes,
                                struct node *weight, struct node *bias, double eps);

/* Each position along axis repeated n times in place. ERR_SHAPE when x has no such axis, or as many
 * axes as a tensor can have: the repetition needs one more on the way. */
struct node *compose_repeat(struct builder *builder, struct node *x, size_t n, unsigned axis);
/* Row i of the first axis, which is dropped. */
struct node *compose_row(struct builder *builder, struct node *x, size_t i);
/* x again as a node of its own, so that it can be given other labels. */
struct node *compose_same(struct builder *builder, struct node *x);

/* Attention as in attention/attention.h; NULL or 0 where something is not wanted. */
struct attention_parts {
    struct node *query, *key, *value;
    struct node *attn_mask; /* boolean: True may attend; else added to the scores */
    bool is_causal;         /* query i may attend to key j <= i */
    struct node *scale;     /* NULL: 1 / sqrt(d_k) */
    struct node *softcap;   /* NULL: no cap */
    bool enable_gqa;        /* key and value heads serve several query heads each */
};

/* The weights; the stages on the way are named scores, scaled, capped, masked, weights. A value
 * that does not fit the key fails here already. */
struct node *compose_weights(struct builder *builder, const struct attention_parts *parts);
/* The context: weights @ value, where weights are what compose_weights() gave, after dropout. */
struct node *compose_context(struct builder *builder, const struct attention_parts *parts,
                             struct node *weights);

/* (..., n, n_heads * head_dim) to (..., n_heads, n, head_dim), and back. */
struct node *compose_split_heads(struct builder *builder, struct node *x, size_t n_heads);
struct node *compose_merge_heads(struct builder *builder, struct node *x);

#endif
