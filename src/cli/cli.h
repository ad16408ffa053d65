/* What the subcommands share: options, the terminal, data, errors. Only this floor prints and
 * exits. */
#ifndef ATTN_CLI_CLI_H
#define ATTN_CLI_CLI_H

#include <signal.h>

#include "cli/options.h"
#include "lang/session/session.h"

enum exit_code {
    EXIT_OK = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_UNGRADED = 3, /* grading could not be done; the fault is not the submission's */
};

/* The subcommands, each in the file that its rows of options stand in. */
extern const struct subcommand bench_command, check_command, doctor_command, eval_command,
    exercises_command, explore_command, grade_command, gradebook_command, hint_command,
    lesson_command, lessons_command, lint_command, progress_command, repl_command, report_command,
    reset_command, review_command, run_file_command, solutions_command, start_command, task_command,
    train_command, verify_command, view_command, watch_command;

/* attn without a subcommand: the full screen, or the prompt in lines. */
int attn_main(int argc, char **argv);
/* Runs a file of Python as attn run does; path names it in messages. An exit code. */
int run_python(const char *path, const struct text *source);
/* attn eval, which `attn help WORD` uses too. */
int eval_main(int argc, char **argv);

/* terminal.c */

/* Decides, once, at the start of main(), whether letters outside ASCII can be read and shown, and
 * sets the locale of letters (LC_CTYPE) to that: the environment's where it is UTF-8. Where the
 * environment names no locale, or one that is not installed and names no other encoding, a UTF-8
 * locale that every machine has takes its place, also in the environment, for readline and child
 * processes. Else it is ASCII. All other categories stay "C": numbers keep their point. */
void terminal_choose_locale(void);
/* What it decided: true for UTF-8. */
bool terminal_has_unicode(void);
/* The locale in use and the reason, for a person: "C.UTF-8: no locale is set". */
const char *terminal_locale(void);
/* Settings for output to file descriptor fd: colours by --color, NO_COLOR and TERM, the terminal's
 * width or 80, ASCII when asked for or when terminal_has_unicode() is false. */
struct settings terminal_settings(const struct common_options *options, int fd);
/* The width of the terminal at fd, or 0. */
size_t terminal_width(int fd);
/* Sets interrupt_flag when Ctrl-C is pressed, instead of ending the program. */
void interrupt_catch(void);
/* The same for all that asks the program to end: SIGTERM and SIGHUP too, but for what was ignored
 * before, as nohup does. */
void interrupt_catch_all(void);
/* The number of the signal that came last; 0: none has come. */
extern volatile sig_atomic_t interrupt_flag;
/* Ends the program as this signal does by default, so that whoever waits for it sees why it ended;
 * standard output is written out first. Does nothing for 0. */
void end_by_signal(int number);

/* output.c */

/* Prints a Doc to standard output; false when that fails. */
bool print_doc(const struct doc *doc, const struct settings *settings);
/* Writes out what standard output still holds. Where that or earlier output fails, says why on
 * standard error and returns false. */
bool finish_output(bool ok);
/* Prints `attn: ...` to standard error, and the line with its place marked. source is where the
 * error's places count from; name and line (from 1) say where that is, name NULL for a typed line.
 */
void print_error(const struct error *error, const char *source, size_t size, const char *name,
                 size_t line);

/* lesson.c */

/* Prints what one line of the prompt gives, such as "progress", "lessons" or a question to the
 * help; a line that runs a command of the shell is not allowed. Returns the exit code. */
int lesson_show_line(const char *line, const struct common_options *options);

/* data.c */

/* Finds where this program lies; called is argv[0]. Call it before the working folder changes. */
void program_set(const char *called);
/* The path of this program, by which it can be started again; NULL if it was not found. */
const char *program_path(void);
/* The folder that holds assets/: $ATTN_DATA_DIR, else the data that was installed with this
 * program, found from where the program lies; a program that was not installed has its source tree.
 * NULL if none of them is there. */
const char *data_dir(void);
/* Adds a whole file to text; "-" is standard input. Of a file with more than `most` bytes it adds
 * only so much that text is larger than that. On failure errno says why. */
bool read_whole_file(const char *path, size_t most, struct text *text);
/* The folder of exercises that was chosen, by an option (or NULL) or by $ATTN_EXERCISES; NULL:
 * those that come with attn. */
const char *own_exercises(const char *option);

#endif
