/* The model of the exercise pane: see exercise_pane.h. */
#include "ui/panes/exercise/exercise_pane.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exercise/task.h"
#include "ui/panes/exercise/exercise_pane_internal.h"
#include "ui/terminal/scroll.h"

enum {
    FAR = 1 << 20, /* lines beyond any end */
    SHIFT_COLS = 8,
};

const struct binding exercise_pane_bindings[] = {
    {KEYCODE_ENTER, REQ_CHECK, "check", "grades your file; c does it too, and so does each save"},
    {'c', REQ_CHECK, NULL, NULL},
    {'o', REQ_EDITOR, "editor", "opens your file in $VISUAL or $EDITOR"},
    {'h', REQ_HINT, "hint", "gives the next hint"},
    {'v', REQ_VIEW, NULL, "views other ways to write an exercise that is solved, and hides them"},
    {'s', REQ_SHOWN, NULL,
     "goes to the matrices that your program shows, by SHOW(x, rows, cols) of "
     "attn_show.h, and "
     "back"},
    {'n', REQ_NEXT_EXERCISE, "next", "goes to the next exercise"},
    {'b', REQ_PREVIOUS_EXERCISE, "back", "goes to the previous exercise"},
    {'w', REQ_WORKSPACE, "files",
     "makes the folder " LEARNER_FOLDER " with your files; existing files stay as they are"},
    {'/', REQ_FIND, "find words",
     "finds words in what the pane shows; Enter goes there, then n and N to the next place and the "
     "one before, until Escape"},
    {KEYCODE_ESCAPE, REQ_CLOSE, NULL, "stops the grading; else goes back to where you came from"},
    {KEYCODE_CTRL_C, REQ_CLOSE, NULL, "stops the grading; else as everywhere"},
    {KEYCODE_UP, REQ_UP, NULL, "scrolls up by a line; k does it too"},
    {'k', REQ_UP, NULL, NULL},
    {KEYCODE_DOWN, REQ_DOWN, NULL, "scrolls down by a line; j does it too"},
    {'j', REQ_DOWN, NULL, NULL},
    {KEYCODE_LEFT, REQ_LEFT, NULL, "shows again what is beyond the left edge"},
    {KEYCODE_RIGHT, REQ_RIGHT, NULL, "shows what is beyond the right edge"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "scrolls up"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "scrolls down; the space bar does it too"},
    {' ', REQ_PAGE_DOWN, NULL, NULL},
    {KEYCODE_HOME, REQ_TOP, NULL, "scrolls to the top"},
    {KEYCODE_END, REQ_BOTTOM, NULL, "scrolls to the end"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

void exercise_pane_init(struct exercise_pane *pane, const struct settings *settings,
                        const char *data_dir, const char *program, struct progress *progress)
{
    *pane = (struct exercise_pane){.progress = progress,
                                   .data_dir = data_dir,
                                   .program = program,
                                   .ascii = settings->ascii,
                                   .colour = settings->colours != COLOURS_NONE,
                                   .digits = settings->digits,
                                   .due_ms = -1,
                                   .relay_ms = -1};
    doc_init(&pane->page);
    doc_init(&pane->early);
    child_init(&pane->child);
}

void exercise_pane_release(void *state)
{
    struct exercise_pane *pane = state;
    child_release(&pane->child);
    for (size_t i = 0; pane->results != NULL && i < pane->exercises.n; i++) {
        doc_release(&pane->results[i].doc);
        doc_release(&pane->results[i].shown);
        text_release(&pane->results[i].source);
    }
    free(pane->results);
    exercises_release(&pane->exercises);
    text_release(&pane->task);
    text_release(&pane->job_source);
    text_release(&pane->says);
    doc_release(&pane->page);
    doc_release(&pane->early);
    if (pane->watches)
        saves_close(&pane->saves);
    pane->watches = false;
    pane_request_release(&pane->request);
}

/* ---- what is said ---- */

void exercise_pane_say(struct exercise_pane *pane, enum style style, const char *format, ...)
{
    va_list arguments;
    text_clear(&pane->says);
    va_start(arguments, format);
    text_vformat(&pane->says, format, arguments);
    va_end(arguments);
    pane->says_style = style;
}

void exercise_pane_say_error(struct exercise_pane *pane, const struct error *error)
{
    exercise_pane_say(pane, STYLE_BAD, "%s", error->text);
}

void exercise_pane_show(struct exercise_pane *pane, const struct pane_ops *ops)
{
    pane_request_set(&pane->request, PANE_SHOW, "");
    pane->request.ops = ops;
}

/* ---- opening ---- */

const struct exercises *exercise_pane_list(struct exercise_pane *pane, struct error *reterr)
{
    struct exercises all;
    if (pane->exercises.n > 0)
        return &pane->exercises;
    if (pane->data_dir == NULL) {
        error_set(reterr, ERR_FILE,
                  "the exercises: not found; set ATTN_DATA_DIR to the folder "
                  "that holds exercises/");
        return NULL;
    }
    if (!exercises_load(pane->data_dir, NULL, &all, reterr))
        return NULL;
    pane->results = calloc(all.n > 0 ? all.n : 1, sizeof *pane->results);
    if (pane->results == NULL || all.n == 0) {
        exercises_release(&all);
        free(pane->results);
        pane->results = NULL;
        error_set(reterr, ERR_FILE, "the exercises: none were found");
        return NULL;
    }
    pane->exercises = all;
    return &pane->exercises;
}

const struct exercise *exercise_pane_current(const struct exercise_pane *pane)
{
    return pane->is_open ? pane->exercises.items[pane->at] : NULL;
}

static void clamp_scroll(size_t *at, size_t n, size_t seen)
{
    size_t most = n > seen ? n - seen : 0;
    *at = *at > most ? most : *at;
}

static void clamp(struct exercise_pane *pane)
{
    if (!pane->is_open)
        return;
    const struct doc *result = exercise_pane_result_lines(pane);
    clamp_scroll(&pane->scroll.line, pane->page.n_lines, exercise_pane_text_rows(pane, false));
    clamp_scroll(&pane->scroll.col, doc_width(&pane->page), pane->width_cols);
    clamp_scroll(&pane->result_scroll.line, result->n_lines, exercise_pane_text_rows(pane, true));
    clamp_scroll(&pane->result_scroll.col, doc_width(result), pane->result_cols);
}

/* ---- finding words ---- */

static struct find *find_of(struct exercise_pane *pane, bool in_result)
{
    return in_result ? &pane->result_find : &pane->find;
}

static const struct doc *lines_of(const struct exercise_pane *pane, bool in_result)
{
    return in_result ? exercise_pane_result_lines(pane) : &pane->page;
}

/* Scrolls so far that the place is seen, and as much of it as there is room for. */
static void show_place(struct exercise_pane *pane, bool in_result)
{
    const struct find_place *place = &find_of(pane, in_result)->place;
    const struct doc *lines = lines_of(pane, in_result);
    struct exercise_pane_scroll *at = in_result ? &pane->result_scroll : &pane->scroll;
    size_t cols = in_result ? pane->result_cols : pane->width_cols, width = doc_width(lines);
    size_t end =
        place->end_line == place->line ? place->end_col : doc_line_width(lines, place->line);
    at->line = find_scroll(place->line, at->line, exercise_pane_text_rows(pane, in_result),
                           lines->n_lines);
    if (end > place->col)
        at->col = scroll_into_view(at->col, end - 1, cols, width);
    at->col = scroll_into_view(at->col, place->col, cols, width);
}

/* The lines of the panes are others: to the places that are looked for; shows: into sight. */
static void exercise_pane_find_again(struct exercise_pane *pane, bool shows)
{
    for (int in_result = 0; in_result < 2; in_result++)
        if (find_look_again(find_of(pane, in_result), lines_of(pane, in_result)) && shows)
            show_place(pane, in_result);
}

/* False where the key is none of the search's. */
static bool find_key_in(struct exercise_pane *pane, bool in_result, int key)
{
    struct find *find = find_of(pane, in_result);
    enum find_reply reply = find_is_open(find) ? find_key(find, key) : FIND_IGNORES;
    bool looks = reply == FIND_BEGINS || reply == FIND_BELOW || reply == FIND_ABOVE;
    if (looks && find_look_around(find, lines_of(pane, in_result), reply))
        show_place(pane, in_result);
    clamp(pane);
    return reply != FIND_IGNORES;
}

void exercise_pane_refresh(struct exercise_pane *pane)
{
    struct error error;
    const struct exercise *exercise = exercise_pane_current(pane);
    if (exercise == NULL)
        return;
    if (!progress_exercise(pane->progress, exercise->id, &pane->done, &error))
        exercise_pane_say_error(pane, &error);
    exercise_pane_compose(pane);
    exercise_pane_find_again(pane, false);
    clamp(pane);
}

bool exercise_pane_go(struct exercise_pane *pane, size_t at, struct error *reterr)
{
    struct text task = {0};
    if (!task_write(pane->exercises.items[at], pane->data_dir, &task, reterr)) {
        text_release(&task);
        return false;
    }
    if (pane->job == EXERCISE_PANE_GRADES)
        exercise_pane_stop(pane);
    text_release(&pane->task);
    pane->task = task;
    pane->at = at;
    pane->is_open = true;
    pane->shows_solutions = false;
    pane->shows_shown = false;
    pane->scroll = pane->result_scroll = (struct exercise_pane_scroll){0};
    find_close(&pane->find);
    find_close(&pane->result_find);
    exercise_pane_show(pane, &exercise_task_ops);
    text_clear(&pane->says);
    exercise_pane_find_files(pane);
    exercise_pane_leave_saves(pane);
    exercise_pane_refresh(pane);
    return true;
}

bool exercise_pane_open(struct exercise_pane *pane, const char *name, struct error *reterr)
{
    const struct exercises *exercises = exercise_pane_list(pane, reterr);
    if (exercises == NULL)
        return false;
    const struct exercise *wanted = exercises_find(exercises, name);
    if (wanted == NULL)
        return error_set(reterr, ERR_NAME, "%s: no exercise has this name", name);
    size_t at = 0;
    while (exercises->items[at] != wanted)
        at++;
    return exercise_pane_go(pane, at, reterr);
}

void exercise_pane_resize(struct exercise_pane *pane, int rows, int cols, int result_rows,
                          int result_cols)
{
    size_t width = exercise_pane_text_cols(cols),
           result_width = exercise_pane_text_cols(result_cols);
    bool other = width != pane->width_cols, other_rows = rows != pane->rows;
    bool other_result = result_width != pane->result_cols;
    pane->rows = rows;
    pane->result_rows = result_rows;
    pane->width_cols = width;
    pane->result_cols = result_width;
    if (other && pane->is_open)
        exercise_pane_compose(pane);
    if (other_result && pane->is_open)
        pane->relay_ms = pane->now_ms; /* and a while for the window to settle */
    if (pane->is_open && (other || other_rows || other_result))
        exercise_pane_find_again(pane, true);
    clamp(pane);
}

/* ---- scrolling ---- */

static void move(size_t *at, int by)
{
    if (by < 0)
        *at -= (size_t)-by < *at ? (size_t)-by : *at;
    else
        *at += (size_t)by;
}

static void scroll(struct exercise_pane *pane, bool in_result, int lines, int cols)
{
    struct exercise_pane_scroll *at = in_result ? &pane->result_scroll : &pane->scroll;
    move(&at->line, lines);
    move(&at->col, cols);
    clamp(pane);
}

/* ---- requests ---- */

static void go_on(struct exercise_pane *pane, bool forward)
{
    struct error error;
    size_t last = pane->exercises.n - 1;
    if (forward ? pane->at == last : pane->at == 0) {
        exercise_pane_say(pane, STYLE_NOTE, "This is the %s exercise.", forward ? "last" : "first");
        return;
    }
    if (!exercise_pane_go(pane, forward ? pane->at + 1 : pane->at - 1, &error))
        exercise_pane_say_error(pane, &error);
}

/* All hints that were given stand below the task. */
static void give_hint(struct exercise_pane *pane)
{
    struct error error;
    const struct exercise *exercise = exercise_pane_current(pane);
    unsigned next = pane->done.n_hints + 1;
    if (next > exercise->hints.n)
        exercise_pane_say(pane, STYLE_NOTE, "%s",
                          exercise->hints.n == 0
                              ? "This exercise has no hints."
                              : "Those were all the hints; they are at the end.");
    else if (!progress_exercise_hint(pane->progress, exercise->id, next, time(NULL), &error))
        exercise_pane_say_error(pane, &error);
    exercise_pane_refresh(pane);
    scroll(pane, false, FAR, 0);
    exercise_pane_show(pane, &exercise_task_ops);
}

/* Only to who has solved it. They stand below the task, as hints do. */
static void view_solutions(struct exercise_pane *pane)
{
    if (!pane->done.passed) {
        exercise_pane_say(pane, STYLE_NOTE,
                          "Other ways to write it are shown once it is solved; "
                          "h gives a hint.");
        return;
    }
    size_t before = pane->page.n_lines;
    pane->shows_solutions = !pane->shows_solutions;
    exercise_pane_refresh(pane);
    pane->scroll.line = 0;
    if (pane->shows_solutions)
        scroll(pane, false, before < FAR ? (int)before : FAR, 0);
    exercise_pane_show(pane, &exercise_task_ops);
}

/* Turns the page of the result. */
static void go_to_shown(struct exercise_pane *pane)
{
    if (pane->results[pane->at].shown.n_lines == 0) {
        exercise_pane_say(pane, STYLE_NOTE,
                          "Your program shows nothing: #include \"attn_show.h\" and write "
                          "SHOW(x, rows, cols); where you want to look at x.");
        return;
    }
    pane->shows_shown = !pane->shows_shown;
    pane->result_scroll = (struct exercise_pane_scroll){0};
    find_close(&pane->result_find);
    exercise_pane_show(pane, &exercise_result_ops);
}

static void ask_for_editor(struct exercise_pane *pane)
{
    exercise_pane_find_files(pane);
    if (pane->path[0] == '\0') {
        exercise_pane_say(pane, STYLE_NOTE, "There is no file of yours yet: w makes it.");
        return;
    }
    pane_request_set(&pane->request, PANE_RUN_OUTSIDE, "");
    pane->request.run = exercise_pane_edit;
}

static bool work_request(struct exercise_pane *pane, enum request request)
{
    switch (request) {
    case REQ_CHECK:
    case REQ_OPEN:
        exercise_pane_grade(pane, false);
        return true;
    case REQ_EDITOR:
        ask_for_editor(pane);
        return true;
    case REQ_HINT:
        give_hint(pane);
        return true;
    case REQ_NEXT_EXERCISE:
    case REQ_PREVIOUS_EXERCISE:
        go_on(pane, request == REQ_NEXT_EXERCISE);
        return true;
    case REQ_VIEW:
        view_solutions(pane);
        return true;
    case REQ_SHOWN:
        go_to_shown(pane);
        return true;
    case REQ_WORKSPACE:
        exercise_pane_start(pane);
        return true;
    default:
        return false;
    }
}

static bool scroll_request(struct exercise_pane *pane, enum request request, bool in_result)
{
    int page = (int)exercise_pane_text_rows(pane, in_result) - 1;
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        scroll(pane, in_result, request == REQ_UP ? -1 : 1, 0);
        return true;
    case REQ_LEFT:
    case REQ_RIGHT:
        scroll(pane, in_result, 0, request == REQ_LEFT ? -SHIFT_COLS : SHIFT_COLS);
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        scroll(pane, in_result, request == REQ_PAGE_UP ? -page : page, 0);
        return true;
    case REQ_TOP:
    case REQ_BOTTOM:
        scroll(pane, in_result, request == REQ_TOP ? -FAR : FAR, 0);
        return true;
    default:
        return false;
    }
}

static bool do_request(struct exercise_pane *pane, enum request request, bool in_result)
{
    if (!pane->is_open)
        return false;
    if (scroll_request(pane, request, in_result))
        return true;
    struct find *find = find_of(pane, in_result);
    if (find_close(find) && request == REQ_CLOSE)
        return true;
    text_clear(&pane->says);
    if (request == REQ_FIND) {
        find_open(find, (in_result ? pane->result_scroll : pane->scroll).line, false);
        return true;
    }
    if (request == REQ_CLOSE && pane->job != EXERCISE_PANE_IDLE) {
        exercise_pane_stop(pane);
        exercise_pane_say(pane, STYLE_NOTE, "Stopped; Enter grades your file again.");
        return true;
    }
    return work_request(pane, request);
}

bool exercise_task_request(void *state, enum request request, int key)
{
    (void)key;
    return do_request(state, request, false);
}

bool exercise_result_request(void *state, enum request request, int key)
{
    (void)key;
    return do_request(state, request, true);
}

static bool clear_find(struct exercise_pane *pane, bool in_result)
{
    struct find *find = find_of(pane, in_result);
    bool had_words = find_clear(find);
    if (had_words)
        (void)find_look_around(find, lines_of(pane, in_result), FIND_BEGINS);
    return had_words;
}

static bool clear_in_task(void *state)
{
    return clear_find(state, false);
}

static bool clear_in_result(void *state)
{
    return clear_find(state, true);
}

static bool cancel_in_task(void *state)
{
    return find_close(&((struct exercise_pane *)state)->find);
}

static bool cancel_in_result(void *state)
{
    return find_close(&((struct exercise_pane *)state)->result_find);
}

static bool task_key(void *state, int key)
{
    return find_key_in(state, false, key);
}

static bool result_key(void *state, int key)
{
    return find_key_in(state, true, key);
}

static bool task_types(const void *state)
{
    return find_types(&((const struct exercise_pane *)state)->find);
}

static bool result_types(const void *state)
{
    return find_types(&((const struct exercise_pane *)state)->result_find);
}

static const struct binding *bindings_with(const struct find *find)
{
    return find_is_open(find) ? find_bindings(find) : exercise_pane_bindings;
}

static const struct binding *task_bindings_now(const void *state)
{
    return bindings_with(&((const struct exercise_pane *)state)->find);
}

static const struct binding *result_bindings_now(const void *state)
{
    return bindings_with(&((const struct exercise_pane *)state)->result_find);
}

bool exercise_pane_take_request(void *state, struct pane_request *ret)
{
    struct exercise_pane *pane = state;
    return pane_request_take(&pane->request, ret);
}

/* ---- the tables of operations ---- */

static void wheel_task(void *state, int steps)
{
    scroll(state, false, steps, 0);
}

static void wheel_result(void *state, int steps)
{
    scroll(state, true, steps, 0);
}

static void resize_task(void *state, int rows, int cols)
{
    struct exercise_pane *pane = state;
    pane->task_rows = rows;
    pane->task_cols = cols;
}

/* The application tells the size of the result after that of the task. */
static void resize_result(void *state, int rows, int cols)
{
    struct exercise_pane *pane = state;
    int task_rows = pane->task_rows > 0 ? pane->task_rows : rows;
    int task_cols = pane->task_rows > 0 ? pane->task_cols : cols;
    if (task_rows > 0)
        exercise_pane_resize(pane, task_rows, task_cols, rows > 0 ? rows : task_rows,
                             rows > 0 ? cols : task_cols);
}

static int write_title(const void *state, struct text *title)
{
    const struct exercise *exercise = exercise_pane_current(state);
    if (exercise != NULL)
        text_format(title, "Exercise %u   %s", exercise->number, exercise->title);
    return -1;
}

const struct pane_ops exercise_task_ops = {
    .title = "Exercise",
    .bindings = exercise_pane_bindings,
    .bindings_now = task_bindings_now,
    .types = task_types,
    .clear = clear_in_task,
    .cancel = cancel_in_task,
    .key = task_key,
    .request = exercise_task_request,
    .wheel = wheel_task,
    .resize = resize_task,
    .draw = exercise_task_draw,
    .write_title = write_title,
    .take_request = exercise_pane_take_request,
    .fds = exercise_pane_fds,
    .timeout_ms = exercise_pane_timeout_ms,
    .tick = exercise_pane_tick,
    .release = exercise_pane_release,
};

static int write_result_title(const void *state, struct text *title)
{
    text_put(title, exercise_pane_is_on_shown(state) ? "What you SHOW" : "Result");
    return -1;
}

const struct pane_ops exercise_result_ops = {
    .write_title = write_result_title,
    .bindings = exercise_pane_bindings,
    .bindings_now = result_bindings_now,
    .types = result_types,
    .clear = clear_in_result,
    .cancel = cancel_in_result,
    .key = result_key,
    .request = exercise_result_request,
    .wheel = wheel_result,
    .resize = resize_result,
    .draw = exercise_result_draw,
};
