/* Other solutions of an exercise that the learner has solved: the right solutions of its proof. */
#ifndef ATTN_EXERCISE_SOLUTIONS_H
#define ATTN_EXERCISE_SOLUTIONS_H

#include "exercise/exercise.h"
#include "base/text.h"
#include "show/doc.h"

/* Reads the source of a rung of the exercise's ladder. ERR_FILE, ERR_MEMORY. */
bool solutions_read_rung(const char *data_dir, const struct exercise *exercise,
                         const struct exercise_rung *rung, struct text *ret, struct error *reterr);
/* Adds the ladder of an exercise with speed, from plain loops up: the title of each version, why it
 * is faster than the one before, its source. Adds nothing if the exercise has no ladder. */
bool solutions_show_ladder(const char *data_dir, const struct exercise *exercise, size_t width_cols,
                           struct doc *doc, struct error *reterr);
/* Adds the titles and sources of at most `most` of them to doc, in the order of their names;
 * *ret_left is the number of those left out. data_dir holds tests/exercises. ERR_FILE without a
 * folder of them, ERR_MEMORY. */
bool solutions_show(const char *data_dir, const struct exercise *exercise, int most,
                    struct doc *doc, int *ret_left, struct error *reterr);

/* Visits the sources of all solutions that can be read, in the order of their names (four_sums.c);
 * none if there is no folder of them. False if visit() returned false; ERR_MEMORY. */
bool solutions_visit(const char *data_dir, const struct exercise *exercise,
                     bool (*visit)(void *context, const char *name, const struct text *source),
                     void *context, struct error *reterr);

#endif
