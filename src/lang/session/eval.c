/* One switch over expressions, a function per kind: see eval.h. */
#include "lang/session/eval.h"

#include <stdlib.h>
#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "lang/session/eval_internal.h"
#include "lang/value/index.h"
#include "lang/value/literal.h"
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
