/* The formulas that arrays are compared with: assets/references.yaml, which explains its keys. */
#ifndef ATTN_VERIFY_REFERENCE_INTERNAL_H
#define ATTN_VERIFY_REFERENCE_INTERNAL_H

#include "base/arena.h"
#include "base/error.h"

struct reference_names {
    char **items;
    unsigned n;
};

enum role_kind { ROLE_ARRAY, ROLE_MASK, ROLE_SIZE, ROLE_NUMBER, ROLE_WHOLE };

/* An array that goes in. */
struct reference_role {
    char *name, *shape; /* "... n d": names of sizes; "" for a single number */
    struct reference_names names;
    enum role_kind kind;
    bool optional, turns;
};

struct reference_step {
    char *step;
    struct reference_names with, without; /* roles and flags */
    bool is_size;
};

/* A step that may be among the arrays. */
struct reference_result {
    char *step;
    struct reference_names names;
};

/* What somebody may have written: statements, separated by "; ", instead of the steps that have the
 * same names. */
struct reference_mistake {
    char *step, *when;
};

struct reference {
    char *id, *title;
    struct reference_names flags, same; /* "d_keys d_attn": see the file */
    struct reference_role *roles;
    struct reference_step *steps;
    struct reference_result *results;
    struct reference_mistake *mistakes;
    double tolerance; /* of a result, as a share of its largest number; 0: the usual one */
    unsigned n_roles, n_steps, n_results, n_mistakes;
};

struct references {
    struct reference *items;
    unsigned n;
    struct arena arena; /* owns all of it */
};

/* Reads DATA_DIR/assets/references.yaml. ERR_FILE, ERR_SYNTAX "FILE:LINE: ...", ERR_MEMORY. */
bool references_open(const char *data_dir, struct references *ret, struct error *reterr);
void references_release(struct references *references);

bool reference_names_have(const struct reference_names *names, const char *name);

#endif
