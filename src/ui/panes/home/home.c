/* See home.h. */
#include "ui/panes/home/home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "course/lesson/lesson_minutes.h"
#include "base/array.h"
#include "course/progress/review.h"
#include "ui/terminal/scroll.h"

enum {
    LONG_BAR_COLS = 10,
    SHORT_BAR_COLS = 6,
    MINUTES_COLS = 10, /* "  12 min  " */
    STATE_COLS = 20,   /* "done, 10 of 10 right" */
    TITLE_COL = 3,
    ROOMY_COLS = 72, /* minutes and long bars from here on */
};

static const struct binding home_bindings[] = {
    {KEYCODE_UP, REQ_UP, NULL, "goes up the list"},
    {KEYCODE_DOWN, REQ_DOWN, NULL, "goes down the list"},
    {KEYCODE_ENTER, REQ_OPEN, "open", "opens what is chosen; changes a setting"},
    {KEYCODE_DIGIT, REQ_OPEN, NULL,
     "opens the lesson of that number; 1 waits for a second digit, "
     "or Enter"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "goes up by a screen"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "goes down by a screen"},
    {KEYCODE_HOME, REQ_TOP, NULL, "goes to the top"},
    {KEYCODE_END, REQ_BOTTOM, NULL, "goes to the end"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

static const char name_line[] = "attn: attention, number by number";
static const char hint_line[] = "Choose with the arrows, open with Enter.";

/* For a first visit. No line is longer than 56 columns. */
static const char *const welcome[] = {
    "Welcome. Here you compute attention yourself, and every",
    "number says where it came from. Enter begins lesson 1;",
    "or go down to explore freely. ? shows all keys.",
};
enum { N_WELCOME = COUNT_OF(welcome) };

/* ---- the list ---- */

/* Copies what fits, in whole letters. */
static void copy_text(char *to, size_t size, const char *from)
{
    size_t used = 0, n = strlen(from);
    while (used < n) {
        size_t more = text_character(from + used, n - used).size;
        if (used + more >= size)
            break;
        used += more;
    }
    memcpy(to, from, used);
    to[used] = '\0';
}

static struct home_item *add_item(struct home *home, enum home_kind kind, const char *name,
                                  const char *title, struct error *reterr)
{
    struct home_item *items = array_grow(home->items, home->n, &home->capacity, sizeof *items);
    if (items == NULL) {
        error_memory(reterr, "the list");
        return NULL;
    }
    home->items = items;
    struct home_item *item = &items[home->n++];
    *item = (struct home_item){.kind = kind, .style = STYLE_QUIET};
    copy_text(item->name, sizeof item->name, name);
    copy_text(item->title, sizeof item->title, title);
    return item;
}

static struct home_item *add_numbered(struct home *home, enum home_kind kind, const char *name,
                                      unsigned number, const char *title, struct error *reterr)
{
    struct text text = {0};
    text_format(&text, "%2u  %s", number, title);
    struct home_item *item =
        text.failed ? NULL : add_item(home, kind, name, text_string(&text), reterr);
    if (text.failed)
        error_memory(reterr, "the list");
    text_release(&text);
    return item;
}

static bool add_state(struct home_item *item, const struct lesson *lesson,
                      struct progress *progress, struct error *reterr)
{
    struct lesson_record record;
    struct question_record *questions;
    size_t n_questions;
    unsigned n = 0, n_asked = 0;
    if (!progress_lesson(progress, lesson->id, &record, reterr) ||
        !progress_questions(progress, lesson->id, &questions, &n_questions, reterr))
        return false;
    for (size_t i = 0; i < lesson->n_pages; i++) {
        const struct question *question = lesson->pages[i].question;
        if (question == NULL || !question_is_judged(question->kind))
            continue; /* a guess is neither right nor wrong */
        n_asked++;
        for (size_t j = 0; j < n_questions; j++)
            n += strcmp(questions[j].question, question->name) == 0 &&
                 (questions[j].mark == MARK_ALONE || questions[j].mark == MARK_HELPED);
    }
    free(questions);
    if (!record.started)
        return true;
    item->n_asked = n_asked;
    item->n_right = n;
    item->style = record.finished ? STYLE_GOOD : STYLE_NOTE;
    if (item->n_asked == 0)
        copy_text(item->state, sizeof item->state, record.finished ? "done" : "under way");
    else
        snprintf(item->state, sizeof item->state,
                 record.finished ? "done, %u of %u right" : "%u of %u right so far", item->n_right,
                 item->n_asked);
    return true;
}

/* In the place of a lesson that can't be read stands the reason. */
static bool add_lesson(struct home *home, const struct course_entry *entry,
                       const struct home_sources *from, struct error *reterr)
{
    struct lesson *lesson;
    struct error fault;
    if (!(from->is_brief ? lesson_read_head : lesson_read)(entry->path, &lesson, &fault))
        return add_item(home, HOME_HEADING, entry->id, fault.text, reterr) != NULL;
    struct home_item *item =
        add_numbered(home, HOME_LESSON, entry->id, entry->number, lesson->title, reterr);
    if (item != NULL)
        item->number = entry->number;
    bool ok =
        item != NULL && (from->is_brief || add_state(item, lesson, from->tutor->progress, reterr));
    if (ok && !from->is_brief)
        item->minutes = lesson_minutes(lesson).reading;
    lesson_free(lesson);
    return ok;
}

static bool add_exercise(struct home *home, const struct exercise *exercise,
                         struct progress *progress, struct error *reterr)
{
    struct exercise_progress done;
    if (!progress_exercise(progress, exercise->id, &done, reterr))
        return false;
    struct home_item *item =
        add_numbered(home, HOME_EXERCISE, exercise->id, exercise->number, exercise->title, reterr);
    if (item == NULL)
        return false;
    item->minutes = exercise->minutes;
    if (done.passed) {
        snprintf(item->state, sizeof item->state, "solved");
        item->style = STYLE_GOOD;
    } else if (done.n_attempts > 0) {
        snprintf(item->state, sizeof item->state, "tried, %u attempt%s", done.n_attempts,
                 done.n_attempts == 1 ? "" : "s");
        item->style = STYLE_NOTE;
    }
    return true;
}

static bool add_exercises(struct home *home, const struct exercises *all, struct progress *progress,
                          struct error *reterr)
{
    if (all == NULL || all->n == 0)
        return true;
    bool ok = add_item(home, HOME_HEADING, "", "Exercises in C", reterr) != NULL;
    for (size_t i = 0; ok && i < all->n; i++)
        ok = add_exercise(home, all->items[i], progress, reterr);
    return ok;
}

static bool add_settings(struct home *home, const struct home_setting *settings, size_t n,
                         struct error *reterr)
{
    bool ok = n == 0 || add_item(home, HOME_HEADING, "", "Settings", reterr) != NULL;
    for (size_t i = 0; ok && i < n; i++)
        ok = add_item(home, HOME_SETTING, settings[i].line, settings[i].label, reterr) != NULL;
    return ok;
}

/* "Review: 5 due", where there is something to ask again. */
static bool add_review(struct home *home, const struct home_sources *from,
                       const struct course *course, struct error *reterr)
{
    char title[40];
    struct review *reviews;
    size_t n, n_due = 0;
    if (!progress_reviews(from->tutor->progress, time(NULL), false, &reviews, &n, reterr))
        return false;
    for (size_t i = 0; i < n; i++) /* a lesson that is gone can't be asked */
        n_due += course_entry_of(course, reviews[i].lesson) != NULL;
    free(reviews);
    snprintf(title, sizeof title, "Review: %zu due", n_due);
    return n_due == 0 || add_item(home, HOME_REVIEW, "review", title, reterr) != NULL;
}

/* "Explore: my cat saw your dog (4 heads, causal)", or what it is where nothing was explored. */
static const char *explore_title(const struct home_sources *from, char title[HOME_TITLE_BYTES])
{
    char line[HOME_TITLE_BYTES];
    if (from->explored == NULL || from->explored[0] == '\0')
        return "Explore attention freely";
    snprintf(line, sizeof line, "Explore: %s", from->explored);
    copy_text(title, HOME_TITLE_BYTES, line);
    return title;
}

/* Where nothing is under way and lessons are done, the first line leads to the next that is not. */
static void lead_on(struct home *home)
{
    struct home_item *first = &home->items[0];
    const struct home_item *next = NULL;
    size_t n_done = 0;
    for (size_t i = home->n; i-- > 0;) {
        const struct home_item *item = &home->items[i];
        if (item->kind != HOME_LESSON)
            continue;
        if (item->style == STYLE_GOOD)
            n_done++;
        else
            next = item;
    }
    if (n_done == 0)
        return;
    if (next == NULL) {
        first->kind = HOME_REVIEW;
        copy_text(first->name, sizeof first->name, "review");
        copy_text(first->title, sizeof first->title, "All lessons are done: review them");
        return;
    }
    copy_text(first->name, sizeof first->name, next->name);
    snprintf(first->title, sizeof first->title, "Begin with lesson %u", next->number);
}

static bool add_all(struct home *home, const struct home_sources *from, struct error *reterr)
{
    struct progress *progress = from->tutor->progress;
    char last[PROGRESS_NAME_BYTES], title[HOME_TITLE_BYTES];
    struct course course;
    if (!course_open(from->tutor->data_dir, &course, reterr))
        return false;
    bool ok = progress_last_lesson(progress, last, reterr);
    if (ok && course_entry_of(&course, last) == NULL)
        last[0] = '\0'; /* one of somebody's own, whose path nobody remembers */
    ok = ok &&
         add_item(home, HOME_GO_ON, last,
                  last[0] != '\0' ? "Go on where you stopped" : "Begin with lesson 1",
                  reterr) != NULL &&
         add_review(home, from, &course, reterr) &&
         add_item(home, HOME_EXPLORE, "", explore_title(from, title), reterr) != NULL &&
         add_item(home, HOME_HEADING, "", "Lessons", reterr) != NULL;
    for (size_t i = 0; ok && i < course.n; i++)
        ok = add_lesson(home, &course.entries[i], from, reterr);
    if (ok && from->is_brief) {
        course_release(&course);
        return true;
    }
    ok = ok && add_exercises(home, from->exercises, progress, reterr) &&
         add_settings(home, from->settings, from->n_settings, reterr);
    if (ok && last[0] == '\0')
        lead_on(home);
    /* The first line says which lesson it goes on with. */
    for (size_t i = 1; ok && i < home->n; i++)
        if (home->items[i].kind == HOME_LESSON &&
            strcmp(home->items[i].name, home->items[0].name) == 0)
            copy_text(home->items[0].state, sizeof home->items[0].state,
                      home->items[i].title + strspn(home->items[i].title, " 0123456789"));
    course_release(&course);
    return ok;
}

bool home_load(struct home *home, const struct home_sources *sources, struct error *reterr)
{
    struct home fresh = {.scroll = home->scroll, .rows = home->rows, .is_brief = sources->is_brief};
    bool has_begun;
    if (!progress_has_begun(sources->tutor->progress, &has_begun, reterr))
        return false;
    fresh.is_first = !has_begun;
    if (!add_all(&fresh, sources, reterr)) {
        home_release(&fresh);
        return false;
    }
    for (size_t i = 0; i < fresh.n; i++) {
        int cols = (int)text_width(fresh.items[i].title, strlen(fresh.items[i].title)) + 1;
        fresh.title_cols = cols > fresh.title_cols ? cols : fresh.title_cols;
    }
    bool keeps = home->chosen < fresh.n && fresh.items[home->chosen].kind != HOME_HEADING;
    fresh.chosen = keeps ? home->chosen : 0;
    home_release(home);
    *home = fresh;
    return true;
}

void home_release(void *state)
{
    struct home *home = state;
    free(home->items);
    pane_request_release(&home->request);
    *home = (struct home){0};
}

const struct home_item *home_chosen(const struct home *home)
{
    return home->chosen < home->n ? &home->items[home->chosen] : NULL;
}

/* ---- moving ---- */

/* Rows above the list: the name, what is said below it, and an empty one. */
static int head_rows(const struct home *home)
{
    return 2 + (home->is_first ? N_WELCOME : 1);
}

static size_t list_rows(const struct home *home, int rows)
{
    return rows > head_rows(home) ? (size_t)(rows - head_rows(home)) : 1;
}

/* The first line that is seen: such that what is chosen is, with the heading above it. */
static size_t first_seen(const struct home *home, int rows)
{
    size_t seen = list_rows(home, rows), above = home->chosen > 0 && seen > 1 ? 1 : 0;
    size_t first = scroll_into_view(home->scroll, home->chosen - above, seen, home->n);
    return scroll_into_view(first, home->chosen, seen, home->n);
}

/* Chooses the line `to`, or the next one from there on, or back, that can be chosen. */
static void choose(struct home *home, size_t to, bool back)
{
    while (to < home->n && home->items[to].kind == HOME_HEADING)
        to = back ? to - 1 : to + 1; /* what comes before 0 is no line either */
    if (to >= home->n)
        return;
    home->chosen = to;
    home->scroll = first_seen(home, home->rows);
}

void home_choose_exercises(struct home *home)
{
    for (size_t i = 0; i < home->n; i++)
        if (home->items[i].kind == HOME_EXERCISE) {
            choose(home, i, false);
            return;
        }
}

/* What opens the chosen line. */
static void ask_for_chosen(struct home *home)
{
    static const enum pane_request_kind kinds[] = {
        [HOME_GO_ON] = PANE_GO_ON,           [HOME_EXPLORE] = PANE_EXPLORE,
        [HOME_LESSON] = PANE_OPEN_LESSON,    [HOME_EXERCISE] = PANE_OPEN_EXERCISE,
        [HOME_REVIEW] = PANE_RUN_LINE,       [HOME_SETTING] = PANE_RUN_LINE,
        [HOME_HEADING] = PANE_WANTS_NOTHING,
    };
    const struct home_item *item = home_chosen(home);
    if (item != NULL)
        pane_request_set(&home->request, kinds[item->kind], item->name);
}

void home_resize(void *state, int rows, int cols)
{
    struct home *home = state;
    (void)cols;
    home->rows = rows;
}

/* The line of a lesson by its number; home->n: there is no such lesson. */
static size_t find_lesson(const struct home *home, unsigned number)
{
    size_t i = 0;
    while (i < home->n && (home->items[i].kind != HOME_LESSON || home->items[i].number != number))
        i++;
    return i;
}

/* Whether the number can be the begin of a longer one. */
static bool may_go_on(const struct home *home, unsigned number)
{
    for (unsigned digit = 0; digit <= 9; digit++)
        if (find_lesson(home, number * 10 + digit) < home->n)
            return true;
    return false;
}

/* Digits open the lesson of that number: at once where no other digit can follow, else with Enter.
 * Any other key forgets them. */
static bool home_key(void *state, int key)
{
    struct home *home = state;
    unsigned number = home->typed * 10 + (unsigned)(key - '0');
    if (key < '0' || key > '9') {
        home->typed = 0;
        return false;
    }
    if (find_lesson(home, number) == home->n)
        number = (unsigned)(key - '0'); /* it begins anew */
    size_t at = find_lesson(home, number);
    home->typed = number > 0 && may_go_on(home, number) ? number : 0;
    if (at < home->n)
        choose(home, at, false);
    if (at < home->n && home->typed == 0)
        ask_for_chosen(home);
    return at < home->n || home->typed > 0;
}

static bool home_request(void *state, enum request request, int key)
{
    struct home *home = state;
    size_t rows = list_rows(home, home->rows);
    ptrdiff_t steps;
    (void)key;
    if (request == REQ_OPEN) {
        ask_for_chosen(home);
        return true;
    }
    if (!scroll_steps_of(request, rows > 2 ? rows - 1 : 1, home->n, &steps))
        return false;
    choose(home, scroll_step(home->chosen, steps, home->n), steps < 0 || request == REQ_BOTTOM);
    return true;
}

bool home_click(void *state, struct area area, int row, int col, bool is_double)
{
    struct home *home = state;
    (void)col;
    int head = head_rows(home);
    size_t at = first_seen(home, area.rows) + (size_t)(row - head);
    if (row < head || row >= area.rows || at >= home->n || home->items[at].kind == HOME_HEADING)
        return false;
    home->scroll = first_seen(home, area.rows);
    home->chosen = at;
    if (is_double)
        ask_for_chosen(home);
    return true;
}

/* ---- drawing ---- */

/* Cut with an ellipsis where it is too long. */
static void draw_cut(struct area area, struct canvas_look look, const char *text, bool ascii)
{
    size_t size = strlen(text), room = area.cols > 0 ? (size_t)area.cols : 0;
    const char *more = ascii ? "~" : "\xE2\x80\xA6";
    if (text_width(text, size) <= room || room == 0) {
        area_text(area, 0, 0, look, text);
        return;
    }
    int col = area_put(area, 0, 0, look, text, text_fit(text, size, room - 1));
    area_text(area, 0, col, look, more);
}

/* "######----": questions that were answered right, of all of the lesson. */
static void draw_progress(const struct home_item *item, struct area area, bool ascii)
{
    if (item->n_asked == 0)
        return;
    int full = (int)((unsigned)area.cols * item->n_right / item->n_asked);
    for (int col = 0; col < area.cols; col++)
        area_text(area, 0, col, look_of(col < full ? item->style : STYLE_QUIET),
                  col < full ? (ascii ? "#" : "\xE2\x96\x88") : (ascii ? "-" : "\xE2\x96\x91"));
}

/* The columns after the titles: minutes, bar, state. Returns where they begin. */
static int draw_status(const struct home_item *item, struct area line, int title_cols, bool ascii)
{
    bool roomy = line.cols >= ROOMY_COLS;
    int bar = roomy ? LONG_BAR_COLS : SHORT_BAR_COLS, minutes = roomy ? MINUTES_COLS : 0;
    int begin = line.cols - 2 - STATE_COLS - 1 - bar - minutes;
    begin = begin < TITLE_COL + title_cols ? begin : TITLE_COL + title_cols;
    if (item->state[0] == '\0' && (!roomy || item->minutes == 0))
        return line.cols - 2;
    if (roomy && item->minutes > 0)
        area_format(line, 0, begin + 1, look_of(STYLE_QUIET), "%3u min", item->minutes);
    int col = begin + minutes;
    draw_progress(item, area_part(line, 0, col, 1, bar), ascii);
    col += item->kind == HOME_GO_ON ? 0 : bar + 1; /* a title is longer than other states */
    draw_cut(area_part(line, 0, col, 1, line.cols - 2 - col), look_of(item->style), item->state,
             ascii);
    return begin;
}

static void draw_item(const struct home_item *item, struct area line, int title_cols, bool here,
                      bool ascii)
{
    if (item->kind == HOME_HEADING) {
        draw_cut(area_part(line, 0, 2, 1, line.cols - 4), look_of(STYLE_TITLE), item->title, ascii);
        return;
    }
    int end = draw_status(item, line, title_cols, ascii);
    area_text(line, 0, 1, look_of(STYLE_TITLE), here ? (ascii ? ">" : "\xE2\x96\xB8") : " ");
    draw_cut(area_part(line, 0, TITLE_COL, 1, end - TITLE_COL),
             look_of(here ? STYLE_TITLE : STYLE_PLAIN), item->title, ascii);
    if (here)
        area_choose(line, 0, 0, line.cols - 1);
}

void home_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct home *home = state;
    int head = head_rows(home);
    size_t first = first_seen(home, area.rows);
    (void)focused;
    area_text(area, 0, 2, look_of(STYLE_TITLE), name_line);
    if (home->typed > 0)
        area_format(area, 1, 2, look_of(STYLE_TITLE),
                    "%u_   Enter opens lesson %u, another digit goes on", home->typed, home->typed);
    else if (!home->is_first)
        area_text(area, 1, 2, look_of(STYLE_QUIET), hint_line);
    for (int i = home->typed > 0 ? 1 : 0; home->is_first && i < N_WELCOME; i++)
        area_text(area, 1 + i, 2, look_of(STYLE_PLAIN), welcome[i]);
    for (int row = head; row < area.rows; row++) {
        size_t at = first + (size_t)(row - head);
        if (at < home->n)
            draw_item(&home->items[at], area_part(area, row, 0, 1, area.cols), home->title_cols,
                      at == home->chosen, ascii);
    }
    scroll_bar_draw(area_part(area, head, 0, area.rows - head, area.cols), first, home->n, ascii);
}

/* ---- the table of operations ---- */

static void wheel(void *state, int steps)
{
    (void)home_request(state, steps < 0 ? REQ_UP : REQ_DOWN, KEYCODE_NONE);
}

static int write_title(const void *state, struct text *title)
{
    (void)state;
    text_put(title, "home");
    return -1;
}

bool home_take_request(void *state, struct pane_request *ret)
{
    struct home *home = state;
    return pane_request_take(&home->request, ret);
}

const struct pane_ops home_ops = {
    .title = "Home",
    .bindings = home_bindings,
    .key = home_key,
    .request = home_request,
    .click = home_click,
    .wheel = wheel,
    .resize = home_resize,
    .draw = home_draw,
    .write_title = write_title,
    .take_request = home_take_request,
    .release = home_release,
};
