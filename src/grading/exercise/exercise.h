/* An exercise as its author wrote it: exercises/NN-name/. docs/exercises.md explains each field.
 * Everything is data and expressions of the language; nothing is computed here.
 *
 * An exercise owns everything that its pointers reach, until exercise_free(). */
#ifndef ATTN_EXERCISE_EXERCISE_H
#define ATTN_EXERCISE_EXERCISE_H

#include "exercise/prototype.h"
#include "result/result.h"
#include "base/arena.h"
#include "files/digest.h"

enum { EXERCISE_MAX_AXES = 6 };

enum role { ROLE_IN, ROLE_OUT, ROLE_INOUT };

/* Fields called line are lines of exercise.yaml, from 1, for messages. */
struct strings {
    char **items;
    unsigned *lines; /* of each item */
    unsigned n;
};

struct numbers {
    double *items;
    unsigned n;
};

struct exercise_array {
    char *name;           /* of a pointer parameter, or "result" for the returned float */
    struct strings shape; /* expressions over the by-value parameters */
    enum role role;
    bool optional; /* may be drawn as None: the function gets NULL */
    bool limited;  /* its numbers follow a rule of the task: not any row may stand in it */
    unsigned line;
};

/* name: value, where value is an expression, or a range "2..7" to draw from. */
struct exercise_size {
    char *name, *value;
    unsigned line;
};

/* Sizes, in an order in which they can be computed. */
struct exercise_sizes {
    struct exercise_size *items;
    unsigned n;
};

/* A case, or with `stage` a probe. */
struct exercise_case {
    char *name;
    char *stage;           /* probes only: the stage that it is about; NULL in cases */
    enum case_group group; /* of a case, for points */
    struct exercise_sizes sizes;
    struct strings kinds; /* arrays of which each row is of another kind: see row_kinds.h */
    struct strings draw;
    unsigned repeat;  /* at least 1 */
    char *memory_kib; /* an expression, or NULL */
    unsigned line;
};

/* How many results the case has, each of which earns a share: one for each repeat, and one for all
 * kinds of rows. */
static inline unsigned exercise_case_results(const struct exercise_case *one)
{
    return one->kinds.n > 0 ? 1 : one->repeat;
}

struct exercise_expect {
    char *array;
    char *is;    /* an expression over inputs and stages */
    char *scale; /* or NULL: abs(is) */
    unsigned line;
};

struct exercise_tolerance {
    double relative, absolute;
    char *reason;
};

struct misconception {
    char *id;
    struct strings stages; /* the assignments that replace stages of the same name; an assignment of
                            * another name prepares the next one that replaces */
    char *verdict;         /* instead of stages: the verdict that shows it, else NULL */
    struct strings faster_with; /* verdict too_slow: options of gcc and clang; the idea is named if
                                 * the file is faster with them. May be empty */
    char *when; /* for ideas that attn found itself, "the scores are not scaled"; the author's
                 * ideas: NULL */
    char *seen; /* for a symptom, for which no stage is the reason: a sentence on the observation,
                 * and stage and math are NULL; else NULL */
    char *ask, *stage, *math, *lesson;
    unsigned line;
};

/* A word that the source must (not) have outside comments and strings. */
struct exercise_word {
    char *word, *say;
};

/* An edit of assets/edits.yaml that no case tells from the right formula, and why that is
 * acceptable. */
struct exercise_mutation {
    char *edit, *reason;
    char *statement; /* of the change; NULL: all changes that the edit makes here */
    unsigned line;
};

/* One of the versions of the function from plain loops to fast ones; learners see it once they have
 * solved the exercise. */
struct exercise_rung {
    char *file; /* in the folder ladder/ of the exercise's proof */
    char *title;
    char *because; /* why it is faster than the one before */
    char *bytes; /* an expression over the sizes: the least number of bytes that it moves, counting
                  * every pass over a matrix */
    unsigned line;
};

struct exercise_speed {
    char *plain; /* file in the exercise's folder */
    double ratio;
    unsigned rounds;
    char *reason;
    struct exercise_case timed; /* its sizes as a case, which is called "speed" */
    char *kernel; /* an expression that gives the result by attn's own kernels, timed beside the
                   * learner's; or NULL */
    struct numbers steps; /* speeds as multiples of the plain version's, ascending: reported when
                           * they are reached */
    struct exercise_rung *ladder;
    unsigned n_ladder;
};

struct exercise {
    char *id, *title;
    unsigned number, minutes, score;
    struct prototype prototype;
    struct exercise_array *arrays; /* in the order of the parameters; "result" last */
    unsigned n_arrays;
    struct strings draw, stages;
    struct exercise_expect *expect;
    unsigned n_expect;
    struct exercise_tolerance tolerance;
    struct exercise_case *cases, *probes;
    unsigned n_cases, n_probes;
    struct strings hints;
    struct misconception *misconceptions;
    unsigned n_misconceptions;
    struct exercise_word *forbid, *require;
    unsigned n_forbid, n_require;
    struct exercise_mutation *mutations;
    unsigned n_mutations;
    struct exercise_speed *speed; /* or NULL */

    char *folder;             /* path of the exercise's folder */
    char *path;               /* of its exercise.yaml, for messages */
    char *folder_name;        /* 04-softmax-rows */
    char *starter_name;       /* softmax_rows.c */
    char *starter;            /* its text, NUL-terminated */
    char *task;               /* of task.md */
    char *plain;              /* of speed->plain, or NULL */
    char digest[DIGEST_TEXT]; /* of everything that a verdict depends on: exercise.yaml, starter,
                               * plain */
    struct arena arena;       /* owns all of these */
};

/* Reads the exercise in a folder. ERR_FILE if a file can't be read; ERR_SYNTAX "FILE:LINE: KEY:
 * ..." if the YAML breaks the schema or one of the rules in docs/exercises.md. Expressions are not
 * evaluated. */
bool exercise_load(const char *folder, struct exercise **ret, struct error *reterr);
void exercise_free(struct exercise *exercise);

/* The array of that name, as its index in exercise->arrays; -1 if no array has it. */
int exercise_array(const struct exercise *exercise, const char *name);
/* Do both statements assign the same name? */
bool statements_assign_same(const char *a, const char *b);
/* The stage that assigns the same name as the statement, as its index in exercise->stages; -1 if no
 * stage does. */
int exercise_stage(const struct exercise *exercise, const char *statement);

#endif
