/* course/lesson/question.h: cells that are pointed at, masks, changes, and what an answer makes. */
#include "question_testing.h"

#include <string.h>

#include "base/array.h"
#include "course/lesson/page_internal.h"
#include "course_testing.h"

static int open_desk(void **state)
{
    static struct desk desk;
    *state = &desk;
    return desk_open(&desk, kinds_lesson) ? 0 : 1;
}

static int close_desk(void **state)
{
    desk_close(*state);
    return 0;
}

static void assert_wrong(struct desk *desk, const char *typed, const char *says)
{
    const char *said = desk_wrong(desk, typed);
    if (strcmp(said, says) != 0)
        fail_msg("%s: wanted '%s', got '%s'", typed, says, said);
}

/* No answer; the place of the error in what was typed reads so. */
static void assert_no_answer(struct desk *desk, const char *typed, const char *says,
                             const char *marked)
{
    struct error error = desk_refused(desk, typed);
    assert_says(error, says);
    if (error.end - error.begin != strlen(marked) ||
        memcmp(typed + error.begin, marked, strlen(marked)) != 0)
        fail_msg("%s: marked %zu to %zu", typed, error.begin, error.end);
}

/* What an answer makes, as plain text. */
static void assert_makes(struct desk *desk, const char *typed, const char *wanted)
{
    struct doc out;
    struct error error = {0};
    struct text text = {0};
    doc_init(&out);
    if (!question_makes(desk->question, &desk->sessions, typed, &out, &error))
        fail_msg("%s: %s", typed, error.text);
    doc_check_lines(&out, 80, false, &text);
    assert_string_equal(text_string(&text), wanted);
    text_release(&text);
    doc_release(&out);
}

static void test_question_kinds__a_cell_as_one_may_write_it(void **state)
{
    static const char *const ways[] = {
        "1, 1",           "1 1",           " 1,1 ",
        "[1, 1]",         "printed[1, 1]", "printed[\"shiny\", \"shiny\"]",
        "W[-2, 'shiny']", "1, 1;",         "W[1, 1]; 1 1"};
    struct desk *desk = *state;
    desk_go_to(desk, "a-faulty-cell");
    for (size_t i = 0; i < COUNT_OF(ways); i++)
        assert_right(desk, ways[i]);
    assert_tells(desk, "`[shiny, shiny]`");
}

static void test_question_kinds__wrong_cells(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "a-faulty-cell");
    assert_wrong(desk, "0, 0", "That one is right.");
    assert_wrong(desk, "2, 2", "Nothing is wrong there.");
    assert_wrong(desk, "1", "Nothing is wrong there."); /* the whole row */
    assert_wrong(desk, "0, 0; 1, 1", "That one is right.");
    desk_own_question(desk);
    assert_wrong(desk, "0, 0", "");
    assert_wrong(desk, "0, 0; 1, 1", "1 of these 2 cells is right.");
    desk_ask_for(desk, "[[1, 1], [0, 2]]");
    assert_wrong(desk, "0, 2", "That is right, but not all: 1 of 2.");
    assert_right(desk, "0, 2; 1, 1");
    assert_tells(desk, "`[Hello, sun]`, `[shiny, shiny]`");
}

static void test_question_kinds__what_is_no_cell(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "a-faulty-cell");
    assert_no_answer(desk, "0, 0; 9, 9", "axis 0 has 3 positions", "9");
    assert_no_answer(desk, "W[\"shiny\", \"sunn\"]", "did you mean \"sun\"", "\"sunn\"");
    assert_no_answer(desk, "", "a cell is expected", "");
    assert_no_answer(desk, " ; ", "a cell is expected", "");
    assert_no_answer(desk, "0, 0, 0", "", "0");
    assert_no_answer(desk, "0, )", "", ")");
}

static void test_question_kinds__masks(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "a-window");
    assert_right(desk, "100 110 011");
    assert_right(desk, "1 0 0, 1 1 0, 0 1 1");
    assert_right(desk, "[[1, 0, 0], [1, 1, 0], [0, 1, 1]]");
    assert_right(desk, "[[True, False, False], [True, True, False], [False, True, True]]");
    assert_right(desk, "tril(ones(3, 3)) - [[0, 0, 0], [0, 0, 0], [1, 0, 0]]");
    assert_wrong(desk, "100 110 111", "No window.");
    assert_wrong(desk, "100 110 010", "1 of the 9 cells is wrong.");
    assert_string_equal(desk_judge(desk, "100 110 010").where, "It is [sun, sun].");
    assert_wrong(desk, "110 110 010", "2 of the 9 cells are wrong.");
    assert_string_equal(desk_judge(desk, "110 110 010").where,
                        "The first of them is [Hello, shiny].");
    assert_no_answer(desk, "100 110", "a mask of 3x3 is asked for: 9 cells, and these are 6", "");
    assert_no_answer(desk, "ones(3, 2)", "this is 3x2", "");
    assert_no_answer(desk, "ones(3, 3) * 2", "1 (or True) and 0 (or False)", "");
}

static void test_question_kinds__changes(void **state)
{
    struct desk *desk = *state;
    struct text before = {0}, after = {0};
    desk_go_to(desk, "look-at-hello");
    lang_describe(&desk->lang, &before);
    assert_right(desk, "X[\"Hello\", 2] = 3");
    assert_right(desk, "X[0, 1] = 2 + 2");
    assert_right(desk, "whatif X[-3, -1] = 3;");
    assert_wrong(desk, "X[0, 0] = 0", "");
    assert_wrong(desk, "X[2, 2] = 40", "Now it looks at itself.");
    assert_no_answer(desk, "Y[0] = 2", "Y: a number of X is to be changed", "Y[0] = 2");
    assert_no_answer(desk, "X = 2", "one number of it is to be changed", "X = 2");
    assert_no_answer(desk, "X[0] = 2", "that is more than one number", "X[0] = 2");
    assert_no_answer(desk, "X[0, 3] = 2", "axis 1 has 3 positions", "X[0, 3] = 2");
    assert_no_answer(desk, "X[0, 0] += 2", "write it out", "X[0, 0]");
    assert_no_answer(desk, "X[0, 0]", "a change is expected", "X[0, 0]");
    assert_no_answer(desk, "", "a change is expected", "");
    assert_no_answer(desk, "X[0, 0] = )", "", ")");
    assert_no_answer(desk, "X[0, 0] = X", "a single number is asked for", "X[0, 0] = X");
    assert_no_answer(desk, "X[0, 0] = X[0, 0]", "is there already", "X[0, 0] = X[0, 0]");
    assert_no_answer(desk, "X[0, 0] = 1; X[0, 1] = 1", "at most 1 number may change",
                     "X[0, 1] = 1");
    assert_tells(desk, "for example `X[\"Hello\", 2] = 3`");
    lang_describe(&desk->lang, &after);
    assert_string_equal(text_string(&after), text_string(&before));
    text_release(&before);
    text_release(&after);
}

static void test_question_kinds__changes_of_some_cells(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "look-at-hello");
    struct question *question = desk_own_question(desk);
    struct lesson_text change[] = {{(char[]){"X[\"Hello\"]"}, 1}, {(char[]){"X[2, 0]"}, 1}};
    question->change = change;
    question->n_change = COUNT_OF(change);
    question->most = 2;
    assert_right(desk, "X[0, 2] = 3");
    assert_right(desk, "X[0, 2] = 3; X[2, 0] = 0.5");
    assert_no_answer(desk, "X[1, 0] = 3", "a number of X[\"Hello\"], X[2, 0] is to be",
                     "X[1, 0] = 3");
    assert_no_answer(desk, "X[0, 2] = 3; X[0, 2] = 4", "changed twice", "X[0, 2] = 4");
    assert_no_answer(desk, "X[0, 0] = 3; X[0, 1] = 4; X[0, 2] = 4", "at most 2 numbers",
                     "X[0, 2] = 4");
}

/* A learner who gave the lesson's names other values still answers about the lesson. */
static void test_question_kinds__the_learners_session_is_another_one(void **state)
{
    struct desk *desk = *state;
    struct lang learner;
    lang_open(&learner);
    lang_run(&learner, "X = 5; printed = 6; k = 3");
    desk->sessions.learner = &learner.session;
    desk_go_to(desk, "a-faulty-cell");
    assert_right(desk, "printed[1, 1]");
    desk_go_to(desk, "look-at-hello");
    assert_right(desk, "X[0, 2] = k");
    assert_makes(desk, "X[0, 2] = k", "That makes weights[\"sun\"] = [0.7445, 0.1283, 0.1272].\n");
    lang_close(&learner);
}

static void test_question_kinds__what_an_answer_makes(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "a-mix");
    assert_makes(desk, "[0.5, 0.5, 0]", "That makes [2, 4].\n");
    assert_makes(desk, "[inf, 0, -inf]", "That makes [nan, nan].\n");
    struct question *question = desk_own_question(desk);
    question->makes.text = (char[]){"given[:, None] * [1, 2]"};
    assert_makes(desk, "[0.5, 1, 0]",
                 "That makes:\n0.5000  1.0000\n1.0000  2.0000\n0.0000  0.0000\n");
    question->makes.text = NULL;
    assert_makes(desk, "[0.5, 1, 0]", "");
}

static void test_question_kinds__a_page_hides(void **state)
{
    struct desk *desk = *state;
    struct doc out;
    struct text shown = {0};
    struct error error;
    unsigned line;
    size_t page = lesson_page(desk->lesson, "a-term");
    desk_go_to(desk, "a-term");
    doc_init(&out);
    assert_true(
        page_run(&desk->lang.session, &desk->lesson->pages[page], PAGE_HIDES, &out, &line, &error));
    doc_check_lines(&out, 80, false, &shown);
    assert_non_null(strstr(text_string(&shown), "  = ? + 0.0484 + 0.2916\n"));
    assert_null(strstr(text_string(&shown), "0.1156"));
    text_clear(&shown);
    doc_clear(&out);
    assert_true(page_run(&desk->lang.session, &desk->lesson->pages[page], 0, &out, &line, &error));
    doc_check_lines(&out, 80, false, &shown);
    assert_non_null(strstr(text_string(&shown), "  = 0.1156 + 0.0484 + 0.2916\n"));
    text_release(&shown);
    doc_release(&out);
    /* Only what stands alone: 2 is not hidden in 22, a2 or 2.5. */
    struct question question = {.n_hides = 2};
    struct lesson_text hides[] = {{(char[]){"1 + 1"}, 1}, {(char[]){"\"b c\""}, 1}};
    question.hides = hides;
    doc_init(&out);
    doc_line(&out, STYLE_PLAIN, "2 22 a2 2.5 (2) ab c, b c2 b c;2");
    assert_true(page_hide(&question, &desk->lang.session, &out, &error));
    doc_check_lines(&out, 80, false, &shown);
    assert_string_equal(text_string(&shown), "? 22 a2 2.5 (?) ab c, b c2 ?;?\n");
    text_release(&shown);
    doc_release(&out);
}

/* What stands on the page before the question is shown as it is: the names of hides may come up
 * only in the question's own code. */
static void test_question_kinds__a_page_hides_nothing_before_its_question(void **state)
{
    struct desk *desk = *state;
    struct lesson_text hides = {(char[]){"later"}, 12};
    struct question question = {.line = 10, .hides = &hides, .n_hides = 1};
    struct page_part parts[] = {{PART_CODE, {(char[]){"1 + 1"}, 8}},
                                {PART_CODE, {(char[]){"later = 2; later * 1"}, 12}}};
    struct page page = {.parts = parts, .n_parts = COUNT_OF(parts), .question = &question};
    struct doc out;
    struct text shown = {0};
    struct error error;
    unsigned line;
    doc_init(&out);
    assert_true(page_run(&desk->lang.session, &page, PAGE_HIDES, &out, &line, &error));
    doc_check_lines(&out, 80, false, &shown);
    assert_non_null(strstr(text_string(&shown), "attn> 1 + 1\n2\n"));
    assert_non_null(strstr(text_string(&shown), "later * 1\n?\n"));
    text_release(&shown);
    doc_release(&out);
}

static bool make(struct desk *desk, const char *typed, struct error *reterr)
{
    struct doc out;
    doc_init(&out);
    bool ok = question_makes(desk->question, &desk->sessions, typed, &out, reterr);
    doc_release(&out);
    return ok;
}

static void test_question_kinds__every_failed_allocation_is_reported(void **state)
{
    struct desk *desk = *state;
    struct judged judged;
    struct error error;
    static const char *const answers[][2] = {{"a-faulty-cell", "0, 0; W[2, 2]"},
                                             {"a-window", "110 110 011"},
                                             {"a-window", "zeros(3, 3)"},
                                             {"a-mix", "[0.5, 0.5, 0]"}};
    for (size_t i = 0; i < COUNT_OF(answers); i++) {
        desk_go_to(desk, answers[i][0]);
        assert_reports_failed_allocations(
            question_judge(desk->question, &desk->sessions, answers[i][1], &judged, &error), error);
        assert_false(judged.right);
        if (desk->question->makes.text != NULL)
            assert_reports_failed_allocations(make(desk, answers[i][1], &error), error);
    }
}

/* What whatif and keep show on the way is of no interest, so it does not matter where there is no
 * memory for that; the change is judged as ever, or it is an error. */
static void test_question_kinds__a_change_without_memory(void **state)
{
    struct desk *desk = *state;
    bool reached = true;
    desk_go_to(desk, "look-at-hello");
    for (long nth = 1; reached; nth++) {
        struct judged judged = {.right = true};
        struct error error = {0};
        testing_fail_allocation(nth);
        bool ok = question_judge(desk->question, &desk->sessions, "X[0, 0] = 0.1", &judged, &error);
        reached = testing_allocations() >= nth;
        testing_fail_allocation(0);
        assert_int_equal(error.kind, ok ? ERR_NONE : ERR_MEMORY);
        assert_int_equal(judged.right, !ok);
    }
    assert_right(desk, "X[0, 2] = 3");
}

#define desk_test(test) cmocka_unit_test_setup_teardown(test, open_desk, close_desk)

int main(void)
{
    const struct CMUnitTest tests[] = {
        desk_test(test_question_kinds__a_cell_as_one_may_write_it),
        desk_test(test_question_kinds__wrong_cells),
        desk_test(test_question_kinds__what_is_no_cell),
        desk_test(test_question_kinds__masks),
        desk_test(test_question_kinds__changes),
        desk_test(test_question_kinds__changes_of_some_cells),
        desk_test(test_question_kinds__the_learners_session_is_another_one),
        desk_test(test_question_kinds__what_an_answer_makes),
        desk_test(test_question_kinds__a_page_hides),
        desk_test(test_question_kinds__a_page_hides_nothing_before_its_question),
        desk_test(test_question_kinds__every_failed_allocation_is_reported),
        desk_test(test_question_kinds__a_change_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
