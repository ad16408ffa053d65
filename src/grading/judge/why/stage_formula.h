/* The stages of an exercise as a formula that changes can be made to (diagnose/), and the numbers
 * that they give then. */
#ifndef ATTN_JUDGE_WHY_STAGE_FORMULA_H
#define ATTN_JUDGE_WHY_STAGE_FORMULA_H

#include "diagnose/rewrites.h"
#include "diagnose/signature.h"
#include "exercise/fixture.h"

/* Reads the stages into the arena. A name counts as a size if it is one in this case. The names of
 * the inputs are borrowed from the fixture. */
bool stage_formula_read(const struct fixture *example, struct arena *arena, struct formula *ret,
                        struct error *reterr);

/* The answer with these changes in place of their stages, at most one for each stage; n may be 0.
 * False when it can't be computed here, or when error_is_stop(reterr). The caller releases the
 * answer. */
bool stage_formula_answer(struct fixture *fixture, const struct rewrite *const *changes, size_t n,
                          struct answer *ret, struct error *reterr);
/* The work of stage_formula_answer(), roughly, as a multiple of the work for a small case: matrices
 * cost the square of their cells. */
size_t stage_formula_cost(const struct fixture *fixture);
/* Compares the answer with these changes to somebody's answer, part by part. PARTS_UNKNOWN: it
 * can't be computed. */
bool stage_formula_parts(struct fixture *fixture, const struct answer *answered,
                         const struct rewrite *const *changes, size_t n, struct answer_parts *ret,
                         struct error *reterr);
/* A digest of all numbers of an answer: equal numbers have equal digests. */
uint64_t answer_digest(const struct fixture *fixture, const struct answer *answer);

#endif
