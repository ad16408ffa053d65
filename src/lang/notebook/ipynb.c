/* See ipynb.h. */
#include "lang/notebook/ipynb.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ---- lines that are not Python ---- */

static bool begins(const char *line, size_t size, const char *prefix)
{
    size_t n = strlen(prefix);
    return size >= n && memcmp(line, prefix, n) == 0 &&
           (size == n || !isalnum((unsigned char)line[n]));
}

/* Magics whose line, or whose whole cell, is Python all the same. */
static bool times_python(const char *line, size_t size, size_t *ret_prefix)
{
    static const char *const names[] = {"%time", "%timeit", "%prun"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (begins(line, size, names[i])) {
            *ret_prefix = strlen(names[i]);
            return true;
        }
    return false;
}
static bool is_python_cell(const char *line, size_t size)
{
    static const char *const names[] = {"%%time", "%%timeit",  "%%capture",
                                        "%%prun", "%%python3", "%%python"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (begins(line, size, names[i]))
            return true;
    return false;
}

/* "%matplotlib inline", "!pip install x", "x?" */
static bool is_magic(const char *line, size_t size)
{
    if (size == 0)
        return false;
    if (line[0] == '!' || line[0] == '?')
        return true;
    if (line[0] == '%')
        return size > 1 && (isalpha((unsigned char)line[1]) || line[1] == '%');
    if (line[size - 1] != '?')
        return false;
    for (size_t i = 0; i < size; i++)
        if (!isalnum((unsigned char)line[i]) && strchr("._?", line[i]) == NULL)
            return false;
    return true;
}

static void skip_line(struct ipynb_cell *cell, size_t row, const char *line, size_t size)
{
    text_format(&cell->skipped, "line %zu: ", row);
    text_add(&cell->skipped, line, size);
    text_char(&cell->skipped, '\n');
}

/* The text without magics; a line that is left out becomes "pass", so that its block stays one. */
static void put_aside(const struct text *raw, struct ipynb_cell *cell)
{
    const char *bytes = text_string(raw);
    bool skips_all = false, in_text = false; /* in a text of several lines */
    for (size_t at = 0, row = 1; at < raw->size; row++) {
        const char *end = memchr(bytes + at, '\n', raw->size - at);
        size_t next = end ? (size_t)(end - bytes) : raw->size, from = at, size, prefix;
        bool was_in_text = in_text;
        while (from < next && (bytes[from] == ' ' || bytes[from] == '\t'))
            from++;
        const char *line = bytes + from;
        size = next - from;
        while (size > 0 && isspace((unsigned char)line[size - 1]))
            size--;
        for (size_t i = 0; i + 3 <= size; i++)
            if (memcmp(line + i, "\"\"\"", 3) == 0 || memcmp(line + i, "'''", 3) == 0) {
                in_text = !in_text;
                i += 2;
            }
        bool is_cell = row == 1 && size > 2 && line[0] == '%' && line[1] == '%';
        if (is_cell && !is_python_cell(line, size))
            skips_all = true;
        text_add(&cell->source, bytes + at, from - at);
        if (skips_all) {
            if (row == 1)
                skip_line(cell, row, line, size);
        } else if (!was_in_text && !is_cell && times_python(line, size, &prefix)) {
            while (prefix < size && (line[prefix] == ' ' || line[prefix] == '\t'))
                prefix++;
            text_add(&cell->source, line + prefix, size - prefix);
            if (prefix == size)
                text_put(&cell->source, "pass");
        } else if (!was_in_text && is_magic(line, size)) {
            skip_line(cell, row, line, size);
            text_put(&cell->source, "pass");
        } else {
            text_add(&cell->source, line, next - from);
        }
        if (end != NULL)
            text_char(&cell->source, '\n');
        at = next + (end != NULL);
    }
}

/* ---- the file ---- */

/* A str, or a list of them. */
static bool add_source(const json_t *source, struct text *out)
{
    if (json_is_string(source)) {
        text_add(out, json_string_value(source), json_string_length(source));
        return true;
    }
    if (!json_is_array(source))
        return false;
    for (size_t i = 0; i < json_array_size(source); i++) {
        const json_t *line = json_array_get(source, i);
        if (!json_is_string(line))
            return false;
        text_add(out, json_string_value(line), json_string_length(line));
    }
    return true;
}

static bool is_code(const json_t *cell)
{
    const char *type = json_string_value(json_object_get(cell, "cell_type"));
    return type != NULL && strcmp(type, "code") == 0;
}

static bool read_cells(const json_t *cells, struct ipynb *ret, struct error *reterr)
{
    size_t n = json_array_size(cells);
    ret->cells = calloc(n + 1, sizeof *ret->cells);
    if (ret->cells == NULL)
        return error_memory(reterr, "the cells of a notebook");
    for (size_t i = 0; i < n; i++) {
        const json_t *cell = json_array_get(cells, i);
        struct text raw = {0};
        if (!is_code(cell))
            continue;
        const json_t *source = json_object_get(cell, "source");
        if (!add_source(source ? source : json_object_get(cell, "input"), &raw)) {
            text_release(&raw);
            return error_set(reterr, ERR_FILE, "code cell %zu has no source", ret->n + 1);
        }
        struct ipynb_cell *to = &ret->cells[ret->n++];
        put_aside(&raw, to);
        bool failed = raw.failed || to->source.failed || to->skipped.failed;
        text_release(&raw);
        if (failed)
            return error_memory(reterr, "the cells of a notebook");
    }
    return true;
}

bool ipynb_read(const char *json, size_t size, struct ipynb *ret, struct error *reterr)
{
    json_error_t json_error;
    *ret = (struct ipynb){0};
    json_t *root = json_loadb(json, size, 0, &json_error);
    if (root == NULL)
        return error_set(reterr, ERR_FILE, "line %d of its JSON: %s", json_error.line,
                         json_error.text);
    const json_t *cells = json_object_get(root, "cells");
    if (cells == NULL) /* format 3 */
        cells = json_object_get(json_array_get(json_object_get(root, "worksheets"), 0), "cells");
    bool ok = json_is_array(cells) ? read_cells(cells, ret, reterr)
                                   : error_set(reterr, ERR_FILE, "it has no list of cells");
    json_decref(root);
    if (!ok)
        ipynb_release(ret);
    return ok;
}

void ipynb_release(struct ipynb *ipynb)
{
    for (size_t i = 0; i < ipynb->n; i++) {
        text_release(&ipynb->cells[i].source);
        text_release(&ipynb->cells[i].skipped);
    }
    free(ipynb->cells);
    *ipynb = (struct ipynb){0};
}
