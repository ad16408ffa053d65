/* Walking several tensors of one shape side by side, a run of the last axis at a time.
 *
 * For the rooms of attn; not part of the library's public header. */
#ifndef ATTN_TENSOR_WALK_H
#define ATTN_TENSOR_WALK_H

#include "kernel/strided.h"
#include "tensor/tensor.h"

enum { WALK_MAX_TENSORS = 4 };

struct walk {
    unsigned n_outer;              /* axes before the last */
    size_t shape[TENSOR_MAX_AXES]; /* of the outer axes */
    size_t index[TENSOR_MAX_AXES]; /* the current position on the outer axes */
    ptrdiff_t strides[WALK_MAX_TENSORS][TENSOR_MAX_AXES];
    unsigned n_tensors;
    float *at[WALK_MAX_TENSORS];      /* first element of the current run */
    ptrdiff_t step[WALK_MAX_TENSORS]; /* from one element of the run to the next */
    size_t run;                       /* elements in a run */
    bool done;
};

/* Starts at the first run. All tensors have the shape of tensors[0]; a single number is a run of
 * one. If the tensors are empty, done is set at once. */
void walk_start(struct walk *walk, unsigned n_tensors, const struct tensor *const *tensors);

/* Goes to the next run in row-major order, or sets done. */
void walk_next(struct walk *walk);

/* The n axes of x from axis `first` on, in the form that kernels take. */
struct strided walk_strided(const struct tensor *x, unsigned first, unsigned n);

#endif
