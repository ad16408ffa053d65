/* The graph: every number remembers where it came from.
 *
 * A node is a tensor together with the operation that made it, the nodes it was made from and the
 * names along its axes. Nodes never change once made; to change an input is to make new nodes for
 * all that depends on it (whatif.h). Nodes are shared by counting owners: whoever gets one from
 * node_new() or node_share() gives it back with node_free(). A node owns its parents.
 *
 * A node's id is higher than the ids of everything it was made from, so that the order of ids is an
 * order in which to compute. */
#ifndef ATTN_GRAPH_NODE_H
#define ATTN_GRAPH_NODE_H

#include "base/text.h"
#include "graph/graph.h"
#include "show/labels.h"
#include "tensor/tensor.h"

struct op;

/* The arguments of an operation besides its parents; builder.h says which ones each operation
 * reads. */
struct op_args {
    double number;
    size_t n_ints;
    const ptrdiff_t *ints;
    const char *text; /* or NULL */
};

/* What a node keeps besides its value: nodes that it makes when it is asked about numbers that it
 * does not keep (the answers to the last NODE_KEPT questions); and what its operation saved for the
 * backward pass. */
enum { NODE_KEPT = 32 };
struct node_kept {
    struct tensor saved; /* empty: nothing */
    size_t n;            /* made so far: number i is in place i % NODE_KEPT */
    struct {
        size_t question;
        struct node *node; /* owned */
    } answers[NODE_KEPT];
    const volatile sig_atomic_t *stop; /* the graph's */
};

struct node {
    uint64_t id;
    uint64_t variable; /* of a notebook: the tensor whose gradient is wanted here; 0: none */
    /* Of a notebook: the place whose numbers these were until it was written to, which may be gone;
     * NULL: they still are. And how often it had been written to before. */
    const void *was_in;
    unsigned n_writes;
    bool is_unseen;      /* that was through x.data, of which PyTorch takes no notice */
    bool is_in_place;    /* of a notebook: an in-place operation, which saves copies of operands */
    bool is_freed;       /* of a notebook: backward() has freed what the operation saved */
    const char *made_by; /* of a notebook: "ExpBackward0", the step of the gradient, or NULL */
    size_t n_owners;
    const struct op *op;
    struct tensor value;
    struct labels *labels[TENSOR_MAX_AXES]; /* along each axis of value; NULL: no names */
    bool
        largest_first; /* why writes the largest terms of a long sum first, not those at its ends */
    char *name;        /* the variable or stage it is known as, or NULL */
    struct op_args args; /* ints and text live after the node */
    unsigned n_parents;
    struct node **parents;  /* live after the node */
    struct node_kept *kept; /* of an operation with ids for it (ops.h); else NULL */
    struct node *next;      /* used by node_free() only */
};

/* Computes op on the parents and returns the node with one owner, or NULL and *reterr.
 * parents are shared, args are copied. */
struct node *node_new(struct graph *graph, const struct op *op, unsigned n_parents,
                      struct node *const *parents, const struct op_args *args,
                      struct error *reterr);

/* The same with *value instead of the result of op; takes ownership of *value, also on failure. */
struct node *node_given(struct graph *graph, const struct op *op, unsigned n_parents,
                        struct node *const *parents, const struct op_args *args,
                        struct tensor *value, struct error *reterr);

/* A leaf that holds *value, of which it takes ownership, also on failure. text says where the
 * numbers came from, as the learner wrote it. */
struct node *node_input(struct graph *graph, struct tensor *value, const char *text, size_t size,
                        struct error *reterr);

/* A leaf holding one number as typed. */
struct node *node_constant(struct graph *graph, float number, struct error *reterr);
struct node *node_constant_bool(struct graph *graph, bool truth, struct error *reterr);

/* The same operation on other parents. Keeps the name and labels that were given by hand. */
struct node *node_rebuild(struct graph *graph, const struct node *node, struct node *const *parents,
                          struct error *reterr);

/* The same node with one more owner. */
struct node *node_share(struct node *node);
/* Gives up one owner; frees without recursion, however deep the graph is. node may be NULL. */
void node_free(struct node *node);

/* Renames a node. name NULL: removes its name. */
bool node_set_name(struct node *node, const char *name, size_t size, struct error *reterr);
/* Names the positions along an axis; shares labels. */
void node_set_labels(struct node *node, unsigned axis, struct labels *labels);

/* True for a leaf that was typed as a number. */
bool node_is_constant(const struct node *node);

/* Writes the formula of a node as the learner would type it: its name, else its operation on its
 * parents' formulas, cut short if it gets long. */
void node_write(const struct node *node, struct text *text);
/* Writes the operation on the parents' formulas even when the node has a name: the right side of
 * `scores = Q @ K.T`. */
void node_write_operation(const struct node *node, struct text *text);
/* Writes X["shiny", 0]: the node's formula and an index, by label if the axis has labels; "the@5"
 * if another position has the same label. */
void cell_write(struct cell cell, struct text *text);
/* The same, with another name for the node. */
void cell_write_as(struct cell cell, const char *name, struct text *text);
/* Writes [shiny, 0]: the index alone, in words for a person, without quotation marks. */
void node_write_place(const struct node *node, size_t position, struct text *text);
enum { NODE_NUMBER_BYTES = 24 };
/* The label of position i along an axis, valid as long as the node; without labels the number i,
 * which is written to `number`. */
const char *node_position_name(const struct node *node, unsigned axis, size_t i,
                               char number[NODE_NUMBER_BYTES]);
float cell_value(struct cell cell);
/* Looks through nameless nodes that only move numbers (transposes, slices, reshapes), to the cell
 * in which the number was made or named. */
struct cell cell_origin(struct cell cell);

#endif
