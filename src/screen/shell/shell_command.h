/* The words of the prompt besides the course's (course/player/tutor.h) and the language's: commands
 * of the program around them, in lines or in the screen. */
#ifndef ATTN_SHELL_SHELL_COMMAND_H
#define ATTN_SHELL_SHELL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum shell_command {
    SHELL_EXERCISES,
    SHELL_WORKSPACE,
    SHELL_EXERCISE,
    SHELL_CHECK,
    SHELL_EXPLORE, /* from here on: only in the screen */
    SHELL_MODEL,
    SHELL_TRAININGS,
    SHELL_FILM,
    SHELL_HOME,
    SHELL_THEME, /* from here on: sets something; "set theme dark" does it too */
    SHELL_PALETTE,
    SHELL_MOUSE,
    SHELL_COMMANDS
};

enum { SHELL_LINE_BYTES = 4200, SHELL_MAX_WORDS = 2 };

/* A line that is one of them. */
struct shell_line {
    enum shell_command command;
    char copy[SHELL_LINE_BYTES];      /* of the line, cut at blanks */
    char *words[SHELL_MAX_WORDS + 2]; /* the command and its arguments, NULL */
    int n;
    const char
        *rest; /* everything after the command, in the line itself, without quotes around it */
    size_t rest_size;
    const char *whole_rest; /* with the quotes */
    size_t whole_size;
};

/* The number of commands: in lines, or in the screen. */
size_t shell_command_count(bool in_screen);
/* Each command's name, usage and effect. */
extern const struct shell_command_text {
    const char *name, *usage, *summary;
} shell_commands[SHELL_COMMANDS];
/* The number of the command of that name; shell_command_count() for another name, or NULL. */
size_t shell_command_find(const char *name, bool in_screen);

/* Cuts a line at blanks, as far as words has room; if there are more words, ret->n counts one more
 * than there is room for. False if the line is empty or too long. */
bool shell_line_split(const char *line, struct shell_line *ret);
/* True if the line begins with such a command and is not a formula with a variable of its name.
 * With more words than the command takes it is another line, except for explore and model, which
 * take any number. */
bool shell_line_read(const char *line, bool in_screen, struct shell_line *ret);

#endif
