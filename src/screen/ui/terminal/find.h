/* Finding words in a pane: the field in which they are typed, the places that contain them, and
 * their marks. The pane keeps a struct find, gives it keys, scrolls to the found place, and draws
 * the field over a row at its foot.
 *
 * Capitals count as small letters, beyond ASCII too. A blank matches any number of blanks, and the
 * end of a line, so that wrapped words are found as well. */
#ifndef ATTN_UI_TERMINAL_FIND_H
#define ATTN_UI_TERMINAL_FIND_H

#include "ui/terminal/field.h"
#include "ui/terminal/input.h"

enum find_state {
    FIND_CLOSED,
    FIND_TYPES, /* letters go into the field */
    FIND_WALKS, /* n and N go from place to place; other keys are the pane's */
};

/* A place of the words in a Doc, from a column of a line to one of the same or a later line. */
struct find_place {
    size_t line, col, end_line, end_col;
};

struct find {
    enum find_state state;
    bool goes_up; /* the places above are the next ones */
    bool is_missing;
    struct field field;
    size_t from;             /* the line where the search begins */
    struct find_place place; /* the place found last */
    size_t at, n;            /* it is number `at` of n, from 1; n 0: nothing was found yet */
};

/* The request of a key. */
enum find_reply {
    FIND_IGNORES, /* not a key of the search; while it walks, the pane may end it then */
    FIND_KEEPS,   /* nothing to search for */
    FIND_BEGINS,  /* the words changed: find their first place */
    FIND_BELOW,   /* the next place below, or above */
    FIND_ABOVE,
};

/* Opens an empty field. goes_up: from the end of line `from` upwards, else from its beginning
 * downwards. */
void find_open(struct find *find, size_t from, bool goes_up);
/* Closes it; returns whether it was open. */
bool find_close(struct find *find);
/* Empties the field while words are typed into it, as Esc and ^C do first. False: no words are
 * typed. The caller then looks for FIND_BEGINS. */
bool find_clear(struct find *find);
bool find_is_open(const struct find *find);
bool find_types(const struct find *find);
/* Handles a key while it is open. Enter goes to the place that is shown, or leaves if nothing was
 * typed. */
enum find_reply find_key(struct find *find, int key);
/* Goes to the place that FIND_BEGINS, FIND_BELOW or FIND_ABOVE asks for; wraps: continues at the
 * Doc's other end. False without such a place; find->place is unchanged then. */
bool find_look(struct find *find, const struct doc *doc, enum find_reply where, bool wraps);
/* The same in a pane with one Doc: wraps around its ends, and says so if nothing is found. */
bool find_look_around(struct find *find, const struct doc *doc, enum find_reply where);
/* After the Doc was laid out again: goes to the place with the same number. False without such a
 * place. */
bool find_look_again(struct find *find, const struct doc *doc);
/* Notes that nothing contains the words; the user can type on. */
void find_miss(struct find *find);
/* Whether any place of a Doc contains the words. */
bool find_is_in(const struct find *find, const struct doc *doc);

/* The first of n lines to show, of which `seen` fit, so that a line is among them: `first` if it
 * already is, else with lines around it. */
size_t find_scroll(size_t line, size_t first, size_t seen, size_t n);

/* Marks the places in the text of the area's first row: a line of a Doc, from a column on. They are
 * reversed, and the one found last is also bold and underlined, since without colours other text
 * may be reversed too. */
void find_mark_row(const struct find *find, const struct doc *doc, size_t line, size_t col,
                   struct area row);
/* The same in all its rows, which show a line each. */
void find_mark(const struct find *find, const struct doc *doc, size_t first, size_t col,
               struct area area);
/* Draws "find: " and the typed words; quiet: shown while it is empty. */
void find_draw_field(const struct field *field, struct area row, const char *quiet, bool focused);
/* The same, followed by the number of the place and of all, with `counted` after it, or by
 * `missing`. Draws nothing if it is closed. */
void find_draw(const struct find *find, struct area row, const char *quiet, const char *counted,
               const char *missing, bool focused);
/* For the key bar while it is open. */
const struct binding *find_bindings(const struct find *find);

#endif
