/* The lesson pane: the page as the player shows it, and its question answered in place. It says
 * what it wants as lines for the tutor (tutor_line()), the same that could be typed at the prompt.
 */
#ifndef ATTN_UI_READER_H
#define ATTN_UI_READER_H

#include "course/tutor.h"
#include "ui/canvas.h"
#include "ui/input.h"

enum { READER_MAX_OPTIONS = 20, READER_ANSWER_BYTES = 512 };

struct reader {
    struct tutor *tutor; /* borrowed */
    struct doc page;     /* as shown, in width_cols */
    struct doc says;     /* what was said since: right, wrong, hints */
    size_t width_cols;
    size_t scroll; /* lines above the first that is seen */
    int rows;      /* of the pane, as last drawn for */

    /* The question. */
    size_t n_options, option;            /* of a choice or an order; the one under the cursor */
    bool picked[READER_MAX_OPTIONS];     /* of a choice */
    size_t order[READER_MAX_OPTIONS];    /* of an order: option order[i] stands at place i */
    char answer[READER_ANSWER_BYTES];    /* what is being typed */
    bool types;                          /* letters go into the answer, as for a formula */
    char wish[READER_ANSWER_BYTES + 16]; /* the line to give to the tutor; "" for none */
};

void reader_init(struct reader *reader, struct tutor *tutor);
void reader_release(struct reader *reader);

/* Takes the page over from the player, in another width or, where is_turned is set, as another
 * page, with nothing typed and nothing said yet. False with *reterr where it can't be shown. */
bool reader_open(struct reader *reader, size_t width_cols, bool is_turned, struct error *reterr);
/* Adds what the tutor said about an answer or a hint, and scrolls to it. */
void reader_say(struct reader *reader, const struct doc *shown);
void reader_say_error(struct reader *reader, const struct error *error);

/* True when a key belongs to the answer that is typed or chosen, and was taken. */
bool reader_key(struct reader *reader, int key);
bool reader_request(struct reader *reader, enum request request);
bool reader_click(struct reader *reader, struct area area, int row, int col);
void reader_scroll(struct reader *reader, int lines);
/* The line that the reader wants the tutor to do, which it then forgets. False: none. */
bool reader_take_wish(struct reader *reader, char line[READER_ANSWER_BYTES + 16]);
void reader_draw(const struct reader *reader, struct area area, bool focused, bool ascii);

extern const struct binding reader_bindings[];

#endif
