/* See app_parts.h: what keys and the mouse do. */
#include "ui/app/app_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void next_pane(struct app *app, int by)
{
    int pane = (int)app->focus;
    for (int i = 0; i < PANE_COUNT; i++) {
        pane = (pane + by + PANE_COUNT) % PANE_COUNT;
        if (app_has_pane(app, (enum pane_id)pane))
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
                     : app->view == VIEW_EXERCISE ? PANE_EXERCISE
                                                  : PANE_LESSON;
    else if (app->focus == PANE_CONSOLE)
        app->focus = PANE_HOME;
    else if (app->view == VIEW_EXERCISE && app->came_from == VIEW_LESSON &&
             app->tutor.player != NULL)
        app_show_view(app, VIEW_LESSON);
    else if (app->view != VIEW_HOME)
        app_show_view(app, VIEW_HOME);
}

static void global_request(struct app *app, enum request request)
{
    switch (request) {
    case REQ_HELP:
        app_open_help(app, false);
        break;
    case REQ_SEARCH_HELP:
        app_open_help(app, true);
        break;
    case REQ_COMMAND_PALETTE:
        app_open_command_palette(app);
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
        terminal_repaint(app->terminal);
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
            app_open_chosen(app);
            return true;
        }
        return home_request(&app->home, request, app->layout.panes[PANE_HOME].rows);
    case PANE_LESSON:
        if ((request == REQ_EDITOR || request == REQ_OPEN) && app_asked_exercise(app) != NULL) {
            (void)app_open_exercise(app, app_asked_exercise(app));
            return true;
        }
        return lesson_pane_request(&app->lesson, request);
    case PANE_EXERCISE:
    case PANE_RESULT:
        return exercise_pane_request(&app->exercise, request, app->focus == PANE_RESULT);
    case PANE_EXPLORER:
        return explorer_request(&app->explorer, request, key);
    default:
        return false;
    }
}

static void run_entered(struct app *app)
{
    char *line;
    while (!app->quits && (line = console_take_line(&app->console)) != NULL) {
        console_echo(&app->console, line);
        app_do_line(app, line, false);
        free(line);
    }
}

/* The prompt takes every key but those that leave it. */
static void console_input(struct app *app, int key)
{
    int rows = app->layout.panes[PANE_CONSOLE].rows;
    if (key == KEYCODE_CTRL_C)
        app->quits = !console_give_up(&app->console);
    else if (key == KEYCODE_ESCAPE && !console_wants(&app->console, key))
        close_top(app);
    else if (key == KEYCODE_TAB && console_is_empty(&app->console))
        next_pane(app, 1);
    else if (key == KEYCODE_BACK_TAB)
        next_pane(app, -1);
    else if (key == KEYCODE_PAGE_UP || key == KEYCODE_PAGE_DOWN)
        console_scroll(&app->console, key == KEYCODE_PAGE_UP ? rows - 1 : 1 - rows, rows);
    else
        console_key(&app->console, key);
    run_entered(app);
}

static void to_prompt(struct app *app, const char *text)
{
    app->focus = PANE_CONSOLE;
    console_put(&app->console, text);
}

static void handle_key(struct app *app, int key);

/* What is chosen is done as by its key. */
static void do_choice(struct app *app, const struct choice *choice)
{
    if (choice->kind == CHOICE_LINE) {
        app_do_line(app, choice->text, false);
    } else if (choice->kind == CHOICE_TO_PROMPT) {
        to_prompt(app, choice->text);
    } else if (choice->pane == PANE_COUNT) {
        global_request(app, choice->request);
    } else if (app_has_pane(app, choice->pane)) {
        app->focus = choice->pane;
        app_lay_out(app);
        handle_key(app, choice->key);
    }
}

static void palette_input(struct app *app, int key)
{
    struct choice choice;
    if (command_palette_key(&app->command_palette, key) ||
        command_palette_request(&app->command_palette,
                                binding_find(command_palette_bindings, key))) {
        if (command_palette_take(&app->command_palette, &choice)) {
            app->overlay = PANE_COUNT;
            do_choice(app, &choice);
        }
    } else if (key == KEYCODE_ESCAPE || key == KEYCODE_CTRL_C) {
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
            app_do_line(app, wish.text, false);
    } else if (key == KEYCODE_F1) {
        help_search(&app->help);
    } else if (key == KEYCODE_ESCAPE || key == KEYCODE_CTRL_C || key == '?' || key == 'q') {
        app->overlay = PANE_COUNT;
    }
}

static void handle_key(struct app *app, int key)
{
    char line[LESSON_PANE_ANSWER_BYTES + 16];
    if (app->overlay == PANE_COMMAND_PALETTE) {
        palette_input(app, key);
        return;
    }
    if (app->overlay == PANE_HELP) {
        help_input(app, key);
        return;
    }
    if (key == KEYCODE_F1) {
        app_open_help(app, true);
        return;
    }
    if (app->focus == PANE_CONSOLE) {
        console_input(app, key);
        return;
    }
    if (app->focus == PANE_EXPLORER && explorer_key(&app->explorer, key))
        return;
    if (app->focus == PANE_LESSON && lesson_pane_key(&app->lesson, key))
        return;
    enum request request = binding_find(app_bindings(app->focus), key);
    if (request == REQ_NONE || !pane_request(app, request, key))
        global_request(app, binding_find(app_bindings_everywhere, key));
    if (lesson_pane_take_wish(&app->lesson, line))
        app_do_line(app, line, true);
}

/* Whether what is pasted goes into a field, letter by letter. */
static bool has_open_field(const struct app *app)
{
    return app->overlay != PANE_COUNT || (app->focus == PANE_EXPLORER && app->explorer.is_typing) ||
           (app->focus == PANE_LESSON && app->lesson.types);
}

/* Nobody pressed these: they are text, and never keys. A field has one row. */
static void handle_paste(struct app *app, int key)
{
    if (app->overlay == PANE_HELP && !app->help.searches)
        return;
    if (has_open_field(app)) {
        handle_key(app, key == KEYCODE_ENTER || key == KEYCODE_TAB ? ' ' : key);
        return;
    }
    app->focus = PANE_CONSOLE;
    console_paste(&app->console, key);
    run_entered(app);
}

/* The key that the key bar names there. */
static int bar_key_at(const struct app *app, int row, int col)
{
    for (size_t i = 0; row == app->layout.keys.row && i < app->n_bar; i++)
        if (col >= app->bar[i].col && col < app->bar[i].end)
            return app->bar[i].key;
    return KEYCODE_NONE;
}

static void handle_click(struct app *app, const struct input *input)
{
    int key = bar_key_at(app, input->row, input->col);
    if (key != KEYCODE_NONE) {
        handle_key(app, key);
        return;
    }
    enum pane_id pane = layout_pane_at(&app->layout, input->row, input->col);
    if (pane == PANE_COUNT || (app->overlay != PANE_COUNT && pane != app->overlay))
        return; /* what lies on top keeps what is below it from the mouse */
    struct area area = app_pane_area(app, pane);
    int row = input->row - area.row, col = input->col - area.col;
    if (pane == PANE_HELP) {
        (void)help_click(&app->help, area, row, col);
        return;
    }
    if (pane == PANE_COMMAND_PALETTE) {
        (void)command_palette_click(&app->command_palette, area, row, col);
        return;
    }
    app->focus = pane;
    if (pane == PANE_HOME && home_click(&app->home, area, row, col) && input->is_double)
        app_open_chosen(app);
    else if (pane == PANE_LESSON)
        (void)lesson_pane_click(&app->lesson, area, row, col);
    else if (pane == PANE_EXPLORER)
        (void)explorer_click(&app->explorer, area, row, col, input->is_double);
}

static void handle_wheel(struct app *app, const struct input *input)
{
    enum pane_id pane = layout_pane_at(&app->layout, input->row, input->col);
    if (pane == PANE_HELP)
        help_wheel(&app->help, input->steps);
    else if (pane == PANE_COMMAND_PALETTE)
        command_palette_wheel(&app->command_palette, input->steps);
    else if (pane == PANE_LESSON)
        lesson_pane_scroll(&app->lesson, input->steps);
    else if (pane == PANE_EXPLORER)
        explorer_wheel(&app->explorer, input->steps);
    else if (pane == PANE_EXERCISE || pane == PANE_RESULT)
        exercise_pane_scroll(&app->exercise, pane == PANE_RESULT, input->steps, 0);
    else if (pane == PANE_CONSOLE)
        console_scroll(&app->console, -input->steps, app->layout.panes[PANE_CONSOLE].rows);
    else if (pane == PANE_HOME)
        (void)home_request(&app->home, input->steps < 0 ? REQ_UP : REQ_DOWN,
                           app->layout.panes[PANE_HOME].rows);
}

static void suspend(struct app *app)
{
    terminal_leave(app->terminal);
    kill(0, SIGTSTP); /* the whole job, a script around it too; one nobody could wake goes on */
    terminal_return(app->terminal);
}

static void edit_exercise(struct app *app)
{
    terminal_leave(app->terminal);
    exercise_pane_edit(&app->exercise);
    terminal_return(app->terminal);
}

/* Where the two panes of an exercise share one place, what is new comes into sight. */
void app_do_exercise_request(struct app *app)
{
    enum exercise_pane_wish wish = exercise_pane_take_wish(&app->exercise);
    enum pane_id wanted = wish == EXERCISE_PANE_RESULT ? PANE_RESULT : PANE_EXERCISE;
    if (wish == EXERCISE_PANE_EDIT)
        edit_exercise(app);
    else if (wish != EXERCISE_PANE_NO_WISH && app->view == VIEW_EXERCISE &&
             app->layout.panes[wanted].rows == 0 && app->focus != PANE_CONSOLE)
        app->focus = wanted;
}

void app_handle(struct app *app, const struct input *input)
{
    if (input->kind == INPUT_GONE)
        app->quits = true;
    else if (input->kind == INPUT_KEY && input->key == 'Z' - '@' && !input->is_pasted)
        suspend(app);
    else if (app->layout.too_small)
        app->quits = app->quits || (input->kind == INPUT_KEY && !input->is_pasted &&
                                    (input->key == 'q' || input->key == KEYCODE_CTRL_C));
    else if (input->kind == INPUT_KEY && input->is_pasted)
        handle_paste(app, input->key);
    else if (input->kind == INPUT_KEY)
        handle_key(app, input->key);
    else if (input->kind == INPUT_CLICK)
        handle_click(app, input);
    else if (input->kind == INPUT_WHEEL)
        handle_wheel(app, input);
}
