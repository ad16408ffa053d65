/* See app_internal.h: the screen as it is now. */
#include "ui/app/app_internal.h"

#include <string.h>

#include "base/text.h"
#include "course/lesson/page.h"

enum {
    BAR_GAP = 2,       /* columns between two keys of the key bar */
    BAR_KEPT_KEYS = 5, /* that work everywhere: help, leave, the next pane, the palette, find */
    BAR_KEPT_FILLED =
        2, /* help and leaving: the keys left when the pane fills the bar with its own */
    BAR_KEPT_NARROW = 3, /* on a screen of less than LAYOUT_WIDE_COLS columns */
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

/* The heading above a pane: marked and bright while the pane has the focus, which is visible
 * without colours too. Returns the column after it, and in *ret_percent how much is done, as
 * write_title() does. */
static const char *fit_title(const char *title, int cols)
{
    static const char gap[] = "   ";
    const char *rest = strstr(title, gap);
    bool fits = text_width(title, strlen(title)) <= (size_t)(cols > 0 ? cols : 0);
    return fits || rest == NULL ? title : rest + sizeof gap - 1;
}

/* What stands above a pane: marked and bright while it has the focus, which is seen without colours
 * too. Returns the column after it, and in *ret_percent how much is done, as write_title() does. */
static int draw_heading(const struct app *app, enum pane_id id, struct area area, int col,
                        int *ret_percent)
{
    struct text title = {0};
    struct pane pane = app->panes[id];
    bool focused = app_active_pane(app) == id;
    *ret_percent = -1;
    if (pane.ops->write_title != NULL)
        *ret_percent = pane.ops->write_title(pane.state, &title);
    else
        text_put(&title, pane.ops->title);
    area_text(area, 0, col, look_marked(STYLE_TITLE, MARK_BOLD),
              !focused        ? "  "
              : is_ascii(app) ? "> "
                              : "\xE2\x96\xB6 ");
    int end = area_text(area, 0, col + 2,
                        focused ? look_marked(STYLE_TITLE, MARK_BOLD) : look_of(STYLE_QUIET),
                        fit_title(text_string(&title), area.cols - col - 2));
    text_release(&title);
    return end;
}

/* The second of two visible panes; PANE_COUNT if there is only one. */
static enum pane_id top_pane(const struct app *app)
{
    enum pane_id first = layout_first_pane(app->view);
    for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++)
        if (app->layout.panes[id].rows > 0 && id != app->overlay &&
            app->layout.panes[first].rows == 0)
            return id;
    return first;
}

/* Home has no way back, and q leaves the program there. While / searches, only ^P leads to the
 * prompt. A key's general use is not shown in a pane that has another use for the key. */
static enum pane_id second_pane(const struct app *app)
{
    for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++)
        if (layout_view_has(app->view, id) && id != layout_first_pane(app->view) &&
            app->layout.panes[id].rows > 0 && top_pane(app) != id)
            return id;
    return PANE_COUNT;
}

static void draw_title(struct app *app)
{
    enum { PROGRESS_COLS = PROGRESS_CELLS + 6 };
    struct area area = rect_area(app, app->layout.title);
    int divider = app->layout.divider_col, percent, other;
    if (divider >= 0 && second_pane(app) != PANE_COUNT)
        draw_heading(app, second_pane(app),
                     area_part(area, 0, divider + 1, 1, area.cols - divider - 1), 0, &other);
    if (divider >= 0)
        area = area_part(area, 0, 0, 1, divider);
    int col = area_text(area, 0, 1, look_marked(STYLE_TITLE, MARK_BOLD), "attn");
    int end = draw_heading(app, top_pane(app), area, col + 1, &percent);
    if (percent >= 0 && end + PROGRESS_COLS < area.cols)
        draw_progress(app, area_part(area, 0, area.cols - PROGRESS_COLS, 1, PROGRESS_COLS),
                      percent);
}

/* At home a character that is not a key of its own goes to the prompt. */
static bool is_shown(const struct app *app, const struct binding *binding)
{
    struct pane pane = app->panes[app_active_pane(app)];
    enum request here = binding_find(pane_bindings(pane), binding->key);
    bool finds = binding_find(pane.ops->bindings, '/') == REQ_FIND;
    if (binding->request == REQ_PROMPT && (binding->key == '/') == finds)
        return false;
    /* At home a character that is not a key of its own goes to the prompt. */
    bool is_text = pane.ops == &home_ops && binding->key > ' ' &&
                   binding->key < KEYCODE_BACKSPACE && strchr("?:/q", binding->key) == NULL;
    bool does_nothing = is_text || (binding->request == REQ_QUIT && app->view == VIEW_HOME &&
                                    app->focus == PANE_HOME && app->overlay == PANE_COUNT);
    bool is_taken = here != REQ_NONE && here != binding->request;
    return binding->label != NULL && !does_nothing && !is_taken;
}

/* From home q leads out. */
static const char *label_of(const struct app *app, const struct binding *binding)
{
    bool quits = binding->request == REQ_LEAVE && app->view == VIEW_HOME &&
                 app->focus == PANE_HOME && app->overlay == PANE_COUNT;
    return quits ? "quit" : binding->label;
}

static int label_cols(const struct app *app, const struct binding *binding)
{
    char name[16];
    const char *label = label_of(app, binding);
    (void)key_text(binding->key, name);
    return (int)(text_width(name, strlen(name)) + text_width(label, strlen(label))) + 1 + BAR_GAP;
}

static int draw_label(struct app *app, const struct binding *binding, struct area area, int col)
{
    char name[16];
    int at =
        area_text(area, 0, col, look_marked(STYLE_TITLE, MARK_BOLD), key_text(binding->key, name));
    int end = area_text(area, 0, at + 1, look_of(STYLE_QUIET), label_of(app, binding));
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
        if (col + label_cols(app, bindings) - BAR_GAP > end)
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
            cols += label_cols(app, bindings);
            most--;
        }
    return cols;
}

/* "save as: attn-weights.svg     Enter saves  Esc cancels" */
static void draw_save(const struct app *app, struct area area)
{
    if (app->save.asks_to_replace) {
        area_format(area, 0, 1, look_of(STYLE_NOTE),
                    "%s is there already. Replace it?  y yes  n another name  ^C cancel",
                    app->save.name.text);
        return;
    }
    bool clears = app->save.is_touched && app->save.name.size > 0;
    const char *help = app->notice[0] != '\0' ? app->notice
                       : clears               ? "Enter save  Esc clear"
                                              : "Enter save  Esc cancel";
    enum style style = app->notice[0] != '\0' ? STYLE_NOTE : STYLE_QUIET;
    int col = area_text(area, 0, 1, look_of(STYLE_NAME), "save as: ");
    int help_cols = (int)text_width(help, strlen(help));
    int least = col + (int)text_width(app->save.name.text, app->save.name.size) + 3;
    int help_col = area.cols - help_cols - 1 > least ? area.cols - help_cols - 1 : least;
    if (help_col > area.cols * 2 / 3 && help_col + help_cols > area.cols)
        help_col = area.cols * 2 / 3;
    field_draw(&app->save.name, area_part(area, 0, col, 1, help_col - col - 1), "", true);
    area_text(area_part(area, 0, help_col, 1, area.cols), 0, 0, look_of(style), help);
}

/* The remark, or the name that is asked for, in place of the key bar. False: there is neither. */
static bool draw_notice(const struct app *app, struct area area)
{
    if (app->save.is_open)
        draw_save(app, area);
    else if (app->notice[0] != '\0')
        area_text(area, 0, 1, look_of(STYLE_NOTE), app->notice);
    return app->save.is_open || app->notice[0] != '\0';
}

/* The pane's own keys; room is kept for the first of those that work everywhere. */
static void draw_keys(struct app *app)
{
    struct area area = rect_area(app, app->layout.keys);
    struct pane pane = app->panes[app_active_pane(app)];
    bool everywhere = app->overlay == PANE_COUNT && !pane_types(pane);
    int most = area.cols < LAYOUT_WIDE_COLS ? BAR_KEPT_NARROW : BAR_KEPT_KEYS;
    most = pane.ops->fills_key_bar ? BAR_KEPT_FILLED : most;
    int kept = everywhere ? labels_cols(app, app_everywhere.bindings, most) : 0;
    app->n_bar = 0;
    if (draw_notice(app, area))
        return;
    int col = draw_labels(app, pane_bindings(pane), area, 1, area.cols - kept);
    if (everywhere)
        draw_labels(app, app_everywhere.bindings, area, col, area.cols);
}

/* In a rule, at its right: the second pane, while it is hidden. */
static void draw_rule(struct app *app, int row, enum pane_id below)
{
    enum { INDENT = 1, BLANKS = 1 };
    struct area all = canvas_area(&app->canvas), line = area_part(all, row, 0, 1, all.cols);
    int percent;
    area_rule_across(all, row, is_ascii(app));
    if (below == PANE_COUNT)
        return;
    area_text(line, 0, INDENT, look_of(STYLE_PLAIN), " ");
    int end = draw_heading(app, below, line, INDENT + BLANKS, &percent);
    area_text(line, 0, end, look_of(STYLE_PLAIN), " ");
}

/* In a rule, at its right: the second pane, where it is not seen. */
static void draw_hidden_pane(const struct app *app, struct area line)
{
    struct text text = {0};
    struct layout_input input = app_layout_input(app, app->focus);
    enum pane_id id = app->view == VIEW_LESSON ? app_side(app) : layout_second_pane(&input);
    if (id == PANE_COUNT || app->layout.panes[id].rows > 0 ||
        app->focus != layout_first_pane(app->view) || app->panes[id].ops->write_title == NULL)
        return;
    const char *key = pane_types(app->panes[app->focus]) ? " F6: " : " Tab: ";
    text_put(&text, key);
    (void)app->panes[id].ops->write_title(app->panes[id].state, &text);
    if (text_width(text_string(&text), text.size) + 1 >= (size_t)line.cols / 2) {
        text_clear(&text); /* the pane on top: last */
        text_format(&text, "%s%s", key, app->panes[id].ops->title);
    }
    text_char(&text, ' ');
    int cols = (int)text_width(text_string(&text), text.size);
    area_text(line, 0, line.cols - cols - 1, look_of(STYLE_QUIET), text_string(&text));
    text_release(&text);
}

static void draw_frame(struct app *app)
{
    struct area all = canvas_area(&app->canvas);
    const struct layout *layout = &app->layout;
    if (layout->divider_col >= 0) {
        int rows = (layout->prompt_rule_row >= 0 ? layout->prompt_rule_row : layout->keys.row) - 1;
        area_rule_down(area_part(all, 1, 0, rows, all.cols), layout->divider_col, is_ascii(app));
    }
    if (layout->side_rule_row >= 0)
        draw_rule(app, layout->side_rule_row, second_pane(app));
    if (layout->prompt_rule_row >= 0)
        draw_rule(app, layout->prompt_rule_row, PANE_PROMPT);
    if (layout->prompt_rule_row >= 0 && layout->divider_col >= 0 && !is_ascii(app))
        area_text(all, layout->prompt_rule_row, layout->divider_col, look_of(STYLE_QUIET),
                  "\xE2\x94\xB4");
    if (layout->prompt_rule_row >= 0)
        draw_hidden_pane(app, area_part(all, layout->prompt_rule_row, 0, 1, all.cols));
}

static void draw_too_small(struct app *app)
{
    struct text sentence = {0};
    struct doc doc;
    size_t cols = (size_t)app->canvas.cols;
    doc_init(&doc);
    text_format(&sentence, "attn needs %d columns and %d rows;", LAYOUT_MIN_COLS, LAYOUT_MIN_ROWS);
    doc_wrap(&doc, STYLE_PLAIN, text_string(&sentence), cols, 0);
    text_clear(&sentence);
    text_format(&sentence, "this window has %d and %d.", app->canvas.cols, app->canvas.rows);
    doc_wrap(&doc, STYLE_PLAIN, text_string(&sentence), cols, 0);
    doc_wrap(&doc, STYLE_QUIET, "q quits", cols, 0);
    area_doc(canvas_area(&app->canvas), &doc, 0, 0);
    text_release(&sentence);
    doc_release(&doc);
}

void app_draw_announced(void *context, const struct lesson *lesson, size_t page)
{
    struct app *app = context;
    struct settings settings = app->options.settings;
    struct doc doc;
    struct error ignored;
    bool is_quick = page == 0; /* no page has to run before it */
    if (app->is_drawn || is_quick || app->layout.too_small)
        return;
    canvas_clear(&app->canvas);
    struct area all = canvas_area(&app->canvas), keys = rect_area(app, app->layout.keys);
    int col = area_text(all, 0, 1, look_marked(STYLE_TITLE, MARK_BOLD), "attn");
    area_format(all, 0, col + 3, look_marked(STYLE_TITLE, MARK_BOLD),
                "Lesson   %s   page %zu of %zu", lesson->title, page + 1, lesson->n_pages);
    settings.width_cols = (size_t)(all.cols - 2);
    doc_init(&doc);
    (void)page_preview(&lesson->pages[page], &settings, &doc, &ignored); /* none of it, at worst */
    area_doc(area_part(all, 1, 1, keys.row - 2, all.cols - 2), &doc, 0, 0);
    doc_release(&doc);
    area_text(keys, 0, 1, look_of(STYLE_NOTE), "computing the numbers of this page");
    terminal_paint(app->terminal, &app->canvas, &app->theme);
}

void app_draw(struct app *app)
{
    app->is_drawn = true;
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
