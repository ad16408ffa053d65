/* Tensors: float32 numbers in up to 6 axes, seen through a shape and strides.
 *
 * A struct tensor is a small value: shape, strides and a pointer into storage that several
 * tensors may share. Whoever fills one in owns one reference to its storage and gives it back
 * with tensor_release(). Views (transpose, slice, permute, broadcast, ...) share the storage of
 * the tensor they look at and copy no numbers. Numbers are written only by the function that
 * made the storage, before it returns; from then on everyone only reads. References are not
 * atomic: one thread at a time may share or release tensors of the same storage.
 *
 * Conventions of every function here and in the other headers of this library:
 *   - shapes read (outer, ..., inner), row-major; axes count from 0, or from -1 backwards;
 *   - ret is written only on success, and may be an uninitialised struct; it may not be an input;
 *   - on failure false is returned and *reterr (which may be NULL) says why. Any function that
 *     makes storage can fail with ERR_MEMORY or ERR_LIMIT;
 *   - results are float tensors in dense row-major order unless the function says "view";
 *   - sums run in double and are rounded to float32 once. */
#ifndef ATTN_TENSOR_TENSOR_H
#define ATTN_TENSOR_TENSOR_H

#include "base/error.h"

enum {
    TENSOR_MAX_AXES = 6,
    TENSOR_SHAPE_TEXT = 96, /* bytes that tensor_shape_text() may need */
};

/* The most numbers one tensor may hold: 1 GiB of float32. A limit a learner can reach by typing,
 * so it is far below what would bring the machine to its knees. Fuzzing lowers it. */
#ifndef TENSOR_MAX_SIZE
#define TENSOR_MAX_SIZE ((size_t)1 << 28)
#endif

struct storage; /* numbers with a reference count */

struct tensor {
    float *data;                       /* element [0, 0, ..., 0] */
    struct storage *storage;           /* keeps data alive */
    unsigned n_axes;                   /* 0 is a single number */
    bool is_bool;                      /* every element is 0 or 1, and means false or true */
    size_t shape[TENSOR_MAX_AXES];     /* elements along each axis; 0 is allowed */
    ptrdiff_t stride[TENSOR_MAX_AXES]; /* steps in elements; 0 repeats, negative runs backwards */
};

/* ---- making and releasing ---- */

/* A tensor of the given shape, all zero. ERR_LIMIT over TENSOR_MAX_AXES or TENSOR_MAX_SIZE. */
bool tensor_zeros(unsigned n_axes, const size_t *shape, struct tensor *ret, struct error *reterr);
/* The same, but with whatever numbers the memory held: the caller writes every one. */
bool tensor_empty(unsigned n_axes, const size_t *shape, struct tensor *ret, struct error *reterr);
/* The same with every element `number`. */
bool tensor_full(unsigned n_axes, const size_t *shape, float number, struct tensor *ret,
                 struct error *reterr);
/* A tensor of the given shape holding a copy of numbers, row-major. */
bool tensor_from(unsigned n_axes, const size_t *shape, const float *numbers, struct tensor *ret,
                 struct error *reterr);
/* A tensor over numbers that someone else owns, such as a mapped file: data[...], row-major, is not
 * copied and never written, and must stay until release(owner) is called, when the last tensor that
 * shares it is released. On failure release is not called. data is not NULL. */
bool tensor_foreign(unsigned n_axes, const size_t *shape, const float *data, void *owner,
                    void (*release)(void *owner), struct tensor *ret, struct error *reterr);
/* A tensor without axes. */
bool tensor_scalar(float number, struct tensor *ret, struct error *reterr);
/* A dense copy of x, which shares nothing with it. Keeps is_bool. */
bool tensor_copy(const struct tensor *x, struct tensor *ret, struct error *reterr);
/* x itself if it is dense (then ret shares its storage), else a dense copy. Keeps is_bool. */
bool tensor_dense(const struct tensor *x, struct tensor *ret, struct error *reterr);
/* A second owner of the same numbers. Cannot fail. */
struct tensor tensor_share(const struct tensor *x);
/* Gives up one reference and clears *x. x may be NULL or all zero bytes. */
void tensor_release(struct tensor *x);

/* ---- looking ---- */

/* The product of the shape; 1 for a single number. */
size_t tensor_size(const struct tensor *x);
/* True when the elements lie one after the other in row-major order. */
bool tensor_is_dense(const struct tensor *x);
bool tensor_same_shape(const struct tensor *a, const struct tensor *b);
/* The first number of part number `part`, of the parts that the first n_outer axes count: a row, or
 * a matrix of a batch. ret_index[0..n_outer) is its position on these axes. */
const float *tensor_part(const struct tensor *x, unsigned n_outer, size_t part, size_t *ret_index);
/* Element index[0..n_axes), inside the shape. */
float tensor_at(const struct tensor *x, const size_t *index);
/* Element number `position` of the row-major order, 0 <= position < tensor_size(x). */
float tensor_at_position(const struct tensor *x, size_t position);
/* Splits a row-major position into an index, and back. */
void tensor_index_of(const struct tensor *x, size_t position, size_t *ret_index);
size_t tensor_position_of(const struct tensor *x, const size_t *index);
/* Writes "3x2", "(5,)" for one axis, "a single number" for none. Returns text. */
char *tensor_shape_text(const struct tensor *x, char text[TENSOR_SHAPE_TEXT]);
/* Copies all elements to numbers[tensor_size(x)] in row-major order. */
void tensor_read(const struct tensor *x, float *numbers);

/* Finds the axis that dim names (-n_axes <= dim < n_axes; a single number also takes 0 and -1).
 * ERR_SHAPE otherwise, naming `what`. */
bool tensor_axis(const struct tensor *x, ptrdiff_t dim, const char *what, unsigned *ret_axis,
                 struct error *reterr);

/* ---- views, which share the numbers of x and keep is_bool ---- */

/* Axes a and b exchanged. Both must exist. */
struct tensor tensor_transpose(const struct tensor *x, unsigned a, unsigned b);
/* Axis i of the result is axis order[i] of x. ERR_SHAPE unless order[0..n_axes) names each axis
 * once. */
bool tensor_permute(const struct tensor *x, const unsigned *order, struct tensor *ret,
                    struct error *reterr);
/* count elements along axis, from start in steps of step (not 0, may be negative).
 * ERR_RANGE when that leaves the axis. */
bool tensor_slice(const struct tensor *x, unsigned axis, size_t start, size_t count, ptrdiff_t step,
                  struct tensor *ret, struct error *reterr);
/* Position `at` of axis, and the axis dropped. ERR_RANGE when at is outside. */
bool tensor_pick(const struct tensor *x, unsigned axis, size_t at, struct tensor *ret,
                 struct error *reterr);
/* x repeated to the given shape as numpy broadcasts: axes align at the right, an axis of x that
 * is missing or 1 repeats. ERR_SHAPE when another axis differs. */
bool tensor_broadcast(const struct tensor *x, unsigned n_axes, const size_t *shape,
                      struct tensor *ret, struct error *reterr);
/* The same numbers in row-major order under another shape of equal size: a view if the strides
 * allow it, else a copy. ERR_SHAPE when the sizes differ. */
bool tensor_reshape(const struct tensor *x, unsigned n_axes, const size_t *shape,
                    struct tensor *ret, struct error *reterr);

/* The same numbers under another shape of equal size as a view, never a copy. ERR_SHAPE when the
 * sizes differ, or when no strides reach the numbers of x in row-major order. */
bool tensor_view(const struct tensor *x, unsigned n_axes, const size_t *shape, struct tensor *ret,
                 struct error *reterr);

/* The shape that a and b broadcast to together. ERR_SHAPE when they do not. */
bool tensor_broadcast_shape(const struct tensor *a, const struct tensor *b, unsigned *ret_n_axes,
                            size_t ret_shape[TENSOR_MAX_AXES], struct error *reterr);

#endif
