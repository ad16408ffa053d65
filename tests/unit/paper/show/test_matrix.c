/* show/matrix.h: tensors as labelled tables. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "show/backend.h"
#include "show/labels.h"
#include "show/matrix.h"
#include "tensor/tensor.h"

#define ELLIPSIS "\xE2\x80\xA6"

static const struct show_options usual = {.width_cols = 80, .digits = 4};

static void shown(struct doc *doc, const struct picture *picture,
                  const struct show_options *options)
{
    struct error error;
    doc_init(doc);
    matrix_show(doc, picture, options);
    if (!doc_check(doc, &error))
        fail_msg("%s", error.text);
}

static void assert_shows(const struct picture *picture, const struct show_options *options,
                         const char *expected)
{
    struct doc doc;
    struct text plain = {0};
    shown(&doc, picture, options);
    doc_to_plain(&doc, &plain);
    assert_string_equal(text_string(&plain), expected);
    text_release(&plain);
    doc_release(&doc);
}

/* The picture's text contains this. */
static void assert_shows_part(const struct picture *picture, const struct show_options *options,
                              const char *part)
{
    struct doc doc;
    struct text plain = {0};
    shown(&doc, picture, options);
    doc_to_plain(&doc, &plain);
    if (strstr(text_string(&plain), part) == NULL)
        fail_msg("\"%s\" is not in\n%s", part, text_string(&plain));
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

static struct labels *words(void)
{
    return names(3, (const char *const[]){"Hello", "shiny", "sun"});
}

/* The scores X X^T of the embeddings of "Hello shiny sun!". */
static struct tensor scores(void)
{
    static const float numbers[] = {0.4556F, 0.7842F, 0.7196F, 0.7842F, 1.3569F,
                                    1.2487F, 0.7196F, 1.2487F, 1.2416F};
    return testing_tensor(2, (size_t[]){3, 3}, numbers);
}

/* The whole number that a span holds. */
static size_t number_in(const struct doc *doc, const struct span *span)
{
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)(span->end - span->begin),
             doc->text.bytes + span->begin);
    return (size_t)strtoul(text, NULL, 10);
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

static void test_matrix__labels_stand_at_both_sides(void **state)
{
    (void)state;
    struct tensor x = scores();
    struct labels *labels = words();
    struct picture picture = {.tensor = &x, .labels = (struct labels *[]){labels, labels}};
    assert_shows(&picture, &usual,
                 "         Hello   shiny     sun\n"
                 "Hello   0.4556  0.7842  0.7196\n"
                 "shiny   0.7842  1.3569  1.2487\n"
                 "sun     0.7196  1.2487  1.2416\n");
    picture.labels = (struct labels *[]){labels, NULL};
    picture.title = "scores";
    assert_shows(&picture, &usual,
                 "scores  3x3\n"
                 "Hello   0.4556  0.7842  0.7196\n"
                 "shiny   0.7842  1.3569  1.2487\n"
                 "sun     0.7196  1.2487  1.2416\n");
    picture.labels = (struct labels *[]){NULL, labels};
    picture.title = NULL;
    assert_shows(&picture, &usual,
                 " Hello   shiny     sun\n"
                 "0.4556  0.7842  0.7196\n"
                 "0.7842  1.3569  1.2487\n"
                 "0.7196  1.2487  1.2416\n");
    labels_free(labels);
    tensor_release(&x);
}

static void test_matrix__small_without_labels_is_bare(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 2}, (float[]){1, 1, 1, 1});
    assert_shows(&(struct picture){.tensor = &x}, &usual, "1  1\n1  1\n");
    tensor_release(&x);
    x = testing_tensor(2, (size_t[]){2, 3}, (float[]){1, -20, 3, 400, 5, INFINITY});
    assert_shows(&(struct picture){.tensor = &x}, &usual, "  1  -20    3\n400    5  inf\n");
    tensor_release(&x);
}

static void test_matrix__larger_without_labels_has_positions(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){2, 7});
    assert_shows(&(struct picture){.tensor = &x}, &usual,
                 "    0  1  2   3   4   5   6\n"
                 "0   0  1  2   3   4   5   6\n"
                 "1   7  8  9  10  11  12  13\n");
    tensor_release(&x);
}

static void test_matrix__views_are_read_as_they_are_seen(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 3}, (float[]){1, 2, 3, 4, 5, 6});
    struct tensor turned = tensor_transpose(&x, 0, 1), backwards;
    struct error error;
    assert_shows(&(struct picture){.tensor = &turned}, &usual, "1  4\n2  5\n3  6\n");
    assert_true(tensor_slice(&x, 1, 2, 2, -2, &backwards, &error));
    assert_shows(&(struct picture){.tensor = &backwards}, &usual, "3  1\n6  4\n");
    tensor_release(&backwards);
    tensor_release(&turned);
    tensor_release(&x);
}

static void test_matrix__a_vector_is_one_row(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){3}, (float[]){0.2291F, 0.4063F, 0.3646F});
    struct labels *labels = words();
    struct picture picture = {.tensor = &x, .labels = &labels, .title = "w"};
    assert_shows(&picture, &usual,
                 "w  (3,)\n"
                 " Hello   shiny     sun\n"
                 "0.2291  0.4063  0.3646\n");
    assert_shows(&(struct picture){.tensor = &x}, &usual, "0.2291  0.4063  0.3646\n");
    labels_free(labels);
    tensor_release(&x);
}

static void test_matrix__a_single_number_is_one_line(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(0, NULL, (float[]){0.5F});
    struct tensor before = testing_tensor(0, NULL, (float[]){0.25F});
    assert_shows(&(struct picture){.tensor = &x}, &usual, "0.5\n");
    assert_shows(&(struct picture){.tensor = &x, .title = "loss"}, &usual, "loss = 0.5\n");
    assert_shows(&(struct picture){.tensor = &x, .before = &before}, &usual, "0.5*\n");
    assert_shows(&(struct picture){.tensor = &x, .before = &x}, &usual, "0.5\n");
    x.data[0] = 1;
    x.is_bool = true;
    assert_shows(&(struct picture){.tensor = &x}, &usual, "True\n");
    tensor_release(&before);
    tensor_release(&x);
}

static void test_matrix__bools_are_words(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 2}, (float[]){1, 0, 1, 1});
    x.is_bool = true;
    assert_shows(&(struct picture){.tensor = &x}, &usual, "True  False\nTrue   True\n");
    tensor_release(&x);
}

static void test_matrix__without_numbers_there_is_only_the_shape(void **state)
{
    (void)state;
    static const struct {
        unsigned n_axes;
        size_t shape[4];
        const char *expected;
    } cases[] = {
        {2, {0, 3}, "[]  0x3\n"},
        {2, {3, 0}, "[]  3x0\n"},
        {1, {0}, "[]  (0,)\n"},
        {3, {2, 0, 4}, "[]  2x0x4\n"},
        {4, {1, 0, 1000, 1000}, "[]  1x0x1000x1000\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tensor x;
        struct error error;
        assert_true(tensor_zeros(cases[i].n_axes, cases[i].shape, &x, &error));
        struct show_options full = usual;
        full.full = true;
        assert_shows(&(struct picture){.tensor = &x}, &usual, cases[i].expected);
        assert_shows(&(struct picture){.tensor = &x}, &full, cases[i].expected);
        tensor_release(&x);
    }
    struct tensor x;
    struct error error;
    struct labels *none = names(0, NULL);
    assert_true(tensor_zeros(2, (size_t[]){0, 3}, &x, &error));
    assert_shows(
        &(struct picture){
            .tensor = &x, .title = "e", .before = &x, .labels = (struct labels *[]){none, NULL}},
        &usual, "e  0x3\n[]\n");
    labels_free(none);
    tensor_release(&x);
}

static void test_matrix__leading_axes_make_one_table_each(void **state)
{
    (void)state;
    struct tensor x = counting(4, (size_t[]){1, 2, 2, 2});
    struct labels *heads = names(2, (const char *const[]){"first", "last"});
    assert_shows(&(struct picture){.tensor = &x, .title = "x"}, &usual,
                 "x  1x2x2x2\n"
                 "[0, 0, :, :]\n0  1\n2  3\n"
                 "[0, 1, :, :]\n4  5\n6  7\n");
    assert_shows(
        &(struct picture){.tensor = &x, .labels = (struct labels *[]){NULL, heads, NULL, NULL}},
        &usual,
        "[0, \"first\", :, :]\n0  1\n2  3\n"
        "[0, \"last\", :, :]\n4  5\n6  7\n");
    labels_free(heads);
    tensor_release(&x);
}

static void test_matrix__many_tables_are_elided_in_the_middle(void **state)
{
    (void)state;
    struct tensor x = counting(3, (size_t[]){9, 1, 1});
    assert_shows(&(struct picture){.tensor = &x}, &usual,
                 "[0, :, :]\n0\n[1, :, :]\n1\n[2, :, :]\n2\n" ELLIPSIS " 3 of 9 tables not shown\n"
                 "[6, :, :]\n6\n[7, :, :]\n7\n[8, :, :]\n8\n");
    tensor_release(&x);
}

static void test_matrix__changed_cells_are_marked_and_stay_aligned(void **state)
{
    (void)state;
    struct tensor x = scores(), before = scores();
    struct labels *labels = words();
    struct picture picture = {
        .tensor = &x, .labels = (struct labels *[]){labels, labels}, .before = &before};
    before.data[0] = 0.5F;
    before.data[5] = 1.2486999F; /* the next float32 or two: changed, though it reads the same */
    before.data[8] = -1;
    assert_shows(&picture, &usual,
                 "         Hello   shiny     sun\n"
                 "Hello   0.4556* 0.7842  0.7196\n"
                 "shiny   0.7842  1.3569  1.2487*\n"
                 "sun     0.7196  1.2487  1.2416*\n");
    labels_free(labels);
    tensor_release(&before);
    tensor_release(&x);
}

static void test_matrix__nan_has_not_changed_to_nan(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){4}, (float[]){NAN, NAN, 1, -INFINITY});
    struct tensor before = testing_tensor(1, (size_t[]){4}, (float[]){NAN, 1, NAN, -INFINITY});
    assert_shows(&(struct picture){.tensor = &x, .before = &before}, &usual, "nan  nan* 1* -inf\n");
    tensor_release(&before);
    tensor_release(&x);
}

/* before may be a view in another order of storage. */
static void test_matrix__before_is_read_by_its_own_strides(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 2}, (float[]){1, 2, 3, 4});
    struct tensor stored = testing_tensor(2, (size_t[]){2, 2}, (float[]){1, 3, 2, 5});
    struct tensor before = tensor_transpose(&stored, 0, 1); /* 1 2; 3 5 */
    assert_shows(&(struct picture){.tensor = &x, .before = &before}, &usual, "1  2\n3  4*\n");
    tensor_release(&before);
    tensor_release(&stored);
    tensor_release(&x);
}

static void test_matrix__spans_point_at_their_cells(void **state)
{
    (void)state;
    struct tensor x = counting(3, (size_t[]){2, 2, 3});
    struct tensor before = counting(3, (size_t[]){2, 2, 3});
    before.data[7] = 70;
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x, .id = 42, .before = &before}, &usual);
    size_t next = 0; /* the numbers are 0, 1, 2, ...: each is its own position */
    for (size_t i = 0; i < doc.n_spans; i++) {
        const struct span *span = &doc.spans[i];
        bool is_number = span->style == STYLE_NUMBER || span->style == STYLE_CHANGED;
        assert_int_equal(span->cell.tensor, is_number ? 42 : 0);
        if (!is_number)
            continue;
        assert_int_equal(span->cell.position, next);
        assert_int_equal(number_in(&doc, span), next);
        assert_int_equal(span->style, next == 7 ? STYLE_CHANGED : STYLE_NUMBER);
        next++;
    }
    assert_int_equal(next, 12);
    doc_release(&doc);
    shown(&doc, &(struct picture){.tensor = &x}, &usual);
    for (size_t i = 0; i < doc.n_spans; i++)
        assert_int_equal(doc.spans[i].cell.tensor, 0);
    doc_release(&doc);
    tensor_release(&before);
    tensor_release(&x);
}

static void test_matrix__wide_letters_and_marks_stay_aligned(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){3, 3}, (float[]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    /* Four columns; one; and a byte that is no UTF-8 with a control, two. */
    struct labels *labels =
        names(3, (const char *const[]){"\xE6\x97\xA5\xE6\x9C\xAC", "e\xCC\x81", "\xFF\t"});
    struct picture picture = {.tensor = &x, .labels = (struct labels *[]){labels, labels}};
    assert_shows(&picture, &usual,
                 "       \xE6\x97\xA5\xE6\x9C\xAC  e\xCC\x81  ??\n"
                 "\xE6\x97\xA5\xE6\x9C\xAC      1  2   3\n"
                 "e\xCC\x81         4  5   6\n"
                 "??        7  8   9\n");
    struct show_options ascii = usual;
    ascii.ascii = true;
    assert_shows(&picture, &ascii,
                 "     ??  e?  ??\n"
                 "??    1   2   3\n"
                 "e?    4   5   6\n"
                 "??    7   8   9\n");
    labels_free(labels);
    tensor_release(&x);
}

static void test_matrix__long_labels_are_cut_at_twelve_columns(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){3, 1}, (float[]){1, 2, 3});
    struct labels *labels =
        names(3, (const char *const[]){"abcdefghijklm", "abcdefghijkl",
                                       /* seven wide letters: five of them and the sign fit */
                                       "\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5"
                                       "\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5"});
    struct picture picture = {.tensor = &x, .labels = (struct labels *[]){labels, NULL}};
    assert_shows(&picture, &usual,
                 "abcdefghijk" ELLIPSIS "   1\n"
                 "abcdefghijkl   2\n"
                 "\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5\xE6\x97\xA5" ELLIPSIS "    3\n");
    struct show_options ascii = usual;
    ascii.ascii = true;
    assert_shows_part(&picture, &ascii, "abcdefghi...   1\n");
    labels_free(labels);
    tensor_release(&x);
}

/* A heap of marks on one letter takes one column but any number of bytes. */
static void test_matrix__a_label_of_endless_marks_is_harmless(void **state)
{
    (void)state;
    char heap[2001] = "a";
    for (size_t i = 1; i < sizeof heap - 1; i += 2)
        memcpy(heap + i, "\xCC\x81", 2);
    heap[sizeof heap - 2] = '\0';
    struct tensor x = testing_tensor(2, (size_t[]){1, 1}, (float[]){7});
    struct labels *labels = names(1, (const char *const[]){heap});
    struct picture picture = {.tensor = &x, .labels = (struct labels *[]){labels, labels}};
    struct doc doc;
    shown(&doc, &picture, &usual);
    assert_int_equal(doc.n_lines, 2);
    assert_in_range(doc_width(&doc), 3, 20);
    assert_int_equal(doc_line_width(&doc, 0), doc_line_width(&doc, 1));
    doc_release(&doc);
    labels_free(labels);
    tensor_release(&x);
}

static void test_matrix__wide_matrices_elide_middle_columns(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){2, 30}); /* 0..29; 30..59 */
    struct show_options narrow = usual;
    narrow.width_cols = 25;
    /* A position with its gap takes 4 columns and the sign 1. Five columns of 2, from both ends in
     * turn, each with a gap of 2 to the next or to the sign, take the other 20. */
    assert_shows(&(struct picture){.tensor = &x}, &narrow,
                 "     0   1   2  " ELLIPSIS "  28  29\n"
                 "0    0   1   2  " ELLIPSIS "  28  29\n"
                 "1   30  31  32  " ELLIPSIS "  58  59\n"
                 "25 columns not shown\n");
    narrow.width_cols = 24;
    assert_shows_part(&(struct picture){.tensor = &x}, &narrow,
                      "1   30  31  " ELLIPSIS "  58  59\n");
    tensor_release(&x);
}

static void test_matrix__elided_small_matrices_get_positions(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){5}, (float[]){1.5F, 2.5F, 3.5F, 4.5F, 5.5F});
    struct show_options narrow = usual;
    narrow.width_cols = 20; /* 5 x 6 columns and 4 x 2 between them are 38 */
    narrow.ascii = true;
    assert_shows(&(struct picture){.tensor = &x}, &narrow,
                 "     0  ...       4\n"
                 "1.5000  ...  5.5000\n"
                 "3 of 5 not shown\n");
    tensor_release(&x);
}

static void test_matrix__tall_matrices_elide_middle_rows(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){25, 1});
    assert_shows(&(struct picture){.tensor = &x}, &usual,
                 "      0\n"
                 "0     0\n1     1\n2     2\n3     3\n4     4\n"
                 "5     5\n6     6\n7     7\n8     8\n9     9\n" ELLIPSIS "     " ELLIPSIS "\n"
                 "15   15\n16   16\n17   17\n18   18\n19   19\n"
                 "20   20\n21   21\n22   22\n23   23\n24   24\n"
                 "5 rows not shown\n");
    tensor_release(&x);
}

static void test_matrix__full_shows_every_cell_in_blocks(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){2, 9}); /* 0..8; 9..17 */
    struct show_options full = usual;
    full.full = true;
    full.width_cols = 20;
    /* The position and the gap take 4 of 20 columns. Columns 0 to 4 hold 9 to 13 below, so they are
     * 1, 2, 2, 2, 2 wide: 1 + 4 * (2 + 2) = 17 is one too many for the fifth. The last five
     * are 2 wide each; four of them and three gaps take 14, and 8 is left for a third block. */
    assert_shows(&(struct picture){.tensor = &x}, &full,
                 "columns 0 to 3\n"
                 "    0   1   2   3\n"
                 "0   0   1   2   3\n"
                 "1   9  10  11  12\n"
                 "columns 4 to 7\n"
                 "     4   5   6   7\n"
                 "0    4   5   6   7\n"
                 "1   13  14  15  16\n"
                 "columns 8 to 8\n"
                 "     8\n"
                 "0    8\n"
                 "1   17\n");
    tensor_release(&x);
}

static void test_matrix__full_hides_nothing(void **state)
{
    (void)state;
    struct tensor x = counting(3, (size_t[]){8, 23, 40});
    struct show_options full = usual;
    full.full = true;
    full.width_cols = 50;
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x, .id = 1}, &full);
    size_t size = tensor_size(&x), n_seen = 0;
    bool *seen = calloc(size, sizeof *seen);
    assert_non_null(seen);
    for (size_t i = 0; i < doc.n_spans; i++) {
        size_t position = doc.spans[i].cell.position;
        if (doc.spans[i].cell.tensor == 0)
            continue;
        assert_false(seen[position]);
        assert_int_equal(number_in(&doc, &doc.spans[i]), position);
        seen[position] = true;
        n_seen++;
    }
    assert_int_equal(n_seen, size);
    assert_in_range(doc_width(&doc), 1, 50);
    free(seen);
    doc_release(&doc);
    tensor_release(&x);
}

/* Any shape, numbers, labels and width: no line is wider than what it may take. */
static void test_matrix__lines_fit_the_width(void **state)
{
    (void)state;
    static const char *const some[] = {
        "a", "Hello", "understanding", "\xE6\x97\xA5\xE6\x9C\xAC", "e\xCC\x81", "\xFF", ""};
    uint64_t stream = 2;
    for (int round = 0; round < 400; round++) {
        size_t shape[2] = {testing_between(&stream, 1, 30), testing_between(&stream, 1, 40)};
        struct tensor x = testing_random_tensor(&stream, 2, shape);
        struct tensor zero; /* what was before: almost every cell has changed */
        struct error error;
        assert_true(tensor_zeros(2, shape, &zero, &error));
        int scale = (int)testing_between(&stream, 0, 60) - 30;
        for (size_t i = 0; i < tensor_size(&x); i++)
            x.data[i] = ldexpf(x.data[i], scale);
        const char *row_names[30], *col_names[40];
        for (size_t i = 0; i < 40; i++)
            col_names[i] = row_names[i % 30] = some[testing_between(&stream, 0, 6)];
        struct labels *both[] = {round % 2 ? names(shape[0], row_names) : NULL,
                                 round % 3 ? names(shape[1], col_names) : NULL};
        struct show_options options = {.width_cols = testing_between(&stream, 40, 100),
                                       .digits = 1 + round % 9,
                                       .full = round % 5 == 0,
                                       .ascii = round % 7 == 0};
        struct picture picture = {
            .tensor = &x, .labels = both, .before = round % 4 == 0 ? &zero : NULL};
        struct doc doc;
        shown(&doc, &picture, &options);
        assert_in_range(doc_width(&doc), 1, options.width_cols);
        doc_release(&doc);
        labels_free(both[0]);
        labels_free(both[1]);
        tensor_release(&zero);
        tensor_release(&x);
    }
}

static void test_matrix__ascii_has_no_other_characters(void **state)
{
    (void)state;
    struct tensor x = counting(3, (size_t[]){9, 30, 50});
    char text[50][8];
    const char *strings[50];
    for (size_t i = 0; i < 50; i++) {
        snprintf(text[i], sizeof text[i], "\xC3\xA9%zu", i);
        strings[i] = text[i];
    }
    struct labels *labels = names(50, strings);
    struct show_options ascii = usual;
    ascii.ascii = true;
    struct doc doc;
    shown(&doc,
          &(struct picture){.tensor = &x,
                            .labels = (struct labels *[]){NULL, NULL, labels},
                            .title = "\xC3\xA9t\xC3\xA9"},
          &ascii);
    assert_memory_equal(doc.text.bytes, "?t?", 3);
    for (size_t i = 0; i < doc.text.size; i++)
        assert_in_range(doc.text.bytes[i], ' ', '~');
    doc_release(&doc);
    labels_free(labels);
    tensor_release(&x);
}

static void test_matrix__the_smallest_and_largest_widths_are_survived(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){3, 12});
    struct show_options options = usual;
    options.width_cols = 0; /* 20 is assumed */
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x}, &options);
    assert_in_range(doc_width(&doc), 10, 20);
    doc_release(&doc);
    options.width_cols = SIZE_MAX;
    shown(&doc, &(struct picture){.tensor = &x}, &options);
    assert_int_equal(doc.n_lines, 4); /* all columns, and nothing to say about hidden ones */
    doc_release(&doc);
    tensor_release(&x);
}

/* A hidden 0 is no number; -inf says itself that it is hidden, and what changed is marked. */
static void test_matrix__a_hidden_zero_is_a_dot(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 3}, (float[]){0, 0, 1, 0, -INFINITY, 0.5F});
    struct tensor was = testing_tensor(2, (size_t[]){2, 3}, (float[]){0, 0, 1, 1, -INFINITY, 0.5F});
    struct tensor hidden = testing_tensor(2, (size_t[]){2, 3}, (float[]){1, 0, 0, 1, 1, 1});
    struct picture picture = {.tensor = &x, .hidden = &hidden};
    struct show_options options = usual;
    options.digits = 1;
    assert_shows(&picture, &options, "  \xC2\xB7   0.0  1.0\n  \xC2\xB7  -inf  0.5\n");
    picture.before = &was;
    options.ascii = true;
    assert_shows(&picture, &options, "  /   0.0  1.0\n  /* -inf  0.5\n");
    tensor_release(&x);
    tensor_release(&was);
    tensor_release(&hidden);
}

/* Shows x to a Doc whose error is asked for at the end. */
static bool show_once(const struct picture *picture, const struct show_options *options,
                      struct error *reterr)
{
    struct doc doc;
    doc_init(&doc);
    matrix_show(&doc, picture, options);
    bool complete = doc_check(&doc, reterr);
    doc_release(&doc);
    return complete;
}

static void test_matrix__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct tensor x = counting(3, (size_t[]){2, 9, 9});
    struct picture picture = {.tensor = &x, .title = "x"};
    struct error error;
    struct show_options full = usual;
    full.full = true;
    full.width_cols = 20;
    assert_reports_failed_allocations(show_once(&picture, &usual, &error), error);
    assert_reports_failed_allocations(show_once(&picture, &full, &error), error);
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix__labels_stand_at_both_sides),
        cmocka_unit_test(test_matrix__small_without_labels_is_bare),
        cmocka_unit_test(test_matrix__larger_without_labels_has_positions),
        cmocka_unit_test(test_matrix__views_are_read_as_they_are_seen),
        cmocka_unit_test(test_matrix__a_vector_is_one_row),
        cmocka_unit_test(test_matrix__a_single_number_is_one_line),
        cmocka_unit_test(test_matrix__bools_are_words),
        cmocka_unit_test(test_matrix__without_numbers_there_is_only_the_shape),
        cmocka_unit_test(test_matrix__leading_axes_make_one_table_each),
        cmocka_unit_test(test_matrix__many_tables_are_elided_in_the_middle),
        cmocka_unit_test(test_matrix__changed_cells_are_marked_and_stay_aligned),
        cmocka_unit_test(test_matrix__nan_has_not_changed_to_nan),
        cmocka_unit_test(test_matrix__before_is_read_by_its_own_strides),
        cmocka_unit_test(test_matrix__spans_point_at_their_cells),
        cmocka_unit_test(test_matrix__wide_letters_and_marks_stay_aligned),
        cmocka_unit_test(test_matrix__long_labels_are_cut_at_twelve_columns),
        cmocka_unit_test(test_matrix__a_label_of_endless_marks_is_harmless),
        cmocka_unit_test(test_matrix__wide_matrices_elide_middle_columns),
        cmocka_unit_test(test_matrix__elided_small_matrices_get_positions),
        cmocka_unit_test(test_matrix__tall_matrices_elide_middle_rows),
        cmocka_unit_test(test_matrix__full_shows_every_cell_in_blocks),
        cmocka_unit_test(test_matrix__full_hides_nothing),
        cmocka_unit_test(test_matrix__lines_fit_the_width),
        cmocka_unit_test(test_matrix__ascii_has_no_other_characters),
        cmocka_unit_test(test_matrix__the_smallest_and_largest_widths_are_survived),
        cmocka_unit_test(test_matrix__a_hidden_zero_is_a_dot),
        cmocka_unit_test(test_matrix__failed_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
