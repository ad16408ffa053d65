/* Help that lies over the panes: the keys of the pane in focus, and a search in all help there is.
 *
 * The keys are read from the same tables that the panes obey. The search asks the manual
 * (manual/manual.h) in plain words, keys among them; every text is shown whole. A term or an
 * operator opens on a page of its own, with its example, and leads to the lesson from there. */
#ifndef ATTN_UI_PANES_HELP_HELP_H
#define ATTN_UI_PANES_HELP_HELP_H

#include "lang/builtins/settings.h"
#include "course/manual/manual.h"
#include "ui/terminal/field.h"
#include "ui/terminal/pane.h"

/* What the help is made of; all is borrowed. */
struct help_sources {
    const struct pane_ops *const *panes; /* [n_panes], with those of everywhere */
    size_t n_panes;
    const struct settings *settings; /* of the sessions in which examples run */
    const char *data_dir;            /* that holds assets/ and lessons/; or NULL */
};

enum help_view {
    HELP_KEYS,
    HELP_SEARCH,
    HELP_ENTRY, /* one result, with its example */
};

struct help {
    struct help_sources sources;
    struct manual manual; /* empty until the first search */

    enum help_view view;
    size_t pane; /* whose keys are shown */
    struct field field;
    struct manual_results found;
    size_t chosen;                    /* of what was found */
    size_t lines[MANUAL_MAX_RESULTS]; /* where results begin in the page */

    struct doc page;             /* the keys, the results or the entry, as wide as the pane */
    size_t scroll;               /* lines above the first that is seen */
    int rows, cols;              /* of the pane; 0: not known yet */
    struct pane_request request; /* what Enter gives */
};

/* Sets what the help is made of; help may be all zero bytes. */
void help_init(struct help *help, const struct help_sources *sources);

/* Shows the keys of a pane, and those that work everywhere. A pane with none of the tables shows
 * only these. */
void help_open(struct help *help, const struct pane_ops *pane);
/* Opens the search, with an empty field; the first time it reads the manual. ERR_MEMORY */
bool help_search(struct help *help, struct error *reterr);
/* Opens the page of the entry with this name, from which Esc leads to the search. ERR_MEMORY */
bool help_open_entry(struct help *help, const char *name, struct error *reterr);
/* What is chosen in the search; NULL where nothing was found. */
const struct manual_entry *help_chosen(const struct help *help);

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
