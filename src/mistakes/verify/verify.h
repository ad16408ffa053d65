/* Checks of attention: rules that its weights, its context and its shapes must keep.
 *
 * Each function writes a report: a line for each check, "ok" or "FAILED" and the finding, with the
 * first wrong row or cell named by its label; below a failure a line with advice, which names the
 * usual mistake if the numbers show it; "note" for legal findings that are worth a look; and a last
 * line such as "weights: 4 of 5 checks passed". Shapes that make the other checks impossible end
 * the report early. A failed check is a finding, not an error: false is returned only if the report
 * could not be made (ERR_MEMORY, ERR_LIMIT, ERR_INTERRUPTED, and errors of edits_open()).
 *
 * Tolerances: everything is float32, which keeps about 7 digits. The sums of the checks run in
 * double and add no error of their own, but the checked numbers come from code that may sum in
 * float32, so rows may miss 1 by 1e-5, and a context may differ by 1e-5 of the largest value, and
 * by more if large scores make softmax sensitive to their last digit. */
#ifndef ATTN_VERIFY_VERIFY_H
#define ATTN_VERIFY_VERIFY_H

#include "files/arrays.h"
#include "graph/graph.h"
#include "show/doc.h"

/* The look of a report, the flag that stops a long computation (or NULL), and the folder that holds
 * assets/ with the mistakes to look for (or NULL: names none). */
struct verify_options {
    size_t width_cols;
    int digits;
    const volatile sig_atomic_t *stop;
    const char *data_dir;
};

struct verify_weights {
    const struct node *weights;   /* (..., n_q, n_k), or (n_k) for one query */
    const struct node *attn_mask; /* boolean: True may attend; else added to the scores; or NULL */
    bool is_causal;               /* query i may attend to key j <= i */
};

struct verify_attention {
    const struct node *query, *key, *value, *context;
    const struct node *attn_mask; /* as above */
    bool is_causal;
    const struct node *scale; /* a single number, or NULL: 1 / sqrt(d_k) */
};

struct verify_multihead {
    const struct node *x;               /* (..., n, d_in) */
    const struct node *w_query, *w_key; /* (d_in, d_model) */
    const struct node *w_value, *w_out; /* (d_in, d_values), (d_values, d_out) */
    const struct node *n_heads;         /* a single number */
    bool is_causal;
    const struct node *context; /* (..., n, d_out), or NULL: only the layer itself is checked */
};

/* An array that has a role of a formula: ROLE=ARRAY. */
struct verify_role {
    const char *role, *array;
};

/* What somebody knows of the arrays of a file; all zero bytes: nothing. */
struct verify_dump {
    const char *name; /* of the file, for the report */
    const char *like; /* the id of a formula in assets/references.yaml; NULL: the one that fits */
    size_t n_heads;   /* 0: unknown */
    bool is_causal, has_scale;
    double scale;
    const struct verify_role *roles; /* [n_roles] */
    size_t n_roles;
};

enum verify_verdict { VERIFY_RIGHT, VERIFY_DIFFERS, VERIFY_UNKNOWN };

bool verify_weights(const struct verify_weights *given, const struct verify_options *options,
                    struct doc *out, struct error *reterr);
bool verify_attention(const struct verify_attention *given, const struct verify_options *options,
                      struct doc *out, struct error *reterr);
bool verify_multihead(const struct verify_multihead *given, const struct verify_options *options,
                      struct doc *out, struct error *reterr);
/* Finds the formula that the arrays belong to and the role of each: by names, and by the shapes and
 * numbers that fit where names say nothing. The report begins with the verdict, then says for each
 * result in the file, in the order of the formula, whether it is what the formula gives from what
 * stands before it; for a wrong one, which mistake gives exactly its numbers, or where and how they
 * differ. VERIFY_UNKNOWN: no formula fits, or only single inputs are there; the report says what is
 * missing. False for failures of attn's own: ERR_MEMORY, ERR_INTERRUPTED, and errors of the tables;
 * ERR_NAME: a role, an array or a formula that is not there. options->data_dir is needed. */
bool verify_dump(const struct arrays *arrays, const struct verify_dump *given,
                 const struct verify_options *options, struct doc *out,
                 enum verify_verdict *ret_verdict, struct error *reterr);

#endif
