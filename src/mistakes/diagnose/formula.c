/* Reading a formula: see formula_internal.h. */
#include "diagnose/formula_internal.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "graph/node.h"
#include "lang/syntax/parser.h"
#include "lang/value/value.h"

bool formula_is_size(const struct value *value)
{
    if (value == NULL || value->kind != VALUE_NODE || value->as.node->value.is_bool ||
        value->as.node->value.n_axes != 0)
        return false;
    double number = (double)tensor_at_position(&value->as.node->value, 0);
    return number >= 1 && number == floor(number);
}

bool formula_step_read(struct arena *arena, const char *statement, struct formula_step *ret,
                       struct error *reterr)
{
    struct statement *first = NULL;
    size_t size = strlen(statement);
    char *text = arena_copy(arena, statement, size);
    if (text == NULL)
        return error_memory(reterr, "a formula");
    if (!parser_parse_line(arena, NULL, text, size, &first, reterr))
        return false;
    if (first == NULL || first->kind != STATEMENT_ASSIGN || first->n_targets != 1 ||
        first->targets[0]->kind != EXPR_NAME || first->next != NULL)
        return error_set(reterr, ERR_SYNTAX, "a statement NAME = EXPRESSION is expected");
    *ret = (struct formula_step){.name = first->targets[0]->as.text.bytes,
                                 .name_size = first->targets[0]->as.text.size,
                                 .text = text,
                                 .value = first->value};
    return true;
}

const struct formula_step *formula_step_of(const struct formula *formula, size_t before,
                                           const char *name, size_t size)
{
    for (size_t i = before; i-- > 0;) {
        const struct formula_step *step = &formula->steps[i];
        if (step->name_size == size && memcmp(step->name, name, size) == 0)
            return step;
    }
    return NULL;
}
