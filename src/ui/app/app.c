/* See app.h. Draw, wait, handle: only terminal_wait_input() waits, only app_draw() draws. */
#include "ui/app/app_internal.h"

#include <stdlib.h>
#include <string.h>

#include "files/clock.h"

enum { RESIZE_SETTLE_MS = 120 }; /* so long the page waits for a window that is being dragged */

/* The key bar shows them in this order, as far as there is room. */
const struct binding app_bindings_everywhere[] = {
    {'?', REQ_HELP, "help", "shows the keys of the pane in focus"},
    {'q', REQ_QUIT, "quit", "leaves attn; it goes on here next time"},
    {KEYCODE_TAB, REQ_NEXT_PANE, "pane", "goes to the next pane"},
    {KEYCODE_BACK_TAB, REQ_PREVIOUS_PANE, NULL, "goes to the pane before"},
    {'/', REQ_PROMPT, "prompt", "goes to the prompt"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "leave",
     "goes back: from the prompt to the pane, from a pane home"},
    {':', REQ_COMMAND_PALETTE, "all",
     "lists all that can be done, and narrows it down while you type"},
    {KEYCODE_F1, REQ_SEARCH_HELP, "search help", "searches all help"},
    {KEYCODE_CTRL_C, REQ_QUIT, NULL, "leaves attn, or stops what is being computed"},
    {'L' - '@', REQ_REDRAW, NULL, "draws the screen anew"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

const struct binding app_bindings_typing[] = {
    {KEYCODE_ENTER, REQ_OPEN, "take it", "takes what is typed"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "give it up", "leaves things as they were"},
    {KEYCODE_F1, REQ_SEARCH_HELP, "search help", "searches all help"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

const struct binding *app_bindings(enum pane_id pane)
{
    switch (pane) {
    case PANE_COMMAND_PALETTE:
        return command_palette_bindings;
    case PANE_HOME:
        return home_bindings;
    case PANE_LESSON:
        return lesson_pane_bindings;
    case PANE_EXPLORER:
        return explorer_bindings;
    case PANE_EXERCISE:
    case PANE_RESULT:
        return exercise_pane_bindings;
    case PANE_CONSOLE:
        return console_bindings;
    default:
        return app_bindings_everywhere;
    }
}

static void tick(struct app *app)
{
    (void)terminal_child_ended(app->terminal); /* exercise_pane_tick() looks */
    exercise_pane_tick(&app->exercise, clock_ms(), app->view == VIEW_EXERCISE);
    app_do_exercise_request(app);
}

static int timeout_ms(const struct app *app)
{
    int exercise = exercise_pane_timeout_ms(&app->exercise);
    if (app->page_is_stale && (exercise < 0 || exercise > RESIZE_SETTLE_MS))
        return RESIZE_SETTLE_MS;
    return exercise;
}

static void loop(struct app *app)
{
    while (!app->quits) {
        struct input input;
        int fds[EXERCISE_PANE_FDS];
        tick(app);
        app_lay_out(app);
        if (!terminal_has_input(app->terminal))
            app_draw(app);
        exercise_pane_fds(&app->exercise, fds);
        struct terminal_wait wait = {
            .fds = fds, .n_fds = EXERCISE_PANE_FDS, .timeout_ms = timeout_ms(app)};
        if (terminal_wait_input(app->terminal, &wait, &input))
            app_handle(app, &input);
        else if (app->page_is_stale)
            app_open_page(app, false);
    }
}

/* What the program was started for. */
static void open_first(struct app *app)
{
    struct error error;
    const char *sentence = app->options.sentence;
    if (app->options.line != NULL)
        app_do_line(app, app->options.line, false);
    if (sentence == NULL)
        return;
    if (sentence[0] != '\0' && !explorer_show(&app->explorer, sentence, &error))
        app_say_error(app, &error);
    app_show_view(app, VIEW_EXPLORE);
}

static bool start(struct app *app, struct error *reterr)
{
    const struct app_options *options = &app->options;
    struct settings settings = options->settings;
    /* Where the terminal has no colours, shades stand for them. */
    settings.echo = true;
    settings.colours = terminal_colours(app->terminal) == 0 ? COLOURS_NONE : COLOURS_TRUE;
    tutor_init(&app->tutor, &(struct player_setup){.progress = app->progress,
                                                   .settings = &settings,
                                                   .data_dir = options->data_dir,
                                                   .stop = &terminal_interrupted});
    lesson_pane_init(&app->lesson, &app->tutor);
    exercise_pane_init(&app->exercise, &settings, options->data_dir, options->program,
                       app->progress);
    console_init(&app->console, &app->tutor);
    if (!explorer_init(&app->explorer, &settings, options->data_dir, &terminal_interrupted, reterr))
        return false;
    app->overlay = PANE_COUNT;
    app->theme.n_colours = terminal_colours(app->terminal);
    app_load_settings(app);
    if (progress_problem(app->progress) != NULL) {
        struct error error;
        error_set(&error, ERR_FILE, "%s", progress_problem(app->progress));
        console_add_error(&app->console, &error, "");
    }
    app_show_view(app, VIEW_HOME);
    open_first(app);
    return true;
}

static void end(struct app *app)
{
    terminal_close(app->terminal);
    explorer_release(&app->explorer);
    console_release(&app->console);
    lesson_pane_release(&app->lesson);
    home_release(&app->home);
    help_release(&app->help);
    command_palette_release(&app->command_palette);
    exercise_pane_release(&app->exercise);
    tutor_release(&app->tutor);
    canvas_release(&app->canvas);
}

bool app_run(const struct app_options *options, struct error *reterr)
{
    struct app *app = calloc(1, sizeof *app);
    if (app == NULL)
        return error_memory(reterr, "attn");
    app->options = *options;
    app->progress = progress_open(NULL);
    bool ok = (app->progress != NULL || error_memory(reterr, "attn")) &&
              terminal_open(&options->screen, &app->terminal, reterr);
    if (ok) {
        ok = start(app, reterr);
        if (ok)
            loop(app);
        end(app);
    }
    progress_close(app->progress);
    free(app);
    return ok;
}
