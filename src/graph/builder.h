/* Builds several nodes in a row, as formulas are written.
 *
 * Every function returns a node that the builder owns until builder_release(), or NULL after a
 * failure, which the first failing call wrote to *reterr. NULL arguments give NULL, so that calls
 * nest and the outcome is checked once, at the end, with builder_result(). */
#ifndef ATTN_GRAPH_BUILDER_H
#define ATTN_GRAPH_BUILDER_H

#include "graph/graph.h"

struct op_args;
struct tensor;
struct window;

/* In the order of the tables in ops.c, family after family. */
enum op_kind {
    /* leaves */
    OP_CONSTANT, /* a number as typed */
    OP_INPUT,    /* numbers from a function or a list; args.text is how they were written */
    /* one number to one number */
    OP_NEG,
    OP_EXP,
    OP_LOG,
    OP_SQRT,
    OP_TANH,
    OP_RELU,
    OP_ABS,
    OP_ERF,
    OP_SIN,
    OP_COS,
    OP_SIGN,
    OP_FLOOR,
    OP_ROUND,
    OP_NOT,
    OP_TO_BOOL, /* not 0 */
    /* two numbers to one, with broadcasting */
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_POW,
    OP_MAXIMUM,
    OP_MINIMUM,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_AND,
    OP_OR,
    /* choices */
    OP_WHERE,       /* (condition, a, b) */
    OP_MASKED_FILL, /* (x, mask, number): number where mask is not 0 */
    OP_HIDE,        /* (scores, may_attend): -inf where may_attend is 0, whatever the score is */
    OP_ADD_MASK, /* (scores, mask): the sum, but -inf where mask is -inf, whatever the score is */
    /* products of matrices */
    OP_MATMUL,
    OP_WEIGHTED_SUM, /* (weights, value): matmul in which a weight of 0 adds nothing, even to NaN */
    /* reductions; ints: the axes (at least one); number: 1 keeps them as axes of 1. For var and std
     * the last int, after the axes, is the correction */
    OP_SUM,
    OP_MEAN,
    OP_VAR,
    OP_STD,
    OP_MAX,
    OP_MIN,
    OP_ARGMAX,
    OP_ARGMIN,
    OP_ALL,
    OP_ANY,
    OP_SUM_TO, /* ints: the shape: sums over the axes along which it was broadcast */
    /* along one axis: ints {axis} */
    OP_SOFTMAX,
    OP_WEIGHTS, /* softmax in which a row of only -inf gives zeros: attention's weights */
    OP_LOG_SOFTMAX,
    /* rows of scores and the class that each should choose: (scores, targets); number: the target
     * that is left out, NaN for no such target, as in attention/cross_entropy.h */
    OP_CROSS_ENTROPY,      /* the loss of each row */
    OP_CROSS_ENTROPY_BACK, /* and their gradients as the last parent: the gradient of the scores */
    /* many numbers at once, see layers.h: (x), and (x, d): the gradient of x */
    OP_SIGMOID,
    OP_SILU,
    OP_GELU,
    OP_GELU_TANH,
    OP_SIGMOID_BACK,
    OP_SILU_BACK,
    OP_GELU_BACK,
    OP_GELU_TANH_BACK,
    /* many rows along the last axis, see layers.h: x, then weight and bias, if there are any; ints
     * {has weight, has bias}; number: eps */
    OP_LAYER_NORM,
    OP_RMS_NORM,
    OP_LAYER_NORM_BACK, /* and, as the last parent, the gradient of the result: the gradients of x,
                         * weight and bias in one axis */
    OP_RMS_NORM_BACK,
    /* moving numbers about */
    OP_RESHAPE, /* ints: the shape */
    OP_PERMUTE, /* ints: the order of axes */
    OP_EXPAND,  /* ints: the shape broadcast to */
    OP_TRIL,    /* ints {diagonal}: the rest 0 */
    OP_TRIU,
    OP_TO_FLOAT,   /* False 0, True 1 */
    OP_DETACH,     /* the same numbers, through which no gradient flows */
    OP_CONTIGUOUS, /* the same numbers, one after the other in memory; copied if they are not */
    OP_EDIT,       /* ints {position}, number: the same numbers but one, set by hand */
    OP_SLICE,   /* ints: for each axis start, count, step; count -1: that position, axis dropped */
    OP_UNSLICE, /* ints: the shape, then as OP_SLICE: zeros with x in place of the slice */
    OP_CAT,     /* ints {axis} */
    OP_TAKE, /* (x, ids), ints {axis}, or no int for axis 0: the positions of x along that axis that
              * the whole numbers in ids name; the axes of ids replace that axis */
    OP_UNTAKE, /* (d, ids), ints {length, axis}, or {length} for axis 0: zeros, with an axis of that
                * length, to which the numbers of d are added at the positions ids */
    OP_PICK,   /* ints {n_axes, the shape, a position for each number of it}: the numbers of x at
                * these row-major positions */
    OP_UNPICK, /* the same ints: zeros of the shape, to which number i of d is added at position i
                */
    OP_CUMSUM, /* ints {axis, from_end}: sums of all numbers up to each one */
    /* attention that keeps no stage. Parents: query, key, value, then mask, dropout, scale and
     * softcap, those that are given, as in struct attention_parts (stages.h); ints {causal,
     * grouped, has mask, has dropout, has scale, has softcap} */
    OP_ATTENTION,
    OP_ATTENTION_BACK, /* the same, the OP_ATTENTION if it saved something for the backward pass
                        * and, as the last parent, the gradient of the context: the gradients of
                        * query, key, value and an additive mask, in one axis */
    OP_COUNT
};

struct builder {
    struct graph *graph;
    struct error *reterr;
    struct node **made;
    size_t n_made, capacity;
    bool failed;
    bool largest_first; /* set for the nodes it makes: why shows the largest terms first, see node.h
                         */
    const struct window *window; /* only this row is computed, see window_internal.h; NULL: all */
};

/* graph and reterr are borrowed. */
void builder_init(struct builder *builder, struct graph *graph, struct error *reterr);
void builder_release(struct builder *builder);

struct node *build1(struct builder *builder, enum op_kind kind, struct node *x);
struct node *build2(struct builder *builder, enum op_kind kind, struct node *a, struct node *b);
struct node *build3(struct builder *builder, enum op_kind kind, struct node *a, struct node *b,
                    struct node *c);
/* One parent and whole numbers, as the operation's entry above says. */
struct node *build_ints(struct builder *builder, enum op_kind kind, struct node *x, size_t n_ints,
                        const ptrdiff_t *ints, double number);
/* Any number of parents, and all arguments. */
struct node *build_args(struct builder *builder, enum op_kind kind, unsigned n_parents,
                        struct node *const *parents, const struct op_args *args);
/* Any number of parents. */
struct node *build_many(struct builder *builder, enum op_kind kind, unsigned n_parents,
                        struct node *const *parents, size_t n_ints, const ptrdiff_t *ints);

/* A number that is written in the formula. */
struct node *build_number(struct builder *builder, double number);
/* A leaf; takes ownership of *value. */
struct node *build_input(struct builder *builder, struct tensor *value, const char *text);
struct node *build_transpose(struct builder *builder, struct node *x, unsigned a, unsigned b);
/* axes: bit i is axis i; 0 means all. */
struct node *build_reduce(struct builder *builder, enum op_kind kind, struct node *x, unsigned axes,
                          bool keep_axes, double correction);
/* count positions from start along axis. */
struct node *build_slice(struct builder *builder, struct node *x, unsigned axis, size_t start,
                         size_t count);
struct node *build_reshape(struct builder *builder, struct node *x, unsigned n_axes,
                           const size_t *shape);
/* Each position along axis repeated n times in place. ERR_SHAPE when x does not have this axis, or
 * has as many axes as a tensor can have: the repetition needs one more in between. */
struct node *build_repeat(struct builder *builder, struct node *x, size_t n, unsigned axis);
/* (..., n, n_heads * head_dim) to (..., n_heads, n, head_dim), and back. ERR_SHAPE if the last size
 * is not a multiple of n_heads. */
struct node *build_split_heads(struct builder *builder, struct node *x, size_t n_heads);
struct node *build_merge_heads(struct builder *builder, struct node *x);
/* Names a stage of a longer computation, such as "scores". Returns node. */
struct node *build_name(struct builder *builder, struct node *node, const char *name);

/* Takes ownership of a node that was made elsewhere; NULL counts as a failure. Returns node. */
struct node *builder_keep(struct builder *builder, struct node *node);

/* The node with one more owner, the caller; NULL after a failure. */
struct node *builder_result(struct builder *builder, struct node *node);

#endif
