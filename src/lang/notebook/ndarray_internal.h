/* Arrays of cells: what np.array() makes, with numpy's meanings.
 *
 * An array is a window on cells that other arrays may share: a shape and strides, as in numpy, so
 * that views see what is written. Each number takes one cell, a double or a whole number of 64
 * bits; numbers of smaller dtypes are rounded to them after each operation. A result that numpy
 * gives as a scalar (np.float64) is an array without axes that has is_scalar. */
#ifndef ATTN_LANG_NOTEBOOK_NDARRAY_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_NDARRAY_INTERNAL_H

#include "lang/notebook/tensor_internal.h"

enum { ND_MAX_AXES = 8 };

union nd_cell {
    double number; /* of floats */
    int64_t whole; /* of bool and whole dtypes */
};

/* Shared by the arrays that view them. */
struct nd_cells {
    size_t n_owners, n;
    uint64_t n_writes; /* by which a tensor that shares them knows that it must read them again */
    union nd_cell items[];
};

struct ndarray {
    struct thing thing;
    enum dtype dtype;
    bool is_scalar;  /* np.float64(3.0), not array(3.0) */
    bool is_copy_of; /* of a tensor whose numbers it can't share: writing to it refuses */
    unsigned n_axes;
    size_t shape[ND_MAX_AXES];
    ptrdiff_t stride[ND_MAX_AXES]; /* in cells */
    union nd_cell *first;
    struct nd_cells *cells;
};

/* In the order in which numpy speaks of them. */
enum { TROUBLE_DIVIDE, TROUBLE_OVERFLOW, TROUBLE_INVALID, TROUBLES };
enum trouble_action { TROUBLE_WARNED, TROUBLE_IGNORED, TROUBLE_RAISED };

/* What numpy remembers in a notebook; made by its import. */
struct numpy {
    struct random random;
    bool is_seeded, has_gauss;
    double gauss;
    int precision, threshold, edge_items, width;
    bool suppress;
    enum float_mode { FLOATS_MAXPREC, FLOATS_FIXED, FLOATS_UNIQUE } float_mode;
    struct value formatter; /* a dict of functions by kinds of numbers, or ABSENT */
    enum trouble_action on_trouble[TROUBLES]; /* np.errstate() */
};

static inline bool is_ndarray(struct value v)
{
    return value_is(v, THING_NDARRAY);
}
static inline struct ndarray *as_ndarray(struct value v)
{
    return THING_AS(ndarray, v);
}
static inline bool nd_is_float(enum dtype dtype)
{
    return dtypes[dtype].category == CATEGORY_FLOAT;
}

/* ---- ndarray.c ---- */

void ndarray_let_go(struct ndarray *a);
size_t nd_size(const struct ndarray *a);
/* A new array of zeros; NULL raises. */
struct ndarray *nd_new(struct machine *m, enum dtype dtype, unsigned n_axes, const size_t *shape);
/* A new array that shares a's cells, for another shape and strides; NULL raises. */
struct ndarray *nd_view(struct machine *m, const struct ndarray *a);
/* From arrays, numbers, lists, tensors; dtype -1: what they say. A share, or new; NULL raises. */
struct ndarray *nd_of(struct machine *m, struct value v, int dtype);
/* The numbers of a tensor, which it shares if `shares`; else a copy. NULL raises. */
struct ndarray *nd_of_tensor(struct machine *m, struct tensor_thing *t, bool shares);
/* A copy in row-major order; NULL raises. */
struct ndarray *nd_copy(struct machine *m, const struct ndarray *a, enum dtype dtype);
/* *ret is a, or numpy's scalar where it has no axes; takes a over. NULL returns false. */
bool nd_result(struct ndarray *a, struct value *ret);
/* The number as Python has it. */
struct value nd_item(const struct ndarray *a, const union nd_cell *at);
union nd_cell nd_cast(union nd_cell c, enum dtype from, enum dtype to);
/* x rounded to the dtype. */
double nd_round(double x, enum dtype dtype);
int64_t nd_wrap(int64_t x, enum dtype dtype);
enum dtype nd_join(enum dtype a, enum dtype b);
/* The dtype of a and b together; an operand without axes gives way to one with axes. */
enum dtype nd_promoted(const struct ndarray *a, const struct ndarray *b);
/* Steps to the next element in row-major order; false after the last one. at[k] are places in
 * n_operands arrays, and strides their strides on each axis. */
bool nd_step(unsigned n_axes, const size_t *shape, size_t *index, unsigned n_operands,
             const ptrdiff_t *strides, ptrdiff_t *at);
/* The strides of a for a larger shape, on which it broadcasts; false where it does not. */
bool nd_broadcast(const struct ndarray *a, unsigned n_axes, const size_t *shape, ptrdiff_t *ret);
/* "operands could not be broadcast together with shapes (2,3) (4,) " */
bool nd_broadcast_shape(struct machine *m, struct ndarray *const *arrays, unsigned n,
                        size_t *ret_shape, unsigned *ret_n_axes);
void nd_write_shape(const struct ndarray *a, struct text *out); /* (2,3) */
/* a[...] = from, which broadcasts. */
bool nd_assign(struct machine *m, struct ndarray *a, const struct ndarray *from);
bool nd_index_get(struct machine *m, struct ndarray *a, struct value at, struct value *ret);
bool nd_index_set(struct machine *m, struct ndarray *a, struct value at, struct value v);
/* Whether a row-major array of bools holds a True. */
bool nd_any(const struct ndarray *a);
/* The one number of an array; false raises. */
bool nd_only(struct machine *m, const struct ndarray *a, struct value *ret);

/* ---- cells that a tensor shares ---- */

/* A link to the cells that a shows; NULL without memory. */
struct nd_link *nd_link_new(const struct ndarray *a);
void nd_link_free(struct nd_link *link);
/* The array was written to since the tensor last read it. */
bool nd_link_is_stale(const struct nd_link *link);
bool nd_link_is_alone(const struct nd_link *link); /* no array shows the cells any more */
/* All numbers in row-major order into data, or those of data into the cells. Numbers of float64
 * that data holds rounded to float32 keep their digits. */
void nd_link_read(struct nd_link *link, float *data);
void nd_link_write(struct nd_link *link, const float *data);
/* A new array that shows the linked cells; NULL raises. */
struct ndarray *nd_link_array(struct machine *m, const struct nd_link *link);

/* ---- warnings.c ---- */

/* Bits of TROUBLE_...: what is wrong with a result of x and y (of one number: x twice). is_pole:
 * the operation has no bound there, as a division by 0. */
unsigned nd_trouble(double x, double y, double result, bool is_pole);
/* Says "divide by zero encountered in NAME", as np.errstate() has it; false where that raises. */
bool nd_report(struct machine *m, unsigned troubles, bool is_scalar, const char *name);

/* ---- ndarray_text.c ---- */

bool nd_str(struct machine *m, const struct ndarray *a, bool is_repr, struct text *out);

/* ---- numpy.c ---- */

bool nd_operate(struct machine *m, enum sign sign, struct value a, struct value b, bool in_place,
                struct value *ret);
bool nd_operate_unary(struct machine *m, enum sign sign, struct value a, struct value *ret);
/* np.float32, "int64", float, a dtype. *ret is -1 where none is given. */
bool nd_read_dtype(struct machine *m, struct value v, int *ret);
/* An int or a tuple of ints, as a shape; of None no axes. */
bool nd_read_shape(struct machine *m, struct value v, size_t *ret, unsigned *ret_n);
/* The next 32 bits of a stream, or its next 64. */
typedef uint64_t nd_bits(void *stream, bool are_64);
/* A whole number from 0 to most: bits under a mask, thrown away where they lie above. */
uint64_t nd_draw_up_to(nd_bits *bits, void *stream, uint64_t most);
/* The rows of np.random.default_rng(): numpy_random.c. */
extern const struct native_table numpy_generators;
/* The decompositions under np.linalg and torch.linalg: linalg.c. */
extern const struct native_table numpy_linalg;
/* np.float64(x) */
bool nd_class_call(struct machine *m, enum dtype dtype, struct value v, struct value *ret);
bool numpy_fill(struct machine *m, struct module *module);
void numpy_free(struct machine *m);

#endif
