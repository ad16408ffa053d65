/* Which results of an earlier run stand: see grade_resume.h. */
#include "cli/grade_resume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/outputs.h"
#include "report/partial.h"

static int compare_names(const void *a, const void *b)
{
    const struct submission *left = a, *right = b;
    return strcmp(left->name, right->name);
}

/* The submission that a result was for, or NULL. */
static const struct submission *submission_of(const struct submissions *submissions,
                                              const struct result *result)
{
    const struct submission wanted = {.name = result->file};
    const struct submission *found =
        bsearch(&wanted, submissions->items, submissions->n, sizeof wanted, compare_names);
    bool is_same = found != NULL &&
                   (found->exercise == NULL || strcmp(found->exercise->id, result->exercise) == 0);
    return is_same ? found : NULL;
}

/* Is it the path, or below it? "." holds all that is named from here. */
static bool is_below(const char *file, const char *path)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    if (size == 1 && path[0] == '.')
        return file[0] != '/' && strncmp(file, "../", 3) != 0;
    return strncmp(file, path, size) == 0 &&
           (file[size] == '/' || file[size] == '\0' || path[size - 1] == '/');
}

static bool has_vanished(const struct result *result, char *const *paths, size_t n_paths)
{
    for (size_t i = 0; i < n_paths; i++)
        if (is_below(result->file, paths[i]))
            return true;
    return false;
}

/* An earlier run's results while they are read. */
struct sorting {
    const struct resume_wanted *wanted;
    struct resumed resumed;
    size_t n_newer_current, n_newer_others; /* came last: the first of resumed's, in their order */
};

static bool holds(const struct results *results, size_t n, const struct result *result)
{
    return n > 0 && bsearch(result, results->items, n, sizeof *result, result_compare) != NULL;
}

/* The results that this one goes to, or NULL with the reason counted. */
static struct results *place_of(struct sorting *sorting, const struct result *result)
{
    const struct resume_wanted *wanted = sorting->wanted;
    struct resumed *resumed = &sorting->resumed;
    const struct submission *submission = submission_of(wanted->submissions, result);
    if (submission == NULL && !has_vanished(result, wanted->paths, wanted->n_paths))
        return &resumed->others;
    if (submission == NULL) {
        resumed->n_vanished++;
        return NULL;
    }
    switch (submission_staleness(submission, result, wanted->max_source_bytes)) {
    case RESULT_IS_CURRENT:
        return &resumed->current;
    case FILE_CHANGED:
        resumed->n_changed++;
        return NULL;
    case EXERCISE_CHANGED:
        resumed->n_other_exercise++;
        return NULL;
    case ATTN_CHANGED:
        resumed->n_other_attn++;
        return NULL;
    case NEVER_GRADED:
    default:
        return NULL; /* which is what --resume is for */
    }
}

static bool sort_in(void *context, struct result *result, struct error *reterr)
{
    struct sorting *sorting = context;
    if (result_is_shared(result)) /* the team's own work is there, and is shared again */
        return true;
    if (holds(&sorting->resumed.current, sorting->n_newer_current, result) ||
        holds(&sorting->resumed.others, sorting->n_newer_others, result))
        return true;
    struct results *place = place_of(sorting, result);
    return place == NULL || results_insert(place, place->n, result, reterr);
}

static size_t put_in_order(struct results *results)
{
    if (results->n > 1)
        qsort(results->items, results->n, sizeof *results->items, result_compare);
    return results->n;
}

/* What the report did not hold yet. */
static bool read_newer(const char *path, struct sorting *sorting, struct results *ret_head,
                       struct error *reterr)
{
    struct resumed *resumed = &sorting->resumed;
    if (!partial_read(path, sort_in, sorting, &resumed->found_partial, ret_head, reterr))
        return false;
    if (!resumed->found_partial) {
        resumed_release(resumed);
        *resumed = (struct resumed){.found_partial = false};
    }
    sorting->n_newer_current = put_in_order(&resumed->current);
    sorting->n_newer_others = put_in_order(&resumed->others);
    return true;
}

/* Takes the report, and what is beside it where takes_newer; *ret_fits: their seeds are the same.
 */
static bool read_both(const char *path, bool takes_newer, struct sorting *sorting, bool *ret_fits,
                      struct error *reterr)
{
    struct results newer = {0}, head = {0};
    struct resumed *resumed = &sorting->resumed;
    bool ok = !takes_newer || read_newer(path, sorting, &newer, reterr);
    resumed->found_report = ok && access(path, F_OK) == 0;
    if (ok && (resumed->found_report || errno != ENOENT))
        ok = read_report_each(path, sort_in, sorting, &head, reterr);
    *ret_fits = !resumed->found_partial || !resumed->found_report || newer.seed == head.seed;
    const struct results *of = resumed->found_report ? &head : &newer;
    resumed->current.seed = resumed->others.seed = of->seed;
    if (resumed->found_partial && resumed->found_report)
        report_merge_sandboxes(&head.sandbox, &newer.sandbox, &resumed->current.sandbox);
    else
        text_add(&resumed->current.sandbox, text_string(&of->sandbox), of->sandbox.size);
    results_release(&newer);
    results_release(&head);
    return ok;
}

bool resume_read(const char *path, const struct resume_wanted *wanted, struct resumed *ret,
                 struct error *reterr)
{
    struct sorting sorting = {.wanted = wanted};
    bool fits, ok = read_both(path, true, &sorting, &fits, reterr);
    if (ok && !fits) { /* of a run that was begun anew, and killed before it wrote a report */
        resumed_release(&sorting.resumed);
        sorting = (struct sorting){.wanted = wanted};
        ok = read_both(path, false, &sorting, &fits, reterr);
    }
    if (ok)
        *ret = sorting.resumed;
    else
        resumed_release(&sorting.resumed);
    return ok;
}

static void add_reason(struct text *text, size_t n, const char *one, const char *several)
{
    if (n > 0)
        text_format(text, "%s%zu %s", text->size > 0 ? ", " : "", n, n == 1 ? one : several);
}

void resume_explain(const struct resumed *resumed, struct text *text)
{
    struct text again = {0};
    add_reason(&again, resumed->n_changed, "file has changed", "files have changed");
    add_reason(&again, resumed->n_other_exercise, "is for an exercise that has changed",
               "are for exercises that have changed");
    add_reason(&again, resumed->n_other_attn, "was graded by another attn",
               "were graded by another attn");
    if (again.size > 0)
        text_format(text, "graded again: %s\n", text_string(&again));
    if (resumed->n_vanished > 0)
        text_format(text, "%zu %s no longer there; %s left out\n", resumed->n_vanished,
                    resumed->n_vanished == 1 ? "file is" : "files are",
                    resumed->n_vanished == 1 ? "its result is" : "their results are");
    text->failed = text->failed || again.failed;
    text_release(&again);
}

void resumed_release(struct resumed *resumed)
{
    results_release(&resumed->current);
    results_release(&resumed->others);
}
