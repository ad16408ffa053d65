/* A lesson as its file says it: a header, steps, and the pages that a learner turns.
 *
 * lessons/NN-id.md is Markdown that reads well as a plain file; docs/authoring.md defines the
 * format. Reading a lesson runs nothing: its code runs when a learner is in the lesson. */
#ifndef ATTN_COURSE_LESSON_LESSON_H
#define ATTN_COURSE_LESSON_LESSON_H

#include "base/arena.h"
#include "base/error.h"

enum {
    LESSON_MAX_BYTES = 1024 * 1024,
    LESSON_NAME_BYTES = 64,                          /* of an id, a step's and a question's name */
    LESSON_PAGE_NAME_BYTES = LESSON_NAME_BYTES + 16, /* of a page's: a step's with a number */
};

/* A text, and the line of the file in which it begins, from 1. */
struct lesson_text {
    char *text;
    unsigned line;
};

enum question_kind {
    QUESTION_NUMBER,
    QUESTION_CHOICE,
    QUESTION_MATRIX,
    QUESTION_ORDER,
    QUESTION_FORMULA,
    QUESTION_CELL,   /* cells of a shown matrix, pointed at */
    QUESTION_MASK,   /* a matrix of True and False */
    QUESTION_CHANGE, /* numbers of the lesson that get other values */
    QUESTION_PREDICT,
    QUESTION_REFLECTION,
    QUESTION_EXERCISE,
    QUESTION_KINDS
};
/* False for predictions, reflections and exercises. */
bool question_is_judged(enum question_kind kind);

/* True for matrix, cell and mask, which are about a matrix. */
bool question_has_matrix(enum question_kind kind);

/* A wrong answer that the question foresees. */
struct wrong_answer {
    struct lesson_text is; /* an expression */
    struct lesson_text say;
};

/* A text that a kind does not have is NULL, a count is 0. */
struct question {
    char name[LESSON_NAME_BYTES];
    unsigned line; /* of its heading */
    enum question_kind kind;
    struct lesson_text answer; /* an expression */
    struct lesson_text because;
    struct lesson_text *hints;
    unsigned n_hints;
    struct wrong_answer *wrong;
    unsigned n_wrong;
    struct lesson_text *also; /* other right orders */
    unsigned n_also;
    struct lesson_text *draw; /* lines that make fresh inputs */
    unsigned n_draw;
    struct lesson_text *without; /* names and operators that a formula may not use */
    unsigned n_without;
    struct lesson_text cells;  /* an expression: the cells that are asked for */
    struct lesson_text matrix; /* an expression: the matrix to point into */
    struct lesson_text
        *change; /* names, with or without an index: the numbers that may get other values */
    unsigned n_change;
    unsigned most;            /* the most numbers that may change; 0: one */
    struct lesson_text holds; /* an expression that must be true after a change */
    struct lesson_text makes; /* an expression, shown with the answer put in */
    struct lesson_text
        *hides; /* expressions: values that the output of the question's code hides */
    unsigned n_hides;
    struct lesson_text exercise;
    double within;               /* 0: the usual tolerance */
    bool in_percent;             /* its text speaks of percent */
    struct lesson_text *options; /* the numbered list's items */
    size_t n_options;
};

enum part_kind {
    PART_PROSE, /* Markdown, with computed numbers */
    PART_CODE,  /* run and shown */
    PART_QUIET, /* run */
};

struct page_part {
    enum part_kind kind;
    struct lesson_text source;
};

/* The part of a lesson that a learner sees at once. It ends at a question, at code that is offered
 * to type, or with its step. */
struct page {
    /* The question's name, or its step's with a number: "variance/2". */
    char name[LESSON_PAGE_NAME_BYTES];
    const struct step *step; /* NULL before the first */
    unsigned line;
    struct page_part *parts; /* the last ones are the question's own text */
    size_t n_parts, capacity;
    struct lesson_text offer;  /* code to type, or NULL */
    struct question *question; /* or NULL */
};

struct step {
    char name[LESSON_NAME_BYTES]; /* "square-root" */
    char *title;
    unsigned line;
    size_t first_page;
};

struct lesson {
    char file_name[LESSON_NAME_BYTES]; /* the file's without its ending, "05-scaling" */
    char *path;
    char *id, *title;
    unsigned minutes; /* as the header states them, or 0; lesson_minutes() counts them */
    struct lesson_text *needs, *objectives, *sources;
    unsigned n_needs, n_objectives, n_sources;

    struct step **steps;
    size_t n_steps, steps_capacity;
    struct page *pages;
    size_t n_pages, pages_capacity;
    size_t n_questions;

    struct arena arena; /* of all texts */
};

/* Reads the file at path. ERR_FILE when it can't be read, ERR_SYNTAX "FILE:LINE: ..." when it is
 * not a lesson. The caller frees *ret. */
bool lesson_read(const char *path, struct lesson **ret, struct error *reterr);
/* The same for text[0..size), with path for messages. */
bool lesson_parse(const char *path, const char *text, size_t size, struct lesson **ret,
                  struct error *reterr);
/* The same for the header alone: a lesson without steps and pages, for a list of titles. */
bool lesson_read_head(const char *path, struct lesson **ret, struct error *reterr);
void lesson_free(struct lesson *lesson); /* lesson may be NULL */

/* The page with that name, or n_pages. */
size_t lesson_page(const struct lesson *lesson, const char *name);
/* The step with that name, or NULL. */
const struct step *lesson_step(const struct lesson *lesson, const char *name);
/* The place that ID#NAME leads to: the first page of the step, else the page of that name, else the
 * page of that number, from 1; or n_pages. */
size_t lesson_place(const struct lesson *lesson, const char *name);
/* Reports that no step has this name, ERR_NAME. Returns false. */
bool lesson_refuse_place(const struct lesson *lesson, const char *name, struct error *reterr);

/* Puts "lessons/05-scaling.md:47: " before an error in code that the lesson runs; not before an
 * error that error_is_stop(), for which the lesson is not to blame. Returns false. */
bool lesson_place_error(const struct lesson *lesson, unsigned line, struct error *reterr);

/* Makes a heading the name of a place, as code-hosting pages do: "Soft lookup!" to "soft-lookup".
 * False when it does not fit name[0..LESSON_NAME_BYTES), or nothing is left. */
bool lesson_slug(const char *heading, size_t size, char name[LESSON_NAME_BYTES]);

#endif
