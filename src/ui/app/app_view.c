/* See app_parts.h: what is shown, and where. */
#include "ui/app/app_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "shell/asides.h"

enum {
    LINE_MIN_COLS = 20,
    ROWS_OF_LINE = 2, /* a line as it was typed, and the prompt behind what it gave */
};

/* Of the exercise's two panes one may be hidden: it has the other's size. */
static void lay_out_exercise(struct app *app)
{
    struct rect task = app->layout.panes[PANE_EXERCISE], result = app->layout.panes[PANE_RESULT];
    task = task.rows > 0 ? task : result;
    result = result.rows > 0 ? result : task;
    if (task.rows > 0)
        exercise_pane_resize(&app->exercise, task.rows, task.cols, result.rows, result.cols);
}

void app_lay_out(struct app *app)
{
    int rows, cols;
    terminal_size(app->terminal, &rows, &cols);
    rows = rows < CANVAS_MAX_ROWS ? rows : CANVAS_MAX_ROWS;
    cols = cols < CANVAS_MAX_COLS ? cols : CANVAS_MAX_COLS;
    if (rows != app->canvas.rows || cols != app->canvas.cols)
        (void)canvas_resize(&app->canvas, rows, cols);
    if (app->focus != PANE_CONSOLE)
        app->console_rows = 0;
    app->layout = layout_of(
        rows, cols, &(struct layout_wish){app->view, app->focus, app->overlay, app->console_rows});
    struct rect explorer = app->layout.panes[PANE_EXPLORER];
    explorer_resize(&app->explorer, explorer.rows, explorer.cols);
    struct rect help = app->layout.panes[PANE_HELP],
                palette = app->layout.panes[PANE_COMMAND_PALETTE];
    if (app->overlay == PANE_HELP)
        help_resize(&app->help, help.rows, help.cols);
    if (app->overlay == PANE_COMMAND_PALETTE)
        command_palette_resize(&app->command_palette, palette.rows, palette.cols);
    lesson_pane_resize(&app->lesson, app->layout.panes[PANE_LESSON].rows);
    int width = app->layout.panes[PANE_LESSON].cols;
    if (width > 0 && (size_t)width != app->lesson.width_cols)
        app->page_is_stale = true;
    lay_out_exercise(app);
    struct rect console = app->layout.panes[PANE_CONSOLE];
    console_resize(&app->console, console.rows, console.cols);
}

bool app_has_pane(const struct app *app, enum pane_id pane)
{
    struct layout layout = layout_of(app->canvas.rows, app->canvas.cols,
                                     &(struct layout_wish){app->view, pane, PANE_COUNT, 0});
    return pane < PANE_COUNT && layout.panes[pane].rows > 0;
}

void app_say_error(struct app *app, const struct error *error)
{
    if (app->view == VIEW_LESSON && app->focus == PANE_LESSON)
        lesson_pane_say_error(&app->lesson, error);
    else
        console_add_error(&app->console, error, "");
}

void app_open_page(struct app *app, bool is_turned)
{
    struct error error;
    int width = app->layout.panes[PANE_LESSON].cols;
    app->page_is_turned = app->page_is_turned || is_turned;
    if (width <= 0)
        return; /* where there is no room for it now, it is opened later */
    app->page_is_stale = false;
    if (!lesson_pane_open(&app->lesson, (size_t)width, app->page_is_turned, &error))
        app_say_error(app, &error);
    app->page_is_turned = false;
}

void app_show_view(struct app *app, enum view view)
{
    static const enum pane_id firsts[VIEW_COUNT] = {
        [VIEW_HOME] = PANE_HOME,
        [VIEW_LESSON] = PANE_LESSON,
        [VIEW_EXERCISE] = PANE_EXERCISE,
        [VIEW_EXPLORE] = PANE_EXPLORER,
    };
    struct error error;
    app->view = view;
    app->focus = firsts[view];
    app_lay_out(app);
    app->home.exercises = exercise_pane_list(&app->exercise, &error);
    app_list_settings(app);
    if (view == VIEW_HOME && !home_load(&app->home, &app->tutor, &error))
        app_say_error(app, &error);
    if (view == VIEW_LESSON)
        app_open_page(app, true);
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
        app->focus = PANE_CONSOLE;
}

/* The lesson was closed: nothing of it may stay. */
static void leave_lesson(struct app *app, bool from_lesson)
{
    lesson_pane_leave(&app->lesson);
    if (app->view == VIEW_LESSON)
        app_show_view(app, VIEW_HOME);
    if (!from_lesson)
        app->focus = PANE_CONSOLE;
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
        console_add(&app->console, shown);
}

/* Lines that a pane runs are laid out for its width. */
static void set_width(struct app *app, bool from_lesson)
{
    size_t cols = from_lesson ? lesson_pane_text_cols(&app->lesson)
                              : (size_t)app->layout.panes[PANE_CONSOLE].cols;
    if (cols >= LINE_MIN_COLS)
        tutor_set_width(&app->tutor, cols);
}

static bool run_line(struct app *app, const char *line, struct doc *shown, struct error *reterr)
{
    size_t width = (size_t)app->layout.panes[PANE_CONSOLE].cols;
    if (aside_help(line, true, width, shown))
        return true;
    app_stop_following(app);
    terminal_watch_interrupt(app->terminal, true);
    bool ok = tutor_line(&app->tutor, line, strlen(line), shown, reterr);
    terminal_watch_interrupt(app->terminal, false);
    app_follow(app);
    if (ok)
        aside_list(line, true, shown);
    return ok;
}

void app_do_line(struct app *app, const char *line, bool from_lesson)
{
    struct doc shown;
    struct error error;
    if (!from_lesson && app_do_word(app, line))
        return;
    struct place before = place_of(app);
    size_t n_before = app->console.transcript.n_lines;
    doc_init(&shown);
    set_width(app, from_lesson);
    if (run_line(app, line, &shown, &error))
        show_result(app, from_lesson, before, &shown);
    else if (from_lesson)
        lesson_pane_say_error(&app->lesson, &error);
    else
        console_add_error(&app->console, &error, line);
    size_t n_now = app->console.transcript.n_lines; /* of a long one the oldest lines go */
    app->console_rows =
        (int)size_min(n_now > n_before ? n_now - n_before : 0, CANVAS_MAX_ROWS) + ROWS_OF_LINE;
    doc_release(&shown);
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

/* The exercise that a lesson's page asks for and that is not solved yet; or NULL. */
const char *app_asked_exercise(const struct app *app)
{
    const struct player *player = app->tutor.player;
    if (player == NULL || player->finished || !player_is_asking(player) ||
        player_page(player)->question->kind != QUESTION_EXERCISE)
        return NULL;
    const char *name = player_page(player)->question->exercise.text;
    return progress_is_solved(app->progress, name) ? NULL : name;
}

void app_open_chosen(struct app *app)
{
    const struct home_item *item = home_chosen(&app->home);
    char line[LESSON_NAME_BYTES + 16];
    if (item == NULL)
        return;
    if (item->kind == HOME_EXPLORE) {
        explorer_show_sentence(&app->explorer);
        app_show_view(app, VIEW_EXPLORE);
        return;
    }
    if (item->kind == HOME_EXERCISE) {
        (void)app_open_exercise(app, item->name);
        return;
    }
    if (item->kind == HOME_SETTING) {
        app_do_line(app, item->name, false);
        return;
    }
    snprintf(line, sizeof line, "lesson %s", item->name);
    app_do_line(app, line, false);
    if (app->tutor.player != NULL)
        app_show_view(app, VIEW_LESSON);
}

static const struct help_pane help_panes[] = {
    {PANE_COUNT, "Everywhere", app_bindings_everywhere, false},
    {PANE_HOME, "Home", home_bindings, false},
    {PANE_LESSON, "Lesson", lesson_pane_bindings, false},
    {PANE_EXPLORER, "Explorer", explorer_bindings, false},
    {PANE_EXERCISE, "Exercise", exercise_pane_bindings, false},
    {PANE_CONSOLE, "Prompt", console_bindings, true},
};
enum { N_HELP_PANES = COUNT_OF(help_panes) };

/* What lies over the panes. */

/* The pane in focus; an exercise's result has the keys of the exercise. */
static enum pane_id helped_pane(const struct app *app)
{
    return app->focus == PANE_RESULT ? PANE_EXERCISE : app->focus;
}

void app_open_help(struct app *app, bool searches)
{
    struct error error;
    struct course course = {0};
    bool has_course = course_open(app->options.data_dir, &course, &error);
    bool ok = app->help.n > 0 ||
              help_load(&app->help, help_panes, N_HELP_PANES, has_course ? &course : NULL, &error);
    course_release(&course);
    if (!ok) {
        app_say_error(app, &error);
        return;
    }
    if (searches)
        help_search(&app->help);
    else
        help_open(&app->help, helped_pane(app));
    app->overlay = PANE_HELP;
}

/* The pane in focus comes first. */
void app_open_command_palette(struct app *app)
{
    struct help_pane panes[N_HELP_PANES];
    struct error error;
    struct course course = {0};
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < N_HELP_PANES; i++)
            if ((help_panes[i].id == helped_pane(app)) == (pass == 0) &&
                (help_panes[i].id == PANE_COUNT || app_has_pane(app, help_panes[i].id)))
                panes[n++] = help_panes[i];
    bool has_course = course_open(app->options.data_dir, &course, &error);
    char lines[APP_SETTING_CHOICES][APP_SETTING_BYTES];
    const char *settings[APP_SETTING_CHOICES];
    size_t n_settings = app_setting_choices(lines);
    for (size_t i = 0; i < n_settings; i++)
        settings[i] = lines[i];
    const struct command_palette_sources sources = {.panes = panes,
                                                    .n_panes = n,
                                                    .course = has_course ? &course : NULL,
                                                    .settings = settings,
                                                    .n_settings = n_settings};
    bool ok = command_palette_load(&app->command_palette, &sources, &error);
    course_release(&course);
    if (!ok) {
        app_say_error(app, &error);
        return;
    }
    command_palette_open(&app->command_palette);
    app->overlay = PANE_COMMAND_PALETTE;
}
