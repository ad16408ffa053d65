/* roofline/roofline.h: the model, and its picture in text. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "roofline/roofline.h"
#include "show/backend.h"

static const struct roof slow_memory = {.n_threads = 1, .peak = 100e9, .bandwidth = 20e9};

static struct roofline_point point_of(const struct roof *roof, double intensity, double rate)
{
    return (struct roofline_point){.name = "it",
                                   .roof = roof,
                                   .operations = intensity * 1000,
                                   .bytes = 1000,
                                   .seconds = intensity * 1000 / rate};
}

static void test_roofline__two_limits_meet_at_the_ridge(void **state)
{
    (void)state;
    const struct roof *roof = &slow_memory;
    assert_close(roof_ridge(roof), 5, 1e-12);
    assert_close(roof_limit(roof, 1), 20e9, 1);
    assert_close(roof_limit(roof, 5), 100e9, 1);
    assert_close(roof_limit(roof, 50), 100e9, 1);
    const struct roofline_point below = point_of(roof, 4.9, 1e9), above = point_of(roof, 5.1, 1e9);
    assert_true(roofline_is_memory_bound(&below));
    assert_false(roofline_is_memory_bound(&above));
    assert_close(roofline_intensity(&below), 4.9, 1e-9);
    assert_close(roofline_rate(&below), 1e9, 1e-3);
}

/* A roofline of one roof and points of the given intensities and rates, drawn. */
static void draw(size_t n, const double (*points)[2], size_t width_cols, bool ascii,
                 struct text *ret)
{
    struct roofline roofline = {.title = "test", .n_roofs = 1, .n_points = n};
    struct doc doc;
    struct error error;
    roofline.roofs[0] = slow_memory;
    for (size_t i = 0; i < n; i++)
        roofline.points[i] = point_of(&roofline.roofs[0], points[i][0], points[i][1]);
    doc_init(&doc);
    roofline_show(&doc, &roofline,
                  &(struct show_options){.width_cols = width_cols, .digits = 4, .ascii = ascii});
    assert_true(doc_check(&doc, &error));
    *ret = (struct text){0};
    doc_to_plain(&doc, ret);
    doc_release(&doc);
}

/* The line and column of a sign in the chart, whose lines have an axis. False where it is not. */
static bool find_sign(const char *text, char sign, size_t *ret_line, size_t *ret_col)
{
    size_t line = 0;
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1, line++) {
        size_t size = strcspn(at, "\n");
        if (size < 7 || (at[6] != '|' && at[6] != '+'))
            continue;
        const char *found = memchr(at + 7, sign, size - 7);
        if (found != NULL) {
            *ret_line = line;
            *ret_col = (size_t)(found - at);
            return true;
        }
    }
    return false;
}

/* Higher rates stand higher, higher intensities further right, by equal steps for equal factors. */
static void test_roofline__points_lie_where_their_numbers_say(void **state)
{
    (void)state;
    const double points[][2] = {{1, 1e9}, {4, 1e9}, {16, 1e9}, {16, 64e9}, {16, 8e9}};
    size_t line[5], col[5];
    struct text text;
    draw(5, points, 80, true, &text);
    for (size_t i = 0; i < 5; i++)
        assert_true(find_sign(text_string(&text), (char)('1' + (int)i), &line[i], &col[i]));
    assert_int_equal(line[0], line[1]);
    assert_int_equal(line[1], line[2]);
    assert_true(col[0] < col[1] && col[1] < col[2]);
    assert_true(labs((long)(col[2] - col[1]) - (long)(col[1] - col[0])) <= 1);
    assert_int_equal(col[3], col[2]);
    assert_true(line[3] < line[4] && line[4] < line[2]);
    assert_true(labs((long)(line[4] - line[3]) - (long)(line[2] - line[4])) <= 1);
    text_release(&text);
}

#define ALIKE                           \
    {64, 30e9}, {64, 30e9}, {64, 30e9}, \
    {                                   \
        64, 30e9                        \
    }

/* Points at one place stand beside each other: each has its sign. */
static void test_roofline__no_point_hides_another(void **state)
{
    (void)state;
    static const char signs[] = "123456789abcdefg";
    struct text text;
    size_t line, col;
    const double points[ROOFLINE_MAX_POINTS][2] = {ALIKE, ALIKE, ALIKE, ALIKE};
    draw(ROOFLINE_MAX_POINTS, points, 60, true, &text);
    for (size_t i = 0; i < ROOFLINE_MAX_POINTS; i++)
        assert_true(find_sign(text_string(&text), signs[i], &line, &col));
    text_release(&text);
}

static void test_roofline__fits_the_width_and_the_character_set(void **state)
{
    (void)state;
    const double points[][2] = {{0.01, 1e7}, {1e4, 99e9}, {5, 2e9}};
    const size_t widths[] = {40, 60, 80, 200};
    for (size_t i = 0; i < 4; i++) {
        struct text text;
        draw(3, points, widths[i], true, &text);
        for (const char *at = text_string(&text); *at != '\0'; at += strcspn(at, "\n") + 1)
            assert_in_range(strcspn(at, "\n"), 0, widths[i]);
        for (size_t c = 0; c < text.size; c++)
            assert_true(text.bytes[c] == '\n' || (text.bytes[c] >= ' ' && text.bytes[c] <= '~'));
        text_release(&text);
    }
}

static void test_roofline__a_sentence_says_what_limits(void **state)
{
    (void)state;
    const double points[][2] = {{0.5, 5e9}, {50, 25e9}};
    struct text text;
    draw(2, points, 200, true, &text);
    assert_non_null(strstr(text_string(&text),
                           "Memory limits it: 0.5 operations for each byte are below the ridge, so "
                           "10 GFLOP/s are possible, and it reaches 50 % of them."));
    assert_non_null(strstr(text_string(&text),
                           "Arithmetic limits it: 50 operations for each byte are above the ridge, "
                           "so 100 GFLOP/s are possible, and it reaches 25 % of them."));
    assert_non_null(strstr(text_string(&text), "2 it  25 GFLOP/s, 5.0 times the first"));
    text_release(&text);
}

static void test_roofline__a_limit_that_is_passed_or_far_away(void **state)
{
    (void)state;
    const double points[][2] = {{0.5, 15e9}, {50, 5e9}};
    struct text text;
    draw(2, points, 200, true, &text);
    assert_non_null(strstr(text_string(&text), "reaches 150 % of them. That is more than memory "
                                               "gives: what it reads lies in the caches."));
    assert_non_null(strstr(text_string(&text),
                           "reaches 5.0 % of them. So far below, other things hold it back."));
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roofline__two_limits_meet_at_the_ridge),
        cmocka_unit_test(test_roofline__points_lie_where_their_numbers_say),
        cmocka_unit_test(test_roofline__no_point_hides_another),
        cmocka_unit_test(test_roofline__fits_the_width_and_the_character_set),
        cmocka_unit_test(test_roofline__a_sentence_says_what_limits),
        cmocka_unit_test(test_roofline__a_limit_that_is_passed_or_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
