/* See home.h: how the list is made, and what keys do. */
#include "ui/panes/home/home_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/array.h"
#include "course/lesson/lesson_minutes.h"
#include "course/progress/review.h"
#include "files/clock.h"
#include "files/file.h"
#include "task/task.h"
#include "ui/terminal/scroll.h"

enum {
    LEAVING_MS = 300,   /* from q to the end, in which a formula that begins with q goes on */
    SAMPLE_BYTES = 200, /* of a file, of which the explorer and the model get the first line */
    SAMPLE_FILE_BYTES = 64 << 20,
};

static const struct binding home_bindings[] = {
    {KEYCODE_DOWN, REQ_DOWN, "choose", "goes down the list"},
    {KEYCODE_UP, REQ_UP, NULL, "goes up the list"},
    {KEYCODE_ENTER, REQ_OPEN, "open", "opens what is chosen; unfolds a line with a +"},
    {'/', REQ_FIND, "filter",
     "narrows lessons and exercises down, by words of their titles and by done, open or started"},
    {KEYCODE_LEFT, REQ_LEFT, "fold", "hides what is below a line; below it: goes back up to it"},
    {KEYCODE_RIGHT, REQ_RIGHT, "unfold", "shows what is below a line with a +"},
    {KEYCODE_DIGIT, REQ_NONE, NULL,
     "a lesson's number, which Enter opens; any other letter or sign goes to the prompt, with what "
     "was typed before it: a formula can be typed here"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "goes up by a screen"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "goes down by a screen"},
    {KEYCODE_HOME, REQ_TOP, NULL, "goes to the top"},
    {KEYCODE_END, REQ_BOTTOM, NULL, "goes to the end"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

/* For the key bar, by what the chosen line is: a key that would do nothing is not shown. */
#define FIRST_KEYS                                                                     \
    {KEYCODE_DOWN, REQ_DOWN, "choose", NULL}, {KEYCODE_ENTER, REQ_OPEN, "open", NULL}, \
    {                                                                                  \
        '/', REQ_FIND, "filter", NULL                                                  \
    }
static const struct binding plain_keys[] = {FIRST_KEYS, {KEYCODE_NONE, REQ_NONE, NULL, NULL}};
static const struct binding folded_keys[] = {
    FIRST_KEYS, {KEYCODE_RIGHT, REQ_RIGHT, "unfold", NULL}, {KEYCODE_NONE, REQ_NONE, NULL, NULL}};
static const struct binding unfolded_keys[] = {
    FIRST_KEYS, {KEYCODE_LEFT, REQ_LEFT, "fold", NULL}, {KEYCODE_NONE, REQ_NONE, NULL, NULL}};

static const struct binding filter_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "open", "opens what is chosen"},
    {KEYCODE_UP, REQ_UP, "up", "goes up the list"},
    {KEYCODE_DOWN, REQ_DOWN, "down", "goes down the list"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "clear, close",
     "empties the filter; where nothing is typed, ends it"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

/* ---- the list ---- */

/* The list as it is being made. */
struct making {
    struct home *home;
    struct home *before; /* its lessons are kept on */
    const struct home_sources *from;
    struct course course;
    struct home_item nobody; /* that is filled where there is no memory for another */
    bool failed;             /* there was no memory */
};

/* A text that lives as long as the list; formatted like printf. */
static const char *keep(struct making *making, const char *format, ...) ERROR_FORMAT(2, 3);
static const char *keep(struct making *making, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = size >= 0 ? arena_take(&making->home->arena, (size_t)size + 1) : NULL;
    making->failed = making->failed || text == NULL;
    if (text == NULL)
        return "";
    va_start(arguments, format);
    vsnprintf(text, (size_t)size + 1, format, arguments);
    va_end(arguments);
    return text;
}

/* A line by itself; its texts are borrowed until they are set. Never NULL: without memory it is one
 * that nobody sees. */
static struct home_item *add(struct making *making, enum home_kind kind, const char *name,
                             const char *title)
{
    struct home *home = making->home;
    struct home_item *items = array_grow(home->items, home->n, &home->capacity, sizeof *items);
    making->failed = making->failed || items == NULL;
    if (items == NULL)
        return &making->nobody;
    home->items = items;
    struct home_item *item = &items[home->n];
    *item = (struct home_item){
        .kind = kind, .style = STYLE_QUIET, .fold = home->n++, .state = "", .gives = ""};
    item->name = keep(making, "%s", name);
    item->title = keep(making, "%s", title);
    return item;
}

/* A line that folds; what is added with add_below() until the next one is below it. It is unfolded
 * as it was before, else as is said. */
static struct home_item *add_fold(struct making *making, enum home_kind kind, const char *name,
                                  const char *title, bool is_unfolded)
{
    struct home_item *item = add(making, kind, name, title);
    item->is_fold = true;
    item->is_unfolded = is_unfolded;
    for (size_t i = 0; i < making->before->n; i++) {
        const struct home_item *old = &making->before->items[i];
        if (old->is_fold && old->kind == kind && strcmp(old->name, name) == 0)
            item->is_unfolded = old->is_unfolded;
    }
    return item;
}

static struct home_item *add_below(struct making *making, enum home_kind kind, const char *name,
                                   const char *title)
{
    struct home_item *item = add(making, kind, name, title);
    size_t fold = item->fold;
    while (fold > 0 && !making->home->items[fold].is_fold)
        fold--;
    item->fold = fold;
    return item;
}

/* ---- lessons and exercises ---- */

static const char *write_kept(struct making *making, struct text *text)
{
    const char *kept = keep(making, "%s", text_string(text));
    making->failed = making->failed || text->failed;
    text_release(text);
    return kept;
}

/* What is done of it. */
static bool add_state(struct making *making, struct home_item *item, const struct lesson *lesson,
                      struct error *reterr)
{
    struct progress *progress = making->from->tutor->progress;
    struct lesson_record record;
    struct lesson_count count;
    struct text text = {0};
    if (!progress_lesson(progress, lesson->id, &record, reterr) ||
        !lesson_count_of(progress, lesson, &count, reterr))
        return false;
    course_count_add(&making->home->count, &record, &count);
    if (!record.started)
        return true;
    item->how_far = record.finished ? HOME_IS_DONE : HOME_IS_STARTED;
    item->style = record.finished ? STYLE_GOOD : STYLE_NOTE;
    item->n_asked = count.n;
    item->n_right = lesson_count_right(&count);
    text_put(&text, record.finished ? "done" : count.n == 0 ? "under way" : "");
    text_put(&text, record.finished && count.n > 0 ? ", " : "");
    if (count.n > 0)
        lesson_count_write(&count, &text);
    text_put(&text, record.finished || count.n == 0 ? "" : " so far");
    item->state = write_kept(making, &text);
    return true;
}

static const char *objectives(struct making *making, const struct lesson *lesson)
{
    struct text text = {0};
    for (unsigned i = 0; i < lesson->n_objectives; i++)
        text_format(&text, "%s%s", i > 0 ? "\n" : "", lesson->objectives[i].text);
    return write_kept(making, &text);
}

/* The lesson of that file, read anew only if the file has changed. It stays the home's. NULL with
 * *reterr set on failure. */
static const struct lesson *read_lesson(struct making *making, const char *path,
                                        struct error *reterr)
{
    struct home *home = making->before;
    struct home_lesson *kept = NULL;
    struct stat file = {0};
    bool is_known = stat(path, &file) == 0;
    const struct file_stamp now = file_stamp_of(&file);
    for (size_t i = 0; i < home->n_lessons && kept == NULL; i++)
        if (strcmp(home->lessons[i].lesson->path, path) == 0)
            kept = &home->lessons[i];
    if (kept != NULL && is_known && file_stamp_is(&kept->stamp, &now))
        return kept->lesson;
    if (kept == NULL) {
        struct home_lesson *lessons =
            array_grow(home->lessons, home->n_lessons, &home->lessons_capacity, sizeof *lessons);
        if (lessons == NULL) {
            error_memory(reterr, path);
            return NULL;
        }
        home->lessons = lessons;
    }
    struct lesson *lesson;
    if (!lesson_read(path, &lesson, reterr))
        return NULL;
    if (kept == NULL)
        kept = &home->lessons[home->n_lessons++];
    else
        lesson_free(kept->lesson);
    *kept = (struct home_lesson){lesson, now};
    return lesson;
}

/* In the place of a lesson that can't be read stands the reason. */
static bool add_lesson(struct making *making, const struct course_entry *entry,
                       struct error *reterr)
{
    bool is_brief = making->from->is_brief;
    struct lesson *head = NULL;
    const struct lesson *lesson = NULL;
    struct error fault;
    if (!is_brief)
        lesson = read_lesson(making, entry->path, &fault);
    else if (lesson_read_head(entry->path, &head, &fault))
        lesson = head;
    if (lesson == NULL) {
        add_below(making, HOME_HEADING, entry->id, fault.text);
        return true;
    }
    struct home_item *item = add_below(making, HOME_LESSON, entry->id, lesson->title);
    item->opens = PANE_OPEN_LESSON;
    item->number = entry->number;
    item->gives = objectives(making, lesson);
    lesson_free(head);
    if (is_brief)
        return true;
    item->minutes = lesson_minutes(lesson).reading;
    return add_state(making, item, lesson, reterr);
}

/* The part that the lesson is in: it is unfolded. */
static bool part_has(const struct making *making, const struct course_part *part, const char *id)
{
    for (size_t i = part->first; i < part->first + part->n; i++)
        if (strcmp(making->course.entries[i].id, id) == 0)
            return true;
    return false;
}

/* "2 of 4 done", once its lessons are known. */
static void sum_up_part(struct making *making, size_t at, const struct course_part *part)
{
    unsigned n_done = 0;
    struct home *home = making->home;
    for (size_t i = at + 1; i < home->n; i++)
        n_done += home->items[i].how_far == HOME_IS_DONE;
    home->items[at].state = keep(making, "%u of %zu done", n_done, part->n);
    home->items[at].style = n_done == part->n ? STYLE_GOOD : n_done > 0 ? STYLE_NOTE : STYLE_QUIET;
}

static bool add_parts(struct making *making, struct error *reterr)
{
    const struct course *course = &making->course;
    for (unsigned i = 0; i < course->n_parts; i++) {
        const struct course_part *part = &course->parts[i];
        bool is_now = part_has(making, part, making->home->current);
        struct home_item *item = add_fold(making, HOME_PART, part->begins, part->title, is_now);
        bool was_now = part_has(making, part, making->before->current);
        if (is_now != was_now) /* the part under way is unfolded, the one before folds again */
            item->is_unfolded = is_now;
        if (part->n > 1 && part->title[0] != '\0')
            item->title =
                keep(making, "%s: %u to %u", part->title, course->entries[part->first].number,
                     course->entries[part->first + part->n - 1].number);
        item->gives = keep(making, "%s", part->gives);
        size_t at = making->home->n - 1;
        for (size_t k = part->first; !making->failed && k < part->first + part->n; k++)
            if (!add_lesson(making, &course->entries[k], reterr))
                return false;
        if (!making->failed && !making->from->is_brief)
            sum_up_part(making, at, part);
    }
    return true;
}

static bool add_exercise(struct making *making, const struct exercise *exercise,
                         struct error *reterr)
{
    struct exercise_progress done;
    if (!progress_exercise(making->from->tutor->progress, exercise->id, &done, reterr))
        return false;
    struct home_item *item = add_below(making, HOME_EXERCISE, exercise->id, exercise->title);
    item->opens = PANE_OPEN_EXERCISE;
    item->number = exercise->number;
    item->minutes = exercise->minutes;
    item->gives = "A function in C. attn compiles it, runs it in a sandbox, and says which idea is "
                  "behind wrong numbers.";
    making->home->count.n_exercises++;
    making->home->count.n_solved += done.passed;
    if (done.passed) {
        item->state = "solved";
        item->style = STYLE_GOOD;
        item->how_far = HOME_IS_DONE;
    } else if (done.n_attempts == 0) {
        item->state = "not tried yet";
    } else {
        item->state =
            keep(making, "tried, %u attempt%s", done.n_attempts, done.n_attempts == 1 ? "" : "s");
        item->style = STYLE_NOTE;
        item->how_far = HOME_IS_STARTED;
    }
    return true;
}

static bool add_exercises(struct making *making, struct error *reterr)
{
    const struct exercises *all = making->from->exercises;
    struct course_count *count = &making->home->count;
    if (!making->from->is_brief && (all == NULL || all->n == 0))
        return true;
    struct home_item *item = add_fold(making, HOME_EXERCISES, "exercises", "Exercises in C", false);
    size_t at = making->home->n - 1;
    item->gives =
        "Write attention yourself, function by function: from a dot product to fast loops "
        "and the backward pass. attn grades each, and names the mistake behind wrong "
        "numbers.";
    for (size_t i = 0; all != NULL && !making->failed && i < all->n; i++)
        if (!add_exercise(making, all->items[i], reterr))
            return false;
    if (!making->failed && count->n_exercises > 0) {
        making->home->items[at].state =
            keep(making, "%u of %u solved", count->n_solved, count->n_exercises);
        making->home->items[at].style =
            count->n_solved == count->n_exercises ? STYLE_GOOD : STYLE_QUIET;
    }
    return true;
}

/* ---- the other rooms ---- */

static void add_trainings(struct making *making)
{
    struct home_item *item = add_fold(making, HOME_TRAININGS, "train", "Watch one learn", false);
    item->state = "a training of seconds";
    item->gives = "A small model learns a task while you watch: its losses, all its heads as they "
                  "form, and any earlier step. What it learnt can be saved and looked into.";
    for (size_t i = 0; i < n_tasks; i++) {
        if (tasks[i].seconds == 0)
            continue;
        struct home_item *task = add_below(making, HOME_TRAINING, "", tasks[i].name);
        task->name = keep(making, "task %s", tasks[i].name);
        task->opens = PANE_OPEN_TRAINING;
        task->title = keep(making, "%s: %s", tasks[i].name, tasks[i].summary);
        task->state = keep(making, "about %u s", tasks[i].seconds);
        task->gives = tasks[i].shows;
    }
}

static void add_model(struct making *making)
{
    static const char gives[] =
        "What each head of a trained model looks at, and the next word: open "
        "a head, cut it, change the text, compare two texts.";
    const char *folder = making->from->model_folder;
    bool has_two = folder != NULL && folder[0] != '\0';
    struct home_item *item = has_two
                                 ? add_fold(making, HOME_MODEL, "model", "Look into a model", true)
                                 : add(making, HOME_MODEL, "model", "Look into a model");
    item->opens = has_two ? PANE_WANTS_NOTHING : PANE_RUN_LINE;
    item->state = "its heads, its next word";
    item->gives = gives;
    if (!has_two)
        return;
    item = add_below(making, HOME_MODEL, "", "The model that comes with attn");
    item->opens = PANE_VIEW_MODEL;
    item->gives = "It learnt little stories, and who \"it\" and \"she\" are in them.";
    item = add_below(making, HOME_MODEL, folder, path_base_name(folder));
    item->opens = PANE_VIEW_MODEL;
    item->state = "the last one";
    item->gives = keep(making, "The model in %s, which you looked into last.", folder);
}

/* "Review: 5 due", where there is something to ask again, now or later. */
static bool add_review(struct making *making, struct error *reterr)
{
    struct review *reviews;
    size_t n, n_due = 0, n_later = 0;
    time_t now = time(NULL);
    if (!progress_reviews(making->from->tutor->progress, now, true, &reviews, &n, reterr))
        return false;
    for (size_t i = 0; i < n; i++) { /* a lesson that is gone can't be asked */
        bool counts = course_entry_of(&making->course, reviews[i].lesson) != NULL;
        n_due += counts && reviews[i].due_s <= now;
        n_later += counts && reviews[i].due_s > now;
    }
    free(reviews);
    if (n_due + n_later == 0)
        return true;
    struct home_item *item = add(making, HOME_REVIEW, n_due > 0 ? "review" : "review all", "");
    item->title = keep(making, "Review: %zu due", n_due);
    item->state = n_later > 0 ? keep(making, "%zu later", n_later) : "";
    item->opens = PANE_RUN_LINE;
    item->gives = "Questions that you missed or skipped come back after a day, then after 3, 7, 16 "
                  "and 35 days. Before that, Enter asks those that would come later.";
    return true;
}

/* The first line of a text: of what was typed, or of the file that it names. */
static const char *sample_of(struct making *making, bool is_file)
{
    struct text text = {0};
    struct error error;
    if (is_file && !file_read_text(making->home->own_text, SAMPLE_FILE_BYTES, &text, &error)) {
        text_release(&text);
        return "";
    }
    if (!is_file)
        text_put(&text, making->home->own_text);
    const char *from = text_string(&text) + strspn(text_string(&text), "\r\n\t ");
    size_t size = text_fit(from, strcspn(from, "\r\n"), SAMPLE_BYTES);
    const char *sample = keep(making, "%.*s", (int)size, from);
    text_release(&text);
    return sample;
}

/* A line that gives a word of the prompt a sentence in quotes. */
static const char *line_with(struct making *making, const char *word, const char *sentence)
{
    struct text line = {0};
    text_format(&line, "%s \"", word);
    for (const char *c = sentence; *c != '\0'; c++)
        text_char(&line, *c == '"' ? '\'' : *c);
    text_char(&line, '"');
    return write_kept(making, &line);
}

static void add_own_text(struct making *making)
{
    const char *own = making->home->own_text;
    bool has_text = own[0] != '\0', is_file = home_own_text_is_file(making->home);
    struct home_item *item = has_text ? add_fold(making, HOME_OWN_TEXT, "own", "", true)
                                      : add(making, HOME_OWN_TEXT, "own", "Your own text");
    item->state = has_text ? "" : "explore it, train on it";
    item->gives = "Type a sentence, or the path of a text file: explore its attention, look at it "
                  "with the model, or watch a model learn it.";
    if (!has_text)
        return;
    item->title = keep(making, "Your own text: %s", own);
    item->is_unfolded = true;
    const char *sample = sample_of(making, is_file);
    item = add_below(making, HOME_OWN_ACT, "", "Explore it");
    item->name = line_with(making, "explore", sample);
    item->opens = PANE_RUN_LINE;
    item->gives = "The whole path from its words to their context vectors, every number of it.";
    item = add_below(making, HOME_OWN_ACT, "", "Look at it with the model");
    item->name = line_with(making, "model", sample);
    item->opens = PANE_RUN_LINE;
    item->gives = "What each head makes of it, and the next word.";
    item = add_below(making, HOME_OWN_ACT, "", "Train on it");
    item->name = is_file ? keep(making, "text %s", own) : "";
    item->opens = is_file ? PANE_OPEN_TRAINING : PANE_WANTS_NOTHING;
    item->state = is_file ? "some minutes" : "a file is needed";
    item->gives = "A small model learns to go on with it, letter by letter. That takes some "
                  "thousand letters: type the path of a text file.";
}

static void add_settings(struct making *making)
{
    const struct home_sources *from = making->from;
    if (from->n_settings == 0)
        return;
    struct home_item *item = add_fold(making, HOME_SETTINGS, "settings", "Settings", false);
    item->gives = "The colours of the screen and of heatmaps.";
    for (size_t i = 0; i < from->n_settings; i++) {
        item = add_below(making, HOME_SETTING, from->settings[i].line, from->settings[i].label);
        item->opens = PANE_RUN_LINE;
        item->gives = keep(making, "Enter changes it: %s.", from->settings[i].line);
    }
}

/* ---- the first line ---- */

/* Where nothing is under way, the next lesson that is not done; "" where all are. */
static bool find_next(struct making *making, char name[LESSON_NAME_BYTES], struct error *reterr)
{
    name[0] = '\0';
    for (size_t i = 0; i < making->course.n && name[0] == '\0'; i++) {
        struct lesson_record record;
        const struct course_entry *entry = &making->course.entries[i];
        if (!progress_lesson(making->from->tutor->progress, entry->id, &record, reterr))
            return false;
        if (!record.finished)
            snprintf(name, LESSON_NAME_BYTES, "%s", entry->id);
    }
    return true;
}

/* ", page 3 of 23", where the lesson was left. */
static void write_page(struct making *making, const struct course_entry *entry, struct text *title)
{
    char page[PROGRESS_NAME_BYTES];
    struct error error; /* opening the lesson shows it */
    if (making->from->is_brief ||
        !progress_lesson_page(making->from->tutor->progress, entry->id, page, &error))
        return;
    const struct lesson *lesson = read_lesson(making, entry->path, &error);
    if (lesson == NULL)
        return;
    size_t at = lesson_page(lesson, page);
    text_format(title, ", page %zu of %zu", at < lesson->n_pages ? at + 1 : 1, lesson->n_pages);
}

/* "Go on: Scaling, lesson 5 of 28, page 3 of 23" */
static bool add_go_on(struct making *making, struct error *reterr)
{
    struct home *home = making->home;
    struct text title = {0};
    struct lesson *lesson;
    struct error error;
    char last[PROGRESS_NAME_BYTES];
    if (!progress_last_lesson(making->from->tutor->progress, last, reterr))
        return false;
    bool is_under_way = course_entry_of(&making->course, last) != NULL; /* else one's own lesson */
    if (is_under_way)
        snprintf(home->current, sizeof home->current, "%s",
                 course_entry_of(&making->course, last)->id);
    else if (!find_next(making, home->current, reterr))
        return false;
    const struct course_entry *entry = course_entry_of(&making->course, home->current);
    if (entry == NULL) {
        struct home_item *item =
            add(making, HOME_REVIEW, "review all", "All lessons are done: review them");
        item->opens = PANE_RUN_LINE;
        item->gives = "All questions that you missed or skipped once, asked again.";
        return true;
    }
    const char *name = lesson_read_head(entry->path, &lesson, &error) ? lesson->title : entry->id;
    if (is_under_way) {
        text_format(&title, "Go on: %s, lesson %u of %zu", name, entry->number, making->course.n);
        write_page(making, entry, &title);
    } else {
        text_format(&title, "Begin with lesson %u: %s", entry->number, name);
    }
    if (name != entry->id)
        lesson_free(lesson);
    struct home_item *item = add(making, HOME_GO_ON, home->current, text_string(&title));
    item->opens = PANE_GO_ON;
    item->gives = is_under_way ? "Where you stopped, with the same variables."
                               : "The next lesson that is not done yet.";
    making->failed = making->failed || title.failed;
    text_release(&title);
    return true;
}

static bool add_all(struct making *making, struct error *reterr)
{
    if (!add_go_on(making, reterr) || !add_review(making, reterr))
        return false;
    add_model(making);
    add_trainings(making);
    struct home_item *item =
        add(making, HOME_FILM, "film modular", "The film: learnt by heart, then understood");
    item->opens = PANE_OPEN_TRAINING;
    item->state = "12 s";
    item->gives = "A training that took minutes, played: a model knows all examples of a sum by "
                  "heart, and finds the rule behind them long after.";
    const char *explored = making->from->explored;
    bool was_explored = explored != NULL && explored[0] != '\0';
    item = add(making, HOME_EXPLORE, "", "Explore attention freely");
    item->opens = PANE_EXPLORE;
    item->state = was_explored ? "" : "a sentence, every number";
    item->gives =
        "The path from a sentence to its context vectors: open any number, change it, and "
        "watch what moves.";
    if (was_explored)
        item->title = keep(making, "Explore: %s", explored);
    if (!add_exercises(making, reterr))
        return false;
    add_own_text(making);
    if (!add_parts(making, reterr))
        return false;
    add_settings(making);
    return true;
}

/* Titles that a state follows stand in one column. */
static void measure(struct home *home)
{
    for (size_t i = 0; i < home->n; i++) {
        const struct home_item *item = &home->items[i];
        int cols = (int)text_width(item->title, strlen(item->title)) + 1 +
                   (item->fold != i ? 2 : 0) + (item->is_fold ? 2 : 0) + (item->number > 0 ? 4 : 0);
        bool has_state = item->state[0] != '\0' || item->number > 0;
        if (has_state && item->kind != HOME_TRAINING && cols > home->title_cols)
            home->title_cols = cols;
    }
}

/* The item that was chosen before: the same one, else the one at its place. */
static size_t find_chosen(const struct home *home, const struct home *before)
{
    const struct home_item *old = home_chosen(before);
    for (size_t i = 0; old != NULL && i < home->n; i++)
        if (home->items[i].kind == old->kind && strcmp(home->items[i].name, old->name) == 0)
            return i;
    bool is_same_kind =
        old != NULL && before->chosen < home->n && home->items[before->chosen].kind == old->kind;
    return is_same_kind ? before->chosen : 0;
}

bool home_load(struct home *home, const struct home_sources *sources, struct error *reterr)
{
    struct home fresh = *home;
    struct making making = {.home = &fresh, .before = home, .from = sources};
    bool has_begun;
    if (!progress_has_begun(sources->tutor->progress, &has_begun, reterr) ||
        !course_open(sources->tutor->data_dir, &making.course, reterr))
        return false;
    fresh.items = NULL;
    fresh.seen = NULL;
    fresh.n = fresh.capacity = fresh.n_seen = 0;
    fresh.arena = (struct arena){0};
    fresh.current[0] = '\0';
    fresh.title_cols = 0;
    fresh.count = (struct course_count){0};
    fresh.is_brief = sources->is_brief;
    fresh.is_first = !has_begun;
    bool ok = add_all(&making, reterr);
    if (ok) {
        fresh.seen = calloc(fresh.n + 1, sizeof *fresh.seen);
        ok = (!making.failed && fresh.seen != NULL) || error_memory(reterr, "the list");
    }
    course_release(&making.course);
    struct home *old = ok ? home : &fresh;
    if (ok) {
        measure(&fresh);
        fresh.chosen = find_chosen(&fresh, home);
        home_list(&fresh);
    }
    free(old->items);
    free(old->seen);
    arena_release(&old->arena);
    if (ok) {
        fresh.lessons = home->lessons;
        fresh.n_lessons = home->n_lessons;
        fresh.lessons_capacity = home->lessons_capacity;
        *home = fresh;
    }
    return ok;
}

void home_release(void *state)
{
    struct home *home = state;
    for (size_t i = 0; i < home->n_lessons; i++)
        lesson_free(home->lessons[i].lesson);
    free(home->lessons);
    free(home->items);
    free(home->seen);
    arena_release(&home->arena);
    pane_request_release(&home->request);
    *home = (struct home){0};
}

/* ---- moving and folding ---- */

/* Chooses the listed line at `to`, or the next one from there on, or back, that can be chosen. */
static void choose(struct home *home, size_t to, bool back)
{
    while (to < home->n_seen && home->items[home->seen[to]].kind == HOME_HEADING)
        to = back ? to - 1 : to + 1; /* what comes before 0 is no line either */
    if (to >= home->n_seen)
        return;
    home->chosen = home->seen[to];
    home->scroll = home_first_seen(home, home->rows);
}

/* Chooses an item, after what it is below has been unfolded. */
static void choose_item(struct home *home, size_t item)
{
    home->items[home->items[item].fold].is_unfolded = true;
    home->chosen = item;
    home_list(home);
}

/* What is below the chosen line is shown, or hidden; as much of it as has room comes into sight. */
static void unfold(struct home *home, size_t fold, bool is_unfolded)
{
    size_t end = fold + 1;
    home->items[fold].is_unfolded = is_unfolded;
    home->chosen = fold;
    home_list(home);
    while (end < home->n && home->items[end].fold == fold)
        end++;
    size_t head = (size_t)home_head_rows(home, home->rows), last = home_place(home, end - 1);
    size_t rows = home->rows > (int)head ? (size_t)home->rows - head : 1;
    if (is_unfolded && last < home->n_seen) {
        home->scroll = scroll_into_view(home->scroll, last, rows, home->n_seen);
        home->scroll = home_first_seen(home, home->rows);
    }
}

/* The first item of a kind that is not done, else the first; home->n if the list has no such item.
 */
static size_t find_kind(const struct home *home, enum home_kind kind)
{
    size_t first = home->n;
    for (size_t i = home->n; i-- > 0;)
        if (home->items[i].kind == kind &&
            (first == home->n || home->items[i].how_far != HOME_IS_DONE ||
             home->items[first].how_far == HOME_IS_DONE))
            first = i;
    return first;
}

/* Chooses the first of a kind below its fold, which comes into sight as a whole where it can. */
static void choose_below(struct home *home, enum home_kind kind)
{
    size_t at = find_kind(home, kind);
    if (at == home->n)
        return;
    home->asks = HOME_FIELD_CLOSED;
    unfold(home, home->items[at].fold, true);
    choose_item(home, at);
}

void home_choose_exercises(struct home *home)
{
    choose_below(home, HOME_EXERCISE);
}

void home_choose_trainings(struct home *home)
{
    choose_below(home, HOME_TRAINING);
}

/* ---- opening ---- */

static void ask(struct home *home, enum home_field what)
{
    home->asks = what;
    home->chosen_before = home->chosen;
    home->field = (struct field){.size = 0};
    if (what == HOME_FIELD_TEXT) {
        snprintf(home->field.text, sizeof home->field.text, "%s", home->own_text);
        home->field.size = home->field.cursor = strlen(home->field.text);
        home->field.is_chosen = home->field.size > 0;
    }
    home_list(home);
}

/* What was found by the filter stays chosen, in its place in the list. */
static void end_field(struct home *home)
{
    home->asks = HOME_FIELD_CLOSED;
    if (home->n > 0)
        choose_item(home, home->chosen);
}

/* What opens the chosen line, or what it asks, or it folds. */
static void open_chosen(struct home *home)
{
    const struct home_item *item = home_chosen(home);
    if (item == NULL || item->kind == HOME_HEADING || home->n_seen == 0)
        return;
    if (home->asks != HOME_FIELD_CLOSED)
        end_field(home);
    if (item->opens != PANE_WANTS_NOTHING)
        pane_request_set(&home->request, item->opens, item->name);
    else if (item->kind == HOME_OWN_TEXT || item->kind == HOME_OWN_ACT)
        ask(home, HOME_FIELD_TEXT);
    else if (item->is_fold)
        unfold(home, home->chosen, !item->is_unfolded);
}

/* The text that was typed is kept, and the list made again with what can be done with it. */
static void take_text(struct home *home)
{
    size_t begin = strspn(home->field.text, " ");
    snprintf(home->own_text, sizeof home->own_text, "%s", home->field.text + begin);
    home->asks = HOME_FIELD_CLOSED;
    pane_request_set(&home->request, PANE_RELOAD, "");
    if (home->own_text[0] != '\0')
        snprintf(home->message, sizeof home->message,
                 "What would you like to do with it? Choose below.");
}

/* ---- what is typed ---- */

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
    for (unsigned digit = 0; number > 0 && digit <= 9; digit++)
        if (find_lesson(home, number * 10 + digit) < home->n)
            return true;
    return false;
}

/* A character of a formula: it goes to the prompt, after what was typed before it. */
static void send_to_prompt(struct home *home, const char *before, int key)
{
    char bytes[KEY_BYTES];
    struct text text = {0};
    size_t size = key_bytes(key, bytes);
    text_put(&text, before);
    text_add(&text, bytes, size);
    pane_request_set(&home->request, PANE_TO_PROMPT, text_string(&text));
    text_release(&text);
    home->typed = 0;
    home->leaving_ms = 0;
}

static bool is_character(int key)
{
    char bytes[KEY_BYTES];
    return key >= ' ' && key != KEYCODE_BACKSPACE && key_bytes(key, bytes) > 0;
}

/* Digits are a lesson's number as long as there is one that begins so; Enter opens it. */
static bool take_digit(struct home *home, int key)
{
    char before[16] = "";
    unsigned number = home->typed * 10 + (unsigned)(key - '0');
    size_t at = find_lesson(home, number);
    if (home->typed > 0)
        snprintf(before, sizeof before, "%u", home->typed);
    if (at == home->n && !may_go_on(home, number)) {
        send_to_prompt(home, before, key);
        return true;
    }
    home->typed = number;
    if (at < home->n)
        choose_item(home, at);
    return true;
}

/* After q: it leaves in a moment, but for a formula that goes on. */
static bool key_while_leaving(struct home *home, int key)
{
    home->leaving_ms = 0;
    if (key == 'q' || key == KEYCODE_ENTER)
        pane_request_set(&home->request, PANE_QUIT, "");
    else if (is_character(key))
        send_to_prompt(home, "q", key);
    else
        return key == KEYCODE_ESCAPE || key == KEYCODE_BACKSPACE;
    return true;
}

/* After digits. False: the key means what it means without them. */
static bool key_after_digits(struct home *home, int key)
{
    char before[16];
    snprintf(before, sizeof before, "%u", home->typed);
    if (key == KEYCODE_ENTER) {
        size_t at = find_lesson(home, home->typed);
        home->typed = 0;
        if (at < home->n)
            pane_request_set(&home->request, PANE_OPEN_LESSON, home->items[at].name);
    } else if (key == KEYCODE_BACKSPACE) {
        home->typed /= 10;
    } else if (key == KEYCODE_ESCAPE) {
        home->typed = 0;
    } else if (is_character(key)) {
        send_to_prompt(home, before, key);
    } else {
        home->typed = 0;
        return false;
    }
    return true;
}

static bool key_in_field(struct home *home, int key)
{
    if (key == KEYCODE_ENTER && home->asks == HOME_FIELD_TEXT) {
        take_text(home);
        return true;
    }
    enum field_change change = field_key(&home->field, key);
    if (change == FIELD_CHANGED && home->asks == HOME_FIELD_FILTER)
        home_list(home);
    return change != FIELD_IGNORED;
}

static bool home_key(void *state, int key)
{
    struct home *home = state;
    home->message[0] = '\0';
    if (home->asks != HOME_FIELD_CLOSED)
        return key_in_field(home, key);
    if (home->leaving_ms != 0)
        return key_while_leaving(home, key);
    if (key >= '0' && key <= '9')
        return take_digit(home, key);
    if (home->typed > 0 && key_after_digits(home, key))
        return true;
    if (key == 'q')
        home->leaving_ms = clock_ms();
    else if (is_character(key) && key != ' ' && key != '?' && key != ':' && key != '/')
        send_to_prompt(home, "", key);
    else
        return false;
    return true;
}

/* ---- requests ---- */

static bool clear(void *state)
{
    struct home *home = state;
    if (home->asks == HOME_FIELD_CLOSED || !field_clear(&home->field))
        return false;
    if (home->asks == HOME_FIELD_FILTER)
        home_list(home);
    return true;
}

static bool cancel(void *state)
{
    struct home *home = state;
    if (home->asks == HOME_FIELD_CLOSED)
        return false;
    home->asks = HOME_FIELD_CLOSED;
    if (home->chosen_before < home->n)
        home->chosen = home->chosen_before;
    home_list(home);
    return true;
}

static bool home_request(void *state, enum request request, int key)
{
    struct home *home = state;
    int head = home_head_rows(home, home->rows);
    size_t rows = home->rows > head ? (size_t)(home->rows - head) : 1;
    const struct home_item *item = home_chosen(home);
    ptrdiff_t steps;
    (void)key;
    if (request == REQ_OPEN) {
        open_chosen(home);
    } else if (request == REQ_FIND) {
        ask(home, HOME_FIELD_FILTER);
    } else if (request == REQ_RIGHT) {
        if (item == NULL || !item->is_fold)
            return false;
        unfold(home, home->chosen, true);
    } else if (request == REQ_LEFT) {
        if (item == NULL || !home->items[item->fold].is_fold)
            return false;
        unfold(home, item->fold, false);
    } else if (scroll_steps_of(request, rows > 2 ? rows - 1 : 1, home->n_seen, &steps)) {
        choose(home, scroll_step(home_place(home, home->chosen), steps, home->n_seen),
               steps < 0 || request == REQ_BOTTOM);
    } else {
        return false;
    }
    return true;
}

void home_resize(void *state, int rows, int cols)
{
    struct home *home = state;
    home->rows = rows;
    home->cols = cols;
}

bool home_click(void *state, struct area area, int row, int col, bool is_double)
{
    struct home *home = state;
    (void)col;
    int head = home_head_rows(home, area.rows);
    size_t at = home_first_seen(home, area.rows) + (size_t)(row - head);
    if (row < head || row >= area.rows || at >= home->n_seen ||
        home->items[home->seen[at]].kind == HOME_HEADING)
        return false;
    home->scroll = home_first_seen(home, area.rows);
    home->chosen = home->seen[at];
    if (is_double)
        open_chosen(home);
    return true;
}

static void wheel(void *state, int steps)
{
    (void)home_request(state, steps < 0 ? REQ_UP : REQ_DOWN, KEYCODE_NONE);
}

/* ---- the rest of the table ---- */

static bool types(const void *state)
{
    return ((const struct home *)state)->asks != HOME_FIELD_CLOSED;
}

static const struct binding *bindings_now(const void *state)
{
    const struct home *home = state;
    const struct home_item *item = home_chosen(home);
    if (home->asks != HOME_FIELD_CLOSED)
        return home->asks == HOME_FIELD_FILTER ? filter_bindings : field_bindings;
    if (item == NULL || !home->items[item->fold].is_fold)
        return plain_keys;
    return home->items[item->fold].is_unfolded ? unfolded_keys : folded_keys;
}

static int timeout_ms(const void *state)
{
    const struct home *home = state;
    int64_t left = home->leaving_ms + LEAVING_MS - clock_ms();
    return home->leaving_ms == 0 ? -1 : left > 0 ? (int)left : 0;
}

/* A key that came meanwhile is taken before this is called again. */
static void tick(void *state, int64_t now_ms, bool in_view)
{
    struct home *home = state;
    (void)now_ms;
    (void)in_view;
    if (home->leaving_ms != 0 && timeout_ms(home) == 0)
        pane_request_set(&home->request, PANE_QUIT, "");
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
    .bindings_now = bindings_now,
    .types = types,
    .clear = clear,
    .cancel = cancel,
    .key = home_key,
    .request = home_request,
    .click = home_click,
    .wheel = wheel,
    .resize = home_resize,
    .draw = home_draw,
    .write_title = write_title,
    .take_request = home_take_request,
    .timeout_ms = timeout_ms,
    .tick = tick,
    .release = home_release,
};
