/* Judging a file of answers, for tests of what is said about wrong ones: a list of mappings with
 * lesson, question and typed; other keys are for others. */
#ifndef ATTN_COURSE_LESSON_LESSON_ANSWERS_H
#define ATTN_COURSE_LESSON_LESSON_ANSWERS_H

#include <signal.h>

#include "base/error.h"
#include "base/text.h"

/* Judges those of the file at path that are to questions of folder's lessons. A line of out each,
 * separated by tabs: the lesson, the question, what was typed, and what came of it: "right",
 * "unfinished", "foreseen 2" (the number of the question's wrong answer), the ids of changes of the
 * formula as "edit sign,scale-left-out", "generic", or "refused: why". ERR_FILE, ERR_SYNTAX or
 * ERR_NAME where the file, its lessons or its questions are not there or can't be read. */
bool lesson_judge_answers(const char *path, const char *folder, const char *data_dir,
                          const volatile sig_atomic_t *stop, struct text *out,
                          struct error *reterr);

#endif
