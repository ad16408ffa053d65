/* diagnose/signature.h: on parts that are written by hand. Bit 0 is a trial's only part, where a
 * change may make no difference (UNTOUCHED), give the other's numbers (FITS) or wrong ones. */
#include "diagnose_testing.h"

#include "diagnose/signature.h"

#define UNTOUCHED      \
    {                  \
        .untouched = 1 \
    }
#define UNTOUCHED_AND_FITS           \
    {                                \
        .untouched = 1, .fitting = 1 \
    }
#define FITS         \
    {                \
        .fitting = 1 \
    }
#define WRONG        \
    {                \
        .fitting = 0 \
    }

static void test_signature__where_the_later_makes_no_difference_the_earlier_must_fit(void **state)
{
    (void)state;
    const struct signature idle = {{UNTOUCHED}}, fits = {{FITS}}, wrong = {{WRONG}};
    assert_true(signatures_fit(&fits, &idle, 1));
    assert_false(signatures_fit(&wrong, &idle, 1));
    assert_false(signatures_fit(&idle, &idle, 1)); /* nothing would have changed the numbers */
    assert_true(signatures_fit(&wrong, &wrong, 1));
    assert_true(signatures_fit(&idle, &wrong, 1)); /* the later one may bring the earlier one out */
}

static void test_signature__fit_both_ways_where_neither_brings_the_other_out(void **state)
{
    (void)state;
    const struct signature idle = {{UNTOUCHED}}, fits = {{FITS}}, wrong = {{WRONG}};
    assert_true(signatures_fit_both_ways(&fits, &idle, 1));
    assert_true(signatures_fit_both_ways(&idle, &fits, 1));
    assert_true(signatures_fit_both_ways(&wrong, &wrong, 1));
    assert_false(signatures_fit_both_ways(&idle, &wrong, 1)); /* unlike signatures_fit() */
    assert_false(signatures_fit_both_ways(&wrong, &idle, 1));
}

static void test_signature__each_trial_can_rule_out(void **state)
{
    (void)state;
    const struct signature later = {{WRONG, UNTOUCHED}}, earlier = {{FITS, WRONG}};
    assert_true(signatures_fit(&earlier, &later, 1));
    assert_false(signatures_fit(&earlier, &later, 2));
}

static void test_signature__what_is_unknown_rules_nothing_out(void **state)
{
    (void)state;
    const struct signature unknown = {{PARTS_UNKNOWN}}, idle = {{UNTOUCHED}}, wrong = {{WRONG}};
    assert_true(signatures_fit(&unknown, &idle, 1));
    assert_true(signatures_fit(&wrong, &unknown, 1));
}

static void test_signature__what_is_mostly_unknown_is_blank(void **state)
{
    (void)state;
    const struct signature signature = {{PARTS_UNKNOWN, WRONG, WRONG, WRONG}};
    assert_true(signature_is_blank(&signature, 3));
    assert_false(signature_is_blank(&signature, 4));
    assert_false(signature_is_blank(&signature, 0));
}

static void test_signature__equal_numbers_are_equal_in_all_trials(void **state)
{
    (void)state;
    const struct signature one = {{{.digest = 7}, {.digest = 8}}};
    const struct signature other = {{{.digest = 7}, {.digest = 9}}};
    assert_true(signatures_equal(&one, &other, 1));
    assert_false(signatures_equal(&one, &other, 2));
}

/* The first trial rules out no pair of the three, the second those with row 0, the third all. */
static void test_signature__the_trial_that_rules_out_most_is_first(void **state)
{
    (void)state;
    const struct answer_parts rows[3][SIGNATURE_CHOICE] = {
        {FITS, UNTOUCHED, UNTOUCHED}, {FITS, WRONG, UNTOUCHED}, {FITS, WRONG, UNTOUCHED}};
    size_t trials[SIGNATURE_TRIALS], n = 0;
    signature_choose(rows, 3, 3, trials, &n);
    assert_int_equal(n, 1); /* no other adds to it */
    assert_int_equal(trials[0], 2);
    n = 0;
    signature_choose(rows, 3, 2, trials, &n);
    assert_int_equal(n, 1);
    assert_int_equal(trials[0], 1);
    n = 0;
    signature_choose(rows, 3, 1, trials, &n);
    assert_int_equal(n, 0);
}

/* Two changes look alike in the first trial, all differ in the second. */
static void test_signature__the_liveliest_trial_tells_most_apart(void **state)
{
    (void)state;
    const struct answer_parts rows[3][SIGNATURE_CHOICE] = {{{.digest = 1}, {.digest = 1}},
                                                           {{.digest = 1}, {.digest = 2}},
                                                           {{.digest = 2}, {.digest = 3}}};
    assert_int_equal(signature_liveliest(rows, 3, 2), 1);
    assert_int_equal(signature_liveliest(rows, 3, 1), 0);
}

static void test_signature__what_is_right_and_untouched_is_no_reason_against(void **state)
{
    (void)state;
    const struct signature idle = {{UNTOUCHED_AND_FITS}};
    assert_true(signatures_fit(&idle, &idle, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signature__where_the_later_makes_no_difference_the_earlier_must_fit),
        cmocka_unit_test(test_signature__fit_both_ways_where_neither_brings_the_other_out),
        cmocka_unit_test(test_signature__each_trial_can_rule_out),
        cmocka_unit_test(test_signature__what_is_unknown_rules_nothing_out),
        cmocka_unit_test(test_signature__what_is_mostly_unknown_is_blank),
        cmocka_unit_test(test_signature__equal_numbers_are_equal_in_all_trials),
        cmocka_unit_test(test_signature__the_trial_that_rules_out_most_is_first),
        cmocka_unit_test(test_signature__the_liveliest_trial_tells_most_apart),
        cmocka_unit_test(test_signature__what_is_right_and_untouched_is_no_reason_against),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
