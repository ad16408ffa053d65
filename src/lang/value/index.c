/* See index.h. An index becomes one slice operation (start, count, step for each axis), with new
 * axes put in by a reshape after it; a list of positions one take operation after that. */
#include "lang/value/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "lang/value/value.h"
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
            reterr, ERR_TYPE,
            "an index must be a whole number, a range, a label or a list of positions, and this is "
            "%s",
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

/* What a token's label says of the blank before it (token_show(): U+2423), which nobody types. */
static const char blank_sign[] = "\xE2\x90\xA3";

/* A label or what was typed for it, without the blank in front. */
static const char *without_blank(const char *name, size_t *size)
{
    size_t sign = sizeof blank_sign - 1;
    if (*size > sign && memcmp(name, blank_sign, sign) == 0) {
        *size -= sign;
        return name + sign;
    }
    if (*size > 1 && name[0] == ' ') {
        *size -= 1;
        return name + 1;
    }
    return name;
}

/* The positions that have a name, the first of them. */
enum { PLACES = 4 };
struct places {
    size_t n, at[PLACES];
};

/* bare: but for a blank in front. */
static bool is_named(const struct labels *labels, size_t i, const char *name, size_t size,
                     bool bare)
{
    const char *own = labels_name(labels, i);
    size_t own_size = strlen(own);
    if (bare) {
        own = without_blank(own, &own_size);
        name = without_blank(name, &size);
    }
    return own_size == size && memcmp(own, name, size) == 0;
}

/* Positions named so; where there are none, those named so but for a blank in front. */
static struct places find_places(const struct labels *labels, const char *name, size_t size)
{
    struct places places = {.n = 0};
    for (int bare = 0; bare < 2 && places.n == 0; bare++)
        for (size_t i = 0; i < labels_count(labels); i++)
            if (is_named(labels, i, name, size, bare)) {
                if (places.n < PLACES)
                    places.at[places.n] = i;
                places.n++;
            }
    return places;
}

/* "the@5" says which of several "the" is meant. The size of the name, and the place behind it; 0
 * where this is none. */
static size_t split_place(const struct string *label, size_t *ret)
{
    const char *sign = label->size > 0 ? strrchr(label->bytes, '@') : NULL;
    size_t n_digits = sign != NULL ? strspn(sign + 1, "0123456789") : 0;
    if (n_digits == 0 || n_digits > 9 || sign[1 + n_digits] != '\0')
        return 0;
    *ret = (size_t)strtoul(sign + 1, NULL, 10);
    return (size_t)(sign - label->bytes);
}

/* Adds "0 and 5", "0, 2, 5, 7, ...". */
static void write_places(const struct places *places, struct text *text)
{
    for (size_t i = 0; i < places->n && i < PLACES; i++)
        text_format(text, "%s%zu", i == 0 ? "" : i + 1 < places->n ? ", " : " and ", places->at[i]);
    text_put(text, places->n > PLACES ? ", ..." : "");
}

/* A name that stands several times is no position: which one is meant has to be said. */
static bool stands_often(const struct string *label, const struct places *places,
                         struct error *reterr)
{
    char shown[48];
    struct text all = {0};
    size_t last = places->at[places->n < PLACES ? places->n - 1 : PLACES - 1];
    error_quote(shown, sizeof shown, label->bytes, label->size);
    write_places(places, &all);
    error_set(reterr, ERR_LABEL,
              "there are %zu \"%s\", at %s: say which, as \"%s@%zu\" or by its position, %zu",
              places->n, shown, text_string(&all), shown, last, last);
    text_release(&all);
    return false;
}

/* "the@5": the label of size bytes must stand at `at`. */
static bool check_place(const struct labels *labels, const struct string *label, size_t size,
                        size_t at, const struct places *places, struct error *reterr)
{
    char shown[48];
    struct text all = {0};
    if (at < labels_count(labels) && is_named(labels, at, label->bytes, size, true))
        return true;
    error_quote(shown, sizeof shown, label->bytes, size);
    write_places(places, &all);
    error_set(reterr, ERR_LABEL, "\"%s@%zu\": \"%s\" stands at %s", shown, at, shown,
              text_string(&all));
    text_release(&all);
    return false;
}

static bool label_position(const struct node *x, unsigned axis, const struct string *label,
                           ptrdiff_t *ret, struct error *reterr)
{
    const struct labels *labels = x->labels[axis];
    size_t n = labels_count(labels), size, at;
    char shown[48];
    error_quote(shown, sizeof shown, label->bytes, label->size);
    if (labels == NULL)
        return error_set(reterr, ERR_LABEL,
                         "\"%s\": axis %u has no labels; use its position, 0 to %zu", shown, axis,
                         x->value.shape[axis] ? x->value.shape[axis] - 1 : 0);
    struct places places = find_places(labels, label->bytes, label->size);
    if (places.n > 1)
        return stands_often(label, &places, reterr);
    *ret = (ptrdiff_t)places.at[0];
    if (places.n == 1)
        return true;
    if ((size = split_place(label, &at)) > 0 &&
        (places = find_places(labels, label->bytes, size)).n > 0) {
        *ret = (ptrdiff_t)at;
        return check_place(labels, label, size, at, &places, reterr);
    }
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

/* ---- lists of positions ---- */

/* A list holding a label is one of positions; one of numbers alone is a tuple, which has another
 * meaning in Python. */
static bool is_label_list(const struct list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].kind == VALUE_STRING)
            return true;
    return list->n == 0;
}

static bool is_positions(const struct index_item *item)
{
    const struct value *value = &item->values[0];
    if (item->kind != INDEX_VALUE)
        return false;
    return value->kind == VALUE_NODE ? value->as.node->value.n_axes > 0
                                     : value->kind == VALUE_LIST && is_label_list(value->as.list);
}

/* The one item that is a list of positions; n_items where there is none. */
static bool find_positions(const struct index_item *items, size_t n_items, size_t *ret,
                           struct error *reterr)
{
    *ret = n_items;
    for (size_t i = 0; i < n_items; i++) {
        if (!is_positions(&items[i]))
            continue;
        if (*ret < n_items)
            return error_set(reterr, ERR_TYPE,
                             "two lists in one index pick pairs in numpy and PyTorch, which attn "
                             "does not do; for some rows and then some columns write two indices, "
                             "X[rows][:, columns]") ||
                   error_place(reterr, items[i].begin, items[i].end);
        *ret = i;
    }
    return true;
}

/* The positions that a list of labels and numbers names on an axis of x, as a leaf. */
static struct node *label_positions(struct builder *builder, const struct node *x, unsigned axis,
                                    const struct list *list, struct error *reterr)
{
    struct tensor ids;
    struct text text = {0};
    struct node *node = NULL;
    if (!tensor_zeros(1, &list->n, &ids, reterr))
        return NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < list->n; i++) {
        ptrdiff_t cut[3];
        const struct value *item = &list->items[i];
        ok = cut_position(x, axis, item, cut, reterr);
        ids.data[i] = ok ? (float)cut[0] : 0;
        if (item->kind == VALUE_STRING)
            text_format(&text, "%s\"%s\"", i ? ", " : "[", item->as.string->bytes);
        else
            text_format(&text, "%s%.0f", i ? ", " : "[", (double)ids.data[i]);
    }
    text_put(&text, list->n > 0 ? "]" : "[]");
    if (ok && text.failed)
        ok = error_memory(reterr, "an index");
    if (ok)
        node = build_input(builder, &ids, text_string(&text));
    else
        tensor_release(&ids);
    text_release(&text);
    return node;
}

/* The axis that item `at` is about: in x, and in what the other items leave of x. */
static void axis_of_item(const struct node *x, const struct index_item *items, size_t n_items,
                         size_t at, unsigned *ret_axis, unsigned *ret_result)
{
    unsigned named = 0;
    *ret_axis = *ret_result = 0;
    for (size_t i = 0; i < n_items; i++)
        named += items[i].kind != INDEX_ELLIPSIS && !is_new_axis(&items[i]);
    for (size_t i = 0; i < at; i++) {
        unsigned whole = items[i].kind == INDEX_ELLIPSIS ? x->value.n_axes - named : 1;
        *ret_axis += is_new_axis(&items[i]) ? 0 : whole;
        *ret_result += items[i].kind == INDEX_VALUE && !is_new_axis(&items[i]) ? 0 : whole;
    }
}

/* x[items] where item `at` is a list: all other items first, as in PyTorch, then the positions. */
static struct node *index_positions(struct builder *builder, struct node *x,
                                    struct index_item *items, size_t n_items, size_t at,
                                    struct error *reterr)
{
    const struct value positions = items[at].values[0];
    unsigned axis, result_axis;
    bool alone = true;
    items[at].kind = INDEX_SLICE;
    items[at].values[0] = (struct value){.kind = VALUE_ABSENT};
    for (size_t i = 0; i < n_items; i++)
        alone = alone && items[i].kind == INDEX_SLICE && items[i].values[0].kind == VALUE_ABSENT &&
                items[i].values[1].kind == VALUE_ABSENT && items[i].values[2].kind == VALUE_ABSENT;
    struct node *rest =
        alone && n_items <= x->value.n_axes ? x : index_node(builder, x, items, n_items, reterr);
    struct node *ids = NULL;
    if (rest != NULL) {
        axis_of_item(x, items, n_items, at, &axis, &result_axis);
        ids = positions.kind == VALUE_NODE
                  ? positions.as.node
                  : label_positions(builder, x, axis, positions.as.list, reterr);
    }
    struct node *found = NULL;
    if (ids != NULL)
        found = build_many(builder, OP_TAKE, 2, (struct node *const[]){rest, ids}, 1,
                           &(ptrdiff_t){result_axis});
    items[at].kind = INDEX_VALUE;
    items[at].values[0] = positions;
    if (found == NULL && rest != NULL)
        error_place(reterr, items[at].begin, items[at].end);
    return found;
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

static bool boolean_index(const struct index_item *item, struct error *reterr)
{
    const struct value *value = &item->values[0];
    if (value->kind != VALUE_NODE || !value->as.node->value.is_bool)
        return false;
    error_set(reterr, ERR_TYPE,
              "a boolean index would give a result of unknown length; write where(mask, x, 0) "
              "or x.masked_fill(mask, 0)");
    return true;
}

bool index_value(struct graph *graph, const struct value *object, struct index_item *items,
                 size_t n_items, struct value *ret, struct error *reterr)
{
    if (object->kind == VALUE_LIST)
        return index_list(object->as.list, items, n_items, ret, reterr);
    char text[120];
    if (object->kind == VALUE_OBJECT && object->as.object->class->index != NULL)
        return object->as.object->class->index(object->as.object, graph, items, n_items, ret,
                                               reterr);
    if (object->kind != VALUE_NODE)
        return error_set(reterr, ERR_TYPE, "%s can't be indexed; [ ] looks into tensors and lists",
                         value_describe(object, text, sizeof text));
    size_t at;
    if (!find_positions(items, n_items, &at, reterr))
        return false;
    struct node *x = object->as.node;
    struct builder builder;
    builder_init(&builder, graph, reterr);
    struct node *found = NULL;
    if (at == n_items)
        found = index_node(&builder, x, items, n_items, reterr);
    else if (!boolean_index(&items[at], reterr))
        found = index_positions(&builder, x, items, n_items, at, reterr);
    *ret = value_node(builder_result(&builder, found));
    builder_release(&builder);
    return ret->kind == VALUE_NODE;
}
