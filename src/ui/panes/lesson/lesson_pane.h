/* The lesson pane: the page as the player shows it, and its question answered in place. It says
 * what it wants as lines for the tutor (tutor_line()), the same that could be typed at the prompt.
 *
 * Under the page stand what the question is answered with (its options, steps, the cells of a
 * matrix; a field has the pane's last row), the hints so far, and what was said about the last
 * answer. */
#ifndef ATTN_UI_PANES_LESSON_LESSON_PANE_H
#define ATTN_UI_PANES_LESSON_LESSON_PANE_H

#include "course/player/tutor.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/field.h"
#include "ui/terminal/pane.h"

enum {
    LESSON_PANE_ANSWER_BYTES = 8192, /* of an answer as a line: of a whole matrix */
    LESSON_PANE_SETTLE_MS = 120,     /* a page waits so long for a window that is being dragged */
    LESSON_PANE_MAX_CELLS = 64,      /* as many as a question asks for (course/question.h) */
};

/* How the page's question is answered. */
enum lesson_pane_ask {
    LESSON_PANE_ASKS_NOTHING,
    LESSON_PANE_ASKS_ONE,     /* of the options */
    LESSON_PANE_ASKS_SEVERAL, /* of them, perhaps */
    LESSON_PANE_ASKS_ORDER,
    LESSON_PANE_ASKS_CELLS,
    LESSON_PANE_ASKS_NUMBER,
    LESSON_PANE_ASKS_TEXT, /* a formula, or words */
    LESSON_PANE_ASKS_EXERCISE,
};

/* An option, or a step at its place. */
struct lesson_pane_option {
    size_t item; /* its number in the file, from 0 */
    struct doc text;
    bool picked;
    bool tried; /* given, and it was wrong */
};

/* A cell of a matrix that is asked for. */
struct lesson_pane_cell {
    struct field field;
    enum {
        LESSON_PANE_CELL_OPEN,
        LESSON_PANE_CELL_WRONG,
        LESSON_PANE_CELL_SHORT
    } judged; /* SHORT: more digits */
};

struct lesson_pane {
    struct tutor *tutor; /* borrowed */
    struct doc page;     /* as shown, in lesson_pane_text_cols() */
    struct doc above;    /* what the lines gave that the page before offers, which this one may
                          * speak of; what was said while the page was turned */
    struct doc hints;    /* all of the question, below each other */
    struct doc says;     /* what was said last */
    size_t width_cols;   /* of the pane */
    size_t scroll;       /* lines above the first that is seen */
    bool at_start;       /* the page begins at the top, or is seen whole: so it stays */
    size_t kept_scroll, kept_lines; /* else where it was scrolled to, and of how many lines */
    int rows;                       /* of the pane */
    int seen_cols;                  /* of the pane as it is seen now; 0: it is not */
    int64_t now_ms;                 /* of the last tick */
    int64_t due_ms;                 /* when the page is laid out for seen_cols; -1: it is */
    bool is_turned;                 /* and it is perhaps another page */
    enum {
        LESSON_PANE_NO_NEWS,
        LESSON_PANE_NEW_HINT,
        LESSON_PANE_NEW_SAYS
    } news;           /* marked at the edge */
    size_t news_line; /* of the hints, where the last one is new: its first line */
    bool waits;       /* it is said that the question waits */
    bool says_error;

    /* The question, and the answer under way. */
    enum lesson_pane_ask ask;
    char place[2 * LESSON_NAME_BYTES + 32]; /* the lesson and page that it is on */
    unsigned n_opened;                      /* of the tutor, when the page was shown */
    size_t page_at;                         /* the page */
    bool touched;                           /* something was chosen, or carried */
    unsigned n_wrong;                       /* before what is being done */
    struct lesson_pane_option *options;     /* in the order in which they are shown */
    size_t n_options, option;               /* the one under the cursor */
    struct lesson_pane_cell cells[LESSON_PANE_MAX_CELLS];
    size_t cell;             /* the one under the cursor, in the order in which they are asked */
    struct field before;     /* what the cell held when typing began */
    struct field field;      /* of a number, a formula or words */
    bool types;              /* letters go into the answer and are no keys */
    char given[FIELD_BYTES]; /* the answer that was typed and given; "" for none */

    struct pane_request request; /* the line to give to the tutor */
    enum {
        LESSON_PANE_DOES_OTHER,
        LESSON_PANE_DOES_ANSWER,
        LESSON_PANE_DOES_HINT
    } does; /* the line given last */
};

void lesson_pane_init(struct lesson_pane *pane, struct tutor *tutor);

/* Takes the page over from the player, in another width or, where is_turned is set, perhaps as
 * another page. On another page nothing is typed and nothing said yet; on the same one an answer
 * under way stays. False with *reterr where it can't be shown; then all is as before. */
bool lesson_pane_open(struct lesson_pane *pane, size_t width_cols, bool is_turned,
                      struct error *reterr);
/* The page was perhaps turned: takes it over at once where the pane is seen, else as soon as it is.
 * Returns as lesson_pane_open(). */
bool lesson_pane_turn(struct lesson_pane *pane, struct error *reterr);
/* The exercise that the page asks for and that is not solved yet; or NULL. */
const char *lesson_pane_asked_exercise(const struct lesson_pane *pane);
/* The columns that lines may take in the pane: what the tutor gives for it has that width. */
size_t lesson_pane_text_cols(const struct lesson_pane *pane);
/* Forgets the page: its lesson is closed. */
void lesson_pane_leave(struct lesson_pane *pane);
/* Puts what was said while the page was turned above it. */
void lesson_pane_put_above(struct lesson_pane *pane, const struct doc *shown);
/* Takes over what the tutor said to the pane's line, and scrolls to it. A hint is added to those
 * before, anything else replaces what was said. */
void lesson_pane_say(struct lesson_pane *pane, const struct doc *shown);

/* ---- the operations of a pane; state is a struct lesson_pane ---- */

extern const struct pane_ops lesson_pane_ops;
extern const struct binding lesson_pane_bindings[];

/* As lesson_pane_say() for an error, whose place in the line becomes the cursor's in the answer. */
void lesson_pane_say_error(void *state, const struct error *error);
/* True when a key belongs to the answer that is typed or chosen, and was taken. */
bool lesson_pane_key(void *state, int key);
bool lesson_pane_request(void *state, enum request request, int key);
/* A click on an option, a cell or the field chooses it. */
bool lesson_pane_click(void *state, struct area area, int row, int col, bool is_double);
void lesson_pane_scroll(void *state, int lines);
void lesson_pane_draw(const void *state, struct area area, bool focused, bool ascii);
bool lesson_pane_take_request(void *state, struct pane_request *ret);
void lesson_pane_release(void *state);

#endif
