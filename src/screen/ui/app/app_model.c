/* See app_internal.h: the model whose heads are shown. */
#include "ui/app/app_internal.h"

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
