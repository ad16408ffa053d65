/* A learner's files: where they are, and which exercise the learner is at.
 *
 * `attn start` makes LEARNER_FOLDER, but any folder will do that holds a file of an exercise,
 * called 04_softmax_rows.c or softmax_rows.c. */
#ifndef ATTN_EXERCISE_LEARNER_FILES_H
#define ATTN_EXERCISE_LEARNER_FILES_H

#include "course/progress/progress.h"
#include "exercise/exercises.h"

#define LEARNER_FOLDER "attn-exercises"

enum { LEARNER_PATH_BYTES = 4096 };

/* Writes the folder that holds the learner's files: `folder`, or LEARNER_FOLDER in it. False when
 * no exercise's file is in either. */
bool learner_folder(const struct catalogue *catalogue, const char *folder,
                    char path[LEARNER_PATH_BYTES]);
/* Writes the path of an exercise's file in a folder: the name without its number where such a file
 * is there, else the name with it, be that file there or not. ERR_FILE when the path is too long.
 */
bool learner_file(const struct catalogue_entry *entry, const char *folder,
                  char path[LEARNER_PATH_BYTES], struct error *reterr);

/* Has the file of an exercise these very bytes from the start, so that the learner has not touched
 * it? */
bool learner_source_untouched(const struct exercise *exercise, const char *source, size_t size);
/* Is it the starter but for spaces, comments and statements like "(void)x;", so that there is
 * nothing to grade? */
bool learner_source_is_starter(const struct exercise *exercise, const char *source, size_t size);

/* The first exercise after `number` that is not solved, else the first of all that is not solved;
 * NULL when all are solved. */
const struct catalogue_entry *learner_next(const struct catalogue *catalogue,
                                           struct progress *progress, unsigned number);
/* The exercise and the file that the learner is at: of the files in learner_folder(folder) the one
 * that was changed last; when that one is untouched, the file of the first exercise that is not
 * solved. ERR_FILE when there is no such folder. The exercise is the caller's to free. */
bool learner_current(const struct catalogue *catalogue, struct progress *progress,
                     const char *folder, struct exercise **ret, char path[LEARNER_PATH_BYTES],
                     struct error *reterr);
/* The exercise that the learner is at, when no file is needed: learner_current(".") or, when that
 * one is solved, the next one; the first that is not solved when there is no folder. */
bool learner_exercise(const struct catalogue *catalogue, struct progress *progress,
                      struct exercise **ret, struct error *reterr);
/* What a person's argument means: a file with its exercise, or an exercise (by any name that
 * exercises_find() knows) with its file in learner_folder("."); NULL means learner_current("."). */
bool learner_find(const struct catalogue *catalogue, struct progress *progress,
                  const char *argument, struct exercise **ret, char path[LEARNER_PATH_BYTES],
                  struct error *reterr);

#endif
