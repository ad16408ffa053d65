/* Comparing what was handed in: see compare_works.h. */
#include "judge/compare_works.h"

#include <stdlib.h>
#include <string.h>

#include "report/similar.h"

/* What a comparison with says something. */
static bool is_work(const struct result *result)
{
    switch (result->verdict) {
    case VERDICT_NOT_IMPLEMENTED:
    case VERDICT_BAD_FILE:
    case VERDICT_MISSING:
        return false;
    default:
        return true;
    }
}

static const struct result *result_of(const struct submission *submission,
                                      const struct results *results)
{
    struct result wanted = {.file = submission->name, .exercise = submission->exercise->id};
    return results->n > 0
               ? bsearch(&wanted, results->items, results->n, sizeof wanted, result_compare)
               : NULL;
}

/* Adds one to works[*n], which has room. */
static bool mark_one(const struct submission *submission, const struct result *result,
                     const struct source_marks *starter, size_t max_bytes,
                     struct marked_work *works, size_t *n, struct error *reterr)
{
    struct text source = {0};
    const char *why;
    bool ok = true;
    if (submission_read(submission->path, max_bytes, &source, &why)) {
        const char *student = result_word(result->student);
        works[*n].who = student[0] != '\0' ? student : result_word(result->file);
        ok =
            source_marks_make(text_string(&source), source.size, starter, &works[*n].marks, reterr);
        *n += ok;
    }
    text_release(&source);
    return ok;
}

static bool compare_exercise(const struct submissions *submissions, const struct exercise *exercise,
                             const struct results *results, size_t max_bytes,
                             struct likenesses *ret, struct error *reterr)
{
    struct source_marks starter;
    size_t n = 0;
    if (!source_marks_all(exercise->starter, strlen(exercise->starter), &starter, reterr))
        return false;
    struct marked_work *works = calloc(submissions->n + 1, sizeof *works);
    bool ok = works != NULL || error_memory(reterr, "the comparison");
    for (size_t i = 0; ok && i < submissions->n; i++) {
        const struct submission *submission = &submissions->items[i];
        if (submission->exercise != exercise)
            continue;
        const struct result *result = result_of(submission, results);
        if (result != NULL && is_work(result))
            ok = mark_one(submission, result, &starter, max_bytes, works, &n, reterr);
    }
    ok = ok && similar_find(exercise->id, works, n, ret, reterr);
    for (size_t i = 0; i < n; i++)
        source_marks_release(&works[i].marks);
    free(works);
    source_marks_release(&starter);
    return ok;
}

bool submissions_compare(const struct submissions *submissions, const struct exercises *exercises,
                         const struct results *results, size_t max_bytes, struct likenesses *ret,
                         struct error *reterr)
{
    for (size_t i = 0; i < exercises->n; i++)
        if (!compare_exercise(submissions, exercises->items[i], results, max_bytes, ret, reterr))
            return false;
    return true;
}
