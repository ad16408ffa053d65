/* Tasks: see task.h. */
#include "exercise/task.h"

#include <string.h>

#include "exercise/show_text.h" /* show_text: the lines of attn_show.h */
#include "commands/command.h"
#include "lang/session/session.h"
#include "lang/syntax/lexer.h"
#include "show/backend.h"
#include "show/doc.h"

/* ---- show header ---- */

void show_header(enum show_use use, struct text *text)
{
    static const char *const before[] = {[SHOW_PRINTS] = "",
                                         [SHOW_TO_RUNNER] = "#define ATTN_SHOW_TO_RUNNER\n",
                                         [SHOW_NOTHING] = "#define ATTN_SHOW_NOTHING\n"};
    text_put(text, before[use]);
    for (size_t i = 0; show_text[i] != NULL; i++)
        text_put(text, show_text[i]);
}

bool show_is_asked(const char *source, size_t size)
{
    const size_t n = sizeof SHOW_HEADER_FILE - 1;
    for (size_t i = 0; i + n <= size; i++)
        if (memcmp(source + i, SHOW_HEADER_FILE, n) == 0)
            return true;
    return false;
}

/* ---- task ---- */

enum { TASK_COLS = 76, TASK_DIGITS = 4 };

static const char fence[] = "```";

enum { FENCE_SIZE = sizeof fence - 1 };

/* The size of the line that text begins with, its newline included. */
static size_t line_size(const char *text)
{
    const char *newline = strchr(text, '\n');
    return newline != NULL ? (size_t)(newline - text) + 1 : strlen(text);
}

static bool is_fence(const char *line)
{
    return strncmp(line, fence, FENCE_SIZE) == 0;
}

static bool opens_session(const char *line)
{
    return strncmp(line, "```attn", 7) == 0 && (line[7] == '\n' || line[7] == '\r');
}

/* The lines of a statement as they are typed. */
static void write_prompts(const char *source, size_t size, struct text *text)
{
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(source + at, '\n', size - at);
        size_t end = newline != NULL ? (size_t)(newline - source) : size;
        text_put(text, at == 0 ? "attn> " : "  ... ");
        text_add(text, source + at, end - at);
        text_char(text, '\n');
        at = end + 1;
    }
}

/* Runs the statements source[0..size) and writes the output that a learner would see. */
static bool write_session(struct session *session, const char *source, size_t size,
                          struct text *text, struct error *reterr)
{
    struct doc out;
    bool ok = true, open;
    doc_init(&out);
    for (size_t at = 0, length = 0; ok && at < size; at += length) {
        length = lexer_line(source + at, size - at, &open);
        write_prompts(source + at, length, text);
        ok = session_run(session, source + at, length, &out, reterr);
        doc_to_plain(&out, text);
        ok = ok && doc_check(&out, reterr);
        doc_clear(&out);
    }
    doc_release(&out);
    return ok;
}

/* A fence and all up to the one that closes it, with that one. */
static size_t block_size(const char *markdown)
{
    size_t at = line_size(markdown);
    while (markdown[at] != '\0' && !is_fence(markdown + at))
        at += line_size(markdown + at);
    return at + (markdown[at] != '\0' ? line_size(markdown + at) : 0);
}

/* A whole block of the language as a block of text. */
static bool write_block(struct session *session, const char *block, size_t size, struct text *text,
                        struct error *reterr)
{
    size_t head = line_size(block), end = head;
    while (end < size && !is_fence(block + end))
        end += line_size(block + end);
    text_put(text, "```console\n");
    bool ok = write_session(session, block + head, end - head, text, reterr);
    text_put(text, "```\n");
    return ok;
}

static unsigned line_number(const char *text, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

static bool write_all(struct session *session, const struct exercise *exercise, struct text *text,
                      struct error *reterr)
{
    const char *task = exercise->task;
    struct error error;
    for (size_t at = 0, size; task[at] != '\0'; at += size) {
        size = is_fence(task + at) ? block_size(task + at) : line_size(task + at);
        if (!opens_session(task + at))
            text_add(text, task + at, size);
        else if (!write_block(session, task + at, size, text, &error))
            return error_set(reterr, error.kind, "%s/task.md, block at line %u: %s",
                             exercise->folder_name, line_number(task, at), error.text);
    }
    return !text->failed || error_memory(reterr, "a task");
}

bool task_write(const struct exercise *exercise, const char *data_dir, struct text *text,
                struct error *reterr)
{
    struct session session;
    struct settings settings = {.digits = TASK_DIGITS, .width_cols = TASK_COLS, .no_files = true};
    session_init(&session, command_find, &settings, data_dir, NULL);
    bool ok = write_all(&session, exercise, text, reterr);
    session_release(&session);
    return ok;
}
