/* Words that are looked for in what a pane shows: the field in which they are typed, the places
 * that have them, and their marks. The pane keeps a struct find, gives it keys, scrolls to the
 * place that was found, and draws the field over a row at its foot.
 *
 * Capitals count as small letters, beyond ASCII too. A blank stands for any number of blanks, and
 * for the end of a line, so that what was wrapped is found as well. */
#ifndef ATTN_UI_TERMINAL_FIND_H
#define ATTN_UI_TERMINAL_FIND_H

#include "ui/terminal/field.h"
#include "ui/terminal/input.h"

enum find_state {
    FIND_CLOSED,
    FIND_TYPES, /* letters go into the field */
    FIND_WALKS, /* n and N go from place to place; other keys are the pane's */
};

/* Where the words stand in a Doc, from a column of a line up to one of the same or a later line. */
struct find_place {
    size_t line, col, end_line, end_col;
};

struct find {
    enum find_state state;
    bool goes_up; /* the places above are the next ones */
    bool is_missing;
    struct field field;
    size_t from;             /* the line where looking begins */
    struct find_place place; /* that was found last */
    size_t at, n;            /* it is number `at` of n, from 1; n 0: nothing was found yet */
};

/* What a key asks for. */
enum find_reply {
    FIND_IGNORES, /* it is none of the search's; where it walks, the pane may end it by that */
    FIND_KEEPS,   /* nothing has to be looked for */
    FIND_BEGINS,  /* other words are wanted: their first place */
    FIND_BELOW,   /* the next place below, or above */
    FIND_ABOVE,
};

/* Opens an empty field. goes_up: from the end of line `from` upwards, else from its beginning
 * downwards. */
void find_open(struct find *find, size_t from, bool goes_up);
/* Returns whether it was open. */
bool find_close(struct find *find);
bool find_is_open(const struct find *find);
bool find_types(const struct find *find);
/* While it is open. Enter takes the place that is shown, or leaves where nothing was typed. */
enum find_reply find_key(struct find *find, int key);
/* Goes to the place that FIND_BEGINS, FIND_BELOW or FIND_ABOVE asks for; wraps: beyond the Doc's
 * end on from its other one. False: there is none, and find->place is as it was. */
bool find_look(struct find *find, const struct doc *doc, enum find_reply where, bool wraps);
/* The same in a pane with one Doc: around its ends, and what is not found is said. */
bool find_look_around(struct find *find, const struct doc *doc, enum find_reply where);
/* The Doc was laid out anew: to the place with the same number. False: there is none. */
bool find_look_again(struct find *find, const struct doc *doc);
/* Says that nothing has the words, which can be typed on. */
void find_miss(struct find *find);
/* Whether any place of a Doc has the words. */
bool find_is_in(const struct find *find, const struct doc *doc);

/* How far n lines, of which `seen` are seen from line `first` on, are scrolled so that a line is
 * among them: as they are where it is, else with lines around it. */
size_t find_scroll(size_t line, size_t first, size_t seen, size_t n);

/* Marks the places in what the area's first row shows: a line of a Doc, from a column on. They are
 * reversed, and the one that was found last is bold and underlined too: some text is so by itself
 * where there are no colours. */
void find_mark_row(const struct find *find, const struct doc *doc, size_t line, size_t col,
                   struct area row);
/* The same in all its rows, which show a line each. */
void find_mark(const struct find *find, const struct doc *doc, size_t first, size_t col,
               struct area area);
/* "find: ", and what is typed; quiet: what stands there while it is empty. */
void find_draw_field(const struct field *field, struct area row, const char *quiet, bool focused);
/* The same, and behind it the number of the place and of all, with `counted` after it, or that it
 * is `missing`. Draws nothing where it is closed. */
void find_draw(const struct find *find, struct area row, const char *quiet, const char *counted,
               const char *missing, bool focused);
/* For the key bar while it is open. */
const struct binding *find_bindings(const struct find *find);

#endif
