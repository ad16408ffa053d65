/* What code says without being run: see axes_internal.h. */
#include <string.h>

#include "lang/notebook/axes_internal.h"
#include "lang/syntax/ast.h"

bool statements_find(const struct statement *first, statement_visit *visit, void *context)
{
    for (const struct statement *s = first; s != NULL; s = s->next) {
        if (visit(s, context) || statements_find(s->body, visit, context) ||
            statements_find(s->otherwise, visit, context) ||
            statements_find(s->final, visit, context))
            return true;
        for (size_t i = 0; i < s->n_handlers; i++)
            if (statements_find(s->handlers[i].body, visit, context))
                return true;
    }
    return false;
}

struct search {
    const char *name;
    size_t size;
    const struct statement *init;
    struct found_call *ret;
    const struct unit *unit;
};

static bool gives_attribute(const struct statement *s, void *context)
{
    struct search *search = context;
    if (s->kind == STATEMENT_FUNCTION)
        search->init = s;
    if (s->kind != STATEMENT_CHAIN || s->value == NULL || s->value->kind != EXPR_CALL)
        return false;
    const struct expr *target = s->targets[0];
    if (target->kind != EXPR_ATTRIBUTE || target->as.text.size != search->size ||
        memcmp(target->as.text.bytes, search->name, search->size) != 0)
        return false;
    *search->ret = (struct found_call){search->unit, s, search->init, s->value};
    return true;
}

bool find_attribute_call(const struct machine *m, const char *class_name, const char *name,
                         size_t size, struct found_call *ret)
{
    struct search search = {.name = name, .size = size, .ret = ret};
    for (const struct unit *unit = m->units; unit != NULL; unit = unit->next) {
        search.unit = unit;
        for (size_t i = 0; unit->prefix == NULL && i < unit->n_statements; i++) {
            const struct statement *s = unit->statements[i];
            if (s->kind == STATEMENT_CLASS &&
                (class_name == NULL || expr_named(s->targets[0], class_name)) &&
                statements_find(s->body, gives_attribute, &search))
                return true;
        }
    }
    return false;
}
