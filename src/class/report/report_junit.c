/* The junit format: the subset of JUnit's XML that all its readers know. See report.h. */
#include <string.h>

#include <utf8proc.h>

#include "report/report_internal.h"

/* Characters that XML 1.0 allows (section 2.2, Char). */
static bool is_xml(utf8proc_int32_t code)
{
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0xD7FF) ||
           (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF);
}

/* The escape for a character in text and attributes. A newline in an attribute would become a
 * space; in a text it would let a learner's words begin a line of a log, where "::error::" is a
 * command. */
static const char *entity(utf8proc_int32_t code)
{
    switch (code) {
    case '\n':
        return "&#10;";
    case '\t':
        return "&#9;";
    case '\r':
        return "&#13;";
    default:
        return code < 0x80 ? text_entity((char)code) : NULL;
    }
}

static void add_xml(struct text *text, const char *words)
{
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)result_word(words);
    utf8proc_ssize_t size = (utf8proc_ssize_t)strlen(result_word(words));
    for (utf8proc_ssize_t at = 0; at < size;) {
        utf8proc_int32_t code;
        utf8proc_ssize_t length = utf8proc_iterate(bytes + at, size - at, &code);
        const char *instead = length > 0 ? entity(code) : NULL;
        if (instead != NULL)
            text_put(text, instead);
        else if (length > 0 && is_xml(code))
            text_add(text, (const char *)bytes + at, (size_t)length);
        at += length > 0 ? length : 1;
    }
}

static void add_attribute(struct text *text, const char *name, const char *words)
{
    text_format(text, " %s=\"", name);
    add_xml(text, words);
    text_char(text, '"');
}

struct junit_counts {
    size_t tests, failures, errors, skipped;
    double time_s;
};

static struct junit_counts count(const struct result *items, size_t n)
{
    struct junit_counts counts = {.tests = n};
    for (size_t i = 0; i < n; i++) {
        bool error = report_is_error(items[i].verdict), is_skipped = !result_counts(&items[i]);
        counts.skipped += is_skipped;
        counts.errors += error && !is_skipped;
        counts.failures += !error && !is_skipped && items[i].verdict != VERDICT_PASS;
        counts.time_s += items[i].time_ms / 1000;
    }
    return counts;
}

static void add_counts(struct text *text, const struct junit_counts *counts)
{
    text_format(text,
                " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"",
                counts->tests, counts->failures, counts->errors, counts->skipped, counts->time_s);
}

static void add_property(struct text *text, const char *name, const char *value)
{
    text_put(text, "      <property");
    add_attribute(text, "name", name);
    add_attribute(text, "value", value);
    text_put(text, "/>\n");
}

static void add_properties(struct text *text, const struct results *results)
{
    struct text line = {0};
    text_put(text, "    <properties>\n");
    report_sandbox(results, &line);
    add_property(text, "sandbox", text_string(&line));
    add_property(text, "isolation", results_isolation(results));
    text_put(text, "    </properties>\n");
    text->failed = text->failed || line.failed;
    text_release(&line);
}

static void add_fault(struct text *text, const struct result *result)
{
    struct text line = {0};
    const char *element = report_is_error(result->verdict) ? "error" : "failure";
    text_format(text, "      <%s", element);
    report_verdict(result, &line);
    add_attribute(text, "message", text_string(&line));
    add_attribute(text, "type", verdict_name(result->verdict));
    text_char(text, '>');
    text_clear(&line);
    report_feedback(result, &line);
    add_xml(text, text_string(&line));
    text_format(text, "</%s>\n", element);
    text->failed = text->failed || line.failed;
    text_release(&line);
}

static bool has_student(const struct result *result)
{
    return result_word(result->student)[0] != '\0';
}

static void add_case(struct text *text, const struct result *result)
{
    struct text title = {0};
    bool counts = result_counts(result), passed = counts && result->verdict == VERDICT_PASS;
    report_title(result, &title);
    text_put(text, "    <testcase");
    add_attribute(text, "name", text_string(&title));
    add_attribute(text, "classname", has_student(result) ? result->student : "attn");
    add_attribute(text, "file", result->file);
    text_format(text, " time=\"%.3f\"%s>\n", result->time_ms / 1000, passed ? "/" : "");
    if (!passed) {
        if (counts)
            add_fault(text, result);
        else
            text_put(text, "      <skipped message=\"a duplicate, another file counts\"/>\n");
        text_put(text, "    </testcase>\n");
    }
    text->failed = text->failed || title.failed;
    text_release(&title);
}

static void add_suite(struct text *text, const struct results *results, const struct result *items,
                      size_t n, const char *time)
{
    struct junit_counts counts = count(items, n);
    text_put(text, "  <testsuite");
    add_attribute(text, "name", has_student(items) ? items->student : "attn grade");
    add_counts(text, &counts);
    add_attribute(text, "timestamp", time);
    text_put(text, ">\n");
    add_properties(text, results);
    for (size_t i = 0; i < n; i++)
        add_case(text, &items[i]);
    text_put(text, "  </testsuite>\n");
}

/* How many results from items[0] on belong to one student: they lie together. */
static size_t of_one_student(const struct result *items, size_t n)
{
    size_t same = 1;
    while (same < n && strcmp(result_word(items[same].student), result_word(items->student)) == 0)
        same++;
    return same;
}

bool report_write_junit(const struct results *results, struct text *text, struct error *reterr)
{
    struct junit_counts counts = count(results->items, results->n);
    char time[32];
    report_time(time, "");
    text_put(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"attn grade\"");
    add_counts(text, &counts);
    add_attribute(text, "timestamp", time);
    text_put(text, ">\n");
    for (size_t i = 0; i < results->n;) {
        size_t n = of_one_student(results->items + i, results->n - i);
        add_suite(text, results, results->items + i, n, time);
        i += n;
    }
    text_put(text, "</testsuites>\n");
    return report_check(text, reterr);
}
