/* The steps of drawing a fixture, in this order, and shared code. Private to fixture*.c. */
#ifndef ATTN_EXERCISE_FIXTURE_INTERNAL_H
#define ATTN_EXERCISE_FIXTURE_INTERNAL_H

#include "exercise/expression.h"
#include "exercise/fixture.h"

/* Computes the sizes of fixture->source and binds them in the session; fills fixture->scalars.
 * random is the state of splitmix_next() that ranges draw from. Adds "n_q 3, n_k 5" to drawn: the
 * sizes that were drawn or given. */
bool fixture_set_sizes(struct fixture *fixture, const struct sizes *given, uint64_t random,
                       struct text *drawn, struct error *reterr);
/* Runs the lines of draw, copies the inputs and the shapes of all arrays to the fixture, and sets
 * is_public as far as the arrays go. */
bool fixture_set_inputs(struct fixture *fixture, bool simple, struct error *reterr);
/* Runs the stages, and copies the expected results. */
bool fixture_set_expected(struct fixture *fixture, struct error *reterr);

/* All values of a session's names, while it runs the stages another way. */
struct kept_names {
    struct value *values; /* in the order of the names */
    size_t n;
};
/* Leaves the drawn names alone in the session. */
bool fixture_keep_names(struct fixture *fixture, struct kept_names *ret, struct error *reterr);
void fixture_give_back_names(struct fixture *fixture, struct kept_names *kept);
/* The answer that the last run of the stages left in the arrays. The caller releases *ret. */
bool fixture_read_answer(struct fixture *fixture, struct answer *ret, struct error *reterr);

/* The next number of splitmix64 (Steele, Lea and Flood 2014). */
uint64_t splitmix_next(uint64_t *state);

/* Rewrites *reterr, which has the reason, as "FILE:LINE: case 'NAME': WHAT: REASON". False. */
bool fixture_fault(const struct fixture *fixture, unsigned line, const char *what,
                   struct error *reterr);
/* Is the tensor of the shape that the array was declared with? ERR_SHAPE otherwise. */
bool fixture_check_shape(const struct fixture *fixture, unsigned array, const struct tensor *value,
                         struct error *reterr);

#endif
