/* parameters(): how many numbers a model learns, tensor by tensor, counted by their shapes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call_internal.h"
#include "lang/builtins/model_value.h"
#include "model/model.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum { NAME_TEXT = 56 };

/* The most that is counted: far above any model, and exact in a double. */
#define COUNT_MAX ((uint64_t)1 << 50)

/* One line of the list. */
struct row {
    char name[NAME_TEXT];
    char shape[TENSOR_SHAPE_TEXT];
    uint64_t count;
};

struct rows {
    struct row *items;
    size_t n, capacity;
    uint64_t total;
};

/* (256, 64), (64,) as X.shape is shown. */
static void write_shape(unsigned n_axes, const size_t *shape, char text[TENSOR_SHAPE_TEXT])
{
    size_t size = 0;
    text[size++] = '(';
    for (unsigned axis = 0; axis < n_axes && size < TENSOR_SHAPE_TEXT - 26; axis++)
        size += (size_t)snprintf(text + size, TENSOR_SHAPE_TEXT - size, "%s%zu",
                                 axis > 0 ? ", " : "", shape[axis]);
    snprintf(text + size, TENSOR_SHAPE_TEXT - size, "%s", n_axes == 1 ? ",)" : ")");
}

static bool add_row(struct call *call, struct rows *rows, const char *name, unsigned n_axes,
                    const size_t *shape)
{
    struct row *items = array_grow(rows->items, rows->n, &rows->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(call->reterr, "parameters");
    rows->items = items;
    struct row *row = &items[rows->n++];
    uint64_t count = 1;
    for (unsigned axis = 0; axis < n_axes; axis++) {
        if (shape[axis] != 0 && count > COUNT_MAX / shape[axis])
            return error_set(call->reterr, ERR_LIMIT,
                             "parameters: %s has more numbers than can be counted here", name);
        count *= shape[axis];
    }
    error_quote(row->name, sizeof row->name, name, strlen(name));
    write_shape(n_axes, shape, row->shape);
    row->count = count;
    rows->total += count;
    return rows->total <= COUNT_MAX ||
           error_set(call->reterr, ERR_LIMIT, "parameters: these are more than can be counted");
}

/* A tuple of numbers, such as (50257, 768), is a shape. */
static bool is_shape(const struct value *value)
{
    if (value->kind != VALUE_LIST || value->as.list->n == 0)
        return false;
    for (size_t i = 0; i < value->as.list->n; i++) {
        const struct value *item = &value->as.list->items[i];
        if (item->kind != VALUE_NODE || item->as.node->value.n_axes > 0)
            return false;
    }
    return true;
}

/* Each weight of a model, under its own name. */
static bool add_model(struct call *call, struct rows *rows, const struct model *model)
{
    const struct model_config *config = &model->config;
    for (size_t at = 0; at < parameter_count(config); at++) {
        char name[PARAM_NAME_BYTES];
        size_t layer, shape[2];
        unsigned n_axes;
        enum param which = parameter_which(config, at, &layer);
        if (!parameter_shape(config, which, &n_axes, shape))
            continue;
        parameter_name(config, which, layer, name);
        if (!add_row(call, rows, parameter_short_name(name), n_axes, shape))
            return false;
    }
    return true;
}

/* A tensor, the shape of one, a model, or a list of those, which are counted one by one. */
static bool add_value(struct call *call, struct rows *rows, const char *name,
                      const struct value *value)
{
    char text[120];
    if (value->kind == VALUE_NODE)
        return add_row(call, rows, name, value->as.node->value.n_axes, value->as.node->value.shape);
    const struct model *model = value_as_model(value);
    if (model != NULL)
        return add_model(call, rows, model);
    if (is_shape(value)) {
        size_t shape[TENSOR_MAX_AXES];
        unsigned n;
        return arg_shape(call, value, 1, shape, &n) && add_row(call, rows, name, n, shape);
    }
    if (value->kind != VALUE_LIST)
        return error_set(call->reterr, ERR_TYPE,
                         "parameters: %s must be a tensor, or a shape such as (50257, 768), or a "
                         "model, and this is %s",
                         name, value_describe(value, text, sizeof text));
    for (size_t i = 0; i < value->as.list->n; i++) { /* nested as deep as brackets were typed */
        char inner[NAME_TEXT + 24], first[NAME_TEXT - 8];
        error_quote(first, sizeof first, name, strlen(name));
        snprintf(inner, sizeof inner, "%s[%zu]", first, i);
        if (!add_value(call, rows, inner, &value->as.list->items[i]))
            return false;
    }
    return true;
}

static size_t wider(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The list: names, shapes, counts, and the total. */
static void write_rows(const struct rows *rows, struct text *text)
{
    char count[NUMBER_TEXT];
    size_t names = strlen("total"), shapes = 0, counts = strlen(number_grouped(rows->total, count));
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->items[i];
        names = wider(names, text_width(row->name, strlen(row->name)));
        shapes = wider(shapes, strlen(row->shape));
    }
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->items[i];
        int gap = (int)(names - text_width(row->name, strlen(row->name)));
        text_format(text, "%s%*s  %-*s  %*s\n", row->name, gap, "", (int)shapes, row->shape,
                    (int)counts, number_grouped(row->count, count));
    }
    text_format(text, "%-*s  %*s  %s\n", (int)names, "total", (int)shapes, "",
                number_grouped(rows->total, count));
}

static bool run_parameters(struct call *call, struct value *ret)
{
    struct rows rows = {.items = NULL};
    struct tensor total;
    bool ok = true;
    for (size_t i = 0; ok && i < call->n_named; i++) {
        char name[NAME_TEXT];
        error_quote(name, sizeof name, call->named[i].name, call->named[i].name_size);
        ok = add_value(call, &rows, name, &call->named[i].value);
    }
    if (ok)
        write_rows(&rows, call->context->beside);
    free(rows.items);
    return ok && tensor_scalar((float)rows.total, &total, call->reterr) &&
           call_input(call, &total, ret);
}

const struct builtin builtins_parameters[] = {
    {"parameters",
     "attention",
     {"**tensors"},
     "How many numbers these tensors, or a model's, are: alone on a line a list of names, shapes "
     "and "
     "counts, in a formula the total. A shape such as (50257, 768) stands for a tensor, and none "
     "is "
     "made.",
     "W_q, W_k = [randn(256, 64) for i in range(2)]\nparameters(W_q, W_k, b=(64,))\n"
     "12 * parameters(W_q)",
     run_parameters},
};
const size_t n_builtins_parameters = COUNT_OF(builtins_parameters);
