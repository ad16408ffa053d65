/* Results as they come: see partial.h. */
#include "report/partial.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"
#include "report/report_internal.h"

/* ---- writing ---- */

static bool add_path(const char *path, struct text *text)
{
    text_format(text, "%s.partial", path);
    return !text->failed;
}

static void put(struct partial *partial, const struct text *text)
{
    if (partial->fd >= 0 &&
        (text->failed || !file_write_all(partial->fd, text_string(text), text->size)))
        file_close(&partial->fd); /* after a gap nothing may follow */
}

static void put_head(struct partial *partial, const struct results *head)
{
    struct text text = {0};
    report_begin_json(head, &text);
    put(partial, &text);
    text_release(&text);
}

void partial_begin(const char *path, const struct results *head, struct partial *ret)
{
    *ret = (struct partial){.fd = -1};
    if (!add_path(path, &ret->path))
        return;
    unlink(text_string(&ret->path));
    ret->fd = open(text_string(&ret->path),
                   O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    put_head(ret, head);
}

void partial_add(struct partial *partial, const struct result *result)
{
    struct text text = {0};
    if (partial->fd < 0)
        return;
    json_t *json = result_to_json(result);
    char *words = json_dumps(json, JSON_REAL_PRECISION(15));
    /* The next one's comma and brace show that this one is whole. */
    if (words != NULL)
        text_format(&text, "%s,\n", words);
    text.failed = text.failed || words == NULL;
    put(partial, &text);
    free(words);
    json_decref(json);
    text_release(&text);
}

void partial_clear(struct partial *partial, const struct results *head)
{
    if (partial->fd < 0)
        return;
    if (ftruncate(partial->fd, 0) != 0)
        file_close(&partial->fd);
    put_head(partial, head);
}

void partial_end(struct partial *partial)
{
    if (partial->path.size > 0)
        unlink(text_string(&partial->path));
    partial_close(partial);
}

void partial_close(struct partial *partial)
{
    file_close(&partial->fd);
    text_release(&partial->path);
}

/* ---- reading ---- */

/* A pipe in its place would be waited for. */
static FILE *open_partial(const struct text *name)
{
    struct stat info;
    int fd = open(text_string(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    bool is_file = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    FILE *file = is_file ? fdopen(fd, "rb") : NULL;
    if (fd >= 0 && file == NULL)
        close(fd);
    return file;
}

bool partial_read(const char *path, report_take *take, void *context, bool *ret_found,
                  struct results *ret, struct error *reterr)
{
    struct text name = {0};
    struct error why = {.kind = ERR_NONE};
    *ret_found = false;
    if (!add_path(path, &name))
        return error_memory(reterr, "the report");
    FILE *file = open_partial(&name);
    if (file != NULL) {
        *ret_found = report_read_cut(text_string(&name), file, take, context, ret, &why);
        fclose(file);
    }
    text_release(&name);
    return why.kind != ERR_MEMORY || error_memory(reterr, path);
}
