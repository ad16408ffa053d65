/* The formula that somebody should have computed: statements of the language, one after another.
 * Its expressions are parsed once. An expression knows the statement that it was read from, so that
 * its words can be copied; names that a statement assigns stand for their values. */
#ifndef ATTN_DIAGNOSE_FORMULA_INTERNAL_H
#define ATTN_DIAGNOSE_FORMULA_INTERNAL_H

#include "base/arena.h"
#include "lang/syntax/ast.h"

/* A name that the statements may read. */
struct formula_name {
    const char *name; /* borrowed */
    bool is_size;     /* a single number that counts something; else an array */
};

/* One statement, NAME = EXPRESSION. */
struct formula_step {
    const char *name; /* [name_size], in text */
    size_t name_size;
    const char *text; /* the whole statement, NUL-terminated, in the arena */
    const struct expr *value;
    bool gives_size; /* a single number */
};

struct formula {
    const struct formula_name *inputs; /* borrowed: the names before the first step */
    size_t n_inputs;
    struct formula_step *steps; /* in the arena */
    size_t n_steps;
    bool is_lesson; /* a question's answer: edits that are only for lessons count too */
};

struct value;

/* Is it a single whole number, at least 1, which may count something? value may be NULL. */
bool formula_is_size(const struct value *value);

/* Reads one statement into the arena. ERR_SYNTAX if it is not NAME = EXPRESSION, ERR_MEMORY. */
bool formula_step_read(struct arena *arena, const char *statement, struct formula_step *ret,
                       struct error *reterr);
/* The step before number `before` that assigns this name; NULL if none does. */
const struct formula_step *formula_step_of(const struct formula *formula, size_t before,
                                           const char *name, size_t size);

#endif
