/* How the questions of a lesson went: one count, with one wording, for the list of lessons, home,
 * the end of a lesson, `progress` and the export. The rules of attempt_internal.h hold. */
#ifndef ATTN_COURSE_PROGRESS_LESSON_COUNT_H
#define ATTN_COURSE_PROGRESS_LESSON_COUNT_H

#include "course/lesson/lesson.h"
#include "course/progress/question_record.h"

/* Counts of the questions that are judged; each question counts by its best result so far, so that
 * no count of right answers falls. */
struct lesson_count {
    unsigned n; /* the questions that the lesson has now */
    unsigned by_mark[MARK_ALONE + 1];
};

/* Counts the questions of a lesson. */
bool lesson_count_of(struct progress *progress, const struct lesson *lesson,
                     struct lesson_count *ret, struct error *reterr);
/* Answered rightly: at once, after a try, with a hint. */
unsigned lesson_count_right(const struct lesson_count *count);
/* "9 of 11 right" */
void lesson_count_write(const struct lesson_count *count, struct text *out);
/* "9 of 11 questions right: 6 at once, 2 after a try, 1 with a hint. 1 shown or skipped, 1 open."
 * Counts of 0 are left out. */
void lesson_count_write_all(const struct lesson_count *count, struct text *out);

/* The whole course. */
struct course_count {
    unsigned n_lessons, n_done; /* done: finished in any attempt */
    struct lesson_count questions;
    unsigned n_exercises, n_solved; /* the caller counts them; 0 of 0: the text leaves them out */
};

void course_count_add(struct course_count *sum, const struct lesson_record *record,
                      const struct lesson_count *count);
/* Sets ret->n_exercises and ret->n_solved of the course in DATA_DIR, which may be NULL; rooms that
 * know exercises provide such a function. */
typedef bool course_count_exercises(const char *data_dir, struct progress *progress,
                                    struct course_count *ret, struct error *reterr);
/* "3 of 28 lessons done, 1 of 20 exercises solved, 31 of 402 questions right" */
void course_count_write(const struct course_count *count, struct text *out);

#endif
