/* Functions that the formats of reports share: see report_internal.h. */
#include "report/report_internal.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

bool report_check(const struct text *text, struct error *reterr)
{
    return !text->failed || error_memory(reterr, "the report");
}

static int add_piece(const char *bytes, size_t size, void *text)
{
    text_add(text, bytes, size);
    return 0;
}

bool report_add_json(struct text *text, json_t *json, size_t flags, struct error *reterr)
{
    bool ok = json_dump_callback(json, add_piece, text, flags | JSON_REAL_PRECISION(15)) == 0;
    json_decref(json);
    text_char(text, '\n');
    return ok ? report_check(text, reterr) : error_memory(reterr, "the report");
}

bool report_add_items(json_t *array, const struct results *results,
                      json_t *(*item)(const struct result *result))
{
    for (size_t i = 0; i < results->n; i++)
        if (result_counts(&results->items[i]) &&
            json_array_append_new(array, item(&results->items[i])) != 0)
            return false;
    return array != NULL;
}

json_t *report_string(const char *bytes, size_t size)
{
    struct text text = {0};
    result_safe_text(&text, bytes, size, true);
    json_t *json = text.failed ? NULL : json_stringn(text_string(&text), text.size);
    text_release(&text);
    return json;
}

json_t *report_words(const char *string)
{
    return report_string(result_word(string), strlen(result_word(string)));
}

json_t *report_text(const struct result *result,
                    void (*write)(const struct result *result, struct text *text))
{
    struct text text = {0};
    write(result, &text);
    json_t *json = text.failed ? NULL : report_string(text_string(&text), text.size);
    text_release(&text);
    return json;
}

json_t *report_idea_list(const struct result *result)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->n_ideas; i++) {
        if (json_array_append_new(array, report_words(result->ideas[i].id)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

void report_title(const struct result *result, struct text *text)
{
    const char *exercise = result_word(result->exercise), *file = result_word(result->file);
    if (exercise[0] == '\0')
        text_put(text, file);
    else if (file[0] != '\0')
        text_format(text, "%s (%s)", exercise, file);
    else if (result_word(result->student)[0] != '\0') /* nothing was handed in */
        text_format(text, "%s (%s)", exercise, result->student);
    else
        text_put(text, exercise);
}

void report_verdict(const struct result *result, struct text *text)
{
    text_put(text, verdict_name(result->verdict));
    if (result_word(result->detail)[0] != '\0')
        text_format(text, " (%s)", result->detail);
}

void report_doubt(const struct result *result, struct text *text)
{
    enum { SHOWN = 8 };
    size_t n = 0;
    if (!result->is_unclear)
        return;
    text_put(text, "unclear whose");
    for (const char *at = result_word(result->candidates); *at != '\0'; n++) {
        size_t size = strcspn(at, "\n");
        if (n < SHOWN) {
            text_put(text, n == 0 ? ": " : " or ");
            text_add(text, at, size);
        }
        at += size + (at[size] == '\n');
    }
    if (n > SHOWN)
        text_format(text, " or one of %zu more", n - SHOWN);
    if (n == 0)
        text_put(text, ": nobody on the class list");
}

void report_ideas(const struct result *result, const char *separator, struct text *text)
{
    for (size_t i = 0; i < result->n_ideas; i++)
        text_format(text, "%s%s", i > 0 ? separator : "", result->ideas[i].id);
}

static void end_line(struct text *text)
{
    if (text->size > 0 && text->bytes[text->size - 1] != '\n')
        text_char(text, '\n');
}

/* A message explains the verdict and the ideas; without one, their own sentences do. */
void report_feedback(const struct result *result, struct text *text)
{
    bool has_message = result_word(result->message)[0] != '\0';
    report_verdict(result, text);
    if (!has_message)
        text_format(text, ": %s", verdict_sentence(result->verdict));
    text_char(text, '\n');
    if (result_word(result->note)[0] != '\0')
        text_format(text, "%s\n", result->note);
    if (result->n_ideas > 0) {
        text_put(text, "What the numbers show: ");
        report_ideas(result, ", ", text);
        text_char(text, '\n');
    }
    if (has_message)
        text_format(text, "\n%s", result->message);
    for (size_t i = 0; !has_message && i < result->n_ideas; i++)
        text_format(text, "\n%s\n", result->ideas[i].say);
    end_line(text);
}

void report_quoted(const char *lines, struct text *text)
{
    while (*lines != '\0') {
        size_t size = strcspn(lines, "\n");
        text_put(text, size > 0 ? "    | " : "    |");
        text_add(text, lines, size);
        text_char(text, '\n');
        lines += size + (lines[size] == '\n');
    }
}

void report_sandbox(const struct results *results, struct text *text)
{
    for (size_t i = 0; i < results->sandbox.size; i++) {
        bool last = i + 1 == results->sandbox.size;
        char c = results->sandbox.bytes[i];
        if (c != '\n')
            text_char(text, c);
        else if (!last)
            text_put(text, ", ");
    }
}

bool report_is_error(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_PASS:
    case VERDICT_WRONG_ANSWER:
    case VERDICT_NON_FINITE:
    case VERDICT_MODIFIED_INPUTS:
    case VERDICT_LEAK:
    case VERDICT_TOO_SLOW:
    case VERDICT_NOT_IMPLEMENTED:
        return false;
    default:
        return true;
    }
}

size_t report_count(const struct results *results)
{
    size_t n = 0;
    for (size_t i = 0; i < results->n; i++)
        n += result_counts(&results->items[i]);
    return n;
}

size_t report_count_passed(const struct results *results)
{
    size_t n = 0;
    for (size_t i = 0; i < results->n; i++)
        n += result_counts(&results->items[i]) && results->items[i].verdict == VERDICT_PASS;
    return n;
}

void report_duplicates(const struct results *results, struct text *text)
{
    size_t n = results->n - report_count(results);
    if (n == 0)
        return;
    text_format(text, "%zu more %s the same work again and %s no points:", n,
                n == 1 ? "file is" : "files are", n == 1 ? "has" : "have");
    for (size_t i = 0, shown = 0; i < results->n; i++)
        if (!result_counts(&results->items[i]))
            text_format(text, "%s %s (%s counts)", shown++ > 0 ? "," : "",
                        result_word(results->items[i].file), results->items[i].duplicate_of);
    text_char(text, '\n');
}

void report_time(char text[32], const char *zone)
{
    time_t now = time(NULL);
    struct tm parts;
    size_t size = gmtime_r(&now, &parts) != NULL
                      ? strftime(text, 24, "%Y-%m-%dT%H:%M:%S", &parts) /* years of 4 digits fit */
                      : 0;
    snprintf(text + size, 32 - size, "%s", size > 0 ? zone : "");
}
