/* See app_internal.h: the things shown on top of the panes. */
#include "ui/app/app_internal.h"

#include "base/array.h"

/* The panes whose keys help knows, each once, and those that work everywhere. Panes with the same
 * keys are one. Returns how many. */
static size_t list_panes(const struct app *app, const struct pane_ops *panes[PANE_COUNT + 1])
{
    size_t n = 0;
    panes[n++] = &app_everywhere;
    for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++)
        if (app->panes[id].ops->title != NULL)
            panes[n++] = app->panes[id].ops;
    return n;
}

static void prepare_help(struct app *app)
{
    if (app->help.sources.panes == NULL)
        help_init(&app->help, &(struct help_sources){.panes = app->help_panes,
                                                     .n_panes = list_panes(app, app->help_panes),
                                                     .settings = &app->tutor.session.settings,
                                                     .data_dir = app->options.data_dir});
}

void app_open_help_entry(struct app *app, const char *name)
{
    struct error error;
    prepare_help(app);
    if (help_open_entry(&app->help, name, &error))
        app->overlay = PANE_HELP;
    else
        app_say_error(app, &error);
}

void app_open_help(struct app *app, bool searches)
{
    struct error error;
    prepare_help(app);
    if (searches && !help_search(&app->help, &error)) {
        app_say_error(app, &error);
        return;
    }
    if (!searches)
        help_open(&app->help, app->panes[app->focus].ops);
    app->overlay = PANE_HELP;
}

/* Whether the view has a pane with these operations, or they are those of everywhere. */
static bool is_offered(const struct app *app, const struct pane_ops *ops)
{
    bool has = ops->is_everywhere;
    for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++)
        has = has || (app->panes[id].ops == ops && app_has_pane(app, id));
    return has;
}

/* The rooms of the house, in the order of home. Titles begin with the word that people type. */
static const struct command_palette_place places[] = {
    {"lesson: go on where you stopped", "The lesson that you are in, else the next.", PANE_GO_ON,
     ""},
    {"model: look into a model", "The heads of the model that comes with attn, and its next word.",
     PANE_RUN_LINE, "model"},
    {"train: watch one learn", "Lists the tasks that a small model learns in seconds.",
     PANE_RUN_LINE, "trainings"},
    {"train induction: watch it learn", "Two heads find each other: watch a small model learn.",
     PANE_OPEN_TRAINING, "task induction"},
    {"film: learnt by heart, then understood", "A training that took minutes, played.",
     PANE_OPEN_TRAINING, "film modular"},
    {"explore attention", "A sentence, and every number on the way to its context vectors.",
     PANE_EXPLORE, ""},
    {"exercises in C", "Lists them, with those you solved.", PANE_RUN_LINE, "exercises"},
    {"my progress", "Your progress, and your weak points.", PANE_RUN_LINE, "progress"},
    {"review what I missed", "Asks again what you missed or skipped.", PANE_RUN_LINE, "review"},
    {"home: everything in attn", "The first screen.", PANE_RUN_LINE, "home"},
};

/* The pane in focus comes first. */
void app_open_command_palette(struct app *app)
{
    const struct pane_ops *all[PANE_COUNT + 1], *panes[PANE_COUNT + 1];
    const struct binding *first = app->panes[app->focus].ops->bindings;
    struct error error;
    struct course course = {0};
    size_t n = 0, n_all = list_panes(app, all);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n_all; i++)
            if ((all[i]->bindings == first) == (pass == 0) && is_offered(app, all[i]))
                panes[n++] = all[i];
    bool has_course = course_open(app->options.data_dir, &course, &error);
    char lines[APP_SETTING_CHOICES][APP_SETTING_BYTES];
    const char *settings[APP_SETTING_CHOICES];
    size_t n_settings = app_setting_choices(lines);
    for (size_t i = 0; i < n_settings; i++)
        settings[i] = lines[i];
    const struct command_palette_sources sources = {.places = places,
                                                    .n_places = COUNT_OF(places),
                                                    .panes = panes,
                                                    .n_panes = n,
                                                    .course = has_course ? &course : NULL,
                                                    .data_dir = app->options.data_dir,
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
