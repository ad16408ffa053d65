/* The palette: all that can be done, in one list that a few letters narrow down.
 *
 * It does nothing itself: it requests what was chosen. */
#ifndef ATTN_UI_PANES_HELP_COMMAND_PALETTE_H
#define ATTN_UI_PANES_HELP_COMMAND_PALETTE_H

#include "course/lesson/course.h"
#include "course/manual/manual.h"
#include "ui/terminal/field.h"
#include "ui/terminal/pane.h"

/* A room of the house. */
struct command_palette_place {
    const char *title, *help;
    enum pane_request_kind kind;
    const char *text; /* of the request */
};

/* What the list is made of: the places, the requests with a label, the tutor's words, the lessons,
 * the settings, the requests without a label, and at last what people want to do, in the words of
 * the manual, each of which opens its page of help. */
struct command_palette_sources {
    const struct command_palette_place *places; /* [n_places] */
    size_t n_places;
    const struct pane_ops *const *panes; /* [n_panes], the pane in focus first */
    size_t n_panes;
    const struct course *course; /* or NULL */
    const char *data_dir; /* that holds assets/, where the topics are, and words that mean the same;
                           * or NULL */
    const char *const *settings; /* lines that set something: "theme dark", "palette viridis" */
    size_t n_settings;
};

enum { COMMAND_PALETTE_TITLE_CHARS = 120 }; /* so many characters of a title are looked at */

struct command_palette_item {
    const char *title;           /* "Explorer: hotter" */
    const char *help;            /* all that is said about it; may be "" */
    char key[16];                /* as key_text() writes it; or "" */
    enum pane_request_kind kind; /* PANE_PRESS_KEY, or another with `text` */
    bool is_place;               /* it goes before others that fit as well */
    const struct pane_ops *pane; /* PANE_PRESS_KEY: whose */
    int keycode;                 /* PANE_PRESS_KEY: the first key that asks for it */
    const char *text;            /* else */
    bool is_exact;               /* only its title finds it, since it takes something away */
    int score; /* of the last search; -1: it was not found; less: not by its title */
};

struct command_palette {
    struct command_palette_item *items; /* their texts are in arena */
    size_t n, capacity;
    struct arena arena;
    struct manual topics; /* with the words of questions */
    size_t first_topic;   /* the item of its first entry; the others follow */
    bool failed;          /* loading found no memory */

    struct field field;
    size_t *found; /* [n_found] of n: items, the best first */
    size_t n_found, chosen;
    size_t scroll; /* of what was found, above the first that is seen */
    int rows, cols;
    struct pane_request request; /* what Enter chose */
};

/* Reads all there is to choose, with an empty field; nothing stays borrowed. palette may be all
 * zero bytes or loaded before; ERR_MEMORY leaves it as it was. */
bool command_palette_load(struct command_palette *palette,
                          const struct command_palette_sources *sources, struct error *reterr);
void command_palette_open(struct command_palette *palette); /* empties the field */

/* How well letters fit a title in which they must stand in this order, capitals or not, blanks left
 * out: letters in a row and letters that begin words count more, gaps count against them. -1: they
 * are not there. No letters fit anything with 0. ret_hits, unless NULL, says of each of the first
 * COMMAND_PALETTE_TITLE_CHARS characters of the title whether it is one of them. */
int command_palette_score(const char *letters, const char *title,
                          bool ret_hits[COMMAND_PALETTE_TITLE_CHARS]);

/* ---- the operations of a pane; state is a struct command_palette ---- */

extern const struct pane_ops command_palette_ops;

/* What is chosen stays in sight. */
void command_palette_resize(void *state, int rows, int cols);
/* True when a key belongs to the field, and was taken. */
bool command_palette_key(void *state, int key);
/* False for other requests, such as REQ_CLOSE, which the application does. */
bool command_palette_request(void *state, enum request request, int key);
/* Chooses the action there. */
bool command_palette_click(void *state, struct area area, int row, int col, bool is_double);
void command_palette_wheel(void *state, int steps);
void command_palette_draw(const void *state, struct area area, bool focused, bool ascii);
bool command_palette_take_request(void *state, struct pane_request *ret);
void command_palette_release(void *state);

#endif
