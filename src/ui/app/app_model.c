/* See app_internal.h: the model whose heads are shown. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "ui/app/app_internal.h"

#include <stdlib.h>

static const char setting[] = "model-folder"; /* of the model that was looked into last */

void app_open_model(struct app *app, const char *text, size_t size)
{
    struct error error;
    terminal_watch_interrupt(app->terminal, true);
    bool ok = heads_pane_read(&app->heads, text, size, &error);
    terminal_watch_interrupt(app->terminal, false);
    if (ok)
        app_show_view(app, VIEW_MODEL);
    else
        app_say_error(app, &error);
}

void app_view_model(struct app *app, const char *folder)
{
    struct error error;
    terminal_watch_interrupt(app->terminal, true);
    bool ok = heads_pane_view(&app->heads, folder, &error);
    terminal_watch_interrupt(app->terminal, false);
    if (ok)
        app_show_view(app, VIEW_MODEL);
    else
        app_say_error(app, &error);
}

void app_remember_model(struct app *app, const char *folder)
{
    char *path = realpath(folder, NULL);
    /* Where it can't be kept, home offers the model of attn; progress_problem() has said why. */
    if (path != NULL)
        (void)progress_set_setting(app->progress, setting, path, NULL);
    free(path);
}

void app_last_model(const struct app *app, struct text *folder)
{
    (void)progress_setting(app->progress, setting, folder);
}
