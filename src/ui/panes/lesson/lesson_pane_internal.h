/* What the files of the lesson pane share: reader.c (the page, scrolling, what keys ask for),
 * reader_answer.c (the answer under way), reader_cells.c (that of a matrix), reader_lines.c (all
 * lines of the pane), reader_draw.c (what is seen of them). */
#ifndef ATTN_UI_PANES_LESSON_LESSON_PANE_INTERNAL_H
#define ATTN_UI_PANES_LESSON_LESSON_PANE_INTERNAL_H

#include "ui/panes/lesson/lesson_pane.h"

enum {
    READER_MARGIN_COLS = 1, /* left of the lines, where news are marked */
    READER_EDGE_COLS = 2,   /* right of them: a blank and the scroll bar */
    READER_FOOT_ROWS = 2,   /* how the field is used, and the field; or where the keys lead on */
};

/* The question that waits, or NULL. */
const struct question *reader_question(const struct reader *reader);
/* How it is answered; READER_ASKS_NOTHING once it was. */
enum reader_ask reader_ask(const struct reader *reader);
/* Whether options, or steps, are shown; they stay in sight when the question was answered. */
bool reader_lists(const struct reader *reader);
bool reader_has_field(const struct reader *reader);
bool reader_is_over(const struct reader *reader); /* no page is open */
int reader_foot_rows(const struct reader *reader);
/* The rows that lines are seen in. */
size_t reader_text_rows(const struct reader *reader);
/* The lesson that Enter opens behind the last page; NULL: none. */
const struct course_entry *reader_next_lesson(const struct reader *reader);

/* reader.c */

/* Scrolls by the least that brings lines [first, end) into sight, the first one rather. */
void reader_show_lines(struct reader *reader, size_t first, size_t end);
/* Wants a line done. One that is too long is told instead. */
void reader_wish(struct reader *reader, const char *line);

/* reader_answer.c */

/* Takes the page's question over: nothing is chosen or typed. False with *reterr, and all is as
 * before. */
bool reader_start_question(struct reader *reader, struct error *reterr);
/* Shows its options in the pane's width. Likewise. */
bool reader_show_options(struct reader *reader, struct error *reterr);
void reader_release_options(struct reader *reader);
/* Enter: the answer as a line, or the next step on the way to it. */
void reader_give(struct reader *reader);
/* After an answer was judged: what was wrong is marked, and can be mended. */
void reader_settle(struct reader *reader);
/* Puts the cursor where byte `at` of the line that was given stands. */
void reader_point_at(struct reader *reader, size_t at);
void reader_pick(struct reader *reader);              /* the option under the cursor */
void reader_move(struct reader *reader, int by);      /* the cursor: an option, or a row of cells */
void reader_carry(struct reader *reader, int by);     /* the step under the cursor */
void reader_choose(struct reader *reader, size_t to); /* puts the cursor on an option and picks */
bool reader_begins_number(int key);                   /* none of these is a key of the pane */
/* Whether what the cursor stands on is in sight; true where there is no cursor. */
bool reader_sees_cursor(const struct reader *reader);

/* reader_cells.c */

/* The matrix as it is drawn. Columns are left out at both sides so that the cursor's is seen. */
struct reader_grid {
    size_t n_rows, n_cols;
    size_t label_cols;         /* of the names of the rows; 0: there are none */
    size_t cell_cols;          /* of a number */
    size_t slot_cols;          /* with its brackets, and a blank where there is room */
    size_t first_col, end_col; /* those that are seen */
};
struct reader_grid reader_grid_of(const struct reader *reader);

/* The open cell at a position of the matrix, or READER_MAX_CELLS: it is shown as it is. */
size_t reader_cell_at(const struct reader *reader, size_t position);
size_t reader_cell_position(const struct reader *reader); /* of the cell under the cursor */
void reader_start_cells(struct reader *reader);
/* True when there was an open cell further on in reading order, or back. */
bool reader_step_cell(struct reader *reader, int by);
/* The same a row further down, or up, in the nearest column. */
bool reader_step_row(struct reader *reader, int by);
void reader_go_to_cell(struct reader *reader, size_t cell);
bool reader_cell_key(struct reader *reader, int key);
void reader_give_cells(struct reader *reader);
void reader_judge_cells(struct reader *reader);
void reader_point_at_cell(struct reader *reader, size_t at);
/* Adds the matrix; *ret_col is where the text of the cell under the cursor begins. */
void reader_add_cells(const struct reader *reader, struct doc *doc, bool ascii, size_t *ret_col);

/* reader_lines.c */

/* All lines of the pane, and where its parts begin. */
struct reader_lines {
    struct doc doc;
    size_t page;               /* its first line, below what was above it */
    size_t question;           /* its heading, or the end of the page */
    size_t answer, answer_end; /* the options or cells, with what is said of their use */
    size_t cursor, cursor_end; /* the lines that the cursor stands on; both 0: there is none */
    size_t cursor_col;         /* of the text in a cell */
    size_t news, news_end;     /* what came last; equal: nothing is new */
};
/* To be released with doc_release(&lines->doc). */
void reader_compose(const struct reader *reader, bool ascii, struct reader_lines *ret);
/* How the question is answered, in few words. "" for none. */
const char *reader_guide(const struct reader *reader, char text[80]);

#endif
