/* What a line at the prompt does, in the line REPL and in the screen: a shell command, help, or
 * what the tutor makes of it. */
#ifndef ATTN_SHELL_SHELL_H
#define ATTN_SHELL_SHELL_H

#include "course/player/tutor.h"
#include "shell/shell_command.h"

/* The program around the prompt. All is borrowed. */
struct shell {
    struct tutor *tutor;
    bool in_screen;          /* the commands of the screen are there too */
    bool empty_line_goes_on; /* in a lesson */
    /* Does a shell command, and shows what it gives. */
    void (*run_command)(void *context, struct shell_line *line);
    /* Called with true before a line that computes or may end the tutor's session, and with false
     * after it; or NULL. */
    void (*around_computing)(void *context, bool begins);
    void *context;
};

enum shell_result {
    SHELL_FAILED,      /* *reterr says why, and nothing happened */
    SHELL_GAVE_OUTPUT, /* in out, perhaps empty */
    SHELL_RAN_COMMAND, /* which has shown what there was to show */
};

/* Does what one line says, of `size` bytes and with a NUL after them. Adds what there is to show to
 * out. */
enum shell_result shell_run_line(const struct shell *shell, const char *line, size_t size,
                                 struct doc *out, struct error *reterr);

#endif
