/* One switch over expressions, a function per kind: see eval.h. */
#include "lang/session/eval.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "lang/value/value.h"
#include "tensor/tensor.h"
#include "base/array.h"
#include "base/kept_memory.h"
#include "lang/session/python_internal.h"
#include "lang/session/eval_internal.h"
#include "lang/value/literal.h"
#include "base/suggestion.h"
#include "lang/builtins/builtin.h"
#include "lang/session/foreign_internal.h"
#include "show/labels.h"
#include "lang/value/index.h"

/* ---- loop ---- */

static bool too_many_turns(struct error *reterr)
{
    return error_set(reterr, ERR_LIMIT,
                     "a line may turn at most 1,000,000 times, all its loops together; write the "
                     "formula for whole tensors");
}

bool loop_count(const struct value *through, size_t *ret_n, struct error *reterr)
{
    bool rows = through->kind == VALUE_NODE && through->as.node->value.n_axes > 0;
    if (!rows && through->kind != VALUE_LIST) {
        char text[120];
        return error_set(
            reterr, ERR_TYPE,
            "a loop goes through range(n), a list or the rows of a tensor, and this is %s%s",
            value_describe(through, text, sizeof text),
            through->kind == VALUE_NODE ? "; write range(...)" : "");
    }
    *ret_n = rows ? through->as.node->value.shape[0] : through->as.list->n;
    return *ret_n <= LOOP_MAX_TURNS || too_many_turns(reterr);
}

static struct node *row(struct session *session, struct node *node, size_t i, struct error *reterr)
{
    struct graph *graph = &session->graph;
    /* Numbers that nobody would ask `why` about, such as range(3): each is as good as typed. */
    if (node->op->kind == OP_INPUT && node->name == NULL && node->value.n_axes == 1) {
        float number = tensor_at_position(&node->value, i);
        return node->value.is_bool ? node_constant_bool(graph, number != 0, reterr)
                                   : node_constant(graph, number, reterr);
    }
    struct builder builder;
    builder_init(&builder, graph, reterr);
    struct node *result = builder_result(&builder, compose_row(&builder, node, i));
    builder_release(&builder);
    return result;
}

bool loop_item(struct session *session, const struct value *through, size_t i, struct value *ret,
               struct error *reterr)
{
    if (through->kind == VALUE_LIST)
        *ret = value_share(&through->as.list->items[i]);
    else
        *ret = value_node(row(session, through->as.node, i, reterr));
    return ret->kind != VALUE_ABSENT;
}

/* A tensor keeps all it was made from, so that a loop can fill the machine's memory in seconds. */
static bool check_memory(struct session *session, struct error *reterr)
{
    size_t peak = memory_peak_bytes();
    if (session->n_turns == 0)
        session->first_peak = peak;
    if (peak - session->first_peak <= session->loop_mib << 20)
        return true;
    return error_set(
        reterr, ERR_LIMIT,
        "the loop has filled %zu MB of memory; each turn's tensors keep what they were "
        "made from, unless it is cut off, as in W = detach(W - step)",
        session->loop_mib);
}

bool loop_turn(struct session *session, struct error *reterr)
{
    const volatile sig_atomic_t *stop = session->graph.stop;
    if (stop != NULL && *stop)
        return error_set(reterr, ERR_INTERRUPTED, "stopped");
    if (!check_memory(session, reterr))
        return false;
    return session->n_turns++ < LOOP_MAX_TURNS || too_many_turns(reterr);
}

/* ---- eval comprehension ---- */

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

/* Whether the condition after `if` holds: a single number that is not 0. */
static bool holds(struct evaluation *e, const struct expr *condition, bool *ret)
{
    struct value value = {.kind = VALUE_ABSENT};
    char text[120];
    if (!evaluation_run(e, condition, &value))
        return false;
    bool ok = value.kind == VALUE_NODE && tensor_size(&value.as.node->value) == 1;
    if (ok)
        *ret = tensor_at_position(&value.as.node->value, 0) != 0;
    else
        error_set(e->reterr, ERR_TYPE,
                  "if: a condition is one number, such as x > 0, and this is %s",
                  value_describe(&value, text, sizeof text));
    value_release(&value);
    return ok || expr_place_error(condition, e->reterr);
}

static bool run_clauses(struct evaluation *e, const struct expr *expr, size_t at,
                        struct built *built);

/* for NAME in VALUE: the clauses after it, for each item. */
static bool run_loop_clause(struct evaluation *e, const struct expr *expr, size_t at,
                            struct built *built)
{
    const struct clause *clause = &expr->as.comprehension.clauses[at];
    struct value through = {.kind = VALUE_ABSENT};
    size_t n = 0;
    bool ok = evaluation_run(e, clause->value, &through) &&
              (loop_count(&through, &n, e->reterr) || expr_place_error(clause->value, e->reterr));
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

/* The clauses from `at` on; after the last, the item. */
static bool run_clauses(struct evaluation *e, const struct expr *expr, size_t at,
                        struct built *built)
{
    if (at == expr->as.comprehension.n) {
        struct value item = {.kind = VALUE_ABSENT};
        bool ok =
            evaluation_run(e, expr->as.comprehension.item, &item) && built_add(e, built, &item);
        value_release(&item);
        return ok;
    }
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
    return n > 0 && items[0].as.node->value.n_axes < TENSOR_MAX_AXES && value_same_shapes(items, n);
}

/* Makes a list the tensor of its items. */
static bool stack_built(struct evaluation *e, struct value *list)
{
    struct value stacked =
        value_node(value_stack(&e->session->graph, list->as.list, "a list", e->reterr));
    value_release(list);
    *list = stacked;
    return stacked.kind == VALUE_NODE;
}

/* Items of one shape are stacked to a tensor, through which gradients flow; others stay a list. */
static bool evaluation_run_comprehension(struct evaluation *e, const struct expr *expr,
                                         struct value *ret)
{
    struct built built = {0};
    bool ok = run_clauses(e, expr, 0, &built);
    if (ok && can_stack(built.items, built.n) && literal_all(built.items, built.n)) {
        *ret = value_node(literal_join(&e->session->graph, e->source + expr->begin,
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

/* ---- eval names ---- */

const struct value *evaluation_find_name(const struct evaluation *e, const struct expr *name)
{
    for (const struct scope *scope = e->scope; scope != NULL; scope = scope->outer)
        if (expr_same_word(scope->name, name))
            return &scope->value;
    const struct statement *definition = e->function ? e->function->definition : NULL;
    for (size_t i = 1; definition != NULL && i < definition->n_targets; i++)
        if (expr_same_word(definition->targets[i], name))
            return &e->arguments[i - 1];
    return names_get(&e->session->names, name->as.text.bytes, name->as.text.size);
}

/* Names with a meaning of their own, unless they are given another. */
static const struct constant {
    const char *name;
    enum { CONSTANT_NONE, CONSTANT_BOOL, CONSTANT_NUMBER } kind;
    double number;
} constants[] = {
    {"True", CONSTANT_BOOL, 1},
    {"False", CONSTANT_BOOL, 0},
    {"None", CONSTANT_NONE, 0},
    {"inf", CONSTANT_NUMBER, (double)INFINITY},
    {"nan", CONSTANT_NUMBER, (double)NAN},
    {"pi", CONSTANT_NUMBER, 3.14159265358979323846},
};

bool evaluation_find_constant(struct evaluation *e, const struct expr *name, struct value *ret,
                              bool *ret_found)
{
    struct graph *graph = &e->session->graph;
    const struct constant *constant = NULL;
    for (size_t i = 0; i < COUNT_OF(constants) && constant == NULL; i++)
        if (expr_is_word(name, constants[i].name))
            constant = &constants[i];
    *ret_found = constant != NULL;
    if (constant == NULL)
        return true;
    if (constant->kind == CONSTANT_NONE)
        *ret = (struct value){.kind = VALUE_NONE};
    else if (constant->kind == CONSTANT_BOOL)
        *ret = value_node(node_constant_bool(graph, constant->number != 0, e->reterr));
    else
        *ret = value_node(node_constant(graph, (float)constant->number, e->reterr));
    return ret->kind != VALUE_ABSENT;
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

/* A name of Python's or PyTorch's that attn has not: what to write instead. */
static bool fail_foreign_name(const struct evaluation *e, const struct expr *name,
                              const struct expr *call, const char *advice)
{
    char shown[48];
    struct text product = {0};
    error_quote(shown, sizeof shown, name->as.text.bytes, name->as.text.size);
    if (expr_is_word(name, "einsum") && call != NULL && foreign_einsum(call, e->source, &product) &&
        !product.failed)
        error_set(e->reterr, ERR_NAME, "attn has no einsum; for this one write %s",
                  text_string(&product));
    else
        error_set(e->reterr, ERR_NAME, "attn has no %s; %s", shown, advice);
    text_release(&product);
    return false;
}

/* The name that was meant, of those that the session knows: a near spelling, or, of a function, a
 * longer name. */
static void suggest_name(const struct evaluation *e, bool called, struct suggestion *suggestion)
{
    const struct names *names = &e->session->names;
    for (size_t i = 0; i < names->n_variables; i++)
        if (names->variables[i].value.kind != VALUE_ABSENT)
            suggestion_try(suggestion, names->variables[i].name);
    for (size_t i = 0; i < COUNT_OF(constants); i++)
        suggestion_try(suggestion, constants[i].name);
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++)
        if (called)
            suggestion_try_part(suggestion, builtin->name);
        else
            suggestion_try(suggestion, builtin->name);
    const char *alias;
    for (size_t i = 0; (alias = builtin_alias_at(i)) != NULL; i++)
        if (suggestion->is_part || suggestion->best[0] == '\0')
            suggestion_try(suggestion, alias);
}

enum { PRODUCT_BYTES = 64 }; /* each way to cut a word is tried: a long one is no product */

static const struct node *find_tensor(const struct evaluation *e, const char *word, size_t size)
{
    const struct value *value = names_get(&e->session->names, word, size);
    return value != NULL && value->kind == VALUE_NODE ? value->as.node : NULL;
}

/* QK of a paper, where Q and K are names: their product as it is written here, with the .T that
 * follows it or that was typed as a letter. False where it is no product of two names. */
static bool write_product(const struct evaluation *e, const struct expr *name, struct text *out)
{
    const char *word = name->as.text.bytes;
    size_t size = name->as.text.size;
    bool is_turned = strncmp(e->source + name->end, ".T", 2) == 0;
    if (size > PRODUCT_BYTES)
        return false;
    for (size_t n = 1; n < size; n++) {
        const struct node *left = find_tensor(e, word, n);
        const struct node *right = left != NULL ? find_tensor(e, word + n, size - n) : NULL;
        bool has_t = right == NULL && left != NULL && size - n > 1 && word[size - 1] == 'T';
        if (has_t)
            right = find_tensor(e, word + n, size - n - 1);
        if (right == NULL)
            continue;
        bool is_scalar = left->value.n_axes == 0 || right->value.n_axes == 0;
        text_format(out, "%.*s %s %.*s%s", (int)n, word, is_scalar ? "*" : "@",
                    (int)(size - n - has_t), word + n, has_t || is_turned ? ".T" : "");
        return true;
    }
    return false;
}

/* False: the name is no product. */
static bool fail_product(const struct evaluation *e, const struct expr *name, const char *shown)
{
    struct text product = {0};
    bool is_product = write_product(e, name, &product);
    if (is_product)
        error_set(e->reterr, ERR_NAME, "%s: no such name; did you mean %s?", shown,
                  text_string(&product));
    text_release(&product);
    return is_product;
}

bool evaluation_fail_unknown_name(const struct evaluation *e, const struct expr *name,
                                  const struct expr *call)
{
    char shown[48];
    bool called = call != NULL;
    struct suggestion suggestion;
    error_quote(shown, sizeof shown, name->as.text.bytes, name->as.text.size);
    if (builtin_find(name->as.text.bytes, name->as.text.size) != NULL)
        return error_set(e->reterr, ERR_NAME, "%s is a function: write %s(...), or help %s", shown,
                         shown, shown);
    if (e->session->find_command(name->as.text.bytes, name->as.text.size) != NULL)
        return error_set(e->reterr, ERR_NAME,
                         "%s is a command: it must stand first in its line; help %s says how",
                         shown, shown);
    if (!called && is_label(e, name))
        return error_set(e->reterr, ERR_NAME, "%s: no such name; for the label write \"%s\"", shown,
                         shown);
    const char *advice = foreign_advice(name->as.text.bytes, name->as.text.size);
    if (called && advice != NULL)
        return fail_foreign_name(e, name, call, advice);
    if (!called && fail_product(e, name, shown))
        return false;
    suggestion_init(&suggestion, name->as.text.bytes, name->as.text.size);
    suggest_name(e, called, &suggestion);
    if (suggestion.best[0] != '\0')
        return error_set(e->reterr, ERR_NAME, "%s: no such name; did you mean %s?", shown,
                         suggestion.best);
    return error_set(e->reterr, ERR_NAME,
                     called ? "%s: no such function; define it with %s(x) = ..., or see help"
                            : "%s: no such name; give it a value with %s = ..., or see vars and "
                              "help",
                     shown, shown);
}

/* ---- eval ---- */

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
           (is_constant || evaluation_fail_unknown_name(e, expr, NULL));
}

/* ---- lists ---- */

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
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = evaluation_run(e, expr->as.list.items[i], &items[i]);
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

static bool operand_of(struct evaluation *e, const struct expr *expr, const struct value *value,
                       struct node **ret)
{
    if (value->kind == VALUE_LIST && value->as.list->n == 0)
        error_set(e->reterr, ERR_TYPE,
                  "an operator: the list is empty; to put x at its end, write cat([list, [x]])");
    else
        *ret = value_to_node(&e->session->graph, value, "an operator", e->reterr);
    return *ret != NULL || expr_place_error(expr, e->reterr);
}

static bool eval_operand(struct evaluation *e, const struct expr *expr, struct node **ret)
{
    struct value value;
    if (!evaluation_run(e, expr, &value))
        return false;
    bool ok = operand_of(e, expr, &value, ret);
    value_release(&value);
    return ok;
}

/* Two texts, of which == and != say whether they are the same. */
static bool are_texts(const struct expr *expr, const struct value *left, const struct value *right)
{
    enum op_kind op = expr->as.operation.op;
    return (op == OP_EQ || op == OP_NE) && left->kind == VALUE_STRING &&
           right->kind == VALUE_STRING;
}

static struct node *compare_texts(struct evaluation *e, const struct expr *expr,
                                  const struct string *left, const struct string *right)
{
    bool same = left->size == right->size && memcmp(left->bytes, right->bytes, left->size) == 0;
    bool wanted = expr->as.operation.op == OP_EQ;
    return node_constant_bool(&e->session->graph, same == wanted, e->reterr);
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
    const struct expr *const sides[] = {expr->as.operation.left, expr->as.operation.right};
    struct value left = {.kind = VALUE_ABSENT}, right = {.kind = VALUE_ABSENT};
    struct node *a = NULL, *b = NULL, *result = NULL;
    bool ok = evaluation_run(e, sides[0], &left) &&
              (left.kind == VALUE_STRING || operand_of(e, sides[0], &left, &a)) &&
              evaluation_run(e, sides[1], &right);
    if (ok && are_texts(expr, &left, &right))
        result = compare_texts(e, expr, left.as.string, right.as.string);
    else if (ok && (a != NULL || operand_of(e, sides[0], &left, &a)) &&
             operand_of(e, sides[1], &right, &b))
        result = apply_binary(e, expr, a, b);
    *ret = value_node(result);
    value_release(&left);
    value_release(&right);
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
        return evaluation_run_call(e, expr, ret);
    case EXPR_ATTRIBUTE:
        return evaluation_run_attribute(e, expr, ret);
    case EXPR_INDEX:
        return eval_index(e, expr, ret);
    default: /* slices; a formula has none of the expressions of cells */
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
    if (python_own(session, expr))
        return python_eval(session, expr, ret, reterr) || expr_place_error(expr, reterr);
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
