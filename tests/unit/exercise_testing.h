/* What the tests of exercises share: a small exercise of their own, and changes to it. */
#ifndef ATTN_TESTS_EXERCISE_TESTING_H
#define ATTN_TESTS_EXERCISE_TESTING_H

#include "testing.h"

#include "exercise/exercises.h"

/* exercise.yaml of an exercise in the folder 07-mini: weights of attention, with all that a file
 * can hold but speed. Lines are counted in the tests. */
extern const char mini_yaml[];

/* text with the one place where it says `old` saying `new`; to be freed. The test fails where there
 * is no such place, or more than one. */
char *testing_replace(const char *text, const char *old, const char *new);

/* Writes the exercise into a folder of this name below a temporary one, loads it and removes the
 * folder again. */
bool exercise_try(const char *folder_name, const char *yaml, struct exercise **ret,
                  struct error *reterr);
/* mini_yaml with some changes: pairs of old and new, ended by NULL. It must load. */
struct exercise *mini_with(const char *const *changes);
/* The same where it must not load: *reterr says why. */
void mini_fails(const char *const *changes, struct error *reterr);

#endif
