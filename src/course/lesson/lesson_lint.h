/* Is a lesson sound? What `attn lint lessons/` asks of each; the rules are in docs/authoring.md. */
#ifndef ATTN_COURSE_LESSON_LESSON_LINT_H
#define ATTN_COURSE_LESSON_LESSON_LINT_H

#include <signal.h>

#include "course/lesson/lesson.h"
#include "base/text.h"

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
