/* See app_internal.h: the effects of shell commands in the screen. */
#include "ui/app/app_internal.h"

#include <stdio.h>
#include <string.h>

/* The exercise that a command without a name means: the one that the lesson asks for, else the one
 * that is open, else the first that is not solved. */
static const char *meant_exercise(struct app *app, struct error *reterr)
{
    const struct exercises *all = exercise_pane_list(&app->exercise, reterr);
    if (lesson_pane_asked_exercise(&app->lesson) != NULL)
        return lesson_pane_asked_exercise(&app->lesson);
    if (exercise_pane_current(&app->exercise) != NULL)
        return exercise_pane_current(&app->exercise)->id;
    for (size_t i = 0; all != NULL && i < all->n; i++)
        if (!progress_is_solved(app->progress, all->items[i]->id))
            return all->items[i]->id;
    return all != NULL && all->n > 0 ? all->items[0]->id : NULL;
}

/* Opens an exercise, and asks its pane for something. */
static void go_to_exercise(struct app *app, const char *name, enum request request)
{
    struct error error;
    error_set(&error, ERR_NAME, "there are no exercises");
    if (name == NULL)
        name = meant_exercise(app, &error);
    if (name == NULL) {
        app_say_error(app, &error);
        return;
    }
    if (app_open_exercise(app, name) && request != REQ_NONE)
        (void)exercise_task_request(&app->exercise, request, KEYCODE_NONE);
}

static void explore(struct app *app, const char *what, size_t size)
{
    struct exploration exploration;
    struct error error;
    exploration_init(&exploration);
    exploration.options = app->explorer.pipeline.options; /* options that were not given stay */
    if (!exploration_read(what, size, &exploration, &error) ||
        !explorer_explore(&app->explorer, &exploration, &error))
        app_say_error(app, &error);
    else
        app_show_view(app, VIEW_EXPLORE);
}

static void set_from_line(struct app *app, const struct shell_line *line)
{
    struct error error;
    if (!app_set(app, line->words[0], line->n > 1 ? line->words[1] : "", &error))
        app_say_error(app, &error);
    else if (app->view == VIEW_HOME)
        app_load_home(app, false);
}

static void make_workspace(struct app *app, const char *folder)
{
    struct error error;
    if (folder == NULL) {
        go_to_exercise(app, NULL, REQ_WORKSPACE);
        return;
    }
    error_set(&error, ERR_NAME,
              "workspace %s: here it is always %s; attn start %s, at the shell, makes another",
              folder, LEARNER_FOLDER, folder);
    app_say_error(app, &error);
}

/* One of the tasks, or home's list of them. */
static void watch_training(struct app *app, const char *task)
{
    struct text what = {0};
    if (task == NULL) {
        app_show_view(app, VIEW_HOME);
        home_choose_trainings(&app->home);
        return;
    }
    text_format(&what, "task %s", task);
    app_open_training(app, text_string(&what));
    text_release(&what);
}

void app_run_command(void *context, struct shell_line *line)
{
    struct app *app = context;
    const char *argument = line->n > 1 ? line->words[1] : NULL;
    switch (line->command) {
    case SHELL_EXERCISES:
        app_show_view(app, VIEW_HOME);
        home_choose_exercises(&app->home);
        break;
    case SHELL_WORKSPACE:
        make_workspace(app, argument);
        break;
    case SHELL_EXERCISE:
        go_to_exercise(app, argument, REQ_NONE);
        break;
    case SHELL_CHECK:
        go_to_exercise(app, argument, REQ_CHECK);
        break;
    case SHELL_EXPLORE:
        explore(app, line->whole_rest, line->whole_size);
        break;
    case SHELL_MODEL:
        app_open_model(app, line->rest, line->rest_size);
        break;
    case SHELL_TRAININGS:
        watch_training(app, argument);
        break;
    case SHELL_FILM:
        app_open_training(app, "film modular");
        break;
    case SHELL_HOME:
        app_show_view(app, VIEW_HOME);
        break;
    case SHELL_THEME:
    case SHELL_PALETTE:
    case SHELL_MOUSE:
        set_from_line(app, line);
        break;
    case SHELL_COMMANDS:
        break;
    }
}
