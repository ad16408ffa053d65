/* Comparing what was handed in: see compare_works.h. */
#include "batch/compare_works.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "exercise/solutions.h"
#include "report/similar.h"
#include "batch/submission_internal.h"

/* What a comparison with says something. */
static bool is_work(const struct result *result)
{
    switch (result->verdict) {
    case VERDICT_NOT_IMPLEMENTED:
    case VERDICT_BAD_FILE:
    case VERDICT_MISSING:
    case VERDICT_UNCLEAR:
        return false;
    default:
        return true;
    }
}

/* The works for one exercise. */
struct works {
    const char *exercise;
    struct marked_work *items;
    size_t n, capacity;
    struct source_marks starter, *solutions;
    size_t n_solutions, solutions_capacity;
    struct arena names; /* of solutions */
    struct error *reterr;
};

static void works_release(struct works *works)
{
    for (size_t i = 0; i < works->n; i++)
        source_marks_release(&works->items[i].marks);
    for (size_t i = 0; i < works->n_solutions; i++)
        source_marks_release(&works->solutions[i]);
    source_marks_release(&works->starter);
    free(works->items);
    free(works->solutions);
    arena_release(&works->names);
    *works = (struct works){.exercise = NULL};
}

/* exercise: NULL if it is unknown by now; then only its id is. */
static bool works_init(struct works *works, const struct exercise *exercise, const char *id,
                       struct error *reterr)
{
    *works = (struct works){.exercise = id, .reterr = reterr};
    return exercise == NULL ||
           source_marks_all(exercise->starter, strlen(exercise->starter), &works->starter, reterr);
}

/* Another work, whose marks are to be filled in; NULL without memory. Borrows the name. */
static struct marked_work *works_add(struct works *works, const char *who, bool is_known)
{
    struct marked_work *items = array_grow(works->items, works->n, &works->capacity, sizeof *items);
    if (items == NULL) {
        error_memory(works->reterr, "the comparison");
        return NULL;
    }
    works->items = items;
    items[works->n] = (struct marked_work){.who = who, .is_known = is_known};
    return &items[works->n++];
}

static bool works_add_source(struct works *works, const char *who, bool is_known,
                             const struct text *source)
{
    struct marked_work *work = works_add(works, who, is_known);
    return work != NULL && source_marks_make(text_string(source), source->size, &works->starter,
                                             &work->marks, works->reterr);
}

static const char *name_of(const struct result *result)
{
    const char *student = result_word(result->student);
    return student[0] != '\0' ? student : result_word(result->file);
}

static bool add_solution(void *context, const char *name, const struct text *source)
{
    struct works *works = context;
    struct text who = {0};
    struct source_marks *solutions = array_grow(works->solutions, works->n_solutions,
                                                &works->solutions_capacity, sizeof *solutions);
    if (solutions == NULL)
        return error_memory(works->reterr, "the comparison");
    works->solutions = solutions;
    if (!source_marks_make(text_string(source), source->size, &works->starter,
                           &solutions[works->n_solutions], works->reterr))
        return false;
    works->n_solutions++;
    text_format(&who, "attn's solution %s", name);
    const char *kept = who.failed ? NULL : arena_copy(&works->names, text_string(&who), who.size);
    text_release(&who);
    return kept != NULL ? works_add_source(works, kept, true, source)
                        : error_memory(works->reterr, "the comparison");
}

/* Works are compared with the solutions too; few of them are measured by those. */
static bool works_compare(struct works *works, const struct exercise *exercise,
                          const char *data_dir, struct likenesses *ret, struct error *reterr)
{
    if (works->n == 0)
        return true;
    if (exercise != NULL && data_dir != NULL &&
        !solutions_visit(data_dir, exercise, add_solution, works, reterr))
        return false;
    return similar_find(works->exercise, works->items, works->n, works->solutions,
                        works->n_solutions, ret, reterr);
}

/* ---- from the sources ---- */

static struct result *result_of(const struct submission *submission, struct results *results)
{
    struct result wanted = {.file = submission->name, .exercise = submission->exercise->id};
    return results->n > 0
               ? bsearch(&wanted, results->items, results->n, sizeof wanted, result_compare)
               : NULL;
}

/* result: NULL of a known work. */
static bool mark_one(struct works *works, const struct submission *submission,
                     struct result *result, const struct comparison *how)
{
    struct text source = {0}, kept = {0};
    const char *why;
    bool ok = true;
    if (submission_read(submission, how->max_bytes, &source, &why)) {
        ok = works_add_source(works, result != NULL ? name_of(result) : submission->name,
                              result == NULL, &source);
        if (ok && result != NULL && how->keeps_marks) {
            source_marks_write(&works->items[works->n - 1].marks, &kept);
            ok = !kept.failed ? result_keep_marks(result, text_string(&kept), works->reterr)
                              : error_memory(works->reterr, "the comparison");
        }
    }
    text_release(&source);
    text_release(&kept);
    return ok;
}

static bool compare_exercise(const struct submissions *submissions, const struct exercise *exercise,
                             struct results *results, const struct comparison *how,
                             struct error *reterr)
{
    struct works works;
    bool ok = works_init(&works, exercise, exercise->id, reterr);
    for (size_t i = 0; ok && i < submissions->n; i++) {
        const struct submission *submission = &submissions->items[i];
        struct result *result =
            submission->exercise == exercise ? result_of(submission, results) : NULL;
        if (result != NULL && is_work(result))
            ok = mark_one(&works, submission, result, how);
    }
    for (size_t i = 0; ok && works.n > 0 && how->known != NULL && i < how->known->n; i++)
        if (how->known->items[i].exercise == exercise)
            ok = mark_one(&works, &how->known->items[i], NULL, how);
    ok = ok && works_compare(&works, exercise, how->data_dir, &results->similar, reterr);
    works_release(&works);
    return ok;
}

bool submissions_compare(const struct submissions *submissions, const struct exercises *exercises,
                         const struct comparison *how, struct results *results,
                         struct error *reterr)
{
    for (size_t i = 0; i < exercises->n; i++)
        if (!compare_exercise(submissions, exercises->items[i], results, how, reterr))
            return false;
    return true;
}

/* ---- by the marks that results kept ---- */

static int by_exercise(const void *a, const void *b)
{
    const struct result *left = *(const struct result *const *)a,
                        *right = *(const struct result *const *)b;
    int order = strcmp(result_word(left->exercise), result_word(right->exercise));
    return order != 0 ? order : result_compare(left, right);
}

/* The results that kept marks, sorted; NULL without memory. */
static const struct result **list_marked(const struct results *results, size_t *ret_n)
{
    const struct result **marked = calloc(results->n + 1, sizeof(const struct result *));
    size_t n = 0;
    for (size_t i = 0; marked != NULL && i < results->n; i++)
        if (result_word(results->items[i].marks)[0] != '\0')
            marked[n++] = &results->items[i];
    if (n > 1)
        qsort(marked, n, sizeof(const struct result *), by_exercise);
    *ret_n = n;
    return marked;
}

static bool compare_marked(const struct result *const *marked, size_t n,
                           const struct exercises *exercises, const char *data_dir,
                           struct likenesses *ret, struct error *reterr)
{
    const char *id = marked[0]->exercise;
    const struct exercise *exercise = exercises != NULL ? exercises_find(exercises, id) : NULL;
    struct works works;
    bool ok = works_init(&works, exercise, id, reterr);
    for (size_t i = 0; ok && i < n; i++) {
        struct marked_work *work = works_add(&works, name_of(marked[i]), false);
        ok = work != NULL && source_marks_read(marked[i]->marks, &work->marks, reterr);
    }
    ok = ok && works_compare(&works, exercise, data_dir, ret, reterr);
    works_release(&works);
    return ok;
}

bool results_compare_marked(struct results *results, const struct exercises *exercises,
                            const char *data_dir, struct error *reterr)
{
    struct likenesses similar = {0};
    size_t n;
    const struct result **marked = list_marked(results, &n);
    bool ok = marked != NULL || error_memory(reterr, "the comparison");
    for (size_t i = 0, end = 0; ok && i < n; i = end) {
        while (end < n && strcmp(marked[end]->exercise, marked[i]->exercise) == 0)
            end++;
        ok = compare_marked(marked + i, end - i, exercises, data_dir, &similar, reterr);
    }
    free(marked);
    if (!ok || n == 0) {
        likenesses_release(&similar);
        return ok;
    }
    likenesses_release(&results->similar);
    results->similar = similar;
    for (size_t i = 0; parts_are_whole(&results->parts) && i < results->n; i++)
        if (!result_keep_marks(&results->items[i], "", reterr))
            return false;
    return true;
}
