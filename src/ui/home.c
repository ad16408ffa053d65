/* See home.h. */
#include "ui/home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/grow.h"

enum { HEAD_ROWS = 4, TITLE_COLS = 46 };

const struct binding home_bindings[] = {
    {KEY_UP_, REQ_UP, NULL, "goes up the list; k does it too"},
    {'k', REQ_UP, NULL, NULL},
    {KEY_DOWN_, REQ_DOWN, NULL, "goes down the list; j does it too"},
    {'j', REQ_DOWN, NULL, NULL},
    {KEY_ENTER_, REQ_OPEN, "open", "opens what is chosen"},
    {KEY_PAGE_UP, REQ_PAGE_UP, NULL, "goes up by a screen"},
    {KEY_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "goes down by a screen"},
    {KEY_HOME_, REQ_TOP, NULL, "goes to the top"},
    {KEY_END_, REQ_BOTTOM, NULL, "goes to the end"},
    {KEY_NONE, REQ_NONE, NULL, NULL},
};

static struct home_item *add_item(struct home *home, enum home_kind kind, const char *name,
                                  const char *title)
{
    struct home_item *items = grow(home->items, home->n, &home->capacity, sizeof *items);
    if (items == NULL)
        return NULL;
    home->items = items;
    struct home_item *item = &items[home->n++];
    *item = (struct home_item){.kind = kind, .style = STYLE_QUIET};
    snprintf(item->name, sizeof item->name, "%s", name);
    snprintf(item->title, sizeof item->title, "%s", title);
    return item;
}

static bool count_known(void *context, const struct question_record *record)
{
    *(unsigned *)context += record->mark == MARK_ALONE || record->mark == MARK_HELPED;
    return true;
}

static bool add_state(struct home_item *item, const struct lesson *lesson,
                      struct progress *progress, bool *is_first, struct error *reterr)
{
    struct lesson_record record;
    unsigned n = 0;
    if (!progress_lesson(progress, lesson->file_name, &record, reterr) ||
        !progress_questions(progress, lesson->file_name, count_known, &n, reterr))
        return false;
    *is_first = *is_first && !record.started;
    if (record.finished) {
        snprintf(item->state, sizeof item->state, "done, %u of %zu known", n, lesson->n_questions);
        item->style = STYLE_GOOD;
    } else if (record.started) {
        snprintf(item->state, sizeof item->state, "under way, %u of %zu", n, lesson->n_questions);
        item->style = STYLE_NOTE;
    }
    return true;
}

static bool add_lesson(struct home *home, const struct course_entry *entry,
                       struct progress *progress, struct error *reterr)
{
    struct lesson *lesson;
    struct error fault;
    char title[80];
    if (!lesson_read(entry->path, &lesson, &fault)) {
        struct home_item *item = add_item(home, HOME_HEADING, entry->file_name, fault.text);
        return item != NULL || error_memory(reterr, "the list");
    }
    snprintf(title, sizeof title, "%2u  %s", entry->number, lesson->title);
    struct home_item *item = add_item(home, HOME_LESSON, entry->file_name, title);
    bool ok = item != NULL || error_memory(reterr, "the list");
    if (ok) {
        item->minutes = lesson->minutes;
        ok = add_state(item, lesson, progress, &home->is_first, reterr);
    }
    lesson_free(lesson);
    return ok;
}

static bool add_exercise(struct home *home, const struct exercise *exercise,
                         struct progress *progress, struct error *reterr)
{
    struct exercise_progress done;
    char title[80];
    if (!progress_exercise(progress, exercise->id, &done, reterr))
        return false;
    snprintf(title, sizeof title, "%2u  %.70s", exercise->number, exercise->title);
    struct home_item *item = add_item(home, HOME_EXERCISE, exercise->id, title);
    if (item == NULL)
        return error_memory(reterr, "the list");
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

static bool add_exercises(struct home *home, struct progress *progress, struct error *reterr)
{
    const struct exercises *all = home->exercises;
    bool ok = all == NULL || add_item(home, HOME_HEADING, "", "Exercises in C") != NULL ||
              error_memory(reterr, "the list");
    for (size_t i = 0; ok && all != NULL && i < all->n; i++)
        ok = add_exercise(home, all->items[i], progress, reterr);
    return ok;
}

static bool add_all(struct home *home, struct tutor *tutor, struct error *reterr)
{
    char last[PLAY_PAGE_BYTES];
    struct course course;
    if (!course_open(tutor->data_dir, &course, reterr))
        return false;
    bool ok =
        progress_last_lesson(tutor->progress, last, reterr) &&
        add_item(home, HOME_GO_ON, last,
                 last[0] != '\0' ? "Go on where you stopped" : "Begin with lesson 1") != NULL &&
        add_item(home, HOME_EXPLORE, "", "Explore attention freely") != NULL &&
        add_item(home, HOME_HEADING, "", "Lessons") != NULL;
    if (ok && last[0] != '\0')
        snprintf(home->items[0].state, sizeof home->items[0].state, "%.38s", last);
    for (size_t i = 0; ok && i < course.n; i++)
        ok = add_lesson(home, &course.entries[i], tutor->progress, reterr);
    ok = ok && add_exercises(home, tutor->progress, reterr);
    course_release(&course);
    return ok;
}

bool home_load(struct home *home, struct tutor *tutor, struct error *reterr)
{
    size_t chosen = home->chosen, scroll = home->scroll;
    struct home fresh = {.is_first = true, .exercises = home->exercises};
    if (!add_all(&fresh, tutor, reterr)) {
        home_release(&fresh);
        return false;
    }
    home_release(home);
    *home = fresh;
    home->chosen = chosen < home->n ? chosen : 0;
    home->scroll = scroll;
    return true;
}

void home_release(struct home *home)
{
    free(home->items);
    *home = (struct home){0};
}

const struct home_item *home_chosen(const struct home *home)
{
    return home->chosen < home->n ? &home->items[home->chosen] : NULL;
}

/* Moving. */

static void choose(struct home *home, long to, int direction, int rows)
{
    long last = (long)home->n - 1;
    to = to < 0 ? 0 : to > last ? last : to;
    while (to >= 0 && to <= last && home->items[to].kind == HOME_HEADING)
        to += direction;
    if (to < 0 || to > last)
        return;
    home->chosen = (size_t)to;
    size_t seen = rows > HEAD_ROWS + 1 ? (size_t)(rows - HEAD_ROWS) : 1;
    if (home->chosen < home->scroll + 1)
        home->scroll = home->chosen > 0 ? home->chosen - 1 : 0;
    if (home->chosen >= home->scroll + seen)
        home->scroll = home->chosen - seen + 1;
}

bool home_request(struct home *home, enum request request, int rows)
{
    long at = (long)home->chosen, page = rows > HEAD_ROWS + 2 ? rows - HEAD_ROWS - 1 : 1;
    switch (request) {
    case REQ_UP:
        choose(home, at - 1, -1, rows);
        return true;
    case REQ_DOWN:
        choose(home, at + 1, 1, rows);
        return true;
    case REQ_PAGE_UP:
        choose(home, at - page, -1, rows);
        return true;
    case REQ_PAGE_DOWN:
        choose(home, at + page, 1, rows);
        return true;
    case REQ_TOP:
        choose(home, 0, 1, rows);
        return true;
    case REQ_BOTTOM:
        choose(home, (long)home->n - 1, -1, rows);
        return true;
    default:
        return false;
    }
}

bool home_click(struct home *home, struct area area, int row, int col)
{
    (void)col;
    size_t at = home->scroll + (size_t)(row - HEAD_ROWS);
    if (row < HEAD_ROWS || row >= area.rows || at >= home->n ||
        home->items[at].kind == HOME_HEADING)
        return false;
    home->chosen = at;
    return true;
}

/* Drawing. */

static void draw_item(const struct home_item *item, struct area line, bool here, bool ascii)
{
    if (item->kind == HOME_HEADING) {
        area_text(line, 0, 2, look_of(STYLE_TITLE), item->title);
        return;
    }
    area_text(line, 0, 1, look_of(STYLE_TITLE), here ? (ascii ? ">" : "\xE2\x96\xB8") : " ");
    area_text(line, 0, 3, look_of(here ? STYLE_TITLE : STYLE_PLAIN), item->title);
    int col = line.cols > TITLE_COLS + 30 ? TITLE_COLS : line.cols - 30;
    if (item->minutes > 0)
        area_format(line, 0, col, look_of(STYLE_QUIET), "%3u min", item->minutes);
    area_text(line, 0, col + 9, look_of(item->style), item->state);
    if (here)
        area_mark(line, 0, 0, line.cols, MARK_REVERSE);
}

void home_draw(const struct home *home, struct area area, bool focused, bool ascii)
{
    (void)focused;
    area_text(area, 1, 2, look_of(STYLE_TITLE), "attn: attention, number by number");
    area_text(area, 2, 2, look_of(STYLE_QUIET),
              home->is_first ? "Welcome. Enter begins the first lesson; or explore, and come back."
                             : "Choose with the arrows, open with Enter.");
    for (int row = HEAD_ROWS; row < area.rows; row++) {
        size_t at = home->scroll + (size_t)(row - HEAD_ROWS);
        if (at < home->n)
            draw_item(&home->items[at], area_part(area, row, 0, 1, area.cols), at == home->chosen,
                      ascii);
    }
}
