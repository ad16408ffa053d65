/* show/matrix.h: bars_show(), tensors as horizontal bars. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "show/backend.h"
#include "show/labels.h"
#include "show/matrix.h"
#include "tensor/tensor.h"

#define BLOCK "\xE2\x96\x88"
#define HALF "\xE2\x96\x8C"   /* the left half */
#define EIGHTH "\xE2\x96\x8F" /* the left eighth */
#define RIGHT "\xE2\x96\x90"  /* the right half */
#define AXIS "\xE2\x94\x82"

static struct show_options wide_by(size_t width_cols, bool ascii)
{
    return (struct show_options){.width_cols = width_cols, .digits = 4, .ascii = ascii};
}

static void shown(struct doc *doc, const struct picture *picture,
                  const struct show_options *options)
{
    struct error error;
    doc_init(doc);
    bars_show(doc, picture, options);
    if (!doc_check(doc, &error))
        fail_msg("%s", error.text);
}

static void assert_shows(const struct picture *picture, struct show_options options,
                         const char *expected)
{
    struct doc doc;
    struct text plain = {0};
    shown(&doc, picture, &options);
    doc_to_plain(&doc, &plain);
    assert_string_equal(text_string(&plain), expected);
    text_release(&plain);
    doc_release(&doc);
}

static struct labels *names(size_t n, const char *const *strings)
{
    struct labels *made;
    struct error error;
    if (!labels_new(n, strings, NULL, &made, &error))
        fail_msg("%s", error.text);
    return made;
}

/* 0, 1, 2, ... in this shape. */
static struct tensor counting(unsigned n_axes, const size_t *shape)
{
    struct tensor made;
    struct error error;
    if (!tensor_zeros(n_axes, shape, &made, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < tensor_size(&made); i++)
        made.data[i] = (float)i;
    return made;
}

static void test_bars__lengths_are_in_proportion(void **state)
{
    (void)state;
    /* A position, a number and two gaps take 6 of 22 columns: the 16 left stand for 8. */
    struct tensor x = testing_tensor(1, (size_t[]){4}, (float[]){8, 4, 1, 0});
    assert_shows(&(struct picture){.tensor = &x}, wide_by(22, true),
                 "0  8  ################\n"
                 "1  4  ########\n"
                 "2  1  ##\n"
                 "3  0\n");
    tensor_release(&x);
}

static void test_bars__end_in_eighths_of_a_column(void **state)
{
    (void)state;
    /* 16 columns stand for 64: 6 is a column and a half, 0.5 an eighth of one. */
    struct tensor x = testing_tensor(1, (size_t[]){4}, (float[]){64, 6, 0.5F, 0.1F});
    assert_shows(&(struct picture){.tensor = &x}, wide_by(28, false),
                 "0  64.0000  " BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK
                     BLOCK BLOCK BLOCK BLOCK BLOCK "\n"
                 "1   6.0000  " BLOCK HALF "\n"
                 "2   0.5000  " EIGHTH "\n"
                 "3   0.1000\n");
    tensor_release(&x);
}

static void test_bars__negative_numbers_go_left_of_zero(void **state)
{
    (void)state;
    /* 3 + 2 + 2 + 2 and the axis leave 12 columns of 22 for the 6 from -2 to 4. */
    struct tensor x = testing_tensor(1, (size_t[]){4}, (float[]){4, -2, -1, 0});
    struct labels *labels = names(4, (const char *const[]){"a", "bcd", "e", "f"});
    struct picture picture = {.tensor = &x, .labels = &labels, .title = "s"};
    assert_shows(&picture, wide_by(22, true),
                 "s  (4,)\n"
                 "a     4      |########\n"
                 "bcd  -2  ####|\n"
                 "e    -1    ##|\n"
                 "f     0      |\n");
    x.data[2] = -0.25F; /* half a column */
    assert_shows(&picture, wide_by(27, false),
                 "s  (4,)\n"
                 "a     4.0000      " AXIS BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK "\n"
                 "bcd  -2.0000  " BLOCK BLOCK BLOCK BLOCK AXIS "\n"
                 "e    -0.2500     " RIGHT AXIS "\n"
                 "f     0.0000      " AXIS "\n");
    labels_free(labels);
    tensor_release(&x);
}

static void test_bars__a_small_side_leaves_the_other_its_bars(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){2}, (float[]){-1000, 1});
    /* 1 + 2 + 5 + 2 and the axis leave 13 of 24; the positive number needs one of them. */
    assert_shows(&(struct picture){.tensor = &x}, wide_by(24, true),
                 "0  -1000  ############|\n"
                 "1      1              |\n");
    tensor_release(&x);
}

static void test_bars__all_below_zero(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){2}, (float[]){-1, -2});
    /* 1 + 2 + 2 + 2 and the axis leave 12 of 20. */
    assert_shows(&(struct picture){.tensor = &x}, wide_by(20, true),
                 "0  -1        ######|\n"
                 "1  -2  ############|\n");
    tensor_release(&x);
}

static void test_bars__what_is_not_finite_has_no_bar(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){4}, (float[]){2, -INFINITY, INFINITY, NAN});
    assert_shows(&(struct picture){.tensor = &x}, wide_by(21, true),
                 "0     2  ############\n"
                 "1  -inf\n"
                 "2   inf\n"
                 "3   nan\n");
    tensor_release(&x);
}

static void test_bars__all_zero(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){2}, (float[]){0, -0.0F});
    assert_shows(&(struct picture){.tensor = &x}, wide_by(20, true), "0  0\n1  0\n");
    tensor_release(&x);
}

static void test_bars__rows_of_a_matrix_stand_under_their_label(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 2}, (float[]){1, 2, 3, 4});
    struct labels *rows = names(2, (const char *const[]){"cat", "sat"});
    struct labels *cols = names(2, (const char *const[]){"x", "yy"});
    /* The indent of 2 and 2 + 2 + 1 + 2 leave 12 of 21 columns for 4. */
    assert_shows(&(struct picture){.tensor = &x, .labels = (struct labels *[]){rows, cols}},
                 wide_by(21, true),
                 "cat\n"
                 "  x   1  ###\n"
                 "  yy  2  ######\n"
                 "sat\n"
                 "  x   3  #########\n"
                 "  yy  4  ############\n");
    assert_shows(&(struct picture){.tensor = &x}, wide_by(20, true),
                 "[0, :]\n"
                 "  0  1  ###\n"
                 "  1  2  ######\n"
                 "[1, :]\n"
                 "  0  3  #########\n"
                 "  1  4  ############\n");
    labels_free(rows);
    labels_free(cols);
    tensor_release(&x);
}

static void test_bars__changed_numbers_are_marked(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){2}, (float[]){1, 2});
    struct tensor before = testing_tensor(1, (size_t[]){2}, (float[]){1, 1});
    assert_shows(&(struct picture){.tensor = &x, .before = &before}, wide_by(20, true),
                 "0  1  #######\n"
                 "1  2* ##############\n");
    tensor_release(&before);
    tensor_release(&x);
}

static void test_bars__spans_point_at_their_cells(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 2}, (float[]){1, -2, 3, 4});
    struct show_options options = wide_by(60, false);
    struct doc doc;
    size_t n_numbers = 0, n_bars[4] = {0};
    shown(&doc, &(struct picture){.tensor = &x, .id = 6}, &options);
    for (size_t i = 0; i < doc.n_spans; i++) {
        const struct span *span = &doc.spans[i];
        if (span->cell.tensor == 0)
            continue;
        assert_int_equal(span->cell.tensor, 6);
        if (span->style == STYLE_NUMBER)
            assert_int_equal(span->cell.position, n_numbers++);
        else
            n_bars[span->cell.position]++;
    }
    assert_int_equal(n_numbers, 4);
    for (size_t i = 0; i < 4; i++)
        assert_in_range(n_bars[i], 1, 2);
    doc_release(&doc);
    tensor_release(&x);
}

static void test_bars__long_vectors_are_elided_but_not_in_full(void **state)
{
    (void)state;
    struct tensor x = counting(1, (size_t[]){100});
    struct show_options options = wide_by(60, true);
    struct doc doc;
    const struct span *spans;
    shown(&doc, &(struct picture){.tensor = &x}, &options);
    assert_int_equal(doc.n_lines, 41);
    assert_int_equal(doc_line_spans(&doc, 20, &spans), 1);
    assert_memory_equal(doc.text.bytes + spans->begin, "... 60 of 100 not shown", 23);
    doc_release(&doc);
    options.full = true;
    shown(&doc, &(struct picture){.tensor = &x}, &options);
    assert_int_equal(doc.n_lines, 100);
    doc_release(&doc);
    tensor_release(&x);
}

static void test_bars__a_single_number_and_none(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(0, NULL, (float[]){0.5F});
    assert_shows(&(struct picture){.tensor = &x}, wide_by(60, false), "0.5\n");
    tensor_release(&x);
    x = counting(1, (size_t[]){0});
    assert_shows(&(struct picture){.tensor = &x}, wide_by(60, false), "[]  (0,)\n");
    tensor_release(&x);
}

/* Any numbers: bars fit the width, the longest ends where it may, and order is kept. */
static void test_bars__any_numbers_fit_the_width(void **state)
{
    (void)state;
    uint64_t stream = 4;
    for (int round = 0; round < 500; round++) {
        size_t n = testing_between(&stream, 1, 20);
        struct tensor x = testing_random_tensor(&stream, 1, &n);
        int scale = (int)testing_between(&stream, 0, 80) - 40;
        for (size_t i = 0; i < n; i++)
            x.data[i] = ldexpf(round % 3 == 0 ? fabsf(x.data[i]) : x.data[i], scale);
        struct show_options options = wide_by(testing_between(&stream, 30, 90), round % 2 == 0);
        struct doc doc;
        shown(&doc, &(struct picture){.tensor = &x}, &options);
        assert_int_equal(doc.n_lines, n);
        assert_in_range(doc_width(&doc), options.width_cols / 2, options.width_cols);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n && x.data[i] >= 0; j++)
                if (x.data[i] > x.data[j])
                    assert_true(doc_line_width(&doc, i) >= doc_line_width(&doc, j));
        doc_release(&doc);
        tensor_release(&x);
    }
}

static bool show_once(const struct picture *picture, struct error *reterr)
{
    struct show_options options = wide_by(60, false);
    struct doc doc;
    doc_init(&doc);
    bars_show(&doc, picture, &options);
    bool complete = doc_check(&doc, reterr);
    doc_release(&doc);
    return complete;
}

/* A number and its position take 6 columns: "0  1  ". */
static void test_bars__stay_as_long_as_in_80_columns_where_there_are_more(void **state)
{
    (void)state;
    struct tensor x = counting(1, (size_t[]){3});
    struct picture picture = {.tensor = &x};
    struct show_options options = wide_by(400, true);
    struct doc doc;
    shown(&doc, &picture, &options);
    assert_int_equal(doc_width(&doc), 80);
    doc_release(&doc);
    tensor_release(&x);
}

static void test_bars__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct tensor x = counting(1, (size_t[]){12});
    struct picture picture = {.tensor = &x, .title = "x"};
    struct error error;
    assert_reports_failed_allocations(show_once(&picture, &error), error);
    tensor_release(&x);
}

/* Thicker bars, with a blank line after each; the number stands at the middle of its bar. */
static void test_bars__grow_into_the_lines_there_are(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){2}, (float[]){2, 1});
    struct picture picture = {.tensor = &x};
    struct show_options options = wide_by(22, true);
    options.extra_lines = 7;
    assert_shows(&picture, options,
                 "      ################\n0  2  ################\n      ################\n\n"
                 "      ########\n1  1  ########\n      ########\n\n");
    options.extra_lines = 1; /* not enough for both */
    assert_shows(&picture, options, "0  2  ################\n1  1  ########\n");
    tensor_release(&x);
}

static void test_bars__grow_on_both_sides_of_zero(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){2}, (float[]){2, -2});
    struct picture picture = {.tensor = &x};
    struct show_options options = wide_by(24, true);
    options.extra_lines = 4;
    assert_shows(&picture, options,
                 "0   2          |########\n               |########\n               |\n"
                 "1  -2  ########|\n       ########|\n               |\n");
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bars__lengths_are_in_proportion),
        cmocka_unit_test(test_bars__end_in_eighths_of_a_column),
        cmocka_unit_test(test_bars__negative_numbers_go_left_of_zero),
        cmocka_unit_test(test_bars__a_small_side_leaves_the_other_its_bars),
        cmocka_unit_test(test_bars__all_below_zero),
        cmocka_unit_test(test_bars__what_is_not_finite_has_no_bar),
        cmocka_unit_test(test_bars__all_zero),
        cmocka_unit_test(test_bars__rows_of_a_matrix_stand_under_their_label),
        cmocka_unit_test(test_bars__changed_numbers_are_marked),
        cmocka_unit_test(test_bars__spans_point_at_their_cells),
        cmocka_unit_test(test_bars__long_vectors_are_elided_but_not_in_full),
        cmocka_unit_test(test_bars__a_single_number_and_none),
        cmocka_unit_test(test_bars__any_numbers_fit_the_width),
        cmocka_unit_test(test_bars__stay_as_long_as_in_80_columns_where_there_are_more),
        cmocka_unit_test(test_bars__failed_allocations_are_reported),
        cmocka_unit_test(test_bars__grow_into_the_lines_there_are),
        cmocka_unit_test(test_bars__grow_on_both_sides_of_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
