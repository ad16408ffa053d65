/* All changes that the table of mistakes can make to one step of a formula. */
#ifndef ATTN_DIAGNOSE_REWRITES_H
#define ATTN_DIAGNOSE_REWRITES_H

#include "diagnose/edits.h"

/* One edit at one place. */
struct rewrite {
    const struct edit *edit;
    unsigned way; /* the index of the edit's form and of its replacement, as one number */
    size_t step;  /* of the formula */
    const struct rewrite *base;   /* the change of the same step that this one was made on top of */
    const char *statement;        /* the changed step: NAME = EXPRESSION */
    const struct statement *read; /* the same, parsed; NULL in a change on top of another */
    const char *piece; /* "PART -> PUT": the words that changed; other steps may have the same */
    const char *functions; /* that it uses, a statement a line; "" if it uses none */
    const char *when;      /* of the edit, with its holes filled */
    const char *math;      /* of the edit, with its holes filled; NULL: show the right step */
};

struct rewrites {
    struct rewrite *items;
    size_t n, capacity;
    struct arena arena; /* owns their words; the edits are borrowed */
};

/* Adds the changes of step number `step`, in the order of the table, each once. */
bool rewrites_add(const struct edits *edits, const struct formula *formula, size_t step,
                  struct rewrites *ret, struct error *reterr);
/* Adds the changes that can be made to the step that base changed. */
bool rewrites_add_on(const struct edits *edits, const struct formula *formula,
                     const struct rewrite *base, struct rewrites *ret, struct error *reterr);
void rewrites_release(struct rewrites *changes); /* may be all zero bytes */

#endif
