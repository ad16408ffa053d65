/* See literal.h. */
#include "lang/value/literal.h"

#include <stdlib.h>
#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "tensor/tensor.h"

enum { LIST_TEXT = 60 }; /* bytes of a list's numbers that stand for it in formulas */

/* A number or table as typed: nothing a learner would ask `why` about. */
static bool is_literal(const struct node *node)
{
    if (node->name != NULL)
        return false;
    for (unsigned p = 0; p < node->n_parents; p++)
        if (!node_is_constant(node->parents[p]) || node->parents[p]->name != NULL)
            return false;
    return true;
}

/* The common shape of n nodes with one axis more in front; an error when they differ. */
static bool stacked_shape(const struct value *items, size_t n, struct tensor *ret_shape,
                          struct error *reterr)
{
    const struct tensor *first = &items[0].as.node->value;
    if (first->n_axes >= TENSOR_MAX_AXES)
        return error_set(reterr, ERR_LIMIT, "a list: attn has at most %d axes", TENSOR_MAX_AXES);
    for (size_t i = 1; i < n; i++) {
        const struct tensor *other = &items[i].as.node->value;
        char shapes[2][TENSOR_SHAPE_TEXT];
        if (!tensor_same_shape(first, other))
            return error_set(reterr, ERR_SHAPE,
                             "a list: part 0 is %s and part %zu is %s; all parts must have the "
                             "same shape to make a tensor",
                             tensor_shape_text(first, shapes[0]), i,
                             tensor_shape_text(other, shapes[1]));
    }
    ret_shape->n_axes = first->n_axes + 1;
    ret_shape->shape[0] = n;
    memcpy(ret_shape->shape + 1, first->shape, first->n_axes * sizeof *first->shape);
    return true;
}

struct node *literal_join(struct graph *graph, const char *text, size_t text_size,
                          const struct value *items, size_t n, struct error *reterr)
{
    struct tensor shape = {0}, value;
    if (!stacked_shape(items, n, &shape, reterr) ||
        !tensor_zeros(shape.n_axes, shape.shape, &value, reterr))
        return NULL;
    size_t run = tensor_size(&items[0].as.node->value);
    value.is_bool = true;
    for (size_t i = 0; i < n; i++) {
        tensor_read(&items[i].as.node->value, value.data + i * run);
        value.is_bool = value.is_bool && items[i].as.node->value.is_bool;
    }
    return node_input(graph, &value, text, text_size, reterr);
}

bool literal_all(const struct value *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (items[i].kind != VALUE_NODE || !is_literal(items[i].as.node))
            return false;
    return n > 0;
}

bool value_same_shapes(const struct value *items, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!tensor_same_shape(&items[0].as.node->value, &items[i].as.node->value))
            return false;
    return true;
}

struct node *value_stack(struct graph *graph, const struct list *list, const char *what,
                         struct error *reterr)
{
    struct builder builder;
    struct node **rows = calloc(list->n + 1, sizeof(*rows));
    bool ok = rows != NULL || error_memory(reterr, "a list");
    builder_init(&builder, graph, reterr);
    for (size_t i = 0; ok && i < list->n; i++) {
        size_t shape[TENSOR_MAX_AXES + 1] = {1};
        struct node *item = value_to_node(graph, &list->items[i], what, reterr);
        ok = item != NULL && (item->value.n_axes < TENSOR_MAX_AXES ||
                              error_set(reterr, ERR_LIMIT,
                                        "%s: a list of tensors has one axis more, and attn has at "
                                        "most %d axes",
                                        what, TENSOR_MAX_AXES));
        if (ok) {
            memcpy(shape + 1, item->value.shape, item->value.n_axes * sizeof *shape);
            rows[i] = build_reshape(&builder, item, item->value.n_axes + 1, shape);
        }
        ok = ok && rows[i] != NULL;
        node_free(item);
    }
    struct node *stacked = NULL;
    if (ok)
        stacked = build_many(&builder, OP_CAT, (unsigned)list->n, rows, 1, &(ptrdiff_t){0});
    stacked = builder_result(&builder, stacked);
    builder_release(&builder);
    free(rows);
    return stacked;
}

/* (1, 2) as the tensor that [1, 2] is. */
static struct node *join_list(struct graph *graph, const struct list *list, struct error *reterr)
{
    struct node *node = NULL;
    struct text text = {0};
    for (size_t i = 0; i < list->n && text.size < LIST_TEXT; i++) {
        text_put(&text, i ? ", " : "(");
        node_write(list->items[i].as.node, &text);
    }
    text_put(&text, text.size < LIST_TEXT ? ")" : ", ...)");
    if (text.failed)
        error_memory(reterr, "a list");
    else
        node = literal_join(graph, text_string(&text), text.size, list->items, list->n, reterr);
    text_release(&text);
    return node;
}

struct node *value_to_node(struct graph *graph, const struct value *value, const char *what,
                           struct error *reterr)
{
    if (value->kind == VALUE_NODE)
        return node_share(value->as.node);
    if (value->kind != VALUE_LIST) {
        char text[120];
        error_set(reterr, ERR_TYPE, "%s: a tensor or a number is needed, and this is %s", what,
                  value_describe(value, text, sizeof text));
        return NULL;
    }
    const struct list *list = value->as.list;
    if (list->n == 0) { /* a vector of no numbers, as in PyTorch */
        struct tensor empty;
        return tensor_zeros(1, (size_t[]){0}, &empty, reterr)
                   ? node_input(graph, &empty, "[]", 2, reterr)
                   : NULL;
    }
    return literal_all(list->items, list->n) ? join_list(graph, list, reterr)
                                             : value_stack(graph, list, what, reterr);
}
