/* See app.h. Draw, wait, handle: only display_wait_input() waits, only draw_all() draws. */
#include "files/clock.h"
#include "ui/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RESIZE_SETTLE_MS = 120 }; /* so long the page waits for a window that is being dragged */

struct app {
    struct app_options options;
    struct display *screen;
    struct canvas canvas;
    struct theme theme;
    struct layout layout;
    struct progress *progress;
    struct tutor tutor;
    struct console console;
    struct reader reader;
    struct explorer explorer;
    struct home home;
    struct workshop workshop;
    enum view view;
    enum view came_from; /* where Escape leads from an exercise */
    enum pane_id focus;
    struct help help;
    struct palette palette;
    enum pane_id overlay; /* PANE_HELP or PANE_PALETTE where one is open, else PANE_COUNT */
    bool page_is_stale;   /* it was laid out for another width */
    bool quits;
};

static const struct binding global_bindings[] = {
    {KEY_TAB_, REQ_NEXT_PANE, "pane", "goes to the next pane"},
    {KEY_BACK_TAB, REQ_PREVIOUS_PANE, NULL, "goes to the pane before"},
    {'/', REQ_PROMPT, "prompt", "goes to the prompt"},
    {KEY_ESCAPE, REQ_CLOSE, NULL, "goes back: from the prompt to the pane, from a pane home"},
    {'?', REQ_HELP, "help", "shows the keys of the pane in focus"},
    {KEY_F1_, REQ_SEARCH_HELP, NULL, "searches all help"},
    {':', REQ_PALETTE, NULL, "lists all that can be done, and narrows it down while you type"},
    {'q', REQ_QUIT, "quit", "leaves attn; it goes on here next time"},
    {KEY_CTRL_C, REQ_QUIT, NULL, "leaves attn, or stops what is being computed"},
    {'L' - '@', REQ_REDRAW, NULL, "draws the screen anew"},
    {KEY_NONE, REQ_NONE, NULL, NULL},
};

static const struct help_pane help_panes[] = {
    {PANE_COUNT, "Everywhere", global_bindings, false},
    {PANE_HOME, "Home", home_bindings, false},
    {PANE_READER, "Lesson", reader_bindings, false},
    {PANE_EXPLORER, "Explorer", explorer_bindings, false},
    {PANE_WORKSHOP, "Exercise", workshop_bindings, false},
    {PANE_CONSOLE, "Prompt", console_bindings, true},
};
enum { N_HELP_PANES = sizeof help_panes / sizeof help_panes[0] };

static const char *const setting_lines[] = {
    "theme dark",      "theme light",     "theme contrast",
    "palette viridis", "palette cividis", "palette grey",
};
enum { N_SETTING_LINES = sizeof setting_lines / sizeof setting_lines[0] };

static const struct binding *bindings_of(enum pane_id pane)
{
    switch (pane) {
    case PANE_PALETTE:
        return palette_bindings;
    case PANE_HOME:
        return home_bindings;
    case PANE_READER:
        return reader_bindings;
    case PANE_EXPLORER:
        return explorer_bindings;
    case PANE_WORKSHOP:
    case PANE_RESULT:
        return workshop_bindings;
    case PANE_CONSOLE:
        return console_bindings;
    default:
        return global_bindings;
    }
}

static bool is_ascii(const struct app *app)
{
    return app->options.settings.ascii;
}

static struct area pane_area(struct app *app, enum pane_id pane)
{
    struct rect rect = app->layout.panes[pane];
    return area_part(canvas_area(&app->canvas), rect.row, rect.col, rect.rows, rect.cols);
}

/* Drawing. */

static void draw_title(struct app *app)
{
    struct rect rect = app->layout.title;
    struct area area =
        area_part(canvas_area(&app->canvas), rect.row, rect.col, rect.rows, rect.cols);
    const struct player *player = app->tutor.player;
    int col = area_text(area, 0, 1, look_marked(STYLE_TITLE, MARK_BOLD), "attn");
    if (app->view == VIEW_HOME)
        area_text(area, 0, col + 3, look_of(STYLE_QUIET), "home");
    else if (player != NULL && app->view == VIEW_LESSON)
        area_format(area, 0, col + 3, look_of(STYLE_PLAIN), "%s   %s   page %zu of %zu",
                    player->is_review ? "Review" : "Lesson", player->lesson->title,
                    player->page + 1, player->lesson->n_pages);
    else if (app->view == VIEW_EXERCISE && workshop_exercise(&app->workshop) != NULL)
        area_format(area, 0, col + 3, look_of(STYLE_PLAIN), "Exercise %u   %s",
                    workshop_exercise(&app->workshop)->number,
                    workshop_exercise(&app->workshop)->title);
    else if (app->view == VIEW_EXPLORE)
        area_format(area, 0, col + 3, look_of(STYLE_PLAIN), "Explore   \"%s\"",
                    app->explorer.sentence);
}

/* "n next  b back ...", as much as fits. */
static int draw_keys_of(const struct binding *bindings, struct area area, int col)
{
    char name[16];
    for (; bindings->key != KEY_NONE; bindings++) {
        if (bindings->label == NULL)
            continue;
        int wide = (int)(strlen(key_text(bindings->key, name)) + strlen(bindings->label)) + 3;
        if (col + wide > area.cols)
            return col;
        col = area_text(area, 0, col, look_marked(STYLE_TITLE, MARK_BOLD), name);
        col = area_text(area, 0, col + 1, look_of(STYLE_QUIET), bindings->label) + 2;
    }
    return col;
}

static void draw_keys(struct app *app)
{
    struct rect rect = app->layout.keys;
    struct area area =
        area_part(canvas_area(&app->canvas), rect.row, rect.col, rect.rows, rect.cols);
    const struct binding *own = bindings_of(app->overlay != PANE_COUNT ? app->overlay : app->focus);
    if (app->overlay == PANE_HELP)
        own = app->help.searches ? help_search_bindings : help_bindings;
    int col = draw_keys_of(own, area, 1);
    if (app->overlay == PANE_COUNT)
        draw_keys_of(global_bindings, area, col);
}

static void draw_pane(struct app *app, enum pane_id pane)
{
    struct area area = pane_area(app, pane);
    bool focused = app->focus == pane, ascii = is_ascii(app);
    if (area.rows < 1)
        return;
    if (pane == PANE_HOME)
        home_draw(&app->home, area, focused, ascii);
    else if (pane == PANE_READER)
        reader_draw(&app->reader, area, focused, ascii);
    else if (pane == PANE_EXPLORER)
        explorer_draw(&app->explorer, area, focused, ascii);
    else if (pane == PANE_WORKSHOP)
        workshop_draw(&app->workshop, area, focused, ascii);
    else if (pane == PANE_RESULT)
        workshop_draw_result(&app->workshop, area, focused, ascii);
    else if (pane == PANE_CONSOLE)
        console_draw(&app->console, area, focused, ascii);
}

static void draw_frame(struct app *app)
{
    struct area all = canvas_area(&app->canvas);
    const struct layout *layout = &app->layout;
    if (layout->divider_col >= 0) {
        int rows =
            (layout->console_rule_row >= 0 ? layout->console_rule_row : layout->keys.row) - 1;
        area_rule_down(area_part(all, 1, 0, rows, all.cols), layout->divider_col, is_ascii(app));
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

static void draw_all(struct app *app)
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
            help_draw(&app->help, pane_area(app, PANE_HELP), true, is_ascii(app));
        else if (app->overlay == PANE_PALETTE)
            palette_draw(&app->palette, pane_area(app, PANE_PALETTE), true, is_ascii(app));
        draw_keys(app);
    }
    display_paint(app->screen, &app->canvas, &app->theme);
}

/* Views. */

/* Of the exercise's two panes one may be hidden: it has the other's size. */
static void lay_out_workshop(struct app *app)
{
    struct rect task = app->layout.panes[PANE_WORKSHOP], result = app->layout.panes[PANE_RESULT];
    task = task.rows > 0 ? task : result;
    result = result.rows > 0 ? result : task;
    if (task.rows > 0)
        workshop_resize(&app->workshop, task.rows, task.cols, result.rows, result.cols);
}

static void lay_out(struct app *app)
{
    int rows, cols;
    display_size(app->screen, &rows, &cols);
    if (rows != app->canvas.rows || cols != app->canvas.cols)
        (void)canvas_resize(&app->canvas, rows, cols);
    app->layout = layout_of(rows, cols, app->view, app->focus, app->overlay);
    struct rect explorer = app->layout.panes[PANE_EXPLORER];
    explorer_resize(&app->explorer, explorer.rows, explorer.cols);
    struct rect help = app->layout.panes[PANE_HELP], palette = app->layout.panes[PANE_PALETTE];
    if (app->overlay == PANE_HELP)
        help_resize(&app->help, help.rows, help.cols);
    if (app->overlay == PANE_PALETTE)
        palette_resize(&app->palette, palette.rows, palette.cols);
    app->reader.rows = app->layout.panes[PANE_READER].rows;
    int width = app->layout.panes[PANE_READER].cols;
    if (width > 0 && (size_t)width != app->reader.width_cols)
        app->page_is_stale = true;
    lay_out_workshop(app);
    int console = app->layout.panes[PANE_CONSOLE].cols;
    if (console >= 20 && app->tutor.player == NULL)
        tutor_set_width(&app->tutor, (size_t)console);
}

static void say_error(struct app *app, const struct error *error)
{
    if (app->view == VIEW_LESSON && app->focus == PANE_READER)
        reader_say_error(&app->reader, error);
    else
        console_add_error(&app->console, error, "");
}

static void open_page(struct app *app, bool is_turned)
{
    struct error error;
    int width = app->layout.panes[PANE_READER].cols;
    app->page_is_stale = false;
    if (width > 0 && !reader_open(&app->reader, (size_t)width, is_turned, &error))
        say_error(app, &error);
}

static void show_view(struct app *app, enum view view)
{
    static const enum pane_id firsts[VIEW_COUNT] = {
        [VIEW_HOME] = PANE_HOME,
        [VIEW_LESSON] = PANE_READER,
        [VIEW_EXERCISE] = PANE_WORKSHOP,
        [VIEW_EXPLORE] = PANE_EXPLORER,
    };
    struct error error;
    app->view = view;
    app->focus = firsts[view];
    lay_out(app);
    app->home.exercises = workshop_exercises(&app->workshop, &error);
    if (view == VIEW_HOME && !home_load(&app->home, &app->tutor, &error))
        say_error(app, &error);
    if (view == VIEW_LESSON)
        open_page(app, true);
}

/* Where the learner is, to see whether a line turned the page. */
struct place {
    const struct player *player;
    size_t page;
    bool finished;
};

static struct place place_of(const struct app *app)
{
    const struct player *player = app->tutor.player;
    return (struct place){player, player != NULL ? player->page : 0,
                          player != NULL && player->finished};
}

static bool same_place(struct place a, struct place b)
{
    return a.player == b.player && a.page == b.page && a.finished == b.finished;
}

/* What a line gave is shown in the pane that it came from; a page that was turned in its own. */
static void show_result(struct app *app, bool from_reader, struct place before,
                        const struct doc *shown)
{
    struct place now = place_of(app);
    bool turned = !same_place(before, now);
    if (turned && now.player != NULL && !now.finished) {
        show_view(app, VIEW_LESSON);
        return;
    }
    if (turned && now.finished) {
        doc_clear(&app->reader.page);
        reader_say(&app->reader, shown);
        return;
    }
    if (from_reader)
        reader_say(&app->reader, shown);
    else
        console_add(&app->console, shown);
}

static void do_line(struct app *app, const char *line, bool from_reader)
{
    struct doc shown;
    struct error error;
    struct place before = place_of(app);
    doc_init(&shown);
    display_watch_interrupt(app->screen, true);
    bool ok = tutor_line(&app->tutor, line, strlen(line), &shown, &error);
    display_watch_interrupt(app->screen, false);
    if (ok)
        show_result(app, from_reader, before, &shown);
    else if (from_reader)
        reader_say_error(&app->reader, &error);
    else
        console_add_error(&app->console, &error, line);
    doc_release(&shown);
    app->quits = app->quits || tutor_session(&app->tutor)->wants_quit;
}

static void open_exercise(struct app *app, const char *name)
{
    struct error error;
    if (!workshop_open(&app->workshop, name, &error)) {
        say_error(app, &error);
        return;
    }
    app->came_from = app->view;
    show_view(app, VIEW_EXERCISE);
}

/* The exercise that a lesson's page asks for and that is not solved yet; or NULL. */
static const char *asked_exercise(const struct app *app)
{
    struct exercise_progress done;
    const struct player *player = app->tutor.player;
    if (player == NULL || player->finished || !player_is_asking(player) ||
        player_page(player)->question->kind != QUESTION_EXERCISE)
        return NULL;
    const char *name = player_page(player)->question->exercise.text;
    return progress_exercise(app->progress, name, &done, NULL) && done.passed ? NULL : name;
}

static void open_chosen(struct app *app)
{
    const struct home_item *item = home_chosen(&app->home);
    char line[LESSON_NAME_BYTES + 16];
    if (item == NULL)
        return;
    if (item->kind == HOME_EXPLORE) {
        show_view(app, VIEW_EXPLORE);
        return;
    }
    if (item->kind == HOME_EXERCISE) {
        open_exercise(app, item->name);
        return;
    }
    snprintf(line, sizeof line, "lesson %s", item->name);
    do_line(app, line, false);
    if (app->tutor.player != NULL)
        show_view(app, VIEW_LESSON);
}

/* Keys. */

static void next_pane(struct app *app, int by)
{
    int pane = (int)app->focus;
    struct layout layout;
    for (int i = 0; i < PANE_COUNT; i++) {
        pane = (pane + by + PANE_COUNT) % PANE_COUNT;
        layout = layout_of(app->canvas.rows, app->canvas.cols, app->view, (enum pane_id)pane,
                           PANE_COUNT);
        if (layout.panes[pane].rows > 0)
            break;
    }
    app->focus = (enum pane_id)pane;
}

static void close_top(struct app *app)
{
    if (app->overlay != PANE_COUNT)
        app->overlay = PANE_COUNT;
    else if (app->focus == PANE_CONSOLE && app->view != VIEW_HOME)
        app->focus = app->view == VIEW_EXPLORE    ? PANE_EXPLORER
                     : app->view == VIEW_EXERCISE ? PANE_WORKSHOP
                                                  : PANE_READER;
    else if (app->focus == PANE_CONSOLE)
        app->focus = PANE_HOME;
    else if (app->view == VIEW_EXERCISE && app->came_from == VIEW_LESSON &&
             app->tutor.player != NULL)
        show_view(app, VIEW_LESSON);
    else if (app->view != VIEW_HOME)
        show_view(app, VIEW_HOME);
}

/* What lies over the panes. */

/* The pane in focus; an exercise's result has the keys of the exercise. */
static enum pane_id helped_pane(const struct app *app)
{
    return app->focus == PANE_RESULT ? PANE_WORKSHOP : app->focus;
}

static void open_help(struct app *app, bool searches)
{
    struct error error;
    struct course course = {0};
    bool has_course = course_open(app->options.data_dir, &course, &error);
    bool ok = app->help.n > 0 ||
              help_load(&app->help, help_panes, N_HELP_PANES, has_course ? &course : NULL, &error);
    course_release(&course);
    if (!ok) {
        say_error(app, &error);
        return;
    }
    if (searches)
        help_search(&app->help);
    else
        help_open(&app->help, helped_pane(app));
    app->overlay = PANE_HELP;
}

/* The pane in focus comes first. */
static void open_palette(struct app *app)
{
    struct help_pane panes[N_HELP_PANES];
    struct error error;
    struct course course = {0};
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < N_HELP_PANES; i++)
            if ((help_panes[i].id == helped_pane(app)) == (pass == 0))
                panes[n++] = help_panes[i];
    bool has_course = course_open(app->options.data_dir, &course, &error);
    const struct palette_sources sources = {.panes = panes,
                                            .n_panes = n,
                                            .course = has_course ? &course : NULL,
                                            .settings = setting_lines,
                                            .n_settings = N_SETTING_LINES};
    bool ok = palette_load(&app->palette, &sources, &error);
    course_release(&course);
    if (!ok) {
        say_error(app, &error);
        return;
    }
    palette_open(&app->palette);
    app->overlay = PANE_PALETTE;
}

/* "theme dark", "palette grey". */
static void set(struct app *app, const char *setting)
{
    for (int i = 0; i < THEME_COUNT; i++)
        if (strncmp(setting, "theme ", 6) == 0 &&
            strcmp(setting + 6, theme_name((enum theme_id)i)) == 0)
            app->theme.id = (enum theme_id)i;
    for (int i = 0; i < PALETTE_COUNT; i++)
        if (strncmp(setting, "palette ", 8) == 0 &&
            strcmp(setting + 8, palette_name((enum palette_id)i)) == 0)
            app->theme.palette = (enum palette_id)i;
    display_repaint(app->screen);
}

static void global_request(struct app *app, enum request request)
{
    switch (request) {
    case REQ_HELP:
        open_help(app, false);
        break;
    case REQ_SEARCH_HELP:
        open_help(app, true);
        break;
    case REQ_PALETTE:
        open_palette(app);
        break;
    case REQ_NEXT_PANE:
        next_pane(app, 1);
        break;
    case REQ_PREVIOUS_PANE:
        next_pane(app, -1);
        break;
    case REQ_PROMPT:
        app->focus = PANE_CONSOLE;
        break;
    case REQ_CLOSE:
        close_top(app);
        break;
    case REQ_QUIT:
        app->quits = true;
        break;
    case REQ_REDRAW:
        display_repaint(app->screen);
        break;
    default:
        break;
    }
}

static bool pane_request(struct app *app, enum request request, int key)
{
    switch (app->focus) {
    case PANE_HOME:
        if (request == REQ_OPEN) {
            open_chosen(app);
            return true;
        }
        return home_request(&app->home, request, app->layout.panes[PANE_HOME].rows);
    case PANE_READER:
        if ((request == REQ_EDITOR || request == REQ_OPEN) && asked_exercise(app) != NULL) {
            open_exercise(app, asked_exercise(app));
            return true;
        }
        return reader_request(&app->reader, request);
    case PANE_WORKSHOP:
    case PANE_RESULT:
        return workshop_request(&app->workshop, request, app->focus == PANE_RESULT);
    case PANE_EXPLORER:
        return explorer_request(&app->explorer, request, key - '0');
    default:
        return false;
    }
}

/* The prompt takes every key but those that leave it. */
static void console_input(struct app *app, int key)
{
    int rows = app->layout.panes[PANE_CONSOLE].rows;
    char *line;
    if (key == KEY_ESCAPE)
        close_top(app);
    else if (key == KEY_TAB_ && console_is_empty(&app->console))
        next_pane(app, 1);
    else if (key == KEY_BACK_TAB)
        next_pane(app, -1);
    else if (key == KEY_PAGE_UP || key == KEY_PAGE_DOWN)
        console_scroll(&app->console, key == KEY_PAGE_UP ? rows - 1 : 1 - rows, rows);
    else
        console_key(&app->console, key);
    while (!app->quits && (line = console_take_line(&app->console)) != NULL) {
        console_echo(&app->console, line);
        do_line(app, line, false);
        free(line);
    }
}

static void to_prompt(struct app *app, const char *text)
{
    app->focus = PANE_CONSOLE;
    console_put(&app->console, text);
}

static void do_choice(struct app *app, const struct choice *choice)
{
    char line[READER_ANSWER_BYTES + 16];
    if (choice->kind == CHOICE_SETTING) {
        set(app, choice->text);
    } else if (choice->kind == CHOICE_LINE) {
        do_line(app, choice->text, false);
    } else if (choice->kind == CHOICE_TO_PROMPT) {
        to_prompt(app, choice->text);
    } else if (choice->pane == PANE_COUNT) {
        global_request(app, choice->request);
    } else if (app->layout.panes[choice->pane].rows > 0) {
        app->focus = choice->pane;
        (void)pane_request(app, choice->request, choice->key);
        if (reader_take_wish(&app->reader, line))
            do_line(app, line, true);
    }
}

static void palette_input(struct app *app, int key)
{
    struct choice choice;
    if (palette_key(&app->palette, key) ||
        palette_request(&app->palette, binding_find(palette_bindings, key))) {
        if (palette_take(&app->palette, &choice)) {
            app->overlay = PANE_COUNT;
            do_choice(app, &choice);
        }
    } else if (key == KEY_ESCAPE || key == KEY_CTRL_C) {
        app->overlay = PANE_COUNT;
    }
}

static void help_input(struct app *app, int key)
{
    struct help_wish wish;
    const struct binding *own = app->help.searches ? help_search_bindings : help_bindings;
    if (help_key(&app->help, key) || help_request(&app->help, binding_find(own, key))) {
        if (!help_take_wish(&app->help, &wish))
            return;
        app->overlay = PANE_COUNT;
        if (wish.kind == HELP_TO_PROMPT)
            to_prompt(app, wish.text);
        else
            do_line(app, wish.text, false);
    } else if (key == KEY_F1_) {
        help_search(&app->help);
    } else if (key == KEY_ESCAPE || key == KEY_CTRL_C || key == '?' || key == 'q') {
        app->overlay = PANE_COUNT;
    }
}

static void handle_key(struct app *app, int key)
{
    char line[READER_ANSWER_BYTES + 16];
    if (app->overlay == PANE_PALETTE) {
        palette_input(app, key);
        return;
    }
    if (app->overlay == PANE_HELP) {
        help_input(app, key);
        return;
    }
    if (key == KEY_F1_) {
        open_help(app, true);
        return;
    }
    if (app->focus == PANE_CONSOLE && key != KEY_CTRL_C) {
        console_input(app, key);
        return;
    }
    if (app->focus == PANE_EXPLORER && app->explorer.edits) {
        explorer_edit_key(&app->explorer, key);
        return;
    }
    if (app->focus == PANE_READER && reader_key(&app->reader, key))
        return;
    enum request request = binding_find(bindings_of(app->focus), key);
    if (request == REQ_NONE || !pane_request(app, request, key))
        global_request(app, binding_find(global_bindings, key));
    if (reader_take_wish(&app->reader, line))
        do_line(app, line, true);
}

static void handle_click(struct app *app, const struct input *input)
{
    enum pane_id pane = layout_pane_at(&app->layout, input->row, input->col);
    if (pane == PANE_COUNT)
        return;
    struct area area = pane_area(app, pane);
    int row = input->row - area.row, col = input->col - area.col;
    if (pane == PANE_HELP) {
        (void)help_click(&app->help, area, row, col);
        return;
    }
    if (pane == PANE_PALETTE) {
        (void)palette_click(&app->palette, area, row, col);
        return;
    }
    app->focus = pane;
    if (pane == PANE_HOME && home_click(&app->home, area, row, col) && input->is_double)
        open_chosen(app);
    else if (pane == PANE_READER)
        (void)reader_click(&app->reader, area, row, col);
    else if (pane == PANE_EXPLORER)
        (void)explorer_click(&app->explorer, area, row, col, input->is_double);
}

static void handle_wheel(struct app *app, const struct input *input)
{
    enum pane_id pane = layout_pane_at(&app->layout, input->row, input->col);
    if (pane == PANE_HELP)
        help_wheel(&app->help, input->steps);
    else if (pane == PANE_PALETTE)
        palette_wheel(&app->palette, input->steps);
    else if (pane == PANE_READER)
        reader_scroll(&app->reader, input->steps);
    else if (pane == PANE_EXPLORER)
        explorer_wheel(&app->explorer, input->steps);
    else if (pane == PANE_WORKSHOP || pane == PANE_RESULT)
        workshop_scroll(&app->workshop, pane == PANE_RESULT, input->steps, 0);
    else if (pane == PANE_CONSOLE)
        console_scroll(&app->console, -input->steps, app->layout.panes[PANE_CONSOLE].rows);
    else if (pane == PANE_HOME)
        (void)home_request(&app->home, input->steps < 0 ? REQ_UP : REQ_DOWN,
                           app->layout.panes[PANE_HOME].rows);
}

static void suspend(struct app *app)
{
    display_leave(app->screen);
    kill(getpid(), SIGSTOP);
    display_return(app->screen);
}

static void edit_exercise(struct app *app)
{
    display_leave(app->screen);
    workshop_edit(&app->workshop);
    display_return(app->screen);
}

/* Where the two panes of an exercise share one place, what is new comes into sight. */
static void grant_workshop(struct app *app)
{
    enum workshop_wish wish = workshop_take_wish(&app->workshop);
    enum pane_id wanted = wish == WORKSHOP_RESULT ? PANE_RESULT : PANE_WORKSHOP;
    if (wish == WORKSHOP_EDIT)
        edit_exercise(app);
    else if (wish != WORKSHOP_NO_WISH && app->view == VIEW_EXERCISE &&
             app->layout.panes[wanted].rows == 0 && app->focus != PANE_CONSOLE)
        app->focus = wanted;
}

static void handle(struct app *app, const struct input *input)
{
    if (input->kind == INPUT_GONE)
        app->quits = true;
    else if (input->kind == INPUT_KEY && input->key == 'Z' - '@')
        suspend(app);
    else if (app->layout.too_small && input->kind == INPUT_KEY)
        app->quits = input->key == 'q' || input->key == KEY_CTRL_C;
    else if (input->kind == INPUT_KEY)
        handle_key(app, input->key);
    else if (input->kind == INPUT_CLICK)
        handle_click(app, input);
    else if (input->kind == INPUT_WHEEL)
        handle_wheel(app, input);
}

static void tick(struct app *app)
{
    (void)display_child_ended(app->screen); /* workshop_tick() looks */
    workshop_tick(&app->workshop, clock_ms(), app->view == VIEW_EXERCISE);
    grant_workshop(app);
}

static int timeout_ms(const struct app *app)
{
    int workshop = workshop_timeout_ms(&app->workshop);
    if (app->page_is_stale && (workshop < 0 || workshop > RESIZE_SETTLE_MS))
        return RESIZE_SETTLE_MS;
    return workshop;
}

static void loop(struct app *app)
{
    while (!app->quits) {
        struct input input;
        int fds[WORKSHOP_FDS];
        tick(app);
        lay_out(app);
        if (!display_has_input(app->screen))
            draw_all(app);
        workshop_fds(&app->workshop, fds);
        struct display_wait wait = {
            .fds = fds, .n_fds = WORKSHOP_FDS, .timeout_ms = timeout_ms(app)};
        if (display_wait_input(app->screen, &wait, &input))
            handle(app, &input);
        else if (app->page_is_stale)
            open_page(app, false);
    }
}

static bool start(struct app *app, struct error *reterr)
{
    const struct app_options *options = &app->options;
    struct settings settings = options->settings;
    settings.echo = true;
    settings.colours = options->screen.no_colour ? COLOURS_NONE : COLOURS_TRUE;
    app->progress = progress_open(NULL);
    if (app->progress == NULL)
        return error_memory(reterr, "attn");
    tutor_init(&app->tutor, &settings, options->data_dir, &display_interrupted, app->progress);
    reader_init(&app->reader, &app->tutor);
    workshop_init(&app->workshop, &settings, options->data_dir, options->program, app->progress);
    if (!console_init(&app->console, &app->tutor, reterr) ||
        !explorer_init(&app->explorer, &settings, options->data_dir, &display_interrupted,
                       reterr) ||
        !display_open(&options->screen, &app->screen, reterr))
        return false;
    app->overlay = PANE_COUNT;
    app->theme.n_colours = display_colours(app->screen);
    if (progress_problem(app->progress) != NULL) {
        struct error error;
        error_set(&error, ERR_FILE, "%s", progress_problem(app->progress));
        console_add_error(&app->console, &error, "");
    }
    show_view(app, VIEW_HOME);
    return true;
}

static void end(struct app *app)
{
    display_close(app->screen);
    explorer_release(&app->explorer);
    console_release(&app->console);
    reader_release(&app->reader);
    home_release(&app->home);
    help_release(&app->help);
    palette_release(&app->palette);
    workshop_release(&app->workshop);
    tutor_release(&app->tutor);
    progress_close(app->progress);
    canvas_release(&app->canvas);
}

bool app_run(const struct app_options *options, struct error *reterr)
{
    struct app *app = calloc(1, sizeof *app);
    if (app == NULL)
        return error_memory(reterr, "attn");
    app->options = *options;
    bool ok = start(app, reterr);
    if (ok && options->lesson != NULL) {
        char line[4200];
        snprintf(line, sizeof line, "lesson %s", options->lesson);
        do_line(app, line, false);
    }
    if (ok)
        loop(app);
    end(app);
    free(app);
    return ok;
}
