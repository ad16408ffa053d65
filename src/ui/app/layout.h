/* The place of everything on the screen: a pure function of its size, the view and the focus. */
#ifndef ATTN_UI_APP_LAYOUT_H
#define ATTN_UI_APP_LAYOUT_H

#include <stdbool.h>

enum {
    LAYOUT_MIN_ROWS = 16, /* on a smaller screen attn says which size it needs */
    LAYOUT_MIN_COLS = 60,
    LAYOUT_WIDE_COLS = 80,     /* two panes side by side from here on */
    LAYOUT_LESSON_COLS = 110,  /* a lesson beside another pane: its text has 60 columns then */
    LAYOUT_TEXT_MAX_COLS = 84, /* of a lesson: longer lines are hard to read */
    LAYOUT_RESULT_COLS = 120,  /* an exercise beside its result, which has matrices side by side */
    LAYOUT_STACK_ROWS = 36,    /* the explorer below a lesson that has no room beside it */
    LAYOUT_STEP_ROWS = 40,     /* above, the pages of a lesson's step stand below each other */
    LAYOUT_LESSON_MIN_COLS = 60, /* however far the border is moved */
    LAYOUT_MAX_BORDER = 40,      /* steps that the border can be moved to either side */
};

/* What fills the body. */
enum view {
    VIEW_HOME,
    VIEW_LESSON,   /* the lesson, and beside or below it, where there is room, its picture or the
                    * explorer, if it has either */
    VIEW_EXERCISE, /* the exercise beside its result: the failing case */
    VIEW_EXPLORE,  /* the explorer alone */
    VIEW_MODEL,    /* the heads of a model alone */
    VIEW_TRAINING, /* a training alone */
    VIEW_COUNT
};

enum pane_id {
    PANE_HOME,
    PANE_LESSON,
    PANE_PICTURE, /* what the lesson drew last */
    PANE_EXPLORER,
    PANE_EXERCISE, /* the task */
    PANE_RESULT,   /* the result of grading it */
    PANE_HEADS,    /* of a model */
    PANE_TRAINING,
    PANE_PROMPT,          /* transcript and prompt */
    PANE_HELP,            /* lies over the others */
    PANE_COMMAND_PALETTE, /* lies over the others */
    PANE_COUNT
};

struct rect {
    int row, col, rows, cols; /* rows 0: not shown */
};

struct layout {
    int rows, cols;
    bool too_small;
    bool narrow;       /* one pane at a time, above the prompt: the one in focus. While the prompt
                        * has the focus: the view's first pane, and the prompt is half the body */
    struct rect title; /* one row at the top */
    struct rect keys;  /* one row at the bottom */
    struct rect panes[PANE_COUNT];
    int divider_col;     /* between two panes side by side; -1: none */
    int side_rule_row;   /* between two panes, one below the other; -1: none */
    int prompt_rule_row; /* above the prompt; -1: none */
};

struct layout_input {
    enum view view;
    enum pane_id focus;
    enum pane_id overlay; /* the pane that lies over the others; PANE_COUNT: none */
    int prompt_used;      /* the rows that all it has to show would fill; 0 or 1: its line alone */
    int prompt_rows;      /* the rows that its last result needs, which may take more than its share
                           * while the prompt has the focus */
    enum pane_id side;    /* of a lesson: PANE_PICTURE, PANE_EXPLORER, or any other: none */
    int side_rows;        /* that the second pane would like where it stands below; 0: few */
    int first_rows;       /* that the first pane needs for all it shows. Only a picture below it in
                           * fewer than LAYOUT_STACK_ROWS asks for it */
    int first_cols;       /* that the lines of a lesson need which can't be wrapped; 0: few */
    int border;  /* how far the border is moved: to the right or down, back where negative */
    bool zoomed; /* the pane in focus has the whole body, and the prompt none of it unless it
                  * is in focus itself */
};

/* Text comes first: a lesson has all the room while nothing stands beside it, and the whole width
 * below LAYOUT_LESSON_COLS columns. There the second pane is a strip below it: on a tall screen
 * either one, on a low one a picture, which stays there however long the text grows. A pane without
 * room takes the lesson's place while it has the focus. The prompt is
 * one row until it is used (none where a pane is zoomed); then it has up to a sixth of the screen,
 * half of a small one while it has the focus, and grows over the panes while it has the focus and
 * its last result is long. Title, keys, the panes, the divider (as
 * high as the panes at its sides) or the rule between them and the rule above the prompt fill the
 * screen and never overlap; only what lies on top does, within the rows between title and keys.
 * Where the screen is too small all rectangles are empty. */
struct layout layout_of(int rows, int cols, const struct layout_input *input);
/* The first pane of a view: of two the left one. */
enum pane_id layout_first_pane(enum view view);
/* The one that stands beside or below it; PANE_COUNT: none. */
enum pane_id layout_second_pane(const struct layout_input *input);
/* Whether a view has a pane, perhaps at other times: a lesson has the picture and the explorer, one
 * at a time. */
bool layout_view_has(enum view view, enum pane_id pane);
/* The pane that is seen at a place of the screen, such as that of a click; PANE_COUNT: none. */
enum pane_id layout_pane_at(const struct layout *layout, int row, int col);

#endif
