/* The table of torch: its functions, the methods of tensors, and torch.nn.functional.
 *
 * A row has a name, the parameters in PyTorch's order ("dim=None" has a default, which the function
 * knows; the first one is self of a method), the function that runs it, and where it stands.
 * Several rows may share a function and differ in `kind` and in the name of the gradient's step.
 * How to add one: docs/language-design.md. */
#ifndef ATTN_LANG_NOTEBOOK_TORCH_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_TORCH_INTERNAL_H

#include "lang/notebook/tensor_internal.h"

enum torch_where {
    IN_TORCH = 1,       /* torch.NAME */
    IN_METHODS = 2,     /* x.NAME() */
    IN_FUNCTIONAL = 4,  /* torch.nn.functional.NAME */
    IN_PLACE = 8,       /* x.NAME_() too: x takes on the result */
    IN_PROPERTIES = 16, /* x.NAME */
    IN_HIDDEN = 32,     /* _torch.NAME, for modules in Python */
    IN_BOTH = IN_TORCH | IN_METHODS,
    IN_ALL = IN_BOTH | IN_PLACE,
};

struct torch_row {
    struct native native; /* first: a call finds its row by it */
    unsigned where;
    int kind; /* what the function of several rows does: mostly an enum op_kind */
    const char *grad_name;
};
struct torch_table {
    const struct torch_row *rows;
    size_t n;
};
extern const struct torch_table torch_making, torch_math, torch_reductions, torch_shapes,
    torch_products, torch_layers, torch_gradients,
    torch_streams; /* the methods of torch.Generator */

static inline const struct torch_row *row_of(const struct native_call *c)
{
    return (const struct torch_row *)(const void *)c->native;
}

#define TORCH(name) static bool name(struct native_call *c, struct value *ret)

/* ---- arguments ---- */

static inline bool given(const struct native_call *c, size_t i)
{
    return c->args[i].kind != VALUE_ABSENT && c->args[i].kind != VALUE_NONE;
}
struct tensor_thing *native_tensor(struct native_call *c, size_t i); /* NULL raises */
bool native_whole(struct native_call *c, size_t i, int64_t otherwise, int64_t *ret);
bool native_number(struct native_call *c, size_t i, double otherwise, double *ret);
bool native_flag(struct native_call *c, size_t i, bool otherwise, bool *ret);
/* An enum dtype; `otherwise` where none is given. */
bool native_dtype(struct native_call *c, size_t i, int otherwise, int *ret);
/* An axis of n_axes (a single number has axis 0 too). */
bool read_dim(struct machine *m, struct value v, unsigned n_axes, unsigned *ret);
bool native_dim(struct native_call *c, size_t i, unsigned n_axes, int64_t otherwise, unsigned *ret);
/* One axis or several, as bits; 0 where none is given. */
bool native_dims(struct native_call *c, size_t i, unsigned n_axes, unsigned *ret);
/* Whole numbers: the values themselves, or the list that they consist of. */
bool read_wholes(struct machine *m, const char *what, const struct value *values, size_t n,
                 int64_t ret[TENSOR_MAX_AXES], unsigned *ret_n);
bool read_shape(struct machine *m, const char *what, const struct value *values, size_t n,
                size_t ret[TENSOR_MAX_AXES], unsigned *ret_n);
/* The items of a list or tuple of tensors; the caller drops *ret. */
bool native_tensors(struct native_call *c, size_t i, struct array **ret);

/* ---- results ---- */

/* values and indices under the name torch.return_types.NAME; takes both over. */
bool make_results(struct machine *m, const struct tuple_form *form, struct value values,
                  struct value indices, struct value *ret);

/* A node of that operation whose numbers are given: for functions that are computed more exactly
 * than step by step. Takes *numbers over. */
struct node *work_given(struct work *work, enum op_kind kind, unsigned n_parents,
                        struct node *const *parents, struct tensor *numbers);
/* The numbers of x at positions. */
struct node *work_pick(struct work *work, struct node *x, unsigned n_axes, const size_t *shape,
                       const ptrdiff_t *positions, size_t n);
/* "The size of tensor a (3) must match ..." where a and b do not broadcast. */
bool work_broadcasts(struct work *work, const struct node *a, const struct node *b);
/* One of a or b as the operands of an operation have them: numbers of the promoted dtype. */
struct node *work_float(struct work *work, struct node *x, enum dtype *dtype);

/* a OP b for the rows and the operators. */
bool torch_binary(struct machine *m, enum op_kind kind, struct value a, struct value b,
                  double alpha, const char *grad_name, struct value *ret);
bool torch_matmul(struct machine *m, struct value a, struct value b, struct value *ret);
/* x takes on the numbers of result, which has been computed from it. */
bool torch_take_on(struct machine *m, struct value x, struct value result);
struct random *torch_stream(struct machine *m);

#endif
