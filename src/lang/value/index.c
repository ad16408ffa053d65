/* See index.h. An index becomes one slice operation (start, count, step for each axis), with new
 * axes put in by a reshape after it. */
#include "lang/value/index.h"

#include <math.h>

#include "base/suggestion.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "show/labels.h"
#include "show/number.h"
#include "tensor/tensor.h"

/* The whole number a value holds. */
static bool whole_number(const struct value *value, ptrdiff_t *ret, struct error *reterr)
{
    char text[120];
    bool number = value->kind == VALUE_NODE && value->as.node->value.n_axes == 0;
    float x = number ? value->as.node->value.data[0] : 0;
    if (!number || x != floorf(x) || fabsf(x) > 1e9F)
        return error_set(
            reterr, ERR_TYPE, "an index must be a whole number, a range or a label, and this is %s",
            number ? number_short(x, 4, text) : value_describe(value, text, sizeof text));
    *ret = (ptrdiff_t)x;
    return true;
}

static bool outside(ptrdiff_t at, size_t length, unsigned axis, struct error *reterr)
{
    if (length == 0)
        return error_set(reterr, ERR_RANGE, "index %td: axis %u has no positions", at, axis);
    return error_set(reterr, ERR_RANGE,
                     "index %td: axis %u has %zu %s, 0 to %zu (or -%zu to -1 from its end)", at,
                     axis, length, length == 1 ? "position" : "positions", length - 1, length);
}

static bool label_position(const struct node *x, unsigned axis, const struct string *label,
                           ptrdiff_t *ret, struct error *reterr)
{
    const struct labels *labels = x->labels[axis];
    size_t n = labels_count(labels), at;
    char shown[48];
    error_quote(shown, sizeof shown, label->bytes, label->size);
    if (labels == NULL)
        return error_set(reterr, ERR_LABEL,
                         "\"%s\": axis %u has no labels; use its position, 0 to %zu", shown, axis,
                         x->value.shape[axis] ? x->value.shape[axis] - 1 : 0);
    at = labels_find(labels, label->bytes, label->size);
    *ret = (ptrdiff_t)at;
    if (at < n)
        return true;
    struct suggestion suggestion;
    struct text all = {0};
    suggestion_init(&suggestion, label->bytes, label->size);
    for (size_t i = 0; i < n; i++) {
        suggestion_try(&suggestion, labels_name(labels, i));
        if (i < 10)
            text_format(&all, "%s\"%s\"", i ? ", " : "", labels_name(labels, i));
    }
    if (suggestion.best[0] != '\0')
        error_set(reterr, ERR_LABEL, "\"%s\": no such label on axis %u; did you mean \"%s\"?",
                  shown, axis, suggestion.best);
    else
        error_set(reterr, ERR_LABEL, "\"%s\": no such label; axis %u has %s%s", shown, axis,
                  text_string(&all), n > 10 ? ", ..." : "");
    text_release(&all);
    return false;
}

/* One position: cut = {at, -1, 1}. */
static bool cut_position(const struct node *x, unsigned axis, const struct value *value,
                         ptrdiff_t *cut, struct error *reterr)
{
    size_t length = x->value.shape[axis];
    ptrdiff_t at;
    if (!(value->kind == VALUE_STRING ? label_position(x, axis, value->as.string, &at, reterr)
                                      : whole_number(value, &at, reterr)))
        return false;
    if (at < -(ptrdiff_t)length || at >= (ptrdiff_t)length)
        return outside(at, length, axis, reterr);
    cut[0] = at < 0 ? at + (ptrdiff_t)length : at;
    cut[1] = -1;
    cut[2] = 1;
    return true;
}

/* A bound of a slice: by number (clamped as Python does) or by label. */
static bool slice_bound(const struct node *x, unsigned axis, const struct value *value,
                        ptrdiff_t otherwise, ptrdiff_t low, ptrdiff_t high, ptrdiff_t *ret,
                        struct error *reterr)
{
    *ret = otherwise;
    if (value->kind == VALUE_ABSENT || value->kind == VALUE_NONE)
        return true;
    if (value->kind == VALUE_STRING)
        return label_position(x, axis, value->as.string, ret, reterr);
    if (!whole_number(value, ret, reterr))
        return false;
    if (*ret < 0)
        *ret += (ptrdiff_t)x->value.shape[axis];
    *ret = *ret < low ? low : *ret > high ? high : *ret;
    return true;
}

/* start:stop:step, with Python's rules. */
static bool cut_slice(const struct node *x, unsigned axis, const struct value *parts,
                      ptrdiff_t *cut, struct error *reterr)
{
    ptrdiff_t length = (ptrdiff_t)x->value.shape[axis], step = 1, start, stop;
    bool given = parts[2].kind != VALUE_ABSENT && parts[2].kind != VALUE_NONE;
    if (given && !whole_number(&parts[2], &step, reterr))
        return false;
    if (step == 0)
        return error_set(reterr, ERR_RANGE, "the step of a range can't be 0");
    ptrdiff_t low = step > 0 ? 0 : -1, high = step > 0 ? length : length - 1;
    if (!slice_bound(x, axis, &parts[0], step > 0 ? 0 : length - 1, low, high, &start, reterr) ||
        !slice_bound(x, axis, &parts[1], step > 0 ? length : -1, low, high, &stop, reterr))
        return false;
    ptrdiff_t way = step > 0 ? stop - start : start - stop, stride = step > 0 ? step : -step;
    cut[1] = way > 0 ? (way + stride - 1) / stride : 0;
    cut[0] = cut[1] > 0 ? start : 0;
    cut[2] = step;
    return true;
}

/* How the items spread over the axes of x. */
struct spread {
    ptrdiff_t cuts[3 * TENSOR_MAX_AXES];
    bool new_axis[2 * TENSOR_MAX_AXES]; /* in the order of the result's axes: is it a new one? */
    unsigned n_result;
};

static bool is_new_axis(const struct index_item *item)
{
    return item->kind == INDEX_VALUE && item->values[0].kind == VALUE_NONE;
}

/* Axes that the items name, without new ones and the ellipsis. */
static bool count_axes(const struct index_item *items, size_t n_items, const struct node *x,
                       unsigned *ret_n, struct error *reterr)
{
    size_t named = 0, ellipses = 0, news = 0, ranges = 0;
    for (size_t i = 0; i < n_items; i++) {
        ellipses += items[i].kind == INDEX_ELLIPSIS;
        ranges += items[i].kind == INDEX_SLICE;
        news += is_new_axis(&items[i]);
    }
    named = n_items - ellipses - news;
    if (ellipses > 1)
        return error_set(reterr, ERR_SYNTAX, "an index can have one ... only");
    if (named > x->value.n_axes) {
        char shape[TENSOR_SHAPE_TEXT];
        if (x->value.n_axes == 0)
            error_set(reterr, ERR_SHAPE, "a single number has no axes; leave out the index");
        else
            error_set(reterr, ERR_SHAPE, "%zu indices for %u %s: the tensor is %s", named,
                      x->value.n_axes, x->value.n_axes == 1 ? "axis" : "axes",
                      tensor_shape_text(&x->value, shape));
        return error_place(reterr, items[n_items - 1].begin, items[n_items - 1].end);
    }
    size_t picked = named - ranges; /* each position drops its axis */
    if (news + x->value.n_axes - picked > TENSOR_MAX_AXES)
        return error_set(reterr, ERR_LIMIT, "attn has at most %d axes", TENSOR_MAX_AXES);
    *ret_n = (unsigned)named;
    return true;
}

static void whole_axis(struct spread *spread, const struct node *x, unsigned axis)
{
    ptrdiff_t *cut = spread->cuts + 3 * axis;
    cut[0] = 0;
    cut[1] = (ptrdiff_t)x->value.shape[axis];
    cut[2] = 1;
    spread->new_axis[spread->n_result++] = false;
}

static bool spread_items(const struct node *x, const struct index_item *items, size_t n_items,
                         struct spread *spread, struct error *reterr)
{
    unsigned named = 0, axis = 0;
    if (!count_axes(items, n_items, x, &named, reterr))
        return false;
    for (size_t i = 0; i < n_items; i++) {
        const struct index_item *item = &items[i];
        if (item->kind == INDEX_ELLIPSIS) {
            for (unsigned left = x->value.n_axes - named; left > 0; left--)
                whole_axis(spread, x, axis++);
            continue;
        }
        if (is_new_axis(item)) {
            spread->new_axis[spread->n_result++] = true;
            continue;
        }
        ptrdiff_t *cut = spread->cuts + 3 * axis;
        bool ok = item->kind == INDEX_SLICE ? cut_slice(x, axis, item->values, cut, reterr)
                                            : cut_position(x, axis, &item->values[0], cut, reterr);
        if (!ok)
            return error_place(reterr, item->begin, item->end);
        if (cut[1] >= 0)
            spread->new_axis[spread->n_result++] = false;
        axis++;
    }
    while (axis < x->value.n_axes)
        whole_axis(spread, x, axis++);
    return true;
}

static struct node *index_node(struct builder *builder, struct node *x,
                               const struct index_item *items, size_t n_items, struct error *reterr)
{
    struct spread spread = {.n_result = 0};
    if (!spread_items(x, items, n_items, &spread, reterr))
        return NULL;
    struct node *cut =
        build_ints(builder, OP_SLICE, x, 3 * (size_t)x->value.n_axes, spread.cuts, 0);
    if (cut == NULL || spread.n_result == cut->value.n_axes)
        return cut;
    size_t shape[2 * TENSOR_MAX_AXES];
    unsigned next = 0;
    for (unsigned i = 0; i < spread.n_result; i++)
        shape[i] = spread.new_axis[i] ? 1 : cut->value.shape[next++];
    return build_reshape(builder, cut, spread.n_result, shape);
}

/* X[ids], ids a tensor of row numbers. */
static bool is_row_numbers(const struct index_item *items, size_t n_items)
{
    return n_items == 1 && items[0].kind == INDEX_VALUE && items[0].values[0].kind == VALUE_NODE &&
           items[0].values[0].as.node->value.n_axes > 0;
}

static bool index_list(const struct list *list, const struct index_item *items, size_t n_items,
                       struct value *ret, struct error *reterr)
{
    ptrdiff_t at;
    bool one = n_items == 1 && items[0].kind == INDEX_VALUE;
    if (one && !whole_number(&items[0].values[0], &at, reterr))
        return error_place(reterr, items[0].begin, items[0].end);
    if (!one)
        return error_set(reterr, ERR_TYPE, "a list takes one position, such as [0] or [-1]");
    if (at < -(ptrdiff_t)list->n || at >= (ptrdiff_t)list->n) {
        outside(at, list->n, 0, reterr);
        return error_place(reterr, items[0].begin, items[0].end);
    }
    *ret = value_share(&list->items[at < 0 ? at + (ptrdiff_t)list->n : at]);
    return true;
}

bool index_value(struct graph *graph, const struct value *object, const struct index_item *items,
                 size_t n_items, struct value *ret, struct error *reterr)
{
    if (object->kind == VALUE_LIST)
        return index_list(object->as.list, items, n_items, ret, reterr);
    char text[120];
    if (object->kind != VALUE_NODE)
        return error_set(reterr, ERR_TYPE, "%s can't be indexed; [ ] looks into tensors and lists",
                         value_describe(object, text, sizeof text));
    struct node *x = object->as.node;
    struct builder builder;
    builder_init(&builder, graph, reterr);
    struct node *found = NULL;
    if (is_row_numbers(items, n_items) && items[0].values[0].as.node->value.is_bool)
        error_set(reterr, ERR_TYPE,
                  "a boolean index would give a result of unknown length; write where(mask, x, 0) "
                  "or x.masked_fill(mask, 0)");
    else if (is_row_numbers(items, n_items))
        found = build2(&builder, OP_TAKE, x, items[0].values[0].as.node);
    else
        found = index_node(&builder, x, items, n_items, reterr);
    *ret = value_node(builder_result(&builder, found));
    builder_release(&builder);
    return ret->kind == VALUE_NODE;
}
