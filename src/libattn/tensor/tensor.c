/* Storage, shapes and views: see tensor.h. */
#include "tensor/tensor.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct storage {
    size_t n_owners;
    void (*release)(void *owner); /* where the numbers are somebody else's; else NULL */
    void *owner;
    float numbers[]; /* where they are not */
};

/* The one place where sizes are multiplied: false when the product is over TENSOR_MAX_SIZE. An axis
 * of 0 does not excuse the others: strides are products of them. */
static bool checked_size(unsigned n_axes, const size_t *shape, size_t *ret_size)
{
    size_t size = 1;
    bool empty = false;
    for (unsigned axis = 0; axis < n_axes; axis++) {
        if (shape[axis] == 0) {
            empty = true;
            continue;
        }
        if (size > TENSOR_MAX_SIZE / shape[axis])
            return false;
        size *= shape[axis];
    }
    *ret_size = empty ? 0 : size;
    return true;
}

static bool too_large(unsigned n_axes, const size_t *shape, struct error *reterr)
{
    char text[TENSOR_MAX_AXES * 24] = "";
    size_t used = 0;
    double numbers = 1;
    for (unsigned axis = 0; axis < n_axes; axis++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, axis ? "x%zu" : "%zu", shape[axis]);
        numbers *= shape[axis] ? (double)shape[axis] : 1;
    }
    return error_set(reterr, ERR_LIMIT,
                     "a tensor of shape %s: that is %.3g numbers, and attn holds at most %zu in "
                     "one tensor; use smaller sizes",
                     text, numbers, (size_t)TENSOR_MAX_SIZE);
}

static void set_dense_strides(struct tensor *x)
{
    ptrdiff_t step = 1;
    for (unsigned axis = x->n_axes; axis-- > 0;) {
        x->stride[axis] = step;
        step *= (ptrdiff_t)x->shape[axis];
    }
}

/* How many numbers a tensor of this shape has, where attn holds that many. */
static bool allowed_size(unsigned n_axes, const size_t *shape, size_t *ret_size,
                         struct error *reterr)
{
    if (n_axes > TENSOR_MAX_AXES)
        return error_set(reterr, ERR_LIMIT, "a tensor of %u axes: attn has at most %d axes", n_axes,
                         TENSOR_MAX_AXES);
    return checked_size(n_axes, shape, ret_size) || too_large(n_axes, shape, reterr);
}

/* The only owner's tensor of new storage; where its numbers are is still to be said. */
static struct tensor first_of(struct storage *storage, unsigned n_axes, const size_t *shape)
{
    struct tensor made = {.storage = storage, .n_axes = n_axes};
    storage->n_owners = 1;
    for (unsigned axis = 0; axis < n_axes; axis++)
        made.shape[axis] = shape[axis];
    set_dense_strides(&made);
    return made;
}

/* Many numbers begin with a line of the cache, so that no vector of them lies in two. */
enum { MANY = 1024, LINE = 64 };

static float *next_line(float *numbers)
{
    return numbers + (LINE - (uintptr_t)numbers % LINE) % LINE / sizeof *numbers;
}

static bool make(unsigned n_axes, const size_t *shape, bool cleared, struct tensor *ret,
                 struct error *reterr)
{
    size_t size = 0;
    if (!allowed_size(n_axes, shape, &size, reterr))
        return false;
    size_t bytes = sizeof(struct storage) + size * sizeof(float) + (size < MANY ? 0 : LINE);
    struct storage *storage = cleared ? calloc(1, bytes) : malloc(bytes);
    if (storage == NULL)
        return error_memory(reterr, "a new tensor");
    storage->release = NULL;
    *ret = first_of(storage, n_axes, shape);
    ret->data = size < MANY ? storage->numbers : next_line(storage->numbers);
    return true;
}

bool tensor_zeros(unsigned n_axes, const size_t *shape, struct tensor *ret, struct error *reterr)
{
    return make(n_axes, shape, true, ret, reterr);
}

bool tensor_empty(unsigned n_axes, const size_t *shape, struct tensor *ret, struct error *reterr)
{
    return make(n_axes, shape, false, ret, reterr);
}

bool tensor_full(unsigned n_axes, const size_t *shape, float number, struct tensor *ret,
                 struct error *reterr)
{
    if (!tensor_empty(n_axes, shape, ret, reterr))
        return false;
    size_t size = tensor_size(ret);
    for (size_t i = 0; i < size; i++)
        ret->data[i] = number;
    return true;
}

bool tensor_from(unsigned n_axes, const size_t *shape, const float *numbers, struct tensor *ret,
                 struct error *reterr)
{
    if (!tensor_empty(n_axes, shape, ret, reterr))
        return false;
    size_t size = tensor_size(ret);
    if (size > 0)
        memcpy(ret->data, numbers, size * sizeof(float));
    return true;
}

bool tensor_foreign(unsigned n_axes, const size_t *shape, const float *data, void *owner,
                    void (*release)(void *owner), struct tensor *ret, struct error *reterr)
{
    size_t size = 0;
    if (!allowed_size(n_axes, shape, &size, reterr))
        return false;
    struct storage *storage = malloc(sizeof *storage);
    if (storage == NULL)
        return error_memory(reterr, "a new tensor");
    storage->release = release;
    storage->owner = owner;
    *ret = first_of(storage, n_axes, shape);
    ret->data = (float *)data; /* nobody writes through it: only who made numbers writes them */
    return true;
}

bool tensor_scalar(float number, struct tensor *ret, struct error *reterr)
{
    return tensor_full(0, NULL, number, ret, reterr);
}

bool tensor_copy(const struct tensor *x, struct tensor *ret, struct error *reterr)
{
    if (!tensor_empty(x->n_axes, x->shape, ret, reterr))
        return false;
    tensor_read(x, ret->data);
    ret->is_bool = x->is_bool;
    return true;
}

bool tensor_dense(const struct tensor *x, struct tensor *ret, struct error *reterr)
{
    if (!tensor_is_dense(x))
        return tensor_copy(x, ret, reterr);
    *ret = tensor_share(x);
    return true;
}

struct tensor tensor_share(const struct tensor *x)
{
    if (x->storage != NULL)
        x->storage->n_owners++;
    return *x;
}

void tensor_release(struct tensor *x)
{
    if (x == NULL)
        return;
    if (x->storage != NULL && --x->storage->n_owners == 0) {
        if (x->storage->release != NULL)
            x->storage->release(x->storage->owner);
        free(x->storage);
    }
    *x = (struct tensor){0};
}

size_t tensor_size(const struct tensor *x)
{
    size_t size = 1;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        size *= x->shape[axis];
    return size;
}

bool tensor_is_dense(const struct tensor *x)
{
    ptrdiff_t step = 1;
    for (unsigned axis = x->n_axes; axis-- > 0;) {
        if (x->shape[axis] != 1 && x->stride[axis] != step)
            return false;
        step *= (ptrdiff_t)x->shape[axis];
    }
    return true;
}

bool tensor_same_shape(const struct tensor *a, const struct tensor *b)
{
    if (a->n_axes != b->n_axes)
        return false;
    for (unsigned axis = 0; axis < a->n_axes; axis++)
        if (a->shape[axis] != b->shape[axis])
            return false;
    return true;
}

/* Where an element lies, in floats from data. */
static ptrdiff_t offset_of(const struct tensor *x, const size_t *index)
{
    ptrdiff_t offset = 0;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        offset += (ptrdiff_t)index[axis] * x->stride[axis];
    return offset;
}

float tensor_at(const struct tensor *x, const size_t *index)
{
    return x->data[offset_of(x, index)];
}

const float *tensor_part(const struct tensor *x, unsigned n_outer, size_t part, size_t *ret_index)
{
    struct tensor outer = *x;
    outer.n_axes = n_outer;
    tensor_index_of(&outer, part, ret_index);
    return x->data + offset_of(&outer, ret_index);
}

float tensor_at_position(const struct tensor *x, size_t position)
{
    size_t index[TENSOR_MAX_AXES];
    if (tensor_is_dense(x)) /* as most are: no division for each axis */
        return x->data[position];
    tensor_index_of(x, position, index);
    return tensor_at(x, index);
}

void tensor_index_of(const struct tensor *x, size_t position, size_t *ret_index)
{
    for (unsigned axis = x->n_axes; axis-- > 0;) {
        ret_index[axis] = position % x->shape[axis];
        position /= x->shape[axis];
    }
}

size_t tensor_position_of(const struct tensor *x, const size_t *index)
{
    size_t position = 0;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        position = position * x->shape[axis] + index[axis];
    return position;
}

char *tensor_shape_text(const struct tensor *x, char text[TENSOR_SHAPE_TEXT])
{
    if (x->n_axes == 0) {
        snprintf(text, TENSOR_SHAPE_TEXT, "a single number");
    } else if (x->n_axes == 1) {
        snprintf(text, TENSOR_SHAPE_TEXT, "(%zu,)", x->shape[0]);
    } else {
        size_t used = 0;
        for (unsigned axis = 0; axis < x->n_axes && used < TENSOR_SHAPE_TEXT; axis++)
            used += (size_t)snprintf(text + used, TENSOR_SHAPE_TEXT - used, axis ? "x%zu" : "%zu",
                                     x->shape[axis]);
    }
    return text;
}

/* Copies one run of the last axis after the other; index counts through the axes before it. */
static void read_strided(const struct tensor *x, float *numbers)
{
    unsigned last = x->n_axes - 1;
    size_t run = x->shape[last];
    ptrdiff_t step = x->stride[last];
    size_t n_runs = tensor_size(x) / run;
    size_t index[TENSOR_MAX_AXES] = {0};
    const float *from = x->data;
    for (size_t r = 0; r < n_runs; r++) {
        for (size_t i = 0; i < run; i++)
            *numbers++ = from[(ptrdiff_t)i * step];
        for (unsigned axis = last; axis-- > 0;) {
            from += x->stride[axis];
            if (++index[axis] < x->shape[axis])
                break;
            from -= (ptrdiff_t)x->shape[axis] * x->stride[axis];
            index[axis] = 0;
        }
    }
}

void tensor_read(const struct tensor *x, float *numbers)
{
    size_t size = tensor_size(x);
    if (size == 0)
        return;
    if (tensor_is_dense(x))
        memcpy(numbers, x->data, size * sizeof(float));
    else
        read_strided(x, numbers);
}

bool tensor_axis(const struct tensor *x, ptrdiff_t dim, const char *what, unsigned *ret_axis,
                 struct error *reterr)
{
    ptrdiff_t n_axes = (ptrdiff_t)x->n_axes;
    ptrdiff_t allowed = n_axes > 0 ? n_axes : 1;
    if (dim < -allowed || dim >= allowed)
        return error_set(reterr, ERR_SHAPE,
                         "%s: dim=%td does not exist: there %s %td %s; dims run from %td to %td",
                         what, dim, n_axes == 1 ? "is" : "are", n_axes,
                         n_axes == 1 ? "axis" : "axes", -allowed, allowed - 1);
    *ret_axis = (unsigned)(dim < 0 ? dim + allowed : dim);
    return true;
}

struct tensor tensor_transpose(const struct tensor *x, unsigned a, unsigned b)
{
    struct tensor view = tensor_share(x);
    view.shape[a] = x->shape[b];
    view.shape[b] = x->shape[a];
    view.stride[a] = x->stride[b];
    view.stride[b] = x->stride[a];
    return view;
}

bool tensor_permute(const struct tensor *x, const unsigned *order, struct tensor *ret,
                    struct error *reterr)
{
    struct tensor view = *x;
    unsigned seen = 0;
    for (unsigned axis = 0; axis < x->n_axes; axis++) {
        if (order[axis] >= x->n_axes || (seen >> order[axis] & 1U))
            return error_set(reterr, ERR_SHAPE,
                             "permute: each of the %u axes must be named exactly once", x->n_axes);
        seen |= 1U << order[axis];
        view.shape[axis] = x->shape[order[axis]];
        view.stride[axis] = x->stride[order[axis]];
    }
    *ret = tensor_share(&view);
    return true;
}

bool tensor_slice(const struct tensor *x, unsigned axis, size_t start, size_t count, ptrdiff_t step,
                  struct tensor *ret, struct error *reterr)
{
    size_t length = x->shape[axis];
    size_t room = step > 0 ? length - start : start + 1; /* elements ahead, start among them */
    size_t stride = step > 0 ? (size_t)step : (size_t)0 - (size_t)step;
    bool fits = count == 0 || (step != 0 && start < length && (count - 1) <= (room - 1) / stride);
    if (!fits)
        return error_set(reterr, ERR_RANGE,
                         "slice: %zu elements from %zu in steps of %td leave an axis of %zu", count,
                         start, step, length);
    struct tensor view = *x;
    view.shape[axis] = count;
    view.stride[axis] = count > 1 ? x->stride[axis] * step : x->stride[axis];
    view.data = count > 0 ? x->data + (ptrdiff_t)start * x->stride[axis] : x->data;
    *ret = tensor_share(&view);
    return true;
}

static void drop_axis(struct tensor *x, unsigned axis)
{
    x->n_axes--;
    for (unsigned i = axis; i < x->n_axes; i++) {
        x->shape[i] = x->shape[i + 1];
        x->stride[i] = x->stride[i + 1];
    }
}

bool tensor_pick(const struct tensor *x, unsigned axis, size_t at, struct tensor *ret,
                 struct error *reterr)
{
    if (at >= x->shape[axis])
        return error_set(reterr, ERR_RANGE, "index %zu is outside an axis of %zu", at,
                         x->shape[axis]);
    struct tensor view = *x;
    view.data += (ptrdiff_t)at * x->stride[axis];
    drop_axis(&view, axis);
    *ret = tensor_share(&view);
    return true;
}

bool tensor_broadcast(const struct tensor *x, unsigned n_axes, const size_t *shape,
                      struct tensor *ret, struct error *reterr)
{
    struct tensor view = *x;
    view.n_axes = n_axes;
    unsigned missing = n_axes - x->n_axes;
    bool fits = n_axes <= TENSOR_MAX_AXES && x->n_axes <= n_axes;
    for (unsigned axis = 0; fits && axis < n_axes; axis++) {
        size_t own = axis < missing ? 1 : x->shape[axis - missing];
        fits = own == shape[axis] || own == 1;
        view.shape[axis] = shape[axis];
        view.stride[axis] = own == shape[axis] && axis >= missing ? x->stride[axis - missing] : 0;
    }
    if (!fits) {
        char from[TENSOR_SHAPE_TEXT], to[TENSOR_SHAPE_TEXT];
        struct tensor target = {.n_axes = n_axes <= TENSOR_MAX_AXES ? n_axes : TENSOR_MAX_AXES};
        for (unsigned axis = 0; axis < target.n_axes; axis++)
            target.shape[axis] = shape[axis];
        return error_set(reterr, ERR_SHAPE,
                         "broadcast: %s can't be repeated to %s; axes align at the right, and "
                         "only an axis of 1 repeats",
                         tensor_shape_text(x, from), tensor_shape_text(&target, to));
    }
    size_t size;
    if (!checked_size(n_axes, shape, &size))
        return too_large(n_axes, shape, reterr);
    *ret = tensor_share(&view);
    return true;
}

/* An axis of 1 has the stride that PyTorch gives it: a step over all that follows. */
static void set_strides_of_ones(struct tensor *x)
{
    ptrdiff_t step = 1;
    for (unsigned axis = x->n_axes; axis-- > 0;) {
        if (x->shape[axis] == 1)
            x->stride[axis] = step;
        step = x->stride[axis] * (ptrdiff_t)x->shape[axis];
    }
}

/* Tries to see x under another shape without copying: walks both shapes from the left, matching
 * groups of axes with equal products; a group must be evenly spaced inside x. */
static bool reshape_strides(const struct tensor *x, struct tensor *view)
{
    struct tensor packed = {.n_axes = 0}; /* x without its axes of 1 */
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        if (x->shape[axis] != 1) {
            packed.shape[packed.n_axes] = x->shape[axis];
            packed.stride[packed.n_axes++] = x->stride[axis];
        }
    unsigned old = 0, new = 0;
    while (new < view->n_axes) {
        size_t new_size = view->shape[new];
        unsigned new_end = new + 1;
        if (new_size == 1) {
            view->stride[new ++] = 0;
            continue;
        }
        unsigned old_end = old + 1;
        size_t old_size = packed.shape[old];
        while (old_size != new_size) {
            if (old_size < new_size) {
                bool even = packed.stride[old_end - 1] ==
                            packed.stride[old_end] * (ptrdiff_t)packed.shape[old_end];
                if (!even)
                    return false;
                old_size *= packed.shape[old_end++];
            } else {
                new_size *= view->shape[new_end++];
            }
        }
        ptrdiff_t step = packed.stride[old_end - 1];
        for (unsigned axis = new_end; axis-- > new;) {
            view->stride[axis] = step;
            step *= (ptrdiff_t)view->shape[axis];
        }
        old = old_end;
        new = new_end;
    }
    set_strides_of_ones(view);
    return true;
}

/* *ret_view is x under the new shape, not yet with strides. ERR_SHAPE when the sizes differ. */
static bool other_shape(const struct tensor *x, unsigned n_axes, const size_t *shape,
                        struct tensor *ret_view, struct error *reterr)
{
    size_t size = 0;
    if (n_axes > TENSOR_MAX_AXES)
        return error_set(reterr, ERR_LIMIT, "reshape: attn has at most %d axes", TENSOR_MAX_AXES);
    *ret_view = *x;
    ret_view->n_axes = n_axes;
    for (unsigned axis = 0; axis < n_axes; axis++)
        ret_view->shape[axis] = shape[axis];
    if (checked_size(n_axes, shape, &size) && size == tensor_size(x))
        return true;
    char from[TENSOR_SHAPE_TEXT], to[TENSOR_SHAPE_TEXT];
    return error_set(reterr, ERR_SHAPE,
                     "reshape: %s has %zu numbers, and %s has another count; the product of "
                     "the sizes must stay the same",
                     tensor_shape_text(x, from), tensor_size(x), tensor_shape_text(ret_view, to));
}

/* Gives view the strides that reach the numbers of x, where there are such. */
static bool view_strides(const struct tensor *x, struct tensor *view)
{
    if (tensor_size(x) > 0)
        return reshape_strides(x, view);
    set_dense_strides(view);
    return true;
}

bool tensor_reshape(const struct tensor *x, unsigned n_axes, const size_t *shape,
                    struct tensor *ret, struct error *reterr)
{
    struct tensor view;
    if (!other_shape(x, n_axes, shape, &view, reterr))
        return false;
    if (view_strides(x, &view)) {
        *ret = tensor_share(&view);
        return true;
    }
    if (!tensor_copy(x, ret, reterr))
        return false;
    ret->n_axes = n_axes;
    memcpy(ret->shape, view.shape, sizeof view.shape);
    set_dense_strides(ret);
    return true;
}

bool tensor_view(const struct tensor *x, unsigned n_axes, const size_t *shape, struct tensor *ret,
                 struct error *reterr)
{
    struct tensor view;
    char from[TENSOR_SHAPE_TEXT], to[TENSOR_SHAPE_TEXT];
    if (!other_shape(x, n_axes, shape, &view, reterr))
        return false;
    if (!view_strides(x, &view))
        return error_set(reterr, ERR_SHAPE, "view: no strides make %s of this %s",
                         tensor_shape_text(&view, to), tensor_shape_text(x, from));
    *ret = tensor_share(&view);
    return true;
}

bool tensor_broadcast_shape(const struct tensor *a, const struct tensor *b, unsigned *ret_n_axes,
                            size_t ret_shape[TENSOR_MAX_AXES], struct error *reterr)
{
    unsigned n_axes = a->n_axes > b->n_axes ? a->n_axes : b->n_axes;
    size_t shape[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < n_axes; axis++) {
        unsigned from_right = n_axes - axis;
        size_t from_a = from_right <= a->n_axes ? a->shape[a->n_axes - from_right] : 1;
        size_t from_b = from_right <= b->n_axes ? b->shape[b->n_axes - from_right] : 1;
        if (from_a != from_b && from_a != 1 && from_b != 1) {
            char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
            return error_set(reterr, ERR_SHAPE,
                             "broadcast: %s and %s do not fit together: %zu against %zu; axes "
                             "align at the right and must be equal or 1",
                             tensor_shape_text(a, left), tensor_shape_text(b, right), from_a,
                             from_b);
        }
        shape[axis] = from_a == 1 ? from_b : from_a;
    }
    *ret_n_axes = n_axes;
    memcpy(ret_shape, shape, n_axes * sizeof *shape);
    return true;
}
