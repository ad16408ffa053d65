/* Trials of every operation of the graph, for tests of forward steps, gradients and explanations:
 * inputs of some shapes, and what must come out, worked out in double by short loops of our own. */
#ifndef ATTN_TESTS_OP_TRIALS_H
#define ATTN_TESTS_OP_TRIALS_H

#include "testing.h"

#include "graph/builder.h"
#include "tensor/tensor.h"

enum { TRIAL_PARENTS = 3, TRIAL_SIZE = 64 };

struct trial {
    enum op_kind kind;
    const char *parents; /* their shapes: "2x3 3 -"; - is a single number */
    const char *shape;   /* of the result */
    /* The names along the result's axes. Axis i of parent 0 is named with the letters a, b, ..., of
     * parent 1 with p, q, ..., of parent 2 with u, v, ..., each with a position behind it: a0, a1.
     * "ap." is an axis named like parent 0's first, one like parent 1's first, one without names;
     * "a0 a2|b1" spells the names out. */
    const char *labels;
    const char *formula; /* with the parents named X, Y, Z */
    const char *ints;    /* the operation's whole numbers */
    double number;       /* and its other one */
};

/* A small tensor in double. */
struct trial_array {
    unsigned n_axes;
    size_t shape[TENSOR_MAX_AXES], size;
    double numbers[TRIAL_SIZE];
    bool is_bool;
    bool is_choice; /* masks, conditions and row numbers: no gradient flows to them */
};

/* Trial i, or NULL behind the last. */
const struct trial *trial_at(size_t i);
unsigned trial_n_parents(const struct trial *trial);
/* Whether by definition no gradient flows. */
bool trial_is_flat(const struct trial *trial);

/* Draws inputs that suit the operation. */
void trial_draw(const struct trial *trial, uint64_t *seed,
                struct trial_array inputs[TRIAL_PARENTS]);
/* The inputs as nodes, named and with labels. The caller frees them with trial_free(). */
void trial_inputs(const struct trial *trial, struct graph *graph,
                  const struct trial_array inputs[TRIAL_PARENTS], struct node *ret[TRIAL_PARENTS]);
void trial_free(const struct trial *trial, struct node *const parents[TRIAL_PARENTS]);
/* The operation on them, as node_new() makes it. */
struct node *trial_node(const struct trial *trial, struct graph *graph,
                        struct node *const parents[TRIAL_PARENTS], struct error *reterr);

/* The shape that the trial says comes out, without numbers. */
struct trial_array trial_result(const struct trial *trial);
/* What cell `index` of the result must be. */
double trial_reference(const struct trial *trial, const struct trial_array inputs[TRIAL_PARENTS],
                       const size_t *index);

/* Splits a row-major position of x into an index. */
void trial_index(const struct trial_array *x, size_t position, size_t *ret_index);

#endif
