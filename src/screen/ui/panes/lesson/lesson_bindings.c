/* The keys of the lesson pane, and those that its bar shows at the moment. */
#include "ui/panes/lesson/lesson_pane_internal.h"

const struct binding lesson_pane_bindings[] = {
    {'n', REQ_NEXT_PAGE, "next", "goes on to the next page, unless a question waits"},
    {'b', REQ_PREVIOUS_PAGE, "back", "goes back a page, unless a question waits"},
    {KEYCODE_ENTER, REQ_OPEN, "go on",
     "answers with what is typed or chosen; without a question it scrolls down, and then goes on"},
    {' ', REQ_TOGGLE, NULL,
     "chooses the option under the cursor, as its number does; picks a step up, which arrows then "
     "carry, and puts it down; draws a cell of a mask, as 1 and 0 do; elsewhere it scrolls down, "
     "and then goes on"},
    {KEYCODE_UP, REQ_UP, NULL, "goes to the option or cell above; else scrolls"},
    {KEYCODE_DOWN, REQ_DOWN, NULL, "goes to the option or cell below; else scrolls"},
    {KEYCODE_LEFT, REQ_LEFT, NULL, "goes to the cell before, in a matrix; Shift-Tab does it too"},
    {KEYCODE_RIGHT, REQ_RIGHT, NULL, "goes to the next cell of a matrix; Tab does it too"},
    {KEYCODE_SHIFT_UP, REQ_MOVE_UP, NULL, "carries a step up"},
    {KEYCODE_SHIFT_DOWN, REQ_MOVE_DOWN, NULL, "carries a step down"},
    {'/', REQ_FIND, NULL,
     "finds words in this lesson, on any of its pages; Enter goes there, then n and N to the next "
     "place and the one before, until Escape"},
    {'N' - '@', REQ_NEXT_PAGE, NULL, "next, on every page"},
    {'B' - '@', REQ_PREVIOUS_PAGE, NULL,
     "back, on every page; so do Alt-Left, and PgUp at the top of a page"},
    {KEYCODE_LEFT | KEYCODE_ALT, REQ_PREVIOUS_PAGE, NULL, NULL},
    {'T' - '@', REQ_HINT, NULL, "a tip: the next hint, on every page with a question"},
    {'S' - '@', REQ_SKIP, NULL, "goes on without an answer, on every page"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "scrolls up; at the top of a page it goes back a page"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "scrolls down"},
    {KEYCODE_HOME, REQ_TOP, NULL, "scrolls to the top"},
    {KEYCODE_END, REQ_BOTTOM, NULL, "scrolls to the end"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

/* What the control keys do is the same on every page with a question: all tables of such pages end
 * with these rows. */
/* clang-format off */
#define CONTROL_ROWS \
    {KEYCODE_ESCAPE, REQ_CLOSE, "clear", NULL}, \
    {'T' - '@', REQ_HINT, "hint", NULL}, \
    {'S' - '@', REQ_SKIP, "skip", NULL}, \
    {KEYCODE_F1, REQ_SEARCH_HELP, "help", NULL}, \
    {'B' - '@', REQ_PREVIOUS_PAGE, "back", NULL}, \
    {KEYCODE_CTRL_Q, REQ_LEAVE, "leave", NULL}, \
    {KEYCODE_F6, REQ_NEXT_PANE, "pane", NULL}
#define LINE_ROWS \
    {'N' - '@', REQ_NEXT_PAGE, "next", NULL}, \
    {KEYCODE_F1, REQ_SEARCH_HELP, "help", NULL}, \
    {'B' - '@', REQ_PREVIOUS_PAGE, "back", NULL}, \
    {KEYCODE_CTRL_Q, REQ_LEAVE, "leave", NULL}, \
    {KEYCODE_F6, REQ_NEXT_PANE, "pane", NULL}
#define LAST_ROWS \
    {'P' - '@', REQ_PROMPT, "prompt", NULL}, \
    {KEYCODE_F2, REQ_COMMAND_PALETTE, "all", NULL}, \
    {'N' - '@', REQ_NEXT_PAGE, NULL, NULL}, \
    {KEYCODE_LEFT | KEYCODE_ALT, REQ_PREVIOUS_PAGE, NULL, NULL}, \
    {KEYCODE_NONE, REQ_NONE, NULL, NULL}
/* clang-format on */

const struct binding lesson_pane_control_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    CONTROL_ROWS,
    LAST_ROWS,
};

static const struct binding field_of_answer_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    CONTROL_ROWS,
    {KEYCODE_TAB, REQ_RIGHT, "complete", NULL},
    LAST_ROWS,
};

/* On a page that offers lines: while one waits, while one is typed, and when all have run. */
static const struct binding offered_line_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "run", NULL},
    {KEYCODE_TAB, REQ_RIGHT, "take it over", NULL},
    LINE_ROWS,
    LAST_ROWS,
};
static const struct binding typed_line_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "run", NULL},
    {KEYCODE_ESCAPE, REQ_CLOSE, "clear", NULL},
    {KEYCODE_TAB, REQ_RIGHT, "complete", NULL},
    LINE_ROWS,
    LAST_ROWS,
};
static const struct binding left_line_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "type on", NULL},
    LINE_ROWS,
    LAST_ROWS,
};
static const struct binding run_line_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "go on", NULL},
    LINE_ROWS,
    LAST_ROWS,
};

/* In a matrix; and in the last of its cells to be filled, where numbers get other values, and where
 * one points at a cell. */
static const struct binding cell_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "next cell", NULL},
    CONTROL_ROWS,
    {KEYCODE_TAB, REQ_RIGHT, "next cell", NULL},
    LAST_ROWS,
};
static const struct binding last_cell_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    CONTROL_ROWS,
    {KEYCODE_TAB, REQ_RIGHT, "next cell", NULL},
    LAST_ROWS,
};
static const struct binding mark_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    {' ', REQ_TOGGLE, "marks", NULL},
    CONTROL_ROWS,
    {KEYCODE_TAB, REQ_RIGHT, "next cell", NULL},
    LAST_ROWS,
};
static const struct binding draw_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    {' ', REQ_TOGGLE, "draws", NULL},
    CONTROL_ROWS,
    {KEYCODE_TAB, REQ_RIGHT, "next cell", NULL},
    LAST_ROWS,
};
static const struct binding order_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "answer", NULL},
    {' ', REQ_TOGGLE, "picks up", NULL},
    CONTROL_ROWS,
    LAST_ROWS,
};
/* A step is carried. */
static const struct binding carry_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "puts down", NULL},
    CONTROL_ROWS,
    LAST_ROWS,
};
static const struct binding exercise_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "open it", NULL},
    CONTROL_ROWS,
    LAST_ROWS,
};
static const struct binding solved_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "go on", NULL},
    CONTROL_ROWS,
    LAST_ROWS,
};
/* The answer was left. */
static const struct binding left_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "type on", NULL},
    CONTROL_ROWS,
    LAST_ROWS,
};

/* Where nothing is asked. */
static const struct binding reading_bindings[] = {
    {'n', REQ_NEXT_PAGE, "next", NULL},
    {'b', REQ_PREVIOUS_PAGE, "back", NULL},
    {KEYCODE_ENTER, REQ_OPEN, "go on", NULL},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

const struct binding *lesson_pane_bindings_now(const void *state)
{
    const struct lesson_pane *pane = state;
    if (find_is_open(&pane->find))
        return find_bindings(&pane->find);
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_NOTHING)
        return reading_bindings;
    if (pane->is_left)
        return lesson_pane_ask(pane) == LESSON_PANE_ASKS_LINE ? left_line_bindings : left_bindings;
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_LINE)
        return pane->field.size > 0                      ? typed_line_bindings
               : player_is_offering(pane->tutor->player) ? offered_line_bindings
                                                         : run_line_bindings;
    switch (lesson_pane_ask(pane)) {
    case LESSON_PANE_ASKS_NUMBER:
    case LESSON_PANE_ASKS_TEXT:
        return field_of_answer_bindings;
    case LESSON_PANE_ASKS_CELLS:
        return lesson_pane_cells_are_filled(pane) ? last_cell_bindings : cell_bindings;
    case LESSON_PANE_ASKS_CHANGE:
    case LESSON_PANE_ASKS_POINT:
        return last_cell_bindings;
    case LESSON_PANE_ASKS_POINTS:
        return mark_bindings;
    case LESSON_PANE_ASKS_MASK:
        return draw_bindings;
    case LESSON_PANE_ASKS_ORDER:
        return pane->carries ? carry_bindings : order_bindings;
    case LESSON_PANE_ASKS_EXERCISE:
        return lesson_pane_asked_exercise(pane) != NULL ? exercise_bindings : solved_bindings;
    default:
        return lesson_pane_control_bindings;
    }
}
