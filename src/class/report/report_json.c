/* The json format attn-grade/1, written and read back: see report.h. */
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>

#include "report/report_internal.h"
#include "base/text.h"

/* ---- json reader ---- */

/* Reads a JSON object (RFC 8259) from a file piece by piece: no more of it is held at once than one
 * of its members or, of a member that is a list, one element. */

/* The functions below only find the ends of the pieces. jansson reads the pieces, and refuses text
 * that is not JSON. */

struct json_reader {
    FILE *file; /* borrowed */
    char bytes[1 << 16];
    size_t at, n;      /* of bytes: the next one to read, and their end */
    struct text piece; /* the member or the element that is being read */
    size_t piece_at;   /* and the part of it from here on in bytes is still to be added */
    bool in_piece;
    int line; /* from 1, of the next byte */
    bool has_begun, is_in_list;
    /* If a step is JSON_FAULT: */
    bool no_memory;
    char why[200]; /* else the fault, and its line */
};

enum json_step { JSON_ENDED, JSON_THERE, JSON_FAULT };

/* Goes to the object's next member, whose key is *ret_key, to be freed. After the last one nothing
 * may follow. Its value is to be taken, by one of the next two, before there is another. */
static enum json_step json_reader_member(struct json_reader *reader, char **ret_key);

/* The next element, a new reference. */
static enum json_step json_reader_element(struct json_reader *reader, json_t **ret);

static void json_reader_init(struct json_reader *reader, FILE *file)
{
    *reader = (struct json_reader){.file = file, .line = 1};
}

static void json_reader_release(struct json_reader *reader)
{
    text_release(&reader->piece);
}

/* ---- characters ---- */

static void flush_piece(struct json_reader *reader)
{
    if (reader->in_piece)
        text_add(&reader->piece, reader->bytes + reader->piece_at, reader->at - reader->piece_at);
    reader->piece_at = reader->at;
}

/* The next character, which stays; EOF. */
static int peek(struct json_reader *reader)
{
    if (reader->at == reader->n) {
        flush_piece(reader);
        reader->n = fread(reader->bytes, 1, sizeof reader->bytes, reader->file);
        reader->at = reader->piece_at = 0;
    }
    return reader->n == 0 ? EOF : (unsigned char)reader->bytes[reader->at];
}

static int next(struct json_reader *reader)
{
    int c = peek(reader);
    reader->at += c != EOF;
    reader->line += c == '\n';
    return c;
}

/* The next byte that is not a space, which stays. */
static int peek_word(struct json_reader *reader)
{
    int c = peek(reader);
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        next(reader);
        c = peek(reader);
    }
    return c;
}

/* ---- faults ---- */

static void *fault(struct json_reader *reader, const char *why)
{
    snprintf(reader->why, sizeof reader->why, "line %d: %s", reader->line, why);
    return NULL;
}

static enum json_step unexpected(struct json_reader *reader, int c, const char *wanted)
{
    char why[80];
    if (c == EOF)
        snprintf(why, sizeof why, "the file ends here, and %s must follow", wanted);
    else
        snprintf(why, sizeof why, "%s must be there", wanted);
    fault(reader, why);
    return JSON_FAULT;
}

/* ---- pieces ---- */

/* From behind its first quote to its last one. */
static void skip_string(struct json_reader *reader)
{
    int c;
    while ((c = next(reader)) != '"' && c != EOF)
        if (c == '\\')
            next(reader);
}

/* From behind its first bracket to the one that belongs to it. */
static void skip_nested(struct json_reader *reader)
{
    size_t depth = 1;
    for (int c; depth > 0 && (c = next(reader)) != EOF;) {
        if (c == '"')
            skip_string(reader);
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
    }
}

static void skip_word(struct json_reader *reader)
{
    for (int c = peek(reader); c != EOF && strchr(",:]} \t\n\r", c) == NULL; c = peek(reader))
        next(reader);
}

static void skip_value(struct json_reader *reader)
{
    int c = next(reader);
    if (c == '"')
        skip_string(reader);
    else if (c == '{' || c == '[')
        skip_nested(reader);
    else
        skip_word(reader);
}

/* The next value; NULL is a fault. */
static json_t *take_piece(struct json_reader *reader)
{
    json_error_t problem;
    if (peek_word(reader) == EOF)
        return fault(reader, "the file ends here");
    int line = reader->line;
    text_clear(&reader->piece);
    reader->piece_at = reader->at;
    reader->in_piece = true;
    skip_value(reader);
    flush_piece(reader);
    reader->in_piece = false;
    reader->no_memory = reader->piece.failed;
    if (reader->no_memory)
        return NULL;
    json_t *json = json_loadb(text_string(&reader->piece), reader->piece.size,
                              JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);
    if (json == NULL) {
        reader->no_memory = json_error_code(&problem) == json_error_out_of_memory;
        reader->line = line + problem.line - 1;
        fault(reader, problem.text);
    }
    return json;
}

/* ---- members and elements ---- */

/* Goes past the comma before another one, or past the end. */
static enum json_step go_on(struct json_reader *reader, bool is_first, int end)
{
    int c = peek_word(reader);
    if (c == end) {
        next(reader);
        return JSON_ENDED;
    }
    if (is_first)
        return JSON_THERE;
    return next(reader) == ','
               ? JSON_THERE
               : unexpected(reader, c, end == '}' ? "\",\" or \"}\"" : "\",\" or \"]\"");
}

static enum json_step take_key(struct json_reader *reader, char **ret_key)
{
    int c = peek_word(reader);
    if (c != '"')
        return unexpected(reader, c, "the name of a member");
    json_t *key = take_piece(reader);
    if (key == NULL)
        return JSON_FAULT;
    char *copy = strdup(json_string_value(key));
    json_decref(key);
    reader->no_memory = copy == NULL;
    if (copy == NULL)
        return JSON_FAULT;
    if ((c = peek_word(reader)) != ':') {
        free(copy);
        return unexpected(reader, c, "\":\"");
    }
    next(reader);
    *ret_key = copy;
    return JSON_THERE;
}

enum json_step json_reader_member(struct json_reader *reader, char **ret_key)
{
    bool is_first = !reader->has_begun;
    reader->has_begun = true;
    if (is_first && peek_word(reader) != '{')
        return unexpected(reader, 0, "an object");
    if (is_first)
        next(reader);
    enum json_step step = go_on(reader, is_first, '}');
    if (step == JSON_THERE)
        return take_key(reader, ret_key);
    if (step == JSON_ENDED && peek_word(reader) != EOF)
        return unexpected(reader, 0, "the end of the file");
    return step;
}

/* The member's value, a new reference; NULL is a fault. */
static json_t *json_reader_value(struct json_reader *reader)
{
    return take_piece(reader);
}

/* Is it a list? Then its elements can be taken one by one, to the end. */
static bool json_reader_is_list(struct json_reader *reader)
{
    return peek_word(reader) == '[';
}

/* Is nothing more to be read? */
static bool json_reader_is_at_end(struct json_reader *reader)
{
    return peek_word(reader) == EOF;
}

enum json_step json_reader_element(struct json_reader *reader, json_t **ret)
{
    bool is_first = !reader->is_in_list;
    if (is_first)
        next(reader);
    enum json_step step = go_on(reader, is_first, ']');
    reader->is_in_list = step == JSON_THERE;
    if (step != JSON_THERE)
        return step;
    *ret = take_piece(reader);
    return *ret != NULL ? JSON_THERE : JSON_FAULT;
}

/* ---- report json ---- */

#define SCHEMA "attn-grade/1"

enum { NAME_MAX_SHOWN = 100, PIECE_BYTES = 1 << 16 };

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

/* ---- writing ---- */

/* A report as it is written, a piece at a time. */
struct json_writer {
    report_put *put;
    void *context;
    struct text pending; /* to be put */
    size_t depth; /* of the value that is being written: its lines begin with this many spaces */
    bool has_members, no_memory, is_lost;
};

static int add_lines(const char *bytes, size_t size, void *context)
{
    struct json_writer *writer = context;
    const char *newline;
    while ((newline = memchr(bytes, '\n', size)) != NULL) {
        size_t line = (size_t)(newline - bytes) + 1;
        text_add(&writer->pending, bytes, line);
        for (size_t i = 0; i < writer->depth; i++)
            text_char(&writer->pending, ' ');
        bytes += line;
        size -= line;
    }
    text_add(&writer->pending, bytes, size);
    return 0;
}

static void put_pending(struct json_writer *writer, size_t at_least)
{
    if (writer->pending.failed)
        writer->no_memory = true;
    if (writer->no_memory || writer->is_lost || writer->pending.size < at_least)
        return;
    writer->is_lost =
        !writer->put(writer->context, text_string(&writer->pending), writer->pending.size);
    text_clear(&writer->pending);
}

/* Takes ownership of the reference; NULL: memory was lacking for it. */
static void write_value(struct json_writer *writer, json_t *json, size_t depth)
{
    const size_t flags = JSON_INDENT(1) | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY;
    writer->depth = depth;
    if (json == NULL || json_dump_callback(json, add_lines, writer, flags) != 0)
        writer->no_memory = true;
    json_decref(json);
    put_pending(writer, PIECE_BYTES);
}

static void write_key(struct json_writer *writer, const char *key)
{
    text_format(&writer->pending, "%s\n \"%s\": ", writer->has_members ? "," : "{", key);
    writer->has_members = true;
}

static void write_member(struct json_writer *writer, const char *key, json_t *json)
{
    write_key(writer, key);
    write_value(writer, json, 1);
}

/* Those that count, or their duplicates: who adds up the points of "results" has the right sum. */
static void write_results(struct json_writer *writer, const char *key,
                          const struct results *results, bool counting)
{
    bool is_first = true;
    write_key(writer, key);
    text_char(&writer->pending, '[');
    for (size_t i = 0; i < results->n && !writer->no_memory && !writer->is_lost; i++) {
        if (result_counts(&results->items[i]) != counting)
            continue;
        text_put(&writer->pending, is_first ? "\n  " : ",\n  ");
        is_first = false;
        write_value(writer, result_to_json(&results->items[i]), 2);
    }
    text_put(&writer->pending, is_first ? "]" : "\n ]");
}

/* The class's data; an empty field is left out. */
static void write_class(struct json_writer *writer, const struct results *results)
{
    if (results->title != NULL)
        write_member(writer, "title", json_string(results->title));
    if (results->students.n > 0)
        write_member(writer, "students", students_to_json(&results->students));
    if (results->exercises.n > 0)
        write_member(writer, "exercises", exercise_order_to_json(&results->exercises));
    if (results->similar.n > 0)
        write_member(writer, "similar", likenesses_to_json(&results->similar));
    if (!parts_are_whole(&results->parts))
        write_member(writer, "parts", parts_to_json(&results->parts));
    if (results->is_unfinished)
        write_member(writer, "complete", json_false());
}

static void write_head(struct json_writer *writer, const struct results *results)
{
    write_member(writer, "schema", json_string(SCHEMA));
    write_member(writer, "seed", json_integer((json_int_t)results->seed));
    write_member(writer, "sandbox", sandbox_json(&results->sandbox));
}

bool report_put_json(const struct results *results, report_put *put, void *context,
                     struct error *reterr)
{
    struct json_writer writer = {.put = put, .context = context};
    write_head(&writer, results);
    write_results(&writer, "results", results, true);
    if (report_count(results) < results->n)
        write_results(&writer, "duplicates", results, false);
    write_class(&writer, results);
    text_put(&writer.pending, "\n}\n");
    put_pending(&writer, 0);
    text_release(&writer.pending);
    return writer.no_memory ? error_memory(reterr, "the report") : !writer.is_lost;
}

static bool add_piece(void *context, const char *bytes, size_t size)
{
    text_add(context, bytes, size);
    return true;
}

void report_begin_json(const struct results *results, struct text *text)
{
    struct json_writer writer = {.put = add_piece, .context = text};
    write_head(&writer, results);
    write_key(&writer, "results");
    text_put(&writer.pending, "[\n");
    put_pending(&writer, 0);
    text->failed = text->failed || writer.no_memory;
    text_release(&writer.pending);
}

bool report_write_json(const struct results *results, struct text *text, struct error *reterr)
{
    return report_put_json(results, add_piece, text, reterr) && report_check(text, reterr);
}

/* ---- reading ---- */

/* A file as it is being read; name is printable. */
struct report_reader {
    char name[NAME_MAX_SHOWN];
    struct json_reader json;
    json_t *head; /* all members but the results */
    size_t n;     /* results so far */
    bool has_results, has_duplicates;
    bool may_be_cut, was_cut;
    report_take *take;
    void *context;
    struct results results; /* without items */
};

static bool no_report(const struct report_reader *reader, const char *why, struct error *reterr)
{
    return error_set(reterr, ERR_FILE, "%s: not a report of attn grade: %s", reader->name, why);
}

static bool read_seed(struct report_reader *reader, struct error *reterr)
{
    const json_t *seed = json_object_get(reader->head, "seed");
    json_int_t number = json_integer_value(seed);
    if (!json_is_integer(seed) || number < 0 || number >> RESULTS_MAX_SEED_BITS != 0)
        return no_report(reader, "seed must be a whole number from 0 to 2^53 - 1", reterr);
    reader->results.seed = (uint64_t)number;
    return true;
}

static bool read_sandbox(struct report_reader *reader, struct error *reterr)
{
    const json_t *array = json_object_get(reader->head, "sandbox");
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

static bool no_json(const struct report_reader *reader, struct error *reterr)
{
    return reader->json.no_memory ? error_memory(reterr, reader->name)
                                  : no_report(reader, reader->json.why, reterr);
}

static bool read_result(struct report_reader *reader, const json_t *json, struct error *reterr)
{
    struct result result;
    struct error why = {.kind = ERR_NONE};
    if (!result_from_json(json, &result, &why) && why.kind == ERR_MEMORY)
        return error_memory(reterr, reader->name);
    if (why.kind != ERR_NONE)
        return error_set(reterr, ERR_FILE, "%s: not a report of attn grade: results[%zu].%s",
                         reader->name, reader->n, why.text);
    reader->n++;
    bool ok = reader->take(reader->context, &result, reterr);
    result_release(&result);
    return ok;
}

static bool read_results(struct report_reader *reader, const char *key, bool *is_there,
                         struct error *reterr)
{
    enum json_step step;
    json_t *json;
    if (*is_there || !json_reader_is_list(&reader->json))
        return error_set(reterr, ERR_FILE, "%s: not a report of attn grade: %s must be %s",
                         reader->name, key, *is_there ? "there once" : "a list");
    *is_there = true;
    while ((step = json_reader_element(&reader->json, &json)) == JSON_THERE) {
        bool ok = read_result(reader, json, reterr);
        json_decref(json);
        if (!ok)
            return false;
    }
    reader->was_cut =
        step == JSON_FAULT && reader->may_be_cut && json_reader_is_at_end(&reader->json);
    return step == JSON_ENDED || reader->was_cut || no_json(reader, reterr);
}

static bool read_class(struct report_reader *reader, struct error *reterr)
{
    const json_t *title = json_object_get(reader->head, "title");
    const json_t *students = json_object_get(reader->head, "students");
    const json_t *exercises = json_object_get(reader->head, "exercises");
    const json_t *similar = json_object_get(reader->head, "similar");
    const json_t *parts = json_object_get(reader->head, "parts");
    struct results *results = &reader->results;
    struct error why = {.kind = ERR_NONE};
    results->is_unfinished = json_is_false(json_object_get(reader->head, "complete"));
    if (title != NULL && !json_is_string(title))
        return no_report(reader, "title must be a text", reterr);
    if ((title == NULL || results_entitle(results, json_string_value(title), &why)) &&
        (students == NULL || students_from_json(students, &results->students, &why)) &&
        (exercises == NULL || exercise_order_from_json(exercises, &results->exercises, &why)) &&
        (similar == NULL || likenesses_from_json(similar, &results->similar, &why)) &&
        (parts == NULL || parts_from_json(parts, &results->parts, &why)))
        return true;
    return why.kind == ERR_MEMORY ? error_memory(reterr, reader->name)
                                  : no_report(reader, why.text, reterr);
}

static bool is_of_schema(const struct report_reader *reader, struct error *reterr)
{
    const char *schema = json_string_value(json_object_get(reader->head, "schema"));
    return (schema != NULL && strcmp(schema, SCHEMA) == 0) ||
           no_report(reader, "schema is not \"" SCHEMA "\"", reterr);
}

static bool read_member(struct report_reader *reader, const char *key, struct error *reterr)
{
    if (strcmp(key, "results") == 0)
        return read_results(reader, key, &reader->has_results, reterr);
    if (strcmp(key, "duplicates") == 0)
        return read_results(reader, key, &reader->has_duplicates, reterr);
    json_t *value = json_reader_value(&reader->json);
    if (value == NULL)
        return no_json(reader, reterr);
    bool is_twice = json_object_get(reader->head, key) != NULL;
    if (json_object_set_new(reader->head, key, value) != 0)
        return error_memory(reterr, reader->name);
    if (is_twice)
        return no_report(reader, "a member is there twice", reterr);
    return strcmp(key, "schema") != 0 || is_of_schema(reader, reterr);
}

static bool read_members(struct report_reader *reader, struct error *reterr)
{
    enum json_step step;
    char *key;
    while ((step = json_reader_member(&reader->json, &key)) == JSON_THERE) {
        bool ok = read_member(reader, key, reterr);
        free(key);
        if (!ok || reader->was_cut)
            return ok;
    }
    return step == JSON_ENDED || no_json(reader, reterr);
}

/* A fault in its head is reported first. */
static bool read_head(struct report_reader *reader, struct error *reterr)
{
    return is_of_schema(reader, reterr) && read_seed(reader, reterr) &&
           read_sandbox(reader, reterr) &&
           (reader->has_results || no_report(reader, "results must be a list", reterr)) &&
           read_class(reader, reterr);
}

static bool read_report(const char *name, FILE *file, bool may_be_cut, report_take *take,
                        void *context, struct results *ret, struct error *reterr)
{
    struct report_reader reader = {
        .head = json_object(), .take = take, .context = context, .may_be_cut = may_be_cut};
    error_quote(reader.name, sizeof reader.name, name, strlen(name));
    json_reader_init(&reader.json, file);
    bool ok = (reader.head != NULL || error_memory(reterr, reader.name)) &&
              read_members(&reader, reterr) && read_head(&reader, reterr);
    if (ferror(file))
        ok = error_set(reterr, ERR_FILE, "%s: can't be read: %s", reader.name, strerror(errno));
    json_reader_release(&reader.json);
    json_decref(reader.head);
    if (ok)
        *ret = reader.results;
    else
        results_release(&reader.results);
    return ok;
}

bool report_read_each(const char *name, FILE *file, report_take *take, void *context,
                      struct results *ret, struct error *reterr)
{
    return read_report(name, file, false, take, context, ret, reterr);
}

bool report_read_cut(const char *name, FILE *file, report_take *take, void *context,
                     struct results *ret, struct error *reterr)
{
    return read_report(name, file, true, take, context, ret, reterr);
}

static bool keep_result(void *context, struct result *result, struct error *reterr)
{
    struct results *results = context;
    return results_insert(results, results->n, result, reterr);
}

bool report_read_json(const char *name, FILE *file, struct results *ret, struct error *reterr)
{
    struct results results = {0}, head;
    if (!report_read_each(name, file, keep_result, &results, &head, reterr)) {
        results_release(&results);
        return false;
    }
    head.items = results.items;
    head.n = results.n;
    head.capacity = results.capacity;
    *ret = head;
    return true;
}
