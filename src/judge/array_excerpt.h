/* An array of a case as a small table: the part of it around one cell that a person can take in. */
#ifndef ATTN_JUDGE_ARRAY_EXCERPT_H
#define ATTN_JUDGE_ARRAY_EXCERPT_H

#include "exercise/fixture.h"
#include "show/matrix.h"
#include "tensor/tensor.h"

struct array_excerpt {
    char title[64];
    struct tensor tensor;
    struct tensor marks;           /* cells that differ from it are marked; or no storage */
    size_t focus[TENSOR_MAX_AXES]; /* the cell that must be seen, along each axis */
};

/* An excerpt of numbers in the shape of an array, or of what the function is given there (which
 * must be present). ERR_MEMORY. */
bool array_excerpt_of_numbers(const struct fixture_array *array, const float *numbers,
                              struct array_excerpt *ret, struct error *reterr);
bool array_excerpt_of_input(const struct fixture_array *array, struct array_excerpt *ret,
                            struct error *reterr);
void array_excerpt_release(struct array_excerpt *excerpt);

/* Adds the excerpts, side by side where they fit the width, each with at most max_rows rows. More
 * than two axes show the table that the focus lies in. */
void array_excerpts_show(const struct array_excerpt *excerpts, size_t n, size_t max_rows,
                         const struct show_options *options, struct doc *doc);

#endif
