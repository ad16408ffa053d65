/* Reports: the table of formats, files, merging. See report.h. */
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "files/file.h"
#include "report/report_internal.h"

enum {
    NAME_MAX_SHOWN = 160,
    REPORT_MODE = 0600, /* of a new file: it holds names and points, and the json the seed */
};

/* ---- the formats ---- */

#define ROW(name, is_of_one_student) {#name, is_of_one_student, report_write_##name},
const struct report_format report_formats[] = {REPORT_FORMATS(ROW)};
#undef ROW
const size_t n_report_formats = COUNT_OF(report_formats);

const struct report_format *report_format(const char *name)
{
    for (size_t i = 0; i < n_report_formats; i++)
        if (strcmp(report_formats[i].name, name) == 0)
            return &report_formats[i];
    return NULL;
}

void report_list_formats(const char *last_joint, struct text *text)
{
    for (size_t i = 0; i < n_report_formats; i++)
        text_format(text, "%s%s",
                    i == 0                     ? ""
                    : i + 1 < n_report_formats ? ", "
                                               : last_joint,
                    report_formats[i].name);
}

/* The results as one person's: one counts for each exercise. The items are borrowed, but for
 * duplicate_of. */
static bool write_as_one_students(const struct report_format *format, const struct results *results,
                                  struct text *text, struct error *reterr)
{
    struct results own = *results;
    own.items = calloc(results->n + 1, sizeof *own.items);
    if (own.items == NULL)
        return error_memory(reterr, "the report");
    bool ok = true;
    for (size_t i = 0; i < own.n; i++) {
        own.items[i] = result_borrow(&results->items[i]);
        ok = ok && result_add_note(&own.items[i], result_word(results->items[i].note), reterr);
    }
    ok = ok && results_mark_duplicates(&own, 0, reterr) && format->write(&own, text, reterr);
    for (size_t i = 0; i < own.n; i++)
        result_release(&own.items[i]);
    free(own.items);
    return ok;
}

bool report_write(const struct report_format *format, const struct results *results,
                  struct text *text, struct error *reterr)
{
    return format->is_of_one_student ? write_as_one_students(format, results, text, reterr)
                                     : format->write(results, text, reterr);
}

bool report_put_all(const struct report_format *format, const struct results *results,
                    report_put *put, void *context, struct error *reterr)
{
    struct text text = {0};
    if (format->write == report_write_json)
        return report_put_json(results, put, context, reterr);
    bool ok =
        report_write(format, results, &text, reterr) && put(context, text_string(&text), text.size);
    text_release(&text);
    return ok;
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

static bool add_to_file(void *context, const char *bytes, size_t size)
{
    return file_replacement_add(context, bytes, size);
}

bool report_write_file(const char *path, const struct report_format *format,
                       const struct results *results, struct error *reterr)
{
    struct file_replacement file;
    struct error error = {.kind = ERR_NONE};
    const char *why = why_not_replaceable(path);
    if (why != NULL)
        return cannot_write(path, why, reterr);
    bool ok = file_replacement_begin(path, REPORT_MODE, &file) &&
              file_replacement_end(
                  &file, report_put_all(format, results, add_to_file, &file, &error), true);
    if (!ok && error.kind == ERR_NONE)
        cannot_write(path, strerror(errno), &error);
    if (!ok && reterr != NULL)
        *reterr = error;
    return ok;
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
    if (!parts_add(&results->parts, &from->parts, reterr)) {
        text_release(&sandbox);
        return false;
    }
    size_t capacity = results->n + from->n + 1;
    struct result *items = calloc(capacity, sizeof *items);
    if (items == NULL || sandbox.failed ||
        !students_add_all(&results->students, &from->students, NULL) ||
        !exercise_order_add_all(&results->exercises, &from->exercises, NULL) ||
        !likenesses_add_all(&results->similar, &from->similar, NULL)) {
        free(items);
        text_release(&sandbox);
        return error_memory(reterr, "the results");
    }
    if (results->n > 1)
        qsort(results->items, results->n, sizeof *items, result_compare);
    if (from->n > 1)
        qsort(from->items, from->n, sizeof *items, result_compare);
    size_t n = merge_items(results, from, items);
    struct results merged = {.seed = from->seed,
                             .sandbox = sandbox,
                             .items = items,
                             .n = n,
                             .capacity = capacity,
                             .title = results->title != NULL ? results->title : from->title,
                             .students = results->students,
                             .exercises = results->exercises,
                             .similar = results->similar,
                             .parts = results->parts,
                             .is_unfinished = results->is_unfinished || from->is_unfinished};
    results->n = from->n = 0; /* moved */
    if (merged.title == from->title)
        from->title = NULL;
    results->title = NULL;
    results->students = (struct students){0};
    results->exercises = (struct exercise_order){0};
    results->similar = (struct likenesses){0};
    results->parts = (struct parts){0};
    results_release(results);
    results_release(from);
    *results = merged;
    return true;
}
