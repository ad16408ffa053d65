/* The first screen shows the whole house: going on where one stopped, the model, trainings, the
 * film, the explorer, exercises, what is due, a text of one's own, the lessons by part, settings.
 *
 * It is a list whose entries fold: an entry with others below it shows them once it is unfolded. A
 * field narrows lessons and exercises down. Whatever else is typed belongs to the prompt, but for a
 * lesson's number and the keys that the bindings name. */
#ifndef ATTN_UI_PANES_HOME_HOME_H
#define ATTN_UI_PANES_HOME_HOME_H

#include "base/arena.h"
#include "course/player/tutor.h"
#include "course/progress/lesson_count.h"
#include "exercise/exercises.h"
#include "files/file.h"
#include "ui/terminal/field.h"
#include "ui/terminal/pane.h"

/* What a line of the list is. */
enum home_kind {
    HOME_GO_ON,
    HOME_REVIEW, /* questions that are due, asked again */
    HOME_MODEL,
    HOME_TRAININGS, /* HOME_TRAINING are below it */
    HOME_TRAINING,
    HOME_FILM,
    HOME_EXPLORE,
    HOME_EXERCISES, /* HOME_EXERCISE are below it */
    HOME_EXERCISE,
    HOME_OWN_TEXT, /* asks for a text; HOME_OWN_ACT, what can be done with it, are below it */
    HOME_OWN_ACT,
    HOME_PART, /* of the course; HOME_LESSON are below it */
    HOME_LESSON,
    HOME_SETTINGS, /* HOME_SETTING are below it */
    HOME_SETTING,
    HOME_HEADING, /* a lesson that can't be read: it can't be chosen */
};

enum home_state { HOME_IS_OPEN, HOME_IS_STARTED, HOME_IS_DONE };

/* Texts are the home's, in its arena, and never NULL. */
struct home_item {
    enum home_kind kind;
    enum pane_request_kind opens; /* what Enter asks for; PANE_WANTS_NOTHING: it folds, or asks */
    const char *name;             /* the request's text: "scaling", "theme light" */
    const char *title, *state;    /* "Scaling", "done, 4 of 6 right" */
    const char *gives;            /* what it is, or what one can do after it; lines, for a lesson */
    enum style style;             /* of the state */
    size_t fold;                  /* the item that it is below; its own index: none */
    bool is_fold, is_unfolded;
    unsigned minutes;          /* 0: it takes none */
    unsigned n_right, n_asked; /* questions of a lesson that was begun; 0 of 0: not begun */
    unsigned number;           /* of a lesson or an exercise; else 0 */
    enum home_state how_far;   /* of a lesson or an exercise */
};

/* A setting as the application keeps it: choosing it runs its line. */
struct home_setting {
    char line[32];  /* "theme light" */
    char label[40]; /* "theme: dark" */
};

/* What the field in the second row is for. */
enum home_field { HOME_FIELD_CLOSED, HOME_FIELD_FILTER, HOME_FIELD_TEXT };

/* A lesson as its file was when it was read: home comes back at once. */
struct home_lesson {
    struct lesson *lesson;
    struct file_stamp stamp;
};

struct home {
    struct home_item *items;
    size_t n, capacity;
    struct arena arena;          /* of their texts */
    struct home_lesson *lessons; /* read so far, of any course */
    size_t n_lessons, lessons_capacity;
    size_t *seen; /* [n_seen] of n items: those that are listed now */
    size_t n_seen;
    size_t chosen; /* an item that is listed, never a heading */
    size_t scroll; /* of those that are listed */
    int rows, cols;
    int title_cols;                  /* of the longest title with a state */
    char current[LESSON_NAME_BYTES]; /* the lesson that one goes on with */
    struct course_count count;
    unsigned typed;     /* digits so far, of a lesson's number; 0: none */
    int64_t leaving_ms; /* when q was pressed, which leaves after a moment; 0: it was not */
    enum home_field asks;
    size_t chosen_before; /* the field was opened */
    struct field field;
    char own_text[FIELD_BYTES];  /* "": none yet */
    char message[120];           /* in the second row until the next key */
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
    const char *explored;     /* the sentence explored last and its options; "": none */
    const char *model_folder; /* the model that was looked into last; "": the one of attn */
    /* Only what is read at once, for the first frame: the list with the titles of the lessons. What
     * is done, and the exercises, are added when it is loaded again. */
    bool is_brief;
};

/* Makes the list, for the first time or again; keeps the choice and what is unfolded where it can.
 * On failure the list stays as it was. */
bool home_load(struct home *home, const struct home_sources *sources, struct error *reterr);
const struct home_item *home_chosen(const struct home *home); /* NULL: the list is empty */
/* Unfolds the exercises and chooses the first that is not solved, where there is one. */
void home_choose_exercises(struct home *home);
/* Unfolds the trainings and chooses the first. */
void home_choose_trainings(struct home *home);

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
