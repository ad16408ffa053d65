/* Reports: what all formats share, files, reading back and merging. See report.h. */
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "files/file.h"
#include "files/path.h"
#include "report/report_internal.h"

enum { NAME_MAX_SHOWN = 160 };

/* ---- the formats ---- */

const struct report_format report_formats[] = {
    {"text", report_write_text},
    {"json", report_write_json},
    {"junit", report_write_junit},
    {"tap", report_write_tap},
    {"gradescope", report_write_gradescope},
    {"classroom50", report_write_classroom50},
    {"autolab", report_write_autolab},
    {"csv", report_write_csv},
};
const size_t n_report_formats = COUNT_OF(report_formats);

const struct report_format *report_format(const char *name)
{
    for (size_t i = 0; i < n_report_formats; i++)
        if (strcmp(report_formats[i].name, name) == 0)
            return &report_formats[i];
    return NULL;
}

/* ---- what they share ---- */

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
        if (json_array_append_new(array, item(&results->items[i])) != 0)
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
    bool known = result_word(result->exercise)[0] != '\0';
    if (known)
        text_format(text, "%s (%s)", result->exercise, result_word(result->file));
    else
        text_put(text, result_word(result->file));
}

void report_verdict(const struct result *result, struct text *text)
{
    text_put(text, verdict_name(result->verdict));
    if (result_word(result->detail)[0] != '\0')
        text_format(text, " (%s)", result->detail);
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

/* The message says what there is to say of the verdict and the ideas; without one, their own words
 * do. */
void report_feedback(const struct result *result, struct text *text)
{
    bool has_message = result_word(result->message)[0] != '\0';
    report_verdict(result, text);
    if (!has_message)
        text_format(text, ": %s", verdict_sentence(result->verdict));
    text_char(text, '\n');
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

size_t report_count_passed(const struct results *results)
{
    size_t n = 0;
    for (size_t i = 0; i < results->n; i++)
        n += results->items[i].verdict == VERDICT_PASS;
    return n;
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

/* ---- files ---- */

/* A rename would put a plain file in the place of /dev/stdout. */
static const char *why_not_replaceable(const char *path)
{
    struct stat old;
    if (stat(path, &old) != 0 || S_ISREG(old.st_mode))
        return NULL;
    return S_ISDIR(old.st_mode) ? "it is a folder; name a file in it"
                                : "it is a pipe or a device; without --output the report goes to "
                                  "standard output";
}

static bool cannot_write(const char *path, const char *why, struct error *reterr)
{
    char name[NAME_MAX_SHOWN];
    return error_set(reterr, ERR_FILE, "%s: can't be written: %s",
                     error_quote(name, sizeof name, path, strlen(path)), why);
}

bool report_can_write(const char *path, struct error *reterr)
{
    const char *why = why_not_replaceable(path);
    if (why != NULL)
        return cannot_write(path, why, reterr);
    struct text folder = {0};
    text_add(&folder, path, (size_t)(path_base_name(path) - path));
    text_char(&folder, '.');
    bool ok = !folder.failed || error_memory(reterr, "writing the report");
    if (ok && access(text_string(&folder), W_OK | X_OK) != 0)
        ok = cannot_write(path, strerror(errno), reterr);
    text_release(&folder);
    return ok;
}

bool report_write_file(const char *path, const char *bytes, size_t size, struct error *reterr)
{
    const char *why = why_not_replaceable(path);
    if (why != NULL)
        return cannot_write(path, why, reterr);
    return file_replace(path, bytes, size, 0666) || cannot_write(path, strerror(errno), reterr);
}

/* ---- merging ---- */

/* Adds the lines of `lines` that are wanted beside another text. */
static void add_lines(struct text *text, const struct text *lines,
                      bool (*wanted)(const char *line, size_t size, const struct text *beside),
                      const struct text *beside)
{
    const char *at = text_string(lines), *end = at + lines->size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t size = newline != NULL ? (size_t)(newline - at) : (size_t)(end - at);
        if (size > 0 && wanted(at, size, beside)) {
            text_add(text, at, size);
            text_char(text, '\n');
        }
        at += size + 1;
    }
}

static bool holds_line(const struct text *lines, const char *line, size_t size)
{
    const char *at = text_string(lines), *end = at + lines->size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = newline != NULL ? (size_t)(newline - at) : (size_t)(end - at);
        if (length == size && memcmp(at, line, size) == 0)
            return true;
        at += length + 1;
    }
    return false;
}

static bool starts(const char *line, size_t size, const char *start)
{
    return size >= strlen(start) && memcmp(line, start, strlen(start)) == 0;
}

static bool is_lack(const char *line, size_t size)
{
    return starts(line, size, RESULTS_REDUCED) || starts(line, size, RESULTS_WEAK);
}

/* A layer counts when it held in both; a lack counts when it was in either. */
static bool kept_of_first(const char *line, size_t size, const struct text *other)
{
    return is_lack(line, size) || holds_line(other, line, size);
}

static bool kept_of_second(const char *line, size_t size, const struct text *other)
{
    return is_lack(line, size) && !holds_line(other, line, size);
}

void report_merge_sandboxes(const struct text *first, const struct text *second, struct text *text)
{
    add_lines(text, first, kept_of_first, second);
    add_lines(text, second, kept_of_second, first);
}

/* Which of two results for the same file stays: the later one, but our failure takes no score. The
 * other one is released. */
static struct result choose(struct result *earlier, struct result *later)
{
    bool is_ours = later->verdict == VERDICT_INTERNAL_ERROR;
    bool keeps_earlier = is_ours && earlier->verdict != VERDICT_INTERNAL_ERROR;
    struct result chosen = keeps_earlier ? *earlier : *later;
    result_release(keeps_earlier ? later : earlier);
    return chosen;
}

/* Moves all results of both, in order and each file once, to items, which has room. */
static size_t merge_items(struct results *results, struct results *from, struct result *items)
{
    size_t i = 0, j = 0, n = 0;
    while (i < results->n || j < from->n) {
        int order = i == results->n ? 1
                    : j == from->n  ? -1
                                    : result_compare(&results->items[i], &from->items[j]);
        if (order < 0)
            items[n++] = results->items[i++];
        else if (order > 0)
            items[n++] = from->items[j++];
        else
            items[n++] = choose(&results->items[i++], &from->items[j++]);
    }
    return n;
}

bool report_merge(struct results *results, struct results *from, struct error *reterr)
{
    struct text sandbox = {0};
    bool is_new = results->n == 0 && results->sandbox.size == 0;
    if (!is_new && results->seed != from->seed)
        return error_set(reterr, ERR_RANGE,
                         "the seeds differ, %llu and %llu: their cases were drawn differently; "
                         "grade all parts with the same --seed",
                         (unsigned long long)results->seed, (unsigned long long)from->seed);
    if (is_new)
        text_add(&sandbox, text_string(&from->sandbox), from->sandbox.size);
    else
        report_merge_sandboxes(&results->sandbox, &from->sandbox, &sandbox);
    size_t capacity = results->n + from->n + 1;
    struct result *items = calloc(capacity, sizeof *items);
    if (items == NULL || sandbox.failed) {
        free(items);
        text_release(&sandbox);
        return error_memory(reterr, "the results");
    }
    if (results->n > 1)
        qsort(results->items, results->n, sizeof *items, result_compare);
    if (from->n > 1)
        qsort(from->items, from->n, sizeof *items, result_compare);
    size_t n = merge_items(results, from, items);
    uint64_t seed = from->seed;
    results->n = from->n = 0; /* moved */
    results_release(results);
    results_release(from);
    *results = (struct results){
        .seed = seed, .sandbox = sandbox, .items = items, .n = n, .capacity = capacity};
    return true;
}
