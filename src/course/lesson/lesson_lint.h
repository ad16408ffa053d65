/* Is a lesson sound? What `attn lint lessons/` asks of each; the rules are in docs/authoring.md. */
#ifndef ATTN_COURSE_LESSON_LESSON_LINT_H
#define ATTN_COURSE_LESSON_LESSON_LINT_H

#include <signal.h>

#include "base/error.h"
#include "base/text.h"
#include "course/lesson/lesson.h"
#include "diagnose/edits.h"

/* ---- lesson answers ---- */

/* Judging a file of answers, for tests of what is said about wrong ones: a list of mappings with
 * lesson, question and typed; other keys are for others. */

/* Judges those of the file at path that are to questions of folder's lessons. A line of out each,
 * separated by tabs: the lesson, the question, what was typed, and what came of it: "right",
 * "unfinished", "foreseen 2" (the number of the question's wrong answer), the ids of changes of the
 * formula as "edit sign,scale-left-out", "generic", or "refused: why". ERR_FILE, ERR_SYNTAX or
 * ERR_NAME where the file, its lessons or its questions are not there or can't be read. */
bool lesson_judge_answers(const char *path, const char *folder, const char *data_dir,
                          const volatile sig_atomic_t *stop, struct text *out,
                          struct error *reterr);

/* ---- lesson edits ---- */

/* Which mistakes of assets/edits.yaml would be worth a text of a lesson's own? For authors. */

/* Adds a line "FILE:LINE: note: ..." for each likely change of an answer of the lesson at path that
 * gives a wrong answer of its own for which the question has no text; at most a few for each
 * question, the most common ones. ERR_FILE, ERR_SYNTAX and what the lesson's code fails with. */
bool lesson_note_edits(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
                       struct text *out, struct error *reterr);

/* Notes in uses [edits->n] what each edit does in the answers of the lesson at path, with its own
 * numbers or with fresh inputs, where that is more than what is noted. Errors as above. */
bool lesson_note_uses(const char *path, const char *data_dir, const struct edits *edits,
                      enum edit_use *uses, struct error *reterr);

struct lesson_faults {
    struct text text; /* "FILE:LINE: what is wrong; what to do", each with a newline */
    size_t n;
};

/* Reads the lesson at path, runs all of its code, tries all of its answers, and adds what is wrong
 * to faults. Fails only for want of memory, or when interrupted through stop. */
bool lesson_lint(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
                 struct lesson_faults *faults, struct error *reterr);
void lesson_faults_release(struct lesson_faults *faults);

#endif
