/* The place of everything on the screen: a pure function of its size, the view and the focus. */
#ifndef ATTN_UI_APP_LAYOUT_H
#define ATTN_UI_APP_LAYOUT_H

#include <stdbool.h>

enum {
    LAYOUT_MIN_ROWS = 16, /* on a smaller screen attn says what size it needs */
    LAYOUT_MIN_COLS = 60,
    LAYOUT_WIDE_COLS = 80,     /* two panes side by side from here on */
    LAYOUT_LESSON_COLS = 110,  /* a lesson beside another pane: its text has 60 columns then */
    LAYOUT_TEXT_MAX_COLS = 84, /* of a lesson: longer lines are hard to read */
    LAYOUT_RESULT_COLS = 120,  /* an exercise beside its result, which has matrices side by side */
    LAYOUT_STACK_ROWS = 36,    /* the explorer below a lesson that has no room for it at its side */
    LAYOUT_STEP_ROWS =
        40, /* from here on, the pages of a lesson's step are shown one below the other */
    LAYOUT_LESSON_MIN_COLS = 60, /* however far the border is moved */
    LAYOUT_MAX_BORDER = 40,      /* steps that the border can be moved to either side */
};

/* The panes that fill the body. */
enum view {
    VIEW_HOME,
    VIEW_LESSON,   /* the lesson and, beside or below it, if there is room, its picture or the
                    * explorer */
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
    bool narrow; /* one pane at a time, above the prompt: the one in focus. While the prompt has the
                  * focus, the view's first pane is shown, and the prompt has half the body */
    struct rect title; /* one row at the top */
    struct rect keys;  /* one row at the bottom */
    struct rect panes[PANE_COUNT];
    int divider_col;     /* between two panes side by side; -1: no divider */
    int side_rule_row;   /* between two panes, one below the other; -1: no rule */
    int prompt_rule_row; /* above the prompt; -1: no rule */
};

struct layout_input {
    enum view view;
    enum pane_id focus;
    enum pane_id overlay; /* the pane that lies over the others; PANE_COUNT: no such pane */
    int prompt_used;      /* the rows that its whole content would fill; 0 or 1: only its line */
    int prompt_rows;      /* the rows that its last result needs, which may take more than its share
                           * while the prompt has the focus */
    enum pane_id side;    /* of a lesson: PANE_PICTURE or PANE_EXPLORER; any other: no pane */
    int side_rows;        /* the rows that the second pane would like below the first; 0: few */
    int first_rows; /* the rows that the first pane needs for its whole content. Only a picture
                     * below it in fewer than LAYOUT_STACK_ROWS rows asks for it */
    int first_cols; /* the columns of a lesson's lines that can't be wrapped; 0: few */
    int border;     /* how far the border is moved: to the right or down; negative: back */
    bool zoomed; /* the pane in focus has the whole body, and the prompt is hidden unless it is in
                  * focus itself */
};

/* Text comes first: a lesson has all the room while no other pane is beside it, and the whole width
 * below LAYOUT_LESSON_COLS columns. There the second pane is a strip below it: on a tall screen
 * either one, on a low one a picture, which stays there however long the text grows. A pane without
 * room takes the lesson's place while it has the focus. The prompt is one row until it is used
 * (hidden if a pane is zoomed); then it has up to a sixth of the screen, and more while it has the
 * focus and its last result is long. Title, keys, the panes, the divider (as high as the panes at
 * its sides) or the rule between them and the rule above the prompt fill the screen and never
 * overlap; only a pane that lies over the others does, within the rows between title and keys. If
 * the screen is too small, all rectangles are empty. */
struct layout layout_of(int rows, int cols, const struct layout_input *input);
/* The first pane of a view: of two the left or upper one. */
enum pane_id layout_first_pane(enum view view);
/* The pane beside or below it; PANE_COUNT: no second pane. */
enum pane_id layout_second_pane(const struct layout_input *input);
/* Whether a view can have a pane: a lesson has the picture and the explorer, one at a time. */
bool layout_view_has(enum view view, enum pane_id pane);
/* The visible pane at a place of the screen, such as that of a click; PANE_COUNT: no pane. */
enum pane_id layout_pane_at(const struct layout *layout, int row, int col);

#endif
