/* The first screen: go on where you stopped, exploring, the lessons and exercises with what is done
 * of them, the settings. */
#ifndef ATTN_UI_PANES_HOME_HOME_H
#define ATTN_UI_PANES_HOME_HOME_H

#include "course/player/tutor.h"
#include "exercise/exercises.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/input.h"

/* What a line of the list opens. */
enum home_kind {
    HOME_GO_ON,
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
    char state[HOME_TITLE_BYTES]; /* "done, 4 of 6 known" */
    enum style style;             /* of the state */
    unsigned minutes;             /* 0: it takes none */
    unsigned n_known, n_asked;    /* questions of a lesson that was begun; 0 of 0: not begun */
};

/* A setting as the app keeps it: choosing it gives back its line. */
struct home_setting {
    const char *line; /* "theme light" */
    char label[40];   /* "theme: dark" */
};

struct home {
    struct home_item *items;
    size_t n, capacity;
    size_t chosen; /* never a heading */
    size_t scroll;
    bool is_first;                       /* nothing was done yet */
    const struct exercises *exercises;   /* to list them too; borrowed, or NULL */
    const struct home_setting *settings; /* likewise; set both before home_load() */
    size_t n_settings;
};

/* Reads what is there, from the start or anew; keeps the choice where it can. */
bool home_load(struct home *home, struct tutor *tutor, struct error *reterr);
void home_release(struct home *home);
/* rows: of the pane. */
bool home_request(struct home *home, enum request request, int rows);
/* Chooses the line that was clicked on. False where there is none to choose. */
bool home_click(struct home *home, struct area area, int row, int col);
void home_draw(const struct home *home, struct area area, bool focused, bool ascii);
const struct home_item *home_chosen(const struct home *home); /* NULL: the list is empty */

extern const struct binding home_bindings[];

#endif
