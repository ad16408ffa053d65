/* The model of the exercise pane: see workshop.h. */
#include "ui/panes/exercise/exercise_pane.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exercise/task.h"
#include "ui/panes/exercise/exercise_pane_internal.h"

enum {
    FAR = 1 << 20, /* lines beyond any end */
    SHIFT_COLS = 8,
};

const struct binding workshop_bindings[] = {
    {KEY_ENTER_, REQ_CHECK, "check", "grades your file; c does it too, and so does each save"},
    {'c', REQ_CHECK, NULL, NULL},
    {'o', REQ_EDITOR, "editor", "opens your file in $VISUAL or $EDITOR"},
    {'h', REQ_HINT, "hint", "gives the next hint"},
    {'n', REQ_NEXT_EXERCISE, "next", "goes to the next exercise"},
    {'b', REQ_PREVIOUS_EXERCISE, "back", "goes to the exercise before"},
    {'w', REQ_WORKSPACE, "files",
     "makes the folder " WORKSHOP_FOLDER " with your files; what is there stays as it is"},
    {KEY_ESCAPE, REQ_CLOSE, NULL, "stops the grading; else goes back to where you came from"},
    {KEY_CTRL_C, REQ_CLOSE, NULL, "stops the grading; else leaves attn"},
    {KEY_UP_, REQ_UP, NULL, "scrolls up by a line; k does it too"},
    {'k', REQ_UP, NULL, NULL},
    {KEY_DOWN_, REQ_DOWN, NULL, "scrolls down by a line; j does it too"},
    {'j', REQ_DOWN, NULL, NULL},
    {KEY_LEFT_, REQ_LEFT, NULL, "shows again what is beyond the left edge"},
    {KEY_RIGHT_, REQ_RIGHT, NULL, "shows what is beyond the right edge"},
    {KEY_PAGE_UP, REQ_PAGE_UP, NULL, "scrolls up"},
    {KEY_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "scrolls down; the space bar does it too"},
    {' ', REQ_PAGE_DOWN, NULL, NULL},
    {KEY_HOME_, REQ_TOP, NULL, "scrolls to the top"},
    {KEY_END_, REQ_BOTTOM, NULL, "scrolls to the end"},
    {KEY_NONE, REQ_NONE, NULL, NULL},
};

void workshop_init(struct workshop *workshop, const struct settings *settings, const char *data_dir,
                   const char *program, struct progress *progress)
{
    *workshop = (struct workshop){.progress = progress,
                                  .data_dir = data_dir,
                                  .program = program,
                                  .ascii = settings->ascii,
                                  .colour = settings->colours != COLOURS_NONE,
                                  .digits = settings->digits,
                                  .saves = {.fd = -1},
                                  .due_ms = -1,
                                  .relay_ms = -1};
    doc_init(&workshop->page);
    child_init(&workshop->child);
}

void workshop_release(struct workshop *workshop)
{
    child_release(&workshop->child);
    for (size_t i = 0; workshop->results != NULL && i < workshop->exercises.n; i++) {
        doc_release(&workshop->results[i].doc);
        text_release(&workshop->results[i].source);
    }
    free(workshop->results);
    exercises_release(&workshop->exercises);
    text_release(&workshop->task);
    text_release(&workshop->job_source);
    text_release(&workshop->says);
    doc_release(&workshop->page);
    if (workshop->watches)
        saves_close(&workshop->saves);
    workshop->watches = false;
}

/* Saying. */

void workshop_say(struct workshop *workshop, enum style style, const char *format, ...)
{
    va_list arguments;
    text_clear(&workshop->says);
    va_start(arguments, format);
    text_vformat(&workshop->says, format, arguments);
    va_end(arguments);
    workshop->says_style = style;
}

void workshop_say_error(struct workshop *workshop, const struct error *error)
{
    workshop_say(workshop, STYLE_BAD, "%s", error->text);
}

/* Opening. */

const struct exercises *workshop_exercises(struct workshop *workshop, struct error *reterr)
{
    struct exercises all;
    if (workshop->exercises.n > 0)
        return &workshop->exercises;
    if (workshop->data_dir == NULL) {
        error_set(reterr, ERR_FILE,
                  "the exercises: not found; set ATTN_DATA_DIR to the folder "
                  "that holds exercises/");
        return NULL;
    }
    if (!exercises_load(workshop->data_dir, &all, reterr))
        return NULL;
    workshop->results = calloc(all.n > 0 ? all.n : 1, sizeof *workshop->results);
    if (workshop->results == NULL || all.n == 0) {
        exercises_release(&all);
        free(workshop->results);
        workshop->results = NULL;
        error_set(reterr, ERR_FILE, "the exercises: there are none");
        return NULL;
    }
    workshop->exercises = all;
    return &workshop->exercises;
}

const struct exercise *workshop_exercise(const struct workshop *workshop)
{
    return workshop->is_open ? workshop->exercises.items[workshop->at] : NULL;
}

void workshop_refresh(struct workshop *workshop)
{
    struct error error;
    const struct exercise *exercise = workshop_exercise(workshop);
    if (exercise == NULL)
        return;
    if (!progress_exercise(workshop->progress, exercise->id, &workshop->done, &error))
        workshop_say_error(workshop, &error);
    workshop_compose(workshop);
    workshop_clamp(workshop);
}

bool workshop_go(struct workshop *workshop, size_t at, struct error *reterr)
{
    struct text task = {0};
    if (!task_write(workshop->exercises.items[at], workshop->data_dir, &task, reterr)) {
        text_release(&task);
        return false;
    }
    if (workshop->job == WORKSHOP_GRADES)
        workshop_stop(workshop);
    text_release(&workshop->task);
    workshop->task = task;
    workshop->at = at;
    workshop->is_open = true;
    workshop->scroll = workshop->result_scroll = (struct workshop_scroll){0};
    workshop->wish = WORKSHOP_TASK;
    text_clear(&workshop->says);
    workshop_find_files(workshop);
    workshop_leave_saves(workshop);
    workshop_refresh(workshop);
    return true;
}

static size_t index_of(const struct exercises *exercises, const struct exercise *wanted)
{
    size_t at = 0;
    while (at < exercises->n && exercises->items[at] != wanted)
        at++;
    return at;
}

bool workshop_open(struct workshop *workshop, const char *name, struct error *reterr)
{
    const struct exercises *exercises = workshop_exercises(workshop, reterr);
    if (exercises == NULL)
        return false;
    const struct exercise *wanted = exercises_find(exercises, name);
    if (wanted == NULL)
        return error_set(reterr, ERR_NAME, "%s: no exercise is called so", name);
    return workshop_go(workshop, index_of(exercises, wanted), reterr);
}

void workshop_resize(struct workshop *workshop, int rows, int cols, int result_rows,
                     int result_cols)
{
    size_t width = workshop_text_cols(cols), result_width = workshop_text_cols(result_cols);
    bool other = width != workshop->width_cols;
    bool other_result = result_width != workshop->result_cols;
    workshop->rows = rows;
    workshop->result_rows = result_rows;
    workshop->width_cols = width;
    workshop->result_cols = result_width;
    if (other && workshop->is_open)
        workshop_compose(workshop);
    if (other_result && workshop->is_open)
        workshop->relay_ms = workshop->now_ms; /* and a while for the window to settle */
    workshop_clamp(workshop);
}

/* Scrolling. */

static void clamp(size_t *at, size_t n, size_t seen)
{
    size_t most = n > seen ? n - seen : 0;
    *at = *at > most ? most : *at;
}

void workshop_clamp(struct workshop *workshop)
{
    if (!workshop->is_open)
        return;
    const struct doc *result = &workshop->results[workshop->at].doc;
    clamp(&workshop->scroll.line, workshop->page.n_lines, workshop_text_rows(workshop, false));
    clamp(&workshop->scroll.col, doc_width(&workshop->page), workshop->width_cols);
    clamp(&workshop->result_scroll.line, result->n_lines, workshop_text_rows(workshop, true));
    clamp(&workshop->result_scroll.col, doc_width(result), workshop->result_cols);
}

static void move(size_t *at, int by)
{
    if (by < 0)
        *at -= (size_t)-by < *at ? (size_t)-by : *at;
    else
        *at += (size_t)by;
}

void workshop_scroll(struct workshop *workshop, bool in_result, int lines, int cols)
{
    struct workshop_scroll *scroll = in_result ? &workshop->result_scroll : &workshop->scroll;
    move(&scroll->line, lines);
    move(&scroll->col, cols);
    workshop_clamp(workshop);
}

/* Requests. */

static void go_on(struct workshop *workshop, bool forward)
{
    struct error error;
    size_t last = workshop->exercises.n - 1;
    if (forward ? workshop->at == last : workshop->at == 0) {
        workshop_say(workshop, STYLE_NOTE, "This is the %s exercise.", forward ? "last" : "first");
        return;
    }
    if (!workshop_go(workshop, forward ? workshop->at + 1 : workshop->at - 1, &error))
        workshop_say_error(workshop, &error);
}

/* All hints that were given stand below the task. */
static void give_hint(struct workshop *workshop)
{
    struct error error;
    const struct exercise *exercise = workshop_exercise(workshop);
    unsigned next = workshop->done.n_hints + 1;
    if (next > exercise->hints.n)
        workshop_say(workshop, STYLE_NOTE, "%s",
                     exercise->hints.n == 0 ? "This exercise has no hints."
                                            : "That were all hints; they stand at the end.");
    else if (!progress_hint(workshop->progress, exercise->id, next, time(NULL), &error))
        workshop_say_error(workshop, &error);
    workshop_refresh(workshop);
    workshop_scroll(workshop, false, FAR, 0);
    workshop->wish = WORKSHOP_TASK;
}

static void wish_editor(struct workshop *workshop)
{
    workshop_find_files(workshop);
    if (workshop->path[0] == '\0')
        workshop_say(workshop, STYLE_NOTE, "There is no file of yours yet: w makes it.");
    else
        workshop->wish = WORKSHOP_EDIT;
}

static bool work_request(struct workshop *workshop, enum request request)
{
    switch (request) {
    case REQ_CHECK:
    case REQ_OPEN:
        workshop_grade(workshop, false);
        return true;
    case REQ_EDITOR:
        wish_editor(workshop);
        return true;
    case REQ_HINT:
        give_hint(workshop);
        return true;
    case REQ_NEXT_EXERCISE:
    case REQ_PREVIOUS_EXERCISE:
        go_on(workshop, request == REQ_NEXT_EXERCISE);
        return true;
    case REQ_WORKSPACE:
        workshop_start(workshop);
        return true;
    default:
        return false;
    }
}

static bool scroll_request(struct workshop *workshop, enum request request, bool in_result)
{
    int page = (int)workshop_text_rows(workshop, in_result) - 1;
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        workshop_scroll(workshop, in_result, request == REQ_UP ? -1 : 1, 0);
        return true;
    case REQ_LEFT:
    case REQ_RIGHT:
        workshop_scroll(workshop, in_result, 0, request == REQ_LEFT ? -SHIFT_COLS : SHIFT_COLS);
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        workshop_scroll(workshop, in_result, request == REQ_PAGE_UP ? -page : page, 0);
        return true;
    case REQ_TOP:
    case REQ_BOTTOM:
        workshop_scroll(workshop, in_result, request == REQ_TOP ? -FAR : FAR, 0);
        return true;
    default:
        return false;
    }
}

bool workshop_request(struct workshop *workshop, enum request request, bool in_result)
{
    if (!workshop->is_open)
        return false;
    if (scroll_request(workshop, request, in_result))
        return true;
    text_clear(&workshop->says);
    if (request == REQ_CLOSE && workshop->job != WORKSHOP_IDLE) {
        workshop_stop(workshop);
        workshop_say(workshop, STYLE_NOTE, "Stopped; Enter grades your file again.");
        return true;
    }
    return work_request(workshop, request);
}

enum workshop_wish workshop_take_wish(struct workshop *workshop)
{
    enum workshop_wish wish = workshop->wish;
    workshop->wish = WORKSHOP_NO_WISH;
    return wish;
}
