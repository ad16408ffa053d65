/* ui/terminal/theme.h: colours by role that everybody can read. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "show/backend.h"
#include "show/colour.h"
#include "show/heat.h"
#include "tensor/tensor.h"
#include "ui/terminal/theme.h"

enum { TRUE_COLOURS = 1 << 24, TINTS = 256, DEPTHS = 4 };

static const int depths[DEPTHS] = {8, 16, 256, TRUE_COLOURS};

/* The first 16 colours of xterm. */
static const int32_t xterm[] = {
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
};

/* Contrast of two colours, 1 to 21. Source: WCAG 2.1, "contrast ratio". */
static double contrast(int32_t a, int32_t b)
{
    double first = colour_luminance((uint32_t)a), second = colour_luminance((uint32_t)b);
    return (fmax(first, second) + 0.05) / (fmin(first, second) + 0.05);
}

static double wanted(const struct theme *theme)
{
    return theme->id == THEME_CONTRAST ? 7 : 4.5;
}

static struct canvas_look looks_like(enum style style, int back, unsigned marks)
{
    return (struct canvas_look){
        .style = style, .front = TINT_NONE, .back = (int16_t)back, .marks = (uint8_t)marks};
}

/* Letters can be read, also on terminals that show bold as bright. */
static void check_readable(const struct theme *theme, struct canvas_look look)
{
    struct paint paint = theme_paint(theme, &look);
    assert_true(paint.front >= 0 && paint.back >= 0);
    double ratio = contrast(paint.front, paint.back);
    int index = theme_index(theme, paint.front);
    if (theme->n_colours <= 16 && index < 8 && (paint.marks & MARK_BOLD) != 0)
        ratio = fmin(ratio, contrast(xterm[index + 8], paint.back));
    if (!(ratio >= wanted(theme)))
        fail_msg("%s, %s, %d colours, style %d, tint %d, marks %d: %06X on %06X is %.2f",
                 theme_name(theme->id), palette_name(theme->palette), theme->n_colours,
                 (int)look.style, look.back, look.marks, (unsigned)paint.front,
                 (unsigned)paint.back, ratio);
}

/* Calls check() for every theme, palette and number of colours. */
static void for_each_theme(void (*check)(const struct theme *theme))
{
    for (int id = 0; id < THEME_COUNT; id++)
        for (int palette = 0; palette < PALETTE_COUNT; palette++)
            for (int depth = 0; depth < DEPTHS; depth++) {
                struct theme theme = {.id = (enum theme_id)id,
                                      .palette = (enum palette_id)palette,
                                      .n_colours = depths[depth]};
                check(&theme);
            }
}

static void check_styles(const struct theme *theme)
{
    for (int style = 0; style < STYLE_COUNT; style++)
        for (unsigned marks = 0; marks < 16; marks++)
            check_readable(theme, looks_like((enum style)style, TINT_NONE, marks));
}

static void test_ui_theme__every_style_can_be_read(void **state)
{
    (void)state;
    for_each_theme(check_styles);
}

static void check_tints(const struct theme *theme)
{
    for (int tint = 0; tint < TINTS; tint++) {
        check_readable(theme, looks_like(STYLE_NUMBER, tint, 0));
        check_readable(theme, looks_like(STYLE_CHANGED, tint, MARK_BOLD));
    }
}

static void test_ui_theme__numbers_on_every_tint_can_be_read(void **state)
{
    (void)state;
    for_each_theme(check_tints);
}

/* CIE 1976 lightness, 0 to 100. Source: ISO/CIE 11664-4. */
static double lightness(int32_t rgb)
{
    double y = colour_luminance((uint32_t)rgb);
    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

static void check_rising(const struct theme *theme)
{
    double last = -1;
    for (int tint = 0; tint < TINTS; tint++) {
        double now = lightness(theme_tint(theme, tint));
        /* The nearest of 256 colours may be a little darker than the one before. */
        double slack = theme->n_colours == 256 ? 2 : 0;
        if (!(now >= last - slack))
            fail_msg("%s, %s, %d colours: darker at tint %d: %.1f after %.1f",
                     theme_name(theme->id), palette_name(theme->palette), theme->n_colours, tint,
                     now, last);
        last = fmax(now, last);
    }
    assert_true(last - lightness(theme_tint(theme, 0)) > 40);
}

static void test_ui_theme__tints_rise_in_lightness(void **state)
{
    (void)state;
    for_each_theme(check_rising);
}

static void test_ui_theme__palettes_are_different_and_the_first_is_that_of_docs(void **state)
{
    (void)state;
    struct theme theme = {.n_colours = TRUE_COLOURS};
    for (int tint = 0; tint < TINTS; tint++) {
        theme.palette = PALETTE_VIRIDIS;
        assert_int_equal(theme_tint(&theme, tint), palette_rgb(tint));
        theme.palette = PALETTE_GREY;
        int32_t grey = theme_tint(&theme, tint);
        assert_true((grey >> 16) == (grey >> 8 & 0xFF) && (grey >> 16) == (grey & 0xFF));
        theme.palette = PALETTE_CIVIDIS;
        assert_true(theme_tint(&theme, tint) != grey);
    }
}

/* How blue a colour is, or how yellow where negative: the difference that is left to people with
 * red-green blindness. */
static double blue_yellow(int32_t rgb)
{
    double channels[3];
    for (int i = 0; i < 3; i++)
        channels[i] = (rgb >> (16 - 8 * i) & 0xFF) / 255.0;
    return channels[2] - (channels[0] + channels[1]) / 2;
}

static void test_ui_theme__cividis_runs_from_blue_to_yellow(void **state)
{
    (void)state;
    struct theme theme = {.palette = PALETTE_CIVIDIS, .n_colours = TRUE_COLOURS};
    assert_true(blue_yellow(theme_tint(&theme, 0)) > 0.15);
    assert_true(blue_yellow(theme_tint(&theme, 255)) < -0.4);
    for (int tint = 1; tint < TINTS; tint++)
        assert_true(blue_yellow(theme_tint(&theme, tint)) <=
                    blue_yellow(theme_tint(&theme, tint - 1)) + 0.01);
}

static void check_known_colours(const struct theme *theme)
{
    for (int style = 0; style < STYLE_COUNT; style++)
        for (int tint = -1; tint < TINTS; tint++) {
            struct canvas_look look = looks_like((enum style)style, tint, 0);
            struct paint paint = theme_paint(theme, &look);
            int front = theme_index(theme, paint.front), back = theme_index(theme, paint.back);
            assert_true(front >= 0 && front < theme->n_colours);
            assert_true(back >= 0 && back < theme->n_colours);
            if (theme->n_colours == 256)
                assert_int_equal(colour_of_256(back), paint.back);
            else if (theme->n_colours <= 16)
                assert_int_equal(xterm[back], paint.back);
        }
}

static void test_ui_theme__only_colours_that_the_terminal_has(void **state)
{
    (void)state;
    for_each_theme(check_known_colours);
}

static void test_ui_theme__the_nearest_of_256_is_that_of_the_other_back_ends(void **state)
{
    (void)state;
    struct theme theme = {.n_colours = 256};
    uint64_t seed = 7;
    for (int trial = 0; trial < 20000; trial++) {
        uint32_t rgb = (uint32_t)testing_between(&seed, 0, 0xFFFFFF);
        if (trial < 256) /* all greys too */
            rgb = (uint32_t)trial * 0x010101;
        assert_int_equal(theme_index(&theme, (int32_t)rgb), colour_nearest_256(rgb));
    }
}

static void check_apart(const struct theme *theme)
{
    static const enum style pairs[][2] = {{STYLE_GOOD, STYLE_BAD},       {STYLE_BAD, STYLE_PLAIN},
                                          {STYLE_GOOD, STYLE_PLAIN},     {STYLE_TITLE, STYLE_PLAIN},
                                          {STYLE_CHANGED, STYLE_NUMBER}, {STYLE_NAME, STYLE_PLAIN},
                                          {STYLE_NOTE, STYLE_PLAIN}};
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        struct canvas_look a = look_of(pairs[i][0]), b = look_of(pairs[i][1]);
        struct paint first = theme_paint(theme, &a), second = theme_paint(theme, &b);
        assert_true(first.front != second.front || first.back != second.back ||
                    first.marks != second.marks);
    }
}

static void test_ui_theme__styles_differ(void **state)
{
    (void)state;
    for_each_theme(check_apart);
    struct theme bare = {.n_colours = 0};
    check_apart(&bare);
}

static void test_ui_theme__without_colours_there_are_only_marks(void **state)
{
    (void)state;
    for (int id = 0; id < THEME_COUNT; id++)
        for (int style = 0; style < STYLE_COUNT; style++) {
            struct theme theme = {.id = (enum theme_id)id};
            struct canvas_look look = looks_like((enum style)style, 200, MARK_REVERSE);
            struct paint paint = theme_paint(&theme, &look);
            assert_true(paint.front == -1 && paint.back == -1);
            assert_true((paint.marks & MARK_REVERSE) != 0);
            look.marks = 0; /* reverse is for what is chosen, never for a style */
            assert_true((theme_paint(&theme, &look).marks & MARK_REVERSE) == 0);
            assert_int_equal(theme_index(&theme, -1), -1);
            assert_int_equal(theme_tint(&theme, 200), -1);
        }
}

static void test_ui_theme__marks_of_a_cell_are_kept(void **state)
{
    (void)state;
    struct theme theme = {.n_colours = TRUE_COLOURS};
    struct canvas_look look = look_marked(STYLE_TITLE, MARK_UNDERLINE | MARK_REVERSE);
    assert_int_equal(theme_paint(&theme, &look).marks, MARK_BOLD | MARK_UNDERLINE | MARK_REVERSE);
    look = look_marked(STYLE_PLAIN, MARK_DIM); /* a colour of its own instead */
    struct canvas_look quiet = look_of(STYLE_QUIET);
    assert_int_equal(theme_paint(&theme, &look).marks, 0);
    assert_int_equal(theme_paint(&theme, &look).front, theme_paint(&theme, &quiet).front);
}

static void test_ui_theme__half_blocks_show_both_tints(void **state)
{
    (void)state;
    struct theme theme = {.n_colours = TRUE_COLOURS};
    struct canvas_look look = {.style = STYLE_NUMBER, .front = 10, .back = 240};
    struct paint paint = theme_paint(&theme, &look);
    assert_int_equal(paint.front, palette_rgb(10));
    assert_int_equal(paint.back, palette_rgb(240));
}

static void test_ui_theme__tints_beyond_the_ends_are_the_ends(void **state)
{
    (void)state;
    struct theme theme = {.palette = PALETTE_GREY, .n_colours = TRUE_COLOURS};
    assert_int_equal(theme_tint(&theme, -5), theme_tint(&theme, 0));
    assert_int_equal(theme_tint(&theme, 999), theme_tint(&theme, TINT_COUNT - 1));
}

static void test_ui_theme__names(void **state)
{
    (void)state;
    assert_string_equal(theme_name(THEME_DARK), "dark");
    assert_string_equal(theme_name(THEME_LIGHT), "light");
    assert_string_equal(theme_name(THEME_CONTRAST), "contrast");
    assert_string_equal(palette_name(PALETTE_VIRIDIS), "viridis");
    assert_string_equal(palette_name(PALETTE_CIVIDIS), "cividis");
    assert_string_equal(palette_name(PALETTE_GREY), "grey");
}

/* How many looks there are among the cells of the last rows of a heatmap of weights: 26 words, each
 * sees those up to itself. */
static int looks_of_causal_weights(struct theme theme)
{
    enum { N = 26, SEEN = 10 };
    float weights[N * N] = {0}, hidden[N * N] = {0};
    uint64_t stream = 26;
    uint32_t kinds[N * N];
    int n_kinds = 0;
    for (int row = 0; row < N; row++) {
        double sum = 0;
        for (int col = 0; col <= row; col++)
            sum += exp((double)testing_between(&stream, 0, 1000) / 500 - 1);
        for (int col = 0; col < N; col++)
            hidden[row * N + col] = col > row;
        for (int col = 0; col <= row; col++)
            weights[row * N + col] =
                (float)(exp((double)testing_between(&stream, 0, 1000) / 500 - 1) / sum);
    }
    struct tensor x = testing_tensor(2, (size_t[]){N, N}, weights);
    struct tensor mask = testing_tensor(2, (size_t[]){N, N}, hidden);
    struct show_options options = {.width_cols = 80, .digits = 4, .colour = theme.n_colours > 0};
    struct doc doc;
    doc_init(&doc);
    heat_show_as(&doc, &(struct picture){.tensor = &x, .hidden = &mask, .id = 1}, &options,
                 (struct heat_options){.scale = HEAT_ROW});
    assert_true(doc_check(&doc, NULL));
    for (size_t i = 0; i < doc.n_spans; i++) {
        const struct span *span = &doc.spans[i];
        if (span->cell.tensor == 0 || span->cell.position < (N - SEEN) * N)
            continue;
        struct canvas_look look = looks_like(span->style, span->back, 0);
        uint32_t kind = (uint32_t)theme_paint(&theme, &look).back;
        for (size_t at = span->begin; theme.n_colours == 0 && at < span->end; at++)
            kind = kind * 31 + (unsigned char)doc.text.bytes[at];
        int same = 0;
        while (same < n_kinds && kinds[same] != kind)
            same++;
        kinds[same] = kind;
        n_kinds += same == n_kinds ? 1 : 0;
    }
    doc_release(&doc);
    tensor_release(&x);
    tensor_release(&mask);
    return n_kinds;
}

/* A causal mask leaves the last of many words small weights. Their colours, or shades, differ, and
 * what is hidden has none of them. */
static void test_ui_theme__small_weights_under_a_mask_can_be_told_apart(void **state)
{
    (void)state;
    static const struct {
        int n_colours, at_least;
    } wanted_looks[] = {{1 << 24, 100}, {256, 8}, {16, 5}, {8, 4}, {0, 4}};
    for (size_t i = 0; i < COUNT_OF(wanted_looks); i++)
        for (int id = 0; id < THEME_COUNT; id++) {
            struct theme theme = {.id = (enum theme_id)id, .n_colours = wanted_looks[i].n_colours};
            assert_in_range(looks_of_causal_weights(theme), wanted_looks[i].at_least, 1000);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ui_theme__every_style_can_be_read),
        cmocka_unit_test(test_ui_theme__numbers_on_every_tint_can_be_read),
        cmocka_unit_test(test_ui_theme__tints_rise_in_lightness),
        cmocka_unit_test(test_ui_theme__palettes_are_different_and_the_first_is_that_of_docs),
        cmocka_unit_test(test_ui_theme__cividis_runs_from_blue_to_yellow),
        cmocka_unit_test(test_ui_theme__only_colours_that_the_terminal_has),
        cmocka_unit_test(test_ui_theme__the_nearest_of_256_is_that_of_the_other_back_ends),
        cmocka_unit_test(test_ui_theme__styles_differ),
        cmocka_unit_test(test_ui_theme__without_colours_there_are_only_marks),
        cmocka_unit_test(test_ui_theme__marks_of_a_cell_are_kept),
        cmocka_unit_test(test_ui_theme__half_blocks_show_both_tints),
        cmocka_unit_test(test_ui_theme__tints_beyond_the_ends_are_the_ends),
        cmocka_unit_test(test_ui_theme__names),
        cmocka_unit_test(test_ui_theme__small_weights_under_a_mask_can_be_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
