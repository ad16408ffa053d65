/* See app_parts.h: the screen as it is now. */
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

struct area app_pane_area(struct app *app, enum pane_id pane)
{
    struct rect rect = app->layout.panes[pane];
    return area_part(canvas_area(&app->canvas), rect.row, rect.col, rect.rows, rect.cols);
}

static void write_explored(const struct app *app, struct text *title)
{
    text_put(title, "Explore   ");
    explorer_write_source(&app->explorer, title);
}

/* What the title row says of the view. */
static void write_title(const struct app *app, struct text *title)
{
    const struct player *player = app->tutor.player;
    const struct exercise *exercise = exercise_pane_current(&app->exercise);
    if (app->view == VIEW_HOME)
        text_put(title, "home");
    else if (app->view == VIEW_LESSON && player != NULL)
        text_format(title, "%s   %s   page %zu of %zu", player->is_review ? "Review" : "Lesson",
                    player->lesson->title, player->page + 1, player->lesson->n_pages);
    else if (app->view == VIEW_EXERCISE && exercise != NULL)
        text_format(title, "Exercise %u   %s", exercise->number, exercise->title);
    else if (app->view == VIEW_EXPLORE)
        write_explored(app, title);
}

/* "######----  62%", at the right end. */
static void draw_progress(const struct app *app, struct area area)
{
    const struct player *player = app->tutor.player;
    if (app->view != VIEW_LESSON || player == NULL || player->is_review || area.cols < 1)
        return;
    size_t done = player->finished ? player->lesson->n_pages : player->page;
    size_t percent = done * 100 / player->lesson->n_pages;
    bool ascii = is_ascii(app);
    int col = 0;
    for (size_t i = 0; i < PROGRESS_CELLS; i++) {
        bool full = (i + 1) * 100 <= percent * PROGRESS_CELLS;
        const char *block = full ? (ascii ? "#" : "\xE2\x96\x88") : (ascii ? "-" : "\xE2\x96\x91");
        col = area_text(area, 0, col, look_of(full ? STYLE_GOOD : STYLE_QUIET), block);
    }
    area_format(area, 0, col, look_of(STYLE_QUIET), "%4zu%%", percent);
}

static void draw_title(struct app *app)
{
    enum { PROGRESS_COLS = PROGRESS_CELLS + 6 };
    struct text title = {0};
    struct rect rect = app->layout.title;
    struct area area =
        area_part(canvas_area(&app->canvas), rect.row, rect.col, rect.rows, rect.cols);
    int col = area_text(area, 0, 1, look_marked(STYLE_TITLE, MARK_BOLD), "attn") + 3;
    write_title(app, &title);
    int end = area_text(area, 0, col, look_of(STYLE_PLAIN), text_string(&title));
    if (end + PROGRESS_COLS < area.cols)
        draw_progress(app, area_part(area, 0, area.cols - PROGRESS_COLS, 1, PROGRESS_COLS));
    text_release(&title);
}

/* The keys that can be clicked, from left to right. */
static void add_to_bar(struct app *app, int col, int end, int key)
{
    if (app->n_bar < APP_BAR_KEYS)
        app->bar[app->n_bar++] = (struct bar_key){col, end, key};
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
    add_to_bar(app, col, end, binding->key);
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

static bool types(const struct app *app)
{
    return (app->focus == PANE_LESSON && app->lesson.types) ||
           (app->focus == PANE_EXPLORER && app->explorer.is_typing);
}

static const struct binding *bindings_in_use(const struct app *app)
{
    if (app->overlay == PANE_COUNT && types(app))
        return app_bindings_typing;
    if (app->overlay == PANE_HELP)
        return app->help.searches ? help_search_bindings : help_bindings;
    return app_bindings(app->overlay != PANE_COUNT ? app->overlay : app->focus);
}

/* The pane's own keys; room is kept for the first of those that work everywhere. */
static void draw_keys(struct app *app)
{
    struct rect rect = app->layout.keys;
    struct area area =
        area_part(canvas_area(&app->canvas), rect.row, rect.col, rect.rows, rect.cols);
    bool everywhere = app->overlay == PANE_COUNT && app->focus != PANE_CONSOLE && !types(app);
    int kept = everywhere ? labels_cols(app, app_bindings_everywhere, BAR_KEPT_KEYS) : 0;
    app->n_bar = 0;
    int col = draw_labels(app, bindings_in_use(app), area, 1, area.cols - kept);
    if (everywhere)
        draw_labels(app, app_bindings_everywhere, area, col, area.cols);
}

static void draw_pane(struct app *app, enum pane_id pane)
{
    struct area area = app_pane_area(app, pane);
    bool focused = app->focus == pane, ascii = is_ascii(app);
    if (area.rows < 1)
        return;
    if (pane == PANE_HOME)
        home_draw(&app->home, area, focused, ascii);
    else if (pane == PANE_LESSON)
        lesson_pane_draw(&app->lesson, area, focused, ascii);
    else if (pane == PANE_EXPLORER)
        explorer_draw(&app->explorer, area, focused, ascii);
    else if (pane == PANE_EXERCISE)
        exercise_pane_draw(&app->exercise, area, focused, ascii);
    else if (pane == PANE_RESULT)
        exercise_pane_draw_result(&app->exercise, area, focused, ascii);
    else if (pane == PANE_CONSOLE)
        console_draw(&app->console, area, focused, ascii);
}

/* On the divider: which side the keys go to. */
static void point_at_focus(const struct app *app, struct area all, int row)
{
    static const char *const arrows[2][2] = {{"\xE2\x97\x80", "\xE2\x96\xB6"}, {"<", ">"}};
    struct rect pane = app->layout.panes[app->focus];
    if (app->focus == PANE_CONSOLE || pane.rows < 1)
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
        int rows =
            (layout->console_rule_row >= 0 ? layout->console_rule_row : layout->keys.row) - 1;
        area_rule_down(area_part(all, 1, 0, rows, all.cols), layout->divider_col, is_ascii(app));
        point_at_focus(app, all, 1 + rows / 2);
    }
    if (layout->console_rule_row >= 0)
        area_rule_across(all, layout->console_rule_row, is_ascii(app));
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
        for (enum pane_id pane = PANE_HOME; pane < PANE_COUNT; pane++)
            draw_pane(app, pane);
        if (app->overlay == PANE_HELP)
            help_draw(&app->help, app_pane_area(app, PANE_HELP), true, is_ascii(app));
        else if (app->overlay == PANE_COMMAND_PALETTE)
            command_palette_draw(&app->command_palette, app_pane_area(app, PANE_COMMAND_PALETTE),
                                 true, is_ascii(app));
        draw_keys(app);
    }
    terminal_paint(app->terminal, &app->canvas, &app->theme);
}
