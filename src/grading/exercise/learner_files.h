/* A learner's files: their folder, and the exercise that the learner works on.
 *
 * `attn start` makes LEARNER_FOLDER, but any folder works that holds a file of an exercise, called
 * 04_softmax_rows.c or softmax_rows.c. */
#ifndef ATTN_EXERCISE_LEARNER_FILES_H
#define ATTN_EXERCISE_LEARNER_FILES_H

#include "course/progress/progress.h"
#include "exercise/exercises.h"

#define LEARNER_FOLDER "attn-exercises"

enum { LEARNER_PATH_BYTES = 4096 };

/* Writes the folder that holds the learner's files: `folder`, or LEARNER_FOLDER in it. False if
 * neither has an exercise's file. */
bool learner_folder(const struct catalogue *catalogue, const char *folder,
                    char path[LEARNER_PATH_BYTES]);
/* Writes the path of an exercise's file in a folder: the name without its number if such a file
 * exists, else the name with it, whether or not that file exists. ERR_FILE when the path is too
 * long. */
bool learner_file(const struct catalogue_entry *entry, const char *folder,
                  char path[LEARNER_PATH_BYTES], struct error *reterr);

/* Has the learner left the file of an exercise untouched: does it still have exactly the bytes of
 * the starter? */
bool learner_source_untouched(const struct exercise *exercise, const char *source, size_t size);
/* Is it the starter apart from spaces, comments and statements like "(void)x;", so that there is
 * nothing to grade? */
bool learner_source_is_starter(const struct exercise *exercise, const char *source, size_t size);

/* The first unsolved exercise after `number`, else the first unsolved one of all; NULL if all are
 * solved. */
const struct catalogue_entry *learner_next(const struct catalogue *catalogue,
                                           struct progress *progress, unsigned number);
/* The exercise and the file that the learner works on: of the files in learner_folder(folder) the
 * one that was changed last; if that one is untouched, the file of the first exercise that is not
 * solved. ERR_FILE if there is no such folder. The caller frees the exercise. */
bool learner_current(const struct catalogue *catalogue, struct progress *progress,
                     const char *folder, struct exercise **ret, char path[LEARNER_PATH_BYTES],
                     struct error *reterr);
/* The exercise that the learner works on, if no file is needed: learner_current(".") or, if that
 * one is solved, the next one; without a folder the first unsolved one. */
bool learner_exercise(const struct catalogue *catalogue, struct progress *progress,
                      struct exercise **ret, struct error *reterr);
/* The meaning of a person's argument: a file with its exercise, or an exercise (by any name that
 * exercises_find() knows) with its file in learner_folder("."); NULL means learner_current("."). */
bool learner_find(const struct catalogue *catalogue, struct progress *progress,
                  const char *argument, struct exercise **ret, char path[LEARNER_PATH_BYTES],
                  struct error *reterr);

#endif
