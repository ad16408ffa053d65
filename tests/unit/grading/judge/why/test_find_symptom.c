/* judge/why/find_symptom.h: wrong programs with one symptom each, whose name is known because each
 * was written for it, and programs that only look like one. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/judge.h"
#include "judge/why/find_symptom_internal.h"

#define ROWS                                                                            \
    "#include <float.h>\n#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n" \
    "void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)\n{\n"

struct room {
    struct exercise *exercise;
    struct compiler compiler;
    struct judge_setup setup;
};

static int open_room(void **state)
{
    struct room *room = calloc(1, sizeof *room);
    const char *data_dir = getenv("ATTN_DATA_DIR");
    struct error error;
    char path[4096];
    assert_non_null(room);
    snprintf(path, sizeof path, "%s/exercises/04-softmax-rows", data_dir);
    if (!exercise_load(path, &room->exercise, &error) ||
        !compiler_find(NULL, &room->compiler, &error))
        fail_msg("%s", error.text);
    const struct judge_plan plan = {.exercise = room->exercise,
                                    .compiler = &room->compiler,
                                    .limits = &limits_default,
                                    .data_dir = data_dir,
                                    .layers = layers_available(NULL),
                                    .seed = 3};
    if (!judge_setup_open(&plan, &room->setup, &error))
        fail_msg("%s", error.text);
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    judge_setup_close(&room->setup);
    exercise_free(room->exercise);
    free(room);
    return 0;
}

/* Expects that the program is named so (NULL: not named by a symptom), and that what is said holds
 * these words. */
static void expect(void **state, const char *source, const char *id, const char *words)
{
    struct room *room = *state;
    struct judgement judgement;
    judge_submission(&room->setup, "anna.c", source, strlen(source),
                     JUDGE_EXPLAIN_CRASH | JUDGE_HIDE_DRAWN, &judgement);
    const struct result *result = &judgement.result;
    if (id == NULL && judgement.diagnosis.n_ideas > 0 && judgement.diagnosis.ideas[0]->seen != NULL)
        fail_msg("%s: %s", result->ideas[0].id, result->ideas[0].say);
    if (id != NULL && (result->n_ideas != 1 || strcmp(result->ideas[0].id, id) != 0))
        fail_msg("%s was not named, but %s; %s %s", id,
                 result->n_ideas > 0 ? result->ideas[0].id : "nothing",
                 verdict_name(result->verdict), result->detail);
    if (id != NULL && strstr(result->ideas[0].say, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", result->ideas[0].say, words);
    judgement_release(&judgement);
}

/* ---- programs ---- */

/* A right program, with a place for what comes before a row, and for what its sum begins with. */
#define SOFTMAX(before, sum)                                                                     \
    ROWS "    for (size_t i = 0; i < rows; i++) {\n"                                             \
         "        const float *s = scores + i * cols;\n        float *w = weights + i * cols;\n" \
         "        float top = s[0];\n" before "        " sum ";\n"                               \
         "        for (size_t j = 1; j < cols; j++) if (s[j] > top) top = s[j];\n"               \
         "        for (size_t j = 0; j < cols; j++) { w[j] = expf(s[j] - top); sum += w[j]; }\n" \
         "        for (size_t j = 0; j < cols; j++) w[j] /= sum;\n"                              \
         "    }\n}\n"

static void right_programs_have_none(void **state)
{
    expect(state, SOFTMAX("", "float sum = 0"), NULL, "");
    expect(state, SOFTMAX("", "float sum; sum = 0"), NULL, "");
}

static void state_that_is_kept(void **state)
{
    expect(state, SOFTMAX("", "static float sum"), "state-kept", "declares sum static");
    expect(state,
           SOFTMAX("        static size_t first;\n        if (first == 0) first = cols;\n",
                   "float sum = first == cols ? 0 : 1"),
           "state-kept", "declares first static");
}

static void locals_without_a_value(void **state)
{
    expect(state, SOFTMAX("", "float sum"), "uninitialised", "sum is read before it has a value");
}

static void memory_of_malloc_without_a_value(void **state)
{
    expect(state,
           ROWS "    float *e = malloc(cols * sizeof *e);\n"
                "    for (size_t i = 0; i < rows; i++) {\n"
                "        float top = -INFINITY, sum = 0;\n"
                "        for (size_t j = 0; j < cols; j++)\n"
                "            top = fmaxf(top, scores[i * cols + j]);\n"
                "        for (size_t j = 0; j < cols; j++) {\n"
                "            if (i == 0 && j == 0) e[j] += expf(scores[j] - top);\n"
                "            else e[j] = expf(scores[i * cols + j] - top);\n"
                "            sum += e[j];\n        }\n"
                "        for (size_t j = 0; j < cols; j++) weights[i * cols + j] = e[j] / sum;\n"
                "    }\n    free(e);\n}\n",
           "uninitialised", "when all of it happens to be 0");
}

static void outputs_that_are_added_to(void **state)
{
    expect(state,
           SOFTMAX("        for (size_t j = 0; j < cols; j++) w[j] += 0 * s[j];\n"
                   "        if (w[0] != 0) { top = w[0]; }\n",
                   "float sum = 0"),
           "uninitialised", "weights is added to");
}

static void cells_that_are_not_written(void **state)
{
    expect(state, SOFTMAX("        if (i > 0) return;\n", "float sum = 0"), "not-written",
           "Only the first row of weights was written.");
    expect(state, SOFTMAX("        if (i + 1 == rows) return;\n", "float sum = 0"), "not-written",
           "The last row of weights was never written.");
    expect(state, ROWS "    (void)rows; (void)cols; (void)scores; (void)weights;\n}\n",
           "not-written", "No number of weights was ever written.");
    expect(state,
           ROWS "    for (size_t i = 0; i < rows; i++)\n"
                "        for (size_t j = 1; j < cols; j++) weights[i * cols + j] = 0.5f;\n"
                "    (void)scores;\n}\n",
           "not-written", "The first column of weights was never written.");
}

static void loops_that_go_too_far(void **state)
{
    expect(state,
           ROWS "    for (size_t i = 0; i < rows; i++)\n"
                "        for (size_t j = 0; j <= cols; j++)\n"
                "            weights[i * cols + j] = scores[i * cols + j];\n}\n",
           "loop-too-far", "is that <=, or <?");
    expect(state,
           SOFTMAX("        volatile float *e = malloc(cols);\n"
                   "        for (size_t j = 0; j < cols; j++) e[j] = s[j];\n"
                   "        top = e[0];\n        free((void *)e);\n",
                   "float sum = 0"),
           "loop-too-far", "beyond memory of malloc() in line");
}

/* What lies beside an array is not set either, but that is not the mistake. */
static void memory_beside_an_own_array_is_read(void **state)
{
    expect(state,
           ROWS
           "    float *e = malloc(cols * sizeof *e);\n"
           "    for (size_t i = 0; i < rows; i++) {\n"
           "        float top = -INFINITY, sum = 0;\n"
           "        for (size_t j = 0; j < cols; j++)\n"
           "            top = fmaxf(top, scores[i * cols + j]);\n"
           "        for (size_t j = 0; j < cols; j++) e[j] = expf(scores[i * cols + j] - top);\n"
           "        for (size_t j = 0; j <= cols; j++) sum += e[j];\n"
           "        for (size_t j = 0; j < cols; j++) weights[i * cols + j] = e[j] / sum;\n"
           "    }\n    free(e);\n}\n",
           "loop-too-far", "beyond memory of malloc() in line");
}

static void a_sign_that_is_no_power(void **state)
{
    expect(state, SOFTMAX("        top += (float)(cols ^ 2);\n", "float sum = (float)(rows ^ 2)"),
           "power-sign", "does not raise to a power");
    expect(state,
           SOFTMAX("        size_t bits = rows ^ cols;\n", "float sum = (float)(bits ^ rows)"),
           NULL, "");
}

static void the_least_positive_number(void **state)
{
    expect(state, SOFTMAX("        top = i % 2 == 1 ? FLT_MIN : s[0];\n", "float sum = 0"),
           "least-positive", "FLT_MIN is the smallest float above 0");
    expect(state, /* the exercise has an idea for a maximum that starts there */
           SOFTMAX("        top = FLT_MIN;\n", "float sum = 0; top = top > s[0] ? top : s[0]"),
           "top-from-zero", "-120");
    expect(state, SOFTMAX("", "float sum = 1; sum = fmaxf(sum, FLT_MIN)"), NULL, "");
}

/* It faults only where rows is larger than cols. */
static void one_size_for_another_is_no_loop_too_far(void **state)
{
    expect(state,
           ROWS "    memset(weights, 0, rows * cols * sizeof *weights);\n"
                "    for (size_t i = 0; i < rows; i++)\n"
                "        for (size_t j = 0; j < rows; j++)\n"
                "            weights[i * cols + j] = scores[i * cols + j];\n}\n",
           NULL, "");
}

/* Which size it is shows where the two differ, and where they do not. */
static void one_size_for_another_has_a_name(void **state)
{
    expect(state, SOFTMAX("        w = weights + i * rows;\n", "float sum = 0"), "other-size",
           "rows is used somewhere in place of cols");
    expect(
        state,
        SOFTMAX("        size_t n = cols > rows ? rows : cols;\n", "float sum = n < cols ? 1 : 0"),
        "other-size", "with rows 3 and cols 5 its numbers are wrong");
    expect(state, SOFTMAX("", "float sum = rows * cols > 12 ? 1e-3f * i : 0"), NULL, "");
}

static void verdicts_have_names(void **state)
{
    expect(state, SOFTMAX("", "float sum = 0; float *lost = malloc(64); lost[0] = sum"),
           "memory-lost", "gives lost memory, and no free(lost) follows");
    expect(state, SOFTMAX("        ((float *)scores)[i * cols] += 1;\n", "float sum = 0"),
           "input-overwritten", "scores holds other numbers after the call");
    expect(state, SOFTMAX("        *(volatile float *)0 = 1;\n", "float sum = 0"), "crash",
           "a pointer that is NULL");
}

/* The wrong numbers come of the way out, not of a formula; who finds another way out is right. */
static void memory_that_is_refused(void **state)
{
    struct room *room = *state;
    char limit[LIMIT_TEXT], said[64];
    struct runner_plan plan;
    runner_plan_init(&plan, &limits_default, room->setup.plan.layers, -1);
    snprintf(said, sizeof said, "more than the %s that",
             runner_plan_memory_limit(&plan, true, limit));
    static const char *const asked[] = {"malloc((size_t)1 << 40)", "calloc(1 << 20, 1 << 20)",
                                        "realloc(NULL, (size_t)1 << 40)",
                                        "aligned_alloc(64, (size_t)1 << 40)"};
    for (size_t i = 0; i < COUNT_OF(asked); i++) {
        char source[1024];
        snprintf(source, sizeof source,
                 ROWS "    float *all = %s;\n    for (size_t i = 0; i < rows * cols; i++)\n"
                      "        weights[i] = all != NULL ? expf(scores[i]) : scores[i];\n"
                      "    free(all);\n}\n",
                 asked[i]);
        expect(state, source, "memory-refused", said);
    }
    expect(state,
           ROWS "    if (malloc((size_t)1 << 40) == NULL)\n        return;\n"
                "    weights[0] = scores[0] + rows + cols;\n}\n",
           "memory-refused", said);
    expect(state,
           SOFTMAX("        void *all = malloc((size_t)1 << 40); free(all);\n", "float sum = 0"),
           NULL, "");
}

static void numbers_in_an_int(void **state)
{
    expect(state,
           SOFTMAX("", "float sum = 0; int bias = top * 0.37f; top += bias; s += bias - bias;"
                       " sum += bias % 3"),
           "truncated", "A float is kept in a whole number there");
    expect(state, SOFTMAX("", "float sum = 0; int bias = roundf(top * 0.37f); sum += bias % 3"),
           NULL, "");
}

static void inputs_that_are_never_read(void **state)
{
    expect(state,
           ROWS "    float seed = 0.37f;\n    for (size_t k = 0; k < rows * cols; k++) {\n"
                "        seed = 3.7f * seed * (1 - seed);\n        weights[k] = seed;\n    }\n}\n",
           "compiler-warning", "scores is never read");
}

static void symptoms_have_questions(void **state)
{
    static const char *const ids = " memory-refused state-kept uninitialised memory-lost "
                                   "input-overwritten crash "
                                   "endless too-slow loop-too-far power-sign least-positive "
                                   "not-written nan-born compiler-warning truncated other-size ";
    size_t n;
    const struct symptom *all = symptoms(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", all[i].id);
        assert_non_null(strstr(ids, word));
        assert_non_null(strchr(all[i].ask, '?'));
        assert_non_null(all[i].see);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_programs_have_none),
        cmocka_unit_test(state_that_is_kept),
        cmocka_unit_test(locals_without_a_value),
        cmocka_unit_test(memory_of_malloc_without_a_value),
        cmocka_unit_test(outputs_that_are_added_to),
        cmocka_unit_test(cells_that_are_not_written),
        cmocka_unit_test(loops_that_go_too_far),
        cmocka_unit_test(memory_beside_an_own_array_is_read),
        cmocka_unit_test(a_sign_that_is_no_power),
        cmocka_unit_test(the_least_positive_number),
        cmocka_unit_test(one_size_for_another_is_no_loop_too_far),
        cmocka_unit_test(one_size_for_another_has_a_name),
        cmocka_unit_test(verdicts_have_names),
        cmocka_unit_test(memory_that_is_refused),
        cmocka_unit_test(numbers_in_an_int),
        cmocka_unit_test(inputs_that_are_never_read),
        cmocka_unit_test(symptoms_have_questions),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
