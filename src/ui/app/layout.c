/* Rectangles for every pane: see layout.h. */
#include "ui/app/layout.h"

#include <stddef.h>

enum {
    WIDE_ROWS = 24,           /* two panes side by side from here on */
    PROMPT_SHARE = 6,         /* the prompt takes one row in so many */
    PROMPT_MIN_ROWS = 3,      /* two lines of transcript and the prompt */
    PANES_MIN_ROWS = 4,       /* of the panes, when the prompt grows */
    LESSON_PANE_PERCENT = 46, /* of the columns */
    LESSON_PANE_MAX_COLS =
        84, /* longer lines are hard to read: what is more goes to the explorer */
    EXERCISE_PANE_PERCENT = 50,
    EXERCISE_PANE_MAX_COLS = 100, /* C code and its diagnostics */
    HELP_MAX_COLS = 96,
    COMMAND_PALETTE_MAX_COLS = 72,
    COMMAND_PALETTE_MAX_ROWS = 20,
    OVERLAY_MARGIN = 2, /* columns left free at each side of what lies on top */
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The panes of the views, left and right; right is PANE_COUNT where one fills the body. */
static const struct pair {
    enum pane_id left, right;
} views[VIEW_COUNT] = {
    [VIEW_HOME] = {PANE_HOME, PANE_COUNT},
    [VIEW_LESSON] = {PANE_LESSON, PANE_EXPLORER},
    [VIEW_EXERCISE] = {PANE_EXERCISE, PANE_RESULT},
    [VIEW_EXPLORE] = {PANE_EXPLORER, PANE_COUNT},
};

enum pane_id layout_first_pane(enum view view)
{
    return views[view].left;
}

bool layout_view_has(enum view view, enum pane_id pane)
{
    return pane != PANE_COUNT && (views[view].left == pane || views[view].right == pane);
}

/* Rows of the prompt, its rule not counted. */
static int prompt_rows(const struct layout *layout, int body_rows, const struct layout_input *input)
{
    bool has_focus = input->focus == PANE_PROMPT;
    int usual = larger(body_rows / PROMPT_SHARE, PROMPT_MIN_ROWS);
    if (layout->narrow && has_focus)
        usual = body_rows / 2; /* what is asked stays in sight while an answer is typed */
    else if (layout->rows < WIDE_ROWS)
        usual = 1;
    if (!has_focus)
        return usual;
    return larger(usual, smaller(input->prompt_rows, body_rows - 1 - PANES_MIN_ROWS));
}

static int left_cols(enum view view, int cols)
{
    if (view == VIEW_EXERCISE)
        return smaller((cols - 1) * EXERCISE_PANE_PERCENT / 100, EXERCISE_PANE_MAX_COLS);
    return smaller((cols - 1) * LESSON_PANE_PERCENT / 100, LESSON_PANE_MAX_COLS);
}

static void place_panes(struct layout *layout, struct rect body, enum view view, enum pane_id focus)
{
    struct pair pair = views[view];
    bool one = layout->narrow || (view == VIEW_EXERCISE && layout->cols < LAYOUT_RESULT_COLS);
    if (pair.right == PANE_COUNT || one) {
        bool is_right = pair.right != PANE_COUNT && focus == pair.right;
        layout->panes[is_right ? pair.right : pair.left] = body;
        return;
    }
    int left = left_cols(view, layout->cols);
    layout->divider_col = left;
    layout->panes[pair.left] = (struct rect){body.row, 0, body.rows, left};
    layout->panes[pair.right] =
        (struct rect){body.row, left + 1, body.rows, layout->cols - left - 1};
}

/* In the middle of the body, near its top; all of it where there is one pane at a time. */
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
    struct layout layout = {.rows = rows, .cols = cols, .divider_col = -1, .prompt_rule_row = -1};
    layout.too_small = rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS;
    if (layout.too_small)
        return layout;
    layout.narrow = cols < LAYOUT_WIDE_COLS || rows < WIDE_ROWS;
    layout.title = (struct rect){0, 0, 1, cols};
    layout.keys = (struct rect){rows - 1, 0, 1, cols};

    struct rect body = {1, 0, rows - 2, cols};
    int prompt = prompt_rows(&layout, body.rows, input);
    layout.prompt_rule_row = rows - 2 - prompt;
    layout.panes[PANE_PROMPT] = (struct rect){layout.prompt_rule_row + 1, 0, prompt, cols};
    place_panes(&layout, (struct rect){1, 0, body.rows - prompt - 1, cols}, input->view,
                input->focus);
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
