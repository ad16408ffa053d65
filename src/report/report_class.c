/* The class at a glance: see report.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_internal.h"
#include "base/array.h"

enum { N_SLOWEST = 5, MAX_IDEAS = 12, BAR_COLS = 20, NAME_COLS = 40, GAP_COLS = 2 };

/* How often something was seen. Borrows its words from the results. */
struct class_tally {
    const char *name, *exercise, *say;
    size_t n, passed;
    double share; /* sum of score / max_score */
};

struct class_tallies {
    struct class_tally *items;
    size_t n, capacity;
    bool failed;
};

/* The tally of that name (and exercise, unless NULL), made when it is missing; NULL without
 * memory. */
static struct class_tally *tally_of(struct class_tallies *tallies, const char *name,
                                    const char *exercise)
{
    for (size_t i = 0; i < tallies->n; i++)
        if (strcmp(tallies->items[i].name, name) == 0 &&
            (exercise == NULL || strcmp(tallies->items[i].exercise, exercise) == 0))
            return &tallies->items[i];
    struct class_tally *items =
        array_grow(tallies->items, tallies->n, &tallies->capacity, sizeof *tallies->items);
    if (items == NULL) {
        tallies->failed = true;
        return NULL;
    }
    tallies->items = items;
    items[tallies->n] = (struct class_tally){.name = name, .exercise = exercise};
    return &items[tallies->n++];
}

static int by_name(const void *a, const void *b)
{
    const struct class_tally *left = a, *right = b;
    return strcmp(left->name, right->name);
}

/* The most frequent first; then by name, so that the order is always the same. */
static int by_count(const void *a, const void *b)
{
    const struct class_tally *left = a, *right = b;
    return left->n != right->n ? (left->n < right->n ? 1 : -1) : by_name(a, b);
}

static void tallies_sort(struct class_tallies *tallies, int (*compare)(const void *, const void *))
{
    if (tallies->n > 1)
        qsort(tallies->items, tallies->n, sizeof *tallies->items, compare);
}

static size_t widest_name(const struct class_tallies *tallies)
{
    size_t cols = 0;
    for (size_t i = 0; i < tallies->n; i++) {
        size_t name = text_width(tallies->items[i].name, strlen(tallies->items[i].name));
        cols = name > cols ? name : cols;
    }
    return cols < NAME_COLS ? cols : NAME_COLS;
}

/* A name in so many columns, cut where it is too long. */
static void add_name(struct doc *doc, enum style style, const char *name, size_t cols)
{
    size_t fits = text_fit(name, strlen(name), cols);
    size_t taken = text_width(name, fits);
    doc_put(doc, style, name, fits);
    doc_add(doc, STYLE_PLAIN, "%*s", (int)(cols - taken + GAP_COLS), "");
}

/* The last words of a line. */
static void end_line(struct doc *doc, enum style style, const char *words)
{
    doc_add(doc, style, "%s", words);
    doc_end_line(doc);
}

static void add_bar(struct doc *doc, double share, bool ascii)
{
    size_t full = (size_t)lround(share * BAR_COLS);
    for (size_t i = 0; i < BAR_COLS; i++)
        doc_add(doc, i < full ? STYLE_GOOD : STYLE_QUIET, "%s",
                ascii ? (i < full ? "#" : "-") : (i < full ? "\u2588" : "\u2591"));
}

/* ---- the parts ---- */

static void show_exercises(const struct results *results, bool ascii, struct doc *doc)
{
    struct class_tallies tallies = {0};
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        const char *name = result_word(result->exercise);
        if (!result_counts(result))
            continue;
        struct class_tally *tally = tally_of(&tallies, name[0] != '\0' ? name : "(none)", NULL);
        if (tally == NULL)
            break;
        tally->n++;
        tally->passed += result->verdict == VERDICT_PASS;
        tally->share += result->max_score > 0 ? result->score / result->max_score : 0;
    }
    tallies_sort(&tallies, by_name);
    size_t cols = widest_name(&tallies);
    add_name(doc, STYLE_TITLE, "exercise", cols < 8 ? 8 : cols);
    end_line(doc, STYLE_TITLE, "files  pass  mean score");
    for (size_t i = 0; i < tallies.n; i++) {
        const struct class_tally *tally = &tallies.items[i];
        double n = (double)tally->n;
        add_name(doc, STYLE_NAME, tally->name, cols < 8 ? 8 : cols);
        doc_add(doc, STYLE_NUMBER, "%5zu  %4zu  %8.0f %%  ", tally->n, tally->passed,
                100 * tally->share / n);
        add_bar(doc, (double)tally->passed / n, ascii);
        doc_end_line(doc);
    }
    doc->failed = doc->failed || tallies.failed;
    free(tallies.items);
}

static void show_idea(const struct class_tally *tally, size_t width_cols, struct doc *doc)
{
    struct text say = {0};
    doc_add(doc, STYLE_NUMBER, "%5zu  ", tally->n);
    doc_add(doc, STYLE_NAME, "%s", tally->name);
    doc_add(doc, STYLE_QUIET, "  in %s", tally->exercise);
    doc_end_line(doc);
    text_add(&say, tally->say, strcspn(tally->say, "\n"));
    doc_wrap(doc, STYLE_PLAIN, text_string(&say), width_cols, 7);
    doc->failed = doc->failed || say.failed;
    text_release(&say);
}

static void show_ideas(const struct results *results, size_t width_cols, struct doc *doc)
{
    struct class_tallies tallies = {0};
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        for (size_t j = 0; result_counts(result) && j < result->n_ideas; j++) {
            struct class_tally *tally =
                tally_of(&tallies, result->ideas[j].id, result_word(result->exercise));
            if (tally == NULL)
                break;
            tally->n++;
            tally->say = result->ideas[j].say;
        }
    }
    tallies_sort(&tallies, by_count);
    if (tallies.n > 0) {
        doc_end_line(doc);
        doc_line(doc, STYLE_TITLE, "What the wrong numbers show");
    }
    for (size_t i = 0; i < tallies.n && i < MAX_IDEAS; i++)
        show_idea(&tallies.items[i], width_cols, doc);
    if (tallies.n > MAX_IDEAS)
        doc_line(doc, STYLE_QUIET, "       and %zu more", tallies.n - MAX_IDEAS);
    doc->failed = doc->failed || tallies.failed;
    free(tallies.items);
}

static void show_verdicts(const struct results *results, struct doc *doc)
{
    struct class_tallies tallies = {0};
    for (size_t i = 0; i < results->n; i++) {
        if (!result_counts(&results->items[i]))
            continue;
        struct class_tally *tally =
            tally_of(&tallies, verdict_name(results->items[i].verdict), NULL);
        if (tally == NULL)
            break;
        tally->n++;
        tally->say = verdict_sentence(results->items[i].verdict);
    }
    tallies_sort(&tallies, by_count);
    size_t cols = widest_name(&tallies);
    doc_end_line(doc);
    doc_line(doc, STYLE_TITLE, "Verdicts");
    for (size_t i = 0; i < tallies.n; i++) {
        doc_add(doc, STYLE_NUMBER, "%5zu  ", tallies.items[i].n);
        add_name(doc, STYLE_NAME, tallies.items[i].name, cols);
        end_line(doc, STYLE_QUIET, tallies.items[i].say);
    }
    doc->failed = doc->failed || tallies.failed;
    free(tallies.items);
}

/* The slowest that is faster than `before`, or as fast and later in the list; NULL at the end. */
static const struct result *next_slowest(const struct results *results, const struct result *before)
{
    const struct result *slowest = NULL;
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        bool comes = before == NULL || result->time_ms < before->time_ms ||
                     (!(result->time_ms > before->time_ms) && result > before);
        if (comes && (slowest == NULL || result->time_ms > slowest->time_ms))
            slowest = result;
    }
    return slowest;
}

static void show_slowest(const struct results *results, struct doc *doc)
{
    const struct result *result = NULL;
    doc_end_line(doc);
    doc_line(doc, STYLE_TITLE, "Slowest to grade");
    for (int i = 0; i < N_SLOWEST && (result = next_slowest(results, result)) != NULL; i++) {
        doc_add(doc, STYLE_NUMBER, "%8.0f ms  ", result->time_ms);
        doc_add(doc, STYLE_QUIET, "%s  ", verdict_name(result->verdict));
        end_line(doc, STYLE_PLAIN, result_word(result->file));
    }
}

static size_t count_students(const struct results *results)
{
    size_t n = 0;
    for (size_t i = 0; i < results->n; i++)
        n += result_word(results->items[i].student)[0] != '\0' &&
             (i == 0 || strcmp(result_word(results->items[i - 1].student),
                               result_word(results->items[i].student)) != 0);
    return n;
}

void report_class(const struct results *results, size_t width_cols, bool ascii, struct doc *doc)
{
    size_t n_students = count_students(results);
    doc_add(doc, STYLE_TITLE, "%zu of %zu files pass", report_count_passed(results),
            report_count(results));
    if (n_students > 0)
        doc_add(doc, STYLE_PLAIN, ", of %zu student%s", n_students, n_students == 1 ? "" : "s");
    doc_add(doc, STYLE_QUIET, "  (seed %llu, %s isolation)", (unsigned long long)results->seed,
            results_isolation(results));
    doc_end_line(doc);
    if (results->n == 0)
        return;
    doc_end_line(doc);
    show_exercises(results, ascii, doc);
    show_ideas(results, width_cols, doc);
    show_verdicts(results, doc);
    show_slowest(results, doc);
}
