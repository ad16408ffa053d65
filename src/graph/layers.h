/* The layers of transformers besides attention, under PyTorch's names: a node for each of their
 * steps, open to `why` and `trace`; or, from KERNEL_LEAST_NUMBERS numbers on (kernel/kernel.h), one
 * node for all steps, which makes the steps of a cell when it is asked for them.
 *
 * All of these build with a builder (builder.h) and return a node it owns, or NULL. */
#ifndef ATTN_GRAPH_LAYERS_H
#define ATTN_GRAPH_LAYERS_H

#include "graph/builder.h"

/* 1 / (1 + e^-x) */
struct node *build_sigmoid(struct builder *builder, struct node *x);
/* x sigmoid(x). Source: Elfwing, Uchibe and Doya 2018, "Sigmoid-weighted linear units". */
struct node *build_silu(struct builder *builder, struct node *x);
/* x (1 + erf(x / sqrt(2))) / 2, or by_tanh x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2,
 * GPT-2's form. Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units". */
struct node *build_gelu(struct builder *builder, struct node *x, bool by_tanh);

/* (x - mean) / sqrt(var + eps) * weight + bias over the last n_axes axes (1 for the rows of a
 * transformer); weight and bias, which have the sizes of those axes, may be NULL. Source: Ba,
 * Kiros and Hinton 2016, "Layer Normalization". */
struct node *build_layer_norm(struct builder *builder, struct node *x, unsigned n_axes,
                              struct node *weight, struct node *bias, double eps);
/* x / sqrt(mean(x^2) + eps) * weight, as above. Source: Zhang and Sennrich 2019, "Root Mean Square
 * Layer Normalization". */
struct node *build_rms_norm(struct builder *builder, struct node *x, unsigned n_axes,
                            struct node *weight, double eps);

/* The cross-entropy of each row of scores (..., n_classes) with its class in targets (...), named
 * losses: see attention/cross_entropy.h. A target that is `ignored`, such as -100, has no loss and
 * no gradient. No gradient flows to targets. */
struct node *build_losses(struct builder *builder, struct node *scores, struct node *targets,
                          double ignored);
/* Their mean over the targets that are not ignored, one number; NaN if all are ignored. */
struct node *build_cross_entropy(struct builder *builder, struct node *scores, struct node *targets,
                                 double ignored);

/* ---- the steps alone, whatever the size ---- */

/* The steps of OP_SIGMOID, OP_SILU, OP_GELU or OP_GELU_TANH. */
struct node *build_activation_steps(struct builder *builder, enum op_kind kind, struct node *x);

struct norm_parts {
    struct node *x, *weight, *bias; /* weight and bias may be NULL */
    unsigned n_axes;                /* counted from the last axis */
    double eps;
};
/* The steps of OP_LAYER_NORM or OP_RMS_NORM. */
struct node *build_norm_steps(struct builder *builder, enum op_kind kind,
                              const struct norm_parts *parts);
/* The ints of a norm's node: which parts it has. */
enum { NORM_WEIGHT, NORM_BIAS, NORM_COUNT };

#endif
