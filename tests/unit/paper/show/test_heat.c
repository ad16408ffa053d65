/* show/heat.h: tensors as heatmaps. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "show/backend.h"
#include "show/labels.h"
#include "show/heat.h"
#include "tensor/tensor.h"

#define LIGHT "\xE2\x96\x91" /* a quarter, a half and three quarters shaded, and full */
#define MEDIUM "\xE2\x96\x92"
#define DARK "\xE2\x96\x93"
#define FULL "\xE2\x96\x88"
#define UPPER "\xE2\x96\x80" /* half blocks */
#define LOWER "\xE2\x96\x84"
#define DOT "\xC2\xB7" /* what is hidden */

static const struct show_options tinted = {.width_cols = 80, .digits = 4, .colour = true};
static const struct show_options shaded = {.width_cols = 80, .digits = 4};
static const struct show_options ascii = {.width_cols = 80, .digits = 4, .ascii = true};

static void shown(struct doc *doc, const struct picture *picture,
                  const struct show_options *options)
{
    struct error error;
    doc_init(doc);
    heat_show(doc, picture, options);
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

/* Span number `wanted` of a line. */
static const struct span *span_of(const struct doc *doc, size_t line, size_t wanted)
{
    const struct span *spans;
    size_t n_spans = doc_line_spans(doc, line, &spans);
    assert_in_range(wanted + 1, 1, n_spans);
    return &spans[wanted];
}

static void assert_span_text(const struct doc *doc, const struct span *span, const char *expected)
{
    assert_int_equal(span->end - span->begin, strlen(expected));
    assert_memory_equal(doc->text.bytes + span->begin, expected, strlen(expected));
}

static void test_heat__cells_are_tinted_by_their_place_in_the_range(void **state)
{
    (void)state;
    /* 0 and 1 are the ends; (0.25 - 0) / (1 - 0) * 255 = 63.75. */
    struct tensor x = testing_tensor(2, (size_t[]){1, 3}, (float[]){0, 0.25F, 1});
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x, .id = 5}, &tinted);
    static const int tints[] = {0, 64, 255};
    static const char *const texts[] = {" 0.0000 ", " 0.2500 ", " 1.0000 "};
    for (size_t i = 0; i < 3; i++) {
        const struct span *span = span_of(&doc, 0, i);
        assert_span_text(&doc, span, texts[i]);
        assert_int_equal(span->back, tints[i]);
        assert_int_equal(span->front, TINT_NONE);
        assert_int_equal(span->cell.tensor, 5);
        assert_int_equal(span->cell.position, i);
    }
    doc_release(&doc);
    tensor_release(&x);
}

static void test_heat__labels_and_legend_surround_the_cells(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 2}, (float[]){0.5F, 1.5F, 2.5F, -1});
    struct labels *rows = names(2, (const char *const[]){"cat", "a"});
    struct labels *cols = names(2, (const char *const[]){"sat", "understood"});
    struct picture picture = {
        .tensor = &x, .labels = (struct labels *[]){rows, cols}, .title = "w"};
    /* The ramp is 16 tinted blanks. Row headings take 3 and a gap of 2; cells are as wide as the
     * widest label and a blank on either side. */
    assert_shows(&picture, &tinted,
                 "w  2x2\n"
                 "             sat  understood\n"
                 "cat       0.5000      1.5000 \n"
                 "a         2.5000     -1.0000 \n"
                 "lowest -1                  2.5 highest\n");
    labels_free(rows);
    labels_free(cols);
    tensor_release(&x);
}

static void test_heat__shades_stand_for_tints_without_colour(void **state)
{
    (void)state;
    /* Of 0..4: tints 0, 64, 128, 191, 255, one in each fifth of 0..255. */
    struct tensor x = counting(2, (size_t[]){1, 5});
    assert_shows(&(struct picture){.tensor = &x}, &shaded,
                 "   0  " LIGHT LIGHT " 1  " MEDIUM MEDIUM " 2  " DARK DARK " 3  " FULL FULL " 4\n"
                 "lowest 0 [ " LIGHT MEDIUM DARK FULL "] 4 highest\n");
    tensor_release(&x);
}

static void test_heat__ascii_has_ten_shades_even_with_colour(void **state)
{
    (void)state;
    struct tensor x = counting(1, (size_t[]){10});
    struct show_options both = ascii;
    both.colour = true;
    const char *expected = "   0     1     2     3     4     5     6     7     8     9\n"
                           "   0  .. 1  :: 2  -- 3  == 4  ++ 5  ** 6  ## 7  %% 8  @@ 9\n"
                           "lowest 0 [ .:-=+*#%@] 9 highest\n";
    assert_shows(&(struct picture){.tensor = &x}, &ascii, expected);
    assert_shows(&(struct picture){.tensor = &x}, &both, expected);
    tensor_release(&x);
}

static void test_heat__what_is_not_finite_has_a_sign(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){5}, (float[]){0, -INFINITY, INFINITY, NAN, 4});
    assert_shows(&(struct picture){.tensor = &x}, &ascii,
                 "     0       /  >> inf  ?? nan  @@   4\n"
                 "lowest 0 [ .:-=+*#%@] 4 highest   / hidden (-inf)   > inf   ? nan\n");
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x}, &tinted);
    assert_int_equal(span_of(&doc, 0, 0)->back, 0);
    assert_span_text(&doc, span_of(&doc, 0, 1), "   \xC2\xB7 ");
    assert_int_equal(span_of(&doc, 0, 1)->back, TINT_NONE);
    assert_int_equal(span_of(&doc, 0, 1)->style, STYLE_QUIET);
    assert_int_equal(span_of(&doc, 0, 2)->back, TINT_NONE);
    assert_int_equal(span_of(&doc, 0, 3)->back, TINT_NONE);
    assert_int_equal(span_of(&doc, 0, 4)->back, 255);
    doc_release(&doc);
    tensor_release(&x);
}

static void test_heat__equal_numbers_have_one_tint(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){2}, (float[]){0.7F, 0.7F});
    assert_shows(&(struct picture){.tensor = &x}, &tinted,
                 " 0.7000  0.7000 \nevery finite number is 0.7\n");
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x}, &tinted);
    assert_int_equal(span_of(&doc, 0, 0)->back, span_of(&doc, 0, 1)->back);
    assert_in_range(span_of(&doc, 0, 0)->back, 0, 255);
    doc_release(&doc);
    tensor_release(&x);
}

static void test_heat__no_finite_number_at_all(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){2}, (float[]){-INFINITY, NAN});
    assert_shows(&(struct picture){.tensor = &x}, &shaded,
                 "     " DOT "  ?? nan\nno finite numbers   " DOT " hidden (-inf)   ? nan\n");
    tensor_release(&x);
}

static void test_heat__bools_span_the_palette(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){2}, (float[]){1, 1});
    x.is_bool = true;
    assert_shows(&(struct picture){.tensor = &x}, &shaded,
                 FULL FULL "  True  " FULL FULL "  True\nlowest False [ " FULL "] True highest\n");
    tensor_release(&x);
}

static void test_heat__changed_cells_are_marked(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(1, (size_t[]){3}, (float[]){0, 1, 2});
    struct tensor before = testing_tensor(1, (size_t[]){3}, (float[]){0, 9, 9});
    struct picture picture = {.tensor = &x, .before = &before};
    assert_shows(&picture, &tinted, " 0  1* 2*\nlowest 0                  2 highest\n");
    assert_shows(&picture, &ascii, "   0  ++ 1* @@ 2*\nlowest 0 [ .:-=+*#%@] 2 highest\n");
    struct doc doc;
    shown(&doc, &picture, &tinted);
    assert_int_equal(span_of(&doc, 0, 0)->style, STYLE_NUMBER);
    assert_int_equal(span_of(&doc, 0, 1)->style, STYLE_CHANGED);
    doc_release(&doc);
    tensor_release(&before);
    tensor_release(&x);
}

static void test_heat__blocks_where_numbers_do_not_fit(void **state)
{
    (void)state;
    /* Cells " 1 " need 3 columns each, 24 for 8; blocks of 2 need 16. */
    struct tensor x = counting(2, (size_t[]){1, 8});
    struct labels *cols = names(8, (const char *const[]){"a", "bc", "", "\xE6\x97\xA5\xE6\x9C\xAC",
                                                         "e\xCC\x81x", "f", "g", "h"});
    struct show_options narrow = tinted;
    narrow.width_cols = 20;
    struct picture picture = {.tensor = &x, .labels = (struct labels *[]){NULL, cols}, .id = 1};
    /* A row heading of 1 and a gap of 2; labels stand on their columns, letters with their marks.
     */
    assert_shows(&picture, &narrow,
                 "     b   \xE6\x97\xA5"
                 "e\xCC\x81\n"
                 "   a c   \xE6\x9C\xAC"
                 "x f g h\n"
                 "0                  \n"
                 "lowest 0      7 highest\n"); /* a shorter ramp */
    struct doc doc;
    shown(&doc, &picture, &narrow);
    for (size_t col = 0; col < 8; col++) {
        const struct span *span = span_of(&doc, 2, 2 + col); /* after the heading and its gap */
        assert_span_text(&doc, span, "  ");
        assert_int_equal(span->cell.position, col);
        assert_int_equal(span->back, lround((double)col / 7 * 255));
    }
    doc_release(&doc);
    labels_free(cols);
    tensor_release(&x);
}

static void test_heat__blocks_have_positions_shades_and_marks(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){1, 8}), before = counting(2, (size_t[]){1, 8});
    x.data[2] = -INFINITY;
    x.data[4] = NAN;
    struct show_options narrow = ascii;
    narrow.width_cols = 20;
    /* Of 0..7: 1/7 and 3/7 and 5/7 and 6/7 of 255 are 36, 109, 182, 219, tenths 1, 4, 7, 8. */
    assert_shows(&(struct picture){.tensor = &x, .before = &before}, &narrow,
                 "   0         5\n"
                 "0    ../*==?*##%%@@\n"
                 "lowest 0 [ .:-=+*#%@] 7 highest\n"
                 "/ hidden (-inf)\n" /* what does not fit goes below */
                 "? nan\n");
    tensor_release(&before);
    tensor_release(&x);
}

/* 41 rows are too many for a line each: half blocks show two rows a line. */
static void test_heat__half_blocks_hold_two_rows(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){41, 2}); /* 0..81 */
    x.data[2 * 2] = -INFINITY;                        /* row 2, above row 3 */
    x.data[5 * 2] = NAN;                              /* row 5, below row 4 */
    x.data[6 * 2] = x.data[7 * 2] = INFINITY;
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x, .id = 3}, &tinted);
    assert_int_equal(doc.n_lines, 1 + 21 + 2); /* positions, rows in pairs, the legend */
    const struct span *span = span_of(&doc, 1, 2);
    assert_span_text(&doc, span, UPPER);
    assert_int_equal(span->front, 0); /* 0 of 0..81, and 2 of it below: 2 / 81 * 255 = 6.3 */
    assert_int_equal(span->back, 6);
    assert_int_equal(span->cell.position, 0);
    span = span_of(&doc, 2, 2);
    assert_span_text(&doc, span, LOWER); /* only 6 below has a tint: 18.9 */
    assert_int_equal(span->front, 19);
    assert_int_equal(span->back, TINT_NONE);
    span = span_of(&doc, 3, 2);
    assert_span_text(&doc, span, UPPER); /* only 8 above has one: 25.2 */
    assert_int_equal(span->front, 25);
    assert_int_equal(span->back, TINT_NONE);
    assert_span_text(&doc, span_of(&doc, 4, 2), ">");
    span = span_of(&doc, 21, 3); /* row 40 has nothing below it */
    assert_span_text(&doc, span, UPPER);
    assert_int_equal(span->front, 255);
    assert_int_equal(span->back, TINT_NONE);
    assert_int_equal(span->cell.position, 81);
    doc_release(&doc);
    tensor_release(&x);
}

static void test_heat__what_is_too_wide_is_averaged(void **state)
{
    (void)state;
    /* 40 columns of 0 to 39 in 20: the mean of each pair is 0.5, 2.5, ..., 38.5. A finite number
     * beside one that is not stands for both. */
    struct tensor x = counting(1, (size_t[]){40});
    x.data[3] = -INFINITY;
    x.data[38] = x.data[39] = INFINITY; /* now the highest is 37 */
    struct show_options narrow = tinted;
    narrow.width_cols = 20;
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x, .id = 3}, &narrow);
    assert_int_equal(doc.n_lines, 6); /* positions, cells, the mean; the legend: range, signs */
    assert_int_equal(span_of(&doc, 1, 0)->front, lround(0.5 / 37 * 255));
    assert_int_equal(span_of(&doc, 1, 1)->front, lround(2.0 / 37 * 255));
    assert_int_equal(span_of(&doc, 1, 18)->front, lround(36.5 / 37 * 255));
    assert_span_text(&doc, span_of(&doc, 1, 19), ">");
    assert_int_equal(span_of(&doc, 1, 1)->cell.tensor, 0); /* a mean is no cell */
    assert_span_text(&doc, span_of(&doc, 2, 0), "each cell is the mean of 1x2 numbers");
    doc_release(&doc);
    tensor_release(&x);
}

static void test_heat__rows_are_averaged_with_shades(void **state)
{
    (void)state;
    /* 80 rows in 40 lines: means of 0 and 1, 2 and 3, ..., 78 and 79. */
    struct tensor x = counting(2, (size_t[]){80, 1});
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x}, &ascii);
    assert_int_equal(doc.n_lines, 1 + 40 + 2);
    assert_span_text(&doc, span_of(&doc, 1, 2), " ");  /* 0.5 / 79 */
    assert_span_text(&doc, span_of(&doc, 40, 2), "@"); /* 78.5 / 79 */
    assert_span_text(&doc, span_of(&doc, 40, 0), "78");
    doc_release(&doc);
    tensor_release(&x);
}

static void test_heat__full_shows_all_rows(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){100, 2});
    struct show_options full = ascii;
    full.full = true;
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x}, &full);
    assert_int_equal(doc.n_lines, 1 + 100 + 1);
    doc_release(&doc);
    tensor_release(&x);
}

static void test_heat__leading_axes_share_one_legend(void **state)
{
    (void)state;
    struct tensor x = counting(3, (size_t[]){2, 1, 2});
    assert_shows(&(struct picture){.tensor = &x}, &ascii,
                 "[0, :, :]\n   0  -- 1\n[1, :, :]\n** 2  @@ 3\n"
                 "lowest 0 [ .:-=+*#%@] 3 highest\n");
    tensor_release(&x);
}

static void test_heat__a_single_number_and_none(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(0, NULL, (float[]){0.5F});
    assert_shows(&(struct picture){.tensor = &x, .title = "t"}, &tinted, "t = 0.5\n");
    tensor_release(&x);
    x = counting(2, (size_t[]){3, 0});
    assert_shows(&(struct picture){.tensor = &x, .title = "t"}, &tinted, "t  3x0\n[]\n");
    tensor_release(&x);
}

/* Any shape and width: all cells fit, tints stay in the palette, and no number is lost. */
static void test_heat__any_shape_fits_the_width(void **state)
{
    (void)state;
    uint64_t stream = 8;
    for (int round = 0; round < 300; round++) {
        size_t shape[2] = {testing_between(&stream, 1, 130), testing_between(&stream, 1, 150)};
        struct tensor x = testing_random_tensor(&stream, 2, shape);
        x.data[0] = round % 2 ? -INFINITY : x.data[0];
        struct show_options options = {.width_cols = testing_between(&stream, 50, 120),
                                       .digits = 4,
                                       .full = round % 5 == 0,
                                       .ascii = round % 3 == 0,
                                       .colour = round % 7 != 0};
        struct doc doc;
        shown(&doc, &(struct picture){.tensor = &x, .id = 1}, &options);
        assert_in_range(doc_width(&doc), 1, options.width_cols);
        for (size_t i = 0; i < doc.n_spans; i++) {
            assert_in_range(doc.spans[i].front + 1, 0, 256);
            assert_in_range(doc.spans[i].back + 1, 0, 256);
            assert_in_range(doc.spans[i].cell.position, 0, tensor_size(&x) - 1);
        }
        doc_release(&doc);
        tensor_release(&x);
    }
}

static bool show_once(const struct picture *picture, const struct show_options *options,
                      struct error *reterr)
{
    struct doc doc;
    doc_init(&doc);
    heat_show(&doc, picture, options);
    bool complete = doc_check(&doc, reterr);
    doc_release(&doc);
    return complete;
}

static void test_heat__failed_allocations_are_reported(void **state)
{
    (void)state;
    struct tensor x = counting(3, (size_t[]){2, 9, 9});
    struct picture picture = {.tensor = &x, .title = "x"};
    struct error error;
    assert_reports_failed_allocations(show_once(&picture, &tinted, &error), error);
    assert_reports_failed_allocations(show_once(&picture, &ascii, &error), error);
    tensor_release(&x);
}

/* ---- scales ---- */

/* The same, drawn on a scale. */
static struct heat_lines shown_as(struct doc *doc, const struct picture *picture,
                                  const struct show_options *options, struct heat_options how)
{
    struct error error;
    doc_init(doc);
    struct heat_lines lines = heat_show_as(doc, picture, options, how);
    if (!doc_check(doc, &error))
        fail_msg("%s", error.text);
    return lines;
}

static void assert_last_line(const struct doc *doc, const char *expected)
{
    struct text plain = {0};
    doc_to_plain(doc, &plain);
    const char *text = text_string(&plain), *found = strstr(text, expected);
    if (found == NULL || strcmp(found + strlen(expected), "\n") != 0)
        fail_msg("%s\n...does not end with: %s", text, expected);
    text_release(&plain);
}

/* Tints of a row of cells whose first one is span `first` of the line. */
static void assert_tints(const struct doc *doc, size_t line, size_t first, size_t n,
                         const int *expected)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(span_of(doc, line, first + i)->back, expected[i]);
}

static void test_heat__weights_have_a_scale_for_each_row_from_0(void **state)
{
    (void)state;
    /* 0.25 of 0.75 is a third of 255; 0.5 is the highest of its row. */
    struct tensor x = testing_tensor(2, (size_t[]){2, 2}, (float[]){0.25F, 0.75F, 0.5F, 0.5F});
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x}, &tinted);
    assert_tints(&doc, 0, 0, 2, (const int[]){85, 255});
    assert_tints(&doc, 1, 0, 2, (const int[]){255, 255});
    assert_last_line(&doc, "each row: 0                  its highest   1 of 2 rows nearly even");
    doc_release(&doc);
    assert_true(heat_is_weights(&x));
    x.data[0] = 0.5F; /* 1.25 in sum */
    assert_false(heat_is_weights(&x));
    tensor_release(&x);
}

/* A row whose keys are all hidden attends to nothing: no colour. */
static void test_heat__a_row_of_zeros_is_blank(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 2}, (float[]){0, 0, 0.25F, 0.75F});
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x}, &tinted);
    assert_tints(&doc, 0, 0, 2, (const int[]){0, 0});
    assert_tints(&doc, 1, 0, 2, (const int[]){85, 255});
    doc_release(&doc);
    tensor_release(&x);
}

static void test_heat__what_could_be_weights(void **state)
{
    (void)state;
    struct tensor hidden_row = testing_tensor(2, (size_t[]){2, 2}, (float[]){0, 0, 0, 1});
    struct tensor zeros = testing_tensor(2, (size_t[]){2, 2}, (float[]){0, 0, 0, 0});
    struct tensor negative = testing_tensor(1, (size_t[]){2}, (float[]){-1, 2});
    struct tensor unknown = testing_tensor(1, (size_t[]){2}, (float[]){NAN, 1});
    struct tensor truth = testing_tensor(1, (size_t[]){2}, (float[]){0, 1});
    truth.is_bool = true;
    assert_true(heat_is_weights(&hidden_row));
    assert_false(heat_is_weights(&zeros));
    assert_false(heat_is_weights(&negative));
    assert_false(heat_is_weights(&unknown));
    assert_false(heat_is_weights(&truth));
    tensor_release(&hidden_row);
    tensor_release(&zeros);
    tensor_release(&negative);
    tensor_release(&unknown);
    tensor_release(&truth);
}

static void test_heat__a_scale_can_be_chosen(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 2}, (float[]){-1, 3, 0.5F, 0});
    struct picture picture = {.tensor = &x};
    struct doc doc;
    shown_as(&doc, &picture, &tinted, (struct heat_options){.scale = HEAT_ROW});
    assert_tints(&doc, 0, 0, 2, (const int[]){0, 255});
    assert_tints(&doc, 1, 0, 2, (const int[]){255, 0});
    assert_last_line(&doc, "each row: its lowest                  its highest");
    doc_release(&doc);
    shown_as(&doc, &picture, &tinted, (struct heat_options){.scale = HEAT_MATRIX});
    assert_tints(&doc, 0, 0, 2, (const int[]){0, 255});
    assert_tints(&doc, 1, 0, 2, (const int[]){96, 64}); /* 1.5 / 4 and 1 / 4 of 255 */
    assert_last_line(&doc, "lowest -1                  3 highest");
    doc_release(&doc);
    shown_as(&doc, &picture, &tinted, (struct heat_options){.scale = HEAT_UNIT});
    assert_tints(&doc, 0, 0, 2, (const int[]){0, 255});
    assert_tints(&doc, 1, 0, 2, (const int[]){128, 0});
    assert_last_line(&doc, "fixed: 0 or less                  1 or more");
    doc_release(&doc);
    tensor_release(&x);
}

static void test_heat__nearly_even_numbers_begin_at_0_and_say_so(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){1, 2}, (float[]){8, 10});
    struct doc doc;
    shown(&doc, &(struct picture){.tensor = &x}, &tinted);
    assert_tints(&doc, 0, 0, 2, (const int[]){204, 255});
    assert_last_line(&doc, "0                  10 highest   nearly even: 8 to 10");
    doc_release(&doc);
    x.data[0] = -10; /* below 0 they end there */
    x.data[1] = -8;
    shown(&doc, &(struct picture){.tensor = &x}, &tinted);
    assert_tints(&doc, 0, 0, 2, (const int[]){0, 51});
    assert_last_line(&doc, "lowest -10                  0   nearly even: -10 to -8");
    doc_release(&doc);
    x.data[0] = 7.9F; /* no longer */
    x.data[1] = 10;
    shown(&doc, &(struct picture){.tensor = &x}, &tinted);
    assert_last_line(&doc, "lowest 7.9                  10 highest");
    doc_release(&doc);
    tensor_release(&x);
}

static void test_heat__what_is_hidden_has_no_colour_and_no_part_in_the_scale(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 3}, (float[]){2, 0, 0, 0, 1, 4});
    struct tensor hidden = testing_tensor(2, (size_t[]){2, 3}, (float[]){0, 1, 1, 0, 0, 1});
    struct picture picture = {.tensor = &x, .hidden = &hidden};
    struct doc doc;
    hidden.is_bool = true;
    shown(&doc, &picture, &tinted); /* 4 is hidden: the highest is 2 */
    assert_tints(&doc, 0, 0, 3, (const int[]){255, TINT_NONE, TINT_NONE});
    assert_tints(&doc, 1, 0, 3, (const int[]){0, 128, TINT_NONE});
    assert_span_text(&doc, span_of(&doc, 1, 2), " " DOT " ");
    assert_last_line(&doc, "lowest 0                  2 highest   " DOT " hidden");
    doc_release(&doc);
    assert_shows(&picture, &ascii,
                 "@@ 2     /     /\n"
                 "   0  ++ 1     /\n"
                 "lowest 0 [ .:-=+*#%@] 2 highest   / hidden\n");
    tensor_release(&hidden);
    tensor_release(&x);
}

static void test_heat__hidden_cells_in_blocks_and_half_blocks(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){41, 9}), hidden = counting(2, (size_t[]){41, 9});
    for (size_t i = 0; i < 41 * 9; i++)
        hidden.data[i] = i % 9 > i / 9; /* as a causal mask does */
    struct show_options narrow = tinted;
    struct picture picture = {.tensor = &x, .hidden = &hidden};
    struct doc doc;
    narrow.width_cols = 28;
    shown(&doc, &picture, &narrow);
    assert_span_text(&doc, span_of(&doc, 1, 2), UPPER);
    assert_span_text(&doc, span_of(&doc, 1, 3), LOWER); /* [0, 1] is hidden, [1, 1] is not */
    assert_span_text(&doc, span_of(&doc, 1, 4), DOT);
    assert_last_line(&doc, DOT " or blank: hidden");
    doc_release(&doc);
    x.shape[0] = hidden.shape[0] = 9;
    shown(&doc, &picture, &narrow);
    assert_span_text(&doc, span_of(&doc, 1, 2), "  ");
    assert_span_text(&doc, span_of(&doc, 1, 3), DOT " ");
    assert_int_equal(span_of(&doc, 1, 3)->back, TINT_NONE);
    doc_release(&doc);
    tensor_release(&hidden);
    tensor_release(&x);
}

static void test_heat__lines_are_counted_and_standing_names_cut(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){2, 8});
    struct labels *cols =
        names(8, (const char *const[]){"farmer", "b", "open", "d", "e", "f", "g", "hut"});
    struct picture picture = {.tensor = &x, .labels = (struct labels *[]){NULL, cols}};
    struct show_options narrow = tinted;
    struct doc doc;
    narrow.width_cols = 20;
    struct heat_lines lines =
        shown_as(&doc, &picture, &narrow, (struct heat_options){.heading_lines = 0});
    assert_int_equal(lines.n_headings, 6);
    assert_int_equal(lines.n_legend, 1);
    assert_int_equal(doc.n_lines, 6 + 2 + 1);
    doc_release(&doc);
    lines = shown_as(&doc, &picture, &narrow, (struct heat_options){.heading_lines = 3});
    assert_int_equal(lines.n_headings, 3);
    struct text plain = {0};
    doc_to_plain(&doc, &plain);
    assert_memory_equal(text_string(&plain),
                        "   f   o         h\n"
                        "   a   p         u\n"
                        "   r b e d e f g t\n",
                        57);
    text_release(&plain);
    doc_release(&doc);
    labels_free(cols);
    tensor_release(&x);
}

/* ---- several ---- */

static void assert_together(const struct picture *pictures, size_t n, size_t width_cols,
                            enum heat_scale scale, const char *expected)
{
    struct show_options options = ascii;
    struct doc doc;
    struct text plain = {0};
    options.width_cols = width_cols;
    doc_init(&doc);
    heat_show_together(&doc, pictures, n, &options, scale);
    assert_true(doc_check(&doc, NULL));
    doc_to_plain(&doc, &plain);
    assert_string_equal(text_string(&plain), expected);
    text_release(&plain);
    doc_release(&doc);
}

static void test_heat__together_they_share_a_scale_unless_it_is_refused(void **state)
{
    (void)state;
    struct tensor a = testing_tensor(2, (size_t[]){1, 2}, (float[]){0, 1});
    struct tensor b = testing_tensor(2, (size_t[]){1, 2}, (float[]){3, 9});
    struct picture pair[2] = {{.tensor = &a, .title = "a"}, {.tensor = &b, .title = "b"}};
    assert_together(pair, 2, 80, HEAT_AUTO,
                    "a  1x2       b  1x2\n"
                    "   0  .. 1   -- 3  @@ 9\n"
                    "one scale: lowest 0 [ .:-=+*#%@] 9 highest\n");
    assert_together(pair, 2, 80, HEAT_MATRIX,
                    "a  1x2                            b  1x2\n"
                    "   0  @@ 1                           3  @@ 9\n"
                    "lowest 0 [ .:-=+*#%@] 1 highest   lowest 3 [ .:-=+*#%@] 9 highest\n");
    b.is_bool = true; /* nothing to share with numbers */
    b.data[0] = 1;
    b.data[1] = 0;
    assert_together(pair, 2, 50, HEAT_SHARED,
                    "a  1x2\n"
                    "   0  @@ 1\n"
                    "lowest 0 [ .:-=+*#%@] 1 highest\n"
                    "b  1x2\n"
                    "@@  True     False\n"
                    "lowest False [ @] True highest\n");
    tensor_release(&b);
    tensor_release(&a);
}

/* 5 words with 4 decimals take 7 + 2 + 5 * 8 columns each, with 2 decimals 7 + 2 + 5 * 6 at most.
 */
static void test_heat__two_of_5_words_fit_80_columns(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){5, 5});
    for (size_t i = 0; i < 25; i++)
        x.data[i] /= 25;
    struct labels *words = names(5, (const char *const[]){"the", "animal", "was", "too", "tired"});
    struct labels *both[2] = {words, words};
    struct picture pair[2] = {{.tensor = &x, .labels = both, .title = "a rather long expression"},
                              {.tensor = &x, .labels = both, .title = "b"}};
    for (int colour = 0; colour < 2; colour++) {
        struct show_options options = {.width_cols = 80, .digits = 4, .colour = colour > 0};
        struct doc doc;
        doc_init(&doc);
        heat_show_together(&doc, pair, 2, &options, HEAT_AUTO);
        assert_int_equal(doc.n_lines, 1 + 1 + 5 + 1);
        assert_in_range(doc_width(&doc), 60, 80);
        doc_release(&doc);
    }
    labels_free(words);
    tensor_release(&x);
}

/* A name has all the columns of its cell but a blank, and those that the name after it does not
 * need. */
static void test_heat__names_over_numbers_are_cut_only_where_no_room_is_left(void **state)
{
    (void)state;
    static const struct {
        const char *names[4];
        size_t width_cols, extra_lines;
        const char *heading;
    } cases[] = {
        {{"cat", "sat", "it", "tired"}, 32, 0, "         cat   sat    it tired\n"},
        {{"cat", "sat", "it", "tired"}, 35, 0, "          cat    sat     it  tired\n"},
        /* the room on the right of a name, and that of the name after it */
        {{"cat", "sat", "it", "tiredly"}, 33, 0, "           cat   sat    it tiredl\n"},
        {{"cat", "sitting", "it", "a"}, 33, 0, "           cat sitting  it     a\n"},
        {{"sitting", "cat", "it", "a"}, 33, 0, "       sitting   cat    it     a\n"},
        {{"cat", "animals", "sitting", "a"}, 33, 0, "           cat anima sitting   a\n"},
        /* cells that grew to twice their width */
        {{"cat", "sat", "it", "tiredly"}, 57, 4, "              cat      sat       it  tiredly\n"},
    };
    struct tensor x = counting(2, (size_t[]){4, 4});
    for (size_t i = 0; i < 16; i++)
        x.data[i] /= 16;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct labels *words = names(4, cases[i].names);
        struct picture picture = {.tensor = &x, .labels = (struct labels *[]){words, words}};
        struct show_options options = tinted;
        options.width_cols = cases[i].width_cols;
        options.extra_lines = cases[i].extra_lines;
        struct doc doc;
        struct text plain = {0};
        shown(&doc, &picture, &options);
        doc_to_plain(&doc, &plain);
        assert_in_range(doc_width(&doc), 1, cases[i].width_cols);
        assert_int_equal(strncmp(text_string(&plain), cases[i].heading, strlen(cases[i].heading)),
                         0);
        text_release(&plain);
        doc_release(&doc);
        labels_free(words);
    }
    tensor_release(&x);
}

static bool together_once(const struct picture *pair, struct error *reterr)
{
    struct doc doc;
    doc_init(&doc);
    heat_show_together(&doc, pair, 2, &tinted, HEAT_AUTO);
    bool complete = doc_check(&doc, reterr);
    doc_release(&doc);
    return complete;
}

static void test_heat__failed_allocations_of_several_are_reported(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){3, 3});
    struct picture pair[2] = {{.tensor = &x, .title = "x"}, {.tensor = &x, .title = "y"}};
    struct error error;
    assert_reports_failed_allocations(together_once(pair, &error), error);
    tensor_release(&x);
}

/* The spans of a line that point at this number: how many columns they take together. */
static size_t cols_of(const struct doc *doc, size_t line, size_t position)
{
    const struct span *spans;
    size_t cols = 0;
    for (size_t i = 0, n = doc_line_spans(doc, line, &spans); i < n; i++)
        if (spans[i].cell.tensor != 0 && spans[i].cell.position == position)
            cols += text_width(doc->text.bytes + spans[i].begin, spans[i].end - spans[i].begin);
    return cols;
}

static void test_heat__cells_grow_in_whole_multiples(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){3, 2});
    struct picture picture = {.tensor = &x, .id = 1};
    struct show_options options = tinted;
    struct doc usual, large;
    shown(&usual, &picture, &options);
    options.extra_lines = 14; /* 3 rows of 5 lines in place of 3, and 2 lines too many */
    shown(&large, &picture, &options);
    assert_int_equal(large.n_lines, usual.n_lines + 12);
    size_t cell = cols_of(&usual, 0, 0);
    for (size_t line = 0; line < 15; line++)
        for (size_t col = 0; col < 2; col++)
            assert_int_equal(cols_of(&large, line, line / 5 * 2 + col), 4 * cell);
    struct text plain = {0};
    doc_to_plain(&large, &plain);
    assert_non_null(strstr(text_string(&plain), "     0           1      \n"));
    text_release(&plain);
    doc_release(&usual);
    doc_release(&large);
    tensor_release(&x);
}

static void test_heat__cells_grow_no_further_than_their_lines_and_columns(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{1, 1},   {1, 9},   {3, 3}, {12, 12},
                                       {25, 25}, {50, 30}, {90, 7}};
    for (size_t i = 0; i < 7; i++)
        for (size_t extra = 0; extra < 60; extra += 3)
            for (size_t width = 20; width <= 110; width += 30)
                for (int form = 0; form < 3; form++) {
                    struct tensor x = counting(2, shapes[i]);
                    struct picture picture = {.tensor = &x, .id = 1};
                    struct show_options options = {
                        .width_cols = width, .digits = 4, .colour = form == 0, .ascii = form == 2};
                    struct doc usual, large;
                    shown(&usual, &picture, &options);
                    options.extra_lines = extra;
                    shown(&large, &picture, &options);
                    assert_in_range(large.n_lines, 1, usual.n_lines + extra);
                    assert_in_range(doc_width(&large), 1, size_max(width, doc_width(&usual)));
                    doc_release(&usual);
                    doc_release(&large);
                    tensor_release(&x);
                }
}

/* Wider blocks have their names on one line, each over its own. */
static void test_heat__names_lie_over_blocks_that_grew(void **state)
{
    (void)state;
    static const char *const strings[] = {"ab", "c", "de", "f", "gh", "i",
                                          "jk", "l", "m",  "n", "o",  "p"};
    struct labels *labels = names(12, strings), *both[] = {labels, labels};
    struct tensor x = counting(2, (size_t[]){12, 12});
    struct picture picture = {.tensor = &x, .labels = both, .id = 1};
    struct show_options options = shaded;
    options.width_cols = 56;
    options.extra_lines = 12;
    struct doc doc;
    struct text plain = {0};
    shown(&doc, &picture, &options);
    doc_to_plain(&doc, &plain);
    assert_non_null(
        strstr(text_string(&plain), "     ab  c   de  f   gh  i   jk  l   m   n   o   p\n"));
    assert_int_equal(cols_of(&doc, 1, 0), 4);
    assert_int_equal(cols_of(&doc, 2, 0), 4);
    text_release(&plain);
    doc_release(&doc);
    labels_free(labels);
    tensor_release(&x);
}

static void test_heat__several_grow_side_by_side_and_below_each_other(void **state)
{
    (void)state;
    struct tensor x = counting(2, (size_t[]){2, 2});
    struct picture pair[2] = {{.tensor = &x, .id = 1}, {.tensor = &x, .id = 1}};
    for (size_t width = 20; width <= 80; width += 15) {
        struct show_options options = tinted;
        struct doc usual, large;
        options.width_cols = width;
        doc_init(&usual);
        doc_init(&large);
        heat_show_together(&usual, pair, 2, &options, HEAT_AUTO);
        options.extra_lines = 6;
        heat_show_together(&large, pair, 2, &options, HEAT_AUTO);
        assert_in_range(large.n_lines, usual.n_lines + (width > 30 ? 2 : 0), usual.n_lines + 6);
        assert_in_range(doc_width(&large), 1, size_max(width, doc_width(&usual)));
        doc_release(&usual);
        doc_release(&large);
    }
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heat__cells_are_tinted_by_their_place_in_the_range),
        cmocka_unit_test(test_heat__labels_and_legend_surround_the_cells),
        cmocka_unit_test(test_heat__shades_stand_for_tints_without_colour),
        cmocka_unit_test(test_heat__ascii_has_ten_shades_even_with_colour),
        cmocka_unit_test(test_heat__what_is_not_finite_has_a_sign),
        cmocka_unit_test(test_heat__equal_numbers_have_one_tint),
        cmocka_unit_test(test_heat__no_finite_number_at_all),
        cmocka_unit_test(test_heat__bools_span_the_palette),
        cmocka_unit_test(test_heat__changed_cells_are_marked),
        cmocka_unit_test(test_heat__blocks_where_numbers_do_not_fit),
        cmocka_unit_test(test_heat__blocks_have_positions_shades_and_marks),
        cmocka_unit_test(test_heat__half_blocks_hold_two_rows),
        cmocka_unit_test(test_heat__what_is_too_wide_is_averaged),
        cmocka_unit_test(test_heat__rows_are_averaged_with_shades),
        cmocka_unit_test(test_heat__full_shows_all_rows),
        cmocka_unit_test(test_heat__leading_axes_share_one_legend),
        cmocka_unit_test(test_heat__a_single_number_and_none),
        cmocka_unit_test(test_heat__any_shape_fits_the_width),
        cmocka_unit_test(test_heat__failed_allocations_are_reported),
        cmocka_unit_test(test_heat__weights_have_a_scale_for_each_row_from_0),
        cmocka_unit_test(test_heat__a_row_of_zeros_is_blank),
        cmocka_unit_test(test_heat__what_could_be_weights),
        cmocka_unit_test(test_heat__a_scale_can_be_chosen),
        cmocka_unit_test(test_heat__nearly_even_numbers_begin_at_0_and_say_so),
        cmocka_unit_test(test_heat__what_is_hidden_has_no_colour_and_no_part_in_the_scale),
        cmocka_unit_test(test_heat__hidden_cells_in_blocks_and_half_blocks),
        cmocka_unit_test(test_heat__lines_are_counted_and_standing_names_cut),
        cmocka_unit_test(test_heat__together_they_share_a_scale_unless_it_is_refused),
        cmocka_unit_test(test_heat__two_of_5_words_fit_80_columns),
        cmocka_unit_test(test_heat__names_over_numbers_are_cut_only_where_no_room_is_left),
        cmocka_unit_test(test_heat__failed_allocations_of_several_are_reported),
        cmocka_unit_test(test_heat__cells_grow_in_whole_multiples),
        cmocka_unit_test(test_heat__cells_grow_no_further_than_their_lines_and_columns),
        cmocka_unit_test(test_heat__names_lie_over_blocks_that_grew),
        cmocka_unit_test(test_heat__several_grow_side_by_side_and_below_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
