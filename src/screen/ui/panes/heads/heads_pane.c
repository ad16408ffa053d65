/* See heads_pane.h: what keys and clicks do. */
#include "ui/panes/heads/heads_pane_internal.h"

#include "model/model.h"
#include "model/run.h"
#include "ui/terminal/scroll.h"

static const struct binding *bindings_now(const void *state)
{
    const struct heads_pane *pane = state;
    return pane->is_typing ? heads_typing_bindings
           : pane->is_one  ? heads_bindings
                           : heads_grid_bindings;
}

bool heads_pane_init(struct heads_pane *pane, const struct settings *settings, const char *data_dir,
                     const volatile sig_atomic_t *stop, struct error *reterr)
{
    *pane =
        (struct heads_pane){.settings = *settings, .data_dir = data_dir, .graph = {.stop = stop}};
    doc_init(&pane->grid);
    doc_init(&pane->about);
    doc_init(&pane->bars);
    doc_init(&pane->chart);
    doc_init(&pane->words.list);
    pane->text_rows = 1;
    heads_reset_dials(pane);
    if (!explorer_init(&pane->explorer, settings, data_dir, stop, reterr))
        return false;
    pane->explorer.view = EXPLORE_HEAT;
    return true;
}

static void release(void *state)
{
    struct heads_pane *pane = state;
    heads_ranking_release(&pane->ranking);
    heads_map_release(&pane->map);
    alignment_release(&pane->alignment);
    run_free(pane->other);
    run_free(pane->run);
    run_free(pane->base);
    run_free(pane->before);
    model_free(pane->model);
    doc_release(&pane->grid);
    doc_release(&pane->about);
    doc_release(&pane->bars);
    doc_release(&pane->chart);
    heads_words_release(&pane->words);
    text_release(&pane->texts[0]);
    text_release(&pane->texts[1]);
    explorer_release(&pane->explorer);
}

/* ---- moving ---- */

/* To another head, so many layers and heads further; not beyond the ends. */
static bool go(struct heads_pane *pane, ptrdiff_t layers, ptrdiff_t heads)
{
    const struct model_config *config = &pane->run->model->config;
    pane->look.layer = scroll_step(pane->look.layer, layers, config->n_layers);
    pane->look.head = scroll_step(pane->look.head, heads, config->n_heads);
    pane->is_moved = true;
    if (pane->is_one)
        (void)heads_explore(pane);
    return true;
}

/* From all heads to the one under the cursor, and back. */
static void show_one(struct heads_pane *pane, bool is_one)
{
    pane->is_one = !is_one || heads_explore(pane) ? is_one : pane->is_one;
    pane->map.is_open = pane->is_one && pane->other != NULL;
    pane->map.each = 0;
    pane->is_changed = true; /* the bars have another place */
}

/* ---- keys ---- */

/* Another way of looking at one head. */
static bool look_by(struct heads_pane *pane, bool *flag)
{
    if (!pane->is_one)
        return false;
    *flag = !*flag;
    pane->is_moved = true;
    return heads_explore(pane);
}

/* From the map to the numbers: those of the second of two texts. */
static void leave_map(struct heads_pane *pane)
{
    struct heads_map *map = &pane->map;
    bool is_pair =
        pane->other != NULL && map->row < pane->alignment.n && map->col < pane->alignment.n;
    pane->explorer.row = is_pair ? pane->alignment.pairs[map->row][1] : map->row;
    pane->explorer.col = is_pair ? pane->alignment.pairs[map->col][1] : map->col;
    map->is_open = false;
    pane->is_changed = true;
    (void)heads_explore(pane);
}

static void zoom(struct heads_pane *pane, bool out)
{
    struct heads_map *map = &pane->map;
    pane->is_moved = true;
    if (map->is_open && !out && map->each <= (pane->other == NULL ? 1 : 0)) {
        leave_map(pane);
    } else if (map->is_open) {
        heads_map_zoom(pane, out);
    } else if (out) {
        *map = (struct heads_map){.is_open = true,
                                  .each = pane->other == NULL ? 1 : 0,
                                  .row = pane->explorer.row,
                                  .col = pane->explorer.col};
        pane->is_changed = true;
    }
}

/* What the keys do to the map. False: what they do to one head. */
static bool request_of_map(struct heads_pane *pane, enum request request)
{
    if (request == REQ_OPEN)
        leave_map(pane);
    else if (request == REQ_VIEW || request == REQ_COLOURS || request == REQ_MARK_HEAD ||
             request == REQ_ALL_LINES)
        heads_say(pane, "Enter shows the numbers; v, r, Space and L are there");
    else
        return heads_map_move(pane, request);
    return true;
}

/* What the keys do to one head; what is left is the explorer's. */
static bool request_of_one(struct heads_pane *pane, enum request request, int key)
{
    bool back = request == REQ_PARENT || request == REQ_CLOSE;
    if (back && pane->other != NULL && !pane->map.is_open && pane->explorer.depth == 0) {
        pane->map.is_open = pane->is_changed = true;
        return true;
    }
    if (back && (pane->map.is_open || pane->explorer.depth == 0)) {
        show_one(pane, false);
        return true;
    }
    if (pane->map.is_open && request_of_map(pane, request))
        return true;
    switch (request) {
    case REQ_ZOOM_OUT:
    case REQ_ZOOM_IN:
        zoom(pane, request == REQ_ZOOM_OUT);
        return true;
    case REQ_NEXT_HEAD:
    case REQ_PREVIOUS_HEAD:
        return go(pane, 0, request == REQ_NEXT_HEAD ? 1 : -1);
    case REQ_NEXT_LAYER:
    case REQ_PREVIOUS_LAYER:
        return go(pane, request == REQ_NEXT_LAYER ? 1 : -1, 0);
    case REQ_HIDE_SINK:
        return look_by(pane, &pane->look.hides_sink);
    case REQ_BY_LENGTH:
        return look_by(pane, &pane->look.by_length);
    default:
        if (pane->map.is_open)
            return false;
        pane->is_moved = true; /* the chart follows the query */
        return explorer_request(&pane->explorer, request, key);
    }
}

/* By the next that there is something to rank by. */
static void rank_by_next(struct heads_pane *pane, unsigned steps)
{
    unsigned by = (pane->ranking.by + steps) % HEADS_BYS;
    if (by == HEADS_BY_CHANGE && pane->other == NULL)
        by = (by + steps) % HEADS_BYS;
    heads_rank_by(pane, by);
}

/* The model's chart in the place of the next word, or that again; where neither has room, says so.
 */
static void toggle_chart(struct heads_pane *pane)
{
    pane->shows_chart = !pane->shows_chart;
    pane->is_changed = true;
    if (pane->cols > 0 && pane->bars_col >= pane->cols)
        heads_say(pane, "no room for the chart beside all heads: Enter opens one, and it is there");
}

/* Asks for a second text, or is done with it. */
static void compare(struct heads_pane *pane)
{
    struct error error;
    if (pane->other == NULL)
        heads_ask(pane, HEADS_ASK_SECOND, false);
    else if (!heads_pane_compare(pane, NULL, &error))
        heads_say(pane, "%s", error.text);
}

/* Escape stops what is being measured, before it closes anything. */
static bool stop_measuring(struct heads_pane *pane, enum request request)
{
    if ((request != REQ_CLOSE && request != REQ_PARENT) || !heads_is_measuring(pane))
        return false;
    return pane->ranking.is_stopped = true;
}

static bool request_of(void *state, enum request request, int key)
{
    struct heads_pane *pane = state;
    if (pane->run == NULL)
        return false;
    pane->message[0] = '\0';
    if (stop_measuring(pane, request))
        return true;
    switch (request) {
    case REQ_CUT_ZERO:
    case REQ_CUT_MEAN:
        heads_toggle_cut(pane, request == REQ_CUT_ZERO ? CUT_ZERO : CUT_MEAN);
        return true;
    case REQ_PATCH:
        heads_toggle_patch(pane);
        return true;
    case REQ_COMPARE:
        compare(pane);
        return true;
    case REQ_UNDO:
        if (!heads_remove_next(pane))
            heads_restore(pane);
        return true;
    case REQ_RANK:
    case REQ_RANK_BACK:
        rank_by_next(pane, request == REQ_RANK ? 1 : HEADS_BYS - 1);
        return true;
    case REQ_SORT:
        heads_sort(pane);
        return true;
    case REQ_ADD_WORD:
    case REQ_SENTENCE:
        heads_ask(pane, HEADS_ASK_TEXT, request == REQ_ADD_WORD);
        return true;
    case REQ_EDIT:
        heads_ask(pane, HEADS_ASK_TOKEN, false);
        return true;
    case REQ_STORY:
        heads_read_story(pane);
        return true;
    case REQ_CHART:
        toggle_chart(pane);
        return true;
    case REQ_WORDS:
        heads_show_words(pane);
        return true;
    case REQ_DRAW_WORD:
    case REQ_LIKELIEST_WORD:
        heads_add_next(pane, request == REQ_LIKELIEST_WORD);
        return true;
    case REQ_NEXT_DIAL:
        heads_next_dial(pane);
        return true;
    case REQ_DIAL_DOWN:
    case REQ_DIAL_UP:
        heads_turn_dial(pane, request == REQ_DIAL_UP ? 1 : -1);
        return true;
    case REQ_RESET_DIALS:
        heads_reset_dials(pane);
        return true;
    default:
        break;
    }
    if (pane->is_one)
        return request_of_one(pane, request, key);
    if (request != REQ_OPEN)
        return heads_move_in_grid(pane, request);
    show_one(pane, true);
    return true;
}

static bool types(const void *state)
{
    return ((const struct heads_pane *)state)->is_typing;
}

static bool clear(void *state)
{
    struct heads_pane *pane = state;
    if (pane->words.is_shown || !pane->is_typing || !pane->is_touched || !field_clear(&pane->field))
        return false;
    heads_say(pane, PANE_CLEARED);
    return true;
}

static bool cancel(void *state)
{
    struct heads_pane *pane = state;
    bool was_open = pane->is_typing;
    if (pane->words.is_shown) {
        pane->words.is_shown = false;
        return true;
    }
    if (was_open)
        pane->message[0] = '\0';
    pane->is_typing = false;
    return was_open;
}

/* A key for the field of a text: Tab completes. */
static void type_text(struct heads_pane *pane, int key)
{
    if (key == KEYCODE_TAB) {
        heads_complete(pane);
        pane->is_touched = true;
    } else if (field_key(&pane->field, key) == FIELD_CHANGED) {
        pane->is_touched = true;
    }
}

static bool take_key(void *state, int key)
{
    struct heads_pane *pane = state;
    if (pane->words.is_shown && heads_words_key(pane, key))
        return true;
    if (!pane->is_typing)
        return false;
    pane->message[0] = '\0';
    if (pane->asks == HEADS_ASK_TOKEN && (key == KEYCODE_UP || key == KEYCODE_DOWN))
        heads_step_token(pane, key == KEYCODE_UP ? -1 : 1);
    else if (key == KEYCODE_ENTER)
        pane->is_typing = pane->field.size > 0 && !heads_take_text(pane);
    else
        type_text(pane, key);
    return true;
}

static bool click(void *state, struct area area, int row, int col, bool is_double)
{
    struct heads_pane *pane = state;
    if (pane->run == NULL)
        return false;
    if (pane->is_one && pane->map.is_open)
        return false;
    if (pane->is_one)
        return explorer_click(&pane->explorer, heads_explorer_area(pane, area),
                              row - heads_top_rows(pane), col, is_double);
    if (!heads_click_grid(pane, row, col))
        return false;
    pane->is_moved = true;
    if (is_double)
        show_one(pane, true);
    return true;
}

static void wheel(void *state, int steps)
{
    struct heads_pane *pane = state;
    if (pane->run != NULL && pane->is_one && pane->map.is_open)
        (void)heads_map_move(pane, steps > 0 ? REQ_DOWN : REQ_UP);
    else if (pane->run != NULL && pane->is_one)
        explorer_wheel(&pane->explorer, steps);
    for (; pane->run != NULL && !pane->is_one && steps != 0; steps -= steps > 0 ? 1 : -1)
        (void)heads_move_in_grid(pane, steps > 0 ? REQ_DOWN : REQ_UP);
}

/* ---- the rest of the table ---- */

static void resize(void *state, int rows, int cols)
{
    struct heads_pane *pane = state;
    pane->is_changed = pane->is_changed || pane->rows != rows || pane->cols != cols;
    pane->rows = rows;
    pane->cols = cols;
    heads_lay_out(pane);
}

static int timeout_ms(const void *state)
{
    const struct heads_pane *pane = state;
    return pane->ranking.is_in_view && heads_is_measuring(pane) ? 0 : -1;
}

static void tick(void *state, int64_t now_ms, bool in_view)
{
    struct heads_pane *pane = state;
    (void)now_ms;
    pane->ranking.is_in_view = in_view;
    if (in_view && heads_is_measuring(pane))
        heads_measure_more(pane);
}

static int write_title(const void *state, struct text *title)
{
    const struct heads_pane *pane = state;
    text_put(title, "Model");
    if (pane->run != NULL)
        text_format(title, "   %s   %zu tokens", pane->run->model->name, run_length(pane->run));
    if (pane->run != NULL && pane->other != NULL)
        text_format(title, " (B), A %zu, %zu pairs", run_length(pane->other), pane->alignment.n);
    return -1;
}

static bool copy(const void *state, bool table, struct text *ret, struct text *what)
{
    const struct heads_pane *pane = state;
    if (pane->run != NULL && pane->is_one && pane->map.is_open)
        return !table && heads_map_copy(pane, ret, what);
    return pane->run != NULL && pane->is_one && explorer_copy(&pane->explorer, table, ret, what);
}

static void write_name(const void *state, struct text *name)
{
    const struct heads_pane *pane = state;
    if (pane->is_one)
        text_format(name, "L%zuH%zu", pane->look.layer, pane->look.head);
    else
        text_put(name, "heads");
}

const struct pane_ops heads_pane_ops = {
    .title = "Model",
    .bindings = heads_bindings,
    .typing_bindings = heads_typing_bindings,
    .bindings_now = bindings_now,
    .types = types,
    .fills_key_bar = true,
    .clear = clear,
    .cancel = cancel,
    .key = take_key,
    .request = request_of,
    .click = click,
    .wheel = wheel,
    .resize = resize,
    .draw = heads_draw,
    .write_title = write_title,
    .copy = copy,
    .write_name = write_name,
    .timeout_ms = timeout_ms,
    .tick = tick,
    .release = release,
};
