/* One switch over expressions, a function per kind: see eval.h. */
#include "lang/session/eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/clock.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "lang/builtins/arguments.h"
#include "lang/builtins/builtin.h"
#include "lang/session/eval_internal.h"
#include "lang/session/loop.h"
#include "lang/syntax/parser.h"
#include "lang/value/index.h"
#include "lang/value/literal.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

/* Expressions within expressions, through all functions and texts that evaluate each other. One
 * statement has fewer than 1,300 (see parser.h); each takes up to 3 kB of a stack that may be no
 * more than 8 MB. */
enum { EVAL_MAX_DEPTH = 2000 };

static bool eval_name(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    bool is_constant;
    const struct value *found = evaluation_find_name(e, expr);
    if (found != NULL) {
        *ret = value_share(found);
        return true;
    }
    return evaluation_find_constant(e, expr, ret, &is_constant) &&
           (is_constant || evaluation_fail_unknown_name(e, expr, false));
}

/* ---- lists ---- */

static bool eval_items(struct evaluation *e, const struct expr *expr, struct value *items)
{
    for (size_t i = 0; i < expr->as.list.n; i++)
        if (!evaluation_run(e, expr->as.list.items[i], &items[i]))
            return false;
    return true;
}

/* A table as it is typed, in brackets: its rows are meant to be of one length. */
static bool is_typed_table(const struct expr *list)
{
    for (size_t i = 0; i < list->as.list.n; i++)
        if (list->as.list.items[i]->kind == EXPR_CALL)
            return false;
    return true;
}

/* A list of typed numbers is a tensor; any other list, and a tuple, stays a list. So does one of
 * tensors that were made on the spot and don't fit together, as in cat([ones(2), zeros(3)]). */
static bool eval_list(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    size_t n = expr->as.list.n;
    struct value *items = calloc(n + 1, sizeof *items);
    if (items == NULL)
        return error_memory(e->reterr, "a list");
    bool ok = eval_items(e, expr, items);
    if (ok && expr->kind == EXPR_LIST && literal_all(items, n) &&
        (is_typed_table(expr) || value_same_shapes(items, n))) {
        *ret = value_node(literal_join(&e->session->graph, e->source + expr->begin,
                                       expr->end - expr->begin, items, n, e->reterr));
        ok = ret->kind == VALUE_NODE;
    } else if (ok) {
        ok = value_list(items, n, ret, e->reterr);
    }
    for (size_t i = 0; i < n; i++)
        value_release(&items[i]);
    free(items);
    return ok;
}

/* ---- operators ---- */

static bool append_advice(struct evaluation *e)
{
    return error_set(e->reterr, ERR_TYPE,
                     "an operator: the list is empty; to put x at its end, write cat([list, [x]])");
}

static bool eval_operand(struct evaluation *e, const struct expr *expr, struct node **ret)
{
    struct value value;
    if (!evaluation_run(e, expr, &value))
        return false;
    bool empty = value.kind == VALUE_LIST && value.as.list->n == 0 && !append_advice(e);
    *ret = empty ? NULL : value_to_node(&e->session->graph, &value, "an operator", e->reterr);
    value_release(&value);
    return *ret != NULL || expr_place_error(expr, e->reterr);
}

static struct node *apply_binary(struct evaluation *e, const struct expr *expr, struct node *a,
                                 struct node *b)
{
    struct builder builder;
    builder_init(&builder, &e->session->graph, e->reterr);
    struct node *result = build2(&builder, expr->as.operation.op, a, b);
    if (expr->as.operation.meaning != OPERATOR_PLAIN)
        result = build1(&builder, OP_FLOOR, result);
    if (expr->as.operation.meaning == OPERATOR_REMAINDER)
        result = build2(&builder, OP_SUB, a, build2(&builder, OP_MUL, result, b));
    result = builder_result(&builder, result);
    builder_release(&builder);
    return result;
}

static bool eval_binary(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    struct node *a = NULL, *b = NULL;
    bool ok = eval_operand(e, expr->as.operation.left, &a) &&
              eval_operand(e, expr->as.operation.right, &b);
    *ret = value_node(ok ? apply_binary(e, expr, a, b) : NULL);
    node_free(a);
    node_free(b);
    return ret->kind == VALUE_NODE;
}

static bool eval_unary(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    struct node *x = NULL;
    if (!eval_operand(e, expr->as.operation.left, &x))
        return false;
    if (expr->as.operation.meaning == OPERATOR_POSITIVE) {
        *ret = value_node(x);
        return true;
    }
    *ret = value_node(node_new(&e->session->graph, op_get(expr->as.operation.op), 1, &x,
                               &(struct op_args){0}, e->reterr));
    node_free(x);
    return ret->kind == VALUE_NODE;
}

/* ---- attributes and calls ---- */

static const char *const namespaces[] = {"torch", "np",         "numpy",  "math",  "F",
                                         "nn",    "functional", "linalg", "random"};

static bool is_namespace_name(const struct expr *expr)
{
    for (size_t i = 0; i < COUNT_OF(namespaces); i++)
        if (expr_is_word(expr, namespaces[i]))
            return true;
    return false;
}

/* torch, np, nn.functional, ...: modules that notebooks put before a name. */
static bool is_namespace(const struct evaluation *e, const struct expr *expr)
{
    if (expr->kind == EXPR_ATTRIBUTE)
        return is_namespace_name(expr) && is_namespace(e, expr->object);
    return expr->kind == EXPR_NAME && is_namespace_name(expr) &&
           evaluation_find_name(e, expr) == NULL;
}

static bool call_named(struct evaluation *e, const struct expr *expr, const struct expr *name,
                       const struct value *self, struct value *ret);

/* x.T reverses the axes, x.mT exchanges the last two. */
static bool transposed(struct evaluation *e, const struct value *object, bool last_two,
                       struct value *ret)
{
    struct node *x = value_to_node(&e->session->graph, object, ".T", e->reterr);
    if (x == NULL)
        return false;
    unsigned n = x->value.n_axes;
    ptrdiff_t order[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < n; axis++)
        order[axis] = last_two ? (ptrdiff_t)axis : (ptrdiff_t)(n - 1 - axis);
    if (last_two && n >= 2) {
        order[n - 2] = n - 1;
        order[n - 1] = n - 2;
    }
    struct op_args args = {.n_ints = n, .ints = order};
    *ret = value_node(node_new(&e->session->graph, op_get(OP_PERMUTE), 1, &x, &args, e->reterr));
    node_free(x);
    return ret->kind == VALUE_NODE;
}

static bool unknown_attribute(struct evaluation *e, const struct expr *expr)
{
    char shown[48];
    error_quote(shown, sizeof shown, expr->as.text.bytes, expr->as.text.size);
    if (expr_is_word(expr, "append"))
        return error_set(e->reterr, ERR_NAME,
                         ".append would change the list in place; write list = cat([list, [x]])");
    if (builtin_find(expr->as.text.bytes, expr->as.text.size) != NULL)
        return error_set(e->reterr, ERR_NAME, ".%s is a function: write .%s(...)", shown, shown);
    return error_set(e->reterr, ERR_NAME,
                     ".%s: tensors have no such attribute; they have .T .mT .shape .ndim and every "
                     "function, as in X.softmax(dim=-1)",
                     shown);
}

static bool eval_attribute(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    if (is_namespace(e, expr->object)) {
        bool is_constant;
        if (expr_is_word(expr, "e")) {
            *ret = value_node(node_constant(&e->session->graph, 2.718281828F, e->reterr));
            return ret->kind == VALUE_NODE;
        }
        return evaluation_find_constant(e, expr, ret, &is_constant) &&
               (is_constant || evaluation_fail_unknown_name(e, expr, false));
    }
    struct value object = {.kind = VALUE_ABSENT};
    if (!evaluation_run(e, expr->object, &object))
        return false;
    bool ok;
    if (expr_is_word(expr, "T") || expr_is_word(expr, "mT"))
        ok = transposed(e, &object, expr->as.text.size == 2, ret);
    else if (expr_is_word(expr, "shape") || expr_is_word(expr, "ndim"))
        ok = call_named(e, expr, expr, &object, ret);
    else
        ok = unknown_attribute(e, expr);
    value_release(&object);
    return ok;
}

/* Evaluates the arguments: positional values first, then keywords straight into the call. */
static bool bind_arguments(struct evaluation *e, const struct expr *expr, struct call *call,
                           struct value *values, size_t n_values)
{
    size_t n = expr->kind == EXPR_CALL ? expr->as.call.n : 0, i = 0;
    for (; i < n && expr->as.call.arguments[i].keyword == NULL; i++)
        if (!evaluation_run(e, expr->as.call.arguments[i].value, &values[n_values++]))
            return false;
    if (!arguments_bind_positions(call, values, n_values))
        return false;
    for (; i < n; i++) {
        const struct argument *argument = &expr->as.call.arguments[i];
        size_t param = 0;
        if (argument->keyword == NULL)
            return arguments_fail(call, "arguments without a name come first") ||
                   expr_place_error(argument->value, e->reterr);
        if (!arguments_find_param(call, argument->keyword, argument->keyword_size, &param) ||
            !evaluation_run(e, argument->value, &call->args[param]))
            return false;
    }
    return arguments_check_required(call);
}

/* What went wrong inside the text has its place there, not in the line. Returns false. */
static bool fail_inside_text(struct error *reterr)
{
    if (reterr == NULL)
        return false;
    reterr->begin = reterr->end = 0;
    if (reterr->kind != ERR_INTERRUPTED && strncmp(reterr->text, "timeit: ", 8) != 0)
        error_prefix(reterr, "timeit: ");
    return false;
}

/* For timeit: see struct call_context. Random numbers drawn on the way are given back. */
static bool time_formula(struct session *session, const struct string *code, size_t n_runs,
                         double *ret_seconds, struct error *reterr)
{
    struct arena arena = {0};
    struct statement *statement = NULL;
    const char *outer = session->source;
    const struct random random = session->random;
    bool changed = session->transaction.changed;
    session->source = code->bytes;
    bool ok = parser_parse_line(&arena, session->find_command, code->bytes, code->size, &statement,
                                reterr) ||
              fail_inside_text(reterr);
    if (ok &&
        (statement == NULL || statement->next != NULL || statement->kind != STATEMENT_EXPRESSION))
        ok = error_set(reterr, ERR_TYPE,
                       "timeit: the text must be one formula, such as \"X @ X.T\"");
    *ret_seconds = (double)INFINITY;
    for (size_t i = 0; ok && i < n_runs; i++) {
        struct value value = {.kind = VALUE_ABSENT};
        uint64_t start = clock_ns();
        ok = expr_eval(session, statement->value, &value, reterr) || fail_inside_text(reterr);
        *ret_seconds = fmin(*ret_seconds, 1e-9 * (double)(clock_ns() - start));
        value_release(&value);
    }
    session->source = outer;
    session->random = random;
    session->transaction.changed = changed;
    arena_release(&arena);
    return ok;
}

/* Calls a builtin; self is the object of a method, put before the arguments. */
static bool call_builtin(struct evaluation *e, const struct expr *expr,
                         const struct builtin *builtin, const struct value *self, struct value *ret)
{
    struct session *session = e->session;
    size_t n = expr->kind == EXPR_CALL ? expr->as.call.n : 0;
    struct value few[8] = {{.kind = VALUE_ABSENT}};
    struct value *values = n + 1 <= COUNT_OF(few) ? few : calloc(n + 1, sizeof *values);
    if (values == NULL)
        return error_memory(e->reterr, builtin->name);
    struct call_context context = {.settings = &session->settings,
                                   .data_dir = session->data_dir,
                                   .embeddings = &session->embeddings,
                                   .notes = &session->notes,
                                   .random = &session->random,
                                   .changed = &session->transaction.changed,
                                   .in_loop = session->n_loops > 0,
                                   .time_formula = time_formula,
                                   .session = session};
    struct call call = {.context = &context,
                        .builtin = builtin,
                        .text = e->source + expr->begin,
                        .text_size = expr->end - expr->begin,
                        .reterr = e->reterr};
    builder_init(&call.builder, &session->graph, e->reterr);
    if (self != NULL)
        values[0] = value_share(self);
    bool ok = bind_arguments(e, expr, &call, values, self != NULL) && builtin->run(&call, ret);
    builder_release(&call.builder);
    for (size_t i = 0; i < BUILTIN_MAX_PARAMS; i++)
        value_release(&call.args[i]);
    for (size_t i = 0; i < n + 1; i++)
        value_release(&values[i]);
    if (values != few)
        free(values);
    return ok;
}

/* Evaluates the body of a function. An error from inside it has no place in this line: it gets the
 * call's, and says in which function it came up, the innermost one. */
static bool call_body(struct evaluation *e, const struct expr *expr, const struct expr *name,
                      const struct function *function, const struct value *arguments,
                      struct value *ret)
{
    if (e->session->n_calls >= SESSION_MAX_CALLS)
        return error_set(
            e->reterr, ERR_LIMIT,
            "functions call each other more than %d deep; a function that calls itself "
            "never ends here",
            SESSION_MAX_CALLS);
    struct evaluation inner = {.session = e->session,
                               .function = function,
                               .arguments = arguments,
                               .source = function->source,
                               .reterr = e->reterr};
    e->session->n_calls++;
    bool ok = evaluation_run(&inner, function->definition->value, ret);
    e->session->n_calls--;
    if (ok || e->reterr == NULL)
        return ok;
    if (!inner.error_names_function && e->reterr->kind != ERR_INTERRUPTED) {
        char shown[40];
        error_quote(shown, sizeof shown, name->as.text.bytes, name->as.text.size);
        error_prefix(e->reterr, "in %s: ", shown);
    }
    e->error_names_function = true;
    e->reterr->begin = expr->begin;
    e->reterr->end = expr->end;
    return false;
}

static bool wrong_count(struct evaluation *e, const struct function *function, size_t given)
{
    const struct statement *definition = function->definition;
    size_t n = definition->n_targets - 1;
    char shown[80];
    error_quote(shown, sizeof shown, function->source, definition->value->begin);
    return error_set(e->reterr, ERR_TYPE, "this function takes %zu %s and was given %zu: %s...", n,
                     n == 1 ? "argument" : "arguments", given, shown);
}

static bool call_function(struct evaluation *e, const struct expr *expr, const struct expr *name,
                          const struct value *found, struct value *ret)
{
    struct value function = value_share(found); /* the call may rebind its name */
    size_t n = function.as.function->definition->n_targets - 1;
    struct value *arguments = calloc(n + 1, sizeof *arguments);
    bool ok = arguments != NULL || error_memory(e->reterr, "a call");
    if (ok && expr->as.call.n != n)
        ok = wrong_count(e, function.as.function, expr->as.call.n);
    for (size_t i = 0; ok && i < n; i++) {
        const struct argument *argument = &expr->as.call.arguments[i];
        ok = argument->keyword == NULL ||
             error_set(e->reterr, ERR_TYPE, "your own functions take their arguments by position");
        ok = ok && evaluation_run(e, argument->value, &arguments[i]);
    }
    ok = ok && call_body(e, expr, name, function.as.function, arguments, ret);
    for (size_t i = 0; arguments != NULL && i < n; i++)
        value_release(&arguments[i]);
    free(arguments);
    value_release(&function);
    return ok;
}

static bool not_a_function(struct evaluation *e, const struct expr *name, const struct value *found)
{
    char shown[48], text[120];
    error_quote(shown, sizeof shown, name->as.text.bytes, name->as.text.size);
    if (builtin_find(name->as.text.bytes, name->as.text.size) != NULL)
        return error_set(e->reterr, ERR_TYPE,
                         "%s(...): %s is now %s; del %s brings the function back", shown, shown,
                         value_describe(found, text, sizeof text), shown);
    if (found->kind == VALUE_NODE && found->as.node->value.n_axes == 0)
        return error_set(e->reterr, ERR_TYPE,
                         "%s(...): %s is a number, not a function; to multiply, write %s * (...)",
                         shown, shown, shown);
    return error_set(e->reterr, ERR_TYPE,
                     "%s(...): %s is %s, not a function; to look inside, write %s[...]", shown,
                     shown, value_describe(found, text, sizeof text), shown);
}

/* x.masked_fill_(...) and its like change a tensor in place, which attn's tensors never do. */
static bool in_place_method(struct evaluation *e, const struct expr *name)
{
    char shown[48];
    error_quote(shown, sizeof shown, name->as.text.bytes, name->as.text.size - 1);
    return error_set(e->reterr, ERR_NAME,
                     ".%s_() would change the tensor in place; write x = x.%s(...), so that its "
                     "history is kept",
                     shown, shown);
}

/* A call by name: the learner's own function, or a builtin; self makes it a method. */
static bool call_named(struct evaluation *e, const struct expr *expr, const struct expr *name,
                       const struct value *self, struct value *ret)
{
    const char *bytes = name->as.text.bytes;
    size_t size = name->as.text.size;
    const struct value *found = self == NULL ? evaluation_find_name(e, name) : NULL;
    if (found != NULL && found->kind == VALUE_FUNCTION)
        return call_function(e, expr, name, found, ret);
    const struct builtin *builtin = builtin_find(bytes, size);
    if (found != NULL && (builtin == NULL || name->kind == EXPR_NAME))
        return not_a_function(e, name, found);
    if (builtin != NULL)
        return call_builtin(e, expr, builtin, self, ret);
    if (self != NULL && size > 1 && bytes[size - 1] == '_' && builtin_find(bytes, size - 1))
        return in_place_method(e, name);
    return self != NULL ? unknown_attribute(e, name) : evaluation_fail_unknown_name(e, name, true);
}

static bool eval_call(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    const struct expr *called = expr->object;
    if (called->kind == EXPR_NAME)
        return call_named(e, expr, called, NULL, ret);
    if (called->kind != EXPR_ATTRIBUTE)
        return error_set(e->reterr, ERR_TYPE,
                         "only a name can be called, as in softmax(x); to multiply, write *");
    if (is_namespace(e, called->object)) {
        const struct builtin *builtin = builtin_find(called->as.text.bytes, called->as.text.size);
        return builtin != NULL ? call_builtin(e, expr, builtin, NULL, ret)
                               : evaluation_fail_unknown_name(e, called, true);
    }
    struct value self = {.kind = VALUE_ABSENT};
    bool ok = evaluation_run(e, called->object, &self) && call_named(e, expr, called, &self, ret);
    value_release(&self);
    return ok;
}

/* ---- indices ---- */

static bool eval_part(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    *ret = (struct value){.kind = VALUE_ABSENT};
    return expr == NULL || evaluation_run(e, expr, ret);
}

static bool eval_index_item(struct evaluation *e, const struct expr *expr, struct index_item *item)
{
    item->begin = expr->begin;
    item->end = expr->end;
    if (expr->kind == EXPR_ELLIPSIS) {
        item->kind = INDEX_ELLIPSIS;
        return true;
    }
    if (expr->kind != EXPR_SLICE) {
        item->kind = INDEX_VALUE;
        return evaluation_run(e, expr, &item->values[0]);
    }
    item->kind = INDEX_SLICE;
    return eval_part(e, expr->as.slice.start, &item->values[0]) &&
           eval_part(e, expr->as.slice.stop, &item->values[1]) &&
           eval_part(e, expr->as.slice.step, &item->values[2]);
}

static bool eval_index(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    size_t n = expr->as.list.n;
    struct value object = {.kind = VALUE_ABSENT};
    struct index_item *items = calloc(n, sizeof *items);
    if (items == NULL)
        return error_memory(e->reterr, "an index");
    bool ok = evaluation_run(e, expr->object, &object);
    for (size_t i = 0; ok && i < n; i++)
        ok = eval_index_item(e, expr->as.list.items[i], &items[i]);
    ok = ok && index_value(&e->session->graph, &object, items, n, ret, e->reterr);
    for (size_t i = 0; i < n; i++)
        for (size_t part = 0; part < 3; part++)
            value_release(&items[i].values[part]);
    free(items);
    value_release(&object);
    return ok;
}

static bool evaluate_kind(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    switch (expr->kind) {
    case EXPR_NUMBER:
        *ret = value_node(node_constant(&e->session->graph, (float)expr->as.number, e->reterr));
        return ret->kind == VALUE_NODE;
    case EXPR_STRING:
        return value_string(expr->as.text.bytes, expr->as.text.size, ret, e->reterr);
    case EXPR_NAME:
        return eval_name(e, expr, ret);
    case EXPR_LIST:
    case EXPR_TUPLE:
        return eval_list(e, expr, ret);
    case EXPR_COMPREHENSION:
        return evaluation_run_comprehension(e, expr, ret);
    case EXPR_UNARY:
        return eval_unary(e, expr, ret);
    case EXPR_BINARY:
        return eval_binary(e, expr, ret);
    case EXPR_CALL:
        return eval_call(e, expr, ret);
    case EXPR_ATTRIBUTE:
        return eval_attribute(e, expr, ret);
    case EXPR_INDEX:
        return eval_index(e, expr, ret);
    case EXPR_SLICE:
    case EXPR_ELLIPSIS:
        break;
    }
    return error_set(e->reterr, ERR_SYNTAX, "this belongs inside [ ]");
}

bool evaluation_run(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    struct value value = {.kind = VALUE_ABSENT};
    const volatile sig_atomic_t *stop = e->session->graph.stop;
    if (stop != NULL && *stop)
        return error_set(e->reterr, ERR_INTERRUPTED, "stopped");
    if (e->session->depth >= EVAL_MAX_DEPTH)
        return error_set(e->reterr, ERR_LIMIT,
                         "functions that call each other make a formula more than %d deep; a "
                         "function that calls itself never ends here",
                         EVAL_MAX_DEPTH) ||
               expr_place_error(expr, e->reterr);
    e->session->depth++;
    bool ok = evaluate_kind(e, expr, &value);
    e->session->depth--;
    if (!ok) {
        value_release(&value);
        return expr_place_error(expr, e->reterr);
    }
    *ret = value;
    return true;
}

bool expr_eval(struct session *session, const struct expr *expr, struct value *ret,
               struct error *reterr)
{
    struct evaluation e = {.session = session, .source = session->source, .reterr = reterr};
    return evaluation_run(&e, expr, ret);
}

struct node *expr_eval_node(struct session *session, const struct expr *expr, struct error *reterr)
{
    struct value value;
    if (!expr_eval(session, expr, &value, reterr))
        return NULL;
    char shown[48];
    error_quote(shown, sizeof shown, session->source + expr->begin, expr->end - expr->begin);
    struct node *node = value_to_node(&session->graph, &value, shown, reterr);
    value_release(&value);
    if (node == NULL)
        expr_place_error(expr, reterr);
    return node;
}

static bool not_one_cell(const struct node *node, struct error *reterr)
{
    struct text name = {0}, example = {0};
    size_t n = tensor_size(&node->value);
    node_write(node, &name);
    if (n == 0) {
        error_set(reterr, ERR_SHAPE, "%s: it holds no numbers; name a cell of another tensor",
                  text_string(&name));
    } else {
        cell_write(cell_origin((struct cell){(struct node *)node, 0}), &example);
        error_set(reterr, ERR_SHAPE, "%s: it holds %zu %s; name one of them, such as %s",
                  text_string(&name), n, n == 1 ? "number behind an axis" : "numbers",
                  text_string(&example));
    }
    text_release(&name);
    text_release(&example);
    return false;
}

bool expr_eval_cell(struct session *session, const struct expr *expr, struct cell *ret,
                    struct error *reterr)
{
    struct node *node = expr_eval_node(session, expr, reterr);
    if (node == NULL)
        return false;
    if (tensor_size(&node->value) != 1 || (node->value.n_axes > 0 && expr->kind == EXPR_INDEX)) {
        bool ok = not_one_cell(node, reterr) || expr_place_error(expr, reterr);
        node_free(node);
        return ok;
    }
    struct cell cell = {node, 0};
    if (expr->kind == EXPR_INDEX)
        cell = cell_origin(cell);
    ret->node = node_share(cell.node);
    ret->position = cell.position;
    node_free(node);
    return true;
}
