/* The mistakes that are looked for: assets/edits.yaml. Each says what it matches in a formula, what
 * somebody who errs so has there, and what to say. docs/exercises.md tells how to add one. */
#ifndef ATTN_DIAGNOSE_EDITS_H
#define ATTN_DIAGNOSE_EDITS_H

#include "diagnose/pattern.h"

struct texts {
    char **items;
    unsigned n;
};

/* What is changed into what. */
struct edit_form {
    struct texts match, put;
    struct pattern *patterns; /* [match.n] */
};

struct edit {
    char *id;
    struct edit_form *forms; /* the same mistake in formulas that are written differently */
    unsigned n_forms;
    struct hole *holes;
    unsigned n_holes;
    bool is_whole; /* it matches all of a step, no part of it */
    bool only_lessons, only_programs;
    bool only_formulas;  /* of lessons: one number would fit by accident */
    unsigned in_numbers; /* how likely it is behind a single number: EDIT_LIKELY or less */
    char *when;          /* "These numbers come out when ...": may have holes */
    char *ask;           /* a question */
    char *math;    /* a line of mathematics, which may have holes; NULL: the step that is right */
    char *lesson;  /* LESSON#STEP, or NULL */
    unsigned line; /* in the file, from 1 */
};

/* A single number may be what a change gives by accident. */
enum { EDIT_UNLIKELY, EDIT_REMOTE, EDIT_POSSIBLE, EDIT_LIKELY };

/* What an edit does in the formulas that are tried. */
enum edit_use {
    EDIT_FITS_NOWHERE,
    EDIT_CHANGES_NOTHING, /* it fits, and what comes out is always the same */
    EDIT_CHANGES,
};

/* What two edits come to when both were made: one mistake with a name of its own. */
struct combination {
    char *id;
    struct texts of; /* two ids; the order does not matter */
    char *when, *ask, *math, *lesson;
    unsigned line;
};

enum { EDITS_MAX_FUNCTIONS = 64 };

struct edits {
    struct edit *items; /* the most common mistakes first */
    unsigned n;
    struct combination *combinations;
    unsigned n_combinations;
    struct texts only_programs, remote, possible, likely; /* ids; see struct edit */
    struct texts functions; /* NAME(...) = EXPRESSION, which `put` may use; EDITS_MAX_FUNCTIONS */
    struct arena arena;     /* owns all of it */
};

/* Reads DATA_DIR/assets/edits.yaml. ERR_FILE where there is none, ERR_SYNTAX "FILE:LINE: ..." where
 * it does not say what it should, ERR_MEMORY. */
bool edits_open(const char *data_dir, struct edits *ret, struct error *reterr);
/* The same from a text. path is for messages. */
bool edits_read(const char *path, const char *text, size_t size, struct edits *ret,
                struct error *reterr);
void edits_release(struct edits *edits); /* edits may be all zero bytes */

/* What both come to together; NULL: nothing of its own. */
const struct combination *edits_combination(const struct edits *edits, const struct edit *a,
                                            const struct edit *b);
/* The functions that an expression uses, and those before them in the table that these use, each as
 * a statement on a line of its own. */
void edits_functions_in(const struct edits *edits, const char *expression, struct text *out);

#endif
