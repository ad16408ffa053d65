/* Rectangles for every pane: see layout.h. */
#include "ui/app/layout.h"

#include <stddef.h>

enum {
    WIDE_ROWS = 24,            /* two panes side by side from here on */
    PROMPT_SHARE = 6,          /* the prompt, once it is used, takes one row in this many */
    PROMPT_SHARE_MIN_ROWS = 3, /* or these: two lines of transcript and the prompt */
    PANES_MIN_ROWS = 4,        /* of the panes, when the prompt grows */
    LESSON_PANE_PERCENT = 46,  /* of the columns, if that is more than it needs */
    SIDE_MIN_COLS = 24,        /* of the second pane, however far the border is moved */
    SIDE_MIN_ROWS = 5,         /* and if it is below */
    FIRST_MIN_ROWS = 10,       /* of the pane above it */
    STACK_SHARE = 5,           /* of the body: two of this many parts for the pane below, at most */
    STRIP_MIN_ROWS = 5,  /* of a picture below a lesson on a low screen, unless it needs fewer */
    STRIP_TEXT_ROWS = 8, /* and of the text above it */
    BORDER_STEP_COLS = 4,
    BORDER_STEP_ROWS = 2,
    EXERCISE_PANE_PERCENT = 50,
    EXERCISE_PANE_MAX_COLS = 100, /* C code and its diagnostics */
    HELP_MAX_COLS = 96,
    COMMAND_PALETTE_MAX_COLS = 72,
    COMMAND_PALETTE_MAX_ROWS = 20,
    OVERLAY_MARGIN = 2, /* columns left free at each side of the pane on top */
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The panes of the views, left and right; right is PANE_COUNT if one pane fills the body. */
static const struct pair {
    enum pane_id left, right;
} views[VIEW_COUNT] = {
    [VIEW_HOME] = {PANE_HOME, PANE_COUNT},          [VIEW_LESSON] = {PANE_LESSON, PANE_EXPLORER},
    [VIEW_EXERCISE] = {PANE_EXERCISE, PANE_RESULT}, [VIEW_EXPLORE] = {PANE_EXPLORER, PANE_COUNT},
    [VIEW_MODEL] = {PANE_HEADS, PANE_COUNT},        [VIEW_TRAINING] = {PANE_TRAINING, PANE_COUNT},
};

enum pane_id layout_first_pane(enum view view)
{
    return views[view].left;
}

enum pane_id layout_second_pane(const struct layout_input *input)
{
    if (input->view != VIEW_LESSON)
        return views[input->view].right;
    return input->side == PANE_PICTURE || input->side == PANE_EXPLORER ? input->side : PANE_COUNT;
}

bool layout_view_has(enum view view, enum pane_id pane)
{
    return pane != PANE_COUNT && (views[view].left == pane || views[view].right == pane ||
                                  (view == VIEW_LESSON && pane == PANE_PICTURE));
}

static int between(int value, int low, int high)
{
    return larger(low, smaller(value, high));
}

/* Rows of the prompt, its rule not counted. */
static int prompt_rows(const struct layout *layout, int body_rows, const struct layout_input *input)
{
    bool has_focus = input->focus == PANE_PROMPT;
    if (input->zoomed && !has_focus)
        return 0;
    int share = larger(body_rows / PROMPT_SHARE, PROMPT_SHARE_MIN_ROWS);
    if ((layout->narrow || input->zoomed) && has_focus)
        share = body_rows / 2; /* the question stays in sight while an answer is typed */
    int rows = between(input->prompt_used, 1, share);
    if (!has_focus)
        return rows;
    return larger(rows, smaller(input->prompt_rows, body_rows - 1 - PANES_MIN_ROWS));
}

static int left_cols(const struct layout_input *input, int cols)
{
    int left = smaller((cols - 1) * EXERCISE_PANE_PERCENT / 100, EXERCISE_PANE_MAX_COLS);
    if (input->view == VIEW_LESSON)
        left = between((cols - 1) * LESSON_PANE_PERCENT / 100,
                       between(input->first_cols, LAYOUT_LESSON_MIN_COLS, LAYOUT_TEXT_MAX_COLS),
                       LAYOUT_TEXT_MAX_COLS);
    return between(left + input->border * BORDER_STEP_COLS, LAYOUT_LESSON_MIN_COLS,
                   cols - 1 - SIDE_MIN_COLS);
}

/* The rows of a picture below a lesson on a low screen: those that the text leaves free, else a
 * part of the body, however long the text grows. 0: there is no room. */
static int strip_rows(const struct layout_input *input, int body_rows)
{
    int most = smaller(body_rows * 2 / STACK_SHARE, body_rows - 1 - STRIP_TEXT_ROWS);
    int rows = smaller(input->side_rows, larger(body_rows - 1 - input->first_rows, most));
    if (input->side != PANE_PICTURE || rows < smaller(input->side_rows, STRIP_MIN_ROWS))
        return 0;
    return rows;
}

/* The rows of the pane below. */
static int side_rows(const struct layout *layout, const struct layout_input *input, int body_rows)
{
    int most = body_rows * 2 / STACK_SHARE;
    if (layout->rows < LAYOUT_STACK_ROWS)
        return strip_rows(input, body_rows);
    return between(between(input->side_rows, SIDE_MIN_ROWS, most) -
                       input->border * BORDER_STEP_ROWS,
                   SIDE_MIN_ROWS, body_rows - 1 - FIRST_MIN_ROWS);
}

enum arrangement { ONE_PANE, SIDE_BY_SIDE, STACKED };

static enum arrangement arrangement_of(const struct layout *layout,
                                       const struct layout_input *input, int body_rows)
{
    if (layout_second_pane(input) == PANE_COUNT || layout->narrow || input->zoomed)
        return ONE_PANE;
    if (input->view == VIEW_EXERCISE)
        return layout->cols < LAYOUT_RESULT_COLS ? ONE_PANE : SIDE_BY_SIDE;
    if (layout->cols >= LAYOUT_LESSON_COLS)
        return SIDE_BY_SIDE;
    bool has_room = layout->rows >= LAYOUT_STACK_ROWS || strip_rows(input, body_rows) > 0;
    return has_room ? STACKED : ONE_PANE;
}

static void place_panes(struct layout *layout, struct rect body, const struct layout_input *input)
{
    struct pair pair = {views[input->view].left, layout_second_pane(input)};
    enum arrangement arrangement = arrangement_of(layout, input, body.rows);
    if (arrangement == SIDE_BY_SIDE) {
        int left = left_cols(input, layout->cols);
        layout->divider_col = left;
        layout->panes[pair.left] = (struct rect){body.row, 0, body.rows, left};
        layout->panes[pair.right] =
            (struct rect){body.row, left + 1, body.rows, layout->cols - left - 1};
    } else if (arrangement == STACKED) {
        int below = side_rows(layout, input, body.rows);
        layout->side_rule_row = body.row + body.rows - below - 1;
        layout->panes[pair.left] = (struct rect){body.row, 0, body.rows - below - 1, body.cols};
        layout->panes[pair.right] = (struct rect){layout->side_rule_row + 1, 0, below, body.cols};
    } else {
        bool is_right = pair.right != PANE_COUNT && input->focus == pair.right;
        layout->panes[is_right ? pair.right : pair.left] = body;
    }
}

/* In the middle of the body, near its top; the whole body if one pane is shown at a time. */
static struct rect overlay_rect(const struct layout *layout, struct rect body, enum pane_id overlay)
{
    if (layout->narrow)
        return body;
    bool is_help = overlay == PANE_HELP;
    int cols =
        smaller(body.cols - 2 * OVERLAY_MARGIN, is_help ? HELP_MAX_COLS : COMMAND_PALETTE_MAX_COLS);
    int rows = smaller(body.rows - 2, is_help ? body.rows : COMMAND_PALETTE_MAX_ROWS);
    return (struct rect){body.row + 1, (body.cols - cols) / 2, rows, cols};
}

struct layout layout_of(int rows, int cols, const struct layout_input *input)
{
    struct layout layout = {
        .rows = rows, .cols = cols, .divider_col = -1, .side_rule_row = -1, .prompt_rule_row = -1};
    layout.too_small = rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS;
    if (layout.too_small)
        return layout;
    layout.narrow = cols < LAYOUT_WIDE_COLS || rows < WIDE_ROWS;
    layout.title = (struct rect){0, 0, 1, cols};
    layout.keys = (struct rect){rows - 1, 0, 1, cols};

    struct rect body = {1, 0, rows - 2, cols};
    int prompt = prompt_rows(&layout, body.rows, input);
    struct rect panes = body;
    if (prompt > 0) {
        panes.rows -= prompt + 1;
        layout.prompt_rule_row = rows - 2 - prompt;
        layout.panes[PANE_PROMPT] = (struct rect){layout.prompt_rule_row + 1, 0, prompt, cols};
    }
    place_panes(&layout, panes, input);
    if (input->overlay != PANE_COUNT)
        layout.panes[input->overlay] = overlay_rect(&layout, body, input->overlay);
    return layout;
}

static bool holds(const struct rect *rect, int row, int col)
{
    return row >= rect->row && row - rect->row < rect->rows && col >= rect->col &&
           col - rect->col < rect->cols;
}

enum pane_id layout_pane_at(const struct layout *layout, int row, int col)
{
    for (size_t i = PANE_COUNT; i-- > 0;) /* those that lie on top come last in the list */
        if (holds(&layout->panes[i], row, col))
            return (enum pane_id)i;
    return PANE_COUNT;
}
