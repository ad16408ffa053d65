/* The results of a run: see results.h. */
#include "report/results.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/file.h"

void results_release(struct results *results)
{
    if (results == NULL)
        return;
    for (size_t i = 0; i < results->n; i++)
        result_release(&results->items[i]);
    free(results->items);
    free(results->title);
    students_release(&results->students);
    exercise_order_release(&results->exercises);
    likenesses_release(&results->similar);
    parts_release(&results->parts);
    text_release(&results->sandbox);
    *results = (struct results){0};
}

bool results_entitle(struct results *results, const char *title, struct error *reterr)
{
    char *copy = title[0] != '\0' ? safe_text_copy(title, "", false) : NULL;
    if (copy == NULL && title[0] != '\0')
        return error_memory(reterr, "the title");
    free(results->title);
    results->title = copy;
    return true;
}

bool results_insert(struct results *results, size_t i, struct result *result, struct error *reterr)
{
    struct result *items =
        array_grow(results->items, results->n, &results->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "the results");
    results->items = items;
    memmove(items + i + 1, items + i, (results->n - i) * sizeof *items);
    items[i] = *result;
    results->n++;
    result_init(result);
    return true;
}

static int compare_exercises(const struct result *a, const struct result *b)
{
    return strcmp(result_word(a->exercise), result_word(b->exercise));
}

/* Works without a student differ by their folders. */
static int compare_folders(const char *a, const char *b)
{
    size_t a_size = (size_t)(path_base_name(a) - a), b_size = (size_t)(path_base_name(b) - b);
    int order = strncmp(a, b, a_size < b_size ? a_size : b_size);
    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

static int compare_students(const struct result *a, const struct result *b)
{
    int order = strcmp(result_word(a->student), result_word(b->student));
    if (order == 0 && result_word(a->student)[0] == '\0')
        order = compare_folders(result_word(a->file), result_word(b->file));
    return order != 0 ? order : compare_exercises(a, b);
}

/* Of two results for the same work, the one that counts is less. */
static int compare_worth(const struct result *a, const struct result *b, unsigned rule)
{
    bool a_is_ours = a->verdict == VERDICT_INTERNAL_ERROR;
    bool b_is_ours = b->verdict == VERDICT_INTERNAL_ERROR;
    if (verdict_is_absent(a->verdict) != verdict_is_absent(b->verdict))
        return verdict_is_absent(a->verdict) ? 1 : -1; /* another part had it */
    if ((rule & DUPLICATES_KEEP_LAST) && a->submitted_s != b->submitted_s)
        return a->submitted_s > b->submitted_s ? -1 : 1;
    if ((rule & DUPLICATES_KEEP_LAST) && a->attempt != b->attempt)
        return a->attempt > b->attempt ? -1 : 1;
    if (a->score < b->score || a->score > b->score)
        return a->score > b->score ? -1 : 1;
    return a_is_ours != b_is_ours ? (a_is_ours ? -1 : 1) : result_compare(a, b);
}

static bool is_same_work(const struct result *a, const struct result *b, unsigned rule)
{
    return ((rule & DUPLICATES_BY_STUDENT) ? compare_students(a, b) : compare_exercises(a, b)) == 0;
}

static int by_exercise(const void *a, const void *b)
{
    return compare_exercises(*(const struct result *const *)a, *(const struct result *const *)b);
}

static int by_student_and_exercise(const void *a, const void *b)
{
    return compare_students(*(const struct result *const *)a, *(const struct result *const *)b);
}

/* Marks results for the same work, of which one counts. */
static bool mark_same(struct result **same, size_t n, unsigned rule, struct error *reterr)
{
    struct result *counts = same[0];
    for (size_t i = 1; i < n; i++)
        counts = compare_worth(same[i], counts, rule) < 0 ? same[i] : counts;
    for (size_t i = 0; i < n; i++)
        if (!result_yield_to(same[i], same[i] == counts ? "" : result_word(counts->file), reterr))
            return false;
    return true;
}

bool results_mark_duplicates(struct results *results, unsigned rule, struct error *reterr)
{
    struct result **sorted = calloc(results->n + 1, sizeof(struct result *));
    size_t n = 0;
    bool ok = sorted != NULL || error_memory(reterr, "the results");
    for (size_t i = 0; ok && i < results->n; i++)
        if (result_word(results->items[i].exercise)[0] != '\0')
            sorted[n++] = &results->items[i];
    if (n > 1)
        qsort(sorted, n, sizeof(struct result *),
              (rule & DUPLICATES_BY_STUDENT) ? by_student_and_exercise : by_exercise);
    for (size_t i = 0, end = 0; ok && i < n; i = end) {
        while (end < n && is_same_work(sorted[i], sorted[end], rule))
            end++;
        ok = mark_same(sorted + i, end - i, rule, reterr);
    }
    free(sorted);
    return ok;
}

static bool has_line(const struct text *lines, const char *start)
{
    const char *found = text_string(lines);
    while ((found = strstr(found, start)) != NULL) {
        if (found == lines->bytes || found[-1] == '\n')
            return true;
        found++;
    }
    return false;
}

const char *results_isolation(const struct results *results)
{
    return has_line(&results->sandbox, RESULTS_WEAK)      ? "weak"
           : has_line(&results->sandbox, RESULTS_REDUCED) ? "reduced"
                                                          : "full";
}

int result_compare(const void *a, const void *b)
{
    const struct result *left = a, *right = b;
    int order = strcmp(result_word(left->file), result_word(right->file));
    if (order == 0)
        order = strcmp(result_word(left->exercise), result_word(right->exercise));
    if (order == 0)
        order = result_is_shared(left) - result_is_shared(right);
    if (order == 0 && ((verdict_is_absent(left->verdict) && verdict_is_absent(right->verdict)) ||
                       result_is_shared(left)))
        order = strcmp(result_word(left->student), result_word(right->student));
    return order;
}
