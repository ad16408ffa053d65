/* Arrays that a program wrote, read as inputs and results of a formula: what dump.c, reading.c and
 * reason.c share.
 *
 * A reading gives each array a role (roles_internal.h) and settles what the file does not say: the
 * number of heads, a causal mask, which way round the matrices and the mask are. The reading under
 * which most results are right is the one that is reported; if a result is wrong under all of them,
 * those are asked for a mistake, the likeliest first. */
#ifndef ATTN_VERIFY_DUMP_INTERNAL_H
#define ATTN_VERIFY_DUMP_INTERNAL_H

#include "diagnose/edits.h"
#include "verify/question_internal.h"
#include "verify/roles_internal.h"
#include "verify/verify.h"

enum { DUMP_MOST_RESULTS = 24 };

/* Of a result, as a share of its largest number, unless the reference has its own. */
#define DUMP_TOLERANCE 1e-5

struct reading {
    const struct casting *casting;
    unsigned flags;   /* of the reference, a bit each */
    size_t n_heads;   /* 0: the reference has none */
    bool mask_turned; /* True in the mask hides a key */
    bool guessed_heads;
    unsigned n_results, n_right; /* of the arrays; and how many of them are right */
    double wrong;                /* the share of wrong numbers in the first wrong result */
};

/* An array that is the value of a step, in one of the layouts that programs keep it in. */
struct dump_result {
    size_t array;
    unsigned row;                /* of reference->results */
    const struct layout *layout; /* in which the array has the value */
    bool is_plain;               /* it is the value as it stands */
    struct tensor want, got;     /* owned: in the array's layout, without axes of 1 before them */
    double tolerance;
    bool is_right, fits; /* fits: it has the shape that it must have */
    bool is_from_wrong;  /* want follows from wrong results before it */
};

struct dump_results {
    struct dump_result items[DUMP_MOST_RESULTS];
    unsigned n;
};

struct dump {
    const struct arrays *arrays;
    const struct verify_dump *given;
    const struct verify_options *options;
    struct role_given *roles; /* [given->n_roles] */
    bool *known;              /* by array: does some formula know its name? */
    const struct references *references;
    struct castings *castings; /* [references->n] */
    struct reading *readings;  /* [n_readings] */
    size_t n_readings;
    struct edits edits;
    double work_left; /* multiplications that the search for mistakes may still take */
    struct error *reterr;
};

/* A step whose value stands in the file: the steps after it start from that. */
struct given_step {
    const char *name;
    const struct tensor *value;
};

/* ---- reading.c ---- */

/* All readings of a dump, the likeliest first: fills dump->known, roles, castings and readings.
 * ERR_NAME: a role's array or a formula that is not there. */
bool readings_list(struct dump *dump);
/* Finds the reading that is reported: the first under which all results are right, else the first
 * of those with the most right ones. NULL: none has a result. */
bool readings_choose(struct dump *dump, struct reading **ret);

bool reading_has_flag(const struct reading *reading, const char *name);
/* The array in this role; NULL if the reading has none. */
const struct tensor *reading_role(const struct dump *dump, const struct reading *reading,
                                  const char *name);
bool reading_casts(const struct casting *casting, size_t array);
/* Builds the formula of the reading in a new question: the steps that lead to the target (NULL:
 * all) from the given ones on. False where its shapes do not fit, or for a failure of attn's own:
 * question->reterr says which. */
bool reading_build(const struct dump *dump, const struct reading *reading, const char *target,
                   const struct given_step *given, size_t n_given, struct question *question);
/* Finds the results among the arrays, in the order of the formula; dump_results_release() them. A
 * reading whose shapes do not fit has none. Counts them in the reading. */
bool reading_find_results(const struct dump *dump, struct reading *reading,
                          struct dump_results *ret);
void dump_result_release(struct dump_result *result); /* keeps the number of its array */
void dump_results_release(struct dump_results *results);

/* Writes the expression that a result is the value of. */
void dump_result_write_target(const struct reference *reference, const struct dump_result *result,
                              struct text *out);
/* Compares the array of a result with its step again, in another question. *ret->fits is false
 * where the shapes differ. */
bool dump_result_compare_again(const struct dump *dump, const struct reading *reading,
                               struct question *question, const struct dump_result *result,
                               struct dump_result *ret);

/* ---- reason.c ---- */

/* Which mistake gives this result? given are the steps before it that stand in the file. */
bool reason_find(struct dump *dump, const struct reading *reading, const struct dump_result *result,
                 const struct given_step *given, size_t n_given, bool with_pairs,
                 struct question_finding *ret);
/* The reading that explains the first wrong result, of those that are as right as *reading. */
bool reason_search(struct dump *dump, struct reading **reading, struct question_finding *ret);

#endif
