/* Cases that are right by luck: where an answer that nobody worked for is the right one. */
#ifndef ATTN_EXERCISE_LUCK_H
#define ATTN_EXERCISE_LUCK_H

#include "exercise/fixture.h"

/* Would it be right to leave each array as it was, to fill it with one number, or to copy an input
 * into it (from its begin, and again where it is shorter)? A single number counts as filled with
 * 0 or 1 only. */
bool fixture_right_by_luck(const struct fixture *fixture);
/* The number that an answer consists of; NaN where it has several, or cells that are NaN. */
float answer_only_number(const struct fixture *fixture, const struct answer *answer);

#endif
