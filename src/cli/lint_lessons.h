/* The part of attn lint that is about lessons. */
#ifndef ATTN_CLI_LINT_LESSONS_H
#define ATTN_CLI_LINT_LESSONS_H

#include "base/error.h"

/* True for a lesson's file, and for a folder that holds Markdown and is not an exercise. */
bool lint_is_lessons(const char *path);
/* Checks them and prints what is wrong; with notes_edits also likely mistakes that have no text. */
bool lint_lessons(const char *path, bool notes_edits, size_t *ret_n_lessons, size_t *ret_n_faults,
                  struct error *reterr);

/* Prints what the lessons of a folder say to each answer of the file at path; see
 * lesson_judge_answers(). */
bool lint_answers(const char *path, const char *folder, struct error *reterr);

#endif
