/* ui/terminal/input.h: keys, what they ask for and what they are called. */
#include "testing.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "ui/terminal/input.h"

static const struct binding table[] = {
    {'n', REQ_NEXT_PAGE, "next", "Goes to the next page."},
    {KEYCODE_ENTER, REQ_OPEN, "why", "Opens the cell."},
    {'n', REQ_SKIP, NULL, NULL}, /* never reached: the first counts */
    {KEYCODE_ALT + 'x', REQ_COMMAND_PALETTE, NULL, NULL},
    {'5', REQ_HINT, NULL, NULL},
    {KEYCODE_DIGIT, REQ_HEAD, NULL, NULL},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

static void test_ui_input__keys_ask_for_what_their_first_binding_says(void **state)
{
    (void)state;
    assert_int_equal(binding_find(table, 'n'), REQ_NEXT_PAGE);
    assert_int_equal(binding_find(table, KEYCODE_ENTER), REQ_OPEN);
    assert_int_equal(binding_find(table, KEYCODE_ALT + 'x'), REQ_COMMAND_PALETTE);
    assert_int_equal(binding_find(table, '1'), REQ_HEAD);
    assert_int_equal(binding_find(table, '9'), REQ_HEAD);
    assert_int_equal(binding_find(table, '5'), REQ_HINT);
}

static void test_ui_input__unbound_keys_ask_for_nothing(void **state)
{
    (void)state;
    assert_int_equal(binding_find(table, 'x'), REQ_NONE);
    assert_int_equal(binding_find(table, KEYCODE_NONE), REQ_NONE);
    assert_int_equal(binding_find(table, -1), REQ_NONE);
    assert_int_equal(binding_find(table, '0'), REQ_NONE);
    assert_int_equal(binding_find(table + 4, 'n'), REQ_NONE);
}

static void test_ui_input__keys_have_names(void **state)
{
    (void)state;
    static const struct {
        int key;
        const char *name;
    } cases[] = {
        {KEYCODE_NONE, ""},
        {KEYCODE_TAB, "Tab"},
        {KEYCODE_ENTER, "Enter"},
        {KEYCODE_CTRL_C, "^C"},
        {12, "^L"},
        {31, "^_"},
        {'+', "+"},
        {'?', "?"},
        {' ', "Space"},
        {KEYCODE_F1, "F1"},
        {KEYCODE_F2, "F2"},
        {KEYCODE_SHIFT_F6, "Shift-F6"},
        {KEYCODE_ESCAPE, "Esc"},
        {KEYCODE_BACKSPACE, "Backspace"},
        {KEYCODE_PAGE_DOWN, "PgDn"},
        {KEYCODE_BACK_TAB, "Shift-Tab"},
        {KEYCODE_DIGIT, "1-9"},
        {KEYCODE_ALT + 'b', "Alt-b"},
        {KEYCODE_F9, "F9"},
        {KEYCODE_ALT + KEYCODE_SHIFT_RIGHT, "Alt-Shift-Right"},
        {KEYCODE_ALT + KEYCODE_BACKSPACE, "Alt-Backspace"},
        {0xE4, "\xC3\xA4"},
        {0x6CE8, "\xE6\xB3\xA8"},
        {0x0301, "U+0301"},             /* a mark without its letter */
        {0x202E, "U+202E"},             /* would turn the line */
        {0x85, "U+0085"},               /* a control character */
        {0xD800, "?"},                  /* half of a pair */
        {0x110000, "?"},                /* beyond Unicode */
        {KEYCODE_SHIFT_RIGHT + 1, "?"}, /* no key of ours */
        {-5, "?"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[16];
        assert_ptr_equal(key_text(cases[i].key, text), text);
        assert_string_equal(text, cases[i].name);
    }
}

static void test_ui_input__every_key_of_ours_has_a_name_that_fits(void **state)
{
    (void)state;
    for (int key = 1; key <= KEYCODE_SHIFT_DOWN; key = key == 127 ? KEYCODE_UP : key + 1) {
        char text[16];
        key_text(key, text);
        assert_true(text[0] != '\0' && (key == '?' || text[0] != '?'));
        assert_true(text_width(text, strlen(text)) < 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ui_input__keys_ask_for_what_their_first_binding_says),
        cmocka_unit_test(test_ui_input__unbound_keys_ask_for_nothing),
        cmocka_unit_test(test_ui_input__keys_have_names),
        cmocka_unit_test(test_ui_input__every_key_of_ours_has_a_name_that_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
