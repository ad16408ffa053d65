/* See app_internal.h: the effects of keys and the mouse. */
#include "ui/app/app_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <utf8proc.h>

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

/* The view that all other views lead back to. */
static enum view first_view(const struct app *app)
{
    return app->options.training != NULL ? VIEW_TRAINING : VIEW_HOME;
}

static void close_top(struct app *app)
{
    if (app->overlay == PANE_COUNT && app->focus == PANE_PROMPT)
        prompt_rest(&app->prompt);
    if (app->overlay != PANE_COUNT)
        app->overlay = PANE_COUNT;
    else if (app->view == VIEW_LESSON && app->focus == PANE_EXPLORER &&
             !picture_is_empty(&app->picture))
        app->side = app->focus = PANE_PICTURE; /* the explorer stood in its place */
    else if (app->focus != layout_first_pane(app->view))
        app->focus = layout_first_pane(app->view);
    else if (app->zoomed)
        app->zoomed = false;
    else if (app->view == VIEW_EXERCISE && app->came_from == VIEW_LESSON &&
             app->tutor.player != NULL)
        app_show_view(app, VIEW_LESSON);
    else if (app->view == VIEW_MODEL && app->training.own.film != NULL && app->is_of_training)
        app_show_view(app, VIEW_TRAINING);
    else if (app->view != first_view(app))
        app_show_view(app, first_view(app));
}

/* Up one level, as far as out of attn. A pane in which q has a meaning of its own leaves so. */
static void leave(struct app *app)
{
    struct pane pane = app->panes[app->focus];
    enum request own = binding_find(pane.ops->bindings, 'q');
    enum request request = own != REQ_NONE ? own : REQ_CLOSE;
    bool closed =
        pane.ops->request != NULL &&
        (own != REQ_NONE || binding_find(pane.ops->bindings, KEYCODE_ESCAPE) == REQ_CLOSE) &&
        pane.ops->request(pane.state, request, own != REQ_NONE ? 'q' : KEYCODE_ESCAPE);
    if (!closed && app->view == VIEW_HOME && app->focus == PANE_HOME && !app->zoomed)
        app->quits = true;
    else if (!closed)
        close_top(app);
}

/* Turns the mouse on or off, and explains the effect. */
static void turn_mouse(struct app *app)
{
    struct error error;
    bool on = !app->mouse;
    if (!app_set(app, "mouse", on ? "on" : "off", &error)) {
        app_say_error(app, &error);
        return;
    }
    app_notice(app, on ? "The mouse is attn's; hold Shift (Option on macOS) to select text with it"
                       : "The mouse is the terminal's, which selects text; F9 turns it on");
    if (app->view == VIEW_HOME)
        app_load_home(app, false);
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
        app->focus = PANE_PROMPT;
        break;
    case REQ_CLOSE:
        close_top(app);
        break;
    case REQ_QUIT:
        app->quits = true;
        break;
    case REQ_LEAVE:
        leave(app);
        break;
    case REQ_ZOOM:
        app->zoomed = !app->zoomed;
        break;
    case REQ_WIDER:
        app_move_border(app, 1);
        break;
    case REQ_NARROWER:
        app_move_border(app, -1);
        break;
    case REQ_COPY_NUMBER:
    case REQ_COPY_TABLE:
        app_copy(app, request == REQ_COPY_TABLE);
        break;
    case REQ_SAVE_PICTURE:
        app_ask_save(app);
        break;
    case REQ_MOUSE:
        turn_mouse(app);
        break;
    case REQ_REDRAW:
        terminal_repaint(app->terminal);
        break;
    default:
        break;
    }
}

static bool is_character(int key)
{
    char bytes[KEY_BYTES];
    return key > ' ' && key != KEYCODE_BACKSPACE && key_bytes(key, bytes) > 0;
}

/* The row of keys names it. */
static bool is_named(struct pane pane, int key)
{
    const struct binding *binding = pane_bindings(pane);
    while (binding->key != KEYCODE_NONE && binding->key != key)
        binding++;
    return binding->key == key && binding->label != NULL;
}

/* A character that nobody obeys, and a key that is named but has nothing to do at this place, do
 * not go unanswered. */
static void say_meaningless(struct app *app, struct pane pane, int key)
{
    char name[16];
    if (is_character(key) && pane.ops->say_unbound != NULL)
        pane.ops->say_unbound(pane.state, key);
    else if (is_character(key) || is_named(pane, key))
        app_notice(app, "%s means nothing here; ? lists the keys", key_text(key, name));
}

/* Keys that mean the same in every pane, also while the learner types there. The pane on top keeps
 * the focus. */
static bool press_for_all(struct app *app, struct pane pane, int key)
{
    bool covered = app->overlay != PANE_COUNT;
    enum request request = binding_find(app_everywhere.bindings, key);
    switch (key) {
    case KEYCODE_F1:
    case KEYCODE_F2:
    case KEYCODE_F9:
        global_request(app, request);
        return true;
    case KEYCODE_F6:
    case KEYCODE_SHIFT_F6:
        if (!covered)
            global_request(app, request);
        return true;
    case KEYCODE_CTRL_Q:
        if (covered)
            app->overlay = PANE_COUNT;
        else if (!pane_cancel(pane))
            leave(app);
        return true;
    default:
        return false;
    }
}

/* ^C with nothing to clear, close or stop: it may be meant for a computation that has just
 * ended, so that only the second one in a row leaves attn. */
static void press_quit(struct app *app, bool again)
{
    app->quits = again;
    app->may_quit = !again;
    if (!again)
        app_notice(app, "^C once more leaves attn; ^Q goes up one level");
}

/* The pane on top leaves no key to those below it. */
static void press_key(struct app *app, int key)
{
    bool covered = app->overlay != PANE_COUNT, again = app->may_quit;
    app->may_quit = false;
    app->notice[0] = '\0';
    if (app_save_key(app, key))
        return;
    struct pane pane = app->panes[app_active_pane(app)];
    if (press_for_all(app, pane, key) || pane_press(pane, key))
        return;
    enum request request = binding_find(app_everywhere.bindings, key);
    if (covered && (key == KEYCODE_CTRL_C || request == REQ_LEAVE ||
                    binding_find(pane_bindings(pane), key) == REQ_CLOSE))
        app->overlay = PANE_COUNT;
    else if (covered || request == REQ_NONE)
        say_meaningless(app, pane, key);
    else if (key == KEYCODE_CTRL_C)
        press_quit(app, again);
    else
        global_request(app, request);
}

/* Nobody pressed these: they are text, and never keys. A field has one row. */
static void paste(struct app *app, int key)
{
    struct pane active = app->panes[app_active_pane(app)];
    bool types = pane_types(active);
    if (app->save.is_open || (types && active.ops->paste == NULL)) {
        if (key != KEYCODE_PASTE_END)
            press_key(app, key == KEYCODE_ENTER || key == KEYCODE_TAB ? ' ' : key);
    } else if (types) {
        active.ops->paste(active.state, key);
    } else if (app->overlay == PANE_COUNT) {
        app->focus = PANE_PROMPT;
        app->panes[PANE_PROMPT].ops->paste(app->panes[PANE_PROMPT].state, key);
    }
}

/* ---- the panes' requests ---- */

static enum pane_id pane_with(const struct app *app, const struct pane_ops *ops)
{
    enum pane_id id = PANE_HOME;
    while (id < PANE_COUNT && app->panes[id].ops != ops)
        id++;
    return id;
}

/* A key of a pane that the view has, or one that works everywhere. */
static void press_key_in(struct app *app, const struct pane_ops *ops, int key)
{
    enum pane_id id = pane_with(app, ops);
    if (id == PANE_COUNT) {
        global_request(app, binding_find(app_everywhere.bindings, key));
    } else if (app_has_pane(app, id)) {
        struct pane pane = app->panes[id];
        app->focus = id;
        app_lay_out(app);
        enum request request = binding_find(pane.ops->bindings, key);
        if (request == REQ_NONE ||
            pane.ops->request == NULL || /* not text, even in a pane where the learner types */
            !pane.ops->request(pane.state, request, key))
            press_key(app, key);
    }
}

/* Of panes that share one place, the one with news is shown. */
static void show_pane(struct app *app, const struct pane_ops *ops)
{
    enum pane_id id = pane_with(app, ops);
    if (layout_view_has(app->view, id) && app->layout.panes[id].rows == 0 &&
        app->focus != PANE_PROMPT)
        app->focus = id;
}

/* The model of the step of a training that is seen. */
static void open_trained_model(struct app *app)
{
    struct error error;
    struct run *run = training_pane_run(&app->training);
    if (run == NULL)
        return;
    app->heads.look.layer = app->training.layer;
    app->heads.look.head = app->training.head;
    if (heads_pane_open(&app->heads, run, &error)) {
        app_show_view(app, VIEW_MODEL);
        app->is_of_training = true;
    } else
        app_notice(app, "%s", error.text);
}

/* The prompt gets the text as if it had been pasted there. */
static void paste_in_prompt(struct app *app, const char *text)
{
    const size_t size = strlen(text);
    utf8proc_int32_t code;
    app->focus = PANE_PROMPT;
    for (size_t at = 0; at < size;) {
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                                              (utf8proc_ssize_t)(size - at), &code);
        if (n > 0)
            prompt_paste(&app->prompt, code == '\n' ? KEYCODE_ENTER : (int)code);
        at += n > 0 ? (size_t)n : 1;
    }
    prompt_paste(&app->prompt, KEYCODE_PASTE_END);
}

static void do_request(struct app *app, struct pane pane, const struct pane_request *request)
{
    const char *text = text_string(&request->text);
    bool ok;
    switch (request->kind) {
    case PANE_WANTS_NOTHING:
        break;
    case PANE_RUN_LINE:
    case PANE_RUN_OWN_LINE:
        ok = app_run_line(app, text, request->kind == PANE_RUN_OWN_LINE);
        if (pane.ops == &prompt_ops)
            app->prompt_rows += (int)prompt_end_line(&app->prompt, ok);
        break;
    case PANE_OPEN_LESSON:
        app_open_lesson(app, text);
        break;
    case PANE_GO_ON:
        app_go_on(app);
        break;
    case PANE_OPEN_EXERCISE:
        (void)app_open_exercise(app, text);
        break;
    case PANE_EXPLORE:
        explorer_show_sentence(&app->explorer);
        app_show_view(app, VIEW_EXPLORE);
        break;
    case PANE_OPEN_NUMBER:
        app_open_number(app);
        break;
    case PANE_TO_PROMPT:
        app_put_in_prompt(app, text);
        break;
    case PANE_PASTE:
        paste_in_prompt(app, text);
        break;
    case PANE_PRESS_KEY:
        press_key_in(app, request->ops, request->key);
        break;
    case PANE_SHOW:
        show_pane(app, request->ops);
        break;
    case PANE_OPEN_MODEL:
        open_trained_model(app);
        break;
    case PANE_OPEN_HELP:
        app_open_help_entry(app, text);
        break;
    case PANE_GO_HOME:
        if (app->training.own.film != NULL)
            app_leave_training(app);
        else
            app_show_view(app, VIEW_HOME);
        break;
    case PANE_VIEW_MODEL:
        app_view_model(app, text);
        break;
    case PANE_OPEN_TRAINING:
        app_open_training(app, text);
        break;
    case PANE_RELOAD:
        app_load_home(app, false);
        break;
    case PANE_QUIT:
        app->quits = true;
        break;
    case PANE_RUN_OUTSIDE:
        terminal_leave(app->terminal);
        request->run(pane.state);
        terminal_return(app->terminal);
        break;
    }
}

void app_do_requests(struct app *app)
{
    struct pane_request request;
    for (enum pane_id id = PANE_HOME; id < PANE_COUNT; id++) {
        struct pane pane = app->panes[id];
        while (!app->quits && pane.ops->take_request != NULL &&
               pane.ops->take_request(pane.state, &request)) {
            struct error error;
            if (id == app->overlay)
                app->overlay = PANE_COUNT;
            if (!request.text.failed)
                do_request(app, pane, &request);
            else if (!error_memory(&error, "this"))
                app_say_error(app, &error);
            pane_request_release(&request);
            id = PANE_HOME; /* it may have made another pane want something */
            pane = app->panes[id];
        }
    }
}

/* ---- the mouse ---- */

/* The key that the key bar names there. */
static int bar_key_at(const struct app *app, int row, int col)
{
    for (size_t i = 0; row == app->layout.keys.row && i < app->n_bar; i++)
        if (col >= app->bar[i].col && col < app->bar[i].end)
            return app->bar[i].key;
    return KEYCODE_NONE;
}

static void click(struct app *app, const struct input *input)
{
    app->notice[0] = '\0';
    int key = bar_key_at(app, input->row, input->col);
    if (key != KEYCODE_NONE) {
        press_key(app, key);
        return;
    }
    enum pane_id id = layout_pane_at(&app->layout, input->row, input->col);
    if (id == PANE_COUNT || (app->overlay != PANE_COUNT && id != app->overlay))
        return; /* the pane on top keeps the mouse from those below it */
    struct pane pane = app->panes[id];
    struct area area = app_pane_area(app, id);
    if (id != app->overlay)
        app->focus = id;
    if (pane.ops->click != NULL)
        (void)pane.ops->click(pane.state, area, input->row - area.row, input->col - area.col,
                              input->is_double);
}

static void turn_wheel(struct app *app, const struct input *input)
{
    enum pane_id id = layout_pane_at(&app->layout, input->row, input->col);
    if (id != PANE_COUNT && app->panes[id].ops->wheel != NULL)
        app->panes[id].ops->wheel(app->panes[id].state, input->steps);
}

void app_handle(struct app *app, const struct input *input)
{
    app->prompt.is_rushed = terminal_has_input(app->terminal);
    if (input->kind == INPUT_GONE)
        app->quits = true;
    else if (input->kind == INPUT_KEY && input->key == 'Z' - '@' && !input->is_pasted)
        terminal_suspend(app->terminal);
    else if (app->layout.too_small)
        app->quits = app->quits || (input->kind == INPUT_KEY && !input->is_pasted &&
                                    (input->key == 'q' || input->key == KEYCODE_CTRL_C));
    else if (input->kind == INPUT_KEY && input->is_pasted)
        paste(app, input->key);
    else if (input->kind == INPUT_KEY)
        press_key(app, input->key);
    else if (input->kind == INPUT_CLICK)
        click(app, input);
    else if (input->kind == INPUT_WHEEL)
        turn_wheel(app, input);
    app_do_requests(app);
}
