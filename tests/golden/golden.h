/* What the tests against golden data share: reading a case, comparing with it, running all cases of
 * a family. See README.md for what is in a case's folder and where the tolerances come from. The
 * data is looked for in $ATTN_TEST_GOLDEN, else in tests/golden.
 *
 * A case passes only if every file and every attribute in its folder was asked for, so a case that
 * holds something unknown fails. Every function here fails the test on an error. */
#ifndef ATTN_TESTS_GOLDEN_H
#define ATTN_TESTS_GOLDEN_H

/* cmocka.h needs the first four. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tensor/tensor.h"

enum { GOLDEN_FILES = 40, GOLDEN_ATTRS = 20, GOLDEN_OWNED = 80, GOLDEN_PATH = 1024 };

/* Tolerances relative to the largest finite reference; reasons in README.md. */
#define SDPA_TOLERANCE 4e-6
#define LAYER_TOLERANCE 5e-6
#define SOFTMAX_TOLERANCE 2e-6
#define GRADIENT_TOLERANCE 1e-5  /* and as much absolute */
#define DENORMAL_TOLERANCE 1e-44 /* absolute */

/* One case, read whole. */
struct golden {
    char folder[GOLDEN_PATH];
    const char *name; /* the folder's last part */
    size_t n_files, n_attrs, n_owned, n_wrong;
    struct golden_file {
        char name[64]; /* without .npy */
        struct tensor tensor;
        bool used;
    } files[GOLDEN_FILES];
    struct golden_attr {
        char name[64], text[64];
        bool used;
    } attrs[GOLDEN_ATTRS];
    struct tensor owned[GOLDEN_OWNED]; /* what the test makes on its way, released at its end */
};

/* Runs every case of a family such as "torch/sdpa", at least so many: as many as the data has had
 * since it was first copied. */
void golden_run_family(const char *family, void (*run)(struct golden *golden), size_t at_least);
/* Fails when torch/ holds a family that known[0..n) does not name. */
void golden_check_families(const char *const *known, size_t n);

/* Fails with the error's text unless ok. */
void golden_succeed(const struct golden *golden, bool ok, const struct error *error);
/* A place for a new tensor that lives as long as the case. */
struct tensor *golden_own(struct golden *golden);
bool golden_starts_with(const struct golden *golden, const char *prefix);

/* The array of this name; NULL (or a failure) where there is none. */
struct tensor *golden_array(struct golden *golden, const char *name);
struct tensor *golden_needed_array(struct golden *golden, const char *name);
/* The text of this attribute, as a number where one is wanted, or `otherwise`. */
const char *golden_attr_text(struct golden *golden, const char *name, const char *otherwise);
double golden_attr_number(struct golden *golden, const char *name, double otherwise);
size_t golden_attr_count(struct golden *golden, const char *name, size_t otherwise);

/* Counts the case as wrong, and prints the place, unless the shapes are equal and everywhere
 * |got - want| <= relative * the largest finite |want| + absolute, NaN in the same places. */
void golden_compare(struct golden *golden, const char *what, const struct tensor *got,
                    const struct tensor *want, double relative, double absolute);
/* Compares a gradient with the array of this name. */
void golden_compare_gradient(struct golden *golden, const char *name, const struct tensor *got);

/* A copy of x in which each row that is NaN throughout holds the numbers of `instead` (or zeros
 * when that is NULL). There must be such a row. */
const struct tensor *golden_without_nan_rows(struct golden *golden, const struct tensor *x,
                                             const struct tensor *instead);

/* True for the cases of torch/sdpa in which keys or values that are hidden from some queries are
 * not finite. */
bool golden_is_poisoned(const struct golden *golden);
/* For those: got agrees with the array `what` in rows that may attend to such a key; in all others
 * it is, bit for bit, `clean`: what comes out when 0 stands in place of what is not finite. */
void golden_compare_poisoned(struct golden *golden, const char *what, const struct tensor *got,
                             const struct tensor *clean);

#endif
