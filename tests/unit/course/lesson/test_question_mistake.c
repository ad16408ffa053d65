/* course/lesson/question.h: the change of the right answer that gives what was typed. The numbers
 * are worked out by hand. */
#include "question_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "course/lesson/lesson_lint.h"
#include "diagnose/edits.h"

#define ANSWER                                       \
    "<details><summary>Answer and hints</summary>\n" \
    "\n"                                             \
    "```yaml\n"
#define ANSWER_END \
    "```\n"        \
    "\n"           \
    "</details>\n" \
    "\n"

/* scores are [[23, 7], [39, 13]]. */
static const char lesson[] = "---\n"
                             "id: small\n"
                             "title: A small lesson\n"
                             "objectives:\n"
                             "  - read a score\n"
                             "---\n"
                             "\n"
                             "# A small lesson\n"
                             "\n"
                             "## The scores\n"
                             "\n"
                             "```attn\n"
                             "Q = [[1, 3], [2, 5]]\n"
                             "K = [[2, 7], [4, 1]]\n"
                             "scores = Q @ K.T\n"
                             "d_k = 2\n"
                             "```\n"
                             "\n"
                             "### One score\n"
                             "\n"
                             "Which is it?\n"
                             "\n" ANSWER "kind: number\n"
                             "answer: scores[1, 0]\n"
                             "because: Multiplied and added up.\n"
                             "hints:\n"
                             "  - Multiply.\n"
                             "wrong:\n"
                             "  - is: 17\n"
                             "    say: A foreseen one.\n" ANSWER_END "### All scores\n"
                             "\n"
                             "Which are they?\n"
                             "\n" ANSWER "kind: matrix\n"
                             "answer: scores\n"
                             "because: Multiplied and added up.\n"
                             "hints:\n"
                             "  - Multiply.\n"
                             "wrong:\n"
                             "  - is: scores + 1\n"
                             "    say: A foreseen one.\n" ANSWER_END "### The weights\n"
                             "\n"
                             "Type them, from Q, K and d_k.\n"
                             "\n" ANSWER "kind: formula\n"
                             "answer: softmax(Q @ K.T / sqrt(d_k), dim=-1)\n"
                             "draw:\n"
                             "  - d_k = 3 + argmax(rand(9))\n"
                             "  - Q = randn(3, d_k)\n"
                             "  - K = randn(4, d_k)\n"
                             "because: Scaled.\n"
                             "hints:\n"
                             "  - Scale.\n"
                             "wrong:\n"
                             "  - is: softmax(Q @ K.T, dim=-1)\n"
                             "    say: A foreseen one.\n" ANSWER_END;

static struct edits edits;

static int open_desk(void **state)
{
    static struct desk desk;
    struct error error;
    *state = &desk;
    if (!desk_open(&desk, lesson) || !edits_open(desk.sessions.lesson->data_dir, &edits, &error))
        return 1;
    desk.sessions.edits = &edits;
    return 0;
}

static int close_desk(void **state)
{
    desk_close(*state);
    edits_release(&edits);
    return 0;
}

/* Names one of these mistakes, and says so; id "": names none. */
static void assert_names(struct desk *desk, const char *typed, const char *id, const char *says)
{
    struct judged judged = desk_judge(desk, typed);
    if (judged.right || judged.foreseen != NULL)
        fail_msg("%s: no search", typed);
    if (id[0] == '\0' ? judged.mistake[0] != '\0' : strstr(judged.mistake, id) == NULL)
        fail_msg("%s: wanted '%s', got '%s'", typed, id, judged.mistake);
    if (strstr(judged.note, says) == NULL)
        fail_msg("%s: wanted '%s', got '%s'", typed, says, judged.note);
}

static void test_question_mistake__in_a_number(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "one-score");
    assert_names(desk, "-39", "sign", "This comes out when the sign is wrong.");
    assert_names(desk, "78", "twice", "twice as large");
    assert_names(desk, "35", "first-left-out", "This comes out when"); /* 5 * 7, inside of scores */
    assert_names(desk, "23", "neighbour-cell", "the number at [0, 0] is taken");
    assert_names(desk, "0.0256", "reciprocal", "upside down"); /* 1 / 39 is 0.02564 */
    assert_names(desk, "0.0257", "", "");
    assert_names(desk, "1000.7", "", "");
    assert_names(desk, "1", "", ""); /* out of nearly anything */
    assert_string_equal(desk_wrong(desk, "17"), "A foreseen one.");
    assert_right(desk, "39");
}

static void test_question_mistake__in_a_matrix(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "all-scores");
    assert_names(desk, "[[23, 39], [7, 13]]", "cells-exchanged", "change places");
    assert_names(desk, "[[23, 7], [23, 7]]", "other-row", "row 1 repeats row 0");
    assert_names(desk, "[[23, 7], [39, -13]]", "sign", "one sign is lost");
    assert_names(desk, "[[23, 7], [35, 13]]", "-left-out", "This comes out when");
    /* Q @ K */
    assert_names(desk, "[[14, 10], [24, 19]]", "transpose-left-out", "the transpose is left out");
    assert_names(desk, "[[23, 7], [39, 77]]", "", "1 of the 4 cells is wrong.");
}

static void test_question_mistake__in_one_cell(void **state)
{
    struct desk *desk = *state;
    struct question_cells cells;
    struct judged judged;
    struct error error;
    desk_go_to(desk, "all-scores");
    assert_true(question_cells(desk->question, &desk->sessions, &cells, &error));
    assert_true(
        question_judge_cell(desk->question, &desk->sessions, &cells, 2, "13", &judged, &error));
    assert_string_equal(judged.mistake, "neighbour-cell");
    assert_non_null(strstr(judged.note, "the number at [1, 1] is taken"));
    question_cells_release(&cells);
}

static void test_question_mistake__in_a_formula(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "the-weights");
    assert_names(desk, "softmax(Q @ K.T / d_k)", "root-left-out", "not by its square root");
    assert_names(desk, "softmax(Q @ K.T * sqrt(d_k))", "times-for-divide", "a product");
    assert_names(desk, "sigmoid(Q @ K.T / sqrt(d_k))", "sigmoid", "sigmoid");
    assert_names(desk, "softmax(Q @ K.T / sqrt(d_k)) + 0.123", "", "are not");
    /* one too many with all fresh inputs, and not with the lesson's */
    assert_names(desk, "softmax(Q @ K.T / sqrt(d_k)) + (len(K) > 2)", "", "");
}

/* Without the table, or a place to say it, all is as it was. */
static void test_question_mistake__without_edits(void **state)
{
    struct desk *desk = *state;
    desk->sessions.edits = NULL;
    desk_go_to(desk, "one-score");
    assert_names(desk, "-39", "", "");
    desk_go_to(desk, "all-scores");
    assert_names(desk, "[[23, 7], [23, 7]]", "", "2 of the 4 cells are wrong.");
}

static void test_question_mistake__every_failed_allocation_is_reported(void **state)
{
    static const char few[] =
        "edits:\n"
        "  - {id: sign, match: _x, put: -(_x), whole: true, when: w, ask: a}\n"
        "  - {id: less, match: _x, put: 0 - (_x), when: v, ask: b}\n"
        "likely: [sign, less]\n";
    static const char *const answers[][2] = {{"one-score", "-39"},
                                             {"all-scores", "[[-23, -7], [-39, 0]]"},
                                             {"all-scores", "[[23, 7], [39, 39]]"}};
    struct desk *desk = *state;
    struct judged judged;
    struct error error;
    edits_release(&edits);
    assert_true(edits_read("few", few, sizeof few - 1, &edits, &error));
    for (size_t i = 0; i < COUNT_OF(answers); i++) {
        desk_go_to(desk, answers[i][0]);
        assert_reports_failed_allocations(
            question_judge(desk->question, &desk->sessions, answers[i][1], &judged, &error), error);
        assert_false(judged.right);
    }
}

/* ---- what lint has of it ---- */

static void write_file(const char *folder, const char *name, const char *text, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_question_mistake__a_list_of_answers(void **state)
{
    static const char list[] = "# answers\n"
                               "- lesson: small\n"
                               "  question: one-score\n"
                               "  typed: \"-39\"\n"
                               "  wrong: lost\n"
                               "  says: [sign]\n"
                               "- {lesson: small, question: all-scores, typed: scores}\n"
                               "- {lesson: small, question: one-score, typed: \"17\"}\n"
                               "- {lesson: small, question: one-score, typed: \"1234\"}\n"
                               "- {lesson: small, question: one-score, typed: four}\n";
    static const char nowhere[] = "- {lesson: small, question: none, typed: \"1\"}\n";
    char folder[] = "/tmp/attn-answers-XXXXXX", lesson_path[256], path[256];
    struct desk *desk = *state;
    const char *data_dir = desk->sessions.lesson->data_dir;
    struct text out = {0};
    struct error error = {0};
    assert_non_null(mkdtemp(folder));
    write_file(folder, "small.md", lesson, lesson_path);
    write_file(folder, "answers.yaml", list, path);
    assert_true(lesson_judge_answers(path, folder, data_dir, NULL, &out, &error));
    const char *said = text_string(&out);
    assert_non_null(strstr(said, "small\tone-score\t-39\tedit sign\n"));
    assert_non_null(strstr(said, "small\tall-scores\tscores\tright\n"));
    assert_non_null(strstr(said, "small\tone-score\t17\tforeseen 1\n"));
    assert_non_null(strstr(said, "small\tone-score\t1234\tgeneric\n"));
    assert_non_null(strstr(said, "small\tone-score\tfour\trefused: "));
    write_file(folder, "answers.yaml", nowhere, path);
    assert_false(lesson_judge_answers(path, folder, data_dir, NULL, &out, &error));
    assert_non_null(strstr(error.text, "small has no question none"));
    write_file(folder, "answers.yaml", "- lesson: small\n  typed: 3\n", path);
    assert_false(lesson_judge_answers(path, folder, data_dir, NULL, &out, &error));
    assert_non_null(strstr(error.text, "answers.yaml:1: ")); /* its own lines are counted */
    text_release(&out);
    unlink(path);
    unlink(lesson_path);
    rmdir(folder);
}

static void test_question_mistake__notes_for_authors(void **state)
{
    char folder[] = "/tmp/attn-edits-XXXXXX", path[256];
    struct desk *desk = *state;
    struct text out = {0};
    struct error error = {0};
    assert_non_null(mkdtemp(folder));
    write_file(folder, "small.md", lesson, path);
    assert_true(lesson_note_edits(path, desk->sessions.lesson->data_dir, NULL, &out, &error));
    assert_non_null(strstr(text_string(&out), "note: -39 has no text; it comes out when the sign "
                                              "is wrong (sign): -(scores[1, 0])\n"));
    /* what is foreseen is not told */
    assert_null(strstr(text_string(&out), "(scale-left-out)"));
    text_release(&out);
    unlink(path);
    rmdir(folder);
}

#define desk_test(test) cmocka_unit_test_setup_teardown(test, open_desk, close_desk)

int main(void)
{
    const struct CMUnitTest tests[] = {
        desk_test(test_question_mistake__in_a_number),
        desk_test(test_question_mistake__in_a_matrix),
        desk_test(test_question_mistake__in_one_cell),
        desk_test(test_question_mistake__in_a_formula),
        desk_test(test_question_mistake__without_edits),
        desk_test(test_question_mistake__every_failed_allocation_is_reported),
        desk_test(test_question_mistake__a_list_of_answers),
        desk_test(test_question_mistake__notes_for_authors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
