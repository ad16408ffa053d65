/* The keys of the lesson pane, and those that its bar shows at the moment. */
#include "ui/panes/lesson/lesson_pane_internal.h"

const struct binding lesson_pane_bindings[] = {
    {'n', REQ_NEXT_PAGE, "next", "goes on to the next page; where a question waits it says so"},
    {'b', REQ_PREVIOUS_PAGE, "back", "goes back a page"},
    {'h', REQ_HINT, "hint", "gives the next hint, and after the last one the answer"},
    {'o', REQ_EDITOR, NULL, "goes to the exercise that the page asks for; Escape comes back"},
    {'s', REQ_SKIP, "skip", "goes on without an answer"},
    {KEYCODE_ENTER, REQ_OPEN, "go on",
     "answers with what is typed or chosen; where nothing is asked it shows what is further down, "
     "and then goes on"},
    {' ', REQ_TOGGLE, NULL,
     "chooses the option under the cursor, as its number does; draws a cell of a mask, as 1 and 0 "
     "do; elsewhere it shows what is further down, and then goes on"},
    {KEYCODE_UP, REQ_UP, NULL, "goes to the option or cell above; scrolls where there is none"},
    {KEYCODE_DOWN, REQ_DOWN, NULL, "goes to the option or cell below; scrolls where there is none"},
    {KEYCODE_LEFT, REQ_LEFT, NULL, "goes to the cell before, in a matrix; Shift-Tab does it too"},
    {KEYCODE_RIGHT, REQ_RIGHT, NULL, "goes to the next cell of a matrix; Tab does it too"},
    {KEYCODE_SHIFT_UP, REQ_MOVE_UP, NULL, "carries a step up"},
    {'K', REQ_MOVE_UP, NULL, NULL},
    {KEYCODE_SHIFT_DOWN, REQ_MOVE_DOWN, NULL, "carries a step down"},
    {'J', REQ_MOVE_DOWN, NULL, NULL},
    {'i', REQ_EDIT, NULL, "types on, where Escape left a field or a matrix; Enter does it too"},
    {'/', REQ_FIND, NULL,
     "finds words in this lesson, on any of its pages; Enter goes there, then n and N to the next "
     "place and the one before, until Escape"},
    {'N' - '@', REQ_NEXT_PAGE, NULL, "next, also while an answer is typed"},
    {'B' - '@', REQ_PREVIOUS_PAGE, NULL, "back, also while an answer is typed"},
    {'T' - '@', REQ_HINT, NULL, "a tip: the next hint, also while an answer is typed"},
    {'S' - '@', REQ_SKIP, NULL, "skip, also while an answer is typed"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "scrolls up"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "scrolls down"},
    {KEYCODE_HOME, REQ_TOP, NULL, "scrolls to the top"},
    {KEYCODE_END, REQ_BOTTOM, NULL, "scrolls to the end"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

/* Rows that several of the tables below end with. While characters go into the answer; where
 * letters are commands and a question waits; and where one points at cells. */
/* clang-format off */
#define TYPING_ROWS \
    {KEYCODE_ESCAPE, REQ_CLOSE, "cancel", NULL}, \
    {'T' - '@', REQ_HINT, "hint", NULL}, \
    {'S' - '@', REQ_SKIP, "skip", NULL}, \
    {KEYCODE_F1, REQ_SEARCH_HELP, "help", NULL}, \
    {'B' - '@', REQ_PREVIOUS_PAGE, "back", NULL}, \
    {'P' - '@', REQ_PROMPT, "prompt", NULL}, \
    {'N' - '@', REQ_NEXT_PAGE, NULL, NULL}, \
    {KEYCODE_NONE, REQ_NONE, NULL, NULL}
#define LETTER_ROWS \
    {'h', REQ_HINT, "hint", NULL}, \
    {'s', REQ_SKIP, "skip", NULL}, \
    {'b', REQ_PREVIOUS_PAGE, "back", NULL}
#define WAITING_ROWS \
    LETTER_ROWS, \
    {KEYCODE_NONE, REQ_NONE, NULL, NULL}
#define POINTING_ROWS(escape) \
    LETTER_ROWS, \
    {KEYCODE_ESCAPE, REQ_CLOSE, escape, NULL}, \
    {KEYCODE_TAB, REQ_RIGHT, "next cell", NULL}, \
    {KEYCODE_NONE, REQ_NONE, NULL, NULL}
/* clang-format on */

const struct binding lesson_pane_typing_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    TYPING_ROWS,
};

/* In a matrix; and in the last of its cells to be filled, or where numbers get other values. */
static const struct binding cell_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "next cell", NULL},
    {KEYCODE_TAB, REQ_RIGHT, "next cell", NULL},
    TYPING_ROWS,
};
static const struct binding last_cell_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    {KEYCODE_TAB, REQ_RIGHT, "next cell", NULL},
    TYPING_ROWS,
};

/* Where one points at a cell, marks several, or draws; Escape takes marks back first. */
static const struct binding point_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    POINTING_ROWS("leave"),
};
static const struct binding mark_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    {' ', REQ_TOGGLE, "marks", NULL},
    POINTING_ROWS("leave"),
};
static const struct binding marked_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    {' ', REQ_TOGGLE, "marks", NULL},
    POINTING_ROWS("clear"),
};
static const struct binding draw_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    {' ', REQ_TOGGLE, "draws", NULL},
    POINTING_ROWS("leave"),
};
static const struct binding drawn_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    {' ', REQ_TOGGLE, "draws", NULL},
    POINTING_ROWS("clear"),
};

/* Options, an exercise, and what was left: cells to point at, a field. */
static const struct binding choosing_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    WAITING_ROWS,
};
static const struct binding exercise_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "open it", NULL},
    WAITING_ROWS,
};
static const struct binding left_points_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "the cells", NULL},
    WAITING_ROWS,
};
static const struct binding left_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "type on", NULL},
    WAITING_ROWS,
};

/* Where nothing is asked. */
static const struct binding reading_bindings[] = {
    {'n', REQ_NEXT_PAGE, "next", NULL},
    {'b', REQ_PREVIOUS_PAGE, "back", NULL},
    {KEYCODE_ENTER, REQ_OPEN, "go on", NULL},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

static const struct binding *pointing_bindings(const struct lesson_pane *pane,
                                               enum lesson_pane_ask ask)
{
    bool has_marks = lesson_pane_has_marks(pane);
    if (pane->is_left)
        return left_points_bindings;
    if (ask == LESSON_PANE_ASKS_POINT)
        return point_bindings;
    if (ask == LESSON_PANE_ASKS_POINTS)
        return has_marks ? marked_bindings : mark_bindings;
    return has_marks ? drawn_bindings : draw_bindings;
}

const struct binding *lesson_pane_bindings_now(const void *state)
{
    const struct lesson_pane *pane = state;
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    if (find_is_open(&pane->find))
        return find_bindings(&pane->find);
    if (lesson_pane_types(pane) && ask == LESSON_PANE_ASKS_CELLS)
        return lesson_pane_cells_are_filled(pane) ? last_cell_bindings : cell_bindings;
    if (lesson_pane_types(pane) && ask == LESSON_PANE_ASKS_CHANGE)
        return last_cell_bindings;
    if (lesson_pane_types(pane))
        return lesson_pane_typing_bindings;
    if (lesson_pane_has_points(pane))
        return pointing_bindings(pane, ask);
    if (lesson_pane_asked_exercise(pane) != NULL)
        return exercise_bindings;
    if (ask == LESSON_PANE_ASKS_NOTHING || ask == LESSON_PANE_ASKS_EXERCISE)
        return reading_bindings;
    return lesson_pane_has_options(pane) ? choosing_bindings : left_bindings;
}
