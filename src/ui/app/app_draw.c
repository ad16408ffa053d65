/* See app_internal.h: the screen as it is now. */
#include "ui/app/app_internal.h"

#include <string.h>

#include "base/text.h"

enum {
    BAR_GAP = 2,       /* columns between two keys of the key bar */
    BAR_KEPT_KEYS = 3, /* that work everywhere: help, quit, the next pane */
    PROGRESS_CELLS = 10,
};

static bool is_ascii(const struct app *app)
{
    return app->options.settings.ascii;
}

static struct area rect_area(struct app *app, struct rect rect)
{
    return area_part(canvas_area(&app->canvas), rect.row, rect.col, rect.rows, rect.cols);
}

struct area app_pane_area(struct app *app, enum pane_id pane)
{
    return rect_area(app, app->layout.panes[pane]);
}

/* "######----  62%", at the right end. */
static void draw_progress(const struct app *app, struct area area, int percent)
{
    bool ascii = is_ascii(app);
    int col = 0;
    for (int i = 0; i < PROGRESS_CELLS; i++) {
        bool full = (i + 1) * 100 <= percent * PROGRESS_CELLS;
        const char *block = full ? (ascii ? "#" : "\xE2\x96\x88") : (ascii ? "-" : "\xE2\x96\x91");
        col = area_text(area, 0, col, look_of(full ? STYLE_GOOD : STYLE_QUIET), block);
    }
    area_format(area, 0, col, look_of(STYLE_QUIET), "%4d%%", percent);
}

static void draw_title(struct app *app)
{
    enum { PROGRESS_COLS = PROGRESS_CELLS + 6 };
    struct text title = {0};
    struct area area = rect_area(app, app->layout.title);
    int col = area_text(area, 0, 1, look_marked(STYLE_TITLE, MARK_BOLD), "attn") + 3;
    struct pane first = app->panes[layout_first_pane(app->view)];
    int percent = first.ops->write_title != NULL ? first.ops->write_title(first.state, &title) : -1;
    int end = area_text(area, 0, col, look_of(STYLE_PLAIN), text_string(&title));
    if (percent >= 0 && end + PROGRESS_COLS < area.cols)
        draw_progress(app, area_part(area, 0, area.cols - PROGRESS_COLS, 1, PROGRESS_COLS),
                      percent);
    text_release(&title);
}

/* From home nothing leads back. */
static bool is_shown(const struct app *app, const struct binding *binding)
{
    bool does_nothing = binding->request == REQ_CLOSE && app->view == VIEW_HOME &&
                        app->focus == PANE_HOME && app->overlay == PANE_COUNT;
    return binding->label != NULL && !does_nothing;
}

static int label_cols(const struct binding *binding)
{
    char name[16];
    (void)key_text(binding->key, name);
    return (int)(text_width(name, strlen(name)) +
                 text_width(binding->label, strlen(binding->label))) +
           1 + BAR_GAP;
}

static int draw_label(struct app *app, const struct binding *binding, struct area area, int col)
{
    char name[16];
    int at =
        area_text(area, 0, col, look_marked(STYLE_TITLE, MARK_BOLD), key_text(binding->key, name));
    int end = area_text(area, 0, at + 1, look_of(STYLE_QUIET), binding->label);
    if (app->n_bar < APP_BAR_KEYS) /* it can be clicked */
        app->bar[app->n_bar++] = (struct bar_key){col, end, binding->key};
    return end + BAR_GAP;
}

/* "n next  b back ...": those before the first that would go beyond `end`. */
static int draw_labels(struct app *app, const struct binding *bindings, struct area area, int col,
                       int end)
{
    for (; bindings->key != KEYCODE_NONE; bindings++) {
        if (!is_shown(app, bindings))
            continue;
        if (col + label_cols(bindings) - BAR_GAP > end)
            return col;
        col = draw_label(app, bindings, area, col);
    }
    return col;
}

static int labels_cols(const struct app *app, const struct binding *bindings, int most)
{
    int cols = 0;
    for (; bindings->key != KEYCODE_NONE && most > 0; bindings++)
        if (is_shown(app, bindings)) {
            cols += label_cols(bindings);
            most--;
        }
    return cols;
}

/* The pane's own keys; room is kept for the first of those that work everywhere. */
static void draw_keys(struct app *app)
{
    struct area area = rect_area(app, app->layout.keys);
    struct pane pane = app->panes[app_active_pane(app)];
    bool everywhere = app->overlay == PANE_COUNT && !pane_types(pane);
    int kept = everywhere ? labels_cols(app, app_everywhere.bindings, BAR_KEPT_KEYS) : 0;
    app->n_bar = 0;
    int col = draw_labels(app, pane_bindings(pane), area, 1, area.cols - kept);
    if (everywhere)
        draw_labels(app, app_everywhere.bindings, area, col, area.cols);
}

/* On the divider: which side the keys go to. */
static void point_at_focus(const struct app *app, struct area all, int row)
{
    static const char *const arrows[2][2] = {{"\xE2\x97\x80", "\xE2\x96\xB6"}, {"<", ">"}};
    struct rect pane = app->layout.panes[app->focus];
    if (app->focus == PANE_PROMPT || pane.rows < 1)
        return;
    bool is_right = pane.col > app->layout.divider_col;
    area_text(all, row, app->layout.divider_col, look_marked(STYLE_TITLE, MARK_BOLD),
              arrows[is_ascii(app)][is_right]);
}

static void draw_frame(struct app *app)
{
    struct area all = canvas_area(&app->canvas);
    const struct layout *layout = &app->layout;
    if (layout->divider_col >= 0) {
        int rows = (layout->prompt_rule_row >= 0 ? layout->prompt_rule_row : layout->keys.row) - 1;
        area_rule_down(area_part(all, 1, 0, rows, all.cols), layout->divider_col, is_ascii(app));
        point_at_focus(app, all, 1 + rows / 2);
    }
    if (layout->prompt_rule_row >= 0)
        area_rule_across(all, layout->prompt_rule_row, is_ascii(app));
}

static void draw_too_small(struct app *app)
{
    struct area all = canvas_area(&app->canvas);
    area_format(all, 0, 0, look_of(STYLE_PLAIN), "attn needs %d columns and %d rows;",
                LAYOUT_MIN_COLS, LAYOUT_MIN_ROWS);
    area_format(all, 1, 0, look_of(STYLE_PLAIN), "this window has %d and %d.", app->canvas.cols,
                app->canvas.rows);
    area_text(all, 2, 0, look_of(STYLE_QUIET), "q quits");
}

void app_draw(struct app *app)
{
    canvas_clear(&app->canvas);
    if (app->layout.too_small) {
        draw_too_small(app);
    } else {
        draw_title(app);
        draw_frame(app);
        for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++) { /* what lies on top: last */
            struct area area = app_pane_area(app, id);
            if (area.rows > 0)
                app->panes[id].ops->draw(app->panes[id].state, area,
                                         id == app->focus || id == app->overlay, is_ascii(app));
        }
        draw_keys(app);
    }
    terminal_paint(app->terminal, &app->canvas, &app->theme);
}
