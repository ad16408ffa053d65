/* What the files of the exercise pane share: exercise_pane.c (the model), exercise_grading.c
 * (grading and saves), exercise_files.c (the learner's files and editor), exercise_draw.c (what is
 * seen). */
#ifndef ATTN_UI_PANES_EXERCISE_EXERCISE_PANE_INTERNAL_H
#define ATTN_UI_PANES_EXERCISE_EXERCISE_PANE_INTERNAL_H

#include "ui/panes/exercise/exercise_pane.h"

enum { EXERCISE_PANE_SOURCE_BYTES = 1 << 20 }; /* of a learner's file; the grader takes less */

/* Says one thing at the foot of the pane. */
void exercise_pane_say(struct exercise_pane *pane, enum style style, const char *format, ...)
    ERROR_FORMAT(3, 4);
void exercise_pane_say_error(struct exercise_pane *pane, const struct error *error);
/* Wants one of its two panes to be brought into sight. */
void exercise_pane_show(struct exercise_pane *pane, const struct pane_ops *ops);
/* Reads the progress again and lays the pane's lines out again. */
void exercise_pane_refresh(struct exercise_pane *pane);
/* Opens exercise `at`. False with *reterr where its task can't be shown. */
bool exercise_pane_go(struct exercise_pane *pane, size_t at, struct error *reterr);

/* ---- exercise_files.c ---- */

/* Looks for the learner's folder and the file in it, and begins to watch the folder. */
void exercise_pane_find_files(struct exercise_pane *pane);
/* The exercise that a file of the folder is for; exercises.n for none. */
size_t exercise_pane_exercise_of(const struct exercise_pane *pane, const char *file_name);
/* Replaces text by the learner's file for exercise `at`. False where it can't be read. */
bool exercise_pane_read_source(const struct exercise_pane *pane, size_t at, struct text *text);

/* ---- exercise_grading.c ---- */

/* Grades the file now; what is graded already is given up. again: for another width only. */
void exercise_pane_grade(struct exercise_pane *pane, bool again);
/* Makes the learner's folder. */
void exercise_pane_start(struct exercise_pane *pane);
void exercise_pane_stop(struct exercise_pane *pane);
/* Saves of other files, which nobody looked at, do not count any more. */
void exercise_pane_leave_saves(struct exercise_pane *pane);

/* The lines of the result: those of the last one, or what is known of the one that is made. */
const struct doc *exercise_pane_result_lines(const struct exercise_pane *pane);

/* Is it the page of what the program shows that stands there? */
bool exercise_pane_is_on_shown(const struct exercise_pane *pane);

/* ---- exercise_draw.c ---- */

/* Makes pane->page. */
void exercise_pane_compose(struct exercise_pane *pane);
/* Columns of a pane that lines may take; rows of the two panes that hold scrolled lines. */
size_t exercise_pane_text_cols(int cols);
size_t exercise_pane_text_rows(const struct exercise_pane *pane, bool in_result);

#endif
