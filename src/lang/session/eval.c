/* One switch over expressions, a function per kind: see eval.h. */
#include "lang/session/eval.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/suggestion.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "lang/builtins/builtin.h"
#include "lang/commands/command.h"
#include "lang/session/loop.h"
#include "lang/value/index.h"
#include "show/labels.h"
#include "show/number.h"

/* Expressions within expressions, through all functions and texts that evaluate each other. One
 * statement has fewer than 1,300 (see parser.h); each takes up to 3 kB of a stack that may be no
 * more than 8 MB.
 */
enum { EVAL_MAX_DEPTH = 2000 };

enum { LIST_TEXT = 60 }; /* bytes of a list's numbers that stand for it in formulas */

/* The parameters of the function under way. */
struct frame {
    const struct function *function; /* NULL: none */
    const struct value *arguments;
};

/* A name that a list in brackets goes through values with. */
struct scope {
    const struct expr *name;
    struct value value;
    const struct scope *outer;
};

struct evaluation {
    struct session *session;
    struct frame frame;
    const struct scope *scope; /* the innermost; NULL: none */
    const char *source;        /* what expressions point into */
    struct error *reterr;
};

static bool evaluate(struct evaluation *e, const struct expr *expr, struct value *ret);

bool error_place(struct error *reterr, const struct expr *expr)
{
    if (reterr != NULL && reterr->begin == reterr->end) {
        reterr->begin = expr->begin;
        reterr->end = expr->end;
    }
    return false;
}

static bool text_is(const struct expr *expr, const char *word)
{
    size_t size = strlen(word);
    return expr->as.text.size == size && memcmp(expr->as.text.bytes, word, size) == 0;
}

/* Names. */

static bool same_name(const struct expr *a, const struct expr *b)
{
    return a->as.text.size == b->as.text.size &&
           memcmp(a->as.text.bytes, b->as.text.bytes, a->as.text.size) == 0;
}

static const struct value *find_local(const struct evaluation *e, const struct expr *name)
{
    for (const struct scope *scope = e->scope; scope != NULL; scope = scope->outer)
        if (same_name(scope->name, name))
            return &scope->value;
    if (e->frame.function == NULL)
        return NULL;
    const struct statement *definition = e->frame.function->definition;
    for (size_t i = 1; i < definition->n_targets; i++) {
        if (same_name(definition->targets[i], name))
            return &e->frame.arguments[i - 1];
    }
    return NULL;
}

static const struct value *find_name(const struct evaluation *e, const struct expr *name)
{
    const struct value *local = find_local(e, name);
    return local ? local : names_get(&e->session->names, name->as.text.bytes, name->as.text.size);
}

static const struct {
    const char *name;
    double number;
} constants[] = {{"inf", (double)INFINITY}, {"nan", (double)NAN}, {"pi", 3.14159265358979323846}};

/* inf, pi, True, None, ...: then *ret_found is set, and only memory can be lacking. */
static bool eval_constant(struct evaluation *e, const struct expr *name, struct value *ret,
                          bool *ret_found)
{
    struct graph *graph = &e->session->graph;
    *ret_found = true;
    if (text_is(name, "None")) {
        ret->kind = VALUE_NONE;
        return true;
    }
    bool truth = text_is(name, "True");
    if (truth || text_is(name, "False")) {
        *ret = value_node(node_constant_bool(graph, truth, e->reterr));
        return ret->kind == VALUE_NODE;
    }
    for (size_t i = 0; i < COUNT_OF(constants); i++)
        if (text_is(name, constants[i].name)) {
            *ret = value_node(node_constant(graph, (float)constants[i].number, e->reterr));
            return ret->kind == VALUE_NODE;
        }
    *ret_found = false;
    return true;
}

static void suggest_names(const struct evaluation *e, struct suggestion *suggestion)
{
    const struct names *names = &e->session->names;
    for (size_t i = 0; i < names->n_variables; i++)
        if (names->variables[i].value.kind != VALUE_ABSENT)
            suggestion_try(suggestion, names->variables[i].name);
    static const char *const words[] = {"True", "False", "None", "inf", "nan", "pi"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        suggestion_try(suggestion, words[i]);
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++)
        suggestion_try(suggestion, builtin->name);
}

/* Whether some tensor of the session has this word as a label. */
static bool is_label(const struct evaluation *e, const struct expr *name)
{
    const struct names *names = &e->session->names;
    for (size_t i = 0; i < names->n_variables; i++) {
        if (names->variables[i].value.kind != VALUE_NODE)
            continue;
        const struct node *node = names->variables[i].value.as.node;
        for (unsigned axis = 0; axis < node->value.n_axes; axis++)
            if (labels_find(node->labels[axis], name->as.text.bytes, name->as.text.size) <
                labels_count(node->labels[axis]))
                return true;
    }
    return false;
}

static bool unknown_name(const struct evaluation *e, const struct expr *name, bool called)
{
    char shown[48];
    struct suggestion suggestion;
    error_quote(shown, sizeof shown, name->as.text.bytes, name->as.text.size);
    if (builtin_find(name->as.text.bytes, name->as.text.size) != NULL)
        return error_set(e->reterr, ERR_NAME, "%s is a function: write %s(...), or help %s", shown,
                         shown, shown);
    if (command_find(name->as.text.bytes, name->as.text.size) != NULL)
        return error_set(e->reterr, ERR_NAME,
                         "%s is a command: it must stand first in its line; help %s says how",
                         shown, shown);
    if (!called && is_label(e, name))
        return error_set(e->reterr, ERR_NAME, "%s: no such name; for the label write \"%s\"", shown,
                         shown);
    suggestion_init(&suggestion, name->as.text.bytes, name->as.text.size);
    suggest_names(e, &suggestion);
    if (suggestion.best[0] != '\0')
        return error_set(e->reterr, ERR_NAME, "%s: no such name; did you mean %s?", shown,
                         suggestion.best);
    return error_set(e->reterr, ERR_NAME,
                     called ? "%s: no such function; define it with %s(x) = ..., or see help"
                            : "%s: no such name; give it a value with %s = ..., or see vars and "
                              "help",
                     shown, shown);
}

static bool eval_name(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    bool is_constant;
    const struct value *found = find_name(e, expr);
    if (found != NULL) {
        *ret = value_share(found);
        return true;
    }
    return eval_constant(e, expr, ret, &is_constant) &&
           (is_constant || unknown_name(e, expr, false));
}

/* Lists. */

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

/* One tensor with the numbers of all items, which are literals of equal shape; text tells how they
 * were typed. */
static struct node *join_literals(struct session *session, const char *text, size_t text_size,
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
    return node_input(&session->graph, &value, text, text_size, reterr);
}

static bool all_literals(const struct value *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (items[i].kind != VALUE_NODE || !is_literal(items[i].as.node))
            return false;
    return n > 0;
}

static bool eval_items(struct evaluation *e, const struct expr *expr, struct value *items)
{
    for (size_t i = 0; i < expr->as.list.n; i++)
        if (!evaluate(e, expr->as.list.items[i], &items[i]))
            return false;
    return true;
}

static bool same_shapes(const struct value *items, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!tensor_same_shape(&items[0].as.node->value, &items[i].as.node->value))
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
    if (ok && expr->kind == EXPR_LIST && all_literals(items, n) &&
        (is_typed_table(expr) || same_shapes(items, n))) {
        *ret = value_node(join_literals(e->session, e->source + expr->begin,
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

/* n nodes stacked along a new first axis. */
static struct node *stack_list(struct builder *builder, struct session *session,
                               const struct list *list, const char *what)
{
    struct node **rows = calloc(list->n + 1, sizeof(*rows));
    if (rows == NULL) {
        error_memory(builder->reterr, "a list");
        return NULL;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < list->n; i++) {
        size_t shape[TENSOR_MAX_AXES + 1] = {1};
        struct node *item = value_to_node(session, &list->items[i], what, builder->reterr);
        ok = item != NULL && (item->value.n_axes < TENSOR_MAX_AXES ||
                              error_set(builder->reterr, ERR_LIMIT,
                                        "%s: a list of tensors has one axis more, and attn has at "
                                        "most %d axes",
                                        what, TENSOR_MAX_AXES));
        if (ok) {
            memcpy(shape + 1, item->value.shape, item->value.n_axes * sizeof *shape);
            rows[i] = build_reshape(builder, item, item->value.n_axes + 1, shape);
        }
        ok = ok && rows[i] != NULL;
        node_free(item);
    }
    struct node *stacked = NULL;
    if (ok)
        stacked = build_many(builder, OP_CAT, (unsigned)list->n, rows, 1, &(ptrdiff_t){0});
    free(rows);
    return stacked;
}

static struct node *stacked_list(struct session *session, const struct list *list, const char *what,
                                 struct error *reterr)
{
    struct builder builder;
    builder_init(&builder, &session->graph, reterr);
    struct node *stacked = stack_list(&builder, session, list, what);
    struct node *result = builder_result(&builder, stacked);
    builder_release(&builder);
    return result;
}

/* [] as a tensor is a vector of no numbers, as in PyTorch. */
static struct node *empty_vector(struct session *session, struct error *reterr)
{
    struct tensor value;
    if (!tensor_zeros(1, (size_t[]){0}, &value, reterr))
        return NULL;
    return node_input(&session->graph, &value, "[]", 2, reterr);
}

/* (1, 2) as the tensor that [1, 2] is. */
static struct node *literal_list(struct session *session, const struct list *list,
                                 struct error *reterr)
{
    struct text text = {0};
    for (size_t i = 0; i < list->n && text.size < LIST_TEXT; i++) {
        text_put(&text, i ? ", " : "(");
        node_write(list->items[i].as.node, &text);
    }
    text_put(&text, text.size < LIST_TEXT ? ")" : ", ...)");
    struct node *node = text.failed ? NULL
                                    : join_literals(session, text_string(&text), text.size,
                                                    list->items, list->n, reterr);
    if (text.failed)
        error_memory(reterr, "a list");
    text_release(&text);
    return node;
}

struct node *value_to_node(struct session *session, const struct value *value, const char *what,
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
    if (value->as.list->n == 0)
        return empty_vector(session, reterr);
    if (all_literals(value->as.list->items, value->as.list->n))
        return literal_list(session, value->as.list, reterr);
    return stacked_list(session, value->as.list, what, reterr);
}

/* Lists that are built: [item for name in value if condition]. */

/* The items so far. */
struct built {
    struct value *items;
    size_t n, capacity;
};

static bool built_add(struct evaluation *e, struct built *built, struct value *item)
{
    if (built->n >= LOOP_MAX_ITEMS)
        return error_set(
            e->reterr, ERR_LIMIT,
            "a list in brackets is built of at most 100,000 items; write a formula for "
            "the whole tensor");
    struct value *items = array_grow(built->items, built->n, &built->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(e->reterr, "a list");
    built->items = items;
    items[built->n++] = *item;
    *item = (struct value){.kind = VALUE_ABSENT};
    return true;
}

static bool build_item(struct evaluation *e, const struct expr *expr, struct built *built)
{
    struct value item = {.kind = VALUE_ABSENT};
    bool ok = evaluate(e, expr, &item) && built_add(e, built, &item);
    value_release(&item);
    return ok;
}

/* Whether the condition behind `if` holds: a single number that is not 0. */
static bool holds(struct evaluation *e, const struct expr *condition, bool *ret)
{
    struct value value = {.kind = VALUE_ABSENT};
    char text[120];
    if (!evaluate(e, condition, &value))
        return false;
    bool ok = value.kind == VALUE_NODE && tensor_size(&value.as.node->value) == 1;
    if (ok)
        *ret = tensor_at_position(&value.as.node->value, 0) != 0;
    else
        error_set(e->reterr, ERR_TYPE,
                  "if: a condition is one number, such as x > 0, and this is %s",
                  value_describe(&value, text, sizeof text));
    value_release(&value);
    return ok || error_place(e->reterr, condition);
}

static bool run_clauses(struct evaluation *e, const struct expr *expr, size_t at,
                        struct built *built);

/* for NAME in VALUE: the clauses behind it, for each item. */
static bool run_loop_clause(struct evaluation *e, const struct expr *expr, size_t at,
                            struct built *built)
{
    const struct clause *clause = &expr->as.comprehension.clauses[at];
    struct value through = {.kind = VALUE_ABSENT};
    size_t n = 0;
    bool ok = evaluate(e, clause->value, &through) &&
              (loop_count(&through, &n, e->reterr) || error_place(e->reterr, clause->value));
    struct scope scope = {.name = clause->name, .outer = e->scope};
    for (size_t i = 0; ok && i < n; i++) {
        ok = loop_turn(e->session, e->reterr) &&
             loop_item(e->session, &through, i, &scope.value, e->reterr);
        e->scope = &scope;
        ok = ok && run_clauses(e, expr, at + 1, built);
        e->scope = scope.outer;
        value_release(&scope.value);
    }
    value_release(&through);
    return ok;
}

/* The clauses from `at` on; behind the last, the item. */
static bool run_clauses(struct evaluation *e, const struct expr *expr, size_t at,
                        struct built *built)
{
    if (at == expr->as.comprehension.n)
        return build_item(e, expr->as.comprehension.item, built);
    const struct clause *clause = &expr->as.comprehension.clauses[at];
    if (clause->name != NULL)
        return run_loop_clause(e, expr, at, built);
    bool keeps = false;
    return holds(e, clause->value, &keeps) && (!keeps || run_clauses(e, expr, at + 1, built));
}

/* Tensors of one shape that another axis can hold together. */
static bool can_stack(const struct value *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (items[i].kind != VALUE_NODE)
            return false;
    return n > 0 && items[0].as.node->value.n_axes < TENSOR_MAX_AXES && same_shapes(items, n);
}

/* Makes a list the tensor of its items. */
static bool stack_built(struct evaluation *e, struct value *list)
{
    struct value stacked = value_node(stacked_list(e->session, list->as.list, "a list", e->reterr));
    value_release(list);
    *list = stacked;
    return stacked.kind == VALUE_NODE;
}

/* Items of one shape are stacked to a tensor, through which gradients flow; others stay a list. */
static bool eval_comprehension(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    struct built built = {0};
    bool ok = run_clauses(e, expr, 0, &built);
    if (ok && can_stack(built.items, built.n) && all_literals(built.items, built.n)) {
        *ret = value_node(join_literals(e->session, e->source + expr->begin,
                                        expr->end - expr->begin, built.items, built.n, e->reterr));
        ok = ret->kind == VALUE_NODE;
    } else if (ok) {
        bool stacks = can_stack(built.items, built.n);
        ok = value_list(built.items, built.n, ret, e->reterr) && (!stacks || stack_built(e, ret));
    }
    for (size_t i = 0; i < built.n; i++)
        value_release(&built.items[i]);
    free(built.items);
    return ok;
}

/* Operators. */

static bool append_advice(struct evaluation *e)
{
    return error_set(e->reterr, ERR_TYPE,
                     "an operator: the list is empty; to put x at its end, write cat([list, [x]])");
}

static bool eval_operand(struct evaluation *e, const struct expr *expr, struct node **ret)
{
    struct value value;
    if (!evaluate(e, expr, &value))
        return false;
    bool empty = value.kind == VALUE_LIST && value.as.list->n == 0 && !append_advice(e);
    *ret = empty ? NULL : value_to_node(e->session, &value, "an operator", e->reterr);
    value_release(&value);
    return *ret != NULL || error_place(e->reterr, expr);
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

/* Attributes and calls. */

static const char *const namespaces[] = {"torch", "np",         "numpy",  "math",  "F",
                                         "nn",    "functional", "linalg", "random"};

static bool is_namespace_name(const struct expr *expr)
{
    for (size_t i = 0; i < COUNT_OF(namespaces); i++)
        if (text_is(expr, namespaces[i]))
            return true;
    return false;
}

/* torch, np, nn.functional, ...: modules that notebooks put before a name. */
static bool is_namespace(const struct evaluation *e, const struct expr *expr)
{
    if (expr->kind == EXPR_ATTRIBUTE)
        return is_namespace_name(expr) && is_namespace(e, expr->object);
    return expr->kind == EXPR_NAME && is_namespace_name(expr) && find_name(e, expr) == NULL;
}

static bool call_named(struct evaluation *e, const struct expr *expr, const struct expr *name,
                       const struct value *self, struct value *ret);

/* x.T reverses the axes, x.mT exchanges the last two. */
static bool transposed(struct evaluation *e, const struct value *object, bool last_two,
                       struct value *ret)
{
    struct node *x = value_to_node(e->session, object, ".T", e->reterr);
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
    if (text_is(expr, "append"))
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
        if (text_is(expr, "e")) {
            *ret = value_node(node_constant(&e->session->graph, 2.718281828F, e->reterr));
            return ret->kind == VALUE_NODE;
        }
        return eval_constant(e, expr, ret, &is_constant) &&
               (is_constant || unknown_name(e, expr, false));
    }
    struct value object = {.kind = VALUE_ABSENT};
    if (!evaluate(e, expr->object, &object))
        return false;
    bool ok;
    if (text_is(expr, "T") || text_is(expr, "mT"))
        ok = transposed(e, &object, expr->as.text.size == 2, ret);
    else if (text_is(expr, "shape") || text_is(expr, "ndim"))
        ok = call_named(e, expr, expr, &object, ret);
    else
        ok = unknown_attribute(e, expr);
    value_release(&object);
    return ok;
}

/* Other spellings of a keyword: numpy's beside PyTorch's. */
static const struct {
    const char *other, *param;
} keyword_aliases[] = {{"axis", "dim"},   {"axis", "dim0"},       {"keepdims", "keepdim"},
                       {"k", "diagonal"}, {"ddof", "correction"}, {"unbiased", "correction"},
                       {"x", "input"},    {"input", "x"},         {"mask", "attn_mask"}};

/* Keywords of PyTorch and numpy that mean nothing here. */
static const struct {
    const char *keyword, *why;
} foreign_keywords[] = {{"dtype", "every tensor is float32"},
                        {"device", "there is one place for tensors"},
                        {"requires_grad", "grad works for every tensor"},
                        {"inplace", "no tensor is changed in place"},
                        {"out", "a result gets its name with ="}};

static size_t param_name_size(const char *param)
{
    return strcspn(param, "=");
}

static bool keyword_fits(const struct argument *argument, const char *param)
{
    size_t size = param_name_size(param);
    if (argument->keyword_size == size && memcmp(argument->keyword, param, size) == 0)
        return true;
    for (size_t i = 0; i < COUNT_OF(keyword_aliases); i++)
        if (strlen(keyword_aliases[i].other) == argument->keyword_size &&
            memcmp(argument->keyword, keyword_aliases[i].other, argument->keyword_size) == 0 &&
            strlen(keyword_aliases[i].param) == size &&
            memcmp(keyword_aliases[i].param, param, size) == 0)
            return true;
    return false;
}

static size_t n_params(const struct builtin *builtin)
{
    size_t n = 0;
    while (n < BUILTIN_MAX_PARAMS && builtin->params[n] != NULL)
        n++;
    return n;
}

static bool bad_arguments(struct evaluation *e, const struct builtin *builtin, const char *what)
{
    struct text signature = {0};
    builtin_signature(builtin, &signature);
    error_set(e->reterr, ERR_TYPE, "%s: %s; it is called %s", builtin->name, what,
              text_string(&signature));
    text_release(&signature);
    return false;
}

static bool unknown_keyword(struct evaluation *e, const struct builtin *builtin,
                            const struct argument *argument)
{
    char what[96], shown[40];
    error_quote(shown, sizeof shown, argument->keyword, argument->keyword_size);
    for (size_t i = 0; i < COUNT_OF(foreign_keywords); i++)
        if (strcmp(shown, foreign_keywords[i].keyword) == 0)
            return error_set(e->reterr, ERR_TYPE, "%s: it has no argument %s: %s; leave it out",
                             builtin->name, shown, foreign_keywords[i].why);
    snprintf(what, sizeof what, "it has no argument %s", shown);
    return bad_arguments(e, builtin, what);
}

/* The parameter that a keyword names, before its value is looked at. */
static bool find_param(struct evaluation *e, const struct call *call,
                       const struct argument *argument, size_t *ret)
{
    size_t n = n_params(call->builtin);
    for (size_t i = 0; i < n; i++) {
        if (!keyword_fits(argument, call->builtin->params[i]))
            continue;
        *ret = i;
        return call->args[i].kind == VALUE_ABSENT ||
               bad_arguments(e, call->builtin, "an argument is given twice");
    }
    return unknown_keyword(e, call->builtin, argument);
}

/* Positional arguments fill the parameters in order; a *parameter takes all that are left. */
static bool bind_positions(struct evaluation *e, struct call *call, struct value *values, size_t n)
{
    size_t at = 0, params = n_params(call->builtin);
    for (size_t i = 0; i < params && at < n; i++) {
        if (call->builtin->params[i][0] == '*') {
            call->rest = values + at;
            call->n_rest = n - at;
            return true;
        }
        call->args[i] = values[at];
        values[at++] = (struct value){.kind = VALUE_ABSENT};
    }
    return at == n || bad_arguments(e, call->builtin, "there are too many arguments");
}

static bool check_required(struct evaluation *e, const struct call *call)
{
    for (size_t i = 0; i < n_params(call->builtin); i++) {
        const char *param = call->builtin->params[i];
        bool required = param[0] != '*' && strchr(param, '=') == NULL;
        if (required && call->args[i].kind == VALUE_ABSENT) {
            char what[80];
            snprintf(what, sizeof what, "%s is missing", param);
            return bad_arguments(e, call->builtin, what);
        }
    }
    return true;
}

/* Evaluates the arguments: positional values first, then keywords straight into the call. */
static bool bind_arguments(struct evaluation *e, const struct expr *expr, struct call *call,
                           struct value *values, size_t n_values)
{
    size_t n = expr->kind == EXPR_CALL ? expr->as.call.n : 0, i = 0;
    for (; i < n && expr->as.call.arguments[i].keyword == NULL; i++)
        if (!evaluate(e, expr->as.call.arguments[i].value, &values[n_values++]))
            return false;
    if (!bind_positions(e, call, values, n_values))
        return false;
    for (; i < n; i++) {
        const struct argument *argument = &expr->as.call.arguments[i];
        size_t param = 0;
        if (argument->keyword == NULL)
            return bad_arguments(e, call->builtin, "arguments without a name come first") ||
                   error_place(e->reterr, argument->value);
        if (!find_param(e, call, argument, &param) ||
            !evaluate(e, argument->value, &call->args[param]))
            return false;
    }
    return check_required(e, call);
}

/* Calls a builtin; self is the object of a method, put before the arguments. */
static bool call_builtin(struct evaluation *e, const struct expr *expr,
                         const struct builtin *builtin, const struct value *self, struct value *ret)
{
    size_t n = expr->kind == EXPR_CALL ? expr->as.call.n : 0;
    struct value few[8] = {{.kind = VALUE_ABSENT}};
    struct value *values = n + 1 <= 8 ? few : calloc(n + 1, sizeof *values);
    if (values == NULL)
        return error_memory(e->reterr, builtin->name);
    struct call call = {.session = e->session,
                        .builtin = builtin,
                        .text = e->source + expr->begin,
                        .text_size = expr->end - expr->begin,
                        .reterr = e->reterr};
    builder_init(&call.builder, &e->session->graph, e->reterr);
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

/* An error from inside a function has no place in this line: gives it the call's, and puts "in f: "
 * before it unless an inner function has done so. */
static void error_inside(struct error *reterr, const struct expr *name, const struct expr *call)
{
    if (reterr == NULL)
        return;
    reterr->begin = call->begin;
    reterr->end = call->end;
    if (reterr->kind == ERR_INTERRUPTED || strncmp(reterr->text, "in ", 3) == 0)
        return;
    char shown[40], text[sizeof reterr->text];
    error_quote(shown, sizeof shown, name->as.text.bytes, name->as.text.size);
    snprintf(text, sizeof text, "in %s: %.400s", shown, reterr->text);
    memcpy(reterr->text, text, sizeof text);
}

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
                               .frame = {function, arguments},
                               .source = function->source,
                               .reterr = e->reterr};
    e->session->n_calls++;
    bool ok = evaluate(&inner, function->definition->value, ret);
    e->session->n_calls--;
    if (!ok)
        error_inside(e->reterr, name, expr);
    return ok;
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
        ok = ok && evaluate(e, argument->value, &arguments[i]);
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
    const struct value *found = self == NULL ? find_name(e, name) : NULL;
    if (found != NULL && found->kind == VALUE_FUNCTION)
        return call_function(e, expr, name, found, ret);
    const struct builtin *builtin = builtin_find(bytes, size);
    if (found != NULL && (builtin == NULL || name->kind == EXPR_NAME))
        return not_a_function(e, name, found);
    if (builtin != NULL)
        return call_builtin(e, expr, builtin, self, ret);
    if (self != NULL && size > 1 && bytes[size - 1] == '_' && builtin_find(bytes, size - 1))
        return in_place_method(e, name);
    return self != NULL ? unknown_attribute(e, name) : unknown_name(e, name, true);
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
                               : unknown_name(e, called, true);
    }
    struct value self = {.kind = VALUE_ABSENT};
    bool ok = evaluate(e, called->object, &self) && call_named(e, expr, called, &self, ret);
    value_release(&self);
    return ok;
}

/* Indices. */

static bool eval_part(struct evaluation *e, const struct expr *expr, struct value *ret)
{
    *ret = (struct value){.kind = VALUE_ABSENT};
    return expr == NULL || evaluate(e, expr, ret);
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
        return evaluate(e, expr, &item->values[0]);
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
    bool ok = evaluate(e, expr->object, &object);
    for (size_t i = 0; ok && i < n; i++)
        ok = eval_index_item(e, expr->as.list.items[i], &items[i]);
    ok = ok && index_value(e->session, &object, items, n, ret, e->reterr);
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
        return eval_comprehension(e, expr, ret);
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

static bool evaluate(struct evaluation *e, const struct expr *expr, struct value *ret)
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
               error_place(e->reterr, expr);
    e->session->depth++;
    bool ok = evaluate_kind(e, expr, &value);
    e->session->depth--;
    if (!ok) {
        value_release(&value);
        return error_place(e->reterr, expr);
    }
    *ret = value;
    return true;
}

bool eval(struct session *session, const struct expr *expr, struct value *ret, struct error *reterr)
{
    struct evaluation e = {.session = session, .source = session->source, .reterr = reterr};
    return evaluate(&e, expr, ret);
}

struct node *eval_node(struct session *session, const struct expr *expr, struct error *reterr)
{
    struct value value;
    if (!eval(session, expr, &value, reterr))
        return NULL;
    char shown[48];
    error_quote(shown, sizeof shown, session->source + expr->begin, expr->end - expr->begin);
    struct node *node = value_to_node(session, &value, shown, reterr);
    value_release(&value);
    if (node == NULL)
        error_place(reterr, expr);
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

bool eval_cell(struct session *session, const struct expr *expr, struct cell *ret,
               struct error *reterr)
{
    struct node *node = eval_node(session, expr, reterr);
    if (node == NULL)
        return false;
    if (tensor_size(&node->value) != 1 || (node->value.n_axes > 0 && expr->kind == EXPR_INDEX)) {
        bool ok = not_one_cell(node, reterr) || error_place(reterr, expr);
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
