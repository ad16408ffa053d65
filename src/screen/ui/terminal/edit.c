/* See edit.h. */
#include "ui/terminal/edit.h"

#include <stdbool.h>

#include "base/text.h"

/* The start of the letter before a place: its marks belong to it. */
static size_t letter_before(const char *text, size_t size, size_t at)
{
    while (at > 0) {
        at--;
        while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
            at--;
        if (text_character(text + at, size - at).cols > 0)
            break;
    }
    return at;
}

static size_t letter_after(const char *text, size_t size, size_t at)
{
    if (at < size)
        at += text_character(text + at, size - at).size;
    while (at < size) {
        struct text_character mark = text_character(text + at, size - at);
        if (mark.cols > 0)
            break;
        at += mark.size;
    }
    return at;
}

/* Letters beyond ASCII count as letters of words. */
static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static size_t word_before(const char *text, size_t at)
{
    while (at > 0 && !is_word_byte(text[at - 1]))
        at--;
    while (at > 0 && is_word_byte(text[at - 1]))
        at--;
    return at;
}

static size_t word_after(const char *text, size_t size, size_t at)
{
    while (at < size && !is_word_byte(text[at]))
        at++;
    while (at < size && is_word_byte(text[at]))
        at++;
    return at;
}

static size_t blank_before(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] == ' ')
        at--;
    while (at > 0 && text[at - 1] != ' ')
        at--;
    return at;
}

static struct edit move(size_t to)
{
    return (struct edit){.kind = EDIT_MOVE, .begin = to};
}

static struct edit cut(size_t begin, size_t end, bool is_word_or_more)
{
    return (struct edit){
        .kind = EDIT_CUT, .begin = begin, .end = end, .is_word_or_more = is_word_or_more};
}

static struct edit insert(size_t at, int key)
{
    struct edit edit = {.kind = EDIT_INSERT, .begin = at};
    edit.n_inserted = key_bytes(key, edit.inserted);
    if (key < ' ' || edit.n_inserted == 0 ||
        !text_character(edit.inserted, edit.n_inserted).printable)
        edit.kind = EDIT_NONE;
    return edit;
}

struct edit edit_of_key(const char *text, size_t size, size_t cursor, int key)
{
    switch (key) {
    case KEYCODE_BACKSPACE:
    case 'H' - '@':
        return cut(letter_before(text, size, cursor), cursor, false);
    case KEYCODE_DELETE:
    case 'D' - '@':
        return cut(cursor, letter_after(text, size, cursor), false);
    case 'U' - '@':
        return cut(0, size, true);
    case 'K' - '@':
        return cut(cursor, size, true);
    case 'W' - '@':
        return cut(blank_before(text, cursor), cursor, true);
    case KEYCODE_BACKSPACE | KEYCODE_ALT:
        return cut(word_before(text, cursor), cursor, true);
    case 'd' | KEYCODE_ALT:
        return cut(cursor, word_after(text, size, cursor), true);
    case KEYCODE_LEFT:
    case 'B' - '@':
        return move(letter_before(text, size, cursor));
    case KEYCODE_RIGHT:
    case 'F' - '@':
        return move(letter_after(text, size, cursor));
    case 'b' | KEYCODE_ALT:
        return move(word_before(text, cursor));
    case 'f' | KEYCODE_ALT:
        return move(word_after(text, size, cursor));
    case KEYCODE_HOME:
    case 'A' - '@':
        return move(0);
    case KEYCODE_END:
    case 'E' - '@':
        return move(size);
    default:
        return insert(cursor, key);
    }
}
