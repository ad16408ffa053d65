/* What the files of the prompt share: prompt.c (lines, history and drawing), prompt_scroll.c (what
 * is seen of the transcript), prompt_find.c (the search in it). */
#ifndef ATTN_UI_PANES_PROMPT_PROMPT_INTERNAL_H
#define ATTN_UI_PANES_PROMPT_PROMPT_INTERNAL_H

#include "ui/panes/prompt/prompt.h"

/* ---- prompt_scroll.c ---- */

/* Shows the end of the transcript. */
void prompt_return_to_end(struct prompt *prompt);
/* Whether it is seen in a pane of so many columns. */
bool prompt_sees_end(const struct prompt *prompt, size_t cols);
/* The last line of which something is seen. */
size_t prompt_last_line_seen(const struct prompt *prompt);
/* The rows that the lines take which do not rest; counting ends above CANVAS_MAX_ROWS. */
size_t prompt_count_rows(const struct prompt *prompt, size_t cols);
/* Moves what is seen so far that a column of a line is. */
void prompt_show_place(struct prompt *prompt, size_t line, size_t col);
/* Draws the rows before the end of the view, from the top of the area on; returns how many. */
int prompt_draw_transcript(const struct prompt *prompt, struct area area);

/* ---- prompt_find.c ---- */

/* Whether a key begins a search in what was printed: ^O, or / where it can be no part of a line. */
bool prompt_opens_find(const struct prompt *prompt, int key);
void prompt_open_find(struct prompt *prompt);
/* Empties its field. False: no words are typed. */
bool prompt_clear_find(void *state);
/* A key while it is open. False: it is one as any other. */
bool prompt_find_key(struct prompt *prompt, int key);
/* The pane has another size: shows the place again. */
void prompt_find_again(struct prompt *prompt);

#endif
