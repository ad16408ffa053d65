/* Runs a line of the prompt, in the line REPL and in the screen: a shell command, help, or a line
 * for the tutor. */
#ifndef ATTN_SHELL_SHELL_H
#define ATTN_SHELL_SHELL_H

#include "course/player/tutor.h"
#include "shell/shell_command.h"

/* The program around the prompt. All is borrowed. */
struct shell {
    struct tutor *tutor;
    bool in_screen;          /* the commands of the screen are available too */
    bool empty_line_goes_on; /* in a lesson, an empty line goes on to the next page */
    /* Runs a shell command, and shows its output. */
    void (*run_command)(void *context, struct shell_line *line);
    /* Called with true before a line that computes or may end the tutor's session, and with false
     * after it; or NULL. */
    void (*around_computing)(void *context, bool begins);
    void *context;
};

enum shell_result {
    SHELL_FAILED,      /* *reterr says why, and nothing happened */
    SHELL_GAVE_OUTPUT, /* in out, perhaps empty */
    SHELL_RAN_COMMAND, /* which has shown its output itself */
};

/* Runs one line of `size` bytes with a NUL after them. Adds its output to out. */
enum shell_result shell_run_line(const struct shell *shell, const char *line, size_t size,
                                 struct doc *out, struct error *reterr);

#endif
