/* What the files of the training pane share. */
#ifndef ATTN_UI_PANES_TRAINING_TRAINING_PANE_INTERNAL_H
#define ATTN_UI_PANES_TRAINING_TRAINING_PANE_INTERNAL_H

#include "train/film.h"
#include "ui/panes/training/training_pane.h"

/* ---- training_seen.c ---- */

/* A message for the bottom line. */
void training_say(struct training_pane *pane, const char *format, ...) ERROR_FORMAT(2, 3);
/* The step that is seen; of a branch that begins only now, the one that is being gone back to. */
size_t training_step_seen(const struct training_pane *pane);
/* Its snapshot, or the last one before; NULL before the first. */
const struct film_frame *training_frame_seen(const struct training_pane *pane);
/* An earlier step than the newest of its branch is seen. */
bool training_looks_back(const struct training_pane *pane);
/* The branch that is seen is a film: it comes from a file, or all of its steps are taken. Space
 * plays it then, and does not train. */
bool training_is_film(const struct training_pane *pane);
/* The first and the last step on the bar of the film: of a training, the last one planned. */
void training_film_span(const struct training_pane *pane, size_t *ret_begin, size_t *ret_end);
/* Something was learnt that no file has. */
bool training_is_unsaved(const struct training_pane *pane);

/* ---- training_work.c: what goes on between the keys ---- */

/* Trains for a moment where it is running, and brings the look up to date where that is due. */
void training_work(struct training_pane *pane, int64_t now_ms);
/* Whether there is something to be done at once. */
bool training_has_work(const struct training_pane *pane);
void training_pause(struct training_pane *pane);
void training_go_on(struct training_pane *pane);
void training_release_look(struct training_pane *pane);

/* ---- training_film.c: playing, back and forth, branches, saving ---- */

enum { FILM_PLAY_MS = 12000 }; /* a film takes so long, however many snapshots it has */

/* Plays from the step that is seen, or from the start where that is the last one. */
void training_play(struct training_pane *pane);
/* Brings the film to where it should be now: snapshots that there was no time for are left out. */
void training_play_on(struct training_pane *pane, int64_t now_ms);
/* How long until the next snapshot is due. */
int training_play_timeout_ms(const struct training_pane *pane, int64_t now_ms);

/* By so many snapshots, from the step that is seen. */
void training_scrub(struct training_pane *pane, int by);
void training_scrub_to_begin(struct training_pane *pane);
void training_scrub_to_end(struct training_pane *pane);
/* To the snapshot of a step, or the last one before it. */
void training_scrub_to(struct training_pane *pane, size_t step);
void training_next_branch(struct training_pane *pane);
/* Says that the branch is being made: to tell other stories takes a moment. */
void training_fork_soon(struct training_pane *pane);
/* Branches as the field says, or says why not, once that is painted: at its second call. */
void training_fork(struct training_pane *pane);
/* False: it could not be saved, and the message says why. */
bool training_save(struct training_pane *pane);

/* ---- training_curves.c, training_draw.c: what is seen ---- */

bool training_fill_curves(struct training_pane *pane, struct error *reterr);
/* Lays out what is stale. */
void training_lay_out(struct training_pane *pane);
void training_draw(const void *state, struct area area, bool focused, bool ascii);
/* The step that a column of the bar stands for. False: the bar is not there. */
bool training_bar_step(const struct training_pane *pane, int row, int col, size_t *ret_step);

#endif
