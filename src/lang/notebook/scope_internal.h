/* Which variable a name means: found once for a whole cell, before it is compiled. */
#ifndef ATTN_LANG_NOTEBOOK_SCOPE_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_SCOPE_INTERNAL_H

#include "base/arena.h"
#include "lang/syntax/ast.h"

enum scope_kind { SCOPE_MODULE, SCOPE_FUNCTION, SCOPE_COMPREHENSION, SCOPE_CLASS };

struct symbol {
    const char *bytes;
    size_t size;
    bool is_bound; /* assigned here, or a parameter */
    bool is_global, is_nonlocal;
    bool is_captured; /* an inner function uses it too */
    bool is_outer;    /* it is a variable of an outer function */
    unsigned slot;
};

/* The names of a function, a class body, a comprehension or the cell. */
struct scope {
    enum scope_kind kind;
    const void *key; /* the statement or expression that it belongs to */
    struct scope *outer, *first, *next;
    struct symbol *symbols; /* those of parameters first */
    size_t n, capacity;
    unsigned n_formals;
    bool is_generator;
};

enum { SCOPE_MAX_NAMES = 4000, SCOPE_MAX_DEPTH = 900 };

/* The scope of a cell with all scopes in it, in the arena. NULL with ERR_LIMIT, ERR_SYNTAX (a
 * nonlocal that no function has) or ERR_MEMORY. */
struct scope *scope_of_cell(struct arena *arena, const struct statement *first,
                            struct error *reterr);
/* The scope within `scope` that belongs to key. */
struct scope *scope_inner(const struct scope *scope, const void *key);
struct symbol *scope_find(const struct scope *scope, const char *bytes, size_t size);

#endif
