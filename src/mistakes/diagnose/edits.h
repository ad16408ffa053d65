/* The mistakes that attn looks for: assets/edits.yaml. Each says what it matches in a formula, what
 * somebody who makes the mistake writes instead, and what to say. docs/exercises.md explains how to
 * add one. */
#ifndef ATTN_DIAGNOSE_EDITS_H
#define ATTN_DIAGNOSE_EDITS_H

#include "diagnose/pattern_internal.h"

struct texts {
    char **items;
    unsigned n;
};

/* The replaced part, and its replacement. */
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
    bool is_whole; /* it matches a whole step, not a part of it */
    bool only_lessons, only_programs;
    bool only_formulas;  /* for formulas in lessons: a single number would fit by accident */
    unsigned in_numbers; /* how likely it is to be the cause of a wrong single number: EDIT_LIKELY
                          * or less */
    char *when;          /* "These numbers come out when ...": may have holes */
    char *ask;           /* a question */
    char *math;    /* a line of mathematics, which may have holes; NULL: show the right step */
    char *lesson;  /* LESSON#STEP, or NULL */
    unsigned line; /* in the file, from 1 */
};

/* A single number may equal the result of a change by accident. */
enum { EDIT_UNLIKELY, EDIT_REMOTE, EDIT_POSSIBLE, EDIT_LIKELY };

/* The effect of an edit on the formulas that are tried. */
enum edit_use {
    EDIT_FITS_NOWHERE,
    EDIT_CHANGES_NOTHING, /* it fits, but never changes the result */
    EDIT_CHANGES,
};

/* Two edits made together that are one mistake with its own name. */
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

/* Reads DATA_DIR/assets/edits.yaml. ERR_FILE if the file is missing, ERR_SYNTAX "FILE:LINE: ..." if
 * it is not as it should be, ERR_MEMORY. */
bool edits_open(const char *data_dir, struct edits *ret, struct error *reterr);
/* The same from a text. path is for messages. */
bool edits_read(const char *path, const char *text, size_t size, struct edits *ret,
                struct error *reterr);
void edits_release(struct edits *edits); /* edits may be all zero bytes */

/* The combination of both; NULL if it has no name of its own. */
const struct combination *edits_combination(const struct edits *edits, const struct edit *a,
                                            const struct edit *b);
/* Adds the functions that an expression uses, and the earlier functions of the table that these
 * use, each as a statement on a line of its own. */
void edits_functions_in(const struct edits *edits, const char *expression, struct text *out);

#endif
