/* What the files of the explorer share, from the ground up: each file uses those before it. */
#ifndef ATTN_UI_PANES_EXPLORER_EXPLORER_INTERNAL_H
#define ATTN_UI_PANES_EXPLORER_EXPLORER_INTERNAL_H

#include "ui/panes/explorer/explorer.h"
#include "show/heat.h"
#include "ui/terminal/scroll.h"

/* ---- explorer_cursor.c: what is shown, the cursor in it, and the open cells ---- */

/* The table of a tensor that is shown: its last two axes, at one place of those before them. */
struct explorer_slice {
    size_t n_slices, n_rows, n_cols; /* a vector is one row, a single number one cell */
    size_t index;                    /* which of the slices */
};

/* The table of a node for head number `head`; the last one where there are fewer. */
struct explorer_slice explorer_slice_of(const struct node *node, size_t head);
/* The row-major position in the whole tensor. */
size_t explorer_position(const struct explorer_slice *slice, size_t row, size_t col);

/* The node that is shown: of the open cell, else of the stage; NULL: none. */
struct node *explorer_node(const struct explorer *explorer);
struct explorer_slice explorer_slice(const struct explorer *explorer);
/* The cell under the cursor; its node is NULL where no cell is. */
struct cell explorer_cell(const struct explorer *explorer);
/* The stage is shown as words with lines between them. */
bool explorer_shows_words(const struct explorer *explorer);
enum { EXPLORER_MARKED_HEADS = 8 }; /* whose lines are drawn together, the one shown among them */
bool explorer_is_marked(const struct explorer *explorer, size_t head);
/* By which a person knows a head: of a sentence they count from 1, of a model from 0. */
size_t explorer_head_number(const struct explorer *explorer, size_t head);
/* The stage that a node is, as it was before the last edit; its data is NULL where it did not
 * change. Borrowed. */
struct tensor explorer_before(const struct explorer *explorer, const struct node *node);
/* X["shiny", 0] = 0.53 */
void explorer_write_cell(const struct explorer *explorer, struct cell cell, struct text *text);
/* A variable whose name begins with what is typed: the next one from *at on; NULL: no more. */
const struct variable *explorer_matching(const struct explorer *explorer, size_t *at);
/* The number of heads that H and Enter alone go on to. */
unsigned explorer_next_heads(const struct explorer *explorer);
/* The message for the bottom line. */
void explorer_say(struct explorer *explorer, const char *format, ...) ERROR_FORMAT(2, 3);

/* The arithmetic of the open cell. */
struct explorer_why {
    struct doc lines;   /* the first one names the cell */
    struct cell *cells; /* what it was made from, without typed numbers; borrowed nodes */
    size_t n_cells;
};

/* width_cols: lines are wrapped there. The caller releases *ret. */
bool explorer_explain(const struct explorer *explorer, size_t width_cols, struct explorer_why *ret,
                      struct error *reterr);
void explorer_why_release(struct explorer_why *why);
/* The cell that is chosen, below why->n_cells where there are any. */
size_t explorer_choice(const struct explorer *explorer, const struct explorer_why *why);

/* Opens the cell under the cursor, or goes down to the one that is chosen in the arithmetic. */
void explorer_open(struct explorer *explorer);
void explorer_climb(struct explorer *explorer); /* back up by one; depth > 0 */
/* Chooses another of the cells in the arithmetic, so many further; depth > 0. */
void explorer_choose(struct explorer *explorer, ptrdiff_t steps);
/* Closes the cells below a depth. */
void explorer_close_path(struct explorer *explorer, size_t depth);
void explorer_show_stage(struct explorer *explorer, size_t stage);
/* After the pipeline changed: shows the stage that has the name of the one shown before, and opens
 * the cells that stand where the open ones did. */
void explorer_follow(struct explorer *explorer, const char *stage);

/* ---- explorer_table.c: a stage as numbers or as a heatmap ---- */

/* A table as a Doc that begins at a row and column of it, for an area. */
struct explorer_table {
    struct doc doc;
    struct node *node; /* borrowed; one share in the table that the explorer keeps */
    struct tensor before;
    struct explorer_slice slice;
    bool is_heat, ascii;
    bool has_positions;       /* of numbers: rows and columns without names are counted */
    enum heat_scale scale;    /* of a heatmap */
    int area_rows, area_cols; /* that it was made for */
    size_t row, col;          /* the first ones that the Doc shows */
    size_t n_rows, n_cols;    /* how many of them are seen whole */
    size_t made_cols;         /* that the Doc has; those after the seen ones are cut off */
    int rows, cols;           /* what they take on the screen */
    size_t line;              /* the Doc's first line that is seen, below those that always are: */
    int top, bottom; /* so many of its first ones, headings, and its last ones, the legend */
    struct heat_lines lines; /* of a heatmap */
    int frozen, left;        /* its first columns always are, and so many after them are not */
    bool is_borrowed;        /* it is the one that the explorer keeps: not to be released */
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
/* The scale of the heatmap's colours, as the view has it: not HEAT_AUTO for a stage of weights. */
enum heat_scale explorer_scale(const struct explorer *explorer);
void explorer_table_release(struct explorer_table *table);
void explorer_table_draw(const struct explorer_table *table, struct area area);
/* Shows that the cursor is on a cell, where it is seen: reversed; in a heatmap, where that would
 * look like another number, in brackets, with the names of its row and column bold. */
void explorer_table_point(const struct explorer_table *table, struct area area, size_t position,
                          bool focused);
/* Marks a cell of it, where it is seen. */
void explorer_table_mark(const struct explorer_table *table, struct area area, size_t position,
                         unsigned marks);
/* The cell at a row and column of its area. */
bool explorer_table_at(const struct explorer_table *table, int row, int col, size_t *ret_row,
                       size_t *ret_col);

/* ---- explorer_operands.c: the tables while arithmetic is open ---- */

enum { EXPLORER_TABLES_MAX = 4 }; /* shown at once */

/* The table of the open cell and, as many as fit, those of the cells it was made from. The first
 * row of tables stands above the arithmetic, so that this follows the open cell, and the others
 * below it, after a blank row. */
struct explorer_operands {
    struct explorer_operand {
        struct explorer_table table;
        int row, col; /* where its title stands, as if there were no arithmetic between */
        int rows;     /* with the title */
        bool is_titled;
    } all[EXPLORER_TABLES_MAX];
    size_t n;
    int top_rows;           /* above the arithmetic: those of the first table, or a few more */
    int rows, cols;         /* that all may take */
    int row, col, next_row; /* where the next one goes; below all of them */
    bool ascii;
};

/* Begins with the table of the open cell, in at most so many rows with its title: ret->top_rows is
 * what it takes. The caller releases *ret; a failure leaves nothing to release. */
bool explorer_operands_begin(const struct explorer *explorer, int rows, int cols, bool ascii,
                             struct explorer_operands *ret, struct error *reterr);
/* Adds the others, the chosen one first, in so many rows for all: at least ->top_rows. On failure
 * some may be missing. */
bool explorer_operands_add(const struct explorer *explorer, const struct explorer_why *why,
                           int rows, struct explorer_operands *operands, struct error *reterr);
void explorer_operands_release(struct explorer_operands *operands);
/* above: top_rows of the pane; below: what is free after the arithmetic. */
void explorer_operands_draw(const struct explorer *explorer, const struct explorer_why *why,
                            const struct explorer_operands *operands, struct area above,
                            struct area below, bool focused);

/* ---- explorer_words.c: weights as lines between words ---- */

/* The sign where lines meet: with an end upwards, downwards, at the left and at the right. Returns
 * sign. */
const char *explorer_joint(bool up, bool down, bool left, bool right, bool ascii, char sign[4]);
size_t explorer_words_seen(int rows); /* words in an area of so many rows */
/* The rows that it takes of so many. */
int explorer_words_rows(const struct explorer *explorer, int rows);
void explorer_words_draw(const struct explorer *explorer, struct area area, bool focused,
                         bool ascii);
/* The query or the key at a place of its area: *ret_row or *ret_col is changed. */
bool explorer_words_at(const struct explorer *explorer, struct area area, int row, int col,
                       size_t *ret_row, size_t *ret_col);

/* ---- explorer_chain.c: where the stages stand when all are seen at once ---- */

/* What the rows and columns of a stage, as it is seen, stand for. */
enum chain_role {
    CHAIN_ROWS,   /* a row for each word: E, X, Q, context, heads, output */
    CHAIN_KEYS,   /* K, transposed: a column for each word */
    CHAIN_VALUES, /* V: a row for each word, as a key */
    CHAIN_SQUARE, /* a row for each query, a column for each key */
};

/* The numbers of a table where they lie: the one at (row, col), as it is seen, is
 * first[row * row_step + col * col_step]. Borrowed of a tensor. */
struct chain_numbers {
    const float *first;
    ptrdiff_t row_step, col_step;
};

struct explorer_chain_box {
    const char *name; /* of the stage */
    size_t stage;
    struct node *node; /* borrowed */
    struct chain_numbers numbers;
    enum chain_role role;
    bool is_weights;
    int band;                      /* of the screen, from above */
    struct explorer_slice slice;   /* the head that is shown */
    size_t whole_rows, whole_cols; /* as it is seen: of K transposed */
    double lowest, highest;        /* of its finite numbers */
    bool has_infinite;
    int digits;    /* 0: a cell is a block of colour, without its number */
    int row, col;  /* where its first cell stands, below its title */
    int cell_cols; /* columns of a cell */
    size_t first_row, n_rows, first_col, n_cols; /* what of it is seen */
    int label_col; /* where the words of its rows stand; -1: they are those of the box at its left
                    */
};

struct explorer_chain {
    struct explorer_chain_box boxes[PIPELINE_MAX_STAGES]; /* in the order of the stages */
    size_t n;
    int rows, cols;   /* all that it takes */
    int label_cols;   /* of a word */
    int most_digits;  /* that the settings have */
    int band_ends[4]; /* the rows after the bands, free for lines */
};

/* Places all stages in so many rows and columns, the words under the cursor among those that are
 * seen. False where they do not fit, and for what is no sentence. */
bool explorer_chain_lay_out(const struct explorer *explorer, int rows, int cols,
                            struct explorer_chain *ret);
/* The box of a stage; NULL: there is none. */
struct explorer_chain_box *explorer_chain_box(struct explorer_chain *chain, const char *name);
struct explorer_chain_box *explorer_chain_box_of(struct explorer_chain *chain, size_t stage);
/* The numbers of another tensor of the shape of the box's node: what that was before. */
struct chain_numbers explorer_chain_numbers(const struct explorer_chain_box *box,
                                            const struct tensor *x);
static inline float explorer_chain_number(const struct chain_numbers *numbers, size_t row,
                                          size_t col)
{
    return numbers->first[(ptrdiff_t)row * numbers->row_step + (ptrdiff_t)col * numbers->col_step];
}
/* The cursor: while arithmetic is open, the last cell on the way down that is one of a stage. */
struct chain_cell {
    size_t stage, row, col;
};
struct chain_cell explorer_chain_cell(const struct explorer *explorer);
/* Remembers the query and the key that the cursor stands for, for the other stages. */
void explorer_chain_note_words(struct explorer *explorer);

/* The words that are lit in all stages. */
struct chain_light {
    bool has_query, has_key;
    size_t query, key;
};
struct chain_light explorer_chain_light(const struct explorer *explorer,
                                        const struct explorer_chain_box *cursor);
bool explorer_chain_is_lit(const struct chain_light *light, const struct explorer_chain_box *box,
                           size_t row, size_t col);

/* Moves the cursor by rows or by columns of the screen; a step beyond the edge of a stage goes to
 * the stage that stands there. */
void explorer_chain_move(struct explorer *explorer, struct explorer_chain *chain, int rows,
                         int cols);
/* The cell at a place of the chain; false where there is none. */
bool explorer_chain_at(const struct explorer_chain *chain, int row, int col, size_t *ret_stage,
                       size_t *ret_row, size_t *ret_col);

/* ---- explorer_flow.c: the lines from the numbers that an open one was made from ---- */

/* A line of flow: its corners, from the operands to the number; up to five. */
struct chain_flow {
    size_t stage; /* of the operands */
    struct chain_point {
        int row, col;
    } points[5];
    size_t n_points;
};

/* The lines to the open cell: one from each stage that its operands are in. Returns how many. */
size_t explorer_chain_flows(const struct explorer *explorer, struct explorer_chain *chain,
                            const struct explorer_why *why,
                            struct chain_flow flows[PIPELINE_MAX_STAGES]);
/* Draws them where the area is blank, with an arrow at the end of each. */
void explorer_chain_draw_flows(const struct chain_flow *flows, size_t n, struct area area,
                               bool ascii);

/* ---- explorer_chain_draw.c ---- */

/* why: the arithmetic of the open cell, or without cells. */
void explorer_chain_draw(const struct explorer *explorer, struct explorer_chain *chain,
                         const struct explorer_why *why, struct area area, bool focused,
                         bool ascii);

/* Whether a pane of this size shows the whole chain now, and where: with the arithmetic of the open
 * cell below it. */
bool explorer_shows_chain(const struct explorer *explorer, int rows, int cols,
                          struct explorer_chain *ret);
/* Scrolls the arithmetic by so many rows, from what is seen of it on the pane. */
void explorer_scroll_why(struct explorer *explorer, int rows);
/* The rows that the table may take on a pane with so many while no arithmetic is open. */
int explorer_table_rows(int rows);
/* Goes to the stage, the cell or the number of the arithmetic at a place of the pane, and opens it
 * at a second click. False where nothing of these is. */
bool explorer_go_to_place(struct explorer *explorer, struct area area, int row, int col,
                          bool is_double);

#endif
