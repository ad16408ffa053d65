/* Kinds of rows that a program may get wrong though it is right for others: equal numbers, numbers
 * that rise, tiny ones, ... A case draws them by `kinds:`, and attn lint looks for cases in which
 * the result depends on them. */
#ifndef ATTN_EXERCISE_ROW_KINDS_H
#define ATTN_EXERCISE_ROW_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct row_kind {
    const char *words; /* "rows of equal numbers" */
    /* Expressions in which X is the array and N the length of its rows. */
    const char *holds;  /* for each row, with the last axis kept: is it of this kind? */
    const char *draw;   /* the array with all of its rows of this kind */
    unsigned least_row; /* the shortest row that can be one */
    bool is_huge;       /* most formulas overflow, so that `kinds:` does not draw it */
};

enum { N_ROW_KINDS = 12 };
extern const struct row_kind row_kinds[N_ROW_KINDS];

/* Adds the expression with the name and the length put in. */
void row_kind_put(struct text *out, const char *expression, const char *name, size_t n);

#endif
