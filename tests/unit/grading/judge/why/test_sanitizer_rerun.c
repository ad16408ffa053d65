/* judge/why/sanitizer_rerun.h: crashes, explained in the exercise's words, with gcc's and clang's
 * sanitizers. The case has 2 rows and 3 columns: scores and weights hold 6 numbers each. */
#include "compile_testing.h"

static bool has_sanitizers(const struct workshop *workshop, unsigned compiler)
{
    struct compile_request request = workshop_request(workshop, compiler);
    struct build build;
    const char source[] = FILE_AROUND("");
    request.sanitize = true;
    build_program(&request, NULL, "anna.c", source, sizeof source - 1, &build);
    bool has = build.verdict == VERDICT_PASS;
    build_release(&build);
    return has;
}

/* Leaves only the compilers with sanitizers in the workshop. */
static int open_workshop(void **state)
{
    static struct workshop workshop;
    unsigned n = 0;
    workshop_open(&workshop);
    for (unsigned c = 0; c < workshop.n_compilers; c++)
        if (has_sanitizers(&workshop, c))
            workshop.compilers[n++] = workshop.compilers[c];
    workshop.n_compilers = n;
    *state = &workshop;
    return 0;
}

/* The test's workshop; skips where no compiler has sanitizers. */
static struct workshop *workshop_of(void **state)
{
    struct workshop *workshop = *state;
    if (workshop->n_compilers == 0)
        skip();
    return workshop;
}

static void advise(const struct workshop *workshop, unsigned compiler, const char *source,
                   struct text *advice)
{
    struct compile_request request = workshop_request(workshop, compiler);
    struct sanitizer_report fault;
    sanitizer_rerun(&request, "anna.c", source, strlen(source), &workshop->fixture, advice, &fault);
}

/* What is said of a file, with the first n compilers; "" for nothing at all. */
static void assert_advice_with(const struct workshop *workshop, unsigned n, const char *source,
                               const char *wanted)
{
    for (unsigned c = 0; c < n; c++) {
        struct text advice = {.bytes = NULL};
        advise(workshop, c, source, &advice);
        if (wanted[0] == '\0' ? advice.size > 0 : strstr(text_string(&advice), wanted) == NULL)
            fail_msg("%s: \"%s\" instead of \"%s\"", workshop->compilers[c].path,
                     text_string(&advice), wanted);
        text_release(&advice);
    }
}

static void assert_advice(const struct workshop *workshop, const char *source, const char *wanted)
{
    assert_advice_with(workshop, 1, source, wanted);
}

/* Where the compilers' sanitizers say different things, or say them differently. */
static void assert_all_advise(const struct workshop *workshop, const char *source,
                              const char *wanted)
{
    assert_advice_with(workshop, workshop->n_compilers, source, wanted);
}

static void test_sanitizer_rerun__a_step_beside_an_array_names_row_and_line(void **state)
{
    struct workshop *workshop = workshop_of(state);
    assert_all_advise(workshop,
                      FILE_AROUND("for (size_t i = 0; i <= rows; i++)\n"
                                  "    for (size_t j = 0; j < cols; j++)\n"
                                  "        weights[i * cols + j] = 0;"),
                      "Line 5 of anna.c: row 2 of weights was written (weights[6], 1 past its "
                      "end); weights has 2 rows (0..1).\n"
                      "    5 | weights[i * cols + j] = 0;");
    assert_advice(workshop,
                  FILE_AROUND("for (size_t i = 0; i <= rows * cols; i++)\n"
                              "    weights[0] += scores[i];"),
                  "Line 4 of anna.c: row 2 of scores was read (scores[6], 1 past its end); scores "
                  "has 2 rows (0..1).");
    assert_advice(workshop, FILE_AROUND("weights[rows - 3] = 1;"),
                  "Line 3 of anna.c: row -1 of weights was written");
    assert_advice(
        workshop,
        "#include <string.h>\n" FILE_AROUND("memcpy(weights, scores, 7 * sizeof(float));"),
        "Line 4 of anna.c: row 2 of scores was read");
}

static void test_sanitizer_rerun__far_away_in_the_array_is_not_the_array_beside_it(void **state)
{
    struct workshop *workshop = workshop_of(state);
    /* 100 floats behind scores lies, in most heaps, not far from weights */
    assert_advice(workshop, FILE_AROUND("weights[0] = scores[100];"), "row 33 of scores was read");
    assert_advice(workshop, FILE_AROUND("weights[0] = *(weights - 100);"),
                  "row -34 of weights was read");
}

static void test_sanitizer_rerun__vectors_and_bools_are_counted_in_numbers(void **state)
{
    struct workshop workshop = *workshop_of(state);
    struct fixture_array *scores = &workshop.fixture.arrays[0];
    static bool mask[4] = {true, false, true, true};
    struct prototype *prototype = &workshop.exercise.prototype;
    assert_true(prototype_parse("float softmax_rows(size_t rows, size_t cols, const bool *scores, "
                                "float *weights);",
                                prototype, NULL));
    scores->before = mask;
    scores->boolean = true;
    scores->n_axes = 1;
    scores->shape[0] = scores->n_cells = scores->n_bytes = 4;
    assert_advice(
        &workshop,
        "float softmax_rows(size_t rows, size_t cols, const bool *scores, float *weights)"
        "\n{\n(void)cols; (void)weights;\nreturn scores[rows + 2];\n}\n",
        "Line 4 of anna.c: scores[4] was read, 1 past its end; scores has 4 numbers (0..3).");
}

static void test_sanitizer_rerun__a_local_array_is_named(void **state)
{
    struct workshop *workshop = workshop_of(state);
    assert_all_advise(
        workshop,
        FILE_AROUND("float row[2];\n"
                    "float *p = row;\n"
                    "for (size_t i = 0; i < cols; i++)\n"
                    "    p[i] = scores[i];\n"
                    "weights[0] = row[0];"),
        "Line 6 of anna.c: element 2 of row was written; it has 2 (0..1); it is declared "
        "in line 3.\n    6 | p[i] = scores[i];");
    assert_all_advise(
        workshop,
        FILE_AROUND("float row[2];\n"
                    "for (size_t i = 0; i < cols; i++)\n"
                    "    row[i] = scores[i];\n"
                    "weights[0] = row[0];"),
        "Line 5 of anna.c: an index lies outside of its array: index 2 out of bounds");
}

static void test_sanitizer_rerun__memory_of_malloc(void **state)
{
    struct workshop *workshop = workshop_of(state);
#define WITH_HEAP(statements) "#include <stdlib.h>\n" FILE_AROUND(statements)
    assert_all_advise(workshop,
                      WITH_HEAP("float *p = malloc(cols);\n"
                                "for (size_t i = 0; i < cols; i++)\n"
                                "    p[i] = 0;\n"
                                "free(p);"),
                      "malloc() gave it in line 4. malloc() counts bytes");
    assert_all_advise(workshop,
                      WITH_HEAP("float *p = malloc(cols * sizeof *p);\n"
                                "free(p);\n"
                                "p[0] = 1;"),
                      "Line 6 of anna.c: memory was written that had been freed in line 5.");
    assert_all_advise(workshop, WITH_HEAP("float *p = malloc(4);\nfree(p);\nfree(p);"),
                      "Line 6 of anna.c: the same memory is freed twice, first in line 5.");
    assert_advice(workshop, WITH_HEAP("free(weights);"),
                  "Line 4 of anna.c: weights was freed in line 4. It belongs to the caller");
    assert_advice(workshop, WITH_HEAP("free(weights + 1);"),
                  "free() was given an address that malloc() did not return");
    assert_advice(workshop, WITH_HEAP("float *p = malloc((rows - 3) * 4);\np[0] = 1;"),
                  "Line 4 of anna.c: malloc() was asked for 18446744073709551612 bytes");
#undef WITH_HEAP
}

static void test_sanitizer_rerun__pointers_that_point_nowhere(void **state)
{
    struct workshop workshop = *workshop_of(state);
    assert_all_advise(&workshop, FILE_AROUND("float *p = NULL;\n*p = 1;"),
                      "Line 4 of anna.c: a pointer that is NULL was written.");
    assert_all_advise(&workshop, FILE_AROUND("weights[1000000000] = 1;"),
                      "Line 3 of anna.c: an address far away from every array was written");
    if (workshop.compilers[0].inits_locals)
        assert_all_advise(
            &workshop, FILE_AROUND("float *p;\n*p = 1;"),
            "Line 4 of anna.c: a pointer was written through that never got a value.");
    workshop.fixture.arrays[0].present = false;
    assert_all_advise(&workshop, FILE_AROUND("weights[0] = scores[0];"),
                      "a pointer that is NULL was read; scores is NULL in this case.");
}

static void test_sanitizer_rerun__calculations_that_go_wrong(void **state)
{
    struct workshop *workshop = workshop_of(state);
    assert_advice(workshop, FILE_AROUND("weights[7 / (rows - 2)] = 1;"),
                  "Line 3 of anna.c: a whole number was divided by 0.");
    assert_advice(workshop,
                  FILE_AROUND("int n = 2147483647;\nn += (int)rows;\nweights[n > 0] = 1;"),
                  "Line 4 of anna.c: a calculation in whole numbers went beyond");
    assert_advice(workshop, FILE_AROUND("weights[(int)(scores[5] * 1e30f)] = 1;"),
                  "Line 3 of anna.c: a float was turned into a whole number that can't hold it");
}

static void test_sanitizer_rerun__the_stack_has_an_end(void **state)
{
    struct workshop *workshop = workshop_of(state);
    assert_all_advise(workshop,
                      "static float f(float x, size_t n) { return x + f(x, n + 1); }\n" FILE_AROUND(
                          "weights[0] = f(scores[0], cols);"),
                      "Line 1 of anna.c: the stack is full.");
}

static void test_sanitizer_rerun__nothing_to_say_is_nothing_said(void **state)
{
    struct workshop *workshop = workshop_of(state);
    assert_advice(workshop, FILE_AROUND("weights[0] = scores[0];"), "");
    assert_advice(workshop, FILE_AROUND("x;"), "");
    assert_advice(workshop, "#include <stdlib.h>\n" FILE_AROUND("exit(0);"), "");
    workshop->limits.sanitizer.wall_ms = 700;
    assert_advice(workshop, FILE_AROUND("for (volatile int i = 0;; i = 0) { }"), "");
    workshop->limits = limits_default;
}

/* The program can print what it likes; it gets no further than words in the advice. */
static void test_sanitizer_rerun__forged_reports_can_only_lie_to_their_author(void **state)
{
    struct workshop *workshop = workshop_of(state);
    struct text advice = {.bytes = NULL};
    const char source[] = "#include <stdio.h>\n" FILE_AROUND(
        "fprintf(stderr, \"submission.c:3:1: runtime error: \\x1b[31m evil \\xff\\n\");\n"
        "fprintf(stderr, \"submission.c:99999:1: runtime error: x\\n\");\n");
    for (unsigned c = 0; c < workshop->n_compilers; c++)
        advise(workshop, c, source, &advice);
    assert_null(strchr(text_string(&advice), '\x1b'));
    assert_null(strstr(text_string(&advice), "\xff"));
    text_release(&advice);
}

static void test_sanitizer_rerun__a_failed_allocation_leaves_it_empty(void **state)
{
    struct workshop *workshop = workshop_of(state);
    for (long nth = 1; nth <= 8; nth++) {
        struct text advice = {.bytes = NULL};
        testing_fail_allocation(nth);
        advise(workshop, 0, FILE_AROUND("x;"), &advice);
        testing_fail_allocation(0);
        assert_int_equal(advice.size, 0);
        text_release(&advice);
    }
}

int main(void)
{
    unsetenv("CC");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sanitizer_rerun__a_step_beside_an_array_names_row_and_line),
        cmocka_unit_test(test_sanitizer_rerun__far_away_in_the_array_is_not_the_array_beside_it),
        cmocka_unit_test(test_sanitizer_rerun__vectors_and_bools_are_counted_in_numbers),
        cmocka_unit_test(test_sanitizer_rerun__a_local_array_is_named),
        cmocka_unit_test(test_sanitizer_rerun__memory_of_malloc),
        cmocka_unit_test(test_sanitizer_rerun__pointers_that_point_nowhere),
        cmocka_unit_test(test_sanitizer_rerun__calculations_that_go_wrong),
        cmocka_unit_test(test_sanitizer_rerun__the_stack_has_an_end),
        cmocka_unit_test(test_sanitizer_rerun__nothing_to_say_is_nothing_said),
        cmocka_unit_test(test_sanitizer_rerun__forged_reports_can_only_lie_to_their_author),
        cmocka_unit_test(test_sanitizer_rerun__a_failed_allocation_leaves_it_empty),
    };
    return cmocka_run_group_tests(tests, open_workshop, NULL);
}
