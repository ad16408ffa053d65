/* See app.h. Draw, wait, handle: only display_wait_input() waits, only app_draw() draws. */
#include "ui/app/app_internal.h"

#include <stdlib.h>
#include <string.h>

#include "files/clock.h"

enum { RESIZE_SETTLE_MS = 120 }; /* so long the page waits for a window that is being dragged */

/* The key bar shows them in this order, as far as there is room. */
const struct binding app_bindings_everywhere[] = {
    {'?', REQ_HELP, "help", "shows the keys of the pane in focus"},
    {'q', REQ_QUIT, "quit", "leaves attn; it goes on here next time"},
    {KEY_TAB_, REQ_NEXT_PANE, "pane", "goes to the next pane"},
    {KEY_BACK_TAB, REQ_PREVIOUS_PANE, NULL, "goes to the pane before"},
    {'/', REQ_PROMPT, "prompt", "goes to the prompt"},
    {KEY_ESCAPE, REQ_CLOSE, "leave", "goes back: from the prompt to the pane, from a pane home"},
    {':', REQ_PALETTE, "all", "lists all that can be done, and narrows it down while you type"},
    {KEY_F1_, REQ_SEARCH_HELP, "search help", "searches all help"},
    {KEY_CTRL_C, REQ_QUIT, NULL, "leaves attn, or stops what is being computed"},
    {'L' - '@', REQ_REDRAW, NULL, "draws the screen anew"},
    {KEY_NONE, REQ_NONE, NULL, NULL},
};

const struct binding app_bindings_typing[] = {
    {KEY_ENTER_, REQ_OPEN, "take it", "takes what is typed"},
    {KEY_ESCAPE, REQ_CLOSE, "give it up", "leaves things as they were"},
    {KEY_F1_, REQ_SEARCH_HELP, "search help", "searches all help"},
    {KEY_NONE, REQ_NONE, NULL, NULL},
};

const struct binding *app_bindings(enum pane_id pane)
{
    switch (pane) {
    case PANE_PALETTE:
        return palette_bindings;
    case PANE_HOME:
        return home_bindings;
    case PANE_READER:
        return reader_bindings;
    case PANE_EXPLORER:
        return explorer_bindings;
    case PANE_WORKSHOP:
    case PANE_RESULT:
        return workshop_bindings;
    case PANE_CONSOLE:
        return console_bindings;
    default:
        return app_bindings_everywhere;
    }
}

static void tick(struct app *app)
{
    (void)display_child_ended(app->screen); /* workshop_tick() looks */
    workshop_tick(&app->workshop, clock_ms(), app->view == VIEW_EXERCISE);
    app_grant_workshop(app);
}

static int timeout_ms(const struct app *app)
{
    int workshop = workshop_timeout_ms(&app->workshop);
    if (app->page_is_stale && (workshop < 0 || workshop > RESIZE_SETTLE_MS))
        return RESIZE_SETTLE_MS;
    return workshop;
}

static void loop(struct app *app)
{
    while (!app->quits) {
        struct input input;
        int fds[WORKSHOP_FDS];
        tick(app);
        app_lay_out(app);
        if (!display_has_input(app->screen))
            app_draw(app);
        workshop_fds(&app->workshop, fds);
        struct display_wait wait = {
            .fds = fds, .n_fds = WORKSHOP_FDS, .timeout_ms = timeout_ms(app)};
        if (display_wait_input(app->screen, &wait, &input))
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
    settings.colours = display_colours(app->screen) == 0 ? COLOURS_NONE : COLOURS_TRUE;
    tutor_init(&app->tutor, &settings, options->data_dir, &display_interrupted, app->progress);
    reader_init(&app->reader, &app->tutor);
    workshop_init(&app->workshop, &settings, options->data_dir, options->program, app->progress);
    /* The prompt last: once readline is its, lines can't be read in another way. */
    if (!explorer_init(&app->explorer, &settings, options->data_dir, &display_interrupted,
                       reterr) ||
        !console_init(&app->console, &app->tutor, reterr))
        return false;
    app->overlay = PANE_COUNT;
    app->theme.n_colours = display_colours(app->screen);
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
    display_close(app->screen);
    explorer_release(&app->explorer);
    console_release(&app->console);
    reader_release(&app->reader);
    home_release(&app->home);
    help_release(&app->help);
    palette_release(&app->palette);
    workshop_release(&app->workshop);
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
              display_open(&options->screen, &app->screen, reterr);
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
