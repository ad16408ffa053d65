/* From exercise.yaml to a struct exercise: which keys there are, and what kind of value each has.
 * Private to exercise.c. */
#ifndef ATTN_EXERCISE_EXERCISE_SCHEMA_H
#define ATTN_EXERCISE_EXERCISE_SCHEMA_H

#include "exercise/exercise.h"

/* Fills in all that text[0..size) says; what is read lies in exercise->arena. exercise->path is
 * already there. */
bool exercise_read_yaml(struct exercise *exercise, const char *text, size_t size,
                        struct error *reterr);

#endif
