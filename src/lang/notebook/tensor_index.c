/* x[...] and x[...] = v as PyTorch has them: whole numbers, slices, None and ... make a view;
 * lists, tensors of whole numbers and masks pick numbers one by one. */
#include <stdlib.h>
#include <string.h>

#include "lang/notebook/tensor_internal.h"

enum { MAX_ITEMS = 16 };

/* An axis of the view that positions pick from. */
struct picker {
    unsigned axis;    /* of the view */
    struct tensor at; /* whole numbers */
};

/* What an index means for one tensor. */
struct reading {
    struct machine *m;
    struct tensor x; /* borrowed: its shape */
    ptrdiff_t cuts[3 * TENSOR_MAX_AXES];
    unsigned axis;                 /* next of x */
    size_t shape[TENSOR_MAX_AXES]; /* of the view, with new axes */
    unsigned n_axes;
    bool has_cuts, has_new;
    struct picker pickers[TENSOR_MAX_AXES];
    unsigned n_pickers;
    const char *grad_name;
};

static void reading_release(struct reading *r)
{
    for (unsigned i = 0; i < r->n_pickers; i++)
        tensor_release(&r->pickers[i].at);
}

static bool too_many(struct reading *r)
{
    return raise_error(r->m, ERROR_INDEX, "too many indices for tensor of dimension %u",
                       r->x.n_axes);
}

static bool add_axis(struct reading *r, size_t length)
{
    if (r->n_axes == TENSOR_MAX_AXES)
        return raise_error(r->m, ERROR_RUNTIME, "tensors have up to %d axes in attn",
                           TENSOR_MAX_AXES);
    r->shape[r->n_axes++] = length;
    return true;
}

static bool add_whole_axis(struct reading *r)
{
    ptrdiff_t *cut = r->cuts + 3 * (size_t)r->axis;
    cut[0] = 0;
    cut[1] = (ptrdiff_t)r->x.shape[r->axis];
    cut[2] = 1;
    return add_axis(r, r->x.shape[r->axis++]);
}

static bool out_of_bounds(struct reading *r, int64_t at, unsigned axis, size_t length)
{
    return raise_error(r->m, ERROR_INDEX,
                       "index %lld is out of bounds for dimension %u with size %zu", (long long)at,
                       axis, length);
}

static bool add_number(struct reading *r, int64_t at)
{
    if (r->axis >= r->x.n_axes)
        return r->x.n_axes == 0
                   ? raise_error(r->m, ERROR_INDEX,
                                 "invalid index of a 0-dim tensor. Use `tensor.item()` in Python "
                                 "or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a "
                                 "number")
                   : too_many(r);
    int64_t length = (int64_t)r->x.shape[r->axis];
    if (at < -length || at >= length)
        return out_of_bounds(r, at, r->axis, (size_t)length);
    ptrdiff_t *cut = r->cuts + 3 * (size_t)r->axis++;
    cut[0] = (ptrdiff_t)(at < 0 ? at + length : at);
    cut[1] = -1;
    cut[2] = 1;
    r->has_cuts = true;
    r->grad_name = "SelectBackward0";
    return true;
}

static bool slice_end(struct machine *m, struct value v, int64_t otherwise, int64_t n, int64_t *ret)
{
    *ret = otherwise;
    if (v.kind == VALUE_NONE)
        return true;
    if (!value_whole(m, v, ret)) {
        raised_clear(m);
        return raise_error(m, ERROR_TYPE,
                           "slice indices must be integers or None or have an "
                           "__index__ method");
    }
    *ret += *ret < 0 ? n : 0;
    *ret = *ret < 0 ? 0 : *ret > n ? n : *ret;
    return true;
}

static bool add_slice(struct reading *r, const struct slice *slice)
{
    int64_t start, stop, step = 1;
    if (r->axis >= r->x.n_axes)
        return r->x.n_axes == 0
                   ? raise_error(r->m, ERROR_INDEX, "slice() cannot be applied to a 0-dim tensor.")
                   : too_many(r);
    int64_t n = (int64_t)r->x.shape[r->axis];
    if ((slice->step.kind != VALUE_NONE && !value_whole(r->m, slice->step, &step)) ||
        !slice_end(r->m, slice->start, 0, n, &start) || !slice_end(r->m, slice->stop, n, n, &stop))
        return false;
    if (step <= 0)
        return raise_error(r->m, ERROR_VALUE, "step must be greater than zero");
    ptrdiff_t *cut = r->cuts + 3 * (size_t)r->axis++;
    size_t count = stop > start ? (size_t)((stop - start - 1) / step + 1) : 0;
    cut[0] = (ptrdiff_t)(count > 0 ? start : 0);
    cut[1] = (ptrdiff_t)count;
    cut[2] = (ptrdiff_t)(count > 1 ? step : 1);
    if (count != (size_t)n || step != 1) {
        r->has_cuts = true;
        r->grad_name = "SliceBackward0";
    }
    return add_axis(r, count);
}

static bool add_new(struct reading *r)
{
    r->has_new = true;
    r->grad_name = "UnsqueezeBackward0";
    return add_axis(r, 1);
}

/* Takes *at over. */
static bool add_picker(struct reading *r, struct tensor *at)
{
    if (r->axis >= r->x.n_axes) {
        tensor_release(at);
        return too_many(r);
    }
    r->pickers[r->n_pickers++] = (struct picker){r->n_axes, *at};
    return add_whole_axis(r);
}

/* A mask stands for the positions at which it is True, on each of its axes. */
static bool add_mask(struct reading *r, const struct tensor *mask, unsigned which)
{
    size_t n = tensor_size(mask), count = 0, index[TENSOR_MAX_AXES];
    struct error error = {0};
    if (r->axis + mask->n_axes > r->x.n_axes)
        return too_many(r);
    for (unsigned axis = 0; axis < mask->n_axes; axis++)
        if (mask->shape[axis] != r->x.shape[r->axis + axis]) {
            struct text shapes = {0};
            text_put(&shapes, "The shape of the mask ");
            tensor_write_shape(mask, &shapes);
            text_format(&shapes, " at index %u does not match the shape of the indexed tensor ",
                        axis);
            tensor_write_shape(&r->x, &shapes);
            raise_error(r->m, ERROR_INDEX, "%s at index %u", text_string(&shapes), r->axis + axis);
            text_release(&shapes);
            return false;
        }
    (void)which;
    for (size_t i = 0; i < n; i++)
        count += tensor_at_position(mask, i) != 0;
    for (unsigned axis = 0; axis < mask->n_axes; axis++) {
        struct tensor at;
        size_t next = 0;
        if (!tensor_empty(1, &count, &at, &error))
            return raise_graph_error(r->m, &error);
        for (size_t i = 0; i < n; i++) {
            if (tensor_at_position(mask, i) == 0)
                continue;
            tensor_index_of(mask, i, index);
            at.data[next++] = (float)index[axis];
        }
        if (!add_picker(r, &at))
            return false;
    }
    return true;
}

static bool add_tensor(struct reading *r, struct tensor_thing *t, unsigned which)
{
    struct node *node = tensor_node(r->m, t);
    if (node == NULL)
        return false;
    if (t->dtype == DTYPE_BOOL || t->dtype == DTYPE_UINT8)
        return node->value.n_axes == 0
                   ? raise_error(r->m, ERROR_INDEX,
                                 "attn does not read a single True or False as an index")
                   : add_mask(r, &node->value, which);
    if (dtypes[t->dtype].category != CATEGORY_WHOLE)
        return raise_error(r->m, ERROR_INDEX,
                           "tensors used as indices must be long, byte or bool tensors");
    if (node->value.n_axes == 0)
        return add_number(r, (int64_t)node->value.data[0]);
    struct tensor at = tensor_share(&node->value);
    return add_picker(r, &at);
}

static bool is_list(struct value v)
{
    return value_is(v, THING_LIST) || value_is(v, THING_RANGE);
}

/* How many axes of x an item takes. */
static bool item_axes(struct reading *r, struct value v, unsigned *ret)
{
    *ret = 1;
    if (v.kind == VALUE_NONE || value_identical(v, r->m->ellipsis)) {
        *ret = 0;
    } else if (is_tensor(v) && as_tensor(v)->dtype == DTYPE_BOOL) {
        struct node *node = tensor_node(r->m, as_tensor(v));
        if (node == NULL)
            return false;
        *ret = node->value.n_axes;
    }
    return true;
}

static bool add_item(struct reading *r, struct value v, unsigned which)
{
    int64_t whole;
    struct value made;
    if (v.kind == VALUE_NONE)
        return add_new(r);
    if (value_is(v, THING_SLICE))
        return add_slice(r, THING_AS(slice, v));
    if (is_tensor(v))
        return add_tensor(r, as_tensor(v), which);
    if (is_list(v) || value_is(v, THING_TUPLE)) {
        if (!tensor_from_data(r->m, v, -1, &made))
            return false;
        bool is_empty = tensor_node(r->m, as_tensor(made)) != NULL &&
                        tensor_size(&as_tensor(made)->place->node->value) == 0;
        if (is_empty)
            as_tensor(made)->dtype = DTYPE_INT64;
        bool ok = add_tensor(r, as_tensor(made), which);
        value_drop(made);
        return ok;
    }
    if (v.kind == VALUE_FLOAT || v.kind == VALUE_STRING)
        return raise_error(r->m, ERROR_INDEX,
                           "only integers, slices (`:`), ellipsis (`...`), None and long or byte "
                           "Variables are valid indices (got %s)",
                           value_class_name(r->m, v));
    if (v.kind == VALUE_BOOL)
        return raise_error(r->m, ERROR_INDEX,
                           "attn does not read a single True or False as an index");
    return value_whole(r->m, v, &whole) && add_number(r, whole);
}

/* An index does not see the last axis of a complex tensor, which holds its two parts. */
static bool read_index(struct machine *m, const struct tensor *x, enum dtype dtype, struct value at,
                       struct reading *r)
{
    bool is_complex = dtype == DTYPE_COMPLEX64;
    unsigned n_axes = x->n_axes - is_complex;
    bool is_tuple = value_is(at, THING_TUPLE), has_ellipsis = false;
    const struct value *items = is_tuple ? THING_AS(tuple, at)->items : &at;
    size_t n = is_tuple ? THING_AS(tuple, at)->n : 1;
    unsigned taken = 0, one;
    *r = (struct reading){.m = m, .x = *x, .grad_name = "AliasBackward0"};
    if (n > MAX_ITEMS)
        return too_many(r);
    for (size_t i = 0; i < n; i++) {
        if (!item_axes(r, items[i], &one))
            return false;
        taken += one;
        has_ellipsis = has_ellipsis || value_identical(items[i], m->ellipsis);
    }
    if (taken > n_axes && (n_axes > 0 || is_tuple || is_complex))
        return too_many(r);
    for (size_t i = 0; i < n; i++) {
        if (!value_identical(items[i], m->ellipsis)) {
            if (!add_item(r, items[i], (unsigned)i))
                return false;
            continue;
        }
        for (unsigned k = taken; k < n_axes; k++)
            if (!add_whole_axis(r))
                return false;
    }
    while (r->axis < x->n_axes)
        if (!add_whole_axis(r))
            return false;
    return true;
}

/* The view that whole numbers, slices and None make. */
static bool view_of(struct reading *r, struct tensor_thing *t, struct value *ret)
{
    struct value cut = value_absent();
    ptrdiff_t shape[TENSOR_MAX_AXES];
    const char *name = r->grad_name;
    if (r->has_cuts &&
        !tensor_make_view(r->m, t, OP_SLICE, 3 * (size_t)r->x.n_axes, r->cuts, name, &cut))
        return false;
    if (r->has_cuts && !r->has_new) {
        *ret = cut;
        return true;
    }
    for (unsigned axis = 0; axis < r->n_axes; axis++)
        shape[axis] = (ptrdiff_t)r->shape[axis];
    bool ok = tensor_make_view(r->m, r->has_cuts ? as_tensor(cut) : t, OP_RESHAPE, r->n_axes, shape,
                               name, ret);
    value_drop(cut);
    return ok;
}

/* The shape of what the pickers pick, and its positions in a tensor with the shape of the view. */
struct picked {
    unsigned n_axes;
    size_t shape[TENSOR_MAX_AXES];
    size_t n;
    size_t *positions;
};

static bool pick_shape(struct reading *r, unsigned *ret_first, struct tensor *ret_all,
                       struct picked *picked)
{
    struct error error = {0};
    bool apart = false;
    struct tensor all = r->pickers[0].at; /* shape alone */
    for (unsigned i = 1; i < r->n_pickers; i++) {
        size_t shape[TENSOR_MAX_AXES];
        unsigned n_axes;
        apart = apart || r->pickers[i].axis != r->pickers[i - 1].axis + 1;
        if (!tensor_broadcast_shape(&all, &r->pickers[i].at, &n_axes, shape, &error)) {
            struct text shapes = {0};
            for (unsigned k = 0; k < r->n_pickers; k++) {
                text_put(&shapes, k ? ", " : "");
                tensor_write_shape(&r->pickers[k].at, &shapes);
            }
            raise_error(r->m, ERROR_INDEX,
                        "shape mismatch: indexing tensors could not be broadcast together with "
                        "shapes %s",
                        text_string(&shapes));
            text_release(&shapes);
            return false;
        }
        all.n_axes = n_axes;
        memcpy(all.shape, shape, sizeof shape);
    }
    unsigned first = apart ? 0 : r->pickers[0].axis, next = 0;
    if (r->n_axes - r->n_pickers + all.n_axes > TENSOR_MAX_AXES)
        return raise_error(r->m, ERROR_RUNTIME, "tensors have up to %d axes in attn",
                           TENSOR_MAX_AXES);
    bool placed = false;
    for (unsigned axis = 0, k = 0; axis <= r->n_axes; axis++) {
        if (!placed && axis == first) {
            memcpy(picked->shape + next, all.shape, all.n_axes * sizeof *all.shape);
            next += all.n_axes;
            placed = true;
        }
        if (axis == r->n_axes)
            break;
        if (k < r->n_pickers && r->pickers[k].axis == axis)
            k++;
        else
            picked->shape[next++] = r->shape[axis];
    }
    picked->n_axes = next;
    *ret_first = first;
    *ret_all = all;
    return true;
}

/* The caller frees ret->positions. */
static bool pick(struct reading *r, struct picked *ret)
{
    unsigned first = 0;
    struct tensor all, at[TENSOR_MAX_AXES];
    struct error error = {0};
    *ret = (struct picked){0};
    if (!pick_shape(r, &first, &all, ret))
        return false;
    ret->n = 1;
    for (unsigned axis = 0; axis < ret->n_axes; axis++)
        ret->n *= ret->shape[axis];
    if (ret->n > TENSOR_MAX_SIZE)
        return raise_error(r->m, ERROR_RUNTIME, "this index picks %zu numbers, too many", ret->n);
    ret->positions = malloc((ret->n + 1) * sizeof *ret->positions);
    if (ret->positions == NULL)
        return raise_memory(r->m);
    bool ok = true;
    unsigned n_at = 0;
    for (; ok && n_at < r->n_pickers; n_at += ok)
        ok = tensor_broadcast(&r->pickers[n_at].at, all.n_axes, all.shape, &at[n_at], &error) ||
             raise_graph_error(r->m, &error);
    struct tensor shape = {.n_axes = ret->n_axes}, view = {.n_axes = r->n_axes};
    memcpy(shape.shape, ret->shape, sizeof shape.shape);
    memcpy(view.shape, r->shape, sizeof view.shape);
    for (size_t i = 0; ok && i < ret->n; i++) {
        size_t index[TENSOR_MAX_AXES], from[TENSOR_MAX_AXES];
        tensor_index_of(&shape, i, index);
        unsigned next = first == 0 ? all.n_axes : 0;
        for (unsigned axis = 0, k = 0; ok && axis < r->n_axes; axis++) {
            if (axis == first && first > 0)
                next += all.n_axes;
            if (k >= r->n_pickers || r->pickers[k].axis != axis) {
                from[axis] = index[next++];
                continue;
            }
            float where = tensor_at(&at[k++], index + first);
            float length = (float)r->shape[axis];
            if (!(where >= -length && where < length))
                ok = out_of_bounds(r, (int64_t)where, axis, r->shape[axis]);
            else
                from[axis] = (size_t)(where < 0 ? where + length : where);
        }
        if (ok)
            ret->positions[i] = tensor_position_of(&view, from);
    }
    for (unsigned i = 0; i < n_at; i++)
        tensor_release(&at[i]);
    if (!ok)
        free(ret->positions);
    return ok;
}

/* The numbers that the pickers pick from the view. */
static bool get_picked(struct reading *r, struct value view, struct value *ret)
{
    struct picked picked;
    struct work work;
    work_begin(&work, r->m);
    struct node *x = work_tensor(&work, as_tensor(view)), *made = NULL;
    if (x == NULL || !pick(r, &picked))
        return work_stop(&work, false);
    ptrdiff_t *ints = malloc((1 + picked.n_axes + picked.n) * sizeof *ints);
    bool ok = ints != NULL || raise_memory(r->m);
    if (ok) {
        ints[0] = picked.n_axes;
        for (unsigned axis = 0; axis < picked.n_axes; axis++)
            ints[1 + axis] = (ptrdiff_t)picked.shape[axis];
        for (size_t i = 0; i < picked.n; i++)
            ints[1 + picked.n_axes + i] = (ptrdiff_t)picked.positions[i];
        made = build_ints(&work.b, OP_PICK, x, 1 + picked.n_axes + picked.n, ints, 0);
    }
    free(ints);
    free(picked.positions);
    return work_end(&work, made, as_tensor(view)->dtype, "IndexBackward0", ret);
}

bool tensor_index_get(struct machine *m, struct tensor_thing *t, struct value at, struct value *ret)
{
    struct reading r;
    struct node *node = tensor_node(m, t);
    if (node == NULL)
        return false;
    struct value view = value_absent();
    bool ok = read_index(m, &node->value, t->dtype, at, &r) && view_of(&r, t, &view);
    if (ok && r.n_pickers > 0)
        ok = get_picked(&r, view, ret);
    else if (ok)
        *ret = value_take(view);
    value_drop(view);
    reading_release(&r);
    return ok;
}

/* ---- assigning ---- */

/* value repeated to a shape; axes of 1 before it are read over. */
static struct node *spread(struct work *work, struct node *value, enum dtype dtype, unsigned n_axes,
                           const size_t *shape, bool is_picked)
{
    if (value == NULL)
        return NULL;
    ptrdiff_t to[TENSOR_MAX_AXES];
    unsigned extra = 0;
    while (value->value.n_axes - extra > n_axes && value->value.shape[extra] == 1)
        extra++;
    if (extra > 0)
        value =
            build_reshape(&work->b, value, value->value.n_axes - extra, value->value.shape + extra);
    struct tensor view, wanted = {.n_axes = n_axes};
    memcpy(wanted.shape, shape, n_axes * sizeof *shape);
    if (value != NULL && !tensor_broadcast(&value->value, n_axes, shape, &view, NULL)) {
        struct text from = {0}, into = {0};
        tensor_write_shape(&value->value, &from);
        tensor_write_shape(&wanted, &into);
        unsigned n = value->value.n_axes, axis = n_axes;
        while (axis-- > 0 && n_axes - axis <= n) {
            size_t own = value->value.shape[n - (n_axes - axis)];
            if (own != 1 && own != shape[axis])
                break;
        }
        if (is_picked)
            raise_error(work->m, ERROR_RUNTIME,
                        "shape mismatch: value tensor of shape %s cannot be broadcast to indexing "
                        "result of shape %s",
                        text_string(&from), text_string(&into));
        else if (n > n_axes)
            raise_error(work->m, ERROR_RUNTIME,
                        "expand(CPU%sType{%s}, size=%s): the number of sizes provided (%u) "
                        "must be greater or equal to the number of dimensions in the tensor (%u)",
                        dtypes[dtype].scalar, text_string(&from), text_string(&into), n_axes, n);
        else
            raise_error(work->m, ERROR_RUNTIME,
                        "The expanded size of the tensor (%zu) must match the existing size (%zu) "
                        "at non-singleton dimension %u.  Target sizes: %s.  Tensor sizes: %s",
                        shape[axis], value->value.shape[n - (n_axes - axis)], axis,
                        text_string(&into), text_string(&from));
        text_release(&from);
        text_release(&into);
        work->b.failed = true;
        return NULL;
    }
    if (value == NULL)
        return NULL;
    tensor_release(&view);
    for (unsigned axis = 0; axis < n_axes; axis++)
        to[axis] = (ptrdiff_t)shape[axis];
    return build_ints(&work->b, OP_EXPAND, value, n_axes, to, 0);
}

static bool set_view(struct reading *r, struct value view, enum dtype dtype, struct value v)
{
    struct work work;
    struct picked picked = {0};
    work_begin(&work, r->m);
    struct value made = value_absent();
    if ((value_is(v, THING_LIST) || value_is(v, THING_TUPLE)) &&
        tensor_from_data(r->m, v, -1, &made))
        v = made;
    struct node *value = work_operand(&work, v);
    enum dtype from = is_tensor(v) ? as_tensor(v)->dtype : (enum dtype)work.promotion.python;
    value = work_cast(&work, value, from, dtype);
    bool ok = value != NULL && tensor_check_whole(r->m, &value->value, dtype);
    if (ok && r->n_pickers > 0) {
        ok = pick(r, &picked);
        value = ok ? spread(&work, value, from, picked.n_axes, picked.shape, true) : NULL;
        ok = value != NULL && tensor_write_at(r->m, as_tensor(view), picked.positions, picked.n,
                                              value, work.tracks, "IndexPutBackward0");
        free(picked.positions);
    } else if (ok) {
        value = spread(&work, value, from, r->n_axes, r->shape, false);
        ok = value != NULL && tensor_write(r->m, as_tensor(view), value, work.tracks, "CopySlices");
    }
    ok = work_stop(&work, ok);
    value_drop(made);
    return ok;
}

bool tensor_index_set(struct machine *m, struct tensor_thing *t, struct value at, struct value v)
{
    struct reading r;
    struct node *node = tensor_node(m, t);
    if (node == NULL)
        return false;
    if (t->dtype == DTYPE_COMPLEX64)
        return raise_error(m, ERROR_RUNTIME, "attn does not assign to parts of complex tensors");
    struct value view = value_absent();
    bool ok = read_index(m, &node->value, t->dtype, at, &r);
    if (ok && (r.has_cuts || r.has_new))
        ok = view_of(&r, t, &view);
    else if (ok)
        view = value_take(value_thing(t));
    ok = ok && set_view(&r, view, t->dtype, v);
    value_drop(view);
    reading_release(&r);
    return ok;
}
