/* What the commands of a learner share (start, exercises, task, check, watch, hint, reset,
 * solutions): their options, what was solved, and the grading of one file. */
#ifndef ATTN_CLI_PRACTICE_H
#define ATTN_CLI_PRACTICE_H

#include "cli/cli.h"
#include "compile/build_ahead.h"
#include "exercise/exercises.h"
#include "exercise/learner_files.h"
#include "judge/judge.h"

struct practice_options {
    struct common_options common;
    const char *compiler;  /* or NULL: the machine's */
    const char *exercises; /* a folder of one's own; or NULL: own_exercises() */
    uint64_t seed;
    bool all;             /* --all */
    size_t spans_cols;    /* --spans COLUMNS: for the full screen, as doc_read() reads it; else 0 */
    bool again;           /* --again: the same text as before, which is no new attempt */
    const char *argument; /* FILE, ID or DIR; or NULL */
};

/* Rows for the options that every command of a learner takes; and those that grading takes too. */
extern const struct option practice_table[], practice_grading_table[];
/* Reads `attn COMMAND [ARGUMENT]`; the command's rows set fields of struct practice_options. Wrong
 * usage ends the program. */
struct practice_options practice_options(const struct subcommand *command, int argc, char **argv);

struct practice {
    struct practice_options options;
    struct settings settings;
    struct catalogue catalogue;
    struct progress *progress;

    /* Grading: ready after practice_prepare(). */
    bool prepared;
    struct compiler compiler;
    unsigned layers; /* of enum layer: taken for granted, or tried */
    bool layers_tried;
    const struct judge_listener *listener; /* or NULL */
    struct build_ahead ahead;              /* begun by practice_begin() */
    struct exercise *exercise;             /* whose setup is open; or NULL */
    struct judge_setup setup;
    unsigned n_attempts; /* at it, with the last one; 0 where it was solved before */
};

/* Opens the catalogue and the progress; what is wrong with the progress is said on standard error.
 */
bool practice_open(const struct practice_options *options, struct practice *ret,
                   struct error *reterr);
void practice_close(struct practice *practice);

/* Reads one's own file, also through a link. ERR_FILE says why it can't be graded. */
bool practice_read(const char *path, struct text *ret, struct error *reterr);
/* Adds to doc what a command shows of an exercise. Returns EXIT_OK, or the exit code of a failure
 * that it has said on standard error. */
typedef int practice_page(struct practice *practice, const struct exercise *exercise,
                          struct doc *doc);
/* The page of the next hint; notes that it was shown. */
practice_page practice_hint;

/* ---- grading ---- */

/* Looks for the compiler. Takes it that this machine has all layers of the sandbox;
 * opening an exercise or grading looks again after a failure, and warns on standard error. */
bool practice_prepare(struct practice *practice, struct error *reterr);
/* Begins to compile what practice_grade() will be given, which saves time where the exercise is to
 * be opened in between. */
void practice_begin(struct practice *practice, const struct exercise *exercise, const char *path,
                    const struct text *source);
/* Opens the exercise for grading, in place of the one before; practice->listener is told of each
 * verdict. Takes it over, also on failure. */
bool practice_open_exercise(struct practice *practice, struct exercise *exercise,
                            struct error *reterr);
/* Grades source[0..size) of the file at path. */
void practice_grade(struct practice *practice, const char *path, const char *source, size_t size,
                    struct judgement *ret);
/* Remembers the attempt. Showing it comes first: the disk takes its time. */
void practice_note_attempt(struct practice *practice, const struct judgement *judgement);
/* Adds the line that tells the verdict, and what explains it. */
void practice_headline(const struct practice *practice, const struct judgement *judgement,
                       struct doc *doc);
void practice_explain(const struct practice *practice, struct judgement *judgement,
                      struct doc *doc);
/* Adds what the program shows of itself: see explain_shown(). */
void practice_shown(const struct practice *practice, struct judgement *judgement, struct doc *doc);
/* Adds what to do next: the next exercise, or where help is. */
void practice_next_steps(struct practice *practice, const struct judgement *judgement,
                         struct doc *doc);
/* Adds the lesson that treats what was misunderstood, if there is one: what to type, after `attn`
 * where that is the command's name. */
void practice_lesson(const struct judgement *judgement, const char *command, struct doc *doc);
/* "41 ms (30 compiling, 9 linking)". Returns text. */
char *practice_time(const struct judgement *judgement, char *text, size_t capacity);
/* What the program ends with. */
int practice_exit_code(enum verdict verdict);

/* Says an error on standard error; returns EXIT_UNGRADED, or EXIT_USAGE for a name nobody knows. */
int practice_error(const struct error *error);

#endif
