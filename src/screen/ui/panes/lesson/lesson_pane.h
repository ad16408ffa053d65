/* The lesson pane: the page as the player shows it, and its question, which is answered here. An
 * answer, a hint, the next page are lines that the pane requests (PANE_RUN_OWN_LINE): the same
 * lines could be typed at the prompt.
 *
 * Under the page stand the means to answer (options, steps, or the cells of a matrix; a field is
 * the pane's last rows), the hints so far, and the reply to the last answer.
 *
 * A page that offers lines to be run has a field too: the next of these lines stands in it in grey.
 * Enter runs it, Tab takes it over to be changed, and any other line can be typed in its place; the
 * results stand below each other under the page. When all of them have run, Enter in the empty
 * field turns the page.
 *
 * While a question waits, and on a page that offers lines, no character is a command: it goes into
 * the answer, or a notice says which keys answer. Commands are control keys and function keys. A
 * field or a matrix has the cursor as soon as its page is shown and whenever the pane gets the
 * focus. Esc, ^C and ^U clear the answer, and ^Y brings back what was cleared; Esc in an empty
 * answer leaves it: then arrows scroll, and any other key of the answer goes on with it. Where
 * nothing is asked letters are commands. */
#ifndef ATTN_UI_PANES_LESSON_LESSON_PANE_H
#define ATTN_UI_PANES_LESSON_LESSON_PANE_H

#include "course/player/tutor.h"
#include "shell/completion.h"
#include "ui/terminal/field.h"
#include "ui/terminal/find.h"
#include "ui/terminal/pane.h"

enum {
    LESSON_PANE_ANSWER_BYTES = 8192, /* of an answer as a line: of a whole matrix */
    LESSON_PANE_SETTLE_MS =
        120, /* a page is laid out when the width has not changed for this time */
    LESSON_PANE_MAX_CELLS = 64, /* as many as a question asks for (course/question.h) */
    LESSON_PANE_NOTICE_BYTES = 120,
    LESSON_PANE_MAX_TEXT_COLS = 81, /* longer lines of prose are hard to read */
};

/* How the page's question is answered. */
enum lesson_pane_ask {
    LESSON_PANE_ASKS_NOTHING,
    LESSON_PANE_ASKS_ONE,     /* option */
    LESSON_PANE_ASKS_SEVERAL, /* options, or one */
    LESSON_PANE_ASKS_ORDER,
    LESSON_PANE_ASKS_CELLS,
    LESSON_PANE_ASKS_POINT,  /* at a cell */
    LESSON_PANE_ASKS_POINTS, /* at cells, or one */
    LESSON_PANE_ASKS_MASK,
    LESSON_PANE_ASKS_CHANGE,
    LESSON_PANE_ASKS_NUMBER,
    LESSON_PANE_ASKS_TEXT, /* a formula, or words */
    LESSON_PANE_ASKS_EXERCISE,
    LESSON_PANE_ASKS_LINE, /* no question: a line to run, and the page offers some */
};

/* An option, or a step at its place. */
struct lesson_pane_option {
    size_t item; /* its number in the file, from 0 */
    struct doc text;
    bool picked;
    bool tried; /* it was given as the answer, and was wrong */
};

/* A cell of a matrix that is asked for. */
struct lesson_pane_cell {
    struct field field;
    enum {
        LESSON_PANE_CELL_OPEN, /* not judged as it stands */
        LESSON_PANE_CELL_RIGHT,
        LESSON_PANE_CELL_WRONG,
        LESSON_PANE_CELL_SHORT
    } judged; /* SHORT: more digits */
};

/* A number that gets another value. */
struct lesson_pane_change {
    size_t input, position; /* of the inputs, and in that one */
    struct field field;
};

/* Where the picture is seen. */
enum lesson_pane_picture_place {
    LESSON_PANE_PICTURE_IN_TEXT, /* in its place among the lines, as all others */
    LESSON_PANE_PICTURE_RIGHT,   /* in a pane of its own: a line says where */
    LESSON_PANE_PICTURE_BELOW
};

struct lesson_pane {
    struct tutor *tutor; /* borrowed */
    struct doc page;     /* its prose is laid out for lesson_pane_text_cols() */
    /* Of some of the Docs, the lines of the picture that was drawn last in each. */
    struct page_lines page_picture, step_picture, above_picture, added_picture;
    unsigned added_drawing; /* how many the learner's session had drawn with added_picture */
    /* Set by the caller, who knows the other panes. */
    enum lesson_pane_picture_place picture_place;
    bool is_typed;     /* the picture there is the one that the learner's session drew last, not one
                        * that pages drew */
    bool shows_step;   /* there is room for the pages of a step below each other */
    bool is_wide;      /* the pane can get as wide as lesson_pane_needed_cols() says */
    struct doc step;   /* the pages of its step before it, where shows_step is set */
    struct doc above;  /* shown before the page: the results of the lines that the page before
                        * offers, since this page may speak of them, and the reply that came
                        * with the page */
    struct doc added;  /* below each other: the hints of the question, or the lines that were run
                        * on a page that offers some, with what they gave */
    struct doc says;   /* the last reply */
    size_t says_cols;  /* the columns that says and added were laid out in */
    size_t width_cols; /* the pane's width that the page is laid out for */
    bool has_step;     /* and it was laid out with the pages before it */
    size_t scroll;     /* lines above the first that is seen */
    bool at_start;     /* the page begins at the top, or is seen whole, and stays so */
    bool at_news;      /* the newest reply was brought into sight, and stays there */
    size_t kept_scroll, kept_lines; /* else: scrolled to this line of so many */
    int rows;                       /* of the pane */
    int seen_cols;                  /* the pane's width now; 0: it is not seen */
    int64_t now_ms;                 /* of the last tick */
    int64_t due_ms;                 /* when the page is laid out for seen_cols; -1: it is already */
    bool is_turned;                 /* then it may be another page too */
    enum {
        LESSON_PANE_NO_NEWS,
        LESSON_PANE_NEW_ADDED,
        LESSON_PANE_NEW_SAYS
    } news;           /* marked at the edge */
    size_t news_line; /* the first line of what was added last */
    bool waits;       /* the guide says that the question waits for an answer */
    bool says_error;  /* the last reply is an error */
    char notice[LESSON_PANE_NOTICE_BYTES]; /* one line about the last key, until the next; or "" */

    /* The question, and the answer under way. */
    enum lesson_pane_ask ask;
    char place[2 * LESSON_NAME_BYTES + 32]; /* the lesson and page that it belongs to */
    unsigned n_opened;                      /* the tutor's count when the page was shown */
    size_t page_at;                         /* the number of the page */
    bool touched;                           /* something was chosen, or moved */
    unsigned n_wrong;                   /* wrong answers before the line that was requested last */
    struct lesson_pane_option *options; /* in the order in which they are shown */
    size_t n_options, option;           /* the one under the cursor */
    size_t n_typed; /* of an order: as many of the first options stand where they were typed */
    bool carries;   /* of an order: arrows carry the step under the cursor */
    int last_key;   /* of an order: after a digit, a blank separates numbers */
    struct lesson_pane_cell cells[LESSON_PANE_MAX_CELLS];
    size_t cell;        /* the one under the cursor; they count in the order of the question */
    bool edits;         /* the cell under the cursor is being typed into */
    size_t spaced_from; /* 1 + the cell from which a blank led to this one; 0: none did */
    struct text pasted; /* into a cell or the field of a line, as far as it came */
    /* Of the matrix in which one points, or draws: a bit for each cell, and the one under the
     * cursor. */
    bool marked[QUESTION_MAX_POINTS], missed[QUESTION_MAX_POINTS]; /* missed: pointed at, wrong */
    size_t point;
    struct question_inputs inputs; /* what may change */
    struct lesson_pane_change changes[QUESTION_MAX_CHANGES];
    size_t n_changes, input; /* the table under the cursor; its cell is `point` */
    struct field field;      /* of a number, a formula or words */
    size_t slip, slip_end;   /* bytes of the field that an error is about; equal: none */
    bool is_left;            /* Escape left the answer, whose cursor is hidden: arrows scroll */
    struct {
        char text[FIELD_BYTES];
        bool marked[QUESTION_MAX_POINTS];
    } cleared; /* the newest text, and the newest marks, that were cleared: ^Y brings them back */
    struct completions choices; /* what Tab found for the word in the field, until the next key */
    char given[FIELD_BYTES];    /* the answer that was typed and given, or the line that was given
                                 * to be run; "" for none */
    char tried[FIELD_BYTES];    /* the line of the last wrong answer; "" for none */

    /* The search in the lesson; its field lies over the pane's last row. */
    struct find find;

    struct pane_request request; /* the line to run, or the exercise to open */
    enum {
        LESSON_PANE_DOES_OTHER,
        LESSON_PANE_DOES_ANSWER,
        LESSON_PANE_DOES_HINT,
        LESSON_PANE_DOES_LINE /* it runs lines of a page that offers some */
    } does;                   /* the line that was requested last */
};

/* Empty, until lesson_pane_open(). All bytes of *pane are zero before; tutor is borrowed. */
void lesson_pane_init(struct lesson_pane *pane, struct tutor *tutor);

/* Takes the page from the player and lays it out for the width. is_turned: it may be another page,
 * with an empty answer and no reply; on the same page a half-given answer stays. On failure nothing
 * changes. */
bool lesson_pane_open(struct lesson_pane *pane, size_t width_cols, bool is_turned,
                      struct error *reterr);
/* The player may have another page: takes it at once where the pane is seen, else as soon as it is
 * seen. Fails as lesson_pane_open(). */
bool lesson_pane_turn(struct lesson_pane *pane, struct error *reterr);
/* The exercise that the page asks for and that is not solved yet; or NULL. */
const char *lesson_pane_asked_exercise(const struct lesson_pane *pane);
/* The width of prose in the pane, for which the tutor should lay out its replies. */
size_t lesson_pane_text_cols(const struct lesson_pane *pane);
/* The columns that the pane needs for the tables of the page, which can't be wrapped; 0: no more
 * than it has, or the page is not laid out yet. */
int lesson_pane_needed_cols(const struct lesson_pane *pane);
/* Forgets the page: its lesson is closed. */
void lesson_pane_leave(struct lesson_pane *pane);
/* Puts the reply that came with the page above it. */
void lesson_pane_put_above(struct lesson_pane *pane, const struct doc *shown);
/* Shows the tutor's reply to the pane's line, and scrolls to it. A hint, or what a line gave on a
 * page that offers some, is added below those before it; any other reply replaces the last one. */
void lesson_pane_say(struct lesson_pane *pane, const struct doc *shown);

/* ---- the operations of a pane; state is a struct lesson_pane ---- */

extern const struct pane_ops lesson_pane_ops;
extern const struct binding lesson_pane_bindings[];

/* As lesson_pane_say() for an error, whose place in the line is underlined in the answer. A line
 * that was given to be run goes back into the field. */
void lesson_pane_say_error(void *state, const struct error *error);
/* Keys of the answer. While a question waits it takes every character, Tab, Esc and ^C. */
bool lesson_pane_key(void *state, int key);
/* A character of a paste, or its end. In a matrix, a list of numbers fills the cells from the one
 * under the cursor on; several rows of code for the field of a line go to the prompt, which runs
 * them as one block; elsewhere characters are keys of the answer. */
void lesson_pane_paste(void *state, int key);
/* Whether no character is a command now: a question waits, the page offers lines, or words to find
 * are typed. */
bool lesson_pane_types(const void *state);
/* A click on an option, a cell or the field chooses it. */
bool lesson_pane_click(void *state, struct area area, int row, int col, bool is_double);
void lesson_pane_scroll(void *state, int lines);
void lesson_pane_draw(const void *state, struct area area, bool focused, bool ascii);
bool lesson_pane_take_request(void *state, struct pane_request *ret);
void lesson_pane_release(void *state);

#endif
