/* See overview_internal.h. */
#include "course/player/overview_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "course/lesson/lesson_minutes.h"
#include "course/lesson/page.h"
#include "course/progress/review.h"

enum {
    TITLE_COLS = 44, /* of a lesson's title, when the lines are wide enough for that */
    TITLE_COLS_MIN = 16,
    LIST_COLS = 50,   /* of the rest of a line in the list */
    NARROW_COLS = 36, /* the same without counts and the exercises' minutes */
    ROOMY_COLS = 72,  /* counts and the exercises' minutes from here on */
    MARK_COLS = 24,   /* of the rest of a line with marks */
    WEAK_MAX = 8,     /* weak questions that are listed */
};

/* How a question's mark looks: a sign, and the same in ASCII. */
static const struct mark_look {
    const char *sign, *ascii;
    enum style style;
} looks[] = {
    [MARK_NONE] = {"\xC2\xB7", ".", STYLE_QUIET},
    [MARK_MISSED] = {"\xE2\x9C\x97", "x", STYLE_BAD},
    [MARK_TOLD] = {"\xE2\x97\x8B", "o", STYLE_NOTE},
    [MARK_HINTED] = {"\xE2\x97\x90", "?", STYLE_PLAIN},
    [MARK_TRIED] = {"\xE2\x97\x95", "+", STYLE_PLAIN},
    [MARK_ALONE] = {"\xE2\x97\x8F", "#", STYLE_GOOD},
};
enum { N_LOOKS = COUNT_OF(looks) };

static void put_sign(struct doc *out, enum mark mark, bool ascii)
{
    doc_add(out, looks[mark].style, "%s", ascii ? looks[mark].ascii : looks[mark].sign);
}

static size_t title_cols(const struct settings *settings, size_t other_cols)
{
    size_t width = settings->width_cols;
    if (width >= TITLE_COLS + other_cols)
        return TITLE_COLS;
    return width > TITLE_COLS_MIN + other_cols ? width - other_cols : TITLE_COLS_MIN;
}

/* A title, cut or padded to the column. */
static void put_title(struct doc *out, const char *title, size_t title_cols)
{
    size_t size = strlen(title), fits = text_fit(title, size, title_cols - 1);
    doc_put(out, STYLE_PLAIN, title, fits);
    for (size_t cols = text_width(title, fits); cols < title_cols; cols++)
        doc_put(out, STYLE_PLAIN, " ", 1);
    doc_put(out, STYLE_QUIET, fits < size ? "~ " : "  ", 2);
}

/* Reads a lesson. When it can't be read, *ret is NULL, and out says so. */
static bool read_or_tell(const struct course_entry *entry, const struct settings *settings,
                         struct lesson **ret, struct doc *out, struct error *reterr)
{
    char text[sizeof reterr->text + 20];
    struct error error;
    *ret = NULL;
    if (lesson_read(entry->path, ret, &error))
        return true;
    if (error.kind == ERR_MEMORY)
        return error_set(reterr, error.kind, "%s", error.text);
    snprintf(text, sizeof text, "%u  %s", entry->number, error.text);
    doc_wrap(out, STYLE_BAD, text, settings->width_cols, 2);
    return true;
}

/* ---- the list ---- */

/* A lesson's minutes and, if there is room, those of its exercises. */
static void add_minutes(struct lesson_minutes minutes, bool roomy, struct doc *out)
{
    doc_add(out, STYLE_QUIET, "%3u", minutes.reading);
    if (roomy && minutes.exercises > 0)
        doc_add(out, STYLE_QUIET, " +%3u", minutes.exercises);
    else if (roomy)
        doc_add(out, STYLE_QUIET, "     ");
}

/* "2 h 05 min" */
static const char *time_text(unsigned minutes, char text[40])
{
    if (minutes < 60)
        snprintf(text, 40, "%u min", minutes);
    else
        snprintf(text, 40, "%u h %02u min", minutes / 60, minutes % 60);
    return text;
}

static void show_all_minutes(struct lesson_minutes all, size_t width_cols, struct doc *out)
{
    char reading[40], exercises[40];
    if (all.exercises > 0)
        words_show(out, STYLE_QUIET, width_cols, "In all %s, and %s of exercises in C.",
                   time_text(all.reading, reading), time_text(all.exercises, exercises));
    else if (all.reading > 0)
        words_show(out, STYLE_QUIET, width_cols, "In all %s.", time_text(all.reading, reading));
}

/* "done, 9 of 11 right", "under way, 3 of 11 right"; nothing if the lesson was not begun. */
static void add_state(const struct lesson_record *record, const struct lesson_count *count,
                      bool roomy, struct doc *out)
{
    struct text text = {0};
    if (!record->started)
        return;
    text_put(&text, record->open && record->finished ? "  under way again"
                    : record->finished               ? "  done"
                                                     : "  under way");
    if (roomy && count->n > 0) {
        text_put(&text, ", ");
        lesson_count_write(count, &text);
    }
    doc_add(out, record->finished && !record->open ? STYLE_GOOD : STYLE_NOTE, "%s",
            text_string(&text));
    out->failed = out->failed || text.failed;
    text_release(&text);
}

/* The sum over the lines of the list. */
struct list_sum {
    struct lesson_minutes minutes;
    struct course_count count;
};

static bool list_lesson(const struct course_entry *entry, bool is_last, struct progress *progress,
                        const struct settings *settings, struct list_sum *sum, struct doc *out,
                        struct error *reterr)
{
    struct lesson_record record;
    struct lesson_count count;
    struct lesson *lesson;
    bool roomy = settings->width_cols >= ROOMY_COLS;
    if (!read_or_tell(entry, settings, &lesson, out, reterr))
        return false;
    if (lesson == NULL)
        return true;
    bool ok = progress_lesson(progress, entry->id, &record, reterr) &&
              lesson_count_of(progress, lesson, &count, reterr);
    if (ok) {
        struct lesson_minutes minutes = lesson_minutes(lesson);
        doc_add(out, is_last ? STYLE_TITLE : STYLE_PLAIN, "%s %2u   ", is_last ? ">" : " ",
                entry->number);
        put_title(out, lesson->title, title_cols(settings, roomy ? LIST_COLS : NARROW_COLS));
        add_minutes(minutes, roomy, out);
        add_state(&record, &count, roomy, out);
        doc_end_line(out);
        sum->minutes.reading += minutes.reading;
        sum->minutes.exercises += minutes.exercises;
        course_count_add(&sum->count, &record, &count);
    }
    lesson_free(lesson);
    return ok;
}

/* "Words and scores", and what it enables, if the course has parts. */
static void show_part(const struct course *course, const struct course_part *part,
                      size_t width_cols, struct doc *out)
{
    if (course->n_parts <= 1)
        return;
    if (part->first > 0)
        doc_end_line(out);
    doc_line(out, STYLE_TITLE, "%s", part->title);
    struct text gives = {0};
    text_format(&gives, "After it you can %s.", part->gives);
    doc_wrap(out, STYLE_QUIET, text_string(&gives), width_cols, 2);
    out->failed = out->failed || gives.failed;
    text_release(&gives);
}

static void show_total(const struct course_count *count, size_t width_cols, struct doc *out)
{
    struct text text = {0};
    course_count_write(count, &text);
    words_show(out, STYLE_PLAIN, width_cols, "%s.", text_string(&text));
    out->failed = out->failed || text.failed;
    text_release(&text);
}

bool overview_lessons(const struct course *course, struct progress *progress,
                      struct course_count exercises, const struct settings *settings,
                      struct doc *out, struct error *reterr)
{
    char last[PROGRESS_NAME_BYTES];
    struct list_sum sum = {.count = exercises};
    bool roomy = settings->width_cols >= ROOMY_COLS;
    if (!progress_last_lesson(progress, last, reterr))
        return false;
    doc_line(out, STYLE_QUIET, "       %-*s  min%s",
             (int)title_cols(settings, roomy ? LIST_COLS : NARROW_COLS), "lesson",
             roomy ? "  in C" : "");
    for (unsigned i = 0; i < course->n_parts; i++) {
        const struct course_part *part = &course->parts[i];
        show_part(course, part, settings->width_cols, out);
        for (size_t k = part->first; k < part->first + part->n; k++) {
            const struct course_entry *entry = &course->entries[k];
            if (!list_lesson(entry, strcmp(last, entry->id) == 0, progress, settings, &sum, out,
                             reterr))
                return false;
        }
    }
    doc_end_line(out);
    show_total(&sum.count, settings->width_cols, out);
    show_all_minutes(sum.minutes, settings->width_cols, out);
    doc_line(out, STYLE_QUIET, "%s",
             last[0] != '\0'         ? "lesson goes on where you stopped."
             : sum.count.n_done == 0 ? "lesson 1 opens the first."
             : sum.count.n_done < course->n
                 ? "lesson opens the next unfinished one."
                 : "All are done. review asks your weak questions again.");
    return doc_check(out, reterr);
}

/* ---- progress ---- */

struct weak {
    char title[LESSON_NAME_BYTES];
    unsigned number; /* of the lesson */
    size_t page;     /* in it, from 1 */
    enum mark mark;
};

struct marks {
    const struct lesson *lesson;
    unsigned number;
    enum mark *best, *last; /* of the questions of the lesson's pages */
    struct weak weak[WEAK_MAX];
    size_t n_weak;
    struct course_count count;
};

static void note_weak(struct marks *marks, const struct page *page, enum mark mark)
{
    if ((mark != MARK_MISSED && mark != MARK_TOLD) || marks->n_weak++ >= WEAK_MAX)
        return;
    struct weak *weak = &marks->weak[marks->n_weak - 1];
    *weak = (struct weak){
        .number = marks->number, .page = (size_t)(page - marks->lesson->pages) + 1, .mark = mark};
    const char *title = page->step != NULL ? page->step->title : marks->lesson->title;
    error_quote(weak->title, sizeof weak->title, title, strlen(title));
}

static bool add_lesson(struct marks *marks, const struct course_entry *entry,
                       struct progress *progress, const struct settings *settings, struct doc *out,
                       struct error *reterr)
{
    struct lesson_record record = {0};
    struct lesson *lesson;
    if (!read_or_tell(entry, settings, &lesson, out, reterr))
        return false;
    if (lesson == NULL)
        return true;
    struct arena arena = {0};
    struct question_record *records = NULL;
    struct lesson_count count = {0};
    size_t n_records = 0;
    marks->lesson = lesson;
    marks->number = entry->number;
    marks->best = arena_take(&arena, 2 * lesson->n_pages * sizeof *marks->best);
    marks->last = marks->best != NULL ? marks->best + lesson->n_pages : NULL;
    bool ok = marks->best != NULL || error_memory(reterr, "progress");
    ok = ok && progress_questions(progress, entry->id, &records, &n_records, reterr) &&
         progress_lesson(progress, entry->id, &record, reterr) &&
         lesson_count_of(progress, lesson, &count, reterr);
    for (size_t i = 0; i < n_records; i++) {
        size_t page = lesson_page(lesson, records[i].question);
        if (page >= lesson->n_pages)
            continue;
        marks->best[page] = records[i].best;
        marks->last[page] = records[i].mark;
    }
    if (ok) {
        doc_add(out, STYLE_PLAIN, "%2u  ", entry->number);
        put_title(out, lesson->title, title_cols(settings, MARK_COLS));
        for (size_t i = 0; i < lesson->n_pages; i++) {
            const struct question *question = lesson->pages[i].question;
            if (question == NULL || !question_is_judged(question->kind))
                continue; /* guesses and texts have no marks */
            put_sign(out, marks->best[i], settings->ascii);
            note_weak(marks, &lesson->pages[i], marks->last[i]);
        }
        if (record.took_ms >= 60000)
            doc_add(out, STYLE_QUIET, "  %d min", (int)(record.took_ms / 60000));
        doc_end_line(out);
        course_count_add(&marks->count, &record, &count);
    }
    free(records);
    arena_release(&arena);
    lesson_free(lesson);
    return ok;
}

static void add_legend(const struct marks *marks, const struct settings *settings, struct doc *out)
{
    char text[60];
    doc_end_line(out);
    for (size_t i = N_LOOKS, cols = 0; i-- > 0;) {
        int size = snprintf(text, sizeof text, " %s: %u", mark_words((enum mark)i),
                            marks->count.questions.by_mark[i]);
        size_t width = 1 + (size_t)size;
        if (cols > 0 && cols + 3 + width > settings->width_cols) {
            doc_end_line(out);
            cols = 0;
        }
        doc_add(out, STYLE_QUIET, "%s", cols > 0 ? "   " : "");
        put_sign(out, (enum mark)i, settings->ascii);
        doc_add(out, STYLE_QUIET, "%s", text);
        cols += width + (cols > 0 ? 3 : 0);
    }
    doc_end_line(out);
}

static void add_weak(const struct marks *marks, size_t width_cols, struct doc *out)
{
    char text[LESSON_NAME_BYTES + 80];
    if (marks->n_weak == 0)
        return;
    doc_end_line(out);
    doc_line(out, STYLE_TITLE, "Weak so far");
    for (size_t i = 0; i < marks->n_weak && i < WEAK_MAX; i++) {
        const struct weak *weak = &marks->weak[i];
        snprintf(text, sizeof text, "lesson %u, page %zu: %s", weak->number, weak->page,
                 weak->title);
        doc_wrap(out, STYLE_PLAIN, text, width_cols, 2);
    }
    if (marks->n_weak > WEAK_MAX)
        doc_line(out, STYLE_QUIET, "  and %zu more", marks->n_weak - WEAK_MAX);
}

bool overview_progress(const struct course *course, struct progress *progress,
                       struct course_count exercises, const struct settings *settings,
                       struct doc *out, struct error *reterr)
{
    struct marks marks = {.count = exercises};
    struct review *reviews;
    size_t n_reviews, n_due = 0, n_later = 0;
    for (size_t i = 0; i < course->n; i++)
        if (!add_lesson(&marks, &course->entries[i], progress, settings, out, reterr))
            return false;
    int64_t now = time(NULL);
    if (!progress_reviews(progress, now, true, &reviews, &n_reviews, reterr))
        return false;
    for (size_t i = 0; i < n_reviews; i++) {
        /* Only questions that can be asked count: a lesson that is gone, or the learner's own, is
         * not in the course. */
        bool counts = course_entry_of(course, reviews[i].lesson) != NULL;
        n_due += counts && reviews[i].due_s <= now;
        n_later += counts && reviews[i].due_s > now;
    }
    free(reviews);
    add_legend(&marks, settings, out);
    show_total(&marks.count, settings->width_cols, out);
    add_weak(&marks, settings->width_cols, out);
    if (n_due + n_later > 0) {
        doc_end_line(out);
        words_show(out, STYLE_PLAIN, settings->width_cols,
                   "To review: %zu now, %zu later. review asks them.", n_due, n_later);
    }
    return doc_check(out, reterr);
}
