/* Help that lies over the panes: the keys of the pane in focus, and a search in all help there is.
 *
 * The keys are read from the same tables that the panes obey. The search finds keys, the tutor's
 * words, commands, functions, lessons and their steps; every text is shown whole. */
#ifndef ATTN_UI_PANES_HELP_HELP_H
#define ATTN_UI_PANES_HELP_HELP_H

#include "course/lesson/course.h"
#include "base/arena.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/field.h"
#include "ui/terminal/input.h"
#include "ui/app/layout.h"

enum { HELP_WISH_BYTES = 2 * LESSON_NAME_BYTES + 16 };

/* Whether a text contains every word of the field, in capitals or not. */
bool field_is_within(const struct field *field, const char *text);

/* A table of bindings, and whose it is. All is borrowed. */
struct help_pane {
    enum pane_id id;   /* PANE_COUNT: the keys that work everywhere */
    const char *title; /* "Lesson" */
    const struct binding *bindings;
    bool types; /* letters are typed there, so that those of everywhere do nothing */
};

enum help_kind {
    HELP_WORD,     /* of the tutor */
    HELP_COMMAND,  /* of the language */
    HELP_FUNCTION, /* likewise */
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
    const char *wish;  /* the text or line that Enter gives; "" for none */
};

enum help_wish_kind {
    HELP_NO_WISH,
    HELP_TO_PROMPT, /* text to put into the prompt */
    HELP_LINE,      /* a line for the tutor: it opens a lesson */
};
struct help_wish {
    enum help_wish_kind kind;
    char text[HELP_WISH_BYTES];
};

struct help {
    const struct help_pane *panes; /* borrowed */
    size_t n_panes;
    struct help_entry *entries; /* their texts are in arena */
    size_t n, capacity;
    struct arena arena;

    size_t pane;   /* whose keys are shown */
    bool searches; /* the search is open, else the keys */
    struct field field;
    size_t *results; /* [n_results] of n: entries, the best first */
    size_t n_results, chosen;
    size_t *lines; /* [n_results]: where results begin in the page */

    struct doc page; /* the keys or the results, as wide as the pane */
    size_t scroll;   /* lines above the first that is seen */
    int rows, cols;  /* of the pane, as told last; 0: not known yet */
    struct help_wish wish;
};

/* Reads all there is to find. The panes are borrowed; course, which may be NULL, is only read now.
 * A lesson that can't be read is left out. help may be all zero bytes or loaded before; ERR_MEMORY
 * leaves it as it was. */
bool help_load(struct help *help, const struct help_pane *panes, size_t n_panes,
               const struct course *course, struct error *reterr);
void help_release(struct help *help); /* help may be all zero bytes */

/* Shows the keys of a pane, and those that work everywhere. An id that has no table shows only
 * these. */
void help_open(struct help *help, enum pane_id pane);
/* Opens the search, with an empty field. */
void help_search(struct help *help);
/* The pane has another size: lays the page out anew, and scrolls so that what was seen stays. */
void help_resize(struct help *help, int rows, int cols);

/* True when a key belongs to the field of the search, and was taken. */
bool help_key(struct help *help, int key);
/* False for what is none of its requests, such as REQ_CLOSE, which is for who opened it. */
bool help_request(struct help *help, enum request request);
/* Chooses the result there. */
bool help_click(struct help *help, struct area area, int row, int col);
void help_wheel(struct help *help, int steps);
/* What Enter asked for, which is then forgotten. False: nothing. */
bool help_take_wish(struct help *help, struct help_wish *ret);
void help_draw(const struct help *help, struct area area, bool focused, bool ascii);

/* While the keys are shown; and while the search is open. */
extern const struct binding help_bindings[], help_search_bindings[];

#endif
