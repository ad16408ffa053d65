/* The first screen: go on where you stopped, exploring, the lessons and exercises with what is done
 * of them, the settings. */
#ifndef ATTN_UI_PANES_HOME_HOME_H
#define ATTN_UI_PANES_HOME_HOME_H

#include "course/player/tutor.h"
#include "exercise/exercises.h"
#include "ui/terminal/pane.h"

/* What a line of the list opens. */
enum home_kind {
    HOME_GO_ON,
    HOME_REVIEW, /* questions that are due, asked again */
    HOME_EXPLORE,
    HOME_LESSON,
    HOME_EXERCISE,
    HOME_SETTING,
    HOME_HEADING, /* nothing: it can't be chosen */
};

enum { HOME_TITLE_BYTES = 120 };

struct home_item {
    enum home_kind kind;
    char name[LESSON_NAME_BYTES]; /* what tutor_open() takes; of a setting its line */
    char title[HOME_TITLE_BYTES];
    char state[HOME_TITLE_BYTES]; /* "done, 4 of 6 right" */
    enum style style;             /* of the state */
    unsigned minutes;             /* 0: it takes none */
    unsigned n_right, n_asked;    /* questions of a lesson that was begun; 0 of 0: not begun */
    unsigned number;              /* of a lesson */
};

/* A setting as the application keeps it: choosing it runs its line. */
struct home_setting {
    char line[32];  /* "theme light" */
    char label[40]; /* "theme: dark" */
};

struct home {
    struct home_item *items;
    size_t n, capacity;
    size_t chosen; /* never a heading */
    size_t scroll;
    int rows;                    /* of the pane */
    int title_cols;              /* of the longest title */
    unsigned typed;              /* digits so far, of a lesson's number; 0: none */
    bool is_first;               /* nothing was done yet */
    bool is_brief;               /* as its sources were */
    struct pane_request request; /* to open what is chosen */
};

/* What the list is made of; only read while it is made. */
struct home_sources {
    const struct tutor *tutor;
    const struct exercises *exercises; /* or NULL */
    const struct home_setting *settings;
    size_t n_settings;
    const char *explored; /* the sentence explored last and its options; "": none */
    /* Only what is read at once, for the first frame: the list as far as the titles of the lessons.
     * What is done, and what comes below, is added when it is loaded again. */
    bool is_brief;
};

/* Makes the list, for the first time or again; keeps the choice where it can. On failure the list
 * stays as it was. */
bool home_load(struct home *home, const struct home_sources *sources, struct error *reterr);
const struct home_item *home_chosen(const struct home *home); /* NULL: the list is empty */
/* Chooses the first exercise, where there is one. */
void home_choose_exercises(struct home *home);

/* ---- the operations of a pane; state is a struct home ---- */

extern const struct pane_ops home_ops;

void home_resize(void *state, int rows, int cols);
/* Chooses the line that was clicked on, and opens it where the click was double. False where the
 * line can't be chosen. */
bool home_click(void *state, struct area area, int row, int col, bool is_double);
void home_draw(const void *state, struct area area, bool focused, bool ascii);
bool home_take_request(void *state, struct pane_request *ret);
void home_release(void *state);

#endif
