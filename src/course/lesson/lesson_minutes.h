/* How long a lesson takes somebody who reads it for the first time. */
#ifndef ATTN_COURSE_LESSON_LESSON_MINUTES_H
#define ATTN_COURSE_LESSON_LESSON_MINUTES_H

#include "course/lesson/lesson.h"

struct lesson_minutes {
    unsigned reading;   /* its pages and questions */
    unsigned exercises; /* besides: its exercises in C */
};
struct lesson_minutes lesson_minutes(const struct lesson *lesson);

/* The most presses of Enter in a row without a question: one a page, and two where code is offered,
 * which runs first. *ret_line is the last page of that way; it stays as it was where the result
 * is 0. */
unsigned lesson_longest_way(const struct lesson *lesson, unsigned *ret_line);

#endif
