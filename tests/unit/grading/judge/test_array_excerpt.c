/* judge/array_excerpt.h: arrays as small tables. Tables were worked out by hand. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "judge/shown_internal.h"
#include "show/backend.h"

static const struct show_options options = {.width_cols = 80, .digits = 4};

/* An array of the shape, whose cells count up from 0. */
static struct array_excerpt count_up(const char *title, unsigned n_axes, const size_t *shape)
{
    static float numbers[4096];
    struct fixture_array array = {.n_axes = n_axes, .present = true, .n_cells = 1};
    struct array_excerpt excerpt;
    struct error error;
    for (unsigned axis = 0; axis < n_axes; axis++) {
        array.shape[axis] = shape[axis];
        array.n_cells *= shape[axis];
    }
    for (size_t i = 0; i < array.n_cells; i++)
        numbers[i] = (float)i;
    if (!array_excerpt_of_numbers(&array, numbers, &excerpt, &error))
        fail_msg("%s", error.text);
    snprintf(excerpt.title, sizeof excerpt.title, "%s", title);
    return excerpt;
}

static void assert_shown(struct array_excerpt *excerpts, size_t n, size_t max_rows,
                         const char *want)
{
    struct doc doc;
    struct text text = {0};
    doc_init(&doc);
    array_excerpts_show(excerpts, n, max_rows, &options, &doc);
    assert_false(doc.failed);
    assert_true(doc_width(&doc) <= options.width_cols);
    doc_to_plain(&doc, &text);
    assert_string_equal(text_string(&text), want);
    text_release(&text);
    doc_release(&doc);
    for (size_t i = 0; i < n; i++)
        array_excerpt_release(&excerpts[i]);
}

static void test_array_excerpt__rows_and_columns_are_numbered(void **state)
{
    (void)state;
    struct array_excerpt one = count_up("query", 2, (size_t[]){2, 3});
    assert_shown(&one, 1, 6,
                 "query  2x3\n"
                 "    0  1  2\n"
                 "0   0  1  2\n"
                 "1   3  4  5\n");
}

static void test_array_excerpt__tables_stand_side_by_side(void **state)
{
    (void)state;
    struct array_excerpt two[] = {count_up("a", 1, (size_t[]){3}),
                                  count_up("b", 2, (size_t[]){2, 1})};
    assert_shown(two, 2, 6,
                 "a  (3,)    b  2x1\n"
                 "0  1  2        0\n"
                 "0  1  2    0   0\n"
                 "           1   1\n");
}

static void test_array_excerpt__what_is_cut_lies_round_the_focus(void **state)
{
    (void)state;
    struct array_excerpt one = count_up("key", 2, (size_t[]){100, 1});
    one.focus[0] = 50;
    assert_shown(&one, 1, 3,
                 "key  100x1, rows 49 to 51\n"
                 "      0\n"
                 "49   49\n"
                 "50   50\n"
                 "51   51\n");
    one = count_up("key", 2, (size_t[]){100, 1});
    one.focus[0] = 99;
    assert_shown(&one, 1, 2,
                 "key  100x1, rows 98 to 99\n"
                 "      0\n"
                 "98   98\n"
                 "99   99\n");
    one = count_up("a", 1, (size_t[]){40});
    one.focus[0] = 39;
    assert_shown(&one, 1, 2,
                 "a  (40,), positions 28 to 39\n"
                 "28  29  30  31  32  33  34  35  36  37  38  39\n"
                 "28  29  30  31  32  33  34  35  36  37  38  39\n");
}

static void test_array_excerpt__of_many_axes_the_focused_table_is_shown(void **state)
{
    (void)state;
    struct array_excerpt one = count_up("out", 4, (size_t[]){2, 2, 1, 3});
    one.focus[0] = 1;
    one.focus[3] = 2;
    assert_shown(&one, 1, 6,
                 "out[1, 0]  1x3\n"
                 "    0  1  2\n"
                 "0   6  7  8\n");
}

static void test_array_excerpt__marks_stay_with_their_cells(void **state)
{
    (void)state;
    struct array_excerpt one = count_up("yours", 2, (size_t[]){3, 2});
    struct array_excerpt other = count_up("", 2, (size_t[]){3, 2});
    one.focus[0] = 2;
    one.marks = tensor_share(&other.tensor);
    one.marks.data[5] = 50; /* cell [2, 1], of numbers that are nobody else's */
    tensor_release(&other.tensor);
    assert_shown(&one, 1, 2,
                 "yours  3x2, rows 1 to 2\n"
                 "    0  1\n"
                 "1   2  3\n"
                 "2   4  5*\n");
}

static void test_array_excerpt__booleans(void **state)
{
    (void)state;
    bool truths[] = {true, false};
    struct fixture_array array = {.present = true,
                                  .boolean = true,
                                  .n_axes = 1,
                                  .shape = {2},
                                  .n_cells = 2,
                                  .before = truths};
    struct array_excerpt one;
    struct error error;
    assert_true(array_excerpt_of_input(&array, &one, &error));
    snprintf(one.title, sizeof one.title, "may_attend");
    assert_shown(&one, 1, 6,
                 "may_attend  (2,)\n"
                 "   0      1\n"
                 "True  False\n");
}

static void test_array_excerpt__single_number(void **state)
{
    (void)state;
    struct array_excerpt one = count_up("p", 0, NULL);
    assert_shown(&one, 1, 6, "p = 0\n");
}

static void test_array_excerpt__memory_may_run_out(void **state)
{
    (void)state;
    struct array_excerpt one = count_up("a", 2, (size_t[]){2, 2});
    bool whole = false;
    for (long nth = 1; !whole; nth++) {
        struct doc doc;
        doc_init(&doc);
        testing_fail_allocation(nth);
        array_excerpts_show(&one, 1, 6, &options, &doc);
        whole = testing_allocations() < nth;
        testing_fail_allocation(0);
        assert_int_equal(doc.failed, !whole);
        doc_release(&doc);
    }
    array_excerpt_release(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_array_excerpt__rows_and_columns_are_numbered),
        cmocka_unit_test(test_array_excerpt__tables_stand_side_by_side),
        cmocka_unit_test(test_array_excerpt__what_is_cut_lies_round_the_focus),
        cmocka_unit_test(test_array_excerpt__of_many_axes_the_focused_table_is_shown),
        cmocka_unit_test(test_array_excerpt__marks_stay_with_their_cells),
        cmocka_unit_test(test_array_excerpt__booleans),
        cmocka_unit_test(test_array_excerpt__single_number),
        cmocka_unit_test(test_array_excerpt__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
