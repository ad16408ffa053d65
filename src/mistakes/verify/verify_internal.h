/* The parts of reports. */
#ifndef ATTN_VERIFY_VERIFY_INTERNAL_H
#define ATTN_VERIFY_VERIFY_INTERNAL_H

#include "verify/verify.h"
#include "verify/verify_mistakes.h"

/* A report that is being written. */
struct verify_report {
    const char *what; /* "weights" */
    const struct verify_options *options;
    struct doc *out;
    struct error *reterr;
    unsigned n_checks, n_passed;
};

/* Lines of the report: a check that passed, one that failed, advice below a failure, and a remark
 * on something legal that is worth a look. */
void verify_passed(struct verify_report *report, const char *format, ...) ERROR_FORMAT(2, 3);
void verify_failed(struct verify_report *report, const char *format, ...) ERROR_FORMAT(2, 3);
void verify_advise(struct verify_report *report, const char *format, ...) ERROR_FORMAT(2, 3);
void verify_remark(struct verify_report *report, const char *format, ...) ERROR_FORMAT(2, 3);
/* Reports a failure to compute, as a failed check if shapes or masks are to blame. False if the
 * report can't go on at all: *reterr then says why. */
bool verify_fault(struct verify_report *report, const struct error *error);
/* The last line. */
bool verify_finish(struct verify_report *report);

/* A tensor read as tables: rows of queries, columns of keys or components. */
struct verify_table {
    const struct node *node;
    const char *what;    /* for cells of a tensor without a name */
    struct tensor dense; /* owned */
    const float *data;
    size_t n_rows; /* through all leading axes */
    size_t n_q, n_cols;
};

/* The caller releases table->dense. */
bool verify_table_init(struct verify_table *table, const struct node *node, const char *what,
                       struct error *reterr);
const float *verify_row(const struct verify_table *table, size_t row);
/* row "shiny", row 2, row [0, 1, "shiny"] */
void verify_row_name(struct text *text, const struct verify_table *table, size_t row);
/* W["shiny", 0], with the tensor's name, or `what` if it has no name. */
void verify_cell_name(struct text *text, const struct verify_table *table, size_t position);

/* Releases a text that lines were made from; if it is incomplete, so is the report. */
void verify_end_text(struct verify_report *report, struct text *text);

/* The findings of a search through a table: how many, and the first. */
struct verify_found {
    size_t n, first;
};

void verify_find(struct verify_found *found, size_t at);
/* NaN and infinities. */
struct verify_found verify_not_finite(const struct verify_table *table);
/* A check that failed for the cells found: "W[0, 1] = nan: 2 of 12 weights are not finite". */
void verify_failed_cells(struct verify_report *report, const struct verify_table *table,
                         const struct verify_found *found, const char *cells, const char *what);

/* Remarks on an additive mask (or NULL) that does not say what it seems to. */
void verify_remark_mask(struct verify_report *report, const struct node *mask);
/* Remarks on the weights (..., n_heads, n_q, n_k) of a layer: uniform, equal, saturated. */
bool verify_remark_heads(struct verify_report *report, const struct tensor *weights,
                         bool is_causal);

/* The inputs that a context was computed from. */
struct verify_source {
    struct mistake_input input;
    double scale;     /* of the scores */
    double magnitude; /* the largest number that the context can have while weights sum to 1 */
    size_t n_inputs;  /* as they were given, and their names */
    const struct node *inputs[5];
    const char *names[5];
};

/* The largest finite number of x, by size. */
double verify_largest(const struct tensor *x);
/* The size of axis number `axis` from the last, which is 1. */
size_t verify_size(const struct node *x, unsigned axis);
/* A check that x is a matrix or more, with numbers in it. Passes in silence. */
bool verify_matrix(struct verify_report *report, const struct node *x, const char *name);
/* A check that the context has the shape of want. */
bool verify_context_shape(struct verify_report *report, const struct node *context,
                          const struct tensor *want, size_t n_q, size_t n_k);
/* Checks that a context of that shape is finite and equals the right one, which is want. */
bool verify_context(struct verify_report *report, const struct node *context,
                    const struct tensor *want, const struct verify_source *source);

#endif
