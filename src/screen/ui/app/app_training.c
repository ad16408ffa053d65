/* See app_internal.h: trainings and films that home, the palette and the prompt open. */
#include "ui/app/app_internal.h"

#include <string.h>

#include "ui/terminal/news.h"

void app_open_training(struct app *app, const char *what)
{
    struct error error;
    news_came = 0; /* a key that came earlier stops nothing */
    if (training_pane_open_own(&app->training, what, app->options.data_dir, &error))
        app_show_view(app, VIEW_TRAINING);
    else
        app_say_error(app, &error);
}

void app_leave_training(struct app *app)
{
    char folder[sizeof app->training.own.folder];
    bool is_saved = app->training.own.is_saved;
    memcpy(folder, app->training.own.folder, sizeof folder);
    training_pane_close(&app->training);
    if (is_saved)
        app_remember_model(app, folder);
    app_show_view(app, VIEW_HOME);
    if (is_saved)
        app_notice(app, "saved in %s: Look into a model opens it", folder);
}
