/* The course at a glance: lessons done, weak questions, and questions that come back. */
#ifndef ATTN_COURSE_PLAYER_OVERVIEW_INTERNAL_H
#define ATTN_COURSE_PLAYER_OVERVIEW_INTERNAL_H

#include "course/lesson/course.h"
#include "course/progress/lesson_count.h"
#include "course/progress/progress.h"
#include "lang/session/session.h"

/* Adds a line for each lesson: number, title, minutes, progress; then the total of all lessons and
 * of `exercises`, which counts no lessons yet. A lesson that can't be read is named with its fault,
 * and the others follow. */
bool overview_lessons(const struct course *course, struct progress *progress,
                      struct course_count exercises, const struct settings *settings,
                      struct doc *out, struct error *reterr);
/* Adds a line for each lesson with a mark for each question, then the same total, the weak
 * questions, and the questions to review. */
bool overview_progress(const struct course *course, struct progress *progress,
                       struct course_count exercises, const struct settings *settings,
                       struct doc *out, struct error *reterr);

#endif
