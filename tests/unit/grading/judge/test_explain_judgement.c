/* judge/explain.h: judgements as a learner is shown them. The exercise is written here, the wrong
 * answers are worked out by hand. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge/explain.h"
#include "show/backend.h"

#define LONG_PRINT "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"

static const char yaml[] =
    "id: row-sums\n"
    "number: 3\n"
    "title: Sums\n"
    "minutes: 5\n"
    "prototype: void row_sums(size_t n, size_t d, const float *x, float *sums);\n"
    "arrays:\n"
    "  - {name: x, shape: [n, d]}\n"
    "  - {name: sums, shape: [n], role: out}\n"
    "draw:\n"
    "  - x = reshape(arange(n * d), n, d) + 1\n"
    "stages:\n"
    "  - doubled = 2 * x\n"
    "  - total = sum(doubled, dim=1)\n"
    "expect:\n"
    "  - {array: sums, is: total}\n"
    "tolerance:\n"
    "  relative: 1e-5\n"
    "  absolute: 1e-12\n"
    "  reason: floats\n"
    "cases:\n"
    "  - name: two rows\n"
    "    sizes: {n: 2, d: 3}\n"
    "hints:\n"
    "  - Add.\n"
    "misconceptions:\n"
    "  - id: not-doubled\n"
    "    stages:\n"
    "      - doubled = x\n"
    "    ask: What happens to each number before it is added?\n"
    "    stage: doubled\n"
    "    math: doubled[i, j] = 2 * x[i, j]\n"
    "    lesson: sums#double\n"
    "  - id: last-column\n"
    "    stages:\n"
    "      - total = doubled[:, d - 1]\n"
    "    ask: How many numbers go into one sum?\n"
    "    stage: total\n"
    "    math: total[i] = sum over j of doubled[i, j]\n"
    "    lesson: sums#sum\n";

static char folder[64];
static struct exercise *exercise;
static struct fixture *fixture;

static void put_file(const char *name, const char *content)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static int load(void **state)
{
    static char base[32];
    struct error error;
    (void)state;
    snprintf(base, sizeof base, "/tmp/attn-explain-XXXXXX");
    assert_non_null(mkdtemp(base));
    snprintf(folder, sizeof folder, "%s/03-row-sums", base);
    char command[128];
    assert_int_equal(mkdir(folder, 0777), 0);
    put_file("exercise.yaml", yaml);
    put_file("task.md", "# Sums\n");
    put_file("row_sums.c", "void row_sums(size_t n, size_t d, const float *x, float *sums) {}\n");
    if (!exercise_load(folder, &exercise, &error))
        fail_msg("%s", error.text);
    if (!fixture_draw(exercise, &exercise->cases[0], 0, 1, NULL, false, NULL, &fixture, &error))
        fail_msg("%s", error.text);
    snprintf(command, sizeof command, "rm -rf '%s'", base);
    return system(command); /* NOLINT: a name of our own */
}

static int unload(void **state)
{
    (void)state;
    fixture_free(fixture);
    exercise_free(exercise);
    return 0;
}

/* A judgement of these sums, where 12 and 30 are right; NULL: there are none. */
static struct judgement judgement_of(enum verdict verdict, const char *detail, const float *sums)
{
    struct judgement judgement = {.build.program_fd = -1, .fixture = fixture};
    struct error error;
    result_init(&judgement.result);
    judgement.result.verdict = verdict;
    judgement.result.detail = strdup(detail);
    assert_true(result_add_case(&judgement.result, "two rows", N_CASE_GROUPS, verdict, (double)NAN,
                                &error));
    if (sums != NULL) {
        assert_true(answer_init(fixture, &judgement.answer, &error));
        memcpy(judgement.answer.floats[1], sums, 2 * sizeof *sums);
        judgement.difference = fixture_compare(fixture, &judgement.answer);
    }
    return judgement;
}

static char *explained(struct judgement *judgement)
{
    struct error error;
    if (!explain_message(exercise, judgement, &error))
        fail_msg("%s", error.text);
    return judgement->result.message;
}

static void assert_explains(struct judgement *judgement, const char *want)
{
    assert_string_equal(explained(judgement), want);
    judgement_release(judgement);
}

/* The explanation holds the part. */
static void assert_tells(struct judgement *judgement, const char *part)
{
    if (strstr(explained(judgement), part) == NULL)
        fail_msg("\"%s\" is not in:\n%s", part, judgement->result.message);
}

static void test_explain__pass_is_one_line(void **state)
{
    (void)state;
    struct judgement judgement = judgement_of(VERDICT_PASS, "", (const float[]){12, 30});
    assert_explains(&judgement, "ok row-sums  Right in every case.  1 case\n");
}

static void test_explain__wrong_numbers(void **state)
{
    (void)state;
    struct judgement judgement = judgement_of(VERDICT_WRONG_ANSWER, "", (const float[]){12, 15});
    assert_explains(&judgement, "x  row-sums  It runs, but the numbers are not right yet.\n"
                                "0 of 1 case is right. In \"two rows\":\n"
                                "  sums[1] should be 30; yours is 15\n"
                                "sums, expected  (2,)    sums, yours  (2,)\n"
                                " 0   1                   0   1\n"
                                "12  30                  12  15*\n"
                                "x  2x3\n"
                                "    0  1  2\n"
                                "0   1  2  3\n"
                                "1   4  5  6\n"
                                "  total[1] = 30\n"
                                "    = doubled[1, 0] + doubled[1, 1] + doubled[1, 2]\n"
                                "    = 8 + 10 + 12\n"
                                "  doubled[1, 0] = 8\n"
                                "    = 2 * x[1, 0]\n"
                                "    = 2 * 4\n"
                                "  (9 more lines)\n");
}

static void test_explain__named_idea_comes_first(void **state)
{
    (void)state;
    struct judgement judgement = judgement_of(VERDICT_WRONG_ANSWER, "", (const float[]){6, 15});
    judgement.diagnosis.ideas[0] = &exercise->misconceptions[0];
    judgement.diagnosis.n_ideas = 1;
    assert_tells(&judgement, "not right yet.\n"
                             "  These are the numbers of a known idea: not doubled\n"
                             "  What happens to each number before it is added?\n"
                             "  Stage doubled: doubled[i, j] = 2 * x[i, j]\n"
                             "0 of 1 case is right. In \"two rows\":");
    judgement_release(&judgement);
}

static void test_explain__two_ideas(void **state)
{
    (void)state;
    struct judgement judgement = judgement_of(VERDICT_WRONG_ANSWER, "", (const float[]){3, 6});
    judgement.diagnosis.ideas[0] = &exercise->misconceptions[0];
    judgement.diagnosis.ideas[1] = &exercise->misconceptions[1];
    judgement.diagnosis.n_ideas = 2;
    assert_tells(&judgement, "These are the numbers of two ideas: not doubled and last column");
    assert_tells(&judgement, "How many numbers go into one sum?");
    judgement_release(&judgement);
}

static void test_explain__where_it_goes_wrong(void **state)
{
    (void)state;
    struct judgement judgement = judgement_of(VERDICT_WRONG_ANSWER, "", (const float[]){1, 2});
    text_put(&judgement.where, "Right in all cases with n = 1.");
    assert_tells(&judgement, "Right in all cases with n = 1.\n");
    judgement_release(&judgement);
}

static void test_explain__not_written(void **state)
{
    (void)state;
    struct judgement judgement =
        judgement_of(VERDICT_WRONG_ANSWER, "not written", (const float[]){NAN, NAN});
    assert_tells(&judgement, "sums[0] should be 12; it was never set, or added to before it was.");
    judgement_release(&judgement);
    judgement = judgement_of(VERDICT_NON_FINITE, "", (const float[]){INFINITY, NAN});
    assert_tells(&judgement, "sums[0] should be 12; yours is inf");
    judgement_release(&judgement);
}

/* Numbers that look the same get more digits, and how far off they may be. */
static void test_explain__nearly_right(void **state)
{
    (void)state;
    struct judgement judgement =
        judgement_of(VERDICT_WRONG_ANSWER, "", (const float[]){12.001f, 30});
    assert_tells(&judgement, "sums[0] should be 12; yours is 12.001");
    assert_tells(&judgement, "That is off by 0.001, and 0.00012 is allowed.");
    judgement_release(&judgement);
    judgement = judgement_of(VERDICT_WRONG_ANSWER, "", (const float[]){12, 30.0005f});
    assert_tells(&judgement, "sums[1] should be 30; yours is 30.0005");
    judgement_release(&judgement);
}

static void test_explain__fault_of_the_program(void **state)
{
    (void)state;
    struct judgement judgement = judgement_of(VERDICT_OUT_OF_BOUNDS, "row 2 of x was read", NULL);
    text_put(&judgement.crash_report, "Line 7 reads x[6]; x has 6 numbers (0..5).");
    text_put(&judgement.printed, LONG_PRINT);
    assert_explains(&judgement, "x  row-sums  It read or wrote beside an array.\n"
                                "It printed:\n"
                                "  one\n  two\n  three\n  four\n  five\n  (2 more lines)\n"
                                "  Line 7 reads x[6]; x has 6 numbers (0..5).\n"
                                "0 of 1 case is right. In \"two rows\":\n"
                                "x  2x3\n"
                                "    0  1  2\n"
                                "0   1  2  3\n"
                                "1   4  5  6\n");
}

/* What is left of a case whose numbers stay untold. */
static void test_explain__hidden_case_is_its_sizes_and_one_cell(void **state)
{
    (void)state;
    struct judgement judgement = judgement_of(VERDICT_WRONG_ANSWER, "", (const float[]){12, 15});
    judgement.hides_case = true;
    judgement.n_hidden_bytes = 120;
    assert_explains(&judgement,
                    "x  row-sums  It runs, but the numbers are not right yet.\n"
                    "It printed 120 bytes, which are not shown.\n"
                    "0 of 1 case is right. In \"two rows\":\n"
                    "  sums[1] should be 30; yours is 15\n"
                    "  Sizes: n 2, d 3\n"
                    "  Its inputs are not shown. attn check tries other numbers, and shows "
                    "them.\n");
    judgement = judgement_of(VERDICT_CRASH, "SIGSEGV", NULL);
    judgement.hides_case = true;
    fixture->arrays[0].present = false;
    assert_tells(&judgement, "  Sizes: n 2, d 3\n  x is NULL\n  Its inputs are not shown");
    fixture->arrays[0].present = true;
    judgement_release(&judgement);
    judgement = judgement_of(VERDICT_PASS, "", (const float[]){12, 30});
    judgement.n_hidden_bytes = 3;
    assert_tells(&judgement, "1 case\nIt printed 3 bytes, which are not shown.\n");
    judgement_release(&judgement);
}

/* A step beside an array that only the bytes there tell of: the function answered, and wrongly. */
static void test_explain__fault_beside_wrong_numbers(void **state)
{
    (void)state;
    struct judgement judgement =
        judgement_of(VERDICT_OUT_OF_BOUNDS, "sums[2] was written, 1 past its end; sums has 2",
                     (const float[]){12.5f, 30});
    assert_tells(&judgement, "\n  sums[2] was written, 1 past its end; sums has 2\n");
    assert_tells(&judgement, "sums[0] should be");
    text_put(&judgement.crash_report, "Line 7: index 4 lies outside of its array.");
    assert_tells(&judgement, "\n  Line 7: index 4 lies outside of its array.\n");
    assert_null(strstr(judgement.result.message, "sums[2] was written")); /* one fact is enough */
    judgement_release(&judgement);
}

static void test_explain__compile_error(void **state)
{
    (void)state;
    struct judgement judgement = judgement_of(VERDICT_COMPILE_ERROR, "", NULL);
    text_put(&judgement.build.plain, "A semicolon is missing.");
    text_put(&judgement.build.messages, "row_sums.c:3: error: expected ';'\n  x = 1\n       ^\n");
    assert_tells(&judgement, "It does not compile.");
    assert_tells(&judgement, "\n  A semicolon is missing.\n  row_sums.c:3: error: expected ';'\n"
                             "    x = 1\n         ^\n");
    judgement_release(&judgement);
}

static void test_explain__starter(void **state)
{
    (void)state;
    struct judgement judgement = judgement_of(VERDICT_NOT_IMPLEMENTED, "", NULL);
    assert_tells(&judgement, "It is still the starter.");
    assert_tells(&judgement, "in place of the TODO");
    judgement_release(&judgement);
}

static void test_explain__terminal_gets_no_control_characters(void **state)
{
    (void)state;
    struct judgement judgement = judgement_of(VERDICT_CRASH, "SIGABRT", NULL);
    text_put(&judgement.printed, "\x1b[2Jgone\n");
    assert_tells(&judgement, "?[2Jgone");
    assert_null(strchr(judgement.result.message, '\x1b'));
    judgement_release(&judgement);
}

static void test_explain__memory_may_run_out(void **state)
{
    (void)state;
    struct error error;
    struct judgement judgement = judgement_of(VERDICT_WRONG_ANSWER, "", (const float[]){12, 15});
    assert_reports_failed_allocations(explain_message(exercise, &judgement, &error), error);
    assert_non_null(strstr(judgement.result.message, "sums[1] should be 30"));
    judgement_release(&judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explain__pass_is_one_line),
        cmocka_unit_test(test_explain__wrong_numbers),
        cmocka_unit_test(test_explain__named_idea_comes_first),
        cmocka_unit_test(test_explain__two_ideas),
        cmocka_unit_test(test_explain__where_it_goes_wrong),
        cmocka_unit_test(test_explain__not_written),
        cmocka_unit_test(test_explain__nearly_right),
        cmocka_unit_test(test_explain__fault_of_the_program),
        cmocka_unit_test(test_explain__hidden_case_is_its_sizes_and_one_cell),
        cmocka_unit_test(test_explain__fault_beside_wrong_numbers),
        cmocka_unit_test(test_explain__compile_error),
        cmocka_unit_test(test_explain__starter),
        cmocka_unit_test(test_explain__terminal_gets_no_control_characters),
        cmocka_unit_test(test_explain__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
