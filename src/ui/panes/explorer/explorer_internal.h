/* What the files of the explorer share: stages and their tables, the arithmetic that is open, and
 * where on the pane they stand. */
#ifndef ATTN_UI_PANES_EXPLORER_EXPLORER_INTERNAL_H
#define ATTN_UI_PANES_EXPLORER_EXPLORER_INTERNAL_H

#include "ui/panes/explorer/explorer.h"

/* The table of a tensor that is shown: its last two axes, at one place of those before them. */
struct explorer_slice {
    size_t n_slices, n_rows, n_cols; /* a vector is one row, a single number one cell */
    size_t index;                    /* which of the slices */
};

/* The table of a node for head number `head`; the last one where there are fewer. */
struct explorer_slice explorer_slice_of(const struct node *node, size_t head);
/* The row-major position in the whole tensor. */
size_t explorer_position(const struct explorer_slice *slice, size_t row, size_t col);

/* explorer_pipeline.c */

/* Runs the whole pipeline anew, with the edits made so far, and shows it. All is as before on
 * failure. */
bool explorer_rebuild(struct explorer *explorer, struct error *reterr);
/* One more edit, `whatif NAME[...] = v` in the session, kept; or the last one taken back. Likewise.
 */
bool explorer_add_edit(struct explorer *explorer, const char *line, struct error *reterr);
bool explorer_drop_edit(struct explorer *explorer, struct error *reterr);
/* True for a node that is what its name means in the session: only then it can be edited. */
bool explorer_is_named(const struct explorer *explorer, const struct node *node);
/* The width of what the heads share out between them. */
enum { EXPLORER_WIDTH = 6 };

/* explorer_edit.c */

void explorer_begin_edit(struct explorer *explorer);
void explorer_undo(struct explorer *explorer);

/* explorer_source.c */

/* Begins to ask what is to be shown. */
void explorer_ask(struct explorer *explorer);
/* Shows what was typed. It stays to be mended where it can't be shown. */
void explorer_answer(struct explorer *explorer);
/* Goes on with the name that is being typed, as far as it is the same in all that fit. */
void explorer_complete(struct explorer *explorer);
/* A variable whose name begins with what is typed: the next one from *at on; NULL: no more. */
const struct variable *explorer_fitting(const struct explorer *explorer, size_t *at);

/* explorer.c */

/* What is shown: of the cell that is open, else of the stage; NULL: nothing. */
struct node *explorer_node(const struct explorer *explorer);
struct explorer_slice explorer_slice(const struct explorer *explorer);
/* The cell under the cursor; its node is NULL when there is none. */
struct cell explorer_cell(const struct explorer *explorer);
/* The stage is shown as words with lines between them. */
bool explorer_shows_words(const struct explorer *explorer);
/* The stage that a node is, or n_stages. */
size_t explorer_stage_of(const struct explorer *explorer, const struct node *node);
/* Shows a cell: its stage, head, row and column. */
void explorer_go_to(struct explorer *explorer, struct cell cell);
void explorer_show_stage(struct explorer *explorer, size_t stage);
void explorer_settle(struct explorer *explorer); /* the cursor onto what there is */
void explorer_say(struct explorer *explorer, const char *format, ...) ERROR_FORMAT(2, 3);

/* explorer_why.c */

/* X["shiny", 0] = 0.53 */
void explorer_write_cell(const struct explorer *explorer, struct cell cell, struct text *text);
/* The arithmetic of the cell that is open. */
struct explorer_why {
    struct doc lines;   /* the first one names the cell */
    struct cell *cells; /* what it was made from, without typed numbers; borrowed nodes */
    size_t n_cells;
};

/* width_cols: lines are wrapped there. The caller releases *ret. */
bool explorer_explain(const struct explorer *explorer, size_t width_cols, struct explorer_why *ret,
                      struct error *reterr);
void explorer_why_release(struct explorer_why *why);
/* The parent that is chosen, below why->n_cells where there are any. */
size_t explorer_choice(const struct explorer *explorer, const struct explorer_why *why);

/* Opens the cell under the cursor, or goes down to the one that is chosen in the arithmetic. */
void explorer_open(struct explorer *explorer);
void explorer_climb(struct explorer *explorer); /* back up by one; depth > 0 */
/* Chooses another of the cells in the arithmetic, so many further. */
void explorer_choose(struct explorer *explorer, ptrdiff_t steps);
/* Lets go of the cells below a depth. */
void explorer_close_path(struct explorer *explorer, size_t depth);

/* explorer_table.c */

/* A table as a Doc that begins at a row and column of it, for an area. */
struct explorer_table {
    struct doc doc;
    struct node *node; /* borrowed; one share in the table that the explorer keeps */
    struct tensor before;
    struct explorer_slice slice;
    bool is_heat, ascii;
    int area_rows, area_cols; /* that it was made for */
    size_t row, col;          /* the first ones that the Doc shows */
    size_t n_rows, n_cols;    /* how many of them are seen whole */
    size_t made_cols;         /* that the Doc has; those behind the seen ones are cut off */
    int rows, cols;           /* what they take on the screen */
    size_t line;              /* the Doc's first line that is seen */
    int frozen, left;         /* its first columns always are, and so many behind them are not */
    bool is_borrowed;         /* it is the one that the explorer keeps: not to be released */
};

/* The numbers of a node: so much as an area of this size shows, the cell at (row, col) among it,
 * from its first row and column on. */
bool explorer_numbers(const struct explorer *explorer, struct node *node, size_t row, size_t col,
                      int rows, int cols, bool ascii, struct explorer_table *ret,
                      struct error *reterr);
/* The table of what is shown, as numbers or, while no arithmetic is open, as the view has it. It is
 * scrolled no further than the cursor needs; and is the one that was kept, where that is it. */
bool explorer_main_table(const struct explorer *explorer, int rows, int cols, bool ascii,
                         struct explorer_table *ret, struct error *reterr);
/* Keeps the main table for an area of this size, and scrolls the explorer as it is scrolled. */
void explorer_keep_table(struct explorer *explorer, int rows, int cols);
void explorer_drop_table(struct explorer *explorer); /* keeps none */
void explorer_table_release(struct explorer_table *table);
void explorer_table_draw(const struct explorer_table *table, struct area area);
/* Marks a cell of it, where it is seen. */
void explorer_table_mark(const struct explorer_table *table, struct area area, size_t position,
                         unsigned marks);
/* The cell at a row and column of its area. */
bool explorer_table_at(const struct explorer_table *table, int row, int col, size_t *ret_row,
                       size_t *ret_col);

/* explorer_draw.c */

/* Where the table stands on a pane with so many rows while no arithmetic is open: its first row and
 * its rows. */
void explorer_table_place(int rows, int *ret_top, int *ret_rows);

/* explorer_foot.c */

/* The cursor's cell in one line. */
void explorer_draw_cell(const struct explorer *explorer, struct area area);
/* The last rows of the pane: a message, what is being typed, or what is set. problem: what went
 * wrong while drawing; or NULL. */
void explorer_draw_foot(const struct explorer *explorer, struct area area, const char *problem);

/* explorer_words.c: the head view. */

/* True for weights: rows that say how much of each key a query takes, none negative and 1 in sum.
 */
bool explorer_has_words(const struct node *node);
size_t explorer_words_seen(int rows); /* words in an area of so many rows */
void explorer_words_draw(const struct explorer *explorer, struct area area, bool focused,
                         bool ascii);
/* The query or the key at a place of its area: *ret_row or *ret_col is changed. */
bool explorer_words_at(const struct explorer *explorer, struct area area, int row, int col,
                       size_t *ret_row, size_t *ret_col);

#endif
