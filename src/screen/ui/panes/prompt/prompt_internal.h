/* What the files of the prompt share: line.c (editing), prompt.c (lines, history and drawing),
 * prompt_scroll.c (what is seen of the transcript), prompt_find.c (the search in it). */
#ifndef ATTN_UI_PANES_PROMPT_PROMPT_INTERNAL_H
#define ATTN_UI_PANES_PROMPT_PROMPT_INTERNAL_H

#include "ui/panes/prompt/prompt.h"

/* ---- line.c: the rows of a block ---- */

/* The bytes of the cursor's row, without its newline. */
void line_row(const struct line *line, size_t *ret_begin, size_t *ret_end);
/* Moves the cursor to the row above (by -1) or below (by 1), at the same letter where that row has
 * so many. False at the first and the last row. */
bool line_step_row(struct line *line, int by);
/* Enter within a block: a new row with this one's indentation, a level more after a colon, a level
 * less after return, pass, break, continue and raise; without indentation if indents is false. */
void line_break(struct line *line, bool indents);
/* Tab at the beginning of a row: blanks up to the next level. False elsewhere. */
bool line_indent(struct line *line);

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
