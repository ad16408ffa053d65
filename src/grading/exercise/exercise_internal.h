/* Shared by the files of this room: an exercise's statements. */
#ifndef ATTN_EXERCISE_EXERCISE_INTERNAL_H
#define ATTN_EXERCISE_EXERCISE_INTERNAL_H

#include "exercise/exercise.h"

/* The name that a statement `name = ...` assigns: [*ret, *ret + result); the result is 0 when the
 * statement assigns nothing. */
size_t statement_target(const char *statement, const char **ret);

#endif
