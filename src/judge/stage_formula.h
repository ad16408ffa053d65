/* The stages of an exercise as a formula that changes can be made to (diagnose/), and the numbers
 * that come out when they are made. */
#ifndef ATTN_JUDGE_STAGE_FORMULA_H
#define ATTN_JUDGE_STAGE_FORMULA_H

#include "diagnose/rewrites.h"
#include "diagnose/signature.h"
#include "exercise/fixture.h"

/* Reads the stages into the arena; what is a size there is so in this case. The names of the inputs
 * are borrowed from the fixture. */
bool stage_formula_read(const struct fixture *example, struct arena *arena, struct formula *ret,
                        struct error *reterr);

/* What comes out with these changes, of different steps, in place of the stages; n may be 0. False
 * when that can't be worked out here, or when error_is_stop(reterr). The answer is the caller's to
 * release. */
bool stage_formula_answer(struct fixture *fixture, const struct rewrite *const *changes, size_t n,
                          struct answer *ret, struct error *reterr);
/* About how many times the work of a small case: matrices grow with the square of what they hold.
 */
size_t stage_formula_cost(const struct fixture *fixture);
/* What comes out beside what somebody answered, part by part; PARTS_UNKNOWN where it can't be
 * worked out.
 */
bool stage_formula_parts(struct fixture *fixture, const struct answer *answered,
                         const struct rewrite *const *changes, size_t n, struct answer_parts *ret,
                         struct error *reterr);
/* Of all numbers of an answer: equal numbers, equal digests. */
uint64_t answer_digest(const struct fixture *fixture, const struct answer *answer);

#endif
