/* A pane: a part of the screen with keys of its own, as a table of operations and the state that
 * they work on. The application (ui/app) knows panes by their tables alone: it gives them keys,
 * clicks and sizes, and asks them afterwards what they want from it. */
#ifndef ATTN_UI_TERMINAL_PANE_H
#define ATTN_UI_TERMINAL_PANE_H

#include "base/error.h"
#include "base/text.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/input.h"

/* What a pane wants that only the application can do. */
enum pane_request_kind {
    PANE_WANTS_NOTHING,
    PANE_RUN_LINE,      /* text: a line, as if it were typed at the prompt */
    PANE_RUN_OWN_LINE,  /* text: a line, whose result the lesson's pane shows */
    PANE_OPEN_LESSON,   /* text: its name; the lesson comes into sight in any case */
    PANE_GO_ON,         /* the lesson to continue comes into sight */
    PANE_OPEN_EXERCISE, /* text: its name */
    PANE_EXPLORE,       /* opens the explorer on a sentence */
    PANE_VIEW_MODEL,    /* text: a model's folder, "" for the one of attn: opens its heads */
    PANE_OPEN_TRAINING, /* text: "task NAME", "text PATH", or "film NAME", which is played */
    PANE_RELOAD,        /* home lists anew what there is */
    PANE_OPEN_NUMBER,   /* opens the number under the picture's cursor in the explorer */
    PANE_TO_PROMPT,     /* text goes into the prompt, since more must be typed after it */
    PANE_PASTE,         /* text of several rows was pasted: the prompt takes it, as a paste */
    PANE_PRESS_KEY,     /* key, in the pane with `ops`; NULL: a key that works everywhere */
    PANE_SHOW,          /* the pane with `ops`, where several share one place */
    PANE_OPEN_MODEL,    /* opens the model of the training's step in the pane of heads */
    PANE_OPEN_HELP,     /* text: the name of the entry whose page is opened */
    PANE_GO_HOME,       /* the home screen comes into sight */
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

/* Every operation but draw may be NULL: then the pane has nothing of the kind. `state` is what
 * struct pane holds. */
struct pane_ops {
    const char *title;              /* in the help, over its keys; NULL: not listed there */
    const struct binding *bindings; /* the keys it obeys. Panes with the same table are one pane to
                                     * whoever reads help */
    const struct binding *typing_bindings; /* while it types: those of the key bar, which go before
                                            * the others; NULL: the same ones */
    /* For the key bar: the keys to show now, which go before the others; NULL: the tables above. */
    const struct binding *(*bindings_now)(const void *state);
    bool always_types;  /* letters are always typed there */
    bool fills_key_bar; /* of the keys that work everywhere, only help keeps its place there */
    bool is_everywhere; /* no pane, but a table of the keys that work everywhere */
    /* Whether letters are typed into it now, and are no keys. */
    bool (*types)(const void *state);

    /* Empties the field in which something was typed, and leaves it open: what Esc and ^C do first.
     * A pane with a line for messages says PANE_CLEARED there. False: no field is open, or nothing
     * was typed into it. */
    bool (*clear)(void *state);
    /* Closes a field that was opened for one purpose (a search, an edit, a name) and drops what was
     * typed into it: Esc, ^C and ^Q do this in every pane. False: no such field is open. */
    bool (*cancel)(void *state);
    /* The keys go to it from now on: it had not the focus before. */
    void (*take_focus)(void *state);
    /* A key before it is looked up among the bindings. True when it was taken. */
    bool (*key)(void *state, int key);
    /* What a key of the bindings asks for. False when there is nothing to do: then the key has the
     * meaning that it has everywhere. */
    bool (*request)(void *state, enum request request, int key);
    /* A character that has no meaning here or anywhere was pressed: says so. NULL: silence. */
    void (*say_unbound)(void *state, int key);
    /* row and col count from the area's corner. True when something was chosen by it. */
    bool (*click)(void *state, struct area area, int row, int col, bool is_double);
    void (*wheel)(void *state, int steps);
    /* A character of a paste. Without it, pasted characters are keys of a pane that types. */
    void (*paste)(void *state, int key);
    /* The pane has this size from now on; 0 by 0: it is not seen. */
    void (*resize)(void *state, int rows, int cols);
    void (*draw)(const void *state, struct area area, bool focused, bool ascii);
    /* The same for a file: no cursor, nothing about keys, no empty places that wait for something.
     * NULL: draw() without the focus. */
    void (*draw_bare)(const void *state, struct area area, bool ascii);
    /* The rows that it would fill, so many columns wide; NULL: as many as there are. Asked before
     * resize() tells the size it gets. */
    int (*rows_wanted)(void *state, int cols);
    /* What stands above the pane, behind which the focus is marked; NULL: `title`. Returns how much
     * of it is done, in percent; -1: that is not shown. */
    int (*write_title)(const void *state, struct text *title);
    /* What can be taken along: the number under the cursor, or, where `table` says so, the whole
     * table that is seen, as tab-separated values. *what names it for a message: "3x3". False:
     * nothing. */
    bool (*copy)(const void *state, bool table, struct text *ret, struct text *what);
    /* One word for what is seen, for the name of a file; NULL: the title. */
    void (*write_name)(const void *state, struct text *name);
    /* An error of something that was asked for while the pane has the keys; NULL: the prompt tells
     * it. */
    void (*say_error)(void *state, const struct error *error);

    /* Gives what the pane wants, which it then forgets. False: nothing. The caller releases
     * ret->text. */
    bool (*take_request)(void *state, struct pane_request *ret);

    /* Work that goes on between keys: the descriptors to wait for (-1 is left out; returns how
     * many), the time to wait at most (-1: for ever), and then tick(). now_ms is of any clock that
     * only goes on; in_view: the view has the pane. */
    int (*fds)(const void *state, int fds[PANE_MAX_FDS]);
    int (*timeout_ms)(const void *state);
    void (*tick)(void *state, int64_t now_ms, bool in_view);

    void (*release)(void *state); /* state may be all zero bytes */
};

struct pane {
    const struct pane_ops *ops;
    void *state;
};

/* ---- the operations of a pane, also where they are NULL ---- */

bool pane_types(struct pane pane);
/* Closes the field that is open for a moment, as Esc does. False: there is none. */
bool pane_cancel(struct pane pane);
/* For the key bar: the keys that it obeys now. */
const struct binding *pane_bindings(struct pane pane);
/* A key for the pane: true when it had a meaning there. Where nothing is typed, h j k l that have
 * no meaning of their own are the arrows, and g G Home and End; , . ( ) and arrows with Shift are
 * [ ] { and }. */
bool pane_press(struct pane pane, int key);

/* ---- requests ---- */

/* Wants this from now on, in place of what was wanted before. */
void pane_request_set(struct pane_request *request, enum pane_request_kind kind, const char *text);
/* Moves it to *ret. False where nothing is wanted. */
bool pane_request_take(struct pane_request *request, struct pane_request *ret);
void pane_request_release(struct pane_request *request);

/* For the key bar while something is typed into a field. */
extern const struct binding field_bindings[];

#endif
