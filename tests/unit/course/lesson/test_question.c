/* course/lesson/question.h: judging answers of each kind. */
#include "question_testing.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "course_testing.h"

static int open_desk(void **state)
{
    static struct desk desk;
    *state = &desk;
    return desk_open(&desk, small_lesson) ? 0 : 1;
}

static int close_desk(void **state)
{
    desk_close(*state);
    return 0;
}

/* Wrong, with this in what is said about it; "": nothing is said. */
static void assert_wrong(struct desk *desk, const char *typed, const char *says)
{
    const char *said = desk_wrong(desk, typed);
    if (says[0] == '\0' ? said[0] != '\0' : strstr(said, says) == NULL)
        fail_msg("%s: wanted '%s', got '%s'", typed, says, said);
}

static void assert_no_answer(struct desk *desk, const char *typed, enum error_kind kind,
                             const char *says)
{
    struct error error = desk_refused(desk, typed);
    assert_int_equal(error.kind, kind);
    assert_says(error, says);
}

static void test_question__number(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "how-alike");
    assert_right(desk, "4");
    assert_right(desk, "4.0");
    assert_right(desk, "scores[1, 1]");
    assert_right(desk, "4.002");
    assert_wrong(desk, "4.0021", "");
    assert_wrong(desk, "2.828", "Nobody asked for scaled scores.");
    assert_wrong(desk, "2.83", "Nobody asked for scaled scores."); /* rounded, as people do */
    assert_wrong(desk, "2.8", "");
    assert_wrong(desk, "5", "You added the numbers.");
    assert_wrong(desk, "nan", "");
    assert_wrong(desk, "-4", "");
    assert_no_answer(desk, "scores", ERR_SHAPE, "a single number is asked for");
    assert_no_answer(desk, "4 +", ERR_SYNTAX, "");
    assert_no_answer(desk, "x = 4", ERR_SYNTAX, "one expression is expected");
    assert_no_answer(desk, "1; 2", ERR_SYNTAX, "one expression is expected");
    assert_no_answer(desk, "four", ERR_NAME, "four");
    assert_no_answer(desk, "\"4\"", ERR_TYPE, "");
}

static void test_question__a_number_that_is_rounded_too_far_is_told_so(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "how-alike");
    struct question *question = desk_own_question(desk);
    desk_ask_for(desk, "1 / 3");
    assert_right(desk, "0.333");
    assert_right(desk, "0.3333");
    assert_wrong(desk, "0.33", "right as far as it goes");
    assert_wrong(desk, "0.3", "right as far as it goes");
    assert_wrong(desk, "0.34", "");
    assert_wrong(desk, "0", "");
    assert_wrong(desk, "1", "");
    question->within = 0.01;
    assert_right(desk, "0.33");
}

/* A short number is written whole: a coarser one is another. */
static void test_question__a_short_number_is_not_rounded(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "how-alike");
    desk_own_question(desk);
    desk_ask_for(desk, "1 / 4");
    assert_right(desk, "0.25");
    assert_wrong(desk, "0.3", "");
    assert_wrong(desk, "0.2", "");
    desk_ask_for(desk, "0.4556");
    assert_wrong(desk, "0.46", "right as far as it goes");
}

/* What people write for numbers, beside what the language has. */
static void test_question__numbers_as_people_write_them(void **state)
{
    static const struct {
        const char *answer;
        const char *typed;
    } trials[] = {
        {"38597376", "50257 x 768"},
        {"38597376", "50257 \xC3\x97 768"},
        {"38597376", "50,257*768"},
        {"38597376", "50 257 X 768"},
        {"38597376", "38,597,376"},
        {"50257", "50\xC2\xA0"
                  "257"},
        {"1234.5", "1,234.5"},
        {"0.25", "1/4"},
        {"sqrt(3)", "sqrt(3)"},
        {"46", "46\xC2\xB0"},
        {"-2", "\xE2\x88\x92"
               "2"},
        {"2.5", "5 \xC3\xB7 2"},
        {"0.1", "10%"},
        {"0.1", "10 %"},
        {"3", "300%"},
        {"maximum(1, 234)", "maximum(1,234)"},
        {"10 % 3", "10 % 3"},
        {"6", "(1 + 2) x (3 - 1)"},
        {"2", "[1, 2][1]"},
        {"1234", "1,234"},
    };
    struct desk *desk = *state;
    desk_go_to(desk, "how-alike");
    desk_own_question(desk);
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        desk_ask_for(desk, trials[i].answer);
        assert_right(desk, trials[i].typed);
    }
    desk_ask_for(desk, "2");
    assert_no_answer(desk, "1,2", ERR_SHAPE, "write decimals with a point");
    assert_no_answer(desk, "0,25*4 + 0,5*16", ERR_SHAPE, "write decimals with a point");
    assert_no_answer(desk, "[1,2]", ERR_SHAPE, "a single number is asked for here");
    assert_no_answer(desk, "1,23,456", ERR_SHAPE, "a single number is asked for");
    assert_no_answer(desk, "0x10", ERR_SYNTAX, "digits and + - * / here");
    assert_no_answer(desk, "about 2", ERR_SYNTAX, "digits and + - * / here");
    assert_no_answer(desk, "two", ERR_NAME, "two: no such name; digits and + - * / here");
    assert_no_answer(desk, "%", ERR_SYNTAX, "digits and + - * / here");
}

/* Nobody is wrong by the sign alone, and nobody right. */
static void test_question__a_percent_sign(void **state)
{
    struct desk *desk = *state;
    struct error error;
    struct guess guessed;
    desk_go_to(desk, "how-alike");
    struct question *question = desk_own_question(desk);
    desk_ask_for(desk, "0.5");
    assert_right(desk, "50%");
    assert_wrong(desk, "0.5%", "");
    desk_ask_for(desk, "46.2");
    assert_wrong(desk, "46.2%", "");
    question->in_percent = true;
    assert_right(desk, "46.2%");
    assert_right(desk, "46.2");
    desk_ask_for(desk, "0.1"); /* a share, in a question that speaks of percent */
    assert_right(desk, "10%");
    assert_true(question_check_guess(desk->question, &desk->sessions, "10%", &guessed, &error));
    assert_true(guessed.is_right);
    desk_ask_for(desk, "46.2");
    assert_true(question_check_guess(desk->question, &desk->sessions, "46%", &guessed, &error));
    assert_true(guessed.is_right); /* as far as it was typed */
    assert_true(question_check_guess(desk->question, &desk->sessions, "50%", &guessed, &error));
    assert_false(guessed.is_right);
}

static void test_question__choice(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "which-row");
    assert_right(desk, "1 3");
    assert_right(desk, "3, 1");
    assert_right(desk, "[1, 3]");
    assert_wrong(desk, "1", "not all of it");
    assert_wrong(desk, "2", "What does a row");
    assert_wrong(desk, "1 2", "What does a row");
    assert_wrong(desk, "1 2 3", "What does a row");
    assert_no_answer(desk, "4", ERR_RANGE, "numbered 1 to 3");
    assert_no_answer(desk, "0", ERR_RANGE, "numbered 1 to 3");
    assert_no_answer(desk, "1 1", ERR_RANGE, "twice");
    assert_no_answer(desk, "99999999999999999999", ERR_RANGE, "numbered 1 to 3");
    assert_no_answer(desk, "1.5", ERR_RANGE, "numbered 1 to 3");
    assert_no_answer(desk, " , ", ERR_SYNTAX, "expected");
}

static void test_question__order(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "in-order");
    assert_right(desk, "2 1 3");
    assert_right(desk, "[2, 1, 3]");
    assert_right(desk, "213");
    assert_right(desk, "2, 1, 3");
    assert_right(desk, "2; 1; 3");
    assert_right(desk, "21 3");
    assert_no_answer(desk, "21", ERR_RANGE, "all 3 numbers");
    assert_no_answer(desk, "214", ERR_RANGE, "numbered 1 to 3");
    assert_no_answer(desk, "210", ERR_RANGE, "numbered 1 to 3");
    assert_no_answer(desk, "2113", ERR_RANGE, "twice");
    assert_wrong(desk, "123", "Softmax of what?");
    assert_wrong(desk, "1 2 3", "Softmax of what?");
    assert_wrong(desk, "2 3 1", "1 of 3 stands right.");
    assert_wrong(desk, "3 2 1", "0 of 3 stand right.");
    assert_no_answer(desk, "2 1", ERR_RANGE, "all 3 numbers");
}

static void test_question__order_may_have_several_right_ones(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "in-order");
    struct question *question = desk_own_question(desk);
    question->also = &(struct lesson_text){(char[]){"[3, 2, 1]"}, 1};
    question->n_also = 1;
    assert_right(desk, "3 2 1");
    assert_right(desk, "2 1 3");
    assert_wrong(desk, "3 1 2", "1 of 3 stands right."); /* of the nearer one */
}

static void test_question__matrix_whole_and_cell_by_cell(void **state)
{
    struct desk *desk = *state;
    struct question_cells cells;
    struct judged judged;
    struct error error;
    desk_go_to(desk, "fill-in");
    assert_right(desk, "scores");
    assert_right(desk, "[[9, 1], [9, 4]]"); /* the other cells are not asked for */
    assert_wrong(desk, "scores + 1", "one too many");
    assert_wrong(desk, "[[2, 1], [0, 3]]", "1 of the 2 cells is wrong");
    assert_no_answer(desk, "[1, 2]", ERR_SHAPE, "a matrix of 2x2 is asked for");
    assert_true(question_cells(desk->question, &desk->sessions, &cells, &error));
    assert_int_equal(cells.n, 2);
    assert_int_equal(cells.positions[0], 1);
    assert_int_equal(cells.positions[1], 3);
    assert_true(
        question_judge_cell(desk->question, &desk->sessions, &cells, 0, "1", &judged, &error));
    assert_true(judged.right);
    assert_true(
        question_judge_cell(desk->question, &desk->sessions, &cells, 0, "2", &judged, &error));
    assert_false(judged.right);
    assert_string_equal(judged.foreseen->say.text, "That is one too many.");
    assert_true(
        question_judge_cell(desk->question, &desk->sessions, &cells, 1, "5", &judged, &error));
    assert_false(judged.right);
    assert_null(judged.foreseen); /* the cell before was not one too many */
    question_cells_release(&cells);
}

/* One number may be in several foreseen answers: then nobody knows which it was. */
static void test_question__a_cell_alone_says_little(void **state)
{
    static char is[][24] = {"[[2, 8], [3, 7]]", "[[2, 7], [9, 9]]", "[[9, 8], [3, 9]]"};
    static char says[][8] = {"First.", "Second.", "Third."};
    static const struct {
        size_t cell;
        const char *typed, *says;
    } trials[] = {{0, "2", NULL}, {0, "9", "Third."},  {1, "8", NULL},
                  {1, "7", NULL}, {3, "7", "Fourth."}, {3, "9", NULL}};
    struct wrong_answer wrong[4];
    struct question_cells cells;
    struct error error;
    struct desk *desk = *state;
    for (size_t i = 0; i < 3; i++)
        wrong[i] = (struct wrong_answer){{is[i], 1}, {says[i], 1}};
    wrong[3] = (struct wrong_answer){{(char[]){"[[1, 2], [3, 7]]"}, 1}, {(char[]){"Fourth."}, 1}};
    desk_go_to(desk, "fill-in");
    struct question *question = desk_own_question(desk);
    question->cells.text = NULL;
    desk_ask_for(desk, "[[1, 2], [3, 4]]");
    question->wrong = wrong;
    question->n_wrong = COUNT_OF(wrong);
    assert_true(question_cells(desk->question, &desk->sessions, &cells, &error));
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        struct judged judged;
        assert_true(question_judge_cell(desk->question, &desk->sessions, &cells, trials[i].cell,
                                        trials[i].typed, &judged, &error));
        assert_false(judged.right);
        const char *said = judged.foreseen != NULL ? judged.foreseen->say.text : NULL;
        if ((said == NULL) != (trials[i].says == NULL) ||
            (said != NULL && strcmp(said, trials[i].says) != 0))
            fail_msg("%s in cell %zu: %s", trials[i].typed, trials[i].cell, said);
    }
    question_cells_release(&cells);
}

static void test_question__a_matrix_that_is_rounded(void **state)
{
    static char is[] = "[2 / 3, 1 / 4, 1]", say[] = "The first is doubled.";
    struct wrong_answer wrong = {{is, 1}, {say, 1}};
    struct desk *desk = *state;
    desk_go_to(desk, "fill-in");
    struct question *question = desk_own_question(desk);
    question->cells.text = NULL;
    desk_ask_for(desk, "[1 / 3, 1 / 4, 1]");
    question->wrong = &wrong;
    question->n_wrong = 1;
    assert_right(desk, "[0.333, 0.25, 1]");
    assert_wrong(desk, "[0.33, 0.25, 1]", "right as far as it goes");
    assert_wrong(desk, "[0.67, 0.25, 1]", "The first is doubled.");
    assert_wrong(desk, "[0.66, 0.25, 1]", "1 of the 3 cells is wrong");
    assert_wrong(desk, "[0.3, 0.25, 1]", "1 of the 3 cells is wrong");
    assert_wrong(desk, "[0.33, 0.3, 1]", "2 of the 3 cells are wrong");
}

static void test_question__one_row_with_one_pair_of_brackets_or_two(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "fill-in");
    desk_own_question(desk)->cells.text = NULL;
    desk_ask_for(desk, "[1, 2]");
    assert_right(desk, "[1, 2]");
    assert_right(desk, "[[1, 2]]");
    assert_wrong(desk, "[[1, 3]]", "1 of the 2 cells is wrong");
    assert_no_answer(desk, "[[1], [2]]", ERR_SHAPE, "a matrix of (2,) is asked for");
    assert_no_answer(desk, "[[1, 2, 3]]", ERR_SHAPE, "a matrix of (2,) is asked for");
    desk_ask_for(desk, "[[1, 2]]");
    assert_right(desk, "[1, 2]");
    assert_no_answer(desk, "1", ERR_SHAPE, "a matrix of 1x2 is asked for");
}

static void test_question__a_matrix_asks_for_64_cells_at_most(void **state)
{
    struct desk *desk = *state;
    struct question_cells cells;
    struct error error;
    desk_go_to(desk, "fill-in");
    desk_own_question(desk)->cells.text = NULL;
    desk_ask_for(desk, "zeros(8, 8)");
    assert_true(question_cells(desk->question, &desk->sessions, &cells, &error));
    assert_int_equal(cells.n, 64);
    question_cells_release(&cells);
    desk_ask_for(desk, "zeros(5, 13)");
    assert_error(question_cells(desk->question, &desk->sessions, &cells, &error), error, ERR_LIMIT);
    assert_says(error, "65 are asked for, and 64 is the most");
}

static void test_question__formula_on_fresh_inputs(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "the-formula");
    lang_run(&desk->lang, "d_k = 2");
    assert_right(desk, "softmax(Q @ K.T / sqrt(d_k))");
    assert_right(desk, "(Q @ K.T * d_k ** -0.5).softmax(dim=1)");
    assert_right(desk, "(Q @ K.T \xC3\x97 d_k ** \xE2\x88\x92"
                       "0.5).softmax(dim=1)"); /* pasted from a paper */
    assert_right(desk, "attention_weights(Q, K)");
    assert_wrong(desk, "softmax(Q @ K.T)", "The scale is missing.");
    assert_wrong(desk, "softmax(scores / sqrt(d_k))", "right numbers for these inputs");
    assert_wrong(desk, "softmax(Q @ K.T / sqrt(2))", "right numbers for these inputs");
    assert_wrong(desk, "softmax(Q @ K.T / d_k)", "The shape is right; 4 of 4 numbers are not.");
    assert_wrong(desk, "softmax(Q @ K.T / sqrt(d_k))[0]", "The shape is different");
    assert_no_answer(desk, "softmax(Q @ Q.T @ [1, 2, 3])", ERR_SHAPE, "");
    assert_no_answer(desk, "sofmax(Q @ K.T)", ERR_NAME, "softmax");
    lang_run(&desk->lang, "f(q, k) = softmax(q @ k.T / sqrt(d_k))");
    assert_right(desk, "f(Q, K)"); /* what the learner defined may be used */
}

/* What a formula may not use is found in its parts, and in functions of the learner's own. */
static void test_question__formula_without(void **state)
{
    static char words[][10] = {"softmax", "matmul", "/", "T"};
    static const struct {
        const char *typed, *word;
        size_t begin, end;
    } uses[] = {
        {"softmax(Q)", "softmax", 0, 7},
        {"torch.softmax(Q, dim=-1)", "softmax", 0, 13},
        {"[1, Q.softmax(dim=-1)[0]]", "softmax", 4, 13},
        {"exp(mm(Q, K))", "matmul", 4, 6},
        {"exp(Q)[0 / 1:2]", "/", 7, 12},
        {"sum(Q, dim=4 / 2)", "/", 11, 16},
        {"-(1 + 2 / 3)", "/", 6, 11},
        {"[x / 2 for x in Q]", "/", 1, 6},
        {"[x for x in Q.T]", "T", 12, 15},
        {"1 + g(Q)", "softmax", 4, 5},
        {"exp(Q.mm(K))", "matmul", 4, 8},
        {"exp(Q @ K)", "matmul", 4, 9},
        {"torch.nn.functional.softmax(Q)", "softmax", 0, 27},
        {"Q @ K.mT", "matmul", 0, 8},
        {"exp(K.mT)", "T", 4, 8},
        {"1 + inner(Q)", "T", 4, 9},
    };
    struct desk *desk = *state;
    struct lesson_text without[COUNT_OF(words)];
    desk_go_to(desk, "the-formula");
    for (size_t i = 0; i < COUNT_OF(words); i++)
        without[i].text = words[i];
    struct question *question = desk_own_question(desk);
    question->without = without;
    question->n_without = COUNT_OF(words);
    lang_run(&desk->lang, "d_k = 2; f(x) = softmax(x, dim=-1); g(x) = f(x) + 1");
    lang_run(&desk->lang, "inner(matmul) = exp(matmul) + Q.T");
    lang_run(&desk->lang, "scaled(q, k) = sum(q[:, None] * k[None], dim=-1) * d_k ** -0.5");
    for (size_t i = 0; i < COUNT_OF(uses); i++) {
        struct error error = desk_refused(desk, uses[i].typed);
        char says[40];
        snprintf(says, sizeof says, "this one without %s:", uses[i].word);
        assert_says(error, says);
        assert_int_equal(error.kind, ERR_NAME);
        assert_int_equal(error.begin, uses[i].begin);
        assert_int_equal(error.end, uses[i].end);
    }
    assert_right(desk, "exp(scaled(Q, K)) * sum(exp(scaled(Q, K)), dim=-1, keepdim=True) ** -1");
    assert_no_answer(desk, "\"softmax\"", ERR_TYPE, "");
    assert_no_answer(desk, "1 +", ERR_SYNTAX, "");
    question->n_without = 0;
    assert_right(desk, "softmax(Q @ K.T / sqrt(d_k))");
    /* Functions that call each other without end, and a great many, are no trouble. */
    question->n_without = COUNT_OF(words);
    lang_run(&desk->lang, "h(x) = k(x) + k(x); k(x) = h(x) + h(x)");
    desk_refused(desk, "h(Q)");
}

/* What is only called so, or only contains the word, is something else. */
static void test_question__what_only_looks_like_the_word_may_be_used(void **state)
{
    static char words[][10] = {"dot", "@", "T"};
    struct desk *desk = *state;
    struct lesson_text without[COUNT_OF(words)];
    desk_go_to(desk, "the-formula");
    for (size_t i = 0; i < COUNT_OF(words); i++)
        without[i].text = words[i];
    struct question *question = desk_own_question(desk);
    desk_ask_for(desk, "sum(Q, dim=1)");
    question->without = without;
    question->n_without = COUNT_OF(words);
    lang_run(&desk->lang, "dots(T) = sum(T, dim=1); dot_of = 3; mTo(x, dot) = sum(x, dim=dot)");
    assert_right(desk, "dots(Q)");
    assert_right(desk, "mTo(Q, 1)");
    assert_right(desk, "sum(Q, dim=1) # no dot, no @ and no Q.T");
    assert_right(desk, "sum(Q * Q ** 0, dim=1) + 0 * dot_of");
    assert_right(desk, "Q.sum(dim=1)");
    desk_refused(desk, "sum(Q, dim=1) + 0 * dot(Q[0], K[0])");
    desk_refused(desk, "sum(Q, dim=1) + 0 * Q[0].dot(K[0])");
    desk_refused(desk, "sum(Q, dim=1) + 0 * (Q[0]\n@ K[0])");
    desk_refused(desk, "sum(Q, dim=1) + 0 * matmul(Q[0], K[0])");
    desk_refused(desk, "sum(Q, dim=1) + 0 * np.dot(Q[0], K[0])");
}

/* Right by chance on the lesson's numbers: somebody who copied nothing is not told so. */
static void test_question__formula_that_is_right_by_chance(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "the-formula");
    lang_run(&desk->lang, "d_k = 2");
    assert_wrong(desk, "softmax(Q @ K.T / sqrt(d_k)) + 0 * len(K) + (len(K) > 2)",
                 "right numbers for these inputs, and wrong ones for others. What holds here by");
    assert_wrong(desk, "softmax(scores / sqrt(2))", "copied");
    /* Drawn again, d_k is another one each time; and it is nobody's copy: the keys are 4 now, and
     * were 2.
     */
    assert_wrong(desk, "softmax(Q @ K.T / sqrt(len(K)))", "What holds here by chance");
}

/* The text of a foreseen formula is for who means it: it agrees with what was typed on the lesson's
 * numbers too, and tells itself from the right one on fresh ones. */
static void test_question__a_foreseen_formula_does_not_fit_by_accident(void **state)
{
    static char texts[][60] = {"softmax(Q @ K.T / sqrt(d_k)) + (d_k != 5)", "It depends on d_k.",
                               "softmax(Q @ K.T / sqrt(d_k)) * d_k / 5 * 2", "Twice as much."};
    struct wrong_answer wrong[] = {{{texts[0], 1}, {texts[1], 1}}, {{texts[2], 1}, {texts[3], 1}}};
    struct desk *desk = *state;
    desk_go_to(desk, "the-formula");
    lang_run(&desk->lang, "d_k = 2");
    struct question *question = desk_own_question(desk);
    question->wrong = wrong;
    question->n_wrong = COUNT_OF(wrong);
    assert_wrong(desk, "softmax(Q @ K.T / sqrt(d_k)) + (len(Q) < 3)", "are not");
    assert_wrong(desk, "2 * softmax(Q @ K.T / sqrt(d_k))", "are not");
    assert_wrong(desk, "softmax(Q @ K.T / sqrt(d_k)) * d_k * 2 / 5", "Twice as much.");
}

/* Random numbers are never equal, so that > and >= are one; lint tells the author so. */
static void test_question__a_comparison_needs_equal_numbers(void **state)
{
    static char with_ties[] = "Q = round(3 * randn(9, 2))", answer[] = "1 * (2 <= Q)";
    struct text edited = {0};
    struct error error;
    enum question_slip slip;
    struct desk *desk = *state;
    desk_go_to(desk, "the-formula");
    struct question *question = desk_own_question(desk);
    struct lesson_text draw[2] = {question->draw[0], question->draw[1]};
    question->draw = draw;
    question->n_draw = COUNT_OF(draw);
    question->answer.text = answer;
    lang_run(&desk->lang, "Q = Q + 0.5; d_k = 2");
    assert_true(question_accepts_slip(question, &desk->sessions, &edited, &slip, &error));
    assert_int_equal(slip, QUESTION_SLIP_COMPARISON);
    assert_string_equal(text_string(&edited), "1 * (2 < Q)");
    draw[1].text = with_ties;
    assert_wrong(desk, "1 * (2 < Q)", "wrong ones for others");
    assert_true(question_accepts_slip(question, &desk->sessions, &edited, &slip, &error));
    assert_int_equal(slip, QUESTION_SLIP_NONE);
    text_release(&edited);
}

/* 49150 is not 49152, however near: what counts things is counted. */
static void test_question__a_whole_number_is_that_number(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "how-alike");
    struct question *question = desk_own_question(desk);
    desk_ask_for(desk, "50257 * 768");
    assert_right(desk, "38597376");
    assert_right(desk, "50257 * 768");
    assert_wrong(desk, "38597000", "right as far as it goes");
    assert_wrong(desk, "38,600,000", "right as far as it goes");
    assert_wrong(desk, "38,500,000", "");
    assert_wrong(desk, "38597400", "right as far as it goes");
    assert_wrong(desk, "40000000", "");
    assert_wrong(desk, "50000 * 768", "");
    desk_ask_for(desk, "3 * 256 * 64");
    assert_wrong(desk, "49150", "right as far as it goes");
    assert_wrong(desk, "49151", "");
    assert_right(desk, "49151.9"); /* computed with rounded numbers */
    question->within = 0.001;
    assert_right(desk, "49150");
}

/* A guess is right as somebody would read it: 0.3 is no quarter. */
static void test_question__a_guess_is_rounded_as_people_round(void **state)
{
    static const struct {
        const char *answer, *guess;
        bool guessed;
    } trials[] = {{"1 / 4", "0.3", false},  {"1 / 4", "0.25", true},   {"1 / 4", "25%", true},
                  {"1 / 3", "0.3", true},   {"1 / 3", "33 %", true},   {"0.27", "0.3", false},
                  {"0.2549", "0.3", false}, {"0.2549", "0.25", true},  {"1.4142", "1", false},
                  {"1.4142", "1.4", true},  {"11.9846", "12", true},   {"0.1234", "0", false},
                  {"13.4567", "13", true},  {"0.97512", "0.98", true}, {"0.28", "0.3", true},
                  {"46.2", "46", true}};
    struct desk *desk = *state;
    desk_go_to(desk, "a-guess");
    desk_own_question(desk);
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        struct guess guessed;
        struct error error;
        desk_ask_for(desk, trials[i].answer);
        assert_true(question_check_guess(desk->question, &desk->sessions, trials[i].guess, &guessed,
                                         &error));
        if (guessed.is_right != trials[i].guessed)
            fail_msg("%s as a guess of %s", trials[i].guess, trials[i].answer);
    }
}

/* Near misses, and what is said of them. */
static void test_question__a_guess_has_a_remark(void **state)
{
    static const struct {
        const char *answer, *guess;
        bool is_near;
        const char *remark;
    } trials[] = {
        {"14.5823", "14.5", true, "Nearly: these are its first digits."},
        {"14.5823", "14.4", true, "Nearly: it is 1 % too low."},
        {"14.5823", "14.6", false, ""},
        {"2", "3", true, "Nearly: it is one too many."},
        {"0.25", "-0.25", true, "The size is right, but the sign is not."},
        {"0.25", "-2", false, "The sign is not right."},
        {"-3.5", "-2.1", false, "It is too high."},
        {"0.0345", "0.345", true, "The digits are right, but it is 10 times too large."},
        {"768", "7.68", true, "The digits are right, but it is 100 times too small."},
        {"0.9731", "0.5", false, "It is too low."},
        {"0.9731", "0.9", true, "Nearly: these are its first digits."},
        {"0.925", "0.93", false, ""},
        {"0", "0.4", false, "It is too high."},
        {"inf", "3", false, ""},
    };
    struct desk *desk = *state;
    desk_go_to(desk, "a-guess");
    desk_own_question(desk);
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        struct guess guess;
        struct error error;
        desk_ask_for(desk, trials[i].answer);
        assert_true(
            question_check_guess(desk->question, &desk->sessions, trials[i].guess, &guess, &error));
        assert_string_equal(guess.remark, trials[i].remark);
        assert_int_equal(guess.is_near, trials[i].is_near);
    }
}

/* The lesson's numbers stay right, whatever a learner makes of its names. */
static void test_question__the_learners_session_is_another_one(void **state)
{
    struct desk *desk = *state;
    struct lang learner;
    lang_open(&learner);
    desk_go_to(desk, "how-alike");
    lang_run(&learner, "scores = [[0, 0], [0, 7]]; mine = 4");
    desk->sessions.learner = &learner.session;
    assert_right(desk, "mine");
    assert_wrong(desk, "scores[1, 1]", "");
    lang_close(&learner);
}

static void test_question__judging_leaves_no_trace(void **state)
{
    struct desk *desk = *state;
    struct text before = {0}, after = {0};
    desk_go_to(desk, "the-formula");
    lang_run(&desk->lang, "d_k = 2; r = rand(1)");
    lang_describe(&desk->lang, &before);
    assert_right(desk, "softmax(Q @ K.T / sqrt(d_k))");
    assert_wrong(desk, "softmax(Q @ K.T)", "The scale is missing.");
    lang_describe(&desk->lang, &after);
    assert_string_equal(text_string(&before), text_string(&after));
    text_release(&before);
    text_release(&after);
}

static void test_question__guesses_are_checked_not_judged(void **state)
{
    struct guess guessed;
    struct desk *desk = *state;
    struct error error;
    desk_go_to(desk, "a-guess");
    assert_true(question_check_guess(desk->question, &desk->sessions, "17", &guessed, &error));
    assert_false(guessed.is_right);
    assert_error(question_check_guess(desk->question, &desk->sessions, "weights", &guessed, &error),
                 error, ERR_SHAPE);
}

static void test_question__answers_are_told_in_words(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "how-alike");
    assert_tells(desk, "**4**, from `scores[\"two\", \"two\"]`");
    desk_go_to(desk, "which-row");
    assert_tells(desk, "- 1: Rows are queries.\n- 3: Columns are keys.");
    desk_go_to(desk, "in-order");
    assert_tells(desk, "- 2: scores\n- 1: softmax\n- 3: context");
    desk_go_to(desk, "the-formula");
    assert_tells(desk, "`softmax(Q @ K.T / sqrt(d_k), dim=-1)`");
}

static void test_question__options_are_told_with_their_numbers(void **state)
{
    struct desk *desk = *state;
    desk_go_to(desk, "which-row");
    struct question *question = desk_own_question(desk);
    struct lesson_text options[3] = {
        question->options[0], question->options[1], {(char[]){"It is `= scores[1, 1]`."}, 1}};
    question->options = options;
    assert_tells(desk, "- 1: Rows are queries.\n- 3: It is 4.");
}

static void test_question__every_failed_allocation_is_reported(void **state)
{
    struct desk *desk = *state;
    struct judged judged;
    struct error error;
    static const char *const answers[][2] = {{"how-alike", "2.828"},
                                             {"which-row", "[1, 2]"},
                                             {"fill-in", "scores + 1"},
                                             {"in-order", "1 2 3"}};
    for (size_t i = 0; i < COUNT_OF(answers); i++) {
        desk_go_to(desk, answers[i][0]);
        if (strcmp(answers[i][0], "in-order") == 0)
            continue; /* plain numbers need no memory of their own */
        assert_reports_failed_allocations(
            question_judge(desk->question, &desk->sessions, answers[i][1], &judged, &error), error);
        assert_false(judged.right);
    }
}

#define desk_test(test) cmocka_unit_test_setup_teardown(test, open_desk, close_desk)

int main(void)
{
    const struct CMUnitTest tests[] = {
        desk_test(test_question__number),
        desk_test(test_question__a_number_that_is_rounded_too_far_is_told_so),
        desk_test(test_question__a_short_number_is_not_rounded),
        desk_test(test_question__numbers_as_people_write_them),
        desk_test(test_question__a_percent_sign),
        desk_test(test_question__choice),
        desk_test(test_question__order),
        desk_test(test_question__order_may_have_several_right_ones),
        desk_test(test_question__matrix_whole_and_cell_by_cell),
        desk_test(test_question__a_cell_alone_says_little),
        desk_test(test_question__a_matrix_that_is_rounded),
        desk_test(test_question__one_row_with_one_pair_of_brackets_or_two),
        desk_test(test_question__a_matrix_asks_for_64_cells_at_most),
        desk_test(test_question__formula_on_fresh_inputs),
        desk_test(test_question__formula_without),
        desk_test(test_question__what_only_looks_like_the_word_may_be_used),
        desk_test(test_question__formula_that_is_right_by_chance),
        desk_test(test_question__a_foreseen_formula_does_not_fit_by_accident),
        desk_test(test_question__a_comparison_needs_equal_numbers),
        desk_test(test_question__a_whole_number_is_that_number),
        desk_test(test_question__a_guess_is_rounded_as_people_round),
        desk_test(test_question__the_learners_session_is_another_one),
        desk_test(test_question__judging_leaves_no_trace),
        desk_test(test_question__a_guess_has_a_remark),
        desk_test(test_question__guesses_are_checked_not_judged),
        desk_test(test_question__answers_are_told_in_words),
        desk_test(test_question__options_are_told_with_their_numbers),
        desk_test(test_question__every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
