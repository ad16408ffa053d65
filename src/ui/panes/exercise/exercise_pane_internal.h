/* What the files of the exercise pane share: workshop.c (the model), workshop_grade.c (grading and
 * saves), workshop_files.c (the learner's files and editor), workshop_draw.c (what is seen). */
#ifndef ATTN_UI_PANES_EXERCISE_EXERCISE_PANE_INTERNAL_H
#define ATTN_UI_PANES_EXERCISE_EXERCISE_PANE_INTERNAL_H

#include "ui/panes/exercise/exercise_pane.h"

enum { WORKSHOP_SOURCE_BYTES = 1 << 20 }; /* of a learner's file; the grader takes less */

/* Says one thing at the foot of the pane. */
void workshop_say(struct workshop *workshop, enum style style, const char *format, ...)
    ERROR_FORMAT(3, 4);
void workshop_say_error(struct workshop *workshop, const struct error *error);
/* Reads the progress again and lays the pane's lines out anew. */
void workshop_refresh(struct workshop *workshop);
/* Opens exercise `at`. False with *reterr where its task can't be shown. */
bool workshop_go(struct workshop *workshop, size_t at, struct error *reterr);
/* Keeps what is scrolled within the lines. */
void workshop_clamp(struct workshop *workshop);

/* workshop_files.c */

/* Looks for the learner's folder and the file in it, and begins to watch the folder. */
void workshop_find_files(struct workshop *workshop);
/* The exercise that a file of the folder is for; exercises.n for none. */
size_t workshop_exercise_of(const struct workshop *workshop, const char *file_name);
/* Replaces text by the learner's file for exercise `at`. False where it can't be read. */
bool workshop_read_source(const struct workshop *workshop, size_t at, struct text *text);

/* workshop_grade.c */

/* Grades the file now; what is graded already is given up. again: for another width only. */
void workshop_grade(struct workshop *workshop, bool again);
/* Makes the learner's folder. */
void workshop_start(struct workshop *workshop);
void workshop_stop(struct workshop *workshop);
/* Saves of other files, which nobody looked at, do not count any more. */
void workshop_leave_saves(struct workshop *workshop);

/* workshop_draw.c */

/* Makes workshop->page. */
void workshop_compose(struct workshop *workshop);
/* Columns of a pane that lines may take; rows of the two panes that hold scrolled lines. */
size_t workshop_text_cols(int cols);
size_t workshop_text_rows(const struct workshop *workshop, bool in_result);

#endif
