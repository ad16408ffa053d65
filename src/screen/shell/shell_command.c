/* See shell_command.h. */
#include "shell/shell_command.h"

#include <stdio.h>
#include <string.h>

#include "course/player/course_command.h"

const struct shell_command_text shell_commands[SHELL_COMMANDS] = {
    [SHELL_EXERCISES] = {"exercises", "exercises",
                         "Lists the exercises in C, with those you solved."},
    [SHELL_WORKSPACE] = {"workspace", "workspace, workspace DIR",
                         "Makes a folder with the exercises' starters, for your editor."},
    [SHELL_EXERCISE] = {"exercise", "exercise, exercise ID", "What an exercise asks for."},
    [SHELL_CHECK] = {"check", "check, check FILE, check ID",
                     "Grades one exercise: the one you saved last, where none is named."},
    [SHELL_EXPLORE] =
        {"explore", "explore, explore SENTENCE, explore NAME",
         "Opens the explorer, on a sentence or on a tensor of yours. A sentence takes "
         "options: explore \"my cat saw your dog\" heads=4 mask=causal at=weights; "
         "also mask=none, mask=padding, scale=off, temperature=2."},
    [SHELL_MODEL] = {"model", "model, model TEXT",
                     "Opens the heads of the model that comes with attn, as they were left, or on "
                     "a text: what each looks at, and the next word beside them. model() with its "
                     "parentheses is that model as a value."},
    [SHELL_TRAININGS] = {"trainings", "trainings, trainings TASK",
                         "Watch a small model learn: lists the tasks that train in seconds, or "
                         "trains one, such as trainings induction. To train a model of your own: "
                         "train."},
    [SHELL_FILM] = {"film", "film",
                    "Plays a training that took minutes: a model knows all examples by heart, and "
                    "finds the rule behind them long after."},
    [SHELL_HOME] = {"home", "home", "Goes to the list of everything in attn."},
    [SHELL_THEME] = {"theme", "theme auto, theme dark, theme light, theme contrast",
                     "The colours of the screen, by themselves (auto) light or dark as the "
                     "terminal's background; they stay for the next time."},
    [SHELL_PALETTE] = {"palette", "palette viridis, palette cividis, palette grey",
                       "The colours of heatmaps; they stay for the next time."},
    [SHELL_MOUSE] = {"mouse", "mouse on, mouse off",
                     "Whether clicks and the wheel go to attn, which stays for the next time; F9 "
                     "does it too. Off, the terminal selects text with the mouse; on, it does so "
                     "while Shift (on macOS Option) is held."},
};

static const char blanks[] = " \t\r\n";

size_t shell_command_count(bool in_screen)
{
    return in_screen ? SHELL_COMMANDS : SHELL_EXPLORE;
}

size_t shell_command_find(const char *name, bool in_screen)
{
    size_t i = 0, n = shell_command_count(in_screen);
    while (i < n && (name == NULL || strcmp(name, shell_commands[i].name) != 0))
        i++;
    return i;
}

bool shell_line_split(const char *line, struct shell_line *ret)
{
    char *rest = NULL;
    ret->n = 0;
    if (snprintf(ret->copy, sizeof ret->copy, "%s", line) >= (int)sizeof ret->copy)
        return false;
    char *word = strtok_r(ret->copy, blanks, &rest);
    for (; word != NULL && ret->n <= SHELL_MAX_WORDS; word = strtok_r(NULL, blanks, &rest))
        ret->words[ret->n++] = word;
    ret->words[ret->n] = NULL;
    ret->n += word != NULL; /* there are more */
    return ret->n > 0;
}

bool shell_line_read(const char *line, bool in_screen, struct shell_line *ret)
{
    if (!shell_line_split(line, ret))
        return false;
    const char *rest = line + strspn(line, blanks);
    size_t i = shell_command_find(ret->words[0], in_screen);
    size_t set = ret->n > 1 ? shell_command_find(ret->words[1], in_screen) : 0;
    if (strcmp(ret->words[0], "set") == 0 && set >= SHELL_THEME && set < SHELL_COMMANDS) {
        memmove(ret->words, ret->words + 1, sizeof ret->words - sizeof *ret->words);
        ret->n--;
        i = set;
        rest += strcspn(rest, blanks);
        rest += strspn(rest, blanks);
    }
    ret->command = (enum shell_command)i;
    rest += strcspn(rest, blanks);
    rest += strspn(rest, blanks);
    size_t size = strlen(rest);
    while (size > 0 && strchr(blanks, rest[size - 1]) != NULL)
        size--;
    ret->whole_rest = rest;
    ret->whole_size = size;
    bool quoted = size >= 2 && (rest[0] == '"' || rest[0] == '\'') && rest[size - 1] == rest[0];
    ret->rest = rest + quoted;
    ret->rest_size = size - 2 * (size_t)quoted;
    /* A word with an operator after it is a name in a formula. */
    bool is_formula =
        ret->rest[0] == '=' || course_command_in_formula(ret->rest, strlen(ret->rest));
    return i < shell_command_count(in_screen) && !is_formula &&
           (ret->n <= SHELL_MAX_WORDS || i == SHELL_EXPLORE || i == SHELL_MODEL);
}
