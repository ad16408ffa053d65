/* Numbers seen through a shape and strides, and read as dense runs of their row-major order. */
#ifndef ATTN_KERNEL_STRIDED_H
#define ATTN_KERNEL_STRIDED_H

#include <stddef.h>

enum { STRIDED_MAX_AXES = 6 };

struct strided {
    const float *data;
    unsigned n_axes;
    size_t shape[STRIDED_MAX_AXES];     /* none of them is 0 */
    ptrdiff_t stride[STRIDED_MAX_AXES]; /* in floats; 0 repeats, negative runs backwards */
};

/* The same numbers in the same order with the fewest axes, but at least one: a dense array has one
 * of stride 1, a repeated number one of stride 0. */
struct strided strided_collapse(const struct strided *x);

/* The current place of a walk along the row-major order of a collapsed x: an index, and the offset
 * in floats from x.data. */
struct strided_place {
    size_t index[STRIDED_MAX_AXES];
    ptrdiff_t offset;
};
struct strided_place strided_place(const struct strided *x, size_t position);
/* Moves n numbers along the last axis, at most to its end; from there to the next row. */
void strided_move(const struct strided *x, struct strided_place *place, size_t n);

/* The n numbers from a position of the row-major order on, for a collapsed x. If they are dense in
 * memory, returns a pointer to them; else copies them to room[0..n) and returns that. */
const float *strided_read(const struct strided *x, size_t position, size_t n, float *room);

#endif
