/* course/lesson/lesson_lint.h: a sound lesson has no faults, and each planted fault is found, with
 * its file and line. */
#include "lang_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "course/lesson/lesson_lint.h"
#include "course_testing.h"

/* The first place of `find` in the sound lesson is replaced; the lint must say "LINE: ... says". */
static const struct plant {
    const char *name, *find, *replace;
    unsigned line;
    const char *says;
} plants[] = {
    {"an unknown key in the header", "minutes: 8", "minuten: 8", 4, "no key 'minuten'"},
    {"a header without a title", "title: A small lesson\n", "", 2, "needs the key title"},
    {"minutes that are no number", "minutes: 8", "minutes: ten", 4, "minutes"},
    {"a header that is not closed", "  - read a score\n---\n", "  - read a score\n", 1,
     "not closed"},
    {"another title", "# A small lesson", "# A large lesson", 9, "differs from the header's title"},
    {"two steps of one name", "## The end", "## The scores", 141, "a step called the-scores"},
    {"two questions of one name", "### In order", "### How alike", 120,
     "a question called how-alike"},
    {"a question without its block", "kind: reflection\n```\n\n</details>\n",
     "kind: reflection\n```\n\n</details>\n\n### Forgotten\n\nWell?\n", 169,
     "forgotten has no <details> block"},
    {"a block that is not closed", "```attn type\n", "````attn type\n", 72, "not closed"},
    {"a mark nobody knows", "```attn type", "```attn typed", 72, "attn type or attn quiet"},
    {"an unknown kind", "kind: order", "kind: sequence", 129, "'sequence' is not one of the kinds"},
    {"a question without hints", "hints:\n  - Look at Q first.\n", "", 56, "needs the key hints"},
    {"a key of another kind", "kind: order", "kind: order\nwithin: 1", 129,
     "can't have the key within"},
    {"code that fails", "scores = Q @ K.T", "scores = Q @ K.t", 18, "it does not work"},
    {"offered code that fails", "heat weights", "heat weight", 74, "it does not work"},
    {"a computed number that fails", "`= max(scores)`", "`= max(score)`", 21, "score"},
    {"a computed number in a hint that fails", "It is above `= scores[0, 0]`",
     "It is above `= scores[5, 0]`", 35, "hints"},
    {"a number that was typed", "The largest is `= max(scores)`.", "The largest is 4.0.", 21,
     "a decimal number is typed"},
    {"a typed number in what is said", "That is one too many.", "That is 1.5 too many.", 92,
     "say: a decimal number is typed"},
    {"an answer that fails", "answer: scores[\"two\", \"two\"]", "answer: score[1, 1]", 31,
     "answer: score"},
    {"an answer that is no number", "answer: scores[\"two\", \"two\"]", "answer: scores[1]", 31,
     "a single number is asked"},
    {"an answer beyond the options", "answer: [1, 3]", "answer: [1, 4]", 57, "numbered 1 to 3"},
    {"an order that is not complete", "answer: [2, 1, 3]", "answer: [2, 1]", 130, "all 3 numbers"},
    {"another right order that is not whole", "answer: [2, 1, 3]",
     "answer: [2, 1, 3]\nalso:\n  - [2, 1]", 132, "also"},
    {"a wrong answer that is right", "is: scores[\"two\", \"two\"] / sqrt(2)", "is: scores[1, 1]",
     37, "is judged right"},
    {"a wrong formula that is right", "is: softmax(Q @ K.T, dim=-1)",
     "is: softmax(Q @ K.T / d_k ** 0.5)", 114, "is judged right"},
    {"two wrong answers that are alike", "is: sum(Q[1] + K[1])", "is: 4 / sqrt(2)", 39,
     "gets the text of the one in line 37"},
    {"a wrong option nobody speaks of", "  - is: 2\n    say: What", "  - is: [2, 3]\n    say: What",
     50, "option 2 is wrong"},
    {"a draw that a copy would pass",
     "  - d_k = 3 + argmax(rand(9))\n  - Q = randn(3, d_k)\n  - K = randn(4, d_k)\n",
     "  - d_k = 2\n", 107, "a copy of the numbers would pass"},
    {"a draw that leaves a name to the session", "Q = randn(3, d_k)",
     "Q = randn(len(scores) + 1, d_k)", 107, "draw: it makes every name"},
    {"a draw that fails", "Q = randn(3, d_k)", "Q = randn(3, dk)", 105, "dk"},
    {"a comparison without equal numbers", "answer: softmax(Q @ K.T / sqrt(d_k), dim=-1)\ndraw:",
     "answer: where(K @ Q[0] > 0.5, 1, 0)\ndraw:", 107,
     "this would pass: where(K @ Q[0] >= 0.5, 1"},
    {"a number in place of a name", "d_k = 3 + argmax(rand(9))", "d_k = 5", 107,
     "this would pass: softmax(Q @ K.T / sqrt(5), dim=-1); draw this number by chance"},
    {"an answer with what it may not use", "answer: softmax(Q @ K.T / sqrt(d_k), dim=-1)",
     "without: [softmax]\nanswer: softmax(Q @ K.T / sqrt(d_k), dim=-1)", 106,
     "this one without softmax"},
    {"something to do without in another kind", "kind: order", "kind: order\nwithout: [a]", 129,
     "can't have the key without"},
    {"cells outside of the matrix", "cells: [[0, 1], [1, 1]]", "cells: [[0, 1], [2, 1]]", 85,
     "outside the matrix"},
    {"options that are numbered otherwise", "2. Rows are keys.", "3. Rows are keys.", 50,
     "options are numbered"},
    {"an exercise that does not exist", "kind: reflection", "kind: exercise\nexercise: nonsense",
     165, "there is no exercise called nonsense"},
    {"a lesson before it that does not exist", "objectives:", "needs: [nowhere]\nobjectives:", 5,
     "no lesson nowhere"},
    {"a link that leads nowhere", "Softmax makes weights", "[Softmax](99-nowhere.md) makes weights",
     70, "which is not there"},
    {"a link to a step that is not there", "Softmax makes weights",
     "[Softmax](#nowhere) makes weights", 70, "no place called nowhere"},
    {"a zero byte", NULL, NULL, 1, "zero byte"},
};

/* The same in the lesson with the other kinds. */
static const struct plant kind_plants[] = {
    {"no cell is right", "answer: printed != scores", "answer: printed > 99", 30, "no cell"},
    {"a cell outside", "is: '[0, 0]'", "is: '[0, 3]'", 35, "outside the matrix"},
    {"a cell that is right", "is: '[0, 0]'", "is: '[1, 1]'", 35, "is judged right"},
    {"a mask of numbers",
     "answer: labels((tril(ones(3, 3)) - tril(ones(3, 3), diagonal=-2)) > 0, words, words)",
     "answer: tril(ones(3, 3))", 51, "True and False"},
    {"a mask that is too large",
     "labels((tril(ones(3, 3)) - tril(ones(3, 3), diagonal=-2)) > 0, words, words)",
     "ones(13, 2) > 0", 51, "at most 12 rows"},
    {"a condition that holds already", "holds: argmax(weights[\"sun\"]) == 0",
     "holds: argmax(weights[\"sun\"]) == 1", 71, "before anything is changed"},
    {"a change that does not do it", "answer: X[\"Hello\", 2] = 3", "answer: X[\"Hello\", 2] = 0",
     73, "not right by its own question"},
    {"a change of something else", "answer: X[\"Hello\", 2] = 3", "answer: scores[0, 2] = 3", 73,
     "a number of X is to be changed"},
    {"a wrong condition that the right change fulfils", "is: argmax(weights[\"sun\"]) == 2",
     "is: max(X) > 2", 78, "holds after the right change"},
    {"something made that fails", "makes: weights[\"sun\"]", "makes: weight", 72, "makes: weight"},
    {"a matrix that makes nothing", "makes: given @", "makes: taken @", 114, "makes: taken"},
    {"something hidden that is not there", "hides: round(X[0, 0] ** 2, decimals=4)", "hides: 17.5",
     97, "the page does not show it"},
    {"a change without a condition", "holds: argmax(weights[\"sun\"]) == 0\n", "", 69,
     "needs the key holds"},
};

struct lint_run {
    char folder[64], path[128];
    struct lesson_faults faults;
};

static int open_run(void **state)
{
    static struct lint_run run;
    run = (struct lint_run){.folder = "/tmp/attn-lint-XXXXXX"};
    *state = &run;
    if (mkdtemp(run.folder) == NULL)
        return 1;
    snprintf(run.path, sizeof run.path, "%s/small.md", run.folder);
    return 0;
}

static int close_run(void **state)
{
    struct lint_run *run = *state;
    unlink(run->path);
    rmdir(run->folder);
    lesson_faults_release(&run->faults);
    return 0;
}

static void lint_text(struct lint_run *run, const char *text, size_t size)
{
    struct error error;
    FILE *file = fopen(run->path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    lesson_faults_release(&run->faults);
    assert_true(lesson_lint(run->path, testing_data_dir(), NULL, &run->faults, &error));
}

static void test_lesson_lint__a_sound_lesson_has_no_faults(void **state)
{
    struct lint_run *run = *state;
    lint_text(run, small_lesson, strlen(small_lesson));
    assert_string_equal(text_string(&run->faults.text), "");
    assert_int_equal(run->faults.n, 0);
    lint_text(run, kinds_lesson, strlen(kinds_lesson));
    assert_string_equal(text_string(&run->faults.text), "");
}

/* The lesson with one fault. */
static void plant(const char *lesson, const struct plant *plant, struct text *text)
{
    const char *at = plant->find != NULL ? strstr(lesson, plant->find) : NULL;
    if (plant->find == NULL) {
        text_put(text, lesson);
        text_add(text, "\0", 1);
        return;
    }
    assert_non_null(at);
    text_add(text, lesson, (size_t)(at - lesson));
    text_put(text, plant->replace);
    text_put(text, at + strlen(plant->find));
}

static void assert_found(struct lint_run *run, const char *lesson, const struct plant *fault)
{
    char wanted[200];
    struct text text = {0};
    plant(lesson, fault, &text);
    lint_text(run, text_string(&text), text.size);
    text_release(&text);
    const char *faults = text_string(&run->faults.text);
    snprintf(wanted, sizeof wanted, "%s:%u: ", run->path, fault->line);
    const char *line = fault->find != NULL ? strstr(faults, wanted) : faults;
    const char *said = line != NULL ? strstr(line, fault->says) : NULL;
    if (said == NULL || run->faults.n == 0)
        fail_msg("%s: wanted %s...%s, got:\n%s", fault->name, wanted, fault->says, faults);
}

static void test_lesson_lint__every_planted_fault_is_found_at_its_line(void **state)
{
    for (size_t i = 0; i < COUNT_OF(plants); i++)
        assert_found(*state, small_lesson, &plants[i]);
    for (size_t i = 0; i < COUNT_OF(kind_plants); i++)
        assert_found(*state, kinds_lesson, &kind_plants[i]);
}

/* What only files with a number must have. */
static void test_lesson_lint__the_course_asks_for_more(void **state)
{
    struct lint_run *run = *state;
    static const char poor[] = "---\nid: other\ntitle: T\nminutes: 3\nobjectives: [a]\n---\n# T\n"
                               "## S\n```attn\n[f for f in range(60)].reshape(60, 1)\n"
                               "show arange(60).reshape(60, 1)\n```\n";
    snprintf(run->path, sizeof run->path, "%s/07-poor.md", run->folder);
    lint_text(run, poor, strlen(poor));
    const char *faults = text_string(&run->faults.text);
    assert_non_null(strstr(faults, ":2: id: it is other, and the file is called 07-poor"));
    assert_non_null(strstr(faults, "minutes: attn counts them (1 here); leave the key out"));
    assert_non_null(strstr(faults, "at least 5 questions of at least 3 kinds"));
    assert_non_null(strstr(faults, "has a picture"));
    assert_non_null(strstr(faults, "should not have to scroll"));
}

/* Pages are counted, and presses of Enter, of which a page needs one more for each line it offers.
 */
static void test_lesson_lint__no_long_stretch_without_a_question(void **state)
{
    static const char begin[] = "---\nid: long\ntitle: T\nobjectives: [a]\n---\n# T\n## S\n"
                                "```attn type\n";
    static const struct {
        unsigned n_lines, n_pages; /* lines to type; pages after that of the title */
        const char *says;          /* NULL: neither is too much */
    } lessons[] = {
        {3, 1, NULL},
        {2, 2, NULL},
        {1, 5, "6 pages follow each other up to here without a question"},
        {4, 1, "Enter is pressed 6 times up to here without a question"},
        {2, 3, "Enter is pressed 6 times up to here without a question"},
    };
    struct lint_run *run = *state;
    snprintf(run->path, sizeof run->path, "%s/07-long.md", run->folder);
    for (size_t i = 0; i < COUNT_OF(lessons); i++) {
        struct text text = {0};
        text_put(&text, begin);
        text_repeat(&text, "a = 1\n", lessons[i].n_lines);
        text_put(&text, "```\n");
        for (unsigned k = 1; k < lessons[i].n_pages; k++)
            text_format(&text, "## More %u\nOn.\n", k);
        lint_text(run, text_string(&text), text.size);
        text_release(&text);
        const char *faults = text_string(&run->faults.text);
        if (lessons[i].says != NULL && strstr(faults, lessons[i].says) == NULL)
            fail_msg("lesson %zu: wanted %s, got:\n%s", i, lessons[i].says, faults);
        if (lessons[i].says == NULL && strstr(faults, "without a question") != NULL)
            fail_msg("lesson %zu: %s", i, faults);
    }
}

static void test_lesson_lint__a_missing_file_is_a_fault(void **state)
{
    struct lint_run *run = *state;
    struct error error;
    assert_true(lesson_lint("/nowhere/x.md", NULL, NULL, &run->faults, &error));
    assert_int_equal(run->faults.n, 1);
    assert_non_null(strstr(text_string(&run->faults.text), "/nowhere/x.md"));
}

#define lint_test(test) cmocka_unit_test_setup_teardown(test, open_run, close_run)

int main(void)
{
    const struct CMUnitTest tests[] = {
        lint_test(test_lesson_lint__a_sound_lesson_has_no_faults),
        lint_test(test_lesson_lint__every_planted_fault_is_found_at_its_line),
        lint_test(test_lesson_lint__the_course_asks_for_more),
        lint_test(test_lesson_lint__no_long_stretch_without_a_question),
        lint_test(test_lesson_lint__a_missing_file_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
