/* The gradescope format: results.json of a Gradescope autograder. See report.h. */
#include "report/report_internal.h"

/* Kept by Gradescope, shown to nobody. */
static json_t *extra_json(const struct result *result)
{
    return json_pack("{s:s, s:o, s:o, s:o}", "verdict", verdict_name(result->verdict), "detail",
                     report_words(result->detail), "student", report_words(result->student),
                     "misconceptions", report_idea_list(result));
}

static json_t *test_json(const struct result *result)
{
    bool passed = result->verdict == VERDICT_PASS;
    return json_pack("{s:f, s:f, s:s, s:o, s:o, s:o}", "score", result->score, "max_score",
                     result->max_score, "status", passed ? "passed" : "failed", "name",
                     report_text(result, report_title), "output",
                     report_text(result, report_feedback), "extra_data", extra_json(result));
}

static json_t *tests_json(const struct results *results)
{
    json_t *array = json_array();
    if (report_add_items(array, results, test_json))
        return array;
    json_decref(array);
    return NULL;
}

bool report_write_gradescope(const struct results *results, struct text *text, struct error *reterr)
{
    struct text line = {0};
    double score = 0, time_s = 0;
    for (size_t i = 0; i < results->n; i++) {
        score += result_counts(&results->items[i]) ? results->items[i].score : 0;
        time_s += results->items[i].time_ms / 1000;
    }
    text_format(&line, "%zu of %zu files pass.\n", report_count_passed(results),
                report_count(results));
    report_duplicates(results, &line);
    json_t *json = json_pack(
        "{s:f, s:f, s:o, s:s, s:s, s:s, s:o}", "score", score, "execution_time", time_s, "output",
        report_string(text_string(&line), line.size), "output_format", "text", "test_output_format",
        "text", "test_name_format", "text", "tests", tests_json(results));
    text_release(&line);
    return report_add_json(text, json, JSON_INDENT(1), reterr);
}
