/* judge/median.h: medians and how sure they are. */
#include "testing.h"

#include "base/array.h"
#include "judge/speed_internal.h"

/* The ranks are scipy.stats.binom.ppf(0.001, n, 0.5) by hand: the first k with cdf(k) > 0.001. */
static void test_median__ranks_are_those_of_the_sign_test(void **state)
{
    (void)state;
    static const struct {
        unsigned n, rank;
    } known[] = {{1, 1},  {9, 1},   {10, 1},   {12, 1},    {20, 3},
                 {31, 7}, {41, 11}, {101, 35}, {1000, 451}};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        assert_int_equal(median_rank(known[i].n), known[i].rank);
}

static void test_median__ends_are_counted_from_both_sides(void **state)
{
    (void)state;
    double values[31];
    for (unsigned i = 0; i < 31; i++)
        values[i] = (double)((i * 7) % 31); /* 0 .. 30 in another order */
    struct median median = median_of(values, 31);
    assert_close(median.low, 6, 0);
    assert_close(median.value, 15, 0);
    assert_close(median.high, 24, 0);
    double one[] = {5}, two[] = {4, 3};
    assert_close(median_of(one, 1).high, 5, 0);
    assert_close(median_of(two, 2).value, 3, 0);
    assert_close(median_of(two, 2).high, 4, 0);
}

static void test_ratio__has_two_digits_rounded_down(void **state)
{
    (void)state;
    static const struct {
        double ratio;
        const char *text;
    } shown[] = {{1.999, "1.9"},  {2, "2.0"},     {1.5999, "1.5"}, {1.6, "1.6"},
                 {0.999, "0.99"}, {0.05, "0.05"}, {12.9, "12"},    {9.99, "9.9"}};
    char text[16];
    for (size_t i = 0; i < COUNT_OF(shown); i++)
        assert_string_equal(speed_ratio_text(shown[i].ratio, text), shown[i].text);
}

/* What is told of a median ratio to the plain version, and to the kernel. */
static void assert_tells(double ratio, double of_kernel, const char *expected)
{
    double items[] = {2, 5, 10};
    const struct exercise_speed speed = {.kernel = "k", .steps = {.items = items, .n = 3}};
    const struct speed_result result = {.ratio = {.value = ratio},
                                        .of_kernel = {.value = of_kernel}};
    struct text text = {0};
    speed_tell(&speed, &result, &text);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void test_speed__names_the_steps(void **state)
{
    (void)state;
    assert_tells(
        1.99, 0.04,
        "Your speed: 1.9 times that of the plain loops, 0.04 of that of attn's kernel, all "
        "in turns in one run. The next step is 2x.");
    assert_tells(
        2, 0.08,
        "Your speed: 2.0 times that of the plain loops, 0.08 of that of attn's kernel, all "
        "in turns in one run. Reached: 2x. The next step is 5x.");
    assert_tells(10, 0.49,
                 "Your speed: 10 times that of the plain loops, 0.49 of that of attn's kernel, all "
                 "in turns in one run. Reached: 2x, 5x, 10x. The next step is half of attn's "
                 "kernel.");
    assert_tells(30, 0.5,
                 "Your speed: 30 times that of the plain loops, 0.50 of that of attn's kernel, all "
                 "in turns in one run. Reached: 2x, 5x, 10x, half of attn's kernel.");
    assert_tells(
        1, 0.6,
        "Your speed: 1.0 times that of the plain loops, 0.60 of that of attn's kernel, all "
        "in turns in one run. Reached: half of attn's kernel. The next step is 2x.");
    assert_tells(0, 0, ""); /* not measured */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_median__ranks_are_those_of_the_sign_test),
        cmocka_unit_test(test_median__ends_are_counted_from_both_sides),
        cmocka_unit_test(test_ratio__has_two_digits_rounded_down),
        cmocka_unit_test(test_speed__names_the_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
