/* JSON files: see json.h. */
#include "files/json.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "files/file.h"

/* The source that jansson reads, and how much of it has been read. */
struct json_source {
    int fd;
    size_t at, end; /* of the file */
    size_t n_values, max_values;
    bool in_text, after_backslash;
    int problem; /* an errno */
};

/* Counts the signs between values; only these make jansson allocate more than the text's own
 * size. */
static void count_values(struct json_source *source, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = bytes[i];
        if (source->after_backslash)
            source->after_backslash = false;
        else if (c == '"')
            source->in_text = !source->in_text;
        else if (source->in_text)
            source->after_backslash = c == '\\';
        else
            source->n_values += c == ',' || c == ':' || c == '{' || c == '[';
    }
}

static size_t next_bytes(void *buffer, size_t capacity, void *data)
{
    struct json_source *source = data;
    size_t wanted = size_min(capacity, source->end - source->at);
    size_t n = file_read_at(source->fd, source->at, buffer, wanted);
    source->problem = n < wanted ? errno : 0;
    source->at += n;
    count_values(source, buffer, n);
    return source->problem != 0 || source->n_values > source->max_values ? (size_t)-1 : n;
}

static bool is_no_json(const struct json_source *source, const char *name,
                       const json_error_t *problem, struct error *reterr)
{
    char why[JSON_ERROR_TEXT_LENGTH];
    if (source->problem != 0)
        return error_set(reterr, ERR_FILE, "%s: can't be read: %s", name,
                         strerror(source->problem));
    if (source->n_values > source->max_values)
        return error_set(reterr, ERR_LIMIT,
                         "%s: it has more than %zu values, more than any file of its kind needs",
                         name, source->max_values);
    if (json_error_code(problem) == json_error_out_of_memory)
        return error_memory(reterr, name);
    return error_set(reterr, ERR_FILE, "%s: line %d is not JSON: %s", name, problem->line,
                     error_quote(why, sizeof why, problem->text, strlen(problem->text)));
}

bool json_read_part(int fd, const char *name, size_t begin, size_t size, size_t max_values,
                    json_t **ret, size_t *ret_used, struct error *reterr)
{
    struct json_source source = {
        .fd = fd, .at = begin, .end = begin + size, .max_values = max_values};
    json_error_t problem;
    json_t *root = json_load_callback(next_bytes, &source,
                                      JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &problem);
    if (root == NULL)
        return is_no_json(&source, name, &problem, reterr);
    *ret = root;
    *ret_used = (size_t)problem.position;
    return true;
}

/* Nothing but blanks follows. */
static bool ends_there(int fd, const char *name, size_t at, struct error *reterr)
{
    char bytes[1024];
    for (size_t n; (n = file_read_at(fd, at, bytes, sizeof bytes)) > 0; at += n)
        for (size_t i = 0; i < n; i++)
            if (strchr(" \t\r\n", bytes[i]) == NULL || bytes[i] == '\0')
                return error_set(reterr, ERR_FILE,
                                 "%s: something follows its closing brace, at byte %zu; remove it",
                                 name, at + i);
    return true;
}

static bool read_object(int fd, const char *name, size_t size, json_t **ret, struct error *reterr)
{
    json_t *root;
    size_t used;
    if (!json_read_part(fd, name, 0, size, size, &root, &used, reterr))
        return false;
    bool ok = json_is_object(root) ||
              error_set(reterr, ERR_FILE, "%s: it must be a JSON object, {...}", name);
    ok = ok && ends_there(fd, name, used, reterr);
    if (ok)
        *ret = root;
    else
        json_decref(root);
    return ok;
}

bool json_read_file(const char *path, size_t max_bytes, json_t **ret, struct error *reterr)
{
    char name[JSON_NAME_SHOWN];
    int fd;
    size_t size;
    error_quote(name, sizeof name, path, strlen(path));
    if (!file_open_regular(path, name, &fd, &size, reterr))
        return false;
    bool ok = size <= max_bytes
                  ? read_object(fd, name, size, ret, reterr)
                  : error_set(reterr, ERR_LIMIT, "%s: it has %zu bytes, and attn reads at most %zu",
                              name, size, max_bytes);
    close(fd);
    return ok;
}
