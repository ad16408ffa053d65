/* See ast.h. */
#include "lang/syntax/ast.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"

bool expr_is_word(const struct expr *expr, const char *word)
{
    return text_equals(expr->as.text.bytes, expr->as.text.size, word);
}

bool expr_same_word(const struct expr *a, const struct expr *b)
{
    return a->as.text.size == b->as.text.size &&
           memcmp(a->as.text.bytes, b->as.text.bytes, a->as.text.size) == 0;
}

bool expr_place_error(const struct expr *expr, struct error *reterr)
{
    return error_place(reterr, expr->begin, expr->end);
}

static void visit_list(struct expr *const *items, size_t n, expr_visit *visit, void *context)
{
    for (size_t i = 0; i < n; i++)
        if (items[i] != NULL) /* a slice may leave parts out */
            visit(items[i], context);
}

void expr_each_part(const struct expr *expr, expr_visit *visit, void *context)
{
    switch (expr->kind) {
    case EXPR_LIST:
    case EXPR_TUPLE:
    case EXPR_INDEX:
        visit_list(expr->as.list.items, expr->as.list.n, visit, context);
        break;
    case EXPR_COMPREHENSION:
        visit(expr->as.comprehension.item, context);
        for (size_t i = 0; i < expr->as.comprehension.n; i++)
            visit(expr->as.comprehension.clauses[i].value, context);
        break;
    case EXPR_UNARY:
        visit(expr->as.operation.left, context);
        break;
    case EXPR_BINARY:
        visit(expr->as.operation.left, context);
        visit(expr->as.operation.right, context);
        break;
    case EXPR_CALL:
        for (size_t i = 0; i < expr->as.call.n; i++)
            visit(expr->as.call.arguments[i].value, context);
        break;
    case EXPR_SLICE: {
        struct expr *const parts[] = {expr->as.slice.start, expr->as.slice.stop,
                                      expr->as.slice.step};
        visit_list(parts, COUNT_OF(parts), visit, context);
        break;
    }
    default: /* leaves; and those of cells, which formulas do not have */
        break;
    }
    if (expr->object != NULL)
        visit(expr->object, context);
}
