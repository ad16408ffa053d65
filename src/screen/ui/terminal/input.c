/* Keys: their actions and their names. See input.h. */
#include "ui/terminal/input.h"

#include <stdio.h>
#include <string.h>

#include <utf8proc.h>

#include "base/array.h"
#include "base/text.h"

enum { NAME_SIZE = 16, LAST_CONTROL = 31 };

enum request binding_find(const struct binding *bindings, int key)
{
    bool is_digit = key >= '1' && key <= '9';
    for (const struct binding *at = bindings; key != KEYCODE_NONE && at->key != KEYCODE_NONE; at++)
        if (at->key == key || (is_digit && at->key == KEYCODE_DIGIT))
            return at->request;
    return REQ_NONE;
}

size_t key_bytes(int key, char bytes[KEY_BYTES])
{
    if (key < 0 || !utf8proc_codepoint_valid(key))
        return 0;
    return (size_t)utf8proc_encode_char(key, (utf8proc_uint8_t *)bytes);
}

/* The name of a key that is called by a word; NULL for others. */
static const char *word_for(int key)
{
    static const struct {
        int key;
        const char *name;
    } words[] = {
        {KEYCODE_NONE, ""},
        {KEYCODE_TAB, "Tab"},
        {KEYCODE_ENTER, "Enter"},
        {KEYCODE_ESCAPE, "Esc"},
        {' ', "Space"},
        {KEYCODE_BACKSPACE, "Backspace"},
        {KEYCODE_UP, "Up"},
        {KEYCODE_DOWN, "Down"},
        {KEYCODE_LEFT, "Left"},
        {KEYCODE_RIGHT, "Right"},
        {KEYCODE_HOME, "Home"},
        {KEYCODE_END, "End"},
        {KEYCODE_PAGE_UP, "PgUp"},
        {KEYCODE_PAGE_DOWN, "PgDn"},
        {KEYCODE_DELETE, "Del"},
        {KEYCODE_BACK_TAB, "Shift-Tab"},
        {KEYCODE_F1, "F1"},
        {KEYCODE_F2, "F2"},
        {KEYCODE_F6, "F6"},
        {KEYCODE_F9, "F9"},
        {KEYCODE_SHIFT_F6, "Shift-F6"},
        {KEYCODE_SHIFT_UP, "Shift-Up"},
        {KEYCODE_SHIFT_DOWN, "Shift-Down"},
        {KEYCODE_SHIFT_LEFT, "Shift-Left"},
        {KEYCODE_SHIFT_RIGHT, "Shift-Right"},
        {KEYCODE_DIGIT, "1-9"},
    };
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (words[i].key == key)
            return words[i].name;
    return NULL;
}

/* The character itself; U+202E and its like if it would not be visible as one. */
static void name_character(int key, char text[NAME_SIZE])
{
    char bytes[KEY_BYTES];
    size_t size = key_bytes(key, bytes);
    struct text_character character = {0};
    if (size > 0)
        character = text_character(bytes, size);
    if (character.printable && character.cols > 0)
        snprintf(text, NAME_SIZE, "%.*s", (int)size, bytes);
    else if (size > 0)
        snprintf(text, NAME_SIZE, "U+%04X", (unsigned)key);
    else
        snprintf(text, NAME_SIZE, "?");
}

char *key_text(int key, char text[NAME_SIZE])
{
    char plain[NAME_SIZE];
    bool alt = key > 0 && (key & KEYCODE_ALT) != 0;
    key = alt ? key & ~KEYCODE_ALT : key;
    const char *word = word_for(key);
    if (word != NULL)
        snprintf(plain, sizeof plain, "%s", word);
    else if (key > 0 && key <= LAST_CONTROL)
        snprintf(plain, sizeof plain, "^%c", key + '@');
    else
        name_character(key, plain);
    /* The longest is "Alt-Shift-Right", so nothing is cut. */
    snprintf(text, NAME_SIZE, "%s%.*s", alt ? "Alt-" : "", NAME_SIZE - 5, plain);
    return text;
}
