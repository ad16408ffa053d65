/* See app.h. Draw, wait, handle: only terminal_wait_input() waits, only app_draw() draws. */
#include "ui/app/app_internal.h"

#include <string.h>

#include "exercise/exercises.h"
#include "files/clock.h"
#include "ui/terminal/news.h"

/* The table of panes, in the order of enum pane_id. */
static void list_panes(struct app *app)
{
    const struct pane panes[PANE_COUNT] = {
        [PANE_HOME] = {&home_ops, &app->home},
        [PANE_LESSON] = {&lesson_pane_ops, &app->lesson},
        [PANE_PICTURE] = {&picture_ops, &app->picture},
        [PANE_EXPLORER] = {&explorer_ops, &app->explorer},
        [PANE_EXERCISE] = {&exercise_task_ops, &app->exercise},
        [PANE_RESULT] = {&exercise_result_ops, &app->exercise},
        [PANE_HEADS] = {&heads_pane_ops, &app->heads},
        [PANE_TRAINING] = {&training_pane_ops, &app->training},
        [PANE_PROMPT] = {&prompt_ops, &app->prompt},
        [PANE_HELP] = {&help_ops, &app->help},
        [PANE_COMMAND_PALETTE] = {&command_palette_ops, &app->command_palette},
    };
    memcpy(app->panes, panes, sizeof panes);
}

/* The work of the panes that goes on between keys. */
static void tick(struct app *app)
{
    (void)terminal_child_ended(app->terminal); /* the pane whose child it is looks itself */
    news_watch(app->view == VIEW_TRAINING);
    for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++)
        if (app->panes[id].ops->tick != NULL)
            app->panes[id].ops->tick(app->panes[id].state, clock_ms(),
                                     layout_view_has(app->view, id));
    news_watch(false);
    app_do_requests(app);
}

/* The files that the loop waits for besides keys: those of all panes. */
static struct terminal_wait wait_for_panes(const struct app *app,
                                           int fds[PANE_COUNT * PANE_MAX_FDS])
{
    struct terminal_wait wait = {.fds = fds, .timeout_ms = -1};
    for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++) {
        const struct pane *pane = &app->panes[id];
        if (pane->ops->fds != NULL)
            wait.n_fds += pane->ops->fds(pane->state, fds + wait.n_fds);
        int timeout = pane->ops->timeout_ms != NULL ? pane->ops->timeout_ms(pane->state) : -1;
        if (timeout >= 0 && (wait.timeout_ms < 0 || timeout < wait.timeout_ms))
            wait.timeout_ms = timeout;
    }
    return wait;
}

static void loop(struct app *app)
{
    struct input input = {0};
    while (!app->quits) {
        int fds[PANE_COUNT * PANE_MAX_FDS];
        bool more = terminal_has_input(app->terminal);
        if (!more || !input.is_pasted) { /* amid a paste all this waits for its end */
            tick(app);
            app_follow_drawings(app);
            app_follow_background(app);
            app_lay_out(app);
        }
        if (!more)
            app_draw(app);
        if (app->home.is_brief) { /* its first frame stands; the rest is there before any key */
            app->home.is_brief = false;
            app_load_home(app, false);
            continue;
        }
        struct terminal_wait wait = wait_for_panes(app, fds);
        if (terminal_wait_input(app->terminal, &wait, &input))
            app_handle(app, &input);
    }
}

/* Runs the line, and opens the tensor, that the program was started with. */
static void open_first(struct app *app)
{
    struct error error;
    const struct exploration *exploration = app->options.exploration;
    if (app->options.line != NULL)
        app_run_line(app, app->options.line, false);
    if (exploration == NULL)
        return;
    if (!explorer_explore(&app->explorer, exploration, &error))
        app_say_error(app, &error);
    app_show_view(app, VIEW_EXPLORE);
}

/* The model that it was started for. */
static bool open_heads(struct app *app, struct error *reterr)
{
    const struct heads_start *start = app->options.heads;
    if (start == NULL)
        return true;
    app->heads.look.layer = start->layer;
    app->heads.look.head = start->head;
    app->heads.is_one = start->is_one;
    terminal_watch_interrupt(app->terminal, true); /* a long text takes seconds */
    bool ok = heads_pane_open(&app->heads, start->run, reterr) &&
              (start->compared == NULL || heads_pane_compare(&app->heads, start->compared, reterr));
    terminal_watch_interrupt(app->terminal, false);
    if (ok && start->folder != NULL)
        app_remember_model(app, start->folder);
    if (ok)
        app_show_view(app, VIEW_MODEL);
    return ok;
}

/* The training that it was started for. */
static bool open_training(struct app *app, struct error *reterr)
{
    const struct training_start *start = app->options.training;
    if (start == NULL)
        return true;
    if (!training_pane_open(&app->training, start, reterr))
        return false;
    app_show_view(app, VIEW_TRAINING);
    return true;
}

static bool start(struct app *app, struct error *reterr)
{
    const struct app_options *options = &app->options;
    struct settings settings = options->settings;
    list_panes(app);
    /* A terminal without colours shows shades instead. */
    settings.echo = true;
    settings.colours = terminal_colours(app->terminal) == 0 ? COLOURS_NONE : COLOURS_TRUE;
    tutor_init(&app->tutor, &(struct player_setup){.progress = app->progress,
                                                   .settings = &settings,
                                                   .data_dir = options->data_dir,
                                                   .stop = &terminal_interrupted,
                                                   .count_exercises = catalogue_count,
                                                   .announce = app_draw_announced,
                                                   .announce_context = app});
    lesson_pane_init(&app->lesson, &app->tutor);
    exercise_pane_init(&app->exercise, &settings, options->data_dir, options->program,
                       app->progress);
    prompt_init(&app->prompt, &app->tutor);
    picture_init(&app->picture, &settings, &terminal_interrupted);
    if (!explorer_init(&app->explorer, &settings, options->data_dir, &terminal_interrupted, reterr))
        return false;
    if (!heads_pane_init(&app->heads, &settings, options->data_dir, &terminal_interrupted, reterr))
        return false;
    training_pane_init(&app->training, &settings, &news_came);
    app->overlay = PANE_COUNT;
    app->side = PANE_PICTURE;
    app->theme.n_colours = terminal_colours(app->terminal);
    app_load_settings(app);
    app_load_exploration(app);
    if (progress_problem(app->progress) != NULL) {
        struct error error;
        error_set(&error, ERR_FILE, "%s", progress_problem(app->progress));
        prompt_add_error(&app->prompt, &error, "");
    }
    app_restore_lines(app);
    app->view = VIEW_HOME;
    app->focus = layout_first_pane(app->view);
    app_lay_out(app);
    open_first(app);
    if (!open_heads(app, reterr) || !open_training(app, reterr))
        return false;
    if (app->view == VIEW_HOME) /* its list is read when it is seen */
        app_load_home(app, true);
    return true;
}

static void end(struct app *app)
{
    terminal_close(app->terminal);
    app_save_exploration(app);
    for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++)
        if (app->panes[id].ops->release != NULL)
            app->panes[id].ops->release(app->panes[id].state);
    tutor_release(&app->tutor);
    text_release(&app->remembered);
    canvas_release(&app->canvas);
}

bool app_run(const struct app_options *options, struct error *reterr)
{
    /* Its fields take 1.7 MB, of which a run touches little: calloc() would fill it with zeros
     * first, which takes longer than a frame. There is one screen. */
    static struct app only;
    static bool was_used;
    struct app *app = &only;
    if (was_used)
        memset(app, 0, sizeof *app);
    was_used = true;
    app->options = *options;
    app->progress = progress_open(NULL);
    bool ok = (app->progress != NULL || error_memory(reterr, "attn")) &&
              terminal_open(&(struct terminal_options){.with_colour = options->settings.colours !=
                                                                      COLOURS_NONE,
                                                       .is_utf8 = options->is_utf8},
                            &app->terminal, reterr);
    if (ok) {
        ok = start(app, reterr);
        if (ok) {
            loop(app);
            app_keep_lines(app);
        }
        end(app);
    }
    progress_close(app->progress);
    return ok;
}
