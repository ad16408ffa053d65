/* See lesson_count.h. */
#include "course/progress/lesson_count.h"

#include <stdlib.h>
#include <string.h>

bool lesson_count_of(struct progress *progress, const struct lesson *lesson,
                     struct lesson_count *ret, struct error *reterr)
{
    struct lesson_count count = {.n = 0};
    struct question_record *records;
    size_t n_records;
    if (!progress_questions(progress, lesson->id, &records, &n_records, reterr))
        return false;
    for (size_t i = 0; i < lesson->n_pages; i++) {
        const struct question *question = lesson->pages[i].question;
        if (question == NULL || !question_is_judged(question->kind))
            continue; /* a guess is neither right nor wrong */
        enum mark best = MARK_NONE;
        for (size_t k = 0; k < n_records; k++)
            if (strcmp(records[k].question, question->name) == 0)
                best = records[k].best;
        count.by_mark[best]++;
        count.n++;
    }
    free(records);
    *ret = count;
    return true;
}

unsigned lesson_count_right(const struct lesson_count *count)
{
    return count->by_mark[MARK_ALONE] + count->by_mark[MARK_TRIED] + count->by_mark[MARK_HINTED];
}

void lesson_count_write(const struct lesson_count *count, struct text *out)
{
    text_format(out, "%u of %u right", lesson_count_right(count), count->n);
}

/* Adds the kinds that occur, from `first` down to `last`, after *separator, which is ", " from
 * then on. */
static void write_kinds(const struct lesson_count *count, enum mark first, enum mark last,
                        const char **separator, struct text *out)
{
    for (int mark = (int)first; mark >= (int)last; mark--) {
        if (count->by_mark[mark] == 0)
            continue;
        text_format(out, "%s%u %s", *separator, count->by_mark[mark], mark_words((enum mark)mark));
        *separator = ", ";
    }
}

void lesson_count_write_all(const struct lesson_count *count, struct text *out)
{
    const char *separator = ": ";
    text_format(out, "%u of %u questions right", lesson_count_right(count), count->n);
    write_kinds(count, MARK_ALONE, MARK_HINTED, &separator, out);
    separator = ". ";
    write_kinds(count, MARK_TOLD, MARK_NONE, &separator, out);
    text_put(out, ".");
}

void course_count_add(struct course_count *sum, const struct lesson_record *record,
                      const struct lesson_count *count)
{
    sum->n_lessons++;
    sum->n_done += record->finished;
    sum->questions.n += count->n;
    for (size_t i = 0; i <= MARK_ALONE; i++)
        sum->questions.by_mark[i] += count->by_mark[i];
}

void course_count_write(const struct course_count *count, struct text *out)
{
    text_format(out, "%u of %u lessons done, ", count->n_done, count->n_lessons);
    if (count->n_exercises > 0)
        text_format(out, "%u of %u exercises solved, ", count->n_solved, count->n_exercises);
    text_format(out, "%u of %u questions right", lesson_count_right(&count->questions),
                count->questions.n);
}
