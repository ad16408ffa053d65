/* What the files of the heads pane share. */
#ifndef ATTN_UI_PANES_HEADS_HEADS_PANE_INTERNAL_H
#define ATTN_UI_PANES_HEADS_HEADS_PANE_INTERNAL_H

#include "ui/panes/heads/heads_pane.h"

enum { HEADS_ABOUT_ROWS = 2 }; /* what the head under the cursor is, and its sink */

/* ---- heads_change.c: what is computed ---- */

/* A message for the bottom line. */
void heads_say(struct heads_pane *pane, const char *format, ...) ERROR_FORMAT(2, 3);
/* Cuts the head under the cursor, or puts it back where it is cut so already. */
void heads_toggle_cut(struct heads_pane *pane, enum cut_how how);
void heads_restore(struct heads_pane *pane); /* all that are cut */
/* How a head is cut; NULL: it is not. */
const struct heads_cut *heads_find_cut(const struct heads_pane *pane, size_t layer, size_t head);
/* Puts what was typed behind the text, or in its place. */
bool heads_take_text(struct heads_pane *pane);
/* Shows the head under the cursor in the explorer, which keeps its view and its cursor. */
bool heads_explore(struct heads_pane *pane);

/* ---- heads_draw.c: what is seen ---- */

/* Lays out what is stale, for the size that the pane has. */
void heads_lay_out(struct heads_pane *pane);
void heads_draw(const void *state, struct area area, bool focused, bool ascii);
/* The part of the pane's area that the explorer has. */
struct area heads_explorer_area(const struct heads_pane *pane, struct area area);
/* The head whose thumbnail is at a place of the pane. */
bool heads_at(const struct heads_pane *pane, int row, int col, size_t *ret_layer, size_t *ret_head);

#endif
