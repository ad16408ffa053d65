/* See yaml.h. */
#include "files/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "base/text.h"

unsigned yaml_line(yaml_value value)
{
    return (unsigned)value->start_mark.line + 1;
}

bool yaml_fault(struct yaml *yaml, unsigned line, const char *format, ...)
{
    char text[360];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(yaml->reterr, ERR_SYNTAX, "%s:%u: %s%s%s", yaml->path,
                     yaml->lines_above + line, yaml->key != NULL ? yaml->key : "",
                     yaml->key != NULL ? ": " : "", text);
}

/* ---- opening ---- */

/* Advice for problems that libyaml's words name. */
static const struct {
    const char *problem, *remedy;
} remedies[] = {
    {"expected ',' or", "close the bracket, and put commas between its items"},
    {"mapping values are not", "indent keys equally, and put a text that holds `: ` in quotes"},
    {"cannot start any token",
     "indent with blanks, and put a text that begins with a sign in quotes"},
    {"unexpected end of stream", "close the quotes"},
    {"expected ':'", "write `key: value`, or indent what belongs to the line above"},
    {"expected key", "indent keys equally, and put quotes around the whole of a text"},
    {"escape character", "write \\\\ for \\, or use single quotes"},
    {"UTF-8", "save the file as UTF-8"},
    {"", "put a text that begins with a sign in quotes"},
};

static const char *remedy_of(const char *problem)
{
    size_t i = 0;
    while (strstr(problem, remedies[i].problem) == NULL) /* the last one fits all */
        i++;
    return remedies[i].remedy;
}

static bool parser_fault(struct yaml *yaml, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return error_memory(yaml->reterr, yaml->path);
    size_t line = parser->error == YAML_READER_ERROR ? 0 : parser->problem_mark.line;
    const char *problem = parser->problem != NULL ? parser->problem : "it can't be read";
    return yaml_fault(yaml, (unsigned)line + 1, "this is not YAML: %s; %s", problem,
                      remedy_of(problem));
}

/* True when nothing follows the document. */
static bool is_last(struct yaml *yaml, yaml_parser_t *parser)
{
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next))
        return parser_fault(yaml, parser);
    yaml_value root = yaml_document_get_root_node(&next);
    bool ok = root == NULL || yaml_fault(yaml, yaml_line(root),
                                         "a second document begins here; "
                                         "a file holds one");
    yaml_document_delete(&next);
    return ok;
}

static bool find_root(struct yaml *yaml, yaml_value *ret)
{
    yaml_value root = yaml_document_get_root_node(&yaml->document);
    if (root == NULL || root->type != YAML_MAPPING_NODE)
        return yaml_fault(yaml, root != NULL ? yaml_line(root) : 1,
                          "lines of the form `key: value` are expected");
    *ret = root;
    return true;
}

/* libyaml looks at all open brackets for each thing that it reads: 100,000 of them take half a
 * minute. Brackets in texts are counted too, and make no difference: they are closed, or few. */
static bool is_bounded(struct yaml *yaml, const char *text, size_t size)
{
    enum { MOST_OPEN = 1000 };
    size_t n_open = 0;
    unsigned line = 1;
    for (size_t i = 0; i < size; i++) {
        line += text[i] == '\n';
        if (text[i] == '[' || text[i] == '{')
            n_open++;
        else if ((text[i] == ']' || text[i] == '}') && n_open > 0)
            n_open--;
        if (n_open > MOST_OPEN)
            return yaml_fault(yaml, line, "more than %d brackets are open; close them", MOST_OPEN);
    }
    return true;
}

bool yaml_open_part(struct yaml *yaml, const char *path, unsigned lines_above, const char *text,
                    size_t size, struct arena *arena, yaml_value *ret_root, struct error *reterr)
{
    yaml_parser_t parser;
    *yaml =
        (struct yaml){.path = path, .arena = arena, .reterr = reterr, .lines_above = lines_above};
    if (!is_bounded(yaml, text, size))
        return false;
    if (!yaml_parser_initialize(&parser))
        return error_memory(reterr, path);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool ok = yaml_parser_load(&parser, &yaml->document) || parser_fault(yaml, &parser);
    if (ok) {
        ok = find_root(yaml, ret_root) && is_last(yaml, &parser);
        if (!ok)
            yaml_document_delete(&yaml->document);
    }
    yaml_parser_delete(&parser);
    return ok;
}

bool yaml_open(struct yaml *yaml, const char *path, const char *text, size_t size,
               struct arena *arena, yaml_value *ret_root, struct error *reterr)
{
    return yaml_open_part(yaml, path, 0, text, size, arena, ret_root, reterr);
}

void yaml_close(struct yaml *yaml)
{
    yaml_document_delete(&yaml->document);
}

/* ---- single values ---- */

static const char *kind_of(yaml_value value)
{
    switch (value->type) {
    case YAML_SEQUENCE_NODE:
        return "a list";
    case YAML_MAPPING_NODE:
        return "a mapping";
    default:
        return "a single value";
    }
}

/* The text of a single value as a C string; NULL after a fault. */
static const char *scalar(struct yaml *yaml, yaml_value value, const char *wanted)
{
    if (value->type != YAML_SCALAR_NODE) {
        yaml_fault(yaml, yaml_line(value), "%s is expected, not %s", wanted, kind_of(value));
        return NULL;
    }
    const char *text = (const char *)value->data.scalar.value;
    if (strlen(text) != value->data.scalar.length) {
        yaml_fault(yaml, yaml_line(value), "there is a zero byte in it");
        return NULL;
    }
    return text;
}

static bool wrong_scalar(struct yaml *yaml, yaml_value value, const char *text, const char *wanted)
{
    char shown[60];
    error_quote(shown, sizeof shown, text, strlen(text));
    return yaml_fault(yaml, yaml_line(value), "%s is expected, not '%s'", wanted, shown);
}

bool yaml_read_text(struct yaml *yaml, yaml_value value, void *ret)
{
    const char *text = scalar(yaml, value, "a text");
    if (text == NULL)
        return false;
    size_t size = strlen(text);
    while (size > 0 && strchr(" \t\r\n", text[size - 1]) != NULL)
        size--;
    if (size == 0)
        return yaml_fault(yaml, yaml_line(value), "a text is expected; it is empty");
    char *copy = arena_copy(yaml->arena, text, size);
    if (copy == NULL)
        return error_memory(yaml->reterr, yaml->path);
    *(char **)ret = copy;
    return true;
}

bool yaml_read_whole(struct yaml *yaml, yaml_value value, void *ret)
{
    static const char wanted[] = "a whole number up to 1000000";
    const char *text = scalar(yaml, value, wanted);
    if (text == NULL)
        return false;
    size_t digits = strspn(text, "0123456789");
    unsigned long number = strtoul(text, NULL, 10);
    if (digits == 0 || text[digits] != '\0' || number > 1000000)
        return wrong_scalar(yaml, value, text, wanted);
    *(unsigned *)ret = (unsigned)number;
    return true;
}

bool yaml_read_number(struct yaml *yaml, yaml_value value, void *ret)
{
    static const char wanted[] = "a number, 0 or more,";
    const char *text = scalar(yaml, value, wanted);
    if (text == NULL)
        return false;
    double number;
    if (!text_decimal(text, &number) || number < 0)
        return wrong_scalar(yaml, value, text, wanted);
    *(double *)ret = number;
    return true;
}

bool yaml_read_flag(struct yaml *yaml, yaml_value value, void *ret)
{
    const char *text = scalar(yaml, value, "true or false");
    if (text == NULL)
        return false;
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return wrong_scalar(yaml, value, text, "true or false");
    *(bool *)ret = text[0] == 't';
    return true;
}

/* ---- mappings ---- */

static yaml_value node_at(struct yaml *yaml, int index)
{
    return yaml_document_get_node(&yaml->document, index);
}

/* A fault when a key is not a text, or appears twice. */
static bool check_keys(struct yaml *yaml, yaml_value map)
{
    yaml_node_pair_t *begin = map->data.mapping.pairs.start, *end = map->data.mapping.pairs.top;
    for (yaml_node_pair_t *pair = begin; pair < end; pair++) {
        yaml_value key = node_at(yaml, pair->key);
        const char *text = scalar(yaml, key, "a key");
        if (text == NULL)
            return false;
        for (yaml_node_pair_t *earlier = begin; earlier < pair; earlier++) {
            yaml_value other = node_at(yaml, earlier->key);
            if (strcmp((const char *)other->data.scalar.value, text) == 0)
                return yaml_fault(yaml, yaml_line(key), "%s appears here twice, first in line %u",
                                  text, yaml->lines_above + yaml_line(other));
        }
    }
    return true;
}

bool yaml_read_pairs(struct yaml *yaml, yaml_value map,
                     bool (*each)(struct yaml *yaml, yaml_value key, yaml_value value,
                                  void *context),
                     void *context)
{
    if (map->type != YAML_MAPPING_NODE)
        return yaml_fault(yaml, yaml_line(map), "a mapping {name: value, ...} is expected, not %s",
                          kind_of(map));
    if (!check_keys(yaml, map))
        return false;
    yaml_node_pair_t *end = map->data.mapping.pairs.top;
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < end; pair++)
        if (!each(yaml, node_at(yaml, pair->key), node_at(yaml, pair->value), context))
            return false;
    return true;
}

struct field_table {
    const char *what;
    const struct yaml_field *fields;
    size_t n_fields;
    unsigned long seen; /* a bit for each field */
    bool flow;          /* the mapping is written { } */
};

/* A comma in a value inside { } ends the value, and the rest looks like a key: the slip that is
 * made most, since expressions are full of commas. */
static bool unknown_key(struct yaml *yaml, yaml_value key, yaml_value value,
                        const struct field_table *table)
{
    char shown[60];
    struct suggestion suggestion;
    const char *text = (const char *)key->data.scalar.value;
    error_quote(shown, sizeof shown, text, strlen(text));
    if (table->flow && value->type == YAML_SCALAR_NODE && value->data.scalar.length == 0)
        return yaml_fault(
            yaml, yaml_line(key),
            "'%s' is not a key of %s; in { } a comma ends a value, so put a value with "
            "a comma in quotes",
            shown, table->what);
    suggestion_init(&suggestion, text, strlen(text));
    for (size_t i = 0; i < table->n_fields; i++)
        suggestion_try(&suggestion, table->fields[i].key);
    if (suggestion.best[0] != '\0')
        return yaml_fault(yaml, yaml_line(key), "%s has no key '%s'; %s is spelt most like it",
                          table->what, shown, suggestion.best);
    return yaml_fault(yaml, yaml_line(key), "%s has no key '%s'", table->what, shown);
}

static bool read_field(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct field_table *table = context;
    for (size_t i = 0; i < table->n_fields; i++) {
        const struct yaml_field *field = &table->fields[i];
        if (strcmp(field->key, (const char *)key->data.scalar.value) != 0)
            continue;
        const char *outer = yaml->key;
        table->seen |= 1UL << i;
        yaml->key = field->key;
        bool ok = field->read(yaml, value, field->ret);
        yaml->key = outer;
        return ok;
    }
    return unknown_key(yaml, key, value, table);
}

bool yaml_read_fields(struct yaml *yaml, yaml_value map, const char *what,
                      const struct yaml_field *fields, size_t n_fields)
{
    struct field_table table = {.what = what, .fields = fields, .n_fields = n_fields};
    table.flow =
        map->type == YAML_MAPPING_NODE && map->data.mapping.style == YAML_FLOW_MAPPING_STYLE;
    if (!yaml_read_pairs(yaml, map, read_field, &table))
        return false;
    for (size_t i = 0; i < n_fields; i++)
        if (fields[i].needed && !(table.seen & 1UL << i))
            return yaml_fault(yaml, yaml_line(map), "%s needs the key %s", what, fields[i].key);
    return true;
}

size_t yaml_count(yaml_value value)
{
    if (value->type == YAML_SEQUENCE_NODE)
        return (size_t)(value->data.sequence.items.top - value->data.sequence.items.start);
    if (value->type == YAML_MAPPING_NODE)
        return (size_t)(value->data.mapping.pairs.top - value->data.mapping.pairs.start);
    return 0;
}

/* ---- lists ---- */

bool yaml_read_list(struct yaml *yaml, yaml_value list, yaml_reader *read, size_t item_size,
                    void **ret_items, unsigned *ret_n)
{
    if (list->type != YAML_SEQUENCE_NODE)
        return yaml_fault(yaml, yaml_line(list), "a list is expected, not %s", kind_of(list));
    size_t n = yaml_count(list);
    if (n == 0)
        return yaml_fault(yaml, yaml_line(list), "the list is empty; leave the key out");
    unsigned char *items = arena_take(yaml->arena, n * item_size);
    if (items == NULL)
        return error_memory(yaml->reterr, yaml->path);
    for (size_t i = 0; i < n; i++)
        if (!read(yaml, node_at(yaml, list->data.sequence.items.start[i]), items + i * item_size))
            return false;
    *ret_items = items;
    *ret_n = (unsigned)n;
    return true;
}
