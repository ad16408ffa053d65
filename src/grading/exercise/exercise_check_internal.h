/* The rules that an exercise must keep beyond its schema: everything that is named exists, and
 * nothing that was promised is missing. Private to exercise.c. */
#ifndef ATTN_EXERCISE_EXERCISE_CHECK_INTERNAL_H
#define ATTN_EXERCISE_EXERCISE_CHECK_INTERNAL_H

#include "exercise/exercise.h"

/* Puts the arrays into the order of the parameters, and the sizes into an order in which they can
 * be computed; then checks everything. ERR_SYNTAX "FILE:LINE: ...". */
bool exercise_check(struct exercise *exercise, struct error *reterr);

/* "2..7": a range to draw from. */
bool size_is_range(const char *value, unsigned *ret_low, unsigned *ret_high);

#endif
