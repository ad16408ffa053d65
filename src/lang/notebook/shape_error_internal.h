/* An error by shapes, explained: which axis does not fit, where it came from, and the change that
 * fits. The cell is run once more with an observer for it, and once more for each change that is
 * tried; see shape_error.c and shape_repairs.c. */
#ifndef ATTN_LANG_NOTEBOOK_SHAPE_ERROR_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_SHAPE_ERROR_INTERNAL_H

#include "lang/notebook/notebook_internal.h"
#include "lang/notebook/observe_internal.h"

enum shape_problem {
    SHAPE_NONE,
    SHAPE_PRODUCT,   /* the inner sizes of a @ b, or the axes in front of them */
    SHAPE_LINEAR,    /* x has not the number of features that a layer takes */
    SHAPE_BROADCAST, /* a + b */
    SHAPE_VIEW,      /* the product of the sizes is another number */
    SHAPE_STRIDES,   /* view() of what has been transposed */
    SHAPE_DIM,       /* an axis that is not there */
    SHAPE_CAT,
    SHAPE_NORM,
    SHAPE_LOSS,
    SHAPE_UNPACK, /* b, t, d = x.shape of another number of axes */
    SHAPE_INDEX,
    SHAPE_PERMUTE,
    SHAPE_EXPAND,
    SHAPE_SPLIT,
    SHAPE_COUNT
};

/* One of the values that the operation was given, as it was written. */
struct operand {
    const struct expr *expr;
    struct value value; /* borrowed */
    bool is_listed;     /* in the list of cat() */
};
enum { OPERANDS_MOST = 8 };

/* What failed, read. */
struct shape_error {
    enum shape_problem problem;
    struct machine *m; /* that ran the cell again */
    const struct failure *failure;
    struct operand operands[OPERANDS_MOST]; /* tensors alone */
    size_t n;
    const struct expr *expr; /* the operation; NULL: OP= */
    const char *function;    /* its name, "" of an operator */
    size_t function_size;
    const char *layer; /* class of the module that was called, or "" */
};

/* Adds lines that explain the error with this message, if it is one by shapes and comes up again
 * when the notebook's cells run once more. */
void shape_error_explain(const struct notebook *notebook, const char *message, struct text *out);

/* ---- shape_repairs.c ---- */

/* A change of a cell's text. */
struct edit {
    const struct unit *unit;
    size_t begin, end;
    char *text;
};
enum { EDITS_MOST = 6 };
struct edits {
    struct edit at[EDITS_MOST];
    size_t n;
};

/* Runs the cells of a notebook again, silently, with a change or without (NULL): a new notebook,
 * to be freed, or NULL without memory. *ret_works: it ran to its end. */
struct notebook *cells_run_again(const struct notebook *notebook, const struct edits *edits,
                                 struct observer *observer, double seconds, bool *ret_works);
/* Adds the first change of the table that makes the cells run. */
void shape_repairs_write(const struct notebook *notebook, const struct shape_error *error,
                         struct text *out);

/* A size of a tensor of the error; 0 where it has no such axis. Negative ones count from the end.
 */
size_t operand_size(const struct shape_error *error, size_t operand, int axis);
const struct tensor *operand_form(const struct shape_error *error, size_t operand);

#endif
