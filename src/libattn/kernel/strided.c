#include "kernel/strided.h"

#include <stdbool.h>
#include <string.h>

#include "base/size.h"

struct strided strided_collapse(const struct strided *x)
{
    struct strided few = {.data = x->data, .n_axes = 0};
    for (unsigned axis = 0; axis < x->n_axes; axis++) {
        unsigned last = few.n_axes - 1;
        if (x->shape[axis] == 1)
            continue;
        bool follows =
            few.n_axes > 0 && few.stride[last] == x->stride[axis] * (ptrdiff_t)x->shape[axis];
        if (follows) {
            few.shape[last] *= x->shape[axis];
            few.stride[last] = x->stride[axis];
        } else {
            few.shape[few.n_axes] = x->shape[axis];
            few.stride[few.n_axes++] = x->stride[axis];
        }
    }
    if (few.n_axes == 0)
        few = (struct strided){.data = x->data, .n_axes = 1, .shape = {1}, .stride = {1}};
    return few;
}

/* The filled part is copied, twice as much each time. */
static void fill(float number, size_t n, float *to)
{
    to[0] = number;
    for (size_t done = 1; done < n; done *= 2)
        memcpy(to + done, to, size_min(done, n - done) * sizeof *to);
}

static void copy_run(const float *from, ptrdiff_t step, size_t n, float *to)
{
    if (step == 0)
        fill(*from, n, to);
    else if (step == 1)
        memcpy(to, from, n * sizeof *to);
    else
        for (size_t i = 0; i < n; i++)
            to[i] = from[(ptrdiff_t)i * step];
}

struct strided_place strided_place(const struct strided *x, size_t position)
{
    struct strided_place place = {.offset = 0};
    for (unsigned axis = x->n_axes; axis-- > 0;) {
        place.index[axis] = position % x->shape[axis];
        position /= x->shape[axis];
        place.offset += (ptrdiff_t)place.index[axis] * x->stride[axis];
    }
    return place;
}

void strided_move(const struct strided *x, struct strided_place *place, size_t n)
{
    unsigned axis = x->n_axes - 1;
    place->index[axis] += n;
    place->offset += (ptrdiff_t)n * x->stride[axis];
    for (; axis > 0 && place->index[axis] == x->shape[axis]; axis--) {
        place->index[axis] = 0;
        place->index[axis - 1]++;
        place->offset += x->stride[axis - 1] - (ptrdiff_t)x->shape[axis] * x->stride[axis];
    }
}

const float *strided_read(const struct strided *x, size_t position, size_t n, float *room)
{
    unsigned last = x->n_axes - 1;
    struct strided_place place = strided_place(x, position);
    if (x->stride[last] == 1 && n <= x->shape[last] - place.index[last])
        return x->data + place.offset;
    for (size_t at = 0; at < n;) {
        size_t run = size_min(n - at, x->shape[last] - place.index[last]);
        copy_run(x->data + place.offset, x->stride[last], run, room + at);
        strided_move(x, &place, run);
        at += run;
    }
    return room;
}
