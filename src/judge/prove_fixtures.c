/* Are the cases of an exercise able to tell what they should? See prove.h. */
#include "judge/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/prove_internal.h"

/* What each misconception answers in each case. */
struct answer_table {
    const struct exercise *exercise;
    const struct fixtures *cases;
    struct answer *answers; /* [misconception * cases->n + case] */
    bool *applies;          /* the same; false: it says nothing there */
};

static bool table_init(struct answer_table *table, const struct exercise *exercise,
                       const struct fixtures *cases, struct error *reterr)
{
    size_t n = exercise->n_misconceptions * cases->n + 1;
    *table = (struct answer_table){.exercise = exercise, .cases = cases};
    table->answers = calloc(n, sizeof *table->answers);
    table->applies = calloc(n, sizeof *table->applies);
    return (table->answers != NULL && table->applies != NULL) || error_memory(reterr, "a proof");
}

static void table_release(struct answer_table *table)
{
    size_t n = table->exercise->n_misconceptions * table->cases->n;
    for (size_t i = 0; table->answers != NULL && i < n; i++)
        answer_release(&table->answers[i]);
    free(table->answers);
    free(table->applies);
}

/* Fills one row of the table. False is our own failure. */
static bool answer_cases(struct answer_table *table, unsigned row, struct prove_report *report,
                         struct error *reterr)
{
    const struct misconception *idea = &table->exercise->misconceptions[row];
    for (size_t i = 0; i < table->cases->n; i++) {
        size_t at = row * table->cases->n + i;
        struct error error = {0};
        table->applies[at] =
            fixture_answer_under(table->cases->items[i], &idea, 1, &table->answers[at], &error);
        if (table->applies[at] || idea_says_nothing(&error))
            continue;
        if (error.kind == ERR_MEMORY)
            return error_memory(reterr, "a proof");
        prove_idea_fault(table->exercise, idea, report, error.text);
        return true;
    }
    return true;
}

/* Is an answer of the idea far from the right one in some case? *ret_applies: does it say anything
 * at all? */
static bool differs_somewhere(const struct answer_table *table, unsigned row, bool *ret_applies,
                              bool *ret_differs, struct error *reterr)
{
    *ret_applies = *ret_differs = false;
    for (size_t i = 0; i < table->cases->n && !*ret_differs; i++) {
        size_t at = row * table->cases->n + i;
        struct answer right;
        if (!table->applies[at])
            continue;
        if (!fixture_right_answer(table->cases->items[i], &right, reterr))
            return false;
        *ret_applies = true;
        *ret_differs = fixture_answers_apart(table->cases->items[i], &table->answers[at], &right);
        answer_release(&right);
    }
    return true;
}

static bool prove_idea(struct answer_table *table, unsigned row, struct prove_report *report,
                       struct error *reterr)
{
    const struct misconception *idea = &table->exercise->misconceptions[row];
    size_t n_faults = report->n_faults;
    bool applies, differs;
    if (idea->stages.n == 0)
        return true;
    if (!answer_cases(table, row, report, reterr) ||
        !differs_somewhere(table, row, &applies, &differs, reterr))
        return false;
    if (report->n_faults > n_faults)
        return true;
    if (!applies)
        prove_idea_fault(table->exercise, idea, report, "its shapes fit in no case");
    else if (!differs)
        prove_idea_fault(table->exercise, idea, report, "it gives the right answer in every case");
    return true;
}

static bool are_apart(const struct answer_table *table, unsigned a, unsigned b)
{
    size_t n = table->cases->n;
    for (size_t i = 0; i < n; i++)
        if (table->applies[a * n + i] && table->applies[b * n + i] &&
            fixture_answers_apart(table->cases->items[i], &table->answers[a * n + i],
                                  &table->answers[b * n + i]))
            return true;
    return false;
}

static bool applies_somewhere(const struct answer_table *table, unsigned row)
{
    for (size_t i = 0; i < table->cases->n; i++)
        if (table->applies[row * table->cases->n + i])
            return true;
    return false;
}

static void prove_pairs(const struct answer_table *table, struct prove_report *report)
{
    const struct exercise *exercise = table->exercise;
    for (unsigned a = 0; a < exercise->n_misconceptions; a++)
        for (unsigned b = a + 1; b < exercise->n_misconceptions; b++) {
            char what[200];
            if (!applies_somewhere(table, a) || !applies_somewhere(table, b) ||
                are_apart(table, a, b))
                continue;
            snprintf(what, sizeof what, "no case tells it from %s", exercise->misconceptions[b].id);
            prove_idea_fault(exercise, &exercise->misconceptions[a], report, what);
        }
}

static bool prove_ideas(const struct exercise *exercise, const struct fixtures *cases,
                        struct prove_report *report, struct error *reterr)
{
    struct answer_table table;
    bool ok = table_init(&table, exercise, cases, reterr);
    for (unsigned i = 0; ok && i < exercise->n_misconceptions; i++)
        ok = prove_idea(&table, i, report, reterr);
    if (ok)
        prove_pairs(&table, report);
    table_release(&table);
    report->n_misconceptions = exercise->n_misconceptions;
    return ok;
}

/* Draws cases or probes and tries the cases; what the author got wrong in drawing is a fault. */
static bool prove_drawn(const struct exercise *exercise, uint64_t seed, bool probes,
                        const char *data_dir, struct prove_report *report, struct error *reterr)
{
    struct fixtures fixtures;
    struct error error = {0};
    if (!fixtures_draw(exercise, seed, probes, data_dir, &fixtures, &error)) {
        if (error.kind == ERR_MEMORY)
            return error_memory(reterr, "a proof");
        doc_line(report->doc, STYLE_BAD, "%s", error.text);
        report->n_faults++;
        return true;
    }
    bool ok = true;
    if (!probes) {
        prove_cases(exercise, &fixtures, report);
        ok = prove_ideas(exercise, &fixtures, report, reterr);
    }
    fixtures_release(&fixtures);
    return ok;
}

bool prove_fixtures(const struct exercise *exercise, uint64_t seed, const char *data_dir,
                    struct prove_report *report, struct error *reterr)
{
    return prove_drawn(exercise, seed, false, data_dir, report, reterr) &&
           prove_drawn(exercise, seed, true, data_dir, report, reterr) &&
           doc_check(report->doc, reterr);
}
