/* The classroom50 format: result.json of a Classroom 50 autograder, whose runner describes the
 * graded work in the environment. See report.h. */
#include <math.h>
#include <stdlib.h>

#include "report/report_internal.h"

/* Points are whole numbers there; a score that is not full is rounded down. */
static json_int_t points(double score)
{
    return (json_int_t)floor(score);
}

static json_t *test_json(const struct result *result)
{
    return json_pack("{s:o, s:b, s:I, s:I, s:s, s:o, s:o}", "test-name",
                     report_text(result, report_title), "passed", result->verdict == VERDICT_PASS,
                     "score", points(result->score), "max-score", points(result->max_score),
                     "verdict", verdict_name(result->verdict), "misconceptions",
                     report_idea_list(result), "message", report_text(result, report_feedback));
}

static json_t *tests_json(const struct results *results)
{
    json_t *array = json_array();
    if (report_add_items(array, results, test_json))
        return array;
    json_decref(array);
    return NULL;
}

static json_t *told(const char *variable)
{
    return report_words(getenv(variable));
}

/* A variable that contains the student's name. */
static json_t *told_of_student(const struct results *results, const char *variable)
{
    return results->is_anonymous ? report_words(NULL) : told(variable);
}

bool report_write_classroom50(const struct results *results, struct text *text,
                              struct error *reterr)
{
    json_int_t score = 0, max_score = 0;
    char time[32];
    report_time(time, "Z");
    for (size_t i = 0; i < results->n; i++) {
        if (!result_counts(&results->items[i]))
            continue;
        score += points(results->items[i].score);
        max_score += points(results->items[i].max_score);
    }
    json_t *json = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:I, s:I, s:o}", "schema",
        "classroom50/result/v1", "classroom", told("CLASSROOM"), "assignment", told("ASSIGNMENT"),
        "submission", told_of_student(results, "SUBMISSION_TAG"), "commit",
        told_of_student(results, "COMMIT_URL"), "release", told_of_student(results, "RELEASE_URL"),
        "review", told_of_student(results, "REVIEW_URL"), "datetime", time, "score", score,
        "max-score", max_score, "tests", tests_json(results));
    return report_add_json(text, json, JSON_INDENT(1), reterr);
}
