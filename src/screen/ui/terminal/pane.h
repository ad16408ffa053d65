/* A pane: a part of the screen with its own keys, as a table of operations and the state that they
 * work on. The application (ui/app) knows panes only by their tables: it gives them keys, clicks
 * and sizes, and then asks them for requests. */
#ifndef ATTN_UI_TERMINAL_PANE_H
#define ATTN_UI_TERMINAL_PANE_H

#include "base/error.h"
#include "base/text.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/input.h"

/* Requests of a pane that only the application can fulfil. */
enum pane_request_kind {
    PANE_WANTS_NOTHING,
    PANE_RUN_LINE,      /* text: a line, as if it were typed at the prompt */
    PANE_RUN_OWN_LINE,  /* text: a line, whose result the lesson's pane shows */
    PANE_OPEN_LESSON,   /* text: its name; the lesson comes into view in any case */
    PANE_GO_ON,         /* the lesson to continue comes into view */
    PANE_OPEN_EXERCISE, /* text: its name */
    PANE_EXPLORE,       /* opens the explorer on a sentence */
    PANE_VIEW_MODEL,    /* text: a model's folder, "" for attn's own: opens its heads */
    PANE_OPEN_TRAINING, /* text: "task NAME", "text PATH", or "film NAME", which is played */
    PANE_RELOAD,        /* home makes its list again */
    PANE_OPEN_NUMBER,   /* opens the number under the picture's cursor in the explorer */
    PANE_TO_PROMPT,     /* text goes into the prompt, since the learner must type more after it */
    PANE_PASTE,         /* text of several rows was pasted: goes to the prompt, as a paste */
    PANE_PRESS_KEY,     /* key, in the pane with `ops`; NULL: a key that works everywhere */
    PANE_SHOW,          /* the pane with `ops`, if several share one place */
    PANE_OPEN_MODEL,    /* opens the model of the training's step in the pane of heads */
    PANE_OPEN_HELP,     /* text: the name of the entry whose page to open */
    PANE_GO_HOME,       /* the home screen comes into view */
    PANE_QUIT,          /* attn ends */
    PANE_RUN_OUTSIDE,   /* calls run() with the pane's state, without the screen */
};

struct pane_ops;

struct pane_request {
    enum pane_request_kind kind;
    struct text text;
    int key;
    const struct pane_ops *ops;
    void (*run)(void *state);
};

enum { PANE_MAX_FDS = 8 };
#define PANE_CLEARED "cleared; Esc leaves the field"

/* Every operation but draw may be NULL: the pane then lacks that ability. `state` is the state of
 * struct pane. */
struct pane_ops {
    const char *title; /* in the help, over its keys; NULL: not listed there */
    const struct binding
        *bindings; /* its keys. Panes with the same table count as one pane in the help */
    const struct binding *typing_bindings; /* while it types: the keys for the key bar, before the
                                            * others; NULL: the same ones */
    /* For the key bar: the keys to show now, before the others; NULL: the tables above. */
    const struct binding *(*bindings_now)(const void *state);
    bool always_types;  /* letters are always typed there */
    bool fills_key_bar; /* of the keys that work everywhere, the key bar only keeps help */
    bool is_everywhere; /* not a pane, but the table of the keys that work everywhere */
    /* Whether letters are typed into it now, and so are not keys. */
    bool (*types)(const void *state);

    /* Empties the field in which something was typed, and leaves it open: Esc and ^C do this first.
     * A pane with a line for messages shows PANE_CLEARED there. False: no field is open, or nothing
     * was typed into it. */
    bool (*clear)(void *state);
    /* Closes a field that was opened for one purpose (a search, an edit, a name) and drops the
     * typed text: Esc, ^C and ^Q do this in every pane. False: no such field is open. */
    bool (*cancel)(void *state);
    /* The pane gets the focus, which it did not have before. */
    void (*take_focus)(void *state);
    /* A key before it is looked up in the bindings. Returns true if the pane used it. */
    bool (*key)(void *state, int key);
    /* The request of a key of the bindings. False if there is nothing to do: the key then has its
     * general meaning. */
    bool (*request)(void *state, enum request request, int key);
    /* A character without meaning was pressed: says so. NULL: silence. */
    void (*say_unbound)(void *state, int key);
    /* row and col count from the area's corner. Returns true if something was chosen. */
    bool (*click)(void *state, struct area area, int row, int col, bool is_double);
    void (*wheel)(void *state, int steps);
    /* A character of a paste. Without it, pasted characters are keys of a pane that types. */
    void (*paste)(void *state, int key);
    /* The pane has this size from now on; 0 by 0: it is not visible. */
    void (*resize)(void *state, int rows, int cols);
    void (*draw)(const void *state, struct area area, bool focused, bool ascii);
    /* The same for a file: no cursor, no keys, no empty fields. NULL: draw() without the focus. */
    void (*draw_bare)(const void *state, struct area area, bool ascii);
    /* The rows that its content would fill in cols columns; NULL: all rows it can get. Called
     * before resize() sets the final size. */
    int (*rows_wanted)(void *state, int cols);
    /* The title above the pane; the focus is marked behind it; NULL: `title`. Returns how much of
     * the pane's work is done, in percent; -1: not shown. */
    int (*write_title)(const void *state, struct text *title);
    /* The text to copy: the number under the cursor or, if `table` is set, the whole visible table,
     * as tab-separated values. *what names it for a message: "3x3". False if there is nothing to
     * copy. */
    bool (*copy)(const void *state, bool table, struct text *ret, struct text *what);
    /* One word for the visible content, for the name of a file; NULL: the title. */
    void (*write_name)(const void *state, struct text *name);
    /* An error of an action taken while the pane has the keys; NULL: the prompt shows it. */
    void (*say_error)(void *state, const struct error *error);

    /* Gives the pane's request, which it then forgets. False without a request. The caller releases
     * ret->text. */
    bool (*take_request)(void *state, struct pane_request *ret);

    /* Work between keys: the descriptors to wait for (-1 is left out; returns how many), the
     * longest time to wait (-1: for ever), and then tick(). now_ms is of any clock that only goes
     * forward; in_view: the view contains the pane. */
    int (*fds)(const void *state, int fds[PANE_MAX_FDS]);
    int (*timeout_ms)(const void *state);
    void (*tick)(void *state, int64_t now_ms, bool in_view);

    void (*release)(void *state); /* state may be all zero bytes */
};

struct pane {
    const struct pane_ops *ops;
    void *state;
};

/* ---- the operations of a pane, even if they are NULL ---- */

bool pane_types(struct pane pane);
/* Closes the pane's temporary field, as Esc does. False if no such field is open. */
bool pane_cancel(struct pane pane);
/* For the key bar: the keys that work in it now. */
const struct binding *pane_bindings(struct pane pane);
/* Gives the pane a key; returns true if it had a meaning there. While nothing is typed, h j k l
 * without a meaning of their own are the arrows, and g G Home and End; , . ( ) and arrows with
 * Shift are [ ] { and }. */
bool pane_press(struct pane pane, int key);

/* ---- requests ---- */

/* Sets the request, replacing an earlier one. */
void pane_request_set(struct pane_request *request, enum pane_request_kind kind, const char *text);
/* Moves it to *ret. False without a request. */
bool pane_request_take(struct pane_request *request, struct pane_request *ret);
void pane_request_release(struct pane_request *request);

/* For the key bar while something is typed into a field. */
extern const struct binding field_bindings[];

#endif
