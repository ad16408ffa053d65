/* Matrices made small. */
#include "testing.h"

#include "show/backend.h"
#include "show/thumbnail.h"

enum { N = 64, SMALL = 8 };

/* A line of single weights in a large matrix is still a line, and nothing else is. */
static void test_thumbnail__a_diagonal_stays_a_diagonal(void **state)
{
    (void)state;
    static float x[N * N];
    uint8_t tints[SMALL * SMALL];
    for (size_t i = 0; i < N; i++)
        x[i * N + i] = 1;
    thumbnail_shrink(x, N, N, SMALL, SMALL, tints);
    for (size_t i = 0; i < SMALL; i++)
        for (size_t j = 0; j < SMALL; j++)
            assert_int_equal(tints[i * SMALL + j], i == j ? 255 : 0);
}

/* More cells than numbers: each stands for one number; no number is left out. */
static void test_thumbnail__a_small_matrix_grows(void **state)
{
    (void)state;
    static const float x[] = {1, 0, 0, 0.25F, 1, 0, 0, 0, 1};
    uint8_t tints[4 * 5];
    thumbnail_shrink(x, 3, 3, 4, 5, tints);
    static const uint8_t want[] = {255, 255, 0, 0, 0, /* rows 0, 0, 1, 2; columns 0, 0, 1, 1, 2 */
                                   255, 255, 0, 0, 0, 128, 128, 255, 255, 0, 0, 0, 0, 0, 255};
    for (size_t i = 0; i < sizeof want; i++)
        assert_int_equal(tints[i], want[i]);
}

static void test_thumbnail__what_is_no_weight_has_an_end(void **state)
{
    (void)state;
    static const float x[] = {-1, 2, 0.0F / 0.0F, 1};
    uint8_t tints[4];
    thumbnail_shrink(x, 1, 4, 1, 4, tints);
    assert_int_equal(tints[0], 0);
    assert_int_equal(tints[1], 255);
    assert_int_equal(tints[2], 0);
    assert_int_equal(tints[3], 255);
}

static void assert_lines(const struct show_options *options, size_t rows, const char *want)
{
    static const uint8_t tints[] = {0, 255, 255, 0, 0, 255};
    struct doc doc;
    struct text text = {0};
    doc_init(&doc);
    size_t each = thumbnail_rows_each(options);
    for (size_t line = 0; line * each < rows + 1; line++) {
        thumbnail_put_line(&doc, tints, 0, rows, 2, line, options);
        doc_end_line(&doc);
    }
    doc_to_plain(&doc, &text);
    assert_string_equal(text_string(&text), want);
    text_release(&text);
    doc_release(&doc);
}

/* Without colour a character for each cell; with it half blocks, two rows a line. */
static void test_thumbnail__lines_are_shades_or_half_blocks(void **state)
{
    (void)state;
    assert_lines(&(struct show_options){.ascii = true}, 3, " @\n@ \n @\n  \n");
    assert_lines(&(struct show_options){.ascii = false}, 3, " █\n█ \n █\n  \n");
    assert_lines(&(struct show_options){.colour = true}, 3, "▀▀\n▀▀\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thumbnail__a_diagonal_stays_a_diagonal),
        cmocka_unit_test(test_thumbnail__a_small_matrix_grows),
        cmocka_unit_test(test_thumbnail__what_is_no_weight_has_an_end),
        cmocka_unit_test(test_thumbnail__lines_are_shades_or_half_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
