/* See app_internal.h: what is shown, and where. */
#include "ui/app/app_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "shell/shell.h"

enum {
    LINE_MIN_COLS = 20,
    ROWS_OF_LINE = 2, /* a line as it was typed, and the prompt after what it gave */
};

void app_lay_out(struct app *app)
{
    int rows, cols;
    terminal_size(app->terminal, &rows, &cols);
    rows = rows < CANVAS_MAX_ROWS ? rows : CANVAS_MAX_ROWS;
    cols = cols < CANVAS_MAX_COLS ? cols : CANVAS_MAX_COLS;
    if (rows != app->canvas.rows || cols != app->canvas.cols)
        (void)canvas_resize(&app->canvas, rows, cols);
    if (app->focus != PANE_PROMPT)
        app->prompt_rows = 0;
    const struct layout_input input = {app->view, app->focus, app->overlay, app->prompt_rows};
    app->layout = layout_of(rows, cols, &input);
    for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++)
        if (app->panes[id].ops->resize != NULL)
            app->panes[id].ops->resize(app->panes[id].state, app->layout.panes[id].rows,
                                       app->layout.panes[id].cols);
}

bool app_has_pane(const struct app *app, enum pane_id pane)
{
    const struct layout_input input = {app->view, pane, PANE_COUNT, 0};
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

static void load_home(struct app *app)
{
    struct error error;
    struct home_setting settings[APP_SETTINGS];
    app_list_settings(app, settings);
    const struct home_sources sources = {&app->tutor, exercise_pane_list(&app->exercise, &error),
                                         settings, APP_SETTINGS};
    if (!home_load(&app->home, &sources, &error))
        app_say_error(app, &error);
}

void app_show_view(struct app *app, enum view view)
{
    struct error error;
    app->view = view;
    app->focus = layout_first_pane(view);
    app_lay_out(app);
    if (view == VIEW_HOME)
        load_home(app);
    if (view == VIEW_LESSON && !lesson_pane_turn(&app->lesson, &error))
        app_say_error(app, &error);
}

/* Where the learner is, to see whether a line turned the page. */
struct place {
    unsigned n_opened; /* of the tutor */
    bool is_open;
    size_t page;
    bool finished;
};

static struct place place_of(const struct app *app)
{
    const struct player *player = app->tutor.player;
    return (struct place){app->tutor.n_opened, player != NULL, player != NULL ? player->page : 0,
                          player != NULL && player->finished};
}

static bool same_place(struct place a, struct place b)
{
    return a.n_opened == b.n_opened && a.is_open == b.is_open && a.page == b.page &&
           a.finished == b.finished;
}

/* The page that a line led to; whoever turns pages at the prompt stays there. */
static void show_page(struct app *app, bool from_lesson, bool same_lesson, const struct doc *shown)
{
    bool stays = !from_lesson && same_lesson && app->view == VIEW_LESSON;
    app_show_view(app, VIEW_LESSON);
    if (same_lesson) /* what was said on the way; the page came by itself */
        lesson_pane_put_above(&app->lesson, shown);
    if (stays)
        app->focus = PANE_PROMPT;
}

/* The lesson was closed: nothing of it may stay. */
static void leave_lesson(struct app *app, bool from_lesson)
{
    lesson_pane_leave(&app->lesson);
    if (app->view == VIEW_LESSON)
        app_show_view(app, VIEW_HOME);
    if (!from_lesson)
        app->focus = PANE_PROMPT;
}

/* What a line gave is shown in the pane that it came from; a page that was turned in its own. */
static void show_result(struct app *app, bool from_lesson, struct place before,
                        const struct doc *shown)
{
    struct place now = place_of(app);
    bool turned = !same_place(before, now);
    if (turned && now.is_open && !now.finished) {
        show_page(app, from_lesson, now.n_opened == before.n_opened, shown);
        return;
    }
    if (turned && !now.is_open)
        leave_lesson(app, from_lesson);
    if (now.is_open && (from_lesson || turned))
        lesson_pane_say(&app->lesson, shown);
    else
        prompt_add(&app->prompt, shown);
}

/* Lines that a pane runs are laid out for its width. */
static void set_width(struct app *app, bool from_lesson)
{
    size_t cols = from_lesson ? lesson_pane_text_cols(&app->lesson)
                              : (size_t)app->layout.panes[PANE_PROMPT].cols;
    if (cols >= LINE_MIN_COLS)
        tutor_set_width(&app->tutor, cols);
}

/* The explorer lets the session go before it may end, and Ctrl-C stops what is computed. */
static void around_computing(void *context, bool begins)
{
    struct app *app = context;
    if (begins)
        app_stop_following(app);
    terminal_watch_interrupt(app->terminal, begins);
    if (!begins)
        app_follow(app);
}

void app_do_line(struct app *app, const char *line, bool from_lesson)
{
    const struct shell shell = {.tutor = &app->tutor,
                                .in_screen = true,
                                .run_command = app_run_command,
                                .around_computing = around_computing,
                                .context = app};
    struct doc shown;
    struct error error;
    struct place before = place_of(app);
    size_t n_before = prompt_n_lines(&app->prompt);
    doc_init(&shown);
    set_width(app, from_lesson);
    enum shell_result result = shell_run_line(&shell, line, strlen(line), &shown, &error);
    if (result == SHELL_GAVE_OUTPUT)
        show_result(app, from_lesson, before, &shown);
    else if (result == SHELL_FAILED && from_lesson)
        lesson_pane_say_error(&app->lesson, &error);
    else if (result == SHELL_FAILED)
        prompt_add_error(&app->prompt, &error, line);
    doc_release(&shown);
    if (result == SHELL_RAN_COMMAND)
        return;
    size_t n_now = prompt_n_lines(&app->prompt);
    app->prompt_rows =
        (int)size_min(n_now > n_before ? n_now - n_before : 0, CANVAS_MAX_ROWS) + ROWS_OF_LINE;
    app->quits = app->quits || tutor_session(&app->tutor)->wants_quit;
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

void app_open_lesson(struct app *app, const char *name)
{
    struct text line = {0};
    text_format(&line, "lesson %s", name);
    app_do_line(app, text_string(&line), false);
    text_release(&line);
    if (app->tutor.player != NULL)
        app_show_view(app, VIEW_LESSON);
}

void app_to_prompt(struct app *app, const char *text)
{
    app->focus = PANE_PROMPT;
    prompt_put(&app->prompt, text);
}
