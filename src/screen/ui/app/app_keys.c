/* See app_internal.h: the keys that work everywhere, and the panes that get the others. */
#include "ui/app/app_internal.h"

#include <stdarg.h>
#include <stdio.h>

/* The key bar shows them in this order, as far as there is room. */
static const struct binding everywhere[] = {
    {'?', REQ_HELP, "help", "shows the keys of the pane in focus"},
    {'q', REQ_LEAVE, "leave",
     "goes up one level: closes what is open, from the second pane to the first, from there home; "
     "from home it leaves attn, which goes on here next time"},
    {KEYCODE_CTRL_Q, REQ_LEAVE, NULL, "goes up one level as q does, also while something is typed"},
    {KEYCODE_TAB, REQ_NEXT_PANE, "pane", "goes to the next pane"},
    {KEYCODE_BACK_TAB, REQ_PREVIOUS_PANE, NULL, "goes to the previous pane"},
    {KEYCODE_F6, REQ_NEXT_PANE, NULL, "goes to the next pane, also while something is typed"},
    {KEYCODE_SHIFT_F6, REQ_PREVIOUS_PANE, NULL,
     "goes to the previous pane, also while something is typed"},
    {':', REQ_COMMAND_PALETTE, "all", "lists all commands, and narrows it down while you type"},
    {KEYCODE_F2, REQ_COMMAND_PALETTE, NULL, "lists all commands, also while something is typed"},
    {KEYCODE_F1, REQ_SEARCH_HELP, "find", "searches all help"},
    {'/', REQ_PROMPT, "prompt",
     "goes to the prompt; in a lesson or an exercise it finds words instead"},
    {'P' - '@', REQ_PROMPT, "prompt", "goes to the prompt, also while something is typed"},
    {'z', REQ_ZOOM, "zoom", "gives the pane in focus the whole screen, and takes it back"},
    {'>', REQ_WIDER, NULL, "moves the border: the first pane gets wider, or higher"},
    {'<', REQ_NARROWER, NULL, "moves the border: the second pane gets wider, or higher"},
    {KEYCODE_ESCAPE, REQ_CLOSE, NULL, "goes up one level as q does, but never leaves attn"},
    {'j', REQ_DOWN, NULL,
     "h j k l are the arrows, and g G Home and End, wherever they mean nothing else"},
    {',', REQ_NONE, NULL,
     ", . are [ ], and ( ) are { }, wherever they mean nothing else, for keyboards that have those "
     "only with AltGr; so are Shift-Left Shift-Right, and Shift-Up Shift-Down"},
    {KEYCODE_CTRL_C, REQ_QUIT, "quit",
     "stops what is being computed; else pressed twice it leaves attn"},
    {'y', REQ_COPY_NUMBER, NULL, "copies the number under the cursor, with all its digits"},
    {'Y', REQ_COPY_TABLE, NULL,
     "copies the visible matrix, with its names, as tab-separated values; of a pane without "
     "one: its text"},
    {'x', REQ_SAVE_PICTURE, NULL,
     "saves what the pane shows as a picture (.svg, .png) or as text (.txt)"},
    {KEYCODE_F9, REQ_MOUSE, NULL,
     "turns the mouse off, so that the terminal selects text, and on; while it is on, Shift (on "
     "macOS Option) with the mouse selects text"},
    {'L' - '@', REQ_REDRAW, NULL, "draws the screen again"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

const struct pane_ops app_everywhere = {
    .title = "Everywhere", .bindings = everywhere, .is_everywhere = true};

enum pane_id app_active_pane(const struct app *app)
{
    return app->overlay != PANE_COUNT ? app->overlay : app->focus;
}

void app_notice(struct app *app, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(app->notice, sizeof app->notice, format, arguments);
    va_end(arguments);
}

void app_say_error(struct app *app, const struct error *error)
{
    struct pane pane = app->panes[app->focus];
    if (pane.ops->say_error != NULL)
        pane.ops->say_error(pane.state, error);
    else
        prompt_add_error(&app->prompt, error, "");
}
