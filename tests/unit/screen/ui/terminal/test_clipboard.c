/* ui/terminal/clipboard.h: text for the clipboard of the terminal. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "ui/terminal/clipboard.h"

/* The examples of RFC 4648, section 10. */
static void test_ui_clipboard__is_osc_52_with_base64(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xC3\xBC\t\n", "w7wJCg=="},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct text text = {0};
        struct error error;
        char expected[64];
        snprintf(expected, sizeof expected, "\x1b]52;c;%s\a", cases[i][1]);
        assert_true(clipboard_write(cases[i][0], strlen(cases[i][0]), &text, &error));
        assert_string_equal(text_string(&text), expected);
        text_release(&text);
    }
}

static void test_ui_clipboard__has_a_limit(void **state)
{
    (void)state;
    static char many[CLIPBOARD_MAX_BYTES + 1];
    struct text text = {0};
    struct error error;
    assert_true(clipboard_write(many, CLIPBOARD_MAX_BYTES, &text, &error));
    assert_int_equal(text.size, 7 + CLIPBOARD_MAX_BYTES / 3 * 4 + 1);
    text_clear(&text);
    assert_false(clipboard_write(many, CLIPBOARD_MAX_BYTES + 1, &text, &error));
    assert_int_equal(error.kind, ERR_LIMIT);
    assert_non_null(strstr(error.text, "76 kB"));
    assert_int_equal(text.size, 0);
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ui_clipboard__is_osc_52_with_base64),
        cmocka_unit_test(test_ui_clipboard__has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
