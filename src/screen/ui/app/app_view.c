/* See app_internal.h: the visible panes, and their places. */
#include "ui/app/app_internal.h"

#include "base/size.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)LAYOUT_TEXT_MAX_COLS == (int)LESSON_PANE_MAX_TEXT_COLS + 3,
               "a lesson's pane has room for its prose, a margin and the scroll bar");

/* The rows that a pane would fill as wide as the screen. */
static int rows_in(const struct app *app, enum pane_id id)
{
    struct pane pane = app->panes[id];
    return pane.ops->rows_wanted != NULL ? pane.ops->rows_wanted(pane.state, app->canvas.cols) : 0;
}

/* The same; 0 if the panes stand side by side, and the answer makes no difference. */
static int rows_wanted(const struct app *app, enum pane_id id)
{
    return app->canvas.cols >= LAYOUT_LESSON_COLS || id == PANE_COUNT ? 0 : rows_in(app, id);
}

/* The pane beside the lesson now: its picture, or the explorer once the learner asked for it. */
static enum pane_id side_now(const struct app *app, enum pane_id focus)
{
    enum pane_id side = app_side(app);
    bool is_shown = side == PANE_PICTURE || app->keeps_explorer || focus == side;
    return is_shown ? side : PANE_COUNT;
}

struct layout_input app_layout_input(const struct app *app, enum pane_id focus)
{
    int own_rows = (int)size_min(prompt_line_rows(&app->prompt), CANVAS_MAX_ROWS);
    struct layout_input input = {
        .view = app->view,
        .focus = focus,
        .overlay = app->overlay,
        .prompt_used = rows_in(app, PANE_PROMPT),
        .prompt_rows = app->prompt_rows > own_rows ? app->prompt_rows : own_rows,
        .side = side_now(app, focus),
        .first_cols = lesson_pane_needed_cols(&app->lesson),
        .border = app->border,
        /* thumbnails need all rows */
        .zoomed = app->zoomed || app->view == VIEW_MODEL || app->view == VIEW_TRAINING};
    enum pane_id second = layout_second_pane(&input);
    input.side_rows = rows_wanted(app, second);
    /* A lesson must be composed to count its rows: only if they are asked for. */
    if (second == PANE_PICTURE && input.side_rows > 0 && app->canvas.rows < LAYOUT_STACK_ROWS)
        input.first_rows = rows_wanted(app, layout_first_pane(app->view));
    return input;
}

void app_move_border(struct app *app, int steps)
{
    char value[16];
    struct error error;
    int to = app->border + steps;
    struct layout_input input = app_layout_input(app, app->focus);
    struct layout before = app->layout;
    if (before.divider_col < 0 && before.side_rule_row < 0) {
        app_notice(app, "there is no border to move: one pane is seen at a time");
        return;
    }
    input.border = to;
    struct layout now = layout_of(before.rows, before.cols, &input);
    if (abs(to) > LAYOUT_MAX_BORDER ||
        (now.divider_col == before.divider_col && now.side_rule_row == before.side_rule_row)) {
        app_notice(app, "the border goes no further");
        return;
    }
    app->border = to;
    snprintf(value, sizeof value, "%d", to);
    if (!progress_set_setting(app->progress, "border", value, &error))
        app_say_error(app, &error);
}

/* Tells the lesson whether the page's picture is visible, so that the text leaves it out. */
static void tell_lesson(struct app *app)
{
    const struct layout *layout = &app->layout;
    struct lesson_pane *lesson = &app->lesson;
    lesson->shows_step = layout->rows > LAYOUT_STEP_ROWS;
    lesson->is_wide = layout->cols >= LAYOUT_LESSON_COLS;
    if (layout->panes[PANE_PICTURE].rows == 0)
        lesson->picture_place = LESSON_PANE_PICTURE_IN_TEXT;
    else
        lesson->picture_place =
            layout->divider_col >= 0 ? LESSON_PANE_PICTURE_RIGHT : LESSON_PANE_PICTURE_BELOW;
}

void app_lay_out(struct app *app)
{
    int rows, cols;
    struct pane pane = app->panes[app->focus];
    if (app->focus != app->focus_told && pane.ops->take_focus != NULL)
        pane.ops->take_focus(pane.state);
    app->focus_told = app->focus;
    terminal_size(app->terminal, &rows, &cols);
    rows = rows < CANVAS_MAX_ROWS ? rows : CANVAS_MAX_ROWS;
    cols = cols < CANVAS_MAX_COLS ? cols : CANVAS_MAX_COLS;
    if (rows != app->canvas.rows || cols != app->canvas.cols)
        (void)canvas_resize(&app->canvas, rows, cols);
    if (app->focus != PANE_PROMPT)
        app->prompt_rows = 0;
    if (app->view == VIEW_LESSON && app->focus == PANE_EXPLORER)
        app->keeps_explorer = true;
    const struct layout_input input = app_layout_input(app, app->focus);
    app->layout = layout_of(rows, cols, &input);
    tell_lesson(app);
    for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++)
        if (app->panes[id].ops->resize != NULL)
            app->panes[id].ops->resize(app->panes[id].state, app->layout.panes[id].rows,
                                       app->layout.panes[id].cols);
}

bool app_has_pane(const struct app *app, enum pane_id pane)
{
    const struct layout_input input = app_layout_input(app, pane);
    struct layout layout = layout_of(app->canvas.rows, app->canvas.cols, &input);
    return pane < PANE_COUNT && layout.panes[pane].rows > 0;
}

void app_load_home(struct app *app, bool is_brief)
{
    struct error error;
    struct home_setting settings[APP_SETTINGS];
    struct text explored = {0}, folder = {0};
    app_list_settings(app, settings);
    explorer_describe(&app->explorer, &explored);
    app_last_model(app, &folder);
    const struct home_sources sources = {
        .tutor = &app->tutor,
        .exercises = is_brief ? NULL : exercise_pane_list(&app->exercise, &error),
        .settings = settings,
        .n_settings = APP_SETTINGS,
        .explored = text_string(&explored),
        .model_folder = text_string(&folder),
        .is_brief = is_brief,
    };
    if (!home_load(&app->home, &sources, &error))
        app_say_error(app, &error);
    text_release(&explored);
    text_release(&folder);
}

/* Running the page tells whether a picture stands beside it; where one comes or goes, the page is
 * laid out once more for the width that is left. */
static void turn_lesson(struct app *app)
{
    struct error error;
    bool ok = lesson_pane_turn(&app->lesson, &error);
    app_follow_drawings(app);
    app_lay_out(app);
    if (ok && (size_t)app->lesson.seen_cols != app->lesson.width_cols)
        ok = lesson_pane_turn(&app->lesson, &error);
    if (!ok)
        app_say_error(app, &error);
}

void app_show_view(struct app *app, enum view view)
{
    app->zoomed = app->zoomed && app->view == view;
    if (app->view == VIEW_EXPLORE && view != VIEW_EXPLORE)
        app_save_exploration(app);
    app->view = view;
    app->is_of_training = false;
    app->focus = layout_first_pane(view);
    prompt_rest(&app->prompt);
    app_follow_drawings(app); /* the page is laid out for the room beside its picture */
    app_lay_out(app);
    if (view == VIEW_HOME)
        app_load_home(app, false);
    if (view == VIEW_LESSON)
        turn_lesson(app);
}

bool app_open_exercise(struct app *app, const char *name)
{
    struct error error;
    if (!exercise_pane_open(&app->exercise, name, &error)) {
        app_say_error(app, &error);
        return false;
    }
    if (app->view != VIEW_EXERCISE)
        app->came_from = app->view;
    app_show_view(app, VIEW_EXERCISE);
    return true;
}
