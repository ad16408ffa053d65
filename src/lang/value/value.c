/* See value.h. */
#include "lang/value/value.h"

#include <string.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "graph/node.h"
#include "tensor/tensor.h"
#include "show/labels.h"

enum {
    LIST_MAX_DEPTH = 32,      /* lists within lists: releasing one recurses */
    LIST_MAX_ITEMS = 1 << 20, /* through all depths: a list of itself twice, 31 times, has no end */
};

/* ---- object ---- */

struct value value_object(struct object *object)
{
    if (object == NULL)
        return (struct value){.kind = VALUE_ABSENT};
    return (struct value){VALUE_OBJECT, {.object = object}};
}

struct object *value_as_object(const struct value *value, const struct object_class *class)
{
    return value->kind == VALUE_OBJECT && value->as.object->class == class ? value->as.object
                                                                           : NULL;
}

bool object_find_attribute(const struct object_class *class, const char *name, size_t size,
                           size_t *ret)
{
    for (size_t i = 0; class->attributes[i] != NULL; i++)
        if (text_equals(name, size, class->attributes[i])) {
            *ret = i;
            return true;
        }
    return false;
}

/* ---- compose ---- */

struct node *compose_row(struct builder *b, struct node *x, size_t i)
{
    ptrdiff_t cuts[3 * TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < x->value.n_axes; axis++) {
        cuts[3 * axis] = axis == 0 ? (ptrdiff_t)i : 0;
        cuts[3 * axis + 1] = axis == 0 ? -1 : (ptrdiff_t)x->value.shape[axis];
        cuts[3 * axis + 2] = 1;
    }
    return build_ints(b, OP_SLICE, x, 3 * (size_t)x->value.n_axes, cuts, 0);
}

struct node *compose_same(struct builder *b, struct node *x)
{
    return build_reshape(b, x, x->value.n_axes, x->value.shape);
}

/* ---- value ---- */

struct value value_node(struct node *node)
{
    if (node == NULL)
        return (struct value){.kind = VALUE_ABSENT};
    return (struct value){VALUE_NODE, {.node = node}};
}

bool value_string(const char *bytes, size_t size, struct value *ret, struct error *reterr)
{
    struct string *string = malloc(sizeof *string + size + 1);
    if (string == NULL)
        return error_memory(reterr, "a text");
    string->n_owners = 1;
    string->hash = 0;
    string->size = size;
    memcpy(string->bytes, bytes, size);
    string->bytes[size] = '\0';
    *ret = (struct value){VALUE_STRING, {.string = string}};
    return true;
}

/* A list of n items, all VALUE_NONE. */
static struct list *new_list(size_t n, struct error *reterr)
{
    struct list *list = NULL;
    if (n <= (SIZE_MAX - sizeof *list) / sizeof(struct value))
        list = malloc(sizeof *list + n * sizeof(struct value));
    if (list == NULL) {
        error_memory(reterr, "a list");
        return NULL;
    }
    list->n_owners = 1;
    list->depth = 1;
    list->n = list->n_all = n;
    for (size_t i = 0; i < n; i++)
        list->items[i] = (struct value){.kind = VALUE_NONE};
    return list;
}

bool value_list(const struct value *items, size_t n, struct value *ret, struct error *reterr)
{
    unsigned depth = 1;
    size_t n_all = n;
    for (size_t i = 0; i < n && n_all <= LIST_MAX_ITEMS; i++) {
        if (items[i].kind != VALUE_LIST)
            continue;
        const struct list *inner = items[i].as.list;
        n_all += inner->n_all;
        depth = inner->depth >= depth ? inner->depth + 1 : depth;
    }
    if (n_all > LIST_MAX_ITEMS)
        return error_set(reterr, ERR_LIMIT, "lists hold at most %d items; use a tensor",
                         LIST_MAX_ITEMS);
    if (depth > LIST_MAX_DEPTH)
        return error_set(reterr, ERR_LIMIT, "lists are nested more than %d deep; use a tensor",
                         LIST_MAX_DEPTH);
    struct list *list = new_list(n, reterr);
    if (list == NULL)
        return false;
    list->depth = depth;
    list->n_all = n_all;
    for (size_t i = 0; i < n; i++)
        list->items[i] = value_share(&items[i]);
    *ret = (struct value){VALUE_LIST, {.list = list}};
    return true;
}

/* Lists nest only as deep as brackets were typed, so this recursion is bounded. */
static void list_free(struct list *list)
{
    for (size_t i = 0; i < list->n; i++)
        value_release(&list->items[i]);
    free(list);
}

bool value_labels(const struct labels *labels, struct value *ret, struct error *reterr)
{
    size_t n = labels_count(labels);
    struct list *list = new_list(n, reterr);
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        const char *name = labels_name(labels, i);
        ok = value_string(name, strlen(name), &list->items[i], reterr);
    }
    if (ok)
        *ret = (struct value){VALUE_LIST, {.list = list}};
    else if (list != NULL)
        list_free(list);
    return ok;
}

bool value_function(const char *source, size_t size, struct value *ret, struct error *reterr)
{
    struct function *function = calloc(1, sizeof *function);
    char *copy = malloc(size + 1);
    if (function == NULL || copy == NULL) {
        free(function);
        free(copy);
        return error_memory(reterr, "a function");
    }
    memcpy(copy, source, size);
    copy[size] = '\0';
    function->n_owners = 1;
    function->source = copy;
    *ret = (struct value){VALUE_FUNCTION, {.function = function}};
    return true;
}

struct value value_share(const struct value *value)
{
    switch (value->kind) {
    case VALUE_NODE:
        node_share(value->as.node);
        break;
    case VALUE_STRING:
        value->as.string->n_owners++;
        break;
    case VALUE_LIST:
        value->as.list->n_owners++;
        break;
    case VALUE_FUNCTION:
        value->as.function->n_owners++;
        break;
    case VALUE_OBJECT:
        value->as.object->n_owners++;
        break;
    case VALUE_THING:
        value->as.thing->n_owners++;
        break;
    case VALUE_ABSENT:
    case VALUE_NONE:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_FLOAT:
        break;
    }
    return *value;
}

void value_release(struct value *value)
{
    switch (value->kind) {
    case VALUE_NODE:
        node_free(value->as.node);
        break;
    case VALUE_STRING:
        if (--value->as.string->n_owners == 0)
            free(value->as.string);
        break;
    case VALUE_LIST:
        if (--value->as.list->n_owners == 0)
            list_free(value->as.list);
        break;
    case VALUE_FUNCTION:
        if (--value->as.function->n_owners == 0) {
            arena_release(&value->as.function->arena);
            free(value->as.function->source);
            free(value->as.function);
        }
        break;
    case VALUE_OBJECT:
        if (--value->as.object->n_owners == 0)
            value->as.object->class->free(value->as.object);
        break;
    case VALUE_THING:
        if (--value->as.thing->n_owners == 0)
            value->as.thing->type->free(value->as.thing);
        break;
    case VALUE_ABSENT:
    case VALUE_NONE:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_FLOAT:
        break;
    }
    *value = (struct value){.kind = VALUE_ABSENT};
}

char *value_describe(const struct value *value, char *text, size_t capacity)
{
    char inner[TENSOR_SHAPE_TEXT];
    switch (value->kind) {
    case VALUE_NODE:
        if (value->as.node->value.n_axes == 0)
            snprintf(text, capacity, "a single number");
        else
            snprintf(text, capacity, "a tensor of shape %s",
                     tensor_shape_text(&value->as.node->value, inner));
        break;
    case VALUE_STRING:
        snprintf(text, capacity, "the text \"%s\"",
                 error_quote(inner, 40, value->as.string->bytes, value->as.string->size));
        break;
    case VALUE_LIST:
        snprintf(text, capacity, "a list of %zu", value->as.list->n);
        break;
    case VALUE_FUNCTION:
        snprintf(text, capacity, "a function");
        break;
    case VALUE_OBJECT:
        snprintf(text, capacity, "a %s", value->as.object->class->name);
        break;
    case VALUE_NONE:
        snprintf(text, capacity, "None");
        break;
    case VALUE_BOOL:
        snprintf(text, capacity, "%s", value->as.whole ? "True" : "False");
        break;
    case VALUE_INT:
        snprintf(text, capacity, "the whole number %lld", (long long)value->as.whole);
        break;
    case VALUE_FLOAT:
        snprintf(text, capacity, "the number %g", value->as.number);
        break;
    case VALUE_THING:
        value->as.thing->type->describe(value->as.thing, text, capacity);
        break;
    case VALUE_ABSENT:
        snprintf(text, capacity, "nothing");
        break;
    }
    return text;
}
