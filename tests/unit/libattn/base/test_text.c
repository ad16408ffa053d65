/* base/text.h: growing text and the columns it takes. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

#define E_ACUTE "e\xCC\x81"                            /* e and U+0301, a combining mark */
#define NIHONGO "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E" /* three letters, two columns each */

static size_t width(const char *string)
{
    return text_width(string, strlen(string));
}

static size_t fit(const char *string, size_t width_cols)
{
    return text_fit(string, strlen(string), width_cols);
}

static void test_text__pieces_follow_each_other(void **state)
{
    (void)state;
    struct text text = {0};
    text_add(&text, "abc", 2);
    text_char(&text, '-');
    text_put(&text, "xyz");
    text_format(&text, " %d/%s", 7, "q");
    text_repeat(&text, "=+", 3);
    assert_string_equal(text_string(&text), "ab-xyz 7/q=+=+=+");
    assert_int_equal(text.size, 16);
    assert_false(text.failed);
    text_release(&text);
}

static void test_text__nothing_added_is_the_empty_string(void **state)
{
    (void)state;
    struct text text = {0};
    assert_string_equal(text_string(&text), "");
    text_add(&text, "", 0);
    text_add(&text, NULL, 0);
    text_repeat(&text, "x", 0);
    text_repeat(&text, "", 100);
    text_format(&text, "%s", "");
    assert_string_equal(text_string(&text), "");
    assert_int_equal(text.size, 0);
    text_release(&text);
    text_release(&text);
    text_release(NULL);
}

static void test_text__grows_past_any_capacity(void **state)
{
    (void)state;
    struct text text = {0};
    for (size_t i = 0; i < 10000; i++)
        text_char(&text, (char)('a' + i % 26));
    assert_int_equal(text.size, 10000);
    assert_int_equal(strlen(text_string(&text)), 10000);
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(text.bytes[i], 'a' + (int)(i % 26));
    text_release(&text);
}

static void test_text__formats_longer_than_the_room_left(void **state)
{
    (void)state;
    struct text text = {0};
    char long_word[3000];
    memset(long_word, 'w', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    text_put(&text, "<");
    text_format(&text, "%s>", long_word);
    assert_int_equal(text.size, sizeof long_word + 1);
    assert_int_equal(text.bytes[text.size - 1], '>');
    text_release(&text);
}

static void test_text__clear_keeps_the_memory(void **state)
{
    (void)state;
    struct text text = {0};
    text_put(&text, "something");
    size_t capacity = text.capacity;
    text_clear(&text);
    assert_string_equal(text_string(&text), "");
    assert_int_equal(text.size, 0);
    assert_int_equal(text.capacity, capacity);
    text_put(&text, "else");
    assert_string_equal(text_string(&text), "else");
    text_release(&text);
}

static void test_text__a_failed_allocation_is_remembered(void **state)
{
    (void)state;
    struct text text = {0};
    text_put(&text, "kept");
    char big[1000] = {0};
    memset(big, 'b', sizeof big);
    testing_fail_allocation(1);
    text_add(&text, big, sizeof big);
    testing_fail_allocation(0);
    assert_true(text.failed);
    text_put(&text, "!"); /* there is room for it, but what comes before it is missing */
    text_format(&text, "%d", 1);
    text_repeat(&text, "x", 2);
    text_char(&text, 'y');
    assert_string_equal(text_string(&text), "kept");
    text_release(&text);
}

static void test_text__a_repetition_too_large_to_count_fails(void **state)
{
    (void)state;
    struct text text = {0};
    text_repeat(&text, "abc", SIZE_MAX / 2);
    assert_true(text.failed);
    text_release(&text);
}

static void test_text__width_counts_columns(void **state)
{
    (void)state;
    assert_int_equal(width(""), 0);
    assert_int_equal(width("Hello"), 5);
    assert_int_equal(width(NIHONGO), 6);
    assert_int_equal(width(E_ACUTE), 1);
    assert_int_equal(width("\xC3\xA9"), 1);         /* the same letter as one code point */
    assert_int_equal(width("\xE2\x80\xA6"), 1);     /* the ellipsis */
    assert_int_equal(width("\xE2\x96\x80"), 1);     /* the upper half block */
    assert_int_equal(width("\xF0\x9F\x98\x80"), 2); /* an emoji */
    assert_int_equal(width("a\tb\x01\x7F"), 2);     /* controls take none */
    assert_int_equal(width("\xC2\x9B"), 0);         /* so does the 8-bit CSI, U+009B */
}

static void test_text__width_of_what_is_not_utf8_is_one_a_byte(void **state)
{
    (void)state;
    assert_int_equal(width("a\xFF\xFE"), 3);
    assert_int_equal(width("\xE6\x97"), 2); /* a letter cut short */
    assert_int_equal(width("\xE6\x97z"), 3);
    assert_int_equal(width("\xC0\x80"), 2);         /* an overlong NUL */
    assert_int_equal(width("\xED\xA0\x80"), 3);     /* a surrogate */
    assert_int_equal(width("\xF4\x90\x80\x80"), 4); /* beyond U+10FFFF */
    assert_int_equal(text_width("a\0b", 3), 2);     /* NUL is a control like others */
}

static void test_text__fit_cuts_between_whole_characters(void **state)
{
    (void)state;
    assert_int_equal(fit("Hello", 3), 3);
    assert_int_equal(fit("Hello", 5), 5);
    assert_int_equal(fit("Hello", 99), 5);
    assert_int_equal(fit("Hello", 0), 0);
    assert_int_equal(fit(NIHONGO, 4), 6); /* two letters of three bytes */
    assert_int_equal(fit(NIHONGO, 5), 6); /* the third would need six columns */
    assert_int_equal(fit("a" NIHONGO, 2), 1);
    assert_int_equal(fit("\xFF\xFF\xFF", 2), 2);
}

static void test_text__fit_keeps_marks_with_their_letter(void **state)
{
    (void)state;
    assert_int_equal(fit(E_ACUTE "x", 1), 3);
    assert_int_equal(fit("x" E_ACUTE, 1), 1);
    assert_int_equal(fit(E_ACUTE, 0), 0);
}

static void test_text__characters_that_disturb_a_line_are_not_printable(void **state)
{
    (void)state;
    static const char *const disturbing[] = {
        "\n",           "\x1B",     "\x7F",         "\xC2\x9B",
        "\xFF",         "\xE6\x97", "\xE2\x80\xA8", /* U+2028, line separator */
        "\xE2\x80\xAE",                             /* U+202E, right-to-left override */
        "\xE2\x81\xA6",                             /* U+2066, left-to-right isolate */
    };
    static const char *const fine[] = {" ",        "~",       "\xC3\xA9", "\xE6\x97\xA5",
                                       "\xCC\x81", "\xD7\xA9" /* a Hebrew letter */};
    for (size_t i = 0; i < COUNT_OF(disturbing); i++)
        assert_false(text_character(disturbing[i], strlen(disturbing[i])).printable);
    for (size_t i = 0; i < COUNT_OF(fine); i++) {
        struct text_character character = text_character(fine[i], strlen(fine[i]));
        assert_true(character.printable);
        assert_int_equal(character.size, strlen(fine[i]));
    }
}

static void test_text__any_bytes_are_walked_to_their_end(void **state)
{
    (void)state;
    uint64_t numbers = 5;
    for (int round = 0; round < 2000; round++) {
        char bytes[24];
        size_t size = testing_between(&numbers, 1, sizeof bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (char)testing_word(&numbers);
        size_t whole = text_width(bytes, size);
        assert_in_range(whole, 0, 2 * size);
        for (size_t cols = 0; cols <= whole; cols++) {
            size_t prefix = text_fit(bytes, size, cols);
            assert_in_range(prefix, 0, size);
            assert_in_range(text_width(bytes, prefix), cols > 0 ? cols - 1 : 0, cols);
        }
        assert_int_equal(text_fit(bytes, size, whole), size);
    }
}

static void test_text__endings(void **state)
{
    (void)state;
    assert_true(text_ends_with("05-scaling.md", ".md"));
    assert_true(text_ends_with(".md.md", ".md"));
    assert_false(text_ends_with("05-scaling.md", ".MD"));
    assert_false(text_ends_with("05-scaling.mdx", ".md"));
    assert_false(text_ends_with(".md", ".md")); /* an ending alone names nothing */
    assert_false(text_ends_with("md", ".md"));
    assert_false(text_ends_with("", ".md"));
}

static void test_text__blanks(void **state)
{
    (void)state;
    assert_true(text_is_blank("", 0));
    assert_true(text_is_blank(" \t\r\n", 4));
    assert_true(text_is_blank("  x", 2));
    assert_false(text_is_blank("  x", 3));
    assert_false(text_is_blank(" \0", 2)); /* a byte like others */
}

static void trims(const char *bytes, size_t size, const char *wanted, size_t wanted_begin)
{
    size_t begin;
    char *copy = text_copy_trimmed(bytes, size, &begin);
    assert_non_null(copy);
    assert_string_equal(copy, wanted);
    assert_int_equal(begin, wanted_begin);
    free(copy);
}

static void test_text__a_trimmed_copy(void **state)
{
    (void)state;
    trims("", 0, "", 0);
    trims(" \t ", 3, "", 3);
    trims("a b", 3, "a b", 0);
    trims("\r\n a b\t\n", 8, "a b", 3);
    trims(" ab", 2, "a", 1);
    size_t begin = 7;
    testing_fail_allocation(1);
    assert_null(text_copy_trimmed("a", 1, &begin));
    testing_fail_allocation(0);
    assert_int_equal(begin, 7);
}

/* By Python: unicodedata.normalize("NFC", ...). */
static void test_text__names(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"", ""},
        {"plain", "plain"},
        {"Jose\u0301", "Jos\u00e9"},
        {"\xff\u0301", "\xff\u0301"},
        {"\u200eanna\u200f", "anna"},
        {"\u05d0\u200f\u05d1\u061c", "\u05d0\u05d1"},
        {"Jose\u200e\u0301", "Jos\u00e9"},
        {"\u200e\xff", "\xff"},
        {"\u200b\u200c\u200d\u2010", "\u200b\u200c\u200d\u2010"}, /* their neighbours stay */
        {"\u200f", ""},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char *copy = text_copy_name(texts[i][0], strlen(texts[i][0]));
        assert_string_equal(copy, texts[i][1]);
        free(copy);
    }
    char *first = text_copy_name("anna_dot", 4);
    assert_string_equal(first, "anna");
    free(first);
    char *cut = text_copy_undirected("anna\u200e", 6); /* ends within a mark */
    assert_string_equal(cut, "anna\xe2\x80");
    free(cut);
    char *decomposed = text_copy_undirected("Jose\u0301\u200e", 9);
    assert_string_equal(decomposed, "Jose\u0301");
    free(decomposed);
    testing_fail_allocation(1);
    assert_null(text_copy_name("anna", 4));
    testing_fail_allocation(0);
}

static void test_text__begins_in_any_case(void **state)
{
    (void)state;
    static const struct {
        const char *text, *begin;
        size_t size;
    } trials[] = {
        {"Anna Alm", "ANNA", 4}, {"Ann", "anna", 0},    {"JOS\u00c9!", "jos\u00e9", 5},
        {"\u1e9e", "\u00df", 3}, {"x\xff", "X\xff", 2}, {"x\xfe", "x\xff", 0},
        {"\xc3", "\u00e9", 0},   {"", "a", 0},          {"a", "", 0},
    };
    for (size_t i = 0; i < COUNT_OF(trials); i++)
        assert_int_equal(text_begins_in_any_case(trials[i].text, trials[i].begin), trials[i].size);
}

static void test_text__decimals(void **state)
{
    static const char *const numbers[] = {"0", "10", "-1.5", "+2.5e3", ".5", "1.", "1E-2"};
    static const double values[] = {0, 10, -1.5, 2500, 0.5, 1, 0.01};
    static const char *const others[] = {"",      " 1",    "1 ",  "0x10", "inf", "nan", "1,5",
                                         "1e999", "1.5.2", "ten", "--1",  "e",   "1_0"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        double number = -1;
        assert_true(text_decimal(numbers[i], &number));
        assert_close(number, values[i], 0);
    }
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        double number = 7;
        if (text_decimal(others[i], &number) || number != 7)
            fail_msg("%s is taken as %g", others[i], number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text__pieces_follow_each_other),
        cmocka_unit_test(test_text__nothing_added_is_the_empty_string),
        cmocka_unit_test(test_text__grows_past_any_capacity),
        cmocka_unit_test(test_text__formats_longer_than_the_room_left),
        cmocka_unit_test(test_text__clear_keeps_the_memory),
        cmocka_unit_test(test_text__a_failed_allocation_is_remembered),
        cmocka_unit_test(test_text__a_repetition_too_large_to_count_fails),
        cmocka_unit_test(test_text__endings),
        cmocka_unit_test(test_text__blanks),
        cmocka_unit_test(test_text__a_trimmed_copy),
        cmocka_unit_test(test_text__width_counts_columns),
        cmocka_unit_test(test_text__width_of_what_is_not_utf8_is_one_a_byte),
        cmocka_unit_test(test_text__fit_cuts_between_whole_characters),
        cmocka_unit_test(test_text__fit_keeps_marks_with_their_letter),
        cmocka_unit_test(test_text__characters_that_disturb_a_line_are_not_printable),
        cmocka_unit_test(test_text__any_bytes_are_walked_to_their_end),
        cmocka_unit_test(test_text__names),
        cmocka_unit_test(test_text__decimals),
        cmocka_unit_test(test_text__begins_in_any_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
