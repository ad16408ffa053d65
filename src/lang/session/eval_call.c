/* Calls, of functions and methods, and attributes: see eval_internal.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "files/clock.h"
#include "graph/cost.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "lang/builtins/arguments.h"
#include "lang/session/eval.h"
#include "lang/session/eval_internal.h"
#include "lang/session/foreign_internal.h"
#include "lang/syntax/parser.h"
#include "lang/value/literal.h"
#include "lang/value/value.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

/* ---- measuring a formula ---- */

/* An error inside the text has its place there, not in the line. Returns false. */
static bool fail_inside_text(const char *function, struct error *reterr)
{
    char prefix[40];
    if (reterr == NULL)
        return false;
    snprintf(prefix, sizeof prefix, "%s: ", function);
    reterr->begin = reterr->end = 0;
    if (reterr->kind != ERR_INTERRUPTED && strncmp(reterr->text, prefix, strlen(prefix)) != 0)
        error_prefix(reterr, "%s", prefix);
    return false;
}

/* Runs it once more, and adds up what it took. */
static bool run_formula(struct session *session, const struct expr *expr,
                        struct formula_measure *measure, struct error *reterr)
{
    struct value value = {.kind = VALUE_ABSENT};
    uint64_t first_id = session->graph.last_id + 1;
    uint64_t start_ns = clock_ns(), spent_ns = clock_spent_by_all_ns();
    bool ok = expr_eval(session, expr, &value, reterr);
    /* While it stands still for other programs it takes no processor's time; threads that share the
     * work take more of that than passes on the wall. */
    double wall_ns = (double)(clock_ns() - start_ns);
    double own_ns = (double)(clock_spent_by_all_ns() - spent_ns);
    measure->seconds = fmin(measure->seconds, 1e-9 * fmin(wall_ns, own_ns));
    if (ok && value.kind == VALUE_NODE)
        ok = formula_cost(value.as.node, first_id, &measure->cost, reterr);
    value_release(&value);
    return ok;
}

/* See struct call_context. Random numbers drawn on the way are given back. */
static bool measure_formula(struct session *session, const char *function,
                            const struct string *code, size_t n_runs, struct formula_measure *ret,
                            struct error *reterr)
{
    struct arena arena = {0};
    struct statement *statement = NULL;
    const char *outer = session->source;
    const struct random random = session->random;
    bool changed = session->transaction.changed;
    session->source = code->bytes;
    bool ok = parser_parse_line(&arena, session->find_command, code->bytes, code->size, &statement,
                                reterr) ||
              fail_inside_text(function, reterr);
    if (ok &&
        (statement == NULL || statement->next != NULL || statement->kind != STATEMENT_EXPRESSION))
        ok = error_set(reterr, ERR_TYPE, "%s: the text must be one formula, such as \"X @ X.T\"",
                       function);
    *ret = (struct formula_measure){.seconds = (double)INFINITY};
    for (size_t i = 0; ok && i < n_runs; i++)
        ok = run_formula(session, statement->value, ret, reterr) ||
             fail_inside_text(function, reterr);
    session->source = outer;
    session->random = random;
    session->transaction.changed = changed;
    arena_release(&arena);
    return ok;
}

/* ---- calls of builtins ---- */

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

/* Runs a function of a **parameter, which takes every argument with its name: the keyword, or what
 * was typed. */
static bool run_with_names(struct evaluation *e, const struct expr *expr, struct call *call,
                           const struct value *self, struct value *ret)
{
    size_t n_typed = expr->kind == EXPR_CALL ? expr->as.call.n : 0, n = 0;
    struct named_argument *named = calloc(n_typed + 1, sizeof *named);
    if (named == NULL)
        return error_memory(e->reterr, call->builtin->name);
    bool ok = true;
    if (self != NULL)
        named[n++] = (struct named_argument){value_share(self), e->source + expr->object->begin,
                                             expr->object->object->end - expr->object->begin};
    for (size_t i = 0; ok && i < n_typed; i++, n++) {
        const struct argument *argument = &expr->as.call.arguments[i];
        bool keyword = argument->keyword != NULL;
        const struct expr *value = argument->value;
        named[n].name = keyword ? argument->keyword : e->source + value->begin;
        named[n].name_size = keyword ? argument->keyword_size : value->end - value->begin;
        ok = evaluation_run(e, value, &named[n].value);
    }
    call->named = named;
    call->n_named = n;
    text_clear(call->context->beside);
    ok = ok && call->builtin->run(call, ret);
    for (size_t i = 0; i < n; i++)
        value_release(&named[i].value);
    free(named);
    return ok;
}

static struct call_context context_of(struct session *session)
{
    return (struct call_context){.settings = &session->settings,
                                 .data_dir = session->data_dir,
                                 .embeddings = &session->embeddings,
                                 .notes = &session->notes,
                                 .beside = &session->beside,
                                 .random = &session->random,
                                 .changed = &session->transaction.changed,
                                 .in_loop = session->n_loops > 0,
                                 .measure_formula = measure_formula,
                                 .remember = session_remember,
                                 .session = session};
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
    struct call_context context = context_of(session);
    struct call call = {.context = &context,
                        .builtin = builtin,
                        .text = e->source + expr->begin,
                        .text_size = expr->end - expr->begin,
                        .reterr = e->reterr};
    builder_init(&call.builder, &session->graph, e->reterr);
    if (self != NULL)
        values[0] = value_share(self);
    bool ok;
    if (strncmp(builtin->params[0] != NULL ? builtin->params[0] : "", "**", 2) == 0) {
        ok = run_with_names(e, expr, &call, self, ret);
    } else {
        ok = bind_arguments(e, expr, &call, values, self != NULL);
        text_clear(&session->beside); /* what the arguments' calls had to show */
        ok = ok && builtin->run(&call, ret);
    }
    builder_release(&call.builder);
    for (size_t i = 0; i < BUILTIN_MAX_PARAMS; i++)
        value_release(&call.args[i]);
    for (size_t i = 0; i < n + 1; i++)
        value_release(&values[i]);
    if (values != few)
        free(values);
    return ok;
}

/* ---- calls of the learner's own functions ---- */

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

/* ---- calls from cells ---- */

/* Gives a builtin its arguments, which stay the caller's; of a **parameter every one, with its
 * keyword. */
static bool bind_values(struct call *call, const struct value *args, size_t n,
                        const struct string *const *keywords, size_t n_keywords)
{
    struct value positions[BUILTIN_MAX_PARAMS] = {{.kind = VALUE_ABSENT}};
    size_t n_plain = n - n_keywords, param = 0;
    if (n_plain > BUILTIN_MAX_PARAMS)
        return arguments_fail(call, "there are too many arguments");
    if (strncmp(call->builtin->params[0] != NULL ? call->builtin->params[0] : "", "**", 2) == 0)
        return arguments_fail(call, "it names its arguments as they are typed, which Python can't");
    for (size_t i = 0; i < n_plain; i++)
        positions[i] = value_share(&args[i]);
    bool ok = arguments_bind_positions(call, positions, n_plain);
    for (size_t i = 0; ok && i < n_keywords; i++) {
        ok = arguments_find_param(call, keywords[i]->bytes, keywords[i]->size, &param);
        if (ok)
            call->args[param] = value_share(&args[n_plain + i]);
    }
    ok = ok && arguments_check_required(call);
    for (size_t i = 0; i < n_plain; i++)
        value_release(&positions[i]);
    if (ok && call->rest != NULL) /* *parameters: those that are left over, of the caller's */
        call->rest = args + (n_plain - call->n_rest);
    return ok;
}

bool session_call(struct session *session, const struct string *name, const struct value *args,
                  size_t n, const struct string *const *keywords, size_t n_keywords,
                  struct value *ret, struct error *reterr)
{
    const struct value *found = names_get(&session->names, name->bytes, name->size);
    if (found != NULL && found->kind == VALUE_FUNCTION) {
        const struct function *function = found->as.function;
        struct evaluation e = {.session = session, .source = function->source, .reterr = reterr};
        if (n_keywords > 0 || n != function->definition->n_targets - 1)
            return wrong_count(&e, function, n);
        struct value held = value_share(found);
        bool ok = call_body(&e, function->definition->value, function->definition->targets[0],
                            function, args, ret);
        value_release(&held);
        return ok;
    }
    const char *callee =
        found != NULL && found->kind == VALUE_OBJECT ? found->as.object->class->call : name->bytes;
    const struct builtin *builtin = builtin_find(callee, strlen(callee));
    if (builtin == NULL)
        return error_set(reterr, ERR_NAME, "%.60s: no such function", callee);
    struct call_context context = context_of(session);
    struct call call = {.context = &context,
                        .builtin = builtin,
                        .text = name->bytes,
                        .text_size = name->size,
                        .reterr = reterr};
    builder_init(&call.builder, &session->graph, reterr);
    bool ok = bind_values(&call, args, n, keywords, n_keywords) && builtin->run(&call, ret);
    builder_release(&call.builder);
    for (size_t i = 0; i < BUILTIN_MAX_PARAMS; i++)
        value_release(&call.args[i]);
    return ok;
}

/* ---- calls and attributes by name ---- */

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

static bool unknown_attribute(struct evaluation *e, const struct expr *expr)
{
    char shown[48];
    error_quote(shown, sizeof shown, expr->as.text.bytes, expr->as.text.size);
    if (expr_is_word(expr, "append"))
        return error_set(e->reterr, ERR_NAME,
                         ".append would change the list in place; write list = cat([list, [x]])");
    if (builtin_find(expr->as.text.bytes, expr->as.text.size) != NULL)
        return error_set(e->reterr, ERR_NAME, ".%s is a function: write .%s(...)", shown, shown);
    const char *advice = foreign_advice(expr->as.text.bytes, expr->as.text.size);
    if (advice != NULL)
        return error_set(e->reterr, ERR_NAME, "attn's tensors have no .%s; %s", shown, advice);
    return error_set(e->reterr, ERR_NAME,
                     ".%s: tensors have no such attribute; they have .T .mT .shape .ndim and every "
                     "function, as in X.softmax(dim=-1)",
                     shown);
}

/* A call by name: the learner's own function, or a builtin; self makes it a method. */
/* The function of this name, at once where it was called before; else the tables are read. */
static const struct builtin *find_builtin(struct session *session, const char *name, size_t size)
{
    size_t letters =
        size > 0 ? size + (unsigned char)name[0] * 5U + (unsigned char)name[size - 1] : 0;
    const struct builtin **known = &session->known[letters % SESSION_KNOWN];
    if (*known != NULL && text_equals(name, size, (*known)->name))
        return *known;
    const struct builtin *found = builtin_find(name, size);
    if (found != NULL && text_equals(name, size, found->name)) /* not an alias of it */
        *known = found;
    return found;
}

static bool call_named(struct evaluation *e, const struct expr *expr, const struct expr *name,
                       const struct value *self, struct value *ret)
{
    const char *bytes = name->as.text.bytes;
    size_t size = name->as.text.size;
    const struct value *found = self == NULL ? evaluation_find_name(e, name) : NULL;
    if (found != NULL && found->kind == VALUE_FUNCTION)
        return call_function(e, expr, name, found, ret);
    const char *call =
        found != NULL && found->kind == VALUE_OBJECT ? found->as.object->class->call : NULL;
    if (call != NULL)
        return call_builtin(e, expr, builtin_find(call, strlen(call)), found, ret);
    const struct builtin *builtin = find_builtin(e->session, bytes, size);
    if (found != NULL && (builtin == NULL || name->kind == EXPR_NAME))
        return not_a_function(e, name, found);
    if (builtin != NULL)
        return call_builtin(e, expr, builtin, self, ret);
    if (self != NULL && size > 1 && bytes[size - 1] == '_' && builtin_find(bytes, size - 1))
        return in_place_method(e, name);
    return self != NULL ? unknown_attribute(e, name) : evaluation_fail_unknown_name(e, name, expr);
}

bool evaluation_run_call(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    const struct expr *function = expr->object;
    if (function->kind == EXPR_NAME)
        return call_named(e, expr, function, NULL, ret);
    if (function->kind != EXPR_ATTRIBUTE)
        return error_set(e->reterr, ERR_TYPE,
                         "only a name can be called, as in softmax(x); to multiply, write *");
    if (is_namespace(e, function->object)) {
        const struct builtin *builtin =
            builtin_find(function->as.text.bytes, function->as.text.size);
        return builtin != NULL ? call_builtin(e, expr, builtin, NULL, ret)
                               : evaluation_fail_unknown_name(e, function, expr);
    }
    struct value self = {.kind = VALUE_ABSENT};
    bool ok =
        evaluation_run(e, function->object, &self) && call_named(e, expr, function, &self, ret);
    value_release(&self);
    return ok;
}

/* r.weights: a part of an object. */
static bool object_attribute(struct evaluation *e, const struct expr *expr, struct object *object,
                             struct value *ret)
{
    const struct object_class *class = object->class;
    struct text all = {0};
    char shown[48];
    size_t which;
    if (object_find_attribute(class, expr->as.text.bytes, expr->as.text.size, &which))
        return class->attribute(object, which, &e->session->graph, ret, e->reterr);
    for (size_t i = 0; class->attributes[i] != NULL; i++)
        text_format(&all, "%s.%s", i ? " " : "", class->attributes[i]);
    if (class->attributes[0] == NULL && class->index != NULL) {
        text_release(&all);
        return error_set(e->reterr, ERR_NAME, ".%s: a %s has no parts; choose one, as [0].%s",
                         error_quote(shown, sizeof shown, expr->as.text.bytes, expr->as.text.size),
                         class->name, shown);
    }
    error_set(e->reterr, ERR_NAME, ".%s: a %s has no such part; it has %s",
              error_quote(shown, sizeof shown, expr->as.text.bytes, expr->as.text.size),
              class->name, text_string(&all));
    text_release(&all);
    return false;
}

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

bool evaluation_run_attribute(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    if (is_namespace(e, expr->object)) {
        bool is_constant;
        if (expr_is_word(expr, "e")) {
            *ret = value_node(node_constant(&e->session->graph, 2.718281828F, e->reterr));
            return ret->kind == VALUE_NODE;
        }
        return evaluation_find_constant(e, expr, ret, &is_constant) &&
               (is_constant || evaluation_fail_unknown_name(e, expr, NULL));
    }
    struct value object = {.kind = VALUE_ABSENT};
    if (!evaluation_run(e, expr->object, &object))
        return false;
    bool ok;
    if (object.kind == VALUE_OBJECT)
        ok = object_attribute(e, expr, object.as.object, ret);
    else if (expr_is_word(expr, "T") || expr_is_word(expr, "mT"))
        ok = transposed(e, &object, expr->as.text.size == 2, ret);
    else if (expr_is_word(expr, "shape") || expr_is_word(expr, "ndim"))
        ok = call_named(e, expr, expr, &object, ret);
    else
        ok = unknown_attribute(e, expr);
    value_release(&object);
    return ok;
}

bool statement_call(struct session *session, const struct statement *statement, struct value *ret,
                    struct error *reterr)
{
    struct evaluation e = {.session = session, .source = session->source, .reterr = reterr};
    const char *name = statement->command->name;
    size_t n = statement->n_arguments;
    struct argument *arguments = calloc(n + statement->n_named + 1, sizeof *arguments);
    if (arguments == NULL)
        return error_memory(reterr, name);
    for (size_t i = 0; i < n; i++)
        arguments[i].value = statement->arguments[i];
    for (size_t i = 0; i < statement->n_named; i++)
        arguments[n + i] = statement->named[i];
    struct expr call = {.kind = EXPR_CALL, .begin = statement->begin, .end = statement->end};
    call.as.call.n = n + statement->n_named;
    call.as.call.arguments = arguments;
    bool ok = call_builtin(&e, &call, builtin_find(name, strlen(name)), NULL, ret) ||
              expr_place_error(&call, reterr);
    free(arguments);
    return ok;
}
