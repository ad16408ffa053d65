/* Matrices for a person: those that a program shows of itself, beside attn's own, and excerpts of a
 * case's arrays. They explain, and decide nothing. */
#ifndef ATTN_JUDGE_SHOWN_INTERNAL_H
#define ATTN_JUDGE_SHOWN_INTERNAL_H

#include "compile/wire.h"
#include "judge/judge.h"
#include "judge/run/runner.h"
#include "show/matrix.h"
#include "tensor/tensor.h"

void shown_release(struct shown *shown); /* all zero bytes are allowed */

/* Copies the shared memory once, and makes the copy safe: whatever the memory holds, *ret can be
 * shown. False without memory. */
bool shown_take(const volatile struct wire_shown *from, struct shown *ret);
/* Runs a case once more, in a new program that is asked to show itself. *ret is empty if that
 * fails. */
void shown_run(const struct runner_plan *plan, const struct fixture *fixture, struct shown *ret);

/* Adds each matrix as a table: beside attn's own of the same name and shape, with differences
 * marked; else with the name of attn's matrix that has the same numbers, if there is one. */
void shown_show(const struct shown *shown, const struct fixture *fixture,
                const struct show_options *options, struct doc *doc);

/* An array of a case as a small table: the part around one cell that a person can take in. */
struct array_excerpt {
    char title[64];
    struct tensor tensor;
    struct tensor marks;           /* cells that differ from these are marked; or no storage */
    size_t focus[TENSOR_MAX_AXES]; /* the cell that must be visible, along each axis */
};

/* An excerpt of numbers in the shape of an array, or of the input that the function gets there
 * (which must be present). ERR_MEMORY. */
bool array_excerpt_of_numbers(const struct fixture_array *array, const float *numbers,
                              struct array_excerpt *ret, struct error *reterr);
bool array_excerpt_of_input(const struct fixture_array *array, struct array_excerpt *ret,
                            struct error *reterr);
void array_excerpt_release(struct array_excerpt *excerpt);

/* Adds the excerpts, side by side if they fit the width, each with at most max_rows rows. Of more
 * than two axes the table that holds the focus is shown. */
void array_excerpts_show(const struct array_excerpt *excerpts, size_t n, size_t max_rows,
                         const struct show_options *options, struct doc *doc);

#endif
