/* See shape_error_internal.h. */
#include "lang/notebook/shape_error_internal.h"

#include <string.h>

#include "base/array.h"

/* Which problem a message of PyTorch's is about. */
static const struct {
    const char *says; /* a part of it */
    enum shape_problem problem;
} messages[] = {
    {"shapes cannot be multiplied", SHAPE_PRODUCT},
    {"Expected size for first two dimensions of batch2", SHAPE_PRODUCT},
    {"size mismatch, got", SHAPE_PRODUCT},
    {"inconsistent tensor size", SHAPE_PRODUCT},
    {"must be a 3D tensor", SHAPE_PRODUCT},
    {"must be a matrix", SHAPE_PRODUCT},
    {"einsum()", SHAPE_PRODUCT},
    {"must match the size of tensor b", SHAPE_BROADCAST},
    {"doesn't match the broadcast shape", SHAPE_BROADCAST},
    {"is invalid for input of size", SHAPE_VIEW},
    {"view size is not compatible", SHAPE_STRIDES},
    {"Dimension out of range", SHAPE_DIM},
    {"Sizes of tensors must match except", SHAPE_CAT},
    {"Tensors must have same number of dimensions", SHAPE_CAT},
    {"stack expects each tensor", SHAPE_CAT},
    {"Given normalized_shape", SHAPE_NORM},
    {"Expected input batch_size", SHAPE_LOSS},
    {"Expected target size", SHAPE_LOSS},
    {"target size", SHAPE_LOSS},
    {"values to unpack", SHAPE_UNPACK},
    {"too many indices", SHAPE_INDEX},
    {"out of bounds for dimension", SHAPE_INDEX},
    {"index out of range in self", SHAPE_INDEX},
    {"shape mismatch", SHAPE_INDEX},
    {"The shape of the mask", SHAPE_INDEX},
    {"number of dimensions in the tensor input does not match", SHAPE_PERMUTE},
    {"permute(", SHAPE_PERMUTE},
    {"The expanded size of the tensor", SHAPE_EXPAND},
    {"the number of sizes provided", SHAPE_EXPAND},
    {"split_with_sizes expects", SHAPE_SPLIT},
};

static enum shape_problem problem_of(const char *message)
{
    for (size_t i = 0; i < COUNT_OF(messages); i++)
        if (strstr(message, messages[i].says) != NULL)
            return messages[i].problem;
    return SHAPE_NONE;
}

/* ---- reading the failure ---- */

const struct tensor *operand_form(const struct shape_error *error, size_t operand)
{
    if (operand >= error->n)
        return NULL;
    struct node *node = tensor_form(error->m, as_tensor(error->operands[operand].value));
    if (node == NULL)
        raised_clear(error->m);
    return node != NULL ? &node->value : NULL;
}

size_t operand_size(const struct shape_error *error, size_t operand, int axis)
{
    const struct tensor *x = operand_form(error, operand);
    int at = x != NULL && axis < 0 ? axis + (int)x->n_axes : axis;
    return x != NULL && at >= 0 && at < (int)x->n_axes ? x->shape[at] : 0;
}

static void add_operand(struct shape_error *error, const struct expr *expr, struct value v,
                        bool is_listed)
{
    if (error->n < OPERANDS_MOST && expr != NULL && is_tensor(v))
        error->operands[error->n++] = (struct operand){expr, v, is_listed};
}

static void add_list(struct shape_error *error, const struct expr *expr, struct value v)
{
    bool is_tuple = value_is(v, THING_TUPLE);
    if (!is_tuple && !value_is(v, THING_LIST))
        return;
    const struct value *items = is_tuple ? THING_AS(tuple, v)->items : THING_AS(array, v)->items;
    size_t n = is_tuple ? THING_AS(tuple, v)->n : THING_AS(array, v)->n;
    bool is_written = (expr->kind == EXPR_LIST || expr->kind == EXPR_TUPLE) && expr->as.list.n == n;
    for (size_t i = 0; i < n; i++)
        add_operand(error, is_written ? expr->as.list.items[i] : expr, items[i], true);
}

static void read_call(struct shape_error *error, const struct expr *call)
{
    const struct observed *seen = &error->failure->seen;
    size_t at = 0, n = call->as.call.n;
    if (seen->n == n + 1 && call->object->kind == EXPR_ATTRIBUTE)
        add_operand(error, call->object->object, seen->args[at++], false);
    for (int named = 0; named < 2; named++)
        for (size_t i = 0; i < n && at < seen->n; i++) {
            const struct argument *a = &call->as.call.arguments[i];
            if ((a->keyword != NULL) != named || a->n_stars > 0)
                continue;
            add_operand(error, a->value, seen->args[at], false);
            add_list(error, a->value, seen->args[at++]);
        }
    if (call->object->kind == EXPR_NAME || call->object->kind == EXPR_ATTRIBUTE) {
        error->function = call->object->as.text.bytes;
        error->function_size = call->object->as.text.size;
    }
    if (value_is(seen->function, THING_INSTANCE))
        error->layer = class_name(THING_AS(instance, seen->function)->class);
}

/* x of b, t, d = x.shape */
static void read_unpack(struct shape_error *error)
{
    const struct failure *f = error->failure;
    const struct expr *what = f->seen.statement != NULL ? f->seen.statement->value : NULL;
    if (what != NULL && what->kind == EXPR_CALL)
        what = what->object;
    if (what == NULL || what->kind != EXPR_ATTRIBUTE ||
        !(expr_named(what, "shape") || expr_named(what, "size")))
        return;
    add_operand(error, what->object, frame_value(error->m, f->code, f->variables, what->object),
                false);
}

static void read_failure(struct shape_error *error)
{
    const struct observed *seen = &error->failure->seen;
    const struct expr *expr = seen->expr;
    if (error->problem == SHAPE_UNPACK) {
        error->expr = NULL;
        read_unpack(error);
        return;
    }
    if (expr == NULL || seen->statement->kind == STATEMENT_AUGMENTED) {
        const struct statement *s = seen->statement;
        if (expr == NULL || expr == s->targets[0]) {
            error->expr = NULL;
            add_operand(error, s->targets[0], seen->n > 0 ? seen->args[0] : value_absent(), false);
            add_operand(error, s->value, seen->n > 1 ? seen->args[1] : value_absent(), false);
            return;
        }
    }
    if (expr->kind == EXPR_BINARY) {
        add_operand(error, expr->as.operation.left, seen->args[0], false);
        add_operand(error, expr->as.operation.right, seen->args[1], false);
    } else if (expr->kind == EXPR_CALL) {
        read_call(error, expr);
    } else if (expr->kind == EXPR_INDEX || expr->kind == EXPR_ATTRIBUTE) {
        add_operand(error, expr->object, seen->args[0], false);
    }
    bool is_linear = strcmp(error->layer, "Linear") == 0 ||
                     text_equals(error->function, error->function_size, "linear");
    if (error->problem == SHAPE_PRODUCT && is_linear)
        error->problem = SHAPE_LINEAR;
    bool is_product = (expr->kind == EXPR_BINARY && expr->as.operation.op == OP_MATMUL) ||
                      text_equals(error->function, error->function_size, "matmul");
    if (error->problem == SHAPE_BROADCAST && is_product)
        error->problem = SHAPE_PRODUCT;
}

/* ---- saying it ---- */

/* Source without line breaks, at most `most` bytes. */
static void write_source(const struct unit *unit, size_t begin, size_t end, size_t most,
                         struct text *out)
{
    bool is_cut = end - begin > most, blank = false;
    if (is_cut)
        end = begin + most;
    for (size_t i = begin; i < end; i++) {
        char c = unit->source[i];
        bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\\';
        if (!is_blank && blank)
            text_char(out, ' ');
        blank = is_blank;
        if (!is_blank)
            text_char(out, c);
    }
    if (is_cut)
        text_put(out, "...");
}

static void write_name(const struct shape_error *error, size_t operand, struct text *out)
{
    const struct expr *expr = error->operands[operand].expr;
    write_source(error->failure->code->unit, expr->begin, expr->end, 40, out);
}

/* The last row of a path names a cell only where there is more than one. */
static void write_line(const struct shape_error *error, const struct unit *unit, size_t at,
                       struct text *out)
{
    if (unit != error->failure->code->unit)
        text_format(out, "%s, ", unit->name);
    text_format(out, "line %zu", unit_row(unit, at) + 1);
}

/* "axis 2 of q, head_dim of size 8 (line 12: view(b, t, n_heads, head_dim))" */
static void write_axis(const struct shape_error *error, size_t operand, unsigned axis,
                       struct text *out)
{
    const struct tensor *x = operand_form(error, operand);
    const struct axes *axes = as_tensor(error->operands[operand].value)->axes;
    const struct axis *is = axes != NULL && axis < axes->n ? axes->at[axis] : NULL;
    text_format(out, "axis %u of ", axis);
    write_name(error, operand, out);
    if (is == NULL || is->name == NULL) {
        text_format(out, " has size %zu", x->shape[axis]);
        return;
    }
    text_format(out, " of size %zu is %.*s: ", x->shape[axis], (int)is->name_size, is->name);
    write_line(error, is->unit, is->begin, out);
    text_put(out, is->is_said ? ", comment " : ", ");
    size_t end = is->end;
    const char *hash = memchr(is->unit->source + is->begin, '#', end - is->begin);
    if (hash != NULL && hash > is->unit->source + is->begin)
        end = (size_t)(hash - is->unit->source);
    write_source(is->unit, is->begin, end, 60, out);
}

static void write_operands(const struct shape_error *error, struct text *out)
{
    size_t width = 0;
    struct text name = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < error->n; i++) {
            const struct tensor *x = operand_form(error, i);
            text_clear(&name);
            write_name(error, i, &name);
            width = name.size > width ? name.size : width;
            if (pass == 0 || x == NULL)
                continue;
            text_format(out, "  %-*s  ", (int)width, text_string(&name));
            observe_write_shape(x, out);
            const struct axes *axes = as_tensor(error->operands[i].value)->axes;
            bool is_named = false;
            for (unsigned k = 0; axes != NULL && k < axes->n; k++)
                is_named = is_named || axes->at[k]->name != NULL;
            if (is_named && x->n_axes > 0) {
                text_put(out, "  ");
                axes_write(axes, x, out);
            }
            text_char(out, '\n');
        }
    text_release(&name);
}

/* A sentence about two axes that differ. */
static void write_pair(const struct shape_error *error, size_t a, unsigned i, size_t b, unsigned j,
                       const char *rule, struct text *out)
{
    text_put(out, "  ");
    write_axis(error, a, i, out);
    text_put(out, "\n  ");
    write_axis(error, b, j, out);
    text_format(out, "\n  %s\n", rule);
}

/* The first axis from the right, among those in front of the last `skip`, whose sizes differ. */
static bool differing(const struct tensor *a, const struct tensor *b, unsigned skip,
                      unsigned *ret_a, unsigned *ret_b)
{
    for (unsigned back = 1 + skip; back <= a->n_axes && back <= b->n_axes; back++) {
        *ret_a = a->n_axes - back;
        *ret_b = b->n_axes - back;
        if (a->shape[*ret_a] != b->shape[*ret_b] && a->shape[*ret_a] != 1 && b->shape[*ret_b] != 1)
            return true;
    }
    return false;
}

static void say_product(const struct shape_error *error, struct text *out)
{
    const struct tensor *a = operand_form(error, 0), *b = operand_form(error, 1);
    unsigned i = 0, j = 0;
    if (a == NULL || b == NULL || a->n_axes == 0 || b->n_axes == 0)
        return;
    i = a->n_axes - 1;
    j = b->n_axes > 1 ? b->n_axes - 2 : 0;
    if (text_equals(error->function, error->function_size, "einsum") == 0 &&
        a->shape[i] != b->shape[j])
        write_pair(error, 0, i, 1, j,
                   "A product adds up along the last axis of the left side and the last but one "
                   "of the right side: these two must be equal.",
                   out);
    else if (differing(a, b, 2, &i, &j))
        write_pair(error, 0, i, 1, j, "The axes in front of the matrices must be equal, or 1.",
                   out);
    else if (a->n_axes != b->n_axes)
        text_format(out, "  The left side has %u axes, and the right side has %u.\n", a->n_axes,
                    b->n_axes);
}

/* Where a layer was made: "line 5, nn.Linear(32, 64)". */
static bool find_layer(const struct shape_error *error, struct found_call *ret)
{
    const struct expr *callee = error->expr != NULL ? error->expr->object : NULL;
    const struct value self = error->failure->self;
    const char *owner =
        value_is(self, THING_INSTANCE) ? class_name(THING_AS(instance, self)->class) : NULL;
    return callee != NULL && callee->kind == EXPR_ATTRIBUTE &&
           (find_attribute_call(error->m, owner, callee->as.text.bytes, callee->as.text.size,
                                ret) ||
            find_attribute_call(error->m, NULL, callee->as.text.bytes, callee->as.text.size, ret));
}

static void say_layer(const struct shape_error *error, struct text *out)
{
    const struct tensor *x = operand_form(error, 0);
    struct found_call found;
    if (x == NULL || x->n_axes == 0)
        return;
    text_put(out, "  ");
    write_axis(error, 0, x->n_axes - 1, out);
    text_put(out, "\n");
    if (error->n > 1 && error->layer[0] == '\0') { /* F.linear(x, W) */
        const struct tensor *w = operand_form(error, 1);
        text_put(out, "  ");
        write_axis(error, 1, w->n_axes - 1, out);
        text_put(out, "\n  linear() multiplies the last axis of both.\n");
        return;
    }
    const struct value *in = NULL;
    struct string *name =
        intern(error->m, error->problem == SHAPE_NORM ? "normalized_shape" : "in_features",
               error->problem == SHAPE_NORM ? 16 : 11);
    const struct value function = error->failure->seen.function;
    if (name != NULL && value_is(function, THING_INSTANCE) &&
        THING_AS(instance, function)->attributes != NULL) {
        const struct entry *entry = table_find_name(THING_AS(instance, function)->attributes, name);
        in = entry != NULL ? &entry->value : NULL;
    }
    text_put(out, "  ");
    write_source(error->failure->code->unit, error->expr->object->begin, error->expr->object->end,
                 40, out);
    if (in != NULL && in->kind == VALUE_INT)
        text_format(out, " takes a last axis of size %lld", (long long)in->as.whole);
    else
        text_put(out, " takes a last axis of another size");
    if (find_layer(error, &found)) {
        text_put(out, ": ");
        write_line(error, found.unit, found.call->begin, out);
        text_put(out, ", ");
        write_source(found.unit, found.call->begin, found.call->end, 60, out);
    }
    text_char(out, '\n');
}

static void say_broadcast(const struct shape_error *error, struct text *out)
{
    unsigned i, j;
    for (size_t a = 0; a < error->n; a++)
        for (size_t b = a + 1; b < error->n; b++) {
            const struct tensor *x = operand_form(error, a), *y = operand_form(error, b);
            if (x == NULL || y == NULL || !differing(x, y, 0, &i, &j))
                continue;
            write_pair(error, a, i, b, j,
                       "Shapes are compared from the right: two sizes must be equal, or one of "
                       "them 1.",
                       out);
            return;
        }
}

/* The sizes that view() was asked for, of which one may be -1. */
static size_t asked_sizes(const struct shape_error *error, int64_t ret[TENSOR_MAX_AXES])
{
    const struct observed *seen = &error->failure->seen;
    size_t n = 0;
    for (size_t i = 0; i < seen->n && n < TENSOR_MAX_AXES; i++) {
        if (seen->args[i].kind == VALUE_INT)
            ret[n++] = seen->args[i].as.whole;
        bool is_tuple = value_is(seen->args[i], THING_TUPLE);
        if (!is_tuple && !value_is(seen->args[i], THING_LIST))
            continue;
        const struct value *items = is_tuple ? THING_AS(tuple, seen->args[i])->items
                                             : THING_AS(array, seen->args[i])->items;
        size_t n_items =
            is_tuple ? THING_AS(tuple, seen->args[i])->n : THING_AS(array, seen->args[i])->n;
        for (size_t k = 0; k < n_items && n < TENSOR_MAX_AXES; k++)
            if (items[k].kind == VALUE_INT)
                ret[n++] = items[k].as.whole;
    }
    return n;
}

static void say_view(const struct shape_error *error, struct text *out)
{
    const struct tensor *x = operand_form(error, 0);
    int64_t sizes[TENSOR_MAX_AXES];
    size_t n = asked_sizes(error, sizes), total = 1, asked = 1, same = 0;
    bool has_free = false;
    if (x == NULL)
        return;
    for (unsigned i = 0; i < x->n_axes; i++)
        total *= x->shape[i];
    for (size_t i = 0; i < n; i++) {
        has_free = has_free || sizes[i] < 0;
        asked *= sizes[i] > 0 ? (size_t)sizes[i] : 1;
    }
    text_put(out, "  ");
    write_name(error, 0, out);
    text_format(out, " holds %zu numbers, and ", total);
    if (has_free)
        text_format(out, "%zu, the product of the other sizes, does not divide that.\n", asked);
    else
        text_format(out, "these sizes ask for %zu.\n", asked);
    while (same < n && same < x->n_axes && (int64_t)x->shape[same] == sizes[same])
        same++;
    if (same >= x->n_axes)
        return;
    text_put(out, "  ");
    write_axis(error, 0, (unsigned)same, out);
    if (same + 1 == x->n_axes && n > same) {
        text_format(out, "\n  It can't become ");
        for (size_t i = same; i < n; i++)
            text_format(out, i > same ? " x %lld" : "%lld", (long long)sizes[i]);
    }
    text_char(out, '\n');
}

static void say_strides(const struct shape_error *error, struct text *out)
{
    (void)error;
    text_put(out,
             "  view() joins axes that lie next to each other in memory, and after transpose() "
             "or permute() they don't.\n");
}

static void say_dim(const struct shape_error *error, struct text *out)
{
    const struct tensor *x = operand_form(error, 0);
    if (x == NULL)
        return;
    text_put(out, "  ");
    write_name(error, 0, out);
    text_format(out, " has %u ax%s: dim goes from %d to %d.\n", x->n_axes,
                x->n_axes == 1 ? "is" : "es", -(int)x->n_axes, (int)x->n_axes - 1);
}

static void say_cat(const struct shape_error *error, struct text *out)
{
    const struct tensor *x = operand_form(error, 0), *y = NULL;
    for (size_t b = 1; b < error->n; b++) {
        y = operand_form(error, b);
        if (x == NULL || y == NULL)
            return;
        if (x->n_axes != y->n_axes) {
            text_put(out, "  ");
            write_name(error, 0, out);
            text_format(out, " has %u axes, and ", x->n_axes);
            write_name(error, b, out);
            text_format(out, " has %u.\n", y->n_axes);
            return;
        }
        for (unsigned i = 0, n_same = 0; i < x->n_axes; i++) {
            n_same += x->shape[i] == y->shape[i];
            if (x->shape[i] == y->shape[i])
                continue;
            write_pair(error, 0, i, b, i,
                       text_equals(error->function, error->function_size, "stack")
                           ? "All tensors of a stack have one shape."
                           : "Only the axis along which they are joined may differ.",
                       out);
            return;
        }
    }
}

static void say_loss(const struct shape_error *error, struct text *out)
{
    const struct tensor *x = operand_form(error, 0), *y = operand_form(error, 1);
    if (x == NULL || y == NULL || x->n_axes == 0)
        return;
    if (x->n_axes == 2 && y->n_axes > 0 && x->shape[0] != y->shape[0]) {
        write_pair(error, 0, 0, 1, 0,
                   "Axis 0 counts the examples: each row of the input needs one target.", out);
        return;
    }
    text_put(out, "  ");
    write_axis(error, 0, x->n_axes > 1 ? 1 : 0, out);
    text_put(out, "\n  cross_entropy() takes axis 1 of its input as the classes, and a target with "
                  "the other axes.\n");
}

static void say_unpack(const struct shape_error *error, struct text *out)
{
    const struct tensor *x = operand_form(error, 0);
    const struct statement *s = error->failure->seen.statement;
    if (x == NULL || s->n_targets == 0 || s->targets[0]->kind != EXPR_TUPLE)
        return;
    text_put(out, "  ");
    write_name(error, 0, out);
    text_format(out, " has %u ax%s, and %zu names wait for their sizes.\n", x->n_axes,
                x->n_axes == 1 ? "is" : "es", s->targets[0]->as.list.n);
}

static void say_index(const struct shape_error *error, struct text *out)
{
    struct found_call found;
    if (strcmp(error->layer, "Embedding") == 0 && find_layer(error, &found)) {
        text_put(out, "  An index is as large as the table, or larger: ");
        write_line(error, found.unit, found.call->begin, out);
        text_put(out, ", ");
        write_source(found.unit, found.call->begin, found.call->end, 60, out);
        text_char(out, '\n');
    }
}

static void say_expand(const struct shape_error *error, struct text *out)
{
    const struct tensor *x = operand_form(error, 0);
    int64_t sizes[TENSOR_MAX_AXES];
    size_t n = asked_sizes(error, sizes);
    for (unsigned back = 1; x != NULL && back <= x->n_axes && back <= n; back++) {
        unsigned i = x->n_axes - back;
        int64_t wanted = sizes[n - back];
        if (wanted < 0 || x->shape[i] == 1 || (int64_t)x->shape[i] == wanted)
            continue;
        text_put(out, "  ");
        write_axis(error, 0, i, out);
        text_format(out, "\n  It can't become %lld: only an axis of size 1 can be expanded.\n",
                    (long long)wanted);
        return;
    }
}

static void say_permute(const struct shape_error *error, struct text *out)
{
    const struct tensor *x = operand_form(error, 0);
    int64_t dims[TENSOR_MAX_AXES];
    if (x == NULL)
        return;
    text_put(out, "  ");
    write_name(error, 0, out);
    text_format(out, " has %u axes, and %zu are named.\n", x->n_axes, asked_sizes(error, dims));
}

static void say_split(const struct shape_error *error, struct text *out)
{
    const struct tensor *x = operand_form(error, 0);
    if (x == NULL || x->n_axes == 0)
        return;
    text_put(out, "  ");
    write_axis(error, 0, x->n_axes - 1, out);
    text_put(out, "\n  The sizes of the parts must add up to it.\n");
}

static void (*const sayings[SHAPE_COUNT])(const struct shape_error *error, struct text *out) = {
    [SHAPE_PRODUCT] = say_product, [SHAPE_LINEAR] = say_layer,    [SHAPE_BROADCAST] = say_broadcast,
    [SHAPE_VIEW] = say_view,       [SHAPE_STRIDES] = say_strides, [SHAPE_DIM] = say_dim,
    [SHAPE_CAT] = say_cat,         [SHAPE_NORM] = say_layer,      [SHAPE_LOSS] = say_loss,
    [SHAPE_UNPACK] = say_unpack,   [SHAPE_INDEX] = say_index,     [SHAPE_PERMUTE] = say_permute,
    [SHAPE_EXPAND] = say_expand,   [SHAPE_SPLIT] = say_split,
};

static void write_head(const struct shape_error *error, struct text *out)
{
    const struct failure *f = error->failure;
    const struct unit *unit = f->code->unit;
    const struct expr *expr = f->seen.expr;
    const struct statement *s = f->seen.statement;
    size_t at = expr != NULL ? expr->begin : s->begin;
    text_format(out, "attn: line %zu", unit_row(unit, at) + 1);
    if (f->code->name[0] != '<') {
        text_put(out, ", in ");
        if (value_is(f->self, THING_INSTANCE))
            text_format(out, "%s.", class_name(THING_AS(instance, f->self)->class));
        text_put(out, f->code->name);
    }
    text_put(out, ": ");
    if (s != NULL && s->body == NULL)
        write_source(unit, s->begin, statement_code_end(unit, s), 90, out);
    else if (expr != NULL)
        write_source(unit, expr->begin, expr->end, 90, out);
    text_char(out, '\n');
}

void shape_error_explain(const struct notebook *notebook, const char *message, struct text *out)
{
    enum { SECONDS = 2 };
    struct observer observer = {.failure = {.error = value_absent()}};
    struct shape_error error = {
        .problem = problem_of(message), .failure = &observer.failure, .function = "", .layer = ""};
    struct text again = {0};
    bool works;
    if (error.problem == SHAPE_NONE)
        return;
    struct notebook *copy = cells_run_again(notebook, NULL, &observer, SECONDS, &works);
    if (copy == NULL) {
        observer_release(&observer);
        return;
    }
    error.m = &copy->machine;
    struct value raised = error.m->raised;
    error.m->raised = value_absent();
    error.m->observer = NULL;
    bool is_same = !works && value_identical(raised, observer.failure.error) &&
                   value_is(raised, THING_INSTANCE) && value_str(error.m, raised, &again) &&
                   strcmp(text_string(&again), message) == 0 &&
                   observer.failure.seen.statement != NULL;
    if (is_same) {
        error.expr = observer.failure.seen.expr;
        read_failure(&error);
    }
    if (is_same && (error.n > 0 || error.problem != SHAPE_UNPACK)) {
        write_head(&error, out);
        write_operands(&error, out);
        if (sayings[error.problem] != NULL)
            sayings[error.problem](&error, out);
        text_put(out, text_string(&observer.problems));
        shape_repairs_write(notebook, &error, out);
    }
    text_release(&again);
    value_drop(raised);
    observer_release(&observer);
    notebook_free(copy);
}
