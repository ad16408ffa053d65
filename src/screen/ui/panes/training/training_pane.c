/* See training_pane.h: what keys do. */
#include "ui/panes/training/training_pane_internal.h"

#include "files/clock.h"
#include "model/model.h"
#include "model/run.h"
#include "ui/panes/heads/heads_places.h"

enum { PAGE = 10 };

static const struct binding bindings[] = {
    {' ', REQ_PAUSE, "pause",
     "pauses a training, and goes on with it; stops a film, and plays on, at its end from the "
     "start"},
    {KEYCODE_LEFT, REQ_LEFT, "film",
     "goes back by one snapshot: all that is seen is that of the step then; a training waits, a "
     "film "
     "stops"},
    {'b', REQ_BRANCH, "branch",
     "trains on from the step that is seen with another learning rate, seed or task, which is "
     "asked "
     "for: both curves are drawn"},
    {'v', REQ_OPEN_MODEL, "view",
     "opens the model of the step that is seen, with all that attn view can do; q comes back"},
    {'w', REQ_SAVE_MODEL, "save", "saves the model of the step that is seen, and says where"},
    {'q', REQ_LEAVE_UNSAVED, "leave", "leaves; asks first if the model is not saved yet"},
    {KEYCODE_ENTER, REQ_OPEN, "one head",
     "shows the chosen head large where the others were, and back"},
    {KEYCODE_CTRL_C, REQ_SAVE_AND_LEAVE, "save, leave", "saves, leaves, and says how to go on"},
    {'o', REQ_NEXT_BRANCH, "other run", "shows the next run, where there are branches"},
    {KEYCODE_RIGHT, REQ_RIGHT, NULL, "goes on by one snapshot"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "looks back by ten snapshots"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "goes on by ten"},
    {KEYCODE_HOME, REQ_TOP, NULL, "goes to the first snapshot"},
    {KEYCODE_END, REQ_BOTTOM, NULL, "goes to the newest step"},
    {']', REQ_NEXT_HEAD, NULL, "chooses the next head"},
    {'[', REQ_PREVIOUS_HEAD, NULL, "chooses the head before"},
    {KEYCODE_DOWN, REQ_DOWN, NULL,
     "chooses the next head, after the last of a layer the next layer's"},
    {KEYCODE_UP, REQ_UP, NULL, "chooses the head before"},
    {KEYCODE_ESCAPE, REQ_CLOSE, NULL, "comes back to all heads, then to the newest step"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

/* While it asks what becomes of a training that no file has. */
static const struct binding leave_bindings[] = {
    {'s', REQ_SAVE_AND_LEAVE, "save, leave", "saves the model, and leaves"},
    {'d', REQ_LEAVE_UNSAVED, "drop it", "leaves without saving"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "stay", "stays here, as ^C does"},
    {KEYCODE_CTRL_C, REQ_CLOSE, NULL, NULL},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

/* For the key bar while a film is seen: `bindings` has their help. */
static const struct binding film_bindings[] = {
    {' ', REQ_PAUSE, "play, stop", NULL},        {KEYCODE_LEFT, REQ_LEFT, "back", NULL},
    {KEYCODE_RIGHT, REQ_RIGHT, "on", NULL},      {KEYCODE_HOME, REQ_TOP, "start", NULL},
    {'q', REQ_LEAVE_UNSAVED, "leave", NULL},     {'b', REQ_BRANCH, "branch", NULL},
    {'v', REQ_OPEN_MODEL, "view", NULL},         {'w', REQ_SAVE_MODEL, "save", NULL},
    {KEYCODE_ENTER, REQ_OPEN, "one head", NULL}, {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

static const struct binding *bindings_now(const void *state)
{
    const struct training_pane *pane = state;
    if (pane->film == NULL)
        return bindings;
    if (pane->is_leaving)
        return leave_bindings;
    if (pane->is_typing)
        return field_bindings;
    return training_is_film(pane) && !pane->is_running ? film_bindings : bindings;
}

/* ---- opening and closing ---- */

void training_pane_init(struct training_pane *pane, const struct settings *settings,
                        const volatile sig_atomic_t *stop)
{
    *pane = (struct training_pane){.settings = *settings, .stop = stop, .graph = {.stop = stop}};
    struct doc *docs[] = {&pane->loss, &pane->right, &pane->grid,
                          &pane->one,  &pane->table, &pane->foot};
    for (size_t i = 0; i < sizeof docs / sizeof(*docs); i++)
        doc_init(docs[i]);
}

static void release(void *state)
{
    struct training_pane *pane = state;
    struct doc *docs[] = {&pane->loss, &pane->right, &pane->grid,
                          &pane->one,  &pane->table, &pane->foot};
    for (size_t i = 0; i < sizeof docs / sizeof(*docs); i++)
        doc_release(docs[i]);
    training_release_look(pane);
    text_release(&pane->look.told);
    pane_request_release(&pane->request);
    film_free(pane->own.film);
    pane->own.film = NULL;
}

bool training_pane_open(struct training_pane *pane, const struct training_start *start,
                        struct error *reterr)
{
    if (!probe_draw(start->film->training->source, &pane->probe, reterr))
        return false;
    pane->start = *start;
    pane->film = start->film;
    pane->is_live = true;
    pane->saved_ms = clock_ms();
    pane->saved_step = training_count(start->film->training);
    pane->kept_branches = start->film->n_branches;
    pane->kept_count = film_count(film_newest(start->film));
    if (start->is_played)
        training_play(pane);
    else
        training_go_on(pane);
    /* The heads of the last layer are those that learn the task. */
    pane->layer = start->film->training->recipe.n_layers - 1;
    return true;
}

struct run *training_pane_run(const struct training_pane *pane)
{
    return pane->look.run;
}

/* ---- keys ---- */

static void choose_head(struct training_pane *pane, bool next)
{
    const struct recipe *recipe = &pane->film->training->recipe;
    size_t n = (size_t)recipe->n_layers * recipe->n_heads;
    size_t at = pane->layer * recipe->n_heads + pane->head;
    at = next ? (at + 1) % n : (at + n - 1) % n;
    pane->layer = at / recipe->n_heads;
    pane->head = at % recipe->n_heads;
    pane->is_stale = true;
}

/* Space at an earlier step of a training that is not over comes back to the newest one and goes on
 * there. */
static void pause_or_go_on(struct training_pane *pane)
{
    if (pane->is_running || pane->is_playing)
        training_pause(pane);
    else if (training_is_film(pane))
        training_play(pane);
    else
        training_go_on(pane);
}

static void ask_branch(struct training_pane *pane)
{
    training_pause(pane);
    if (training_step_seen(pane) >= pane->film->branches[pane->branch].recipe.n_steps) {
        training_say(pane, "no step is left to branch from: Left goes back to an earlier one");
        return;
    }
    pane->is_typing = true;
    pane->is_forking = false;
    pane->field = (struct field){.size = 0};
}

static void leave(struct training_pane *pane, bool saves)
{
    pane->is_leaving = false;
    if (pane->start.from_home && saves && training_is_unsaved(pane)) {
        training_scrub_to_end(pane);
        if (!training_save(pane))
            return;
    }
    training_pause(pane);
    if (pane->start.ret_left != NULL)
        *pane->start.ret_left = !saves;
    pane_request_set(&pane->request, pane->start.from_home ? PANE_GO_HOME : PANE_QUIT, "");
}

/* Asks once where something would be lost. */
static void ask_to_leave(struct training_pane *pane)
{
    if (training_is_unsaved(pane) && !pane->is_leaving)
        pane->is_leaving = true;
    else
        leave(pane, false);
}

static void step_out(struct training_pane *pane)
{
    if (pane->is_one)
        pane->is_one = false;
    else
        training_scrub_to_end(pane);
    pane->is_stale = true;
}

static bool scrub(struct training_pane *pane, enum request request)
{
    switch (request) {
    case REQ_LEFT:
    case REQ_RIGHT:
        training_scrub(pane, request == REQ_LEFT ? -1 : 1);
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        training_scrub(pane, request == REQ_PAGE_UP ? -PAGE : PAGE);
        return true;
    case REQ_TOP:
        training_scrub_to_begin(pane);
        return true;
    case REQ_BOTTOM:
        training_scrub_to_end(pane);
        return true;
    default:
        return false;
    }
}

static bool request_of(void *state, enum request request, int key)
{
    struct training_pane *pane = state;
    if (pane->film == NULL)
        return false;
    pane->message[0] = '\0';
    if (!pane->is_leaving && scrub(pane, request))
        return true;
    switch (request) {
    case REQ_PAUSE:
        pause_or_go_on(pane);
        return true;
    case REQ_BRANCH:
        ask_branch(pane);
        return true;
    case REQ_NEXT_BRANCH:
        training_next_branch(pane);
        return true;
    case REQ_OPEN_MODEL:
        training_pause(pane);
        pane_request_set(&pane->request, PANE_OPEN_MODEL, "");
        return true;
    case REQ_SAVE_MODEL:
        training_save(pane);
        return true;
    case REQ_SAVE_AND_LEAVE:
        if (key == KEYCODE_CTRL_C && !training_is_unsaved(pane))
            return false; /* there is nothing to save: it means what it means everywhere */
        leave(pane, true);
        return true;
    case REQ_LEAVE_UNSAVED:
        ask_to_leave(pane);
        return true;
    case REQ_CLOSE:
        step_out(pane);
        return true;
    case REQ_OPEN:
        pane->is_one = !pane->is_one;
        pane->is_stale = true;
        return true;
    case REQ_NEXT_HEAD:
    case REQ_PREVIOUS_HEAD:
    case REQ_DOWN:
    case REQ_UP:
        choose_head(pane, request == REQ_NEXT_HEAD || request == REQ_DOWN);
        return true;
    default:
        return false;
    }
}

static bool types(const void *state)
{
    return ((const struct training_pane *)state)->is_typing;
}

/* Ends what is asked: how to branch, or what becomes of the training. */
static bool clear(void *state)
{
    struct training_pane *pane = state;
    if (!pane->is_typing || !field_clear(&pane->field))
        return false;
    training_say(pane, PANE_CLEARED);
    return true;
}

static bool cancel(void *state)
{
    struct training_pane *pane = state;
    bool was_open = pane->is_typing || pane->is_leaving;
    if (was_open) {
        pane->message[0] = '\0';
        pane->is_typing = pane->is_forking = pane->is_leaving = false;
    }
    return was_open;
}

static bool take_key(void *state, int key)
{
    struct training_pane *pane = state;
    if (pane->is_leaving) /* nothing but an answer is taken, so that the question waits for one */
        return binding_find(leave_bindings, key) == REQ_NONE;
    if (!pane->is_typing)
        return false;
    pane->message[0] = '\0';
    if (key == KEYCODE_ENTER)
        training_fork_soon(pane);
    else
        (void)field_key(&pane->field, key);
    return true;
}

/* The head whose thumbnail is at a place of the grid. False: there is none. */
static bool choose_head_at(struct training_pane *pane, int row, int col)
{
    const struct recipe *recipe = &pane->film->training->recipe;
    int top, left;
    for (size_t i = 0; i < (size_t)recipe->n_layers * recipe->n_heads; i++) {
        size_t layer = i / recipe->n_heads, head = i % recipe->n_heads;
        if (!heads_places_find(&pane->heads, layer, head, &top, &left) ||
            !heads_places_hold(&pane->heads, top, left, row, col))
            continue;
        pane->layer = layer;
        pane->head = head;
        pane->is_stale = true;
        return true;
    }
    return false;
}

static bool click(void *state, struct area area, int row, int col, bool is_double)
{
    struct training_pane *pane = state;
    size_t step;
    (void)area;
    (void)is_double;
    if (pane->film != NULL && training_bar_step(pane, row, col, &step)) {
        training_scrub_to(pane, step);
        return true;
    }
    return pane->film != NULL && pane->layout.shows_heads &&
           choose_head_at(pane, row - 1, col - pane->layout.heads_col);
}

static void wheel(void *state, int steps)
{
    struct training_pane *pane = state;
    if (pane->film != NULL)
        training_scrub(pane, steps);
}

/* ---- the rest of the table ---- */

static void resize(void *state, int rows, int cols)
{
    struct training_pane *pane = state;
    pane->is_stale = pane->is_stale || pane->rows != rows || pane->cols != cols;
    pane->rows = rows;
    pane->cols = cols;
    training_lay_out(pane);
}

static int write_title(const void *state, struct text *title)
{
    const struct training_pane *pane = state;
    text_put(title, "Training");
    if (pane->film == NULL)
        return -1;
    const struct film_branch *branch = &pane->film->branches[pane->branch];
    size_t n_steps = branch->recipe.n_steps, step = training_step_seen(pane);
    text_format(title, "   %s%s%s   step %zu of %zu", pane->film->branches[0].source->name,
                branch->name[0] != '\0' ? ", branch: " : "", branch->name, step, n_steps);
    return n_steps > 0 ? (int)(100 * step / n_steps) : -1;
}

static void write_name(const void *state, struct text *name)
{
    const struct training_pane *pane = state;
    text_format(name, "training-step-%zu", pane->film != NULL ? training_step_seen(pane) : 0);
}

static bool take_request(void *state, struct pane_request *ret)
{
    return pane_request_take(&((struct training_pane *)state)->request, ret);
}

static int timeout_ms(const void *state)
{
    const struct training_pane *pane = state;
    if (pane->film == NULL || !pane->in_view)
        return -1;
    if (training_has_work(pane))
        return 0;
    return pane->is_playing ? training_play_timeout_ms(pane, clock_ms()) : -1;
}

static void tick(void *state, int64_t now_ms, bool in_view)
{
    struct training_pane *pane = state;
    pane->in_view = in_view;
    if (pane->film == NULL || !in_view)
        return;
    if (pane->is_playing && pane->look.is_there) /* its clock runs once a picture is there */
        training_play_on(pane, now_ms);
    if (pane->is_forking)
        training_fork(pane);
    else
        training_work(pane, now_ms);
}

const struct pane_ops training_pane_ops = {
    .title = "Training",
    .bindings = bindings,
    .fills_key_bar = true,
    .bindings_now = bindings_now,
    .types = types,
    .clear = clear,
    .cancel = cancel,
    .key = take_key,
    .request = request_of,
    .click = click,
    .wheel = wheel,
    .resize = resize,
    .draw = training_draw,
    .write_title = write_title,
    .write_name = write_name,
    .take_request = take_request,
    .timeout_ms = timeout_ms,
    .tick = tick,
    .release = release,
};
