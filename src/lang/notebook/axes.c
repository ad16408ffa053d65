/* See axes_internal.h. The rules by which axes go through an operation are a table, by the name of
 * the function; all others keep an axis where the size stays the same. */
#include "lang/notebook/axes_internal.h"

#include <string.h>

#include "base/array.h"
#include "lang/notebook/observe_internal.h"

enum { NAME_MOST = 32 };

/* The items of a tuple or list; leaves both as they are for another value. */
static void take_items(struct value v, const struct value **ret, size_t *ret_n)
{
    if (value_is(v, THING_TUPLE)) {
        *ret = THING_AS(tuple, v)->items;
        *ret_n = THING_AS(tuple, v)->n;
    } else if (value_is(v, THING_LIST)) {
        *ret = THING_AS(array, v)->items;
        *ret_n = THING_AS(array, v)->n;
    }
}

/* ---- axes ---- */

static struct axis *axis_new(struct machine *m)
{
    struct axis *axis = arena_take(&m->axes, sizeof *axis);
    if (axis == NULL)
        observer_lacks_memory(m);
    return axis;
}

static struct axes *axes_new(struct machine *m, unsigned n)
{
    struct axes *axes = arena_take(&m->axes, sizeof *axes);
    if (axes == NULL)
        observer_lacks_memory(m);
    for (unsigned i = 0; axes != NULL && i < n; i++)
        if ((axes->at[axes->n++] = axis_new(m)) == NULL)
            return NULL;
    return axes;
}

static const struct tensor *form_of(struct machine *m, struct tensor_thing *t)
{
    struct node *node = tensor_form(m, t);
    if (node == NULL) {
        observer_lacks_memory(m);
        raised_clear(m);
    }
    return node != NULL ? &node->value : NULL;
}

struct axes *axes_of(struct machine *m, struct tensor_thing *t)
{
    const struct tensor *x = form_of(m, t);
    if (x != NULL && (t->axes == NULL || t->axes->n != x->n_axes))
        t->axes = axes_new(m, x->n_axes);
    return x != NULL ? t->axes : NULL;
}

void axes_name(struct machine *m, struct tensor_thing *t, unsigned i, const char *name, size_t size,
               const struct unit *unit, size_t begin, size_t end, bool is_said)
{
    struct axes *axes = axes_of(m, t);
    if (axes == NULL || i >= axes->n || size == 0 || text_equals(name, size, "_"))
        return;
    struct axis *axis = axes->at[i];
    if (axis->name_size == size && memcmp(axis->name, name, size) == 0)
        return;
    if (axis->name != NULL) {
        axis = axis_new(m);
        if (axis == NULL)
            return;
        axes->at[i] = axis;
    }
    char *copy = arena_copy(&m->axes, name, size);
    if (copy == NULL)
        observer_lacks_memory(m);
    else
        *axis = (struct axis){copy, size, unit, begin, end, is_said};
}

void axes_write(const struct axes *axes, const struct tensor *x, struct text *out)
{
    for (unsigned i = 0; i < x->n_axes; i++) {
        const struct axis *axis = axes != NULL && i < axes->n ? axes->at[i] : NULL;
        text_put(out, i > 0 ? ", " : "");
        if (axis != NULL && axis->name != NULL)
            text_add(out, axis->name, axis->name_size);
        else
            text_format(out, "%zu", x->shape[i]);
    }
}

/* The name of a size that is written as a variable: n_heads of n_heads and of self.n_heads. */
static bool size_name(const struct unit *unit, const struct expr *expr, const char **ret,
                      size_t *ret_size)
{
    if (expr == NULL)
        return false;
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE) {
        *ret = expr->as.text.bytes;
        *ret_size = expr->as.text.size;
        return true;
    }
    if (expr->kind != EXPR_BINARY || expr->end - expr->begin > NAME_MOST)
        return false;
    *ret = unit->source + expr->begin;
    *ret_size = expr->end - expr->begin;
    return memchr(*ret, '(', *ret_size) == NULL && memchr(*ret, '\n', *ret_size) == NULL;
}

/* ---- what rules see ---- */

struct passage {
    struct machine *m;
    const struct observed *seen;
    struct tensor_thing *from; /* the first tensor among the operands */
    const struct tensor *x;
    struct axes *axes;
    struct tensor_thing *to;
    const struct tensor *y;
    struct axes *ret;
    const char *name; /* of the function */
    size_t name_size;
};
typedef void axis_rule(struct passage *p);

static const struct unit *unit_of(const struct passage *p)
{
    return p->seen->frame->code->unit;
}

/* Operand i in the order in which they stand: self of a method is the first. ABSENT: none. */
static struct value operand(const struct passage *p, size_t i, const char *keyword)
{
    const struct observed *seen = p->seen;
    size_t n_named = seen->names != NULL ? seen->names->n : 0, n_plain = seen->n - n_named;
    for (size_t k = 0; k < n_named; k++)
        if (strcmp(seen->names->items[k].as.string->bytes, keyword) == 0)
            return seen->args[n_plain + k];
    return i < n_plain ? seen->args[i] : value_absent();
}

static bool whole_operand(const struct passage *p, size_t i, const char *keyword, int64_t *ret)
{
    struct value v = operand(p, i, keyword);
    *ret = v.kind == VALUE_INT || v.kind == VALUE_BOOL ? v.as.whole : 0;
    return v.kind == VALUE_INT || v.kind == VALUE_BOOL;
}

/* An axis that is counted from the end too; false where x does not have it. */
static bool axis_number(int64_t dim, unsigned n, unsigned *ret)
{
    int64_t at = dim < 0 ? dim + (int64_t)n : dim;
    *ret = (unsigned)at;
    return at >= 0 && at < (int64_t)n;
}

static bool axis_operand(const struct passage *p, size_t i, const char *keyword, unsigned n,
                         unsigned *ret)
{
    int64_t dim;
    return whole_operand(p, i, keyword, &dim) && axis_number(dim, n, ret);
}

/* Axis i of the result is axis j of the operand. */
static void share(struct passage *p, unsigned i, unsigned j)
{
    if (i < p->ret->n && p->axes != NULL && j < p->axes->n)
        p->ret->at[i] = p->axes->at[j];
}

static void name_by(struct passage *p, unsigned i, const struct expr *expr,
                    const struct expr *around)
{
    const char *name;
    size_t size;
    if (i < p->ret->n && size_name(unit_of(p), expr, &name, &size))
        axes_name(p->m, p->to, i, name, size, unit_of(p), around->begin, around->end, false);
}

/* The expressions of the sizes of view(a, b), view((a, b)), torch.reshape(x, (a, b)). */
static size_t size_exprs(const struct passage *p, const struct expr *ret[TENSOR_MAX_AXES])
{
    const struct expr *call = p->seen->expr;
    const struct argument *arguments = call->as.call.arguments;
    size_t n = call->as.call.n, from = 0, n_ret = 0;
    bool is_method = call->object->kind == EXPR_ATTRIBUTE && p->seen->n == n + 1;
    if (!is_method && p->from != NULL && p->seen->n > 0 && is_tensor(p->seen->args[0]))
        from = 1;
    if (n > from &&
        (arguments[from].value->kind == EXPR_TUPLE || arguments[from].value->kind == EXPR_LIST)) {
        const struct expr *list = arguments[from].value;
        for (size_t i = 0; i < list->as.list.n && n_ret < TENSOR_MAX_AXES; i++)
            ret[n_ret++] = list->as.list.items[i];
        return n_ret;
    }
    for (size_t i = from; i < n && n_ret < TENSOR_MAX_AXES; i++)
        if (arguments[i].keyword == NULL)
            ret[n_ret++] = arguments[i].value;
    return n_ret;
}

/* ---- rules ---- */

static void rule_same(struct passage *p)
{
    for (size_t k = 0; k < p->seen->n; k++) {
        if (!is_tensor(p->seen->args[k]))
            continue;
        struct tensor_thing *t = as_tensor(p->seen->args[k]);
        const struct tensor *x = form_of(p->m, t);
        if (x == NULL || t->axes == NULL || x->n_axes > p->y->n_axes)
            continue;
        unsigned moved = p->y->n_axes - x->n_axes;
        for (unsigned i = 0; i < x->n_axes && i < t->axes->n; i++) {
            struct axis *has = p->ret->at[i + moved], *is = t->axes->at[i];
            if (x->shape[i] == p->y->shape[i + moved] && has->name == NULL &&
                (x->shape[i] > 1 || is->name != NULL))
                p->ret->at[i + moved] = is;
        }
    }
}

/* Axes that are merged get the names of both. */
static void name_merged(struct passage *p, unsigned i, unsigned from, unsigned to)
{
    struct text name = {0};
    for (unsigned k = from; k < to; k++) {
        if (p->x->shape[k] == 1)
            continue;
        const struct axis *axis = p->axes->at[k];
        if (axis->name == NULL) {
            text_release(&name);
            return;
        }
        text_put(&name, name.size > 0 ? "*" : "");
        text_add(&name, axis->name, axis->name_size);
    }
    const struct expr *expr = p->seen->expr;
    if (name.failed)
        observer_lacks_memory(p->m);
    else if (name.size > 0 && name.size <= NAME_MOST)
        axes_name(p->m, p->to, i, name.bytes, name.size, unit_of(p), expr->begin, expr->end, false);
    text_release(&name);
}

/* Sizes that stay are the same axes; neighbours that are merged or split belong together. */
static void rule_reshape(struct passage *p)
{
    const struct expr *sizes[TENSOR_MAX_AXES] = {0};
    size_t n = p->seen->expr->kind == EXPR_CALL ? size_exprs(p, sizes) : 0;
    unsigned i = 0, j = 0;
    while (p->x != NULL && i < p->x->n_axes && j < p->y->n_axes) {
        unsigned first_i = i, first_j = j;
        size_t a = p->x->shape[i++], b = p->y->shape[j++];
        while (a != b && (a < b ? i < p->x->n_axes : j < p->y->n_axes)) {
            if (a < b)
                a *= p->x->shape[i++];
            else
                b *= p->y->shape[j++];
        }
        if (a != b)
            break;
        if (i - first_i == 1 && j - first_j == 1)
            share(p, first_j, first_i);
        else if (j - first_j == 1)
            name_merged(p, first_j, first_i, i);
    }
    if (n == p->y->n_axes && !text_equals(p->name, p->name_size, "flatten"))
        for (unsigned k = 0; k < n; k++)
            name_by(p, k, sizes[k], p->seen->expr);
}

static void rule_transpose(struct passage *p)
{
    unsigned n = p->x->n_axes, a = n - 2, b = n - 1;
    bool is_last = p->seen->expr->kind == EXPR_ATTRIBUTE || text_equals(p->name, p->name_size, "t");
    if (n < 2 ||
        (!is_last && (!axis_operand(p, 1, "dim0", n, &a) || !axis_operand(p, 2, "dim1", n, &b))))
        return;
    for (unsigned i = 0; i < n; i++)
        share(p, i, i == a ? b : i == b ? a : i);
}

static void rule_permute(struct passage *p)
{
    struct value v = operand(p, 1, "dims");
    const struct value *dims = p->seen->args + 1;
    size_t n = p->seen->n - 1;
    take_items(v, &dims, &n);
    for (unsigned i = 0, j; i < n && i < p->ret->n; i++)
        if (dims[i].kind == VALUE_INT && axis_number(dims[i].as.whole, p->x->n_axes, &j))
            share(p, i, j);
}

static void rule_unsqueeze(struct passage *p)
{
    unsigned at;
    if (axis_operand(p, 1, "dim", p->x->n_axes + 1, &at))
        for (unsigned i = 0; i < p->ret->n; i++)
            if (i != at)
                share(p, i, i > at ? i - 1 : i);
}

static void rule_squeeze(struct passage *p)
{
    unsigned at = TENSOR_MAX_AXES, j = 0;
    bool is_one = axis_operand(p, 1, "dim", p->x->n_axes, &at);
    for (unsigned i = 0; i < p->x->n_axes; i++)
        if (p->x->shape[i] != 1 || (is_one && i != at))
            share(p, j++, i);
}

static void rule_reduce(struct passage *p)
{
    unsigned at, j = 0;
    if (!axis_operand(p, 1, "dim", p->x->n_axes, &at))
        return;
    bool keeps = p->y->n_axes == p->x->n_axes;
    for (unsigned i = 0; i < p->x->n_axes; i++)
        if (i != at)
            share(p, keeps ? i : j++, i);
}

static void rule_product(struct passage *p)
{
    struct tensor_thing *other =
        p->seen->n > 1 && is_tensor(p->seen->args[1]) ? as_tensor(p->seen->args[1]) : NULL;
    const struct tensor *b = other != NULL ? form_of(p->m, other) : NULL;
    unsigned n = p->ret->n;
    rule_same(p);
    if (b == NULL || p->x->n_axes < 2 || b->n_axes < 2 || n < 2)
        return;
    struct axes *axes = axes_of(p->m, other);
    if (axes != NULL) {
        share(p, n - 2, p->x->n_axes - 2);
        p->ret->at[n - 1] = axes->at[axes->n - 1];
    }
    for (unsigned i = 0; i + 2 < n && i + 2 < p->x->n_axes && p->x->n_axes == n; i++)
        share(p, i, i);
}

static void rule_cat(struct passage *p)
{
    unsigned at = 0;
    int64_t dim = 0;
    struct value v = operand(p, 0, "tensors");
    const struct array *list = value_is(v, THING_LIST) ? THING_AS(array, v) : NULL;
    bool stacks = text_equals(p->name, p->name_size, "stack");
    if (list == NULL || list->n == 0 || !is_tensor(list->items[0]))
        return;
    p->from = as_tensor(list->items[0]);
    p->axes = axes_of(p->m, p->from);
    (void)whole_operand(p, 1, "dim", &dim);
    if (axis_number(dim, p->ret->n, &at))
        for (unsigned i = 0; i < p->ret->n; i++)
            if (i != at)
                share(p, i, stacks && i > at ? i - 1 : i);
}

/* chunk(3) of "3 * d_model" is d_model. */
static void rule_split(struct passage *p)
{
    for (unsigned i = 0; i < p->ret->n && p->x->n_axes == p->ret->n; i++) {
        const struct axis *axis = p->axes->at[i];
        if (p->x->shape[i] == p->y->shape[i]) {
            share(p, i, i);
            continue;
        }
        size_t times = p->x->shape[i] / p->y->shape[i], digits = 0;
        const char *name = axis->name;
        if (name != NULL && axis->name_size > 4 && name[0] == (char)('0' + times % 10)) {
            digits = 1 + strspn(name + 1, " *");
            axes_name(p->m, p->to, i, name + digits, axis->name_size - digits, axis->unit,
                      axis->begin, axis->end, false);
        }
    }
}

static void rule_unbind(struct passage *p)
{
    unsigned at = 0, j = 0;
    (void)axis_operand(p, 1, "dim", p->x->n_axes, &at);
    for (unsigned i = 0; i < p->x->n_axes; i++)
        if (i != at)
            share(p, j++, i);
}

static void rule_make(struct passage *p)
{
    const struct expr *sizes[TENSOR_MAX_AXES] = {0};
    const struct expr *call = p->seen->expr;
    size_t n = 0;
    for (size_t i = 0; i < call->as.call.n && n < TENSOR_MAX_AXES; i++) {
        const struct argument *a = &call->as.call.arguments[i];
        bool is_list = a->value->kind == EXPR_TUPLE || a->value->kind == EXPR_LIST;
        for (size_t k = 0;
             a->keyword == NULL && is_list && k < a->value->as.list.n && n < TENSOR_MAX_AXES; k++)
            sizes[n++] = a->value->as.list.items[k];
        if (a->keyword == NULL && is_list)
            break;
        if (a->keyword == NULL && !text_equals(p->name, p->name_size, "randint"))
            sizes[n++] = a->value;
    }
    if (n == p->y->n_axes)
        for (unsigned i = 0; i < n; i++)
            name_by(p, i, sizes[i], call);
}

/* einsum("bqd,bkd->bqk", q, k): the result's letters are those of operands. */
static void rule_einsum(struct passage *p)
{
    if (p->seen->n < 2 || p->seen->args[0].kind != VALUE_STRING)
        return;
    const char *rule = p->seen->args[0].as.string->bytes, *arrow = strstr(rule, "->");
    const char *to = arrow != NULL ? arrow + 2 : "";
    unsigned j = 0;
    for (; *to != '\0'; to++) {
        if (*to == ' ')
            continue;
        size_t k = 1;
        unsigned i = 0;
        for (const char *at = rule; at < arrow && k < p->seen->n; at++) {
            if (*at == ',') {
                k++;
                i = 0;
            } else if (*at != ' ') {
                struct axes *axes =
                    is_tensor(p->seen->args[k]) ? axes_of(p->m, as_tensor(p->seen->args[k])) : NULL;
                if (*at == *to && axes != NULL && i < axes->n && j < p->ret->n &&
                    p->ret->at[j]->name == NULL)
                    p->ret->at[j] = axes->at[i];
                i++;
            }
        }
        j++;
    }
}

/* x[:, -1], x[:, None], x[..., :d], table[ids] */
static void rule_index(struct passage *p)
{
    const struct expr *expr = p->seen->expr;
    size_t n = expr->as.list.n;
    unsigned i = 0, j = 0, n_taken = 0;
    for (size_t k = 0; k < n; k++) {
        const struct expr *item = expr->as.list.items[k];
        n_taken += item->kind != EXPR_ELLIPSIS && !expr_named(item, "None");
    }
    for (size_t k = 0; k < n && i <= p->x->n_axes; k++) {
        const struct expr *item = expr->as.list.items[k];
        if (item->kind == EXPR_ELLIPSIS) {
            for (unsigned left = p->x->n_axes > n_taken ? p->x->n_axes - n_taken : 0; left > 0;
                 left--)
                share(p, j++, i++);
        } else if (item->kind == EXPR_NAME && expr_named(item, "None")) {
            j++;
        } else if (item->kind == EXPR_SLICE) {
            if (j < p->y->n_axes && i < p->x->n_axes && p->x->shape[i] == p->y->shape[j])
                share(p, j, i);
            else
                name_by(p, j, item->as.slice.stop, expr);
            i++;
            j++;
        } else if (p->y->n_axes + n_taken == p->x->n_axes + (n - n_taken)) {
            i++;
        } else if (n == 1 && is_tensor(p->seen->args[1])) {
            struct tensor_thing *ids = as_tensor(p->seen->args[1]);
            struct axes *axes = axes_of(p->m, ids);
            for (unsigned a = 0; axes != NULL && a < axes->n && j < p->ret->n; a++)
                p->ret->at[j++] = axes->at[a];
            i++;
        } else {
            i++;
        }
    }
    while (i < p->x->n_axes && j < p->ret->n)
        share(p, j++, i++);
}

/* ---- modules ---- */

static const char *class_of_instance(struct value v)
{
    return value_is(v, THING_INSTANCE) ? class_name(THING_AS(instance, v)->class) : "";
}

/* nn.Linear(d_in, d_out) gives its last axis the name of its second argument. */
static void rule_module(struct passage *p)
{
    const struct expr *callee = p->seen->expr->object;
    struct found_call found;
    const struct value *slots = p->seen->frame->slots;
    const char *owner = p->seen->frame->code->n_plain > 0 ? class_of_instance(slots[0]) : "";
    const char *kind = class_of_instance(p->seen->function);
    bool is_linear = strcmp(kind, "Linear") == 0, is_table = strcmp(kind, "Embedding") == 0;
    if (!is_linear && !is_table) {
        rule_same(p);
        return;
    }
    unsigned n = p->ret->n;
    for (unsigned i = 0; i + 1 < n; i++)
        share(p, i, i);
    if (callee->kind != EXPR_ATTRIBUTE ||
        !find_attribute_call(p->m, owner[0] != '\0' ? owner : NULL, callee->as.text.bytes,
                             callee->as.text.size, &found) ||
        found.call->as.call.n < 2)
        return;
    const char *name;
    size_t size;
    if (size_name(found.unit, found.call->as.call.arguments[1].value, &name, &size))
        axes_name(p->m, p->to, n - 1, name, size, found.unit, found.call->begin, found.call->end,
                  false);
    else if (is_linear && p->x->n_axes > 0 && p->x->shape[p->x->n_axes - 1] == p->y->shape[n - 1])
        share(p, n - 1, p->x->n_axes - 1);
}

static const struct {
    const char *names; /* between blanks */
    axis_rule *rule;
    bool makes; /* without a tensor that it comes from */
} rules[] = {
    {" view reshape flatten unflatten ", rule_reshape, false},
    {" transpose swapaxes swapdims T mT t ", rule_transpose, false},
    {" permute ", rule_permute, false},
    {" unsqueeze ", rule_unsqueeze, false},
    {" squeeze ", rule_squeeze, false},
    {" sum mean max min var std argmax argmin norm amax amin prod logsumexp all any select ",
     rule_reduce, false},
    {" matmul bmm mm ", rule_product, false},
    {" cat concat concatenate stack ", rule_cat, true},
    {" split chunk ", rule_split, false},
    {" unbind ", rule_unbind, false},
    {" randn rand zeros ones empty randint full ", rule_make, true},
    {" einsum ", rule_einsum, true},
};

static void find_rule(const struct passage *p, axis_rule **ret, bool *ret_makes)
{
    const struct expr *expr = p->seen->expr;
    *ret = rule_same;
    *ret_makes = false;
    if (expr->kind == EXPR_BINARY && expr->as.operation.op == OP_MATMUL)
        *ret = rule_product;
    else if (expr->kind == EXPR_INDEX)
        *ret = rule_index;
    else if (expr->kind == EXPR_CALL && value_is(p->seen->function, THING_INSTANCE))
        *ret = rule_module;
    for (size_t i = 0; p->name_size > 0 && *ret == rule_same && i < COUNT_OF(rules); i++) {
        const char *at = rules[i].names;
        while ((at = strchr(at, ' ')) != NULL && *++at != '\0')
            if (strncmp(at, p->name, p->name_size) == 0 && at[p->name_size] == ' ') {
                *ret = rules[i].rule;
                *ret_makes = rules[i].makes;
            }
    }
}

static void follow_one(struct machine *m, const struct observed *seen, struct value result)
{
    axis_rule *rule;
    bool makes;
    struct passage p = {.m = m, .seen = seen, .to = as_tensor(result)};
    const struct expr *word = seen->expr->kind == EXPR_CALL ? seen->expr->object : seen->expr;
    if (p.to->axes != NULL)
        return; /* the learner's own function has named them, or it is an operand */
    if (word->kind == EXPR_NAME || word->kind == EXPR_ATTRIBUTE) {
        p.name = word->as.text.bytes;
        p.name_size = word->as.text.size;
    }
    for (size_t i = 0; p.from == NULL && i < seen->n; i++)
        if (is_tensor(seen->args[i]))
            p.from = as_tensor(seen->args[i]);
    if (p.from != NULL) {
        p.axes = axes_of(m, p.from);
        p.x = form_of(m, p.from);
    }
    p.ret = axes_of(m, p.to);
    p.y = form_of(m, p.to);
    find_rule(&p, &rule, &makes);
    if (p.ret != NULL && p.y != NULL && (makes || (p.axes != NULL && p.x != NULL)))
        rule(&p);
}

void axes_follow(struct machine *m, const struct observed *seen, struct value result)
{
    if (seen->expr == NULL)
        return;
    if (is_tensor(result))
        follow_one(m, seen, result);
    const struct value *items = NULL;
    size_t n = 0;
    take_items(result, &items, &n);
    for (size_t i = 0; seen->expr->kind == EXPR_CALL && i < n && i < 16; i++)
        if (is_tensor(items[i]))
            follow_one(m, seen, items[i]);
}
