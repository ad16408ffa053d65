/* A case with its numbers changed, to ask about more than its author thought of. */
#ifndef ATTN_JUDGE_CHANGED_CASE_H
#define ATTN_JUDGE_CHANGED_CASE_H

#include "base/arena.h"
#include "exercise/fixture.h"

/* How the numbers are changed, X being an array. Moved a little, what is special about them stays:
 * large ones, zeros. Far apart, exponentials become too large; whole, many are equal. */
extern const char changed_little[], changed_far_apart[], changed_to_whole[];
/* Larger and larger, one after another: from where on is something no number? */
enum { CHANGED_SCALES = 6 };
extern const char *const changed_scales[CHANGED_SCALES];
/* Between those: two explanations of one that is no number may begin at different places. */
enum { CHANGED_STEPS = 11 };
extern const char *const changed_steps[CHANGED_STEPS];

/* Of an array of truths: some of its rows are all false. */
extern const char changed_hidden[];

/* Is the array one of floats that the function reads? */
bool is_float_input(const struct fixture *fixture, unsigned array);
/* The case of a fixture with the numbers of all float inputs changed, or of only one array
 * (only >= 0), which is there.
 * The new lines lie in the arena. */
bool changed_case(const struct fixture *like, const char *recipe, int only, struct arena *arena,
                  struct exercise_case *ret, struct error *reterr);

#endif
