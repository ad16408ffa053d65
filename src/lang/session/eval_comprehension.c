/* Lists that are built: [item for name in value if condition]. */
#include <stdlib.h>

#include "base/array.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "lang/session/eval_internal.h"
#include "lang/session/loop.h"
#include "lang/value/literal.h"
#include "tensor/tensor.h"

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

bool evaluation_run_comprehension(struct evaluation *e, const struct expr *expr, struct value *ret)
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
