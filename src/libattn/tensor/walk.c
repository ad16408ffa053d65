/* An odometer over the outer axes: see walk.h. */
#include "tensor/walk.h"

#include <assert.h>

void walk_start(struct walk *walk, unsigned n_tensors, const struct tensor *const *tensors)
{
    const struct tensor *first = tensors[0];
    *walk = (struct walk){.n_tensors = n_tensors, .run = 1, .done = tensor_size(first) == 0};
    if (first->n_axes > 0) {
        walk->n_outer = first->n_axes - 1;
        walk->run = first->shape[walk->n_outer];
    }
    for (unsigned axis = 0; axis < walk->n_outer; axis++)
        walk->shape[axis] = first->shape[axis];
    for (unsigned t = 0; t < n_tensors; t++) {
        walk->at[t] = tensors[t]->data;
        walk->step[t] = first->n_axes > 0 ? tensors[t]->stride[walk->n_outer] : 0;
        for (unsigned axis = 0; axis < walk->n_outer; axis++)
            walk->strides[t][axis] = tensors[t]->stride[axis];
    }
}

static void move(struct walk *walk, unsigned axis, ptrdiff_t steps)
{
    for (unsigned t = 0; t < walk->n_tensors; t++)
        walk->at[t] += steps * walk->strides[t][axis];
}

void walk_next(struct walk *walk)
{
    for (unsigned axis = walk->n_outer; axis-- > 0;) {
        if (++walk->index[axis] < walk->shape[axis]) {
            move(walk, axis, 1);
            return;
        }
        move(walk, axis, -(ptrdiff_t)(walk->shape[axis] - 1));
        walk->index[axis] = 0;
    }
    walk->done = true;
}

static_assert((int)STRIDED_MAX_AXES == (int)TENSOR_MAX_AXES, "a tensor is a strided array");

struct strided walk_strided(const struct tensor *x, unsigned first, unsigned n)
{
    struct strided part = {.data = x->data, .n_axes = n};
    for (unsigned axis = 0; axis < n; axis++) {
        part.shape[axis] = x->shape[first + axis];
        part.stride[axis] = x->stride[first + axis];
    }
    return part;
}
