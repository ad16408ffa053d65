/* What the tests of changes to formulas share: small formulas and small tables of edits. */
#ifndef ATTN_TESTS_DIAGNOSE_TESTING_H
#define ATTN_TESTS_DIAGNOSE_TESTING_H

#include "testing.h"

#include "diagnose/rewrites.h"

/* query, key, value and scores are arrays, n_q and d_k sizes. */
extern const struct formula_name testing_inputs[6];

/* A formula of these steps, ended by NULL, over testing_inputs. A step whose name begins with d_ or
 * n_ gives a size. The test fails where it can't be read. */
struct formula testing_formula(struct arena *arena, const char *const *steps);
/* A table of edits from the lines below `edits:`; the test fails where it can't be read. */
struct edits testing_edits(const char *lines);

#endif
