/* Is a lesson sound? `attn lint lessons/` checks each; the rules are in docs/authoring.md. */
#ifndef ATTN_COURSE_LESSON_LESSON_LINT_H
#define ATTN_COURSE_LESSON_LESSON_LINT_H

#include <signal.h>

#include "base/error.h"
#include "base/text.h"
#include "course/lesson/lesson.h"
#include "diagnose/edits.h"

/* ---- lesson answers ---- */

/* Judges a file of answers, for tests of the replies to wrong ones: a list of mappings with lesson,
 * question and typed; other keys are ignored. */

/* Judges those answers of the file at path that belong to questions of folder's lessons. Each gets
 * a line of out, with tabs between: the lesson, the question, the typed answer, and the result:
 * "right", "unfinished", "foreseen 2" (the number of the question's wrong answer), the ids of
 * changes of the formula as "edit sign,scale-left-out", "generic", or "refused: why". ERR_FILE,
 * ERR_SYNTAX or ERR_NAME if the file, its lessons or its questions are missing or can't be read. */
bool lesson_judge_answers(const char *path, const char *folder, const char *data_dir,
                          const volatile sig_atomic_t *stop, struct text *out,
                          struct error *reterr);

/* ---- lesson edits ---- */

/* Which mistakes of assets/edits.yaml deserve a text of their own in a lesson? For authors. */

/* Adds a line "FILE:LINE: note: ..." for each likely change of an answer of the lesson at path that
 * gives a new wrong answer for which the question has no text; at most a few for each question, the
 * most common ones. ERR_FILE, ERR_SYNTAX and errors of the lesson's code. */
bool lesson_note_edits(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
                       struct text *out, struct error *reterr);

/* Notes in uses[edits->n] the effect of each edit on the answers of the lesson at path, with its
 * own numbers or with fresh inputs, if it is greater than the effect already noted. Errors as
 * above. */
bool lesson_note_uses(const char *path, const char *data_dir, const struct edits *edits,
                      enum edit_use *uses, struct error *reterr);

struct lesson_faults {
    struct text text; /* "FILE:LINE: what is wrong; what to do", each with a newline */
    size_t n;
};

/* Reads the lesson at path, runs all of its code, tries all of its answers, and adds the faults to
 * faults. Fails only without memory, or when interrupted through stop. */
bool lesson_lint(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
                 struct lesson_faults *faults, struct error *reterr);
void lesson_faults_release(struct lesson_faults *faults);

#endif
