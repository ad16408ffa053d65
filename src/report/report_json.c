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

static json_t *results_json(const struct results *results)
{
    json_t *array = json_array();
    if (report_add_items(array, results, result_to_json))
        return array;
    json_decref(array);
    return NULL;
}

bool report_write_json(const struct results *results, struct text *text, struct error *reterr)
{
    json_t *json =
        json_pack("{s:s, s:I, s:o, s:o}", "schema", SCHEMA, "seed", (json_int_t)results->seed,
                  "sandbox", sandbox_json(&results->sandbox), "results", results_json(results));
    return report_add_json(text, json, JSON_INDENT(1), reterr);
}

/* ---- reading ---- */

/* A file as it is being read; name is printable. */
struct reading {
    char name[NAME_MAX_SHOWN];
    struct results results;
};

static bool no_report(const struct reading *reading, const char *why, struct error *reterr)
{
    return error_set(reterr, ERR_FILE, "%s: not a report of attn grade: %s", reading->name, why);
}

static bool read_seed(struct reading *reading, const json_t *root, struct error *reterr)
{
    const json_t *seed = json_object_get(root, "seed");
    json_int_t number = json_integer_value(seed);
    if (!json_is_integer(seed) || number < 0 || number >> RESULTS_MAX_SEED_BITS != 0)
        return no_report(reading, "seed must be a whole number from 0 to 2^53 - 1", reterr);
    reading->results.seed = (uint64_t)number;
    return true;
}

static bool read_sandbox(struct reading *reading, const json_t *root, struct error *reterr)
{
    const json_t *array = json_object_get(root, "sandbox");
    if (!json_is_array(array))
        return no_report(reading, "sandbox must be a list of texts", reterr);
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *line = json_string_value(json_array_get(array, i));
        if (line == NULL)
            return no_report(reading, "sandbox must be a list of texts", reterr);
        result_safe_text(&reading->results.sandbox, line, strlen(line), false);
        text_char(&reading->results.sandbox, '\n');
    }
    return report_check(&reading->results.sandbox, reterr);
}

static bool read_result(struct reading *reading, const json_t *json, struct error *reterr)
{
    struct result result;
    struct error why = {.kind = ERR_NONE};
    if (!result_from_json(json, &result, &why) && why.kind == ERR_MEMORY)
        return error_memory(reterr, reading->name);
    if (why.kind != ERR_NONE)
        return error_set(reterr, ERR_FILE, "%s: not a report of attn grade: results[%zu].%s",
                         reading->name, reading->results.n, why.text);
    bool ok = results_insert(&reading->results, reading->results.n, &result, reterr);
    result_release(&result);
    return ok;
}

static bool read_results(struct reading *reading, const json_t *root, struct error *reterr)
{
    const json_t *array = json_object_get(root, "results");
    if (!json_is_array(array))
        return no_report(reading, "results must be a list", reterr);
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!read_result(reading, json_array_get(array, i), reterr))
            return false;
    return true;
}

static bool read_root(struct reading *reading, const json_t *root, struct error *reterr)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (schema == NULL || strcmp(schema, SCHEMA) != 0)
        return no_report(reading, "schema is not \"" SCHEMA "\"", reterr);
    return read_seed(reading, root, reterr) && read_sandbox(reading, root, reterr) &&
           read_results(reading, root, reterr);
}

bool report_read_json(const char *name, const char *bytes, size_t size, struct results *ret,
                      struct error *reterr)
{
    struct reading reading = {.name = ""};
    json_error_t problem;
    error_quote(reading.name, sizeof reading.name, name, strlen(name));
    json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &problem);
    if (root == NULL && json_error_code(&problem) == json_error_out_of_memory)
        return error_memory(reterr, reading.name);
    if (root == NULL)
        return error_set(reterr, ERR_FILE, "%s: not a report of attn grade: line %d: %s",
                         reading.name, problem.line, problem.text);
    bool ok = read_root(&reading, root, reterr);
    json_decref(root);
    if (ok)
        *ret = reading.results;
    else
        results_release(&reading.results);
    return ok;
}
