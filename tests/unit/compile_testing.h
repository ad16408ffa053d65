/* What the tests of compiling share: an exercise with softmax_rows(), a case of it, and the
 * compilers of this machine. */
#ifndef ATTN_TESTS_COMPILE_TESTING_H
#define ATTN_TESTS_COMPILE_TESTING_H

#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judge/why/sanitizer_report.h"
#include "compile/compiler.h"

#define SIGNATURE "void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)"
/* A whole file around some statements. The first of them stands in line 3. */
#define FILE_AROUND(statements) \
    SIGNATURE "\n{\n" statements "\n(void)rows; (void)cols; (void)scores; (void)weights;\n}\n"

enum { WORKSHOP_MAX_COMPILERS = 2 };

/* The shipped ones, read once for all tests. */
static inline const struct compiler_hints *testing_hints(void)
{
    static struct compiler_hints hints;
    struct error error;
    if (hints.n_hints == 0 && !compiler_hints_open(getenv("ATTN_DATA_DIR"), &hints, &error))
        fail_msg("%s", error.text);
    return &hints;
}

struct workshop {
    struct compiler compilers[WORKSHOP_MAX_COMPILERS]; /* gcc and clang, where they are there */
    unsigned n_compilers;
    struct limits limits;
    unsigned layers;
    struct exercise exercise;
    struct exercise_array arrays[2];
    struct fixture fixture; /* rows 2, cols 3 */
    float scores[6];
};

static inline void workshop_open(struct workshop *workshop)
{
    static char id[] = "softmax-rows", scores[] = "scores", weights[] = "weights";
    struct error error;
    *workshop = (struct workshop){.limits = limits_default,
                                  .layers = layers_available(NULL),
                                  .exercise = {.id = id, .n_arrays = 2},
                                  .arrays = {{.name = scores}, {.name = weights, .role = ROLE_OUT}},
                                  .scores = {0, 1, 2, 3, 4, 5}};
    workshop->exercise.arrays = workshop->arrays;
    if (!prototype_parse(SIGNATURE ";", &workshop->exercise.prototype, &error))
        fail_msg("%s", error.text);
    const struct fixture_array matrix = {
        .present = true, .n_axes = 2, .shape = {2, 3}, .n_cells = 6, .n_bytes = 6 * sizeof(float)};
    workshop->fixture = (struct fixture){
        .exercise = &workshop->exercise, .scalars = {2, 3}, .arrays = {matrix, matrix}};
    workshop->fixture.arrays[0].before = workshop->scores;
    const char *const names[] = {"gcc", "clang"};
    for (unsigned i = 0; i < WORKSHOP_MAX_COMPILERS; i++)
        workshop->n_compilers +=
            compiler_find(names[i], &workshop->compilers[workshop->n_compilers], &error);
    if (workshop->n_compilers == 0)
        fail_msg("there is no compiler to test with: %s", error.text);
}

static inline struct compile_request workshop_request(const struct workshop *workshop,
                                                      unsigned compiler)
{
    return (struct compile_request){.compiler = &workshop->compilers[compiler],
                                    .exercise = &workshop->exercise,
                                    .limits = &workshop->limits,
                                    .hints = testing_hints(),
                                    .layers = workshop->layers};
}

#endif
