/* The json format attn-grade/1, written and read back: see report.h. */
#include <string.h>

#include "report/report_internal.h"

#define SCHEMA "attn-grade/1"

enum { NAME_MAX_SHOWN = 100 };

static json_t *sandbox_json(const struct text *sandbox)
{
    json_t *array = json_array();
    const char *at = text_string(sandbox), *end = at + sandbox->size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t size = newline != NULL ? (size_t)(newline - at) : (size_t)(end - at);
        if (json_array_append_new(array, report_string(at, size)) != 0) {
            json_decref(array);
            return NULL;
        }
        at += size + 1;
    }
    return array;
}

/* Those that count, or their duplicates: who adds up the points of "results" has the right sum. */
static json_t *results_json(const struct results *results, bool counting)
{
    json_t *array = json_array();
    for (size_t i = 0; i < results->n; i++) {
        if (result_counts(&results->items[i]) == counting &&
            json_array_append_new(array, result_to_json(&results->items[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* What is known of the class; what is empty is left out. */
static bool add_class(json_t *json, const struct results *results)
{
    return (results->students.n == 0 ||
            json_object_set_new(json, "students", students_to_json(&results->students)) == 0) &&
           (results->exercises.n == 0 ||
            json_object_set_new(json, "exercises", exercise_order_to_json(&results->exercises)) ==
                0) &&
           (results->similar.n == 0 ||
            json_object_set_new(json, "similar", likenesses_to_json(&results->similar)) == 0) &&
           (parts_are_whole(&results->parts) ||
            json_object_set_new(json, "parts", parts_to_json(&results->parts)) == 0) &&
           (!results->is_unfinished || json_object_set_new(json, "complete", json_false()) == 0);
}

bool report_write_json(const struct results *results, struct text *text, struct error *reterr)
{
    json_t *json = json_pack("{s:s, s:I, s:o, s:o}", "schema", SCHEMA, "seed",
                             (json_int_t)results->seed, "sandbox", sandbox_json(&results->sandbox),
                             "results", results_json(results, true));
    if (json != NULL && report_count(results) < results->n &&
        json_object_set_new(json, "duplicates", results_json(results, false)) != 0) {
        json_decref(json);
        json = NULL;
    }
    if (json != NULL && !add_class(json, results)) {
        json_decref(json);
        json = NULL;
    }
    return report_add_json(text, json, JSON_INDENT(1), reterr);
}

/* ---- reading ---- */

/* A file as it is being read; name is printable. */
struct json_reader {
    char name[NAME_MAX_SHOWN];
    struct results results;
};

static bool no_report(const struct json_reader *reader, const char *why, struct error *reterr)
{
    return error_set(reterr, ERR_FILE, "%s: not a report of attn grade: %s", reader->name, why);
}

static bool read_seed(struct json_reader *reader, const json_t *root, struct error *reterr)
{
    const json_t *seed = json_object_get(root, "seed");
    json_int_t number = json_integer_value(seed);
    if (!json_is_integer(seed) || number < 0 || number >> RESULTS_MAX_SEED_BITS != 0)
        return no_report(reader, "seed must be a whole number from 0 to 2^53 - 1", reterr);
    reader->results.seed = (uint64_t)number;
    return true;
}

static bool read_sandbox(struct json_reader *reader, const json_t *root, struct error *reterr)
{
    const json_t *array = json_object_get(root, "sandbox");
    if (!json_is_array(array))
        return no_report(reader, "sandbox must be a list of texts", reterr);
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *line = json_string_value(json_array_get(array, i));
        if (line == NULL)
            return no_report(reader, "sandbox must be a list of texts", reterr);
        result_safe_text(&reader->results.sandbox, line, strlen(line), false);
        text_char(&reader->results.sandbox, '\n');
    }
    return report_check(&reader->results.sandbox, reterr);
}

static bool read_result(struct json_reader *reader, const json_t *json, struct error *reterr)
{
    struct result result;
    struct error why = {.kind = ERR_NONE};
    if (!result_from_json(json, &result, &why) && why.kind == ERR_MEMORY)
        return error_memory(reterr, reader->name);
    if (why.kind != ERR_NONE)
        return error_set(reterr, ERR_FILE, "%s: not a report of attn grade: results[%zu].%s",
                         reader->name, reader->results.n, why.text);
    bool ok = results_insert(&reader->results, reader->results.n, &result, reterr);
    result_release(&result);
    return ok;
}

static bool read_results(struct json_reader *reader, const json_t *root, const char *key,
                         struct error *reterr)
{
    const json_t *array = json_object_get(root, key);
    if (!json_is_array(array))
        return error_set(reterr, ERR_FILE, "%s: not a report of attn grade: %s must be a list",
                         reader->name, key);
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!read_result(reader, json_array_get(array, i), reterr))
            return false;
    return true;
}

static bool read_class(struct json_reader *reader, const json_t *root, struct error *reterr)
{
    const json_t *students = json_object_get(root, "students");
    const json_t *exercises = json_object_get(root, "exercises");
    const json_t *similar = json_object_get(root, "similar");
    const json_t *parts = json_object_get(root, "parts");
    struct results *results = &reader->results;
    struct error why = {.kind = ERR_NONE};
    results->is_unfinished = json_is_false(json_object_get(root, "complete"));
    if ((students == NULL || students_from_json(students, &results->students, &why)) &&
        (exercises == NULL || exercise_order_from_json(exercises, &results->exercises, &why)) &&
        (similar == NULL || likenesses_from_json(similar, &results->similar, &why)) &&
        (parts == NULL || parts_from_json(parts, &results->parts, &why)))
        return true;
    return why.kind == ERR_MEMORY ? error_memory(reterr, reader->name)
                                  : no_report(reader, why.text, reterr);
}

static bool read_root(struct json_reader *reader, const json_t *root, struct error *reterr)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (schema == NULL || strcmp(schema, SCHEMA) != 0)
        return no_report(reader, "schema is not \"" SCHEMA "\"", reterr);
    return read_seed(reader, root, reterr) && read_sandbox(reader, root, reterr) &&
           read_results(reader, root, "results", reterr) &&
           (json_object_get(root, "duplicates") == NULL ||
            read_results(reader, root, "duplicates", reterr)) &&
           read_class(reader, root, reterr);
}

bool report_read_json(const char *name, const char *bytes, size_t size, struct results *ret,
                      struct error *reterr)
{
    struct json_reader reader = {.name = ""};
    json_error_t problem;
    error_quote(reader.name, sizeof reader.name, name, strlen(name));
    json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &problem);
    if (root == NULL && json_error_code(&problem) == json_error_out_of_memory)
        return error_memory(reterr, reader.name);
    if (root == NULL)
        return error_set(reterr, ERR_FILE, "%s: not a report of attn grade: line %d: %s",
                         reader.name, problem.line, problem.text);
    bool ok = read_root(&reader, root, reterr);
    json_decref(root);
    if (ok)
        *ret = reader.results;
    else
        results_release(&reader.results);
    return ok;
}
