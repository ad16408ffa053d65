/* Counts over a class: see class_tally_internal.h. */
#include "report/class_tally_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Counts a name (of an exercise, unless NULL) once more. False without memory. */
static bool count(struct class_tallies *tallies, const char *name, const char *exercise,
                  const char *say)
{
    struct class_tally *items = tallies->items;
    for (size_t i = 0; i < tallies->n; i++) {
        if (strcmp(items[i].name, name) == 0 &&
            (exercise == NULL || strcmp(items[i].exercise, exercise) == 0)) {
            items[i].n++;
            return true;
        }
    }
    items = array_grow(items, tallies->n, &tallies->capacity, sizeof *items);
    if (items == NULL)
        return false;
    tallies->items = items;
    items[tallies->n++] =
        (struct class_tally){.name = name, .exercise = exercise, .say = say, .n = 1};
    return true;
}

/* The most frequent first; then by name, so that the order is always the same. */
static int by_count(const void *a, const void *b)
{
    const struct class_tally *left = a, *right = b;
    return left->n != right->n ? (left->n < right->n ? 1 : -1) : strcmp(left->name, right->name);
}

static bool finish(struct class_tallies *tallies, bool ok, struct error *reterr)
{
    if (!ok) {
        class_tallies_release(tallies);
        return error_memory(reterr, "the report");
    }
    if (tallies->n > 1)
        qsort(tallies->items, tallies->n, sizeof *tallies->items, by_count);
    return true;
}

bool class_tally_ideas(const struct results *results, struct class_tallies *ret,
                       struct error *reterr)
{
    bool ok = true;
    *ret = (struct class_tallies){.n = 0};
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        for (size_t j = 0; result_counts(result) && j < result->n_ideas; j++)
            ok = ok && count(ret, result->ideas[j].id, result_word(result->exercise),
                             result->ideas[j].say);
    }
    return finish(ret, ok, reterr);
}

bool class_tally_verdicts(const struct results *results, struct class_tallies *ret,
                          struct error *reterr)
{
    bool ok = true;
    *ret = (struct class_tallies){.n = 0};
    for (size_t i = 0; i < results->n; i++) {
        enum verdict verdict = results->items[i].verdict;
        if (result_counts(&results->items[i]))
            ok = ok && count(ret, verdict_name(verdict), NULL, verdict_sentence(verdict));
    }
    return finish(ret, ok, reterr);
}

bool class_tally_failed_cases(const struct class_sheet *sheet, size_t column,
                              struct class_tallies *ret, struct error *reterr)
{
    bool ok = true;
    *ret = (struct class_tallies){.n = 0};
    for (size_t i = 0; i < sheet->n_rows; i++) {
        const struct result *result = sheet->rows[i].cells[column];
        for (size_t j = 0; result != NULL && j < result->n_cases; j++)
            if (result->cases[j].verdict != VERDICT_PASS)
                ok = ok && count(ret, result->cases[j].name, NULL, NULL);
    }
    return finish(ret, ok, reterr);
}

void class_tallies_release(struct class_tallies *tallies)
{
    free(tallies->items);
    *tallies = (struct class_tallies){.n = 0};
}

double class_cost_ms(const struct result *result)
{
    return result->cpu_ms > 0 ? result->cpu_ms : result->time_ms;
}

size_t class_slowest(const struct results *results, const struct result **ret, size_t n_wanted)
{
    size_t n = 0;
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        if (verdict_is_absent(result->verdict))
            continue;
        size_t at = n < n_wanted ? n++ : n;
        while (at > 0 && class_cost_ms(ret[at - 1]) < class_cost_ms(result)) {
            if (at < n_wanted)
                ret[at] = ret[at - 1];
            at--;
        }
        if (at < n_wanted)
            ret[at] = result;
    }
    return n;
}
