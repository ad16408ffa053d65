/* judge/why/find_misconception.h: which idea gives these numbers? The learner's numbers are written
 * by C of the test's own, as somebody with the idea would write it. */
#include "exercise_testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/why/find_mistake.h"
#include "lang_testing.h"

#define CHANGES(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { QUERY, KEY, MAY, WEIGHTS }; /* the arrays of mini, in order */

enum slip {
    RIGHT = 0,
    SCALE_LEFT_OUT = 1 << 0,
    SUMS_OF_COLUMNS = 1 << 1,
    BASE_TWO = 1 << 2,
    ALL_SEVEN = 1 << 3,
};

static bool find_one_or_two(const struct exercise *exercise, const struct answered_case *answered,
                            size_t n, struct diagnosis *ret, struct error *reterr)
{
    return misconception_find(exercise, answered, n, false, ret, reterr) &&
           (ret->n_ideas > 0 || misconception_find(exercise, answered, n, true, ret, reterr));
}

static void write_scores(const struct fixture *f, unsigned slips, float *ret)
{
    const float *query = f->arrays[QUERY].before, *key = f->arrays[KEY].before;
    size_t n_q = (size_t)f->scalars[0], n_k = (size_t)f->scalars[1], d_k = (size_t)f->scalars[2];
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            float sum = 0;
            for (size_t d = 0; d < d_k; d++)
                sum += query[i * d_k + d] * key[j * d_k + d];
            sum = slips & SCALE_LEFT_OUT ? sum : sum / sqrtf((float)d_k);
            ret[i * n_k + j] = slips & BASE_TWO ? exp2f(sum) : expf(sum);
        }
}

/* What a function with these slips answers. */
static void write_weights(const struct fixture *f, unsigned slips, float *ret)
{
    size_t n_q = (size_t)f->scalars[0], n_k = (size_t)f->scalars[1], n = n_q * n_k;
    float *exps = malloc(n * sizeof *exps);
    assert_non_null(exps);
    write_scores(f, slips, exps);
    for (size_t at = 0; at < n; at++) {
        size_t i = at / n_k, j = at % n_k;
        float total = 0;
        for (size_t other = 0; other < n; other++)
            if (slips & SUMS_OF_COLUMNS ? other % n_k == j : other / n_k == i)
                total += exps[other];
        ret[at] = slips & ALL_SEVEN ? 7 : exps[at] / total;
    }
    free(exps);
}

/* An exercise, its cases, and a learner's answers to them. */
struct class
{
    struct exercise *exercise;
    struct fixtures cases;
    struct answer *answers;
    struct answered_case *answered;
};

static void class_open(struct class *class, const char *const *changes)
{
    struct error error;
    class->exercise = mini_with(changes);
    if (!fixtures_draw(class->exercise, 1, false, NULL, &class->cases, &error))
        fail_msg("%s", error.text);
    class->answers = calloc(class->cases.n, sizeof *class->answers);
    class->answered = calloc(class->cases.n, sizeof *class->answered);
    assert_true(class->answers != NULL && class->answered != NULL);
    for (size_t i = 0; i < class->cases.n; i++) {
        assert_true(answer_init(class->cases.items[i], &class->answers[i], &error));
        class->answered[i] = (struct answered_case){class->cases.items[i], &class->answers[i]};
    }
}

static void class_close(struct class *class)
{
    for (size_t i = 0; i < class->cases.n; i++)
        answer_release(&class->answers[i]);
    free(class->answers);
    free(class->answered);
    fixtures_release(&class->cases);
    exercise_free(class->exercise);
}

static void answer(struct class *class, size_t i, unsigned slips)
{
    write_weights(class->cases.items[i], slips, class->answers[i].floats[WEIGHTS]);
}

static struct diagnosis diagnosis_of(struct class *class, unsigned slips)
{
    struct diagnosis diagnosis = {0};
    struct error error;
    for (size_t i = 0; i < class->cases.n; i++)
        answer(class, i, slips);
    if (!find_one_or_two(class->exercise, class->answered, class->cases.n, &diagnosis, &error))
        fail_msg("%s", error.text);
    return diagnosis;
}

static void test_find_misconception__a_single_idea(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, NULL);
    struct diagnosis d = diagnosis_of(&class, SCALE_LEFT_OUT);
    assert_int_equal(d.n_ideas, 1);
    assert_string_equal(d.ideas[0]->id, "no-scale");
    d = diagnosis_of(&class, SUMS_OF_COLUMNS);
    assert_int_equal(d.n_ideas, 1);
    assert_string_equal(d.ideas[0]->id, "columns");
    class_close(&class);
}

static void test_find_misconception__a_pair_where_no_single_idea_fits(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, NULL);
    struct diagnosis d = diagnosis_of(&class, SCALE_LEFT_OUT | SUMS_OF_COLUMNS);
    assert_int_equal(d.n_ideas, 2);
    assert_string_equal(d.ideas[0]->id, "no-scale");
    assert_string_equal(d.ideas[1]->id, "columns");
    class_close(&class);
}

static void test_find_misconception__numbers_that_no_idea_gives(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, NULL);
    assert_int_equal(diagnosis_of(&class, BASE_TWO).n_ideas, 0);
    assert_int_equal(diagnosis_of(&class, ALL_SEVEN).n_ideas, 0);
    assert_int_equal(diagnosis_of(&class, RIGHT).n_ideas, 0);
    class_close(&class);
}

/* The first idea fits three keys only; together with the second it would fit all cases. */
static void test_find_misconception__a_single_idea_goes_before_a_pair(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, CHANGES("- weights = softmax(scaled, dim=0)",
                               "- weights = 7 + 0 * (scaled @ ones(3, n_k))",
                               "      - scaled = scores\n", "      - scaled = zeros(n_q, 3)\n"));
    bool all_three = true;
    for (size_t i = 0; i < class.cases.n; i++)
        all_three = all_three && class.cases.items[i]->scalars[1] == 3;
    assert_false(all_three);
    struct diagnosis d = diagnosis_of(&class, ALL_SEVEN);
    assert_int_equal(d.n_ideas, 1);
    assert_string_equal(d.ideas[0]->id, "columns");
    class_close(&class);
}

/* One case passes where the idea would fail: then it is not that idea. */
static void test_find_misconception__passing_cases_count_too(void **state)
{
    (void)state;
    struct class class;
    struct diagnosis d = {0};
    struct error error;
    class_open(&class, NULL);
    diagnosis_of(&class, SCALE_LEFT_OUT);
    answer(&class, 2, RIGHT);
    assert_true(find_one_or_two(class.exercise, class.answered, class.cases.n, &d, &error));
    assert_int_equal(d.n_ideas, 0);
    class_close(&class);
}

/* With d_k = 1 the scale changes nothing: the case passes, and agrees with the idea. */
static void test_find_misconception__an_idea_may_pass_where_it_makes_no_difference(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, CHANGES("{n_q: 2, n_k: 3, d_k: 4}", "{n_q: 2, n_k: 3, d_k: 1}",
                               "[[1, 0, 0, 2], [0, 3, 0, 0]]", "[[1], [2]]"));
    struct diagnosis d = diagnosis_of(&class, SCALE_LEFT_OUT);
    assert_int_equal(fixture_compare(class.cases.items[0], &class.answers[0]).verdict,
                     VERDICT_PASS);
    assert_int_equal(d.n_ideas, 1);
    assert_string_equal(d.ideas[0]->id, "no-scale");
    class_close(&class);
}

/* An idea that fits the shapes of one case only is asked there, and skipped elsewhere; another that
 * explains more cases goes before it. */
static void test_find_misconception__cases_that_an_idea_says_nothing_about_are_skipped(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, CHANGES("- weights = softmax(scaled, dim=0)",
                               "- weights = 7 * ones(2, 3)")); /* the first case's shape */
    struct diagnosis d = diagnosis_of(&class, ALL_SEVEN);
    assert_int_equal(d.n_ideas, 1);
    assert_string_equal(d.ideas[0]->id, "columns");
    class_close(&class);
    class_open(&class,
               CHANGES("- weights = softmax(scaled, dim=0)", "- weights = 7 * ones(2, 3)",
                       "      - scaled = scores\n", "      - weights = 7 * ones(n_q, n_k)\n"));
    d = diagnosis_of(&class, ALL_SEVEN);
    assert_int_equal(d.n_ideas, 1);
    assert_string_equal(d.ideas[0]->id, "no-scale"); /* all four cases, not one */
    class_close(&class);
    class_open(&class,
               CHANGES("- weights = softmax(scaled, dim=0)", "- weights = 7 * ones(n_q, n_k)",
                       "      - scaled = scores\n", "      - weights = 7 * ones(2, 3)\n"));
    d = diagnosis_of(&class, ALL_SEVEN);
    assert_int_equal(d.n_ideas, 1);
    assert_string_equal(d.ideas[0]->id, "columns"); /* though it stands behind the other */
    class_close(&class);
}

static void test_find_misconception__among_equals_the_first_of_the_file(void **state)
{
    (void)state;
    struct class class;
    class_open(&class,
               CHANGES("- weights = softmax(scaled, dim=0)", "- weights = 7 * ones(n_q, n_k)",
                       "      - scaled = scores\n", "      - weights = zeros(n_q, n_k) + 7\n"));
    struct diagnosis d = diagnosis_of(&class, ALL_SEVEN);
    assert_int_equal(d.n_ideas, 1);
    assert_string_equal(d.ideas[0]->id, "no-scale");
    class_close(&class);
}

static void test_find_misconception__nan_is_a_number_like_others(void **state)
{
    (void)state;
    struct class class;
    struct diagnosis d = {0};
    struct error error;
    class_open(&class, CHANGES("- weights = softmax(scaled, dim=0)",
                               "- weights = softmax(scaled, dim=-1) / 0 * 0"));
    for (size_t i = 0; i < class.cases.n; i++)
        for (size_t cell = 0; cell < class.cases.items[i]->arrays[WEIGHTS].n_cells; cell++)
            class.answers[i].floats[WEIGHTS][cell] = NAN;
    assert_true(find_one_or_two(class.exercise, class.answered, class.cases.n, &d, &error));
    assert_int_equal(d.n_ideas, 1);
    assert_string_equal(d.ideas[0]->id, "columns");
    class_close(&class);
}

static void test_find_misconception__by_verdict(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    assert_string_equal(misconception_of_verdict(e, VERDICT_MEMORY_LIMIT)->id, "hoards");
    assert_null(misconception_of_verdict(e, VERDICT_TIME_LIMIT));
    exercise_free(e);
}

static void test_find_misconception__what_is_said(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct text text = {0};
    misconception_explain(&e->misconceptions[0], &text);
    assert_string_equal(text_string(&text), "What divides the scores?\n"
                                            "Stage scaled: scaled = scores / sqrt(d_k)");
    text_release(&text);
    exercise_free(e);
}

static void test_find_misconception__without_memory_it_says_so(void **state)
{
    (void)state;
    struct class class;
    struct diagnosis d = {0};
    struct error error;
    class_open(&class, NULL);
    diagnosis_of(&class, SCALE_LEFT_OUT);
    assert_reports_failed_allocations(
        find_one_or_two(class.exercise, class.answered, class.cases.n, &d, &error), error);
    assert_int_equal(d.n_ideas, 1);
    class_close(&class);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_misconception__a_single_idea),
        cmocka_unit_test(test_find_misconception__a_pair_where_no_single_idea_fits),
        cmocka_unit_test(test_find_misconception__numbers_that_no_idea_gives),
        cmocka_unit_test(test_find_misconception__a_single_idea_goes_before_a_pair),
        cmocka_unit_test(test_find_misconception__passing_cases_count_too),
        cmocka_unit_test(test_find_misconception__an_idea_may_pass_where_it_makes_no_difference),
        cmocka_unit_test(
            test_find_misconception__cases_that_an_idea_says_nothing_about_are_skipped),
        cmocka_unit_test(test_find_misconception__among_equals_the_first_of_the_file),
        cmocka_unit_test(test_find_misconception__nan_is_a_number_like_others),
        cmocka_unit_test(test_find_misconception__by_verdict),
        cmocka_unit_test(test_find_misconception__what_is_said),
        cmocka_unit_test(test_find_misconception__without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
