/* ui/terminal/canvas.h: cells in memory, and drawing on rectangles of them. */
#include "testing.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "show/backend.h"
#include "show/labels.h"
#include "show/heat.h"
#include "tensor/tensor.h"
#include "ui/terminal/canvas.h"

#define WIDE "\xE6\xB3\xA8"      /* U+6CE8, two columns */
#define ACUTE "\xCC\x81"         /* U+0301, above the letter before */
#define JOINER "\xE2\x80\x8D"    /* U+200D, no columns */
#define VARIATION "\xEF\xB8\x8F" /* U+FE0F, likewise */
#define TURN "\xE2\x80\xAE"      /* U+202E, turns the direction of the line */

static struct canvas canvas_with(int rows, int cols)
{
    struct canvas canvas = {0};
    assert_true(canvas_resize(&canvas, rows, cols));
    return canvas;
}

static const struct canvas_cell *at(const struct canvas *canvas, int row, int col)
{
    assert_in_range(row, 0, canvas->rows - 1);
    assert_in_range(col, 0, canvas->cols - 1);
    return &canvas->cells[row * canvas->cols + col];
}

/* Every wide letter has its second half, and nothing else has. */
static void check_halves(const struct canvas *canvas)
{
    for (int row = 0; row < canvas->rows; row++)
        for (int col = 0; col < canvas->cols; col++) {
            const struct canvas_cell *cell = at(canvas, row, col);
            bool is_second = col > 0 && at(canvas, row, col - 1)->cols == 2;
            if ((cell->cols == 0) != is_second || (cell->bytes[0] == '\0') != is_second)
                fail_msg("a half letter stands at %d, %d", row, col);
            if (cell->cols == 2 && col == canvas->cols - 1)
                fail_msg("a wide letter hangs over in row %d", row);
            if (memchr(cell->bytes, '\0', CANVAS_CELL_BYTES) == NULL)
                fail_msg("no end at %d, %d", row, col);
        }
}

/* A row of the canvas is this text. */
static void assert_row(const struct canvas *canvas, int row, const char *expected)
{
    struct text text = {0};
    check_halves(canvas);
    for (int col = 0; col < canvas->cols; col++)
        text_put(&text, at(canvas, row, col)->bytes);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static struct canvas_look plain(void)
{
    return look_of(STYLE_PLAIN);
}

static void test_ui_canvas__is_blank_at_first(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(2, 3);
    assert_row(&canvas, 0, "   ");
    assert_row(&canvas, 1, "   ");
    assert_int_equal(canvas.cursor_row, -1);
    assert_int_equal(canvas.cursor_col, -1);
    assert_int_equal(at(&canvas, 1, 2)->look.back, TINT_NONE);
    canvas_release(&canvas);
    canvas_release(NULL);
}

static void test_ui_canvas__sizes_have_limits(void **state)
{
    (void)state;
    static const int sizes[][2] = {
        {CANVAS_MAX_ROWS + 1, 1}, {1, CANVAS_MAX_COLS + 1}, {-1, 5}, {5, -1}, {INT_MAX, INT_MAX}};
    struct canvas canvas = canvas_with(2, 3);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        assert_false(canvas_resize(&canvas, sizes[i][0], sizes[i][1]));
        assert_true(canvas.rows == 0 && canvas.cols == 0 && canvas.cells == NULL);
    }
    assert_true(canvas_resize(&canvas, CANVAS_MAX_ROWS, CANVAS_MAX_COLS));
    assert_true(canvas_resize(&canvas, 0, 7));
    assert_int_equal(canvas.cols, 0);
    area_text(canvas_area(&canvas), 0, 0, plain(), "nowhere");
    area_fill(canvas_area(&canvas), plain());
    canvas_clear(&canvas);
    canvas_release(&canvas);
}

static void test_ui_canvas__without_memory_it_is_empty(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(2, 3);
    testing_fail_allocation(1);
    assert_false(canvas_resize(&canvas, 4, 4));
    testing_fail_allocation(0);
    assert_true(canvas.rows == 0 && canvas.cols == 0);
    area_text(canvas_area(&canvas), 0, 0, plain(), "nowhere");
    canvas_release(&canvas);
}

static void test_ui_canvas__text_is_cut_at_every_edge(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(3, 8);
    struct area area = area_part(canvas_area(&canvas), 1, 2, 1, 4);
    assert_int_equal(area_text(area, 0, -2, plain(), "abcdefgh"), 6);
    assert_row(&canvas, 1, "  cdef  ");
    assert_int_equal(area_text(area, -1, 0, plain(), "xx"), 2);
    assert_int_equal(area_text(area, 1, 0, plain(), "xx"), 2);
    area_text(area, 0, 4, plain(), "xx");
    area_text(area, 0, -2, plain(), "xx");
    area_text(area, 0, INT_MAX, plain(), "xx");
    area_text(area, INT_MIN, INT_MIN, plain(), "xx");
    assert_row(&canvas, 0, "        ");
    assert_row(&canvas, 1, "  cdef  ");
    assert_row(&canvas, 2, "        ");
    canvas_release(&canvas);
}

static void test_ui_canvas__parts_are_cut_at_the_edges(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(10, 20);
    struct area area = area_part(canvas_area(&canvas), 2, 3, 5, 6);
    static const struct {
        int row, col, rows, cols, want_row, want_col, want_rows, want_cols;
    } cases[] = {
        {0, 0, 5, 6, 2, 3, 5, 6},
        {-1, -2, 3, 4, 2, 3, 2, 2},
        {4, 5, 9, 9, 6, 8, 1, 1},
        {9, 9, 2, 2, 7, 9, 0, 0},
        {-9, -9, 2, 2, 2, 3, 0, 0},
        {1, 1, -3, -3, 3, 4, 0, 0},
        {1, 1, INT_MAX, INT_MAX, 3, 4, 4, 5},
        {INT_MIN, INT_MIN, INT_MAX, INT_MAX, 2, 3, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct area part =
            area_part(area, cases[i].row, cases[i].col, cases[i].rows, cases[i].cols);
        assert_int_equal(part.row, cases[i].want_row);
        assert_int_equal(part.col, cases[i].want_col);
        assert_int_equal(part.rows, cases[i].want_rows);
        assert_int_equal(part.cols, cases[i].want_cols);
    }
    canvas_release(&canvas);
}

static void test_ui_canvas__wide_letters_take_two_cells(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(1, 6);
    assert_int_equal(area_text(canvas_area(&canvas), 0, 1, plain(), WIDE "a"), 4);
    assert_row(&canvas, 0, " " WIDE "a  ");
    assert_int_equal(at(&canvas, 0, 1)->cols, 2);
    assert_int_equal(at(&canvas, 0, 2)->cols, 0);
    canvas_release(&canvas);
}

static void test_ui_canvas__half_of_a_wide_letter_is_a_blank(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(1, 5);
    struct area area = area_part(canvas_area(&canvas), 0, 1, 1, 3);
    area_text(canvas_area(&canvas), 0, 0, plain(), ".....");
    area_text(area, 0, 2, plain(), WIDE ACUTE); /* the mark goes with its letter */
    assert_row(&canvas, 0, "... .");
    area_text(area, 0, -1, plain(), WIDE ACUTE "b");
    assert_row(&canvas, 0, ". b .");
    area_text(canvas_area(&canvas), 0, 4, plain(), WIDE);
    assert_row(&canvas, 0, ". b  ");
    canvas_release(&canvas);
}

static void test_ui_canvas__writing_over_a_half_leaves_no_half(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(1, 6);
    struct area area = canvas_area(&canvas);
    area_text(area, 0, 0, plain(), WIDE WIDE WIDE);
    area_text(area, 0, 1, plain(), "x");
    assert_row(&canvas, 0, " x" WIDE WIDE);
    area_text(area, 0, 2, plain(), "y");
    assert_row(&canvas, 0, " xy " WIDE);
    area_text(area, 0, 3, plain(), WIDE);
    assert_row(&canvas, 0, " xy" WIDE " ");
    area_fill(area_part(area, 0, 4, 1, 2), plain()); /* the other half lies outside */
    assert_row(&canvas, 0, " xy   ");
    canvas_release(&canvas);
}

static void test_ui_canvas__wide_over_wide_by_one(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(1, 6);
    struct area area = canvas_area(&canvas);
    area_text(area, 0, 0, plain(), WIDE WIDE);
    area_text(area, 0, 1, plain(), WIDE);
    assert_row(&canvas, 0, " " WIDE "   ");
    area_text(area, 0, 1, plain(), WIDE);
    assert_row(&canvas, 0, " " WIDE "   ");
    canvas_release(&canvas);
}

static void test_ui_canvas__marks_join_the_letter_before(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(1, 4);
    struct area area = canvas_area(&canvas);
    assert_int_equal(area_text(area, 0, 0, plain(), ACUTE "e" ACUTE "x"), 2);
    assert_row(&canvas, 0, "e" ACUTE "x  ");
    area_text(area, 0, 2, plain(), ACUTE); /* the x before was of another text */
    assert_row(&canvas, 0, "e" ACUTE "x  ");
    area_text(area, 0, 3, plain(), "ab" ACUTE); /* on a letter that is not seen */
    assert_row(&canvas, 0, "e" ACUTE "x a");
    area_text(area, 0, 0, plain(), "o");
    assert_row(&canvas, 0, "ox a");
    canvas_release(&canvas);
}

static void test_ui_canvas__marks_without_end_are_cut(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(1, 2);
    struct text many = {0};
    text_put(&many, WIDE);
    text_repeat(&many, ACUTE, 1000);
    area_put(canvas_area(&canvas), 0, 0, plain(), many.bytes, many.size);
    assert_row(&canvas, 0, WIDE ACUTE ACUTE ACUTE ACUTE);
    text_release(&many);
    canvas_release(&canvas);
}

static void test_ui_canvas__joiners_are_left_out(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(1, 4);
    assert_int_equal(area_text(canvas_area(&canvas), 0, 0, plain(), "a" JOINER "b" VARIATION "c"),
                     3);
    assert_row(&canvas, 0, "abc ");
    canvas_release(&canvas);
}

static void test_ui_canvas__what_is_not_printable_is_a_question_mark(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(1, 10);
    static const char hostile[] = "a\033\x80\n" TURN "\0\xE6\xB3"
                                  "z";
    int end = area_put(canvas_area(&canvas), 0, 0, plain(), hostile, sizeof hostile - 1);
    assert_int_equal(end, 9);
    assert_row(&canvas, 0, "a???????z ");
    canvas_release(&canvas);
}

static void test_ui_canvas__hostile_bytes_never_leave_the_area(void **state)
{
    (void)state;
    static const char *const pieces[] = {WIDE,       ACUTE, JOINER,    TURN,
                                         "\xF0\x9F", "x",   "\033[2J", "\xFF"};
    uint64_t seed = 4;
    struct canvas canvas = canvas_with(5, 12);
    struct area area = area_part(canvas_area(&canvas), 1, 3, 3, 6);
    for (int trial = 0; trial < 20000; trial++) {
        struct text text = {0};
        for (size_t n = testing_between(&seed, 0, 12); n > 0; n--)
            text_put(&text, pieces[testing_between(&seed, 0, 7)]);
        int row = (int)testing_between(&seed, 0, 6) - 1,
            col = (int)testing_between(&seed, 0, 16) - 8;
        area_put(area, row, col, plain(), text_string(&text), text.size);
        text_release(&text);
        check_halves(&canvas);
    }
    for (int row = 0; row < 5; row++)
        for (int col = 0; col < 12; col++)
            if (row < 1 || row > 3 || col < 3 || col > 8)
                assert_string_equal(at(&canvas, row, col)->bytes, " ");
    canvas_release(&canvas);
}

static void test_ui_canvas__looks_are_kept(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(1, 6);
    struct area area = canvas_area(&canvas);
    assert_int_equal(area_format(area, 0, 0, look_marked(STYLE_GOOD, MARK_BOLD), "%d%s", 7, "b"),
                     2);
    area_text(area, 0, 2, look_of(STYLE_BAD), WIDE);
    assert_int_equal(at(&canvas, 0, 1)->look.style, STYLE_GOOD);
    assert_int_equal(at(&canvas, 0, 1)->look.marks, MARK_BOLD);
    assert_int_equal(at(&canvas, 0, 3)->look.style, STYLE_BAD);
    area_mark(area, 0, 1, 2, MARK_REVERSE); /* half of the wide letter: both halves are marked */
    assert_int_equal(at(&canvas, 0, 0)->look.marks, MARK_BOLD);
    assert_int_equal(at(&canvas, 0, 1)->look.marks, MARK_BOLD | MARK_REVERSE);
    assert_int_equal(at(&canvas, 0, 2)->look.marks, MARK_REVERSE);
    assert_int_equal(at(&canvas, 0, 3)->look.marks, MARK_REVERSE);
    assert_int_equal(at(&canvas, 0, 4)->look.marks, 0);
    assert_row(&canvas, 0, "7b" WIDE "  ");
    canvas_release(&canvas);
}

static void test_ui_canvas__marks_are_cut_at_the_edges(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(3, 5);
    struct area area = area_part(canvas_area(&canvas), 1, 1, 1, 3);
    area_mark(area, 0, -5, INT_MAX, MARK_DIM);
    area_mark(area, -1, 0, 3, MARK_BOLD);
    area_mark(area, 1, 0, 3, MARK_BOLD);
    area_mark(area, 0, 3, 3, MARK_BOLD);
    for (int row = 0; row < 3; row++)
        for (int col = 0; col < 5; col++) {
            bool inside = row == 1 && col >= 1 && col <= 3;
            assert_int_equal(at(&canvas, row, col)->look.marks, inside ? MARK_DIM : 0);
        }
    canvas_release(&canvas);
}

static void test_ui_canvas__rules(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(3, 4);
    struct area area = area_part(canvas_area(&canvas), 0, 1, 2, 2);
    area_rule_across(area, 0, true);
    area_rule_down(area, 1, true);
    area_rule_across(area, 2, true);
    area_rule_down(area, -1, true);
    assert_row(&canvas, 0, " -| ");
    assert_row(&canvas, 1, "  | ");
    assert_row(&canvas, 2, "    ");
    area_rule_across(canvas_area(&canvas), 2, false);
    assert_string_equal(at(&canvas, 2, 3)->bytes, "\xE2\x94\x80");
    area_rule_down(canvas_area(&canvas), 0, false);
    assert_string_equal(at(&canvas, 1, 0)->bytes, "\xE2\x94\x82");
    canvas_release(&canvas);
}

static void test_ui_canvas__the_cursor_stays_inside(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(3, 8);
    struct area area = area_part(canvas_area(&canvas), 1, 2, 1, 4);
    area_cursor(area, 0, 4);
    area_cursor(area, 1, 0);
    area_cursor(area, -1, -1);
    assert_int_equal(canvas.cursor_row, -1);
    area_cursor(area, 0, 3);
    assert_int_equal(canvas.cursor_row, 1);
    assert_int_equal(canvas.cursor_col, 5);
    canvas_clear(&canvas);
    assert_int_equal(canvas.cursor_row, -1);
    canvas_release(&canvas);
}

/* Docs. */

static void test_ui_canvas__docs_are_scrolled_and_cut(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(3, 4);
    struct area area = canvas_area(&canvas);
    struct doc doc;
    doc_init(&doc);
    doc_line(&doc, STYLE_TITLE, "first");
    doc_line(&doc, STYLE_PLAIN, WIDE "second");
    doc_add(&doc, STYLE_BAD, "open");
    area_doc(area, &doc, 1, 1);
    assert_row(&canvas, 0, " sec");
    assert_row(&canvas, 1, "pen ");
    assert_row(&canvas, 2, "    ");
    assert_int_equal(at(&canvas, 1, 0)->look.style, STYLE_BAD);
    canvas_clear(&canvas);
    area_doc(area, &doc, 0, 0);
    assert_row(&canvas, 0, "firs");
    assert_row(&canvas, 2, "open");
    canvas_clear(&canvas);
    area_doc(area, &doc, 3, 0);
    area_doc(area, &doc, SIZE_MAX, 0);
    area_doc(area, &doc, 0, SIZE_MAX);
    assert_row(&canvas, 0, "    ");
    doc_release(&doc);
    area_doc(area, &doc, 0, 0); /* nothing in it */
    canvas_release(&canvas);
}

static void test_ui_canvas__docs_keep_their_tints(void **state)
{
    (void)state;
    struct canvas canvas = canvas_with(1, 4);
    struct doc doc;
    doc_init(&doc);
    doc_put_span(&doc, "ab", 2, (struct span){.style = STYLE_NUMBER, .front = 3, .back = 200});
    doc_put_span(&doc, "e", 1, (struct span){.front = TINT_NONE, .back = TINT_NONE});
    doc_put_span(&doc, ACUTE, 2, (struct span){.front = TINT_NONE, .back = 9}); /* a span apart */
    area_doc(canvas_area(&canvas), &doc, 0, 1);
    assert_row(&canvas, 0, "be" ACUTE "  ");
    assert_int_equal(at(&canvas, 0, 0)->look.front, 3);
    assert_int_equal(at(&canvas, 0, 0)->look.back, 200);
    assert_int_equal(at(&canvas, 0, 1)->look.back, TINT_NONE);
    assert_int_equal(at(&canvas, 0, 2)->look.back, TINT_NONE);
    doc_release(&doc);
    canvas_release(&canvas);
}

/* What the canvas shows in columns [begin, end) of a row, without blanks at both ends. */
static void read_cells(const struct canvas *canvas, size_t row, size_t begin, size_t end,
                       char text[64])
{
    size_t size = 0;
    for (size_t col = begin; col < end; col++) {
        const char *bytes = at(canvas, (int)row, (int)col)->bytes;
        bool is_blank = strcmp(bytes, " ") == 0;
        if (!is_blank)
            size += (size_t)snprintf(text + size, 64 - size, "%s", bytes);
    }
    text[size] = '\0';
}

/* Every number of a tensor is found where the canvas shows it, and the way back leads to it. */
static void check_cells(const struct doc *doc, const struct tensor *x, uint64_t id, bool numbers)
{
    struct canvas canvas = canvas_with(40, 100);
    area_doc(canvas_area(&canvas), doc, 0, 0);
    check_halves(&canvas);
    for (size_t i = 0; i < tensor_size(x); i++) {
        size_t line = 0, begin = 0, end = 0;
        char shown[64], expected[64];
        struct cell_ref cell = {.tensor = id, .position = i}, back = {0};
        assert_true(doc_find_cell(doc, cell, &line, &begin, &end));
        assert_true(begin < end && end <= 100 && line < 40);
        read_cells(&canvas, line, begin, end, shown);
        snprintf(expected, sizeof expected, "%.4f", (double)x->data[i]);
        if (numbers)
            assert_string_equal(shown, expected);
        for (size_t col = begin; col < end; col++) {
            assert_true(doc_cell_at(doc, line, col, &back));
            assert_true(back.tensor == id && back.position == i);
        }
        bool more = doc_cell_at(doc, line, end, &back);
        assert_true(!more || back.position != i);
    }
    canvas_release(&canvas);
}

static struct labels *names(size_t n, const char *const *strings)
{
    struct labels *made;
    struct error error;
    if (!labels_new(n, strings, NULL, &made, &error))
        fail_msg("%s", error.text);
    return made;
}

typedef void show(struct doc *doc, const struct picture *picture,
                  const struct show_options *options);

static void check_shown(show *shows, const struct show_options *options, bool numbers)
{
    static const char *const words[] = {WIDE WIDE, "e" ACUTE "te" ACUTE, "sun"};
    struct labels *labels = names(3, words);
    struct tensor x = testing_tensor(
        2, (size_t[]){3, 3}, (float[]){0.25f, -1.5f, 12, 0.125f, 3, -0.0625f, 7.5f, 100, 0.3333f});
    struct picture picture = {.tensor = &x,
                              .labels = (struct labels *const[]){labels, labels},
                              .title = "scores",
                              .id = 42};
    struct doc doc;
    doc_init(&doc);
    shows(&doc, &picture, options);
    assert_false(doc.failed);
    check_cells(&doc, &x, 42, numbers);
    doc_release(&doc);
    tensor_release(&x);
    labels_free(labels);
}

static void test_ui_canvas__cells_of_matrices_are_found(void **state)
{
    (void)state;
    struct show_options options = {.width_cols = 100, .digits = 4};
    check_shown(matrix_show, &options, true);
}

static void test_ui_canvas__cells_of_heatmaps_are_found(void **state)
{
    (void)state;
    struct show_options options = {.width_cols = 100, .digits = 4, .colour = true};
    check_shown(heat_show, &options, true);
    options.width_cols = 24; /* blocks without numbers */
    check_shown(heat_show, &options, false);
    options.colour = false;
    check_shown(heat_show, &options, false);
}

static void test_ui_canvas__what_is_no_cell_is_not_found(void **state)
{
    (void)state;
    struct doc doc;
    struct cell_ref found = {.tensor = 5};
    size_t line = 7, col = 7, end = 7;
    doc_init(&doc);
    assert_false(doc_cell_at(&doc, 0, 0, &found));
    doc_put_span(&doc, WIDE, 3, (struct span){.front = TINT_NONE, .back = TINT_NONE});
    doc_put_span(&doc, "12", 2, (struct span){.cell = {.tensor = 3, .position = 1}});
    assert_false(doc_find_cell(&doc, (struct cell_ref){0}, &line, &col, &end));
    assert_false(doc_find_cell(&doc, (struct cell_ref){3, 2}, &line, &col, &end));
    assert_false(doc_find_cell(&doc, (struct cell_ref){4, 1}, &line, &col, &end));
    assert_true(line == 7 && col == 7 && end == 7);
    assert_false(doc_cell_at(&doc, 0, 1, &found));
    assert_false(doc_cell_at(&doc, 0, 4, &found));
    assert_false(doc_cell_at(&doc, 1, 0, &found));
    assert_false(doc_cell_at(&doc, SIZE_MAX, SIZE_MAX, &found));
    assert_int_equal(found.tensor, 5);
    assert_true(doc_cell_at(&doc, 0, 3, &found)); /* of the open line */
    assert_true(doc_find_cell(&doc, found, &line, &col, &end));
    assert_true(line == 0 && col == 2 && end == 4);
    doc_release(&doc);
}

static void test_ui_canvas__elided_cells_are_not_found(void **state)
{
    (void)state;
    uint64_t seed = 1;
    struct tensor x = testing_random_tensor(&seed, 2, (size_t[]){30, 30});
    struct picture picture = {.tensor = &x, .id = 9};
    struct show_options options = {.width_cols = 60, .digits = 2};
    struct doc doc;
    size_t line, col, end;
    doc_init(&doc);
    matrix_show(&doc, &picture, &options);
    assert_true(doc_find_cell(&doc, (struct cell_ref){9, 0}, &line, &col, &end));
    assert_true(doc_find_cell(&doc, (struct cell_ref){9, 899}, &line, &col, &end));
    assert_false(doc_find_cell(&doc, (struct cell_ref){9, 15 * 30 + 15}, &line, &col, &end));
    doc_release(&doc);
    tensor_release(&x);
}

static void test_ui_canvas__brackets_stand_around_a_number(void **state)
{
    (void)state;
    static const struct {
        const char *drawn;
        int col, cols;
        const char *expected;
    } cases[] = {
        {" 0.16  0.25 ", 0, 6, "[0.16] 0.25 "},
        {"    0.16  x", 0, 9, "   [0.16] x"},
        {"##  0.45  ..", 0, 8, "## [0.45] .."}, /* after the number, where the cell ends with it */
        {"##  0.45* ..", 0, 9, "## [0.45*].."},
        {" 0.45* 0.2", 0, 6, "[0.45*]0.2"}, /* the mark of a change stays */
        {"  ##", 0, 2, "[]##"},
        {"####", 2, 2, "##[]"},
        {"###", 1, 1, "#X#"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct canvas canvas = {.rows = 0};
        struct text shown = {0};
        assert_true(canvas_resize(&canvas, 1, (int)strlen(cases[i].drawn)));
        struct area area = canvas_area(&canvas);
        area_text(area, 0, 0, look_of(STYLE_NUMBER), cases[i].drawn);
        area_bracket(area, 0, cases[i].col, cases[i].cols, MARK_BOLD);
        for (int col = 0; col < canvas.cols; col++)
            text_put(&shown, canvas.cells[col].bytes);
        assert_string_equal(text_string(&shown), cases[i].expected);
        text_release(&shown);
        canvas_release(&canvas);
    }
}

static void test_ui_canvas__what_is_drawn_becomes_a_doc(void **state)
{
    (void)state;
    struct canvas canvas = {.rows = 0};
    struct doc doc;
    struct text plain = {0};
    assert_true(canvas_resize(&canvas, 6, 12));
    struct area all = canvas_area(&canvas), area = area_part(all, 1, 2, 5, 10);
    area_text(all, 0, 0, look_of(STYLE_PLAIN), "outside");
    area_text(area, 0, 0, look_of(STYLE_LABEL), "\xE6\x97\xA5 a");
    area_put(area, 2, 0, (struct canvas_look){.style = STYLE_NUMBER, .front = TINT_NONE, .back = 7},
             " 1 ", 3);
    area_mark(area, 0, 3, 1, MARK_REVERSE);
    doc_init(&doc);
    area_to_doc(area, &doc);
    assert_true(doc_check(&doc, NULL));
    assert_int_equal(doc.n_lines, 3); /* none for the empty rows at the end */
    doc_to_plain(&doc, &plain);
    assert_string_equal(text_string(&plain), "\xE6\x97\xA5 a\n\n 1 \n");
    const struct span *spans;
    size_t n = doc_line_spans(&doc, 0, &spans);
    assert_int_equal(spans[0].style, STYLE_LABEL);
    assert_int_equal(spans[n - 1].style, STYLE_TITLE); /* it was reversed */
    n = doc_line_spans(&doc, 2, &spans);
    assert_int_equal(spans[n - 1].back, 7);
    text_release(&plain);
    doc_release(&doc);
    canvas_release(&canvas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ui_canvas__what_is_drawn_becomes_a_doc),
        cmocka_unit_test(test_ui_canvas__brackets_stand_around_a_number),
        cmocka_unit_test(test_ui_canvas__is_blank_at_first),
        cmocka_unit_test(test_ui_canvas__sizes_have_limits),
        cmocka_unit_test(test_ui_canvas__without_memory_it_is_empty),
        cmocka_unit_test(test_ui_canvas__text_is_cut_at_every_edge),
        cmocka_unit_test(test_ui_canvas__parts_are_cut_at_the_edges),
        cmocka_unit_test(test_ui_canvas__wide_letters_take_two_cells),
        cmocka_unit_test(test_ui_canvas__half_of_a_wide_letter_is_a_blank),
        cmocka_unit_test(test_ui_canvas__writing_over_a_half_leaves_no_half),
        cmocka_unit_test(test_ui_canvas__wide_over_wide_by_one),
        cmocka_unit_test(test_ui_canvas__marks_join_the_letter_before),
        cmocka_unit_test(test_ui_canvas__marks_without_end_are_cut),
        cmocka_unit_test(test_ui_canvas__joiners_are_left_out),
        cmocka_unit_test(test_ui_canvas__what_is_not_printable_is_a_question_mark),
        cmocka_unit_test(test_ui_canvas__hostile_bytes_never_leave_the_area),
        cmocka_unit_test(test_ui_canvas__looks_are_kept),
        cmocka_unit_test(test_ui_canvas__marks_are_cut_at_the_edges),
        cmocka_unit_test(test_ui_canvas__rules),
        cmocka_unit_test(test_ui_canvas__the_cursor_stays_inside),
        cmocka_unit_test(test_ui_canvas__docs_are_scrolled_and_cut),
        cmocka_unit_test(test_ui_canvas__docs_keep_their_tints),
        cmocka_unit_test(test_ui_canvas__cells_of_matrices_are_found),
        cmocka_unit_test(test_ui_canvas__cells_of_heatmaps_are_found),
        cmocka_unit_test(test_ui_canvas__what_is_no_cell_is_not_found),
        cmocka_unit_test(test_ui_canvas__elided_cells_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
