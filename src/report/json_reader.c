/* JSON piece by piece: see json_reader.h. Here only the ends of the pieces are found; what they
 * hold jansson reads, and refuses where it is no JSON. */
#include "report/json_reader.h"

#include <stdlib.h>
#include <string.h>

void json_reader_init(struct json_reader *reader, FILE *file)
{
    *reader = (struct json_reader){.file = file, .line = 1};
}

void json_reader_release(struct json_reader *reader)
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

/* The next that is no space, which stays. */
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

/* What comes next, as one value; NULL is a fault. */
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

/* Goes behind the comma before another one, or behind the end. */
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

json_t *json_reader_value(struct json_reader *reader)
{
    return take_piece(reader);
}

bool json_reader_is_list(struct json_reader *reader)
{
    return peek_word(reader) == '[';
}

bool json_reader_is_at_end(struct json_reader *reader)
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
