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
#include "ui/terminal/input.h"

enum {
    READER_ANSWER_BYTES = 8192, /* of an answer as a line: of a whole matrix */
    READER_MAX_CELLS = 64,      /* as many as a question asks for (course/question.h) */
};

/* How the page's question is answered. */
enum reader_ask {
    READER_ASKS_NOTHING,
    READER_ASKS_ONE,     /* of the options */
    READER_ASKS_SEVERAL, /* of them, perhaps */
    READER_ASKS_ORDER,
    READER_ASKS_CELLS,
    READER_ASKS_NUMBER,
    READER_ASKS_TEXT, /* a formula, or words */
    READER_ASKS_EXERCISE,
};

/* An option, or a step at its place. */
struct reader_option {
    size_t item; /* its number in the file, from 0 */
    struct doc text;
    bool picked;
    bool tried; /* given, and it was wrong */
};

/* A cell of a matrix that is asked for. */
struct reader_cell {
    struct field field;
    enum { READER_CELL_OPEN, READER_CELL_WRONG, READER_CELL_SHORT } judged; /* SHORT: more digits */
};

struct reader {
    struct tutor *tutor; /* borrowed */
    struct doc page;     /* as shown, in reader_text_cols() */
    struct doc above;    /* what the lines gave that the page before offers, which this one may
                          * speak of; what was said while the page was turned */
    struct doc hints;    /* all of the question, below each other */
    struct doc says;     /* what was said last */
    size_t width_cols;   /* of the pane */
    size_t scroll;       /* lines above the first that is seen */
    bool at_start;       /* the page begins at the top, or is seen whole: so it stays */
    size_t kept_scroll, kept_lines; /* else where it was scrolled to, and of how many lines */
    int rows;                       /* of the pane */
    enum { READER_NO_NEWS, READER_NEW_HINT, READER_NEW_SAYS } news; /* marked at the edge */
    size_t news_line; /* of the hints, where the last one is new: its first line */
    bool waits;       /* it is said that the question waits */
    bool says_error;

    /* The question, and the answer under way. */
    enum reader_ask ask;
    char place[2 * LESSON_NAME_BYTES + 32]; /* the lesson and page that it is on */
    unsigned n_opened;                      /* of the tutor, when the page was shown */
    size_t page_at;                         /* the page */
    bool touched;                           /* something was chosen, or carried */
    unsigned n_wrong;                       /* before what is being done */
    struct reader_option *options;          /* in the order in which they are shown */
    size_t n_options, option;               /* the one under the cursor */
    struct reader_cell cells[READER_MAX_CELLS];
    size_t cell;             /* the one under the cursor, in the order in which they are asked */
    struct field before;     /* what the cell held when typing began */
    struct field field;      /* of a number, a formula or words */
    bool types;              /* letters go into the answer and are no keys */
    char given[FIELD_BYTES]; /* the answer that was typed and given; "" for none */

    char wish[READER_ANSWER_BYTES + 16]; /* the line to give to the tutor; "" for none */
    enum { READER_DOES_OTHER, READER_DOES_ANSWER, READER_DOES_HINT } does; /* the line given last */
};

void reader_init(struct reader *reader, struct tutor *tutor);
void reader_release(struct reader *reader);

/* Takes the page over from the player, in another width or, where is_turned is set, perhaps as
 * another page. On another page nothing is typed and nothing said yet; on the same one an answer
 * under way stays. False with *reterr where it can't be shown; then all is as before. */
bool reader_open(struct reader *reader, size_t width_cols, bool is_turned, struct error *reterr);
/* The pane has so many rows now; 0: it is not shown. */
void reader_resize(struct reader *reader, int rows);
/* The columns that lines may take in the pane: what the tutor gives for it has that width. */
size_t reader_text_cols(const struct reader *reader);
/* Forgets the page: its lesson is closed. */
void reader_leave(struct reader *reader);
/* Puts what was said while the page was turned above it. */
void reader_put_above(struct reader *reader, const struct doc *shown);
/* Takes over what the tutor said to the reader's line, and scrolls to it. A hint is added to those
 * before, anything else replaces what was said. */
void reader_say(struct reader *reader, const struct doc *shown);
/* The same for an error, whose place in the line becomes the cursor's in the answer. */
void reader_say_error(struct reader *reader, const struct error *error);

/* True when a key belongs to the answer that is typed or chosen, and was taken. */
bool reader_key(struct reader *reader, int key);
bool reader_request(struct reader *reader, enum request request);
/* A click on an option, a cell or the field chooses it. */
bool reader_click(struct reader *reader, struct area area, int row, int col);
void reader_scroll(struct reader *reader, int lines);
/* The line that the reader wants the tutor to do, which it then forgets. False: none. */
bool reader_take_wish(struct reader *reader, char line[READER_ANSWER_BYTES + 16]);
void reader_draw(const struct reader *reader, struct area area, bool focused, bool ascii);

extern const struct binding reader_bindings[];

#endif
