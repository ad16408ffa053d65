/* The tap format, version 14 of the Test Anything Protocol: see report.h. */
#include "report/report_internal.h"

/* A description: one line, with # and \ escaped. */
static void add_description(struct text *text, const struct result *result)
{
    struct text title = {0}, safe = {0};
    report_title(result, &title);
    result_safe_text(&safe, text_string(&title), title.size, false);
    for (size_t i = 0; i < safe.size; i++) {
        if (safe.bytes[i] == '#' || safe.bytes[i] == '\\')
            text_char(text, '\\');
        text_char(text, safe.bytes[i]);
    }
    text->failed = text->failed || title.failed || safe.failed;
    text_release(&title);
    text_release(&safe);
}

/* Strings, numbers and lists of JSON are YAML too, so that a learner's text can't break it. */
static bool add_yaml(struct text *text, const char *key, json_t *value, struct error *reterr)
{
    text_format(text, "  %s: ", key);
    return report_add_json(text, value, JSON_ENCODE_ANY, reterr);
}

static json_t *failed_cases(const struct result *result)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->n_cases; i++) {
        if (result->cases[i].verdict != VERDICT_PASS &&
            json_array_append_new(array, report_words(result->cases[i].name)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static bool add_diagnostics(struct text *text, const struct result *result, struct error *reterr)
{
    const char *severity = report_is_error(result->verdict) ? "error" : "fail";
    text_put(text, "  ---\n");
    bool ok = add_yaml(text, "message", report_text(result, report_feedback), reterr) &&
              add_yaml(text, "severity", json_string(severity), reterr) &&
              add_yaml(text, "verdict", json_string(verdict_name(result->verdict)), reterr) &&
              add_yaml(text, "detail", report_words(result->detail), reterr) &&
              add_yaml(text, "score", json_real(result->score), reterr) &&
              add_yaml(text, "max_score", json_real(result->max_score), reterr) &&
              add_yaml(text, "misconceptions", report_idea_list(result), reterr) &&
              add_yaml(text, "failed_cases", failed_cases(result), reterr);
    text_put(text, "  ...\n");
    return ok;
}

static void add_head(struct text *text, const struct results *results)
{
    text_put(text, "TAP version 14\n# sandbox: ");
    report_sandbox(results, text);
    text_format(text, "\n1..%zu%s\n", results->n, results->n == 0 ? " # no submissions" : "");
}

bool report_write_tap(const struct results *results, struct text *text, struct error *reterr)
{
    add_head(text, results);
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        bool passed = result->verdict == VERDICT_PASS;
        bool counts = result_counts(result);
        text_format(text, "%s %zu - ", passed || !counts ? "ok" : "not ok", i + 1);
        add_description(text, result);
        text_put(text, counts ? "\n" : " # SKIP a duplicate, another file counts\n");
        if (!passed && counts && !add_diagnostics(text, result, reterr))
            return false;
    }
    return report_check(text, reterr);
}
