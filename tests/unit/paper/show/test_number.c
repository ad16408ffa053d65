/* show/number.h: numbers as text. */
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "show/number.h"
#include "tensor/tensor.h"

/* The style for a vector of these numbers. */
static struct number_style style_of(size_t n, const float *numbers, int digits)
{
    struct tensor x = testing_tensor(1, &n, numbers);
    struct number_style style = number_style_of(&x, digits);
    tensor_release(&x);
    return style;
}

static void assert_form(size_t n, const float *numbers, int digits, enum number_form form)
{
    struct number_style style = style_of(n, numbers, digits);
    assert_int_equal(style.form, form);
    assert_int_equal(style.digits, digits);
}

static void assert_written(float x, enum number_form form, int digits, const char *expected)
{
    char text[NUMBER_TEXT];
    struct number_style style = {.form = form, .digits = digits};
    assert_string_equal(number_write(x, style, text), expected);
}

static void assert_short(float x, int digits, const char *expected)
{
    char text[NUMBER_TEXT];
    assert_string_equal(number_short(x, digits, text), expected);
}

static void test_number__whole_when_all_finite_ones_are(void **state)
{
    (void)state;
    assert_form(3, (float[]){1, -2, 3000}, 4, NUMBER_WHOLE);
    assert_form(3, (float[]){1, -INFINITY, NAN}, 4, NUMBER_WHOLE);
    assert_form(2, (float[]){-INFINITY, NAN}, 4, NUMBER_WHOLE);
    assert_form(1, (float[]){9999999}, 4, NUMBER_WHOLE);
    assert_form(1, (float[]){-9999999}, 4, NUMBER_WHOLE);
    assert_form(0, (float[]){0}, 4, NUMBER_WHOLE);
    assert_form(2, (float[]){0, -0.0F}, 4, NUMBER_WHOLE);
}

static void test_number__exponents_when_whole_numbers_get_long(void **state)
{
    (void)state;
    assert_form(2, (float[]){1, 163037184}, 4, NUMBER_WHOLE);
    assert_form(2, (float[]){1, 1e9F}, 4, NUMBER_EXPONENT);
    assert_form(2, (float[]){1, -1e9F}, 4, NUMBER_EXPONENT);
}

static void test_number__fixed_between_its_limits(void **state)
{
    (void)state;
    assert_form(2, (float[]){0.5F, 2e-9F}, 4, NUMBER_FIXED);
    assert_form(2, (float[]){-999999.5F, 0}, 4, NUMBER_FIXED);
    assert_form(2, (float[]){1e6F, 0.5F}, 4, NUMBER_EXPONENT);
    assert_form(2, (float[]){0.001F, INFINITY}, 4, NUMBER_FIXED); /* 10^(1-4) itself */
    assert_form(1, (float[]){0.000999F}, 4, NUMBER_EXPONENT);
    assert_form(1, (float[]){0.000999F}, 5, NUMBER_FIXED);
    for (int digits = 2; digits <= 9; digits++)
        assert_form(1, (float[]){(float)pow(10, 1 - digits)}, digits, NUMBER_FIXED);
}

static void test_number__bool_is_true_and_false(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){2}, (float[]){0, 1});
    x.is_bool = true;
    assert_int_equal(number_style_of(&x, 4).form, NUMBER_BOOL);
    tensor_release(&x);
    assert_written(0, NUMBER_BOOL, 4, "False");
    assert_written(1, NUMBER_BOOL, 4, "True");
}

static void test_number__digits_are_kept_to_what_is_allowed(void **state)
{
    (void)state;
    assert_int_equal(style_of(1, (float[]){1.5F}, -3).digits, 1);
    assert_int_equal(style_of(1, (float[]){1.5F}, 1000).digits, 9);
}

/* softmax([10, 20, 30]) = e^-20, e^-10, 1 over their sum. */
static void test_number__a_softmax_reads_well(void **state)
{
    (void)state;
    const float weights[] = {2.0610e-9F, 4.5398e-5F, 0.9999546F};
    struct number_style style = style_of(3, weights, 4);
    char text[NUMBER_TEXT];
    assert_string_equal(number_write(weights[0], style, text), "0.0000");
    assert_string_equal(number_write(weights[1], style, text), "0.0000");
    assert_string_equal(number_write(weights[2], style, text), "1.0000");
}

/* At a terminal a weight that is tiny is not to be taken for one that is 0. */
static void test_number__tiny_is_told_from_zero_where_it_fits(void **state)
{
    (void)state;
    const struct {
        float x;
        int digits;
        const char *is;
    } rows[] = {
        {2.0610e-9F, 4, "2e-09"},   {4.5398e-5F, 4, "5e-05"}, {-0.00001F, 4, "-1e-05"},
        {0, 4, "0.0000"},           {-0.0F, 4, "0.0000"},     {0.00006F, 4, "0.0001"},
        {FLT_TRUE_MIN, 4, "1e-45"}, {4.5398e-5F, 3, "5e-05"}, {-4.5398e-5F, 3, "0.000"},
        {4.5398e-5F, 2, "0.00"},    {0.3F, 4, "0.3000"},
    };
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct number_style style = {
            .form = NUMBER_FIXED, .digits = rows[i].digits, .shows_tiny = true};
        assert_string_equal(number_write(rows[i].x, style, text), rows[i].is);
    }
}

static void test_number__forms(void **state)
{
    (void)state;
    assert_written(12, NUMBER_WHOLE, 4, "12");
    assert_written(-0.0F, NUMBER_WHOLE, 4, "0");
    assert_written(0.22906F, NUMBER_FIXED, 4, "0.2291");
    assert_written(-0.00001F, NUMBER_FIXED, 4, "0.0000");
    assert_written(-0.0001F, NUMBER_FIXED, 4, "-0.0001");
    assert_written(2.2906e-12F, NUMBER_EXPONENT, 4, "2.2906e-12");
    assert_written(-1e9F, NUMBER_EXPONENT, 2, "-1.00e+09");
    for (int form = NUMBER_WHOLE; form <= NUMBER_EXPONENT; form++) {
        assert_written(INFINITY, (enum number_form)form, 4, "inf");
        assert_written(-INFINITY, (enum number_form)form, 4, "-inf");
        assert_written(NAN, (enum number_form)form, 4, "nan");
        assert_written(-NAN, (enum number_form)form, 4, "nan");
    }
}

/* Another tensor's style may meet any number: the text must fit and not be cut. */
static void test_number__any_number_fits_any_form(void **state)
{
    (void)state;
    const float numbers[] = {FLT_MAX, -FLT_MAX, FLT_TRUE_MIN, -FLT_TRUE_MIN, 123456.7F};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        for (int form = NUMBER_WHOLE; form <= NUMBER_EXPONENT; form++) {
            char text[NUMBER_TEXT];
            number_write(numbers[i],
                         (struct number_style){.form = (enum number_form)form, .digits = 9}, text);
            assert_in_range(strlen(text), 1, NUMBER_TEXT - 1);
            if (fabsf(numbers[i]) > 1)
                assert_close(strtod(text, NULL) / (double)numbers[i], 1, 1e-5);
        }
    }
}

static void test_number__short_drops_what_says_nothing(void **state)
{
    (void)state;
    assert_short(0.34F, 4, "0.34");
    assert_short(1.3569F, 4, "1.3569");
    assert_short(2, 4, "2");
    assert_short(-100, 4, "-100");
    assert_short(0.5F, 9, "0.5");
    assert_short(0, 4, "0");
    assert_short(-0.0F, 4, "0");
    assert_short(INFINITY, 4, "inf");
    assert_short(-INFINITY, 4, "-inf");
    assert_short(NAN, 4, "nan");
    assert_short(1.0F / 3, 4, "0.3333");
    assert_short(0.0005F, 4, "0.0005");
}

static void test_number__short_uses_exponents_where_decimals_would_lose(void **state)
{
    (void)state;
    assert_short(2.2906e-12F, 4, "2.2906e-12");
    assert_short(5e-10F, 4, "5e-10");
    assert_short(-1e9F, 4, "-1e+09");
    assert_short(0.00054F, 4, "5.4e-04");
    assert_short(16777216, 4, "16777216"); /* below 10^9, whole numbers are written out */
    assert_short(163037184, 4, "163037184");
    assert_short(1e9F, 4, "1e+09");
}

/* For any number: at most `digits` decimals, right to the last one, and 0 only for 0. */
static void test_number__short_is_close_and_never_a_false_zero(void **state)
{
    (void)state;
    uint64_t stream = 11;
    for (int round = 0; round < 20000; round++) {
        char text[NUMBER_TEXT];
        int digits = (int)testing_between(&stream, 1, 9);
        float x = ldexpf(testing_number(&stream), (int)testing_between(&stream, 0, 120) - 60);
        number_short(x, digits, text);
        double read = strtod(text, NULL);
        const char *point = strchr(text, '.');
        if (x != 0)
            assert_true(read != 0);
        /* Half a unit of the last place of a mantissa in [1, 10), or of the last decimal. */
        double tolerance = fmax(fabs((double)x), 1) * 0.5001 * pow(10, -digits);
        if (strchr(text, 'e') != NULL)
            tolerance = fabs((double)x) * 0.5001 * pow(10, -digits);
        assert_close(read, x, tolerance);
        assert_true(point == NULL || (int)strspn(point + 1, "0123456789") <= digits);
    }
}

static void test_number__range_counts_what_there_is(void **state)
{
    (void)state;
    const float numbers[] = {3, -INFINITY, -1.5F, NAN, INFINITY, NAN};
    struct tensor x = testing_tensor(2, (size_t[]){2, 3}, numbers);
    struct tensor turned = tensor_transpose(&x, 0, 1);
    const struct tensor *both[] = {&x, &turned};
    for (int i = 0; i < 2; i++) {
        struct number_range range = number_range_of(both[i]);
        assert_true(range.lowest == -1.5F);
        assert_true(range.highest == 3);
        assert_int_equal(range.n_finite, 2);
        assert_int_equal(range.n_minus_inf, 1);
        assert_int_equal(range.n_plus_inf, 1);
        assert_int_equal(range.n_nan, 2);
        assert_false(range.all_whole);
    }
    tensor_release(&turned);
    tensor_release(&x);
}

/* A view must not be read outside what it shows. */
static void test_number__range_of_a_view_sees_only_the_view(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){3, 3}, (float[]){9, 9, 9, 9, 1, 2, 9, 3, 4});
    struct tensor rows, corner;
    struct error error;
    assert_true(tensor_slice(&x, 0, 2, 2, -1, &rows, &error));
    assert_true(tensor_slice(&rows, 1, 1, 2, 1, &corner, &error));
    struct number_range range = number_range_of(&corner);
    assert_true(range.lowest == 1);
    assert_true(range.highest == 4);
    assert_int_equal(range.n_finite, 4);
    tensor_release(&corner);
    tensor_release(&rows);
    tensor_release(&x);
}

static void test_number__range_of_nothing(void **state)
{
    (void)state;
    struct tensor x;
    struct error error;
    assert_true(tensor_zeros(3, (size_t[]){2, 0, 5}, &x, &error));
    struct number_range range = number_range_of(&x);
    assert_int_equal(range.n_finite, 0);
    assert_true(range.lowest == 0);
    assert_true(range.highest == 0);
    assert_true(range.all_whole);
    tensor_release(&x);
}

/* No number of a tensor is wider than its range says. */
static void test_number__widest_covers_every_number(void **state)
{
    (void)state;
    uint64_t stream = 3;
    for (int round = 0; round < 500; round++) {
        size_t n = testing_between(&stream, 1, 12);
        struct tensor x = testing_random_tensor(&stream, 1, &n);
        int scale = (int)testing_between(&stream, 0, 60) - 30;
        for (size_t i = 0; i < n; i++)
            x.data[i] = ldexpf(x.data[i], scale);
        if (round % 3 == 0)
            x.data[0] = round % 2 == 0 ? -INFINITY : NAN;
        if (round % 5 == 0)
            for (size_t i = 0; i < n; i++)
                x.data[i] = roundf(x.data[i]);
        struct number_style style = number_style_of(&x, 1 + round % 9);
        struct number_range range = number_range_of(&x);
        size_t widest = 0;
        for (size_t i = 0; i < n; i++) {
            char text[NUMBER_TEXT];
            size_t cols = strlen(number_write(x.data[i], style, text));
            widest = cols > widest ? cols : widest;
        }
        assert_int_equal(number_widest(&range, style), widest);
        tensor_release(&x);
    }
}

static void test_number__exact_has_the_digits_that_read_back(void **state)
{
    (void)state;
    static const struct {
        float x;
        const char *expected;
    } cases[] = {{0.1F, "0.1"}, {1.0F / 3, "0.33333334"}, {-2, "-2"},  {FLT_MAX, "3.4028235e+38"},
                 {0, "0"},      {-INFINITY, "-inf"},      {NAN, "nan"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[NUMBER_TEXT];
        assert_string_equal(number_exact(cases[i].x, text), cases[i].expected);
    }
    uint64_t stream = 3;
    for (int i = 0; i < 1000; i++) {
        char text[NUMBER_TEXT];
        float x = (float)testing_between(&stream, 0, 1 << 30) / 3e5F;
        assert_true(strtof(number_exact(x, text), NULL) == x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number__exact_has_the_digits_that_read_back),
        cmocka_unit_test(test_number__whole_when_all_finite_ones_are),
        cmocka_unit_test(test_number__exponents_when_whole_numbers_get_long),
        cmocka_unit_test(test_number__fixed_between_its_limits),
        cmocka_unit_test(test_number__bool_is_true_and_false),
        cmocka_unit_test(test_number__digits_are_kept_to_what_is_allowed),
        cmocka_unit_test(test_number__a_softmax_reads_well),
        cmocka_unit_test(test_number__tiny_is_told_from_zero_where_it_fits),
        cmocka_unit_test(test_number__forms),
        cmocka_unit_test(test_number__any_number_fits_any_form),
        cmocka_unit_test(test_number__short_drops_what_says_nothing),
        cmocka_unit_test(test_number__short_uses_exponents_where_decimals_would_lose),
        cmocka_unit_test(test_number__short_is_close_and_never_a_false_zero),
        cmocka_unit_test(test_number__range_counts_what_there_is),
        cmocka_unit_test(test_number__range_of_a_view_sees_only_the_view),
        cmocka_unit_test(test_number__range_of_nothing),
        cmocka_unit_test(test_number__widest_covers_every_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
