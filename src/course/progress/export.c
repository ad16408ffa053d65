/* All that is remembered, as JSON and as CSV: see export.h. */
#include "course/progress/export.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "course/progress/lesson_count.h"
#include "course/progress/progress_internal.h"
#include "files/file.h"

#define SCHEMA "attn-progress/1"

/* A list of the JSON and its rows. Columns are named as in the JSON; those that begin with
 * "is_" are true or false. */
static const struct {
    const char *name, *sql;
} tables[] = {
    {"attempts", "SELECT time_s, exercise, verdict, misconception FROM attempts ORDER BY id"},
    {"hints", "SELECT time_s, exercise, hint FROM hints ORDER BY time_s, exercise, hint"},
    {"plays", "SELECT id AS play, lesson, begun_s, last_s, finished_s,"
              " (SELECT page FROM runs WHERE play = plays.id ORDER BY turn DESC LIMIT 1) AS page,"
              " coalesce((SELECT group_concat(lines, '') FROM (SELECT lines FROM lines WHERE run ="
              "  (SELECT id FROM runs WHERE play = plays.id ORDER BY turn DESC LIMIT 1)"
              "  ORDER BY number)), '') AS lines"
              " FROM plays ORDER BY id"},
    {"events", "SELECT time_s, lesson, question, kind, detail, mistake, number, took_ms, is_review,"
               " play"
               " FROM events ORDER BY id"},
    {"reviews", "SELECT lesson, question, step, due_s FROM reviews"
                " ORDER BY due_s, lesson, question"},
    {"settings", "SELECT name, value FROM settings ORDER BY name"},
};

/* Bytes as UTF-8: a byte that is not UTF-8 becomes U+FFFD, which both formats can hold. */
static void add_clean(struct text *text, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        struct text_character character = text_character(bytes + at, size - at);
        bool foreign = character.size == 1 && ((unsigned char)bytes[at] & 0x80) != 0;
        if (foreign)
            text_put(text, "\xEF\xBF\xBD");
        else
            text_add(text, bytes + at, character.size);
        at += character.size;
    }
}

/* ---- JSON ---- */

static json_t *string_json(sqlite3_stmt *row, int column)
{
    struct text text = {0};
    const char *bytes = (const char *)sqlite3_column_text(row, column);
    add_clean(&text, bytes, bytes != NULL ? (size_t)sqlite3_column_bytes(row, column) : 0);
    json_t *json = text.failed ? NULL : json_stringn(text_string(&text), text.size);
    text_release(&text);
    return json;
}

static json_t *column_json(sqlite3_stmt *row, int column)
{
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
        return json_null();
    case SQLITE_INTEGER:
        if (strncmp(sqlite3_column_name(row, column), "is_", 3) == 0)
            return json_boolean(sqlite3_column_int(row, column));
        return json_integer(sqlite3_column_int64(row, column));
    default:
        return string_json(row, column);
    }
}

static json_t *row_json(sqlite3_stmt *row)
{
    json_t *object = json_object();
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        if (json_object_set_new(object, sqlite3_column_name(row, i), column_json(row, i)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static bool add_tables(const struct progress *progress, json_t *root, struct error *reterr)
{
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        json_t *array = json_array();
        bool ok = json_object_set_new(root, tables[i].name, array) == 0;
        if (progress->file != NULL) {
            struct sql_query query = query_of(progress, tables[i].sql);
            while (ok && query_step(&query))
                ok = json_array_append_new(array, row_json(query.statement)) == 0;
            if (!query_end(&query, reterr))
                return false;
        }
        if (!ok)
            return error_memory(reterr, "the progress");
    }
    return true;
}

/* How the questions of a lesson went. One that can't be read is left out. */
static bool add_lesson(struct progress *progress, const struct course_entry *entry, json_t *list,
                       struct error *reterr)
{
    struct lesson_record record;
    struct lesson_count count;
    struct lesson *lesson;
    struct error fault;
    if (!lesson_read(entry->path, &lesson, &fault))
        return fault.kind != ERR_MEMORY || error_memory(reterr, "the progress");
    bool ok = progress_lesson(progress, entry->id, &record, reterr) &&
              lesson_count_of(progress, lesson, &count, reterr);
    lesson_free(lesson);
    if (!ok)
        return false;
    json_t *item = json_pack(
        "{s:s, s:i, s:b, s:b, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "lesson", entry->id,
        "number", (int)entry->number, "is_started", record.started, "is_done", record.finished,
        "questions", (int)count.n, "right", (int)lesson_count_right(&count), "at_once",
        (int)count.by_mark[MARK_ALONE], "after_a_try", (int)count.by_mark[MARK_TRIED],
        "with_a_hint", (int)count.by_mark[MARK_HINTED], "told_or_skipped",
        (int)count.by_mark[MARK_TOLD], "missed_so_far", (int)count.by_mark[MARK_MISSED], "open",
        (int)count.by_mark[MARK_NONE]);
    return json_array_append_new(list, item) == 0 || error_memory(reterr, "the progress");
}

static bool add_lessons(struct progress *progress, const struct course *course, json_t *root,
                        struct error *reterr)
{
    json_t *list = json_array();
    if (json_object_set_new(root, "lessons", list) != 0)
        return error_memory(reterr, "the progress");
    for (size_t i = 0; course != NULL && i < course->n; i++)
        if (!add_lesson(progress, &course->entries[i], list, reterr))
            return false;
    return true;
}

static bool add_all(struct progress *progress, const struct course *course, json_t *root,
                    struct error *reterr)
{
    return add_lessons(progress, course, root, reterr) && add_tables(progress, root, reterr);
}

static int add_piece(const char *bytes, size_t size, void *text)
{
    text_add(text, bytes, size);
    return 0;
}

static bool check_export(struct text *out, size_t size_before, bool ok, struct error *reterr)
{
    if (ok && out->failed)
        ok = error_memory(reterr, "the progress");
    if (!ok)
        text_shrink(out, size_before);
    return ok;
}

bool progress_export_json(struct progress *progress, const struct course *course, struct text *out,
                          struct error *reterr)
{
    size_t size_before = out->size;
    json_t *root = json_pack("{s:s}", "schema", SCHEMA);
    bool ok = root != NULL || error_memory(reterr, "the progress");
    if (ok && progress->file == NULL)
        ok = add_all(progress, course, root, reterr);
    else if (ok) /* all lists as they are at one moment, whoever writes meanwhile */
        ok = sql_begin_reading(progress, reterr) &&
             sql_end(progress, add_all(progress, course, root, reterr), reterr);
    if (ok && json_dump_callback(root, add_piece, out, JSON_INDENT(1)) != 0)
        ok = error_memory(reterr, "the progress");
    json_decref(root);
    text_char(out, '\n');
    return check_export(out, size_before, ok, reterr);
}

/* ---- CSV (RFC 4180, lines end in a newline) ---- */

/* All events, in the order of time. */
static const char things[] =
    "SELECT * FROM ("
    "SELECT time_s, 'exercise' AS part, exercise AS name, '' AS question, verdict AS what,"
    "  misconception AS detail, NULL AS number, NULL AS took_ms, NULL AS play, '' AS mistake,"
    "  1 AS rank, id"
    " FROM attempts UNION ALL "
    "SELECT time_s, 'exercise', exercise, '', 'hint', '', hint, NULL, NULL, '', 0, hint"
    " FROM hints UNION ALL "
    "SELECT begun_s, 'lesson', lesson, '', 'begun', '', NULL, NULL, id, '', 2, id"
    " FROM plays UNION ALL "
    "SELECT time_s, CASE WHEN is_review THEN 'review' ELSE 'lesson' END, lesson, question, kind,"
    "  detail, number, took_ms, play, mistake, 3, id"
    " FROM events UNION ALL "
    "SELECT finished_s, 'lesson', lesson, '', 'finished', '', NULL, NULL, id, '', 4, id"
    " FROM plays WHERE finished_s IS NOT NULL"
    ") ORDER BY time_s, rank, id";
static const char heading[] = "time,part,name,question,what,detail,number,took_ms,play,mistake\n";

/* A spreadsheet takes a field that begins with these characters for a formula, unless it is a
 * number. */
static bool looks_like_formula(const char *field)
{
    if (field[0] == '\0' || strchr("=+-@\t\r\n", field[0]) == NULL)
        return false;
    return (field[0] != '-' && field[0] != '+') || field[1] == '\0' ||
           field[1 + strspn(field + 1, "0123456789.")] != '\0';
}

/* A field, quoted always; an apostrophe before a formula makes it text. */
static void add_field(struct text *out, const char *field)
{
    struct text clean = {0};
    add_clean(&clean, field, strlen(field));
    text_put(out, looks_like_formula(field) ? "\"'" : "\"");
    for (size_t i = 0; i < clean.size; i++)
        text_repeat(out, (char[]){clean.bytes[i], '\0'}, clean.bytes[i] == '"' ? 2 : 1);
    text_put(out, "\"");
    out->failed = out->failed || clean.failed;
    text_release(&clean);
}

/* "2026-03-01T12:00:00Z"; a time that no calendar has stays a number. */
static void add_time(struct text *out, int64_t time_s)
{
    char text[64];
    struct tm calendar;
    time_t time = (time_t)time_s;
    if (gmtime_r(&time, &calendar) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &calendar) > 0)
        text_put(out, text);
    else
        text_format(out, "%lld", (long long)time_s);
}

static void add_line(struct text *out, const struct sql_query *row)
{
    enum { TIME, PART, NAME, QUESTION, WHAT, DETAIL, NUMBER, TOOK_MS, PLAY, MISTAKE };
    add_time(out, query_column_number(row, TIME));
    for (int i = PART; i <= DETAIL; i++) {
        text_char(out, ',');
        add_field(out, query_column(row, i));
    }
    for (int i = NUMBER; i <= PLAY; i++)
        text_format(out, ",%s", query_column(row, i));
    text_char(out, ',');
    add_field(out, query_column(row, MISTAKE));
    text_char(out, '\n');
}

bool progress_export_csv(struct progress *progress, struct text *out, struct error *reterr)
{
    size_t size_before = out->size;
    bool ok = true;
    text_put(out, heading);
    if (progress->file != NULL) {
        struct sql_query query = query_of(progress, things);
        while (!out->failed && query_step(&query))
            add_line(out, &query);
        ok = query_end(&query, reterr);
    }
    return check_export(out, size_before, ok, reterr);
}

bool progress_export_file(struct progress *progress, const struct course *course, bool csv,
                          const char *path, struct error *reterr)
{
    struct text text = {0};
    bool ok = csv ? progress_export_csv(progress, &text, reterr)
                  : progress_export_json(progress, course, &text, reterr);
    if (ok && !file_replace(path, text_string(&text), text.size, 0600))
        ok = error_set(reterr, ERR_FILE, "%s: can't be written", path);
    text_release(&text);
    return ok;
}
