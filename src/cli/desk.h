/* A learner's desk: their files, what they have solved, and what grades them. What the commands
 * start, exercises, task, check, watch, hint, reset and solutions share. */
#ifndef ATTN_CLI_DESK_H
#define ATTN_CLI_DESK_H

#include "cli/cli.h"
#include "exercise/exercises.h"
#include "exercise/learner_files.h"
#include "judge/judge.h"

struct desk_options {
    struct common_options common;
    const char *compiler; /* or NULL: the machine's */
    uint64_t seed;
    bool all;             /* --all */
    size_t spans_cols;    /* --spans COLUMNS: for the full screen, as doc_read() reads it; else 0 */
    bool again;           /* --again: the same text as before, which is no new attempt */
    const char *argument; /* FILE, ID or DIR; or NULL */
};

enum desk_option { DESK_COMPILER = 1, DESK_SEED = 2, DESK_ALL = 4, DESK_SPANS = 8 };
/* Reads `attn COMMAND [ARGUMENT]` with the options of the set; wrong usage ends the program. */
struct desk_options desk_options(int argc, char **argv, unsigned allowed);

struct desk {
    struct desk_options options;
    struct settings settings;
    struct catalogue catalogue;
    struct progress *progress;

    /* Grading: ready after desk_prepare(). */
    bool prepared;
    struct compiler compiler;
    unsigned layers; /* of enum layer: taken for granted, or tried */
    bool layers_tried;
    struct exercise *exercise; /* whose setup is open; or NULL */
    struct judge_setup setup;
    unsigned n_attempts; /* at it, with the last one; 0 where it was solved before */
};

/* Opens the catalogue and the progress; what is wrong with the progress is said on standard error.
 */
bool desk_open(const struct desk_options *options, struct desk *ret, struct error *reterr);
void desk_close(struct desk *desk);

/* Reads one's own file, also through a link. ERR_FILE says why it can't be graded. */
bool desk_read(const char *path, struct text *ret, struct error *reterr);
/* Adds the next hint to doc and notes that it was shown. False when doc failed. (hint.c) */
bool desk_hint(struct desk *desk, const struct exercise *exercise, struct doc *doc);

/* ---- grading ---- */

/* Looks for the compiler. Takes it that this machine has all layers of the sandbox; desk_grade()
 * warns on standard error when it has not. */
bool desk_prepare(struct desk *desk, struct error *reterr);
/* Makes the exercise the desk's, which it takes over (also on failure). */
bool desk_take(struct desk *desk, struct exercise *exercise, struct error *reterr);
/* Grades source[0..size) of the file at path. */
void desk_grade(struct desk *desk, const char *path, const char *source, size_t size,
                struct judgement *ret);
/* Remembers the attempt. Showing it comes first: the disk takes its time. */
void desk_note(struct desk *desk, const struct judgement *judgement);
/* Adds the explanation of a judgement. */
void desk_explain(const struct desk *desk, struct judgement *judgement, struct doc *doc);
/* Adds what to do next: the next exercise, or where help is. */
void desk_way_on(struct desk *desk, const struct judgement *judgement, struct doc *doc);
/* Adds the lesson that treats what was misunderstood, if there is one: what to type, after `attn`
 * where that is the command's name. */
void desk_lesson(const struct judgement *judgement, const char *command, struct doc *doc);
/* "41 ms (30 compiling, 9 linking)". Returns text. */
char *desk_time(const struct judgement *judgement, char *text, size_t capacity);
/* What the program ends with. */
int desk_exit_code(enum verdict verdict);

/* Says an error on standard error; returns EXIT_UNGRADED, or EXIT_USAGE for a name nobody knows. */
int desk_error(const struct error *error);

#endif
