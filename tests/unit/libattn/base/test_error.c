/* base/error.h: errors as values. */
#include "testing.h"

#include <string.h>

static void test_error__set_fills_kind_and_text_and_is_false(void **state)
{
    (void)state;
    struct error error = {.kind = ERR_NONE, .begin = 3, .end = 9};
    assert_false(error_set(&error, ERR_SHAPE, "%s: %dx%d", "Q @ K", 3, 2));
    assert_int_equal(error.kind, ERR_SHAPE);
    assert_string_equal(error.text, "Q @ K: 3x2");
    assert_int_equal(error.begin, error.end);
}

static void test_error__nobody_wants_it(void **state)
{
    (void)state;
    assert_false(error_set(NULL, ERR_SHAPE, "%d", 1));
    assert_false(error_memory(NULL, "x"));
}

static void test_error__memory_names_what(void **state)
{
    (void)state;
    struct error error;
    assert_error(error_memory(&error, "a mask"), error, ERR_MEMORY);
    assert_says(error, "a mask: ");
}

static void test_error__long_text_is_cut_at_the_end_of_a_character(void **state)
{
    (void)state;
    struct error error;
    /* Characters of 1, 2, 3 and 4 bytes, after 0 to 3 bytes of ASCII: the cut meets each of their
     * bytes. The text must be a prefix of what was asked for and lack less than one character. */
    static const char *const characters[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    for (size_t kind = 0; kind < 4; kind++) {
        for (size_t lead = 0; lead < 4; lead++) {
            char long_text[1024] = "";
            memset(long_text, 'x', lead);
            size_t length = strlen(characters[kind]);
            for (size_t used = lead; used + length < sizeof long_text; used += length)
                memcpy(long_text + used, characters[kind], length);
            assert_false(error_set(&error, ERR_NAME, "%s", long_text));
            size_t kept = strlen(error.text);
            assert_in_range(kept, sizeof error.text - length, sizeof error.text - 1);
            assert_memory_equal(error.text, long_text, kept);
            assert_int_equal((kept - lead) % length, 0);
        }
    }
}

static void test_error__text_that_just_fits_is_whole(void **state)
{
    (void)state;
    struct error error;
    char text[sizeof error.text] = "";
    memset(text, 'x', sizeof text - 1);
    memcpy(text + sizeof text - 4, "\xE2\x82\xAC", 4); /* ends in a whole euro sign */
    error_set(&error, ERR_NAME, "%s", text);
    assert_string_equal(error.text, text);
}

static void check_quote(size_t capacity, const char *src, size_t size, const char *want)
{
    char *text = test_malloc(capacity); /* cmocka's: it notices a write past the end */
    assert_ptr_equal(error_quote(text, capacity, src, size), text);
    assert_string_equal(text, want);
    test_free(text);
}

static void test_error__quote_keeps_printable_text(void **state)
{
    (void)state;
    check_quote(32, "Q @ K", 5, "Q @ K");
    check_quote(32, "", 0, "");
    check_quote(32, "na\xC3\xAFve \xE2\x82\xAC", 10, "na\xC3\xAFve \xE2\x82\xAC");
    check_quote(32, "Q @ K.T", 5, "Q @ K"); /* size decides, not the NUL byte */
}

static void test_error__quote_replaces_what_is_not_printable(void **state)
{
    (void)state;
    check_quote(32, "a\tb\nc\x7F", 6, "a?b?c?");
    check_quote(32, "a\0b", 3, "a?b");
    check_quote(32, "\x1B[31m", 5, "?[31m"); /* no colours from a learner's line */
}

static void test_error__quote_replaces_bytes_that_are_not_utf8(void **state)
{
    (void)state;
    check_quote(32, "\xFF\xFE", 2, "??");
    check_quote(32, "a\xE2\x82", 3, "a??");                     /* cut short */
    check_quote(32, "\xC3(", 2, "?(");                          /* no continuation */
    check_quote(32, "\xC0\xAF", 2, "??");                       /* an overlong '/' */
    check_quote(32, "\xF5\x80\x80\x80", 4, "????");             /* beyond U+10FFFF */
    check_quote(32, "\xE0\x80\xAF", 3, "???");                  /* overlong, three bytes */
    check_quote(32, "\xED\xA0\x80", 3, "???");                  /* a surrogate */
    check_quote(32, "\xF0\x80\x80\xAF", 4, "????");             /* overlong, four bytes */
    check_quote(32, "\xF4\x90\x80\x80", 4, "????");             /* U+110000 */
    check_quote(32, "\xF4\x8F\xBF\xBD", 4, "\xF4\x8F\xBF\xBD"); /* U+10FFFD */
}

static void test_error__quote_replaces_control_characters_of_two_bytes(void **state)
{
    (void)state;
    char text[32];
    error_quote(text, sizeof text, "\xC2\x9B", 2); /* U+009B starts a terminal sequence, as ESC [ */
    assert_null(strstr(text, "\xC2\x9B"));
}

static void test_error__quote_cuts_long_text_between_characters(void **state)
{
    (void)state;
    check_quote(8, "abcdefg", 7, "abcdefg"); /* 7 bytes and the NUL: not too long */
    check_quote(8, "abcdefgh", 8, "abcd...");
    check_quote(4, "abc", 3, "abc");
    check_quote(4, "abcd", 4, "...");
    check_quote(8, "abcd\xE2\x82\xAC", 7, "abcd\xE2\x82\xAC");
    check_quote(8, "abcd\xE2\x82\xACx", 8, "abcd...");
    check_quote(8, "abc\xE2\x82\xACxyz", 9, "abc..."); /* the euro sign would be cut */
    check_quote(8, "abcdefghijklmnopqrstuvwxyz", 26, "abcd...");
}

static void test_error__quote_stays_inside_every_capacity(void **state)
{
    (void)state;
    char line[200];
    for (size_t i = 0; i < sizeof line; i++)
        line[i] = (char)("a\xC3\xA9\xE2\x82\xAC\n"[i % 7]);
    for (size_t capacity = 4; capacity < 100; capacity++) {
        char *text = test_malloc(capacity);
        error_quote(text, capacity, line, sizeof line);
        size_t length = strlen(text);
        assert_true(length < capacity);
        assert_string_equal(text + length - 3, "...");
        test_free(text);
    }
}

static void test_error__the_first_place_stays(void **state)
{
    (void)state;
    struct error error;
    error_set(&error, ERR_SHAPE, "x");
    assert_false(error_place(&error, 3, 5));
    assert_false(error_place(&error, 0, 9));
    assert_int_equal(error.begin, 3);
    assert_int_equal(error.end, 5);
    assert_false(error_place(NULL, 3, 5));
}

static void test_error__a_prefix_keeps_kind_and_place(void **state)
{
    (void)state;
    struct error error;
    error_set(&error, ERR_SHAPE, "Q is 3x2");
    error_place(&error, 3, 5);
    error_prefix(&error, "in %s: ", "f");
    assert_string_equal(error.text, "in f: Q is 3x2");
    assert_int_equal(error.kind, ERR_SHAPE);
    assert_int_equal(error.begin, 3);
    error_prefix(NULL, "in %s: ", "f");
}

static void test_error__a_prefix_that_makes_it_too_long_cuts_the_end(void **state)
{
    (void)state;
    struct error error;
    char text[sizeof error.text + 1];
    for (size_t pad = 0; pad < 3; pad++) {
        size_t size = 0;
        memset(text, 'a', pad);
        for (size = pad; size + 3 < sizeof error.text; size += 3)
            memcpy(text + size, "\xE2\x82\xAC", 3);
        text[size] = '\0';
        error_set(&error, ERR_SHAPE, "%s", text);
        error_prefix(&error, "in f: ");
        size_t length = strlen(error.text);
        assert_memory_equal(error.text, "in f: ", 6);
        assert_memory_equal(error.text + length - 3, "\xE2\x82\xAC", 3);
        assert_true(length < sizeof error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error__set_fills_kind_and_text_and_is_false),
        cmocka_unit_test(test_error__nobody_wants_it),
        cmocka_unit_test(test_error__memory_names_what),
        cmocka_unit_test(test_error__long_text_is_cut_at_the_end_of_a_character),
        cmocka_unit_test(test_error__text_that_just_fits_is_whole),
        cmocka_unit_test(test_error__the_first_place_stays),
        cmocka_unit_test(test_error__a_prefix_keeps_kind_and_place),
        cmocka_unit_test(test_error__a_prefix_that_makes_it_too_long_cuts_the_end),
        cmocka_unit_test(test_error__quote_keeps_printable_text),
        cmocka_unit_test(test_error__quote_replaces_what_is_not_printable),
        cmocka_unit_test(test_error__quote_replaces_bytes_that_are_not_utf8),
        cmocka_unit_test(test_error__quote_replaces_control_characters_of_two_bytes),
        cmocka_unit_test(test_error__quote_cuts_long_text_between_characters),
        cmocka_unit_test(test_error__quote_stays_inside_every_capacity),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
