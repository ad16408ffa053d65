/* See history.h. */
#include "shell/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* history.h of readline needs it first */

#include <readline/history.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "files/file.h"
#include "lang/syntax/lexer.h"

void history_open(struct history *history, char problem[512])
{
    char *path = history->path;
    using_history();
    stifle_history(HISTORY_LINES);
    history_comment_char = '#'; /* with a time before each, entries may have several rows */
    history_write_timestamps = 1;
    problem[0] = '\0';
    if (!folder_state_path("history", path, sizeof history->path)) {
        path[0] = '\0';
        return;
    }
    int code = folder_make_parents(path, true);
    if (code == 0) { /* append_history() needs a file, for nobody else to read */
        int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        code = file < 0 ? errno : 0;
        file_close(&file);
    }
    if (code == 0)
        code = read_history(path);
    if (code == 0 && history_length == HISTORY_LINES)
        (void)history_truncate_file(path, HISTORY_LINES);
    if (code != 0) {
        snprintf(problem, 512, "%.400s: %s; this session's lines will not be kept", path,
                 strerror(code));
        path[0] = '\0';
    }
}

void history_remember(const struct history *history, const char *line)
{
    char *copy = strdup(line);
    if (copy == NULL)
        return;
    size_t size = strlen(copy);
    while (size > 0 && copy[size - 1] == '\n')
        copy[--size] = '\0';
    bool open, keeps_rows = strchr(copy, '#') != NULL || lexer_line(copy, size, &open) < size ||
                            lexer_may_go_on(copy, size);
    for (size_t i = 0; i < size && !keeps_rows; i++)
        if (copy[i] == '\n')
            copy[i] = ' ';
    /* readline would look for words after the end of a line that ends so. */
    if (size > 0 && copy[size - 1] == '\\')
        copy[size - 1] = ' ';
    size_t n = history_count();
    if (size > 0 && (n == 0 || strcmp(history_at(n - 1), copy) != 0)) {
        add_history(copy);
        if (history->path[0] != '\0')
            append_history(1, history->path);
    }
    free(copy);
}

size_t history_count(void)
{
    return (size_t)history_length;
}

const char *history_at(size_t i)
{
    const HIST_ENTRY *entry = history_get(history_base + (int)i);
    return entry != NULL ? entry->line : "";
}
