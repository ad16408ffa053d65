/* X[i, j]: picking from tensors and lists by position, label, range or lists of positions. */
#ifndef ATTN_LANG_VALUE_INDEX_H
#define ATTN_LANG_VALUE_INDEX_H

#include "lang/value/value.h"

struct graph;

enum index_kind {
    INDEX_VALUE, /* values[0]: a whole number, a label, None (a new axis), or a list of positions */
    INDEX_SLICE, /* values: start, stop, step, VALUE_ABSENT where left out */
    INDEX_ELLIPSIS, /* as many whole axes as are left */
};

struct index_item {
    enum index_kind kind;
    size_t begin, end; /* its place in the line */
    struct value values[3];
};

/* *ret = object[items], of which one may be a list of positions: its axes then stand where the axis
 * was. items are as before afterwards. ERR_RANGE for positions outside, ERR_NAME for labels nobody
 * has (with near spellings), ERR_TYPE for other kinds; the place is the item's. */
bool index_value(struct graph *graph, const struct value *object, struct index_item *items,
                 size_t n_items, struct value *ret, struct error *reterr);

#endif
