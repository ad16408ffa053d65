/* Cases that can be right by luck: an answer without any work is the right one. */
#ifndef ATTN_EXERCISE_LUCK_H
#define ATTN_EXERCISE_LUCK_H

#include "exercise/fixture.h"

/* Would it be right to leave each array as it was, to fill it with one number, or to copy an input
 * into it (from its beginning, and again if the input is shorter)? A single number counts as filled
 * with 0 or 1 only. */
bool fixture_right_by_luck(const struct fixture *fixture);
/* The only number that an answer contains; NaN if it contains several, or cells that are NaN. */
float answer_only_number(const struct fixture *fixture, const struct answer *answer);

#endif
