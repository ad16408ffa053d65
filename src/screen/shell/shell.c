/* See shell.h. */
#include "shell/shell.h"

#include <string.h>

#include "course/player/course_command.h"
#include "lang/builtins/builtin.h"
#include "shell/shell_help.h"
#include "show/doc.h"

/* Help on one of the shell commands; false when the line asks for something else, or for a function
 * of that name too, of which the language tells. */
static bool help_on_command(const struct shell *shell, const struct shell_line *asked,
                            struct doc *out)
{
    size_t i = shell_command_find(asked->n == 2 ? asked->words[1] : NULL, shell->in_screen);
    if (i == shell_command_count(shell->in_screen))
        return false;
    doc_line(out, STYLE_TITLE, "%s", shell_commands[i].usage);
    doc_wrap(out, STYLE_PLAIN, shell_commands[i].summary,
             tutor_session(shell->tutor)->settings.width_cols, 2);
    bool is_function = builtin_find(asked->words[1], strlen(asked->words[1])) != NULL;
    if (is_function)
        doc_end_line(out);
    return !is_function;
}

static void list_commands(const char *heading, size_t begin, size_t end, size_t width_cols,
                          struct doc *out)
{
    doc_line(out, STYLE_TITLE, "%s", heading);
    struct text names = {0};
    for (size_t i = begin; i < end; i++)
        text_format(&names, "%s%s", i > begin ? " " : "", shell_commands[i].name);
    doc_wrap(out, STYLE_NAME, text_string(&names), width_cols, 2);
    out->failed = out->failed || names.failed;
    text_release(&names);
}

static bool compute(const struct shell *shell, const char *line, size_t size, struct doc *out,
                    struct error *reterr)
{
    bool is_empty = line[strspn(line, " \t\r\n")] == '\0';
    if (shell->around_computing != NULL)
        shell->around_computing(shell->context, true);
    struct steps *steps = &tutor_session(shell->tutor)->steps;
    bool goes_on = is_empty && shell->empty_line_goes_on;
    if (!is_empty)
        steps_release(steps);
    steps->waits = shell->empty_line_goes_on && !shell->in_screen;
    bool ok = goes_on && steps_show(steps, out) ? doc_check(out, reterr)
              : goes_on                         ? tutor_empty_line(shell->tutor, out, reterr)
                                                : tutor_line(shell->tutor, line, size, out, reterr);
    if (shell->around_computing != NULL)
        shell->around_computing(shell->context, false);
    return ok;
}

/* A bare word of the screen that the learner has given a value shows that value. */
static bool is_variable(const struct shell *shell, const struct shell_line *line)
{
    const char *name = line->words[0];
    return line->n == 1 && line->command >= SHELL_EXPLORE &&
           names_get(&tutor_session(shell->tutor)->names, name, strlen(name)) != NULL;
}

enum shell_result shell_run_line(const struct shell *shell, const char *line, size_t size,
                                 struct doc *out, struct error *reterr)
{
    struct shell_line read;
    if (shell_line_read(line, shell->in_screen, &read) && !is_variable(shell, &read)) {
        shell->run_command(shell->context, &read);
        return SHELL_RAN_COMMAND;
    }
    bool asks_help = shell_line_split(line, &read) && strcmp(read.words[0], "help") == 0;
    if (asks_help && help_on_command(shell, &read, out))
        return SHELL_GAVE_OUTPUT;
    bool is_answered = false;
    /* In lines, a text that a question waits for may be a question itself. */
    bool is_for_help = asks_help || shell->in_screen || !tutor_awaits_text(shell->tutor);
    if (is_for_help &&
        !shell_help_answer(tutor_session(shell->tutor), line, out, &is_answered, reterr))
        return SHELL_FAILED;
    if (is_answered)
        return SHELL_GAVE_OUTPUT;
    if (!compute(shell, line, size, out, reterr))
        return SHELL_FAILED;
    if (asks_help && read.n == 1) {
        size_t n_everywhere = shell_command_count(false);
        size_t width_cols = tutor_session(shell->tutor)->settings.width_cols;
        list_commands("exercises in C", 0, n_everywhere, width_cols, out);
        if (shell->in_screen)
            list_commands("the screen", n_everywhere, SHELL_COMMANDS, width_cols, out);
    }
    return SHELL_GAVE_OUTPUT;
}
