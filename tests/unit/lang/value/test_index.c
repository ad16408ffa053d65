/* lang/value/index.h: X[i, j], by Python's rules for positions and ranges and by labels. */
#include "lang_testing.h"

#include <stdio.h>
#include <string.h>

/* A 2x3x4 tensor of 0 to 23, so that element [i, j, k] is 12 i + 4 j + k. */
static int setup(void **state)
{
    if (lang_setup(state) != 0)
        return 1;
    lang_run(*state, "x = arange(24).view(2, 3, 4)\n"
                     "v = arange(5)\n"
                     "W = labels([[1, 2, 3], [4, 5, 6]], [\"a\", \"b\"], [\"p\", \"q\", \"r\"])\n");
    return 0;
}

#define SHAPE(...)                                               \
    sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), (size_t[]) \
    {                                                            \
        __VA_ARGS__                                              \
    }
#define NUMBERS(...) ((float[]){__VA_ARGS__})

static void test_index__positions_count_from_0_or_from_the_end(void **state)
{
    struct lang *lang = *state;
    assert_number(lang, "x[1, 2, 3]", 23, 0);
    assert_number(lang, "x[0, 0, 0]", 0, 0);
    assert_number(lang, "x[-1, -3, -1]", 15, 0); /* [1, 0, 3] */
    assert_number(lang, "v[-5]", 0, 0);
    assert_vector(lang, "x[1, 1]", 0, 16, 17, 18, 19);
    assert_value(lang, "x[0]", SHAPE(3, 4), NUMBERS(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), 0);
}

static void test_index__ranges_and_the_ellipsis(void **state)
{
    struct lang *lang = *state;
    assert_vector(lang, "v[1:3]", 0, 1, 2);
    assert_vector(lang, "v[:2]", 0, 0, 1);
    assert_vector(lang, "v[-2:]", 0, 3, 4);
    assert_vector(lang, "v[::2]", 0, 0, 2, 4);
    assert_vector(lang, "v[::-1]", 0, 4, 3, 2, 1, 0);
    assert_vector(lang, "v[3:0:-2]", 0, 3, 1);
    assert_vector(lang, "v[None:2]", 0, 0, 1);
    assert_vector(lang, "x[..., 1][1]", 0, 13, 17, 21);
    assert_vector(lang, "x[0, ..., 2]", 0, 2, 6, 10);
    assert_vector(lang, "x[1, ...][0]", 0, 12, 13, 14, 15);
    assert_vector(lang, "x[1, 2, :, ...]", 0, 20, 21, 22, 23);
    assert_value(lang, "x[:, 1:, ::3]", SHAPE(2, 2, 2), NUMBERS(4, 7, 8, 11, 16, 19, 20, 23), 0);
    assert_value(lang, "x[:, 3:]", SHAPE(2, 0, 4), NULL, 0);
}

static void test_index__none_is_a_new_axis(void **state)
{
    struct lang *lang = *state;
    assert_value(lang, "v[None, :2]", SHAPE(1, 2), NUMBERS(0, 1), 0);
    assert_value(lang, "v[:2, None]", SHAPE(2, 1), NUMBERS(0, 1), 0);
    assert_value(lang, "x[0, None, 1, None]", SHAPE(1, 1, 4), NUMBERS(4, 5, 6, 7), 0);
    assert_value(lang, "x[..., None, 3][0, 0]", SHAPE(1), NUMBERS(3), 0);
    assert_value(lang, "v[3][None]", SHAPE(1), NUMBERS(3), 0);
    assert_value(lang, "zeros(1, 1, 1, 1, 2, 1)[0, ..., None]", SHAPE(1, 1, 1, 2, 1, 1),
                 NUMBERS(0, 0), 0);
    assert_fails(lang, "x[None, None, None, None]", ERR_LIMIT, "6 axes");
    assert_fails(lang, "x[0, None, None, None, None, None]", ERR_LIMIT, "6 axes");
}

/* Where slice(start, stop, step) begins and what it takes: docs.python.org, Sequence Types, notes 3
 * to 5, written anew: walk from the start while the stop is not reached, and keep what exists. */
static size_t python_slice(ptrdiff_t n, const ptrdiff_t *start, const ptrdiff_t *stop,
                           ptrdiff_t step, float *ret)
{
    ptrdiff_t first = start != NULL ? (*start < 0 ? *start + n : *start) : step > 0 ? 0 : n - 1;
    ptrdiff_t last = stop != NULL ? (*stop < 0 ? *stop + n : *stop) : step > 0 ? n : -1;
    if (stop != NULL && *stop < 0 && last < 0)
        last = step > 0 ? 0 : -1;
    if (start != NULL && first < 0)
        first = step > 0 ? 0 : -1;
    if (first >= n)
        first = step > 0 ? n : n - 1;
    if (last > n)
        last = n;
    size_t count = 0;
    for (ptrdiff_t i = first; step > 0 ? i < last : i > last; i += step)
        if (i >= 0 && i < n)
            ret[count++] = (float)i;
    return count;
}

static void test_index__ranges_as_python_counts_them(void **state)
{
    struct lang *lang = *state;
    uint64_t random = 11;
    for (int round = 0; round < 3000; round++) {
        ptrdiff_t n = (ptrdiff_t)testing_between(&random, 0, 7);
        ptrdiff_t start = (ptrdiff_t)testing_between(&random, 0, 20) - 10;
        ptrdiff_t stop = (ptrdiff_t)testing_between(&random, 0, 20) - 10;
        ptrdiff_t step = (ptrdiff_t)testing_between(&random, 1, 4);
        bool has_start = testing_between(&random, 0, 3) > 0, has_stop = testing_word(&random) & 1;
        step = testing_word(&random) & 1 ? step : -step;
        char text[120], first[24] = "", last[24] = "";
        if (has_start)
            snprintf(first, sizeof first, "%td", start);
        if (has_stop)
            snprintf(last, sizeof last, "%td", stop);
        snprintf(text, sizeof text, "arange(%td)[%s:%s:%td]", n, first, last, step);
        float want[8];
        size_t count =
            python_slice(n, has_start ? &start : NULL, has_stop ? &stop : NULL, step, want);
        assert_value(lang, text, 1, &count, want, 0);
    }
}

static void test_index__labels_stand_for_positions(void **state)
{
    struct lang *lang = *state;
    assert_number(lang, "W[\"b\", \"q\"]", 5, 0);
    assert_vector(lang, "W[\"b\"]", 0, 4, 5, 6);
    assert_vector(lang, "W[:, 'r']", 0, 3, 6);
    assert_number(lang, "W[1, \"p\"]", 4, 0);
    assert_vector(lang, "W[\"a\", \"q\":]", 0, 2, 3);
    assert_vector(lang, "W[\"a\", :\"r\"]", 0, 1, 2); /* up to, not with, as numbers do */
}

static void test_index__what_is_left_keeps_its_labels(void **state)
{
    struct lang *lang = *state;
    assert_number(lang, "W[0, ::-1][\"p\"]", 1, 0);
    assert_number(lang, "W[1:][\"b\", \"r\"]", 6, 0);
    assert_number(lang, "W.T[\"r\", \"b\"]", 6, 0);
    assert_number(lang, "W[[1, 0]][\"b\", \"p\"]", 4, 0);
    assert_number(lang, "W[None][0, \"b\", \"p\"]", 4, 0);
    assert_fails(lang, "W[0, ::-1][\"a\"]", ERR_LABEL, "\"a\"");
}

static void test_index__rows_by_number(void **state)
{
    struct lang *lang = *state;
    assert_vector(lang, "v[[3, 1, -1]]", 0, 3, 1, 4);
    assert_value(lang, "W[[1, 0]]", SHAPE(2, 3), NUMBERS(4, 5, 6, 1, 2, 3), 0);
    assert_value(lang, "v[[[0, 1], [2, 3]]]", SHAPE(2, 2), NUMBERS(0, 1, 2, 3), 0);
    assert_fails(lang, "v[[5]]", ERR_RANGE, "5 rows");
    assert_fails(lang, "v[[0.5]]", ERR_RANGE, "0.5");
    assert_fails(lang, "v[v > 2]", ERR_TYPE, "where(mask, x, 0)");
}

/* The numbers are those of numpy 1.26 and torch 2.2 for x = arange(24).reshape(2, 3, 4): element
 * [i, j, k] is 12 i + 4 j + k. A number beside a list drops its axis first, as in torch. */
static void test_index__lists_on_any_axis(void **state)
{
    struct lang *lang = *state;
    assert_value(lang, "W[:, [2, 0]]", SHAPE(2, 2), NUMBERS(3, 1, 6, 4), 0);
    assert_value(lang, "W[[1, 0]][:, [1, 0]]", SHAPE(2, 2), NUMBERS(5, 4, 2, 1), 0);
    assert_value(lang, "W[..., [-1]]", SHAPE(2, 1), NUMBERS(3, 6), 0);
    assert_vector(lang, "x[1, [2, 0], 3]", 0, 23, 15);
    assert_value(lang, "x[1, :, [3, 0]]", SHAPE(3, 2), NUMBERS(15, 12, 19, 16, 23, 20), 0);
    assert_value(lang, "x[:, [2], 1:3]", SHAPE(2, 1, 2), NUMBERS(9, 10, 21, 22), 0);
    assert_value(lang, "x[0, None, [1, 1], 0]", SHAPE(1, 2), NUMBERS(4, 4), 0);
    assert_value(lang, "x[0, 1, [[0, 1], [2, 3]]]", SHAPE(2, 2), NUMBERS(4, 5, 6, 7), 0);
    assert_value(lang, "x[:, []]", SHAPE(2, 0, 4), NULL, 0);
    assert_fails_at(lang, "W[:, [0, 3]]", ERR_RANGE, "position 3 does not exist on axis 1",
                    "[0, 3]");
    assert_fails_at(lang, "W[[0, 1], [1, 0]]", ERR_TYPE, "X[rows][:, columns]", "[1, 0]");
    assert_fails(lang, "W[:, [True, False, True]]", ERR_TYPE, "where(mask, x, 0)");
    assert_fails(lang, "v[:, [0]]", ERR_SHAPE, "2 indices for 1 axis");
}

static void test_index__lists_of_labels(void **state)
{
    struct lang *lang = *state;
    assert_value(lang, "W[[\"b\", \"a\"]]", SHAPE(2, 3), NUMBERS(4, 5, 6, 1, 2, 3), 0);
    assert_value(lang, "W[:, [\"r\", \"p\"]]", SHAPE(2, 2), NUMBERS(3, 1, 6, 4), 0);
    assert_vector(lang, "W[\"b\", [\"r\", 0]]", 0, 6, 4);
    assert_value(lang, "W[labels(W[::-1])]", SHAPE(2, 3), NUMBERS(4, 5, 6, 1, 2, 3), 0);
    assert_number(lang, "W[:, [\"r\", \"p\"]][\"a\", \"r\"]", 3, 0); /* they travel along */
    assert_fails_at(lang, "W[[\"b\", \"z\"]]", ERR_LABEL, "\"a\", \"b\"", "[\"b\", \"z\"]");
    assert_fails(lang, "W[:, [\"a\"]]", ERR_LABEL, "axis 1 has \"p\"");
    assert_fails(lang, "v[[\"a\"]]", ERR_LABEL, "no labels");
}

/* Two lists after each other: each number is still asked why, differentiated and changed. */
static void test_index__lists_keep_the_history(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "M = [[1, 2], [3, 4]]; order = [1, 0]; P = M[order][:, order]\n");
    assert_value(lang, "grad(sum(P * [[1, 10], [100, 1000]]), M)", SHAPE(2, 2),
                 NUMBERS(1000, 100, 10, 1), 0);
    assert_value(lang, "grad(sum(M[:, [0, 0]]), M)", SHAPE(2, 2), NUMBERS(2, 0, 2, 0), 0);
    lang_run(lang, "why P[0, 1]\n");
    assert_non_null(strstr(text_string(&lang->shown), "M[1, 0] = 3"));
    lang_run(lang, "trace P\n");
    assert_non_null(strstr(text_string(&lang->shown), "M[order][:, order]"));
    lang_run(lang, "whatif M[1, 0] = 30\nkeep\n");
    assert_value(lang, "P", SHAPE(2, 2), NUMBERS(4, 30, 2, 1), 0);
}

static void test_index__lists_by_position(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "L = (v, \"two\", (5, 6))\n");
    assert_number(lang, "L[0][1]", 1, 0);
    assert_number(lang, "L[-1][0]", 5, 0);
    assert_number(lang, "x.shape[2]", 4, 0);
    assert_fails(lang, "L[3]", ERR_RANGE, "0 to 2");
    assert_fails(lang, "L[-4]", ERR_RANGE, "3 positions");
    assert_fails(lang, "L[0:1]", ERR_TYPE, "one position");
    assert_fails(lang, "L[\"two\"]", ERR_TYPE, "whole number");
    assert_fails(lang, "()[0]", ERR_RANGE, "no positions");
}

static void test_index__positions_outside_name_the_axis_and_what_it_has(void **state)
{
    struct lang *lang = *state;
    assert_fails_at(lang, "x[0, 3]", ERR_RANGE, "axis 1 has 3 positions, 0 to 2", "3");
    assert_fails_at(lang, "x[-3]", ERR_RANGE, "axis 0 has 2 positions", "-3");
    assert_fails_at(lang, "x[0, 0, 99]", ERR_RANGE, "axis 2", "99");
    assert_fails_at(lang, "x[0, 0, 0, 0]", ERR_SHAPE, "4 indices for 3 axes", "0");
    assert_fails(lang, "v[1e9]", ERR_RANGE, "1000000000");
    assert_fails(lang, "v[0:][:0][0]", ERR_RANGE, "no positions");
    assert_fails(lang, "5[0]", ERR_SHAPE, "no axes");
}

static void test_index__what_is_no_index(void **state)
{
    struct lang *lang = *state;
    assert_fails_at(lang, "v[0.5]", ERR_TYPE, "0.5", "0.5");
    assert_fails(lang, "v[nan]", ERR_TYPE, "whole number");
    assert_fails(lang, "v[inf]", ERR_TYPE, "whole number");
    assert_fails(lang, "v[1:2:0]", ERR_RANGE, "step");
    assert_fails(lang, "v[::0.5]", ERR_TYPE, "0.5");
    assert_fails(lang, "v[\"a\"]", ERR_LABEL, "no labels; use its position, 0 to 4");
    assert_fails(lang, "x[..., ...]", ERR_SYNTAX, "one ...");
    assert_fails(lang, "x[(0, 1)]", ERR_TYPE, "a list of 2");
    assert_fails(lang, "\"text\"[0]", ERR_TYPE, "can't be indexed");
    assert_fails(lang, "None[0]", ERR_TYPE, "None can't be indexed");
}

static void test_index__unknown_labels_come_with_near_ones(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "X = embed(\"Hello shiny sun!\")\n");
    assert_fails_at(lang, "X[\"shinny\"]", ERR_LABEL, "did you mean \"shiny\"?", "\"shinny\"");
    assert_fails_at(lang, "X[\"moon\"]", ERR_LABEL, "\"Hello\", \"shiny\", \"sun\"", "\"moon\"");
    assert_fails(lang, "X[\"sun\", \"sun\"]", ERR_LABEL, "axis 1 has no labels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index__positions_count_from_0_or_from_the_end),
        cmocka_unit_test(test_index__ranges_and_the_ellipsis),
        cmocka_unit_test(test_index__none_is_a_new_axis),
        cmocka_unit_test(test_index__ranges_as_python_counts_them),
        cmocka_unit_test(test_index__labels_stand_for_positions),
        cmocka_unit_test(test_index__what_is_left_keeps_its_labels),
        cmocka_unit_test(test_index__rows_by_number),
        cmocka_unit_test(test_index__lists_on_any_axis),
        cmocka_unit_test(test_index__lists_of_labels),
        cmocka_unit_test_setup_teardown(test_index__lists_keep_the_history, setup, lang_teardown),
        cmocka_unit_test(test_index__lists_by_position),
        cmocka_unit_test(test_index__positions_outside_name_the_axis_and_what_it_has),
        cmocka_unit_test(test_index__what_is_no_index),
        cmocka_unit_test(test_index__unknown_labels_come_with_near_ones),
    };
    return cmocka_run_group_tests(tests, setup, lang_teardown);
}
