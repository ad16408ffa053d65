/* See aside.h. */
#include "cli/aside.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"

enum { LINE_BYTES = 4200, MAX_ARGUMENTS = 2 };

static const struct aside {
    const char *word, *usage, *summary;
    int (*run)(int argc, char **argv);
} asides[] = {
    {"exercises", "exercises", "Lists the exercises in C, with what is solved.", exercises_main},
    {"workspace", "workspace, workspace DIR",
     "Makes a folder with the exercises' starters, for your editor.", start_main},
    {"exercise", "exercise, exercise ID", "What an exercise asks for.", task_main},
    {"check", "check, check FILE, check ID",
     "Grades one exercise: the one you saved last, where none is named.", check_main},
};
enum { N_ASIDES = sizeof asides / sizeof asides[0] };

const char *aside_word(size_t i)
{
    return i < N_ASIDES ? asides[i].word : NULL;
}

static const struct aside *find(const char *word)
{
    for (size_t i = 0; i < N_ASIDES; i++)
        if (word != NULL && strcmp(word, asides[i].word) == 0)
            return &asides[i];
    return NULL;
}

/* Cuts the line at blanks. False when there are too many words, or it is too long. */
static bool split(const char *line, char copy[LINE_BYTES], char *words[MAX_ARGUMENTS + 2],
                  int *ret_n)
{
    int n = 0;
    char *rest = NULL;
    if (snprintf(copy, LINE_BYTES, "%s", line) >= LINE_BYTES)
        return false;
    for (char *word = strtok_r(copy, " \t\r\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (n > MAX_ARGUMENTS)
            return false;
        words[n++] = word;
    }
    words[n] = NULL;
    *ret_n = n;
    return n > 0;
}

/* In a process of its own: a command ends its program where it is used wrongly. */
static void run_apart(const struct aside *aside, int argc, char **argv)
{
    (void)fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        int code = aside->run(argc, argv);
        (void)fflush(stdout);
        _exit(code);
    }
    if (process < 0) {
        perror("attn: no process");
        return;
    }
    pid_t ended;
    do
        ended = waitpid(process, NULL, 0);
    while (ended < 0);
}

/* A word with an operator behind it is a name in a formula. */
static bool is_formula(char *const *words, int n)
{
    return n > 1 && words[1][0] != '\0' && strchr("=+-*/@<>[(.", words[1][0]) != NULL &&
           words[1][1] == '\0';
}

bool aside_run(const char *line)
{
    char copy[LINE_BYTES], *words[MAX_ARGUMENTS + 2];
    int n;
    if (!split(line, copy, words, &n))
        return false;
    const struct aside *aside = find(words[0]);
    if (aside == NULL || n > MAX_ARGUMENTS || is_formula(words, n))
        return false;
    run_apart(aside, n, words);
    return true;
}

bool aside_help(const char *line, size_t width_cols, struct doc *out)
{
    char copy[LINE_BYTES], *words[MAX_ARGUMENTS + 2];
    int n;
    if (!split(line, copy, words, &n) || strcmp(words[0], "help") != 0 || n > 2)
        return false;
    const struct aside *aside = find(words[1]);
    if (aside != NULL) {
        doc_line(out, STYLE_TITLE, "%s", aside->usage);
        doc_wrap(out, STYLE_PLAIN, aside->summary, width_cols, 2);
        return true;
    }
    return false;
}

void aside_list(const char *line, struct doc *out)
{
    char copy[LINE_BYTES], *words[MAX_ARGUMENTS + 2];
    int n;
    if (!split(line, copy, words, &n) || strcmp(words[0], "help") != 0 || n > 1)
        return;
    doc_line(out, STYLE_TITLE, "exercises in C");
    doc_add(out, STYLE_NAME, "  ");
    for (size_t i = 0; i < N_ASIDES; i++)
        doc_add(out, STYLE_NAME, "%s%s", i > 0 ? " " : "", asides[i].word);
    doc_end_line(out);
}
