/* Help that lies over the panes: the keys of the pane in focus, and a search in all help there is.
 *
 * The keys are read from the same tables that the panes obey. The search finds keys, the tutor's
 * words, commands, functions, lessons and their steps; every text is shown whole. */
#ifndef ATTN_UI_PANES_HELP_HELP_H
#define ATTN_UI_PANES_HELP_HELP_H

#include "course/lesson/course.h"
#include "base/arena.h"
#include "ui/terminal/field.h"
#include "ui/terminal/pane.h"

/* Whether a text contains every word of the field, in capitals or not. */
bool field_is_within(const struct field *field, const char *text);

enum help_kind {
    HELP_WORD,     /* that a line at the prompt may begin with */
    HELP_FUNCTION, /* of the language */
    HELP_KEY,
    HELP_LESSON,
    HELP_STEP,
};

/* What the search can find. */
struct help_entry {
    enum help_kind kind;
    const char *name;  /* what it is called: softmax */
    const char *title; /* as shown: softmax(input, dim=-1) */
    const char *text;  /* all that is said about it; may be "" */
    const char *where; /* "function", "Explorer", "lesson 5" */
    const char *gives; /* the text or line that Enter gives; "" for none */
};

struct help {
    const struct pane_ops *const *panes; /* [n_panes], borrowed; with those of everywhere */
    size_t n_panes;
    struct help_entry *entries; /* their texts are in arena */
    size_t n, capacity;
    struct arena arena;
    bool failed; /* loading found no memory */

    size_t pane;   /* whose keys are shown */
    bool searches; /* the search is open, else the keys */
    struct field field;
    size_t *results; /* [n_results] of n: entries, the best first */
    size_t n_results, chosen;
    size_t *lines; /* [n_results]: where results begin in the page */

    struct doc page;             /* the keys or the results, as wide as the pane */
    size_t scroll;               /* lines above the first that is seen */
    int rows, cols;              /* of the pane; 0: not known yet */
    struct pane_request request; /* what Enter gives */
};

/* Reads all there is to find. The panes are borrowed; course, which may be NULL, is only read now.
 * A lesson that can't be read is left out. help may be all zero bytes or loaded before; ERR_MEMORY
 * leaves it as it was. */
bool help_load(struct help *help, const struct pane_ops *const *panes, size_t n_panes,
               const struct course *course, struct error *reterr);

/* Shows the keys of a pane, and those that work everywhere. A pane with none of the tables shows
 * only these. */
void help_open(struct help *help, const struct pane_ops *pane);
/* Opens the search, with an empty field. */
void help_search(struct help *help);

/* ---- the operations of a pane; state is a struct help ---- */

extern const struct pane_ops help_ops;

/* True when a key belongs to the field of the search, and was taken. */
bool help_key(void *state, int key);
/* False for other requests, such as REQ_CLOSE, which the application does. */
bool help_request(void *state, enum request request, int key);
/* Chooses the result there. */
bool help_click(void *state, struct area area, int row, int col, bool is_double);
void help_wheel(void *state, int steps);
/* Another size: lays the page out again, and scrolls so that what was seen stays. */
void help_resize(void *state, int rows, int cols);
void help_draw(const void *state, struct area area, bool focused, bool ascii);
bool help_take_request(void *state, struct pane_request *ret);
void help_release(void *state);

#endif
