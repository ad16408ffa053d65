/* See scope_internal.h. */
#include "lang/notebook/scope_internal.h"

#include <string.h>

#include "base/text.h"

struct walk {
    struct arena *arena;
    struct scope *scope;
    unsigned depth;
    struct error *reterr;
};

static bool walk_expr(struct walk *w, const struct expr *expr);
static bool walk_rows(struct walk *w, const struct statement *first);

/* ---- symbols ---- */

struct symbol *scope_find(const struct scope *scope, const char *bytes, size_t size)
{
    for (size_t i = 0; i < scope->n; i++)
        if (scope->symbols[i].size == size && memcmp(scope->symbols[i].bytes, bytes, size) == 0)
            return &scope->symbols[i];
    return NULL;
}

struct scope *scope_inner(const struct scope *scope, const void *key)
{
    struct scope *inner = scope->first;
    while (inner != NULL && inner->key != key)
        inner = inner->next;
    return inner;
}

static struct symbol *add_symbol(struct arena *arena, struct scope *scope, const char *bytes,
                                 size_t size, struct error *reterr)
{
    struct symbol *symbol = scope_find(scope, bytes, size);
    if (symbol != NULL)
        return symbol;
    if (scope->n == SCOPE_MAX_NAMES && scope->kind != SCOPE_MODULE) {
        error_set(reterr, ERR_LIMIT, "a function may have 4000 names; split it");
        return NULL;
    }
    if (scope->n == scope->capacity) {
        size_t capacity = scope->capacity ? scope->capacity * 2 : 8;
        struct symbol *symbols = arena_take(arena, capacity * sizeof *symbols);
        if (symbols == NULL) {
            error_memory(reterr, "reading a cell");
            return NULL;
        }
        if (scope->n > 0)
            memcpy(symbols, scope->symbols, scope->n * sizeof *symbols);
        scope->symbols = symbols;
        scope->capacity = capacity;
    }
    scope->symbols[scope->n] = (struct symbol){.bytes = bytes, .size = size};
    return &scope->symbols[scope->n++];
}

/* A name that is used or bound here. Names of the cell itself are global, and are not kept. */
static bool note_name(struct walk *w, struct scope *scope, const char *bytes, size_t size,
                      bool is_bound)
{
    if (scope->kind == SCOPE_MODULE)
        return true;
    struct symbol *symbol = add_symbol(w->arena, scope, bytes, size, w->reterr);
    if (symbol != NULL)
        symbol->is_bound = symbol->is_bound || is_bound;
    return symbol != NULL;
}

static bool note(struct walk *w, const struct expr *name, bool is_bound)
{
    return name == NULL ||
           note_name(w, w->scope, name->as.text.bytes, name->as.text.size, is_bound);
}

static struct scope *enter(struct walk *w, enum scope_kind kind, const void *key)
{
    struct scope *scope = arena_take(w->arena, sizeof *scope);
    if (scope == NULL) {
        error_memory(w->reterr, "reading a cell");
        return NULL;
    }
    *scope = (struct scope){.kind = kind, .key = key, .outer = w->scope};
    if (w->scope != NULL) {
        scope->next = w->scope->first;
        w->scope->first = scope;
    }
    w->scope = scope;
    return scope;
}

static void leave(struct walk *w)
{
    w->scope = w->scope->outer;
}

/* ---- the walk ---- */

static bool walk_all(struct walk *w, struct expr *const *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!walk_expr(w, items[i]))
            return false;
    return true;
}

/* What stands left of =, after for, after as. */
static bool walk_target(struct walk *w, const struct expr *target)
{
    if (target == NULL)
        return true;
    switch (target->kind) {
    case EXPR_NAME:
        return note(w, target, true);
    case EXPR_STAR:
        return walk_target(w, target->as.operation.left);
    case EXPR_TUPLE:
    case EXPR_LIST:
        for (size_t i = 0; i < target->as.list.n; i++)
            if (!walk_target(w, target->as.list.items[i]))
                return false;
        return true;
    default:
        return walk_expr(w, target);
    }
}

/* Defaults belong to the scope around the function. */
static bool walk_defaults(struct walk *w, const struct formals *formals)
{
    for (size_t i = 0; i < formals->n; i++)
        if (!walk_expr(w, formals->at[i].otherwise))
            return false;
    return true;
}

/* Parameters take the first slots: plain ones, those after the star, *args, **kwargs. */
static bool note_formals(struct walk *w, const struct formals *formals)
{
    static const enum formal_kind order[] = {FORMAL_PLAIN, FORMAL_KEYWORD, FORMAL_REST,
                                             FORMAL_KEYWORDS};
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < formals->n; i++)
            if (formals->at[i].kind == order[k] && !note(w, formals->at[i].name, true))
                return false;
    w->scope->n_formals = (unsigned)w->scope->n;
    return true;
}

static bool walk_clauses(struct walk *w, const struct expr *expr)
{
    const struct clause *clauses = expr->as.comprehension.clauses;
    size_t n = expr->as.comprehension.n;
    if (!walk_expr(w, clauses[0].value))
        return false;
    struct scope *scope = enter(w, SCOPE_COMPREHENSION, expr);
    if (scope == NULL || !note_name(w, scope, ".0", 2, true))
        return false;
    scope->n_formals = 1;
    scope->is_generator = expr->as.comprehension.kind == COMPREHEND_GENERATOR;
    for (size_t i = 0; i < n; i++)
        if ((i > 0 && !walk_expr(w, clauses[i].value)) || !walk_target(w, clauses[i].name))
            return false;
    if (!walk_expr(w, expr->as.comprehension.item) || !walk_expr(w, expr->as.comprehension.value))
        return false;
    leave(w);
    return true;
}

/* name := value binds in the function around a comprehension. */
static bool walk_walrus(struct walk *w, const struct expr *expr)
{
    const struct expr *name = expr->as.operation.left;
    struct scope *scope = w->scope;
    bool ok = walk_expr(w, expr->as.operation.right);
    while (ok && scope->kind == SCOPE_COMPREHENSION) {
        struct symbol *symbol =
            add_symbol(w->arena, scope, name->as.text.bytes, name->as.text.size, w->reterr);
        ok = symbol != NULL;
        scope = scope->outer;
        if (ok)
            symbol->is_global = scope->kind == SCOPE_MODULE;
    }
    return ok && note_name(w, scope, name->as.text.bytes, name->as.text.size, true);
}

static bool walk_name(struct walk *w, const struct expr *expr)
{
    if (expr_is_word(expr, "super") && w->scope->kind == SCOPE_FUNCTION &&
        !note_name(w, w->scope, "__class__", 9, false))
        return false;
    return note(w, expr, false);
}

static bool walk_kind(struct walk *w, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_NAME:
        return walk_name(w, expr);
    case EXPR_LIST:
    case EXPR_TUPLE:
    case EXPR_SET:
    case EXPR_DICT:
    case EXPR_JOINED:
    case EXPR_CONDITIONAL:
        return walk_all(w, expr->as.list.items, expr->as.list.n);
    case EXPR_INDEX:
        return walk_expr(w, expr->object) && walk_all(w, expr->as.list.items, expr->as.list.n);
    case EXPR_ATTRIBUTE:
        return walk_expr(w, expr->object);
    case EXPR_CALL:
        for (size_t i = 0; i < expr->as.call.n; i++)
            if (!walk_expr(w, expr->as.call.arguments[i].value))
                return false;
        return walk_expr(w, expr->object);
    case EXPR_UNARY:
    case EXPR_STAR:
        return walk_expr(w, expr->as.operation.left);
    case EXPR_BINARY:
        return walk_expr(w, expr->as.operation.left) && walk_expr(w, expr->as.operation.right);
    case EXPR_COMPARISONS:
        for (size_t i = 0; i < expr->as.comparisons.n; i++)
            if (!walk_expr(w, expr->as.comparisons.rest[i].right))
                return false;
        return walk_expr(w, expr->as.comparisons.first);
    case EXPR_SLICE:
        return walk_expr(w, expr->as.slice.start) && walk_expr(w, expr->as.slice.stop) &&
               walk_expr(w, expr->as.slice.step);
    case EXPR_FORMATTED:
        return walk_expr(w, expr->as.formatted.value) && walk_expr(w, expr->as.formatted.spec);
    case EXPR_COMPREHENSION:
        return walk_clauses(w, expr);
    case EXPR_LAMBDA:
        if (!walk_defaults(w, expr->as.lambda.formals) || enter(w, SCOPE_FUNCTION, expr) == NULL ||
            !note_formals(w, expr->as.lambda.formals) || !walk_expr(w, expr->as.lambda.body))
            return false;
        leave(w);
        return true;
    case EXPR_WALRUS:
        return walk_walrus(w, expr);
    case EXPR_YIELD:
    case EXPR_YIELD_FROM:
        w->scope->is_generator = true;
        return walk_expr(w, expr->as.operation.left);
    default:
        return true;
    }
}

static bool walk_expr(struct walk *w, const struct expr *expr)
{
    if (expr == NULL)
        return true;
    if (++w->depth > SCOPE_MAX_DEPTH)
        return error_set(w->reterr, ERR_LIMIT,
                         "an expression is nested too deep; name a part of it and use the name");
    bool ok = walk_kind(w, expr);
    w->depth--;
    return ok;
}

static bool walk_function(struct walk *w, const struct statement *s)
{
    if (!walk_all(w, s->decorators, s->n_decorators) || !note(w, s->targets[0], true) ||
        !walk_defaults(w, s->formals) || enter(w, SCOPE_FUNCTION, s) == NULL ||
        !note_formals(w, s->formals) || !walk_rows(w, s->body))
        return false;
    leave(w);
    return true;
}

static bool walk_class(struct walk *w, const struct statement *s)
{
    if (!walk_all(w, s->decorators, s->n_decorators) || !note(w, s->targets[0], true))
        return false;
    for (size_t i = 0; i < s->n_named; i++)
        if (!walk_expr(w, s->named[i].value))
            return false;
    struct scope *scope = enter(w, SCOPE_CLASS, s);
    if (scope == NULL || !note_name(w, scope, "__class__", 9, true))
        return false;
    scope->symbols[0].is_captured = true;
    if (!walk_rows(w, s->body))
        return false;
    leave(w);
    return true;
}

static bool walk_import(struct walk *w, const struct statement *s)
{
    for (size_t i = 0; i < s->n_imports; i++) {
        const struct import *import = &s->imports[i];
        const char *dot = memchr(import->module, '.', import->module_size);
        size_t size = dot ? (size_t)(dot - import->module) : import->module_size;
        if (import->name != NULL ? !note(w, import->name, true)
                                 : !note_name(w, w->scope, import->module, size, true))
            return false;
    }
    return true;
}

static bool walk_statement(struct walk *w, const struct statement *s)
{
    switch (s->kind) {
    case STATEMENT_FUNCTION:
        return walk_function(w, s);
    case STATEMENT_CLASS:
        return walk_class(w, s);
    case STATEMENT_IMPORT:
    case STATEMENT_FROM:
        return walk_import(w, s);
    case STATEMENT_GLOBAL:
    case STATEMENT_NONLOCAL:
        for (size_t i = 0; i < s->n_targets; i++) {
            if (!note(w, s->targets[i], false))
                return false;
            struct symbol *symbol =
                scope_find(w->scope, s->targets[i]->as.text.bytes, s->targets[i]->as.text.size);
            if (symbol != NULL && s->kind == STATEMENT_GLOBAL)
                symbol->is_global = true;
            else if (symbol != NULL)
                symbol->is_nonlocal = true;
        }
        return true;
    case STATEMENT_TRY:
        for (size_t i = 0; i < s->n_handlers; i++)
            if (!walk_expr(w, s->handlers[i].value) || !note(w, s->handlers[i].name, true) ||
                !walk_rows(w, s->handlers[i].body))
                return false;
        return walk_rows(w, s->body) && walk_rows(w, s->otherwise) && walk_rows(w, s->final);
    default:
        for (size_t i = 0; i < s->n_targets; i++)
            if (!walk_target(w, s->targets[i]))
                return false;
        return walk_all(w, s->arguments, s->n_arguments) && walk_expr(w, s->value) &&
               walk_expr(w, s->cause) && walk_rows(w, s->body) && walk_rows(w, s->otherwise);
    }
}

static bool walk_rows(struct walk *w, const struct statement *first)
{
    if (++w->depth > SCOPE_MAX_DEPTH)
        return error_set(w->reterr, ERR_LIMIT, "too many statically nested blocks");
    for (const struct statement *s = first; s != NULL; s = s->next)
        if (!walk_statement(w, s))
            return false;
    w->depth--;
    return true;
}

/* ---- resolving ---- */

/* The function around scope that binds the name; class bodies are not seen from inside, but for
 * __class__. */
static struct scope *binder_of(const struct scope *scope, const struct symbol *symbol)
{
    bool is_class = text_equals(symbol->bytes, symbol->size, "__class__");
    for (struct scope *outer = scope->outer; outer != NULL; outer = outer->outer) {
        if (outer->kind == SCOPE_MODULE || (outer->kind == SCOPE_CLASS && !is_class))
            continue;
        struct symbol *found = scope_find(outer, symbol->bytes, symbol->size);
        if (found != NULL && found->is_bound && !found->is_global && !found->is_nonlocal &&
            !found->is_outer)
            return outer;
        if (found != NULL && found->is_global)
            return NULL;
    }
    return NULL;
}

/* Every scope between the function that binds a name and the one that uses it passes the variable
 * on. */
static bool resolve(struct arena *arena, struct scope *scope, struct error *reterr)
{
    for (size_t i = 0; i < scope->n; i++) {
        struct symbol *symbol = &scope->symbols[i];
        if ((symbol->is_bound && !symbol->is_nonlocal) || symbol->is_global || symbol->is_outer)
            continue;
        struct scope *binder = binder_of(scope, symbol);
        if (binder == NULL && symbol->is_nonlocal)
            return error_set(reterr, ERR_SYNTAX, "no binding for nonlocal '%.*s' found",
                             (int)(symbol->size < 60 ? symbol->size : 60), symbol->bytes);
        if (binder == NULL) {
            symbol->is_global = true;
            continue;
        }
        const char *bytes = symbol->bytes;
        size_t size = symbol->size;
        scope_find(binder, bytes, size)->is_captured = true;
        symbol->is_outer = true;
        for (struct scope *s = scope->outer; s != binder; s = s->outer) {
            struct symbol *passed = add_symbol(arena, s, bytes, size, reterr);
            if (passed == NULL)
                return false;
            /* A class body may have a name of its own that is the same: both are kept apart by
             * the compiler, which reads the body's own names from its table. */
            passed->is_outer = true;
        }
    }
    for (struct scope *inner = scope->first; inner != NULL; inner = inner->next)
        if (!resolve(arena, inner, reterr))
            return false;
    return true;
}

/* Slots: parameters and variables of its own, then those of outer functions. */
static void number_slots(struct scope *scope)
{
    unsigned next = 0;
    for (size_t i = 0; i < scope->n; i++)
        if (!scope->symbols[i].is_outer && !scope->symbols[i].is_global)
            scope->symbols[i].slot = next++;
    for (size_t i = 0; i < scope->n; i++)
        if (scope->symbols[i].is_outer)
            scope->symbols[i].slot = next++;
    for (struct scope *inner = scope->first; inner != NULL; inner = inner->next)
        number_slots(inner);
}

struct scope *scope_of_cell(struct arena *arena, const struct statement *first,
                            struct error *reterr)
{
    struct walk w = {.arena = arena, .reterr = reterr};
    struct scope *scope = enter(&w, SCOPE_MODULE, NULL);
    if (scope == NULL || !walk_rows(&w, first) || !resolve(arena, scope, reterr))
        return NULL;
    number_slots(scope);
    return scope;
}
