/* See app_internal.h: the keys that work everywhere, and where the others go. */
#include "ui/app/app_internal.h"

/* The key bar shows them in this order, as far as there is room. */
static const struct binding everywhere[] = {
    {'?', REQ_HELP, "help", "shows the keys of the pane in focus"},
    {'q', REQ_QUIT, "quit", "leaves attn; it goes on here next time"},
    {KEYCODE_TAB, REQ_NEXT_PANE, "pane", "goes to the next pane"},
    {KEYCODE_BACK_TAB, REQ_PREVIOUS_PANE, NULL, "goes to the pane before"},
    {'/', REQ_PROMPT, "prompt", "goes to the prompt; ^P does it too, while something is typed"},
    {'P' - '@', REQ_PROMPT, NULL, NULL},
    {KEYCODE_ESCAPE, REQ_CLOSE, "leave",
     "goes back: from the prompt to the pane, from a pane home"},
    {':', REQ_COMMAND_PALETTE, "all",
     "lists all that can be done, and narrows it down while you type"},
    {KEYCODE_F1, REQ_SEARCH_HELP, "search help", "searches all help"},
    {KEYCODE_CTRL_C, REQ_QUIT, NULL, "leaves attn, or stops what is being computed"},
    {'L' - '@', REQ_REDRAW, NULL, "draws the screen anew"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

const struct pane_ops app_everywhere = {
    .title = "Everywhere", .bindings = everywhere, .is_everywhere = true};

enum pane_id app_active_pane(const struct app *app)
{
    return app->overlay != PANE_COUNT ? app->overlay : app->focus;
}
