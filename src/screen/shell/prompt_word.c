/* See prompt_word.h. */
#include "shell/prompt_word.h"

#include <string.h>

#include "base/array.h"
#include "course/player/course_command.h"
#include "commands/command.h"
#include "shell/shell_command.h"

static bool is_losing(const char *name)
{
    static const char *const losing[] = {"reset", "undo", "keep", "del", "skip", "quit"};
    for (size_t i = 0; i < COUNT_OF(losing); i++)
        if (strcmp(losing[i], name) == 0)
            return true;
    return false;
}

bool prompt_word(size_t i, struct prompt_word *ret)
{
    size_t n_course = 0, n_commands;
    const struct command *commands = command_table(&n_commands);
    while (course_command_name(n_course) != NULL)
        n_course++;
    if (i < n_course) {
        *ret = (struct prompt_word){.kind = WORD_OF_COURSE, .name = course_command_name(i)};
        (void)course_command_help(i, &ret->usage, &ret->summary);
    } else if (i - n_course < SHELL_COMMANDS) {
        size_t at = i - n_course;
        *ret = (struct prompt_word){
            .kind = at < shell_command_count(false) ? WORD_OF_SHELL : WORD_OF_SCREEN,
            .name = shell_commands[at].name,
            .usage = shell_commands[at].usage,
            .summary = shell_commands[at].summary,
        };
    } else if (i - n_course - SHELL_COMMANDS < n_commands) {
        const struct command *command = &commands[i - n_course - SHELL_COMMANDS];
        *ret = (struct prompt_word){.kind = WORD_OF_LANGUAGE,
                                    .name = command->name,
                                    .usage = command->usage,
                                    .summary = command->summary};
    } else {
        return false;
    }
    /* The usage of a word that needs nothing after it begins with the bare word. */
    ret->stands_alone = strcspn(ret->usage, ",") == strlen(ret->name);
    ret->takes_more = strcmp(ret->usage, ret->name) != 0;
    ret->loses = is_losing(ret->name);
    return true;
}
