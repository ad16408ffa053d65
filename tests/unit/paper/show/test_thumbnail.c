/* Matrices made small. */
#include "testing.h"

#include "show/backend.h"
#include "show/thumbnail.h"

enum { N = 64, SMALL = 8 };

static const struct show_options colour = {.colour = true}, ascii = {.ascii = true};

/* A line of single weights in a large matrix is still a line, and nothing else is. */
static void test_thumbnail__a_diagonal_stays_a_diagonal(void **state)
{
    (void)state;
    static float x[N * N];
    int16_t tints[SMALL * SMALL];
    for (size_t i = 0; i < N; i++)
        x[i * N + i] = 1;
    struct thumbnail thumbnail = thumbnail_fit(N, SMALL, SMALL, &colour);
    assert_int_equal(thumbnail.n_cells, SMALL);
    thumbnail_shrink(&thumbnail, x, tints);
    for (size_t i = 0; i < SMALL; i++)
        for (size_t j = 0; j < SMALL; j++)
            assert_int_equal(tints[i * SMALL + j], i == j ? 255 : 0);
}

/* In any room each token takes as many rows as any other, and as many columns; it fits the room,
 * and no larger drawing would. */
static void test_thumbnail__cells_are_whole_multiples(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        for (size_t n = 1; n <= 70; n++)
            for (size_t cols = 1; cols <= 40; cols++)
                for (size_t rows = 1; rows <= 40; rows++) {
                    struct thumbnail t = thumbnail_fit(n, cols, rows, i == 0 ? &colour : &ascii);
                    size_t aspect = t.cell_cols / t.cell_rows;
                    assert_true(t.n_cells * t.cell_cols <= cols && t.n_cells * t.cell_rows <= rows);
                    assert_int_equal(t.n_cells, n < cols && n < rows ? n
                                                : cols < rows        ? (n < cols ? n : cols)
                                                                     : (n < rows ? n : rows));
                    assert_true(aspect * t.cell_rows == t.cell_cols && (aspect == 1 || i == 1));
                    assert_true(t.n_cells * (t.cell_cols + (i == 0 ? 1 : 2)) > cols ||
                                t.n_cells * (t.cell_rows + 1) > rows);
                }
}

/* What a mask hides has no tint, also where a cell stands for several numbers. */
static void test_thumbnail__hidden_cells_have_no_tint(void **state)
{
    (void)state;
    static const float x[9] = {1, 0, 0, 0.25F, 1, 0, 0, 0, 1};
    int16_t tints[9];
    struct thumbnail thumbnail = thumbnail_fit(3, 3, 3, &colour);
    thumbnail.is_causal = true;
    thumbnail_shrink(&thumbnail, x, tints);
    static const int16_t want[] = {255, TINT_NONE, TINT_NONE, 128, 255, TINT_NONE, 0, 0, 255};
    assert_memory_equal(tints, want, sizeof want);
    thumbnail = thumbnail_fit(3, 2, 2, &colour);
    thumbnail.is_causal = true;
    thumbnail_shrink(&thumbnail, x, tints);
    static const int16_t halved[] = {255, TINT_NONE, 128, 255}; /* of 1, and of 2 tokens */
    assert_memory_equal(tints, halved, sizeof halved);
}

static void test_thumbnail__what_is_no_weight_has_an_end(void **state)
{
    (void)state;
    static const float x[] = {-1, 2, 0.0F / 0.0F, 1};
    int16_t tints[4];
    struct thumbnail thumbnail = thumbnail_fit(2, 2, 2, &colour);
    thumbnail_shrink(&thumbnail, x, tints);
    assert_int_equal(tints[0], 0);
    assert_int_equal(tints[1], 255);
    assert_int_equal(tints[2], 0);
    assert_int_equal(tints[3], 255);
    thumbnail.is_signed = true;
    thumbnail_shrink(&thumbnail, x, tints);
    assert_int_equal(tints[0], TINT_SIGNED);
    assert_int_equal(tints[1], TINT_SIGNED + 255);
}

static void assert_lines(const struct show_options *options, size_t cols, const char *want)
{
    static const int16_t tints[] = {0, TINT_NONE, TINT_NONE, 255, 255, TINT_NONE, 255, 0, 255};
    struct doc doc;
    struct text text = {0};
    struct thumbnail thumbnail = thumbnail_fit(3, cols, cols, options);
    doc_init(&doc);
    for (size_t line = 0; line < thumbnail_lines(&thumbnail, options) + 1; line++) {
        thumbnail_put_line(&doc, &thumbnail, tints, line, options);
        doc_end_line(&doc);
    }
    doc_to_plain(&doc, &text);
    assert_string_equal(text_string(&text), want);
    text_release(&text);
    doc_release(&doc);
}

/* Without colour a character for each cell, or two where they have room; with it half blocks, two
 * rows a line. Hidden halves stay blank. */
static void test_thumbnail__lines_are_shades_or_half_blocks(void **state)
{
    (void)state;
    assert_lines(&ascii, 3, "   \n@@ \n@ @\n   \n");
    assert_lines(&ascii, 6, "      \n@@@@  \n@@  @@\n      \n");
    assert_lines(&(struct show_options){.ascii = false}, 3, "   \n██ \n█ █\n   \n");
    assert_lines(&colour, 3, "▀▄ \n▀▀▀\n   \n");
    assert_lines(&colour, 6, "▀▀    \n▀▀▀▀  \n▀▀▀▀▀▀\n      \n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thumbnail__a_diagonal_stays_a_diagonal),
        cmocka_unit_test(test_thumbnail__cells_are_whole_multiples),
        cmocka_unit_test(test_thumbnail__hidden_cells_have_no_tint),
        cmocka_unit_test(test_thumbnail__what_is_no_weight_has_an_end),
        cmocka_unit_test(test_thumbnail__lines_are_shades_or_half_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
