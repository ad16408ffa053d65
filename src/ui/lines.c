/* See lines.h. */
#include "ui/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* readline.h needs it first */

#include <readline/history.h>
#include <readline/readline.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/folder.h"
#include "lang/complete.h"

enum { HISTORY_LINES = 2000, PATH_BYTES = 4096 };

/* readline calls back without an argument: this is what its callbacks look at. */
static struct tutor *completing;
static const char *(*more)(size_t i);
static char history_path[PATH_BYTES]; /* "" when it is not kept */

/* Completion. */

/* The tutor's words, then the others; NULL behind the last. */
static const char *first_word(size_t i)
{
    size_t n = 0;
    while (n < i && tutor_word(n) != NULL)
        n++;
    if (tutor_word(n) != NULL)
        return tutor_word(n);
    return more != NULL ? more(i - n) : NULL;
}

/* The next of them that begins with what the line holds so far, or NULL. */
static const char *next_first_word(size_t *word)
{
    for (const char *name; (name = first_word(*word)) != NULL;) {
        ++*word;
        if (strncmp(name, rl_line_buffer, (size_t)rl_point) == 0)
            return name;
    }
    return NULL;
}

static char *next_completion(const char *word, int again)
{
    static size_t state, word_at; /* readline asks for one completion after the other */
    size_t start;
    const char *text;
    (void)word;
    if (again == 0)
        state = word_at = 0;
    if (rl_point > 0 && (text = next_first_word(&word_at)) != NULL)
        return strdup(text);
    if (!complete(tutor_session(completing), rl_line_buffer, (size_t)rl_point, &state, &start,
                  &text))
        return NULL;
    return strdup(text);
}

/* The files that `load` and `save` speak of are the only ones that are completed. */
static bool names_file(void)
{
    const char *line = rl_line_buffer + strspn(rl_line_buffer, " ");
    return strncmp(line, "load ", 5) == 0 || strncmp(line, "save ", 5) == 0;
}

static char *word_breaks(void)
{
    static char in_files[] = " \t\n\"'"; /* readline's type wants it writable */
    return names_file() ? in_files : NULL;
}

static char **completions(const char *word, int start, int end)
{
    (void)start;
    (void)end;
    rl_completion_append_character = '\0';
    rl_attempted_completion_over = names_file() ? 0 : 1;
    return names_file() ? NULL : rl_completion_matches(word, next_completion);
}

/* The history. */

/* append_history() needs a file, for nobody else to read. */
static int make_history(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return errno;
    close(file);
    return 0;
}

static void open_history(char problem[512])
{
    using_history();
    stifle_history(HISTORY_LINES);
    history_comment_char = '#'; /* with a time before each, entries may have several rows */
    history_write_timestamps = 1;
    problem[0] = '\0';
    if (!folder_state_path("history", history_path, sizeof history_path)) {
        history_path[0] = '\0';
        return;
    }
    int code = folder_make_parents(history_path, true);
    if (code == 0)
        code = make_history(history_path);
    if (code == 0)
        code = read_history(history_path);
    if (code == 0 && history_length == HISTORY_LINES)
        (void)history_truncate_file(history_path, HISTORY_LINES);
    if (code != 0) {
        snprintf(problem, 512, "%.400s: %s; this session's lines will not be kept", history_path,
                 strerror(code));
        history_path[0] = '\0';
    }
}

void lines_remember(const char *line)
{
    char *copy = strdup(line);
    if (copy == NULL)
        return;
    size_t size = strlen(copy);
    while (size > 0 && copy[size - 1] == '\n')
        copy[--size] = '\0';
    bool comment = strchr(copy, '#') != NULL;
    for (size_t i = 0; i < size && !comment; i++)
        if (copy[i] == '\n')
            copy[i] = ' ';
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (size > 0 && (last == NULL || strcmp(last->line, copy) != 0)) {
        add_history(copy);
        if (history_path[0] != '\0')
            append_history(1, history_path);
    }
    free(copy);
}

void lines_open(struct tutor *tutor, const char *(*more_words)(size_t i), char problem[512])
{
    completing = tutor;
    more = more_words;
    rl_readline_name = "attn";
    rl_attempted_completion_function = completions;
    rl_completion_word_break_hook = word_breaks;
    rl_completer_word_break_characters = " \t\n\"'+-*/@=<>&|~()[],:;.%";
    open_history(problem);
}
