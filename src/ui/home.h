/* The first screen: go on where you stopped, the lessons with their progress, exploring. */
#ifndef ATTN_UI_HOME_H
#define ATTN_UI_HOME_H

#include "course/tutor.h"
#include "grader/exercise.h"
#include "ui/canvas.h"
#include "ui/input.h"

/* What a line of the list opens. */
enum home_kind { HOME_GO_ON, HOME_EXPLORE, HOME_LESSON, HOME_EXERCISE, HOME_HEADING };

struct home_item {
    enum home_kind kind;
    char name[LESSON_NAME_BYTES]; /* what tutor_open() takes */
    char title[80];
    char state[40]; /* "done", "under way, 40%" */
    enum style style;
    unsigned minutes;
};

struct home {
    struct home_item *items;
    size_t n, capacity;
    size_t chosen; /* never a heading */
    size_t scroll;
    bool is_first;                     /* nothing was done yet */
    const struct exercises *exercises; /* to list them too; borrowed, or NULL */
};

/* Reads what is there, from the start or anew; keeps the choice where it can. */
bool home_load(struct home *home, struct tutor *tutor, struct error *reterr);
void home_release(struct home *home);
bool home_request(struct home *home, enum request request, int rows);
bool home_click(struct home *home, struct area area, int row, int col);
void home_draw(const struct home *home, struct area area, bool focused, bool ascii);
const struct home_item *home_chosen(const struct home *home); /* NULL: the list is empty */

extern const struct binding home_bindings[];

#endif
