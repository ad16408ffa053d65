/* The explorer as a pane. See explorer.h. */
#include "ui/panes/explorer/explorer.h"

static bool types(const void *state)
{
    return ((const struct explorer *)state)->is_typing;
}

static bool key(void *state, int keycode)
{
    return explorer_key(state, keycode);
}

static bool request(void *state, enum request wanted, int keycode)
{
    return explorer_request(state, wanted, keycode);
}

static bool click(void *state, struct area area, int row, int col, bool is_double)
{
    return explorer_click(state, area, row, col, is_double);
}

static void wheel(void *state, int steps)
{
    explorer_wheel(state, steps);
}

static void resize(void *state, int rows, int cols)
{
    explorer_resize(state, rows, cols);
}

static void draw(const void *state, struct area area, bool focused, bool ascii)
{
    explorer_draw(state, area, focused, ascii);
}

static int write_title(const void *state, struct text *title)
{
    text_put(title, "Explore   ");
    explorer_write_source(state, title);
    return -1;
}

static void release(void *state)
{
    explorer_release(state);
}

const struct pane_ops explorer_ops = {
    .title = "Explorer",
    .bindings = explorer_bindings,
    .typing_bindings = field_bindings,
    .types = types,
    .key = key,
    .request = request,
    .click = click,
    .wheel = wheel,
    .resize = resize,
    .draw = draw,
    .write_title = write_title,
    .release = release,
};
