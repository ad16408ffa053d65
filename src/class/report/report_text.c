/* The text format, for a person at a terminal or in a log: see report.h. */
#include <string.h>

#include "report/report_internal.h"

enum { ONE_PERSONS_WORK = 64 }; /* nobody hands in more files than this */

/* One learner's work holds each exercise once; then their messages are worth showing. */
static bool is_of_one_person(const struct results *results)
{
    if (results->n > ONE_PERSONS_WORK)
        return false;
    for (size_t i = 0; i < results->n; i++)
        for (size_t j = 0; j < i; j++)
            if (result_counts(&results->items[i]) && result_counts(&results->items[j]) &&
                strcmp(result_word(results->items[i].exercise),
                       result_word(results->items[j].exercise)) == 0)
                return false;
    return true;
}

static void add_line(struct text *text, const struct result *result, bool weak)
{
    struct text verdict = {0}, line = {0};
    report_verdict(result, &verdict);
    bool counts = result_counts(result);
    text_format(&line, "%s%-26s ", weak ? "[" RESULTS_WEAK "] " : "", text_string(&verdict));
    if (result->verdict == VERDICT_UNCLEAR)
        text_format(&line, "%6s of %-4.4g ", "?", result->max_score);
    else
        text_format(&line, "%6.4g of %-4.4g ", counts ? result->score : 0,
                    counts ? result->max_score : 0);
    report_title(result, &line);
    if (!counts)
        text_format(&line, ", a duplicate: %s counts", result->duplicate_of);
    if (result->n_ideas > 0) {
        text_put(&line, ": ");
        report_ideas(result, ", ", &line);
    }
    if (result_word(result->note)[0] != '\0')
        text_format(&line, ". %s", result->note);
    if (result->is_unclear)
        text_put(&line, "; ");
    report_doubt(result, &line);
    result_safe_text(text, text_string(&line), line.size, false);
    text_char(text, '\n');
    text->failed = text->failed || verdict.failed || line.failed;
    text_release(&verdict);
    text_release(&line);
}

static void add_head(struct text *text, const struct results *results)
{
    text_put(text, "sandbox: ");
    report_sandbox(results, text);
    text_put(text, results->sandbox.size > 0 ? "\n\n" : "none\n\n");
}

bool report_write_text(const struct results *results, struct text *text, struct error *reterr)
{
    struct text all = {0};
    bool in_full = is_of_one_person(results);
    bool weak = strcmp(results_isolation(results), "weak") == 0;
    add_head(&all, results);
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        add_line(&all, result, weak);
        if (in_full && result_counts(result) && result->verdict != VERDICT_PASS)
            report_quoted(result_word(result->message), &all);
    }
    text_format(&all, "%s%zu of %zu pass.\n", results->n > 0 ? "\n" : "",
                report_count_passed(results), report_count(results));
    result_safe_text(text, text_string(&all), all.size, true);
    text->failed = text->failed || all.failed;
    text_release(&all);
    return report_check(text, reterr);
}
