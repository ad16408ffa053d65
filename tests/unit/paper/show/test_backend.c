/* show/backend.h: Docs as plain text, ANSI sequences and SVG; the palette. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/backend.h"
#include "show/colour.h"

/* One span of text with this look. */
static void put(struct doc *doc, const char *string, enum style style, int16_t front, int16_t back)
{
    struct span look = {.style = style, .front = front, .back = back};
    doc_put_span(doc, string, strlen(string), look);
}

static void assert_ansi(const struct doc *doc, enum colours colours, const char *expected)
{
    struct text out = {0};
    doc_to_ansi(doc, colours, &out);
    assert_string_equal(text_string(&out), expected);
    text_release(&out);
}

/* A line with a style, a tint behind the letters, a tint of the letters, and nothing. */
static void write_looks(struct doc *doc)
{
    doc_init(doc);
    put(doc, "a", STYLE_BAD, TINT_NONE, TINT_NONE);
    put(doc, "b", STYLE_NUMBER, TINT_NONE, 0);
    put(doc, "c", STYLE_CHANGED, TINT_NONE, 255);
    put(doc, "d", STYLE_NUMBER, 255, 0);
    put(doc, "e", STYLE_PLAIN, TINT_NONE, TINT_NONE);
    doc_end_line(doc);
}

static void test_backend__plain_is_the_text_alone(void **state)
{
    (void)state;
    struct doc doc;
    struct text out = {0};
    write_looks(&doc);
    doc_end_line(&doc);
    put(&doc, "open", STYLE_TITLE, TINT_NONE, TINT_NONE);
    text_put(&out, "> ");
    doc_to_plain(&doc, &out);
    assert_string_equal(text_string(&out), "> abcde\n\nopen");
    text_release(&out);
    assert_ansi(&doc, COLOURS_NONE, "abcde\n\nopen");
    doc_release(&doc);
}

/* The tints 0 and 255 are the ends of the palette, dark and light: white and black letters. */
static void test_backend__truecolour_names_palette_colours(void **state)
{
    (void)state;
    struct doc doc;
    char expected[300], low[20], high[20];
    unsigned dark = (unsigned)palette_rgb(0), light = (unsigned)palette_rgb(255);
    snprintf(low, sizeof low, "%u;%u;%u", dark >> 16, dark >> 8 & 255, dark & 255);
    snprintf(high, sizeof high, "%u;%u;%u", light >> 16, light >> 8 & 255, light & 255);
    snprintf(expected, sizeof expected,
             "\033[0;1;31ma"
             "\033[0;38;2;255;255;255;48;2;%smb"
             "\033[0;1;38;2;0;0;0;48;2;%smc"
             "\033[0;38;2;%s;48;2;%smd"
             "\033[0me\n",
             low, high, high, low);
    write_looks(&doc);
    assert_ansi(&doc, COLOURS_TRUE, expected);
    doc_release(&doc);
}

static void test_backend__sixteen_colours_run_from_blue_to_yellow(void **state)
{
    (void)state;
    struct doc doc;
    write_looks(&doc);
    assert_ansi(&doc, COLOURS_16,
                "\033[0;1;31ma"
                "\033[0;97;44mb"
                "\033[0;1;30;103mc"
                "\033[0;93;44md"
                "\033[0me\n");
    doc_release(&doc);
}

static void test_backend__256_colours_are_the_nearest(void **state)
{
    (void)state;
    struct doc doc;
    char expected[200];
    int dark = colour_nearest_256(palette_rgb(0)), light = colour_nearest_256(palette_rgb(255));
    snprintf(expected, sizeof expected,
             "\033[0;1;31ma"
             "\033[0;38;5;231;48;5;%dmb"
             "\033[0;1;38;5;16;48;5;%dmc"
             "\033[0;38;5;%d;48;5;%dmd"
             "\033[0me\n",
             dark, light, light, dark);
    write_looks(&doc);
    assert_ansi(&doc, COLOURS_256, expected);
    doc_release(&doc);
}

static void test_backend__each_line_ends_reset(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    put(&doc, "a", STYLE_LABEL, TINT_NONE, TINT_NONE);
    put(&doc, "b", STYLE_LABEL, TINT_NONE, TINT_NONE); /* the same look: nothing to say */
    doc_end_line(&doc);
    put(&doc, "c", STYLE_LABEL, TINT_NONE, TINT_NONE);
    assert_ansi(&doc, COLOURS_16, "\033[0;36mab\033[0m\n\033[0;36mc\033[0m");
    doc_release(&doc);
}

static void test_backend__no_style_needs_no_sequence(void **state)
{
    (void)state;
    struct doc doc;
    doc_init(&doc);
    put(&doc, "1", STYLE_NUMBER, TINT_NONE, TINT_NONE);
    put(&doc, " ", STYLE_PLAIN, TINT_NONE, TINT_NONE);
    put(&doc, "2", STYLE_NUMBER, TINT_NONE, TINT_NONE);
    doc_end_line(&doc);
    assert_ansi(&doc, COLOURS_TRUE, "1 2\n");
    doc_release(&doc);
}

static void test_backend__nothing_from_a_label_reaches_the_terminal_as_a_sequence(void **state)
{
    (void)state;
    struct doc doc;
    struct text out = {0};
    doc_init(&doc);
    for (int byte = 0; byte < 256; byte++) {
        char c = (char)byte;
        doc_put(&doc, STYLE_PLAIN, &c, 1);
        doc_put(&doc, STYLE_PLAIN, (char[]){'\xC2', c}, 2);
    }
    doc_end_line(&doc);
    doc_to_ansi(&doc, COLOURS_TRUE, &out);
    for (size_t at = 0; at < out.size;) {
        struct text_character character = text_character(out.bytes + at, out.size - at);
        assert_true(character.printable || out.bytes[at] == '\n');
        at += character.size;
    }
    text_release(&out);
    doc_release(&doc);
}

static void test_backend__the_palette_rises_in_luminance(void **state)
{
    (void)state;
    for (int tint = 1; tint < 256; tint++)
        assert_true(colour_luminance(palette_rgb(tint)) > colour_luminance(palette_rgb(tint - 1)));
}

/* CIE 1976 lightness: L* = 116 Y^(1/3) - 16 above Y = 0.008856. Equal steps look equal. */
static void test_backend__the_palette_rises_evenly_in_lightness(void **state)
{
    (void)state;
    double before = 0, lowest = 0, highest = 0;
    for (int tint = 0; tint < 256; tint += 51) {
        double lightness = 116 * cbrt(colour_luminance(palette_rgb(tint))) - 16;
        if (tint == 0)
            lowest = lightness;
        else
            assert_close(lightness - before, 16, 3); /* a fifth of 80 */
        before = highest = lightness;
    }
    assert_in_range((long)lowest, 8, 20);
    assert_in_range((long)highest, 88, 97);
}

static void test_backend__the_palette_runs_from_blue_over_green_to_yellow(void **state)
{
    (void)state;
    unsigned low = (unsigned)palette_rgb(0), middle = (unsigned)palette_rgb(140);
    unsigned high = (unsigned)palette_rgb(255);
    assert_true((low & 255) > (low >> 8 & 255) && (low & 255) > low >> 16);
    assert_true((middle >> 8 & 255) > (middle & 255) && (middle >> 8 & 255) > middle >> 16);
    assert_true(high >> 16 > (high & 255) && (high >> 8 & 255) > (high & 255));
    assert_int_equal(palette_rgb(-1), palette_rgb(0));
    assert_int_equal(palette_rgb(1000), palette_rgb(TINT_COUNT - 1));
}

/* Blue and dark and orange: both ends about as bright, each side brighter the further from the
 * middle; blue and yellow are what all people tell apart. */
static void test_backend__tints_of_both_signs_run_from_blue_over_dark_to_orange(void **state)
{
    (void)state;
    uint32_t low = palette_rgb(TINT_SIGNED), high = palette_rgb(TINT_COUNT - 1);
    assert_true((low & 255) > low >> 16 && (high & 255) < high >> 16);
    assert_true(fabs(colour_luminance(low) - colour_luminance(high)) < 0.1);
    for (int i = 1; i < 128; i++) {
        assert_true(colour_luminance(palette_rgb(TINT_SIGNED + i)) <=
                    colour_luminance(palette_rgb(TINT_SIGNED + i - 1)));
        assert_true(colour_luminance(palette_rgb(TINT_COUNT - 1 - i)) <=
                    colour_luminance(palette_rgb(TINT_COUNT - i)));
    }
    assert_true(colour_luminance(palette_rgb(TINT_SIGNED + 128)) < 0.03);
}

static void test_backend__luminance_is_that_of_srgb(void **state)
{
    (void)state;
    /* The weights of the primaries; middle grey 0x80 is ((0.50196 + 0.055) / 1.055)^2.4. */
    assert_close(colour_luminance(0x000000), 0, 1e-12);
    assert_close(colour_luminance(0xFFFFFF), 1, 1e-12);
    assert_close(colour_luminance(0xFF0000), 0.2126, 1e-12);
    assert_close(colour_luminance(0x00FF00), 0.7152, 1e-12);
    assert_close(colour_luminance(0x0000FF), 0.0722, 1e-12);
    assert_close(colour_luminance(0x808080), 0.215861, 1e-6);
}

/* Letters on every tint have a contrast of at least 4.5 (WCAG 2.1, level AA). */
static void test_backend__letters_can_be_read_on_every_tint(void **state)
{
    (void)state;
    for (int tint = 0; tint < 256; tint++) {
        double luminance = colour_luminance(palette_rgb(tint));
        double contrast = colour_wants_black(palette_rgb(tint)) ? (luminance + 0.05) / 0.05
                                                                : 1.05 / (luminance + 0.05);
        assert_true(contrast >= 4.5);
    }
}

static void test_backend__256_colours_match_themselves(void **state)
{
    (void)state;
    assert_int_equal(colour_of_256(16), 0x000000);
    assert_int_equal(colour_of_256(21), 0x0000FF);
    assert_int_equal(colour_of_256(46), 0x00FF00);
    assert_int_equal(colour_of_256(67), 0x5F87AF); /* 16 + 36 * 1 + 6 * 2 + 3 */
    assert_int_equal(colour_of_256(231), 0xFFFFFF);
    assert_int_equal(colour_of_256(232), 0x080808);
    assert_int_equal(colour_of_256(255), 0xEEEEEE);
    for (int index = 16; index < 256; index++)
        assert_int_equal(colour_of_256(colour_nearest_256(colour_of_256(index))),
                         colour_of_256(index));
    assert_int_equal(colour_nearest_256(0x5E88AE), 67);
    assert_int_equal(colour_nearest_256(0x0A0A0A), 232);
}

/* Counts the places where part stands in whole. */
static size_t count(const char *whole, const char *part)
{
    size_t n = 0;
    for (const char *at = strstr(whole, part); at != NULL; at = strstr(at + 1, part))
        n++;
    return n;
}

static void assert_has(const struct text *svg, const char *part)
{
    if (strstr(text_string(svg), part) == NULL)
        fail_msg("\"%s\" is not in\n%s", part, text_string(svg));
}

static void test_backend__svg_keeps_text_as_text(void **state)
{
    (void)state;
    struct doc doc;
    struct text svg = {0};
    doc_init(&doc);
    doc_line(&doc, STYLE_TITLE, "scores");
    doc_add(&doc, STYLE_LABEL, "Hello");
    doc_add(&doc, STYLE_PLAIN, "  ");
    doc_add(&doc, STYLE_NUMBER, "0.4556");
    doc_end_line(&doc);
    doc_to_svg(&doc, NULL, &svg);
    assert_has(&svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    assert_has(&svg, ">scores</tspan></text>\n");
    assert_has(&svg, ">Hello</tspan>");
    assert_has(&svg, ">0.4556</tspan></text>\n");
    assert_int_equal(count(text_string(&svg), "<text"), 2); /* one a line */
    assert_int_equal(count(text_string(&svg), "<rect"), 1); /* the card */
    assert_int_equal(count(text_string(&svg), "<title"), 0);
    assert_string_equal(text_string(&svg) + svg.size - 7, "</svg>\n");
    text_release(&svg);
    doc_release(&doc);
}

static void test_backend__svg_escapes_what_xml_would_read(void **state)
{
    (void)state;
    struct doc doc;
    struct text svg = {0};
    doc_init(&doc);
    /* U+FFFE and U+FFFF are no XML characters; the letter before them is. */
    doc_line(&doc, STYLE_PLAIN, "a<b & \"c\">\x01\xFF\xEF\xBF\xBD\xEF\xBF\xBE\xEF\xBF\xBF");
    doc_to_svg(&doc, "1 < 2 & 3\x1B", &svg);
    assert_has(&svg, ">a&lt;b &amp; &quot;c&quot;&gt;??\xEF\xBF\xBD?\?</tspan>");
    assert_has(&svg, "<title>1 &lt; 2 &amp; 3?</title>");
    assert_int_equal(count(text_string(&svg), ">1 &lt; 2 &amp; 3?<"), 2); /* and drawn */
    text_release(&svg);
    doc_release(&doc);
}

/* Where the span that holds this text begins, in columns from the left edge of the text. */
static double column_of(const struct text *svg, const char *words)
{
    char end[64];
    snprintf(end, sizeof end, ">%s</tspan>", words);
    const char *close = strstr(text_string(svg), end), *open = text_string(svg);
    assert_non_null(close);
    for (const char *at = strstr(open, "<tspan x=\""); at != NULL && at < close;
         at = strstr(at + 1, "<tspan x=\""))
        open = at;
    return strtod(open + strlen("<tspan x=\""), NULL);
}

static void test_backend__svg_places_spans_by_columns(void **state)
{
    (void)state;
    struct doc doc;
    struct text svg = {0};
    doc_init(&doc);
    /* The first spans of all lines take four columns. */
    static const char *const firsts[] = {"abcd", "\xE6\x97\xA5\xE6\x9C\xAC", "e\xCC\x81tet",
                                         "    "};
    static const char *const seconds[] = {"one", "two", "three", "four"};
    for (size_t i = 0; i < 4; i++) {
        doc_add(&doc, STYLE_LABEL, "%s", firsts[i]);
        doc_add(&doc, STYLE_NUMBER, "%s", seconds[i]);
        doc_end_line(&doc);
    }
    doc_add(&doc, STYLE_LABEL, "x");
    doc_add(&doc, STYLE_NUMBER, "five");
    doc_end_line(&doc);
    doc_to_svg(&doc, NULL, &svg);
    double start = column_of(&svg, "x"), column = column_of(&svg, "five") - start;
    assert_true(column > 0);
    for (size_t i = 0; i < 4; i++)
        assert_close(column_of(&svg, seconds[i]) - start, 4 * column, 1e-9);
    text_release(&svg);
    doc_release(&doc);
}

static void test_backend__svg_draws_tints(void **state)
{
    (void)state;
    struct doc doc;
    struct text svg = {0};
    char low[32], high[32];
    doc_init(&doc);
    put(&doc, "0.1", STYLE_NUMBER, TINT_NONE, 0);
    put(&doc, "0.9", STYLE_NUMBER, TINT_NONE, 255);
    put(&doc, "\xE2\x96\x80", STYLE_NUMBER, 255, 0); /* a half block of two tints */
    doc_end_line(&doc);
    doc_to_svg(&doc, NULL, &svg);
    snprintf(low, sizeof low, "fill=\"#%06x\"/>", (unsigned)palette_rgb(0));
    snprintf(high, sizeof high, "fill=\"#%06x\"/>", (unsigned)palette_rgb(255));
    assert_int_equal(count(text_string(&svg), low), 2);
    assert_int_equal(count(text_string(&svg), high), 2);
    assert_has(&svg, "fill=\"#ffffff\">0.1</tspan>"); /* white on dark, black on light */
    assert_has(&svg, "fill=\"#000000\">0.9</tspan>");
    text_release(&svg);
    doc_release(&doc);
}

static void test_backend__an_empty_doc(void **state)
{
    (void)state;
    struct doc doc;
    struct text out = {0};
    doc_init(&doc);
    doc_to_plain(&doc, &out);
    doc_to_ansi(&doc, COLOURS_TRUE, &out);
    assert_int_equal(out.size, 0);
    doc_to_svg(&doc, NULL, &out);
    assert_has(&out, "</svg>");
    text_release(&out);
    doc_release(&doc);
}

/* Puts a Doc on text by one of the back ends, with an error where the text is incomplete. */
static bool put_once(const struct doc *doc, int backend, struct error *reterr)
{
    struct text out = {0};
    if (backend == 0)
        doc_to_plain(doc, &out);
    else if (backend == 1)
        doc_to_ansi(doc, COLOURS_TRUE, &out);
    else
        doc_to_svg(doc, "title", &out);
    bool complete = !out.failed;
    text_release(&out);
    return complete ? true : error_memory(reterr, "the output");
}

static void test_backend__failed_allocations_are_remembered(void **state)
{
    (void)state;
    struct doc doc;
    struct error error;
    write_looks(&doc);
    for (int i = 0; i < 30; i++)
        doc_line(&doc, STYLE_GOOD, "line %d", i);
    for (int backend = 0; backend < 3; backend++)
        assert_reports_failed_allocations(put_once(&doc, backend, &error), error);
    doc_release(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_backend__plain_is_the_text_alone),
        cmocka_unit_test(test_backend__truecolour_names_palette_colours),
        cmocka_unit_test(test_backend__sixteen_colours_run_from_blue_to_yellow),
        cmocka_unit_test(test_backend__256_colours_are_the_nearest),
        cmocka_unit_test(test_backend__each_line_ends_reset),
        cmocka_unit_test(test_backend__no_style_needs_no_sequence),
        cmocka_unit_test(test_backend__nothing_from_a_label_reaches_the_terminal_as_a_sequence),
        cmocka_unit_test(test_backend__the_palette_rises_in_luminance),
        cmocka_unit_test(test_backend__the_palette_rises_evenly_in_lightness),
        cmocka_unit_test(test_backend__the_palette_runs_from_blue_over_green_to_yellow),
        cmocka_unit_test(test_backend__tints_of_both_signs_run_from_blue_over_dark_to_orange),
        cmocka_unit_test(test_backend__luminance_is_that_of_srgb),
        cmocka_unit_test(test_backend__letters_can_be_read_on_every_tint),
        cmocka_unit_test(test_backend__256_colours_match_themselves),
        cmocka_unit_test(test_backend__svg_keeps_text_as_text),
        cmocka_unit_test(test_backend__svg_escapes_what_xml_would_read),
        cmocka_unit_test(test_backend__svg_places_spans_by_columns),
        cmocka_unit_test(test_backend__svg_draws_tints),
        cmocka_unit_test(test_backend__an_empty_doc),
        cmocka_unit_test(test_backend__failed_allocations_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
