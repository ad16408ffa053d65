/* See warm_up_internal.h. */
#include "course/player/warm_up_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "course/progress/question_record.h"
#include "course/progress/review.h"

enum { WARM_UP_REST_S = 60 * 60 };

/* A lesson that could not be read does not keep the learner from this one; a stop does. */
static bool pass_over(const struct error *error, struct error *reterr)
{
    return !error_is_stop(error) || error_set(reterr, error->kind, "%s", error->text);
}

static const struct question *judged_question(const struct lesson *lesson, const char *name)
{
    size_t page = lesson_page(lesson, name);
    const struct question *question = page < lesson->n_pages ? lesson->pages[page].question : NULL;
    return question != NULL && question_is_judged(question->kind) ? question : NULL;
}

static void take(struct warm_up *warm_up, struct lesson *lesson, const char *question)
{
    lesson_free(warm_up->lesson);
    warm_up->lesson = lesson;
    snprintf(warm_up->question, sizeof warm_up->question, "%s", question);
}

/* A question that the learner dealt with this short a time ago is not asked again. */
static bool is_fresh(const struct question_record *record, int64_t now_s)
{
    return record->last_s > now_s - WARM_UP_REST_S;
}

/* ---- missed questions ---- */

static bool try_missed(const struct course_entry *entry, struct progress *progress,
                       const char *question, int64_t now_s, struct warm_up *ret,
                       struct error *reterr)
{
    struct lesson *lesson;
    struct question_record *records;
    struct error error;
    size_t n;
    bool fresh = false;
    if (!progress_questions(progress, entry->id, &records, &n, &error))
        return pass_over(&error, reterr);
    for (size_t i = 0; i < n; i++)
        fresh =
            fresh || (strcmp(records[i].question, question) == 0 && is_fresh(&records[i], now_s));
    free(records);
    if (fresh)
        return true;
    if (!lesson_read(entry->path, &lesson, &error))
        return pass_over(&error, reterr);
    if (judged_question(lesson, question) != NULL)
        take(ret, lesson, question);
    else
        lesson_free(lesson);
    return true;
}

/* The reviews come with the longest due first, and after those that are due the others: of these,
 * only questions that were not known the last time. */
static bool choose_missed(const struct course *course, struct progress *progress,
                          const struct course_entry *before, struct warm_up *ret,
                          struct error *reterr)
{
    struct review *reviews;
    struct error error;
    size_t n;
    int64_t now = time(NULL);
    bool ok = true;
    if (!progress_reviews(progress, now, true, &reviews, &n, &error))
        return pass_over(&error, reterr);
    for (size_t i = 0; ok && i < n && ret->lesson == NULL; i++) {
        const struct course_entry *entry = course_entry_of(course, reviews[i].lesson);
        if (entry != NULL && entry < before && (reviews[i].due_s <= now || reviews[i].step == 0))
            ok = try_missed(entry, progress, reviews[i].question, now, ret, reterr);
    }
    free(reviews);
    return ok;
}

/* ---- known questions ---- */

/* The question of the lesson that was answered rightly the longest ago: before *oldest_s, which
 * becomes its time. NULL: no question was. */
static const struct question_record *find_oldest(const struct lesson *lesson,
                                                 const struct question_record *records, size_t n,
                                                 int64_t *oldest_s)
{
    const struct question_record *oldest = NULL;
    for (size_t i = 0; i < n; i++) {
        bool known = records[i].mark >= MARK_HINTED;
        if (!known || records[i].last_s >= *oldest_s ||
            judged_question(lesson, records[i].question) == NULL)
            continue;
        oldest = &records[i];
        *oldest_s = oldest->last_s;
    }
    return oldest;
}

static bool try_known(const struct course_entry *entry, struct progress *progress,
                      int64_t *oldest_s, struct warm_up *ret, struct error *reterr)
{
    struct lesson *lesson;
    struct question_record *records;
    struct error error;
    size_t n;
    if (!progress_questions(progress, entry->id, &records, &n, &error))
        return pass_over(&error, reterr);
    if (n == 0 || !lesson_read(entry->path, &lesson, &error)) {
        free(records);
        return n == 0 || pass_over(&error, reterr);
    }
    const struct question_record *oldest = find_oldest(lesson, records, n, oldest_s);
    if (oldest != NULL)
        take(ret, lesson, oldest->question);
    else
        lesson_free(lesson);
    free(records);
    return true;
}

static bool choose_known(const struct course *course, struct progress *progress,
                         const struct lesson *lesson, const struct course_entry *before,
                         struct warm_up *ret, struct error *reterr)
{
    int64_t oldest_s = time(NULL) - WARM_UP_REST_S;
    bool ok = true;
    for (unsigned i = 0; ok && i < lesson->n_needs; i++) {
        const struct course_entry *entry = course_entry_of(course, lesson->needs[i].text);
        if (entry != NULL && entry < before)
            ok = try_known(entry, progress, &oldest_s, ret, reterr);
    }
    return ok;
}

bool warm_up_choose(const struct course *course, struct progress *progress,
                    const struct lesson *lesson, struct warm_up *ret, struct error *reterr)
{
    struct warm_up warm_up = {.lesson = NULL};
    const struct course_entry *before = course_entry_of(course, lesson->id);
    bool ok =
        before == NULL || (choose_missed(course, progress, before, &warm_up, reterr) &&
                           (warm_up.lesson != NULL ||
                            choose_known(course, progress, lesson, before, &warm_up, reterr)));
    if (ok)
        *ret = warm_up;
    else
        lesson_free(warm_up.lesson);
    return ok;
}
