/* Arrays as numpy has them: making, views, broadcasting and indexing. */
#include "lang/notebook/ndarray_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

void ndarray_let_go(struct ndarray *a)
{
    if (a->cells != NULL && --a->cells->n_owners == 0)
        free(a->cells);
}

size_t nd_size(const struct ndarray *a)
{
    size_t n = 1;
    for (unsigned axis = 0; axis < a->n_axes; axis++)
        n *= a->shape[axis];
    return n;
}

struct ndarray *nd_new(struct machine *m, enum dtype dtype, unsigned n_axes, const size_t *shape)
{
    size_t n = 1;
    for (unsigned axis = 0; axis < n_axes; axis++)
        if (__builtin_mul_overflow(n, shape[axis], &n) || n > MACHINE_MAX_ITEMS) {
            raise_error(m, ERROR_MEMORY, "an array has up to %d numbers in attn",
                        MACHINE_MAX_ITEMS);
            return NULL;
        }
    struct ndarray *a = thing_new(&m->things, THING_NDARRAY, 0);
    struct nd_cells *cells =
        a ? calloc(1, sizeof *cells + (n + (n == 0)) * sizeof(union nd_cell)) : NULL;
    if (cells == NULL) {
        value_drop(value_thing(a));
        raise_memory(m);
        return NULL;
    }
    cells->n_owners = 1;
    cells->n = n;
    a->cells = cells;
    a->first = cells->items;
    a->dtype = dtype;
    a->n_axes = n_axes;
    ptrdiff_t stride = 1;
    for (unsigned axis = n_axes; axis-- > 0;) {
        a->shape[axis] = shape[axis];
        a->stride[axis] = stride;
        stride *= (ptrdiff_t)shape[axis];
    }
    return a;
}

struct ndarray *nd_view(struct machine *m, const struct ndarray *a)
{
    struct ndarray *view = thing_new(&m->things, THING_NDARRAY, 0);
    if (view == NULL) {
        raise_memory(m);
        return NULL;
    }
    struct thing head = view->thing;
    *view = *a;
    view->thing = head;
    view->is_scalar = false;
    view->cells->n_owners++;
    return view;
}

bool nd_result(struct ndarray *a, struct value *ret)
{
    if (a == NULL)
        return false;
    if (a->n_axes == 0)
        a->is_scalar = true;
    *ret = value_thing(a);
    return true;
}

/* ---- dtypes ---- */

double nd_round(double x, enum dtype dtype)
{
    int exponent;
    if (dtype == DTYPE_FLOAT32)
        return (double)(float)x;
    if (dtype != DTYPE_FLOAT16 || x == 0 || !isfinite(x))
        return x;
    if (fabs(x) >= 65520)
        return copysign((double)INFINITY, x);
    (void)frexp(x, &exponent);
    double unit = ldexp(1, exponent - 11 < -24 ? -24 : exponent - 11);
    return rint(x / unit) * unit;
}

int64_t nd_wrap(int64_t x, enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_BOOL:
        return x != 0;
    case DTYPE_UINT8:
        return (uint8_t)x;
    case DTYPE_INT8:
        return (int8_t)x;
    case DTYPE_INT16:
        return (int16_t)x;
    case DTYPE_INT32:
        return (int32_t)x;
    default:
        return x;
    }
}

union nd_cell nd_cast(union nd_cell c, enum dtype from, enum dtype to)
{
    if (from == to)
        return c;
    if (nd_is_float(to))
        return (union nd_cell){.number =
                                   nd_round(nd_is_float(from) ? c.number : (double)c.whole, to)};
    if (!nd_is_float(from))
        return (union nd_cell){.whole = nd_wrap(c.whole, to)};
    if (to == DTYPE_BOOL)
        return (union nd_cell){.whole = c.number != 0};
    bool fits = c.number > -9.2233720368547758e18 && c.number < 9.2233720368547758e18;
    return (union nd_cell){.whole = nd_wrap(fits ? (int64_t)c.number : INT64_MIN, to)};
}

enum dtype nd_join(enum dtype a, enum dtype b)
{
    enum dtype low = a < b ? a : b, high = a < b ? b : a;
    if (low == DTYPE_BOOL || low == high)
        return high;
    if (nd_is_float(low))
        return high;
    if (!nd_is_float(high))
        return low == DTYPE_UINT8 && high == DTYPE_INT8 ? DTYPE_INT16 : high;
    bool is_byte = low == DTYPE_UINT8 || low == DTYPE_INT8;
    if (high == DTYPE_FLOAT16)
        return is_byte ? DTYPE_FLOAT16 : low == DTYPE_INT16 ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
    return high == DTYPE_FLOAT32 && (is_byte || low == DTYPE_INT16) ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
}

enum dtype nd_promoted(const struct ndarray *a, const struct ndarray *b)
{
    if ((a->n_axes == 0) == (b->n_axes == 0))
        return nd_join(a->dtype, b->dtype);
    enum dtype array = a->n_axes ? a->dtype : b->dtype, single = a->n_axes ? b->dtype : a->dtype;
    if (dtypes[single].category <= dtypes[array].category)
        return array;
    return nd_is_float(single) && array != DTYPE_BOOL ? DTYPE_FLOAT64 : single;
}

struct value nd_item(const struct ndarray *a, const union nd_cell *at)
{
    return nd_is_float(a->dtype)    ? value_float(at->number)
           : a->dtype == DTYPE_BOOL ? value_bool(at->whole != 0)
                                    : value_int(at->whole);
}

bool nd_only(struct machine *m, const struct ndarray *a, struct value *ret)
{
    if (nd_size(a) != 1)
        return raise_error(m, ERROR_TYPE, "only size-1 arrays can be converted to Python scalars");
    *ret = nd_item(a, a->first);
    return true;
}

bool nd_any(const struct ndarray *a)
{
    bool any = false;
    for (size_t i = 0, n = nd_size(a); !any && i < n; i++)
        any = a->first[i].whole != 0;
    return any;
}

/* ---- going through ---- */

bool nd_step(unsigned n_axes, const size_t *shape, size_t *index, unsigned n_operands,
             const ptrdiff_t *strides, ptrdiff_t *at)
{
    for (unsigned axis = n_axes; axis-- > 0;) {
        bool goes_on = ++index[axis] < shape[axis];
        for (unsigned k = 0; k < n_operands; k++)
            at[k] += goes_on ? strides[k * ND_MAX_AXES + axis]
                             : -strides[k * ND_MAX_AXES + axis] * (ptrdiff_t)(shape[axis] - 1);
        if (goes_on)
            return true;
        index[axis] = 0;
    }
    return false;
}

bool nd_broadcast(const struct ndarray *a, unsigned n_axes, const size_t *shape, ptrdiff_t *ret)
{
    if (a->n_axes > n_axes)
        return false;
    unsigned more = n_axes - a->n_axes;
    for (unsigned axis = 0; axis < n_axes; axis++) {
        if (axis < more) {
            ret[axis] = 0;
            continue;
        }
        size_t n = a->shape[axis - more];
        if (n != shape[axis] && n != 1)
            return false;
        ret[axis] = n == shape[axis] ? a->stride[axis - more] : 0;
    }
    return true;
}

void nd_write_shape(const struct ndarray *a, struct text *out)
{
    text_char(out, '(');
    for (unsigned axis = 0; axis < a->n_axes; axis++)
        text_format(out, "%s%zu", axis ? "," : "", a->shape[axis]);
    text_put(out, a->n_axes == 1 ? ",)" : ")");
}

bool nd_broadcast_shape(struct machine *m, struct ndarray *const *arrays, unsigned n,
                        size_t *ret_shape, unsigned *ret_n_axes)
{
    unsigned n_axes = 0;
    for (unsigned k = 0; k < n; k++)
        n_axes = arrays[k]->n_axes > n_axes ? arrays[k]->n_axes : n_axes;
    *ret_n_axes = n_axes;
    for (unsigned axis = 0; axis < n_axes; axis++) {
        ret_shape[axis] = 1;
        for (unsigned k = 0; k < n; k++) {
            unsigned more = n_axes - arrays[k]->n_axes;
            size_t length = axis < more ? 1 : arrays[k]->shape[axis - more];
            if (length == 1 || length == ret_shape[axis])
                continue;
            if (ret_shape[axis] == 1) {
                ret_shape[axis] = length;
                continue;
            }
            struct text shapes = {0};
            for (unsigned i = 0; i < n; i++) {
                nd_write_shape(arrays[i], &shapes);
                text_char(&shapes, ' ');
            }
            raise_error(m, ERROR_VALUE, "operands could not be broadcast together with shapes %s",
                        text_string(&shapes));
            text_release(&shapes);
            return false;
        }
    }
    return true;
}

bool nd_assign(struct machine *m, struct ndarray *a, const struct ndarray *from)
{
    ptrdiff_t strides[2][ND_MAX_AXES], at[2] = {0, 0};
    size_t index[ND_MAX_AXES] = {0};
    struct ndarray source = *from;
    while (source.n_axes > a->n_axes && source.shape[0] == 1) { /* axes of 1 in front fall away */
        memmove(source.shape, source.shape + 1, --source.n_axes * sizeof *source.shape);
        memmove(source.stride, source.stride + 1, source.n_axes * sizeof *source.stride);
    }
    if (!nd_broadcast(&source, a->n_axes, a->shape, strides[1])) {
        struct text shapes = {0};
        if (a->n_axes == 0)
            return raise_error(m, ERROR_VALUE, "setting an array element with a sequence.");
        text_put(&shapes, "could not broadcast input array from shape ");
        nd_write_shape(from, &shapes);
        text_put(&shapes, " into shape ");
        nd_write_shape(a, &shapes);
        raise_error(m, ERROR_VALUE, "%s", text_string(&shapes));
        text_release(&shapes);
        return false;
    }
    if (a->is_copy_of)
        return raise_error(m, ERROR_NOT_IMPLEMENTED,
                           "in attn x.numpy() is a copy for this view x, and writing to it would "
                           "not change x; write to x, or to x.numpy().copy()");
    if (nd_size(a) == 0)
        return true;
    a->cells->n_writes++;
    if (a->cells == from->cells) { /* the parts may overlap */
        struct ndarray *copy = nd_copy(m, from, from->dtype);
        bool ok = copy != NULL && nd_assign(m, a, copy);
        value_drop(value_thing(copy));
        return ok;
    }
    memcpy(strides[0], a->stride, sizeof strides[0]);
    do
        a->first[at[0]] = nd_cast(source.first[at[1]], from->dtype, a->dtype);
    while (nd_step(a->n_axes, a->shape, index, 2, strides[0], at));
    return true;
}

struct ndarray *nd_copy(struct machine *m, const struct ndarray *a, enum dtype dtype)
{
    struct ndarray *copy = nd_new(m, dtype, a->n_axes, a->shape);
    if (copy != NULL && !nd_assign(m, copy, a)) {
        value_drop(value_thing(copy));
        return NULL;
    }
    return copy;
}

/* ---- from data ---- */

struct data {
    struct machine *m;
    size_t shape[ND_MAX_AXES];
    unsigned n_axes;
    int dtype; /* of the numbers read so far; -1 before the first */
    struct ndarray *made;
    union nd_cell *next;
};

static bool is_sequence(struct value v)
{
    return value_is(v, THING_LIST) || value_is(v, THING_TUPLE);
}

static const struct value *items_of(struct value v, size_t *ret_n)
{
    if (value_is(v, THING_LIST)) {
        *ret_n = THING_AS(array, v)->n;
        return THING_AS(array, v)->items;
    }
    *ret_n = THING_AS(tuple, v)->n;
    return THING_AS(tuple, v)->items;
}

static bool ragged(struct data *data, unsigned depth)
{
    struct text shape = {0};
    struct ndarray seen = {.n_axes = depth};
    memcpy(seen.shape, data->shape, sizeof seen.shape);
    nd_write_shape(&seen, &shape);
    raise_error(
        data->m, ERROR_VALUE,
        "setting an array element with a sequence. The requested array has an inhomogeneous "
        "shape after %u dimensions. The detected shape was %s + inhomogeneous part.",
        depth, text_string(&shape));
    text_release(&shape);
    return false;
}

static bool survey(struct data *data, struct value v, unsigned depth, bool first);

static bool survey_axis(struct data *data, size_t n, unsigned depth, bool first)
{
    if (!first)
        return (depth < data->n_axes && data->shape[depth] == n) || ragged(data, depth);
    if (depth == ND_MAX_AXES)
        return raise_error(data->m, ERROR_VALUE, "arrays have up to %d axes in attn", ND_MAX_AXES);
    data->shape[data->n_axes++] = n;
    return true;
}

static bool survey_leaf(struct data *data, struct value v)
{
    int dtype = v.kind == VALUE_BOOL    ? DTYPE_BOOL
                : v.kind == VALUE_INT   ? DTYPE_INT64
                : v.kind == VALUE_FLOAT ? DTYPE_FLOAT64
                                        : -1;
    if (dtype < 0)
        return raise_error(data->m, ERROR_TYPE,
                           "arrays hold numbers in attn, and this is %s; keep it in a list",
                           value_class_name(data->m, v));
    data->dtype =
        data->dtype < 0 ? dtype : (int)nd_join((enum dtype)data->dtype, (enum dtype)dtype);
    return true;
}

static bool survey(struct data *data, struct value v, unsigned depth, bool first)
{
    size_t n;
    if (is_ndarray(v)) {
        const struct ndarray *a = as_ndarray(v);
        for (unsigned axis = 0; axis < a->n_axes; axis++)
            if (!survey_axis(data, a->shape[axis], depth + axis, first))
                return false;
        if (depth + a->n_axes != data->n_axes)
            return ragged(data, depth + a->n_axes);
        data->dtype =
            data->dtype < 0 ? (int)a->dtype : (int)nd_join((enum dtype)data->dtype, a->dtype);
        return true;
    }
    if (!is_sequence(v))
        return depth == data->n_axes ? survey_leaf(data, v) : ragged(data, depth);
    const struct value *items = items_of(v, &n);
    if (!survey_axis(data, n, depth, first))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!survey(data, items[i], depth + 1, first && i == 0))
            return false;
    return true;
}

static void fill(struct data *data, struct value v)
{
    size_t n, index[ND_MAX_AXES] = {0};
    ptrdiff_t at = 0;
    enum dtype to = data->made->dtype;
    if (is_ndarray(v)) {
        const struct ndarray *a = as_ndarray(v);
        if (nd_size(a) == 0)
            return;
        do
            *data->next++ = nd_cast(a->first[at], a->dtype, to);
        while (nd_step(a->n_axes, a->shape, index, 1, a->stride, &at));
    } else if (is_sequence(v)) {
        const struct value *items = items_of(v, &n);
        for (size_t i = 0; i < n; i++)
            fill(data, items[i]);
    } else {
        union nd_cell c = {.whole = v.as.whole};
        if (v.kind == VALUE_FLOAT)
            c.number = v.as.number;
        *data->next++ = nd_cast(c, v.kind == VALUE_FLOAT ? DTYPE_FLOAT64 : DTYPE_INT64, to);
    }
}

struct ndarray *nd_of_tensor(struct machine *m, struct tensor_thing *t, bool shares)
{
    struct node *node = tensor_node(m, t);
    if (node == NULL)
        return NULL;
    if (tensor_tracks(t)) {
        raise_error(m, ERROR_RUNTIME,
                    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
                    "instead.");
        return NULL;
    }
    if (t->dtype == DTYPE_COMPLEX64 || t->dtype == DTYPE_BFLOAT16 ||
        node->value.n_axes > ND_MAX_AXES) {
        raise_error(m, ERROR_TYPE, "attn has no array for a tensor of %s", dtypes[t->dtype].name);
        return NULL;
    }
    struct ndarray *a;
    if (shares) {
        bool fits = true;
        a = tensor_shared_array(m, t, &fits);
        if (a != NULL || fits)
            return a;
    }
    a = nd_new(m, t->dtype, node->value.n_axes, node->value.shape);
    size_t n = a ? nd_size(a) : 0;
    for (size_t i = 0; i < n; i++) {
        union nd_cell number = {.number = (double)tensor_at_position(&node->value, i)};
        a->first[i] = nd_cast(number, DTYPE_FLOAT64, t->dtype);
    }
    if (a != NULL)
        a->is_copy_of = true;
    return a;
}

struct ndarray *nd_of(struct machine *m, struct value v, int dtype)
{
    struct data data = {.m = m, .dtype = -1};
    struct array *list = NULL;
    if (value_is(v, THING_INSTANCE))
        v = value_payload(v);
    if (is_ndarray(v)) {
        struct ndarray *a = as_ndarray(v);
        if (dtype >= 0 && a->dtype != (enum dtype)dtype)
            return nd_copy(m, a, (enum dtype)dtype);
        return as_ndarray(value_take(v));
    }
    if (is_tensor(v)) {
        struct ndarray *a = nd_of_tensor(m, as_tensor(v), false), *cast = a;
        if (a != NULL && dtype >= 0 && a->dtype != (enum dtype)dtype) {
            cast = nd_copy(m, a, (enum dtype)dtype);
            value_drop(value_thing(a));
        }
        return cast;
    }
    if (value_is(v, THING_RANGE) || value_is(v, THING_VIEW)) {
        if (!value_to_array(m, v, &list))
            return NULL;
        v = value_thing(list);
    }
    bool ok = survey(&data, v, 0, true);
    if (ok) {
        enum dtype seen = data.dtype < 0 ? DTYPE_FLOAT64 : (enum dtype)data.dtype;
        data.made = nd_new(m, dtype < 0 ? seen : (enum dtype)dtype, data.n_axes, data.shape);
        if (data.made != NULL) {
            data.next = data.made->first;
            fill(&data, v);
        }
    }
    value_drop(value_thing(list));
    return ok ? data.made : NULL;
}

/* ---- indexing ---- */

/* x[...]: a view of x, in which some axes are picked from. */
struct reading {
    struct machine *m;
    struct ndarray *view;
    unsigned axis; /* next of x */
    unsigned n_axes;
    struct ndarray *pickers[ND_MAX_AXES]; /* whole numbers */
    unsigned picked_axes[ND_MAX_AXES];    /* of the view */
    unsigned n_pickers;
    const struct ndarray *x;
};

static bool too_many(struct reading *r, unsigned wanted)
{
    return raise_error(r->m, ERROR_INDEX,
                       "too many indices for array: array is %u-dimensional, but %u were indexed",
                       r->x->n_axes, wanted);
}

static bool add_axis(struct reading *r, size_t length, ptrdiff_t stride)
{
    if (r->n_axes == ND_MAX_AXES)
        return raise_error(r->m, ERROR_INDEX, "arrays have up to %d axes in attn", ND_MAX_AXES);
    r->view->shape[r->n_axes] = length;
    r->view->stride[r->n_axes++] = stride;
    return true;
}

static bool add_whole(struct reading *r)
{
    unsigned axis = r->axis++;
    return add_axis(r, r->x->shape[axis], r->x->stride[axis]);
}

static bool add_number(struct reading *r, int64_t at)
{
    int64_t n = (int64_t)r->x->shape[r->axis];
    if (at < -n || at >= n)
        return raise_error(r->m, ERROR_INDEX,
                           "index %lld is out of bounds for axis %u with size %lld", (long long)at,
                           r->axis, (long long)n);
    r->view->first += (ptrdiff_t)(at < 0 ? at + n : at) * r->x->stride[r->axis++];
    return true;
}

static bool slice_end(struct machine *m, struct value v, int64_t otherwise, int64_t low,
                      int64_t high, int64_t n, int64_t *ret)
{
    *ret = otherwise;
    if (v.kind == VALUE_NONE)
        return true;
    if (!value_whole(m, v, ret)) {
        raised_clear(m);
        return raise_error(m, ERROR_TYPE,
                           "slice indices must be integers or None or have an __index__ method");
    }
    *ret += *ret < 0 ? n : 0;
    *ret = *ret < low ? low : *ret > high ? high : *ret;
    return true;
}

static bool add_slice(struct reading *r, const struct slice *slice)
{
    int64_t n = (int64_t)r->x->shape[r->axis], step = 1, start, stop;
    if (slice->step.kind != VALUE_NONE && !value_whole(r->m, slice->step, &step))
        return false;
    if (step == 0)
        return raise_error(r->m, ERROR_VALUE, "slice step cannot be zero");
    step = step < -INT32_MAX ? -INT32_MAX : step > INT32_MAX ? INT32_MAX : step;
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    if (!slice_end(r->m, slice->start, step > 0 ? 0 : n - 1, low, high, n, &start) ||
        !slice_end(r->m, slice->stop, step > 0 ? n : -1, low, high, n, &stop))
        return false;
    int64_t span = step > 0 ? stop - start : start - stop, by = step > 0 ? step : -step;
    size_t count = span > 0 ? (size_t)((span + by - 1) / by) : 0;
    ptrdiff_t stride = r->x->stride[r->axis++];
    if (count > 0)
        r->view->first += (ptrdiff_t)start * stride;
    return add_axis(r, count, stride * (ptrdiff_t)(count > 1 ? step : 1));
}

/* Takes at over. */
static bool add_picker(struct reading *r, struct ndarray *at)
{
    if (at == NULL)
        return false;
    r->picked_axes[r->n_pickers] = r->n_axes;
    r->pickers[r->n_pickers++] = at;
    return add_whole(r);
}

static bool add_mask(struct reading *r, const struct ndarray *mask)
{
    size_t count = 0, index[ND_MAX_AXES] = {0};
    ptrdiff_t at = 0;
    for (unsigned axis = 0; axis < mask->n_axes; axis++)
        if (mask->shape[axis] != r->x->shape[r->axis + axis])
            return raise_error(r->m, ERROR_INDEX,
                               "boolean index did not match indexed array along dimension %u; "
                               "dimension is %zu but corresponding boolean dimension is %zu",
                               r->axis + axis, r->x->shape[r->axis + axis], mask->shape[axis]);
    size_t n = nd_size(mask);
    if (n > 0)
        do
            count += mask->first[at].whole != 0;
        while (nd_step(mask->n_axes, mask->shape, index, 1, mask->stride, &at));
    for (unsigned axis = 0; axis < mask->n_axes; axis++) {
        struct ndarray *picker = nd_new(r->m, DTYPE_INT64, 1, &count);
        size_t next = 0;
        if (picker == NULL)
            return false;
        at = 0;
        memset(index, 0, sizeof index);
        if (n > 0)
            do
                if (mask->first[at].whole != 0)
                    picker->first[next++].whole = (int64_t)index[axis];
            while (nd_step(mask->n_axes, mask->shape, index, 1, mask->stride, &at));
        if (!add_picker(r, picker))
            return false;
    }
    return true;
}

static bool is_picker(struct value v)
{
    return (is_ndarray(v) && !(as_ndarray(v)->n_axes == 0)) || is_sequence(v) || is_tensor(v) ||
           value_is(v, THING_RANGE);
}

static bool not_an_index(struct machine *m)
{
    return raise_error(m, ERROR_INDEX,
                       "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and "
                       "integer or boolean arrays are valid indices");
}

static bool add_item(struct reading *r, struct value v)
{
    int64_t whole;
    if (v.kind == VALUE_NONE)
        return add_axis(r, 1, 0);
    if (value_is(v, THING_SLICE))
        return add_slice(r, THING_AS(slice, v));
    if (is_picker(v)) {
        struct ndarray *at = nd_of(r->m, v, -1);
        if (at == NULL)
            return false;
        if (nd_size(at) == 0 && at->dtype == DTYPE_FLOAT64 && !is_ndarray(v))
            at->dtype = DTYPE_INT64;
        if (at->dtype == DTYPE_BOOL) {
            bool ok = add_mask(r, at);
            value_drop(value_thing(at));
            return ok;
        }
        if (nd_is_float(at->dtype)) {
            value_drop(value_thing(at));
            return raise_error(r->m, ERROR_INDEX,
                               "arrays used as indices must be of integer (or boolean) type");
        }
        return add_picker(r, at);
    }
    if (v.kind == VALUE_BOOL || v.kind == VALUE_FLOAT || v.kind == VALUE_STRING ||
        (is_ndarray(v) && dtypes[as_ndarray(v)->dtype].category != CATEGORY_WHOLE))
        return not_an_index(r->m);
    if (!value_whole(r->m, v, &whole)) {
        raised_clear(r->m);
        return not_an_index(r->m);
    }
    return add_number(r, whole);
}

static bool axes_taken(struct machine *m, struct value v, unsigned *ret)
{
    *ret = 1;
    if (v.kind == VALUE_NONE || value_identical(v, m->ellipsis))
        *ret = 0;
    else if (is_ndarray(v) && as_ndarray(v)->dtype == DTYPE_BOOL)
        *ret = as_ndarray(v)->n_axes;
    else if (is_sequence(v)) { /* nested lists of bools */
        size_t n;
        const struct value *items = items_of(v, &n);
        if (n > 0 && is_sequence(items[0])) {
            struct ndarray *mask = nd_of(m, v, -1);
            if (mask == NULL)
                return false;
            *ret = mask->dtype == DTYPE_BOOL ? mask->n_axes : 1;
            value_drop(value_thing(mask));
        }
    }
    return true;
}

static void reading_release(struct reading *r)
{
    for (unsigned i = 0; i < r->n_pickers; i++)
        value_drop(value_thing(r->pickers[i]));
    value_drop(value_thing(r->view));
}

static bool read_index(struct machine *m, const struct ndarray *x, struct value at,
                       struct reading *r)
{
    bool is_tuple = value_is(at, THING_TUPLE), has_ellipsis = false;
    const struct value *items = is_tuple ? THING_AS(tuple, at)->items : &at;
    size_t n = is_tuple ? THING_AS(tuple, at)->n : 1;
    unsigned taken = 0, one;
    *r = (struct reading){.m = m, .x = x, .view = nd_view(m, x)};
    if (r->view == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!axes_taken(m, items[i], &one))
            return false;
        taken += one;
        has_ellipsis = has_ellipsis || value_identical(items[i], m->ellipsis);
    }
    if (taken > x->n_axes)
        return too_many(r, taken);
    for (size_t i = 0; i < n; i++) {
        if (!value_identical(items[i], m->ellipsis)) {
            if (!add_item(r, items[i]))
                return false;
            continue;
        }
        for (unsigned k = taken; k < x->n_axes; k++)
            if (!add_whole(r))
                return false;
    }
    while (r->axis < x->n_axes)
        if (!add_whole(r))
            return false;
    r->view->n_axes = r->n_axes;
    return true;
}

/* What the pickers pick: the axes of their common shape stand where the pickers stood, or in front
 * where other axes lie between them. copy: from the view into other; else back. */
static bool pick(struct reading *r, struct ndarray *other, struct ndarray **ret_made)
{
    struct machine *m = r->m;
    struct ndarray *view = r->view;
    size_t common[ND_MAX_AXES], shape[ND_MAX_AXES], index[ND_MAX_AXES] = {0};
    ptrdiff_t picker_strides[ND_MAX_AXES][ND_MAX_AXES], strides[2][ND_MAX_AXES] = {{0}, {0}};
    unsigned n_common, n_axes = 0, first = r->picked_axes[0];
    bool is_picked[ND_MAX_AXES] = {false};
    for (unsigned i = 0; i < r->n_pickers; i++)
        is_picked[r->picked_axes[i]] = true;
    for (unsigned i = 1; i < r->n_pickers; i++)
        if (r->picked_axes[i] != r->picked_axes[i - 1] + 1)
            first = 0;
    if (!nd_broadcast_shape(m, r->pickers, r->n_pickers, common, &n_common)) {
        struct text shapes = {0};
        raised_clear(m);
        for (unsigned i = 0; i < r->n_pickers; i++) {
            nd_write_shape(r->pickers[i], &shapes);
            text_char(&shapes, ' ');
        }
        raise_error(
            m, ERROR_INDEX,
            "shape mismatch: indexing arrays could not be broadcast together with shapes %s",
            text_string(&shapes));
        text_release(&shapes);
        return false;
    }
    for (unsigned i = 0; i < r->n_pickers; i++)
        (void)nd_broadcast(r->pickers[i], n_common, common, picker_strides[i]);
    if (view->n_axes - r->n_pickers + n_common > ND_MAX_AXES)
        return raise_error(m, ERROR_INDEX, "arrays have up to %d axes in attn", ND_MAX_AXES);
    unsigned begin = first;
    for (unsigned axis = 0, done = 0; axis <= view->n_axes; axis++) {
        if (!done && axis == begin) {
            first = n_axes;
            for (unsigned k = 0; k < n_common; k++)
                shape[n_axes++] = common[k];
            done = 1;
        }
        if (axis < view->n_axes && !is_picked[axis]) {
            shape[n_axes] = view->shape[axis];
            strides[0][n_axes++] = view->stride[axis];
        }
    }
    struct ndarray *made = nd_new(m, view->dtype, n_axes, shape);
    bool ok = made != NULL && (other == NULL || nd_assign(m, made, other));
    if (ok && nd_size(made) > 0) {
        ptrdiff_t at[2] = {0, 0};
        memcpy(strides[1], made->stride, sizeof strides[1]);
        do {
            ptrdiff_t place = at[0];
            for (unsigned i = 0; ok && i < r->n_pickers; i++) {
                ptrdiff_t p = 0;
                unsigned axis = r->picked_axes[i];
                for (unsigned k = 0; k < n_common; k++)
                    p += (ptrdiff_t)index[first + k] * picker_strides[i][k];
                int64_t n = (int64_t)view->shape[axis], which = r->pickers[i]->first[p].whole;
                if (which < -n || which >= n)
                    ok = raise_error(m, ERROR_INDEX,
                                     "index %lld is out of bounds for axis %u with size %lld",
                                     (long long)which, axis, (long long)n);
                else
                    place += (ptrdiff_t)(which < 0 ? which + n : which) * view->stride[axis];
            }
            if (ok && other == NULL)
                made->first[at[1]] = view->first[place];
            else if (ok)
                view->first[place] = made->first[at[1]];
        } while (ok && nd_step(n_axes, shape, index, 2, strides[0], at));
    }
    if (ok && ret_made != NULL)
        *ret_made = made;
    else
        value_drop(value_thing(made));
    return ok;
}

bool nd_index_get(struct machine *m, struct ndarray *a, struct value at, struct value *ret)
{
    struct reading r;
    struct ndarray *made = NULL;
    if (a->is_scalar)
        return raise_error(m, ERROR_INDEX, "invalid index to scalar variable.");
    bool ok = read_index(m, a, at, &r);
    if (ok && r.n_pickers > 0) {
        ok = pick(&r, NULL, &made) && nd_result(made, ret);
    } else if (ok && r.n_axes == 0) {
        made = nd_new(m, a->dtype, 0, NULL);
        if (made != NULL)
            made->first[0] = r.view->first[0];
        ok = nd_result(made, ret);
    } else if (ok) {
        *ret = value_take(value_thing(r.view));
    }
    reading_release(&r);
    return ok;
}

bool nd_index_set(struct machine *m, struct ndarray *a, struct value at, struct value v)
{
    struct reading r;
    struct ndarray *from = nd_of(m, v, -1);
    if (from == NULL && raised_is(m, ERROR_VALUE)) {
        raised_clear(m);
        return raise_error(m, ERROR_VALUE, "setting an array element with a sequence.");
    }
    if (from == NULL)
        return false;
    if (a->is_scalar) {
        value_drop(value_thing(from));
        return raise_error(m, ERROR_TYPE, "'%s' object does not support item assignment",
                           value_class_name(m, value_thing(a)));
    }
    bool ok = read_index(m, a, at, &r);
    if (ok && a->is_copy_of && r.n_pickers > 0)
        ok = nd_assign(m, a, from); /* refuses */
    else if (ok && r.n_pickers > 0) {
        a->cells->n_writes++;
        ok = pick(&r, from, NULL);
    } else if (ok)
        ok = nd_assign(m, r.view, from);
    reading_release(&r);
    value_drop(value_thing(from));
    return ok;
}

/* ---- cells that a tensor shares ---- */

struct nd_link {
    struct ndarray window; /* how the tensor's numbers lie in the cells; it owns a share of them */
    uint64_t n_writes;     /* of the cells when they were last read or written */
};

struct nd_link *nd_link_new(const struct ndarray *a)
{
    struct nd_link *link = calloc(1, sizeof *link);
    if (link == NULL)
        return NULL;
    link->window = *a;
    link->n_writes = a->cells->n_writes;
    a->cells->n_owners++;
    return link;
}

void nd_link_free(struct nd_link *link)
{
    if (link != NULL)
        ndarray_let_go(&link->window);
    free(link);
}

bool nd_link_is_stale(const struct nd_link *link)
{
    return link->n_writes != link->window.cells->n_writes;
}

bool nd_link_is_alone(const struct nd_link *link)
{
    return link->window.cells->n_owners == 1;
}

static float cell_as_float32(const struct ndarray *a, union nd_cell cell)
{
    return nd_is_float(a->dtype) ? (float)cell.number : (float)cell.whole;
}

void nd_link_read(struct nd_link *link, float *data)
{
    const struct ndarray *a = &link->window;
    size_t index[ND_MAX_AXES] = {0}, n = 0;
    ptrdiff_t at = 0;
    link->n_writes = a->cells->n_writes;
    if (nd_size(a) > 0)
        do
            data[n++] = cell_as_float32(a, a->first[at]);
        while (nd_step(a->n_axes, a->shape, index, 1, a->stride, &at));
}

void nd_link_write(struct nd_link *link, const float *data)
{
    const struct ndarray *a = &link->window;
    size_t index[ND_MAX_AXES] = {0}, n = 0;
    ptrdiff_t at = 0;
    link->n_writes = ++a->cells->n_writes;
    if (nd_size(a) == 0)
        return;
    do {
        if (cell_as_float32(a, a->first[at]) != data[n])
            a->first[at] =
                nd_cast((union nd_cell){.number = (double)data[n]}, DTYPE_FLOAT64, a->dtype);
        n++;
    } while (nd_step(a->n_axes, a->shape, index, 1, a->stride, &at));
}

struct ndarray *nd_link_array(struct machine *m, const struct nd_link *link)
{
    return nd_view(m, &link->window);
}
