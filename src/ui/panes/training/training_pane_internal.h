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

/* ---- training_work.c: what goes on between the keys ---- */

/* Trains for a moment where it is running, and brings the look up to date where that is due. */
void training_work(struct training_pane *pane, int64_t now_ms);
/* Whether there is something to be done at once. */
bool training_has_work(const struct training_pane *pane);
void training_pause(struct training_pane *pane);
void training_go_on(struct training_pane *pane);
void training_release_look(struct training_pane *pane);

/* ---- training_film.c: back and forth, branches, saving ---- */

/* By so many snapshots, from the step that is seen. */
void training_scrub(struct training_pane *pane, int by);
void training_scrub_to_begin(struct training_pane *pane);
void training_scrub_to_end(struct training_pane *pane);
void training_next_branch(struct training_pane *pane);
/* Says that the branch is being made: to tell other stories takes a moment. */
void training_fork_soon(struct training_pane *pane);
/* Branches as the field says, or says why not, once that is painted: at its second call. */
void training_fork(struct training_pane *pane);
void training_save(struct training_pane *pane);

/* ---- training_curves.c, training_draw.c: what is seen ---- */

bool training_fill_curves(struct training_pane *pane, struct error *reterr);
/* Lays out what is stale. */
void training_lay_out(struct training_pane *pane);
void training_draw(const void *state, struct area area, bool focused, bool ascii);

#endif
