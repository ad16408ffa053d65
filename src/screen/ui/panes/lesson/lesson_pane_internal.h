/* What the files of the lesson pane share: lesson_pane.c (the page, what keys ask for),
 * lesson_bindings.c (the keys), lesson_scroll.c (which lines are seen), lesson_answer.c (the answer
 * under way), lesson_order.c (steps that are put in order), lesson_cells.c (that of a matrix),
 * lesson_points.c (cells that one points at, and masks), lesson_change.c (numbers that get other
 * values), lesson_grid.c (how the matrices of all of them are drawn), lesson_find.c (the search),
 * lesson_lines.c (all lines of the pane), lesson_draw.c (how they are drawn). */
#ifndef ATTN_UI_PANES_LESSON_LESSON_PANE_INTERNAL_H
#define ATTN_UI_PANES_LESSON_LESSON_PANE_INTERNAL_H

#include "show/number.h"
#include "ui/panes/lesson/lesson_pane.h"

enum {
    LESSON_PANE_MARGIN_COLS = 1, /* left of the lines, where news are marked */
    LESSON_PANE_EDGE_COLS = 2,   /* right of them: a blank and the scroll bar */
    LESSON_PANE_FOOT_ROWS = 2, /* how the field is used, and the field; or where the keys lead on */
    LESSON_PANE_FIELD_ROWS = 4, /* at most, for a long text */
};

/* The control keys of a page with a question; they go before the keys that edit. */
extern const struct binding lesson_pane_control_bindings[];

/* The question that waits, or NULL. */
const struct question *lesson_pane_question(const struct lesson_pane *pane);
/* How it is answered; LESSON_PANE_ASKS_NOTHING after it was answered. */
enum lesson_pane_ask lesson_pane_ask(const struct lesson_pane *pane);
/* Whether options, or steps, are shown; they stay in sight after the answer. */
bool lesson_pane_has_options(const struct lesson_pane *pane);
bool lesson_pane_has_field(const struct lesson_pane *pane);
/* What stands before the field. */
const char *lesson_pane_field_label(const struct lesson_pane *pane);
/* Whether it is answered in a table, which Escape leaves. */
bool lesson_pane_has_table(const struct lesson_pane *pane);
/* Whether a cursor stands on an option: not before one was chosen; in an order always. */
bool lesson_pane_has_option_cursor(const struct lesson_pane *pane);
bool lesson_pane_is_over(const struct lesson_pane *pane); /* no page is open */
/* The lesson that Enter opens after the last page; NULL: there is no other. */
const struct course_entry *lesson_pane_next_lesson(const struct lesson_pane *pane);

/* ---- lesson_bindings.c ---- */

/* For the key bar: the keys of the moment. */
const struct binding *lesson_pane_bindings_now(const void *state);

/* ---- lesson_scroll.c ---- */

/* The columns of the field, beside its label. */
size_t lesson_pane_field_cols(const struct lesson_pane *pane);
/* The field as it is seen: while it is empty, *offered, which gets the line that the page offers
 * next, if any. */
const struct field *lesson_pane_seen_field(const struct lesson_pane *pane, struct field *offered);
int lesson_pane_foot_rows(const struct lesson_pane *pane);
/* The columns of a line, and those that the page's code may print. */
size_t lesson_pane_line_cols(const struct lesson_pane *pane);
size_t lesson_pane_output_cols(const struct lesson_pane *pane);
/* The rows for lines: all but the foot. */
size_t lesson_pane_text_rows(const struct lesson_pane *pane);
/* All lines that the pane has now. */
size_t lesson_pane_count_lines(const struct lesson_pane *pane);
/* Goes there, as far as there are lines, and stays when the pane gets another size. */
void lesson_pane_scroll_to(struct lesson_pane *pane, size_t line);
/* Scrolls as little as brings lines [first, end) into sight; where they do not fit, the first. */
void lesson_pane_show_lines(struct lesson_pane *pane, size_t first, size_t end);
/* Scrolls a screen further down at most, to where the question ends. False: it was in sight. */
bool lesson_pane_read_to_question(struct lesson_pane *pane);
/* A page from its start. What is above it is seen with it where there is room. */
void lesson_pane_show_start(struct lesson_pane *pane);
/* The pane has another size: what was at its top stays there, as far as lines can tell. */
void lesson_pane_refit(struct lesson_pane *pane);
/* What is new comes into sight, and the question with it where both fit. */
void lesson_pane_show_news(struct lesson_pane *pane);

/* ---- lesson_pane.c ---- */

/* Asks for a line to be run. False where it is too long: then the pane says so instead. */
bool lesson_pane_ask_for(struct lesson_pane *pane, const char *line);
/* One line until the next key. */
void lesson_pane_notice(struct lesson_pane *pane, const char *format, ...) ERROR_FORMAT(2, 3);

/* ---- lesson_answer.c ---- */

/* Takes the page's question, with an empty answer. On failure nothing changes. */
bool lesson_pane_start_question(struct lesson_pane *pane, struct error *reterr);
/* Lays its options out for the pane's width. Fails as lesson_pane_start_question(). */
bool lesson_pane_show_options(struct lesson_pane *pane, struct error *reterr);
void lesson_pane_release_options(struct lesson_pane *pane);
/* Asks for an answer as a line to be run, and releases it; one that was wrong already is refused
 * with `other`, which says what to do instead. */
void lesson_pane_give_line(struct lesson_pane *pane, struct text *line, const char *other);
/* Enter: the answer as a line, or the next step on the way to it. */
void lesson_pane_give_answer(struct lesson_pane *pane);
/* Enter on a page that offers lines: asks for what is typed, or the line that is offered next, to
 * be run; goes down to the offer first where it is out of sight. False: there is nothing to run. */
bool lesson_pane_give_line_to_run(struct lesson_pane *pane);
/* Puts pasted text into the field of a line; where it has several rows, asks for it to be pasted
 * into the prompt. Tabs become blanks in pasted. */
void lesson_pane_paste_line(struct lesson_pane *pane, struct text *pasted);
/* Adds the line that the page offers next, in one row. False: there is no such line. */
bool lesson_pane_put_offered(const struct lesson_pane *pane, struct text *out);
/* Says that an answer was given before and was wrong, and what to do instead. */
void lesson_pane_say_tried(struct lesson_pane *pane, const char *other);
/* The cell under the cursor is not as it was judged: what is said of it goes. */
void lesson_pane_forget_count(struct lesson_pane *pane);
/* After an answer was judged: marks its wrong parts, which can then be mended. */
void lesson_pane_mark_answer(struct lesson_pane *pane);
/* Underlines bytes [begin, end) of the line that was requested; the cursor goes to the answer's
 * end, in a table to that of the cell. */
void lesson_pane_point_at(struct lesson_pane *pane, size_t begin, size_t end);
void lesson_pane_pick_option(struct lesson_pane *pane); /* the option under the cursor */
/* By an option, or a row of cells. */
void lesson_pane_move_cursor(struct lesson_pane *pane, int by);
/* Puts the cursor on an option and picks it. */
void lesson_pane_choose_option(struct lesson_pane *pane, size_t to);
/* A key for a field of the answer: as field_key(), but ^Y brings back what was cleared last. */
enum field_change lesson_pane_edit(struct lesson_pane *pane, struct field *field, int key);
/* Empties a field of the answer, and keeps its text for ^Y. False: it was empty. */
bool lesson_pane_clear_field(struct lesson_pane *pane, struct field *field);
/* Whether the line under the cursor is in sight; true where there is no cursor. */
bool lesson_pane_sees_cursor(const struct lesson_pane *pane);
/* Scrolls as little as brings it into sight. */
void lesson_pane_show_cursor(struct lesson_pane *pane);

/* ---- lesson_order.c ---- */

bool lesson_pane_order_key(struct lesson_pane *pane, int key);
/* Carries the step under the cursor. */
void lesson_pane_move_step(struct lesson_pane *pane, int by);
/* Puts the steps back in the order of the file. False: they stood so, and nothing was typed. */
bool lesson_pane_clear_order(struct lesson_pane *pane);
/* Enter: whether the order can be given as it stands. If not, it puts down the step that is
 * carried, or says how many numbers are missing. */
bool lesson_pane_order_is_given(struct lesson_pane *pane);

/* ---- lesson_grid.c ---- */

enum {
    LESSON_PANE_CELL_MIN_COLS = 5, /* "-0.25" */
    LESSON_PANE_CELL_MAX_COLS = 9,
    LESSON_PANE_BRACKETS_COLS = 2,
};

/* A matrix as it is drawn. Rows and columns are left out where they do not fit; the cursor's are
 * always there. */
struct lesson_pane_grid {
    const struct node *matrix; /* borrowed */
    size_t n_rows, n_cols;
    size_t label_cols;         /* of the names of the rows; 0: they have no names */
    size_t cell_cols;          /* of a number */
    size_t slot_cols;          /* with its brackets, and a blank where there is room */
    size_t first_col, end_col; /* the columns that are seen */
    size_t first_row, end_row; /* the rows that are seen */
    size_t here;               /* the position under the cursor; SIZE_MAX: it is elsewhere */
    bool names_cursor;         /* the names of the cursor's row and column stand out */
};
/* least, most: columns of a number. */
struct lesson_pane_grid lesson_pane_fit_grid(const struct lesson_pane *pane,
                                             const struct node *matrix, size_t least, size_t most,
                                             size_t here);
/* The line and the column of the cell under the cursor, with its bracket, in what
 * lesson_pane_add_grid() adds. */
size_t lesson_pane_grid_line(const struct lesson_pane_grid *grid);
size_t lesson_pane_grid_col(const struct lesson_pane_grid *grid);
/* The position that is drawn at a line and column of it, or SIZE_MAX. */
size_t lesson_pane_grid_find(const struct lesson_pane_grid *grid, size_t line, int col);

/* Adds a cell in cell_cols columns, with a sign or blank on each side. */
typedef void lesson_pane_put_slot(const struct lesson_pane *pane,
                                  const struct lesson_pane_grid *grid, size_t position,
                                  struct doc *doc, bool ascii);
void lesson_pane_add_grid(const struct lesson_pane_grid *grid, lesson_pane_put_slot *put_slot,
                          const struct lesson_pane *pane, struct doc *doc, bool ascii);
/* The text that is typed; in the cell under the cursor the part around the text's own cursor. */
void lesson_pane_put_typed(struct doc *doc, const struct field *field, size_t cols, bool here,
                           bool ascii);
/* How a key goes from cell to cell: 1 to the next, -1 to the one before, 0: it does not. Left and
 * right first move in what is typed there; NULL: nothing is. */
int lesson_pane_step_of_key(int key, const struct field *typed);
/* Adds "2, 0", as the answer to be run names a cell. */
void lesson_pane_put_index(const struct node *matrix, size_t position, struct text *out);
/* Columns of the widest name along an axis. */
size_t lesson_pane_widest_name(const struct node *matrix, unsigned axis);
/* A number of the lesson's, as it shows it. */
char *lesson_pane_shown_number(const struct lesson_pane *pane, const struct node *matrix,
                               size_t position, char text[NUMBER_TEXT]);

/* ---- lesson_cells.c ---- */

/* The matrix of a question for a matrix. */
struct lesson_pane_grid lesson_pane_grid_of(const struct lesson_pane *pane);

/* The open cell at a position of the matrix; LESSON_PANE_MAX_CELLS: its number is shown. */
size_t lesson_pane_cell_at(const struct lesson_pane *pane, size_t position);
void lesson_pane_start_cells(struct lesson_pane *pane);
/* Goes to a row below or above: to the open cell nearest to the column. False: there is none. */
bool lesson_pane_step_row(struct lesson_pane *pane, int by);
void lesson_pane_go_to_cell(struct lesson_pane *pane, size_t cell);
bool lesson_pane_cell_key(struct lesson_pane *pane, int key);
/* Empties the cell under the cursor. False: it was empty. */
bool lesson_pane_clear_cell(struct lesson_pane *pane);
/* Enter: to the next cell that is empty, or wrong and not mended; from the last one all cells are
 * given. */
void lesson_pane_give_cells(struct lesson_pane *pane);
/* Whether Enter gives the answer now, and goes to no other cell. */
bool lesson_pane_cells_are_filled(const struct lesson_pane *pane);
void lesson_pane_judge_cells(struct lesson_pane *pane);
void lesson_pane_point_at_cell(struct lesson_pane *pane, size_t at);
/* Adds the matrix; *ret_col is where the text of the cell under the cursor begins. */
void lesson_pane_add_cells(const struct lesson_pane *pane, struct doc *doc, bool ascii,
                           size_t *ret_col);

/* ---- lesson_find.c ---- */

/* Opens the field of the search, empty. */
void lesson_pane_open_find(struct lesson_pane *pane);
/* Empties its field. False: no words are typed. */
bool lesson_pane_clear_find(void *state);
/* A key while the search is open. True: it was taken. */
bool lesson_pane_find_key(struct lesson_pane *pane, int key);
/* On a new page: shows the first place of it. */
void lesson_pane_find_here(struct lesson_pane *pane);
/* The page was laid out anew: shows the place again. */
void lesson_pane_find_again(struct lesson_pane *pane);
/* Marks what was found in the pane's lines, which `text` shows, and draws the field. */
void lesson_pane_draw_find(const struct lesson_pane *pane, const struct doc *lines,
                           struct area area, struct area text, bool focused);

/* ---- lesson_points.c ---- */

/* Whether one points at cells here, or draws a mask. */
bool lesson_pane_has_points(const struct lesson_pane *pane);
void lesson_pane_start_points(struct lesson_pane *pane);
/* Goes to the row below or above. False: there is none. */
bool lesson_pane_step_point_row(struct lesson_pane *pane, int by);
bool lesson_pane_point_key(struct lesson_pane *pane, int key);
/* Takes all marks back. False: there are none. */
bool lesson_pane_clear_points(struct lesson_pane *pane);
/* A click: draws, marks, or goes there. */
void lesson_pane_click_point(struct lesson_pane *pane, size_t position);
void lesson_pane_give_points(struct lesson_pane *pane);
void lesson_pane_judge_points(struct lesson_pane *pane, bool counted);
struct lesson_pane_grid lesson_pane_point_grid(const struct lesson_pane *pane);
void lesson_pane_add_points(const struct lesson_pane *pane, struct doc *doc, bool ascii,
                            size_t *ret_col);

/* ---- lesson_change.c ---- */

/* Takes what may change. False: it can't be shown as tables, and is answered as a text. */
bool lesson_pane_start_change(struct lesson_pane *pane);
bool lesson_pane_step_change_row(struct lesson_pane *pane, int by);
bool lesson_pane_change_key(struct lesson_pane *pane, int key);
/* Takes the change under the cursor back. False if nothing was changed there. */
bool lesson_pane_clear_change(struct lesson_pane *pane);
void lesson_pane_give_changes(struct lesson_pane *pane);
/* To the change that holds byte `at` of the line that was requested. */
void lesson_pane_point_at_change(struct lesson_pane *pane, size_t at);
/* Adds the tables and what was changed; *ret_line and *ret_col: the text under the cursor. */
void lesson_pane_add_changes(const struct lesson_pane *pane, struct doc *doc, bool ascii,
                             size_t *ret_line, size_t *ret_col);
/* A click at a line of these and a column. */
bool lesson_pane_click_change(struct lesson_pane *pane, size_t line, int col);
/* The table under the cursor. */
struct lesson_pane_grid lesson_pane_change_grid(const struct lesson_pane *pane);

/* ---- lesson_lines.c ---- */

/* The table of the answer that the cursor is in. */
struct lesson_pane_grid lesson_pane_grid_of_answer(const struct lesson_pane *pane);

/* All lines of the pane, and where its parts begin. */
struct lesson_pane_lines {
    struct doc doc;
    size_t above;              /* the first line of what stands above the page, or the page's */
    size_t page;               /* its first line, below what was above it */
    size_t question;           /* its heading, or the end of the page */
    size_t answer, answer_end; /* the options or cells, with the guide to them */
    size_t cursor, cursor_end; /* the lines under the cursor; both 0: there is no cursor */
    size_t cursor_col;         /* of the text in a cell */
    size_t news, news_end;     /* the newest hint or reply; equal: nothing is new */
};
/* Columns of the page's widest row of numbers that is not the picture's; 0: it has none. */
size_t lesson_pane_widest_table(const struct lesson_pane *pane);
/* To be released with doc_release(&lines->doc). */
void lesson_pane_compose(const struct lesson_pane *pane, bool ascii, struct lesson_pane_lines *ret);
enum { LESSON_PANE_GUIDE_BYTES = 100 };
/* How the question is answered, in few words; "" where nothing is asked. `text` may hold them. */
const char *lesson_pane_guide(const struct lesson_pane *pane, char text[LESSON_PANE_GUIDE_BYTES]);

#endif
