/* See call_internal.h. */
#include "lang/builtins/call_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "lang/value/literal.h"
#include "show/number.h"
#include "tensor/tensor.h"

/* "softmax: dim", for messages. */
static const char *param_text(const struct call *call, size_t i, char text[80])
{
    const char *param = call->builtin->params[i];
    snprintf(text, 80, "%s: %.*s", call->builtin->name, (int)strcspn(param, "="), param);
    return text;
}

bool arg_given(const struct call *call, size_t i)
{
    return call->args[i].kind != VALUE_ABSENT && call->args[i].kind != VALUE_NONE;
}

struct node *arg_node(struct call *call, size_t i)
{
    const struct value *value = &call->args[i];
    char what[80];
    struct node *node =
        value->kind == VALUE_NODE
            ? node_share(value->as.node)
            : value_to_node(call->builder.graph, value, param_text(call, i, what), call->reterr);
    return builder_keep(&call->builder, node);
}

struct node *arg_node_or_null(struct call *call, size_t i, bool *ret_ok)
{
    if (!arg_given(call, i))
        return NULL;
    struct node *node = arg_node(call, i);
    *ret_ok = *ret_ok && node != NULL;
    return node;
}

/* A number itself, or the kind of another value. */
static const char *given_text(const struct value *value, char text[120])
{
    bool number = value->kind == VALUE_NODE && value->as.node->value.n_axes == 0;
    return number ? number_short(value->as.node->value.data[0], 4, text)
                  : value_describe(value, text, 120);
}

static bool wrong_kind(struct call *call, size_t i, const char *wanted)
{
    char what[80], given[120];
    return error_set(call->reterr, ERR_TYPE, "%s must be %s, and this is %s",
                     param_text(call, i, what), wanted, given_text(&call->args[i], given));
}

bool arg_number(struct call *call, size_t i, double otherwise, double *ret)
{
    *ret = otherwise;
    if (!arg_given(call, i))
        return true;
    const struct value *value = &call->args[i];
    if (value->kind != VALUE_NODE || tensor_size(&value->as.node->value) != 1)
        return wrong_kind(call, i, "a single number");
    *ret = (double)tensor_at_position(&value->as.node->value, 0);
    return true;
}

static bool is_whole(const struct value *value, ptrdiff_t *ret)
{
    if (value->kind != VALUE_NODE || tensor_size(&value->as.node->value) != 1)
        return false;
    float x = tensor_at_position(&value->as.node->value, 0);
    if (!(fabsf(x) <= 4e18F) || x != floorf(x))
        return false;
    *ret = (ptrdiff_t)x;
    return true;
}

bool arg_whole(struct call *call, size_t i, ptrdiff_t otherwise, ptrdiff_t *ret)
{
    *ret = otherwise;
    return !arg_given(call, i) || is_whole(&call->args[i], ret) ||
           wrong_kind(call, i, "a whole number");
}

bool arg_size(struct call *call, size_t i, size_t otherwise, size_t *ret)
{
    ptrdiff_t whole;
    if (!arg_whole(call, i, (ptrdiff_t)otherwise, &whole))
        return false;
    if (whole < 0)
        return wrong_kind(call, i, "0 or more");
    *ret = (size_t)whole;
    return true;
}

bool arg_flag(struct call *call, size_t i, bool otherwise, bool *ret)
{
    ptrdiff_t whole;
    *ret = otherwise;
    if (!arg_given(call, i))
        return true;
    if (!is_whole(&call->args[i], &whole) || (whole != 0 && whole != 1))
        return wrong_kind(call, i, "True or False");
    *ret = whole == 1;
    return true;
}

bool arg_text(struct call *call, size_t i, const struct string **ret)
{
    if (call->args[i].kind != VALUE_STRING)
        return wrong_kind(call, i, "a text in quotes");
    *ret = call->args[i].as.string;
    return true;
}

bool arg_axis(struct call *call, size_t i, const struct node *x, ptrdiff_t otherwise, unsigned *ret)
{
    ptrdiff_t dim;
    return arg_whole(call, i, otherwise, &dim) &&
           tensor_axis(&x->value, dim, call->builtin->name, ret, call->reterr);
}

bool arg_axes(struct call *call, size_t i, const struct node *x, unsigned *ret)
{
    *ret = 0;
    if (!arg_given(call, i))
        return true;
    ptrdiff_t dims[TENSOR_MAX_AXES];
    unsigned n, axis;
    if (!arg_wholes(call, &call->args[i], 1, dims, &n))
        return false;
    for (unsigned d = 0; d < n; d++) {
        if (!tensor_axis(&x->value, dims[d], call->builtin->name, &axis, call->reterr))
            return false;
        *ret |= 1U << axis;
    }
    return true;
}

static bool too_many(struct call *call)
{
    return error_set(call->reterr, ERR_LIMIT, "%s: attn has at most %d axes", call->builtin->name,
                     TENSOR_MAX_AXES);
}

/* The numbers of a vector, such as [2, 3]. */
static bool wholes_of_tensor(struct call *call, const struct node *node,
                             ptrdiff_t ret[TENSOR_MAX_AXES], unsigned *ret_n)
{
    size_t n = tensor_size(&node->value);
    if (n > TENSOR_MAX_AXES)
        return too_many(call);
    for (size_t i = 0; i < n; i++) {
        float x = tensor_at_position(&node->value, i);
        if (!(fabsf(x) <= 4e18F) || x != floorf(x))
            return error_set(call->reterr, ERR_TYPE, "%s: sizes and dims are whole numbers",
                             call->builtin->name);
        ret[i] = (ptrdiff_t)x;
    }
    *ret_n = (unsigned)n;
    return true;
}

bool arg_wholes(struct call *call, const struct value *args, size_t n_args,
                ptrdiff_t ret[TENSOR_MAX_AXES], unsigned *ret_n)
{
    if (n_args == 1 && args[0].kind == VALUE_NODE && args[0].as.node->value.n_axes == 1)
        return wholes_of_tensor(call, args[0].as.node, ret, ret_n);
    if (n_args == 1 && args[0].kind == VALUE_LIST) {
        n_args = args[0].as.list->n;
        args = args[0].as.list->items;
    }
    if (n_args > TENSOR_MAX_AXES)
        return too_many(call);
    for (size_t i = 0; i < n_args; i++) {
        char given[120];
        if (is_whole(&args[i], &ret[i]))
            continue;
        return error_set(call->reterr, ERR_TYPE,
                         "%s: sizes and dims must be whole numbers, and this is %s",
                         call->builtin->name, given_text(&args[i], given));
    }
    *ret_n = (unsigned)n_args;
    return true;
}

bool arg_shape(struct call *call, const struct value *args, size_t n_args,
               size_t ret[TENSOR_MAX_AXES], unsigned *ret_n)
{
    ptrdiff_t wholes[TENSOR_MAX_AXES];
    if (!arg_wholes(call, args, n_args, wholes, ret_n))
        return false;
    for (unsigned i = 0; i < *ret_n; i++) {
        if (wholes[i] < 0)
            return error_set(call->reterr, ERR_RANGE, "%s: a size can't be negative, and %td is",
                             call->builtin->name, wholes[i]);
        ret[i] = (size_t)wholes[i];
    }
    return true;
}

struct random *call_random(struct call *call)
{
    *call->context->changed = true;
    return call->context->random;
}

bool call_result(struct call *call, struct node *node, struct value *ret)
{
    *ret = value_node(builder_result(&call->builder, node));
    return ret->kind == VALUE_NODE;
}

bool call_input(struct call *call, struct tensor *value, struct value *ret)
{
    *ret = value_node(
        node_input(call->builder.graph, value, call->text, call->text_size, call->reterr));
    return ret->kind == VALUE_NODE;
}
