/* See app_internal.h: what is shown, and where. */
#include "ui/app/app_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* The rows that a pane would fill as wide as the screen. */
static int rows_in(const struct app *app, enum pane_id id)
{
    struct pane pane = app->panes[id];
    return pane.ops->rows_wanted != NULL ? pane.ops->rows_wanted(pane.state, app->canvas.cols) : 0;
}

/* The same; 0 where one pane stands beside the other, and the answer makes no difference. */
static int rows_wanted(const struct app *app, enum pane_id id)
{
    return app->canvas.cols >= LAYOUT_LESSON_COLS || id == PANE_COUNT ? 0 : rows_in(app, id);
}

struct layout_input app_layout_input(const struct app *app, enum pane_id focus)
{
    enum pane_id second =
        layout_second_pane(&(struct layout_input){.view = app->view, .side = app->side});
    int side_rows = rows_wanted(app, second);
    /* A lesson must be composed to tell its rows: only where they are asked for. */
    bool needs_first =
        second == PANE_PICTURE && side_rows > 0 && app->canvas.rows < LAYOUT_STACK_ROWS;
    return (struct layout_input){
        .view = app->view,
        .focus = focus,
        .overlay = app->overlay,
        .prompt_used = rows_in(app, PANE_PROMPT),
        .prompt_rows = app->prompt_rows,
        .side = app->side,
        .side_rows = side_rows,
        .first_rows = needs_first ? rows_wanted(app, layout_first_pane(app->view)) : 0,
        .border = app->border,
        .zoomed = app->zoomed || app->view == VIEW_MODEL ||
                  app->view == VIEW_TRAINING}; /* thumbnails need all rows */
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
    const struct layout_input input = app_layout_input(app, app->focus);
    app->layout = layout_of(rows, cols, &input);
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

void app_say_error(struct app *app, const struct error *error)
{
    struct pane pane = app->panes[app->focus];
    if (pane.ops->say_error != NULL)
        pane.ops->say_error(pane.state, error);
    else
        prompt_add_error(&app->prompt, error, "");
}

void app_load_home(struct app *app, bool is_brief)
{
    struct error error;
    struct home_setting settings[APP_SETTINGS];
    struct text explored = {0};
    app_list_settings(app, settings);
    explorer_describe(&app->explorer, &explored);
    const struct home_sources sources = {
        .tutor = &app->tutor,
        .exercises = is_brief ? NULL : exercise_pane_list(&app->exercise, &error),
        .settings = settings,
        .n_settings = APP_SETTINGS,
        .explored = text_string(&explored),
        .is_brief = is_brief,
    };
    if (!home_load(&app->home, &sources, &error))
        app_say_error(app, &error);
    text_release(&explored);
}

void app_show_view(struct app *app, enum view view)
{
    struct error error;
    app->zoomed = app->zoomed && app->view == view;
    if (app->view == VIEW_EXPLORE && view != VIEW_EXPLORE)
        app_save_exploration(app);
    app->view = view;
    app->focus = layout_first_pane(view);
    prompt_rest(&app->prompt);
    app_lay_out(app);
    if (view == VIEW_HOME)
        app_load_home(app, false);
    if (view == VIEW_LESSON && !lesson_pane_turn(&app->lesson, &error))
        app_say_error(app, &error);
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
