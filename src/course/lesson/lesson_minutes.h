/* How long a lesson takes a learner who reads it for the first time. */
#ifndef ATTN_COURSE_LESSON_LESSON_MINUTES_H
#define ATTN_COURSE_LESSON_LESSON_MINUTES_H

#include "course/lesson/lesson.h"

struct lesson_minutes {
    unsigned reading;   /* its pages and questions */
    unsigned exercises; /* its exercises in C, in addition */
};
struct lesson_minutes lesson_minutes(const struct lesson *lesson);

/* The most presses of Enter in a row without a question: one for each page and, if counts_lines is
 * set, one more for each line that a page offers, which Enter runs first. Without counts_lines:
 * the most pages in a row. *ret_line is the line of the last page of that stretch; it is not
 * changed if the result is 0. */
unsigned lesson_longest_way(const struct lesson *lesson, bool counts_lines, unsigned *ret_line);

#endif
